//! The tools of agents over plain HTTP: the same code, the same arguments, the same results.

use super::Api;
use super::problem::Problem;
use super::reply::Reply;
use super::table::{Call, Route};
use crate::mcp::Calls;
use crate::mcp::ports::{Nature, Refusal};
use crate::memory::Walled;
use axum::http::{Method, StatusCode};
use elenchus_core::graph::call as graph;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A tool as the table of tools has it.
pub(super) trait Tool {
    /// Its name there.
    const NAME: &'static str;
}

/// What a tool takes.
pub(super) struct Takes<T>(std::marker::PhantomData<T>);
/// What a tool gives.
pub(super) struct Gives<T>(std::marker::PhantomData<T>);

fn schema(name: &str, takes: bool) -> Schema {
    let Some(tool) = crate::mcp::tools(true, true).into_iter().find(|tool| tool.name == name)
    else {
        return Schema::default();
    };
    let mut object = if takes {
        (*tool.input_schema).clone()
    } else {
        tool.output_schema.map(|schema| (*schema).clone()).unwrap_or_default()
    };
    if takes {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    object.into()
}

impl<T: Tool> JsonSchema for Takes<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}_takes", T::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema(T::NAME, true)
    }
}

impl<T: Tool> JsonSchema for Gives<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}_gives", T::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schema(T::NAME, false)
    }
}

/// A route that is one tool.
pub(super) fn tool<T: Tool + 'static>(
    path: &'static str,
    id: &'static str,
    about: &'static str,
) -> Route {
    Route::new(Method::POST, path, id, about)
        .body::<Takes<T>>()
        .gives::<Gives<T>>(200, "What came of it.")
        .fails(&[404, 422])
        .by(|api, call| async move {
            let arguments = call.body::<Map<String, Value>>()?;
            Reply::ok(&called(&api, &call, T::NAME, arguments).await?)
        })
}

/// Calls a tool on behalf of whoever sent the request.
pub(super) async fn called(
    api: &Api,
    call: &Call,
    name: &str,
    arguments: Map<String, Value>,
) -> Result<Value, Problem> {
    let caller = call.caller.clone();
    if let Some(problem) = super::own_runs::refused_tool(&caller, &api.caller, name) {
        return Err(problem);
    }
    match Calls::new(&api.parts, caller).tool(name, arguments).await {
        Some(told) => told.map_err(problem),
        None => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Problem {
    Problem::unknown("unknown_tool", "tool", name, "the tools are those of POST /v1/tools")
}

/// A refusal of a tool. What is missing is told apart from what is wrong.
fn problem(refusal: Refusal) -> Problem {
    if refusal.attempted.starts_with("could not find") {
        return Problem::refused(StatusCode::NOT_FOUND, "unknown", refusal);
    }
    let (status, code) = match refusal.nature {
        Nature::Refused => (StatusCode::BAD_REQUEST, "refused"),
        Nature::Malformed => (StatusCode::UNPROCESSABLE_ENTITY, "bad_argument"),
        Nature::Forbidden => (StatusCode::FORBIDDEN, "forbidden"),
    };
    Problem::refused(status, code, refusal)
}

/// One call by name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Envelope {
    /// A tool of agents (`memory_search`, `verify_claims`, ...) or of the evidence graph (`memory.save`, ...).
    #[schemars(length(min = 1, max = 100))]
    tool: String,
    /// What it is given.
    #[serde(default)]
    params: Option<Map<String, Value>>,
    /// Whether the result of a tool of the evidence graph comes in camel case.
    #[serde(default, alias = "camelCase")]
    camel_case: bool,
}

/// What came of a call by name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Done {
    /// In the tool's own shape.
    result: Value,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::new(Method::POST, "/v1/tools", "callTool", "Call any tool by its name")
            .body::<Envelope>()
            .gives::<Done>(200, "What came of it.")
            .fails(&[404, 422])
            .takes(Some(super::judging::LONG))
            .by(envelope),
    ]
}

async fn envelope(api: Arc<Api>, call: Call) -> Result<Reply, Problem> {
    let Envelope { tool, params, camel_case } = call.body()?;
    let params = params.unwrap_or_default();
    if crate::memory::is_tool(&tool) {
        let result = graphed(&api, &call, tool, Value::Object(params), camel_case).await?;
        return Reply::ok(&Done { result });
    }
    let result = called(&api, &call, &tool, params).await?;
    Reply::ok(&Done { result })
}

/// Calls a tool of the evidence graph.
pub(super) async fn graphed(
    api: &Api,
    call: &Call,
    tool: String,
    params: Value,
    camel_case: bool,
) -> Result<Value, Problem> {
    let asked = graph::Call { tool, params, camel_case };
    let now = api.parts.clock.now();
    let memos = Walled::of(&*api.memos, &call.caller, api.parts.home.as_ref());
    match crate::memory::dispatch(&memos, &call.caller, asked, now).await {
        graph::Reply::Result(result) => Ok(result),
        graph::Reply::Error(error) => {
            let status = match error.kind.as_str() {
                "unknown_memo" | "unknown_tool" => StatusCode::NOT_FOUND,
                "storage" => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::BAD_REQUEST,
            };
            let attempted = format!("could not {}", error.attempted);
            Err(Problem::new(status, &error.kind, attempted, error.cause, error.way_out))
        }
    }
}
