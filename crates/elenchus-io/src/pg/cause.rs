//! What a failure of the server means to whoever runs Elenchus, and the way out.

use crate::sql::postgres::{cause, is_passing};
use std::error::Error as _;
use std::io::ErrorKind;
use tokio_postgres::error::{DbError, SqlState};

/// A failure with its way out.
pub(crate) fn plain_cause(error: &tokio_postgres::Error) -> String {
    let said = cause(error);
    let Some(code) = error.code() else {
        return format!(
            "{said}; check that the server runs and that DATABASE_URL names its host, port and encryption (sslmode=disable for a server without)"
        );
    };
    let way_out = match code {
        code if *code == SqlState::INVALID_PASSWORD
            || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
        {
            "check the user and the password in DATABASE_URL"
        }
        code if *code == SqlState::INVALID_CATALOG_NAME => {
            "create the database, or name another one in DATABASE_URL"
        }
        code if *code == SqlState::INSUFFICIENT_PRIVILEGE => {
            "grant the user CREATE and USAGE on the schema and all rights on its tables, or let `elenchus db migrate` be run by their owner"
        }
        code if *code == SqlState::INVALID_SCHEMA_NAME => {
            "create the schema that the search path names"
        }
        code if *code == SqlState::DISK_FULL || *code == SqlState::OUT_OF_MEMORY => {
            "make room on the server and try again"
        }
        code if *code == SqlState::TOO_MANY_CONNECTIONS => {
            "raise max_connections of the server, or run fewer processes"
        }
        code if *code == SqlState::READ_ONLY_SQL_TRANSACTION => {
            "it is a standby; name the primary server in DATABASE_URL"
        }
        code if *code == SqlState::QUERY_CANCELED || *code == SqlState::LOCK_NOT_AVAILABLE => {
            "the server is overloaded or somebody holds a lock; try again"
        }
        code if *code == SqlState::ADMIN_SHUTDOWN
            || *code == SqlState::CRASH_SHUTDOWN
            || *code == SqlState::CANNOT_CONNECT_NOW =>
        {
            "the server is starting or stopping; try again, a run goes on where it was"
        }
        code if *code == SqlState::UNDEFINED_TABLE || *code == SqlState::UNDEFINED_COLUMN => {
            "the database is not as this version made it; run `elenchus db migrate`"
        }
        _ => "the server's log may say more",
    };
    format!("{said}; {way_out}")
}

/// Whether the server may do the same work when it is asked again: it is gone, on its way, not the primary one yet, or others
/// were in the way. A full disk, a wrong password and a wrong schema stay as they are.
pub(crate) fn is_away(error: &tokio_postgres::Error) -> bool {
    let Some(code) = error.code() else {
        // A connection that ended, or never came about. What could not be said or read is told in the same type.
        let by = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
        return error.is_closed()
            || by.is_some_and(|by| {
                !matches!(by.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData)
            });
    };
    let said = error.as_db_error().map_or("", DbError::message);
    is_away_by(code, said) || is_passing(error)
}

/// What a pooler says of what it will never do. It has one code for that and for what passes, as a login that fails for now or
/// too many who wait.
const NEVER: [&str; 4] =
    ["unsupported startup parameter", "unsupported options", "no such database", "no such user"];

fn is_away_by(code: &SqlState, said: &str) -> bool {
    let known = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::IDLE_SESSION_TIMEOUT,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::INSUFFICIENT_RESOURCES,
        SqlState::OUT_OF_MEMORY,
        SqlState::SYSTEM_ERROR,
        SqlState::IO_ERROR,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::QUERY_CANCELED,
    ];
    // Beside these a whole class of codes: connections.
    let is_never =
        *code == SqlState::PROTOCOL_VIOLATION && NEVER.iter().any(|text| said.contains(text));
    known.contains(code) || (code.code().starts_with("08") && !is_never)
}

/// A URL that cannot be read. The reader's own words never show the password.
pub(super) fn of_config(error: &tokio_postgres::Error) -> String {
    format!("the URL cannot be read ({}); write postgres://user@host/database", cause(error))
}

#[cfg(test)]
mod tests {
    use super::is_away_by;
    use tokio_postgres::error::SqlState;

    #[test]
    fn what_passes_by_itself_is_waited_for() {
        for code in ["57P01", "57P05", "53000", "53200", "58000", "58030", "08006"] {
            assert!(is_away_by(&SqlState::from_code(code), ""), "{code}");
        }
        for code in ["53100", "28P01", "42P01"] {
            assert!(!is_away_by(&SqlState::from_code(code), ""), "{code}");
        }
    }

    #[test]
    fn a_pooler_that_cannot_for_now_is_told_from_one_that_never_will() {
        let is_away = |said: &str| is_away_by(&SqlState::PROTOCOL_VIOLATION, said);
        assert!(is_away("server login has been failing, try again later (server_login_retry)"));
        assert!(is_away("query_wait_timeout"));
        assert!(is_away("no more connections allowed (max_client_conn)"));
        assert!(!is_away("unsupported startup parameter: search_path"));
        assert!(!is_away("unsupported startup parameter in options: search_path"));
        assert!(!is_away("no such database: runs"));
    }
}
