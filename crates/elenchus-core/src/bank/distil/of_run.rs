//! What a run says of itself, read off its view.

use super::{FallacyFacts, GapFacts, HypothesisFacts, QueryFacts, RecalledFacts, SessionFacts};
use crate::bank::Outcome;
use crate::belief::HypothesisStatus;
use crate::inquiry::StopReason;
use crate::inquiry::gap::{Gap, GapStatus};
use crate::port::TermCount;
use crate::prompt::FactRole;
use crate::scrutiny::fallacy::CATALOG;
use crate::text::{content_set, stem};
use crate::trace::RunView;

impl SessionFacts {
    /// The facts of a finished run; of one that failed or was interrupted there is nothing to learn.
    pub fn of(view: RunView<'_>) -> Option<Self> {
        let answer = view.answer()?;
        if matches!(answer.stop_reason, StopReason::Failed | StopReason::Interrupted) {
            return None;
        }
        let outcome = match answer.stop_reason {
            StopReason::Answered | StopReason::HypothesisConfirmed => Some(Outcome::Success),
            // It went on for its explanations when everything was answered.
            StopReason::ContradictionsStable if view.gaps().abandoned().next().is_none() => {
                Some(Outcome::Success)
            }
            _ if answer.claims.is_empty() => Some(Outcome::Failure),
            _ => None,
        };
        Some(Self {
            session_id: view.run_id().0.clone(),
            question: view.question().to_owned(),
            outcome,
            stop_reason: answer.stop_reason.sentence().to_owned(),
            documents: view.corpus().fingerprint.clone(),
            read: read(view),
            gaps: view.gaps().gaps().iter().map(|gap| of_gap(view, gap)).collect(),
            hypotheses: view
                .hypotheses()
                .iter()
                .map(|hypothesis| HypothesisFacts {
                    claim: hypothesis.claim.clone(),
                    prior: hypothesis.prior,
                    confidence: hypothesis.confidence,
                    refuted: hypothesis.status == HypothesisStatus::Refuted,
                    confirmed: hypothesis.status == HypothesisStatus::Confirmed,
                    queries_against: hypothesis
                        .tests
                        .iter()
                        .filter(|test| !test.evidence_against.is_empty())
                        .flat_map(|test| test.queries.clone())
                        .collect(),
                })
                .collect(),
            fallacies: fallacies(view),
            recalled: view
                .recalled()
                .lessons
                .iter()
                .map(|lesson| RecalledFacts {
                    id: lesson.id.clone(),
                    title: lesson.title.clone(),
                    content: lesson.content.clone(),
                    used: view
                        .credits()
                        .iter()
                        .any(|credit| credit.memory_id == lesson.id && credit.used),
                })
                .collect(),
            // A gap's name and a search may repeat what a page says.
            from_web: answer.web.as_ref().is_some_and(|web| web.read + web.kept > 0),
        })
    }
}

fn of_gap(view: RunView<'_>, gap: &Gap) -> GapFacts {
    let asked = |id: &u32| gap.related_question_ids.contains(id);
    let answers: Vec<_> = view
        .facts()
        .iter()
        .filter(|fact| asked(&fact.proposed.question_id) && fact.proposed.role == FactRole::Answer)
        .filter_map(|fact| view.found_by(&fact.proposed.passage_id))
        .collect();
    GapFacts {
        description: gap.description.clone(),
        severity: gap.severity,
        status: gap.status,
        reason: gap.reason,
        expects: view
            .plan()
            .questions
            .iter()
            .find(|question| asked(&question.id))
            .and_then(|question| question.expects.clone()),
        queries: gap
            .previous_queries
            .iter()
            .map(|tried| QueryFacts {
                query: tried.query.clone(),
                strategy: tried.strategy,
                new_passages: view.found_with(&tried.query),
                closed: gap.status == GapStatus::Resolved
                    && answers.contains(&tried.query.as_str()),
            })
            .collect(),
        near: view.answer().is_some_and(|answer| {
            let mut missing = answer.could_not_establish.iter();
            missing.any(|one| one.gap_id == gap.id && !one.nearest.is_empty())
        }),
        foreign: is_foreign(&gap.description, &view.terms()),
    }
}

/// Whether every content word of a text was looked for and stands nowhere. A word that nobody counted may stand anywhere.
fn is_foreign(text: &str, counted: &[TermCount]) -> bool {
    let nowhere = |wanted: &String| {
        let mut found = counted.iter().filter(|term| stem(&term.term) == *wanted).peekable();
        found.peek().is_some() && found.all(|term| term.passages == 0)
    };
    let wanted = content_set(text);
    !wanted.is_empty() && wanted.iter().all(nowhere)
}

/// The documents that were read, each once.
fn read(view: RunView<'_>) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for passage in view.passages() {
        if !paths.contains(&passage.source.path) {
            paths.push(passage.source.path);
        }
    }
    paths
}

/// Fallacies that the run's own explanations were worded with, by kind.
fn fallacies(view: RunView<'_>) -> Vec<FallacyFacts> {
    let mut all: Vec<FallacyFacts> = Vec::new();
    for name in view.hypotheses().into_iter().flat_map(|hypothesis| hypothesis.fallacy_warnings) {
        if let Some(known) = all.iter_mut().find(|known| known.name == name) {
            known.count += 1;
            continue;
        }
        let known = CATALOG.iter().find(|fallacy| fallacy.name == name);
        let counter_question = known.map(|one| one.question.to_owned()).unwrap_or_default();
        all.push(FallacyFacts { name, counter_question, count: 1, own: true });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_stand_nowhere_are_told_from_words_that_nobody_counted() {
        let counted = |terms: &[(&str, u32)]| -> Vec<TermCount> {
            let term = |(term, passages): &(&str, u32)| TermCount {
                term: (*term).to_owned(),
                passages: *passages,
            };
            terms.iter().map(term).collect()
        };
        let none = counted(&[("vroomf", 0), ("plonk", 0), ("kiln", 3)]);
        assert!(is_foreign("vroomf plonk?", &none));
        assert!(
            !is_foreign("vroomf of the kilns", &none),
            "an inflection of a word that stands there"
        );
        assert!(!is_foreign("vroomf glaze", &none), "nobody looked for the glaze");
        assert!(!is_foreign("What is it?", &none) && !is_foreign("vroomf", &[]));
    }
}
