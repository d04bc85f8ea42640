//! Belief: claims, what bears on them, and a confidence that was measured.

mod claim;

pub use claim::{Claim, ClaimDefect, ClaimType, Extraction, SubstantiveWord, WordType};
