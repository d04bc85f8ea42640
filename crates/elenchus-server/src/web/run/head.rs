//! The head of a run: its question, how it stands, and the ways to its parts.

use super::super::words::{counted, day, figure, lasted, visible};
use super::{Asked, Sight, View};
use elenchus_core::trace::{Projection, RunStatus};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// The sign and the words of a status.
pub(in super::super) fn status(status: RunStatus, driven: bool) -> (&'static str, &'static str) {
    match status {
        RunStatus::Running if driven => ("\u{25B6}", "under way"),
        RunStatus::Running => ("\u{25A0}", "stopped: nobody drives it now"),
        RunStatus::Waiting => ("?", "waits for your answer"),
        RunStatus::Paused => ("\u{2016}", "paused"),
        RunStatus::Finished => ("\u{2713}", "finished"),
        RunStatus::Interrupted => ("\u{25FC}", "ended early by you"),
        RunStatus::Failed => ("\u{2717}", "failed"),
    }
}

/// What a stage is called while it lasts.
pub(super) fn doing(stage: &str) -> &str {
    match stage {
        "starting" => "starting",
        "recall" => "recalling earlier runs",
        "clarify" => "making sure what is meant",
        "plan" => "planning",
        "hypothesize" => "naming explanations",
        "search" => "searching",
        "read" => "reading",
        "reflect" => "reflecting on what was read",
        "analyze" => "taking out facts and looking for gaps",
        "follow_up" | "followup" => "wording new searches",
        "draft" => "writing the answer",
        "verify" => "checking the answer",
        "critique" => "criticising the answer",
        "revise" => "revising the answer",
        "lenses" => "looking through lenses",
        "insights" => "looking for what stands out",
        "done" => "done",
        other => other,
    }
}

pub(super) fn head(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    let (sign, words) = status(shown.status, sight.driven);
    html! {
        header.runhead {
            p.kicker { "Run " code { (sight.id()) } " \u{00B7} " (day(shown.started_at)) }
            h1 { (shown.question) }
            div.facts {
                span class={ "status is-" (shown.status.name()) } { span.sign aria-hidden="true" { (sign) } (words) }
                (confidence(shown))
                span { (counted(shown.sources.len(), "source")) " read" }
                @if !shown.questions.is_empty() && !shown.is_over() {
                    span { (shown.answered()) " of " (counted(shown.questions.len(), "question")) " answered" }
                }
                span { (lasted(u64::try_from(shown.updated_at.0 - shown.started_at.0).unwrap_or(0))) }
                (leaves(shown))
            }
            @if let Some(contest) = &shown.contest {
                p.note { "This run looks into a challenge to "
                    a href={ "/research/" (contest.parent) "?view=trace&at=" (contest.event_id) "#e" (contest.event_id) } {
                        "step " (contest.event_id) " of an earlier run" }
                    ": \u{201C}" (contest.text) "\u{201D}" }
            }
            @if let Some(forked) = &shown.forked {
                p.note { "This run was forked: it has its beginning from another one and goes on by itself from "
                    a href={ "/research/" (forked.parent) "?view=trace&at=" (forked.event_id) "#e" (forked.event_id) } {
                        "step " (forked.event_id) " of run " (forked.parent) } }
            }
            @if let Some(tested) = &shown.options.tested {
                p.note { "This run was begun to test "
                    @match &tested.hypothesis {
                        Some(id) => { a href={ "/research/" (tested.parent) "?view=hypotheses#" (id) } { (id) " of an earlier run" } }
                        None => { "an explanation beside those of " a href={ "/research/" (tested.parent) "?view=hypotheses" } { "an earlier run" } }
                    }
                    @for claim in &shown.options.to_test { ": \u{201C}" (visible(claim)) "\u{201D}" }
                }
            }
            @if let Some(reopened) = &shown.options.reopened {
                p.note { "This run looks again for what "
                    a href={ "/research/" (reopened.parent) } { "an earlier run" }
                    " gave up, in documents that have come or changed since" }
            }
            @if !sight.linked.is_empty() {
                div.note { p { "What came of it:" }
                    ul { @for linked in sight.linked { li {
                        a href={ "/research/" (linked.run_id) } { "a run that " (linked.words()) } " \u{00B7} " (linked.status)
                    } } }
                }
            }
            @if let Some(error) = &shown.error {
                p.note.bad { strong { "It could not go on: " } (error) }
            }
        }
        nav.views aria-label="Parts of this run" {
            @for (at, view) in View::ALL.into_iter().enumerate() {
                a href=(sight.under(&format!("?view={}", view.name()))) data-digit=(at + 1)
                    aria-current=[(view == asked.view).then_some("page")] {
                    (view.label())
                    @if let Some(count) = view.count(shown) { span.count { (count) } }
                }
            }
        }
    }
}

fn confidence(shown: &Projection) -> Markup {
    html! {
        @if let (Some(overall), Some(level)) = (shown.scoring.overall, shown.scoring.level) {
            span { "confidence " strong { (level.word()) } " (" (figure(overall)) ")" }
        }
    }
}

/// Whether anything left this machine.
fn leaves(shown: &Projection) -> Markup {
    let hosts = shown.hosts();
    html! {
        @if hosts.is_empty() && stays(shown) {
            span.badge { span.sign aria-hidden="true" { "\u{2302}" } "nothing left this machine" }
        }
        @match &shown.options.elsewhere {
            Some(all) => {
                @for to in all.iter().map(|one| &one.to).collect::<BTreeSet<_>>() {
                    span.badge { span.sign aria-hidden="true" { "@" } "sent to " (to) }
                }
            }
            None => {
                @if !is_local(&shown.model) { span.badge { "prompts went to " (shown.model) } }
                @for to in shown.sent_also.iter().map(|one| &one.to).collect::<BTreeSet<_>>() {
                    span.badge { span.sign aria-hidden="true" { "@" } "sent to " (to) }
                }
            }
        }
        @if !hosts.is_empty() {
            span.badge { span.sign aria-hidden="true" { "@" } (counted(hosts.len(), "host")) " of the web asked" }
        }
    }
}

/// Whether nothing was sent to servers elsewhere that think, judge or embed. Of runs that did not note it no more is known than
/// whether their model is built in.
pub(super) fn stays(shown: &Projection) -> bool {
    sent_to(shown).is_empty()
}

/// Servers elsewhere that a run sent something to; where it did not note them at its start, its model and those noted later.
pub(in super::super) fn sent_to(shown: &Projection) -> Vec<String> {
    let noted = shown.options.elsewhere.as_ref();
    let model = (noted.is_none() && !is_local(&shown.model)).then(|| shown.model.clone());
    let servers = noted.unwrap_or(&shown.sent_also).iter().map(|one| one.to.clone());
    model.into_iter().chain(servers).collect()
}

/// Whether a model runs in this process: those of providers are written `provider:model`.
pub(in super::super) fn is_local(model: &str) -> bool {
    !model.contains(':') || model.starts_with("builtin:")
}
