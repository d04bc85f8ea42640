//! Questions to search terms.

/// Words that say nothing about what is asked. Sorted.
const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "could", "did", "do", "does", "doing", "down", "during", "each", "else",
    "ever", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her", "here",
    "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just",
    "may", "me", "might", "more", "most", "much", "must", "my", "no", "nor", "not", "now", "of",
    "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own", "please",
    "same", "shall", "she", "should", "so", "some", "such", "tell", "than", "that", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
];

/// One thing to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// Lower case, as the query has it.
    pub(crate) text: String,
}

impl Term {
    /// As an FTS5 string: in quotes nothing is an operator, and what the tokenizer splits becomes a phrase.
    pub(crate) fn quoted(&self) -> String {
        format!("\"{}\"", self.text.replace('"', ""))
    }
}

/// The content words of `query` in order, each once; all words when it has no other; empty when it has none.
pub(crate) fn content_terms(query: &str) -> Vec<Term> {
    let shouting = !query.chars().any(char::is_lowercase);
    let query = without_distances(query);
    let words: Vec<(String, bool)> = query
        .split(|c: char| is_gap(c) || "/\\|–—\"".contains(c))
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .map(|word| {
            ["'s", "’s"].iter().find_map(|suffix| word.strip_suffix(suffix)).unwrap_or(word)
        })
        .filter(|word| !word.is_empty())
        .map(|word| {
            let lower = word.to_lowercase();
            // "US" and "IT" are names where the rest of the query is not in capitals.
            let name = !shouting && word.len() > 1 && !word.chars().any(char::is_lowercase);
            let content = name || STOP.binary_search(&lower.as_str()).is_err();
            (lower, content)
        })
        .collect();
    let any = words.iter().any(|(_, content)| *content);
    let chosen = words.into_iter().filter(|(_, content)| *content || !any).map(|(word, _)| word);
    let mut terms: Vec<Term> = Vec::new();
    for word in chosen {
        if !terms.iter().any(|term| term.text == word) {
            terms.push(Term { text: word });
        }
    }
    terms
}

/// Whether a character parts words. A string of FTS5 ends at a zero.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == '\u{0}'
}

/// A query without the "~3" behind a closing quotation mark: how far words may stand apart is no word.
fn without_distances(query: &str) -> String {
    let parts = query.split('"').enumerate().map(|(at, part)| {
        let far = part.strip_prefix('~').filter(|_| at > 0 && at.is_multiple_of(2));
        far.map_or(part, |far| far.trim_start_matches(|c: char| c.is_ascii_digit()))
    });
    parts.collect::<Vec<_>>().join("\"")
}

/// The FTS5 expression that finds any of the terms. Of a compound ("cold-chain") the parts count too.
pub(super) fn any_of(terms: &[Term]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for term in terms {
        parts.push(term.quoted());
        let pieces: Vec<&str> = term
            .text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|piece| !piece.is_empty())
            .collect();
        if pieces.len() > 1 {
            parts.extend(
                pieces
                    .iter()
                    .filter(|piece| {
                        piece.len() > 2
                            && piece.chars().all(char::is_alphabetic)
                            && STOP.binary_search(piece).is_err()
                    })
                    .map(|piece| format!("\"{piece}\"")),
            );
        }
    }
    parts.dedup();
    parts.join(" OR ")
}

/// Most phrases with a number, and most in quotation marks, that are taken from one query.
const PHRASES: usize = 6;
const QUOTED: usize = 24;

/// Most words that may stand between those of `"iron gate"~3`.
const APART: usize = 30;

