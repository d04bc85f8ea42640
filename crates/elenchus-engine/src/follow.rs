//! A run that another process drives over the same store, seen from here.

use crate::EngineError;
use crate::handle::{Controller, Finished, Live, Order, RunHandle};
use crate::left::leave_control;
use crate::log::Log;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Run, Step};
use elenchus_core::journal::Entry;
use elenchus_core::port::{Clock, PortFuture, Store, StoreFailure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};

/// How often a store is looked at that does not tell of news.
const LOOK: Duration = Duration::from_millis(250);
/// How often one is looked at that does.
const LOOK_ANYWAY: Duration = Duration::from_secs(2);
/// How long a run is waited for that nobody drives: a worker may be about to take it up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Follows a run that another process drives: the handle reads like that of a run in this process, with all that the run has done so
/// far, controls are left in the store for whoever drives it, and letting go of it, or suspending it, leaves the run alone.
///
/// # Errors
/// When there is no such run, or its journal is none.
pub async fn follow(
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    run_id: &RunId,
) -> Result<RunHandle, EngineError> {
    let records = store.journal(run_id).await?;
    let (run, trace) = Run::replay(&records)
        .map_err(|cause| EngineError::NotARun { run_id: run_id.clone(), cause })?;
    let resumed_after = trace.len() as u64;
    let (log, reading) = Log::new(trace);
    let (orders, heard) = mpsc::unbounded_channel();
    let (show, live) = watch::channel(standing(&run));
    let records = records.len();
    let follower =
        Follower { store, clock, run, records, log, orders: heard, listening: true, show };
    let driver = tokio::spawn(follower.follow());
    let controller = Controller { run_id: run_id.clone(), orders };
    Ok(RunHandle { controller, reading, live, driver, resumed_after })
}

fn standing(run: &Run) -> Live {
    Live {
        progress: run.view().progress(),
        // What is being performed is known to the other process alone.
        in_flight: Vec::new(),
        paused: run.step().waits(),
    }
}

/// Waits for news of a run, and not for ever.
async fn told(news: Option<PortFuture<'_, ()>>) {
    match news {
        Some(news) => {
            let _ = tokio::time::timeout(LOOK_ANYWAY, news).await;
        }
        None => tokio::time::sleep(LOOK).await,
    }
}

/// Stands in for a driver where the run is driven elsewhere.
struct Follower {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    run: Run,
    /// Records that the run was told.
    records: usize,
    log: Log,
    orders: mpsc::UnboundedReceiver<Order>,
    /// Whether anybody can still give orders.
    listening: bool,
    show: watch::Sender<Live>,
}

impl Follower {
    async fn follow(mut self) -> Result<Finished, EngineError> {
        let (run_id, store) = (self.run.id().clone(), Arc::clone(&self.store));
        let mut alone: Option<Instant> = None;
        // What was written since the run was replayed.
        self.look(&run_id).await?;
        while self.run.step() != Step::Done {
            let news = store.news(&run_id);
            tokio::select! {
                order = self.orders.recv(), if self.listening => match order {
                    Some(Order::Suspend) => return Err(EngineError::Detached(run_id)),
                    Some(Order::Control(control, done)) => {
                        let now = self.clock.now();
                        let given = leave_control(&*store, &run_id, &control, now).await;
                        // Whoever asked may have stopped listening.
                        let _ = done.send(given.map_err(EngineError::Store));
                        continue;
                    }
                    None => self.listening = false,
                },
                () = told(news) => {}
            }
            if self.look(&run_id).await? || self.is_driven(&run_id).await? {
                alone = None;
            } else if alone.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                return Err(EngineError::Undriven(run_id));
            }
        }
        match self.run.view().answer().cloned() {
            Some(answer) => Ok(Finished { run: self.run, answer, unremembered: None }),
            None => Err(EngineError::Driver {
                run_id,
                cause: "the run ended without an answer".to_owned(),
            }),
        }
    }

    /// Reads what is new, and tells the readers; `true` when there was something.
    async fn look(&mut self, run_id: &RunId) -> Result<bool, EngineError> {
        let tip = match self.store.tip(run_id).await {
            Ok(tip) => tip,
            // A store that fails for a moment is looked at again.
            Err(StoreFailure::Io { .. }) => return Ok(true),
            Err(failure) => return Err(failure.into()),
        };
        if usize::try_from(tip.seq).is_ok_and(|seq| seq <= self.records) {
            return Ok(false);
        }
        let records = self.store.journal(run_id).await?;
        let mut events = Vec::new();
        for record in records.iter().skip(self.records) {
            if let Entry::Input(input) = &record.entry {
                events.extend(self.run.feed(input.as_ref().clone(), record.at));
            }
        }
        self.records = records.len();
        self.log.publish(events);
        self.show.send_replace(standing(&self.run));
        Ok(true)
    }

    /// Whether somebody holds the run's lease; taken for granted where the store fails for a moment.
    async fn is_driven(&self, run_id: &RunId) -> Result<bool, EngineError> {
        match self.store.run(run_id).await {
            Ok(summary) => Ok(summary.at(self.clock.now()).held_until.is_some()),
            Err(StoreFailure::Io { .. }) => Ok(true),
            Err(failure) => Err(failure.into()),
        }
    }
}
