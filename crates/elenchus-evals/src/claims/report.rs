//! The figures as a table, as JSON, and as a reliability diagram.

use super::judge::{Results, Score};
use crate::metrics::{Bin, Figure};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// How far a figure may fall below a committed one before that is a regression.
const SLACK: f64 = 0.015;

pub(crate) fn print(results: &Results) {
    let mut set = "";
    for score in &results.scores {
        if score.set != set {
            set = &score.set;
            println!("\n{set}: {} pairs, {:.0} % supported", score.n, 100.0 * score.base);
            println!(
                "  {:38} {:24} {:24} {:24} {:>6} {:>7} {:>9}",
                "",
                "AUROC supported",
                "AUROC refuted",
                "balanced accuracy",
                "ECE",
                "skill",
                "cov@95 %"
            );
        }
        println!(
            "  {:38} {:24} {:24} {:24} {:>6.3} {:>+7.3} {:>7.1} %",
            score.verifier,
            score.supported.shown(),
            score.refuted.map(Figure::shown).unwrap_or_default(),
            score.balanced.shown(),
            score.ece,
            score.skill,
            100.0 * score.coverage,
        );
    }
    println!(
        "\nmean over sets (one file a set: dev, or test where it is the only one not fitted on)"
    );
    for (name, mean) in means(results) {
        println!("  {name:38} supported {:.3}  refuted {:.3}  ECE {:.3}", mean.0, mean.1, mean.2);
    }
    println!("\nECE over all pairs, every set counting the same");
    for (name, value) in &results.pooled_ece {
        println!("  {name:38} {value:.3}");
    }
}

/// Means over sets: AUROC supported, AUROC refuted, ECE, a verifier. Parts of one set count as one file each are
/// left out, except the dev part (test for a set of which nothing is fitted).
fn means(results: &Results) -> Vec<(String, (f64, f64, f64))> {
    let counts = |score: &&Score| {
        (score.set.rsplit('.').next() == Some("dev") && !score.set.starts_with("sick"))
            || score.set == "sick.test"
    };
    let mut names: Vec<&str> = Vec::new();
    for score in &results.scores {
        if !names.contains(&score.verifier.as_str()) {
            names.push(&score.verifier);
        }
    }
    names
        .into_iter()
        .map(|name| {
            let of: Vec<&Score> =
                results.scores.iter().filter(counts).filter(|s| s.verifier == name).collect();
            let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
            (
                name.to_owned(),
                (
                    mean(of.iter().map(|s| s.supported.value).collect()),
                    mean(of.iter().filter_map(|s| s.refuted.map(|f| f.value)).collect()),
                    mean(of.iter().map(|s| s.ece).collect()),
                ),
            )
        })
        .collect()
}

/// Writes `FILE` as JSON and `FILE` with `.svg` as the reliability diagram.
pub(crate) fn write(results: &Results, out: &Path) -> Result<(), String> {
    let fail =
        |error: &dyn std::fmt::Display| format!("could not write {}: {error}", out.display());
    let json = serde_json::to_string_pretty(results).map_err(|error| fail(&error))?;
    std::fs::write(out, json + "\n").map_err(|error| fail(&error))?;
    std::fs::write(out.with_extension("svg"), diagram(&results.pooled_bins))
        .map_err(|error| fail(&error))
}

/// Fails when a figure fell against the committed results.
pub(crate) fn compare(results: &Results, committed: &Path) -> Result<ExitCode, String> {
    let fail =
        |error: &dyn std::fmt::Display| format!("could not read {}: {error}", committed.display());
    let text = std::fs::read_to_string(committed).map_err(|error| fail(&error))?;
    let before: Results = serde_json::from_str(&text).map_err(|error| fail(&error))?;
    let mut code = ExitCode::SUCCESS;
    for old in &before.scores {
        let same = |new: &&Score| new.set == old.set && new.verifier == old.verifier;
        let Some(new) = results.scores.iter().find(same) else { continue };
        if new.supported.value < old.supported.value - SLACK {
            println!(
                "regression: {} with {}: AUROC {:.3}, was {:.3}",
                new.set, new.verifier, new.supported.value, old.supported.value
            );
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// A reliability diagram as SVG: shares right over said confidence, with counts.
pub(crate) fn diagram(bins: &[Bin]) -> String {
    let (size, margin) = (360.0, 48.0);
    let x = |p: f64| margin + p * size;
    let y = |p: f64| margin / 2.0 + (1.0 - p) * size;
    let most = bins.iter().map(|bin| bin.n).max().unwrap_or(1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\" aria-label=\"Reliability diagram\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"#fff\"/>\n",
        w = size + 2.0 * margin,
        h = size + 1.75 * margin
    );
    for step in 0..=5 {
        let p = f64::from(step) / 5.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}H{}M{} {}V{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{p:.1}</text><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{p:.1}</text>",
            x(0.0),
            y(p),
            x(1.0),
            x(p),
            y(0.0),
            y(1.0),
            x(0.0) - 6.0,
            y(p) + 4.0,
            x(p),
            y(0.0) + 16.0
        );
    }
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}L{} {}\" stroke=\"#888\" stroke-dasharray=\"4\"/>",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0)
    );
    for bin in bins {
        let height = 0.25 * bin.n as f64 / most;
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#cfe0f4\"/>",
            x(bin.confidence) - size * 0.02,
            y(height),
            size * 0.04,
            y(0.0) - y(height)
        );
    }
    let points: Vec<String> =
        bins.iter().map(|bin| format!("{} {}", x(bin.confidence), y(bin.accuracy))).collect();
    if !points.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\"/>",
            points.join("L")
        );
    }
    for bin in bins {
        let _ = writeln!(
            svg,
            "<circle cx=\"{0}\" cy=\"{1}\" r=\"4\" fill=\"#1f5fa8\"/><text x=\"{2}\" y=\"{3}\">{4}</text>",
            x(bin.confidence),
            y(bin.accuracy),
            x(bin.confidence) + 6.0,
            y(bin.accuracy) - 6.0,
            bin.n
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">confidence that was said</text><text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">share that was supported</text>\n</svg>",
        x(0.5),
        y(0.0) + 34.0,
        y(0.5)
    );
    svg
}
