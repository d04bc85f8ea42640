//! What lies over the page: the keys, and what leaving means.

use super::super::app::App;
use super::super::paint::{Page, Tone, columns};
use super::put;
use elenchus_core::trace::StepKind;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

pub(super) fn leaving(app: &App, width: u16) -> Page {
    let mut page = Page::new(width.saturating_sub(6).min(66));
    if let Some(run) = &app.theirs {
        page.text(Tone::Plain, "A run is under way. The workers go on with it when you leave:");
        page.text(Tone::Strong, &format!("elenchus runs attach {run}"));
        page.text(Tone::Plain, "follows it again.");
        page.gap();
        page.text(Tone::Plain, "Enter or q leaves, any other key stays.");
        return page;
    }
    let id = app.run.as_ref().map_or("RUN", |run| run.run_id.as_str());
    page.text(
        Tone::Plain,
        "A run is under way. It stops where it stands, and nothing of it is lost:",
    );
    page.text(Tone::Strong, &format!("elenchus runs resume {id}"));
    page.text(Tone::Plain, "goes on with it, and so does R on the page Runs.");
    page.gap();
    page.text(Tone::Plain, "Enter or q leaves, any other key stays.");
    page
}

/// Lines of the help at a width.
pub(in crate::tui) fn help_lines(width: u16) -> usize {
    help(width).lines.len()
}

pub(super) fn help(width: u16) -> Page {
    let mut page = Page::new(width.saturating_sub(6).min(70));
    let keys: &[(&str, &[(&str, &str)])] = &[
        (
            "Anywhere",
            &[
                ("1-9 \u{2190} \u{2192} Tab", "the pages"),
                ("L C", "lenses, and what speaks against the answer"),
                ("\u{2191} \u{2193} j k", "move; PgUp PgDn by a page, g G to the ends"),
                ("Enter", "read the selected row in full, Esc goes back"),
                ("J K", "move what is told of it"),
                ("/", "search the trace; n and N go on"),
                ("?", "these lines"),
                ("q, Ctrl-C", "leave; a run under way stops and is kept"),
            ],
        ),
        (
            "While a run is under way",
            &[
                ("i", "interrupt: answer with what there is"),
                ("f", "finish now: stop searching, write the answer"),
                ("p", "pause, and go on"),
                ("r", "redirect: look for words too, -path leaves out, +path only, !h2 drops"),
                ("d", "a document or page to look into first: path or address"),
                ("b", "budget: other limits, as in rounds 8, +50 passages"),
                (
                    "c",
                    "doubt the selected step of the trace; after the end another run looks into it",
                ),
                (
                    "E",
                    "its plan: see and change what is asked; opens by itself when the run waits for that",
                ),
                ("Enter, s", "answer what is asked back, or skip it"),
            ],
        ),
        (
            "While its plan is changed",
            &[
                ("Enter", "word the selected question anew"),
                ("a x", "add a question below it, take it out"),
                ("J K", "move it down, up"),
                ("u", "undo: the plan as the run has it"),
                ("s", "send the plan, or let it go on as it is"),
                (
                    "Esc",
                    "leave the plan as it is; another page keeps what was changed, E comes back",
                ),
            ],
        ),
        (
            "Otherwise",
            &[
                (
                    "a",
                    "ask; \u{2191} brings back earlier questions, Tab has the plan shown before anything is searched",
                ),
                ("R", "go on with a run that was stopped"),
                ("b", "go on past the limit that ended the run, in another one"),
                ("t", "test the selected explanation in another run"),
                ("Space - +", "fold a stage or an action, fold all, unfold all"),
                ("x w", "in the memory: archive or restore, why the figure"),
                ("+ -", "say that a statement is right or wrong, an insight useful or not"),
                ("s", "save an insight to the notes"),
                ("m u", "write a note to what you said, take it back"),
            ],
        ),
        (
            "With the mouse, unless --no-mouse leaves it to the terminal",
            &[
                ("wheel", "move what is under it"),
                ("click", "choose a page or a row; on the selected row what Enter does"),
                ("Shift+drag", "select text, in most terminals"),
            ],
        ),
    ];
    for (head, keys) in keys {
        page.head(head);
        for (key, what) in *keys {
            page.hung(Tone::Strong, &format!("{key:<12}"), Tone::Plain, what);
        }
    }
    page.head("Signs in the trace");
    let signs: Vec<String> =
        StepKind::ALL.iter().map(|kind| format!("{} {}", kind.sign(), kind.label())).collect();
    page.text(Tone::Plain, &signs.join("   "));
    page.text(Tone::Plain, "\u{2502} before an action: others were under way beside it");
    page
}

/// Lines in a box over the middle of the screen.
pub(super) fn boxed(
    title: &str,
    lines: &[Line<'static>],
    scroll: usize,
    area: Rect,
    buffer: &mut Buffer,
) {
    if area.width < 8 || area.height < 3 {
        return;
    }
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(columns(title));
    let width = u16::try_from(widest + 4).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let at = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    for y in at.y..at.bottom() {
        for x in at.x..at.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
            }
            let sign = match (x == at.x, x + 1 == at.right(), y == at.y, y + 1 == at.bottom()) {
                (true, _, true, _) => "\u{250C}",
                (_, true, true, _) => "\u{2510}",
                (true, _, _, true) => "\u{2514}",
                (_, true, _, true) => "\u{2518}",
                (true, ..) | (_, true, ..) => "\u{2502}",
                (_, _, true, _) | (_, _, _, true) => "\u{2500}",
                _ => " ",
            };
            buffer.set_string(x, y, sign, Tone::Dim.style());
        }
    }
    buffer.set_stringn(at.x + 1, at.y, title, usize::from(width - 2), Tone::Title.style());
    let inner =
        Rect { x: at.x + 2, y: at.y + 1, width: width.saturating_sub(4), height: height - 2 };
    let fits = usize::from(inner.height);
    let from = scroll.min(lines.len().saturating_sub(fits));
    for (line, y) in lines.iter().skip(from).take(fits).zip(0..) {
        put(line, inner, y, buffer);
    }
    if lines.len() > from + fits {
        let text = format!(" {} more \u{2193} ", lines.len() - from - fits);
        buffer.set_stringn(
            at.x + 2,
            at.bottom() - 1,
            text,
            usize::from(width - 4),
            Tone::Dim.style(),
        );
    }
}
