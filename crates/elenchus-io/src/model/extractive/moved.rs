//! Moved: a later statement says of the very place or house that was chosen that it is so no more, and what is in its stead.
//!
//! "The club moved its store from Bell Yard to Quay House", "since May it has been at Quay House; until then it was at Bell Yard": that Bell
//! Yard stands elsewhere as well, without a word of this, makes it no less the old one.

use super::bind::Candidate;
use super::changes::beside;
use super::question::{Class, Expects, Question, Term};
use super::select::currency;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use elenchus_core::text::{is_stop_word, stem, words};
use std::ops::Range;

/// Stems of verbs by which something is elsewhere than before.
const MOVES: [&str; 8] =
    ["mov", "move", "transfer", "switch", "reloc", "relocat", "shift", "migrat"];
/// Words that may stand between what tells of before and the old one.
const BETWEEN: [&str; 17] = [
    "it", "they", "we", "was", "were", "had", "been", "stood", "the", "a", "an", "our", "its",
    "at", "in", "with", "to",
];
/// Words right before what is somewhere, or is where something is kept.
const LEADS: [&str; 8] = ["at", "in", "on", "to", "with", "near", "is", "the"];
/// Words of what is not decided, or not so.
const OPEN: [&str; 14] = [
    "not",
    "never",
    "if",
    "unless",
    "whether",
    "may",
    "might",
    "could",
    "would",
    "should",
    "proposed",
    "plans",
    "planned",
    "considered",
];

/// What has come in the place of the chosen one, by a statement that is not known to be older.
pub(super) fn moved_since(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let of_a_thing = matches!(
        question.expects,
        Expects::Place | Expects::Name | Expects::Organisation | Expects::Any
    );
    if !of_a_thing || question.period.is_some() || question.past || chosen.number.is_some() {
        return None;
    }
    let home = &units[chosen.unit];
    let old = words(&home.text.get(chosen.value.clone()?)?.to_lowercase());
    // The name itself: what stands first and is no figure.
    let name =
        old.iter().find(|word| word.chars().all(char::is_alphabetic) && !is_stop_word(word))?;
    all.iter().find_map(|other| {
        let unit = &units[other.unit];
        if other.unit == chosen.unit
            || !other.names_bound
            || unit.is_superseded()
            || unit.is_replaced
            || unit.is_note
            || currency(other, units) < currency(chosen, units)
        {
            return None;
        }
        let is_old = |value: &&Value| is_name(value) && is_of(unit.text, value, name, &old);
        let at = unit.values.iter().find(is_old)?;
        // "Since May" leaves nothing open.
        let is_open =
            unit.text.split(|c: char| !c.is_alphanumeric()).any(|word| OPEN.contains(&word));
        if is_open || !is_of_it(question, unit.text) {
            return None;
        }
        let new = new_one(other, unit, at)?;
        let kind = unit.values.iter().find(|value| value.range.end == new.end).map(|one| one.kind);
        Some(Candidate { value: Some(new), kind: kind.or(other.kind), ..beside(chosen, other) })
    })
}

/// Whether a text has each plain noun of a question, and the question any: a heading alone does not say what was moved.
fn is_of_it(question: &Question, text: &str) -> bool {
    let plain = |term: &&Term| term.class == Class::Noun && !term.light && !term.hard;
    let mut nouns = question.terms.iter().filter(plain).peekable();
    if nouns.peek().is_none() {
        return false;
    }
    let said: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
    nouns.all(|term| said.contains(&term.stem))
}

fn is_name(value: &Value) -> bool {
    matches!(value.kind, ValueKind::Name | ValueKind::Person)
}

/// Whether a value is the old one: it has its name, and nothing else.
fn is_of(text: &str, value: &Value, name: &str, old: &[String]) -> bool {
    let own = words(&text.get(value.range.clone()).unwrap_or_default().to_lowercase());
    own.iter().any(|word| word == name) && own.iter().all(|word| old.contains(word))
}

