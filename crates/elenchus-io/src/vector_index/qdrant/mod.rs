//! An index on a Qdrant server.
//!
//! One collection holds the points of all tenants and kinds whose vectors one embedder made; tenant, kind and who may see a
//! point stand in its payload, every request filters by them, and what comes back is looked at once more: a point that was not
//! asked for makes the whole answer worthless.

mod server;
mod settings;
mod wire;

pub use settings::QdrantSettings;

use super::VectorIndex;
use super::checks;
use super::failure::{IndexFailure, Trouble};
use super::point::{Found, Kind, Listed, Lot, Nearest, Page, Point, Shared, best, rounded};
use elenchus_core::bank::Caller;
use elenchus_core::id::short_hash;
use elenchus_core::port::PortFuture;
use serde_json::{Value, json};
use server::{Outcome, Request, Server, Verb};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::OnceCell;

/// What is asked for beyond the number wanted, so that ties at the end are broken by id as far as this reaches.
const BEYOND: usize = 16;
/// Bytes of one request that writes, unless one point alone is longer.
const MOST_BYTES: usize = 4 << 20;

/// An index on a Qdrant server.
#[derive(Debug)]
pub struct QdrantIndex {
    server: Server,
    dimensions: usize,
    reading: Duration,
    writing: Duration,
    batch: usize,
    exact: bool,
    /// Whether the collection is known to be there and to be what it must be.
    ready: OnceCell<()>,
}

impl QdrantIndex {
    /// An index by these settings. Nothing is sent: the collection is looked at, and made if it is not there, when it is first
    /// asked.
    ///
    /// # Errors
    /// When the address, the prefix or the dimensions cannot be used.
    pub fn new(settings: &QdrantSettings) -> Result<Self, IndexFailure> {
        checks::dimensions(settings.dimensions)?;
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if !(1..=64).contains(&settings.prefix.len()) || !settings.prefix.chars().all(fits) {
            return Err(IndexFailure::refused(
                "name a collection of vectors",
                "its beginning holds other characters than letters, digits, `-` and `_`, or is too long",
                "set `qdrant.prefix` to something like `elenchus`",
            ));
        }
        let space = short_hash(settings.embedder.as_bytes(), 8);
        let collection = format!("{}_{space}_{}", settings.prefix, settings.dimensions);
        Ok(Self {
            server: Server::new(settings, &collection)?,
            dimensions: settings.dimensions,
            reading: settings.reading,
            writing: settings.writing,
            batch: settings.batch.clamp(1, 1_000),
            exact: settings.exact,
            ready: OnceCell::new(),
        })
    }

    /// The collection's name on the server: the prefix, a hash of the embedder, the dimensions.
    pub fn collection(&self) -> &str {
        self.server.collection()
    }

    /// Looks at the collection, and makes it and the indexes of its payload if they are not there.
    ///
    /// # Errors
    /// When the server does not answer, does not let us, or has a collection of another shape.
    pub async fn prepare(&self) -> Result<(), IndexFailure> {
        self.ready.get_or_try_init(|| self.prepared()).await.copied()
    }

    async fn prepared(&self) -> Result<(), IndexFailure> {
        let look = self.request("look at the collection", Verb::Get, "", Value::Null);
        let found = match self.server.ask(&look).await? {
            Outcome::Done(body) => body,
            Outcome::There => return Err(self.server.garbled(&look, "it answered 409".to_owned())),
            Outcome::Absent => {
                let body = wire::collection(self.dimensions);
                let make = self.request("make the collection", Verb::Put, "", body);
                match self.server.ask(&make).await? {
                    // Another process was first.
                    Outcome::Done(_) | Outcome::There => {}
                    Outcome::Absent => {
                        let cause = "it answered 404 to a new collection".to_owned();
                        return Err(self.server.garbled(&make, cause));
                    }
                }
                match self.server.ask(&look).await? {
                    Outcome::Done(body) => body,
                    _ => {
                        let cause = "the collection is not there after it was made".to_owned();
                        return Err(self.server.garbled(&look, cause));
                    }
                }
            }
        };
        let found: wire::Collection = self.server.parsed(&look, &found)?;
        if let Some(cause) = found.unfit(self.dimensions) {
            return Err(self.server.failure(
                Trouble::Unfit,
                &look,
                format!("the collection {} is not one of ours: {cause}", self.collection()),
                "set another `qdrant.prefix`, or delete that collection on the server, and run `elenchus index rebuild`",
            ));
        }
        for name in wire::FILTERED {
            if !found.payload_schema.contains_key(name) {
                let body = wire::field(name);
                let mut request = self.request("index the payload", Verb::Put, "index", body);
                request.wait = true;
                self.updated(&request).await?;
            }
        }
        Ok(())
    }

