//! Checking claims against evidence: extraction, binding checks, features, and the cascade of verifiers.

pub mod binding;
mod builtin;
pub mod contradiction;
mod cross_encoder;
pub mod extract;
pub mod features;
pub mod language;
mod leaving;
mod llm;
pub mod nli;
mod quote;
mod remembered;
pub mod select;
pub mod sentence;
pub mod tokens;
mod weights;

pub use builtin::{BuiltinVerifier, MAX_CLAIM_CHARS, to_read};
pub use cross_encoder::{Classes, CrossEncoder};
pub(crate) use leaving::{gives_up, is_removed};
pub use llm::LlmVerifier;
#[cfg(feature = "onnx")]
pub use nli::NliVerifier;
pub use remembered::RememberingVerifier;
pub use weights::{
    Failing, Regression, Regressions, Weights, bound, calibration, judging, log_odds,
};
