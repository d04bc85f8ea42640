//! Names: which runs of words are one, and whether two stand for the same.

use super::lexicon::{is_demonym, is_title};
use super::prepare::Kind;
use crate::verify::tokens::{Pos, Token};
use crate::wordnet::WordNet;
use elenchus_core::evidence::WEEKDAYS;
use std::ops::Range;

/// A name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// From its first to its last token.
    pub(super) tokens: Range<usize>,
    /// Its tokens without titles and small words.
    pub(super) words: Vec<usize>,
    /// First letters of all its capitalised words, lower case: "who" for "World Health Organization".
    pub(super) initials: String,
}

/// In a headline, capitals say nothing: more than this share of words with one.
const HEADLINE: f64 = 0.75;

/// All names in order. `kinds` says which tokens are dates and numbers already.
pub(super) fn names(tokens: &[Token], kinds: &[Kind]) -> Vec<Name> {
    let words = tokens.iter().filter(|t| t.text.chars().any(char::is_alphabetic)).count();
    let capitals = tokens.iter().filter(|t| t.is_capital()).count();
    let headline = words >= 5 && capitals as f64 > HEADLINE * words as f64;
    let is_name = |at: usize| {
        let token = &tokens[at];
        if kinds[at] != Kind::Empty || !token.is_capital() || token.lower == "i" {
            return false;
        }
        if is_calendar(&token.lower) {
            return false;
        }
        let shouts = |t: &Token| t.text.len() > 1 && t.text.chars().all(char::is_uppercase);
        // Headings of parts stand before a sentence: "RESULTS The drug ...", "CONCLUSION Treatment ...".
        if at == 0 && shouts(token) && is_common(&token.lower) && tokens.len() > 6 {
            return false;
        }
        let opens = at == 0
            || at <= 3
                && tokens[..at]
                    .iter()
                    .all(|t| t.is_mark() || shouts(t) && is_common(&t.lower) || t.lower == "and")
            || tokens[..at].iter().rev().take(2).all(Token::is_mark)
            || tokens[at - 1].text == "." && !(at > 1 && abbreviates(&tokens[at - 2]))
            || matches!(
                tokens[at - 1].text.as_str(),
                "!" | "?" | ":" | "\u{201C}" | "\"" | "(" | "["
            );
        // "HIV-positive" describes.
        let describes = token.lower.contains('-')
            && token
                .text
                .rsplit('-')
                .next()
                .is_some_and(|tail| tail.len() > 2 && tail.chars().all(char::is_lowercase));
        if describes {
            return false;
        }
        let coded = token.has_digit() || token.text.chars().skip(1).any(char::is_uppercase);
        if coded {
            return !(headline && is_common(&token.lower)) || token.has_digit();
        }
        if headline && is_common(&token.lower) {
            return false;
        }
        match token.pos {
            Pos::ProperNoun => {
                // The first word of a sentence has a capital anyway.
                let followed =
                    tokens.get(at + 1).is_some_and(|t| t.is_capital() && t.pos == Pos::ProperNoun);
                !opens || followed || !is_common(&token.lower)
            }
            Pos::Noun | Pos::Adjective | Pos::Verb | Pos::Other => {
                !opens
                    || !is_common(&token.lower)
                        && tokens
                            .get(at + 1)
                            .is_some_and(|t| t.is_capital() && t.pos == Pos::ProperNoun)
            }
            _ => false,
        }
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !is_name(at) {
            at += 1;
            continue;
        }
        let start = at;
        let mut end = at + 1;
        loop {
            if end < tokens.len() && is_name(end) {
                end += 1;
            } else if end + 1 < tokens.len()
                && matches!(
                    tokens[end].lower.as_str(),
                    "of" | "de" | "von" | "van" | "." | "&" | "der" | "la" | "al"
                )
                && is_name(end + 1)
                && (tokens[end].lower != "." || tokens[end - 1].text.chars().count() <= 2)
            {
                end += 2;
            } else {
                break;
            }
        }
        let words: Vec<usize> =
            (start..end).filter(|i| is_name(*i) && !is_title(&tokens[*i].lower)).collect();
        let initials: String = (start..end)
            .filter(|i| is_name(*i))
            .filter_map(|i| tokens[i].lower.chars().next())
            .collect();
        if !words.is_empty() {
            out.push(Name { tokens: start..end, words, initials });
        }
        at = end;
    }
    out
}

