//! The store on real PostgreSQL servers: the contract, and the same results as the other stores whatever is done.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Input, Opened, Options, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, JournalRecord, SealedRecord};
use elenchus_core::port::{CorpusOverview, Lease, Store, StoreFailure};
use elenchus_core::testkit::store_suite;
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_io::pg::testkit::{Cut, run, schema, servers};
use elenchus_io::store::{MemoryStore, PgStore, SqliteOptions, SqliteStore};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

/// Does `work` with a schema of its own on every server.
fn on_servers<W: Future<Output = ()>>(test: &str, work: impl Fn(String) -> W) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for url in servers(test) {
        runtime.block_on(async { work(schema(&url).await.unwrap()).await });
    }
}

fn now<T>(work: impl Future<Output = T>) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work))
}

fn opening(run_id: &RunId, question: &str, at: i64) -> SealedRecord {
    let opened = Opened {
        run_id: run_id.clone(),
        question: question.to_owned(),
        options: Options::default(),
        corpus: CorpusOverview::default(),
        model: "m".to_owned(),
        judging: None,
        contest: None,
        forked: None,
        recalled: Recollection::default(),
    };
    let entry = Entry::Input(Box::new(Input::Opened(opened)));
    JournalRecord { v: FORMAT, seq: 1, at: Timestamp(at), entry }.seal(GENESIS)
}

fn next(seq: u64, at: i64, previous: &str) -> SealedRecord {
    let entry = Entry::Input(Box::new(Input::Control(Control::Pause)));
    JournalRecord { v: FORMAT, seq, at: Timestamp(at), entry }.seal(previous)
}

fn event(run_id: &RunId, seq: u64, text: &str) -> Envelope {
    Envelope {
        schema: 1,
        run_id: run_id.clone(),
        seq,
        at: Timestamp(7),
        event: TraceEvent::PlanningStarted { question: text.to_owned() },
    }
}

#[test]
fn postgres_keeps_the_contract() {
    on_servers("postgres_keeps_the_contract", async |url| {
        let server = url.split("&options").next().unwrap().to_owned();
        store_suite("postgres", || {
            now(async { PgStore::open(&schema(&server).await.unwrap()).await.unwrap() })
        })
        .await;
    });
}

/// Something that is done to a store. Runs, holders and times are few, so that they meet.
#[derive(Clone, Debug)]
enum Deed {
    Create { run: u8, holder: u8, at: i64, lease_ms: i64, events: u8 },
    Append { run: u8, holder: u8, off: i8, wrong_hash: bool, at: i64, events: u8, ended: bool },
    Take { run: u8, holder: u8, now: i64, lease_ms: i64 },
    Release { run: u8, holder: u8 },
    Delete { run: u8, now: i64 },
    Look { run: u8, after: u8 },
}

fn deed() -> impl Strategy<Value = Deed> {
    let (run, holder) = (0u8..3, 0u8..3);
    let at =
        prop_oneof![9 => 0i64..60, 1 => Just(-62_000_000_000_001), 1 => Just(1_764_000_000_123)];
    let lease_ms = prop_oneof![9 => 0i64..40, 1 => Just(4_000_000_000_000)];
    prop_oneof![
        3 => (run.clone(), holder.clone(), at.clone(), lease_ms.clone(), 0u8..3).prop_map(
            |(run, holder, at, lease_ms, events)| Deed::Create { run, holder, at, lease_ms, events }
        ),
        6 => (run.clone(), holder.clone(), prop_oneof![8 => Just(0i8), 1 => Just(1), 1 => Just(-1)],
              prop::bool::weighted(0.05), at.clone(), 0u8..4, prop::bool::weighted(0.1)).prop_map(
            |(run, holder, off, wrong_hash, at, events, ended)| Deed::Append {
                run, holder, off, wrong_hash, at, events, ended
            }
        ),
        4 => (run.clone(), holder.clone(), at.clone(), lease_ms).prop_map(
            |(run, holder, now, lease_ms)| Deed::Take { run, holder, now, lease_ms }
        ),
        2 => (run.clone(), holder).prop_map(|(run, holder)| Deed::Release { run, holder }),
        1 => (run.clone(), at).prop_map(|(run, now)| Deed::Delete { run, now }),
        3 => (run, 0u8..6).prop_map(|(run, after)| Deed::Look { run, after }),
    ]
}

