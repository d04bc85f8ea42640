//! The screen: a pure function of the state onto a grid of cells.

mod foot;
mod head;
mod over;
mod plan;

pub(super) use over::help_lines;

use super::app::{App, Overlay, Tab};
use super::paint::{Tone, columns, tamed};
use super::panes;
use super::tree::Row;
use foot::{foot, foot_lines};
use head::{header, tab_at, tabs};
use over::{boxed, help, leaving};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
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
    match app.editing() {
        Some(draft) => plan::draw(app, draft, parts.body, buffer),
        None => page(app, parts.body, buffer),
    }
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

/// A page that shows something, as it is laid out. What is drawn and what the mouse meets are found by it alike.
struct Laid {
    /// What stands above the rows.
    top: Vec<Line<'static>>,
    /// The rows of the trace, on its page.
    rows: Vec<Row>,
    count: usize,
    selected: usize,
    shares: Shares,
    seen: Seen,
}

/// Which rows are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The first that is shown.
    pub(super) from: usize,
    /// The one that would be if the mouse had moved nothing.
    pub(super) usual: usize,
    /// The last that can be.
    pub(super) most: usize,
}

/// `None` for a page that has nothing to show.
fn laid(app: &App, area: Rect) -> Option<Laid> {
    let rows = if app.tab == Tab::Trace { app.rows() } else { Vec::new() };
    let count = if app.tab == Tab::Trace { rows.len() } else { app.count() };
    let has_answer = app.run.as_ref().is_some_and(|run| run.answer.is_some());
    let shows = if app.tab == Tab::Answer { has_answer } else { count > 0 };
    if !shows {
        return None;
    }
    let top = pinned(app, area);
    let used = u16::try_from(top.len()).unwrap_or(area.height).min(area.height);
    let shares = shares(app, Rect { y: area.y + used, height: area.height - used, ..area });
    let selected = app.selected();
    let height = usize::from(shares.rows.height);
    let (usual, most) = (first(selected, count, height), count.saturating_sub(height));
    let from = app.place().top.map_or(usual, |top| top.min(most));
    Some(Laid { top, rows, count, selected, shares, seen: Seen { from, usual, most } })
}

/// What stands above the rows.
fn pinned(app: &App, area: Rect) -> Vec<Line<'static>> {
    if app.place().full || area.height < 8 {
        return Vec::new();
    }
    let mut lines = panes::top(app, area.width).lines;
    lines.truncate(usize::from(area.height / 3));
    lines
}

fn page(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.height == 0 || area.width == 0 {
        return;
    }
    let Some(laid) = laid(app, area) else {
        let lines = panes::empty(app, area.width.saturating_sub(2)).lines;
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        for (line, y) in lines.iter().zip(0..) {
            put(line, inner, y, buffer);
        }
        return;
    };
    for (line, y) in laid.top.iter().zip(0..) {
        put(line, area, y, buffer);
    }
    list(app, &laid, buffer);
    if let Some(into) = laid.shares.details {
        details(app, &laid, into, buffer);
    }
}

/// The rows, and what parts them from the details.
fn list(app: &App, laid: &Laid, buffer: &mut Buffer) {
    let (count, selected) = (laid.count, laid.selected);
    let shown = laid.shares.rows;
    let from = laid.seen.from;
    for (at, y) in (from..count.min(from + usize::from(shown.height))).zip(0..) {
        let line = panes::row(app, &laid.rows, at, shown.width);
        put(&line, shown, y, buffer);
        if at == selected {
            let row = Rect { y: shown.y + y, height: 1, ..shown };
            buffer.set_style(row, Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    let Some(rule) = laid.shares.rule else { return };
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

/// What is told of the selected row.
fn details(app: &App, laid: &Laid, into: Rect, buffer: &mut Buffer) {
    let lines = panes::details(app, &laid.rows, laid.selected, into.width).lines;
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

fn screen(app: &App) -> Rect {
    Rect::new(0, 0, app.size.0, app.size.1)
}

/// The page of the screen, laid out.
fn on_screen(app: &App) -> Option<Laid> {
    laid(app, parts(app, screen(app)).body)
}

/// Rows of the page that are shown at once; of a text, its lines.
pub(super) fn list_height(app: &App) -> u16 {
    let Some(laid) = on_screen(app) else { return 1 };
    match laid.shares.details {
        Some(details) if laid.shares.rows.height == 0 => details.height,
        _ => laid.shares.rows.height,
    }
}

/// How far the text that is read may be moved.
pub(super) fn most_scroll(app: &App) -> usize {
    let Some(laid) = on_screen(app) else { return 0 };
    let Some(into) = laid.shares.details else { return 0 };
    let lines = panes::details(app, &laid.rows, laid.selected, into.width).lines.len();
    lines.saturating_sub(usize::from(into.height))
}

/// Which rows of the page are seen.
pub(super) fn seen(app: &App) -> Option<Seen> {
    on_screen(app).map(|laid| laid.seen)
}

/// The first line of the plan that is shown while it is changed.
pub(super) fn plan_top(app: &App) -> usize {
    app.editing().map_or(0, |draft| plan::top(app, draft, parts(app, screen(app)).body))
}

/// What stands at a place of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Tab(Tab),
    /// A row of the page.
    Row(usize),
    /// Among the rows, where none stands.
    Rows,
    /// What is told of the selected row, or the text that is read.
    Details,
    /// A question of the plan that is changed.
    Question(usize),
    /// Among the questions, where none stands.
    Questions,
    Nothing,
}

pub(super) fn at(app: &App, place: Position) -> Target {
    let parts = parts(app, screen(app));
    if let Some(tab) = tab_at(app, parts.tabs, place) {
        return Target::Tab(tab);
    }
    if !parts.body.contains(place) {
        return Target::Nothing;
    }
    if let Some(draft) = app.editing() {
        return plan::at(app, draft, parts.body, place);
    }
    let Some(laid) = laid(app, parts.body) else { return Target::Nothing };
    let rows = laid.shares.rows;
    if rows.contains(place) {
        let row = laid.seen.from + usize::from(place.y - rows.y);
        return if row < laid.count { Target::Row(row) } else { Target::Rows };
    }
    match laid.shares.details {
        Some(details) if details.contains(place) => Target::Details,
        _ => Target::Nothing,
    }
}
