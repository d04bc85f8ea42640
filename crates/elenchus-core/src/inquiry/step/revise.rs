//! Revise: patches tied to findings change the order of the answer, once; what they make of it is verified again, and
//! refused when it is worse.

use super::{aftermath, count, counter, critique, draft, observe_failure, reply, verify};
use crate::answer::{Answer, audit, compose};
use crate::inquiry::Effect;
use crate::inquiry::critic::UnderWay;
use crate::inquiry::state::{Phase, Settled, State};
use crate::port::ModelRole;
use crate::prompt::{Fact, FactRole, ModelCall, ModelReply, Patches, ReviseInput, Severity};
use crate::scrutiny::critique::{Critique, FoundBy, points, quality};
use crate::scrutiny::revision::{
    Change, Fate, Revision, TriedPatch, Version, apply, changes, remaining, worse,
};
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde_json::json;
use std::fmt::Write;

/// Asks for patches, or hands the answer back: when it was not criticised, when nothing can be mended, or when a
/// revision was asked for before. A revised answer that comes back verified is weighed against the original.
pub(super) fn request(state: &mut State, mut answer: Answer) -> Option<Answer> {
    match state.critic.under_way.take() {
        Some(under_way) if under_way.held_anew => {
            answer = counter::conclude(state, *under_way, answer);
        }
        Some(under_way) => return Some(conclude(state, *under_way, answer)),
        None => {}
    }
    if !state.options().critique || state.critic.revised || critique::is_stopped(state) {
        return Some(answer);
    }
    let answer = counter::request(state, answer)?;
    let unused = unused(state, &answer);
    let Some(critique) = answer.critique.as_ref().filter(|c| is_mendable(c, &answer, &unused))
    else {
        return Some(answer);
    };
    let findings = critique.findings.clone();
    let about = squeeze(&state.opened.question);
    if let Some(reason) = state.spent.forbids(&state.options().budget, 1) {
        state.phase = Phase::Revise;
        let why = reason.sentence();
        state.think(
            format!("the answer to \"{about}\" stays as it is criticised, to save: {why}"),
            vec![],
        );
        return Some(answer);
    }
    state.phase = Phase::Revise;
    state.critic.revised = true;
    let input = ReviseInput {
        framing: state.framing(),
        question: state.opened.question.clone(),
        claims: critique::claims(&answer),
        sections: answer.sections.iter().map(|section| section.heading.clone()).collect(),
        passages: unused
            .iter()
            .filter_map(|fact| state.passages.get(&fact.proposed.passage_id))
            .cloned()
            .collect(),
        facts: unused,
        findings,
    };
    let parameters = json!({
        "findings": input.findings.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(),
        "unused_facts": input.facts.iter().map(|fact| fact.id.as_str()).collect::<Vec<_>>(),
    });
    let reasoning = format!(
        "{} against the answer to \"{about}\", and {} not used",
        count(input.findings.len(), "finding"),
        count(input.facts.len(), "quote")
    );
    state.request(
        Effect::Model { role: ModelRole::Strong, call: Box::new(ModelCall::Revise(input)) },
        "ask for a revision".to_owned(),
        parameters,
        reasoning,
    );
    state.composed = Some(answer);
    None
}

/// Facts that answer and that the answer does not show.
fn unused(state: &State, answer: &Answer) -> Vec<Fact> {
    state
        .facts
        .iter()
        .filter(|fact| fact.proposed.role == FactRole::Answer)
        .filter(|fact| answer.evidence.iter().all(|one| one.fact_id != fact.id))
        .cloned()
        .collect()
}

/// Whether a finding weighs enough to ask, and a patch could answer any.
fn is_mendable(critique: &Critique, answer: &Answer, unused: &[Fact]) -> bool {
    let weighs = |finding: &&crate::scrutiny::critique::Finding| {
        finding.by == FoundBy::Model || finding.severity > Severity::Minor
    };
    let mut weighty = critique.findings.iter().filter(weighs);
    let other_order = !unused.is_empty() || !answer.sections.is_empty();
    weighty.any(|finding| finding.claim_id.is_some() || other_order)
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the answer stays as it is, with its critique";
    if counter::is_under_way(&batch) {
        counter::settle(state, batch);
        return;
    }
    // Kept when the revision was asked for; there is always one.
    let Some(answer) = state.composed.take() else { return };
    let mut patches = Patches::default();
    let mut action = None;
    for settled in batch {
        let id = settled.id;
        match reply(settled) {
            Ok(ModelReply::Revise(found)) => (patches, action) = (found, Some(id)),
            Ok(_) => {
                observe_failure(state, id, "the reply was to another prompt".to_owned(), INSTEAD);
            }
            Err(error) => observe_failure(state, id, error, INSTEAD),
        }
    }
    let critique = answer.critique.clone().unwrap_or_default();
    let applied = apply(&answer, &critique, &state.facts, patches.patches);
    let mut revised = compose::compose(state, &applied.draft, answer.stop_reason);
    revised.own_order &= !applied.orders();
    let changed = applied.count() > 0 && revised.text != answer.text;
    if let Some(id) = action {
        let result = format!(
            "{} of {} applied",
            applied.count(),
            count(applied.patches.len(), "patch").replace("patchs", "patches")
        );
        let analysis = if changed { "the revised answer is verified again" } else { INSTEAD };
        let dropped = applied
            .patches
            .iter()
            .filter_map(|tried| Some((tried, tried.dropped.as_ref()?)))
            .map(|(tried, why)| format!("not done: {}: {why}", tried.patch.op.told()))
            .collect();
        state.observe(id, result, analysis.to_owned(), dropped);
    }
    if !changed {
        let answer = unchanged(state, answer, applied.patches);
        aftermath::next(state, answer);
        return;
    }
    let under_way = UnderWay { original: answer, patches: applied.patches, held_anew: false };
    state.critic.under_way = Some(Box::new(under_way));
    if verify::request(state, &mut revised) {
        state.composed = Some(revised);
    } else {
        aftermath::next(state, revised);
    }
}

