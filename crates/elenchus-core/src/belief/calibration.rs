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
    /// What it was fitted on; nothing where it was set by hand.
    pub fitted_on: Vec<FittedOn>,
    /// Expected calibration error (10 bins of equal width, 0 to 1) on those sets: five-fold, the pairs of all sets pooled. Absent
    /// where the map was set by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ece: Option<f64>,
    /// The same on a set that was left out of everything, 0 to 1, the mean over sets: what to expect on documents of another
    /// kind. Absent where it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ece_left_out: Option<f64>,
    /// Reliability on the sets, equal-width bins; empty bins are left out.
    pub bins: Vec<Bin>,
    /// The same of the whole verifier, each set judged without having been fitted on; in the map that decides most. Journals of
    /// earlier versions lack them.
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
    /// Whether intervals take in the error on sets that were left out, and what is said tells how each error was measured.
    /// Journals of earlier versions did neither.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_left_out: bool,
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

    /// The map that says how good figures of a tier are: its own, or that of the features where its own was set by hand.
    fn measured(&self, tier: Tier) -> Option<&CalibrationMap> {
        let own = self.map(tier)?;
        Some(if own.is_by_hand() { self.features().unwrap_or(own) } else { own })
    }

    /// The probability of a claim whose evidence adds up to `log_odds`, each passage scaled by the slope of its tier.
    /// `tier` is the one that decided and is used for the interval only.
    ///
    /// The interval is Wilson's (95 %) of a share `p` that was seen in `n` cases: the labelled pairs in the bin nearest to `p`, and
    /// what users said of figures in its tenth. With [`Self::counts_left_out`] documents of another kind move each end out by the
    /// error to be expected on them,
    ///
    /// `low - e` and `high + e`, kept within 0 to 1, with `e = ece_left_out x FEEDBACK_PRIOR / (FEEDBACK_PRIOR + said)`:
    ///
    /// the more a user has `said` of such figures, the less their documents are of another kind. A map that was set by hand has
    /// neither pairs nor an error, so that those of the features stand in.
    pub fn apply(&self, tier: Tier, log_odds: f64) -> Calibrated {
        let fitted = sigmoid(self.bias + log_odds);
        let p = self.with_feedback(fitted);
        let said = self.said_near(fitted);
        let map = self.measured(tier);
        let n = map.map_or(0.0, |map| map.support_near(fitted));
        let (low, high) = wilson(p, n + said);
        let left_out = map.and_then(|map| map.ece_left_out).filter(|_| self.counts_left_out);
        let other = left_out.unwrap_or(0.0) * FEEDBACK_PRIOR / (FEEDBACK_PRIOR + said);
        Calibrated { p, low: (low - other).max(0.0), high: (high + other).min(1.0), fitted }
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
        let mut text = format!("calibration {}: ", self.version);
        text.push_str(&if self.counts_left_out {
            self.measures(map)
        } else {
            map.as_it_was_said()
        });
        let users: u32 = self.feedback.iter().map(|bin| bin.right + bin.wrong).sum();
        if users > 0 {
            write!(text, "; corrected by {users} of your own judgements")
                .expect("writing to a String cannot fail");
        }
        text
    }

    /// What stands behind figures of a map, and how each error of it was measured.
    fn measures(&self, map: &CalibrationMap) -> String {
        let measured = self.measured(map.tier).unwrap_or(map);
        let mut text = String::new();
        if map.is_by_hand() {
            text = format!(
                "nothing is fitted for what {} decides, whose slope was set by hand; intervals are those of {}, ",
                map.tier.decider(),
                measured.tier.decider()
            );
        }
        text.push_str(&measured.fit());
        if let Some(ece) = measured.ece {
            // Writing to a string cannot fail.
            let _ = write!(text, ", where its error was {ece:.3} (five-fold, all sets pooled)");
        }
        if let Some(ece) = measured.ece_left_out {
            let _ = write!(
                text,
                "; on sets that were left out it was {ece:.3} (mean over the sets), which is what to expect on documents of other \
                 kinds than theirs"
            );
        }
        text
    }

    /// The errors that a figure of a tier is explained with, by how they were measured.
    pub(crate) fn errors(&self, tier: Tier) -> Vec<(&'static str, f64)> {
        let Some(map) = self.measured(tier) else { return Vec::new() };
        let names =
            match (self.counts_left_out, self.map(tier).is_some_and(CalibrationMap::is_by_hand)) {
                (false, _) => [
                    "calibration error where fitted",
                    "calibration error on other kinds of documents",
                ],
                (true, false) => [
                    "calibration error where fitted (five-fold, all sets pooled)",
                    "calibration error on sets left out (mean over the sets)",
                ],
                (true, true) => [
                    "calibration error of the features where fitted (five-fold, all sets pooled)",
                    "calibration error of the features on sets left out (mean over the sets)",
                ],
            };
        let errors = [map.ece, map.ece_left_out];
        names.into_iter().zip(errors).filter_map(|(name, error)| Some((name, error?))).collect()
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
    /// Whether it was set by hand: nothing was fitted, and no error was measured.
    pub fn is_by_hand(&self) -> bool {
        self.ece.is_none()
    }

    /// "fitted on these sets (so many labelled pairs)".
    fn fit(&self) -> String {
        let sets: Vec<&str> = self.fitted_on.iter().map(|fitted| fitted.set.as_str()).collect();
        let pairs: usize = self.fitted_on.iter().map(|fitted| fitted.n).sum();
        format!("fitted on {} ({pairs} labelled pairs)", sets.join(", "))
    }

    /// What runs say of it whose calibration tells no more.
    fn as_it_was_said(&self) -> String {
        format!(
            "{}, where its error was {:.3}; on sets that were left out it was {:.3}, which is what to expect here, as there \
             is no calibration for documents of this kind",
            self.fit(),
            self.ece.unwrap_or_default(),
            self.ece_left_out.unwrap_or_default(),
        )
    }

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
mod tests;
