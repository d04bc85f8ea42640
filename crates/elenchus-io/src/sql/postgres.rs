//! The same SQL on a PostgreSQL server, for code that waits for its answer.

use super::{Error, Result};
use rusqlite::types::{ToSqlOutput, Value};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::error::Error as _;
use std::fmt::Write as _;
use tokio::runtime::Handle;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Row, Statement, Transaction};

/// 2000-01-01, from which PostgreSQL counts, in microseconds of Unix time.
const EPOCH: i64 = 946_684_800_000_000;
/// The first moment of its calendar, in 4714 BC, as it counts.
const BEGINNING: i64 = -211_813_488_000_000_000;

/// A transaction, used from a thread that may block.
pub(crate) struct Session<'a> {
    pub(crate) transaction: &'a Transaction<'a>,
    /// Statements of the connection, by their words in SQLite's notation.
    pub(crate) statements: &'a RefCell<HashMap<String, Statement>>,
    pub(crate) handle: &'a Handle,
}

impl Session<'_> {
    pub(super) fn prepare(&self, sql: &str) -> Result<Statement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let made = self.handle.block_on(self.transaction.prepare(&numbered(sql)))?;
        self.statements.borrow_mut().insert(sql.to_owned(), made.clone());
        Ok(made)
    }

    pub(super) fn execute(
        &self,
        statement: &Statement,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<usize> {
        let values = taken(values)?;
        let done = self.handle.block_on(self.transaction.execute_raw(statement, &values))?;
        Ok(usize::try_from(done).unwrap_or(usize::MAX))
    }

    pub(super) fn query(
        &self,
        statement: &Statement,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<Row>> {
        let values = taken(values)?;
        let given: Vec<&(dyn ToSql + Sync)> =
            values.iter().map(|value| value as &(dyn ToSql + Sync)).collect();
        Ok(self.handle.block_on(self.transaction.query(statement, &given))?)
    }
}

/// `?1` as PostgreSQL writes it.
fn numbered(sql: &str) -> String {
    let mut signs = sql.chars().peekable();
    let mut out = String::with_capacity(sql.len());
    while let Some(sign) = signs.next() {
        let marks = sign == '?' && signs.peek().is_some_and(char::is_ascii_digit);
        out.push(if marks { '$' } else { sign });
    }
    out
}

fn taken(values: &[&dyn rusqlite::ToSql]) -> Result<Vec<Given>> {
    values
        .iter()
        .map(|value| {
            Ok(Given(match value.to_sql().map_err(Error::Sqlite)? {
                ToSqlOutput::Borrowed(value) => Value::try_from(value).map_err(Error::other)?,
                ToSqlOutput::Owned(value) => value,
                _ => return Err(Error::other("a value of a kind that only SQLite has")),
            }))
        })
        .collect()
}

/// A value as SQLite has it, on its way into a column of whatever type PostgreSQL found there.
#[derive(Debug)]
pub(crate) struct Given(pub(crate) Value);

type Unfit = Box<dyn std::error::Error + Sync + Send>;

impl ToSql for Given {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> std::result::Result<IsNull, Unfit> {
        let unfit = || -> Unfit { format!("{:?} does not fit into {kind}", self.0).into() };
        match (&self.0, kind) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Integer(n), &Type::INT8) => n.to_sql(kind, out),
            (Value::Integer(n), &Type::INT4) => {
                i32::try_from(*n).map_err(|_| unfit())?.to_sql(kind, out)
            }
            (Value::Integer(n), &Type::BOOL) => (*n != 0).to_sql(kind, out),
            (Value::Integer(n), &Type::TIMESTAMPTZ) => since_epoch(*n).to_sql(&Type::INT8, out),
            (Value::Integer(n), &Type::FLOAT8) => (*n as f64).to_sql(kind, out),
            (Value::Real(x), &Type::FLOAT8) => x.to_sql(kind, out),
            (Value::Text(text), &Type::TEXT | &Type::VARCHAR | &Type::UNKNOWN) => {
                writable(text).as_ref().to_sql(&Type::TEXT, out)
            }
            // The bytes of JSON are kept as they are; in the binary notation a number of the version stands before.
            (Value::Text(text), &Type::JSON) => text.to_sql(&Type::TEXT, out),
            (Value::Text(text), &Type::JSONB) => {
                out.extend_from_slice(&[1]);
                out.extend_from_slice(writable_json(text).as_bytes());
                Ok(IsNull::No)
            }
            (Value::Blob(bytes), &Type::BYTEA) => bytes.to_sql(kind, out),
            _ => Err(unfit()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// PostgreSQL keeps no NUL in a text. This sign, which Unicode gives to nobody, stands there with a `0` after it, and with a
/// `1` for itself, so that no two texts become the same.
const MARK: char = '\u{FDD0}';

/// A text as it can be kept.
pub(crate) fn writable(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', MARK]) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for sign in text.chars() {
        match sign {
            '\0' => out.extend([MARK, '0']),
            MARK => out.extend([MARK, '1']),
            sign => out.push(sign),
        }
    }
    out.into()
}

/// The way back.
fn written(kept: &str) -> Cow<'_, str> {
    unmarked(kept, "\0")
}

fn unmarked<'t>(kept: &'t str, nul: &str) -> Cow<'t, str> {
    if !kept.contains(MARK) {
        return kept.into();
    }
    let mut out = String::with_capacity(kept.len());
    let mut signs = kept.chars();
    while let Some(sign) = signs.next() {
        match sign {
            MARK => match signs.next() {
                Some('0') => out.push_str(nul),
                Some('1') => out.push(MARK),
                // Nothing of ours wrote that.
                other => out.extend(std::iter::once(MARK).chain(other)),
            },
            sign => out.push(sign),
        }
    }
    out.into()
}

