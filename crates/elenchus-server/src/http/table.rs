//! The table of routes. The router and the OpenAPI document are both made of it, so that they say the same.

use super::Api;
use super::malformed::cause;
use super::problem::Problem;
use super::query::typed;
use super::reply::{JSON, Reply};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::header::{ACCEPT, ALLOW};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::Response;
use axum::routing::{MethodFilter, MethodRouter};
use elenchus_core::bank::Caller;
use futures_util::FutureExt;
use http_body_util::BodyExt;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How long a route may take to answer.
const USUAL_TIME: Duration = Duration::from_secs(30);

/// One request to a route.
pub struct Call {
    /// On whose behalf.
    pub caller: Caller,
    /// Whether a token or a cookie says so; else it is that of the server.
    pub is_by_token: bool,
    /// What stands in the places of the path.
    pub places: BTreeMap<String, String>,
    /// The header lines.
    pub headers: HeaderMap,
    /// The path of the address.
    pub path: String,
    query: String,
    query_schema: Value,
    body: Bytes,
}

impl Call {
    /// What stands in a place of the path.
    pub fn place(&self, name: &str) -> &str {
        self.places.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The query.
    ///
    /// # Errors
    /// When it is not what the table says.
    pub fn query<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        typed(&self.query, &self.query_schema)
    }

    /// The body.
    ///
    /// # Errors
    /// When it is not what the table says.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let way_out = "send JSON as /openapi.json describes it for this address";
            Problem::malformed(cause("the body cannot be read", &self.body, &error), way_out)
        })
    }

    /// The bytes of the body.
    pub fn raw(&self) -> &Bytes {
        &self.body
    }

    /// A header line as text; the first where it stands twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

type Answer = Pin<Box<dyn Future<Output = Result<Reply, Problem>> + Send>>;
type Handler = Arc<dyn Fn(Arc<Api>, Call) -> Answer + Send + Sync>;
type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What a route gives under a status.
#[derive(Clone, Copy)]
pub(crate) struct Gives {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) schema: Option<SchemaOf>,
    pub(crate) about: &'static str,
}

/// A header line that a route reads.
#[derive(Clone, Copy)]
pub(crate) struct Reads {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// One route.
#[derive(Clone)]
pub struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    pub(crate) query: Option<SchemaOf>,
    pub(crate) body: Option<SchemaOf>,
    pub(crate) reads: Vec<Reads>,
    pub(crate) gives: Vec<Gives>,
    pub(crate) fails: Vec<u16>,
    pub(crate) is_open: bool,
    time: Option<Duration>,
    handler: Option<Handler>,
}

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Statuses that the door, the limits or the table itself may answer any route with.
pub(crate) const COMMON: [u16; 11] = [400, 401, 403, 406, 408, 413, 414, 429, 431, 500, 503];

impl Route {
    /// A route without anything; `path` names its places in braces.
    pub fn new(method: Method, path: &'static str, id: &'static str, about: &'static str) -> Self {
        Self {
            method,
            path,
            id,
            about,
            query: None,
            body: None,
            reads: Vec::new(),
            gives: Vec::new(),
            fails: Vec::new(),
            is_open: false,
            time: Some(USUAL_TIME),
            handler: None,
        }
    }

    /// What it takes behind the question mark.
    #[must_use]
    pub fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(schema_of::<T>);
        self
    }

    /// The JSON that it takes.
    #[must_use]
    pub fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(schema_of::<T>);
        self
    }

    /// A header line that it reads.
    #[must_use]
    pub fn reads(mut self, name: &'static str, about: &'static str) -> Self {
        self.reads.push(Reads { name, about });
        self
    }

    /// JSON that it gives.
    #[must_use]
    pub fn gives<T: JsonSchema>(mut self, status: u16, about: &'static str) -> Self {
        self.gives.push(Gives { status, kind: JSON, schema: Some(schema_of::<T>), about });
        self
    }

    /// Something else that it gives.
    #[must_use]
    pub fn gives_kind(mut self, status: u16, kind: &'static str, about: &'static str) -> Self {
        self.gives.push(Gives { status, kind, schema: None, about });
        self
    }

    /// Statuses of problems beside those of every route.
    #[must_use]
    pub fn fails(mut self, statuses: &[u16]) -> Self {
        self.fails.extend(statuses);
        self
    }

    /// How long it may take; without end when nothing is given.
    #[must_use]
    pub fn takes(mut self, time: Option<Duration>) -> Self {
        self.time = time;
        self
    }

    /// A route that asks for no token.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// What it does.
    #[must_use]
    pub fn by<F, D>(mut self, handler: F) -> Self
    where
        F: Fn(Arc<Api>, Call) -> D + Send + Sync + 'static,
        D: Future<Output = Result<Reply, Problem>> + Send + 'static,
    {
        self.handler = Some(Arc::new(move |api, call| Box::pin(handler(api, call))));
        self
    }

    /// Every status that it may answer with.
    pub fn statuses(&self) -> Vec<u16> {
        let mut all: Vec<u16> = self.gives.iter().map(|gives| gives.status).collect();
        all.extend(&self.fails);
        all.extend(COMMON);
        if self.body.is_some() {
            all.push(415);
        }
        if self.has_tag() {
            all.push(304);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether what it gives has a tag.
    pub(crate) fn has_tag(&self) -> bool {
        self.method == Method::GET
            && self.gives.iter().any(|gives| gives.status == 200 && gives.kind != EVENTS)
    }
}

/// The media type of streams of events.
pub const EVENTS: &str = "text/event-stream";

/// Schemas of what is taken: whole in themselves, and as a reader sees them.
pub(crate) fn taking() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    SchemaGenerator::new(settings)
}

