//! The fitted numbers of the built-in verifier.

use super::cross_encoder::Classes;
use super::features::COUNT;
use elenchus_core::belief::{BearingTable, Calibration, Judging, Thresholds};
use elenchus_core::measure::sigmoid;
use elenchus_core::port::{Mismatch, MismatchKind};
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

static FILE: &str = include_str!("../../assets/verifier.json");

/// The calibration in the binary: what the figures of the built-in verifier turned out to mean on labelled pairs.
pub fn calibration() -> &'static Calibration {
    static FILE: &str = include_str!("../../assets/calibration.json");
    static BUILTIN: OnceLock<Calibration> = OnceLock::new();
    BUILTIN.get_or_init(|| {
        serde_json::from_str(FILE).expect("a test reads the calibration in the binary")
    })
}

/// How often answers of the extractive model were right on the labelled questions, by bearing.
fn bearing() -> &'static BearingTable {
    static FILE: &str = include_str!("../../assets/bearing.json");
    static BUILTIN: OnceLock<BearingTable> = OnceLock::new();
    BUILTIN
        .get_or_init(|| serde_json::from_str(FILE).expect("a test reads the table in the binary"))
}

/// What runs with the built-in verifier and the extractive model make figures with.
pub fn judging() -> Judging {
    let weights = Weights::builtin();
    Judging {
        contradictions: true,
        titles: true,
        fallacies: true,
        asks_model: false,
        verifier: format!("builtin-{}", weights.version),
        thresholds: weights.thresholds,
        // With its diagrams: a report that is made of a journal shows what its figures are worth.
        calibration: calibration().clone(),
        bearing: bearing().clone(),
    }
}

/// A logistic regression.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// The log-odds at zero.
    pub bias: f64,
    /// One an input.
    pub weights: Vec<f64>,
}

impl Regression {
    /// The probability.
    pub fn predict(&self, inputs: &[f64]) -> f64 {
        let score: f64 = self.weights.iter().zip(inputs).map(|(w, x)| w * x).sum();
        sigmoid(self.bias + score)
    }
}

/// P(supports) and P(refutes) from the same inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Regressions {
    /// Over all inputs.
    pub supports: Regression,
    /// Over what speaks of contradiction; the other weights are 0.
    pub refutes: Regression,
}

impl Regressions {
    /// P(supports) and P(refutes), together at most 1.
    pub fn predict(&self, inputs: &[f64]) -> (f64, f64) {
        let supports = self.supports.predict(inputs);
        (supports, self.refutes.predict(inputs).min(1.0 - supports))
    }
}

/// How a probability of the cross-encoder enters a regression: its log-odds, bounded.
pub fn log_odds(p: f64) -> f64 {
    ((p + 1e-3) / (1.0 - p + 1e-3)).ln()
}

/// Everything fitted, with what it was fitted on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Part of the verifier's id.
    pub version: String,
    /// The features' names, in order; weights for other features are refused.
    pub features: Vec<String>,
    /// Over the features alone.
    pub features_tier: Regressions,
    /// Over the features, then [`log_odds`] of the cross-encoder's supports, refutes and not enough.
    pub cross_encoder_tier: Option<Regressions>,
    /// From where on a verdict is given; chosen on the sets that the weights were fitted on.
    pub thresholds: Thresholds,
}

/// What a binding check says of a claim at worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failing {
    /// The evidence does not say a part of it.
    Unsaid,
    /// It is surer than the evidence, or less sure.
    Hedged,
    /// The evidence says otherwise.
    Contradicted,
    /// It gives another figure, unit or date.
    Measured,
}

impl Failing {
    /// What is left of P(supports). Set by hand, not fitted: the regression sees the same checks, but on the labelled
    /// sets they are right so often that it learns to forgive them; a swapped number must not be forgiven, and no claim
    /// that says "must" where its evidence says "may" is to count as borne out.
    fn kept(self) -> f64 {
        match self {
            Self::Unsaid => 0.7,
            Self::Hedged => 0.5,
            Self::Contradicted | Self::Measured => 0.4,
        }
    }

