//! First dates: "the first date", "the original plan". What was set in its place is a later one, whatever it is the date of.

use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::Value;
use elenchus_core::text::words;

/// Words for what came first.
const FIRST: [&str; 5] = ["first", "original", "initial", "earliest", "former"];
/// What is set once and then anew.
const SET: [&str; 21] = [
    "date",
    "day",
    "deadline",
    "plan",
    "target",
    "estimate",
    "figure",
    "price",
    "offer",
    "bid",
    "budget",
    "forecast",
    "schedule",
    "timetable",
    "term",
    "proposal",
    "number",
    "sum",
    "limit",
    "place",
    "name",
];
/// Words before a value, or before what it is called, that make it a later one.
const LATER: [&str; 8] =
    ["new", "revised", "later", "latest", "current", "final", "updated", "amended"];
/// Words, by the ends of verbs, of what is put in another place.
const MOVED: [&str; 14] = [
    "postponed",
    "delayed",
    "moved",
    "rescheduled",
    "pushed",
    "deferred",
    "extended",
    "prolonged",
    "slipped",
    "shifted",
    "raised",
    "lowered",
    "increased",
    "changed",
];
/// What stands between them and the new value.
const TO: [&str; 4] = ["to", "until", "till", "for"];
/// Words before a value among which it is called a later one, and among which something is put off to it.
const NEAR: usize = 6;
const FAR: usize = 7;
/// Words before those that tell what leads to them.
const LED: usize = 2;
const ARTICLES: [&str; 6] = ["the", "a", "an", "its", "our", "their"];

/// Whether the value is told as a later one, where the question asks for the first.
pub(super) fn is_later_one(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    if !asks_for_the_first(&question.text) {
        return false;
    }
    let before = unit.text.get(..value.range.start).unwrap_or_default();
    let cut = before.rfind([';', '\n']).map_or(0, |at| at + 1);
    let cut = before[cut..].rfind(". ").map_or(cut, |at| cut + at + 2);
    let lead = words(&before[cut..].to_lowercase());
    let last = |many: usize| &lead[lead.len().saturating_sub(many)..];
    let called = is_called_later(last(NEAR + LED));
    let put_off = last(FAR).windows(2).any(|pair| {
        matches!(
            (pair[0].as_str(), pair[1].as_str()),
            ("put", "off" | "back") | ("brought" | "put", "forward") | ("set", "back")
        )
    });
    let moved = put_off || last(FAR).iter().any(|word| MOVED.contains(&word.as_str()));
    called || moved && lead.last().is_some_and(|word| TO.contains(&word.as_str()))
}

/// Whether the words before a value, the last of them, call it a later one: "now", "the new date is". What is new and only what the
/// value is of ("the budget for the new roof", "the first day of the new term") does not.
fn is_called_later(lead: &[String]) -> bool {
    let is =
        |at: usize, list: &[&str]| lead.get(at).is_some_and(|word| list.contains(&word.as_str()));
    let is_set = |word: &String| SET.contains(&word.strip_suffix('s').unwrap_or(word));
    let led = |at: usize| {
        let from = (0..at).rev().find(|before| !is(*before, &ARTICLES));
        from.is_some_and(|before| is(before, &["of", "for"]))
    };
    (lead.len().saturating_sub(NEAR)..lead.len()).any(|at| {
        let of_a_value = || lead.get(at + 1).is_none_or(is_set) && !led(at);
        is(at, &["now"]) || is(at, &LATER) && of_a_value()
    })
}

/// "What was the first date", "the original completion date", "the first planned day".
fn asks_for_the_first(text: &str) -> bool {
    let all = words(&text.to_lowercase());
    (0..all.len()).any(|at| {
        FIRST.contains(&all[at].as_str())
            && all[at + 1..].iter().take(3).any(|word| {
                let one = word.strip_suffix('s').unwrap_or(word);
                SET.contains(&one)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn later(question: &str, text: &str, value: &str) -> bool {
        let passages = [document("works", "Works", text)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|one| &text[one.range.clone()] == value);
        let value = value.expect("it is a value");
        is_later_one(&Question::parse(question, &[]), &units[0], value)
    }

    #[test]
    fn what_was_set_anew_is_not_the_first() {
        let asked = "What was the first date for the slipway?";
        for text in [
            "The slate is late; the new date is 3 May 2023.",
            "The slipway is put off once more, to 3 May 2023.",
            "The slipway was postponed until 3 May 2023.",
            "The slipway has been moved from Easter to 3 May 2023.",
            "The slipway is now due on 3 May 2023.",
            "The revised date for the slipway is 3 May 2023.",
        ] {
            assert!(later(asked, text, "3 May 2023"), "{text}");
        }
        let price = "The estimate for the slipway was raised to 900 euros.";
        assert!(later("What was the original estimate for the slipway?", price, "900 euros"));
    }

    #[test]
    fn the_first_itself_and_another_question_are_let_be() {
        let asked = "What was the first date for the slipway?";
        for text in [
            "The slipway is to be ready by 3 May 2023.",
            "The slipway was to open on 3 May 2023; the new date is not known.",
            "The slipway was moved from 3 May 2023 to the autumn.",
        ] {
            assert!(!later(asked, text, "3 May 2023"), "{text}");
        }
        let term = "The first day of the new term is 4 September 2023.";
        assert!(!later("When is the first day of the new term?", term, "4 September 2023"));
        let roof = "The original budget for the new roof was 4,000 pounds.";
        assert!(!later("What was the original budget for the new roof?", roof, "4,000 pounds"));
        let text = "The new date for the slipway is 3 May 2023.";
        assert!(!later("What is the date for the slipway?", text, "3 May 2023"));
        assert!(!later("Who was the first to use the slipway?", text, "3 May 2023"));
    }
}
