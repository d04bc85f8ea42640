//! Second requests: when, after what wait, and never a third. The server counts.

use std::time::Instant;

use super::server::{Scene, Server};
use super::*;
use crate::model::language::date::http_date;

fn busy(status: u16) -> Scene {
    Scene::answer(status, &[], "{\"error\":{\"message\":\"busy\"}}")
}

#[tokio::test]
async fn trouble_once_and_then_fine() {
    for status in [408, 425, 429, 500, 502, 503, 504, 529] {
        for provider in Provider::ALL {
            let server = Server::start(vec![busy(status), Scene::stream(recorded(provider))]).await;
            let reply =
                client(provider, &server.base, quick()).chat_quiet(&request()).await.unwrap();
            assert_eq!((reply.text.as_str(), reply.tries, server.count()), (SAID, 2, 2));
        }
    }
    let cut = Scene::stream(&OLLAMA[..120]);
    let server = Server::start(vec![cut, Scene::stream(OLLAMA)]).await;
    let reply =
        client(Provider::Ollama, &server.base, quick()).chat_quiet(&request()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.tries), (SAID, 2));
}

#[tokio::test]
async fn trouble_twice_is_the_end() {
    for status in [429, 500, 529] {
        let scenes = vec![busy(status), busy(status), Scene::stream(OPENAI)];
        let server = Server::start(scenes).await;
        let mut settings = quick();
        // More than two are not to be had.
        settings.retry.tries = 9;
        let error = client(Provider::OpenAi, &server.base, settings)
            .chat_quiet(&request())
            .await
            .unwrap_err();
        assert!(!error.is_permanent() && shown(&error).contains("busy"), "{error}");
        assert_eq!(server.count(), 2);
    }
    // A status that says nothing about later.
    let server = Server::start(vec![busy(501)]).await;
    client(Provider::OpenAi, &server.base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn the_wait_that_the_server_asks_for_is_kept() {
    let date = [
        ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("retry-after", "Sun, 06 Nov 1994 08:49:38 GMT"),
    ];
    let cases: [&[(&str, &str)]; 3] =
        [&[("retry-after", "1")], &date, &[("retry-after-ms", "900")]];
    let waits = cases.map(|headers| async move {
        let first = Scene::answer(429, headers, "{}");
        let server = Server::start(vec![first, Scene::stream(ANTHROPIC)]).await;
        let reply = client(Provider::Anthropic, &server.base, quick()).chat_quiet(&request()).await;
        assert_eq!(reply.unwrap().text, SAID);
        let seen = server.seen();
        let wait = seen[1].at - seen[0].at;
        assert!(wait >= Duration::from_millis(890), "{headers:?}: only {wait:?}");
    });
    futures_util::future::join_all(waits).await;
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_told_and_not_kept() {
    let far = "Sat, 06 Nov 2094 08:49:37 GMT";
    for (header, told) in [("3600", "3600 s"), (far, "asks to wait")] {
        let server =
            Server::start(vec![Scene::answer(429, &[("retry-after", header)], "{}")]).await;
        let started = Instant::now();
        let error = client(Provider::OpenAi, &server.base, quick())
            .chat_quiet(&request())
            .await
            .unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(1));
        assert!(shown(&error).contains(told), "{error}");
        assert_eq!(server.count(), 1);
    }
    // Within the cap, but not within the deadline of the call.
    let server = Server::start(vec![Scene::answer(503, &[("retry-after", "20")], "{}")]).await;
    let started = Instant::now();
    let error =
        client(Provider::OpenAi, &server.base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert!(
        started.elapsed() < Duration::from_secs(1) && shown(&error).contains("20 s"),
        "{error}"
    );
}

#[tokio::test]
async fn what_a_server_does_not_know_is_left_out_from_then_on() {
    let cases = [
        ("'response_format.type' must be one of \\\"text\\\"", "response_format"),
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
        ("Unsupported value: 'temperature' does not support 0.2 with this model", "temperature"),
        (
            "Unsupported parameter: 'max_tokens' is not supported, use 'max_completion_tokens'",
            "max_tokens",
        ),
    ];
    for (said, part) in cases {
        let refusal = Scene::answer(400, &[], &format!("{{\"error\":{{\"message\":\"{said}\"}}}}"));
        let server = Server::start(vec![refusal, Scene::stream(OPENAI)]).await;
        let client = client(Provider::OpenAi, &server.base, quick());
        let reply = client.chat_quiet(&with_schema()).await.unwrap();
        assert_eq!(reply.schema_sent, part != "response_format");
        client.clone().chat_quiet(&with_schema()).await.unwrap();
        let sent: Vec<bool> =
            server.seen().iter().map(|seen| seen.body.get(part).is_some()).collect();
        assert_eq!(sent, [true, false, false], "{part}");
    }
    // Both, one after the other: two requests and no more, but the next call knows.
    let refusal =
        |word: &str| Scene::answer(400, &[], &format!("{{\"error\":\"unknown field {word}\"}}"));
    let scenes = vec![refusal("stream_options"), refusal("response_format"), Scene::stream(OPENAI)];
    let server = Server::start(scenes).await;
    let client = client(Provider::OpenAi, &server.base, quick());
    client.chat_quiet(&with_schema()).await.unwrap_err();
    assert_eq!(server.count(), 2);
    assert!(!client.chat_quiet(&with_schema()).await.unwrap().schema_sent);
}

#[tokio::test]
async fn a_limit_that_is_too_large_is_not_taken_for_an_unknown_name() {
    let said =
        "{\"error\":{\"message\":\"max_tokens is too large: 9. This model supports at most 8.\"}}";
    let server = Server::start(vec![Scene::answer(400, &[], said)]).await;
    let error =
        client(Provider::OpenAi, &server.base, quick()).chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::Refused { .. }), "{error}");
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn a_faulty_schema_is_not_hidden() {
    let said = "{\"error\":{\"message\":\"Invalid schema for response_format 'x': bad\"}}";
    let server = Server::start(vec![Scene::answer(400, &[], said)]).await;
    let error = client(Provider::OpenAi, &server.base, quick())
        .chat_quiet(&with_schema())
        .await
        .unwrap_err();
    assert!(
        matches!(error, ChatError::Refused { .. }) && error.to_string().contains("Invalid schema")
    );
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn the_circuit_opens_for_clones_and_closes_after_one_good_request() {
    let mut settings = once();
    settings.breaker = BreakerLimits { failures: 3, pause: Duration::from_millis(600) };
    let scenes = vec![busy(500), busy(500), busy(500), busy(500), Scene::stream(OPENAI)];
    let server = Server::start(scenes).await;
    let client = client(Provider::OpenAi, &server.base, settings);
    for _ in 0..3 {
        client.chat_quiet(&request()).await.unwrap_err();
    }
    let error = client.clone().chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::CircuitOpen { failures: 3, .. }) && !error.is_permanent());
    assert!(shown(&error).contains("busy"), "{error}");
    assert_eq!(server.count(), 3, "nothing is sent while the circuit is open");
    tokio::time::sleep(Duration::from_millis(620)).await;
    // Half open: one request finds out, the others stay away.
    let question = request();
    let (one, two) = tokio::join!(client.chat_quiet(&question), client.chat_quiet(&question));
    assert!(one.is_err() && two.is_err());
    assert_eq!(server.count(), 4);
    tokio::time::sleep(Duration::from_millis(620)).await;
    client.chat_quiet(&request()).await.unwrap();
    client.chat_quiet(&request()).await.unwrap();
    assert_eq!(server.count(), 6);
}

/// Too many requests to one model are no outage of its server.
#[tokio::test]
async fn a_neighbour_of_a_model_in_trouble_is_asked_all_the_same() {
    let mut settings = once();
    settings.breaker = BreakerLimits { failures: 2, pause: Duration::from_secs(30) };
    let server = Server::start(vec![busy(429), busy(529), Scene::stream(OPENAI)]).await;
    let client = client(Provider::OpenAi, &server.base, settings);
    for _ in 0..2 {
        client.chat_quiet(&request()).await.unwrap_err();
    }
    let error = client.chat_quiet(&request()).await.unwrap_err();
    assert!(matches!(error, ChatError::CircuitOpen { .. }), "{error}");
    assert_eq!(client.for_model("n").unwrap().chat_quiet(&request()).await.unwrap().text, SAID);
    assert_eq!(server.count(), 3);
}

/// A server that takes no connection takes none for any model.
#[tokio::test]
async fn a_refused_connection_is_an_outage_for_every_model_of_the_server() {
    let mut settings = once();
    settings.breaker = BreakerLimits { failures: 3, pause: Duration::from_secs(30) };
    let place = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", place.local_addr().unwrap());
    drop(place);
    let client = client(Provider::OpenAi, &base, settings);
    let other = client.for_model("n").unwrap();
    for one in [&client, &other, &client] {
        let error = one.chat_quiet(&request()).await.unwrap_err();
        assert!(matches!(error, ChatError::Unreachable { .. }), "{error}");
    }
    for one in [&client, &other, &client.for_model("third").unwrap()] {
        let error = one.chat_quiet(&request()).await.unwrap_err();
        assert!(matches!(error, ChatError::CircuitOpen { failures: 3, .. }), "{error}");
    }
}

#[tokio::test]
async fn a_cancelled_trial_does_not_keep_the_circuit_open() {
    let mut settings = once();
    settings.breaker = BreakerLimits { failures: 1, pause: Duration::from_millis(10) };
    let scenes = vec![busy(500), Scene::silence(Duration::from_secs(5)), Scene::stream(OPENAI)];
    let server = Server::start(scenes).await;
    let client = client(Provider::OpenAi, &server.base, settings);
    client.chat_quiet(&request()).await.unwrap_err();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let question = request();
    let cancelled = tokio::time::timeout(Duration::from_millis(100), client.chat_quiet(&question));
    assert!(cancelled.await.is_err());
    assert_eq!(client.chat_quiet(&request()).await.unwrap().text, SAID);
}

#[tokio::test]
async fn the_requests_own_faults_do_not_open_the_circuit() {
    let mut settings = once();
    settings.breaker.failures = 1;
    let server = Server::start(vec![busy(401), Scene::stream(OPENAI)]).await;
    let client = client(Provider::OpenAi, &server.base, settings);
    client.chat_quiet(&request()).await.unwrap_err();
    client.chat_quiet(&request()).await.unwrap();
}

#[test]
fn dates_in_all_three_forms() {
    for text in [
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ] {
        assert_eq!(http_date(text), Some(784_111_777), "{text}");
    }
    assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
    assert_eq!(http_date("Thu, 29 Feb 2024 23:59:59 GMT"), Some(1_709_251_199));
    for text in [
        "",
        "120",
        "Sun, 06 Nov 1994",
        "Sun, 06 Nov 1994 25:00:00 GMT",
        "Sun, 99 Nov 1994 08:49:37 GMT",
        "a b c d e f",
    ] {
        assert_eq!(http_date(text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_header_is_read_without_panic(text in "\\PC{0,40}", digits in "[0-9.]{0,30}") {
        let _ = http_date(&text);
        for text in [text, digits] {
            let mut headers = reqwest::header::HeaderMap::new();
            if let Ok(value) = text.parse() {
                headers.insert("retry-after", value);
            }
            let _ = date::asked_wait(&headers);
        }
    }
}
