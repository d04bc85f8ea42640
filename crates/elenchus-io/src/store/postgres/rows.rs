//! Rows of runs on the server, to and from what core knows.

pub(super) use crate::sql::postgres::Given;
use crate::sql::{Result, Row, postgres};
use crate::store::{status, whole};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{RunSummary, StoreFailure};
use elenchus_core::trace::Envelope;
use rusqlite::types::Value;

impl Given {
    pub(super) fn text(text: &str) -> Self {
        Self(Value::Text(text.to_owned()))
    }
}

/// A time as a parameter.
pub(super) fn at(time: Timestamp) -> Given {
    Given(Value::Integer(time.0))
}

pub(super) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn number(row: &Row<'_>, at: usize) -> Result<u64> {
    row.get::<_, i64>(at).map(|value| u64::try_from(value).unwrap_or(0))
}

/// A row of the columns of a summary.
pub(super) fn summary(row: &Row<'_>) -> Result<RunSummary> {
    let stop_reason: Option<String> = row.get(4)?;
    let held_until: Option<i64> = row.get(7)?;
    let exact: Option<Vec<u8>> = row.get(8)?;
    Ok(RunSummary {
        run_id: RunId(row.get(0)?),
        question: match exact.and_then(|bytes| String::from_utf8(bytes).ok()) {
            Some(exact) => exact,
            None => row.get(1)?,
        },
        started_at: Timestamp(row.get(2)?),
        updated_at: Timestamp(row.get(3)?),
        status: status(stop_reason.as_deref(), held_until.is_some()).to_owned(),
        stop_reason,
        records: number(row, 5)?,
        events: number(row, 6)?,
        held_until: held_until.map(Timestamp),
        put_back: row.get(9)?,
    })
}

/// What a statement gave.
pub(super) struct Rows {
    attempted: String,
    rows: Vec<tokio_postgres::Row>,
}

impl Rows {
    pub(super) fn new(attempted: &str, rows: Vec<tokio_postgres::Row>) -> Self {
        Self { attempted: attempted.to_owned(), rows }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What `read` makes of every row.
    pub(super) fn map<T>(
        &self,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> std::result::Result<Vec<T>, StoreFailure> {
        self.rows
            .iter()
            .map(|row| postgres::values(row).and_then(|row| read(&Row::Postgres(&row))))
            .collect::<Result<_>>()
            .map_err(|error| self.unread(&error))
    }

    /// What `read` makes of the first row, if there is one.
    pub(super) fn first<T>(
        &self,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> std::result::Result<Option<T>, StoreFailure> {
        let Some(row) = self.rows.first() else { return Ok(None) };
        postgres::values(row)
            .and_then(|row| read(&Row::Postgres(&row)))
            .map(Some)
            .map_err(|error| self.unread(&error))
    }

    fn unread(&self, error: &crate::sql::Error) -> StoreFailure {
        StoreFailure::Io {
            attempted: self.attempted.clone(),
            cause: format!("{error}; the database was changed by something else, restore a backup"),
        }
    }
}

/// Events as the columns of their rows.
pub(super) struct Told {
    pub(super) seqs: Vec<i64>,
    /// Unix milliseconds.
    pub(super) times: Vec<i64>,
    pub(super) types: Vec<String>,
    pub(super) jsons: Vec<String>,
}

pub(super) fn told(run_id: &RunId, events: &[Envelope]) -> std::result::Result<Told, StoreFailure> {
    let mut told = Told { seqs: vec![], times: vec![], types: vec![], jsons: vec![] };
    for event in events {
        let unsayable = |error: serde_json::Error| whole::unsayable(run_id, event, &error);
        let json = serde_json::to_string(event).map_err(unsayable)?;
        let typed: Typed = serde_json::from_str(&json).map_err(unsayable)?;
        told.seqs.push(signed(event.seq));
        told.times.push(event.at.0);
        told.types.push(typed.kind);
        told.jsons.push(json);
    }
    Ok(told)
}

#[derive(serde::Deserialize)]
struct Typed {
    #[serde(rename = "type")]
    kind: String,
}
