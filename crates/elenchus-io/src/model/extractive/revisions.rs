//! Revisions: what a document itself says of how it came to be the version it is: "Until version 2 the limit was 40".

use super::bind::{self, Candidate};
use super::editions::{VERSIONS, asked};
use super::matching::Matcher;
use super::question::{Question, Term};
use super::unit::{EvidenceUnit, called};
use crate::ingest::UnitKind;
use elenchus_core::text::{stem, words};
use std::collections::BTreeSet;

/// Most statements that are quoted.
const MOST: usize = 6;
/// Fewest words of a statement.
const SHORTEST: usize = 4;
/// Strength from which a word of the matter binds, and the share of its words that have to.
const BINDS: f64 = 0.6;
const SHARE: f64 = 0.5;
/// What stands before a version since which, and before one until which something is so.
const SINCE: [&str; 5] = ["since", "with", "from", "new", "changed"];
const UNTIL: [&str; 4] = ["until", "till", "before", "to"];

/// What is said of the change that a version brought, where the question names one: statements that name it as the one since when,
/// or the one before it, each of what was until then with the sentence before it, which says what is now.
pub(super) fn revisions<'a>(
    question: &Question,
    terms: &[&Term],
    all: &'a [Candidate],
    units: &[EvidenceUnit<'_>],
    matcher: &Matcher,
) -> Vec<&'a Candidate> {
    let Some(version) = asked(&question.text).filter(|version| *version > 0) else {
        return Vec::new();
    };
    let mut found: Vec<&'a Candidate> = Vec::new();
    for candidate in all {
        let unit = &units[candidate.unit];
        let long = unit.text.split_whitespace().count() >= SHORTEST;
        let Some(until) = tells_of(unit.text, version).filter(|_| long && !unit.is_note) else {
            continue;
        };
        if !is_of(terms, version, unit, matcher) {
            continue;
        }
        let before = all.iter().filter(|_| until).find(|other| {
            let other = &units[other.unit];
            other.kind == UnitKind::Sentence
                && other.read.passage.id == unit.read.passage.id
                && other.ordinal + 1 == unit.ordinal
        });
        for one in before.into_iter().chain([candidate]) {
            if found.iter().all(|told| told.unit != one.unit) {
                found.push(one);
            }
        }
    }
    found.sort_by_key(|one| {
        let unit = &units[one.unit];
        (unit.read.source.path.as_str(), unit.read.passage.span.start, unit.ordinal)
    });
    found.truncate(MOST);
    found
}

/// Whether a text tells of the change to a version, and then whether it tells what was until that.
fn tells_of(text: &str, version: u32) -> Option<bool> {
    let all = words(text);
    let named = |number: u32| {
        let number = number.to_string();
        all.windows(2)
            .position(|pair| VERSIONS.contains(&pair[0].as_str()) && pair[1] == number)
            .map(|at| all.get(at.wrapping_sub(1)).map_or("", String::as_str))
    };
    let of_before = version.checked_sub(1).and_then(named);
    let of_it = named(version).filter(|lead| SINCE.contains(lead));
    match (of_before, of_it) {
        (Some(lead), _) => Some(UNTIL.contains(&lead)),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

/// Whether a unit is about the matter of a question: half of the words that neither say which version nor name the document.
fn is_of(terms: &[&Term], version: u32, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    let titled: BTreeSet<String> =
        called(&unit.read.source).iter().map(|word| stem(word)).collect();
    let number = version.to_string();
    let mut own = terms
        .iter()
        .filter(|term| !VERSIONS.contains(&term.word.as_str()) && term.word != number)
        .peekable();
    // Of a document that the question names in no way nothing is told.
    if own.peek().is_none() {
        return false;
    }
    let (in_title, matter): (Vec<&Term>, Vec<&Term>) =
        own.copied().partition(|term| titled.contains(&term.stem));
    let bound =
        matter.iter().filter(|term| bind::strength(term, unit, matcher) >= BINDS).count() as f64;
    if matter.is_empty() {
        return !in_title.is_empty();
    }
    bound > 0.0 && bound / matter.len() as f64 >= SHARE
}

#[cfg(test)]
mod tests {
    use super::super::matching::Commonness;
    use super::super::select::select;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const RULES: &str = "Version 3, in force from 1 May. Boats may lie here for ten nights. Until \
                         version 2 it was fourteen nights. Dogs are welcome on the quay.";

    fn told(question: &str) -> Vec<String> {
        let passages = [document("harbour rules", "Nights of boats", RULES)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let chosen = select(&question, &units, &Matcher::new(), &Commonness::new(&[], 3)).answers;
        chosen.iter().map(|one| units[one.unit].text.to_owned()).collect()
    }

    #[test]
    fn a_document_tells_what_was_until_its_version_and_what_is_now() {
        let said = told("What changed in the nights of boats with version 3 of the harbour rules?");
        assert!(said.iter().any(|text| text.contains("fourteen nights")), "{said:?}");
        assert!(said.iter().any(|text| text.contains("ten nights")), "{said:?}");
        assert!(!said.iter().any(|text| text.contains("Dogs")), "{said:?}");
    }

    #[test]
    fn what_names_the_version_before_tells_of_the_change() {
        assert_eq!(tells_of("Until version 2 it was fourteen.", 3), Some(true));
        assert_eq!(tells_of("Change against version 2: nights shortened.", 3), Some(false));
        assert_eq!(tells_of("Since version 3 it is ten.", 3), Some(false));
        assert_eq!(tells_of("This is version 3 of the rules.", 3), None);
        assert_eq!(tells_of("Until version 1 it was twenty.", 3), None);
    }
}
