//! Which words of a claim its evidence bears out, on word-level gold.

use crate::anchors;
use crate::metrics::{Figure, Random, figure};
use crate::record::{Measure, Record, What};
use elenchus_io::verify::select::ground;
use elenchus_io::verify::sentence::Sentence;
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;

const FILE: &str = "wice_tokens.dev.jsonl";
const FOLDS: usize = 5;

#[derive(Deserialize)]
struct Row {
    claim: String,
    claim_tokens: Vec<String>,
    non_supported_spans: Vec<bool>,
    evidence: Vec<String>,
    supporting_sentences: Vec<Vec<usize>>,
}

/// A claim's words: how far each is borne out, and whether the annotators found it unsupported.
type Words = Vec<(f64, bool)>;

/// Byte ranges of words with how far each is borne out, 0 to 1; what has no range is taken to go with its neighbour.
type Grounding<'a> = &'a dyn Fn(&str, &[String]) -> Vec<(Range<usize>, f64)>;

/// Prints precision, recall and F1 of unsupported words; passes over a folder without the set, visibly.
pub(super) fn report(dir: &Path, record: &mut Record) -> Result<(), String> {
    let Ok(text) = std::fs::read_to_string(dir.join(FILE)) else {
        println!("skip: no {FILE} in the folder");
        return Ok(());
    };
    let rows: Vec<Row> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|e| format!("could not read {FILE}: {e}")))
        .collect::<Result<_, _>>()?;
    let share = rows.iter().flat_map(|row| &row.non_supported_spans).filter(|span| **span).count();
    let n: usize = rows.iter().map(|row| row.claim_tokens.len()).sum();
    println!("{FILE}: {} claims, {n} words, {share} unsupported", rows.len());
    record.read(&dir.join(FILE))?;
    anchors::print("words", " ");
    for (mode, whole) in [("gold sentences", false), ("whole text", true)] {
        println!(" evidence: {mode}");
        let ways: [(&str, Grounding<'_>); 3] =
            [("all unsupported", &|_, _| Vec::new()), ("exact stems", &exact), ("ground", &soft)];
        for (name, way) in ways {
            let judged: Vec<Words> = rows.iter().map(|row| judge(row, whole, way)).collect();
            let f1 = Measure::of(What::UnsupportedWords, show(name, &judged));
            record.put(FILE, &format!("{name}, {mode}"), rows.len(), vec![f1]);
        }
    }
    Ok(())
}

fn prepare(claim: &str, evidence: &[String]) -> (Sentence, Vec<Sentence>) {
    (Sentence::prepare(claim), evidence.iter().map(|text| Sentence::prepare(text)).collect())
}

fn soft(claim: &str, evidence: &[String]) -> Vec<(Range<usize>, f64)> {
    let (claim, evidence) = prepare(claim, evidence);
    let found = ground(&claim, &evidence.iter().collect::<Vec<_>>());
    claim.words.iter().zip(found).map(|(word, found)| (word.token.bytes.clone(), found)).collect()
}

fn exact(claim: &str, evidence: &[String]) -> Vec<(Range<usize>, f64)> {
    let (claim, evidence) = prepare(claim, evidence);
    let has = |stem: &str| {
        evidence.iter().any(|sentence| sentence.words.iter().any(|w| w.token.stem == stem))
    };
    claim
        .words
        .iter()
        .map(|word| (word.token.bytes.clone(), f64::from(has(&word.token.stem))))
        .collect()
}

/// Lays the grounding on the annotators' words. A word of little meaning goes with the words around it: it is as far
/// borne out as the one of its two neighbours that is more so.
fn judge(row: &Row, whole: bool, way: Grounding<'_>) -> Words {
    let evidence: Vec<String> = if whole {
        row.evidence.clone()
    } else {
        let mut places: Vec<usize> = row.supporting_sentences.iter().flatten().copied().collect();
        places.sort_unstable();
        places.dedup();
        places.iter().filter_map(|at| row.evidence.get(*at).cloned()).collect()
    };
    let grounded = way(&row.claim, &evidence);
    let mut from = 0;
    let found: Vec<Option<f64>> = row
        .claim_tokens
        .iter()
        .map(|token| {
            let start = row.claim[from..].find(token.as_str())? + from;
            from = start + token.len();
            grounded
                .iter()
                .filter(|(bytes, _)| bytes.start < from && start < bytes.end)
                .map(|(_, found)| *found)
                .reduce(f64::min)
        })
        .collect();
    (0..found.len())
        .map(|at| {
            let near = found[at].or_else(|| {
                let before = found[..at].iter().rev().flatten().next().copied();
                let after = found[at + 1..].iter().flatten().next().copied();
                match (before, after) {
                    (Some(a), Some(b)) => Some(a.max(b)),
                    (a, b) => a.or(b),
                }
            });
            (near.unwrap_or(0.0), row.non_supported_spans.get(at).copied().unwrap_or(false))
        })
        .collect()
}

/// Counts of words: called unsupported and right, called so, unsupported.
fn counts(words: &Words, threshold: f64) -> [f64; 3] {
    let called = |word: &&(f64, bool)| word.0 < threshold;
    [
        words.iter().filter(called).filter(|word| word.1).count() as f64,
        words.iter().filter(called).count() as f64,
        words.iter().filter(|word| word.1).count() as f64,
    ]
}

fn sum(rows: &[[f64; 3]]) -> [f64; 3] {
    rows.iter().fold([0.0; 3], |sum, row| [sum[0] + row[0], sum[1] + row[1], sum[2] + row[2]])
}

fn f1(rows: &[[f64; 3]]) -> f64 {
    let [right, called, gold] = sum(rows);
    if called + gold > 0.0 { 2.0 * right / (called + gold) } else { 0.0 }
}

/// The threshold with the greatest F1.
fn best(judged: &[&Words]) -> f64 {
    let value = |threshold: f64| {
        f1(&judged.iter().map(|words| counts(words, threshold)).collect::<Vec<_>>())
    };
    (1..=20)
        .map(|step| f64::from(step) / 20.0 + 0.001)
        .map(|threshold| (threshold, value(threshold)))
        .fold((0.5, 0.0), |best, next| if next.1 > best.1 { next } else { best })
        .0
}

/// Figures with the threshold fitted on the other folds; F1 is given back.
fn show(name: &str, judged: &[Words]) -> Figure {
    let mut random = Random(7);
    let folds: Vec<usize> = judged.iter().map(|_| random.below(FOLDS)).collect();
    let rows: Vec<[f64; 3]> = judged
        .iter()
        .zip(&folds)
        .map(|(words, fold)| {
            let others: Vec<&Words> =
                judged.iter().zip(&folds).filter(|(_, f)| *f != fold).map(|(w, _)| w).collect();
            counts(words, best(&others))
        })
        .collect();
    let [right, called, gold] = sum(&rows);
    let whole = figure(&rows, f1);
    println!(
        "  {name:16} precision {:.3} recall {:.3} F1 {} (threshold on all {:.2})",
        right / called.max(1.0),
        right / gold.max(1.0),
        whole.shown(),
        best(&judged.iter().collect::<Vec<_>>())
    );
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_judged_where_they_stand() {
        let row = Row {
            claim: "The old mill burnt.".to_owned(),
            claim_tokens: ["The", "old", "mill", "burnt", "."].map(str::to_owned).into(),
            non_supported_spans: vec![false, true, false, false, false],
            evidence: vec!["A mill burnt.".to_owned(), "The old man came.".to_owned()],
            supporting_sentences: vec![vec![0]],
        };
        let words = judge(&row, false, &exact);
        assert_eq!(counts(&words, 0.5).map(|n| n as usize), [1, 2, 1]);
        assert!((words[4].0 - 1.0).abs() < 1e-12);
        assert_eq!(counts(&judge(&row, true, &exact), 0.5)[0] as usize, 0);
    }
}
