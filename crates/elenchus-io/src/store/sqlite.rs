//! A store in one SQLite file, for any number of processes on one machine.

use super::opening::{self, SqliteOptions};
use super::rows::{Refused, counts, failure, holding, number, put, signed, take, text, tip};
use super::{status, whole};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{JournalRecord, SealedRecord};
use elenchus_core::port::{
    CitedSource, Claim, DURABLE, JournalTip, KEYS_KEPT_MS, Lease, LeftControl, Matter, PortFuture,
    Remark, RunPage, RunQuery, RunSummary, Store, StoreFailure,
};
use elenchus_core::trace::Envelope;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The columns of a [`RunSummary`].
const SUMMARY: &str =
    "SELECT run_id, question, started_at, updated_at, stop_reason, records, events,
            (SELECT expires_at FROM leases l WHERE l.run_id = runs.run_id AND l.holder IS NOT NULL)
     FROM runs";

/// Runs of a status, as [`RunSummary::at`] tells it, but for those left out.
const MEANT: &str = "
    (?1 IS NULL OR ?1 = CASE
        WHEN stop_reason IN ('interrupted', 'failed') THEN stop_reason
        WHEN stop_reason IS NOT NULL THEN 'finished'
        WHEN EXISTS (SELECT 1 FROM leases l WHERE l.run_id = runs.run_id
                     AND l.holder IS NOT NULL AND l.expires_at > ?2) THEN 'running'
        ELSE 'stopped' END)
    AND run_id NOT IN (SELECT value FROM json_each(?3))";

fn summary(row: &Row<'_>) -> rusqlite::Result<RunSummary> {
    let stop_reason: Option<String> = row.get(4)?;
    let held_until: Option<i64> = row.get(7)?;
    Ok(RunSummary {
        run_id: RunId(row.get(0)?),
        question: row.get(1)?,
        started_at: Timestamp(row.get(2)?),
        updated_at: Timestamp(row.get(3)?),
        status: status(stop_reason.as_deref(), held_until.is_some()).to_owned(),
        stop_reason,
        records: number(row, 5)?,
        events: number(row, 6)?,
        held_until: held_until.map(Timestamp),
        put_back: None,
    })
}

/// A remark; `None` where it is about something that only a newer version knows.
fn remark(row: &Row<'_>) -> rusqlite::Result<Option<Remark>> {
    let about: String = row.get(1)?;
    let Some(about) = Matter::of(&about) else { return Ok(None) };
    Ok(Some(Remark {
        run_id: RunId(row.get(0)?),
        about,
        target: row.get(2)?,
        actor: row.get(3)?,
        said: row.get(4)?,
        note: row.get(5)?,
        basis: row.get(6)?,
        at: Timestamp(row.get(7)?),
    }))
}