/// Does it and tells everything that came of it.
async fn told(store: &dyn Store, leases: &mut BTreeMap<(u8, u8), Lease>, deed: &Deed) -> String {
    let id = |run: u8| RunId(format!("run_{run}"));
    match *deed {
        Deed::Create { run, holder, at, lease_ms, events } => {
            let run_id = id(run);
            let first = opening(&run_id, &format!("why {run}? \"ä\" \\ \n"), at);
            let told: Vec<Envelope> = (1..=u64::from(events))
                .map(|seq| event(&run_id, seq, "it's { \\u0041 } é\n"))
                .collect();
            let made = store
                .create(&run_id, "why? 'quoted'", &first, &told, &format!("h{holder}"), lease_ms)
                .await;
            if let Ok(lease) = &made {
                leases.insert((run, holder), lease.clone());
            }
            format!("{made:?}")
        }
        Deed::Append { run, holder, off, wrong_hash, at, events, ended } => {
            let Some(lease) = leases.get(&(run, holder)) else { return String::new() };
            let tip = store.tip(&lease.run_id).await;
            let (seq, hash) = tip.map_or((1, GENESIS.to_owned()), |tip| (tip.seq, tip.hash));
            let hash = if wrong_hash { GENESIS.to_owned() } else { hash };
            let mut record = next((seq + 1).saturating_add_signed(off.into()), at, &hash);
            record.ended = ended.then(|| "answered".to_owned());
            let after = store.events(&lease.run_id, 0).await.map_or(0, |all| all.len() as u64);
            let told: Vec<Envelope> =
                (1..=u64::from(events)).map(|n| event(&lease.run_id, after + n, "more")).collect();
            format!("{:?}", store.append(lease, &record, &told).await)
        }
        Deed::Take { run, holder, now, lease_ms } => {
            let taken =
                store.lease(&id(run), &format!("h{holder}"), Timestamp(now), lease_ms).await;
            if let Ok(lease) = &taken {
                leases.insert((run, holder), lease.clone());
            }
            format!("{taken:?}")
        }
        Deed::Release { run, holder } => match leases.get(&(run, holder)) {
            Some(lease) => format!("{:?}", store.release(lease).await),
            None => String::new(),
        },
        Deed::Delete { run, now } => format!("{:?}", store.delete(&id(run), Timestamp(now)).await),
        Deed::Look { run, after } => format!(
            "{:?} {:?} {:?} {:?}",
            store.journal(&id(run)).await,
            store.events(&id(run), after.into()).await,
            store.tip(&id(run)).await,
            store.runs().await
        ),
    }
}

/// Sequences in all on each server; the rest are done with `ELENCHUS_STORE_SEQUENCES=10000`.
fn sequences() -> u32 {
    let named = std::env::var("ELENCHUS_STORE_SEQUENCES").ok();
    named.and_then(|text| text.parse().ok()).unwrap_or(60)
}

