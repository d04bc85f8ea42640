//! Analyze: gap analysis and fact extraction in one batch, then the ledger settles, then the stopping rules speak.

use super::{
    count, field, follow_up, named, observe_failure, pursue, reply, single_step, tie, trial,
};
use crate::evidence::{Quote, char_slice};
use crate::id::{FactId, GapId, PassageId};
use crate::inquiry::gap::{GapChange, GapReason, Opening};
use crate::inquiry::memory::GatheredInfo;
use crate::inquiry::state::{Phase, Settled, State};
use crate::inquiry::{Derivations, Effect, Outcome, StopReason};
use crate::port::ModelRole;
use crate::prompt::{
    Fact, FactRole, Facts, FactsInput, GapFindings, GapInput, ModelCall, ModelReply, ProposedFact,
    ProposedGap,
};
use crate::text::squeeze;
use crate::trace::TraceEvent;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Asks for facts when anything is relevant, for a reading of the gaps when anything is missing, and for the
/// vectors of newly noticed gaps, and has the explanations tested: all at once.
pub(crate) fn request(state: &mut State) {
    state.phase = Phase::Analyze;
    let reflection = state.reflection.clone();
    let relevant: Vec<_> = reflection
        .relevant_passage_ids
        .iter()
        .filter_map(|id| state.passages.get(id))
        .cloned()
        .collect();
    let open = state.open_questions();
    let wants_facts = !relevant.is_empty();
    let remembers = !single_step::chosen(state);
    let wants_gaps = !reflection.is_sufficient && remembers;
    let calls = u32::from(wants_facts) + u32::from(wants_gaps);
    if let Some(reason) = state.spent.forbids(&state.options().budget, calls + 1) {
        super::draft::stop(state, reason);
        return;
    }
    if wants_gaps {
        let gaps: Vec<_> = state
            .working
            .clone()
            .iter()
            .filter(|id| {
                state.ledger.get(id).is_some_and(|gap| {
                    !gap.related_question_ids
                        .iter()
                        .any(|q| reflection.answered_questions.contains(q))
                })
            })
            .filter_map(|id| state.ledger.brief(id))
            .collect();
        let input = GapInput {
            round: state.round,
            gaps: gaps.clone(),
            reflection: reflection.clone(),
            questions: open.clone(),
            passages: relevant.clone(),
            terms: state.term_counts(),
            corpus_passages: state.searchable(),
        };
        state.request(
            Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::AnalyzeGaps(input)) },
            "analyse the open gaps".to_owned(),
            json!({ "gaps": gaps.iter().map(|gap| gap.id.as_str()).collect::<Vec<_>>() }),
            format!(
                "{} unanswered after round {}",
                count(reflection.unanswered_questions.len(), "question"),
                state.round
            ),
        );
    }
    if wants_facts {
        let input = FactsInput {
            questions: open,
            passages: relevant.clone(),
            terms: state.term_counts(),
            corpus_passages: state.searchable(),
            subjects: state.opened.corpus.subjects.clone(),
        };
        state.request(
            Effect::Model { role: ModelRole::Fast, call: Box::new(ModelCall::ExtractFacts(input)) },
            format!("quote facts from {}", count(relevant.len(), "passage")),
            json!({ "passages": reflection.relevant_passage_ids }),
            format!("{} bear on the question", count(relevant.len(), "passage")),
        );
    }
    if !reflection.new_gaps_identified.is_empty() && remembers {
        let texts: Vec<String> =
            reflection.new_gaps_identified.iter().map(|gap| gap.description.clone()).collect();
        state.request(
            Effect::Embed { texts: texts.clone() },
            "embed newly noticed gaps".to_owned(),
            json!({ "texts": texts }),
            format!("to tell whether \"{}\" is new", texts[0]),
        );
    }
    trial::request(state);
    if state.pending.is_empty() {
        finish_round(state, Facts::default(), GapFindings::default(), &[]);
    }
}

