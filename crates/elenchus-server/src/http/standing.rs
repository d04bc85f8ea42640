//! How the server stands, for programs that watch it; and the description of the API.

use super::openapi::{Anything, document};
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, Route};
use super::{Api, table};
use axum::http::{Method, StatusCode};
use elenchus_core::id::RunId;
use elenchus_core::port::StoreFailure;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Text of Prometheus.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// That the server is there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Health {
    /// Always `ok`.
    status: String,
    /// The version of the program.
    version: String,
}

/// That the server can work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Ready {
    /// Always `ready`.
    status: String,
    /// Runs under way here. Where members of several projects are let in, only those of the server's own are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    under_way: Option<usize>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::GET, "/health", "health", "Whether the server is there")
            .gives::<Health>(200, "It is.")
            .open()
            .by(health),
        Route::new(Method::GET, "/ready", "ready", "Whether the server can work")
            .gives::<Ready>(200, "It can.")
            .open()
            .by(ready),
        Route::new(Method::GET, "/metrics", "metrics", "Figures in the text form of Prometheus")
            .gives_kind(200, METRICS, "The figures.")
            .by(metrics),
        Route::new(Method::GET, "/openapi.json", "openapi", "This description")
            .gives::<Anything>(200, "An OpenAPI 3.1 document.")
            .by(described),
    ]
}

async fn health(_: Arc<Api>, _: Call) -> Result<Reply, Problem> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    Reply::ok(&Health { status: "ok".to_owned(), version })
}

async fn ready(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    // One read is enough, of a run that there is or is not.
    let read = api.runs.store().run(&RunId::from("run_none")).await;
    if let Err(failure) = read
        && !matches!(failure, StoreFailure::UnknownRun(_))
    {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "not_ready",
            "could not read the store",
            failure.to_string(),
            "`elenchus doctor` looks for the cause",
        )
        .after(5));
    }
    let is_own = call.is_by_token && call.caller.shares_project(&api.caller);
    let under_way = (api.parts.home.is_none() || is_own).then(|| api.runs.under_way());
    Reply::ok(&Ready { status: "ready".to_owned(), under_way })
}

async fn metrics(api: Arc<Api>, _: Call) -> Result<Reply, Problem> {
    let traffic = &api.traffic;
    let mut out = String::new();
    let mut figure = |name: &str, kind: &str, about: &str, values: &[(String, f64)]| {
        let _ = writeln!(out, "# HELP elenchus_{name} {about}\n# TYPE elenchus_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(out, "elenchus_{name}{labels} {value}");
        }
    };
    let read = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
    let one = |value: f64| vec![(String::new(), value)];
    let mut by_status = std::collections::BTreeMap::new();
    for line in api.runs.lines().await? {
        *by_status.entry(line.status).or_insert(0.0) += 1.0;
    }
    let runs: Vec<(String, f64)> = by_status
        .into_iter()
        .map(|(status, count)| (format!("{{status=\"{status}\"}}"), count))
        .collect();
    figure("runs", "gauge", "Runs in the store.", &runs);
    let under_way = api.runs.under_way() as f64;
    figure("runs_under_way", "gauge", "Runs that this server drives.", &one(under_way));
    figure("connections", "gauge", "Open connections.", &one(read(&traffic.connections)));
    figure("streams", "gauge", "Open streams of events.", &one(read(&traffic.streams)));
    let turned = one(read(&traffic.turned_away));
    figure("connections_refused_total", "counter", "Connections without a place.", &turned);
    let responses: Vec<(String, f64)> = traffic
        .responses
        .iter()
        .enumerate()
        .map(|(at, count)| (format!("{{class=\"{}xx\"}}", at + 1), read(count)))
        .collect();
    figure("http_responses_total", "counter", "Responses by class of status.", &responses);
    let up = api.since.elapsed().as_secs_f64();
    figure("uptime_seconds", "gauge", "Time since the start.", &one(up));
    Ok(Reply::text(METRICS, out))
}

async fn described(_: Arc<Api>, _: Call) -> Result<Reply, Problem> {
    Reply::ok(&document(&table()))
}
