//! The plan of the run under way, laid out for changing.

use super::super::app::App;
use super::super::paint::{Page, Tone, span};
use super::super::plan::{Draft, Mark};
use super::{Target, put};
use elenchus_core::trace::Projection;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// A line, and the question that it is of.
type Of = (Option<usize>, Line<'static>);

/// Where everything stands; drawing and the mouse ask the same.
struct Laid {
    head: Vec<Line<'static>>,
    list: Rect,
    /// The line below the list, where not all of it fits.
    rest: Option<Rect>,
    lines: Vec<Of>,
    /// The first line of the list that is shown.
    from: usize,
}

fn laid(app: &App, draft: &Draft, area: Rect) -> Laid {
    let head = head(app, area);
    let used = u16::try_from(head.len()).unwrap_or(area.height).min(area.height);
    let mut list = Rect { y: area.y + used, height: area.height - used, ..area };
    let lines = questions(draft, area.width);
    let mut rest = None;
    if list.height > 1 && lines.len() > usize::from(list.height) {
        list.height -= 1;
        rest = Some(Rect { y: list.bottom(), height: 1, ..area });
    }
    let from = first(draft, &lines, usize::from(list.height));
    Laid { head, list, rest, lines, from }
}

/// What is to be said of the plan as a whole.
fn head(app: &App, area: Rect) -> Vec<Line<'static>> {
    let mut page = Page::new(area.width);
    if app.awaits_review() {
        page.text(
            Tone::Title,
            "The run waits for you to look at its plan; nothing was searched yet.",
        );
    } else if !app.run.as_ref().is_some_and(Projection::has_plan) {
        page.text(Tone::Title, "There is no plan yet: what stands here is asked in its place.");
    } else {
        page.text(Tone::Title, "The plan of this run");
        page.text(
            Tone::Dim,
            "What stands keeps what was found for it; what is taken out is no longer looked into.",
        );
    }
    page.lines.truncate(usize::from(area.height.div_ceil(3)));
    page.lines
}

fn questions(draft: &Draft, width: u16) -> Vec<Of> {
    let mut lines = Vec::new();
    for (at, text) in draft.asked().iter().enumerate() {
        let (sign, tone, word) = match draft.mark(text) {
            Mark::Answered => ('\u{2713}', Tone::Good, " (answered, stays)"),
            Mark::Planned => ('\u{25CB}', Tone::Warn, ""),
            Mark::New => ('+', Tone::Title, " (new)"),
        };
        let mut page = Page::new(width);
        page.hung(tone, &format!("{sign} {}. ", at + 1), Tone::Plain, &format!("{text}{word}"));
        lines.extend(page.lines.into_iter().map(|line| (Some(at), line)));
    }
    let mut page = Page::new(width);
    if lines.is_empty() {
        page.text(Tone::Dim, "It asks nothing: a puts a question in.");
    }
    for text in draft.left_out() {
        page.hung(Tone::Dim, "- ", Tone::Dim, &format!("left out: {text}"));
    }
    lines.extend(page.lines.into_iter().map(|line| (None, line)));
    lines
}

/// The first line that is shown: the one from before, as long as the selected question is seen.
fn first(draft: &Draft, lines: &[Of], fits: usize) -> usize {
    let from = draft.top.min(lines.len().saturating_sub(fits));
    let is_selected = |line: &Of| line.0 == Some(draft.row);
    let Some(start) = lines.iter().position(is_selected) else { return from };
    let end = lines.iter().rposition(is_selected).unwrap_or(start) + 1;
    // Of one that is longer than the page, the beginning.
    from.max(end.saturating_sub(fits)).min(start)
}

pub(super) fn draw(app: &App, draft: &Draft, area: Rect, buffer: &mut Buffer) {
    let laid = laid(app, draft, area);
    for (line, y) in laid.head.iter().zip(0..) {
        put(line, area, y, buffer);
    }
    let fits = usize::from(laid.list.height);
    for ((row, line), y) in laid.lines.iter().skip(laid.from).take(fits).zip(0..) {
        put(line, laid.list, y, buffer);
        if *row == Some(draft.row) {
            let whole = Rect { y: laid.list.y + y, height: 1, ..laid.list };
            buffer.set_style(whole, Style::new().add_modifier(Modifier::REVERSED));
        }
    }
    let below = laid.lines.len().saturating_sub(laid.from + fits);
    if let Some(rest) = laid.rest.filter(|_| below > 0) {
        let text = format!("  {below} more lines \u{2193}");
        put(&Line::from(span(Tone::Dim, text)), rest, 0, buffer);
    }
}

/// The first line of the list that is shown.
pub(super) fn top(app: &App, draft: &Draft, area: Rect) -> usize {
    laid(app, draft, area).from
}

/// What stands at a place.
pub(super) fn at(app: &App, draft: &Draft, area: Rect, place: Position) -> Target {
    let laid = laid(app, draft, area);
    if !laid.list.contains(place) {
        return Target::Nothing;
    }
    let line = laid.from + usize::from(place.y - laid.list.y);
    let question = laid.lines.get(line).and_then(|line| line.0);
    question.map_or(Target::Questions, Target::Question)
}
