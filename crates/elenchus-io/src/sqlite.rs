//! What both SQLite files, the store and the index, need of SQLite.

use rusqlite::{Connection, ErrorCode};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The wait between two tries.
const PAUSE: Duration = Duration::from_millis(4);

/// Switches to a write-ahead log. SQLite answers "busy" at once, without the wait that the connection is set to, when
/// several processes open a new file and switch together; so it is tried until `patience` is over.
///
/// # Errors
/// When another process holds the file for longer, or the file is no database.
pub(crate) fn write_ahead(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    let until = Instant::now() + patience;
    loop {
        // Answers with the mode in force; an in-memory or odd file system may keep another one.
        let switched =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0));
        match switched {
            Ok(_) => return Ok(()),
            Err(error) if is_busy(&error) && Instant::now() < until => sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_may_open_a_new_file_at_once() {
        for _ in 0..40 {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("new.db");
            std::thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| {
                        let connection = Connection::open(&path).expect("it opens");
                        write_ahead(&connection, Duration::from_secs(5)).expect("it switches");
                    });
                }
            });
        }
    }

    #[test]
    fn patience_ends() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("held.db");
        let holder = Connection::open(&path).expect("it opens");
        holder.execute_batch("CREATE TABLE t (a); BEGIN EXCLUSIVE").expect("it is held");
        let other = Connection::open(&path).expect("it opens");
        let refused = write_ahead(&other, Duration::from_millis(20));
        assert!(refused.is_err_and(|error| is_busy(&error)));
    }
}
