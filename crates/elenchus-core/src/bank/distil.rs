//! Distilling without a model, and what holds for every distilling: nothing that was recalled is distilled again.
//!
//! [`SessionFacts`] is what a run can say of itself in plain data. [`render_session`] makes it the text that a model reads,
//! [`distil_facts`] makes strategies of it by rule.

mod again;
mod facts;
mod of_run;
mod of_text;
mod render;
mod rules;
#[cfg(test)]
mod tests;

pub use again::{Repeated, near_equal, without_recalled};
pub use facts::{FallacyFacts, GapFacts, HypothesisFacts, QueryFacts, RecalledFacts, SessionFacts};
pub use of_text::distil_text;
pub use render::{RECALLED, render_session};
pub use rules::distil_facts;