/// Bytes of what is in the stead of the old one, where the unit tells that as the one before.
fn new_one(other: &Candidate, unit: &EvidenceUnit<'_>, old: &Value) -> Option<Range<usize>> {
    let before = unit.text.get(..old.range.start)?;
    let lead = words(&before.to_lowercase());
    let figure = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let end = lead.iter().rposition(|word| !figure(word) && !BETWEEN.contains(&word.as_str()))?;
    let said: Vec<&str> = lead[..=end].iter().map(String::as_str).collect();
    let names = || unit.values.iter().filter(|value| is_name(value));
    let tells_before = matches!(
        said.as_slice(),
        [.., "until" | "till" | "before", "then" | "that" | "now"]
            | [.., "previously" | "formerly" | "used"]
            | [.., "no", "longer"]
            | [.., "instead", "of"]
    );
    if tells_before {
        let chosen = other.value.clone();
        let apart = |at: &Range<usize>| at.end <= old.range.start || old.range.end <= at.start;
        let at = chosen.filter(|at| apart(at) && names().any(|one| one.range.end == at.end));
        let placed = |at: &Range<usize>| {
            let start = with_number(unit.text, at.clone()).start;
            let lead = words(unit.text.get(..start).unwrap_or_default());
            apart(at) && lead.last().is_some_and(|word| LEADS.contains(&word.as_str()))
        };
        let first = || names().map(|one| one.range.clone()).find(placed);
        return Some(with_number(unit.text, at.or_else(first)?));
    }
    let moves = said.last() == Some(&"from")
        && said.iter().any(|word| MOVES.contains(&stem(word).as_str()));
    let behind = unit.text.get(old.range.end..)?;
    let to = old.range.end + behind.find(" to ").filter(|_| moves)? + " to ".len();
    let new = names().find(|one| to <= one.range.start)?;
    let between = unit.text.get(to..new.range.start)?;
    // "To a shed behind Quay House" names another thing.
    let is_next = words(between)
        .iter()
        .all(|word| figure(word) || BETWEEN.contains(&word.to_lowercase().as_str()));
    is_next.then(|| with_number(unit.text, new.range.clone()))
}

/// A place with the number that stands right before it: "3 Quay Street".
fn with_number(text: &str, at: Range<usize>) -> Range<usize> {
    let before = text.get(..at.start).unwrap_or_default();
    let Some(lead) = before.strip_suffix(' ') else { return at };
    let from = lead.rfind(' ').map_or(0, |cut| cut + 1);
    let number = &lead[from..];
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_alphanumeric());
    if is_number { from..at.end } else { at }
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn now(question: &str, old: (&str, &str), new: &str) -> Option<String> {
        let (text, value) = old;
        let passages = [document("guide", "Store", text), document("news", "Store", new)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &Commonness::new(&[], 2));
        let chosen = all.iter().find(|one| units[one.unit].text == text)?;
        let at = text.find(value)?;
        let chosen = Candidate { value: Some(at..at + value.len()), ..chosen.clone() };
        let found = moved_since(&question, &chosen, &all, &units)?;
        Some(units[found.unit].text[found.value?].to_owned())
    }

    #[test]
    fn what_came_in_its_place_is_told() {
        let old = ("The store is at 9 Bell Yard.", "9 Bell Yard");
        let asked = "Where is the store?";
        for new in [
            "The club moved its store from 9 Bell Yard to Quay House.",
            "The store was transferred from Bell Yard to Quay House.",
            "The store has been at Quay House since May; until then it was at 9 Bell Yard.",
            "The store is at Quay House, previously at Bell Yard.",
            "The store is at Quay House and no longer at Bell Yard.",
            "The store is at Quay House instead of 9 Bell Yard.",
        ] {
            assert_eq!(now(asked, old, new).as_deref(), Some("Quay House"), "{new}");
        }
        let numbered = "The store moved from 9 Bell Yard to 3 Quay Street.";
        assert_eq!(now(asked, old, numbered).as_deref(), Some("3 Quay Street"));
    }

    #[test]
    fn a_plan_another_thing_and_another_place_take_nothing_back() {
        let old = ("The store is at 9 Bell Yard.", "9 Bell Yard");
        let asked = "Where is the store?";
        for new in [
            "The club may move its store from Bell Yard to Quay House.",
            "The workshop moved from Bell Yard to Quay House.",
            "The store is open from Bell Yard to Quay House.",
            "The store moved from Mill Yard to Quay House.",
            "The store at Bell Yard has a new door from Quay House.",
            "The bus passes the store on its way from Bell Yard to Quay House.",
        ] {
            assert_eq!(now(asked, old, new), None, "{new}");
        }
        let of_the_club = ("The store of the club is at 9 Bell Yard.", "9 Bell Yard");
        let flagpole = "The club moved its flagpole from Bell Yard to Quay House.";
        assert_eq!(now("Where is the store of the club?", of_the_club, flagpole), None);
        let moved = "The club moved its store from Bell Yard to Quay House.";
        assert_eq!(now("Where was the store before that?", old, moved), None);
    }
}
