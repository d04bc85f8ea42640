//! Steering runs: controls, resuming, challenges, tests of hypotheses, forks, deletion.

use super::ask::LONGEST_ITEM;
use super::follow::poll;
use super::port::{Task, Work};
use super::{Job, Record, Runs, Stage, is_over, locked, more};
use crate::http::problem::Problem;
use axum::http::StatusCode;
use elenchus_core::bank::scrub;
use elenchus_core::id::{HypothesisId, RunId};
use elenchus_core::inquiry::{Control, Cut, ForkFailure, NewLimits, Tested};
use elenchus_core::port::{RunSummary, StoreFailure};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_core::trace::{Envelope, RunStatus};
use elenchus_engine::{EngineError, MAX_QUESTION_CHARS, leave_control};
use std::sync::Arc;

/// A run that came of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The new run.
    pub run: RunId,
    /// The run that it is about, or that it was forked from.
    pub of: RunId,
}

impl Runs {
    /// Gives a control to a run under way, here or in another process over the same store. It is durable when this returns.
    ///
    /// # Errors
    /// When there is no such run, nobody drives it who hears of it, or its plan is not to be edited so.
    pub async fn control(&self, run: &RunId, control: Control) -> Result<(), Problem> {
        let sets_limits = matches!(control, Control::SetBudget(_));
        let names_sources = matches!(control, Control::AddSources(_));
        let given = self.given(run, control).await;
        given.map_err(|mut problem| {
            if sets_limits && matches!(problem.code.as_str(), "run_over" | "run_stopped") {
                // What takes limits however a run stands.
                "POST them to its /more: a run that stopped goes on under them, and of one that a limit ended another goes on"
                    .clone_into(&mut problem.way_out);
            }
            if names_sources && problem.code == "run_over" {
                "POST to its /fork for a run that goes on from a step of it, and name the source to that one, or start another one"
                    .clone_into(&mut problem.way_out);
            }
            problem
        })
    }

