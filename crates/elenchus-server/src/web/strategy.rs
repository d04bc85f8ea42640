//! One strategy: what it says, who sees it, every signal of it, and the forms that change or delete it.

use super::memory::{place_of, scope};
use super::page::{Here, Shell, drawer, page};
use super::run::cards_explained as explained;
use super::words::{counted, day, encoded, figure, visible};
use elenchus_core::bank::{Scope, Signal, SignalKind, Standing};
use elenchus_core::measure::Explained;
use elenchus_core::port::Held;
use maud::{Markup, html};

/// Signals that are shown, the newest.
const SHOWN: usize = 200;

fn kind(kind: SignalKind) -> &'static str {
    match kind {
        SignalKind::Explicit => "a vote",
        SignalKind::Usage => "shown by a search",
        SignalKind::Used => "put to use",
        SignalKind::Outcome => "what came of it",
    }
}

/// The page. `signals` are those of the caller's project, oldest first.
pub fn show(held: &Held, why: Option<&Explained>, signals: &[Signal]) -> Markup {
    let (strategy, draft) = (&held.strategy, &held.strategy.draft);
    let here = format!("/memory/{}", encoded(strategy.id.as_str()));
    let main = html! {
        p { a href=(place_of(strategy.id.as_str())) { "\u{2190} Memory" } }
        h1 { (visible(&draft.title)) }
        p { (visible(&draft.description)) }
        p.meta {
            span { "seen by " (scope(draft.scope)) }
            span { "confidence " strong { (figure(held.confidence)) } ", 90 % interval " (figure(held.interval.0)) " to " (figure(held.interval.1)) }
            span { "recorded " (day(strategy.created_at)) " by " (visible(&strategy.actor)) }
            @if strategy.edited_at != strategy.created_at { span { "changed " (day(strategy.edited_at)) } }
        }
        @match &strategy.standing {
            Standing::Active => {}
            Standing::Quarantined { reason } => { p.note { "Waits for somebody to vouch for it: " (visible(reason)) } }
            Standing::Archived { reason, .. } => { p.note { "Out of use: " (visible(reason)) } }
        }
        pre tabindex="0" { (visible(&draft.content)) }
        @if let Some(why) = why { (drawer("why", &html! { "Why this number?" }, &explained(why))) }
        section.panel aria-labelledby="signals" {
            h2 #signals { "Signals" }
            @if signals.is_empty() { p.empty { "Nothing has been said of it in this project." } }
            @else { p.hint { (counted(signals.len(), "signal")) " of this project, the newest first." } }
            ul { @for signal in signals.iter().rev().take(SHOWN) {
                li class="signal" {
                    span.sign aria-hidden="true" { @if signal.positive { "+" } @else { "\u{2212}" } }
                    " " (kind(signal.kind)) ", " @if signal.positive { "for" } @else { "against" } " it, " (day(signal.timestamp)) " by " (visible(&signal.actor))
                    @if !signal.session_id.is_empty() { " in " (visible(&signal.session_id)) }
                    @if let Some(comment) = &signal.comment { ": \u{201C}" (visible(comment)) "\u{201D}" }
                }
            } }
            form.bar method="post" action=(here) {
                input type="hidden" name="back" value="one";
                button.quiet.small name="do" value="helpful" { "Helpful" }
                button.quiet.small name="do" value="unhelpful" { "Not helpful" }
                button.quiet.small name="do" value="unvote" { "Take my last vote back" }
            }
        }
        section.panel aria-labelledby="change" {
            h2 #change { "Change" }
            form.stack method="post" action=(here) {
                label { "Title" input type="text" name="title" value=(draft.title) maxlength="50" required; }
                label { "When to use or to avoid it" input type="text" name="description" value=(draft.description) maxlength="200"; }
                label { "What it says" textarea name="content" rows="8" maxlength="20000" required { "\n" (draft.content) } }
                label { "Words to find it by, with commas between" input type="text" name="tags" value=(draft.tags.join(", ")); }
                label { "Who sees it" select name="scope" {
                    @for one in [Scope::Project, Scope::Team, Scope::Org] {
                        option value=(word(one)) selected[one == draft.scope] { (scope(one)) }
                    }
                } }
                button name="do" value="edit" { "Save" }
            }
        }
        (drawer("delete", &html! { "Delete it" }, &html! {
            form.stack method="post" action=(here) {
                p { "It goes for good, with its signals. To keep it and not use it, take it out of use." }
                label.choice { input type="checkbox" name="sure" value="yes" required; span { "Delete \u{201C}" (visible(&draft.title)) "\u{201D}" } }
                button.danger name="do" value="delete" { "Delete" }
            }
        }))
    };
    page(Shell { title: &draft.title, here: Here::Memory, wide: false }, &main)
}

fn word(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "project",
        Scope::Team => "team",
        Scope::Org => "org",
    }
}

/// The scope of a word of the form.
pub(super) fn scope_of(text: &str) -> Option<Scope> {
    [Scope::Project, Scope::Team, Scope::Org].into_iter().find(|one| word(*one) == text)
}
