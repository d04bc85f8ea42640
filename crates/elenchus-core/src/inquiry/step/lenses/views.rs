//! One call a lens, all in one batch: none knows of the others.

use super::super::{count, observe_failure, reply};
use crate::answer::Answer;
use crate::belief::Verdict;
use crate::id::{FactId, PointId};
use crate::inquiry::Effect;
use crate::inquiry::state::{Settled, State};
use crate::pack::Lens;
use crate::port::ModelRole;
use crate::prompt::perspectives::MOST_POINTS;
use crate::prompt::{
    LensBrief, ModelCall, ModelReply, PerspectiveInput, ProposedPoint, StatementBrief,
};
use crate::synthesis::perspectives::{Perspectives, Point, PointQuote, View};
use crate::text::{squeeze, words};
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::BTreeSet;

pub(super) fn request(state: &mut State, answer: &Answer, lenses: &[&'static Lens]) {
    let facts = state.facts.clone();
    let mut used: Vec<_> = facts.iter().map(|fact| fact.proposed.passage_id.clone()).collect();
    used.sort();
    used.dedup();
    let passages: Vec<_> = used.iter().filter_map(|id| state.passages.get(id)).cloned().collect();
    let claims: Vec<StatementBrief> = answer
        .claims
        .iter()
        .map(|claim| StatementBrief { id: claim.id.clone(), text: claim.text.clone() })
        .collect();
    let about = squeeze(&state.opened.question);
    for lens in lenses {
        let input = PerspectiveInput {
            question: state.opened.question.clone(),
            lens: LensBrief::of(lens),
            facts: facts.clone(),
            passages: passages.clone(),
            claims: claims.clone(),
            framing: state.framing(),
        };
        state.request(
            Effect::Model {
                role: ModelRole::Strong,
                call: Box::new(ModelCall::Perspective(input)),
            },
            format!("look at the evidence through the {} lens", lens.id),
            json!({ "lens": lens.id, "facts": facts.len() }),
            format!(
                "{} about \"{about}\" may look different to others",
                count(facts.len(), "checked quote")
            ),
        );
    }
}

/// Takes what each lens saw. Points are numbered over all lenses, in the order in which those were asked for.
pub(super) fn settle(state: &mut State, mut answer: Answer, batch: Vec<Settled>) -> Answer {
    let mut perspectives = Perspectives::default();
    let mut next = 1;
    for settled in batch {
        let Effect::Model { call, .. } = &settled.effect else { continue };
        let ModelCall::Perspective(input) = call.as_ref() else { continue };
        let (id, lens) = (settled.id, input.lens.clone());
        let instead = format!("the {} lens is left out", lens.id);
        let replied = match reply(settled) {
            Ok(ModelReply::Perspective(found)) => Ok(found),
            Ok(_) => Err("the reply was to another prompt".to_owned()),
            Err(error) => Err(error),
        };
        let mut view = View {
            lens: lens.id,
            name: lens.name,
            stance: lens.stance,
            failed: None,
            points: vec![],
            would_change: None,
            facts: vec![],
            evidence_share: 0.0,
        };
        let mut dropped = 0;
        match replied {
            Err(error) => {
                view.failed = Some(error.clone());
                observe_failure(state, id, error, &instead);
            }
            Ok(found) => {
                let proposed = found.points.len();
                view.points = points(state, found.points, &mut next);
                dropped = proposed - view.points.len();
                let would_change = squeeze(&found.would_change);
                view.would_change = Some(would_change).filter(|text| !words(text).is_empty());
                let rests_on: BTreeSet<&FactId> =
                    view.points.iter().flat_map(Point::facts).collect();
                view.facts = state
                    .facts
                    .iter()
                    .map(|fact| &fact.id)
                    .filter(|fact| rests_on.contains(fact))
                    .cloned()
                    .collect();
                view.evidence_share = view.facts.len() as f64 / state.facts.len().max(1) as f64;
                let lost = if dropped == 0 {
                    vec![]
                } else {
                    vec![format!(
                        "{} dropped: without words, twice, or on no quote of this run",
                        count(dropped, "point")
                    )]
                };
                state.observe(
                    id,
                    format!(
                        "{} on {} of {}",
                        count(view.points.len(), "point"),
                        view.facts.len(),
                        count(state.facts.len(), "quote")
                    ),
                    format!("what the {} lens sees, in the model's words", view.lens),
                    lost,
                );
            }
        }
        state.emit(TraceEvent::PerspectiveCompleted {
            lens: view.lens.clone(),
            points: view.points.len() as u32,
            dropped: dropped as u32,
            facts: view.facts.clone(),
            evidence_share: view.evidence_share,
            failed: view.failed.clone(),
        });
        state.reasoning.push(state.seq);
        perspectives.views.push(view);
    }
    answer.perspectives = Some(perspectives);
    answer
}

/// The points that say something and rest on quotes of this run. Whatever read the reply, ids that do not exist
/// change nothing.
fn points(state: &State, proposed: Vec<ProposedPoint>, next: &mut u32) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in proposed {
        let statement = squeeze(&point.statement);
        let said = words(&statement);
        let quotes = quotes(state, &point.facts);
        let repeats = kept.iter().any(|known| words(&known.statement) == said);
        if said.is_empty() || quotes.is_empty() || repeats || kept.len() == MOST_POINTS {
            continue;
        }
        kept.push(Point {
            id: PointId(format!("v{next}")),
            statement,
            stance: point.stance,
            quotes,
            verdict: Verdict::Unchecked { reason: "it was not held against its quotes".to_owned() },
            reasoning: String::new(),
        });
        *next += 1;
    }
    kept
}

/// The quotes of these facts, each once, in the order in which the run found them.
fn quotes(state: &State, facts: &[FactId]) -> Vec<PointQuote> {
    state
        .facts
        .iter()
        .filter(|fact| facts.contains(&fact.id))
        .filter_map(|fact| {
            let read = state.passages.get(&fact.proposed.passage_id)?;
            Some(PointQuote {
                fact_id: fact.id.clone(),
                source_id: read.source.id.clone(),
                path: read.source.path.clone(),
                location: read.location(),
                passage_id: read.passage.id.clone(),
                quote: fact.quote.clone(),
                span: fact.proposed.span,
                table_header: read.passage.table_header.clone(),
            })
        })
        .collect()
}
