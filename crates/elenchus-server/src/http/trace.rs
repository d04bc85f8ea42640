//! The trace of a run in pages, with search.

use super::Api;
use super::paging::limit;
use super::problem::Problem;
use super::reply::{JSON, Reply};
use super::research::run_of;
use super::table::{Call, Route};
use axum::http::Method;
use elenchus_core::trace::Envelope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which events.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct Search {
    /// Only events with a number above it.
    #[serde(default)]
    after: Option<u64>,
    /// Items of a page, 50 without a word.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Words that an event must have, in any order.
    #[serde(default)]
    q: Option<String>,
    /// Only events of this type, such as `reasoning_thought`.
    #[serde(default)]
    kind: Option<String>,
}

/// A page of events.
#[derive(Serialize, JsonSchema)]
struct TracePage {
    /// The events, in order.
    items: Vec<Envelope>,
    /// How many fit in all, those before this page left out.
    total: usize,
    /// Give it as `after` for the next page; absent on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_after: Option<u64>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(
            Method::GET,
            "/v1/research/{id}/trace",
            "searchTrace",
            "Search the trace of a run",
        )
        .query::<Search>()
        .gives::<TracePage>(200, "A page of events.")
        .fails(&[404])
        .by(trace),
    ]
}

async fn trace(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let search: Search = call.query()?;
    let limit = limit(search.limit)?;
    let words: Vec<String> =
        search.q.iter().flat_map(|q| q.split_whitespace()).map(str::to_lowercase).collect();
    let record = api.runs.record(&run_of(&call)).await?;
    let mut out = b"{\"items\":[".to_vec();
    let (mut total, mut shown) = (0, 0);
    let mut next = None;
    let mut last = 0;
    for (at, line) in (search.after.unwrap_or(0) + 1..).zip(record.lines(search.after.unwrap_or(0)))
    {
        if search.kind.as_deref().is_some_and(|kind| *kind != *line.kind) {
            continue;
        }
        let json = line.json();
        if !words.is_empty() {
            let text = String::from_utf8_lossy(&json).to_lowercase();
            if !words.iter().all(|word| text.contains(word.as_str())) {
                continue;
            }
        }
        total += 1;
        if shown == limit {
            next.get_or_insert(last);
            continue;
        }
        if shown > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&json);
        shown += 1;
        last = at;
    }
    out.extend_from_slice(format!("],\"total\":{total}").as_bytes());
    if let Some(next) = next {
        out.extend_from_slice(format!(",\"next_after\":{next}").as_bytes());
    }
    out.push(b'}');
    Ok(Reply::text(JSON, out))
}
