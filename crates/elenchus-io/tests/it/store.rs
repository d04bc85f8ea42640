//! Both stores keep the contract; the SQLite one also keeps it between processes, on damage and on a full disk.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Input, Opened, Options, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, JournalRecord, SealedRecord};
use elenchus_core::port::{CorpusOverview, Lease, Store, StoreFailure};
use elenchus_core::testkit::{World, block_on, drive, store_suite};
use elenchus_io::store::{MemoryStore, SqliteOptions, SqliteStore};
use std::cell::Cell;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, &SqliteOptions::default()).unwrap()
}

#[test]
fn memory_keeps_the_contract() {
    block_on(store_suite("memory", MemoryStore::new));
}

#[test]
fn sqlite_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let next = Cell::new(0);
    block_on(store_suite("sqlite", || {
        next.set(next.get() + 1);
        open(&folder.path().join(format!("{}.db", next.get())))
    }));
}

fn first(run_id: &RunId) -> SealedRecord {
    let opened = Opened {
        run_id: run_id.clone(),
        question: "why?".to_owned(),
        options: Options::default(),
        corpus: CorpusOverview::default(),
        model: "m".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    };
    record(1, Input::Opened(opened)).seal(GENESIS)
}

fn record(seq: u64, input: Input) -> JournalRecord {
    JournalRecord { v: FORMAT, seq, at: Timestamp(100), entry: Entry::Input(Box::new(input)) }
}

fn pause(seq: u64, previous: &SealedRecord) -> SealedRecord {
    record(seq, Input::Control(Control::Pause)).seal(&previous.hash)
}

fn begun(store: &impl Store, id: &str) -> (Lease, SealedRecord) {
    let run_id = RunId::from(id);
    let first = first(&run_id);
    let lease = block_on(store.create(&run_id, "why?", &first, &[], "a", 1_000)).unwrap();
    (lease, first)
}

fn cause(error: StoreFailure) -> String {
    error.to_string()
}

#[test]
fn two_connections_see_each_other_and_a_new_one_sees_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/runs.db");
    let (one, two) = (open(&path), open(&path));
    let (lease, first) = begun(&one, "run_shared");
    let second = pause(2, &first);
    block_on(one.append(&lease, &second, &[])).unwrap();
    assert_eq!(block_on(two.tip(&lease.run_id)).unwrap().seq, 2);
    let taken = block_on(two.lease(&lease.run_id, "b", Timestamp(5_000), 1_000)).unwrap();
    let third = pause(3, &second);
    assert_eq!(
        block_on(one.append(&lease, &third, &[])).unwrap_err(),
        StoreFailure::LeaseLost(lease.run_id.clone())
    );
    block_on(two.append(&taken, &third, &[])).unwrap();
    drop((one, two));
    let again = open(&path);
    assert_eq!(block_on(again.journal(&lease.run_id)).unwrap().len(), 3);
    assert_eq!(again.check().unwrap(), Vec::<String>::new());
}

#[test]
fn nothing_of_a_deleted_run_can_be_read_out_of_a_compacted_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let store = open(&path);
    let (gone, _) = begun(&store, "run_thatgoes");
    let (stays, _) = begun(&store, "run_thatstays");
    block_on(store.delete(&gone.run_id, Timestamp(1_000_000))).unwrap();
    store.compact().unwrap();
    assert_eq!(block_on(store.journal(&stays.run_id)).unwrap().len(), 1);
    drop(store);
    let holds = |word: &str| {
        ["runs.db", "runs.db-wal"].iter().any(|name| {
            let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        })
    };
    assert!(holds("run_thatstays") && !holds("run_thatgoes"));
}

#[test]
fn many_threads_compete_for_one_lease_and_one_wins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let (lease, _) = begun(&open(&path), "run_wanted");
    for attempt in 0..20i64 {
        let now = Timestamp(10_000 + attempt * 10_000);
        let winners: Vec<Lease> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|n| {
                    let (path, run_id) = (&path, &lease.run_id);
                    scope.spawn(move || {
                        let store = open(path);
                        block_on(store.lease(
                            run_id,
                            &format!("thread {n} of {attempt}"),
                            now,
                            1_000,
                        ))
                    })
                })
                .collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap().ok()).collect()
        });
        assert_eq!(winners.len(), 1, "{winners:?}");
        assert_eq!(winners[0].token, 2 + attempt as u64);
    }
}

#[test]
fn writers_of_many_runs_do_not_lose_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    // All four open a file that does not exist yet: only one migrates it.
    std::thread::scope(|scope| {
        for n in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let store = open(path);
                let (lease, mut last) = begun(&store, &format!("run_{n}"));
                for seq in 2..=25 {
                    let next = pause(seq, &last);
                    block_on(store.append(&lease, &next, &[])).unwrap();
                    last = next;
                }
            });
        }
    });
    let store = open(&path);
    let runs = block_on(store.runs()).unwrap();
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run.records == 25));
    for run in runs {
        assert_eq!(block_on(store.journal(&run.run_id)).unwrap().len(), 25);
    }
}

