//! What became of each claim, and whether a revision made the answer worse.

use super::apply::fact_of;
use super::{PatchOp, Place, TriedPatch};
use crate::answer::{Answer, AuditNote, AuditSeverity, Claim};
use crate::belief::{ConfidenceResult, Verdict};
use crate::id::{ClaimId, FactId};
use crate::prompt::FactRole;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stands where it stood.
    Kept,
    /// It stands elsewhere.
    Moved,
    /// It is gone.
    Dropped,
    /// It is new.
    Added,
}

impl Fate {
    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Moved => "moved",
            Self::Dropped => "dropped",
            Self::Added => "added",
        }
    }
}

/// A claim in both versions of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// What became of it.
    pub fate: Fate,
    /// Its words.
    pub text: String,
    /// The quote that makes it one claim in both versions.
    pub fact_id: FactId,
    /// Its id in the original.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ClaimId>,
    /// Its id in the revised answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ClaimId>,
    /// Where it stood: "short answer", a heading, or what the program calls the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Where a claim stands, in words.
pub(crate) fn place(answer: &Answer, claim: &Claim) -> String {
    if answer.is_in_short_answer(claim) {
        return "short answer".to_owned();
    }
    if let Some(section) = answer.sections.iter().find(|s| s.claims.contains(&claim.id)) {
        return section.heading.clone();
    }
    match claim.role {
        FactRole::Superseded => "older values".to_owned(),
        FactRole::Context => "what could not be established".to_owned(),
        FactRole::Answer | FactRole::Conflict => "conflicting evidence".to_owned(),
    }
}

/// What became of each claim, in the order of the original, then what is new.
pub(crate) fn changes(original: &Answer, revised: &Answer, patches: &[TriedPatch]) -> Vec<Change> {
    // A renamed section is the same place.
    let renamed = |heading: String| {
        let at = original.sections.iter().position(|section| section.heading == heading);
        let to = patches.iter().filter(|tried| tried.dropped.is_none()).find_map(|tried| {
            match &tried.patch.op {
                PatchOp::ReplaceHeading { section: Place::Section(n), heading }
                    if at.is_some_and(|at| at + 1 == *n) =>
                {
                    Some(crate::text::squeeze(heading))
                }
                _ => None,
            }
        });
        to.unwrap_or(heading)
    };
    let mut seen: BTreeSet<&FactId> = BTreeSet::new();
    let mut changes = Vec::new();
    for claim in &original.claims {
        let Some(fact) = fact_of(original, claim) else { continue };
        if !seen.insert(fact) {
            continue;
        }
        let from = place(original, claim);
        let now = revised.claims.iter().find(|other| fact_of(revised, other) == Some(fact));
        let to = now.map(|now| place(revised, now));
        let fate = match &to {
            None => Fate::Dropped,
            Some(to) if *to == renamed(from.clone()) => Fate::Kept,
            Some(_) => Fate::Moved,
        };
        changes.push(Change {
            fate,
            text: claim.text.clone(),
            fact_id: fact.clone(),
            before: Some(claim.id.clone()),
            after: now.map(|now| now.id.clone()),
            from: Some(from),
            to,
        });
    }
    for claim in &revised.claims {
        let Some(fact) = fact_of(revised, claim) else { continue };
        if seen.insert(fact) {
            changes.push(Change {
                fate: Fate::Added,
                text: claim.text.clone(),
                fact_id: fact.clone(),
                before: None,
                after: Some(claim.id.clone()),
                from: None,
                to: Some(place(revised, claim)),
            });
        }
    }
    changes
}

/// Planned questions that have an answer, in the short answer or anywhere.
fn answered(answer: &Answer, short: bool) -> BTreeSet<u32> {
    answer
        .claims
        .iter()
        .filter(|claim| matches!(claim.role, FactRole::Answer | FactRole::Conflict))
        .filter(|claim| !short || answer.is_in_short_answer(claim))
        .map(|claim| claim.question_id)
        .collect()
}

/// The share of the statements that answer which the sources bear out; `None` when none was verified.
fn borne_out(answer: &Answer) -> Option<f64> {
    let verdicts: Vec<&Verdict> = answer
        .claims
        .iter()
        .zip(&answer.entailments)
        .filter(|(claim, _)| matches!(claim.role, FactRole::Answer | FactRole::Conflict))
        .map(|(_, entailment)| &entailment.verdict)
        .collect();
    let supported = verdicts.iter().filter(|verdict| ***verdict == Verdict::Entailed).count();
    (!verdicts.is_empty()).then(|| supported as f64 / verdicts.len() as f64)
}

fn unchecked(figures: Option<&ConfidenceResult>) -> usize {
    figures.map_or(0, |figures| figures.coverage.unchecked)
}

/// Why a revised answer is worse than the original by code's own measure; `None` when it is not. `qualities` are those
/// of the original and the revised answer.
pub(crate) fn worse(
    original: &Answer,
    revised: &Answer,
    audit: &[AuditNote],
    qualities: (Option<u8>, Option<u8>),
) -> Option<String> {
    if let Some(note) = audit.iter().find(|note| note.severity == AuditSeverity::Error) {
        return Some(format!("the audit objects: {}: {}", note.at, note.text));
    }
    for short in [true, false] {
        let now = answered(revised, short);
        if let Some(lost) = answered(original, short).iter().find(|id| !now.contains(id)) {
            let what = if short { "short answer" } else { "answer" };
            return Some(format!("question {lost} would lose its only {what}"));
        }
    }
    match (borne_out(original), borne_out(revised)) {
        (Some(before), Some(after)) if after < before - 1e-9 => {
            return Some(format!(
                "a smaller share of the statements is borne out: {after:.2} instead of {before:.2}"
            ));
        }
        (Some(_), None) => return Some("the revised answer could not be verified".to_owned()),
        _ => {}
    }
    if unchecked(revised.confidence.as_ref()) > unchecked(original.confidence.as_ref()) {
        return Some("more of its statements could not be checked".to_owned());
    }
    if let (Some(before), Some(after)) = qualities
        && after < before
    {
        return Some(format!("more speaks against it: quality {after} instead of {before}"));
    }
    None
}
