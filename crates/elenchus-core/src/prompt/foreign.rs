//! What a model's words hold that nothing it was shown holds: figures and names.
//!
//! A sentence in a model's own words may order and weigh what was quoted; it may bring in nothing. A figure or a name
//! that stands nowhere in the material is the plainest sign that it did.

use crate::evidence::ReadPassage;
use crate::text::{is_stop_word, stem, words};
use std::collections::BTreeSet;
use unicode_segmentation::UnicodeSegmentation;

/// Capitalised words that name no one and nothing in particular, or what every text of their field is about.
const COMMON: [&str; 36] = [
    "bible",
    "biblical",
    "scripture",
    "scriptures",
    "gospel",
    "gospels",
    "testament",
    "new",
    "old",
    "god",
    "lord",
    "christ",
    "jesus",
    "christian",
    "christians",
    "christianity",
    "christology",
    "church",
    "father",
    "fathers",
    "son",
    "spirit",
    "holy",
    "english",
    "greek",
    "latin",
    "hebrew",
    "western",
    "eastern",
    "european",
    "north",
    "south",
    "east",
    "west",
    "internet",
    "web",
];

/// The first figure, or else the first name, in `said` that `known` does not hold.
pub(super) fn foreign(said: &str, known: &str) -> Option<String> {
    foreign_figure(said, known).or_else(|| foreign_name(said, known))
}

/// The first word with a digit in `said` that `known` does not hold.
pub(super) fn foreign_figure(said: &str, known: &str) -> Option<String> {
    let has_digit = |word: &String| word.chars().any(char::is_numeric);
    let known: BTreeSet<String> = words(known).into_iter().collect();
    words(said).into_iter().filter(has_digit).find(|word| !known.contains(word))
}

/// The first word in `said` that is written like a name and stands in `known` in no form. The first word of a sentence
/// tells nothing by its capital, unless it has more than one.
pub(super) fn foreign_name(said: &str, known: &str) -> Option<String> {
    let known: BTreeSet<String> = words(known).iter().map(|word| stem(word)).collect();
    let mut starts = true;
    for piece in said.split_word_bounds() {
        if !piece.chars().any(char::is_alphanumeric) {
            starts = starts && piece.trim().is_empty()
                || piece.contains(['.', '!', '?', ':', ';', '"', '“', '‘', '(']);
            continue;
        }
        let capitals = piece.chars().filter(|c| c.is_uppercase()).count();
        let first = piece.chars().next().is_some_and(char::is_uppercase);
        let written_as_name = if starts { capitals > 1 } else { first };
        starts = false;
        if !written_as_name || piece.chars().count() < 2 {
            continue;
        }
        let lower = piece.to_lowercase();
        let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(&lower);
        let is_known = is_stop_word(bare)
            || COMMON.contains(&bare)
            || words(bare).iter().all(|word| known.contains(&stem(word)));
        if !is_known {
            return Some(piece.to_owned());
        }
    }
    None
}

/// The first word in `said` that says something and stands in `known` in no form: for headings, which stand above
/// quotes as if they said what the quotes say.
pub(super) fn foreign_word(said: &str, known: &str) -> Option<String> {
    let known: BTreeSet<String> = words(known).iter().map(|word| stem(word)).collect();
    words(said).into_iter().find(|word| !is_stop_word(word) && !known.contains(&stem(word)))
}

/// Everything that a prompt shows of a passage.
pub(super) fn all_of(read: &ReadPassage) -> String {
    let source = &read.source;
    let date = source.date.as_ref().map(|date| date.value.to_string()).unwrap_or_default();
    format!(
        "{} {} {} {} {} {date} {}",
        read.passage.text,
        source.title,
        source.path,
        source.author.as_deref().unwrap_or_default(),
        read.passage.heading_path.join(" "),
        read.passage.record.as_deref().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHOWN: &str =
        "Did Ignatius call Jesus God? Letter to the Philadelphians, c. 108. The Ebionites deny it.";

    #[test]
    fn a_name_that_nothing_shown_holds_is_foreign() {
        let told = |said: &str| foreign_name(said, SHOWN);
        assert_eq!(
            told("He was echoed word for word by Polycarp of Smyrna."),
            Some("Polycarp".to_owned())
        );
        assert_eq!(
            told("The belief goes back to the day of Pentecost."),
            Some("Pentecost".to_owned())
        );
        assert_eq!(told("The OECD says so."), Some("OECD".to_owned()));
        assert_eq!(told("OECD figures say so."), Some("OECD".to_owned()));
    }

    #[test]
    fn forms_of_what_was_shown_and_common_words_are_not() {
        for said in [
            "Ignatius's letter is the only one.",
            "An Ebionite would deny it.",
            "Nobody else. Neither does the letter (Others may).",
            "It says: \"Believers knew it\".",
            "The New Testament and the Gospels were read in the Church.",
            "I think that it is so.",
            "",
            "…",
        ] {
            assert_eq!(foreign_name(said, SHOWN), None, "{said}");
        }
    }

    #[test]
    fn a_heading_says_nothing_of_its_own() {
        let known = "How deep is the harbour of Leith? The harbour is 9 metres deep.";
        assert_eq!(foreign_word("The deep harbour", known), None);
        assert_eq!(foreign_word("Depths are certainly fine", known), Some("depths".to_owned()));
        assert_eq!(foreign_word("Harbours of Leith", known), None);
    }

    #[test]
    fn figures_come_first() {
        assert_eq!(foreign("In 325 Polycarp said so.", SHOWN), Some("325".to_owned()));
        assert_eq!(foreign("In 108 Ignatius said so.", SHOWN), None);
    }
}
