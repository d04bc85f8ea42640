//! Rows of the snapshots: how pages are written and read back.

use super::{Hidden, Kept, Link, Page, Snapshot, Volume, Vouched, Voucher};
use crate::ingest::{EXTRACTION_VERSION, Ingested, LeftOut, content_hash};
use crate::sql::{self, Db, OptionalExtension, Row};
use crate::web::secrets;
use elenchus_core::evidence::{Passage, Source};
use elenchus_core::id::{SourceId, Timestamp, short_hash};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use reqwest::Url;
use rusqlite::{Connection, ToSql, params};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// Most bytes of one page, as it was received or read: a damaged or forged row must not fill the memory.
const MOST: u64 = 256 << 20;
/// Rows of one answer.
const MOST_ROWS: usize = 32;
const COLUMNS: &str = "url, requested, last_at, content_type, headers, extraction, source, reading, content_hash, \
                       only_if_allowed";

/// Notes of a page that is kept already (`?1`) that it was met once more: when, whether only where its host is allowed, and by
/// which version of the reader.
pub(super) const MET_AGAIN: &str = "UPDATE snapshots SET
    last_at = CASE WHEN last_at < ?2 THEN ?2 ELSE last_at END,
    only_if_allowed = CASE WHEN ?3 THEN only_if_allowed ELSE ?3 END,
    extraction = CASE WHEN extraction < ?4 THEN ?4 ELSE extraction END
WHERE id = ?1";

/// What was read of a page, as it is kept.
#[derive(Serialize, Deserialize)]
struct Reading {
    text: String,
    passages: Vec<Passage>,
    #[serde(default)]
    notes: Vec<String>,
    /// Addresses and words.
    #[serde(default)]
    links: Vec<(String, String)>,
    #[serde(default)]
    hidden: (usize, Vec<String>),
}

/// A page ready to be written.
pub(super) struct Written {
    source: String,
    headers: String,
    reading: Vec<u8>,
    body: Vec<u8>,
    text_hash: String,
    at: Timestamp,
}

impl Written {
    pub(super) fn of(snapshot: &Snapshot<'_>) -> Result<Self, String> {
        let document = &snapshot.page.document;
        let web = document.source.web.as_ref().ok_or(
            "it does not say when it was received; only pages that `web::page` read can be kept",
        )?;
        let reading = Reading {
            text: document.text.clone(),
            passages: document.passages.clone(),
            notes: document.notes.clone(),
            links: snapshot
                .page
                .links
                .iter()
                .map(|link| (link.url.url().to_string(), link.text.clone()))
                .collect(),
            hidden: (snapshot.page.hidden.characters, snapshot.page.hidden.ways.clone()),
        };
        let json = |error: serde_json::Error| format!("it cannot be written as JSON ({error})");
        let reading = serde_json::to_vec(&reading).map_err(json)?;
        if reading.len() as u64 > MOST || snapshot.body.len() as u64 > MOST {
            return Err(format!("it is larger than {} MB", MOST >> 20));
        }
        Ok(Self {
            source: serde_json::to_string(&document.source).map_err(json)?,
            headers: serde_json::to_string(snapshot.headers).map_err(json)?,
            reading: deflated(&reading),
            body: deflated(snapshot.body),
            text_hash: content_hash(document.text.as_bytes()),
            at: web.retrieved_at,
        })
    }
}

/// A row as it stands there.
pub(super) struct Raw {
    url: String,
    requested: String,
    retrieved_at: i64,
    content_type: Option<String>,
    headers: String,
    extraction: i64,
    source: String,
    reading: Vec<u8>,
    content_hash: String,
    only_if_allowed: bool,
}

impl Raw {
    fn of(row: &Row<'_>) -> sql::Result<Self> {
        Ok(Self {
            url: row.get(0)?,
            requested: row.get(1)?,
            retrieved_at: row.get(2)?,
            content_type: row.get(3)?,
            headers: row.get(4)?,
            extraction: row.get(5)?,
            source: row.get(6)?,
            reading: row.get(7)?,
            content_hash: row.get(8)?,
            only_if_allowed: row.get(9)?,
        })
    }

