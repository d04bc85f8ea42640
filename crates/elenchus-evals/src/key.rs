//! Question keys: a question and what a right answer must hold.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// One question.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) question: String,
    /// All must occur, for an open question half of them; each may list alternatives with `|`.
    #[serde(default)]
    pub(crate) expect: Vec<String>,
    /// Outdated values.
    #[serde(default)]
    pub(crate) stale: Vec<String>,
    /// Paths of which one must be cited.
    #[serde(default)]
    pub(crate) sources: Vec<String>,
    /// The page on which it stands, from 1, where one of `sources` has pages.
    #[serde(default)]
    pub(crate) page: Option<u32>,
    /// What must stand in bold where a value stands there; each may list alternatives with `|`, one must be there.
    #[serde(default)]
    pub(crate) value: Vec<String>,
    /// For yes/no questions.
    #[serde(default)]
    pub(crate) polarity: Option<String>,
}

impl Item {
    /// Whether the key names an outdated value that an answer could give as the current one.
    pub(crate) fn is_dated(&self) -> bool {
        self.kind != Kind::Unanswerable && !self.stale.is_empty()
    }

    /// Whether a citation of this document, and of this page where it has pages, is one of the right ones.
    pub(crate) fn is_source(&self, path: &str, page: Option<u32>) -> bool {
        let is_paged =
            Path::new(path).extension().is_some_and(|end| end.eq_ignore_ascii_case("pdf"));
        let is_there = self.page.is_none() || !is_paged || self.page == page;
        is_there && self.sources.iter().any(|source| source == path)
    }
}

/// What is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Fact,
    Paraphrase,
    Unanswerable,
    /// An open question: `expect` lists what a good answer quotes, each from another statement.
    Overview,
}

/// Reads a key.
pub(crate) fn read(path: &Path) -> Result<Vec<Item>, String> {
    lines(path)
}

/// Reads a file of JSON lines.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("could not read {}: {e}", path.display()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|e| format!("could not read {} line {}: {e}", path.display(), at + 1))
        })
        .collect()
}

/// Lower case, white space collapsed, emphasis and commas inside numbers gone.
pub(crate) fn normalise(text: &str) -> String {
    let flat = elenchus_core::text::squeeze(text).to_lowercase().replace(['*', '\\'], "");
    let chars: Vec<char> = flat.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    chars
        .iter()
        .enumerate()
        .filter(|(at, c)| !(**c == ',' && *at > 0 && digit(at - 1) && digit(at + 1)))
        .map(|(_, c)| match c {
            '\u{2212}' | '\u{2013}' => '-',
            other => *other,
        })
        .collect()
}

/// Whether `text` holds one of the alternatives of `expected`. A number must not continue into another one.
pub(crate) fn holds(text: &str, expected: &str) -> bool {
    expected.split('|').map(normalise).any(|wanted| occurs(text, &wanted))
}

fn occurs(text: &str, wanted: &str) -> bool {
    if wanted.is_empty() {
        return false;
    }
    text.match_indices(wanted).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + wanted.len()..].chars().next();
        let second = text[at + wanted.len()..].chars().nth(1);
        let first_digit = wanted.starts_with(|c: char| c.is_ascii_digit());
        let last_digit = wanted.ends_with(|c: char| c.is_ascii_digit());
        let glued = first_digit && before.is_some_and(|c| c.is_ascii_digit() || c == '.');
        let continued = last_digit
            && (after.is_some_and(|c| c.is_ascii_digit())
                || (after == Some('.') && second.is_some_and(|c| c.is_ascii_digit())));
        let inside_word = wanted.chars().next().is_some_and(char::is_alphabetic)
            && before.is_some_and(char::is_alphabetic);
        !glued && !continued && !inside_word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_of_a_paged_document_names_the_page() {
        let line = |page: &str| {
            format!(
                r#"{{"id":"a","kind":"fact","question":"Which?","sources":["a.pdf","b.md"]{page}}}"#
            )
        };
        let item: Item = serde_json::from_str(&line(r#","page":2"#)).unwrap();
        assert!(item.is_source("a.pdf", Some(2)) && item.is_source("b.md", None));
        assert!(!item.is_source("a.pdf", Some(1)) && !item.is_source("a.pdf", None));
        assert!(!item.is_source("c.md", Some(2)));
        let item: Item = serde_json::from_str(&line("")).unwrap();
        assert!(item.is_source("a.pdf", None), "where the key names no page any will do");
    }

    #[test]
    fn numbers_have_edges() {
        assert!(holds(&normalise("**3,120** robots"), "3120"));
        assert!(!holds(&normalise("13,120 robots"), "3120"));
        assert!(!holds(&normalise("1.47 sites"), "47|48"));
        assert!(holds(&normalise("$56,000."), "$56,000"));
        assert!(holds(&normalise("at −30°C"), "-30°C"));
    }
}
