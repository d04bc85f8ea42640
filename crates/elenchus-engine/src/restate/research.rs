//! The workflow: the same machine as the in-process driver drives, told what Restate has recorded.

use super::effects::EffectsClient;
use super::messages::{Given, Observed, Opening, RunEnd, Submission, Task};
use super::pen::Pen;
use super::{Shared, distil};
use crate::engine::opened;
use elenchus_core::id::EffectId;
use elenchus_core::inquiry::{
    Effect, Elsewhere, FailureKind, Input, Outcome, Run, Step, Unsettled,
};
use elenchus_core::journal::Intent;
use elenchus_core::port::Usage;
use restate_sdk::context::DurableFuture;
use restate_sdk::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::Arc;

/// Controls that one run hears.
const MOST_CONTROLS: usize = 1_000;

/// What a run waits for.
type Awaited<'a> = Pin<Box<dyn DurableFuture<Output = Arrival> + Send + 'a>>;

/// What has come in.
enum Arrival {
    Control(Result<Json<Given>, TerminalError>),
    Outcome(EffectId, Result<Json<Observed>, TerminalError>),
}

/// One run, from its question to its answer. Its key is the run's id.
pub(super) struct Research(pub(super) Arc<Shared>);

/// The name of the promise that carries a control.
fn promise(n: u64) -> String {
    format!("control-{n}")
}

#[workflow(client_visibility = "pub(super)")]
impl Research {
    /// Drives the run to its end.
    #[handler]
    async fn run(
        &self,
        ctx: WorkflowContext<'_>,
        Json(submission): Json<Submission>,
    ) -> Result<Json<RunEnd>, HandlerError> {
        if ctx.key() != submission.run_id.0 {
            return Err(TerminalError::new_with_code(
                400,
                format!("could not start run {}: the key is {}", submission.run_id, ctx.key()),
            )
            .into());
        }
        let shared = Arc::clone(&self.0);
        let given = submission.clone();
        let Json(opening) = ctx
            .run(move || async move { Ok(Json(begin(&shared, given).await?)) })
            .name("open")
            .await?;
        let Shared { grounds, settings, .. } = &*self.0;
        let run_id = &submission.run_id;
        let (store, clock) = (grounds.store(), grounds.clock());
        let mut pen = Pen::find(store, clock, settings.clone(), run_id).await?;
        let remembers = opening.remembers;
        let run = pen.open(opening.opened, opening.at).await?;
        let ended = self.drive(&ctx, &submission, &mut pen, run).await;
        // What cannot go on here may be taken up elsewhere; what is tried again keeps its lease.
        if ended.as_ref().map_or_else(is_verdict, |_| true) {
            pen.release().await;
        }
        let run = ended?;
        let stop_reason = run.view().stop_reason().map(|reason| reason.name().to_owned());
        let mut unremembered = None;
        if remembers {
            let shared = Arc::clone(&self.0);
            let ground = submission.ground.clone();
            let Json(failure) = ctx
                .run(move || async move { Ok(Json(remember(&shared, &ground, &run).await)) })
                .name("remember")
                .await?;
            unremembered = failure;
            distil::queue(&ctx, run_id, self.0.slots, &submission.ground);
        }
        Ok(Json(RunEnd { run_id: run_id.clone(), stop_reason, unremembered }))
    }

    /// Hands the run a control. Called in their order by the object that numbers them.
    #[expect(clippy::unused_async, reason = "handlers are asynchronous")]
    #[handler]
    async fn hear(
        &self,
        ctx: SharedWorkflowContext<'_>,
        Json(given): Json<Given>,
    ) -> Result<(), HandlerError> {
        ctx.resolve_promise(&promise(given.n), Json(given));
        Ok(())
    }
}

/// Whether trying again would give the same.
fn is_verdict(error: &HandlerError) -> bool {
    let error: &(dyn std::error::Error + Send + Sync) = error.as_ref();
    error.to_string().starts_with("Terminal error")
}

