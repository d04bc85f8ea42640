//! Revision: patches to the order of an answer, each tied to a finding of its critique.
//!
//! A patch takes a quote out, moves it, brings in one that was found and not used, or renames a section. It cannot
//! write a sentence: an answer is composed from quotes only. The original and what the patches made of it are both
//! kept, with what became of each claim.

mod apply;
mod diff;

pub(crate) use apply::{apply, order_of};
pub use diff::{Change, Fate};
pub(crate) use diff::{changes, worse};

use super::critique::{Critique, Finding, FoundBy};
use crate::answer::{Answer, Claim, Evidence, Section};
use crate::id::{ClaimId, FactId};
use crate::prompt::Severity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of an answer that patches may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "String", try_from = "String")]
pub enum Place {
    /// The short answer, `conclusion`.
    Conclusion,
    /// A section, by its number from 1: `s1`, `s2`, ...
    Section(usize),
}

impl Place {
    /// "conclusion", or "s2"; `None` for anything else.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches(['[', ']', '"']).to_lowercase();
        if matches!(name.as_str(), "conclusion" | "short answer") {
            return Some(Self::Conclusion);
        }
        let number = name.strip_prefix('s')?;
        let plain = number.len() <= 4 && number.bytes().all(|b| b.is_ascii_digit());
        number.parse().ok().filter(|n| plain && *n > 0).map(Self::Section)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conclusion => out.write_str("conclusion"),
            Self::Section(number) => write!(out, "s{number}"),
        }
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}

impl TryFrom<String> for Place {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::parse(&name).ok_or_else(|| {
            format!("{name:?} is neither \"conclusion\" nor a section such as \"s1\"")
        })
    }
}

/// What a patch does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum PatchOp {
    /// Takes a claim out.
    DropClaim {
        /// Which.
        claim_id: ClaimId,
    },
    /// Moves a claim to another place.
    MoveClaim {
        /// Which.
        claim_id: ClaimId,
        /// Where to.
        to: Place,
    },
    /// Takes a claim out of the short answer and keeps it below.
    DemoteFromConclusion {
        /// Which.
        claim_id: ClaimId,
    },
    /// Brings in a quote that was found and not used.
    AddFact {
        /// Which.
        fact_id: FactId,
        /// Where to.
        to: Place,
    },
    /// Renames a section.
    ReplaceHeading {
        /// Which.
        section: Place,
        /// Its new name.
        heading: String,
    },
}

impl PatchOp {
    /// Every operation, by the words that a model uses.
    pub(crate) const WORDS: &[&str] =
        &["drop_claim", "move_claim", "demote_from_conclusion", "add_fact", "replace_heading"];

    /// The claim that it changes.
    pub(crate) fn claim_id(&self) -> Option<&ClaimId> {
        match self {
            Self::DropClaim { claim_id }
            | Self::MoveClaim { claim_id, .. }
            | Self::DemoteFromConclusion { claim_id } => Some(claim_id),
            Self::AddFact { .. } | Self::ReplaceHeading { .. } => None,
        }
    }

    /// In words.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::DropClaim { claim_id } => format!("drop {claim_id}"),
            Self::MoveClaim { claim_id, to } => format!("move {claim_id} to {to}"),
            Self::DemoteFromConclusion { claim_id } => {
                format!("take {claim_id} out of the short answer")
            }
            Self::AddFact { fact_id, to } => format!("add {fact_id} to {to}"),
            Self::ReplaceHeading { section, .. } => format!("rename {section}"),
        }
    }
}

/// A patch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Patch {
    /// The finding that it answers, `x1`, ...
    pub finding: String,
    /// What it does.
    #[serde(flatten)]
    pub op: PatchOp,
}

