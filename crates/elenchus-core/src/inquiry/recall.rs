//! What a run was told that earlier runs learned and found, and what it made of it.

use crate::bank::Lesson;
use crate::graph::RecalledMemo;
use crate::id::{GapId, MemoId, SearchId, StrategyId};
use crate::trace::Credit;
use serde::{Deserialize, Serialize};

/// Strategies and memos that were recalled for a run; part of its first input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recollection {
    /// The search of the bank that found them.
    pub search_id: Option<SearchId>,
    /// To follow and to avoid, the most relevant first.
    pub lessons: Vec<Lesson>,
    /// Memos of earlier runs that bear on the question, the likest first: leads, and no evidence. Absent in journals of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memos: Vec<RecalledMemo>,
}

impl Recollection {
    pub(crate) fn is_empty(&self) -> bool {
        self.lessons.is_empty() && self.memos.is_empty()
    }
}

/// A lesson that went into a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Use {
    pub(crate) id: StrategyId,
    /// The gap that the search was for.
    pub(crate) gap_id: GapId,
    pub(crate) query: String,
}

/// A memo that went into a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Led {
    pub(crate) memo: MemoId,
    pub(crate) gap_id: GapId,
    pub(crate) query: String,
}

/// What the run made of its lessons and memos.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Recall {
    pub(crate) uses: Vec<Use>,
    /// Warnings that kept a query from being searched, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) heeded: Vec<(StrategyId, String)>,
    /// What each lesson earned, once the run is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) credits: Vec<Credit>,
    /// Memos that were followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) led: Vec<Led>,
}

impl Recall {
    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty()
            && self.heeded.is_empty()
            && self.credits.is_empty()
            && self.led.is_empty()
    }
}
