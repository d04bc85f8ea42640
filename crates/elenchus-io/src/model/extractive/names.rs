//! Names in a question, told by their capitals.

use super::expects::{AUXILIARIES, WH};
use super::lexicon::is_light;
use crate::wordnet::WordNet;
use elenchus_core::text::{is_stop_word, words};

/// What bodies are called behind a name of their own.
const BODIES: [&str; 26] = [
    "academy",
    "association",
    "bank",
    "charity",
    "church",
    "club",
    "college",
    "company",
    "corporation",
    "council",
    "foundation",
    "group",
    "holding",
    "holdings",
    "hospital",
    "institute",
    "laboratories",
    "labs",
    "ltd",
    "museum",
    "partners",
    "school",
    "society",
    "trust",
    "university",
    "ventures",
];

/// Whether a lower-case word is what bodies are called behind a name of their own.
pub(super) fn is_body(word: &str) -> bool {
    BODIES.contains(&word)
}

/// What those call their house who belong to it, with an article and often with a capital.
const OWN_HOUSES: [&str; 10] = [
    "academy",
    "association",
    "charity",
    "club",
    "company",
    "firm",
    "foundation",
    "institute",
    "society",
    "trust",
];

/// Whether a capital only shows respect: "the Association" is called so by its own people and has its name elsewhere. With another
/// word of a name beside it, or "of", it is a part of a name.
fn is_own_house(tokens: &[&str], at: usize, lower: &str) -> bool {
    let article = at.checked_sub(1).is_some_and(|before| {
        matches!(tokens[before].to_lowercase().as_str(), "the" | "our" | "your" | "this")
    });
    let ends = tokens[at].ends_with([',', '?', '.', ';', ':']);
    let goes_on = !ends
        && tokens.get(at + 1).is_some_and(|next| {
            matches!(*next, "of" | "for") || next.starts_with(|c: char| !c.is_lowercase())
        });
    article && !goes_on && OWN_HOUSES.contains(&lower)
}

/// Whether a word is a part of a compound with a hyphen: "call" of "the on-call model".
pub(super) fn is_joined(text: &str, word: &str) -> bool {
    let lower = text.to_lowercase();
    let joins = |c: Option<char>| c == Some('-');
    lower.match_indices(word).any(|(at, _)| {
        let (before, after) = (&lower[..at], &lower[at + word.len()..]);
        let (left, right) = (before.chars().next_back(), after.chars().next());
        let whole = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        let beside = |part: Option<char>| part.is_some_and(char::is_alphabetic);
        (joins(left) && beside(before.chars().nth_back(1)) && whole(right))
            || (joins(right) && beside(after.chars().nth(1)) && whole(left))
    })
}

/// Whether a capital is owed to the place alone: "A client insists that ...", and the first word of a sentence that another one
/// follows ("Robots at a client stand still. How fast ...?"). Where a name begins, its next word has a capital as well.
fn is_plain_beginning(tokens: &[&str], at: usize, bare: &str) -> bool {
    let small = tokens.get(at + 1).is_some_and(|next| next.starts_with(char::is_lowercase));
    let ends = |token: &&str| token.ends_with(['.', '!', ':']);
    let leads = tokens[at..].iter().rev().skip(1).any(ends) && !tokens[at].ends_with([',', ':']);
    let capital_alone = bare.chars().skip(1).all(|c| !c.is_uppercase() && !c.is_ascii_digit());
    // "Definition of SEV-2", "Change in revenue": what is asked for.
    let governs =
        at == 0 && tokens.get(1).is_some_and(|next| matches!(*next, "of" | "in" | "for" | "by"));
    // "Retention period for results": a word that English has, and the one behind it is no name.
    let is_common = at == 0 && WordNet::builtin().lookup(&bare.to_lowercase()).is_lemma();
    small
        && (bare == "A"
            || governs
            || (is_common && capital_alone)
            || (leads && capital_alone && !bare.ends_with("'s")))
}

/// Lower-case words that the question writes as names, each with the number of its name.
pub(super) fn capital_marks(original: &str) -> Vec<(String, usize)> {
    let mut marks = Vec::new();
    let mut name = 0;
    let mut open = false;
    let tokens: Vec<&str> = original.split_whitespace().collect();
    // "WHAT IS THE PRICE": capitals carry nothing.
    let shouting = tokens.iter().all(|t| t.chars().all(|c| !c.is_lowercase()));
    for (at, raw) in tokens.iter().enumerate() {
        let token = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = token.trim_end_matches("'s").trim_end_matches("’s");
        let lower = bare.to_lowercase();
        let capital = bare.chars().next().is_some_and(char::is_uppercase);
        let first = at == 0 || raw_ends_sentence(tokens[at - 1]);
        let inner_capital = bare.chars().skip(1).any(char::is_uppercase);
        let is_name = !shouting
            && (capital || inner_capital)
            && !(is_stop_word(&lower) && bare.chars().count() > 1 && !inner_capital)
            && lower != "i"
            && !lower.starts_with("i'")
            && !lower.starts_with("i’")
            && !is_own_house(&tokens, at, &lower)
            && !(first && is_plain_beginning(&tokens, at, bare))
            && (!first
                || inner_capital
                || (!is_light(&lower)
                    && !WH.contains(&lower.as_str())
                    && !AUXILIARIES.contains(&lower.as_str())
                    && !is_imperative(&lower)));
        let digits = bare.chars().any(|c| c.is_ascii_digit());
        if is_name || (digits && open) {
            if !open {
                name += 1;
                open = true;
            }
            for word in words(bare) {
                marks.push((word, name));
            }
        } else {
            open = false;
        }
        if raw.ends_with([',', '?', '.', ';', ':']) || raw.ends_with("'s") || raw.ends_with("’s")
        {
            open = false;
        }
    }
    marks
}

pub(super) fn raw_ends_sentence(token: &str) -> bool {
    token.ends_with(['.', '?', '!', ':'])
}

pub(super) fn is_imperative(word: &str) -> bool {
    matches!(
        word,
        "list"
            | "name"
            | "give"
            | "tell"
            | "summarize"
            | "summarise"
            | "compare"
            | "explain"
            | "describe"
            | "find"
            | "show"
            | "state"
            | "according"
            | "identify"
            | "please"
            | "under"
            | "for"
            | "by"
            | "since"
            | "roughly"
            | "during"
            | "after"
            | "before"
            | "besides"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(question: &str) -> Vec<String> {
        capital_marks(question).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn a_capital_of_respect_names_nobody() {
        assert!(named("How long does the Society keep its letters?").is_empty());
        assert!(named("Who owns the mill of the Trust?").is_empty());
        assert_eq!(named("What does the Rowan Trust own?"), ["rowan", "trust"]);
        assert_eq!(named("What is the Society of Friends?"), ["society", "friends"]);
        assert_eq!(named("Who is the Company Secretary?"), ["company", "secretary"]);
        assert_eq!(named("What did Society think of it?"), ["society"]);
    }
}
