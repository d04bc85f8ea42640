//! WordPiece splitting as the uncased BERT models expect it.
//!
//! Agrees piece by piece with the reference tokenizer on English, European and CJK text. Differences
//! that are meant: a literal `[CLS]` or `[SEP]` in a text is plain punctuation and letters here, so
//! that a document cannot smuggle in control pieces. Differences that are accepted: spacing marks of
//! Indic scripts are dropped together with the non-spacing ones, and code points that are missing
//! from the Unicode version of either side may be cut differently.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Words of more characters than this are unknown, as in the reference tokenizer.
const LONGEST_WORD: usize = 100;

type Pieces = HashMap<Cow<'static, str>, u32, BuildHasherDefault<Fnv>>;

/// FNV-1a. The maps are filled from a vocabulary, never from texts, so a text cannot make keys collide.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The vocabulary, ready for greedy longest-match look-up.
pub(super) struct WordPiece {
    /// Pieces that open a word.
    heads: Pieces,
    /// Pieces that continue one, without their `##`.
    tails: Pieces,
    /// Bytes of the longest piece: no look-up needs more.
    longest: usize,
    unknown: u32,
}

impl WordPiece {
    /// Indexes pieces with their ids. `None` without an `[UNK]`.
    pub(super) fn new(vocab: impl IntoIterator<Item = (Cow<'static, str>, u32)>) -> Option<Self> {
        let (mut heads, mut tails, mut longest) = (Pieces::default(), Pieces::default(), 0);
        for (piece, id) in vocab {
            longest = longest.max(piece.len());
            let tail = match &piece {
                Cow::Borrowed(text) => text.strip_prefix("##").map(Cow::Borrowed),
                Cow::Owned(text) => text.strip_prefix("##").map(|tail| Cow::Owned(tail.to_owned())),
            };
            match tail.filter(|tail| !tail.is_empty()) {
                Some(tail) => tails.insert(tail, id),
                None => heads.insert(piece, id),
            };
        }
        let unknown = *heads.get("[UNK]")?;
        Some(Self { heads, tails, longest, unknown })
    }

    /// Id of a piece that opens a word, or of a reserved one such as `[CLS]`.
    #[cfg(feature = "onnx")]
    pub(super) fn id(&self, piece: &str) -> Option<u32> {
        self.heads.get(piece).copied()
    }

    /// Calls `sink` with the id of every piece of `text`, in order; a word that cannot be split
    /// into known pieces counts as one `[UNK]`.
    pub(super) fn split(&self, text: &str, sink: &mut impl FnMut(u32)) {
        let mut run = Run { table: self, word: String::with_capacity(32), ids: Vec::new(), sink };
        for c in text.chars() {
            if c.is_ascii_alphanumeric() {
                run.word.push(c.to_ascii_lowercase());
            } else if is_dropped(c) {
                // nothing: the characters around it join
            } else if c.is_whitespace() {
                run.end_word();
            } else if is_ideograph(c) {
                run.end_word();
                run.fold(c);
                run.end_word();
            } else {
                run.fold(c);
            }
        }
        run.end_word();
    }
}

/// State of one pass over a text.
struct Run<'a, F: FnMut(u32)> {
    table: &'a WordPiece,
    /// The word so far, folded.
    word: String,
    /// Pieces of the word at hand, held back until the whole word is known to split.
    ids: Vec<u32>,
    sink: &'a mut F,
}

impl<F: FnMut(u32)> Run<'_, F> {
    /// Adds a character without its accents and in lower case; punctuation becomes a word of its own.
    fn fold(&mut self, c: char) {
        decompose_canonical(c, |base| {
            if is_combining_mark(base) {
                return;
            }
            for lower in base.to_lowercase() {
                if is_punctuation(lower) {
                    self.end_word();
                    self.word.push(lower);
                    self.end_word();
                } else {
                    self.word.push(lower);
                }
            }
        });
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        self.ids.clear();
        if self.cut() {
            self.ids.iter().for_each(|id| (self.sink)(*id));
        } else {
            (self.sink)(self.table.unknown);
        }
        self.word.clear();
    }

    /// Cuts the word into the longest known pieces from the left; false if some part is unknown.
    fn cut(&mut self) -> bool {
        if self.word.len() > LONGEST_WORD && self.word.chars().count() > LONGEST_WORD {
            return false;
        }
        let mut rest = self.word.as_str();
        while !rest.is_empty() {
            let known = if self.ids.is_empty() { &self.table.heads } else { &self.table.tails };
            let mut end = rest.floor_char_boundary(self.table.longest);
            let id = loop {
                if end == 0 {
                    return false;
                }
                if let Some(id) = rest.get(..end).and_then(|part| known.get(part)) {
                    break *id;
                }
                end = rest.floor_char_boundary(end - 1);
            };
            self.ids.push(id);
            rest = rest.get(end..).unwrap_or_default();
        }
        true
    }
}

