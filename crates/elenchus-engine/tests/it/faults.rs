//! The store fails at the i-th call, for every i: no panic, no silent loss, and the run can be resumed.

use crate::support::{Gate, QUESTION, engine, golden, harbour, left, memory, options, settings};
use elenchus_core::id::Timestamp;
use elenchus_core::inquiry::Control;
use elenchus_core::port::{Store, StoreFailure};
use elenchus_core::testkit::{Fault, FaultyStore, block_on};
use elenchus_engine::{Away, EngineError, RunHandle, Settings};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::sync::Arc;
use std::time::{Duration, Instant};

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

/// A call in the middle of a run that appends a record.
const MIDDLE: u32 = 12;

/// A run whose store fails from the middle on, so many times, and the store itself.
async fn begun(fault: Fault, times: u32) -> (Arc<dyn Store>, Arc<FaultyStore>, RunHandle) {
    let sound = memory();
    let faulty = Arc::new(FaultyStore::new(Arc::clone(&sound), fault, MIDDLE, times));
    let store: Arc<dyn Store> = faulty.clone();
    let patient = Settings {
        away: Duration::from_mins(1),
        backoff: Duration::from_millis(20),
        ..settings(1)
    };
    let handle =
        engine(&Arc::new(harbour()), &store, patient).start(QUESTION, options(), 7).await.unwrap();
    (sound, faulty, handle)
}

