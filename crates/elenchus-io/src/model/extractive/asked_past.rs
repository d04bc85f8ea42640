//! Asked past: whether a question asks for what was so before, and how long before what is so now.

use super::editions;
use super::question::Question;
use super::variants::number;
use elenchus_core::text::words;
use std::ops::Range;

/// The earlier time that a question asks about, by its distance from what is told as so now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// So many months before, 1 or more.
    Ago(i32),
    /// Before the last change.
    Before,
    /// At first.
    First,
}

/// Words that ask for an earlier value.
const PAST: [&str; 9] = [
    "originally",
    "previous",
    "previously",
    "former",
    "formerly",
    "original",
    "before",
    "earlier",
    "older",
];
/// Words of a question that sets two times against each other.
const COMPARES: [&str; 9] = [
    "than",
    "compared",
    "difference",
    "exceed",
    "exceeded",
    "versus",
    "differ",
    "since",
    "between",
];
/// Words before a time that only reckon from it, or to it.
const RECKONS: [&str; 11] =
    ["of", "over", "on", "with", "from", "against", "to", "and", "or", "by", "the"];
/// What a figure had another value before.
const CHANGES: [&str; 10] = [
    "change",
    "increase",
    "rise",
    "raise",
    "decrease",
    "reduction",
    "cut",
    "drop",
    "revision",
    "adjustment",
];

/// Verbs of what was so for a time: "used to cost". What is used to plant trees is a tool.
const USED: [&str; 7] = ["be", "have", "cost", "hold", "charge", "pay", "employ"];

/// Whether a question asks for an earlier value.
pub(super) fn asks_for_past(all: &[String]) -> bool {
    all.iter().any(|word| PAST.contains(&word.as_str())) || was_planned(all) || then(all).is_some()
}

/// The earlier time that is asked about, and the places of the words that name it.
pub(super) fn then(all: &[String]) -> Option<(Then, Range<usize>)> {
    if all.iter().any(|word| COMPARES.contains(&word.as_str())) {
        return None;
    }
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    ago(&all).or_else(|| at_first(&all)).or_else(|| before(&all))
}

/// Months of a unit of time; nothing for what is shorter than one.
pub(super) fn months_of(unit: &str) -> Option<i32> {
    Some(match unit {
        "month" | "months" => 1,
        "quarter" | "quarters" => 3,
        "year" | "years" => 12,
        "decade" | "decades" => 120,
        _ => return None,
    })
}

/// Months of a span in words: "a year", "two years", "6 months".
pub(super) fn months_in(count: &str, unit: &str) -> Option<i32> {
    let many = if matches!(count, "a" | "an") { Some(1) } else { number(count) };
    let many = i32::try_from(many?).ok().filter(|many| (1..=200).contains(many))?;
    Some(many * months_of(unit)?)
}

/// "A year ago", "two years earlier", "last year", "the year before".
fn ago(all: &[&str]) -> Option<(Then, Range<usize>)> {
    let found = (0..all.len()).find_map(|at| {
        let (months, length) = match &all[at..] {
            ["the", unit, "before"] => (months_of(unit)?, 3),
            [count, unit, "ago" | "earlier", ..] | [count, unit, "before"] => {
                (months_in(count, unit)?, 3)
            }
            ["the", "previous" | "preceding", unit] => (months_of(unit)?, 3),
            ["last", unit, ..] => (months_of(unit)?, 2),
            _ => return None,
        };
        Some((months, at..at + length))
    });
    let (months, place) = found?;
    let lead = place.start.checked_sub(1).map_or("", |before| all[before]);
    (!RECKONS.contains(&lead)).then_some((Then::Ago(months), place))
}

/// "Originally", "at first", "in the beginning", "what was the original fee".
fn at_first(all: &[&str]) -> Option<(Then, Range<usize>)> {
    (0..all.len()).find_map(|at| {
        let length = match &all[at..] {
            ["originally" | "initially", ..] => 1,
            ["original" | "initial", _, ..] if names_a_value(all, at) => 1,
            ["at", "first"] => 2,
            ["in", "the", "beginning"] => 3,
            _ => return None,
        };
        Some((Then::First, at..at + length))
    })
}

