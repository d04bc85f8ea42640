//! Takes up runs whose process is gone, and goes on with each to its end.
//!
//! A lease that ran out is taken by one worker, whoever asks at the same time, and is renewed while the run is driven; what a
//! worker that lost it still writes is refused. A run whose documents or model are not to be had here is put back with the
//! reason, and is not taken up here again for a while.

use crate::cli::WorkerArgs;
use crate::commands::resume::{Onward, Ready, Ways, noted, prepared};
use crate::commands::runs::Named;
use crate::config::Config;
use crate::drive::Follow;
use crate::error::{CliError, Kind, Result};
use crate::signals::Interrupts;
use crate::store_place::StorePlace;
use crate::ui::dialogue::Presence;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::id::{RunId, short_hash};
use elenchus_core::inquiry::Step;
use elenchus_core::port::{Clock, Lease, Store, StoreFailure};
use elenchus_core::text::squeeze;
use elenchus_engine::{EngineError, Settings, holder_name, space_name};
use elenchus_io::clock::SystemClock;
use elenchus_io::store::PgStore;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// How often is looked for runs.
const LOOK: Duration = Duration::from_secs(3);
/// How long a store that does not answer is left alone.
const REST: Duration = Duration::from_secs(10);

/// What a worker works with.
struct Desk {
    store: PgStore,
    place: StorePlace,
    config: Config,
    terminal: Terminal,
    interrupts: Interrupts,
    /// Under which leases are held; of this process alone.
    holder: String,
    /// What is told apart in what was put back: this machine with these folders.
    worker: String,
    /// The folders that runs may stand on, canonical; any folder when there are none.
    allowed: Vec<PathBuf>,
}

/// What became of a run.
enum Done {
    Over(String),
    /// It goes on elsewhere, or later.
    Left(String),
    PutBack(String),
}

pub(super) async fn work(
    args: WorkerArgs,
    store: PgStore,
    place: StorePlace,
    config: Config,
    terminal: &Terminal,
) -> Result<()> {
    let mut allowed = Vec::new();
    for folder in &args.corpus {
        allowed.push(wire::folder(folder)?);
    }
    let mut interrupts = Interrupts::listen(terminal.clone());
    let holder = holder_name();
    // Where a machine cannot be told from others, each start of a worker is one of its own.
    let space = Some(space_name()).filter(|space| !space.is_empty()).unwrap_or(holder.clone());
    let folders: Vec<String> = allowed.iter().map(|folder| folder.display().to_string()).collect();
    let worker = short_hash(format!("{space}\n{}", folders.join("\n")).as_bytes(), 16);
    let desk = Arc::new(Desk {
        terminal: terminal.clone(),
        interrupts: interrupts.clone(),
        store,
        place,
        config,
        holder,
        worker,
        allowed,
    });
    terminal.say(&format!("looking for runs that nobody drives in {}", desk.place));
    desk.store.tidy_notes().await?;
    let mut under_way = JoinSet::new();
    let most = usize::from(args.runs);
    loop {
        let found = match most.saturating_sub(under_way.len()) {
            0 => Ok(Vec::new()),
            free => desk.claim(free).await,
        };
        let pause = match found {
            Ok(leases) => {
                for lease in leases {
                    let desk = Arc::clone(&desk);
                    under_way.spawn(async move { desk.taken(lease).await });
                }
                LOOK
            }
            Err(failure) => {
                terminal.warn(&failure.to_string());
                REST
            }
        };
        if args.once && under_way.is_empty() {
            terminal.say("no run is left that can be gone on with here");
            return Ok(());
        }
        tokio::select! {
            biased;
            () = interrupts.wait() => break,
            Some(ended) = under_way.join_next() => told(&ended, terminal),
            () = tokio::time::sleep(pause) => {}
        }
    }
    if !under_way.is_empty() {
        terminal.say(&format!("leaving {} to others", counted(under_way.len(), "run")));
    }
    // Each has heard of it too.
    while let Some(ended) = under_way.join_next().await {
        told(&ended, terminal);
    }
    Ok(())
}

/// A defect ends one run's work, not the worker; the lease runs out by itself.
fn told(ended: &std::result::Result<(), tokio::task::JoinError>, terminal: &Terminal) {
    if let Err(error) = ended {
        terminal.warn(&format!("a run was left where it was: {error}"));
    }
}

