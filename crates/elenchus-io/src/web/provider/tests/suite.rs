//! What every provider does, whatever its service.

use super::shape::{Doc, SUBJECTS, Subject};
use super::*;
use crate::web::provider::FailureKind;
use crate::web::{Voucher, provider::WebResult};
use elenchus_core::evidence::PartialDate;
use futures_util::{FutureExt, StreamExt, stream};
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::Instant;

const DOCS: &[Doc] = &[
    Doc {
        url: "https://trust.example/otters?year=2024",
        title: "Otters &amp; <b>rivers</b>",
        text: "There were <strong>268</strong> otters in 2024 &mdash; fewer than before.",
        date: Some("2024-11-11"),
    },
    Doc {
        url: "https://news.example/otters",
        title: "Fewer otters",
        text: "A count in October found fewer otters.",
        date: Some("2021-11-30"),
    },
    Doc {
        url: "http://old.example/otters",
        title: "Otters return",
        text: "In 1994 the first otters came back.",
        date: None,
    },
];

fn scene(subject: &Subject, docs: &[Doc]) -> Scene {
    Scene::answer(
        200,
        &[("content-type", "application/json; charset=utf-8")],
        &(subject.reply)(docs),
    )
}

async fn shown(subject: &Subject, docs: &[Doc], query: &WebQuery) -> Vec<WebResult> {
    Pair::new(subject.name, vec![scene(subject, docs)]).await.find(query).await.unwrap()
}

async fn failed(subject: &Subject, scene: Scene) -> ProviderFailure {
    let change = |settings: &mut ProviderSettings| settings.deadline = Duration::from_millis(900);
    let pair = Pair::with(subject.name, vec![scene], change).await;
    let failure = pair.find(&query()).await.unwrap_err();
    let message = failure.to_string();
    assert_eq!(failure.provider, pair.provider.name(), "{message}");
    assert!(!message.contains(KEY) && !message.contains("sekret"), "{message}");
    assert!(message.len() < 900 && !message.contains('\n'), "{message}");
    failure
}

/// The contract of [`Provider`] and of its failures.
async fn provider_suite(subject: &Subject) {
    results_in_order(subject).await;
    limits_and_filters(subject).await;
    addresses_that_are_left_out(subject).await;
    refusals(subject).await;
    replies_that_are_none(subject).await;
    pauses(subject).await;
    encodings(subject).await;
}

#[tokio::test]
async fn every_provider_passes_the_suite() {
    for subject in SUBJECTS {
        println!("{}", subject.name);
        provider_suite(subject).await;
    }
    // Those that wait for most of the time wait side by side.
    stream::iter(SUBJECTS)
        .for_each_concurrent(None, |subject| async {
            if let Err(panic) = AssertUnwindSafe(waits(subject)).catch_unwind().await {
                println!("{} waits otherwise", subject.name);
                resume_unwind(panic);
            }
        })
        .await;
}

async fn results_in_order(subject: &Subject) {
    let pair = Pair::new(subject.name, vec![scene(subject, DOCS)]).await;
    let results = pair.find(&query()).await.unwrap();
    assert_eq!(urls(&results), DOCS.iter().map(|doc| doc.url).collect::<Vec<_>>());
    let name = pair.provider.name();
    assert_eq!(results[0].url.by(), &Voucher::Provider(name.to_owned()));
    assert_eq!(results[0].title, "Otters & rivers");
    assert_eq!(results[0].snippet, "There were 268 otters in 2024 — fewer than before.");
    if subject.dated {
        assert_eq!(results[0].published, Some(PartialDate::day(2024, 11, 11)));
        assert_eq!(results[2].published, None);
    }
    assert_eq!(pair.server.count(), 1, "one request a search");
    let seen = pair.server.seen().remove(0);
    assert!(seen.head.contains("someone@example.org"), "who asks is said: {}", seen.head);
    assert!(seen.head.contains("elenchus"), "{}", seen.head);

    assert_eq!(shown(subject, &[], &query()).await, []);
}

