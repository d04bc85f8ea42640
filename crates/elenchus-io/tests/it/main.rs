//! The adapters against real files.

mod ingest;
mod ingest_data;
mod ingest_formats;
mod meetings;
mod osis_data;
mod store;
