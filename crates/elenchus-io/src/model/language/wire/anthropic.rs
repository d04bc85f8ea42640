//! Anthropic's messages: `POST /v1/messages`, server-sent events, the last `message_stop`.

use serde_json::{Value, json};

use super::{Fault, Gathered, Habits, Step, decimal, document, said, tokens};
use crate::model::language::request::{ChatRequest, Stop};
use crate::model::language::schema::{Dialect, strict};

/// The version of the API that is spoken here, sent as `anthropic-version`.
pub(in crate::model::language) const VERSION: &str = "2023-06-01";

pub(super) fn body(model: &str, request: &ChatRequest, habits: Habits) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_output_tokens.max(1),
        "messages": [{ "role": "user", "content": request.user }],
        "stream": true,
    });
    if !request.system.is_empty() {
        body["system"] = json!(request.system);
    }
    if let Some(temperature) = request.temperature.filter(|_| !habits.no_temperature) {
        body["temperature"] = decimal(temperature);
    }
    if let Some(schema) = request.schema.as_ref().filter(|_| !habits.no_schema) {
        let closed = strict(&schema.json, Dialect::Anthropic);
        body["output_config"] = json!({
            "format": {
                "type": "json_schema",
                "schema": closed.as_ref().unwrap_or(&schema.json),
            },
        });
    }
    body
}

pub(super) fn read(
    data: &str,
    gathered: &mut Gathered,
    on_text: &mut dyn FnMut(&str),
) -> Result<Step, Fault> {
    let value = document(data)?;
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    if let Some(fault) = said(&value) {
        return Err(fault);
    }
    if kind.starts_with("content_block") && !gathered.opened {
        let start = crate::model::language::said::tidy(data, 120);
        return Err(Fault::Foreign { cause: "its messages are out of order", start });
    }
    match kind {
        "message_start" => {
            gathered.opened = true;
            let message = value.get("message").unwrap_or(&Value::Null);
            if let Some(model) = message.get("model").and_then(Value::as_str) {
                gathered.model = Some(model.to_owned());
            }
            usage(message.get("usage"), gathered);
        }
        "content_block_delta" => {
            let delta = value.get("delta").unwrap_or(&Value::Null);
            let piece = |name: &str| delta.get(name).and_then(Value::as_str).unwrap_or_default();
            match delta.get("type").and_then(Value::as_str) {
                Some("text_delta") => gathered.plain(piece("text"), on_text),
                Some("thinking_delta") => gathered.thinking.push_str(piece("thinking")),
                _ => {}
            }
        }
        "message_delta" => {
            let reason = value.pointer("/delta/stop_reason").and_then(Value::as_str);
            if let Some(reason) = reason {
                gathered.stop = Some(stop(reason));
            }
            usage(value.get("usage"), gathered);
        }
        "message_stop" => {
            gathered.whole = true;
            return Ok(Step::Done);
        }
        "content_block_start" | "content_block_stop" => {}
        // Pings, and kinds that are not known yet.
        _ => return Ok(Step::Alive),
    }
    Ok(Step::Progress)
}

/// A whole message, from a server that does not stream.
pub(super) fn read_whole(
    value: &Value,
    gathered: &mut Gathered,
    on_text: &mut dyn FnMut(&str),
) -> Result<Step, Fault> {
    if let Some(fault) = said(value) {
        return Err(fault);
    }
    let Some(content) = value.get("content").and_then(Value::as_array) else {
        return Ok(Step::Alive);
    };
    for block in content {
        let piece = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
        gathered.thinking.push_str(piece("thinking"));
        gathered.plain(piece("text"), on_text);
    }
    gathered.model = value.get("model").and_then(Value::as_str).map(str::to_owned);
    usage(value.get("usage"), gathered);
    gathered.stop = value.get("stop_reason").and_then(Value::as_str).map(stop);
    gathered.whole = true;
    Ok(Step::Done)
}

fn stop(reason: &str) -> Stop {
    match reason {
        "end_turn" | "stop_sequence" => Stop::Complete,
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Refused,
        other => Stop::Other(other.to_owned()),
    }
}

/// Counts of tokens are totals so far: the last one said holds.
fn usage(usage: Option<&Value>, gathered: &mut Gathered) {
    let Some(usage) = usage else { return };
    if let Some(fresh) = tokens(usage.get("input_tokens")) {
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
            .into_iter()
            .filter_map(|name| tokens(usage.get(name)));
        gathered.input_tokens = Some(cached.fold(fresh, u64::saturating_add));
    }
    if let Some(count) = tokens(usage.get("output_tokens")) {
        gathered.output_tokens = Some(count);
    }
}
