//! Runs that nothing disturbs.

use crate::support::{QUESTION, engine, golden, harbour, memory, options, ports, settings};
use elenchus_core::answer::Answer;
use elenchus_core::id::RunId;
use elenchus_core::inquiry::gap::GapStatus;
use elenchus_core::inquiry::{Derivations, Elsewhere, Options, StopReason};
use elenchus_core::journal::GENESIS;
use elenchus_core::port::{
    Answered, Model, ModelFailure, ModelRole, PortFuture, Store, StoreFailure,
};
use elenchus_core::prompt::ModelCall;
use elenchus_core::testkit::{World, block_on};
use elenchus_core::trace::{Envelope, Projection, TraceEvent};
use elenchus_engine::{CrashPlan, Engine, EngineError, FailPoint, MAX_QUESTION_CHARS, Ports};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_from_question_to_answer() {
    let (world, store) = (Arc::new(harbour()), memory());
    let handle = engine(&world, &store, settings(4)).start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    assert_eq!(handle.resumed_after(), 0);
    let mut events = handle.events();
    let mut seen: Vec<Envelope> = Vec::new();
    while let Some(event) = events.next().await {
        seen.push(event);
    }
    let mut later = handle.events_after(3);
    assert_eq!(later.next().await.unwrap().seq, 4);
    let finished = handle.join().await.unwrap();
    let view = finished.run.view();
    assert!(finished.answer.text.contains("4 metres") && finished.answer.text.contains("5 metres"));
    assert!(view.audit().is_empty(), "{:?}", view.audit());
    assert!(view.gaps().gaps().iter().all(|gap| gap.status != GapStatus::Active));
    // What the sources disagree about, and what is nowhere.
    assert_eq!(finished.answer.could_not_establish.len(), 2);
    assert!(seen.iter().map(|event| event.seq).eq(1..=seen.len() as u64));
    assert_eq!(seen, block_on(store.events(&run_id, 0)).unwrap());
    assert!(matches!(seen.last().unwrap().event, TraceEvent::SessionCompleted { .. }));
    let runs = block_on(store.runs()).unwrap();
    assert_eq!(runs[0].status, "finished");
    assert_eq!(runs[0].stop_reason.as_deref(), Some(finished.answer.stop_reason.name()));
    // The lease was given back.
    assert!(block_on(store.lease(&run_id, "other", runs[0].updated_at, 1)).is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrency_does_not_show() {
    let one = golden(1).await;
    for concurrency in [2, 5, 16] {
        let other = golden(concurrency).await;
        assert_eq!(other.left.answer, one.left.answer);
        assert_eq!(other.left.events, one.left.events);
        assert_eq!(other.performed, one.performed);
    }
}

#[tokio::test]
async fn one_thread_is_enough() {
    let one = golden(4).await;
    assert!(one.left.answer.contains("metres"));
}

#[tokio::test(flavor = "multi_thread")]
async fn replaying_gives_the_same_bytes_and_performs_nothing() {
    let (world, store) = (Arc::new(harbour()), memory());
    let engine = engine(&world, &store, settings(4));
    let finished = engine.start(QUESTION, options(), 7).await.unwrap().join().await.unwrap();
    let run_id = finished.run.id().clone();
    let before = world.performed();
    let (run, trace) = engine.replay(&run_id).await.unwrap();
    assert_eq!(run, finished.run);
    assert_eq!(trace, block_on(store.events(&run_id, 0)).unwrap());
    // Resuming what is over gives its answer, takes no lease and performs nothing.
    let handle = engine.resume(&run_id).await.unwrap();
    assert_eq!(handle.resumed_after(), trace.len() as u64);
    let mut events = handle.events();
    let mut count = 0;
    while events.next().await.is_some() {
        count += 1;
    }
    assert_eq!(count, trace.len());
    assert_eq!(handle.join().await.unwrap().answer, finished.answer);
    assert_eq!(world.performed(), before);
}

#[tokio::test]
async fn questions_that_are_none_are_refused() {
    let (world, store) = (Arc::new(harbour()), memory());
    let engine = engine(&world, &store, settings(1));
    for question in ["", "   \n\t", "???", "\u{200B}\u{202E}"] {
        let refused = engine.start(question, options(), 1).await.err();
        assert_eq!(refused, Some(EngineError::EmptyQuestion), "{question:?}");
    }
    let long = "why ".repeat(MAX_QUESTION_CHARS);
    let error = engine.start(&long, options(), 1).await.err().unwrap();
    assert!(error.to_string().contains(&MAX_QUESTION_CHARS.to_string()), "{error}");
    assert!(block_on(store.runs()).unwrap().is_empty(), "nothing is left of a refused question");
    let nobody = RunId::from("run_nobody");
    let error = engine.resume(&nobody).await.err().unwrap();
    assert_eq!(error, EngineError::Store(StoreFailure::UnknownRun(nobody.clone())));
    assert!(error.to_string().contains("elenchus runs list"));
    assert!(engine.replay(&nobody).await.is_err());
}

#[tokio::test]
async fn one_question_twice_needs_another_seed() {
    let (world, store) = (Arc::new(harbour()), memory());
    let engine = engine(&world, &store, settings(1));
    engine.start(QUESTION, options(), 1).await.unwrap().join().await.unwrap();
    let again = engine.start(QUESTION, options(), 1).await.err().unwrap();
    assert!(matches!(again, EngineError::Store(StoreFailure::RunExists(_))), "{again}");
    engine.start(QUESTION, options(), 2).await.unwrap().join().await.unwrap();
}

#[tokio::test]
async fn an_empty_corpus_is_an_answer() {
    let (world, store) = (Arc::new(World::new("empty")), memory());
    let handle =
        engine(&world, &store, settings(1)).start("Why?", Options::default(), 1).await.unwrap();
    let finished = handle.join().await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::EmptyCorpus);
    assert_eq!(block_on(store.runs()).unwrap()[0].status, "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_driven_is_not_taken() {
    let store = memory();
    let gate = Arc::new(crate::support::Gate::new(harbour(), 3, false));
    let first = engine(&gate, &store, settings(1)).start(QUESTION, options(), 1).await.unwrap();
    assert!(gate.reached().await);
    let mut other = settings(1);
    other.holder = None;
    let error = engine(&gate, &store, other).resume(first.run_id()).await.err().unwrap();
    assert!(matches!(&error, EngineError::Store(StoreFailure::Leased { .. })), "{error}");
    assert!(error.to_string().contains("is driving it"));
}

#[tokio::test]
async fn a_journal_under_another_runs_name_is_refused() {
    let (world, store) = (Arc::new(harbour()), memory());
    let engine = engine(&world, &store, settings(1));
    let finished = engine.start(QUESTION, options(), 7).await.unwrap().join().await.unwrap();
    let first = block_on(store.journal(finished.run.id())).unwrap()[0].seal(GENESIS);
    let other = RunId::from("run_swapped");
    block_on(store.create(&other, QUESTION, &first, &[], "x", 1)).unwrap();
    for error in
        [engine.resume(&other).await.err().unwrap(), engine.replay(&other).await.err().unwrap()]
    {
        assert!(
            matches!(error, EngineError::Store(StoreFailure::Corrupt { seq: 1, .. })),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_trace_that_the_journal_does_not_give_is_not_continued() {
    let (world, store) = (Arc::new(harbour()), memory());
    let mut crashing = settings(1);
    crashing.crash = CrashPlan::at(FailPoint::AfterIntent, 2);
    let handle = engine(&world, &store, crashing).start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.join().await.unwrap_err();
    let journal = block_on(store.journal(&run_id)).unwrap();
    let mut events = block_on(store.events(&run_id, 0)).unwrap();
    events.truncate(3);
    events[2].event = TraceEvent::PlanningStarted { question: "another".to_owned() };
    let changed = memory();
    let mut last = journal[0].seal(GENESIS);
    let lease = block_on(changed.create(&run_id, QUESTION, &last, &events, "test", 1)).unwrap();
    for record in &journal[1..] {
        last = record.seal(&last.hash);
        block_on(changed.append(&lease, &last, &[])).unwrap();
    }
    let error = engine(&world, &changed, settings(1)).resume(&run_id).await.err().unwrap();
    assert_eq!(error, EngineError::TraceDiffers { run_id: run_id.clone(), seq: 3 });
    // The lease is free again, and the journal can still be read.
    assert!(block_on(changed.lease(&run_id, "other", journal[0].at, 1)).is_ok());
    assert!(engine(&world, &changed, settings(1)).replay(&run_id).await.is_ok());
}

/// A run as an earlier version began it, in a file: its journal notes no rules. It goes on by those of then, is looked at once
/// more when it is over, and is forked.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_of_an_earlier_version_goes_on_and_is_forked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let open = || -> Arc<dyn Store> {
        Arc::new(SqliteStore::open(&path, &SqliteOptions::default()).unwrap())
    };
    let world = Arc::new(harbour());
    let statement = "The harbour tide can rise 4 metres far into spring.".to_owned();
    let new = Options { critique: true, to_test: vec![statement], ..options() };
    let mut old = Options { derivations: Derivations::FIRST, ..new.clone() };
    old.gaps.apart = false;
    let mut crashing = settings(1);
    crashing.crash = CrashPlan::at(FailPoint::AfterIntent, 4);
    let store = open();
    let handle = engine(&world, &store, crashing).start(QUESTION, old, 7).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.join().await.unwrap_err();
    let journal = block_on(store.journal(&run_id)).unwrap();
    let opened = serde_json::to_string(&journal[0]).unwrap();
    assert!(!opened.contains("derivations"), "{opened}");
    drop(store);

    let store = open();
    let engine = engine(&world, &store, settings(1));
    let finished = engine.resume(&run_id).await.unwrap().join().await.unwrap();
    let by_user = |answer: &Answer| -> Vec<bool> {
        answer.hypotheses.iter().map(|one| one.by_user).collect()
    };
    assert_eq!(by_user(&finished.answer), [false], "earlier versions did not note it");
    // All of it is compared, the answer too.
    let again = engine.resume(&run_id).await.unwrap().join().await.unwrap();
    assert_eq!(again.answer, finished.answer);
    let fork = engine.fork(&run_id, 6, None, 9).await.unwrap().join().await.unwrap();
    assert_eq!(fork.answer.text, finished.answer.text);
    assert_eq!(by_user(&fork.answer), [false], "a fork goes by the rules of its beginning");

    let fresh = engine.start(QUESTION, new, 8).await.unwrap().join().await.unwrap();
    assert_eq!(by_user(&fresh.answer), [true]);
    let journal = block_on(store.journal(fresh.run.id())).unwrap();
    assert!(serde_json::to_string(&journal[0]).unwrap().contains("\"derivations\":5"));
}

/// The same model by another name.
struct Renamed(Arc<World>);

impl Model for Renamed {
    fn name(&self) -> &'static str {
        "far:model"
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        self.0.call(role, call)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_model_that_goes_on_with_a_run_is_named_and_so_is_where_it_sends_things() {
    let (world, store) = (Arc::new(harbour()), memory());
    let place = |to: &str| Elsewhere { sent: "what is read".to_owned(), to: to.to_owned() };
    let began = Options { elsewhere: Some(vec![place("https://near.example")]), ..options() };
    let mut crashing = settings(1);
    crashing.crash = CrashPlan::at(FailPoint::AfterIntent, 3);
    let handle = engine(&world, &store, crashing).start(QUESTION, began, 7).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.join().await.unwrap_err();
    let sent = vec![place("https://near.example"), place("https://far.example")];
    let other = Ports {
        model: Arc::new(Renamed(Arc::clone(&world))),
        elsewhere: sent.clone(),
        ..ports(&world, &store)
    };
    // It is put down before anything is sent, and once however often somebody goes on.
    let mut crashing = settings(1);
    crashing.crash = CrashPlan::at(FailPoint::AfterEffect, 1);
    let again = Engine::new(other.clone(), crashing).resume(&run_id).await.unwrap();
    again.join().await.unwrap_err();
    let resumed = Engine::new(other, settings(1)).resume(&run_id).await.unwrap();
    let finished = resumed.join().await.unwrap();
    let trace = block_on(store.events(&run_id, 0)).unwrap();
    let noted = trace.iter().filter(|event| match &event.event {
        TraceEvent::BudgetUpdated { elsewhere, .. } => {
            assert!(elsewhere.is_empty() || elsewhere.as_slice() == [place("https://far.example")]);
            !elsewhere.is_empty()
        }
        _ => false,
    });
    assert_eq!(noted.count(), 1);
    let mut shown = Projection::new(run_id);
    for event in &trace {
        shown.apply(event);
    }
    assert_eq!(shown.options.elsewhere, Some(sent));
    let model = &finished.answer.model;
    assert!(model.starts_with("scripted:world (far:model in its place for "), "{model}");
    assert!(
        !model.contains(&format!("for {0} of {0} replies", shown.spent.model_calls)),
        "{model}"
    );
}
