//! The figures as a table, as a record, and as a reliability diagram.

use super::TRAINED;
use super::judge::Results;
use super::score::{self, Score};
use crate::anchors;
use crate::metrics::Bin;
use crate::record::Record;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Prints a table a set, with the anchors of the set, and the means over sets.
pub(crate) fn print(results: &Results) {
    println!(
        "intervals: 95 %, bootstrap over pairs; ECE: 10 bins of equal width, beside it 15 of equal size"
    );
    for note in &results.notes {
        println!("{note}");
    }
    anchors::print("claims", "");
    for (set, _) in &results.sets {
        let of: Vec<&Score> = results.scores.iter().filter(|score| score.set == *set).collect();
        set_of(set, &of);
    }
    println!(
        "\nmean over sets (one file a set: dev, or test where it is the only one not fitted on)"
    );
    for row in &means(results, |_| true) {
        of_sets(row);
    }
    println!("\nmean over those sets of which no row was fitted on or trained on");
    for row in &means(results, is_unseen) {
        of_sets(row);
    }
    println!("\nECE over all pairs, every set counting the same");
    for (name, value) in &results.pooled_ece {
        println!("  {name:38} {value:.3}");
    }
}

fn of_sets((name, mean): &(String, Means)) {
    println!(
        "  {name:38} supported {:.3}  refuted {}  ECE {:.3}  skill {:+.3}  ({} sets)",
        mean.supported,
        mean.refuted.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}")),
        mean.ece,
        mean.skill,
        mean.sets
    );
}

/// Whether neither the row's regression nor the cross-encoder has seen any row of its set, other files of it included.
fn is_unseen(score: &Score) -> bool {
    let is_in_domain = score.verifier.ends_with("five-fold") || !score.note.is_empty();
    !is_in_domain && !TRAINED.contains(&family(&score.set))
}

/// The table of one set.
pub(crate) fn set_of(set: &str, scores: &[&Score]) {
    let Some(first) = scores.first() else { return };
    println!("\n{set}: {} pairs, {:.0} % supported", first.n, 100.0 * first.base);
    println!("{}", score::head());
    for score in scores {
        println!("{}", score::line(score));
    }
    if let Some(partial) = score::partial(scores) {
        println!("{partial}");
    }
    anchors::print(family(set), "  ");
}

fn family(set: &str) -> &str {
    set.split('.').next().unwrap_or(set)
}

/// Means of one verifier.
#[derive(serde::Serialize)]
struct Means {
    sets: usize,
    supported: f64,
    refuted: Option<f64>,
    ece: f64,
    skill: f64,
}

/// Means over the rows that count, one file a set.
fn means(results: &Results, counts: impl Fn(&Score) -> bool) -> Vec<(String, Means)> {
    let counted = counted(results);
    let mut names: Vec<&str> = Vec::new();
    for score in &results.scores {
        if !names.contains(&score.verifier.as_str()) {
            names.push(&score.verifier);
        }
    }
    let mean = |values: Vec<f64>| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    names
        .into_iter()
        .filter_map(|name| {
            let of: Vec<&Score> = results
                .scores
                .iter()
                .filter(|s| s.verifier == name && counted.contains(s.set.as_str()) && counts(s))
                .collect();
            let means = Means {
                sets: of.len(),
                supported: mean(of.iter().map(|s| s.supported.value).collect())?,
                refuted: mean(of.iter().filter_map(|s| s.refuted.map(|f| f.value)).collect()),
                ece: mean(of.iter().map(|s| s.ece.value).collect())?,
                skill: mean(of.iter().map(|s| s.skill.value).collect())?,
            };
            Some((name.to_owned(), means))
        })
        .collect()
}

/// One file of each set: its dev part, else its test part, else the first. Of SICK the test part: nothing was fitted on
/// it, and features were chosen while looking at the others.
fn counted(results: &Results) -> BTreeSet<&str> {
    let names: Vec<&str> = results.sets.iter().map(|(name, _)| name.as_str()).collect();
    let families: BTreeSet<&str> = names.iter().map(|name| family(name)).collect();
    let pick = |family_of: &str| {
        let files: Vec<&str> =
            names.iter().copied().filter(|name| family(name) == family_of).collect();
        let part =
            |part: &str| files.iter().copied().find(|name| name.rsplit('.').next() == Some(part));
        let order = if family_of == "sick" { ["test", "dev"] } else { ["dev", "test"] };
        order.into_iter().find_map(part).or_else(|| files.first().copied())
    };
    families.into_iter().filter_map(pick).collect()
}

/// What is written and compared.
pub(crate) fn record(results: &Results, sample: Option<usize>) -> Record {
    let mut record = Record::new("claims")
        .with("sample", sample.map_or_else(|| "all".to_owned(), |most| most.to_string()));
    record.data.clone_from(&results.sets);
    for score in &results.scores {
        record.put(&score.set, &score.verifier, score.n, score.measures());
    }
    record.detail = serde_json::json!({
        "pooled_ece": results.pooled_ece,
        "pooled_bins": results.pooled_bins,
        "means": means(results, |_| true),
        "means_unseen": means(results, is_unseen),
        "rows": results.scores.iter().map(beside).collect::<Vec<_>>(),
    });
    record
}

