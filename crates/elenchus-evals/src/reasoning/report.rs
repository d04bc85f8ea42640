//! The figures as a table, with their definitions, as JSON, and against those that were committed.

use super::figures::{Better, Figure};
use super::observed::Observed;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// How far a figure may fall behind a committed one before that is a regression.
const SLACK: f64 = 0.015;

/// What is written and compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    /// How many runs of each kind were looked at.
    pub(crate) runs: Vec<(String, usize)>,
    /// The figures.
    pub(crate) figures: Vec<Figure>,
}

/// "92.3 % [88.1, 95.2]", "0.412", "-".
fn shown(figure: &Figure) -> String {
    match (figure.value, figure.interval) {
        (None, _) => "-".to_owned(),
        (Some(value), Some((low, high))) => {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * value, 100.0 * low, 100.0 * high)
        }
        (Some(value), None) => format!("{value:.3}"),
    }
}

/// "12 of 13", or the number of values behind a mean.
fn counted(figure: &Figure) -> String {
    match figure.hits {
        Some(hits) if hits.fract().abs() < 1e-9 => format!("{hits:.0} of {}", figure.of),
        Some(hits) => format!("{hits:.2} of {}", figure.of),
        None => format!("{}", figure.of),
    }
}

/// The table, with definitions under each line when they are asked for.
pub(crate) fn table(results: &Results, explain: bool) -> String {
    let mut out = String::new();
    let kinds: Vec<String> =
        results.runs.iter().map(|(kind, number)| format!("{number} {kind}")).collect();
    let _ = writeln!(out, "runs: {}", kinds.join(", "));
    for figure in &results.figures {
        let better = match figure.better {
            Better::Higher => "+",
            Better::Lower => "-",
            Better::Neither => " ",
        };
        let _ =
            writeln!(out, "{better} {:44} {:24} {}", figure.name, shown(figure), counted(figure));
        if explain {
            let _ = writeln!(out, "      {}", figure.definition);
        }
    }
    out
}

/// The table as Markdown, for the page on quality.
pub(crate) fn markdown(results: &Results) -> String {
    let mut out = String::from("| figure | value, 95 % interval | n |\n|---|---|---|\n");
    for figure in &results.figures {
        let _ = writeln!(out, "| {} | {} | {} |", figure.name, shown(figure), counted(figure));
    }
    out
}

/// What went wrong in each run, for people.
pub(crate) fn misses(runs: &[Observed]) -> String {
    let mut out = String::new();
    // Under a tight budget only the budget is looked at.
    let all = |run: &&Observed| run.kind != "tight budget" || !run.overshot.is_empty();
    for run in runs.iter().filter(all) {
        let mut lines: Vec<String> = Vec::new();
        for chain in run.chains.iter().filter(|chain| !chain.fallacies.is_empty()) {
            let names = chain.fallacies.join(", ");
            lines.push(format!("{} with {names}: {}", chain.kind, chain.text));
        }
        if let Some(right) = run.known.right {
            for (at, one) in run.explanations.iter().enumerate() {
                let mark = if at == right { "right" } else { "wrong" };
                lines.push(format!(
                    "{mark}, {}: {:.2}, was {:.2}: {}",
                    one.status.name(),
                    one.credence,
                    one.prior,
                    one.claim
                ));
            }
        }
        for finding in run.findings.iter().filter(|one| !one.by_code || one.by_truth != Some(true))
        {
            let truth =
                finding.by_truth.map_or("unknown", |yes| if yes { "right" } else { "wrong" });
            lines.push(format!(
                "finding ({}), truly {truth}, {} by code: {}",
                finding.kind,
                if finding.by_code { "confirmed" } else { "not confirmed" },
                finding.text
            ));
        }
        lines.extend(run.known.misses.iter().cloned());
        lines.extend(run.guards.failures.iter().map(|one| format!("guard: {one}")));
        lines.extend(run.overshot.iter().map(|one| format!("beyond the budget: {one}")));
        if !lines.is_empty() {
            let stop = run.stop.map_or("", |stop| stop.name());
            let _ = writeln!(out, "== {} {} ({} rounds, {stop})", run.kind, run.name, run.rounds);
            for line in lines {
                let _ = writeln!(out, "   {line}");
            }
        }
    }
    out
}

/// Writes the figures as JSON.
pub(crate) fn write(results: &Results, file: &Path) -> Result<(), String> {
    let failed =
        |cause: &dyn std::fmt::Display| format!("could not write {}: {cause}", file.display());
    let json = serde_json::to_string_pretty(results).map_err(|cause| failed(&cause))?;
    std::fs::write(file, json + "\n").map_err(|cause| failed(&cause))
}

/// Fails when a figure fell behind the committed one.
pub(crate) fn compare(results: &Results, file: &Path) -> Result<ExitCode, String> {
    let failed =
        |cause: &dyn std::fmt::Display| format!("could not read {}: {cause}", file.display());
    let text = std::fs::read_to_string(file).map_err(|cause| failed(&cause))?;
    let before: Results = serde_json::from_str(&text).map_err(|cause| failed(&cause))?;
    let lost = regressions(results, &before);
    for line in &lost {
        println!("regression: {line}");
    }
    Ok(if lost.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Figures that are worse than before, or gone.
fn regressions(now: &Results, before: &Results) -> Vec<String> {
    let mut out = Vec::new();
    for old in &before.figures {
        let Some(was) = old.value else { continue };
        let value = now.figures.iter().find(|new| new.id == old.id).and_then(|new| new.value);
        let Some(value) = value else {
            out.push(format!("{} is measured no longer, was {was:.3}", old.name));
            continue;
        };
        let worse = match old.better {
            Better::Higher => value < was - SLACK,
            Better::Lower => value > was + SLACK,
            Better::Neither => false,
        };
        if worse {
            out.push(format!("{} is {value:.3}, was {was:.3}", old.name));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(better: Better, value: Option<f64>) -> Results {
        let figure = Figure {
            id: "one".to_owned(),
            name: "one".to_owned(),
            definition: "what it is".to_owned(),
            better,
            value,
            interval: None,
            hits: None,
            of: 1,
        };
        Results { runs: vec![("world".to_owned(), 1)], figures: vec![figure] }
    }

    #[test]
    fn what_is_worse_or_gone_is_a_regression() {
        let lost = |better, was, now| {
            !regressions(&results(better, now), &results(better, was)).is_empty()
        };
        assert!(lost(Better::Higher, Some(0.9), Some(0.8)));
        assert!(!lost(Better::Higher, Some(0.9), Some(0.89)));
        assert!(!lost(Better::Higher, Some(0.8), Some(0.9)));
        assert!(lost(Better::Lower, Some(0.1), Some(0.2)));
        assert!(!lost(Better::Neither, Some(0.9), Some(0.1)));
        assert!(lost(Better::Neither, Some(0.9), None));
        assert!(!lost(Better::Higher, None, Some(0.1)));
    }

    #[test]
    fn definitions_are_printed_when_they_are_asked_for() {
        let results = results(Better::Higher, None);
        assert!(table(&results, true).contains("what it is"));
        assert!(!table(&results, false).contains("what it is"));
        assert!(markdown(&results).contains("| one | - | 1 |"));
    }
}
