//! The gap ledger: what is missing, how often it was looked for, and when to stop looking.
//!
//! The ledger lives in code; a model only proposes. A proposed gap is matched to those known, so that a
//! paraphrase never gets a fresh counter; attempts are counted by round; abandonment has a typed reason.

mod identity;
mod ledger;

pub use identity::{GapMatch, SAME_GAP_COSINE, SAME_GAP_JACCARD, same_gap};
pub use ledger::{Decision, GapChange, GapLedger, GapPolicy, Opening};

use crate::id::{GapId, PassageId};
use crate::prompt::{QueryStrategy, Severity};
use serde::{Deserialize, Serialize};

/// Where a gap stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapStatus {
    /// Still looked for.
    Active,
    /// Given up, with a reason.
    Abandoned,
    /// Closed by evidence.
    Resolved,
}

impl GapStatus {
    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Abandoned => "abandoned",
            Self::Resolved => "resolved",
        }
    }
}

/// Why a gap was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapReason {
    /// The allowed number of rounds brought nothing that closes it.
    Attempts,
    /// Searched thoroughly: no new angle is left, or nothing unseen turned up.
    NoNewEvidence,
    /// A passage says that the information is not public or not known.
    Unavailable,
    /// The sources contradict each other and nothing breaks the tie.
    Contradictory,
    /// A budget was spent, or the run was told to stop.
    Budget,
}

impl GapReason {
    /// The reason as a clause that completes "given up because ...".
    pub fn because(self) -> &'static str {
        match self {
            Self::Attempts => "the allowed number of search rounds found nothing that answers it",
            Self::NoNewEvidence => "nothing unread that bears on it turned up",
            Self::Unavailable => "a document says that this is not available",
            Self::Contradictory => "the sources contradict each other and nothing breaks the tie",
            Self::Budget => "the run ended before it was found",
        }
    }

    /// The reason with what is known of its cause, as a clause that completes "given up because ...".
    pub fn with(self, cause: Option<&str>) -> String {
        match cause {
            Some(cause) => format!("{}: {cause}", self.because()),
            None => self.because().to_owned(),
        }
    }

    /// The word used in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::NoNewEvidence => "no_new_evidence",
            Self::Unavailable => "unavailable",
            Self::Contradictory => "contradictory",
            Self::Budget => "budget",
        }
    }
}

/// A query that was tried for a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriedQuery {
    /// The text searched for.
    pub query: String,
    /// How it differed from those before; `None` for the first queries of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<QueryStrategy>,
    /// The round.
    pub round: u8,
}

/// Knowledge that is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gap {
    /// `g1`, `g2`, ...
    pub id: GapId,
    /// What is missing, in the words of its first appearance.
    pub description: String,
    /// Other wordings that were recognised as this gap.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_worded: Vec<String>,
    /// Rounds spent on it that left it open.
    pub attempt_count: u8,
    /// Where it stands.
    pub status: GapStatus,
    /// Queries tried for it, in order.
    pub previous_queries: Vec<TriedQuery>,
    /// Planned questions behind it.
    pub related_question_ids: Vec<u32>,
    /// The first round that worked on it; 0 before any.
    pub first_attempted_round: u8,
    /// The last round that worked on it; 0 before any.
    pub last_attempted_round: u8,
    /// How much it matters.
    pub severity: Severity,
    /// Why it was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<GapReason>,
    /// The passage behind the reason, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_passage: Option<PassageId>,
    /// What is known of why beyond the reason, as a clause: a word of it that stands nowhere, or that nothing could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Rounds in a row, up to now, that worked on it and brought nothing unseen that bears on it.
    #[serde(default)]
    pub dry_rounds: u8,
    /// What to try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_action: Option<String>,
    /// The description as a vector, when one was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) vector: Vec<f32>,
    /// Those of `also_worded`, in its order; empty where none was made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) later_vectors: Vec<Vec<f32>>,
}

impl Gap {
    /// Why it was given up, and after what.
    fn given_up(&self, reason: GapReason) -> String {
        format!(
            "{} ({} attempt{}, {} quer{})",
            reason.with(self.cause.as_deref()),
            self.attempt_count,
            if self.attempt_count == 1 { "" } else { "s" },
            self.previous_queries.len(),
            if self.previous_queries.len() == 1 { "y" } else { "ies" }
        )
    }

    /// The gap as it is given out: its vectors are of use within a run only.
    #[must_use]
    pub fn without_vector(&self) -> Self {
        Self { vector: Vec::new(), later_vectors: Vec::new(), ..self.clone() }
    }
}

/// Every gap of a run, and which is worked on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapHistory {
    /// In the order in which they were opened.
    pub gaps: Vec<Gap>,
    /// The position in `gaps` of the one that is worked on, or would be next; nothing when none is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_gap_index: Option<usize>,
}
