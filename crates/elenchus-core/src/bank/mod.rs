//! The ReasoningBank: strategies that made runs succeed or fail, what speaks for each of them, and what is recalled.
//!
//! A [`Strategy`] is what was learned; [`Signal`]s say afterwards whether it helped. Strategies and signals are
//! append-only facts, and a confidence is a function of both: nothing stores a belief that could not be told again.

mod aggregate;
mod beta;
mod caller;
mod classes;
mod distil;
mod echo;
mod keeping;
mod lesson;
mod posterior;
mod ranking;
mod scrub;
mod settings;
mod signal;
mod strategy;
mod weights;
mod why;

pub use aggregate::{
    Aggregate, Reported, RolledUp, SETTLES_AFTER_DAYS, SignalCounts, Vote, roll_up,
};
pub use beta::Posterior;
pub use caller::Caller;
pub use classes::{Class, calibrated, labelled, learned_prior};
pub use distil::{
    FallacyFacts, GapFacts, HypothesisFacts, QueryFacts, RECALLED, RecalledFacts, Repeated,
    SessionFacts, distil_facts, distil_text, near_equal, render_session, without_recalled,
};
pub use echo::Echo;
pub use keeping::{
    Lift, Trust, lift, lifts_quarantine, promotion, prune, standing_at_first, trust,
};
pub use lesson::{DOCUMENTS, FRUITLESS, Lesson, SEARCH_WORDS};
pub use posterior::{Decay, EXPOSURE_RATIO, Evidence, PRIOR_STRENGTH, Prior, counted};
pub use ranking::{Candidate, Fit, Fusion, rank};
pub use scrub::{Scrubbed, scrub, scrub_if_any};
pub use settings::BankSettings;
pub use signal::{Signal, SignalKind, occasion, signal_id};
pub use strategy::{Draft, Origin, Outcome, Scope, Standing, Strategy};
pub use weights::{Predictions, ProjectWeights, Weights};
pub use why::{Grounds, why};

#[cfg(test)]
mod tests;
