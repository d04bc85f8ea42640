//! The pages: pure functions from what is known to markup, and the few files that a browser needs beside them.
//!
//! Nothing here reads a store or drives a run. All text goes through maud, which escapes it; a page holds no script, no style and
//! no address of another origin, so that the content policy can forbid all of these. Every page works without JavaScript: links
//! and forms do what the module in `assets/live.js` does without loading a page again.

pub mod about;
mod again;
pub mod ask;
pub mod assets;
pub mod compare;
mod deeds;
mod doors;
mod figures;
mod form;
pub mod history;
mod library;
mod lists;
pub mod memory;
pub mod notes;
mod notes_file;
pub mod once;
pub mod page;
mod removal;
pub mod run;
pub mod settings;
pub mod source;
pub mod sources;
pub mod strategy;
pub mod usual;
pub(crate) mod words;
pub mod wrong;

pub use doors::{missing, router};
pub use page::{Here, Shell};
pub use run::{Asked, Sight, View};
