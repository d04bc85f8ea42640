//! The HTTP route over a real loopback socket, and the client that speaks to it.

use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use elenchus_core::bank::Caller;
use elenchus_core::graph::{Memo, Relation};
use elenchus_core::id::{MemoId, Timestamp};
use elenchus_core::port::{MemoFailure, MemoFilter, MemoHit, Memos, PortFuture, Reach};
use elenchus_core::testkit::{ManualClock, memos_suite};
use elenchus_io::memos::{RemoteMemos, RemoteSettings, SqliteMemos};
use elenchus_io::store::SqliteOptions;
use elenchus_server::memory::{TOOLS, dispatch, memory_router};
use serde_json::{Value, json};
use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

/// Stands for the listener: the token names the tenant.
async fn by_token(mut request: Request, next: Next) -> Response {
    let header = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    if let Some(token) = header.and_then(|value| value.strip_prefix("Bearer ")) {
        let caller = Caller { tenant: token.to_owned(), ..Caller::local("p") };
        request.extensions_mut().insert(caller);
    }
    next.run(request).await
}

/// Serves a graph on loopback; gives the address.
fn serve(path: &Path) -> String {
    let memos = SqliteMemos::open(path, &SqliteOptions::default()).expect("the file opens");
    let clock = Arc::new(ManualClock::new(Timestamp(7)));
    let router =
        memory_router(Arc::new(memos), clock, None, None).layer(middleware::from_fn(by_token));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("it can wait");
    let address = listener.local_addr().expect("it has an address");
    tokio::spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).expect("it is taken over");
        axum::serve(listener, router).await.expect("it serves");
    });
    format!("http://{address}/memory")
}

fn client(url: &str, token: &str) -> RemoteMemos {
    let settings = RemoteSettings::from_variables(|name| match name {
        "MEMORY_HTTP_URL" => Some(url.to_owned()),
        "MEMORY_HTTP_BEARER_TOKEN" => Some(token.to_owned()),
        _ => None,
    });
    RemoteMemos::new(settings.expect("they are good").expect("they are set")).expect("a client")
}

/// One client a tenant, since the token decides.
struct Both {
    ours: RemoteMemos,
    theirs: RemoteMemos,
}

impl Both {
    fn of(&self, tenant: &str) -> &RemoteMemos {
        if tenant == "ours" { &self.ours } else { &self.theirs }
    }
}

impl Memos for Both {
    fn save<'a>(&'a self, t: &'a str, memo: &'a Memo) -> PortFuture<'a, Result<(), MemoFailure>> {
        self.of(t).save(t, memo)
    }
    fn get<'a>(
        &'a self,
        t: &'a str,
        n: &'a str,
        ids: &'a [MemoId],
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        self.of(t).get(t, n, ids)
    }
    fn search<'a>(
        &'a self,
        t: &'a str,
        q: &'a str,
        f: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<MemoHit>, MemoFailure>> {
        self.of(t).search(t, q, f)
    }
    fn list<'a>(
        &'a self,
        t: &'a str,
        f: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Memo>, MemoFailure>> {
        self.of(t).list(t, f)
    }
    fn delete<'a>(
        &'a self,
        t: &'a str,
        n: &'a str,
        id: &'a MemoId,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        self.of(t).delete(t, n, id)
    }
    fn relate<'a>(
        &'a self,
        t: &'a str,
        r: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        self.of(t).relate(t, r)
    }
    fn unrelate<'a>(
        &'a self,
        t: &'a str,
        r: &'a Relation,
    ) -> PortFuture<'a, Result<(), MemoFailure>> {
        self.of(t).unrelate(t, r)
    }
    fn relations<'a>(
        &'a self,
        t: &'a str,
        f: &'a MemoFilter,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        self.of(t).relations(t, f)
    }
    fn around<'a>(
        &'a self,
        t: &'a str,
        r: &'a Reach,
    ) -> PortFuture<'a, Result<Vec<Relation>, MemoFailure>> {
        self.of(t).around(t, r)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_remote_graph_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let next = Cell::new(0);
    memos_suite("remote", || {
        next.set(next.get() + 1);
        let url = serve(&folder.path().join(format!("{}.db", next.get())));
        Both { ours: client(&url, "one"), theirs: client(&url, "two") }
    })
    .await;
}