pub(crate) fn settle(state: &mut State, batch: Vec<Settled>) {
    let (mut facts, mut findings, mut vectors) =
        (Facts::default(), GapFindings::default(), Vec::new());
    for settled in batch {
        let id = settled.id;
        if trial::is_trial(state, id) {
            trial::settle(state, settled);
            continue;
        }
        if let Effect::Embed { .. } = settled.effect {
            match settled.outcome {
                Outcome::Embedded { vectors: found } => {
                    state.observe(
                        id,
                        count(found.len(), "vector"),
                        "each is compared with the gaps of the ledger".to_owned(),
                        vec![],
                    );
                    vectors = found;
                }
                Outcome::Failed { error, .. } => {
                    observe_failure(
                        state,
                        id,
                        error,
                        "rewordings are recognised by their words alone",
                    );
                }
                _ => observe_failure(
                    state,
                    id,
                    "an outcome of another kind".to_owned(),
                    "it is ignored",
                ),
            }
            continue;
        }
        match reply(settled) {
            Ok(ModelReply::ExtractFacts(found)) => {
                let questions: BTreeSet<u32> =
                    found.facts.iter().map(|fact| fact.question_id).collect();
                state.observe(
                    id,
                    count(found.facts.len(), "proposed quote"),
                    format!(
                        "for {}; each is checked against its passage",
                        count(questions.len(), "question")
                    ),
                    vec![],
                );
                facts = found;
            }
            Ok(ModelReply::AnalyzeGaps(found)) => {
                let text: Vec<String> =
                    found.findings.iter().map(|f| f.reasoning.clone()).collect();
                state.observe(id, count(found.findings.len(), "finding"), text.join("; "), vec![]);
                findings = found;
            }
            Ok(_) => observe_failure(
                state,
                id,
                "the reply was to another prompt".to_owned(),
                "it is ignored",
            ),
            Err(error) => observe_failure(state, id, error, "the round counts without it"),
        }
    }
    finish_round(state, facts, findings, &vectors);
}

/// Takes facts in, settles the ledger, and decides how the run goes on.
pub(super) fn finish_round(
    state: &mut State,
    facts: Facts,
    findings: GapFindings,
    vectors: &[Vec<f32>],
) {
    let facts = field::with_both_sides(state, facts);
    take_facts(state, facts);
    resolve_answered(state);
    let noticed = if single_step::chosen(state) {
        Vec::new()
    } else {
        state.reflection.new_gaps_identified.clone()
    };
    for (at, proposed) in noticed.into_iter().enumerate() {
        propose(state, &proposed, vectors.get(at).cloned().unwrap_or_default());
    }
    settle_ledger(state, &findings);
    go_on_or_stop(state);
}

/// Checks proposed facts: the passage was read, the span and the value stand in it. What fails is counted, not used.
fn take_facts(state: &mut State, facts: Facts) {
    let (mut taken, mut rejected) = (0u32, 0u32);
    for proposed in facts.facts {
        if let Some((quote, value_text)) = checked(state, &proposed) {
            let repeat = state.facts.iter_mut().find(|fact| {
                fact.proposed.question_id == proposed.question_id
                    && fact.proposed.passage_id == proposed.passage_id
                    && fact.proposed.span == proposed.span
            });
            if let Some(known) = repeat {
                // A later reading of the same words knows more of the corpus.
                known.proposed = proposed;
                known.value_text = value_text;
                continue;
            }
            let id = FactId(format!("f{}", state.facts.len() + 1));
            let source = state
                .passages
                .get(&proposed.passage_id)
                .map(crate::evidence::ReadPassage::location);
            state.memory.gather(GatheredInfo {
                id: id.0.clone(),
                content: squeeze(&quote),
                source: source.unwrap_or_default(),
                relevance: match proposed.role {
                    FactRole::Answer => 1.0,
                    FactRole::Conflict => 0.9,
                    FactRole::Superseded => 0.6,
                    FactRole::Context => 0.4,
                },
                added_at: state.now,
            });
            state.facts.push(Fact { id, proposed, quote, value_text, round: state.round });
            taken += 1;
        } else {
            rejected += 1;
        }
    }
    if taken + rejected > 0 {
        state.emit(TraceEvent::FactsExtracted { facts: taken, rejected });
        state.reasoning.push(state.seq);
    }
    tell_conflicts(state);
    field::quoted(state);
}

