//! The small parts: names, addresses, secrets, schemas, prices, thinking.

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::model::language::schema::{Dialect, strict, wire_name};
use crate::model::language::think::ThinkSplit;

fn parsed(text: &str) -> Result<ModelName, NameError> {
    text.parse()
}

#[test]
fn names() {
    for (text, provider, model) in [
        ("ollama:llama3.2:3b", Provider::Ollama, "llama3.2:3b"),
        (" OpenAI:gpt-4o ", Provider::OpenAi, "gpt-4o"),
        ("openai:meta/llama:free", Provider::OpenAi, "meta/llama:free"),
        ("anthropic: claude-x", Provider::Anthropic, "claude-x"),
    ] {
        let name = parsed(text).unwrap();
        assert_eq!((name.provider, name.model.as_str()), (provider, model));
        assert_eq!(parsed(&name.to_string()).unwrap(), name);
    }
    let unknown = parsed("gemini:x").unwrap_err().to_string();
    for part in ["`gemini`", "ollama, openai, anthropic", "gemini:x"] {
        assert!(unknown.contains(part), "{unknown}");
    }
    assert!(matches!(parsed("llama3"), Err(NameError::NoProvider { .. })));
    assert!(parsed("llama3").unwrap_err().to_string().contains("ollama:llama3"));
    for text in ["ollama:", "ollama:  ", "openai:a b", &format!("openai:{}", "x".repeat(300))] {
        assert!(matches!(parsed(text), Err(NameError::BadModel { .. })), "{text}");
    }
}

#[test]
fn forms_of_ollama_host() {
    for (given, base) in [
        ("", "http://127.0.0.1:11434"),
        ("  ", "http://127.0.0.1:11434"),
        ("lab", "http://lab:11434"),
        ("lab:8080", "http://lab:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:9", "http://127.0.0.1:9"),
        ("http://0.0.0.0:11434/", "http://127.0.0.1:11434"),
        ("http://lab", "http://lab"),
        ("https://lab/ollama/", "https://lab/ollama"),
        ("lab/ollama", "http://lab:11434/ollama"),
        ("http://lab:1/api", "http://lab:1"),
        ("http://lab:1/v1/", "http://lab:1"),
        ("::1", "http://[::1]:11434"),
        ("[::]:8", "http://[::1]:8"),
        ("\"lab:7\"", "http://lab:7"),
    ] {
        let endpoint = Endpoint::new(Provider::Ollama, Some(given), None).unwrap();
        assert_eq!(endpoint.base_url(), base, "{given:?}");
    }
}

#[test]
fn addresses_of_the_others() {
    let base = |provider, given| {
        Endpoint::new(provider, Some(given), Some(KEY)).map(|e| e.base_url().to_owned())
    };
    for (provider, given, expected) in [
        (Provider::OpenAi, "", "https://api.openai.com/v1"),
        (Provider::OpenAi, "http://lab:8000/v1/", "http://lab:8000/v1"),
        (Provider::OpenAi, "http://lab/v1/chat/completions", "http://lab/v1"),
        (Provider::Anthropic, "", "https://api.anthropic.com"),
        (Provider::Anthropic, "https://api.anthropic.com/v1/", "https://api.anthropic.com"),
    ] {
        assert_eq!(base(provider, given).unwrap(), expected);
    }
    for given in [
        "lab:8000",
        "ftp://lab/",
        "http://",
        "http://lab/?key=abcd",
        "http://lab/#x",
        "http://a b/",
        "://",
    ] {
        for provider in Provider::ALL {
            if provider == Provider::Ollama && given == "lab:8000" {
                continue;
            }
            let error = base(provider, given).unwrap_err().to_string();
            assert!(error.contains("base URL") && !error.contains("abcd"), "{error}");
        }
    }
}

#[test]
fn a_key_is_needed_for_the_official_hosts_only() {
    for (provider, variable) in
        [(Provider::OpenAi, "OPENAI_API_KEY"), (Provider::Anthropic, "ANTHROPIC_API_KEY")]
    {
        for key in [None, Some(""), Some("  ")] {
            let error = Endpoint::new(provider, None, key).unwrap_err();
            assert!(matches!(error, EndpointError::MissingKey { .. }));
            assert!(
                error.to_string().contains(variable)
                    && error.to_string().contains("--model extractive")
            );
        }
        assert!(Endpoint::new(provider, Some("http://lab/v1"), None).is_ok());
    }
    assert!(Endpoint::new(Provider::Ollama, None, None).is_ok());
    let error = Endpoint::new(Provider::OpenAi, None, Some("sk-a\nb-4711")).unwrap_err();
    assert!(matches!(error, EndpointError::BadKey { .. }) && !error.to_string().contains("4711"));
}

