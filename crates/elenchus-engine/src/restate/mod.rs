//! Runs as durable workflows of a Restate server.
//!
//! A workflow drives the same [`elenchus_core::inquiry::Run`] as the in-process driver. What differs is who remembers: an effect
//! is an invocation whose recorded result holds the outcome and the time at which it was seen, a control is a durable promise,
//! and a worker that dies is replaced by one that replays both. The store is where every surface reads a run: the workflow
//! writes the same records into it at every replay, and each is kept once.

mod controls;
mod distil;
mod effects;
mod messages;
mod pen;
mod remote;
mod research;

use crate::{Distiller, Ports, Settings};
use elenchus_core::port::{Clock, PortFuture, Store};
use restate_sdk::endpoint::{HandlerOptions, ServiceOptions};
use restate_sdk::prelude::{Endpoint, HttpServer};
use restate_sdk::service::IntoServiceDefinition;
use serde_json::Value;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

pub use messages::{RunEnd, Submission};
pub use remote::{Ingress, Remote, RemoteError, Reply, submit};

/// Opens what runs stand on. A worker has one; what it is told about a run is what was submitted with it.
pub trait Grounds: Send + Sync {
    /// The store that all surfaces share.
    fn store(&self) -> Arc<dyn Store>;

    /// Tells the time.
    fn clock(&self) -> Arc<dyn Clock>;

    /// The world of a run. Called for every effect, so it should keep what it has opened; `begins` says that a run begins, so
    /// that what has changed meanwhile is looked at again. The error says what is missing on this worker.
    fn open<'a>(&'a self, ground: &'a Value, begins: bool)
    -> PortFuture<'a, Result<Ports, String>>;

    /// What works the queue of the bank of a run; `None` when there is no bank.
    fn distiller<'a>(
        &'a self,
        ground: &'a Value,
    ) -> PortFuture<'a, Result<Option<Distiller>, String>>;

    /// Says something to whoever watches the worker.
    fn warn(&self, _text: &str) {}
}

/// What the services of a worker share.
struct Shared {
    grounds: Arc<dyn Grounds>,
    settings: Settings,
    /// Distillers that may work at once.
    slots: u32,
}

/// Serves runs to a Restate server.
pub struct Worker {
    shared: Arc<Shared>,
    /// The key of the only server that it takes work from.
    trusts: Option<String>,
}

/// A run that only waits is sent to sleep after this long.
const IDLE: Duration = Duration::from_secs(10);
/// How long what has to be remembered about an effect or an ended run is kept beside the store.
const RETENTION: Duration = Duration::from_hours(24);
/// The longest wait between two tries.
const SLOWEST_RETRY: Duration = Duration::from_secs(10);
/// As good as for ever: a run is never given up because its worker was away.
const RETRIES: u64 = 1_000_000;

impl Worker {
    /// A worker. `slots` is how many distillers may work at once, over all workers; at least 1.
    pub fn new(grounds: Arc<dyn Grounds>, settings: Settings, slots: u32) -> Self {
        let shared = Arc::new(Shared { grounds, settings, slots: slots.max(1) });
        Self { shared, trusts: None }
    }

    /// The same, taking work only from the server whose requests are signed for this key (`publickeyv1_...`).
    #[must_use]
    pub fn trusting(mut self, key: String) -> Self {
        self.trusts = Some(key);
        self
    }

    /// Serves until `stop` is ready.
    ///
    /// # Errors
    /// When the key of the server cannot be read.
    pub async fn serve(self, listener: TcpListener, stop: impl Future) -> Result<(), String> {
        let Self { shared, trusts } = self;
        // An effect is silent until it has ended.
        let deadlines = shared.settings.deadlines;
        let slowest = [deadlines.model, deadlines.embed, deadlines.search, deadlines.read]
            .into_iter()
            .fold(deadlines.verify, Duration::max)
            + Duration::from_mins(1);
        let options = || {
            ServiceOptions::new()
                .retry_policy_initial_interval(Duration::from_millis(50))
                .retry_policy_exponentiation_factor(2.0)
                .retry_policy_max_interval(SLOWEST_RETRY)
                .retry_policy_max_attempts(RETRIES)
                .retry_policy_pause_on_max_attempts()
        };
        let mut builder = Endpoint::builder();
        if let Some(key) = trusts {
            builder = builder
                .identity_key(&key)
                .map_err(|error| format!("the identity key cannot be used: {error}"))?;
        }
        let endpoint = builder
            .bind(
                research::Research(Arc::clone(&shared)).into_service_definition().options(
                    options()
                        .inactivity_timeout(IDLE)
                        .abort_timeout(slowest)
                        // Controls are numbered by their object, and reach a run in no other way.
                        .handler("hear", HandlerOptions::new().ingress_private(true)),
                ),
            )
            .bind(
                effects::Effects(Arc::clone(&shared)).into_service_definition().options(
                    options()
                        .inactivity_timeout(slowest)
                        .abort_timeout(slowest)
                        .idempotency_retention(RETENTION)
                        .ingress_private(true),
                ),
            )
            .bind(
                controls::Controls(Arc::clone(&shared))
                    .into_service_definition()
                    .options(options()),
            )
            .bind(distil::Distil(shared).into_service_definition().options(
                options().inactivity_timeout(slowest).abort_timeout(slowest).ingress_private(true),
            ))
            .build();
        HttpServer::new(endpoint).serve_with_cancel(listener, stop).await;
        Ok(())
    }
}
