//! The succession reader on pairs of statements: is what tells the later value told from what only looks like it, and with which words?
//!
//! Files named `*.test.txt` are not trained on (`scripts/train_succession.py`, which says what a block is); only these are judged.

use crate::metrics::{Row, auroc, figure};
use crate::reader::files;
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use elenchus_io::model::{AnswerReader, Statement, SuccessionReader};
use std::path::Path;
use std::process::ExitCode;

/// What the names of files end with that are not trained on.
const TEST: &str = ".test.txt";

/// A statement, with the words between its asterisks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    statement: Statement,
    value: String,
}

/// A block: what is asked, what was told, what is told later of it, and what is told later of something else.
#[derive(Default)]
struct Block {
    title: String,
    questions: Vec<String>,
    older: Vec<Told>,
    later: Vec<Told>,
    near_misses: Vec<Told>,
}

fn failed(path: &Path, cause: &str) -> String {
    format!("reading the pairs in {} failed: {cause}", path.display())
}

/// "heading | text with its *value*", under the title of its block.
fn told(title: &str, line: &str) -> Option<Told> {
    let (heading, text) = line.split_once('|')?;
    let value = text.split('*').nth(1).unwrap_or_default().to_owned();
    let under = AnswerReader::under(title, heading.trim());
    Some(Told { statement: Statement { under, text: text.trim().replace('*', "") }, value })
}

/// The blocks of a file.
fn blocks(path: &Path) -> Result<Vec<Block>, String> {
    let text = std::fs::read_to_string(path).map_err(|cause| failed(path, &cause.to_string()))?;
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() {
            open = false;
            continue;
        }
        if !open {
            found.push(Block::default());
            open = true;
        }
        let misread = || {
            failed(
                path,
                &format!(
                    "line {} is not \"T: ...\", \"Q: ...\", \"O: heading | text with its *value*\", \"N: ...\" or \"X: ...\"",
                    number + 1
                ),
            )
        };
        let block = found.last_mut().ok_or_else(misread)?;
        let (key, value) = line.split_once(':').ok_or_else(misread)?;
        let statement = || told(&block.title, value).ok_or_else(misread);
        match key {
            "T" => value.trim().clone_into(&mut block.title),
            "Q" => block.questions.push(value.trim().to_owned()),
            "O" | "N" if statement()?.value.is_empty() => return Err(misread()),
            "O" => block.older.push(statement()?),
            "N" => block.later.push(statement()?),
            "X" => block.near_misses.push(statement()?),
            _ => return Err(misread()),
        }
    }
    Ok(found)
}

/// One pair: log-odds, whether it is right, and whether the words that were found hold the value or stand in it.
fn outcomes(block: &Block) -> Result<Vec<(f64, bool, bool)>, String> {
    let reader = SuccessionReader::builtin()?;
    let mut read = Vec::new();
    for question in &block.questions {
        for older in &block.older {
            let pairs = block.later.iter().map(|one| (one, true));
            for (later, right) in pairs.chain(block.near_misses.iter().map(|one| (one, false))) {
                let answer = reader.read(question, &older.statement, &later.statement)?;
                let words = answer.words.and_then(|at| later.statement.text.get(at));
                let words = words.unwrap_or_default();
                let found = !words.is_empty()
                    && (words.contains(&later.value) || later.value.contains(words));
                read.push((answer.answers, right, found));
            }
        }
    }
    Ok(read)
}

/// Judges the reader.
pub(crate) fn run(folder: &Path, gate: &Gate) -> Result<ExitCode, String> {
    let mut files = files(folder)?;
    files.retain(|path| path.to_string_lossy().ends_with(TEST));
    if files.is_empty() {
        return Err(failed(folder, &format!("there is no file *{TEST}")));
    }
    let mut record = Record::new("succession");
    let mut read = Vec::new();
    for file in &files {
        record.read(file)?;
        for block in blocks(file)? {
            read.extend(outcomes(&block)?);
        }
    }
    let rows: Vec<Row> = read.iter().map(|one| (one.0, one.1)).collect();
    let (right, wrong): (Vec<&(f64, bool, bool)>, Vec<_>) = read.iter().partition(|one| one.1);
    let told = figure(&rows, auroc);
    println!("{} pairs of {} files, {} right", read.len(), files.len(), right.len());
    println!("what tells the later value told from what does not, AUROC: {}", told.shown());
    let words = right.iter().filter(|one| one.2).count();
    println!("its words: {}", share(words, right.len()));
    for threshold in [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0] {
        let above = |of: &[&(f64, bool, bool)]| {
            share(of.iter().filter(|one| one.0 >= threshold).count(), of.len())
        };
        println!(
            "log-odds {threshold:>4}: taken {} of the right, {} of the wrong",
            above(&right),
            above(&wrong)
        );
    }
    record.put(
        "pairs",
        "the succession reader",
        read.len(),
        vec![Measure::of(What::Auroc, told), Measure::share(What::FirstHit, words, right.len())],
    );
    gate.settle(&record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_and_faults_are_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.test.txt");
        let text = "T: Club\nQ: When?\nO: Rules | At *nine*.\nN: | Now *ten* it is.\nX: May | Pip comes at six.\n\nT: Yard\nQ: Who?\n";
        std::fs::write(&path, text).expect("it is written");
        let found = blocks(&path).expect("it is read");
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].older[0].value, "nine");
        let later = Statement { under: "Club".to_owned(), text: "Now ten it is.".to_owned() };
        assert_eq!(found[0].later[0].statement, later);
        assert_eq!(found[0].near_misses[0].statement.under, "Club, May");
        std::fs::write(&path, "T: Club\nO: no bar\n").expect("it is written");
        let told = blocks(&path).map(|_| ()).expect_err("a statement has a bar");
        assert!(told.contains("line 2"), "{told}");
    }
}
