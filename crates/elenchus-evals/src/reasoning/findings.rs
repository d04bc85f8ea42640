//! Which findings of a model code comes to as well.

use super::observed::FindingSeen;
use elenchus_core::answer::{Answer, Claim};
use elenchus_core::belief::{HypothesisStatus, Verdict};
use elenchus_core::id::ClaimId;
use elenchus_core::scrutiny::critique::{Critique, Finding, FindingKind, FoundBy};
use elenchus_core::scrutiny::fallacy::{self, Point};

/// A side that has this share of the cited evidence, or more, is told alone.
const ONE_SIDED: f64 = 0.8;

/// The findings of a model, each with whether code confirms it.
pub(crate) fn seen(answer: &Answer) -> Vec<FindingSeen> {
    let Some(critique) = &answer.critique else { return Vec::new() };
    let models = critique.findings.iter().filter(|one| one.by == FoundBy::Model);
    models
        .map(|finding| FindingSeen {
            kind: finding.kind.name().replace([' ', '-'], "_"),
            text: finding.text.clone(),
            by_code: confirmed(answer, critique, finding),
            by_truth: None,
        })
        .collect()
}

/// Whether what was verified, searched and cited says the same: a finding of code of the same kind about the same
/// claim, or what each kind is about.
fn confirmed(answer: &Answer, critique: &Critique, finding: &Finding) -> bool {
    let same = critique.findings.iter().any(|own| {
        own.by == FoundBy::Code && own.kind == finding.kind && own.claim_id == finding.claim_id
    });
    let claim = finding.claim_id.as_ref().and_then(|id| criticised(answer, id));
    let contradicted = claim.is_some_and(|claim| {
        let told = |quote: &str| quote.contains(&claim.text) || claim.text.contains(quote);
        let sides = answer.disagreements.iter().flat_map(|one| &one.sides);
        sides.into_iter().any(|side| told(&side.quote))
            || answer.conflicts.iter().any(|note| note.claims.contains(&claim.id))
            || verdict(answer, claim).is_some_and(|(_, against)| against)
    });
    let unsupported = claim
        .and_then(|claim| verdict(answer, claim))
        .is_some_and(|(verdict, _)| *verdict != Verdict::Entailed);
    same || match finding.kind {
        FindingKind::Fallacy => claim.is_some_and(|claim| {
            let options = fallacy::Options { point: Point::Sensitive, ..Default::default() };
            !fallacy::detect(&claim.text, &options).is_empty()
        }),
        FindingKind::WeakCitation => unsupported,
        FindingKind::Overstatement => unsupported || contradicted,
        FindingKind::IgnoredAlternative => answer.hypotheses.iter().skip(1).any(|one| {
            !matches!(one.status, HypothesisStatus::Refuted | HypothesisStatus::Dropped)
                && one.independent_supporting > 0
        }),
        FindingKind::ConfirmationBias => {
            critique.bias.len() > 1 && critique.bias.values().any(|share| *share >= ONE_SIDED)
        }
        FindingKind::MissingCounterEvidence => contradicted,
        // No model can name it.
        FindingKind::OpenPart => false,
    }
}

/// The claim that was criticised: of the original where the answer was revised.
fn criticised<'a>(answer: &'a Answer, id: &ClaimId) -> Option<&'a Claim> {
    let claims = answer.revision.as_ref().map_or(&answer.claims, |one| &one.original.claims);
    claims.iter().find(|claim| claim.id == *id)
}

/// The verdict on a claim with these words, and whether a source says otherwise.
fn verdict<'a>(answer: &'a Answer, claim: &Claim) -> Option<(&'a Verdict, bool)> {
    let at = answer.claims.iter().position(|one| one.text == claim.text)?;
    let entailment = answer.entailments.get(at)?;
    Some((&entailment.verdict, !entailment.contradicting_sources.is_empty()))
}
