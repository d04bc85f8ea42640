//! Ends: of a span of time or a change, the first and the last, which of them a question asks for and a value is, and the
//! difference between them.

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

/// Words for a time: "until what hour".
const TIMES: [&str; 8] = ["time", "hour", "date", "day", "month", "year", "week", "age"];
/// Words of what may not be: it lasts until the first end of that, and begins with the last one.
const FORBIDS: [&str; 10] = [
    "not",
    "no",
    "never",
    "nobody",
    "nor",
    "neither",
    "cannot",
    "forbidden",
    "prohibited",
    "banned",
];
/// Words behind "between" among which its "and" stands.
const REACH: usize = 6;

/// Which end of a span the question asks for, if it asks for one.
pub(super) fn asked_end(question: &Question) -> Option<End> {
    if !matches!(question.expects, Expects::Date | Expects::Quantity) {
        return None;
    }
    by_preposition(question).or_else(|| {
        question.terms.iter().find_map(|term| match term.stem.as_str() {
            "start" | "begin" | "open" | "commenc" => Some(End::First),
            "end" | "finish" | "close" | "stop" => Some(End::Last),
            _ => None,
        })
    })
}

/// "Until when", "from what day": the question itself names the end.
pub(super) fn by_preposition(question: &Question) -> Option<End> {
    let all = words(&question.text);
    // "Until when is it forbidden": which end that is stands in no preposition.
    if all.iter().any(|word| FORBIDS.contains(&word.as_str())) {
        return None;
    }
    all.iter().enumerate().find_map(|(at, word)| {
        let end = match word.as_str() {
            "until" | "till" => End::Last,
            "from" | "since" => End::First,
            _ => return None,
        };
        let asked = all.get(at + 1).map(String::as_str)?;
        let time = all.get(at + 2).is_some_and(|noun| TIMES.contains(&noun.as_str()));
        (asked == "when" || (matches!(asked, "what" | "which") && time)).then_some(end)
    })
}

/// The end that a value is by the word right before it: "from 22:30 to 07:00", "not before 9:00", "between 1 May and
/// 3 June".
pub(super) fn end_of_range(text: &str, at: &Range<usize>) -> Option<End> {
    let before = words(&text[..at.start]);
    let word = |back: usize| {
        before.len().checked_sub(back).and_then(|at| before.get(at)).map_or("", String::as_str)
    };
    let forbids = || before.iter().any(|word| FORBIDS.contains(&word.as_str()));
    match word(1) {
        "from" | "between" => Some(End::First),
        "to" | "until" | "till" => Some(End::Last),
        "and" => before.iter().rev().take(REACH).any(|word| word == "between").then_some(End::Last),
        // What may not be before nine begins at nine.
        "before" if forbids() => Some(End::First),
        "after" if forbids() => Some(End::Last),
        "than" if word(2) == "earlier" && forbids() => Some(End::First),
        "than" if word(2) == "later" && forbids() => Some(End::Last),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_asks_for_one_end() {
        let asked = |text: &str| asked_end(&Question::parse(text, &[]));
        assert_eq!(asked("Until when may the pool be used?"), Some(End::Last));
        assert_eq!(asked("Until what time of day is the slipway free?"), Some(End::Last));
        assert_eq!(asked("From when may the reeds be mown?"), Some(End::First));
        assert_eq!(asked("When does the market close?"), Some(End::Last));
        assert_eq!(asked("When was the pool painted?"), None);
        assert_eq!(asked("Until when is the slipway not free?"), None);
    }

    #[test]
    fn the_word_before_a_value_tells_its_end() {
        let end = |text: &str, value: &str| {
            let at = text.find(value).expect("it stands there");
            end_of_range(text, &(at..at + value.len()))
        };
        let forbidden = "Mowing is not allowed before 8:00 or after 19:30.";
        assert_eq!(end(forbidden, "8:00"), Some(End::First));
        assert_eq!(end(forbidden, "19:30"), Some(End::Last));
        let season = "Only between 2 August and 9 October.";
        assert_eq!(end(season, "2 August"), Some(End::First));
        assert_eq!(end(season, "9 October"), Some(End::Last));
        assert_eq!(end("Guests leave no later than 22:00.", "22:00"), Some(End::Last));
        // What came before it is told of, and nothing is forbidden.
        assert_eq!(end("It was painted before 1990.", "1990"), None);
        // Two times that stand side by side are no span.
        assert_eq!(end("It shuts at 17:00 in May and 13:00 in June.", "13:00"), None);
    }
}
