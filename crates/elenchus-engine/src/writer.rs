//! The pen: journal records go to the store in order, each with the events it caused, under the lease.

use crate::handle::{Away, Leaving, Live};
use crate::log::Log;
use crate::{EngineError, Ports, Settings};
use elenchus_core::id::Timestamp;
use elenchus_core::inquiry::{Control, FailureKind, Input, Outcome, Run, Step};
use elenchus_core::journal::{Entry, FORMAT, Intent, JournalRecord, SealedRecord};
use elenchus_core::port::{JournalTip, Lease, StoreFailure};
use elenchus_core::trace::Envelope;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// How long a call of the store that is under way when driving is to end is still waited for.
const GRACE: Duration = Duration::from_secs(1);
/// How long giving a lease back may take. One that is not given back runs out by itself.
pub(crate) const PARTING: Duration = Duration::from_secs(5);

/// Writes the journal of one run.
pub(crate) struct Writer {
    pub(crate) ports: Ports,
    pub(crate) settings: Settings,
    pub(crate) lease: Lease,
    pub(crate) tip: JournalTip,
    pub(crate) log: Log,
    /// Nobody yet while a run is only being made.
    pub(crate) onlookers: Option<Onlookers>,
}

/// Whoever looks on while a run is driven.
pub(crate) struct Onlookers {
    /// They are told when the store is away.
    pub(crate) live: watch::Sender<Live>,
    /// They may want driving to end, the store being away or not.
    pub(crate) leaving: watch::Receiver<Leaving>,
}

