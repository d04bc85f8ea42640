//! Scrutiny: what speaks against a text, whoever wrote it, and what is done about it.

pub mod challenge;
pub mod critique;
pub mod fallacy;
pub mod revision;
pub mod warning;
