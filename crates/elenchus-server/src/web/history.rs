//! The runs there are.

use super::once::Sure;
use super::page::{Here, Shell, page};
use super::words::{counted, day, encoded, figure, lasted, visible};
use elenchus_core::id::{RunId, Timestamp};
use maud::{Markup, html};

/// A run in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// The run.
    pub run: RunId,
    /// What was asked.
    pub question: String,
    /// How it stands, as the API says it.
    pub status: String,
    /// What it does, in words.
    pub message: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When anything was last recorded.
    pub updated_at: Timestamp,
    /// Events so far.
    pub events: u64,
    /// How sure its answer is, where it is over and has one.
    pub sure: Option<Sure>,
}

/// How runs can stand, with what each means. Of a run that another process drives the store knows only that it is driven.
const STATUSES: [(&str, &str); 7] = [
    ("running", "running, or held up elsewhere"),
    ("waiting", "waiting, driven here"),
    ("paused", "paused, driven here"),
    ("stopped", "stopped: nobody drives it"),
    ("finished", "finished"),
    ("interrupted", "interrupted"),
    ("failed", "failed"),
];

/// The status of a word of an address; `None` where there is none of that name.
pub(super) fn status_named(word: &str) -> Option<&'static str> {
    STATUSES.iter().map(|(name, _)| *name).find(|name| *name == word)
}

/// Which runs are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Words that the question must have.
    pub q: &'a str,
    /// How they must stand.
    pub status: Option<&'a str>,
    /// Whether one was deleted just now.
    pub deleted: bool,
}

/// Runs of a page.
pub const A_PAGE: usize = 50;

fn sign(status: &str) -> &'static str {
    match status {
        "finished" => "\u{2713}",
        "failed" => "\u{2717}",
        "interrupted" => "\u{25FC}",
        "waiting" => "?",
        "paused" => "\u{2016}",
        "running" => "\u{25B6}",
        _ => "\u{25A0}",
    }
}

/// The page. `found` is one page of all that fit, `of` how many fit.
pub fn show(found: &[Listed], wanted: Wanted<'_>, at: usize, of: usize) -> Markup {
    let Wanted { q, status, deleted } = wanted;
    let narrowed = !q.is_empty() || status.is_some();
    let to = |page: usize| {
        let status = status.map(|status| format!("&status={status}")).unwrap_or_default();
        format!("/research?q={}{status}&page={page}", encoded(q))
    };
    let main = html! {
        h1 { "Runs" }
        @if deleted { p.note role="status" { "The run is deleted." } }
        form.search role="search" method="get" action="/research" {
            label.grow { span.sr { "Search the questions" } input #search type="search" name="q" value=(q) placeholder="Search questions"; }
            label { span.sr { "How they stand" } select name="status" {
                option value="" { "however they stand" }
                @for (name, words) in STATUSES { option value=(name) selected[status == Some(name)] { (words) } }
            } }
            button { "Search" }
        }
        @if of == 0 && !narrowed {
            p.empty { "Nothing has been asked yet. " a href="/" { "Ask a question" } ", and it stays here." }
        } @else {
            p.hint role="status" { (counted(of, "run")) @if !q.is_empty() { " with these words" }
                @if let Some(status) = status { ", " (status) }
                @if narrowed { ". " a href="/research" { "Show all" } } }
        }
        form method="get" action="/compare" {
            ul.history { @for one in found {
                li.jk tabindex="-1" {
                    h2 { a href={ "/research/" (encoded(one.run.as_str())) } { (visible(&one.question)) } }
                    p.meta {
                        span class={ "status is-" (one.status) } { span.sign aria-hidden="true" { (sign(&one.status)) } (one.status) }
                        (sure(one.sure))
                        span { (day(one.started_at)) }
                        span { (lasted(u64::try_from(one.updated_at.0 - one.started_at.0).unwrap_or(0))) }
                        span { (counted(usize::try_from(one.events).unwrap_or(0), "event")) }
                        @if !one.message.is_empty() && one.status == "running" { span { (one.message) } }
                    }
                    p.row {
                        label.choice { input type="checkbox" name="run" value=(one.run); span.small { "compare" span.sr { " " (visible(&one.question)) } } }
                        a.small href={ "/research/" (encoded(one.run.as_str())) "/delete" } { "delete" span.sr { " " (visible(&one.question)) } }
                    }
                }
            } }
            @if found.len() > 1 { button.quiet { "Compare the two that are marked" } }
        }
        @if of > A_PAGE {
            nav.pages aria-label="Pages of the list" {
                @if at > 1 { a href=(to(at - 1)) rel="prev" { "Newer" } }
                span { "page " (at) " of " (of.div_ceil(A_PAGE)) }
                @if at * A_PAGE < of { a href=(to(at + 1)) rel="next" { "Older" } }
            }
        }
    };
    page(Shell { title: "Runs", here: Here::Runs, wide: false }, &main)
}

/// How sure an answer is, in the words of its page.
fn sure(sure: Option<Sure>) -> Markup {
    html! {
        @match sure {
            Some(Sure::Figure(overall, level)) => { span { "confidence " strong { (level.word()) } " (" (figure(overall)) ")" } }
            Some(Sure::NotAssessable) => { span { "not assessable" } }
            Some(Sure::NotVerified) => { span { "not verified" } }
            None => {}
        }
    }
}