async fn limits_and_filters(subject: &Subject) {
    let one = WebQuery { limit: 1, ..query() };
    assert_eq!(urls(&shown(subject, DOCS, &one).await), [DOCS[0].url]);
    let least = WebQuery { limit: 0, ..query() };
    assert_eq!(shown(subject, DOCS, &least).await.len(), 1);
    let most = WebQuery { limit: u16::MAX, ..query() };
    assert_eq!(shown(subject, DOCS, &most).await.len(), 3);

    // A wiki is one site, which the peer is.
    let site = |name: &str| if subject.one_site { "127.0.0.1".to_owned() } else { name.to_owned() };
    let pages = if subject.one_site { WIKI } else { DOCS };
    let only = WebQuery { domains: vec![site("trust.example")], ..query() };
    assert_eq!(shown(subject, pages, &only).await[0].url.url().as_str(), pages[0].url);
    let elsewhere = WebQuery { domains: vec!["other.example".to_owned()], ..query() };
    assert_eq!(shown(subject, pages, &elsewhere).await, []);
    let without = WebQuery { exclude: vec![site("trust.example")], ..query() };
    let kept = urls(&shown(subject, pages, &without).await);
    let expected: Vec<_> =
        if subject.one_site { &[] } else { &DOCS[1..] }.iter().map(|doc| doc.url).collect();
    assert_eq!(kept, expected);

    if subject.dated {
        let since = WebQuery { since: Some(PartialDate::year(2022)), ..query() };
        let kept = urls(&shown(subject, DOCS, &since).await);
        assert_eq!(kept, [DOCS[0].url, DOCS[2].url], "what has no date may be new enough");
    }
}

/// Pages of the peer itself.
const WIKI: &[Doc] =
    &[Doc { url: "http://127.0.0.1/wiki/Otter", title: "Otter", text: "An animal.", date: None }];

async fn addresses_that_are_left_out(subject: &Subject) {
    let at = |url| Doc { url, ..DOCS[0] };
    let docs = [
        at("javascript:alert(1)"),
        at("file:///etc/passwd"),
        at("data:text/html,x"),
        at("not an address"),
        at("https://name:word@trust.example/"),
        at("https://trust.example/a"),
        at("https://www.trust.example/a/#part"),
        at("http://trust.example/a"),
        at("https://trust.example/b"),
    ];
    // An index gives every document an address, so that there no document is lost for a bad one.
    let expected: &[&str] = &["https://trust.example/a", "https://trust.example/b"];
    let results = urls(&shown(subject, &docs, &query()).await);
    let results: Vec<&String> = results
        .iter()
        .filter(|url| !url.contains("/_doc/") && !url.contains("openalex.org/W"))
        .collect();
    assert_eq!(results, expected);
}

async fn refusals(subject: &Subject) {
    // A service cannot echo a key that it was not sent.
    let keyed = ["tavily", "brave", "openalex", "opensearch"]
        .iter()
        .any(|name| subject.name.starts_with(name));
    let words =
        if keyed { format!("no: {KEY} and sekret%2Fkey%2Bwords%3D42") } else { "no".to_owned() };
    let echo = format!("{{\"message\": \"{words}\"}}");
    let answer = |status| Scene::answer(status, &[("content-type", "application/json")], &echo);
    for status in [401, 403] {
        let failure = failed(subject, answer(status)).await;
        assert!(matches!(failure.kind, FailureKind::Key | FailureKind::Refused), "{failure}");
        assert!(!failure.passing);
    }
    let failure = failed(subject, answer(429)).await;
    assert!(matches!(failure.kind, FailureKind::Busy | FailureKind::Quota), "{failure}");
    for status in [500, 503] {
        let failure = failed(subject, answer(status)).await;
        assert_eq!(failure.kind, FailureKind::Broken, "{failure}");
        assert!(failure.passing && failure.to_string().contains(&status.to_string()), "{failure}");
    }
    let failure = failed(subject, answer(404)).await;
    assert!(!failure.passing, "{failure}");
    let away = Scene::answer(302, &[("location", "https://elsewhere.example/x?key=1")], "");
    let failure = failed(subject, away).await;
    assert_eq!(failure.kind, FailureKind::Foreign, "{failure}");
}