/// A finished run in a file, with events.
fn kept_run(path: &Path) -> RunId {
    let world =
        World::new("harbour").document("tides.md", "The harbour tide rises 4 metres in spring.");
    let driven = drive(&world, "How far does the harbour tide rise in spring?", Options::default());
    let run_id = driven.run.id().clone();
    let store = open(path);
    let mut previous = driven.journal[0].seal(GENESIS);
    let lease =
        block_on(store.create(&run_id, "how far?", &previous, &driven.trace, "a", 1_000)).unwrap();
    for record in &driven.journal[1..] {
        let sealed = record.seal(&previous.hash);
        block_on(store.append(&lease, &sealed, &[])).unwrap();
        previous = sealed;
    }
    run_id
}

#[test]
fn the_relations_have_their_names_and_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    kept_run(&path);
    let raw = rusqlite::Connection::open(&path).unwrap();
    let count = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(count("SELECT count(*) FROM runs"), 1);
    assert!(count("SELECT count(*) FROM journal") > 3);
    assert!(count("SELECT count(*) FROM trace_events WHERE type = 'reasoning_action'") > 3);
    assert_eq!(count("SELECT count(*) FROM leases WHERE holder = 'a'"), 1);
    assert_eq!(count("SELECT count(*) FROM sources WHERE path = 'tides.md'"), 1);
    assert_eq!(count("SELECT count(*) FROM gaps WHERE status = 'resolved' AND id = 'g1'"), 1);
    assert_eq!(
        count("SELECT count(*) FROM claims WHERE text LIKE '%4 metres%' AND verdict = 'quoted'"),
        1
    );
    assert!(count("SELECT count(*) FROM reasoning_traces WHERE reasoning_type = 'thought'") > 0);
    assert_eq!(count("SELECT count(*) FROM reasoning_traces WHERE content IS NULL"), 0);
    assert_eq!(count("SELECT version FROM schema_version"), 1);
    let mode: String = raw.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_changed_journal_row_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let run_id = kept_run(&path);
    let raw = rusqlite::Connection::open(&path).unwrap();
    let kept: String =
        raw.query_row("SELECT json FROM journal WHERE seq = 3", [], |row| row.get(0)).unwrap();
    // Every byte of a record is under its hash; a stride keeps the test short.
    for at in (0..kept.len()).step_by(97) {
        let mut bytes = kept.clone().into_bytes();
        bytes[at] ^= 1;
        let changed = String::from_utf8_lossy(&bytes).into_owned();
        raw.execute("UPDATE journal SET json = ?1 WHERE seq = 3", [changed]).unwrap();
        let error = block_on(open(&path).journal(&run_id)).unwrap_err();
        assert!(matches!(error, StoreFailure::Corrupt { seq: 3, .. }), "byte {at}: {error}");
        assert!(error.to_string().contains("record 3"));
    }
    raw.execute("UPDATE journal SET json = ?1 WHERE seq = 3", [&kept]).unwrap();
    assert!(block_on(open(&path).journal(&run_id)).is_ok());
    raw.execute("UPDATE journal SET hash = 'x' WHERE seq = 2", []).unwrap();
    assert!(matches!(
        block_on(open(&path).journal(&run_id)),
        Err(StoreFailure::Corrupt { seq: 2, .. })
    ));
    assert!(!open(&path).check().unwrap().is_empty());
}

#[test]
fn missing_rows_are_named_at_the_end_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let run_id = kept_run(&path);
    let raw = rusqlite::Connection::open(&path).unwrap();
    let last: i64 = raw.query_row("SELECT max(seq) FROM journal", [], |row| row.get(0)).unwrap();
    raw.execute("DELETE FROM trace_events WHERE seq = 2", []).unwrap();
    assert!(
        cause(block_on(open(&path).events(&run_id, 0)).unwrap_err()).contains("event 2 is missing")
    );
    raw.execute("DELETE FROM journal WHERE seq = ?1", [last]).unwrap();
    let error = block_on(open(&path).journal(&run_id)).unwrap_err();
    assert!(
        matches!(error, StoreFailure::Corrupt { seq, .. } if i64::try_from(seq) == Ok(last)),
        "{error}"
    );
    raw.execute("DELETE FROM journal WHERE seq = 2", []).unwrap();
    assert!(matches!(
        block_on(open(&path).journal(&run_id)),
        Err(StoreFailure::Corrupt { seq: 3, .. })
    ));
}

