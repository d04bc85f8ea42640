//! Collects what the checks find.

use super::prepare::Prepared;
use super::{Against, Bindings, Counts};
use elenchus_core::evidence::Span;
use elenchus_core::port::{Mismatch, MismatchKind};
use std::ops::Range;

/// Mismatches and counts of one check.
pub(super) struct Report<'a> {
    claim: &'a Prepared,
    mismatches: Vec<Mismatch>,
    matched: Counts,
    checked: Counts,
    against: Against,
}

impl<'a> Report<'a> {
    pub(super) fn new(claim: &'a Prepared) -> Self {
        Self {
            claim,
            mismatches: Vec::new(),
            matched: Counts::default(),
            checked: Counts::default(),
            against: Against::default(),
        }
    }

    /// That the evidence fills the claim's own place with something else.
    pub(super) fn surely(&mut self) {
        self.against = Against::Surely;
    }

    /// That the evidence, however it sounds, opposes nothing.
    pub(super) fn opposes_nothing(&mut self) {
        if self.against == Against::Open {
            self.against = Against::Not;
        }
    }

    /// That the evidence says otherwise of the same, and both may hold.
    pub(super) fn otherwise(&mut self) {
        if self.against == Against::Open {
            self.against = Against::Otherwise;
        }
    }

    pub(super) fn checked(&mut self, kind: MismatchKind) {
        self.checked.add(kind);
    }

    pub(super) fn matched(&mut self, kind: MismatchKind) {
        self.matched.add(kind);
    }

    /// Whether a mismatch of the kind is known already.
    pub(super) fn has(&self, kind: MismatchKind) -> bool {
        self.mismatches.iter().any(|m| m.kind == kind)
    }

    /// A mismatch at some tokens of the claim. The same words are reported once a kind.
    pub(super) fn add(
        &mut self,
        kind: MismatchKind,
        tokens: Range<usize>,
        evidence_text: Option<String>,
        contradicts: bool,
        reason: String,
    ) {
        let (Some(first), Some(last)) = (
            self.claim.tokens.get(tokens.start),
            tokens.end.checked_sub(1).and_then(|i| self.claim.tokens.get(i)),
        ) else {
            return;
        };
        let claim_span = Span { start: first.chars.start, end: last.chars.end };
        if self.mismatches.iter().any(|m| m.kind == kind && m.claim_span == claim_span) {
            return;
        }
        self.mismatches.push(Mismatch {
            kind,
            claim_text: self
                .claim
                .text
                .get(first.bytes.start..last.bytes.end)
                .unwrap_or_default()
                .to_owned(),
            claim_span,
            evidence_text,
            contradicts,
            reason,
        });
    }

    pub(super) fn done(self) -> Bindings {
        Bindings {
            mismatches: self.mismatches,
            matched: self.matched,
            checked: self.checked,
            grounding: Vec::new(),
            against: self.against,
            overlap: Vec::new(),
        }
    }
}
