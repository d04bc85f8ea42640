//! The links that a reader of a page sees.

use super::hide::Sight;
use super::tree::{Kind, Name, Tag, Tree};
use reqwest::Url;
use std::collections::HashSet;

/// Most links looked at.
const MOST_SEEN: usize = 20_000;
/// Most links kept.
const MOST: usize = 4_000;
/// Longest words of a link, in characters.
const WORDS: usize = 200;

/// Absolute `http` and `https` addresses with their words, each once, in reading order.
pub(super) fn found(tree: &Tree, sight: &Sight, page: &Url) -> Vec<(Url, String)> {
    let base = tree
        .all(Tag::Base)
        .find_map(|(_, element)| page.join(element.get(Name::Href)?.trim()).ok())
        .filter(|base| matches!(base.scheme(), "http" | "https"))
        .unwrap_or_else(|| page.clone());
    let mut seen: HashSet<String> = HashSet::new();
    let mut links = Vec::new();
    for (at, element) in tree.all(Tag::A).filter(|(at, _)| !sight.is_gone(*at)).take(MOST_SEEN) {
        let Some(href) = element.get(Name::Href).map(str::trim) else { continue };
        if href.is_empty() || href.starts_with('#') {
            continue;
        }
        let Ok(mut url) = base.join(href) else { continue };
        if !matches!(url.scheme(), "http" | "https") {
            continue;
        }
        url.set_fragment(None);
        if !seen.insert(url.as_str().to_owned()) {
            continue;
        }
        links.push((url, words(tree, sight, at)));
        if links.len() == MOST {
            break;
        }
    }
    links
}

fn words(tree: &Tree, sight: &Sight, at: usize) -> String {
    let mut text = String::new();
    for below in at..tree.nodes[at].end {
        if let Kind::Text(words) = &tree.nodes[below].kind
            && !sight.is_gone(below)
            && text.len() < 4 * WORDS
        {
            text.push(' ');
            text.push_str(words);
        }
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(WORDS).collect()
}
