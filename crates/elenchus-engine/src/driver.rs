//! The driver: asks the run what to do, does it, tells the run.

use crate::crash::FailPoint;
use crate::handle::{Finished, InFlight, Live, Order, unheard};
use crate::left::{Ear, Left};
use crate::memory;
use crate::memos;
use crate::perform::perform;
use crate::writer::Writer;
use crate::{EngineError, Ports};
use elenchus_core::id::EffectId;
use elenchus_core::inquiry::{Control, Effect, Elsewhere, Input, Outcome, Run, Step, Unsettled};
use elenchus_core::journal::Intent;
use elenchus_core::port::Meter;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// What passes by is shown this often at most.
const PASSING: Duration = Duration::from_millis(100);
/// How long keeping what a run found may take: it is a memo for every quote.
const KEEPING: Duration = Duration::from_secs(20);

/// Tells the bank what became of what the run was told, and keeps what it found. The answer stands whatever comes of it:
/// a failure is given back in words.
pub(crate) async fn remembered(ports: &Ports, run: &Run) -> Option<String> {
    let memory = ports.memory.as_ref()?;
    let now = ports.clock.now();
    let (told, kept) = tokio::join!(
        within(memory::PATIENCE, "bank", "teaches", memory::keep(memory, run, now)),
        within(KEEPING, "memos", "found", memos::keep(memory, run, now))
    );
    let causes: Vec<String> = told.into_iter().chain(kept).collect();
    (!causes.is_empty()).then(|| causes.join("; "))
}

/// Waits so long for a part of the memory, and gives what went wrong in words.
async fn within<E: fmt::Display>(
    patience: Duration,
    part: &str,
    what: &str,
    told: impl Future<Output = Result<(), E>>,
) -> Option<String> {
    match tokio::time::timeout(patience, told).await {
        Ok(Ok(())) => None,
        Ok(Err(failure)) => Some(failure.to_string()),
        Err(_) => Some(format!(
            "the {part} did not answer within {} s; what this run {what} is lost, the run itself is kept",
            patience.as_secs()
        )),
    }
}

/// A call under way.
struct Flight {
    tool: &'static str,
    meter: Arc<Meter>,
}

/// Calls under way, as they are shown.
fn shown(in_flight: &BTreeMap<EffectId, Flight>) -> Vec<InFlight> {
    let one = |(id, call): (&EffectId, &Flight)| InFlight {
        id: *id,
        tool: call.tool,
        writing: call.meter.writing(),
    };
    in_flight.iter().map(one).collect()
}

/// Calls under way, and what of their batch is about to be called.
type UnderWay<'a> = (&'a BTreeMap<EffectId, Flight>, &'a VecDeque<(EffectId, Effect)>);

/// Whether a run asks for all of these.
fn wants(
    run: &Run,
    in_flight: &BTreeMap<EffectId, Flight>,
    waiting: &VecDeque<(EffectId, Effect)>,
) -> bool {
    let Step::Perform(effects) = run.step() else { return false };
    let wanted: BTreeSet<EffectId> = effects.iter().map(|(id, _)| *id).collect();
    in_flight.keys().chain(waiting.iter().map(|(id, _)| id)).all(|id| wanted.contains(id))
}

/// Drives one run.
pub(crate) struct Driver {
    run: Run,
    writer: Writer,
    orders: mpsc::UnboundedReceiver<Order>,
    /// Whether anybody can still give orders.
    listening: bool,
    /// What other processes leave for the run.
    ear: Ear,
    live: watch::Sender<Live>,
    /// Effects whose intent is in the journal.
    intended: BTreeSet<EffectId>,
    renewal: Interval,
}

impl Driver {
    pub(crate) fn new(
        run: Run,
        writer: Writer,
        orders: mpsc::UnboundedReceiver<Order>,
        live: watch::Sender<Live>,
        intended: BTreeSet<EffectId>,
    ) -> Self {
        let period = writer.settings.renewal();
        let mut renewal = interval_at(Instant::now() + period, period);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let ear = Ear::new(Arc::clone(&writer.ports.store), run.id().clone());
        Self { run, writer, orders, listening: true, ear, live, intended, renewal }
    }

