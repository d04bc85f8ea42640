//! Whether a document says that what a question asks for is not to be had.

use super::bind::{Candidate, bind};
use super::lexicon::says_unavailable;
use super::matching::{Commonness, Matcher};
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use elenchus_core::text::words;

/// Share of the meaning-bearing words that must be bound.
const COVERAGE: f64 = 0.6;

/// The first unit that says of what is asked that it is not to be had. A sentence that says so of something else leaves the
/// gap open: then it is searched for, and given up for the reason that the search gives.
pub(super) fn unavailable<'u, 'p>(
    question: &Question,
    units: &'u [EvidenceUnit<'p>],
    matcher: &Matcher,
    common: &Commonness,
) -> Option<&'u EvidenceUnit<'p>> {
    // That one figure is not to be had says nothing against what else there is on a topic.
    if question.overview.is_some() {
        return None;
    }
    let found = units.iter().enumerate().find(|(at, unit)| {
        let lower = unit.text.to_lowercase();
        says_unavailable(&lower)
            && could_be_meant(question, &lower)
            && names_what_is_asked(question, &bind(question, *at, unit, matcher, common))
    });
    found.map(|(_, unit)| unit)
}

/// Whether what is not to be had can be what is asked for at all.
fn could_be_meant(question: &Question, lower: &str) -> bool {
    match question.expects {
        // "It is not available" is an answer to whether it is; only "it is not known whether" leaves that open.
        Expects::YesNo => words(lower).iter().any(|word| word == "whether"),
        Expects::Date
        | Expects::Person
        | Expects::Agent
        | Expects::Organisation
        | Expects::Name
        | Expects::Place
        | Expects::Reason
        | Expects::List => !lower.contains("no figure"),
        Expects::Money
        | Expects::Percent
        | Expects::Duration
        | Expects::Count
        | Expects::Extent
        | Expects::Quantity
        | Expects::Any => true,
    }
}

/// Whether a unit speaks of the matter: of what the question names, at least half is called there as the question calls
/// it, and not something that is like it.
fn names_what_is_asked(question: &Question, candidate: &Candidate) -> bool {
    let named = question.terms.iter().filter(|term| !term.light).count();
    let exact = candidate.features.exact;
    candidate.names_bound
        && candidate.coverage >= COVERAGE
        && exact >= 1.0
        && exact * 2.0 >= named as f64
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    /// Whether a document with this sentence ends the search for an answer to this question.
    fn ends(question: &str, sentence: &str) -> bool {
        let passages = [document("minutes", "Notes of the harbour office", sentence)];
        let units = evidence_units(&passages);
        let common = Commonness::new(&[], 10);
        unavailable(&Question::parse(question, &[]), &units, &Matcher::new(), &common).is_some()
    }

    #[test]
    fn what_is_asked_for_is_not_to_be_had() {
        let told = "The cost of the repair of the crane was not disclosed.";
        assert!(ends("How much did the repair of the crane cost?", told));
        let open = "It is not known whether the crane of the harbour was repaired.";
        assert!(ends("Was the crane of the harbour repaired?", open));
    }

    #[test]
    fn something_else_is_not_to_be_had() {
        let told = "The managing director said that no figure would be given.";
        // A doubt that is looked into is no figure that somebody keeps back.
        assert!(!ends("Is there a later report?", told));
        assert!(!ends(
            "Who repaired the crane?",
            "No figure was given for the repair of the crane."
        ));
        // Whether it is to be had is what was asked, and this is the answer.
        assert!(!ends("Is the crane available?", "The crane is not available."));
        let crane = "The cost of the repair of the crane is unknown.";
        assert!(!ends("How much did the birthday party cost?", crane));
    }
}
