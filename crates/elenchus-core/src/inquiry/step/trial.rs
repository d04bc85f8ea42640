//! Trial: the explanations on the board are held against what was read, beside the analysis of each round.

use super::{count, observe_failure, verify};
use crate::belief::{HypothesisTest, Judged, JudgedPassage, settle as settle_vintages};
use crate::id::{EffectId, PassageId};
use crate::inquiry::board::{Trial, UnderTest};
use crate::inquiry::state::{Settled, State};
use crate::inquiry::{Effect, Outcome};
use crate::measure::Explained;
use crate::port::{Checked, Pair};
use crate::text::content_set;
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::BTreeSet;

/// Passages that an explanation is held against in one trial, at most.
const HELD: usize = 8;
/// The share of an explanation's content words that a passage must have. Lower than for a quote, because an explanation
/// is worded by a model and what denies it need not repeat it.
const IN_COMMON: f64 = 0.3;
/// And so many words of it.
const WORDS_IN_COMMON: usize = 2;

/// Asks for a check of what was read and not yet held against the explanations. `false` when there is nothing.
pub(super) fn request(state: &mut State) -> bool {
    if !is_due(state) {
        return false;
    }
    let pairs = untried(state);
    let asked: Vec<Pair> = pairs
        .iter()
        .filter_map(|(at, passage)| {
            let claim = &state.board.under_test.get(*at)?.hypothesis.claim;
            Some(state.opened.judging.as_ref()?.held(state.passages.get(passage)?, claim))
        })
        .collect();
    let tried: BTreeSet<usize> = pairs.iter().map(|(at, _)| *at).collect();
    let parameters = json!({ "pairs": asked.len() });
    let reasoning = format!(
        "{} held against {} that speak of the same",
        count(tried.len(), "explanation"),
        count(asked.len(), "passage")
    );
    let effect = state.request(
        Effect::Verify { pairs: asked },
        "test the explanations".to_owned(),
        parameters,
        reasoning,
    );
    state.board.trial = Some(Trial { effect, pairs });
    true
}

/// Whether anything that was read is still to be held against an explanation, and may be.
pub(super) fn is_due(state: &State) -> bool {
    state.opened.judging.is_some()
        && verify::unaffordable(state).is_none()
        && !untried(state).is_empty()
}

/// Of each explanation the passages that speak most of the same and were not held against it, most first.
fn untried(state: &State) -> Vec<(usize, PassageId)> {
    let mut pairs = Vec::new();
    let under_test = state.board.under_test.iter().enumerate();
    for (at, one) in under_test.filter(|(_, one)| one.hypothesis.dropped.is_none()) {
        let wanted = content_set(&one.hypothesis.claim);
        let mut near: Vec<(usize, &PassageId)> = state
            .reading_order
            .iter()
            .filter(|id| !one.was_held_against(id))
            .filter_map(|id| {
                let read = state.passages.get(id)?;
                let common = wanted.intersection(&content_set(&read.passage.text)).count();
                let enough =
                    common >= WORDS_IN_COMMON && common as f64 >= IN_COMMON * wanted.len() as f64;
                enough.then_some((common, id))
            })
            .collect();
        near.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        pairs.extend(near.into_iter().take(HELD).map(|(_, id)| (at, id.clone())));
    }
    pairs
}

/// Whether this effect is the trial under way.
pub(super) fn is_trial(state: &State, id: EffectId) -> bool {
    state.board.trial.as_ref().is_some_and(|trial| trial.effect == id)
}

