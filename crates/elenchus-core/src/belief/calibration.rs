//! From a raw figure to a probability that was measured: maps fitted on labelled pairs, with the error they had.

use crate::measure::{logit, sigmoid};
use crate::port::Tier;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// One bin of a reliability diagram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bin {
    /// Mean predicted probability in it.
    pub confidence: f64,
    /// Share that was right.
    pub accuracy: f64,
    /// How many pairs fell into it.
    pub n: usize,
}

/// A set that a map was fitted on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FittedOn {
    /// The set's name.
    pub set: String,
    /// Its pairs.
    pub n: usize,
    /// SHA-256 of its file, hexadecimal.
    pub sha256: String,
}

/// How the log-odds of one tier's judgements are scaled, and how good the figures are that come of it.
///
/// The map of the whole is Platt's (1999), `p = sigmoid(bias + sum(slope(tier) * x))`, with one bias for all tiers:
/// so it stays monotone when passages judged by different tiers are added up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalibrationMap {
    /// Which step of the cascade it is for.
    pub tier: Tier,
    /// Above 0, so that the map never turns an order around.
    pub slope: f64,
    /// What it was fitted on.
    pub fitted_on: Vec<FittedOn>,
    /// Expected calibration error (10 bins of equal width) on those sets.
    pub ece: f64,
    /// The same on a set that was left out of everything, mean over sets: what to expect on documents of another
    /// kind.
    pub ece_left_out: f64,
    /// Reliability on the sets, equal-width bins; empty bins are left out.
    pub bins: Vec<Bin>,
    /// The same, each set judged without having been fitted on.
    pub bins_left_out: Vec<Bin>,
}

/// All maps of a build, or of a user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calibration {
    /// Names the maps; part of what a result says about itself.
    pub version: String,
    /// The verifier whose figures they map.
    pub verifier: String,
    /// `sigmoid(bias)` is the prior: the probability when nothing bears on a claim.
    pub bias: f64,
    /// One a tier.
    pub maps: Vec<CalibrationMap>,
    /// What users said about figures of these maps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<FeedbackBin>,
}

/// What users said about claims whose figure fell into one tenth of the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackBin {
    /// Claims said to be right.
    pub right: u32,
    /// Claims said to be wrong.
    pub wrong: u32,
}

/// Pseudo-counts of the Beta prior that the fitted map has in each tenth of the scale: so many answers of a user
/// weigh as much as the map.
pub const FEEDBACK_PRIOR: f64 = 20.0;

/// Tenths of the scale.
const FEEDBACK_BINS: usize = 10;

/// A calibrated figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Calibrated {
    /// The probability.
    pub p: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The probability before what users said: what [`Calibration::learn`] is told.
    pub fitted: f64,
}

impl Calibration {
    /// The map of a tier. The tiers of the built-in verifier share the features map where they have none of their own; a model
    /// that nothing was fitted for has none.
    pub fn map(&self, tier: Tier) -> Option<&CalibrationMap> {
        let own = self.maps.iter().find(|map| map.tier == tier);
        match tier {
            Tier::Nli | Tier::Llm => own,
            Tier::Quote | Tier::Binding | Tier::Features | Tier::CrossEncoder => {
                own.or_else(|| self.features())
            }
        }
    }

    fn features(&self) -> Option<&CalibrationMap> {
        self.maps.iter().find(|map| map.tier == Tier::Features)
    }

    /// The slope of a tier; 1 when there is no map at all. A tier without a map borrows that of the features: it says how much
    /// passages weigh beside each other, and makes no figure a calibrated one.
    pub fn slope(&self, tier: Tier) -> f64 {
        self.map(tier).or_else(|| self.features()).map_or(1.0, |map| map.slope.max(0.0))
    }

    /// The probability of a claim whose evidence adds up to `log_odds`, each passage scaled by the slope of its tier.
    /// `tier` is the one that decided and is used for the interval only.
    pub fn apply(&self, tier: Tier, log_odds: f64) -> Calibrated {
        let fitted = sigmoid(self.bias + log_odds);
        let p = self.with_feedback(fitted);
        let n = self.map(tier).map_or(0.0, |map| map.support_near(fitted));
        let (low, high) = wilson(p, n + self.said_near(fitted));
        Calibrated { p, low, high, fitted }
    }

