//! Stores: where journals, traces and leases are kept.
//!
//! Both pass the one conformance suite of the [`Store`](elenchus_core::port::Store) port.

mod lines;
mod memory;
mod moving;
mod opening;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
mod rows;
mod schema;
mod schema_memos;
mod schema_views;
mod sqlite;
mod whole;

pub use lines::{append_line, read_lines, remove_lines};
pub use memory::MemoryStore;
pub use moving::{Copied, House, copy};
pub use opening::SqliteOptions;
pub(crate) use opening::{open as open_file, open_in_memory as open_file_in_memory};
#[cfg(feature = "postgres")]
pub use postgres::PgStore;
pub(crate) use rows::{make_private, plain_cause};
pub use schema::SCHEMA_VERSION;
pub use sqlite::SqliteStore;

/// The status shown in listings for the reason that ended a run. One that has not ended is running while a
/// process holds its lease (a killed one seems to, until `RunSummary::at` looks at when the lease ends), and stopped otherwise.
pub(crate) fn status(ended: Option<&str>, held: bool) -> &'static str {
    match ended {
        None if held => "running",
        None => "stopped",
        Some("interrupted") => "interrupted",
        Some("failed") => "failed",
        Some(_) => "finished",
    }
}
