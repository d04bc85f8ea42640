//! Rows of memos and relations.

use super::words;
use crate::sql::{self, Db, OptionalExtension, Row};
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::port::MemoFilter;
use rusqlite::params;
use serde::de::DeserializeOwned;

/// The columns of [`memo`].
pub(super) const MEMO: &str =
    "namespace, id, title, content, metadata, tags, created_at, updated_at";
/// The columns of [`relation`].
const RELATION: &str = "namespace, source, target, tag, weight, reason, created_at, times";
/// Rows of a tenant, of one namespace (`?2`) and those below it, or of all when it is empty.
pub(super) const SCOPE: &str = "tenant = ?1 AND (?2 = '' OR namespace = ?2 OR substr(namespace, 1, length(?2) + 1) = ?2 || '/')";

/// Rows within walls, whose parameters ([`Within`]) begin at `at`: the three roots, then who asks. An empty root holds nothing, as
/// no namespace begins with a slash.
pub(super) fn within(at: usize) -> String {
    let root = |n: usize| {
        format!("namespace = ?{n} OR substr(namespace, 1, length(?{n}) + 1) = ?{n} || '/'")
    };
    let (first, second, third, who) = (root(at), root(at + 1), root(at + 2), at + 3);
    format!(
        "(?{who} = {ALL} OR {first} OR {second} OR {third}
          OR (?{who} = {HOME} AND namespace NOT IN ('project', 'team', 'org')
              AND substr(namespace, 1, 8) <> 'project/' AND substr(namespace, 1, 5) <> 'team/'
              AND substr(namespace, 1, 4) <> 'org/'))"
    )
}

/// Nobody is kept out.
const ALL: i64 = 2;
/// Whoever asks reaches the namespaces that belong to nobody too.
const HOME: i64 = 1;

/// The parameters of [`within`].
pub(super) struct Within<'a> {
    pub(super) roots: [&'a str; 3],
    pub(super) who: i64,
}

impl<'a> Within<'a> {
    pub(super) fn of(filter: &'a MemoFilter) -> Self {
        match &filter.walls {
            None => Self { roots: [""; 3], who: ALL },
            Some(walls) => {
                Self { roots: walls.roots(), who: if walls.is_home() { HOME } else { 0 } }
            }
        }
    }
}

/// A vector as it is kept.
pub(super) struct Vector<'a> {
    pub(super) embedder: &'a str,
    pub(super) step: f32,
    pub(super) bytes: Vec<u8>,
}

fn json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> sql::Result<T> {
    serde_json::from_str(row.text(at)?)
        .map_err(|error| sql::Error::Column { at, cause: error.to_string() })
}

fn text(value: &impl serde::Serialize) -> sql::Result<String> {
    serde_json::to_string(value).map_err(sql::Error::other)
}

pub(super) fn memo(row: &Row<'_>) -> sql::Result<Memo> {
    Ok(Memo {
        namespace: row.get(0)?,
        id: MemoId(row.get(1)?),
        title: row.get(2)?,
        content: row.get(3)?,
        metadata: json(row, 4)?,
        tags: json(row, 5)?,
        created_at: Timestamp(row.get(6)?),
        updated_at: Timestamp(row.get(7)?),
    })
}

fn relation(row: &Row<'_>) -> sql::Result<Relation> {
    Ok(Relation {
        namespace: row.get(0)?,
        source: MemoId(row.get(1)?),
        target: MemoId(row.get(2)?),
        tag: row.get(3)?,
        weight: row.get(4)?,
        reason: row.get(5)?,
        created_at: Timestamp(row.get(6)?),
        times: row.get(7)?,
    })
}

/// How many words a memo has, for the length norm.
fn length(memo: &Memo) -> i64 {
    let all = memo.title.split_whitespace().count() + memo.content.split_whitespace().count();
    i64::try_from(all).unwrap_or(i64::MAX)
}

pub(super) fn put(
    change: &Db<'_>,
    tenant: &str,
    memo: &Memo,
    vector: &Vector<'_>,
) -> sql::Result<()> {
    let n: i64 = change
        .prepare_cached(
            "INSERT INTO memos (tenant, namespace, id, title, content, metadata, tags, created_at, updated_at, words,
                                embedder, step, vector)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (tenant, namespace, id) DO UPDATE SET
                 title = excluded.title, content = excluded.content, metadata = excluded.metadata,
                 tags = excluded.tags, updated_at = excluded.updated_at, words = excluded.words,
                 embedder = excluded.embedder, step = excluded.step, vector = excluded.vector
             RETURNING n",
        )?
        .query_row(
            params![
                tenant,
                memo.namespace,
                memo.id.as_str(),
                memo.title,
                memo.content,
                text(&memo.metadata)?,
                text(&memo.tags)?,
                memo.created_at.0,
                memo.updated_at.0,
                length(memo),
                vector.embedder,
                f64::from(vector.step),
                vector.bytes
            ],
            |row| row.get(0),
        )?;
    words::put(change, n, memo)
}

