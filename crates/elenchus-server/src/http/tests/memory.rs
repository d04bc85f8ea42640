//! The bank over HTTP, from recording to deletion.

use super::{STRANGER, Served};
use serde_json::{Value, json};

async fn recorded(served: &Served) -> String {
    let draft = json!({"title": "Lock order", "description": "When two locks are held",
        "content": "Always take the ledger lock first.", "outcome": "success"});
    let recorded = served.post("/v1/memory/record", &draft).await;
    assert_eq!(recorded.status, 200, "{recorded:?}");
    recorded.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_strategy_is_edited_archived_restored_explained_and_deleted() {
    let served = Served::new().await;
    let at = format!("/v1/memory/{}", recorded(&served).await);
    let patch = async |body: Value| served.send("PATCH", &at, "", &body.to_string()).await;
    let edited = patch(json!({"title": "Order of locks", "tags": ["locks"]})).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    let edited = edited.json();
    assert_eq!(edited["strategy"]["title"], "Order of locks");
    assert_eq!(edited["strategy"]["tags"], json!(["locks"]));
    assert_eq!(edited["strategy"]["description"], "When two locks are held", "the rest stays");
    for (body, code) in [
        (json!({}), "nothing_to_change"),
        (json!({"colour": 1}), "malformed"),
        (json!({"scope": "world"}), "malformed"),
        (json!({"title": "x".repeat(51)}), "refused"),
    ] {
        let refused = patch(body.clone()).await;
        assert_eq!((refused.status, refused.json()["code"].as_str()), (400, Some(code)), "{body}");
        assert_eq!(refused.header("content-type"), Some("application/problem+json"));
    }
    let listed =
        async |query: &str| served.get(&format!("/v1/memory{query}")).await.json()["total"].clone();
    let archived = served.post(&format!("{at}/archive"), &json!({"reason": "out of date"})).await;
    assert_eq!(archived.json()["strategy"]["standing"]["reason"], "out of date", "{archived:?}");
    assert_eq!((listed("").await, listed("?archived=true").await), (json!(0), json!(1)));
    let restored = served.send("POST", &format!("{at}/restore"), "", "").await;
    assert_eq!(restored.status, 200, "{restored:?}");
    assert_eq!(restored.json()["strategy"]["standing"]["state"], "active");
    assert_eq!(listed("").await, 1);
    let why = served.get(&format!("{at}/why")).await.json();
    let confidence = served.get(&at).await.json()["confidence"].as_f64().unwrap();
    assert!((why["value"].as_f64().unwrap() - confidence).abs() < 1e-9, "{why}");
    assert!(!why["rule"].as_str().unwrap().is_empty(), "{why}");
    let deleted = served.send("DELETE", &at, "", "").await;
    assert_eq!(deleted.status, 200, "{deleted:?}");
    assert!(at.ends_with(deleted.json()["deleted"].as_str().unwrap()), "{deleted:?}");
    for method in ["GET", "DELETE"] {
        let gone = served.send(method, &at, "", "").await;
        assert_eq!((gone.status, gone.json()["code"].as_str()), (404, Some("unknown_memory")));
        assert!(gone.json()["way_out"].as_str().unwrap().contains("GET /v1/memory"), "{gone:?}");
    }
}

#[tokio::test]
async fn a_scope_that_is_none_is_refused() {
    let served = Served::new().await;
    recorded(&served).await;
    for scope in [json!("project' OR 1=1"), json!(["org"]), json!({"org": true}), json!(7)] {
        let body = json!({"query": "lock order", "scope": scope});
        let refused = served.post("/v1/memory/search", &body).await;
        assert!((400..500).contains(&refused.status), "{refused:?}");
        assert!(!refused.body.contains("Lock order"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_strategy_of_another_tenant_is_not_there() {
    let served = Served::new().await;
    let id = recorded(&served).await;
    let edit = json!({"title": "Mine now"}).to_string();
    for (method, part, body) in [
        ("GET", "", ""),
        ("GET", "/why", ""),
        ("PATCH", "", &*edit),
        ("POST", "/archive", "{}"),
        ("POST", "/restore", ""),
        ("DELETE", "", ""),
    ] {
        let of = async |id: &str| {
            let path = format!("/v1/memory/{id}{part}");
            served.sent_by(STRANGER, method, &path, "", body).await
        };
        let (foreign, nothing) = (of(&id).await, of("mem_000000000000").await);
        assert_eq!((foreign.status, nothing.status), (404, 404), "{method} {part}: {foreign:?}");
        // Whether there is such a memory is nobody's business.
        assert_eq!(
            foreign.body.replace(&id, "ID"),
            nothing.body.replace("mem_000000000000", "ID"),
            "{method} {part}"
        );
    }
    let own = served.get(&format!("/v1/memory/{id}")).await;
    assert_eq!(own.json()["strategy"]["title"], "Lock order", "{own:?}");
    assert_eq!(own.json()["strategy"]["standing"]["state"], "active");
}
