//! What a run needs to turn verdicts into figures; part of its first input, so that a replay gives the same ones.

use super::{Calibration, Thresholds};
use crate::evidence::ReadPassage;
use crate::port::Pair;
use crate::prompt::Bearing;
use serde::{Deserialize, Serialize};

/// How often answers of one bearing turned out right on labelled questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Measured {
    /// Answers that were right.
    pub right: u32,
    /// Answers that were given.
    pub given: u32,
}

impl Measured {
    /// The mean of the Beta posterior with one pseudo-count on either side.
    pub fn share(self) -> f64 {
        (f64::from(self.right) + 1.0) / (f64::from(self.given) + 2.0)
    }
}

/// One [`Measured`] a [`Bearing`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BearingTable {
    /// See [`Bearing::Strong`].
    pub strong: Measured,
    /// See [`Bearing::Fair`].
    pub fair: Measured,
    /// See [`Bearing::Weak`].
    pub weak: Measured,
    /// Which labelled questions, in words.
    #[serde(default)]
    pub measured_on: String,
}

impl BearingTable {
    /// Notes what a user said about an answer of this bearing.
    pub fn learn(&mut self, bearing: Bearing, right: bool) {
        let measured = match bearing {
            Bearing::Strong => &mut self.strong,
            Bearing::Fair => &mut self.fair,
            Bearing::Weak => &mut self.weak,
        };
        measured.given = measured.given.saturating_add(1);
        measured.right = measured.right.saturating_add(u32::from(right));
    }

    /// The share right of a bearing.
    pub fn of(&self, bearing: Bearing) -> Measured {
        match bearing {
            Bearing::Strong => self.strong,
            Bearing::Fair => self.fair,
            Bearing::Weak => self.weak,
        }
    }
}

/// Everything that figures are made with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judging {
    /// The verifier's id.
    pub verifier: String,
    /// From where on it gives a verdict.
    pub thresholds: Thresholds,
    /// What its figures mean.
    pub calibration: Calibration,
    /// How often the model's answers are right.
    pub bearing: BearingTable,
    /// Whether what was read is searched for contradictions. Journals of earlier versions did not.
    #[serde(default)]
    pub contradictions: bool,
    /// Whether a passage is held against a claim with the title and headings that it stands under. Those of earlier
    /// versions were not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub titles: bool,
    /// Whether the quotes of an answer, and what a model wrote for it, are read for fallacies, with the pack's own where there are
    /// any. Journals of earlier versions did not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fallacies: bool,
    /// Whether the verifier asks a language model, so that no check begins once the budget is spent. Journals of earlier versions
    /// did not count what checks cost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_model: bool,
}

impl Judging {
    /// A passage held against a claim, as runs of this kind judge it.
    pub fn held(&self, read: &ReadPassage, claim: &str) -> Pair {
        let mut pair = read.held_against(claim);
        if !self.titles {
            pair.above.clear();
        }
        pair
    }
}
