//! Draft and finish: facts are put in order, code composes the answer from them, the audit lints it.

use super::lenses::{self, Viewing};
use super::{
    aftermath, analyze, count, critique, field, follow_up, insight, named, observe_failure, plan,
    recall, reply, verify,
};
use crate::answer::{Answer, audit, compose, late};
use crate::id::FactId;
use crate::inquiry::gap::GapReason;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, StopReason};
use crate::port::ModelRole;
use crate::prompt::{Draft, DraftInput, DraftSection, Fact, FactRole, ModelCall, ModelReply};
use crate::scrutiny::revision::order_of;
use crate::scrutiny::warning::warnings;
use crate::trace::TraceEvent;
use serde_json::json;

/// Stops searching for `reason`: every gap still open is given up for it, then the answer is drafted.
pub(crate) fn stop(state: &mut State, reason: StopReason) {
    let asks_model = !state.facts.is_empty()
        && reason != StopReason::Failed
        && state.spent.forbids(&state.options().budget, 1).is_none();
    if !asks_model {
        stop_without_model(state, reason);
        return;
    }
    give_up(state, reason);
    state.phase = Phase::Draft;
    let mut used: Vec<_> =
        state.facts.iter().map(|fact| fact.proposed.passage_id.clone()).collect();
    used.dedup();
    let input = DraftInput {
        question: state.opened.question.clone(),
        questions: state.plan.questions.clone(),
        facts: state.facts.clone(),
        passages: used.iter().filter_map(|id| state.passages.get(id)).cloned().collect(),
        framing: state.framing(),
        memory: state.context(),
    };
    let parameters =
        json!({ "facts": state.facts.iter().map(|fact| fact.id.as_str()).collect::<Vec<_>>() });
    let reasoning = format!("{} held; {}", count(state.facts.len(), "quote"), reason.sentence());
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(ModelCall::Draft(input)) },
        "order the answer".to_owned(),
        parameters,
        reasoning,
    );
}

/// Stops now, with the order that code gives.
pub(crate) fn stop_without_model(state: &mut State, reason: StopReason) {
    give_up(state, reason);
    state.phase = Phase::Draft;
    // The built-in model knows no other order.
    state.own_order = !state.facts.is_empty() && !state.opened.model.starts_with("builtin:");
    let draft = plain(&state.facts, state);
    finish(state, &draft);
}

fn give_up(state: &mut State, reason: StopReason) {
    state.stop = Some(reason);
    plan::without_a_plan(state);
    let gap_reason = match reason {
        StopReason::NoNewPassages | StopReason::EmptyCorpus => GapReason::NoNewEvidence,
        _ => GapReason::Budget,
    };
    let changes = state.ledger.abandon_all(gap_reason);
    state.gap_changes(changes);
}

/// Something turned out to be missing while the answer was being ordered: the search goes on if it may.
pub(crate) fn reopened(state: &mut State) {
    let stop = state.stop.unwrap_or(StopReason::Answered);
    if stop == StopReason::FinishNow || analyze::stop_reason(state).is_some() {
        // The order under way stands; what is missing is told.
        give_up(state, stop);
        // An answer that was composed before is composed again, to tell it. Journals of earlier versions, which knew
        // no critique, replay as they were: in them it went untold.
        if state.options().critique
            && let Some(answer) = critique::take_back(state)
        {
            state.pending.clear();
            finish(state, &order_of(&answer));
        }
        if let Some(answer) = &mut state.composed {
            late::tell(answer, &state.ledger);
        }
        return;
    }
    goes_on(state);
}

/// The search goes on, and an answer that was being made or looked at is none.
pub(crate) fn goes_on(state: &mut State) {
    state.pending.clear();
    critique::take_back(state);
    // What comes of it is another answer, to be looked at anew.
    state.viewing = Viewing::default();
    state.stop = None;
    follow_up::request(state);
}

/// The order that code gives: answers first, then conflicts; the rest by question.
fn plain(facts: &[Fact], state: &State) -> Draft {
    let of = |question: u32, role: FactRole| {
        facts
            .iter()
            .filter(move |fact| fact.proposed.question_id == question && fact.proposed.role == role)
            .map(|fact| fact.id.clone())
    };
    let conclusion =
        state.plan.questions.iter().filter_map(|q| of(q.id, FactRole::Answer).next()).collect();
    let sections = state
        .plan
        .questions
        .iter()
        .map(|question| DraftSection {
            heading: question.text.clone(),
            facts: of(question.id, FactRole::Answer).skip(1).take(4).collect(),
        })
        .filter(|section| !section.facts.is_empty())
        .collect();
    Draft { conclusion, sections, ..Draft::default() }
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    let mut draft = None;
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Draft(found)) => {
                state.observe(
                    id,
                    format!("{} in the short answer", count(found.conclusion.len(), "quote")),
                    format!("{} behind it", count(found.sections.len(), "section")),
                    vec![],
                );
                insight::thought(state, &found.thinking);
                draft = Some(found);
            }
            Ok(_) => observe_failure(
                state,
                id,
                "the reply was to another prompt".to_owned(),
                "quotes stand in the order of finding",
            ),
            Err(error) => observe_failure(state, id, error, "quotes stand in the order of finding"),
        }
    }
    state.own_order = draft.is_none();
    let mut draft = draft.unwrap_or_else(|| plain(&state.facts, state));
    if state.web_use.is_some() {
        nothing_left_out(state, &mut draft);
    }
    finish(state, &draft);
}

