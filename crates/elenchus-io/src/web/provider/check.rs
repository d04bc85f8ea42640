//! What must hold of the results of any reply. The envelopes differ by service and are tested with their peers; here each
//! service reads any value as one of its results.

use super::found::{Found, settle};
use super::{WebQuery, arxiv, brave, crossref, mediawiki, openalex, searxng, tavily};
use serde_json::Value;

/// How each service reads one of its results.
const READERS: [fn(&Value) -> Found; 6] = [
    brave::found,
    crossref::found,
    mediawiki::found,
    openalex::found,
    searxng::found,
    tavily::found,
];

/// Results that are looked at.
const MOST: u16 = 20;

/// Reads any text as a reply: as the feed of arXiv, and as JSON with one result or a list of them.
pub(crate) fn check(text: &str) {
    let mut found: Vec<Found> = Vec::new();
    if let Ok(entries) = arxiv::read(text) {
        found.extend(entries.iter().map(arxiv::found));
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let one = std::slice::from_ref(&value);
        let results = value.as_array().map_or(one, Vec::as_slice);
        for result in results.iter().take(usize::from(MOST)) {
            found.extend(READERS.iter().map(|read| read(result)));
        }
    }
    let query = WebQuery { text: "x".to_owned(), limit: MOST, ..WebQuery::default() };
    let results = settle("p", &query, found);
    assert!(results.len() <= usize::from(MOST));
    for (at, result) in results.iter().enumerate() {
        let url = result.url.url();
        assert!(matches!(url.scheme(), "http" | "https"), "{url}");
        assert!(results[..at].iter().all(|other| other.url.url() != url), "{url} stands twice");
        let author = result.author.as_deref().unwrap_or_default();
        for (words, most) in
            [(result.title.as_str(), 300), (result.snippet.as_str(), 2_000), (author, 300)]
        {
            // One for the mark of a cut, one for a space before it.
            assert!(words.chars().count() <= most + 2, "{words:?}");
            assert!(!words.contains(hides), "{words:?}");
        }
        if let Some(given) = &result.given {
            assert!(!given.text.contains(|c: char| c != '\n' && hides(c)), "{:?}", given.text);
            assert!(given.text.len() <= 1 << 20, "{} bytes", given.text.len());
        }
    }
}

/// Characters that end a line, or hide or reorder what stands beside them.
fn hides(c: char) -> bool {
    c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)
}
