//! The register as agents use it.

use super::{Ask, BudgetAsk, RunLine, Runs};
use crate::http::problem::Problem;
use crate::mcp::ports::{Inquiry, Progress, Refusal, Researcher, Told};
use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, Effort};

impl From<Problem> for Refusal {
    /// For agents, who know tools and no addresses.
    fn from(problem: Problem) -> Self {
        let Problem { title, cause, way_out, code, .. } = problem;
        match code.as_str() {
            "unknown_run" => Self::new(
                title,
                "there is no such run",
                "use the run_id that research_start gave; the resources run://... name finished ones",
            ),
            "too_many_runs" => Self::new(
                title,
                cause,
                "wait for one with research_status, or end one with research_cancel",
            ),
            _ => Self::new(title, cause, way_out),
        }
    }
}

impl Runs {
    async fn told(&self, run: &RunId) -> Result<Progress, Refusal> {
        let line = self.line(run).await?;
        let (rounds, sources) = match self.record(run).await {
            Ok(record) => record.shown(|shown| (shown.rounds.len(), shown.sources.len())),
            Err(_) => (0, 0),
        };
        Ok(Progress {
            rounds: rounds as u64,
            sources: sources as u64,
            ..progress(line, self.clock.now().0)
        })
    }
}

/// How a run stands, in the words that agents know.
fn progress(line: RunLine, now: i64) -> Progress {
    let over = line.is_over();
    let until = if over { line.updated_at.0 } else { now };
    let phase = match line.stage.as_str() {
        "starting" => "starting",
        "clarify" | "plan" | "hypothesize" => "planning",
        "draft" => "writing",
        "verify" | "critique" | "revise" | "lenses" | "contrast" | "insights" => "checking",
        "done" => "done",
        _ => "searching",
    };
    let status = match line.status.as_str() {
        "waiting" | "paused" => "running".to_owned(),
        _ => line.status,
    };
    Progress {
        run_id: line.run_id,
        question: line.question,
        status,
        phase: phase.to_owned(),
        message: line.message,
        progress: line.progress,
        rounds: 0,
        sources: 0,
        elapsed_ms: u64::try_from(until - line.started_at.0).unwrap_or(0),
        started_at: line.started_at.0,
        updated_at: line.updated_at.0,
    }
}

impl Researcher for Runs {
    fn start<'a>(&'a self, _: &'a Caller, inquiry: &'a Inquiry) -> Told<'a, Progress> {
        Box::pin(async move {
            let effort = match inquiry.effort.as_deref() {
                Some("quick") => Some(Effort::Quick),
                Some("standard") => Some(Effort::Standard),
                Some("deep") => Some(Effort::Deep),
                _ => None,
            };
            let budget = BudgetAsk { tokens: inquiry.budget_tokens, ..BudgetAsk::default() };
            let ask = Ask { question: inquiry.question.clone(), effort, budget, ..Ask::default() };
            let run = Runs::start(self, &ask).await?;
            self.told(&run).await
        })
    }

    fn status<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(self.told(run))
    }

    fn answer<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Answer> {
        Box::pin(async move {
            let record = self.record(run).await?;
            if let Some(answer) = record.shown(|shown| shown.answer.clone()) {
                return Ok(*answer);
            }
            let line = self.line(run).await?;
            Err(Refusal::new(
                format!("could not give the answer of run {run}"),
                format!("it is {} and has none: {}", line.status, line.message),
                "start it again with research_start",
            ))
        })
    }

    fn cancel<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(async move {
            match self.control(run, Control::Interrupt).await {
                Ok(()) => {}
                Err(problem) if problem.code == "run_over" => {}
                Err(problem) if matches!(&*problem.code, "driven_elsewhere" | "run_stopped") => {
                    return Err(Refusal::new(
                        format!("could not cancel run {run}"),
                        "this server does not drive it",
                        "stop it where it was started; a stopped run does nothing until it is resumed",
                    ));
                }
                Err(problem) => return Err(problem.into()),
            }
            self.told(run).await
        })
    }

    fn runs<'a>(&'a self, _: &'a Caller) -> Told<'a, Vec<Progress>> {
        Box::pin(async move {
            let now = self.clock.now().0;
            Ok(self.lines().await?.into_iter().map(|line| progress(line, now)).collect())
        })
    }

    fn trace<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, String> {
        Box::pin(async move {
            let record = self.record(run).await?;
            let mut out = String::new();
            for line in record.lines(0) {
                out.push_str(&String::from_utf8_lossy(&line.json()));
                out.push('\n');
            }
            Ok(out)
        })
    }
}