    async fn given(&self, run: &RunId, control: Control) -> Result<(), Problem> {
        let Some(job) = self.job(run).filter(|job| job.is_active()) else {
            let problem = self.not_under_way(run).await;
            // Something beside this process may drive it, or have put it to sleep.
            let may_be_elsewhere =
                matches!(problem.code.as_str(), "driven_elsewhere" | "run_stopped");
            if may_be_elsewhere {
                self.admits(run, &control).await?;
                match self.grounds.steer(run, &control).await {
                    Ok(true) => return Ok(()),
                    Ok(false) => {}
                    // One that is not theirs is reached all the same; of one of theirs the store takes nothing.
                    Err(unheard) if problem.code == "driven_elsewhere" => {
                        return self.leave(run, &control, unheard.into()).await;
                    }
                    Err(unheard) => return Err(unheard.into()),
                }
            }
            if problem.code == "driven_elsewhere" {
                return self.leave(run, &control, problem).await;
            }
            return Err(problem);
        };
        self.admits(run, &control).await?;
        let (controller, is_elsewhere) = {
            let mut standing = locked(&job.standing);
            let waits_here = standing.controller.is_none() && !standing.is_elsewhere;
            if waits_here && control == Control::Interrupt {
                standing.cancelled = true;
                return Ok(());
            }
            (standing.controller.clone(), standing.is_elsewhere)
        };
        let Some(controller) = controller else {
            // What is left for a run that waits is heard when somebody begins it, also where this process is gone by then.
            if is_elsewhere && self.grounds.steer(run, &control).await? {
                return Ok(());
            }
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "run_starting",
                format!("could not control run {run}"),
                "it is still reading the documents",
                "try again when its first event is there; an interrupt works at once",
            )
            .after(1));
        };
        match controller.control(control).await {
            // What drove it is gone; whether the run is over stands in the store.
            Err(EngineError::Over(_)) => Err(self.not_under_way(run).await),
            taken => Ok(taken?),
        }
    }

    /// Leaves a control in the store for the process that drives a run. Where that would not look for it, the problem stands.
    async fn leave(&self, run: &RunId, control: &Control, problem: Problem) -> Result<(), Problem> {
        match leave_control(&*self.store, run, control, self.clock.now()).await {
            Err(StoreFailure::NotDriven(_)) => Err(problem),
            left => Ok(left?),
        }
    }

    /// Whether a run may be told so, as far as core has a rule for it.
    async fn admits(&self, run: &RunId, control: &Control) -> Result<(), Problem> {
        if let Control::SetBudget(limits) = control {
            return limits.refusal().map_or(Ok(()), |why| Err(more::refused(run, &why)));
        }
        if let Control::AddSources(sources) = control {
            let record = self.record(run).await?;
            return match record.shown(|shown| shown.refuses_sources(sources)) {
                None => Ok(()),
                Some(why) => Err(Problem::new(
                    StatusCode::CONFLICT,
                    "sources_refused",
                    format!("could not add a source to run {run}"),
                    why.to_string(),
                    why.way_out(),
                )),
            };
        }
        let Control::EditPlan { questions } = control else { return Ok(()) };
        let record = self.record(run).await?;
        match record.shown(|shown| shown.refuses_plan(questions)) {
            None => Ok(()),
            Some(why) => Err(Problem::new(
                StatusCode::CONFLICT,
                "plan_refused",
                format!("could not edit the plan of run {run}"),
                why.to_string(),
                why.way_out(),
            )),
        }
    }

    async fn not_under_way(&self, run: &RunId) -> Problem {
        let attempted = format!("could not control run {run}");
        let conflict = |code: &str, cause: &str, way_out: &str| {
            Problem::new(StatusCode::CONFLICT, code, attempted.clone(), cause, way_out)
        };
        if let Some(job) = self.job(run)
            && matches!(locked(&job.standing).stage, Stage::Failed(_))
        {
            return conflict("run_over", "it failed before it began", "start another one");
        }
        match self.summary(run).await {
            Err(problem) => problem,
            Ok(summary) if is_over(&summary.status) => conflict(
                "run_over",
                "it is over",
                "challenge a step of it, which another run looks into, or start another one",
            ),
            Ok(summary) if summary.status == "stopped" => {
                conflict("run_stopped", "nobody drives it", "POST to its /resume, then control it")
            }
            Ok(_) => conflict(
                "driven_elsewhere",
                "another process drives it",
                "control it where it was started",
            ),
        }
    }

    /// Goes on with a run that stopped. One that was handed over is not taken from whoever has it: it is followed again, and goes
    /// on if it was paused.
    ///
    /// # Errors
    /// When there is none, it is over, another process drives it, or it cannot be asked who has it.
    pub async fn resume(&self, run: &RunId) -> Result<(), Problem> {
        self.resumed(run, None).await
    }

    /// The same under other limits, where some are set.
    pub(super) async fn resumed(
        &self,
        run: &RunId,
        limits: Option<NewLimits>,
    ) -> Result<(), Problem> {
        let attempted = format!("could not resume run {run}");
        if self.job(run).is_some_and(|job| job.is_active()) {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "run_under_way",
                attempted,
                "it is under way already",
                "follow its events",
            ));
        }
        let summary = self.summary(run).await?;
        if is_over(&summary.status) {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "run_over",
                attempted,
                format!("it is {}", summary.status),
                "read its answer, or start another run",
            ));
        }
        let is_elsewhere = self.grounds.is_elsewhere(run).await?;
        if summary.status == "running" && !is_elsewhere {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "driven_elsewhere",
                attempted,
                "another process drives it",
                "wait for it, or stop that process",
            ));
        }
        // What is known so far is read first, so that followers miss nothing.
        let record = self.record(run).await?;
        let is_paused = record.shown(|shown| shown.status == RunStatus::Paused);
        // Whoever has it elsewhere is told of them.
        let (here, theirs) = if is_elsewhere { (None, limits) } else { (limits, None) };
        let task = Task::Resume { limits: here };
        self.grounds.check(&task)?;
        self.drive(Work {
            run: run.clone(),
            question: summary.question,
            at: summary.started_at,
            seed: 0,
            task,
        })
        .await?;
        if let Some(limits) = theirs {
            self.control(run, Control::SetBudget(limits)).await?;
        }
        if is_elsewhere && is_paused {
            // Nobody need resume it twice.
            self.control(run, Control::Resume).await?;
        }
        Ok(())
    }

    /// A run that is over, with its events.
    async fn over(
        &self,
        run: &RunId,
        attempted: &str,
    ) -> Result<(RunSummary, Vec<Envelope>), Problem> {
        let summary = self.summary(run).await?;
        if !is_over(&summary.status) {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "run_not_over",
                attempted,
                format!("it is {}", summary.status),
                "wait for its end, or resume it",
            ));
        }
        let events = self.store.events(run, 0).await?;
        Ok((summary, events))
    }

    /// Doubts a step of a run: one under way answers in its critique, another one looks into one that is over.
    ///
    /// # Errors
    /// When there is no such run or step, or the doubt has no words.
    pub async fn challenge(
        &self,
        run: &RunId,
        event: u64,
        text: &str,
    ) -> Result<Option<Child>, Problem> {
        let attempted = format!("could not challenge step {event} of run {run}");
        if !text.chars().any(char::is_alphanumeric) {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "empty_challenge",
                attempted,
                "the challenge has no words",
                "say what you doubt, best as a question that the documents could answer",
            ));
        }
        let unknown = |attempted: String| {
            Problem::new(
                StatusCode::NOT_FOUND,
                "unknown_event",
                attempted,
                "there is no such event, or it only counts or announces something",
                "thoughts, actions, observations, conclusions, gaps and the answer can be challenged",
            )
        };
        let is_active = self.job(run).is_some_and(|job| job.is_active());
        if is_active || self.summary(run).await?.status == "running" {
            let record = self.record(run).await?;
            if event == 0 || event > record.told().events {
                return Err(unknown(attempted));
            }
            let text = text.to_owned();
            self.control(run, Control::Challenge { event_id: event, text }).await?;
            return Ok(None);
        }
        let (of, events) = self.over(run, &attempted).await?;
        let Some(contest) = Contest::new(run.clone(), &events, event, text) else {
            return Err(unknown(attempted));
        };
        let question = of.question.clone();
        let child = self.open(question, Task::Challenge { of, contest: Box::new(contest) }).await?;
        Ok(Some(Child { run: child, of: run.clone() }))
    }

    /// Has another run hold an explanation of a run against the evidence, whether that one is over or not.
    ///
    /// # Errors
    /// When there is no such run or explanation.
    pub async fn test(&self, run: &RunId, hypothesis: &str) -> Result<Child, Problem> {
        let record = self.record(run).await?;
        let claim = record.shown(|shown| {
            let found = shown.hypotheses.iter().find(|one| one.id.as_str() == hypothesis);
            found.map(|one| one.claim.clone())
        });
        let Some(claim) = claim else {
            return Err(Problem::unknown(
                "unknown_hypothesis",
                "hypothesis",
                hypothesis,
                "the list of hypotheses of the run names them",
            ));
        };
        self.tested(run, claim, Some(HypothesisId::from(hypothesis))).await
    }

    /// Has another run hold an explanation that a person worded against what a run stood on.
    ///
    /// # Errors
    /// When there is no such run, or the explanation has no words or too many.
    pub async fn test_own(&self, run: &RunId, claim: &str) -> Result<Child, Problem> {
        // A secret in it would be kept and searched for.
        let claim = scrub(claim.trim()).text;
        let chars = claim.chars().count();
        let cause = if !claim.chars().any(char::is_alphanumeric) {
            "the explanation has no words".to_owned()
        } else if chars > LONGEST_ITEM {
            format!("the explanation has {chars} characters")
        } else {
            return self.tested(run, claim, None).await;
        };
        Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "bad_hypothesis",
            format!("could not test an explanation beside those of run {run}"),
            cause,
            format!("say what is to be tested in a sentence of at most {LONGEST_ITEM} characters"),
        ))
    }

    async fn tested(
        &self,
        run: &RunId,
        claim: String,
        hypothesis: Option<HypothesisId>,
    ) -> Result<Child, Problem> {
        let of = self.summary(run).await?;
        let question = of.question.clone();
        let tested = Tested { parent: run.clone(), hypothesis };
        let child = self.open(question, Task::Test { of, claim, tested }).await?;
        Ok(Child { run: child, of: run.clone() })
    }

    /// Goes back to an event of a run, by its number from 1, and goes on from there in another run, which may be told what to look
    /// for too. The run itself is left as it is, whoever drives it.
    ///
    /// # Errors
    /// When there is no such run or event, the run was over with its first step, or the focus has no words or too many.
    pub async fn fork(&self, run: &RunId, at: u64, focus: Option<&str>) -> Result<Child, Problem> {
        let attempted = format!("could not fork run {run} at event {at}");
        let chars = focus.map_or(0, |focus| focus.chars().count());
        let wrong = match focus {
            Some(focus) if !focus.chars().any(char::is_alphanumeric) => {
                Some("the focus has no words".to_owned())
            }
            Some(_) if chars > MAX_QUESTION_CHARS => {
                Some(format!("the focus has {chars} characters"))
            }
            _ => None,
        };
        if let Some(cause) = wrong {
            let way_out = format!(
                "say in at most {MAX_QUESTION_CHARS} characters what to look for, or leave it out"
            );
            let (status, code) = (StatusCode::BAD_REQUEST, "bad_focus");
            return Err(Problem::new(status, code, attempted, cause, way_out));
        }
        let of = self.summary(run).await?;
        let journal = self.store.journal(run).await?;
        if let Err(cause) = Cut::at(&journal, at) {
            return Err(match cause {
                ForkFailure::UnknownEvent { last } => Problem::new(
                    StatusCode::NOT_FOUND,
                    "unknown_event",
                    attempted,
                    format!("its trace has the events 1 to {last}"),
                    "name one of them; its /trace lists them",
                ),
                ForkFailure::OverAtOnce => Problem::new(
                    StatusCode::CONFLICT,
                    "run_over",
                    attempted,
                    "it was over with its first step",
                    "start another run",
                ),
                ForkFailure::NotARun(cause) => {
                    EngineError::NotARun { run_id: run.clone(), cause }.into()
                }
            });
        }
        let question = of.question.clone();
        let focus = focus.map(str::to_owned);
        let child = self.open(question, Task::Fork { of, at, focus, limits: None }).await?;
        Ok(Child { run: child, of: run.clone() })
    }

    /// Removes a run and everything kept of it.
    ///
    /// # Errors
    /// When there is none, or it is under way.
    pub async fn delete(&self, run: &RunId) -> Result<(), Problem> {
        let under_way = || {
            Problem::new(
                StatusCode::CONFLICT,
                "run_under_way",
                format!("could not delete run {run}"),
                "it is under way",
                "interrupt it first",
            )
        };
        if self.job(run).is_some_and(|job| job.is_active()) {
            return Err(under_way());
        }
        let failed = self.job(run).is_some_and(|job| failed_early(&job));
        if !failed {
            self.summary(run).await?;
            self.store.delete(run, self.clock.now()).await?;
            self.grounds.forget(run);
        }
        self.held().forget(run);
        Ok(())
    }

    /// Has the store asked for news of a run that nobody drives here. To be called by whoever watches the record.
    pub(crate) fn watched(&self, run: &RunId, record: &Arc<Record>) {
        let driven = self.job(run).is_some_and(|job| job.is_active());
        if !driven && !record.told().ended {
            tokio::spawn(poll(Arc::clone(&self.store), run.clone(), Arc::clone(record)));
        }
    }
}

fn failed_early(job: &Job) -> bool {
    matches!(locked(&job.standing).stage, Stage::Failed(_))
}
