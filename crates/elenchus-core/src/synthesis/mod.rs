//! Synthesis: what the evidence comes to when it is looked at as a whole, and the stances from which that is done.

pub mod insight;
pub mod mode;
pub mod pattern;
pub mod perspectives;
