//! OpenAI's chat completions, which many servers speak: `POST /chat/completions`, server-sent events, the last
//! `[DONE]`.

use serde_json::{Value, json};

use super::{Fault, Gathered, Habits, Step, decimal, document, messages, said, tokens};
use crate::model::language::request::{ChatRequest, Stop};
use crate::model::language::schema::{Dialect, strict, wire_name};

pub(super) fn body(model: &str, request: &ChatRequest, habits: Habits, official: bool) -> Value {
    let mut body = json!({ "model": model, "messages": messages(request), "stream": true });
    // OpenAI's newer models know only the longer name; most other servers know only the shorter one.
    let limit = if official != habits.other_limit { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(request.max_output_tokens.max(1));
    if let Some(temperature) = request.temperature.filter(|_| !habits.no_temperature) {
        body["temperature"] = decimal(temperature);
    }
    if !habits.no_stream_options {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if let Some(schema) = request.schema.as_ref().filter(|_| !habits.no_schema) {
        let closed = strict(&schema.json, Dialect::OpenAi);
        body["response_format"] = json!({
            "type": "json_schema",
            "json_schema": {
                "name": wire_name(&schema.name),
                "strict": closed.is_some(),
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
    if data.trim() == "[DONE]" {
        gathered.whole = true;
        return Ok(Step::Done);
    }
    let value = document(data)?;
    if let Some(fault) = said(&value) {
        return Err(fault);
    }
    let mut step = Step::Alive;
    if let Some(model) = value.get("model").and_then(Value::as_str).filter(|m| !m.is_empty()) {
        gathered.model = Some(model.to_owned());
    }
    if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
        gathered.input_tokens = tokens(usage.get("prompt_tokens"));
        gathered.output_tokens = tokens(usage.get("completion_tokens"));
        step = Step::Progress;
    }
    let choices = value.get("choices").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    // One reply was asked for. A server that sends several is heard on the first.
    let index = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
    for choice in choices.iter().filter(index) {
        step = Step::Progress;
        // A whole reply, where a server does not stream, has a message in place of the pieces.
        let part = choice.get("delta").or_else(|| choice.get("message"));
        let piece = |name: &str| part?.get(name)?.as_str();
        for name in ["reasoning_content", "reasoning"] {
            if let Some(piece) = piece(name) {
                gathered.thinking.push_str(piece);
                break;
            }
        }
        if let Some(piece) = piece("content") {
            gathered.mixed(piece, on_text);
        }
        if let Some(piece) = piece("refusal").filter(|piece| !piece.is_empty()) {
            gathered.refused = true;
            gathered.plain(piece, on_text);
        }
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        gathered.stop = Some(match reason {
            None | Some("") => continue,
            Some("stop") => Stop::Complete,
            Some("length") => Stop::Length,
            Some("content_filter") => Stop::Refused,
            Some("error") => {
                let said = "the server ended the reply with finish_reason \"error\"".to_owned();
                return Err(Fault::Said { status: Some(502), said });
            }
            Some(other) => Stop::Other(other.to_owned()),
        });
        gathered.whole = true;
    }
    Ok(step)
}
