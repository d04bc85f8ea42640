//! Where memos are kept.

use super::PortFuture;
use crate::graph::{Direction, Memo, Relation, Walls};
use crate::id::MemoId;
use serde::{Deserialize, Serialize};

/// Which memos.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoFilter {
    /// Only this namespace and those below it; empty for all.
    pub namespace: String,
    /// Only those with this tag.
    pub tag: Option<String>,
    /// The most to return; 0 for all.
    pub limit: usize,
    /// Only what lies within these, so that nothing beyond them is found, counted or weighed; without them, all of the tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<Walls>,
}

impl MemoFilter {
    /// Whether what lies in a namespace is within the walls.
    pub fn reaches(&self, namespace: &str) -> bool {
        self.walls.as_ref().is_none_or(|walls| walls.reaches(namespace))
    }
}

/// A memo that a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoHit {
    /// The memo.
    pub memo: Memo,
    /// How well it fits, in `[0, 1]`.
    pub score: f64,
}

/// Why memos could not be kept or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoFailure {
    /// No such memo in the namespace.
    #[error("could not find memo {0}: `elenchus memo list` shows those there are")]
    Unknown(MemoId),
    /// What was given cannot be taken.
    #[error("could not {attempted}: {cause}; {way_out}")]
    Refused {
        /// What was attempted.
        attempted: String,
        /// The cause.
        cause: String,
        /// What to do about it.
        way_out: String,
    },
    /// The storage or the server failed.
    #[error("could not {attempted}: {cause}")]
    Io {
        /// What was attempted.
        attempted: String,
        /// The cause and the way out.
        cause: String,
    },
}

/// How far to go from a memo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reach {
    /// Where the memo belongs.
    pub namespace: String,
    /// The memo.
    pub start: MemoId,
    /// Steps, 1 to 10.
    pub depth: u32,
    /// Which way.
    pub direction: Direction,
    /// Only relations with this tag.
    pub tag: Option<String>,
    /// The most relations to return, 1 to 1,000.
    pub limit: usize,
}

/// Memos and relations, local or behind a server. `tenant` shares nothing with any other.
pub trait Memos: Send + Sync {
    /// Saves a memo under its id, over one that is there, of which the time when it was saved first stays.
    fn save<'a>(
        &'a self,
        tenant: &'a str,
        memo: &'a Memo,
    ) -> PortFuture<'a, Result<(), MemoFailure>>;
    /// Memos by id, those that there are, in the order asked.
    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>>;
    /// Searches a namespace, the best first, ties by id. A query without a word that could be found gives nothing.
    fn search<'a>(
        &'a self,
        tenant: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>>;
    /// Lists memos, the newest first.
    fn list<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>>;
    /// Whose memos there are, in order of their names. Whoever keeps them somewhere else may not tell, and gives none.
    fn tenants(&self) -> PortFuture<'_, Result<Vec<String>, MemoFailure>> {
        Box::pin(async { Ok(Vec::new()) })
    }
    /// Deletes a memo with its relations.
    fn delete<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>>;
    /// Saves a relation between memos that are there, over one with the same ends and tag, of which the time stays and
    /// the count of times grows by one.
    fn relate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>>;
    /// Deletes a relation: the one with these ends and this tag. One that is not there is no error.
    fn unrelate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>>;
    /// Relations of a namespace and those below it, the newest first; `tag` is that of the relations.
    fn relations<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>>;
    /// Relations within reach of a memo, breadth first, as [`crate::graph::Walk`] goes.
    fn around<'a>(
        &'a self,
        tenant: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>>;
}
