//! Variables, the wire, and collectors that are slow, wrong or not there.

use elenchus_core::id::{EffectId, RunId};
use elenchus_core::inquiry::Options;
use elenchus_core::journal::{GENESIS, JournalRecord};
use elenchus_core::port::Store;
use elenchus_core::testkit::{World, block_on, drive};
use elenchus_core::trace::spans::{Content, SpanId, TraceId, Value as Told, spans_of};
use elenchus_io::otlp::{
    Exporter, OtlpSettings, Protocol, Read as Variables, Resource, WatchedStore, content_from,
    to_json,
};
use elenchus_io::store::MemoryStore;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

fn read(pairs: &[(&str, &str)]) -> Variables {
    let pairs: BTreeMap<&str, &str> = pairs.iter().copied().collect();
    OtlpSettings::from_variables(|name| pairs.get(name).map(|value| (*value).to_owned()))
}

fn settings(url: &str, more: &[(&str, &str)]) -> OtlpSettings {
    let mut pairs = vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", url),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ];
    pairs.extend(more);
    read(&pairs).settings.unwrap()
}

/// The journal of a small run.
fn journal(asked: &str) -> Vec<JournalRecord> {
    let world = World::new("harbor")
        .document("fees.md", "# Fees\n\nThe berth fee is 40 euros a night.")
        .document("crew.md", "# Crew\n\nThe harbour master is Ada Holm.");
    drive(&world, asked, Options::default()).journal
}

/// Writes a journal to a store as a driver does.
fn written(store: &dyn Store, journal: &[JournalRecord]) -> RunId {
    let spans = spans_of(journal, Content::LeftOut);
    let id = spans.last().unwrap().attributes.iter().find(|(name, _)| *name == "elenchus.run.id");
    let Told::Text(id) = id.unwrap().1.clone() else { unreachable!() };
    let id = RunId::from(id.as_str());
    let mut previous = GENESIS.to_owned();
    let mut lease = None;
    for record in journal {
        let sealed = record.seal(&previous);
        match &lease {
            None => {
                let created = store.create(&id, "asked", &sealed, &[], "test", 60_000);
                lease = Some(block_on(created).unwrap());
            }
            Some(lease) => block_on(store.append(lease, &sealed, &[])).unwrap(),
        }
        previous.clone_from(&sealed.hash);
    }
    id
}

/// Answers each request as `reply` says; gives the bodies.
fn collector(reply: &'static str) -> (String, mpsc::Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (told, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut bytes = Vec::new();
            let mut piece = [0; 4096];
            let (head, length) = loop {
                let read = stream.read(&mut piece).unwrap();
                bytes.extend_from_slice(&piece[..read]);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if let Some(head) = text.find("\r\n\r\n") {
                    let line = text.lines().find(|line| line.starts_with("content-length: "));
                    break (head + 4, line.unwrap()[16..].parse::<usize>().unwrap());
                }
            };
            while bytes.len() < head + length {
                let read = stream.read(&mut piece).unwrap();
                bytes.extend_from_slice(&piece[..read]);
            }
            let _ = told.send(bytes[head..head + length].to_vec());
            let _ = write!(stream, "{reply}");
        }
    });
    (url, heard)
}

const TAKEN: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{}";

