//! Bytes to text: byte-order mark, UTF-8, or a guess.

use super::ExtractError;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How many bytes are looked at to tell text from binary data.
const PROBE: usize = 8_192;

/// Said of a text with zero bytes in it.
const ZEROS: &str =
    "it holds zero bytes, which no text has: each was read as a space; save the file as plain text";

/// The text of `bytes` with `\n` line ends and no control characters, and a note when it is not exactly
/// what the bytes say.
///
/// # Errors
/// [`ExtractError::Binary`] when the bytes are not text in any encoding.
pub fn decode(bytes: &[u8]) -> Result<(String, Option<String>), ExtractError> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let (text, replaced) = encoding.decode_without_bom_handling(&bytes[mark..]);
        return Ok((tidy(&text), replaced.then(|| invalid(encoding.name()))));
    }
    let probe = &bytes[..bytes.len().min(PROBE)];
    let control =
        probe.iter().filter(|b| **b < 0x20 && !b"\t\n\r\x0b\x0c\x1b".contains(*b)).count();
    let is_binary = control * 20 > probe.len();
    if probe.contains(&0) {
        if let Some(encoding) = wide(probe) {
            let (text, replaced) = encoding.decode_without_bom_handling(bytes);
            return Ok((tidy(&text), replaced.then(|| invalid(encoding.name()))));
        }
        // A stray zero byte between words of UTF-8 is dirt; no format of binary data has so few and is UTF-8 elsewhere.
        return match std::str::from_utf8(bytes) {
            Ok(text) if !is_binary => Ok((tidy(text), Some(ZEROS.to_owned()))),
            _ => Err(ExtractError::Binary),
        };
    }
    if is_binary {
        return Err(ExtractError::Binary);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok((tidy(text), None));
    }
    // A few bad bytes in a file that is UTF-8 elsewhere must not turn every accent into two letters.
    let lossy = String::from_utf8_lossy(bytes);
    let bad = lossy.chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    let good = lossy.chars().filter(|c| !c.is_ascii()).count() - bad;
    if good > 2 * bad {
        return Ok((tidy(&lossy), Some(invalid("UTF-8"))));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let (text, replaced) = encoding.decode_without_bom_handling(bytes);
    let note = if replaced {
        invalid(encoding.name())
    } else {
        format!("read as {}, which was guessed because the bytes are not UTF-8", encoding.name())
    };
    Ok((tidy(&text), Some(note)))
}

/// The text of a body whose encoding may be stated: by a byte-order mark, by `label` (the header's), and in `markup` by
/// its first kilobyte. Bytes that are UTF-8 beyond doubt are read so whatever is stated, since servers state much that is
/// wrong.
///
/// # Errors
/// [`ExtractError::Binary`] when the bytes are not text in any encoding.
pub(crate) fn decode_as(
    bytes: &[u8],
    label: Option<&str>,
    markup: bool,
) -> Result<(String, Option<String>), ExtractError> {
    let unmistakable = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
    if Encoding::for_bom(bytes).is_some() || unmistakable && !bytes.contains(&0x1b) {
        return decode(bytes);
    }
    let inner = || if markup { stated_inside(bytes) } else { None };
    let stated = label.and_then(|label| Encoding::for_label(label.as_bytes())).or_else(inner);
    match stated {
        // A page that is mostly UTF-8 or says nothing is left to the guess.
        Some(encoding)
            if encoding != encoding_rs::UTF_8 && encoding != encoding_rs::REPLACEMENT =>
        {
            let (text, replaced) = encoding.decode_without_bom_handling(bytes);
            Ok((tidy(&text), replaced.then(|| invalid(encoding.name()))))
        }
        _ => decode(bytes),
    }
}

