//! One way to speak SQL to two databases: a SQLite file and a PostgreSQL server.
//!
//! What is kept in both is written once, in the SQL that both understand, with parameters as `?1` and values as SQLite
//! has them: an integer for a truth or a time (Unix milliseconds), text for JSON. A PostgreSQL column of another type
//! (`boolean`, `timestamptz`, `jsonb`, `uuid`) takes and gives the same values. The shapes of the calls are those of
//! rusqlite.

mod database;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
#[cfg(feature = "postgres")]
mod server;

pub(crate) use database::{Database, File, Halted};
#[cfg(feature = "postgres")]
pub(crate) use server::Server;

use rusqlite::types::{FromSql, FromSqlError, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql, params_from_iter};

/// Why a statement was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// SQLite says so.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL, or the way to it, says so.
    #[cfg(feature = "postgres")]
    #[error("{}", postgres::cause(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// No connection can be made; says why, with the way out.
    #[cfg(feature = "postgres")]
    #[error("{0}")]
    Unreachable(String),
    /// The connection was lost while a change was being committed.
    #[cfg(feature = "postgres")]
    #[error(
        "the connection was lost ({0}) while the change was being committed, so it may have been made or not; look whether it was before it is made again"
    )]
    Unsure(String),
    /// Nothing was found where one row was asked for.
    #[error("there is no such row")]
    NoRow,
    /// A column holds something else than what was written there.
    #[error("column {at} cannot be read: {cause}")]
    Column {
        /// From 0.
        at: usize,
        /// What does not fit.
        cause: String,
    },
    /// What was to be done with a row failed.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Something failed that is no fault of the database.
    pub(crate) fn other(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(cause.into())
    }

    /// Whether the same work may succeed if it is done again: others were writing.
    pub(crate) fn is_passing(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        match self {
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => postgres::is_passing(error),
            _ => false,
        }
    }
}

/// "Nothing found" as nothing.
pub(crate) trait OptionalExtension<T> {
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A transaction of one of the databases.
pub(crate) enum Db<'a> {
    Sqlite(&'a Connection),
    #[cfg(feature = "postgres")]
    Postgres(&'a postgres::Session<'a>),
}

impl<'a> Db<'a> {
    /// A statement, taken from the cache of the connection where it was used before.
    pub(crate) fn prepare_cached(&self, sql: &str) -> Result<Statement<'a>> {
        Ok(match self {
            Self::Sqlite(connection) => Statement::Sqlite(connection.prepare_cached(sql)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session) => Statement::Postgres(session, session.prepare(sql)?),
        })
    }

    /// What stands at the end of a `SELECT` of rows that are to be taken, each by one taker: SQLite has one writer at a time.
    pub(crate) fn for_taking(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// Whether it is a PostgreSQL server.
    pub(crate) fn is_server(&self) -> bool {
        !matches!(self, Self::Sqlite(_))
    }

    /// The condition that a whole number in `column` is one of the JSON array that a parameter, such as `?3`, holds.
    pub(crate) fn is_one_of(&self, column: &str, parameter: &str) -> String {
        match self {
            Self::Sqlite(_) => format!("{column} IN (SELECT value FROM json_each({parameter}))"),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => format!(
                "{column} IN (SELECT value::bigint FROM json_array_elements_text({parameter}::json))"
            ),
        }
    }

    /// The condition that a JSON array in `column` holds the text of a parameter, such as `?3`.
    pub(crate) fn holds(&self, column: &str, parameter: &str) -> String {
        match self {
            Self::Sqlite(_) => {
                format!("EXISTS (SELECT 1 FROM json_each({column}) WHERE value = {parameter})")
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => format!("jsonb_exists({column}, {parameter})"),
        }
    }
}

/// A statement with places for parameters.
pub(crate) enum Statement<'a> {
    Sqlite(CachedStatement<'a>),
    #[cfg(feature = "postgres")]
    Postgres(&'a postgres::Session<'a>, tokio_postgres::Statement),
}

impl Statement<'_> {
    /// Carries it out; gives how many rows it concerned.
    pub(crate) fn execute(&mut self, values: impl Params) -> Result<usize> {
        match self {
            Self::Sqlite(statement) => {
                Ok(values.bound(|values| statement.execute(params_from_iter(values)))?)
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(session, statement) => {
                values.bound(|values| session.execute(statement, values))
            }
        }
    }

    /// What `read` makes of the first row.
    pub(crate) fn query_row<T>(
        &mut self,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.query_map(values, read)?.next().unwrap_or(Err(Error::NoRow))
    }

    /// What `read` makes of every row.
    pub(crate) fn query_map<T>(
        &mut self,
        values: impl Params,
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<std::vec::IntoIter<Result<T>>> {
        let made: Vec<Result<T>> = match self {
            Self::Sqlite(statement) => values.bound(|values| {
                let mut made = Vec::new();
                let mut rows = statement.query(params_from_iter(values))?;
                while let Some(row) = rows.next()? {
                    made.push(read(&Row::Sqlite(row)));
                }
                Ok::<_, rusqlite::Error>(made)
            })?,
            #[cfg(feature = "postgres")]
            Self::Postgres(session, statement) => values
                .bound(|values| session.query(statement, values))?
                .iter()
                .map(|row| postgres::values(row).and_then(|row| read(&Row::Postgres(&row))))
                .collect(),
        };
        Ok(made.into_iter())
    }
}

/// Values for the parameters of a statement.
pub(crate) trait Params {
    fn bound<T>(&self, work: impl FnOnce(&[&dyn ToSql]) -> T) -> T;
}

impl Params for &[&dyn ToSql] {
    fn bound<T>(&self, work: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        work(self)
    }
}

impl<const N: usize> Params for &[&dyn ToSql; N] {
    fn bound<T>(&self, work: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        work(*self)
    }
}

impl<V: ToSql, const N: usize> Params for [V; N] {
    fn bound<T>(&self, work: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        work(&self.each_ref().map(|value| value as &dyn ToSql))
    }
}

/// No parameters.
impl Params for () {
    fn bound<T>(&self, work: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        work(&[])
    }
}

/// A row of what was found.
pub(crate) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    #[cfg(feature = "postgres")]
    Postgres(&'a [rusqlite::types::Value]),
}

/// The number of a column, from 0.
pub(crate) trait Place {
    fn place(self) -> usize;
}

impl Place for usize {
    fn place(self) -> usize {
        self
    }
}

impl Row<'_> {
    /// A column as a value.
    pub(crate) fn get<P: Place, T: FromSql>(&self, at: P) -> Result<T> {
        let at = at.place();
        T::column_result(self.get_ref(at)?).map_err(|error| mistyped(at, &error))
    }

    /// A column as it stands there.
    pub(crate) fn get_ref(&self, at: usize) -> Result<ValueRef<'_>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(at)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => row
                .get(at)
                .map(ValueRef::from)
                .ok_or_else(|| Error::Column { at, cause: "the row is shorter".to_owned() }),
        }
    }

    /// A column of text.
    pub(crate) fn text(&self, at: usize) -> Result<&str> {
        self.get_ref(at)?.as_str().map_err(|error| mistyped(at, &error))
    }

    /// A column of bytes.
    pub(crate) fn blob(&self, at: usize) -> Result<&[u8]> {
        self.get_ref(at)?.as_blob().map_err(|error| mistyped(at, &error))
    }
}

fn mistyped(at: usize, error: &FromSqlError) -> Error {
    Error::Column { at, cause: error.to_string() }
}