/// A patch with what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TriedPatch {
    /// The patch.
    #[serde(flatten)]
    pub patch: Patch,
    /// Why it was not applied; absent when it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// An answer as it stood, without what both versions share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Version {
    /// The short answer.
    pub conclusion: String,
    /// The whole text.
    pub text: String,
    /// Its sections.
    pub sections: Vec<Section>,
    /// Its claims; their evidence counts in `evidence`.
    pub claims: Vec<Claim>,
    /// Its quotes.
    pub evidence: Vec<Evidence>,
    /// Its quality, 0 to 100, after its critique or what is left of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<u8>,
    /// Its overall confidence as it was computed, 0 to 1; absent when nothing was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl Version {
    pub(crate) fn of(answer: &Answer, quality: Option<u8>) -> Self {
        Self {
            conclusion: answer.conclusion.clone(),
            text: answer.text.clone(),
            sections: answer.sections.clone(),
            claims: answer.claims.clone(),
            evidence: answer.evidence.clone(),
            quality,
            confidence: answer.overall().map(|(figure, _)| figure),
        }
    }
}

/// What was done about a critique.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Revision {
    /// Whether the answer that is given is the revised one.
    pub kept: bool,
    /// Every patch that was proposed.
    pub patches: Vec<TriedPatch>,
    /// What became of each claim, computed from both versions.
    pub changes: Vec<Change>,
    /// The answer that was criticised.
    pub original: Version,
    /// What the patches made of it; the same where none was applied.
    pub revised: Version,
    /// Why the revision is kept or refused, in the words of code.
    pub explanation: String,
}

/// The findings that are left once the patches are applied: those of the model less what was done about them, and
/// those that code finds in the revised answer. A dropped claim takes its findings with it; what is only moved out of
/// sight, or set beside other evidence, counts a degree less. Renaming a section mends nothing.
pub(crate) fn remaining(
    critique: &Critique,
    applied: &[TriedPatch],
    own: Vec<Finding>,
) -> Vec<Finding> {
    let mut left = own;
    for finding in critique.findings.iter().filter(|finding| finding.by == FoundBy::Model) {
        let done =
            |patch: &&TriedPatch| patch.dropped.is_none() && patch.patch.finding == finding.id;
        let mut finding = finding.clone();
        let mut gone = false;
        for patch in applied.iter().filter(done) {
            match &patch.patch.op {
                PatchOp::DropClaim { .. } => gone = true,
                PatchOp::ReplaceHeading { .. }
                | PatchOp::MoveClaim { to: Place::Conclusion, .. } => {}
                PatchOp::MoveClaim { .. }
                | PatchOp::DemoteFromConclusion { .. }
                | PatchOp::AddFact { .. } => {
                    finding.severity = match finding.severity {
                        Severity::Critical => Severity::Important,
                        Severity::Important | Severity::Minor => Severity::Minor,
                    };
                }
            }
        }
        let dropped = |patch: &TriedPatch| {
            patch.dropped.is_none()
                && matches!(&patch.patch.op, PatchOp::DropClaim { claim_id } if finding.claim_id.as_ref() == Some(claim_id))
        };
        if !gone && !applied.iter().any(dropped) {
            left.push(finding);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_are_written_as_they_are_read() {
        let patch = TriedPatch {
            patch: Patch {
                finding: "x2".to_owned(),
                op: PatchOp::MoveClaim { claim_id: ClaimId::from("c3"), to: Place::Section(2) },
            },
            dropped: None,
        };
        let json = serde_json::to_value(&patch).unwrap();
        assert_eq!(
            json,
            serde_json::json!({"finding": "x2", "op": "move_claim", "claim_id": "c3", "to": "s2"})
        );
        assert_eq!(serde_json::from_value::<TriedPatch>(json).unwrap(), patch);
    }

    #[test]
    fn places_are_few() {
        assert_eq!(Place::parse(" Conclusion"), Some(Place::Conclusion));
        assert_eq!(Place::parse("[S2]"), Some(Place::Section(2)));
        for name in ["s0", "s", "s-1", "section 1", "s99999999", "", "s1.5"] {
            assert_eq!(Place::parse(name), None, "{name}");
        }
    }
}
