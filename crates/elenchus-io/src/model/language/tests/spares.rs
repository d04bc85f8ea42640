//! Those that stand in: asked in order where one fails for good, each switch told, each within its two requests.

use elenchus_core::port::{CorpusOverview, Model, ModelRole};
use elenchus_core::prompt::{ClarifyInput, DistillInput, ModelCall, PromptBook};
use serde_json::json;

use super::server::{Scene, Server};
use super::*;

fn said(content: &str) -> Scene {
    let line = json!({ "model": "m", "message": { "role": "assistant", "content": content }, "done": false });
    let end = json!({
        "model": "m", "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop",
        "prompt_eval_count": 11, "eval_count": 4,
    });
    Scene::stream(format!("{line}\n{end}\n"))
}

const CLEAR: &str = "{\"vague\": false, \"questions\": []}";

fn broken() -> Scene {
    Scene::answer(500, &[], "{}")
}

fn clarify() -> ModelCall {
    let corpus = CorpusOverview::default();
    ModelCall::Clarify(ClarifyInput { question: "Why?".to_owned(), corpus, guarded: false })
}

fn named(server: &Server, model: &str) -> ChatClient {
    client(Provider::Ollama, &server.base, quick()).for_model(model).unwrap()
}

fn model(first: &Server, spares: Vec<ChatClient>) -> LanguageModel {
    let first = client(Provider::Ollama, &first.base, quick());
    LanguageModel::new(first.clone(), first, PromptBook::builtin()).or_else(ModelRole::Fast, spares)
}

#[tokio::test]
async fn the_next_is_asked_where_one_fails_for_good() {
    let down = Server::start(vec![broken()]).await;
    let denied = Server::start(vec![Scene::answer(401, &[], "{}")]).await;
    let well = Server::start(vec![said(CLEAR)]).await;
    let spares = vec![client(Provider::Ollama, &denied.base, quick()), {
        // The server answers as `m`, so the name has to be one that it answers for.
        named(&well, "m:latest")
    }];
    let model = model(&down, spares);
    let answered = model.call(ModelRole::Fast, &clarify()).await.unwrap();
    assert_eq!((down.count(), denied.count(), well.count()), (2, 1, 1), "two requests at most");
    assert_eq!(answered.model.as_deref(), Some("ollama:m:latest"), "who replied is told");
    let switches: Vec<&String> =
        answered.repairs.iter().filter(|told| told.contains("is asked in its place")).collect();
    assert_eq!(switches.len(), 2, "{:?}", answered.repairs);
    assert!(switches[0].contains("500") && switches[1].contains("401"), "{switches:?}");
    assert!(switches[1].contains("ollama:m:latest is asked"), "{switches:?}");
}

#[tokio::test]
async fn one_whose_circuit_is_open_is_passed_over() {
    let down = Server::start(vec![broken()]).await;
    let well = Server::start(vec![said(CLEAR)]).await;
    let mut settings = quick();
    settings.breaker = BreakerLimits { failures: 2, pause: Duration::from_secs(30) };
    let first = client(Provider::Ollama, &down.base, settings);
    let model = LanguageModel::new(first.clone(), first, PromptBook::builtin())
        .or_else(ModelRole::Fast, vec![named(&well, "m:latest")]);
    for _ in 0..3 {
        model.call(ModelRole::Fast, &clarify()).await.unwrap();
    }
    assert_eq!((down.count(), well.count()), (2, 3), "nothing is sent while the circuit is open");
}

#[tokio::test]
async fn re_asks_are_counted_over_all_and_the_built_in_model_is_the_last() {
    let useless = || said("I would rather not.");
    let (first, second) =
        (Server::start(vec![useless()]).await, Server::start(vec![useless()]).await);
    let model = model(&first, vec![named(&second, "m:latest")]);
    let failure = model.call(ModelRole::Fast, &clarify()).await.unwrap_err();
    assert_eq!((first.count(), second.count()), (RE_ASKS + 1, 1));
    assert_eq!(failure.model, "ollama:m:latest");
    assert_eq!(failure.reply.as_deref(), Some("I would rather not."), "what it said is kept");
    let answered = model.or_extractive().call(ModelRole::Fast, &clarify()).await.unwrap();
    assert!(answered.repairs.iter().any(|told| told.contains("the built-in model answered")));
    assert_eq!(answered.usage.output_tokens, 16, "what replies without use cost is counted");
}

/// Its reply would say that the session taught nothing.
#[tokio::test]
async fn the_built_in_model_reads_no_session() {
    let off = Server::start(vec![said("I would rather not.")]).await;
    let model = model(&off, Vec::new()).or_extractive();
    let trace = "I asked, and was answered.".to_owned();
    let session = DistillInput { outcome: None, trace, most: 3, shown: Vec::new() };
    let failure = model.call(ModelRole::Fast, &ModelCall::Distill(session)).await.unwrap_err();
    assert_eq!(failure.reply.as_deref(), Some("I would rather not."));
}

#[tokio::test]
async fn each_role_has_its_own() {
    let down = Server::start(vec![broken()]).await;
    let well = Server::start(vec![said(CLEAR)]).await;
    let first = client(Provider::Ollama, &down.base, quick());
    let model = LanguageModel::new(first.clone(), first, PromptBook::builtin())
        .or_else(ModelRole::Strong, vec![named(&well, "m:latest")]);
    assert!(model.call(ModelRole::Fast, &clarify()).await.is_err());
    assert_eq!(well.count(), 0);
}
