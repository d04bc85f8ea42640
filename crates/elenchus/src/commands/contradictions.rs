//! `elenchus contradictions`: where a folder of documents disagrees with itself.

use super::{place, set_corpus};
use crate::cli::ContradictionsArgs;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::evidence::{ReadPassage, Vintage, char_slice};
use elenchus_core::port::{Retriever, Said, SearchFilter, SearchRequest, Spot};
use elenchus_core::text::squeeze;
use elenchus_io::verify::contradiction::{Limits, among};
use serde_json::json;
use std::fmt::Write;

/// Passages of a search that are held against each other.
const ABOUT: u16 = 400;

/// Pairs that are judged closely for each contradiction that is asked for, and at least.
const READ: usize = 10;
const READ_LEAST: usize = 200;

pub(super) async fn run(
    args: ContradictionsArgs,
    mut config: Config,
    terminal: &Terminal,
) -> Result<()> {
    set_corpus(&mut config, args.corpus)?;
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    crate::ui::progress::read(terminal, &ingested);
    let exclude = config.options().exclude;
    let ids = match &args.about {
        None => open.corpus.passage_ids(),
        Some(about) if about.trim().is_empty() => {
            return Err(CliError::usage(
                "could not look for contradictions",
                "what they should be about is empty",
                "name it in words, or leave it out to look at all passages",
            ));
        }
        Some(about) => {
            let request = SearchRequest {
                query: about.clone(),
                limit: ABOUT,
                per_source: 0,
                per_author: 0,
                expand: true,
                filter: SearchFilter { exclude: exclude.clone(), only: vec![] },
                outward: false,
            };
            open.corpus.search(&request).await?.hits.into_iter().map(|hit| hit.passage_id).collect()
        }
    };
    let mut reads = open.corpus.read(&ids).await?;
    reads.retain(|read| {
        (args.superseded || read.source.vintage == Vintage::Current)
            && !exclude
                .iter()
                .any(|part| read.source.path.to_lowercase().contains(&part.to_lowercase()))
    });
    terminal.status(&format!("comparing {}", counted(reads.len(), "passage")));
    let texts: Vec<Said> = reads.iter().map(ReadPassage::said).collect();
    let found = usize::from(args.limit);
    let limits = Limits { read: (READ * found).max(READ_LEAST), found, ..Limits::default() };
    let work = tokio::task::spawn_blocking(move || among(&texts, &limits));
    let found = tokio::select! {
        done = work => done.map_err(|error| CliError::new(
            crate::error::Kind::Failure,
            "could not look for contradictions",
            error.to_string(),
            "this is a defect of elenchus, report it",
        ))?,
        () = interrupts.wait() => return Err(CliError::new(
            crate::error::Kind::Interrupted,
            "stopped looking for contradictions",
            "you asked for it",
            "name what they should be about, which takes less time",
        )),
    };
    terminal.clear();
    let quote = |spot: Spot| {
        let read = &reads[spot.item];
        (read, char_slice(&read.passage.text, spot.span).unwrap_or_default())
    };
    if args.json {
        let all: Vec<_> = found
            .iter()
            .map(|one| {
                let side = |spot: Spot| {
                    let (read, text) = quote(spot);
                    json!({
                        "path": read.source.path,
                        "location": read.location(),
                        "passage_id": read.passage.id,
                        "quote": text,
                        "document_span": read.passage.in_document(spot.span),
                    })
                };
                json!({
                    "sides": [side(one.a), side(one.b)],
                    "why": one.why,
                    "strength": one.strength,
                    "summary": one.summary,
                })
            })
            .collect();
        return terminal.print_json(&json!({
            "about": args.about,
            "passages": reads.len(),
            "contradictions": all,
        }));
    }
    if found.is_empty() {
        terminal.say(&format!(
            "none was found in {}; much is missed rather than told wrongly",
            counted(reads.len(), "passage")
        ));
    }
    let mut out = String::new();
    for (place, one) in found.iter().enumerate() {
        let _ = writeln!(out, "{:>2}. {:.2}  {}", place + 1, one.strength, squeeze(&one.summary));
        for spot in [one.a, one.b] {
            let (read, text) = quote(spot);
            let _ = writeln!(
                out,
                "          {}: \u{201C}{}\u{201D}",
                squeeze(&read.location()),
                squeeze(text)
            );
        }
    }
    terminal.print(&out)
}
