//! Words and marks that tell what a sentence is there for.

use crate::verify::sentence::Sentence;

/// Stems of words with which authors say what they were going to do.
pub(super) const PURPOSE: [&str; 14] = [
    "aim", "assess", "compar", "determin", "evalu", "examin", "investig", "method", "object",
    "purpos", "studi", "unclear", "unknown", "whether",
];

/// Stems of words with which authors say what came out.
pub(super) const OUTCOME: [&str; 24] = [
    "affect",
    "associ",
    "caus",
    "decreas",
    "demonstr",
    "effect",
    "find",
    "found",
    "greater",
    "higher",
    "increas",
    "indic",
    "lead",
    "led",
    "lower",
    "observ",
    "reduc",
    "requir",
    "result",
    "reveal",
    "risk",
    "show",
    "shown",
    "significant",
];

/// Stems of words with which authors leave a matter open.
pub(super) const OPEN: [&str; 12] = [
    "controversi",
    "howev",
    "hypothes",
    "littl",
    "may",
    "might",
    "previous",
    "recent",
    "remain",
    "unclear",
    "unknown",
    "whether",
];

/// Whether a sentence has one of the stems, which are in order.
pub(super) fn has(sentence: &Sentence, stems: &[&str]) -> bool {
    sentence.words.iter().any(|word| stems.binary_search(&word.token.stem.as_str()).is_ok())
}

/// Whether a text ends as sentences do, closing quotes and brackets aside: headings and menus do not.
pub(super) fn ends(text: &str) -> bool {
    text.trim_end_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ']' | '\u{201D}' | '\u{2019}')
    })
    .ends_with(['.', '!', '?', '\u{2026}', '\u{3002}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_in_order_and_stems() {
        for stems in [&PURPOSE[..], &OUTCOME, &OPEN] {
            assert!(stems.is_sorted(), "{stems:?}");
        }
        let found = |text: &str, stems: &[&str]| has(&Sentence::prepare(text), stems);
        assert!(found("We aimed to assess the mill.", &PURPOSE));
        assert!(found("The mill reduced its losses significantly.", &OUTCOME));
        assert!(found("The cause remains controversial.", &OPEN));
        assert!(!found("The mill stands on the river.", &OUTCOME));
    }

    #[test]
    fn headings_do_not_end() {
        assert!(ends("He said \"yes.\") "));
        assert!(!ends("Company news"));
        assert!(!ends(""));
    }
}
