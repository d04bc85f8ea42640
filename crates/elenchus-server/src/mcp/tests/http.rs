//! The server over a socket.

use super::super::http::{Door, LOOPBACK, Pass, router, serve};
use super::{modern, server};
use elenchus_core::bank::Caller;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

pub(super) const TOKEN: &str = "0123456789abcdef";

pub(super) struct Served {
    pub(super) port: u16,
    stop: CancellationToken,
    ended: tokio::task::JoinHandle<()>,
}

impl Served {
    /// With a token for one tenant and one for another.
    pub(super) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let other = Caller { tenant: "other".to_owned(), ..Caller::local("there") };
        let passes = vec![
            Pass { token: TOKEN.to_owned(), caller: Caller::local("here") },
            Pass { token: "another".to_owned(), caller: other },
        ];
        let hosts = LOOPBACK.map(str::to_owned).to_vec();
        let stop = CancellationToken::new();
        let routes = router(server(false), &stop);
        let door = Door { hosts, port, passes };
        let ended = tokio::spawn(serve(listener, routes, door, stop.clone()));
        Self { port, stop, ended }
    }

    /// Sends bytes and gives the status and all that comes back.
    pub(super) async fn raw(&self, bytes: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        // A server that refuses early may close before it has read all.
        let _ = stream.write_all(bytes).await;
        let mut reply = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut reply));
        let _ = read.await.expect("the server answers and closes");
        let reply = String::from_utf8_lossy(&reply).into_owned();
        let status = reply.get(9..12).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, reply)
    }

    pub(super) async fn post(&self, headers: &str, body: &str) -> (u16, String) {
        let request = format!(
            "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        self.raw(request.as_bytes()).await
    }

    /// Calls a tool in the way of 2026-07-28, with more headers; gives the status and all that comes back.
    pub(super) async fn calling(
        &self,
        token: &str,
        tool: &str,
        arguments: &Value,
        more: &str,
    ) -> (u16, String) {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments, "_meta": modern(&json!({}))}});
        let headers = format!(
            "Host: localhost:{}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
             Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n{more}",
            self.port
        );
        self.post(&headers, &body.to_string()).await
    }

    /// Calls a tool in the way of 2026-07-28; gives the reply.
    async fn call(&self, token: &str, tool: &str, arguments: &Value) -> (Value, String) {
        let (status, reply) = self.calling(token, tool, arguments, "").await;
        assert_eq!(status, 200, "{reply}");
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        let text = body.lines().find(|line| line.contains("jsonrpc")).unwrap_or_default();
        let value = serde_json::from_str(text.trim_start_matches("data: ")).unwrap();
        (value, head.to_lowercase())
    }
}

#[tokio::test]
async fn whose_memory_it_is_comes_from_the_token() {
    let served = Served::new().await;
    let draft =
        json!({"title": "t", "description": "d", "content": "use locks", "outcome": "success"});
    let (recorded, head) = served.call(TOKEN, "memory_record", &draft).await;
    assert!(head.contains("x-accel-buffering: no"), "{head}");
    assert!(!head.contains("mcp-session-id"), "nothing is kept of a connection: {head}");
    let query = json!({"query": "locks"});
    let count = |reply: &Value| reply["result"]["structuredContent"]["total_found"].as_u64();
    assert_eq!(count(&served.call(TOKEN, "memory_search", &query).await.0), Some(1));
    assert_eq!(count(&served.call("another", "memory_search", &query).await.0), Some(0));
    // A foreign memory is answered like one that is not there.
    let id = &recorded["result"]["structuredContent"]["id"];
    let vote = json!({"memory_id": id, "helpful": false});
    let foreign = served.call("another", "memory_feedback", &vote).await.0;
    let unknown = json!({"memory_id": "mem_000000000000", "helpful": false});
    let nothing = served.call("another", "memory_feedback", &unknown).await.0;
    let told = |reply: &Value| reply["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    assert_eq!(
        told(&foreign).replace(id.as_str().unwrap(), "ID"),
        told(&nothing).replace("mem_000000000000", "ID")
    );
}

#[tokio::test]
async fn a_long_body_is_refused() {
    let served = Served::new().await;
    let headers = format!(
        "Host: localhost:{}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n",
        served.port
    );
    let body = format!("\"{}\"", "x".repeat(5 << 20));
    assert_eq!(served.post(&headers, &body).await.0, 413);
    assert_eq!(served.post(&headers, "{").await.0, 400);
}

#[tokio::test]
async fn it_stops_though_a_client_hangs_on() {
    let served = Served::new().await;
    let mut idle = TcpStream::connect(("127.0.0.1", served.port)).await.unwrap();
    idle.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    served.stop.cancel();
    tokio::time::timeout(Duration::from_secs(4), served.ended).await.unwrap().unwrap();
    assert!(
        TcpStream::connect(("127.0.0.1", served.port)).await.is_err(),
        "nobody listens any more"
    );
}
