//! The gap ledger: what is missing, what was tried, and why it was closed or given up.

use super::super::paint::{Page, Tone, span};
use super::trace;
use crate::time;
use crate::ui::progress::counted;
use elenchus_core::trace::{GapShown, GapStanding, Projection};
use ratatui::text::Line;

fn sign(standing: GapStanding) -> (char, Tone) {
    match standing {
        GapStanding::Open => ('\u{25CB}', Tone::Warn),
        GapStanding::Resolved => ('\u{2713}', Tone::Good),
        GapStanding::Abandoned => ('\u{2717}', Tone::Bad),
    }
}

/// The last round that was judged.
pub(super) fn top(run: &Projection, page: &mut Page) {
    if run.gaps.is_empty() {
        return;
    }
    let count = |standing| run.gaps.iter().filter(|gap| gap.standing == standing).count();
    page.line(vec![
        span(Tone::Good, format!("{} closed", count(GapStanding::Resolved))),
        span(Tone::Plain, ", "),
        span(Tone::Bad, format!("{} given up", count(GapStanding::Abandoned))),
        span(Tone::Plain, ", "),
        span(Tone::Warn, format!("{} open", count(GapStanding::Open))),
        span(Tone::Dim, "   rounds: \u{25AA} tried \u{2713} closed \u{2717} given up"),
    ]);
    if run.is_over() {
        if let Some(stop) = run.stop_reason {
            page.field("the end", stop.sentence());
        }
        return;
    }
    if let Some(round) = run.rounds.iter().rev().find(|round| round.analysis.is_some()) {
        let closed = if round.current_gap_closed { "was closed" } else { "was not closed" };
        page.field(
            &format!("round {}", round.round),
            &format!("the gap that it worked on {closed}"),
        );
    }
    if let Some(next) = run.current_gap() {
        page.field("next", &format!("{} \u{201C}{}\u{201D}", next.gap_id, next.description));
    }
}

pub(super) fn row(run: &Projection, gap: &GapShown, width: usize) -> Line<'static> {
    let (mark, tone) = sign(gap.standing);
    let mut left = vec![
        span(tone, format!("{mark} ")),
        span(Tone::Strong, format!("{:<3} ", gap.gap_id)),
        span(tone, format!("{:<9} ", gap.standing.name())),
    ];
    if width >= 60 {
        // A cell a round, as far as there are rounds.
        let last = run.rounds.last().map_or(0, |round| round.round);
        let cells: String = (1..=last.min(10))
            .map(|number| match gap.rounds.iter().find(|round| round.round == number) {
                None => '\u{00B7}',
                Some(round) if round.after == GapStanding::Open => '\u{25AA}',
                Some(round) => sign(round.after).0,
            })
            .collect();
        left.push(span(Tone::Dim, format!("{cells} ")));
    }
    super::between(left, (Tone::Plain, &gap.description), "", width)
}

pub(super) fn details(run: &Projection, gap: &GapShown, page: &mut Page) {
    let (mark, tone) = sign(gap.standing);
    page.hung(
        tone,
        &format!("{mark} "),
        Tone::Title,
        &format!("{}: {}", gap.gap_id, gap.description),
    );
    let reopened = match gap.reopened {
        0 => String::new(),
        times => format!(", taken up again {}", counted(usize::from(times), "time")),
    };
    page.field(
        "it is",
        &format!(
            "{}, after {} and {}{reopened}",
            gap.standing.name(),
            counted(usize::from(gap.attempts), "round"),
            counted(gap.queries.len(), "query").replace("querys", "queries"),
        ),
    );
    page.field("reason", gap.reason.map_or("", |reason| reason.because()));
    page.field("because", &gap.because);
    let questions: Vec<String> = run
        .questions
        .iter()
        .filter(|one| gap.question_ids.contains(&one.question.id))
        .map(|one| format!("{}. {}", one.question.id, one.question.text))
        .collect();
    page.field("behind it", &questions.join(" "));
    let clock = time::shown(gap.opened.at.0);
    page.field("opened", &format!("event {}, {}", gap.opened.seq, clock.get(11..19).unwrap_or("")));
    for round in &gap.rounds {
        page.head(&format!("round {}: {} after it", round.round, round.after.name()));
        for (at, query) in round.queries.iter().enumerate() {
            let how = round.strategies.get(at).map(|strategy| strategy.name().replace('_', " "));
            let how = how.map(|how| format!(" ({how})")).unwrap_or_default();
            page.item(&format!("{query}{how}"));
        }
        page.field("why these", &round.rationale);
        if round.dropped > 0 {
            page.field("dropped", &format!("{} that had been tried before", round.dropped));
        }
        if let Some(analysis) = run
            .rounds
            .iter()
            .find(|shown| shown.round == round.round)
            .and_then(|shown| shown.analysis.as_ref())
            .filter(|analysis| analysis.next_gap_to_research.as_ref() == Some(&gap.gap_id))
        {
            page.field("chosen for the next round because", &analysis.reasoning);
        }
    }
    if gap.rounds.is_empty() {
        page.text(Tone::Dim, "No round has worked on it yet.");
    }
    if let Some(last) = run.rounds.iter().rev().find(|round| round.gaps.contains(&gap.gap_id)) {
        page.head("the last round that worked on it");
        trace::of_round(run, last, page);
    }
}
