//! Claims: the statements of a text that can be true or false.

use crate::evidence::{Span, char_slice};
use crate::id::ClaimId;
use serde::{Deserialize, Serialize};

/// What kind of statement a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimType {
    /// Something is so.
    Factual,
    /// One thing against another.
    Comparative,
    /// When something was.
    Temporal,
    /// One thing because of another.
    Causal,
    /// Somebody's judgement or forecast, the writer's included.
    Opinion,
}

/// The part of speech of a substantive word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WordType {
    /// "revenue"
    Noun,
    /// "rose"
    Verb,
    /// "21.4"
    Numeral,
    /// "Veltrix"
    ProperNoun,
}

impl WordType {
    /// How much a claim hangs on a word of this type, 0 to 1: proper noun 1.0, numeral 0.95, noun 0.8, verb 0.7.
    pub fn importance(self) -> f64 {
        match self {
            Self::ProperNoun => 1.0,
            Self::Numeral => 0.95,
            Self::Noun => 0.8,
            Self::Verb => 0.7,
        }
    }
}

/// A word that carries a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SubstantiveWord {
    /// As the claim has it.
    pub word: String,
    /// Its part of speech.
    #[serde(rename = "type")]
    pub kind: WordType,
    /// Characters of the claim's text.
    pub position: Span,
    /// See [`WordType::importance`].
    pub importance: f64,
}

/// One statement taken out of a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Claim {
    /// `c1`, `c2`, ... in the order of the text.
    pub id: ClaimId,
    /// The statement so that it can be read alone: pronouns resolved, the shared subject repeated. Where nothing had
    /// to be resolved it is the text's own words.
    pub text: String,
    /// What kind of statement.
    #[serde(rename = "type")]
    pub kind: ClaimType,
    /// Characters of the text that it was taken from.
    pub source_span: Span,
    /// The text at `source_span`, letter for letter.
    pub source_text: String,
    /// Characters of the sentence that it was cut out of, where several claims may be. Only while a text is checked.
    #[serde(skip)]
    pub sentence: Option<Span>,
    /// The words that carry it.
    pub substantive_words: Vec<SubstantiveWord>,
    /// Citation numbers or URLs that the text gives for it, in the order of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub citations: Vec<String>,
    /// Headings above it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heading_path: Vec<String>,
}

impl Claim {
    /// A factual statement that stands alone: it is its own source, its words not looked at yet.
    pub fn stated(id: ClaimId, text: &str) -> Self {
        Self {
            id,
            text: text.to_owned(),
            kind: ClaimType::Factual,
            source_span: Span { start: 0, end: text.chars().count() },
            source_text: text.to_owned(),
            sentence: None,
            substantive_words: vec![],
            citations: vec![],
            heading_path: vec![],
        }
    }

    /// Whether the span still holds the words that the claim was taken from.
    pub fn holds_in(&self, text: &str) -> bool {
        char_slice(text, self.source_span) == Some(self.source_text.as_str())
    }
}

/// A statement that was noticed and not taken as a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClaimDefect {
    /// Characters of the text.
    pub span: Span,
    /// Why, in words a reader can act on ("\"it\" may mean two things").
    pub reason: String,
}

/// Everything that was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Extraction {
    /// The claims, in the order of the text.
    pub claims: Vec<Claim>,
    /// What was left out, and why.
    pub defects: Vec<ClaimDefect>,
}
