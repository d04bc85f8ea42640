//! Starting, resuming and replaying runs.

use crate::driver::Driver;
use crate::handle::{Controller, Finished, Leaving, Live, RunHandle};
use crate::log::{Log, Reading};
use crate::writer::{Onlookers, Writer, note_end, record_input};
use crate::{EngineError, Ports, Remembering, Settings, holder, memory};
use elenchus_core::bank::scrub;
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::{Input, Opened, Options, Recollection, Run, Step};
use elenchus_core::journal::{Entry, GENESIS, JournalRecord, SealedRecord};
use elenchus_core::port::{Clock, JournalTip, Lease, StoreFailure};
use elenchus_core::scrutiny::challenge::Contest;
use elenchus_core::trace::Envelope;
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};

/// The longest question.
pub const MAX_QUESTION_CHARS: usize = 8_000;

/// Starts and resumes runs. Cheap to clone; every run is driven by a task of its own.
#[derive(Clone)]
pub struct Engine {
    pub(crate) ports: Ports,
    pub(crate) settings: Settings,
}

impl Engine {
    /// An engine over a world.
    pub fn new(ports: Ports, settings: Settings) -> Self {
        Self { ports, settings }
    }

    /// The same engine with a bank beside its runs, or without one.
    #[must_use]
    pub fn remembering(mut self, memory: Option<Remembering>) -> Self {
        self.ports.memory = memory;
        self
    }

    /// The same engine, which takes leases under this name: one that is held under it already, it goes on with.
    #[must_use]
    pub fn holding_as(mut self, holder: &str) -> Self {
        self.settings.holder = Some(holder.to_owned());
        self
    }

    /// The same engine by another clock.
    #[must_use]
    pub fn clocked(mut self, clock: Arc<dyn Clock>) -> Self {
        self.ports.clock = clock;
        self
    }

    /// Starts a run. It is durable when this returns. `seed` tells apart runs of one question at one time.
    pub async fn start(
        &self,
        question: &str,
        options: Options,
        seed: u64,
    ) -> Result<RunHandle, EngineError> {
        Box::pin(self.open(question, options, seed, None)).await
    }

    /// Starts a run that looks into a challenge to a step of an earlier run, with the question of that run.
    pub async fn challenge(
        &self,
        question: &str,
        options: Options,
        seed: u64,
        contest: Contest,
    ) -> Result<RunHandle, EngineError> {
        Box::pin(self.open(question, options, seed, Some(contest))).await
    }

    async fn open(
        &self,
        question: &str,
        options: Options,
        seed: u64,
        contest: Option<Contest>,
    ) -> Result<RunHandle, EngineError> {
        let question = admissible(question)?;
        let at = self.ports.clock.now();
        let run_id = RunId::derive(&question, at, seed);
        let opened = opened(&self.ports, run_id, question, options, contest, at).await;
        let (run, events, lease, tip) = self.begin(opened, at, self.settings.lease_ms()).await?;
        Ok(self.spawn(run, events, lease, tip, BTreeSet::new(), 0))
    }

    /// Makes a run durable that begins at `at`, under a lease of so many milliseconds from then.
    pub(crate) async fn begin(
        &self,
        opened: Opened,
        at: Timestamp,
        lease_ms: i64,
    ) -> Result<(Run, Vec<Envelope>, Lease, JournalTip), EngineError> {
        let (run_id, question) = (opened.run_id.clone(), opened.question.clone());
        let unkept = |cause: String| EngineError::Driver { run_id: run_id.clone(), cause };
        let (input, mut sealed) = record_input(Input::Opened(opened), 1, at, GENESIS)
            .map_err(|error| unkept(format!("the run cannot be kept: {error}")))?;
        let Input::Opened(opened) = input else {
            return Err(unkept("the run came back as something else".to_owned()));
        };
        let (run, events) = Run::new(opened, at);
        note_end(&run, &mut sealed);
        let lease = self.create(&run_id, &question, &sealed, &events, lease_ms).await?;
        let tip = JournalTip { seq: 1, hash: sealed.hash };
        Ok((run, events, lease, tip))
    }