/// Waits until driving is to end at once, and a little longer.
pub(crate) async fn left(leaving: Option<watch::Receiver<Leaving>>) {
    if let Some(mut leaving) = leaving {
        let is_left = leaving.wait_for(|leaving| *leaving != Leaving::Not).await.is_ok();
        if is_left {
            tokio::time::sleep(GRACE).await;
            return;
        }
    }
    std::future::pending::<()>().await;
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
        let input = match input {
            Input::Control(control) => Input::Control(control.without_secrets()),
            other => other,
        };
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

    /// Appends. While the store is away it is tried again, ever more slowly, until it is back, somebody else has the run, driving
    /// is to end, or the patience is over. Another failure of it is tried again a few times: it may pass as well.
    async fn append(
        &mut self,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), EngineError> {
        let run_id = self.lease.run_id.clone();
        let since = self.ports.clock.now();
        let mut failed: Option<Instant> = None;
        let mut attempt = 0;
        // Tries in a row of which nobody knows whether another would be of use.
        let mut broken = 0;
        loop {
            let failure = match self.unless_left(self.once(sealed, events)).await? {
                Ok(()) => break,
                Err(StoreFailure::LeaseLost(_) | StoreFailure::UnknownRun(_)) => {
                    return Err(EngineError::LeaseLost(run_id));
                }
                Err(failure) => failure,
            };
            let (attempted, cause) = match failure {
                StoreFailure::Away { attempted, cause } => (attempted, cause),
                StoreFailure::Io { .. } if broken < self.settings.retries => {
                    self.unless_left(tokio::time::sleep(self.settings.pause(attempt))).await?;
                    attempt += 1;
                    broken += 1;
                    continue;
                }
                cause => return Err(EngineError::Storage { run_id, seq: sealed.seq, cause }),
            };
            broken = 0;
            let waited = failed.get_or_insert_with(Instant::now).elapsed();
            if attempt >= self.settings.retries && waited >= self.settings.away {
                let tries = attempt + 1;
                let said = format!("tried {tries} times in {} s, {cause}", waited.as_secs());
                let cause = StoreFailure::Away { attempted, cause: said };
                return Err(EngineError::Storage { run_id, seq: sealed.seq, cause });
            }
            self.show_away(Some(Away { since, cause }));
            self.unless_left(tokio::time::sleep(self.settings.pause(attempt))).await?;
            attempt += 1;
        }
        self.show_away(None);
        self.tip = JournalTip { seq: sealed.seq, hash: sealed.hash.clone() };
        Ok(())
    }

    /// Appends once, in the time that a try may take. One that is given up may still have been done, as one that was not heard.
    async fn once(&self, sealed: &SealedRecord, events: &[Envelope]) -> Result<(), StoreFailure> {
        let appended = self.append_once(sealed, events);
        tokio::time::timeout(self.settings.write, appended).await.unwrap_or_else(|_| {
            let what = format!("append record {}", sealed.seq);
            Err(self.unanswered(&what, self.settings.write))
        })
    }

    /// What a call of the store came to that did not come back.
    fn unanswered(&self, what: &str, waited: Duration) -> StoreFailure {
        StoreFailure::Away {
            attempted: format!("{what} of run {}", self.lease.run_id),
            cause: format!("the store gave no answer for {} s; check it", waited.as_secs()),
        }
    }

    /// A record that stands there since a try whose success was not heard is kept already.
    async fn append_once(
        &self,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), StoreFailure> {
        match self.ports.store.append(&self.lease, sealed, events).await {
            Err(failure @ StoreFailure::NotNext { .. }) => {
                let tip = self.ports.store.tip(&self.lease.run_id).await?;
                let is_kept = tip.seq == sealed.seq && tip.hash == sealed.hash;
                if is_kept { Ok(()) } else { Err(failure) }
            }
            done => done,
        }
    }

    /// Does something, unless driving is to end before. What was given up may have been done: whoever goes on with the run reads
    /// in the store how far it is.
    async fn unless_left<T>(&self, work: impl Future<Output = T>) -> Result<T, EngineError> {
        let leaving = self.onlookers.as_ref().map(|onlookers| onlookers.leaving.clone());
        tokio::select! {
            biased;
            done = work => Ok(done),
            () = left(leaving) => Err(EngineError::Suspended(self.lease.run_id.clone())),
        }
    }

    /// Tells whoever looks on whether the store is away, and since when.
    fn show_away(&self, away: Option<Away>) {
        let Some(onlookers) = &self.onlookers else { return };
        onlookers.live.send_if_modified(|shown| {
            let since = shown.away.as_ref().map(|before| before.since);
            let away = away.map(|now| Away { since: since.unwrap_or(now.since), ..now });
            let changed = shown.away != away;
            shown.away = away;
            changed
        });
    }

    /// Renews the lease. A store that is away is no reason to stop, and is asked again at the next turn; the next write will show.
    /// One that does not answer is not waited for until the lease has run out.
    pub(crate) async fn renew(&mut self) -> Result<(), EngineError> {
        let (now, patience) = (self.ports.clock.now(), self.settings.renewal());
        let asked = self.ports.store.renew(&self.lease, now, self.settings.lease_ms());
        let renewed = match self.unless_left(tokio::time::timeout(patience, asked)).await? {
            Ok(renewed) => renewed,
            Err(_) => Err(self.unanswered("renew the lease", patience)),
        };
        match renewed {
            Ok(lease) => {
                self.lease = lease;
                self.show_away(None);
                Ok(())
            }
            Err(StoreFailure::Away { cause, .. }) => {
                self.show_away(Some(Away { since: now, cause }));
                Ok(())
            }
            Err(StoreFailure::Io { .. }) => Ok(()),
            Err(_) => Err(EngineError::LeaseLost(self.lease.run_id.clone())),
        }
    }

    /// Gives the lease back. When that fails it runs out by itself.
    pub(crate) async fn release(&self) {
        let _ = tokio::time::timeout(PARTING, self.ports.store.release(&self.lease)).await;
    }

    /// Whether whoever looks on wants the run left to others.
    pub(crate) fn is_for_others(&self) -> bool {
        let leaving = self.onlookers.as_ref().map(|onlookers| *onlookers.leaving.borrow());
        leaving == Some(Leaving::ToOthers)
    }

    /// Leaves the run to whoever takes up runs that nobody drives. When that fails the lease runs out, which comes to the same.
    pub(crate) async fn leave_to_others(&self) {
        let _ = tokio::time::timeout(PARTING, self.ports.store.leave_to_others(&self.lease)).await;
    }
}
