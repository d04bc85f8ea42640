//! Weights of the combined score from what a reader said of scored memos.

use super::Weights;
use serde::{Deserialize, Serialize};

/// A memo that was shown, and whether it was worth reading.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedMemo {
    /// Its similarity, in `[0, 1]`.
    pub similarity: f64,
    /// The strength of its best path, in `[0, 1]`.
    pub relation: f64,
    /// What the reader said.
    pub useful: bool,
}

/// Weights that order judged memos better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedWeights {
    /// The weights; they sum to 1.
    pub weights: Weights,
    /// Pairs of a useful and a useless memo that they were learnt from.
    pub pairs: usize,
    /// The share of those pairs that the weights before put in the right order, ties half.
    pub before: f64,
    /// The share that these do. The same pairs were learnt from, so it flatters.
    pub after: f64,
}

/// Steps of the search for the share of similarity.
const STEPS: u32 = 20;
/// So many pairs weigh as much as the wish to stay with the weights before.
const PAIRS: f64 = 30.0;

/// The share of similarity, from 0 to 1 in twentieths, that orders useful memos before useless ones best. With few pairs
/// it stays near `before`: a step away from it costs its square, times `30 / (30 + pairs)`. `None` when nothing useful or
/// nothing useless was judged.
pub fn learned(judged: &[JudgedMemo], before: Weights) -> Option<LearnedWeights> {
    let (useful, useless): (Vec<&JudgedMemo>, Vec<&JudgedMemo>) =
        judged.iter().partition(|one| one.useful);
    let pairs = useful.len() * useless.len();
    if pairs == 0 {
        return None;
    }
    let right = |weights: Weights| {
        let figure = |one: &JudgedMemo| weights.combined(one.similarity, one.relation);
        let mut right = 0.0;
        for good in &useful {
            for bad in &useless {
                let ahead = figure(good) - figure(bad);
                right += if ahead.abs() < 1e-12 { 0.5 } else { f64::from(ahead > 0.0) };
            }
        }
        right / pairs as f64
    };
    let start = before.combined(1.0, 0.0);
    let mut best = (f64::NEG_INFINITY, before);
    for step in 0..=STEPS {
        let similarity = f64::from(step) / f64::from(STEPS);
        let weights = Weights { similarity, relation: 1.0 - similarity };
        let far = similarity - start;
        let worth = right(weights) - far * far * PAIRS / (PAIRS + pairs as f64);
        if worth > best.0 + 1e-12 {
            best = (worth, weights);
        }
    }
    Some(LearnedWeights { weights: best.1, pairs, before: right(before), after: right(best.1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(similarity: f64, relation: f64, useful: bool) -> JudgedMemo {
        JudgedMemo { similarity, relation, useful }
    }

    #[test]
    fn weights_go_where_the_judgements_point_and_few_move_them_little() {
        let by_relation: Vec<JudgedMemo> = (0..10)
            .flat_map(|n| {
                let x = f64::from(n) / 10.0;
                [judged(x, 0.6, true), judged(x + 0.05, 0.5, false)]
            })
            .collect();
        let many = learned(&by_relation, Weights::default()).expect("both kinds are there");
        assert!(many.weights.similarity < 0.3 && many.after > many.before, "{many:?}");
        assert_eq!(many.pairs, 100);
        let few = learned(&by_relation[..2], Weights::default()).expect("both kinds are there");
        assert!((few.weights.similarity - 0.6).abs() <= (many.weights.similarity - 0.6).abs());
        assert!((many.weights.similarity + many.weights.relation - 1.0).abs() < 1e-12);
        assert_eq!(learned(&[judged(0.1, 0.2, true)], Weights::default()), None);
        let same = [judged(0.5, 0.5, true), judged(0.5, 0.5, false)];
        let stays = learned(&same, Weights::default()).expect("both kinds are there");
        assert!((stays.weights.similarity - 0.6).abs() < 1e-9, "nothing is learnt from a tie");
    }
}
