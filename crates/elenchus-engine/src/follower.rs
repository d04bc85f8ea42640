//! Following a run that is driven elsewhere: what it does is read from the store, controls go to where it is driven.

use crate::EngineError;
use crate::handle::{Controller, Finished, Leaving, Live, Order, RunHandle, unheard};
use crate::log::Log;
use crate::ports::AWAY;
use crate::writer::left;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::{Control, Run, Step};
use elenchus_core::journal::{Entry, JournalRecord};
use elenchus_core::port::{PortFuture, Store, StoreFailure};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};

/// Where a run is driven, seen from here.
pub(crate) trait Elsewhere: Send + Sync + 'static {
    /// What whoever drives it writes.
    fn store(&self) -> &dyn Store;

    /// Waits until the store is worth a look.
    fn news<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, ()>;

    /// Hands a control over. It is durable then.
    fn give<'a>(
        &'a self,
        run_id: &'a RunId,
        control: &'a Control,
    ) -> PortFuture<'a, Result<(), EngineError>>;

    /// Whether the end of the run can still be expected, `told` whether it has just done something, where that could be read;
    /// why not, otherwise.
    fn goes_on<'a>(
        &'a mut self,
        run_id: &'a RunId,
        told: Option<bool>,
    ) -> PortFuture<'a, Result<(), EngineError>>;

    /// Why the bank was not told of the finished run, as far as that is heard of here.
    fn unremembered<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Option<String>>;
}

/// Follows a run from its journal as it stands. The handle reads like that of a run in this process; letting go of it, or
/// suspending it, leaves the run alone. `seen` says whether what the run has done so far counts as told.
pub(crate) fn follow<E: Elsewhere>(
    elsewhere: E,
    run_id: &RunId,
    records: &[JournalRecord],
    seen: bool,
) -> Result<RunHandle, EngineError> {
    let (run, trace) = Run::replay(records)
        .map_err(|cause| EngineError::NotARun { run_id: run_id.clone(), cause })?;
    let resumed_after = if seen { trace.len() as u64 } else { 0 };
    let (log, reading) = Log::new(trace);
    let (orders, heard) = mpsc::unbounded_channel();
    let (show, live) = watch::channel(standing(&run));
    let records = records.len();
    let mut follower = Follower {
        elsewhere,
        run,
        records,
        log,
        orders: heard,
        listening: true,
        giving: None,
        show,
        failing: Failing::default(),
    };
    let (leave, leaving) = watch::channel(Leaving::Not);
    let controller = Controller { run_id: run_id.clone(), orders, leave };
    let run_id = run_id.clone();
    let driver = tokio::spawn(async move {
        let ended = tokio::select! {
            biased;
            ended = follower.finish() => ended,
            // A store that does not answer keeps nobody.
            () = left(Some(leaving)) => Err(EngineError::Detached(run_id)),
        };
        if let Err(error) = &ended {
            // The run is not over, and what was being given may have come through.
            if let Some(done) = follower.giving.take() {
                let _ = done.send(Err(error.clone()));
            }
            unheard(&mut follower.orders, error);
        }
        ended
    });
    Ok(RunHandle { controller, reading, live, driver, resumed_after })
}

fn standing(run: &Run) -> Live {
    Live {
        progress: run.view().progress(),
        // What is being performed is known to whoever drives it alone.
        in_flight: Vec::new(),
        paused: run.step().waits(),
        // So is how its store does.
        away: None,
    }
}

/// Stands in for a driver where the run is driven elsewhere.
struct Follower<E> {
    elsewhere: E,
    run: Run,
    /// Records that the run was told.
    records: usize,
    log: Log,
    orders: mpsc::UnboundedReceiver<Order>,
    /// Whether anybody can still give orders.
    listening: bool,
    /// Who waits to hear what became of the control that is being handed over.
    giving: Option<oneshot::Sender<Result<(), EngineError>>>,
    show: watch::Sender<Live>,
    failing: Failing,
}

