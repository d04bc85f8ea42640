//! The older loop, kept for comparison: one reflection judges a round and words the next query.
//!
//! There is no analysis of gaps, nothing is remembered of earlier rounds, and nothing is given up before the rounds
//! (or another budget) are spent. Answers are composed and verified as in any run.

use super::plan;
use super::search::{self, RoundQuery};
use crate::inquiry::state::State;
use crate::inquiry::{Reflecting, StopReason};
use crate::prompt::{PlannedQuestion, ProposedGap};
use crate::text::squeeze;
use crate::trace::TraceEvent;

/// Whether the run goes by the older loop.
pub(super) fn chosen(state: &State) -> bool {
    state.options().reflection == Reflecting::SingleStep
}

/// Ends a round without counting it against any gap.
pub(super) fn end_round(state: &mut State) {
    let open_gaps = state.ledger.active().count() as u32;
    let (round, new_passages) = (state.round, state.new_this_round as u32);
    state.emit(TraceEvent::RoundCompleted { round, new_passages, open_gaps });
}

/// Only an answer to everything or a spent budget ends the older loop.
pub(super) fn stop_reason(state: &State) -> Option<StopReason> {
    if state.plan.questions.iter().all(|question| state.answered.contains(&question.id)) {
        return Some(StopReason::Answered);
    }
    let spent = state.spent.exhausted(&state.options().budget, state.started_at, state.now);
    spent.or_else(|| (state.round >= plan::max_rounds(state)).then_some(StopReason::BudgetRounds))
}

/// The next round: one query for the first thing that the reflection missed, in its words where it has any. What was
/// asked for since then has its own queries.
pub(super) fn follow(state: &mut State) {
    let open: Vec<PlannedQuestion> = state
        .plan
        .questions
        .iter()
        .filter(|question| !state.answered.contains(&question.id))
        .cloned()
        .collect();
    let answered = &state.answered;
    let changes = state.ledger.forget_open(|id| answered.contains(&id));
    state.gap_changes(changes);
    let reflected = |id: u32| {
        let reflection = &state.reflection;
        reflection.unanswered_questions.contains(&id) || reflection.answered_questions.contains(&id)
    };
    let (seen, unseen): (Vec<_>, Vec<_>) =
        open.into_iter().partition(|question| reflected(question.id));
    let mut queries = Vec::new();
    for question in unseen {
        let texts = question.queries.clone();
        queries.extend(texts.into_iter().map(|text| query(state, &question, text)));
    }
    // What stays open is a gap as well, so that the answer tells it when the budget ends the run.
    for (at, question) in seen.iter().enumerate() {
        let noticed = state.reflection.new_gaps_identified.iter();
        let worded = noticed
            .filter(|gap| gap.question_ids.is_empty() || gap.question_ids.contains(&question.id))
            .map(|gap| squeeze(&gap.description))
            .find(|description| at == 0 && !description.is_empty());
        let text = worded.unwrap_or_else(|| squeeze(&question.text));
        let made = query(state, question, text);
        if at == 0 {
            queries.push(made);
        }
    }
    search::begin(state, queries);
}

/// Opens a gap for a question, worded as its next query.
fn query(state: &mut State, question: &PlannedQuestion, text: String) -> RoundQuery {
    let proposed = ProposedGap {
        description: question.text.clone(),
        question_ids: vec![question.id],
        severity: question.severity,
        suggested_action: None,
    };
    let gap_id = state.ledger.open(&proposed, Vec::new());
    state.emit(TraceEvent::GapOpened {
        gap_id: gap_id.clone(),
        description: proposed.description,
        question_ids: proposed.question_ids,
    });
    state.reasoning.push(state.seq);
    let kind = question.kind;
    RoundQuery { gap_id, query: text, strategy: None, kind, lesson: None, lead: None }
}
