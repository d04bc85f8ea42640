//! The pages: what stands at the top of each, its rows, and what is told of the selected one. Pure functions of the state.

mod answer;
mod beliefs;
mod claims;
mod critique;
mod gaps;
mod insights;
mod lenses;
mod memory;
mod runs;
mod sources;
mod trace;

use super::app::{App, Tab};
use super::paint::{Page, Tone, fit, span};
use super::tree::Row;
use elenchus_core::port::{LOCAL, Matter};
use elenchus_core::trace::Projection;
use ratatui::text::{Line, Span};

/// Rows of the page of lenses.
pub(super) fn lens_rows(run: &Projection) -> usize {
    lenses::entries(run).len()
}

/// Rows of the page of what speaks against the answer.
pub(super) fn critique_rows(run: &Projection) -> usize {
    critique::entries(run).len()
}

/// What stands above the rows.
pub(super) fn top(app: &App, width: u16) -> Page {
    let mut page = Page::new(width);
    match (app.tab, &app.run) {
        (Tab::Gaps, Some(run)) => gaps::top(run, &mut page),
        (Tab::Claims, Some(run)) => claims::top(run, &mut page),
        (Tab::Memory, _) => memory::top(app, &mut page),
        _ => {}
    }
    page
}

/// A row of the page, not wider than `width`.
pub(super) fn row(app: &App, rows: &[Row], at: usize, width: u16) -> Line<'static> {
    let width = usize::from(width);
    let run = app.run.as_ref();
    let line = match app.tab {
        Tab::Trace => run.zip(rows.get(at)).map(|(run, row)| trace::row(app, run, row, width)),
        Tab::Gaps => run.and_then(|run| Some(gaps::row(run, run.gaps.get(at)?, width))),
        Tab::Beliefs => run.and_then(|run| Some(beliefs::row(run.hypotheses.get(at)?, width))),
        Tab::Claims => run
            .and_then(|run| run.answer.as_ref())
            .and_then(|answer| claims::row(app, answer, at, width)),
        Tab::Sources => run.and_then(|run| Some(sources::row(run.sources.get(at)?, width))),
        Tab::Insights => run.and_then(|run| Some(insights::row(app, run.insights.get(at)?, width))),
        Tab::Lenses => run.and_then(|run| Some(lenses::row(lenses::entries(run).get(at)?, width))),
        Tab::Critique => {
            run.and_then(|run| Some(critique::row(critique::entries(run).get(at)?, width)))
        }
        Tab::Memory => {
            app.memories.as_ref().and_then(|(held, _)| Some(memory::row(held.get(at)?, width)))
        }
        Tab::Runs => app.runs.as_ref().and_then(|runs| Some(runs::row(app, runs.get(at)?, width))),
        Tab::Answer => None,
    };
    line.unwrap_or_default()
}

/// What is told of the selected row.
pub(super) fn details(app: &App, rows: &[Row], at: usize, width: u16) -> Page {
    let mut page = Page::new(width);
    let run = app.run.as_ref();
    match app.tab {
        Tab::Trace => {
            if let (Some(run), Some(row)) = (run, rows.get(at)) {
                trace::details(app, run, row, &mut page);
            }
        }
        Tab::Gaps => {
            if let Some((run, gap)) = run.and_then(|run| Some((run, run.gaps.get(at)?))) {
                gaps::details(run, gap, &mut page);
            }
        }
        Tab::Beliefs => {
            if let Some((run, one)) = run.and_then(|run| Some((run, run.hypotheses.get(at)?))) {
                beliefs::details(run, one, &mut page);
            }
        }
        Tab::Claims => {
            if let Some(answer) = run.and_then(|run| run.answer.as_ref()) {
                claims::details(app, answer, at, &mut page);
            }
        }
        Tab::Sources => {
            if let Some((run, source)) = run.and_then(|run| Some((run, run.sources.get(at)?))) {
                sources::details(run, source, &mut page);
            }
        }
        Tab::Insights => {
            if let Some(insight) = run.and_then(|run| run.insights.get(at)) {
                insights::details(app, insight, &mut page);
            }
        }
        Tab::Lenses => {
            if let Some(entry) = run.and_then(|run| lenses::entries(run).into_iter().nth(at)) {
                lenses::details(&entry, &mut page);
            }
        }
        Tab::Critique => {
            let entry = run.and_then(|run| critique::entries(run).into_iter().nth(at));
            if let (Some(run), Some(entry)) = (run, entry) {
                critique::details(run, &entry, &mut page);
            }
        }
        Tab::Memory => {
            if let Some(held) = app.memories.as_ref().and_then(|(held, _)| held.get(at)) {
                memory::details(app, held, &mut page);
            }
        }
        Tab::Runs => {
            if let Some(kept) = app.runs.as_ref().and_then(|runs| runs.get(at)) {
                runs::details(kept, &mut page);
            }
        }
        Tab::Answer => {
            if let Some(run) = run {
                answer::text(run, &mut page);
            }
        }
    }
    page
}

