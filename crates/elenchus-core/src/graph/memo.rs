//! Memos and relations.

use crate::id::{MemoId, Timestamp, short_hash};
use crate::text::squeeze;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A note of the graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Memo {
    /// Its id.
    pub id: MemoId,
    /// Where it belongs: a path of names, such as `phase0/workspace/reasoning`.
    pub namespace: String,
    /// A title, which may be empty.
    pub title: String,
    /// The text.
    pub content: String,
    /// Anything else, such as `category`, `phase` and `pivot_memo_id` of an answer that was saved back.
    #[serde(default)]
    pub metadata: BTreeMap<String, serde_json::Value>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// When it was saved last.
    pub updated_at: Timestamp,
}

/// One memo bears on another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relation {
    /// Where both belong.
    pub namespace: String,
    /// The memo that bears.
    pub source: MemoId,
    /// The memo that it bears on.
    pub target: MemoId,
    /// How: `supports`, `conflicts`, `explains`, or any word of 1 to 64 characters.
    pub tag: String,
    /// How much, in `[0, 1]`.
    pub weight: f64,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// How often it was saved: the same statement made again by another answer or another person.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// The names of [`Memo::metadata`] that mean something here, as they are written; the camel case of seed 002 is read too.
pub mod key {
    /// What kind of memo it is; see [`INFERENCE_OUTPUT`].
    pub const CATEGORY: &str = "category";
    /// Which iteration of the workflow made it.
    pub const PHASE: &str = "phase";
    /// The memo that an answer is about.
    pub const PIVOT_MEMO_ID: &str = "pivot_memo_id";
    /// What made it, or the document that it came from.
    pub const SOURCE: &str = "source";
    /// Where its content comes from in the end: memos of one origin count once.
    pub const ORIGIN: &str = "origin";
    /// Ids of memos that it was made from.
    pub const DERIVED_FROM: &str = "derived_from";
    /// The category of an answer that was saved back: never independent evidence.
    pub const INFERENCE_OUTPUT: &str = "inference-output";
}

impl Memo {
    /// The id of a memo that was given none: what it says, and where.
    pub fn derive_id(namespace: &str, title: &str, content: &str) -> MemoId {
        let bytes = format!("{namespace}\u{0}{title}\u{0}{content}");
        MemoId(format!("memo_{}", short_hash(bytes.as_bytes(), 12)))
    }

    /// Whether it is an answer that was saved back.
    pub fn is_inference(&self) -> bool {
        self.noted(key::CATEGORY).iter().any(|word| word.trim() == key::INFERENCE_OUTPUT)
    }

    /// The texts under a name of the metadata, written with underscores or in camel case: none, one, or those of a list.
    pub fn noted(&self, name: &str) -> Vec<&str> {
        let value =
            self.metadata.get(name).or_else(|| self.metadata.get(&super::camel::name(name)));
        match value {
            Some(serde_json::Value::String(text)) => vec![text],
            Some(serde_json::Value::Array(items)) => {
                items.iter().filter_map(serde_json::Value::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Its title, or the beginning of its text where it has none.
    pub fn heading(&self) -> String {
        let named = squeeze(&self.title);
        if !named.is_empty() {
            return named;
        }
        let text = squeeze(&self.content);
        match text.char_indices().nth(60) {
            Some((at, _)) => format!("{}...", text[..at].trim_end()),
            None => text,
        }
    }
}

/// Which way relations are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From source to target.
    Forward,
    /// From target to source.
    Backward,
    /// Both.
    #[default]
    Both,
}
