//! Speaks: the shapes that other programs read. Every surface that gives out JSON gives out these.

#![warn(missing_docs)]

pub mod instant;
pub mod mcp;
pub mod memory;
pub mod wire;
