//! The register of runs: those that this process drives, and those that the store keeps.
//!
//! A run belongs to nobody's connection: it goes on when clients leave, and what is known of it is written once for all who
//! read it.

mod ask;
mod follow;
mod linked;
mod more;
mod port;
mod record;
mod research;
mod set_up;
mod steer;

pub use ask::{Ask, BudgetAsk, ModeWord, WebAsk};
pub use linked::{Because, Linked};
pub use port::{Begun, Coming, Grounds, Heard, Learn, Task, Unheard, Work};
pub(crate) use record::{Record, Told};
pub use set_up::{Service, Setting};
pub use steer::Child;

use crate::http::problem::Problem;
use crate::mcp::ports::Refusal;
use axum::http::StatusCode;
use elenchus_core::bank::scrub;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{Claim, Clock, RunQuery, RunSummary, Store, StoreFailure};
use elenchus_core::trace::Projection;
use elenchus_engine::Controller;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Runs under way at a time where nobody says otherwise: each reads, judges and may ask a model.
pub const MOST_AT_ONCE: usize = 4;
/// Runs that are over whose events are kept in memory.
const MOST_RECORDS: usize = 24;
/// Runs that failed before they began, of which the store knows nothing.
const MOST_FAILED: usize = 50;
/// How long runs get to give their leases back when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RunLine {
    /// The run.
    pub run_id: RunId,
    /// What was asked.
    pub question: String,
    /// `running`, `waiting` (it asked something back), `paused`, `stopped` (nobody drives it: it can be resumed), `finished`,
    /// `interrupted` or `failed`.
    pub status: String,
    /// What it does, by the name of the phase.
    pub stage: String,
    /// The same in words.
    pub message: String,
    /// How far it is at least, in `[0, 1]`.
    pub progress: f64,
    /// When it started, in milliseconds since the epoch.
    pub started_at: Timestamp,
    /// When anything was last recorded, likewise.
    pub updated_at: Timestamp,
    /// Events so far.
    pub events: u64,
    /// Whether this server drives it, or follows it where it was handed over to.
    pub driven: bool,
    /// Why it stopped, once it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// Why it could not begin or go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
}

impl RunLine {
    /// Whether the run has come to its end.
    pub fn is_over(&self) -> bool {
        is_over(&self.status)
    }

    /// Whether anybody drives it at this moment: this server, or another process over the same store.
    pub(crate) fn is_under_way(&self) -> bool {
        self.driven || self.status == "running"
    }
}

fn is_over(status: &str) -> bool {
    matches!(status, "finished" | "interrupted" | "failed")
}

/// A run of this process.
struct Job {
    run: RunId,
    question: String,
    at: Timestamp,
    record: Arc<Record>,
    standing: Mutex<Standing>,
}

#[derive(Default)]
struct Standing {
    stage: Stage,
    controller: Option<Controller>,
    /// Whether it is to end before it has begun.
    cancelled: bool,
    /// How driving it ends as soon as it has begun: this process stops.
    parted: Option<fn(&Controller)>,
    /// Whether it was handed over: it goes on without this process, and is only followed.
    is_elsewhere: bool,
    progress: f64,
}

#[derive(Default)]
enum Stage {
    /// Documents are read, or whoever it was handed over to has not begun it.
    #[default]
    Preparing,
    /// Under way.
    Driven,
    /// It could not begin; the store knows nothing of it.
    Failed(Refusal),
    /// It could not go on; the store keeps it.
    Stopped(Refusal),
    /// Over, or given back.
    Gone,
}

/// A poisoned lock holds what it held: a panic elsewhere is no reason to forget runs.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Job {
    fn is_active(&self) -> bool {
        let standing = locked(&self.standing);
        match standing.stage {
            Stage::Preparing => true,
            // What is driven elsewhere is followed a little beyond its end, to hear what became of the memory.
            Stage::Driven => !standing.is_elsewhere || !self.record.shown(Projection::is_over),
            Stage::Failed(_) | Stage::Stopped(_) | Stage::Gone => false,
        }
    }

    fn controller(&self) -> Option<Controller> {
        locked(&self.standing).controller.clone()
    }
}

