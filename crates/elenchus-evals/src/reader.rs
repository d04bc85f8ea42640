//! The answer reader on our own documents: does it find the unit that answers, its words, and that nothing answers?
//!
//! Documents that `left_out.list` names are not trained on (`scripts/train_reader.py`); by default only these are judged.
//! Every question is put to every unit of its document, near misses too.

use crate::metrics::{Row, auroc, figure};
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use elenchus_io::model::AnswerReader;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Beside the documents: the titles of those that are left out of training.
const LEFT_OUT: &str = "left_out.list";

/// A document: its title and its units.
struct Document {
    title: String,
    units: Vec<Unit>,
}

/// A unit of a document with what is asked about it.
struct Unit {
    heading: String,
    text: String,
    /// Questions that it answers, with the words.
    asked: Vec<(String, String)>,
    /// Questions that nothing in the document answers.
    near_misses: Vec<String>,
}

/// One question put to its document.
#[derive(Clone)]
struct Outcome {
    answerable: bool,
    /// The highest log-odds of a unit.
    best: f64,
    /// The unit with the highest is the right one.
    right: bool,
    /// The reader's words in the right unit against those expected, 0 to 1.
    words: f64,
}

fn failed(path: &Path, cause: String) -> String {
    format!("reading the documents in {} failed: {cause}", path.display())
}

/// The text files of a folder, in the order of names.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|cause| failed(folder, cause.to_string()))?;
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(|cause| failed(folder, cause.to_string()))?;
    files.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    files.sort();
    Ok(files)
}

/// The documents in a folder's text files.
fn documents(folder: &Path) -> Result<Vec<Document>, String> {
    let mut found: Vec<Document> = Vec::new();
    for path in files(folder)? {
        let text =
            std::fs::read_to_string(&path).map_err(|cause| failed(&path, cause.to_string()))?;
        let mut heading = String::new();
        for (number, line) in text.lines().map(str::trim).enumerate() {
            let misplaced =
                || failed(&path, format!("line {} has nothing to stand under", number + 1));
            if let Some(title) = line.strip_prefix("# ") {
                found.push(Document { title: title.trim().to_owned(), units: Vec::new() });
                heading.clear();
            } else if let Some(name) = line.strip_prefix("## ") {
                name.trim().clone_into(&mut heading);
            } else if let Some(unit) = line.strip_prefix("u ") {
                found.last_mut().ok_or_else(misplaced)?.units.push(Unit {
                    heading: heading.clone(),
                    text: unit.trim().to_owned(),
                    asked: Vec::new(),
                    near_misses: Vec::new(),
                });
            } else if let Some(asked) = line.strip_prefix("? ") {
                let unit = found.last_mut().and_then(|document| document.units.last_mut());
                let (question, answer) = asked.split_once('|').unwrap_or((asked, ""));
                let both = (question.trim().to_owned(), answer.trim().to_owned());
                unit.ok_or_else(misplaced)?.asked.push(both);
            } else if let Some(question) = line.strip_prefix("- ") {
                let unit = found.last_mut().and_then(|document| document.units.last_mut());
                unit.ok_or_else(misplaced)?.near_misses.push(question.trim().to_owned());
            }
        }
    }
    if found.is_empty() {
        return Err(failed(folder, "there is no document (*.txt, \"# \" begins one)".to_owned()));
    }
    Ok(found)
}

fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// F1 of the words of two texts.
fn agreement(told: &str, expected: &str) -> f64 {
    let (told, expected) = (words_of(told), words_of(expected));
    let both = told.intersection(&expected).count();
    if both == 0 { 0.0 } else { 2.0 * both as f64 / (told.len() + expected.len()) as f64 }
}

fn outcome(
    question: &str,
    document: &Document,
    answered_at: Option<(usize, &str)>,
) -> Result<Outcome, String> {
    let reader = AnswerReader::builtin()?;
    let units = &document.units;
    let mut read = Vec::with_capacity(units.len());
    for unit in units {
        let under = AnswerReader::under(&document.title, &unit.heading);
        read.push(reader.read(question, &under, &unit.text)?);
    }
    let best = (0..read.len()).max_by(|a, b| read[*a].answers.total_cmp(&read[*b].answers));
    let words = answered_at.map_or(0.0, |(at, expected)| {
        let told = read[at].words.clone().map_or("", |words| &units[at].text[words]);
        agreement(told, expected)
    });
    Ok(Outcome {
        answerable: answered_at.is_some(),
        best: best.map_or(f64::MIN, |at| read[at].answers),
        right: answered_at.is_some_and(|(at, _)| best == Some(at)),
        words,
    })
}

