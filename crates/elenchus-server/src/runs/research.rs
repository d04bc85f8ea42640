//! The register as agents use it.

use super::{Ask, BudgetAsk, RunLine, Runs};
use crate::http::problem::Problem;
use crate::http::signed;
use crate::mcp::ports::{Inquiry, Progress, Refusal, Researcher, Told};
use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, Effort, NewLimits};

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
        let mut line = self.line(run).await?;
        let now = self.clock.now();
        if line.status == "running" && !line.driven {
            // A process that was killed gives nothing back: its run is taken for running until its lease runs out.
            let until = self.summary(run).await?.held_until;
            line.message = until.map_or_else(
                || "another process drives it".to_owned(),
                |until| {
                    format!(
                        "another process drives it; if that one is gone, the run counts as stopped in {} s, and research_start \
                         with its run_id goes on with it then",
                        (until.0 - now.0).max(0).div_euclid(1_000) + 1
                    )
                },
            );
        }
        let (rounds, sources) = match self.record(run).await {
            Ok(record) => record.shown(|shown| (shown.rounds.len(), shown.sources.len())),
            Err(_) => (0, 0),
        };
        Ok(Progress { rounds: rounds as u64, sources: sources as u64, ..progress(line, now.0) })
    }
}

/// How a run stands, in the words that agents know.
fn progress(line: RunLine, now: i64) -> Progress {
    let is_stopped = line.status == "stopped";
    let until = if line.is_over() || is_stopped { line.updated_at.0 } else { now };
    let message = if is_stopped { stopped(&line) } else { line.message };
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
        message,
        progress: line.progress,
        rounds: 0,
        sources: 0,
        elapsed_ms: u64::try_from(until - line.started_at.0).unwrap_or(0),
        started_at: line.started_at.0,
        updated_at: line.updated_at.0,
    }
}

/// What is said of a run that nobody drives.
fn stopped(line: &RunLine) -> String {
    let why = line.error.as_ref().map_or_else(
        || "nobody drives it".to_owned(),
        |refusal| format!("it could not go on, {}: {}", refusal.cause, refusal.way_out),
    );
    format!("the run is stopped: {why}. research_start with run_id {} goes on with it", line.run_id)
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
            let NewLimits { rounds, passages, tokens, .. } = inquiry.limits;
            let budget = BudgetAsk { rounds, passages, tokens, ..BudgetAsk::default() };
            // Whoever names a number of rounds means them.
            let autonomous = rounds.map(|rounds| rounds > 1);
            let question = inquiry.question.clone();
            let ask = Ask { question, effort, autonomous, budget, ..Ask::default() };
            let run = Runs::start(self, &ask).await?;
            self.told(&run).await
        })
    }

    fn resume<'a>(
        &'a self,
        caller: &'a Caller,
        run: &'a RunId,
        limits: &'a NewLimits,
    ) -> Told<'a, Progress> {
        Box::pin(async move {
            if !limits.is_empty() {
                let child = self.more(run, signed(limits.clone(), caller)).await?;
                return self.told(child.as_ref().map_or(run, |child| &child.run)).await;
            }
            match Self::resume(self, run).await {
                Ok(()) => self.told(run).await,
                Err(problem) if problem.code == "driven_elsewhere" => {
                    let standing = self.told(run).await?;
                    Err(Refusal::new(
                        format!("could not go on with run {run}"),
                        standing.message,
                        "ask again with research_status, or end it with research_cancel",
                    ))
                }
                Err(problem) => Err(problem.into()),
            }
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
                Err(problem) if problem.code == "run_stopped" => {
                    return Err(Refusal::new(
                        format!("could not cancel run {run}"),
                        "nobody drives it, so it does nothing",
                        format!(
                            "leave it, or call research_start with run_id {run} to go on with it; research_cancel then ends it \
                             with what it has found"
                        ),
                    ));
                }
                Err(problem) if problem.code == "driven_elsewhere" => {
                    return Err(Refusal::new(
                        format!("could not cancel run {run}"),
                        "another process drives it and hears nothing of this server",
                        "stop it where it was started",
                    ));
                }
                Err(problem) => return Err(problem.into()),
            }
            let mut progress = self.told(run).await?;
            if !progress.is_over() {
                progress.message = format!(
                    "It was told to end, and has not ended yet: research_status tells when. Until now: {}",
                    progress.message
                );
            }
            Ok(progress)
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
