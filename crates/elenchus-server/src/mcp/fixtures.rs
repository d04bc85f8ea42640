//! What the conformance suite of the protocol calls: tools, resources and prompts with fixed answers, on the same
//! transports and the same handler as ours. In builds with the feature `conformance-fixtures` alone.

pub(super) mod tasks;

use elenchus_core::id::short_hash;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, InputRequests, InputRequiredResult, InputResponses,
    JsonObject, ProgressNotificationParam, Prompt, PromptArgument, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate, ServerCapabilities, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// One red pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const TOOLS: [&str; 19] = [
    "test_logging_tool",
    "test_streaming_elicitation",
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_error_handling",
    "test_missing_capability",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
];

/// The tool whose argument has to stand in a header as well.
const IN_A_HEADER: &str = "test_custom_header";

/// The tool whose schema has to come as it is: the suite compares keyword by keyword.
const WITH_A_SCHEMA: &str = "json_schema_2020_12_tool";

fn schema_of_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "addressDef", "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } } } },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}

pub(super) fn tools() -> Vec<Tool> {
    let tool = |name: &'static str, schema: &Value| {
        let schema: Arc<JsonObject> = Arc::new(schema.as_object().cloned().unwrap_or_default());
        Tool::new(name, "A fixture of the conformance suite.", schema)
    };
    let plain = json!({ "type": "object", "properties": {} });
    let region = json!({ "type": "object", "properties": {
        "region": { "type": "string", "x-mcp-header": "Region" } } });
    let mut tools: Vec<Tool> =
        TOOLS.iter().chain(&tasks::TOOLS).map(|&name| tool(name, &plain)).collect();
    tools.extend([tool(IN_A_HEADER, &region), tool(WITH_A_SCHEMA, &schema_of_2020_12())]);
    tools
}

pub(super) fn is_tool(name: &str) -> bool {
    tools().iter().any(|tool| tool.name == name)
}

pub(super) fn declare(capabilities: &mut ServerCapabilities) {
    capabilities.logging = Some(JsonObject::default());
    if let Some(resources) = &mut capabilities.resources {
        resources.subscribe = Some(true);
    }
}

pub(super) fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "static text").with_mime_type("text/plain"),
        Resource::new("test://static-binary", "static binary").with_mime_type("image/png"),
        Resource::new("test://watched-resource", "watched").with_mime_type("text/plain"),
    ]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new("test://template/{id}/data", "test template")
            .with_mime_type("application/json"),
    ]
}

pub(super) fn read(uri: &str) -> Option<ReadResourceResult> {
    let contents = match uri {
        "test://static-text" => ResourceContents::text("A text that never changes.", uri),
        "test://watched-resource" => ResourceContents::text("A text that might change.", uri),
        "test://static-binary" => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            ResourceContents::text(data.to_string(), uri).with_mime_type("application/json")
        }
    };
    Some(ReadResourceResult::new(vec![contents]))
}

pub(super) fn prompts() -> Vec<Prompt> {
    let argument = |name: &str| PromptArgument::new(name).with_required(true);
    let prompt = |name: &str, arguments: Vec<PromptArgument>| {
        Prompt::new(name, Some("A fixture of the conformance suite."), Some(arguments))
    };
    vec![
        prompt("test_simple_prompt", vec![]),
        prompt("test_prompt_with_arguments", vec![argument("arg1"), argument("arg2")]),
        prompt("test_prompt_with_embedded_resource", vec![argument("resourceUri")]),
        prompt("test_prompt_with_image", vec![]),
        prompt("test_input_required_result_prompt", vec![]),
    ]
}

/// Content from its JSON, which is how the protocol writes it.
fn content(value: Value) -> Result<ContentBlock, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn image() -> Value {
    json!({ "type": "image", "data": PNG, "mimeType": "image/png" })
}

fn embedded(uri: &str) -> Value {
    json!({ "type": "resource",
        "resource": { "uri": uri, "mimeType": "text/plain", "text": "The text of a resource." } })
}

