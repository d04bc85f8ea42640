//! The ReasoningBank in the store: strategies, their signals, and hybrid search over them.
//!
//! Every row names its tenant and every query filters by it. Writes are short transactions that nothing comes between; a
//! write that finds another process writing waits. What a search needs of a tenant is kept in memory and brought up to the
//! store first, so that all processes see each other's writes. All of it is written once, for a SQLite file and for a
//! PostgreSQL server.

mod change;
mod checks;
mod codec;
mod evidence;
mod exchange;
mod forgetting;
mod markdown;
mod nearest;
mod port;
#[cfg(feature = "postgres")]
mod postgres;
mod queue;
mod recall;
mod record;
mod rows;
mod rules;
pub(crate) mod schema;
#[cfg(feature = "postgres")]
pub(crate) mod schema_pg;
mod shown;
mod signals;
mod sqlite;
mod tend;
mod view;

pub use markdown::{from_markdown, to_markdown};
pub use nearest::Told;
pub use port::VaultBank;
#[cfg(feature = "postgres")]
pub use postgres::PgBank;
pub use sqlite::SqliteBank;

use crate::retrieve::TextVectors;
use crate::sql::{Database, Db, Halted};
use crate::texts::{Blend, Texts};
use elenchus_core::bank::BankSettings;
use elenchus_core::id::StrategyId;
use elenchus_core::port::BankFailure;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use view::View;

/// Tenants that are kept in memory; then all are read anew.
const TENANTS: usize = 64;

/// Why something was not done.
type Fault = Halted<BankFailure>;

impl Fault {
    fn unknown(id: &StrategyId) -> Self {
        // An id comes from outside and may be as long as it likes.
        let short: String = id.as_str().chars().filter(|c| !c.is_control()).take(60).collect();
        Self::By(BankFailure::Unknown(StrategyId(short)))
    }

    fn refused(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::By(BankFailure::Refused {
            attempted: attempted.into(),
            cause: cause.into(),
            way_out: way_out.into(),
        })
    }

    fn forbidden(
        attempted: impl Into<String>,
        cause: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self::By(BankFailure::Forbidden {
            attempted: attempted.into(),
            cause: cause.into(),
            way_out: way_out.into(),
        })
    }
}

/// What the strategies are kept in, and all that is done with them, whichever database it is.
struct Vault<D> {
    db: D,
    settings: BankSettings,
    vectors: Option<Arc<dyn TextVectors>>,
    /// Holds no texts: it turns texts into what is kept of them.
    scribe: Texts,
    blend: Blend,
    views: Mutex<HashMap<String, Arc<RwLock<View>>>>,
    /// What searches showed lately.
    searches: Mutex<shown::Searches>,
    /// An index of vectors outside this process.
    lane: OnceLock<nearest::Lane>,
}

impl<D: Database> Vault<D> {
    /// Texts get their vectors by `vectors`; without, the search goes by words alone.
    fn on(db: D, settings: BankSettings, vectors: Option<Arc<dyn TextVectors>>) -> Self {
        Self {
            db,
            settings,
            scribe: Texts::new(vectors.clone()),
            vectors,
            blend: Blend::default(),
            views: Mutex::default(),
            searches: Mutex::default(),
            lane: OnceLock::new(),
        }
    }

    /// Runs `work` in one transaction, again while others write. Nothing of it stays when it fails.
    fn write<T>(
        &self,
        attempted: &str,
        work: impl FnMut(&Db<'_>) -> Result<T, Fault>,
    ) -> Result<T, BankFailure> {
        self.db.write(work).map_err(|fault| self.plain(attempted, fault))
    }

    /// Runs `work` on one snapshot.
    fn read<T>(
        &self,
        attempted: &str,
        work: impl FnMut(&Db<'_>) -> Result<T, Fault>,
    ) -> Result<T, BankFailure> {
        self.db.read(work).map_err(|fault| self.plain(attempted, fault))
    }

    fn plain(&self, attempted: &str, fault: Fault) -> BankFailure {
        match fault {
            Fault::By(failure) => failure,
            Fault::Sql(error) => BankFailure::Io {
                attempted: attempted.to_owned(),
                cause: self.db.plain_cause(&error),
            },
        }
    }

    /// Whether an index in the store's own server compares vectors, so that none are held here.
    fn compares_elsewhere(&self) -> bool {
        self.lane.get().is_some_and(nearest::Lane::is_own)
    }

    fn view(&self, tenant: &str) -> Arc<RwLock<View>> {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if views.len() >= TENANTS && !views.contains_key(tenant) {
            views.clear();
        }
        let held = !self.compares_elsewhere();
        let fresh = || Arc::new(RwLock::new(View::empty(self.vectors.clone(), held)));
        Arc::clone(views.entry(tenant.to_owned()).or_insert_with(fresh))
    }
}
