//! What was learned.

use crate::id::{StrategyId, Timestamp};
use serde::{Deserialize, Serialize};

/// Whether a strategy is to be followed or avoided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked: a strategy to follow.
    Success,
    /// It failed: an anti-pattern to avoid.
    Failure,
}

/// Who sees a strategy, from the narrowest to the widest.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The project that learned it.
    #[default]
    Project,
    /// Every project of the team.
    Team,
    /// Every project of the organisation.
    Org,
}

/// How a strategy came into the bank. It decides the prior of its confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Recorded on purpose by a person or an agent.
    Explicit,
    /// Taken out of a finished run or session.
    Distilled,
    /// Read from an export, or of unknown origin.
    Imported,
}

/// Whether a strategy may be recalled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Standing {
    /// It may.
    #[default]
    Active,
    /// It derives from text that nobody vouches for (the web, a foreign document): it is shown to who asks for it by
    /// id, and never put into a prompt until an outcome signal or a person confirms it.
    Quarantined {
        /// Why.
        reason: String,
    },
    /// Taken out of use and kept: nothing is deleted that was learned.
    Archived {
        /// When.
        at: Timestamp,
        /// Why.
        reason: String,
    },
}

/// A strategy to be recorded. [`Draft::title`] is at most 50 characters, [`Draft::description`] at most 200.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Draft {
    /// A short name, 1 to 50 characters.
    pub title: String,
    /// When to use or to avoid it, at most 200 characters.
    pub description: String,
    /// The steps or the explanation, at most 20,000 characters.
    pub content: String,
    /// To follow or to avoid.
    pub outcome: Outcome,
    /// Words to find it by, at most 20 of 40 characters.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Who sees it.
    #[serde(default)]
    pub scope: Scope,
    /// How it came about.
    pub origin: Origin,
    /// The run or session that it was taken out of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_session: Option<String>,
    /// Strategies that it was made from; their standing binds it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lineage: Vec<StrategyId>,
    /// Whether any of its text goes back to a page that nobody vouches for.
    #[serde(default)]
    pub from_web: bool,
}

/// A strategy of the bank, as it was recorded. What is believed of it is computed from its signals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Strategy {
    /// Its id.
    pub id: StrategyId,
    /// What it says, and where from.
    #[serde(flatten)]
    pub draft: Draft,
    /// Whether it may be recalled.
    pub standing: Standing,
    /// Who recorded it.
    pub actor: String,
    /// When.
    pub created_at: Timestamp,
    /// When it was last edited; the same as `created_at` at first.
    pub edited_at: Timestamp,
}
