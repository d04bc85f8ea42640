//! Stores: where journals, traces and leases are kept.
//!
//! Both pass the one conformance suite of the [`Store`](elenchus_core::port::Store) port.

mod lines;
mod memory;
mod rows;
mod schema;
mod sqlite;

pub use lines::{append_line, read_lines, remove_lines};
pub use memory::MemoryStore;
pub(crate) use rows::make_private;
pub use schema::SCHEMA_VERSION;
pub use sqlite::{SqliteOptions, SqliteStore};

/// The status shown in listings for the reason that ended a run. One that has not ended is running while a
/// process holds its lease (a killed one seems to, until the lease is taken), and stopped otherwise.
pub(crate) fn status(ended: Option<&str>, held: bool) -> &'static str {
    match ended {
        None if held => "running",
        None => "stopped",
        Some("interrupted") => "interrupted",
        Some("failed") => "failed",
        Some(_) => "finished",
    }
}
