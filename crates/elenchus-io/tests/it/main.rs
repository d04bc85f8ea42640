//! The adapters against real files.

mod bank;
mod bank_apart;
mod bank_attacks;
mod ingest;
mod ingest_data;
mod ingest_formats;
mod meetings;
mod osis_data;
mod retrieve_attacks;
mod store;
