//! Claim checking on labelled pairs: each verifier in-domain and on sets that it was not fitted on, beside the floors.

pub(crate) mod fit;
pub(crate) mod sets;

use crate::metrics::{Row, auroc};
use elenchus_io::verify::features::{Features, features};
use elenchus_io::verify::sentence::Sentence;
use fit::{Example, Model};
use sets::{Label, Pair, Set};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Sets whose licence allows fitting weights that ship.
pub(crate) const FITTED: [&str; 6] =
    ["breaking_nli", "cad_nli", "factcheckgpt_stance", "fever_symmetric", "scifact", "wice"];

/// What to do.
pub(crate) struct Ask {
    pub(crate) data: PathBuf,
    pub(crate) dump: Option<PathBuf>,
}

/// The class of a label.
pub(crate) fn class(label: Label) -> usize {
    match label {
        Label::Supported => 0,
        Label::Refuted => 1,
        Label::Nei | Label::Partial => 2,
    }
}

/// The features of every pair of a set, on all cores.
pub(crate) fn featurise(set: &Set) -> Vec<Features> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let size = set.pairs.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = set
            .pairs
            .chunks(size)
            .map(|chunk| scope.spawn(move || chunk.iter().map(one).collect::<Vec<_>>()))
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("featurising does not panic"))
            .collect()
    })
}

fn one(pair: &Pair) -> Features {
    let claim = Sentence::prepare(&pair.claim);
    let evidence: Vec<Sentence> =
        pair.evidence.iter().map(|text| Sentence::prepare(text)).collect();
    features(&claim, &evidence.iter().collect::<Vec<_>>())
}

pub(crate) fn run(ask: &Ask) -> Result<std::process::ExitCode, String> {
    let sets = sets::read(&ask.data, &[])?;
    let mut rows: BTreeMap<String, Vec<(Vec<f64>, Label)>> = BTreeMap::new();
    for set in &sets {
        let found = featurise(set);
        if let Some(dir) = &ask.dump {
            dump(dir, set, &found)?;
        }
        rows.insert(
            set.name.clone(),
            found
                .iter()
                .map(|f| f.values.to_vec())
                .zip(set.pairs.iter().map(|p| p.label))
                .collect(),
        );
    }
    for set in &sets {
        let examples: Vec<Example> = sets
            .iter()
            .filter(|other| other.family != set.family && FITTED.contains(&other.family.as_str()))
            .flat_map(|other| examples(&rows[&other.name]))
            .collect();
        let model = fit::fit(&examples, 1e-3);
        println!(
            "{:28} left out: supported {:.3} refuted {:.3}",
            set.name,
            score(&model, &rows[&set.name], 0),
            score(&model, &rows[&set.name], 1)
        );
    }
    Ok(std::process::ExitCode::SUCCESS)
}

fn score(model: &Model, rows: &[(Vec<f64>, Label)], which: usize) -> f64 {
    let scored: Vec<Row> =
        rows.iter().map(|(f, label)| (model.predict(f)[which], class(*label) == which)).collect();
    auroc(&scored)
}

/// At most 2,500 rows of a set, evenly taken, weighing 1 together.
fn examples(rows: &[(Vec<f64>, Label)]) -> Vec<Example> {
    let step = rows.len().div_ceil(2500).max(1);
    let n = rows.len().div_ceil(step) as f64;
    rows.iter()
        .step_by(step)
        .map(|(features, label)| Example {
            features: features.clone(),
            class: class(*label),
            weight: 1.0 / n,
        })
        .collect()
}

fn dump(dir: &Path, set: &Set, found: &[Features]) -> Result<(), String> {
    use std::fmt::Write;
    let mut text = String::new();
    for (pair, features) in set.pairs.iter().zip(found) {
        let _ = write!(text, "{}\t{:?}\t{:?}", pair.id, pair.label, features.nearest);
        for value in features.values {
            let _ = write!(text, "\t{value:.5}");
        }
        text.push('\n');
    }
    std::fs::create_dir_all(dir).map_err(|error| error.to_string())?;
    let file = dir.join(format!("{}.tsv", set.name));
    std::fs::write(&file, text)
        .map_err(|error| format!("could not write {}: {error}", file.display()))
}
