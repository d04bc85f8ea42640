//! The index file.

use super::CorpusError;
use crate::ingest::{EXTRACTION_VERSION, Ingested, Secrets};
use crate::sqlite::write_ahead;
use elenchus_core::evidence::Passage;
use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked, DiskFull};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Transaction, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Format of the file. An older one is emptied and filled again at the next sync.
pub(super) const SCHEMA: i64 = 2;
/// How long a statement waits for another process, in seconds.
const BUSY_S: u64 = 10;

const TABLES: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE sources(
    n INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    hash TEXT NOT NULL,
    source TEXT NOT NULL,
    notes TEXT NOT NULL,
    secrets TEXT NOT NULL,
    signature BLOB NOT NULL
) STRICT;
CREATE TABLE documents(source_n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE passages(
    n INTEGER PRIMARY KEY,
    source_n INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    record TEXT,
    print INTEGER NOT NULL,
    passage TEXT NOT NULL,
    UNIQUE(source_n, ordinal)
) STRICT;
CREATE TABLE vectors(passage_n INTEGER PRIMARY KEY, step REAL NOT NULL, bytes BLOB NOT NULL) STRICT;
CREATE TABLE pieces(piece TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE words(word TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE unreadable(path TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL, reason TEXT NOT NULL)
    WITHOUT ROWID, STRICT;
CREATE VIRTUAL TABLE passages_fts USING fts5(
    title, headings, body, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE passages_terms USING fts5vocab(passages_fts, row);
";

/// The tables of this program, newest first so that what depends goes before what it depends on.
const DROP: &str = "
DROP TABLE IF EXISTS passages_terms; DROP TABLE IF EXISTS passages_fts; DROP TABLE IF EXISTS unreadable;
DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS pieces; DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS passages;
DROP TABLE IF EXISTS documents; DROP TABLE IF EXISTS sources; DROP TABLE IF EXISTS meta;
";

/// Opens or creates an index; `None` keeps it in memory. One that was made with secrets has to be filled again to be without, and the
/// other way round.
pub(super) fn open(path: Option<&Path>, secrets: Secrets) -> Result<Connection, CorpusError> {
    let shown = path.map_or_else(|| PathBuf::from(":memory:"), Path::to_owned);
    let mut db = match path {
        Some(path) => {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).map_err(|error| CorpusError::Open {
                    path: shown.clone(),
                    cause: error.to_string(),
                })?;
            }
            Connection::open(path)
        }
        None => Connection::open_in_memory(),
    }
    .map_err(|error| CorpusError::Open { path: shown.clone(), cause: error.to_string() })?;
    prepare(&mut db, &shown, secrets)?;
    Ok(db)
}

fn prepare(db: &mut Connection, path: &Path, secrets: Secrets) -> Result<(), CorpusError> {
    let fault = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::ReadOnly) => {
            CorpusError::Open { path: path.to_owned(), cause: error.to_string() }
        }
        _ => CorpusError::sqlite("open the index", path, &error),
    };
    db.busy_timeout(Duration::from_secs(BUSY_S)).map_err(fault)?;
    db.set_prepared_statement_cache_capacity(64);
    // The file can be built again from the folder, so losing the last transaction in a power cut is fine.
    write_ahead(db, Duration::from_secs(BUSY_S)).map_err(fault)?;
    db.execute_batch(
        "PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32000;",
    )
    .map_err(fault)?;
    let version: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    if version > SCHEMA {
        return Err(CorpusError::Newer { path: path.to_owned(), found: version, known: SCHEMA });
    }
    if is_current(db, version, secrets).map_err(fault)? {
        return wipe(db).map_err(fault);
    }
    let change =
        db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(fault)?;
    // Another process may have done it while this one waited.
    let version: i64 =
        change.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    if !is_current(&change, version, secrets).map_err(fault)? {
        begin_anew(&change, version, secrets).map_err(fault)?;
    }
    change.commit().map_err(fault)?;
    wipe(db).map_err(fault)
}

/// How an index was made, for whoever only looks at it. `None` when there is none, or it does not say.
pub(super) fn made(path: &Path) -> Option<Secrets> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let word = meta(&db, "secrets").ok()??;
    [Secrets::LeftOut, Secrets::Kept].into_iter().find(|secrets| secrets.word() == word)
}

/// Whether an index is one of this program, made as it is wanted now.
fn is_current(db: &Connection, version: i64, secrets: Secrets) -> rusqlite::Result<bool> {
    Ok(version == SCHEMA
        && meta(db, "extraction")? == Some(EXTRACTION_VERSION.to_string())
        && meta(db, "secrets")?.as_deref() == Some(secrets.word()))
}

/// Empties an index, so that the next sync fills it.
fn begin_anew(change: &Transaction<'_>, version: i64, secrets: Secrets) -> rusqlite::Result<()> {
    // A process that has the index open must not take what comes for what it knows: numbers go on where they were.
    let (mut generation_before, mut passage) = (0, 1);
    if version == SCHEMA {
        generation_before = generation(change)?;
        passage = next_passage(change)?;
    }
    change.execute_batch(DROP)?;
    change.execute_batch(TABLES)?;
    set_meta(change, "extraction", &EXTRACTION_VERSION.to_string())?;
    set_meta(change, "secrets", secrets.word())?;
    set_meta(change, "generation", &(generation_before + 1).to_string())?;
    set_meta(change, "next_passage", &passage.to_string())?;
    if version != 0 {
        set_meta(change, "wiped", "no")?;
    }
    change.pragma_update(None, "user_version", SCHEMA)
}

