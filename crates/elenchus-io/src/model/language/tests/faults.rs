//! Faults of servers over real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Scene, Server};
use super::*;

async fn failure(provider: Provider, scene: Scene) -> (ChatError, usize) {
    failure_with(quick(), provider, scene).await
}

async fn failure_with(settings: Settings, provider: Provider, scene: Scene) -> (ChatError, usize) {
    let server = Server::start(vec![scene]).await;
    let error = client(provider, &server.base, settings).chat_quiet(&request()).await.unwrap_err();
    let text = shown(&error);
    assert!(text.contains(&format!("{provider}:m at {}", server.base)), "{text}");
    assert!(text.contains(';'), "no way out in: {text}");
    (error, server.count())
}

#[tokio::test]
async fn a_connection_closed_at_any_byte_gives_no_reply() {
    for provider in Provider::ALL {
        let bytes = recorded(provider).as_bytes();
        let scenes = (0..bytes.len()).map(|end| Scene::stream(&bytes[..end])).collect();
        let server = Server::start(scenes).await;
        let client = client(provider, &server.base, once());
        for end in 0..bytes.len() {
            match client.chat_quiet(&request()).await {
                Ok(reply) => {
                    assert!(end >= whole_from(provider), "{provider} cut at {end} was taken");
                    assert_eq!(reply.text, SAID);
                }
                Err(ChatError::Cut { .. }) => assert!(end < whole_from(provider)),
                Err(ChatError::Empty { .. }) => assert_eq!(end, 0),
                Err(error) => panic!("{provider} cut at {end}: {error}"),
            }
        }
        assert_eq!(server.count(), bytes.len());
    }
}

#[tokio::test]
async fn chunks_that_break_off_give_no_reply_and_are_tried_twice() {
    for provider in Provider::ALL {
        let half = &recorded(provider).as_bytes()[..whole_from(provider) - 20];
        let (error, requests) = failure(provider, Scene::broken_chunks(half)).await;
        assert!(matches!(error, ChatError::Cut { received: 16, .. }), "{error}");
        assert_eq!(requests, 2);
        // The length that was promised never comes.
        let scene = Scene::answer(200, &[], "").then(Duration::ZERO, "");
        let (error, _) = failure(provider, scene).await;
        assert!(matches!(error, ChatError::Empty { .. }), "{error}");
    }
    // The reply was whole; that the connection broke off after it does not matter.
    let server = Server::start(vec![Scene::broken_chunks(OPENAI.as_bytes())]).await;
    let reply =
        client(Provider::OpenAi, &server.base, quick()).chat_quiet(&request()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.tries), (SAID, 1));
}

#[tokio::test]
async fn a_server_that_hangs_up_without_an_answer() {
    let (error, requests) = failure(Provider::Ollama, Scene::default()).await;
    assert!(matches!(error, ChatError::Cut { received: 0, .. }), "{error}");
    assert_eq!(requests, 2);
}

#[tokio::test]
async fn nothing_listens() {
    // A port that was free a moment ago.
    let base = Server::start(vec![]).await.base.clone();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let error = client(Provider::Ollama, &base, quick()).chat_quiet(&request()).await.unwrap_err();
    let text = shown(&error);
    assert!(matches!(error, ChatError::Unreachable { .. }) && !error.is_permanent());
    for part in
        [base.as_str(), "ollama serve", "--model extractive", "asking for a reply", "refused"]
    {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
    let error = client(Provider::OpenAi, &base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert!(shown(&error).contains("OPENAI_BASE_URL"));
}

#[tokio::test]
async fn tls_to_a_server_without_tls_is_named_and_not_tried_again() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}/v1", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    let accepting = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            let mut hello = [0; 512];
            let _ = stream.read(&mut hello).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let error = client(Provider::OpenAi, &base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::Tls { .. }) && error.is_permanent(), "{error}");
    assert!(shown(&error).contains("https against http"), "{error}");
    assert_eq!(connections.load(Ordering::SeqCst), 1);
    accepting.abort();
}