    fn request<'a>(
        &self,
        attempted: &'a str,
        verb: Verb,
        path: &'a str,
        body: Value,
    ) -> Request<'a> {
        Request { attempted, verb, path, wait: false, body, within: self.writing }
    }

    /// Writes, and waits until it is seen.
    async fn updated(&self, request: &Request<'_>) -> Result<(), IndexFailure> {
        let done: wire::Updated = self.server.document(request).await?;
        // Without an error and yet not completed: the server is short of time or of replicas.
        if done.status != "completed" {
            return Err(self.server.failure(
                Trouble::Gone,
                request,
                format!("it has not completed the change, which is {:.40}", done.status),
                "look at the server's log; `elenchus index check` tells what is missing",
            ));
        }
        Ok(())
    }

    async fn write(
        &self,
        attempted: &str,
        verb: Verb,
        path: &str,
        body: Value,
    ) -> Result<(), IndexFailure> {
        self.prepare().await?;
        let mut request = self.request(attempted, verb, path, body);
        request.wait = true;
        self.updated(&request).await
    }

    async fn counted(&self, body: Value) -> Result<u64, IndexFailure> {
        self.prepare().await?;
        let mut request = self.request("count the vectors", Verb::Post, "points/count", body);
        request.within = self.reading;
        let counted: wire::Counted = self.server.document(&request).await?;
        Ok(counted.count)
    }

    async fn queried(
        &self,
        caller: &Caller,
        lot: &Lot,
        asked: &Nearest,
    ) -> Result<Vec<Found>, IndexFailure> {
        self.prepare().await?;
        let most = asked.most + BEYOND;
        let body = wire::query(lot, caller, asked, most, self.exact);
        let mut request = self.request("search the vectors", Verb::Post, "points/query", body);
        request.within = self.reading;
        let queried: wire::Queried = self.server.document(&request).await?;
        let mut found: Vec<Found> = Vec::with_capacity(queried.points.len());
        let mut ids = BTreeSet::new();
        for scored in queried.points {
            let shown = scored.payload;
            let shared = Shared {
                project: shown.project,
                team: shown.team,
                org: shown.org,
                scope: shown.scope,
            };
            let right = shown.tenant == lot.tenant()
                && shown.kind == lot.kind().key()
                && shared.seen_by(caller)
                && asked.scope.is_none_or(|scope| scope == shared.scope)
                && asked.facet.as_ref().is_none_or(|facet| *facet == shown.facet);
            if !right || !ids.insert(shown.id.clone()) || !scored.score.is_finite() {
                return Err(self.strange(&request));
            }
            found.push(Found { id: shown.id, cosine: rounded(scored.score) });
        }
        if found.len() > most {
            return Err(self.strange(&request));
        }
        Ok(best(found, asked.most))
    }

    async fn scrolled(
        &self,
        lot: &Lot,
        from: Option<&str>,
        most: usize,
    ) -> Result<Page, IndexFailure> {
        self.prepare().await?;
        let body = wire::scroll(lot, from, most);
        let request = self.request("list the vectors", Verb::Post, "points/scroll", body);
        let scrolled: wire::Scrolled = self.server.document(&request).await?;
        let mut page = Page::default();
        for entry in scrolled.points {
            let told = entry.payload;
            if told.tenant != lot.tenant() || told.kind != lot.kind().key() {
                return Err(self.strange(&request));
            }
            page.listed.push(Listed { id: told.id, print: told.print });
        }
        page.next = match scrolled.next_page_offset {
            None | Some(Value::Null) => None,
            Some(Value::String(next)) => Some(next),
            Some(_) => return Err(self.strange(&request)),
        };
        Ok(page)
    }

    /// What was not asked for is not believed, and neither is what came with it.
    fn strange(&self, request: &Request<'_>) -> IndexFailure {
        let cause = "it gave points that were not asked for; none of its answer is used".to_owned();
        self.server.failure(
            Trouble::Garbled,
            request,
            cause,
            "check the server; nothing but Elenchus should write to this collection",
        )
    }
}

impl VectorIndex for QdrantIndex {
    fn name(&self) -> String {
        format!(
            "the collection {} of the Qdrant server {}",
            self.collection(),
            self.server.address()
        )
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn upsert<'a>(
        &'a self,
        lot: &'a Lot,
        points: &'a [Point],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            checks::points(points, self.dimensions)?;
            // A float is written in about twelve characters.
            let bytes = |point: &Point| 1_024 + point.vectors.len() * self.dimensions * 12;
            let mut rest = points;
            while !rest.is_empty() {
                let mut length = 0;
                let fits = rest.iter().take(self.batch).take_while(|point| {
                    length += bytes(point);
                    length <= MOST_BYTES
                });
                let (some, others) = rest.split_at(fits.count().max(1));
                let some: Vec<Value> = some.iter().map(|point| wire::point(lot, point)).collect();
                let body = json!({ "points": some });
                self.write("write vectors to a collection", Verb::Put, "points", body).await?;
                rest = others;
            }
            Ok(())
        })
    }

    fn remove<'a>(
        &'a self,
        lot: &'a Lot,
        ids: &'a [String],
    ) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            checks::ids(ids)?;
            for some in ids.chunks(self.batch) {
                let body = wire::delete(lot, some);
                self.write("delete vectors", Verb::Post, "points/delete", body).await?;
            }
            Ok(())
        })
    }

    fn clear<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            let body = wire::delete_all(lot);
            self.write("delete vectors", Verb::Post, "points/delete", body).await
        })
    }

    fn nearest<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
        asked: &'a Nearest,
    ) -> PortFuture<'a, Result<Vec<Found>, IndexFailure>> {
        Box::pin(async move {
            let lot = checks::asked(caller, kind, asked, self.dimensions)?;
            self.queried(caller, &lot, asked).await
        })
    }

    fn count<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
    ) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move {
            let lot = checks::seeing(caller, kind)?;
            self.counted(wire::count_seen(&lot, caller)).await
        })
    }

    fn size<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move { self.counted(wire::count_all(lot)).await })
    }

    fn page<'a>(
        &'a self,
        lot: &'a Lot,
        from: Option<&'a str>,
        most: usize,
    ) -> PortFuture<'a, Result<Page, IndexFailure>> {
        Box::pin(async move {
            checks::listed(most)?;
            self.scrolled(lot, from, most).await
        })
    }
}