/// No patch changed anything: that is told, if any was proposed.
fn unchanged(state: &mut State, mut answer: Answer, patches: Vec<TriedPatch>) -> Answer {
    if !patches.is_empty() {
        let quality = answer.critique.as_ref().and_then(|critique| critique.quality);
        let version = Version::of(&answer, quality);
        let revision = Revision {
            kept: false,
            changes: changes(&answer, &answer, &patches),
            patches,
            original: version.clone(),
            revised: version,
            explanation: "No patch that was proposed could be applied.".to_owned(),
        };
        announce(state, &revision);
        answer.revision = Some(Box::new(revision));
    }
    draft::recount(state, &mut answer);
    answer
}

/// The verified revision beside the original: the better one is given, and both are kept.
fn conclude(state: &mut State, under_way: UnderWay, mut revised: Answer) -> Answer {
    let UnderWay { mut original, patches, .. } = under_way;
    state.phase = Phase::Revise;
    let critique = original.critique.clone().unwrap_or_default();
    let mut left = remaining(&critique, &patches, critique::own(state, &revised));
    critique::weigh(state, &revised, &mut left, false);
    let rules = state.options().rules();
    let after = (critique::asserted(&revised) > 0).then(|| points(&quality(&left, rules)));
    let notes = audit(&revised, &state.grounds());
    let refused = worse(&original, &revised, &notes, (critique.quality, after));
    let changes = changes(&original, &revised, &patches);
    let (was, now) = (Version::of(&original, critique.quality), Version::of(&revised, after));
    let explanation = explanation(refused.as_deref(), &patches, &changes, (&was, &now));
    let revision = Revision {
        kept: refused.is_none(),
        patches,
        changes,
        original: was,
        revised: now,
        explanation,
    };
    announce(state, &revision);
    let mut given = if revision.kept {
        if let (Some(figures), Some(before)) = (revised.confidence.as_mut(), &original.confidence) {
            let place = |at: usize| {
                let id = &revision.revised.claims.get(at)?.id;
                let change = revision.changes.iter().find(|one| one.after.as_ref() == Some(id))?;
                original.claims.iter().position(|claim| Some(&claim.id) == change.before.as_ref())
            };
            figures.cap(before, place);
        }
        revised.critique = original.critique.take();
        state.own_order = revised.own_order;
        revised
    } else {
        original
    };
    given.revision = Some(Box::new(revision));
    draft::recount(state, &mut given);
    given
}

fn explanation(
    refused: Option<&str>,
    patches: &[TriedPatch],
    changes: &[Change],
    (was, now): (&Version, &Version),
) -> String {
    let applied = patches.iter().filter(|tried| tried.dropped.is_none()).count();
    let of = |fate: Fate| changes.iter().filter(|change| change.fate == fate).count();
    let did: Vec<String> = [Fate::Dropped, Fate::Moved, Fate::Added]
        .into_iter()
        .filter(|fate| of(*fate) > 0)
        .map(|fate| format!("{} {}", count(of(fate), "statement"), fate.name()))
        .collect();
    let did = if did.is_empty() { "headings changed".to_owned() } else { did.join(", ") };
    let mut said = format!("{applied} of {} proposed changes applied: {did}.", patches.len());
    if let (Some(was), Some(now)) = (was.quality, now.quality) {
        write!(said, " Quality {was} before, {now} after, by what is left of the findings.")
            .expect("writing to a String cannot fail");
    }
    match refused {
        Some(why) => write!(said, " The revision is refused, because {why}.")
            .expect("writing to a String cannot fail"),
        None => said.push_str(" No figure of confidence was raised by it."),
    }
    said
}

fn announce(state: &mut State, revision: &Revision) {
    let dropped = revision.patches.iter().filter(|tried| tried.dropped.is_some()).count() as u32;
    state.emit(TraceEvent::RevisionCompleted {
        kept: revision.kept,
        applied: revision.patches.len() as u32 - dropped,
        dropped,
        explanation: revision.explanation.clone(),
    });
    state.reasoning.push(state.seq);
}

/// The answer to give when the user ends the run now: a revision that is not verified yet does not count.
pub(crate) fn standing(state: &mut State, answer: Answer) -> Answer {
    state.critic.under_way.take().map_or(answer, |under_way| under_way.original)
}
