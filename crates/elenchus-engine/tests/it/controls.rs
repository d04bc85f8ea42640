//! Controls while an effect hangs: each takes effect within a second, whatever is in flight.

use crate::support::{Gate, QUESTION, engine, harbour, memory, options, settings};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Input, NewLimits, NewSources, StopReason};
use elenchus_core::journal::Entry;
use elenchus_core::port::{Store, StoreFailure};
use elenchus_core::testkit::{Fault, FaultyStore, ManualClock, block_on};
use elenchus_core::trace::TraceEvent;
use elenchus_engine::{EngineError, RunHandle, follow, leave_control};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Hangs at the `at`-th effect. `None` when the run has fewer.
async fn hanging(at: u32, forever: bool) -> Option<(RunHandle, Arc<Gate>, Arc<dyn Store>)> {
    let (gate, store) = (Arc::new(Gate::new(harbour(), at, forever)), memory());
    let handle = engine(&gate, &store, settings(1)).start(QUESTION, options(), 7).await.unwrap();
    gate.reached().await.then_some((handle, gate, store))
}

async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(1), future)
        .await
        .unwrap_or_else(|_| panic!("{what} took more than 1 s"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_at_every_effect_gives_an_answer_within_a_second() {
    let mut effects = 0;
    for at in 1.. {
        let Some((handle, _, store)) = hanging(at, true).await else { break };
        effects += 1;
        let run_id = handle.run_id().clone();
        soon("the interrupt", handle.control(Control::Interrupt)).await.unwrap();
        let finished = soon("the end", handle.join()).await.unwrap();
        assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
        assert!(finished.run.view().audit().is_empty());
        let runs = block_on(store.runs()).unwrap();
        assert_eq!(runs[0].status, "interrupted");
        let (run, trace) =
            engine(&Arc::new(harbour()), &store, settings(1)).replay(&run_id).await.unwrap();
        assert_eq!(run, finished.run);
        assert!(
            trace.iter().any(|event| matches!(
                event.event,
                TraceEvent::ControlReceived(Control::Interrupt)
            ))
        );
    }
    assert!(effects > 8, "{effects}");
}

#[tokio::test(flavor = "multi_thread")]
async fn finish_now_at_every_effect_drops_what_hangs_and_drafts() {
    for at in 1.. {
        let Some((handle, gate, _)) = hanging(at, false).await else { break };
        let drafting =
            gate.world().performed().keys().filter(|key| key.starts_with("model draft")).count()
                > 0
                || handle.live().borrow().progress.phase.name() == "draft";
        let verifying = handle.live().borrow().progress.phase.name() == "verify";
        soon("finish now", handle.control(Control::FinishNow)).await.unwrap();
        if verifying {
            // The answer stands already and is given without figures.
            let finished = soon("the end", handle.join()).await.unwrap();
            assert_eq!(finished.answer.confidence, None);
            continue;
        }
        if drafting {
            // The answer is being written already: it is waited for, or interrupted.
            soon("the interrupt", handle.control(Control::Interrupt)).await.unwrap();
            soon("the end", handle.join()).await.unwrap();
            continue;
        }
        let finished = soon("the end", handle.join()).await.unwrap();
        assert_eq!(finished.answer.stop_reason, StopReason::FinishNow, "at {at}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_and_resume_at_every_effect_end_as_if_nothing_had_been() {
    let golden = crate::support::golden(1).await;
    let golden_text: elenchus_core::answer::Answer =
        serde_json::from_str(&golden.left.answer).unwrap();
    for at in 1.. {
        let Some((handle, gate, _)) = hanging(at, false).await else { break };
        let mut live = handle.live();
        soon("the pause", handle.control(Control::Pause)).await.unwrap();
        soon("standing still", live.wait_for(|live| live.paused && live.in_flight.is_empty()))
            .await
            .unwrap();
        let before = gate.world().performed();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(gate.world().performed(), before, "nothing is performed while it is paused");
        soon("resuming", handle.control(Control::Resume)).await.unwrap();
        let finished = soon("the end", handle.join()).await.unwrap();
        assert_eq!(finished.answer.text, golden_text.text);
        assert_eq!(
            gate.world().performed(),
            golden.performed,
            "what hung is performed once in the end"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_while_something_hangs_is_journaled_at_once() {
    for at in [2, 4, 6] {
        let (handle, _, _) = hanging(at, false).await.unwrap();
        let controller = handle.controller();
        let focus = Some("Which ferry serves Osterby island".to_owned());
        soon(
            "the redirect",
            controller.control(Control::Redirect { focus, exclude: vec![], only: vec![] }),
        )
        .await
        .unwrap();
        // The call in flight is still wanted; without a pause it would hang on.
        soon("the pause", controller.control(Control::Pause)).await.unwrap();
        soon("resuming", controller.control(Control::Resume)).await.unwrap();
        let finished = soon("the end", handle.join()).await.unwrap();
        let missing = &finished.answer.could_not_establish;
        assert!(missing.iter().any(|gap| gap.description.contains("Osterby")), "at {at}");
        assert_eq!(finished.answer.question, QUESTION);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_run_goes_on_later() {
    let golden = crate::support::golden(1).await;
    for at in 1.. {
        let Some((handle, _, store)) = hanging(at, true).await else { break };
        let run_id = handle.run_id().clone();
        handle.controller().suspend();
        let error = soon("suspending", handle.join()).await.unwrap_err();
        assert_eq!(error, EngineError::Suspended(run_id.clone()));
        assert!(error.to_string().contains("elenchus runs resume"));
        // Another process may take it at once.
        let mut other = settings(1);
        other.holder = None;
        let handle = engine(&Arc::new(harbour()), &store, other).resume(&run_id).await.unwrap();
        let finished = handle.join().await.unwrap();
        assert_eq!(crate::support::left(&store, &run_id, &finished.answer), golden.left);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_run_that_nobody_can_resume_is_suspended() {
    let (handle, _, store) = hanging(3, false).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.control(Control::Pause).await.unwrap();
    let error = soon("giving up", handle.join()).await.unwrap_err();
    assert_eq!(error, EngineError::Suspended(run_id.clone()));
    // It is still paused after a resume of the driver, until it is told to go on.
    let handle = engine(&Arc::new(harbour()), &store, settings(1)).resume(&run_id).await.unwrap();
    assert!(handle.live().borrow().paused);
    handle.control(Control::Resume).await.unwrap();
    handle.join().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_control_after_the_end_is_refused() {
    let (world, store) = (Arc::new(harbour()), memory());
    let handle = engine(&world, &store, settings(1)).start(QUESTION, options(), 7).await.unwrap();
    let (run_id, controller) = (handle.run_id().clone(), handle.controller());
    handle.join().await.unwrap();
    assert_eq!(controller.control(Control::Interrupt).await, Err(EngineError::Over(run_id)));
    controller.suspend();
}

#[tokio::test(flavor = "multi_thread")]
async fn losing_the_lease_stops_the_driver_without_a_word_in_the_journal() {
    let (gate, store) = (Arc::new(Gate::new(harbour(), 4, true)), memory());
    let mut settings = settings(1);
    settings.lease = Duration::from_millis(300);
    let handle = engine(&gate, &store, settings).start(QUESTION, options(), 7).await.unwrap();
    assert!(gate.reached().await);
    let run_id = handle.run_id().clone();
    let before = block_on(store.tip(&run_id)).unwrap();
    // Renewals hold it while the clock of the store's clients stands; a later clock takes it.
    let later = Timestamp(1_700_000_900_000);
    let taken = block_on(store.lease(&run_id, "thief", later, 60_000)).unwrap();
    let started = Instant::now();
    let error = soon("noticing", handle.join()).await.unwrap_err();
    assert_eq!(error, EngineError::LeaseLost(run_id.clone()));
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(block_on(store.tip(&run_id)).unwrap(), before);
    block_on(store.release(&taken)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_after_losing_the_lease_is_refused_too() {
    let (gate, store) = (Arc::new(Gate::new(harbour(), 4, true)), memory());
    let handle = engine(&gate, &store, settings(1)).start(QUESTION, options(), 7).await.unwrap();
    assert!(gate.reached().await);
    let run_id = handle.run_id().clone();
    let later = Timestamp(1_700_000_900_000);
    block_on(store.lease(&run_id, "thief", later, 60_000)).unwrap();
    let lost = EngineError::LeaseLost(run_id);
    assert_eq!(handle.control(Control::Interrupt).await, Err(lost.clone()));
    assert_eq!(handle.join().await.unwrap_err(), lost);
}

// Both are asked before the driver hears of the first.
#[tokio::test]
async fn what_waits_behind_a_control_that_was_not_kept_is_told_the_same() {
    let (gate, store) = (Arc::new(Gate::new(harbour(), 4, true)), memory());
    let handle = engine(&gate, &store, settings(1)).start(QUESTION, options(), 7).await.unwrap();
    assert!(gate.reached().await);
    let run_id = handle.run_id().clone();
    let later = Timestamp(1_700_000_900_000);
    block_on(store.lease(&run_id, "thief", later, 60_000)).unwrap();
    let (first, second) =
        tokio::join!(handle.control(Control::Interrupt), handle.control(Control::Pause));
    let lost = EngineError::LeaseLost(run_id);
    assert_eq!((first, second), (Err(lost.clone()), Err(lost)));
}

/// What the driven run's clock says at its start.
const NOW: Timestamp = Timestamp(1_700_000_000_000);

/// The controls that stand in the journal of a run.
fn obeyed(store: &Arc<dyn Store>, run_id: &RunId) -> Vec<Control> {
    let journal = block_on(store.journal(run_id)).unwrap();
    let controls = journal.into_iter().filter_map(|record| match record.entry {
        Entry::Input(input) => match *input {
            Input::Control(control) => Some(control),
            _ => None,
        },
        Entry::Intent(_) => None,
    });
    controls.collect()
}

async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), future).await.expect("it is heard of in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_leaves_is_obeyed_in_its_order_and_once() {
    let (handle, _, store) = hanging(2, true).await.unwrap();
    let run_id = handle.run_id().clone();
    let redirect =
        Control::Redirect { focus: Some("the keeper".to_owned()), exclude: vec![], only: vec![] };
    // What nobody here understands holds nothing up.
    store.leave_control(&run_id, "{\"control\":\"levitate\"}", "a newer one", NOW).await.unwrap();
    let limits = NewLimits { passages: Some(80), by: "ann".to_owned(), ..NewLimits::default() };
    let sources = NewSources { documents: vec!["light.md".to_owned()], ..NewSources::default() };
    let (limits, sources) = (Control::SetBudget(limits), Control::AddSources(sources));
    for control in [&redirect, &limits, &sources, &Control::Interrupt] {
        leave_control(&*store, &run_id, control, NOW).await.unwrap();
    }
    let finished = in_time(handle.join()).await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    assert_eq!(obeyed(&store, &run_id), [redirect, limits, sources, Control::Interrupt]);
    let events = block_on(store.events(&run_id, 0)).unwrap();
    let changed = events.iter().any(|event| {
        matches!(&event.event, TraceEvent::BudgetChanged { by, budget, .. }
            if by == "ann" && budget.passages == 80)
    });
    assert!(changed, "{events:?}");
    assert!(store.left_controls(&run_id).await.unwrap().is_empty());
    let late = leave_control(&*store, &run_id, &Control::Pause, NOW).await.unwrap_err();
    assert_eq!(late, StoreFailure::NotDriven(run_id));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_for_a_holder_that_is_gone_is_heard_by_the_next_one() {
    let (handle, _, store) = hanging(2, true).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.controller().suspend();
    assert_eq!(handle.join().await.unwrap_err(), EngineError::Suspended(run_id.clone()));
    // One that takes nothing, and is gone.
    let lease = store.lease(&run_id, "another", NOW, 60_000).await.unwrap();
    leave_control(&*store, &run_id, &Control::Interrupt, NOW).await.unwrap();
    store.release(&lease).await.unwrap();
    let gate = Arc::new(Gate::new(harbour(), 1, true));
    let handle = engine(&gate, &store, settings(1)).resume(&run_id).await.unwrap();
    let finished = in_time(handle.join()).await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    assert_eq!(obeyed(&store, &run_id), [Control::Interrupt]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_another_process_is_followed_and_steered() {
    let (driven, _, store) = hanging(3, true).await.unwrap();
    let run_id = driven.run_id().clone();
    let clock = Arc::new(ManualClock::new(NOW));
    let followed = follow(Arc::clone(&store), clock.clone(), &run_id).await.unwrap();
    let left = follow(Arc::clone(&store), clock, &run_id).await.unwrap();
    // Who goes away leaves the run alone.
    left.controller().suspend();
    assert_eq!(in_time(left.join()).await.unwrap_err(), EngineError::Detached(run_id.clone()));
    followed.control(Control::Interrupt).await.unwrap();
    let here = in_time(driven.join()).await.unwrap();
    let there = in_time(followed.join()).await.unwrap();
    assert_eq!(here.answer, there.answer);
    assert_eq!(here.answer.stop_reason, StopReason::Interrupted);
    assert_eq!(obeyed(&store, &run_id), [Control::Interrupt]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_a_run_over_a_store_that_hangs_may_leave() {
    let (driven, _, store) = hanging(3, true).await.unwrap();
    let run_id = driven.run_id().clone();
    let hung = Arc::new(FaultyStore::new(store, Fault::Hangs, 2, u32::MAX));
    let beside: Arc<dyn Store> = hung.clone();
    let followed = follow(beside, Arc::new(ManualClock::new(NOW)), &run_id).await.unwrap();
    while hung.calls() < 2 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let controller = followed.controller();
    controller.suspend();
    let asked = controller.control(Control::Pause);
    let (asked, left) = in_time(async { tokio::join!(asked, followed.join()) }).await;
    assert_eq!(left.unwrap_err(), EngineError::Detached(run_id.clone()));
    assert_eq!(asked, Err(EngineError::Detached(run_id)), "the run is not over");
}