    /// Goes on with a run where its journal ends. A run that is over gives its answer at once.
    pub async fn resume(&self, run_id: &RunId) -> Result<RunHandle, EngineError> {
        let records = self.ports.store.journal(run_id).await?;
        let (run, _) = replayed(run_id, &records)?;
        if run.step() == Step::Done {
            let (run, trace) = self.checked(run_id, &records).await?;
            return Ok(Self::over(run, trace));
        }
        let lease = self.take(run_id).await?;
        match self.take_up(run_id, lease.clone()).await {
            Ok(handle) => Ok(handle),
            Err(error) => {
                // What the store could not do now, somebody may do later; anything else stays as it is.
                let parted = match &error {
                    EngineError::Store(StoreFailure::Away { .. } | StoreFailure::Io { .. }) => {
                        self.ports.store.leave_to_others(&lease)
                    }
                    _ => self.ports.store.release(&lease),
                };
                // When this fails too, the lease runs out by itself.
                let _ = parted.await;
                Err(error)
            }
        }
    }

    /// The run and its trace as the journal gives them. Nothing is performed or written.
    pub async fn replay(&self, run_id: &RunId) -> Result<(Run, Vec<Envelope>), EngineError> {
        let records = self.ports.store.journal(run_id).await?;
        replayed(run_id, &records)
    }

    /// Under the lease: nobody else writes any more, so what is read now is where the run stands.
    async fn take_up(&self, run_id: &RunId, lease: Lease) -> Result<RunHandle, EngineError> {
        let records = self.ports.store.journal(run_id).await?;
        let (run, trace) = self.checked(run_id, &records).await?;
        let after = trace.len() as u64;
        if let Some(forked) = run.view().forked()
            && after < forked.event_id
        {
            let (run_id, parent) = (run_id.clone(), forked.parent.clone());
            return Err(EngineError::HalfForked { run_id, parent });
        }
        let tip = self.ports.store.tip(run_id).await?;
        let intended: BTreeSet<EffectId> = records
            .iter()
            .filter_map(|record| match &record.entry {
                Entry::Intent(intents) => Some(intents.iter().map(|intent| intent.effect_id)),
                Entry::Input(_) => None,
            })
            .flatten()
            .collect();
        Ok(self.spawn(run, trace, lease, tip, intended, after))
    }

    /// Replays, and makes sure that the kept trace is the one that the journal gives.
    async fn checked(
        &self,
        run_id: &RunId,
        records: &[JournalRecord],
    ) -> Result<(Run, Vec<Envelope>), EngineError> {
        let (run, trace) = replayed(run_id, records)?;
        let kept = self.ports.store.events(run_id, 0).await?;
        let same = kept.iter().zip(&trace).take_while(|(kept, derived)| kept == derived).count();
        if same < kept.len().max(trace.len()) {
            return Err(EngineError::TraceDiffers { run_id: run_id.clone(), seq: same as u64 + 1 });
        }
        Ok((run, trace))
    }

    fn holder(&self) -> String {
        self.settings.holder.clone().unwrap_or_else(holder::name)
    }

    /// Creates the run, with a few retries while the storage fails: nobody has waited for this run yet.
    async fn create(
        &self,
        run_id: &RunId,
        question: &str,
        sealed: &SealedRecord,
        events: &[Envelope],
        lease_ms: i64,
    ) -> Result<Lease, EngineError> {
        let (store, holder) = (&self.ports.store, self.holder());
        let mut attempt = 0;
        loop {
            let created =
                match store.create(run_id, question, sealed, events, &holder, lease_ms).await {
                    // It may stand there since a try whose success was not heard.
                    Err(StoreFailure::RunExists(_)) if attempt > 0 => match store.tip(run_id).await
                    {
                        Ok(tip) if tip.hash == sealed.hash => {
                            store.lease(run_id, &holder, sealed.at, lease_ms).await
                        }
                        Ok(_) => Err(StoreFailure::RunExists(run_id.clone())),
                        Err(error) => Err(error),
                    },
                    created => created,
                };
            match created {
                Err(StoreFailure::Away { .. } | StoreFailure::Io { .. })
                    if attempt < self.settings.retries =>
                {
                    tokio::time::sleep(self.settings.wait(attempt)).await;
                    attempt += 1;
                }
                created => return Ok(created?),
            }
        }
    }

    /// Takes the lease. That of a process of this machine that is known to be dead need not run out first.
    async fn take(&self, run_id: &RunId) -> Result<Lease, EngineError> {
        let (store, clock, lease_ms) =
            (&self.ports.store, &self.ports.clock, self.settings.lease_ms());
        let holder = self.holder();
        match store.lease(run_id, &holder, clock.now(), lease_ms).await {
            Err(StoreFailure::Leased { holder: dead, .. }) if holder::is_dead(&dead) => {
                let left = store.lease(run_id, &dead, clock.now(), lease_ms).await?;
                store.release(&left).await?;
                Ok(store.lease(run_id, &holder, clock.now(), lease_ms).await?)
            }
            taken => Ok(taken?),
        }
    }

