//! The prompt functions: what a model may be asked, and the shape of its reply.
//!
//! A model names passages, spans and words; it never writes a URL, a citation number or a figure that is
//! shown. Everything it returns is checked by the step that asked.
//!
//! Each function has a Markdown file in `prompts/`. [`PromptBook::render`] turns a call into text and a JSON
//! schema, [`PromptBook::parse`] turns what a language model wrote into the typed reply, and never fails.

mod book;
pub mod clarify;
mod critique;
mod defect;
mod distill;
pub mod entail;
pub mod fallacies;
mod file;
mod fill;
mod foreign;
mod fragment;
mod framing;
mod json;
mod locate;
mod marks;
pub(crate) mod perspectives;
mod read;
mod read_draft;
mod read_facts;
mod read_hypotheses;
mod revise;
mod safe;
mod shape;
#[cfg(test)]
mod tests;
mod thought;
mod units;

pub use book::{PromptBook, Rendered, parse};
pub use clarify::{Clarification, Clarified, ClarifyInput, ClarifyingQuestion};
pub use critique::{
    ChallengeBrief, ClaimBrief, Criticism, CritiqueInput, ExplanationBrief, ProposedFinding,
    ProposedRuling,
};
pub use defect::{Defect, DefectKind, Parsed, complaint};
pub use distill::{
    CONTENT as STRATEGY_CONTENT, DESCRIPTION as STRATEGY_DESCRIPTION, DistillInput, Distilled,
    ProposedStrategy, TITLE as STRATEGY_TITLE, left_out, read_strategies,
};
pub use fallacies::{FallacyFindings, FallacyInput};
pub use file::PromptError;
pub use fragment::PassageFragment;
pub use framing::{Framing, KnownTension};
pub use perspectives::{
    LensBrief, MetaAnalysis, MetaInput, MetaSentence, Perspective, PerspectiveInput,
    PerspectiveSynthesis, PointBrief, PointStance, ProposedPoint, ProposedTension, StatementBrief,
    SynthesizeInput,
};
pub use revise::{Patches, ReviseInput};
pub use thought::{InsightKind, ProposedInsight, ThoughtStage, ThoughtStep};

use crate::evidence::{ReadPassage, Span};
use crate::id::{FactId, GapId, PassageId};
use crate::inquiry::gap::GapReason;
use crate::port::{CorpusOverview, TermCount};
use serde::{Deserialize, Serialize};

/// How much a planned question or a gap matters. Code turns it into numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Nice to know.
    Minor,
    /// Part of a good answer.
    #[default]
    Important,
    /// Without it there is no answer.
    Critical,
}

impl Severity {
    /// The weight used for priorities, 0 to 1.
    pub fn weight(self) -> f64 {
        match self {
            Self::Minor => 0.4,
            Self::Important => 0.7,
            Self::Critical => 1.0,
        }
    }

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minor => "minor",
            Self::Important => "important",
            Self::Critical => "critical",
        }
    }
}

/// How a planned question is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// One fact closes it.
    #[default]
    Lookup,
    /// Voices from several sources are wanted (views, examples).
    Survey,
    /// What is said of one topic is wanted, by one document or several (summaries, comparisons, courses, lists).
    Overview,
}

impl QuestionKind {
    /// Whether several statements answer, and not one.
    pub fn wants_several(self) -> bool {
        self != Self::Lookup
    }
}

/// One question of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlannedQuestion {
    /// From 1.
    pub id: u32,
    /// A question that stands alone.
    pub text: String,
    /// Why it is asked, naming what of the user's question it serves.
    pub rationale: String,
    /// Ordinal importance; core computes the priority.
    #[serde(default)]
    pub severity: Severity,
    /// Ids of questions whose answers this one needs.
    #[serde(default)]
    pub depends_on: Vec<u32>,
    /// One fact or many voices.
    #[serde(default)]
    pub kind: QuestionKind,
    /// What kind of value would answer it: "money", "date", "person", ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<String>,
    /// First searches for it.
    pub queries: Vec<String>,
}

/// Ordinal size of the task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// One fact.
    #[default]
    Simple,
    /// A few facts.
    Moderate,
    /// Many voices or several parts.
    Complex,
}

impl Complexity {
    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Moderate => "moderate",
            Self::Complex => "complex",
        }
    }
}

/// Asks for a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanInput {
    /// The user's question.
    pub question: String,
    /// What can be searched.
    pub corpus: CorpusOverview,
    /// Whether a prompt says nothing of it but its size: the searches that are planned leave this machine, and it is private.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guarded: bool,
    /// At most so many planned questions.
    pub max_questions: u8,
    /// The run's mode, and tensions that bear on the question.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
    /// What the user said when asked what is meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Clarified>,
}

