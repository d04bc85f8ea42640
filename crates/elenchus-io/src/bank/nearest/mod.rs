//! The nearest strategies by an index outside this process, and that index kept up to the store.
//!
//! The store is the truth: it is written first, and what an index finds is looked up in it under the caller's eyes, so that
//! an index that is behind can shift a rank and never show anything. While it does not answer, or lacks what the store has,
//! the vectors in memory do its work, and that is said.
//!
//! An index in the store's own server takes more over: then no vectors are held in memory. What shares words with a query and
//! is not among the nearest is compared by what the store gives, and that is all while the index is lacking.

use crate::bank::codec::from_bytes;
use crate::bank::rows::{of_word, word};
use crate::bank::view::{recipe, state};
use crate::bank::{Fault, Vault};
use crate::sql::{self, Database, Row};
use crate::vector_index::drift::{Drift, check, mend};
use crate::vector_index::{
    IndexFailure, Kind, Lot, MOST_LISTED, Nearest, Point, Shared, VectorIndex,
};
use elenchus_core::bank::{Caller, Outcome};
use elenchus_core::port::{BankFailure, Recall};
use rusqlite::params;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Strategies that an index is asked for, of each outcome: many more than are ever shown, since words weigh as much.
const NEAREST: usize = 256;
/// How long an index that failed, or lacks something, is left alone.
const REST: Duration = Duration::from_secs(30);
/// Strategies that are brought to an index of the store's own server without being asked.
const BROUGHT: u64 = 2_000;
/// Strategies that are read at once.
const PAGE: i64 = 2_000;

/// Hears, in a sentence for the user, what is not as it was set up to be.
pub type Told = Arc<dyn Fn(&str) + Send + Sync>;

/// An index beside a bank.
pub(in crate::bank) struct Lane {
    index: Arc<dyn VectorIndex>,
    told: Told,
    /// Whether it stands in the store's own server.
    own: bool,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// Tenants of which the index was seen to hold as much as the store.
    whole: Vec<String>,
    /// Until when the vectors in memory are used without asking.
    rests_until: HashMap<String, Instant>,
}

impl Lane {
    pub(in crate::bank) fn is_own(&self) -> bool {
        self.own
    }

    fn known<T>(&self, work: impl FnOnce(&mut Known) -> T) -> T {
        work(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn rest(&self, tenant: &str, why: &str) {
        self.known(|known| {
            known.whole.retain(|other| other != tenant);
            known.rests_until.insert(tenant.to_owned(), Instant::now() + REST);
        });
        let how = if self.own { "by its words first" } else { "with the vectors in its own file" };
        (self.told)(&format!("the memory is searched {how}: {why}"));
    }

    fn rests(&self, tenant: &str) -> bool {
        self.known(|known| {
            known.rests_until.get(tenant).is_some_and(|until| Instant::now() < *until)
        })
    }
}

/// What the columns of [`POINT`] say.
struct Pointed {
    n: i64,
    id: String,
    /// `None` for what is not searched: archived, or without a word that the embedder knows.
    point: Option<Point>,
}

/// Parameter 1 is the tenant, 2 the recipe of the index.
const POINT: &str =
    "SELECT s.id, s.project, s.team, s.org, s.scope, s.outcome, s.standing ->> 'state', i.terms, i.vectors, s.n
     FROM strategies s LEFT JOIN strategy_index i ON i.n = s.n AND i.recipe = ?2 WHERE s.tenant = ?1";

/// A database that is asked without keeping the caller's thread from other work, where that may take long.
pub(in crate::bank) trait Aside: Database + Sized + 'static {
    fn aside<T: Send + 'static>(
        vault: &Arc<Vault<Self>>,
        work: impl FnOnce(&Vault<Self>) -> Result<T, BankFailure> + Send + 'static,
    ) -> impl Future<Output = Result<T, BankFailure>> + Send;
}

