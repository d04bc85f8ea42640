//! Perspectives: the same evidence through several lenses. A model words the points; what they have in common, where
//! they pull apart and every number is computed here, from the facts that they rest on.

mod compare;

pub(crate) use compare::{Subjects, compare};

use crate::belief::Verdict;
use crate::evidence::Span;
use crate::id::{ClaimId, FactId, PassageId, PointId, SourceId};
use crate::prompt::{MetaSentence, PointStance};
use serde::{Deserialize, Serialize};

/// A quote that a point rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointQuote {
    /// The fact.
    pub fact_id: FactId,
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
    /// Column names, for a row of a table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table_header: Vec<String>,
}

/// One thing that a lens sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// `v1`, `v2`, ... over all lenses, in their order.
    pub id: PointId,
    /// A model's words.
    pub statement: String,
    /// How it stands to the answer, by the model's word.
    pub stance: PointStance,
    /// What it rests on; never empty.
    pub quotes: Vec<PointQuote>,
    /// What a check of the statement against the passages of its quotes gave.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
}

impl Point {
    /// The facts it rests on, each once.
    pub fn facts(&self) -> impl Iterator<Item = &FactId> {
        self.quotes.iter().map(|quote| &quote.fact_id)
    }

    /// The verdict in words that can stand behind the statement. A point is a reading of its quotes, and most readings
    /// say more than a verifier finds in them, so that is the case without a mark.
    pub fn mark(&self) -> Option<&'static str> {
        match self.verdict {
            Verdict::Entailed => Some("borne out by what it cites"),
            Verdict::Contradicted => Some("contradicted by what it cites"),
            Verdict::Neutral { .. } => None,
            Verdict::Unchecked { .. } => Some("not checked"),
        }
    }
}

/// What one lens sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// The lens's id.
    pub lens: String,
    /// The name shown.
    pub name: String,
    /// What looking so means, as the model was told.
    pub stance: String,
    /// Why there is nothing, when the model did not answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// In the model's order.
    pub points: Vec<Point>,
    /// What would change the mind of this lens, in the model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_change: Option<String>,
    /// The facts that its points rest on, each once.
    pub facts: Vec<FactId>,
    /// Their share of all facts that the lens was shown, 0 to 1.
    pub evidence_share: f64,
}

/// By what points are taken to agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// They take the same quote the same way.
    SameEvidence,
    /// The model reads them as one statement.
    SameStatement,
    /// Both.
    Both,
}

/// Points of two lenses or more that agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Consensus {
    /// The points, in the order of the lenses.
    pub points: Vec<PointId>,
    /// Ids of their lenses.
    pub lenses: Vec<String>,
    /// By what.
    pub by: Agreement,
    /// Facts that points of at least two of the lenses rest on.
    pub facts: Vec<FactId>,
}

/// Two points of two lenses that pull apart about the same evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tension {
    /// The two points, in the order of the lenses.
    pub points: Vec<PointId>,
    /// Ids of their lenses.
    pub lenses: Vec<String>,
    /// Facts that both rest on.
    pub facts: Vec<FactId>,
    /// Statements of the answer that both bear on.
    pub claims: Vec<ClaimId>,
    /// What about, in the model's words; absent where only code found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How much evidence two lenses share: what a Venn diagram needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Overlap {
    /// Ids of the two lenses.
    pub lenses: Vec<String>,
    /// Facts that both rest on.
    pub shared: Vec<FactId>,
    /// Facts that only the first rests on.
    pub only_first: Vec<FactId>,
    /// Facts that only the second rests on.
    pub only_second: Vec<FactId>,
    /// Shared facts by all facts of the two (Jaccard), 0 to 1; 0 where neither has any.
    pub jaccard: f64,
}

/// The same evidence through several lenses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Perspectives {
    /// One a lens, in the order asked for; those that failed as well.
    pub views: Vec<View>,
    /// Where lenses agree, the widest first.
    pub consensus: Vec<Consensus>,
    /// Where they pull apart.
    pub tensions: Vec<Tension>,
    /// Points that stand in neither.
    pub unique: Vec<PointId>,
    /// Each pair of lenses that has points.
    pub overlap: Vec<Overlap>,
    /// What to take from it, in the model's words; each sentence names the points it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meta_analysis: Vec<MetaSentence>,
    /// What could not be done, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_done: Vec<String>,
}

impl Perspectives {
    /// Every point with its lens, in order.
    pub fn points(&self) -> impl Iterator<Item = (&View, &Point)> {
        self.views.iter().flat_map(|view| view.points.iter().map(move |point| (view, point)))
    }

    /// A point and its lens.
    pub fn point(&self, id: &PointId) -> Option<(&View, &Point)> {
        self.points().find(|(_, point)| point.id == *id)
    }
}
