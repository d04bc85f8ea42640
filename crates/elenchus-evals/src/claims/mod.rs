//! Claim checking on labelled pairs: each verifier in-domain and on sets that it was not fitted on, beside the floors.

mod features;
pub(crate) mod fit;
mod judge;
mod report;
pub(crate) mod sets;
mod ship;

use std::path::PathBuf;

/// Sets whose licence allows fitting weights that ship.
pub(crate) const FITTED: [&str; 6] =
    ["breaking_nli", "cad_nli", "factcheckgpt_stance", "fever_symmetric", "scifact", "wice"];

/// What to do.
pub(crate) struct Ask {
    pub(crate) data: PathBuf,
    pub(crate) dump: Option<PathBuf>,
    /// Probabilities of a cross-encoder: a folder a model, a TSV a set.
    pub(crate) predictions: Option<PathBuf>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) against: Option<PathBuf>,
    pub(crate) ship: Option<PathBuf>,
}

pub(crate) fn run(ask: &Ask) -> Result<std::process::ExitCode, String> {
    let sets = sets::read(&ask.data, &[])?;
    let mut tables = Vec::new();
    for set in &sets {
        tables.push(features::table(set, ask.dump.as_deref(), ask.predictions.as_deref())?);
    }
    if let Some(dir) = &ask.ship {
        return ship::ship(&tables, dir);
    }
    let results = judge::judge(&tables);
    report::print(&results);
    if let Some(out) = &ask.out {
        report::write(&results, out)?;
    }
    match &ask.against {
        Some(committed) => report::compare(&results, committed),
        None => Ok(std::process::ExitCode::SUCCESS),
    }
}
