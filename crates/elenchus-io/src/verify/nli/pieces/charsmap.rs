//! The character table of SentencePiece: a double-array trie from characters to their replacements.

use unicode_segmentation::UnicodeSegmentation;

/// The table, decoded.
pub(super) struct CharsMap {
    /// Cells of the trie.
    cells: Vec<u32>,
    /// Replacements, each ended by a zero byte.
    texts: String,
}

/// Longer clusters are taken apart before they are looked up; in bytes.
const LONGEST_CLUSTER: usize = 6;

/// Standard base64.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

impl CharsMap {
    /// Reads the table; `None` when it is empty.
    pub(super) fn decode(text: &str) -> Result<Option<Self>, &'static str> {
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = "its table of characters (precompiled_charsmap) is damaged";
        let bytes = base64(text).ok_or(wrong)?;
        let (size, rest) = bytes.split_first_chunk::<4>().ok_or(wrong)?;
        let size = usize::try_from(u32::from_le_bytes(*size)).map_err(|_| wrong)?;
        let (trie, texts) = rest.split_at_checked(size).ok_or(wrong)?;
        let (cells, odd) = trie.as_chunks::<4>();
        if !odd.is_empty() || cells.is_empty() {
            return Err(wrong);
        }
        let texts = String::from_utf8(texts.to_vec()).map_err(|_| wrong)?;
        Ok(Some(Self { cells: cells.iter().map(|c| u32::from_le_bytes(*c)).collect(), texts }))
    }

    /// The replacement of the shortest beginning of `text` that has one.
    fn find(&self, text: &str) -> Option<&str> {
        let offset = |cell: u32| (cell >> 10) << ((cell & 0x200) >> 6);
        let at = |place: u32| self.cells.get(usize::try_from(place).ok()?).copied();
        let mut place = offset(at(0)?);
        for byte in text.bytes().take_while(|byte| *byte != 0) {
            place ^= u32::from(byte);
            let cell = at(place)?;
            if cell & 0x8000_00ff != u32::from(byte) {
                return None;
            }
            place ^= offset(cell);
            if cell & 0x100 != 0 {
                let start = usize::try_from(at(place)? & 0x7fff_ffff).ok()?;
                return self.texts.get(start..)?.split('\0').next();
            }
        }
        None
    }

    /// The text with every cluster or character replaced that the table has.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for cluster in text.graphemes(true) {
            if let Some(with) = self.find(cluster).filter(|_| cluster.len() < LONGEST_CLUSTER) {
                out.push_str(with);
                continue;
            }
            for (at, c) in cluster.char_indices() {
                let own = &cluster[at..at + c.len_utf8()];
                out.push_str(self.find(own).unwrap_or(own));
            }
        }
        out
    }
}