    /// The page; the cause and the way out when the row is damaged.
    pub(super) fn kept(self) -> Result<Kept, String> {
        let damaged = |what: &str| {
            format!(
                "its row is damaged ({what}); ask again with the network, which keeps the page anew"
            )
        };
        let mut source: Source =
            serde_json::from_str(&self.source).map_err(|error| damaged(&error.to_string()))?;
        let reading = inflated(&self.reading)?;
        let reading: Reading =
            serde_json::from_slice(&reading).map_err(|error| damaged(&error.to_string()))?;
        if source.content_hash != self.content_hash {
            return Err(damaged("its hash is another one"));
        }
        let holds = |passage: &Passage| {
            passage.source_id == source.id
                && elenchus_core::evidence::char_slice(&reading.text, passage.span)
                    == Some(passage.text.as_str())
        };
        if !reading.passages.iter().all(holds) {
            return Err(damaged("its passages do not stand in its text"));
        }
        let at = Timestamp(self.retrieved_at);
        match &mut source.web {
            Some(web) => web.retrieved_at = at,
            None => return Err(damaged("it names no address")),
        }
        let links = reading
            .links
            .into_iter()
            .filter_map(|(url, text)| {
                let url = Vouched::new(&url, Voucher::Page(source.path.clone())).ok()?;
                Some(Link { url, text })
            })
            .collect();
        let document = Ingested {
            source,
            text: reading.text,
            passages: reading.passages,
            notes: reading.notes,
            secrets: LeftOut::default(),
        };
        let (characters, ways) = reading.hidden;
        Ok(Kept {
            requested: self.requested,
            url: self.url,
            retrieved_at: at,
            content_type: self.content_type,
            headers: serde_json::from_str(&self.headers).unwrap_or_default(),
            extraction: u32::try_from(self.extraction).unwrap_or_default(),
            only_if_allowed: self.only_if_allowed,
            page: Page { document, links, hidden: Hidden { characters, ways }, is_scrubbed: false },
        })
    }
}

pub(super) fn put(db: &Db<'_>, snapshot: &Snapshot<'_>, row: &Written) -> sql::Result<()> {
    let source = &snapshot.page.document.source;
    let url = kept_as(snapshot.url);
    let known: Option<i64> = db
        .prepare_cached(
            "SELECT id FROM snapshots WHERE content_hash = ?1 AND text_hash = ?2 AND url = ?3",
        )?
        .query_row(params![source.content_hash, row.text_hash, url], |row| row.get(0))
        .optional()?;
    let id = match known {
        Some(id) => {
            db.prepare_cached(MET_AGAIN)?.execute(params![
                id,
                row.at.0,
                snapshot.only_if_allowed,
                EXTRACTION_VERSION
            ])?;
            id
        }
        None => db
            .prepare_cached(
                "INSERT INTO snapshots (source_id, path, url, requested, content_hash, text_hash, content_type, headers,
                                        extraction, source, reading, body, last_at, only_if_allowed)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING id",
            )?
            .query_row(
                params![
                    source.id.as_str(),
                    source.path,
                    url,
                    kept_as(snapshot.requested),
                    source.content_hash,
                    row.text_hash,
                    snapshot.content_type,
                    row.headers,
                    EXTRACTION_VERSION,
                    row.source,
                    row.reading,
                    row.body,
                    row.at.0,
                    snapshot.only_if_allowed,
                ],
                |row| row.get::<_, i64>(0),
            )?,
    };
    for address in [kept_as(snapshot.requested), url, source.path.clone()] {
        db.prepare_cached(
            "INSERT INTO visits (snapshot, address, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![id, address, row.at.0])?;
    }
    Ok(())
}

/// An address as it is kept: without its fragment, and in place of a secret a hash that tells it from the others.
pub(super) fn kept_as(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_fragment(None);
    let shown = secrets::of_address(&bare);
    if shown == bare.as_str() {
        return shown;
    }
    format!("{shown}#{}", short_hash(bare.as_str().as_bytes(), 16))
}

pub(super) fn latest(
    db: &Db<'_>,
    address: &str,
    not_before: Timestamp,
    extraction: u32,
) -> sql::Result<Vec<Raw>> {
    let columns = COLUMNS.replace("last_at", "visits.at");
    // What a server has an index of.
    let narrowed = if db.is_server() { "md5(address) = md5(?1) AND " } else { "" };
    let sql = format!(
        "SELECT {columns} FROM visits JOIN snapshots ON snapshots.id = visits.snapshot
         WHERE {narrowed}address = ?1 AND at >= ?2 AND extraction = ?3 ORDER BY at DESC, id DESC LIMIT 4"
    );
    rows(db, &sql, params![address, not_before.0, extraction])
}

pub(super) fn of_source(
    db: &Db<'_>,
    source: &SourceId,
    hash: Option<&str>,
) -> sql::Result<Vec<Raw>> {
    let select = |condition: &str| {
        format!(
            "SELECT {COLUMNS} FROM snapshots WHERE source_id = ?1{condition}
             ORDER BY last_at DESC, id DESC LIMIT {MOST_ROWS}"
        )
    };
    match hash {
        Some(hash) => rows(db, &select(" AND content_hash = ?2"), params![source.as_str(), hash]),
        None => rows(db, &select(""), params![source.as_str()]),
    }
}

