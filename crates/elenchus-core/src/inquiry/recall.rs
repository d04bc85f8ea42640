//! What a run was told that earlier runs learned, and what it made of it.

use crate::bank::Lesson;
use crate::id::{GapId, SearchId, StrategyId};
use crate::trace::Credit;
use serde::{Deserialize, Serialize};

/// Strategies that were recalled for a run; part of its first input.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recollection {
    /// The search of the bank that found them.
    pub search_id: Option<SearchId>,
    /// To follow and to avoid, the most relevant first.
    pub lessons: Vec<Lesson>,
}

impl Recollection {
    pub(crate) fn is_empty(&self) -> bool {
        self.lessons.is_empty()
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

/// What the run made of its lessons.
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
}

impl Recall {
    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty() && self.heeded.is_empty() && self.credits.is_empty()
    }
}
