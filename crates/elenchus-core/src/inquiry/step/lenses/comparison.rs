//! The points are held against the passages of their quotes while a model reads which say the same; then code compares.

use super::super::{count, observe_failure, verify};
use super::{Viewing, briefs, seeing};
use crate::answer::Answer;
use crate::belief::{EntailmentResult, JudgedPassage, Verdict, settle as settle_vintages};
use crate::id::{ClaimId, EffectId, PassageId, PointId};
use crate::inquiry::state::{Settled, State};
use crate::inquiry::{Effect, Outcome};
use crate::port::{Checked, ModelRole, Pair};
use crate::prompt::{ModelCall, ModelReply, PerspectiveSynthesis, SynthesizeInput};
use crate::synthesis::perspectives::{Perspectives, Subjects, compare};
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::BTreeSet;

/// Asks for both, as they do not need each other. Gives the answer back when there is nothing to ask.
pub(super) fn request(state: &mut State, mut answer: Answer) -> Option<Answer> {
    state.viewing = Viewing::Comparing;
    let subjects = subjects(&answer);
    let perspectives = answer.perspectives.get_or_insert_default();
    // What can be said without a check and a model: it stands if the run is stopped here.
    compare(perspectives, &PerspectiveSynthesis::default(), &subjects);
    let points = briefs(perspectives);
    let (seeing, lenses) = (seeing(perspectives), perspectives.views.len());
    let held = held_against(perspectives);
    if points.is_empty() {
        perspectives.not_done.push("no lens gave a point that rests on a quote".to_owned());
        return Some(answer);
    }
    match verify::unaffordable(state) {
        Some(why) => note(&mut answer, format!("the points were not checked: {why}")),
        None => check(state, &answer, &held),
    }
    let forbidden = state.spent.forbids(&state.options().budget, 1);
    if seeing < 2 {
        let why =
            format!("{seeing} of {lenses} lenses gave points, so there is nothing to compare");
        note(&mut answer, why.clone());
        state.think(why, vec![]);
    } else if let Some(reason) = forbidden {
        note(
            &mut answer,
            format!("which points say the same was not asked: {}", reason.sentence()),
        );
    } else {
        let reasoning = format!(
            "{} of {seeing} lenses may say the same in other words",
            count(points.len(), "point")
        );
        let parameters =
            json!({ "points": points.iter().map(|point| point.id.as_str()).collect::<Vec<_>>() });
        let input = SynthesizeInput { question: state.opened.question.clone(), points };
        let call = Box::new(ModelCall::SynthesizePerspectives(input));
        state.request(
            Effect::Model { role: ModelRole::Strong, call },
            "compare what the lenses see".to_owned(),
            parameters,
            reasoning,
        );
    }
    if state.pending.is_empty() {
        completed(state, &answer);
        return Some(answer);
    }
    state.composed = Some(answer);
    None
}

fn note(answer: &mut Answer, what: String) {
    answer.perspectives.get_or_insert_default().not_done.push(what);
}

/// Asks for a check of every point, where there is a verifier.
fn check(state: &mut State, answer: &Answer, held: &[(PointId, PassageId)]) {
    let Some(judging) = &state.opened.judging else { return };
    let verifier = judging.verifier.clone();
    let Some(perspectives) = &answer.perspectives else { return };
    let pairs: Vec<Pair> = held
        .iter()
        .filter_map(|(point, passage)| {
            let claim = &perspectives.point(point)?.1.statement;
            Some(judging.held(state.passages.get(passage)?, claim))
        })
        .collect();
    let reasoning = format!(
        "{} of the lenses held against the passages of their quotes",
        count(perspectives.points().count(), "point")
    );
    let parameters = json!({ "pairs": pairs.len(), "verifier": verifier });
    state.request(Effect::Verify { pairs }, "check the points".to_owned(), parameters, reasoning);
}

/// Each point with each passage that it quotes, in order.
fn held_against(perspectives: &Perspectives) -> Vec<(PointId, PassageId)> {
    let mut held = Vec::new();
    for (_, point) in perspectives.points() {
        let passages: BTreeSet<&PassageId> =
            point.quotes.iter().map(|quote| &quote.passage_id).collect();
        held.extend(passages.into_iter().map(|passage| (point.id.clone(), passage.clone())));
    }
    held
}

/// Statements of the answer by the facts that bear on them. Statements that conflict with each other are about one
/// matter, so a fact behind one of them bears on all.
fn subjects(answer: &Answer) -> Subjects {
    let mut subjects = Subjects::new();
    for claim in &answer.claims {
        for evidence in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) {
            let about = subjects.entry(evidence.fact_id.clone()).or_default();
            about.insert(claim.id.clone());
            let conflicting = answer
                .conflicts
                .iter()
                .filter(|note| note.claims.contains(&claim.id))
                .flat_map(|note| note.claims.iter().cloned());
            about.extend(conflicting);
        }
    }
    subjects
}