#[derive(Default)]
struct Held {
    jobs: BTreeMap<RunId, Arc<Job>>,
    records: BTreeMap<RunId, Arc<Record>>,
    /// Runs whose records are held, the least lately used first.
    recent: VecDeque<RunId>,
}

impl Held {
    /// Forgets a run, and ends whoever reads along.
    fn forget(&mut self, run: &RunId) {
        self.jobs.remove(run);
        if let Some(record) = self.records.remove(run) {
            record.set_ended(true);
        }
        self.recent.retain(|known| known != run);
    }
}

/// The register.
pub struct Runs {
    grounds: Arc<dyn Grounds>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    most: usize,
    held: Arc<Mutex<Held>>,
}

impl Runs {
    /// A register over a store. Runs are made by `grounds`.
    pub fn new(grounds: Arc<dyn Grounds>, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self { grounds, store, clock, most: MOST_AT_ONCE, held: Arc::default() }
    }

    /// The same with another limit of runs at once.
    #[must_use]
    pub fn at_most(mut self, runs: usize) -> Self {
        self.most = runs.max(1);
        self
    }

    /// Where runs are kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// What makes runs.
    pub fn grounds(&self) -> &Arc<dyn Grounds> {
        &self.grounds
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        locked(&self.held)
    }

    fn job(&self, run: &RunId) -> Option<Arc<Job>> {
        self.held().jobs.get(run).cloned()
    }

    /// How many run now.
    pub fn under_way(&self) -> usize {
        self.held().jobs.values().filter(|job| job.is_active()).count()
    }

    /// Starts a run; it has its id at once, and documents are read afterwards. One that is driven elsewhere is durable there.
    ///
    /// # Errors
    /// When nothing is asked, when what is asked cannot work, when too many run already, or when nobody takes it over.
    pub async fn start(&self, ask: &Ask) -> Result<RunId, Problem> {
        let work = self.prepared(ask)?;
        let run = work.run.clone();
        self.drive(work).await?;
        Ok(run)
    }

