//! `elenchus source`: opens a citation again without a network, in what was read then.

mod page;

use super::runs::Named;
use crate::cli::{RunArgs, SourceArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::kept::{RunSettings, write_whole};
use crate::paths;
use crate::store_place::StorePlace;
use crate::time;
use crate::ui::links;
use crate::ui::terminal::Terminal;
use elenchus_core::answer::{Answer, Citation, Evidence};
use elenchus_core::evidence::anchor::{TextQuoteSelector, find};
use elenchus_core::evidence::{Source, Span, char_slice};
use elenchus_core::id::RunId;
use elenchus_core::text::squeeze;
use elenchus_io::ingest::{Format, Secrets, ingest_with};
use elenchus_io::web::{SnapshotError, Snapshots};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Component, Path};

/// Characters shown on each side of a quote.
const AROUND: usize = 240;

/// One cited document, opened.
#[derive(Serialize)]
struct Opened {
    citation: usize,
    source: Source,
    /// Where the text was taken from: a file, or the snapshots.
    from: String,
    quotes: Vec<Found>,
    #[serde(skip)]
    text: String,
}

/// A quote of the answer in the stored text.
#[derive(Serialize)]
struct Found {
    quote: String,
    location: String,
    /// Characters of the stored text; absent when the words are not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<Span>,
    /// Whether they stand there letter for letter, and where the run saw them.
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    selector: Option<TextQuoteSelector>,
    /// Opens the page at the quote, where it is still online.
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// Where the run saw it.
    InPlace,
    /// Elsewhere in the text.
    Moved,
    /// With other white space.
    Loosely,
    /// Not in the text.
    Gone,
}

impl State {
    fn words(self) -> &'static str {
        match self {
            Self::InPlace => "the quote stands where the run saw it",
            Self::Moved => {
                "the quote stands elsewhere than when the run saw it: the document has changed"
            }
            Self::Loosely => {
                "the quote stands here with other white space: the document has changed"
            }
            Self::Gone => "the quote is not in the document any more",
        }
    }
}

pub(super) async fn run(args: SourceArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let named = Named::find(RunArgs { id: args.run, store: args.store }, config).await?;
    let answer = named.answer().await?;
    let settings = RunSettings::load(&named.path, &named.id).map_err(|error| {
        // A folder cannot be named here: what is shown is what the run has read.
        error.with_hint(format!(
            "put the note back from a backup; `elenchus runs export {}` gives the quotes as they were",
            named.id
        ))
    })?;
    let chosen: Vec<&Citation> =
        answer.sources.iter().filter(|one| args.number.is_none_or(|n| one.number == n)).collect();
    if chosen.is_empty() {
        return Err(no_such(&named.id, &answer.sources, args.number));
    }
    let mut opened = Vec::new();
    for citation in chosen {
        match open(&answer, citation, settings.as_ref(), &named.path) {
            Ok(one) => opened.push(one),
            // One that is gone does not hide the others.
            Err(error) if args.number.is_none() => terminal.error(&error),
            Err(error) => return Err(error),
        }
    }
    if let Some(file) = &args.html {
        let html = page::written(answer.run_id.as_str(), &answer.question, &opened);
        write_whole(file, html.as_bytes()).map_err(|error| {
            CliError::storage(
                "could not write the page",
                format!("{}: {error}", file.display()),
                "name a file in a folder that can be written",
            )
        })?;
        terminal.say(&format!("written: {}", file.display()));
        return Ok(());
    }
    if args.json {
        return terminal.print_json(&serde_json::json!({ "run": named.id, "citations": opened }));
    }
    let mut out = String::new();
    for one in &opened {
        tell(&mut out, one, terminal);
    }
    terminal.page(&out)
}

