//! The bank keeps its contract, in memory and in a file; also between processes, over a migration, and under attack.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::bank::{BankSettings, Caller, Draft, Origin, Outcome, Scope};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{Bank, Listing, Queued, Recall};
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

/// Of the real vectors: one word by chance, and the same matter in other words.
#[test]
fn a_run_is_not_told_what_bears_on_something_else_and_a_person_is_told_that_it_does() {
    let folder = tempfile::tempdir().unwrap();
    let bank = open(&folder.path().join("bank.db"));
    let caller = Caller::local("garden");
    let draft = Draft {
        title: "Water the seedlings early".to_owned(),
        description: "When leaves have brown spots".to_owned(),
        content: "Evening watering spreads blight, and half of the harvest was lost.".to_owned(),
        outcome: Outcome::Success,
        tags: Vec::new(),
        scope: Scope::Project,
        origin: Origin::Explicit,
        source_session: None,
        lineage: Vec::new(),
        from_web: false,
    };
    block_on(bank.record(&caller, &draft, Timestamp(1))).unwrap();
    let search = |query: &str, for_prompt| {
        let recall = Recall {
            query: query.to_owned(),
            scope: None,
            outcome: None,
            limit: 5,
            min_confidence: 0.5,
            session_id: "run_1".to_owned(),
            for_prompt,
        };
        block_on(bank.search(&caller, &recall, Timestamp(2))).unwrap()
    };
    let other = "How many letters of the poet were lost at sea?";
    let told = search(other, true);
    assert!(told.memories.is_empty(), "{told:?}");
    assert_eq!((told.total_found, told.hidden_as_far), (0, 1));
    assert!(search(other, false).memories[0].far);
    for near in ["Why do my tomato leaves have brown spots?", "brown leaves"] {
        let told = search(near, true);
        assert_eq!((told.memories.len(), told.hidden_as_far), (1, 0), "{near}: {told:?}");
        assert!(!told.memories[0].far);
    }
    // Shown or not, being far is held against nobody.
    let held = block_on(bank.list(&caller, &Listing::default(), Timestamp(3))).unwrap();
    assert!((held[0].confidence - 0.8).abs() < 1e-9);
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
