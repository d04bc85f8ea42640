//! The user changes what the run may spend.

use super::{draft, plan};
use crate::inquiry::state::{Phase, State};
use crate::inquiry::{Budget, Limit, NewLimits, StopReason};
use crate::trace::TraceEvent;

/// Obeys. What the run was told at its start gives way to it. A limit that is below what was used ends the search; where the search
/// had ended for want of what there is now, it goes on.
pub(crate) fn set(state: &mut State, new: &NewLimits) {
    // A run that may have one round has no other limit of them.
    let mut budget = Budget { rounds: plan::max_rounds(state), ..state.options().budget };
    let changes = new.put_into(&mut budget);
    if new.rounds.is_some() {
        state.opened.options.autonomous = true;
    } else {
        budget.rounds = state.options().budget.rounds;
    }
    state.opened.options.budget = budget;
    if changes.is_empty() {
        let limits = if new.is_empty() { "none".to_owned() } else { new.told() };
        state.think(format!("the limits stay as they are; asked for: {limits}"), vec![]);
        return;
    }
    let changed: Vec<Limit> = changes.iter().map(|one| one.limit).collect();
    state.emit(TraceEvent::BudgetChanged { by: new.by.clone(), changes, budget });
    state.reasoning.push(state.seq);
    if super::is_drafted(state.phase) {
        raised(state);
    } else if let Some(reason) = passed(state, &changed) {
        // One that is paused stays so: its answer is made when it goes on, and until then the limits may be raised again.
        state.pending.clear();
        draft::stop(state, reason);
    }
}

/// The limit for which no further round may begin, if any.
pub(crate) fn run_out(state: &State) -> Option<StopReason> {
    let spent = state.spent.exhausted(&state.options().budget, state.started_at, state.now);
    spent.or_else(|| (state.round >= plan::max_rounds(state)).then_some(StopReason::BudgetRounds))
}

/// Of limits that were changed the one of which more was used than there is now. What is used up exactly lets the round come to its
/// end; but where nothing has been chosen to be read, nothing could be. What a call in flight took of the others beyond their end is
/// for the next step to see, as ever.
fn passed(state: &State, changed: &[Limit]) -> Option<StopReason> {
    let (spent, budget) = (&state.spent, &state.options().budget);
    let elapsed = u64::try_from(state.now.0.saturating_sub(state.started_at.0)).unwrap_or(0);
    let nothing_to_read = state.phase == Phase::Search && spent.passages >= budget.passages;
    let used = |limit| match limit {
        Limit::Rounds => u64::from(state.round),
        Limit::Passages => u64::from(spent.passages).saturating_add(nothing_to_read.into()),
        Limit::ModelCalls => spent.model_calls.into(),
        Limit::Tokens => spent.usage.input_tokens.saturating_add(spent.usage.output_tokens),
        Limit::CostMicroUsd => spent.usage.cost_micro_usd,
        Limit::WallMs => elapsed,
    };
    let reason = |limit| match limit {
        Limit::Rounds => StopReason::BudgetRounds,
        Limit::Passages => StopReason::BudgetPassages,
        Limit::ModelCalls => StopReason::BudgetModelCalls,
        Limit::Tokens => StopReason::BudgetTokens,
        Limit::CostMicroUsd => StopReason::BudgetCost,
        Limit::WallMs => StopReason::BudgetTime,
    };
    let most = |limit| match limit {
        Limit::Rounds => Some(u64::from(plan::max_rounds(state))),
        _ => Limit::of(limit, budget),
    };
    let mut changed = changed.iter().copied();
    changed.find(|limit| most(*limit).is_some_and(|most| used(*limit) > most)).map(reason)
}

/// The search had ended already. What was given up for want of what there is now is looked for again.
fn raised(state: &mut State) {
    if !state.stop.is_some_and(StopReason::is_of_a_limit) || run_out(state).is_some() {
        return;
    }
    let changes = state.ledger.reopen_for_budget();
    if changes.is_empty() {
        return;
    }
    state.gap_changes(changes);
    draft::goes_on(state);
}
