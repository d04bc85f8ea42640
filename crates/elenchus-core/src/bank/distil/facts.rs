//! What a finished run can say of itself.

use crate::bank::Outcome;
use crate::id::StrategyId;
use crate::inquiry::gap::{GapReason, GapStatus};
use crate::prompt::{Prior, QueryStrategy, Severity};
use serde::{Deserialize, Serialize};

/// A finished run, as far as anything can be learned of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionFacts {
    /// The run or session.
    pub session_id: String,
    /// What it was to answer.
    pub question: String,
    /// How it ended; `None` when nobody knows.
    pub outcome: Option<Outcome>,
    /// Why it ended, in words.
    pub stop_reason: String,
    /// The state of the documents: a fingerprint that changes whenever one of them does; empty when it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub documents: String,
    /// Paths of the documents that were read, in the order of reading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    /// What was missing at some time, in the order of opening.
    pub gaps: Vec<GapFacts>,
    /// Explanations that were tested.
    pub hypotheses: Vec<HypothesisFacts>,
    /// Fallacies that were found in what was read or written.
    pub fallacies: Vec<FallacyFacts>,
    /// Strategies that it was shown.
    pub recalled: Vec<RecalledFacts>,
    /// Whether anything that it read goes back to pages that nobody vouches for.
    pub from_web: bool,
}

/// Something that was missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GapFacts {
    /// What.
    pub description: String,
    /// How much it mattered.
    pub severity: Severity,
    /// What became of it.
    pub status: GapStatus,
    /// Why it was given up, if it was.
    pub reason: Option<GapReason>,
    /// The kind of value that would have answered it ("date", "money", "person"), where it was known.
    pub expects: Option<String>,
    /// What was searched for, in order.
    pub queries: Vec<QueryFacts>,
    /// Whether quotes came near that were not taken for an answer: then the documents may well hold one.
    #[serde(default)]
    pub near: bool,
    /// Whether none of its words stands in what was searched, so that nothing was found out about the documents.
    #[serde(default)]
    pub foreign: bool,
}

/// A search for a gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryFacts {
    /// Its words.
    pub query: String,
    /// How it was to differ from those before; `None` for the first.
    pub strategy: Option<QueryStrategy>,
    /// Passages that it found and that had not been seen.
    pub new_passages: u32,
    /// Whether the gap closed on what it found.
    pub closed: bool,
}

/// An explanation that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HypothesisFacts {
    /// What it says.
    pub claim: String,
    /// How likely it was held at first.
    pub prior: Prior,
    /// What it came to, in `[0, 1]`.
    pub confidence: f64,
    /// Whether it was refuted.
    pub refuted: bool,
    /// Whether it was confirmed.
    pub confirmed: bool,
    /// Searches against it that found what refuted it, if any.
    pub queries_against: Vec<String>,
}

/// A fallacy that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FallacyFacts {
    /// Its name, for people ("hasty generalisation").
    pub name: String,
    /// What to ask when it turns up.
    pub counter_question: String,
    /// How often it was found.
    pub count: u32,
    /// Whether it was found in what the run itself wrote.
    pub own: bool,
}

/// A strategy that was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecalledFacts {
    /// The strategy.
    pub id: StrategyId,
    /// Its title.
    pub title: String,
    /// What it says.
    pub content: String,
    /// Whether the plan used it.
    pub used: bool,
}
