//! Several people at one server: each has a token, and finds what is theirs by whatever way they come in.

#![cfg(unix)]

use crate::serve::Serving;
use crate::world::{CAPACITY, World, harbor};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const ANN: &str = "ann-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";
/// Of another project of the same tenant.
const KIM: &str = "kim-0123456789abcdef";
/// Of another tenant, whose project has the same name.
const EVE: &str = "eve-0123456789abcdef";

/// A file of members that others may read or not.
fn members(world: &World, mode: u32) -> PathBuf {
    let lines = format!(
        "{ANN} ann\n{BOB} bob\n{KIM} kim project=quay team=cranes\n{EVE} eve tenant=north project=harbour\n"
    );
    let file = world.write("members.txt", lines);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    file
}

fn serving(world: &World, more: &[&str], variables: &[(&str, &str)]) -> Serving {
    let (corpus, file) = (harbor(), members(world, 0o600));
    let flags = ["--corpus", corpus.to_str().expect("a plain path"), "--project", "harbour"];
    let members = ["--members", file.to_str().expect("a plain path")];
    Serving::told(world, &[&flags[..], &members[..], more].concat(), variables)
}

/// What came back.
#[derive(Debug)]
struct Got {
    status: u16,
    head: String,
    body: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a body of JSON")
    }

    fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
}

/// Who sends a request: a program with its token, or a browser with its cookie.
#[derive(Clone, Copy, Debug)]
enum By<'a> {
    Token(&'a str),
    Cookie(&'a str),
}

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

fn sent(
    serving: &Serving,
    by: By<'_>,
    method: &str,
    path: &str,
    more: &str,
    (kind, body): (&str, &str),
) -> Got {
    let address = &serving.address;
    let who = match by {
        By::Token(token) => format!("Authorization: Bearer {token}\r\n"),
        By::Cookie(cookie) => {
            format!("Cookie: {cookie}\r\nOrigin: http://{address}\r\nAccept: text/html\r\n")
        }
    };
    let given = if body.is_empty() && method == "GET" {
        String::new()
    } else {
        format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len())
    };
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{who}{given}{more}\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).expect("it answers");
    let reply = String::from_utf8_lossy(&reply).into_owned();
    let (head, body) = reply.split_once("\r\n\r\n").expect("it has a head");
    let status = head[9..12].parse().expect("a status");
    Got { status, head: head.to_owned(), body: body.to_owned() }
}

fn get(serving: &Serving, token: &str, path: &str) -> Got {
    sent(serving, By::Token(token), "GET", path, "", (JSON, ""))
}

fn post(serving: &Serving, token: &str, path: &str, body: &Value) -> Got {
    sent(serving, By::Token(token), "POST", path, "", (JSON, &body.to_string()))
}

/// The cookie of a browser that was given a token.
fn cookie(serving: &Serving, token: &str) -> String {
    let mut stream = TcpStream::connect(&serving.address).expect("it listens");
    let request = format!(
        "GET /?token={token} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        serving.address
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("it answers");
    let line = reply.lines().find(|line| line.to_lowercase().starts_with("set-cookie: "));
    let line = line.expect("a cookie is set");
    line["set-cookie: ".len()..].split(';').next().expect("a cookie").to_owned()
}

/// A tool of the protocol of agents, at the same listener.
fn called(serving: &Serving, token: &str, tool: &str, arguments: &Value) -> Got {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let more = format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
    );
    sent(serving, By::Token(token), "POST", "/mcp", &more, (JSON, &body.to_string()))
}

/// Starts a run and follows it to its end.
fn finished(serving: &Serving, token: &str, more: &str) -> String {
    let ask = json!({"question": CAPACITY}).to_string();
    let started = sent(serving, By::Token(token), "POST", "/v1/research", more, (JSON, &ask));
    assert_eq!(started.status, 202, "{started:?}");
    let run = started.json()["run_id"].as_str().expect("an id").to_owned();
    let events = get(serving, token, &format!("/v1/research/{run}/events"));
    assert!(events.body.contains("event: session_completed"), "{events:?}");
    run
}

