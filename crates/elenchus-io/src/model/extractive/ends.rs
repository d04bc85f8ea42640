//! Ends: of a span of time or a change, the first and the last, and the difference between them.

use super::question::{Expects, Question};
use elenchus_core::text::words;
use std::ops::Range;

/// "up from 168", "from 22 weeks to 14", "previously 5": the value before the change.
pub(super) fn is_old_lead(lead: &str, text: &str, range: &Range<usize>) -> bool {
    let trimmed = lead.trim_end_matches(['$', '€', '£', ' ']);
    if [
        "up from",
        "down from",
        "previously",
        "formerly",
        "compared with",
        "compared to",
        "versus",
        "rather than",
        "instead of",
        "was",
    ]
    .iter()
    .any(|cue| trimmed.ends_with(cue))
    {
        return true;
    }
    let tail: String = text[range.end..].chars().take(12).collect::<String>().to_lowercase();
    trimmed.ends_with("from") && words(&tail).first().is_some_and(|w| w == "to")
}

/// The ends of a span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// Which end of a span the question asks for, if it asks for one.
pub(super) fn asked_end(question: &Question) -> Option<End> {
    if !matches!(question.expects, Expects::Date | Expects::Quantity) {
        return None;
    }
    question.terms.iter().find_map(|term| match term.stem.as_str() {
        "start" | "begin" | "open" | "commenc" => Some(End::First),
        "end" | "finish" | "close" | "stop" => Some(End::Last),
        _ => None,
    })
}

/// The end that the words before a value lead to.
pub(super) fn end_of_range(lead: &str) -> Option<End> {
    match lead.split_whitespace().next_back().unwrap_or_default() {
        "from" | "between" => Some(End::First),
        "to" | "until" | "till" | "and" => Some(End::Last),
        _ => None,
    }
}

/// "How much higher than quoted": a difference that is stated, for none is reckoned here.
pub(super) fn asks_by_how_much(question: &Question) -> bool {
    let all = words(&question.text);
    all.windows(3).any(|three| {
        three[0] == "how" && three[1] == "much" && COMPARING.contains(&three[2].as_str())
            || three[0] == "by" && three[1] == "how" && three[2] == "much"
    })
}

const COMPARING: [&str; 10] =
    ["more", "higher", "less", "lower", "cheaper", "dearer", "longer", "shorter", "above", "below"];

/// "5,400 more than quoted", "raise them by no more than 4%".
pub(super) fn is_difference(text: &str, value: &Range<usize>) -> bool {
    let after: String = text[value.end..].chars().take(16).collect();
    let before = words(&text[..value.start]);
    let by = before
        .iter()
        .rev()
        .take(4)
        .take_while(|word| {
            matches!(
                word.as_str(),
                "by" | "no"
                    | "not"
                    | "more"
                    | "than"
                    | "up"
                    | "to"
                    | "at"
                    | "most"
                    | "about"
                    | "only"
            )
        })
        .any(|word| word == "by");
    by || words(&after).first().is_some_and(|word| COMPARING.contains(&word.as_str()))
}
