//! A PostgreSQL server: connections to it, the schema that it must have, and what its failures mean.

mod cause;
mod connections;
mod migrate;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;

pub(crate) use cause::plain_cause;
#[cfg(any(test, feature = "testkit"))]
pub(crate) use connections::connect;
pub(crate) use connections::{Connections, Unjoined, listen};
pub(crate) use migrate::migrate;