/// What stands on a page that has nothing to show, and why that is so.
pub(super) fn empty(app: &App, width: u16) -> Page {
    let mut page = Page::new(width);
    let Some(run) = &app.run else {
        match app.tab {
            Tab::Memory | Tab::Runs => page.text(Tone::Dim, "looking ..."),
            _ => home(app, &mut page),
        }
        if app.tab == Tab::Runs && app.runs.is_some() {
            page.lines.clear();
            page.text(Tone::Plain, "The store holds no run yet: a asks a question.");
        }
        if app.tab == Tab::Memory && app.memories.is_some() {
            memory::empty(&mut page);
        }
        return page;
    };
    let text = match app.tab {
        Tab::Trace => "The run has not said anything yet.",
        Tab::Gaps if run.is_over() => "No gap was opened: every planned question was answered.",
        Tab::Gaps => "No gap yet. One is opened for what the plan asks and nothing has answered.",
        Tab::Beliefs if run.is_over() => {
            "No explanations were weighed. A language model names them (--model) for questions that have several."
        }
        Tab::Beliefs => {
            "No explanations yet. A language model names them for questions that have several."
        }
        Tab::Claims | Tab::Answer if run.is_over() => "The run ended without an answer.",
        Tab::Claims | Tab::Answer => "",
        Tab::Sources => "No document was read yet.",
        Tab::Insights => "Nothing stands out so far: no sources met that seldom do.",
        Tab::Lenses if run.options.lenses.is_empty() => {
            "No lenses were asked for. `elenchus ask QUESTION --lenses skeptical,neutral` looks through some, with a language model."
        }
        Tab::Lenses if run.is_over() => "No lens was looked through.",
        Tab::Lenses => "No lens yet. They are looked through once the answer was checked.",
        Tab::Critique if run.is_over() && run.options.measured_critique == Some(true) => {
            "Nobody criticised this answer. No model was asked, and nothing that the program measured speaks against it."
        }
        Tab::Critique if run.is_over() => "Nobody criticised this answer.",
        Tab::Critique => "The answer is criticised once it was checked.",
        Tab::Memory => {
            if app.memories.is_some() {
                memory::empty(&mut page);
                return page;
            }
            "looking ..."
        }
        Tab::Runs => "looking ...",
    };
    if text.is_empty() {
        let (held, not) = run.facts;
        page.text(
            Tone::Plain,
            "There is no answer yet; it is composed at the end, from quotes that hold.",
        );
        page.text(
            Tone::Dim,
            &format!(
                "So far: {} of {} planned questions answered, {held} quotes held, {not} did not.",
                run.answered(),
                run.questions.len()
            ),
        );
    } else {
        page.text(Tone::Plain, text);
    }
    if let Some(error) = &run.error {
        page.gap();
        page.text(Tone::Bad, error);
    }
    page
}

/// The first screen.
fn home(app: &App, page: &mut Page) {
    page.text(Tone::Strong, "What would you like to know?");
    page.gap();
    page.text(Tone::Plain, &app.ground);
    page.gap();
    page.text(
        Tone::Plain,
        "Type a question below and press Enter. You see each search, each passage that is read and each gap that stays, \
         and may stop, steer or doubt it at any time.",
    );
    page.gap();
    page.text(
        Tone::Dim,
        "Tab in the line has the plan shown to you before anything is searched. Esc leaves the line. Then: a asks, 9 shows earlier \
         runs, 8 what was learned, ? explains the keys, q leaves.",
    );
}

/// What people say of something, and what they wrote along.
fn said(app: &App, about: Matter, target: &str, page: &mut Page) {
    for one in app.said_of(about, target) {
        let Some(word) = one.said.as_deref() else { continue };
        let who = if one.actor == LOCAL { "you" } else { one.actor.as_str() };
        let word = word.replace('-', " ");
        let told = match &one.note {
            Some(note) => format!("{word}: {note}"),
            None => word,
        };
        page.field(&format!("{who} said"), &told);
    }
}

/// The last word on something, to stand at the end of its row.
fn word(app: &App, about: Matter, target: &str) -> String {
    let word = app.word_on(about, target);
    if word.is_empty() { word } else { format!("said: {word}") }
}

/// A line of a left part and a right one that is kept whole; the left one gives way.
fn between(
    left: Vec<Span<'static>>,
    text: (Tone, &str),
    right: &str,
    width: usize,
) -> Line<'static> {
    let used: usize = left.iter().map(Span::width).sum();
    let right_width = if right.is_empty() { 0 } else { super::paint::columns(right) + 1 };
    let room = width.saturating_sub(used + right_width);
    let shown = fit(text.1, room);
    let blank = room.saturating_sub(super::paint::columns(&shown));
    let mut spans = left;
    spans.push(span(text.0, shown));
    if right_width > 0 && used + right_width <= width {
        spans.push(span(Tone::Dim, format!("{} {right}", " ".repeat(blank))));
    }
    Line::from(spans)
}
