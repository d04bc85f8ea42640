//! `elenchus why`: how a claim's figures came about, down to the passages and features.

use super::verify::Report;
use crate::cli::WhyArgs;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::text::squeeze;
use std::fmt::Write;

pub(super) fn run(args: &WhyArgs, terminal: &Terminal) -> Result<()> {
    let attempted = || format!("could not explain {} of {}", args.claim, args.file.display());
    let text = std::fs::read_to_string(&args.file).map_err(|error| {
        CliError::usage(
            attempted(),
            error.to_string(),
            "name a file that `elenchus verify --json` wrote",
        )
    })?;
    let report: Report = serde_json::from_str(&text).map_err(|error| {
        CliError::usage(
            attempted(),
            format!("it is no verification: {error}"),
            "name a file that `elenchus verify --json` wrote",
        )
    })?;
    let wanted = args.claim.trim();
    let all = &report.assessed.confidence.claim_confidences;
    let Some(at) = all.iter().position(|claim| claim.claim_id.as_str() == wanted) else {
        let ids: Vec<&str> = all.iter().map(|claim| claim.claim_id.as_str()).take(12).collect();
        return Err(CliError::usage(
            attempted(),
            format!("it has no claim {wanted:?}"),
            format!(
                "its claims are {}{}",
                ids.join(", "),
                if all.len() > 12 { ", ..." } else { "" }
            ),
        ));
    };
    if args.json {
        return terminal.print_json(&all[at]);
    }
    let mut out = format!("{}: {}\n", wanted, squeeze(&all[at].claim_text));
    if let Some(entailment) = report.assessed.entailments.get(at) {
        let _ = writeln!(out, "{}: {}", entailment.verdict.word(), squeeze(&entailment.reasoning));
        for mismatch in &entailment.mismatches {
            let _ = writeln!(out, "does not fit: {}", squeeze(&mismatch.reason));
        }
    }
    for line in all[at].explained.render().lines() {
        let pad = line.len() - line.trim_start().len();
        let _ = writeln!(out, "{:pad$}{}", "", squeeze(line));
    }
    terminal.print(&out)
}
