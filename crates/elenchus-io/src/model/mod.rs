//! Models: what answers the prompt functions.

mod extractive;

pub use extractive::{ExtractiveModel, unit_spans};
