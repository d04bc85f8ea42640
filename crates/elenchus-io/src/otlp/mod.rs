//! Runs as traces of OpenTelemetry, over OTLP/HTTP.
//!
//! What is sent is a fold of the journal (`elenchus_core::trace::spans`). [`WatchedStore`] stands before a store and hands on
//! each record that was written to the [`Exporter`], which folds, batches and posts on a thread of its own. A collector that is
//! slow, wrong or not there costs spans, which are counted, and never a run.

mod exporter;
mod poster;
mod settings;
mod watched;
mod wire;

pub use exporter::{Exporter, Told};
pub use settings::{OtlpSettings, Protocol, Read, Resource, content_from};
pub use watched::WatchedStore;
pub use wire::to_json;