/// A plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Plan {
    /// In the order of asking.
    pub questions: Vec<PlannedQuestion>,
    /// How big the task looks.
    pub complexity: Complexity,
    /// How many documents will probably be needed.
    pub estimated_sources: u16,
}

/// Asks what the passages read so far answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReflectInput {
    /// The user's question.
    pub question: String,
    /// The questions still open.
    pub open: Vec<PlannedQuestion>,
    /// Everything read so far, in reading order.
    pub passages: Vec<ReadPassage>,
    /// How many of `passages`, counted from the end, were first read this round.
    pub new_passages: usize,
    /// How common the words of the queries are in the corpus.
    pub terms: Vec<TermCount>,
    /// Passages in the corpus.
    pub corpus_passages: u32,
    /// What the corpus is mainly about.
    pub subjects: Vec<String>,
    /// Where the run stands, as its working memory tells it; empty where it keeps none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memory: String,
}

/// A gap that a model noticed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedGap {
    /// What is missing, in words.
    pub description: String,
    /// Planned questions that it stands behind.
    #[serde(default)]
    pub question_ids: Vec<u32>,
    /// How much it matters.
    #[serde(default)]
    pub severity: Severity,
    /// What to try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_action: Option<String>,
}

/// What a round achieved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reflection {
    /// Whether every question is answered.
    pub is_sufficient: bool,
    /// Planned questions that the passages answer.
    pub answered_questions: Vec<u32>,
    /// Planned questions that they do not.
    pub unanswered_questions: Vec<u32>,
    /// Passages that bear on any question.
    #[serde(alias = "relevant_summary_ids")]
    pub relevant_passage_ids: Vec<PassageId>,
    /// For each open question: what binds and what does not, in words that name the datum.
    #[serde(default)]
    pub notes: Vec<QuestionNote>,
    /// Gaps not seen before.
    #[serde(default)]
    pub new_gaps_identified: Vec<ProposedGap>,
}

/// A remark on one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuestionNote {
    /// The planned question.
    pub question_id: u32,
    /// What was noticed.
    pub note: String,
}

/// Asks for the facts in passages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FactsInput {
    /// The questions that the passages were found to answer, and those still open.
    pub questions: Vec<PlannedQuestion>,
    /// The relevant passages.
    pub passages: Vec<ReadPassage>,
    /// How common the words of the queries are in the corpus.
    pub terms: Vec<TermCount>,
    /// Passages in the corpus.
    pub corpus_passages: u32,
    /// What the corpus is mainly about.
    pub subjects: Vec<String>,
}

/// What a fact is to its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactRole {
    /// It answers it.
    Answer,
    /// It gives another value for the same thing at the same time.
    Conflict,
    /// It gives an older value of the same thing.
    Superseded,
    /// It bears on it without answering.
    Context,
}

/// A yes/no reading of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// The passage affirms it.
    Yes,
    /// The passage denies it.
    No,
    /// Only under a condition that the quote states.
    Conditional,
}

/// A quoted fact, as a model proposes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedFact {
    /// The planned question that it serves.
    pub question_id: u32,
    /// Where it stands.
    pub passage_id: PassageId,
    /// The sentence, item or row: characters of the passage.
    pub span: Span,
    /// The value inside the passage that answers a lookup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Span>,
    /// What it is to its question.
    pub role: FactRole,
    /// For a yes/no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polarity: Option<Polarity>,
    /// How firmly it answers, for a fact that does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearing: Option<Bearing>,
    /// For a quote that does not answer: how near it comes, higher is nearer. Orders what is shown; never a confidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    /// Words of the question that nothing at the quote says, where that is known, for a fact that answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbound: Vec<String>,
    /// The reason why this quote bears on the question, naming what binds (the warrant).
    pub warrant: String,
}

/// How firmly a quote answers its question. An ordinal: code turns it into a figure by how often answers of that
/// bearing were right on labelled questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Bearing {
    /// Just enough.
    Weak,
    /// Most of the question is bound.
    Fair,
    /// Everything is.
    Strong,
}

impl Bearing {
    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Weak => "weak",
            Self::Fair => "fair",
            Self::Strong => "strong",
        }
    }
}

/// What a passage yields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Facts {
    /// Best first within each question.
    pub facts: Vec<ProposedFact>,
}

/// A gap as a model sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapBrief {
    /// The ledger's id.
    pub id: GapId,
    /// What is missing.
    pub description: String,
    /// Planned questions behind it.
    pub question_ids: Vec<u32>,
    /// Rounds spent so far.
    pub attempts: u8,
    /// Queries tried so far.
    pub previous_queries: Vec<String>,
}

/// Asks for a reading of the open gaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapInput {
    /// The round that just ended.
    pub round: u8,
    /// Open gaps.
    pub gaps: Vec<GapBrief>,
    /// What the round achieved.
    pub reflection: Reflection,
    /// The open planned questions.
    pub questions: Vec<PlannedQuestion>,
    /// Passages that bear on them.
    pub passages: Vec<ReadPassage>,
    /// How common the words of the queries are in the corpus.
    pub terms: Vec<TermCount>,
    /// Passages in the corpus.
    pub corpus_passages: u32,
}

