//! The evidence graph behind core's `Memos` port: in the store's file, on a PostgreSQL server, or behind
//! another Elenchus.
//!
//! All pass the one conformance suite of the port.

mod graph;
#[cfg(feature = "postgres")]
mod postgres;
mod remote;
mod rows;
#[cfg(feature = "postgres")]
pub(crate) mod schema_pg;
mod search;
mod sqlite;
#[cfg(test)]
mod tests;
mod words;

#[cfg(feature = "postgres")]
pub use postgres::PgMemos;
pub use remote::{RemoteMemos, RemoteSettings};
pub use sqlite::SqliteMemos;
