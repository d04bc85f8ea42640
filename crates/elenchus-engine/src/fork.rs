//! Forking: another run takes over what a run was told up to a step, and goes on from there.

use crate::engine::admissible;
use crate::handle::RunHandle;
use crate::writer::{PARTING, Writer};
use crate::{Engine, EngineError};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Cut, Input, Run};
use elenchus_core::port::StoreFailure;
use std::collections::BTreeSet;
use std::time::Duration;

/// Records that are taken over between two renewals of the lease: on a slow store a long journal may take longer than it lasts.
const RENEWED_AFTER: usize = 32;

impl Engine {
    /// Goes back to an event of a run and goes on from there in another run, which begins with what the run was told until
    /// then and may be given a focus of its own. Nothing of that is performed again, and the run itself is only read: it may
    /// be over, stopped, or driven by anybody. What the two have in common is durable when this returns. `seed` tells apart
    /// forks of one run at one time. See [`Cut::at`] for where a journal can be cut.
    ///
    /// The times of what is taken over are moved, so that the last is now: how long each step took stays, and a budget of
    /// time goes on from what was used of it.
    ///
    /// # Errors
    /// When there is no such run or event, nothing would be left to be done, this version derives another trace from the
    /// journal than the one that is kept, the focus has no words or too many, or the store fails.
    pub async fn fork(
        &self,
        parent: &RunId,
        event_id: u64,
        focus: Option<&str>,
        seed: u64,
    ) -> Result<RunHandle, EngineError> {
        let focus = focus.map(admissible).transpose()?;
        let redirect = focus.map(|focus| Control::Redirect {
            focus: Some(focus),
            exclude: Vec::new(),
            only: Vec::new(),
        });
        self.fork_told(parent, event_id, redirect.into_iter().collect(), seed).await
    }

    /// The same, where the new run is told more before it goes on, in this order: other limits, say.
    ///
    /// # Errors
    /// See [`Engine::fork`].
    pub async fn fork_told(
        &self,
        parent: &RunId,
        event_id: u64,
        told: Vec<Control>,
        seed: u64,
    ) -> Result<RunHandle, EngineError> {
        Box::pin(self.forked(parent, event_id, told, seed)).await
    }

    async fn forked(
        &self,
        parent: &RunId,
        event_id: u64,
        told: Vec<Control>,
        seed: u64,
    ) -> Result<RunHandle, EngineError> {
        let cut = self.cut(parent, event_id).await?;
        let at = self.ports.clock.now();
        let run_id = RunId::derive(&cut.opened().question, at, seed);
        let began = Timestamp(at.0.saturating_sub(cut.took_ms()));
        // A lease counts from the beginning of a run, and this one lies back.
        let lease_ms = self.settings.lease_ms().saturating_add(cut.took_ms().max(0));
        let (mut run, events, lease, tip) =
            self.begin(cut.opening(run_id), began, lease_ms).await?;
        let (mut writer, reading) = self.writer(events, lease, tip);
        // Whoever asked for the fork waits, and sees nothing of a store that is away: a few tries, as for a new run.
        writer.settings.away = Duration::ZERO;
        if let Err(error) = take_over(&mut run, &mut writer, &cut, began, told).await {
            return Err(self.unmade(&writer, error).await);
        }
        writer.settings.away = self.settings.away;
        Ok(Self::driven(run, writer, reading, BTreeSet::new(), cut.events()))
    }

    /// The beginning of a run. Its trace must be the one that is kept.
    async fn cut(&self, parent: &RunId, event_id: u64) -> Result<Cut, EngineError> {
        let records = self.ports.store.journal(parent).await?;
        let unforkable =
            |cause| EngineError::Unforkable { run_id: parent.clone(), event_id, cause };
        let cut = Cut::at(&records, event_id).map_err(unforkable)?;
        if cut.opened().run_id != *parent {
            // The chain holds, but it is that of another run.
            let cause = format!("it opens run {}", cut.opened().run_id);
            return Err(StoreFailure::Corrupt { run_id: parent.clone(), seq: 1, cause }.into());
        }
        // Whoever drives it may have written more since.
        let kept = self.ports.store.events(parent, 0).await?;
        let derived = cut.trace();
        let same = kept.iter().zip(derived).take_while(|(kept, derived)| kept == derived).count();
        if same < derived.len() {
            let (run_id, seq) = (parent.clone(), same as u64 + 1);
            return Err(EngineError::TraceDiffers { run_id, seq });
        }
        Ok(cut)
    }

    /// Takes back a run of which the storage kept only a part. Where that fails too, resuming it is refused.
    async fn unmade(&self, writer: &Writer, error: EngineError) -> EngineError {
        writer.release().await;
        match error {
            EngineError::Storage { run_id, cause, .. } => {
                let gone = self.ports.store.delete(&run_id, self.ports.clock.now());
                let _ = tokio::time::timeout(PARTING, gone).await;
                cause.into()
            }
            error => error,
        }
    }
}

/// Writes what the run is to take over after its first input, which came at `began`; then what it is told.
async fn take_over(
    run: &mut Run,
    writer: &mut Writer,
    cut: &Cut,
    began: Timestamp,
    told: Vec<Control>,
) -> Result<(), EngineError> {
    for (count, (entry, ms)) in cut.rest().iter().enumerate() {
        if count.is_multiple_of(RENEWED_AFTER) {
            writer.renew().await?;
        }
        let at = Timestamp(began.0.saturating_add(*ms));
        let events = writer.copy(run, entry.clone(), at).await?;
        writer.log.publish(events);
    }
    for control in told {
        let events = writer.input(run, Input::Control(control)).await?;
        writer.log.publish(events);
    }
    Ok(())
}
