//! The memory: strategies that runs left, what is believed of them, and what a person may do about it.

use super::super::app::App;
use super::super::paint::{Page, Tone, bar, span};
use crate::time;
use crate::ui::progress::counted;
use elenchus_core::bank::{Outcome, Scope, Standing};
use elenchus_core::port::Held;
use ratatui::text::Line;

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    }
}

pub(super) fn top(app: &App, page: &mut Page) {
    let Some((held, stats)) = &app.memories else { return };
    if held.is_empty() {
        return;
    }
    let [votes, shown, used, outcomes] = stats.signals;
    page.text(
        Tone::Dim,
        &format!(
            "{} in use ({} to avoid), {} in quarantine, {} archived; {}, shown {}, used {}, {}",
            stats.active,
            stats.avoid,
            stats.quarantined,
            stats.archived,
            counted(votes as usize, "vote"),
            counted(shown as usize, "time"),
            counted(used as usize, "time"),
            counted(outcomes as usize, "outcome")
        ),
    );
}

pub(super) fn empty(page: &mut Page) {
    page.text(Tone::Plain, "Nothing was learned yet. Runs that are kept leave strategies here, which later runs recall.");
}

pub(super) fn row(held: &Held, width: usize) -> Line<'static> {
    let draft = &held.strategy.draft;
    let (mark, tone) = match (&held.strategy.standing, draft.outcome) {
        (Standing::Archived { .. }, _) => ("archived ", Tone::Dim),
        (Standing::Quarantined { .. }, _) => ("quarantined ", Tone::Warn),
        (Standing::Active, Outcome::Failure) => ("avoid ", Tone::Warn),
        (Standing::Active, Outcome::Success) => ("", Tone::Plain),
    };
    let mut left = vec![
        span(Tone::of(held.confidence), bar(held.confidence, 5)),
        span(Tone::Plain, format!(" {:.2} ", held.confidence)),
    ];
    if width >= 60 {
        left.push(span(Tone::Dim, format!("{:<7} ", scope(draft.scope))));
    }
    left.push(span(Tone::Warn, mark));
    super::between(left, (tone, &draft.title), "", width)
}

pub(super) fn details(app: &App, held: &Held, page: &mut Page) {
    let (strategy, draft) = (&held.strategy, &held.strategy.draft);
    page.text(Tone::Title, &draft.title);
    page.field("id", strategy.id.as_str());
    let follow = if draft.outcome == Outcome::Failure { "to avoid" } else { "to follow" };
    page.field("it is", &format!("{follow}, seen by the {}", scope(draft.scope)));
    page.line(vec![
        span(Tone::of(held.confidence), bar(held.confidence, 20)),
        span(
            Tone::Plain,
            format!(" {:.2} ({:.2} to {:.2})", held.confidence, held.interval.0, held.interval.1),
        ),
    ]);
    let sessions = usize::try_from(held.usage_count).unwrap_or(usize::MAX);
    page.field("shown in", &counted(sessions, "session"));
    if let Standing::Quarantined { reason } | Standing::Archived { reason, .. } = &strategy.standing
    {
        page.field("not recalled because", reason);
    }
    page.gap();
    page.text(Tone::Plain, &draft.description);
    for line in draft.content.lines() {
        page.text(Tone::Plain, line);
    }
    page.gap();
    page.field("tags", &draft.tags.join(", "));
    page.field("learned in", draft.source_session.as_deref().unwrap_or_default());
    page.field(
        "recorded",
        &format!("{} by {}", time::shown(strategy.created_at.0), strategy.actor),
    );
    if let Some((_, why)) = app.why.as_ref().filter(|(id, _)| *id == strategy.id) {
        page.head("why this figure");
        for line in why.lines() {
            page.hung(
                Tone::Plain,
                &" ".repeat(line.len() - line.trim_start().len()),
                Tone::Plain,
                line,
            );
        }
    }
    page.gap();
    let archive =
        if matches!(strategy.standing, Standing::Active) { "archives" } else { "restores" };
    page.text(Tone::Dim, &format!("x {archive} it, w says why the figure"));
}
