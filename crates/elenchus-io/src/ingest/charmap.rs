//! Byte offsets to character offsets.

/// Byte offsets to character offsets of one text.
pub(crate) struct CharMap<'a> {
    text: &'a str,
    /// Characters before every [`STEP`]-th byte; empty for ASCII, where they are equal.
    marks: Vec<usize>,
}

/// Bytes between two remembered positions.
const STEP: usize = 256;

impl<'a> CharMap<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut chars = 0;
            for chunk in text.as_bytes().chunks(STEP) {
                marks.push(chars);
                chars += starts(chunk);
            }
        }
        Self { text, marks }
    }

    /// Characters before byte `at`, which must lie on a character boundary or at the end.
    pub(crate) fn chars(&self, at: usize) -> usize {
        if self.marks.is_empty() {
            return at;
        }
        let mark = (at / STEP).min(self.marks.len() - 1);
        self.marks[mark] + starts(&self.text.as_bytes()[mark * STEP..at])
    }
}

/// Characters that begin in `bytes`.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| b.cast_signed() >= -0x40).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn char_map_counts(text in "\\PC{0,600}") {
            let map = CharMap::new(&text);
            for (chars, (at, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(map.chars(at), chars);
            }
            prop_assert_eq!(map.chars(text.len()), text.chars().count());
        }
    }
}
