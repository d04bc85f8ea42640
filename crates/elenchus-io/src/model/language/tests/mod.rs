//! Tests of the transport to language models. No real server is asked: what is sent and parsed is compared with
//! fixtures written by hand after the providers' documentation (`origin: documented`), and faults are played by a
//! small server on the loopback interface.

mod caching;
mod counting;
mod faults;
mod parts;
mod probing;
mod real;
mod retries;
pub(crate) mod server;
mod spares;
mod streams;
mod whole;
mod wires;

use std::time::Duration;

use serde_json::json;

use super::*;

/// A key that must never show anywhere.
pub(crate) const KEY: &str = "sk-test-4711-never-show";

/// Recorded by nobody: written by hand. origin: documented (Ollama's API documentation, `/api/chat`).
pub(crate) const OLLAMA: &str = concat!(
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"Rain\"},\"done\":false}\n",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\" fällt 🌧\"},\"done\":false}\n",
    "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",",
    "\"prompt_eval_count\":11,\"eval_count\":4}\n",
);

/// origin: documented (OpenAI's API reference, streaming chat completions).
pub(crate) const OPENAI: &str = concat!(
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},",
    "\"finish_reason\":null}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Rain\"},\"finish_reason\":null}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" fällt 🌧\"},\"finish_reason\":null}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":4}}\n\n",
    "data: [DONE]\n\n",
);

/// origin: documented (Anthropic's API documentation, streaming messages).
pub(crate) const ANTHROPIC: &str = concat!(
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"content\":[],",
    "\"usage\":{\"input_tokens\":11,\"output_tokens\":1}}}\n\n",
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,",
    "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
    "event: ping\ndata: {\"type\":\"ping\"}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,",
    "\"delta\":{\"type\":\"text_delta\",\"text\":\"Rain\"}}\n\n",
    "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,",
    "\"delta\":{\"type\":\"text_delta\",\"text\":\" fällt 🌧\"}}\n\n",
    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},",
    "\"usage\":{\"output_tokens\":4}}\n\n",
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
);

/// What all three streams say.
pub(crate) const SAID: &str = "Rain fällt 🌧";

pub(crate) fn recorded(provider: Provider) -> &'static str {
    match provider {
        Provider::Ollama => OLLAMA,
        Provider::OpenAi => OPENAI,
        Provider::Anthropic => ANTHROPIC,
    }
}

/// The first byte count at which the stream may count as complete.
pub(crate) fn whole_from(provider: Provider) -> usize {
    match provider {
        // The last line needs no line feed.
        Provider::Ollama => OLLAMA.len() - 1,
        // A finish_reason is enough; the event ends with the blank line.
        Provider::OpenAi => OPENAI.find("data: {\"model\":\"m\",\"choices\":[],").unwrap(),
        Provider::Anthropic => ANTHROPIC.len(),
    }
}

/// Settings with deadlines that a busy machine keeps too, and waits of milliseconds.
pub(crate) fn quick() -> Settings {
    Settings {
        deadlines: Deadlines {
            connect: Duration::from_secs(3),
            first_byte: Duration::from_secs(5),
            stall: Duration::from_secs(5),
            whole: Duration::from_secs(15),
        },
        retry: Retry { backoff: Duration::from_millis(2), ..Retry::default() },
        breaker: BreakerLimits { failures: 1_000, pause: Duration::from_secs(30) },
        ..Settings::default()
    }
}

/// Settings for the tests in which a deadline passes.
pub(crate) fn hasty() -> Settings {
    let mut settings = quick();
    settings.deadlines.first_byte = Duration::from_millis(300);
    settings.deadlines.stall = Duration::from_millis(200);
    settings
}

pub(crate) fn once() -> Settings {
    let mut settings = quick();
    settings.retry.tries = 1;
    settings
}

pub(crate) fn request() -> ChatRequest {
    ChatRequest {
        system: "Be brief.".to_owned(),
        user: "What falls?".to_owned(),
        schema: None,
        max_output_tokens: 100,
        temperature: Some(0.2),
    }
}

pub(crate) fn with_schema() -> ChatRequest {
    let json = json!({
        "type": "object",
        "properties": { "what": { "type": "string" }, "why": { "type": "string" } },
        "required": ["what"],
    });
    ChatRequest { schema: Some(Schema { name: "an answer".to_owned(), json }), ..request() }
}

pub(crate) fn name(provider: Provider) -> ModelName {
    ModelName { provider, model: "m".to_owned() }
}

pub(crate) fn client(provider: Provider, base: &str, settings: Settings) -> ChatClient {
    let endpoint = Endpoint::new(provider, Some(base), Some(KEY)).unwrap();
    ChatClient::new(name(provider), endpoint, settings).unwrap()
}

/// The message of an error, after a check that it shows no key.
pub(crate) fn shown(error: &ChatError) -> String {
    let text = error.to_string();
    assert!(!text.contains(KEY) && !format!("{error:?}").contains(KEY), "the key shows: {text}");
    text
}
