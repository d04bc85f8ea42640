//! Search: the round's queries go out together; unread hits are chosen fairly between them.

use super::{
    count, field, follow_up, hypothesize, leads, named, observe_failure, plan, pursue, read,
    recall, single_step,
};
use crate::id::{GapId, MemoId, PassageId, StrategyId};
use crate::inquiry::egress;
use crate::inquiry::query::is_repeat;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect, Effort, Outcome, StopReason};
use crate::port::{Hit, SearchFilter, SearchRequest, WebReport};
use crate::prompt::{QueryStrategy, QuestionKind};
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::BTreeSet;

/// Most gaps that one round works on.
pub(crate) const GAPS_A_ROUND: usize = 3;
/// Most searches in one round.
const SEARCHES_A_ROUND: usize = 12;
/// Hits of a search that a memo leads to: enough to look again where it was found, and no more.
const HITS_OF_A_LEAD: u16 = 4;

/// A query for a gap.
pub(crate) struct RoundQuery {
    pub(crate) gap_id: GapId,
    pub(crate) query: String,
    pub(crate) strategy: Option<QueryStrategy>,
    pub(crate) kind: QuestionKind,
    /// The lesson that it comes from.
    pub(crate) lesson: Option<StrategyId>,
    /// The memo that leads there.
    pub(crate) lead: Option<MemoLead>,
}

/// Where a memo leads.
pub(crate) struct MemoLead {
    pub(crate) memo: MemoId,
    /// Only documents whose path holds one of these.
    pub(crate) only: Vec<String>,
}

/// The first round: every planned question with its own queries, first queries first.
pub(crate) fn start_round(state: &mut State) {
    let mut queries = Vec::new();
    let most =
        state.plan.questions.iter().map(|question| question.queries.len()).max().unwrap_or(0);
    for at in 0..most {
        for question in &state.plan.questions {
            if let (Some(query), Some(gap)) =
                (question.queries.get(at), state.ledger.for_question(question.id))
            {
                queries.push(RoundQuery {
                    gap_id: gap.id.clone(),
                    query: query.clone(),
                    strategy: None,
                    kind: question.kind,
                    lesson: None,
                    lead: None,
                });
            }
        }
    }
    queries.truncate(SEARCHES_A_ROUND);
    begin(state, queries);
}

