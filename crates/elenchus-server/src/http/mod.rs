//! The HTTP API: one table of routes, of which the router and the OpenAPI document are made.

mod chat;
mod events;
mod export;
mod feedback;
mod insights;
mod judging;
mod lists;
pub(crate) mod malformed;
mod memory;
pub mod openapi;
pub(crate) mod own_runs;
mod paging;
pub mod problem;
pub(crate) mod query;
mod reply;
mod research;
mod standing;
mod steering;
mod table;
#[cfg(test)]
mod tests;
mod tools;
mod trace;

pub(crate) use feedback::ClaimWord;
pub use feedback::Opinions;
pub use reply::{JSON, Reply};
pub use research::{Links, Overview, Started};
pub(crate) use steering::signed;
pub use table::{Call, EVENTS, Route};

use crate::listen::{Traffic, wants_page};
use crate::mcp::{McpServer, Parts};
use crate::memory::memory_router;
use crate::runs::Runs;
use axum::Router;
use axum::extract::Request;
use elenchus_core::bank::Caller;
use elenchus_core::port::Memos;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// What stands behind the routes. Shared by all connections.
pub struct Api {
    /// The register of runs.
    pub runs: Arc<Runs>,
    /// What the tools use: the bank, the judge, the clock.
    pub parts: Arc<Parts>,
    /// The evidence graph.
    pub memos: Arc<dyn Memos>,
    /// Keeps what is said of runs as leads for later ones; none where that cannot be kept.
    pub notes: Option<Arc<dyn Memos>>,
    /// What people said of insights before the store kept it.
    pub opinions: Arc<dyn Opinions>,
    /// On whose behalf requests without a token act.
    pub caller: Caller,
    /// Counts of the listener.
    pub traffic: Arc<Traffic>,
    /// Places for streams of events.
    pub streams: Arc<Semaphore>,
    /// Ends streams when the server stops.
    pub stop: CancellationToken,
    /// The tools of agents, called by name here too.
    pub tools: McpServer,
    /// When the server started.
    pub since: Instant,
}

/// Every route of the API.
pub fn table() -> Vec<Route> {
    let mut routes = Vec::new();
    routes.extend(research::routes());
    routes.extend(events::routes());
    routes.extend(steering::routes());
    routes.extend(lists::routes());
    routes.extend(trace::routes());
    routes.extend(export::routes());
    routes.extend(insights::routes());
    routes.extend(feedback::routes());
    routes.extend(judging::routes());
    routes.extend(memory::routes());
    routes.extend(tools::routes());
    routes.extend(chat::routes());
    routes.extend(standing::routes());
    routes
}

/// The API, the protocol of agents, the memos for other Elenchus and the pages. What is at no address is answered with a page where a browser asks, and with
/// a problem elsewhere.
pub fn router(api: &Arc<Api>) -> Router {
    table::router(&table(), api)
        .merge(crate::mcp::http::router(api.tools.clone(), &api.stop))
        .merge(memory_router(
            Arc::clone(&api.memos),
            Arc::clone(&api.parts.clock),
            Some(api.caller.clone()),
            api.parts.home.clone(),
        ))
        .merge(crate::web::router(api))
        .fallback(|request: Request| async move {
            if wants_page(request.method(), request.headers()) {
                return crate::web::missing(&request);
            }
            table::nowhere(request.uri().path()).response()
        })
}
