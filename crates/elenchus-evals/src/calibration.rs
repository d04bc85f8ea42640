//! What ships, on any folder of labelled pairs: nothing is fitted, chosen or switched for a set. The figure is the one
//! that a user is shown, made by the same code.

use crate::claims::sets::{Label, Pair, Set, read};
use crate::metrics::{
    Figure, Row, auroc, balanced_accuracy, bins, brier, brier_skill, coverage_at, ece, figure,
};
use elenchus_core::belief::{
    Assessed, CheckedClaim, Claim, JudgedPassage, SourceEvidence, Verdict,
};
use elenchus_core::evidence::Span;
use elenchus_core::id::{ClaimId, SourceId};
use elenchus_core::port::{Checked, Judgement, Pair as Asked};
use elenchus_io::verify::{BuiltinVerifier, calibration, judging};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// Pairs that are judged at once.
const BATCH: usize = 256;

/// Levels of the risk-coverage curve: what is left, and how much of it is wrong, from this confidence on.
const LEVELS: [f64; 8] = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/// One judged pair.
struct Judged {
    label: Label,
    /// The shown confidence that the evidence bears the claim out; `None` when unchecked.
    confidence: Option<f64>,
    refutes: f64,
    verdict: Verdict,
}

/// The figures of a set.
#[derive(Serialize)]
struct Scores {
    set: String,
    sha256: String,
    pairs: usize,
    unchecked: usize,
    supported_share: f64,
    auroc_supported: Figure,
    auroc_refuted: Option<Figure>,
    /// At the threshold of the verdict that ships.
    balanced_accuracy: Figure,
    ece: f64,
    brier: f64,
    brier_skill: f64,
    coverage_at_95: f64,
    /// Confidence, share of the pairs that reach it, share of those that are not supported.
    risk_coverage: Vec<(f64, f64, f64)>,
    /// Of the pairs called contradicted, how many are refuted; `None` without refuted pairs.
    contradicted_right: Option<(usize, usize)>,
    bins: Vec<crate::metrics::Bin>,
}

