//! Calls that cost something and come to nothing: tried again, past their deadline, or given up for a control.

use crate::support::{QUESTION, harbour, memory, options, ports, settings};
use elenchus_core::inquiry::{Control, FailureKind, Input, Outcome, StopReason};
use elenchus_core::journal::Entry;
use elenchus_core::port::{
    Answered, Meter, Model, ModelFailure, ModelRole, PortFuture, Store, Usage,
};
use elenchus_core::prompt::ModelCall;
use elenchus_core::testkit::{World, block_on};
use elenchus_engine::{Engine, Finished, Live, Ports, RunHandle, Settings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What the prompt costs that goes out for nothing.
const PROMPT: Usage = Usage { input_tokens: 300, output_tokens: 0, cost_micro_usd: 11 };

/// What it brings of a reply.
const WRITTEN: &str = "{\"a reply that breaks";

#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// The call fails.
    Fails,
    /// It never comes back.
    Hangs,
}

/// A model whose prompts of one kind are paid for and bring nothing.
struct Paying {
    inner: World,
    prompt: &'static str,
    then: Then,
    sent: watch::Sender<bool>,
}

impl Model for Paying {
    fn name(&self) -> &str {
        Model::name(&self.inner)
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move { self.call_metered(role, call, &Meter::default()).await })
    }

    fn call_metered<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
        meter: &'a Meter,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        if call.prompt() != self.prompt {
            return self.inner.call_metered(role, call, meter);
        }
        Box::pin(async move {
            meter.count(PROMPT);
            meter.write(WRITTEN);
            self.sent.send_replace(true);
            if self.then == Then::Hangs {
                std::future::pending::<()>().await;
            }
            Err(ModelFailure {
                model: "paying".to_owned(),
                attempted: call.prompt().to_owned(),
                cause: "the stream broke off".to_owned(),
                permanent: false,
                usage: PROMPT,
                reply: None,
            })
        })
    }
}

async fn started(
    prompt: &'static str,
    then: Then,
    settings: Settings,
) -> (RunHandle, Arc<Paying>, Arc<dyn Store>) {
    let (world, store) = (Arc::new(harbour()), memory());
    let sent = watch::channel(false).0;
    let model = Arc::new(Paying { inner: harbour(), prompt, then, sent });
    let ports = Ports { model: model.clone(), ..ports(&world, &store) };
    let handle = Engine::new(ports, settings).start(QUESTION, options(), 7).await.unwrap();
    (handle, model, store)
}

/// Every outcome and every call given up in the journal of a finished run, after a look that its sums are theirs.
fn told(finished: &Finished, store: &Arc<dyn Store>) -> (Vec<Outcome>, Vec<Usage>) {
    let (mut outcomes, mut given_up) = (Vec::new(), Vec::new());
    let mut dropped = BTreeSet::new();
    for record in block_on(store.journal(finished.run.id())).unwrap() {
        let Entry::Input(input) = record.entry else { continue };
        match *input {
            Input::Outcome { id, result } => outcomes.push((id, result)),
            Input::GivenUp { calls, .. } => {
                dropped.extend(calls.iter().map(|call| call.id));
                given_up.extend(calls.iter().map(|call| call.usage));
            }
            Input::Opened(_) | Input::Control(_) => {}
        }
    }
    // What came back and was taken out afterwards is counted where it was given up.
    outcomes.retain(|(id, _)| !dropped.contains(id));
    let outcomes: Vec<Outcome> = outcomes.into_iter().map(|(_, result)| result).collect();
    let mut sum = Usage::default();
    for usage in outcomes.iter().map(Outcome::usage).chain(given_up.iter().copied()) {
        sum.count(usage);
    }
    assert_eq!(finished.run.view().spent().usage, sum);
    assert_eq!(finished.answer.receipt.usage, sum);
    (outcomes, given_up)
}