impl Research {
    async fn drive(
        &self,
        ctx: &WorkflowContext<'_>,
        submission: &Submission,
        pen: &mut Pen,
        mut run: Run,
    ) -> Result<Run, HandlerError> {
        let names: Vec<String> = (1..=MOST_CONTROLS as u64).map(promise).collect();
        let mut names = names.iter();
        let mut awaited: DurableFuturesUnordered<Awaited<'_>> = DurableFuturesUnordered::new();
        if let Some(name) = names.next() {
            awaited.push(Box::pin(ctx.promise::<Json<Given>>(name).map(Arrival::Control)));
        }
        let mut intended = BTreeSet::new();
        let mut flying: BTreeSet<EffectId> = BTreeSet::new();
        // What came in although the run did not wait for it: after a pause it is asked for again, otherwise a control has taken it
        // out.
        let mut held: BTreeMap<EffectId, Observed> = BTreeMap::new();
        loop {
            let wanted = match run.step() {
                Step::Done => return Ok(run),
                Step::Paused | Step::Clarify(_) => Vec::new(),
                Step::Perform(effects) => effects,
            };
            if !run.step().waits() && settled(pen, &mut run, &wanted, &mut held).await? {
                continue;
            }
            intend(pen, &run, &wanted, &mut intended).await?;
            if let Some((id, observed)) = wanted.iter().find_map(|(id, _)| held.remove_entry(id)) {
                tell(pen, &mut run, id, observed).await?;
                continue;
            }
            let room = self.0.settings.concurrency.max(1);
            let asked: BTreeSet<EffectId> = wanted.iter().map(|(id, _)| *id).collect();
            for (id, effect) in wanted {
                if flying.intersection(&asked).count() >= room {
                    break;
                }
                if flying.insert(id) {
                    let task = Task::of(submission, run.view().model(), id, effect);
                    awaited.push(call(ctx, task));
                }
            }
            let Some((_, arrival)) = awaited.next().await? else {
                return Err(TerminalError::new("the run waits for nothing").into());
            };
            match arrival {
                Arrival::Control(given) => {
                    let Json(given) = given?;
                    if let Some(name) = names.next() {
                        let next = ctx.promise::<Json<Given>>(name).map(Arrival::Control);
                        awaited.push(Box::pin(next));
                    }
                    // What came back before the rest of its batch is counted before it is taken out, as in this process.
                    let (calls, elsewhere) = given_up(&run, &given, &held);
                    if !calls.is_empty() || !elsewhere.is_empty() {
                        let input = Input::GivenUp { calls, elsewhere };
                        pen.input(&mut run, input, given.at).await?;
                    }
                    pen.input(&mut run, Input::Control(given.control), given.at).await?;
                }
                Arrival::Outcome(id, observed) => {
                    flying.remove(&id);
                    let observed =
                        observed.map_or_else(|error| lost(&error, pen), |Json(observed)| observed);
                    if asked.contains(&id) {
                        tell(pen, &mut run, id, observed).await?;
                    } else {
                        held.insert(id, observed);
                    }
                }
            }
        }
    }
}

/// Notes the intents that are not in the journal yet.
async fn intend(
    pen: &mut Pen,
    run: &Run,
    wanted: &[(EffectId, Effect)],
    intended: &mut BTreeSet<EffectId>,
) -> Result<(), HandlerError> {
    let new: Vec<Intent> = wanted
        .iter()
        .filter(|(id, _)| intended.insert(*id))
        .map(|(id, _)| Intent::new(run.id(), *id))
        .collect();
    if new.is_empty() { Ok(()) } else { pen.intents(new).await }
}

/// Counts what came in and is not asked for any more. Says whether it told the run something.
async fn settled(
    pen: &mut Pen,
    run: &mut Run,
    wanted: &[(EffectId, Effect)],
    held: &mut BTreeMap<EffectId, Observed>,
) -> Result<bool, HandlerError> {
    let mut dropped = BTreeMap::new();
    for id in held.keys().copied().collect::<Vec<_>>() {
        if wanted.iter().all(|(other, _)| *other != id)
            && let Some(observed) = held.remove(&id)
        {
            dropped.insert(id, observed);
        }
    }
    let calls = costly(&dropped);
    let elsewhere = run.view().unnoted(&sent(&dropped));
    if calls.is_empty() && elsewhere.is_empty() {
        return Ok(false);
    }
    let at = dropped.values().map(|observed| observed.at).fold(pen.last(), Ord::max);
    pen.input(run, Input::GivenUp { calls, elsewhere }, at).await?;
    Ok(true)
}

