//! Lines and listings about runs.

use super::progress::counted;
use super::terminal::{Terminal, fit};
use crate::mind::Mind;
use crate::time;
use crate::web::WebPlan;
use elenchus_core::answer::Answer;
use elenchus_core::inquiry::Options;
use elenchus_core::port::{CorpusOverview, RunSummary};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Envelope, TraceEvent};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What may be spent, before anything is.
pub(crate) fn estimate(
    overview: &CorpusOverview,
    options: &Options,
    mind: &Mind,
    web: Option<&WebPlan>,
) -> String {
    let budget = &options.budget;
    let rounds = if options.autonomous { budget.rounds } else { 1 };
    let mut limits =
        vec![counted(usize::from(rounds), "round"), counted(budget.passages as usize, "passage")];
    limits.extend(budget.model_calls.map(|calls| counted(calls as usize, "model call")));
    limits.extend(budget.tokens.map(|tokens| format!("{tokens} tokens")));
    limits.extend(budget.cost_micro_usd.map(|usd| format!("{} USD", usd as f64 / 1e6)));
    limits.extend(budget.wall_ms.map(time::lasted));
    let documents = if overview.documents == 0 && web.is_some() {
        String::new()
    } else {
        format!(
            "{}, {}; ",
            counted(overview.documents as usize, "document"),
            counted(overview.passages as usize, "passage")
        )
    };
    // With the web "nothing leaves this machine" would be wrong.
    let sent = match web {
        None => mind.sent(),
        Some(plan) if mind.sends() => format!("{}; {}", plan.sent(), mind.sent()),
        Some(plan) => format!("{}; nothing is paid for", plan.sent()),
    };
    format!("asking {}: {documents}at most {}; {sent}", squeeze(&overview.name), limits.join(", "))
}

/// What was spent, afterwards. `kept` says that the run can be looked at again.
pub(crate) fn receipt(answer: &Answer, kept: bool) -> String {
    let receipt = &answer.receipt;
    let tokens = receipt.usage.input_tokens + receipt.usage.output_tokens;
    let mut parts = vec![
        counted(usize::from(receipt.rounds), "round"),
        counted(receipt.searches as usize, "search").replace("searchs", "searches"),
        format!(
            "{} of {}",
            counted(receipt.passages as usize, "passage"),
            counted(receipt.sources as usize, "document")
        ),
        counted(receipt.model_calls as usize, "model call"),
    ];
    if tokens > 0 {
        parts.push(format!("{tokens} tokens"));
    }
    parts.push(match receipt.usage.cost_micro_usd {
        0 => "no cost".to_owned(),
        micros => format!("{:.4} USD", micros as f64 / 1e6),
    });
    let again = if kept {
        format!("; `elenchus runs show {}` shows it again", answer.run_id)
    } else {
        "; nothing was kept".to_owned()
    };
    format!(
        "{} ({}) after {}: {}{again}",
        answer.run_id,
        answer.stop_reason.name(),
        time::lasted(receipt.wall_ms),
        parts.join(", "),
    )
}

/// A listing of runs.
pub(crate) fn list(terminal: &Terminal, runs: &[RunSummary]) -> String {
    let mut out = format!("{:<16}  {:<11}  {:<23}  QUESTION\n", "RUN", "STATUS", "STARTED");
    for run in runs {
        let start = format!(
            "{:<16}  {:<11}  {:<23}  ",
            run.run_id.as_str(),
            run.status,
            time::shown(run.started_at.0)
        );
        let room = terminal.width.saturating_sub(start.chars().count()).max(20);
        out.push_str(&start);
        out.push_str(&fit(&run.question, room));
        out.push('\n');
    }
    out
}

/// A trace for people, one line an event that says something.
pub(crate) fn trace(events: &[Envelope]) -> String {
    let mut out = String::new();
    let mut gaps = BTreeMap::new();
    for event in events {
        if let TraceEvent::GapOpened { gap_id, description, .. } = &event.event {
            gaps.insert(gap_id.to_string(), squeeze(description));
        }
        let clock = time::shown(event.at.0);
        let clock = clock.get(11..19).unwrap_or_default();
        let _ = writeln!(out, "{:>4}  {clock}  {}", event.seq, told(&event.event, &gaps));
    }
    out
}

/// An event in words.
fn told(event: &TraceEvent, gaps: &BTreeMap<String, String>) -> String {
    if let Some(super::progress::Line::Stays(text) | super::progress::Line::Passes(text)) =
        super::progress::line(event, gaps)
    {
        return text;
    }
    match event {
        TraceEvent::SessionStarted { question, .. } => format!("asked: {}", squeeze(question)),
        TraceEvent::PlanningStarted { .. } => "planning".to_owned(),
        TraceEvent::ReasoningThought(thought) => {
            format!("thought {}: {}", thought.id, squeeze(&thought.content))
        }
        TraceEvent::ReasoningAction(action) => {
            format!("action {}: {}", action.id, squeeze(&action.action))
        }
        TraceEvent::ReasoningObservation(seen) => {
            format!("observed {}: {}", seen.action_id, squeeze(&seen.result))
        }
        TraceEvent::ReasoningConclusion(end) => {
            format!("concluded {}: {}", end.id, squeeze(&end.conclusion))
        }
        TraceEvent::RoundCompleted { round, new_passages, open_gaps } => format!(
            "round {round} ended: {} unseen, {} open",
            counted(*new_passages as usize, "passage"),
            counted(*open_gaps as usize, "gap")
        ),
        TraceEvent::Reflection {
            is_sufficient, answered_questions, unanswered_questions, ..
        } => format!(
            "reflected: {} answered, {} not{}",
            answered_questions.len(),
            unanswered_questions.len(),
            if *is_sufficient { "; that is enough" } else { "" }
        ),
        TraceEvent::FactsExtracted { facts, rejected } => {
            format!("{} held, {rejected} did not", counted(*facts as usize, "quote"))
        }
        TraceEvent::KnowledgeGapAnalysis(analysis) => {
            format!("gaps: {}", squeeze(&analysis.reasoning))
        }
        TraceEvent::FollowupQueryGeneration { gap_id, queries, dropped, .. } => {
            format!(
                "new queries for {gap_id}: {} ({dropped} tried before)",
                squeeze(&queries.join(" | "))
            )
        }
        TraceEvent::BudgetUpdated { rounds, passages, model_calls, .. } => format!(
            "spent so far: {}, {}, {}",
            counted(usize::from(*rounds), "round"),
            counted(*passages as usize, "passage"),
            counted(*model_calls as usize, "model call")
        ),
        TraceEvent::EntailmentChecked { checked, unchecked } => {
            format!("statements: {checked} checked, {unchecked} not")
        }
        TraceEvent::ConfidenceCalculated { overall, level } => {
            format!("confidence: {overall:.2} ({})", level.word())
        }
        TraceEvent::AnswerCompleted { answer, audit } => format!(
            "answered: {}, {}",
            counted(answer.claims.len(), "claim"),
            counted(audit.len(), "audit note")
        ),
        TraceEvent::SessionCompleted { stop_reason, .. } => {
            format!("ended: {}", stop_reason.name())
        }
        other => serde_json::to_value(other)
            .ok()
            .and_then(|value| Some(value.get("type")?.as_str()?.replace('_', " ")))
            .unwrap_or_default(),
    }
}