fn read_back(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

fn spans(body: &Value) -> Vec<Value> {
    body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
}

#[test]
fn the_variables_of_the_standard_are_understood() {
    assert!(read(&[]).settings.is_none());
    let all = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/otlp/");
    let plain = read(&[all]).settings.unwrap();
    assert_eq!(plain.endpoint.as_str(), "http://collector:4318/otlp/v1/traces");
    assert_eq!(plain.protocol, Protocol::Protobuf);
    assert!(!plain.is_loopback());
    let own = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://[::1]:9/in");
    let own =
        read(&[all, own, ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json")]).settings.unwrap();
    assert_eq!(own.endpoint.as_str(), "http://[::1]:9/in");
    assert_eq!(own.protocol, Protocol::Json);
    assert!(own.is_loopback());
    assert!(read(&[all, ("OTEL_SDK_DISABLED", "TRUE")]).settings.is_none());
    assert!(read(&[all, ("OTEL_TRACES_EXPORTER", "none")]).settings.is_none());
    let named = read(&[
        all,
        ("OTEL_RESOURCE_ATTRIBUTES", "service.name=other,deployment.environment.name=a%20b"),
        ("OTEL_SERVICE_NAME", "research"),
    ]);
    let attributes = named.settings.unwrap().resource.attributes;
    let found =
        |name: &str| attributes.iter().find(|(known, _)| known == name).map(|(_, v)| v.as_str());
    assert_eq!(found("service.name"), Some("research"));
    assert_eq!(found("deployment.environment.name"), Some("a b"));
    assert_eq!(attributes.iter().filter(|(name, _)| name == "service.name").count(), 1);
}

#[test]
fn headers_are_decoded_and_their_values_never_shown() {
    let read = read(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://user:pass@collector/?key=hidden"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Basic%20c2VjcmV0, x-team = sea,no header"),
    ]);
    let settings = read.settings.unwrap();
    assert_eq!(settings.headers["authorization"], "Basic c2VjcmV0");
    assert_eq!(settings.headers["x-team"], "sea");
    assert_eq!(read.warnings.len(), 1);
    let shown = format!("{settings:?} {} {:?}", settings.address(), read.warnings);
    for secret in ["c2VjcmV0", "pass", "hidden", "no header"] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn what_cannot_be_used_is_told_and_never_a_reason_not_to_run() {
    let wrong = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")]);
    assert!(wrong.settings.is_none());
    assert!(wrong.warnings[0].contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{:?}", wrong.warnings);
    let odd = read(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
    ]);
    assert_eq!(odd.settings.unwrap().timeout, Duration::from_secs(10));
    assert_eq!(odd.warnings.len(), 2, "{:?}", odd.warnings);
}

#[test]
fn texts_are_left_out_unless_they_are_asked_for() {
    assert_eq!(content_from(|_| None), Content::LeftOut);
    for (word, content) in [
        ("true", Content::Scrubbed),
        ("SPAN_ONLY", Content::Scrubbed),
        ("no_content", Content::LeftOut),
    ] {
        let name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
        assert_eq!(content_from(|asked| (asked == name).then(|| word.to_owned())), content);
    }
}

#[test]
fn a_run_is_written_as_the_protocol_says() {
    let journal = journal("What is the berth fee?");
    let spans_made = spans_of(&journal, Content::LeftOut);
    let resource = Resource::from_variables(|_| None);
    let json = to_json(&spans_made, &resource);
    assert_eq!(json, to_json(&spans_of(&journal, Content::LeftOut), &resource), "the same bytes");
    assert!(!json.contains("berth"), "no word of the question or a document: {json}");
    let body: Value = serde_json::from_str(&json).unwrap();
    let root = spans(&body).pop().unwrap();
    let trace = root["traceId"].as_str().unwrap();
    assert!(trace.len() == 32 && trace.chars().all(|c| c.is_ascii_hexdigit()), "{root}");
    assert_eq!(root["spanId"].as_str().unwrap().len(), 16);
    assert_eq!(root["startTimeUnixNano"], "1000000000000");
    assert_eq!(root["kind"], 1);
    let of_resource = &body["resourceSpans"][0]["resource"]["attributes"];
    assert_eq!(of_resource[0]["key"], "service.name");
    assert_eq!(of_resource[0]["value"]["stringValue"], "elenchus");
    let documents = root["attributes"].as_array().unwrap().iter();
    let mut documents = documents.filter(|pair| pair["key"] == "elenchus.corpus.documents");
    assert_eq!(documents.next().unwrap()["value"]["intValue"], "2", "whole numbers are texts");
}

#[test]
fn ids_follow_from_the_run_and_differ() {
    let (one, other) = (RunId::from("run_1"), RunId::from("run_2"));
    assert_eq!(TraceId::of(&one), TraceId::of(&one));
    assert_ne!(TraceId::of(&one), TraceId::of(&other));
    let ids = [
        SpanId::of_run(&one),
        SpanId::of_round(&one, 1),
        SpanId::of_effect(&one, EffectId(1)),
        SpanId::of_effect(&other, EffectId(1)),
    ];
    assert!(ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id)), "{ids:?}");
}

#[test]
fn what_is_written_to_a_store_arrives() {
    let (url, heard) = collector(TAKEN);
    let exporter = Exporter::start(settings(&url, &[]), None).unwrap();
    let store = WatchedStore::new(Arc::new(MemoryStore::new()), exporter.clone());
    let journal = journal("What is the berth fee?");
    written(&store, &journal);
    assert_eq!(exporter.finish(Duration::from_secs(10)), None);
    let arrived: Vec<Value> = heard.try_iter().flat_map(|body| spans(&read_back(&body))).collect();
    let whole: Value = serde_json::from_str(&to_json(
        &spans_of(&journal, Content::LeftOut),
        &Resource::from_variables(|_| None),
    ))
    .unwrap();
    assert_eq!(arrived, spans(&whole), "live and afterwards are the same");
}

#[test]
fn without_a_word_spans_are_sent_as_protobuf() {
    let (url, heard) = collector(TAKEN);
    let usual = read(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &url)]).settings.unwrap();
    let exporter = Exporter::start(usual, None).unwrap();
    let store = WatchedStore::new(Arc::new(MemoryStore::new()), exporter.clone());
    let journal = journal("What is the berth fee?");
    written(&store, &journal);
    assert_eq!(exporter.finish(Duration::from_secs(10)), None);
    let body = heard.recv().unwrap();
    let request = ExportTraceServiceRequest::decode(&*body).unwrap();
    let whole = to_json(&spans_of(&journal, Content::LeftOut), &Resource::from_variables(|_| None));
    assert_eq!(serde_json::to_string(&request).unwrap(), whole, "one message in two forms");
}

