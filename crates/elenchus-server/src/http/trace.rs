//! The trace of a run in pages, with search.

use super::Api;
use super::paging::limit;
use super::problem::Problem;
use super::reply::{JSON, Reply};
use super::research::run_of;
use super::table::{Call, Route};
use axum::http::Method;
use elenchus_core::trace::{Envelope, TraceEvent};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

/// The types of events there are, as the trace itself describes them: none is forgotten when another comes.
static KINDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let schema = SchemaGenerator::default().into_root_schema_for::<TraceEvent>().to_value();
    let kinds = schema["oneOf"].as_array().into_iter().flatten();
    kinds.filter_map(|one| Some(one["properties"]["type"]["const"].as_str()?.to_owned())).collect()
});

fn kind_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": *KINDS })
}

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
    #[schemars(schema_with = "kind_schema")]
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

/// A type that no event has would find nothing, which could be taken for an answer.
fn check_kind(kind: &str) -> Result<(), Problem> {
    if KINDS.iter().any(|known| known == kind) {
        return Ok(());
    }
    let shown: String = kind.chars().take(40).collect();
    Err(Problem::malformed(
        format!("`kind` is {shown:?}, and no event is of that type"),
        format!("give one of: {}", KINDS.join(", ")),
    ))
}

async fn trace(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let search: Search = call.query()?;
    let limit = limit(search.limit)?;
    search.kind.as_deref().map_or(Ok(()), check_kind)?;
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
