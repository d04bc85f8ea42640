//! Claim-evidence sets in the JSONL form: `{id, split, claim, evidence[], label, gold_sentences?}`. Where many claims are
//! about one document, a line `{document, title, sentences[]}` gives it once and the claims name it: `{id, claim, document,
//! label, gold_sentences?}`.

use elenchus_core::id::short_hash;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What the annotators said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Label {
    Supported,
    Refuted,
    Nei,
    /// Some of the claim is borne out: counts as not supported, and is reported apart.
    Partial,
}

/// A labelled pair.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Pair {
    pub(crate) id: String,
    pub(crate) claim: String,
    #[serde(default)]
    pub(crate) evidence: Vec<String>,
    pub(crate) label: Label,
    /// What the evidence stands under.
    #[serde(default)]
    pub(crate) above: Vec<String>,
    /// The document whose sentences are the evidence, in files that give documents apart.
    #[serde(default)]
    pub(crate) document: Option<String>,
    /// Sets of sentences each of which suffices.
    #[serde(default)]
    pub(crate) gold_sentences: Option<Vec<Vec<usize>>>,
}

/// A document that several claims are about.
#[derive(Debug, Deserialize)]
struct Document {
    document: String,
    title: String,
    sentences: Vec<String>,
}

/// A file of pairs.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    /// The file's name without `.jsonl`, e.g. `wice.dev`.
    pub(crate) name: String,
    /// The set's name, e.g. `wice`.
    pub(crate) family: String,
    /// SHA-256 of the file.
    pub(crate) sha256: String,
    pub(crate) pairs: Vec<Pair>,
}

/// Reads every `*.jsonl` of a folder that has the form, in the order of names. Files of another form (token-level
/// gold) are passed over; a row that is broken is an error with its place.
pub(crate) fn read(dir: &Path, only: &[String]) -> Result<Vec<Set>, String> {
    let listing = std::fs::read_dir(dir).map_err(|error| {
        format!("could not list {}: {error}; name a folder of JSON lines", dir.display())
    })?;
    let mut paths: Vec<_> = listing
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    let mut sets = Vec::new();
    for path in paths {
        let name =
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        if !only.is_empty() && !only.iter().any(|part| name.starts_with(part.as_str())) {
            continue;
        }
        let bytes = std::fs::read(&path)
            .map_err(|error| format!("could not read {}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut pairs = Vec::new();
        let mut documents = BTreeMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            if line.contains("\"non_supported_spans\"") {
                pairs.clear();
                break;
            }
            let place = || format!("could not read {} line {}", path.display(), at + 1);
            if let Ok(document) = serde_json::from_str::<Document>(line) {
                documents.insert(document.document.clone(), document);
                continue;
            }
            let mut pair: Pair =
                serde_json::from_str(line).map_err(|error| format!("{}: {error}", place()))?;
            if let Some(name) = &pair.document {
                let document = documents.get(name).ok_or_else(|| {
                    format!("{}: no line before it gives the document {name:?}", place())
                })?;
                pair.evidence.clone_from(&document.sentences);
                pair.above = vec![document.title.clone()];
            }
            if pair.evidence.is_empty() {
                return Err(format!("{}: it has neither evidence nor a document", place()));
            }
            pairs.push(pair);
        }
        if pairs.is_empty() {
            continue;
        }
        let family = name.split('.').next().unwrap_or(&name).to_owned();
        sets.push(Set { sha256: short_hash(&bytes, 64), name, family, pairs });
    }
    if sets.is_empty() {
        return Err(format!(
            "could not find a set in {}: it holds no *.jsonl with claim, evidence and label",
            dir.display()
        ));
    }
    Ok(sets)
}

impl Set {
    /// Leaves at most so many pairs, chosen by a hash of their ids and kept in the order of the file: the same ones every
    /// time, on every machine.
    pub(crate) fn sample(&mut self, most: usize) {
        if self.pairs.len() <= most {
            return;
        }
        let mut order: Vec<(String, usize)> = self
            .pairs
            .iter()
            .enumerate()
            .map(|(at, pair)| (short_hash(pair.id.as_bytes(), 16), at))
            .collect();
        order.sort();
        let kept: std::collections::BTreeSet<usize> =
            order.into_iter().take(most).map(|(_, at)| at).collect();
        let mut at = 0;
        self.pairs.retain(|_| {
            at += 1;
            kept.contains(&(at - 1))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_same_every_time_and_keeps_its_order() {
        let pair = |n: usize| Pair {
            id: format!("p{n}"),
            claim: String::new(),
            evidence: Vec::new(),
            label: Label::Nei,
            above: Vec::new(),
            document: None,
            gold_sentences: None,
        };
        let whole = Set {
            name: "own.dev".to_owned(),
            family: "own".to_owned(),
            sha256: String::new(),
            pairs: (0..100).map(pair).collect(),
        };
        let sampled = |most| {
            let mut set = whole.clone();
            set.sample(most);
            set.pairs.into_iter().map(|pair| pair.id).collect::<Vec<_>>()
        };
        assert_eq!(sampled(10), sampled(10));
        assert_eq!((sampled(10).len(), sampled(500).len()), (10, 100));
        assert!(sampled(10).iter().all(|id| sampled(20).contains(id)));
        let places: Vec<usize> = sampled(10).iter().map(|id| id[1..].parse().unwrap()).collect();
        assert!(places.is_sorted());
    }
}
