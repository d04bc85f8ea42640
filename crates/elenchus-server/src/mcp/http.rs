//! The protocol over HTTP: one path, POST alone, no sessions.

use super::McpServer;
pub use crate::door::{Door, LOOPBACK, Pass};
use crate::listen::{Limits, Traffic};
use axum::Router;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";
/// The longest body of a request, in bytes.
pub const MAX_BODY: usize = 4 << 20;

/// The paths that speak the protocol. Ends its streams when `stop` is cancelled.
pub fn router(server: McpServer, stop: &CancellationToken) -> Router {
    // Names and origins are checked at the door, which is stricter about both.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_BODY)
        .with_cancellation_token(stop.child_token());
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    Router::new().route_service(PATH, service)
}

/// Serves the protocol alone, until `stop` is cancelled; calls under way may end.
pub async fn serve(listener: TcpListener, router: Router, door: Door, stop: CancellationToken) {
    let limits = Limits { body: MAX_BODY, ..Limits::default() };
    let traffic = Arc::new(Traffic::default());
    crate::listen::serve(listener, router, door, limits, traffic, stop).await;
}