#[test]
fn secrets_do_not_show() {
    let secret = Secret::new(KEY).unwrap();
    assert!(!format!("{secret} {secret:?} {secret:#?}").contains(KEY));
    let base = "http://someone:pass4711@127.0.0.1:9/v1";
    let endpoint = Endpoint::new(Provider::OpenAi, Some(base), Some(KEY)).unwrap();
    let client = ChatClient::new(name(Provider::OpenAi), endpoint.clone(), quick()).unwrap();
    let text = format!("{endpoint:?} {endpoint:#?} {client:?} {client:#?} {}", endpoint.base_url());
    for hidden in [KEY, "pass4711", "someone"] {
        assert!(!text.contains(hidden), "{hidden} shows in {text}");
    }
    // Servers echo what they got.
    let echo = format!("{{\"error\":\"bad key {KEY} of someone with pass4711, or sk-abc***xyz\"}}");
    let headers = reqwest::header::HeaderMap::new();
    let attempt = client.transport.attempt("asking", &client.name);
    for status in [400, 401, 404, 429, 500] {
        let error = status::failure(&attempt, &endpoint, "/x", status, &headers, &echo);
        let text = shown(&error);
        for hidden in ["pass4711", "someone", "sk-abc"] {
            assert!(!text.contains(hidden), "{hidden} shows in {text}");
        }
        assert!(text.contains("bad key"), "{text}");
    }
}

#[tokio::test]
async fn a_login_in_the_base_url_is_sent_and_not_shown() {
    let server = server::Server::start(vec![server::Scene::answer(401, &[], "{}")]).await;
    let base = server.base.replace("http://", "http://us%40er:pass4711@");
    let endpoint = Endpoint::new(Provider::Ollama, Some(&base), None).unwrap();
    let client = ChatClient::new(name(Provider::Ollama), endpoint, quick()).unwrap();
    let error = client.chat_quiet(&request()).await.unwrap_err();
    assert!(!error.to_string().contains("pass4711"), "{error}");
    // Base64 of us@er:pass4711, in the server's lower case.
    assert!(
        server.seen()[0].head.contains("authorization: basic dxnazxi6cgfzczq3mte="),
        "{}",
        server.seen()[0].head
    );
}

#[test]
fn an_endpoint_of_another_provider_is_refused() {
    let endpoint = Endpoint::new(Provider::Ollama, None, None).unwrap();
    let error = ChatClient::new(name(Provider::OpenAi), endpoint, quick()).unwrap_err();
    assert!(shown(&error).contains("it was given for ollama"));
}

#[test]
fn failures_as_the_port_reports_them() {
    let endpoint = Endpoint::new(Provider::Ollama, None, None).unwrap();
    let client = ChatClient::new(name(Provider::Ollama), endpoint, quick()).unwrap();
    let attempt = client.transport.attempt("asking for a reply", &client.name);
    let failure = ChatError::Empty { attempt }.into_failure(&client.name, "a plan");
    assert_eq!((failure.model.as_str(), failure.attempted.as_str()), ("ollama:m", "a plan"));
    assert!(failure.cause.contains("empty") && failure.cause.contains("http://127.0.0.1:11434"));
}

#[test]
fn schemas_are_closed_all_the_way_down() {
    let given = json!({
        "$schema": "x", "title": "T", "type": "object",
        "properties": {
            "title": { "type": "string", "title": "inner", "minLength": 3 },
            "format": { "type": ["integer", "null"], "format": "int32", "minimum": 0 },
            "list": { "type": "array", "maxItems": 4, "items": { "type": "object", "properties": { "a": { "$ref": "#/$defs/A", "description": "d" } } } },
            "either": { "oneOf": [{ "type": "object" }, { "type": "null" }] },
        },
        "required": ["title"],
        "$defs": { "A": { "type": "object", "properties": { "b": { "enum": ["x"] } }, "required": ["b"], "additionalProperties": false } },
    });
    let empty = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let nil = json!({ "type": "null" });
    let inner = json!({
        "type": "object", "additionalProperties": false, "required": ["a"],
        "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/A" }, nil] } },
    });
    let expected = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "title": { "type": "string" },
            "format": { "type": ["integer", "null"], "minimum": 0 },
            "list": { "anyOf": [{ "type": "array", "maxItems": 4, "items": inner }, nil] },
            "either": { "anyOf": [empty, nil] },
        },
        "required": strict(&given, Dialect::OpenAi).unwrap()["required"],
        "$defs": { "A": { "type": "object", "properties": { "b": { "enum": ["x"] } }, "required": ["b"], "additionalProperties": false } },
    });
    let closed = strict(&given, Dialect::OpenAi).unwrap();
    assert_eq!(closed, expected);
    let mut required: Vec<&str> =
        closed["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    required.sort_unstable();
    assert_eq!(required, ["either", "format", "list", "title"]);

    let other = strict(&given, Dialect::Anthropic).unwrap();
    assert_eq!(other["properties"]["format"], json!({ "type": ["integer", "null"] }));
    assert_eq!(other["properties"]["list"].get("maxItems"), None);
    assert_eq!(other["required"], json!(["title"]));
    assert_eq!(other["properties"]["list"]["items"]["additionalProperties"], json!(false));

    for open in [
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "properties": { "a": { "additionalProperties": true } } }),
        json!({ "not": {} }),
        json!(true),
        json!({ "properties": 3 }),
    ] {
        assert_eq!(strict(&open, Dialect::OpenAi), None, "{open}");
    }
}

