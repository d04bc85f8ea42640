//! Scenarios of memory poisoning as requests, with the statuses that they name.

use super::{Got, QUESTION, STRANGER, Served};
use crate::listen::Limits;
use serde_json::{Value, json};

fn draft() -> Value {
    json!({"title": "Lock order", "description": "When two locks are held",
        "content": "Always take the ledger lock first.", "outcome": "success"})
}

async fn listed(served: &Served) -> Value {
    served.get("/v1/memory").await.json()["items"].clone()
}

/// Who sees a memory is decided where the server is started, whichever request asks for more.
#[tokio::test]
async fn a_scope_is_not_widened_by_a_request() {
    let served = Served::new().await;
    for scope in ["org", "team", "project"] {
        let mut wide = draft();
        wide["scope"] = json!(scope);
        let refused = served.post("/v1/memory/record", &wide).await;
        assert_eq!((refused.status, refused.json()["code"].as_str()), (403, Some("forbidden")));
    }
    assert_eq!(listed(&served).await, json!([]));
    let recorded = served.post("/v1/memory/record", &draft()).await.json();
    let at = format!("/v1/memory/{}", recorded["id"].as_str().unwrap());
    let refused = served.send("PATCH", &at, "", &json!({"scope": "org"}).to_string()).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    assert_eq!(listed(&served).await[0]["strategy"]["scope"], "project");
}

#[tokio::test]
async fn a_scope_that_is_none_is_no_scope() {
    let served = Served::new().await;
    served.post("/v1/memory/record", &draft()).await;
    for scope in [json!("project' OR 1=1"), json!(["org"]), json!({"org": true}), json!(7)] {
        let body = json!({"query": "lock order", "scope": scope});
        let refused = served.post("/v1/memory/search", &body).await;
        assert_eq!((refused.status, refused.json()["code"].as_str()), (422, Some("bad_argument")));
        assert!(!refused.body.contains("Lock order"), "{refused:?}");
    }
    // Null is an argument that was not given: everybody sees what is theirs, and nothing else.
    let body = json!({"query": "lock order", "scope": null});
    let found = served.post("/v1/memory/search", &body).await.json();
    assert_eq!(found["total_found"], 1);
    let theirs = served.sent_by(STRANGER, "POST", "/v1/memory/search", "", &body.to_string()).await;
    assert_eq!(theirs.json()["total_found"], 0, "{theirs:?}");
}

#[tokio::test]
async fn the_runs_of_others_are_not_there() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    for part in ["", "/events", "/answer", "/export?format=md"] {
        let of = async |run: &str| {
            let path = format!("/v1/research/{run}{part}");
            served.sent_by(STRANGER, "GET", &path, "", "").await
        };
        let (foreign, nothing) = (of(&run).await, of("run_none").await);
        assert_eq!((foreign.status, nothing.status), (404, 404), "{part}: {foreign:?}");
        assert_eq!(foreign.body.replace(&run, "ID"), nothing.body.replace("run_none", "ID"));
    }
    let asked = json!({"question": QUESTION}).to_string();
    let called = json!({"tool": "research_status", "params": {"run_id": run}}).to_string();
    for (method, path, body) in [
        ("GET", "/v1/research", ""),
        ("POST", "/v1/research", &*asked),
        ("POST", "/v1/tools", &*called),
    ] {
        let refused = served.sent_by(STRANGER, method, path, "", body).await;
        assert_eq!(refused.status, 403, "{path}: {refused:?}");
    }
    assert_eq!(served.get(&format!("/v1/research/{run}")).await.status, 200);
}

/// A page of a browser, or a form that it sends, with the token of somebody who shares nothing with the server's project.
async fn browsed(served: &Served, method: &str, path: &str) -> Got {
    let form = "sure=yes&do=interrupt&feedback=right&claim=It+rises.&text=x";
    let (more, body) = if method == "POST" {
        let kind = "Content-Type: application/x-www-form-urlencoded";
        (format!("{kind}\r\nContent-Length: {}\r\n", form.len()), form)
    } else {
        ("Accept: text/html\r\n".to_owned(), "")
    };
    served
        .raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {STRANGER}\r\n{more}\r\n{body}",
            served.port
        ))
        .await
}

#[tokio::test]
async fn pages_show_nobody_the_runs_of_others() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    for (method, part) in [
        ("GET", ""),
        ("GET", "/delete"),
        ("GET", "/part/changed"),
        ("GET", "/source/1"),
        ("GET", "/export?format=md"),
        ("POST", "/delete"),
        ("POST", "/control"),
        ("POST", "/plan"),
        ("POST", "/clarify"),
        ("POST", "/challenge"),
        ("POST", "/fork"),
        ("POST", "/hypotheses"),
        ("POST", "/hypotheses/h1/test"),
        ("POST", "/insights/i1/feedback"),
        ("POST", "/claims/c1/feedback"),
    ] {
        let of =
            async |run: &str| browsed(&served, method, &format!("/research/{run}{part}")).await;
        let (foreign, nothing) = (of(&run).await, of("run_none").await);
        assert_eq!((foreign.status, nothing.status), (404, 404), "{method} {part}: {foreign:?}");
        assert_eq!(foreign.body.replace(&run, "ID"), nothing.body.replace("run_none", "ID"));
    }
    let compared = format!("/compare?a={run}&b={run}");
    for (method, path) in [
        ("GET", "/research"),
        ("POST", "/research"),
        ("GET", &*compared),
        ("GET", "/sources"),
        ("GET", "/notes"),
        ("GET", "/notes/export"),
        ("GET", "/settings"),
        ("GET", "/about"),
    ] {
        let refused = browsed(&served, method, path).await;
        assert_eq!(refused.status, 403, "{path}: {refused:?}");
        assert!(refused.body.contains("another project"), "{path}: {refused:?}");
        assert!(!refused.body.contains(&run) && !refused.body.contains(QUESTION), "{refused:?}");
    }
    let figures = served.sent_by(STRANGER, "GET", "/metrics", "", "").await;
    assert_eq!(figures.status, 403, "{figures:?}");
    let first = browsed(&served, "GET", &format!("/?again={run}")).await;
    assert_eq!((first.status, first.header("location")), (303, Some("/memory")));
    for path in ["/memory", "/assets/live.js"] {
        assert_eq!(browsed(&served, "GET", path).await.status, 200, "{path}");
    }
    // The run is there, as it was, for whose it is.
    let own = served.get(&format!("/research/{run}")).await;
    assert!(own.status == 200 && own.body.contains(QUESTION), "{own:?}");
    for path in ["/", "/research", "/settings", "/about", "/metrics"] {
        assert_eq!(served.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_giant_is_too_long_to_be_read() {
    // A little more than may be sent, so that the answer does not cross what is still on its way.
    let limits = Limits { body: 100_000, per_second: 1_000, burst: 1_000, ..Limits::default() };
    let served = Served::with(limits).await;
    let mut giant = draft();
    giant["content"] = json!("lock ".repeat(20_500));
    let refused = served.post("/v1/memory/record", &giant).await;
    assert_eq!((refused.status, refused.json()["code"].as_str()), (413, Some("body_too_large")));
    giant["content"] = json!("lock ".repeat(4_001));
    let refused = served.post("/v1/memory/record", &giant).await;
    assert_eq!(refused.status, 422, "what can be read and not be kept: {refused:?}");
    assert_eq!(listed(&served).await, json!([]));
}
