//! The product's whole verifier, as the swap attacks ask it.

use crate::swaps::Scorer;
use elenchus_core::port::{Checked, Pair};
use elenchus_io::verify::{BuiltinVerifier, Weights};

/// The built-in cascade.
pub(crate) struct Whole(BuiltinVerifier);

impl Whole {
    /// `builtin` or `quick`.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name {
            "builtin" => Ok(Self(BuiltinVerifier::default())),
            "quick" => Ok(Self(BuiltinVerifier::quick())),
            _ => Err(format!(
                "could not use the verifier {name:?}: it is neither `builtin` nor `quick`"
            )),
        }
    }
}

impl Scorer for Whole {
    fn supports(&self, claim: &str, evidence: &[String]) -> f64 {
        let pair =
            Pair { claim: claim.to_owned(), evidence: evidence.to_vec(), context: String::new() };
        match self.0.judge(std::slice::from_ref(&pair)).pop() {
            Some(Checked::Judged(judgement)) => judgement.supports,
            _ => 0.0,
        }
    }

    fn threshold(&self) -> f64 {
        Weights::builtin().thresholds.supports
    }
}