#[test]
fn a_damaged_file_never_panics_and_says_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    kept_run(&path);
    let size = std::fs::metadata(&path).unwrap().len();
    let whole = std::fs::read(&path).unwrap();
    let mut refused = 0;
    for at in (0..size).step_by(1_021) {
        let mut file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        file.seek(SeekFrom::Start(at)).unwrap();
        let mut buffer = [0u8; 64];
        let length = file.read(&mut buffer).unwrap();
        for byte in &mut buffer {
            *byte ^= 0xA5;
        }
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&buffer[..length]).unwrap();
        drop(file);
        match SqliteStore::open(&path, &SqliteOptions::default()) {
            Ok(store) => {
                let listed = block_on(store.runs());
                for run in listed.unwrap_or_default() {
                    // Either what was written, or an error: never something else.
                    let _ = block_on(store.journal(&run.run_id));
                    let _ = block_on(store.events(&run.run_id, 0));
                }
                let _ = store.check();
            }
            Err(error) => {
                refused += 1;
                let text = error.to_string();
                assert!(
                    text.contains("move it away")
                        || text.contains("doctor")
                        || text.contains("another program"),
                    "{text}"
                );
            }
        }
        std::fs::write(&path, &whole).unwrap();
        let _ = std::fs::remove_file(folder.path().join("runs.db-wal"));
        let _ = std::fs::remove_file(folder.path().join("runs.db-shm"));
    }
    assert!(refused > 0);
}

#[test]
fn what_is_no_store_of_ours_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "Dear diary, ".repeat(1_000)).unwrap();
    let error = cause(SqliteStore::open(&text, &SqliteOptions::default()).unwrap_err());
    assert!(error.contains("move it away"), "{error}");
    assert_eq!(std::fs::read_to_string(&text).unwrap().len(), 12_000, "it is left as it was");
    let other = folder.path().join("other.db");
    rusqlite::Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE music (title TEXT);")
        .unwrap();
    let error = cause(SqliteStore::open(&other, &SqliteOptions::default()).unwrap_err());
    assert!(error.contains("another program"), "{error}");
    let newer = folder.path().join("newer.db");
    drop(open(&newer));
    rusqlite::Connection::open(&newer)
        .unwrap()
        .execute("INSERT INTO schema_version (version, name) VALUES (99, 'future')", [])
        .unwrap();
    let error = cause(SqliteStore::open(&newer, &SqliteOptions::default()).unwrap_err());
    assert!(error.contains("99") && error.contains("update elenchus"), "{error}");
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let options = SqliteOptions { max_bytes: Some(300_000), ..SqliteOptions::default() };
    let store = SqliteStore::open(&path, &options).unwrap();
    let (lease, mut last) = begun(&store, "run_big");
    let mut written = 1;
    let error = loop {
        let focus = Some("x".repeat(20_000));
        let input = Input::Control(Control::Redirect { focus, exclude: vec![], only: vec![] });
        let next = record(written + 1, input).seal(&last.hash);
        match block_on(store.append(&lease, &next, &[])) {
            Ok(()) => {
                last = next;
                written += 1;
            }
            Err(error) => break error,
        }
        assert!(written < 1_000);
    };
    assert!(
        error.to_string().contains("full") && error.to_string().contains("make room"),
        "{error}"
    );
    assert_eq!(block_on(store.journal(&lease.run_id)).unwrap().len() as u64, written);
    drop(store);
    // With room again the run goes on.
    let store = open(&path);
    block_on(store.append(&lease, &pause(written + 1, &last), &[])).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let store = open(&path);
    let (lease, first) = begun(&store, "run_private");
    block_on(store.append(&lease, &pause(2, &first), &[])).unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.file_name());
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    // A path below a file fails for every user, root included.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error =
        cause(SqliteStore::open(&file.join("runs.db"), &SqliteOptions::default()).unwrap_err());
    assert!(
        error.contains("could not open the store") && error.contains("choose another place"),
        "{error}"
    );
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
    if std::fs::write(closed.join("probe"), "").is_ok() {
        println!(
            "SKIP a_folder_that_cannot_be_written_is_said (second half): this user may write anywhere"
        );
        return;
    }
    let error =
        cause(SqliteStore::open(&closed.join("runs.db"), &SqliteOptions::default()).unwrap_err());
    assert!(error.contains("choose another place"), "{error}");
}

#[test]
fn a_writer_that_never_ends_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let options = SqliteOptions {
        busy_timeout: std::time::Duration::from_millis(50),
        ..SqliteOptions::default()
    };
    let store = SqliteStore::open(&path, &options).unwrap();
    let raw = rusqlite::Connection::open(&path).unwrap();
    raw.execute_batch("BEGIN IMMEDIATE").unwrap();
    let run_id = RunId::from("run_blocked");
    let error =
        cause(block_on(store.create(&run_id, "?", &first(&run_id), &[], "a", 1)).unwrap_err());
    assert!(error.contains("another process has been writing"), "{error}");
    raw.execute_batch("ROLLBACK").unwrap();
    block_on(store.create(&run_id, "?", &first(&run_id), &[], "a", 1)).unwrap();
}

#[test]
fn a_store_is_shared_between_tasks() {
    fn shared<T: Send + Sync + 'static>(_: Arc<T>) {}
    shared(Arc::new(MemoryStore::new()));
    let folder = tempfile::tempdir().unwrap();
    shared(Arc::new(open(&folder.path().join("runs.db"))));
}