impl<D: Aside> Vault<D> {
    /// Searches for near strategies in this index too, which must have the dimensions of the bank's embedder. `told` hears
    /// when it is not used, and why. With an index in the store's own server no vectors are held in memory. The first one stays.
    pub(in crate::bank) fn use_index(&self, index: Arc<dyn VectorIndex>, told: Told, own: bool) {
        let _ = self.lane.set(Lane { index, told, own, known: Mutex::default() });
    }

    /// Cosines by id of the nearest strategies that the caller may see, by the index; `None` where the vectors in memory are
    /// to be used.
    pub(in crate::bank) async fn asked_of_index(
        self: &Arc<Self>,
        caller: &Caller,
        recall: &Recall,
    ) -> Result<Option<HashMap<String, f32>>, BankFailure> {
        let Some(lane) = self.lane.get() else { return Ok(None) };
        crate::bank::recall::check(recall)
            .map_err(|fault| self.plain("search the memory", fault))?;
        // What the embedder says against the query is said by the search itself.
        let Ok(Some((bytes, step))) = self.scribe.embed(&recall.query) else { return Ok(None) };
        if lane.rests(&caller.tenant) || !self.is_whole(lane, caller).await? {
            return Ok(None);
        }
        let outcomes = match recall.outcome {
            Some(outcome) => vec![outcome],
            None => vec![Outcome::Success, Outcome::Failure],
        };
        let asked: Vec<Nearest> = outcomes
            .iter()
            .map(|outcome| Nearest {
                vector: dequantised(&bytes, step),
                most: NEAREST,
                scope: recall.scope,
                facet: Some(word(outcome)),
            })
            .collect();
        let asking = asked.iter().map(|asked| lane.index.nearest(caller, &Kind::Bank, asked));
        let mut cosines = HashMap::new();
        for found in futures_util::future::join_all(asking).await {
            match found {
                Ok(found) => cosines.extend(found.into_iter().map(|one| (one.id, one.cosine))),
                Err(failure) => {
                    lane.rest(&caller.tenant, &failure.to_string());
                    return Ok(None);
                }
            }
        }
        Ok(Some(cosines))
    }

    /// Whether the index holds as much of the tenant as the store; looked at once, and again after a failure.
    async fn is_whole(self: &Arc<Self>, lane: &Lane, caller: &Caller) -> Result<bool, BankFailure> {
        let tenant = &caller.tenant;
        if lane.known(|known| known.whole.contains(tenant)) {
            return Ok(true);
        }
        let named = caller.clone();
        let wanted = D::aside(self, move |vault| {
            vault.renew(&named.tenant, &named.project)?;
            let view = vault.view(&named.tenant);
            let held = view.read().unwrap_or_else(PoisonError::into_inner).texts.embedded();
            Ok(held as u64)
        })
        .await?;
        let mut size = held(lane, tenant).await;
        if let Ok(known) = size
            && lane.own
            && known < wanted
            && wanted - known <= BROUGHT
        {
            let brought = self.completed(lane, tenant).await;
            size = match brought {
                Ok(()) => held(lane, tenant).await,
                Err(failure) => {
                    lane.rest(tenant, &failure.to_string());
                    return Ok(false);
                }
            };
        }
        match size {
            Ok(size) if size >= wanted => {
                lane.known(|known| known.whole.push(tenant.clone()));
                Ok(true)
            }
            Ok(size) => {
                let name = lane.index.name();
                let why = format!(
                    "{name} holds {size} of {wanted} strategies; run `elenchus index check --repair`"
                );
                lane.rest(tenant, &why);
                Ok(false)
            }
            Err(failure) => {
                lane.rest(tenant, &failure.to_string());
                Ok(false)
            }
        }
    }