fn checked(state: &State, proposed: &ProposedFact) -> Option<(String, Option<String>)> {
    let passage = &state.passages.get(&proposed.passage_id)?.passage;
    state.plan.questions.iter().find(|question| question.id == proposed.question_id)?;
    let quote = Quote::cut(passage, proposed.span)?;
    let value = match proposed.value {
        Some(span) => {
            let text = char_slice(&passage.text, span)?;
            // A value that stands elsewhere would be told as what the quote says.
            let is_quoted = proposed.span.start <= span.start && span.end <= proposed.span.end;
            if text.trim().is_empty() || (!is_quoted && state.follows(Derivations::FIFTH)) {
                return None;
            }
            Some(text.to_owned())
        }
        None => None,
    };
    Some((quote.text, value))
}

/// Tells the trace about each question whose sources disagree, once a round in which a side was found.
fn tell_conflicts(state: &mut State) {
    let mut by_question: BTreeMap<u32, Vec<&Fact>> = BTreeMap::new();
    for fact in &state.facts {
        if matches!(fact.proposed.role, FactRole::Answer | FactRole::Conflict) {
            by_question.entry(fact.proposed.question_id).or_default().push(fact);
        }
    }
    let mut events = Vec::new();
    for (question_id, facts) in by_question {
        let has_new_conflict = facts.iter().any(|f| f.proposed.role == FactRole::Conflict)
            && facts.iter().any(|f| f.round == state.round);
        if has_new_conflict {
            let sides: Vec<String> = facts
                .iter()
                .map(|fact| match &fact.value_text {
                    Some(value) => squeeze(value),
                    None => squeeze(&fact.quote),
                })
                .collect();
            events.push(TraceEvent::ContradictionFound {
                question_id,
                passages: facts.iter().map(|fact| fact.proposed.passage_id.clone()).collect(),
                summary: sides.join(" / "),
            });
        }
    }
    for event in events {
        state.emit(event);
        state.reasoning.push(state.seq);
    }
}

/// A question counts as answered only with a fact that held; then its gap is closed, or given up where the sources contradict
/// each other.
fn resolve_answered(state: &mut State) {
    let mut changes = Vec::new();
    for question in state.reflection.answered_questions.clone() {
        let has_fact = state.facts.iter().any(|fact| {
            fact.proposed.question_id == question && fact.proposed.role == FactRole::Answer
        });
        if !has_fact {
            let text =
                state.plan.questions.iter().find(|q| q.id == question).map(|q| squeeze(&q.text));
            state.think(
                format!(
                    "\"{}\" was thought answered, but no quote of round {} holds",
                    text.unwrap_or_default(),
                    state.round
                ),
                vec![format!("q{question}")],
            );
            continue;
        }
        state.answered.insert(question);
        let gaps: Vec<GapId> = state
            .ledger
            .active()
            .filter(|gap| {
                gap.related_question_ids.contains(&question)
                    && gap.related_question_ids.iter().all(|id| state.answered.contains(id))
            })
            .map(|gap| gap.id.clone())
            .collect();
        for gap_id in gaps {
            changes.extend(close(state, &gap_id));
        }
    }
    state.gap_changes(changes);
}

/// Closes a gap whose questions have all been answered: by evidence, or because the evidence contradicts itself.
fn close(state: &mut State, gap_id: &GapId) -> Option<GapChange> {
    let asked = &state.ledger.get(gap_id)?.related_question_ids;
    let tied = asked.iter().find_map(|id| tie::tie(state, *id));
    match tied {
        Some(passage) => {
            let is_worked_on = state.working.contains(gap_id);
            state.ledger.contradicted(gap_id, passage, is_worked_on)
        }
        None => state.ledger.resolve(gap_id),
    }
}

