//! How sure the answer is: in a line above it, and in full.

use super::super::page::drawer;
use super::super::words::{counted, figure, in_ten};
use super::cards::{Support, entailment, explained, sureness};
use super::{Sight, charts};
use elenchus_core::answer::{Answer, Claim};
use maud::{Markup, html};

/// The line above an answer.
pub(super) fn summary(answer: &Answer) -> Markup {
    let Some(result) = &answer.confidence else {
        return html! {
            p.sureline { "Nothing was verified: every statement is a quote that was found again in its passage, and no more is known of it." }
        };
    };
    let coverage = answer.coverage();
    let advice = answer.advice();
    html! {
        div class={ "sureline is-" (result.level.word().replace(' ', "-")) } {
            @match answer.overall() {
                None => { p { strong { "Not assessable" } ": no statement answers, or none of those could be checked. " a href="?view=confidence" { "Why?" } } }
                Some((overall, level)) => {
                    (meter(overall))
                    p {
                        strong { (capital(level.word())) " confidence" } " " span.number { (figure(overall)) } ": of what answers, "
                        (coverage.supported) " of " (counted(coverage.checked, "checked statement")) " supported"
                        @if coverage.contradicted > 0 { ", " strong { (coverage.contradicted) " contradicted" } }
                        @if coverage.unchecked > 0 { ", " (coverage.unchecked) " not checked" }
                        ". " a href="?view=confidence" { "Why?" }
                    }
                }
            }
            @if !advice.is_empty() {
                ul.advice { @for one in &advice { li { span.sign aria-hidden="true" { "\u{26A0}" } " " (one) } } }
            }
        }
    }
}

/// What the overall figure is one of: the statements that count for it, and those that stand beside them.
fn of_what(answer: &Answer) -> Markup {
    let counts = answer.counted_claims();
    let figure_of = |claim: &Claim| answer.shown_figures(claim).and_then(|one| one.confidence);
    let name = |claim: &Claim| html! { a href={ "#why-" (claim.id) } { (claim.id) } };
    let claims = || answer.claims.iter().enumerate();
    html! {
        @if counts.is_empty() {
            p { "Of nothing: no statement answers the question." }
        } @else {
            p { "It is the mean of the figures of the statements that answer, or that give another value"
                @if answer.revision.is_some() { "; what was done about a critique can only lower it" } ":" }
            ul { @for (_, claim) in claims().filter(|(at, _)| counts.contains(at)) {
                li { (name(claim)) ": " @match figure_of(claim) { Some(p) => { span.number { (figure(p)) } } None => { "not checked, and not in the mean" } } }
            } }
        }
        @if counts.len() < answer.claims.len() {
            p { "What stands beside them was checked as well and counts for nothing:" }
            ul { @for (_, claim) in claims().filter(|(at, _)| !counts.contains(at)) {
                li { (name(claim)) ": " (answer.beside(claim)) }
            } }
        }
    }
}

/// The level as a row of marks, for the eye; the words stand beside it.
fn meter(overall: f64) -> Markup {
    let full = (overall.clamp(0.0, 1.0) * 10.0).round() as usize;
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
            (drawer("why-overall", &html! { "What is this a figure of?" }, &of_what(answer)))
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
                        (sureness(answer, at))
                        @if let Some(figures) = answer.shown_figures(claim) {
                            dl.parts {
                                div { dt { "borne out by the best passage" } dd { (figure(figures.entailment_score)) } }
                                div { dt { "word by word" } dd { (figure(figures.su_score)) } }
                                div { dt { "independent sources" } dd { (figures.supporting_sources) } }
                                div { dt { "weighted sum of the method" } dd { (figure(figures.methodology_score)) } }
                            }
                            @if let Some(p) = figures.confidence.filter(|_| figures.calibrated.is_some()) {
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
            p {
                @if result.claim_confidences.iter().any(|claim| claim.calibrated.is_some()) {
                    "The shown figure is calibrated: a map fitted on labelled statements says how often such evidence was right. Beside it stands the weighted sum "
                } @else {
                    "The shown figure is not calibrated: it is the weighted sum of the method, "
                }
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
    let is_checked = sight.shown.answer.as_ref().is_some_and(|answer| answer.confidence.is_some());
    let none = || is_checked.then(|| "none".to_owned());
    let steps = [
        ("answer written", scoring.answer_length.map(|n| counted(n as usize, "character"))),
        ("statements taken out", scoring.claims.map(|n| counted(n as usize, "statement"))),
        (
            "held against passages",
            scoring.checked.map(|(yes, no)| format!("{yes} checked, {no} not")),
        ),
        ("word by word", scoring.suscore.map(figure)),
        ("overall", scoring.overall.map(figure).or_else(none)),
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
