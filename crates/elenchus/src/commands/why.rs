//! `elenchus why`: how a claim's figures came about, down to the passages and features.

use super::runs::Named;
use crate::cli::{RunArgs, WhyArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::belief::{ConfidenceResult, EntailmentResult};
use elenchus_core::text::squeeze;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

/// What a verification and an answer have in common.
#[derive(Deserialize)]
struct Figures {
    #[serde(default)]
    entailments: Vec<EntailmentResult>,
    confidence: Option<ConfidenceResult>,
}

pub(super) async fn run(args: WhyArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let (figures, from) = match (&args.file, &args.run) {
        (Some(file), _) => (read(file)?, file.display().to_string()),
        (None, run) => {
            let id = run.clone().unwrap_or_default();
            let named = Named::find(RunArgs { id, store: args.store }, config).await?;
            let (run, _) = named.replay().await?;
            let answer = run.view().answer().cloned();
            let figures = Figures {
                entailments: answer.as_ref().map(|a| a.entailments.clone()).unwrap_or_default(),
                confidence: answer.and_then(|a| a.confidence),
            };
            (figures, format!("run {}", named.id))
        }
    };
    let attempted = || format!("could not explain {} of {from}", args.claim);
    let Some(confidence) = figures.confidence else {
        return Err(CliError::usage(
            attempted(),
            "it holds no figures: nothing of it was verified",
            "ask again, or check it with `elenchus verify`",
        ));
    };
    let wanted = args.claim.trim();
    let all = &confidence.claim_confidences;
    let Some(at) = all.iter().position(|claim| claim.claim_id.as_str() == wanted) else {
        let ids: Vec<&str> = all.iter().map(|claim| claim.claim_id.as_str()).take(12).collect();
        let more = if all.len() > 12 { ", ..." } else { "" };
        return Err(CliError::usage(
            attempted(),
            format!("it has no claim {wanted:?}"),
            format!("its claims are {}{more}", ids.join(", ")),
        ));
    };
    if args.json {
        return terminal.print_json(&all[at]);
    }
    let mut out = format!("{}: {}\n", wanted, squeeze(&all[at].claim_text));
    if let Some(entailment) = figures.entailments.get(at) {
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

fn read(file: &Path) -> Result<Figures> {
    let attempted = || format!("could not read the figures in {}", file.display());
    let way_out = "name a file that `elenchus verify --json` or `elenchus ask --json` wrote";
    let text = std::fs::read_to_string(file)
        .map_err(|error| CliError::usage(attempted(), error.to_string(), way_out))?;
    serde_json::from_str(&text)
        .map_err(|error| CliError::usage(attempted(), format!("it holds none: {error}"), way_out))
}