/// Control, format and private-use characters and the replacement character vanish.
fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        c if c.is_ascii() => c.is_ascii_control(),
        '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => true,
        // category Cf
        '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{13438}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// Cuts a text where the splitting into word pieces cuts it, at blanks and at punctuation, so that the pieces of the parts
/// are those of the whole; with the byte where each part begins.
pub(super) fn runs(text: &str) -> Vec<(&str, usize)> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    let mut word: Option<usize> = None;
    for (at, c) in text.char_indices() {
        let alone = is_punctuation(c) || is_ideograph(c);
        if !alone && !c.is_whitespace() {
            word.get_or_insert(at);
            continue;
        }
        if let Some(from) = word.take() {
            found.push((&text[from..at], from));
        }
        if alone {
            found.push((&text[at..at + c.len_utf8()], at));
        }
    }
    if let Some(from) = word {
        found.push((&text[from..], from));
    }
    found
}

/// Characters that stand as words of their own in the reference tokenizer: the CJK ideographs.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ceaf}' | '\u{2f800}'..='\u{2fa1f}')
}

/// ASCII symbols and the Unicode categories P* of the basic plane.
fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    matches!(c,
            '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}'..='\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{37e}' |
    '\u{387}' | '\u{55a}'..='\u{55f}' | '\u{589}'..='\u{58a}' | '\u{5be}' | '\u{5c0}' |
    '\u{5c3}' | '\u{5c6}' | '\u{5f3}'..='\u{5f4}' | '\u{609}'..='\u{60a}' |
    '\u{60c}'..='\u{60d}' | '\u{61b}' | '\u{61d}'..='\u{61f}' | '\u{66a}'..='\u{66d}' |
    '\u{6d4}' | '\u{700}'..='\u{70d}' | '\u{7f7}'..='\u{7f9}' | '\u{830}'..='\u{83e}' |
    '\u{85e}' | '\u{964}'..='\u{965}' | '\u{970}' | '\u{9fd}' | '\u{a76}' | '\u{af0}' |
    '\u{c77}' | '\u{c84}' | '\u{df4}' | '\u{e4f}' | '\u{e5a}'..='\u{e5b}' |
    '\u{f04}'..='\u{f12}' | '\u{f14}' | '\u{f3a}'..='\u{f3d}' | '\u{f85}' |
    '\u{fd0}'..='\u{fd4}' | '\u{fd9}'..='\u{fda}' | '\u{104a}'..='\u{104f}' | '\u{10fb}' |
    '\u{1360}'..='\u{1368}' | '\u{1400}' | '\u{166e}' | '\u{169b}'..='\u{169c}' |
    '\u{16eb}'..='\u{16ed}' | '\u{1735}'..='\u{1736}' | '\u{17d4}'..='\u{17d6}' |
    '\u{17d8}'..='\u{17da}' | '\u{1800}'..='\u{180a}' | '\u{1944}'..='\u{1945}' |
    '\u{1a1e}'..='\u{1a1f}' | '\u{1aa0}'..='\u{1aa6}' | '\u{1aa8}'..='\u{1aad}' |
    '\u{1b5a}'..='\u{1b60}' | '\u{1b7d}'..='\u{1b7e}' | '\u{1bfc}'..='\u{1bff}' |
    '\u{1c3b}'..='\u{1c3f}' | '\u{1c7e}'..='\u{1c7f}' | '\u{1cc0}'..='\u{1cc7}' | '\u{1cd3}' |
    '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' |
    '\u{2053}'..='\u{205e}' | '\u{207d}'..='\u{207e}' | '\u{208d}'..='\u{208e}' |
    '\u{2308}'..='\u{230b}' | '\u{2329}'..='\u{232a}' | '\u{2768}'..='\u{2775}' |
    '\u{27c5}'..='\u{27c6}' | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' |
    '\u{29d8}'..='\u{29db}' | '\u{29fc}'..='\u{29fd}' | '\u{2cf9}'..='\u{2cfc}' |
    '\u{2cfe}'..='\u{2cff}' | '\u{2d70}' | '\u{2e00}'..='\u{2e2e}' | '\u{2e30}'..='\u{2e4f}' |
    '\u{2e52}'..='\u{2e5d}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' |
    '\u{3014}'..='\u{301f}' | '\u{3030}' | '\u{303d}' | '\u{30a0}' | '\u{30fb}' |
    '\u{a4fe}'..='\u{a4ff}' | '\u{a60d}'..='\u{a60f}' | '\u{a673}' | '\u{a67e}' |
    '\u{a6f2}'..='\u{a6f7}' | '\u{a874}'..='\u{a877}' | '\u{a8ce}'..='\u{a8cf}' |
    '\u{a8f8}'..='\u{a8fa}' | '\u{a8fc}' | '\u{a92e}'..='\u{a92f}' | '\u{a95f}' |
    '\u{a9c1}'..='\u{a9cd}' | '\u{a9de}'..='\u{a9df}' | '\u{aa5c}'..='\u{aa5f}' |
    '\u{aade}'..='\u{aadf}' | '\u{aaf0}'..='\u{aaf1}' | '\u{abeb}' | '\u{fd3e}'..='\u{fd3f}' |
    '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe52}' | '\u{fe54}'..='\u{fe61}' | '\u{fe63}' |
    '\u{fe68}' | '\u{fe6a}'..='\u{fe6b}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' |
    '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff1b}' | '\u{ff1f}'..='\u{ff20}' |
    '\u{ff3b}'..='\u{ff3d}' | '\u{ff3f}' | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VOCAB: [&str; 12] =
        ["[UNK]", "un", "##aff", "##able", "cafe", "!", "\u{4f60}", "##s", "a", "##b", "[", "cls"];

    fn table(vocab: &[&'static str]) -> Option<WordPiece> {
        WordPiece::new(vocab.iter().map(|piece| Cow::Borrowed(*piece)).zip(0..))
    }

    fn split(text: &str) -> Vec<&'static str> {
        let table = table(&VOCAB).expect("the vocabulary has [UNK]");
        let mut out = Vec::new();
        table.split(text, &mut |id| out.push(VOCAB[id as usize]));
        out
    }

    #[test]
    fn the_longest_piece_wins_and_tails_continue() {
        assert_eq!(split("unaffable"), ["un", "##aff", "##able"]);
        assert_eq!(split("UN Cafes"), ["un", "cafe", "##s"]);
    }

    #[test]
    fn accents_and_invisible_characters_go() {
        assert_eq!(split("Caf\u{e9} cafe\u{301} ca\u{ad}fe ca\u{200b}fe"), ["cafe"; 4]);
    }

    #[test]
    fn punctuation_and_ideographs_stand_alone() {
        assert_eq!(split("cafe!\u{4f60}a"), ["cafe", "!", "\u{4f60}", "a"]);
        assert_eq!(split("[CLS]"), ["[", "cls", "[UNK]"]);
    }

    #[test]
    fn a_word_with_an_unknown_part_is_one_unknown() {
        assert_eq!(split("unx a"), ["[UNK]", "a"]);
        assert_eq!(split("\u{1f600}"), ["[UNK]"]);
        assert_eq!(split(""), Vec::<&str>::new());
    }

    #[test]
    fn very_long_words_are_unknown() {
        let fits = format!("a{}", "b".repeat(LONGEST_WORD - 1));
        assert_eq!(split(&fits).len(), LONGEST_WORD);
        assert_eq!(split(&format!("{fits}b")), ["[UNK]"]);
    }

    #[test]
    fn a_vocabulary_without_unknown_is_refused() {
        assert!(table(&["a"]).is_none());
    }

    proptest! {
        #[test]
        fn any_text_splits_without_a_panic(text in any::<String>()) {
            split(&text);
        }
    }
}
