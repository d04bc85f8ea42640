//! Critique: what speaks against a finished answer. A model and code find it; the figures are code's alone.
//!
//! A critique lowers nothing and raises nothing in the answer itself: confidences follow from evidence. Its own figure,
//! the quality, says how much was found against the answer, see [`quality`].

mod asked;
mod measured;
mod own;
mod quality;
mod standing;

pub(crate) use measured::{Later, Ran, findings as measured_findings};
pub(crate) use own::{Looked, findings as own_findings, lean};
pub use quality::{Grade, quality};
pub(crate) use standing::Grounds;

use super::challenge::Answered;
use crate::evidence::Span;
use crate::id::ClaimId;
use crate::inquiry::Derivations;
use crate::measure::Explained;
use crate::prompt::Severity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A reason does not carry what it is given for.
    Fallacy,
    /// The source does not bear the claim out, or hardly.
    WeakCitation,
    /// Another explanation or reading has evidence that the answer passes over.
    IgnoredAlternative,
    /// One side was looked for harder, or is told alone.
    ConfirmationBias,
    /// The claim says more than its evidence.
    Overstatement,
    /// Nobody looked for what would speak against it.
    MissingCounterEvidence,
    /// A part of the question stays open while others are answered. Code alone finds it: no model can name it.
    OpenPart,
}

impl FindingKind {
    /// Every kind that a model may name, by the words that it uses.
    pub(crate) const WORDS: &[&str] = &[
        "fallacy",
        "weak_citation",
        "ignored_alternative",
        "confirmation_bias",
        "overstatement",
        "missing_counter_evidence",
    ];

    /// The kind of a word.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "fallacy" => Self::Fallacy,
            "weak_citation" => Self::WeakCitation,
            "ignored_alternative" => Self::IgnoredAlternative,
            "confirmation_bias" => Self::ConfirmationBias,
            "overstatement" => Self::Overstatement,
            "missing_counter_evidence" => Self::MissingCounterEvidence,
            _ => return None,
        })
    }

    /// The words for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fallacy => "fallacy",
            Self::WeakCitation => "weak citation",
            Self::IgnoredAlternative => "ignored alternative",
            Self::ConfirmationBias => "confirmation bias",
            Self::Overstatement => "overstatement",
            Self::MissingCounterEvidence => "missing counter-evidence",
            Self::OpenPart => "open part",
        }
    }
}

/// Who found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// The program, by what was verified, searched and cited.
    Code,
    /// A language model, in its own words.
    Model,
}

/// What stands behind a finding that was made without a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measurement {
    /// What was measured, with its value: "independent sources: 1; documents read that are no copies of each other: 4".
    pub datum: String,
    /// Further claims that it is about, beside [`Finding::claim_id`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimId>,
    /// What a reader can do about it.
    pub next_step: String,
}

/// Something that speaks against the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// `x1`, `x2`, ... those of code first.
    pub id: String,
    /// What it is about.
    pub kind: FindingKind,
    /// How much it matters: of a model's finding no more than what was verified, searched and cited says of the same. Runs of before the
    /// fifth revision have a model's own word here.
    pub severity: Severity,
    /// Who found it.
    pub by: FoundBy,
    /// The claim that it points at, of the answer that was criticised: the original where there is a revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<ClaimId>,
    /// Characters of the claim's text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<Span>,
    /// The claim's text at `span`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Why. The words of [`Finding::by`].
    pub text: String,
    /// Searches that could find what is missing; at most two, for missing counter-evidence only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// What was measured, and what can be done; of a critique that was made without a language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measurement>,
}

impl Finding {
    /// Whether it matters enough to be told in a report: what is minor stands in the other forms.
    pub fn matters(&self) -> bool {
        self.severity > Severity::Minor
    }
}

/// What speaks against an answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Critique {
    /// 0 to 100, see [`quality`]; absent for an answer without claims, and where no critique was asked for and only
    /// challenges were to be answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// The grade of `quality`; absent where no critic replied, and where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// How `quality` came about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<Explained>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The share of the cited evidence, by independent source, that speaks for each side; empty where no sides are
    /// known. Sides are explanations (`h1`, ...) or readings of a yes/no question.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bias: BTreeMap<String, f64>,
    /// Which way the answer leans, in a model's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leans: Option<String>,
    /// Other readings that the critic names, in a model's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// Steps that the user challenged, with what came of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub challenges: Vec<Answered>,
    /// The model that was asked; absent when code alone looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critic: Option<String>,
}

impl Critique {
    /// Whether nobody was asked what speaks against the answer, and it is here because steps were challenged. That nothing was
    /// found then says nothing.
    pub fn is_only_of_challenges(&self) -> bool {
        self.critic.is_none() && self.quality.is_none() && !self.challenges.is_empty()
    }

    /// Whether it was made without a language model, by what the run measured.
    pub fn is_measured(&self) -> bool {
        self.critic.is_none() && self.findings.iter().any(|finding| finding.measured.is_some())
    }

    /// Gives the findings their ids.
    pub(crate) fn number(&mut self) {
        for (finding, number) in self.findings.iter_mut().zip(1..) {
            finding.id = format!("x{number}");
        }
    }

    /// Numbers the findings and computes quality and grade. `claims` is how many claims answer something.
    pub(crate) fn grade(&mut self, claims: usize, rules: Derivations) {
        self.number();
        if claims == 0 {
            (self.quality, self.grade, self.explained) = (None, None, None);
            return;
        }
        let explained = quality(&self.findings, rules);
        let points = points(&explained);
        self.quality = Some(points);
        self.grade = Some(Grade::of(points));
        self.explained = Some(explained);
    }

    /// The finding of that id.
    pub fn finding(&self, id: &str) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }
}

/// A quality as whole points.
pub(crate) fn points(quality: &Explained) -> u8 {
    quality.value.round().clamp(0.0, 100.0) as u8
}