fn times(count: u64) -> Usage {
    Usage {
        input_tokens: PROMPT.input_tokens * count,
        output_tokens: PROMPT.output_tokens * count,
        cost_micro_usd: PROMPT.cost_micro_usd * count,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_writes_is_shown_while_it_does_and_kept_nowhere() {
    let (handle, _, store) = started("draft", Then::Hangs, settings(1)).await;
    let mut live = handle.live();
    let writes = |live: &Live| live.in_flight.iter().any(|one| one.writing.tail == WRITTEN);
    let seen = tokio::time::timeout(Duration::from_secs(5), live.wait_for(writes)).await;
    assert!(seen.is_ok_and(|shown| shown.is_ok()));
    handle.control(Control::Interrupt).await.unwrap();
    let finished = handle.join().await.unwrap();
    let journal = store.journal(finished.run.id()).await.unwrap();
    let events = store.events(finished.run.id(), 0).await.unwrap();
    let kept = serde_json::to_string(&(journal, events)).unwrap();
    assert!(kept.contains("harbour") && !kept.contains("a reply that breaks"), "{kept}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_try_of_a_failing_call_is_paid_for() {
    let (handle, _, store) = started("reflect", Then::Fails, settings(4)).await;
    let finished = handle.join().await.unwrap();
    let (outcomes, given_up) = told(&finished, &store);
    let lost: Vec<Usage> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Failed { kind: FailureKind::Exhausted, usage, .. } => Some(*usage),
            _ => None,
        })
        .collect();
    assert_eq!((lost, given_up), (vec![times(3)], vec![]), "as it is tried three times");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_past_its_deadline_has_cost_its_prompt() {
    let mut settings = settings(4);
    settings.deadlines.model = Duration::from_millis(600);
    let (handle, _, store) = started("reflect", Then::Hangs, settings).await;
    let finished = handle.join().await.unwrap();
    let (outcomes, _) = told(&finished, &store);
    let late = |outcome: &&Outcome| matches!(outcome, Outcome::Failed { kind: FailureKind::Deadline, usage, .. } if *usage == PROMPT);
    assert_eq!(outcomes.iter().filter(late).count(), 1, "{outcomes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_a_control_takes_out_of_the_run_has_cost_its_prompt() {
    let (handle, model, store) = started("reflect", Then::Hangs, settings(4)).await;
    let run_id = handle.run_id().clone();
    let mut sent = model.sent.subscribe();
    let waiting = sent.wait_for(|sent| *sent);
    assert!(
        tokio::time::timeout(Duration::from_secs(20), waiting)
            .await
            .is_ok_and(|ended| ended.is_ok())
    );
    handle.control(Control::Interrupt).await.unwrap();
    let finished = handle.join().await.unwrap();
    assert_eq!(finished.answer.stop_reason, StopReason::Interrupted);
    let (_, given_up) = told(&finished, &store);
    assert_eq!(given_up, [PROMPT]);
    let world = Arc::new(harbour());
    let engine = Engine::new(ports(&world, &store), settings(4));
    let (run, _) = engine.replay(&run_id).await.unwrap();
    assert_eq!(run, finished.run, "what was lived is what is replayed");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_pause_gives_up_is_paid_for_and_asked_again() {
    let (handle, model, store) = started("reflect", Then::Hangs, settings(4)).await;
    let mut sent = model.sent.subscribe();
    let waiting = sent.wait_for(|sent| *sent);
    assert!(
        tokio::time::timeout(Duration::from_secs(20), waiting)
            .await
            .is_ok_and(|ended| ended.is_ok())
    );
    handle.control(Control::Pause).await.unwrap();
    model.sent.send_replace(false);
    handle.control(Control::Resume).await.unwrap();
    let mut sent = model.sent.subscribe();
    let waiting = sent.wait_for(|sent| *sent);
    assert!(
        tokio::time::timeout(Duration::from_secs(20), waiting)
            .await
            .is_ok_and(|ended| ended.is_ok())
    );
    handle.control(Control::Interrupt).await.unwrap();
    let finished = handle.join().await.unwrap();
    let (_, given_up) = told(&finished, &store);
    assert_eq!(given_up, [PROMPT, PROMPT]);
}
