//! What stands below an answer and is never hidden: where sources disagree, what is out of date, what could not be established.

use super::super::words::{counted, figure, visible};
use super::cards::{quote, warned};
use super::{Sight, sources};
use elenchus_core::answer::{Answer, Side};
use elenchus_core::id::ClaimId;
use maud::{Markup, html};

pub(super) fn beside(sight: &Sight<'_>) -> Markup {
    let Some(answer) = sight.shown.answer.as_deref() else { return html! {} };
    html! {
        (disagreements(sight, answer))
        (superseded(answer))
        (missing(sight, answer))
        (warnings(answer))
        section.panel aria-labelledby="sources-title" {
            h2 #sources-title { "Sources" }
            (sources::cited(sight, answer))
        }
        @if !answer.next_steps.is_empty() {
            section.panel aria-labelledby="next-title" {
                h2 #next-title { "Next steps" }
                ul { @for step in &answer.next_steps { li { (step) } } }
            }
        }
        @if !sight.shown.audit.is_empty() {
            section.panel aria-labelledby="audit-title" {
                h2 #audit-title { "What the audit noticed" }
                ul { @for note in &sight.shown.audit { li { code { (note.at) } " " (note.text) } } }
            }
        }
        p.ways { a href=(sight.under("?view=cost")) { "What it cost, and what left this machine" } " \u{00B7} "
            a href=(sight.under("?view=trace")) { (counted(sight.shown.steps.len(), "step")) " of reasoning" } }
    }
}

fn named(answer: &Answer, id: &ClaimId) -> Markup {
    html! {
        a href={ "#card-" (id) } { (id) }
        @if let Some(claim) = answer.claims.iter().find(|claim| claim.id == *id) { " \u{201C}" span dir="auto" { (claim.text) } "\u{201D}" }
    }
}

fn side(side: &Side) -> Markup {
    html! {
        figure.quote {
            blockquote dir="auto" { (visible(&side.quote)) }
            figcaption { (visible(&side.location)) }
        }
    }
}

fn disagreements(sight: &Sight<'_>, answer: &Answer) -> Markup {
    let nothing = answer.conflicts.is_empty()
        && answer.disagreements.is_empty()
        && answer.tensions.is_empty();
    html! {
        section.panel aria-labelledby="conflicts-title" {
            h2 #conflicts-title { span.sign aria-hidden="true" { "\u{2260}" } "Where sources disagree" }
            @if nothing { p.hint { "Nothing that was read contradicts what the answer rests on." } }
            @for conflict in &answer.conflicts {
                div.item {
                    p { "To planned question " (conflict.question_id) " the sources give more than one answer:" }
                    ul { @for claim in &conflict.claims { li { (named(answer, claim)) } } }
                }
            }
            @for found in &answer.disagreements {
                div.item {
                    p { strong { (found.summary) } }
                    div.sides { @for one in &found.sides { (side(one)) } }
                    @if !found.why.is_empty() { ul.hint { @for why in &found.why { li { (why.reason) } } } }
                }
            }
            @for tension in &answer.tensions {
                div.item {
                    p { strong { "A known tension: " } (tension.summary) " " span.hint { "(mostly raised from the " (tension.perspective) " side)" } }
                    div.sides { @for one in &tension.sides { (side(one)) } }
                }
            }
            @for found in sight.shown.contradictions.iter().take(20) {
                p.hint { (found.summary) " " a href=(sight.step(found.moment.seq)) { "step " (found.moment.seq) } }
            }
        }
    }
}

/// Fallacies in what the answer quotes, and in what a model wrote for it.
fn warnings(answer: &Answer) -> Markup {
    html! {
        @if !answer.fallacy_warnings.is_empty() {
            section.panel aria-labelledby="warnings-title" {
                h2 #warnings-title { "Warnings about the reasoning" }
                p.hint { "No verdicts: each names words that may commit a fallacy, and a question that would tell." }
                @for warning in &answer.fallacy_warnings {
                    div.item {
                        (warned(warning))
                        p.hint { "Probability " (figure(warning.probability)) ": " (visible(&warning.because)) "."
                            @if let Some(claim) = warning.claim() { " About " a href={ "#card-" (claim) } { (claim) } "." } }
                    }
                }
            }
        }
    }
}

fn superseded(answer: &Answer) -> Markup {
    html! {
        @if !answer.superseded.is_empty() {
            section.panel aria-labelledby="old-title" {
                h2 #old-title { "Superseded" }
                ul { @for old in &answer.superseded {
                    li { (named(answer, &old.claim))
                        @if let Some(by) = &old.by { " was replaced by " (named(answer, by)) } }
                } }
            }
        }
    }
}

fn missing(sight: &Sight<'_>, answer: &Answer) -> Markup {
    html! {
        section.panel aria-labelledby="missing-title" {
            h2 #missing-title { span.sign aria-hidden="true" { "\u{25CB}" } "What could not be established" }
            @if answer.could_not_establish.is_empty() { p.hint { "Nothing that was looked for stayed open." } }
            @for gap in &answer.could_not_establish {
                div.item {
                    p { strong { (gap.description) } }
                    p { "Given up after " (counted(usize::from(gap.attempts), "round")) ": " (gap.reason.with(gap.cause.as_deref())) ". "
                        a href=(sight.under(&format!("?view=gaps#{}", gap.gap_id))) { "The ledger of " (gap.gap_id) } }
                    @if !gap.queries.is_empty() {
                        p.hint { "Searched for: " @for (at, query) in gap.queries.iter().enumerate() { @if at > 0 { "; " } q { (query) } } "." }
                    }
                    @for near in &gap.nearest {
                        @if let Some(claim) = answer.claims.iter().find(|claim| claim.id == *near) {
                            p.label { "What came nearest:" }
                            @for evidence in claim.evidence.iter().filter_map(|at| answer.evidence.get(*at)) { (quote(sight, evidence)) }
                        }
                    }
                }
            }
        }
    }
}
