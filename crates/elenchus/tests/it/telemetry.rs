//! Runs told to a collector on the loopback interface, and exported as what one reads.

use crate::world::{CAPACITY, World, ran, redacted};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

type Arrived = Arc<Mutex<Vec<(HeaderMap, Value)>>>;

/// A collector that reads OTLP/JSON.
struct Collector {
    url: String,
    arrived: Arrived,
    _runtime: Runtime,
}

impl Collector {
    fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let arrived = Arrived::default();
        let taking = async |State(arrived): State<Arrived>, headers: HeaderMap, body: Bytes| {
            let body = serde_json::from_slice(&body).unwrap();
            arrived.lock().unwrap().push((headers, body));
            "{}"
        };
        let router =
            axum::Router::new().route("/v1/traces", post(taking)).with_state(Arc::clone(&arrived));
        runtime.spawn(async move { axum::serve(listener, router).await });
        Self { url, arrived, _runtime: runtime }
    }

    fn variables(&self) -> [(&str, &str); 4] {
        [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &self.url),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=harbor%20crew"),
            ("OTEL_SERVICE_NAME", "research"),
        ]
    }

    /// All spans that arrived, by their ids.
    fn spans(&self) -> BTreeMap<String, Value> {
        let arrived = self.arrived.lock().unwrap();
        let spans: Vec<Value> = arrived.iter().flat_map(|(_, body)| spans(body)).collect();
        let by_id: BTreeMap<String, Value> =
            spans.iter().map(|span| (id(span), span.clone())).collect();
        assert_eq!(by_id.len(), spans.len(), "no span arrives twice");
        by_id
    }
}

fn spans(body: &Value) -> Vec<Value> {
    body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
}

fn id(span: &Value) -> String {
    span["spanId"].as_str().unwrap().to_owned()
}

fn attribute<'a>(span: &'a Value, name: &str) -> &'a Value {
    let pairs = span["attributes"].as_array().unwrap();
    let found: Vec<&Value> = pairs.iter().filter(|pair| pair["key"] == name).collect();
    assert!(found.len() <= 1, "{name} stands twice in {span:#}");
    found
        .first()
        .map_or(&Value::Null, |pair| pair["value"].as_object().unwrap().values().next().unwrap())
}