/// "Previously", "before that", "until then", "before the increase", "what was the previous fee".
fn before(all: &[&str]) -> Option<(Then, Range<usize>)> {
    let done = all.iter().any(|word| matches!(*word, "was" | "were" | "had" | "did"));
    (0..all.len()).find_map(|at| {
        let length = match &all[at..] {
            ["previously" | "formerly", ..] => 1,
            // "If I book earlier" asks for what is so now.
            ["before" | "earlier"] if done => 1,
            ["previous" | "former", _, ..] if names_a_value(all, at) => 1,
            ["before" | "until" | "till", "that" | "then"] => 2,
            ["before", "the" | "its" | "that" | "this", what] if CHANGES.contains(what) => 3,
            ["use" | "used", "to", rest @ ..]
                if all.contains(&"did") && rest.first().is_none_or(|verb| USED.contains(verb)) =>
            {
                2
            }
            _ => return None,
        };
        Some((Then::Before, at..at + length))
    })
}

/// "What was the previous fee?": the word tells which value is asked for, and not of which thing.
fn names_a_value(all: &[&str], at: usize) -> bool {
    at == 3 && matches!(all, ["what", "was" | "were", "the" | "its" | "their", ..])
}

/// "When was the round to be closed", "how long were the proceeds expected to last": asks for what was planned then,
/// whatever became of it.
pub(super) fn was_planned(all: &[String]) -> bool {
    let Some(at) = all.iter().position(|word| matches!(word.as_str(), "was" | "were")) else {
        return false;
    };
    all[at + 1..].windows(2).any(|pair| {
        (pair[0] == "to" && pair[1] == "be")
            || (pair[1] == "to"
                && matches!(
                    pair[0].as_str(),
                    "expected"
                        | "planned"
                        | "projected"
                        | "supposed"
                        | "scheduled"
                        | "meant"
                        | "due"
                ))
    })
}

/// The question is about the outdated document itself.
pub(super) fn asks_for_the_old(question: &Question) -> bool {
    let by_version = editions::asked(&question.text).is_some();
    by_version
        || question.terms.iter().any(|term| {
            matches!(
                term.stem.as_str(),
                "concept" | "old" | "supersed" | "archiv" | "initi" | "origin" | "earli" | "draft"
            )
        })
        || asks_for_the_first(&question.text)
}

/// "The first fee"; "before their first duty" is of today.
fn asks_for_the_first(text: &str) -> bool {
    let all = words(text);
    let before = |at: usize| at.checked_sub(1).and_then(|at| all.get(at)).map(String::as_str);
    all.iter().enumerate().any(|(at, word)| {
        let own = matches!(
            before(at),
            Some("their" | "your" | "its" | "his" | "her" | "my" | "our" | "one")
        );
        word == "first" && !own
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Option<Then> {
        then(&words(&text.to_lowercase())).map(|(then, _)| then)
    }

    #[test]
    fn a_question_names_an_earlier_time_by_its_distance() {
        for (text, wanted) in [
            ("How many moorings were there a year ago?", Then::Ago(12)),
            ("How many moorings were there two years earlier?", Then::Ago(24)),
            ("What did a mooring cost last year?", Then::Ago(12)),
            ("How many moorings were there the year before?", Then::Ago(12)),
            ("What was the mooring fee before that?", Then::Before),
            ("What was the mooring fee before the increase?", Then::Before),
            ("What was the previous mooring fee?", Then::Before),
            ("How many moorings did the yard use to have?", Then::Before),
            ("What was the mooring fee at first?", Then::First),
            ("What was the mooring fee originally?", Then::First),
        ] {
            assert_eq!(asked(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_condition_a_comparison_and_another_thing_are_no_earlier_time() {
        for text in [
            "How long must boats wait before mooring?",
            "How many years ago was the yard built?",
            "By how much did fees exceed those of a year earlier?",
            "How many boats came in the last year?",
            "How long does the upgrade from the previous engine take?",
            "How many moorings are there?",
            "What is the initial deposit?",
            "How many days do I have to book beforehand?",
            "How much does it cost if I book earlier?",
            "How many volunteers did the yard use to plant the trees?",
        ] {
            assert_eq!(asked(text), None, "{text}");
        }
    }
}