/// Judges the reader; `all` also on what it was trained on.
pub(crate) fn run(folder: &Path, all: bool, gate: &Gate) -> Result<ExitCode, String> {
    let documents = documents(folder)?;
    let list = folder.join(LEFT_OUT);
    let left_out = std::fs::read_to_string(&list).map_err(|cause| {
        format!("reading which documents are left out from {} failed: {cause}", list.display())
    })?;
    let left_out: BTreeSet<&str> = left_out.lines().collect();
    let judged: Vec<&Document> =
        documents.iter().filter(|one| all || left_out.contains(one.title.as_str())).collect();
    let mut outcomes = Vec::new();
    for document in &judged {
        for (at, unit) in document.units.iter().enumerate() {
            for (question, answer) in &unit.asked {
                outcomes.push(outcome(question, document, Some((at, answer)))?);
            }
            for question in &unit.near_misses {
                outcomes.push(outcome(question, document, None)?);
            }
        }
    }
    let (answerable, open): (Vec<Outcome>, Vec<Outcome>) =
        outcomes.iter().cloned().partition(|one| one.answerable);
    let count = |of: &[Outcome], holds: &dyn Fn(&Outcome) -> bool| {
        share(of.iter().filter(|one| holds(one)).count(), of.len())
    };
    println!(
        "{} of {} documents{}",
        judged.len(),
        documents.len(),
        if all { "" } else { ", left out of training" }
    );
    println!("right unit first: {}", count(&answerable, &|one| one.right));
    let words = figure(&answerable, mean_of_words);
    println!("its words, F1: {}", words.shown());
    // Answering with the wrong unit is as bad as answering what cannot be answered.
    let rows: Vec<Row> = outcomes.iter().map(|one| (one.best, one.right)).collect();
    let told = figure(&rows, auroc);
    println!("a right answer told from any other, AUROC: {}", told.shown());
    for threshold in [-1.0, 0.0, 1.0, 2.0, 3.0] {
        println!(
            "log-odds {threshold:>4}: answered rightly {}, wrongly {}; near misses answered {}",
            count(&answerable, &|one| one.best > threshold && one.right),
            count(&answerable, &|one| one.best > threshold && !one.right),
            count(&open, &|one| one.best > threshold),
        );
    }
    let mut record =
        Record::new("reader").with("documents", if all { "all" } else { "left out of training" });
    for file in files(folder)?.iter().chain([&list]) {
        record.read(file)?;
    }
    let first = answerable.iter().filter(|one| one.right).count();
    record.put(
        "questions",
        "the reader",
        answerable.len(),
        vec![Measure::share(What::FirstHit, first, answerable.len()), Measure::of(What::F1, words)],
    );
    let told = vec![Measure::of(What::Auroc, told)];
    record.put("questions and near misses", "the reader", outcomes.len(), told);
    gate.settle(&record)
}

fn mean_of_words(of: &[Outcome]) -> f64 {
    of.iter().map(|one| one.words).sum::<f64>() / of.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_and_faults_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "# A\n## B\nu One unit.\n? Which? | One\n- Why?\nu Two.\n# C\nu Three.\n";
        std::fs::write(folder.path().join("a.txt"), text).expect("it is written");
        let found = documents(folder.path()).expect("it is read");
        assert_eq!(found.iter().map(|one| one.units.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found[0].units[0].asked, [("Which?".to_owned(), "One".to_owned())]);
        let headings = (found[0].units[1].heading.as_str(), found[1].units[0].heading.as_str());
        assert_eq!((found[0].title.as_str(), headings), ("A", ("B", "")));
        std::fs::write(folder.path().join("b.txt"), "? Which? | One\n").expect("it is written");
        std::fs::remove_file(folder.path().join("a.txt")).expect("it is gone");
        let told = documents(folder.path()).map(|_| ()).expect_err("nothing to stand under");
        assert!(told.contains("line 1"), "{told}");
    }

    #[test]
    fn agreement_is_a_share_of_words() {
        assert!((agreement("8 May 2024", "on 8 May 2024") - 6.0 / 7.0).abs() < 1e-9);
        assert!(agreement("", "x") < f64::EPSILON);
    }
}
