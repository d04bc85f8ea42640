//! Vectors of the passages of an index, and the words that weigh in them.

use super::Progress;
use super::corpus::Corpus;
use super::expand::LETTERS;
use super::index::{from_json, meta, set_meta};
use super::kept_vectors::{self, Stored, stored};
use super::resident::idf;
use super::vectors::{TextVectors, embed_fault};
use elenchus_core::evidence::Passage;
use rayon::prelude::*;
use rusqlite::{Connection, Transaction, params};
use std::collections::HashMap;

/// Passages embedded at a time.
const EMBED_BATCH: usize = 1024;
/// Passages whose words are counted at a time.
const COUNT_BATCH: usize = 4096;
/// Growth of the corpus after which word weights are counted again and what depends on them is embedded anew.
const RECOUNT: f64 = 1.3;

/// The text that stands for a passage in vector space: what it is about and what it says.
pub(super) fn embedded_text(passage: &Passage) -> String {
    match passage.heading_path.last() {
        Some(heading) => format!("{heading}\n{}", passage.text),
        None => passage.text.clone(),
    }
}

/// Gives a vector to what has none by this recipe, and counts words anew where the corpus has changed much.
pub(super) fn embed(
    corpus: &Corpus,
    change: &Transaction<'_>,
    recipe: &str,
    progress: &mut dyn FnMut(Progress<'_>),
) -> rusqlite::Result<()> {
    let Some(vectors) = corpus.vectors() else {
        change.execute("DELETE FROM vectors", [])?;
        return Ok(());
    };
    let passages: u32 = change.query_row("SELECT count(*) FROM passages", [], |row| row.get(0))?;
    let counted: u32 = meta(change, "counted")?.and_then(|value| value.parse().ok()).unwrap_or(0);
    let drifted = f64::from(passages) > f64::from(counted) * RECOUNT
        || f64::from(counted) > f64::from(passages) * RECOUNT;
    let is_other = meta(change, "vectors")?.as_deref() != Some(recipe);
    // Only the embedders in the binary weigh words by how rare they are; what another one made stays good.
    if is_other || (drifted && vectors.is_builtin()) {
        change.execute("DELETE FROM vectors", [])?;
    }
    if drifted || is_other {
        count_words(vectors.as_ref(), change, passages)?;
    }
    let (weights, counted) = weights(change)?;
    let weight = |piece: &str| weights.get(piece).copied().unwrap_or_else(|| idf(counted, 0));
    let waiting: Vec<i64> = change
        .prepare(
            "SELECT n FROM passages WHERE n NOT IN (SELECT passage_n FROM vectors) ORDER BY n",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut of = change.prepare("SELECT passage FROM passages WHERE n = ?1")?;
    let mut into =
        change.prepare("INSERT INTO vectors(passage_n, step, bytes) VALUES(?1, ?2, ?3)")?;
    for (batch, rows) in waiting.chunks(EMBED_BATCH).enumerate() {
        let written: Vec<String> = rows
            .iter()
            .map(|n| of.query_row([n], |row| row.get(0)))
            .collect::<rusqlite::Result<_>>()?;
        let texts = in_parallel(&written, |passage| embedded_text(&passage))?;
        let made: Vec<Stored> = if vectors.is_builtin() {
            progress(Progress::Embedding { done: batch * EMBED_BATCH, total: waiting.len() });
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embedded = vectors.embed(&texts, &weight).map_err(embed_fault)?;
            embedded.iter().map(|vector| stored(vector)).collect()
        } else {
            kept_vectors::take(vectors.as_ref(), change, recipe, texts)?
        };
        for (n, (step, bytes)) in rows.iter().zip(made) {
            into.execute(params![n, step, bytes])?;
        }
    }
    if !vectors.is_builtin() && !waiting.is_empty() {
        kept_vectors::prune(change, recipe)?;
    }
    Ok(())
}

/// Passages as the index has them, each taken for what `make` makes of it.
pub(super) fn in_parallel<T: Send>(
    written: &[String],
    make: impl Fn(Passage) -> T + Sync,
) -> rusqlite::Result<Vec<T>> {
    written.par_iter().map(|text| Ok(make(from_json(text)?))).collect()
}

/// In how many passages a word occurs, and the last of them.
#[derive(Default)]
struct Counts(HashMap<String, (u32, u32)>);

impl Counts {
    fn add(&mut self, word: &str, passage: u32) {
        match self.0.get_mut(word) {
            Some((count, last)) => {
                *count += u32::from(*last != passage);
                *last = passage;
            }
            None => {
                self.0.insert(word.to_owned(), (1, passage));
            }
        }
    }

    /// With the counts of other passages.
    fn plus(mut self, other: Self) -> Self {
        if self.0.len() < other.0.len() {
            return other.plus(self);
        }
        for (word, (count, last)) in other.0 {
            self.0.entry(word).or_insert((0, last)).0 += count;
        }
        self
    }

    fn write(self, change: &Transaction<'_>, table: &str, column: &str) -> rusqlite::Result<()> {
        change.execute(&format!("DELETE FROM {table}"), [])?;
        let mut into =
            change.prepare(&format!("INSERT INTO {table}({column}, passages) VALUES(?1, ?2)"))?;
        for (word, (count, _)) in self.0 {
            into.execute(params![word, count])?;
        }
        Ok(())
    }
}

/// Word pieces and words of some passages.
#[derive(Default)]
struct Counted {
    pieces: Counts,
    words: Counts,
}

impl Counted {
    fn of(vectors: &dyn TextVectors, written: &[String]) -> rusqlite::Result<Self> {
        let mut counted = Self::default();
        for (text, number) in written.iter().zip(1..) {
            let passage: Passage = from_json(text)?;
            for piece in vectors.pieces(&embedded_text(&passage)) {
                counted.pieces.add(piece, number);
            }
            let words = passage.text.split(|c: char| !c.is_alphabetic());
            for word in words.filter(|word| word.len() >= LETTERS) {
                counted.words.add(&word.to_lowercase(), number);
            }
        }
        Ok(counted)
    }

    fn plus(self, other: Self) -> Self {
        Self { pieces: self.pieces.plus(other.pieces), words: self.words.plus(other.words) }
    }
}

/// In how many passages each word piece and each word occurs.
fn count_words(
    vectors: &dyn TextVectors,
    change: &Transaction<'_>,
    passages: u32,
) -> rusqlite::Result<()> {
    let mut counted = Counted::default();
    in_batches(change, "SELECT passage FROM passages", COUNT_BATCH, |written| {
        let share = written.len().div_ceil(rayon::current_num_threads()).max(1);
        let some = written
            .par_chunks(share)
            .map(|chunk| Counted::of(vectors, chunk))
            .try_reduce(Counted::default, |a, b| Ok(a.plus(b)))?;
        counted = std::mem::take(&mut counted).plus(some);
        Ok(())
    })?;
    counted.pieces.write(change, "pieces", "piece")?;
    counted.words.write(change, "words", "word")?;
    set_meta(change, "counted", &passages.to_string())
}

/// Gives the first column of a query in batches of at most `most` rows.
pub(super) fn in_batches(
    db: &Connection,
    query: &str,
    most: usize,
    mut take: impl FnMut(&[String]) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare(query)?;
    let mut rows = statement.query([])?;
    let mut batch = Vec::with_capacity(most);
    while let Some(row) = rows.next()? {
        batch.push(row.get(0)?);
        if batch.len() == most {
            take(&batch)?;
            batch.clear();
        }
    }
    if batch.is_empty() { Ok(()) } else { take(&batch) }
}

fn weights(change: &Transaction<'_>) -> rusqlite::Result<(HashMap<String, f32>, u32)> {
    let counted: u32 = meta(change, "counted")?.and_then(|value| value.parse().ok()).unwrap_or(0);
    let mut statement = change.prepare("SELECT piece, passages FROM pieces")?;
    let weights = statement
        .query_map([], |row| Ok((row.get(0)?, idf(counted, row.get(1)?))))?
        .collect::<rusqlite::Result<_>>()?;
    Ok((weights, counted))
}
