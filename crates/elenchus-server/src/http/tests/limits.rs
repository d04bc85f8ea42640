//! The door, the limits, and what every response says.

use super::{Served, TOKEN};
use crate::listen::{Limits, POLICY};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn a_browser_signs_in_with_the_address_that_was_printed() {
    let served = Served::new().await;
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", served.port);
    let get = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\n{host}{more}\r\n");
    let wrong = served.raw(&get("/?token=nonsense", "Accept: text/html\r\n")).await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.body.contains("<form"), "{}", wrong.body);
    let right = served.raw(&get(&format!("/?token={TOKEN}"), "")).await;
    assert_eq!((right.status, right.header("location")), (303, Some("/")));
    let cookie = right.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let cookie = format!("Cookie: {cookie}\r\n");
    assert_eq!(served.raw(&get("/v1/research", &cookie)).await.status, 200);
    assert_eq!(served.raw(&get("/v1/research", "")).await.status, 401);
    let body = json!({"question": "Who goes there?"}).to_string();
    let post = |more: &str| {
        format!(
            "POST /v1/research HTTP/1.1\r\n{host}{cookie}{more}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    assert_eq!(served.raw(&post("")).await.status, 403, "nobody says where it comes from");
    assert_eq!(served.raw(&post("Origin: http://evil.test\r\n")).await.status, 403);
    let ours = format!("Origin: http://127.0.0.1:{}\r\n", served.port);
    assert_eq!(served.raw(&post(&ours)).await.status, 202);
}

#[tokio::test]
async fn every_response_guards_itself() {
    let served = Served::new().await;
    for path in ["/health", "/v1/research", "/v1/nothing", "/openapi.json"] {
        let got = served.get(path).await;
        assert_eq!(got.header("content-security-policy"), Some(POLICY), "{path}");
        assert_eq!(got.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(got.header("referrer-policy"), Some("same-origin"), "{path}");
    }
    let open = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".to_owned();
    assert_eq!(served.raw(&open).await.status, 200, "health asks for no token");
    let foreign = "GET /health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n";
    assert_eq!(served.raw(foreign).await.status, 403);
    let metrics = served.get("/metrics").await;
    assert!(metrics.body.contains("elenchus_http_responses_total{class=\"2xx\"}"), "{metrics:?}");
}

#[tokio::test]
async fn a_caller_that_asks_too_often_waits() {
    let limits = Limits { per_second: 1, burst: 3, ..Limits::default() };
    let served = Served::with(limits).await;
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(served.get("/v1/models").await);
    }
    assert_eq!(statuses[0].header("ratelimit-limit"), Some("3"));
    let refused = statuses.iter().find(|got| got.status == 429).expect("three at once are allowed");
    assert_eq!(refused.header("retry-after"), Some("1"));
    let problem = refused.json();
    assert_eq!(problem["code"], "too_many_requests");
    let cause = problem["cause"].as_str().unwrap();
    assert!(cause.contains("3 requests at once and 1 a second"), "{problem}");
    let way_out = problem["way_out"].as_str().unwrap();
    assert!(way_out.starts_with("wait 1 s, ") && way_out.contains("serve.rate"), "{problem}");
    assert_eq!(served.get("/health").await.status, 200, "the health is always told");
}

#[tokio::test]
async fn slow_and_long_requests_end() {
    let limits = Limits {
        head_time: Duration::from_millis(300),
        body_time: Duration::from_millis(300),
        body: 100_000,
        ..Limits::default()
    };
    let served = Served::with(limits).await;
    let mut loris = Vec::new();
    for _ in 0..50 {
        let mut stream = served.connect().await;
        stream.write_all(b"GET /v1/research HTTP/1.1\r\nHost: localhost\r\nX-A: ").await.unwrap();
        loris.push(stream);
    }
    let began = Instant::now();
    assert_eq!(served.get("/health").await.status, 200);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let slow = format!(
        "POST /v1/research HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    assert_eq!(served.raw(&slow).await.status, 408);
    // One byte beyond the limit, of more that is announced: whoever goes on sending may find the connection closed before they
    // read why.
    let long = format!(
        "POST /v1/research HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
        5 << 20,
        "x".repeat(limits.body + 1)
    );
    let began = Instant::now();
    let (got, health) = tokio::join!(served.raw(&long), served.get("/health"));
    assert_eq!((got.status, health.status), (413, 200), "{got:?}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let many = "X-A: b\r\n".repeat(150);
    assert_eq!(served.send("GET", "/v1/research", &many, "").await.status, 431);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let open = served.api.traffic.connections.load(std::sync::atomic::Ordering::Relaxed);
    assert!(open < 10, "{open} connections that say nothing are still open");
    drop(loris);
}

#[tokio::test]
async fn a_body_that_is_too_long_is_told_how_long_it_may_be() {
    let limits = Limits { body: 1_000, per_second: 1_000, burst: 1_000, ..Limits::default() };
    let served = Served::with(limits).await;
    let refused = served.post("/v1/research", &json!({"question": "x".repeat(1_500)})).await;
    assert_eq!(refused.status, 413, "{refused:?}");
    let problem = refused.json();
    assert_eq!(problem["code"], "body_too_large");
    assert_eq!(problem["cause"], "the body is longer than 1000 bytes", "{problem}");
    assert!(problem["way_out"].as_str().unwrap().starts_with("send at most that much"));
}

#[tokio::test]
async fn a_body_that_cannot_be_read_names_the_field() {
    let served = Served::new().await;
    for (body, told) in [
        (json!({"question": "Who?", "insights": 2}), "the body cannot be read at `insights`: "),
        (json!({"question": "Who?", "budget": {"rounds": "two"}}), " at `budget.rounds`: "),
        (json!({"question": "Who?", "plan": ["One?", 2]}), " at `plan[1]`: "),
        (json!({"question": "Who?", "colour": "red"}), " at `colour`: unknown field"),
        (json!({}), "the body cannot be read: missing field `question`"),
    ] {
        let refused = served.post("/v1/research", &body).await;
        assert_eq!(refused.status, 400, "{refused:?}");
        let problem = refused.json();
        assert_eq!(problem["code"], "malformed");
        assert!(problem["cause"].as_str().unwrap().contains(told), "{told}: {problem}");
    }
    let refused = served.get("/v1/research?limit=many").await.json();
    let cause = refused["cause"].as_str().unwrap();
    assert!(cause.starts_with("the query is wrong at `limit`: "), "{refused}");
}

#[tokio::test]
async fn agents_are_served_beside() {
    let served = Served::new().await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {
        "_meta": crate::mcp::meta_of_tests()}});
    let more = "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
        Mcp-Method: tools/list\r\n";
    let got = served.send("POST", "/mcp", more, &call.to_string()).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert!(got.body.contains("research_start"), "{}", got.body);
    assert_eq!(served.get("/mcp").await.status, 405);
}
