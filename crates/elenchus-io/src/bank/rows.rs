//! Rows of the bank, to and from what core knows.

use super::Fault;
use crate::sql::{self, Db, OptionalExtension, Row};
use elenchus_core::bank::{Caller, Draft, Scope, Signal, Standing, Strategy};
use elenchus_core::id::{SearchId, StrategyId, Timestamp};
use rusqlite::params;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A strategy with whose it is.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) n: i64,
    pub(super) project: String,
    pub(super) team: Option<String>,
    pub(super) org: Option<String>,
    pub(super) strategy: Strategy,
    /// Sessions that were shown it and are in no signal, because that day was full.
    pub(super) unlogged: u64,
    pub(super) text_change: i64,
}

/// The columns that [`kept`] reads.
pub(super) const KEPT: &str = "n, project, team, org, id, title, description, content, outcome, tags, scope, origin, \
     source_session, lineage, from_web, standing, actor, created_at, edited_at, unlogged, text_change";

/// What a caller may see: all of its own project, and of others what was shared with its team or organisation.
/// Parameters 1 to 4 are tenant, project, team and organisation.
pub(super) const SEEN: &str = "tenant = ?1 AND (project = ?2 OR (scope = 'team' AND team = ?3) OR (scope = 'org' AND org = ?4))";

/// Whom a strategy is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Readers {
    project: String,
    scope: Scope,
    team: Option<String>,
    org: Option<String>,
}

impl Readers {
    /// Whether the caller is one of them: the same rule as [`SEEN`], for a caller of the tenant.
    pub(super) fn hold(&self, caller: &Caller) -> bool {
        let shared = |own: &Option<String>, theirs: &Option<String>| own.is_some() && own == theirs;
        self.project == caller.project
            || match self.scope {
                Scope::Project => false,
                Scope::Team => shared(&self.team, &caller.team),
                Scope::Org => shared(&self.org, &caller.org),
            }
    }
}

impl Kept {
    pub(super) fn readers(&self) -> Readers {
        Readers {
            project: self.project.clone(),
            scope: self.strategy.draft.scope,
            team: self.team.clone(),
            org: self.org.clone(),
        }
    }
}

/// A word of an enumeration, as it stands in a column.
pub(super) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

pub(super) fn of_word<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> sql::Result<T> {
    let text: String = row.get(at)?;
    serde_json::from_value(serde_json::Value::String(text)).map_err(|error| unreadable(at, &error))
}

pub(super) fn json<T: Serialize>(value: &T) -> sql::Result<String> {
    serde_json::to_string(value).map_err(sql::Error::other)
}

pub(super) fn of_json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> sql::Result<T> {
    serde_json::from_str(row.text(at)?).map_err(|error| unreadable(at, &error))
}

fn unreadable(at: usize, error: &serde_json::Error) -> sql::Error {
    sql::Error::Column { at, cause: error.to_string() }
}

pub(super) fn kept(row: &Row<'_>) -> sql::Result<Kept> {
    Ok(Kept {
        n: row.get(0)?,
        project: row.get(1)?,
        team: row.get(2)?,
        org: row.get(3)?,
        strategy: Strategy {
            id: StrategyId(row.get(4)?),
            draft: Draft {
                title: row.get(5)?,
                description: row.get(6)?,
                content: row.get(7)?,
                outcome: of_word(row, 8)?,
                tags: of_json(row, 9)?,
                scope: of_word(row, 10)?,
                origin: of_word(row, 11)?,
                source_session: row.get(12)?,
                lineage: of_json(row, 13)?,
                from_web: row.get(14)?,
            },
            standing: of_json(row, 15)?,
            actor: row.get(16)?,
            created_at: Timestamp(row.get(17)?),
            edited_at: Timestamp(row.get(18)?),
        },
        unlogged: u64::try_from(row.get::<_, i64>(19)?).unwrap_or(0),
        text_change: row.get(20)?,
    })
}

/// The strategy of an id, if the caller may see it.
pub(super) fn find(db: &Db<'_>, caller: &Caller, id: &StrategyId) -> Result<Kept, Fault> {
    let found = db
        .prepare_cached(&format!("SELECT {KEPT} FROM strategies WHERE {SEEN} AND id = ?5"))?
        .query_row(
            params![caller.tenant, caller.project, caller.team, caller.org, id.as_str()],
            kept,
        )
        .optional()?;
    found.ok_or_else(|| Fault::unknown(id))
}