/// Takes out of the file what an index that was emptied has left in it: what is dropped stays on its pages until they are used again,
/// and secrets may stand there. Not possible while another process reads; then whoever opens the index next does it.
fn wipe(db: &Connection) -> rusqlite::Result<()> {
    if meta(db, "wiped")?.as_deref() != Some("no") {
        return Ok(());
    }
    let written_anew = || {
        db.execute_batch("VACUUM")?;
        // Answers whether another process stood in the way of it.
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))
    };
    match written_anew() {
        Ok(0) => set_meta(db, "wiped", "yes"),
        Ok(_) => Ok(()),
        Err(error) => match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked | DiskFull) => Ok(()),
            _ => Err(error),
        },
    }
}

/// Removes an index file with what SQLite keeps beside it.
pub(super) fn discard(path: &Path) -> Result<(), CorpusError> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match std::fs::remove_file(&name) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(CorpusError::Open {
                    path: PathBuf::from(name),
                    cause: error.to_string(),
                });
            }
        }
    }
    Ok(())
}

pub(super) fn meta(db: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    db.prepare_cached("SELECT value FROM meta WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}

pub(super) fn set_meta(db: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO meta(key, value) VALUES(?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2",
    )?
    .execute([key, value])
    .map(drop)
}

/// Changes with every write, so that resident copies know when they are stale.
pub(super) fn generation(db: &Connection) -> rusqlite::Result<i64> {
    Ok(meta(db, "generation")?.and_then(|value| value.parse().ok()).unwrap_or(0))
}

pub(super) fn bump(db: &Connection) -> rusqlite::Result<()> {
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'", [])
        .map(drop)
}

/// A file's size and time of change as the walk saw it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: i64,
    pub(super) changed: i64,
}

pub(super) fn remove_source(change: &Transaction<'_>, path: &str) -> rusqlite::Result<bool> {
    let n: Option<i64> = change
        .prepare_cached("SELECT n FROM sources WHERE path = ?1")?
        .query_row([path], |row| row.get(0))
        .optional()?;
    let Some(n) = n else { return Ok(false) };
    for statement in [
        "DELETE FROM passages_fts WHERE rowid IN (SELECT n FROM passages WHERE source_n = ?1)",
        "DELETE FROM vectors WHERE passage_n IN (SELECT n FROM passages WHERE source_n = ?1)",
        "DELETE FROM passages WHERE source_n = ?1",
        "DELETE FROM documents WHERE source_n = ?1",
        "DELETE FROM sources WHERE n = ?1",
    ] {
        change.prepare_cached(statement)?.execute([n])?;
    }
    Ok(true)
}

/// Puts a document in the place of an older state of itself. Numbers are never used again, so a resident
/// copy can miss a passage but never mistake it.
pub(super) fn put_source(
    change: &Transaction<'_>,
    document: &Ingested,
    stamp: Stamp,
    signature: &[u8],
) -> rusqlite::Result<()> {
    remove_source(change, &document.source.path)?;
    change
        .prepare_cached("DELETE FROM unreadable WHERE path = ?1")?
        .execute([&document.source.path])?;
    let source = to_json(&document.source)?;
    change
        .prepare_cached(
            "INSERT INTO sources(path, size, changed, hash, source, notes, secrets, signature) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            document.source.path,
            stamp.size,
            stamp.changed,
            document.source.content_hash,
            source,
            document.notes.join("\n"),
            left_out(document)?,
            signature
        ])?;
    let n = change.last_insert_rowid();
    change
        .prepare_cached("INSERT INTO documents(source_n, text) VALUES(?1, ?2)")?
        .execute(params![n, document.text])?;
    let mut into_passages = change
        .prepare_cached("INSERT INTO passages(n, source_n, ordinal, record, print, passage) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")?;
    let mut into_words = change.prepare_cached(
        "INSERT INTO passages_fts(rowid, title, headings, body) VALUES(?1, ?2, ?3, ?4)",
    )?;
    let title = title_words(document);
    let mut passage_n = next_passage(change)?;
    for (passage, ordinal) in document.passages.iter().zip(0_i64..) {
        into_passages.execute(params![
            passage_n,
            n,
            ordinal,
            passage.record,
            print(&passage.text),
            to_json(passage)?
        ])?;
        let headings = heading_words(passage, &document.source.title);
        into_words.execute(params![passage_n, title, headings, passage.text])?;
        passage_n += 1;
    }
    set_meta(change, "next_passage", &passage_n.to_string())
}

fn next_passage(change: &Transaction<'_>) -> rusqlite::Result<i64> {
    Ok(meta(change, "next_passage")?.and_then(|value| value.parse().ok()).unwrap_or(1))
}

pub(super) fn to_json<T: serde::Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

pub(super) fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, error.into())
    })
}

/// What was left out of a document, as the file has it; nothing where nothing was.
fn left_out(document: &Ingested) -> rusqlite::Result<String> {
    match document.secrets.count {
        0 => Ok(String::new()),
        _ => to_json(&document.secrets),
    }
}

/// A document is also found by who wrote it.
fn title_words(document: &Ingested) -> String {
    match &document.source.author {
        Some(author) => format!("{} {author}", document.source.title),
        None => document.source.title.clone(),
    }
}

/// What stands above a passage: without it "12 months" would not be found by what it is about.
pub(super) fn heading_words(passage: &Passage, title: &str) -> String {
    let mut words: Vec<&str> = passage
        .heading_path
        .iter()
        .map(String::as_str)
        .filter(|heading| *heading != title)
        .collect();
    words.extend(passage.record.as_deref());
    words.extend(passage.lead_in.as_deref());
    words.extend(passage.table_header.iter().map(String::as_str));
    words.join(" ")
}

/// Equal for passages that differ only in case, spacing and punctuation.
fn print(text: &str) -> i64 {
    // FNV-1a: stable across versions of the standard library, unlike its hasher.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for c in text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        hash = (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3);
    }
    hash.cast_signed()
}