/// What stands beside the compared figures of a row.
pub(crate) fn beside(score: &Score) -> serde_json::Value {
    serde_json::json!({
        "set": score.set,
        "who": score.verifier,
        "base": score.base,
        "ece_adaptive": score.ece_adaptive,
        "brier": score.brier,
        "partial": score.partial,
        "unchecked": score.unchecked,
        "note": score.note,
        "bins": score.bins,
    })
}

/// Draws the reliability diagram beside `out`. Without fitted rows it is that of what ships, over all sets.
pub(crate) fn draw(pooled: &[Bin], scores: &[Score], out: &Path) -> Result<(), String> {
    let file = out.with_extension("svg");
    let last = scores.iter().rfind(|score| score.verifier.starts_with("shipped, "));
    let name = last.map(|score| score.verifier.as_str());
    let bins = if pooled.is_empty() {
        merged(scores.iter().filter(|score| Some(score.verifier.as_str()) == name))
    } else {
        pooled.to_vec()
    };
    std::fs::write(&file, diagram(&bins))
        .map_err(|error| format!("could not write {}: {error}", file.display()))
}

/// The bins of several rows as one diagram, every pair counting the same.
pub(crate) fn merged<'a>(scores: impl Iterator<Item = &'a Score>) -> Vec<Bin> {
    let mut sums = [(0.0, 0.0, 0usize); 10];
    for bin in scores.flat_map(|score| &score.bins) {
        let sum = &mut sums[((bin.confidence.clamp(0.0, 1.0) * 10.0) as usize).min(9)];
        sum.0 += bin.confidence * bin.n as f64;
        sum.1 += bin.accuracy * bin.n as f64;
        sum.2 += bin.n;
    }
    sums.iter()
        .filter(|sum| sum.2 > 0)
        .map(|(p, right, n)| Bin { confidence: p / *n as f64, accuracy: right / *n as f64, n: *n })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::super::score::{Judged, score};
    use super::super::sets::Label;
    use super::*;

    fn results(sets: &[&str]) -> Results {
        let judged = [
            Judged::at(0.5, 0.9, 0.05, Label::Supported),
            Judged::at(0.5, 0.2, 0.7, Label::Refuted),
            Judged::at(0.5, 0.4, 0.1, Label::Partial),
        ];
        Results {
            scores: sets.iter().map(|set| score(set, "shipped, quick", &judged)).collect(),
            sets: sets.iter().map(|set| ((*set).to_owned(), "aa".to_owned())).collect(),
            pooled_ece: Vec::new(),
            pooled_bins: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn one_file_of_each_set_counts_in_the_means() {
        let results = results(&["other", "sick.dev", "sick.test", "wice.dev", "wice.test"]);
        let expected = BTreeSet::from(["other", "sick.test", "wice.dev"]);
        assert_eq!(counted(&results), expected);
        let means = means(&results, |_| true);
        assert_eq!((means.len(), means[0].1.sets), (1, 3));
    }

    #[test]
    fn a_set_of_which_rows_were_seen_is_in_no_mean_of_unseen_ones() {
        let mut results = results(&["cad_nli.dev", "other.dev", "wice.dev"]);
        let unseen = |results: &Results| -> Vec<(String, usize)> {
            let means = means(results, is_unseen);
            means.into_iter().map(|(name, mean)| (name, mean.sets)).collect()
        };
        assert_eq!(unseen(&results), [("shipped, quick".to_owned(), 2)]);
        results.scores[2].note = "in-sample: fitted on these rows".to_owned();
        assert_eq!(unseen(&results), [("shipped, quick".to_owned(), 1)]);
        for score in &mut results.scores {
            score.verifier = "features, five-fold".to_owned();
        }
        assert_eq!(unseen(&results), []);
        let detail = record(&results, None).detail;
        assert_eq!(detail["means"][0][1]["sets"], 3);
        assert!(detail["means_unseen"].as_array().is_some_and(Vec::is_empty));
    }

    #[test]
    fn a_record_holds_what_is_compared_and_what_stands_beside_it() {
        let record = record(&results(&["own.dev"]), Some(3));
        assert_eq!(record.lines[0].figures.len(), 6);
        assert_eq!(record.detail["rows"][0]["partial"][0], 1);
        assert!(record.regressions(&record).is_empty());
        let gone = record_without_rows(&record);
        assert_eq!(gone.regressions(&record), ["missing row: own.dev, shipped, quick"]);
    }

    fn record_without_rows(record: &Record) -> Record {
        Record { lines: Vec::new(), ..record.clone() }
    }

    #[test]
    fn without_fitted_rows_the_diagram_is_of_what_ships() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("claims.json");
        let results = results(&["own.dev", "own.test"]);
        assert_eq!(merged(results.scores.iter()).iter().map(|bin| bin.n).sum::<usize>(), 6);
        draw(&results.pooled_bins, &results.scores, &out).unwrap();
        let drawn = std::fs::read_to_string(folder.path().join("claims.svg")).unwrap();
        assert_eq!(drawn.matches("<circle").count(), 3);
    }
}
