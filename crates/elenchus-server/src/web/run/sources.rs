//! The documents that an answer cites, and those that were only read.

use super::super::words::visible;
use super::super::words::{counted, day};
use super::Sight;
use super::cards::place;
use elenchus_core::answer::{Answer, Citation};
use maud::{Markup, html};

fn about(citation: &Citation) -> Markup {
    html! {
        @if let Some(author) = &citation.author { span { (visible(author)) } }
        @if let Some(date) = &citation.date { span { (date.value) } }
        @if let Some(web) = &citation.web {
            span { (web.site) }
            span { "read " (day(web.retrieved_at)) }
            @if web.hidden > 0 { span.badge.bad { (counted(web.hidden as usize, "hidden character")) " left out" } }
        }
    }
}

pub(super) fn cited(sight: &Sight<'_>, answer: &Answer) -> Markup {
    html! {
        @if answer.sources.is_empty() { p.empty { "The answer cites nothing." } }
        ol.sources {
            @for citation in &answer.sources {
                @let quotes: Vec<_> = answer.evidence.iter().filter(|one| one.citation == citation.number).collect();
                @let copies = answer.sources.iter().filter(|one| one.cluster == citation.cluster).count();
                li id={ "source-" (citation.number) } value=(citation.number) {
                    p {
                        a href=(sight.under(&format!("/source/{}", citation.number))) { strong { (visible(&citation.title)) } }
                    }
                    p.meta { span.path { (visible(&citation.path)) } (about(citation))
                        @if copies > 1 { span { "one of " (copies) " that count as one source" } } }
                    ul.quotes { @for evidence in quotes {
                        li { a href=(place(sight, evidence)) { q dir="auto" { (visible(&evidence.quote)) } } }
                    } }
                }
            }
        }
    }
}

/// Everything that was read, as tiles.
pub(super) fn read(sight: &Sight<'_>) -> Markup {
    html! {
        @if sight.shown.sources.is_empty() { p.empty { "Nothing has been read yet." } }
        ul.tiles {
            @for source in &sight.shown.sources {
                li {
                    p {
                        @match source.citation {
                            Some(number) => { a href=(sight.under(&format!("/source/{number}"))) { "[" (number) "] " (visible(&source.title)) } }
                            None => { (visible(&source.title)) }
                        }
                    }
                    p.meta {
                        span.path { (visible(&source.path)) }
                        @if let Some(author) = &source.author { span { (visible(author)) } }
                        @if let Some(date) = &source.date { span { (date.value) } }
                        @if source.hidden > 0 { span.badge.bad { (source.hidden) " hidden characters left out" } }
                        @if source.citation.is_none() { span { "read, not cited" } }
                        a href=(sight.step(source.read.seq)) { "step " (source.read.seq) }
                    }
                }
            }
        }
    }
}
