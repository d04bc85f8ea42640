//! The store fails at the i-th call, for every i: no panic, no silent loss, and the run can be resumed.

use crate::support::{QUESTION, engine, golden, harbour, left, memory, options, settings};
use elenchus_core::port::Store;
use elenchus_core::testkit::{Fault, FaultyStore, block_on};
use elenchus_engine::EngineError;
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::sync::Arc;

/// Calls that the store gets in an undisturbed run.
async fn calls_of_a_run() -> u32 {
    let faulty = Arc::new(FaultyStore::new(memory(), Fault::Refuses, u32::MAX, 0));
    let store: Arc<dyn Store> = faulty.clone();
    engine(&Arc::new(harbour()), &store, settings(1))
        .start(QUESTION, options(), 7)
        .await
        .unwrap()
        .join()
        .await
        .unwrap();
    faulty.calls()
}

async fn fails_everywhere(make: impl Fn() -> Arc<dyn Store>) {
    let golden = golden(1).await;
    let calls = calls_of_a_run().await;
    assert!(calls > 20);
    let (mut hidden, mut stopped) = (0, 0);
    for fault in [Fault::Refuses, Fault::Unheard] {
        for times in [1, 2, 3, u32::MAX] {
            for i in 1..=calls {
                let (world, sound) = (Arc::new(harbour()), make());
                let store: Arc<dyn Store> =
                    Arc::new(FaultyStore::new(Arc::clone(&sound), fault, i, times));
                let at = format!("{fault:?} {times} times from call {i}");
                let ended =
                    match engine(&world, &store, settings(1)).start(QUESTION, options(), 7).await {
                        Ok(handle) => handle.join().await,
                        Err(error) => Err(error),
                    };
                let finished = match ended {
                    Ok(finished) => {
                        hidden += 1;
                        finished
                    }
                    Err(error) => {
                        stopped += 1;
                        let text = error.to_string();
                        let begun = block_on(sound.tip(&golden.run_id)).is_ok();
                        match error {
                            EngineError::Storage { .. } => {
                                assert!(
                                    text.contains("elenchus runs resume")
                                        && text.contains("a test made it fail"),
                                    "{at}: {text}"
                                );
                            }
                            EngineError::Store(_) => assert!(i <= 3, "{at}: {text}"),
                            _ => panic!("{at}: {text}"),
                        }
                        assert!(times >= 3, "{at}: a short failure is not survived: {text}");
                        let engine = engine(&world, &sound, settings(1));
                        let handle = if begun {
                            engine.resume(&golden.run_id).await.unwrap()
                        } else {
                            engine.start(QUESTION, options(), 7).await.unwrap()
                        };
                        handle.join().await.unwrap()
                    }
                };
                assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "{at}");
            }
        }
    }
    println!(
        "{hidden} faults survived, {stopped} stopped a run that was then resumed to the same bytes"
    );
    assert!(hidden > 0 && stopped > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_every_call_of_the_memory_store() {
    Box::pin(fails_everywhere(memory)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_every_call_of_the_sqlite_store() {
    let folder = tempfile::tempdir().unwrap();
    let next = std::cell::Cell::new(0);
    Box::pin(fails_everywhere(|| {
        next.set(next.get() + 1);
        let path = folder.path().join(format!("{}.db", next.get()));
        Arc::new(SqliteStore::open(&path, &SqliteOptions::default()).unwrap())
    }))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resume_that_the_store_fails_can_be_tried_again() {
    let golden = golden(1).await;
    for i in 1..=5 {
        let (world, sound) = (Arc::new(harbour()), memory());
        let mut crashing = settings(1);
        crashing.crash = elenchus_engine::CrashPlan::at(elenchus_engine::FailPoint::AfterIntent, 3);
        let handle = engine(&world, &sound, crashing).start(QUESTION, options(), 7).await.unwrap();
        assert!(handle.join().await.is_err());
        let store: Arc<dyn Store> =
            Arc::new(FaultyStore::new(Arc::clone(&sound), Fault::Refuses, i, 1));
        let resumed = engine(&world, &store, settings(1)).resume(&golden.run_id).await;
        let handle = match resumed {
            Ok(handle) => handle,
            Err(_) => engine(&world, &store, settings(1)).resume(&golden.run_id).await.unwrap(),
        };
        let finished = handle.join().await.unwrap();
        assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "{i}");
    }
}