async fn call(memos: &dyn Memos, tool: &str, params: Value) -> Value {
    let call = serde_json::from_value(json!({ "tool": tool, "params": params })).expect("a call");
    let reply = dispatch(memos, &Caller::local("p"), call, Timestamp(7)).await;
    serde_json::to_value(reply).expect("it is JSON")
}

#[tokio::test]
async fn calls_in_the_spelling_of_the_seed_are_understood() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("memos.db");
    let memos = SqliteMemos::open(&file, &SqliteOptions::default()).expect("the file opens");
    for (id, content) in [("a", "The pump failed."), ("b", "The pump was seen running.")] {
        let saved = call(
            &memos,
            "memory.save",
            json!({"namespace": "n", "memoId": id, "content": content}),
        )
        .await;
        assert_eq!(saved["result"]["id"], id, "{saved}");
    }
    let related = call(
        &memos,
        "memory-relation-save",
        json!({"namespace": "n", "sourceMemoId": "b", "targetMemoId": "a", "tag": "conflicts", "weight": 0.6}),
    );
    assert_eq!(related.await["result"]["relation"]["created_at"], 7);
    let graph = call(
        &memos,
        "memory_relation_graph",
        json!({"namespace": "n", "startMemoId": "a", "maxDepth": 2, "direction": "both"}),
    )
    .await;
    assert_eq!(graph["result"]["nodes"].as_array().map(Vec::len), Some(2), "{graph}");
    assert_eq!(graph["result"]["edges"][0]["tag"], "conflicts");
    let found =
        call(&memos, "memory.search", json!({"query": "pump", "namespace": "n", "k": 1})).await;
    assert_eq!(found["result"]["results"].as_array().map(Vec::len), Some(1));
    let scored = call(&memos, "memory.score", json!({"namespace": "n", "pivot": "a"})).await;
    assert_eq!(scored["result"]["conflicting_evidence"][0]["memo_id"], "b", "{scored}");
    assert_eq!(scored["result"].as_object().map(serde_json::Map::len), Some(7));
    for tool in TOOLS {
        let reply = call(&memos, tool, json!({"no such field": 1})).await;
        assert_eq!(reply["error"]["kind"], "bad_params", "{tool}: {reply}");
        let reply = call(&memos, tool, Value::Null).await;
        let lists = matches!(tool, "memory.list" | "memory.relation.list");
        assert_eq!(reply["error"]["kind"] == "bad_params", !lists, "{tool}: {reply}");
    }
    let reply = call(&memos, "memory.drop", json!({})).await;
    assert_eq!(reply["error"]["kind"], "unknown_tool");
    let reply = call(&memos, "memory.score", json!({"namespace": "n", "pivot": "gone"})).await;
    assert_eq!(reply["error"]["kind"], "unknown_memo", "{reply}");
    let bad = json!({"namespace": "n", "pivot": "a", "settings": {"weights": {"similarity": -1.0, "relation": 0.4}}});
    assert_eq!(call(&memos, "memory.score", bad).await["error"]["kind"], "refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_on_the_way_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = serve(&folder.path().join("memos.db"));
    let filter = MemoFilter::default();
    let told = |result: Result<Vec<Memo>, MemoFailure>| result.expect_err("it fails").to_string();
    let settings = |url: &str| {
        let url = url.to_owned();
        RemoteSettings::from_variables(move |name| (name == "MEMORY_HTTP_URL").then(|| url.clone()))
    };
    let nobody = RemoteMemos::new(settings(&url).unwrap().unwrap()).unwrap();
    let said = told(nobody.list("", &filter).await);
    assert!(said.contains("on whose behalf") && said.contains("bearer token"), "{said}");
    let said = told(client("http://127.0.0.1:1/memory", "t").list("", &filter).await);
    assert!(said.contains("nobody answers") && said.contains("MEMORY_HTTP_URL"), "{said}");
    let said = told(client(&url.replace("memory", "other"), "t").list("", &filter).await);
    assert!(said.contains("404") && said.contains("/memory"), "{said}");
    // One that accepts and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/memory", silent.local_addr().unwrap());
    let slow = RemoteSettings::from_variables(|name| match name {
        "MEMORY_HTTP_URL" => Some(address.clone()),
        "MEMORY_HTTP_TIMEOUT_MS" => Some("100".to_owned()),
        _ => None,
    });
    let said = told(RemoteMemos::new(slow.unwrap().unwrap()).unwrap().list("", &filter).await);
    assert!(said.contains("100 ms") && said.contains("MEMORY_HTTP_TIMEOUT_MS"), "{said}");
}
