//! Contrast: a checked answer that quotes one side of a known tension has the other side looked up, so that both can be told.

use super::{aftermath, count, observe_failure};
use crate::answer::Answer;
use crate::id::PassageId;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, Outcome, StopReason};
use crate::pack::theology::{OsisRef, verse_of};
use crate::port::{SearchFilter, SearchRequest};
use serde_json::json;

/// Most tensions whose other side is looked up here.
const MOST: usize = 4;
/// Passages read of a side: a verse in so many translations.
const TRANSLATIONS: u16 = 2;

/// Looks up what is missing. Hands the answer back when nothing is, or when the turn was had.
pub(super) fn request(state: &mut State, answer: Answer) -> Option<Answer> {
    let stopped = matches!(
        state.stop,
        Some(StopReason::Interrupted | StopReason::Failed | StopReason::FinishNow)
    );
    if !state.pack().verses || state.field.contrasted || stopped {
        return Some(answer);
    }
    state.field.contrasted = true;
    let sides = missing(state, &answer);
    let left = state.options().budget.passages.saturating_sub(state.spent.passages);
    if sides.is_empty() || left < u32::from(TRANSLATIONS) {
        return Some(answer);
    }
    state.phase = Phase::Contrast;
    for (id, side) in sides {
        state.field.looked_up.push(id.clone());
        let query = side.to_string();
        state.field.searched.push(query.clone());
        let request = SearchRequest {
            query: query.clone(),
            limit: TRANSLATIONS,
            per_source: 0,
            per_author: 0,
            expand: false,
            filter: SearchFilter { exclude: state.exclude.clone(), only: state.only.clone() },
            outward: false,
            named: Vec::new(),
        };
        let parameters = json!({ "query": query, "limit": TRANSLATIONS });
        let reason = format!("the answer quotes the other side of a known tension: {id}");
        state.request(Effect::Search(request), format!("look up {query}"), parameters, reason);
    }
    state.composed = Some(answer);
    None
}

/// The unread sides of tensions of which the answer quotes one, that were not looked up.
fn missing(state: &State, answer: &Answer) -> Vec<(String, OsisRef)> {
    let quoted: Vec<OsisRef> = answer
        .evidence
        .iter()
        .filter_map(|evidence| state.passages.get(&evidence.passage_id))
        .filter_map(verse_of)
        .collect();
    let read: Vec<OsisRef> = state.passages.values().filter_map(verse_of).collect();
    let mut sides: Vec<(String, OsisRef)> = Vec::new();
    for tension in state.pack().tensions() {
        let among = |side: OsisRef, all: &[OsisRef]| all.iter().any(|verse| verse.overlaps(side));
        let other = match (among(tension.a, &quoted), among(tension.b, &quoted)) {
            (true, _) if !among(tension.b, &read) => tension.b,
            (_, true) if !among(tension.a, &read) => tension.a,
            _ => continue,
        };
        let known = state.field.looked_up.contains(&tension.id)
            || sides.iter().any(|(_, side)| *side == other);
        if !known && sides.len() < MOST {
            sides.push((tension.id.clone(), other));
        }
    }
    sides
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the other side of the tension is named as a next step";
    let Some(mut answer) = state.composed.take() else { return };
    let mut found: Vec<PassageId> = Vec::new();
    for Settled { id, outcome, .. } in batch {
        match outcome {
            Outcome::Found(reply) => {
                let unread: Vec<PassageId> = reply
                    .hits
                    .iter()
                    .map(|hit| hit.passage_id.clone())
                    .filter(|hit| !state.passages.contains_key(hit) && !found.contains(hit))
                    .collect();
                let analysis = match reply.hits.first() {
                    Some(best) => format!("best: {} ({})", best.path, best.title),
                    None => INSTEAD.to_owned(),
                };
                state.observe(id, count(reply.hits.len(), "hit"), analysis, vec![]);
                found.extend(unread);
            }
            Outcome::Passages { passages } => {
                let mut kept = Vec::new();
                for read in passages {
                    // A search that finds no such verse finds something else.
                    let Some(verse) = verse_of(&read).filter(|verse| is_wanted(state, *verse))
                    else {
                        continue;
                    };
                    kept.push(verse.to_string());
                    state.take_in(read);
                }
                let analysis = if kept.is_empty() { INSTEAD.to_owned() } else { kept.join(", ") };
                state.observe(id, count(kept.len(), "verse"), analysis, vec![]);
            }
            Outcome::Failed { error, .. } => observe_failure(state, id, error, INSTEAD),
            _ => observe_failure(state, id, "an outcome of another kind".to_owned(), INSTEAD),
        }
    }
    let left = state.options().budget.passages.saturating_sub(state.spent.passages) as usize;
    found.truncate(left);
    if !found.is_empty() {
        let ids: Vec<&str> = found.iter().map(PassageId::as_str).collect();
        let parameters = json!({ "passages": ids });
        let reason =
            format!("to quote both sides beside \"{}\"", crate::text::squeeze(&answer.question));
        let action = format!("read {}", count(found.len(), "passage"));
        state.request(Effect::Read { passages: found }, action, parameters, reason);
        state.composed = Some(answer);
        return;
    }
    answer.receipt.searches = state.spent.searches;
    answer.receipt.passages = state.spent.passages;
    answer.receipt.sources = state.sources.len() as u32;
    answer.exploration_steps = state.next_effect - 1;
    aftermath::next(state, answer);
}

/// Whether a verse is one that was looked up.
fn is_wanted(state: &State, verse: OsisRef) -> bool {
    let wanted = verse.to_string();
    state.field.searched.iter().any(|query| query.split(' ').any(|id| id == wanted))
}