    fn of(mismatch: &Mismatch) -> Self {
        if mismatch.contradicts {
            match mismatch.kind {
                MismatchKind::Number | MismatchKind::Unit | MismatchKind::Date => Self::Measured,
                _ => Self::Contradicted,
            }
        } else if mismatch.kind == MismatchKind::Hedge {
            Self::Hedged
        } else {
            Self::Unsaid
        }
    }

    /// The worst of these, and the first mismatch that is so bad.
    pub fn worst(mismatches: &[Mismatch]) -> Option<(Self, &Mismatch)> {
        let worst = mismatches.iter().map(Self::of).max()?;
        mismatches.iter().find(|mismatch| Self::of(mismatch) == worst).map(|found| (worst, found))
    }
}

/// How far a figure, unit or date that differs speaks against a claim at least. Chosen on `analyst.dev`, where 54 of 75 claims
/// that are called contradicted are refuted (50 of 70 without it).
const MEASURED: f64 = 0.85;

/// P(supports) and P(refutes) after the binding checks, which can only lower support. What a contradiction takes off
/// speaks against the claim as far as the cross-encoder, where it read the pair (`close`), finds against rather than for
/// it: a check that compares words takes "nobody may begin without" and "anybody must have" for opposites.
pub fn bound(
    worst: Option<Failing>,
    close: Option<&Classes>,
    (supports, refutes): (f64, f64),
) -> (f64, f64) {
    let Some(worst) = worst else { return (supports, refutes) };
    let left = worst.kept() * supports;
    if worst >= Failing::Contradicted {
        let agreed =
            close.map_or(1.0, |[for_it, against, _]| against / (for_it + against).max(1e-9));
        // Two figures for one thing are told apart surely, whatever the whole sounds like.
        let agreed = if worst == Failing::Measured { agreed.max(MEASURED) } else { agreed };
        (left, (refutes + agreed * (supports - left)).min(1.0 - left))
    } else {
        (left, refutes)
    }
}

impl Weights {
    /// The weights in the binary.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Weights> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let weights: Self =
                serde_json::from_str(FILE).expect("a test reads the weights in the binary");
            assert!(
                weights.features_tier.supports.weights.len() == COUNT,
                "the weights in the binary are for other features; fit them again"
            );
            weights
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::port::Tier;

    #[test]
    fn the_calibration_says_what_was_measured_and_what_was_set_by_hand() {
        let shipped = calibration();
        let by_hand: Vec<Tier> =
            shipped.maps.iter().filter(|map| map.is_by_hand()).map(|map| map.tier).collect();
        assert_eq!(by_hand, [Tier::Quote]);
        for map in &shipped.maps {
            let is_measured = !map.is_by_hand();
            assert_eq!(map.ece_left_out.is_some(), is_measured, "{:?}", map.tier);
            assert!(map.fitted_on.is_empty() != is_measured && map.bins.is_empty() != is_measured);
        }
        // They are those of the whole cascade, and stand once.
        let left_out = shipped.maps.iter().filter(|map| !map.bins_left_out.is_empty());
        assert_eq!(left_out.map(|map| map.tier).collect::<Vec<_>>(), [Tier::CrossEncoder]);
        // A quote's interval takes in that nothing was measured for quotes.
        let quote = shipped.apply(Tier::Quote, 3.5 - shipped.bias);
        assert!(quote.p > 0.95 && quote.low < 0.8 && quote.high <= 1.0, "{quote:?}");
    }

    #[test]
    fn another_figure_speaks_against_a_claim_whatever_the_whole_sounds_like() {
        // The encoder finds the pair to agree.
        let close = Some(&[0.9, 0.05, 0.05]);
        let (supports, refutes) = (0.8, 0.1);
        let after = |failing| bound(Some(failing), close, (supports, refutes));
        let (of_words, of_figures) = (after(Failing::Contradicted), after(Failing::Measured));
        assert!((of_words.0 - of_figures.0).abs() < 1e-12 && of_words.0 < 0.5);
        assert!(of_words.1 < 0.2 && of_figures.1 > 0.5, "{of_words:?} {of_figures:?}");
        assert_eq!(bound(None, close, (supports, refutes)), (supports, refutes));
    }
}