fn propose(state: &mut State, proposed: &ProposedGap, vector: Vec<f32>) {
    if proposed.description.trim().is_empty() {
        return;
    }
    // A gap that stood behind a question that does not exist could never be closed.
    let mut proposed = proposed.clone();
    proposed
        .question_ids
        .retain(|id| state.plan.questions.iter().any(|question| question.id == *id));
    match state.ledger.propose(&proposed, vector) {
        Opening::New(gap_id) => {
            state.emit(TraceEvent::GapOpened {
                gap_id,
                description: proposed.description.clone(),
                question_ids: proposed.question_ids.clone(),
            });
            state.reasoning.push(state.seq);
        }
        Opening::Known(gap_id, how) => {
            state.think(
                format!(
                    "\"{}\" is {gap_id} in other words ({}); its count goes on",
                    squeeze(&proposed.description),
                    how.because()
                ),
                vec![gap_id.0],
            );
        }
    }
}

/// Every round that leaves a worked gap open is an attempt at it; the policy decides whether it was the last.
pub(super) fn settle_ledger(state: &mut State, findings: &GapFindings) {
    if single_step::chosen(state) {
        single_step::end_round(state);
        return;
    }
    let policy = state.options().gaps;
    let mut changes: Vec<GapChange> = Vec::new();
    for gap_id in state.working.clone() {
        let finding =
            findings.findings.iter().find(|finding| finding.gap_id == gap_id).and_then(|finding| {
                let reason = finding.give_up?;
                // Only a passage that was read can be the reason.
                let passage: Option<PassageId> =
                    finding.passage_id.clone().filter(|id| state.passages.contains_key(id));
                let grounded = passage.is_some()
                    || !matches!(reason, GapReason::Unavailable | GapReason::Contradictory);
                grounded.then_some((reason, passage))
            });
        let angles_left = !state.ledger.unused_strategies(&gap_id).is_empty();
        let new = if policy.thorough { state.support_for(&gap_id) } else { state.new_this_round };
        changes.extend(state.ledger.attempt(&gap_id, new, angles_left, finding, policy));
    }
    state.gap_changes(changes);
    let (round, new) = (state.round, state.new_this_round as u32);
    let open_gaps = state.ledger.active().count() as u32;
    state.emit(TraceEvent::RoundCompleted { round, new_passages: new, open_gaps });
}

/// The stopping rules, after the ledger has settled.
pub(super) fn go_on_or_stop(state: &mut State) {
    pursue::note(state);
    let stop = stop_reason(state);
    if !single_step::chosen(state) {
        follow_up::announce(state, stop);
    }
    match stop {
        Some(reason) => super::draft::stop(state, reason),
        None => follow_up::request(state),
    }
}

pub(super) fn stop_reason(state: &State) -> Option<StopReason> {
    if single_step::chosen(state) {
        return single_step::stop_reason(state);
    }
    if state.ledger.active().next().is_none() {
        let all_answered = state.plan.questions.iter().all(|q| state.answered.contains(&q.id));
        let done = if all_answered && state.ledger.abandoned().next().is_none() {
            StopReason::Answered
        } else {
            StopReason::GapsAbandoned
        };
        return pursue::stop_reason(state, done);
    }
    let all_tried = state.ledger.active().all(|gap| gap.attempt_count > 0);
    // What was asked for later is looked for at least once.
    let waits = named::waits(state);
    if all_tried && !waits && state.board.is_settled() {
        return Some(StopReason::HypothesisConfirmed);
    }
    let budget = state.options().budget;
    if let Some(reason) = state.spent.exhausted(&budget, state.started_at, state.now) {
        return Some(reason);
    }
    if state.round >= super::plan::max_rounds(state) {
        return Some(StopReason::BudgetRounds);
    }
    if state.new_this_round == 0 && all_tried && !waits {
        return Some(StopReason::NoNewPassages);
    }
    None
}
