//! The schema on the server, and how it comes to be that of this version.

use super::cause::plain_cause;
use super::connections::SCHEMA;
use tokio_postgres::Client;

/// One migration a version, in order, with a name; each runs once, in one transaction with the note that it ran.
const KNOWN: &[(&str, &str)] = &[
    ("runs, journal, trace and leases", crate::store::postgres::FIRST),
    ("the bank of strategies", crate::bank::schema_pg::SECOND),
    ("memos and relations", crate::memos::schema_pg::THIRD),
    ("keys of requests", crate::store::postgres::KEYS),
    ("notes of runs, and why workers put them back", crate::store::postgres::NOTES),
    ("views of what runs found", crate::store::postgres::VIEWS),
    ("fallacies that answers warn of", crate::store::postgres::WARNINGS),
    ("controls that were left for whoever drives a run", crate::store::postgres::CONTROLS),
    ("what people say of runs", crate::store::postgres::FEEDBACK),
    ("figures of statements as they are shown", crate::store::postgres::SHOWN_FIGURES),
];

/// Told apart from other programs' locks on the same server: "ELNC".
const LOCK: i64 = 0x454C_4E43;

/// The version of this program.
fn newest() -> i64 {
    i64::try_from(KNOWN.len()).unwrap_or(i64::MAX)
}

/// Brings the schema that the search path names to the version of this program; gives the names of what was done. Any
/// number of processes may begin at once: one does it, the others wait.
///
/// # Errors
/// Cause and way out, in words.
pub(crate) async fn migrate(client: &mut Client) -> Result<Vec<&'static str>, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    if version(client).await? == newest() {
        return Ok(Vec::new());
    }
    let change = client.transaction().await.map_err(failed)?;
    // Until the end of the transaction; the version is read again under it.
    change.query_one("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await.map_err(failed)?;
    let row = change
        .query_one(
            "SELECT current_schema() IS NULL AND current_setting('search_path') = $1",
            &[&SCHEMA],
        )
        .await
        .map_err(failed)?;
    if row.try_get(0).map_err(failed)? {
        change
            .batch_execute(&format!("CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
            .await
            .map_err(failed)?;
    }
    change
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS schema_version (
                 version BIGINT PRIMARY KEY, name TEXT NOT NULL, made_at TIMESTAMPTZ NOT NULL DEFAULT now())",
        )
        .await
        .map_err(failed)?;
    let row = change
        .query_one("SELECT coalesce(max(version), 0) FROM schema_version", &[])
        .await
        .map_err(failed)?;
    let from: i64 = row.try_get(0).map_err(failed)?;
    let mut done = Vec::new();
    for (version, (name, sql)) in (1_i64..).zip(KNOWN) {
        if version > from {
            change.batch_execute(sql).await.map_err(|error| {
                format!("migration {version} ({name}): {}", plain_cause(&error))
            })?;
            change
                .execute(
                    "INSERT INTO schema_version (version, name) VALUES ($1, $2)",
                    &[&version, name],
                )
                .await
                .map_err(failed)?;
            done.push(*name);
        }
    }
    change.commit().await.map_err(failed)?;
    Ok(done)
}

/// The version that the server has: 0 for none.
async fn version(client: &Client) -> Result<i64, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    let there: bool = client
        .query_one("SELECT to_regclass('schema_version') IS NOT NULL", &[])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    if !there {
        return Ok(0);
    }
    let found: i64 = client
        .query_one("SELECT coalesce(max(version), 0) FROM schema_version", &[])
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    if found > newest() {
        return Err(format!(
            "it has schema version {found} and this version of elenchus knows up to {}; update elenchus",
            newest()
        ));
    }
    Ok(found)
}
