//! What calls have used that came to nothing: told by the server, else estimated, and on the meter while they go on.

use std::time::Instant;

use elenchus_core::port::{CorpusOverview, Meter, Model, ModelRole, Usage};
use elenchus_core::prompt::{ClarifyInput, ModelCall, PromptBook};
use serde_json::json;

use super::server::{Scene, Server};
use super::*;

/// One for every four bytes of [`request`].
const PROMPT: u64 = 5;

fn tokens(usage: Usage) -> (u64, u64) {
    (usage.input_tokens, usage.output_tokens)
}

/// Dear enough that nothing is rounded away.
fn dear(mut settings: Settings) -> Settings {
    settings.price = Some(Price { input: 1.0, output: 10.0 });
    settings
}

fn said(content: &str) -> Scene {
    let line = json!({ "model": "m", "message": { "role": "assistant", "content": content }, "done": false });
    let end = json!({
        "model": "m", "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop",
        "prompt_eval_count": 11, "eval_count": 4,
    });
    Scene::stream(format!("{line}\n{end}\n"))
}

const CLEAR: &str = "{\"vague\": false, \"questions\": []}";

fn clarify() -> ModelCall {
    let corpus = CorpusOverview::default();
    ModelCall::Clarify(ClarifyInput { question: "Why?".to_owned(), corpus, guarded: false })
}

/// Asks once, and checks that the meter and the error tell the same.
async fn lost(client: &ChatClient) -> Usage {
    let meter = Meter::default();
    let unanswered = client.chat_metered(&request(), &meter, &mut |_| ()).await.unwrap_err();
    assert_eq!(meter.total(), unanswered.usage, "{unanswered}");
    unanswered.usage
}

#[tokio::test]
async fn a_stream_that_breaks_off_has_cost_what_came_of_it() {
    // "Rain" came, and no counts.
    let cut = OPENAI
        .find("data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" f")
        .unwrap();
    let server = Server::start(vec![Scene::stream(&OPENAI[..cut])]).await;
    let used = lost(&client(Provider::OpenAi, &server.base, dear(once()))).await;
    assert_eq!((tokens(used), used.cost_micro_usd), ((PROMPT, 1), 15));
    // The first message tells the prompt's tokens, and one of the reply, of which more has come by then.
    let cut = ANTHROPIC.find("event: content_block_stop").unwrap();
    let server = Server::start(vec![Scene::stream(&ANTHROPIC[..cut])]).await;
    let used = lost(&client(Provider::Anthropic, &server.base, dear(once()))).await;
    assert_eq!(tokens(used), (11, SAID.len().div_ceil(4) as u64));
    // Both requests of a call.
    let server = Server::start(vec![Scene::stream(&ANTHROPIC[..cut])]).await;
    let used = lost(&client(Provider::Anthropic, &server.base, dear(quick()))).await;
    assert_eq!((server.count(), used.input_tokens), (2, 22));
}

#[tokio::test]
async fn a_reply_has_cost_what_the_request_before_it_did_too() {
    let cut = ANTHROPIC.find("event: content_block_start").unwrap();
    let scenes = vec![Scene::stream(&ANTHROPIC[..cut]), Scene::stream(ANTHROPIC)];
    let server = Server::start(scenes).await;
    let meter = Meter::default();
    let client = client(Provider::Anthropic, &server.base, dear(quick()));
    let reply = client.chat_metered(&request(), &meter, &mut |_| ()).await.unwrap();
    assert_eq!((reply.tries, tokens(reply.usage)), (2, (22, 1 + 4)));
    assert!(reply.usage_estimated, "of the first it is not known");
    assert_eq!(reply.cost_micro_usd, Some(22 + 50));
    assert_eq!(meter.total(), reply.usage);
}

#[tokio::test]
async fn what_never_reached_a_model_costs_nothing() {
    let scenes = [
        Scene::answer(401, &[], "{}"),
        Scene::answer(429, &[], "{}"),
        Scene::answer(500, &[], "{}"),
        Scene::answer(200, &[], "<html>login</html>"),
        Scene::stream(
            "data: {\"error\":{\"type\":\"server_error\",\"message\":\"overloaded\"}}\n\n",
        ),
    ];
    for scene in scenes {
        let server = Server::start(vec![scene]).await;
        let used = lost(&client(Provider::OpenAi, &server.base, dear(once()))).await;
        assert_eq!((server.count(), used), (1, Usage::default()));
    }
}

#[tokio::test]
async fn one_that_gives_up_waiting_reads_the_meter() {
    let server = Server::start(vec![Scene::silence(Duration::from_secs(5))]).await;
    let client = client(Provider::OpenAi, &server.base, dear(once()));
    let (meter, question) = (Meter::default(), request());
    let mut nobody = |_: &str| ();
    let asked = client.chat_metered(&question, &meter, &mut nobody);
    let started = Instant::now();
    assert!(tokio::time::timeout(Duration::from_secs(1), asked).await.is_err());
    assert!(started.elapsed() < Duration::from_secs(3));
    assert_eq!(server.count(), 1, "the prompt was sent");
    assert_eq!(tokens(meter.total()), (PROMPT, 0));
}

#[tokio::test]
async fn a_failing_model_and_the_one_in_its_place_are_counted_together() {
    let useless = || said("I would rather not.");
    let first = Server::start(vec![useless()]).await;
    let second = Server::start(vec![useless(), said(CLEAR)]).await;
    let named = |server: &Server, model: &str| {
        client(Provider::Ollama, &server.base, dear(quick())).for_model(model).unwrap()
    };
    let price = Price { input: 1.0, output: 10.0 };
    let strong = named(&first, "m").priced(price);
    let spare = named(&second, "m:latest").priced(Price { input: 2.0, output: 20.0 });
    let model = LanguageModel::new(strong.clone(), strong, PromptBook::builtin())
        .or_else(ModelRole::Fast, vec![spare]);
    let meter = Meter::default();
    let failure = model.call_metered(ModelRole::Fast, &clarify(), &meter).await.unwrap_err();
    // Three replies of the first without use, and one of the other.
    assert_eq!(tokens(failure.usage), (44, 16));
    assert_eq!(failure.usage.cost_micro_usd, 3 * 51 + 102, "each at its own price");
    assert_eq!(meter.total(), failure.usage);
    let answered = model.call(ModelRole::Fast, &clarify()).await.unwrap();
    assert_eq!(tokens(answered.usage), (44, 16), "the replies without use of the first as well");
}

#[tokio::test]
async fn a_reply_without_use_is_kept_for_review_and_no_half_of_a_secret_with_it() {
    let secret = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    // The cut falls into the secret.
    let text = format!("{}{secret} and more", "word ".repeat(796));
    let server = Server::start(vec![said(&text)]).await;
    let strong = client(Provider::Ollama, &server.base, quick());
    let model = LanguageModel::new(strong.clone(), strong, PromptBook::builtin());
    let failure = model.call(ModelRole::Fast, &clarify()).await.unwrap_err();
    let kept = failure.reply.unwrap();
    assert!(kept.starts_with("word word") && kept.chars().count() == 4_000, "{kept}");
    assert!(!kept.contains("ghp_"), "{kept}");
}
