//! Fits what the signals weigh: a softmax over the sentences of each claim, the gold ones to come out on top; then a
//! logistic level, so that scores of different texts can be compared.

use super::cases::{Case, ordered};
use super::table;
use crate::metrics::balanced_accuracy;
use elenchus_core::id::short_hash;
use elenchus_io::verify::select::{COUNT, NAMES};

/// L2 penalty on standardised weights.
const PENALTY: f64 = 0.01;
const FOLDS: usize = 5;
const STEPS: usize = 120;

type Weights = [f64; COUNT];

/// Prints cross-validated figures, figures of each set under the other's weights, and the table to ship.
pub(super) fn report(all: &[(String, Vec<Case>)]) {
    println!("fitted anew, {FOLDS}-fold by claim:");
    let fold = |case: &Case| {
        usize::from_str_radix(&short_hash(case.claim.as_bytes(), 6), 16).unwrap_or(0) % FOLDS
    };
    let folds: Vec<Weights> = (0..FOLDS)
        .map(|left_out| {
            weights(
                &all.iter()
                    .map(|(_, cases)| cases.iter().filter(|case| fold(case) != left_out).collect())
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    for (name, cases) in all {
        println!(" {name}");
        table("cross-validated", cases, &|case| order(case, &folds[fold(case)]));
    }
    for (name, cases) in all {
        let others: Vec<Vec<&Case>> = all
            .iter()
            .filter(|(other, _)| other != name)
            .map(|(_, cases)| cases.iter().collect())
            .collect();
        if others.is_empty() {
            continue;
        }
        println!(" {name} left out");
        let weights = weights(&others);
        table("left out", cases, &|case| order(case, &weights));
    }
    let groups: Vec<Vec<&Case>> = all.iter().map(|(_, cases)| cases.iter().collect()).collect();
    let fitted = weights(&groups);
    println!("pub(super) const WEIGHTS: [f64; COUNT] = [");
    for (weight, name) in fitted.iter().zip(NAMES) {
        println!("    {weight:.3}, // {name}");
    }
    println!("];");
    let level = level(&groups, &fitted);
    println!("pub(super) const LEVEL: [f64; 4] = {level:.3?};");
    threshold(&groups, &fitted, level);
}

fn score(values: &Weights, weights: &Weights) -> f64 {
    values.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

fn order(case: &Case, weights: &Weights) -> Vec<usize> {
    let scores: Vec<f64> =
        case.signals.sentences.iter().map(|values| score(values, weights)).collect();
    ordered(&scores)
}

/// Weights under which gold sentences come out on top; every group counts the same. Half of the loss asks for all
/// gold sentences, half for any of them.
fn weights(groups: &[Vec<&Case>]) -> Weights {
    let cases: Vec<(&Case, f64)> = groups
        .iter()
        .flat_map(|group| {
            let weight = 1.0 / (group.len() * groups.len()).max(1) as f64;
            group.iter().map(move |case| (*case, weight))
        })
        .collect();
    let rows = || cases.iter().flat_map(|(case, _)| &case.signals.sentences);
    let n = rows().count().max(1) as f64;
    let mut mean = [0.0; COUNT];
    let mut deviation = [0.0; COUNT];
    for row in rows() {
        for i in 0..COUNT {
            mean[i] += row[i] / n;
        }
    }
    for row in rows() {
        for i in 0..COUNT {
            deviation[i] += (row[i] - mean[i]).powi(2) / n;
        }
    }
    // A signal that hardly varies would get a weight that no other text can bear.
    let deviation = deviation.map(|value: f64| value.sqrt().max(0.15));
    let mut at = [0.0; COUNT];
    let mut ahead = at;
    let mut momentum = 1.0f64;
    for _ in 0..STEPS {
        let mut gradient = ahead.map(|weight| 2.0 * PENALTY * weight);
        let raw: Weights = std::array::from_fn(|i| ahead[i] / deviation[i]);
        for (case, weight) in &cases {
            let sentences = &case.signals.sentences;
            let scores: Vec<f64> = sentences.iter().map(|values| score(values, &raw)).collect();
            let top = scores.iter().copied().fold(f64::MIN, f64::max);
            let powers: Vec<f64> = scores.iter().map(|score| (score - top).exp()).collect();
            let total: f64 = powers.iter().sum();
            let of_gold: f64 = case.gold.iter().filter_map(|at| powers.get(*at)).sum();
            let share = 1.0 / case.gold.len().max(1) as f64;
            for (place, values) in sentences.iter().enumerate() {
                let mut error = powers[place] / total;
                if case.gold.contains(&place) {
                    error -= 0.5 * share + 0.5 * powers[place] / of_gold.max(1e-300);
                }
                for i in 0..COUNT {
                    gradient[i] += weight * error * values[i] / deviation[i];
                }
            }
        }
        let before = at;
        for i in 0..COUNT {
            at[i] = ahead[i] - 0.25 * gradient[i];
        }
        let next = f64::midpoint(1.0, (1.0 + 4.0 * momentum * momentum).sqrt());
        for i in 0..COUNT {
            ahead[i] = at[i] + (momentum - 1.0) / next * (at[i] - before[i]);
        }
        momentum = next;
    }
    std::array::from_fn(|i| at[i] / deviation[i])
}

/// What decides whether a sentence is relevant at all, with its label and its weight. Against are the sentences of
/// the same text that are not gold and those of a text of another claim; for and against weigh the same, and so do
/// the groups.
fn samples(groups: &[Vec<&Case>], weights: &Weights) -> Vec<([f64; 3], bool, f64)> {
    let mut out = Vec::new();
    for group in groups {
        let from = out.len();
        for case in group {
            for (signals, own) in [(&case.signals, true), (&case.other, false)] {
                let best = signals.best;
                out.extend(signals.sentences.iter().enumerate().map(|(at, values)| {
                    let gold = own && case.gold.contains(&at);
                    ([score(values, weights), best[0], best[1]], gold, 1.0)
                }));
            }
        }
        let n = (out.len() - from) as f64;
        let gold = out[from..].iter().filter(|sample| sample.1).count() as f64;
        for sample in &mut out[from..] {
            sample.2 = 0.5 / if sample.1 { gold } else { n - gold } / groups.len() as f64;
        }
    }
    out
}

/// Plain logistic regression of [`samples`]: three weights and a constant.
fn level(groups: &[Vec<&Case>], weights: &Weights) -> [f64; 4] {
    let samples = samples(groups, weights);
    let mut mean = [0.0; 3];
    let mut deviation = [0.0; 3];
    for (values, _, weight) in &samples {
        for i in 0..3 {
            mean[i] += weight * values[i];
        }
    }
    for (values, _, weight) in &samples {
        for i in 0..3 {
            deviation[i] += weight * (values[i] - mean[i]).powi(2);
        }
    }
    let deviation = deviation.map(|value: f64| value.sqrt().max(1e-6));
    let mut at = [0.0; 4];
    for _ in 0..400 {
        let mut gradient = [0.0; 4];
        for (values, gold, weight) in &samples {
            let x = [0, 1, 2].map(|i| (values[i] - mean[i]) / deviation[i]);
            let sum = at[3] + (0..3).map(|i| at[i] * x[i]).sum::<f64>();
            let error = weight * (1.0 / (1.0 + (-sum).exp()) - f64::from(*gold));
            for i in 0..3 {
                gradient[i] += error * x[i];
            }
            gradient[3] += error;
        }
        for i in 0..4 {
            at[i] -= gradient[i];
        }
    }
    let constant = at[3] - (0..3).map(|i| at[i] * mean[i] / deviation[i]).sum::<f64>();
    [at[0] / deviation[0], at[1] / deviation[1], at[2] / deviation[2], constant]
}

/// Thresholds with what they keep.
fn threshold(groups: &[Vec<&Case>], weights: &Weights, level: [f64; 4]) {
    let similar = |values: &[f64; 3]| {
        let sum = level[3] + (0..3).map(|i| level[i] * values[i]).sum::<f64>();
        1.0 / (1.0 + (-sum).exp())
    };
    let rows: Vec<(f64, bool)> =
        samples(groups, weights).iter().map(|(values, gold, _)| (similar(values), *gold)).collect();
    for cut in [0.2, 0.3, 0.4, 0.5, 0.6] {
        let kept: Vec<String> = groups
            .iter()
            .map(|group| {
                let supported: Vec<&&Case> = group.iter().filter(|case| case.supported).collect();
                let kept = supported
                    .iter()
                    .filter(|case| {
                        case.gold.iter().filter_map(|at| case.signals.sentences.get(*at)).any(
                            |values| {
                                let best = case.signals.best;
                                similar(&[score(values, weights), best[0], best[1]]) >= cut
                            },
                        )
                    })
                    .count();
                format!("{:.3}", kept as f64 / supported.len().max(1) as f64)
            })
            .collect();
        println!(
            " from {cut} on: balanced accuracy {:.3}, supported claims kept {kept:?}",
            balanced_accuracy(&rows, cut)
        );
    }
}
