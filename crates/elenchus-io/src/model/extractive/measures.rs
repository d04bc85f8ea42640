//! Measures: what was changed after something happened, where the document about it lists that under a heading of its own.
//!
//! No line of such a list names what happened again: its document does, by its title.

use super::bind::Candidate;
use super::matching::Matcher;
use super::periods::periods;
use super::question::{Question, Term};
use super::unit::{EvidenceUnit, Word, called};
use crate::ingest::UnitKind;
use elenchus_core::text::{is_stop_word, stem, words};
use regex::Regex;
use std::sync::LazyLock;

/// Most lines of a list.
const MOST: usize = 12;
/// Fewest of them, and fewest words that name what happened.
const FEWEST: usize = 2;
/// Share of the words for what happened that the name of the document has, and the likeness from which it has one.
const SHARE: f64 = 0.6;
const NAMED: f64 = 0.7;
/// The probability that a line of such a list answers.
const LIKELY: f64 = 0.75;
/// Stems of headings over what was changed or is going to be.
const HEADINGS: [&str; 9] =
    ["action", "measur", "chang", "improv", "remedi", "correct", "consequ", "decid", "prevent"];
/// What a line says that came to nothing.
const GIVEN_UP: [&str; 5] = ["dropped", "rejected", "not done", "given up", "withdrawn"];

static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^what (?:did|have|has|had|was|were) (?:\w+ ){0,3}?(?:change|changed|improve|improved|put in place)(?: (?:or|and) (?:\w+ ){0,4}?\w+)? (?:after|following|since|in response to|as a result of|because of) (?P<what>.+?)\??$",
    )
    .expect("the pattern is a constant that a test uses")
});

/// What happened, where a question asks what was changed after it.
pub(super) fn asked(question: &str) -> Option<&str> {
    Some(AFTER.captures(question.trim())?.name("what")?.as_str())
}

/// The lines of the list of what was changed after what the question names; `None` where no document has one.
pub(super) fn measures(
    question: &Question,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Option<Vec<Candidate>> {
    let named = words(asked(&question.text)?);
    let what: Vec<&Term> = question
        .terms
        .iter()
        .filter(|term| !is_stop_word(&term.word) && named.contains(&term.word))
        .collect();
    if what.len() < FEWEST {
        return None;
    }
    let mut found: Vec<&Candidate> = all
        .iter()
        .filter(|one| {
            let unit = &units[one.unit];
            matches!(unit.kind, UnitKind::Row | UnitKind::Item)
                && !unit.is_note
                && !unit.is_superseded()
                && is_listed(unit)
                && is_after(question, &what, unit, matcher)
        })
        .collect();
    found.sort_by_key(|one| {
        let unit = &units[one.unit];
        (unit.read.source.path.as_str(), unit.read.passage.span.start, unit.ordinal)
    });
    found.truncate(MOST);
    let told = found.into_iter().map(|one| Candidate {
        value: None,
        kind: None,
        number: None,
        polarity: None,
        accepted: true,
        weighed: Some(LIKELY),
        ..one.clone()
    });
    let told: Vec<Candidate> = told.collect();
    (told.len() >= FEWEST).then_some(told)
}

/// Whether a line stands under a heading for what was changed, and came to something.
fn is_listed(unit: &EvidenceUnit<'_>) -> bool {
    let heading = unit.read.passage.heading_path.last().map_or("", String::as_str);
    let over = words(heading).iter().any(|word| HEADINGS.contains(&stem(word).as_str()));
    let lower = unit.text.to_lowercase();
    over && !GIVEN_UP.iter().any(|said| lower.contains(said))
}

/// Whether the document of a unit is about what happened, by its name, and of the time that is asked about.
fn is_after(
    question: &Question,
    what: &[&Term],
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> bool {
    let source = &unit.read.source;
    let name: Vec<Word> = called(source).into_iter().map(Word::of_title).collect();
    let is_named = |term: &Term| name.iter().any(|word| matcher.likeness(term, word) >= NAMED);
    let bound = what.iter().filter(|term| is_named(term)).count() as f64;
    let of_the_time = question.period.is_none_or(|asked| {
        let titled = periods(&source.title).into_iter().map(|period| period.value);
        titled.chain(source.date.as_ref().map(|date| date.value)).any(|own| asked.contains(own))
    });
    of_the_time
        && what.iter().all(|term| !term.hard || is_named(term))
        && bound / what.len() as f64 >= SHARE
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const LIST: &str = "- Lamps are checked every week.\n- The ladder has a second lock.\n- A new \
                        ladder: dropped, too dear.";

    fn told(question: &str, name: &str, heading: &str) -> Vec<String> {
        let passages = [document(name, heading, LIST)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        chosen.iter().map(|one| units[one.unit].text.to_owned()).collect()
    }

    #[test]
    fn the_list_of_the_document_on_what_happened_is_told_whole() {
        let asked = "What did we change after the lighthouse ladder fell?";
        let said = told(asked, "the lighthouse ladder that fell", "What we changed");
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("every week") && said[1].contains("second lock"));
        assert!(told(asked, "the lighthouse ladder that fell", "What happened").len() < 2);
        assert!(told(asked, "the harbour crane", "What we changed").len() < 2);
    }

    #[test]
    fn what_happened_is_what_follows_after() {
        let twice = "What did we change or decide to change after cards were charged twice?";
        assert_eq!(asked(twice), Some("cards were charged twice"));
        assert_eq!(asked("What was changed following the fire?"), Some("the fire"));
        assert_eq!(asked("What did we do after lunch?"), None);
        assert_eq!(asked("What changed after version 2?"), None);
    }
}
