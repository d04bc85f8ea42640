//! What a least confidence that somebody asks for is worth.

use crate::config::Config;
use elenchus_core::belief::{EntailmentResult, OperatingPoint};
use elenchus_core::port::Tier;

/// Coverage and risk at the asked confidence, as they were measured for the built-in verifier; nothing for another one, or where
/// nothing that was measured decided.
pub(super) fn worth(
    least: Option<f64>,
    config: &Config,
    results: &[EntailmentResult],
) -> Option<OperatingPoint> {
    let tiers: Vec<Tier> = results.iter().filter_map(|result| result.tier).collect();
    measured(least?, config.text("verifier").unwrap_or("builtin"), &tiers)
}

/// By the calibration of the binary: that of an older run holds no diagram.
fn measured(least: f64, verifier: &str, tiers: &[Tier]) -> Option<OperatingPoint> {
    let shipped = elenchus_io::verify::calibration();
    (verifier == "builtin").then(|| shipped.operating_point(tiers, least)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_of_the_verifier_that_was_measured_alone() {
        let tiers = [Tier::Quote, Tier::CrossEncoder];
        let point = measured(0.8, "builtin", &tiers).expect("the binary has the diagram");
        assert!(point.coverage > 0.02 && point.coverage < 0.5, "{point:?}");
        assert!(point.risk.is_some_and(|risk| risk < 0.4), "{point:?}");
        assert_eq!(measured(0.8, "quick", &tiers), None);
        assert_eq!(measured(0.8, "builtin", &[Tier::Quote]), None);
    }
}
