//! The product on labelled pairs: nothing is fitted, chosen or switched for a set. The figure is the one that a user is
//! shown, made by the same code.

use super::score::{Judged, Score, score};
use super::sets::{Label, Pair, Set};
use elenchus_core::belief::{
    Assessed, CheckedClaim, Claim, JudgedPassage, SourceEvidence, Verdict,
};
use elenchus_core::evidence::Span;
use elenchus_core::id::{ClaimId, SourceId};
use elenchus_core::port::{Checked, Judgement, Pair as Asked, Verifier};
use elenchus_io::verify::{calibration, judging};

/// Pairs that are judged at once.
const BATCH: usize = 256;

/// What the product says of one pair.
pub(crate) struct Shown {
    pub(crate) label: Label,
    /// The shown confidence that the evidence bears the claim out; `None` when unchecked.
    pub(crate) confidence: Option<f64>,
    pub(crate) refutes: f64,
    pub(crate) verdict: Verdict,
    /// The sentence of the evidence that decided, where one did.
    pub(crate) decided: Option<usize>,
}

impl Shown {
    /// As a row of figures; called supported by the verdict. `None` when unchecked.
    fn judged(&self) -> Option<Judged> {
        Some(Judged {
            supports: self.confidence?,
            refutes: self.refutes,
            label: self.label,
            called: self.verdict == Verdict::Entailed,
        })
    }
}

/// What a verifier and the calibration that ships make of every pair of a set.
pub(crate) async fn shown(set: &Set, verifier: &dyn Verifier) -> Result<Vec<Shown>, String> {
    let thresholds = judging().thresholds;
    let mut out = Vec::with_capacity(set.pairs.len());
    for batch in set.pairs.chunks(BATCH) {
        let asked: Vec<Asked> = batch
            .iter()
            .map(|pair| Asked {
                claim: pair.claim.clone(),
                evidence: pair.evidence.clone(),
                above: pair.above.clone(),
            })
            .collect();
        let checked = verifier.verify(&asked).await.map_err(|error| error.to_string())?;
        for (pair, checked) in batch.iter().zip(checked) {
            let decided = match &checked {
                Checked::Judged(judgement) => judgement.sentences.first().map(|one| one.item),
                Checked::Unchecked { .. } => None,
            };
            let (passages, unchecked) = match checked {
                Checked::Judged(judgement) if judgement.similarity >= thresholds.relevant => {
                    (vec![passage(*judgement)], vec![])
                }
                Checked::Judged(_) => (vec![], vec![]),
                Checked::Unchecked { reason } => (vec![], vec![reason]),
            };
            let claim = CheckedClaim { claim: claim(pair), passages, unchecked };
            let assessed = Assessed::new(vec![claim], thresholds, Some(calibration()));
            out.push(Shown {
                label: pair.label,
                confidence: assessed.confidence.claim_confidences[0].confidence,
                refutes: assessed.entailments[0].refutes,
                verdict: assessed.entailments[0].verdict.clone(),
                decided,
            });
        }
    }
    Ok(out)
}

/// The figures of what was shown. Pairs that were not checked are counted and are in no figure.
pub(crate) fn scored(set: &Set, verifier: &str, shown: &[Shown]) -> Score {
    let judged: Vec<Judged> = shown.iter().filter_map(Shown::judged).collect();
    let mut score = score(&set.name, verifier, &judged);
    score.unchecked = shown.len() - judged.len();
    score.note = seen(&set.name, &set.family, &set.sha256).unwrap_or_default();
    score
}

/// Whether what ships was fitted on these rows, or on others of the same set.
fn seen(name: &str, family: &str, sha256: &str) -> Option<String> {
    let fitted = calibration().maps.iter().flat_map(|map| &map.fitted_on);
    let mut same_set = None;
    for on in fitted {
        if on.sha256 == sha256 {
            return Some("in-sample: fitted on these rows".to_owned());
        }
        if on.set == name || on.set.split('.').next() == Some(family) {
            same_set = Some(format!("fitted on other rows of the same set: {}", on.set));
        }
    }
    same_set
}

fn claim(pair: &Pair) -> Claim {
    Claim::stated(ClaimId::from("c1"), &pair.claim)
}

fn passage(judgement: Judgement) -> JudgedPassage {
    let says_otherwise = judgement.says_otherwise();
    JudgedPassage {
        evidence: SourceEvidence {
            source_id: SourceId::from("evidence"),
            source_url: String::new(),
            location: String::new(),
            relevant_text: String::new(),
            span: Span { start: 0, end: 0 },
            similarity: judgement.similarity,
            cluster: SourceId::from("evidence"),
            supports: judgement.supports,
            refutes: judgement.refutes,
        },
        judgement,
        date: None,
        reliability: 1.0,
        replaced_by: None,
        says_otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_were_fitted_on_are_marked() {
        let on = &calibration().maps[0].fitted_on[0];
        let family = on.set.split('.').next().unwrap();
        assert!(seen(&on.set, family, &on.sha256).unwrap().starts_with("in-sample"));
        assert!(seen(&on.set, family, "another file").unwrap().contains("other rows"));
        assert!(seen(&format!("{family}.test"), family, "x").unwrap().contains(&on.set[..3]));
        assert_eq!(seen("stranger.dev", "stranger", "x"), None);
    }

    #[tokio::test]
    async fn pairs_are_judged_as_the_product_judges_them() {
        let pair = |claim: &str, label| Pair {
            id: claim.to_owned(),
            claim: claim.to_owned(),
            evidence: vec!["The mill at Ostwick burnt down in 1871.".to_owned()],
            label,
            above: Vec::new(),
            document: None,
            gold_sentences: None,
        };
        let set = Set {
            name: "own.dev".to_owned(),
            family: "own".to_owned(),
            sha256: "x".to_owned(),
            pairs: vec![
                pair("The mill at Ostwick burnt down in 1871.", Label::Supported),
                pair("The mill at Ostwick burnt down in 1872.", Label::Refuted),
                pair("?", Label::Nei),
            ],
        };
        let verifier = crate::verifiers::named("quick").unwrap();
        let shown = shown(&set, verifier.as_ref()).await.unwrap();
        assert_eq!(shown[0].verdict, Verdict::Entailed);
        assert_ne!(shown[1].verdict, Verdict::Entailed);
        assert!(shown[0].confidence > shown[1].confidence);
        let score = scored(&set, "shipped, quick", &shown);
        assert_eq!((score.n, score.unchecked), (2, 1));
        assert!((score.supported.value - 1.0).abs() < 1e-12);
    }
}
