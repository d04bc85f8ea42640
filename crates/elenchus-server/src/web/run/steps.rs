//! One step of the reasoning, in a line and in full.

use super::super::page::drawer;
use super::super::words::{clock, figure, lasted, visible};
use super::{Asked, Sight};
use elenchus_core::belief::Level;
use elenchus_core::trace::{Step, StepKind};
use maud::{Markup, html};

/// Characters of parameters that are shown.
const MOST: usize = 4_000;

/// The kind of a step: its sign and its word.
pub(super) fn kind(step: &Step) -> Markup {
    html! {
        span class={ "kind k-" (step.kind.name()) } {
            span.sign aria-hidden="true" { (step.kind.sign()) } " " (step.kind.label())
        }
    }
}

/// The level of a figure, for its colour and its word.
pub(super) fn level(p: f64) -> &'static str {
    Level::of(p).word()
}

/// A step in a line.
pub(super) fn line(sight: &Sight<'_>, step: &Step) -> Markup {
    html! {
        (kind(step)) " "
        a.plainlink href=(sight.step(step.seq)) dir="auto" { (visible(&step.text)) }
        @if step.kind == StepKind::Action && step.ended.is_none() { " " span.badge { "under way" } }
    }
}

/// The form that goes on from a step in another run. `more` stands before its button.
pub(super) fn fork(sight: &Sight<'_>, step: &Step, more: &Markup) -> Markup {
    html! {
        form.fork method="post" action=(sight.under("/fork")) {
            input type="hidden" name="at" value=(step.seq);
            (more)
            button.quiet.small { "Fork from here" span.sr { ", step " (step.seq) } }
        }
    }
}

/// What a run that is forked may be told.
fn focus() -> Markup {
    html! {
        label { "What should it look for too? (may be left empty)"
            input type="text" name="focus" maxlength="2000"; }
        p.hint { "Another run begins with everything up to this step, does none of it again, and goes on from here. This one stays as it is." }
    }
}

/// A step in full, as an item of a list.
pub(super) fn full(sight: &Sight<'_>, asked: &Asked, step: &Step) -> Markup {
    let shown = sight.shown;
    html! {
        li.step.jk id={ "e" (step.seq) } tabindex="-1" {
            p.when {
                a href=(sight.step(step.seq)) aria-label={ "Step " (step.seq) } { (step.seq) }
                " " (clock(step.at))
            }
            div.what {
                p.line {
                    (kind(step))
                    @if !step.tool.is_empty() { " " span.tool { span.sr { "tool " } (step.tool) } }
                    @if step.lane > 0 { " " span.lane { "lane " (step.lane + 1) } }
                    @if let Some(ms) = step.lasted_ms() { " " span.lane { (lasted(ms)) } }
                    @if let Some(p) = step.confidence {
                        " " span class={ "level is-" (level(p).replace(' ', "-")) } { (level(p)) " " (figure(p)) }
                    }
                }
                p.says dir="auto" { (visible(&step.text)) }
                @if !step.reasoning.is_empty() { p.reasoning dir="auto" { (visible(&step.reasoning)) } }
                @if !step.implications.is_empty() {
                    ul.tags { @for one in &step.implications { li dir="auto" { (visible(one)) } } }
                }
                div.row {
                    @if let Some(action) = step.action { a.small href=(sight.step(action)) { "the action, step " (action) } }
                    @if let Some(end) = step.ended { a.small href=(sight.step(end.seq)) { "what came of it, step " (end.seq) } }
                    @if !step.parameters.is_null() || !step.related_to.is_empty() {
                        (drawer(&format!("p{}", step.seq), &html! { "Details" }, &html! {
                            @if !step.related_to.is_empty() { p.hint { "About: " (visible(&step.related_to.join(", "))) } }
                            @if !step.parameters.is_null() { pre tabindex="0" { code { (parameters(step)) } } }
                        }))
                    }
                    (drawer(&format!("f{}", step.seq), &html! { "Fork from here" }, &fork(sight, step, &focus())))
                    @if step.can_be_challenged {
                        (drawer(&format!("x{}", step.seq), &html! { "Challenge" }, &html! {
                            form.stack method="post" action=(sight.under("/challenge")) {
                                input type="hidden" name="event_id" value=(step.seq);
                                input type="hidden" name="back" value=(asked.query());
                                label { "What do you doubt about step " (step.seq) "?"
                                    textarea name="text" rows="2" required maxlength="2000" {} }
                                p.hint { @if shown.is_over() { "The run is over: a new one looks into it, with this one's sources." }
                                    @else { "The next critique answers it." } }
                                button { "Challenge this step" }
                            }
                        }))
                    }
                }
            }
        }
    }
}

fn parameters(step: &Step) -> String {
    let text = serde_json::to_string_pretty(&step.parameters).unwrap_or_default();
    visible(&text).chars().take(MOST).collect()
}
