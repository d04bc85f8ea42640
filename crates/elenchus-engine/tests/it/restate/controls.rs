//! Controls as durable signals, given while an effect is under way.

use super::server::{Door, Restate, binary, free_ports};
use super::worker::{
    ASKED_AT, Living, Plan, assert_golden, in_process, open, outcome, performed, repetitions,
    submission,
};
use crate::support::{engine, harbour, ports, settings};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Input, NewLimits, NewSources, StopReason, Unsettled};
use elenchus_core::journal::Entry;
use elenchus_core::port::{Store, Usage};
use elenchus_core::testkit::ManualClock;
use elenchus_core::trace::TraceEvent;
use elenchus_engine::restate::{Remote, RemoteError, Submission};
use elenchus_engine::{Engine, EngineError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A server, a worker that takes its time, and a run that is in one of its effects.
struct Scene {
    restate: Restate,
    folder: tempfile::TempDir,
    plan: Plan,
    worker: Living,
    store: Arc<dyn Store>,
    remote: Remote,
    run: Submission,
}

impl Scene {
    async fn set(pace: u64, effects: usize) -> Option<Self> {
        let restate = Restate::start(&binary()?).await;
        let folder = tempfile::tempdir().unwrap();
        let [port] = free_ports();
        let path: PathBuf = folder.path().join("runs.db");
        let plan = Plan { store: path, port, pace, abreast: 1 };
        let store = open(&plan.store);
        let worker = plan.spawn(None);
        restate.register(port).await;
        let remote = Remote::new(Arc::new(Door(restate.ingress.clone())), Arc::clone(&store));
        let run = submission(7, "run");
        remote.submit(&run).await.unwrap();
        performed(folder.path(), "run", effects).await;
        Some(Self { restate, folder, plan, worker, store, remote, run })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_does_not_wait_for_what_is_in_flight() {
    let Some(scene) = Scene::set(20_000, 1).await else { return };
    let handle = scene.remote.attach(&scene.run.run_id, false).await.unwrap();
    handle.control(Control::Interrupt).await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(5), handle.join()).await;
    let finished = ended.expect("it ends at once").unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    assert_eq!(scene.store.runs().await.unwrap()[0].status, "interrupted");
}

/// What the outcomes of a run have used, and which calls were given up.
async fn used(store: &Arc<dyn Store>, run_id: &RunId) -> (Usage, Vec<Unsettled>) {
    let (mut sum, mut given_up) = (Usage::default(), Vec::new());
    for record in store.journal(run_id).await.unwrap() {
        let Entry::Input(input) = record.entry else { continue };
        match *input {
            Input::Outcome { result, .. } => sum.count(result.usage()),
            Input::GivenUp { calls, .. } => given_up.extend(calls),
            Input::Opened(_) | Input::Control(_) => {}
        }
    }
    (sum, given_up)
}

/// Waits until a file of the worker says something.
async fn written(file: &Path, is_there: impl Fn(&str) -> bool) {
    let begun = std::time::Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if is_there(&text) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{text}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_back_before_the_rest_of_its_batch_is_paid_for_when_a_run_is_interrupted() {
    let Some(scene) = Scene::set(1_000, 1).await else { return };
    let run_id = scene.run.run_id.clone();
    // One at a time: when the second of the two is begun, the first has come back.
    let both = ["model extract_facts ", "model analyze_gaps "];
    written(&scene.folder.path().join("run.log"), |log| both.iter().all(|one| log.contains(one)))
        .await;
    scene.remote.give(&run_id, &Control::Interrupt).await.unwrap();
    let finished = scene.remote.attach(&run_id, false).await.unwrap().join().await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    let (sum, given_up) = used(&scene.store, &run_id).await;
    assert_eq!(given_up.len(), 1, "{given_up:?}");
    assert_eq!(finished.answer.receipt.usage, sum);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_back_during_a_pause_is_paid_for_when_the_run_is_interrupted() {
    let Some(scene) = Scene::set(1_500, 1).await else { return };
    let run_id = scene.run.run_id.clone();
    // The plan is being asked for.
    scene.remote.give(&run_id, &Control::Pause).await.unwrap();
    written(&scene.folder.path().join("run.times"), |times| times.lines().count() == 1).await;
    // From the worker to the server and back.
    tokio::time::sleep(Duration::from_secs(1)).await;
    scene.remote.give(&run_id, &Control::Interrupt).await.unwrap();
    let finished = scene.remote.attach(&run_id, false).await.unwrap().join().await.unwrap();
    let (sum, given_up) = used(&scene.store, &run_id).await;
    let [call] = given_up[..] else { panic!("{given_up:?}") };
    assert_eq!(sum, Usage::default(), "its outcome was never told");
    assert_eq!(finished.answer.receipt.usage, call.usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn finishing_now_answers_with_what_there_is() {
    let Some(scene) = Scene::set(400, 3).await else { return };
    let mut handle_events = Vec::new();
    let handle = scene.remote.attach(&scene.run.run_id, false).await.unwrap();
    let mut events = handle.events();
    handle.control(Control::FinishNow).await.unwrap();
    while let Some(event) = events.next().await {
        handle_events.push(event);
    }
    let finished = handle.join().await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::FinishNow);
    // What is followed is what is kept.
    assert_eq!(handle_events, scene.store.events(&scene.run.run_id, 0).await.unwrap());
    assert!(
        handle_events
            .iter()
            .any(|event| event.event == TraceEvent::ControlReceived(Control::FinishNow))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_run_sleeps_through_the_loss_of_its_worker_and_goes_on_as_if_nothing_had_been() {
    let Some(scene) = Scene::set(300, 3).await else { return };
    let run_id = scene.run.run_id.clone();
    let handle = scene.remote.attach(&run_id, false).await.unwrap();
    let mut live = handle.live();
    handle.control(Control::Pause).await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), live.wait_for(|live| live.paused))
        .await
        .expect("it pauses")
        .unwrap();
    // Nothing but a signal can wake it now: the server puts it to sleep.
    let begun = std::time::Instant::now();
    loop {
        let sql = "SELECT status FROM sys_invocation WHERE target_service_name = 'Research' AND target_handler_name = 'run'";
        let status = scene.restate.query(sql).await;
        if status.contains("suspended") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{status}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    println!("asleep after {:?}", begun.elapsed());
    scene.worker.kill();
    let _next = scene.plan.spawn(None);
    handle.control(Control::Resume).await.unwrap();
    let finished = handle.join().await.unwrap();
    let golden = in_process(7).await;
    let answer: elenchus_core::answer::Answer = serde_json::from_str(&golden.answer).unwrap();
    assert_eq!(finished.answer.text, answer.text);
    // What was in flight when the pause came was recorded, and is not performed again.
    assert_eq!(repetitions(scene.folder.path(), "run"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_and_sources_reach_a_worker() {
    let Some(scene) = Scene::set(200, 3).await else { return };
    let limits = NewLimits { passages: Some(80), by: "ann".to_owned(), ..NewLimits::default() };
    let sources = NewSources { documents: vec!["light.md".to_owned()], ..NewSources::default() };
    let told = [Control::SetBudget(limits), Control::AddSources(sources)];
    for control in &told {
        scene.remote.give(&scene.run.run_id, control).await.unwrap();
    }
    let handle = scene.remote.attach(&scene.run.run_id, false).await.unwrap();
    let finished = handle.join().await.unwrap();
    let events = scene.store.events(&scene.run.run_id, 0).await.unwrap();
    for control in told {
        let received = TraceEvent::ControlReceived(control);
        assert!(events.iter().any(|event| event.event == received), "{received:?}");
    }
    let changed = events.iter().any(|event| {
        matches!(&event.event, TraceEvent::BudgetChanged { by, budget, .. }
            if by == "ann" && budget.passages == 80)
    });
    assert!(changed, "{events:?}");
    assert!(finished.run.view().audit().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_kept_in_the_journal_like_that_of_the_driver() {
    let Some(scene) = Scene::set(200, 3).await else { return };
    let focus = Some("Which ferry serves Osterby island".to_owned());
    let redirect = Control::Redirect { focus, exclude: vec![], only: vec![] };
    scene.remote.give(&scene.run.run_id, &redirect).await.unwrap();
    let handle = scene.remote.attach(&scene.run.run_id, false).await.unwrap();
    let finished = handle.join().await.unwrap();
    let events = scene.store.events(&scene.run.run_id, 0).await.unwrap();
    assert!(
        events.iter().any(|event| event.event == TraceEvent::ControlReceived(redirect.clone()))
    );
    assert!(finished.run.view().audit().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_run_leaves_it_alone() {
    let Some(scene) = Scene::set(100, 3).await else { return };
    let run_id = scene.run.run_id.clone();
    let handle = scene.remote.attach(&run_id, false).await.unwrap();
    handle.controller().suspend();
    let left = handle.join().await.unwrap_err();
    assert_eq!(left, EngineError::Detached(run_id.clone()));
    let again = scene.remote.attach(&run_id, true).await.unwrap();
    assert!(again.resumed_after() > 0);
    again.join().await.unwrap();
    assert_golden(&scene.store, &scene.run, &in_process(7).await, "left alone").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_told() {
    let Some(binary) = binary() else { return };
    let mut restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("runs.db"));
    let remote = Remote::new(Arc::new(Door(restate.ingress.clone())), store);
    let run = submission(7, "run");
    assert_eq!(remote.submit(&run).await.unwrap_err(), RemoteError::NoWorker);
    let error = remote.attach(&run.run_id, false).await.err().unwrap();
    assert_eq!(error, EngineError::Remote(RemoteError::UnknownRun(run.run_id.clone())));
    restate.kill();
    let error = remote.submit(&run).await.unwrap_err();
    assert!(matches!(error, RemoteError::Unreachable(_)), "{error}");
    assert!(error.to_string().contains("RESTATE_URL"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_somebody_took_over_is_left_to_them() {
    let Some(scene) = Scene::set(100, 3).await else { return };
    let run_id = scene.run.run_id.clone();
    let handle = scene.remote.attach(&run_id, false).await.unwrap();
    let mut live = handle.live();
    handle.control(Control::Pause).await.unwrap();
    live.wait_for(|live| live.paused).await.unwrap();
    drop(handle);
    // While it holds the run, nobody else gets it.
    let world = Arc::new(harbour());
    let told = engine(&world, &scene.store, settings(1)).resume(&run_id).await.err().unwrap();
    assert!(told.to_string().contains("restate:"), "{told}");
    // Hours later the right to write has gone by.
    let mut later = ports(&world, &scene.store);
    later.clock = Arc::new(ManualClock::new(Timestamp(ASKED_AT.0 + 3 * 3_600_000)));
    let taken = Engine::new(later, settings(1)).resume(&run_id).await.unwrap();
    taken.control(Control::Resume).await.unwrap();
    let finished = taken.join().await.unwrap();
    let before = scene.store.journal(&run_id).await.unwrap();
    scene.remote.give(&run_id, &Control::FinishNow).await.unwrap();
    let ended = outcome(&scene.restate, &run_id, Duration::from_secs(30)).await;
    let (status, body) = ended.expect("the workflow gives up");
    assert_eq!(status, 409, "{body}");
    assert!(body.contains("took the run over") || body.contains("lease"), "{body}");
    // Not a byte was written after the other one.
    assert_eq!(scene.store.journal(&run_id).await.unwrap(), before);
    assert_eq!(scene.store.runs().await.unwrap()[0].status, "finished");
    assert!(finished.run.view().audit().is_empty());
}
