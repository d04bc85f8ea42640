//! Marks of printed notes: numbers that point at a note and state nothing.

use std::collections::BTreeSet;
use std::ops::Range;

/// Longest mark in digits: more are years or figures with a comma.
const MARK_DIGITS: usize = 3;

/// "77 : Reference is here made to ...": a line of the editor's notes, led by its number.
pub(super) fn is_note_line(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '*', '\\', '[']);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    (1..=4).contains(&digits) && rest[digits..].starts_with(" : ")
}

/// Numbers of a passage that stand like marks. Their neighbours in the count are likely marks too.
pub(super) fn note_marks(text: &str) -> BTreeSet<u32> {
    let mut marks = BTreeSet::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(|c: char| c.is_ascii_digit()) {
        let start = from + at;
        let end = start + digits_at(&text[start..]);
        if stands_as_mark(text, &(start..end))
            && let Ok(number) = text[start..end].parse()
        {
            marks.insert(number);
        }
        from = end;
    }
    marks
}

fn digits_at(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// Whether the number at the start of a value is a mark, given the marks of its passage.
pub(super) fn is_mark(text: &str, range: &Range<usize>, marks: &BTreeSet<u32>) -> bool {
    let digits = digits_at(&text[range.start..]);
    let own = range.start..range.start + digits;
    if digits == 0 || digits > MARK_DIGITS {
        return false;
    }
    if stands_as_mark(text, &own) {
        return true;
    }
    // Beside a mark in the count, and set off from the sentence by what stands before it.
    let after_point = text[..own.start].trim_end().ends_with([',', '.', ';', ')', ']', '"', '”']);
    let Ok(number) = text[own].parse::<u32>() else { return false };
    // Marks run on: a mark a few numbers away is of the same count.
    after_point && marks.range(number.saturating_sub(5)..=number.saturating_add(5)).next().is_some()
}

/// A bare number that belongs to nothing: after a point, a pronoun or a plain word, and before a point, a word
/// that no number counts, or the end.
fn stands_as_mark(text: &str, range: &Range<usize>) -> bool {
    if range.len() > MARK_DIGITS {
        return false;
    }
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let glued = before.chars().next_back();
    if glued.is_some_and(char::is_alphabetic) {
        // "him7": set higher in print. "Q1" and "VLX4" are names.
        let word: String = before.chars().rev().take_while(|c| c.is_alphabetic()).collect();
        return word.chars().count() > 2 && word.chars().all(char::is_lowercase);
    }
    let unit = after.trim_start();
    let next: String = unit.chars().take_while(|c| c.is_alphabetic()).collect();
    let closes =
        unit.is_empty() || unit.starts_with(['.', ';', ',', '"', '”', '?', '!', '\\', ']']);
    let uncounted = closes && !after.starts_with(['.', ',']) || is_uncounted(&next);
    if !uncounted {
        return false;
    }
    // A point right before it: `"word," 7 he said` or `word.7`.
    if matches!(glued, Some('"' | '”' | ']' | ';' | '!' | '?')) {
        return true;
    }
    if !before.ends_with(' ') {
        return false;
    }
    let lead = before.trim_end();
    if lead.ends_with(['"', '”', ';', '.', ',', '!', '?', ']']) {
        // "Q3 2025, 14" and "3, 4" go on a row of figures.
        let word = lead.trim_end_matches(|c: char| !c.is_alphanumeric());
        return word.chars().next_back().is_some_and(char::is_alphabetic);
    }
    let word: String = lead
        .chars()
        .rev()
        .take_while(|c| c.is_alphabetic())
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    // "urged him 7 to take": nothing is measured by a pronoun.
    matches!(word.as_str(), "him" | "her" | "them" | "us" | "me" | "himself" | "themselves" | "God")
}

/// Words that follow a mark and never what a number counts.
fn is_uncounted(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "to"
            | "for"
            | "and"
            | "but"
            | "who"
            | "which"
            | "that"
            | "whom"
            | "whose"
            | "he"
            | "she"
            | "it"
            | "they"
            | "we"
            | "I"
            | "his"
            | "her"
            | "their"
            | "our"
            | "this"
            | "these"
            | "those"
            | "is"
            | "was"
            | "are"
            | "were"
            | "as"
            | "from"
            | "because"
            | "when"
            | "all"
            | "so"
            | "nor"
            | "not"
            | "has"
            | "have"
            | "had"
            | "in"
            | "by"
            | "into"
            | "though"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, number: &str) -> bool {
        let at = text.find(number).expect("the number is in the text");
        is_mark(text, &(at..at + number.len()), &note_marks(text))
    }

    #[test]
    fn marks_are_told_from_figures() {
        assert!(mark("They begged him 7 to spare his years.", "7"));
        assert!(mark("On that day, 146 all who lived there came.", "146"));
        assert!(mark("He said, \"Go.\" 28", "28"));
        assert!(!mark("We run 47 sites in Japan.", "47"));
        assert!(!mark("The team grew to 12 by March.", "12"));
        assert!(!mark("Sites: EU 29, Japan 4 and others.", "4"));
        assert!(!mark("In Q1 2025, 14 sites were hit.", "14"));
        assert!(is_note_line("77 : See the letter."));
        assert!(!is_note_line("12:30 lunch"));
        assert!(!is_note_line(""));
    }

    #[test]
    fn any_text_is_read() {
        for text in ["", "7", "é7", "٣ 7", "🦀7 🦀", "7 7 7", "\u{202e}x 7 to"] {
            let _ = note_marks(text);
            let _ = is_note_line(text);
        }
    }
}
