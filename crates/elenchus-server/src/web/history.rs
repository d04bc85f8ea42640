//! The runs there are.

use super::page::{Here, Shell, page};
use super::words::{counted, day, encoded, lasted, visible};
use elenchus_core::id::{RunId, Timestamp};
use maud::{Markup, html};

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
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
pub fn show(found: &[Listed], q: &str, at: usize, of: usize) -> Markup {
    let to = |page: usize| format!("/research?q={}&page={page}", encoded(q));
    let main = html! {
        h1 { "Runs" }
        form.search role="search" method="get" action="/research" {
            label.grow { span.sr { "Search the questions" } input #search type="search" name="q" value=(q) placeholder="Search questions"; }
            button { "Search" }
        }
        @if of == 0 && q.is_empty() {
            p.empty { "Nothing has been asked yet. " a href="/" { "Ask a question" } ", and it stays here." }
        } @else {
            p.hint role="status" { (counted(of, "run")) @if !q.is_empty() { " ask that. " a href="/research" { "Show all" } } }
        }
        form method="get" action="/compare" {
            ul.history { @for one in found {
                li.jk tabindex="-1" {
                    h2 { a href={ "/research/" (encoded(one.run.as_str())) } { (visible(&one.question)) } }
                    p.meta {
                        span class={ "status is-" (one.status) } { span.sign aria-hidden="true" { (sign(&one.status)) } (one.status) }
                        span { (day(one.started_at)) }
                        span { (lasted(u64::try_from(one.updated_at.0 - one.started_at.0).unwrap_or(0))) }
                        span { (counted(usize::try_from(one.events).unwrap_or(0), "event")) }
                        @if !one.message.is_empty() && one.status == "running" { span { (one.message) } }
                    }
                    label.choice { input type="checkbox" name="run" value=(one.run); span.small { "compare" span.sr { " " (one.question) } } }
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