    /// What figures are good for that these tiers decided (one an assessed claim), in words: the error of the map that stands
    /// behind most of them, and how many have none.
    pub fn said(&self, tiers: &[Tier]) -> String {
        let bare: Vec<Tier> = tiers.iter().copied().filter(|t| self.map(*t).is_none()).collect();
        if let Some(tier) = bare.first() {
            let none = format!(
                "no calibration for this verifier: nothing is fitted for what {} decides, so that such figures are the \
                 methodology score, without an interval",
                tier.decider()
            );
            return if bare.len() == tiers.len() {
                none
            } else {
                format!(
                    "{none} ({} of {}); of the others: {}",
                    bare.len(),
                    tiers.len(),
                    self.said_of(tiers)
                )
            };
        }
        self.said_of(tiers)
    }

    fn said_of(&self, tiers: &[Tier]) -> String {
        let decided = |tier: Tier| tiers.iter().filter(|other| **other == tier).count();
        // The first of those that decided most often.
        let mut most: Option<(usize, &CalibrationMap)> = None;
        for tier in tiers {
            let (n, map) = (decided(*tier), self.map(*tier));
            if let Some(map) = map
                && most.is_none_or(|(best, _)| n > best)
            {
                most = Some((n, map));
            }
        }
        let usual = || self.features().or(self.maps.first());
        let Some(map) = most.map(|(_, map)| map).or_else(usual) else {
            return format!("calibration {} holds no map", self.version);
        };
        let sets: Vec<&str> = map.fitted_on.iter().map(|fitted| fitted.set.as_str()).collect();
        let users: u32 = self.feedback.iter().map(|bin| bin.right + bin.wrong).sum();
        let mut text = format!(
            "calibration {}: fitted on {} ({} labelled pairs), where its error was {:.3}; on sets that were left out \
             it was {:.3}, which is what to expect here, as there is no calibration for documents of this kind",
            self.version,
            sets.join(", "),
            map.fitted_on.iter().map(|fitted| fitted.n).sum::<usize>(),
            map.ece,
            map.ece_left_out,
        );
        if users > 0 {
            write!(text, "; corrected by {users} of your own judgements")
                .expect("writing to a String cannot fail");
        }
        text
    }

    /// The probability when nothing bears on a claim.
    pub fn prior(&self) -> f64 {
        self.with_feedback(sigmoid(self.bias))
    }

    /// Notes what a user said about a claim whose fitted figure was `p`.
    pub fn learn(&mut self, p: f64, right: bool) {
        self.feedback.resize(FEEDBACK_BINS, FeedbackBin::default());
        let bin = &mut self.feedback[tenth(p)];
        if right {
            bin.right += 1;
        } else {
            bin.wrong += 1;
        }
    }

    /// The Beta posterior mean of each tenth, made monotone by pooling neighbours (isotonic regression), then read
    /// off at `p` by straight lines between the middles of the tenths.
    fn with_feedback(&self, p: f64) -> f64 {
        if self.feedback.iter().all(|bin| bin.right + bin.wrong == 0) {
            return p;
        }
        let middles: Vec<f64> =
            (0..FEEDBACK_BINS).map(|i| (i as f64 + 0.5) / FEEDBACK_BINS as f64).collect();
        let means: Vec<(f64, f64)> = middles
            .iter()
            .enumerate()
            .map(|(i, middle)| {
                let said = self.feedback.get(i).copied().unwrap_or_default();
                let n = f64::from(said.right) + f64::from(said.wrong);
                (
                    (FEEDBACK_PRIOR * middle + f64::from(said.right)) / (FEEDBACK_PRIOR + n),
                    FEEDBACK_PRIOR + n,
                )
            })
            .collect();
        let means = isotonic(&means);
        let points: Vec<(f64, f64)> = std::iter::once((0.0, 0.0))
            .chain(middles.into_iter().zip(means))
            .chain(std::iter::once((1.0, 1.0)))
            .collect();
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            if p <= x1 {
                return y0 + (y1 - y0) * (p - x0) / (x1 - x0);
            }
        }
        p
    }

    fn said_near(&self, p: f64) -> f64 {
        self.feedback.get(tenth(p)).map_or(0.0, |bin| f64::from(bin.right + bin.wrong))
    }
}

