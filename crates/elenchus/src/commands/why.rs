//! `elenchus why`: how a claim's figures came about, down to the passages and features.

use super::figures::Figures;
use crate::cli::WhyArgs;
use crate::config::Config;
use crate::error::Result;
use crate::ui::terminal::Terminal;
use elenchus_core::text::squeeze;
use std::fmt::Write;

pub(super) async fn run(args: WhyArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let figures = Figures::find(args.file.as_deref(), args.run, args.store, config).await?;
    let (at, all) = figures.claim(&args.claim, "explain")?;
    let wanted = args.claim.trim();
    if args.json {
        return terminal.print_json(&all[at]);
    }
    let mut out = format!("{}: {}\n", wanted, squeeze(&all[at].claim_text));
    if figures.only_came_nearest(&all[at]) {
        out.push_str(
            "it came nearest to an open question and does not answer it; the figure says only that its passage holds the words\n",
        );
    }
    if figures.is_older(&all[at]) {
        out.push_str(
            "it is an older value; the figure says only that its passage holds the words\n",
        );
    }
    if let Some(entailment) = figures.entailments.get(at) {
        let _ = writeln!(out, "{}: {}", entailment.word(), squeeze(&entailment.reasoning));
        for mismatch in &entailment.mismatches {
            let _ = writeln!(out, "does not fit: {}", squeeze(&mismatch.reason));
        }
    }
    for line in all[at].explained.render().lines() {
        let pad = line.len() - line.trim_start().len();
        let _ = writeln!(out, "{:pad$}{}", "", squeeze(line));
    }
    terminal.page(&out)
}
