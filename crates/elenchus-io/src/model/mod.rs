//! Models: what answers the prompt functions.

mod extractive;
pub mod language;

pub use extractive::{ExtractiveModel, unit_spans};
