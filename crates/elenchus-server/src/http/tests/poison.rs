//! Scenarios of memory poisoning as requests, with the statuses that they name.

use super::{QUESTION, STRANGER, Served};
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
