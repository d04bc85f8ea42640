//! A verifier that counts words, and figures to go with it.

use crate::belief::{
    BearingTable, Calibration, CalibrationMap, Judging, Measured, Thresholds, WordType,
};
use crate::evidence::Span;
use crate::measure::Explained;
use crate::port::{
    Checked, Contradiction, EvidenceSpan, FiguresTold, Judgement, Mismatch, MismatchKind, Pair,
    PortFuture, Said, Spot, Tier, Verifier, VerifyFailure, WordGrounding,
};
use crate::text::{content_set, words};

/// Supports by the share of the claim's words that the evidence has; refutes when only one side says "not".
#[derive(Clone, Copy, Debug, Default)]
pub struct OverlapVerifier;

impl Verifier for OverlapVerifier {
    fn id(&self) -> &'static str {
        "overlap"
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move { Ok(pairs.iter().map(judge).collect()) })
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move { Ok(opposed(texts)) })
    }
}

/// Texts of two groups that have the same words but for one "not".
fn opposed(texts: &[Said]) -> Vec<Contradiction> {
    let whole =
        |item: usize| Spot { item, span: Span { start: 0, end: texts[item].text.chars().count() } };
    let plain = |text: &str| {
        let mut words = words(text);
        words.retain(|word| word != "not");
        words
    };
    let mut found = Vec::new();
    for (a, one) in texts.iter().enumerate() {
        for (b, other) in texts.iter().enumerate().skip(a + 1) {
            let opposed = one.group != other.group
                && plain(&one.text) == plain(&other.text)
                && words(&one.text) != words(&other.text);
            if opposed {
                found.push(Contradiction {
                    a: whole(a),
                    b: whole(b),
                    why: vec![Mismatch {
                        kind: MismatchKind::Negation,
                        claim_text: one.text.clone(),
                        claim_span: whole(a).span,
                        evidence_text: Some(other.text.clone()),
                        contradicts: true,
                        reason: "only one says not".to_owned(),
                    }],
                    strength: 0.9,
                    summary: "one says it, the other denies it".to_owned(),
                });
            }
        }
    }
    found
}

fn judge(pair: &Pair) -> Checked {
    let evidence = pair.evidence.join(" ");
    let (claim, all) = (content_set(&pair.claim), content_set(&evidence));
    if claim.is_empty() {
        return Checked::Unchecked { reason: "the claim has no word".to_owned() };
    }
    let share = claim.intersection(&all).count() as f64 / claim.len() as f64;
    let denies = |text: &str| words(text).iter().any(|word| word == "not");
    let (supports, refutes) = if denies(&pair.claim) == denies(&evidence) {
        (0.98 * share, 0.0)
    } else {
        (0.02, 0.9 * share)
    };
    let length = pair.evidence.first().map_or(0, |text| text.chars().count());
    Checked::Judged(Box::new(Judgement {
        supports,
        refutes,
        tier: Tier::Features,
        similarity: share,
        sentences: vec![EvidenceSpan { item: 0, span: Span { start: 0, end: length } }],
        mismatches: vec![],
        grounding: vec![WordGrounding {
            span: Span { start: 0, end: pair.claim.chars().count() },
            score: share,
            kind: Some(WordType::Noun),
        }],
        told: FiguresTold::default(),
        explained: Explained::new("P(supports)", supports, "share of the claim's words"),
    }))
}

/// Figures for [`OverlapVerifier`].
pub fn judging() -> Judging {
    Judging {
        verifier: "overlap".to_owned(),
        thresholds: Thresholds { supports: 0.6, refutes: 0.5, relevant: 0.3 },
        calibration: Calibration {
            version: "test".to_owned(),
            verifier: "overlap".to_owned(),
            bias: -2.0,
            maps: vec![CalibrationMap {
                tier: Tier::Features,
                slope: 1.0,
                fitted_on: vec![],
                ece: Some(0.02),
                ece_left_out: Some(0.08),
                bins: vec![],
                bins_left_out: vec![],
            }],
            feedback: vec![],
            counts_left_out: false,
        },
        bearing: BearingTable {
            strong: Measured { right: 90, given: 98 },
            fair: Measured { right: 60, given: 98 },
            weak: Measured { right: 30, given: 98 },
            measured_on: "nothing: figures for tests".to_owned(),
        },
        contradictions: true,
        titles: false,
        fallacies: true,
        asks_model: false,
    }
}
