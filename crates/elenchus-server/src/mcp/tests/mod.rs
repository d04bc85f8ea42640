//! The server over its own wire: bytes in, bytes out.

#[cfg(feature = "conformance-fixtures")]
mod fixtures;
mod http;
mod listing;
mod memos;
mod reading;
mod tools;

use super::McpServer;
use super::lines::Lines;
use super::testing::parts;
use elenchus_core::bank::Caller;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// A client that speaks lines of JSON to a server in this process.
pub(crate) struct Line {
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
    id: u64,
    /// What every request says of itself in the era without a handshake.
    meta: Option<Value>,
    /// Notifications that came before the replies.
    pub(crate) notes: Vec<Value>,
}

fn server(finds: bool) -> McpServer {
    McpServer::new(parts(finds), Caller::local("here"), "session")
}

/// What a request of 2026-07-28 says of itself.
pub(crate) fn modern(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    })
}

impl Line {
    fn to(server: McpServer, meta: Option<Value>) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            let (input, output) = tokio::io::split(far);
            if let Ok(running) = rmcp::ServiceExt::serve(server, Lines::new(input, output)).await {
                let _ = running.waiting().await;
            }
        });
        let (output, input) = tokio::io::split(near);
        Self { input, output: BufReader::new(output), id: 0, meta, notes: Vec::new() }
    }

    /// A client of 2026-07-28, which needs no handshake.
    pub(crate) fn modern(finds: bool) -> Self {
        Self::to(server(finds), Some(modern(&json!({}))))
    }

    /// A client of 2025-11-25 after its handshake.
    pub(crate) async fn legacy(finds: bool) -> Self {
        let mut line = Self::to(server(finds), None);
        let reply = line
            .ask(
                "initialize",
                json!({"protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"}}),
            )
            .await;
        assert_eq!(reply["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(reply["result"]["serverInfo"]["name"], "elenchus");
        line.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        line
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Sends a request and gives its reply.
    pub(crate) async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.id += 1;
        if let Some(meta) = &self.meta {
            let mut meta = meta.clone();
            if let Some(own) = params["_meta"].as_object() {
                meta.as_object_mut().unwrap().extend(own.clone());
            }
            params["_meta"] = meta;
        }
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).await.unwrap(), 0, "the server has gone");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
            self.notes.push(message);
        }
    }

    /// Calls a tool; gives its result.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert!(reply["error"].is_null(), "{tool}: {reply}");
        reply["result"].clone()
    }
}
