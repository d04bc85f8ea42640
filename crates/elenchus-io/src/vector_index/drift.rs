//! What the index holds against what the store says it should hold.

use super::failure::{IndexFailure, Trouble};
use super::point::{Listed, Lot, Point};
use super::{MOST_LISTED, VectorIndex};
use std::collections::{BTreeMap, BTreeSet};

/// Points that are written at once when an index is mended.
const AT_ONCE: usize = 256;

/// How an index differs from the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// Points that are as they should be.
    pub sound: usize,
    /// Ids that the store has and the index has not, in order.
    pub missing: Vec<String>,
    /// Ids that the index has and the store has not, in order.
    pub extra: Vec<String>,
    /// Ids of points that were written from another text, for others to see, or with another embedder, in order.
    pub stale: Vec<String>,
}

impl Drift {
    /// Whether they agree.
    pub fn is_none(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.stale.is_empty()
    }
}

/// Compares a lot with what the store says: ids with [`Point::print`]. While others write, what they have written to one and
/// not yet to the other shows as drift.
///
/// # Errors
/// When the index does not answer.
pub async fn check(
    index: &dyn VectorIndex,
    lot: &Lot,
    wanted: &BTreeMap<String, String>,
) -> Result<Drift, IndexFailure> {
    let mut drift = Drift::default();
    let mut there: BTreeSet<String> = BTreeSet::new();
    for Listed { id, print } in all(index, lot).await? {
        match wanted.get(&id) {
            None => drift.extra.push(id.clone()),
            Some(known) if *known == print => drift.sound += 1,
            Some(_) => drift.stale.push(id.clone()),
        }
        there.insert(id);
    }
    drift.missing = wanted.keys().filter(|id| !there.contains(*id)).cloned().collect();
    drift.extra.sort();
    drift.stale.sort();
    Ok(drift)
}

/// Writes what is missing or stale and takes out what is extra. `points` gives the points of some ids as they are in the store
/// now; an id that it gives nothing for has left the store meanwhile and is taken out. Gives how many were written and taken out.
///
/// # Errors
/// When the store or the index does not answer. What was done by then stays, and doing it again goes on.
pub async fn mend<E: From<IndexFailure>>(
    index: &dyn VectorIndex,
    lot: &Lot,
    drift: &Drift,
    mut points: impl AsyncFnMut(&[String]) -> Result<Vec<Point>, E>,
) -> Result<(usize, usize), E> {
    let (mut written, mut taken) = (0, drift.extra.len());
    for some in drift.extra.chunks(MOST_LISTED) {
        index.remove(lot, some).await?;
    }
    let wrong: Vec<String> = drift.missing.iter().chain(&drift.stale).cloned().collect();
    for some in wrong.chunks(AT_ONCE) {
        let found = points(some).await?;
        index.upsert(lot, &found).await?;
        written += found.len();
        let held: BTreeSet<&str> = found.iter().map(|point| point.id.as_str()).collect();
        let left: Vec<String> =
            some.iter().filter(|id| !held.contains(id.as_str())).cloned().collect();
        if !left.is_empty() {
            index.remove(lot, &left).await?;
            taken += left.len();
        }
    }
    Ok((written, taken))
}

/// Every entry of a lot, each once.
async fn all(index: &dyn VectorIndex, lot: &Lot) -> Result<Vec<Listed>, IndexFailure> {
    let mut listed: BTreeMap<String, String> = BTreeMap::new();
    let mut from: Option<String> = None;
    loop {
        let page = index.page(lot, from.as_deref(), MOST_LISTED).await?;
        let known = listed.len();
        listed.extend(page.listed.into_iter().map(|one| (one.id, one.print)));
        if page.next.is_none() {
            return Ok(listed.into_iter().map(|(id, print)| Listed { id, print }).collect());
        }
        if listed.len() == known {
            return Err(IndexFailure::new(
                Trouble::Garbled,
                format!("list {}", index.name()),
                "it names a next page again and again, and nothing new stands there",
                "check what answers at that address",
            ));
        }
        from = page.next;
    }
}
