//! Pages of one store into those of another, which may hold some already: what is there stays, and what is not comes to it.

use super::SnapshotError;
use super::rows::{self, inflated};
use crate::ingest::content_hash;
use crate::sql::{self, Db, File, OptionalExtension, Row};
use rusqlite::types::Value;
use rusqlite::{ToSql, params};
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;

/// Pages that are held in memory at a time.
const AT_A_TIME: i64 = 10;
/// What a row says. The first three tell it apart from every other.
const COLUMNS: [&str; 14] = [
    "url",
    "content_hash",
    "text_hash",
    "reading",
    "body",
    "last_at",
    "only_if_allowed",
    "extraction",
    "source_id",
    "path",
    "requested",
    "content_type",
    "headers",
    "source",
];
/// How many columns tell a row apart.
const KEYS: usize = 3;
const BY_KEYS: &str = "url = ?1 AND content_hash = ?2 AND text_hash = ?3";

/// What tells rows apart, by one digest each: of those that were sent, and of those of them that arrived whole.
#[derive(Debug, Default)]
pub(crate) struct Arrivals {
    pub(crate) sent: Vec<[u8; 32]>,
    pub(crate) arrived: Vec<[u8; 32]>,
}

/// Of what was read of a page, its text.
#[derive(Deserialize)]
struct Text {
    text: String,
}

/// The file of pages beside a store, for one that copies; made, readable by its owner only, where there is none.
pub(crate) fn file(path: &Path) -> Result<File, SnapshotError> {
    // Each statement waits for other processes by itself.
    Ok(File::new(super::opened(path)?, path.to_owned(), Duration::ZERO))
}

/// Whether no page is kept.
pub(crate) fn is_empty(db: &Db<'_>) -> sql::Result<bool> {
    let one = db
        .prepare_cached("SELECT id FROM snapshots LIMIT 1")?
        .query_row((), |row| row.get::<_, i64>(0))
        .optional()?;
    Ok(one.is_none())
}

/// Copies every page with its visits. A page that is there already, as the same bytes and the same text under the same address,
/// is the same page, as it is for whoever keeps pages; one that is damaged there is put right. Gives what tells pages apart, and
/// visits.
pub(crate) fn copied(
    source: &Db<'_>,
    target: &Db<'_>,
    digest: impl Fn(&[Value]) -> [u8; 32],
) -> sql::Result<(Arrivals, Arrivals)> {
    let (mut pages, mut visits) = (Arrivals::default(), Arrivals::default());
    let columns = COLUMNS.join(", ");
    let some =
        format!("SELECT {columns}, id FROM snapshots WHERE id > ?1 ORDER BY id LIMIT {AT_A_TIME}");
    let mut last = 0_i64;
    loop {
        let rows: Vec<(Vec<Value>, i64)> = source
            .prepare_cached(&some)?
            .query_map([last], |row| Ok((values(row, COLUMNS.len())?, row.get(COLUMNS.len())?)))?
            .collect::<sql::Result<_>>()?;
        let Some((_, end)) = rows.last() else { return Ok((pages, visits)) };
        last = *end;
        for (sent, from) in rows {
            let (keys, _) = sent.split_at(KEYS);
            pages.sent.push(digest(keys));
            let (to, is_whole) = put(target, &sent)?;
            if is_whole {
                pages.arrived.push(digest(keys));
            }
            follow(source, target, keys, (from, to), &digest, &mut visits)?;
        }
    }
}

