//! The relations of the file and how it comes to hold them.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// The schema that this version writes. Files of earlier versions are brought up to it when they are opened.
pub(super) const SCHEMA_VERSION: i64 = 1;
/// Says that a file is ours: "ELNW".
const APPLICATION_ID: i64 = 0x454C_4E57;

/// One migration a version, in order; each runs once, in one transaction with the note that it ran.
const MIGRATIONS: [(&str, &str); SCHEMA_VERSION as usize] = [("snapshots and visits", FIRST)];

const FIRST: &str = "
CREATE TABLE snapshots (
    id           INTEGER PRIMARY KEY,
    source_id    TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    requested    TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    text_hash    TEXT    NOT NULL,
    content_type TEXT,
    headers      TEXT    NOT NULL,
    extraction   INTEGER NOT NULL,
    source       TEXT    NOT NULL,
    reading      BLOB    NOT NULL,
    body         BLOB    NOT NULL,
    last_at      INTEGER NOT NULL,
    UNIQUE (url, content_hash, text_hash)
) STRICT;
CREATE INDEX snapshots_by_source ON snapshots (source_id, content_hash);
CREATE INDEX snapshots_by_age ON snapshots (last_at);

CREATE TABLE visits (
    snapshot  INTEGER NOT NULL REFERENCES snapshots ON DELETE CASCADE,
    address   TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (address, at, snapshot)
) STRICT, WITHOUT ROWID;
CREATE INDEX visits_by_snapshot ON visits (snapshot);
";

/// Why a file cannot be used.
pub(super) enum Unusable {
    Sqlite(rusqlite::Error),
    /// It is a database of something else.
    Foreign,
    /// A newer version wrote it.
    Newer(i64),
}

impl From<rusqlite::Error> for Unusable {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Unusable {
    /// The cause and the way out.
    pub(super) fn advice(&self) -> String {
        match self {
            Self::Sqlite(error) => format!(
                "{error}; if the file is damaged, move it away and start again: its pages are fetched anew when they are needed"
            ),
            Self::Foreign => {
                "it is the database of another program; choose another place".to_owned()
            }
            Self::Newer(version) => format!(
                "it has schema version {version} and this version of elenchus knows up to {SCHEMA_VERSION}; update elenchus"
            ),
        }
    }
}

/// Brings a file to [`SCHEMA_VERSION`]. Safe when several processes open a new file at once.
pub(super) fn migrate(db: &mut Connection) -> Result<(), Unusable> {
    if version(db)? == SCHEMA_VERSION {
        return Ok(());
    }
    // The lock is taken before the version is read again: another process may just have migrated.
    let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version(&transaction)?;
    if from == 0 {
        transaction.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID};
             CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"
        ))?;
    }
    for (version, (name, sql)) in (1i64..).zip(MIGRATIONS) {
        if version > from {
            transaction.execute_batch(sql)?;
            transaction.execute(
                "INSERT INTO schema_version (version, name) VALUES (?1, ?2)",
                (version, name),
            )?;
        }
    }
    transaction.commit()?;
    Ok(())
}

/// The schema of a file: 0 when it is new.
fn version(db: &Connection) -> Result<i64, Unusable> {
    let id: i64 = db.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 && (id == 0 || id == APPLICATION_ID) {
        return Ok(0);
    }
    if id != APPLICATION_ID {
        return Err(Unusable::Foreign);
    }
    let version: Option<i64> = db
        .query_row("SELECT max(version) FROM schema_version", [], |row| row.get(0))
        .optional()?
        .flatten();
    match version {
        Some(version) if version > SCHEMA_VERSION => Err(Unusable::Newer(version)),
        Some(version) => Ok(version),
        None => Ok(0),
    }
}
