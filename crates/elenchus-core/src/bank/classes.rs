//! What strategies of one class are really worth: a prior learned from labelled outcomes (empirical Bayes).
//!
//! A first confidence of 0.7 or 0.8 says what the design hoped for. Once enough tasks reported how they ended, the
//! strategies of a class show how often such strategies help and how much they differ; `calibrated` is the
//! posterior over that prior, and stands beside `confidence`.

use super::beta::{Posterior, ln_gamma};
use super::posterior::{Evidence, Prior};
use super::settings::BankSettings;
use super::strategy::{Draft, Origin, Outcome};
use super::weights::Weights;
use serde::{Deserialize, Serialize};

/// Strategies of a class that have to be labelled before it is calibrated.
const FEWEST_STRATEGIES: usize = 5;
/// Outcomes that they have to have together.
const FEWEST_OUTCOMES: f64 = 20.0;
/// The strengths that are tried, from strategies that differ in everything to ones that are all alike.
const STRENGTHS: [f64; 9] = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0];
/// Hundredths of the mean between the first places that are tried; around the best of them every hundredth is.
const STRIDE: u32 = 5;

/// Strategies that came about alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Class {
    /// How.
    pub origin: Origin,
    /// To follow or to avoid.
    pub outcome: Outcome,
}

impl Class {
    /// The class of a draft.
    pub fn of(draft: &Draft) -> Self {
        Self { origin: draft.origin, outcome: draft.outcome }
    }
}

/// Outcomes of one strategy: tasks that succeeded and that failed, by share and age.
pub fn labelled(evidence: &Evidence) -> (f64, f64) {
    let sums = evidence.reported.values();
    sums.fold((0.0, 0.0), |(pos, neg), one| (pos + one.outcome_pos, neg + one.outcome_neg))
}

/// The prior under which the labelled outcomes of a class are likeliest, with a slight pull toward the class's own first
/// confidence; `None` where fewer than five strategies or twenty outcomes are labelled. `outcomes` are [`labelled`] figures, one a strategy.
pub fn learned_prior(outcomes: &[(f64, f64)], first: Prior) -> Option<Prior> {
    let heard: Vec<(f64, f64)> = outcomes
        .iter()
        .copied()
        .filter(|(pos, neg)| pos.is_finite() && neg.is_finite() && *pos >= 0.0 && *neg >= 0.0)
        .filter(|(pos, neg)| pos + neg > 0.0)
        .collect();
    let total: f64 = heard.iter().map(|(pos, neg)| pos + neg).sum();
    if heard.len() < FEWEST_STRATEGIES || total < FEWEST_OUTCOMES {
        return None;
    }
    // Two grids serve: the likelihood of a beta-binomial is smooth, and a place to the hundredth is more than the data can tell.
    let rough = (1..100 / STRIDE).map(|step| step * STRIDE);
    let near = best_of(&heard, first, rough, &STRENGTHS)?;
    let middle = (near.mean * 100.0).round() as u32;
    let fine = middle.saturating_sub(STRIDE - 1).max(1)..=(middle + STRIDE - 1).min(99);
    best_of(&heard, first, fine, &[0.8 * near.strength, near.strength, 1.25 * near.strength])
}

/// The likeliest prior among these means, in hundredths, and strengths.
fn best_of(
    heard: &[(f64, f64)],
    first: Prior,
    means: impl Iterator<Item = u32>,
    strengths: &[f64],
) -> Option<Prior> {
    let pull = first.posterior();
    let mut best: Option<(f64, Prior)> = None;
    for hundredths in means {
        let mean = f64::from(hundredths) / 100.0;
        let pulled = pull.alpha * mean.ln() + pull.beta * (1.0 - mean).ln();
        for strength in strengths {
            let (alpha, beta) = (mean * strength, (1.0 - mean) * strength);
            let own = ln_beta(alpha, beta);
            let fit: f64 =
                heard.iter().map(|(pos, neg)| ln_beta(alpha + pos, beta + neg) - own).sum();
            if best.is_none_or(|(most, _)| fit + pulled > most) {
                best = Some((fit + pulled, Prior { mean, strength: *strength }));
            }
        }
    }
    best.map(|(_, prior)| prior)
}

/// The confidence of a strategy over its class's learned prior.
pub fn calibrated(
    evidence: &Evidence,
    learned: Prior,
    weights: &Weights,
    settings: &BankSettings,
) -> Posterior {
    // Being shown is no outcome: it is left out here.
    let unshown = Evidence { exposures: 0.0, ..evidence.clone() };
    unshown.posterior(learned, weights, settings)
}

fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}
