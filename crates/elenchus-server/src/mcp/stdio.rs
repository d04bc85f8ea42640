//! The protocol over standard input and output: one line a message, logs nowhere near it.

use super::McpServer;
use super::lines::Lines;
use rmcp::ServiceExt;
use rmcp::service::QuitReason;

/// Serves until standard input ends. Nothing else may write to standard output meanwhile.
///
/// # Errors
/// What went wrong with the connection, in words.
pub async fn serve(server: McpServer) -> Result<(), String> {
    let (input, output) = rmcp::transport::stdio();
    let running = match server.serve(Lines::new(input, output)).await {
        Ok(running) => running,
        // A client that leaves before it has said anything has done no harm.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    match running.waiting().await {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(error.to_string()),
        Ok(_) => Ok(()),
    }
}
