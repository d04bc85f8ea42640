//! The shapes of an answer, as every client sees them.

use crate::belief::{ConfidenceResult, EntailmentResult, Hypothesis, Methodology};
use crate::evidence::anchor::TextQuoteSelector;
use crate::evidence::{DocDate, Span, WebPage};
use crate::id::{ClaimId, FactId, GapId, PassageId, RunId, SourceId, Timestamp};
use crate::inquiry::gap::GapReason;
use crate::inquiry::{StopReason, WebUse};
use crate::pack::theology::OsisRef;
use crate::port::{Mismatch, SkippedFile, Usage};
use crate::prompt::{Bearing, Clarified, FactRole, Polarity};
use crate::scrutiny::critique::Critique;
use crate::scrutiny::revision::Revision;
use crate::scrutiny::warning::FallacyWarning;
use crate::synthesis::insight::Insight;
use crate::synthesis::perspectives::Perspectives;
use serde::{Deserialize, Serialize};

/// What was made sure of about a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The claim is the words of a passage.
    Quoted,
    /// It was not checked.
    Unchecked {
        /// Why.
        reason: String,
    },
}

/// One statement of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// `c1`, `c2`, ... in the order of the text.
    pub id: ClaimId,
    /// The statement, letter for letter as the answer has it.
    pub text: String,
    /// Characters of [`Answer::text`].
    pub source_span: Span,
    /// The planned question that it serves.
    pub question_id: u32,
    /// What it is to that question.
    pub role: FactRole,
    /// The value that answers a lookup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The reading of a yes/no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polarity: Option<Polarity>,
    /// How firmly it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bearing: Option<Bearing>,
    /// Words of the question that nothing at its quote says, where that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbound: Vec<String>,
    /// What was made sure of.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Numbers of the evidence items, positions in [`Answer::evidence`].
    pub evidence: Vec<usize>,
    /// Why the evidence bears on the question.
    pub warrant: String,
}

/// A quote with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The fact it came from.
    pub fact_id: FactId,
    /// The number by which the text cites the document.
    pub citation: usize,
    /// The document.
    pub source_id: SourceId,
    /// Its path.
    pub path: String,
    /// Path, page and headings, for people.
    pub location: String,
    /// From 1, for paged formats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// The OSIS id of a verse of the Bible ("John.3.16").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub osis: Option<OsisRef>,
    /// The passage.
    pub passage_id: PassageId,
    /// The exact words.
    pub quote: String,
    /// Characters of the passage.
    pub span: Span,
    /// Characters of the document's extracted text.
    pub document_span: Span,
    /// Column names, for a row of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table_header: Vec<String>,
    /// The quote with what stands around it in its passage, for a page of the web: it can be found again there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<TextQuoteSelector>,
    /// The page's address with a fragment that makes a browser show the quote, for a page of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// A document that the text cites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Citation {
    /// `[n]` in the text, dense from 1 in the order of first use.
    pub number: usize,
    /// The document.
    pub source_id: SourceId,
    /// Its path.
    pub path: String,
    /// Its title.
    pub title: String,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Its own date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<DocDate>,
    /// Copies share a cluster and count as one source.
    pub cluster: SourceId,
    /// SHA-256 of what was read, hexadecimal: which version of the document the quotes stand in.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content_hash: String,
    /// What is known of it as a page of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web: Option<Box<WebPage>>,
}

/// A part of the answer below the short one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// Its claims.
    pub claims: Vec<ClaimId>,
}

/// Sources that disagree about a planned question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConflictNote {
    /// The planned question.
    pub question_id: u32,
    /// Claims of one side and of the other.
    pub claims: Vec<ClaimId>,
}

/// Two statements of what was read that cannot both hold, at least one of which the answer rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Disagreement {
    /// The planned question whose answer it bears on.
    pub question_id: u32,
    /// The statements: first one that the answer quotes.
    pub sides: Vec<Side>,
    /// The words at odds, each with what the other has in its place.
    pub why: Vec<Mismatch>,
    /// How sure it is, 0 to 1; an order, not a probability.
    pub strength: f64,
    /// In words.
    pub summary: String,
}

/// A tension that the pack knows, of which both sides were read: the question is about it, or the answer quotes a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TensionNote {
    /// "judas-death".
    pub id: String,
    /// Both sides by their OSIS ids.
    pub references: Vec<OsisRef>,
    /// What stands on either side, in the pack's words.
    pub summary: String,
    /// The lens from which it is mostly raised.
    pub perspective: String,
    /// Both sides as they were read, in the order of `references`.
    pub sides: Vec<Side>,
}

