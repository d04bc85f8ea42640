//! The bank in one SQLite file.

use super::Vault;
use super::nearest::{Aside, Told};
use crate::retrieve::{TextVectors, builtin_vectors};
use crate::sql::File;
use crate::store::{SqliteOptions, open_file, open_file_in_memory};
use crate::texts::Blend;
use crate::vector_index::VectorIndex;
use crate::vector_index::drift::Drift;
use elenchus_core::bank::{BankSettings, Caller, Draft};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Bank, BankFailure, Edit, Exported, Failed, GivenUp, Held, Listing, PortFuture, Queued, Recall,
    Recalled, Recorded, SignalGiven, Signalled, Stats,
};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a write is tried again while other processes write.
const PATIENCE: Duration = Duration::from_mins(1);

/// A bank in one SQLite file, for any number of processes.
pub struct SqliteBank {
    vault: Arc<Vault<File>>,
}

impl SqliteBank {
    /// Opens the bank in a store file, which is made or brought up to date first. Texts get their vectors by `vectors`;
    /// without, the search goes by words alone.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn open(
        path: &Path,
        options: &SqliteOptions,
        settings: BankSettings,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, BankFailure> {
        let attempted = format!("open the memory in {}", path.display());
        let db = open_file(path, options, "NORMAL")
            .map_err(|cause| BankFailure::Io { attempted, cause })?;
        Self::on(db, path.to_owned(), settings, vectors)
    }

    /// A bank that lives as long as the value, with the built-in embedder.
    ///
    /// # Errors
    /// When SQLite cannot be used at all.
    pub fn in_memory(settings: BankSettings) -> Result<Self, BankFailure> {
        let attempted = "open a memory that is not kept".to_owned();
        let db = open_file_in_memory().map_err(|cause| BankFailure::Io { attempted, cause })?;
        Self::on(db, PathBuf::from(":memory:"), settings, Some(builtin_vectors()))
    }

    fn on(
        db: Connection,
        path: PathBuf,
        settings: BankSettings,
        vectors: Option<Arc<dyn TextVectors>>,
    ) -> Result<Self, BankFailure> {
        // What is deleted is overwritten, not only forgotten.
        db.execute_batch("PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;").map_err(
            |error| BankFailure::Io {
                attempted: "open the memory".to_owned(),
                cause: error.to_string(),
            },
        )?;
        Ok(Self { vault: Arc::new(Vault::on(File::new(db, path, PATIENCE), settings, vectors)) })
    }

    /// Mixes scores in another way.
    #[must_use]
    pub fn with_blend(mut self, blend: Blend) -> Self {
        // Nobody else has it yet.
        if let Some(vault) = Arc::get_mut(&mut self.vault) {
            vault.blend = blend;
        }
        self
    }

    /// The settings that it was opened with.
    pub fn settings(&self) -> &BankSettings {
        &self.vault.settings
    }

    /// Searches for near strategies in this index too, which must have the dimensions of the bank's embedder. `told` hears
    /// when it is not used, and why. The first index stays.
    #[must_use]
    pub fn with_index(self, index: Arc<dyn VectorIndex>, told: Told) -> Self {
        self.vault.use_index(index, told);
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
}

/// The disk is not waited for long.
impl Aside for File {
    async fn aside<T: Send + 'static>(
        vault: &Arc<Vault<Self>>,
        work: impl FnOnce(&Vault<Self>) -> Result<T, BankFailure> + Send + 'static,
    ) -> Result<T, BankFailure> {
        work(vault)
    }
}

impl Bank for SqliteBank {
    fn search<'a>(
        &'a self,
        caller: &'a Caller,
        recall: &'a Recall,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recalled, BankFailure>> {
        Box::pin(async move {
            let given = self.vault.asked_of_index(caller, recall).await?;
            self.vault.search_now(caller, recall, given.as_ref(), now)
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
            let done = self.vault.record_now(caller, draft, now)?;
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
        Box::pin(async move { self.vault.signal_now(caller, given, now) })
    }

    fn get<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>> {
        Box::pin(async move { self.vault.get_now(caller, id, now) })
    }

    fn why<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Explained, BankFailure>> {
        Box::pin(async move { self.vault.why_now(caller, id, now) })
    }

    fn list<'a>(
        &'a self,
        caller: &'a Caller,
        listing: &'a Listing,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<Held>, BankFailure>> {
        Box::pin(async move { self.vault.list_now(caller, listing, now) })
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
            let done = self.vault.edit_now(caller, id, edit, now)?;
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
            self.vault.delete_now(caller, id)?;
            self.vault.forget(&caller.tenant, id.as_str()).await;
            Ok(())
        })
    }

    fn export<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<Exported>, BankFailure>> {
        Box::pin(async move { self.vault.export_now(caller) })
    }

    fn import<'a>(
        &'a self,
        caller: &'a Caller,
        exported: &'a [Exported],
        now: Timestamp,
    ) -> PortFuture<'a, Result<usize, BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let done = self.vault.import_now(caller, exported, now)?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn stats<'a>(
        &'a self,
        caller: &'a Caller,
        _now: Timestamp,
    ) -> PortFuture<'a, Result<Stats, BankFailure>> {
        Box::pin(async move { self.vault.stats_now(caller) })
    }

    fn roll_back<'a>(
        &'a self,
        caller: &'a Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(usize, usize), BankFailure>> {
        Box::pin(async move {
            let mark = self.vault.mark(&caller.tenant).await?;
            let done = self.vault.roll_back_now(caller, to, now)?;
            self.vault.follow(&caller.tenant, mark).await;
            Ok(done)
        })
    }

    fn tend(&self, now: Timestamp) -> PortFuture<'_, Result<Vec<String>, BankFailure>> {
        Box::pin(async move {
            let marks = self.vault.marks().await?;
            let done = self.vault.tend_now(now)?;
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
        Box::pin(async move { self.vault.queue_now(caller, session, now) })
    }

    fn take(
        &self,
        most: usize,
        holder: &str,
        lease_ms: i64,
        now: Timestamp,
    ) -> PortFuture<'_, Result<Vec<Queued>, BankFailure>> {
        let holder = holder.to_owned();
        Box::pin(async move { self.vault.take_now(most, &holder, lease_ms, now) })
    }

    fn settle<'a>(
        &'a self,
        session: &'a Queued,
        result: Result<&'a [Draft], Failed>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<StrategyId>, BankFailure>> {
        Box::pin(async move {
            let tenant = &session.caller.tenant;
            let mark = self.vault.mark(tenant).await?;
            let done = self.vault.settle_now(session, result, now)?;
            self.vault.follow(tenant, mark).await;
            Ok(done)
        })
    }

    fn given_up<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<GivenUp>, BankFailure>> {
        Box::pin(async move { self.vault.given_up_now(caller) })
    }
}
