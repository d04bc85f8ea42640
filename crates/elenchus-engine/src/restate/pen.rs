//! The pen of a workflow: it writes the same records into the store at every replay, and the store keeps each once.

use crate::writer::{note_end, record_input};
use crate::{Settings, crash::FailPoint};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Input, Opened, Run};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, Intent, JournalRecord, SealedRecord};
use elenchus_core::port::{Clock, DURABLE, JournalTip, Lease, Store, StoreFailure};
use elenchus_core::trace::Envelope;
use restate_sdk::prelude::{HandlerError, TerminalError};
use std::sync::Arc;
use std::time::Duration;

/// How long the right to write stays with a run without a write: longer than any effect may take. A run that waits for
/// somebody lets it go by; whoever takes the run over then has it.
const LEASE: Duration = Duration::from_hours(2);

/// The name under which a workflow holds its run, whichever worker it is on.
pub(super) fn holder(run_id: &RunId) -> String {
    format!("{DURABLE}{run_id}")
}

/// Writes the journal of one run, and passes over what is written already.
pub(super) struct Pen {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    settings: Settings,
    run_id: RunId,
    /// What was in the store when this attempt began.
    kept: Vec<JournalRecord>,
    lease: Option<Lease>,
    tip: JournalTip,
    /// The time of the last record. Records are never dated before the one that stands in front of them.
    last: Timestamp,
}

fn ended(error: &impl ToString) -> HandlerError {
    TerminalError::new_with_code(409, error.to_string()).into()
}

/// A failure of the storage passes; everything else is a verdict.
fn failed(failure: StoreFailure) -> HandlerError {
    match failure {
        StoreFailure::Io { .. } | StoreFailure::Away { .. } => HandlerError::from(failure),
        other => ended(&other),
    }
}

impl Pen {
    /// Looks at what the store has of the run.
    pub(super) async fn find(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: Settings,
        run_id: &RunId,
    ) -> Result<Self, HandlerError> {
        let kept = match store.journal(run_id).await {
            Ok(kept) => kept,
            Err(StoreFailure::UnknownRun(_)) => Vec::new(),
            Err(failure) => return Err(failed(failure)),
        };
        let tip = JournalTip { seq: 0, hash: GENESIS.to_owned() };
        let run_id = run_id.clone();
        Ok(Self { store, clock, settings, run_id, kept, lease: None, tip, last: Timestamp(0) })
    }

    /// The time of the last record.
    pub(super) fn last(&self) -> Timestamp {
        self.last
    }

    /// Begins the run, in the store as well unless it stands there already.
    pub(super) async fn open(
        &mut self,
        opened: Opened,
        at: Timestamp,
    ) -> Result<Run, HandlerError> {
        let question = opened.question.clone();
        let (input, mut sealed) = record_input(Input::Opened(opened), 1, at, GENESIS)
            .map_err(|error| ended(&format!("the run cannot be kept: {error}")))?;
        let Input::Opened(opened) = input else {
            return Err(ended(&"the run came back as something else"));
        };
        let (run, events) = Run::new(opened, at);
        note_end(&run, &mut sealed);
        self.last = at;
        if self.kept.is_empty() {
            self.create(&question, &sealed, &events).await?;
        } else if !self.is_kept(&sealed)? {
            return Err(self.diverged(1));
        }
        self.tip = JournalTip { seq: 1, hash: sealed.hash };
        Ok(run)
    }

    async fn create(
        &mut self,
        question: &str,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), HandlerError> {
        let (holder, lease_ms) = (holder(&self.run_id), lease_ms());
        let created =
            self.store.create(&self.run_id, question, sealed, events, &holder, lease_ms).await;
        match created {
            Ok(lease) => self.lease = Some(lease),
            // Another attempt was quicker: what it wrote is compared like everything else.
            Err(StoreFailure::RunExists(_)) => {
                self.kept = self.store.journal(&self.run_id).await.map_err(failed)?;
                if !self.is_kept(sealed)? {
                    return Err(self.diverged(1));
                }
            }
            Err(failure) => return Err(failed(failure)),
        }
        Ok(())
    }

