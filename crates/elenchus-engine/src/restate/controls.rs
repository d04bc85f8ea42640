//! The object that numbers the controls of a run: one at a time, in the order in which they come.

use super::Shared;
use super::messages::Given;
use super::research::ResearchClient;
use elenchus_core::inquiry::Control;
use restate_sdk::prelude::*;
use std::sync::Arc;

/// The controls of one run; its key is the run's id.
pub(super) struct Controls(pub(super) Arc<Shared>);

#[object(client_visibility = "pub(super)")]
impl Controls {
    /// Takes a control and gives its number. When this returns, the control is durable and the run will hear it.
    #[handler]
    async fn give(
        &self,
        ctx: ObjectContext<'_>,
        Json(control): Json<Control>,
    ) -> Result<Json<u64>, HandlerError> {
        let clock = self.0.grounds.clock();
        let Json(at) = ctx.run(move || async move { Ok(Json(clock.now())) }).name("time").await?;
        let given = ctx.get::<Json<u64>>("given").await?.map_or(0, |Json(n)| n);
        let n = given + 1;
        ctx.set("given", Json(n));
        let key = ctx.key().to_owned();
        ctx.workflow_client::<ResearchClient<'_>>(key)
            .hear(Json(Given { n, control, at }))
            .call()
            .await?;
        Ok(Json(n))
    }
}
