//! Hybrid search over texts that are held in memory: BM25 and vectors, fused.
//!
//! What is counted (how many texts hold a word, how long texts are) is counted over the texts that the asker may see,
//! never over others: a shared full-text index would let one tenant shift, and so measure, the words of another.

mod blend;
mod index;
mod terms;

pub use blend::Blend;
pub use index::{Found, Key, Texts, Written};
