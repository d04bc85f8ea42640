//! One listener for programs, agents and browsers: connections with limits, the door, and what every response says.

use crate::door::{Closed, Door, MAX_HEAD, is_json};
use crate::http::EVENTS;
use crate::http::problem::Problem;
use crate::limit::{Allowance, Rates};
use crate::mcp::http::PATH as MCP;
use crate::unread::WriteTimeout;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION,
    REFERRER_POLICY, RETRY_AFTER, SET_COOKIE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// Where a stranger may look whether the server is there.
const OPEN: [&str; 2] = ["/health", "/ready"];
/// Header lines of a request.
const MAX_HEADERS: usize = 100;
/// Connections beyond the limit that get one hasty answer each.
const HASTY: usize = 64;
/// How long calls under way may take after the server was told to stop.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Said to whoever finds no place at all.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// What a page of ours may do: nothing that does not come from here.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types elenchus";

/// What clients may do to a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Streams of events at a time; fewer than connections.
    pub streams: usize,
    /// How long the header lines of a request may take to arrive.
    pub head_time: Duration,
    /// How long a body may take to arrive.
    pub body_time: Duration,
    /// How long a client may take nothing of what is written to it.
    pub write_time: Duration,
    /// The longest body, in bytes.
    pub body: usize,
    /// Requests a second and caller, on the average.
    pub per_second: u32,
    /// Requests of a caller at once.
    pub burst: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 900,
            streams: 600,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_mins(1),
            write_time: Duration::from_secs(30),
            body: 4 << 20,
            per_second: 100,
            burst: 400,
        }
    }
}

/// Counts of what went through a listener.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Connections that are open.
    pub connections: AtomicU64,
    /// Streams of events that are open.
    pub streams: AtomicU64,
    /// Responses by the first digit of their status, from 1.
    pub responses: [AtomicU64; 5],
    /// Connections that found no place.
    pub turned_away: AtomicU64,
}

impl Traffic {
    fn answered(&self, status: StatusCode) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.responses[class].fetch_add(1, Ordering::Relaxed);
    }
}

/// What stands behind the door.
struct House {
    router: Router,
    door: Door,
    limits: Limits,
    rates: Rates,
    traffic: Arc<Traffic>,
}

/// Serves until `stop` is cancelled; calls under way may end.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    door: Door,
    limits: Limits,
    traffic: Arc<Traffic>,
    stop: CancellationToken,
) {
    let rates = Rates::new(limits.per_second, limits.burst);
    let room = Arc::new(Semaphore::new(limits.connections));
    let hall = Arc::new(Semaphore::new(HASTY));
    let house = Arc::new(House { router, door, limits, rates, traffic });
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        while connections.try_join_next().is_some() {}
        let Ok((stream, peer)) = accepted else {
            // Too many open files, most likely: others must close theirs first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (place, hasty) = match Arc::clone(&room).try_acquire_owned() {
            Ok(place) => (place, false),
            // Whoever asks how the server is gets an answer though all places are taken.
            Err(_) => match Arc::clone(&hall).try_acquire_owned() {
                Ok(place) => (place, true),
                Err(_) => {
                    house.traffic.turned_away.fetch_add(1, Ordering::Relaxed);
                    // Whether it is heard is not waited for.
                    let _ = stream.try_write(NO_PLACE);
                    continue;
                }
            },
        };
        // Events are small and should not wait for each other.
        let _ = stream.set_nodelay(true);
        let (house, stop) = (Arc::clone(&house), stop.clone());
        connections.spawn(connection(stream, peer.ip(), house, stop, place, hasty));
    }
    let end = async { while connections.join_next().await.is_some() {} };
    // What is still running then is dropped with the set.
    let _ = tokio::time::timeout(LAST_WORDS, end).await;
}

async fn connection(
    stream: TcpStream,
    peer: IpAddr,
    house: Arc<House>,
    stop: CancellationToken,
    place: OwnedSemaphorePermit,
    hasty: bool,
) {
    let traffic = Arc::clone(&house.traffic);
    traffic.connections.fetch_add(1, Ordering::Relaxed);
    let limits = house.limits;
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let house = Arc::clone(&house);
        async move { house.answer(request.map(Body::new), peer).await }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(if hasty { limits.head_time / 5 } else { limits.head_time })
        .keep_alive(!hasty)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS);
    let stream = TokioIo::new(WriteTimeout::new(stream, limits.write_time));
    let mut connection = std::pin::pin!(builder.serve_connection(stream, service));
    // How a connection ends is the client's business.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
    traffic.connections.fetch_sub(1, Ordering::Relaxed);
    drop(place);
}

