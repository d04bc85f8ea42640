//! The `Bank` port over a vault, whichever database it is.

use super::Vault;
use super::nearest::{Aside, Told};
use crate::vector_index::VectorIndex;
use crate::vector_index::drift::Drift;
use elenchus_core::bank::{BankSettings, Caller, Draft};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Bank, BankFailure, Edit, Exported, Failed, GivenUp, Held, Listing, PortFuture, Queued, Recall,
    Recalled, Recorded, SignalGiven, Signalled, Stats,
};
use std::sync::Arc;

/// A bank in one database, for any number of processes. A clone is another handle to the same bank.
pub struct VaultBank<D> {
    pub(super) vault: Arc<Vault<D>>,
}

impl<D> Clone for VaultBank<D> {
    fn clone(&self) -> Self {
        Self { vault: Arc::clone(&self.vault) }
    }
}

impl<D> VaultBank<D> {
    /// The settings that it was opened with.
    pub fn settings(&self) -> &BankSettings {
        &self.vault.settings
    }
}

#[expect(private_bounds, reason = "the databases are named here and nowhere else")]
impl<D: Aside> VaultBank<D> {
    /// Searches for near strategies in this index too, which must have the dimensions of the bank's embedder. `told` hears
    /// when it is not used, and why. The first index stays.
    #[must_use]
    pub fn with_index(self, index: Arc<dyn VectorIndex>, told: Told) -> Self {
        self.vault.use_index(index, told, false);
        self
    }

    /// How an index differs from the bank, tenant by tenant, in order of their names. Points of a tenant of which the bank
    /// has never known anything are not seen.
    ///
    /// # Errors
    /// When the bank or the index cannot be read.
    pub async fn index_drift(
        &self,
        index: &dyn VectorIndex,
    ) -> Result<Vec<(String, Drift)>, BankFailure> {
        self.vault.index_drift(index).await
    }

    /// Writes what an index lacks of a tenant and takes out what it has too much. Gives how many were written and taken out.
    ///
    /// # Errors
    /// When the bank or the index fails; what was done by then stays.
    pub async fn mend_index(
        &self,
        index: &dyn VectorIndex,
        tenant: &str,
        drift: &Drift,
    ) -> Result<(usize, usize), BankFailure> {
        self.vault.mend_index(index, tenant, drift).await
    }

    /// Takes everything of the bank's tenants out of an index and writes it anew. Gives how many points were written.
    ///
    /// # Errors
    /// When the bank or the index fails; building again begins anew.
    pub async fn rebuild_index(&self, index: &dyn VectorIndex) -> Result<usize, BankFailure> {
        self.vault.rebuild_index(index).await
    }

    /// Tenants and projects of which anything is kept, in order of their names.
    ///
    /// # Errors
    /// When the bank cannot be read.
    pub async fn projects(&self) -> Result<Vec<(String, String)>, BankFailure> {
        self.aside(Vault::projects_now).await
    }

    /// How many sessions of the caller's project were queued to be distilled before a time, or at all.
    ///
    /// # Errors
    /// When the bank cannot be read.
    pub async fn count_sessions(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> Result<usize, BankFailure> {
        let caller = caller.clone();
        self.aside(move |vault| vault.count_sessions_now(&caller, before)).await
    }

    /// Takes those sessions out, whatever became of them, and gives how many went. With all of them goes what the project
    /// learned of its signals.
    ///
    /// # Errors
    /// When the bank cannot be written.
    pub async fn forget_sessions(
        &self,
        caller: &Caller,
        before: Option<Timestamp>,
    ) -> Result<usize, BankFailure> {
        let caller = caller.clone();
        self.aside(move |vault| vault.forget_sessions_now(&caller, before)).await
    }

    /// What is done may outlive the call, so it owns what it is done with.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Vault<D>) -> Result<T, BankFailure> + Send + 'static,
    ) -> Result<T, BankFailure> {
        D::aside(&self.vault, work).await
    }
}