/// Rows whose columns are of another type than they were written with are passed over: they are damaged.
fn rows(db: &Db<'_>, sql: &str, values: &[&dyn ToSql]) -> sql::Result<Vec<Raw>> {
    Ok(db.prepare_cached(sql)?.query_map(values, Raw::of)?.flatten().collect())
}

pub(super) fn body(db: &Db<'_>, source: &SourceId, hash: &str) -> sql::Result<Option<Vec<u8>>> {
    db.prepare_cached(
        "SELECT body FROM snapshots WHERE source_id = ?1 AND content_hash = ?2 ORDER BY last_at DESC LIMIT 1",
    )?
    .query_row(params![source.as_str(), hash], |row| row.get(0))
    .optional()
}

pub(super) fn volume(db: &Db<'_>) -> sql::Result<Volume> {
    let number = |sql: &str| -> sql::Result<u64> {
        let told: i64 = db.prepare_cached(sql)?.query_row((), |row| row.get(0))?;
        Ok(u64::try_from(told).unwrap_or(0))
    };
    let pages = number("SELECT count(*) FROM snapshots")?;
    let bytes = if db.is_server() {
        // What went leaves room behind in the relation that is used again.
        number(
            "SELECT coalesce(sum(octet_length(reading)::bigint + octet_length(body)), 0)::bigint FROM snapshots",
        )?
    } else {
        let used = number("PRAGMA page_count")?.saturating_sub(number("PRAGMA freelist_count")?);
        used * number("PRAGMA page_size")?
    };
    Ok(Volume { pages, bytes })
}

/// Whether more than so many bytes are kept. It is asked after every page, so that a server counts only where it may be so.
pub(super) fn is_beyond(db: &Db<'_>, bytes: u64) -> sql::Result<bool> {
    if db.is_server() {
        let room: i64 = db
            .prepare_cached("SELECT pg_total_relation_size('snapshots')")?
            .query_row((), |row| row.get(0))?;
        if u64::try_from(room).unwrap_or(0) <= bytes {
            return Ok(false);
        }
    }
    Ok(volume(db)?.bytes > bytes)
}

/// Removes some of the oldest where more than `bytes` are kept; how many went. Pages of the file that become free are used again.
pub(super) fn prune_some(db: &Db<'_>, bytes: u64) -> sql::Result<u64> {
    let kept = volume(db)?;
    if kept.bytes <= bytes {
        return Ok(0);
    }
    let some = i64::try_from((kept.pages / 20).max(1)).unwrap_or(i64::MAX);
    let removed = db
        .prepare_cached(
            "DELETE FROM snapshots WHERE id IN (SELECT id FROM snapshots ORDER BY last_at, id LIMIT ?1)",
        )?
        .execute([some])?;
    Ok(removed as u64)
}

/// Without a time all pages are meant.
pub(super) fn count_before(db: &Db<'_>, before: Option<Timestamp>) -> sql::Result<u64> {
    let counted: i64 = match before {
        Some(at) => db
            .prepare_cached("SELECT count(*) FROM snapshots WHERE last_at < ?1")?
            .query_row([at.0], |row| row.get(0))?,
        None => {
            db.prepare_cached("SELECT count(*) FROM snapshots")?.query_row((), |row| row.get(0))?
        }
    };
    Ok(u64::try_from(counted).unwrap_or(0))
}

pub(super) fn forget_before(db: &Db<'_>, before: Option<Timestamp>) -> sql::Result<u64> {
    let gone = match before {
        Some(at) => {
            db.prepare_cached("DELETE FROM snapshots WHERE last_at < ?1")?.execute([at.0])?
        }
        None => db.prepare_cached("DELETE FROM snapshots")?.execute(())?,
    };
    Ok(gone as u64)
}

/// Makes sure that nothing of what went can be read out of a file: its pages that became free are not used again, they go.
pub(super) fn shrink(db: &Connection) -> rusqlite::Result<()> {
    db.execute_batch("VACUUM")?;
    // Answers with a row, also where a reader holds the log, which is emptied at the next chance then.
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0)).map(drop)
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::new(6));
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory cannot fail")
}

/// # Errors
/// The cause and the way out, when the bytes are damaged or too many.
pub(super) fn inflated(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let again = "ask again with the network, which keeps the page anew";
    let mut whole = Vec::new();
    ZlibDecoder::new(bytes)
        .take(MOST + 1)
        .read_to_end(&mut whole)
        .map_err(|error| format!("its row is damaged ({error}); {again}"))?;
    if whole.len() as u64 > MOST {
        return Err(format!("its row is damaged (larger than {} MB); {again}", MOST >> 20));
    }
    Ok(whole)
}
