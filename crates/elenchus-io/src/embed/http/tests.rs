//! Embeddings from a server that plays scenes. origin: documented (Ollama's and OpenAI's API references).

use std::num::NonZeroUsize;

use elenchus_core::port::Embedder;
use serde_json::{Value, json};

use super::*;
use crate::model::language::tests::server::{Scene, Server};
use crate::model::language::tests::{KEY, name, quick};

fn fixed(provider: Provider, base: &str, dimensions: usize) -> HttpEmbedder {
    let endpoint = Endpoint::new(provider, Some(base), Some(KEY)).unwrap();
    let dimensions = NonZeroUsize::new(dimensions).unwrap();
    HttpEmbedder::with_dimensions(name(provider), endpoint, dimensions, quick()).unwrap()
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn answer(body: Value) -> Scene {
    Scene::answer(200, &[], &body.to_string())
}

#[tokio::test]
async fn ollama_vectors_are_normalised_and_in_order() {
    let scene = answer(json!({ "model": "m", "embeddings": [[3.0, 4.0], [0.0, -2.0]] }));
    let server = Server::start(vec![scene]).await;
    let embedder = fixed(Provider::Ollama, &server.base, 2);
    assert_eq!((embedder.id(), embedder.dimensions()), ("ollama:m@2", 2));
    let vectors = embedder.embed(&texts(&["a", " \n", "b"])).await.unwrap();
    assert_eq!(vectors, [[0.6, 0.8], [0.0, 0.0], [0.0, -1.0]]);
    let seen = server.seen();
    assert!(seen[0].head.starts_with("post /api/embed "));
    assert_eq!(seen[0].body, json!({ "model": "m", "input": ["a", "b"], "dimensions": 2 }));
    assert!(embedder.embed(&texts(&["", " "])).await.unwrap().iter().flatten().all(|x| *x == 0.0));
    assert!(embedder.embed(&[]).await.unwrap().is_empty());
    assert_eq!(server.count(), 1, "nothing to send");
    assert!(!format!("{embedder:?}").contains(KEY));
}

#[tokio::test]
async fn openai_vectors_are_put_in_the_order_of_their_index() {
    let scene = answer(json!({ "data": [
        { "index": 1, "embedding": [0, 5, 0] },
        { "index": 0, "embedding": [7, 0, 0] },
    ] }));
    let server = Server::start(vec![scene]).await;
    let embedder = fixed(Provider::OpenAi, &format!("{}/v1", server.base), 3);
    let vectors = embedder.embed(&texts(&["a", "b"])).await.unwrap();
    assert_eq!(vectors, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let seen = server.seen();
    assert!(seen[0].head.starts_with("post /v1/embeddings "));
    let expected =
        json!({ "model": "m", "input": ["a", "b"], "dimensions": 3, "encoding_format": "float" });
    assert_eq!(seen[0].body, expected);
}

#[tokio::test]
async fn the_length_is_discovered_and_then_kept() {
    let scenes = vec![
        answer(json!({ "embeddings": [[1, 2, 3]] })),
        answer(json!({ "embeddings": [[1, 2, 2]] })),
        answer(json!({ "embeddings": [[1, 2]] })),
    ];
    let server = Server::start(scenes).await;
    let endpoint = Endpoint::new(Provider::Ollama, Some(&server.base), None).unwrap();
    let embedder = HttpEmbedder::discover(name(Provider::Ollama), endpoint, quick()).await.unwrap();
    assert_eq!((embedder.id(), embedder.dimensions()), ("ollama:m@3", 3));
    assert_eq!(server.seen()[0].body.get("dimensions"), None);
    embedder.embed(&texts(&["a"])).await.unwrap();
    let failure = embedder.embed(&texts(&["a"])).await.unwrap_err();
    assert!(failure.cause.contains("2 dimensions where 3"), "{failure}");
    assert_eq!((failure.texts, failure.embedder.as_str()), (1, "ollama:m@3"));
}

#[tokio::test]
async fn many_texts_go_in_batches() {
    let batch = |count: usize| answer(json!({ "embeddings": vec![[1.0, 0.0]; count] }));
    let server = Server::start(vec![batch(64), batch(64), batch(2)]).await;
    let list: Vec<String> = (0..130).map(|n| format!("text {n}")).collect();
    let vectors = fixed(Provider::Ollama, &server.base, 2).embed(&list).await.unwrap();
    assert_eq!((vectors.len(), server.count()), (130, 3));
    assert_eq!(server.seen()[2].body["input"], json!(["text 128", "text 129"]));
    // Long texts make small batches.
    let server = Server::start(vec![batch(1)]).await;
    let long = vec!["x".repeat(100_000); 3];
    fixed(Provider::Ollama, &server.base, 2).embed(&long).await.unwrap();
    assert_eq!(server.count(), 3);
}

#[tokio::test]
async fn what_are_no_vectors_is_refused() {
    let entry = |index: u64| json!({ "index": index, "embedding": [1, 0] });
    let cases = [
        (Provider::Ollama, json!({}), "no list"),
        (Provider::Ollama, json!([]), "no list"),
        (Provider::Ollama, json!({ "embeddings": [] }), "0 vectors came for 2"),
        (Provider::Ollama, json!({ "embeddings": [[1, 0], [1]] }), "1 dimensions"),
        (Provider::Ollama, json!({ "embeddings": [[1, 0], [0, 0]] }), "zero or not finite"),
        (Provider::Ollama, json!({ "embeddings": [[1, 0], [1e300, 0]] }), "zero or not finite"),
        (Provider::Ollama, json!({ "embeddings": [[1, 0], [null, 0]] }), "not a number"),
        (Provider::Ollama, json!({ "embeddings": [[1, 0], "x"] }), "not a list"),
        (Provider::OpenAi, json!({ "data": [entry(0)] }), "1 vectors came for 2"),
        (Provider::OpenAi, json!({ "data": [entry(0), entry(0)] }), "twice"),
        (Provider::OpenAi, json!({ "data": [entry(0), entry(7)] }), "not that of a text"),
        (Provider::OpenAi, json!({ "data": [entry(0), {}] }), "twice"),
    ];
    for (provider, body, part) in cases {
        let mut body = body;
        if part == "twice" && body["data"][1] == json!({}) {
            body["data"][1] = json!({ "index": 0, "embedding": [1, 0] });
        }
        let server = Server::start(vec![answer(body.clone())]).await;
        let failure =
            fixed(provider, &server.base, 2).embed(&texts(&["a", "b"])).await.unwrap_err();
        assert!(failure.cause.contains(part), "no {part:?} for {body} in: {failure}");
        assert!(failure.cause.contains(&server.base) && failure.cause.contains(';'), "{failure}");
        assert_eq!(server.count(), 1);
    }
}

#[tokio::test]
async fn faults_are_retried_and_named_as_for_chats() {
    let fine = || answer(json!({ "embeddings": [[1, 0]] }));
    let cut = Scene::stream("{\"embeddings\":[[1,");
    for first in [Scene::answer(503, &[], ""), Scene::default(), cut] {
        let server = Server::start(vec![first, fine()]).await;
        fixed(Provider::Ollama, &server.base, 2).embed(&texts(&["a"])).await.unwrap();
        assert_eq!(server.count(), 2);
    }
    for (scene, part, requests) in [
        (Scene::answer(500, &[], "{\"error\":\"boo\"}"), "boo", 2),
        (Scene::answer(404, &[], "{\"error\":\"model not found\"}"), "ollama pull m", 1),
        (Scene::answer(200, &[], "<html>"), "proxy", 1),
        (Scene::answer(200, &[], ""), "empty", 1),
        (Scene::answer(200, &[], "what"), "not JSON", 1),
    ] {
        let server = Server::start(vec![scene]).await;
        let embedder = fixed(Provider::Ollama, &server.base, 2);
        let failure = embedder.embed(&texts(&["a"])).await.unwrap_err();
        assert!(failure.cause.contains(part), "{failure}");
        assert_eq!(server.count(), requests, "{failure}");
    }
}

#[test]
fn anthropic_has_no_embeddings() {
    let endpoint = Endpoint::new(Provider::Anthropic, None, Some(KEY)).unwrap();
    let two = NonZeroUsize::new(2).unwrap();
    let error = HttpEmbedder::with_dimensions(name(Provider::Anthropic), endpoint, two, quick())
        .unwrap_err();
    assert!(error.to_string().contains("no embeddings"), "{error}");
}
