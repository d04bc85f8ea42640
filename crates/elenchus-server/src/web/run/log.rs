//! The trace: a log that can be searched, a tree, a timeline.

use super::super::words::counted;
use super::{Asked, Layout, Sight, charts, steps, tree};
use elenchus_core::trace::{Step, StepKind};
use maud::{Markup, html};

/// Steps of one page of the log: a browser lays them out at once.
const A_PAGE: usize = 120;

/// What is found, and which part of it stands on the page.
pub(super) struct Found<'a> {
    /// Steps that fit, in order.
    pub(super) steps: Vec<&'a Step>,
    /// The page, from 1.
    pub(super) page: usize,
    /// Pages there are, at least 1.
    pub(super) pages: usize,
}

impl<'a> Found<'a> {
    pub(super) fn of(all: &'a [Step], asked: &Asked) -> Self {
        let words: Vec<String> = asked.q.split_whitespace().map(str::to_lowercase).collect();
        let steps: Vec<&Step> = all
            .iter()
            .filter(|step| asked.kind.is_none_or(|kind| step.kind == kind))
            .filter(|step| words.is_empty() || step.says(&words))
            .collect();
        let pages = steps.len().div_ceil(A_PAGE).max(1);
        // While it runs the end is what happens now; once it is over the beginning is where one reads.
        let with = asked.at.and_then(|at| steps.iter().position(|step| step.seq >= at));
        let page =
            asked.page.unwrap_or_else(|| with.map_or(pages, |at| at / A_PAGE + 1)).clamp(1, pages);
        Self { steps, page, pages }
    }

    fn shown(&self) -> &[&'a Step] {
        let from = (self.page - 1) * A_PAGE;
        self.steps.get(from..(from + A_PAGE).min(self.steps.len())).unwrap_or_default()
    }
}

pub(super) fn trace(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let here = |layout: Layout| Asked { layout, page: None, at: None, ..asked.clone() };
    html! {
        section.panel.trace aria-labelledby="trace-title" {
            h2 #trace-title { "Trace" }
            nav.switch aria-label="Layout of the trace" {
                @for layout in Layout::ALL {
                    a href=(sight.under(&here(layout).query())) aria-current=[(layout == asked.layout).then_some("true")] { (layout.label()) }
                }
            }
            @match asked.layout {
                Layout::Log => { (log(sight, asked)) }
                Layout::Tree => { (tree::tree(sight)) }
                Layout::Timeline => {
                    p.hint { "Actions under way at one time stand below each other. What came of each, and how long it took, is in the table." }
                    (charts::timeline(sight))
                }
            }
        }
    }
}

fn log(sight: &Sight<'_>, asked: &Asked) -> Markup {
    // Once it is over one reads from the beginning.
    let over = sight.shown.is_over() && asked.page.is_none() && asked.at.is_none();
    let asked = &Asked { page: if over { Some(1) } else { asked.page }, ..asked.clone() };
    let found = Found::of(&sight.shown.steps, asked);
    let used: Vec<StepKind> = StepKind::ALL
        .into_iter()
        .filter(|kind| sight.shown.steps.iter().any(|step| step.kind == *kind))
        .collect();
    html! {
        form.search role="search" method="get" action=(sight.under("")) {
            input type="hidden" name="view" value="trace";
            label.grow { span.sr { "Search the trace" }
                input #search type="search" name="q" value=(asked.q) placeholder="Search steps" autocomplete="off"; }
            label { span.sr { "Kind of step" }
                select name="kind" {
                    option value="" { "every kind" }
                    @for kind in used {
                        option value=(kind.name()) selected[asked.kind == Some(kind)] { (kind.sign()) " " (kind.label()) }
                    }
                }
            }
            button { "Search" }
        }
        p.hint role="status" {
            @if asked.q.is_empty() && asked.kind.is_none() { (counted(found.steps.len(), "step")) }
            @else { (found.steps.len()) " of " (counted(sight.shown.steps.len(), "step")) " fit. "
                a href=(sight.under("?view=trace")) { "Show all" } }
        }
        (pages(sight, asked, &found, "Pages of the trace"))
        ol.log { @for step in found.shown() { (steps::full(sight, asked, step)) } }
        @if found.steps.is_empty() { p.empty { "No step says that. Try fewer words, or every kind." } }
        @if found.steps.len() > 20 { (pages(sight, asked, &found, "Pages of the trace, below it")) }
    }
}

fn pages(sight: &Sight<'_>, asked: &Asked, found: &Found<'_>, label: &str) -> Markup {
    let to =
        |page: usize| sight.under(&Asked { page: Some(page), at: None, ..asked.clone() }.query());
    html! {
        @if found.pages > 1 {
            nav.pages aria-label=(label) {
                @if found.page > 1 { a href=(to(1)) { "First" } a href=(to(found.page - 1)) rel="prev" { "Earlier" } }
                span { "page " (found.page) " of " (found.pages) }
                @if found.page < found.pages { a href=(to(found.page + 1)) rel="next" { "Later" } a href=(to(found.pages)) { "Last" } }
            }
        }
    }
}
