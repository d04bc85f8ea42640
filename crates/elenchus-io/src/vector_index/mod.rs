//! Where the vectors of many tenants are searched, when one process's memory is no longer the place for them.
//!
//! The [`VectorIndex`] is a port of this crate with three implementations: [`EmbeddedIndex`] scans a SQLite file exactly,
//! `PgIndex` (feature `postgres`) keeps vectors beside the memory on a PostgreSQL server, and `QdrantIndex` (feature `qdrant`)
//! asks a Qdrant server over its REST interface. All pass one suite.
//!
//! An index is derived: the store is written first, then the index, and [`drift`] finds and mends what the index lacks. Nobody
//! can ask without saying for whom: maintenance names a [`Lot`], which has a tenant, and searching takes a [`Caller`], which
//! has one too and moreover says what of the tenant's it may see. Both are applied before the nearest vectors are looked for.

mod checks;
pub mod drift;
mod embedded;
mod failure;
mod point;
#[cfg(feature = "qdrant")]
mod qdrant;
#[cfg(feature = "postgres")]
mod server;
#[cfg(all(any(test, feature = "testkit"), feature = "qdrant"))]
pub mod testkit;
#[cfg(test)]
mod tests;

pub use embedded::EmbeddedIndex;
pub use failure::{IndexFailure, Trouble};
pub use point::{Found, Kind, Listed, Lot, Nearest, Page, Point, Shared};
#[cfg(feature = "qdrant")]
pub use qdrant::{QdrantIndex, QdrantSettings};
#[cfg(feature = "postgres")]
pub use server::{PgIndex, Standing};

use elenchus_core::bank::Caller;
use elenchus_core::port::PortFuture;

/// The most points that one search gives.
pub const MOST_FOUND: usize = 1_000;
/// The most entries of one page.
pub const MOST_LISTED: usize = 1_000;

/// Points with vectors, apart by tenant and kind, searched by who asks.
///
/// Writes are seen by every read that begins after they returned. Every method may be given up and repeated: writing the
/// same point twice is writing it once.
pub trait VectorIndex: Send + Sync {
    /// What it is and where, for messages. Holds no key.
    fn name(&self) -> String;

    /// Numbers per vector; at least 1.
    fn dimensions(&self) -> usize;

    /// Puts points in, each in the place of the one of the lot with its id.
    ///
    /// # Errors
    /// When a point cannot be taken (nothing is written then), or the index does not answer (some may be written then).
    fn upsert<'a>(
        &'a self,
        lot: &'a Lot,
        points: &'a [Point],
    ) -> PortFuture<'a, Result<(), IndexFailure>>;

    /// Takes points out by their ids. What is not there stays so.
    ///
    /// # Errors
    /// When the index does not answer.
    fn remove<'a>(
        &'a self,
        lot: &'a Lot,
        ids: &'a [String],
    ) -> PortFuture<'a, Result<(), IndexFailure>>;

    /// Takes all points of the lot out.
    ///
    /// # Errors
    /// When the index does not answer.
    fn clear<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<(), IndexFailure>>;

    /// The points of the caller's tenant that it may see and that lie nearest, the nearest first, ties in order of their
    /// ids. What it may not see has no part in the search.
    ///
    /// # Errors
    /// When the vector or the number asked for cannot be used, or the index does not answer.
    fn nearest<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
        asked: &'a Nearest,
    ) -> PortFuture<'a, Result<Vec<Found>, IndexFailure>>;

    /// How many points of its tenant the caller may see.
    ///
    /// # Errors
    /// When the index does not answer.
    fn count<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
    ) -> PortFuture<'a, Result<u64, IndexFailure>>;

    /// How many points the lot holds.
    ///
    /// # Errors
    /// When the index does not answer.
    fn size<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<u64, IndexFailure>>;

    /// Ids of the lot with the hashes of what was written, each once, up to `most` (1 to [`MOST_LISTED`]) from where an
    /// earlier page ended (`None` is the beginning). The order is the index's own.
    ///
    /// # Errors
    /// When the token is none of this index, or the index does not answer.
    fn page<'a>(
        &'a self,
        lot: &'a Lot,
        from: Option<&'a str>,
        most: usize,
    ) -> PortFuture<'a, Result<Page, IndexFailure>>;
}
