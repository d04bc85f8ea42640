//! Reflect: what do the passages answer, and what is missing?

use super::{analyze, count, observe_failure, reply};
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, StopReason};
use crate::port::ModelRole;
use crate::prompt::{ModelCall, ModelReply, ReflectInput};
use crate::trace::TraceEvent;
use serde_json::json;

pub(crate) fn request(state: &mut State) {
    let open = state.open_questions();
    // This call, and one kept for the draft.
    if let Some(reason) = state.spent.forbids(&state.options().budget, 2) {
        super::draft::stop(state, reason);
        return;
    }
    state.phase = Phase::Reflect;
    let input = ReflectInput {
        question: state.opened.question.clone(),
        open: open.clone(),
        passages: state.read_passages(),
        new_passages: state.new_this_round,
        terms: state.term_counts(),
        corpus_passages: state.searchable(),
        subjects: state.opened.corpus.subjects.clone(),
        memory: state.context(),
    };
    let parameters = json!({
        "open_questions": open.iter().map(|question| question.id).collect::<Vec<_>>(),
        "passages": state.reading_order.len(),
    });
    let reasoning = format!(
        "{} read, {} of them new, for {}",
        count(state.reading_order.len(), "passage"),
        state.new_this_round,
        count(open.len(), "open question")
    );
    state.request(
        Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::Reflect(input)) },
        "reflect on what was read".to_owned(),
        parameters,
        reasoning,
    );
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Reflect(mut reflection)) => {
                let open: Vec<u32> =
                    state.open_questions().iter().map(|question| question.id).collect();
                reflection.answered_questions.retain(|question| open.contains(question));
                reflection.answered_questions.dedup();
                reflection.unanswered_questions = open
                    .iter()
                    .copied()
                    .filter(|id| !reflection.answered_questions.contains(id))
                    .collect();
                reflection.is_sufficient = reflection.unanswered_questions.is_empty();
                // Only what was read can be relevant.
                reflection
                    .relevant_passage_ids
                    .retain(|passage| state.passages.contains_key(passage));
                state.observe(
                    id,
                    format!(
                        "{} of {} open questions answered",
                        reflection.answered_questions.len(),
                        open.len()
                    ),
                    format!(
                        "{} bear on them",
                        count(reflection.relevant_passage_ids.len(), "passage")
                    ),
                    vec![],
                );
                for note in reflection.notes.clone() {
                    state.think(note.note, vec![format!("q{}", note.question_id)]);
                }
                state.reflection = reflection;
            }
            Ok(_) => {
                fail(state, id, "the reply was to another prompt".to_owned());
                return;
            }
            Err(error) => {
                fail(state, id, error);
                return;
            }
        }
    }
    let closed = state.working.iter().any(|gap| {
        state.ledger.get(gap).is_some_and(|gap| {
            gap.related_question_ids
                .iter()
                .any(|id| state.reflection.answered_questions.contains(id))
        })
    });
    let event = TraceEvent::Reflection {
        is_sufficient: state.reflection.is_sufficient,
        answered_questions: state.reflection.answered_questions.clone(),
        unanswered_questions: state.reflection.unanswered_questions.clone(),
        relevant_passage_ids: state.reflection.relevant_passage_ids.clone(),
        relevant_summary_ids: state.reflection.relevant_passage_ids.clone(),
        current_gap_closed: closed,
        new_gaps_identified: state
            .reflection
            .new_gaps_identified
            .iter()
            .map(|gap| gap.description.clone())
            .collect(),
    };
    state.emit(event);
    state.reasoning.push(state.seq);
    analyze::request(state);
}

fn fail(state: &mut State, id: crate::id::EffectId, error: String) {
    state.error = Some(error.clone());
    observe_failure(state, id, error, "the run ends with what was found before");
    super::draft::stop(state, StopReason::Failed);
}