    /// Brings to the index what it lacks.
    async fn completed(self: &Arc<Self>, lane: &Lane, tenant: &str) -> Result<(), BankFailure> {
        let lot = Lot::new(tenant, Kind::Bank).map_err(of_index)?;
        let index = lane.index.as_ref();
        let drift = check(index, &lot, &self.printed(tenant).await?).await.map_err(of_index)?;
        let wrong: Vec<String> = drift.missing.into_iter().chain(drift.stale).collect();
        for some in wrong.chunks(MOST_LISTED) {
            let (named, some) = (tenant.to_owned(), some.to_vec());
            let all = D::aside(self, move |vault| vault.pointed(&named, Which::Of(&some))).await?;
            let points: Vec<Point> = all.into_iter().filter_map(|one| one.point).collect();
            index.upsert(&lot, &points).await.map_err(of_index)?;
        }
        for some in drift.extra.chunks(MOST_LISTED) {
            index.remove(&lot, some).await.map_err(of_index)?;
        }
        Ok(())
    }

    /// The number of the tenant's last change, to be given to [`follow`](Self::follow) after a write; `None` without an index.
    pub(in crate::bank) async fn mark(
        self: &Arc<Self>,
        tenant: &str,
    ) -> Result<Option<i64>, BankFailure> {
        if self.lane.get().is_none() {
            return Ok(None);
        }
        let tenant = tenant.to_owned();
        D::aside(self, move |vault| {
            vault.read("read the memory", |db| Ok(Some(state(db, &tenant)?.0)))
        })
        .await
    }

    /// The marks of all tenants.
    pub(in crate::bank) async fn marks(
        self: &Arc<Self>,
    ) -> Result<Vec<(String, i64)>, BankFailure> {
        if self.lane.get().is_none() {
            return Ok(Vec::new());
        }
        D::aside(self, |vault| {
            vault.read("read the memory", |db| {
                Ok(db
                    .prepare_cached("SELECT tenant, change FROM bank_changes ORDER BY tenant")?
                    .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<sql::Result<_>>()?)
            })
        })
        .await
    }

    /// Brings what was written since a mark to the index. The store has it already: a failure is said and undoes nothing.
    pub(in crate::bank) async fn follow(self: &Arc<Self>, tenant: &str, mark: Option<i64>) {
        let (Some(lane), Some(mark)) = (self.lane.get(), mark) else { return };
        let named = tenant.to_owned();
        let changed = D::aside(self, move |vault| vault.pointed(&named, Which::Since(mark))).await;
        let written = match changed {
            Ok(changed) => brought(lane, tenant, changed).await,
            Err(failure) => Err(failure.to_string()),
        };
        if let Err(cause) = written {
            lacks(lane, tenant, &cause);
        }
    }

    /// Takes a strategy that was deleted out of the index.
    pub(in crate::bank) async fn forget(&self, tenant: &str, id: &str) {
        let Some(lane) = self.lane.get() else { return };
        let taken = match Lot::new(tenant, Kind::Bank) {
            Ok(lot) => lane.index.remove(&lot, &[id.to_owned()]).await,
            Err(failure) => Err(failure),
        };
        if let Err(failure) = taken {
            lacks(lane, tenant, &failure.to_string());
        }
    }

    /// How an index differs from the bank, tenant by tenant, in order of their names. Points of a tenant of which the bank
    /// has never known anything are not seen.
    ///
    /// # Errors
    /// When the bank or the index cannot be read.
    pub(in crate::bank) async fn index_drift(
        self: &Arc<Self>,
        index: &dyn VectorIndex,
    ) -> Result<Vec<(String, Drift)>, BankFailure> {
        let mut all = Vec::new();
        for tenant in D::aside(self, Self::tenants).await? {
            let lot = Lot::new(tenant.clone(), Kind::Bank).map_err(of_index)?;
            let drift =
                check(index, &lot, &self.printed(&tenant).await?).await.map_err(of_index)?;
            all.push((tenant, drift));
        }
        Ok(all)
    }