/// Moves the credences by what came of a trial. A trial that failed moves nothing, and its passages are tried again
/// in the next.
pub(super) fn settle(state: &mut State, settled: Settled) {
    let Some(trial) = state.board.trial.take() else { return };
    let results = match settled.outcome {
        Outcome::Verified { results, .. } if results.len() == trial.pairs.len() => Ok(results),
        Outcome::Verified { results, .. } => {
            Err(format!("{} results came back for {} pairs", results.len(), trial.pairs.len()))
        }
        Outcome::Failed { error, .. } => Err(error),
        _ => Err("the driver answered a check with something else".to_owned()),
    };
    let results = match results {
        Ok(results) => results,
        Err(error) => {
            observe_failure(state, settled.id, error, "the explanations stand as they stood");
            return;
        }
    };
    let unchecked =
        results.iter().filter(|result| matches!(result, Checked::Unchecked { .. })).count();
    for ((at, passage), result) in trial.pairs.iter().zip(results) {
        let Some(one) = state.board.under_test.get_mut(*at) else { continue };
        match result {
            Checked::Judged(judgement) => {
                one.judgements.insert(passage.clone(), *judgement);
            }
            Checked::Unchecked { .. } => {
                one.unchecked.insert(passage.clone());
            }
        }
    }
    let updates: Vec<TraceEvent> = (0..state.board.under_test.len())
        .filter_map(|at| {
            let fresh: Vec<PassageId> = trial
                .pairs
                .iter()
                .filter(|(other, _)| *other == at)
                .map(|(_, passage)| passage.clone())
                .collect();
            if fresh.is_empty() { None } else { update(state, at, &fresh) }
        })
        .collect();
    let told: Vec<String> = updates.iter().filter_map(in_short).collect();
    state.observe(
        settled.id,
        format!(
            "{} judged, {unchecked} could not be",
            count(trial.pairs.len() - unchecked, "pair")
        ),
        told.join("; "),
        vec![],
    );
    for event in updates {
        state.emit(event);
        state.reasoning.push(state.seq);
    }
}

fn in_short(event: &TraceEvent) -> Option<String> {
    let TraceEvent::HypothesisUpdated { test, status } = event else { return None };
    Some(format!(
        "{} {:.2} to {:.2} ({})",
        test.hypothesis_id,
        test.before,
        test.after,
        status.name()
    ))
}

/// Weighs everything that was held against an explanation anew.
fn update(state: &mut State, at: usize, fresh: &[PassageId]) -> Option<TraceEvent> {
    let judging = state.opened.judging.as_ref()?;
    let round = state.round;
    let (judged, notes) = judged(state, state.board.under_test.get(at)?);
    let (thresholds, calibration) = (judging.thresholds, judging.calibration.clone());
    let rules = state.options().rules();
    let one = state.board.under_test.get_mut(at)?;
    let hypothesis = &mut one.hypothesis;
    let before = hypothesis.confidence;
    hypothesis.weigh(&judged, round, thresholds, &calibration, rules);
    if !notes.is_empty() {
        // Under a part of their own: the parts of a credence add up.
        let rule =
            "a passage that is superseded moves nothing; where both count, the order moves nothing";
        let mut times = Explained::new("times of the passages", 0.0, rule);
        times.children = notes;
        hypothesis.explained.children.push(times);
    }
    hypothesis.unchecked = one.unchecked.len();
    let new = |side: &[crate::belief::HypothesisEvidence]| -> Vec<PassageId> {
        side.iter().map(|e| e.passage_id.clone()).filter(|id| fresh.contains(id)).collect()
    };
    let test = HypothesisTest {
        hypothesis_id: hypothesis.id.clone(),
        round,
        queries: one
            .searched
            .iter()
            .filter(|searched| searched.round == round)
            .map(|searched| searched.query.clone())
            .collect(),
        passages: fresh.len() as u32,
        evidence_for: new(&hypothesis.supporting),
        evidence_against: new(&hypothesis.contradicting),
        before,
        after: hypothesis.confidence,
    };
    hypothesis.tests.push(test.clone());
    Some(TraceEvent::HypothesisUpdated { test, status: hypothesis.status })
}

/// The passages held against an explanation, judged in the light of all of them, with what is said about their times. An
/// explanation may rest on a figure, and an old one speaks neither for it nor against it.
fn judged(state: &State, one: &UnderTest) -> (Vec<Judged>, Vec<Explained>) {
    let Some(judging) = state.opened.judging.as_ref() else {
        return (Vec::new(), Vec::new());
    };
    let (thresholds, rules) = (judging.thresholds, state.options().rules());
    let others = || one.judgements.keys().filter_map(|id| state.passages.get(id));
    let (ids, mut passages): (Vec<PassageId>, Vec<JudgedPassage>) = one
        .judgements
        .iter()
        .filter_map(|(id, judgement)| {
            let read = state.passages.get(id)?;
            let judged = JudgedPassage::of(read, judgement.clone(), thresholds, others(), rules)?;
            Some((id.clone(), judged))
        })
        .unzip();
    let notes = settle_vintages(&mut passages, thresholds);
    let judged = ids.into_iter().zip(passages);
    (
        judged.map(|(passage_id, judged)| Judged { passage_id, judged }).collect(),
        notes.into_iter().map(|note| note.explained).collect(),
    )
}
