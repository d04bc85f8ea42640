//! The foot of the screen: what is asked, what was said, what is typed, which keys help.

use super::super::app::{App, Purpose, Tab};
use super::super::paint::{Page, Tone, columns, fit, span};
use super::super::plan::Draft;
use super::put;
use elenchus_core::text::squeeze;
use elenchus_core::trace::RunStatus;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// What stands at the foot, and where in it the cursor is.
pub(super) fn foot_lines(app: &App, area: Rect) -> (Vec<Line<'static>>, Option<(u16, usize)>) {
    let width = usize::from(area.width);
    let mut lines = Vec::new();
    if let Some((number, all, question)) = app.asked.as_ref().and_then(|asked| asked.next()) {
        let mut page = Page::new(area.width);
        let why = squeeze(&question.why);
        let why = if why.is_empty() { why } else { format!(" ({why})") };
        page.hung(
            Tone::Warn,
            &format!("{number}/{all} "),
            Tone::Strong,
            &format!("{}{why}", squeeze(&question.text)),
        );
        for (choice, number) in question.choices.iter().zip(1..) {
            page.hung(Tone::Dim, &format!("  {number}  "), Tone::Plain, choice);
        }
        let most = usize::from(area.height / 2).max(1);
        page.lines.truncate(most);
        lines.append(&mut page.lines);
    }
    if !app.note.text.is_empty() && area.height >= 5 {
        let (sign, tone) = if app.note.is_bad { ("! ", Tone::Bad) } else { ("", Tone::Good) };
        let mut page = Page::new(area.width);
        page.hung(tone, sign, tone, &app.note.text);
        let most = if app.note.is_bad { 4 } else { 2 };
        page.lines.truncate(most.min(usize::from(area.height / 4).max(1)));
        lines.append(&mut page.lines);
    }
    let Some((purpose, input)) = &app.typing else {
        if area.height >= 3 {
            lines.push(Line::from(span(Tone::Dim, fit(&hints(app, width), width))));
        }
        return (lines, None);
    };
    let label = match purpose {
        Purpose::Ask if app.review => "ask, plan first> ".to_owned(),
        Purpose::Ask => "ask> ".to_owned(),
        Purpose::Search => "search> ".to_owned(),
        Purpose::Redirect if width >= 70 => "look for (-path leaves out, +path only)> ".to_owned(),
        Purpose::Redirect => "look for> ".to_owned(),
        Purpose::Source if width >= 70 => {
            "look into (a path, or the address of a page)> ".to_owned()
        }
        Purpose::Source => "look into> ".to_owned(),
        Purpose::Limits if width >= 70 => "limits (rounds 8, +50 passages)> ".to_owned(),
        Purpose::Limits => "limits> ".to_owned(),
        Purpose::Challenge(seq) => format!("doubt {seq}> "),
        Purpose::Answer if width >= 70 => "answer (Enter skips, s skips all)> ".to_owned(),
        Purpose::Answer => "answer> ".to_owned(),
        Purpose::Note { target, .. } => format!("note on {target}> "),
        Purpose::Plan => "add to the plan> ".to_owned(),
        Purpose::Reword(_) => "question> ".to_owned(),
    };
    let room = width.saturating_sub(columns(&label) + 1).max(1);
    // The end of what stands before the cursor is always seen.
    let before = input.before();
    let mut shown = String::new();
    let mut used = 0;
    for c in before.chars().rev() {
        let wide = columns(&c.to_string());
        if used + wide > room {
            break;
        }
        used += wide;
        shown.insert(0, c);
    }
    let text = input.text();
    let after: String = text.chars().skip(before.chars().count()).collect();
    let cursor = columns(&label) + used;
    shown.push_str(&after);
    lines.push(Line::from(vec![span(Tone::Title, label), span(Tone::Plain, shown)]));
    let at = lines.len() - 1;
    (lines, Some((u16::try_from(cursor).unwrap_or(u16::MAX), at)))
}

pub(super) fn foot(app: &App, area: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let (lines, cursor) = foot_lines(app, buffer.area);
    // What is typed stands last and is the last to go.
    let from = lines.len().saturating_sub(usize::from(area.height));
    for (line, y) in lines.iter().skip(from).zip(0..) {
        put(line, area, y, buffer);
    }
    let (x, line) = cursor?;
    let y = u16::try_from(line.checked_sub(from)?).ok()?;
    (y < area.height && area.width > 0).then(|| (area.x + x.min(area.width - 1), area.y + y))
}

/// The keys that help most where one is, as many as fit.
fn hints(app: &App, width: usize) -> String {
    if let Some(draft) = app.editing() {
        return plan_hints(app, draft, width);
    }
    let mut keys: Vec<&str> = Vec::new();
    if app.asked.is_some() {
        keys.extend(["Enter answer", "s skip"]);
    }
    if app.status() == "stopped" && !app.is_at_work() && app.tab != Tab::Runs {
        keys.push("R go on");
    }
    let may_plan = if app.plan.is_some() {
        keys.push("E back to the plan");
        None
    } else if app.awaits_review() {
        keys.push("E see the plan");
        None
    } else {
        app.may_edit().then_some("E plan")
    };
    if app.driven {
        let paused = app.run.as_ref().is_some_and(|run| run.status == RunStatus::Paused);
        keys.extend([
            "i interrupt",
            "f finish",
            if paused { "p go on" } else { "p pause" },
            "r redirect",
        ]);
    }
    if app.place().full {
        keys.push("Esc back");
    }
    if app.tab != Tab::Trace {
        keys.extend(may_plan);
    }
    match app.tab {
        Tab::Trace if app.run.is_some() => {
            keys.push("c doubt");
            keys.extend(may_plan);
            keys.extend(["/ search", "Space fold"]);
        }
        Tab::Runs => keys.extend(["Enter open", "R go on"]),
        Tab::Memory if app.memories.is_some() => keys.extend(["x archive", "w why"]),
        Tab::Answer => keys.push("\u{2191}\u{2193} read"),
        _ if app.count() > 0 && !app.place().full => keys.push("Enter read in full"),
        _ => {}
    }
    match app.tab {
        Tab::Beliefs if app.count() > 0 && app.may_test() => keys.push("t test again"),
        Tab::Claims if app.count() > 0 => keys.push("+ - right or wrong"),
        Tab::Insights if app.count() > 0 => keys.push("+ - useful or not"),
        _ => {}
    }
    if !app.is_at_work() {
        keys.insert(0, "a ask");
    }
    joined(&keys, "? keys \u{00B7} q leave", width)
}

/// The keys that change the plan.
fn plan_hints(app: &App, draft: &Draft, width: usize) -> String {
    let (send, leave) = match (draft.is_changed(), app.awaits_review()) {
        (true, _) => ("s send", "Esc drop"),
        (false, true) => ("s go on", "Esc later"),
        (false, false) => ("", "Esc back"),
    };
    let mut keys = vec![send, leave, "Enter change", "a add", "x take out", "J K move", "u undo"];
    keys.retain(|key| !key.is_empty());
    joined(&keys, "? keys", width)
}

/// As many keys as fit, before those that always stand there.
fn joined(keys: &[&str], always: &str, width: usize) -> String {
    let mut text = String::new();
    for key in keys {
        if columns(&text) + columns(key) + columns(always) + 6 <= width {
            text.push_str(key);
            text.push_str(" \u{00B7} ");
        }
    }
    text + always
}
