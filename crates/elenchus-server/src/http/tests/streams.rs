//! Streams of events: nothing twice, nothing left out, and not without bounds.

use super::{QUESTION, Served, TOKEN};
use crate::listen::Limits;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::trace::{Envelope, SCHEMA, Thought, TraceEvent};
use serde_json::json;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// A run with at least so many events, which waits.
async fn long(served: &Served, events: u64) -> String {
    let run = served.start(&json!({"question": QUESTION, "review_plan": true})).await;
    let control = format!("/v1/research/{run}/control");
    loop {
        let got = served.post(&control, &json!({"control": "pause"})).await;
        if got.status == 200 && got.json()["events"].as_u64().unwrap() >= events {
            return run;
        }
    }
}

/// Thoughts of some length, from an event on.
fn thoughts(run: &RunId, after: u64, count: u64, letters: usize) -> Vec<Envelope> {
    let event = |seq: u64| Envelope {
        schema: SCHEMA,
        run_id: run.clone(),
        seq,
        at: Timestamp(1),
        event: TraceEvent::ReasoningThought(Thought {
            id: format!("t{seq}"),
            content: "The tide rises. ".repeat(letters / 16),
            stage: "search".to_owned(),
            step: 1,
            related_to: vec!["g1".to_owned()],
            context: None,
        }),
    };
    (after + 1..=after + count).map(event).collect()
}

/// Opens a stream after an event.
async fn open(served: &Served, run: &str, after: u64) -> TcpStream {
    asked(served.connect().await, run, after).await
}

/// Opens a stream of which the machine takes little before it is read.
async fn open_slow(served: &Served, run: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4 << 10).unwrap();
    let address = SocketAddr::from(([127, 0, 0, 1], served.port));
    asked(socket.connect(address).await.unwrap(), run, 0).await
}

