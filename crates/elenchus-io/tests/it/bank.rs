//! The bank keeps its contract, in memory and in a file; also between processes, over a migration, and under attack.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::bank_apart::Draws;
use elenchus_core::bank::{BankSettings, Caller, Draft, Origin, Outcome, Scope, SignalKind};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::port::{Bank, Listing, Queued, Recall, SignalGiven, Signalled};
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

/// A strategy of a project.
fn recorded(bank: &SqliteBank, caller: &Caller, content: &str) -> StrategyId {
    let draft = Draft {
        title: "Count the rows".to_owned(),
        description: "When a table is long".to_owned(),
        content: content.to_owned(),
        outcome: Outcome::Success,
        tags: Vec::new(),
        scope: Scope::Project,
        origin: Origin::Explicit,
        source_session: None,
        lineage: Vec::new(),
        from_web: false,
    };
    block_on(bank.record(caller, &draft, Timestamp(1))).unwrap().held.strategy.id
}

/// One actor says something of a strategy, in a session of that name.
fn says(
    bank: &SqliteBank,
    (project, actor): (&str, &str),
    id: &StrategyId,
    (kind, positive): (SignalKind, bool),
    at: i64,
) -> Signalled {
    let caller = Caller { actor: actor.to_owned(), ..Caller::local(project) };
    let given = SignalGiven {
        memory_id: id.clone(),
        kind,
        positive,
        session_id: format!("run of {actor}"),
        search_id: None,
        comment: None,
        share: 1.0,
    };
    block_on(bank.signal(&caller, &given, Timestamp(at))).unwrap()
}

/// Twenty votes that outcomes had said before give outcomes their weight. The first vote of the other kind shows how little
/// twenty of one kind prove, and takes some of it away, from fifteen failures as well.
#[test]
fn blame_lowers_although_it_takes_weight_from_failures() {
    let bank = SqliteBank::in_memory(settings()).unwrap();
    let caller = Caller::local("p");
    let good = recorded(&bank, &caller, "Count them twice.");
    let bad = recorded(&bank, &caller, "Count them never.");
    for kind in [SignalKind::Outcome, SignalKind::Explicit] {
        for n in 0..20 {
            says(&bank, ("p", &format!("user {n}")), &good, (kind, true), 10 + n);
        }
    }
    for n in 0..15 {
        says(&bank, ("p", &format!("user {n}")), &bad, (SignalKind::Outcome, false), 50 + n);
    }
    let before = block_on(bank.get(&caller, &bad, Timestamp(100))).unwrap().confidence;
    assert!((before - 0.1552).abs() < 1e-3, "{before}");
    let told = says(&bank, ("p", "ann"), &bad, (SignalKind::Explicit, false), 100);
    assert!(told.confidence < before, "{} {before}", told.confidence);
    let held = block_on(bank.get(&caller, &bad, Timestamp(100))).unwrap();
    assert!((held.confidence - told.confidence).abs() < 1e-12, "and it is believed as was told");
}

/// Whatever was said before, and whatever the project learns of it: a vote moves its strategy its way, and a report never
/// moves it the other.
#[test]
fn helpful_always_raises_and_unhelpful_always_lowers_in_a_bank() {
    let bank = SqliteBank::in_memory(settings()).unwrap();
    let mut draws = Draws(0x5DEE_CE66);
    let mut votes = 0;
    for project in 0..12 {
        let name = format!("p{project}");
        let caller = Caller::local(&*name);
        let ids = ["First.", "Second.", "Third."].map(|text| recorded(&bank, &caller, text));
        let mut at = 10;
        for _ in 0..40 {
            at += 1 + draws.ms(40_000_000);
            let id = &ids[draws.below(ids.len())];
            let kind = [SignalKind::Outcome, SignalKind::Outcome, SignalKind::Explicit];
            let kind = kind[draws.below(kind.len())];
            // Mostly of one mind, which differs from project to project: then weights move farthest.
            let positive = (draws.below(6) > 0) == (project % 2 == 0);
            let actor = format!("a{}", draws.below(9));
            let before = block_on(bank.get(&caller, id, Timestamp(at))).unwrap().confidence;
            let told = says(&bank, (&name, &actor), id, (kind, positive), at);
            let moved = told.confidence - before;
            let its_way = if positive { moved } else { -moved };
            if !told.recorded {
                assert!(moved.abs() < 1e-12, "{moved}");
            } else if kind == SignalKind::Explicit {
                votes += 1;
                assert!(its_way > 0.0, "{name} {actor} {positive}: {before} {moved}");
            } else {
                assert!(its_way > -1e-12, "{name} {actor} {positive}: {before} {moved}");
            }
        }
    }
    assert!(votes > 50, "{votes}");
}
