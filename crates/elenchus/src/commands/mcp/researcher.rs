//! Research for clients of the protocol: runs as `elenchus ask` makes them, kept in the same store.

use super::refused;
use crate::commands::output::lines;
use crate::commands::{place, store_path};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::ground::Ground;
use crate::kept::RunSettings;
use crate::learning::Learning;
use crate::mind::Mind;
use crate::signals::Interrupts;
use crate::ui::progress::{Line, line};
use crate::ui::terminal::Terminal;
use crate::web::WebPlan;
use crate::wire::{self, StartClock};
use elenchus_core::answer::Answer;
use elenchus_core::bank::Caller;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Options, Sources, StopReason};
use elenchus_core::pack::AUTO;
use elenchus_core::port::{Clock, RunSummary, Store};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_engine::{Controller, RunHandle};
use elenchus_io::clock::SystemClock;
use elenchus_server::mcp::ports::{Inquiry, Progress, Refusal, Researcher, Told};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Runs under way at a time: each reads, judges and may ask a model.
const MOST_AT_ONCE: usize = 4;
/// How long runs get to give their leases back when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs of this process, and those that the store keeps.
pub(super) struct Runs {
    config: Config,
    terminal: Terminal,
    interrupts: Interrupts,
    path: PathBuf,
    store: Arc<dyn Store>,
    jobs: Mutex<BTreeMap<RunId, Arc<Job>>>,
}

/// A run of this process.
struct Job {
    standing: Mutex<Standing>,
}

struct Standing {
    progress: Progress,
    controller: Option<Controller>,
    /// Whether it is to end before it has begun.
    cancelled: bool,
    gaps: BTreeMap<String, String>,
    max_rounds: u8,
}

fn now() -> Timestamp {
    SystemClock.now()
}

/// A poisoned lock holds what it held: a panic elsewhere is no reason to forget runs.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Standing {
    fn moved(&mut self, phase: &str, progress: f64, message: String) {
        phase.clone_into(&mut self.progress.phase);
        self.progress.progress = self.progress.progress.max(progress);
        self.progress.message = message;
        self.progress.updated_at = now().0;
    }

    fn ended(&mut self, status: &str, message: String) {
        status.clone_into(&mut self.progress.status);
        self.moved("done", 1.0, message);
        self.controller = None;
    }

    /// What an event of the trace says about how far the run is.
    fn event(&mut self, event: &Envelope) {
        if let TraceEvent::GapOpened { gap_id, description, .. } = &event.event {
            self.gaps.insert(gap_id.to_string(), squeeze(description));
        }
        let rounds = f64::from(self.max_rounds.max(1));
        let (phase, least) = match &event.event {
            TraceEvent::PlanningStarted { .. } => ("planning", 0.05),
            TraceEvent::RoundStarted { round, .. } => {
                self.progress.rounds = u64::from(*round);
                ("searching", 0.1 + 0.6 * (f64::from(*round) - 1.0) / rounds)
            }
            TraceEvent::SourceAdded(_) => {
                self.progress.sources += 1;
                ("searching", 0.1)
            }
            TraceEvent::ConfidenceScoringStarted { .. } => ("checking", 0.75),
            TraceEvent::ConfidenceCalculated { .. } => ("checking", 0.85),
            TraceEvent::AnswerCompleted { .. } => ("writing", 0.95),
            _ => ("", 0.0),
        };
        let phase = if phase.is_empty() { self.progress.phase.clone() } else { phase.to_owned() };
        let message = match line(&event.event, &self.gaps) {
            Some(Line::Stays(text) | Line::Passes(text)) => text,
            None => self.progress.message.clone(),
        };
        self.moved(&phase, least, message);
    }
}

impl Runs {
    pub(super) fn new(config: Config, interrupts: Interrupts, terminal: Terminal) -> Result<Self> {
        let path = store_path(None, &config)?;
        let store: Arc<dyn Store> = Arc::new(wire::store(&path)?);
        Ok(Self { config, terminal, interrupts, path, store, jobs: Mutex::default() })
    }

    fn job(&self, run: &RunId) -> Option<Arc<Job>> {
        locked(&self.jobs).get(run).cloned()
    }

    async fn summary(&self, run: &RunId) -> std::result::Result<RunSummary, Refusal> {
        let runs = self.store.runs().await.map_err(|failure| refused(failure.into()))?;
        runs.into_iter().find(|kept| kept.run_id == *run).ok_or_else(|| {
            let shown: String = run.as_str().chars().take(60).collect();
            Refusal::new(
                format!("could not find run {shown:?}"),
                "there is no such run",
                "use the run_id that research_start gave; the resources run://... name finished ones",
            )
        })
    }

