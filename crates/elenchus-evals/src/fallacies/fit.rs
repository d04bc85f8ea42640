//! Fitting: multinomial logistic regression by L-BFGS. Deterministic: no random numbers, one thread.

use elenchus_core::scrutiny::fallacy::model::{Calibration, Features, Model, Vocabulary, softmax};
use std::collections::{BTreeMap, VecDeque};

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// How much the data count against the penalty (the C of liblinear).
    pub(crate) trust: f64,
    /// A feature has to occur in this many texts.
    pub(crate) fewest: usize,
    /// Most features; the most frequent ones stay.
    pub(crate) most: usize,
    /// 0 weighs every text alike, 1 every class alike.
    pub(crate) balance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { trust: 3.0, fewest: 2, most: usize::MAX, balance: 1.0 }
    }
}

const ROUNDS: usize = 120;
const MEMORY: usize = 6;

/// Fits a model on labelled features. Its calibration is marked as not fitted: that takes held-out texts, which the caller has.
pub(crate) fn fit(texts: &[(&Features, &str)], settings: &Settings) -> Model {
    let mut classes: Vec<String> = texts.iter().map(|(_, label)| (*label).to_owned()).collect();
    classes.sort_unstable();
    classes.dedup();
    let vocabulary = vocabulary(texts, settings);
    let labels: Vec<usize> = texts
        .iter()
        .map(|(_, label)| classes.binary_search_by(|class| class.as_str().cmp(label)).unwrap_or(0))
        .collect();
    let mut counts = vec![0.0f64; classes.len()];
    for label in &labels {
        counts[*label] += 1.0;
    }
    let share = texts.len() as f64 / classes.len() as f64;
    let problem = Problem {
        rows: texts.iter().map(|(features, _)| vocabulary.vector(features)).collect(),
        importance: labels.iter().map(|l| (share / counts[*l]).powf(settings.balance)).collect(),
        labels,
        classes: classes.len(),
        width: vocabulary.ids.len(),
        penalty: 1.0 / (settings.trust * texts.len() as f64),
    };
    let solution = problem.solve();
    let at = problem.width * problem.classes;
    let calibration = Calibration {
        temperature: 1.0,
        strict: 0.99,
        sensitive: 0.5,
        agreement: 0.9,
        fitted: false,
    };
    Model::new(classes, vocabulary, calibration, solution[at..].to_vec(), &solution[..at])
}

fn vocabulary(texts: &[(&Features, &str)], settings: &Settings) -> Vocabulary {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for (features, _) in texts {
        for id in features.ids() {
            *counts.entry(id).or_default() += 1;
        }
    }
    let mut kept: Vec<(u32, usize)> =
        counts.into_iter().filter(|(_, count)| *count >= settings.fewest).collect();
    if kept.len() > settings.most {
        kept.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), *id));
        kept.truncate(settings.most);
        kept.sort_unstable();
    }
    let n = texts.len() as f64;
    let idf = |count: usize| (((1.0 + n) / (1.0 + count as f64)).ln() + 1.0) as f32;
    Vocabulary {
        ids: kept.iter().map(|(id, _)| *id).collect(),
        idf: kept.iter().map(|(_, count)| idf(*count)).collect(),
    }
}

struct Problem {
    rows: Vec<Vec<(u32, f32)>>,
    labels: Vec<usize>,
    importance: Vec<f64>,
    classes: usize,
    width: usize,
    penalty: f64,
}

impl Problem {
    /// Loss, and its slope into `slope`. Weights: a row of the vocabulary after the other, then the biases.
    fn loss(&self, weights: &[f32], slope: &mut [f32]) -> f64 {
        let (n, biases) = (self.classes, self.width * self.classes);
        let penalised = weights[..biases].iter().map(|w| f64::from(*w).powi(2)).sum::<f64>();
        let mut loss = 0.5 * self.penalty * penalised;
        for (slope, weight) in slope.iter_mut().zip(weights) {
            *slope = self.penalty as f32 * weight;
        }
        slope[biases..].fill(0.0);
        let total: f64 = self.importance.iter().sum();
        for ((row, label), importance) in self.rows.iter().zip(&self.labels).zip(&self.importance) {
            let mut scores: Vec<f32> = weights[biases..].to_vec();
            for (feature, value) in row {
                let from = *feature as usize * n;
                for (score, weight) in scores.iter_mut().zip(&weights[from..from + n]) {
                    *score += value * weight;
                }
            }
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let mut shares = softmax(&scores, 1.0);
            let share = importance / total;
            loss -= share * shares[*label].max(1e-12).ln();
            shares[*label] -= 1.0;
            let pulls: Vec<f32> = shares.iter().map(|s| (s * share) as f32).collect();
            for (feature, value) in row {
                let from = *feature as usize * n;
                for (slope, pull) in slope[from..from + n].iter_mut().zip(&pulls) {
                    *slope += value * pull;
                }
            }
            for (slope, pull) in slope[biases..].iter_mut().zip(&pulls) {
                *slope += pull;
            }
        }
        loss
    }

