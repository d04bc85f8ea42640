//! Moving house: everything that one store holds into another, a file or a server, and the proof that it arrived.

use crate::sql::{Database, Db, Error, File, Halted, Result, Row};
use crate::store::{SqliteOptions, open_file};
use crate::web::moving::{self as pages_of, Arrivals};
use elenchus_core::id::Timestamp;
use elenchus_core::port::StoreFailure;
use rusqlite::ToSql;
use rusqlite::types::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Rows that are read at once.
const PAGE: i64 = 500;

/// A store that is copied from or to.
#[derive(Clone, Debug)]
pub enum House {
    /// A SQLite file, and beside it the file of the pages of the web that its runs have read, where they have read any.
    File {
        /// The file of the store.
        store: PathBuf,
        /// That of the pages.
        pages: PathBuf,
    },
    /// The URL of a PostgreSQL server, where the pages lie in the store.
    #[cfg(feature = "postgres")]
    Server(String),
}

/// What was copied of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its name.
    pub relation: &'static str,
    /// Its rows.
    pub rows: usize,
    /// SHA-256, in hex, over what its rows say, whatever their order: the same on both sides.
    pub digest: String,
}

/// A relation that both databases have.
struct Relation {
    name: &'static str,
    columns: &'static [&'static str],
    /// Columns of JSON, which one side may write in other words.
    json: &'static [&'static str],
    /// Columns that tell its rows apart.
    key: &'static str,
    /// The column that the server counts by itself.
    counted: Option<&'static str>,
}

const fn relation(
    name: &'static str,
    columns: &'static [&'static str],
    json: &'static [&'static str],
    key: &'static str,
    counted: Option<&'static str>,
) -> Relation {
    Relation { name, columns, json, key, counted }
}

/// In an order in which what is referred to comes first. The leases follow the runs by themselves, held by nobody.
const RELATIONS: &[Relation] = &[
    // A request that is sent again after the move begins no second run.
    relation("request_keys", &["key", "request", "run_id", "at"], &[], "key", None),
    relation("journal", &["run_id", "seq", "at", "json", "hash"], &[], "run_id, seq", None),
    relation("trace_events", &["run_id", "seq", "at", "type", "json"], &[], "run_id, seq", None),
    relation(
        "controls",
        &["run_id", "number", "json", "left_by", "left_at", "taken_at"],
        &[],
        "run_id, number",
        Some("number"),
    ),
    relation(
        "feedback",
        &["run_id", "about", "target", "actor", "said", "note", "basis", "at"],
        &[],
        "run_id, about, target, actor",
        None,
    ),
    relation(
        "strategies",
        &[
            "n",
            "tenant",
            "id",
            "project",
            "team",
            "org",
            "title",
            "description",
            "content",
            "outcome",
            "tags",
            "scope",
            "origin",
            "source_session",
            "lineage",
            "from_web",
            "standing",
            "actor",
            "created_at",
            "edited_at",
            "print",
            "unlogged",
            "change",
            "text_change",
        ],
        &["tags", "lineage", "standing"],
        "n",
        Some("n"),
    ),
    relation("strategy_index", &["n", "recipe", "terms", "vectors"], &[], "n", None),
    relation(
        "strategy_edits",
        &["seq", "tenant", "n", "at", "actor", "before"],
        &["before"],
        "seq",
        Some("seq"),
    ),
    relation(
        "signals",
        &[
            "seq",
            "tenant",
            "n",
            "id",
            "memory_id",
            "project_id",
            "type",
            "positive",
            "session_id",
            "timestamp",
            "search_id",
            "comment",
            "actor",
            "share",
            "rolled",
            "voided_at",
        ],
        &[],
        "seq",
        Some("seq"),
    ),
    relation(
        "signal_aggregates",
        &[
            "tenant",
            "n",
            "memory_id",
            "project_id",
            "explicit_pos",
            "explicit_neg",
            "usage_pos",
            "usage_neg",
            "outcome_pos",
            "outcome_neg",
            "last_rollup",
            "sums",
        ],
        &["sums"],
        "n, project_id",
        None,
    ),
    relation(
        "project_weights",
        &[
            "tenant",
            "project_id",
            "explicit_alpha",
            "explicit_beta",
            "usage_alpha",
            "usage_beta",
            "outcome_alpha",
            "outcome_beta",
            "learned",
        ],
        &["learned"],
        "tenant, project_id",
        None,
    ),
    relation(
        "weights_before",
        &["seq", "tenant", "project_id", "at", "before"],
        &["before"],
        "seq",
        Some("seq"),
    ),
    relation(
        "class_priors",
        &["tenant", "project_id", "class", "prior"],
        &["prior"],
        "tenant, project_id, class",
        None,
    ),
    relation("bank_changes", &["tenant", "change", "cleared"], &[], "tenant", None),
    relation(
        "distillation_queue",
        &[
            "id",
            "tenant",
            "project",
            "session_id",
            "caller",
            "outcome",
            "trace",
            "from_web",
            "shown",
            "state",
            "attempts",
            "holder",
            "until",
            "queued_at",
            "cause",
            "reply",
        ],
        &["caller", "shown"],
        "id",
        Some("id"),
    ),
    relation(
        "memos",
        &[
            "n",
            "tenant",
            "namespace",
            "id",
            "title",
            "content",
            "metadata",
            "tags",
            "created_at",
            "updated_at",
            "words",
            "embedder",
            "step",
            "vector",
        ],
        &["metadata", "tags"],
        "n",
        Some("n"),
    ),
    relation(
        "relations",
        &[
            "tenant",
            "namespace",
            "source",
            "target",
            "tag",
            "weight",
            "reason",
            "times",
            "created_at",
        ],
        &[],
        "tenant, namespace, source, target, tag",
        None,
    ),
];