#[test]
fn runs_are_for_members_of_the_servers_own_project_on_every_route() {
    let world = World::new();
    let serving = serving(&world, &[], &[]);
    let run = finished(&serving, ANN, "");
    // Whoever is of the project has it, as has the bearer of the server's own token.
    for token in [ANN, BOB, serving.token.as_str()] {
        let listed = get(&serving, token, "/v1/research").json();
        assert_eq!((&listed["total"], &listed["items"][0]["run_id"]), (&json!(1), &json!(run)));
        assert!(get(&serving, token, "/ready").json()["under_way"].is_u64());
    }
    let parts = [
        ("GET", ""),
        ("GET", "/events"),
        ("GET", "/answer"),
        ("GET", "/claims"),
        ("GET", "/gaps"),
        ("GET", "/hypotheses"),
        ("GET", "/insights"),
        ("GET", "/sources"),
        ("GET", "/contradictions"),
        ("GET", "/steps"),
        ("GET", "/plan"),
        ("GET", "/critique"),
        ("GET", "/lenses"),
        ("GET", "/trace"),
        ("GET", "/export?format=md"),
        ("GET", "/export?format=html"),
        ("GET", "/export?format=jsonl"),
        ("GET", "/export?format=ro-crate"),
        ("POST", "/control"),
        ("POST", "/clarify"),
        ("POST", "/challenge"),
        ("POST", "/resume"),
        ("POST", "/fork"),
        ("POST", "/claims/c1/feedback"),
        ("DELETE", ""),
    ];
    for token in [KIM, EVE] {
        for (method, part) in parts {
            let of = |run: &str| {
                let path = format!("/v1/research/{run}{part}");
                sent(&serving, By::Token(token), method, &path, "", (JSON, "{}"))
            };
            let (foreign, nothing) = (of(&run), of("run_none"));
            assert_eq!(
                (foreign.status, nothing.status),
                (404, 404),
                "{method} {part}: {foreign:?}"
            );
            assert_eq!(foreign.body.replace(&run, "ID"), nothing.body.replace("run_none", "ID"));
        }
        for path in
            [format!("/v1/hypotheses/{run}:h1/test"), format!("/v1/insights/{run}:i1/feedback")]
        {
            let refused = post(&serving, token, &path, &json!({"feedback": "saved"}));
            assert_eq!(refused.status, 404, "{path}: {refused:?}");
        }
        let question = json!({"question": CAPACITY});
        let chat =
            json!({"model": "elenchus", "messages": [{"role": "user", "content": CAPACITY}]});
        let tool = json!({"tool": "research_status", "params": {"run_id": run}});
        for refused in [
            get(&serving, token, "/v1/research"),
            get(&serving, token, "/metrics"),
            post(&serving, token, "/v1/research", &question),
            post(&serving, token, "/v1/chat/completions", &chat),
            post(&serving, token, "/v1/tools", &tool),
        ] {
            assert_eq!(refused.status, 403, "{refused:?}");
            assert!(!refused.body.contains(&run), "{refused:?}");
        }
        assert_eq!(get(&serving, token, "/ready").json()["under_way"], json!(null));
        let status = called(&serving, token, "research_status", &json!({"run_id": run}));
        assert!(status.body.contains("another project"), "{status:?}");
    }
    let open =
        format!("GET /ready HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", serving.address);
    let mut stream = TcpStream::connect(&serving.address).expect("it listens");
    stream.write_all(open.as_bytes()).expect("it reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("it answers");
    assert!(reply.contains("\"ready\"") && !reply.contains("under_way"), "{reply}");
    assert_eq!(get(&serving, ANN, &format!("/v1/research/{run}")).status, 200, "it is still there");
}

#[test]
fn a_browser_is_the_member_whose_token_it_was_given() {
    let world = World::new();
    let serving = serving(&world, &[], &[]);
    let run = finished(&serving, ANN, "");
    let claims = get(&serving, ANN, &format!("/v1/research/{run}/claims")).json();
    let claim = claims["items"][0]["claim"]["id"].as_str().expect("a statement").to_owned();
    let (bob, eve, kim) = (cookie(&serving, BOB), cookie(&serving, EVE), cookie(&serving, KIM));
    assert!(bob != eve && eve != kim && !bob.contains(BOB), "{bob}");
    let page =
        |cookie: &str, path: &str| sent(&serving, By::Cookie(cookie), "GET", path, "", (FORM, ""));
    let form = |cookie: &str, path: &str, body: &str| {
        sent(&serving, By::Cookie(cookie), "POST", path, "", (FORM, body))
    };
    let at = format!("/research/{run}");
    for path in ["/", "/research", &at, "/sources", "/notes", "/settings", "/about", "/compare"] {
        assert_eq!(page(&bob, path).status, 200, "{path}");
    }
    assert!(page(&bob, "/research").body.contains(&run));
    for cookie in [&eve, &kim] {
        let first = page(cookie, "/");
        assert_eq!((first.status, first.header("location")), (303, Some("/memory")));
        assert_eq!(page(cookie, "/memory").status, 200);
        for path in [at.clone(), format!("{at}/source/1"), format!("{at}/export?format=md")] {
            assert_eq!(page(cookie, &path).status, 404, "{path}");
        }
        let compared = format!("/compare?a={run}");
        for path in ["/research", "/sources", "/notes", "/notes/export", &compared, "/about"] {
            let refused = page(cookie, path);
            assert_eq!(refused.status, 403, "{path}");
            assert!(!refused.body.contains(&run), "{path}: {refused:?}");
        }
        let judged = form(cookie, &format!("{at}/claims/{claim}/feedback"), "feedback=wrong");
        assert_eq!(judged.status, 404, "{judged:?}");
        assert_eq!(form(cookie, "/research", "question=What+of+it%3F").status, 403);
        assert_eq!(form(cookie, &format!("{at}/delete"), "sure=yes").status, 404);
    }
    // What each says of a statement is theirs.
    let judged = form(&bob, &format!("{at}/claims/{claim}/feedback"), "feedback=right");
    assert_eq!(judged.status, 303, "{judged:?}");
    let wrong = json!({"feedback": "wrong"});
    let path = format!("/v1/research/{run}/claims/{claim}/feedback");
    assert_eq!(post(&serving, ANN, &path, &wrong).status, 200);
    let said = || {
        let notes = page(&bob, "/notes/export?format=json").json();
        let mut said: Vec<(String, String)> = notes["notes"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|note| {
                let of = |key: &str| note[key].as_str().expect("a text").to_owned();
                (of("actor"), of("said"))
            })
            .collect();
        said.sort();
        said
    };
    let words = |who: &str, word: &str| (who.to_owned(), word.to_owned());
    assert_eq!(said(), [words("ann", "wrong"), words("bob", "right")]);
    // Nobody takes back what somebody else said.
    let forget = json!({"feedback": "forget"});
    assert_eq!(post(&serving, ANN, &path, &forget).status, 200);
    assert_eq!(said(), [words("bob", "right")]);
}

#[test]
fn votes_memories_and_memos_are_of_the_member_who_gives_them() {
    let world = World::new();
    let serving = serving(&world, &[], &[]);
    let draft = json!({"title": "Ledger first", "description": "When two locks are held",
        "content": "Take the ledger lock before the account lock.", "outcome": "success"});
    let recorded = post(&serving, ANN, "/v1/memory/record", &draft);
    assert_eq!(recorded.status, 200, "{recorded:?}");
    let id = recorded.json()["id"].as_str().expect("an id").to_owned();
    let one = format!("/v1/memory/{id}");
    let strategy = get(&serving, BOB, &one).json()["strategy"].clone();
    assert_eq!(strategy["actor"], "http:ann", "{strategy}");
    // A program with a token, a browser with its cookie, an agent that speaks the protocol: two people, and one's agent.
    let vote = json!({"memory_id": id, "helpful": true});
    assert_eq!(post(&serving, ANN, "/v1/memory/feedback", &vote).status, 200);
    let bob = cookie(&serving, BOB);
    let page = format!("/memory/{id}");
    let voted = sent(&serving, By::Cookie(&bob), "POST", &page, "", (FORM, "do=helpful&back=one"));
    assert_eq!(voted.status, 303, "{voted:?}");
    assert!(called(&serving, ANN, "memory_feedback", &vote).body.contains("Feedback recorded"));
    let own = [("ELENCHUS_PROJECT", "harbour")];
    let exported = world.run_with(&["memory", "export"], &own).succeeds().out.clone();
    let line: Value = serde_json::from_str(exported.lines().next().expect("a line")).expect("JSON");
    let mut voices: Vec<&str> = line["signals"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|signal| signal["type"] == "explicit")
        .filter_map(|signal| signal["actor"].as_str())
        .collect();
    voices.sort_unstable();
    assert_eq!(voices, ["http:ann", "http:bob", "mcp:ann"], "{line}");
    // Other projects and tenants find no such memory, and count none.
    for token in [KIM, EVE] {
        assert_eq!(get(&serving, token, &one).status, 404);
        assert_eq!(get(&serving, token, "/v1/memory").json()["total"], 0);
        assert_eq!(post(&serving, token, "/v1/memory/feedback", &vote).status, 404);
        let found = called(&serving, token, "memory_search", &json!({"query": "ledger lock"}));
        assert!(!found.body.contains(&id), "{found:?}");
        let cookie = cookie(&serving, token);
        let hidden = sent(&serving, By::Cookie(&cookie), "GET", &page, "", (FORM, ""));
        assert_eq!(hidden.status, 404, "{hidden:?}");
    }
    // The same name of a namespace is each project's own, by the address of the API, of other Elenchus, and of tools.
    for (token, text) in [(ANN, "The ledger valve leaks."), (KIM, "The crane valve is dry.")] {
        let memo = json!({"namespace": "default", "content": text});
        assert_eq!(post(&serving, token, "/v1/graph/save", &memo).status, 200);
    }
    let search = json!({"query": "valve"});
    let call = json!({"tool": "memory.search", "params": search});
    for (token, own, others) in [
        (ANN, "ledger valve", "crane valve"),
        (BOB, "ledger valve", "crane valve"),
        (KIM, "crane valve", "ledger valve"),
    ] {
        for found in [
            post(&serving, token, "/v1/graph/search", &search),
            post(&serving, token, "/v1/tools", &call),
            post(&serving, token, "/memory", &call),
        ] {
            assert_eq!(found.status, 200, "{found:?}");
            assert!(found.body.contains(own) && !found.body.contains(others), "{found:?}");
        }
    }
    let far = post(&serving, EVE, "/v1/graph/search", &search);
    assert!(far.status == 200 && !far.body.contains("valve is") && !far.body.contains("leaks"));
    let mine = json!({"namespace": "project/harbour", "content": "Mine now."});
    let refused = post(&serving, KIM, "/v1/graph/save", &mine);
    assert!(refused.status == 400 && refused.body.contains("none of this token's"), "{refused:?}");
}

#[test]
fn a_members_keys_and_rates_are_its_own() {
    let world = World::new();
    let slow = [("ELENCHUS_SERVE_RATE", "1"), ("ELENCHUS_SERVE_BURST", "40")];
    let serving = serving(&world, &[], &slow);
    // The same key of two people names two runs, and of one the same.
    let key = "Idempotency-Key: 7b1c\r\n";
    let (ann, bob) = (finished(&serving, ANN, key), finished(&serving, BOB, key));
    assert_ne!(ann, bob);
    assert_eq!(finished(&serving, ANN, key), ann);
    let refused = (0..60).map(|_| get(&serving, ANN, "/v1/models").status).any(|code| code == 429);
    assert!(refused, "forty at once are all that one may send");
    assert_eq!(get(&serving, BOB, "/v1/models").status, 200, "another one waits for nobody");
}

#[test]
fn a_file_of_members_that_cannot_be_used_is_refused() {
    let world = World::new();
    let corpus = harbor();
    let base = ["serve", "--listen", "127.0.0.1:0", "--corpus", corpus.to_str().expect("plain")];
    let told = |more: &[&str]| world.run(&[&base[..], more].concat());
    let open = members(&world, 0o644);
    let open = open.to_str().expect("a plain path");
    told(&["--members", open]).fails(5, "other users", "chmod 600");
    told(&["--members", "nowhere.txt"]).fails(2, "could not take the members", "TOKEN NAME");
    let both = told(&["--members", open, "--no-token"]);
    assert!(both.code == Some(2) && both.err.contains("cannot be used with"), "{both:?}");
    let named = world.write("own.txt", format!("{ANN} local\n"));
    std::fs::set_permissions(&named, std::fs::Permissions::from_mode(0o600)).expect("ours");
    told(&["--members", "own.txt"]).fails(2, "of the server itself", "TOKEN NAME");
}

#[test]
fn how_many_runs_are_under_way_is_a_setting() {
    let world = World::new();
    let serving = serving(&world, &["--runs", "1"], &[]);
    let waits = json!({"question": CAPACITY, "review_plan": true});
    let first = post(&serving, ANN, "/v1/research", &waits);
    assert_eq!(first.status, 202, "{first:?}");
    let run = first.json()["run_id"].as_str().expect("an id").to_owned();
    let at = format!("/v1/research/{run}");
    let until = Instant::now() + Duration::from_mins(1);
    while get(&serving, ANN, &at).json()["status"] != "paused" {
        assert!(Instant::now() < until, "it does not wait");
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = post(&serving, BOB, "/v1/research", &waits);
    assert_eq!((second.status, second.header("retry-after")), (429, Some("10")), "{second:?}");
    assert!(second.body.contains("at most 1 run at once"), "{second:?}");
    assert!(second.body.contains("serve.runs"), "{second:?}");
    let end = json!({"control": "interrupt"});
    assert_eq!(post(&serving, ANN, &format!("{at}/control"), &end).status, 200);
    let until = Instant::now() + Duration::from_mins(1);
    let third = loop {
        let third = post(&serving, BOB, "/v1/research", &waits);
        if third.status != 429 {
            break third;
        }
        assert!(Instant::now() < until, "the place is never free");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(third.status, 202, "{third:?}");
}

#[test]
fn a_number_of_runs_that_is_none_is_refused() {
    let world = World::new();
    for command in [&["serve"][..], &["mcp", "--http"]] {
        for wrong in ["0", "65", "many"] {
            let told = world.run(&[command, &["--runs", wrong]].concat());
            assert!(told.code == Some(2) && told.err.contains("--runs"), "{told:?}");
        }
    }
    let told = world.run(&["mcp", "--runs", "2"]);
    assert!(told.code == Some(2) && told.err.contains("--http"), "{told:?}");
    for wrong in ["0", "65", "many"] {
        let told = world.run_with(&["config", "show"], &[("ELENCHUS_SERVE_RUNS", wrong)]);
        told.fails(2, "`serve.runs` cannot be", "a whole number from 1 to 64");
    }
    let shown =
        world.run_with(&["config", "show", "--origin", "--json"], &[("ELENCHUS_SERVE_RUNS", "9")]);
    let shown = shown.succeeds().json();
    assert_eq!(shown["serve.runs"]["value"], 9, "{shown}");
    assert_eq!(shown["serve.runs"]["origin"], "environment ELENCHUS_SERVE_RUNS");
}
