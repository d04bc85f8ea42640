//! Verify: every statement of the composed answer is held against its own passage and against what else was read.

use super::{aftermath, count, disagree, fallacies, trial, witnesses};
use crate::answer::Answer;
use crate::belief::{Assessed, CheckedClaim, Claim, JudgedPassage, Level, SubstantiveWord};
use crate::evidence::char_slice;
use crate::id::PassageId;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, Outcome, StopReason};
use crate::measure::Explained;
use crate::port::{Checked, Judgement, Pair};
use crate::prompt::FactRole;
use crate::text::content_set;
use crate::trace::TraceEvent;
use serde_json::json;

/// Other passages that a statement of the short answer is held against, at most.
const OTHERS: usize = 4;
/// The share of content words that another passage must have in common with a statement to be held against it.
const IN_COMMON: f64 = 0.4;

/// Why no check may begin, where a language model is asked for it: the budget is spent.
pub(crate) fn unaffordable(state: &State) -> Option<String> {
    let asks = state.opened.judging.as_ref().is_some_and(|judging| judging.asks_model);
    let reason = state.spent.forbids(&state.options().budget, 0).filter(|_| asks)?;
    let spent = if reason == StopReason::BudgetCost { "money" } else { "token" };
    Some(format!("the verifier asks a language model, and the {spent} budget was spent before it"))
}

/// Asks for the checks of a composed answer. `false` when there is nothing to check or nobody to do it; where the
/// budget leaves nothing for checks, the statements of the answer stand unchecked then, with the reason.
pub(crate) fn request(state: &mut State, answer: &mut Answer) -> bool {
    let stopped = matches!(
        state.stop,
        Some(StopReason::Interrupted | StopReason::Failed | StopReason::FinishNow)
    );
    if state.opened.judging.is_none() || stopped {
        return false;
    }
    if answer.claims.is_empty() {
        // A run that ended between reading and analysing has explanations that were not held against all of it.
        let due = trial::is_due(state);
        if due {
            state.phase = Phase::Verify;
            trial::request(state);
        }
        return due;
    }
    state.phase = Phase::Verify;
    state.emit(TraceEvent::ConfidenceScoringStarted {
        answer_length: answer.text.chars().count() as u64,
    });
    state.emit(TraceEvent::ClaimsExtracted { count: answer.claims.len() as u32 });
    let held = held_against(state, answer);
    let unaffordable = unaffordable(state);
    if unaffordable.is_none() {
        check(state, answer, &held);
    }
    let passages: Vec<PassageId> = held.iter().map(|(_, passage)| passage.clone()).collect();
    disagree::request(state, &passages);
    trial::request(state);
    fallacies::request(state, answer);
    if let Some(reason) = unaffordable
        && state.pending.is_empty()
    {
        let (assessed, _) = assess(state, answer, &held, Err(reason));
        conclude(state, answer, assessed);
        return false;
    }
    true
}

/// Asks whether the passages bear the statements out that they are held against.
fn check(state: &mut State, answer: &Answer, held: &[(usize, PassageId)]) {
    let judging = &state.opened.judging;
    let pairs: Vec<Pair> = held
        .iter()
        .filter_map(|(claim, passage)| {
            let read = state.passages.get(passage)?;
            Some(judging.as_ref()?.held(read, &statement(answer, *claim)))
        })
        .collect();
    let reasoning = format!(
        "{} held against {}, their own and others that speak of the same",
        count(answer.claims.len(), "statement"),
        count(pairs.len(), "passage")
    );
    let verifier = state.opened.judging.as_ref().map(|judging| judging.verifier.clone());
    let parameters = json!({ "pairs": pairs.len(), "verifier": verifier });
    state.request(
        Effect::Verify { pairs },
        "check the statements".to_owned(),
        parameters,
        reasoning,
    );
}

/// The words of a claim as its passage has them: what is shown may have lost its markup.
fn statement(answer: &Answer, claim: usize) -> String {
    let claim = &answer.claims[claim];
    claim
        .evidence
        .first()
        .and_then(|at| answer.evidence.get(*at))
        .map_or_else(|| claim.text.clone(), |evidence| evidence.quote.clone())
}