    /// Drives to the end, and gives the lease back unless it is lost.
    pub(crate) async fn drive(mut self) -> Result<Finished, EngineError> {
        if let Err(error) = self.go_on().await {
            // What was asked for meanwhile was not heard either, and the run is not over.
            unheard(&mut self.orders, &error);
            let is_for_others = match &error {
                // Nobody wanted it to stop here.
                EngineError::Storage { .. } => true,
                // What somebody paused goes on when somebody says so.
                EngineError::Suspended(_) => {
                    self.writer.is_for_others() && self.run.step() != Step::Paused
                }
                // Another has it, or nobody knows how it stands and the lease runs out by itself.
                _ => return Err(error),
            };
            if is_for_others {
                self.writer.leave_to_others().await;
            } else {
                self.writer.release().await;
            }
            return Err(error);
        }
        self.crash(FailPoint::BeforeRelease)?;
        self.writer.release().await;
        let run_id = self.run.id().clone();
        match self.run.view().answer().cloned() {
            Some(answer) => {
                let unremembered = remembered(&self.writer.ports, &self.run).await;
                Ok(Finished { run: self.run, answer, unremembered })
            }
            None => Err(EngineError::Driver {
                run_id,
                cause: "the run ended without an answer".to_owned(),
            }),
        }
    }

    async fn go_on(&mut self) -> Result<(), EngineError> {
        // Before anything is sent there.
        let elsewhere = self.run.view().unnoted(&self.writer.ports.elsewhere);
        if self.run.step() != Step::Done {
            self.put_down(Vec::new(), elsewhere).await?;
        }
        loop {
            while let Ok(order) = self.orders.try_recv() {
                self.obey(order, None).await?;
            }
            match self.run.step() {
                Step::Done => return Ok(()),
                Step::Paused | Step::Clarify(_) => self.wait().await?,
                Step::Perform(effects) => self.batch(effects).await?,
            }
            self.show(Vec::new());
        }
    }

    /// Waits for an order.
    async fn wait(&mut self) -> Result<(), EngineError> {
        self.show(Vec::new());
        tokio::select! {
            order = self.orders.recv() => match order {
                Some(order) => self.obey(order, None).await,
                // Paused, and nobody is left who could resume it.
                None => Err(EngineError::Suspended(self.run.id().clone())),
            },
            left = self.ear.hear() => self.take(left).await,
            _ = self.renewal.tick() => self.writer.renew().await,
        }
    }

