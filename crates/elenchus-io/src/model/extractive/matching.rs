//! Matching: how well one word stands for another, and how common words are.

use super::lexicon::Synonyms;
use super::question::Term;
use super::unit::Word;
use crate::embed::{StaticEmbedder, dot};
use crate::wordnet::WordNet;
use elenchus_core::evidence::WEEKDAYS;
use elenchus_core::text::is_stop_word;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// Cosine of two word vectors from which they may stand for each other. Chosen on word pairs, see `docs/quality.md`.
const WORD_COSINE: f32 = 0.5;

/// Cosine below which two words are not used alike, whatever a dictionary says.
const APART_IN_USE: f32 = 0.08;

/// What a corpus says about how common words are.
pub(crate) struct Commonness {
    counts: BTreeMap<String, u32>,
    passages: u32,
}

impl Commonness {
    pub(crate) fn new(terms: &[elenchus_core::port::TermCount], passages: u32) -> Self {
        Self {
            counts: terms.iter().map(|t| (t.term.clone(), t.passages)).collect(),
            passages: passages.max(1),
        }
    }

    /// Passages that hold the word, when a search has counted it.
    pub(crate) fn count(&self, word: &str) -> Option<u32> {
        self.counts.get(word).copied()
    }

    /// Share of the passages that hold the word, 0 to 1; 0 when no search has counted it.
    pub(crate) fn share(&self, word: &str) -> f64 {
        f64::from(self.count(word).unwrap_or(0)) / f64::from(self.passages)
    }

    /// 0.45 for a word of every passage to 1 for one that occurs once or never.
    pub(crate) fn weight(&self, word: &str) -> f64 {
        let n = f64::from(self.passages);
        let Some(count) = self.count(word) else { return 0.8 };
        let idf = ((n + 1.0) / (f64::from(count) + 1.0)).ln() / (n + 1.0).ln().max(1.0);
        0.45 + 0.55 * idf.clamp(0.0, 1.0)
    }
}

/// Stems that word lists hold for alike and that documents keep apart.
const APART: [(&str, &str); 7] = [
    ("revenu", "proceed"),
    ("revenu", "expens"),
    ("price", "valu"),
    ("surplus", "excess"),
    ("custom", "user"),
    ("board", "offic"),
    ("engin", "machin"),
];

/// How words stand for each other: stems, our own synonym groups, WordNet, vectors.
pub(crate) struct Matcher {
    synonyms: Synonyms,
    /// Likeness of word pairs already judged, by the question's word.
    judged: Mutex<HashMap<String, HashMap<String, f64>>>,
}

impl Matcher {
    pub(crate) fn new() -> Self {
        Self { synonyms: Synonyms::new(), judged: Mutex::new(HashMap::new()) }
    }

    pub(crate) fn synonyms(&self) -> &Synonyms {
        &self.synonyms
    }

    /// Likeness of meaning of two words that are not forms of one stem, 0 to 1.
    fn meaning(&self, term: &Term, word: &Word) -> f64 {
        let mut judged = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
        if judged.len() > 4_000 {
            judged.clear();
        }
        if let Some(known) = judged.get(&term.word).and_then(|known| known.get(&word.word)) {
            return *known;
        }
        let likeness = self.judge(term, word);
        judged.entry(term.word.clone()).or_default().insert(word.word.clone(), likeness);
        likeness
    }

    fn judge(&self, term: &Term, word: &Word) -> f64 {
        if APART.iter().any(|(a, b)| {
            (term.stem == *a && word.stem == *b) || (term.stem == *b && word.stem == *a)
        }) {
            return 0.0;
        }
        if self.synonyms.related(&term.stem, &word.stem) {
            return 0.8;
        }
        let relation = WordNet::builtin().relation(&term.word, &word.word);
        if relation.is_antonym() {
            return 0.0;
        }
        let named = f64::from(relation.strength()).min(0.85);
        let table = StaticEmbedder::builtin();
        let vectors = (table.word_vector(&term.word), table.word_vector(&word.word));
        let known = vectors.0.is_some() && vectors.1.is_some();
        let cosine = match vectors {
            (Some(a), Some(b)) => dot(&a, &b),
            _ => 0.0,
        };
        let near = if cosine >= WORD_COSINE {
            (0.45 + f64::from(cosine - WORD_COSINE) * 0.8).min(0.75)
        } else if cosine >= WORD_COSINE - 0.12 && named >= 0.3 {
            // Two weak signs that agree.
            0.5
        } else {
            0.0
        };
        // A dictionary joins words in their rarest senses too ("baptize", "name"): use must not speak against it.
        let named = if known && cosine < APART_IN_USE { named * 0.5 } else { named };
        let both = if named >= 0.4 { named } else { 0.0 };
        both.max(near)
    }

    /// How well a word of the text stands for a term of the question, 0 to 1.
    pub(crate) fn likeness(&self, term: &Term, word: &Word) -> f64 {
        if term.stem == word.stem || term.word == word.word {
            return 1.0;
        }
        let digits = |s: &str| s.chars().any(|c| c.is_ascii_digit());
        if digits(&term.word) || digits(&word.word) {
            // "3,120" and "3120" are one number; "VLX-400" and "VLX-500" are two names.
            let plain = |s: &str| s.replace(',', "");
            return if plain(&term.word) == plain(&word.word) { 1.0 } else { 0.0 };
        }
        if term.word.contains('-') || word.word.contains('-') {
            let joined = |s: &str| s.replace('-', "");
            if joined(&term.word) == joined(&word.word) {
                return 1.0;
            }
            let part = |whole: &str, piece: &str| {
                whole.contains('-')
                    && whole.split('-').any(|p| elenchus_core::text::stem(p) == piece)
            };
            if part(&word.word, &term.stem) || part(&term.word, &word.stem) {
                return 0.9;
            }
        }
        if term.hard && term.name.is_some() {
            // A name has no synonyms, but for the few that everybody uses for one another.
            return if term.alias && self.synonyms.related(&term.stem, &word.stem) {
                0.85
            } else {
                0.0
            };
        }
        if derived(&term.stem, &word.stem) {
            return 0.9;
        }
        if is_day_of(&term.word, &word.word) {
            return 0.9;
        }
        if term.stem == "quarter" && matches!(word.word.as_str(), "q1" | "q2" | "q3" | "q4") {
            return 0.9;
        }
        if is_stop_word(&word.word) {
            return 0.0;
        }
        self.meaning(term, word)
    }
}

/// A Sunday is a day of the weekend, a Monday a weekday.
fn is_day_of(asked: &str, said: &str) -> bool {
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    match singular(said).as_str() {
        "weekend" => WEEKDAYS[5..].contains(&singular(asked).as_str()),
        "weekday" => WEEKDAYS[..5].contains(&singular(asked).as_str()),
        _ => false,
    }
}

/// Same word family: a long common beginning.
fn derived(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let longer = a.chars().count().max(b.chars().count());
    common >= 4 && common * 10 >= longer * 6
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_week() {
        assert!(is_day_of("sundays", "weekends") && is_day_of("monday", "weekdays"));
        assert!(!is_day_of("monday", "weekend") && !is_day_of("sunday", "sunday"));
    }

    #[test]
    fn word_families() {
        assert!(derived("valuat", "valu"));
        assert!(derived("certif", "certifi"));
        assert!(!derived("report", "repair"));
    }
}
