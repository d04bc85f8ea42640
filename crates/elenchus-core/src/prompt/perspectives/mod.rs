//! The same evidence through several lenses: what a model is asked, and what it may reply.

pub(super) mod fill;
pub(super) mod read;

use super::{Fact, Framing};
use crate::evidence::ReadPassage;
use crate::id::{ClaimId, FactId, PointId};
use serde::{Deserialize, Serialize};

/// Most points kept of one lens.
pub(crate) const MOST_POINTS: usize = 6;
/// Most sentences about the whole.
pub(crate) const MOST_SENTENCES: usize = 6;

/// How a point stands to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PointStance {
    /// It speaks for it.
    Supports,
    /// It speaks against it.
    Opposes,
    /// The answer holds within limits only.
    Qualifies,
}

impl PointStance {
    /// The word used in data and for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Opposes => "opposes",
            Self::Qualifies => "qualifies",
        }
    }

    /// Whether one speaks for what the other speaks against.
    pub fn opposes(self, other: Self) -> bool {
        matches!((self, other), (Self::Supports, Self::Opposes) | (Self::Opposes, Self::Supports))
    }
}

/// A lens, as a prompt shows it. Kept with the call, so that a journal says which words were asked with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LensBrief {
    /// The word by which it is chosen.
    pub id: String,
    /// The name shown.
    pub name: String,
    /// What looking so means.
    pub stance: String,
}

impl LensBrief {
    /// The words of a lens of a pack.
    pub fn of(lens: &crate::pack::Lens) -> Self {
        Self {
            id: lens.id.to_owned(),
            name: lens.name.to_owned(),
            stance: crate::text::squeeze(lens.stance),
        }
    }
}

/// A statement of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatementBrief {
    /// The claim.
    pub id: ClaimId,
    /// Its words.
    pub text: String,
}

/// Asks what one lens sees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerspectiveInput {
    /// The user's question.
    pub question: String,
    /// The lens.
    pub lens: LensBrief,
    /// Checked facts.
    pub facts: Vec<Fact>,
    /// The passages they come from.
    pub passages: Vec<ReadPassage>,
    /// Statements of the answer.
    pub claims: Vec<StatementBrief>,
    /// The run's mode, and tensions that bear on what was found.
    #[serde(default, skip_serializing_if = "Framing::is_empty")]
    pub framing: Framing,
}

/// A point of a lens, as a model proposes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedPoint {
    /// One sentence in the model's words.
    pub statement: String,
    /// How it stands to the answer.
    pub stance: PointStance,
    /// The facts it rests on; at least one.
    pub facts: Vec<FactId>,
}

/// What one lens sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Perspective {
    /// In the order of the reply; none when the facts give the lens nothing to say.
    pub points: Vec<ProposedPoint>,
    /// What would change its mind; empty when the model did not say.
    #[serde(default)]
    pub would_change: String,
}

/// A point of a lens, as later prompts see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointBrief {
    /// The run's id for it.
    pub id: PointId,
    /// The name of its lens.
    pub lens: String,
    /// How it stands to the answer.
    pub stance: PointStance,
    /// Its words.
    pub statement: String,
    /// The facts it rests on.
    pub facts: Vec<FactId>,
    /// What a check of it against its quotes gave, in a word; empty when there was none yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
}

/// Asks which points say the same and which pull apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SynthesizeInput {
    /// The user's question.
    pub question: String,
    /// The points of all lenses.
    pub points: Vec<PointBrief>,
}

/// Two points that pull apart, as a model sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedTension {
    /// Two points of two lenses.
    pub points: Vec<PointId>,
    /// What about, in the model's words; may be empty.
    #[serde(default)]
    pub why: String,
}

/// Which points say the same, pull apart, or stand alone: a proposal, which code checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerspectiveSynthesis {
    /// Points that say the same.
    pub groups: Vec<Vec<PointId>>,
    /// Pairs that pull apart.
    #[serde(default)]
    pub tensions: Vec<ProposedTension>,
    /// Points that stand alone.
    #[serde(default)]
    pub unique: Vec<PointId>,
}

/// Asks what to take from it all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetaInput {
    /// The user's question.
    pub question: String,
    /// The points of all lenses.
    pub points: Vec<PointBrief>,
    /// Points that agree, as code found them.
    pub consensus: Vec<Vec<PointId>>,
    /// Points that pull apart, as code kept them.
    pub tensions: Vec<ProposedTension>,
}

/// A sentence about the whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetaSentence {
    /// In the model's words.
    pub text: String,
    /// The points it rests on; at least one.
    pub points: Vec<PointId>,
}

/// What to take from it all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MetaAnalysis {
    /// A few sentences.
    pub sentences: Vec<MetaSentence>,
}
