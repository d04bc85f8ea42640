//! A run on a Restate server, seen from outside: submitted, steered and followed. What it thinks is read from the store.

use super::messages::{RunEnd, Submission};
use crate::EngineError;
use crate::follower::{self, Elsewhere};
use crate::handle::RunHandle;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::Control;
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::{PortFuture, Store, StoreFailure};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the store is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How often the server is asked whether the workflow has ended.
const ASK: Duration = Duration::from_secs(1);
/// How long the end of a workflow is waited for after its run has ended, to hear what became of the bank.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// The ingress of a Restate server: HTTP with paths that begin after its address. The error says why nothing came back.
pub trait Ingress: Send + Sync {
    /// Sends JSON.
    fn post<'a>(&'a self, path: &'a str, body: String) -> PortFuture<'a, Result<Reply, String>>;

    /// Reads.
    fn get<'a>(&'a self, path: &'a str) -> PortFuture<'a, Result<Reply, String>>;
}

/// Why a run on a server could not be begun, steered or followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// Nobody answered.
    #[error(
        "could not reach the Restate server: {0}; start it, or name its ingress in RESTATE_URL (http://127.0.0.1:8080 without it)"
    )]
    Unreachable(String),
    /// The server knows of no worker.
    #[error(
        "could not hand the run over: no worker is registered at this Restate server; start one with `elenchus worker --register http://127.0.0.1:9070`"
    )]
    NoWorker,
    /// There is no such workflow.
    #[error(
        "could not find run {0} at this Restate server: it was not submitted there, or ended longer ago than the server remembers; `elenchus runs show {0}` shows what is kept of it"
    )]
    UnknownRun(RunId),
    /// The workflow gave up.
    #[error("stopped run {run_id}: {cause}; what was kept of it stands in the store")]
    Ended {
        /// The run.
        run_id: RunId,
        /// What it says.
        cause: String,
    },
    /// The workflow ended, and the store here has nothing of it.
    #[error(
        "could not follow run {0}: it has ended, and the store here does not know it; give the worker the same store (--store)"
    )]
    OtherStore(RunId),
    /// Something else.
    #[error("the Restate server refused: {status} {body}; look into its log")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it said.
        body: String,
    },
}

/// The message inside an error of the server.
fn said(body: &str) -> String {
    serde_json::from_str::<serde_json::Value>(body)
        .ok()
        .and_then(|body| body.get("message")?.as_str().map(str::to_owned))
        .unwrap_or_else(|| body.trim().to_owned())
}

/// Hands a run over, see [`Remote::submit`]. Needs no store.
///
/// # Errors
/// When the server cannot be reached, has no worker, or refuses.
pub async fn submit(ingress: &dyn Ingress, submission: &Submission) -> Result<(), RemoteError> {
    post(ingress, &format!("Research/{}/run/send", submission.run_id), submission).await
}

async fn post(
    ingress: &dyn Ingress,
    path: &str,
    body: &impl serde::Serialize,
) -> Result<(), RemoteError> {
    let body = serde_json::to_string(body)
        .map_err(|error| RemoteError::Refused { status: 0, body: error.to_string() })?;
    let reply = ingress.post(path, body).await.map_err(RemoteError::Unreachable)?;
    match reply.status {
        200..=299 => Ok(()),
        404 => Err(RemoteError::NoWorker),
        status => Err(RemoteError::Refused { status, body: said(&reply.body) }),
    }
}

/// A Restate server beside the store that its workers write.
#[derive(Clone)]
pub struct Remote {
    ingress: Arc<dyn Ingress>,
    store: Arc<dyn Store>,
}

impl Remote {
    /// Nothing is sent.
    pub fn new(ingress: Arc<dyn Ingress>, store: Arc<dyn Store>) -> Self {
        Self { ingress, store }
    }

    /// Hands a run over. It is durable when this returns; a second time changes nothing.
    ///
    /// # Errors
    /// When the server cannot be reached, has no worker, or refuses.
    pub async fn submit(&self, submission: &Submission) -> Result<(), RemoteError> {
        submit(&*self.ingress, submission).await
    }

    /// Gives a run a control. It is durable when this returns.
    ///
    /// # Errors
    /// When the server cannot be reached, has no worker, or refuses.
    pub async fn give(&self, run_id: &RunId, control: &Control) -> Result<(), RemoteError> {
        let control = control.clone().without_secrets();
        post(&*self.ingress, &format!("Controls/{run_id}/give"), &control).await
    }