#[test]
fn whatever_is_done_all_stores_say_the_same() {
    on_servers("whatever_is_done_all_stores_say_the_same", async |url| {
        let postgres = PgStore::open(&url).await.unwrap();
        let config = Config { cases: sequences(), failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new(config);
        let deeds = prop::collection::vec(deed(), 1..40);
        runner
            .run(&deeds, |deeds| {
                now(async {
                    run(&url, "TRUNCATE runs CASCADE").await.unwrap();
                    let folder = tempfile::tempdir().unwrap();
                    let file = folder.path().join("runs.db");
                    let sqlite = SqliteStore::open(&file, &SqliteOptions::default()).unwrap();
                    let memory = MemoryStore::new();
                    let mut leases = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
                    for (at, deed) in deeds.iter().enumerate() {
                        let plain = told(&memory, &mut leases[0], deed).await;
                        let on_file = told(&sqlite, &mut leases[1], deed).await;
                        let on_server = told(&postgres, &mut leases[2], deed).await;
                        prop_assert_eq!(&plain, &on_file, "SQLite at {}: {:?}", at, deed);
                        prop_assert_eq!(&plain, &on_server, "PostgreSQL at {}: {:?}", at, deed);
                    }
                    Ok(())
                })
            })
            .unwrap();
    });
}

async fn begun(store: &PgStore, id: &str, at: i64) -> (Lease, SealedRecord) {
    let run_id = RunId::from(id);
    let first = opening(&run_id, "why?", at);
    let lease = store.create(&run_id, "why?", &first, &[], "a", 1_000).await.unwrap();
    (lease, first)
}

#[test]
fn one_of_many_processes_takes_a_lease_and_the_loser_cannot_write() {
    on_servers("one_of_many_processes_takes_a_lease", async |url| {
        let stores: Vec<PgStore> = futures_util::future::join_all(
            (0..6).map(|_| async { PgStore::open(&url).await.unwrap() }),
        )
        .await;
        let (lease, first) = begun(&stores[0], "run_wanted", 0).await;
        for attempt in 0..10_i64 {
            let time = Timestamp(10_000 + attempt * 10_000);
            let tries = stores.iter().enumerate().map(|(n, store)| {
                let (run_id, holder) = (&lease.run_id, format!("process {n} of {attempt}"));
                async move { store.lease(run_id, &holder, time, 1_000).await }
            });
            let winners: Vec<Lease> =
                futures_util::future::join_all(tries).await.into_iter().flatten().collect();
            assert_eq!(winners.len(), 1, "{winners:?}");
            assert_eq!(winners[0].token, 2 + attempt as u64);
        }
        let late = next(2, 5, &first.hash);
        assert_eq!(
            stores[0].append(&lease, &late, &[]).await.unwrap_err(),
            StoreFailure::LeaseLost(lease.run_id.clone())
        );
    });
}

#[test]
fn two_writers_with_one_lease_write_a_record_once() {
    on_servers("two_writers_with_one_lease", async |url| {
        let (one, two) = (PgStore::open(&url).await.unwrap(), PgStore::open(&url).await.unwrap());
        let (lease, first) = begun(&one, "run_twice", 0).await;
        let mut last = first;
        for seq in 2..40 {
            let record = next(seq, 5, &last.hash);
            let (a, b) =
                tokio::join!(one.append(&lease, &record, &[]), two.append(&lease, &record, &[]));
            let refused = [a, b].into_iter().filter_map(Result::err).collect::<Vec<_>>();
            assert_eq!(refused.len(), 1, "{refused:?}");
            last = record;
        }
        assert_eq!(one.journal(&lease.run_id).await.unwrap().len(), 39);
    });
}

#[test]
fn runs_that_nobody_drives_are_shared_out() {
    on_servers("runs_that_nobody_drives_are_shared_out", async |url| {
        let store = PgStore::open(&url).await.unwrap();
        for n in 0..12 {
            begun(&store, &format!("run_{n}"), n).await;
        }
        // One is over, one was given back on purpose, one is driven on.
        let (lease, first) = begun(&store, "run_over", 0).await;
        let mut end = next(2, 5, &first.hash);
        end.ended = Some("answered".to_owned());
        store.append(&lease, &end, &[]).await.unwrap();
        let (lease, _) = begun(&store, "run_suspended", 0).await;
        store.release(&lease).await.unwrap();
        store.lease(&RunId::from("run_0"), "a", Timestamp(900), 10_000).await.unwrap();
        let at = Timestamp(2_000);
        let workers = futures_util::future::join_all((0..4).map(|n| {
            let store = store.clone();
            async move { store.claim(&format!("worker {n}"), "w", at, 1_000, 4).await.unwrap() }
        }))
        .await;
        let mut taken: Vec<String> =
            workers.iter().flatten().map(|lease| lease.run_id.0.clone()).collect();
        taken.sort();
        let mut wanted: Vec<String> = (1..12).map(|n| format!("run_{n}")).collect();
        wanted.sort();
        assert_eq!(taken, wanted, "each once, and none that is over, given back or driven");
        assert!(store.claim("late", "w", at, 1_000, 9).await.unwrap().is_empty());
    });
}

#[test]
fn what_a_worker_puts_back_goes_to_others_and_comes_again_later() {
    on_servers("what_a_worker_puts_back_goes_to_others_and_comes_again_later", async |url| {
        let store = PgStore::open(&url).await.unwrap();
        begun(&store, "run_far", 0).await;
        begun(&store, "restate", 0).await;
        let id = RunId::from("restate");
        let at = Timestamp(2_000);
        store.lease(&id, "restate:restate", at, 1).await.unwrap();
        let claim = async |who: &str, ms: i64| {
            store.claim(&format!("process of {who}"), who, Timestamp(ms), 1_000, 9).await.unwrap()
        };
        let taken = claim("here", 3_000).await;
        assert_eq!(taken.len(), 1, "what a Restate server keeps is its own: {taken:?}");
        let now = Timestamp(3_100);
        store.put_back(&taken[0], "here", "no\0 documents", now).await.unwrap();
        let shown = store.run(&taken[0].run_id).await.unwrap();
        assert_eq!(
            (shown.status.as_str(), shown.put_back.as_deref()),
            ("stopped", Some("no\0 documents"))
        );
        assert!(claim("here", 3_200).await.is_empty(), "not again at once");
        // Another one may have the documents.
        let other = claim("there", 3_200).await;
        assert_eq!(other.len(), 1);
        // Whoever lost it puts nothing back.
        store.put_back(&taken[0], "here", "late", Timestamp(3_300)).await.unwrap();
        let shown = store.run(&other[0].run_id).await.unwrap();
        assert_eq!(
            (shown.status.as_str(), shown.put_back.as_deref()),
            ("running", Some("no\0 documents"))
        );
        // Stopped, not failed: anybody may have it next, also after the lease was given back.
        store.release(&other[0]).await.unwrap();
        store.leave(&other[0]).await.unwrap();
        assert!(claim("here", 33_000).await.is_empty());
        let again = claim("here", 33_200).await;
        assert_eq!(again.len(), 1, "after half a minute");
        store.put_back(&again[0], "here", "still none", Timestamp(33_300)).await.unwrap();
        assert!(claim("here", 93_200).await.is_empty(), "a minute now");
        let again = claim("here", 93_400).await;
        assert_eq!(again.len(), 1);
        let id = &again[0].run_id;
        store.taken_up(id, "here").await.unwrap();
        assert_eq!(store.run(id).await.unwrap().put_back, None);
        // That it was gone on with does not make the next wait shorter.
        store.put_back(&again[0], "here", "the disk is full", Timestamp(93_500)).await.unwrap();
        assert!(claim("here", 213_400).await.is_empty(), "two minutes now");
        let again = claim("here", 213_600).await;
        assert_eq!(again.len(), 1);
        // Whoever left it has to take it anew: what it had sent before counts no more.
        let (id, holder) = (&again[0].run_id, &again[0].holder);
        store.leave(&again[0]).await.unwrap();
        let anew = store.lease(id, holder, Timestamp(213_700), 1_000).await.unwrap();
        assert!(anew.token > again[0].token, "{anew:?}");
    });
}

#[test]
fn what_a_run_needs_elsewhere_is_noted_and_goes_with_it() {
    on_servers("what_a_run_needs_elsewhere_is_noted_and_goes_with_it", async |url| {
        let store = PgStore::open(&url).await.unwrap();
        let id = RunId::from("run_noted");
        assert_eq!(store.noted(&id).await.unwrap(), None);
        for text in ["first", "{\"a\": \"\0\"}"] {
            store.note(&id, text).await.unwrap();
            assert_eq!(store.noted(&id).await.unwrap().as_deref(), Some(text));
        }
        let (lease, _) = begun(&store, "run_noted", 0).await;
        store.release(&lease).await.unwrap();
        run(&url, "UPDATE run_notes SET made_at = now() - interval '8 days'").await.unwrap();
        store.note(&RunId::from("run_never"), "x").await.unwrap();
        store.tidy_notes().await.unwrap();
        assert!(store.noted(&id).await.unwrap().is_some(), "its run is there");
        run(&url, "UPDATE run_notes SET made_at = now() - interval '8 days'").await.unwrap();
        store.tidy_notes().await.unwrap();
        assert_eq!(store.noted(&RunId::from("run_never")).await.unwrap(), None);
        store.delete(&id, Timestamp(0)).await.unwrap();
        assert_eq!(store.noted(&id).await.unwrap(), None, "it goes with its run");
    });
}

#[test]
fn news_of_a_run_come_from_another_connection() {
    on_servers("news_of_a_run_come_from_another_connection", async |url| {
        let (writer, reader) =
            (PgStore::open(&url).await.unwrap(), PgStore::open(&url).await.unwrap());
        let (lease, first) = begun(&writer, "run_news", 0).await;
        let soon = Duration::from_secs(10);
        let run_id = lease.run_id.clone();
        // The first wait ends when listening begins: what came before is in the store.
        tokio::time::timeout(soon, reader.news(&run_id).unwrap()).await.unwrap();
        let waiting = tokio::spawn({
            let (reader, run_id) = (reader.clone(), run_id.clone());
            async move { reader.news(&run_id).unwrap().await }
        });
        let other = begun(&writer, "run_other", 0).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!waiting.is_finished(), "news of another run are none: {:?}", other.0.run_id);
        writer.append(&lease, &next(2, 5, &first.hash), &[event(&run_id, 1, "x")]).await.unwrap();
        tokio::time::timeout(soon, waiting).await.unwrap().unwrap();
        assert_eq!(reader.events(&run_id, 0).await.unwrap().len(), 1);
    });
}

