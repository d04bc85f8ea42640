//! The exporter of this process, by the variables of OpenTelemetry.

use super::Lives;
use crate::config::Config;
use crate::error::Result;
use crate::ui::terminal::Terminal;
use elenchus_core::inquiry::EgressMode;
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::Store;
use elenchus_core::trace::spans::spans_of;
use elenchus_io::otlp::{
    Exporter, OtlpSettings, Read, Resource, Told, WatchedStore, content_from, to_json,
};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How long the end of a command waits for the last spans to arrive.
const PATIENCE: Duration = Duration::from_secs(2);

/// One a process, as the variables are: stores are opened in many places, and the end is in one.
static EXPORTER: OnceLock<Exporter> = OnceLock::new();

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Starts telling a collector, where one is set. What cannot be used is told, and no reason not to run.
pub(crate) fn begin(lives: Lives, config: &Config, terminal: &Terminal) {
    let Read { settings, warnings } = OtlpSettings::from_variables(variable);
    for warning in warnings {
        terminal.warn(&warning);
    }
    let Some(settings) = settings else { return };
    if crate::web::egress(config) == EgressMode::Offline && !settings.is_loopback() {
        terminal.warn(&format!(
            "no telemetry is sent to {}: the egress mode is `offline`; use a collector on this machine, or set \
             `egress` to `private-only` (ELENCHUS_EGRESS or elenchus.toml)",
            settings.address()
        ));
        return;
    }
    let told = (lives == Lives::Long).then(|| {
        let terminal = terminal.clone();
        Arc::new(move |line: &str| terminal.warn(line)) as Told
    });
    match Exporter::start(settings, told) {
        // A second call finds what the first one made.
        Ok(exporter) => drop(EXPORTER.set(exporter)),
        Err(cause) => terminal.warn(&format!("no telemetry is sent: {cause}")),
    }
}

/// The same store; what is written to it is told, where that was begun.
pub(crate) fn watched(store: Arc<dyn Store>) -> Arc<dyn Store> {
    match EXPORTER.get() {
        Some(exporter) => Arc::new(WatchedStore::new(store, exporter.clone())),
        None => store,
    }
}

/// Sends what is left, and says what did not arrive.
pub(crate) fn finish(terminal: &Terminal) {
    if let Some(lost) = EXPORTER.get().and_then(|exporter| exporter.finish(PATIENCE)) {
        terminal.warn(&lost);
    }
}

/// A run as one line of OTLP/JSON.
#[expect(clippy::unnecessary_wraps, reason = "a build without the feature fails here")]
pub(crate) fn export(journal: &[JournalRecord]) -> Result<String> {
    let spans = spans_of(journal, content_from(variable));
    Ok(format!("{}\n", to_json(&spans, &Resource::from_variables(variable))))
}
