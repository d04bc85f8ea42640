//! Which places lie in which, as far as the statements themselves tell it: "Oldhaven, a port of Karsia", "Oldhaven lies in Karsia".
//! Who died in the one died in the other.

use crate::verify::sentence::Sentence;
use crate::verify::tokens::{Pos, Token};
use std::collections::BTreeSet;
use std::ops::Range;

/// Tokens between two names, at most.
const BETWEEN: usize = 8;

/// Parts of a greater place.
const PARTS: [&str; 22] = [
    "capital",
    "city",
    "town",
    "village",
    "port",
    "harbour",
    "harbor",
    "suburb",
    "district",
    "quarter",
    "borough",
    "parish",
    "county",
    "province",
    "region",
    "state",
    "island",
    "municipality",
    "settlement",
    "resort",
    "part",
    "hamlet",
];

/// Verbs of lying somewhere.
const LIES: [&str; 6] = ["lies", "lie", "located", "situated", "stands", "belongs"];

/// Places within others, by name.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeSet<(String, String)>);

fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

/// The names of a sentence: runs of words with capitals.
fn names(tokens: &[Token]) -> Vec<Range<usize>> {
    let is_name = |at: usize| tokens[at].pos == Pos::ProperNoun;
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = (at..tokens.len()).find(|i| !is_name(*i)).unwrap_or(tokens.len());
        if at < end {
            found.push(at..end);
        }
        at = end + 1;
    }
    found
}

fn text(tokens: &[Token], name: &Range<usize>) -> String {
    let words: Vec<&str> = tokens[name.clone()].iter().map(|t| t.lower.as_str()).collect();
    words.join(" ")
}

impl Places {
    /// What the sentences tell.
    pub(super) fn told(sentences: &[Sentence]) -> Self {
        let mut places = Self::default();
        for sentence in sentences {
            let tokens = sentence.bound.tokens();
            for two in names(tokens).windows(2) {
                if let [one, other] = two {
                    places.add(tokens, one, other);
                }
            }
        }
        places
    }

    fn add(&mut self, tokens: &[Token], one: &Range<usize>, other: &Range<usize>) {
        let between = &tokens[one.end..other.start];
        if between.len() > BETWEEN {
            return;
        }
        let last = between.iter().rev().find(|t| t.pos != Pos::Determiner);
        let leads_in = last.is_some_and(|t| matches!(t.lower.as_str(), "in" | "of" | "to"));
        let has = |of: &[&str]| between.iter().any(|t| of.contains(&t.lower.as_str()));
        let (first, second) = (text(tokens, one), text(tokens, other));
        // "Oldhaven in Karsia", "Oldhaven, the capital of Karsia", "Oldhaven lies in Karsia".
        let is_beside = between.len() == 1 && word(between, 0) == "in";
        if is_beside || leads_in && (has(&PARTS) || has(&LIES)) {
            self.0.insert((first, second));
            return;
        }
        // "The capital of Karsia is Oldhaven."
        let part = one.start.checked_sub(2).map_or("", |at| word(tokens, at));
        let of = one.start.checked_sub(1).map_or("", |at| word(tokens, at));
        if of == "of" && PARTS.contains(&part) && matches!(word(between, 0), "is" | "was" | ",") {
            self.0.insert((second, first));
        }
    }

    /// Whether one of two places lies in the other, at once or by a third.
    pub(super) fn nest(&self, one: &str, other: &str) -> bool {
        let plain = |name: &str| {
            let lower = name.to_lowercase();
            lower.strip_prefix("the ").unwrap_or(&lower).to_owned()
        };
        let (one, other) = (plain(one), plain(other));
        let has = |inner: &str, outer: &str| {
            let direct = |a: &str, b: &str| self.0.iter().any(|(x, y)| x == a && y == b);
            direct(inner, outer) || self.0.iter().any(|(x, y)| x == inner && direct(y, outer))
        };
        has(&one, &other) || has(&other, &one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(texts: &[&str]) -> Places {
        let sentences: Vec<Sentence> = texts.iter().map(|text| Sentence::prepare(text)).collect();
        Places::told(&sentences)
    }

    #[test]
    fn a_place_lies_in_those_that_it_is_told_to_be_part_of() {
        let places = told(&[
            "Since 1801 Oldhaven has been the capital of Karsia.",
            "He was born near Ness, a village of Oldhaven.",
            "Today the largest city of Karsia is Tarrow.",
        ]);
        assert!(places.nest("Oldhaven", "Karsia"));
        assert!(places.nest("Karsia", "Oldhaven"));
        assert!(places.nest("Ness", "Karsia"), "by Oldhaven");
        assert!(places.nest("Tarrow", "Karsia"));
        assert!(!places.nest("Tarrow", "Oldhaven"));
    }

    #[test]
    fn who_is_in_a_place_is_no_part_of_another() {
        let places = told(&["Anna Berg met the mayor of Karsia.", "She left Tarrow for Karsia."]);
        assert!(!places.nest("Anna Berg", "Karsia"));
        assert!(!places.nest("Tarrow", "Karsia"));
    }
}
