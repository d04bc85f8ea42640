//! The evidence graph on a PostgreSQL server.

use super::graph::Graph;
use crate::retrieve::{TextVectors, builtin_vectors};
use crate::sql::Server;
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::MemoId;
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};
use std::sync::Arc;

/// Memos and relations on a PostgreSQL server, for any number of processes on any number of machines.
///
/// Calls wait on threads of their own, on the runtime that the memos were opened on.
#[derive(Clone)]
pub struct PgMemos {
    graph: Arc<Graph<Server>>,
}

impl PgMemos {
    /// Connects with the embedder of this program; see [`Self::open_with`].
    ///
    /// # Errors
    /// As there.
    pub async fn open(url: &str) -> Result<Self, MemoFailure> {
        Self::open_with(url, builtin_vectors()).await
    }

    /// Connects, and brings the schema to this version. Memos that another embedder had embedded are embedded again when
    /// they are searched.
    ///
    /// # Errors
    /// When the server cannot be reached, refuses, or was used by a newer version.
    pub async fn open_with(url: &str, vectors: Arc<dyn TextVectors>) -> Result<Self, MemoFailure> {
        let server = Server::open(url, "the memos")
            .await
            .map_err(|(attempted, cause)| MemoFailure::Io { attempted, cause })?;
        Ok(Self { graph: Arc::new(Graph::on(server, vectors)) })
    }

    /// Does on a thread that may block what asks the server.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Graph<Server>) -> Result<T, MemoFailure> + Send + 'static,
    ) -> Result<T, MemoFailure> {
        Server::aside(self.graph.db().handle(), &self.graph, work).await.unwrap_or_else(|cause| {
            Err(MemoFailure::Io { attempted: "use the memos".to_owned(), cause })
        })
    }
}

impl Memos for PgMemos {
    fn save<'a>(
        &'a self,
        tenant: &'a str,
        memo: &'a Memo,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        let (tenant, memo) = (tenant.to_owned(), memo.clone());
        Box::pin(self.aside(move |graph| graph.save(&tenant, &memo)))
    }

    fn get<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        let (tenant, namespace, ids) = (tenant.to_owned(), namespace.to_owned(), ids.to_vec());
        Box::pin(self.aside(move |graph| graph.get(&tenant, &namespace, &ids)))
    }

    fn search<'a>(
        &'a self,
        tenant: &'a str,
        query: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        let (tenant, query, filter) = (tenant.to_owned(), query.to_owned(), filter.clone());
        Box::pin(self.aside(move |graph| graph.search(&tenant, &query, &filter)))
    }

    fn list<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        let (tenant, filter) = (tenant.to_owned(), filter.clone());
        Box::pin(self.aside(move |graph| graph.list(&tenant, &filter)))
    }

    fn tenants(&self) -> PortFuture<'_, Result<Vec<String>, MemoFailure>> {
        Box::pin(self.aside(Graph::tenants))
    }

    fn delete<'a>(
        &'a self,
        tenant: &'a str,
        namespace: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        let (tenant, namespace, id) = (tenant.to_owned(), namespace.to_owned(), id.clone());
        Box::pin(self.aside(move |graph| graph.delete(&tenant, &namespace, &id)))
    }

    fn relate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        let (tenant, relation) = (tenant.to_owned(), relation.clone());
        Box::pin(self.aside(move |graph| graph.relate(&tenant, &relation)))
    }

    fn unrelate<'a>(
        &'a self,
        tenant: &'a str,
        relation: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        let (tenant, relation) = (tenant.to_owned(), relation.clone());
        Box::pin(self.aside(move |graph| graph.unrelate(&tenant, &relation)))
    }

    fn relations<'a>(
        &'a self,
        tenant: &'a str,
        filter: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        let (tenant, filter) = (tenant.to_owned(), filter.clone());
        Box::pin(self.aside(move |graph| graph.relations(&tenant, &filter)))
    }

    fn around<'a>(
        &'a self,
        tenant: &'a str,
        reach: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        let (tenant, reach) = (tenant.to_owned(), reach.clone());
        Box::pin(self.aside(move |graph| graph.around(&tenant, &reach)))
    }
}
