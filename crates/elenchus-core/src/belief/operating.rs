//! What a least confidence is worth: how much reaches it, and how much of that is not borne out all the same.

use super::Calibration;
use crate::port::Tier;
use serde::{Deserialize, Serialize};

/// What a least confidence was worth on labelled pairs of sets that were left out of everything.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperatingPoint {
    /// The least confidence that was asked for, 0 to 1.
    pub least: f64,
    /// Labelled pairs.
    pub pairs: usize,
    /// Those in tenths of the scale whose mean figure reaches it; a tenth of few pairs is one with its neighbour.
    pub reached: usize,
    /// `reached / pairs`, 0 to 1.
    pub coverage: f64,
    /// The share of those that reach it that was not borne out, 0 to 1; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<f64>,
}

impl Calibration {
    /// Coverage and risk at a least confidence, to a tenth of the scale, by the reliability on sets that were left out. `tiers` are
    /// those that decided. `None` where that reliability is not there, or tells of none of them: no labelled set has quotes, and
    /// models of others were not measured.
    pub fn operating_point(&self, tiers: &[Tier], least: f64) -> Option<OperatingPoint> {
        let is_told = |tier: &Tier| match tier {
            Tier::Binding | Tier::Features | Tier::CrossEncoder => true,
            Tier::Quote | Tier::Nli | Tier::Llm => false,
        };
        if !tiers.iter().any(is_told) {
            return None;
        }
        let bins = self.maps.iter().map(|map| &map.bins_left_out).find(|bins| !bins.is_empty())?;
        let pairs: usize = bins.iter().map(|bin| bin.n).sum();
        let reach = || bins.iter().filter(|bin| bin.confidence >= least);
        let reached: usize = reach().map(|bin| bin.n).sum();
        let wrong: f64 = reach().map(|bin| (1.0 - bin.accuracy) * bin.n as f64).sum();
        Some(OperatingPoint {
            least,
            pairs,
            reached,
            coverage: reached as f64 / pairs.max(1) as f64,
            risk: (reached > 0).then(|| wrong / reached as f64),
        })
    }
}

impl OperatingPoint {
    /// In words.
    pub fn told(&self) -> String {
        let Self { least, pairs, coverage, risk, .. } = self;
        match risk {
            Some(risk) => format!(
                "of {pairs} labelled pairs of sets that were left out {:.0} % reach {least:.2}, and of those {:.0} % are not borne \
                 out (to a tenth of the scale)",
                100.0 * coverage,
                100.0 * risk
            ),
            None => format!(
                "of {pairs} labelled pairs of sets that were left out too few reach {least:.2} to tell what it is worth"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bin, CalibrationMap};
    use super::*;

    fn calibration() -> Calibration {
        let bin = |confidence: f64, accuracy: f64, n: usize| Bin { confidence, accuracy, n };
        Calibration {
            version: "test".to_owned(),
            verifier: "test".to_owned(),
            bias: -1.0,
            maps: vec![CalibrationMap {
                tier: Tier::CrossEncoder,
                slope: 1.0,
                fitted_on: vec![],
                ece: Some(0.04),
                ece_left_out: Some(0.1),
                bins: vec![],
                bins_left_out: vec![bin(0.2, 0.1, 60), bin(0.75, 0.7, 30), bin(0.85, 0.9, 10)],
            }],
            feedback: vec![],
            counts_left_out: true,
        }
    }

    #[test]
    fn the_more_is_asked_the_less_reaches_it() {
        let at = |least: f64| {
            calibration()
                .operating_point(&[Tier::Quote, Tier::Binding], least)
                .expect("it was measured")
        };
        let (all, some, few, none) = (at(0.0), at(0.7), at(0.8), at(0.95));
        assert_eq!([all, some, few, none].map(|point| point.reached), [100, 40, 10, 0]);
        assert!((some.coverage - 0.4).abs() < 1e-12);
        assert!(some.risk.is_some_and(|risk| (risk - 0.25).abs() < 1e-12), "{some:?}");
        assert_eq!(none.risk, None);
        let told = some.told();
        assert!(
            told.contains("of 100 labelled pairs") && told.contains("40 % reach 0.70"),
            "{told}"
        );
        assert!(told.contains("25 % are not borne out"), "{told}");
        assert!(none.told().contains("too few reach 0.95"), "{}", none.told());
    }

    #[test]
    fn what_was_not_measured_has_none() {
        let mut calibration = calibration();
        for tiers in [&[] as &[Tier], &[Tier::Quote], &[Tier::Nli, Tier::Llm]] {
            assert_eq!(calibration.operating_point(tiers, 0.5), None, "{tiers:?}");
        }
        calibration.maps[0].bins_left_out.clear();
        assert_eq!(calibration.operating_point(&[Tier::CrossEncoder], 0.5), None);
    }
}