/// Whether a dictionary of common words has it.
fn is_common(lower: &str) -> bool {
    WordNet::builtin().lookup(lower).is_known() || elenchus_core::text::is_stop_word(lower)
}

/// Whether a dot after a token is none that ends a sentence: "Dr.", "J."
fn abbreviates(token: &Token) -> bool {
    is_title(&token.lower)
        || token.text.contains('.')
        || token.is_capital() && token.text.chars().count() == 1
}

/// Days of the week, and the brackets that some texts spell out.
fn is_calendar(lower: &str) -> bool {
    WEEKDAYS.contains(&lower)
        || matches!(
            lower,
            "lrb"
                | "rrb"
                | "lsb"
                | "rsb"
                | "results"
                | "conclusions"
                | "conclusion"
                | "methods"
                | "background"
                | "objective"
                | "objectives"
        )
}

/// Without accents and dots.
pub(super) fn folded(lower: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    if lower.is_ascii() {
        return lower.trim_end_matches('.').to_owned();
    }
    lower.nfkd().filter(|c| !unicode_normalization::char::is_combining_mark(*c)).collect()
}

/// Whether two words of names stand for the same: equal, an initial, a land and its people.
pub(super) fn same_word(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_end_matches('.'), other.trim_end_matches('.'));
    if one == other {
        return true;
    }
    let plural = |a: &str, b: &str| {
        a.strip_prefix(b).is_some_and(|tail| matches!(tail, "s" | "es" | "'" | "’")) && b.len() > 2
    };
    plural(one, other)
        || plural(other, one)
        || is_demonym(one, other)
        || near_spelling(one, other)
        || hyphened(one, other)
        || hyphened(other, one)
}

/// "Brazilian-born" holds "Brazilian".
fn hyphened(long: &str, short: &str) -> bool {
    short.len() > 2
        && long.len() > short.len()
        && long.split('-').any(|part| part == short || is_demonym(part, short))
}

/// One letter more, less or other in a long word: "Mohammed", "Mohamed".
fn near_spelling(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().min(b.len()) < 6 || a.len().abs_diff(b.len()) > 1 || a[0] != b[0] {
        return false;
    }
    if a.iter().any(char::is_ascii_digit) || b.iter().any(char::is_ascii_digit) {
        return false;
    }
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    head + tail + 1 >= a.len().max(b.len())
}

/// Whether consecutive words begin with the letters: "VSMCs" for "vascular smooth muscle cells".
pub(super) fn spells(short: &str, tokens: &[Token]) -> bool {
    let letters: Vec<char> = short.trim_end_matches('s').chars().collect();
    if !(2..=7).contains(&letters.len()) || !letters.iter().all(|c| c.is_alphabetic()) {
        return false;
    }
    let firsts: Vec<char> = tokens
        .iter()
        .filter(|t| !matches!(t.lower.as_str(), "of" | "the" | "and" | "in" | "for" | "-"))
        .flat_map(|t| t.lower.split('-').filter_map(|part| part.chars().next()))
        .collect();
    firsts.windows(letters.len()).any(|window| window == letters)
}

/// Whether one is the short form of the other's words: "WHO".
pub(super) fn is_acronym(short: &str, long: &Name) -> bool {
    let letters: String = short.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.len() >= 2 && long.initials.starts_with(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::tokens::tokens;

    fn all(text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let kinds = vec![Kind::Empty; tokens.len()];
        names(&tokens, &kinds)
            .iter()
            .map(|n| n.words.iter().map(|i| tokens[*i].text.as_str()).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn runs_of_capitals_are_names() {
        assert_eq!(
            all("Yesterday Dr. Anna Berg of Naptha met the WHO."),
            ["Anna Berg Naptha", "WHO"].map(str::to_owned)
        );
        assert!(all("The robots were sold.").is_empty());
    }

    #[test]
    fn spellings_of_one_name() {
        assert!(same_word("france", "french"));
        assert!(same_word("mohammed", "mohamed"));
        assert!(!same_word("anna", "anne"));
        assert!(!same_word("vlx-500", "vlx-600"));
    }
}
