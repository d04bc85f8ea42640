//! What a projection is made of.

use crate::belief::Level;
use crate::evidence::DocDate;
use crate::id::{FactId, GapId, HypothesisId, PassageId, SourceId, Timestamp};
use crate::inquiry::gap::GapReason;
use crate::inquiry::{Control, Spent};
use crate::port::WebReport;
use crate::prompt::{PlannedQuestion, Prior, QueryStrategy};
use crate::trace::GapAnalysis;
use serde::Serialize;

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Under way, as far as the events tell.
    Running,
    /// It asked back and waits for the answer.
    Waiting,
    /// Somebody paused it.
    Paused,
    /// It came to its end by itself.
    Finished,
    /// Somebody ended it; it answered with what it had.
    Interrupted,
    /// It could not go on.
    Failed,
}

impl RunStatus {
    /// Whether nothing more will come.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Interrupted | Self::Failed)
    }

    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// An event, by its number and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment {
    /// The number of the event.
    pub seq: u64,
    /// When what caused it came.
    pub at: Timestamp,
}

/// A planned question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuestionShown {
    /// As it was planned.
    #[serde(flatten)]
    pub question: PlannedQuestion,
    /// Whether a reflection held it for answered, and none since for open.
    pub answered: bool,
}

/// A round of searching.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundShown {
    /// From 1.
    pub round: u8,
    /// When it began.
    pub began: Moment,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Moment>,
    /// Gaps it worked on.
    pub gaps: Vec<GapId>,
    /// What it searched for.
    pub queries: Vec<String>,
    /// Unseen passages it read.
    pub new_passages: u32,
    /// Gaps that were open after it.
    pub open_gaps: u32,
    /// What had been spent on the whole run when it ended; tokens and money as of its reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
    /// Whether nothing was missing after it.
    pub is_sufficient: bool,
    /// Whether the gap worked on was closed.
    pub current_gap_closed: bool,
    /// What was noticed to be missing in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new_gaps: Vec<String>,
    /// How the ledger was settled after it: what comes next, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<GapAnalysis>,
}

/// How a gap stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapStanding {
    /// Worked on, or to be worked on.
    Open,
    /// Closed by evidence.
    Resolved,
    /// Given up, for a reason.
    Abandoned,
}

impl GapStanding {
    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Resolved => "resolved",
            Self::Abandoned => "abandoned",
        }
    }
}

/// What a round did for a gap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapRound {
    /// The round, from 1.
    pub round: u8,
    /// Queries written for this gap before the round; in the first round, those of the plan for its questions.
    pub queries: Vec<String>,
    /// How each differs from those before; empty in the first round.
    pub strategies: Vec<QueryStrategy>,
    /// Why these.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// Proposals that had been tried before.
    pub dropped: u32,
    /// How the gap stood after it.
    pub after: GapStanding,
}

/// A gap with its history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapShown {
    /// `g1`, `g2`, ...
    pub gap_id: GapId,
    /// What is missing.
    pub description: String,
    /// Planned questions behind it.
    pub question_ids: Vec<u32>,
    /// When it was opened.
    pub opened: Moment,
    /// How it stands.
    pub standing: GapStanding,
    /// When it was last closed, given up or opened again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled: Option<Moment>,
    /// By what it was closed, why it was given up or taken up again, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub because: String,
    /// Why it was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<GapReason>,
    /// Rounds spent on it.
    pub attempts: u8,
    /// How often it was taken up again.
    pub reopened: u8,
    /// Round by round.
    pub rounds: Vec<GapRound>,
    /// All queries tried for it, in order.
    pub queries: Vec<String>,
}

/// A test of an explanation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HypothesisMove {
    /// The event.
    pub moment: Moment,
    /// The round.
    pub round: u8,
    /// Searches made for it, for and against.
    pub queries: Vec<String>,
    /// Passages that speak for it.
    pub evidence_for: Vec<PassageId>,
    /// Passages that speak against it.
    pub evidence_against: Vec<PassageId>,
    /// The credence before, 0 to 1.
    pub before: f64,
    /// The credence after, 0 to 1.
    pub after: f64,
}

/// An explanation with what moved it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HypothesisShown {
    /// `h1`, `h2`, ...
    pub id: HypothesisId,
    /// What it says.
    pub claim: String,
    /// How likely it was held before any evidence.
    pub prior: Prior,
    /// The credence that followed from that alone, 0 to 1.
    pub begun_at: f64,
    /// The credence now, 0 to 1.
    pub confidence: f64,
    /// `active`, `confirmed` or `refuted`.
    pub status: &'static str,
    /// Passages that speak for it.
    pub supporting: u32,
    /// Passages that speak against it.
    pub contradicting: u32,
    /// Test by test.
    pub moves: Vec<HypothesisMove>,
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceShown {
    /// The document.
    pub source_id: SourceId,
    /// Its path, or its address.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its own date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<DocDate>,
    /// Its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was first read.
    pub read: Moment,
    /// The number by which the answer cites it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<usize>,
    /// Characters that were hidden from readers of the page and left out.
    pub hidden: u32,
}

/// A disagreement of sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContradictionShown {
    /// The event.
    pub moment: Moment,
    /// The planned question.
    pub question_id: u32,
    /// The passages.
    pub passages: Vec<PassageId>,
    /// How they differ.
    pub summary: String,
}

/// A lens that was looked through.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LensShown {
    /// Its id.
    pub lens: String,
    /// Points kept.
    pub points: u32,
    /// Points dropped.
    pub dropped: u32,
    /// The facts that they rest on.
    pub facts: Vec<FactId>,
    /// Their share of all facts, 0 to 1.
    pub evidence_share: f64,
    /// Why there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// What became of the one revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RevisionShown {
    /// Whether the answer that is given is the revised one.
    pub kept: bool,
    /// Patches that were applied.
    pub applied: u32,
    /// Patches that were not.
    pub dropped: u32,
    /// Why it is kept or refused.
    pub explanation: String,
}

/// How the checking of the answer stands; what is absent has not happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scoring {
    /// Characters of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer_length: Option<u64>,
    /// Statements in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claims: Option<u32>,
    /// Statements that were checked, and those that could not be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<(u32, u32)>,
    /// The word-by-word score, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suscore: Option<f64>,
    /// The overall confidence, 0 to 1: of what answers, and absent where nothing that answers could be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overall: Option<f64>,
    /// Its level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
}

impl Scoring {
    /// An overall figure as an event tells it, if it is one. Where nothing that answers could be assessed, 0.5 stands with the
    /// lowest level, which no other figure from 0.5 on has.
    pub(super) fn figure(overall: f64, level: Level) -> Option<(f64, Level)> {
        let is_one = level > Level::VeryLow || Level::of(overall) == Level::VeryLow;
        is_one.then_some((overall, level))
    }
}

/// A control that was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ControlShown {
    /// The event.
    pub moment: Moment,
    /// What was said.
    #[serde(flatten)]
    pub control: Control,
}

/// A search of the web.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WebSearch {
    /// The event.
    pub moment: Moment,
    /// Its words.
    pub query: String,
    /// What came of it.
    pub report: WebReport,
}
