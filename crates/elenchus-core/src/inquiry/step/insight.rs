//! Insights: what a model marked and what code finds is held to rules, and its novelty is counted.

use super::{count, observe_failure};
use crate::answer::Answer;
use crate::id::{FactId, InsightId, PassageId};
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect, FailureKind, Outcome, StopReason};
use crate::prompt::{Draft, Fact, InsightKind, ProposedInsight, ThoughtStep};
use crate::synthesis::insight::{
    Around, Candidate, Insight, Material, Ruling, Support, Tension, WordedBy, candidates, judge,
    subjects,
};
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Insights that an answer tells.
const TOLD: usize = 5;
/// Insights of one kind that code found alone.
const COUNTED: usize = 2;
/// Sources whose meetings are counted.
const SUBJECTS: usize = 24;

/// What a draft holds for insights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Turn {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    proposed: Vec<ProposedInsight>,
    #[serde(default)]
    had: bool,
}

impl Turn {
    pub(crate) fn of(draft: &Draft) -> Self {
        Self { proposed: draft.insights.clone(), had: false }
    }
}

/// Keeps what the model thought while it drafted, as its words.
pub(crate) fn thought(state: &mut State, steps: &[ThoughtStep]) {
    for step in steps {
        let related: Vec<String> = step
            .facts
            .iter()
            .filter(|id| fact(state, id).is_some())
            .map(|id| id.as_str().to_owned())
            .collect();
        let said =
            format!("the model, {}: \u{201C}{}\u{201D}", step.step.name(), squeeze(&step.text));
        state.think(said, related);
    }
}

fn fact<'a>(state: &'a State, id: &FactId) -> Option<&'a Fact> {
    state.facts.iter().find(|fact| fact.id == *id)
}

/// Asks how often the sources of candidates meet, where there are candidates. Otherwise the answer goes on.
pub(crate) fn request(state: &mut State, answer: Answer) -> Option<Answer> {
    if state.insights.had {
        return Some(answer);
    }
    state.insights.had = true;
    let stopped = matches!(
        state.stop,
        Some(StopReason::Interrupted | StopReason::Failed | StopReason::FinishNow)
    );
    if stopped || answer.claims.is_empty() {
        return Some(answer);
    }
    let found = gathered(state, &answer);
    if found.is_empty() {
        if state.options().insights {
            let content = format!(
                "nothing stands out in {} from {}",
                count(answer.evidence.len(), "quote"),
                count(answer.sources.len(), "document")
            );
            state.think(content, vec![]);
        }
        return Some(answer);
    }
    let subjects = subjects(&found, SUBJECTS);
    let marked = found.iter().filter(|one| one.worded_by == WordedBy::Model).count();
    let reasoning = format!(
        "{} marked by the model and {} found by code are insights only if their sources seldom meet",
        count(marked, "candidate"),
        found.len() - marked
    );
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name.as_str()).collect();
    let parameters = json!({ "sources": names });
    let corpus = state.opened.corpus.name.clone();
    state.phase = Phase::Insights;
    state.request(
        Effect::Meetings { subjects, corpus },
        "count where these sources meet".to_owned(),
        parameters,
        reasoning,
    );
    state.composed = Some(answer);
    None
}

/// The candidates: of the model where their facts exist, then those of the code where it was asked.
fn gathered(state: &State, answer: &Answer) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for proposed in &state.insights.proposed {
        let mut seen = BTreeSet::new();
        let supporting: Vec<Support> = proposed
            .facts
            .iter()
            .filter(|id| seen.insert((*id).clone()))
            .filter_map(|id| {
                let fact = fact(state, id)?;
                let read = state.passages.get(&fact.proposed.passage_id)?;
                Support::of(read, fact.proposed.span, Some(id.clone()))
            })
            .collect();
        // One that names a fact that does not exist is not what the model saw.
        if supporting.len() == seen.len() && !supporting.is_empty() {
            found.push(Candidate {
                kind: proposed.kind,
                text: squeeze(&proposed.text),
                worded_by: WordedBy::Model,
                supporting,
            });
        }
    }
    if state.options().insights {
        let passages = state.reading_order.iter().filter_map(|id| state.passages.get(id)).collect();
        let counted = candidates(&Material {
            answer,
            questions: &state.plan.questions,
            passages,
            knows_series: state.follows(Derivations::FOURTH),
        });
        for one in counted {
            // What the model saw already is not told twice.
            let told = found.iter().any(|known| {
                known.kind == one.kind
                    && known.supporting.len() == one.supporting.len()
                    && one.supporting.iter().all(|part| known.supporting.contains(part))
            });
            if !told {
                found.push(one);
            }
        }
    }
    found
}

