//! What people say of runs, kept beside them on the server.

use super::rows::{Given, at};
use super::{Parameter, PgStore};
use crate::sql::{Result as Read, Row};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{Matter, Remark, StoreFailure};
use rusqlite::types::Value;
use tokio_postgres::types::Type;

/// Nothing is kept of a run that is not there.
const KEEP: &str = "
INSERT INTO feedback (run_id, about, target, actor, said, note, basis, at)
SELECT run_id, $2, $3, $4, $5, $6, $7, $8 FROM runs WHERE run_id = $1
ON CONFLICT (run_id, about, target, actor) DO UPDATE
SET said = excluded.said, note = excluded.note, basis = excluded.basis, at = excluded.at
RETURNING run_id";

const ALL: &str = "
SELECT run_id, about, target, actor, said, note, basis, at FROM feedback
WHERE $1::text IS NULL OR run_id = $1
ORDER BY at, run_id COLLATE \"C\", about COLLATE \"C\", target COLLATE \"C\", actor COLLATE \"C\"";

fn given(text: Option<&str>) -> Given {
    text.map_or(Given(Value::Null), Given::text)
}

/// A remark; `None` where it is about something that only a newer version knows.
fn remark(row: &Row<'_>) -> Read<Option<Remark>> {
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

impl PgStore {
    pub(super) async fn keep_remark(&self, remark: &Remark) -> Result<(), StoreFailure> {
        let run_id = remark.run_id.as_str();
        let (target, actor) = (Given::text(&remark.target), Given::text(&remark.actor));
        let (said, note) = (given(remark.said.as_deref()), given(remark.note.as_deref()));
        let (basis, time) = (given(remark.basis.as_deref()), at(remark.at));
        let parameters: [Parameter<'_>; 8] = [
            (&run_id, Type::TEXT),
            (&remark.about.name(), Type::TEXT),
            (&target, Type::TEXT),
            (&actor, Type::TEXT),
            (&said, Type::TEXT),
            (&note, Type::TEXT),
            (&basis, Type::TEXT),
            (&time, Type::TIMESTAMPTZ),
        ];
        let kept =
            self.query(&format!("keep what is said of run {run_id}"), KEEP, &parameters).await?;
        if kept.is_empty() {
            return Err(StoreFailure::UnknownRun(remark.run_id.clone()));
        }
        Ok(())
    }

    pub(super) async fn read_remarks(
        &self,
        run_id: Option<&RunId>,
    ) -> Result<Vec<Remark>, StoreFailure> {
        let run_id = run_id.map(RunId::as_str);
        let parameters: [Parameter<'_>; 1] = [(&run_id, Type::TEXT)];
        let rows = self.query("read what was said of runs", ALL, &parameters).await?;
        Ok(rows.map(remark)?.into_iter().flatten().collect())
    }
}