/// A model's finding on one gap. Whether it is abandoned is decided in code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapFinding {
    /// Which gap.
    pub gap_id: GapId,
    /// A reason to give it up, when the passages give one; `None` keeps it open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub give_up: Option<GapReason>,
    /// The passage that says so ("not public", or one side of a contradiction).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage_id: Option<PassageId>,
    /// What was noticed, naming the datum.
    pub reasoning: String,
}

/// A reading of the open gaps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GapFindings {
    /// One a gap at most.
    pub findings: Vec<GapFinding>,
}

/// The ways in which a follow-up query may differ from what was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QueryStrategy {
    /// Other words for the same thing.
    Keywords,
    /// What would stand beside the answer in a document.
    Angle,
    /// Fewer constraints.
    Broader,
    /// More constraints.
    Narrower,
    /// Another time or vintage.
    TimeFocus,
}

impl QueryStrategy {
    /// Every strategy, in the order in which they are tried.
    pub const ALL: [Self; 5] =
        [Self::Keywords, Self::Angle, Self::Broader, Self::Narrower, Self::TimeFocus];

    /// The name shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keywords => "keywords",
            Self::Angle => "angle",
            Self::Broader => "broader",
            Self::Narrower => "narrower",
            Self::TimeFocus => "time_focus",
        }
    }
}

/// Asks for new queries for one gap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowUpInput {
    /// The gap.
    pub gap: GapBrief,
    /// The planned questions behind it.
    pub questions: Vec<PlannedQuestion>,
    /// Strategies not used on this gap yet; when empty, all have been.
    pub unused_strategies: Vec<QueryStrategy>,
    /// How common the words of the queries are in the corpus.
    pub terms: Vec<TermCount>,
    /// What the corpus is mainly about.
    pub subjects: Vec<String>,
    /// Titles of documents that came up, in order of first appearance.
    pub titles: Vec<String>,
    /// Where the run stands, as its working memory tells it; empty where it keeps none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memory: String,
}

/// A query with the strategy behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedQuery {
    /// The text to search for.
    pub query: String,
    /// How it differs.
    pub strategy: QueryStrategy,
}

/// New queries, best first. Core keeps two or three that really differ from what was tried.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowUp {
    /// Candidates, best first.
    pub queries: Vec<ProposedQuery>,
    /// Why these may close the gap.
    pub rationale: String,
}

/// A checked fact, as the draft sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fact {
    /// The run's id for it.
    pub id: FactId,
    /// What was proposed and held.
    pub proposed: ProposedFact,
    /// The exact text at the fact's span.
    pub quote: String,
    /// The exact text of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_text: Option<String>,
    /// The round in which it was found.
    pub round: u8,
}

/// Asks for the order of the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftInput {
    /// The user's question.
    pub question: String,
    /// The plan.
    pub questions: Vec<PlannedQuestion>,
    /// Checked facts.
    pub facts: Vec<Fact>,
    /// The passages they come from.
    pub passages: Vec<ReadPassage>,
    /// The run's mode, and tensions that bear on the facts.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
    /// Where the run stands, as its working memory tells it; empty where it keeps none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub memory: String,
}

/// A section of the answer, by fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DraftSection {
    /// A heading; code falls back to the planned question when it is empty.
    pub heading: String,
    /// Facts in the order of reading.
    pub facts: Vec<FactId>,
}

/// Which facts stand where. The sentences are rendered by code from the quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Draft {
    /// The short answer.
    pub conclusion: Vec<FactId>,
    /// What follows it.
    pub sections: Vec<DraftSection>,
    /// What the model thought on the way, in its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thinking: Vec<ThoughtStep>,
    /// What it holds for insights, in its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insights: Vec<ProposedInsight>,
}

/// Asks for explanations that compete.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HypothesizeInput {
    /// The user's question.
    pub question: String,
    /// The plan.
    pub questions: Vec<PlannedQuestion>,
    /// What was read so far; mostly nothing yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<ReadPassage>,
    /// At most so many explanations.
    pub most: u8,
    /// The run's mode, and tensions that bear on the question.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
}

/// How likely something is held before any evidence. An ordinal: code turns it into a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Prior {
    /// It would surprise.
    Unlikely,
    /// Neither.
    #[default]
    Possible,
    /// It is what one would guess.
    Likely,
}

impl Prior {
    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unlikely => "unlikely",
            Self::Possible => "possible",
            Self::Likely => "likely",
        }
    }
}

