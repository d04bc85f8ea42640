//! Elenchus touches the world here: corpora, embeddings, models and stores behind core's ports.

#![warn(missing_docs)]

pub mod bank;
pub mod clock;
pub mod embed;
pub mod ingest;
pub mod memos;
mod migrate;
pub mod model;
#[cfg(feature = "otel")]
pub mod otlp;
#[cfg(feature = "postgres")]
pub mod pg;
pub mod retrieve;
mod sql;
mod sqlite;
pub mod store;
pub mod texts;
mod tls;
pub mod vector_index;
pub mod verify;
pub mod web;
pub mod wordnet;