/// `<meta charset=...>`, `<meta http-equiv content="...; charset=...">` or `<?xml encoding="..."?>`.
fn stated_inside(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4_096)];
    let text: String = start.iter().map(|b| char::from(b.to_ascii_lowercase())).collect();
    ["charset", "encoding"].iter().find_map(|name| {
        text.match_indices(name).find_map(|(at, _)| {
            let rest = text[at + name.len()..].trim_start().strip_prefix('=')?;
            let label: String = rest
                .trim_start_matches([' ', '"', '\''])
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "-_:.".contains(*c))
                .collect();
            let encoding = Encoding::for_label(label.as_bytes())?;
            // A page that could state its encoding in single bytes is not in one of double bytes.
            let wide = encoding == UTF_16LE || encoding == UTF_16BE;
            Some(if wide { encoding_rs::UTF_8 } else { encoding })
        })
    })
}

fn invalid(encoding: &str) -> String {
    format!(
        "some bytes are not valid {encoding} and were replaced; save the file as UTF-8 to keep them"
    )
}

/// UTF-16 without a mark: nearly every other byte of Western text is zero.
fn wide(probe: &[u8]) -> Option<&'static Encoding> {
    let zeros = |offset: usize| probe.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = probe.len() / 2;
    if odd * 10 > half * 6 && even * 20 < half {
        Some(UTF_16LE)
    } else if even * 10 > half * 6 && odd * 20 < half {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Line ends as `\n`; invisible characters that would split words are dropped, other control characters
/// (escape sequences included) become spaces.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut rest = text;
    // Runs of plain characters are copied whole: pages are large.
    while let Some(at) = rest.bytes().position(needs_care) {
        tidied.push_str(&rest[..at]);
        rest = &rest[at..];
        let mut chars = rest.chars();
        match chars.next() {
            Some('\r') => {
                tidied.push('\n');
                rest = chars.as_str();
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                continue;
            }
            Some('\u{c}' | '\u{2028}' | '\u{2029}' | '\u{85}') => tidied.push('\n'),
            Some('\u{ad}' | '\u{200b}' | '\u{feff}' | '\u{2060}') | None => {}
            Some(c) if c.is_control() => tidied.push(' '),
            Some(c) => tidied.push(c),
        }
        rest = chars.as_str();
    }
    tidied + rest
}

/// Control characters but line feed and tab, and the first bytes of what may be an invisible character.
fn needs_care(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11..=31 | 127 | 0xC2 | 0xE2 | 0xEF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_guesses() {
        assert_eq!(decode(b"\xEF\xBB\xBFcaf\xC3\xA9\r\nx").unwrap(), ("café\nx".to_owned(), None));
        let wide: Vec<u8> = [0xFF, 0xFE]
            .into_iter()
            .chain("é°x".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(decode(&wide).unwrap().0, "é°x");
        let bare: Vec<u8> = "plain words".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&bare).unwrap().0, "plain words");
        let (text, note) = decode(b"Le caf\xE9 est ferm\xE9 cet \xE9t\xE9.").unwrap();
        assert_eq!(text, "Le café est fermé cet été.");
        assert!(note.unwrap().contains("windows-1252"));
    }

    #[test]
    fn a_bad_byte_does_not_garble_the_rest() {
        let (text, note) = decode(
            "één café, zwölf \u{20ac}"
                .as_bytes()
                .iter()
                .copied()
                .chain([0xFF])
                .collect::<Vec<_>>()
                .as_slice(),
        )
        .unwrap();
        assert!(text.starts_with("één café, zwölf €") && text.ends_with('\u{fffd}'));
        assert!(note.unwrap().contains("UTF-8"));
    }

    #[test]
    fn binary_is_refused_and_control_characters_vanish() {
        assert_eq!(
            decode(&[0x7f, b'E', b'L', b'F', 0, 0, 1, 2, 0, 0, 0, 0, 9]),
            Err(ExtractError::Binary)
        );
        // A stray one is told, and the text is read.
        let (text, note) = decode(b"The lamp is lit at dusk.\0 It is put out at dawn.").unwrap();
        assert_eq!(text, "The lamp is lit at dusk.  It is put out at dawn.");
        assert!(note.unwrap().contains("zero bytes"));
        assert_eq!(decode(b"\xFF\xD8 not UTF-8, and a \0 in it"), Err(ExtractError::Binary));
        assert_eq!(decode(b"a\x1b[31mb soft\xc2\xadhyphen").unwrap().0, "a [31mb softhyphen");
    }
}