#[test]
fn a_server_that_was_gone_is_gone_on_with() {
    on_servers("a_server_that_was_gone_is_gone_on_with", async |url| {
        let cut = Cut::before(&url).unwrap();
        let store = PgStore::open(&cut.url).await.unwrap();
        let (lease, first) = begun(&store, "run_cut", 0).await;
        cut.cut();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let record = next(2, 5, &first.hash);
        for _ in 0..6 {
            let error = store.append(&lease, &record, &[]).await.unwrap_err();
            assert!(matches!(error, StoreFailure::Away { .. }), "{error}");
            assert!(error.to_string().contains("append record 2 to run run_cut"), "{error}");
        }
        cut.mend();
        // Connections that broke are seen as broken at the latest by the call that needs them.
        let mut done = store.append(&lease, &record, &[]).await;
        for _ in 0..4 {
            if done.is_ok() {
                break;
            }
            done = store.append(&lease, &record, &[]).await;
        }
        done.unwrap();
        assert_eq!(store.tip(&lease.run_id).await.unwrap().seq, 2);
    });
}

/// A trigger says in the server's place what it cannot do.
#[test]
fn a_full_disk_stays_full_and_a_server_that_stops_comes_back() {
    on_servers("a_full_disk_stays_full_and_a_server_that_stops_comes_back", async |url| {
        let store = PgStore::open(&url).await.unwrap();
        let (lease, first) = begun(&store, "run_full", 0).await;
        let record = next(2, 5, &first.hash);
        let says = async |code: &str| {
            let sql = format!(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'as a test has it' USING ERRCODE = '{code}'; END $$;
                 CREATE OR REPLACE TRIGGER refuses BEFORE INSERT ON journal
                 FOR EACH ROW EXECUTE FUNCTION refuse()"
            );
            run(&url, &sql).await.unwrap();
            store.append(&lease, &record, &[]).await.unwrap_err()
        };
        let full = says("53100").await;
        assert!(matches!(full, StoreFailure::Io { .. }), "{full}");
        assert!(full.to_string().contains("make room on the server"), "{full}");
        for wrong in ["42P01", "23505"] {
            assert!(matches!(says(wrong).await, StoreFailure::Io { .. }), "{wrong}");
        }
        for passing in ["57P01", "57P03", "08006", "25006", "40001", "53300"] {
            assert!(matches!(says(passing).await, StoreFailure::Away { .. }), "{passing}");
        }
        run(&url, "DROP TRIGGER refuses ON journal").await.unwrap();
        store.append(&lease, &record, &[]).await.unwrap();
        assert_eq!(store.tip(&lease.run_id).await.unwrap().seq, 2);
    });
}

