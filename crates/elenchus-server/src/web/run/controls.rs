//! What a person can say to a run: stop, go on, change direction; and what it asks back.

use super::super::ask;
use super::super::page::drawer;
use super::{Asked, Sight};
use elenchus_core::inquiry::{Budget, EgressMode, MAX_QUESTIONS, Sources, StopReason};
use elenchus_core::prompt::ClarifyingQuestion;
use elenchus_core::text::squeeze;
use elenchus_core::trace::RunStatus;
use maud::{Markup, html};

pub(super) fn controls(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    if shown.is_over() {
        return over(sight, asked);
    }
    html! {
        section.controls aria-label="Controls" {
            @if !sight.waits.is_empty() && shown.status != RunStatus::Waiting {
                p.waits { span.pulse aria-hidden="true" {} (super::head::doing(shown.stage)) " \u{00B7} waiting for " (sight.waits) }
            }
            @if shown.awaits_review() {
                div.dialogue { h2 { "This is the plan" } p { "Nothing has been searched. Change it, or let it go on." } (plan(sight, asked)) }
            }
            @if shown.status == RunStatus::Waiting { (asks_back(sight, &shown.asked_back)) }
            form.bar method="post" action=(sight.under("/control")) {
                input type="hidden" name="back" value=(asked.query());
                @if shown.status == RunStatus::Paused || (shown.status == RunStatus::Running && !sight.driven) {
                    button name="control" value="resume" { "Go on" }
                } @else {
                    button name="control" value="pause" { "Pause" }
                }
                button name="control" value="finish_now" title="Stop searching and write the answer from what is known" { "Finish now" }
                button.danger name="control" value="interrupt" title="Stop at once and answer with what there is" { "Interrupt" }
            }
            (drawer("redirect", &html! { "Redirect" }, &html! {
                form.stack method="post" action=(sight.under("/control")) {
                    input type="hidden" name="control" value="redirect";
                    input type="hidden" name="back" value=(asked.query());
                    label { "Look for this too" input type="text" name="focus" maxlength="500"; }
                    label { "Leave out documents whose path holds (one a line)" textarea name="exclude" rows="2" {} }
                    label { "Read only documents whose path holds (one a line)" textarea name="only" rows="2" {} }
                    button { "Change direction" }
                }
            }))
            (drawer("source", &html! { "Add a source" }, &sources(sight, asked)))
            (drawer("limits", &html! { "Limits" }, &limits(sight, asked)))
            @if shown.has_plan() && !shown.awaits_review() {
                (drawer("plan", &html! { "Plan" }, &plan(sight, asked)))
            }
        }
    }
}

/// Sources that the run is to look into before others.
fn sources(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    let web = shown.options.web.as_ref();
    let fetches =
        web.is_some_and(|web| web.sources != Sources::Local && web.egress != EgressMode::Offline);
    html! {
        form.stack method="post" action=(sight.under("/control")) {
            input type="hidden" name="control" value="add_sources";
            input type="hidden" name="back" value=(asked.query());
            @if shown.corpus.documents > 0 {
                label { "Documents of the folder, by their paths (one a line)" textarea name="documents" rows="2" {} }
            }
            @if fetches {
                label { "Pages, by their addresses (one a line)" textarea name="pages" rows="2" {} }
            }
            p.hint { "They are looked into in the next round, before others, and what was given up is looked for again." }
            button { "Look into them" }
        }
    }
}

/// What the run may spend, to be changed.
fn limits(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    // A run that may look once has no more rounds than one, whatever it was told of them.
    let rounds = if shown.max_rounds > 0 { shown.max_rounds } else { shown.options.budget.rounds };
    let now = Budget { rounds, ..shown.options.budget };
    html! {
        form.stack method="post" action=(sight.under("/control")) {
            input type="hidden" name="control" value="set_budget";
            input type="hidden" name="back" value=(asked.query());
            (ask::fields(now))
            p.hint {
                "Each counts from the beginning of the run. What you leave empty stays as it is. "
                @if shown.is_over() {
                    "This run stays as it is; another one goes on from where it stopped searching, and does nothing of it again."
                } @else {
                    "A limit below what was used ends the search, and the answer is written."
                }
            }
            button { @if shown.is_over() { "Go on" } @else { "Set the limits" } }
        }
    }
}

