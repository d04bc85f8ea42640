//! What a person sees. Nothing outside this module and `tui::screen` writes to standard output or standard error.

pub(crate) mod dialogue;
pub(crate) mod links;
pub(crate) mod orders;
mod pager;
pub(crate) mod progress;
pub(crate) mod report;
pub(crate) mod shown;
pub(crate) mod terminal;