pub(super) fn prompt(
    request: GetPromptRequestParams,
    _: &RequestContext<RoleServer>,
) -> Result<GetPromptResponse, ErrorData> {
    let argument = |name: &str| {
        let text = request.arguments.as_ref().and_then(|all| all.get(name)?.as_str());
        text.map(str::to_owned).ok_or_else(|| {
            ErrorData::invalid_params(format!("the argument `{name}` is missing: give it"), None)
        })
    };
    let said = |text: &str| json!({ "type": "text", "text": text });
    let messages = match request.name.as_str() {
        "test_simple_prompt" => vec![said("A prompt without arguments.")],
        "test_prompt_with_arguments" => {
            vec![said(&format!("Given {:?} and {:?}.", argument("arg1")?, argument("arg2")?))]
        }
        "test_prompt_with_embedded_resource" => {
            vec![embedded(&argument("resourceUri")?), said("Look at the resource.")]
        }
        "test_prompt_with_image" => vec![image(), said("Look at the picture.")],
        "test_input_required_result_prompt" => {
            match answered(request.input_responses.as_ref(), "user_context")? {
                Some(given) => {
                    vec![said(&format!("In the context of {}.", given["content"]["context"]))]
                }
                None => {
                    let asked =
                        json!({ "user_context": elicit("Which context?", "context", "string") });
                    return Ok(ask(asked, None)?.into());
                }
            }
        }
        _ => return Err(ErrorData::invalid_params("there is no such prompt", None)),
    };
    let messages: Vec<Value> =
        messages.into_iter().map(|content| json!({ "role": "user", "content": content })).collect();
    let messages = serde_json::from_value(Value::Array(messages))
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(GetPromptResult::new(messages).into())
}

fn elicit(message: &str, field: &str, kind: &str) -> Value {
    let mut properties = JsonObject::new();
    properties.insert(field.to_owned(), json!({ "type": kind }));
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": message,
        "requestedSchema": { "type": "object", "properties": properties, "required": [field] } } })
}

fn sample(text: &str) -> Value {
    json!({ "method": "sampling/createMessage", "params": { "maxTokens": 100,
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] } })
}

fn ask(requests: Value, state: Option<String>) -> Result<InputRequiredResult, ErrorData> {
    let requests: InputRequests = serde_json::from_value(requests)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(InputRequiredResult::new(Some(requests), state))
}

/// What a client answered under a name; an error when that is no object.
fn answered<'a>(
    responses: Option<&'a InputResponses>,
    name: &str,
) -> Result<Option<&'a Value>, ErrorData> {
    match responses.and_then(|responses| responses.get(name)) {
        Some(value) if value.is_object() => Ok(Some(value)),
        Some(_) => {
            Err(ErrorData::invalid_params(format!("the response {name:?} is no object"), None))
        }
        None => Ok(None),
    }
}

/// A state that only this process can have made.
fn state(round: u32) -> String {
    let secret = std::process::id();
    let mark =
        short_hash(format!("{secret}\0{round}\0{}", env!("CARGO_PKG_VERSION")).as_bytes(), 24);
    format!("{round}.{mark}")
}

fn checked(given: Option<&String>, round: u32) -> Result<(), ErrorData> {
    if given.is_some_and(|given| *given == state(round)) {
        return Ok(());
    }
    Err(ErrorData::invalid_params("the request state is not one that this server has given", None))
}

