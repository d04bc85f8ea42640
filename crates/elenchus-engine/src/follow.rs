//! A run that another process drives over the same store, seen from here.

use crate::EngineError;
use crate::follower::{self, Elsewhere};
use crate::handle::RunHandle;
use crate::left::leave_control;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Control;
use elenchus_core::port::{Clock, PortFuture, Store, StoreFailure};
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    follower::follow(Beside { store, clock, alone: None }, run_id, &records, true)
}

/// Another process over the same store.
struct Beside {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    /// Since when nobody has driven the run.
    alone: Option<Instant>,
}

impl Beside {
    /// Whether somebody holds the run's lease; nobody knows where the store fails for a moment.
    async fn is_driven(&self, run_id: &RunId) -> Result<Option<bool>, EngineError> {
        match self.store.run(run_id).await {
            Ok(summary) => Ok(Some(summary.at(self.clock.now()).held_until.is_some())),
            Err(StoreFailure::Io { .. } | StoreFailure::Away { .. }) => Ok(None),
            Err(failure) => Err(failure.into()),
        }
    }
}

impl Elsewhere for Beside {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Not for ever: what a store tells may be lost.
    fn news<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, ()> {
        Box::pin(async move {
            match self.store.news(run_id) {
                Some(news) => {
                    let _ = tokio::time::timeout(LOOK_ANYWAY, news).await;
                }
                None => tokio::time::sleep(LOOK).await,
            }
        })
    }

    fn give<'a>(
        &'a self,
        run_id: &'a RunId,
        control: &'a Control,
    ) -> PortFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            let now = self.clock.now();
            leave_control(&*self.store, run_id, control, now).await.map_err(EngineError::Store)
        })
    }

    fn goes_on<'a>(
        &'a mut self,
        run_id: &'a RunId,
        told: Option<bool>,
    ) -> PortFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            let goes_on = match told {
                Some(false) => self.is_driven(run_id).await?,
                told => told,
            };
            match goes_on {
                Some(true) => self.alone = None,
                Some(false)
                    if self.alone.get_or_insert_with(Instant::now).elapsed() >= PATIENCE =>
                {
                    return Err(EngineError::Undriven(run_id.clone()));
                }
                // What is not known changes nothing.
                Some(false) | None => {}
            }
            Ok(())
        })
    }

    fn unremembered<'a>(&'a self, _run_id: &'a RunId) -> PortFuture<'a, Option<String>> {
        Box::pin(std::future::ready(None::<String>))
    }
}
