//! Claim checking on labelled pairs: what ships, each verifier in-domain and on sets that it was not fitted on, and the
//! floors.

pub(crate) mod features;
pub(crate) mod fit;
pub(crate) mod judge;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod sets;
mod ship;
pub(crate) mod shipped;

use crate::record::Gate;
use elenchus_io::verify::CrossEncoder;
use score::Score;
use sets::Set;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Sets whose licence allows fitting weights that ship.
pub(crate) const FITTED: [&str; 7] = [
    "analyst",
    "breaking_nli",
    "cad_nli",
    "factcheckgpt_stance",
    "fever_symmetric",
    "scifact",
    "wice",
];

/// Sets of which rows, if others than are judged, were among what the cross-encoder learned from (its model card): what it makes of
/// them is no figure of documents of another kind.
pub(crate) const TRAINED: [&str; 6] =
    ["analyst", "analyst_read", "breaking_nli", "cad_nli", "near_read", "revised"];

/// What to do.
#[derive(clap::Args)]
pub(crate) struct ClaimsArgs {
    /// A folder of sets (JSON lines with `claim`, `evidence` and `label`).
    #[arg(long)]
    data: PathBuf,
    /// Write the features of every pair into this folder.
    #[arg(long)]
    dump: Option<PathBuf>,
    /// Probabilities of a cross-encoder, as `scripts/train_verifier.py` writes them: a folder a model, a TSV a set.
    #[arg(long)]
    predictions: Option<PathBuf>,
    /// Read every pair with a cross-encoder, on the sentences that the product chooses, instead of taking another program's
    /// probabilities: the one that ships, or a file of the same make.
    #[arg(long, conflicts_with = "predictions", num_args = 0..=1, default_missing_value = "")]
    cross_encoder: Option<PathBuf>,
    /// Leave out what takes longest: the row of the cascade with the cross-encoder that ships.
    #[arg(long)]
    quick: bool,
    /// Of each set at most so many pairs, always the same ones. What is fitted is fitted on them, too.
    #[arg(long, conflicts_with = "ship")]
    sample: Option<usize>,
    /// Fit what ships and write the assets into this folder instead of judging.
    #[arg(long, conflicts_with_all = ["out", "against"])]
    ship: Option<PathBuf>,
    #[command(flatten)]
    gate: Gate,
}

/// The sets of a folder, of each at most `sample` pairs.
pub(crate) fn sampled(data: &Path, sample: Option<usize>) -> Result<Vec<Set>, String> {
    let mut sets = sets::read(data, &[])?;
    if let Some(most) = sample {
        for set in &mut sets {
            set.sample(most);
        }
    }
    Ok(sets)
}

pub(crate) async fn run(args: &ClaimsArgs) -> Result<ExitCode, String> {
    let sets = sampled(&args.data, args.sample)?;
    let encoder = match &args.cross_encoder {
        Some(file) if file.as_os_str().is_empty() => Some(CrossEncoder::builtin()?),
        Some(file) => Some(CrossEncoder::from_file(file)?),
        None => None,
    };
    let mut tables = Vec::new();
    for set in &sets {
        let source = match (&args.predictions, encoder) {
            (Some(dir), _) => features::Cross::Written(dir),
            (None, Some(encoder)) => features::Cross::Reads(encoder),
            (None, None) => features::Cross::None,
        };
        tables.push(features::table(set, args.dump.as_deref(), source)?);
    }
    if let Some(dir) = &args.ship {
        return ship::ship(&tables, dir);
    }
    let mut shipped = Vec::new();
    for set in &sets {
        shipped.push(what_ships(set, args.quick).await?);
    }
    let results = judge::judge(&tables, &shipped);
    report::print(&results);
    if let Some(out) = args.gate.out.as_ref().filter(|_| !args.gate.brief) {
        report::draw(&results.pooled_bins, &results.scores, out)?;
    }
    args.gate.settle(&report::record(&results, args.sample))
}

/// The rows of what ships: without the cross-encoder, and the product's default with it.
async fn what_ships(set: &Set, quick: bool) -> Result<Vec<Score>, String> {
    let names: &[&str] = if quick { &["quick"] } else { &["quick", "builtin"] };
    let mut out = Vec::new();
    for name in names {
        let verifier = crate::verifiers::named(name)?;
        let shown = shipped::shown(set, verifier.as_ref()).await?;
        out.push(shipped::scored(set, &format!("shipped, {name}"), &shown));
    }
    Ok(out)
}
