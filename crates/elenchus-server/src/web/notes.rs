//! The notes: what people said of insights and statements of any run, the newest first, with the way to each.

use super::notes_file::older;
use super::page::{Here, Shell, page};
use super::words::{counted, day, encoded, plain, visible};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{Matter, Remark};
use elenchus_core::trace::Projection;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Notes of a page.
pub const A_PAGE: usize = 50;
/// Notes that are searched and taken out, the newest: each of their runs is looked at for that.
pub const LOOKED_AT: usize = 2_000;

/// What a run says where notes are about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What was asked.
    pub question: String,
    /// Insights, by id.
    pub insights: BTreeMap<String, String>,
    /// Statements of the answer, by id.
    pub claims: BTreeMap<String, String>,
}

impl Told {
    /// Of a run.
    pub fn of(shown: &Projection) -> Self {
        let answer = shown.answer.as_deref();
        let insights = shown.insights.iter().chain(answer.into_iter().flat_map(|a| &a.insights));
        let claims = answer.into_iter().flat_map(|answer| &answer.claims);
        Self {
            question: shown.question.clone(),
            insights: insights.map(|one| (one.id.to_string(), one.description.clone())).collect(),
            claims: claims.map(|one| (one.id.to_string(), one.text.clone())).collect(),
        }
    }
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The run.
    pub run: RunId,
    /// What it asked.
    pub question: String,
    /// Whether it is about an insight; otherwise it is about a statement.
    pub is_insight: bool,
    /// Which one.
    pub target: String,
    /// Its words; empty where the run is not there to tell.
    pub text: String,
    /// The word on it.
    pub said: String,
    /// What was said along with it.
    pub note: Option<String>,
    /// By whom.
    pub actor: String,
    /// When.
    pub at: Timestamp,
}

impl Note {
    /// Of a remark, with what its run tells.
    pub fn of(remark: Remark, told: &Told) -> Self {
        let is_insight = remark.about == Matter::Insight;
        let texts = if is_insight { &told.insights } else { &told.claims };
        Self {
            question: told.question.clone(),
            is_insight,
            text: texts.get(&remark.target).cloned().unwrap_or_default(),
            run: remark.run_id,
            target: remark.target,
            said: remark.said.unwrap_or_default(),
            note: remark.note,
            actor: remark.actor,
            at: remark.at,
        }
    }

    /// What it is about, as the store calls it.
    pub fn about(&self) -> &'static str {
        if self.is_insight { Matter::Insight.name() } else { Matter::Claim.name() }
    }

    /// Whether all words stand in it: in what it is about, in what was said, or in what was asked.
    fn has(&self, words: &[String]) -> bool {
        let along = self.note.as_deref().unwrap_or_default();
        let said = plain(&self.said);
        let parts = [
            self.text.as_str(),
            along,
            self.question.as_str(),
            said.as_str(),
            self.actor.as_str(),
            self.target.as_str(),
        ];
        let text = parts.join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

/// Those in which all words of a search stand.
pub fn matching(all: Vec<Note>, q: &str) -> Vec<Note> {
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    all.into_iter().filter(|one| one.has(&words)).collect()
}

/// Of all that holds what is about an insight or a statement, the newest first.
pub fn noted(mut held: Vec<Remark>) -> Vec<Remark> {
    held.retain(|one| matches!(one.about, Matter::Insight | Matter::Claim));
    held.reverse();
    held
}

/// How often each word was said.
pub fn counts(noted: &[Remark]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for word in noted.iter().filter_map(|one| one.said.clone()) {
        *counts.entry(word).or_insert(0) += 1;
    }
    counts
}

/// What is asked of the notes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// Only those with this word, or all where it is empty.
    pub only: &'a str,
    /// Words to look for.
    pub q: &'a str,
}

impl Wanted<'_> {
    /// The address of something that shows them.
    fn under(self, path: &str) -> String {
        format!("{path}?only={}&q={}", encoded(self.only), encoded(self.q))
    }
}

/// What is found of them.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Those of the page.
    pub notes: &'a [Note],
    /// Which page.
    pub at: usize,
    /// How many fit.
    pub of: usize,
    /// Older ones that were not searched.
    pub beyond: usize,
}

