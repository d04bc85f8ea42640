//! The adapters against real files.

mod bank;
mod bank_apart;
mod bank_attacks;
#[cfg(feature = "postgres")]
mod bank_postgres;
mod full_disk;
mod ingest;
mod ingest_data;
mod ingest_formats;
mod kept_vectors;
mod meetings;
#[cfg(feature = "postgres")]
mod memos_postgres;
mod osis_data;
#[cfg(feature = "otel")]
#[cfg(test)]
mod otlp;
mod retrieve_attacks;
mod secrets;
mod store;
#[cfg(feature = "postgres")]
mod store_postgres;
mod views;