#[test]
fn what_cannot_be_used_is_said_with_a_way_out() {
    on_servers("what_cannot_be_used_is_said_with_a_way_out", async |url| {
        let said = async |url: &str| PgStore::open(url).await.map(drop).unwrap_err().to_string();
        let closed = said("postgres://nobody:secret@127.0.0.1:1/none?sslmode=disable").await;
        assert!(closed.contains("check that the server runs"), "{closed}");
        assert!(!closed.contains("secret"), "{closed}");
        let wrong = said("postgres://:::nonsense").await;
        assert!(wrong.contains("write postgres://"), "{wrong}");
        let server = url.split("&options").next().unwrap();
        let missing = said(&server.replace("/postgres?", "/not_there?")).await;
        assert!(missing.contains("create the database"), "{missing}");
        run(&url, "DROP ROLE IF EXISTS weak").await.unwrap();
        run(&url, "CREATE ROLE weak LOGIN").await.unwrap();
        let weak = said(&url.replace("postgres@", "weak@")).await;
        assert!(weak.contains("permission denied") && weak.contains("grant the user"), "{weak}");
        run(&url, "DROP ROLE weak").await.unwrap();
        PgStore::open(&url).await.unwrap();
        run(&url, "INSERT INTO schema_version (version, name) VALUES (999, 'later')")
            .await
            .unwrap();
        let newer = said(&url).await;
        assert!(newer.contains("999") && newer.contains("update elenchus"), "{newer}");
        run(&url, "DELETE FROM schema_version WHERE version = 999").await.unwrap();
        let store = PgStore::open(&url).await.unwrap();
        run(&url, "DROP TABLE trace_events CASCADE").await.unwrap();
        let error = store.events(&RunId::from("x"), 0).await.unwrap_err().to_string();
        assert!(error.contains("trace_events") && error.contains("db migrate"), "{error}");
    });
}

