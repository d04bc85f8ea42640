//! The protocol over HTTP: one path, POST alone, no sessions.

use super::McpServer;
use super::guard::{Closed, MAX_HEAD, is_json};
pub use super::guard::{Door, LOOPBACK, Pass};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_service::Service;

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";
/// The longest body of a request, in bytes.
pub const MAX_BODY: usize = 4 << 20;
/// Header lines of a request.
const MAX_HEADERS: usize = 100;
/// Connections at a time.
const MAX_CONNECTIONS: usize = 256;
/// How long the header lines of a request may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_mins(1);
/// How long calls under way may take after the server was told to stop.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The paths that speak the protocol. Ends its streams when `stop` is cancelled.
pub fn router(server: McpServer, stop: &CancellationToken) -> Router {
    // Names and origins are checked at the door, which is stricter about both.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_BODY)
        .with_cancellation_token(stop.child_token());
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    Router::new().route_service(PATH, service)
}

/// Serves until `stop` is cancelled; calls under way may end.
pub async fn serve(listener: TcpListener, router: Router, door: Door, stop: CancellationToken) {
    let door = Arc::new(door);
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let place = tokio::select! {
            () = stop.cancelled() => break,
            place = Arc::clone(&room).acquire_owned() => place,
        };
        let (Ok(place), accepted) = (
            place,
            tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => accepted,
            },
        ) else {
            break;
        };
        let Ok((stream, _)) = accepted else {
            // Too many open files, most likely: others must close theirs first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (router, door, stop) = (router.clone(), Arc::clone(&door), stop.clone());
        connections.spawn(async move {
            connection(stream, router, door, stop).await;
            drop(place);
        });
        while connections.try_join_next().is_some() {}
    }
    let end = async { while connections.join_next().await.is_some() {} };
    // What is still running then is dropped with the set.
    let _ = tokio::time::timeout(LAST_WORDS, end).await;
}

async fn connection(stream: TcpStream, router: Router, door: Arc<Door>, stop: CancellationToken) {
    let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let (mut router, door) = (router.clone(), Arc::clone(&door));
        async move { answer(request.map(Body::new), &mut router, &door).await }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .max_headers(MAX_HEADERS);
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    // How a connection ends is the client's business.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

async fn answer(
    request: Request,
    router: &mut Router,
    door: &Door,
) -> Result<Response, std::convert::Infallible> {
    let admitted = door.admit(request.headers()).map(Option::<&_>::cloned);
    let mut response = match admitted {
        Err(closed) => refused(&closed),
        Ok(_) if request.uri().path() == PATH && request.method() != Method::POST => {
            let why =
                "only POST is understood here: streams cannot be resumed and sessions are not kept";
            refused(&Closed { status: StatusCode::METHOD_NOT_ALLOWED, why })
        }
        Ok(caller) => match is_json(request.headers()) {
            Err(closed) if request.method() == Method::POST => refused(&closed),
            _ => match whole(request).await {
                Err(closed) => refused(&closed),
                Ok(mut request) => {
                    if let Some(caller) = caller {
                        request.extensions_mut().insert(caller);
                    }
                    router.call(request).await?
                }
            },
        },
    };
    let headers = response.headers_mut();
    // A proxy that collects a stream before passing it on makes progress useless.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    headers.insert(
        HeaderName::from_static("x-content-type-options"),
        HeaderValue::from_static("nosniff"),
    );
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    Ok(response)
}

/// A request with its body, which is JSON if it was posted. What comes after may trust that.
async fn whole(request: Request) -> Result<Request, Closed> {
    let (parts, body) = request.into_parts();
    let closed = |status, why| Closed { status, why };
    let read = tokio::time::timeout(BODY_TIME, Limited::new(body, MAX_BODY).collect()).await;
    let bytes = match read {
        Err(_) => {
            return Err(closed(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in a minute"));
        }
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Err(closed(StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than 4 MB"));
        }
        Ok(Err(_)) => {
            return Err(closed(
                StatusCode::BAD_REQUEST,
                "the body is not as long or not so cut as it says",
            ));
        }
        Ok(Ok(read)) => read.to_bytes(),
    };
    let posted = parts.method == Method::POST;
    if posted && serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_err() {
        return Err(closed(StatusCode::BAD_REQUEST, "the body is not JSON"));
    }
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

fn refused(closed: &Closed) -> Response {
    let mut response = Response::new(Body::from(format!("{}\n", closed.why)));
    *response.status_mut() = closed.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if closed.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"elenchus\""));
    }
    if closed.status == StatusCode::METHOD_NOT_ALLOWED {
        headers.insert(ALLOW, HeaderValue::from_static("POST"));
    }
    response
}