/// Keeps runs in a SQLite file: write-ahead log, every commit synced, every write fenced by its lease.
///
/// A call does its work before its future is first polled to the end; none waits for anything but the disk
/// and, at most [`SqliteOptions::busy_timeout`], for another process.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl SqliteStore {
    /// Opens the file, makes it (readable by its owner only) when there is none, and migrates an older one.
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, StoreFailure> {
        let attempted = format!("open the store {}", path.display());
        let connection = opening::open(path, options, "FULL")
            .map_err(|cause| StoreFailure::Io { attempted, cause })?;
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned() })
    }

    /// Checks the whole file: SQLite's own check, then the chain of every journal. One line a finding.
    pub fn check(&self) -> Result<Vec<String>, StoreFailure> {
        let mut findings: Vec<String> = {
            let connection = self.connection();
            let found = |connection: &Connection| {
                connection
                    .prepare("PRAGMA integrity_check(20)")?
                    .query_map([], |row| row.get::<_, String>(0))?
                    .collect::<Result<Vec<String>, _>>()
            };
            found(&connection).map_err(|error| failure(&self.path, "check the store", &error))?
        };
        findings.retain(|line| line != "ok");
        for summary in self.list()? {
            if let Err(error) = self.read_journal(&summary.run_id) {
                findings.push(error.to_string());
            }
            if let Err(error) = self.read_events(&summary.run_id, 0) {
                findings.push(error.to_string());
            }
        }
        Ok(findings)
    }

    /// Gives the room of what was deleted back to the disk, so that nothing of it can be read out of the file any more.
    pub fn compact(&self) -> Result<(), StoreFailure> {
        let connection = self.connection();
        let work = |connection: &Connection| -> rusqlite::Result<()> {
            // The index of words keeps those of deleted memos until its parts are merged.
            connection
                .execute_batch("INSERT INTO memos_fts (memos_fts) VALUES ('optimize'); VACUUM;")?;
            // Answers with a row, also where a reader holds the log, which is emptied at the next chance then.
            connection
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0))?;
            Ok(())
        };
        work(&connection).map_err(|error| failure(&self.path, "make the store smaller", &error))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` in one immediate transaction. Nothing of it stays when it fails.
    fn write<T>(
        &self,
        attempted: &str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refused>,
    ) -> Result<T, StoreFailure> {
        let mut connection = self.connection();
        let run = |connection: &mut Connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run(&mut connection).map_err(|refused| match refused {
            Refused::By(failure) => failure,
            Refused::Sqlite(error) => failure(&self.path, attempted, &error),
        })
    }

    fn read<T>(
        &self,
        attempted: &str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refused>,
    ) -> Result<T, StoreFailure> {
        let mut connection = self.connection();
        let run = |connection: &mut Connection| {
            // One snapshot for all that is read.
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
            work(&transaction)
        };
        run(&mut connection).map_err(|refused| match refused {
            Refused::By(failure) => failure,
            Refused::Sqlite(error) => failure(&self.path, attempted, &error),
        })
    }

    fn create_run(
        &self,
        run_id: &RunId,
        question: &str,
        first: &SealedRecord,
        events: &[Envelope],
        holder: &str,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        whole::begins(run_id, first)?;
        let expires_at = Timestamp(first.at.0.saturating_add(lease_ms));
        self.write(&format!("create run {run_id}"), |transaction| {
            let made = transaction.execute(
                "INSERT INTO runs (run_id, question, started_at, updated_at, stop_reason, records, events)
                 VALUES (?1, ?2, ?3, ?3, ?4, 0, 0) ON CONFLICT DO NOTHING",
                params![run_id.as_str(), question, first.at.0, first.ended],
            )?;
            if made == 0 {
                return Err(Refused::By(StoreFailure::RunExists(run_id.clone())));
            }
            transaction.execute(
                "INSERT INTO leases (run_id, holder, token, expires_at) VALUES (?1, ?2, 1, ?3)",
                params![run_id.as_str(), holder, expires_at.0],
            )?;
            put(transaction, run_id, first, events)
        })?;
        Ok(Lease { run_id: run_id.clone(), holder: holder.to_owned(), token: 1, expires_at })
    }

    fn append_record(
        &self,
        lease: &Lease,
        record: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), StoreFailure> {
        let run_id = &lease.run_id;
        self.write(&format!("append record {} to run {run_id}", record.seq), |transaction| {
            let Some(current) = holding(transaction, run_id)? else {
                return Err(Refused::By(StoreFailure::UnknownRun(run_id.clone())));
            };
            if current.token != lease.token || current.holder.as_deref() != Some(&lease.holder) {
                return Err(Refused::By(StoreFailure::LeaseLost(run_id.clone())));
            }
            let tip = tip(transaction, run_id)?;
            if record.seq != tip.seq + 1 || record.previous != tip.hash {
                return Err(Refused::By(StoreFailure::NotNext {
                    run_id: run_id.clone(),
                    seq: record.seq,
                    tip: tip.seq,
                }));
            }
            put(transaction, run_id, record, events)?;
            take(transaction, run_id, record)
        })
    }

    fn leave(
        &self,
        run_id: &RunId,
        json: &str,
        by: &str,
        now: Timestamp,
    ) -> Result<u64, StoreFailure> {
        self.write(&format!("leave a control for run {run_id}"), |transaction| {
            let Some(current) = holding(transaction, run_id)? else {
                return Err(Refused::By(StoreFailure::UnknownRun(run_id.clone())));
            };
            let is_over: bool = transaction
                .prepare_cached("SELECT stop_reason IS NOT NULL FROM runs WHERE run_id = ?1")?
                .query_row([run_id.as_str()], |row| row.get(0))?;
            let is_heard = !is_over
                && current.expires_at > now
                && current.holder.is_some_and(|holder| !holder.starts_with(DURABLE));
            if !is_heard {
                return Err(Refused::By(StoreFailure::NotDriven(run_id.clone())));
            }
            Ok(transaction
                .prepare_cached(
                    "INSERT INTO controls (run_id, number, json, left_by, left_at)
                     VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM controls WHERE run_id = ?1), ?2, ?3, ?4)
                     RETURNING number",
                )?
                .query_row(params![run_id.as_str(), json, by, now.0], |row| number(row, 0))?)
        })
    }

    fn left(&self, run_id: &RunId) -> Result<Vec<LeftControl>, StoreFailure> {
        self.read(&format!("read what was left for run {run_id}"), |transaction| {
            let rows = transaction
                .prepare_cached(
                    "SELECT number, json, left_by, left_at FROM controls
                     WHERE run_id = ?1 AND taken_at IS NULL ORDER BY number",
                )?
                .query_map([run_id.as_str()], |row| {
                    Ok(LeftControl {
                        number: number(row, 0)?,
                        json: row.get(1)?,
                        by: row.get(2)?,
                        at: Timestamp(row.get(3)?),
                    })
                })?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(rows)
        })
    }

    fn read_journal(&self, run_id: &RunId) -> Result<Vec<JournalRecord>, StoreFailure> {
        let (counted, rows) =
            self.read(&format!("read the journal of run {run_id}"), |transaction| {
                let counted = counts(transaction, run_id)?.0;
                let rows = transaction
                    .prepare_cached(
                        "SELECT seq, json, hash FROM journal WHERE run_id = ?1 ORDER BY seq",
                    )?
                    .query_map([run_id.as_str()], |row| {
                        Ok((number(row, 0)?, text(row, 1)?, text(row, 2)?))
                    })?
                    .collect::<Result<Vec<_>, _>>()?;
                Ok((counted, rows))
            })?;
        whole::journal(run_id, counted, &rows)
    }

    fn read_events(&self, run_id: &RunId, after: u64) -> Result<Vec<Envelope>, StoreFailure> {
        let attempted = format!("read the trace of run {run_id}");
        let (counted, rows) = self.read(&attempted, |transaction| {
            let counted = counts(transaction, run_id)?.1;
            let rows = transaction
                .prepare_cached(
                    "SELECT seq, json FROM trace_events WHERE run_id = ?1 AND seq > ?2 ORDER BY seq",
                )?
                .query_map(params![run_id.as_str(), signed(after)], |row| Ok((number(row, 0)?, text(row, 1)?)))?
                .collect::<Result<Vec<_>, _>>()?;
            Ok((counted, rows))
        })?;
        whole::events(run_id, after, counted, &rows)
            .map_err(|cause| StoreFailure::Io { attempted, cause })
    }

    fn take_lease(
        &self,
        run_id: &RunId,
        holder: &str,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let expires_at = Timestamp(now.0.saturating_add(lease_ms));
        let token = self.write(&format!("take run {run_id}"), |transaction| {
            let Some(current) = holding(transaction, run_id)? else {
                return Err(Refused::By(StoreFailure::UnknownRun(run_id.clone())));
            };
            let token = match current.holder {
                Some(ref known) if known == holder => current.token,
                Some(other) if current.expires_at > now => {
                    return Err(Refused::By(StoreFailure::Leased {
                        run_id: run_id.clone(),
                        holder: other,
                        expires_at_ms: current.expires_at.0,
                    }));
                }
                _ => current.token + 1,
            };
            transaction.execute(
                "UPDATE leases SET holder = ?2, token = ?3, expires_at = ?4 WHERE run_id = ?1",
                params![run_id.as_str(), holder, signed(token), expires_at.0],
            )?;
            Ok(token)
        })?;
        Ok(Lease { run_id: run_id.clone(), holder: holder.to_owned(), token, expires_at })
    }

    fn keep_lease(
        &self,
        lease: &Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let expires_at = Timestamp(now.0.saturating_add(lease_ms));
        let held =
            self.write(&format!("renew the lease of run {}", lease.run_id), |transaction| {
                let held = transaction.execute(
                    "UPDATE leases SET expires_at = max(expires_at, ?4)
                 WHERE run_id = ?1 AND holder = ?2 AND token = ?3",
                    params![lease.run_id.as_str(), lease.holder, signed(lease.token), expires_at.0],
                )?;
                if held == 0 { Ok(None) } else { Ok(holding(transaction, &lease.run_id)?) }
            })?;
        let held = held.ok_or_else(|| StoreFailure::LeaseLost(lease.run_id.clone()))?;
        Ok(Lease { expires_at: held.expires_at, ..lease.clone() })
    }

    fn give_back(&self, lease: &Lease) -> Result<(), StoreFailure> {
        self.write(&format!("release run {}", lease.run_id), |transaction| {
            transaction.execute(
                "UPDATE leases SET holder = NULL WHERE run_id = ?1 AND holder = ?2 AND token = ?3",
                params![lease.run_id.as_str(), lease.holder, signed(lease.token)],
            )?;
            Ok(())
        })
    }

    fn list(&self) -> Result<Vec<RunSummary>, StoreFailure> {
        self.read("list the runs", |transaction| {
            let rows = transaction
                .prepare_cached(&format!("{SUMMARY} ORDER BY started_at DESC, run_id"))?
                .query_map([], summary)?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(rows)
        })
    }

    fn list_page(&self, query: &RunQuery) -> Result<RunPage, StoreFailure> {
        if !query.words.is_empty() {
            // SQLite folds the case of ASCII only.
            return Ok(query.page(self.list()?));
        }
        let except: Vec<&str> = query.except.iter().map(RunId::as_str).collect();
        let except = serde_json::to_string(&except).unwrap_or_else(|_| "[]".to_owned());
        let (after_at, after_id) = match &query.after {
            Some((at, id)) => (at.0, id.as_str()),
            None => (i64::MAX, ""),
        };
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let skip = i64::try_from(query.skip).unwrap_or(i64::MAX);
        self.read("list the runs", |transaction| {
            let meant = params![query.status, query.now.0, except];
            let total = transaction
                .prepare_cached(&format!("SELECT count(*) FROM runs WHERE {MEANT}"))?
                .query_row(meant, |row| number(row, 0))?;
            let runs = transaction
                .prepare_cached(&format!(
                    "{SUMMARY} WHERE {MEANT}
                     AND (started_at < ?4 OR (started_at = ?4 AND run_id > ?5))
                     ORDER BY started_at DESC, run_id LIMIT ?6 OFFSET ?7"
                ))?
                .query_map(
                    params![query.status, query.now.0, except, after_at, after_id, limit, skip],
                    |row| Ok(summary(row)?.at(query.now)),
                )?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(RunPage { runs, total })
        })
    }

    fn read_cited(&self, runs: usize) -> Result<Vec<CitedSource>, StoreFailure> {
        let attempted = "list what was cited";
        let rows: Vec<whole::Cited> = self.read(attempted, |transaction| {
            let rows = transaction
                .prepare_cached(
                    "SELECT newest.run_id, newest.question, newest.started_at, one.value
                     FROM (SELECT run_id, question, started_at FROM runs
                           ORDER BY started_at DESC, run_id LIMIT ?1) AS newest
                     JOIN trace_events AS told ON told.run_id = newest.run_id
                      AND told.seq = (SELECT max(seq) FROM trace_events AS last
                                      WHERE last.run_id = newest.run_id AND last.type = 'answer_completed')
                     JOIN json_each(told.json, '$.data.answer.sources') AS one
                     ORDER BY newest.started_at DESC, newest.run_id, one.key",
                )?
                .query_map([i64::try_from(runs).unwrap_or(i64::MAX)], |row| {
                    Ok((RunId(row.get(0)?), row.get(1)?, Timestamp(row.get(2)?), text(row, 3)?))
                })?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(rows)
        })?;
        whole::cited(attempted, rows)
    }

    fn one(&self, run_id: &RunId) -> Result<RunSummary, StoreFailure> {
        self.read(&format!("look at run {run_id}"), |transaction| {
            transaction
                .prepare_cached(&format!("{SUMMARY} WHERE run_id = ?1"))?
                .query_row([run_id.as_str()], summary)
                .optional()?
                .ok_or_else(|| Refused::By(StoreFailure::UnknownRun(run_id.clone())))
        })
    }

    fn claim(
        &self,
        key: &str,
        claim: &Claim,
        instead_of: Option<&RunId>,
        now: Timestamp,
    ) -> Result<Claim, StoreFailure> {
        self.write("note the key of a request", |transaction| {
            let oldest = now.0.saturating_sub(KEYS_KEPT_MS);
            transaction.execute("DELETE FROM request_keys WHERE at <= ?1", [oldest])?;
            transaction.execute(
                "INSERT INTO request_keys (key, request, run_id, at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (key) DO UPDATE
                 SET request = excluded.request, run_id = excluded.run_id, at = excluded.at
                 WHERE request_keys.run_id = ?5",
                params![
                    key,
                    claim.request,
                    claim.run_id.as_str(),
                    now.0,
                    instead_of.map(RunId::as_str)
                ],
            )?;
            let noted = "SELECT request, run_id FROM request_keys WHERE key = ?1";
            Ok(transaction.query_row(noted, [key], |row| {
                Ok(Claim { request: row.get(0)?, run_id: RunId(row.get(1)?) })
            })?)
        })
    }

    fn keep_remark(&self, remark: &Remark) -> Result<(), StoreFailure> {
        let run_id = &remark.run_id;
        self.write(&format!("keep what is said of run {run_id}"), |transaction| {
            counts(transaction, run_id)?;
            transaction.execute(
                "INSERT INTO feedback (run_id, about, target, actor, said, note, basis, at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT (run_id, about, target, actor) DO UPDATE
                 SET said = excluded.said, note = excluded.note, basis = excluded.basis,
                     at = excluded.at",
                params![
                    run_id.as_str(),
                    remark.about.name(),
                    remark.target,
                    remark.actor,
                    remark.said,
                    remark.note,
                    remark.basis,
                    remark.at.0
                ],
            )?;
            Ok(())
        })
    }

    fn read_remarks(&self, run_id: Option<&RunId>) -> Result<Vec<Remark>, StoreFailure> {
        self.read("read what was said of runs", |transaction| {
            let rows = transaction
                .prepare_cached(
                    "SELECT run_id, about, target, actor, said, note, basis, at FROM feedback
                     WHERE ?1 IS NULL OR run_id = ?1 ORDER BY at, run_id, about, target, actor",
                )?
                .query_map(params![run_id.map(RunId::as_str)], remark)?
                .collect::<Result<Vec<_>, _>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    fn delete_run(&self, run_id: &RunId, now: Timestamp) -> Result<(), StoreFailure> {
        self.write(&format!("delete run {run_id}"), |transaction| {
            let Some(current) = holding(transaction, run_id)? else {
                return Err(Refused::By(StoreFailure::UnknownRun(run_id.clone())));
            };
            if let Some(holder) = current.holder
                && current.expires_at > now
            {
                return Err(Refused::By(StoreFailure::Leased {
                    run_id: run_id.clone(),
                    holder,
                    expires_at_ms: current.expires_at.0,
                }));
            }
            transaction.execute("DELETE FROM request_keys WHERE run_id = ?1", [run_id.as_str()])?;
            transaction.execute("DELETE FROM runs WHERE run_id = ?1", [run_id.as_str()])?;
            Ok(())
        })
    }
}

impl Store for SqliteStore {
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.create_run(run_id, question, first, events, holder, lease_ms) })
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.append_record(lease, record, events) })
    }

    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>> {
        Box::pin(async move { self.read_journal(run_id) })
    }

    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>> {
        Box::pin(async move {
            self.read(&format!("find the end of run {run_id}"), |transaction| {
                counts(transaction, run_id)?;
                Ok(tip(transaction, run_id)?)
            })
        })
    }

    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>> {
        Box::pin(async move { self.read_events(run_id, after) })
    }

    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.take_lease(run_id, holder, now, lease_ms) })
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(async move { self.keep_lease(lease, now, lease_ms) })
    }

    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>> {
        Box::pin(async move { self.leave(run_id, json, by, now) })
    }

    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>> {
        Box::pin(async move { self.left(run_id) })
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.give_back(lease) })
    }

    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>> {
        Box::pin(async move { self.list() })
    }

    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>> {
        Box::pin(async move { self.list_page(query) })
    }

    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>> {
        Box::pin(async move { self.read_cited(runs) })
    }

    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>> {
        Box::pin(async move { self.one(run_id) })
    }

    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>> {
        Box::pin(async move { self.claim(key, claim, instead_of, now) })
    }

    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move {
            self.write("forget the key of a request", |transaction| {
                let sql = "DELETE FROM request_keys WHERE key = ?1 AND run_id = ?2";
                transaction.execute(sql, [key, run_id.as_str()])?;
                Ok(())
            })
        })
    }

    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.keep_remark(remark) })
    }

    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>> {
        Box::pin(async move { self.read_remarks(run_id) })
    }

    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move { self.delete_run(run_id, now) })
    }
}
