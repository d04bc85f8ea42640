//! The kind that is asked for, where the words of a question say more of it than its question word: an interest rate is a share, metres are
//! written "m", two people are no place, and of two counts the one that the noun follows counts it.

use super::choice::matches_noun;
use super::matching::Matcher;
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind, is_person};
use elenchus_core::text::is_stop_word;

/// Whether a name is that of two people: "split between Ann Lee and Ben Poe" tells of no place.
pub(super) fn are_people(text: &str, value: &Value) -> bool {
    let name = text.get(value.range.clone()).unwrap_or_default();
    name.split_once(" and ").is_some_and(|(one, other)| is_person(one) && is_person(other))
}

/// Whether a figure counts something else than is asked for, where another one of its unit counts that: of "twelve shorts, picked from 94
/// entries" the twelve are no entries.
pub(super) fn beside_the_counted(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    let Some(noun) = question.counted.as_ref().filter(|_| question.expects == Expects::Count)
    else {
        return false;
    };
    let next = |value: &Value| {
        let behind = unit.text.get(value.range.end..)?.strip_prefix(' ')?;
        let word: String = behind.chars().take_while(|c| c.is_alphabetic()).collect();
        (!word.is_empty() && !is_stop_word(&word.to_lowercase())).then(|| word.to_lowercase())
    };
    let counts = |value: &Value| next(value).is_some_and(|word| matches_noun(noun, &word, matcher));
    value.kind == ValueKind::Count
        && unit.cells.is_empty()
        && next(value).is_some()
        && !counts(value)
        && unit.values.iter().any(|other| {
            other.kind == ValueKind::Count && other.range != value.range && counts(other)
        })
}

/// Units of measure that are counted by their name, as stems, and what a figure writes for them.
const SHORT: [(&str, &str); 7] = [
    ("metr", "m"),
    ("kilometr", "km"),
    ("litr", "l"),
    ("tonn", "t"),
    ("hectar", "ha"),
    ("kilogram", "kg"),
    ("kilo", "kg"),
];

/// Whether a measure in lower case is told in the unit that a question counts: "1,150 m" for metres.
pub(super) fn is_short_for(measure: &str, noun: &str) -> bool {
    let unit = measure.trim_start_matches(|c: char| !c.is_alphabetic());
    SHORT.iter().any(|(stem, short)| *stem == noun && *short == unit)
}

/// Whether a rate is asked for that is told as a share: "the interest rate", "the rate of inflation".
pub(super) fn asks_for_share(question: &Question) -> bool {
    const SHARES: [&str; 12] = [
        "interest", "inflat", "tax", "occup", "vacanc", "respons", "success", "pass", "failur",
        "growth", "turnov", "discount",
    ];
    let has = |stem: &str| question.terms.iter().any(|term| term.stem == stem);
    has("rate") && SHARES.iter().any(|stem| has(stem))
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn value(question: &str, text: &str) -> Option<String> {
        let passages = [document("a", "Facts", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 2));
        all[0].value.clone().map(|at| text[at].to_owned())
    }

    #[test]
    fn an_interest_rate_is_a_share() {
        let loan =
            "The loan from the bank stood at \u{a3}3.4 million; it is fixed at 4.15% until 2028.";
        let asked = "What is the interest rate on the loan from the bank?";
        assert_eq!(value(asked, loan).as_deref(), Some("4.15%"));
    }

    #[test]
    fn what_is_counted_in_metres_is_written_short() {
        let fence = "The fence firm began, 1,150 m to put up.";
        assert_eq!(
            value("How many metres of fence were put up?", fence).as_deref(),
            Some("1,150 m")
        );
        assert_eq!(value("How many posts of fence were put up?", fence), None);
    }

    #[test]
    fn of_two_counts_the_one_before_the_noun_counts_it() {
        let films = "Twelve shorts are in the running, picked from 94 entries.";
        let asked = "How many entries were there for the competition of shorts?";
        assert_eq!(value(asked, films).as_deref(), Some("94"));
        assert_eq!(value("How many shorts are in the running?", films).as_deref(), Some("Twelve"));
    }

    #[test]
    fn two_people_are_no_place() {
        let key = "The key is split between Tom Wendell and Ines Marsh, and a copy lies at the solicitors, Dunmore & Pike.";
        let told = value("Where is the copy of the key kept?", key);
        assert_ne!(told.as_deref(), Some("Tom Wendell and Ines Marsh"));
    }
}
