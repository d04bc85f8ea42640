//! `elenchus ingest` and `elenchus search`.

use super::{place, set_corpus, set_index, text};
use crate::cli::{IngestArgs, SearchArgs};
use crate::config::{Config, Value};
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::time;
use crate::ui::progress::{self, counted};
use crate::ui::terminal::{Terminal, fit};
use elenchus_core::answer::strip_markup;
use elenchus_core::evidence::ReadPassage;
use elenchus_core::port::{Hit, Retriever, SearchFilter, SearchRequest, SkippedFile};
use elenchus_core::text::squeeze;
use elenchus_io::retrieve::IngestReport;
use serde_json::json;
use std::fmt::Write;

pub(super) async fn ingest(
    args: IngestArgs,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    config.flag("corpus", "DIR", text(args.folder)?);
    set_index(&mut config, args.index)?;
    if config.path("corpus").is_none() {
        return Err(CliError::usage(
            "could not tell which documents to read",
            "no folder was named",
            "name one: `elenchus ingest DIR`, or set `corpus` in elenchus.toml",
        ));
    }
    let place = place(&config, false)?;
    if args.rebuild {
        place.discard()?;
    }
    let mut interrupts = Interrupts::listen(terminal.clone());
    let mut open = place.open(terminal)?;
    if args.re_embed {
        open = open.re_embedding();
    }
    let (corpus, report) = open.sync(terminal, &mut interrupts).await?;
    let documents = corpus.overview().documents;
    if args.json {
        return terminal.print_json(&json!({
            "corpus": place.root,
            "index": place.index,
            "documents": documents,
            "passages": report.passages,
            "added": report.added,
            "changed": report.changed,
            "removed": report.removed,
            "unchanged": report.unchanged,
            "skipped": report.skipped,
            "notes": report.notes,
            "secrets": report.secrets,
            "bytes": report.bytes,
            "millis": report.millis,
        }));
    }
    terminal.print(&told(documents, &report))?;
    progress::warn_of_nothing(terminal, documents, &place.root);
    if let Some(index) = &place.index {
        terminal.say(&format!("index: {}", index.display()));
    }
    Ok(())
}

fn told(documents: u32, report: &IngestReport) -> String {
    let mut out = format!(
        "{}, {}: {} added, {} changed, {} removed, {} unchanged, {} skipped ({:.1} MB in {})\n",
        counted(documents as usize, "document"),
        counted(report.passages as usize, "passage"),
        report.added,
        report.changed,
        report.removed,
        report.unchanged,
        report.skipped.len(),
        report.bytes as f64 / f64::from(1 << 20),
        time::lasted(report.millis),
    );
    let mut files = |what: &str, files: &[SkippedFile]| {
        for file in files {
            for line in progress::told_of(what, file) {
                let _ = writeln!(out, "{line}");
            }
        }
    };
    files("skipped", &report.skipped);
    files("read with losses", &report.notes);
    for line in progress::told_of_secrets(&report.secrets, usize::MAX) {
        let _ = writeln!(out, "{line}");
    }
    out
}

pub(super) async fn search(
    args: SearchArgs,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    set_corpus(&mut config, args.corpus)?;
    config.flag("search.limit", "--limit", args.limit.map(Value::Whole));
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    progress::read(terminal, &ingested);
    let documents = open.corpus.overview().documents;
    let folder = place.root.clone();
    progress::warn_of_nothing(terminal, documents, &folder);
    let request = SearchRequest {
        query: args.query.clone(),
        limit: config.whole("search.limit").and_then(|n| u16::try_from(n).ok()).unwrap_or(10),
        per_source: 0,
        per_author: 0,
        expand: false,
        filter: SearchFilter { exclude: config.options().exclude, only: Vec::new() },
        outward: false,
        named: Vec::new(),
    };
    let reply = open.corpus.search(&request).await?;
    let ids: Vec<_> = reply.hits.iter().map(|hit| hit.passage_id.clone()).collect();
    let passages = open.corpus.read(&ids).await?;
    let found: Vec<(&Hit, &ReadPassage)> = reply.hits.iter().zip(&passages).collect();
    if args.json {
        let hits: Vec<_> = found
            .iter()
            .map(|(hit, read)| {
                json!({
                    "passage_id": hit.passage_id,
                    "path": hit.path,
                    "title": hit.title,
                    "location": read.location(),
                    "score": hit.score,
                    "lexical": hit.lexical,
                    "dense": hit.dense,
                    "text": read.passage.text,
                })
            })
            .collect();
        return terminal
            .print_json(&json!({ "query": args.query, "hits": hits, "terms": reply.terms }));
    }
    if found.is_empty() && documents > 0 {
        terminal.say("nothing was found; try other words");
    }
    let mut out = String::new();
    for (place, (hit, read)) in found.iter().enumerate() {
        let at = terminal.link_place(&squeeze(&read.location()), &read.source.path, Some(&folder));
        let _ = writeln!(out, "{:>2}. {:.2}  {at}", place + 1, hit.score);
        let start = strip_markup(&squeeze(&read.passage.text));
        let _ =
            writeln!(out, "          {}", fit(&start, terminal.width.saturating_sub(10).max(40)));
    }
    terminal.print(&out)
}
