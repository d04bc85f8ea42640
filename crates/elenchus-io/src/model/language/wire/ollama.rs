//! Ollama's own API: `POST /api/chat`, a JSON document a line, the last with `done: true`.

use serde_json::{Value, json};

use super::{Fault, Gathered, Habits, Step, decimal, document, messages, said, tokens};
use crate::model::language::request::{ChatRequest, Stop};

/// The smallest room that is asked for.
const LEAST_CONTEXT: u64 = 2048;

/// The context to ask for: the need rounded up to a power of two, so that Ollama reloads a model seldom, at most
/// `most`. Without it Ollama takes its own small default and silently forgets the beginning of the prompt.
pub(in crate::model::language) fn context(need: u64, most: u64) -> u64 {
    // Powers of two stop at the cap, which is far below where this could overflow.
    need.min(1 << 40).next_power_of_two().max(LEAST_CONTEXT).min(most)
}

pub(super) fn body(model: &str, request: &ChatRequest, habits: Habits, context: u64) -> Value {
    let mut options =
        json!({ "num_ctx": context, "num_predict": request.max_output_tokens.max(1) });
    if let Some(temperature) = request.temperature.filter(|_| !habits.no_temperature) {
        options["temperature"] = decimal(temperature);
    }
    let mut body = json!({
        "model": model,
        "messages": messages(request),
        "stream": true,
        "options": options,
        // Newer servers then answer with an error when the prompt does not fit; older ones do not know the word.
        "truncate": false,
    });
    if let Some(schema) = request.schema.as_ref().filter(|_| !habits.no_schema) {
        body["format"] = schema.json.clone();
    }
    body
}

pub(super) fn read(
    data: &str,
    gathered: &mut Gathered,
    on_text: &mut dyn FnMut(&str),
) -> Result<Step, Fault> {
    let value = document(data)?;
    if let Some(fault) = said(&value) {
        return Err(fault);
    }
    if let Some(model) = value.get("model").and_then(Value::as_str) {
        gathered.model = Some(model.to_owned());
    }
    if let Some(piece) = value.pointer("/message/thinking").and_then(Value::as_str) {
        gathered.thinking.push_str(piece);
    }
    if let Some(piece) = value.pointer("/message/content").and_then(Value::as_str) {
        gathered.mixed(piece, on_text);
    }
    if value.get("done") != Some(&Value::Bool(true)) {
        return Ok(Step::Progress);
    }
    gathered.stop = Some(match value.get("done_reason").and_then(Value::as_str) {
        None | Some("stop" | "") => Stop::Complete,
        Some("length") => Stop::Length,
        Some(other) => Stop::Other(other.to_owned()),
    });
    gathered.input_tokens = tokens(value.get("prompt_eval_count"));
    gathered.output_tokens = tokens(value.get("eval_count"));
    gathered.whole = true;
    Ok(Step::Done)
}
