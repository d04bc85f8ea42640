//! A build without OpenTelemetry says which feature is missing.

use super::Lives;
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::ui::terminal::Terminal;
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::Store;
use std::sync::Arc;

const WITH: &str = "build it with `cargo build --release -p elenchus --features otel`";

/// Says so where a collector is set.
pub(crate) fn begin(_lives: Lives, _config: &Config, terminal: &Terminal) {
    let set = |name: &str| std::env::var(name).is_ok_and(|value| !value.trim().is_empty());
    let off =
        std::env::var("OTEL_SDK_DISABLED").is_ok_and(|v| v.trim().eq_ignore_ascii_case("true"));
    let endpoints = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
    if let Some(name) = endpoints.into_iter().find(|name| set(name)).filter(|_| !off) {
        terminal.warn(&format!(
            "{name} is set, and this build of elenchus sends no telemetry: {WITH}, or set OTEL_SDK_DISABLED=true"
        ));
    }
}

pub(crate) fn watched(store: Arc<dyn Store>) -> Arc<dyn Store> {
    store
}

pub(crate) fn finish(_terminal: &Terminal) {}

pub(crate) fn export(_journal: &[JournalRecord]) -> Result<String> {
    Err(CliError::usage(
        "could not write the run as OTLP",
        "this build of elenchus does not know OpenTelemetry",
        format!("{WITH}; `--format jsonl` gives the trace in our own form"),
    ))
}
