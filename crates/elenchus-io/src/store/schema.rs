//! The relations of the SQLite store and how a file comes to hold them.

use crate::bank::schema::SECOND;
use crate::migrate::Schema;

/// The schema that this version writes. Files of earlier versions are brought up to it when they are opened.
pub const SCHEMA_VERSION: i64 = 9;

const APPLICATION_ID: i64 = 0x454C_4E43;

const MIGRATIONS: [(&str, &str); SCHEMA_VERSION as usize] = [
    ("runs, journal, trace and leases", FIRST),
    ("the bank of strategies", SECOND),
    ("memos and relations", super::schema_memos::MEMOS),
    ("keys of requests", KEYS),
    ("views of what runs found", super::schema_views::VIEWS),
    ("fallacies that answers warn of", super::schema_views::WARNINGS),
    ("controls that were left for whoever drives a run", CONTROLS),
    ("what people say of runs", super::schema_views::FEEDBACK),
    ("figures of statements as they are shown", super::schema_views::SHOWN_FIGURES),
];

/// The store's file, told by "ELNC".
pub(super) static SCHEMA: Schema =
    Schema { application_id: APPLICATION_ID, migrations: &MIGRATIONS };

/// Of no run by a reference: a key is noted before its run is made.
const KEYS: &str = "
CREATE TABLE request_keys (
    key     TEXT    PRIMARY KEY,
    request TEXT    NOT NULL,
    run_id  TEXT    NOT NULL,
    at      INTEGER NOT NULL
) STRICT;
CREATE INDEX request_keys_by_time ON request_keys (at);
CREATE INDEX request_keys_by_run ON request_keys (run_id);
";

/// Taken ones stay until the run is over, so that numbers go on growing.
const CONTROLS: &str = "
CREATE TABLE controls (
    run_id   TEXT    NOT NULL REFERENCES runs ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    json     TEXT    NOT NULL,
    left_by  TEXT    NOT NULL,
    left_at  INTEGER NOT NULL,
    taken_at INTEGER,
    PRIMARY KEY (run_id, number)
) STRICT;
";

const FIRST: &str = "
CREATE TABLE runs (
    run_id      TEXT    PRIMARY KEY,
    question    TEXT    NOT NULL,
    started_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    stop_reason TEXT,
    records     INTEGER NOT NULL,
    events      INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
    run_id TEXT    NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    json   TEXT    NOT NULL,
    hash   TEXT    NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT;

CREATE TABLE trace_events (
    run_id TEXT    NOT NULL REFERENCES runs ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    type   TEXT    NOT NULL,
    json   TEXT    NOT NULL,
    PRIMARY KEY (run_id, seq)
) STRICT;
CREATE INDEX trace_events_by_type ON trace_events (run_id, type);

CREATE TABLE leases (
    run_id     TEXT    PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    holder     TEXT,
    token      INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE VIEW sources AS
SELECT run_id,
       json ->> '$.data.source_id' AS source_id,
       json ->> '$.data.path'      AS path,
       json ->> '$.data.title'     AS title,
       json ->> '$.data.author'    AS author,
       json ->  '$.data.date'      AS date,
       seq                         AS event_seq
FROM trace_events
WHERE type = 'source_added';

CREATE VIEW gaps AS
SELECT opened.run_id,
       opened.json ->> '$.data.gap_id'       AS id,
       opened.json ->> '$.data.description'  AS description,
       opened.json ->  '$.data.question_ids' AS related_question_ids,
       CASE last.type
           WHEN 'gap_resolved'  THEN 'resolved'
           WHEN 'gap_abandoned' THEN 'abandoned'
           ELSE 'active'
       END                                   AS status,
       last.json ->> '$.data.reason'         AS reason,
       last.json ->> '$.data.attempts'       AS attempt_count,
       last.json ->  '$.data.queries'        AS previous_queries
FROM trace_events AS opened
JOIN trace_events AS last
  ON last.run_id = opened.run_id
 AND last.seq = (
         SELECT max(seq) FROM trace_events AS later
         WHERE later.run_id = opened.run_id
           AND later.type IN ('gap_opened', 'gap_resolved', 'gap_abandoned', 'gap_reopened')
           AND later.json ->> '$.data.gap_id' = opened.json ->> '$.data.gap_id'
     )
WHERE opened.type = 'gap_opened';

CREATE VIEW claims AS
SELECT trace_events.run_id,
       claim.value ->> '$.id'                AS id,
       claim.value ->> '$.text'              AS text,
       claim.value ->> '$.question_id'       AS question_id,
       claim.value ->> '$.role'              AS role,
       claim.value ->> '$.value'             AS value,
       claim.value ->> '$.verdict'           AS verdict,
       claim.value ->> '$.source_span.start' AS span_start,
       claim.value ->> '$.source_span.end'   AS span_end,
       claim.value ->> '$.warrant'           AS warrant
FROM trace_events, json_each(trace_events.json, '$.data.answer.claims') AS claim
WHERE trace_events.type = 'answer_completed';

CREATE VIEW reasoning_traces AS
SELECT run_id || '/' || seq AS id,
       run_id               AS trail_id,
       seq                  AS step_index,
       substr(type, 11)     AS reasoning_type,
       coalesce(
           json ->> '$.data.content', json ->> '$.data.action',
           json ->> '$.data.conclusion', json ->> '$.data.result'
       )                    AS content,
       at                   AS created_at
FROM trace_events
WHERE type IN ('reasoning_thought', 'reasoning_action', 'reasoning_observation', 'reasoning_conclusion');
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{SqliteOptions, open_file};
    use rusqlite::Connection;

    #[test]
    fn a_file_of_version_one_is_brought_up_to_date_and_keeps_its_runs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("old.db");
        let old = Connection::open(&path).expect("it opens");
        old.execute_batch(&format!(
            "PRAGMA application_id = {APPLICATION_ID};
             CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
             {FIRST}
             INSERT INTO schema_version (version, name) VALUES (1, 'runs, journal, trace and leases');
             INSERT INTO runs VALUES ('run_1', 'why?', 1, 2, NULL, 0, 0);"
        ))
        .expect("a file of version 1");
        drop(old);
        for _ in 0..2 {
            let db = open_file(&path, &SqliteOptions::default(), "NORMAL").expect("it opens");
            assert!(SCHEMA.version(&db).is_ok_and(|version| version == SCHEMA_VERSION));
            let count = |table: &str| -> i64 {
                db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
                    .expect("the table is there")
            };
            assert_eq!((count("runs"), count("strategies"), count("signals")), (1, 0, 0));
        }
    }
}