fn time(span: &Value, which: &str) -> u64 {
    span[which].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_run_arrives_as_a_tree_of_spans() {
    let (world, collector) = (World::new(), Collector::start());
    let mut asking = world.command();
    asking.args(["ask", CAPACITY, "--corpus"]).arg(crate::world::harbor());
    let asked = ran(asking.envs(collector.variables()));
    asked.succeeds();
    assert!(!asked.err.contains("telemetry"), "{}", asked.err);
    let run = world.newest();
    let all = collector.spans();

    let roots: Vec<&Value> = all.values().filter(|span| span["parentSpanId"] == "").collect();
    let [root] = roots.as_slice() else { unreachable!("one root: {roots:#?}") };
    assert_eq!(root["name"], "invoke_agent elenchus");
    assert_eq!(*attribute(root, "gen_ai.operation.name"), "invoke_agent");
    assert_eq!(*attribute(root, "elenchus.run.id"), run.as_str());
    assert_eq!(*attribute(root, "elenchus.run.over"), true);
    assert!(attribute(root, "elenchus.stop_reason").is_string(), "{root:#}");
    let events: Vec<&Value> =
        root["events"].as_array().unwrap().iter().map(|e| &e["name"]).collect();
    assert!(events.iter().any(|name| **name == "gen_ai.evaluation.result"), "{events:?}");

    for span in all.values() {
        assert_eq!(span["traceId"], root["traceId"]);
        assert_eq!(*attribute(span, "elenchus.run.id"), run.as_str());
        let (start, end) = (time(span, "startTimeUnixNano"), time(span, "endTimeUnixNano"));
        assert!(start <= end, "{span:#}");
        let Some(parent) = all.get(span["parentSpanId"].as_str().unwrap()) else {
            assert_eq!(id(span), id(root), "every parent arrived: {span:#}");
            continue;
        };
        assert!(time(parent, "startTimeUnixNano") <= start, "{span:#}");
        assert!(end <= time(parent, "endTimeUnixNano"), "{span:#}");
    }
    let named = |name: &str| all.values().filter(|span| span["name"] == name).collect::<Vec<_>>();
    let rounds = named("round 1");
    assert_eq!(rounds.len(), 1);
    let searches = named("execute_tool search");
    assert!(!searches.is_empty());
    for search in &searches {
        assert_eq!(search["parentSpanId"], rounds[0]["spanId"]);
        assert_eq!(*attribute(search, "gen_ai.tool.name"), "search");
        assert_eq!(*attribute(search, "elenchus.phase"), "search");
        assert!(attribute(search, "elenchus.gap.id").is_string(), "{search:#}");
    }
    let chats = named("chat extractive");
    assert!(chats.len() > 2);
    for chat in chats {
        assert_eq!(*attribute(chat, "gen_ai.operation.name"), "chat");
        assert_eq!(*attribute(chat, "gen_ai.provider.name"), "elenchus");
        assert_eq!(chat["kind"], 1, "the built-in model computes in this process");
        assert_eq!(*attribute(chat, "gen_ai.request.model"), "extractive");
        assert_eq!(*attribute(chat, "gen_ai.response.model"), "extractive");
        assert_eq!(*attribute(chat, "gen_ai.usage.input_tokens"), "0");
        assert!(attribute(chat, "elenchus.prompt").is_string());
    }

    let arrived = collector.arrived.lock().unwrap();
    assert_eq!(arrived[0].0["x-team"], "harbor crew");
    assert_eq!(arrived[0].0["content-type"], "application/json");
    let of_resource = &arrived[0].1["resourceSpans"][0]["resource"];
    assert_eq!(*attribute(of_resource, "service.name"), "research");
    // Neither words of the question nor of a document.
    let text = format!("{:?}", arrived.iter().map(|(_, body)| body).collect::<Vec<_>>());
    assert!(!text.contains("Skerry") && !text.contains("capacity"), "{text}");
}

#[test]
fn an_export_gives_what_arrived_live_and_always_the_same_bytes() {
    let (world, collector) = (World::new(), Collector::start());
    let mut asking = world.command();
    asking.args(["ask", CAPACITY, "--corpus"]).arg(crate::world::harbor());
    ran(asking.envs(collector.variables())).succeeds();
    let run = world.newest();
    let words = ["runs", "export", &run, "--format", "otlp"];
    let text = world.run_with(&words, &[("OTEL_SERVICE_NAME", "research")]).succeeds().out.clone();
    assert_eq!(text.lines().count(), 1);
    assert_eq!(world.run_with(&words, &[("OTEL_SERVICE_NAME", "research")]).out, text);
    let exported: Value = serde_json::from_str(&text).unwrap();
    let exported: BTreeMap<String, Value> =
        spans(&exported).into_iter().map(|span| (id(&span), span)).collect();
    assert_eq!(exported, collector.spans());
    assert!(!text.contains("Skerry"), "{text}");

    // With texts, when they are asked for.
    let telling = [("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")];
    let told = world.run_with(&words, &telling).succeeds().out.clone();
    assert!(told.contains("Skerry") && told.contains("gen_ai.input.messages"), "{told}");
    world.run(&["runs", "export", &run, "--format", "otlp", "--out", "t.json"]).succeeds();
    assert!(world.folder().join("t.json").exists());
}

#[test]
fn a_secret_in_a_document_stands_in_no_span() {
    let world = World::new();
    let key = "AKIAQ3EGRIHDLX7XJ2KM";
    world.write("docs/a.md", format!("# Pump\n\nThe pump costs 300 euros, said with {key}.\n"));
    world.run(&["ask", "What does the pump cost?", "--corpus", "docs"]).succeeds();
    let telling = [("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")];
    let words = ["runs", "export", &world.newest(), "--format", "otlp"];
    let text = world.run_with(&words, &telling).succeeds().out.clone();
    assert!(text.contains("pump") && !text.contains(key), "{text}");
}

#[test]
fn a_collector_that_is_down_or_silent_changes_nothing_but_a_line() {
    let world = World::new();
    let plain = world.ask(CAPACITY, &["-q"]);
    plain.succeeds();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    // Taken by the system and never answered.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_url = format!("http://{}", silent.local_addr().unwrap());
    for url in [&closed, &silent_url] {
        let mut asking = world.command();
        asking.args(["ask", CAPACITY, "--corpus"]).arg(crate::world::harbor());
        let before = Instant::now();
        let asked = ran(asking.env("OTEL_EXPORTER_OTLP_ENDPOINT", url));
        assert!(before.elapsed() < Duration::from_mins(1));
        assert_eq!(redacted(&asked.succeeds().out), redacted(&plain.out));
        let lines: Vec<&str> = asked.err.lines().filter(|l| l.contains("telemetry")).collect();
        assert_eq!(lines.len(), 1, "{}", asked.err);
        assert!(lines[0].contains("did not reach") && lines[0].contains(url.as_str()), "{lines:?}");
    }
}

#[test]
fn what_cannot_be_used_is_told_and_what_is_disabled_is_silent() {
    let world = World::new();
    let with = |variables: &[(&str, &str)]| {
        let mut asking = world.command();
        asking.args(["ask", CAPACITY, "--corpus"]).arg(crate::world::harbor());
        asking.envs(variables.iter().copied());
        let asked = ran(&mut asking);
        asked.succeeds().err.clone()
    };
    let wrong = with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318")]);
    assert!(wrong.contains("OTEL_EXPORTER_OTLP_ENDPOINT is no address"), "{wrong}");
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.example:4318");
    let off = with(&[endpoint, ("OTEL_SDK_DISABLED", "true")]);
    assert!(!off.contains("telemetry"), "{off}");
    let offline = with(&[endpoint, ("ELENCHUS_EGRESS", "offline")]);
    assert!(offline.contains("the egress mode is `offline`"), "{offline}");
}
