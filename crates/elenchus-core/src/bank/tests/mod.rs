//! What is believed of a strategy, and what becomes of it.

mod fixture;
mod keeping;
mod posterior;
mod rollup;
mod weights;
mod why;
