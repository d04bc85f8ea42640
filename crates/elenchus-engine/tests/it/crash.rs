//! The driver falls over at every step; a new one goes on. The end must be the same, byte for byte.

use crate::support::{Golden, QUESTION, engine, golden, harbour, left, memory, options, settings};
use elenchus_core::port::Store;
use elenchus_core::testkit::{World, block_on};
use elenchus_engine::{CrashPlan, EngineError, FailPoint, Finished};
use proptest::prelude::*;
use std::sync::Arc;

/// Starts or resumes with a crash planned. `None` when it fell over.
async fn go(
    world: &Arc<World>,
    store: &Arc<dyn Store>,
    golden: &Golden,
    concurrency: usize,
    crash: CrashPlan,
) -> Option<Finished> {
    let mut settings = settings(concurrency);
    settings.crash = crash;
    let engine = engine(world, store, settings);
    let begun = block_on(store.tip(&golden.run_id)).is_ok();
    let handle = if begun {
        Box::pin(engine.resume(&golden.run_id)).await.unwrap()
    } else {
        Box::pin(engine.start(QUESTION, options(), 7)).await.unwrap()
    };
    let mut events = handle.events();
    let ended = handle.join().await;
    // Whoever was told something was told what is kept.
    let mut told = Vec::new();
    while let Some(event) = events.next().await {
        told.push(event);
    }
    assert_eq!(told[..], golden.left.events[..told.len()]);
    assert!(
        block_on(store.events(&golden.run_id, 0)).unwrap().len() >= told.len(),
        "told before it was kept"
    );
    match ended {
        Ok(finished) => Some(finished),
        Err(EngineError::Crashed { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_at_every_step_changes_nothing() {
    let golden = golden(1).await;
    let mut crashes = 0;
    for site in FailPoint::ALL {
        for n in 1.. {
            let (world, store) = (Arc::new(harbour()), memory());
            if go(&world, &store, &golden, 1, CrashPlan::at(site, n)).await.is_some() {
                assert!(n > 1, "{} is never passed", site.name());
                break;
            }
            crashes += 1;
            let finished = go(&world, &store, &golden, 1, CrashPlan::never()).await.unwrap();
            let at = format!("{}:{n}", site.name());
            assert_eq!(left(&store, &golden.run_id, &finished.answer), golden.left, "{at}");
            // What was journaled is not performed again; what was in flight is, once.
            let repeated: Vec<_> = world
                .performed()
                .into_iter()
                .filter(|(key, count)| golden.performed.get(key) != Some(count))
                .collect();
            match site {
                FailPoint::AfterEffect => {
                    assert_eq!(repeated.len(), 1, "{at}: {repeated:?}");
                    assert_eq!(repeated[0].1, golden.performed[&repeated[0].0] + 1, "{at}");
                }
                _ => assert_eq!(repeated, [], "{at}"),
            }
        }
    }
    println!("{crashes} crashes, each resumed to the same bytes");
    assert!(crashes > 40, "{crashes}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_with_calls_side_by_side_changes_nothing() {
    let golden = golden(4).await;
    for site in [FailPoint::AfterIntent, FailPoint::AfterEffect, FailPoint::AfterAppend] {
        for n in 1.. {
            let (world, store) = (Arc::new(harbour()), memory());
            if go(&world, &store, &golden, 4, CrashPlan::at(site, n)).await.is_some() {
                break;
            }
            let finished = go(&world, &store, &golden, 4, CrashPlan::never()).await.unwrap();
            let left = left(&store, &golden.run_id, &finished.answer);
            assert_eq!(left.answer, golden.left.answer, "{}:{n}", site.name());
            assert_eq!(left.events, golden.left.events, "{}:{n}", site.name());
            for (key, count) in world.performed() {
                assert!(count <= golden.performed[&key] + 1, "{key}");
            }
        }
    }
}

/// As many as `PROPTEST_CASES` says when that is more (the nightly campaign).
fn at_least(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(cases), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(at_least(100))]

    /// Any number of crashes, one after the other.
    #[test]
    fn crashes_on_top_of_crashes_change_nothing(
        plan in prop::collection::vec((0..FailPoint::ALL.len(), 1u32..12), 2..7),
        concurrency in 1usize..4,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        runtime.block_on(async {
            let golden = golden(1).await;
            let (world, store) = (Arc::new(harbour()), memory());
            let mut finished = None;
            for (site, n) in plan {
                finished = go(&world, &store, &golden, concurrency, CrashPlan::at(FailPoint::ALL[site], n)).await;
            }
            let finished = match finished {
                Some(finished) => finished,
                None => go(&world, &store, &golden, concurrency, CrashPlan::never()).await.unwrap(),
            };
            let left = left(&store, &golden.run_id, &finished.answer);
            assert_eq!(left.answer, golden.left.answer);
            assert_eq!(left.events, golden.left.events);
        });
    }
}
