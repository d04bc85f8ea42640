//! One verifier with the figures that ship, on any folder of labelled pairs: calibration, risk and coverage, beside the
//! floors; and the same by kind of claim, evidence and document, since one figure over all hides where it means less.

mod kinds;
mod plot;

use crate::claims::judge::floors;
use crate::claims::report::{beside, diagram, merged, set_of};
use crate::claims::score::Score;
use crate::claims::sets::Label;
use crate::claims::shipped::{Shown, scored, shown};
use crate::claims::{features, sampled};
use crate::metrics::Row;
use crate::record::{Gate, Record};
use elenchus_core::belief::Verdict;
use elenchus_io::verify::calibration;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Levels of the risk-coverage curve: what is left, and how much of it is wrong, from this confidence on.
const LEVELS: [f64; 8] = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct CalibrationArgs {
    /// A folder of sets (JSON lines with `claim`, `evidence` and `label`).
    #[arg(long)]
    data: PathBuf,
    /// As `elenchus verify --verifier`: `builtin`, `quick`, `onnx:DIR` or `llm:PROVIDER:NAME`.
    #[arg(long, default_value = "builtin")]
    verifier: String,
    /// Of each set at most so many pairs, always the same ones.
    #[arg(long)]
    sample: Option<usize>,
    /// Draw the reliability over all sets as SVG.
    #[arg(long)]
    svg: Option<PathBuf>,
    #[command(flatten)]
    gate: Gate,
}

/// What a person sees of a set beside the figures of its row.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Curve {
    set: String,
    /// Confidence, share of the pairs that reach it, share of those that are not supported.
    risk_coverage: Vec<(f64, f64, f64)>,
    /// Of the pairs called contradicted, how many are refuted; `None` without refuted pairs.
    contradicted_right: Option<(usize, usize)>,
}

pub(crate) async fn run(args: &CalibrationArgs) -> Result<ExitCode, String> {
    let verifier = crate::verifiers::named(&args.verifier)?;
    println!("{}", calibration().said(&[]));
    let sets = sampled(&args.data, args.sample)?;
    let mut record = Record::new("calibration")
        .with("verifier", &args.verifier)
        .with("sample", args.sample.map_or_else(|| "all".to_owned(), |most| most.to_string()));
    let (mut rows, mut curves, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for set in &sets {
        let mut scores = floors(&features::table(set, None, features::Cross::None)?);
        let shown = shown(set, verifier.as_ref()).await?;
        let score = scored(set, &args.verifier, &shown);
        scores.push(score.clone());
        set_of(&set.name, &scores.iter().collect::<Vec<_>>());
        let curve = curve(&set.name, &shown);
        print(&score, &curve);
        pairs.extend(kinds::kinded(set, &shown, score.note.is_empty()));
        record.data.push((set.name.clone(), set.sha256.clone()));
        for score in &scores {
            record.put(&score.set, &score.verifier, score.n, score.measures());
        }
        rows.push(score);
        curves.push(curve);
    }
    println!("\n{}", kinds::report(&pairs, &args.verifier, &mut record));
    let bins = merged(rows.iter());
    println!("reliability over all sets\n{}", plot::plot(&bins));
    record.detail = serde_json::json!({
        "rows": rows.iter().map(beside).collect::<Vec<_>>(),
        "curves": curves,
    });
    if let Some(file) = args.diagram() {
        std::fs::write(&file, diagram(&bins))
            .map_err(|error| format!("could not write {}: {error}", file.display()))?;
    }
    args.gate.settle(&record)
}

impl CalibrationArgs {
    /// Where the reliability over all sets is drawn, every pair counting the same: where it is asked for, else beside the
    /// figures.
    fn diagram(&self) -> Option<PathBuf> {
        let beside = self.gate.out.as_ref().filter(|_| !self.gate.brief);
        self.svg.clone().or_else(|| beside.map(|out| out.with_extension("svg")))
    }
}

fn curve(set: &str, shown: &[Shown]) -> Curve {
    let rows: Vec<Row> = shown
        .iter()
        .filter_map(|one| Some((one.confidence?, one.label == Label::Supported)))
        .collect();
    let n = rows.len().max(1) as f64;
    let refuted = shown.iter().any(|one| one.label == Label::Refuted);
    let contradicted: Vec<&Shown> =
        shown.iter().filter(|one| one.verdict == Verdict::Contradicted).collect();
    let right = contradicted.iter().filter(|one| one.label == Label::Refuted).count();
    Curve {
        set: set.to_owned(),
        risk_coverage: LEVELS
            .iter()
            .map(|level| {
                let reach: Vec<&Row> = rows.iter().filter(|row| row.0 >= *level).collect();
                let wrong = reach.iter().filter(|row| !row.1).count() as f64;
                (*level, reach.len() as f64 / n, wrong / reach.len().max(1) as f64)
            })
            .collect(),
        contradicted_right: refuted.then_some((right, contradicted.len())),
    }
}

fn print(score: &Score, curve: &Curve) {
    println!("  Brier {:.3}, {} unchecked", score.brier, score.unchecked);
    if let Some((right, called)) = curve.contradicted_right {
        println!("  called contradicted  {called}, of which refuted {right}");
    }
    println!("  confidence from  share of pairs  not supported");
    for (level, share, wrong) in &curve.risk_coverage {
        println!("  {level:15.2}  {:12.1} %  {:11.1} %", 100.0 * share, 100.0 * wrong);
    }
    println!("  reliability\n{}", plot::plot(&score.bins));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_counts_what_reaches_a_level_and_what_of_it_is_wrong() {
        let one = |confidence, label, verdict| Shown {
            label,
            confidence,
            refutes: 0.0,
            verdict,
            decided: None,
        };
        let shown = [
            one(Some(0.9), Label::Supported, Verdict::Entailed),
            one(Some(0.8), Label::Partial, Verdict::Entailed),
            one(Some(0.1), Label::Refuted, Verdict::Contradicted),
            one(Some(0.2), Label::Nei, Verdict::Contradicted),
            one(None, Label::Nei, Verdict::Unchecked { reason: "too long".to_owned() }),
        ];
        let curve = curve("own.dev", &shown);
        let (level, share, wrong) = curve.risk_coverage[0];
        assert!((level - 0.5).abs() < 1e-12 && (share - 0.5).abs() < 1e-12);
        assert!((wrong - 0.5).abs() < 1e-12);
        assert_eq!(curve.contradicted_right, Some((1, 2)));
    }

    #[test]
    fn the_diagram_is_where_it_is_asked_for_and_not_beside_a_brief_record() {
        let gate = |brief| Gate { out: Some("a/b.json".into()), against: None, brief };
        let args = |svg: Option<&str>, gate| CalibrationArgs {
            data: PathBuf::new(),
            verifier: "quick".to_owned(),
            sample: None,
            svg: svg.map(PathBuf::from),
            gate,
        };
        let at = |args: CalibrationArgs| args.diagram();
        assert_eq!(at(args(None, gate(false))), Some(PathBuf::from("a/b.svg")));
        assert_eq!(at(args(None, gate(true))), None);
        assert_eq!(at(args(Some("c.svg"), gate(true))), Some(PathBuf::from("c.svg")));
        assert_eq!(at(args(None, Gate::default())), None);
    }
}
