//! The memos on real PostgreSQL servers: the contract, the same answers as the file whatever is done, and many who write at
//! once.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::bank_apart::{Draws, block_on};
use crate::bank_postgres::runtime;
use elenchus_core::bank::Caller;
use elenchus_core::graph::{Direction, Memo, Relation, Walls};
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::port::{MemoFilter, Memos, Reach};
use elenchus_core::testkit::memos_suite;
use elenchus_io::memos::{PgMemos, SqliteMemos};
use elenchus_io::pg::testkit::{run, schema, servers};
use elenchus_io::store::SqliteOptions;
use std::collections::BTreeMap;
use tokio::runtime::Runtime;

fn on(runtime: &Runtime, url: &str) -> PgMemos {
    runtime.block_on(PgMemos::open(url)).unwrap()
}

#[test]
fn the_memos_on_postgres_keep_the_contract() {
    let runtime = runtime();
    for server in servers("the_memos_on_postgres_keep_the_contract") {
        block_on(memos_suite("postgres", || {
            on(&runtime, &runtime.block_on(schema(&server)).unwrap())
        }));
    }
}

const NAMESPACES: [&str; 6] = ["a", "a/b", "ab", "project/x", "project/y/a", "team/t"];
/// Words that both databases reduce to the same stem or to none.
const WORDS: [&str; 10] =
    ["harbour", "lamp", "rope", "quay", "fog", "zinc", "bronze", "walnut", "fjord", "kelp"];
const ODD: [&str; 12] = [
    "",
    "it's",
    "\"quoted\"",
    "back\\slash",
    "\\u0000",
    "a\0b",
    "%_?1 $1",
    "🙂 é ß",
    "'; DROP TABLE memos; --",
    "{\"a\": [1e300, -0.0, 1e17]}",
    "\u{FDD0}0",
    "\u{7}\u{1b}[0m\r\n\ttab",
];

