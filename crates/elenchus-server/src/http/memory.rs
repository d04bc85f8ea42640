//! The bank of strategies and the evidence graph.

use super::Api;
use super::paging::{Page, Part};
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, Route};
use super::tools::{Tool, graphed, tool};
use axum::http::{Method, StatusCode};
use elenchus_core::bank::{Outcome, Scope, Standing};
use elenchus_core::graph::call::{
    DeleteParams, GetParams, GraphParams, ListParams, RelationParams, SaveParams, SearchParams,
};
use elenchus_core::id::StrategyId;
use elenchus_core::measure::Explained;
use elenchus_core::port::{BankFailure, Edit, Held, Listing, NamedStats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

macro_rules! tools {
    ($($kind:ident = $name:literal;)*) => {
        $(struct $kind;
        impl Tool for $kind {
            const NAME: &'static str = $name;
        })*
    };
}
tools! {
    Search = "memory_search";
    Record = "memory_record";
    Feedback = "memory_feedback";
    Reported = "memory_outcome";
    Session = "memory_session";
}

/// Which strategies.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
struct Which {
    /// Where the last page ended: its `next_cursor`.
    #[serde(default)]
    cursor: Option<String>,
    /// Items of a page, 50 without a word.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
    /// Only this scope.
    #[serde(default)]
    scope: Option<Scope>,
    /// Only strategies to follow, or only those to avoid.
    #[serde(default)]
    outcome: Option<Outcome>,
    /// Also those that were taken out of use.
    #[serde(default)]
    archived: Option<bool>,
    /// Only those with this tag.
    #[serde(default)]
    tag: Option<String>,
}

/// Whether a strategy may be recalled.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Archiving {
    /// `false` takes it back into use, and vouches for one that waited for somebody to do so.
    #[serde(default)]
    archived: Option<bool>,
    /// Why.
    #[serde(default)]
    #[schemars(length(max = 500))]
    reason: Option<String>,
}

/// What a strategy shall say; what is left out stays as it is.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Editing {
    /// Another title.
    #[serde(default)]
    #[schemars(length(max = 50))]
    title: Option<String>,
    /// Another description: when to use or to avoid it.
    #[serde(default)]
    #[schemars(length(max = 200))]
    description: Option<String>,
    /// Other steps.
    #[serde(default)]
    #[schemars(length(max = 20_000))]
    content: Option<String>,
    /// Other tags, which replace those there are.
    #[serde(default)]
    #[schemars(length(max = 20))]
    tags: Option<Vec<String>>,
    /// Who shall see it.
    #[serde(default)]
    scope: Option<Scope>,
}

/// A strategy that is gone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Forgotten {
    /// Which.
    deleted: StrategyId,
}

/// A strategy with how its confidence came about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Explaining {
    /// The strategy.
    #[serde(flatten)]
    held: Held,
    /// How its confidence came about, down to the votes.
    why: Explained,
}

/// A result of the evidence graph, in its own shape.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
struct Graphed(Value);

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![
        tool::<Search>("/v1/memory/search", "searchMemory", "Search strategies for a task"),
        tool::<Record>("/v1/memory/record", "recordMemory", "Record a strategy"),
        tool::<Feedback>("/v1/memory/feedback", "judgeMemory", "Say whether a strategy helped"),
        tool::<Reported>("/v1/memory/outcome", "reportOutcome", "Say how a task went"),
        tool::<Session>("/v1/memory/session", "queueSession", "Queue a session to learn from"),
        Route::new(Method::GET, "/v1/memory", "listMemory", "List strategies, the newest first")
            .query::<Which>()
            .gives::<Page<Held>>(200, "A page of strategies.")
            .by(list),
        Route::new(Method::GET, "/v1/memory/stats", "memoryStats", "Figures of the memory")
            .gives::<NamedStats>(200, "The figures.")
            .by(stats),
        Route::new(Method::GET, "/v1/memory/{id}", "getMemory", "Look at a strategy")
            .gives::<Explaining>(200, "The strategy, and why it is believed so far.")
            .fails(&[404])
            .by(get),
        Route::new(
            Method::POST,
            "/v1/memory/{id}/archive",
            "archiveMemory",
            "Take a strategy out of use, or back",
        )
        .body::<Archiving>()
        .gives::<Held>(200, "The strategy as it stands now.")
        .fails(&[404])
        .by(archive),
        Route::new(
            Method::POST,
            "/v1/memory/{id}/restore",
            "restoreMemory",
            "Put a strategy to use that was archived or is in quarantine: you vouch for it",
        )
        .gives::<Held>(200, "The strategy as it stands now.")
        .fails(&[404])
        .by(restore),
        Route::new(
            Method::GET,
            "/v1/memory/{id}/why",
            "explainMemory",
            "How the confidence of a strategy came about",
        )
        .gives::<Explained>(200, "The figure with its rule and inputs, down to the votes.")
        .fails(&[404])
        .by(why),
        Route::new(Method::PATCH, "/v1/memory/{id}", "editMemory", "Change what a strategy says")
            .body::<Editing>()
            .gives::<Held>(200, "The strategy as it stands now.")
            .fails(&[404])
            .by(edit),
        Route::new(
            Method::DELETE,
            "/v1/memory/{id}",
            "deleteMemory",
            "Delete a strategy for good, with its signals",
        )
        .gives::<Forgotten>(200, "It is gone.")
        .fails(&[404])
        .by(delete),
    ];
    routes.push(graph::<SaveParams>("/v1/graph/save", "saveMemo", "memory.save", "Save a memo"));
    routes.push(graph::<GetParams>("/v1/graph/get", "getMemos", "memory.get", "Get memos"));
    routes.push(graph::<SearchParams>(
        "/v1/graph/search",
        "searchMemos",
        "memory.search",
        "Search memos",
    ));
    routes.push(graph::<ListParams>("/v1/graph/list", "listMemos", "memory.list", "List memos"));
    routes.push(graph::<DeleteParams>(
        "/v1/graph/delete",
        "deleteMemo",
        "memory.delete",
        "Delete a memo",
    ));
    routes.push(graph::<RelationParams>(
        "/v1/graph/relate",
        "relateMemos",
        "memory.relation.save",
        "Say that a memo supports or contradicts another",
    ));
    routes.push(graph::<RelationParams>(
        "/v1/graph/unrelate",
        "unrelateMemos",
        "memory.relation.delete",
        "Take a relation back",
    ));
    routes.push(graph::<ListParams>(
        "/v1/graph/relations",
        "listRelations",
        "memory.relation.list",
        "List relations",
    ));
    routes.push(graph::<GraphParams>(
        "/v1/graph/around",
        "graphAround",
        "memory.relation.graph",
        "The graph around a memo",
    ));
    routes
}

