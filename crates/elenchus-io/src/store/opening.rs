//! Opening the one SQLite file that runs, strategies and memos are kept in.

use super::rows::{make_private, plain_cause};
use super::schema::{SCHEMA, SCHEMA_VERSION};
use crate::migrate::Unusable;
use crate::sqlite::write_ahead;
use rusqlite::Connection;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How the file is used.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// How long a write waits for that of another process.
    pub busy_timeout: Duration,
    /// The file may not grow beyond this; `None` leaves it to the disk.
    pub max_bytes: Option<u64>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5), max_bytes: None }
    }
}

/// Opens the file, makes it (readable by its owner only) when there is none, and migrates an older one. `synchronous` is
/// SQLite's pragma: `FULL` syncs every commit, `NORMAL` may lose the last ones in a power cut, but no file.
///
/// # Errors
/// The cause with its way out, in words.
pub(crate) fn open(
    path: &Path,
    options: &SqliteOptions,
    synchronous: &str,
) -> Result<Connection, String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| {
            format!("its folder cannot be made ({error}); choose another place for the store")
        })?;
    }
    make_private(path).map_err(|error| {
        format!(
            "the file cannot be written ({error}); check its permissions or choose another place"
        )
    })?;
    let opened = Connection::open(path).map_err(Unusable::Sqlite).and_then(|mut connection| {
        connection.busy_timeout(options.busy_timeout)?;
        write_ahead(&connection, options.busy_timeout)?;
        connection.execute_batch(&format!(
            "PRAGMA synchronous = {synchronous}; PRAGMA foreign_keys = ON;"
        ))?;
        if let Some(bytes) = options.max_bytes {
            let page: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
            let pages = i64::try_from(bytes).unwrap_or(i64::MAX) / page.max(1);
            connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| {
                row.get::<_, i64>(0)
            })?;
        }
        SCHEMA.migrate(&mut connection)?;
        Ok(connection)
    });
    usable(opened, path)
}

/// Opens a file that lives in memory, as long as the connection.
///
/// # Errors
/// When SQLite cannot be used at all.
pub(crate) fn open_in_memory() -> Result<Connection, String> {
    let opened =
        Connection::open_in_memory().map_err(Unusable::Sqlite).and_then(|mut connection| {
            connection.execute_batch("PRAGMA foreign_keys = ON;")?;
            SCHEMA.migrate(&mut connection)?;
            Ok(connection)
        });
    usable(opened, Path::new(":memory:"))
}

fn usable(opened: Result<Connection, Unusable>, path: &Path) -> Result<Connection, String> {
    opened.map_err(|unusable| match unusable {
        Unusable::Sqlite(error) => plain_cause(path, &error),
        Unusable::Foreign => {
            "it is the database of another program; choose another place for the store".to_owned()
        }
        Unusable::Newer(version) => format!(
            "it has schema version {version} and this version of elenchus knows up to {SCHEMA_VERSION}; update elenchus"
        ),
    })
}