#[test]
fn names_of_schemas() {
    assert_eq!(wire_name("an answer: é"), "an_answer___");
    assert_eq!(wire_name(""), "reply");
    assert_eq!(wire_name(&"x".repeat(90)).len(), 64);
}

#[test]
fn prices_are_known_or_not_and_never_guessed() {
    let official = |provider| Endpoint::new(provider, None, Some(KEY)).unwrap();
    let price = |provider, model: &str| {
        let name = ModelName { provider, model: model.to_owned() };
        Price::known(&name, &official(provider)).map(|price| (price.input, price.output))
    };
    assert_eq!(price(Provider::OpenAi, "gpt-4o"), Some((2.5, 10.0)));
    assert_eq!(price(Provider::OpenAi, "gpt-4o-2024-08-06"), Some((2.5, 10.0)));
    assert_eq!(price(Provider::OpenAi, "gpt-4o-2024-05-13"), Some((5.0, 15.0)));
    assert_eq!(price(Provider::OpenAi, "gpt-4o-mini-2024-07-18"), Some((0.15, 0.6)));
    assert_eq!(price(Provider::Anthropic, "claude-sonnet-4-20250514"), Some((3.0, 15.0)));
    assert_eq!(price(Provider::Anthropic, "claude-3-5-haiku-latest"), Some((0.8, 4.0)));
    assert_eq!(price(Provider::Ollama, "anything"), Some((0.0, 0.0)));
    for model in
        ["gpt-5.4", "gpt-4o-audio-preview", "gpt-4o-realtime", "gpt-9", "", "-20250514", "é"]
    {
        assert_eq!(price(Provider::OpenAi, model), None, "{model}");
    }
    assert_eq!(price(Provider::Anthropic, "claude-opus-4-9"), None);
    let own = Endpoint::new(Provider::OpenAi, Some("http://lab/v1"), None).unwrap();
    let name = ModelName { provider: Provider::OpenAi, model: "gpt-4o".to_owned() };
    assert_eq!(Price::known(&name, &own), None);
}

#[test]
fn costs_are_rounded_up() {
    let price = Price { input: 0.15, output: 0.6 };
    assert_eq!(price.micro_usd(0, 0), 0);
    assert_eq!(price.micro_usd(1, 0), 1);
    assert_eq!(price.micro_usd(1_000_000, 1_000_000), 750_000);
    let odd = Price { input: f64::NAN, output: -1.0 };
    assert_eq!(odd.micro_usd(5, u64::MAX), 0);
}

fn split(pieces: &[&str]) -> (String, String) {
    let (mut split, mut thinking) = (ThinkSplit::default(), String::new());
    let mut text: String = pieces.iter().map(|piece| split.push(piece, &mut thinking)).collect();
    text.push_str(&split.finish(&mut thinking));
    (text, thinking)
}

#[test]
fn thinking_in_tags() {
    let parts = |text: &str, thinking: &str| (text.to_owned(), thinking.to_owned());
    assert_eq!(split(&["<think>a</think>\n\nb"]), parts("b", "a"));
    assert_eq!(split(&["a <think>b</think>"]), parts("a <think>b</think>", ""));
    assert_eq!(split(&["<thi", "s>"]), parts("<this>", ""));
    assert_eq!(split(&["  <", "b"]), parts("  <b", ""));
    assert_eq!(split(&["<think>never ends</thin"]), parts("", "never ends</thin"));
    assert_eq!(split(&["<thin"]), parts("<thin", ""));
    assert_eq!(split(&["<think></think>", "<think>x"]), parts("<think>x", ""));
    assert_eq!(split(&[" ", "\n", "<thi", "nk>a</think>b"]), parts("b", "a"));
}

/// White space before the text is looked at once, however many pieces it comes in.
#[test]
fn a_stream_of_white_space_is_read_in_one_pass() {
    let mut pieces = vec![" "; 200_000];
    pieces.push("a");
    assert_eq!(split(&pieces).0.trim_start(), "a");
}

proptest! {
    #[test]
    fn thinking_is_the_same_whatever_the_pieces(
        text in "(<think>|</think>|[ab é<>/\n]){0,8}", at in 0usize..60, more in 0usize..60,
    ) {
        let cut = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let (first, second) = (cut(at.min(more)), cut(at.max(more)));
        let pieces = [&text[..first], &text[first..second], &text[second..]];
        prop_assert_eq!(split(&pieces), split(&[&text]));
    }

    #[test]
    fn any_name_and_address_are_read_without_panic(text in "\\PC{0,40}", form in "[a-z0-9:/@.\\[\\]%-]{0,30}") {
        for text in [&text, &form] {
            let _ = parsed(text);
            for provider in Provider::ALL {
                let _ = Endpoint::new(provider, Some(text), Some(text));
            }
        }
    }
}
