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
use elenchus_core::trace::{Envelope, Projection, Step};
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
        if let Some(reason) = &run.put_back {
            let _ = writeln!(out, "                  put back: {}", squeeze(reason));
        }
    }
    out
}

/// A trace for people, one line an event, in the words of every surface.
pub(crate) fn trace(events: &[Envelope]) -> String {
    let mut out = String::new();
    for step in Projection::of(events).map(|shown| shown.steps).unwrap_or_default() {
        let _ = writeln!(out, "{}", step_line(&step));
    }
    out
}

/// A step as one line: its number, the time, what kind it is, its id and what it says.
pub(crate) fn step_line(step: &Step) -> String {
    let clock = time::shown(step.at.0);
    let clock = clock.get(11..19).unwrap_or_default();
    let (label, id) = (step.kind.label(), &step.id);
    let named = if id.is_empty() { label.to_owned() } else { format!("{label} {id}") };
    format!("{:>4}  {clock}  {named}: {}", step.seq, squeeze(&step.text))
}