/// The planned questions, to be edited.
fn plan(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let shown = sight.shown;
    html! {
        ol.plan {
            @for one in &shown.questions {
                li { (super::now::tick(one.answered)) " " (one.question.text) }
            }
        }
        @if shown.has_plan() {
            form.stack method="post" action=(sight.under("/plan")) {
                input type="hidden" name="back" value=(asked.query());
                label { "Questions to answer, one a line"
                    textarea name="questions" rows="5" {
                        @for one in &shown.questions { (squeeze(&one.question.text)) "\n" }
                    }
                }
                p.hint { "What stands keeps what was found for it; what is left out is no longer looked into. "
                    "What is answered has to stay, and a plan holds at most " (MAX_QUESTIONS) " questions." }
                button { "Use this plan" }
            }
        } @else {
            p.hint { "There is no plan yet." }
        }
    }
}

/// What the run asks back: a choice, an answer in words, or neither.
fn asks_back(sight: &Sight<'_>, questions: &[ClarifyingQuestion]) -> Markup {
    html! {
        form.dialogue method="post" action=(sight.under("/clarify")) {
            h2 { "Before it begins, it asks you" }
            @for (at, question) in questions.iter().enumerate() {
                fieldset {
                    legend { (at + 1) ". " (question.text) }
                    @if !question.why.is_empty() { p.hint { (question.why) } }
                    @for (n, choice) in question.choices.iter().enumerate() {
                        label.choice {
                            input type="radio" name={ "choice" (at + 1) } value=(n + 1);
                            span { (choice) }
                        }
                    }
                    label { "In your own words" input type="text" name={ "text" (at + 1) } maxlength="500"; }
                }
            }
            p.row {
                button name="do" value="answer" { "Answer" }
                button.quiet name="do" value="skip" { "Go on without answering" }
            }
        }
    }
}

/// What can be done with a run that is over.
fn over(sight: &Sight<'_>, asked: &Asked) -> Markup {
    let formats = [
        ("md", "Markdown"),
        ("html", "Page for reading offline"),
        ("json", "JSON"),
        ("jsonl", "Trace (JSONL)"),
        ("csv", "CSV"),
        ("csl-json", "CSL-JSON"),
        ("bibtex", "BibTeX"),
        ("ris", "RIS"),
        ("web-annotation", "Web Annotation"),
        ("prov-json", "PROV-JSON"),
        ("ro-crate", "RO-Crate"),
    ];
    html! {
        section.controls.over aria-label="What to do with it" {
            @if let Some(reason) = sight.shown.stop_reason { p.waits { (reason.sentence()) } }
            div.bar {
                @if sight.shown.answer.is_some() {
                    details.menu data-key="export" {
                        summary.button { "Export" }
                        ul { @for (format, name) in formats {
                            li { a href=(sight.under(&format!("/export?format={format}"))) { (name) } }
                        } }
                    }
                }
                a.button.quiet href={ "/?again=" (sight.id()) } { "Ask again" }
                a.button.quiet href={ "/compare?a=" (sight.id()) } { "Compare" }
                a.button.quiet href=(sight.under("/delete")) { "Delete" }
                button.quiet type="button" data-copy=(sight.under("")) hidden { "Copy link" }
                button.quiet type="button" data-print hidden { "Print" }
            }
            @if sight.shown.stop_reason.is_some_and(StopReason::is_of_a_limit) {
                (drawer("limits", &html! { "Go on with other limits" }, &limits(sight, asked)))
            }
        }
    }
}