impl<D: Aside> Bank for VaultBank<D> {
    fn search<'a>(
        &'a self,
        caller: &'a Caller,
        recall: &'a Recall,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recalled, BankFailure>> {
        Box::pin(async move {
            let given = self.vault.asked_of_index(caller, recall).await?;
            let (caller, recall) = (caller.clone(), recall.clone());
            self.aside(move |vault| vault.search_now(&caller, &recall, given.as_ref(), now)).await
        })
    }

    fn record<'a>(
        &'a self,
        caller: &'a Caller,
        draft: &'a Draft,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recorded, BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let (by, draft) = (caller.clone(), draft.clone());
            let done = self.aside(move |vault| vault.record_now(&by, &draft, now)).await?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn signal<'a>(
        &'a self,
        caller: &'a Caller,
        given: &'a SignalGiven,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Signalled, BankFailure>> {
        let (caller, given) = (caller.clone(), given.clone());
        Box::pin(self.aside(move |vault| vault.signal_now(&caller, &given, now)))
    }

    fn unvote<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>> {
        let (caller, id) = (caller.clone(), id.clone());
        Box::pin(self.aside(move |vault| vault.unvote_now(&caller, &id, now)))
    }

    fn get<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>> {
        let (caller, id) = (caller.clone(), id.clone());
        Box::pin(self.aside(move |vault| vault.get_now(&caller, &id, now)))
    }

    fn why<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Explained, BankFailure>> {
        let (caller, id) = (caller.clone(), id.clone());
        Box::pin(self.aside(move |vault| vault.why_now(&caller, &id, now)))
    }

    fn list<'a>(
        &'a self,
        caller: &'a Caller,
        listing: &'a Listing,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<Held>, BankFailure>> {
        let (caller, listing) = (caller.clone(), listing.clone());
        Box::pin(self.aside(move |vault| vault.list_now(&caller, &listing, now)))
    }

    fn edit<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        edit: &'a Edit,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let (by, id, edit) = (caller.clone(), id.clone(), edit.clone());
            let done = self.aside(move |vault| vault.edit_now(&by, &id, &edit, now)).await?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn delete<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
    ) -> PortFuture<'a, Result<(), BankFailure>> {
        Box::pin(async move {
            let (by, gone) = (caller.clone(), id.clone());
            self.aside(move |vault| vault.delete_now(&by, &gone)).await?;
            self.vault.forget(&caller.tenant, id.as_str()).await;
            Ok(())
        })
    }

    fn export<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<Exported>, BankFailure>> {
        let caller = caller.clone();
        Box::pin(self.aside(move |vault| vault.export_now(&caller)))
    }

    fn import<'a>(
        &'a self,
        caller: &'a Caller,
        exported: &'a [Exported],
        now: Timestamp,
    ) -> PortFuture<'a, Result<usize, BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let (by, exported) = (caller.clone(), exported.to_vec());
            let done = self.aside(move |vault| vault.import_now(&by, &exported, now)).await?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn stats<'a>(
        &'a self,
        caller: &'a Caller,
        _now: Timestamp,
    ) -> PortFuture<'a, Result<Stats, BankFailure>> {
        let caller = caller.clone();
        Box::pin(self.aside(move |vault| vault.stats_now(&caller)))
    }

    fn roll_back<'a>(
        &'a self,
        caller: &'a Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(usize, usize), BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let by = caller.clone();
            let done = self.aside(move |vault| vault.roll_back_now(&by, to, now)).await?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn tend(&self, now: Timestamp) -> PortFuture<'_, Result<Vec<String>, BankFailure>> {
        Box::pin(async move {
            let marks = self.vault.marks().await?;
            let done = self.aside(move |vault| vault.tend_now(now)).await?;
            for (tenant, mark) in marks {
                self.vault.follow(&tenant, Some(mark)).await;
            }
            Ok(done)
        })
    }

    fn queue<'a>(
        &'a self,
        caller: &'a Caller,
        session: &'a Queued,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>> {
        let (caller, session) = (caller.clone(), session.clone());
        Box::pin(self.aside(move |vault| vault.queue_now(&caller, &session, now)))
    }

    fn is_due<'a>(
        &'a self,
        caller: Option<&'a Caller>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>> {
        let caller = caller.cloned();
        Box::pin(self.aside(move |vault| vault.is_due_now(caller.as_ref(), now)))
    }

    fn take(
        &self,
        caller: Option<&Caller>,
        most: usize,
        holder: &str,
        lease_ms: i64,
        now: Timestamp,
    ) -> PortFuture<'_, Result<Vec<Queued>, BankFailure>> {
        let (caller, holder) = (caller.cloned(), holder.to_owned());
        Box::pin(
            self.aside(move |vault| vault.take_now(caller.as_ref(), most, &holder, lease_ms, now)),
        )
    }

    fn settle<'a>(
        &'a self,
        session: &'a Queued,
        result: Result<&'a [Draft], Failed>,
        left_out: &'a [String],
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<StrategyId>, BankFailure>> {
        Box::pin(async move {
            let tenant = &session.caller.tenant;
            let mark = self.vault.mark(tenant).await?;
            let (settled, result) = (session.clone(), result.map(<[Draft]>::to_vec));
            let left_out = left_out.to_vec();
            let done = self
                .aside(move |vault| {
                    let result = result.as_deref().map_err(Clone::clone);
                    vault.settle_now(&settled, result, &left_out, now)
                })
                .await?;
            self.vault.follow(tenant, mark).await;
            Ok(done)
        })
    }

    fn given_up<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<GivenUp>, BankFailure>> {
        let caller = caller.clone();
        Box::pin(self.aside(move |vault| vault.given_up_now(&caller)))
    }
}
