//! Which sentences bear on a claim: a weighted sum of signals a sentence, the weights fitted on gold sentences.

mod cues;
mod ground;
mod short_forms;
mod signals;
#[cfg(test)]
mod tests;
mod weights;
mod words;

pub use ground::ground;
pub use signals::{COUNT, NAMES, Signals, signals};

use super::sentence::Sentence;

/// A sentence that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selected {
    /// Its position in the evidence.
    pub sentence: usize,
    /// How sure it is that it bears on the claim, 0 to 1; not how sure that it bears the claim out.
    pub similarity: f64,
}

/// From this similarity on a sentence may bear on the claim. Chosen on the dev sets: 97 of 100 supported claims or
/// more keep a gold sentence.
pub const RELEVANT: f64 = 0.5;

/// The sentences nearest to the claim, at most `limit`, nearest first; of equals the earlier one first.
pub fn select(claim: &Sentence, evidence: &[&Sentence], limit: usize) -> Vec<Selected> {
    let found = signals(claim, evidence);
    let mut chosen: Vec<(Selected, f64)> = found
        .sentences
        .iter()
        .enumerate()
        .map(|(sentence, values)| {
            let score = score(values);
            (Selected { sentence, similarity: similarity(score, found.best) }, score)
        })
        .collect();
    // By the score: similarities of the far end may round to the same number.
    chosen.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.sentence.cmp(&b.0.sentence)));
    chosen.truncate(limit);
    chosen.into_iter().map(|(selected, _)| selected).collect()
}

fn score(values: &[f64; COUNT]) -> f64 {
    weights::WEIGHTS.iter().zip(values).map(|(weight, value)| weight * value).sum()
}

/// Rises with the score; the same for all sentences of a text apart from it, so that it keeps their order.
fn similarity(score: f64, best: [f64; 2]) -> f64 {
    let [by_score, by_words, by_direction, constant] = weights::LEVEL;
    let sum = by_score * score + by_words * best[0] + by_direction * best[1] + constant;
    1.0 / (1.0 + (-sum).exp())
}