pub(super) fn settle(state: &mut State, mut answer: Answer, batch: Vec<Settled>) -> Answer {
    let subjects = subjects(&answer);
    let mut perspectives = answer.perspectives.take().unwrap_or_default();
    let mut proposed = PerspectiveSynthesis::default();
    let mut asked = None;
    for settled in batch {
        let id = settled.id;
        match settled.outcome {
            Outcome::Verified { results, .. } => judge(state, &mut perspectives, id, results),
            Outcome::Replied { reply, .. } => match *reply {
                ModelReply::SynthesizePerspectives(found) => {
                    proposed = found;
                    asked = Some(id);
                }
                _ => failed(
                    state,
                    &mut perspectives,
                    &settled.effect,
                    id,
                    "the reply was to another prompt",
                ),
            },
            Outcome::Failed { error, .. } => {
                failed(state, &mut perspectives, &settled.effect, id, &error);
            }
            _ => failed(
                state,
                &mut perspectives,
                &settled.effect,
                id,
                "the driver answered with something else",
            ),
        }
    }
    let refused = compare(&mut perspectives, &proposed, &subjects);
    if let Some(id) = asked {
        state.observe(
            id,
            format!(
                "{} and {} named",
                count(proposed.groups.len(), "group"),
                count(proposed.tensions.len(), "pair")
            ),
            format!(
                "{} and {} stand; what they rest on decides",
                count(perspectives.consensus.len(), "agreement"),
                count(perspectives.tensions.len(), "tension")
            ),
            refused,
        );
    }
    answer.perspectives = Some(perspectives);
    completed(state, &answer);
    answer
}

/// Tells the trace what the comparison gave.
fn completed(state: &mut State, answer: &Answer) {
    let Some(found) = &answer.perspectives else { return };
    let not_borne_out = found
        .points()
        .filter(|(_, point)| {
            matches!(point.verdict, Verdict::Contradicted | Verdict::Neutral { .. })
        })
        .count();
    state.emit(TraceEvent::PerspectivesCompared {
        lenses: found.views.iter().filter(|view| view.failed.is_none()).count() as u32,
        consensus: found.consensus.len() as u32,
        tensions: found.tensions.len() as u32,
        unique: found.unique.len() as u32,
        not_borne_out: not_borne_out as u32,
    });
    state.reasoning.push(state.seq);
}

fn failed(
    state: &mut State,
    perspectives: &mut Perspectives,
    effect: &Effect,
    id: EffectId,
    error: &str,
) {
    let (what, instead) = match effect {
        Effect::Verify { .. } => {
            ("the points could not be checked", "they are shown as not checked")
        }
        _ => (
            "which points say the same could not be asked",
            "points agree only where they take the same quote the same way",
        ),
    };
    perspectives.not_done.push(format!("{what}: {error}"));
    observe_failure(state, id, error.to_owned(), instead);
}

/// Verdicts for the points, by the same rule as for statements of the answer.
fn judge(state: &mut State, perspectives: &mut Perspectives, id: EffectId, results: Vec<Checked>) {
    let held = held_against(perspectives);
    let Some(thresholds) = state.opened.judging.as_ref().map(|judging| judging.thresholds) else {
        return;
    };
    if results.len() != held.len() {
        let error = format!("{} results came back for {} pairs", results.len(), held.len());
        perspectives.not_done.push(format!("the points could not be checked: {error}"));
        observe_failure(state, id, error, "the points are shown as not checked");
        return;
    }
    let rules = state.options().rules();
    let (mut borne_out, mut contradicted, mut all) = (0, 0, 0);
    for point in perspectives.views.iter_mut().flat_map(|view| &mut view.points) {
        let mut passages = Vec::new();
        let mut unchecked = Vec::new();
        let own = || held.iter().zip(&results).filter(|((of, _), _)| *of == point.id);
        for ((_, passage), result) in own() {
            let Some(read) = state.passages.get(passage) else { continue };
            match result {
                Checked::Unchecked { reason } => unchecked.push(reason.clone()),
                Checked::Judged(judgement) => {
                    let others = own().filter_map(|((_, id), _)| state.passages.get(id));
                    let judgement = judgement.as_ref().clone();
                    passages.extend(JudgedPassage::of(read, judgement, thresholds, others, rules));
                }
            }
        }
        let named = ClaimId(point.id.0.clone());
        let notes = settle_vintages(&mut passages, thresholds);
        let mut result = EntailmentResult::of(named, passages, &unchecked, thresholds);
        result.note(&notes);
        point.verdict = result.verdict;
        point.reasoning = result.reasoning;
        all += 1;
        borne_out += usize::from(point.verdict == Verdict::Entailed);
        contradicted += usize::from(point.verdict == Verdict::Contradicted);
    }
    state.observe(
        id,
        format!("{borne_out} of {} borne out, {contradicted} contradicted", count(all, "point")),
        "a point that its quotes do not bear out is shown as such".to_owned(),
        vec![],
    );
}
