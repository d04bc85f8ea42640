//! The screen: a pure function of the state onto a grid of cells.

mod foot;
mod head;
mod over;

pub(super) use over::help_lines;

use super::app::{App, Overlay, Tab};
use super::paint::{Tone, columns, tamed};
use super::panes;
use super::tree::Row;
use foot::{foot, foot_lines};
use head::{header, tabs};
use over::{boxed, help, leaving};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// From this width on, details stand beside the rows.
const WIDE: u16 = 100;
/// From this height of the page on, they stand below them.
const TALL: u16 = 12;
/// From this height of the screen on, there is a second line about the run.
const ROOMY: u16 = 16;

/// Draws everything; gives the place of the cursor, where there is one.
pub(crate) fn draw(app: &App, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let area = buffer.area;
    let parts = parts(app, area);
    header(app, parts.header, buffer);
    tabs(app, parts.tabs, buffer);
    page(app, parts.body, buffer);
    let cursor = foot(app, parts.foot, buffer);
    match app.overlay {
        Some(Overlay::Help { scroll }) => {
            let lines = help(area.width);
            boxed(" keys: Esc closes ", &lines.lines, scroll, area, buffer);
        }
        Some(Overlay::Leave) => boxed(" leave? ", &leaving(app, area.width).lines, 0, area, buffer),
        None => {}
    }
    tamed(buffer, app.colour);
    cursor.filter(|_| app.overlay.is_none())
}

struct Parts {
    header: Rect,
    tabs: Rect,
    body: Rect,
    foot: Rect,
}

fn parts(app: &App, area: Rect) -> Parts {
    let header = if area.height >= ROOMY { 2 } else { u16::from(area.height >= 6) };
    let tabs = u16::from(area.height >= 4);
    let (lines, _) = foot_lines(app, area);
    let most = area.height.saturating_sub(header + tabs + 1);
    let foot = u16::try_from(lines.len()).unwrap_or(u16::MAX).min(most);
    let body = area.height.saturating_sub(header + tabs + foot);
    let at = |y: u16, height: u16| Rect { x: area.x, y: area.y + y, width: area.width, height };
    Parts {
        header: at(0, header),
        tabs: at(header, tabs),
        body: at(header + tabs, body),
        foot: at(header + tabs + body, foot),
    }
}

fn put(line: &Line<'_>, area: Rect, y: u16, buffer: &mut Buffer) {
    if y < area.height && area.width > 0 {
        buffer.set_line(area.x, area.y + y, line, area.width);
    }
}

/// Where rows and details of a page stand.
struct Shares {
    rows: Rect,
    rule: Option<Rect>,
    details: Option<Rect>,
}

fn shares(app: &App, area: Rect) -> Shares {
    let empty = Rect { height: 0, ..area };
    if app.place().full || app.tab == Tab::Answer {
        return Shares { rows: empty, rule: None, details: Some(area) };
    }
    if area.width >= WIDE {
        let left = area.width * 11 / 20;
        return Shares {
            rows: Rect { width: left.saturating_sub(1), ..area },
            rule: Some(Rect { x: area.x + left, width: 1, ..area }),
            details: Some(Rect {
                x: area.x + left + 2,
                width: area.width.saturating_sub(left + 2),
                ..area
            }),
        };
    }
    if area.height >= TALL {
        // Few rows leave the rest to the details.
        let needed = u16::try_from(app.count()).unwrap_or(u16::MAX).max(2);
        let rows = needed.min(area.height * 11 / 20);
        return Shares {
            rows: Rect { height: rows, ..area },
            rule: Some(Rect { y: area.y + rows, height: 1, ..area }),
            details: Some(Rect {
                y: area.y + rows + 1,
                height: area.height.saturating_sub(rows + 1),
                ..area
            }),
        };
    }
    Shares { rows: area, rule: None, details: None }
}

/// The first row that is shown, so that the selected one is.
fn first(selected: usize, count: usize, height: usize) -> usize {
    selected.saturating_sub(height * 2 / 3).min(count.saturating_sub(height))
}