/// A number that no citation has, or a run without any.
fn no_such(run: &RunId, sources: &[Citation], number: Option<usize>) -> CliError {
    let attempted = match number {
        Some(number) => format!("could not open citation [{number}] of run {run}"),
        None => format!("could not open the citations of run {run}"),
    };
    let numbers: Vec<usize> = sources.iter().map(|one| one.number).collect();
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return CliError::usage(
            attempted,
            "its answer cites nothing",
            format!(
                "`elenchus runs replay {run}` gives the answer, with what it could not establish"
            ),
        );
    };
    let there =
        if least == most { format!("only [{most}]") } else { format!("[{least}] to [{most}]") };
    CliError::usage(
        attempted,
        format!("its answer cites {there}"),
        format!("name one of these, or open all of them: `elenchus source {run}`"),
    )
}

fn open(
    answer: &Answer,
    citation: &Citation,
    settings: Option<&RunSettings>,
    store: &StorePlace,
) -> Result<Opened> {
    let evidence: Vec<&Evidence> =
        answer.evidence.iter().filter(|one| one.source_id == citation.source_id).collect();
    let of_web = citation.path.starts_with("https://") || citation.path.starts_with("http://");
    let (source, text, from) =
        if of_web { snapshot(citation, &evidence, store)? } else { local(citation, settings)? };
    let url = source.web.as_ref().map(|web| web.url.clone());
    let mut quotes: Vec<Found> = Vec::new();
    for one in evidence {
        if !quotes.iter().any(|known| known.quote == one.quote) {
            quotes.push(found(one, &text, url.as_deref()));
        }
    }
    Ok(Opened { citation: citation.number, source, from, quotes, text })
}

/// A quote in the stored text: where the run saw it, else wherever it is.
fn found(evidence: &Evidence, text: &str, url: Option<&str>) -> Found {
    let there = char_slice(text, evidence.document_span) == Some(evidence.quote.as_str());
    let anchor = || {
        let bare = TextQuoteSelector {
            exact: evidence.quote.clone(),
            prefix: String::new(),
            suffix: String::new(),
        };
        find(text, &bare)
    };
    let (span, state) = if there {
        (Some(evidence.document_span), State::InPlace)
    } else {
        match anchor() {
            Some(anchor) if anchor.exact => (Some(anchor.span), State::Moved),
            Some(anchor) => (Some(anchor.span), State::Loosely),
            None => (None, State::Gone),
        }
    };
    let selector = span.and_then(|span| TextQuoteSelector::of(text, span));
    let link = url.zip(selector.as_ref()).map(|(url, selector)| selector.text_fragment(url));
    Found {
        quote: evidence.quote.clone(),
        location: evidence.location.clone(),
        span,
        state,
        selector,
        link,
    }
}

/// A page as it was kept: the version that holds the quotes where the run saw them, else the newest.
fn snapshot(
    citation: &Citation,
    evidence: &[&Evidence],
    store: &StorePlace,
) -> Result<(Source, String, String)> {
    let attempted = format!("could not open [{}] {}", citation.number, citation.path);
    let file = paths::snapshots(store);
    let hint =
        "name the store of the run with --store; pages that were pruned have to be fetched again";
    let storage = |cause: String| CliError::storage(attempted.clone(), cause, hint);
    let unread = |error: SnapshotError| storage(error.to_string());
    let mut homes: Vec<Snapshots> = Vec::new();
    if store.database().is_some() {
        homes.extend(crate::web::pages(store).map_err(unread)?);
    }
    // Beside a server, what this machine read before pages were kept there.
    if homes.is_empty() || file.is_file() {
        homes.push(Snapshots::open_existing(&file).map_err(unread)?);
    }
    let (mut kept, mut place) = (Vec::new(), String::new());
    for home in homes {
        place = home.place().display().to_string();
        kept = home.readings(&citation.source_id, None).map_err(unread)?;
        if !kept.is_empty() {
            break;
        }
    }
    let holds = |text: &str| {
        evidence.iter().all(|one| char_slice(text, one.document_span) == Some(one.quote.as_str()))
    };
    let best = kept.iter().position(|one| holds(&one.page.document.text)).unwrap_or(0);
    match kept.into_iter().nth(best) {
        Some(kept) => {
            let document = kept.page.document;
            Ok((document.source, document.text, place))
        }
        None => Err(storage(format!("{place} holds no snapshot of it"))),
    }
}

