//! Effects, each an invocation of its own with one recorded step.

use super::Shared;
use super::messages::{Observed, Task};
use super::pen::crash;
use crate::crash::FailPoint;
use crate::perform::perform;
use elenchus_core::inquiry::{FailureKind, Outcome};
use elenchus_core::journal::Intent;
use restate_sdk::prelude::*;
use std::sync::Arc;

/// Performs what runs ask for.
pub(super) struct Effects(pub(super) Arc<Shared>);

#[service(client_visibility = "pub(super)")]
impl Effects {
    /// Performs an effect and records what came of it and when. A ground that cannot be opened here is tried again later: the
    /// run waits until a worker has it.
    #[handler]
    async fn perform(
        &self,
        ctx: Context<'_>,
        Json(task): Json<Task>,
    ) -> Result<Json<Observed>, HandlerError> {
        let shared = Arc::clone(&self.0);
        let key = Intent::new(&task.run_id, task.id).key;
        let step = move || async move {
            let ports = shared.grounds.open(&task.ground, false).await.map_err(|cause| {
                shared.grounds.warn(&format!("run {} waits for its ground: {cause}", task.run_id));
                Waiting(cause)
            })?;
            let clock = Arc::clone(&ports.clock);
            // An invocation is not given up half way, so nobody reads its meter before its end.
            let meter = Arc::default();
            let elsewhere = ports.elsewhere.clone();
            let settings = shared.settings.clone();
            let outcome = perform(ports, settings, task.effect, meter, task.began_with).await;
            let observed = Observed { outcome: readable(outcome), at: clock.now(), elsewhere };
            crash(&shared.settings, FailPoint::AfterEffect);
            Ok(Json(observed))
        };
        Ok(ctx.run(step).name(key).await?)
    }
}

/// The ground is not there yet.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Waiting(String);

/// An outcome that cannot be read back counts as failed, as in the journal.
fn readable(outcome: Outcome) -> Outcome {
    let kept =
        serde_json::to_string(&outcome).and_then(|json| serde_json::from_str::<Outcome>(&json));
    match kept {
        Ok(_) => outcome,
        Err(error) => Outcome::Failed {
            kind: FailureKind::Permanent,
            error: format!(
                "could not keep what came back: {error}; the component gave a number that is none"
            ),
            usage: outcome.usage(),
        },
    }
}
