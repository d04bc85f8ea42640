//! The same evidence through several lenses: a tab for each, what they share, and what to take from it.

use super::super::words::{counted, visible};
use super::{Sight, charts};
use elenchus_core::id::PointId;
use elenchus_core::synthesis::perspectives::{Agreement, Perspectives, Point, View};
use maud::{Markup, html};

pub(super) fn perspectives(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    let Some((answer, seen)) =
        shown.answer.as_ref().and_then(|answer| Some((answer, answer.perspectives.as_ref()?)))
    else {
        return html! {
            section.panel {
                h2 { "Perspectives" }
                @if shown.lenses.is_empty() {
                    p.empty { "No lenses were asked for. Choose them when you ask; they need a language model." }
                }
                ul { @for lens in &shown.lenses { li { strong { (lens.lens) } ": "
                    @match &lens.failed { Some(error) => { "failed: " (error) } None => { (counted(lens.points as usize, "point")) ", " (lens.dropped) " dropped" } }
                } } }
            }
        };
    };
    html! {
        section.panel aria-labelledby="lens-title" {
            h2 #lens-title { "Perspectives" }
            // Without a script all panels stand below each other, and the list leads to them.
            div.tabs data-tabs {
                ul.tablist {
                    li { a href="#lens-synthesis" { "Synthesis" } }
                    @for view in &seen.views { li { a href={ "#lens-" (view.lens) } { (view.name) " " span.count { (view.points.len()) } } } }
                }
                div.tab id="lens-synthesis" { (synthesis(seen)) }
                @for view in &seen.views { div.tab id={ "lens-" (view.lens) } { (one(sight, seen, view)) } }
            }
        }
        div.pair {
        section.panel aria-labelledby="agree-title" {
            h2 #agree-title { "Where they agree, statement by statement" }
            (charts::agreement(answer))
        }
        section.panel aria-labelledby="share-title" {
            h2 #share-title { "What evidence they share" }
            (charts::overlap(answer))
        }
        }
    }
}

fn refer(seen: &Perspectives, id: &PointId) -> Markup {
    html! {
        @match seen.point(id) {
            Some((view, point)) => { span.label { (view.name) ": " } (visible(&point.statement)) " " a href={ "#" (id) } { (id) } }
            None => { code { (id) } }
        }
    }
}

fn synthesis(seen: &Perspectives) -> Markup {
    html! {
        h3 { "What to take from it" }
        @if seen.meta_analysis.is_empty() { p.hint { "No sentence could be tied to the points it rests on." } }
        @for sentence in &seen.meta_analysis {
            p { (visible(&sentence.text)) " " @for id in &sentence.points { a.cite href={ "#" (id) } { (id) } " " } }
        }
        h3 { "They agree" }
        @if seen.consensus.is_empty() { p.hint { "In nothing." } }
        ul { @for group in &seen.consensus { li {
            span.hint { (group.lenses.join(", ")) ", "
                @match group.by { Agreement::SameEvidence => "by the same quotes", Agreement::SameStatement => "by their words", Agreement::Both => "by quotes and words" } }
            ul { @for id in &group.points { li { (refer(seen, id)) } } }
        } } }
        h3 { span.sign aria-hidden="true" { "\u{2260}" } "They pull apart" }
        @if seen.tensions.is_empty() { p.hint { "In nothing." } }
        ul { @for tension in &seen.tensions { li.diverge {
            @if let Some(why) = &tension.why { p { (visible(why)) } }
            ul { @for id in &tension.points { li { (refer(seen, id)) } } }
        } } }
        @if !seen.unique.is_empty() {
            h3 { "One lens alone sees" }
            ul { @for id in &seen.unique { li { (refer(seen, id)) } } }
        }
        @for undone in &seen.not_done { p.hint { (undone) } }
    }
}

fn one(sight: &Sight<'_>, seen: &Perspectives, view: &View) -> Markup {
    html! {
        h3 { (view.name) }
        p.hint { (view.stance) }
        @if let Some(error) = &view.failed { p.note.bad { "It failed: " (error) } }
        ul.points { @for point in &view.points { (self::point(sight, seen, point)) } }
        p.hint { "Rests on " (counted(view.facts.len(), "quote")) ", " (format!("{:.0}", view.evidence_share * 100.0)) " in 100 of what it was shown." }
        @if let Some(would) = &view.would_change { p { strong { "What would change its mind: " } (visible(would)) } }
    }
}

fn point(sight: &Sight<'_>, seen: &Perspectives, point: &Point) -> Markup {
    let diverges = seen.tensions.iter().any(|tension| tension.points.contains(&point.id));
    html! {
        li.jk.diverge[diverges] id=(point.id) tabindex="-1" {
            p { code { (point.id) } " " (visible(&point.statement)) " " span.tool { (point.stance.name()) }
                @if diverges { " " span.badge { span.sign aria-hidden="true" { "\u{2260}" } "lenses part here" } }
                @if let Some(mark) = point.mark() { " " span.badge.bad { (mark) } } }
            @for quote in &point.quotes {
                figure.quote { blockquote dir="auto" { (visible(&quote.quote)) } figcaption { (visible(&quote.location)) } }
            }
            @if let Some(source) = point.quotes.first().and_then(|quote| sight.shown.sources.iter().find(|one| one.source_id == quote.source_id)) {
                p.ways { a href=(sight.step(source.read.seq)) { "read at step " (source.read.seq) } }
            }
        }
    }
}