/// What those who look on are told of a store that is away.
async fn told(handle: &RunHandle) -> Away {
    let mut live = handle.live();
    let waiting = live.wait_for(|live| live.away.is_some());
    let seen = tokio::time::timeout(Duration::from_secs(20), waiting).await.unwrap().unwrap();
    seen.away.clone().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_away_is_waited_for_and_those_who_look_on_are_told() {
    let golden = golden(1).await;
    // More often than an effect would be tried.
    for (fault, times) in [(Fault::Refuses, 6), (Fault::Unheard, 12)] {
        let (sound, _, handle) = begun(fault, times).await;
        let away = told(&handle).await;
        assert_eq!(away.since, Timestamp(1_700_000_000_000), "{fault:?}");
        assert!(away.cause.contains("a test made it fail"), "{fault:?}: {}", away.cause);
        let mut live = handle.live();
        let finished = handle.join().await.unwrap();
        assert!(live.borrow_and_update().away.is_none(), "{fault:?}: it is back");
        assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_stays_away_ends_the_run_and_says_how_long_it_was_tried() {
    let golden = golden(1).await;
    let sound = memory();
    let store: Arc<dyn Store> =
        Arc::new(FaultyStore::new(Arc::clone(&sound), Fault::Refuses, MIDDLE, u32::MAX));
    let short = Settings { away: Duration::from_millis(1_100), ..settings(1) };
    let world = Arc::new(harbour());
    let handle = engine(&world, &store, short).start(QUESTION, options(), 7).await.unwrap();
    let began = Instant::now();
    let error = handle.join().await.unwrap_err();
    assert!(matches!(error, EngineError::Storage { .. }), "{error}");
    assert!(began.elapsed() >= Duration::from_millis(1_100), "{:?}", began.elapsed());
    let said = error.to_string();
    assert!(said.contains(" times in ") && said.contains("runs resume"), "{said}");
    let resumed = engine(&world, &sound, settings(1)).resume(&golden.run_id).await.unwrap();
    let finished = resumed.join().await.unwrap();
    assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_that_could_not_be_kept_says_so() {
    let store: Arc<dyn Store> =
        Arc::new(FaultyStore::new(memory(), Fault::Refuses, MIDDLE, u32::MAX));
    let short = Settings { away: Duration::from_millis(1_500), ..settings(1) };
    let world = Arc::new(harbour());
    let handle = engine(&world, &store, short).start(QUESTION, options(), 7).await.unwrap();
    told(&handle).await;
    let error = handle.control(Control::Pause).await.unwrap_err();
    assert!(matches!(error, EngineError::Storage { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_does_not_answer_is_away() {
    let golden = golden(1).await;
    for (times, ends) in [(2, true), (u32::MAX, false)] {
        let sound = memory();
        let hanging = FaultyStore::new(Arc::clone(&sound), Fault::Hangs, MIDDLE, times);
        let store: Arc<dyn Store> = Arc::new(hanging);
        let short = Settings { write: Duration::from_millis(50), ..settings(1) };
        let world = Arc::new(harbour());
        let handle = engine(&world, &store, short).start(QUESTION, options(), 7).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(20), handle.join()).await.unwrap();
        let finished = match ended {
            Ok(finished) => {
                assert!(ends, "{times} times");
                finished
            }
            Err(error) => {
                assert!(!ends, "{times} times: {error}");
                let EngineError::Storage { cause, .. } = &error else { panic!("{error}") };
                assert!(matches!(cause, StoreFailure::Away { .. }), "{cause}");
                let resumed = engine(&world, &sound, settings(1)).resume(&golden.run_id).await;
                resumed.unwrap().join().await.unwrap()
            }
        };
        assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "{times}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_stays_broken_is_tried_a_few_times() {
    let golden = golden(1).await;
    let retries = settings(1).retries;
    let (sound, _, handle) = begun(Fault::Breaks, retries).await;
    let finished = handle.join().await.unwrap();
    assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "it passed");
    let (sound, faulty, handle) = begun(Fault::Breaks, u32::MAX).await;
    let error = handle.join().await.unwrap_err();
    let EngineError::Storage { cause, .. } = &error else { panic!("{error}") };
    assert!(matches!(cause, StoreFailure::Io { .. }), "{cause}");
    // The tries, and giving the lease back.
    assert_eq!(faulty.calls(), MIDDLE + retries + 1);
    let resumed = engine(&Arc::new(harbour()), &sound, settings(1)).resume(&golden.run_id).await;
    let finished = resumed.unwrap().join().await.unwrap();
    assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_after_the_store_was_away_is_tried_as_often() {
    let golden = golden(1).await;
    let sound = memory();
    let breaks = FaultyStore::new(Arc::clone(&sound), Fault::Breaks, MIDDLE, settings(1).retries);
    // More often than what breaks is tried.
    let store: Arc<dyn Store> =
        Arc::new(FaultyStore::new(Arc::new(breaks), Fault::Refuses, MIDDLE, 4));
    let patient = Settings { away: Duration::from_mins(1), ..settings(1) };
    let world = Arc::new(harbour());
    let handle = engine(&world, &store, patient).start(QUESTION, options(), 7).await.unwrap();
    let finished = handle.join().await.unwrap();
    assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_another_took_while_the_store_was_away_is_left_at_once() {
    for (fault, times) in [(Fault::Refuses, 6), (Fault::Unheard, 12)] {
        let (sound, _, handle) = begun(fault, times).await;
        told(&handle).await;
        let run_id = handle.run_id().clone();
        let later = Timestamp(1_700_000_000_000 + 3_600_000);
        block_on(sound.lease(&run_id, "another", later, 60_000)).unwrap();
        let before = block_on(sound.journal(&run_id)).unwrap();
        assert_eq!(handle.join().await.unwrap_err(), EngineError::LeaseLost(run_id.clone()));
        assert_eq!(block_on(sound.journal(&run_id)).unwrap(), before, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_for_a_store_may_leave() {
    let golden = golden(1).await;
    for (fault, times) in [(Fault::Refuses, u32::MAX), (Fault::Hangs, 1)] {
        let (sound, faulty, handle) = begun(fault, times).await;
        while faulty.calls() < MIDDLE {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        let asked = Instant::now();
        handle.controller().suspend();
        let error = handle.join().await.unwrap_err();
        assert_eq!(error, EngineError::Suspended(golden.run_id.clone()), "{fault:?}");
        assert!(asked.elapsed() < Duration::from_secs(5), "{fault:?}: {:?}", asked.elapsed());
        // One that could not be given back is its holder's still.
        let engine = engine(&Arc::new(harbour()), &sound, settings(1));
        let resumed = engine.resume(&golden.run_id).await.unwrap();
        let finished = resumed.join().await.unwrap();
        assert_eq!(left(&sound, &golden.run_id, &finished.answer), golden.left, "{fault:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_that_hangs_is_given_up_before_the_lease_runs_out() {
    let mut before = u32::MAX - 1;
    // First the calls until an effect hangs are counted: the next one then is a renewal.
    for lease in [Duration::from_mins(10), Duration::from_secs(3)] {
        let faulty = Arc::new(FaultyStore::new(memory(), Fault::Hangs, before + 1, 1));
        let store: Arc<dyn Store> = faulty.clone();
        let gate = Arc::new(Gate::new(harbour(), 2, true));
        let one = Settings { lease, write: Duration::from_mins(2), ..settings(1) };
        let handle = engine(&gate, &store, one).start(QUESTION, options(), 7).await.unwrap();
        assert!(gate.reached().await);
        if before == u32::MAX - 1 {
            before = faulty.calls();
        } else {
            // The one that hangs, and the next one, which is made at once: that the store was away is told too shortly to be seen.
            let again = async {
                while faulty.calls() < before + 2 {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(Duration::from_millis(2_900), again).await.unwrap();
            let mut live = handle.live();
            let renewed = live.wait_for(|live| live.away.is_none());
            tokio::time::timeout(Duration::from_secs(20), renewed).await.unwrap().unwrap();
        }
        handle.control(Control::Interrupt).await.unwrap();
        handle.join().await.unwrap();
    }
}
