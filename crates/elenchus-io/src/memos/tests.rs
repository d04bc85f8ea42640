//! The SQLite adapter: the contract of the port, and what people and attackers write into text fields.

use super::{RemoteSettings, SqliteMemos};
use crate::store::SqliteOptions;
use elenchus_core::bank::Caller;
use elenchus_core::graph::{Memo, Relation, Walls};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{MemoFailure, MemoFilter, Memos};
use elenchus_core::testkit::{block_on, memos_suite};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn open(path: &Path) -> SqliteMemos {
    SqliteMemos::open(path, &SqliteOptions::default()).expect("the file opens")
}

#[test]
fn it_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let next = Cell::new(0);
    block_on(memos_suite("sqlite", || {
        next.set(next.get() + 1);
        open(&folder.path().join(format!("{}.db", next.get())))
    }));
}

#[test]
fn whose_memos_there_are_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memos = open(&folder.path().join("a.db"));
    assert_eq!(block_on(memos.tenants()), Ok(Vec::new()));
    for tenant in ["zoe", "ann", "zoe"] {
        block_on(memos.save(tenant, &memo("a", "Lamp", "It was lit."))).expect("it is saved");
    }
    assert_eq!(block_on(memos.tenants()), Ok(vec!["ann".to_owned(), "zoe".to_owned()]));
}

fn memo(id: &str, title: &str, content: &str) -> Memo {
    Memo {
        id: id.into(),
        namespace: "n".to_owned(),
        title: title.to_owned(),
        content: content.to_owned(),
        metadata: BTreeMap::new(),
        tags: vec![],
        created_at: Timestamp(1),
        updated_at: Timestamp(1),
    }
}

/// The texts of a file of attacks: the string fields of JSON lines, the strings of a JSON list, or lines.
fn attacks(name: &str) -> Vec<String> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(root.join("attacks").join(name)) else {
        println!("skip: no data: attacks/{name}; set ELENCHUS_DATA to the folder that holds it");
        return Vec::new();
    };
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).expect("it is a list of strings");
    }
    text.lines()
        .map(|line| match serde_json::from_str::<BTreeMap<String, serde_json::Value>>(line) {
            Ok(fields) => ["payload", "query"]
                .iter()
                .find_map(|name| fields.get(*name)?.as_str().map(str::to_owned))
                .unwrap_or_default(),
            Err(_) => line.to_owned(),
        })
        .filter(|text| !text.is_empty())
        .collect()
}

/// Every field gets every attack: what is taken comes back as it was, what is refused says why, and nothing else changes.
#[test]
fn attacks_in_every_text_field_leave_no_extra_row() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memos = open(&folder.path().join("memos.db"));
    let all = MemoFilter::default();
    block_on(async {
        for id in ["a", "b"] {
            memos.save("t", &memo(id, "Title", "Plain text.")).await.expect("it is saved");
        }
        let mut tried = 0;
        let apart = if std::env::var_os("ELENCHUS_NIGHTLY").is_some() { 1 } else { 8 };
        for name in [
            "sql/own_fts5_queries.jsonl",
            "sql/patt_sqli_polyglots.txt",
            "sql/patt_sqlite_postgres.jsonl",
            "sql/payloadbox_sqli.jsonl",
            "naughty/blns.json",
        ] {
            for (n, text) in attacks(name).into_iter().enumerate() {
                // The payload lists are long and alike; the night tries them all.
                if name.contains("payloadbox") && n % apart != 0 {
                    continue;
                }
                tried += 1;
                let found = memos.search("t", &text, &all).await;
                assert!(
                    found.is_ok() || matches!(found, Err(MemoFailure::Refused { .. })),
                    "{text:?}: {found:?}"
                );
                let mut odd = memo("odd", &text, &text);
                odd.tags = vec![text.clone()];
                odd.metadata.insert(text.clone(), text.clone().into());
                let saved = [
                    memos.save("t", &odd).await,
                    memos
                        .save("t", &Memo { id: text.as_str().into(), tags: vec![], ..odd.clone() })
                        .await,
                    memos
                        .save("t", &Memo { namespace: text.clone(), tags: vec![], ..odd.clone() })
                        .await,
                ];
                let taken = saved.iter().filter(|one| one.is_ok()).count();
                for refused in saved.iter().filter_map(|one| one.as_ref().err()) {
                    assert!(matches!(refused, MemoFailure::Refused { .. }), "{text:?}: {refused}");
                }
                let relation = Relation {
                    namespace: "n".to_owned(),
                    source: "a".into(),
                    target: "b".into(),
                    tag: text.clone(),
                    weight: 0.5,
                    reason: Some(text.clone()),
                    created_at: Timestamp(1),
                    times: 1,
                };
                let related = memos.relate("t", &relation).await.is_ok();
                let held = memos.list("t", &all).await.expect("it can be listed");
                assert_eq!(held.len(), 2 + taken, "{text:?}");
                assert!(held.iter().all(|one| one.content == "Plain text." || one.content == text));
                let relations = memos.relations("t", &all).await.expect("they can be listed");
                assert_eq!(relations.len(), usize::from(related), "{text:?}");
                for one in held.iter().filter(|one| one.content == text) {
                    memos.delete("t", &one.namespace, &one.id).await.expect("it can be deleted");
                }
                memos.unrelate("t", &relation).await.ok();
                assert_eq!(
                    memos.list(&text, &all).await.map(|found| found.len()),
                    Ok(0),
                    "a tenant is only a name"
                );
            }
        }
        println!("attacks_in_every_text_field: {tried} texts");
    });
}

