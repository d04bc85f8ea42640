//! The pen: journal records go to the store in order, each with the events it caused, under the lease.

use crate::log::Log;
use crate::{EngineError, Ports, Settings};
use elenchus_core::id::Timestamp;
use elenchus_core::inquiry::{Control, FailureKind, Input, Outcome, Run, Step};
use elenchus_core::journal::{Entry, FORMAT, Intent, JournalRecord, SealedRecord};
use elenchus_core::port::{JournalTip, Lease, StoreFailure};
use elenchus_core::trace::Envelope;

/// Writes the journal of one run.
pub(crate) struct Writer {
    pub(crate) ports: Ports,
    pub(crate) settings: Settings,
    pub(crate) lease: Lease,
    pub(crate) tip: JournalTip,
    pub(crate) log: Log,
}

/// The record for an input, and the input as a later replay will read it.
///
/// What is fed is what was read back, so that a number that JSON cannot hold exactly, or at all, can never make
/// the live run differ from its replay. An outcome that cannot be read back counts as failed.
pub(crate) fn record_input(
    input: Input,
    seq: u64,
    at: Timestamp,
    previous: &str,
) -> Result<(Input, SealedRecord), serde_json::Error> {
    let record =
        |input: Input| JournalRecord { v: FORMAT, seq, at, entry: Entry::Input(Box::new(input)) };
    let failed = match &input {
        Input::Outcome { id, result } => Some((*id, result.usage())),
        Input::Opened(_) | Input::Control(_) | Input::GivenUp { .. } => None,
    };
    let sealed = record(input).seal(previous);
    match (read_back(&sealed), failed) {
        (Ok(input), _) => Ok((input, sealed)),
        (Err(error), Some((id, usage))) => {
            let result = Outcome::Failed {
                kind: FailureKind::Permanent,
                error: format!(
                    "could not keep what came back: {error}; the component gave a number that is none"
                ),
                usage,
            };
            let sealed = record(Input::Outcome { id, result }).seal(previous);
            Ok((read_back(&sealed)?, sealed))
        }
        (Err(error), None) => Err(error),
    }
}

fn read_back(sealed: &SealedRecord) -> Result<Input, serde_json::Error> {
    let record: JournalRecord = serde_json::from_str(&sealed.json)?;
    match record.entry {
        Entry::Input(input) => Ok(*input),
        Entry::Intent(_) => Err(serde::de::Error::custom("an input came back as an intent")),
    }
}

/// Notes in a record that the run is over after it.
pub(crate) fn note_end(run: &Run, sealed: &mut SealedRecord) {
    if run.step() == Step::Done {
        sealed.ended = run.view().stop_reason().map(|reason| reason.name().to_owned());
    }
}

impl Writer {
    /// Feeds an input to the run and makes it durable together with the events it caused.
    pub(crate) async fn input(
        &mut self,
        run: &mut Run,
        input: Input,
    ) -> Result<Vec<Envelope>, EngineError> {
        let at = self.ports.clock.now();
        self.input_at(run, input, at, None).await
    }

    /// The same for a control that another process left, by its number: it is taken with the record or not at all.
    pub(crate) async fn left(
        &mut self,
        run: &mut Run,
        control: Control,
        number: u64,
    ) -> Result<Vec<Envelope>, EngineError> {
        let at = self.ports.clock.now();
        self.input_at(run, Input::Control(control), at, Some(number)).await
    }

    async fn input_at(
        &mut self,
        run: &mut Run,
        input: Input,
        at: Timestamp,
        takes: Option<u64>,
    ) -> Result<Vec<Envelope>, EngineError> {
        let seq = self.tip.seq + 1;
        let (input, mut sealed) =
            record_input(input, seq, at, &self.tip.hash).map_err(|error| EngineError::Driver {
                run_id: run.id().clone(),
                cause: format!("a control cannot be kept: {error}"),
            })?;
        let events = run.feed(input, at);
        note_end(run, &mut sealed);
        sealed.takes = takes;
        self.append(&sealed, &events).await?;
        Ok(events)
    }

    /// Makes intents durable.
    pub(crate) async fn intents(&mut self, intents: Vec<Intent>) -> Result<(), EngineError> {
        let at = self.ports.clock.now();
        self.intents_at(intents, at).await
    }

    async fn intents_at(&mut self, intents: Vec<Intent>, at: Timestamp) -> Result<(), EngineError> {
        let seq = self.tip.seq + 1;
        let sealed = JournalRecord { v: FORMAT, seq, at, entry: Entry::Intent(intents) }
            .seal(&self.tip.hash);
        self.append(&sealed, &[]).await
    }

    /// Writes what stands in the journal of another run as if it had come at `at`.
    pub(crate) async fn copy(
        &mut self,
        run: &mut Run,
        entry: Entry,
        at: Timestamp,
    ) -> Result<Vec<Envelope>, EngineError> {
        match entry {
            Entry::Input(input) => self.input_at(run, *input, at, None).await,
            Entry::Intent(intents) => self.intents_at(intents, at).await.map(|()| Vec::new()),
        }
    }

    /// Appends, with retries while the storage itself fails. A write whose success was not heard is recognised.
    async fn append(
        &mut self,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), EngineError> {
        let run_id = self.lease.run_id.clone();
        let mut attempt = 0;
        loop {
            let cause = match self.ports.store.append(&self.lease, sealed, events).await {
                Ok(()) => break,
                Err(StoreFailure::LeaseLost(_) | StoreFailure::UnknownRun(_)) => {
                    return Err(EngineError::LeaseLost(run_id));
                }
                // The record may stand there since a try whose success was not heard.
                Err(cause @ StoreFailure::NotNext { .. }) => {
                    match self.ports.store.tip(&run_id).await {
                        Ok(tip) if tip.seq == sealed.seq && tip.hash == sealed.hash => break,
                        Ok(_) => cause,
                        Err(cause) => cause,
                    }
                }
                Err(cause) => cause,
            };
            if attempt == self.settings.retries || !matches!(cause, StoreFailure::Io { .. }) {
                return Err(EngineError::Storage { run_id, seq: sealed.seq, cause });
            }
            tokio::time::sleep(self.settings.wait(attempt)).await;
            attempt += 1;
        }
        self.tip = JournalTip { seq: sealed.seq, hash: sealed.hash.clone() };
        Ok(())
    }

    /// Renews the lease. A storage failure is no reason to stop: the next write will show.
    pub(crate) async fn renew(&mut self) -> Result<(), EngineError> {
        let Lease { run_id, holder, token, .. } = &self.lease;
        let now = self.ports.clock.now();
        match self.ports.store.lease(run_id, holder, now, self.settings.lease_ms()).await {
            // A grown token means that someone else held it in between.
            Ok(lease) if lease.token == *token => {
                self.lease = lease;
                Ok(())
            }
            Ok(lease) => {
                // It is ours again by name only; what was written in between is not known here.
                let _ = self.ports.store.release(&lease).await;
                Err(EngineError::LeaseLost(run_id.clone()))
            }
            Err(StoreFailure::Io { .. }) => Ok(()),
            Err(_) => Err(EngineError::LeaseLost(run_id.clone())),
        }
    }

    /// Gives the lease back. When that fails it runs out by itself.
    pub(crate) async fn release(&self) {
        let _ = self.ports.store.release(&self.lease).await;
    }
}
