//! How sure the answer is: in a line above it, and in full.

use super::super::page::drawer;
use super::super::words::{counted, figure, in_ten};
use super::cards::{Support, entailment, explained, figures, sureness, unsupported};
use super::{Sight, charts};
use elenchus_core::answer::Answer;
use elenchus_core::belief::{Assessment, ConfidenceResult};
use maud::{Markup, html};

/// The line above an answer.
pub(super) fn summary(answer: &Answer) -> Markup {
    let Some(result) = &answer.confidence else {
        return html! {
            p.sureline { "Nothing was verified: every statement is a quote that was found again in its passage, and no more is known of it." }
        };
    };
    html! {
        div class={ "sureline is-" (result.level.word().replace(' ', "-")) } {
            (meter(result))
            p {
                @if result.assessment == Assessment::NotAssessable {
                    strong { "Not assessable" } ": the answer has no statement that could be checked."
                } @else {
                    strong { (capital(result.level.word())) " confidence" } " " span.number { (figure(result.overall_confidence)) } ": "
                    (result.coverage.supported) " of " (counted(result.coverage.checked, "checked statement")) " supported"
                    @if result.coverage.contradicted > 0 { ", " strong { (result.coverage.contradicted) " contradicted" } }
                    @if result.coverage.unchecked > 0 { ", " (result.coverage.unchecked) " not checked" }
                    ". " a href="?view=confidence" { "Why?" }
                }
            }
            @if !result.recommendations.is_empty() {
                ul.advice { @for advice in &result.recommendations { li { span.sign aria-hidden="true" { "\u{26A0}" } " " (advice) } } }
            }
        }
    }
}

/// The level as a row of marks, for the eye; the words stand beside it.
fn meter(result: &ConfidenceResult) -> Markup {
    let full = (result.overall_confidence.clamp(0.0, 1.0) * 10.0).round() as usize;
    html! { span.tenths aria-hidden="true" { @for n in 0..10 { span class=[(n < full).then_some("on")] {} } } }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The whole of it.
pub(super) fn confidence(sight: &Sight<'_>) -> Markup {
    let Some(answer) = sight.shown.answer.as_deref() else {
        return html! {
            section.panel {
                h2 { "Confidence" }
                (stages(sight))
                p.empty { "There are no figures before the answer is checked." }
            }
        };
    };
    let Some(result) = &answer.confidence else {
        return html! { section.panel { h2 { "Confidence" } (summary(answer)) } };
    };
    html! {
        section.panel aria-labelledby="conf-title" {
            h2 #conf-title { "Confidence" }
            (summary(answer))
            (stages(sight))
            (charts::confidence(answer))
        }
        section.panel aria-labelledby="claims-title" {
            h2 #claims-title { "Statement by statement" }
            ol.claimlist {
                @for (at, claim) in answer.claims.iter().enumerate() {
                    li.jk tabindex="-1" id={ "why-" (claim.id) } {
                        p { span class={ "mark " (Support::of(answer, at).class()) } { (Support::of(answer, at).glyph()) " " (Support::of(answer, at).word()) }
                            " " q dir="auto" { (claim.text) } }
                        @if let Some(figures) = figures(answer, claim) {
                            p.sure { (sureness(figures)) " " (unsupported(Some(figures))) }
                            dl.parts {
                                div { dt { "borne out by the best passage" } dd { (figure(figures.entailment_score)) } }
                                div { dt { "word by word" } dd { (figure(figures.su_score)) } }
                                div { dt { "independent sources" } dd { (figures.supporting_sources) } }
                                div { dt { "weighted sum of the method" } dd { (figure(figures.methodology_score)) } }
                            }
                            @if let Some(p) = figures.confidence {
                                p.hint { "Where this was measured, " (in_ten(p)) " statements with such figures held up." }
                            }
                            (drawer(&format!("tree-{}", claim.id), &html! { "Why this number?" }, &explained(&figures.explained)))
                        }
                        @if let Some(found) = entailment(answer, at) { p.hint { (found.reasoning) } }
                    }
                }
            }
        }
        section.panel aria-labelledby="method-title" {
            h2 #method-title { "How the figures come about" }
            p { "The shown figure is calibrated: a map fitted on labelled statements says how often such evidence was right. Beside it stands the weighted sum "
                span.number { (figure(result.methodology.score)) } " = "
                (result.methodology.entailment_weight) " \u{00D7} entailment + " (result.methodology.su_score_weight) " \u{00D7} words + "
                (result.methodology.source_count_weight) " \u{00D7} sources." }
            p { (result.calibration) }
            p { a href="/about#calibration" { "The calibration in full, with its counts" } }
        }
    }
}

/// How far the checking is.
fn stages(sight: &Sight<'_>) -> Markup {
    let scoring = &sight.shown.scoring;
    let steps = [
        ("answer written", scoring.answer_length.map(|n| counted(n as usize, "character"))),
        ("statements taken out", scoring.claims.map(|n| counted(n as usize, "statement"))),
        (
            "held against passages",
            scoring.checked.map(|(yes, no)| format!("{yes} checked, {no} not")),
        ),
        ("word by word", scoring.suscore.map(figure)),
        ("overall", scoring.overall.map(figure)),
    ];
    html! {
        ol.stages {
            @for (name, value) in steps {
                li class=[value.is_some().then_some("done")] {
                    span aria-hidden="true" { @if value.is_some() { "\u{2713}" } @else { "\u{25CB}" } }
                    " " (name) @if let Some(value) = value { ": " strong { (value) } } @else { span.hint { " (to come)" } }
                }
            }
        }
    }
}
