//! The events and their envelope. Other programs rely on the names and fields.

use crate::answer::{Answer, AuditNote};
use crate::bank;
use crate::belief::{HypothesisStatus, HypothesisTest, Level};
use crate::evidence::DocDate;
use crate::graph::RecalledMemo;
use crate::id::{
    EffectId, FactId, GapId, HypothesisId, PassageId, RunId, SearchId, SourceId, StrategyId,
    Timestamp,
};
use crate::inquiry::gap::{GapReason, GapStatus};
use crate::inquiry::query::ReplacedQuery;
use crate::inquiry::{
    Budget, Control, Elsewhere, Forked, LimitChanged, Options, RuleOfTwo, StopReason, WithheldQuery,
};
use crate::port::{CorpusOverview, Usage, WebReport};
use crate::prompt::{ClarifyingQuestion, Complexity, PlannedQuestion, Prior, QueryStrategy};
use crate::scrutiny::challenge::Contest;
use crate::scrutiny::critique::Critique;
use crate::scrutiny::warning::FallacyWarning;
use crate::synthesis::insight::Insight;
use serde::{Deserialize, Serialize};

/// The version of the event schema.
pub const SCHEMA: u32 = 1;

/// One event in its envelope. `seq` is dense from 1 and is the id under which SSE clients resume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Envelope {
    /// See [`SCHEMA`].
    pub schema: u32,
    /// The run.
    pub run_id: RunId,
    /// Dense from 1 within the run.
    pub seq: u64,
    /// When the input that caused it arrived.
    pub at: Timestamp,
    /// `type` and `data`.
    #[serde(flatten)]
    pub event: TraceEvent,
}

/// Something the run thinks, always about a datum of this very run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thought {
    /// `t1`, `t2`, ...
    pub id: String,
    /// What.
    pub content: String,
    /// The stage of the run.
    pub stage: String,
    /// The round; 0 before the first.
    pub step: u8,
    /// Ids (gap, passage, question) that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related_to: Vec<String>,
    /// The same three as the contract names them; absent in traces of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<ThoughtContext>,
}

/// Where a thought came up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThoughtContext {
    /// The stage of the run.
    pub stage: String,
    /// The round; 0 before the first.
    pub step: u8,
    /// Ids (gap, passage, question) that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related_to: Vec<String>,
}

/// A strategy that was recalled, as the trace names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecalledMemory {
    /// The strategy.
    pub id: StrategyId,
    /// Its name.
    pub title: String,
    /// To follow or to avoid.
    pub outcome: bank::Outcome,
    /// What was believed of it, in `[0, 1]`.
    pub confidence: f64,
}

/// What a run made of a strategy that was recalled for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Credit {
    /// The strategy.
    pub memory_id: StrategyId,
    /// Whether a search took it up, or its warning was heeded.
    pub used: bool,
    /// Whether it led to what the answer quotes; nothing when that cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub succeeded: Option<bool>,
    /// Why.
    pub because: String,
}

/// Something the run is about to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Action {
    /// The effect's id.
    pub id: EffectId,
    /// What it does, in words.
    pub action: String,
    /// `model`, `search`, `read` or `embed`.
    pub tool: String,
    /// The exact parameters a person would want to see.
    pub parameters: serde_json::Value,
    /// Why.
    pub reasoning: String,
}

/// What came of an action; a failed one gives one too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Observation {
    /// The action's effect.
    pub action_id: EffectId,
    /// What came back, in short.
    pub result: String,
    /// What it means.
    pub analysis: String,
    /// What to do with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub implications: Vec<String>,
    /// What the action cost, where a language model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Where the reasoning of a phase ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conclusion {
    /// `k1`, `k2`, ...
    pub id: String,
    /// What was concluded.
    pub conclusion: String,
    /// Thoughts behind it.
    pub supporting_thoughts: Vec<String>,
    /// How far it is borne out, 0 to 1; absent in traces of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What that figure counts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub confidence_because: String,
    /// What follows.
    pub next_steps: Vec<String>,
}

/// A document that was read for the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceAdded {
    /// The document.
    pub source_id: SourceId,
    /// Its path.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its own date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<DocDate>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// How a gap stands after an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GapState {
    /// Work on it begins.
    New,
    /// Work on it goes on.
    Continuing,
    /// Another gap is taken up.
    Switching,
    /// Nothing is open.
    Complete,
}

/// The outcome of a gap analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapAnalysis {
    /// Whether another round follows.
    pub should_continue_research: bool,
    /// The gap it will work on first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_gap_to_research: Option<GapId>,
    /// How that relates to this round's work.
    pub gap_status: GapState,
    /// Why.
    pub reasoning: String,
    /// What the round did to each gap that it worked on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updates: Vec<GapUpdate>,
}

