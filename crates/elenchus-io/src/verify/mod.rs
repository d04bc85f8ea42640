//! Checking claims against evidence: extraction, binding checks, features, and the cascade of verifiers.

pub mod binding;
pub mod extract;
pub mod features;
pub mod sentence;
pub mod tokens;
