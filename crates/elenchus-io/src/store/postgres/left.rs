//! Controls that were left for whoever drives a run.

use super::rows::{Given, at, number};
use super::{Parameter, PgStore};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{DURABLE, LeftControl, StoreFailure};
use tokio_postgres::types::Type;

/// The lease is locked first, as by every other change of a run; then the run, so that one that ends meanwhile is seen to be over.
const LEAVE: &str = "
WITH held AS MATERIALIZED (
    SELECT run_id FROM leases
    WHERE run_id = $1 AND holder IS NOT NULL AND NOT starts_with(holder, $5) AND expires_at > $4
    FOR UPDATE
), alive AS MATERIALIZED (
    SELECT runs.run_id FROM runs JOIN held ON held.run_id = runs.run_id
    WHERE runs.stop_reason IS NULL FOR UPDATE OF runs
), kept AS (
    INSERT INTO controls (run_id, json, left_by, left_at) SELECT run_id, $2, $3, $4 FROM alive
    RETURNING run_id, number
)
SELECT kept.number FROM kept, pg_notify('elenchus_runs', kept.run_id || '/control')";

const LEFT: &str = "
SELECT number, json, left_by, left_at FROM controls
WHERE run_id = $1 AND taken_at IS NULL ORDER BY number";

/// What the server says when a control was left for a run, among the ids of runs that were written to.
pub(super) fn call(run_id: &RunId) -> String {
    format!("{run_id}/control")
}

impl PgStore {
    pub(super) async fn leave_for(
        &self,
        run_id: &RunId,
        json: &str,
        by: &str,
        now: Timestamp,
    ) -> Result<u64, StoreFailure> {
        let parameters: [Parameter<'_>; 5] = [
            (&run_id.as_str(), Type::TEXT),
            (&Given::text(json), Type::TEXT),
            (&by, Type::TEXT),
            (&at(now), Type::TIMESTAMPTZ),
            (&DURABLE, Type::TEXT),
        ];
        let left = self
            .query(&format!("leave a control for run {run_id}"), LEAVE, &parameters)
            .await?
            .first(|row| number(row, 0))?;
        match left {
            Some(number) => Ok(number),
            None => {
                // Why it was refused, is asked only now.
                self.holding(run_id).await?;
                Err(StoreFailure::NotDriven(run_id.clone()))
            }
        }
    }

    pub(super) async fn left_for(&self, run_id: &RunId) -> Result<Vec<LeftControl>, StoreFailure> {
        self.query(
            &format!("read what was left for run {run_id}"),
            LEFT,
            &[(&run_id.as_str(), Type::TEXT)],
        )
        .await?
        .map(|row| {
            Ok(LeftControl {
                number: number(row, 0)?,
                json: row.get(1)?,
                by: row.get(2)?,
                at: Timestamp(row.get(3)?),
            })
        })
    }
}
