//! A server for the Model Context Protocol: one handler, whatever it is spoken to over.
//!
//! The handler keeps no state of a connection, so that it serves both eras of the protocol, the one with a handshake
//! (2025-11-25 and before) and the one without (2026-07-28), side by side. Whose memory is used is decided by whoever
//! starts the server, or by the token of a request; a call cannot say.

mod args;
#[cfg(feature = "conformance-fixtures")]
mod fixtures;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod handler;
pub mod http;
mod lines;
pub mod ports;
mod prompts;
mod resources;
pub mod stdio;
mod table;
mod tasks;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod tools;

use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::port::{Bank, Clock, Memos};
use ports::{Checker, Finder, Pages, Researcher, Scorer};
use rmcp::model::Tool;
use std::sync::Arc;

/// What stands behind the tools. Shared by all connections.
pub struct Parts {
    /// Where strategies are kept.
    pub bank: Arc<dyn Bank>,
    /// What can be set about it.
    pub bank_settings: BankSettings,
    /// What starts and reads runs.
    pub researcher: Arc<dyn Researcher>,
    /// What judges texts.
    pub checker: Arc<dyn Checker>,
    /// What scores memos.
    pub scorer: Arc<dyn Scorer>,
    /// Pages that were read: what an agent records in their words waits for somebody who vouches for it.
    pub pages: Option<Arc<dyn Pages>>,
    /// The namespace of memos where a call names none.
    pub namespace: String,
    /// What searches documents; the tools `search` and `fetch` are there if it is.
    pub finder: Option<Arc<dyn Finder>>,
    /// Where memos are kept; the tools `memo_save` and `memo_relate` are there if it is.
    pub memos: Option<Arc<dyn Memos>>,
    /// The server's own caller, where members of several projects are let in: memos are reached within walls then.
    pub home: Option<Caller>,
    /// Now.
    pub clock: Arc<dyn Clock>,
}

/// The tools there are; `finds` adds those that search documents, `keeps` those that keep memos.
pub(crate) fn tools(finds: bool, keeps: bool) -> Vec<Tool> {
    table::tools(finds, keeps)
}

/// Calls of tools outside the protocol.
pub(crate) struct Calls<'a>(tools::Call<'a>);

impl<'a> Calls<'a> {
    /// On behalf of a caller.
    pub(crate) fn new(parts: &'a Arc<Parts>, caller: Caller) -> Self {
        Self(tools::Call { parts, caller, session: String::new(), context: None })
    }

    /// Calls a tool; `None` when there is none of the name.
    pub(crate) async fn tool(
        &self,
        name: &str,
        arguments: rmcp::model::JsonObject,
    ) -> Option<Result<serde_json::Value, ports::Refusal>> {
        self.0.tool(name, Some(arguments)).await
    }
}

/// The server. Cheap to clone: every connection gets its own.
#[derive(Clone)]
pub struct McpServer {
    parts: Arc<Parts>,
    caller: Caller,
    session: String,
    tools: Arc<Vec<Tool>>,
    answers: Arc<tasks::Answers>,
}

impl McpServer {
    /// A server that acts for `caller` where no token says otherwise. `session` names what signals belong to; empty
    /// where many clients share the server.
    pub fn new(parts: Arc<Parts>, caller: Caller, session: impl Into<String>) -> Self {
        #[cfg_attr(
            not(feature = "conformance-fixtures"),
            expect(unused_mut, reason = "fixtures add")
        )]
        let mut tools = table::tools(parts.finder.is_some(), parts.memos.is_some());
        #[cfg(feature = "conformance-fixtures")]
        tools.extend(fixtures::tools());
        let (session, tools, answers) = (session.into(), Arc::new(tools), Arc::default());
        Self { parts, caller, session, tools, answers }
    }

    /// The tools, in their order.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }
}

/// What a request of the newer protocol says of itself.
#[cfg(test)]
pub(crate) fn meta_of_tests() -> serde_json::Value {
    tests::modern(&serde_json::json!({}))
}
