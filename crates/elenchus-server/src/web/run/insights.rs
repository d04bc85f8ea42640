//! The feed of insights: what stands out, how new it is, what it rests on, and what was made of it.

use super::super::page::drawer;
use super::super::words::{clock, encoded, figure, visible};
use super::cards::{explained, noting};
use super::{Asked, Sight, charts};
use elenchus_core::prompt::InsightKind;
use elenchus_core::synthesis::insight::{Insight, InsightFeedback, WordedBy};
use elenchus_core::trace::{Step, StepKind};
use maud::{Markup, html};

pub(super) fn insights(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    let wanted =
        |one: &&Insight| asked.insight.as_deref().is_none_or(|name| name == one.kind.name());
    let found: Vec<&Insight> = shown.insights.iter().filter(wanted).collect();
    html! {
        section.panel aria-labelledby="insights-title" {
            h2 #insights-title { "Insights" }
            @if shown.insights.is_empty() {
                p.empty { "Nothing stood out. Insights are connections that several sources make and that were rarely made before; asking for them can be switched on with the question." }
            } @else {
                nav.switch aria-label="Types of insights" {
                    a href=(sight.under("?view=insights")) aria-current=[asked.insight.is_none().then_some("true")] { "All " (shown.insights.len()) }
                    @for kind in InsightKind::ALL {
                        @let n = shown.insights.iter().filter(|one| one.kind == kind).count();
                        @if n > 0 {
                            a href=(sight.under(&format!("?view=insights&insight={}", kind.name()))) aria-current=[(asked.insight.as_deref() == Some(kind.name())).then_some("true")] { (kind.title()) " " (n) }
                        }
                    }
                }
                (charts::insights(sight, &found))
                ol.feed.big { @for one in found { (insight(sight, asked, one)) } }
            }
        }
    }
}

fn insight(sight: &Sight<'_>, asked: &Asked, one: &Insight) -> Markup {
    let said = sight.feedback.get(one.id.as_str()).copied();
    let step = noticed_in(sight, one);
    let exports = exports_of(sight, one);
    html! {
        li.jk.insight id=(one.id) tabindex="-1" {
            p.line {
                span.kind.k-insight { span.sign aria-hidden="true" { "*" } " " (one.kind.title()) }
                " " span.tool { "novelty " (figure(one.novelty)) }
                " " span.hint { @match one.worded_by { WordedBy::Model => "in a model's words", WordedBy::Program => "as counted" } }
                @if let Some(step) = step { " " a.small href=(sight.step(step.seq)) { "step " (step.seq) } " " span.hint { (clock(step.at)) } }
                @if !exports.is_empty() { " " span.badge { span.sign aria-hidden="true" { "\u{2197}" } "ended in an export (" (exports.join(", ")) ")" } }
            }
            p.says dir="auto" { (visible(&one.description)) }
            p.hint { (one.rule) }
            (drawer(&format!("in-{}", one.id), &html! { "What it rests on (" (one.supporting.len()) ")" }, &html! {
                @for support in &one.supporting {
                    figure.quote { blockquote dir="auto" { (visible(&support.quote)) } figcaption { (visible(&support.location)) } }
                }
            }))
            (drawer(&format!("nov-{}", one.id), &html! { "Why this novelty?" }, &explained(&one.explained)))
            form.bar method="post" action=(sight.under(&format!("/insights/{}/feedback", encoded(one.id.as_str())))) {
                input type="hidden" name="back" value=(asked.query());
                (choice(said, InsightFeedback::Useful, "Useful"))
                (choice(said, InsightFeedback::NotUseful, "Not useful"))
                (choice(said, InsightFeedback::Saved, "Save to notes"))
                @if said.is_some() { button.quiet name="feedback" value="forget" { "Undo" span.sr { ": what was said of " (one.id) } } }
                button.quiet type="button" data-copy=(sight.under(&format!("?view=insights#{}", one.id))) hidden { "Copy link" }
                button.quiet type="button" data-copytext=(visible(&one.description)) hidden { "Copy text" }
                (noting(one.id.as_str()))
            }
        }
    }
}

fn choice(said: Option<InsightFeedback>, one: InsightFeedback, label: &str) -> Markup {
    html! { button.quiet name="feedback" value=(one.name()) aria-pressed=(said == Some(one)) { (label) } }
}

/// The step in which it was noticed.
pub(super) fn noticed_in<'a>(sight: &Sight<'a>, one: &Insight) -> Option<&'a Step> {
    let mut steps = sight.shown.steps.iter();
    steps.find(|step| step.kind == StepKind::Insight && step.id == one.id.as_str())
}

/// Formats of a report in which insights stand. The others hold sources or quotes alone.
const TELLING: [&str; 5] = ["html", "json", "jsonl", "md", "ro-crate"];

/// The formats in which the report with it was taken out.
fn exports_of<'a>(sight: &Sight<'a>, one: &Insight) -> Vec<&'a str> {
    let told = sight
        .shown
        .answer
        .as_ref()
        .is_some_and(|answer| answer.insights.iter().any(|told| told.id == one.id));
    let formats = sight.exports.iter().map(String::as_str);
    formats.filter(|format| told && TELLING.contains(format)).collect()
}
