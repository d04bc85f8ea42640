//! The theology pack: references to the Bible, and tensions that its readers know.

mod book;
mod find;
mod links;
mod list;
mod osis;
mod scan;
mod tension;

pub use book::Book;
pub(crate) use find::references_by;
pub use find::{Found, references};
pub(crate) use links::verse_of;
pub use links::{is_links, linked};
pub use osis::{NotOsis, OsisRef, Place};
pub use tension::{Tension, about, settled_by, tensions, tensions_for};
