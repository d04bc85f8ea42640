//! The head of the screen: the question, how the run stands, the pages.

use super::super::app::{App, Tab};
use super::super::paint::{Tone, columns, fit, span};
use super::put;
use crate::time;
use crate::ui::progress::counted;
use elenchus_core::trace::{Projection, StepKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::Line;

fn status_sign(app: &App) -> (char, Tone) {
    match app.status() {
        "running" if app.driven => ('\u{25CF}', Tone::Good),
        "running" => ('\u{25CF}', Tone::Dim),
        "waiting" => ('?', Tone::Warn),
        "paused" | "stopped" => ('\u{2016}', Tone::Warn),
        "finished" => ('\u{2713}', Tone::Good),
        "interrupted" => ('\u{25A0}', Tone::Warn),
        _ => ('\u{2717}', Tone::Bad),
    }
}

/// Where a run comes from, if it came of another one.
fn origin(run: &Projection) -> Option<String> {
    if let Some(forked) = &run.forked {
        return Some(format!("forked from step {} of {}", forked.event_id, forked.parent));
    }
    if let Some(contest) = &run.contest {
        return Some(format!("looks into step {} of {}", contest.event_id, contest.parent));
    }
    if let Some(reopened) = &run.options.reopened {
        return Some(format!("looks again for what {} gave up", reopened.parent));
    }
    let tested = run.options.tested.as_ref()?;
    Some(match &tested.hypothesis {
        Some(id) => format!("tests {id} of {}", tested.parent),
        None => format!("tests an explanation of yours on {}", tested.parent),
    })
}

/// The question, where the run comes from, how it stands, and what it has spent.
pub(super) fn header(app: &App, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let Some(run) = &app.run else {
        let what = app.busy.as_deref().unwrap_or("no run yet");
        let line = Line::from(vec![
            span(Tone::Title, "Elenchus "),
            span(Tone::Dim, fit(what, width.saturating_sub(9))),
        ]);
        put(&line, area, 0, buffer);
        if app.busy.is_none() {
            put(&Line::from(span(Tone::Dim, fit(&app.ground, width))), area, 1, buffer);
        }
        return;
    };
    let (sign, tone) = status_sign(app);
    let mut state = format!("{sign} {}", app.status());
    if !run.is_over() && app.driven {
        state = format!("{state} \u{00B7} {}", run.stage.replace('_', " "));
    }
    if let Some(busy) = app.busy.as_deref().filter(|_| !app.driven) {
        state = format!("\u{2026} {}", fit(busy, width / 2));
    }
    let room = width.saturating_sub(columns(&state) + 2);
    let question = fit(&run.question, room);
    let blank = " ".repeat(width.saturating_sub(columns(&question) + columns(&state)));
    let line =
        Line::from(vec![span(Tone::Strong, question), span(Tone::Plain, blank), span(tone, state)]);
    put(&line, area, 0, buffer);
    let mut facts: Vec<String> = origin(run).into_iter().collect();
    let last = run.rounds.last().map_or(0, |round| round.round);
    if last > 0 {
        facts.push(format!("round {last}/{}", run.max_rounds.max(last)));
    }
    if !run.questions.is_empty() {
        facts.push(format!("{}/{} answered", run.answered(), run.questions.len()));
    }
    let open = run.open_gaps();
    if open > 0 {
        facts.push(counted(open, "open gap"));
    }
    let under_way = run
        .steps
        .iter()
        .rev()
        .take(200)
        .filter(|step| step.kind == StepKind::Action && step.ended.is_none())
        .count();
    if under_way > 0 && !run.is_over() && app.driven {
        facts.push(format!("{under_way} under way"));
    }
    facts.push(format!(
        "{} of {}",
        counted(run.spent.passages as usize, "passage"),
        counted(run.sources.len(), "document")
    ));
    if run.spent.model_calls > 0 {
        facts.push(counted(run.spent.model_calls as usize, "model call"));
    }
    if run.spent.usage.cost_micro_usd > 0 {
        facts.push(format!("{:.4} USD", run.spent.usage.cost_micro_usd as f64 / 1e6));
    }
    let until = if app.driven && !run.is_over() { app.now } else { run.updated_at.0 };
    if let Ok(ms) = u64::try_from(until - run.started_at.0) {
        facts.push(time::lasted(ms));
    }
    put(&Line::from(span(Tone::Dim, fit(&facts.join(" \u{00B7} "), width))), area, 1, buffer);
}

/// Letters of a name where the whole names do not fit.
const SHORT: usize = 4;

/// The pages as they stand beside each other, a blank between them: by whole names, by the beginnings of names, or by the keys
/// alone, whichever fits. The page that is shown has its whole name.
fn names(app: &App, width: u16) -> Vec<(Tab, String)> {
    let pages = app.pages();
    let letters = |tab: Tab, most: usize| if tab == app.tab { usize::MAX } else { most };
    let fits = |most: &usize| {
        let long = |tab: &Tab| tab.name().len().min(letters(*tab, *most)) + 3;
        // One blank less than there are pages.
        pages.iter().map(long).sum::<usize>() <= usize::from(width) + 1
    };
    let most = [usize::MAX, SHORT].into_iter().find(fits).unwrap_or(0);
    let text = |tab: Tab| {
        let name: String = tab.name().chars().take(letters(tab, most)).collect();
        if name.is_empty() { tab.key().to_string() } else { format!("{} {name}", tab.key()) }
    };
    pages.iter().map(|tab| (*tab, text(*tab))).collect()
}

pub(super) fn tabs(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut spans = Vec::new();
    for (tab, text) in names(app, area.width) {
        let style = if tab == app.tab {
            Tone::Strong.style().add_modifier(Modifier::REVERSED)
        } else {
            Tone::Dim.style()
        };
        if !spans.is_empty() {
            spans.push(span(Tone::Plain, " "));
        }
        spans.push(ratatui::text::Span::styled(text, style));
    }
    put(&Line::from(spans), area, 0, buffer);
}

/// The page whose name stands at a place; the blank behind a name counts as well, as some are narrow.
pub(super) fn tab_at(app: &App, area: Rect, place: Position) -> Option<Tab> {
    if !area.contains(place) {
        return None;
    }
    let column = usize::from(place.x - area.x);
    let mut end = 0;
    for (tab, text) in names(app, area.width) {
        end += columns(&text) + 1;
        if column < end {
            return Some(tab);
        }
    }
    None
}