/// The columns of runs that both have. The server keeps the hash of the last record beside them.
const RUNS: &[&str] =
    &["run_id", "question", "started_at", "updated_at", "stop_reason", "records", "events"];

/// Copies all that a store holds into an empty one, in one transaction there, and compares the digests of every relation
/// before that is committed. Both are brought to the schema of this version first.
///
/// Pages of the web come to those that are kept there already. In a file of their own they are committed first, so that no run
/// is without those that it cites; what is there from a copy that did not come to its end is not copied again.
///
/// # Errors
/// When one of them cannot be used, the second holds something already, somebody drives a run, or what arrived differs;
/// the second store is as it was then.
pub async fn copy(
    from: House,
    to: House,
    now: Timestamp,
) -> std::result::Result<Vec<Copied>, StoreFailure> {
    #[cfg(feature = "postgres")]
    {
        use crate::sql::Server;
        let server = async |url: &str| {
            Server::open(url, "the store")
                .await
                .map_err(|(attempted, cause)| StoreFailure::Io { attempted, cause })
        };
        let aside = tokio::runtime::Handle::current();
        match (from, to) {
            (House::File { store, pages }, House::File { store: to, pages: beside }) => {
                let pages = Pages { from: Some(pages), to: Some(beside) };
                move_between(&file(store)?, &file(to)?, &pages, now)
            }
            (House::Server(from), House::File { store, pages }) => {
                let pages = Pages { from: None, to: Some(pages) };
                let (from, to) = (server(&from).await?, file(store)?);
                joined(aside.spawn_blocking(move || move_between(&from, &to, &pages, now)).await)
            }
            (House::File { store, pages }, House::Server(to)) => {
                let pages = Pages { from: Some(pages), to: None };
                let (from, to) = (file(store)?, server(&to).await?);
                joined(aside.spawn_blocking(move || move_between(&from, &to, &pages, now)).await)
            }
            (House::Server(from), House::Server(to)) => {
                let pages = Pages::default();
                let (from, to) = (server(&from).await?, server(&to).await?);
                joined(aside.spawn_blocking(move || move_between(&from, &to, &pages, now)).await)
            }
        }
    }
    #[cfg(not(feature = "postgres"))]
    {
        let House::File { store, pages } = from;
        let House::File { store: to, pages: beside } = to;
        let pages = Pages { from: Some(pages), to: Some(beside) };
        move_between(&file(store)?, &file(to)?, &pages, now)
    }
}

#[cfg(feature = "postgres")]
fn joined<T>(
    done: std::result::Result<std::result::Result<T, StoreFailure>, tokio::task::JoinError>,
) -> std::result::Result<T, StoreFailure> {
    done.unwrap_or_else(|error| {
        Err(StoreFailure::Io {
            attempted: "copy the store".to_owned(),
            cause: format!(
                "the work was broken off ({error}); this is a defect of elenchus, report it"
            ),
        })
    })
}

fn file(path: PathBuf) -> std::result::Result<File, StoreFailure> {
    let attempted = format!("open the store {}", path.display());
    let connection = open_file(&path, &SqliteOptions::default(), "FULL")
        .map_err(|cause| StoreFailure::Io { attempted, cause })?;
    Ok(File::new(connection, path, Duration::from_secs(5)))
}

