//! `elenchus audit`: lints an answer again, against the passages and the ledger that its run's journal gives.

use super::runs::Named;
use crate::cli::{AuditArgs, RunArgs};
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::answer::{Answer, AuditNote, AuditSeverity, audit};
use elenchus_core::text::squeeze;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

pub(super) async fn run(args: AuditArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let file = Path::new(&args.what);
    let is_file = file.extension().is_some_and(|extension| extension == "json") || file.is_file();
    let given = if is_file { Some(read(file)?) } else { None };
    let id = given.as_ref().map_or_else(|| args.what.clone(), |answer| answer.run_id.to_string());
    let named = Named::find(RunArgs { id, store: args.store }, config).await.map_err(|error| {
        if is_file {
            error.or_hint("an answer is checked against its run, so the store must hold it")
        } else {
            error
        }
    })?;
    let (run, _) = named.replay().await?;
    let view = run.view();
    let Some(kept) = view.answer() else {
        return Err(CliError::new(
            Kind::Failure,
            format!("could not check the answer of run {}", named.id),
            "the run has not ended, so it has none",
            format!("`elenchus runs resume {}` goes on with it", named.id),
        ));
    };
    let answer = given.as_ref().unwrap_or(kept);
    let notes = audit(answer, &view.grounds());
    let changed = differences(&answer.as_shown(), &kept.as_shown());
    if args.json {
        terminal.print_json(&json!({ "run_id": named.id, "notes": notes, "changed": changed }))?;
    } else {
        terminal.print(&told(answer, &notes, &changed))?;
    }
    let errors = notes.iter().filter(|note| note.severity == AuditSeverity::Error).count();
    if errors == 0 && changed.is_empty() {
        return Ok(());
    }
    Err(CliError::new(
        Kind::Failure,
        format!("the answer of run {} does not hold", named.id),
        format!("{}, {} changed", counted(errors, "error"), counted(changed.len(), "field")),
        format!("`elenchus runs replay {}` gives the answer as the run gave it", named.id),
    ))
}

fn read(file: &Path) -> Result<Answer> {
    let attempted = || format!("could not read the answer in {}", file.display());
    let text = std::fs::read_to_string(file).map_err(|error| {
        CliError::usage(
            attempted(),
            error.to_string(),
            "name a file that `elenchus ask QUESTION --json` or `--out FILE.json` wrote",
        )
    })?;
    serde_json::from_str(&text).map_err(|error| {
        CliError::usage(
            attempted(),
            format!("it is no answer: {error}"),
            "name a file that `elenchus ask QUESTION --json` or `--out FILE.json` wrote",
        )
    })
}

/// Fields in which an answer is not the one that the run gave.
fn differences(answer: &Answer, kept: &Answer) -> Vec<String> {
    let fields = |answer: &Answer| match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (answer, kept) = (fields(answer), fields(kept));
    let names: std::collections::BTreeSet<&String> = answer.keys().chain(kept.keys()).collect();
    names.into_iter().filter(|name| answer.get(*name) != kept.get(*name)).cloned().collect()
}

fn told(answer: &Answer, notes: &[AuditNote], changed: &[String]) -> String {
    let mut out = format!(
        "{}: {} and {} checked against what the run has read\n",
        answer.run_id,
        counted(answer.claims.len(), "claim"),
        counted(answer.evidence.len(), "quote"),
    );
    for note in notes {
        let severity = match note.severity {
            AuditSeverity::Error => "error",
            AuditSeverity::Note => "note",
        };
        let _ = writeln!(out, "{severity}: {}: {}", squeeze(&note.at), squeeze(&note.text));
    }
    for field in changed {
        let _ = writeln!(out, "error: {field}: it is not what the run gave");
    }
    if notes.is_empty() && changed.is_empty() {
        out.push_str("nothing is wrong with it\n");
    }
    out
}