    /// Feeds an input that was observed at `at`, and keeps it together with the events it caused.
    pub(super) async fn input(
        &mut self,
        run: &mut Run,
        input: Input,
        at: Timestamp,
    ) -> Result<(), HandlerError> {
        // Workers have clocks of their own.
        let at = at.max(self.last);
        let (input, mut sealed) = record_input(input, self.tip.seq + 1, at, &self.tip.hash)
            .map_err(|error| ended(&format!("a control cannot be kept: {error}")))?;
        let events = run.feed(input, at);
        note_end(run, &mut sealed);
        self.last = at;
        self.keep(&sealed, &events).await?;
        crash(&self.settings, FailPoint::AfterAppend);
        Ok(())
    }

    /// Keeps intents, dated like the record before them.
    pub(super) async fn intents(&mut self, intents: Vec<Intent>) -> Result<(), HandlerError> {
        let record = JournalRecord {
            v: FORMAT,
            seq: self.tip.seq + 1,
            at: self.last,
            entry: Entry::Intent(intents),
        };
        crash(&self.settings, FailPoint::BeforeIntent);
        self.keep(&record.seal(&self.tip.hash), &[]).await?;
        crash(&self.settings, FailPoint::AfterIntent);
        Ok(())
    }

    async fn keep(
        &mut self,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), HandlerError> {
        if !self.is_kept(sealed)? {
            self.append(sealed, events).await?;
        }
        self.tip = JournalTip { seq: sealed.seq, hash: sealed.hash.clone() };
        Ok(())
    }

    /// Whether the store had the record when it was last looked at.
    fn is_kept(&self, sealed: &SealedRecord) -> Result<bool, HandlerError> {
        let place = usize::try_from(sealed.seq).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(kept) = self.kept.get(place) else { return Ok(false) };
        let same =
            serde_json::from_str::<JournalRecord>(&sealed.json).is_ok_and(|new| new == *kept);
        if same { Ok(true) } else { Err(self.diverged(sealed.seq)) }
    }

    async fn append(
        &mut self,
        sealed: &SealedRecord,
        events: &[Envelope],
    ) -> Result<(), HandlerError> {
        let lease = self.lease().await?;
        let mut attempt = 0;
        loop {
            match self.store.append(&lease, sealed, events).await {
                Ok(()) => return Ok(()),
                // Written by a try whose success was not heard, or by another worker that is at the same place.
                Err(StoreFailure::NotNext { .. }) => {
                    self.kept = self.store.journal(&self.run_id).await.map_err(failed)?;
                    return if self.is_kept(sealed)? {
                        Ok(())
                    } else {
                        Err(self.diverged(sealed.seq))
                    };
                }
                // Beyond these the engine begins the attempt again, at its own pace.
                Err(StoreFailure::Away { .. } | StoreFailure::Io { .. })
                    if attempt < self.settings.retries =>
                {
                    tokio::time::sleep(self.settings.wait(attempt)).await;
                    attempt += 1;
                }
                Err(failure) => return Err(failed(failure)),
            }
        }
    }

    /// The right to write, taken when something is to be written for the first time, or when half of it has gone by.
    async fn lease(&mut self) -> Result<Lease, HandlerError> {
        let now = self.clock.now();
        if let Some(lease) = &self.lease
            && lease.expires_at.0 - now.0 > lease_ms() / 2
        {
            return Ok(lease.clone());
        }
        let holder = holder(&self.run_id);
        let lease =
            self.store.lease(&self.run_id, &holder, now, lease_ms()).await.map_err(failed)?;
        self.lease = Some(lease.clone());
        Ok(lease)
    }

    /// Gives the right to write back. When that fails it runs out by itself.
    pub(super) async fn release(&mut self) {
        crash(&self.settings, FailPoint::BeforeRelease);
        if let Ok(lease) = self.lease().await {
            let _ = self.store.release(&lease).await;
        }
    }

    fn diverged(&self, seq: u64) -> HandlerError {
        ended(&format!(
            "could not go on with run {}: record {seq} of its journal is not what this workflow wrote; somebody took the \
             run over, follow it with `elenchus runs trace {}`",
            self.run_id, self.run_id
        ))
    }
}

fn lease_ms() -> i64 {
    i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX)
}

/// Falls over here, if a crash test says so.
#[cfg(feature = "crash-points")]
pub(super) fn crash(settings: &Settings, site: FailPoint) {
    // The plan of a worker aborts the process by itself.
    let _ = settings.crash.strikes(site);
}

#[cfg(not(feature = "crash-points"))]
pub(super) fn crash(_settings: &Settings, _site: FailPoint) {}
