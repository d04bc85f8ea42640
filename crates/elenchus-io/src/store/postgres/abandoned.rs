//! Runs that nobody drives any more: taken up by workers, and put back with a reason by those that cannot go on with them.

use super::PgStore;
use super::rows::{Given, at, number};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{Lease, StoreFailure};
use tokio_postgres::types::Type;

/// Not what a Restate server keeps: it looks after its runs itself.
const CLAIM: &str = "
WITH free AS (
    SELECT leases.run_id FROM leases JOIN runs USING (run_id)
    WHERE runs.stop_reason IS NULL AND leases.holder IS NOT NULL AND leases.expires_at <= $2
      AND NOT starts_with(leases.holder, 'restate:')
      AND NOT EXISTS (SELECT FROM put_back WHERE put_back.run_id = leases.run_id
                      AND put_back.worker = $5 AND put_back.until > $2)
    ORDER BY runs.started_at, leases.run_id
    LIMIT $4 FOR UPDATE OF leases SKIP LOCKED
)
UPDATE leases SET holder = $1, expires_at = $3, token = token + 1
FROM free WHERE leases.run_id = free.run_id
RETURNING leases.run_id, token";

/// A lease that is held by nobody has its end at the beginning of time, and a holder: whoever gave it back on purpose has left none.
const LEAVE: &str = "
UPDATE leases SET holder = $2, expires_at = '-infinity'
WHERE run_id = $1 AND token = $3 AND (holder IS NULL OR holder = $2)";

/// Twice as long each time: half a minute first, a quarter of an hour at most.
const PUT_BACK: &str = "
WITH left_free AS (
    UPDATE leases SET holder = $2, expires_at = '-infinity'
    WHERE run_id = $1 AND token = $3 AND (holder IS NULL OR holder = $2)
    RETURNING run_id
)
INSERT INTO put_back (run_id, worker, reason, tries, at, until)
SELECT run_id, $4, $5, 1, $6, $6 + interval '30 seconds' FROM left_free
ON CONFLICT (run_id, worker) DO UPDATE SET
    reason = excluded.reason, tries = put_back.tries + 1, at = excluded.at,
    until = excluded.at + least(30 * 2 ^ least(put_back.tries, 10), 900) * interval '1 second'";

/// A row without a reason only counts.
const TAKEN_UP: &str = "
WITH others AS (DELETE FROM put_back WHERE run_id = $1 AND worker <> $2)
UPDATE put_back SET reason = '' WHERE run_id = $1 AND worker = $2";

impl PgStore {
    /// Takes up to `most` runs that are not over and whose driver went away without a word (its lease ran out), the oldest
    /// first. Several processes that ask at once get different ones. What `worker` has put back comes again after a while.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn claim(
        &self,
        holder: &str,
        worker: &str,
        now: Timestamp,
        lease_ms: i64,
        most: usize,
    ) -> Result<Vec<Lease>, StoreFailure> {
        let expires_at = Timestamp(now.0.saturating_add(lease_ms));
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = self
            .query(
                "look for runs that nobody drives",
                CLAIM,
                &[
                    (&holder, Type::TEXT),
                    (&at(now), Type::TIMESTAMPTZ),
                    (&at(expires_at), Type::TIMESTAMPTZ),
                    (&most, Type::INT8),
                    (&worker, Type::TEXT),
                ],
            )
            .await?;
        rows.map(|row| {
            Ok(Lease {
                run_id: RunId(row.get(0)?),
                holder: holder.to_owned(),
                token: number(row, 1)?,
                expires_at,
            })
        })
    }

    /// Leaves a run that was held, and perhaps given back since, to whoever claims next. Nothing happens where somebody
    /// else has taken it.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn leave(&self, lease: &Lease) -> Result<(), StoreFailure> {
        let attempted = format!("leave run {} to others", lease.run_id);
        self.query(&attempted, LEAVE, &Self::of(lease, &super::rows::signed(lease.token)))
            .await
            .map(drop)
    }

    /// The same, and says why this worker cannot go on with it: the worker is not given it again for a while.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn put_back(
        &self,
        lease: &Lease,
        worker: &str,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreFailure> {
        let token = super::rows::signed(lease.token);
        let (reason, now) = (Given::text(reason), at(now));
        let mut given = Self::of(lease, &token).to_vec();
        given.push((&worker, Type::TEXT));
        given.push((&reason, Type::TEXT));
        given.push((&now, Type::TIMESTAMPTZ));
        self.query(&format!("put run {} back", lease.run_id), PUT_BACK, &given).await.map(drop)
    }

    fn of<'a>(lease: &'a Lease, token: &'a i64) -> [super::Parameter<'a>; 3] {
        [(&lease.run_id.0, Type::TEXT), (&lease.holder, Type::TEXT), (token, Type::INT8)]
    }

    /// Forgets why workers put a run back: `worker` goes on with it. How often that one has put it back stays, so that a run that
    /// stops each time at the same place is tried, and paid for, ever less often.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn taken_up(&self, run_id: &RunId, worker: &str) -> Result<(), StoreFailure> {
        self.query(
            &format!("take run {run_id} up"),
            TAKEN_UP,
            &[(&run_id.as_str(), Type::TEXT), (&worker, Type::TEXT)],
        )
        .await
        .map(drop)
    }

    /// Keeps beside a run, which need not be there yet, what is needed to go on with it elsewhere; in the place of what was
    /// kept before.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn note(&self, run_id: &RunId, json: &str) -> Result<(), StoreFailure> {
        self.query(
            &format!("keep a note of run {run_id}"),
            "INSERT INTO run_notes (run_id, json) VALUES ($1, $2)
             ON CONFLICT (run_id) DO UPDATE SET json = excluded.json, made_at = now()",
            &[(&run_id.as_str(), Type::TEXT), (&Given::text(json), Type::TEXT)],
        )
        .await
        .map(drop)
    }

    /// What was kept so.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn noted(&self, run_id: &RunId) -> Result<Option<String>, StoreFailure> {
        self.query(
            &format!("read the note of run {run_id}"),
            "SELECT json FROM run_notes WHERE run_id = $1",
            &[(&run_id.as_str(), Type::TEXT)],
        )
        .await?
        .first(|row| row.get(0))
    }

    /// Forgets notes of runs that never came to be, a week after they were written.
    ///
    /// # Errors
    /// When the server cannot do it.
    pub async fn tidy_notes(&self) -> Result<(), StoreFailure> {
        self.query(
            "tidy the notes of runs up",
            "DELETE FROM run_notes WHERE made_at < now() - interval '7 days'
             AND NOT EXISTS (SELECT FROM runs WHERE runs.run_id = run_notes.run_id)",
            &[],
        )
        .await
        .map(drop)
    }
}
