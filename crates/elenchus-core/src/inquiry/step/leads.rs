//! The turn of memos: what earlier runs found is told, and where they found it is looked into too.
//!
//! They are leads. A claim needs a quote that this run read, whatever a memo says; no prompt shows any of it, and of its
//! texts only single words reach a search.

use super::recall;
use super::search::{MemoLead, RoundQuery};
use crate::graph::RecalledMemo;
use crate::inquiry::query::is_repeat;
use crate::inquiry::recall::Led;
use crate::inquiry::state::State;
use crate::prompt::PlannedQuestion;
use crate::text::{content_set, is_stop_word, stem, words};
use crate::trace::TraceEvent;
use std::collections::BTreeSet;

/// Most searches of a run that memos add.
const MOST_SEARCHES: usize = 2;
/// Most words that a memo adds to a search.
const MOST_WORDS: usize = 6;

/// The run begins: what earlier runs found that asked alike.
pub(super) fn open(state: &mut State) {
    let memos = state.opened.recalled.memos.clone();
    if memos.is_empty() {
        return;
    }
    state.emit(TraceEvent::MemosRecalled { memos: memos.clone() });
    for memo in memos {
        state.think(memo.sentence(), vec![memo.id.0.clone()]);
    }
}

/// Searches that memos add to the first round: the words that found it before, in the documents that it was found in and
/// that have not changed since. What the plan searches anyway needs no memo.
pub(super) fn round_queries(state: &State) -> Vec<RoundQuery> {
    if state.round != 1 {
        return Vec::new();
    }
    let mut queries: Vec<RoundQuery> = Vec::new();
    for memo in &state.opened.recalled.memos {
        if queries.len() == MOST_SEARCHES {
            break;
        }
        let only = paths(state, memo);
        let bearing = bearing(state, memo).filter(|_| !only.is_empty());
        let Some(question) = bearing else { continue };
        let new = |base: &str| new_words(state, memo, base);
        let Some(query) = recall::with_words(state, question, new) else { continue };
        let lead = Some(MemoLead { memo: memo.id.clone(), only });
        recall::add(&mut queries, RoundQuery { lead, ..query });
    }
    queries
}

/// A search goes out to which a memo led. It looks into a few documents only: it stands in nobody's way who would search all
/// of them with such words, and no prompt shows it.
pub(super) fn searching(state: &mut State, lead: &MemoLead, query: &RoundQuery) {
    state.recall.led.push(Led {
        memo: lead.memo.clone(),
        gap_id: query.gap_id.clone(),
        query: query.query.clone(),
    });
}

/// Documents to look into: as they were, and where the run may look.
fn paths(state: &State, memo: &RecalledMemo) -> Vec<String> {
    let holds = |parts: &[String], path: &str| {
        let path = path.to_lowercase();
        parts.iter().any(|part| path.contains(&part.to_lowercase()))
    };
    memo.usable()
        .map(|lead| &lead.path)
        .filter(|path| state.only.is_empty() || holds(&state.only, path))
        .filter(|path| !holds(&state.exclude, path))
        .cloned()
        .collect()
}

/// The planned question that shares most words with what was asked before; of equals the first.
fn bearing<'s>(state: &'s State, memo: &RecalledMemo) -> Option<&'s PlannedQuestion> {
    let about = content_set(&memo.title);
    let mut best: Option<(usize, &PlannedQuestion)> = None;
    for question in &state.plan.questions {
        let shared = content_set(&question.text).intersection(&about).count();
        if shared > best.map_or(0, |(most, _)| most) {
            best = Some((shared, question));
        }
    }
    best.map(|(_, question)| question)
}

/// Words of the searches that found it before, without those of the search they go into and of searches that are planned
/// as it is; then words of the documents' names.
fn new_words(state: &State, memo: &RecalledMemo, base: &str) -> Vec<String> {
    let planned = |query: &str| {
        let mut all = state.plan.questions.iter().flat_map(|question| &question.queries);
        all.any(|planned| is_repeat(planned, query))
    };
    let mut known = content_set(base);
    let mut new: Vec<String> = Vec::new();
    for query in memo.usable().flat_map(|lead| &lead.queries).filter(|query| !planned(query)) {
        take_words(query, &mut known, &mut new);
    }
    if !new.is_empty() {
        for lead in memo.usable() {
            let name = lead.path.rsplit_once('.').map_or(lead.path.as_str(), |(name, _)| name);
            take_words(name, &mut known, &mut new);
        }
    }
    new
}

/// Adds the words of a text that are not known yet, as long as there is room.
fn take_words(text: &str, known: &mut BTreeSet<String>, new: &mut Vec<String>) {
    for word in words(text) {
        if new.len() < MOST_WORDS && !is_stop_word(&word) && known.insert(stem(&word)) {
            new.push(word);
        }
    }
}