impl Desk {
    async fn claim(&self, most: usize) -> std::result::Result<Vec<Lease>, StoreFailure> {
        let lease_ms = Settings::default().lease_ms();
        self.store.claim(&self.holder, &self.worker, SystemClock.now(), lease_ms, most).await
    }

    /// Goes on with a run, and says what became of it.
    async fn taken(&self, lease: Lease) {
        let id = lease.run_id.clone();
        let done = match Box::pin(self.driven(&id)).await {
            Ok(done) => done,
            Err(error) if error.kind == Kind::Interrupted => {
                Done::Left("the worker was told to stop".to_owned())
            }
            Err(error) => Done::PutBack(format!("{}; {}", error.message(), error.hint)),
        };
        let (said, freed) = match done {
            Done::Over(said) => (format!("run {id} is over: {said}"), Ok(())),
            Done::Left(why) => {
                (format!("run {id} is left to others: {why}"), self.store.leave(&lease).await)
            }
            Done::PutBack(reason) => {
                let reason = squeeze(&reason);
                let now = SystemClock.now();
                let freed = self.store.put_back(&lease, &self.worker, &reason, now).await;
                (format!("run {id} is put back: {reason}"), freed)
            }
        };
        self.terminal.say(&said);
        if let Err(failure) = freed {
            // The lease runs out by itself.
            self.terminal.warn(&failure.to_string());
        }
    }

    async fn driven(&self, id: &RunId) -> Result<Done> {
        let summary = self.store.run(id).await?;
        let store = Arc::new(self.store.clone());
        let named = Named { path: self.place.clone(), store, id: id.clone(), summary };
        let (run, _) = named.replay().await?;
        if run.step() == Step::Paused {
            return Ok(Done::PutBack(format!(
                "somebody has paused it; `elenchus runs resume {id}` goes on with it"
            )));
        }
        let mut config = self.config.clone();
        let noted = noted(&named, false, &mut config)?;
        if let Some(folder) = noted.as_ref().and_then(|noted| noted.corpus.as_ref()) {
            self.may_open(folder)?;
        }
        let silent = Terminal::silent();
        let mut interrupts = self.interrupts.clone();
        let onward = Onward::Resume;
        let ways = Ways { corpus: None, noted, accept_changes: false, onward };
        let before = run.view().corpus().clone();
        let preparing = prepared(&named, &before, ways, &config, &silent, &mut interrupts);
        let Ready { engine, memory, options, .. } = self.held(id, preparing).await?;
        let handle = match engine.holding_as(&self.holder).resume(id).await {
            Ok(handle) => handle,
            Err(EngineError::Store(StoreFailure::Leased { .. })) => {
                return Ok(Done::Left("somebody else drives it".to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        self.store.taken_up(id, &self.worker).await?;
        self.terminal.say(&format!("going on with run {id}: {}", named.summary.question));
        let follow = Follow {
            terminal: &silent,
            interrupts: &mut interrupts,
            jsonl: false,
            kept: true,
            max_rounds: if options.autonomous { options.budget.rounds } else { 1 },
            // What the run asks back is skipped, as where nobody is there.
            presence: Presence::nobody(),
        };
        let finished = follow.end_of(handle).await?;
        memory.learn(&finished, &silent).await;
        Ok(Done::Over(finished.answer.stop_reason.name().to_owned()))
    }

    /// Does what takes its time before a run is driven, and keeps its lease meanwhile.
    async fn held<T>(&self, id: &RunId, work: impl Future<Output = Result<T>>) -> Result<T> {
        let settings = Settings::default();
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = tokio::time::sleep(settings.lease / 3) => {}
            }
            let now = SystemClock.now();
            self.store.lease(id, &self.holder, now, settings.lease_ms()).await?;
        }
    }

    fn may_open(&self, folder: &PathBuf) -> Result<()> {
        if self.allowed.is_empty() || self.allowed.contains(folder) {
            return Ok(());
        }
        Err(CliError::usage(
            format!("could not open the corpus {}", folder.display()),
            "the worker was not started with this folder",
            "start a worker with --corpus and this folder",
        ))
    }
}
