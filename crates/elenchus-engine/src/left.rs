//! Controls that one process leaves in the store for the process that drives a run.

use crate::holder;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::Control;
use elenchus_core::port::{Store, StoreFailure};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// How often a store is asked that does not tell of a control.
const LOOK: Duration = Duration::from_secs(1);
/// How often one is asked that does: what it tells may be lost.
const LOOK_ANYWAY: Duration = Duration::from_secs(3);

/// Leaves a control for a run that another process drives over the same store. It is durable when this returns; whoever drives the
/// run then, or after it, obeys it within about a second, once.
///
/// # Errors
/// [`StoreFailure::NotDriven`] where nobody drives the run who looks for controls there; and what the store says.
pub async fn leave_control(
    store: &dyn Store,
    run_id: &RunId,
    control: &Control,
    now: Timestamp,
) -> Result<(), StoreFailure> {
    let control = control.clone().without_secrets();
    let json = serde_json::to_string(&control).map_err(|error| StoreFailure::Io {
        attempted: format!("leave a control for run {run_id}"),
        cause: format!(
            "it cannot be written down ({error}); this is a defect of elenchus, report it"
        ),
    })?;
    store.leave_control(run_id, &json, &holder::name(), now).await.map(drop)
}

/// A control that was left, with its number.
pub(crate) struct Left {
    pub(crate) number: u64,
    pub(crate) control: Control,
}

/// Hears what is left for one run, in order and each once, as long as it is kept.
pub(crate) struct Ear {
    heard: mpsc::UnboundedReceiver<Left>,
    /// Ends when it is dropped.
    _listening: JoinSet<()>,
}

impl Ear {
    pub(crate) fn new(store: Arc<dyn Store>, run_id: RunId) -> Self {
        let (tell, heard) = mpsc::unbounded_channel();
        let mut listening = JoinSet::new();
        listening.spawn(listen(store, run_id, tell));
        Self { heard, _listening: listening }
    }

    /// Waits for the next one. Nothing is lost when the waiting is given up.
    pub(crate) async fn hear(&mut self) -> Left {
        match self.heard.recv().await {
            Some(left) => left,
            None => std::future::pending().await,
        }
    }
}

async fn listen(store: Arc<dyn Store>, run_id: RunId, tell: mpsc::UnboundedSender<Left>) {
    // Only the holder of the lease takes what was left, and numbers grow: what was told once is not told again.
    let mut last = 0;
    loop {
        // What comes while the store is read is heard of.
        let called = store.called(&run_id);
        // A store that fails for a moment is asked again.
        for left in store.left_controls(&run_id).await.unwrap_or_default() {
            if left.number <= last {
                continue;
            }
            last = left.number;
            // One that only a newer version understands is left to it.
            let Ok(control) = serde_json::from_str(&left.json) else { continue };
            if tell.send(Left { number: left.number, control }).is_err() {
                return;
            }
        }
        match called {
            Some(called) => {
                let _ = tokio::time::timeout(LOOK_ANYWAY, called).await;
            }
            None => tokio::time::sleep(LOOK).await,
        }
    }
}