impl House {
    async fn answer(
        &self,
        request: Request,
        peer: IpAddr,
    ) -> Result<Response, std::convert::Infallible> {
        let browses = wants_page(request.method(), request.headers());
        let is_mcp = request.uri().path() == MCP;
        let (told, allowance) = self.admitted(request, peer).await;
        let mut response = match told {
            Ok(Inside::Call(request)) => self.router.clone().call(*request).await?,
            Ok(Inside::Reply(response)) => *response,
            Err(closed) if is_mcp => plain(&closed),
            Err(closed) if browses && closed.status == StatusCode::UNAUTHORIZED => {
                sign_in_page(&closed)
            }
            Err(closed) => refused(&closed),
        };
        if let Some(allowance) = allowance {
            rate(&mut response, &allowance);
        }
        guarded(response.headers_mut());
        // A place that is only kept warm is somebody else's when there are few, and a stream is the last word.
        let open = self.traffic.connections.load(Ordering::Relaxed);
        let is_stream = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind == EVENTS);
        if is_stream || open * 4 > self.limits.connections as u64 * 3 {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        self.traffic.answered(response.status());
        Ok(response)
    }

    /// A request that may be answered, with its whole body and whoever sent it.
    async fn admitted(
        &self,
        mut request: Request,
        peer: IpAddr,
    ) -> (Result<Inside, Closed>, Option<Allowance>) {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let headers = request.headers();
        if let Some(token) = given_token(&method, request.uri(), &self.door) {
            let told = self.door.address(headers).and_then(|()| self.door.sign_in(&token));
            let allowance = self.rates.take((usize::MAX, Some(peer)), Instant::now());
            if allowance.wait.is_some() {
                return (Err(too_many(&self.limits, &allowance)), Some(allowance));
            }
            return (told.map(|cookie| Inside::Reply(Box::new(signed_in(&cookie)))), None);
        }
        let entry =
            if path == MCP { self.door.admit(headers) } else { self.door.enter(&method, headers) };
        let entry = match entry {
            Ok(entry) => Some(entry),
            Err(closed) if closed.status == StatusCode::UNAUTHORIZED && OPEN.contains(&&*path) => {
                None
            }
            Err(closed) => return (Err(closed), None),
        };
        let pass = entry.map_or(usize::MAX, |entry| entry.pass);
        let caller = entry.and_then(|entry| entry.caller).cloned();
        let allowance = self.rates.take((pass, Some(peer)), Instant::now());
        if allowance.wait.is_some() && !OPEN.contains(&&*path) {
            return (Err(too_many(&self.limits, &allowance)), Some(allowance));
        }
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        if path == MCP {
            if method != Method::POST {
                let why = "only POST is understood here: streams cannot be resumed and sessions are not kept";
                let closed = Closed { status: StatusCode::METHOD_NOT_ALLOWED, why: why.into() };
                return (Err(closed), Some(allowance));
            }
            if let Err(closed) = is_json(request.headers()) {
                return (Err(closed), Some(allowance));
            }
        }
        let told = whole(request, &self.limits, path == MCP).await;
        let told = told.map(|request| Inside::Call(Box::new(request)));
        (told, Some(allowance))
    }
}

enum Inside {
    Call(Box<Request>),
    Reply(Box<Response>),
}

fn too_many(limits: &Limits, allowance: &Allowance) -> Closed {
    let Limits { per_second, burst, .. } = limits;
    let wait = allowance.wait.unwrap_or_default().as_secs_f64().ceil();
    let why = format!(
        "a caller may send {burst} requests at once and {per_second} a second after that, and these were more: wait {wait} s, as \
         Retry-After says, and send them more slowly; the settings `serve.rate` and `serve.burst` of the server say how many"
    );
    Closed { status: StatusCode::TOO_MANY_REQUESTS, why: why.into() }
}