    /// Stops driving what is under way, so that it can be resumed.
    pub(super) async fn suspend(&self) {
        let jobs: Vec<Arc<Job>> = locked(&self.jobs).values().cloned().collect();
        for job in &jobs {
            let mut standing = locked(&job.standing);
            standing.cancelled = true;
            if let Some(controller) = &standing.controller {
                controller.suspend();
            }
        }
        let ended = async {
            while jobs.iter().any(|job| locked(&job.standing).controller.is_some()) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        // The lease runs out by itself where it cannot be given back.
        let _ = tokio::time::timeout(LAST_WORDS, ended).await;
    }

    fn settings(&self, inquiry: &Inquiry) -> Config {
        let mut config = self.config.clone();
        config.flag("effort", "the call", inquiry.effort.clone().map(Value::Text));
        config.flag("budget.tokens", "the call", inquiry.budget_tokens.map(Value::Whole));
        config
    }

    fn begin(&self, inquiry: &Inquiry) -> std::result::Result<Progress, Refusal> {
        let config = self.settings(inquiry);
        // What cannot work is told at once, not by a run that fails.
        place(&config, false).map_err(refused)?;
        let clock = Arc::new(StartClock::new());
        let seed = RandomState::new().hash_one(std::process::id());
        let id = RunId::derive(&inquiry.question, clock.start(), seed);
        let progress = Progress {
            run_id: id.clone(),
            question: inquiry.question.clone(),
            status: "running".to_owned(),
            phase: "starting".to_owned(),
            message: "reading the documents".to_owned(),
            progress: 0.0,
            rounds: 0,
            sources: 0,
            elapsed_ms: 0,
            started_at: clock.start().0,
            updated_at: clock.start().0,
        };
        let job = Arc::new(Job {
            standing: Mutex::new(Standing {
                progress: progress.clone(),
                controller: None,
                cancelled: false,
                gaps: BTreeMap::new(),
                max_rounds: 1,
            }),
        });
        {
            let mut jobs = locked(&self.jobs);
            let running = jobs
                .values()
                .filter(|job| locked(&job.standing).progress.status == "running")
                .count();
            if running >= MOST_AT_ONCE {
                return Err(Refusal::new(
                    "could not start a run",
                    format!("{running} are under way, and no more run at once"),
                    "wait for one with research_status, or end one with research_cancel",
                ));
            }
            // What is over is read from the store.
            jobs.retain(|_, job| locked(&job.standing).progress.status == "running");
            jobs.insert(id.clone(), Arc::clone(&job));
        }
        let work = Work {
            config,
            terminal: self.terminal.clone(),
            interrupts: self.interrupts.clone(),
            path: self.path.clone(),
            store: Arc::clone(&self.store),
            clock,
            seed,
            id,
            question: inquiry.question.clone(),
            job,
        };
        tokio::spawn(work.done());
        Ok(progress)
    }
}

/// What a run is made of, apart from the server that asked for it.
struct Work {
    config: Config,
    terminal: Terminal,
    interrupts: Interrupts,
    path: PathBuf,
    store: Arc<dyn Store>,
    clock: Arc<StartClock>,
    seed: u64,
    id: RunId,
    question: String,
    job: Arc<Job>,
}

impl Work {
    async fn done(self) {
        let job = Arc::clone(&self.job);
        let ended = self.follow().await;
        let mut standing = locked(&job.standing);
        match ended {
            Ok(status) => standing.ended(status, format!("the run is {status}")),
            Err(error) => standing.ended("failed", error.message()),
        }
    }

    /// Drives the run to its end; gives its status.
    async fn follow(self) -> Result<&'static str> {
        let job = Arc::clone(&self.job);
        let Some((handle, memory)) = self.started().await? else { return Ok("interrupted") };
        let mut events = handle.events();
        {
            let mut standing = locked(&job.standing);
            standing.controller = Some(handle.controller());
            // It was cancelled between the start and now.
            if standing.cancelled {
                let controller = handle.controller();
                tokio::spawn(async move { controller.control(Control::Interrupt).await });
            }
        }
        while let Some(event) = events.next().await {
            locked(&job.standing).event(&event);
        }
        let finished = handle.join().await?;
        memory.learn(&finished, &Terminal::silent()).await;
        Ok(match finished.answer.stop_reason {
            StopReason::Failed => "failed",
            StopReason::Interrupted => "interrupted",
            _ => "finished",
        })
    }

