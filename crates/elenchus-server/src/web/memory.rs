//! What was learned: strategies, what is believed of each, where they came from, and a way to take them out of use and back.

use super::figures;
use super::page::{Here, Shell, drawer, page};
use super::run::cards_explained as explained;
use super::words::{counted, day, encoded, figure, visible};
use elenchus_core::bank::{Origin, Outcome, Scope, Standing};
use elenchus_core::chart::{self, Density};
use elenchus_core::measure::Explained;
use elenchus_core::port::Held;
use maud::{Markup, html};

/// A strategy with how its confidence came about.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The strategy.
    pub held: Held,
    /// How its confidence came about, where that was asked.
    pub why: Option<Explained>,
}

/// What is asked of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Words that a strategy must hold.
    pub q: String,
    /// Whether those taken out of use are shown too.
    pub archived: bool,
    /// A strategy that was just taken out of use.
    pub undo: Option<String>,
    /// One that was just voted on.
    pub voted: Option<String>,
}

/// Strategies of a page.
pub const A_PAGE: usize = 50;
/// Strategies whose beliefs are drawn side by side: more curves than that cannot be told apart.
const DRAWN: usize = 12;

/// One page of the strategies that fit.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Those of the page.
    pub learned: Vec<Learned>,
    /// Its number, from 1.
    pub at: usize,
    /// How many fit on all pages.
    pub of: usize,
    /// How many there are, whether they fit or not.
    pub all: usize,
}

/// Whether all words stand in a strategy. They are in lower case.
pub fn fits(held: &Held, words: &[String]) -> bool {
    let draft = &held.strategy.draft;
    let tags = draft.tags.join(" ");
    let text = format!("{} {} {} {tags}", draft.title, draft.description, draft.content);
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Where a strategy stands in the list, whatever page that is.
pub(super) fn place_of(id: &str) -> String {
    format!("/memory?at={0}#{0}", encoded(id))
}

/// What a list is narrowed to, behind the rest of an address.
pub(super) fn narrowed(q: &str, archived: bool) -> String {
    let words = if q.is_empty() { String::new() } else { format!("&q={}", encoded(q)) };
    if archived { format!("{words}&archived=yes") } else { words }
}

/// The same in a form, so that whoever uses its buttons comes back to the list as it was.
fn kept(wanted: &Wanted) -> Markup {
    html! {
        @if !wanted.q.is_empty() { input type="hidden" name="q" value=(wanted.q); }
        @if wanted.archived { input type="hidden" name="archived" value="yes"; }
    }
}

/// Where a strategy came from, in words.
fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Explicit => "recorded on purpose, by a person or an agent",
        Origin::Distilled => "taken out of a run or session that was over",
        Origin::Imported => "read from an export, or not known",
    }
}

/// The page.
pub fn show(found: &Found, wanted: &Wanted) -> Markup {
    let archived = if wanted.archived { "&archived=yes" } else { "" };
    let to = |page: usize| format!("/memory?q={}{archived}&page={page}", encoded(&wanted.q));
    let densities: Vec<Density> = found
        .learned
        .iter()
        .take(DRAWN)
        .filter_map(|one| {
            Some(Density {
                label: one.held.strategy.draft.title.clone(),
                belief: one.held.posterior?,
                n: usize::try_from(one.held.usage_count).unwrap_or(0),
            })
        })
        .collect();
    let main = html! {
        h1 { "Memory" }
        p.hint { "Strategies that runs left behind: what worked, and what to avoid. What is believed of each follows from what came of it. What is taken out of use can be taken back." }
        @if let Some(id) = &wanted.undo {
            form.note method="post" action={ "/memory/" (encoded(id)) } {
                (kept(wanted)) "Taken out of use. " button.small name="do" value="restore" { "Undo" }
            }
        }
        @if let Some(id) = &wanted.voted {
            form.note method="post" action={ "/memory/" (encoded(id)) } {
                (kept(wanted)) "Your vote counts. " button.small name="do" value="unvote" { "Undo" }
            }
        }
        form.search role="search" method="get" action="/memory" {
            label.grow { span.sr { "Search strategies" } input #search type="search" name="q" value=(wanted.q) placeholder="Search strategies"; }
            label.choice { input type="checkbox" name="archived" value="yes" checked[wanted.archived]; span { "also those out of use" } }
            button { "Search" }
        }
        @if found.all == 0 { p.empty { "Nothing has been learned yet. Strategies are taken out of runs that are over." } }
        @else { p.hint role="status" { (counted(found.of, "strategy")) @if !wanted.q.is_empty() { " with these words. " a href="/memory" { "Show all" } } } }
        @if !densities.is_empty() {
            section.panel aria-labelledby="beliefs" {
                h2 #beliefs { "How sure" }
                @if found.learned.len() > DRAWN { p.hint { "The first " (DRAWN) " of this page; each tells its figure below." } }
                (figures::chart(&chart::densities("beliefs", &densities)))
            }
        }
        @for one in &found.learned { (strategy(one, found.at, wanted)) }
        @if found.of > A_PAGE {
            nav.pages aria-label="Pages of the list" {
                @if found.at > 1 { a href=(to(found.at - 1)) rel="prev" { "Newer" } }
                span { "page " (found.at) " of " (found.of.div_ceil(A_PAGE)) }
                @if found.at * A_PAGE < found.of { a href=(to(found.at + 1)) rel="next" { "Older" } }
            }
        }
    };
    page(Shell { title: "Memory", here: Here::Memory, wide: false }, &main)
}

/// Who sees a strategy, in words.
pub(super) fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "this project",
        Scope::Team => "the team",
        Scope::Org => "the organisation",
    }
}