/// Where pages of strangers were read, whoever orders the answer may have obeyed one: what answers
/// can be put elsewhere and not left out. What speaks against it is told anyway.
fn nothing_left_out(state: &State, draft: &mut Draft) {
    let is_placed = |fact: &Fact| {
        let mut sections = draft.sections.iter().flat_map(|section| &section.facts);
        draft.conclusion.contains(&fact.id) || sections.any(|placed| *placed == fact.id)
    };
    let left_out: Vec<FactId> = state
        .facts
        .iter()
        .filter(|fact| fact.proposed.role == FactRole::Answer && !is_placed(fact))
        .map(|fact| fact.id.clone())
        .collect();
    if !left_out.is_empty() {
        let heading = "Other quotes that answer".to_owned();
        draft.sections.push(DraftSection { heading, facts: left_out });
    }
}

fn finish(state: &mut State, draft: &Draft) {
    let stop_reason = state.stop.unwrap_or(StopReason::Answered);
    state.conclude(
        format!(
            "{} of {} answered from {} of {}; {}",
            state.answered.len(),
            count(state.plan.questions.len(), "question"),
            count(state.reading_order.len(), "passage"),
            count(state.sources.len(), "document"),
            stop_reason.sentence()
        ),
        vec![],
        vec![],
        (
            state.answered.len(),
            state.plan.questions.len(),
            "planned questions are answered by a quote that held",
        ),
    );
    state.insights = insight::Turn::of(draft);
    let mut answer = compose::compose(state, draft, stop_reason);
    if verify::request(state, &mut answer) {
        state.composed = Some(answer);
    } else {
        aftermath::next(state, answer);
    }
}

/// Brings into an answer what the run has done since it was composed.
pub(super) fn recount(state: &State, answer: &mut Answer) {
    answer.receipt = compose::receipt(state);
    answer.reasoning_trace.clone_from(&state.reasoning);
    answer.exploration_steps = state.next_effect - 1;
}

/// Warns of fallacies in what the answer quotes and in what a model wrote for it. Only now does its last form stand, with the
/// ids that the warnings name; and so the answer of a run that was ended early is read as well.
fn warn(state: &mut State, answer: &mut Answer) {
    if !state.warns() {
        return;
    }
    let found = warnings(answer, state.has_own_fallacies(), &state.critic.said);
    for warning in &found {
        state.emit(TraceEvent::FallacyDetected { warning: Box::new(warning.clone()) });
        state.reasoning.push(state.seq);
    }
    if !found.is_empty() {
        recount(state, answer);
    }
    answer.fallacy_warnings = found;
}

/// Ends the run with its answer.
pub(crate) fn close(state: &mut State, mut answer: Answer) {
    named::unread(state);
    answer.hypotheses = state.board.ranked();
    // Others may have answered since it was composed.
    answer.model = compose::minds(&state.opened.model, &state.replies);
    let is_measured = critique::is_measured(state, &answer);
    if !is_measured {
        critique::answer_rest(state, &mut answer);
    }
    lenses::score(state, &mut answer);
    field::conclude(state, &mut answer);
    warn(state, &mut answer);
    if is_measured {
        critique::measure(state, &mut answer);
        critique::answer_rest(state, &mut answer);
    }
    recall::credit(state, &answer);
    if answer.receipt.usage != state.spent.usage {
        // Checks, and what was asked after them, were paid for when the answer stood.
        answer.receipt = compose::receipt(state);
    }
    let stop_reason = answer.stop_reason;
    let audit = audit(&answer, &state.grounds());
    state.phase = Phase::Done;
    state.pending.clear();
    state.budget_updated();
    if stop_reason == StopReason::Failed {
        let error = state.error.clone().unwrap_or_else(|| "a component failed".to_owned());
        state.emit(TraceEvent::SessionFailed { error });
    }
    state.emit(TraceEvent::AnswerCompleted {
        answer: Box::new(answer.clone()),
        audit: audit.clone(),
    });
    let (rounds, passages) = (state.spent.rounds, state.spent.passages);
    state.emit(TraceEvent::SessionCompleted { stop_reason, rounds, passages });
    state.answer = Some(answer);
    state.audit = audit;
}
