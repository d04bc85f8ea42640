//! Files of ours and their versions: what the store and the snapshots need of SQLite to be opened by newer programs.

use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

/// What a file holds: how it is told, and how it came to hold it.
pub(crate) struct Schema {
    /// Says that a file is ours, as SQLite's `application_id`.
    pub(crate) application_id: i64,
    /// One migration a version, in order, with a name; each runs once, in one transaction with the note that it ran.
    pub(crate) migrations: &'static [(&'static str, &'static str)],
}

/// Why a file cannot be used.
pub(crate) enum Unusable {
    /// SQLite says so.
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

impl Schema {
    fn newest(&self) -> i64 {
        i64::try_from(self.migrations.len()).unwrap_or(i64::MAX)
    }

    /// Brings a file to the newest version. Safe when several processes open a new file at once.
    pub(crate) fn migrate(&self, connection: &mut Connection) -> Result<(), Unusable> {
        if self.version(connection)? == self.newest() {
            return Ok(());
        }
        // The lock is taken before the version is read again: another process may just have migrated.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let from = self.version(&transaction)?;
        if from == 0 {
            transaction.execute_batch(&format!(
                "PRAGMA application_id = {};
                 CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;",
                self.application_id
            ))?;
        }
        for (version, (name, sql)) in (1i64..).zip(self.migrations) {
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

    /// The version of a file: 0 when it is new.
    pub(crate) fn version(&self, connection: &Connection) -> Result<i64, Unusable> {
        let id: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 && (id == 0 || id == self.application_id) {
            return Ok(0);
        }
        if id != self.application_id {
            return Err(Unusable::Foreign);
        }
        let version: Option<i64> = connection
            .query_row("SELECT max(version) FROM schema_version", [], |row| row.get(0))
            .optional()?
            .flatten();
        match version {
            Some(version) if version > self.newest() => Err(Unusable::Newer(version)),
            Some(version) => Ok(version),
            None => Ok(0),
        }
    }
}
