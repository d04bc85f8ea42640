//! An index in a PostgreSQL server: by pgvector where the server has it, by comparing everything where not.
//!
//! One table holds the pieces of the points of all tenants and kinds whose vectors one embedder made. The lot, what the caller
//! may see and what else is chosen stand in the condition of the one statement that searches, so that nothing else takes part.
//!
//! With pgvector a small table is compared whole by the server. In a large one the planner chooses between what the condition
//! leaves and the graph (HNSW), which goes on until enough of what may be seen was found (`hnsw.iterative_scan`, pgvector 0.8);
//! where it gives up before, everything that may be seen is compared. Without pgvector the server sends what may be seen, piece
//! by piece, and no more than the nearest are kept.

mod shape;
mod sql;

pub use shape::Standing;

use super::checks;
use super::failure::{IndexFailure, Trouble};
use super::point::{Found, Kind, Listed, Lot, Nearest, Page, Point, best, rounded, scope_word};
use super::{MOST_FOUND, VectorIndex};
use crate::pg::{Connections, plain_cause};
use crate::sql::postgres::writable;
use elenchus_core::bank::Caller;
use elenchus_core::port::PortFuture;
use futures_util::TryStreamExt;
use shape::Shape;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

/// Connections for reading; one more writes.
const CONNECTIONS: usize = 4;
/// How wide the graph is searched (as wide as pgvector allows), and that it goes on until enough was found. Settings that the server does not know do no
/// harm.
const MANNERS: &str = "SET hnsw.ef_search = 1000; SET hnsw.iterative_scan = relaxed_order";
/// Pieces up to which a table is compared whole.
const EXACT_UP_TO: i64 = 20_000;
/// How long a table counts as small or large before it is looked at again.
const KNOWN_FOR: Duration = Duration::from_mins(1);
/// What is asked for beyond the number wanted, so that ties at the end are broken by id as far as this reaches.
const BEYOND: usize = 16;
/// Bytes of one statement that writes, unless one point alone is longer.
const MOST_BYTES: usize = 4 << 20;
/// Rows that are taken out at once.
const AT_ONCE: i64 = 20_000;
/// Told apart from other locks: "VX" and a hash of the lot.
const OF_LOTS: i32 = 0x5658;

/// An index in a PostgreSQL server.
pub struct PgIndex {
    connections: Connections,
    writer: Mutex<Option<Client>>,
    embedder: String,
    dimensions: usize,
    extension: bool,
    exact_up_to: i64,
    told: Option<Told>,
    shape: Mutex<Option<Arc<Shape>>>,
    /// Whether the table is large, and since when that is known.
    large: Mutex<Option<(bool, Instant)>>,
}

/// Hears, in a sentence for the user, what is not as it could be.
type Told = Arc<dyn Fn(&str) + Send + Sync>;

type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

impl PgIndex {
    /// An index beside the memory of this server, for vectors of an embedder (its id). Nothing is sent: the table is made,
    /// and the extension if it can be had, when the index is first asked.
    ///
    /// # Errors
    /// When the URL or the dimensions cannot be used.
    pub fn new(url: &str, embedder: &str, dimensions: usize) -> Result<Self, IndexFailure> {
        checks::dimensions(dimensions)?;
        let connections = Connections::told(url, CONNECTIONS, MANNERS).map_err(|cause| {
            IndexFailure::refused("use a database for vectors", cause, "write another URL")
        })?;
        Ok(Self {
            connections,
            writer: Mutex::default(),
            embedder: embedder.to_owned(),
            dimensions,
            extension: true,
            exact_up_to: EXACT_UP_TO,
            told: None,
            shape: Mutex::default(),
            large: Mutex::default(),
        })
    }

    /// The same, which does without pgvector.
    #[must_use]
    pub fn without_extension(mut self) -> Self {
        self.extension = false;
        self
    }

    /// The same, in which tables of up to so many pieces are compared whole (usually 20,000).
    #[must_use]
    pub fn exact_up_to(mut self, pieces: u32) -> Self {
        self.exact_up_to = i64::from(pieces);
        self
    }

    /// The same, which says once for each table why pgvector is not used.
    #[must_use]
    pub fn saying(mut self, told: Told) -> Self {
        self.told = Some(told);
        self
    }

