//! What was read.

use super::super::paint::{Page, Tone, span};
use crate::time;
use elenchus_core::trace::{Projection, SourceShown};
use ratatui::text::Line;

pub(super) fn row(source: &SourceShown, width: usize) -> Line<'static> {
    let cited = source
        .citation
        .map_or_else(|| "  \u{00B7}  ".to_owned(), |n| format!("{:>4} ", format!("[{n}]")));
    let date = source.date.as_ref().map(|date| date.value.to_string()).unwrap_or_default();
    let tone = if source.citation.is_some() { Tone::Good } else { Tone::Dim };
    let text = if width < 70 {
        source.path.clone()
    } else {
        format!("{} \u{00B7} {}", source.path, source.title)
    };
    super::between(vec![span(tone, cited)], (Tone::Plain, &text), &date, width)
}

pub(super) fn details(run: &Projection, source: &SourceShown, page: &mut Page) {
    page.text(Tone::Title, &source.title);
    page.field("where", &source.path);
    page.field("author", source.author.as_deref().unwrap_or_default());
    if let Some(date) = &source.date {
        page.field("date", &format!("{} (\u{201C}{}\u{201D})", date.value, date.stated));
    }
    let clock = time::shown(source.read.at.0);
    page.field("read", &format!("event {}, {}", source.read.seq, clock.get(11..19).unwrap_or("")));
    if source.hidden > 0 {
        page.text(
            Tone::Warn,
            &format!("{} characters that it hides from its readers were left out", source.hidden),
        );
    }
    let Some(answer) = &run.answer else { return };
    let Some(number) = source.citation else {
        page.text(Tone::Dim, "The answer does not cite it.");
        return;
    };
    page.head(&format!("cited as [{number}]"));
    for item in answer.evidence.iter().filter(|item| item.source_id == source.source_id) {
        page.text(Tone::Dim, &item.location);
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", item.quote));
    }
}
