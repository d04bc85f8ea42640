//! Requests to an embedding server that fails, counted over client and engine: what the client gave up nobody above asks for
//! again.

use crate::support::{QUESTION, harbour, memory, options, ports, settings};
use elenchus_core::trace::TraceEvent;
use elenchus_engine::{Engine, Ports};
use elenchus_io::embed::HttpEmbedder;
use elenchus_io::model::language::{BreakerLimits, Endpoint, Provider, Retry, Settings};
use elenchus_io::retrieve::{Corpus, RemoteVectors};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

/// A server of embeddings that counts requests and answers them with its status, and one vector a text.
struct Counting {
    base: String,
    status: Arc<AtomicU16>,
    asked: Arc<AtomicU32>,
}

impl Counting {
    fn start(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (status, asked) = (Arc::new(AtomicU16::new(status)), Arc::new(AtomicU32::new(0)));
        let (told, counted) = (Arc::clone(&status), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(texts) = texts_asked_for(&mut stream) else { continue };
                counted.fetch_add(1, Ordering::SeqCst);
                let body = json!({ "embeddings": vec![[1.0, 0.0]; texts] }).to_string();
                write!(
                    stream,
                    "HTTP/1.1 {} said\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    told.load(Ordering::SeqCst),
                    body.len()
                )
                .unwrap();
            }
        });
        Self { base, status, asked }
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }

    fn embedder(&self) -> HttpEmbedder {
        let endpoint = Endpoint::new(Provider::Ollama, Some(&self.base), None).unwrap();
        let settings = Settings {
            retry: Retry { backoff: Duration::from_millis(1), ..Retry::default() },
            // It would keep requests back that are to be counted.
            breaker: BreakerLimits { failures: 1_000, ..BreakerLimits::default() },
            ..Settings::default()
        };
        let dimensions = NonZeroUsize::new(2).unwrap();
        let name = "ollama:small".parse().unwrap();
        HttpEmbedder::with_dimensions(name, endpoint, dimensions, settings).unwrap()
    }
}

/// Reads a request to its end; `None` where the connection brought none.
fn texts_asked_for(stream: &mut TcpStream) -> Option<usize> {
    let mut all = Vec::new();
    let mut part = [0; 4096];
    loop {
        let n = stream.read(&mut part).ok().filter(|n| *n > 0)?;
        all.extend_from_slice(&part[..n]);
        let text = String::from_utf8_lossy(&all);
        let body = text.split_once("\r\n\r\n").map(|(_, body)| serde_json::from_str::<Value>(body));
        if let Some(Ok(body)) = body {
            return body["input"].as_array().map(Vec::len);
        }
    }
}

/// Runs to the end, and tells how often a tool was used.
async fn uses(ports: Ports, tool: &str) -> u32 {
    let store = Arc::clone(&ports.store);
    let engine = Engine::new(ports, settings(1));
    let handle = engine.start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    handle.join().await.unwrap();
    let mut used = 0;
    for envelope in store.events(&run_id, 0).await.unwrap() {
        if let TraceEvent::ReasoningAction(action) = envelope.event {
            used += u32::from(action.tool == tool);
        }
    }
    used
}

#[tokio::test(flavor = "multi_thread")]
async fn an_embedding_server_has_two_requests_an_effect_at_most() {
    // A server in trouble is asked once more, by its client; a key that is wrong stays so.
    for (status, requests) in [(503, 2), (401, 1)] {
        let server = Counting::start(status);
        let (world, store) = (Arc::new(harbour()), memory());
        let ports = Ports { embedder: Arc::new(server.embedder()), ..ports(&world, &store) };
        let used = uses(ports, "embed").await;
        assert!(used > 0);
        assert_eq!(server.asked(), used * requests, "{status}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_whose_query_a_server_embeds_asks_it_no_more_often() {
    let server = Counting::start(200);
    let folder = tempfile::tempdir().unwrap();
    let text = "# Tides\n\nThe harbour tide can rise 4 metres far into spring.\n";
    std::fs::write(folder.path().join("tides.md"), text).unwrap();
    let vectors = RemoteVectors::new(server.embedder()).unwrap();
    let mut corpus = Corpus::in_memory(folder.path(), Some(Arc::new(vectors))).unwrap();
    corpus.sync(&mut |_| {}).unwrap();
    let before = server.asked();
    assert!(before > 0, "passages are embedded there");
    server.status.store(503, Ordering::SeqCst);
    let (world, store) = (Arc::new(harbour()), memory());
    let ports = Ports { retriever: Arc::new(corpus), ..ports(&world, &store) };
    let used = uses(ports, "search").await;
    assert!(used > 0);
    assert_eq!(server.asked() - before, used * 2);
}