fn strategy(one: &Learned, page: usize, wanted: &Wanted) -> Markup {
    let held = &one.held;
    let (strategy, draft) = (&held.strategy, &held.strategy.draft);
    html! {
        // No landmark: two may have one title.
        article.panel.jk id=(strategy.id) tabindex="-1" aria-labelledby={ "t-" (strategy.id) } {
            h2 id={ "t-" (strategy.id) } { @match draft.outcome { Outcome::Failure => { span.badge.bad { "avoid" } " " } _ => { span.badge { "follow" } " " } } (visible(&draft.title)) }
            p { (visible(&draft.description)) }
            p.meta {
                span { "confidence " strong { (figure(held.confidence)) } ", 90 % interval " (figure(held.interval.0)) " to " (figure(held.interval.1)) }
                @if let Some(calibrated) = held.calibrated { span { "calibrated " (figure(calibrated)) } }
                span { "seen by " (scope(draft.scope)) }
                span { "shown in " (counted(usize::try_from(held.usage_count).unwrap_or(0), "session")) }
                span { "recorded " (day(strategy.created_at)) " by " (visible(&strategy.actor)) }
                @if draft.from_web { span.badge.bad { "goes back to the web" } }
            }
            @match &strategy.standing {
                Standing::Active => {}
                Standing::Quarantined { reason } => { p.note { "Waits for somebody to vouch for it: " (visible(reason)) } }
                Standing::Archived { reason, .. } => { p.note { "Out of use: " (visible(reason)) } }
            }
            @if !draft.tags.is_empty() { ul.tags { @for tag in &draft.tags { li { (visible(tag)) } } } }
            (drawer(&format!("c-{}", strategy.id), &html! { "What it says" }, &html! { pre tabindex="0" { (visible(&draft.content)) } }))
            (drawer(&format!("p-{}", strategy.id), &html! { "Where it came from" }, &html! {
                p { "Origin: " (origin(draft.origin)) }
                @if let Some(session) = &draft.source_session { p { "From " a href={ "/research/" (encoded(session)) } { (visible(session)) } } }
                @for parent in &draft.lineage { p { "Made from " a href=(place_of(parent.as_str())) { (parent) } } }
            }))
            @if let Some(why) = &one.why { (drawer(&format!("w-{}", strategy.id), &html! { "Why this number?" }, &explained(why))) }
            form.bar method="post" action={ "/memory/" (encoded(strategy.id.as_str())) } {
                input type="hidden" name="page" value=(page);
                (kept(wanted))
                button.quiet.small name="do" value="helpful" { "Helpful" }
                button.quiet.small name="do" value="unhelpful" { "Not helpful" }
                @if strategy.standing == Standing::Active { button.danger.small name="do" value="archive" { "Take out of use" } }
                @else { button.quiet.small name="do" value="restore" { "Take back into use" } }
            }
            p.ways { a href={ "/memory/" (encoded(strategy.id.as_str())) } { "Signals, change, delete" span.sr { ": " (visible(&draft.title)) } } }
        }
    }
}
