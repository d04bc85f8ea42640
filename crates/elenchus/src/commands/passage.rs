//! `elenchus passage`.

use super::{place, set_corpus};
use crate::cli::PassageArgs;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::signals::Interrupts;
use crate::ui::terminal::Terminal;
use elenchus_core::evidence::ReadPassage;
use elenchus_core::pack::theology::{OsisRef, references, tensions_for};
use elenchus_core::text::squeeze;
use elenchus_io::retrieve::{Corpus, Joined};
use serde_json::{Value, json};
use std::fmt::Write;

/// Verses of a reference whose cross-references are looked at.
const ASKED: usize = 12;

/// A verse that cross-references join with what was asked for, with its text where the documents have it.
struct Neighbour {
    /// The verse of the reference that is joined with it.
    from: OsisRef,
    joined: Joined,
    texts: Vec<ReadPassage>,
}

pub(super) async fn run(args: PassageArgs, mut config: Config, terminal: &Terminal) -> Result<()> {
    let asked: Vec<OsisRef> =
        references(&args.reference).into_iter().map(|found| found.reference).collect();
    if asked.is_empty() {
        return Err(CliError::usage(
            format!("could not look {:?} up", args.reference),
            "it names no verse or chapter of the 66 books",
            "write a reference such as \"John 3:16\", \"1 Cor. 13:4-7\" or \"Psalm 23\"",
        ));
    }
    set_corpus(&mut config, args.corpus)?;
    let place = place(&config, args.ephemeral)?;
    let mut interrupts = Interrupts::listen(terminal.clone());
    let (open, ingested) = place.open(terminal)?.sync(terminal, &mut interrupts).await?;
    crate::ui::progress::read(terminal, &ingested);
    let (mut out, mut shown) = (String::new(), Vec::new());
    let mut found = 0;
    for reference in asked {
        let verses = open.corpus.verses(reference)?;
        let neighbours = neighbours(&open.corpus, reference, usize::from(args.neighbours))?;
        found += verses.len();
        if args.json {
            shown.push(as_json(reference, &verses, &neighbours));
        } else {
            tell(&mut out, reference, &verses, &neighbours);
        }
    }
    if found == 0 {
        terminal.warn(
            "the documents have none of these verses; verses are found by their names, such as John.3.16 in the first \
             column of a table",
        );
    }
    if args.json {
        return terminal.print_json(&json!({ "asked": args.reference, "references": shown }));
    }
    terminal.print(&out)
}

/// The best neighbours of a reference: of its verses in turn, each once, none that the reference names itself.
fn neighbours(corpus: &Corpus, reference: OsisRef, most: usize) -> Result<Vec<Neighbour>> {
    let mut lists = Vec::new();
    if most > 0 {
        for verse in reference.verses(ASKED) {
            lists.push((verse, corpus.cross_references(verse)?.into_iter()));
        }
    }
    let mut chosen: Vec<Neighbour> = Vec::new();
    let mut went_on = true;
    while went_on && chosen.len() < most {
        went_on = false;
        for (from, list) in &mut lists {
            let known = |verse: OsisRef, chosen: &[Neighbour]| {
                reference.contains(verse) || chosen.iter().any(|one| one.joined.verse == verse)
            };
            let next = list.find(|joined| !known(joined.verse, &chosen));
            if let Some(joined) = next
                && chosen.len() < most
            {
                went_on = true;
                let texts = corpus.verses(joined.verse)?;
                chosen.push(Neighbour { from: *from, joined, texts });
            }
        }
    }
    Ok(chosen)
}

fn verse_json(read: &ReadPassage) -> Value {
    json!({
        "osis": read.passage.record,
        "path": read.source.path,
        "title": read.source.title,
        "location": read.location(),
        "passage_id": read.passage.id,
        "text": read.passage.text,
    })
}

fn as_json(reference: OsisRef, verses: &[ReadPassage], neighbours: &[Neighbour]) -> Value {
    let tensions: Vec<Value> = tensions_for(&[reference])
        .into_iter()
        .map(|one| json!({ "id": one.id, "a": one.a, "b": one.b, "summary": one.summary, "perspective": one.perspective }))
        .collect();
    json!({
        "osis": reference,
        "reference": reference.spoken(),
        "verses": verses.iter().map(verse_json).collect::<Vec<_>>(),
        "neighbours": neighbours.iter().map(|one| json!({
            "from": one.from,
            "osis": one.joined.verse,
            "reference": one.joined.verse.spoken(),
            "mutual": one.joined.mutual,
            "shared": one.joined.shared,
            "verses": one.texts.iter().map(verse_json).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "tensions": tensions,
    })
}

fn tell(out: &mut String, reference: OsisRef, verses: &[ReadPassage], neighbours: &[Neighbour]) {
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("{} ({reference})", reference.spoken()));
    line(String::new());
    if verses.is_empty() {
        line("  not among the documents".to_owned());
    }
    for read in verses {
        line(format!("  {}", squeeze(&read.location())));
        line(format!("      {}", squeeze(&read.passage.text)));
    }
    if !neighbours.is_empty() {
        line(String::new());
        line("  Joined with it by cross-references:".to_owned());
    }
    for one in neighbours {
        let both = if one.joined.mutual { ", both ways" } else { "" };
        line(format!("  {} (from {}{both})", one.joined.verse.spoken(), one.from));
        for read in one.texts.iter().take(1) {
            line(format!("      {}: {}", squeeze(&read.source.path), squeeze(&read.passage.text)));
        }
    }
    for tension in tensions_for(&[reference]) {
        line(String::new());
        line(format!("  A known tension, in the words of the theology pack: {}", tension.summary));
        line(format!("      {} and {}", tension.a.spoken(), tension.b.spoken()));
    }
    line(String::new());
}