fn page(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.height == 0 || area.width == 0 {
        return;
    }
    let rows = if app.tab == Tab::Trace { app.rows() } else { Vec::new() };
    let count = if app.tab == Tab::Trace { rows.len() } else { app.count() };
    let has_answer = app.run.as_ref().is_some_and(|run| run.answer.is_some());
    if (count == 0 && app.tab != Tab::Answer) || (app.tab == Tab::Answer && !has_answer) {
        let lines = panes::empty(app, area.width.saturating_sub(2)).lines;
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        for (line, y) in lines.iter().zip(0..) {
            put(line, inner, y, buffer);
        }
        return;
    }
    let area = pinned(app, area, buffer);
    let shares = shares(app, area);
    let selected = app.selected();
    let height = usize::from(shares.rows.height);
    let from = first(selected, count, height);
    for (at, y) in (from..count.min(from + height)).zip(0..) {
        let line = panes::row(app, &rows, at, shares.rows.width);
        put(&line, shares.rows, y, buffer);
        if at == selected {
            let row = Rect { y: shares.rows.y + y, height: 1, ..shares.rows };
            buffer.set_style(row, Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    if let Some(rule) = shares.rule {
        let upright = rule.width == 1;
        for y in rule.y..rule.bottom() {
            for x in rule.x..rule.right() {
                let sign = if upright { "\u{2502}" } else { "\u{2500}" };
                buffer.set_string(x, y, sign, Tone::Dim.style());
            }
        }
        if !upright && count > 0 {
            let text = format!(" {} of {count} ", selected + 1);
            let x = rule.right().saturating_sub(u16::try_from(text.len() + 1).unwrap_or(0));
            buffer.set_stringn(x, rule.y, text, usize::from(rule.width), Tone::Dim.style());
        }
    }
    let Some(into) = shares.details else { return };
    let lines = panes::details(app, &rows, selected, into.width).lines;
    let fits = usize::from(into.height);
    let from = app.place().scroll.min(lines.len().saturating_sub(fits));
    for (line, y) in lines.iter().skip(from).take(fits).zip(0..) {
        put(line, into, y, buffer);
    }
    let below = lines.len().saturating_sub(from + fits);
    if below > 0 && into.height > 0 {
        let keys = if app.place().full || app.tab == Tab::Answer { "PgDn" } else { "J" };
        let text = format!(" {keys}: {below} more ");
        let wide = u16::try_from(columns(&text)).unwrap_or(0);
        if wide < into.width {
            let (x, y) = (into.right() - wide, into.bottom() - 1);
            buffer.set_string(x, y, text, Tone::Dim.style().add_modifier(Modifier::REVERSED));
        }
    }
}

/// Draws what stands above the rows; gives what is left.
fn pinned(app: &App, area: Rect, buffer: &mut Buffer) -> Rect {
    let top = pinned_lines(app, area);
    for (line, y) in top.iter().zip(0..) {
        put(line, area, y, buffer);
    }
    let used = u16::try_from(top.len()).unwrap_or(u16::MAX);
    Rect { y: area.y + used, height: area.height - used, ..area }
}

fn pinned_lines(app: &App, area: Rect) -> Vec<Line<'static>> {
    if app.place().full || area.height < 8 {
        return Vec::new();
    }
    let mut lines = panes::top(app, area.width).lines;
    lines.truncate(usize::from(area.height / 3));
    lines
}

fn below_pinned(app: &App, area: Rect) -> Rect {
    let used = u16::try_from(pinned_lines(app, area).len()).unwrap_or(0);
    Rect { y: area.y + used, height: area.height.saturating_sub(used), ..area }
}

fn screen(app: &App) -> Rect {
    Rect::new(0, 0, app.size.0, app.size.1)
}

/// Rows of the page that are shown at once; of a text, its lines.
pub(super) fn list_height(app: &App) -> u16 {
    let area = below_pinned(app, parts(app, screen(app)).body);
    let shares = shares(app, area);
    match shares.details {
        Some(details) if shares.rows.height == 0 => details.height,
        _ => shares.rows.height,
    }
}

/// How far the text that is read may be moved.
pub(super) fn most_scroll(app: &App) -> usize {
    let area = below_pinned(app, parts(app, screen(app)).body);
    let Some(into) = shares(app, area).details else { return 0 };
    let rows: Vec<Row> = if app.tab == Tab::Trace { app.rows() } else { Vec::new() };
    let lines = panes::details(app, &rows, app.selected(), into.width).lines.len();
    lines.saturating_sub(usize::from(into.height))
}
