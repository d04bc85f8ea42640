use super::*;
use rusqlite::Connection;
use std::path::Path;

/// Seven runs of 300 records each, so that pages begin within runs, and as many keys of requests as fill two pages.
const FILLED: &str = "
INSERT INTO runs
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 7)
SELECT 'run_' || i, 'why ' || i || '?', i, i, 'answered', 300, 0 FROM n;
INSERT INTO journal
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
SELECT run_id, i, i, '{\"n\": ' || i || '}', run_id || '/' || i FROM runs, n;
INSERT INTO request_keys
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
SELECT 'key ' || i, 'request', 'run_1', i FROM n;
";

const NOW: Timestamp = Timestamp(1_000_000);

/// Of runs that have read no page of the web.
fn unread() -> Pages {
    Pages { from: Some(PathBuf::new()), to: Some(PathBuf::new()) }
}

/// A store that holds what a script puts into it.
fn holding(path: &Path, script: &str) -> File {
    let made = file(path.to_owned()).expect("it opens");
    told(path, script);
    made
}

fn told(path: &Path, script: &str) {
    Connection::open(path)
        .and_then(|connection| connection.execute_batch(script))
        .expect("it is written");
}

fn rows_of(path: &Path, relation: &str) -> i64 {
    Connection::open(path)
        .and_then(|connection| {
            connection.query_row(&format!("SELECT count(*) FROM {relation}"), [], |row| row.get(0))
        })
        .expect("the relation is there")
}

#[test]
fn every_row_arrives_however_many_pages_there_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    let from = holding(&one, FILLED);
    let copied = move_between(&from, &holding(&two, ""), &unread(), NOW).expect("it is copied");
    let rows = |name: &str| copied.iter().find(|one| one.relation == name).map(|one| one.rows);
    assert_eq!(
        [rows("runs"), rows("journal"), rows("request_keys"), rows("memos")],
        [Some(7), Some(2_100), Some(1_000), Some(0)]
    );
    // Not only by the word of what copied them.
    let both = Connection::open(&two).expect("it opens");
    both.execute("ATTACH ?1 AS one", [one.to_string_lossy()]).expect("it is there");
    for relation in ["runs", "journal", "request_keys"] {
        for (of, without) in [("one", "main"), ("main", "one")] {
            let sql = format!(
                "SELECT count(*) FROM (SELECT * FROM {of}.{relation} EXCEPT SELECT * FROM {without}.{relation})"
            );
            let more: i64 = both.query_row(&sql, [], |row| row.get(0)).expect("both are read");
            assert_eq!(more, 0, "rows of {relation} in {of} alone");
        }
    }
}

#[test]
fn a_row_that_arrives_otherwise_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    let from = holding(&one, FILLED);
    let to = holding(
        &two,
        "CREATE TRIGGER worm AFTER INSERT ON journal WHEN NEW.seq = 299 BEGIN
             UPDATE journal SET json = '{}' WHERE run_id = NEW.run_id AND seq = NEW.seq;
         END;",
    );
    let told = move_between(&from, &to, &unread(), NOW).expect_err("seven rows differ").to_string();
    assert!(told.contains("of 2100 rows of journal 2093 arrived"), "{told}");
    assert_eq!([rows_of(&two, "runs"), rows_of(&two, "journal")], [0, 0]);
}

#[test]
fn a_store_that_holds_anything_is_not_copied_to() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let from = holding(&folder.path().join("from.db"), FILLED);
    for (at, (relation, row)) in [
        ("runs", "'run_9', 'why?', 1, 1, NULL, 0, 0"),
        ("request_keys", "'key', 'request', 'run_9', 1"),
        ("bank_changes", "'north', 1, 0"),
    ]
    .into_iter()
    .enumerate()
    {
        let path = folder.path().join(format!("{at}.db"));
        let to = holding(&path, &format!("INSERT INTO {relation} VALUES ({row});"));
        let told =
            move_between(&from, &to, &unread(), NOW).expect_err("it is not empty").to_string();
        assert!(told.contains(&format!("holds 1 rows of {relation} already")), "{told}");
        assert_eq!((rows_of(&path, relation), rows_of(&path, "journal")), (1, 0));
    }
}

#[test]
fn what_somebody_drives_is_not_copied_and_what_nobody_does_any_more_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [one, two] = ["one.db", "two.db"].map(|name| folder.path().join(name));
    let lease = format!("INSERT INTO leases VALUES ('run_3', 'somebody', 4, {});", NOW.0 + 1);
    let from = holding(&one, &format!("{FILLED}{lease}"));
    let to = holding(&two, "");
    let said = move_between(&from, &to, &unread(), NOW).expect_err("run_3 is driven").to_string();
    assert!(said.contains("somebody drives run_3"), "{said}");
    assert_eq!(rows_of(&two, "runs"), 0);
    move_between(&from, &to, &unread(), Timestamp(NOW.0 + 1)).expect("the lease has run out");
    let connection = Connection::open(&two).expect("it opens");
    let left: (Option<String>, i64) = connection
        .query_row("SELECT holder, token FROM leases WHERE run_id = 'run_3'", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .expect("the lease went along");
    assert_eq!(left, (None, 4), "nobody holds it, and an old holder stays refused");
}
