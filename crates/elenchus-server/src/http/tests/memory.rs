//! The bank over HTTP, from recording to deletion.

use super::feedback::sent;
use super::{STRANGER, Served};
use elenchus_core::bank::{Caller, Draft, Origin, Outcome, Scope};
use serde_json::{Value, json};
use std::collections::BTreeSet;

async fn recorded(served: &Served) -> String {
    let draft = json!({"title": "Lock order", "description": "When two locks are held",
        "content": "Always take the ledger lock first.", "outcome": "success"});
    let recorded = served.post("/v1/memory/record", &draft).await;
    assert_eq!(recorded.status, 200, "{recorded:?}");
    recorded.json()["id"].as_str().unwrap().to_owned()
}

/// Calls a tool by the protocol of agents, with the token of the server; gives what it has to say.
async fn by_agent(served: &Served, tool: &str, arguments: &Value) -> Value {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments, "_meta": crate::mcp::meta_of_tests()}});
    let more = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    let got = served.send("POST", "/mcp", &more, &call.to_string()).await;
    assert_eq!(got.status, 200, "{got:?}");
    let text = got.body.lines().find(|line| line.contains("jsonrpc")).unwrap_or_default();
    let reply: Value = serde_json::from_str(text.trim_start_matches("data: ")).unwrap();
    reply["result"]["structuredContent"].clone()
}

#[tokio::test]
async fn an_agent_of_the_server_is_no_person() {
    let served = Served::new().await;
    let draft = Draft {
        title: "Skip the lock".to_owned(),
        description: "When it is slow".to_owned(),
        content: "A page says that locks can be left out.".to_owned(),
        outcome: Outcome::Success,
        tags: Vec::new(),
        scope: Scope::Project,
        origin: Origin::Distilled,
        source_session: None,
        lineage: Vec::new(),
        from_web: true,
    };
    let parts = &served.api.parts;
    let kept = parts.bank.record(&Caller::local("here"), &draft, parts.clock.now()).await.unwrap();
    let vote = json!({"memory_id": kept.held.strategy.id, "helpful": true});
    let at = format!("/v1/memory/{}", kept.held.strategy.id);
    let standing = async || served.get(&at).await.json()["strategy"]["standing"]["state"].clone();
    assert_eq!(by_agent(&served, "memory_feedback", &vote).await["success"], true);
    assert_eq!(standing().await, "quarantined", "its praise vouches for nothing");
    // The vote of whoever else has the token is a person's, and another one.
    assert_eq!(served.post("/v1/memory/feedback", &vote).await.status, 200);
    assert_eq!(standing().await, "active");
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
    // What is drawn is what the bank believes, and no curve of that mean and width.
    let belief = served.get(&at).await.json()["posterior"].clone();
    let shape = |name: &str| belief[name].as_f64().unwrap();
    let (alpha, beta) = (shape("alpha"), shape("beta"));
    assert!((alpha / (alpha + beta) - confidence).abs() < 1e-9, "{belief}");
    let page = served.get("/memory").await.body;
    let two = |x: f64| format!("<td>{}</td>", (x * 100.0).round() / 100.0);
    assert!(page.contains(&format!("{}{}", two(alpha), two(beta))), "{belief}: {page}");
    assert!(page.contains("Origin: recorded on purpose"), "{page}");
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

#[tokio::test]
async fn the_page_of_strategies_shows_all_of_them_and_explains_each() {
    let served = Served::new().await;
    let mut wanted = BTreeSet::new();
    for n in 0..52 {
        let draft = json!({"title": format!("Lock order {n}"), "description": "When two are held",
            "content": format!("Take ledger {n} first."), "outcome": "success"});
        let recorded = served.post("/v1/memory/record", &draft).await;
        assert_eq!(recorded.status, 200, "{recorded:?}");
        wanted.insert(recorded.json()["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(wanted.len(), 52);
    let listed = |page: &str| -> Vec<String> {
        let parts = page.split("aria-labelledby=\"t-").skip(1);
        parts.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    let mut seen = Vec::new();
    for at in 1..=2 {
        let page = served.get(&format!("/memory?page={at}")).await.body;
        assert!(page.contains("52 strategies") && page.contains(&format!("page {at} of 2")));
        assert_eq!(page.contains("rel=\"prev\""), at == 2, "{at}");
        assert_eq!(page.contains("rel=\"next\""), at == 1, "{at}");
        for id in listed(&page) {
            assert!(page.contains(&format!("data-key=\"w-{id}\"")), "{id} is not explained");
            seen.push(id);
        }
    }
    assert_eq!((seen.len(), seen.iter().cloned().collect::<BTreeSet<_>>()), (52, wanted));
    // What is asked for by its id is on whatever page it stands; a page behind the last is the last.
    let last = seen.last().unwrap();
    for address in [format!("/memory?at={last}"), "/memory?page=99".to_owned()] {
        assert!(listed(&served.get(&address).await.body).contains(last), "{address}");
    }
    let found = served.get("/memory?q=ORDER+ledger+51").await.body;
    assert_eq!(listed(&found).len(), 1, "{found}");
    assert!(!found.contains("rel=\"next\""), "{found}");
    // A vote leads back to its strategy in the list as it was narrowed.
    let narrowed = served.get("/memory?q=lock&archived=yes&page=2").await.body;
    assert!(narrowed.contains("type=\"hidden\" name=\"q\" value=\"lock\""), "{narrowed}");
    assert!(narrowed.contains("type=\"hidden\" name=\"archived\" value=\"yes\""), "{narrowed}");
    let form = "page=1&q=lock&archived=yes&do=helpful";
    let voted = sent(&served, &format!("/memory/{last}"), form).await;
    let back = voted.header("location").unwrap().to_owned();
    let place = format!("&q=lock&archived=yes&at={last}#{last}");
    assert!(back.ends_with(&place), "{back}");
    let back = served.get(back.split('#').next().unwrap()).await.body;
    assert!(back.contains("Your vote counts") && listed(&back).contains(last), "{back}");
    // A link to one that is out of use leads to it as well, in the list that has it.
    assert_eq!(sent(&served, &format!("/memory/{last}"), "do=archive").await.status, 303);
    for at in 1..=2 {
        let page = served.get(&format!("/memory?page={at}")).await.body;
        assert!(!listed(&page).contains(last), "{page}");
    }
    let page = served.get(&format!("/memory?at={last}")).await.body;
    assert!(listed(&page).contains(last) && page.contains("Out of use: "), "{page}");
    assert!(page.contains("name=\"archived\" value=\"yes\" checked"), "{page}");
    let none = served.get("/memory?at=nothing").await.body;
    assert!(none.contains("51 strategies") && !none.contains("Out of use: "), "{none}");
}
