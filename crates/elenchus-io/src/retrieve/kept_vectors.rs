//! Vectors kept by the text that they were made of, so that nothing is embedded twice that takes long or is paid for: a changed
//! file keeps what it has in common with its older state, copies cost nothing, and what came before a server failed stays.
//!
//! Embedders in the binary are left out: they weigh words by how rare they are in the corpus, so that a text has no vector of
//! its own, and cost nothing.

use super::Progress;
use super::corpus::Corpus;
use super::embedding::{embedded_text, in_batches, in_parallel};
use super::index::meta;
use super::vectors::{TextVectors, embed_fault, quantise};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// Made where it is missing, when it is first needed: indexes of before it have none, and stay as they are until then. `text`
/// is the SHA-256 of what was embedded.
const TABLE: &str = "
CREATE TABLE IF NOT EXISTS embedded(
    recipe TEXT NOT NULL, text BLOB NOT NULL, step REAL NOT NULL, bytes BLOB NOT NULL, UNIQUE(recipe, text)
) STRICT;
";
/// Texts embedded between two commits: as many as a server is asked for in one request.
const LOT: usize = 64;
/// Passages read at a time.
const READ: usize = 1024;

/// A quantised vector as the index has it: what one step of a byte is worth, and a byte a number.
pub(super) type Stored = (f64, Vec<u8>);

pub(super) fn stored(vector: &[f32]) -> Stored {
    let (bytes, step) = quantise(vector);
    (f64::from(step), bytes.into_iter().map(i8::cast_unsigned).collect())
}

fn key(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// A text that is to be embedded, with its key.
type Wanted = (Vec<u8>, String);

/// Embeds what the index needs and nothing has kept, and commits it lot by lot. No other change is open meanwhile: servers take
/// their time.
pub(super) fn fill(
    corpus: &Corpus,
    db: &mut Connection,
    recipe: &str,
    progress: &mut dyn FnMut(Progress<'_>),
) -> rusqlite::Result<()> {
    let Some(vectors) = corpus.vectors().filter(|vectors| !vectors.is_builtin()) else {
        return Ok(());
    };
    let is_other = meta(db, "vectors")?.as_deref() != Some(recipe);
    let waiting: Vec<i64> = db
        .prepare(
            "SELECT n FROM passages WHERE ?1 OR n NOT IN (SELECT passage_n FROM vectors) ORDER BY n",
        )?
        .query_map([is_other], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if waiting.is_empty() {
        return Ok(());
    }
    db.execute_batch(TABLE)?;
    let (mut done, total) = (0, waiting.len());
    progress(Progress::Embedding { done, total });
    let mut lot: Vec<Wanted> = Vec::new();
    for rows in waiting.chunks(READ) {
        for text in texts(db, rows)? {
            let key = key(&text);
            let is_wanted = lot.iter().any(|(wanted, _)| *wanted == key);
            if !is_wanted && get(db, recipe, &key)?.is_none() {
                lot.push((key, text));
            }
            done += 1;
            if lot.len() == LOT {
                keep(vectors.as_ref(), db, recipe, &mut lot)?;
                progress(Progress::Embedding { done, total });
            }
        }
    }
    keep(vectors.as_ref(), db, recipe, &mut lot)
}

/// The texts of passages, by their numbers; one that is gone has none.
fn texts(db: &Connection, rows: &[i64]) -> rusqlite::Result<Vec<String>> {
    let mut of = db.prepare_cached("SELECT passage FROM passages WHERE n = ?1")?;
    let mut written: Vec<String> = Vec::with_capacity(rows.len());
    for n in rows {
        written.extend(of.query_row([n], |row| row.get::<_, String>(0)).optional()?);
    }
    in_parallel(&written, |passage| embedded_text(&passage))
}

fn keep(
    vectors: &dyn TextVectors,
    db: &mut Connection,
    recipe: &str,
    lot: &mut Vec<Wanted>,
) -> rusqlite::Result<()> {
    if lot.is_empty() {
        return Ok(());
    }
    let made = embedded(vectors, lot)?;
    let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for ((key, _), vector) in lot.drain(..).zip(&made) {
        put(&change, recipe, &key, vector)?;
    }
    change.commit()
}

/// Such an embedder weighs by itself.
fn embedded(vectors: &dyn TextVectors, lot: &[Wanted]) -> rusqlite::Result<Vec<Vec<f32>>> {
    let texts: Vec<&str> = lot.iter().map(|(_, text)| text.as_str()).collect();
    vectors.embed(&texts, &|_: &str| 1.0).map_err(embed_fault)
}

fn get(db: &Connection, recipe: &str, key: &[u8]) -> rusqlite::Result<Option<Stored>> {
    db.prepare_cached("SELECT step, bytes FROM embedded WHERE recipe = ?1 AND text = ?2")?
        .query_row(params![recipe, key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

fn put(db: &Connection, recipe: &str, key: &[u8], vector: &[f32]) -> rusqlite::Result<()> {
    let (step, bytes) = stored(vector);
    db.prepare_cached(
        "INSERT OR REPLACE INTO embedded(recipe, text, step, bytes) VALUES(?1, ?2, ?3, ?4)",
    )?
    .execute(params![recipe, key, step, bytes])
    .map(drop)
}

/// The vectors of texts, one a text and in their order. What [`fill`] has not kept, because another process has written since, is
/// embedded now.
pub(super) fn take(
    vectors: &dyn TextVectors,
    change: &Transaction<'_>,
    recipe: &str,
    texts: Vec<String>,
) -> rusqlite::Result<Vec<Stored>> {
    change.execute_batch(TABLE)?;
    let mut keys = Vec::with_capacity(texts.len());
    let mut missing: Vec<Wanted> = Vec::new();
    for text in texts {
        let key = key(&text);
        if get(change, recipe, &key)?.is_none() {
            missing.push((key.clone(), text));
        }
        keys.push(key);
    }
    if !missing.is_empty() {
        for ((key, _), vector) in missing.iter().zip(embedded(vectors, &missing)?) {
            put(change, recipe, key, &vector)?;
        }
    }
    keys.iter()
        .map(|key| get(change, recipe, key)?.ok_or(rusqlite::Error::QueryReturnedNoRows))
        .collect()
}

/// Takes out what no passage of the index is made of any more, and what was made by other recipes, once that is more than half of
/// what is kept. Until then a file that is put back costs nothing.
pub(super) fn prune(change: &Transaction<'_>, recipe: &str) -> rusqlite::Result<()> {
    let (kept, passages): (i64, i64) = change.query_row(
        "SELECT (SELECT count(*) FROM embedded), (SELECT count(*) FROM passages)",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if kept <= passages.saturating_mul(2) {
        return Ok(());
    }
    let mut used: HashSet<Vec<u8>> = HashSet::new();
    in_batches(change, "SELECT passage FROM passages", READ, |written| {
        used.extend(in_parallel(written, |passage| key(&embedded_text(&passage)))?);
        Ok(())
    })?;
    change.execute("DELETE FROM embedded WHERE recipe <> ?1", [recipe])?;
    let all: Vec<Vec<u8>> = change
        .prepare("SELECT text FROM embedded")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut out = change.prepare_cached("DELETE FROM embedded WHERE recipe = ?1 AND text = ?2")?;
    for key in all.iter().filter(|key| !used.contains(*key)) {
        out.execute(params![recipe, key])?;
    }
    Ok(())
}