/// What a control takes out of the run although it has come in, and where that was sent. A run that is over notes nothing more,
/// so that what it was not told yet is told before.
fn given_up(
    run: &Run,
    given: &Given,
    held: &BTreeMap<EffectId, Observed>,
) -> (Vec<Unsettled>, Vec<Elsewhere>) {
    let mut calls = run.dropped_by(&given.control);
    let mut after = run.clone();
    after.feed(Input::Control(given.control.clone()), given.at);
    if after.step() != Step::Done {
        return (calls, Vec::new());
    }
    calls.extend(costly(held));
    (calls, run.view().unnoted(&sent(held)))
}

/// Where what came in was sent.
fn sent(came: &BTreeMap<EffectId, Observed>) -> Vec<Elsewhere> {
    came.values().flat_map(|observed| observed.elsewhere.iter().cloned()).collect()
}

fn costly(came: &BTreeMap<EffectId, Observed>) -> Vec<Unsettled> {
    came.iter()
        .map(|(id, observed)| Unsettled { id: *id, usage: observed.outcome.usage() })
        .filter(|call| !call.usage.is_nothing())
        .collect()
}

async fn tell(
    pen: &mut Pen,
    run: &mut Run,
    id: EffectId,
    observed: Observed,
) -> Result<(), HandlerError> {
    let Observed { outcome, at, elsewhere } = observed;
    // Another worker may have other settings than whoever submitted the run.
    let elsewhere = run.view().unnoted(&elsewhere);
    if !elsewhere.is_empty() {
        pen.input(run, Input::GivenUp { calls: Vec::new(), elsewhere }, at).await?;
    }
    pen.input(run, Input::Outcome { id, result: outcome }, at).await
}

/// An effect becomes an invocation of its own: it runs beside the others of its batch, on whichever worker takes it, and its
/// idempotency key is that of its intent.
fn call<'a>(ctx: &WorkflowContext<'a>, task: Task) -> Awaited<'a> {
    let id = task.id;
    let key = Intent::new(&task.run_id, id).key;
    let request = ctx.service_client::<EffectsClient<'_>>().perform(Json(task));
    Box::pin(
        request.idempotency_key(key).call().map(move |observed| Arrival::Outcome(id, observed)),
    )
}

/// An effect whose invocation somebody ended from outside.
fn lost(error: &TerminalError, pen: &Pen) -> Observed {
    let error = format!("the call was ended from outside: {}", error.message());
    let usage = Usage::default();
    let outcome = Outcome::Failed { kind: FailureKind::Permanent, error, usage };
    Observed { outcome, at: pen.last(), elsewhere: Vec::new() }
}

/// What the run begins with: looked up once, and recorded.
async fn begin(shared: &Shared, submission: Submission) -> Result<Opening, HandlerError> {
    let refused = |cause: String| TerminalError::new_with_code(424, cause);
    let ports = shared.grounds.open(&submission.ground, true).await.map_err(refused)?;
    let Submission { run_id, question, options, at, contest, .. } = submission;
    let at = at.max(ports.clock.now());
    let remembers = ports.memory.is_some();
    let opened = opened(&ports, run_id, question, options, contest, at).await;
    Ok(Opening { opened, at, remembers })
}

/// Tells the bank what the run teaches. The answer stands whatever comes of it.
async fn remember(shared: &Shared, ground: &serde_json::Value, run: &Run) -> Option<String> {
    match shared.grounds.open(ground, false).await {
        Ok(ports) => crate::driver::remembered(&ports, run).await,
        Err(cause) => Some(cause),
    }
}