/// An explanation, as a model proposes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedHypothesis {
    /// A statement that can be true or false.
    pub claim: String,
    /// How likely the model holds it.
    #[serde(default)]
    pub prior: Prior,
    /// Searches that would find what speaks for it.
    #[serde(default)]
    pub queries_for: Vec<String>,
    /// Searches that would find what speaks against it.
    #[serde(default)]
    pub queries_against: Vec<String>,
}

/// Explanations that compete: two at least, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hypotheses {
    /// In the order of the reply.
    pub hypotheses: Vec<ProposedHypothesis>,
}

/// One call of a prompt function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "prompt", content = "input", rename_all = "snake_case")]
pub enum ModelCall {
    /// Asks whether the question is vague.
    Clarify(ClarifyInput),
    /// Splits the question.
    Plan(PlanInput),
    /// Judges what was read.
    Reflect(ReflectInput),
    /// Quotes facts.
    ExtractFacts(FactsInput),
    /// Reads the open gaps.
    AnalyzeGaps(GapInput),
    /// Writes new queries.
    FollowUp(FollowUpInput),
    /// Orders the answer.
    Draft(DraftInput),
    /// Proposes explanations that compete.
    Hypothesize(HypothesizeInput),
    /// Says what is wrong with an answer.
    Critique(CritiqueInput),
    /// Mends the order of an answer.
    Revise(ReviseInput),
    /// Looks at the evidence through one lens.
    Perspective(PerspectiveInput),
    /// Says which points of several lenses say the same and which pull apart.
    SynthesizePerspectives(SynthesizeInput),
    /// Says what to take from it.
    MetaAnalysis(MetaInput),
    /// Takes out of a finished session what is worth knowing.
    Distill(DistillInput),
    /// Names fallacies in texts.
    Fallacies(FallacyInput),
}

impl ModelCall {
    /// The prompt's id.
    pub fn prompt(&self) -> &'static str {
        match self {
            Self::Clarify(_) => "clarify",
            Self::Plan(_) => "plan",
            Self::Reflect(_) => "reflect",
            Self::ExtractFacts(_) => "extract_facts",
            Self::AnalyzeGaps(_) => "analyze_gaps",
            Self::FollowUp(_) => "follow_up",
            Self::Draft(_) => "draft",
            Self::Hypothesize(_) => "hypothesize",
            Self::Critique(_) => "critique",
            Self::Revise(_) => "revise",
            Self::Perspective(_) => "perspective",
            Self::SynthesizePerspectives(_) => "synthesize_perspectives",
            Self::MetaAnalysis(_) => "meta_analysis",
            Self::Distill(_) => "distill",
            Self::Fallacies(_) => "fallacies",
        }
    }

    /// What frames it, for the calls that a mode or a tension bears on.
    pub fn framing(&self) -> Option<&Framing> {
        match self {
            Self::Plan(input) => Some(&input.framing),
            Self::Draft(input) => Some(&input.framing),
            Self::Hypothesize(input) => Some(&input.framing),
            Self::Critique(input) => Some(&input.framing),
            Self::Revise(input) => Some(&input.framing),
            Self::Perspective(input) => Some(&input.framing),
            _ => None,
        }
    }

    /// What it is told of where the run stands, for the calls that go on with what was begun.
    pub fn memory(&self) -> Option<&str> {
        match self {
            Self::Reflect(input) => Some(&input.memory),
            Self::FollowUp(input) => Some(&input.memory),
            Self::Draft(input) => Some(&input.memory),
            _ => None,
        }
    }
}

/// The reply to a call; always the variant of the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "prompt", content = "output", rename_all = "snake_case")]
pub enum ModelReply {
    /// To [`ModelCall::Clarify`].
    Clarify(Clarification),
    /// To [`ModelCall::Plan`].
    Plan(Plan),
    /// To [`ModelCall::Reflect`].
    Reflect(Reflection),
    /// To [`ModelCall::ExtractFacts`].
    ExtractFacts(Facts),
    /// To [`ModelCall::AnalyzeGaps`].
    AnalyzeGaps(GapFindings),
    /// To [`ModelCall::FollowUp`].
    FollowUp(FollowUp),
    /// To [`ModelCall::Draft`].
    Draft(Draft),
    /// To [`ModelCall::Hypothesize`].
    Hypothesize(Hypotheses),
    /// To [`ModelCall::Critique`].
    Critique(Criticism),
    /// To [`ModelCall::Revise`].
    Revise(Patches),
    /// To [`ModelCall::Perspective`].
    Perspective(Perspective),
    /// To [`ModelCall::SynthesizePerspectives`].
    SynthesizePerspectives(PerspectiveSynthesis),
    /// To [`ModelCall::MetaAnalysis`].
    MetaAnalysis(MetaAnalysis),
    /// To [`ModelCall::Distill`].
    Distill(Distilled),
    /// To [`ModelCall::Fallacies`].
    Fallacies(FallacyFindings),
}
