//! A disk that is full after any number of pages: what was said to be kept is kept, nothing is kept by half, and with room again it
//! goes on. The store of runs has a test of its own (`store.rs`), the index one beside it (`retrieve/full_disk.rs`).

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::bank::{BankSettings, Caller, Draft, Origin, Outcome, Scope};
use elenchus_core::graph::Memo;
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::port::{Bank, BankFailure, MemoFailure, Memos};
use elenchus_core::testkit::block_on;
use elenchus_io::bank::SqliteBank;
use elenchus_io::memos::SqliteMemos;
use elenchus_io::store::SqliteOptions;
use std::collections::BTreeMap;
use std::path::Path;

/// Things that are kept one after another.
const THINGS: usize = 4;
/// Bytes of a page, and pages by which the room grows from one try to the next.
const PAGE: u64 = 4096;
const GROWS: usize = 4;

/// Tries with ever more room until everything fits: `keep` keeps one thing after another in the file and gives how many it was told
/// are kept, and `kept` counts what is there.
fn fill(
    make: impl Fn(&Path, &SqliteOptions),
    keep: impl Fn(&Path, &SqliteOptions) -> usize,
    kept: impl Fn(&Path) -> usize,
) {
    let folder = tempfile::tempdir().unwrap();
    let (empty, file) = (folder.path().join("empty.db"), folder.path().join("full.db"));
    make(&empty, &SqliteOptions::default());
    let size = std::fs::metadata(&empty).unwrap().len();
    for (full, pages) in (0_u64..400).step_by(GROWS).enumerate() {
        std::fs::copy(&empty, &file).unwrap();
        let room =
            SqliteOptions { max_bytes: Some(size + PAGE * pages), ..SqliteOptions::default() };
        let said = keep(&file, &room);
        assert_eq!(kept(&file), said, "with {pages} pages more");
        if said == THINGS {
            assert!(full > 0, "the disk was never full");
            return;
        }
        // With room again the rest is kept as well.
        assert_eq!(keep(&file, &SqliteOptions::default()), THINGS, "with {pages} pages more");
        assert_eq!(kept(&file), THINGS);
        std::fs::remove_file(&file).unwrap();
    }
    unreachable!("it never fits");
}

#[test]
fn the_bank_keeps_what_it_said_it_keeps() {
    let caller = Caller::local("garden");
    let open = |path: &Path, options: &SqliteOptions| {
        SqliteBank::open(path, options, BankSettings::default(), None).unwrap()
    };
    let draft = |n: usize| Draft {
        title: format!("Look after bed {n}"),
        description: format!("When bed {n} is dry"),
        content: format!("Bed {n} wants water early. ").repeat(60),
        outcome: Outcome::Success,
        tags: Vec::new(),
        scope: Scope::Project,
        origin: Origin::Explicit,
        source_session: None,
        lineage: Vec::new(),
        from_web: false,
    };
    fill(
        |path, options| drop(open(path, options)),
        |path, options| {
            let bank = open(path, options);
            let record = |n: &usize| {
                let recorded = block_on(bank.record(&caller, &draft(*n), Timestamp(1)));
                assert!(matches!(recorded, Ok(_) | Err(BankFailure::Io { .. })), "{recorded:?}");
                recorded.is_ok()
            };
            (0..THINGS).take_while(record).count()
        },
        |path| {
            let bank = open(path, &SqliteOptions::default());
            block_on(bank.export(&caller)).unwrap().len()
        },
    );
}

#[test]
fn memos_that_were_said_to_be_saved_are_there() {
    let open = |path: &Path, options: &SqliteOptions| SqliteMemos::open(path, options).unwrap();
    let ids: Vec<MemoId> = (0..THINGS).map(|n| MemoId::from(format!("m{n}").as_str())).collect();
    let memo = |n: usize| Memo {
        id: ids[n].clone(),
        namespace: "n".to_owned(),
        title: format!("Lamp {n}"),
        content: format!("Lamp {n} was lit at dusk. ").repeat(200),
        metadata: BTreeMap::new(),
        tags: vec![],
        created_at: Timestamp(1),
        updated_at: Timestamp(1),
    };
    fill(
        |path, options| drop(open(path, options)),
        |path, options| {
            let memos = open(path, options);
            let save = |n: &usize| {
                let saved = block_on(memos.save("ann", &memo(*n)));
                assert!(matches!(saved, Ok(()) | Err(MemoFailure::Io { .. })), "{saved:?}");
                saved.is_ok()
            };
            (0..THINGS).take_while(save).count()
        },
        |path| {
            let memos = open(path, &SqliteOptions::default());
            block_on(memos.get("ann", "n", &ids)).unwrap().len()
        },
    );
}
