//! Rows of the SQLite store, and what its errors mean.

use super::whole;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{GENESIS, SealedRecord};
use elenchus_core::port::{JournalTip, StoreFailure};
use elenchus_core::trace::Envelope;
use rusqlite::{ErrorCode, OptionalExtension, Row, Transaction, params};
use std::fs;
use std::path::Path;

/// Why a transaction was given up.
pub(super) enum Refused {
    By(StoreFailure),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

pub(super) struct Holding {
    pub(super) holder: Option<String>,
    pub(super) token: u64,
    pub(super) expires_at: Timestamp,
}

pub(super) fn holding(
    transaction: &Transaction<'_>,
    run_id: &RunId,
) -> rusqlite::Result<Option<Holding>> {
    transaction
        .prepare_cached("SELECT holder, token, expires_at FROM leases WHERE run_id = ?1")?
        .query_row([run_id.as_str()], |row| {
            Ok(Holding {
                holder: row.get(0)?,
                token: number(row, 1)?,
                expires_at: Timestamp(row.get(2)?),
            })
        })
        .optional()
}

pub(super) fn tip(transaction: &Transaction<'_>, run_id: &RunId) -> rusqlite::Result<JournalTip> {
    let last = transaction
        .prepare_cached(
            "SELECT seq, hash FROM journal WHERE run_id = ?1 ORDER BY seq DESC LIMIT 1",
        )?
        .query_row([run_id.as_str()], |row| {
            Ok(JournalTip { seq: number(row, 0)?, hash: text(row, 1)? })
        })
        .optional()?;
    Ok(last.unwrap_or_else(|| JournalTip { seq: 0, hash: GENESIS.to_owned() }))
}

/// How many records and events a run must have.
pub(super) fn counts(transaction: &Transaction<'_>, run_id: &RunId) -> Result<(u64, u64), Refused> {
    transaction
        .prepare_cached("SELECT records, events FROM runs WHERE run_id = ?1")?
        .query_row([run_id.as_str()], |row| Ok((number(row, 0)?, number(row, 1)?)))
        .optional()?
        .ok_or_else(|| Refused::By(StoreFailure::UnknownRun(run_id.clone())))
}

/// Writes a record and its events, and keeps the counts.
pub(super) fn put(
    transaction: &Transaction<'_>,
    run_id: &RunId,
    record: &SealedRecord,
    events: &[Envelope],
) -> Result<(), Refused> {
    transaction
        .prepare_cached(
            "INSERT INTO journal (run_id, seq, at, json, hash) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            run_id.as_str(),
            signed(record.seq),
            record.at.0,
            record.json,
            record.hash
        ])?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO trace_events (run_id, seq, at, type, json) VALUES (?1, ?2, ?3, ?4 ->> '$.type', ?4)",
    )?;
    for event in events {
        let json = serde_json::to_string(event)
            .map_err(|error| Refused::By(whole::unsayable(run_id, event, &error)))?;
        insert.execute(params![run_id.as_str(), signed(event.seq), event.at.0, json])?;
    }
    transaction
        .prepare_cached(
            "UPDATE runs SET updated_at = ?2, records = ?3, events = events + ?4,
                    stop_reason = coalesce(?5, stop_reason)
             WHERE run_id = ?1",
        )?
        .execute(params![
            run_id.as_str(),
            record.at.0,
            signed(record.seq),
            signed(events.len() as u64),
            record.ended
        ])?;
    Ok(())
}

/// Takes the control that a record obeys; what is left for a run goes with the record that ends it.
pub(super) fn take(
    transaction: &Transaction<'_>,
    run_id: &RunId,
    record: &SealedRecord,
) -> Result<(), Refused> {
    if record.ended.is_some() {
        transaction
            .prepare_cached("DELETE FROM controls WHERE run_id = ?1")?
            .execute([run_id.as_str()])?;
    } else if let Some(taken) = record.takes {
        transaction
            .prepare_cached("UPDATE controls SET taken_at = ?3 WHERE run_id = ?1 AND number = ?2")?
            .execute(params![run_id.as_str(), signed(taken), record.at.0])?;
    }
    Ok(())
}

pub(super) fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(|value| u64::try_from(value).unwrap_or(0))
}

/// A text column, with bytes that are no UTF-8 replaced: the hash will not match them, and says where.
pub(super) fn text(row: &Row<'_>, at: usize) -> rusqlite::Result<String> {
    Ok(String::from_utf8_lossy(row.get_ref(at)?.as_bytes()?).into_owned())
}

pub(super) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// SQLite makes its side files with the permissions of the main file, so that one is made first.
#[cfg(unix)]
pub(crate) fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    match fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
pub(crate) fn make_private(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

/// An error of SQLite with its way out.
pub(super) fn failure(path: &Path, attempted: &str, error: &rusqlite::Error) -> StoreFailure {
    let (attempted, cause) = (attempted.to_owned(), plain_cause(path, error));
    match error.sqlite_error_code() {
        // Another process holds the file; nobody needs to do anything but wait.
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => StoreFailure::Away { attempted, cause },
        _ => StoreFailure::Io { attempted, cause },
    }
}

/// What a failure of SQLite means to a user of the file, and the way out.
pub(crate) fn plain_cause(path: &Path, error: &rusqlite::Error) -> String {
    let way_out = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => format!(
            "the file {} is damaged or no database; restore a backup, or move it away and start again",
            path.display()
        ),
        Some(ErrorCode::DiskFull) => {
            "the disk or the allowed size is full; make room and try again".to_owned()
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => format!(
            "{} or its folder cannot be written; check the permissions or choose another place for the store",
            path.display()
        ),
        Some(
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed,
        ) => "another process has been writing for too long; try again, or stop that process"
            .to_owned(),
        _ => "`elenchus doctor` checks the store".to_owned(),
    };
    format!("{error}; {way_out}")
}
