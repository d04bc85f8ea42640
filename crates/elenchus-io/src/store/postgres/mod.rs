//! Runs on a PostgreSQL server, for any number of processes on any number of machines.

mod abandoned;
mod cited;
mod left;
mod remarks;
mod rows;
mod schema;
mod schema_typed;
mod watch;

pub(crate) use schema::{CONTROLS, FEEDBACK, FIRST, KEYS, NOTES, SHOWN_FIGURES, VIEWS, WARNINGS};
pub(crate) use schema_typed::TYPED;

use super::whole;
use crate::pg::{Connections, Unjoined, migrate};
use crate::sql::Row;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::journal::{JournalRecord, SealedRecord};
use elenchus_core::port::{
    CitedSource, Claim, JournalTip, KEYS_KEPT_MS, Lease, LeftControl, PortFuture, Remark, RunPage,
    RunQuery, RunSummary, Store, StoreFailure,
};
use elenchus_core::trace::Envelope;
use rows::{Given, Rows, at, number};
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use watch::News;

/// Connections that one store makes at most, beside the one that listens.
const CONNECTIONS: usize = 4;
/// How long a connection that is to answer may give no answer at all: a little longer than the server may work at one. One that is
/// stopped, or cut off, gives none.
const ANSWER: Duration = Duration::from_secs(65);

/// Keeps runs on a PostgreSQL server. Every change is one statement, and so one transaction, fenced by the lease of its run.
///
/// A connection that is lost is made again by the next call. What was under way then fails with [`StoreFailure::Away`], done
/// or not; the same call may be made again, as the [`Store`] port allows.
#[derive(Clone)]
pub struct PgStore {
    connections: Arc<Connections>,
    news: Arc<News>,
}

/// A parameter with the type that it is sent as.
type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

const APPEND: &str = "
WITH held AS MATERIALIZED (
    SELECT FROM leases WHERE run_id = $1 AND holder = $2 AND token = $3 FOR UPDATE
), moved AS (
    UPDATE runs SET updated_at = $6, records = $4, events = events + cardinality($10),
                    tip = $8, stop_reason = coalesce($9, stop_reason)
    WHERE run_id = $1 AND records = $4 - 1 AND tip = $5 AND EXISTS (SELECT FROM held)
    RETURNING run_id
), kept AS (
    INSERT INTO journal (run_id, seq, at, json, hash) SELECT run_id, $4, $6, $7, $8 FROM moved
), told AS (
    INSERT INTO trace_events (run_id, seq, at, type, json)
    SELECT run_id, event.seq, to_timestamp(event.ms / 1000.0), event.type, event.json::json
    FROM moved, unnest($10, $11, $12, $13) AS event (seq, ms, type, json)
), taken AS (
    UPDATE controls SET taken_at = $6 FROM moved
    WHERE controls.run_id = moved.run_id AND controls.number = $14 AND $9 IS NULL
), gone AS (
    DELETE FROM controls USING moved WHERE controls.run_id = moved.run_id AND $9 IS NOT NULL
)
SELECT pg_notify('elenchus_runs', run_id) FROM moved";

const CREATE: &str = "
WITH made AS (
    INSERT INTO runs (run_id, question, exact, started_at, updated_at, stop_reason, records, events, tip)
    VALUES ($1, $4, $14, $6, $6, $9, 1, cardinality($10), $8) ON CONFLICT DO NOTHING
    RETURNING run_id
), held AS (
    INSERT INTO leases (run_id, holder, token, expires_at) SELECT run_id, $2, 1, $3 FROM made
), kept AS (
    INSERT INTO journal (run_id, seq, at, json, hash) SELECT run_id, $5, $6, $7, $8 FROM made
), told AS (
    INSERT INTO trace_events (run_id, seq, at, type, json)
    SELECT run_id, event.seq, to_timestamp(event.ms / 1000.0), event.type, event.json::json
    FROM made, unnest($10, $11, $12, $13) AS event (seq, ms, type, json)
)
SELECT pg_notify('elenchus_runs', run_id) FROM made";

/// Whoever left the run to others takes it anew, so that what was still on its way then is refused.
const LEASE: &str = "
UPDATE leases SET holder = $2, expires_at = $4,
                  token = CASE WHEN holder = $2 AND expires_at > '-infinity' THEN token ELSE token + 1 END
