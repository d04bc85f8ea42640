//! The evidence graph in the store's file.

use super::graph::Graph;
use crate::retrieve::{TextVectors, builtin_vectors};
use crate::sql::File;
use crate::store::{SqliteOptions, open_file};
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Memos and relations in the one SQLite file, for any number of processes on one machine.
///
/// A call does its work before its future is first polled to the end; none waits for anything but the disk, another
/// process, and the embedder.
pub struct SqliteMemos {
    graph: Graph<File>,
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
        // Each statement waits as long as the options say; that is enough.
        let file = File::new(connection, path.to_owned(), Duration::ZERO);
        Ok(Self { graph: Graph::on(file, vectors) })
    }
}

impl Memos for SqliteMemos {
    fn save<'a>(
        &'a self,
        tenant: &'a str,
        memo: &'a Memo,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move { self.graph.save(tenant, memo) })
    }

    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move { self.graph.get(tenant, namespace, ids) })
    }

    fn search<'a>(
        &'a self,
        tenant: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        Box::pin(async move { self.graph.search(tenant, query, filter) })
    }

    fn list<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        Box::pin(async move { self.graph.list(tenant, filter) })
    }

    fn tenants(&self) -> PortFuture<'_, Result<Vec<String>, MemoFailure>> {
        Box::pin(async move { self.graph.tenants() })
    }

    fn delete<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move { self.graph.delete(tenant, namespace, id) })
    }

    fn relate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move { self.graph.relate(tenant, relation) })
    }

    fn unrelate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        Box::pin(async move { self.graph.unrelate(tenant, relation) })
    }

    fn relations<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move { self.graph.relations(tenant, filter) })
    }

    fn around<'a>(
        &'a self,
        tenant: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        Box::pin(async move { self.graph.around(tenant, reach) })
    }
}