#[test]
fn another_embedder_embeds_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("memos.db");
    block_on(async {
        let memos = open(&path);
        memos
            .save("t", &memo("a", "Pets", "The dog sleeps on the sofa."))
            .await
            .expect("it is saved");
        let quay = Memo { namespace: "project/quay".to_owned(), ..memo("b", "Pets", "A dog.") };
        memos.save("t", &quay).await.expect("it is saved");
        drop(memos);
        let file = rusqlite::Connection::open(&path).expect("the file opens");
        file.execute("UPDATE memos SET embedder = 'older', vector = x'00', step = 0", [])
            .expect("it is changed");
        let memos = open(&path);
        let old = || -> i64 {
            let sql = "SELECT count(*) FROM memos WHERE embedder = 'older'";
            file.query_row(sql, [], |row| row.get(0)).expect("it can be counted")
        };
        let home = Caller::local("harbour");
        let walls = Some(Walls::of(&home, &home));
        let within = MemoFilter { walls, ..MemoFilter::default() };
        let found = memos.search("t", "The puppy rests on a couch", &within).await;
        assert_eq!(found.expect("it can be searched").len(), 1, "it is found by its meaning alone");
        assert_eq!(old(), 1, "what is beyond the walls is left to whom it belongs to");
        memos.search("t", "dog", &MemoFilter::default()).await.expect("it can be searched");
        assert_eq!(old(), 0);
    });
}

#[test]
fn many_processes_write_and_search() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("memos.db");
    std::thread::scope(|scope| {
        for writer in 0..6 {
            let path = &path;
            scope.spawn(move || {
                let memos = open(path);
                block_on(async {
                    for n in 0..20 {
                        let one = memo(
                            &format!("w{writer}-{n}"),
                            "Note",
                            &format!("number {n} of {writer}"),
                        );
                        memos.save("t", &one).await.expect("it is saved");
                        memos
                            .search("t", "number", &MemoFilter::default())
                            .await
                            .expect("it is searched");
                    }
                });
            });
        }
    });
    let memos = open(&path);
    let held = block_on(memos.list("t", &MemoFilter::default())).expect("it can be listed");
    assert_eq!(held.len(), 120);
}

#[test]
fn what_is_beyond_walls_weighs_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = Caller::local("harbour");
    let mut all = Vec::new();
    for (shared, file) in [(false, "alone.db"), (true, "shared.db")] {
        let memos = open(&folder.path().join(file));
        let put = |namespace: &str, id: &str, content: &str| {
            let memo = Memo { namespace: namespace.to_owned(), ..memo(id, "Note", content) };
            block_on(memos.save("t", &memo)).expect("it is saved");
        };
        put("project/quay", "a", "The crane lifts a rare turbine.");
        put("project/quay/x", "b", "The crane stands still in a common storm that lasts for days.");
        if shared {
            for n in 0..20 {
                put("project/harbour", &format!("h{n}"), "turbine turbine crane");
                put("default", &format!("d{n}"), "A turbine.");
            }
        }
        let walls = Some(Walls::of(&Caller::local("quay"), &home));
        let filter = MemoFilter { walls, ..MemoFilter::default() };
        all.push(block_on(memos.search("t", "turbine crane", &filter)).expect("it is searched"));
    }
    assert_eq!(all[0].len(), 2);
    assert_eq!(all[0], all[1], "neither rows nor scores come from other projects");
}

#[test]
fn the_variables_of_seed_002_are_read() {
    let set = |pairs: &[(&str, &str)]| {
        let pairs: BTreeMap<String, String> =
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        RemoteSettings::from_variables(|name| pairs.get(name).cloned())
    };
    assert_eq!(set(&[("MEMORY_HTTP_BEARER_TOKEN", "t")]), Ok(None));
    assert_eq!(set(&[("MEMORY_HTTP_URL", " ")]), Ok(None));
    let settings = set(&[
        ("MEMORY_HTTP_URL", "http://127.0.0.1:9/memory"),
        ("MEMORY_HTTP_BEARER_TOKEN", "secret"),
        ("MEMORY_HTTP_TIMEOUT_MS", "250"),
    ]);
    let settings = settings.expect("they are good").expect("they are set");
    assert_eq!(settings.timeout, Duration::from_millis(250));
    assert!(!format!("{settings:?}").contains("secret"));
    for (given, asked) in [
        ("http://127.0.0.1:9", "http://127.0.0.1:9/memory"),
        ("https://far.example/", "https://far.example/memory"),
        ("https://far.example/memory/", "https://far.example/memory"),
        ("https://far.example/notes/graph", "https://far.example/notes/graph"),
    ] {
        let settings = set(&[("MEMORY_HTTP_URL", given)]).expect("it is good").expect("it is set");
        assert_eq!(settings.url.as_str(), asked, "{given}");
    }
    for (name, value) in [
        ("MEMORY_HTTP_URL", "localhost"),
        ("MEMORY_HTTP_URL", "file:///etc/passwd"),
        ("MEMORY_HTTP_TIMEOUT_MS", "soon"),
        ("MEMORY_HTTP_TIMEOUT_MS", "0"),
        ("MEMORY_HTTP_BEARER_TOKEN", "a b"),
    ] {
        let refused = set(&[("MEMORY_HTTP_URL", "http://x/memory"), (name, value)]);
        let said = refused.expect_err(value).to_string();
        assert!(said.contains(name) && !said.contains("a b"), "{said}");
    }
}