/// Starts a round with these queries. Queries that repeat one of the run are dropped here, whoever wrote them.
pub(crate) fn begin(state: &mut State, mut queries: Vec<RoundQuery>) {
    state.round += 1;
    state.spent.rounds = state.round;
    state.phase = Phase::Search;
    state.new_this_round = 0;
    state.brought.clear();
    state.working = Vec::new();
    queries.extend(recall::round_queries(state));
    queries.extend(leads::round_queries(state));
    recall::heed(state, &mut queries);
    let mut kept: Vec<RoundQuery> = Vec::new();
    for query in queries {
        if !state.working.contains(&query.gap_id) {
            state.working.push(query.gap_id.clone());
        }
        let repeats = state.was_tried(&query.query)
            || kept.iter().any(|earlier| is_repeat(&earlier.query, &query.query));
        if !repeats {
            kept.push(query);
        }
    }
    let mut working = std::mem::take(&mut state.working);
    named::take_up(state, &mut working);
    state.working = working;
    let mut texts: Vec<String> = kept.iter().map(|query| query.query.clone()).collect();
    // Verses are looked up for what is to be answered.
    let lookups =
        if pursue::is_alone(state) { Vec::new() } else { field::round_queries(state, &texts) };
    texts.extend(lookups.iter().map(|(query, _)| query.clone()));
    let tests = hypothesize::round_queries(state, &texts);
    texts.extend(tests.iter().map(|(_, query)| query.clone()));
    state.emit(TraceEvent::RoundStarted {
        round: state.round,
        gaps: state.working.clone(),
        queries: texts,
    });
    let unembedded: Vec<(GapId, String)> = state
        .ledger
        .active()
        .filter(|gap| gap.vector.is_empty())
        .map(|gap| (gap.id.clone(), gap.description.clone()))
        .collect();
    if !unembedded.is_empty() && !single_step::chosen(state) {
        let texts: Vec<String> = unembedded.iter().map(|(_, text)| text.clone()).collect();
        state.request(
            Effect::Embed { texts: texts.clone() },
            "embed the open gaps".to_owned(),
            json!({ "gaps": unembedded.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>() }),
            format!("so that another wording of \"{}\" is recognised", texts[0]),
        );
    }
    let limit = if state.options().effort == Effort::Deep { 20 } else { 12 };
    for query in kept {
        match &query.lead {
            Some(lead) => leads::searching(state, lead, &query),
            None => {
                let round = state.round;
                state.ledger.tried(&query.gap_id, &query.query, query.strategy, round);
                recall::searching(state, &query);
            }
        }
        // What a memo says stays here: it leads to documents that are here, and its words may come from private ones.
        let outward =
            query.lead.is_none() && egress::decide(state, &query.query, query.lesson.is_some());
        let only = query.lead.as_ref().map_or(&state.only, |lead| &lead.only).clone();
        let request = SearchRequest {
            query: query.query.clone(),
            limit: match query.lead {
                Some(_) => HITS_OF_A_LEAD,
                None if query.kind.wants_several() => limit * 2,
                None => limit,
            },
            // Voices should not be one voice; of a topic, one document may have the most to say.
            per_source: if query.kind == QuestionKind::Survey { 3 } else { 0 },
            per_author: if query.kind == QuestionKind::Survey { 4 } else { 0 },
            expand: true,
            filter: SearchFilter { exclude: state.exclude.clone(), only },
            outward,
            named: Vec::new(),
        };
        let mut parameters = json!({ "query": request.query, "limit": request.limit });
        if let Some(lead) = &query.lead {
            parameters["only"] = json!(lead.only);
        }
        state.request(
            Effect::Search(request),
            format!("search for \"{}\"", query.query),
            parameters,
            match (&query.lead, &query.lesson, query.strategy) {
                (Some(lead), ..) => {
                    format!(
                        "{} is open, and {} says where an earlier run found it",
                        query.gap_id, lead.memo
                    )
                }
                (None, Some(lesson), _) => {
                    format!(
                        "{} is open, and {lesson} says that such words found it before",
                        query.gap_id
                    )
                }
                (None, None, Some(strategy)) => {
                    format!("{} is still open; strategy: {}", query.gap_id, strategy.name())
                }
                (None, None, None) => format!("{} is open", query.gap_id),
            },
        );
    }
    for (query, reason) in lookups {
        let request = SearchRequest {
            query: query.clone(),
            limit: field::hits_wanted(state, &query),
            per_source: 0,
            per_author: 0,
            expand: false,
            filter: SearchFilter { exclude: state.exclude.clone(), only: state.only.clone() },
            outward: false,
            named: Vec::new(),
        };
        let parameters = json!({ "query": request.query, "limit": request.limit });
        state.request(Effect::Search(request), format!("look up {query}"), parameters, reason);
    }
    for (hypothesis, query) in tests {
        let outward = egress::decide(state, &query, false);
        let request = SearchRequest {
            query: query.clone(),
            limit,
            per_source: 0,
            per_author: 0,
            expand: true,
            filter: SearchFilter { exclude: state.exclude.clone(), only: state.only.clone() },
            outward,
            named: Vec::new(),
        };
        let parameters = json!({ "query": request.query, "limit": request.limit });
        state.request(
            Effect::Search(request),
            format!("search for \"{query}\""),
            parameters,
            format!("{hypothesis} is to be tested"),
        );
    }
    named::request(state);
    if state.pending.is_empty() {
        // Everything proposed had been tried: a round without a search is a round without a new passage.
        follow_up::nothing_new(state);
    }
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    // Hits for gaps, and those for explanations.
    let (mut lists, mut tests): (Vec<Vec<Hit>>, Vec<Vec<Hit>>) = (Vec::new(), Vec::new());
    // Hits of look-ups, and of sources that the user named: what they name is read first.
    let mut named: Vec<Vec<Hit>> = Vec::new();
    // What each search found, in its order.
    let mut asked: Vec<(String, Vec<PassageId>)> = Vec::new();
    let (mut searches, mut failures, mut last_error) = (0, 0, String::new());
    for Settled { id, effect, outcome } in batch {
        match (effect, outcome) {
            (Effect::Embed { texts }, Outcome::Embedded { vectors }) => {
                let ids: Vec<GapId> = texts
                    .iter()
                    .filter_map(|text| state.ledger.active().find(|gap| gap.description == *text))
                    .map(|gap| gap.id.clone())
                    .collect();
                state.observe(
                    id,
                    count(vectors.len(), "vector"),
                    "another wording of these gaps can be recognised by meaning".to_owned(),
                    vec![],
                );
                for (gap_id, vector) in ids.into_iter().zip(vectors) {
                    state.ledger.set_vector(&gap_id, vector);
                }
            }
            (Effect::Embed { .. }, Outcome::Failed { error, .. }) => {
                observe_failure(state, id, error, "rewordings are recognised by their words alone");
            }
            (Effect::Search(request), Outcome::Found(mut reply)) => {
                let source = named::looked_into(state, id);
                if let Some(source) = &source {
                    named::narrow(source, &mut reply);
                }
                let is_test = source.is_none() && state.board.owns(&request.query);
                let led = state.recall.led.iter().filter(|_| state.round == 1);
                let led = led
                    .filter(|led| led.query == request.query)
                    .map(|led| led.gap_id.clone())
                    .next();
                if led.is_some() {
                    // The filter takes parts of paths: "notes.md" is a part of "old-notes.md".
                    reply.hits.retain(|hit| request.filter.only.contains(&hit.path));
                }
                let hits: Vec<PassageId> =
                    reply.hits.iter().map(|hit| hit.passage_id.clone()).collect();
                let gaps = if source.is_some() {
                    state.working.clone()
                } else {
                    let gap = state.ledger.behind(&request.query, state.round).cloned().or(led);
                    gap.into_iter().collect()
                };
                for gap in gaps {
                    state.brought.entry(gap).or_default().extend(hits.iter().cloned());
                }
                asked.push((request.query.clone(), hits));
                searches += usize::from(!is_test && source.is_none());
                egress::searched(state, &request.query, &reply.web);
                if reply.searchable.is_some() {
                    state.searchable = reply.searchable;
                }
                for term in &reply.terms {
                    state.terms.insert(term.term.clone(), term.passages);
                }
                let unread = reply
                    .hits
                    .iter()
                    .filter(|hit| !state.passages.contains_key(&hit.passage_id))
                    .count();
                let absent: Vec<String> = reply
                    .terms
                    .iter()
                    .filter(|term| term.passages == 0)
                    .map(|term| format!("\"{}\" occurs nowhere in the corpus", term.term))
                    .collect();
                let analysis = match (reply.hits.first(), &source) {
                    (Some(best), _) => {
                        format!("{unread} unread; best: {} ({})", best.path, best.title)
                    }
                    (None, Some(source)) => named::found_nothing(source),
                    (None, None) => format!("nothing in the corpus matches \"{}\"", request.query),
                };
                let analysis = if state.follows(Derivations::FIFTH) {
                    with_failures(analysis, &reply.web)
                } else {
                    analysis
                };
                state.observe(id, count(reply.hits.len(), "hit"), analysis, absent);
                if source.is_some() {
                    named.push(reply.hits);
                } else if is_test {
                    tests.push(reply.hits);
                } else if field::is_lookup(state, &request.query) {
                    named.push(reply.hits);
                } else {
                    lists.push(reply.hits);
                }
            }
            (Effect::Search(request), Outcome::Failed { error, .. }) => {
                // Explanations and sources that could not be searched for end no run.
                let looked_into = named::looked_into(state, id);
                if looked_into.is_none() && !state.board.owns(&request.query) {
                    searches += 1;
                    failures += 1;
                    last_error.clone_from(&error);
                }
                observe_failure(
                    state,
                    id,
                    error,
                    &format!("\"{}\" goes unanswered in this round", request.query),
                );
            }
            (_, _) => {
                observe_failure(
                    state,
                    id,
                    "an outcome of another kind".to_owned(),
                    "it is ignored",
                );
            }
        }
    }
    if searches > 0 && failures == searches {
        state.error = Some(last_error);
        super::draft::stop(state, StopReason::Failed);
        return;
    }
    for hit in named.iter().chain(&lists).chain(&tests).flatten() {
        if !state.titles.contains(&hit.title) && state.titles.len() < 24 {
            state.titles.push(hit.title.clone());
        }
    }
    let chosen = choose(state, &named, &lists, &tests);
    for passage in &chosen {
        // The search that ranks it best is why it is read; of equals the first.
        let rank = |hits: &Vec<PassageId>| hits.iter().position(|hit| hit == passage);
        let by = asked
            .iter()
            .filter_map(|(query, hits)| rank(hits).map(|rank| (rank, query)))
            .min_by_key(|(rank, _)| *rank);
        if let Some((_, query)) = by {
            state.found_by.insert(passage.clone(), query.clone());
        }
    }
    if chosen.is_empty() {
        follow_up::nothing_new(state);
        return;
    }
    read::request(state, chosen);
}

