//! What speaks against the answer, and what was done about it: findings, challenges, the two versions side by side.

use super::super::page::drawer;
use super::super::words::{figure, plain, visible};
use super::Sight;
use super::cards::explained;
use elenchus_core::id::ClaimId;
use elenchus_core::scrutiny::critique::{Critique, Finding, FindingKind, FoundBy};
use elenchus_core::scrutiny::revision::{Fate, Revision, Version};
use maud::{Markup, html};

pub(super) fn critique(sight: &Sight<'_>) -> Markup {
    let shown = sight.shown;
    let is_measured = shown.options.measured_critique == Some(true);
    html! {
        section.panel aria-labelledby="critique-title" {
            h2 #critique-title { "Critique" }
            @match shown.critique.as_deref() {
                None => { p.empty { @if shown.is_over() { "Nobody criticised this answer." @if is_measured { " No model was asked, and nothing that the program measured speaks against it." } } @else { "The answer is criticised once it was checked." } } }
                Some(critique) => { (found(sight, critique)) }
            }
        }
        @if let Some(revision) = shown.answer.as_ref().and_then(|answer| answer.revision.as_deref()) { (revised(revision)) }
        @else if let Some(revision) = &shown.revision { section.panel { h2 { "Revision" } p { (revision.explanation) } } }
    }
}

fn found(sight: &Sight<'_>, critique: &Critique) -> Markup {
    let fallacies: Vec<&Finding> =
        critique.findings.iter().filter(|one| one.kind == FindingKind::Fallacy).collect();
    html! {
        @if let (Some(quality), Some(grade)) = (critique.quality, critique.grade) {
            p.grade { strong { (grade.name()) } " " span.number { (quality) " of 100" } " " span.hint { "how much was found against it, not how true it is" } }
            meter.credence min="0" max="100" low="50" high="80" optimum="100" value=(quality) aria-label="Quality" { (quality) }
        }
        @if let (Some(quality), true) = (critique.quality, critique.is_measured()) {
            p.grade { span.number { (quality) " of 100" } " " span.hint { "how much was measured against it, not how true it is" } }
            meter.credence min="0" max="100" low="50" high="80" optimum="100" value=(quality) aria-label="Score" { (quality) }
        }
        @if critique.is_only_of_challenges() {
            p { "Nobody was asked what speaks against this answer. Steps of it were challenged, and the program answered that; nothing is graded." }
        } @else {
            p.hint { @match &critique.critic { Some(model) => { "Asked: " (model) ", and the program itself." } None => { "The program itself looked; no model was asked." } } }
            @if critique.findings.is_empty() { p { "Nothing was found against it." } }
        }
        @if !fallacies.is_empty() {
            h3 { span.sign aria-hidden="true" { "\u{26A0}" } "Warnings of fallacies" }
            ul.findings { @for one in fallacies { (finding(sight, one)) } }
        }
        @if critique.findings.iter().any(|one| one.kind != FindingKind::Fallacy) {
            h3 { "Findings" }
            ul.findings { @for one in critique.findings.iter().filter(|one| one.kind != FindingKind::Fallacy) { (finding(sight, one)) } }
        }
        @if !critique.bias.is_empty() {
            h3 { "Which side the cited evidence is on" }
            dl.inputs { @for (side, share) in &critique.bias { div { dt { (side) } dd { (figure(*share)) } } } }
        }
        @if let Some(leans) = &critique.leans { p { strong { "It leans: " } (visible(leans)) } }
        @if !critique.alternatives.is_empty() {
            h3 { "Other readings" }
            ul { @for one in &critique.alternatives { li { (visible(one)) } } }
        }
        @if !critique.challenges.is_empty() {
            h3 { "Your challenges" }
            ul { @for answered in &critique.challenges { li {
                p { "Step " (answered.challenge.event_id) ": " q { (answered.challenge.text) } " " span.badge { (answered.ruling.name()) } }
                @if let Some(step) = &answered.challenge.step { p.hint { (visible(step)) } }
                @if let Some(reply) = &answered.reply { p { (visible(reply)) } }
            } } }
        }
        @if let Some(tree) = &critique.explained { (drawer("why-quality", &html! { "Why this number?" }, &explained(tree))) }
    }
}