/// What stands in double quotation marks, of several words each, as FTS5 has it: a phrase, or with "~3" behind it words that stand
/// near one another, with as many others between them at most. A mark that nothing closes quotes nothing.
fn quoted(query: &str) -> Vec<String> {
    let mut parts: Vec<&str> = query.split('"').collect();
    if parts.len().is_multiple_of(2) {
        parts.pop();
    }
    let mut found = Vec::new();
    for pair in parts.get(1..).unwrap_or_default().chunks_exact(2).take(QUOTED) {
        let [phrase, behind] = pair else { continue };
        let words: Vec<String> = phrase
            .split(is_gap)
            .filter(|word| word.contains(char::is_alphanumeric))
            .map(str::to_lowercase)
            .collect();
        let apart = behind.strip_prefix('~').map(|rest| {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse().unwrap_or(APART).min(APART)
        });
        let term = |text: String| Term { text }.quoted();
        match (words.len(), apart) {
            (0 | 1, _) => {}
            (_, None) => found.push(term(words.join(" "))),
            (_, Some(most)) => {
                let all: Vec<String> = words.into_iter().map(term).collect();
                found.push(format!("NEAR({}, {most})", all.join(" ")));
            }
        }
    }
    found
}

/// The FTS5 expression of a query: any of its terms, and once more as phrases what stands in quotation marks and what stands
/// together with a number ("John 1:1", "Q1 2026", "type 2"), since its words apart mean little.
pub(super) fn expression(terms: &[Term], query: &str) -> String {
    let words: Vec<&str> = query
        .split(is_gap)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mut parts = vec![any_of(terms)];
    parts.extend(quoted(query));
    let most = parts.len() + PHRASES;
    for pair in words.windows(2).take(64) {
        let first = pair[0].to_lowercase();
        let name = first.chars().next().is_some_and(char::is_alphabetic)
            && STOP.binary_search(&first.as_str()).is_err();
        if name && pair[1].starts_with(|c: char| c.is_ascii_digit()) && parts.len() < most {
            parts.push(Term { text: format!("{first} {}", pair[1].to_lowercase()) }.quoted());
        }
    }
    parts.join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(query: &str) -> Vec<String> {
        content_terms(query).into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn stop_words_go_unless_nothing_else_is_left() {
        assert_eq!(words("What is the list price of the VLX-400?"), ["list", "price", "vlx-400"]);
        assert_eq!(words("Who are we?"), ["who", "are", "we"]);
        assert_eq!(
            words("Naptha's $34.5M raise/round raise"),
            ["naptha", "34.5m", "raise", "round"]
        );
        assert_eq!(words("growth in the US by it"), ["growth", "us"]);
        assert_eq!(words("?! --"), Vec::<String>::new());
        assert!(STOP.is_sorted());
    }

    #[test]
    fn numbers_stay_with_what_they_number() {
        let shown = |query: &str| expression(&content_terms(query), query);
        assert_eq!(shown("What says John 1:1?"), "\"says\" OR \"john\" OR \"1:1\" OR \"john 1:1\"");
        assert_eq!(shown("in 2026"), "\"2026\"");
    }

    #[test]
    fn what_stands_in_quotation_marks_is_a_phrase_too() {
        let shown = |query: &str| expression(&content_terms(query), query);
        assert_eq!(
            shown("\"the Iron Gate\" bridge"),
            "\"iron\" OR \"gate\" OR \"bridge\" OR \"the iron gate\""
        );
        assert_eq!(
            shown("\"iron gate\"~4 bridge"),
            "\"iron\" OR \"gate\" OR \"bridge\" OR NEAR(\"iron\" \"gate\", 4)"
        );
        // One word is a word, and a mark that nothing closes is none.
        assert_eq!(shown("\"gate\" of 12\" iron"), "\"gate\" OR \"12\" OR \"iron\"");
        assert_eq!(shown("\"-- ?\" gate"), "\"gate\"");
        assert_eq!(shown("\"iron\u{0}gate\""), "\"iron\" OR \"gate\" OR \"iron gate\"");
        // A number that is not exact is no distance.
        assert_eq!(words("firms with ~300 employees"), ["firms", "300", "employees"]);
    }

    #[test]
    fn operators_and_quotes_have_no_meaning() {
        assert_eq!(
            any_of(&content_terms("a\" OR NEAR(b) * x")),
            "\"or\" OR \"near(b\" OR \"near\" OR \"x\""
        );
        assert_eq!(
            any_of(&content_terms("cold-chain VLX-400")),
            "\"cold-chain\" OR \"cold\" OR \"chain\" OR \"vlx-400\" OR \"vlx\""
        );
    }
}
