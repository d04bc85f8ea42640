//! An index in a SQLite file (or in memory), scanned exactly.
//!
//! Every search reads the vectors that its caller may see, so that it is as fast as they are few: right for one machine and
//! for telling whether another implementation is. Any number of processes may share the file.

use super::checks;
use super::failure::{IndexFailure, Trouble};
use super::point::{Found, Kind, Listed, Lot, Nearest, Page, Point, best, rounded, scope_word};
use super::{MOST_FOUND, VectorIndex};
use crate::sqlite::write_ahead;
use elenchus_core::bank::Caller;
use elenchus_core::port::PortFuture;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long another process that writes is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS settings (dimensions INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS points (
    tenant  TEXT NOT NULL,
    kind    TEXT NOT NULL,
    id      TEXT NOT NULL,
    project TEXT NOT NULL,
    team    TEXT,
    org     TEXT,
    scope   TEXT NOT NULL,
    facet   TEXT NOT NULL,
    print   TEXT NOT NULL,
    vectors BLOB NOT NULL,
    UNIQUE (tenant, kind, id)
) STRICT;";

/// Parameters 1 and 2: the lot.
const LOT: &str = "tenant = ?1 AND kind = ?2";
/// Parameters 3 to 5: project, team and organisation of the caller. The same rule as `Shared::seen_by`.
const SEEN: &str =
    "(project = ?3 OR (scope = 'team' AND team = ?4) OR (scope = 'org' AND org = ?5))";

/// An index that scans.
pub struct EmbeddedIndex {
    db: Mutex<Connection>,
    path: PathBuf,
    dimensions: usize,
}

impl EmbeddedIndex {
    /// The index in a file, which is made if it is not there.
    ///
    /// # Errors
    /// When the file cannot be opened, or holds vectors with another number of dimensions.
    pub fn open(path: &Path, dimensions: usize) -> Result<Self, IndexFailure> {
        Self::on(Connection::open(path), path, dimensions)
    }

    /// An index that lives as long as the value.
    ///
    /// # Errors
    /// When SQLite cannot be used at all.
    pub fn in_memory(dimensions: usize) -> Result<Self, IndexFailure> {
        Self::on(Connection::open_in_memory(), Path::new(":memory:"), dimensions)
    }

    fn on(
        opened: rusqlite::Result<Connection>,
        path: &Path,
        dimensions: usize,
    ) -> Result<Self, IndexFailure> {
        checks::dimensions(dimensions)?;
        let attempted = format!("open the index of vectors {}", path.display());
        let way_out = "name a file that may be written, or remove it and build the index again";
        let fault = |error: rusqlite::Error| {
            IndexFailure::new(Trouble::Storage, &*attempted, error.to_string(), way_out)
        };
        let mut db = opened.map_err(fault)?;
        let mut prepare = || -> rusqlite::Result<usize> {
            db.busy_timeout(PATIENCE)?;
            write_ahead(&db, PATIENCE)?;
            let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change.execute_batch(SCHEMA)?;
            let known = change
                .query_row("SELECT dimensions FROM settings", [], |row| row.get(0))
                .optional()?;
            if known.is_none() {
                change.execute(
                    "INSERT INTO settings (dimensions) VALUES (?1)",
                    [i64::try_from(dimensions).unwrap_or(i64::MAX)],
                )?;
            }
            change.commit()?;
            Ok(known.map_or(dimensions, |known: i64| usize::try_from(known).unwrap_or(0)))
        };
        let known = prepare().map_err(fault)?;
        if known != dimensions {
            return Err(IndexFailure::new(
                Trouble::Unfit,
                attempted,
                format!("its vectors have {known} numbers and those of the embedder {dimensions}"),
                "name another file, or use the embedder that it was made with",
            ));
        }
        Ok(Self { db: Mutex::new(db), path: path.to_owned(), dimensions })
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn done<T>(&self, attempted: &str, result: rusqlite::Result<T>) -> Result<T, IndexFailure> {
        result.map_err(|error| {
            IndexFailure::new(
                Trouble::Storage,
                format!("{attempted} {}", self.path.display()),
                error.to_string(),
                "check the file and the disk; what is lost is made again from the store",
            )
        })
    }

    fn put(&self, lot: &Lot, points: &[Point]) -> rusqlite::Result<()> {
        let mut db = self.db();
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut statement = change.prepare_cached(
            "INSERT INTO points (tenant, kind, id, project, team, org, scope, facet, print, vectors)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT (tenant, kind, id) DO UPDATE SET project = ?4, team = ?5, org = ?6, scope = ?7, facet = ?8,
                 print = ?9, vectors = ?10",
        )?;
        for point in points {
            let shared = &point.shared;
            let bytes: Vec<u8> = point
                .vectors
                .iter()
                .flat_map(|vector| checks::unit(vector))
                .flat_map(f32::to_le_bytes)
                .collect();
            statement.execute(params![
                lot.tenant(),
                lot.kind().key(),
                point.id,
                shared.project,
                shared.team,
                shared.org,
                scope_word(shared.scope),
                point.facet,
                point.print(),
                bytes
            ])?;
        }
        drop(statement);
        change.commit()
    }

    fn take(&self, lot: &Lot, ids: &[String]) -> rusqlite::Result<()> {
        let mut db = self.db();
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = format!("DELETE FROM points WHERE {LOT} AND id = ?3");
        for id in ids {
            change.prepare_cached(&sql)?.execute(params![lot.tenant(), lot.kind().key(), id])?;
        }
        change.commit()
    }

    fn scan(&self, caller: &Caller, lot: &Lot, asked: &Nearest) -> rusqlite::Result<Vec<Found>> {
        let db = self.db();
        let mut statement = db.prepare_cached(&format!(
            "SELECT id, vectors FROM points
             WHERE {LOT} AND {SEEN} AND (?6 IS NULL OR scope = ?6) AND (?7 IS NULL OR facet = ?7)"
        ))?;
        let mut rows = statement.query(params![
            lot.tenant(),
            lot.kind().key(),
            caller.project,
            caller.team,
            caller.org,
            asked.scope.map(scope_word),
            asked.facet
        ])?;
        let wanted = checks::unit(&asked.vector);
        let mut found: Vec<Found> = Vec::new();
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob()?;
            let cosine = bytes
                .chunks_exact(self.dimensions * 4)
                .map(|piece| dot(piece, &wanted))
                .fold(-1.0, f64::max);
            found.push(Found { id: row.get(0)?, cosine: rounded(cosine) });
            // Sorting now and then keeps what is held small.
            if found.len() >= 8 * MOST_FOUND {
                found = best(found, asked.most);
            }
        }
        Ok(best(found, asked.most))
    }

    fn counted(&self, caller: &Caller, lot: &Lot) -> rusqlite::Result<u64> {
        let sql = format!("SELECT count(*) FROM points WHERE {LOT} AND {SEEN}");
        let of = params![lot.tenant(), lot.kind().key(), caller.project, caller.team, caller.org];
        let n: i64 = self.db().prepare_cached(&sql)?.query_row(of, |row| row.get(0))?;
        Ok(u64::try_from(n).unwrap_or(0))
    }

    fn held(&self, lot: &Lot) -> rusqlite::Result<u64> {
        let sql = format!("SELECT count(*) FROM points WHERE {LOT}");
        let of = params![lot.tenant(), lot.kind().key()];
        let n: i64 = self.db().prepare_cached(&sql)?.query_row(of, |row| row.get(0))?;
        Ok(u64::try_from(n).unwrap_or(0))
    }

    /// Pages follow the ids; a token is the last id of the page before.
    fn listed(&self, lot: &Lot, from: &str, most: usize) -> rusqlite::Result<Page> {
        let sql =
            format!("SELECT id, print FROM points WHERE {LOT} AND id > ?3 ORDER BY id LIMIT ?4");
        // One more tells whether there are more.
        let limit = i64::try_from(most + 1).unwrap_or(i64::MAX);
        let of = params![lot.tenant(), lot.kind().key(), from, limit];
        let mut listed: Vec<Listed> = self
            .db()
            .prepare_cached(&sql)?
            .query_map(of, |row| Ok(Listed { id: row.get(0)?, print: row.get(1)? }))?
            .collect::<rusqlite::Result<_>>()?;
        let more = listed.len() > most;
        listed.truncate(most);
        let next = listed.last().filter(|_| more).map(|last| last.id.clone());
        Ok(Page { listed, next })
    }
}

/// Scalar product of a piece as it is stored and a vector of the same length.
pub(super) fn dot(piece: &[u8], wanted: &[f32]) -> f64 {
    let (numbers, _) = piece.as_chunks::<4>();
    let mut sums = [0.0_f32; 8];
    for (at, (bytes, x)) in numbers.iter().zip(wanted).enumerate() {
        sums[at % 8] += f32::from_le_bytes(*bytes) * x;
    }
    sums.iter().map(|sum| f64::from(*sum)).sum()
}

impl VectorIndex for EmbeddedIndex {
    fn name(&self) -> String {
        format!("the index of vectors {}", self.path.display())
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn upsert<'a>(
        &'a self,
        lot: &'a Lot,
        points: &'a [Point],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            checks::points(points, self.dimensions)?;
            self.done("write to", self.put(lot, points))
        })
    }

    fn remove<'a>(
        &'a self,
        lot: &'a Lot,
        ids: &'a [String],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            checks::ids(ids)?;
            self.done("delete from", self.take(lot, ids))
        })
    }

    fn clear<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            let sql = format!("DELETE FROM points WHERE {LOT}");
            let done = self.db().execute(&sql, params![lot.tenant(), lot.kind().key()]);
            self.done("delete from", done.map(drop))
        })
    }

    fn nearest<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
        asked: &'a Nearest,
    ) -> PortFuture<'a, Result<Vec<Found>, IndexFailure>> {
        Box::pin(async move {
            let lot = checks::asked(caller, kind, asked, self.dimensions)?;
            self.done("search", self.scan(caller, &lot, asked))
        })
    }

    fn count<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
    ) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move {
            let lot = checks::seeing(caller, kind)?;
            self.done("count", self.counted(caller, &lot))
        })
    }

    fn size<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move { self.done("count", self.held(lot)) })
    }

    fn page<'a>(
        &'a self,
        lot: &'a Lot,
        from: Option<&'a str>,
        most: usize,
    ) -> PortFuture<'a, Result<Page, IndexFailure>> {
        Box::pin(async move {
            checks::listed(most)?;
            self.done("list", self.listed(lot, from.unwrap_or_default(), most))
        })
    }
}
