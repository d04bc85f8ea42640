//! The web as a source, without becoming its victim.
//!
//! A search asks providers ([`provider`]), fetches the pages they name ([`Fetcher`], behind a guard that never
//! connects to an address that is not public), reads them as documents ([`page`]), keeps a snapshot of each
//! ([`Snapshots`]) and then searches the passages like those of a folder.
//!
//! An address is only ever fetched when it is [`Vouched`] for: it stands in the user's own words, in a provider's result,
//! or as a link that our parser found on a fetched page. No model has a way to name one.

mod address;
mod api;
mod body;
#[cfg(test)]
mod conformance;
mod failure;
mod fetch;
#[cfg(any(test, feature = "testkit"))]
pub mod fuzzing;
mod guard;
mod hop;
mod hybrid;
pub mod independence;
mod manners;
mod obtain;
pub mod page;
pub mod provider;
mod redirect;
mod resolve;
mod retriever;
mod robots;
mod secrets;
mod settings;
mod snapshots;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod vouched;
mod wanted;

pub use api::{ApiClient, ApiReply, Chosen};
pub use failure::{FetchFailure, Nature, SetupError};
pub use fetch::{Fetched, Fetcher};
pub use hybrid::HybridRetriever;
pub use reqwest::Url;
pub use resolve::{Looking, Lookup, SystemLookup};
pub use retriever::{WebRetriever, WebSettings};
pub use settings::{Egress, FetchSettings};
#[cfg(feature = "postgres")]
pub(crate) use snapshots::PAGES;
pub(crate) use snapshots::moving;
pub use snapshots::{DEFAULT_CAP, Kept, Snapshot, SnapshotError, Snapshots, Volume};
pub use vouched::{AddressError, Vouched, Voucher};
pub use wanted::named_in;