/// How a gap stands after a round that worked on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapUpdate {
    /// The gap.
    pub gap_id: GapId,
    /// What it is now.
    pub status: GapStatus,
    /// Rounds that left it open.
    pub attempt_count: u8,
    /// Rounds in a row that brought nothing unseen that bears on it.
    pub dry_rounds: u8,
    /// Why it was given up, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<GapReason>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde asks for")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// An explanation before it is tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// `h1`, `h2`, ...
    pub id: HypothesisId,
    /// What it says, in a model's words.
    pub claim: String,
    /// How likely the model held it.
    pub prior: Prior,
    /// The credence that follows from that alone, 0 to 1.
    pub confidence: f64,
    /// Searches for what would bear it out.
    pub queries_for: Vec<String>,
    /// Searches for what would deny it.
    pub queries_against: Vec<String>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "data", rename_all = "snake_case")]
pub enum TraceEvent {
    /// The run began.
    SessionStarted {
        /// The question.
        question: String,
        /// What it may use.
        options: Box<Options>,
        /// What it may search.
        corpus: CorpusOverview,
        /// The model's name.
        model: String,
        /// The challenge to a step of an earlier run that it looks into.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        contest: Option<Box<Contest>>,
        /// The run whose beginning it has, when it was forked.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forked: Option<Box<Forked>>,
    },
    /// The run reaches the web: what it may read, what private data is in context, and which words may leave.
    RuleOfTwo(RuleOfTwo),
    /// A search stayed here although the run reaches the web.
    QueryWithheld(WithheldQuery),
    /// What a search did on the web.
    WebSearched {
        /// Its words.
        query: String,
        /// Providers that were asked or failed, pages that were read or refused.
        report: WebReport,
    },
    /// Strategies of earlier runs bear on the question.
    MemoryRecalled {
        /// The search of the bank.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        search_id: Option<SearchId>,
        /// What was recalled.
        memories: Vec<RecalledMemory>,
    },
    /// What became of a strategy that was recalled.
    MemoryCredited(Credit),
    /// Memos of earlier runs that asked alike: leads, and no evidence.
    MemosRecalled {
        /// What was recalled, and how its documents stand now.
        memos: Vec<RecalledMemo>,
    },
    /// The question is vague: the user is asked what is meant, and the run waits.
    ClarificationRequested {
        /// What is asked, in a model's words.
        questions: Vec<ClarifyingQuestion>,
    },
    /// The plan is being made.
    PlanningStarted {
        /// The question.
        question: String,
    },
    /// The plan is made.
    PlanningCompleted {
        /// What is asked.
        questions: Vec<PlannedQuestion>,
        /// How big it looks.
        complexity: Complexity,
        /// Documents probably needed.
        estimated_sources: u16,
        /// Rounds allowed.
        max_rounds: u8,
        /// The phases that lie ahead, in order; those of a round once.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        phases: Vec<String>,
        /// Steps when every allowed round is needed; most runs need fewer. 0 in traces of earlier versions.
        #[serde(default, skip_serializing_if = "is_zero")]
        total_steps: u32,
    },
    /// A thought.
    ReasoningThought(Thought),
    /// An action, before it happens.
    ReasoningAction(Action),
    /// What came of it.
    ReasoningObservation(Observation),
    /// A model's reply was not fine as it came.
    ReplyRepaired {
        /// The action that asked for it.
        action_id: EffectId,
        /// What was repaired, or done in its place.
        repairs: Vec<String>,
    },
    /// Where a line of reasoning ended.
    ReasoningConclusion(Conclusion),
    /// Explanations that compete were named.
    HypothesesGenerated {
        /// In the order of the reply.
        hypotheses: Vec<Explanation>,
    },
    /// An explanation was held against passages.
    HypothesisUpdated {
        /// What was searched, what was found, and how the credence moved.
        test: HypothesisTest,
        /// Where it stands now.
        status: HypothesisStatus,
    },
    /// A round begins.
    RoundStarted {
        /// From 1.
        round: u8,
        /// Gaps it works on.
        gaps: Vec<GapId>,
        /// What it searches for.
        queries: Vec<String>,
    },
    /// A round ended.
    RoundCompleted {
        /// From 1.
        round: u8,
        /// Unseen passages it read.
        new_passages: u32,
        /// Gaps still open.
        open_gaps: u32,
    },
    /// A document was read for the first time.
    SourceAdded(SourceAdded),
    /// What the round achieved.
    Reflection {
        /// Nothing is missing.
        is_sufficient: bool,
        /// Planned questions that are answered.
        answered_questions: Vec<u32>,
        /// Planned questions that are not.
        unanswered_questions: Vec<u32>,
        /// Passages that bear on any.
        relevant_passage_ids: Vec<PassageId>,
        /// The same under the contract's name; absent in traces of earlier versions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        relevant_summary_ids: Vec<PassageId>,
        /// Whether the gap worked on was closed.
        current_gap_closed: bool,
        /// Newly noticed gaps.
        new_gaps_identified: Vec<String>,
    },
    /// Quotes were taken and checked.
    FactsExtracted {
        /// Facts that held.
        facts: u32,
        /// Proposals that did not (wrong span, unread passage).
        rejected: u32,
    },
    /// The ledger was settled.
    KnowledgeGapAnalysis(GapAnalysis),
    /// New queries for a gap.
    FollowupQueryGeneration {
        /// The gap.
        gap_id: GapId,
        /// The queries kept.
        queries: Vec<String>,
        /// How each differs.
        strategies: Vec<QueryStrategy>,
        /// The strategy of the first, which is the most promising.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query_strategy: Option<QueryStrategy>,
        /// Why.
        rationale: String,
        /// Proposals dropped because they had been tried.
        dropped: u32,
        /// Proposals that repeat an earlier search, why, and what is searched for in their place.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        replaced: Vec<ReplacedQuery>,
    },
    /// A gap was opened.
    GapOpened {
        /// The gap.
        gap_id: GapId,
        /// What is missing.
        description: String,
        /// Planned questions behind it.
        question_ids: Vec<u32>,
    },
    /// A gap was closed.
    GapResolved {
        /// The gap.
        gap_id: GapId,
        /// By what.
        because: String,
    },
    /// A gap was given up.
    GapAbandoned {
        /// The gap.
        gap_id: GapId,
        /// The typed reason.
        reason: GapReason,
        /// In words.
        because: String,
        /// Rounds spent.
        attempts: u8,
        /// Queries tried.
        queries: Vec<String>,
    },
    /// An abandoned gap was taken up again.
    GapReopened {
        /// The gap.
        gap_id: GapId,
        /// Why.
        because: String,
    },
    /// Two sources disagree.
    ContradictionFound {
        /// The planned question.
        question_id: u32,
        /// The passages.
        passages: Vec<PassageId>,
        /// How they differ.
        summary: String,
    },
    /// The budget moved.
    BudgetUpdated {
        /// Rounds begun.
        rounds: u8,
        /// Passages read.
        passages: u32,
        /// Model calls made.
        model_calls: u32,
        /// What they cost.
        usage: Usage,
        /// Servers elsewhere that are sent something from here on, beside those that the run has told of: somebody goes on with
        /// it by other settings.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elsewhere: Vec<Elsewhere>,
    },
    /// A person put other limits in the place of those that held.
    BudgetChanged {
        /// Who, where it is told; empty for the one user of a machine.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        by: String,
        /// What is another limit now.
        changes: Vec<LimitChanged>,
        /// All limits as they are from here on.
        budget: Budget,
    },
    /// A control arrived.
    ControlReceived(Control),
    /// The statements of the answer are being checked.
    ConfidenceScoringStarted {
        /// Characters of the answer.
        answer_length: u64,
    },
    /// Its statements were counted.
    ClaimsExtracted {
        /// How many.
        count: u32,
    },
    /// They were held against passages.
    EntailmentChecked {
        /// Statements that were checked.
        checked: u32,
        /// Statements that could not be.
        unchecked: u32,
    },
    /// They were scored word by word.
    SuscoreCalculated {
        /// The mean, 0 to 1.
        score: f64,
    },
    /// The figures are there.
    ConfidenceCalculated {
        /// The overall confidence, 0 to 1.
        overall: f64,
        /// Its level.
        level: Level,
    },
    /// The answer was criticised, and challenges were answered.
    CritiqueCompleted {
        /// What was found.
        critique: Box<Critique>,
    },
    /// A revision was proposed and weighed.
    RevisionCompleted {
        /// Whether the answer that is given is the revised one.
        kept: bool,
        /// Patches that were applied.
        applied: u32,
        /// Patches that were not.
        dropped: u32,
        /// Why it is kept or refused.
        explanation: String,
    },
    /// A lens was looked through.
    PerspectiveCompleted {
        /// Its id.
        lens: String,
        /// Points kept.
        points: u32,
        /// Points dropped: on no quote of this run, without words, or twice.
        dropped: u32,
        /// The facts that they rest on.
        facts: Vec<FactId>,
        /// Their share of all facts, 0 to 1.
        evidence_share: f64,
        /// Why there is nothing, when the model did not answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<String>,
    },
    /// What the lenses see was compared.
    PerspectivesCompared {
        /// Lenses that answered.
        lenses: u32,
        /// Agreements of two lenses or more.
        consensus: u32,
        /// Pairs of points that pull apart.
        tensions: u32,
        /// Points in neither.
        unique: u32,
        /// Points that their own quotes contradict or do not bear out.
        not_borne_out: u32,
    },
    /// A connection that stands out.
    InsightDetected {
        /// With what it rests on and how new it is.
        insight: Box<Insight>,
    },
    /// Words of the answer may commit a fallacy.
    FallacyDetected {
        /// Which words, which fallacy, and what to ask.
        warning: Box<FallacyWarning>,
    },
    /// The answer was composed and linted.
    AnswerCompleted {
        /// The whole answer.
        answer: Box<Answer>,
        /// What the audit found.
        audit: Vec<AuditNote>,
    },
    /// The run is over.
    SessionCompleted {
        /// Why.
        stop_reason: StopReason,
        /// Rounds begun.
        rounds: u8,
        /// Passages read.
        passages: u32,
    },
    /// The run cannot go on.
    SessionFailed {
        /// What was attempted, the cause and the way out.
        error: String,
    },
}
