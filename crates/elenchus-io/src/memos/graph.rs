//! What is done with memos and relations, whichever database keeps them.

use super::rows;
use super::search::{asked, embed, embed_again, put_vectors, search, stale};
use crate::retrieve::TextVectors;
use crate::sql::{Database, Db, Halted};
use elenchus_core::graph::check::{check_id, check_namespace, check_query, check_tag};
use elenchus_core::graph::{Memo, Relation, Walk};
use elenchus_core::id::MemoId;
use elenchus_core::port::{EmbedFailure, MemoFailure, MemoFilter, MemoHit, Reach};
use std::sync::Arc;

/// Why something was not done.
type Refused = Halted<MemoFailure>;

/// The memos in a database, and what embeds them.
pub(super) struct Graph<D> {
    db: D,
    vectors: Arc<dyn TextVectors>,
}

impl<D: Database> Graph<D> {
    pub(super) fn on(db: D, vectors: Arc<dyn TextVectors>) -> Self {
        Self { db, vectors }
    }

    #[cfg(feature = "postgres")]
    pub(super) fn db(&self) -> &D {
        &self.db
    }

    fn write<T>(
        &self,
        attempted: &str,
        work: impl FnMut(&Db<'_>) -> Result<T, Refused>,
    ) -> Result<T, MemoFailure> {
        self.db.write(work).map_err(|refused| self.failure(attempted, refused))
    }

    /// Reads of one snapshot.
    fn read<T>(
        &self,
        attempted: &str,
        work: impl FnMut(&Db<'_>) -> Result<T, Refused>,
    ) -> Result<T, MemoFailure> {
        self.db.read(work).map_err(|refused| self.failure(attempted, refused))
    }

    fn failure(&self, attempted: &str, refused: Refused) -> MemoFailure {
        match refused {
            Refused::By(failure) => failure,
            Refused::Sql(error) => MemoFailure::Io {
                attempted: attempted.to_owned(),
                cause: self.db.plain_cause(&error),
            },
        }
    }

    pub(super) fn save(&self, tenant: &str, memo: &Memo) -> Result<(), MemoFailure> {
        let attempted = "save the memo";
        memo.check()?;
        let vector = embed(self.vectors.as_ref(), memo)
            .map_err(|failure| embedder_failed(attempted, &failure))?;
        self.write(attempted, |change| Ok(rows::put(change, tenant, memo, &vector)?))
    }

    pub(super) fn get(
        &self,
        tenant: &str,
        namespace: &str,
        ids: &[MemoId],
    ) -> Result<Vec<Memo>, MemoFailure> {
        let attempted = "read the memos";
        check_namespace(attempted, namespace)?;
        self.read(attempted, |db| {
            let mut found = Vec::new();
            for id in ids {
                found.extend(rows::get(db, tenant, namespace, id)?);
            }
            Ok(found)
        })
    }

    pub(super) fn search(
        &self,
        tenant: &str,
        query: &str,
        filter: &MemoFilter,
    ) -> Result<Vec<MemoHit>, MemoFailure> {
        let attempted = "search the memos";
        check_query(query)?;
        check_filter(attempted, filter)?;
        let vectors = self.vectors.as_ref();
        let failed = |failure: EmbedFailure| embedder_failed(attempted, &failure);
        // Those that another embedder had embedded are embedded again.
        loop {
            let stale = self.read(attempted, |db| Ok(stale(db, vectors, tenant, filter)?))?;
            if stale.is_empty() {
                break;
            }
            let made = embed_again(vectors, &stale).map_err(failed)?;
            self.write(attempted, |change| Ok(put_vectors(change, &stale, &made)?))?;
        }
        let Some(asked) = asked(vectors, query).map_err(failed)? else { return Ok(Vec::new()) };
        self.read(attempted, |db| Ok(search(db, vectors, tenant, &asked, filter)?))
    }

    pub(super) fn list(&self, tenant: &str, filter: &MemoFilter) -> Result<Vec<Memo>, MemoFailure> {
        let attempted = "list the memos";
        check_filter(attempted, filter)?;
        self.read(attempted, |db| Ok(rows::list(db, tenant, filter)?))
    }

    pub(super) fn tenants(&self) -> Result<Vec<String>, MemoFailure> {
        self.read("list whose memos there are", |db| Ok(rows::tenants(db)?))
    }

    pub(super) fn delete(
        &self,
        tenant: &str,
        namespace: &str,
        id: &MemoId,
    ) -> Result<(), MemoFailure> {
        let attempted = "delete the memo";
        check_namespace(attempted, namespace)?;
        check_id(attempted, id)?;
        self.write(attempted, |change| {
            if rows::delete(change, tenant, namespace, id)? {
                Ok(())
            } else {
                Err(Refused::By(MemoFailure::Unknown(id.clone())))
            }
        })
    }

    pub(super) fn relate(&self, tenant: &str, relation: &Relation) -> Result<(), MemoFailure> {
        relation.check()?;
        self.write("relate the memos", |change| {
            for end in [&relation.source, &relation.target] {
                known(change, tenant, &relation.namespace, end)?;
            }
            Ok(rows::relate(change, tenant, relation)?)
        })
    }

    pub(super) fn unrelate(&self, tenant: &str, relation: &Relation) -> Result<(), MemoFailure> {
        relation.check()?;
        self.write("part the memos", |change| Ok(rows::unrelate(change, tenant, relation)?))
    }

    pub(super) fn relations(
        &self,
        tenant: &str,
        filter: &MemoFilter,
    ) -> Result<Vec<Relation>, MemoFailure> {
        let attempted = "list the relations";
        check_filter(attempted, filter)?;
        self.read(attempted, |db| Ok(rows::relations(db, tenant, filter)?))
    }

    pub(super) fn around(&self, tenant: &str, reach: &Reach) -> Result<Vec<Relation>, MemoFailure> {
        reach.check()?;
        self.read("walk the graph", |db| {
            known(db, tenant, &reach.namespace, &reach.start)?;
            let mut walk = Walk::new(reach);
            while let Some(level) = walk.next_level() {
                let mut near = Vec::new();
                for id in level {
                    near.extend(rows::touching(db, tenant, &reach.namespace, id)?);
                }
                walk.take(near);
            }
            Ok(walk.finish())
        })
    }
}

fn embedder_failed(attempted: &str, failure: &EmbedFailure) -> MemoFailure {
    MemoFailure::Io {
        attempted: attempted.to_owned(),
        cause: format!("{failure}; use the built-in embedder, or mend the model"),
    }
}

fn check_filter(attempted: &str, filter: &MemoFilter) -> Result<(), MemoFailure> {
    if !filter.namespace.is_empty() {
        check_namespace(attempted, &filter.namespace)?;
    }
    filter.tag.as_ref().map_or(Ok(()), |tag| check_tag(attempted, tag))
}

fn known(db: &Db<'_>, tenant: &str, namespace: &str, id: &MemoId) -> Result<(), Refused> {
    match rows::get(db, tenant, namespace, id)? {
        Some(_) => Ok(()),
        None => Err(Refused::By(MemoFailure::Unknown(id.clone()))),
    }
}
