//! `elenchus patterns`: what many voices of a folder of documents cite, dispute and have come to speak of.

use super::{place, set_corpus};
use crate::cli::PatternsArgs;
use crate::config::Config;
use crate::error::{CliError, Kind, Result};
use crate::signals::Interrupts;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use elenchus_core::evidence::{ReadPassage, Vintage};
use elenchus_core::port::{Retriever, Said};
use elenchus_core::synthesis::pattern::{
    Anchor, AnchorKind, Contrarian, Debate, Trends, anchors, contrarians, debates, trends,
};
use elenchus_core::text::squeeze;
use elenchus_io::verify::contradiction::{Limits, among};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Passages whose statements are held against each other, spread evenly over the corpus.
const COMPARED: usize = 6_000;
/// Pairs of statements that are judged closely.
const READ: usize = 1_500;
/// Contradictions that are sorted into debates.
const FOUND: usize = 1_000;
/// Pairs from which on a contradiction is hotly debated.
const HOT: usize = 5;
/// Debates in which a voice stands alone before it is called contrarian.
const ALONE: usize = 2;
/// Patterns of a kind that are shown as text; JSON has all.
const SHOWN: usize = 15;

/// What was found.
#[derive(Debug, Serialize)]
struct Found {
    passages: usize,
    documents: usize,
    /// Authors, and documents without one.
    voices: usize,
    /// Passages whose statements were held against each other.
    compared: usize,
    anchors: Vec<Anchor>,
    hotly_debated: Vec<Debate>,
    /// Contradictions on one subject that occur less often.
    other_debates: usize,
    contrarian: Vec<Contrarian>,
    trending: Trends,
}

pub(super) async fn run(args: PatternsArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    set_corpus(&mut config, args.corpus)?;
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    crate::ui::progress::read(terminal, &ingested);
    let exclude = config.options().exclude;
    let ids = open.corpus.passage_ids();
    let mut reads = open.corpus.read(&ids).await?;
    reads.retain(|read| {
        !exclude.iter().any(|part| read.source.path.to_lowercase().contains(&part.to_lowercase()))
    });
    terminal.status(&format!("looking for patterns in {}", counted(reads.len(), "passage")));
    let least = usize::from(args.least);
    let work = tokio::task::spawn_blocking(move || look(&reads, least));
    let found = tokio::select! {
        done = work => done.map_err(|error| CliError::new(
            Kind::Failure,
            "could not look for patterns",
            error.to_string(),
            "this is a defect of elenchus, report it",
        ))?,
        () = interrupts.wait() => return Err(CliError::new(
            Kind::Interrupted,
            "stopped looking for patterns",
            "you asked for it",
            "leave out documents with `exclude` in elenchus.toml, which takes less time",
        )),
    };
    terminal.clear();
    if args.json { terminal.print_json(&found) } else { terminal.print(&text(&found, least)) }
}

fn look(reads: &[ReadPassage], least: usize) -> Found {
    let documents: BTreeSet<&str> = reads.iter().map(|read| read.source.path.as_str()).collect();
    let voices: BTreeSet<String> = reads
        .iter()
        .map(|read| match &read.source.author {
            Some(author) => author.to_lowercase(),
            None => read.source.cluster.to_string(),
        })
        .collect();
    // Old vintages say what was so; that is no dispute. Rows of tables say nothing without their header.
    let current: Vec<&ReadPassage> = reads
        .iter()
        .filter(|read| read.source.vintage == Vintage::Current && !read.passage.text.contains('|'))
        .collect();
    let step = current.len().div_ceil(COMPARED).max(1);
    let compared: Vec<ReadPassage> = current.into_iter().step_by(step).cloned().collect();
    let texts: Vec<Said> = compared.iter().map(ReadPassage::said).collect();
    let limits = Limits { read: READ, found: FOUND, ..Limits::default() };
    let all = debates(&compared, &among(&texts, &limits));
    let contrarian = contrarians(&all, ALONE);
    let (hotly_debated, other): (Vec<Debate>, Vec<Debate>) =
        all.into_iter().partition(|debate| debate.pairs >= HOT);
    Found {
        passages: reads.len(),
        documents: documents.len(),
        voices: voices.len(),
        compared: compared.len(),
        anchors: anchors(reads, least),
        hotly_debated,
        other_debates: other.len(),
        contrarian,
        trending: trends(reads),
    }
}