fn finding(sight: &Sight<'_>, one: &Finding) -> Markup {
    html! {
        li.jk.fallacy[one.kind == FindingKind::Fallacy] id={ "finding-" (one.id) } tabindex="-1" {
            p { code { (one.id) } " " strong { (one.kind.name()) } " " span.tool { (one.severity.name()) } " "
                span.hint { @match one.by { FoundBy::Code => "found by the program", FoundBy::Model => "found by a model" } } }
            p { (visible(&one.text)) }
            @if let Some(words) = &one.words { p { mark { (visible(words)) } } }
            @if let Some(claim) = &one.claim_id { p.ways { "about " (pointed(sight, one, claim)) } }
            @if let Some(measured) = &one.measured {
                @if !measured.claims.is_empty() { p.ways { "and about " @for (at, claim) in measured.claims.iter().enumerate() {
                    @if at > 0 { ", " }
                    a href=(sight.under(&format!("?view=answer#card-{claim}"))) { (claim) }
                } } }
                p.hint { "Measured: " (visible(&measured.datum)) }
                p { strong { "What you can do: " } (visible(&measured.next_step)) }
            }
            @if !one.queries.is_empty() { p.hint { "Would be searched: " (one.queries.join("; ")) } }
        }
    }
}

/// The statement that a finding is about, as the answer that is given has it.
fn pointed(sight: &Sight<'_>, one: &Finding, claim: &ClaimId) -> Markup {
    let answer = sight.shown.answer.as_deref();
    html! {
        @match answer.map(|answer| answer.pointed_at(one)) {
            None => { (claim) }
            Some(None) => { (claim) " of the original, which the revision left out" }
            Some(Some(now)) => {
                a href=(sight.under(&format!("?view=answer#card-{now}"))) { (now) }
                @if now != claim { span.hint { " (" (claim) " of the original)" } }
            }
        }
    }
}

fn revised(revision: &Revision) -> Markup {
    html! {
        section.panel aria-labelledby="rev-title" {
            h2 #rev-title { "Revision" }
            p { strong { @if revision.kept { "The revised answer is given. " } @else { "The original answer stands. " } } (visible(&revision.explanation)) }
            div.scroll tabindex="0" role="region" aria-label="What became of each statement" {
                table.diff {
                    thead { tr { th scope="col" { "Original" } th scope="col" { "What became of it" } th scope="col" { "Revised" } } }
                    tbody { @for change in &revision.changes {
                        tr class={ "fate-" (change.fate.name()) } {
                            td { @if change.before.is_some() { @if change.fate == Fate::Dropped { del { (visible(&change.text)) } } @else { (visible(&change.text)) } br; span.hint { (change.from.as_deref().unwrap_or_default()) } } }
                            td { span aria-hidden="true" { (sign(change.fate)) } " " (change.fate.name()) }
                            td { @if change.after.is_some() { @if change.fate == Fate::Added { ins { (visible(&change.text)) } } @else { (visible(&change.text)) } br; span.hint { (change.to.as_deref().unwrap_or_default()) } } }
                        }
                    } }
                }
            }
            @if !revision.patches.is_empty() {
                h3 { "Patches" }
                ul { @for tried in &revision.patches { li {
                    "for finding " a href={ "#finding-" (tried.patch.finding) } { (tried.patch.finding) } ": " (patch(&tried.patch.op))
                    @match &tried.dropped { Some(why) => { ", not applied: " (why) } None => { ", applied" } }
                } } }
            }
            div.two {
                (version("Original", &revision.original))
                (version("Revised", &revision.revised))
            }
        }
    }
}

fn patch(op: &elenchus_core::scrutiny::revision::PatchOp) -> String {
    let told = serde_json::to_value(op).unwrap_or_default();
    let fields = told.as_object().into_iter().flatten().map(|(key, value)| match value.as_str() {
        Some(text) if key == "op" => plain(text),
        Some(text) => format!("{} {text}", plain(key)),
        None => format!("{} {value}", plain(key)),
    });
    fields.collect::<Vec<_>>().join(", ")
}

fn sign(fate: Fate) -> &'static str {
    match fate {
        Fate::Kept => "=",
        Fate::Moved => "\u{21C5}",
        Fate::Dropped => "\u{2212}",
        Fate::Added => "+",
    }
}

fn version(name: &str, version: &Version) -> Markup {
    html! {
        div.version {
            h3 { (name) }
            p.hint {
                @if let Some(quality) = version.quality { "quality " (quality) " of 100" }
                @if let Some(confidence) = version.confidence { ", confidence " (figure(confidence)) }
            }
            (drawer(&format!("version-{name}"), &html! { "Its text" }, &html! { pre.prosepre tabindex="0" { (visible(&version.text)) } }))
        }
    }
}