/// Why a copy was given up.
type Fault = Halted<String>;

fn move_between(
    from: &impl Database,
    to: &impl Database,
    pages: &Pages,
    now: Timestamp,
) -> std::result::Result<Vec<Copied>, StoreFailure> {
    let attempted = || "copy the store".to_owned();
    let done = from.read(|source| {
        under_way(source, now)?;
        let moved = to.write(|target| {
            is_empty(target)?;
            let mut copied = vec![runs(source, target)?];
            for relation in RELATIONS {
                copied.push(rows(relation, source, target)?);
            }
            copied.extend(pages.copied(source, target)?);
            Ok::<_, Fault>(copied)
        });
        moved.map_err(|halted| match halted {
            Halted::Sql(error) => Fault::By(to.plain_cause(&error)),
            by @ Fault::By(_) => by,
        })
    });
    done.map_err(|halted| match halted {
        Halted::By(cause) => StoreFailure::Io { attempted: attempted(), cause },
        Halted::Sql(error) => {
            StoreFailure::Io { attempted: attempted(), cause: from.plain_cause(&error) }
        }
    })
}

/// Where the pages of the web are that runs of both stores have read: in a file, or with the runs where none is named.
#[derive(Debug, Default)]
struct Pages {
    from: Option<PathBuf>,
    to: Option<PathBuf>,
}

impl Pages {
    /// Copies them, out of and into a file of their own or the stores themselves.
    fn copied(&self, source: &Db<'_>, target: &Db<'_>) -> std::result::Result<[Copied; 2], Fault> {
        match &self.from {
            None => self.onto(source, target),
            // No run has read any.
            Some(from) if !from.is_file() => arrived(Arrivals::default(), Arrivals::default()),
            Some(from) => {
                let from = beside(from)?;
                let copied = from.read(|source| self.onto(source, target));
                copied.map_err(|halted| of_file(&from, halted))
            }
        }
    }

    fn onto(&self, source: &Db<'_>, target: &Db<'_>) -> std::result::Result<[Copied; 2], Fault> {
        let moved = |target: &Db<'_>| {
            let digest = |row: &[Value]| digest(row.iter(), |_| false);
            let (pages, visits) = pages_of::copied(source, target, digest)?;
            arrived(pages, visits)
        };
        match &self.to {
            None => moved(target),
            // No file is made for nothing.
            Some(_) if pages_of::is_empty(source)? => {
                arrived(Arrivals::default(), Arrivals::default())
            }
            Some(to) => {
                let to = beside(to)?;
                to.write(moved).map_err(|halted| of_file(&to, halted))
            }
        }
    }
}

/// That every page and every visit arrived.
fn arrived(pages: Arrivals, visits: Arrivals) -> std::result::Result<[Copied; 2], Fault> {
    Ok([
        proof("snapshots", pages.sent, pages.arrived)?,
        proof("visits", visits.sent, visits.arrived)?,
    ])
}

fn beside(pages: &Path) -> std::result::Result<File, Fault> {
    pages_of::file(pages).map_err(|error| Fault::By(error.to_string()))
}

/// What a file says is told in its name. A server between whose words it stands is left to say its own, and to be tried again.
fn of_file(file: &File, halted: Fault) -> Fault {
    match halted {
        Halted::Sql(error @ Error::Sqlite(_)) => Fault::By(file.plain_cause(&error)),
        other => other,
    }
}

/// What is being written cannot be copied whole.
fn under_way(source: &Db<'_>, now: Timestamp) -> std::result::Result<(), Fault> {
    let driven: Vec<String> = source
        .prepare_cached("SELECT run_id FROM leases WHERE holder IS NOT NULL AND expires_at > ?1")?
        .query_map([now.0], |row| row.get(0))?
        .collect::<Result<_>>()?;
    if driven.is_empty() {
        return Ok(());
    }
    Err(Fault::By(format!(
        "somebody drives {}; wait for the end, or suspend the run, and copy then",
        driven.join(", ")
    )))
}

fn is_empty(target: &Db<'_>) -> std::result::Result<(), Fault> {
    for name in std::iter::once("runs").chain(RELATIONS.iter().map(|relation| relation.name)) {
        let there: i64 = target
            .prepare_cached(&format!("SELECT count(*) FROM {name}"))?
            .query_row((), |row| row.get(0))?;
        if there > 0 {
            return Err(Fault::By(format!(
                "the store that is copied to holds {there} rows of {name} already; name an empty one"
            )));
        }
    }
    Ok(())
}

