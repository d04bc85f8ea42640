//! Replies kept: the second identical call makes no request, and only a good reply is kept.

use std::path::Path;
use std::sync::Arc;

use elenchus_core::port::{CorpusOverview, Model, ModelRole};
use elenchus_core::prompt::{ClarifyInput, ModelCall, ModelReply, PromptBook};
use serde_json::json;

use super::server::{Scene, Server};
use super::*;

/// A reply to [`clarify`] as Ollama streams it.
fn said(content: &str, why: &str) -> Scene {
    let line = json!({ "model": "m", "message": { "role": "assistant", "content": content }, "done": false });
    let end = json!({
        "model": "m", "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": why,
        "prompt_eval_count": 11, "eval_count": 4,
    });
    Scene::stream(format!("{line}\n{end}\n"))
}

const CLEAR: &str = "{\"vague\": false, \"questions\": []}";

fn clarify(question: &str) -> ModelCall {
    let corpus = CorpusOverview::default();
    ModelCall::Clarify(ClarifyInput { question: question.to_owned(), corpus, guarded: false })
}

fn cache(path: &Path) -> Arc<ReplyCache> {
    Arc::new(ReplyCache::open(path, 1 << 20).unwrap().0)
}

fn model(server: &Server, cache: &Arc<ReplyCache>, book: PromptBook) -> LanguageModel {
    let client = client(Provider::Ollama, &server.base, once());
    LanguageModel::new(client.clone(), client, book).remembering(Arc::clone(cache))
}

async fn ask(model: &LanguageModel, question: &str) -> Option<(ModelReply, u64, Vec<String>)> {
    let answered = model.call(ModelRole::Fast, &clarify(question)).await.ok()?;
    Some((answered.reply, answered.usage.output_tokens, answered.repairs))
}

#[tokio::test]
async fn the_same_call_is_asked_once_and_another_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.db");
    let chatty = format!("Sure: {CLEAR}");
    let server = Server::start(vec![said(&chatty, "stop")]).await;
    let kept = cache(&path);
    let first = model(&server, &kept, PromptBook::builtin());
    let (reply, tokens, repairs) = ask(&first, "Why?").await.unwrap();
    assert_eq!((tokens, server.count()), (4, 1));
    assert!(!repairs.is_empty() && !repairs.contains(&FROM_CACHE.to_owned()), "{repairs:?}");
    // As another process would.
    let again = model(&server, &cache(&path), PromptBook::builtin());
    let (same, tokens, told) = ask(&again, "Why?").await.unwrap();
    assert_eq!((same, tokens, server.count()), (reply, 0, 1));
    assert_eq!(
        told,
        [repairs, vec![FROM_CACHE.to_owned()]].concat(),
        "and what was mended is told again"
    );
    // Another question, another prompt file, another model or address: another request.
    ask(&again, "Why not?").await.unwrap();
    assert_eq!(server.count(), 2);
    let mine = "---\nid: clarify\nversion: 1\nrole: fast\nuser_chars: 5000\noutput_tokens: 300\n---\n## system\nAsk.\n## user\n{{corpus}}\n{{question}}\n";
    let book = PromptBook::builtin().with_override(mine).unwrap();
    ask(&model(&server, &kept, book), "Why?").await.unwrap();
    assert_eq!(server.count(), 3);
    let other = client(Provider::Ollama, &server.base, once()).for_model("m:latest").unwrap();
    let other = LanguageModel::new(other.clone(), other, PromptBook::builtin())
        .remembering(Arc::clone(&kept));
    ask(&other, "Why?").await.unwrap();
    assert_eq!(server.count(), 4);
    let elsewhere = Server::start(vec![said(CLEAR, "stop")]).await;
    ask(&model(&elsewhere, &kept, PromptBook::builtin()), "Why?").await.unwrap();
    assert_eq!(elsewhere.count(), 1);
    // And without a cache as ever.
    let client = client(Provider::Ollama, &server.base, once());
    let forgetful = LanguageModel::new(client.clone(), client, PromptBook::builtin());
    ask(&forgetful, "Why?").await.unwrap();
    assert_eq!(server.count(), 5);
}

#[tokio::test]
async fn failures_and_replies_without_use_are_not_kept() {
    let useless = said("I would rather not.", "stop");
    let cases = [
        // Nothing of three replies could be used.
        (vec![useless.clone(), useless.clone(), useless.clone(), said(CLEAR, "stop")], false, 4),
        // A status, a page, a cut stream.
        (vec![Scene::answer(500, &[], "{}"), said(CLEAR, "stop")], false, 2),
        (vec![Scene::answer(200, &[], "<html>login</html>"), said(CLEAR, "stop")], false, 2),
        (vec![Scene::stream(&OLLAMA[..120]), said(CLEAR, "stop")], false, 2),
        // A reply that reached the limit of tokens is used, and not kept.
        (vec![said(CLEAR, "length"), said(CLEAR, "stop")], true, 2),
        // One that was asked for again is a good one in the end.
        (vec![useless, said(CLEAR, "stop")], true, 2),
    ];
    for (number, (scenes, answered, requests)) in cases.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let kept = cache(&folder.path().join("r.db"));
        let server = Server::start(scenes).await;
        let model = model(&server, &kept, PromptBook::builtin());
        assert_eq!(ask(&model, "Why?").await.is_some(), answered, "case {number}");
        assert!(ask(&model, "Why?").await.is_some(), "case {number}");
        assert_eq!(server.count(), requests, "case {number}");
        ask(&model, "Why?").await.unwrap();
        assert_eq!(server.count(), requests, "case {number}: kept by now");
    }
}

#[tokio::test]
async fn what_answers_in_the_models_place_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let kept = cache(&folder.path().join("r.db"));
    let server = Server::start(vec![Scene::answer(500, &[], "{}"), said(CLEAR, "stop")]).await;
    let model = model(&server, &kept, PromptBook::builtin()).or_extractive();
    let (_, _, told) = ask(&model, "Why?").await.unwrap();
    assert!(told.iter().any(|told| told.contains("in its place")), "{told:?}");
    let (_, tokens, _) = ask(&model, "Why?").await.unwrap();
    assert_eq!((tokens, server.count()), (4, 2));
}

#[tokio::test]
async fn a_cache_that_breaks_is_told_once_and_asked_around() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.db");
    let kept = cache(&path);
    let server = Server::start(vec![said(CLEAR, "stop")]).await;
    let model = model(&server, &kept, PromptBook::builtin());
    ask(&model, "Why?").await.unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch("DROP TABLE replies").unwrap();
    let (_, _, told) = ask(&model, "Why?").await.unwrap();
    assert!(told.iter().any(|told| told.contains("cannot be used any more")), "{told:?}");
    let (_, _, told) = ask(&model, "Why?").await.unwrap();
    assert_eq!((told, server.count()), (vec![], 3));
}
