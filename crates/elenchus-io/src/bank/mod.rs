//! The ReasoningBank in the store file: strategies, their signals, and hybrid search over them.
//!
//! Every row names its tenant and every query filters by it. Writes are short immediate transactions; a write that finds
//! another process writing waits. What a search needs of a tenant is kept in memory and brought up to the file first, so
//! that all processes see each other's writes.

mod change;
mod checks;
mod codec;
mod evidence;
mod exchange;
mod markdown;
mod queue;
mod recall;
mod record;
mod rows;
mod rules;
pub(crate) mod schema;
mod signals;
mod tend;
mod view;

pub use markdown::{from_markdown, to_markdown};

use crate::retrieve::{TextVectors, builtin_vectors};
use crate::store::{SqliteOptions, open_file, open_file_in_memory};
use crate::texts::{Blend, Texts};
use elenchus_core::bank::{BankSettings, Caller, Draft};
use elenchus_core::id::{StrategyId, Timestamp};
use elenchus_core::measure::Explained;
use elenchus_core::port::{
    Bank, BankFailure, Edit, Exported, Failed, GivenUp, Held, Listing, PortFuture, Queued, Recall,
    Recalled, Recorded, SignalGiven, Signalled, Stats,
};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};
use view::View;

/// How long a write is tried again while other processes write.
const PATIENCE: Duration = Duration::from_mins(1);
/// Tenants that are kept in memory; then all are read anew.
const TENANTS: usize = 64;

/// Why something was not done.
enum Fault {
    Bank(BankFailure),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl Fault {
    fn unknown(id: &StrategyId) -> Self {
        // An id comes from outside and may be as long as it likes.
        let short: String = id.as_str().chars().filter(|c| !c.is_control()).take(60).collect();
        Self::Bank(BankFailure::Unknown(StrategyId(short)))
    }

    fn refused(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::Bank(BankFailure::Refused {
            attempted: attempted.into(),
            cause: cause.into(),
            way_out: way_out.into(),
        })
    }
}

/// A bank in one SQLite file, for any number of processes.
pub struct SqliteBank {
    db: Mutex<Connection>,
    path: PathBuf,
    settings: BankSettings,
    vectors: Option<Arc<dyn TextVectors>>,
    /// Holds no texts: it turns texts into what is kept of them.
    scribe: Texts,
    blend: Blend,
    views: Mutex<HashMap<String, Arc<RwLock<View>>>>,
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
        db.set_prepared_statement_cache_capacity(64);
        // What is deleted is overwritten, not only forgotten.
        db.execute_batch("PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;").map_err(
            |error| BankFailure::Io {
                attempted: "open the memory".to_owned(),
                cause: error.to_string(),
            },
        )?;
        Ok(Self {
            db: Mutex::new(db),
            path,
            settings,
            scribe: Texts::new(vectors.clone()),
            vectors,
            blend: Blend::default(),
            views: Mutex::default(),
        })
    }

    /// Mixes scores in another way.
    #[must_use]
    pub fn with_blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// The settings that it was opened with.
    pub fn settings(&self) -> &BankSettings {
        &self.settings
    }