async fn replies_that_are_none(subject: &Subject) {
    let page = "<!DOCTYPE html><html><body>Log in to the hotel's network</body></html>";
    let failure = failed(subject, Scene::answer(200, &[("content-type", "text/html")], page)).await;
    assert_eq!(failure.kind, FailureKind::Foreign, "{failure}");

    let whole = (subject.reply)(DOCS);
    let half = whole.get(..whole.len() / 2).unwrap();
    let failure = failed(subject, Scene::answer(200, &[], half)).await;
    assert_eq!(failure.kind, FailureKind::Broken, "cut with a true length: {failure}");
    let cut = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{half}", whole.len());
    let failure = failed(subject, Scene::default().then(Duration::ZERO, cut)).await;
    assert_eq!(failure.kind, FailureKind::Broken, "cut by the connection: {failure}");
    for empty in ["", "  \n"] {
        let failure = failed(subject, Scene::answer(200, &[], empty)).await;
        assert!(matches!(failure.kind, FailureKind::Broken | FailureKind::Foreign), "{failure}");
    }
    let other = if subject.json { "{\"ok\": true}" } else { "<rss><channel/></rss>" };
    if subject.name != "brave" {
        let failure = failed(subject, Scene::answer(200, &[], other)).await;
        assert_eq!(failure.kind, FailureKind::Foreign, "{failure}");
    }
    // Far deeper than any reply, and more members than any reply.
    let deep = if subject.json { "[".repeat(100_000) } else { "<feed>".repeat(50_000) };
    failed(subject, Scene::answer(200, &[], &deep)).await;
    if subject.json {
        let wide = format!("[{}0]", "0,".repeat(600_000));
        let failure = failed(subject, Scene::answer(200, &[], &wide)).await;
        assert_eq!(failure.kind, FailureKind::TooLarge, "{failure}");
    }
    let failure = {
        let huge = " ".repeat(300_000);
        let small = |settings: &mut ProviderSettings| settings.fetch.most_bytes = 100_000;
        let pair = Pair::with(subject.name, vec![Scene::answer(200, &[], &huge)], small).await;
        pair.find(&query()).await.unwrap_err()
    };
    assert_eq!(failure.kind, FailureKind::TooLarge, "{failure}");
}

async fn waits(subject: &Subject) {
    let began = Instant::now();
    let failure = failed(subject, Scene::silence(Duration::from_secs(30))).await;
    assert_eq!(failure.kind, FailureKind::Slow, "{failure}");
    assert!(began.elapsed() < Duration::from_secs(3) && failure.passing);

    // One more try after a wait that the server asks for and the deadline allows.
    let busy = Scene::answer(429, &[("retry-after", "1")], "{}");
    let pair = Pair::new(subject.name, vec![busy, scene(subject, DOCS)]).await;
    assert_eq!(pair.find(&query()).await.unwrap().len(), 3);
    let seen = pair.server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_millis(950));

    // A longer one is kept without asking again.
    let busy = Scene::answer(429, &[("retry-after", "120")], "{}");
    let pair = Pair::new(subject.name, vec![busy, scene(subject, DOCS)]).await;
    pair.find(&query()).await.unwrap_err();
    let failure = pair.find(&query()).await.unwrap_err();
    assert_eq!((failure.kind, pair.server.count()), (FailureKind::Busy, 1), "{failure}");
    assert!(failure.passing && failure.cause.contains("alone"), "{failure}");
}

/// Requests of one process are a pause apart.
async fn pauses(subject: &Subject) {
    let slow = |settings: &mut ProviderSettings| {
        for pause in settings.pauses.values_mut() {
            *pause = Duration::from_millis(300);
        }
    };
    let pair = Pair::with(subject.name, vec![scene(subject, DOCS)], slow).await;
    pair.find(&query()).await.unwrap();
    pair.find(&query()).await.unwrap();
    let seen = pair.server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_millis(280));
}

async fn encodings(subject: &Subject) {
    let doc = [Doc { title: "Otter im Müllbach", ..DOCS[0] }];
    let text = (subject.reply)(&doc);
    let in_encoding = |label: &str, bytes: Vec<u8>| {
        let head = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json; charset={label}\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        Scene::default().then(Duration::ZERO, [head.into_bytes(), bytes].concat())
    };
    let latin = encoding_rs::WINDOWS_1252.encode(&text).0.into_owned();
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    for (label, bytes) in [("\"iso-8859-1\"", latin), ("utf-16", wide), ("nonsense", marked)] {
        let pair = Pair::new(subject.name, vec![in_encoding(label, bytes)]).await;
        let results = pair.find(&query()).await.unwrap();
        assert_eq!(results[0].title, "Otter im Müllbach", "{label}");
    }
    // Bytes that are no UTF-8 spoil their own letter only.
    let spoilt = text
        .replace('ü', "\u{1}")
        .into_bytes()
        .iter()
        .map(|b| if *b == 1 { 0xfc } else { *b })
        .collect();
    let pair = Pair::new(subject.name, vec![in_encoding("utf-8", spoilt)]).await;
    assert_eq!(pair.find(&query()).await.unwrap()[0].title, "Otter im M\u{fffd}llbach");
}
