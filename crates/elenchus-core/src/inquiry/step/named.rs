//! The user names a source: the next round looks into it before others.

use super::plan;
use super::search::GAPS_A_ROUND;
use crate::bank::scrub;
use crate::id::{EffectId, GapId};
use crate::inquiry::named::{NamedSource, NewSources};
use crate::inquiry::state::State;
use crate::inquiry::{Effect, Phase};
use crate::port::{SearchFilter, SearchReply, SearchRequest};
use crate::text::squeeze;
use serde_json::json;

/// Hits of a source: enough of it for a round, beside which others are read.
const HITS: u16 = 12;

/// Obeys. What was given up is looked for again, since what was searched until now may not have held it.
pub(crate) fn add(state: &mut State, new: &NewSources) {
    let mut taken = false;
    for source in new.each() {
        if !source.may_be_read(state) {
            // Without a name and a password, which stand before the host.
            let text = source.text().rsplit('@').next().unwrap_or_default();
            let shown = scrub(text).text;
            state.think(
                format!("{} is not looked into: the run may not read it", squeeze(&shown)),
                vec![],
            );
        } else if !state.named.waiting.contains(&source) {
            state.named.waiting.push(source);
            taken = true;
        }
    }
    if !taken {
        return;
    }
    let changes = state.ledger.reopen_for_source();
    plan::asked_again(state, &changes);
    state.gap_changes(changes);
    let is_planned = !matches!(state.phase, Phase::Clarify | Phase::Plan);
    if is_planned && state.ledger.active().next().is_none() {
        state.think(
            format!(
                "nothing is open that {} could answer; it is looked into once something is",
                list(&state.named.waiting)
            ),
            vec![],
        );
    }
}

/// Whether a source waits for the next round.
pub(super) fn waits(state: &State) -> bool {
    !state.named.waiting.is_empty()
}

/// Gaps that are open beside those of a round are worked on as well where a source waits that may answer them.
pub(super) fn take_up(state: &State, working: &mut Vec<GapId>) {
    if !waits(state) {
        return;
    }
    for open in state.ledger.ranked() {
        if working.len() < GAPS_A_ROUND && !working.contains(&open.gap_id) {
            working.push(open.gap_id);
        }
    }
}

/// Asks for what is open in each source that waits, in that source alone. No word of it leaves: a page is fetched by the address
/// that the user typed.
pub(super) fn request(state: &mut State) {
    if !waits(state) || state.working.is_empty() {
        return;
    }
    let gaps = state.working.iter().filter_map(|id| state.ledger.get(id));
    let missing: Vec<String> = gaps.map(|gap| squeeze(&gap.description)).collect();
    let query = missing.join(" ");
    let open = state.working.iter().map(|id| id.0.clone()).collect::<Vec<_>>().join(", ");
    for source in std::mem::take(&mut state.named.waiting) {
        let (only, named) = match &source {
            NamedSource::Document(path) => (vec![path.clone()], Vec::new()),
            NamedSource::Page(address) => (Vec::new(), vec![address.clone()]),
        };
        let parameters = match &source {
            NamedSource::Document(_) => json!({ "query": query, "limit": HITS, "only": only }),
            NamedSource::Page(page) => json!({ "query": query, "limit": HITS, "page": page }),
        };
        let request = SearchRequest {
            query: query.clone(),
            limit: HITS,
            per_source: 0,
            per_author: 0,
            expand: true,
            filter: SearchFilter { exclude: state.exclude.clone(), only },
            outward: false,
            named,
        };
        let id = state.request(
            Effect::Search(request),
            format!("look into {}", source.text()),
            parameters,
            format!("you named it, and {open} may be answered by it"),
        );
        state.named.asked.insert(id, source);
    }
}

/// The source that an effect looked into, if it was one.
pub(super) fn looked_into(state: &mut State, id: EffectId) -> Option<NamedSource> {
    state.named.asked.remove(&id)
}

/// Of what a search found what stands in the source. The filter takes parts of paths: where a document is called just so, others
/// that only have the words in their paths are not meant. How common words are in it says nothing of all there is.
pub(super) fn narrow(source: &NamedSource, reply: &mut SearchReply) {
    reply.terms.clear();
    let NamedSource::Document(path) = source else { return };
    let path = path.to_lowercase();
    if reply.hits.iter().any(|hit| hit.path.to_lowercase() == path) {
        reply.hits.retain(|hit| hit.path.to_lowercase() == path);
    }
}

/// What a search found in the source, where that is nothing.
pub(super) fn found_nothing(source: &NamedSource) -> String {
    match source {
        NamedSource::Document(path) => {
            format!(
                "no document has \"{path}\" in its path, or nothing in it bears on what is open"
            )
        }
        NamedSource::Page(page) => format!("nothing of {page} could be read"),
    }
}

/// The run is at its end: what was named and never looked into is told.
pub(super) fn unread(state: &mut State) {
    let waiting = std::mem::take(&mut state.named.waiting);
    if !waiting.is_empty() {
        state.think(format!("you named {}, and no round came to it", list(&waiting)), vec![]);
    }
}

fn list(sources: &[NamedSource]) -> String {
    sources.iter().map(NamedSource::text).collect::<Vec<_>>().join(", ")
}
