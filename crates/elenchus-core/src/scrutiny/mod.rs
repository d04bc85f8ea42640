//! Scrutiny: what speaks against a text, whoever wrote it.

pub mod fallacy;