#[test]
fn relations_lie_apart_from_those_of_other_programs() {
    on_servers("relations_lie_apart_from_those_of_other_programs", async |url| {
        let server = url.split("&options").next().unwrap();
        let database = format!("apart{}", std::process::id());
        run(&url, &format!("CREATE DATABASE {database}")).await.unwrap();
        let own = server.replace("/postgres?", &format!("/{database}?"));
        run(&own, "CREATE TABLE public.runs (other_program TEXT)").await.unwrap();
        let (one, two) = tokio::join!(PgStore::open(&own), PgStore::open(&own));
        begun(&one.unwrap(), "run_apart", 0).await;
        assert_eq!(two.unwrap().runs().await.unwrap().len(), 1);
        run(&own, "SELECT other_program FROM public.runs").await.unwrap();
        let named = format!("{own}&options=-csearch_path%3Dnowhere");
        let error = PgStore::open(&named).await.map(drop).unwrap_err().to_string();
        assert!(error.contains("create the schema"), "{error}");
        run(&url, &format!("DROP DATABASE {database} WITH (FORCE)")).await.unwrap();
    });
}

#[test]
fn a_changed_row_is_named() {
    on_servers("a_changed_row_is_named", async |url| {
        let store = PgStore::open(&url).await.unwrap();
        let (lease, first) = begun(&store, "run_changed", 0).await;
        let told = [event(&lease.run_id, 1, "a"), event(&lease.run_id, 2, "b")];
        store.append(&lease, &next(2, 5, &first.hash), &told).await.unwrap();
        run(&url, "DELETE FROM trace_events WHERE seq = 2").await.unwrap();
        let error = store.events(&lease.run_id, 0).await.unwrap_err().to_string();
        assert!(error.contains("event 2 is missing"), "{error}");
        run(&url, "UPDATE journal SET json = replace(json, 'pause', 'resume') WHERE seq = 2")
            .await
            .unwrap();
        let error = store.journal(&lease.run_id).await.unwrap_err();
        assert!(matches!(error, StoreFailure::Corrupt { seq: 2, .. }), "{error}");
        run(&url, "DELETE FROM journal WHERE seq = 2").await.unwrap();
        let error = store.journal(&lease.run_id).await.unwrap_err();
        assert!(matches!(error, StoreFailure::Corrupt { seq: 2, .. }), "{error}");
    });
}