/// Writes a page where it is not there; gives its number there, and whether what stands there is whole.
fn put(target: &Db<'_>, sent: &[Value]) -> sql::Result<(i64, bool)> {
    let known = found(target, sent)?;
    let id = match known {
        // As if it had been kept by two who met it: the latest visit counts, and the wider leave.
        Some((id, there)) if is_sound(&there) => {
            target.prepare_cached(rows::MET_AGAIN)?.execute(params![
                id,
                at(sent, "last_at"),
                at(sent, "only_if_allowed"),
                at(sent, "extraction")
            ])?;
            return Ok((id, true));
        }
        Some((id, _)) => {
            let set: Vec<String> = COLUMNS
                .iter()
                .zip(1..)
                .map(|(column, place)| format!("{column} = ?{place}"))
                .collect();
            let sql = format!(
                "UPDATE snapshots SET {} WHERE id = ?{}",
                set.join(", "),
                COLUMNS.len() + 1
            );
            let mut given = borrowed(sent);
            given.push(&id);
            target.prepare_cached(&sql)?.execute(given.as_slice())?;
            id
        }
        None => {
            let places: Vec<String> =
                (1..=COLUMNS.len()).map(|place| format!("?{place}")).collect();
            let sql = format!(
                "INSERT INTO snapshots ({}) VALUES ({}) RETURNING id",
                COLUMNS.join(", "),
                places.join(", ")
            );
            let given = borrowed(sent);
            target.prepare_cached(&sql)?.query_row(given.as_slice(), |row| row.get(0))?
        }
    };
    // Not by the word of whoever wrote it: it is read back.
    let there = found(target, sent)?;
    Ok((id, there.is_some_and(|(_, there)| there == sent)))
}

/// The page that the keys of another name.
fn found(target: &Db<'_>, sent: &[Value]) -> sql::Result<Option<(i64, Vec<Value>)>> {
    let (keys, _) = sent.split_at(KEYS);
    let sql = format!("SELECT {}, id FROM snapshots WHERE {BY_KEYS}", COLUMNS.join(", "));
    target
        .prepare_cached(&sql)?
        .query_row(borrowed(keys).as_slice(), |row| {
            Ok((row.get(COLUMNS.len())?, values(row, COLUMNS.len())?))
        })
        .optional()
}

/// Has a page been visited there when it was here.
fn follow(
    source: &Db<'_>,
    target: &Db<'_>,
    keys: &[Value],
    (from, to): (i64, i64),
    digest: &impl Fn(&[Value]) -> [u8; 32],
    visits: &mut Arrivals,
) -> sql::Result<()> {
    let of = |db: &Db<'_>, id: i64| {
        db.prepare_cached("SELECT address, at FROM visits WHERE snapshot = ?1")?
            .query_map([id], |row| values(row, 2))?
            .collect::<sql::Result<Vec<_>>>()
    };
    let told = |visit: &[Value]| digest(&[keys, visit].concat());
    let sent = of(source, from)?;
    for visit in &sent {
        let [address, at] = visit.as_slice() else { continue };
        target
            .prepare_cached(
                "INSERT INTO visits (snapshot, address, at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            )?
            .execute(params![to, address, at])?;
    }
    let mut there: Vec<[u8; 32]> = of(target, to)?.iter().map(|visit| told(visit)).collect();
    there.sort_unstable();
    for visit in &sent {
        let visit = told(visit);
        visits.sent.push(visit);
        if there.binary_search(&visit).is_ok() {
            visits.arrived.push(visit);
        }
    }
    Ok(())
}

/// Whether what was read of a page can be read still, and is the text that its hash names.
fn is_sound(there: &[Value]) -> bool {
    let (Value::Blob(reading), Value::Text(hash)) = (at(there, "reading"), at(there, "text_hash"))
    else {
        return false;
    };
    let text = inflated(reading).ok();
    let text = text.and_then(|bytes| serde_json::from_slice::<Text>(&bytes).ok());
    text.is_some_and(|read| content_hash(read.text.as_bytes()) == *hash)
}

/// A column of a row.
fn at<'r>(row: &'r [Value], column: &str) -> &'r Value {
    let place = COLUMNS.iter().position(|one| *one == column);
    place.and_then(|place| row.get(place)).unwrap_or(&Value::Null)
}

fn values(row: &Row<'_>, count: usize) -> sql::Result<Vec<Value>> {
    (0..count).map(|at| row.get(at)).collect()
}

fn borrowed(row: &[Value]) -> Vec<&dyn ToSql> {
    row.iter().map(|value| value as &dyn ToSql).collect()
}

#[cfg(test)]
mod tests;