/// What a search brought, and which of the providers could not be asked: fewer pages were found than might have been.
pub(super) fn with_failures(analysis: String, report: &WebReport) -> String {
    let failed = report.asked.iter().filter_map(|asked| {
        let error = asked.error.as_ref()?;
        Some(format!("; {} gave nothing: {}", squeeze(&asked.provider), squeeze(error)))
    });
    analysis + &failed.collect::<String>()
}

/// Unread hits, taken from each search in turn so that no query crowds out another, within the budget. A third of the
/// room is kept for the searches that test explanations; what they leave goes back to the gaps.
fn choose(
    state: &State,
    named: &[Vec<Hit>],
    lists: &[Vec<Hit>],
    tests: &[Vec<Hit>],
) -> Vec<PassageId> {
    let a_round = match state.options().effort {
        Effort::Quick => 16,
        Effort::Standard => 24,
        Effort::Deep => 48,
    };
    // Many voices need more reading than one fact.
    let survey = state.plan.questions.iter().any(|question| question.kind.wants_several());
    let a_round = if survey { a_round * 2 } else { a_round };
    let left = state.options().budget.passages.saturating_sub(state.spent.passages) as usize;
    // Later rounds must find something left to spend.
    let rounds_left = usize::from(plan::max_rounds(state).saturating_sub(state.round)) + 1;
    let share = if rounds_left > 1 { (left * if survey { 4 } else { 3 } / 5).max(1) } else { left };
    let limit = a_round.min(share).min(left);
    let kept_for_tests = if tests.is_empty() { 0 } else { limit / 3 };
    let mut chosen = Vec::new();
    take_in_turn(state, named, limit - limit / 4, &mut chosen);
    take_in_turn(state, lists, limit - kept_for_tests, &mut chosen);
    take_in_turn(state, tests, limit, &mut chosen);
    take_in_turn(state, lists, limit, &mut chosen);
    take_in_turn(state, named, limit, &mut chosen);
    chosen
}

/// Adds unread hits, the first of each list before the second of any, until `limit` are chosen.
pub(super) fn take_in_turn(
    state: &State,
    lists: &[Vec<Hit>],
    limit: usize,
    chosen: &mut Vec<PassageId>,
) {
    let mut seen: BTreeSet<PassageId> = chosen.iter().cloned().collect();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    for rank in 0..longest {
        for list in lists {
            let Some(hit) = list.get(rank) else { continue };
            if chosen.len() < limit
                && !state.passages.contains_key(&hit.passage_id)
                && seen.insert(hit.passage_id.clone())
            {
                chosen.push(hit.passage_id.clone());
            }
        }
    }
}
