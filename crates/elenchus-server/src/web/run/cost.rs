//! What was read, what it cost, and what left this machine.

use super::super::words::{counted, lasted, money, visible};
use super::{Sight, charts, sources};
use elenchus_core::port::PageOutcome;
use maud::{Markup, html};

pub(super) fn cost(sight: &Sight<'_>) -> Markup {
    html! {
        div.pair {
            @if let Some(answer) = sight.shown.answer.as_deref() {
                section.panel aria-labelledby="graph-title" {
                    h2 #graph-title { "What supports what" }
                    (charts::graph(sight, answer))
                }
            }
            section.panel aria-labelledby="budget-title" {
                h2 #budget-title { "Budget" }
                (charts::budget(sight))
            }
        }
        section.panel aria-labelledby="read-title" {
            h2 #read-title { "Documents read" }
            p.hint { "In " strong { (visible(&sight.shown.corpus.name)) } ": " (counted(sight.shown.corpus.documents as usize, "document")) ", "
                (counted(sight.shown.corpus.passages as usize, "passage")) "." }
            (sources::read(sight))
            (skipped(sight))
        }
        (receipt(sight))
        (left(sight))
        (recalled(sight))
        (memos(sight))
    }
}

fn skipped(sight: &Sight<'_>) -> Markup {
    let skipped = &sight.shown.corpus.skipped;
    html! { @if !skipped.is_empty() {
        p.hint { (counted(skipped.len(), "file")) " of the corpus could not be read; the answer names them." }
    } }
}

fn receipt(sight: &Sight<'_>) -> Markup {
    let spent = sight.shown.spent;
    let wall = u64::try_from(sight.shown.updated_at.0 - sight.shown.started_at.0).unwrap_or(0);
    html! {
        section.panel aria-labelledby="receipt-title" {
            h2 #receipt-title { "Receipt" }
            dl.receipt {
                div { dt { "Model" } dd { (visible(&sight.shown.model)) } }
                div { dt { "Model calls" } dd { (spent.model_calls) } }
                div { dt { "Tokens in, out" } dd { (spent.usage.input_tokens) ", " (spent.usage.output_tokens) } }
                div { dt { "Money" } dd { (money(spent.usage.cost_micro_usd)) } }
                div { dt { "Searches" } dd { (spent.searches) } }
                div { dt { "Passages read" } dd { (spent.passages) } }
                div { dt { "Quotes that held, that did not" } dd { (sight.shown.facts.0) ", " (sight.shown.facts.1) } }
                div { dt { "Time" } dd { (lasted(wall)) } }
            }
        }
    }
}

fn left(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    let hosts = shown.hosts();
    html! {
        section.panel aria-labelledby="left-title" {
            h2 #left-title { "What left this machine" }
            @if hosts.is_empty() && super::head::stays(shown) {
                p { span.sign aria-hidden="true" { "\u{2302}" } strong { "Nothing." } " The documents, the model (" (visible(&shown.model)) ") and the answer stayed here." }
            }
            @match &shown.options.elsewhere {
                Some(all) => { ul { @for one in all { li { (visible(&one.sent)) ": to " strong { (visible(&one.to)) } } } } }
                None => {
                    @if !super::head::is_local(&shown.model) {
                        p { "Prompts with passages of the documents went to the model " strong { (visible(&shown.model)) } "." }
                    }
                    @if !shown.sent_also.is_empty() { ul { @for one in &shown.sent_also { li { (visible(&one.sent)) ": to " strong { (visible(&one.to)) } } } } }
                }
            }
            @if let Some(rule) = &shown.rule_of_two {
                p { "What was allowed to leave: " (rule.outward.sentence()) "." }
            }
            @if !hosts.is_empty() {
                p { "Hosts of the web that were asked: " }
                ul.inline { @for host in &hosts { li { code { (host) } } } }
            }
            @if !shown.withheld.is_empty() {
                h3 { "Kept here" }
                ul { @for one in &shown.withheld { li { q { (one.query) } " " span.hint { (one.reason) } } } }
            }
            @for search in shown.web.iter().take(60) {
                details.drawer data-key={ "web-" (search.moment.seq) } {
                    summary { q { (search.query) } " " span.count { (counted(search.report.pages.len(), "page")) } }
                    ul { @for page in &search.report.pages { li {
                        span.path { (visible(&page.url)) } ": "
                        @match &page.outcome {
                            PageOutcome::Read { passages, hidden, .. } => { "read, " (counted(*passages as usize, "passage")) @if *hidden > 0 { ", " strong { (hidden) " hidden characters left out" } } }
                            PageOutcome::Kept { .. } => { "the kept snapshot was read" }
                            PageOutcome::Refused { reason } => { "not read: " (visible(reason)) }
                        }
                    } } }
                }
            }
        }
    }
}

fn recalled(sight: &Sight<'_>) -> Markup {
    html! {
        @if !sight.shown.recalled.is_empty() {
            section.panel aria-labelledby="lessons-title" {
                h2 #lessons-title { "What earlier runs had learned" }
                ul { @for lesson in &sight.shown.recalled {
                    li { a href=(super::super::memory::place_of(lesson.id.as_str())) { (visible(&lesson.title)) } " " span.number { (super::super::words::figure(lesson.confidence)) }
                        @for credit in sight.shown.credits.iter().filter(|credit| credit.memory_id == lesson.id) { " " span.hint { (credit.because) } } }
                } }
            }
        }
    }
}

/// Memos are leads: what is told of them is where they led, and what was not followed because it is out of date.
fn memos(sight: &Sight<'_>) -> Markup {
    html! {
        @if !sight.shown.memos.is_empty() {
            section.panel aria-labelledby="memos-title" {
                h2 #memos-title { "What earlier runs had found" }
                p.hint { "Leads, not evidence: documents that are as they were are looked into again, the others are not." }
                ul { @for memo in &sight.shown.memos {
                    li { (visible(&memo.title)) " " span.hint { (visible(memo.run_id.as_str())) }
                        @if let Some(noted) = &memo.noted { p { (visible(&noted.words())) } }
                        @if !memo.sources.is_empty() || !memo.given_up.is_empty() {
                            ul {
                                @for source in &memo.sources { li { (visible(&source.lead.path)) ": " (source.freshness.words()) } }
                                @for gap in &memo.given_up { li { "given up: " (visible(&gap.description)) ", because " (gap.reason.because()) } }
                            }
                        }
                    }
                } }
            }
        }
    }
}
