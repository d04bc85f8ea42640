//! The evidence graph in the store's file.

use super::rows;
use super::search::{embed, refresh, search};
use crate::retrieve::{TextVectors, builtin_vectors};
use crate::store::{SqliteOptions, open_file, plain_cause};
use elenchus_core::graph::check::{check_id, check_namespace, check_query, check_tag};
use elenchus_core::graph::{Memo, Relation, Walk};
use elenchus_core::id::MemoId;
use elenchus_core::port::{
    EmbedFailure, MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach,
};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memos and relations in the one SQLite file, for any number of processes on one machine.
///
/// A call does its work before its future is first polled to the end; none waits for anything but the disk, another
/// process, and the embedder.
pub struct SqliteMemos {
    connection: Mutex<Connection>,
    path: PathBuf,
    vectors: Arc<dyn TextVectors>,
}

enum Refused {
    By(MemoFailure),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<MemoFailure> for Refused {
    fn from(failure: MemoFailure) -> Self {
        Self::By(failure)
    }
}

impl SqliteMemos {
    /// Opens the file with the embedder of this program; see [`Self::open_with`].
    pub fn open(path: &Path, options: &SqliteOptions) -> Result<Self, MemoFailure> {
        Self::open_with(path, options, builtin_vectors())
    }

    /// Opens the file, makes it (readable by its owner only) when there is none, and migrates an older one. Memos that
    /// another embedder had embedded are embedded again when they are searched.
    pub fn open_with(
        path: &Path,
        options: &SqliteOptions,
        vectors: Arc<dyn TextVectors>,
    ) -> Result<Self, MemoFailure> {
        let attempted = format!("open the memos in {}", path.display());
        let connection = open_file(path, options, "FULL")
            .map_err(|cause| MemoFailure::Io { attempted, cause })?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Self { connection: Mutex::new(connection), path: path.to_owned(), vectors })
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic inside a transaction has rolled it back, so the connection is sound.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self, attempted: &str, refused: Refused) -> MemoFailure {
        let error = match refused {
            Refused::By(failure) => return failure,
            Refused::Sqlite(error) => error,
        };
        // An embedder's failure inside a statement's loop travels as SQLite's error type.
        if let rusqlite::Error::ToSqlConversionFailure(cause) = &error
            && let Some(failure) = cause.downcast_ref::<EmbedFailure>()
        {
            return embedder_failed(attempted, failure);
        }
        MemoFailure::Io { attempted: attempted.to_owned(), cause: plain_cause(&self.path, &error) }
    }

    fn write<T>(
        &self,
        attempted: &str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refused>,
    ) -> Result<T, MemoFailure> {
        let mut connection = self.connection();
        let run = |connection: &mut Connection| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&change)?;
            change.commit()?;
            Ok(value)
        };
        run(&mut connection).map_err(|refused| self.failure(attempted, refused))
    }

    /// Reads of one snapshot.
    fn read<T>(
        &self,
        attempted: &str,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Refused>,
    ) -> Result<T, MemoFailure> {
        let mut connection = self.connection();
        let run = |connection: &mut Connection| {
            work(&connection.transaction_with_behavior(TransactionBehavior::Deferred)?)
        };
        run(&mut connection).map_err(|refused| self.failure(attempted, refused))
    }

    fn save_memo(&self, tenant: &str, memo: &Memo) -> Result<(), MemoFailure> {
        let attempted = "save the memo";
        memo.check()?;
        let vector = embed(self.vectors.as_ref(), memo)
            .map_err(|failure| embedder_failed(attempted, &failure))?;
        self.write(attempted, |change| Ok(rows::put(change, tenant, memo, &vector)?))
    }

    fn found(
        &self,
        tenant: &str,
        query: &str,
        filter: &MemoFilter,
    ) -> Result<Vec<MemoHit>, MemoFailure> {
        let attempted = "search the memos";
        check_query(query)?;
        check_filter(attempted, filter)?;
        let vectors = self.vectors.as_ref();
        refresh(&mut self.connection(), vectors, tenant, &filter.namespace)
            .map_err(|error| self.failure(attempted, Refused::Sqlite(error)))?;
        self.read(attempted, |db| Ok(search(db, vectors, tenant, query, filter)?))
    }

    fn walked(&self, tenant: &str, reach: &Reach) -> Result<Vec<Relation>, MemoFailure> {
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

fn known(db: &Connection, tenant: &str, namespace: &str, id: &MemoId) -> Result<(), Refused> {
    match rows::get(db, tenant, namespace, id)? {
        Some(_) => Ok(()),
        None => Err(Refused::By(MemoFailure::Unknown(id.clone()))),
    }
}

impl Memos for SqliteMemos {
    fn save<'a>(
        &'a self,
        tenant: &'a str,
        memo: &'a Memo,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move { self.save_memo(tenant, memo) })
    }

    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let attempted = "read the memos";
            check_namespace(attempted, namespace)?;
            self.read(attempted, |db| {
                let mut found = Vec::new();
                for id in ids {
                    found.extend(rows::get(db, tenant, namespace, id)?);
                }
                Ok(found)
            })
        })
    }

    fn search<'a>(
        &'a self,
        tenant: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        Box::pin(async move { self.found(tenant, query, filter) })
    }

    fn list<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move {
            let attempted = "list the memos";
            check_filter(attempted, filter)?;
            self.read(attempted, |db| Ok(rows::list(db, tenant, filter)?))
        })
    }

    fn delete<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
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
        })
    }

    fn relate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            relation.check()?;
            self.write("relate the memos", |change| {
                for end in [&relation.source, &relation.target] {
                    known(change, tenant, &relation.namespace, end)?;
                }
                Ok(rows::relate(change, tenant, relation)?)
            })
        })
    }

    fn unrelate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move {
            relation.check()?;
            self.write("part the memos", |change| Ok(rows::unrelate(change, tenant, relation)?))
        })
    }

    fn relations<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move {
            let attempted = "list the relations";
            check_filter(attempted, filter)?;
            self.read(attempted, |db| Ok(rows::relations(db, tenant, filter)?))
        })
    }

    fn around<'a>(
        &'a self,
        tenant: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move { self.walked(tenant, reach) })
    }
}