    /// Writes what an index lacks of a tenant and takes out what it has too much. Gives how many were written and taken out.
    ///
    /// # Errors
    /// When the bank or the index fails; what was done by then stays.
    pub(in crate::bank) async fn mend_index(
        self: &Arc<Self>,
        index: &dyn VectorIndex,
        tenant: &str,
        drift: &Drift,
    ) -> Result<(usize, usize), BankFailure> {
        let lot = Lot::new(tenant, Kind::Bank).map_err(of_index)?;
        let done = mend(index, &lot, drift, async |ids| {
            let (tenant, ids) = (tenant.to_owned(), ids.to_vec());
            let all = D::aside(self, move |vault| vault.pointed(&tenant, Which::Of(&ids))).await;
            Ok::<_, Mending>(all?.into_iter().filter_map(|one| one.point).collect())
        });
        done.await.map_err(|Mending(failure)| failure)
    }

    /// Takes everything of the bank's tenants out of an index and writes it anew. Gives how many points were written.
    ///
    /// # Errors
    /// When the bank or the index fails; building again begins anew.
    pub(in crate::bank) async fn rebuild_index(
        self: &Arc<Self>,
        index: &dyn VectorIndex,
    ) -> Result<usize, BankFailure> {
        let mut written = 0;
        for tenant in D::aside(self, Self::tenants).await? {
            let lot = Lot::new(tenant.clone(), Kind::Bank).map_err(of_index)?;
            index.clear(&lot).await.map_err(of_index)?;
            let missing = self.printed(&tenant).await?.into_keys().collect();
            let drift = Drift { missing, ..Drift::default() };
            written += self.mend_index(index, &tenant, &drift).await?.0;
        }
        Ok(written)
    }

    fn tenants(&self) -> Result<Vec<String>, BankFailure> {
        let all: Vec<String> = self.read("read the memory", |db| {
            Ok(db
                .prepare_cached("SELECT tenant FROM bank_changes ORDER BY tenant")?
                .query_map((), |row| row.get(0))?
                .collect::<sql::Result<_>>()?)
        })?;
        for tenant in &all {
            // What another embedder had embedded is embedded anew first.
            self.renew(tenant, "")?;
        }
        Ok(all)
    }

    async fn printed(
        self: &Arc<Self>,
        tenant: &str,
    ) -> Result<BTreeMap<String, String>, BankFailure> {
        let tenant = tenant.to_owned();
        D::aside(self, move |vault| vault.prints(&tenant)).await
    }

    /// What the index should hold of a tenant.
    fn prints(&self, tenant: &str) -> Result<BTreeMap<String, String>, BankFailure> {
        let (mut prints, mut after) = (BTreeMap::new(), i64::MIN);
        loop {
            let some = self.pointed(tenant, Which::After(after))?;
            let Some(last) = some.last().map(|one| one.n) else { return Ok(prints) };
            after = last;
            prints.extend(some.into_iter().filter_map(|one| Some((one.id, one.point?.print()))));
        }
    }

    /// Strategies of a tenant as an index holds them.
    fn pointed(&self, tenant: &str, which: Which<'_>) -> Result<Vec<Pointed>, BankFailure> {
        let recipe = recipe(self.vectors.as_ref().map(Arc::as_ref));
        let dimensions = self.vectors.as_ref().map_or(0, |vectors| vectors.dimensions());
        let read = |row: &Row<'_>| pointed(row, dimensions);
        self.read("read the memory", |db| {
            if let Which::Of(ids) = which {
                let mut one = db.prepare_cached(&format!("{POINT} AND s.id = ?3"))?;
                let mut found = Vec::new();
                for id in ids {
                    for row in one.query_map(params![tenant, recipe, id], read)? {
                        found.push(row?);
                    }
                }
                return Ok(found);
            }
            let (condition, value, most) = match which {
                Which::Since(mark) => ("s.text_change > ?3", mark, i64::MAX),
                Which::After(n) => ("s.n > ?3", n, PAGE),
                Which::Of(_) => return Ok(Vec::new()),
            };
            let sql = format!("{POINT} AND {condition} ORDER BY s.n LIMIT ?4");
            let rows = db
                .prepare_cached(&sql)?
                .query_map(params![tenant, recipe, value, most], read)?
                .collect::<sql::Result<Vec<_>>>();
            Ok::<_, Fault>(rows?)
        })
    }
}

