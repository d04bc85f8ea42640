//! Follow-up: the next gaps are chosen in code, a model proposes queries, and only those that differ are kept.

use super::search::{GAPS_A_ROUND, RoundQuery};
use super::{analyze, count, named, observe_failure, pursue, reply, search, single_step};
use crate::id::GapId;
use crate::inquiry::angles;
use crate::inquiry::gap::GapReason;
use crate::inquiry::query::{ReplacedQuery, fill_up, is_repeat, repeats, select_diverse};
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Effect, StopReason};
use crate::port::ModelRole;
use crate::prompt::{
    FollowUp, FollowUpInput, GapFindings, ModelCall, ModelReply, PlannedQuestion, ProposedQuery,
    QueryStrategy, QuestionKind,
};
use crate::text::squeeze;
use crate::trace::{GapAnalysis, GapState, GapUpdate, TraceEvent};
use serde_json::json;

/// A round that read nothing unseen: it still counts against its gaps.
pub(crate) fn nothing_new(state: &mut State) {
    state.phase = Phase::Analyze;
    let missing = if pursue::is_alone(state) {
        "the explanations".to_owned()
    } else {
        let gaps = state.working.iter().filter_map(|id| state.ledger.get(id));
        let gaps = gaps.map(|gap| format!("\"{}\"", squeeze(&gap.description)));
        gaps.collect::<Vec<_>>().join(", ")
    };
    state.think(
        format!(
            "round {} found no passage for {missing} that is not among the {} read",
            state.round,
            state.reading_order.len()
        ),
        state.working.iter().map(|gap| gap.0.clone()).collect(),
    );
    analyze::settle_ledger(state, &GapFindings::default());
    analyze::go_on_or_stop(state);
}

/// Tells the trace what the gap analysis came to.
pub(crate) fn announce(state: &mut State, stop: Option<StopReason>) {
    let next = state.ledger.ranked().into_iter().next();
    let gap_status = match &next {
        None => GapState::Complete,
        Some(next) if state.working.contains(&next.gap_id) => GapState::Continuing,
        Some(next) if state.ledger.get(&next.gap_id).is_some_and(|gap| gap.attempt_count == 0) => {
            GapState::New
        }
        Some(_) => GapState::Switching,
    };
    let reasoning = match (&stop, &next) {
        (None, Some(next)) => format!("{}: {}", next.gap_id, next.because),
        (Some(stop), _) => format!(
            "{} ({} open, {} given up)",
            stop.sentence(),
            state.ledger.active().count(),
            state.ledger.abandoned().count()
        ),
        (None, None) => pursue::told(state),
    };
    let updates = state
        .working
        .iter()
        .filter_map(|id| state.ledger.get(id))
        .map(|gap| GapUpdate {
            gap_id: gap.id.clone(),
            status: gap.status,
            attempt_count: gap.attempt_count,
            dry_rounds: gap.dry_rounds,
            reason: gap.reason,
        })
        .collect();
    state.emit(TraceEvent::KnowledgeGapAnalysis(GapAnalysis {
        should_continue_research: stop.is_none(),
        next_gap_to_research: if stop.is_none() { next.map(|next| next.gap_id) } else { None },
        gap_status,
        reasoning,
        updates,
    }));
    state.reasoning.push(state.seq);
}

/// Asks for queries for the gaps of the next round. A gap that was never searched has its plan's queries.
pub(crate) fn request(state: &mut State) {
    if single_step::chosen(state) {
        single_step::follow(state);
        return;
    }
    state.phase = Phase::FollowUp;
    let chosen: Vec<GapId> = state
        .ledger
        .ranked()
        .into_iter()
        .take(GAPS_A_ROUND)
        .map(|decision| decision.gap_id)
        .collect();
    let calls = chosen.iter().filter(|id| !is_fresh(state, id)).count() as u32;
    if let Some(reason) = state.spent.forbids(&state.options().budget, calls + 1) {
        super::draft::stop(state, reason);
        return;
    }
    for gap_id in &chosen {
        if is_fresh(state, gap_id) {
            continue;
        }
        let Some(gap) = state.ledger.brief(gap_id) else { continue };
        let questions = questions_of(state, &gap.question_ids);
        let input = FollowUpInput {
            gap: gap.clone(),
            questions,
            unused_strategies: state.ledger.unused_strategies(gap_id),
            terms: state.term_counts(),
            subjects: state.opened.corpus.subjects.clone(),
            titles: state.titles.clone(),
            memory: state.context(),
        };
        state.request(
            Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::FollowUp(input)) },
            format!("write other queries for {gap_id}"),
            json!({ "gap": gap_id, "tried": gap.previous_queries }),
            format!(
                "{} left it open: \"{}\"",
                count(gap.previous_queries.len(), "query").replace("querys", "queries"),
                gap.description
            ),
        );
    }
    if state.pending.is_empty() {
        start(state, Vec::new());
    }
}

fn is_fresh(state: &State, id: &GapId) -> bool {
    state.ledger.get(id).is_some_and(|gap| gap.previous_queries.is_empty())
}