async fn asked(mut stream: TcpStream, run: &str, after: u64) -> TcpStream {
    let request = format!(
        "GET /v1/research/{run}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\
         Last-Event-ID: {after}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_reader_that_is_cut_off_after_every_event_reads_each_once() {
    let served = Served::new().await;
    let run = long(&served, 300).await;
    let mut seen: Vec<u64> = Vec::new();
    while seen.len() < 300 {
        let after = seen.last().copied().unwrap_or(0);
        let mut stream = open(&served, &run, after).await;
        let mut read = Vec::new();
        let next = loop {
            let mut some = [0; 2_048];
            let count = stream.read(&mut some).await.unwrap();
            assert_ne!(count, 0, "the stream goes on: {}", String::from_utf8_lossy(&read));
            read.extend_from_slice(&some[..count]);
            // A reader that has one whole event loses its connection.
            if let Some(id) = frame(&read) {
                break id;
            }
        };
        assert_eq!(next, after + 1);
        seen.push(next);
    }
    assert_eq!(seen, (1..=300).collect::<Vec<u64>>());
}

/// The id of the first whole frame, whether its chunk is whole or not.
fn frame(read: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(read);
    let from = text.find("\r\n\r\n")? + 4;
    let frames = text[from..].find("id: ")? + from;
    text[frames..].find("\n\n")?;
    text[frames + 4..].lines().next()?.parse().ok()
}

#[tokio::test]
async fn an_id_that_is_no_events_is_refused() {
    let served = Served::new().await;
    let run = long(&served, 20).await;
    let path = format!("/v1/research/{run}/events");
    for (header, status, code) in [
        ("Last-Event-ID: abc\r\n", 400, "bad_event_id"),
        ("Last-Event-ID: -1\r\n", 400, "bad_event_id"),
        ("Last-Event-ID: 99999\r\n", 409, "event_beyond_the_end"),
    ] {
        let got = served.send("GET", &path, header, "").await;
        assert_eq!((got.status, got.json()["code"].as_str()), (status, Some(code)), "{header}");
    }
    assert_eq!(served.get(&format!("{path}?after=x")).await.status, 400);
    assert_eq!(served.get("/v1/research/run_none/events").await.status, 404);
    // And whoever has no token of this server is told nothing of its runs.
    for run in [run.as_str(), "run_none"] {
        let path = format!("/v1/research/{run}/events");
        let stranger = served.sent_by("nobody", "GET", &path, "", "").await;
        assert_eq!(stranger.status, 401, "{stranger:?}");
    }
}

#[tokio::test]
async fn streams_end_at_once_when_the_server_stops() {
    let served = Served::new().await;
    let run = long(&served, 20).await;
    let mut stream = open(&served, &run, 0).await;
    let mut some = [0; 1_024];
    assert_ne!(stream.read(&mut some).await.unwrap(), 0);
    let began = Instant::now();
    served.stop.cancel();
    tokio::time::timeout(Duration::from_secs(5), served.ended).await.unwrap().unwrap();
    assert!(began.elapsed() < Duration::from_millis(1_500), "{:?}", began.elapsed());
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    let all = String::from_utf8_lossy(&rest);
    assert!(all.ends_with("0\r\n\r\n") || all.is_empty(), "the stream is closed in good order");
}

#[tokio::test]
async fn streams_beyond_the_limit_are_refused_and_the_health_is_told() {
    let limits = Limits {
        streams: 8,
        connections: 40,
        per_second: 10_000,
        burst: 100_000,
        ..Limits::default()
    };
    let served = Served::with(limits).await;
    let run = long(&served, 10).await;
    let mut held = Vec::new();
    for _ in 0..8 {
        let mut stream = open(&served, &run, 0).await;
        let mut some = [0; 512];
        stream.read_exact(&mut some[..12]).await.unwrap();
        assert_eq!(&some[9..12], b"200");
        held.push(stream);
    }
    let refused = served.get(&format!("/v1/research/{run}/events")).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (429, Some("too_many_streams")));
    assert!(refused.header("retry-after").is_some());
    // Connections that say nothing.
    for _ in 0..40 {
        let mut idle = served.connect().await;
        idle.write_all(b"GET / HT").await.unwrap();
        held.push(idle);
    }
    assert_eq!(served.get("/health").await.status, 200);
    drop(held);
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn five_hundred_slow_readers_cost_little() {
    if resident() == 0 {
        println!("skip: the memory of a process cannot be read here");
        return;
    }
    let served = Served::new().await;
    let run = RunId(long(&served, 10).await);
    let record = served.api.runs.record(&run).await.unwrap();
    let first = record.told().events;
    // Far more than sockets hold.
    let thoughts = thoughts(&run, first, 1_000, 16 << 10);
    record.take(&thoughts);
    let before = resident();
    let mut readers = Vec::new();
    for _ in 0..500 {
        readers.push(open_slow(&served, run.as_str()).await);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let cost = resident().saturating_sub(before);
    let held = served.api.traffic.streams.load(std::sync::atomic::Ordering::Relaxed);
    // Held until here, so that nothing that was given back hides what is taken.
    drop(thoughts);
    println!("{held} slow readers cost {cost} KB");
    assert_eq!(held, 500);
    assert!(cost < 64 << 10, "{cost} KB");
    // A reader that reads gets everything all the same.
    drained(open(&served, run.as_str(), first).await, 1_000).await;
    assert_eq!(served.get("/health").await.status, 200);
}

#[tokio::test]
async fn a_reader_that_never_reads_loses_its_place() {
    let limits = Limits {
        streams: 1,
        write_time: Duration::from_millis(50),
        per_second: 10_000,
        burst: 100_000,
        ..Limits::default()
    };
    let served = Served::with(limits).await;
    let run = RunId(long(&served, 10).await);
    let record = served.api.runs.record(&run).await.unwrap();
    // More than sockets hold.
    record.take(&thoughts(&run, record.told().events, 1_000, 16 << 10));
    let mut unread = open_slow(&served, run.as_str()).await;
    let mut head = [0; 12];
    unread.read_exact(&mut head).await.unwrap();
    assert_eq!(&head[9..], b"200");
    let is_free = || served.api.traffic.streams.load(std::sync::atomic::Ordering::Relaxed) == 0;
    for _ in 0..500 {
        if is_free() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(is_free(), "it still has its place");
    // The place is somebody else's.
    let mut reader = open(&served, run.as_str(), 0).await;
    reader.read_exact(&mut head).await.unwrap();
    assert_eq!(&head[9..], b"200");
    drop(unread);
}

/// Reads until a stream has given so many events.
async fn drained(mut stream: TcpStream, events: usize) {
    let mut seen = 0;
    let mut some = vec![0; 64 << 10];
    // A mark may be cut in two.
    let mut tail: Vec<u8> = Vec::new();
    while seen < events {
        let count = stream.read(&mut some).await.unwrap();
        assert_ne!(count, 0, "the stream goes on");
        tail.extend_from_slice(&some[..count]);
        seen += tail.windows(MARK.len()).filter(|words| *words == MARK).count();
        let keep = tail.len().saturating_sub(MARK.len() - 1);
        tail.drain(..keep);
    }
}

const MARK: &[u8] = b"\nevent: reasoning_thought";

/// `cargo nextest run --release -p elenchus-server --run-ignored only -E 'test(fan_out)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn fan_out_next_to_a_plain_broadcast() {
    use axum::body::{Body, Bytes};
    use axum::response::Response;
    use tokio::sync::broadcast;

    const READERS: usize = 500;
    const EVENTS: usize = 1_000;
    let served = Served::new().await;
    let run = RunId(long(&served, 10).await);
    let record = served.api.runs.record(&run).await.unwrap();
    let first = record.told().events;
    let events = thoughts(&run, first, EVENTS as u64, 64);

    let mut readers = Vec::new();
    for _ in 0..READERS {
        readers.push(tokio::spawn(drained(open(&served, run.as_str(), first).await, EVENTS)));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    for event in &events {
        record.take(std::slice::from_ref(event));
        tokio::task::yield_now().await;
    }
    for reader in readers {
        reader.await.unwrap();
    }
    let ours = began.elapsed();

    let (sender, _) = broadcast::channel::<Envelope>(EVENTS + 1);
    let subscribed = sender.clone();
    let plain = axum::Router::new().route(
        "/",
        axum::routing::get(move || {
            let receiver = subscribed.subscribe();
            async move {
                let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
                    let event = receiver.recv().await.ok()?;
                    let json = serde_json::to_string(&event).unwrap();
                    let frame =
                        format!("id: {}\nevent: reasoning_thought\ndata: {json}\n\n", event.seq);
                    Some((Ok::<_, std::convert::Infallible>(Bytes::from(frame)), receiver))
                });
                Response::new(Body::from_stream(stream))
            }
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, plain).await });
    let mut readers = Vec::new();
    for _ in 0..READERS {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        readers.push(tokio::spawn(drained(stream, EVENTS)));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    for event in &events {
        let _ = sender.send(event.clone());
        tokio::task::yield_now().await;
    }
    for reader in readers {
        reader.await.unwrap();
    }
    let theirs = began.elapsed();
    let rate = |time: Duration| (READERS * EVENTS) as f64 / time.as_secs_f64();
    println!(
        "{READERS} readers, {EVENTS} events: ours {:.0} events/s, a plain axum broadcast {:.0} events/s",
        rate(ours),
        rate(theirs)
    );
}

/// Files that this process may have open.
fn descriptors() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok()).unwrap_or(1_024)
}

