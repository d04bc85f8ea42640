//! What is sent, field by field. origin: documented (the three providers' API references).

use serde_json::Value;

use super::server::{Scene, Server};
use super::*;
use crate::model::language::wire::{Habits, outgoing};

fn body(provider: Provider, base: Option<&str>, request: &ChatRequest, habits: Habits) -> Value {
    let endpoint = Endpoint::new(provider, base, Some(KEY)).unwrap();
    outgoing(&name(provider), &endpoint, request, habits, 2048).body
}

#[test]
fn ollama_body() {
    let expected = json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "What falls?" },
        ],
        "stream": true,
        "truncate": false,
        "options": { "num_ctx": 2048, "num_predict": 100, "temperature": 0.2 },
        "format": {
            "type": "object",
            "properties": { "what": { "type": "string" }, "why": { "type": "string" } },
            "required": ["what"],
        },
    });
    assert_eq!(body(Provider::Ollama, None, &with_schema(), Habits::default()), expected);
}

#[test]
fn openai_body() {
    let expected = json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "What falls?" },
        ],
        "stream": true,
        "stream_options": { "include_usage": true },
        "max_completion_tokens": 100,
        "temperature": 0.2,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "an_answer",
                "strict": true,
                "schema": {
                    "type": "object",
                    "properties": {
                        "what": { "type": "string" },
                        "why": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                    },
                    "required": ["what", "why"],
                    "additionalProperties": false,
                },
            },
        },
    });
    let official = body(Provider::OpenAi, None, &with_schema(), Habits::default());
    assert_eq!(official, expected);

    let own = body(Provider::OpenAi, Some("http://lab:8000/v1"), &request(), Habits::default());
    assert_eq!((&own["max_tokens"], own.get("max_completion_tokens")), (&json!(100), None));
    assert_eq!(own.get("response_format"), None);

    let all = Habits {
        no_schema: true,
        no_stream_options: true,
        no_temperature: true,
        other_limit: true,
    };
    let bare = body(Provider::OpenAi, None, &with_schema(), all);
    let expected = json!({
        "model": "m", "messages": official["messages"], "stream": true, "max_tokens": 100,
    });
    assert_eq!(bare, expected);
}

#[test]
fn anthropic_body() {
    let expected = json!({
        "model": "m",
        "system": "Be brief.",
        "messages": [{ "role": "user", "content": "What falls?" }],
        "stream": true,
        "max_tokens": 100,
        "temperature": 0.2,
        "output_config": {
            "format": {
                "type": "json_schema",
                "schema": {
                    "type": "object",
                    "properties": { "what": { "type": "string" }, "why": { "type": "string" } },
                    "required": ["what"],
                    "additionalProperties": false,
                },
            },
        },
    });
    assert_eq!(body(Provider::Anthropic, None, &with_schema(), Habits::default()), expected);
    let plain = ChatRequest { system: String::new(), temperature: None, ..request() };
    let body = body(Provider::Anthropic, None, &plain, Habits::default());
    assert_eq!((body.get("system"), body.get("temperature")), (None, None));
}

#[tokio::test]
async fn every_wire_end_to_end() {
    for (provider, path, key) in [
        (Provider::Ollama, "post /api/chat http/1.1", "authorization: bearer"),
        (Provider::OpenAi, "post /v1/chat/completions http/1.1", "authorization: bearer"),
        (Provider::Anthropic, "post /v1/messages http/1.1", "x-api-key:"),
    ] {
        let server = Server::start(vec![Scene::stream(recorded(provider))]).await;
        let tail = if provider == Provider::OpenAi { "/v1" } else { "" };
        let client = client(provider, &format!("{}{tail}/", server.base), quick());
        let mut shown = String::new();
        let reply = client.chat(&with_schema(), &mut |text| shown.push_str(text)).await.unwrap();
        assert_eq!((reply.text.as_str(), shown.as_str()), (SAID, SAID));
        assert_eq!(reply.stop, Stop::Complete);
        assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (11, 4));
        assert!(!reply.usage_estimated && reply.schema_sent && reply.tries == 1);
        assert_eq!((reply.model.as_str(), reply.thinking), ("m", None));
        // A server of one's own has no known price, but Ollama's is nothing.
        assert_eq!(reply.cost_micro_usd, (provider == Provider::Ollama).then_some(0));
        let seen = server.seen();
        let head = &seen[0].head;
        assert_eq!(head.lines().next(), Some(path));
        assert!(head.contains(&format!("{key} {KEY}")), "{head}");
        assert_eq!(head.contains("anthropic-version: 2023-06-01"), provider == Provider::Anthropic);
        assert_eq!(seen[0].body["stream"], json!(true));
        if provider == Provider::Ollama {
            assert_eq!(seen[0].body["options"]["num_ctx"], json!(2048));
        }
    }
}

