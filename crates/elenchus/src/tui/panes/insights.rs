//! What stands out: connections that are rare.

use super::super::app::App;
use super::super::paint::{Page, Tone, bar, span};
use super::claims;
use elenchus_core::port::Matter;
use elenchus_core::synthesis::insight::{Insight, WordedBy};
use ratatui::text::Line;

pub(super) fn row(app: &App, insight: &Insight, width: usize) -> Line<'static> {
    let mut left = vec![
        span(Tone::Strong, format!("* {:<3} ", insight.id)),
        span(Tone::Good, bar(insight.novelty, 5)),
        span(Tone::Plain, format!(" {:.2} ", insight.novelty)),
    ];
    if width >= 60 {
        left.push(span(Tone::Dim, format!("{} ", insight.kind.title())));
    }
    let said = super::word(app, Matter::Insight, insight.id.as_str());
    super::between(left, (Tone::Plain, &insight.description), &said, width)
}

pub(super) fn details(app: &App, insight: &Insight, page: &mut Page) {
    page.text(Tone::Title, &format!("{}: {}", insight.id, insight.description));
    page.field("kind", insight.kind.title());
    page.field("rule", &insight.rule);
    page.field(
        "worded by",
        match insight.worded_by {
            WordedBy::Model => "the model; a program checked what it rests on, not what it says",
            WordedBy::Program => "the program: it says no more than was counted",
        },
    );
    super::said(app, Matter::Insight, insight.id.as_str(), page);
    for support in &insight.supporting {
        page.head(&support.location);
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", support.quote));
    }
    page.head("how new it is");
    claims::why(&insight.explained, 0, page);
}
