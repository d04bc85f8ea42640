//! Whether a text reaches the confidence that was asked for.

use crate::error::{CliError, Kind, Result};
use crate::ui::progress::counted;
use elenchus_core::belief::ConfidenceResult;

/// Below the asked confidence, or nothing to be confident about: an error with its own exit code. Claims that could not be
/// checked reach nothing, so that a text most of which was not looked at does not pass.
pub(super) fn passes(
    checked: &str,
    confidence: &ConfidenceResult,
    least: Option<f64>,
) -> Result<()> {
    let Some(least) = least else { return Ok(()) };
    let below = |cause: String, hint: &str| {
        Err(CliError::new(
            Kind::BelowConfidence,
            format!("{checked} does not reach the asked confidence of {least}"),
            cause,
            hint,
        ))
    };
    let correct = "see which claims are not borne out, and correct them or add their sources";
    let Some(reached) = confidence.reached() else {
        return below("nothing in it could be assessed".to_owned(), correct);
    };
    if reached >= least {
        return Ok(());
    }
    let coverage = &confidence.coverage;
    if coverage.unchecked == 0 {
        return below(format!("it reaches {reached:.2}"), correct);
    }
    below(
        format!(
            "it reaches {reached:.2}, as {} of {} could not be checked and count as 0 ({:.2} over those that were)",
            coverage.unchecked,
            counted(coverage.claims, "claim"),
            confidence.overall_confidence
        ),
        "see why claims could not be checked and which are not borne out, and correct them or add their sources",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::belief::ClaimConfidence;
    use serde_json::json;

    fn figures(shown: &[Option<f64>]) -> ConfidenceResult {
        let claims: Vec<ClaimConfidence> = shown
            .iter()
            .map(|confidence| {
                serde_json::from_value(json!({
                    "claim_id": "c1", "claim_text": "It rained.", "confidence": confidence,
                    "methodology_score": 0.5, "entailment_score": 0.5, "su_score": 0.5,
                    "supporting_sources": 1, "contradicting_sources": 0,
                    "explained": {"what": "confidence", "value": 0.5, "rule": "given"},
                }))
                .expect("the figures of a claim")
            })
            .collect();
        ConfidenceResult::new(claims, &[], String::new())
    }

    #[test]
    fn a_text_that_was_hardly_looked_at_does_not_pass() {
        let told = |shown: &[Option<f64>], least: f64| {
            let error = passes("notes.md", &figures(shown), Some(least)).err()?;
            Some(error.message())
        };
        assert_eq!(told(&[Some(0.95)], 0.9), None);
        let mut most = vec![None; 99];
        most.push(Some(0.95));
        let cause = told(&most, 0.9).expect("99 of 100 claims are unchecked");
        assert!(cause.contains("asked confidence of 0.9"), "{cause}");
        assert!(
            cause.contains("reaches 0.01, as 99 of 100 claims could not be checked"),
            "{cause}"
        );
        assert!(cause.contains("(0.95 over those that were)"), "{cause}");
        // One of many is no reason by itself.
        let mut one = vec![Some(0.95); 19];
        one.push(None);
        assert_eq!(told(&one, 0.9), None);
        let low = told(&[Some(0.5), Some(0.6)], 0.9).expect("it is below");
        assert!(low.ends_with("it reaches 0.55"), "{low}");
        assert!(told(&[], 0.0).is_some_and(|cause| cause.contains("nothing in it")));
        assert!(passes("notes.md", &figures(&[]), None).is_ok());
    }
}
