//! Pursue: no gap is left, and explanations have searches that were not made. They are searched for and against in rounds of
//! their own, until they converge.

use super::{analyze, plan, single_step, trial, verify};
use crate::inquiry::state::{Phase, State};
use crate::inquiry::{Derivations, StopReason};
use crate::prompt::{FactRole, Facts, GapFindings, Reflection};
use crate::text::{squeeze, words};

/// Rounds that leave the number of contradictions as it was, after which nothing more is expected of another.
const STABLE: usize = 2;

/// Whether nothing but explanations is left to work on. Runs before the fifth revision ended there.
pub(super) fn is_alone(state: &State) -> bool {
    state.follows(Derivations::FIFTH)
        && !state.board.under_test.is_empty()
        && state.ledger.active().next().is_none()
        && !single_step::chosen(state)
}

/// Searches for and against explanations that were not made, those aside that would repeat one of the run.
fn open(state: &State) -> usize {
    let explanations = state.board.under_test.iter();
    explanations
        .flat_map(|one| one.open_for.iter().chain(&one.open_against))
        .map(|query| squeeze(query))
        .filter(|query| !words(query).is_empty() && !state.was_tried(query))
        .count()
}

/// Why a run without an open gap ends: `done` where nothing can be done for its explanations. `None` while it goes on for them.
pub(super) fn stop_reason(state: &State, done: StopReason) -> Option<StopReason> {
    if !is_alone(state) || open(state) == 0 {
        return Some(done);
    }
    if state.board.is_settled() {
        return Some(StopReason::HypothesisConfirmed);
    }
    let spent = state.spent.exhausted(&state.options().budget, state.started_at, state.now);
    let is_spent = spent.is_some()
        || state.round >= plan::max_rounds(state)
        // Nothing that would be found could be weighed.
        || verify::unaffordable(state).is_some();
    if is_spent || state.new_this_round == 0 {
        return Some(done);
    }
    is_stable(&state.board.contradictions).then_some(StopReason::ContradictionsStable)
}

/// Whether the last rounds changed nothing in how many contradictions there are.
fn is_stable(counts: &[usize]) -> bool {
    counts.len() > STABLE && counts.windows(2).rev().take(STABLE).all(|pair| pair[0] == pair[1])
}

/// A round ends: notes how many contradictions there are, between quotes and between sources and explanations. While a gap is
/// open, rounds are for it: none of them tells that explanations converge.
pub(super) fn note(state: &mut State) {
    if !is_alone(state) {
        state.board.contradictions.clear();
        return;
    }
    let conflicts = state.facts.iter().filter(|fact| fact.proposed.role == FactRole::Conflict);
    let explanations = state.board.under_test.iter();
    let denials: usize = explanations.map(|one| one.hypothesis.independent_contradicting).sum();
    let contradictions = conflicts.count() + denials;
    state.board.contradictions.push(contradictions);
}

/// What the analysis of a round says that is followed by one for the explanations.
pub(super) fn told(state: &State) -> String {
    let left = match open(state) {
        1 => "1 search for or against explanations is".to_owned(),
        open => format!("{open} searches for and against explanations are"),
    };
    format!("no gap is open, and {left} left")
}

/// Holds what was read against the explanations. No model is asked: there is nothing to be answered or to be missed.
pub(super) fn weigh(state: &mut State) {
    state.phase = Phase::Analyze;
    state.reflection = Reflection::default();
    if !trial::request(state) {
        analyze::finish_round(state, Facts::default(), GapFindings::default(), &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::is_stable;

    #[test]
    fn two_rounds_without_a_change_are_stable() {
        assert!(!is_stable(&[]) && !is_stable(&[1]) && !is_stable(&[1, 1]));
        assert!(is_stable(&[0, 0, 0]) && is_stable(&[0, 3, 3, 3]));
        assert!(!is_stable(&[3, 3, 4]) && !is_stable(&[3, 4, 4]));
    }
}
