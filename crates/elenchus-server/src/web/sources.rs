//! The library of sources: every document that an answer cites, with the runs that cite it and the way to what each read of it.

use super::page::{Here, Shell, page};
use super::words::{counted, encoded, visible};
use elenchus_core::id::RunId;
use elenchus_core::port::CitedSource;
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Sources of a page.
pub const A_PAGE: usize = 50;
/// Runs that are looked at, the newest.
pub const LOOKED_AT: usize = 2_000;
/// Runs that are named of one source.
const NAMED: usize = 5;

/// A document with the runs whose answers cite it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Its title, as the newest run read it.
    pub title: String,
    /// Its path, or its address.
    pub path: String,
    /// Its author.
    pub author: Option<String>,
    /// Its own date, in words.
    pub date: Option<String>,
    /// The runs, newest first, with what each asked and the number of the source there.
    pub runs: Vec<(RunId, String, usize)>,
}

/// The documents of citations, each once: those that were cited last stand first.
pub fn listed(cited: Vec<CitedSource>) -> Vec<Listed> {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut found: Vec<Listed> = Vec::new();
    for CitedSource { run_id, question, citation, .. } in cited {
        let place = *at.entry(citation.path.clone()).or_insert(found.len());
        if place == found.len() {
            found.push(Listed {
                title: citation.title,
                path: citation.path,
                author: citation.author,
                date: citation.date.map(|date| date.value.to_string()),
                runs: vec![],
            });
        }
        if let Some(one) = found.get_mut(place)
            && one.runs.last().is_none_or(|(last, ..)| *last != run_id)
        {
            one.runs.push((run_id, question, citation.number));
        }
    }
    found
}

/// Those whose title, path or author has all the words.
pub fn matching(all: Vec<Listed>, q: &str) -> Vec<Listed> {
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let fits = |one: &Listed| {
        let author = one.author.as_deref().unwrap_or_default();
        let text = format!("{} {} {author}", one.title, one.path).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    all.into_iter().filter(fits).collect()
}

/// The page `at` of what was found; in place of one behind the last stands the last.
pub fn show(found: &[Listed], q: &str, at: usize) -> Markup {
    let of = found.len();
    let last = of.div_ceil(A_PAGE).max(1);
    let at = at.clamp(1, last);
    let to = |page: usize| format!("/sources?q={}&page={page}", encoded(q));
    let main = html! {
        h1 { "Sources" }
        p.hint { "Documents and pages that answers cite, those cited last first. Each leads to what a run read of it, with the quotes marked." }
        form.search role="search" method="get" action="/sources" {
            label.grow { span.sr { "Search titles, paths and authors" } input #search type="search" name="q" value=(q) placeholder="Search sources"; }
            button { "Search" }
        }
        @if of == 0 && q.is_empty() {
            p.empty { "Nothing has been cited yet. " a href="/" { "Ask a question" } ", and what the answer rests on stands here." }
        } @else {
            p.hint role="status" { (counted(of, "source")) @if !q.is_empty() { " have that. " a href="/sources" { "Show all" } } }
        }
        ul.history { @for one in found.iter().skip((at - 1) * A_PAGE).take(A_PAGE) { (source(one)) } }
        @if last > 1 {
            nav.pages aria-label="Pages of the list" {
                @if at > 1 { a href=(to(at - 1)) rel="prev" { "Later cited" } }
                span { "page " (at) " of " (last) }
                @if at < last { a href=(to(at + 1)) rel="next" { "Earlier cited" } }
            }
        }
    };
    page(Shell { title: "Sources", here: Here::Sources, wide: false }, &main)
}

fn source(one: &Listed) -> Markup {
    html! {
        li.jk tabindex="-1" {
            h2 { (visible(&one.title)) }
            p.meta {
                span.path { (visible(&one.path)) }
                @if let Some(author) = &one.author { span { (visible(author)) } }
                @if let Some(date) = &one.date { span { (date) } }
                span { "cited by " (counted(one.runs.len(), "run")) }
            }
            ul.quotes { @for (run, question, number) in one.runs.iter().take(NAMED) {
                li {
                    a href={ "/research/" (encoded(run.as_str())) "/source/" (number) "#quote" } { "the quote" span.sr { " in " (visible(&one.title)) } }
                    " in " a href={ "/research/" (encoded(run.as_str())) } { (visible(question)) }
                }
            } }
            @if one.runs.len() > NAMED { p.hint { "and " (counted(one.runs.len() - NAMED, "earlier run")) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::answer::Citation;
    use elenchus_core::id::{SourceId, Timestamp};

    fn cited(run: &str, path: &str) -> CitedSource {
        CitedSource {
            run_id: run.into(),
            question: format!("What of <b>{run}</b>?"),
            started_at: Timestamp(1),
            citation: Citation {
                number: 1,
                source_id: SourceId::from_path(path),
                path: path.to_owned(),
                title: format!("Title of {path}"),
                author: None,
                date: None,
                cluster: SourceId::from_path(path),
                content_hash: String::new(),
                web: None,
            },
        }
    }

    #[test]
    fn a_document_stands_once_with_all_runs_that_cite_it() {
        let all =
            listed(vec![cited("run_b", "a.md"), cited("run_b", "b.md"), cited("run_a", "a.md")]);
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].runs.len(), 2);
        assert_eq!(matching(all.clone(), "TITLE b.md").len(), 1);
        let page = show(&all, "", 9).0;
        assert!(
            page.contains("cited by 2 runs") && page.contains("/research/run_a/source/1#quote")
        );
        assert!(!page.contains("<b>"), "what strangers wrote is no markup");
    }

    #[test]
    fn long_lists_come_in_pages() {
        let all = listed((0..120).map(|n| cited("run_a", &format!("{n:03}.md"))).collect());
        let page = show(&all, "", 2).0;
        assert!(page.contains("050.md") && !page.contains("049.md") && !page.contains("100.md"));
        assert!(page.contains("page 2 of 3") && page.contains("rel=\"next\""));
        assert!(show(&all, "", 77).0.contains("119.md"));
    }
}
