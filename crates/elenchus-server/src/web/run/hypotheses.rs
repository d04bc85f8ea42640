//! The hypothesis board: explanations that compete, what speaks for and against each, and what moved them.

use super::super::page::drawer;
use super::super::words::{counted, encoded, figure, visible};
use super::cards::explained;
use super::{Asked, Sight, charts};
use elenchus_core::belief::{Hypothesis, HypothesisEvidence};
use elenchus_core::trace::HypothesisShown;
use maud::{Markup, html};

fn sign(status: &str) -> &'static str {
    match status {
        "confirmed" => "\u{2713}",
        "refuted" => "\u{2717}",
        "dropped" => "\u{2212}",
        _ => "\u{25CB}",
    }
}

pub(super) fn hypotheses(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    let mut ranked: Vec<&HypothesisShown> = shown.hypotheses.iter().collect();
    ranked.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let details = |id: &str| {
        let answer = shown.answer.as_ref()?;
        answer.hypotheses.iter().find(|one| one.id.as_str() == id)
    };
    html! {
        section.panel aria-labelledby="board-title" {
            h2 #board-title { "Hypotheses" }
            @if ranked.is_empty() {
                p.empty { "No explanations were named. They are where a language model is set up and the question asks why or whether; or give your own when you ask." }
            } @else {
                p.hint { "Each has a credence of its own: they need not add up to one, since two may hold together, or none." }
                div.board { @for one in &ranked { (card(sight, one, details(one.id.as_str()))) } }
            }
        }
        div.pair {
        @if !ranked.is_empty() {
            section.panel aria-labelledby="belief-title" {
                h2 #belief-title { "Belief over the evidence" }
                nav.switch aria-label="Scale" {
                    a href=(sight.under("?view=hypotheses")) aria-current=[(!asked.log_odds).then_some("true")] { "Credence" }
                    a href=(sight.under("?view=hypotheses&scale=log-odds")) aria-current=[asked.log_odds.then_some("true")] { "Log-odds" }
                }
                (charts::credences(sight, asked.log_odds))
                (biggest(shown.answer.as_ref().map_or(&[][..], |answer| &answer.hypotheses)))
            }
        }
        (own(sight))
        }
    }
}

fn card(sight: &Sight<'_>, one: &HypothesisShown, full: Option<&Hypothesis>) -> Markup {
    html! {
        article class={ "hypothesis jk is-" (one.status) } id=(one.id) tabindex="-1" {
            h3 { code { (one.id) } " " (one.claim) }
            p {
                span class={ "standing is-" (one.status) } { span aria-hidden="true" { (sign(one.status)) } " " (one.status) }
                " " span.number { (figure(one.confidence)) }
                " " span.hint { "from " (figure(one.begun_at)) ", held " (one.prior.name()) " before any evidence" }
            }
            meter.credence min="0" max="1" low="0.15" high="0.85" optimum="1" value=(figure(one.confidence)) aria-label={ "Credence of " (one.id) } { (figure(one.confidence)) }
            p.balance {
                span.for { strong { (one.supporting) } " for" } span.against { strong { (one.contradicting) } " against" }
                span.hint { (counted(one.moves.len(), "test")) }
                @if one.moves.len() > 1 {
                    (charts::sparkline(one.id.as_str(), &std::iter::once(one.begun_at).chain(one.moves.iter().map(|moved| moved.after)).collect::<Vec<_>>()))
                }
            }
            @if one.supporting == 0 && one.contradicting == 0 {
                p.hint { "No passage that was read speaks for it or against it: the figure is what it was held before any evidence." }
            }
            @if let Some(full) = full {
                @for warning in &full.fallacy_warnings { p.fallacy { span.sign aria-hidden="true" { "\u{26A0}" } " its wording commits: " (warning) } }
                @if !full.supporting.is_empty() || !full.contradicting.is_empty() {
                    (drawer(&format!("ev-{}", one.id), &html! { "Evidence" }, &html! {
                        (evidence("For", &full.supporting)) (evidence("Against", &full.contradicting))
                        p.hint { (full.independent_supporting) " independent for, " (full.independent_contradicting) " against, " (full.silent) " silent, " (full.unchecked) " not judged" }
                    }))
                }
                (drawer(&format!("why-{}", one.id), &html! { "Why this number?" }, &html! {
                    @if !full.outlook.is_empty() { ul { @for outlook in &full.outlook { li { (outlook.words) } } } }
                    @if !full.perspective_scores.is_empty() {
                        dl.inputs { @for (lens, score) in &full.perspective_scores { div { dt { (lens) } dd { (figure(*score)) } } } }
                    }
                    (explained(&full.explained))
                }))
            }
            @if !one.moves.is_empty() {
                (drawer(&format!("tests-{}", one.id), &html! { "Tests" }, &html! {
                    ol { @for moved in &one.moves { li {
                        "round " (moved.round) ": " (figure(moved.before)) " \u{2192} " strong { (figure(moved.after)) } ", "
                        (moved.evidence_for.len()) " for, " (moved.evidence_against.len()) " against "
                        a href=(sight.step(moved.moment.seq)) { "step " (moved.moment.seq) }
                        @if !moved.queries.is_empty() { br; span.hint { @for (at, query) in moved.queries.iter().enumerate() { @if at > 0 { "; " } q { (query) } } } }
                    } } }
                }))
            }
            @if !sight.shown.is_over() && one.status != "dropped" {
                form.bar method="post" action=(sight.under("/control")) {
                    input type="hidden" name="control" value="drop_hypothesis";
                    input type="hidden" name="id" value=(one.id);
                    input type="hidden" name="back" value="?view=hypotheses";
                    label { span.sr { "Why " (one.id) " is dropped" } input type="text" name="reason" maxlength="300" placeholder="why"; }
                    button { "Drop " (one.id) }
                }
            }
            form method="post" action=(sight.under(&format!("/hypotheses/{}/test", encoded(one.id.as_str())))) {
                button { "Test " (one.id) " again" span.sr { " in a run of its own" } }
            }
        }
    }
}

fn evidence(title: &str, all: &[HypothesisEvidence]) -> Markup {
    html! {
        @if !all.is_empty() {
            h4 { (title) }
            ul { @for one in all.iter().take(20) { li {
                q dir="auto" { (visible(&one.evidence.relevant_text)) } " " span.hint { (visible(&one.evidence.location)) ", " (format!("{:+.2}", one.log_odds)) " log-odds" }
            } } }
        }
    }
}

/// Which item of evidence moved belief most.
fn biggest(all: &[Hypothesis]) -> Markup {
    let moves = all.iter().flat_map(|one| one.history.iter().map(move |moved| (one, moved)));
    // The first of equals, which the chart names as well.
    let most = moves.rev().max_by(|a, b| a.1.log_odds.abs().total_cmp(&b.1.log_odds.abs()));
    html! {
        @if let Some((one, moved)) = most {
            p { strong { "What moved belief most: " } (visible(&moved.location)) " moved " code { (one.id) } " from " (figure(moved.before)) " to " (figure(moved.after)) " in round " (moved.round) "." }
        }
    }
}

/// An explanation of the reader's own.
fn own(sight: &Sight<'_>) -> Markup {
    html! {
        section.panel aria-labelledby="own-title" {
            h2 #own-title { "Test an explanation of your own" }
            form.stack method="post" action=(sight.under("/hypotheses")) {
                label { "In a sentence" input type="text" name="claim" required maxlength="300"; }
                button { "Test it in a linked run" }
            }
        }
    }
}