/// JSON as `jsonb` keeps it, which knows no escape of a NUL either.
fn writable_json(json: &str) -> Cow<'_, str> {
    if !json.contains("\\u0000") && !json.contains(MARK) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 8);
    let mut rest = json;
    while let Some(at) = rest.find(['\\', MARK]) {
        out.push_str(&rest[..at]);
        let found = &rest[at..];
        if let Some(after) = found.strip_prefix("\\u0000") {
            out.extend([MARK, '0']);
            rest = after;
        } else if let Some(after) = found.strip_prefix(MARK) {
            out.extend([MARK, '1']);
            rest = after;
        } else {
            // A backslash that is itself escaped begins no escape.
            let length = 1 + found[1..].chars().next().map_or(0, char::len_utf8);
            out.push_str(&found[..length]);
            rest = &found[length..];
        }
    }
    out.push_str(rest);
    out.into()
}

/// The way back.
fn written_json(kept: &str) -> Cow<'_, str> {
    unmarked(kept, "\\u0000")
}

/// Milliseconds of Unix time as PostgreSQL counts; what lies beyond its calendar is for ever.
pub(crate) fn since_epoch(ms: i64) -> i64 {
    let us = ms.checked_mul(1_000).and_then(|us| us.checked_sub(EPOCH));
    us.filter(|us| *us >= BEGINNING).unwrap_or(if ms < 0 { i64::MIN } else { i64::MAX })
}

/// The way back.
pub(crate) fn unix_ms(us: i64) -> i64 {
    match us {
        i64::MAX | i64::MIN => us,
        us => us.saturating_add(EPOCH).div_euclid(1_000),
    }
}

/// A column as SQLite would give it.
struct Found(Value);

impl<'a> FromSql<'a> for Found {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> std::result::Result<Self, Unfit> {
        let value = match *kind {
            Type::BOOL => Value::Integer(bool::from_sql(kind, raw)?.into()),
            Type::INT2 => Value::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Value::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Value::Integer(i64::from_sql(kind, raw)?),
            Type::FLOAT4 => Value::Real(f32::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => Value::Real(f64::from_sql(kind, raw)?),
            Type::TIMESTAMPTZ => Value::Integer(unix_ms(i64::from_sql(&Type::INT8, raw)?)),
            Type::JSONB => {
                let kept = std::str::from_utf8(raw.get(1..).unwrap_or_default())?;
                Value::Text(written_json(kept).into_owned())
            }
            Type::BYTEA => Value::Blob(raw.to_vec()),
            Type::JSON => Value::Text(std::str::from_utf8(raw)?.to_owned()),
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => {
                Value::Text(written(std::str::from_utf8(raw)?).into_owned())
            }
            ref other => return Err(format!("a column of type {other} is not read").into()),
        };
        Ok(Self(value))
    }

    fn from_sql_null(_: &Type) -> std::result::Result<Self, Unfit> {
        Ok(Self(Value::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

pub(crate) fn values(row: &Row) -> Result<Vec<Value>> {
    (0..row.len())
        .map(|at| match row.try_get::<_, Found>(at) {
            Ok(Found(value)) => Ok(value),
            Err(error) => Err(Error::Column { at, cause: cause(&error) }),
        })
        .collect()
}

/// Whether other transactions were in the way and the same work may be done again.
pub(crate) fn is_passing(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| {
        *code == SqlState::T_R_SERIALIZATION_FAILURE
            || *code == SqlState::T_R_DEADLOCK_DETECTED
            || *code == SqlState::LOCK_NOT_AVAILABLE
    })
}

/// What the server or the way to it said, with all that stands behind it; its own words leave that out.
pub(crate) fn cause(error: &tokio_postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        let mut text = said.message().to_owned();
        if let Some(detail) = said.detail() {
            let _ = write!(text, " ({detail})");
        }
        return text;
    }
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(cause) = behind {
        let more = cause.to_string();
        if !text.contains(&more) {
            let _ = write!(text, ": {more}");
        }
        behind = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_as_the_server_has_them() {
        assert_eq!(numbered("a = ?1 OR b = ?21 -- why?"), "a = $1 OR b = $21 -- why?");
    }

    #[test]
    fn times_go_there_and_back() {
        for ms in [0, 1, -1, 1_764_000_000_123, -62_135_596_800_000, i64::MAX, i64::MIN] {
            assert_eq!(unix_ms(since_epoch(ms)), ms);
        }
        assert_eq!(unix_ms(since_epoch(-250_000_000_000_000)), i64::MIN, "before the calendar");
    }

    #[test]
    fn a_text_that_cannot_be_kept_comes_back_as_it_was() {
        for text in ["", "plain", "a\0b", "\0", "\u{FDD0}", "\u{FDD0}0\0\u{FDD0}1", "é\0\u{2400}"]
        {
            let kept = writable(text);
            assert!(!kept.contains('\0'));
            assert_eq!(written(&kept), text);
            let json = serde_json::to_string(&[text]).expect("it is a list");
            let kept = writable_json(&json);
            assert!(!kept.contains("\\u0000"), "{kept}");
            assert_eq!(written_json(&kept), json);
        }
        assert_ne!(writable("a\0b"), writable("a\u{FDD0}0b"));
    }

    #[test]
    fn only_the_escape_of_a_nul_is_replaced() {
        assert_eq!(writable_json(r#"{"a":"x\u0000y"}"#), "{\"a\":\"x\u{FDD0}0y\"}");
        assert_eq!(writable_json(r#"{"a":"x\\u0000y"}"#), r#"{"a":"x\\u0000y"}"#);
        assert_eq!(writable_json(r#"{"a":"é\\"}"#), r#"{"a":"é\\"}"#);
    }
}
