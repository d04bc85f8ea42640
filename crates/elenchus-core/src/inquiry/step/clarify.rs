//! Clarify: before a vague question is planned the user is asked what is meant, once, and may skip it.

use super::{count, observe_failure, plan, reply};
use crate::inquiry::Effect;
use crate::inquiry::clarity::{Asking, held, suspicion};
use crate::inquiry::control::ClarifyingAnswer;
use crate::inquiry::egress;
use crate::inquiry::state::{Phase, Settled, State};
use crate::port::ModelRole;
use crate::prompt::{ClarifyInput, ModelCall, ModelReply};
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde_json::json;

/// Asks whether the question is vague where the run may ask back and code has reason to; then, or else, it is planned.
pub(crate) fn request(state: &mut State) {
    let question = state.opened.question.clone();
    let why = match state.options().clarify {
        Asking::Never => None,
        Asking::Auto => suspicion(&question, &state.opened.corpus.subjects),
        Asking::Always => Some("it was asked for to ask back".to_owned()),
    };
    let Some(why) = why else {
        plan::request(state);
        return;
    };
    // This call, and one each kept for the plan, a reflection and the draft.
    if let Some(reason) = state.spent.forbids(&state.options().budget, 4) {
        state.think(
            format!(
                "whether \"{}\" is vague is not asked, to save: {}",
                squeeze(&question),
                reason.sentence()
            ),
            vec![],
        );
        plan::request(state);
        return;
    }
    state.phase = Phase::Clarify;
    let input = ClarifyInput {
        question: question.clone(),
        corpus: state.opened.corpus.clone(),
        guarded: egress::hides_documents(state),
    };
    state.request(
        Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::Clarify(input)) },
        "look whether the question is vague".to_owned(),
        json!({ "question": question }),
        format!("\"{}\" may mean more than one thing: {why}", squeeze(&question)),
    );
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the question is planned as it was asked";
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Clarify(found)) => {
                let questions = if found.vague { found.questions } else { Vec::new() };
                let analysis = if questions.is_empty() {
                    INSTEAD.to_owned()
                } else {
                    "the user is asked, and may skip any of them".to_owned()
                };
                state.observe(
                    id,
                    count(questions.len(), "clarifying question"),
                    analysis,
                    questions.iter().map(|question| question.text.clone()).collect(),
                );
                state.clarity.open = questions;
            }
            Ok(_) => {
                observe_failure(state, id, "the reply was to another prompt".to_owned(), INSTEAD);
            }
            Err(error) => observe_failure(state, id, error, INSTEAD),
        }
    }
    if state.clarity.open.is_empty() {
        plan::request(state);
        return;
    }
    let questions = state.clarity.open.clone();
    state.emit(TraceEvent::ClarificationRequested { questions });
    state.reasoning.push(state.seq);
}

/// The user answered, or (without answers) skipped. Late or unasked answers change nothing.
pub(crate) fn answered(state: &mut State, answers: &[ClarifyingAnswer]) {
    if state.phase != Phase::Clarify {
        return;
    }
    let asked = std::mem::take(&mut state.clarity.open);
    if asked.is_empty() && !answers.is_empty() {
        // Nothing was asked yet: an answer to it cannot be meant.
        return;
    }
    // A call that would ask back is not waited for any more.
    state.pending.clear();
    let said = held(&asked, answers);
    for said in &said {
        let thought =
            format!("to \"{}\" the user said \"{}\"", squeeze(&said.question), said.answer);
        state.think(thought, vec![]);
    }
    let skipped = asked.len() - said.len();
    if skipped > 0 {
        state.think(
            format!(
                "{} of {} skipped: \"{}\" is planned without",
                skipped,
                count(asked.len(), "question"),
                squeeze(&state.opened.question)
            ),
            vec![],
        );
    }
    state.clarity.said = said;
    plan::request(state);
}