#[test]
fn a_run_that_is_taken_up_goes_on_in_its_trace() {
    let (url, heard) = collector(TAKEN);
    let journal = journal("What is the berth fee?");
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let (before, after) = journal.split_at(journal.len() / 2);
    let id = written(&*store, before);
    // Another process drives the rest.
    let exporter = Exporter::start(settings(&url, &[]), None).unwrap();
    let watched = WatchedStore::new(Arc::clone(&store), exporter.clone());
    let tip = block_on(store.tip(&id)).unwrap();
    let now = before.last().unwrap().at;
    let lease = block_on(watched.lease(&id, "test", now, 60_000)).unwrap();
    let mut previous = tip.hash;
    for record in after {
        let sealed = record.seal(&previous);
        block_on(watched.append(&lease, &sealed, &[])).unwrap();
        previous = sealed.hash;
    }
    assert_eq!(exporter.finish(Duration::from_secs(10)), None);
    let arrived: Vec<Value> = heard.try_iter().flat_map(|body| spans(&read_back(&body))).collect();
    let whole: Value = serde_json::from_str(&to_json(
        &spans_of(&journal, Content::LeftOut),
        &Resource::from_variables(|_| None),
    ))
    .unwrap();
    let whole = spans(&whole);
    assert!(!arrived.is_empty() && arrived.len() < whole.len());
    assert_eq!(arrived, whole[whole.len() - arrived.len()..], "the rest, with the same ids");
}

#[test]
fn a_collector_that_is_not_there_costs_a_run_nothing_and_is_told_once() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let said = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&said);
    let told: elenchus_io::otlp::Told =
        Arc::new(move |line: &str| told.lock().unwrap().push(line.to_owned()));
    let exporter = Exporter::start(settings(&closed, &[]), Some(told)).unwrap();
    let store = WatchedStore::new(Arc::new(MemoryStore::new()), exporter.clone());
    let count = spans_of(&journal("What is the berth fee?"), Content::LeftOut).len();
    let other = journal("Who is the harbour master?");
    let count = count + spans_of(&other, Content::LeftOut).len();
    written(&store, &journal("What is the berth fee?"));
    written(&store, &other);
    let lost = exporter.finish(Duration::from_secs(10)).unwrap();
    assert!(
        lost.starts_with(&format!("{count} spans")) && lost.contains("nobody answers"),
        "{lost}"
    );
    assert_eq!(said.lock().unwrap().len(), 1);
}

#[test]
fn a_collector_that_never_answers_is_not_waited_for() {
    // Connections are taken by the system and never answered.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let small = [("OTEL_BSP_MAX_QUEUE_SIZE", "4"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2")];
    let exporter = Exporter::start(settings(&url, &small), None).unwrap();
    let store = WatchedStore::new(Arc::new(MemoryStore::new()), exporter.clone());
    let journal = journal("What is the berth fee?");
    let count = spans_of(&journal, Content::LeftOut).len();
    let before = Instant::now();
    written(&store, &journal);
    assert!(before.elapsed() < Duration::from_secs(5), "writing waits for nobody");
    let lost = exporter.finish(Duration::from_millis(300)).unwrap();
    assert!(lost.starts_with(&format!("{count} spans")), "{lost}");
    drop(listener);
}

#[test]
fn spans_that_a_collector_rejects_are_counted() {
    let body = r#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#;
    let reply: &'static str = Box::leak(
        format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
        .into_boxed_str(),
    );
    let (url, _heard) = collector(reply);
    let exporter = Exporter::start(settings(&url, &[]), None).unwrap();
    let store = WatchedStore::new(Arc::new(MemoryStore::new()), exporter.clone());
    written(&store, &journal("What is the berth fee?"));
    let lost = exporter.finish(Duration::from_secs(10)).unwrap();
    assert!(lost.starts_with("2 spans") && lost.contains("too old"), "{lost}");
}