#[tokio::test]
async fn no_first_byte() {
    let (error, requests) =
        failure_with(hasty(), Provider::Ollama, Scene::silence(Duration::from_secs(3))).await;
    assert!(matches!(error, ChatError::TimedOut { phase: Phase::FirstByte, .. }), "{error}");
    assert_eq!(requests, 2, "nothing had come, so it is tried once more");
    assert!(error.to_string().contains("0.3 s"), "{error}");

    // Comments and pings are no beginning.
    let mut scene = Scene::stream(": wait\n\n");
    for _ in 0..30 {
        scene = scene.then(Duration::from_millis(50), ": wait\n\ndata: {\"type\":\"ping\"}\n\n");
    }
    let (error, _) = failure_with(hasty(), Provider::Anthropic, scene).await;
    assert!(matches!(error, ChatError::TimedOut { phase: Phase::FirstByte, .. }), "{error}");
}

#[tokio::test]
async fn a_stall_in_the_middle() {
    for provider in Provider::ALL {
        let bytes = recorded(provider).as_bytes();
        let (begin, rest) = bytes.split_at(whole_from(provider) - 30);
        let scene = Scene::stream(begin).then(Duration::from_secs(3), rest);
        let (error, requests) = failure_with(hasty(), provider, scene).await;
        let stalled =
            matches!(error, ChatError::TimedOut { phase: Phase::Stall, received: 16, .. });
        assert!(stalled, "{error}");
        assert_eq!(requests, 1, "text had come, so it is not tried again");
        assert!(!error.is_permanent());
    }
}

#[tokio::test]
async fn a_drip_that_never_ends_meets_the_whole_deadline() {
    let mut scene = Scene::stream("");
    for _ in 0..60 {
        scene = scene.then(Duration::from_millis(30), "{\"message\":{\"content\":\"x\"}}\n");
    }
    let server = Server::start(vec![scene]).await;
    let mut settings = quick();
    settings.deadlines.whole = Duration::from_millis(250);
    let error =
        client(Provider::Ollama, &server.base, settings).chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::TimedOut { phase: Phase::Whole, .. }), "{error}");
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn a_server_that_does_not_close_after_the_end_is_not_waited_for() {
    for provider in Provider::ALL {
        let scene = Scene::stream(recorded(provider)).then(Duration::from_secs(9), "");
        let server = Server::start(vec![scene]).await;
        let started = Instant::now();
        let reply = client(provider, &server.base, quick()).chat_quiet(&request()).await.unwrap();
        assert_eq!(reply.text, SAID);
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn pages_empty_bodies_and_other_things_that_are_no_reply() {
    let page = "<!DOCTYPE html><html><title>Log in</title>";
    for provider in Provider::ALL {
        let (error, requests) =
            failure(provider, Scene::answer(200, &[("content-type", "text/html")], page)).await;
        assert!(matches!(error, ChatError::Page { status: 200, .. }) && error.is_permanent());
        assert!(error.to_string().contains("base URL") && error.to_string().contains("proxy"));
        assert_eq!(requests, 1);

        let (error, _) = failure(provider, Scene::answer(403, &[], page)).await;
        assert!(matches!(error, ChatError::Page { status: 403, .. }), "{error}");

        let (error, requests) = failure(provider, Scene::answer(200, &[], "")).await;
        assert!(matches!(error, ChatError::Empty { .. }), "{error}");
        assert_eq!(requests, 1);

        let (error, requests) = failure(provider, Scene::answer(200, &[], "no such thing\n")).await;
        assert!(matches!(error, ChatError::Foreign { .. }), "{error}");
        assert_eq!(requests, 1);

        // The content type may be wrong as long as the content is right.
        let right = Scene::answer(200, &[("content-type", "image/png")], recorded(provider));
        let server = Server::start(vec![right]).await;
        let reply = client(provider, &server.base, quick()).chat_quiet(&request()).await.unwrap();
        assert_eq!(reply.text, SAID);
    }
}

#[tokio::test]
async fn an_error_object_in_a_stream() {
    let line = OLLAMA.lines().next().unwrap();
    let scene = Scene::stream(format!("{line}\n{{\"error\":\"out of memory\"}}\n"));
    let (error, requests) = failure(Provider::Ollama, scene).await;
    assert!(matches!(&error, ChatError::InStream { said, .. } if said == "out of memory"));
    assert_eq!(requests, 1);
    // Anthropic reports overload this way after it has answered 200.
    let said = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n";
    let (error, requests) = failure(Provider::Anthropic, Scene::stream(said)).await;
    assert!(matches!(error, ChatError::Server { status: 529, .. }), "{error}");
    assert_eq!(requests, 2);
}

#[tokio::test]
async fn a_huge_reply_is_cut_short() {
    let mut settings = quick();
    settings.most_bytes = 10_000;
    let line = "{\"message\":{\"content\":\"xxxxxxxxxx\"}}\n";
    let server = Server::start(vec![Scene::stream(line.repeat(1_000))]).await;
    let error =
        client(Provider::Ollama, &server.base, settings).chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::TooLarge { most_bytes: 10_000, .. }), "{error}");
    assert_eq!(server.count(), 1);
    shown(&error);
}

