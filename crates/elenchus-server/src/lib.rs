//! Speaks: the shapes that other programs read. Every surface that gives out JSON gives out these.

#![warn(missing_docs)]

pub mod door;
pub mod http;
pub mod instant;
mod limit;
pub mod listen;
pub mod mcp;
pub mod memory;
pub mod runs;
mod unread;
pub mod web;
pub mod wire;
