//! The schema on the server, and how it comes to be that of this version.

use super::cause::plain_cause;
use super::connections::SCHEMA;
use tokio_postgres::Client;

/// The name of a migration, and its statements.
type Migration = (&'static str, &'static str);

/// One migration a version, in order; each runs once, in one transaction with the note that it ran.
const KNOWN: &[Migration] = &[
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
    ("keys of what runs found, as UUIDs", crate::store::postgres::TYPED),
    ("pages of the web", crate::web::PAGES),
];

/// Told apart from other programs' locks on the same server: "ELNC".
const LOCK: i64 = 0x454C_4E43;

/// Brings the schema that the search path names to the version of this program; gives the names of what was done. Any
/// number of processes may begin at once: one does it, the others wait.
///
/// # Errors
/// Cause and way out, in words.
pub(crate) async fn migrate(client: &mut Client) -> Result<Vec<&'static str>, String> {
    migrate_by(KNOWN, client).await
}

/// The same as a program does it that knows these.
async fn migrate_by(known: &[Migration], client: &mut Client) -> Result<Vec<&'static str>, String> {
    let failed = |error: tokio_postgres::Error| plain_cause(&error);
    let newest = i64::try_from(known.len()).unwrap_or(i64::MAX);
    if version(client, newest).await? == newest {
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
    for (version, (name, sql)) in (1_i64..).zip(known) {
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

/// The version that the server has: 0 for none. One above `newest`, which this program knows, is refused.
async fn version(client: &Client, newest: i64) -> Result<i64, String> {
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
    if found > newest {
        return Err(format!(
            "it has schema version {found} and this version of elenchus knows up to {newest}; update elenchus"
        ));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pg::connect;
    use crate::pg::testkit::{run, schema, servers, told};
    use crate::store::PgStore;
    use elenchus_core::port::Store;

    /// A row for each relation, with the version that made it.
    const ROWS: &[(usize, &str, &str)] = &[
        (
            1,
            "runs",
            "INSERT INTO runs (run_id, question, started_at, updated_at, records, events, tip)
             VALUES ('run_old', 'why?', now(), now(), 1, 1, 'h')",
        ),
        (1, "journal", "INSERT INTO journal VALUES ('run_old', 1, now(), '{}', 'h')"),
        (
            1,
            "trace_events",
            r#"INSERT INTO trace_events VALUES ('run_old', 1, now(), 'gap_opened',
               '{"data": {"gap_id": "g1", "description": "which?", "question_ids": [1]}}')"#,
        ),
        (1, "leases", "INSERT INTO leases VALUES ('run_old', 'a', 3, now())"),
        (
            2,
            "strategies",
            "INSERT INTO strategies (tenant, id, project, title, description, content, outcome, tags, scope, origin,
                 lineage, from_web, standing, actor, created_at, edited_at, print, change, text_change)
             VALUES ('t', 's1', 'p', 'T', 'd', 'c', 'success', '[]', 'project', 'o',
                 '[]', false, '{}', 'a', now(), now(), 'x', 1, 1)",
        ),
        (
            3,
            "memos",
            "INSERT INTO memos (tenant, namespace, id, title, content, metadata, tags, created_at, updated_at, words,
                 embedder, step, vector)
             VALUES ('t', 'n', 'm1', 'T', 'c', '{}', '[]', now(), now(), 1, 'e', 1, '')",
        ),
        (4, "request_keys", "INSERT INTO request_keys VALUES ('k', 'r', 'run_old', now())"),
        (5, "run_notes", "INSERT INTO run_notes (run_id, json) VALUES ('run_old', '{}')"),
        (
            5,
            "put_back",
            "INSERT INTO put_back VALUES ('run_old', 'w', 'no documents', 1, now(), now())",
        ),
        (
            8,
            "controls",
            "INSERT INTO controls (run_id, json, left_by, left_at) VALUES ('run_old', '{}', 'a', now())",
        ),
        (
            9,
            "feedback",
            "INSERT INTO feedback VALUES ('run_old', 'export', 'md', 'ann', 'exported', NULL, NULL, now())",
        ),
    ];

    /// Two processes of this version begin at once over a schema that one of an earlier version made and filled.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_schema_of_any_earlier_version_is_brought_up_to_date_and_keeps_its_rows() {
        const TEST: &str =
            "a_schema_of_any_earlier_version_is_brought_up_to_date_and_keeps_its_rows";
        for (at, server) in servers(TEST).iter().enumerate() {
            // What the statements mean is no matter of the server's version; that they run at all is.
            let last = if at == 0 { KNOWN.len() } else { 2 };
            for earlier in 1..last {
                let url = schema(server).await.unwrap();
                let (mut one, mut two) =
                    (connect(&url).await.unwrap(), connect(&url).await.unwrap());
                migrate_by(&KNOWN[..earlier], &mut one).await.unwrap();
                let there: Vec<_> = ROWS.iter().filter(|(made, ..)| *made <= earlier).collect();
                let filling: Vec<&str> = there.iter().map(|(.., sql)| *sql).collect();
                run(&url, &filling.join(";")).await.unwrap();
                let (a, b) = tokio::join!(migrate(&mut one), migrate(&mut two));
                let done = a.unwrap().len() + b.unwrap().len();
                assert_eq!(done, KNOWN.len() - earlier, "each once, from version {earlier}");
                let store = PgStore::open(&url).await.unwrap();
                let kept = store.runs().await.unwrap();
                assert_eq!(kept.len(), 1, "from version {earlier}");
                assert_eq!((kept[0].question.as_str(), kept[0].records), ("why?", 1));
                for (_, relation, _) in &there {
                    let count = told(&url, &format!("SELECT count(*) FROM {relation}")).await;
                    assert_eq!(count.as_deref(), Ok("1"), "{relation} from version {earlier}");
                }
                // Views that came later show what was there before.
                let gap = told(&url, "SELECT description || status FROM gaps").await;
                assert_eq!(gap.as_deref(), Ok("which?active"), "from version {earlier}");
                let old = migrate_by(&KNOWN[..earlier], &mut one).await.unwrap_err();
                assert!(old.contains("update elenchus"), "{old}");
            }
        }
    }

    #[test]
    fn each_row_is_of_a_relation_that_a_migration_makes() {
        assert!(ROWS.iter().all(|(made, ..)| (1..=KNOWN.len()).contains(made)));
        let made: String = KNOWN.iter().map(|(_, sql)| *sql).collect();
        for (_, relation, sql) in ROWS {
            assert!(made.contains(&format!("CREATE TABLE {relation} (")), "{relation}");
            assert!(sql.contains(&format!("INTO {relation} ")), "{relation}");
        }
    }
}