    fn spawn(
        &self,
        run: Run,
        trace: Vec<Envelope>,
        lease: Lease,
        tip: JournalTip,
        intended: BTreeSet<EffectId>,
        resumed_after: u64,
    ) -> RunHandle {
        let (writer, reading) = self.writer(trace, lease, tip);
        Self::driven(run, writer, reading, intended, resumed_after)
    }

    /// The pen of a run that has this trace so far, and what its readers read.
    pub(crate) fn writer(
        &self,
        trace: Vec<Envelope>,
        lease: Lease,
        tip: JournalTip,
    ) -> (Writer, Reading) {
        let (log, reading) = Log::new(trace);
        let (ports, settings) = (self.ports.clone(), self.settings.clone());
        (Writer { ports, settings, lease, tip, log, onlookers: None }, reading)
    }

    pub(crate) fn driven(
        run: Run,
        mut writer: Writer,
        reading: Reading,
        intended: BTreeSet<EffectId>,
        resumed_after: u64,
    ) -> RunHandle {
        let (orders, heard) = mpsc::unbounded_channel();
        let (leave, leaving) = watch::channel(Leaving::Not);
        let (show, live) = watch::channel(Live {
            progress: run.view().progress(),
            in_flight: Vec::new(),
            paused: run.step().waits(),
            away: None,
        });
        writer.onlookers = Some(Onlookers { live: show.clone(), leaving });
        let controller = Controller { run_id: run.id().clone(), orders, leave };
        let driver = tokio::spawn(Driver::new(run, writer, heard, show, intended).drive());
        RunHandle { controller, reading, live, driver, resumed_after }
    }

    /// A handle to a run that needs no driving.
    fn over(run: Run, trace: Vec<Envelope>) -> RunHandle {
        let after = trace.len() as u64;
        let (_, reading) = Log::new(trace);
        let (orders, _) = mpsc::unbounded_channel();
        let live = Live {
            progress: run.view().progress(),
            in_flight: Vec::new(),
            paused: false,
            away: None,
        };
        let (_, live) = watch::channel(live);
        let run_id = run.id().clone();
        let ended = match run.view().answer().cloned() {
            Some(answer) => Ok(Finished { run, answer, unremembered: None }),
            None => Err(EngineError::Driver {
                run_id: run_id.clone(),
                cause: "the run is over and has no answer".to_owned(),
            }),
        };
        let driver = tokio::spawn(async move { ended });
        RunHandle {
            controller: Controller { run_id, orders, leave: watch::channel(Leaving::Not).0 },
            reading,
            live,
            driver,
            resumed_after: after,
        }
    }
}

/// A question as it is asked: without secrets, neither empty nor too long.
pub(crate) fn admissible(question: &str) -> Result<String, EngineError> {
    // A secret in a question would be kept, sent to a model and searched for.
    let question = scrub(question.trim()).text;
    // Control and joining characters alone are no question either.
    if !question.chars().any(char::is_alphanumeric) {
        return Err(EngineError::EmptyQuestion);
    }
    let chars = question.chars().count();
    if chars > MAX_QUESTION_CHARS {
        return Err(EngineError::QuestionTooLong { chars, limit: MAX_QUESTION_CHARS });
    }
    Ok(question)
}

/// What a run begins with: the question, and what the world says of itself at that time.
pub(crate) async fn opened(
    ports: &Ports,
    run_id: RunId,
    question: String,
    options: Options,
    contest: Option<Contest>,
    at: Timestamp,
) -> Opened {
    let recalled = match &ports.memory {
        Some(memory) => memory::recall(memory, &run_id, &question, at, &*ports.retriever).await,
        None => Recollection::default(),
    };
    Opened {
        run_id,
        question,
        options: options.without_secrets(),
        corpus: ports.retriever.overview(),
        model: ports.model.name().to_owned(),
        judging: ports.judge.as_ref().map(|judge| judge.judging.clone()),
        contest: contest.map(|contest| Contest { text: scrub(&contest.text).text, ..contest }),
        forked: None,
        recalled,
    }
}

fn replayed(
    run_id: &RunId,
    records: &[JournalRecord],
) -> Result<(Run, Vec<Envelope>), EngineError> {
    let (run, trace) = Run::replay(records)
        .map_err(|cause| EngineError::NotARun { run_id: run_id.clone(), cause })?;
    if run.id() != run_id {
        // The chain holds, but it is that of another run.
        let cause = format!("it opens run {}", run.id());
        return Err(StoreFailure::Corrupt { run_id: run_id.clone(), seq: 1, cause }.into());
    }
    Ok((run, trace))
}
