//! Deputies: who does somebody's work while they are away.
//!
//! "When she is away, Ben Poe takes her place" names both in two sentences, and no word of it is one of "Who stands in for Ann
//! Reed?". The form tells all the same.

use super::choice::sentence_case;
use super::question::{Question, Term};
use super::roles::asks_who;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::text::words;
use std::ops::Range;

/// How it is asked for.
const ASKED: [&str; 12] = [
    "stands in for",
    "stand in for",
    "stood in for",
    "steps in for",
    "fills in for",
    "filled in for",
    "covers for",
    "deputises for",
    "deputizes for",
    "takes the place of",
    "takes over from",
    "is the deputy of",
];
/// Words of these, as stems.
const ASKING: [&str; 10] =
    ["stand", "stood", "step", "fill", "cover", "deputis", "deputi", "deputiz", "take", "place"];
/// How it is told, behind whoever does it.
const TOLD: [&str; 13] = [
    "takes her place",
    "takes his place",
    "takes their place",
    "stands in",
    "steps in",
    "fills in",
    "covers for",
    "deputises",
    "deputizes",
    "acts for her",
    "acts for him",
    "takes over from",
    "takes over for",
];
/// What stands before names and is part of none.
const TITLES: [&str; 7] = ["dr", "mr", "mrs", "ms", "miss", "sir", "prof"];

/// Who a unit says does the work of somebody that a question asks about: bytes of its text. Whether it is their work, the names that
/// have to bind tell.
pub(super) fn stand_in(question: &Question, unit: &EvidenceUnit<'_>) -> Option<Range<usize>> {
    let asked = question.text.to_lowercase();
    if !asks_who(question) || !ASKED.iter().any(|form| asked.contains(form)) {
        return None;
    }
    let lower = unit.text.to_lowercase();
    // Lower-casing may move letters; then nothing can be told.
    let deed = TOLD.iter().find_map(|form| lower.find(form));
    let deed = deed.filter(|_| lower.len() == unit.text.len())?;
    // "When she is away" begins with no name.
    let is_name = |value: &&Value| {
        matches!(value.kind, ValueKind::Person | ValueKind::Name)
            && value.range.end <= deed
            && !sentence_case(unit, value)
    };
    let is_asked = |value: &Value| {
        let own = words(&unit.text[value.range.clone()]);
        own.iter().any(|word| question.names.contains(word) && !TITLES.contains(&word.as_str()))
    };
    let mut before = unit.values.iter().filter(is_name).rev();
    let who = before.next().filter(|who| unit.text[who.range.end..deed].trim().is_empty())?;
    // "His place" is that of whoever is named first: of nobody else than is asked about.
    (!is_asked(who) && before.all(is_asked)).then(|| who.range.clone())
}

/// Whether a word of such a question is said by there being somebody who does it.
pub(super) fn says_stand_in(term: &Term) -> bool {
    !term.hard && ASKING.contains(&term.stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(question: &str, text: &str) -> Option<String> {
        let passages = [document("rules", "People", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let common = Commonness::new(&[], 1);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        let sure = all.iter().find(|one| one.sure)?;
        Some(units[sure.unit].text[sure.value.clone()?].to_owned())
    }

    #[test]
    fn who_takes_the_place_of_somebody_is_told_in_the_next_sentence() {
        let text = "Ann Reed runs the yard. When she is away, Ben Poe takes her place.";
        let ask = "Who stands in for Ann Reed?";
        assert_eq!(told(ask, text).as_deref(), Some("Ben Poe"));
        assert_eq!(told(ask, "Ben Poe stands in for Ann Reed.").as_deref(), Some("Ben Poe"));
        // Somebody else's place, and the other way round.
        assert_eq!(told("Who stands in for Cy Fox?", text), None);
        assert_eq!(told("Who stands in for Ben Poe?", text), None);
        let third =
            "Ann Reed runs the yard. When she is away, Cy Fox rows and Ben Poe takes his place.";
        assert_eq!(told(ask, third), None);
        assert_eq!(told("Who is Ann Reed's brother?", text), None);
    }
}
