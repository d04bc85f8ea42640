//! Counter-evidence: what a critic says that nobody looked for is searched once, before the answer is revised, and the answer is held
//! against what was found. That can lower a figure, and raises none.

use super::{aftermath, count, critique, draft, observe_failure, search, verify};
use crate::answer::Answer;
use crate::id::PassageId;
use crate::inquiry::critic::UnderWay;
use crate::inquiry::query::is_repeat;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect, Outcome, egress};
use crate::port::{Hit, SearchFilter, SearchRequest};
use crate::scrutiny::critique::{FindingKind, FoundBy};
use crate::text::{content_set, squeeze};
use serde_json::json;

/// Most searches.
const SEARCHES: usize = 4;
/// Hits of one search.
const HITS: u16 = 12;
/// Most passages read.
const READ: usize = 6;

/// Searches for it, or hands the answer back: where the critic names nothing, when the turn was had, and where nothing more may be read or
/// checked.
pub(super) fn request(state: &mut State, answer: Answer) -> Option<Answer> {
    if !state.follows(Derivations::FIFTH) || state.critic.doubted {
        return Some(answer);
    }
    state.critic.doubted = true;
    let wanted = wanted(state, &answer);
    let may_check = state.opened.judging.is_some() && verify::unaffordable(state).is_none();
    if wanted.is_empty() || left(state) == 0 || !may_check {
        return Some(answer);
    }
    state.phase = Phase::Revise;
    for (finding, query) in wanted {
        state.critic.searched.push(query.clone());
        let outward = egress::decide(state, &query, false);
        let request = SearchRequest {
            query: query.clone(),
            limit: HITS,
            per_source: 0,
            per_author: 0,
            expand: true,
            filter: SearchFilter { exclude: state.exclude.clone(), only: state.only.clone() },
            outward,
            named: Vec::new(),
        };
        state.request(
            Effect::Search(request),
            format!("search for \"{query}\""),
            json!({ "query": query, "limit": HITS }),
            format!("by finding {finding} nobody looked for what would speak against the answer"),
        );
    }
    state.composed = Some(answer);
    None
}

/// Passages that may still be read.
fn left(state: &State) -> usize {
    state.options().budget.passages.saturating_sub(state.spent.passages) as usize
}

/// Searches that the critic names, with the finding of each; none that repeats one of the run.
fn wanted(state: &State, answer: &Answer) -> Vec<(String, String)> {
    let mut wanted: Vec<(String, String)> = Vec::new();
    let findings = answer.critique.iter().flat_map(|critique| &critique.findings);
    let named = findings
        .filter(|one| one.by == FoundBy::Model && one.kind == FindingKind::MissingCounterEvidence);
    for finding in named {
        for query in finding.queries.iter().map(|query| squeeze(query)) {
            let repeats = state.was_tried(&query)
                || wanted.iter().any(|(_, earlier)| is_repeat(earlier, &query));
            if !content_set(&query).is_empty() && !repeats && wanted.len() < SEARCHES {
                wanted.push((finding.id.clone(), query));
            }
        }
    }
    wanted
}

/// Whether this is what was asked for here.
pub(super) fn is_under_way(batch: &[Settled]) -> bool {
    batch.iter().any(|one| matches!(one.effect, Effect::Search(_) | Effect::Read { .. }))
}

pub(super) fn settle(state: &mut State, batch: Vec<Settled>) {
    const INSTEAD: &str = "the answer is revised by what was read before";
    let Some(mut answer) = state.composed.take() else { return };
    let mut lists: Vec<Vec<Hit>> = Vec::new();
    let mut unseen = 0;
    for Settled { id, effect, outcome } in batch {
        match (effect, outcome) {
            (Effect::Search(request), Outcome::Found(reply)) => {
                egress::searched(state, &request.query, &reply.web);
                if reply.searchable.is_some() {
                    state.searchable = reply.searchable;
                }
                let is_unread = |hit: &&Hit| !state.passages.contains_key(&hit.passage_id);
                let unread = reply.hits.iter().filter(is_unread).count();
                let analysis = match reply.hits.first() {
                    Some(best) => {
                        format!("{unread} unread; best: {} ({})", best.path, best.title)
                    }
                    None => format!("nothing in the corpus matches \"{}\"", request.query),
                };
                let analysis = search::with_failures(analysis, &reply.web);
                state.observe(id, count(reply.hits.len(), "hit"), analysis, vec![]);
                lists.push(reply.hits);
            }
            (_, Outcome::Passages { passages }) => {
                let mut paths: Vec<String> = Vec::new();
                let before = unseen;
                for read in passages {
                    if !paths.contains(&read.source.path) {
                        paths.push(read.source.path.clone());
                    }
                    unseen += usize::from(state.take_in(read));
                }
                let from = count(paths.len(), "document");
                state.observe(
                    id,
                    count(unseen - before, "unseen passage"),
                    format!("from {from}: {}", paths.join(", ")),
                    vec![],
                );
            }
            (effect, Outcome::Failed { error, .. }) => {
                // Nobody has looked by a search that failed, nor by any whose finds could not be read.
                if let Effect::Search(request) = effect {
                    state.critic.searched.retain(|query| *query != request.query);
                } else {
                    state.critic.searched.clear();
                }
                observe_failure(state, id, error, INSTEAD);
            }
            _ => observe_failure(state, id, "an outcome of another kind".to_owned(), INSTEAD),
        }
    }
    let mut chosen = Vec::new();
    search::take_in_turn(state, &lists, READ.min(left(state)), &mut chosen);
    if !chosen.is_empty() {
        let ids: Vec<&str> = chosen.iter().map(PassageId::as_str).collect();
        let parameters = json!({ "passages": ids });
        let action = format!("read {}", count(chosen.len(), "passage"));
        let about = squeeze(&answer.question);
        let reason = format!("what would speak against the answer to \"{about}\" may stand there");
        state.request(Effect::Read { passages: chosen }, action, parameters, reason);
        state.composed = Some(answer);
    } else if unseen > 0 {
        hold_anew(state, answer);
    } else {
        // Nothing unread speaks against it; that somebody has looked counts all the same.
        critique::look_again(state, &mut answer);
        draft::recount(state, &mut answer);
        aftermath::next(state, answer);
    }
}

/// The answer is held against what was read now as well. Until that is done the one before it counts.
fn hold_anew(state: &mut State, answer: Answer) {
    let mut anew = answer.clone();
    let under_way = UnderWay { original: answer, patches: Vec::new(), held_anew: true };
    state.critic.under_way = Some(Box::new(under_way));
    if verify::request(state, &mut anew) {
        state.composed = Some(anew);
    } else {
        aftermath::next(state, anew);
    }
}

/// The answer with its new figures, none of them higher; the one before it where it could not be checked.
pub(super) fn conclude(state: &mut State, under_way: UnderWay, mut anew: Answer) -> Answer {
    let mut original = under_way.original;
    state.phase = Phase::Revise;
    let unchecked = |answer: &Answer| {
        answer.confidence.as_ref().map_or(0, |figures| figures.coverage.unchecked)
    };
    if unchecked(&anew) > unchecked(&original) {
        draft::recount(state, &mut original);
        return original;
    }
    if let (Some(figures), Some(before)) = (anew.confidence.as_mut(), &original.confidence) {
        figures.cap(before, Some);
    }
    critique::look_again(state, &mut anew);
    draft::recount(state, &mut anew);
    anew
}
