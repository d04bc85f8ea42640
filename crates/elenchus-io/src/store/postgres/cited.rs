//! What the answers of runs cite.

use super::{Parameter, PgStore};
use crate::store::whole;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{CitedSource, StoreFailure};
use tokio_postgres::types::Type;

const CITED: &str = "
SELECT newest.run_id, newest.question, newest.exact, newest.started_at, one.value::text
FROM (SELECT run_id, question, exact, started_at FROM runs
      ORDER BY started_at DESC, run_id COLLATE \"C\" LIMIT $1) AS newest
JOIN LATERAL (SELECT json FROM trace_events
              WHERE trace_events.run_id = newest.run_id AND type = 'answer_completed'
              ORDER BY seq DESC LIMIT 1) AS told ON true
CROSS JOIN LATERAL json_array_elements(
    -- The server reads no part of a document that holds the escape of a NUL.
    CASE WHEN position('\\u0000' in told.json::text) = 0 THEN told.json #> '{data,answer,sources}' END)
    WITH ORDINALITY AS one (value, place)
ORDER BY newest.started_at DESC, newest.run_id COLLATE \"C\", one.place";

impl PgStore {
    pub(super) async fn read_cited(&self, runs: usize) -> Result<Vec<CitedSource>, StoreFailure> {
        let attempted = "list what was cited";
        let runs = i64::try_from(runs).unwrap_or(i64::MAX);
        let parameters: [Parameter<'_>; 1] = [(&runs, Type::INT8)];
        let rows = self.query(attempted, CITED, &parameters).await?;
        let rows: Vec<whole::Cited> = rows.map(|row| {
            let exact: Option<Vec<u8>> = row.get(2)?;
            let question = match exact.and_then(|bytes| String::from_utf8(bytes).ok()) {
                Some(exact) => exact,
                None => row.get(1)?,
            };
            Ok((RunId(row.get(0)?), question, Timestamp(row.get(3)?), row.get(4)?))
        })?;
        whole::cited(attempted, rows)
    }
}