/// A page of what is found; `counts` is how often each word was said.
pub fn show(wanted: Wanted<'_>, found: Found<'_>, counts: &BTreeMap<String, usize>) -> Markup {
    let Wanted { only, q } = wanted;
    let Found { notes, at, of, beyond } = found;
    let all: usize = counts.values().sum();
    let last = of.div_ceil(A_PAGE).max(1);
    let to = |page: usize| format!("{}&page={page}", wanted.under("/notes"));
    let said = |only: &str| Wanted { only, q }.under("/notes");
    let main = html! {
        h1 { "Notes" }
        p.hint { "What was said of insights and statements, on these pages, over the API, in the terminal or at the command line, the newest first." }
        @if all == 0 {
            p.empty { "Nothing was noted yet. An insight can be saved here, and a statement called right or wrong, on the page of its run." }
        } @else {
            form.search role="search" method="get" action="/notes" {
                label.grow { span.sr { "Search statements, insights, notes and questions" } input #search type="search" name="q" value=(q) placeholder="Search notes"; }
                @if !only.is_empty() { input type="hidden" name="only" value=(only); }
                button { "Search" }
            }
            nav.switch aria-label="What was said" {
                a href=(said("")) aria-current=[only.is_empty().then_some("true")] { "All " (all) }
                @for (word, count) in counts {
                    a href=(said(word.as_str())) aria-current=[(only == word.as_str()).then_some("true")] { (plain(word)) " " (count) }
                }
            }
            p.hint role="status" {
                (counted(of, "note"))
                @if !q.is_empty() { @if of == 1 { " has that. " } @else { " have that. " } a href=(Wanted { only, q: "" }.under("/notes")) { "Show all" } }
            }
            @if beyond > 0 { p.hint { (older(beyond)) " not searched." } }
            @if of > 0 {
                p.ways {
                    "Take them along: "
                    a href={ (wanted.under("/notes/export")) "&format=md" } { "Markdown" }
                    ", "
                    a href={ (wanted.under("/notes/export")) "&format=json" } { "JSON" }
                }
            }
        }
        ul.history { @for one in notes { (note(one)) } }
        @if last > 1 {
            nav.pages aria-label="Pages of the list" {
                @if at > 1 { a href=(to(at - 1)) rel="prev" { "Newer" } }
                span { "page " (at) " of " (last) }
                @if at < last { a href=(to(at + 1)) rel="next" { "Older" } }
            }
        }
    };
    page(Shell { title: "Notes", here: Here::Notes, wide: false }, &main)
}

fn note(one: &Note) -> Markup {
    let run = encoded(one.run.as_str());
    let target = encoded(&one.target);
    let (what, place) = if one.is_insight {
        ("insight", format!("/research/{run}?view=insights#{target}"))
    } else {
        ("statement", format!("/research/{run}?view=answer#card-{target}"))
    };
    html! {
        li.jk tabindex="-1" {
            h2 { a href=(place) dir="auto" { @if one.text.is_empty() { (what) " " (one.target) } @else { (visible(&one.text)) } } }
            p.meta {
                span.badge { (plain(&one.said)) }
                span { (what) " " (one.target) }
                span { (day(one.at)) }
                span { "by " (visible(&one.actor)) }
            }
            @if let Some(note) = &one.note { p dir="auto" { (visible(note)) } }
            p.hint { "in " a href={ "/research/" (run) } { @if one.question.is_empty() { (one.run) } @else { (visible(&one.question)) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(about: Matter, target: &str, word: &str, at: i64) -> Remark {
        Remark::new(&"run_a".into(), about, target, "local", Some(word), Timestamp(at))
    }

    #[test]
    fn notes_are_about_insights_and_statements_and_the_newest_stands_first() {
        let held = vec![
            said(Matter::Claim, "c1", "wrong", 1),
            said(Matter::Export, "md", "exported", 2),
            said(Matter::Insight, "i1", "saved", 3),
        ];
        let found = noted(held);
        let targets: Vec<&str> = found.iter().map(|one| one.target.as_str()).collect();
        assert_eq!(targets, ["i1", "c1"]);
        let counts = counts(&found);
        assert_eq!(counts.values().sum::<usize>(), 2);
        let told = Told {
            question: "What of <b>it</b>?".to_owned(),
            claims: BTreeMap::from([("c1".to_owned(), "It is <i>so</i>.".to_owned())]),
            insights: BTreeMap::new(),
        };
        let notes: Vec<Note> = found.into_iter().map(|one| Note::of(one, &told)).collect();
        let found = Found { notes: &notes, at: 1, of: 2, beyond: 0 };
        let page = show(Wanted::default(), found, &counts).0;
        assert!(page.contains("/research/run_a?view=insights#i1"), "{page}");
        assert!(page.contains("/research/run_a?view=answer#card-c1") && page.contains("2 notes"));
        assert!(!page.contains("<b>") && !page.contains("<i>"), "texts are no markup");
        assert!(page.contains(">insight i1</a>"), "what its run does not tell is named");
        let found = |q: &str| {
            let fit = matching(notes.clone(), q);
            fit.iter().map(|one| one.target.clone()).collect::<Vec<_>>()
        };
        assert_eq!(found("IS WRONG"), ["c1"], "words of the statement and of what was said");
        assert_eq!(found("i1 saved"), ["i1"]);
        assert_eq!(found("it"), ["i1", "c1"], "what was asked is searched as well");
        assert!(found("lighthouse").is_empty());
        assert_eq!(found(" "), ["i1", "c1"]);
        let wanted = Wanted { only: "saved", q: "\"><i>" };
        let page = show(wanted, Found { notes: &[], at: 1, of: 0, beyond: 3 }, &counts).0;
        assert!(!page.contains("\"><i>") && page.contains("q=%22%3E%3Ci%3E"), "{page}");
        assert!(page.contains("3 older notes were not searched."), "{page}");
    }
}
