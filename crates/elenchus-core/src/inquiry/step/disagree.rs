//! Contradictions: what was read is searched for statements that cannot both hold, beside the checks of the answer.

use super::{count, observe_failure};
use crate::answer::{Answer, Disagreement, Evidence, Side};
use crate::evidence::{ReadPassage, Vintage, char_slice, replaced};
use crate::id::{EffectId, PassageId};
use crate::inquiry::state::State;
use crate::inquiry::{Derivations, Effect};
use crate::port::{Contradiction, Said, Spot};
use crate::prompt::FactRole;
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Contradictions that an answer tells, strongest first.
const TOLD: usize = 5;

/// Asks for contradictions among the passages that the answer is held against. Of old vintages none counts: they say
/// what was so.
pub(super) fn request(state: &mut State, held: &[PassageId]) {
    if !state.opened.judging.as_ref().is_some_and(|judging| judging.contradictions) {
        return;
    }
    let texts: Vec<Said> = read(state, held).into_iter().map(ReadPassage::said).collect();
    let groups: BTreeSet<&str> = texts.iter().map(|text| text.group.as_str()).collect();
    if groups.len() < 2 {
        return;
    }
    let reasoning = format!(
        "{} of {} may not agree",
        count(texts.len(), "passage"),
        count(groups.len(), "independent source")
    );
    let parameters = json!({ "passages": texts.len() });
    state.request(
        Effect::Contradict { texts },
        "look for contradictions".to_owned(),
        parameters,
        reasoning,
    );
}

/// The passages whose statements are held against each other, in the order in which they are asked about.
fn read<'a>(state: &'a State, held: &[PassageId]) -> Vec<&'a ReadPassage> {
    let mut seen = BTreeSet::new();
    held.iter()
        .filter(|id| seen.insert((*id).clone()))
        .filter_map(|id| state.passages.get(id))
        .filter(|read| read.source.vintage == Vintage::Current)
        .collect()
}

/// Notes what came of it: only what the answer rests on, and what it does not tell already.
pub(super) fn settle(
    state: &mut State,
    answer: &mut Answer,
    held: &[PassageId],
    id: EffectId,
    found: Result<Vec<Contradiction>, String>,
) {
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            observe_failure(
                state,
                id,
                error,
                "whether the sources contradict each other is not known",
            );
            return;
        }
    };
    let texts = read(state, held);
    // What another document replaces says what was so, too. It was asked about, so that positions are those of the journal.
    let old = if state.follows(Derivations::SECOND) {
        replaced(texts.iter().copied())
    } else {
        BTreeMap::new()
    };
    let is_old =
        |spot: Spot| texts.get(spot.item).is_some_and(|read| old.contains_key(&read.source.id));
    let mut told: Vec<Disagreement> = Vec::new();
    for one in &found {
        if told.len() < TOLD
            && !is_old(one.a)
            && !is_old(one.b)
            && one.strength.is_finite()
            && let Some(disagreement) = disagreement(answer, &texts, one)
            && !told.iter().any(|other| other.sides == disagreement.sides)
        {
            told.push(disagreement);
        }
    }
    state.observe(
        id,
        format!("{} found, {} of the answer", count(found.len(), "contradiction"), told.len()),
        "what contradicts the answer is told beside it".to_owned(),
        vec![],
    );
    for disagreement in &told {
        state.emit(TraceEvent::ContradictionFound {
            question_id: disagreement.question_id,
            passages: disagreement.sides.iter().map(|side| side.passage_id.clone()).collect(),
            summary: disagreement.summary.clone(),
        });
    }
    answer.disagreements = told;
}

/// A contradiction as the answer tells it; `None` when the answer does not rest on either side, or tells both as a
/// conflict already.
fn disagreement(
    answer: &Answer,
    texts: &[&ReadPassage],
    found: &Contradiction,
) -> Option<Disagreement> {
    let (a, b) = (side(texts, found.a)?, side(texts, found.b)?);
    let quoted = |side: &Side| {
        answer.claims.iter().find(|claim| {
            matches!(claim.role, FactRole::Answer | FactRole::Conflict)
                && claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)).any(
                    |evidence: &Evidence| {
                        evidence.passage_id == side.passage_id && evidence.span.overlaps(side.span)
                    },
                )
        })
    };
    let (first, second) = (quoted(&a), quoted(&b));
    let claim = first.or(second)?;
    if let (Some(first), Some(second)) = (first, second)
        && answer
            .conflicts
            .iter()
            .any(|note| note.claims.contains(&first.id) && note.claims.contains(&second.id))
    {
        return None;
    }
    let sides = if first.is_some() { vec![a, b] } else { vec![b, a] };
    Some(Disagreement {
        question_id: claim.question_id,
        sides,
        why: found.why.clone(),
        strength: found.strength,
        summary: found.summary.clone(),
    })
}

fn side(texts: &[&ReadPassage], spot: Spot) -> Option<Side> {
    let read = texts.get(spot.item)?;
    let quote = char_slice(&read.passage.text, spot.span)?.to_owned();
    Some(Side {
        source_id: read.source.id.clone(),
        path: read.source.path.clone(),
        location: read.location(),
        passage_id: read.passage.id.clone(),
        quote,
        span: spot.span,
        document_span: read.passage.in_document(spot.span),
    })
}