#[tokio::test]
async fn refusals_that_stay_are_told_apart_and_not_tried_again() {
    let cases: &[(Provider, u16, &str, &str)] = &[
        (
            Provider::OpenAi,
            401,
            "{\"error\":{\"message\":\"Incorrect API key provided: sk-test-4711-never-show.\"}}",
            "OPENAI_API_KEY",
        ),
        (
            Provider::Anthropic,
            403,
            "{\"error\":{\"message\":\"not allowed\"}}",
            "ANTHROPIC_API_KEY",
        ),
        (Provider::Ollama, 404, "{\"error\":\"model 'm' not found\"}", "ollama pull m"),
        (
            Provider::OpenAi,
            404,
            "{\"error\":{\"code\":\"model_not_found\",\"message\":\"no such model\"}}",
            "the models that http:",
        ),
        (
            Provider::Anthropic,
            404,
            "{\"error\":{\"type\":\"not_found_error\",\"message\":\"model: m\"}}",
            "does not have this model",
        ),
        (Provider::Ollama, 404, "404 page not found", "without a path"),
        (Provider::OpenAi, 404, "{\"detail\":\"Not Found\"}", "ends in /v1"),
        (Provider::OpenAi, 301, "", "base URL"),
        (
            Provider::OpenAi,
            400,
            "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"too many\"}}",
            "larger context",
        ),
        (
            Provider::Anthropic,
            400,
            "{\"error\":{\"message\":\"prompt is too long: 9 > 8\"}}",
            "larger context",
        ),
        (Provider::OpenAi, 413, "", "larger context"),
        (Provider::OpenAi, 400, "{\"error\":{\"message\":\"user is odd\"}}", "user is odd"),
        (
            Provider::OpenAi,
            429,
            "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"pay\"}}",
            "billing",
        ),
        (
            Provider::Anthropic,
            400,
            "{\"error\":{\"message\":\"Your credit balance is too low\"}}",
            "billing",
        ),
        (Provider::OpenAi, 418, "", "did not say why"),
    ];
    for (provider, status, body, part) in cases {
        let scene = Scene::answer(*status, &[("location", "http://elsewhere.invalid/")], body);
        let (error, requests) = failure(*provider, scene).await;
        assert!(error.is_permanent(), "{error}");
        assert!(error.to_string().contains(part), "no {part:?} in: {error}");
        assert_eq!(requests, 1, "{error}");
    }
}

#[tokio::test]
async fn what_a_server_says_cannot_play_with_the_terminal_or_fill_the_screen() {
    let said = format!("{{\"error\":\"\\u001b[2Jboo\\u202e {}\"}}", "x".repeat(9_000));
    let (error, _) = failure(Provider::Ollama, Scene::answer(400, &[], &said)).await;
    let text = error.to_string();
    assert!(text.contains("boo") && text.len() < 900, "{text}");
    assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
}
