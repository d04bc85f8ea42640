//! The history: runs that the store keeps.

use super::super::app::App;
use super::super::paint::{Page, Tone, span};
use crate::time;
use elenchus_core::port::RunSummary;
use ratatui::text::Line;

fn sign(status: &str) -> (char, Tone) {
    match status {
        "finished" => ('\u{2713}', Tone::Good),
        "failed" => ('\u{2717}', Tone::Bad),
        "running" => ('\u{25CF}', Tone::Title),
        "stopped" => ('\u{2016}', Tone::Warn),
        _ => ('\u{25A0}', Tone::Warn),
    }
}

pub(super) fn row(app: &App, run: &RunSummary, width: usize) -> Line<'static> {
    let (mark, tone) = sign(&run.status);
    let here = app.run.as_ref().is_some_and(|shown| shown.run_id == run.run_id);
    let mut left = vec![
        span(Tone::Title, if here { "\u{25B8}" } else { " " }),
        span(tone, format!("{mark} {:<11} ", run.status)),
    ];
    if width >= 60 {
        let when = time::shown(run.started_at.0);
        left.push(span(Tone::Dim, format!("{} ", when.get(..16).unwrap_or_default())));
    }
    super::between(left, (Tone::Plain, &run.question), "", width)
}

pub(super) fn details(run: &RunSummary, page: &mut Page) {
    let (mark, tone) = sign(&run.status);
    page.text(Tone::Title, &run.question);
    let why = run.stop_reason.as_deref().map(|why| format!(" ({})", why.replace('_', " ")));
    page.hung(
        tone,
        &format!("{mark} "),
        Tone::Plain,
        &format!("{}{}", run.status, why.unwrap_or_default()),
    );
    page.field("run", run.run_id.as_str());
    page.field("started", &time::shown(run.started_at.0));
    page.field("last written", &time::shown(run.updated_at.0));
    page.field("kept", &format!("{} events, {} records", run.events, run.records));
    page.gap();
    page.text(
        Tone::Dim,
        match run.status.as_str() {
            "finished" | "interrupted" | "failed" => "Enter opens it",
            "running" => "Enter opens it; another process drives it",
            _ => "Enter opens it, R goes on with it",
        },
    );
}
