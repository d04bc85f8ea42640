//! What the tools do. Each gives a JSON value that its output schema describes, or a refusal.

mod cut;
mod finding;
pub(crate) mod judging;
pub(crate) mod listing;
pub(crate) mod memory;
mod memos;
pub(crate) mod research;

use super::Parts;
use super::ports::Refusal;
use elenchus_core::bank::Caller;
use elenchus_core::id::Timestamp;
use rmcp::model::JsonObject;
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use std::sync::Arc;

/// One call of a tool: on whose behalf, in which session.
pub(crate) struct Call<'a> {
    pub(crate) parts: &'a Arc<Parts>,
    pub(crate) caller: Caller,
    /// Empty where nothing is known of sessions.
    pub(crate) session: String,
    /// Absent where nobody waits for progress.
    pub(crate) context: Option<&'a RequestContext<RoleServer>>,
}

impl Call<'_> {
    pub(crate) fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    /// Calls a tool; `None` when there is none of the name.
    pub(crate) async fn tool(
        &self,
        name: &str,
        given: Option<JsonObject>,
    ) -> Option<Result<Value, Refusal>> {
        Some(match name {
            "memory_search" => self.memory_search(given).await,
            "memory_record" => self.memory_record(given).await,
            "memory_feedback" => self.memory_feedback(given).await,
            "memory_outcome" => self.memory_outcome(given).await,
            "memory_session" => self.memory_session(given).await,
            "memory_list" => self.memory_list(given).await,
            "memory_edit" => self.memory_edit(given).await,
            "research_start" => self.research_start(given).await,
            "research_status" => self.research_status(given).await,
            "research_result" => self.research_result(given).await,
            "research_cancel" => self.research_cancel(given).await,
            "verify_claims" => self.verify_claims(given).await,
            "find_fallacies" => self.find_fallacies(given).await,
            "score_evidence" => self.score_evidence(given).await,
            "search" if self.parts.finder.is_some() => self.search(given).await,
            "fetch" if self.parts.finder.is_some() => self.fetch(given).await,
            "memo_save" if self.parts.memos.is_some() => self.memo_save(given).await,
            "memo_relate" if self.parts.memos.is_some() => self.memo_relate(given).await,
            _ => return None,
        })
    }
}