    /// Performs independent effects, a bounded number at a time, and feeds each outcome as it comes.
    async fn batch(&mut self, effects: Vec<(EffectId, Effect)>) -> Result<(), EngineError> {
        let run_id = self.run.id().clone();
        let intents: Vec<Intent> = effects
            .iter()
            .filter(|(id, _)| !self.intended.contains(id))
            .map(|(id, _)| Intent::new(&run_id, *id))
            .collect();
        if !intents.is_empty() {
            self.intended.extend(intents.iter().map(|intent| intent.effect_id));
            self.crash(FailPoint::BeforeIntent)?;
            self.writer.intents(intents).await?;
            self.crash(FailPoint::AfterIntent)?;
        }
        let mut waiting: VecDeque<(EffectId, Effect)> = effects.into();
        // Dropping the set drops the calls in flight.
        let mut calls: JoinSet<(EffectId, Outcome)> = JoinSet::new();
        let mut in_flight: BTreeMap<EffectId, Flight> = BTreeMap::new();
        let mut passing = interval_at(Instant::now() + PASSING, PASSING);
        passing.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            while in_flight.len() < self.writer.settings.concurrency.max(1)
                && let Some((id, effect)) = waiting.pop_front()
            {
                let meter = Arc::new(Meter::default());
                in_flight.insert(id, Flight { tool: effect.tool(), meter: Arc::clone(&meter) });
                let (ports, settings) = (self.writer.ports.clone(), self.writer.settings.clone());
                let began_with = self.run.view().model().to_owned();
                let call = perform(ports, settings, effect, meter, began_with);
                calls.spawn(async move { (id, call.await) });
            }
            if in_flight.is_empty() {
                return Ok(());
            }
            self.show(shown(&in_flight));
            tokio::select! {
                biased;
                // What has come back is kept before an order can make it unwanted: it may have cost something.
                ended = calls.join_next() => match ended {
                    Some(Ok((id, outcome))) => {
                        in_flight.remove(&id);
                        self.crash(FailPoint::AfterEffect)?;
                        self.tell(Input::Outcome { id, result: outcome }).await?;
                    }
                    Some(Err(error)) => {
                        return Err(EngineError::Driver { run_id, cause: error.to_string() });
                    }
                    None => return Ok(()),
                },
                order = self.orders.recv(), if self.listening => match order {
                    Some(order) => {
                        self.obey(order, Some((&in_flight, &waiting))).await?;
                        if !self.still_wanted(&in_flight, &waiting) {
                            return Ok(());
                        }
                    }
                    None => self.listening = false,
                },
                left = self.ear.hear() => {
                    let control = Some(&left.control);
                    self.give_up(control, &in_flight, &waiting).await?;
                    self.take(left).await?;
                    if !self.still_wanted(&in_flight, &waiting) {
                        return Ok(());
                    }
                }
                _ = self.renewal.tick() => self.writer.renew().await?,
                // What models write meanwhile is shown above.
                _ = passing.tick() => {}
            }
        }
    }

    /// Before a control, or the end of driving where there is none, takes calls in flight out of the run: what they have used
    /// is kept first, for afterwards nobody counts it.
    async fn give_up(
        &mut self,
        control: Option<&Control>,
        in_flight: &BTreeMap<EffectId, Flight>,
        waiting: &VecDeque<(EffectId, Effect)>,
    ) -> Result<(), EngineError> {
        if self.run.step() == Step::Done {
            return Ok(());
        }
        let mut calls: Vec<Unsettled> = in_flight
            .iter()
            .map(|(id, call)| Unsettled { id: *id, usage: call.meter.total() })
            .collect();
        if let Some(control) = control {
            let mut after = self.run.clone();
            after.feed(Input::Control(control.clone()), self.writer.ports.clock.now());
            if wants(&after, in_flight, waiting) {
                return Ok(());
            }
        }
        calls.retain(|call| !call.usage.is_nothing());
        self.put_down(calls, Vec::new()).await
    }

    /// Keeps what calls have used that came back before the rest of their batch, and that a control takes out with it: whether
    /// the run is at work, waits, or was gone on with.
    async fn drop_by(&mut self, control: &Control) -> Result<(), EngineError> {
        let calls = self.run.dropped_by(control);
        self.put_down(calls, Vec::new()).await
    }

    /// Puts down what is no outcome, if there is something.
    async fn put_down(
        &mut self,
        calls: Vec<Unsettled>,
        elsewhere: Vec<Elsewhere>,
    ) -> Result<(), EngineError> {
        if calls.is_empty() && elsewhere.is_empty() {
            return Ok(());
        }
        self.tell(Input::GivenUp { calls, elsewhere }).await
    }

    /// Whether the run still asks for everything that is in flight or about to be.
    fn still_wanted(
        &self,
        in_flight: &BTreeMap<EffectId, Flight>,
        waiting: &VecDeque<(EffectId, Effect)>,
    ) -> bool {
        wants(&self.run, in_flight, waiting)
    }

    /// Obeys an order, also in the middle of a batch.
    async fn obey(
        &mut self,
        order: Order,
        under_way: Option<UnderWay<'_>>,
    ) -> Result<(), EngineError> {
        match order {
            Order::Suspend => {
                if let Some((in_flight, waiting)) = under_way {
                    self.give_up(None, in_flight, waiting).await?;
                }
                Err(EngineError::Suspended(self.run.id().clone()))
            }
            // The run is over: dropping `done` says so.
            Order::Control(..) if self.run.step() == Step::Done => Ok(()),
            Order::Control(control, done) => {
                let taken = self.steer(control, under_way).await;
                // Whoever asked may have stopped listening. That it was not kept is no sign that the run is over.
                let _ = done.send(taken.clone());
                taken
            }
        }
    }

    async fn steer(
        &mut self,
        control: Control,
        under_way: Option<UnderWay<'_>>,
    ) -> Result<(), EngineError> {
        if let Some((in_flight, waiting)) = under_way {
            self.give_up(Some(&control), in_flight, waiting).await?;
        }
        self.drop_by(&control).await?;
        self.tell(Input::Control(control)).await
    }

    /// Obeys a control that another process left.
    async fn take(&mut self, left: Left) -> Result<(), EngineError> {
        // What comes after the end goes with the run.
        if self.run.step() == Step::Done {
            return Ok(());
        }
        self.drop_by(&left.control).await?;
        let events = self.writer.left(&mut self.run, left.control, left.number).await?;
        self.crash(FailPoint::AfterAppend)?;
        self.writer.log.publish(events);
        Ok(())
    }

    /// Feeds an input, makes it durable, and only then tells the readers.
    async fn tell(&mut self, input: Input) -> Result<(), EngineError> {
        let events = self.writer.input(&mut self.run, input).await?;
        self.crash(FailPoint::AfterAppend)?;
        self.writer.log.publish(events);
        Ok(())
    }

    fn show(&self, in_flight: Vec<InFlight>) {
        let (progress, paused) = (self.run.view().progress(), self.run.step().waits());
        self.live.send_if_modified(|shown| {
            // Of the store the pen tells.
            let live = Live { progress, in_flight, paused, away: shown.away.clone() };
            let changed = *shown != live;
            *shown = live;
            changed
        });
    }

    #[cfg(feature = "crash-points")]
    fn crash(&self, site: FailPoint) -> Result<(), EngineError> {
        if self.writer.settings.crash.strikes(site) {
            return Err(EngineError::Crashed { run_id: self.run.id().clone(), site: site.name() });
        }
        Ok(())
    }

    #[cfg(not(feature = "crash-points"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the shape that crash tests need"
    )]
    fn crash(&self, _site: FailPoint) -> Result<(), EngineError> {
        Ok(())
    }
}
