//! Forks: another run takes over the beginning of one, and goes on from there.

use crate::support::{Gate, QUESTION, engine, golden, harbour, left, memory, options, settings};
use elenchus_core::answer::{Answer, AuditSeverity};
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::{
    Budget, Control, Cut, ForkFailure, Input, NewLimits, Options, Run, StopReason,
};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, JournalRecord};
use elenchus_core::port::{Clock, Store, StoreFailure};
use elenchus_core::testkit::{Fault, FaultyStore, World, block_on};
use elenchus_core::trace::{Envelope, TraceEvent};
use elenchus_engine::{EngineError, Settings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

const FOCUS: &str = "Which ferry serves Osterby island";

/// Effects whose outcomes stand in records.
fn outcomes(records: &[JournalRecord]) -> BTreeSet<EffectId> {
    let outcome = |record: &JournalRecord| match &record.entry {
        Entry::Input(input) => match input.as_ref() {
            Input::Outcome { id, .. } => Some(*id),
            Input::Opened(_) | Input::Control(_) | Input::GivenUp { .. } => None,
        },
        Entry::Intent(_) => None,
    };
    records.iter().filter_map(outcome).collect()
}

/// Effects whose intents stand in records.
fn intents(records: &[JournalRecord]) -> BTreeSet<EffectId> {
    let intents = records.iter().filter_map(|record| match &record.entry {
        Entry::Intent(intents) => Some(intents.iter().map(|intent| intent.effect_id)),
        Entry::Input(_) => None,
    });
    intents.flatten().collect()
}

/// Events of a fork as its parent would have them.
fn as_of(parent: &RunId, events: &[Envelope]) -> Vec<Envelope> {
    let mut events = events.to_vec();
    for event in &mut events {
        event.run_id.clone_from(parent);
        match &mut event.event {
            TraceEvent::SessionStarted { forked, .. } => *forked = None,
            TraceEvent::AnswerCompleted { answer, .. } => answer.run_id.clone_from(parent),
            _ => {}
        }
    }
    events
}

/// A run to its end; its store and its id.
async fn ended(world: &Arc<World>) -> (Arc<dyn Store>, RunId) {
    let store = memory();
    let handle = engine(world, &store, settings(4)).start(QUESTION, options(), 7).await.unwrap();
    let finished = handle.join().await.unwrap();
    (store, finished.run.id().clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_at_every_event_repeats_nothing_and_ends_alike() {
    for concurrency in [1, 4] {
        let (world, store) = (Arc::new(harbour()), memory());
        let handle =
            engine(&world, &store, settings(concurrency)).start(QUESTION, options(), 7).await;
        let finished = handle.unwrap().join().await.unwrap();
        let parent = finished.run.id().clone();
        let before = left(&store, &parent, &finished.answer);
        let (_, open) = Run::replay(&before.journal[..before.journal.len() - 1]).unwrap();
        let (open, last) = (open.len() as u64, before.events.len() as u64);
        assert!(open > 10 && open < last, "{open} of {last}");
        for at in 1..=last {
            let again = Arc::new(harbour());
            let engine = engine(&again, &store, settings(concurrency));
            let handle = engine.fork(&parent, at, None, 100 + at).await.unwrap();
            let id = handle.run_id().clone();
            let shared = handle.resumed_after();
            // What came together is kept together. From its end one goes back to before it.
            let expected = if at > open { open..=open } else { at..=open };
            assert!(expected.contains(&shared), "{shared} events from {at}");
            let ended = handle.join().await.unwrap();
            let made = left(&store, &id, &ended.answer);
            assert_eq!(as_of(&parent, &made.events), before.events, "from {at}");
            let TraceEvent::SessionStarted { forked: Some(forked), .. } = &made.events[0].event
            else {
                panic!("it does not say where it comes from")
            };
            assert_eq!((&forked.parent, forked.event_id), (&parent, shared));

            let cut = Cut::at(&before.journal, at).unwrap();
            let (common, later) = made.journal.split_at(1 + cut.rest().len());
            let taken_over = common.iter().skip(1).map(|record| &record.entry);
            assert!(taken_over.eq(cut.rest().iter().map(|(entry, _)| entry)), "from {at}");
            let done = outcomes(common);
            assert_eq!(intents(common), done, "an intent without an outcome, from {at}");
            assert!(outcomes(later).is_disjoint(&done) && intents(later).is_disjoint(&done));
            let performed: u32 = again.performed().values().sum();
            assert_eq!(performed as usize, outcomes(later).len(), "from {at}");
            assert_eq!(done.len() + outcomes(later).len(), outcomes(&before.journal).len());
            let kept = block_on(store.run(&id)).unwrap();
            assert_eq!((kept.status.as_str(), kept.held_until), ("finished", None));
        }
        assert_eq!(left(&store, &parent, &finished.answer), before, "it was only read");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_of_a_fork_is_a_fork() {
    let (store, first) = ended(&Arc::new(harbour())).await;
    let world = Arc::new(harbour());
    let engine = engine(&world, &store, settings(4));
    let second = engine.fork(&first, 20, None, 1).await.unwrap().join().await.unwrap();
    let second = second.run.id().clone();
    let third = engine.fork(&second, 12, None, 2).await.unwrap().join().await.unwrap();
    let forked = third.run.view().forked().unwrap();
    assert_eq!(forked.parent, second);
    assert!(forked.event_id >= 12, "{forked:?}");
    let events = |run: &RunId| as_of(&first, &block_on(store.events(run, 0)).unwrap());
    assert_eq!(events(third.run.id()), events(&first));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_at_every_event_takes_another_direction() {
    let (store, parent) = ended(&Arc::new(harbour())).await;
    let before = block_on(store.events(&parent, 0)).unwrap();
    for at in 1..=before.len() as u64 {
        let world = Arc::new(harbour());
        let engine = engine(&world, &store, settings(4));
        let handle = engine.fork(&parent, at, Some(FOCUS), 100 + at).await.unwrap();
        let shared = usize::try_from(handle.resumed_after()).unwrap();
        let finished = handle.join().await.unwrap();
        let view = finished.run.view();
        let errors = view.audit().iter().any(|note| note.severity == AuditSeverity::Error);
        assert!(!errors, "from {at}: {:?}", view.audit());
        let asked = view.plan().questions.iter().any(|question| question.text.contains("Osterby"));
        assert!(asked, "from {at}");
        let events = block_on(store.events(finished.run.id(), 0)).unwrap();
        assert_eq!(as_of(&parent, &events[..shared]), before[..shared], "from {at}");
        assert!(
            matches!(&events[shared].event, TraceEvent::ControlReceived(Control::Redirect { focus: Some(focus), .. }) if focus == FOCUS),
            "from {at}"
        );
        if at == 1 {
            let missing = &finished.answer.could_not_establish;
            assert!(missing.iter().any(|gap| gap.description.contains("Osterby")), "{missing:?}");
            let searched = world.performed();
            assert!(searched.keys().any(|key| key.contains("Osterby")), "{searched:?}");
        }
    }
    assert_eq!(block_on(store.events(&parent, 0)).unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_somebody_drives_is_forked_in_the_middle_of_a_batch() {
    let golden = golden(1).await;
    let golden: Answer = serde_json::from_str(&golden.left.answer).unwrap();
    for at in 1..=8 {
        let (gate, store) = (Arc::new(Gate::new(harbour(), at, true)), memory());
        let parent = engine(&gate, &store, settings(4)).start(QUESTION, options(), 7).await;
        let parent = parent.unwrap();
        assert!(gate.reached().await);
        parent.control(Control::Pause).await.unwrap();
        let before = block_on(store.events(parent.run_id(), 0)).unwrap();
        let mut other = settings(4);
        other.holder = None;
        let engine = engine(&Arc::new(harbour()), &store, other);
        let fork = engine.fork(parent.run_id(), before.len() as u64, None, 1).await.unwrap();
        assert!(fork.live().borrow().paused, "it stands as the other one stood");
        let journal = block_on(store.journal(fork.run_id())).unwrap();
        assert_eq!(intents(&journal), outcomes(&journal), "what hangs is not taken over");
        fork.control(Control::Resume).await.unwrap();
        let finished = fork.join().await.unwrap();
        assert_eq!(finished.answer.text, golden.text, "at {at}");
        // The other one is driven as before.
        let run_id = parent.run_id().clone();
        assert_eq!(block_on(store.events(&run_id, 0)).unwrap(), before);
        parent.controller().suspend();
        assert_eq!(parent.join().await.unwrap_err(), EngineError::Suspended(run_id));
    }
}

/// A clock whose every look is a second later.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1_000, Ordering::SeqCst))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_run_took_is_behind_its_fork() {
    let (world, store) = (Arc::new(harbour()), memory());
    let by = |start: i64| {
        let clock: Arc<dyn Clock> = Arc::new(Ticking(AtomicI64::new(start)));
        engine(&world, &store, settings(1)).clocked(clock)
    };
    let budget = Budget { wall_ms: Some(3_600_000), ..options().budget };
    let limited = Options { budget, ..options() };
    let start = 1_700_000_000_000;
    let finished = by(start).start(QUESTION, limited, 7).await.unwrap().join().await.unwrap();
    let parent = finished.run.id().clone();
    let journal = block_on(store.journal(&parent)).unwrap();
    let cut = Cut::at(&journal, 12).unwrap();
    assert!(cut.took_ms() >= 2_000, "{}", cut.took_ms());
    // A day later the budget of time goes on from what was used of it.
    let later = start + 86_400_000;
    let handle = by(later).fork(&parent, 12, None, 1).await.unwrap();
    let id = handle.run_id().clone();
    let ended = handle.join().await.unwrap();
    assert_eq!(ended.answer.text, finished.answer.text);
    assert_eq!(ended.answer.stop_reason, finished.answer.stop_reason);
    let runs = block_on(store.runs()).unwrap();
    let began = later - cut.took_ms();
    assert_eq!((&runs[0].run_id, runs[0].started_at), (&id, Timestamp(began)));
    let made = block_on(store.journal(&id)).unwrap();
    for (record, (_, ms)) in made.iter().skip(1).zip(cut.rest()) {
        assert_eq!(record.at, Timestamp(began + ms));
    }
    assert!(made.iter().zip(1..).all(|(record, seq)| record.seq == seq));
}

/// Under the higher limit the other run does what the first would have done under it, and nothing of the first again.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_a_limit_ended_goes_on_in_another_one() {
    let store = memory();
    let world = Arc::new(harbour());
    let once = Options { budget: Budget { rounds: 1, ..Budget::default() }, ..options() };
    let handle = engine(&world, &store, settings(4)).start(QUESTION, once, 7).await.unwrap();
    let over = handle.join().await.unwrap();
    assert_eq!(over.answer.stop_reason, StopReason::BudgetRounds);
    let parent = over.run.id().clone();
    let before = left(&store, &parent, &over.answer);
    let limits = NewLimits { rounds: Some(5), by: "ann".to_owned(), ..NewLimits::default() };
    let cut = Cut::for_more(&before.journal, &limits).unwrap();

    let world = Arc::new(harbour());
    let told = vec![Control::SetBudget(limits)];
    let engine = engine(&world, &store, settings(4));
    let handle = engine.fork_told(&parent, cut.events(), told, 8).await.unwrap();
    assert_eq!(handle.resumed_after(), cut.events());
    let more = handle.join().await.unwrap();
    let whole = ended(&Arc::new(harbour())).await;
    let whole = block_on(whole.0.events(&whole.1, 0)).unwrap();
    let rounds = |events: &[Envelope]| {
        events.iter().filter(|one| matches!(one.event, TraceEvent::RoundStarted { .. })).count()
    };
    let events = block_on(store.events(more.run.id(), 0)).unwrap();
    assert!(rounds(&events) > 1 && rounds(&events) == rounds(&whole), "{}", rounds(&events));
    assert_eq!(as_of(&parent, &events[..cut.trace().len()]), as_of(&parent, cut.trace()));
    let searched_again = world.performed().keys().any(|key| {
        let first = key.strip_prefix("search ");
        first.is_some_and(|query| before.events.iter().any(|event| matches!(
            &event.event, TraceEvent::RoundStarted { queries, .. } if queries.iter().any(|one| one == query)
        )))
    });
    assert!(!searched_again, "{:?}", world.performed());
    assert_eq!(left(&store, &parent, &over.answer), before, "it was only read");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_forked_is_refused() {
    let (store, parent) = ended(&Arc::new(harbour())).await;
    let engine = engine(&Arc::new(harbour()), &store, settings(1));
    let last = block_on(store.events(&parent, 0)).unwrap().len() as u64;
    for event_id in [0, last + 1, u64::MAX] {
        let error = engine.fork(&parent, event_id, None, 1).await.err().unwrap();
        let cause = ForkFailure::UnknownEvent { last };
        let run_id = parent.clone();
        assert_eq!(error, EngineError::Unforkable { run_id, event_id, cause });
        assert!(error.to_string().contains(&format!("the events 1 to {last}; name one")));
    }
    let nobody = RunId::from("run_nobody");
    let error = engine.fork(&nobody, 1, None, 1).await.err().unwrap();
    assert_eq!(error, EngineError::Store(StoreFailure::UnknownRun(nobody)));
    let error = engine.fork(&parent, 5, Some(" ?! "), 1).await.err().unwrap();
    assert_eq!(error, EngineError::EmptyQuestion);
    // A run without documents is over at once.
    let empty = Arc::new(World::new("empty"));
    let over = crate::support::engine(&empty, &store, settings(1));
    let over = over.start(QUESTION, options(), 9).await.unwrap().join().await.unwrap();
    let error = engine.fork(over.run.id(), 1, None, 1).await.err().unwrap();
    assert!(
        matches!(error, EngineError::Unforkable { cause: ForkFailure::OverAtOnce, .. }),
        "{error}"
    );
    assert_eq!(block_on(store.runs()).unwrap().len(), 2, "nothing is left of a refused fork");

    // One whose process ended before all was taken over is not gone on with.
    let journal = block_on(store.journal(&parent)).unwrap();
    let (half, at) = (RunId::from("run_half"), journal[0].at);
    let opened = Cut::at(&journal, 20).unwrap().opening(half.clone());
    let (_, events) = Run::new(opened.clone(), at);
    let entry = Entry::Input(Box::new(Input::Opened(opened)));
    let first = JournalRecord { v: FORMAT, seq: 1, at, entry }.seal(GENESIS);
    block_on(store.create(&half, QUESTION, &first, &events, "test", 1)).unwrap();
    let error = engine.resume(&half).await.err().unwrap();
    assert_eq!(error, EngineError::HalfForked { run_id: half, parent });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_that_the_store_fails_leaves_nothing_behind() {
    let (sound, parent) = ended(&Arc::new(harbour())).await;
    let (mut refused, mut made) = (0, 0);
    for i in 1..=60 {
        let count = block_on(sound.runs()).unwrap().len();
        // As often as a write is tried: taking the run back works again.
        let tries = settings(1).retries + 1;
        let store: Arc<dyn Store> =
            Arc::new(FaultyStore::new(Arc::clone(&sound), Fault::Breaks, i, tries));
        let engine = engine(&Arc::new(harbour()), &store, settings(1));
        match engine.fork(&parent, 20, Some(FOCUS), 100 + u64::from(i)).await {
            Ok(handle) => {
                made += 1;
                // It may fail later: that is as with any run.
                let _ = handle.join().await;
            }
            Err(error) => {
                refused += 1;
                assert!(matches!(error, EngineError::Store(StoreFailure::Io { .. })), "{error}");
                assert_eq!(block_on(sound.runs()).unwrap().len(), count, "from call {i}");
            }
        }
    }
    assert!(refused > 5 && made > 5, "{refused} refused, {made} made");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_does_not_wait_for_a_store_that_is_away() {
    let (sound, parent) = ended(&Arc::new(harbour())).await;
    // In the middle of what is taken over.
    let store: Arc<dyn Store> = Arc::new(FaultyStore::new(sound, Fault::Refuses, 8, u32::MAX));
    let patient = Settings { away: Duration::from_mins(2), ..settings(1) };
    let engine = engine(&Arc::new(harbour()), &store, patient);
    let forking = engine.fork(&parent, 20, None, 1);
    let forked = tokio::time::timeout(Duration::from_secs(30), forking).await.unwrap();
    let error = forked.err().unwrap();
    assert!(matches!(error, EngineError::Store(StoreFailure::Away { .. })), "{error}");
}