    fn db(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` in one immediate transaction, again while others write. Nothing of it stays when it fails.
    fn write<T>(
        &self,
        attempted: &str,
        mut work: impl FnMut(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, BankFailure> {
        let until = Instant::now() + PATIENCE;
        loop {
            let done = {
                let mut db = self.db();
                let mut run = || {
                    let transaction =
                        db.transaction_with_behavior(TransactionBehavior::Immediate)?;
                    let value = work(&transaction)?;
                    transaction.commit()?;
                    Ok(value)
                };
                run()
            };
            match done {
                Err(Fault::Sqlite(error)) if is_busy(&error) && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                done => return done.map_err(|fault| self.plain(attempted, fault)),
            }
        }
    }

    /// Runs `work` on one snapshot.
    fn read<T>(
        &self,
        attempted: &str,
        mut work: impl FnMut(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, BankFailure> {
        let until = Instant::now() + PATIENCE;
        loop {
            let done = {
                let mut db = self.db();
                let mut run = || {
                    let transaction =
                        db.transaction_with_behavior(TransactionBehavior::Deferred)?;
                    work(&transaction)
                };
                run()
            };
            match done {
                Err(Fault::Sqlite(error)) if is_busy(&error) && Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                done => return done.map_err(|fault| self.plain(attempted, fault)),
            }
        }
    }

    fn plain(&self, attempted: &str, fault: Fault) -> BankFailure {
        match fault {
            Fault::Bank(failure) => failure,
            Fault::Sqlite(error) if is_busy(&error) => BankFailure::Io {
                attempted: attempted.to_owned(),
                cause: format!(
                    "other processes have kept {} busy for a minute; try again, or stop them",
                    self.path.display()
                ),
            },
            Fault::Sqlite(error) => BankFailure::Io {
                attempted: attempted.to_owned(),
                cause: crate::store::plain_cause(&self.path, &error),
            },
        }
    }

    fn view(&self, tenant: &str) -> Arc<RwLock<View>> {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if views.len() >= TENANTS && !views.contains_key(tenant) {
            views.clear();
        }
        let fresh = || Arc::new(RwLock::new(View::empty(self.vectors.clone())));
        Arc::clone(views.entry(tenant.to_owned()).or_insert_with(fresh))
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

impl Bank for SqliteBank {
    fn search<'a>(
        &'a self,
        caller: &'a Caller,
        recall: &'a Recall,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recalled, BankFailure>> {
        Box::pin(async move { self.search_now(caller, recall, now) })
    }

    fn record<'a>(
        &'a self,
        caller: &'a Caller,
        draft: &'a Draft,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Recorded, BankFailure>> {
        Box::pin(async move { self.record_now(caller, draft, now) })
    }

    fn signal<'a>(
        &'a self,
        caller: &'a Caller,
        given: &'a SignalGiven,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Signalled, BankFailure>> {
        Box::pin(async move { self.signal_now(caller, given, now) })
    }

    fn get<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>> {
        Box::pin(async move { self.get_now(caller, id, now) })
    }

    fn why<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Explained, BankFailure>> {
        Box::pin(async move { self.why_now(caller, id, now) })
    }

    fn list<'a>(
        &'a self,
        caller: &'a Caller,
        listing: &'a Listing,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<Held>, BankFailure>> {
        Box::pin(async move { self.list_now(caller, listing, now) })
    }

    fn edit<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
        edit: &'a Edit,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Held, BankFailure>> {
        Box::pin(async move { self.edit_now(caller, id, edit, now) })
    }

    fn delete<'a>(
        &'a self,
        caller: &'a Caller,
        id: &'a StrategyId,
    ) -> PortFuture<'a, Result<(), BankFailure>> {
        Box::pin(async move { self.delete_now(caller, id) })
    }

    fn export<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<Exported>, BankFailure>> {
        Box::pin(async move { self.export_now(caller) })
    }

    fn import<'a>(
        &'a self,
        caller: &'a Caller,
        exported: &'a [Exported],
        now: Timestamp,
    ) -> PortFuture<'a, Result<usize, BankFailure>> {
        Box::pin(async move { self.import_now(caller, exported, now) })
    }

    fn stats<'a>(
        &'a self,
        caller: &'a Caller,
        _now: Timestamp,
    ) -> PortFuture<'a, Result<Stats, BankFailure>> {
        Box::pin(async move { self.stats_now(caller) })
    }

    fn roll_back<'a>(
        &'a self,
        caller: &'a Caller,
        to: Timestamp,
        now: Timestamp,
    ) -> PortFuture<'a, Result<(usize, usize), BankFailure>> {
        Box::pin(async move { self.roll_back_now(caller, to, now) })
    }

    fn tend(&self, now: Timestamp) -> PortFuture<'_, Result<Vec<String>, BankFailure>> {
        Box::pin(async move { self.tend_now(now) })
    }

    fn queue<'a>(
        &'a self,
        caller: &'a Caller,
        session: &'a Queued,
        now: Timestamp,
    ) -> PortFuture<'a, Result<bool, BankFailure>> {
        Box::pin(async move { self.queue_now(caller, session, now) })
    }

    fn take(
        &self,
        most: usize,
        holder: &str,
        lease_ms: i64,
        now: Timestamp,
    ) -> PortFuture<'_, Result<Vec<Queued>, BankFailure>> {
        let holder = holder.to_owned();
        Box::pin(async move { self.take_now(most, &holder, lease_ms, now) })
    }

    fn settle<'a>(
        &'a self,
        session: &'a Queued,
        result: Result<&'a [Draft], Failed>,
        now: Timestamp,
    ) -> PortFuture<'a, Result<Vec<StrategyId>, BankFailure>> {
        Box::pin(async move { self.settle_now(session, result, now) })
    }

    fn given_up<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> PortFuture<'a, Result<Vec<GivenUp>, BankFailure>> {
        Box::pin(async move { self.given_up_now(caller) })
    }
}