/// The contradictions that the answer shows.
fn tensions(state: &State, answer: &Answer) -> Vec<Tension> {
    let about = |id: u32| {
        let asked = state.plan.questions.iter().find(|question| question.id == id);
        asked.map_or_else(String::new, |asked| format!("\u{201C}{}\u{201D}", squeeze(&asked.text)))
    };
    let mut all: Vec<Tension> = Vec::new();
    for note in &answer.conflicts {
        let side = |id: &crate::id::ClaimId| -> BTreeSet<PassageId> {
            let claim = answer.claims.iter().find(|claim| claim.id == *id);
            claim
                .into_iter()
                .flat_map(|claim| &claim.evidence)
                .filter_map(|at| answer.evidence.get(*at))
                .map(|evidence| evidence.passage_id.clone())
                .collect()
        };
        all.push(Tension {
            about: about(note.question_id),
            sides: note.claims.iter().map(side).collect(),
        });
    }
    for one in &answer.disagreements {
        let sides =
            one.sides.iter().map(|side| BTreeSet::from([side.passage_id.clone()])).collect();
        all.push(Tension { about: about(one.question_id), sides });
    }
    all
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "how new the candidates are is not known, so none is told";
    let Some(mut answer) = state.composed.take() else { return };
    for settled in batch {
        let id = settled.id;
        let counted = match (settled.effect, settled.outcome) {
            (Effect::Meetings { subjects, .. }, Outcome::Met { corpus, runs }) => {
                Ok((subjects, corpus, runs))
            }
            (_, Outcome::Failed { kind: FailureKind::Deadline, error, .. }) => {
                Err(format!("{error} (deadline passed)"))
            }
            (_, Outcome::Failed { error, .. }) => Err(error),
            _ => Err("the driver answered a count with something else".to_owned()),
        };
        let (subjects, corpus, runs) = match counted {
            Ok(counted) => counted,
            Err(error) => {
                observe_failure(state, id, error, INSTEAD);
                continue;
            }
        };
        let tensions = tensions(state, &answer);
        let around =
            Around { subjects: &subjects, corpus: &corpus, runs: &runs, tensions: &tensions };
        let found = gathered(state, &answer);
        let proposed = found.len();
        let mut held: Vec<(Candidate, Ruling)> = Vec::new();
        let mut refused: Vec<String> = Vec::new();
        for candidate in found {
            match judge(&candidate, &around) {
                Ok(ruling) => held.push((candidate, ruling)),
                Err(why) => refused.push(format!("{}: {why}", candidate.kind.name())),
            }
        }
        // The most novel first; of equals in the order in which they were named.
        held.sort_by(|a, b| b.1.explained.value.total_cmp(&a.1.explained.value));
        // What counting finds comes in numbers; a few of each kind are enough.
        let mut counted: BTreeMap<InsightKind, usize> = BTreeMap::new();
        held.retain(|(candidate, _)| {
            let of_kind = counted.entry(candidate.kind).or_default();
            *of_kind += usize::from(candidate.worded_by == WordedBy::Program);
            candidate.worded_by == WordedBy::Model || *of_kind <= COUNTED
        });
        held.truncate(TOLD);
        let result =
            format!("{} of {} held to be insights", held.len(), count(proposed, "candidate"));
        let analysis = format!(
            "counted in {} and {}",
            count(corpus.pool as usize, "document"),
            count(runs.pool as usize, "past run")
        );
        state.observe(id, result, analysis, refused);
        answer.insights = held
            .into_iter()
            .zip(1..)
            .map(|((candidate, ruling), number)| Insight {
                id: InsightId(format!("i{number}")),
                kind: candidate.kind,
                description: candidate.text,
                worded_by: candidate.worded_by,
                rule: ruling.why,
                supporting: candidate.supporting,
                novelty: ruling.explained.value,
                explained: ruling.explained,
                feedback: None,
            })
            .collect();
        for insight in &answer.insights {
            state.emit(TraceEvent::InsightDetected { insight: Box::new(insight.clone()) });
            state.reasoning.push(state.seq);
        }
    }
    super::aftermath::next(state, answer);
}