fn said(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn done(text: &str) -> CallToolResponse {
    said(text).into()
}

pub(super) async fn call(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if tasks::TOOLS.contains(&request.name.as_ref()) {
        return tasks::call(&request, context).await;
    }
    let responses = request.input_responses.as_ref();
    let given = |name: &str| answered(responses, name);
    let asked = |requests: Value, state: Option<String>| Ok(ask(requests, state)?.into());
    Ok(match request.name.as_ref() {
        "test_simple_text" => done("A text, and nothing else."),
        // What is wrong with the header or the arguments is found before a tool is called.
        IN_A_HEADER => done("The header says what the argument says."),
        WITH_A_SCHEMA => done("The schema came as it is."),
        "test_image_content" => CallToolResult::success(vec![content(image())?]).into(),
        "test_audio_content" => {
            let sound = json!({ "type": "audio", "data": WAV, "mimeType": "audio/wav" });
            CallToolResult::success(vec![content(sound)?]).into()
        }
        "test_embedded_resource" => {
            CallToolResult::success(vec![content(embedded("test://embedded-resource"))?]).into()
        }
        "test_multiple_content_types" => {
            let blocks = vec![
                ContentBlock::text("Three kinds:"),
                content(image())?,
                content(embedded("test://mixed-content-resource"))?,
            ];
            CallToolResult::success(blocks).into()
        }
        "test_error_handling" => {
            CallToolResult::error(vec![ContentBlock::text("This fails on purpose.")]).into()
        }
        "test_tool_with_progress" => {
            for part in [0.0, 50.0, 100.0] {
                if let Some(token) = context.meta.get_progress_token() {
                    let note = ProgressNotificationParam::new(token, part).with_total(100.0);
                    let _ = context.peer.notify_progress(note).await;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            done("Three steps were taken.")
        }
        "test_tool_with_logging" => logged(context).await,
        // In 2026-07-28 messages are for those who asked for a level.
        "test_logging_tool" => {
            let meta = serde_json::to_value(&context.meta).unwrap_or_default();
            if meta["io.modelcontextprotocol/logLevel"].is_null() {
                done("Nothing was logged.")
            } else {
                logged(context).await
            }
        }
        "test_missing_capability" => {
            let samples = context.client_capabilities().is_some_and(|client| {
                serde_json::to_value(client).is_ok_and(|client| !client["sampling"].is_null())
            });
            if !samples {
                let required = serde_json::from_value(json!({ "sampling": {} }))
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
                return Err(ErrorData::missing_required_client_capability(required));
            }
            done("The client can be asked.")
        }
        "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
            match given("user_name")? {
                Some(name) => done(&format!("Hello, {}!", name["content"]["name"])),
                None => {
                    return asked(
                        json!({ "user_name": elicit("What is your name?", "name", "string") }),
                        None,
                    );
                }
            }
        }
        "test_input_required_result_sampling" => match given("capital_question")? {
            Some(reply) => done(&format!("The model says {}.", reply["content"]["text"])),
            None => {
                return asked(
                    json!({ "capital_question": sample("What is the capital of France?") }),
                    None,
                );
            }
        },
        "test_input_required_result_list_roots" => match given("client_roots")? {
            Some(roots) => done(&format!("The roots are {}.", roots["roots"])),
            None => {
                return asked(
                    json!({ "client_roots": { "method": "roots/list", "params": {} } }),
                    None,
                );
            }
        },
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            let Some(_) = given("confirm")? else {
                let confirm = json!({ "confirm": elicit("Go on?", "ok", "boolean") });
                return asked(confirm, Some(state(1)));
            };
            checked(request.request_state.as_ref(), 1)?;
            done("state-ok")
        }
        "test_input_required_result_multiple_inputs" => {
            let names = ["user_name", "greeting", "client_roots"];
            let all: Result<Vec<_>, ErrorData> = names.into_iter().map(given).collect();
            if all?.iter().any(Option::is_none) {
                let requests = json!({
                    "user_name": elicit("What is your name?", "name", "string"),
                    "greeting": sample("Greet somebody."),
                    "client_roots": { "method": "roots/list", "params": {} },
                });
                return asked(requests, Some(state(1)));
            }
            checked(request.request_state.as_ref(), 1)?;
            done("All three were answered.")
        }
        "test_input_required_result_multi_round" => {
            if given("step2")?.is_some() {
                checked(request.request_state.as_ref(), 2)?;
                done("Both steps were taken.")
            } else if given("step1")?.is_some() {
                checked(request.request_state.as_ref(), 1)?;
                let second =
                    json!({ "step2": elicit("Which colour do you like?", "color", "string") });
                return asked(second, Some(state(2)));
            } else {
                let first = json!({ "step1": elicit("What is your name?", "name", "string") });
                return asked(first, Some(state(1)));
            }
        }
        "test_input_required_result_capabilities" => {
            if responses.is_some_and(|responses| !responses.is_empty()) {
                return Ok(done("The client has answered."));
            }
            let client = context.client_capabilities().map(serde_json::to_value);
            let client = client.and_then(Result::ok).unwrap_or_default();
            let mut requests = JsonObject::new();
            if !client["sampling"].is_null() {
                requests.insert("sampled".to_owned(), sample("Say something."));
            }
            if !client["elicitation"].is_null() {
                requests.insert("elicited".to_owned(), elicit("Say something.", "word", "string"));
            }
            return asked(Value::Object(requests), None);
        }
        _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
    })
}

#[expect(deprecated, reason = "the scenarios of 2025-11-25 still ask for log messages")]
async fn logged(context: &RequestContext<RoleServer>) -> CallToolResponse {
    use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
    for text in ["begun", "under way", "done"] {
        let note = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(text));
        let _ = context.peer.notify_logging_message(note).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    done("Three messages were logged.")
}
