//! Explanations that compete: how much each is believed, and what moved that.

use super::super::paint::{Page, Tone, bar, span, sparkline};
use elenchus_core::belief::HypothesisEvidence;
use elenchus_core::trace::{HypothesisShown, Projection};
use ratatui::text::Line;

fn course(one: &HypothesisShown) -> Vec<f64> {
    std::iter::once(one.begun_at).chain(one.moves.iter().map(|moved| moved.after)).collect()
}

fn sign(status: &str) -> (char, Tone) {
    match status {
        "confirmed" => ('\u{2713}', Tone::Good),
        "refuted" => ('\u{2717}', Tone::Bad),
        "dropped" => ('\u{2212}', Tone::Dim),
        _ => ('?', Tone::Warn),
    }
}

pub(super) fn row(one: &HypothesisShown, width: usize) -> Line<'static> {
    let (mark, tone) = sign(one.status);
    let mut left = vec![
        span(tone, format!("{mark} ")),
        span(Tone::Strong, format!("{:<3} ", one.id)),
        span(Tone::of(one.confidence), bar(one.confidence, if width < 60 { 5 } else { 10 })),
        span(Tone::Plain, format!(" {:.2} ", one.confidence)),
    ];
    if width >= 60 {
        left.push(span(Tone::Title, format!("{:<6} ", sparkline(&course(one), 6))));
        left.push(span(Tone::Plain, format!("+{} \u{2212}{} ", one.supporting, one.contradicting)));
        left.push(span(tone, format!("{:<9} ", one.status)));
    }
    super::between(left, (Tone::Plain, &one.claim), "", width)
}

/// Quotes told of a side.
const QUOTES: usize = 5;

fn side(name: &str, evidence: &[HypothesisEvidence], page: &mut Page) {
    for one in evidence.iter().take(QUOTES) {
        page.head(&format!("{name} ({:+.2} log-odds): {}", one.log_odds, one.evidence.location));
        page.text(Tone::Plain, &format!("\u{201C}{}\u{201D}", one.evidence.relevant_text));
    }
    if evidence.len() > QUOTES {
        page.text(Tone::Dim, &format!("and {} more", evidence.len() - QUOTES));
    }
}

pub(super) fn details(run: &Projection, one: &HypothesisShown, page: &mut Page) {
    let (mark, tone) = sign(one.status);
    page.hung(tone, &format!("{mark} "), Tone::Title, &format!("{}: {}", one.id, one.claim));
    page.line(vec![
        span(Tone::of(one.confidence), bar(one.confidence, 20)),
        span(Tone::Plain, format!(" {:.2}, {}", one.confidence, one.status)),
    ]);
    page.field(
        "at first",
        &format!("held {} before any evidence, which is {:.2}", one.prior.name(), one.begun_at),
    );
    page.field(
        "evidence",
        &format!("{} passages for it, {} against it", one.supporting, one.contradicting),
    );
    if one.supporting == 0 && one.contradicting == 0 {
        page.text(
            Tone::Dim,
            "No passage that was read speaks for it or against it: the figure is what it was held before any evidence.",
        );
    }
    if one.moves.is_empty() {
        page.text(Tone::Dim, "Nothing has been held against it yet.");
    } else {
        page.field("course", &sparkline(&course(one), page.width().saturating_sub(10)));
    }
    for moved in &one.moves {
        let way = if moved.after > moved.before {
            "\u{25B2}"
        } else if moved.after < moved.before {
            "\u{25BC}"
        } else {
            "="
        };
        page.head(&format!(
            "round {} {way} {:.2} to {:.2} (event {})",
            moved.round, moved.before, moved.after, moved.moment.seq
        ));
        let ids = |ids: &[elenchus_core::id::PassageId]| {
            ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        page.field("for it", &ids(&moved.evidence_for));
        page.field("against it", &ids(&moved.evidence_against));
        page.field("searched for", &moved.queries.join(" | "));
    }
    // The answer has the words of what speaks for and against it.
    let mut explanations = run.answer.iter().flat_map(|answer| &answer.hypotheses);
    if let Some(full) = explanations.find(|full| full.id == one.id) {
        side("for it", &full.supporting, page);
        side("against it", &full.contradicting, page);
        for warning in &full.fallacy_warnings {
            page.field("its wording may commit", warning);
        }
        if !full.outlook.is_empty() {
            page.head("what would change this");
            for outlook in &full.outlook {
                page.item(&outlook.words);
            }
        }
    }
}