/// Which claim is held against which passage, in the order in which the verifier is asked. A function of the state
/// and the answer alone, so that the outcome can be read by it.
fn held_against(state: &State, answer: &Answer) -> Vec<(usize, PassageId)> {
    let mut out = Vec::new();
    for (at, claim) in answer.claims.iter().enumerate() {
        let own: Vec<PassageId> = claim
            .evidence
            .iter()
            .filter_map(|n| answer.evidence.get(*n))
            .map(|evidence| evidence.passage_id.clone())
            .collect();
        out.extend(own.iter().map(|id| (at, id.clone())));
        if !matches!(claim.role, FactRole::Answer | FactRole::Conflict) {
            continue;
        }
        let words = content_set(&claim.text);
        let mut others: Vec<(f64, &PassageId)> = state
            .reading_order
            .iter()
            .filter(|id| !own.contains(id))
            .filter_map(|id| {
                let read = state.passages.get(id)?;
                let all = content_set(&read.passage.text);
                let common = words.intersection(&all).count() as f64 / words.len().max(1) as f64;
                (words.len() > 1 && common >= IN_COMMON).then_some((common, id))
            })
            .collect();
        others.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        out.extend(others.into_iter().take(OTHERS).map(|(_, id)| (at, id.clone())));
    }
    out
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    // Composed before the checks were asked for; there is always one.
    let Some(mut answer) = state.composed.take() else { return };
    let held = held_against(state, &answer);
    let mut results: Result<Vec<Checked>, String> = Err("nothing came back".to_owned());
    let mut action = None;
    let mut contradictions = None;
    let mut read = None;
    for settled in batch {
        if trial::is_trial(state, settled.id) {
            trial::settle(state, settled);
            continue;
        }
        if fallacies::is_asked(&settled) {
            read = Some(settled);
            continue;
        }
        if matches!(settled.effect, Effect::Contradict { .. }) {
            let found = match settled.outcome {
                Outcome::Contradicting { found } => Ok(found),
                Outcome::Failed { error, .. } => Err(error),
                _ => Err("the driver answered a search for contradictions with something else"
                    .to_owned()),
            };
            contradictions = Some((settled.id, found));
            continue;
        }
        action = Some(settled.id);
        results = match settled.outcome {
            Outcome::Verified { results, .. } => Ok(results),
            Outcome::Failed { error, .. } => Err(error),
            _ => Err("the driver answered a check with something else".to_owned()),
        };
    }
    if action.is_none() {
        match unaffordable(state).filter(|_| !answer.claims.is_empty()) {
            Some(reason) => results = Err(reason),
            None => {
                aftermath::next(state, answer);
                return;
            }
        }
    }
    let (assessed, failed) = assess(state, &answer, &held, results);
    if let Some(id) = action {
        let coverage = &assessed.confidence.coverage;
        let result = match &failed {
            Some(error) => format!("failed: {error}"),
            None => format!(
                "{} of {} borne out, {} contradicted, {} unchecked",
                coverage.supported,
                count(coverage.claims, "statement"),
                coverage.contradicted,
                coverage.unchecked
            ),
        };
        let analysis = if failed.is_some() {
            "the statements stand unchecked, and no confidence is given"
        } else {
            "confidence follows from this and from how often such answers were right"
        };
        state.observe(id, result, analysis.to_owned(), vec![]);
    }
    if let Some((id, found)) = contradictions {
        let passages: Vec<PassageId> = held.iter().map(|(_, id)| id.clone()).collect();
        disagree::settle(state, &mut answer, &passages, id, found);
    }
    if let Some(settled) = read {
        fallacies::settle(state, settled);
    }
    conclude(state, &mut answer, assessed);
    aftermath::next(state, answer);
}

/// Tells the trace the figures and puts them into the answer.
fn conclude(state: &mut State, answer: &mut Answer, assessed: Assessed) {
    let coverage = assessed.confidence.coverage;
    state.emit(TraceEvent::EntailmentChecked {
        checked: coverage.checked as u32,
        unchecked: coverage.unchecked as u32,
    });
    state.emit(TraceEvent::SuscoreCalculated { score: assessed.su_score.overall_score });
    state.emit(TraceEvent::ConfidenceCalculated {
        overall: assessed.confidence.overall_confidence,
        level: assessed.confidence.level,
    });
    answer.entailments = assessed.entailments;
    answer.methodology = Some(assessed.confidence.methodology);
    answer.confidence = Some(assessed.confidence);
}

