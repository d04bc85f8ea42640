//! Scoring a memo's neighbourhood and keeping answers, over whatever memos there are.

use elenchus_core::graph::{Kept, Memo, ScoreReport, ScoreSettings, key, score};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, Memos};
use elenchus_core::text::squeeze;
use std::collections::BTreeSet;

/// Memos that are looked up because another was made from them.
const PARENTS: usize = 1_000;
/// Characters of the pivot that are searched for.
const QUERY: usize = 2_000;

/// Scores the memos around `pivot`: those that relations lead to, and the `settings.k` that are most like it.
///
/// # Errors
/// [`MemoFailure::Unknown`] when there is no such memo in the namespace, [`MemoFailure::Refused`] when the settings are
/// no good, [`MemoFailure::Io`] when the memos cannot be read.
pub async fn score_evidence(
    memos: &dyn Memos,
    tenant: &str,
    namespace: &str,
    pivot: &MemoId,
    settings: &ScoreSettings,
) -> Result<ScoreReport, MemoFailure> {
    settings.check()?;
    let reach = settings.reach(namespace, pivot);
    reach.check()?;
    let pivot = known(memos, tenant, namespace, pivot).await?;
    let relations = memos.around(tenant, &reach).await?;
    let ends: BTreeSet<&MemoId> = relations.iter().flat_map(|r| [&r.source, &r.target]).collect();
    let ends: Vec<MemoId> = ends.into_iter().cloned().collect();
    let mut near = memos.get(tenant, namespace, &ends).await?;
    near.extend(parents(memos, tenant, namespace, &near).await?);
    let query: String =
        squeeze(&format!("{} {}", pivot.title, pivot.content)).chars().take(QUERY).collect();
    let hits = if query.is_empty() {
        Vec::new()
    } else {
        // Memos that are related are to be found among the hits as well, and memos below the namespace are passed over.
        let limit = (50 + settings.k + 4 * ends.len()).min(1_000);
        let filter = MemoFilter { namespace: namespace.to_owned(), limit, ..MemoFilter::default() };
        memos.search(tenant, &query, &filter).await?
    };
    score(&pivot, &near, &hits, &relations, settings)
}

/// The memos that others say they were made from, and what those were made from, so that an answer among them is known.
async fn parents(
    memos: &dyn Memos,
    tenant: &str,
    namespace: &str,
    near: &[Memo],
) -> Result<Vec<Memo>, MemoFailure> {
    let mut known: BTreeSet<MemoId> = near.iter().map(|memo| memo.id.clone()).collect();
    let mut found: Vec<Memo> = Vec::new();
    let mut from: Vec<Memo> = near.to_vec();
    while !from.is_empty() && found.len() < PARENTS {
        // An answer counts for nothing anyhow, whatever it was made from.
        let made = from.iter().filter(|memo| !memo.is_inference());
        let named = made.flat_map(|memo| memo.noted(key::DERIVED_FROM));
        let ids: BTreeSet<MemoId> =
            named.map(MemoId::from).filter(|id| !known.contains(id)).collect();
        let ids: Vec<MemoId> = ids.into_iter().take(PARENTS).collect();
        known.extend(ids.iter().cloned());
        from = if ids.is_empty() { Vec::new() } else { memos.get(tenant, namespace, &ids).await? };
        found.extend(from.iter().cloned());
    }
    Ok(found)
}

/// The memo of an id.
///
/// # Errors
/// [`MemoFailure::Unknown`] when there is none in the namespace.
pub async fn known(
    memos: &dyn Memos,
    tenant: &str,
    namespace: &str,
    id: &MemoId,
) -> Result<Memo, MemoFailure> {
    let found = memos.get(tenant, namespace, std::slice::from_ref(id)).await?;
    found.into_iter().next().ok_or_else(|| MemoFailure::Unknown(id.clone()))
}

/// What keeping an answer came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptCount {
    /// Memos that are new.
    pub memos: usize,
    /// Relations that were made, or made again.
    pub relations: usize,
    /// Whether the answer had been kept before.
    pub again: bool,
}

/// Saves what an answer leaves. Quotes that are there already stay as they are, with whatever somebody added to them. An
/// answer that was kept before is written anew, and its relations are not counted as said once more.
///
/// # Errors
/// As the port's; what was saved before a failure stays, and keeping again completes it.
pub async fn save_kept(
    memos: &dyn Memos,
    tenant: &str,
    kept: &Kept,
) -> Result<KeptCount, MemoFailure> {
    let Some(answer) = kept.memos.first() else { return Ok(KeptCount::default()) };
    let namespace = &answer.namespace;
    let ids: Vec<MemoId> = kept.memos.iter().map(|memo| memo.id.clone()).collect();
    let there: BTreeSet<MemoId> =
        memos.get(tenant, namespace, &ids).await?.into_iter().map(|memo| memo.id).collect();
    let again = there.contains(&answer.id);
    let mut count = KeptCount { again, ..KeptCount::default() };
    for memo in &kept.memos {
        let new = !there.contains(&memo.id);
        count.memos += usize::from(new);
        if new || memo.is_inference() {
            memos.save(tenant, memo).await?;
        }
    }
    let said = if again {
        let filter = MemoFilter { namespace: namespace.clone(), ..MemoFilter::default() };
        memos.relations(tenant, &filter).await?
    } else {
        Vec::new()
    };
    for relation in &kept.relations {
        let before = said
            .iter()
            .any(|one| one.namespace == relation.namespace && one.key() == relation.key());
        if !before {
            memos.relate(tenant, relation).await?;
            count.relations += 1;
        }
    }
    Ok(count)
}
