//! The evidence graph for other programs: calls by name, the route that takes them over HTTP, and how far each caller reaches.
//!
//! `POST /memory` with `{"tool": "memory.search", "params": {...}}` gives `{"result": ...}` or `{"error": {...}}`. Whose
//! memos are meant is the caller's, who comes from the token, never from the call.

mod walled;

pub use walled::Walled;

use crate::http::malformed;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Extension, Router};
use elenchus_core::bank::Caller;
use elenchus_core::graph::call::{
    Call, CallError, DeleteParams, GetParams, GraphParams, ListParams, RelationParams, Reply,
    SaveParams, SearchParams,
};
use elenchus_core::graph::{ScoreSettings, camel};
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::port::{Clock, MemoFilter, Memos, Reach};
use elenchus_engine::{known, score_evidence};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The names of the tools, as seed 002 spells them.
pub const TOOLS: [&str; 10] = [
    "memory.save",
    "memory.get",
    "memory.search",
    "memory.list",
    "memory.delete",
    "memory.relation.save",
    "memory.relation.delete",
    "memory.relation.list",
    "memory.relation.graph",
    "memory.score",
];

/// The most bytes of a request. A memo that is too large is refused with a message, so this is larger than one.
const BODY: usize = 16 << 20;

/// Of `memory.score`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreParams {
    /// Where the memo belongs.
    pub namespace: String,
    /// The memo.
    pub pivot: MemoId,
    /// How memos are scored.
    #[serde(default)]
    pub settings: ScoreSettings,
    /// Whether confidence, what was left out and recurring conflicts come along.
    #[serde(default)]
    pub explain: bool,
}

/// Whether a name is that of a tool, however it is spelt.
pub(crate) fn is_tool(name: &str) -> bool {
    name.contains('.') && TOOLS.contains(&&*plain(name))
}

/// A name as [`TOOLS`] has it.
fn plain(name: &str) -> String {
    name.trim().replace(['-', '_'], ".").to_lowercase()
}

/// Does one call on behalf of `caller`. Never fails: what went wrong is in the reply.
pub async fn dispatch(memos: &dyn Memos, caller: &Caller, call: Call, now: Timestamp) -> Reply {
    let camel_case = call.camel_case;
    match done(memos, &caller.tenant, call, now).await {
        Ok(value) if camel_case => Reply::Result(camel::value(value)),
        Ok(value) => Reply::Result(value),
        Err(error) => Reply::Error(error),
    }
}

async fn done(
    memos: &dyn Memos,
    tenant: &str,
    call: Call,
    now: Timestamp,
) -> Result<Value, CallError> {
    let Call { tool, params, .. } = call;
    let name = plain(&tool);
    match name.as_str() {
        "memory.save" => {
            let memo = read::<SaveParams>(&name, params)?.memo(now);
            memos.save(tenant, &memo).await?;
            Ok(json!({ "id": memo.id, "memo_id": memo.id, "namespace": memo.namespace }))
        }
        "memory.get" => {
            let GetParams { namespace, ids } = read(&name, params)?;
            Ok(json!({ "memos": memos.get(tenant, &namespace, &ids).await? }))
        }
        "memory.search" => {
            let SearchParams { query, namespace, tag, limit } = read(&name, params)?;
            let filter = MemoFilter { namespace, tag, limit, walls: None };
            Ok(json!({ "results": memos.search(tenant, &query, &filter).await? }))
        }
        "memory.list" => {
            let memos = memos.list(tenant, &filter(read(&name, params)?)).await?;
            Ok(json!({ "memos": memos }))
        }
        "memory.delete" => {
            let DeleteParams { namespace, id } = read(&name, params)?;
            memos.delete(tenant, &namespace, &id).await?;
            Ok(json!({ "deleted": id }))
        }
        "memory.relation.save" => {
            let relation = read::<RelationParams>(&name, params)?.relation(now);
            memos.relate(tenant, &relation).await?;
            Ok(json!({ "relation": relation }))
        }
        "memory.relation.delete" => {
            let relation = read::<RelationParams>(&name, params)?.relation(now);
            memos.unrelate(tenant, &relation).await?;
            Ok(json!({ "deleted": relation.key() }))
        }
        "memory.relation.list" => {
            let relations = memos.relations(tenant, &filter(read(&name, params)?)).await?;
            Ok(json!({ "relations": relations }))
        }
        "memory.relation.graph" => graph(memos, tenant, read(&name, params)?).await,
        "memory.score" => {
            let ScoreParams { namespace, pivot, settings, explain } = read(&name, params)?;
            let report = score_evidence(memos, tenant, &namespace, &pivot, &settings).await?;
            Ok(if explain { json!(report) } else { json!(report.scored) })
        }
        _ => Err(CallError {
            kind: "unknown_tool".to_owned(),
            attempted: "call a tool".to_owned(),
            cause: format!("there is no tool {:?}", tool.chars().take(64).collect::<String>()),
            way_out: format!("the tools are {}", TOOLS.join(", ")),
            memo_id: None,
        }),
    }
}