pub(crate) fn run(data: &Path, verifier: &str, out: Option<&Path>) -> Result<ExitCode, String> {
    let verifier = match verifier {
        "builtin" => BuiltinVerifier::default(),
        "quick" => BuiltinVerifier::quick(),
        other => {
            return Err(format!(
                "could not use the verifier {other:?}: it is neither `builtin` nor `quick`"
            ));
        }
    };
    println!("{}", calibration().said());
    let mut all = Vec::new();
    for set in read(data, &[])? {
        let scores = score(&set, &judged(&set, &verifier));
        print(&scores);
        all.push(scores);
    }
    if let Some(out) = out {
        let json = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        std::fs::write(out, json + "\n")
            .map_err(|error| format!("could not write {}: {error}", out.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn judged(set: &Set, verifier: &BuiltinVerifier) -> Vec<Judged> {
    let thresholds = judging().thresholds;
    let mut out = Vec::with_capacity(set.pairs.len());
    for batch in set.pairs.chunks(BATCH) {
        let asked: Vec<Asked> = batch
            .iter()
            .map(|pair| Asked {
                claim: pair.claim.clone(),
                evidence: pair.evidence.clone(),
                context: String::new(),
            })
            .collect();
        for (pair, checked) in batch.iter().zip(verifier.judge(&asked)) {
            let (passages, unchecked) = match checked {
                Checked::Judged(judgement) if judgement.similarity >= thresholds.relevant => {
                    (vec![passage(*judgement)], vec![])
                }
                Checked::Judged(_) => (vec![], vec![]),
                Checked::Unchecked { reason } => (vec![], vec![reason]),
            };
            let claim = CheckedClaim { claim: claim(pair), passages, unchecked };
            let assessed = Assessed::new(vec![claim], thresholds, Some(calibration()));
            out.push(Judged {
                label: pair.label,
                confidence: assessed.confidence.claim_confidences[0].confidence,
                refutes: assessed.entailments[0].refutes,
                verdict: assessed.entailments[0].verdict.clone(),
            });
        }
    }
    out
}

fn claim(pair: &Pair) -> Claim {
    Claim::stated(ClaimId::from("c1"), &pair.claim)
}

fn passage(judgement: Judgement) -> JudgedPassage {
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
    }
}

fn score(set: &Set, judged: &[Judged]) -> Scores {
    let rows: Vec<Row> = judged
        .iter()
        .filter_map(|one| Some((one.confidence?, one.label == Label::Supported)))
        .collect();
    let called: Vec<Row> = judged
        .iter()
        .filter(|one| one.confidence.is_some())
        .map(|one| {
            (f64::from(u8::from(one.verdict == Verdict::Entailed)), one.label == Label::Supported)
        })
        .collect();
    let refuted = judged.iter().filter(|one| one.label == Label::Refuted).count();
    let against: Vec<Row> = judged
        .iter()
        .filter(|one| one.confidence.is_some())
        .map(|one| (one.refutes, one.label == Label::Refuted))
        .collect();
    let contradicted: Vec<&Judged> =
        judged.iter().filter(|one| one.verdict == Verdict::Contradicted).collect();
    let right = contradicted.iter().filter(|one| one.label == Label::Refuted).count();
    let n = rows.len().max(1) as f64;
    Scores {
        set: set.name.clone(),
        sha256: set.sha256.clone(),
        pairs: judged.len(),
        unchecked: judged.len() - rows.len(),
        supported_share: rows.iter().filter(|row| row.1).count() as f64 / n,
        auroc_supported: figure(&rows, auroc),
        auroc_refuted: (refuted > 0).then(|| figure(&against, auroc)),
        balanced_accuracy: figure(&called, |rows| balanced_accuracy(rows, 0.5)),
        ece: ece(&rows),
        brier: brier(&rows),
        brier_skill: brier_skill(&rows),
        coverage_at_95: coverage_at(&rows, 0.95),
        risk_coverage: LEVELS
            .iter()
            .map(|level| {
                let reach: Vec<&Row> = rows.iter().filter(|row| row.0 >= *level).collect();
                let wrong = reach.iter().filter(|row| !row.1).count() as f64;
                (*level, reach.len() as f64 / n, wrong / reach.len().max(1) as f64)
            })
            .collect(),
        contradicted_right: (refuted > 0).then_some((right, contradicted.len())),
        bins: bins(&rows),
    }
}

fn print(scores: &Scores) {
    println!(
        "\n{}: {} pairs, {:.0} % supported, {} unchecked",
        scores.set,
        scores.pairs,
        100.0 * scores.supported_share,
        scores.unchecked
    );
    println!("  AUROC supported      {}", scores.auroc_supported.shown());
    if let Some(refuted) = scores.auroc_refuted {
        println!("  AUROC refuted        {}", refuted.shown());
    }
    println!("  balanced accuracy    {}", scores.balanced_accuracy.shown());
    println!(
        "  ECE {:.3}  Brier {:.3}  skill {:+.3}  coverage at 95 % precision {:.1} %",
        scores.ece,
        scores.brier,
        scores.brier_skill,
        100.0 * scores.coverage_at_95
    );
    if let Some((right, called)) = scores.contradicted_right {
        println!("  called contradicted  {called}, of which refuted {right}");
    }
    println!("  confidence from  share of pairs  not supported");
    for (level, share, wrong) in &scores.risk_coverage {
        println!("  {level:15.2}  {:12.1} %  {:11.1} %", 100.0 * share, 100.0 * wrong);
    }
    println!("  reliability: predicted, seen, pairs");
    for bin in &scores.bins {
        println!("  {:15.2}  {:14.2}  {:13}", bin.confidence, bin.accuracy, bin.n);
    }
}