/// Points of a tenant in the index.
async fn held(lane: &Lane, tenant: &str) -> Result<u64, IndexFailure> {
    lane.index.size(&Lot::new(tenant, Kind::Bank)?).await
}

/// Which strategies of a tenant.
#[derive(Clone, Copy)]
enum Which<'a> {
    /// Some, in order of their numbers, from after this one.
    After(i64),
    /// Those whose text changed after a mark.
    Since(i64),
    /// Those of these ids.
    Of(&'a [String]),
}

/// The failure of a mending, of the bank or of the index.
struct Mending(BankFailure);

impl From<BankFailure> for Mending {
    fn from(failure: BankFailure) -> Self {
        Self(failure)
    }
}

impl From<IndexFailure> for Mending {
    fn from(failure: IndexFailure) -> Self {
        Self(of_index(failure))
    }
}

async fn brought(lane: &Lane, tenant: &str, changed: Vec<Pointed>) -> Result<(), String> {
    let lot = Lot::new(tenant, Kind::Bank).map_err(|failure| failure.to_string())?;
    let (mut points, mut gone) = (Vec::new(), Vec::new());
    for one in changed {
        match one.point {
            Some(point) => points.push(point),
            None => gone.push(one.id),
        }
    }
    for some in points.chunks(MOST_LISTED) {
        lane.index.upsert(&lot, some).await.map_err(|failure| failure.to_string())?;
    }
    if !gone.is_empty() {
        lane.index.remove(&lot, &gone).await.map_err(|failure| failure.to_string())?;
    }
    Ok(())
}

fn lacks(lane: &Lane, tenant: &str, cause: &str) {
    lane.known(|known| known.whole.retain(|other| other != tenant));
    (lane.told)(&format!(
        "the memory is written, and the index of vectors lacks the change: {cause}; `elenchus index check --repair` \
         brings it there"
    ));
}

fn of_index(failure: IndexFailure) -> BankFailure {
    BankFailure::Io {
        attempted: failure.attempted,
        cause: format!("{}; {}", failure.cause, failure.way_out),
    }
}

fn dequantised(bytes: &[i8], step: f32) -> Vec<f32> {
    bytes.iter().map(|byte| f32::from(*byte) * step).collect()
}

fn pointed(row: &Row<'_>, dimensions: usize) -> sql::Result<Pointed> {
    let (id, n): (String, i64) = (row.get(0)?, row.get(9)?);
    let archived = row.get::<_, Option<String>>(6)?.as_deref() == Some("archived");
    let (terms, vectors): (Option<Vec<u8>>, Option<Vec<u8>>) = (row.get(7)?, row.get(8)?);
    let (false, Some(terms), Some(vectors)) = (archived, terms, vectors) else {
        return Ok(Pointed { n, id, point: None });
    };
    let vectors: Vec<Vec<f32>> = from_bytes(&terms, &vectors, dimensions)
        .vectors
        .iter()
        .filter(|(_, step)| *step > 0.0)
        .map(|(bytes, step)| dequantised(bytes, *step))
        .collect();
    if vectors.is_empty() {
        return Ok(Pointed { n, id, point: None });
    }
    let outcome: Outcome = of_word(row, 5)?;
    let shared = Shared {
        project: row.get(1)?,
        team: row.get(2)?,
        org: row.get(3)?,
        scope: of_word(row, 4)?,
    };
    Ok(Pointed {
        n,
        point: Some(Point { id: id.clone(), shared, facet: word(&outcome), vectors }),
        id,
    })
}

#[cfg(test)]
mod tests;
