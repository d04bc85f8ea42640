//! Runs that are kept on real PostgreSQL servers: which of them workers take up, after a store that failed and after an end that
//! somebody wanted.

use crate::support::{Gate, Left, QUESTION, engine, golden, harbour, options, settings};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::Control;
use elenchus_core::port::Store;
use elenchus_engine::EngineError;
use elenchus_io::pg::testkit::{run as sql, schema, servers};
use elenchus_io::store::PgStore;
use std::sync::Arc;

/// A store of its own on every server, with the URL that leads there.
async fn stores(test: &str) -> Vec<(String, PgStore)> {
    let mut stores = Vec::new();
    for server in servers(test) {
        let url = schema(&server).await.unwrap();
        let store = PgStore::open(&url).await.unwrap();
        stores.push((url, store));
    }
    stores
}

/// What a worker gets that looks for runs now.
async fn taken(store: &PgStore) -> Vec<RunId> {
    let leases = store.claim("worker", "w", Timestamp(1_700_000_000_001), 60_000, 9).await.unwrap();
    leases.into_iter().map(|lease| lease.run_id).collect()
}

/// From the sixth record on the server says what it says when its disk is full.
const FULL: &str = "
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'as a test has it' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER refuses BEFORE INSERT ON journal
FOR EACH ROW WHEN (NEW.seq >= 6) EXECUTE FUNCTION refuse()";

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_a_full_disk_stopped_is_gone_on_with_by_a_worker() {
    let golden = golden(1).await;
    for (url, pg) in stores("a_run_that_a_full_disk_stopped_is_gone_on_with_by_a_worker").await {
        let (world, store) = (Arc::new(harbour()), Arc::new(pg.clone()) as Arc<dyn Store>);
        sql(&url, FULL).await.unwrap();
        let handle =
            engine(&world, &store, settings(1)).start(QUESTION, options(), 7).await.unwrap();
        let run_id = handle.run_id().clone();
        let stopped = handle.join().await.unwrap_err();
        assert!(matches!(stopped, EngineError::Storage { seq: 6, .. }), "{stopped}");
        assert!(stopped.to_string().contains("make room on the server"), "{stopped}");
        assert_eq!(store.run(&run_id).await.unwrap().status, "stopped");
        // A worker takes it, and as long as the disk is full, it stops there again and is there to be taken.
        let worker = engine(&world, &store, settings(1)).holding_as("worker");
        for _ in 0..2 {
            assert_eq!(taken(&pg).await, std::slice::from_ref(&run_id));
            let stopped = worker.resume(&run_id).await.unwrap().join().await.unwrap_err();
            assert!(matches!(stopped, EngineError::Storage { seq: 6, .. }), "{stopped}");
        }
        sql(&url, "DROP TRIGGER refuses ON journal").await.unwrap();
        assert_eq!(taken(&pg).await, std::slice::from_ref(&run_id));
        let finished = worker.resume(&run_id).await.unwrap().join().await.unwrap();
        let left = Left {
            answer: serde_json::to_string(&finished.answer).unwrap(),
            events: store.events(&run_id, 0).await.unwrap(),
            journal: store.journal(&run_id).await.unwrap(),
        };
        assert_eq!(left, golden.left);
        assert!(taken(&pg).await.is_empty(), "it is over");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_waits_for_whoever_stopped_it_unless_it_was_left_to_others() {
    const TEST: &str = "a_run_waits_for_whoever_stopped_it_unless_it_was_left_to_others";
    for (_, pg) in stores(TEST).await {
        let store = Arc::new(pg.clone()) as Arc<dyn Store>;
        for (seed, leaves, pauses) in [(1, false, false), (2, true, true), (3, true, false)] {
            let gate = Arc::new(Gate::new(harbour(), 2, true));
            let handle =
                engine(&gate, &store, settings(1)).start(QUESTION, options(), seed).await.unwrap();
            let run_id = handle.run_id().clone();
            assert!(gate.reached().await);
            let controller = handle.controller();
            if pauses {
                controller.control(Control::Pause).await.unwrap();
            }
            if leaves {
                controller.leave_to_others();
            } else {
                controller.suspend();
            }
            assert_eq!(handle.join().await.unwrap_err(), EngineError::Suspended(run_id.clone()));
            let wanted = if leaves && !pauses { vec![run_id] } else { Vec::new() };
            assert_eq!(taken(&pg).await, wanted, "{seed}");
        }
    }
}
