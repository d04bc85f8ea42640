//! Calls by name, as they go over HTTP: `{"tool": "memory.search", "params": {...}}` is answered with `{"result": ...}`
//! or `{"error": ...}`. Client and server share these shapes. The camel case of seed 002 is read everywhere.

use super::{Direction, Memo, Relation};
use crate::id::{MemoId, Timestamp};
use crate::port::MemoFailure;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The name of the tool, such as `memory.search`; `memory-search` and `memory_search` are the same.
    pub tool: String,
    /// What it is given.
    #[serde(default)]
    pub params: Value,
    /// Whether the result comes in camel case.
    #[serde(default, alias = "camelCase", skip_serializing_if = "std::ops::Not::not")]
    pub camel_case: bool,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// It was done.
    Result(Value),
    /// It was not.
    Error(CallError),
}

/// Why a call was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallError {
    /// `unknown_tool`, `bad_params`, `unknown_memo`, `refused` or `storage`.
    pub kind: String,
    /// What was attempted.
    pub attempted: String,
    /// The cause.
    pub cause: String,
    /// What to do about it.
    pub way_out: String,
    /// The memo that there is not.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "memoId")]
    pub memo_id: Option<MemoId>,
}

impl From<MemoFailure> for CallError {
    fn from(failure: MemoFailure) -> Self {
        match failure {
            MemoFailure::Unknown(id) => Self {
                kind: "unknown_memo".to_owned(),
                attempted: "find the memo".to_owned(),
                cause: format!("there is no memo {id} in the namespace"),
                way_out: "memory.list shows those there are".to_owned(),
                memo_id: Some(id),
            },
            MemoFailure::Refused { attempted, cause, way_out } => {
                Self { kind: "refused".to_owned(), attempted, cause, way_out, memo_id: None }
            }
            MemoFailure::Io { attempted, cause } => Self {
                kind: "storage".to_owned(),
                attempted,
                cause,
                way_out: String::new(),
                memo_id: None,
            },
        }
    }
}

impl From<CallError> for MemoFailure {
    fn from(error: CallError) -> Self {
        match (error.kind.as_str(), error.memo_id) {
            ("unknown_memo", Some(id)) => Self::Unknown(id),
            ("storage", _) => Self::Io { attempted: error.attempted, cause: error.cause },
            _ => Self::Refused {
                attempted: error.attempted,
                cause: error.cause,
                way_out: error.way_out,
            },
        }
    }
}

/// Of `memory.save`. Without an id, one is derived from what it says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SaveParams {
    /// Where it belongs.
    pub namespace: String,
    /// Its id.
    #[serde(default, alias = "memoId", alias = "memo_id", skip_serializing_if = "Option::is_none")]
    pub id: Option<MemoId>,
    /// A title.
    #[serde(default)]
    pub title: String,
    /// The text.
    pub content: String,
    /// Anything else.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// When it was saved first; the server's time without it.
    #[serde(default, alias = "createdAt", skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// When it was saved last; the server's time without it.
    #[serde(default, alias = "updatedAt", skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

impl SaveParams {
    /// The memo, saved at `now` unless it says otherwise.
    pub fn memo(self, now: Timestamp) -> Memo {
        let id =
            self.id.unwrap_or_else(|| Memo::derive_id(&self.namespace, &self.title, &self.content));
        Memo {
            id,
            namespace: self.namespace,
            title: self.title,
            content: self.content,
            metadata: self.metadata,
            tags: self.tags,
            created_at: self.created_at.unwrap_or(now),
            updated_at: self.updated_at.unwrap_or(now),
        }
    }
}

impl From<&Memo> for SaveParams {
    fn from(memo: &Memo) -> Self {
        Self {
            namespace: memo.namespace.clone(),
            id: Some(memo.id.clone()),
            title: memo.title.clone(),
            content: memo.content.clone(),
            metadata: memo.metadata.clone(),
            tags: memo.tags.clone(),
            created_at: Some(memo.created_at),
            updated_at: Some(memo.updated_at),
        }
    }
}

/// Of `memory.get`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GetParams {
    /// Where they belong.
    pub namespace: String,
    /// Their ids.
    pub ids: Vec<MemoId>,
}

/// Of `memory.search`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// In words.
    pub query: String,
    /// Only this namespace and those below it; empty for all.
    #[serde(default)]
    pub namespace: String,
    /// Only those with this tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The most to return; 0 for all.
    #[serde(default = "usual", alias = "k")]
    pub limit: usize,
}

fn usual() -> usize {
    10
}

/// Of `memory.list` and `memory.relation.list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// Only this namespace and those below it; empty for all.
    #[serde(default)]
    pub namespace: String,
    /// Only those with this tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The most to return; 0 for all.
    #[serde(default)]
    pub limit: usize,
}

/// Of `memory.delete`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeleteParams {
    /// Where it belongs.
    pub namespace: String,
    /// Its id.
    #[serde(alias = "memoId", alias = "memo_id")]
    pub id: MemoId,
}

/// Of `memory.relation.save` and `memory.relation.delete`, which needs no weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RelationParams {
    /// Where both belong.
    pub namespace: String,
    /// The memo that bears.
    #[serde(alias = "sourceMemoId", alias = "source")]
    pub source_memo_id: MemoId,
    /// The memo that it bears on.
    #[serde(alias = "targetMemoId", alias = "target")]
    pub target_memo_id: MemoId,
    /// How.
    pub tag: String,
    /// How much, in `[0, 1]`.
    #[serde(default = "fully")]
    pub weight: f64,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was saved first; the server's time without it.
    #[serde(default, alias = "createdAt", skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

fn fully() -> f64 {
    1.0
}

impl RelationParams {
    /// The relation, saved at `now` unless it says otherwise.
    pub fn relation(self, now: Timestamp) -> Relation {
        Relation {
            namespace: self.namespace,
            source: self.source_memo_id,
            target: self.target_memo_id,
            tag: self.tag,
            weight: self.weight,
            reason: self.reason,
            created_at: self.created_at.unwrap_or(now),
            times: 1,
        }
    }
}

impl From<&Relation> for RelationParams {
    fn from(relation: &Relation) -> Self {
        Self {
            namespace: relation.namespace.clone(),
            source_memo_id: relation.source.clone(),
            target_memo_id: relation.target.clone(),
            tag: relation.tag.clone(),
            weight: relation.weight,
            reason: relation.reason.clone(),
            created_at: Some(relation.created_at),
        }
    }
}

/// Of `memory.relation.graph`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GraphParams {
    /// Where the memo belongs.
    pub namespace: String,
    /// The memo.
    #[serde(alias = "startMemoId")]
    pub start_memo_id: MemoId,
    /// Steps, 1 to 10.
    #[serde(default = "three", alias = "maxDepth")]
    pub max_depth: u32,
    /// Which way.
    #[serde(default)]
    pub direction: Direction,
    /// Only relations with this tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// The most relations, 1 to 1,000.
    #[serde(default = "many")]
    pub limit: usize,
}

fn three() -> u32 {
    3
}

fn many() -> usize {
    100
}
