//! A strategy as a run is told of it.

use super::{Outcome, Strategy};
use crate::id::StrategyId;
use crate::inquiry::query::is_repeat;
use crate::text::{content_set, squeeze, stem, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a line of a strategy's content begins with that names words to search with.
pub const SEARCH_WORDS: &str = "Search words:";
/// What a line of a strategy's content begins with that names queries that found nothing.
pub const FRUITLESS: &str = "Fruitless queries:";
/// What a line of a strategy's content begins with that names the state of the documents that it was learned on.
pub const DOCUMENTS: &str = "Documents:";

/// Most words that a lesson adds to a query.
const MOST_WORDS: usize = 6;
/// Most queries that a lesson warns of.
const MOST_QUERIES: usize = 8;
/// Longest item, in characters.
const LONGEST: usize = 160;

/// A strategy that was recalled for a run. Part of the run's first input, so that a replay needs no bank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lesson {
    /// The strategy.
    pub id: StrategyId,
    /// Its name.
    pub title: String,
    /// When to use or to avoid it.
    pub description: String,
    /// The steps.
    pub content: String,
    /// To follow or to avoid.
    pub outcome: Outcome,
    /// What was believed of it when it was recalled, in `[0, 1]`.
    pub confidence: f64,
}

impl Lesson {
    /// A strategy, with the confidence that it has now.
    pub fn of(strategy: &Strategy, confidence: f64) -> Self {
        Self {
            id: strategy.id.clone(),
            title: strategy.draft.title.clone(),
            description: strategy.draft.description.clone(),
            content: strategy.draft.content.clone(),
            outcome: strategy.draft.outcome,
            confidence,
        }
    }

    /// Words that it says to search with, in its order; only a lesson to follow has any.
    pub fn search_words(&self) -> Vec<String> {
        if self.outcome == Outcome::Failure {
            return Vec::new();
        }
        let mut seen = BTreeSet::new();
        self.line(SEARCH_WORDS)
            .map(words)
            .unwrap_or_default()
            .into_iter()
            .filter(|word| !crate::text::is_stop_word(word) && seen.insert(stem(word)))
            .take(MOST_WORDS)
            .collect()
    }

    /// Queries that it says found nothing, on the documents as they stood.
    pub fn fruitless(&self) -> Vec<String> {
        self.line(FRUITLESS)
            .map(|line| {
                line.split(['|', ';'])
                    .map(squeeze)
                    .filter(|query| !query.is_empty() && query.chars().count() <= LONGEST)
                    .take(MOST_QUERIES)
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Whether it was learned on the documents of this fingerprint.
    pub fn is_of(&self, fingerprint: &str) -> bool {
        !fingerprint.is_empty()
            && self.line(DOCUMENTS).is_some_and(|line| state_of(line) == fingerprint)
    }

    /// Whether it says that this query found nothing.
    pub fn warns_of(&self, query: &str) -> bool {
        self.fruitless().iter().any(|fruitless| is_repeat(fruitless, query))
    }

    /// Whether it bears on a question: a content word of its title or description stands in it.
    pub fn bears_on(&self, question: &str) -> bool {
        let about = content_set(&format!("{} {}", self.title, self.description));
        content_set(question).iter().any(|word| about.contains(word))
    }

    /// Whether a search for this question could take it up: it bears on the question and has words that the question lacks.
    pub fn could_serve(&self, question: &str) -> bool {
        let asked = content_set(question);
        self.bears_on(question) && self.search_words().iter().any(|w| !asked.contains(&stem(w)))
    }

    /// Words of a query that come from this lesson and not from the question.
    pub fn taken_into(&self, query: &str, question: &str) -> Vec<String> {
        let (query, question) = (content_set(query), content_set(question));
        self.search_words()
            .into_iter()
            .filter(|word| {
                let stem = stem(word);
                query.contains(&stem) && !question.contains(&stem)
            })
            .collect()
    }

    fn line(&self, lead: &str) -> Option<&str> {
        self.content.lines().find_map(|line| {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let head = line.get(..lead.len())?;
            head.eq_ignore_ascii_case(lead).then(|| &line[lead.len()..])
        })
    }
}

/// The fingerprint that a line of documents ends with, after their names or alone.
fn state_of(line: &str) -> &str {
    let line = line.trim().trim_end_matches('.');
    let named = line.strip_suffix(')').and_then(|line| line.rsplit_once("(state "));
    named.map_or(line, |(_, state)| state)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(content: &str, outcome: Outcome) -> Lesson {
        Lesson {
            id: StrategyId::from("mem_1"),
            title: "Prices of the plans".to_owned(),
            description: "When a question asks what a plan costs".to_owned(),
            content: content.to_owned(),
            outcome,
            confidence: 0.7,
        }
    }

    #[test]
    fn words_are_read_from_their_line_and_only_of_what_is_to_be_followed() {
        let content =
            "The price list answered.\n- search words: seat, per month; the seats, tariff.";
        let followed = lesson(content, Outcome::Success);
        assert_eq!(followed.search_words(), ["seat", "month", "tariff"]);
        assert!(lesson(content, Outcome::Failure).search_words().is_empty());
        assert!(lesson("No such line: Search words", Outcome::Success).search_words().is_empty());
        // A multi-byte character at the length of the lead is no reason to panic.
        assert!(lesson("Search wordé: a", Outcome::Success).search_words().is_empty());
    }

    #[test]
    fn a_warning_holds_for_rewordings_and_for_its_own_documents() {
        let warned = lesson(
            "Nothing was found.\nFruitless queries: Naptha valuation | Naptha price\nDocuments: abc.",
            Outcome::Failure,
        );
        assert!(warned.warns_of("the valuation of Naptha"));
        assert!(!warned.warns_of("Naptha funding"));
        assert!(warned.is_of("abc") && !warned.is_of("abd") && !warned.is_of(""));
        // The names of the documents stand before their state, whatever they are called.
        let named = lesson(
            "Fruitless queries: a\nDocuments: rates (state of May).md, b.md (state abc)",
            Outcome::Failure,
        );
        assert!(named.is_of("abc") && !named.is_of("of May") && !named.is_of("b.md"));
    }

    #[test]
    fn a_query_shows_what_it_took_of_a_lesson() {
        let followed = lesson("Search words: seat tariff", Outcome::Success);
        assert_eq!(followed.taken_into("cost of a seat", "What does a plan cost?"), ["seat"]);
        assert!(followed.taken_into("seat", "What does a seat cost?").is_empty());
        assert!(followed.bears_on("What do the plans cost?") && !followed.bears_on("Who left?"));
    }

    /// What names no words, or only those of the question, has nothing that a search could take up.
    #[test]
    fn what_gives_a_search_no_word_could_not_serve() {
        let followed = lesson("Search words: seat tariff", Outcome::Success);
        assert!(followed.could_serve("What do the plans cost?"));
        assert!(!followed.could_serve("Who left?"));
        assert!(!followed.could_serve("Which plan has which tariff a seat?"));
        let plain = lesson("Read the price list first.", Outcome::Success);
        assert!(!plain.could_serve("What do the plans cost?"));
        let warning = lesson("Search words: seat tariff", Outcome::Failure);
        assert!(!warning.could_serve("What do the plans cost?"));
    }
}
