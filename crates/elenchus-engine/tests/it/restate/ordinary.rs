//! One run, undisturbed and disturbed.

use super::server::{Restate, binary, free_ports};
use super::worker::{
    Plan, assert_golden, in_process, most_at_once, open, outcome, performed, repetitions,
    submission, submit,
};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_workflow_leaves_what_the_driver_leaves() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 0, abreast: 1 };
    let store = open(&plan.store);
    let _worker = plan.spawn(None);
    restate.register(port).await;
    let run = submission(7, "run");
    submit(&restate, &run).await;
    // A second time changes nothing.
    submit(&restate, &run).await;
    let ended = outcome(&restate, &run.run_id, Duration::from_mins(1)).await;
    assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
    let golden = in_process(7).await;
    assert_golden(&store, &run, &golden, "undisturbed").await;
    // One effect at a time and a clock that stands: even the journal has the same bytes.
    assert_eq!(store.journal(&run.run_id).await.unwrap(), golden.journal);
    assert_eq!(repetitions(folder.path(), "run"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn effects_of_a_batch_run_beside_each_other() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 300, abreast: 8 };
    let store = open(&plan.store);
    let _worker = plan.spawn(None);
    restate.register(port).await;
    let run = submission(7, "run");
    submit(&restate, &run).await;
    let ended = outcome(&restate, &run.run_id, Duration::from_mins(2)).await;
    assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
    assert_golden(&store, &run, &in_process(7).await, "abreast").await;
    let overlaps = most_at_once(folder.path(), "run");
    assert!(overlaps > 1, "{overlaps} at most at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_may_go_and_come_back_in_the_middle_of_a_run() {
    let Some(binary) = binary() else { return };
    let mut restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 60, abreast: 1 };
    let store = open(&plan.store);
    let _worker = plan.spawn(None);
    restate.register(port).await;
    let run = submission(7, "run");
    submit(&restate, &run).await;
    for n in [3, 8] {
        performed(folder.path(), "run", n).await;
        restate.kill();
        restate.up().await;
    }
    let ended = outcome(&restate, &run.run_id, Duration::from_mins(2)).await;
    assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
    assert_golden(&store, &run, &in_process(7).await, "server restarted").await;
    // An effect in flight costs one repetition at most for each restart.
    let again = repetitions(folder.path(), "run");
    assert!(again <= 2, "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_without_the_corpus_says_so_and_begins_nothing() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 0, abreast: 1 };
    let store = open(&plan.store);
    let _worker = plan.spawn(None);
    restate.register(port).await;
    let run = submission(7, "nowhere");
    submit(&restate, &run).await;
    let (status, body) =
        outcome(&restate, &run.run_id, Duration::from_mins(1)).await.expect("it ends");
    assert_eq!(status, 424, "{body}");
    assert!(body.contains("there is no corpus"), "{body}");
    assert!(store.runs().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ground_that_takes_long_is_opened_once() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 0, abreast: 1 };
    let store = open(&plan.store);
    let _worker = plan.spawn(None);
    restate.register(port).await;
    let run = submission(7, "slow");
    submit(&restate, &run).await;
    let ended = outcome(&restate, &run.run_id, Duration::from_mins(1)).await;
    assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
    assert_golden(&store, &run, &in_process(7).await, "slow").await;
    assert_eq!(std::fs::read_to_string(folder.path().join("slow.opened")).unwrap(), "opened\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_goes_and_comes_back_holds_a_run_up_and_changes_nothing() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 0, abreast: 1 };
    let store = open(&plan.store);
    drop(plan.spawn(None));
    // Refused, or done and not heard; shorter and longer than what is tried at once.
    for (seed, fault) in (20..).zip(["1:4", "3:6", "9:8", "2:1", "6:3", "12:5"]) {
        let name = format!("fault-{seed}");
        let run = submission(seed, &name);
        let worker = plan.spawn_with(None, Some(fault));
        restate.register(port).await;
        submit(&restate, &run).await;
        let ended = outcome(&restate, &run.run_id, Duration::from_mins(2)).await;
        assert!(matches!(ended, Some((200, _))), "{fault}: {ended:?} {}", restate.log());
        assert_golden(&store, &run, &in_process(seed).await, fault).await;
        assert_eq!(repetitions(folder.path(), &name), 0, "{fault}");
        worker.kill();
    }
}
