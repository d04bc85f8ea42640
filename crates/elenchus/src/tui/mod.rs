//! The terminal interface: a run watched, questioned and steered while it thinks.
//!
//! `app` is the state, `heard` what happens to it, `keys`, `mouse` and `typed` what a person does, `editing` what is done to a plan, `judging` what is said of statements and insights; `view` and `panes` draw
//! it, as pure functions onto a grid of cells; `run` is the loop around them and `screen` the terminal itself. `plain` is the same without drawing, a line an
//! event, `worded` its lines about a plan, and `limits` reads the limits that are typed in either.

mod app;
mod editing;
mod heard;
mod input;
mod judging;
mod keys;
mod limits;
mod mouse;
mod paint;
mod panes;
mod places;
pub(crate) mod plain;
mod plan;
pub(crate) mod run;
pub(crate) mod screen;
#[cfg(test)]
mod tests;
mod tree;
mod typed;
mod view;
mod worded;

pub(crate) use app::{App, Command, Judgement, Message};