/// Copies the runs, each with a lease that nobody holds.
fn runs(source: &Db<'_>, target: &Db<'_>) -> std::result::Result<Copied, Fault> {
    let all = all_runs(source)?;
    let columns = RUNS.join(", ");
    for (row, exact, tip) in &all {
        let mut given: Vec<&dyn ToSql> = row.iter().map(|value| value as &dyn ToSql).collect();
        let sql = if target.is_server() {
            given.extend([exact as &dyn ToSql, tip as &dyn ToSql]);
            format!("INSERT INTO runs ({columns}, exact, tip) VALUES ({})", places(RUNS.len() + 2))
        } else {
            format!("INSERT INTO runs ({columns}) VALUES ({})", places(RUNS.len()))
        };
        target.prepare_cached(&sql)?.execute(given.as_slice())?;
        // The token goes on from where it was, so that an old holder stays refused.
        let (gone, token): (Option<String>, Option<i64>) = source
            .prepare_cached("SELECT max(holder), max(token) FROM leases WHERE run_id = ?1")?
            .query_row([&row[0]], |row| Ok((row.get(0)?, row.get(1)?)))?;
        // Workers of a server take up what was left by a process that is gone, and nothing that was given back.
        let gone = gone.filter(|_| target.is_server());
        target
            .prepare_cached(
                "INSERT INTO leases (run_id, holder, token, expires_at) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(rusqlite::params![row[0], gone, token.unwrap_or(1), 0_i64])?;
    }
    let digests = |all: &[KeptRun]| {
        all.iter().map(|(row, ..)| digest(row.iter(), |_| false)).collect::<Vec<_>>()
    };
    proof("runs", digests(&all), digests(&all_runs(target)?))
}

/// The columns of [`RUNS`], the question as bytes where it holds a NUL, and the hash of the last record.
type KeptRun = (Vec<Value>, Option<Vec<u8>>, String);

/// Every run with its question to the letter and the hash of its last record.
fn all_runs(db: &Db<'_>) -> Result<Vec<KeptRun>> {
    let columns = RUNS.join(", ");
    let beside = if db.is_server() {
        "exact, tip"
    } else {
        "NULL, (SELECT hash FROM journal WHERE journal.run_id = runs.run_id ORDER BY seq DESC LIMIT 1)"
    };
    let sql = format!("SELECT {columns}, {beside} FROM runs ORDER BY run_id");
    let rows = db.prepare_cached(&sql)?.query_map((), |row| {
        let mut values = read(row, RUNS.len())?;
        let mut exact: Option<Vec<u8>> = row.get(RUNS.len())?;
        let tip: Option<String> = row.get(RUNS.len() + 1)?;
        if let Some(question) = exact.as_ref().and_then(|bytes| std::str::from_utf8(bytes).ok()) {
            values[1] = Value::Text(question.to_owned());
        } else if let Value::Text(question) = &values[1]
            && question.contains('\0')
        {
            exact = Some(question.clone().into_bytes());
        }
        Ok((values, exact, tip.unwrap_or_default()))
    })?;
    rows.collect()
}

/// Copies a relation, page by page.
fn rows(
    relation: &Relation,
    source: &Db<'_>,
    target: &Db<'_>,
) -> std::result::Result<Copied, Fault> {
    let is_json = |at: usize| relation.json.contains(&relation.columns[at]);
    let columns = relation.columns.join(", ");
    let overriding = match relation.counted {
        Some(_) if target.is_server() => "OVERRIDING SYSTEM VALUE ",
        _ => "",
    };
    let insert = format!(
        "INSERT INTO {} ({columns}) {overriding}VALUES ({})",
        relation.name,
        places(relation.columns.len())
    );
    let mut sent = Vec::new();
    pages(relation, source, |row| {
        sent.push(digest(row.iter(), is_json));
        let given: Vec<&dyn ToSql> = row.iter().map(|value| value as &dyn ToSql).collect();
        target.prepare_cached(&insert)?.execute(given.as_slice())?;
        if relation.name == "memos" && !target.is_server() {
            find_again(target, row)?;
        }
        Ok(())
    })?;
    if let (Some(counted), true) = (relation.counted, target.is_server()) {
        let name = relation.name;
        target
            .prepare_cached(&format!(
                "SELECT setval(pg_get_serial_sequence('{name}', '{counted}'), max({counted})) FROM {name}"
            ))?
            .query_row((), |_| Ok(()))?;
    }
    let mut arrived = Vec::new();
    pages(relation, target, |row| {
        arrived.push(digest(row.iter(), is_json));
        Ok(())
    })?;
    proof(relation.name, sent, arrived)
}

/// Indexes the words of a memo in a file; a server does it by itself.
fn find_again(target: &Db<'_>, row: &[Value]) -> Result<()> {
    let tags: Vec<String> = match &row[7] {
        Value::Text(json) => serde_json::from_str(json).map_err(Error::other)?,
        _ => Vec::new(),
    };
    target
        .prepare_cached(
            "INSERT INTO memos_fts (rowid, title, content, tags) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(rusqlite::params![row[0], row[4], row[5], tags.join(" ")])
        .map(drop)
}

/// Every row of a relation, in the order of its key. Each page begins behind the key of the last row, so that the last page of very
/// many costs what the first does.
fn pages(
    relation: &Relation,
    db: &Db<'_>,
    mut each: impl FnMut(&[Value]) -> Result<()>,
) -> Result<()> {
    let Relation { name, columns, key, .. } = relation;
    let keys: Vec<usize> = key
        .split(", ")
        .filter_map(|key| columns.iter().position(|column| *column == key))
        .collect();
    let behind: Vec<String> = (2..keys.len() + 2).map(|at| format!("?{at}")).collect();
    let select = format!("SELECT {} FROM {name}", columns.join(", "));
    let first = format!("{select} ORDER BY {key} LIMIT ?1");
    let next = format!("{select} WHERE ({key}) > ({}) ORDER BY {key} LIMIT ?1", behind.join(", "));
    let mut last: Vec<Value> = Vec::new();
    loop {
        let sql = if last.is_empty() { &first } else { &next };
        let mut given: Vec<&dyn ToSql> = vec![&PAGE];
        given.extend(last.iter().map(|value| value as &dyn ToSql));
        let rows: Vec<Vec<Value>> = db
            .prepare_cached(sql)?
            .query_map(given.as_slice(), |row| read(row, columns.len()))?
            .collect::<Result<_>>()?;
        for row in &rows {
            each(row)?;
        }
        match rows.last() {
            Some(row) if i64::try_from(rows.len()).unwrap_or(i64::MAX) == PAGE => {
                last = keys.iter().map(|at| row[*at].clone()).collect();
            }
            _ => return Ok(()),
        }
    }
}

fn read(row: &Row<'_>, columns: usize) -> Result<Vec<Value>> {
    (0..columns).map(|at| row.get(at)).collect()
}

fn places(count: usize) -> String {
    let places: Vec<String> = (1..=count).map(|at| format!("?{at}")).collect();
    places.join(", ")
}

/// SHA-256 of what a row says. JSON is read first, since a server writes it in its own words.
fn digest<'a>(row: impl Iterator<Item = &'a Value>, is_json: impl Fn(usize) -> bool) -> [u8; 32] {
    let mut sum = Sha256::new();
    for (at, value) in row.enumerate() {
        let (kind, bytes) = match value {
            Value::Null => (b'-', Vec::new()),
            Value::Integer(n) => (b'i', n.to_le_bytes().to_vec()),
            Value::Real(x) => (b'r', x.to_bits().to_le_bytes().to_vec()),
            Value::Blob(bytes) => (b'b', bytes.clone()),
            Value::Text(text) => {
                let said = if is_json(at) {
                    serde_json::from_str::<serde_json::Value>(text)
                        .map(|json| json.to_string())
                        .ok()
                } else {
                    None
                };
                (b't', said.unwrap_or_else(|| text.clone()).into_bytes())
            }
        };
        sum.update([kind]);
        sum.update((bytes.len() as u64).to_le_bytes());
        sum.update(bytes);
    }
    sum.finalize().into()
}

/// That what arrived is what was sent, in whatever order.
fn proof(
    relation: &'static str,
    mut sent: Vec<[u8; 32]>,
    mut arrived: Vec<[u8; 32]>,
) -> std::result::Result<Copied, Fault> {
    sent.sort_unstable();
    arrived.sort_unstable();
    if sent != arrived {
        let alike = sent.iter().filter(|row| arrived.binary_search(row).is_ok()).count();
        return Err(Fault::By(format!(
            "of {} rows of {relation} {alike} arrived as they were; nothing was kept, report it",
            sent.len()
        )));
    }
    let mut sum = Sha256::new();
    for row in &sent {
        sum.update(row);
    }
    let digest = format!("{:x}", sum.finalize());
    Ok(Copied { relation, rows: sent.len(), digest })
}

#[cfg(test)]
mod tests;
