//! The answer: its text with the statements marked, and a card for each beside it.

use super::cards::{Support, card};
use super::confidence::summary;
use super::{Sight, text};
use elenchus_core::answer::Answer;
use elenchus_core::trace::RunStatus;
use maud::{Markup, html};

pub(super) fn answer(sight: &Sight<'_>) -> Markup {
    let Some(answer) = sight.shown.answer.as_deref() else {
        return html! {
            @if sight.shown.status == RunStatus::Failed {
                section.empty { h2 { "There is no answer" } p { "The run failed before it could write one. What it had done stands in the trace." } }
            }
        };
    };
    html! {
        @for said in &answer.clarified {
            p.note { "You said: " strong { (said.answer) } " " span.hint { "(asked: " (said.question) ")" } }
        }
        (summary(answer))
        div.reading {
            section.answer aria-labelledby="answer-title" {
                div.titled {
                    h2 #answer-title { "Answer" }
                    button.quiet.small type="button" data-marks hidden aria-pressed="true" { "Show support" }
                }
                div.prose { (text::blocks(answer, &answer.text, 0)) }
                (legend(answer))
            }
            aside.cards aria-label="What each statement rests on" {
                @for at in 0..answer.claims.len() { (card(sight, answer, at)) }
            }
        }
    }
}

/// What the lines and signs mean, with how many statements have each.
fn legend(answer: &Answer) -> Markup {
    let all = [Support::Supported, Support::Unsupported, Support::Contradicted, Support::Unchecked];
    let count = |support: Support| {
        (0..answer.claims.len()).filter(|at| Support::of(answer, *at) == support).count()
    };
    html! {
        @if !answer.claims.is_empty() {
            ul.legend aria-label="Support of the statements" {
                @for support in all {
                    @if count(support) > 0 {
                        li { span class={ "claim " (support.class()) } { (support.glyph()) " " (support.word()) } " " (count(support)) }
                    }
                }
            }
        }
    }
}
