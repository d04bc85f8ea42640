//! Pages that pass on what another page of the set says: "according to", "reported by", "source:" next to its name or a
//! link to it.

use super::overlap::telling;
use super::{Witness, site_of};
use std::collections::{BTreeMap, BTreeSet};

/// Words after which the name of a source stands, perhaps with an article between.
const BEFORE: &[&str] = &[
    "according to",
    "reported by",
    "report by",
    "reports by",
    "published by",
    "announced by",
    "released by",
    "stated by",
    "quoted by",
    "quoting",
    "citing",
    "cites",
    "via",
    "source:",
    "sources:",
    "source",
    "told",
    "data from",
    "data by",
    "figures from",
    "figures by",
    "numbers from",
    "statement by",
    "statement from",
    "study by",
    "survey by",
    "article in",
    "interview with",
    "first appeared in",
    "first appeared on",
    "originally published",
    "originally published by",
    "originally published in",
    "originally published on",
    "reported in",
    "published in",
    "laut",
    "nach angaben von",
    "nach angaben des",
    "nach angaben der",
    "quelle:",
    "selon",
    "d'après",
    "según",
    "fuente:",
    "secondo",
    "fonte:",
];
/// Words before which it stands.
const AFTER: &[&str] = &[
    "said",
    "says",
    "reported",
    "reports",
    "announced",
    "announces",
    "wrote",
    "writes",
    "stated",
    "states",
    "told",
    "found",
    "finds",
    "estimates",
    "estimated",
    "counted",
    "teilte",
    "meldete",
    "berichtete",
];
/// Words that may stand between a cue and a name.
const BETWEEN: usize = 3;
/// Words of links that name nothing.
const NAMELESS: &[&str] = &[
    "here",
    "home",
    "link",
    "more",
    "read more",
    "source",
    "website",
    "report",
    "article",
    "this",
    "original",
    "pdf",
    "the",
];
/// Shared words from which a statement is what the other page says, and their least share of the statement.
const SHARED: usize = 3;
const SHARE: f64 = 0.4;

/// One page passes on what another says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Telling words of the statement that stand on the other page, too.
    pub(super) shared: usize,
}

/// For each page, the page of each other site that its attributed statements agree with most.
pub(super) fn citations(sorted: &[Witness<'_>]) -> Vec<Citation> {
    let mut by_site: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, witness) in sorted.iter().enumerate() {
        if let Some(web) = &witness.source.web {
            by_site.entry(&web.site).or_default().push(at);
        }
    }
    let mut words: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut found = Vec::new();
    for (from, witness) in sorted.iter().enumerate() {
        let Some(web) = &witness.source.web else { continue };
        let text = witness.text.to_lowercase();
        for (site, pages) in by_site.iter().filter(|(site, _)| **site != web.site) {
            let names = names(sorted, witness, site, pages);
            let statements: Vec<BTreeSet<String>> =
                attributed(&text, &names).into_iter().map(telling).collect();
            if statements.is_empty() {
                continue;
            }
            let best = pages.iter().map(|to| {
                let theirs = words.entry(*to).or_insert_with(|| telling(sorted[*to].text));
                let shared = statements.iter().map(|statement| {
                    let shared = statement.intersection(theirs).count();
                    let share = shared as f64 / statement.len().max(1) as f64;
                    if shared >= SHARED && share >= SHARE { shared } else { 0 }
                });
                Citation { from, to: *to, shared: shared.sum() }
            });
            // The first of equals, whatever the caller's order.
            let best =
                best.reduce(|best, next| if next.shared > best.shared { next } else { best });
            found.extend(best.filter(|citation| citation.shared > 0));
        }
    }
    found
}

/// What a page may call a site, in lower case: its domain, the words of links to it, and who signs its pages.
fn names(
    sorted: &[Witness<'_>],
    page: &Witness<'_>,
    site: &str,
    pages: &[usize],
) -> BTreeSet<String> {
    let mut names = BTreeSet::from([site.to_owned()]);
    for (address, words) in page.links {
        if site_of(address).as_deref() == Some(site) {
            names.insert(words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
        }
    }
    let own = page.source.author.as_deref().map(str::to_lowercase);
    let authors = pages.iter().filter_map(|at| sorted[*at].source.author.as_deref());
    // A single word is too often a common one.
    names.extend(authors.map(str::to_lowercase).filter(|name| name.contains(' ')));
    names.retain(|name| {
        let length = name.chars().count();
        (4..=80).contains(&length)
            && !NAMELESS.contains(&name.as_str())
            && Some(name) != own.as_ref()
    });
    names
}

/// The statements of a text (in lower case) that it attributes to one of these names: the sentence with the name, and
/// the one before it, to which a "Source: ..." belongs.
fn attributed<'a>(text: &'a str, names: &BTreeSet<String>) -> Vec<&'a str> {
    let sentences = sentences(text);
    let mut found = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let whole = &text[sentence.clone()];
        let is_named = names.iter().any(|name| {
            whole.match_indices(name.as_str()).any(|(place, _)| {
                let (before, after) = (&whole[..place], &whole[place + name.len()..]);
                apart(before, after) && (is_after_cue(before) || is_before_cue(after))
            })
        });
        if is_named {
            let start = sentences[at.saturating_sub(1)].start;
            let alone = telling(whole).len() < 2 * SHARED;
            found.push(if alone { &text[start..sentence.end] } else { whole });
        }
    }
    found
}

/// Whether a name between these is no part of longer words.
fn apart(before: &str, after: &str) -> bool {
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
    let more = after.starts_with('.') && after[1..].starts_with(char::is_alphanumeric);
    !inside(before.chars().next_back()) && !inside(after.chars().next()) && !more
}

/// "according to", "according to the newspaper": a cue, then a few words that are no clause of their own.
fn is_after_cue(before: &str) -> bool {
    let words: Vec<&str> = before.split_whitespace().collect();
    (0..=BETWEEN.min(words.len())).any(|between| {
        let (rest, skipped) = words.split_at(words.len() - between);
        let joined = rest[rest.len().saturating_sub(4)..].join(" ");
        let joined = joined.trim_start_matches(['(', '[', '"', '\u{201c}']);
        let simple = skipped.iter().all(|word| !word.ends_with([',', ';', ')']));
        simple
            && BEFORE.iter().any(|cue| {
                joined.strip_suffix(cue).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
            })
    })
}

/// "... said", "... has announced".
fn is_before_cue(after: &str) -> bool {
    after
        .split_whitespace()
        .take(2)
        .any(|word| AFTER.contains(&word.trim_matches(|c: char| !c.is_alphanumeric())))
}

/// Rough sentences: an end mark and white space, or the end of a line.
fn sentences(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = letter == '\n'
            || matches!(letter, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends || next.is_none() {
            let end = at + letter.len_utf8();
            if !text[start..end].trim().is_empty() {
                found.push(start..end);
            }
            start = end;
        }
    }
    found
}