fn text(found: &Found, least: usize) -> String {
    let mut out = String::new();
    write(&mut out, found, least).expect("writing to a String cannot fail");
    out
}

fn more(out: &mut String, all: usize) -> std::fmt::Result {
    if all > SHOWN { writeln!(out, "  ({} more with --json)", all - SHOWN) } else { Ok(()) }
}

fn write(out: &mut String, found: &Found, least: usize) -> std::fmt::Result {
    writeln!(
        out,
        "{} of {}, {}",
        counted(found.passages, "passage"),
        counted(found.documents, "document"),
        counted(found.voices, "independent voice")
    )?;
    writeln!(out, "\nanchors (cited or named by {least} voices or more):")?;
    for kind in [AnchorKind::Reference, AnchorKind::Document, AnchorKind::Link, AnchorKind::Name] {
        let of: Vec<&Anchor> = found.anchors.iter().filter(|one| one.kind == kind).collect();
        for anchor in of.iter().take(SHOWN) {
            writeln!(
                out,
                "  {}: {} in {}",
                squeeze(&anchor.name),
                counted(anchor.voices, "voice"),
                counted(anchor.passages, "passage")
            )?;
            for place in anchor.places.iter().take(2) {
                writeln!(
                    out,
                    "      {}: \u{201C}{}\u{201D}",
                    squeeze(&place.location),
                    place.quote
                )?;
            }
        }
        more(out, of.len())?;
    }
    if found.anchors.is_empty() {
        writeln!(out, "  none")?;
    }
    writeln!(
        out,
        "\nhotly debated (contradicted between {HOT} pairs of documents or more; statements of {} compared):",
        counted(found.compared, "passage")
    )?;
    for debate in found.hotly_debated.iter().take(SHOWN) {
        writeln!(
            out,
            "  {}: {} of documents, {}",
            debate.about.join(" "),
            counted(debate.pairs, "pair"),
            counted(debate.voices, "voice")
        )?;
        for clash in debate.clashes.iter().take(2) {
            clashes(out, clash)?;
        }
    }
    more(out, found.hotly_debated.len())?;
    if found.hotly_debated.is_empty() {
        writeln!(out, "  none; {} of fewer pairs", counted(found.other_debates, "subject"))?;
    }
    writeln!(out, "\ncontrarian (against most of the others on {ALONE} subjects or more):")?;
    for one in found.contrarian.iter().take(SHOWN) {
        writeln!(
            out,
            "  {}: on {} of {}",
            squeeze(&one.voice),
            one.debates,
            counted(one.of, "disputed subject")
        )?;
        for clash in one.clashes.iter().take(2) {
            clashes(out, clash)?;
        }
    }
    if found.contrarian.is_empty() {
        writeln!(out, "  none")?;
    }
    writeln!(out, "\ntrending:")?;
    let trending = &found.trending;
    if let Some(why) = &trending.untested {
        return writeln!(out, "  not tested: {why}");
    }
    writeln!(
        out,
        "  {} since {} against {} earlier; {} tested",
        counted(trending.new, "document"),
        trending.since.as_deref().unwrap_or("the newest date"),
        trending.dated - trending.new,
        counted(trending.tested, "word")
    )?;
    for trend in trending.trends.iter().take(SHOWN) {
        writeln!(
            out,
            "  {}: in {} of {} new and {} of {} earlier documents, {}; G2 {:.1}, by chance at most {:.1e}",
            squeeze(&trend.term),
            trend.new_with,
            trending.new,
            trend.old_with,
            trending.dated - trending.new,
            counted(trend.voices, "voice"),
            trend.g2,
            trend.chance
        )?;
        for place in trend.places.iter().take(1) {
            writeln!(out, "      {}: \u{201C}{}\u{201D}", squeeze(&place.location), place.quote)?;
        }
    }
    more(out, trending.trends.len())?;
    if trending.trends.is_empty() {
        writeln!(out, "  none")?;
    }
    Ok(())
}

fn clashes(out: &mut String, clash: &elenchus_core::synthesis::pattern::Clash) -> std::fmt::Result {
    writeln!(out, "      {:.2} {}", clash.strength, squeeze(&clash.summary))?;
    for side in &clash.sides {
        writeln!(out, "          {}: \u{201C}{}\u{201D}", squeeze(&side.location), side.quote)?;
    }
    Ok(())
}