/// The columns that [`signal`] reads.
pub(super) const SIGNAL: &str = "id, memory_id, project_id, type, positive, session_id, timestamp, search_id, comment, actor, \
     share, n";

pub(super) fn signal(row: &Row<'_>) -> sql::Result<Signal> {
    Ok(Signal {
        id: row.get(0)?,
        memory_id: StrategyId(row.get(1)?),
        project_id: row.get(2)?,
        kind: of_word(row, 3)?,
        positive: row.get(4)?,
        session_id: row.get(5)?,
        timestamp: Timestamp(row.get(6)?),
        search_id: row.get::<_, Option<String>>(7)?.map(SearchId),
        comment: row.get(8)?,
        actor: row.get(9)?,
        share: row.get(10)?,
    })
}

/// Adds a signal to the log.
pub(super) fn put_signal(db: &Db<'_>, tenant: &str, n: i64, signal: &Signal) -> sql::Result<()> {
    db.prepare_cached(
        "INSERT INTO signals (tenant, n, id, memory_id, project_id, type, positive, session_id, timestamp, search_id,
                              comment, actor, share)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
    )?
    .execute(params![
        tenant,
        n,
        signal.id,
        signal.memory_id.as_str(),
        signal.project_id,
        word(&signal.kind),
        signal.positive,
        signal.session_id,
        signal.timestamp.0,
        signal.search_id.as_ref().map(SearchId::as_str),
        signal.comment,
        signal.actor,
        signal.share
    ])
    .map(drop)
}

/// The next number of change of a tenant. Whoever keeps a view of the tenant sees by it what to read again.
pub(super) fn next_change(db: &Db<'_>, tenant: &str) -> sql::Result<i64> {
    db.prepare_cached(
        "INSERT INTO bank_changes (tenant, change, cleared) VALUES (?1, 1, 0)
         ON CONFLICT (tenant) DO UPDATE SET change = bank_changes.change + 1 RETURNING change",
    )?
    .query_row([tenant], |row| row.get(0))
}

/// Says that something was taken away, so that views start anew.
pub(super) fn cleared(db: &Db<'_>, tenant: &str) -> sql::Result<()> {
    next_change(db, tenant)?;
    db.prepare_cached("UPDATE bank_changes SET cleared = cleared + 1 WHERE tenant = ?1")?
        .execute([tenant])
        .map(drop)
}

/// Says that what is believed of a strategy has changed.
pub(super) fn touch(db: &Db<'_>, tenant: &str, n: i64) -> sql::Result<()> {
    let change = next_change(db, tenant)?;
    db.prepare_cached("UPDATE strategies SET change = ?2 WHERE n = ?1")?
        .execute(params![n, change])
        .map(drop)
}

/// A state of a strategy that can be gone back to.
#[derive(Clone, Debug, Serialize, serde::Deserialize)]
pub(super) struct Before {
    pub(super) draft: Draft,
    pub(super) standing: Standing,
    pub(super) edited_at: Timestamp,
}

/// Who changes a strategy, and when.
pub(super) struct Hand<'a> {
    pub(super) tenant: &'a str,
    pub(super) actor: &'a str,
    pub(super) now: Timestamp,
}

impl<'a> Hand<'a> {
    pub(super) fn of(caller: &'a Caller, now: Timestamp) -> Self {
        Self { tenant: &caller.tenant, actor: &caller.actor, now }
    }
}

/// Writes another state of a strategy, and keeps the one before.
pub(super) fn rewrite(
    db: &Db<'_>,
    by: &Hand<'_>,
    kept: &Kept,
    draft: &Draft,
    standing: &Standing,
    print: &str,
) -> sql::Result<()> {
    let Hand { tenant, actor, now } = *by;
    let before = Before {
        draft: kept.strategy.draft.clone(),
        standing: kept.strategy.standing.clone(),
        edited_at: kept.strategy.edited_at,
    };
    db.prepare_cached(
        "INSERT INTO strategy_edits (tenant, n, at, actor, before) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![tenant, kept.n, now.0, actor, json(&before)?])?;
    let change = next_change(db, tenant)?;
    db.prepare_cached(
        "UPDATE strategies SET title = ?2, description = ?3, content = ?4, tags = ?5, scope = ?6, standing = ?7,
                edited_at = ?8, print = ?9, change = ?10, text_change = ?10 WHERE n = ?1",
    )?
    .execute(params![
        kept.n,
        draft.title,
        draft.description,
        draft.content,
        json(&draft.tags)?,
        word(&draft.scope),
        json(standing)?,
        now.0,
        print,
        change
    ])
    .map(drop)
}