async fn graph(memos: &dyn Memos, tenant: &str, params: GraphParams) -> Result<Value, CallError> {
    let reach = Reach {
        namespace: params.namespace,
        start: params.start_memo_id,
        depth: params.max_depth,
        direction: params.direction,
        tag: params.tag,
        limit: params.limit,
    };
    reach.check()?;
    let start = known(memos, tenant, &reach.namespace, &reach.start).await?;
    let edges = memos.around(tenant, &reach).await?;
    let mut ids: Vec<MemoId> =
        edges.iter().flat_map(|edge| [edge.source.clone(), edge.target.clone()]).collect();
    ids.sort();
    ids.dedup();
    ids.retain(|id| *id != start.id);
    let mut nodes = vec![start];
    nodes.extend(memos.get(tenant, &reach.namespace, &ids).await?);
    let nodes: Vec<Value> =
        nodes.iter().map(|memo| json!({ "id": memo.id, "title": memo.heading() })).collect();
    Ok(json!({ "nodes": nodes, "edges": edges }))
}

fn filter(params: ListParams) -> MemoFilter {
    let ListParams { namespace, tag, limit } = params;
    MemoFilter { namespace, tag, limit, walls: None }
}

fn bad(name: &str, cause: String) -> CallError {
    CallError {
        kind: "bad_params".to_owned(),
        attempted: format!("call {name}"),
        cause,
        way_out: "send the fields of this tool as `params`; names in camel case are read too"
            .to_owned(),
        memo_id: None,
    }
}

/// Params of a tool. Missing params count as none.
fn read<T: DeserializeOwned>(name: &str, params: Value) -> Result<T, CallError> {
    let params = if params.is_null() { json!({}) } else { params };
    serde_json::from_value(params).map_err(|error| bad(name, error.to_string()))
}

struct Served {
    memos: Arc<dyn Memos>,
    clock: Arc<dyn Clock>,
    otherwise: Option<Caller>,
    home: Option<Caller>,
}

/// `POST /memory`, to be mounted behind whatever checks tokens, `Host` and `Origin`. The caller is the
/// `Extension<Caller>` of a request, or `otherwise`; a request with neither is refused. Where members of several projects are
/// let in, `home` is the server's own caller, and each reaches what [`Walled`] says.
pub fn memory_router(
    memos: Arc<dyn Memos>,
    clock: Arc<dyn Clock>,
    otherwise: Option<Caller>,
    home: Option<Caller>,
) -> Router {
    Router::new()
        .route("/memory", post(answer))
        .layer(DefaultBodyLimit::max(BODY))
        .with_state(Arc::new(Served { memos, clock, otherwise, home }))
}

async fn answer(
    State(served): State<Arc<Served>>,
    caller: Option<Extension<Caller>>,
    body: Bytes,
) -> Response {
    let caller = caller.map(|Extension(caller)| caller).or_else(|| served.otherwise.clone());
    let Some(caller) = caller else {
        let error = CallError {
            kind: "refused".to_owned(),
            attempted: "call a tool".to_owned(),
            cause: "nobody says on whose behalf".to_owned(),
            way_out: "send the bearer token".to_owned(),
            memo_id: None,
        };
        return reply(StatusCode::UNAUTHORIZED, &Reply::Error(error));
    };
    let call: Call = match serde_json::from_slice(&body) {
        Ok(call) => call,
        Err(error) => {
            let cause = malformed::cause("the body is no call", &body, &error);
            let way_out =
                r#"send {"tool": "memory.search", "params": {"query": "..."}}"#.to_owned();
            let error = CallError { way_out, ..bad("a tool", cause) };
            return reply(StatusCode::BAD_REQUEST, &Reply::Error(error));
        }
    };
    let memos = Walled::of(&*served.memos, &caller, served.home.as_ref());
    let done = dispatch(&memos, &caller, call, served.clock.now()).await;
    let status = match &done {
        Reply::Result(_) => StatusCode::OK,
        Reply::Error(error) => match error.kind.as_str() {
            "unknown_memo" | "unknown_tool" => StatusCode::NOT_FOUND,
            "storage" => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        },
    };
    reply(status, &done)
}

fn reply(status: StatusCode, reply: &Reply) -> Response {
    match serde_json::to_vec(reply) {
        Ok(body) => (status, [(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
