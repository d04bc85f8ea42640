//! Features of every pair of a set, with the cross-encoder's probabilities where there are some.

use super::sets::{Label, Pair, Set};
use elenchus_io::verify::features::{Features, features};
use elenchus_io::verify::sentence::Sentence;
use elenchus_io::verify::{Classes, CrossEncoder, Failing, to_read};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A set as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) family: String,
    pub(crate) sha256: String,
    pub(crate) rows: Vec<Row>,
}

/// A pair as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) features: Vec<f64>,
    /// A cross-encoder's probabilities that did not see this set in training.
    pub(crate) cross: Option<[f64; 3]>,
    /// The same of the encoder that ships.
    pub(crate) shipped: Option<[f64; 3]>,
    pub(crate) label: Label,
    /// The worst that the binding checks say.
    pub(crate) failing: Option<Failing>,
}

impl Table {
    /// The part of the set: `dev`, `train`, `test`.
    pub(crate) fn part(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}

impl Row {
    /// 0 supports, 1 refutes, 2 not enough; partial support is not support.
    pub(crate) fn class(&self) -> usize {
        match self.label {
            Label::Supported => 0,
            Label::Refuted => 1,
            Label::Nei | Label::Partial => 2,
        }
    }
}

/// Where the cross-encoder's probabilities come from.
#[derive(Clone, Copy)]
pub(crate) enum Cross<'a> {
    None,
    /// A folder a model, a TSV a set.
    Written(&'a Path),
    /// An encoder reads every pair.
    Reads(&'a CrossEncoder),
}

pub(crate) fn table(set: &Set, dump: Option<&Path>, source: Cross<'_>) -> Result<Table, String> {
    let (written, encoder) = match source {
        Cross::Written(dir) => (Some(dir), None),
        Cross::Reads(encoder) => (None, Some(encoder)),
        Cross::None => (None, None),
    };
    let (found, read_by_shipped) = featurise(set, encoder)?;
    if let Some(dir) = dump {
        write(dir, set, &found)?;
    }
    let cross = written.map(|dir| left_out(dir, set)).transpose()?;
    let shipped = written.map(|dir| read(&dir.join("final"), set)).transpose()?.flatten();
    let of = |known: Option<&BTreeMap<String, [f64; 3]>>, pair: &Pair| {
        known.and_then(|known| known.get(&pair.id)).copied()
    };
    let rows = set
        .pairs
        .iter()
        .zip(found)
        .zip(read_by_shipped)
        .map(|((pair, found), classes)| Row {
            features: found.values.to_vec(),
            cross: classes.or_else(|| of(cross.as_ref().and_then(Option::as_ref), pair)),
            shipped: classes.or_else(|| of(shipped.as_ref(), pair)),
            label: pair.label,
            failing: found
                .bindings
                .as_ref()
                .and_then(|b| Failing::worst(&b.mismatches))
                .map(|(failing, _)| failing),
        })
        .collect();
    Ok(Table {
        name: set.name.clone(),
        family: set.family.clone(),
        sha256: set.sha256.clone(),
        rows,
    })
}

/// The features of every pair, and what an encoder says of it; on all cores.
fn featurise(
    set: &Set,
    encoder: Option<&CrossEncoder>,
) -> Result<(Vec<Features>, Vec<Option<Classes>>), String> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let size = set.pairs.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let workers: Vec<_> = set
            .pairs
            .chunks(size)
            .map(|chunk| {
                scope.spawn(move || {
                    chunk.iter().map(|pair| one(pair, encoder)).collect::<Result<Vec<_>, _>>()
                })
            })
            .collect();
        let mut out = (Vec::new(), Vec::new());
        for worker in workers {
            for (found, classes) in worker.join().expect("featurising does not panic")? {
                out.0.push(found);
                out.1.push(classes);
            }
        }
        Ok(out)
    })
}

fn one(pair: &Pair, encoder: Option<&CrossEncoder>) -> Result<(Features, Option<Classes>), String> {
    let claim = Sentence::prepare(&pair.claim);
    let evidence: Vec<Sentence> =
        pair.evidence.iter().map(|text| Sentence::prepare(text)).collect();
    let evidence: Vec<&Sentence> = evidence.iter().collect();
    let found = features(&claim, &evidence);
    let Some(encoder) = encoder else { return Ok((found, None)) };
    let read = to_read(&pair.claim, &found, &evidence, &pair.above);
    let read = read.iter().map(|(place, text)| (*place, text.as_str())).collect();
    let classes = encoder.classify(&[(pair.claim.as_str(), read)])?;
    Ok((found, classes.first().copied()))
}

/// The predictions of the model that was trained without this set, or of the one that saw none.
fn left_out(dir: &Path, set: &Set) -> Result<Option<BTreeMap<String, [f64; 3]>>, String> {
    for model in [format!("without_{}", set.family), "m0".to_owned()] {
        if let Some(found) = read(&dir.join(model), set)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn read(dir: &Path, set: &Set) -> Result<Option<BTreeMap<String, [f64; 3]>>, String> {
    let file = dir.join(format!("{}.tsv", set.name));
    let Ok(text) = std::fs::read_to_string(&file) else { return Ok(None) };
    let mut known = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let mut fields = line.split('\t');
        let id = fields.next().unwrap_or_default().to_owned();
        let p: Vec<f64> = fields.filter_map(|field| field.parse().ok()).collect();
        match p.as_slice() {
            [s, r, n] => {
                known.insert(id, [*s, *r, *n]);
            }
            // A header.
            _ if at == 0 => {}
            _ => {
                return Err(format!(
                    "could not read {} line {}: it has no three numbers",
                    file.display(),
                    at + 1
                ));
            }
        }
    }
    Ok(Some(known))
}

fn write(dir: &Path, set: &Set, found: &[Features]) -> Result<(), String> {
    let mut text = String::new();
    for (pair, features) in set.pairs.iter().zip(found) {
        let _ = write!(text, "{}\t{:?}\t{:?}", pair.id, pair.label, features.nearest);
        for value in features.values {
            let _ = write!(text, "\t{value:.5}");
        }
        text.push('\n');
    }
    let fail = |error: std::io::Error| format!("could not write {}: {error}", dir.display());
    std::fs::create_dir_all(dir).map_err(fail)?;
    std::fs::write(dir.join(format!("{}.tsv", set.name)), text).map_err(fail)
}
