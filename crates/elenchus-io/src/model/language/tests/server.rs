//! A server on the loopback interface that plays scenes, faults included.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What the server does with one request: bytes after waits, then it closes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene(Vec<(Duration, Vec<u8>)>);

impl Scene {
    /// An answer with its length.
    pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        let length = ("content-length", body.len().to_string());
        let mut all = headers.to_vec();
        all.push((length.0, &length.1));
        Self(vec![(Duration::ZERO, [head(status, &all).as_bytes(), body.as_bytes()].concat())])
    }

    /// A stream that ends where the connection does, so that a cut looks like an end.
    pub(crate) fn stream(body: impl AsRef<[u8]>) -> Self {
        let head = head(200, &[("content-type", "text/event-stream")]);
        Self(vec![(Duration::ZERO, [head.as_bytes(), body.as_ref()].concat())])
    }

    /// A stream in HTTP chunks whose closing chunk never comes.
    pub(crate) fn broken_chunks(body: &[u8]) -> Self {
        let mut bytes = head(200, &[("transfer-encoding", "chunked")]).into_bytes();
        for chunk in body.chunks(7) {
            bytes.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        Self(vec![(Duration::ZERO, bytes)])
    }

    /// Nothing for that long.
    pub(crate) fn silence(time: Duration) -> Self {
        Self(vec![(time, Vec::new())])
    }

    /// More bytes after a wait.
    pub(crate) fn then(mut self, wait: Duration, bytes: impl AsRef<[u8]>) -> Self {
        self.0.push((wait, bytes.as_ref().to_vec()));
        self
    }
}

fn head(status: u16, headers: &[(&str, &str)]) -> String {
    let headers: Vec<String> =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    format!("HTTP/1.1 {status} Scene\r\nconnection: close\r\n{headers}\r\n")
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) at: Instant,
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    accepting: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Plays the scenes one a request; the last one again and again.
    pub(crate) async fn start(scenes: Vec<Scene>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let log = Arc::clone(&seen);
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(play(stream, scenes.clone(), Arc::clone(&log)));
            }
        });
        Self { base, seen, accepting }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn play(mut stream: TcpStream, scenes: Vec<Scene>, seen: Arc<Mutex<Vec<Seen>>>) {
    let Some((head, body)) = receive(&mut stream).await else { return };
    let place = {
        let mut seen = seen.lock().unwrap();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        seen.push(Seen { at: Instant::now(), head, body });
        seen.len() - 1
    };
    let scene = scenes.get(place).or(scenes.last()).cloned().unwrap_or_default();
    for (wait, bytes) in scene.0 {
        tokio::time::sleep(wait).await;
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
    let _ = stream.shutdown().await;
}

async fn receive(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |text| text.trim().parse().unwrap());
            let mut body = bytes.split_off(end + 4);
            let have = body.len();
            body.resize(length, 0);
            stream.read_exact(&mut body[have..]).await.ok()?;
            return Some((head, body));
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}
