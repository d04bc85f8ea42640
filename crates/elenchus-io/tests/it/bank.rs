//! The bank keeps its contract, in memory and in a file; also between processes, over a migration, and under attack.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{Bank, Queued};
use elenchus_core::testkit::{bank_suite, block_on};
use elenchus_io::bank::SqliteBank;
use elenchus_io::retrieve::builtin_vectors;
use elenchus_io::store::SqliteOptions;
use std::cell::Cell;
use std::path::Path;

fn settings() -> BankSettings {
    BankSettings { exploration: 0.0, ..BankSettings::default() }
}

fn open(path: &Path) -> SqliteBank {
    SqliteBank::open(path, &SqliteOptions::default(), settings(), Some(builtin_vectors())).unwrap()
}

#[test]
fn in_memory_it_keeps_the_contract() {
    block_on(bank_suite("memory", || SqliteBank::in_memory(settings()).unwrap()));
}

#[test]
fn in_a_file_it_keeps_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let next = Cell::new(0);
    block_on(bank_suite("sqlite", || {
        next.set(next.get() + 1);
        open(&folder.path().join(format!("{}.db", next.get())))
    }));
}

#[test]
fn sessions_before_a_time_are_forgotten_and_those_of_others_stay() {
    let bank = SqliteBank::in_memory(settings()).unwrap();
    let (ours, theirs) = (Caller::local("ours"), Caller::local("theirs"));
    for (caller, name, at) in [(&ours, "s1", 10), (&ours, "s2", 20), (&theirs, "s1", 10)] {
        let session = Queued {
            id: 0,
            caller: caller.clone(),
            session_id: name.to_owned(),
            outcome: None,
            trace: "It was asked and answered.".to_owned(),
            from_web: false,
            shown: Vec::new(),
            attempts: 0,
        };
        assert!(block_on(bank.queue(caller, &session, Timestamp(at))).unwrap());
    }
    let both = [("local", "ours"), ("local", "theirs")];
    let both = both.map(|(tenant, project)| (tenant.to_owned(), project.to_owned()));
    assert_eq!(block_on(bank.projects()).unwrap(), both);
    assert_eq!(block_on(bank.count_sessions(&ours, Some(Timestamp(20)))).unwrap(), 1);
    assert_eq!(block_on(bank.forget_sessions(&ours, Some(Timestamp(20)))).unwrap(), 1);
    assert_eq!(block_on(bank.forget_sessions(&ours, None)).unwrap(), 1);
    assert_eq!(block_on(bank.count_sessions(&ours, None)).unwrap(), 0);
    assert_eq!(block_on(bank.count_sessions(&theirs, None)).unwrap(), 1);
}