/// One statement of a [`Disagreement`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// The document.
    pub source_id: SourceId,
    /// Its path.
    pub path: String,
    /// Path, page and headings, for people.
    pub location: String,
    /// The passage.
    pub passage_id: PassageId,
    /// The exact words.
    pub quote: String,
    /// Characters of the passage.
    pub span: Span,
    /// Characters of the document's extracted text.
    pub document_span: Span,
}

/// An older value of something that the answer gives the newer value of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Superseded {
    /// The older claim.
    pub claim: ClaimId,
    /// The claim with the current value, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ClaimId>,
}

/// Something that could not be established.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unestablished {
    /// The gap.
    pub gap_id: GapId,
    /// What is missing.
    pub description: String,
    /// Why it was given up.
    pub reason: GapReason,
    /// What is known of why beyond that, as a clause: a word of it that stands nowhere, or that nothing could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Rounds spent.
    pub attempts: u8,
    /// Queries tried.
    pub queries: Vec<String>,
    /// Claims that came nearest without answering it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<ClaimId>,
}

/// What the run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// Rounds begun.
    pub rounds: u8,
    /// Searches made.
    pub searches: u32,
    /// Passages read.
    pub passages: u32,
    /// Documents read from.
    pub sources: u32,
    /// Model calls made.
    pub model_calls: u32,
    /// What they cost.
    pub usage: Usage,
    /// Milliseconds from the first input to the last.
    pub wall_ms: u64,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The run.
    pub run_id: RunId,
    /// The question as it was asked.
    pub question: String,
    /// What the user said when asked what is meant, each with what was asked, which is worded by a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clarified: Vec<Clarified>,
    /// When the run began.
    pub started_at: Timestamp,
    /// The model that proposed; code composed.
    pub model: String,
    /// Whether the model gave no order, or was not asked for one, so that the quotes stand in that of the program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_order: bool,
    /// The mode in which prompts were put, where it is not the default.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mode: String,
    /// The domain pack, where it is not the general one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pack: String,
    /// The corpus's name.
    pub corpus: String,
    /// The short answer, a piece of `text`.
    pub conclusion: String,
    /// The whole answer in Markdown, without front matter and sources.
    pub text: String,
    /// What follows the short answer.
    pub sections: Vec<Section>,
    /// Every statement.
    pub claims: Vec<Claim>,
    /// Every quote.
    pub evidence: Vec<Evidence>,
    /// Where sources disagree.
    pub conflicts: Vec<ConflictNote>,
    /// Statements that contradict what the answer rests on, strongest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<Disagreement>,
    /// Known tensions of the field that bear on what is quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensions: Vec<TensionNote>,
    /// Older values.
    pub superseded: Vec<Superseded>,
    /// What is missing, and why.
    pub could_not_establish: Vec<Unestablished>,
    /// What the sources say about each statement, in the order of `claims`; empty when nothing was verified.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entailments: Vec<EntailmentResult>,
    /// How sure; absent when nothing was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<ConfidenceResult>,
    /// How its figures came about, as it stands in `confidence` too; absent when nothing was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub methodology: Option<Methodology>,
    /// Explanations that compete, the highest credence first; their words are a model's, their figures ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hypotheses: Vec<Hypothesis>,
    /// Words of its quotes, and of what a model wrote for it, that may commit a fallacy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallacy_warnings: Vec<FallacyWarning>,
    /// What speaks against it; absent when nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critique: Option<Critique>,
    /// What was done about that; absent when nothing was proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Box<Revision>>,
    /// The same evidence through several lenses, where that was asked for; the words are a model's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perspectives: Option<Perspectives>,
    /// Connections that stand out, the most novel first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub insights: Vec<Insight>,
    /// Cited documents.
    pub sources: Vec<Citation>,
    /// What was done on the web; absent when it was not reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web: Option<WebUse>,
    /// Files of the corpus that could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_files: Vec<SkippedFile>,
    /// Numbers of the events that show the reasoning.
    pub reasoning_trace: Vec<u64>,
    /// Actions taken.
    pub exploration_steps: u32,
    /// What a reader could do about what is missing.
    pub next_steps: Vec<String>,
    /// Why the run stopped.
    pub stop_reason: StopReason,
    /// What it cost.
    pub receipt: Receipt,
}

impl Answer {
    /// Whether a claim stands in the short answer.
    pub fn is_in_short_answer(&self, claim: &Claim) -> bool {
        claim.source_span.end <= self.conclusion.chars().count()
    }
}