fn questions_of(state: &State, ids: &[u32]) -> Vec<PlannedQuestion> {
    state.plan.questions.iter().filter(|question| ids.contains(&question.id)).cloned().collect()
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    let mut replies = Vec::new();
    for settled in batch {
        let id = settled.id;
        let gap_id = match &settled.effect {
            Effect::Model { call, .. } => match call.as_ref() {
                ModelCall::FollowUp(input) => input.gap.id.clone(),
                _ => continue,
            },
            _ => continue,
        };
        match reply(settled) {
            Ok(ModelReply::FollowUp(follow_up)) => replies.push((id, gap_id, follow_up)),
            Ok(_) => {
                observe_failure(
                    state,
                    id,
                    "the reply was to another prompt".to_owned(),
                    "no new query for this gap",
                );
                replies.push((id, gap_id, FollowUp::default()));
            }
            Err(error) => {
                observe_failure(state, id, error, "no new query for this gap");
                replies.push((id, gap_id, FollowUp::default()));
            }
        }
    }
    let mut queries = Vec::new();
    for (id, gap_id, follow_up) in replies {
        let tried: Vec<String> = state
            .ledger
            .gaps()
            .iter()
            .flat_map(|gap| gap.previous_queries.iter().map(|tried| tried.query.clone()))
            .chain(state.board.searched().map(str::to_owned))
            .chain(queries.iter().map(|query: &RoundQuery| query.query.clone()))
            .collect();
        let unused = state.ledger.unused_strategies(&gap_id);
        let mut kept = select_diverse(&follow_up.queries, &tried, &unused);
        let dropped = (follow_up.queries.len() - kept.len()) as u32;
        let proposed = kept.len();
        let replaced = replace(state, &gap_id, &follow_up.queries, &mut kept, &tried, &unused);
        let added = match kept.len() - proposed {
            0 => String::new(),
            added => format!("; {added} made from the gap's own words"),
        };
        state.observe(
            id,
            format!("{proposed} of {} proposed queries kept{added}", follow_up.queries.len()),
            kept.iter().map(|query| query.query.clone()).collect::<Vec<_>>().join("; "),
            vec![],
        );
        state.emit(TraceEvent::FollowupQueryGeneration {
            gap_id: gap_id.clone(),
            queries: kept.iter().map(|query| query.query.clone()).collect(),
            strategies: kept.iter().map(|query| query.strategy).collect(),
            query_strategy: kept.first().map(|query| query.strategy),
            rationale: follow_up.rationale,
            dropped,
            replaced,
        });
        state.reasoning.push(state.seq);
        if kept.is_empty() {
            if named::waits(state) {
                // What was named is looked into for it.
                continue;
            }
            let change = state.ledger.abandon(&gap_id, GapReason::NoNewEvidence);
            state.gap_changes(change.into_iter().collect());
            continue;
        }
        let kind = kind_of(state, &gap_id);
        queries.extend(kept.into_iter().map(|query| RoundQuery {
            gap_id: gap_id.clone(),
            query: query.query,
            strategy: Some(query.strategy),
            kind,
            lesson: None,
            lead: None,
        }));
    }
    start(state, queries);
}

/// Puts searches that code makes in the place of those that repeat an earlier one, until there are enough; only when no
/// other is left is a gap searched thoroughly. What was proposed, and what stands in its place, is told.
fn replace(
    state: &State,
    gap_id: &GapId,
    proposed: &[ProposedQuery],
    kept: &mut Vec<ProposedQuery>,
    tried: &[String],
    unused: &[QueryStrategy],
) -> Vec<ReplacedQuery> {
    let mut replaced = repeats(proposed, tried);
    let gap = state.ledger.get(gap_id).filter(|_| state.options().gaps.thorough);
    if let Some(gap) = gap {
        let questions = questions_of(state, &gap.related_question_ids);
        let subjects = &state.opened.corpus.subjects;
        let others =
            angles::candidates(&gap.description, &questions, subjects, &state.term_counts());
        let was_searched = |query: &str| {
            state.was_tried(query) || tried.iter().any(|earlier| is_repeat(earlier, query))
        };
        fill_up(kept, &mut replaced, &others, was_searched, unused);
    }
    replaced
}

/// What the questions behind a gap ask for; of several, the one that wants more.
fn kind_of(state: &State, gap_id: &GapId) -> QuestionKind {
    let gap = state.ledger.get(gap_id);
    let asked = gap.map(|gap| questions_of(state, &gap.related_question_ids)).unwrap_or_default();
    let kinds = asked.iter().map(|question| question.kind);
    kinds.into_iter().find(|kind| kind.wants_several()).unwrap_or_default()
}

/// Starts the next round with these queries and those of gaps that were never searched; without any, one for the explanations.
fn start(state: &mut State, mut queries: Vec<RoundQuery>) {
    for decision in state.ledger.ranked() {
        let gap_id = decision.gap_id;
        if !is_fresh(state, &gap_id) || queries.iter().any(|query| query.gap_id == gap_id) {
            continue;
        }
        let Some(gap) = state.ledger.get(&gap_id) else { continue };
        let planned: Vec<String> = questions_of(state, &gap.related_question_ids)
            .into_iter()
            .flat_map(|question| question.queries)
            .collect();
        let texts = if planned.iter().all(|query| state.ledger.was_tried(query)) {
            vec![gap.description.clone()]
        } else {
            planned
        };
        let kind = kind_of(state, &gap_id);
        queries.extend(texts.into_iter().take(3).map(|query| RoundQuery {
            gap_id: gap_id.clone(),
            query,
            strategy: None,
            kind,
            lesson: None,
            lead: None,
        }));
    }
    if queries.is_empty() && !(named::waits(state) && state.ledger.active().next().is_some()) {
        let reason = if state.ledger.active().next().is_none() {
            pursue::stop_reason(state, StopReason::GapsAbandoned)
        } else {
            Some(StopReason::NoNewPassages)
        };
        if let Some(reason) = reason {
            super::draft::stop(state, reason);
            return;
        }
    }
    // Fewer rounds may have been set while the queries were asked for.
    if state.round >= super::plan::max_rounds(state) {
        super::draft::stop(state, StopReason::BudgetRounds);
        return;
    }
    search::begin(state, queries);
}