pub(super) fn tenants(db: &Db<'_>) -> sql::Result<Vec<String>> {
    db.prepare_cached("SELECT DISTINCT tenant FROM memos ORDER BY tenant")?
        .query_map((), |row| row.get(0))?
        .collect()
}

pub(super) fn get(
    db: &Db<'_>,
    tenant: &str,
    namespace: &str,
    id: &MemoId,
) -> sql::Result<Option<Memo>> {
    db.prepare_cached(&format!(
        "SELECT {MEMO} FROM memos WHERE tenant = ?1 AND namespace = ?2 AND id = ?3"
    ))?
    .query_row([tenant, namespace, id.as_str()], memo)
    .optional()
}

/// Whether there was one.
pub(super) fn delete(
    change: &Db<'_>,
    tenant: &str,
    namespace: &str,
    id: &MemoId,
) -> sql::Result<bool> {
    let n: Option<i64> = change
        .prepare_cached(
            "DELETE FROM memos WHERE tenant = ?1 AND namespace = ?2 AND id = ?3 RETURNING n",
        )?
        .query_row([tenant, namespace, id.as_str()], |row| row.get(0))
        .optional()?;
    if let Some(n) = n {
        words::remove(change, n)?;
    }
    Ok(n.is_some())
}

pub(super) fn list(db: &Db<'_>, tenant: &str, filter: &MemoFilter) -> sql::Result<Vec<Memo>> {
    let Within { roots: [first, second, third], who } = Within::of(filter);
    db.prepare_cached(&format!(
        "SELECT {MEMO} FROM memos
         WHERE {SCOPE} AND ({} OR ?3 IS NULL) AND {}
         ORDER BY updated_at DESC, n DESC LIMIT ?4",
        db.holds("tags", "?3"),
        within(5)
    ))?
    .query_map(
        params![tenant, filter.namespace, filter.tag, most(filter), first, second, third, who],
        memo,
    )?
    .collect()
}

/// The bound of rows.
fn most(filter: &MemoFilter) -> i64 {
    match filter.limit {
        0 => i64::MAX,
        limit => i64::try_from(limit).unwrap_or(i64::MAX),
    }
}

pub(super) fn relate(change: &Db<'_>, tenant: &str, relation: &Relation) -> sql::Result<()> {
    change
        .prepare_cached(
            "INSERT INTO relations (tenant, namespace, source, target, tag, weight, reason, times, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8)
             ON CONFLICT (tenant, namespace, source, target, tag) DO UPDATE SET
                 weight = excluded.weight, reason = coalesce(excluded.reason, relations.reason),
                 times = CASE WHEN relations.times < 1000000 THEN relations.times + 1 ELSE 1000000 END",
        )?
        .execute(params![
            tenant,
            relation.namespace,
            relation.source.as_str(),
            relation.target.as_str(),
            relation.tag,
            relation.weight,
            relation.reason,
            relation.created_at.0
        ])
        .map(drop)
}

pub(super) fn unrelate(change: &Db<'_>, tenant: &str, relation: &Relation) -> sql::Result<()> {
    change
        .prepare_cached(
            "DELETE FROM relations
             WHERE tenant = ?1 AND namespace = ?2 AND source = ?3 AND target = ?4 AND tag = ?5",
        )?
        .execute(params![
            tenant,
            relation.namespace,
            relation.source.as_str(),
            relation.target.as_str(),
            relation.tag
        ])
        .map(drop)
}

pub(super) fn relations(
    db: &Db<'_>,
    tenant: &str,
    filter: &MemoFilter,
) -> sql::Result<Vec<Relation>> {
    let Within { roots: [first, second, third], who } = Within::of(filter);
    db.prepare_cached(&format!(
        "SELECT {RELATION} FROM relations
         WHERE {SCOPE} AND (tag = ?3 OR ?3 IS NULL) AND {}
         ORDER BY created_at DESC, namespace, source, target, tag LIMIT ?4",
        within(5)
    ))?
    .query_map(
        params![tenant, filter.namespace, filter.tag, most(filter), first, second, third, who],
        relation,
    )?
    .collect()
}

/// The relations that a memo is an end of.
pub(super) fn touching(
    db: &Db<'_>,
    tenant: &str,
    namespace: &str,
    id: &MemoId,
) -> sql::Result<Vec<Relation>> {
    let mut found = Vec::new();
    for end in ["source", "target"] {
        let rows: sql::Result<Vec<Relation>> = db
            .prepare_cached(&format!(
                "SELECT {RELATION} FROM relations
                 WHERE tenant = ?1 AND namespace = ?2 AND {end} = ?3"
            ))?
            .query_map([tenant, namespace, id.as_str()], relation)?
            .collect();
        found.extend(rows?);
    }
    Ok(found)
}
