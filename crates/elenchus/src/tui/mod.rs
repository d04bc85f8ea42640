//! The terminal interface: a run watched, questioned and steered while it thinks.
//!
//! `app` is the state, `heard` what happens to it, `keys` and `typed` what a person does; `view` and `panes` draw it, as pure functions onto a grid of cells;
//! `run` is the loop around them and `screen` the terminal itself. `plain` is the same without drawing, a line an event.

mod app;
mod heard;
mod input;
mod keys;
mod paint;
mod panes;
mod places;
pub(crate) mod plain;
pub(crate) mod run;
pub(crate) mod screen;
#[cfg(test)]
mod tests;
mod tree;
mod typed;
mod view;

pub(crate) use app::{App, Command, Message};