/// Since when the store has failed at every look.
#[derive(Default)]
struct Failing(Option<Instant>);

impl Failing {
    /// A store that fails for a moment is looked at again; one that goes on failing is told of.
    fn bear(&mut self, failure: StoreFailure, patience: Duration) -> Result<(), EngineError> {
        match failure {
            StoreFailure::Io { .. } | StoreFailure::Away { .. }
                if self.0.get_or_insert_with(Instant::now).elapsed() < patience =>
            {
                Ok(())
            }
            failure => Err(failure.into()),
        }
    }
}

impl<E: Elsewhere> Follower<E> {
    async fn finish(&mut self) -> Result<Finished, EngineError> {
        let run_id = self.run.id().clone();
        // What was written since the run was replayed.
        self.look(&run_id).await?;
        while self.run.step() != Step::Done {
            tokio::select! {
                order = self.orders.recv(), if self.listening => match order {
                    Some(Order::Suspend) => return Err(EngineError::Detached(run_id)),
                    Some(Order::Control(control, done)) => {
                        self.giving = Some(done);
                        let given = self.elsewhere.give(&run_id, &control).await;
                        if let Some(done) = self.giving.take() {
                            // Whoever asked may have stopped listening.
                            let _ = done.send(given);
                        }
                        continue;
                    }
                    None => self.listening = false,
                },
                () = self.elsewhere.news(&run_id) => {}
            }
            let told = self.look(&run_id).await?;
            if self.run.step() == Step::Done {
                break;
            }
            if let Err(error) = self.elsewhere.goes_on(&run_id, told).await {
                // It may have come to its end in between.
                self.look(&run_id).await?;
                if self.run.step() != Step::Done {
                    return Err(error);
                }
            }
        }
        let unremembered = self.elsewhere.unremembered(&run_id).await;
        match self.run.view().answer().cloned() {
            Some(answer) => Ok(Finished { run: self.run.clone(), answer, unremembered }),
            None => Err(EngineError::Driver {
                run_id,
                cause: "the run ended without an answer".to_owned(),
            }),
        }
    }

    /// Reads what is new, and tells the readers; `true` when there was something, `None` when the store failed for a moment.
    async fn look(&mut self, run_id: &RunId) -> Result<Option<bool>, EngineError> {
        match self.read(run_id).await {
            Ok(told) => {
                self.failing = Failing::default();
                Ok(Some(told))
            }
            Err(failure) => self.failing.bear(failure, AWAY).map(|()| None),
        }
    }

    async fn read(&mut self, run_id: &RunId) -> Result<bool, StoreFailure> {
        let store = self.elsewhere.store();
        let tip = store.tip(run_id).await?;
        if usize::try_from(tip.seq).is_ok_and(|seq| seq <= self.records) {
            return Ok(false);
        }
        let records = store.journal(run_id).await?;
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
}

#[cfg(test)]
mod tests {
    use super::{AWAY, Failing};
    use elenchus_core::id::RunId;
    use elenchus_core::port::StoreFailure;
    use std::time::Duration;

    #[test]
    fn a_store_that_goes_on_failing_is_told_of() {
        let (attempted, cause) = ("look".to_owned(), "it is gone".to_owned());
        let away = StoreFailure::Away { attempted: attempted.clone(), cause: cause.clone() };
        let broken = StoreFailure::Io { attempted, cause };
        for failure in [away, broken] {
            let mut failing = Failing::default();
            assert_eq!(failing.bear(failure.clone(), AWAY), Ok(()));
            assert!(failing.0.is_some(), "{failure}");
            assert_eq!(failing.bear(failure.clone(), Duration::ZERO), Err(failure.into()));
        }
        let unknown = StoreFailure::UnknownRun(RunId::from("run_1"));
        assert_eq!(Failing::default().bear(unknown.clone(), AWAY), Err(unknown.into()));
    }
}