fn graph<P: JsonSchema>(
    path: &'static str,
    id: &'static str,
    tool: &'static str,
    about: &'static str,
) -> Route {
    Route::new(Method::POST, path, id, about)
        .body::<P>()
        .gives::<Graphed>(200, "What came of it.")
        .fails(&[404])
        .by(move |api, call| async move {
            let params: Map<String, Value> = call.body()?;
            let params = Value::Object(params);
            let result = graphed(&api, &call, tool.to_owned(), params, false).await?;
            Reply::ok(&Graphed(result))
        })
}

impl From<BankFailure> for Problem {
    fn from(failure: BankFailure) -> Self {
        let (status, code) = match &failure {
            BankFailure::Unknown(id) => {
                let way_out = "GET /v1/memory lists those there are, with ?archived=true those out of use too";
                return Self::unknown("unknown_memory", "memory", id.as_str(), way_out);
            }
            BankFailure::Refused { .. } => (StatusCode::BAD_REQUEST, "refused"),
            BankFailure::Forbidden { .. } => (StatusCode::FORBIDDEN, "forbidden"),
            BankFailure::Io { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "storage"),
        };
        Self::refused(status, code, failure.into())
    }
}

async fn list(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Which { cursor, limit, scope, outcome, archived, tag } = call.query()?;
    let archived = archived.unwrap_or(false);
    let listing = Listing { scope, outcome, archived, tag, limit: 0, offset: 0 };
    let all = api.parts.bank.list(&call.caller, &listing, api.parts.clock.now()).await?;
    Reply::ok(&Page::of(&all, &Part { cursor, limit })?)
}

async fn stats(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let stats = api.parts.bank.stats(&call.caller, api.parts.clock.now()).await?;
    Reply::ok(&NamedStats::from(stats))
}

async fn get(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let id = StrategyId::from(call.place("id"));
    let now = api.parts.clock.now();
    let held = api.parts.bank.get(&call.caller, &id, now).await?;
    let why = api.parts.bank.why(&call.caller, &id, now).await?;
    Reply::ok(&Explaining { held, why })
}

async fn why(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let id = StrategyId::from(call.place("id"));
    Reply::ok(&api.parts.bank.why(&call.caller, &id, api.parts.clock.now()).await?)
}

async fn edit(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Editing { title, description, content, tags, scope } = call.body()?;
    let edit = Edit { title, description, content, tags, scope, standing: None };
    if edit == Edit::default() {
        return Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "nothing_to_change",
            "could not edit the memory",
            "the body names nothing that should change",
            "send another `title`, `description`, `content`, `tags` or `scope`",
        ));
    }
    changed(&api, &call, &edit).await
}

/// Changes a strategy of the caller; gives it as it stands then.
async fn changed(api: &Api, call: &Call, edit: &Edit) -> Result<Reply, Problem> {
    let id = StrategyId::from(call.place("id"));
    Reply::ok(&api.parts.bank.edit(&call.caller, &id, edit, api.parts.clock.now()).await?)
}

async fn restore(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let edit = Edit { standing: Some(Standing::Active), ..Edit::default() };
    changed(&api, &call, &edit).await
}

async fn delete(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let id = StrategyId::from(call.place("id"));
    api.parts.bank.delete(&call.caller, &id).await?;
    Reply::ok(&Forgotten { deleted: id })
}

async fn archive(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Archiving { archived, reason } = call.body()?;
    let standing = if archived.unwrap_or(true) {
        let reason = reason.unwrap_or_else(|| "taken out of use by a person".to_owned());
        Standing::Archived { at: api.parts.clock.now(), reason }
    } else {
        Standing::Active
    };
    let edit = Edit { standing: Some(standing), ..Edit::default() };
    changed(&api, &call, &edit).await
}