fn tenth(p: f64) -> usize {
    ((p.clamp(0.0, 1.0) * FEEDBACK_BINS as f64) as usize).min(FEEDBACK_BINS - 1)
}

impl CalibrationMap {
    /// How many labelled pairs stand behind figures near `p`.
    fn support_near(&self, p: f64) -> f64 {
        self.bins
            .iter()
            .min_by(|a, b| (a.confidence - p).abs().total_cmp(&(b.confidence - p).abs()))
            .map_or(0.0, |bin| bin.n as f64)
    }
}

/// The 95 % Wilson interval of a share `p` seen in `n` cases; the whole scale for none.
pub fn wilson(p: f64, n: f64) -> (f64, f64) {
    if n <= 0.0 {
        return (0.0, 1.0);
    }
    let z = 1.959_964;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0).min(p), (centre + half).min(1.0).max(p))
}

/// Weighted isotonic regression by pooling adjacent violators: the nearest rising sequence.
pub fn isotonic(points: &[(f64, f64)]) -> Vec<f64> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (value, weight) in points {
        pools.push((*value, *weight, 1));
        while pools.len() > 1 && pools[pools.len() - 2].0 > pools[pools.len() - 1].0 {
            let (b, wb, nb) = pools.pop().expect("two pools are there");
            let (a, wa, na) = pools.pop().expect("two pools are there");
            pools.push(((a * wa + b * wb) / (wa + wb), wa + wb, na + nb));
        }
    }
    pools.into_iter().flat_map(|(value, _, n)| std::iter::repeat_n(value, n)).collect()
}