    /// Leaves a control for a run, which hears it as soon as a worker has it. It is durable when this returns, which waits for no
    /// worker.
    ///
    /// # Errors
    /// When the server cannot be reached, has never had a worker, or refuses.
    pub async fn leave(&self, run_id: &RunId, control: &Control) -> Result<(), RemoteError> {
        let control = control.clone().without_secrets();
        post(&*self.ingress, &format!("Controls/{run_id}/give/send"), &control).await
    }

    /// How a workflow ended; `None` while it has not.
    ///
    /// # Errors
    /// When the server cannot be reached, does not know the workflow, or the workflow gave up.
    pub async fn end(&self, run_id: &RunId) -> Result<Option<RunEnd>, RemoteError> {
        let path = format!("restate/workflow/Research/{run_id}/output");
        let reply = self.ingress.get(&path).await.map_err(RemoteError::Unreachable)?;
        match reply.status {
            200 => serde_json::from_str(&reply.body)
                .map(Some)
                .map_err(|error| RemoteError::Refused { status: 200, body: error.to_string() }),
            470 => Ok(None),
            404 => Err(RemoteError::UnknownRun(run_id.clone())),
            // The server is on its way.
            502..=504 => Ok(None),
            _ => Err(RemoteError::Ended { run_id: run_id.clone(), cause: said(&reply.body) }),
        }
    }

    /// Follows a run: the handle reads like that of a run in this process. Letting go of it, or suspending it, leaves the run
    /// alone. `seen` says whether what the run has done so far counts as told.
    ///
    /// # Errors
    /// When the run cannot be found, or is over without having begun.
    pub async fn attach(&self, run_id: &RunId, seen: bool) -> Result<RunHandle, EngineError> {
        let records = self.begun(run_id).await?;
        let asked = Instant::now();
        follower::follow(Workers { remote: self.clone(), asked }, run_id, &records, seen)
    }

    /// The journal of a run, once there is one.
    async fn begun(&self, run_id: &RunId) -> Result<Vec<JournalRecord>, EngineError> {
        let mut asked = Instant::now();
        loop {
            match self.store.journal(run_id).await {
                Ok(records) => return Ok(records),
                // One that fails for a moment is looked at again: the run is not lost with it.
                Err(
                    StoreFailure::UnknownRun(_)
                    | StoreFailure::Io { .. }
                    | StoreFailure::Away { .. },
                ) => {}
                Err(failure) => return Err(failure.into()),
            }
            if asked.elapsed() >= ASK {
                asked = Instant::now();
                match self.end(run_id).await {
                    // A server that is away comes back, and has not lost what it took over.
                    Ok(None) | Err(RemoteError::Unreachable(_)) => {}
                    Ok(Some(_)) => {
                        let tip = self.store.tip(run_id).await;
                        if matches!(tip, Err(StoreFailure::UnknownRun(_))) {
                            let error = RemoteError::OtherStore(run_id.clone());
                            return Err(EngineError::Remote(error));
                        }
                    }
                    Err(error) => return Err(EngineError::Remote(error)),
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// The workers of a Restate server, beside their store.
struct Workers {
    remote: Remote,
    /// When the server was last asked whether the workflow has ended.
    asked: Instant,
}

impl Elsewhere for Workers {
    fn store(&self) -> &dyn Store {
        &*self.remote.store
    }

    fn news<'a>(&'a self, _run_id: &'a RunId) -> PortFuture<'a, ()> {
        Box::pin(tokio::time::sleep(LOOK))
    }

    fn give<'a>(
        &'a self,
        run_id: &'a RunId,
        control: &'a Control,
    ) -> PortFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            self.remote.give(run_id, control).await.map_err(|error| EngineError::Unheard {
                run_id: run_id.clone(),
                cause: error.to_string(),
            })
        })
    }

    fn goes_on<'a>(
        &'a mut self,
        run_id: &'a RunId,
        _told: Option<bool>,
    ) -> PortFuture<'a, Result<(), EngineError>> {
        Box::pin(async move {
            if self.asked.elapsed() < ASK {
                return Ok(());
            }
            self.asked = Instant::now();
            match self.remote.end(run_id).await {
                // A server that is away comes back; the store is read meanwhile.
                Ok(_) | Err(RemoteError::Unreachable(_)) => Ok(()),
                Err(error) => Err(EngineError::Remote(error)),
            }
        })
    }

    /// What became of the bank. The answer stands whatever comes of it.
    fn unremembered<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Option<String>> {
        Box::pin(async move {
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                match self.remote.end(run_id).await {
                    Ok(Some(end)) => return end.unremembered,
                    Ok(None) => tokio::time::sleep(LOOK).await,
                    Err(_) => return None,
                }
            }
            None
        })
    }
}