fn memo(draws: &mut Draws, now: i64) -> Memo {
    let odd = ODD[draws.below(ODD.len())];
    let words = |draws: &mut Draws, n: usize| -> String {
        (0..n).map(|_| WORDS[draws.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    };
    let mut metadata = BTreeMap::new();
    metadata.insert(odd.to_owned(), serde_json::Value::from(odd));
    metadata.insert("number".to_owned(), [1e17, 0.1, -0.0, 1e300][draws.below(4)].into());
    Memo {
        id: MemoId(format!("m{}", draws.below(9))),
        namespace: NAMESPACES[draws.below(NAMESPACES.len())].to_owned(),
        title: words(draws, 2),
        content: format!("{} {odd}", words(draws, 5)),
        metadata,
        tags: (0..draws.below(3)).map(|_| WORDS[draws.below(WORDS.len())].to_owned()).collect(),
        created_at: Timestamp(now),
        updated_at: Timestamp(now + draws.ms(3)),
    }
}

/// None, those of the server's own project, or those of a member of another one.
fn walls(draws: &mut Draws) -> Option<Walls> {
    let home = Caller::local("x");
    let other = Caller { team: Some("t".to_owned()), ..Caller::local("y") };
    [None, Some(Walls::of(&home, &home)), Some(Walls::of(&other, &home))][draws.below(3)].clone()
}

/// Does what the draws say to memos and tells what came of it.
fn deed<M: Memos>(memos: &M, tenant: &str, now: i64, draws: &mut Draws) -> String {
    let id = |draws: &mut Draws| MemoId(format!("m{}", draws.below(9)));
    let namespace = NAMESPACES[draws.below(NAMESPACES.len())].to_owned();
    let filter = MemoFilter {
        namespace: ["", "a", "a/b", "project"][draws.below(4)].to_owned(),
        tag: [None, Some(WORDS[draws.below(WORDS.len())].to_owned())][draws.below(2)].clone(),
        limit: draws.below(4),
        walls: walls(draws),
    };
    let relation = Relation {
        namespace: namespace.clone(),
        source: id(draws),
        target: id(draws),
        tag: ["supports", "conflicts"][draws.below(2)].to_owned(),
        weight: draws.below(11) as f64 / 10.0,
        reason: [None, Some(ODD[draws.below(ODD.len())].to_owned())][draws.below(2)].clone(),
        created_at: Timestamp(now),
        times: 1,
    };
    match draws.below(10) {
        0..=2 => format!("save {:?}", block_on(memos.save(tenant, &memo(draws, now)))),
        3 => format!("get {:?}", block_on(memos.get(tenant, &namespace, &[id(draws), id(draws)]))),
        4 => format!("list {:?}", block_on(memos.list(tenant, &filter))),
        5 => format!("delete {:?}", block_on(memos.delete(tenant, &namespace, &id(draws)))),
        6 => format!("relate {:?}", block_on(memos.relate(tenant, &relation))),
        7 => {
            let parted = format!("unrelate {:?}", block_on(memos.unrelate(tenant, &relation)));
            let filter = MemoFilter { tag: Some("supports".to_owned()), ..filter };
            format!("{parted} {:?}", block_on(memos.relations(tenant, &filter)))
        }
        8 => {
            let reach = Reach {
                namespace,
                start: id(draws),
                depth: 1 + draws.below(3) as u32,
                direction: [Direction::Forward, Direction::Backward, Direction::Both]
                    [draws.below(3)],
                tag: None,
                limit: 1 + draws.below(9),
            };
            format!("around {:?}", block_on(memos.around(tenant, &reach)))
        }
        _ => {
            let query =
                format!("{} {}", WORDS[draws.below(WORDS.len())], WORDS[draws.below(WORDS.len())]);
            format!("search {:?}", block_on(memos.search(tenant, &query, &filter)))
        }
    }
}

/// Three tenants on one server, one of them with an odd name, and each alone in a file.
#[test]
fn whatever_is_done_both_graphs_say_the_same() {
    let runtime = runtime();
    let tenants = ["north", "a\0b", "a\u{FDD0}0b"];
    let named = std::env::var("ELENCHUS_TEST_SEQUENCES").ok().and_then(|n| n.parse().ok());
    for server in servers("whatever_is_done_both_graphs_say_the_same") {
        let url = runtime.block_on(schema(&server)).unwrap();
        let memos = on(&runtime, &url);
        for sequence in 0..named.unwrap_or(8_u64) {
            runtime.block_on(run(&url, "TRUNCATE memos CASCADE")).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let alone: Vec<SqliteMemos> = (0..tenants.len())
                .map(|n| {
                    let path = folder.path().join(format!("{n}.db"));
                    SqliteMemos::open(&path, &SqliteOptions::default()).unwrap()
                })
                .collect();
            let seed = 0x9E37_79B9 ^ (sequence + 1).wrapping_mul(0x2545_F491_4F6C_DD1D);
            let (mut one, mut two) = (Draws(seed), Draws(seed));
            let mut which = Draws(seed ^ 0xFFFF);
            for at in 0..400 {
                let tenant = which.below(tenants.len());
                let now = 1_700_000_000_000 + which.ms(50);
                let in_file = deed(&alone[tenant], tenants[tenant], now, &mut one);
                let on_server = deed(&memos, tenants[tenant], now, &mut two);
                assert_eq!(in_file, on_server, "sequence {sequence}, operation {at}");
            }
        }
    }
}

/// What the words are is the server's matter; that they are found is not.
#[test]
fn words_are_found_on_postgres() {
    let runtime = runtime();
    for server in servers("words_are_found_on_postgres") {
        let memos = on(&runtime, &runtime.block_on(schema(&server)).unwrap());
        let mut draws = Draws(5);
        let mut one = |id: &str, title: &str, content: &str| Memo {
            id: id.into(),
            namespace: "n".to_owned(),
            title: title.to_owned(),
            content: content.to_owned(),
            ..memo(&mut draws, 1)
        };
        let saved = [
            one("named", "Voltage regulators", "They hold it."),
            one("told", "Electronics", "A voltage regulator holds the tension steady."),
            one("other", "Gardening", "Roses like the sun."),
            one("long", "Long", &"word ".repeat(200_000)),
            one(
                "dense",
                "Dense",
                &(0..140_000_u32).map(|n| format!("{n:x}")).collect::<Vec<_>>().join(" "),
            ),
        ];
        for memo in &saved {
            block_on(memos.save("t", memo)).unwrap();
        }
        let found = |query: &str| -> Vec<String> {
            let hits = block_on(memos.search("t", query, &MemoFilter::default())).unwrap();
            hits.into_iter().filter(|hit| hit.score > 0.3).map(|hit| hit.memo.id.0).collect()
        };
        assert_eq!(found("regulators of voltage"), ["named", "told"], "the title weighs more");
        assert_eq!(found("rose"), ["other"]);
        for odd in ["regulator & ! ( | <-> :*", "'; --", "a\0b", "((", "\"", "the"] {
            block_on(memos.search("t", odd, &MemoFilter::default())).ok();
        }
    }
}

#[test]
fn many_who_write_memos_lose_nothing() {
    let runtime = runtime();
    for server in servers("many_who_write_memos_lose_nothing") {
        let url = runtime.block_on(schema(&server)).unwrap();
        let writers: Vec<PgMemos> = (0..4).map(|_| on(&runtime, &url)).collect();
        std::thread::scope(|scope| {
            for (at, memos) in writers.iter().enumerate() {
                scope.spawn(move || {
                    let mut draws = Draws(at as u64 + 1);
                    for n in 0..20 {
                        let mut own = memo(&mut draws, n);
                        own.namespace = "n".to_owned();
                        own.id = MemoId(format!("w{at}-{n}"));
                        let all = Memo { id: "of all".into(), ..own.clone() };
                        block_on(memos.save("t", &own)).unwrap();
                        block_on(memos.save("t", &all)).unwrap();
                        let relation = Relation {
                            namespace: "n".to_owned(),
                            source: own.id.clone(),
                            target: "of all".into(),
                            tag: "supports".to_owned(),
                            weight: 1.0,
                            reason: None,
                            created_at: Timestamp(n),
                            times: 1,
                        };
                        block_on(memos.relate("t", &relation)).unwrap();
                        let twice = Relation { source: "of all".into(), ..relation };
                        block_on(memos.relate("t", &Relation { target: own.id, ..twice })).unwrap();
                    }
                });
            }
        });
        let listed = block_on(writers[0].list("t", &MemoFilter::default())).unwrap();
        assert_eq!(listed.len(), 4 * 20 + 1);
        let related = block_on(writers[1].relations("t", &MemoFilter::default())).unwrap();
        assert_eq!(related.len(), 4 * 20 * 2);
    }
}