fn query_schema(route: &Route) -> Value {
    route.query.map(|schema| schema(&mut taking()).to_value()).unwrap_or_default()
}

/// The router of a table.
pub(super) fn router(routes: &[Route], api: &Arc<Api>) -> Router {
    let mut by_path: BTreeMap<&'static str, Vec<&Route>> = BTreeMap::new();
    for route in routes {
        by_path.entry(route.path).or_default().push(route);
    }
    let mut router = Router::new();
    for (path, routes) in by_path {
        let mut methods = MethodRouter::new();
        let mut allowed: Vec<&str> = routes.iter().map(|route| route.method.as_str()).collect();
        if allowed.contains(&"GET") {
            allowed.push("HEAD");
        }
        let allow = allowed.join(", ");
        for route in routes {
            let Ok(filter) = MethodFilter::try_from(route.method.clone()) else { continue };
            let (route, api) = (Arc::new(route.clone()), Arc::clone(api));
            let schema = query_schema(&route);
            methods = methods.on(filter, move |request: Request| {
                let (route, api) = (Arc::clone(&route), Arc::clone(&api));
                answer(api, route, request, schema.clone())
            });
        }
        let methods = methods.fallback(move |request: Request| {
            std::future::ready(not_allowed(request.method(), &allow))
        });
        router = router.route(path, methods);
    }
    router
}

fn not_allowed(method: &Method, allow: &str) -> Response {
    let problem = Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        "could not take the request",
        format!("{method} is not understood here"),
        format!("use one of {allow}"),
    );
    let mut response = problem.response();
    if let Ok(allow) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(ALLOW, allow);
    }
    response
}

/// Answers for an address that is not there.
pub(super) fn nowhere(path: &str) -> Problem {
    let shown: String = path.chars().take(80).collect();
    Problem::new(
        StatusCode::NOT_FOUND,
        "unknown_address",
        format!("could not find {shown:?}"),
        "there is nothing at this address",
        "/openapi.json lists the addresses",
    )
}

async fn answer(api: Arc<Api>, route: Arc<Route>, request: Request, schema: Value) -> Response {
    let headers = request.headers().clone();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    match done(api, &route, request, schema).await {
        Ok(reply) => reply.finish(&headers, reads),
        Err(problem) => problem.response(),
    }
}

async fn done(
    api: Arc<Api>,
    route: &Route,
    request: Request,
    query_schema: Value,
) -> Result<Reply, Problem> {
    let (mut parts, body) = request.into_parts();
    acceptable(&parts.headers, route)?;
    let places = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| {
        Problem::malformed("the address is not UTF-8", "percent-encode text in UTF-8")
    })?;
    let places: BTreeMap<String, String> =
        places.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    // The listener has read it whole.
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    if route.body.is_some() {
        crate::door::is_json(&parts.headers).map_err(|closed| {
            Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported_media_type",
                "could not read the body",
                "it is not said to be JSON in UTF-8",
                closed.why.into_owned(),
            )
        })?;
    }
    let query = parts.uri.query().unwrap_or_default().to_owned();
    if route.query.is_none() && !query.is_empty() {
        typed::<Value>(&query, &Value::Null)?;
    }
    let by_token = parts.extensions.get::<Caller>().cloned();
    let is_by_token = by_token.is_some();
    let caller = by_token.unwrap_or_else(|| api.caller.clone());
    let id = places.get("id").map(String::as_str);
    if let Some(problem) = super::own_runs::refused(&caller, &api.caller, route.path, id) {
        return Err(problem);
    }
    let path = parts.uri.path().to_owned();
    let headers = parts.headers;
    let call = Call { caller, is_by_token, places, headers, path, query, query_schema, body };
    let Some(handler) = &route.handler else { return Err(nowhere(route.path)) };
    let work = AssertUnwindSafe(handler(api, call)).catch_unwind();
    let told = match route.time {
        None => work.await,
        Some(time) => tokio::time::timeout(time, work).await.map_err(|_| {
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "timeout",
                "could not answer in time",
                format!("it took longer than {} s", time.as_secs()),
                "try again when less is under way",
            )
            .after(5)
        })?,
    };
    told.unwrap_or_else(|_| {
        Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "defect",
            "could not finish the request",
            "the server failed inside",
            "this is a defect of elenchus; standard error says where. Other requests go on working",
        ))
    })
}

/// Whether the client takes anything that the route gives.
fn acceptable(headers: &HeaderMap, route: &Route) -> Result<(), Problem> {
    let lines: Vec<&str> =
        headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok()).collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        return Ok(());
    }
    let ranges = lines.iter().flat_map(|line| line.split(',')).map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let refused = parts.any(|part| {
            part.strip_prefix("q=").is_some_and(|q| q.parse::<f64>().is_ok_and(|q| q <= 0.0))
        });
        (name, refused)
    });
    let taken: Vec<String> = ranges.filter(|(_, refused)| !refused).map(|(name, _)| name).collect();
    let fits = |kind: &str| {
        let plain = kind.split(';').next().unwrap_or(kind);
        let family = plain.split('/').next().unwrap_or(plain);
        taken.iter().any(|range| {
            range == "*/*" || range == plain || range.strip_suffix("/*") == Some(family)
        })
    };
    if route.gives.is_empty() || route.gives.iter().any(|gives| fits(gives.kind)) {
        return Ok(());
    }
    let mut kinds: Vec<&str> = route.gives.iter().map(|gives| gives.kind).collect();
    kinds.dedup();
    Err(Problem::new(
        StatusCode::NOT_ACCEPTABLE,
        "not_acceptable",
        "could not answer in a form that you accept",
        "nothing in the Accept header is given here",
        format!("accept {}", kinds.join(" or ")),
    ))
}
