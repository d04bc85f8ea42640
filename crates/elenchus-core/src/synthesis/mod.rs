//! Synthesis: what the evidence comes to when it is looked at as a whole.

pub mod perspectives;
