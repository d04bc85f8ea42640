//! Retrieval quality: nDCG@10 and recall@100 over a set of queries with relevant ids.

use crate::record::{Gate, Measure, Record, What};
use elenchus_io::retrieve::{Corpus, TextVectors, builtin_vectors};
use serde::Deserialize;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

#[derive(Deserialize)]
struct Query {
    text: String,
    relevant: Vec<String>,
}

pub(crate) fn run(
    documents: &Path,
    queries: &Path,
    onnx: Option<&Path>,
    gate: &Gate,
) -> Result<ExitCode, String> {
    let vectors = vectors(onnx)?;
    println!("embedder: {}", vectors.id());
    let mut record = Record::new("retrieval").with("embedder", vectors.id());
    record.read(documents)?;
    record.read(queries)?;
    let set = documents.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let folder = scratch.path().join("corpus");
    std::fs::create_dir_all(&folder)
        .map_err(|e| format!("could not make {}: {e}", folder.display()))?;
    std::fs::copy(documents, folder.join("documents.jsonl"))
        .map_err(|e| format!("could not copy {}: {e}", documents.display()))?;
    let mut corpus = Corpus::open(&scratch.path().join("index.db"), &folder, Some(vectors))
        .map_err(|e| e.to_string())?;
    let started = Instant::now();
    let report = corpus.sync(&mut |_| {}).map_err(|e| e.to_string())?;
    println!(
        "ingest: {} passages, {} bytes in {:.1} s",
        report.passages,
        report.bytes,
        started.elapsed().as_secs_f64()
    );
    let text = std::fs::read_to_string(queries)
        .map_err(|e| format!("could not read {}: {e}", queries.display()))?;
    let queries: Vec<Query> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|e| format!("could not read a query: {e}")))
        .collect::<Result<_, _>>()?;
    for (name, lexical) in [("BM25 alone", true), ("fused", false)] {
        let (mut ndcg, mut recall) = (Vec::new(), Vec::new());
        let started = Instant::now();
        for query in &queries {
            let ranked = if lexical {
                corpus.rank_records_lexical(&query.text, 100)
            } else {
                corpus.rank_records(&query.text, 100)
            }
            .map_err(|e| e.to_string())?;
            let ids: Vec<String> =
                ranked.into_iter().map(|record| record.record.unwrap_or_default()).collect();
            ndcg.push(ndcg_at(&ids, &query.relevant, 10));
            let found = query.relevant.iter().filter(|id| ids.contains(id)).count();
            recall.push(found as f64 / query.relevant.len().max(1) as f64);
        }
        let (mean, half) = mean_and_half(&ndcg);
        println!(
            "{name}: nDCG@10 {mean:.4} +- {half:.4}, recall@100 {:.4}, {} queries, {:.2} ms each",
            mean_and_half(&recall).0,
            queries.len(),
            started.elapsed().as_secs_f64() * 1e3 / queries.len().max(1) as f64
        );
        let figures = vec![
            Measure {
                interval: Some((mean - half, mean + half)),
                ..Measure::plain(What::Ndcg, mean)
            },
            Measure::plain(What::Recall, mean_and_half(&recall).0),
        ];
        record.put(&set, name, queries.len(), figures);
    }
    gate.settle(&record)
}

/// The embedder to judge: the one in the binary, or a sentence encoder from a folder.
fn vectors(onnx: Option<&Path>) -> Result<Arc<dyn TextVectors>, String> {
    match onnx {
        None => Ok(builtin_vectors()),
        #[cfg(feature = "onnx")]
        Some(folder) => elenchus_io::embed::OnnxEmbedder::load(folder)
            .map(|embedder| Arc::new(embedder) as Arc<dyn TextVectors>)
            .map_err(|e| e.to_string()),
        #[cfg(not(feature = "onnx"))]
        Some(folder) => Err(format!(
            "could not load the embedder in {}: build with `--features onnx`",
            folder.display()
        )),
    }
}

/// Binary relevance: sum of 1/log2(rank + 1) over relevant hits, divided by the best possible.
fn ndcg_at(ids: &[String], relevant: &[String], depth: usize) -> f64 {
    let gain = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
    let got: f64 = ids
        .iter()
        .take(depth)
        .enumerate()
        .filter(|(_, id)| relevant.contains(id))
        .map(|(at, _)| gain(at))
        .sum();
    let best: f64 = (0..relevant.len().min(depth)).map(gain).sum();
    if best > 0.0 { got / best } else { 0.0 }
}

/// The mean with half the width of its 95 % interval (normal approximation).
fn mean_and_half(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ndcg_is_one_for_the_ideal_order() {
        let ids: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
        assert!((ndcg_at(&ids, &["a".to_owned(), "b".to_owned()], 10) - 1.0).abs() < 1e-12);
        assert!(ndcg_at(&ids, &["c".to_owned()], 10) < 0.6);
        assert!(ndcg_at(&ids, &["x".to_owned()], 10).abs() < 1e-12);
    }
}
