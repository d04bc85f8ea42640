//! What a model thinks aloud while it drafts: steps of its reasoning, and remarks that it holds for insights.
//!
//! Both are a model's words. They are kept in the trace under that name and decide nothing: which facts stand where
//! is another part of the reply, and whether a remark is an insight is found out by code.

use crate::id::FactId;
use serde::{Deserialize, Serialize};

/// The eight steps in which a draft is thought through, and what fits none of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ThoughtStage {
    /// The question in other words.
    Restate,
    /// The terms and frames that it needs.
    Concepts,
    /// What speaks for and against each reading.
    Evidence,
    /// What does not fit together.
    Tensions,
    /// How a sceptic, an advocate and a bystander would read it.
    Perspectives,
    /// Whether the reasoning commits a fallacy.
    FallacyCheck,
    /// The conclusion with the reason why each fact bears on it.
    Synthesis,
    /// Which fact stands behind what.
    Citations,
    /// The model named no step.
    #[default]
    Unnamed,
}

impl ThoughtStage {
    /// The words that a model may use in the JSON form.
    pub(super) const WORDS: &'static [&'static str] = &[
        "restate",
        "concepts",
        "evidence",
        "tensions",
        "perspectives",
        "fallacy_check",
        "synthesis",
        "citations",
    ];

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restate => "restating the question",
            Self::Concepts => "concepts",
            Self::Evidence => "evidence for and against",
            Self::Tensions => "tensions",
            Self::Perspectives => "perspectives",
            Self::FallacyCheck => "check for fallacies",
            Self::Synthesis => "synthesis",
            Self::Citations => "citations",
            Self::Unnamed => "thinking",
        }
    }

    /// The step of a word of [`ThoughtStage::WORDS`].
    pub(super) fn of(word: &str) -> Self {
        match word {
            "restate" => Self::Restate,
            "concepts" => Self::Concepts,
            "evidence" => Self::Evidence,
            "tensions" => Self::Tensions,
            "perspectives" => Self::Perspectives,
            "fallacy_check" => Self::FallacyCheck,
            "synthesis" => Self::Synthesis,
            "citations" => Self::Citations,
            _ => Self::Unnamed,
        }
    }

    /// The step that a line of free thinking opens with ("Tensions: ...", "**Synthesize** ..."). Its number says
    /// nothing: models count their own steps.
    pub(super) fn opening(line: &str) -> Self {
        let opens: Vec<String> = crate::text::words(line).into_iter().take(3).collect();
        let begins = |stem: &str| opens.iter().any(|word| word.starts_with(stem));
        match () {
            () if begins("restat") || begins("rephras") || begins("understand") => Self::Restate,
            () if begins("concept") => Self::Concepts,
            () if begins("tension") => Self::Tensions,
            () if begins("perspectiv") => Self::Perspectives,
            () if begins("fallac") => Self::FallacyCheck,
            () if begins("synthes") => Self::Synthesis,
            () if begins("citation") || begins("cite") => Self::Citations,
            () if begins("evidence") => Self::Evidence,
            () => Self::Unnamed,
        }
    }
}

/// One step of a model's thinking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThoughtStep {
    /// Which of the eight.
    #[serde(default)]
    pub step: ThoughtStage,
    /// What it thought, one clean line of at most 400 characters.
    pub text: String,
    /// Facts that it named; all of them exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<FactId>,
}

/// What kind of connection an insight makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InsightKind {
    /// Places far apart, or authors who do not usually meet, speak of the same.
    CrossRef,
    /// One pattern in more than five passages of different sources.
    Pattern,
    /// Three or more perspectives taken together.
    Synthesis,
    /// Something that reconciles a known contradiction.
    TensionResolution,
}

impl InsightKind {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [Self::CrossRef, Self::Pattern, Self::Synthesis, Self::TensionResolution];

    /// The words that a model and a file may use.
    pub(super) const WORDS: &'static [&'static str] =
        &["cross_ref", "pattern", "synthesis", "tension_resolution"];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::CrossRef => "cross_ref",
            Self::Pattern => "pattern",
            Self::Synthesis => "synthesis",
            Self::TensionResolution => "tension_resolution",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::CrossRef => "Cross-reference",
            Self::Pattern => "Pattern",
            Self::Synthesis => "Synthesis",
            Self::TensionResolution => "Resolved tension",
        }
    }

    /// The kind of this name; hyphens, spaces and case do not matter.
    pub fn of(word: &str) -> Option<Self> {
        let plain: String =
            word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        Self::ALL.into_iter().find(|kind| kind.name().replace('_', "") == plain)
    }
}

/// A remark that a model holds for an insight. It is one only when its facts exist and the rule of its kind holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProposedInsight {
    /// What kind it says it is.
    #[serde(rename = "type")]
    pub kind: InsightKind,
    /// What it says, one clean line of at most 400 characters.
    pub text: String,
    /// Facts that it rests on; all of them exist.
    pub facts: Vec<FactId>,
}