    fn solve(&self) -> Vec<f32> {
        let size = (self.width + 1) * self.classes;
        let (mut at, mut slope) = (vec![0.0f32; size], vec![0.0f32; size]);
        let mut loss = self.loss(&at, &mut slope);
        let mut memory: VecDeque<(Vec<f32>, Vec<f32>, f64)> = VecDeque::new();
        let (mut next, mut next_slope) = (vec![0.0f32; size], vec![0.0f32; size]);
        for _ in 0..ROUNDS {
            let way = direction(&slope, &memory);
            let fall = dot(&slope, &way);
            if fall >= -1e-12 {
                break;
            }
            let mut step =
                if memory.is_empty() { (1.0 / dot(&slope, &slope).sqrt()).min(10.0) } else { 1.0 };
            let mut better = f64::INFINITY;
            for _ in 0..25 {
                for ((next, at), way) in next.iter_mut().zip(&at).zip(&way) {
                    *next = at + step as f32 * way;
                }
                better = self.loss(&next, &mut next_slope);
                if better <= loss + 1e-4 * step * fall {
                    break;
                }
                step *= 0.5;
            }
            if better >= loss {
                break;
            }
            let moved: Vec<f32> = next.iter().zip(&at).map(|(a, b)| a - b).collect();
            let turned: Vec<f32> = next_slope.iter().zip(&slope).map(|(a, b)| a - b).collect();
            let curve = dot(&moved, &turned);
            if curve > 1e-14 {
                memory.push_back((moved, turned, 1.0 / curve));
                if memory.len() > MEMORY {
                    memory.pop_front();
                }
            }
            let gained = (loss - better) / loss.abs().max(1e-9);
            std::mem::swap(&mut at, &mut next);
            std::mem::swap(&mut slope, &mut next_slope);
            loss = better;
            if gained < 1e-5 {
                break;
            }
        }
        at
    }
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
}

/// The two-loop recursion.
fn direction(slope: &[f32], memory: &VecDeque<(Vec<f32>, Vec<f32>, f64)>) -> Vec<f32> {
    let mut way: Vec<f32> = slope.iter().map(|s| -s).collect();
    let mut shares = Vec::with_capacity(memory.len());
    for (moved, turned, inverse) in memory.iter().rev() {
        let share = inverse * dot(moved, &way);
        way.iter_mut().zip(turned).for_each(|(w, t)| *w -= share as f32 * t);
        shares.push(share);
    }
    if let Some((moved, turned, _)) = memory.back() {
        let scale = (dot(moved, turned) / dot(turned, turned)) as f32;
        for way in &mut way {
            *way *= scale;
        }
    }
    for ((moved, turned, inverse), share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = share - inverse * dot(turned, &way);
        way.iter_mut().zip(moved).for_each(|(w, m)| *w += back as f32 * m);
    }
    way
}

/// The temperature at which scores of held-out texts are least surprised by their labels.
pub(crate) fn temperature(scores: &[(Vec<f64>, usize)]) -> f64 {
    let surprise = |temperature: f64| -> f64 {
        scores
            .iter()
            .map(|(scores, label)| -softmax(scores, temperature)[*label].max(1e-12).ln())
            .sum()
    };
    let grid = (0..60).map(|i| 0.1 * 1.06f64.powi(i));
    grid.min_by(|a, b| surprise(*a).total_cmp(&surprise(*b))).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::scrutiny::fallacy::features;

    #[test]
    fn separable_texts_are_separated() {
        let texts =
            ["red red apple", "red cherry red", "blue sea today", "the blue sky"].map(features);
        let labels = ["ad_hominem", "ad_hominem", "none", "none"];
        let pairs: Vec<(&Features, &str)> = texts.iter().zip(labels).collect();
        let settings = Settings { fewest: 1, trust: 10.0, ..Settings::default() };
        let model = fit(&pairs, &settings);
        for (text, label) in pairs {
            let p = model.probabilities(text);
            let at = model.classes().iter().position(|class| class == label).unwrap();
            assert!(p[at] > 0.7, "{p:?}");
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn sure_scores_that_are_wrong_ask_for_heat() {
        let sure = vec![(vec![5.0, 0.0], 0), (vec![5.0, 0.0], 1), (vec![5.0, 0.0], 0)];
        assert!(temperature(&sure) > 2.0);
    }
}
