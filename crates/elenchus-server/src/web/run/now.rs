//! What happens at this moment, while there is no answer yet.

use super::super::words::counted;
use super::{Sight, steps};
use elenchus_core::trace::{GapStanding, StepKind};
use maud::{Markup, html};

/// Steps that are shown of what has just happened.
const LATEST: usize = 8;

pub(super) fn tick(answered: bool) -> Markup {
    html! {
        @if answered { span.tick { span aria-hidden="true" { "\u{2713}" } span.sr { "answered: " } } }
        @else { span.tick.open { span aria-hidden="true" { "\u{25CB}" } span.sr { "open: " } } }
    }
}

pub(super) fn now(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    if shown.answer.is_some() || shown.is_over() {
        return html! {};
    }
    let telling = |kind: StepKind| !matches!(kind, StepKind::Budget | StepKind::Source);
    let latest: Vec<_> =
        shown.steps.iter().rev().filter(|step| telling(step.kind)).take(LATEST).collect();
    let open = shown.gaps.iter().filter(|gap| gap.standing == GapStanding::Open);
    html! {
        section.now aria-labelledby="now-title" {
            h2 #now-title { "What it does now" }
            p.counts {
                (counted(shown.rounds.len(), "round")) " begun \u{00B7} "
                (counted(shown.spent.searches as usize, "search")) " \u{00B7} "
                (counted(shown.spent.passages as usize, "passage")) " read \u{00B7} "
                (counted(shown.facts.0 as usize, "quote")) " held, " (shown.facts.1) " refused"
            }
            div.two {
                div {
                    h3 { "The latest steps" }
                    ol.feed reversed { @for step in &latest { li { (steps::line(sight, step)) } } }
                }
                div {
                    @if !shown.questions.is_empty() {
                        h3 { "Planned questions" }
                        ol.plan { @for one in &shown.questions { li { (tick(one.answered)) " " (one.question.text) } } }
                    }
                    h3 { "Open gaps" }
                    ul.plan {
                        @for gap in open { li { code { (gap.gap_id) } " " (gap.description) } }
                        @if shown.open_gaps() == 0 { li.hint { "None is open." } }
                    }
                }
            }
        }
    }
}
