//! The table, the router and the document say the same.

use super::{QUESTION, Route, Served, table};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A body that fits well enough to reach what stands behind.
fn body(route: &Route) -> Option<Value> {
    route.body?;
    Some(match route.path {
        "/v1/research" => json!({"question": QUESTION}),
        "/v1/chat/completions" => {
            json!({"model": "elenchus", "messages": [{"role": "user", "content": QUESTION}]})
        }
        _ => json!({}),
    })
}

#[tokio::test]
async fn every_route_answers_as_documented() {
    let served = Served::new().await;
    let run = served.start(&json!({"question": QUESTION})).await;
    served.until(&run, &["finished"]).await;
    for route in table() {
        for id in [run.as_str(), "nothing"] {
            let path = route.path.replace("{id}", id).replace("{claim}", "c1");
            let text = body(&route).map(|body| body.to_string()).unwrap_or_default();
            // It would take the run away from the others.
            if route.method == "DELETE" && id == run {
                continue;
            }
            let got = served.send(route.method.as_str(), &path, "", &text).await;
            assert!(
                route.statuses().contains(&got.status) && got.status < 500,
                "{} {path}: {got:?}",
                route.method
            );
            if got.status >= 400 {
                assert_eq!(got.header("content-type"), Some("application/problem+json"), "{path}");
                let problem = got.json();
                assert_eq!(problem["status"], got.status, "{path}");
                assert!(!problem["cause"].as_str().unwrap().is_empty(), "{path}: {problem}");
            }
            if !route.path.contains("{id}") {
                break;
            }
        }
    }
}

#[tokio::test]
async fn the_document_names_every_route_and_holds_together() {
    let served = Served::new().await;
    let document = served.get("/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = BTreeSet::new();
    for route in table() {
        let operation = &document["paths"][route.path][route.method.as_str().to_lowercase()];
        assert_eq!(operation["operationId"], route.id, "{}", route.path);
        assert!(ids.insert(route.id), "{} stands twice", route.id);
    }
    let paths = document["paths"].as_object().unwrap();
    let count: usize = paths.values().map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(count, table().len());
    let mut missing = Vec::new();
    references(&document, &document, &mut missing);
    assert!(missing.is_empty(), "{missing:?}");
}

/// References that lead nowhere.
fn references(value: &Value, document: &Value, missing: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(to)) = object.get("$ref")
                && to.strip_prefix('#').and_then(|at| document.pointer(at)).is_none()
            {
                missing.push(to.clone());
            }
            object.values().for_each(|part| references(part, document, missing));
        }
        Value::Array(items) => items.iter().for_each(|part| references(part, document, missing)),
        _ => {}
    }
}

#[tokio::test]
async fn other_elenchus_reach_the_memos_behind_the_same_door() {
    let served = Served::new().await;
    let memo = json!({"tool": "memory.save", "params": {"namespace": "n", "id": "v", "content": "The valve leaks."}});
    let saved = served.post("/memory", &memo).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let search = json!({"tool": "memory.search", "params": {"namespace": "n", "query": "valve"}});
    let found = served.post("/memory", &search).await;
    assert!(found.json()["result"].to_string().contains("The valve leaks."), "{found:?}");
    let unknown = served.post("/memory", &json!({"tool": "memory.burn"})).await;
    assert_eq!(
        (unknown.status, unknown.json()["error"]["kind"].as_str()),
        (404, Some("unknown_tool"))
    );
    let stranger = format!(
        "POST /memory HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}",
        served.port
    );
    assert_eq!(served.raw(&stranger).await.status, 401);
}
