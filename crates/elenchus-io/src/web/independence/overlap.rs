//! How much two texts tell the same.

use std::collections::BTreeSet;

/// Words of one run.
const RUN: usize = 4;
/// The share of the shorter text's runs from which two reports are one, edited.
const SAME_WORDS: f64 = 0.2;
/// The share of the shorter text's figures and names, when at least [`FACTS`] are shared.
const SAME_FACTS: f64 = 0.6;
const FACTS: usize = 4;

/// What a text says, for comparing.
#[derive(Debug)]
pub(super) struct Content {
    runs: BTreeSet<u64>,
    /// Figures and words with a capital that do not begin a sentence.
    facts: BTreeSet<String>,
}

impl Content {
    pub(super) fn of(text: &str) -> Self {
        let words = words(text);
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let runs = lower.windows(RUN).map(hash).collect();
        let mut facts = BTreeSet::new();
        let mut begins = true;
        let mut rest = text;
        for word in words {
            let at = rest.find(word).unwrap_or(0);
            let between = &rest[..at];
            begins |= between.contains(['.', '!', '?', '\n', ':', '"', '\u{201c}']);
            let figure = word.starts_with(|c: char| c.is_ascii_digit());
            let capital = word.starts_with(char::is_uppercase) && word.chars().count() > 2;
            if figure || (capital && !begins) {
                facts.insert(word.to_lowercase());
            }
            begins = false;
            rest = &rest[at + word.len()..];
        }
        Self { runs, facts }
    }

    /// Whether this and the other are one report, perhaps edited.
    pub(super) fn tells_the_same(&self, other: &Self) -> bool {
        let share =
            |shared: usize, one: usize, other: usize| shared as f64 / one.min(other).max(1) as f64;
        let runs = self.runs.intersection(&other.runs).count();
        if runs >= FACTS && share(runs, self.runs.len(), other.runs.len()) >= SAME_WORDS {
            return true;
        }
        let shared: Vec<&String> = self.facts.intersection(&other.facts).collect();
        let figure = shared.iter().any(|fact| fact.starts_with(|c: char| c.is_ascii_digit()));
        figure
            && shared.len() >= FACTS
            && share(shared.len(), self.facts.len(), other.facts.len()) >= SAME_FACTS
    }
}

/// Runs of letters and digits, a figure with its points and commas as one: "1,240", "61.5".
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ',')))
        .flat_map(|part| {
            let part = part.trim_matches(['.', ',']);
            let figure = part.starts_with(|c: char| c.is_ascii_digit());
            let apart: Vec<&str> =
                if figure { vec![part] } else { part.split(['.', ',']).collect() };
            apart
        })
        .filter(|word| !word.is_empty())
        .collect()
}

/// Words that carry what a sentence says: figures, and words of four letters and more.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    words(text)
        .into_iter()
        .filter(|word| word.chars().count() > 3 || word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_lowercase)
        .collect()
}

fn hash(words: &[String]) -> u64 {
    // FNV-1a, with a byte that is in no word between two of them.
    words
        .iter()
        .flat_map(|word| word.bytes().chain([0xff]))
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
