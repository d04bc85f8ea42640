//! What speaks for or against a strategy.

use crate::id::{SearchId, StrategyId, Timestamp, short_hash};
use serde::{Deserialize, Serialize};

/// Where a signal came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SignalKind {
    /// Somebody rated it.
    Explicit,
    /// It was returned by a search: exposure, not success. Counts once a strategy and session.
    Usage,
    /// It was put to use: cited, followed, or it changed a plan; negative when a search could have taken it up and none did.
    Used,
    /// The task that used it succeeded or failed.
    Outcome,
}

/// One thing that happened to a strategy. Append-only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Signal {
    /// `sig_` and 12 hex digits of what makes it one: the strategy, kind, session and actor.
    pub id: String,
    /// The strategy.
    pub memory_id: StrategyId,
    /// The project in which it happened.
    pub project_id: String,
    /// Where it came from.
    #[serde(rename = "type")]
    pub kind: SignalKind,
    /// For or against.
    pub positive: bool,
    /// The run or session; empty when none was named.
    pub session_id: String,
    /// When.
    pub timestamp: Timestamp,
    /// The search that showed the strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_id: Option<SearchId>,
    /// What was said along with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Who sent it.
    pub actor: String,
    /// The share of the credit that is its: one over the number of strategies used together. In (0, 1].
    pub share: f64,
}

/// What a signal is part of: its session; without one the search that showed the strategy; without either the day, so
/// that who names nothing is heard once a day.
pub fn occasion(session_id: &str, search_id: Option<&SearchId>, at: Timestamp) -> String {
    if !session_id.is_empty() {
        return format!("session {session_id}");
    }
    match search_id {
        Some(search) => format!("search {search}"),
        None => format!("day {}", day(at)),
    }
}

/// Days since the Unix epoch.
pub(super) fn day(at: Timestamp) -> i64 {
    at.0.div_euclid(86_400_000)
}

/// The id of a signal: `sig_` and 12 hex digits of the strategy, the kind, the project, the actor and the occasion. A
/// second signal with the same id replaces the first, and is `recorded: false` when it says the same.
pub fn signal_id(
    memory_id: &StrategyId,
    kind: SignalKind,
    project_id: &str,
    actor: &str,
    occasion: &str,
) -> String {
    let text = format!("{memory_id}\0{kind:?}\0{project_id}\0{actor}\0{occasion}");
    format!("sig_{}", short_hash(text.as_bytes(), 12))
}