/// Verdicts to figures. The confidence of a statement that answers is the product of two: that the sources bear it
/// out, and that an answer that binds so well answers what was asked.
fn assess(
    state: &State,
    answer: &Answer,
    held: &[(usize, PassageId)],
    results: Result<Vec<Checked>, String>,
) -> (Assessed, Option<String>) {
    let judging = state.opened.judging.as_ref();
    let failed = match &results {
        Err(error) => Some(error.clone()),
        Ok(results) if results.len() != held.len() => {
            Some(format!("{} results came back for {} pairs", results.len(), held.len()))
        }
        Ok(_) => None,
    };
    let results = if failed.is_some() { vec![] } else { results.unwrap_or_default() };
    let mut checked: Vec<CheckedClaim> = answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| CheckedClaim {
            claim: plain(&statement(answer, at), claim),
            passages: vec![],
            unchecked: failed.iter().cloned().collect(),
        })
        .collect();
    let thresholds = judging.map_or(
        crate::belief::Thresholds { supports: 0.5, refutes: 0.5, relevant: 0.0 },
        |judging| judging.thresholds,
    );
    for ((at, passage), result) in held.iter().zip(results) {
        let (Some(checked), Some(read)) = (checked.get_mut(*at), state.passages.get(passage))
        else {
            continue;
        };
        match result {
            Checked::Unchecked { reason } => checked.unchecked.push(reason),
            Checked::Judged(judgement) => {
                if checked.claim.substantive_words.is_empty() {
                    checked.claim.substantive_words = words(&checked.claim.text, &judgement);
                }
                let others = held
                    .iter()
                    .filter(|(claim, _)| claim == at)
                    .filter_map(|(_, id)| state.passages.get(id));
                let rules = state.options().rules();
                let judged = JudgedPassage::of(read, *judgement, thresholds, others, rules);
                checked.passages.extend(judged);
            }
        }
    }
    let witnesses = witnesses::of(state, answer, &checked, thresholds);
    let mut assessed = Assessed::new(checked, thresholds, judging.map(|j| &j.calibration));
    if let Some(judging) = judging {
        for (figures, claim) in assessed.confidence.claim_confidences.iter_mut().zip(&answer.claims)
        {
            let Some(bearing) = claim.bearing else { continue };
            let measured = judging.bearing.of(bearing);
            let before = figures.explained.clone();
            figures.scale(measured.share(), |p| {
                Explained::new(
                    "confidence",
                    p,
                    "that the sources bear the statement out x that it answers the question",
                )
                .and(before)
                .and(
                    Explained::new(
                        format!("answers of {} bearing that were right", bearing.name()),
                        measured.share(),
                        format!(
                            "(right + 1) / (given + 2), measured on {}",
                            judging.bearing.measured_on
                        ),
                    )
                    .with("right", f64::from(measured.right))
                    .with("given", f64::from(measured.given)),
                )
            });
        }
    }
    for (figures, witnesses) in assessed.confidence.claim_confidences.iter_mut().zip(&witnesses) {
        if let Some(witnesses) = witnesses {
            witnesses.weigh(figures);
        }
    }
    // The overall figure is about what was answered, not about what stands around it.
    let answers =
        |at: &usize| matches!(answer.claims[*at].role, FactRole::Answer | FactRole::Conflict);
    let mut chosen: Vec<usize> = (0..answer.claims.len()).filter(answers).collect();
    // Where publishers were weighed, what leads is what the figure is about: the other sides are against it already.
    let leads = |question: u32| {
        let mut claims = answer.claims.iter();
        claims.any(|claim| claim.question_id == question && claim.role == FactRole::Answer)
    };
    chosen.retain(|at| {
        let claim = &answer.claims[*at];
        let weighed = witnesses.get(*at).is_some_and(Option::is_some);
        !(weighed && claim.role == FactRole::Conflict && leads(claim.question_id))
    });
    assessed.confidence.focus(&chosen);
    let disputed = chosen.iter().any(|at| answer.claims[*at].role == FactRole::Conflict);
    if disputed || !answer.could_not_establish.is_empty() {
        assessed.confidence.level_at_most(Level::Medium);
    }
    (assessed, failed)
}

fn plain(text: &str, claim: &crate::answer::Claim) -> Claim {
    Claim {
        source_span: claim.source_span,
        source_text: claim.text.clone(),
        ..Claim::stated(claim.id.clone(), text)
    }
}

/// The words that the verifier looked at, as the claim's substantive words.
fn words(claim: &str, judgement: &Judgement) -> Vec<SubstantiveWord> {
    judgement
        .grounding
        .iter()
        .filter_map(|grounded| {
            Some(SubstantiveWord {
                word: char_slice(claim, grounded.span)?.to_owned(),
                kind: grounded.kind?,
                position: grounded.span,
                importance: grounded.kind?.importance(),
            })
        })
        .collect()
}