/// Opens a stream; gives the status that it got, with its connection.
async fn opened(port: u16, run: String) -> (u16, TcpStream) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "GET /v1/research/{run}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).await.unwrap();
    (String::from_utf8_lossy(&head[9..]).parse().unwrap(), stream)
}

/// `cargo nextest run --release -p elenchus-server --run-ignored only -E 'test(ten_thousand)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "10,000 connections: for the nightly run"]
async fn ten_thousand_streams_are_opened_and_the_health_stays_quick() {
    const OPENED: usize = 10_000;
    const AT_ONCE: usize = 50;
    // Both ends of each connection are files of this process.
    let room = (descriptors() / 2).saturating_sub(2 * AT_ONCE + 64);
    let streams = Limits::default().streams.min(room);
    let limits = Limits { streams, per_second: 1_000_000, burst: 1_000_000, ..Limits::default() };
    let served = Served::with(limits).await;
    let run = long(&served, 20).await;
    let (mut held, mut refused, mut slowest) = (Vec::new(), 0, Duration::ZERO);
    for batch in 0..OPENED / AT_ONCE {
        let mut opening = JoinSet::new();
        for _ in 0..AT_ONCE {
            opening.spawn(opened(served.port, run.clone()));
        }
        // Asked while they come in.
        let began = Instant::now();
        let got = served.get("/health").await;
        slowest = slowest.max(began.elapsed());
        assert_eq!(got.status, 200, "batch {batch}: {got:?}");
        for (status, stream) in opening.join_all().await {
            match status {
                200 => held.push(stream),
                429 => refused += 1,
                other => panic!("batch {batch}: a stream got {other}"),
            }
        }
    }
    println!(
        "{OPENED} streams: {} x 200, {refused} x 429; the slowest /health took {slowest:?}",
        held.len()
    );
    assert_eq!((held.len(), refused), (streams, OPENED - streams));
    // The build that people run is held to it; the other one is only not to stand still.
    let most = Duration::from_millis(if cfg!(debug_assertions) { 2_000 } else { 100 });
    assert!(slowest < most, "{slowest:?}");
}
