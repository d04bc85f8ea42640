//! Models: what answers the prompt functions.

mod extractive;
pub mod language;

pub use extractive::{ExtractiveModel, NearestInMeaning, unit_spans};
