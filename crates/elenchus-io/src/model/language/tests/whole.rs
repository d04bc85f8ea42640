//! Prompts of a run as they go out, whole, on each wire: words, schema and all. `clarify.json` holds what is expected of one of them
//! to the last word; the snapshots hold the request of every prompt in its whole shape, its long texts by their length and hash. What
//! those texts say is in core's snapshots of the same examples. A change of a prompt, of its schema or of a wire shows there.

use super::server::{Scene, Server};
use super::{KEY, client, name, quick, recorded};
use crate::model::language::wire::{Habits, outgoing};
use crate::model::language::{ChatClient, Endpoint, Provider, request};
use elenchus_core::evidence::PartialDate;
use elenchus_core::id::short_hash;
use elenchus_core::port::CorpusOverview;
use elenchus_core::prompt::{ClarifyInput, ModelCall, PromptBook, Rendered};
use elenchus_core::testkit::rendered_prompts;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

#[test]
fn a_real_prompt_goes_out_like_this() {
    let expected: Value = serde_json::from_str(include_str!("clarify.json")).unwrap();
    let call = ModelCall::Clarify(ClarifyInput {
        question: "What do they say about the Ørland ferry?".to_owned(),
        corpus: CorpusOverview {
            name: "harbour".to_owned(),
            documents: 4,
            passages: 60,
            newest: Some(PartialDate::month(2024, 5)),
            subjects: vec!["Ørland".to_owned(), "the ferry".to_owned()],
            ..CorpusOverview::default()
        },
        guarded: false,
    });
    let rendered = PromptBook::builtin().render(&call);
    for provider in Provider::ALL {
        let client = client(provider, "http://127.0.0.1:9", quick());
        let request = request(&client, &rendered, rendered.user.clone());
        let sent = outgoing(client.name(), client.endpoint(), &request, Habits::default(), 2048);
        assert!(sent.schema_sent, "{provider}");
        assert_eq!(sent.body, expected[provider.word()], "{provider}:\n{:#}", sent.body);
    }
    // Where every key has to be there, each is.
    let schema = &expected["openai"]["response_format"]["json_schema"];
    assert_eq!(schema["strict"], true);
    assert_eq!(schema["schema"]["required"], json!(["questions", "vague"]));
}

/// Every prompt of the registry, so that none goes out that nobody has looked at. `INSTA_UPDATE=always` writes the snapshots anew;
/// one that is not there fails.
#[tokio::test]
async fn every_prompt_goes_out_in_this_shape() {
    let prompts = rendered_prompts(&PromptBook::builtin());
    let known: Vec<&str> = prompts.iter().map(|rendered| rendered.prompt.as_str()).collect();
    assert_eq!(known, PromptBook::ids().collect::<Vec<_>>(), "an example of each, and no other");
    let mut told: Vec<String> = known.iter().map(|id| format!("The prompt {id}.\n")).collect();
    for provider in Provider::ALL {
        let server = Server::start(vec![Scene::stream(recorded(provider))]).await;
        let tail = if provider == Provider::OpenAi { "/v1" } else { "" };
        let client = client(provider, &format!("{}{tail}", server.base), quick());
        for (rendered, told) in prompts.iter().zip(&mut told) {
            let wish = request(&client, rendered, rendered.user.clone());
            client.chat_quiet(&wish).await.unwrap();
            let seen = server.seen().pop().unwrap();
            let head = seen.head.lines().next().unwrap();
            let body = laid_out(&seen.body, 0);
            writeln!(told, "\n===== {}: {head}\n{body}", provider.word()).unwrap();
        }
    }
    for (rendered, told) in prompts.iter().zip(told) {
        insta::assert_snapshot!(rendered.prompt.clone(), told);
        at_its_own_host_openai_gets_the_same(rendered);
    }
}

/// Newer models of OpenAI call the limit by a longer name, and some take no temperature.
fn at_its_own_host_openai_gets_the_same(rendered: &Rendered) {
    let sent = |base: Option<&str>| {
        let endpoint = Endpoint::new(Provider::OpenAi, base, Some(KEY)).unwrap();
        let asks = ChatClient::new(name(Provider::OpenAi), endpoint, quick()).unwrap();
        let wish = request(&asks, rendered, rendered.user.clone());
        outgoing(asks.name(), asks.endpoint(), &wish, Habits::default(), 0).body
    };
    let (mut own, mut official) = (sent(Some("http://127.0.0.1:9/v1")), sent(None));
    let taken = |body: &mut Value, key: &str| body.as_object_mut().unwrap().remove(key);
    assert_eq!(taken(&mut own, "max_tokens"), taken(&mut official, "max_completion_tokens"));
    assert_eq!(taken(&mut own, "temperature"), Some(json!(0.0)));
    assert_eq!(own, official, "{}", rendered.prompt);
}

/// Characters of a line, beyond which JSON is broken into several, and of a text that is shown whole.
const WIDTH: usize = 100;

/// JSON to be read by people: the keys in order, what fits on a line on one.
fn laid_out(value: &Value, depth: usize) -> String {
    let line = on_one_line(value);
    if 2 * depth + line.chars().count() <= WIDTH {
        return line;
    }
    let (pad, end) = ("  ".repeat(depth + 1), "  ".repeat(depth));
    match value {
        Value::Object(map) => {
            let parts: BTreeMap<_, _> = map.iter().collect();
            let part = |(key, part): (&String, &Value)| {
                format!("{pad}{key:?}: {}", laid_out(part, depth + 1))
            };
            let parts: Vec<String> = parts.into_iter().map(part).collect();
            format!("{{\n{}\n{end}}}", parts.join(",\n"))
        }
        Value::Array(parts) => {
            let part = |part: &Value| format!("{pad}{}", laid_out(part, depth + 1));
            let parts: Vec<String> = parts.iter().map(part).collect();
            format!("[\n{}\n{end}]", parts.join(",\n"))
        }
        _ => line,
    }
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let parts: BTreeMap<_, _> = map.iter().collect();
            let part = |(key, part): (&String, &Value)| format!("{key:?}: {}", on_one_line(part));
            let parts: Vec<String> = parts.into_iter().map(part).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        Value::Array(parts) => {
            let parts: Vec<String> = parts.iter().map(on_one_line).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::String(text) if text.chars().count() > WIDTH => {
            let start: String = text.chars().take(40).collect();
            let (length, hash) = (text.chars().count(), short_hash(text.as_bytes(), 12));
            json!(format!("{start} ... ({length} characters, {hash})")).to_string()
        }
        other => other.to_string(),
    }
}