    /// Starts it; `None` when it was cancelled before.
    async fn started(mut self) -> Result<Option<(RunHandle, Learning)>> {
        let config = &self.config;
        let terminal = Terminal::silent();
        let mind = Mind::remembering(config, true, &terminal)?;
        mind.reach(&terminal).await?;
        // The question may be a model's: addresses in it are nobody's word.
        let plan = WebPlan::of(config, "")?;
        let web = match &plan {
            Some(plan) => Some(plan.open(config, Some(&self.path))?),
            None => None,
        };
        let place = match &plan {
            Some(plan) if plan.options.sources == Sources::Web => None,
            _ => Some(place(config, false)?),
        };
        let ground = match &place {
            Some(place) => {
                let (corpus, _) =
                    place.open(&terminal)?.sync(&terminal, &mut self.interrupts).await?;
                if corpus.overview().documents == 0 && web.is_none() {
                    return Err(CliError::usage(
                        "could not start a run",
                        format!("{} holds no document that can be read", place.root.display()),
                        "name a folder of documents where the server is started: `elenchus mcp --corpus DIR`",
                    ));
                }
                Ground::documents(corpus, web)
            }
            None => Ground::of_web(web, config)?,
        };
        let options = Options {
            hypotheses: mind.speaks(),
            critique: mind.speaks(),
            pack: AUTO.to_owned(),
            both_sides: true,
            web: plan.map(|plan| plan.options),
            ..config.options()
        };
        locked(&self.job.standing).max_rounds =
            if options.autonomous { options.budget.rounds } else { 1 };
        if locked(&self.job.standing).cancelled {
            return Ok(None);
        }
        RunSettings::new(&self.id, place.as_ref(), config).save(&self.path)?;
        let judge = wire::judge(config, &terminal)?;
        let memory = Learning::open(Some(&self.path), false, config, &mind, &terminal);
        let engine =
            ground.engine(self.store, self.clock, judge, &mind).remembering(memory.beside());
        match engine.start(&self.question, options, self.seed).await {
            Ok(handle) => {
                self.terminal.say(&format!("run {} has begun", handle.run_id()));
                Ok(Some((handle, memory)))
            }
            Err(error) => {
                RunSettings::remove(&self.path, &self.id);
                Err(error.into())
            }
        }
    }
}

/// What the store tells of a run.
fn kept(run: &RunSummary) -> Progress {
    let over = matches!(run.status.as_str(), "finished" | "interrupted" | "failed");
    let words = run.stop_reason.clone().unwrap_or_else(|| run.status.clone());
    Progress {
        run_id: run.run_id.clone(),
        question: run.question.clone(),
        status: run.status.clone(),
        phase: if over { "done" } else { "searching" }.to_owned(),
        message: format!("the run is {}: {words}", run.status),
        progress: if over { 1.0 } else { 0.1 },
        rounds: 0,
        sources: 0,
        elapsed_ms: u64::try_from(run.updated_at.0 - run.started_at.0).unwrap_or(0),
        started_at: run.started_at.0,
        updated_at: run.updated_at.0,
    }
}

impl Researcher for Runs {
    fn start<'a>(&'a self, _: &'a Caller, inquiry: &'a Inquiry) -> Told<'a, Progress> {
        Box::pin(std::future::ready(self.begin(inquiry)))
    }

    fn status<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(async move {
            if let Some(job) = self.job(run) {
                let mut progress = locked(&job.standing).progress.clone();
                let until = if progress.is_over() { progress.updated_at } else { now().0 };
                progress.elapsed_ms = u64::try_from(until - progress.started_at).unwrap_or(0);
                return Ok(progress);
            }
            Ok(kept(&self.summary(run).await?))
        })
    }

    fn answer<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, Answer> {
        Box::pin(async move {
            let missing = |cause: String| {
                Refusal::new(
                    format!("could not give the answer of run {run}"),
                    cause,
                    "start it again with research_start",
                )
            };
            // One that failed before it began is in no store.
            if let Some(job) = self.job(run) {
                let progress = locked(&job.standing).progress.clone();
                if progress.status != "finished" && self.summary(run).await.is_err() {
                    return Err(missing(progress.message));
                }
            }
            let summary = self.summary(run).await?;
            let engine = wire::replaying(Arc::clone(&self.store)).map_err(refused)?;
            let (replayed, _) =
                engine.replay(&summary.run_id).await.map_err(|error| refused(error.into()))?;
            let answer = replayed.view().answer().cloned();
            answer.ok_or_else(|| missing(format!("it is {} and has none", summary.status)))
        })
    }

    fn cancel<'a>(&'a self, caller: &'a Caller, run: &'a RunId) -> Told<'a, Progress> {
        Box::pin(async move {
            let Some(job) = self.job(run) else {
                let progress = kept(&self.summary(run).await?);
                if progress.is_over() {
                    return Ok(progress);
                }
                return Err(Refusal::new(
                    format!("could not cancel run {run}"),
                    "this server does not drive it",
                    "stop it where it was started; a stopped run does nothing until it is resumed",
                ));
            };
            let controller = {
                let mut standing = locked(&job.standing);
                standing.cancelled = true;
                standing.controller.clone()
            };
            if let Some(controller) = controller {
                // It is over already when this fails.
                let _ = controller.control(Control::Interrupt).await;
            }
            self.status(caller, run).await
        })
    }

    fn runs<'a>(&'a self, _: &'a Caller) -> Told<'a, Vec<Progress>> {
        Box::pin(async move {
            let mut runs = self.store.runs().await.map_err(|failure| refused(failure.into()))?;
            runs.sort_by(|a, b| (b.started_at, &b.run_id).cmp(&(a.started_at, &a.run_id)));
            Ok(runs.iter().map(kept).collect())
        })
    }

    fn trace<'a>(&'a self, _: &'a Caller, run: &'a RunId) -> Told<'a, String> {
        Box::pin(async move {
            let events = self.store.events(run, 0).await;
            lines(&events.map_err(|failure| refused(failure.into()))?).map_err(refused)
        })
    }
}