WHERE run_id = $1 AND (holder IS NULL OR holder = $2 OR expires_at <= $3)
RETURNING token";

/// One that is abandoned may come to the server after the lease was given back, or after a later one.
const RENEW: &str = "
UPDATE leases SET expires_at = greatest(expires_at, $4)
WHERE run_id = $1 AND holder = $2 AND token = $3
RETURNING expires_at";

/// A control that was left in the moment in which a run ended was not seen by the record that ended it.
const RELEASE: &str = "
WITH given AS (
    UPDATE leases SET holder = NULL WHERE run_id = $1 AND holder = $2 AND token = $3
    RETURNING run_id
)
DELETE FROM controls USING given JOIN runs USING (run_id)
WHERE controls.run_id = given.run_id AND runs.stop_reason IS NOT NULL";

const SUMMARY: &str = "
SELECT run_id, question, started_at, updated_at, stop_reason, records, events,
       (SELECT expires_at FROM leases WHERE leases.run_id = runs.run_id AND leases.holder IS NOT NULL
        AND leases.expires_at > '-infinity'),
       exact,
       (SELECT reason FROM put_back WHERE put_back.run_id = runs.run_id AND runs.stop_reason IS NULL
        AND reason <> '' ORDER BY put_back.at DESC LIMIT 1)
FROM runs";

/// Runs of a status, as [`RunSummary::at`] tells it, but for those left out.
const MEANT: &str = "
    ($1::text IS NULL OR $1 = CASE
        WHEN stop_reason IN ('interrupted', 'failed') THEN stop_reason
        WHEN stop_reason IS NOT NULL THEN 'finished'
        WHEN EXISTS (SELECT FROM leases WHERE leases.run_id = runs.run_id
                     AND leases.holder IS NOT NULL AND leases.expires_at > $2) THEN 'running'
        ELSE 'stopped' END)
    AND run_id <> ALL ($3)";

