//! A source as a run read it: the passages out of the run's own journal, with the quote marked. No file is opened for it, so what
//! is shown is what was judged, whatever became of the document since.

use super::page::{Here, Shell, page};
use super::run::Sight;
use super::words::{counted, day, encoded, visible};
use elenchus_core::evidence::{Span, WebPage};
use elenchus_core::id::SourceId;
use elenchus_core::inquiry::{Input, Outcome};
use elenchus_core::journal::{Entry, JournalRecord};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// A piece of a document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Characters of the document's extracted text.
    pub span: Span,
    /// Headings it stands under.
    pub headings: Vec<String>,
    /// From 1, for paged formats.
    pub page: Option<u32>,
    /// Its words.
    pub text: String,
}

/// A document of which passages were read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// Its title.
    pub title: String,
    /// Its path, or its address.
    pub path: String,
    /// Its author.
    pub author: Option<String>,
    /// Its own date, in words.
    pub date: Option<String>,
    /// SHA-256 of what was read, hexadecimal.
    pub content_hash: String,
    /// What is known of it as a page of the web.
    pub web: Option<Box<WebPage>>,
    /// In the order of the document.
    pub pieces: Vec<Piece>,
}

/// What a journal holds of a document; `None` when nothing of it was read.
pub fn read(journal: &[JournalRecord], id: &SourceId) -> Option<Read> {
    let mut found: Option<Read> = None;
    let mut pieces: BTreeMap<(usize, usize), Piece> = BTreeMap::new();
    for record in journal {
        let Entry::Input(input) = &record.entry else { continue };
        let Input::Outcome { result: Outcome::Passages { passages }, .. } = input.as_ref() else {
            continue;
        };
        for one in passages.iter().filter(|one| one.source.id == *id) {
            let source = &one.source;
            found.get_or_insert_with(|| Read {
                title: source.title.clone(),
                path: source.path.clone(),
                author: source.author.clone(),
                date: source.date.as_ref().map(|date| date.value.to_string()),
                content_hash: source.content_hash.clone(),
                web: source.web.clone(),
                pieces: vec![],
            });
            let passage = &one.passage;
            let piece = Piece {
                span: passage.span,
                headings: passage.heading_path.clone(),
                page: passage.page,
                text: passage.text.clone(),
            };
            pieces.insert((passage.span.start, passage.span.end), piece);
        }
    }
    let mut found = found?;
    found.pieces = pieces.into_values().collect();
    Some(found)
}

/// Which characters are marked, and which quotes the answer takes from the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The first character.
    pub from: usize,
    /// The one after the last.
    pub to: usize,
}

/// The page.
pub fn show(sight: &Sight<'_>, number: usize, read: &Read, marked: Option<Marked>) -> Markup {
    let answer = sight.shown.answer.as_deref();
    let quoted: Vec<_> = answer.map_or(vec![], |answer| {
        answer.evidence.iter().filter(|one| one.citation == number).collect()
    });
    // What is asked for first, then everything that the answer quotes.
    let mut marks: Vec<(Span, bool)> =
        marked.map(|mark| (Span { start: mark.from, end: mark.to }, true)).into_iter().collect();
    for one in &quoted {
        if !marks.iter().any(|(span, _)| *span == one.document_span) {
            marks.push((one.document_span, false));
        }
    }
    if marked.is_none()
        && let Some(first) = marks.first_mut()
    {
        first.1 = true;
    }
    let found = marks.iter().find(|(_, first)| *first).is_some_and(|(span, _)| {
        read.pieces.iter().any(|piece| piece.span.start <= span.start && span.end <= piece.span.end)
    });
    let back = format!("/research/{}?view=answer", encoded(sight.shown.run_id.as_str()));
    let main = html! {
        p { a href=(back) { "\u{2190} " (sight.shown.question) } }
        h1 { "[" (number) "] " (visible(&read.title)) }
        p.meta {
            span.path { (visible(&read.path)) }
            @if let Some(author) = &read.author { span { (visible(author)) } }
            @if let Some(date) = &read.date { span { (date) } }
            span { "SHA-256 " code { (read.content_hash.get(..16).unwrap_or_default()) "\u{2026}" } }
        }
        @if let Some(web) = &read.web {
            p.meta { span { "fetched " (day(web.retrieved_at)) } span { "found by " (visible(&web.via)) }
                @if web.hidden > 0 { span.badge.bad { (counted(web.hidden as usize, "hidden character")) " left out" } } }
        }
        p.note {
            @if found { span.sign aria-hidden="true" { "\u{2713}" } strong { "Quote found." } " It stands below as it was read, letter for letter." }
            @else { span.sign aria-hidden="true" { "?" } strong { "The quote is not among the passages that were kept." } }
            " Shown is what this run read of the document: " (counted(read.pieces.len(), "passage")) "."
        }
        @if quoted.len() > 1 {
            nav aria-label="Quotes from this source" { ul { @for one in &quoted {
                li { a href={ "?from=" (one.document_span.start) "&to=" (one.document_span.end) "#quote" } { q dir="auto" { (visible(&one.quote)) } } }
            } } }
        }
        div.panel.sourcepage dir="auto" {
            @for (at, piece) in read.pieces.iter().enumerate() {
                @let before = at.checked_sub(1).and_then(|before| read.pieces.get(before));
                @if before.is_none_or(|before| before.headings != piece.headings) && !piece.headings.is_empty() {
                    strong.gapline { (visible(&piece.headings.join(" \u{203A} "))) @if let Some(page) = piece.page { ", page " (page) } }
                }
                @if before.is_some_and(|before| before.span.end + 4 < piece.span.start) { span.gapline { "\u{2026} not read \u{2026}" } }
                (marked_text(piece, &marks)) "\n\n"
            }
        }
    };
    page(Shell { title: &read.title, here: Here::Runs, wide: false }, &main)
}

/// The words of a piece with the marked ones in elements of their own.
fn marked_text(piece: &Piece, marks: &[(Span, bool)]) -> Markup {
    let letters: Vec<char> = piece.text.chars().collect();
    let local = |place: usize| place.saturating_sub(piece.span.start).min(letters.len());
    let mut cuts: Vec<usize> =
        marks.iter().flat_map(|(span, _)| [local(span.start), local(span.end)]).collect();
    cuts.extend([0, letters.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let over = |from: usize, to: usize| {
        let covers = |span: &Span| {
            span.start <= piece.span.start + from && piece.span.start + to <= span.end
        };
        marks.iter().filter(|(span, _)| covers(span)).map(|(_, first)| *first).max()
    };
    html! {
        @for pair in cuts.windows(2) {
            @let text = visible(&letters[pair[0]..pair[1]].iter().collect::<String>());
            @match over(pair[0], pair[1]) {
                Some(true) => { mark.quoted #quote tabindex="-1" { (text) } }
                Some(false) => { mark { (text) } }
                None => { (text) }
            }
        }
    }
}