fn too_long(most: usize) -> Closed {
    let size = match most {
        whole if whole >= 1 << 20 && whole.is_multiple_of(1 << 20) => format!("{} MB", whole >> 20),
        other => format!("{other} bytes"),
    };
    let why = format!(
        "the body is longer than {size}: send at most that much, a long text in parts of its own requests"
    );
    Closed { status: StatusCode::PAYLOAD_TOO_LARGE, why: why.into() }
}

/// The token in the address by which a browser signs in.
fn given_token(method: &Method, uri: &Uri, door: &Door) -> Option<String> {
    let reads = matches!(*method, Method::GET | Method::HEAD);
    if door.passes.is_empty() || !reads || uri.path() != "/" {
        return None;
    }
    let pairs = crate::http::query::pairs(uri.query().unwrap_or_default()).ok()?;
    pairs.into_iter().find(|(name, _)| name == "token").map(|(_, token)| token)
}

fn signed_in(cookie: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(cookie) {
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

/// A request with its body. What comes after may trust that a body to `json` is JSON.
async fn whole(request: Request, limits: &Limits, json: bool) -> Result<Request, Closed> {
    let (parts, body) = request.into_parts();
    let closed = |status, why: &'static str| Closed { status, why: why.into() };
    let read = tokio::time::timeout(limits.body_time, Limited::new(body, limits.body).collect());
    let bytes = match read.await {
        Err(_) => {
            return Err(closed(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"));
        }
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Err(too_long(limits.body));
        }
        Ok(Err(_)) => {
            return Err(closed(
                StatusCode::BAD_REQUEST,
                "the body is not as long or not so cut as it says",
            ));
        }
        Ok(Ok(read)) => read.to_bytes(),
    };
    if json && serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_err() {
        return Err(closed(StatusCode::BAD_REQUEST, "the body is not JSON"));
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// Whether a browser shows the response as a page.
pub(crate) fn wants_page(method: &Method, headers: &HeaderMap) -> bool {
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    matches!(*method, Method::GET | Method::HEAD) && accepts.contains("text/html")
}

/// A refusal as text, as agents' programs show it.
fn plain(closed: &Closed) -> Response {
    let mut response = Response::new(Body::from(format!("{}\n", closed.why)));
    *response.status_mut() = closed.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if closed.status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("POST"));
    }
    challenged(closed.status, headers);
    response
}

fn refused(closed: &Closed) -> Response {
    let mut response = Problem::at_the_door(closed.status, &closed.why).response();
    challenged(closed.status, response.headers_mut());
    response
}

fn challenged(status: StatusCode, headers: &mut HeaderMap) {
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"elenchus\""));
    }
}

/// What a browser without a cookie sees.
fn sign_in_page(closed: &Closed) -> Response {
    let page = maud::html! {
        (maud::DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Sign in to Elenchus" }
            }
            body {
                main {
                    h1 { "Sign in to Elenchus" }
                    p { "The page was not shown: " (&*closed.why) "." }
                    form action="/" method="get" {
                        p {
                            label for="token" { "Token" }
                            " "
                            input id="token" name="token" type="password" required
                                autocomplete="current-password";
                        }
                        p { button type="submit" { "Sign in" } }
                    }
                }
            }
        }
    };
    let mut response = Response::new(Body::from(page.into_string()));
    *response.status_mut() = closed.status;
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, html);
    challenged(closed.status, response.headers_mut());
    response
}

fn rate(response: &mut Response, allowance: &Allowance) {
    let refused = response.status() == StatusCode::TOO_MANY_REQUESTS;
    let headers = response.headers_mut();
    let mut say = |name: &'static str, value: u64| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value));
    };
    say("ratelimit-limit", allowance.limit);
    say("ratelimit-remaining", allowance.left);
    say("ratelimit-reset", allowance.reset.as_secs_f64().ceil() as u64);
    if let Some(wait) = allowance.wait.filter(|_| refused) {
        headers.insert(RETRY_AFTER, HeaderValue::from(wait.as_secs_f64().ceil() as u64));
    }
}

/// What every response says.
fn guarded(headers: &mut HeaderMap) {
    // A proxy that collects a stream before passing it on makes progress useless.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Others learn no address of ours. With `no-referrer`, forms would come with `Origin: null`, from nowhere.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