/// Fits slope and bias to labelled log-odds by Newton's method on the log loss with Platt's smoothed targets;
/// `weights` may even out sets of different sizes. Slope is kept above 0. `None` with fewer than two labels of
/// either kind.
pub fn fit_platt(points: &[(f64, bool)], weights: Option<&[f64]>) -> Option<(f64, f64)> {
    let positives = points.iter().filter(|(_, label)| *label).count();
    let negatives = points.len() - positives;
    if positives < 2 || negatives < 2 {
        return None;
    }
    let high = (positives as f64 + 1.0) / (positives as f64 + 2.0);
    let low = 1.0 / (negatives as f64 + 2.0);
    let (mut slope, mut bias) = (1.0, logit(positives as f64 / points.len() as f64));
    for _ in 0..100 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, 0.0, 1e-9, 0.0, 1e-9);
        for (i, (x, label)) in points.iter().enumerate() {
            let weight = weights.and_then(|w| w.get(i)).copied().unwrap_or(1.0);
            let p = sigmoid(slope * x + bias);
            let error = weight * (p - if *label { high } else { low });
            let curve = weight * p * (1.0 - p);
            g0 += error * x;
            g1 += error;
            h00 += curve * x * x;
            h01 += curve * x;
            h11 += curve;
        }
        let determinant = h00 * h11 - h01 * h01;
        if determinant.abs() < 1e-18 {
            break;
        }
        let (step0, step1) =
            ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant);
        // Short steps: a full Newton step may overshoot where the loss is flat.
        slope -= step0.clamp(-2.0, 2.0);
        bias -= step1.clamp(-2.0, 2.0);
        slope = slope.max(1e-3);
        if step0.abs() < 1e-9 && step1.abs() < 1e-9 {
            break;
        }
    }
    Some((slope, bias))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn calibration() -> Calibration {
        Calibration {
            version: "test".to_owned(),
            verifier: "test".to_owned(),
            bias: -1.0,
            maps: vec![CalibrationMap {
                tier: Tier::Features,
                slope: 1.2,
                fitted_on: vec![],
                ece: 0.0,
                ece_left_out: 0.0,
                bins: vec![Bin { confidence: 0.5, accuracy: 0.5, n: 100 }],
                bins_left_out: vec![],
            }],
            feedback: vec![],
        }
    }

    #[test]
    fn platt_finds_the_map_that_made_the_labels() {
        // Labels drawn with the very shares of sigmoid(2x - 1), without randomness.
        let mut points = Vec::new();
        for step in -20..=20 {
            let x = f64::from(step) / 5.0;
            let positives = (sigmoid(2.0 * x - 1.0) * 200.0).round() as usize;
            points.extend((0..200).map(|i| (x, i < positives)));
        }
        let (slope, bias) = fit_platt(&points, None).expect("there are labels of both kinds");
        assert!((slope - 2.0).abs() < 0.05, "{slope}");
        assert!((bias + 1.0).abs() < 0.05, "{bias}");
        assert_eq!(fit_platt(&[(0.0, true); 9], None), None);
    }

    #[test]
    fn isotonic_pools_what_falls() {
        let pooled = isotonic(&[(0.1, 1.0), (0.5, 1.0), (0.3, 1.0), (0.9, 1.0)]);
        assert_eq!(pooled, [0.1, 0.4, 0.4, 0.9]);
    }

    #[test]
    fn a_tier_that_nothing_was_fitted_for_has_no_map() {
        let mut calibration = calibration();
        let mut close = calibration.maps[0].clone();
        (close.tier, close.ece) = (Tier::CrossEncoder, 0.031);
        calibration.maps.push(close);
        for tier in [Tier::Nli, Tier::Llm] {
            assert_eq!(calibration.map(tier), None);
            assert!((calibration.slope(tier) - 1.2).abs() < 1e-12);
            let said = calibration.said(&[tier, tier]);
            assert!(said.starts_with("no calibration for this verifier"), "{said}");
            assert!(!said.contains("fitted on"), "{said}");
        }
        assert!(calibration.map(Tier::Binding).is_some_and(|map| map.tier == Tier::Features));
        // What decided most is what is told of.
        let own = calibration.said(&[Tier::Quote, Tier::CrossEncoder, Tier::CrossEncoder]);
        assert!(own.contains("its error was 0.031"), "{own}");
        assert!(calibration.said(&[]).contains("its error was 0.000"));
        let mixed = calibration.said(&[Tier::Llm, Tier::Quote, Tier::Llm]);
        assert!(mixed.contains("(2 of 3)") && mixed.contains("its error was 0.000"), "{mixed}");
    }

    #[test]
    fn feedback_moves_its_own_tenth_most_and_the_map_stays_monotone() {
        let mut calibration = calibration();
        let before = |c: &Calibration, x: f64| c.apply(Tier::Features, x).p;
        let plain = calibration.clone();
        for _ in 0..40 {
            calibration.learn(0.85, false);
        }
        let x = |p: f64| logit(p) + 1.0;
        assert!(before(&calibration, x(0.85)) < before(&plain, x(0.85)) - 0.2);
        assert!((before(&calibration, x(0.05)) - before(&plain, x(0.05))).abs() < 0.01);
        let curve: Vec<f64> =
            (0..100).map(|i| before(&calibration, x((f64::from(i) + 0.5) / 100.0))).collect();
        assert!(curve.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
    }

    proptest! {
        #[test]
        fn more_evidence_never_lowers_the_figure(a in -8.0..8.0f64, b in -8.0..8.0f64,
            said in proptest::collection::vec((0.0..1.0f64, any::<bool>()), 0..60)) {
            let mut calibration = calibration();
            for (p, right) in said {
                calibration.learn(p, right);
            }
            let at = |x| calibration.apply(Tier::Quote, x);
            let (less, more) = (a.min(b), a.max(b));
            prop_assert!(at(less).p <= at(more).p + 1e-12);
            let figure = at(a);
            prop_assert!(0.0 <= figure.low && figure.low <= figure.p && figure.p <= figure.high && figure.high <= 1.0);
        }
    }
}
