//! Models: what answers the prompt functions.

mod extractive;
pub mod language;

pub use extractive::{
    AnswerReader, ExtractiveModel, NearestInMeaning, Statement, SuccessionReader, Told, unit_spans,
};
