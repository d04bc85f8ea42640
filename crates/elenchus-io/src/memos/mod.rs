//! The evidence graph behind core's `Memos` port: in the store's file, or behind another Elenchus.
//!
//! Both pass the one conformance suite of the port.

mod remote;
mod rows;
mod search;
mod sqlite;
#[cfg(test)]
mod tests;

pub use remote::{RemoteMemos, RemoteSettings};
pub use sqlite::SqliteMemos;