#[tokio::test]
async fn usage_that_is_not_told_is_estimated_and_said_to_be() {
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"12345678\"},\"finish_reason\":\"stop\"}]}\n\n";
    let server = Server::start(vec![Scene::stream(stream)]).await;
    let mut settings = quick();
    settings.price = Some(Price { input: 1.0, output: 10.0 });
    let reply =
        client(Provider::OpenAi, &server.base, settings).chat_quiet(&request()).await.unwrap();
    assert!(reply.usage_estimated);
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (5, 2));
    assert_eq!((reply.cost_micro_usd, reply.usage.cost_micro_usd), (Some(25), 25));
}

/// The price in the settings is that of the model they are for.
#[tokio::test]
async fn every_model_has_its_own_price() {
    let server = Server::start(vec![Scene::stream(OPENAI)]).await;
    let mut settings = quick();
    settings.price = Some(Price { input: 1.0, output: 10.0 });
    let first = client(Provider::OpenAi, &server.base, settings);
    let second = first.for_model("m-small").unwrap();
    assert_eq!(second.price(), None, "nobody has told one");
    let second = second.priced(Price { input: 0.5, output: 2.0 });
    let cost = |reply: ChatReply| reply.cost_micro_usd;
    assert_eq!(cost(first.chat_quiet(&request()).await.unwrap()), Some(11 + 40));
    assert_eq!(cost(second.chat_quiet(&request()).await.unwrap()), Some(6 + 8));
}

#[tokio::test]
async fn ollama_gets_the_room_that_the_prompt_needs_and_no_more_than_the_cap() {
    let server = Server::start(vec![Scene::stream(OLLAMA)]).await;
    let client = client(Provider::Ollama, &server.base, quick());
    for (bytes, room) in [(10, 2048), (9_000, 4096), (30_000, 16_384), (90_000, 32_768)] {
        let request = ChatRequest { user: "x".repeat(bytes), ..request() };
        client.chat_quiet(&request).await.unwrap();
        let sent = server.seen().last().unwrap().body["options"]["num_ctx"].clone();
        assert_eq!(sent, json!(room), "for {bytes} bytes");
    }
    let before = server.count();
    let error = client
        .chat_quiet(&ChatRequest { user: "x".repeat(200_000), ..request() })
        .await
        .unwrap_err();
    assert!(matches!(error, ChatError::TooLong { .. }) && error.is_permanent());
    assert!(shown(&error).contains("32768"), "{error}");
    assert_eq!(server.count(), before, "nothing is sent");
}

#[tokio::test]
async fn another_model_is_an_error_where_names_can_be_compared() {
    let server = Server::start(vec![Scene::stream(OLLAMA.replace("\"m\"", "\"n\""))]).await;
    let error =
        client(Provider::Ollama, &server.base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::WrongModel { .. }) && error.is_permanent());
    assert!(shown(&error).contains("`n`"));
    assert_eq!(server.count(), 1);

    let server = Server::start(vec![Scene::stream(OLLAMA.replace("\"m\"", "\"m:latest\""))]).await;
    let reply =
        client(Provider::Ollama, &server.base, quick()).chat_quiet(&request()).await.unwrap();
    assert_eq!(reply.model, "m:latest");

    // A gateway may call a model as it likes; the reply tells.
    let server =
        Server::start(vec![Scene::stream(OPENAI.replace("\"m\"", "\"/models/n.gguf\""))]).await;
    let reply =
        client(Provider::OpenAi, &server.base, quick()).chat_quiet(&request()).await.unwrap();
    assert_eq!(reply.model, "/models/n.gguf");
}

#[tokio::test]
async fn a_call_may_move_between_threads() {
    let server = Server::start(vec![Scene::stream(OLLAMA)]).await;
    let client = client(Provider::Ollama, &server.base, quick());
    // What is spawned has to be `Send`, as what the `Model` port returns has to be.
    let reply = tokio::spawn(async move { client.chat_quiet(&request()).await }).await.unwrap();
    assert_eq!(reply.unwrap().text, SAID);
}
