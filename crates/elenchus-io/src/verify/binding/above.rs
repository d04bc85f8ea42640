//! What a document's title and headings say for all of its sentences.

use super::names::same_word;
use super::prepare::{Kind, Prepared};
use super::{Bindings, GroundedBy};
use elenchus_core::port::{Mismatch, MismatchKind};

/// Lays title and headings beside the evidence: a name, year or number that stands there need not be said again in every
/// sentence. A report on one company calls it "we" or nothing at all.
///
/// Another name in the claim's place is no denial then, but no proof either: the sentence may be about a third party.
pub(in crate::verify) fn read_under(
    found: &mut Bindings,
    claim: &Prepared,
    evidence: &[&Prepared],
    above: &[&Prepared],
) {
    if above.is_empty() {
        return;
    }
    let stands = |texts: &[&Prepared], at: usize| {
        let own = claim.tokens[at].lower.as_str();
        texts.iter().flat_map(|p| &p.tokens).any(|t| !t.is_mark() && same_word(&t.lower, own))
    };
    let words = |mismatch: &Mismatch| -> Vec<usize> {
        (0..claim.tokens.len())
            .filter(|at| {
                let chars = &claim.tokens[*at].chars;
                chars.start >= mismatch.claim_span.start
                    && chars.end <= mismatch.claim_span.end
                    && claim.items[*at].kind != Kind::Empty
            })
            .collect()
    };
    let mut borne = Vec::new();
    found.mismatches.retain_mut(|mismatch| {
        let words = words(mismatch);
        if words.is_empty() || !words.iter().all(|at| stands(above, *at)) {
            return true;
        }
        match (mismatch.kind, mismatch.contradicts) {
            (MismatchKind::Entity, true) if !words.iter().any(|at| stands(evidence, *at)) => {
                mismatch.contradicts = false;
                true
            }
            (MismatchKind::Entity | MismatchKind::Number | MismatchKind::Date, false) => {
                borne.push(mismatch.kind);
                false
            }
            _ => true,
        }
    });
    for kind in borne {
        found.matched.add(kind);
    }
    for grounding in &mut found.grounding {
        if grounding.by == GroundedBy::None && stands(above, grounding.token) {
            grounding.score = 1.0;
            grounding.by = GroundedBy::Exact;
        }
    }
}
