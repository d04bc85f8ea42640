//! Two runs side by side: what both say, what one alone says, and how they went.

use super::history::Listed;
use super::page::{Here, Shell, page};
use super::words::{counted, encoded, figure, lasted, plain, visible};
use elenchus_core::answer::Answer;
use elenchus_core::trace::Projection;
use maud::{Markup, html};
use std::collections::BTreeSet;

/// Runs that are offered on a page.
pub const OFFERED: usize = 200;

/// The runs that can be chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offered<'a> {
    /// Those of the page, the newest first.
    pub all: &'a [Listed],
    /// Words that their questions have.
    pub q: &'a str,
    /// The number of the page, from 1.
    pub at: usize,
    /// How many there are on all pages.
    pub of: usize,
}

/// Words of a quote that tell it from others: spaces and case do not.
fn key(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn said(run: &Projection) -> BTreeSet<String> {
    run.answer.iter().flat_map(|answer| &answer.claims).map(|claim| key(&claim.text)).collect()
}

/// The page.
pub fn show(offered: &Offered<'_>, a: Option<&Projection>, b: Option<&Projection>) -> Markup {
    let Offered { all, q, at, of } = *offered;
    let id =
        |run: Option<&Projection>| run.map(|run| encoded(run.run_id.as_str())).unwrap_or_default();
    let to = |page: usize| format!("/compare?a={}&b={}&q={}&page={page}", id(a), id(b), encoded(q));
    let main = html! {
        h1 { "Compare two runs" }
        form.search method="get" action="/compare" {
            label.grow { "Offer runs with these words" input #search type="search" name="q" value=(q); }
            (choice("a", "First run", all, a)) (choice("b", "Second run", all, b))
            button { "Compare" }
        }
        p.hint role="status" {
            (counted(of, "run")) @if !q.is_empty() { " with these words" } " can be chosen"
            @if of > OFFERED { ", " (OFFERED) " of them on this page" }
            @if !q.is_empty() { ". " a href={ "/compare?a=" (id(a)) "&b=" (id(b)) } { "Offer all" } } @else { "." }
        }
        @if of > OFFERED {
            nav.pages aria-label="Pages of the runs that are offered" {
                @if at > 1 { a href=(to(at - 1)) rel="prev" { "Newer" } }
                span { "page " (at) " of " (of.div_ceil(OFFERED)) }
                @if at * OFFERED < of { a href=(to(at + 1)) rel="next" { "Older" } }
            }
        }
        @match (a, b) {
            (Some(a), Some(b)) => { (both(a, b)) }
            _ => { p.empty { @if of < 2 && q.is_empty() { "There are not two runs yet." } @else { "Choose two runs." } } }
        }
    };
    page(Shell { title: "Compare", here: Here::Compare, wide: true }, &main)
}

/// One of the two. What is chosen stays chosen, whether it is among those that are offered or not.
fn choice(name: &str, label: &str, all: &[Listed], chosen: Option<&Projection>) -> Markup {
    let words = |question: &str| visible(question).chars().take(80).collect::<String>();
    let apart = chosen.filter(|run| all.iter().all(|one| one.run != run.run_id));
    html! {
        label.grow { (label)
            select name=(name) {
                option value="" { "choose" }
                @if let Some(run) = apart {
                    option value=(run.run_id) selected { (words(&run.question)) " (" (run.run_id) ")" }
                }
                @for one in all {
                    option value=(one.run) selected[chosen.is_some_and(|run| run.run_id == one.run)] { (words(&one.question)) " (" (one.run) ")" }
                }
            }
        }
    }
}

fn row(name: &str, a: &str, b: &str) -> Markup {
    html! { tr { th scope="row" { (name) } td { (a) } td { (b) } td { @if a == b { span.hint { "same" } } @else { span aria-hidden="true" { "\u{2260} " } "differs" } } } }
}

fn both(a: &Projection, b: &Projection) -> Markup {
    let (says_a, says_b) = (said(a), said(b));
    let facts = |run: &Projection| -> Vec<(&'static str, String)> {
        vec![
            ("Question", run.question.clone()),
            ("Status", run.status.name().to_owned()),
            (
                "Why it stopped",
                run.stop_reason.map_or(String::new(), |reason| plain(reason.name())),
            ),
            ("Model", run.model.clone()),
            ("Documents", run.corpus.name.clone()),
            ("Effort", run.options.effort.name().to_owned()),
            ("Confidence", run.scoring.overall.map_or("none".to_owned(), figure)),
            ("Statements", run.answer.as_ref().map_or(0, |answer| answer.claims.len()).to_string()),
            ("Sources read", run.sources.len().to_string()),
            ("Rounds", run.rounds.len().to_string()),
            (
                "Gaps given up",
                run.answer
                    .as_ref()
                    .map_or(0, |answer| answer.could_not_establish.len())
                    .to_string(),
            ),
            ("Searches", run.spent.searches.to_string()),
            ("Model calls", run.spent.model_calls.to_string()),
            ("Time", lasted(u64::try_from(run.updated_at.0 - run.started_at.0).unwrap_or(0))),
        ]
    };
    let sources =
        |run: &Projection| run.sources.iter().map(|one| one.path.clone()).collect::<BTreeSet<_>>();
    let (read_a, read_b) = (sources(a), sources(b));
    html! {
        div.scroll tabindex="0" role="region" aria-label="The runs as a table" {
            table { thead { tr { th scope="col" { "What" } th scope="col" { "First" } th scope="col" { "Second" } th scope="col" { "Difference" } } }
                tbody { @for ((name, x), (_, y)) in facts(a).into_iter().zip(facts(b)) { (row(name, &visible(&x), &visible(&y))) } } }
        }
        h2 { "What they say" }
        div.cols {
            (one("First", a, &says_b)) (one("Second", b, &says_a))
        }
        h2 { "What they read" }
        p { (counted(read_a.intersection(&read_b).count(), "document")) " both read; the first alone " (read_a.difference(&read_b).count()) ", the second alone " (read_b.difference(&read_a).count()) "." }
    }
}

fn one(name: &str, run: &Projection, other: &BTreeSet<String>) -> Markup {
    let answer: Option<&Answer> = run.answer.as_deref();
    html! {
        section.panel {
            h3 { (name) ": " a href={ "/research/" (encoded(run.run_id.as_str())) } { (visible(&run.question)) } }
            @if answer.is_none() { p.empty { "It has no answer." } }
            ul { @for (at, claim) in answer.map_or(&[][..], |answer| &answer.claims).iter().enumerate() {
                li {
                    @if other.contains(&key(&claim.text)) { span.badge { "= both" } } @else { span.badge { "+ only here" } }
                    " " q dir="auto" { (visible(&claim.text)) }
                    @if let Some(sure) = answer.and_then(|answer| answer.sureness(at)) {
                        " " span.hint { @match (sure.figure, sure.level) {
                            (Some(p), Some(level)) => { (level.word()) " " (figure(p)) }
                            _ => { (sure.instead) }
                        } }
                    }
                }
            } }
            @for gap in answer.map_or(&[][..], |answer| &answer.could_not_establish) {
                p.hint { span.sign aria-hidden="true" { "\u{25CB}" } "not established: " (visible(&gap.description)) " (" (visible(&gap.reason.with(gap.cause.as_deref()))) ")" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::run::fixture::rich;

    #[test]
    fn statements_stand_with_their_figures_and_gaps_with_their_reasons() {
        let shown = Projection::of(&rich().trace).expect("a run has a first event");
        let answer = shown.answer.as_ref().expect("it is over");
        let page = show(&Offered::default(), Some(&shown), Some(&shown)).0;
        assert!(page.contains("= both") && !page.contains("+ only here"), "{page}");
        let mut figures = 0;
        for at in 0..answer.claims.len() {
            let sure = answer.sureness(at).expect("it is a claim");
            if let (Some(p), Some(level)) = (sure.figure, sure.level) {
                figures += 1;
                assert!(page.contains(&format!("{} {}", level.word(), figure(p))), "{page}");
            }
        }
        assert!(figures > 0, "the statements were checked");
        for gap in &answer.could_not_establish {
            assert!(page.contains(gap.reason.because()), "{gap:?}");
        }
    }
}