/// A file of the folder that the run read.
fn local(citation: &Citation, settings: Option<&RunSettings>) -> Result<(Source, String, String)> {
    let attempted = format!("could not open [{}] {}", citation.number, citation.path);
    let Some(folder) = settings.and_then(|settings| settings.corpus.as_ref()) else {
        return Err(CliError::storage(
            attempted,
            "the store does not say in which folder it was",
            "name the store of the run with --store",
        ));
    };
    let relative = Path::new(&citation.path);
    let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let (Some(format), true) = (Format::of(&citation.path), inside) else {
        return Err(CliError::storage(
            attempted,
            "its path is none of a document",
            "check the store with `elenchus doctor`",
        ));
    };
    let file = folder.join(relative);
    let bytes = std::fs::read(&file).map_err(|error| {
        CliError::storage(
            attempted.clone(),
            format!("{}: {error}", file.display()),
            "put the document back where it was",
        )
    })?;
    // Read as the run has read it: a quote is one of that text.
    let secrets = match settings.and_then(|settings| settings.keep_secrets) {
        Some(true) => Secrets::Kept,
        Some(false) | None => Secrets::LeftOut,
    };
    let read = ingest_with(format, &citation.path, bytes, &[], secrets).map_err(|error| {
        CliError::storage(attempted, error.to_string(), "put the document back as it was")
    })?;
    Ok((read.source, read.text, file.display().to_string()))
}

fn tell(out: &mut String, one: &Opened, terminal: &Terminal) {
    let source = &one.source;
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("[{}] {}", one.citation, squeeze(&source.title)));
    let path = squeeze(&source.path);
    let url = source.web.as_ref().map_or(source.path.as_str(), |web| web.url.as_str());
    let address = links::page(url).or_else(|| links::file(Path::new(&one.from)));
    line(format!("    {}", terminal.link(&path, address.as_deref())));
    if let Some(author) = &source.author {
        line(format!("    by {}", squeeze(author)));
    }
    if let Some(date) = &source.date {
        line(format!("    dated {} ({})", date.value, squeeze(&date.stated)));
    }
    if let Some(web) = &source.web {
        line(format!(
            "    site {}, retrieved {}, by way of {}",
            squeeze(&web.site),
            time::shown(web.retrieved_at.0),
            squeeze(&web.via)
        ));
        if let Some(licence) = &web.licence {
            line(format!("    licence {}", squeeze(licence)));
        }
        if web.hidden > 0 {
            line(format!(
                "    {} characters of it were hidden from its readers and left out",
                web.hidden
            ));
        }
    }
    line(format!("    SHA-256 {}", source.content_hash));
    line(format!("    text from {}", squeeze(&one.from)));
    for found in &one.quotes {
        line(String::new());
        line(format!("    {}", found.state.words()));
        if let Some(link) = &found.link {
            let address = links::page(link);
            line(format!("    {}", terminal.link(&squeeze(link), address.as_deref())));
        }
        match found.span {
            Some(span) => {
                let shown = |span: Span| squeeze(char_slice(&one.text, span).unwrap_or_default());
                let before =
                    shown(Span { start: span.start.saturating_sub(AROUND), end: span.start });
                let count = one.text.chars().count();
                let after = shown(Span { start: span.end, end: (span.end + AROUND).min(count) });
                let quote = terminal.paint("7", &format!(">>> {} <<<", shown(span)));
                line(format!("      {before} {quote} {after}").trim_end().to_owned());
            }
            None => line(format!("      {}", squeeze(&found.quote))),
        }
    }
    line(String::new());
}