    /// What a request asks for, checked.
    fn prepared(&self, ask: &Ask) -> Result<Work, Problem> {
        // A secret in a question would be kept and searched for.
        let question = scrub(ask.question.trim()).text;
        if !question.chars().any(char::is_alphanumeric) {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "bad_question",
                "could not start a run",
                "the question has no words",
                "ask something in words",
            ));
        }
        let chars = question.chars().count();
        if chars > elenchus_engine::MAX_QUESTION_CHARS {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "bad_question",
                "could not start a run",
                format!("the question has {chars} characters"),
                format!("shorten it to at most {}", elenchus_engine::MAX_QUESTION_CHARS),
            ));
        }
        ask.check()?;
        let ask = Ask { question: question.clone(), ..ask.clone() };
        self.work(question, Task::Ask(Box::new(ask)))
    }

    /// Starts a run, or gives the one that the same request started before, in this process or another on the same store.
    ///
    /// # Errors
    /// See [`Runs::start`]; and when `key` came with another request before, or the store does not answer.
    pub async fn start_once(
        &self,
        ask: &Ask,
        key: &str,
        request: &str,
    ) -> Result<(RunId, bool), Problem> {
        let work = self.prepared(ask)?;
        let run = work.run.clone();
        let claim = Claim { request: request.to_owned(), run_id: run.clone() };
        let mut noted = self.store.claim_key(key, &claim, None, work.at).await?;
        if noted.request == request && noted.run_id != run && !self.is_known(&noted.run_id).await? {
            // The process that noted it ended before the run had begun.
            let instead_of = Some(&noted.run_id);
            noted = self.store.claim_key(key, &claim, instead_of, work.at).await?;
        }
        if noted.request != request {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "key_reused",
                "could not start a run",
                "its Idempotency-Key came with another request before",
                "send a new key with a new request",
            ));
        }
        if noted.run_id != run {
            return Ok((noted.run_id, false));
        }
        if let Err(problem) = self.drive(work).await {
            // The same request may be sent again; if that cannot be noted, it begins another run then.
            let _ = self.store.free_key(key, &run).await;
            return Err(problem);
        }
        Ok((run, true))
    }

    /// Whether there is such a run, here, in the store, or where it was handed over to.
    async fn is_known(&self, run: &RunId) -> Result<bool, Problem> {
        if self.job(run).is_some() {
            return Ok(true);
        }
        match self.store.run(run).await {
            Ok(_) => Ok(true),
            Err(StoreFailure::UnknownRun(_)) => Ok(self.grounds.is_elsewhere(run).await?),
            Err(failure) => Err(failure.into()),
        }
    }

    /// Checks a task, and gives it a new id.
    fn work(&self, question: String, task: Task) -> Result<Work, Problem> {
        self.grounds.check(&task)?;
        let at = self.clock.now();
        let seed = RandomState::new().hash_one(std::process::id());
        let run = RunId::derive(&question, at, seed);
        Ok(Work { run, question, at, seed, task })
    }

    /// Checks a task and begins it under a new id.
    async fn open(&self, question: String, task: Task) -> Result<RunId, Problem> {
        let work = self.work(question, task)?;
        let run = work.run.clone();
        self.drive(work).await?;
        Ok(run)
    }

    /// Hands a run over or drives it, in a task of its own: whoever asked may go away. Returns when the run has somebody.
    async fn drive(&self, work: Work) -> Result<(), Problem> {
        let job = self.enter(&work)?;
        let (grounds, held) = (Arc::clone(&self.grounds), Arc::clone(&self.held));
        let (told, heard) = oneshot::channel();
        let attempted = format!("could not begin run {}", work.run);
        tokio::spawn(async move {
            let handed = grounds.hand_over(&work).await;
            match handed {
                Ok(coming) => {
                    locked(&job.standing).is_elsewhere = coming.is_some();
                    // Whoever asked may have gone away.
                    let _ = told.send(Ok(()));
                    follow::follow(grounds, work, coming, job).await;
                }
                Err(unheard) => {
                    withdrawn(&mut locked(&held), &job);
                    let _ = told.send(Err(unheard));
                }
            }
        });
        match heard.await {
            Ok(taken) => Ok(taken?),
            Err(_) => Err(Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "engine",
                attempted,
                "the task that was to begin it failed",
                "this is a defect of elenchus, report it",
            )),
        }
    }

    /// Enters a run that is to begin or to go on, if there is room for it.
    fn enter(&self, work: &Work) -> Result<Arc<Job>, Problem> {
        let record = self.record_of(&work.run);
        let job = Arc::new(Job {
            run: work.run.clone(),
            question: work.question.clone(),
            at: work.at,
            record,
            standing: Mutex::default(),
        });
        {
            let mut held = self.held();
            let running = held.jobs.values().filter(|job| job.is_active()).count();
            if held.jobs.get(&work.run).is_some_and(|job| job.is_active()) {
                return Err(Problem::new(
                    StatusCode::CONFLICT,
                    "run_under_way",
                    format!("could not go on with run {}", work.run),
                    "it is under way already",
                    "follow its events",
                ));
            }
            if running >= self.most {
                return Err(Problem::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "too_many_runs",
                    "could not start a run",
                    format!("{running} are under way, and at most {} run at once", self.most),
                    "wait for one to end, or end one; the setting `serve.runs` of the server says how many may be under way",
                )
                .after(10));
            }
            // What is over is read from the store.
            let failed = held
                .jobs
                .values()
                .filter(|job| !job.is_active())
                .map(|job| (job.at, job.run.clone()))
                .collect::<std::collections::BTreeSet<_>>();
            for (_, run) in failed.iter().rev().skip(MOST_FAILED) {
                held.jobs.remove(run);
            }
            held.jobs.insert(work.run.clone(), Arc::clone(&job));
        }
        Ok(job)
    }

    /// The record of a run, known or new.
    fn record_of(&self, run: &RunId) -> Arc<Record> {
        let mut held = self.held();
        held.recent.retain(|known| known != run);
        held.recent.push_back(run.clone());
        if held.recent.len() > MOST_RECORDS {
            let idle = held.recent.iter().position(|run| {
                !held.jobs.get(run).is_some_and(|job| job.is_active())
                    && !held.records.get(run).is_some_and(|record| record.has_readers())
            });
            if let Some(oldest) = idle.and_then(|at| held.recent.remove(at)) {
                held.records.remove(&oldest);
            }
        }
        let new = || Arc::new(Record::new(run.clone()));
        Arc::clone(held.records.entry(run.clone()).or_insert_with(new))
    }

    async fn summary(&self, run: &RunId) -> Result<RunSummary, Problem> {
        match self.store.run(run).await {
            Err(StoreFailure::UnknownRun(_)) => Err(Problem::unknown_run(run.as_str())),
            other => Ok(other?.at(self.clock.now())),
        }
    }

    /// The record of a run as it stands now.
    pub(crate) async fn record(&self, run: &RunId) -> Result<Arc<Record>, Problem> {
        if let Some(job) = self.job(run)
            && !matches!(locked(&job.standing).stage, Stage::Stopped(_) | Stage::Gone)
        {
            return Ok(Arc::clone(&job.record));
        }
        let known = self.held().records.get(run).cloned();
        if let Some(record) = known.filter(|record| record.told().ended) {
            self.record_of(run);
            return Ok(record);
        }
        let summary = self.summary(run).await?;
        let record = self.record_of(run);
        let events = self.store.events(run, record.told().events).await?;
        record.take(&events);
        if is_over(&summary.status) && record.told().events >= summary.events {
            record.set_ended(true);
        }
        Ok(record)
    }

    /// How a run stands.
    ///
    /// # Errors
    /// When there is none of this id, or the store cannot be read.
    pub async fn line(&self, run: &RunId) -> Result<RunLine, Problem> {
        let record = self.record(run).await?;
        if let Some(line) = self.job(run).and_then(|job| job.line()) {
            return Ok(line);
        }
        let told = record.told();
        if told.ended {
            return Ok(ended(run, &record));
        }
        Ok(self.kept(&self.summary(run).await?))
    }

    /// All runs, the newest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn lines(&self) -> Result<Vec<RunLine>, Problem> {
        Ok(self.page(self.asked_now()).await?.0)
    }

    /// The newest runs.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn newest(&self, limit: usize) -> Result<Vec<RunLine>, Problem> {
        Ok(self.page(RunQuery { limit, ..self.asked_now() }).await?.0)
    }

    /// A query for all runs, asked now.
    pub(crate) fn asked_now(&self) -> RunQuery {
        RunQuery::all(self.clock.now())
    }

    /// Runs as they are asked for, and how many there are on all pages. Those that this process drives stand as they are
    /// here, the others as the store has them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn page(&self, mut query: RunQuery) -> Result<(Vec<RunLine>, u64), Problem> {
        let jobs: Vec<Arc<Job>> = self.held().jobs.values().cloned().collect();
        let mut here: Vec<RunLine> = jobs.iter().filter_map(|job| job.line()).collect();
        query.except.extend(here.iter().map(|line| line.run_id.clone()));
        here.retain(|line| {
            query.status.as_ref().is_none_or(|status| *status == line.status)
                && query.names(&line.question)
        });
        let counted = here.len() as u64;
        here.retain(|line| query.is_after(line.started_at, &line.run_id));
        // Runs of this process may be among those that are passed over. The store passes over as many fewer, so that whatever
        // it leaves out stands before the page.
        let limit = query.limit;
        let passed = query.skip.min(here.len());
        query.skip -= passed;
        query.limit = limit.saturating_add(passed);
        let kept = self.store.page(&query).await?;
        let total = kept.total + counted;
        let mut lines: Vec<RunLine> = kept.runs.iter().map(|run| self.kept(run)).collect();
        lines.append(&mut here);
        lines.sort_by(|a, b| b.started_at.cmp(&a.started_at).then_with(|| a.run_id.cmp(&b.run_id)));
        lines.drain(..passed.min(lines.len()));
        lines.truncate(limit);
        Ok((lines, total))
    }

    /// What the store tells of a run that is not driven here.
    fn kept(&self, run: &RunSummary) -> RunLine {
        let over = is_over(&run.status);
        let words = run.stop_reason.clone().unwrap_or_else(|| run.status.clone());
        let trouble = self.job(&run.run_id).and_then(|job| match &locked(&job.standing).stage {
            Stage::Stopped(refusal) => Some(refusal.clone()),
            _ => None,
        });
        RunLine {
            run_id: run.run_id.clone(),
            question: run.question.clone(),
            status: run.status.clone(),
            stage: if over { "done" } else { "search" }.to_owned(),
            message: format!("the run is {}: {words}", run.status),
            progress: if over { 1.0 } else { 0.1 },
            started_at: run.started_at,
            updated_at: run.updated_at,
            events: run.events,
            driven: false,
            stop_reason: run.stop_reason.clone(),
            error: trouble.filter(|_| !over),
        }
    }

    /// How many runs stopped before their end and are driven by nobody.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn stopped(&self) -> Result<u64, Problem> {
        let status = Some("stopped".to_owned());
        Ok(self.page(RunQuery { status, limit: 0, ..self.asked_now() }).await?.1)
    }

    /// Stops driving what is under way, so that it can be resumed.
    pub async fn suspend(&self) {
        self.part(Controller::suspend).await;
    }

    /// The same, and leaves the runs to whoever takes up runs that nobody drives, where the store has somebody for that; gives how
    /// many were driven here.
    pub async fn leave_to_others(&self) -> usize {
        self.part(Controller::leave_to_others).await
    }

    /// Ends driving and following in the way that is given; gives how many runs were driven here.
    async fn part(&self, how: fn(&Controller)) -> usize {
        let jobs: Vec<Arc<Job>> = self.held().jobs.values().cloned().collect();
        let mut driven = 0;
        for job in &jobs {
            let mut standing = locked(&job.standing);
            // What was handed over goes on without us; it is only left.
            if !standing.is_elsewhere {
                standing.parted = Some(how);
            }
            if let Some(controller) = &standing.controller {
                how(controller);
                driven += usize::from(!standing.is_elsewhere);
            }
        }
        let ended = async {
            while jobs.iter().any(|job| job.controller().is_some()) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        // The lease runs out by itself where it cannot be given back.
        let _ = tokio::time::timeout(LAST_WORDS, ended).await;
        driven
    }
}

/// Takes back the entry of a run that nobody took over. What the store told of it stays.
fn withdrawn(held: &mut Held, job: &Job) {
    if job.record.told().events == 0 {
        held.forget(&job.run);
    } else {
        held.jobs.remove(&job.run);
    }
}

/// A run that is over, from its own events.
fn ended(run: &RunId, record: &Record) -> RunLine {
    record.shown(|shown| RunLine {
        run_id: run.clone(),
        question: shown.question.clone(),
        status: shown.status.name().to_owned(),
        stage: "done".to_owned(),
        message: format!("the run is {}", shown.status.name()),
        progress: 1.0,
        started_at: shown.started_at,
        updated_at: shown.updated_at,
        events: shown.seq,
        driven: false,
        stop_reason: shown.stop_reason.map(|reason| reason.name().to_owned()),
        error: None,
    })
}
