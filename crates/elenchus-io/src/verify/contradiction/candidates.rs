//! Pairs of statements that share something rare, by an inverted index.

use crate::verify::sentence::Sentence;
use crate::verify::tokens::Pos;
use std::collections::{BTreeMap, BTreeSet};

/// A word in more statements than this tells nothing apart; its neighbour joined to it may.
const COMMON: usize = 48;

/// Words of a statement that are looked up, rarest first.
const WORDS: usize = 24;

/// Pairs of positions, the smaller first, in order. Each statement is paired with those that share most with it, at
/// most `neighbours`; linear in the number of statements.
pub(super) fn pairs(statements: &[Sentence], neighbours: usize) -> Vec<(usize, usize)> {
    let keys: Vec<BTreeSet<String>> = statements.iter().map(keys).collect();
    let mut index: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, keys) in keys.iter().enumerate() {
        for key in keys {
            index.entry(key).or_default().push(at);
        }
    }
    let mut found = BTreeSet::new();
    for (at, keys) in keys.iter().enumerate() {
        let mut posted: Vec<&Vec<usize>> = keys
            .iter()
            .filter_map(|key| index.get(key.as_str()))
            .filter(|posting| (2..=COMMON).contains(&posting.len()))
            .collect();
        posted.sort_by_key(|posting| posting.len());
        posted.truncate(WORDS);
        let mut score: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
        for posting in posted {
            let rare = (1.0 + statements.len() as f64 / posting.len() as f64).ln();
            for other in posting.iter().filter(|other| **other != at) {
                let entry = score.entry(*other).or_default();
                entry.0 += rare;
                entry.1 += 1;
            }
        }
        let mut near: Vec<(f64, usize)> = score
            .into_iter()
            .filter(|(_, (_, met))| *met >= 2)
            .map(|(other, (score, _))| (score, other))
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found.extend(
            near.into_iter().take(neighbours).map(|(_, other)| (at.min(other), at.max(other))),
        );
    }
    found.into_iter().collect()
}

/// Stems of the words with content, and of each two that follow one another.
fn keys(statement: &Sentence) -> BTreeSet<String> {
    let stems: Vec<&str> = statement
        .words
        .iter()
        .filter(|word| {
            matches!(word.token.pos, Pos::Noun | Pos::ProperNoun | Pos::Verb | Pos::Adjective)
        })
        .map(|word| word.token.stem.as_str())
        .collect();
    let joined = stems.windows(2).map(|two| two.join(" "));
    stems.iter().map(|stem| (*stem).to_owned()).chain(joined).collect()
}
