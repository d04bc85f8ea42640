//! Distillation as a durable queue: as many slots as may work at once, each an object that does one thing at a time.

use super::Shared;
use elenchus_core::id::RunId;
use restate_sdk::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// A slot of the queue; its key is the slot's number.
pub(super) struct Distil(pub(super) Arc<Shared>);

#[object(client_visibility = "pub(super)")]
impl Distil {
    /// Works through what waits in the bank, and tells how many sessions that were. A bank that fails is tried again.
    #[handler]
    async fn work(
        &self,
        ctx: ObjectContext<'_>,
        Json(ground): Json<Value>,
    ) -> Result<Json<usize>, HandlerError> {
        let shared = Arc::clone(&self.0);
        let step = move || async move {
            let refused = |cause: String| TerminalError::new_with_code(424, cause);
            let Some(distiller) = shared.grounds.distiller(&ground).await.map_err(refused)? else {
                return Ok(Json(0));
            };
            Ok(Json(distiller.work().await?.len()))
        };
        Ok(ctx.run(step).name("distil").await?)
    }
}

/// Queues the work that a run has left, in the slot that its id falls into.
pub(super) fn queue(ctx: &WorkflowContext<'_>, run_id: &RunId, slots: u32, ground: &Value) {
    let sum =
        run_id.0.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let slot = sum % slots.max(1);
    // Nobody waits for it.
    drop(ctx.object_client::<DistilClient<'_>>(slot.to_string()).work(Json(ground.clone())).send());
}