    /// How the server compares vectors, or would; nothing is changed.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn look(&self) -> Result<Standing, IndexFailure> {
        let attempted = "look at the vectors";
        let mut client =
            self.connections.own().await.map_err(|cause| self.gone(attempted, cause))?;
        shape::look(&mut client, self.dimensions).await.map_err(|cause| self.gone(attempted, cause))
    }

    /// Makes sure that the table is there. Gives how its vectors are compared, and whether it was made just now.
    ///
    /// # Errors
    /// When the server does not answer, or the table cannot be made.
    pub async fn prepare(&self) -> Result<(Standing, bool), IndexFailure> {
        let shape = self.shape().await?;
        Ok((shape.standing.clone(), shape.is_new))
    }

    /// Takes the graph away, for writing very many points; [`with_graph`](Self::with_graph) makes it again, and so does the
    /// next process that opens the index.
    ///
    /// # Errors
    /// When the server does not do it.
    pub async fn without_graph(&self) -> Result<(), IndexFailure> {
        let shape = self.shape().await?;
        self.changed("take the graph away", &shape.statements.no_graph()).await
    }

    /// Makes the graph, if there is none and the server can.
    ///
    /// # Errors
    /// When the server does not do it.
    pub async fn with_graph(&self) -> Result<(), IndexFailure> {
        let shape = self.shape().await?;
        match shape.statements.graph().filter(|_| shape.has_graph()) {
            Some(graph) => {
                // The plans that are chosen depend on what is known of the table.
                let table = shape.statements.analyse();
                self.changed("make the graph", &format!("{graph}; {table}")).await
            }
            None => Ok(()),
        }
    }

    /// On a connection of its own, however long it takes.
    async fn changed(&self, attempted: &str, sql: &str) -> Result<(), IndexFailure> {
        let client = self.connections.own().await.map_err(|cause| self.gone(attempted, cause))?;
        let sql = format!("SET statement_timeout = 0; SET maintenance_work_mem = '1GB'; {sql}");
        let done = client.batch_execute(&sql).await;
        *self.large.lock().await = None;
        done.map_err(|error| self.failed(attempted, &error))
    }

    async fn shape(&self) -> Result<Arc<Shape>, IndexFailure> {
        let mut known = self.shape.lock().await;
        if let Some(shape) = known.as_ref() {
            return Ok(Arc::clone(shape));
        }
        let attempted = "open the vectors";
        let mut client =
            self.connections.own().await.map_err(|cause| self.gone(attempted, cause))?;
        let made =
            shape::prepare(&mut client, &self.embedder, self.dimensions, self.extension).await;
        let made = Arc::new(made.map_err(|cause| self.gone(attempted, cause))?);
        if let (true, Standing::Exact { cause, way_out }, Some(told)) =
            (made.is_new, &made.standing, &self.told)
        {
            told(&format!(
                "the server compares no vectors by an index, each search reads them: {cause}; {way_out}"
            ));
        }
        *known = Some(Arc::clone(&made));
        Ok(made)
    }

    fn gone(&self, attempted: &str, cause: String) -> IndexFailure {
        let attempted = format!("{attempted} in {}", self.connections.place());
        IndexFailure::new(Trouble::Gone, attempted, cause, "`elenchus doctor` looks at the server")
    }

    fn failed(&self, attempted: &str, error: &tokio_postgres::Error) -> IndexFailure {
        let trouble = match error.code() {
            None => Trouble::Gone,
            Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => Trouble::Denied,
            Some(code) if *code == SqlState::UNDEFINED_TABLE => Trouble::Unfit,
            Some(_) if crate::sql::postgres::is_passing(error) => Trouble::Gone,
            Some(_) => Trouble::Storage,
        };
        IndexFailure::new(
            trouble,
            format!("{attempted} in {}", self.connections.place()),
            plain_cause(error),
            "`elenchus index check --repair` brings there what is lacking",
        )
    }

    /// What a failure was; one that says that the table is gone makes it be looked for again.
    async fn told(&self, attempted: &str, error: tokio_postgres::Error) -> IndexFailure {
        let failure = self.failed(attempted, &error);
        if failure.trouble == Trouble::Unfit {
            *self.shape.lock().await = None;
            *self.large.lock().await = None;
        }
        failure
    }

    async fn rows(
        &self,
        attempted: &str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, IndexFailure> {
        let client = self.connections.client().await;
        let client = client.map_err(|unjoined| self.gone(attempted, unjoined.cause))?;
        match client.query_typed(sql, parameters).await {
            Ok(rows) => Ok(rows),
            Err(error) => Err(self.told(attempted, error).await),
        }
    }

    async fn number(
        &self,
        attempted: &str,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, IndexFailure> {
        let rows = self.rows(attempted, sql, parameters).await?;
        let first = rows.first().map_or(Ok(0_i64), |row| row.try_get(0));
        match first {
            Ok(number) => Ok(u64::try_from(number).unwrap_or(0)),
            Err(error) => Err(self.told(attempted, error).await),
        }
    }

    /// Writes to a lot, one process at a time, so that no two writers leave pieces of one point each.
    async fn write(
        &self,
        attempted: &str,
        lot: &Lot,
        sql: &str,
        more: &[Parameter<'_>],
    ) -> Result<u64, IndexFailure> {
        let mut writer = self.writer.lock().await;
        if writer.as_ref().is_none_or(Client::is_closed) {
            let made = self.connections.own().await;
            *writer = Some(made.map_err(|cause| self.gone(attempted, cause))?);
        }
        let Some(client) = writer.as_mut() else {
            return Err(self.gone(attempted, "there is no connection".to_owned()));
        };
        let kind = lot.kind().key();
        let of = format!("{}\n{kind}", lot.tenant());
        let mut all: Vec<Parameter<'_>> = of_lot(lot, &kind);
        all.extend(more.iter().cloned());
        let work = async {
            let change = client.transaction().await?;
            let lock = "SELECT pg_advisory_xact_lock($1, hashtext($2))";
            change.query_typed(lock, &[(&OF_LOTS, Type::INT4), (&of, Type::TEXT)]).await?;
            let done = change.execute_typed(sql, &all).await?;
            change.commit().await?;
            Ok(done)
        };
        match work.await {
            Ok(done) => Ok(done),
            Err(error) => Err(self.told(attempted, error).await),
        }
    }

    async fn put(&self, lot: &Lot, points: &[&Point]) -> Result<(), IndexFailure> {
        let shape = self.shape().await?;
        let mut columns = Columns::default();
        for point in points {
            columns.add(point, shape.has_extension());
        }
        let vectors: &(dyn ToSql + Sync) =
            if shape.has_extension() { &columns.texts } else { &columns.bytes };
        let of_vectors = if shape.has_extension() { Type::TEXT_ARRAY } else { Type::BYTEA_ARRAY };
        let given: [Parameter<'_>; 9] = [
            (&columns.ids, Type::TEXT_ARRAY),
            (&columns.pieces, Type::INT4_ARRAY),
            (&columns.projects, Type::TEXT_ARRAY),
            (&columns.teams, Type::TEXT_ARRAY),
            (&columns.orgs, Type::TEXT_ARRAY),
            (&columns.scopes, Type::TEXT_ARRAY),
            (&columns.facets, Type::TEXT_ARRAY),
            (&columns.prints, Type::TEXT_ARRAY),
            (vectors, of_vectors),
        ];
        self.write("write vectors", lot, &shape.statements.put(), &given).await.map(drop)
    }

    async fn is_large(&self, shape: &Shape) -> Result<bool, IndexFailure> {
        let mut known = self.large.lock().await;
        if let Some((large, since)) = *known
            && since.elapsed() < KNOWN_FOR
        {
            return Ok(large);
        }
        let sql = shape.statements.is_larger();
        let rows = self.rows("count the vectors", &sql, &[(&self.exact_up_to, Type::INT8)]).await?;
        let large = rows.first().is_some_and(|row| row.try_get(0).unwrap_or(false));
        *known = Some((large, Instant::now()));
        Ok(large)
    }

    async fn found(
        &self,
        caller: &Caller,
        lot: &Lot,
        asked: &Nearest,
    ) -> Result<Vec<Found>, IndexFailure> {
        let shape = self.shape().await?;
        let kind = lot.kind().key();
        let [project, team, org] = seen(caller);
        let scope = asked.scope.map(scope_word);
        let facet = asked.facet.as_deref().map(writable);
        let mut given = of_lot(lot, &kind);
        let chosen: [Parameter<'_>; 5] = [
            (&project, Type::TEXT),
            (&team, Type::TEXT),
            (&org, Type::TEXT),
            (&scope, Type::TEXT),
            (&facet, Type::TEXT),
        ];
        given.extend(chosen);
        let (Some(near), Some(exact)) = (shape.statements.near(), shape.statements.exact()) else {
            return self.scanned(&shape, given, asked).await;
        };
        let wanted = text(&checks::unit(&asked.vector));
        let most = asked.most + BEYOND;
        if shape.has_graph() && self.is_large(&shape).await? {
            // A text may have several pieces among the nearest.
            for pieces in [most, 4 * most] {
                let limit = i64::try_from(pieces).unwrap_or(i64::MAX);
                let mut given = given.clone();
                given.extend([
                    (&wanted as &(dyn ToSql + Sync), Type::TEXT),
                    (&limit as &(dyn ToSql + Sync), Type::INT8),
                ]);
                let rows = self.rows("search the vectors", &near, &given).await?;
                let found = self.read(&rows)?;
                if rows.len() < pieces {
                    // Few may be seen, or the graph was left before enough was found.
                    break;
                }
                if found.len() >= asked.most {
                    return Ok(best(found, asked.most));
                }
            }
        }
        let limit = i64::try_from(most).unwrap_or(i64::MAX);
        given.extend([
            (&wanted as &(dyn ToSql + Sync), Type::TEXT),
            (&limit as &(dyn ToSql + Sync), Type::INT8),
        ]);
        let rows = self.rows("search the vectors", &exact, &given).await?;
        Ok(best(self.read(&rows)?, asked.most))
    }

    /// Points of rows of an id and a cosine, each once.
    fn read(&self, rows: &[Row]) -> Result<Vec<Found>, IndexFailure> {
        let mut nearest: HashMap<String, f64> = HashMap::with_capacity(rows.len());
        for row in rows {
            let read = row.try_get(0).and_then(|id: String| Ok((id, row.try_get::<_, f64>(1)?)));
            let (id, cosine) = read.map_err(|error| self.failed("read vectors", &error))?;
            let known = nearest.entry(id).or_insert(-1.0);
            *known = known.max(cosine);
        }
        Ok(nearest.into_iter().map(|(id, cosine)| Found { id, cosine: rounded(cosine) }).collect())
    }

    /// Compares here what the server sends.
    async fn scanned(
        &self,
        shape: &Shape,
        given: Vec<Parameter<'_>>,
        asked: &Nearest,
    ) -> Result<Vec<Found>, IndexFailure> {
        let attempted = "search the vectors";
        let wanted = checks::unit(&asked.vector);
        let client = self.connections.client().await;
        let client = client.map_err(|unjoined| self.gone(attempted, unjoined.cause))?;
        let sql = shape.statements.scan();
        let work = async {
            let mut rows = std::pin::pin!(client.query_typed_raw(&sql, given).await?);
            let mut kept: HashMap<String, f32> = HashMap::new();
            while let Some(row) = rows.try_next().await? {
                let (id, piece): (&str, &[u8]) = (row.try_get(0)?, row.try_get(1)?);
                let cosine = rounded(super::embedded::dot(piece, &wanted));
                match kept.get_mut(id) {
                    Some(known) => *known = known.max(cosine),
                    None => {
                        kept.insert(id.to_owned(), cosine);
                    }
                }
                // Sorting now and then keeps what is held small. What went comes again with a nearer piece.
                if kept.len() >= 8 * MOST_FOUND {
                    kept = nearest_of(kept, asked.most).map(|one| (one.id, one.cosine)).collect();
                }
            }
            Ok(nearest_of(kept, asked.most).collect())
        };
        match work.await {
            Ok(found) => Ok(found),
            Err(error) => Err(self.told(attempted, error).await),
        }
    }
}

fn nearest_of(kept: HashMap<String, f32>, most: usize) -> std::vec::IntoIter<Found> {
    let all = kept.into_iter().map(|(id, cosine)| Found { id, cosine }).collect();
    best(all, most).into_iter()
}

/// Parameters 1 and 2.
fn of_lot<'a>(lot: &'a Lot, kind: &'a String) -> Vec<Parameter<'a>> {
    vec![(&lot.tenant as &(dyn ToSql + Sync), Type::TEXT), (kind, Type::TEXT)]
}

/// Project, team and organisation of a caller, as they are kept.
fn seen(caller: &Caller) -> [Option<Cow<'_, str>>; 3] {
    [
        Some(writable(&caller.project)),
        caller.team.as_deref().map(writable),
        caller.org.as_deref().map(writable),
    ]
}

/// A vector as pgvector reads it.
fn text(vector: &[f32]) -> String {
    let mut text = String::with_capacity(vector.len() * 12);
    for (at, x) in vector.iter().enumerate() {
        text.push(if at == 0 { '[' } else { ',' });
        let _ = write!(text, "{x}");
    }
    text.push(']');
    text
}

/// Points as the columns of their pieces.
#[derive(Default)]
struct Columns<'a> {
    ids: Vec<&'a str>,
    pieces: Vec<i32>,
    projects: Vec<Cow<'a, str>>,
    teams: Vec<Option<Cow<'a, str>>>,
    orgs: Vec<Option<Cow<'a, str>>>,
    scopes: Vec<&'static str>,
    facets: Vec<Cow<'a, str>>,
    prints: Vec<String>,
    texts: Vec<String>,
    bytes: Vec<Vec<u8>>,
}

impl<'a> Columns<'a> {
    fn add(&mut self, point: &'a Point, as_text: bool) {
        let (shared, print) = (&point.shared, point.print());
        for (piece, vector) in (0..).zip(&point.vectors) {
            self.ids.push(&point.id);
            self.pieces.push(piece);
            self.projects.push(writable(&shared.project));
            self.teams.push(shared.team.as_deref().map(writable));
            self.orgs.push(shared.org.as_deref().map(writable));
            self.scopes.push(scope_word(shared.scope));
            self.facets.push(writable(&point.facet));
            self.prints.push(print.clone());
            let unit = checks::unit(vector);
            if as_text {
                self.texts.push(text(&unit));
            } else {
                self.bytes.push(unit.iter().flat_map(|x| x.to_le_bytes()).collect());
            }
        }
    }
}

impl VectorIndex for PgIndex {
    fn name(&self) -> String {
        let place = self.connections.place();
        let standing = self
            .shape
            .try_lock()
            .ok()
            .and_then(|shape| shape.as_ref().map(|shape| format!(" ({})", shape.standing)));
        format!("the vectors in {place}{}", standing.unwrap_or_default())
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
            // Of two with one id the later one stays; one statement writes each once.
            let last: BTreeMap<&str, &Point> =
                points.iter().map(|point| (point.id.as_str(), point)).collect();
            let all: Vec<&Point> = last.into_values().collect();
            // A number is written in about twelve characters.
            let bytes = |point: &Point| 1_024 + point.vectors.len() * self.dimensions * 12;
            let mut rest = all.as_slice();
            while !rest.is_empty() {
                let mut length = 0;
                let fits = rest.iter().take_while(|point| {
                    length += bytes(point);
                    length <= MOST_BYTES
                });
                let (some, others) = rest.split_at(fits.count().max(1));
                self.put(lot, some).await?;
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
            let sql = self.shape().await?.statements.remove();
            self.write("take vectors out", lot, &sql, &[(&ids, Type::TEXT_ARRAY)]).await.map(drop)
        })
    }

    fn clear<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<(), IndexFailure>> {
        Box::pin(async move {
            let sql = self.shape().await?.statements.clear();
            // No statement takes longer than statements may.
            while self.write("take vectors out", lot, &sql, &[(&AT_ONCE, Type::INT8)]).await? > 0 {}
            Ok(())
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
            self.found(caller, &lot, asked).await
        })
    }

    fn count<'a>(
        &'a self,
        caller: &'a Caller,
        kind: &'a Kind,
    ) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move {
            let lot = checks::seeing(caller, kind)?;
            let (sql, kind) = (self.shape().await?.statements.count(), lot.kind().key());
            let [project, team, org] = seen(caller);
            let mut given = of_lot(&lot, &kind);
            let who: [Parameter<'_>; 3] =
                [(&project, Type::TEXT), (&team, Type::TEXT), (&org, Type::TEXT)];
            given.extend(who);
            self.number("count the vectors", &sql, &given).await
        })
    }

    fn size<'a>(&'a self, lot: &'a Lot) -> PortFuture<'a, Result<u64, IndexFailure>> {
        Box::pin(async move {
            let (sql, kind) = (self.shape().await?.statements.size(), lot.kind().key());
            self.number("count the vectors", &sql, &of_lot(lot, &kind)).await
        })
    }

    /// Pages follow the ids; a token is the last id of the page before.
    fn page<'a>(
        &'a self,
        lot: &'a Lot,
        from: Option<&'a str>,
        most: usize,
    ) -> PortFuture<'a, Result<Page, IndexFailure>> {
        Box::pin(async move {
            checks::listed(most)?;
            let attempted = "list the vectors";
            let (sql, kind) = (self.shape().await?.statements.page(), lot.kind().key());
            // One more tells whether there are more.
            let limit = i64::try_from(most + 1).unwrap_or(i64::MAX);
            let from = from.unwrap_or_default();
            let mut given = of_lot(lot, &kind);
            let after: [Parameter<'_>; 2] = [(&from, Type::TEXT), (&limit, Type::INT8)];
            given.extend(after);
            let mut listed = Vec::new();
            for row in self.rows(attempted, &sql, &given).await? {
                let read = row.try_get(0).and_then(|id| Ok(Listed { id, print: row.try_get(1)? }));
                listed.push(read.map_err(|error| self.failed(attempted, &error))?);
            }
            let more = listed.len() > most;
            listed.truncate(most);
            let next = listed.last().filter(|_| more).map(|last| last.id.clone());
            Ok(Page { listed, next })
        })
    }
}
