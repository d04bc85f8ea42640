//! Claims with gold sentences, prepared once for all ways to order the sentences.

use crate::claims::sets::{Label, Pair, Set};
use elenchus_core::text::content_set;
use elenchus_io::embed::dot;
use elenchus_io::verify::features::nearest;
use elenchus_io::verify::select::{Selected, Signals, select, signals};
use elenchus_io::verify::sentence::Sentence;
use std::collections::BTreeSet;
use std::time::Instant;

/// A claim, what is gold, and what each way to select gives.
pub(super) struct Case {
    pub(super) claim: String,
    pub(super) texts: Vec<String>,
    /// In any of the sets.
    pub(super) gold: BTreeSet<usize>,
    sets: Vec<BTreeSet<usize>>,
    pub(super) supported: bool,
    pub(super) signals: Signals,
    /// The signals of a text that belongs to another claim.
    pub(super) other: Signals,
    /// All sentences, nearest first.
    pub(super) picked: Vec<Selected>,
    /// The greatest similarity in a text that belongs to another claim.
    pub(super) strange: Option<f64>,
    pub(super) overlap: Vec<usize>,
    pub(super) cosine: Vec<usize>,
    pub(super) cosines: Vec<f64>,
    pub(super) nearest: Vec<usize>,
    seconds: f64,
}

/// How good an order is: hits among the first 1, 3 and 5; the share of the first R that is gold, R being the size of
/// the gold set that it meets best; the same with all gold sentences as one set.
#[derive(Clone)]
pub(super) struct Ranking {
    pub(super) hit: [f64; 3],
    pub(super) precision: f64,
    pub(super) union_precision: f64,
}

impl Case {
    pub(super) fn picked_order(&self) -> Vec<usize> {
        self.picked.iter().map(|one| one.sentence).collect()
    }

    pub(super) fn judge(&self, order: &[usize]) -> Ranking {
        let precision = |set: &BTreeSet<usize>| {
            let found = order.iter().take(set.len()).filter(|at| set.contains(at)).count();
            found as f64 / set.len().max(1) as f64
        };
        Ranking {
            hit: [1, 3, 5]
                .map(|n| f64::from(order.iter().take(n).any(|at| self.gold.contains(at)))),
            precision: self.sets.iter().map(precision).fold(0.0, f64::max),
            union_precision: precision(&self.gold),
        }
    }
}

/// Seconds a claim takes once the sentences are prepared.
pub(super) fn time(cases: &[Case]) -> Option<f64> {
    let n = cases.len();
    (n > 0).then(|| cases.iter().map(|case| case.seconds).sum::<f64>() / n as f64)
}

/// The cases of a set, on all cores. Claims without a gold sentence are passed over.
pub(super) fn prepare(set: &Set) -> Vec<Case> {
    let pairs: Vec<&Pair> = set
        .pairs
        .iter()
        .filter(|pair| pair.gold_sentences.iter().flatten().any(|set| !set.is_empty()))
        .collect();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let size = pairs.len().div_ceil(cores).max(1);
    // The text of another claim: some way off, since neighbours may share a text.
    let other = |at: usize| pairs[(at + pairs.len() / 2) % pairs.len()];
    let other = &other;
    std::thread::scope(|scope| {
        let workers: Vec<_> = pairs
            .chunks(size)
            .enumerate()
            .map(|(c, chunk)| {
                scope.spawn(move || {
                    chunk
                        .iter()
                        .enumerate()
                        .map(|(i, pair)| one(pair, other(c * size + i)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("selecting does not panic"))
            .collect()
    })
}

fn one(pair: &Pair, other: &Pair) -> Case {
    let claim = Sentence::prepare(&pair.claim);
    let prepared: Vec<Sentence> = pair.evidence.iter().map(|t| Sentence::prepare(t)).collect();
    let evidence: Vec<&Sentence> = prepared.iter().collect();
    let strangers: Vec<Sentence> = other.evidence.iter().map(|t| Sentence::prepare(t)).collect();
    let strangers: Vec<&Sentence> = strangers.iter().collect();
    let started = Instant::now();
    let picked = select(&claim, &evidence, usize::MAX);
    let seconds = started.elapsed().as_secs_f64();
    let sets: Vec<BTreeSet<usize>> = pair
        .gold_sentences
        .iter()
        .flatten()
        .filter(|set| !set.is_empty())
        .map(|set| set.iter().copied().collect())
        .collect();
    let cosines: Vec<f64> =
        evidence.iter().map(|s| f64::from(dot(&claim.vector, &s.vector))).collect();
    Case {
        gold: sets.iter().flatten().copied().collect(),
        sets,
        supported: pair.label == Label::Supported,
        signals: signals(&claim, &evidence),
        other: signals(&claim, &strangers),
        picked,
        strange: select(&claim, &strangers, 1).first().map(|top| top.similarity),
        overlap: ordered(&overlap(pair)),
        cosine: ordered(&cosines),
        cosines,
        nearest: nearest(&claim, &evidence, evidence.len()).into_iter().map(|n| n.0).collect(),
        seconds,
        claim: pair.claim.clone(),
        texts: pair.evidence.clone(),
    }
}

/// The summed rarity (among the sentences) of the stems that a sentence shares with the claim.
fn overlap(pair: &Pair) -> Vec<f64> {
    let claim = content_set(&pair.claim);
    let sentences: Vec<BTreeSet<String>> = pair.evidence.iter().map(|t| content_set(t)).collect();
    let rarity = |stem: &String| {
        let having = sentences.iter().filter(|sentence| sentence.contains(stem)).count() as f64;
        (1.0 + sentences.len() as f64 / (1.0 + having)).ln()
    };
    sentences.iter().map(|s| claim.intersection(s).map(rarity).sum()).collect()
}

/// Positions by score, greatest first, of equals the earlier first.
pub(super) fn ordered(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_judged_by_the_set_that_it_meets_best() {
        let pair = Pair {
            id: String::new(),
            claim: "A mill burnt.".to_owned(),
            evidence: ["It rained.", "The mill burnt.", "The fire took the mill.", "Nobody came."]
                .map(str::to_owned)
                .into(),
            label: Label::Supported,
            above: Vec::new(),
            document: None,
            gold_sentences: Some(vec![vec![1], vec![0, 2]]),
        };
        let case = one(&pair, &pair);
        let ranking = case.judge(&[3, 1, 0, 2]);
        assert_eq!(ranking.hit.map(|hit| hit > 0.5), [false, true, true]);
        assert!(ranking.precision.abs() < 1e-12);
        assert!((ranking.union_precision - 2.0 / 3.0).abs() < 1e-12);
        assert!((case.judge(&[0, 1, 2, 3]).precision - 0.5).abs() < 1e-12);
        assert_eq!(case.overlap[0], 1);
    }
}