const CLAIM_KEY: &str = "
INSERT INTO request_keys (key, request, run_id, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (key) DO UPDATE
SET request = excluded.request, run_id = excluded.run_id, at = excluded.at
WHERE request_keys.run_id = $5
RETURNING request, run_id";

const NOTED: &str = "SELECT request, run_id FROM request_keys WHERE key = $1";

const FORGET: &str = "DELETE FROM request_keys WHERE at <= $1";

const FREE_KEY: &str = "DELETE FROM request_keys WHERE key = $1 AND run_id = $2";

const DELETE: &str = "
WITH free AS MATERIALIZED (
    SELECT run_id FROM leases
    WHERE run_id = $1 AND (holder IS NULL OR expires_at <= $2) FOR UPDATE
), keys AS (
    DELETE FROM request_keys WHERE run_id IN (SELECT run_id FROM free)
), forgotten AS (
    DELETE FROM run_notes WHERE run_id IN (SELECT run_id FROM free)
)
DELETE FROM runs WHERE run_id IN (SELECT run_id FROM free) RETURNING run_id";

impl PgStore {
    /// Connects, and brings the schema to this version.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses, or was used by a newer version.
    pub async fn open(url: &str) -> Result<Self, StoreFailure> {
        let connections = Connections::new(url, CONNECTIONS).map_err(|cause| StoreFailure::Io {
            attempted: "use the database".to_owned(),
            cause,
        })?;
        let connections = Arc::new(connections);
        let failed = |cause| StoreFailure::Io {
            attempted: format!("open the store {}", connections.place()),
            cause,
        };
        let mut client = connections.own().await.map_err(failed)?;
        migrate(&mut client).await.map_err(failed)?;
        let news = Arc::new(News::new(Arc::clone(&connections)));
        Ok(Self { connections, news })
    }

    /// The server, for messages; without the password.
    pub fn place(&self) -> String {
        self.connections.place()
    }

    async fn query(
        &self,
        attempted: &str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Rows, StoreFailure> {
        let failed = |Unjoined { cause, is_away }| {
            let attempted = attempted.to_owned();
            if is_away {
                StoreFailure::Away { attempted, cause }
            } else {
                StoreFailure::Io { attempted, cause }
            }
        };
        let client = self.connections.client().await.map_err(failed)?;
        match client.answer(ANSWER, client.query_typed(sql, parameters)).await {
            None => {
                let cause =
                    format!("the server gave no answer for {} s; check it", ANSWER.as_secs());
                Err(failed(Unjoined { cause, is_away: true }))
            }
            Some(Ok(rows)) => Ok(Rows::new(attempted, rows)),
            Some(Err(error)) => {
                // Another server may be the primary one by now: what still leads to this one would refuse for ever.
                if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) {
                    client.forget();
                }
                Err(failed(error.into()))
            }
        }
    }

    async fn create_run(
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
        let told = rows::told(run_id, events)?;
        let exact = question.contains('\0').then_some(question.as_bytes());
        let made = self
            .query(
                &format!("create run {run_id}"),
                CREATE,
                &[
                    (&run_id.as_str(), Type::TEXT),
                    (&holder, Type::TEXT),
                    (&at(expires_at), Type::TIMESTAMPTZ),
                    (&Given::text(question), Type::TEXT),
                    (&rows::signed(first.seq), Type::INT8),
                    (&at(first.at), Type::TIMESTAMPTZ),
                    (&Given::text(&first.json), Type::TEXT),
                    (&first.hash, Type::TEXT),
                    (&first.ended, Type::TEXT),
                    (&told.seqs, Type::INT8_ARRAY),
                    (&told.times, Type::INT8_ARRAY),
                    (&told.types, Type::TEXT_ARRAY),
                    (&told.jsons, Type::TEXT_ARRAY),
                    (&exact, Type::BYTEA),
                ],
            )
            .await?;
        if made.is_empty() {
            return Err(StoreFailure::RunExists(run_id.clone()));
        }
        Ok(Lease { run_id: run_id.clone(), holder: holder.to_owned(), token: 1, expires_at })
    }

    async fn append_record(
        &self,
        lease: &Lease,
        record: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), StoreFailure> {
        let run_id = &lease.run_id;
        let told = rows::told(run_id, events)?;
        let takes = record.takes.map(rows::signed);
        let moved = self
            .query(
                &format!("append record {} to run {run_id}", record.seq),
                APPEND,
                &[
                    (&run_id.as_str(), Type::TEXT),
                    (&lease.holder, Type::TEXT),
                    (&rows::signed(lease.token), Type::INT8),
                    (&rows::signed(record.seq), Type::INT8),
                    (&record.previous, Type::TEXT),
                    (&at(record.at), Type::TIMESTAMPTZ),
                    (&Given::text(&record.json), Type::TEXT),
                    (&record.hash, Type::TEXT),
                    (&record.ended, Type::TEXT),
                    (&told.seqs, Type::INT8_ARRAY),
                    (&told.times, Type::INT8_ARRAY),
                    (&told.types, Type::TEXT_ARRAY),
                    (&told.jsons, Type::TEXT_ARRAY),
                    (&takes, Type::INT8),
                ],
            )
            .await?;
        if !moved.is_empty() {
            return Ok(());
        }
        // Nothing was written. Why, is asked only now; whatever has changed since, writing was refused.
        let (holder, token, _) = self.holding(run_id).await?;
        if token != lease.token || holder.as_deref() != Some(&lease.holder) {
            return Err(StoreFailure::LeaseLost(run_id.clone()));
        }
        let tip = self.end(run_id).await?;
        Err(StoreFailure::NotNext { run_id: run_id.clone(), seq: record.seq, tip: tip.seq })
    }

    /// Holder, token and end of the lease.
    async fn holding(
        &self,
        run_id: &RunId,
    ) -> Result<(Option<String>, u64, Timestamp), StoreFailure> {
        self.query(
            &format!("look at the lease of run {run_id}"),
            "SELECT holder, token, expires_at FROM leases WHERE run_id = $1",
            &[(&run_id.as_str(), Type::TEXT)],
        )
        .await?
        .first(|row| Ok((row.get(0)?, number(row, 1)?, Timestamp(row.get(2)?))))?
        .ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))
    }

    async fn end(&self, run_id: &RunId) -> Result<JournalTip, StoreFailure> {
        self.query(
            &format!("find the end of run {run_id}"),
            "SELECT records, tip FROM runs WHERE run_id = $1",
            &[(&run_id.as_str(), Type::TEXT)],
        )
        .await?
        .first(|row| Ok(JournalTip { seq: number(row, 0)?, hash: row.get(1)? }))?
        .ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))
    }

    async fn read_journal(&self, run_id: &RunId) -> Result<Vec<JournalRecord>, StoreFailure> {
        // One statement sees one state: the count and the records that it counts.
        let rows = self
            .query(
                &format!("read the journal of run {run_id}"),
                "SELECT runs.records, journal.seq, journal.json, journal.hash
                 FROM runs LEFT JOIN journal USING (run_id) WHERE run_id = $1 ORDER BY journal.seq",
                &[(&run_id.as_str(), Type::TEXT)],
            )
            .await?;
        let counted = rows
            .first(|row| number(row, 0))?
            .ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))?;
        let kept: Vec<Option<(u64, String, String)>> = rows.map(|row| {
            let seq: Option<i64> = row.get(1)?;
            let seq = seq.and_then(|seq| u64::try_from(seq).ok());
            Ok(match seq {
                Some(seq) => Some((seq, row.get(2)?, row.get(3)?)),
                None => None,
            })
        })?;
        let kept: Vec<(u64, String, String)> = kept.into_iter().flatten().collect();
        whole::journal(run_id, counted, &kept)
    }

    async fn read_events(&self, run_id: &RunId, after: u64) -> Result<Vec<Envelope>, StoreFailure> {
        let attempted = format!("read the trace of run {run_id}");
        let rows = self
            .query(
                &attempted,
                "SELECT runs.events, told.seq, told.json FROM runs
                 LEFT JOIN trace_events AS told ON told.run_id = runs.run_id AND told.seq > $2
                 WHERE runs.run_id = $1 ORDER BY told.seq",
                &[(&run_id.as_str(), Type::TEXT), (&rows::signed(after), Type::INT8)],
            )
            .await?;
        let counted = rows
            .first(|row| number(row, 0))?
            .ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))?;
        let kept: Vec<Option<(u64, String)>> = rows.map(|row| {
            let seq: Option<i64> = row.get(1)?;
            let seq = seq.and_then(|seq| u64::try_from(seq).ok());
            Ok(match seq {
                Some(seq) => Some((seq, row.get(2)?)),
                None => None,
            })
        })?;
        let kept: Vec<(u64, String)> = kept.into_iter().flatten().collect();
        whole::events(run_id, after, counted, &kept)
            .map_err(|cause| StoreFailure::Io { attempted, cause })
    }

    async fn take_lease(
        &self,
        run_id: &RunId,
        holder: &str,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let expires_at = Timestamp(now.0.saturating_add(lease_ms));
        let taken = self
            .query(
                &format!("take run {run_id}"),
                LEASE,
                &[
                    (&run_id.as_str(), Type::TEXT),
                    (&holder, Type::TEXT),
                    (&at(now), Type::TIMESTAMPTZ),
                    (&at(expires_at), Type::TIMESTAMPTZ),
                ],
            )
            .await?
            .first(|row| number(row, 0))?;
        if let Some(token) = taken {
            return Ok(Lease {
                run_id: run_id.clone(),
                holder: holder.to_owned(),
                token,
                expires_at,
            });
        }
        Err(self.taken(run_id).await?)
    }

    async fn keep_lease(
        &self,
        lease: &Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> Result<Lease, StoreFailure> {
        let expires_at = Timestamp(now.0.saturating_add(lease_ms));
        let held = self
            .query(
                &format!("renew the lease of run {}", lease.run_id),
                RENEW,
                &[
                    (&lease.run_id.as_str(), Type::TEXT),
                    (&lease.holder, Type::TEXT),
                    (&rows::signed(lease.token), Type::INT8),
                    (&at(expires_at), Type::TIMESTAMPTZ),
                ],
            )
            .await?
            .first(|row| Ok(Timestamp(row.get(0)?)))?;
        let expires_at = held.ok_or_else(|| StoreFailure::LeaseLost(lease.run_id.clone()))?;
        Ok(Lease { expires_at, ..lease.clone() })
    }

    /// That somebody else holds the lease.
    async fn taken(&self, run_id: &RunId) -> Result<StoreFailure, StoreFailure> {
        let (holder, _, expires_at) = self.holding(run_id).await?;
        Ok(StoreFailure::Leased {
            run_id: run_id.clone(),
            holder: holder.unwrap_or_else(|| "another process".to_owned()),
            expires_at_ms: expires_at.0,
        })
    }

    async fn give_back(&self, lease: &Lease) -> Result<(), StoreFailure> {
        self.query(
            &format!("release run {}", lease.run_id),
            RELEASE,
            &[
                (&lease.run_id.as_str(), Type::TEXT),
                (&lease.holder, Type::TEXT),
                (&rows::signed(lease.token), Type::INT8),
            ],
        )
        .await
        .map(drop)
    }

    async fn list(&self) -> Result<Vec<RunSummary>, StoreFailure> {
        let sql = format!("{SUMMARY} ORDER BY started_at DESC, run_id COLLATE \"C\"");
        self.query("list the runs", &sql, &[]).await?.map(rows::summary)
    }

    async fn list_page(&self, query: &RunQuery) -> Result<RunPage, StoreFailure> {
        if !query.words.is_empty() {
            // How the server folds the case of letters depends on its locale.
            return Ok(query.page(self.list().await?));
        }
        let attempted = "list the runs";
        let except: Vec<&str> = query.except.iter().map(RunId::as_str).collect();
        let now = at(query.now);
        let meant: [Parameter<'_>; 3] =
            [(&query.status, Type::TEXT), (&now, Type::TIMESTAMPTZ), (&except, Type::TEXT_ARRAY)];
        let counting = format!("SELECT count(*) FROM runs WHERE {MEANT}");
        let total = self
            .query(attempted, &counting, &meant)
            .await?
            .first(|row| number(row, 0))?
            .unwrap_or(0);
        let from = query.after.as_ref().map(|(started, _)| at(*started));
        let id = query.after.as_ref().map(|(_, id)| id.as_str());
        let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
        let skip = i64::try_from(query.skip).unwrap_or(i64::MAX);
        let sql = format!(
            "{SUMMARY} WHERE {MEANT}
             AND ($4::timestamptz IS NULL OR started_at < $4
                  OR (started_at = $4 AND run_id COLLATE \"C\" > $5))
             ORDER BY started_at DESC, run_id COLLATE \"C\" LIMIT $6 OFFSET $7"
        );
        let [status, now, except] = meant;
        let parameters: [Parameter<'_>; 7] = [
            status,
            now,
            except,
            (&from, Type::TIMESTAMPTZ),
            (&id, Type::TEXT),
            (&limit, Type::INT8),
            (&skip, Type::INT8),
        ];
        let runs = self
            .query(attempted, &sql, &parameters)
            .await?
            .map(|row| Ok(rows::summary(row)?.at(query.now)))?;
        Ok(RunPage { runs, total })
    }

    async fn one(&self, run_id: &RunId) -> Result<RunSummary, StoreFailure> {
        let sql = format!("{SUMMARY} WHERE run_id = $1");
        self.query(&format!("look at run {run_id}"), &sql, &[(&run_id.as_str(), Type::TEXT)])
            .await?
            .first(rows::summary)?
            .ok_or_else(|| StoreFailure::UnknownRun(run_id.clone()))
    }

    async fn claim_request(
        &self,
        key: &str,
        claim: &Claim,
        instead_of: Option<&RunId>,
        now: Timestamp,
    ) -> Result<Claim, StoreFailure> {
        let attempted = "note the key of a request";
        let oldest = at(Timestamp(now.0.saturating_sub(KEYS_KEPT_MS)));
        self.query(attempted, FORGET, &[(&oldest, Type::TIMESTAMPTZ)]).await?;
        let noted = |row: &Row<'_>| Ok(Claim { request: row.get(0)?, run_id: RunId(row.get(1)?) });
        // What another noted may be forgotten before it is read.
        for _ in 0..3 {
            let parameters: [Parameter<'_>; 5] = [
                (&key, Type::TEXT),
                (&claim.request, Type::TEXT),
                (&claim.run_id.as_str(), Type::TEXT),
                (&at(now), Type::TIMESTAMPTZ),
                (&instead_of.map(RunId::as_str), Type::TEXT),
            ];
            let rows = self.query(attempted, CLAIM_KEY, &parameters).await?;
            if let Some(own) = rows.first(noted)? {
                return Ok(own);
            }
            let rows = self.query(attempted, NOTED, &[(&key, Type::TEXT)]).await?;
            if let Some(other) = rows.first(noted)? {
                return Ok(other);
            }
        }
        Err(StoreFailure::Io {
            attempted: attempted.to_owned(),
            cause: "others kept changing it; send the request again".to_owned(),
        })
    }

    async fn delete_run(&self, run_id: &RunId, now: Timestamp) -> Result<(), StoreFailure> {
        let gone = self
            .query(
                &format!("delete run {run_id}"),
                DELETE,
                &[(&run_id.as_str(), Type::TEXT), (&at(now), Type::TIMESTAMPTZ)],
            )
            .await?;
        if gone.is_empty() { Err(self.taken(run_id).await?) } else { Ok(()) }
    }
}

impl Store for PgStore {
    fn create<'a>(
        &'a self,
        run_id: &'a RunId,
        question: &'a str,
        first: &'a SealedRecord,
        events: &'a [Envelope],
        holder: &'a str,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.create_run(run_id, question, first, events, holder, lease_ms))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        record: &'a SealedRecord,
        events: &'a [Envelope],
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.append_record(lease, record, events))
    }

    fn journal<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<JournalRecord>, StoreFailure>> {
        Box::pin(self.read_journal(run_id))
    }

    fn tip<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<JournalTip, StoreFailure>> {
        Box::pin(self.end(run_id))
    }

    fn events<'a>(
        &'a self,
        run_id: &'a RunId,
        after: u64,
    ) -> PortFuture<'a, Result<Vec<Envelope>, StoreFailure>> {
        Box::pin(self.read_events(run_id, after))
    }

    fn news<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        Some(Box::pin(self.news.of(run_id.as_str())))
    }

    fn lease<'a>(
        &'a self,
        run_id: &'a RunId,
        holder: &'a str,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.take_lease(run_id, holder, now, lease_ms))
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        now: Timestamp,
        lease_ms: i64,
    ) -> PortFuture<'a, Result<Lease, StoreFailure>> {
        Box::pin(self.keep_lease(lease, now, lease_ms))
    }

    fn leave_control<'a>(
        &'a self,
        run_id: &'a RunId,
        json: &'a str,
        by: &'a str,
        now: Timestamp,
    ) -> PortFuture<'a, Result<u64, StoreFailure>> {
        Box::pin(self.leave_for(run_id, json, by, now))
    }

    fn left_controls<'a>(
        &'a self,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<Vec<LeftControl>, StoreFailure>> {
        Box::pin(self.left_for(run_id))
    }

    fn called<'a>(&'a self, run_id: &'a RunId) -> Option<PortFuture<'a, ()>> {
        Some(Box::pin(self.news.of(&left::call(run_id))))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.give_back(lease))
    }

    fn leave_to_others<'a>(&'a self, lease: &'a Lease) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.leave(lease))
    }

    fn runs(&self) -> PortFuture<'_, Result<Vec<RunSummary>, StoreFailure>> {
        Box::pin(self.list())
    }

    fn page<'a>(&'a self, query: &'a RunQuery) -> PortFuture<'a, Result<RunPage, StoreFailure>> {
        Box::pin(self.list_page(query))
    }

    fn cited(&self, runs: usize) -> PortFuture<'_, Result<Vec<CitedSource>, StoreFailure>> {
        Box::pin(self.read_cited(runs))
    }

    fn run<'a>(&'a self, run_id: &'a RunId) -> PortFuture<'a, Result<RunSummary, StoreFailure>> {
        Box::pin(self.one(run_id))
    }

    fn claim_key<'a>(
        &'a self,
        key: &'a str,
        claim: &'a Claim,
        instead_of: Option<&'a RunId>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Claim, StoreFailure>> {
        Box::pin(self.claim_request(key, claim, instead_of, now))
    }

    fn free_key<'a>(
        &'a self,
        key: &'a str,
        run_id: &'a RunId,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(async move {
            let attempted = "forget the key of a request";
            let parameters: [Parameter<'_>; 2] =
                [(&key, Type::TEXT), (&run_id.as_str(), Type::TEXT)];
            self.query(attempted, FREE_KEY, &parameters).await.map(drop)
        })
    }

    fn remark<'a>(&'a self, remark: &'a Remark) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.keep_remark(remark))
    }

    fn remarks<'a>(
        &'a self,
        run_id: Option<&'a RunId>,
    ) -> PortFuture<'a, Result<Vec<Remark>, StoreFailure>> {
        Box::pin(self.read_remarks(run_id))
    }

    fn delete<'a>(
        &'a self,
        run_id: &'a RunId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(), StoreFailure>> {
        Box::pin(self.delete_run(run_id, now))
    }
}
