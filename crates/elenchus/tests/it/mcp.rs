//! The MCP server as programs start it: the real binary, over its own pipes and a real socket.

use crate::world::{CAPACITY, World, harbor};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// A client that started the server and speaks to it in lines.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    })
}

impl Client {
    fn new(world: &World) -> Self {
        Self::with(world, &[])
    }

    /// With variables of its own.
    pub(crate) fn with(world: &World, variables: &[(&str, &str)]) -> Self {
        let mut command = world.command();
        command.envs(variables.iter().copied());
        command.args(["mcp", "--project", "here", "--corpus"]).arg(harbor());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it has an output"));
        Self { child, input, output, id: 0 }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("the pipe is open");
        writeln!(input, "{message}").expect("the server reads");
    }

    /// In the way of 2026-07-28: no handshake, every request says who it is.
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = meta();
        self.ask_plain(method, &params)
    }

    fn ask_plain(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).expect("it speaks UTF-8"),
                0,
                "it has gone"
            );
            let message: Value =
                serde_json::from_str(&line).expect("only messages are on its output");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(reply["error"].is_null(), "{tool}: {reply}");
        assert_ne!(reply["result"]["isError"], true, "{tool}: {reply}");
        reply["result"]["structuredContent"].clone()
    }

    /// What a call is told that cannot be done.
    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let reply = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert_eq!(reply["result"]["isError"], true, "{tool}: {reply}");
        reply["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// Closes its input; the server goes by itself. Gives what it said on standard error.
    pub(crate) fn leave(mut self) -> String {
        drop(self.input.take());
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                break status;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "it stays though its input has ended"
            );
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "{status}");
        let mut said = String::new();
        let mut errors = self.child.stderr.take().expect("it has one");
        errors.read_to_string(&mut said).expect("it speaks UTF-8");
        said
    }
}

#[test]
fn a_question_is_researched_over_stdio() {
    let world = World::new();
    let mut client = Client::new(&world);
    let begun = Instant::now();
    let started = client.call("research_start", &json!({"question": CAPACITY, "effort": "quick"}));
    assert!(begun.elapsed() < Duration::from_secs(5), "the id comes at once");
    let run = started["run_id"].clone();
    let mut progress = Value::Null;
    for _ in 0..20 {
        progress = client.call("research_status", &json!({"run_id": run, "wait_seconds": 10}));
        if progress["status"] != "running" {
            break;
        }
    }
    assert_eq!(progress["status"], "finished", "{progress}");
    let result = client.call("research_result", &json!({"run_id": run, "max_tokens": 200_000}));
    assert_eq!(result["truncated"], false);
    assert_eq!(result["answer"]["run_id"], run);
    let report = result["report"].as_str().expect("a report is text");
    assert!(report.contains("MW"), "{report}");
    let uri = format!("run://{}/report", run.as_str().expect("an id is text"));
    let read = client.ask("resources/read", json!({"uri": uri}));
    assert_eq!(read["result"]["contents"][0]["text"], report);
    client.leave();
    // It is a run like any other.
    assert_eq!(world.newest(), run.as_str().expect("an id is text"));
}

#[test]
fn memories_of_one_process_are_there_for_the_next_in_both_eras() {
    let world = World::new();
    let mut first = Client::new(&world);
    let draft = json!({"title": "Lock order", "description": "When two locks are held",
        "content": "Always take the ledger lock before the account lock.", "outcome": "success"});
    let recorded = first.call("memory_record", &draft);
    assert_eq!(recorded["initial_confidence"], 0.8);
    first.leave();

    let mut second = Client::new(&world);
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    assert_eq!(second.ask_plain("initialize", &hello)["result"]["protocolVersion"], "2025-11-25");
    second.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let query = json!({"name": "memory_search", "arguments": {"query": "ledger lock order"}});
    let found = second.ask_plain("tools/call", &query)["result"]["structuredContent"].clone();
    assert_eq!(found["memories"][0]["id"], recorded["id"], "{found}");
    let vote = json!({"name": "memory_feedback", "arguments": {"memory_id": recorded["id"], "helpful": true}});
    let voted = second.ask_plain("tools/call", &vote)["result"]["structuredContent"].clone();
    assert!(voted["new_confidence"].as_f64() > Some(0.8), "{voted}");
    second.leave();
}

#[test]
fn texts_are_judged_over_stdio() {
    let world = World::new();
    let mut client = Client::new(&world);
    let sources = json!([{"title": "log", "text": "The pump failed on 3 May 2026. It was repaired in two days."}]);
    let checked = client.call(
        "verify_claims",
        &json!({"text": "The pump failed on 3 May 2026. Is the pump new?", "sources": sources}),
    );
    let told = json!([{"text": "Is the pump new?", "reason": "a question"}]);
    assert_eq!(checked["not_taken"], told, "{checked}");
    assert_eq!(
        checked["claims"][0]["supporting"][0]["quote"], "The pump failed on 3 May 2026.",
        "{checked}"
    );
    let claim = &checked["claims"][0];
    assert!(claim["supports"].as_f64() > claim["refutes"].as_f64(), "{checked}");
    assert!(checked["figures"]["supports"].is_string(), "{checked}");
    let counted = |name: &str| checked["coverage"][name].as_u64();
    assert_eq!((counted("supported"), counted("disputed")), (Some(1), Some(0)), "{checked}");
    let told = client.refused("score_evidence", &json!({"pivot": "memo_none"}));
    assert!(told.contains("memo_none") && told.contains("`namespace`"), "{told}");
    assert!(!told.contains("memo_save"), "a tool that is not offered here: {told}");
    client.leave();
}

#[test]
fn memos_are_kept_and_weighed_where_their_tools_are_asked_for() {
    let world = World::new();
    let mut client = Client::with(&world, &[("MEMORY_MCP_TOOLS", "1")]);
    let tools = client.ask("tools/list", json!({}));
    assert_eq!(tools["result"]["tools"].as_array().expect("a list").len(), 16);
    let mut save = |text: &str, source: &str| {
        let memo = json!({"text": text, "metadata": {"source": source}, "tags": ["pump"]});
        client.call("memo_save", &memo)["memo_id"].clone()
    };
    let pump = save("The cooling pump of hall two failed on 3 March.", "diary");
    let log = save("The flow log shows no flow in hall two after 3 March.", "log.csv");
    assert_eq!(save("The cooling pump of hall two failed on 3 March.", "diary"), pump, "kept once");
    let relation = json!({"from": log, "to": pump, "tag": "supports", "weight": 0.8, "reason": "No flow, no pump."});
    assert_eq!(client.call("memo_relate", &relation)["directed"], true);
    let scored = client.call("score_evidence", &json!({"pivot": pump}));
    assert_eq!(scored["prioritized_evidence"][0]["memo_id"], log, "{scored}");
    let told = client.refused(
        "memo_relate",
        &json!({"from": log, "to": pump, "tag": "supports", "namespace": "elsewhere"}),
    );
    assert!(told.contains("memo_save") && told.contains("`namespace`"), "{told}");
    client.leave();
    // They are the memos of the command line.
    let listed = world.run(&["memo", "list", "--json"]).succeeds().json();
    assert!(listed.to_string().contains(log.as_str().expect("an id is text")), "{listed}");
}

#[test]
fn what_is_no_message_is_answered_and_the_next_line_is_read() {
    let world = World::new();
    let mut client = Client::new(&world);
    // Before anything was said, and after.
    for _ in 0..2 {
        for (line, code) in [("no json", -32700), (r#"{"no": "request"}"#, -32600), ("[]", -32600)]
        {
            let input = client.input.as_mut().expect("the pipe is open");
            writeln!(input, "{line}").expect("the server reads");
            let mut said = String::new();
            client.output.read_line(&mut said).expect("it speaks UTF-8");
            let said: Value = serde_json::from_str(&said).expect("it answers in JSON");
            assert_eq!(
                (&said["id"], &said["error"]["code"]),
                (&Value::Null, &json!(code)),
                "{said}"
            );
        }
        let tools = client.ask("tools/list", json!({}));
        assert!(tools["result"]["tools"].is_array(), "{tools}");
    }
    client.leave();
}

#[test]
fn a_way_out_names_what_an_agent_has() {
    let world = World::new();
    let mut client = Client::new(&world);
    for tool in ["research_cancel", "research_status", "research_result"] {
        let told = client.refused(tool, &json!({"run_id": "run_none"}));
        assert!(told.contains("research_start") && !told.contains("/v1/"), "{tool}: {told}");
    }
    let started = client.call("research_start", &json!({"question": CAPACITY, "effort": "quick"}));
    let run = json!({"run_id": started["run_id"], "wait_seconds": 50});
    assert_eq!(client.call("research_status", &run)["status"], "finished");
    let over = client.call("research_cancel", &json!({"run_id": started["run_id"]}));
    assert_eq!(over["status"], "finished", "to end what is over changes nothing");
    // Whatever the room, the result fits.
    for tokens in [200, 500, 2_000] {
        let asked = json!({"run_id": started["run_id"], "max_tokens": tokens});
        let result = client.call("research_result", &asked);
        let long = result.to_string().chars().count();
        assert!(long <= 4 * tokens, "{long} characters for {tokens} tokens: {result}");
        assert!(!result["answer"]["conclusion"].as_str().expect("a text").is_empty(), "{result}");
    }
    client.leave();
}

#[test]
fn nothing_but_messages_is_on_the_output_and_an_early_end_is_no_error() {
    let world = World::new();
    let mut client = Client::new(&world);
    client.send(&json!({"no": "request"}));
    let tools = client.ask("tools/list", json!({}));
    assert_eq!(tools["result"]["tools"].as_array().expect("a list").len(), 12);
    client.leave();
    Client::new(&world).leave();
}

/// A server over HTTP, with its address and token.
struct Http {
    child: Child,
    address: String,
    token: String,
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Http {
    fn new(world: &World) -> Self {
        Self::with(world, &[])
    }

    fn with(world: &World, more: &[&str]) -> Self {
        let mut command = world.command();
        command
            .args(["mcp", "--http", "127.0.0.1:0", "--project", "here", "--corpus"])
            .arg(harbor())
            .args(more);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it has one")).lines();
        let mut heard = || lines.next().expect("it says where").expect("it speaks UTF-8");
        let said = heard();
        let file = said.rsplit_once(" in ").expect("it names the file of the token").1.to_owned();
        let said = heard();
        let address = said.split("http://").nth(1).expect("it names its address").to_owned();
        let address = address.trim_end_matches("/mcp").to_owned();
        let token = std::fs::read_to_string(&file).expect("the token is there").trim().to_owned();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        Self { child, address, token }
    }

    fn post(&self, token: &str, more: &str, body: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let body = body.to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{more}\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        (reply[9..12].parse().expect("a status"), reply)
    }

    /// What a tool gives the bearer of a token.
    fn call(&self, token: &str, tool: &str, arguments: &Value) -> String {
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta()});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let headers = format!(
            "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
        );
        let (status, reply) = self.post(token, &headers, &body);
        assert_eq!(status, 200, "{reply}");
        reply
    }
}

#[test]
fn both_eras_are_served_over_http_to_who_knows_the_token() {
    let world = World::new();
    let http = Http::new(&world);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    assert_eq!(http.post("wrong", "", &list).0, 401);
    let (status, reply) = http.post(&http.token, "MCP-Protocol-Version: 2025-11-25\r\n", &list);
    assert!(status == 200 && reply.contains("memory_search"), "{reply}");
    let modern = json!({"jsonrpc": "2.0", "id": 2, "method": "server/discover", "params": {"_meta": meta()}});
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n";
    let (status, reply) = http.post(&http.token, headers, &modern);
    assert!(status == 200 && reply.contains("2026-07-28"), "{reply}");
    // The memos of its store are there for other Elenchus who know the token.
    let url = format!("http://{}/memory", http.address);
    let far = |token: &str, words: &[&str]| {
        let other = World::new();
        let there = [("MEMORY_HTTP_URL", url.as_str()), ("MEMORY_HTTP_BEARER_TOKEN", token)];
        other.run_with(words, &there)
    };
    far(&http.token, &["memo", "save", "The valve leaks.", "--id", "v"]).succeeds();
    let found = far(&http.token, &["memo", "search", "valve", "--json"]).succeeds().json();
    assert!(found.to_string().contains("The valve leaks."), "{found}");
    far("wrong", &["memo", "search", "valve"]).fails(5, "401", "MEMORY_HTTP_BEARER_TOKEN");
    // The token stays the same the next time.
    let token = http.token.clone();
    drop(http);
    assert_eq!(Http::new(&world).token, token);
}

/// Over HTTP nothing tells one task of an agent from the next, so that without a search one report a day counts.
#[test]
fn a_report_of_an_agent_names_its_search_and_shares_its_credit() {
    let world = World::new();
    world.write("elenchus.toml", "project = \"here\"\n");
    let mut client = Client::new(&world);
    let mut record = |title: &str, content: &str| {
        let draft = json!({"title": title, "description": "When two locks are held",
            "content": content, "outcome": "success"});
        client.call("memory_record", &draft)["id"].clone()
    };
    let ledger = record("Ledger first", "Take the ledger lock before the account lock.");
    let journal = record("Journal last", "Write the journal once both locks are free again.");
    let found = client.call("memory_search", &json!({"query": "locks"}));
    let search = found["search_id"].clone();
    for id in [&ledger, &journal] {
        let report = json!({"memory_id": id, "succeeded": true, "session_id": "s",
            "search_id": search, "used_together": 2});
        assert_eq!(client.call("memory_outcome", &report)["recorded"], true);
    }
    let vote = json!({"memory_id": ledger, "helpful": true, "search_id": search});
    client.call("memory_feedback", &vote);
    // In another session nothing was shown.
    let invented = json!({"memory_id": ledger, "succeeded": false, "session_id": "t",
        "search_id": "sea_0123456789ab"});
    let told = client.refused("memory_outcome", &invented);
    assert!(told.contains("sea_0123456789ab") && told.contains("leave search_id out"), "{told}");
    for together in [json!(0), json!(1.5), json!("two")] {
        let report = json!({"memory_id": ledger, "succeeded": true, "used_together": together});
        let told = client.refused("memory_outcome", &report);
        assert!(told.contains("`used_together`") && told.contains("1 to 1000"), "{told}");
    }
    client.leave();
    let exported = world.run(&["memory", "export"]);
    let mut said = Vec::new();
    for line in exported.succeeds().out.lines() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        for signal in line["signals"].as_array().expect("a list") {
            if signal["type"] != "usage" {
                assert_eq!(signal["search_id"], search, "{signal}");
                said.push((signal["type"].clone(), signal["share"].clone()));
            }
        }
    }
    said.sort_by_key(|(kind, _)| kind.to_string());
    let half = || (json!("outcome"), json!(0.5));
    assert_eq!(said, [(json!("explicit"), json!(1.0)), half(), half()]);

    let http = Http::new(&world);
    let call = |tool: &str, arguments: &Value| http.call(&http.token, tool, arguments);
    for _ in 0..2 {
        let found = call("memory_search", &json!({"query": "ledger lock"}));
        let at = found.find("sea_").expect("a search has an id");
        let report =
            json!({"memory_id": ledger, "succeeded": true, "search_id": &found[at..at + 16]});
        let told = call("memory_outcome", &report);
        assert!(told.contains("Outcome recorded"), "{told}");
    }
    let report = json!({"memory_id": ledger, "succeeded": true});
    assert!(call("memory_outcome", &report).contains("Outcome recorded"));
    let again = call("memory_outcome", &report);
    assert!(again.contains("was there already"), "{again}");
}

#[cfg(unix)]
#[test]
fn each_token_acts_for_its_bearer_and_sees_its_own_project() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let (ann, bob, eve) = ("ann-0123456789abcdef", "bob-0123456789abcdef", "eve-0123456789abcdef");
    let lines = format!("{ann} ann\n{bob} bob\n# far away\n{eve} eve tenant=north project=here\n");
    let file = world.write("members.txt", lines);
    let more = ["--members", file.to_str().expect("a plain path")];
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
    let words = ["mcp", "--http", "127.0.0.1:0"];
    world.run(&[&words[..], &more[..]].concat()).fails(5, "other users", "chmod 600");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    let http = Http::with(&world, &more);
    let draft = json!({"title": "Ledger first", "description": "When two locks are held",
        "content": "Take the ledger lock before the account lock.", "outcome": "success"});
    let recorded = http.call(ann, "memory_record", &draft);
    let at = recorded.find("mem_").expect("a memory has an id");
    let id = &recorded[at..at + 16];
    // Two people have two votes, and one has one.
    let vote = json!({"memory_id": id, "helpful": true});
    for (who, counts) in [(ann, true), (bob, true), (bob, false)] {
        let told = http.call(who, "memory_feedback", &vote);
        assert_eq!(told.contains("Feedback recorded"), counts, "{told}");
    }
    // Another tenant sees nothing of it, not even that it is there, nor any run.
    assert!(http.call(eve, "memory_feedback", &vote).contains("there is none with this id"));
    let query = json!({"query": "ledger lock"});
    assert!(http.call(bob, "memory_search", &query).contains(id));
    assert!(!http.call(eve, "memory_search", &query).contains("mem_"));
    let question = json!({"question": CAPACITY, "effort": "quick"});
    assert!(http.call(eve, "research_start", &question).contains("another project"));
    let started = http.call(bob, "research_start", &question);
    let at = started.find("run_").expect("a run has an id");
    // The first `run_` may be the name of the field.
    let run = started[at..].split('"').find(|word| word.len() == 16 && word.starts_with("run_"));
    let status = json!({"run_id": run.expect("a run has an id"), "wait_seconds": 40});
    assert!(http.call(ann, "research_status", &status).contains("finished"));
    assert!(http.call(eve, "research_status", &status).contains("another project"));
    let list =
        json!({"jsonrpc": "2.0", "id": 3, "method": "resources/list", "params": {"_meta": meta()}});
    let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/list\r\n";
    for (who, sees) in [(ann, true), (eve, false)] {
        let (status, listed) = http.post(who, headers, &list);
        assert_eq!((status, listed.contains("run://")), (200, sees), "{listed}");
    }
    assert_eq!(http.post("mallory-0123456789", headers, &list).0, 401);
}

/// Two projects of one tenant, one store and one server.
#[cfg(unix)]
#[test]
fn members_of_two_projects_of_one_tenant_reach_what_their_scope_allows() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let (ann, eve) = ("ann-0123456789abcdef", "eve-0123456789abcdef");
    let lines = format!("{ann} ann\n{eve} eve project=quay team=cranes\n");
    let file = world.write("members.txt", lines);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("it is ours");
    let http =
        Http::with(&world, &["--members", file.to_str().expect("a plain path"), "--memo-tools"]);
    // Strategies.
    let draft = json!({"title": "Ledger first", "description": "When two locks are held",
        "content": "Take the ledger lock before the account lock.", "outcome": "success"});
    let recorded = http.call(ann, "memory_record", &draft);
    let at = recorded.find("mem_").expect("a memory has an id");
    let id = &recorded[at..at + 16];
    let query = json!({"query": "ledger lock"});
    assert!(http.call(ann, "memory_search", &query).contains(id));
    assert!(!http.call(eve, "memory_search", &query).contains("mem_"));
    for (tool, given) in [
        ("memory_feedback", json!({"memory_id": id, "helpful": false})),
        ("memory_outcome", json!({"memory_id": id, "succeeded": false})),
    ] {
        assert!(http.call(eve, tool, &given).contains("there is none with this id"), "{tool}");
    }
    // Memos: the same name of a namespace is each project's own.
    for (who, text) in [(ann, "The ledger valve leaks."), (eve, "The crane valve is dry.")] {
        http.call(who, "memo_save", &json!({"text": text}));
    }
    let url = format!("http://{}/memory", http.address);
    let far = |token: &str, words: &[&str]| {
        let there = [("MEMORY_HTTP_URL", url.as_str()), ("MEMORY_HTTP_BEARER_TOKEN", token)];
        World::new().run_with(words, &there)
    };
    for (who, own, others) in [
        (ann, "ledger valve", "crane valve"),
        (http.token.as_str(), "ledger valve", "crane valve"),
        (eve, "crane valve", "ledger valve"),
    ] {
        for words in [&["memo", "list", "--json"][..], &["memo", "search", "valve", "--json"]] {
            let found = far(who, words).succeeds().out.clone();
            assert!(found.contains(own) && !found.contains(others), "{words:?}: {found}");
        }
    }
    let kept = far(eve, &["memo", "list", "--json"]).json().to_string();
    assert!(kept.contains("\"default\"") && !kept.contains("project/quay"), "{kept}");
    // So what a user calls `default` is found there by the beginning of its id.
    let at = kept.find("memo_").expect("a memo has an id");
    far(eve, &["memo", "show", &kept[at..at + 12]]).succeeds();
    // To name what is another's is refused, to read and to write, whether it is there or not.
    let mine = ["project/here", "project/here/x", "team/docks", "org/port"];
    for namespace in mine {
        let saved = ["memo", "save", "Mine now.", "--id", "v", "--namespace", namespace];
        far(eve, &saved).fails(2, "none of this token's project", "project/quay or team/cranes");
        let listed = ["memo", "list", "--namespace", namespace];
        far(eve, &listed).fails(2, "none of this token's project", "project/quay");
        let given = json!({"pivot": "v", "namespace": namespace});
        let told = http.call(eve, "score_evidence", &given);
        assert!(told.contains("none of this token's project"), "{told}");
    }
    far(ann, &["memo", "list", "--namespace", "project/quay"]).fails(2, "none of", "project/here");
    let own = ["memo", "save", "The crane turns.", "--id", "t", "--namespace", "team/cranes"];
    far(eve, &own).succeeds();
    far(ann, &["memo", "delete", "t", "--namespace", "team/cranes"]).fails(2, "none of", "project");
}

#[cfg(unix)]
#[test]
fn a_server_over_http_ends_when_it_is_told_to() {
    let world = World::new();
    let mut http = Http::new(&world);
    let _idle = TcpStream::connect(&http.address).expect("it listens");
    let id = http.child.id().to_string();
    std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill is there");
    let begun = Instant::now();
    while http.child.try_wait().expect("it can be waited for").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_is_unsafe_or_cannot_be_is_refused() {
    let world = World::new();
    world.run(&["mcp", "--http", "0.0.0.0:0", "--no-token"]).fails(
        2,
        "other machines",
        "--no-token",
    );
    world.run(&["mcp", "--http", "nowhere"]).fails(2, "no address", "127.0.0.1");
    let file = world.write("settings.json", "{\n  \"a\": 1,\n  oops\n}\n");
    let file = file.to_str().expect("a plain path");
    world
        .run(&["mcp", "install", "--client", "cursor", "--file", file])
        .fails(2, "line 3", "--print");
    assert_eq!(std::fs::read_to_string(file).expect("it is there"), "{\n  \"a\": 1,\n  oops\n}\n");
}

#[test]
fn an_extension_holds_the_program_and_says_how_it_is_started() {
    let world = World::new();
    let program = world.write("program", [b"\x7fELF".to_vec(), vec![7; 100_000]].concat());
    world.write("docs/a.md", "# A\n");
    let install = |more: &[&str]| {
        let words = ["mcp", "install", "--client", "claude-desktop", "--binary", "program"];
        world.run(&[&words[..], more].concat())
    };
    let ran = install(&["--bundle", "e.mcpb", "--corpus", "docs", "--project", "quay"]);
    assert!(ran.succeeds().err.contains("wrote e.mcpb"), "{ran:#?}");
    let file = world.folder().join("e.mcpb");
    let written = std::fs::read(&file).expect("it was written");
    assert!(written.len() < 50_000, "it is packed");
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(written)).expect("it is a zip file");
    let mut read = |name: &str| {
        let mut bytes = Vec::new();
        let mut entry = zip.by_name(name).expect("it is in it");
        entry.read_to_end(&mut bytes).expect("it is whole");
        (bytes, entry.unix_mode())
    };
    let (manifest, _) = read("manifest.json");
    let manifest: Value = serde_json::from_slice(&manifest).expect("it is JSON");
    assert_eq!(manifest["manifest_version"], "0.3");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let server = &manifest["server"];
    assert_eq!(
        (&server["type"], &server["entry_point"]),
        (&json!("binary"), &json!("server/elenchus"))
    );
    assert_eq!(server["mcp_config"]["command"], "${__dirname}/server/elenchus");
    let words = ["mcp", "--corpus", "${user_config.corpus}", "--project", "quay"];
    assert_eq!(server["mcp_config"]["args"], json!(words));
    let docs = world.folder().join("docs").canonicalize().expect("it is there");
    assert_eq!(manifest["user_config"]["corpus"]["default"], docs.to_str().expect("a plain path"));
    let (packed, mode) = read("server/elenchus");
    assert_eq!(packed, std::fs::read(&program).expect("it is there"));
    assert_eq!(mode.map(|mode| mode & 0o111), Some(0o111), "it can be started");

    install(&["--bundle", "e.mcpb"]).fails(2, "the file exists", "--force");
    install(&["--bundle", "e.mcpb", "--force"]).succeeds();
    install(&["--bundle", "e.zip"]).fails(2, "does not end in .mcpb", "e.mcpb");
    let words = ["mcp", "install", "--client", "cursor", "--bundle", "f.mcpb"];
    world.run(&words).fails(2, "only Claude Desktop", "claude-desktop");
    world.write("program", "#!/bin/sh\n");
    install(&["--bundle", "g.mcpb"]).fails(2, "no program", "--binary");
    let mut left: Vec<_> = std::fs::read_dir(world.folder())
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["docs", "e.mcpb", "program"], "nothing else is left");
    assert_eq!(world.run(&["mcp", "install"]).code, Some(2));
}

#[test]
fn a_skill_is_written_once_and_keeps_what_was_there() {
    let world = World::new();
    let install =
        |more: &[&str]| world.run(&[&["mcp", "install", "--skill", "skills"][..], more].concat());
    let first = install(&[]);
    assert!(first.succeeds().err.contains("the skill was written to"), "{first:#?}");
    let file = world.folder().join("skills/elenchus/SKILL.md");
    let text = std::fs::read_to_string(&file).expect("it was written");
    assert!(text.starts_with("---\nname: elenchus\ndescription: "), "{text}");
    assert_eq!(install(&["--print"]).succeeds().out, text);
    assert!(install(&[]).succeeds().err.contains("says so already"));
    std::fs::write(&file, "mine\n").expect("it can be written");
    let again = install(&[]);
    assert!(again.succeeds().err.contains("SKILL.md.before-elenchus"), "{again:#?}");
    let kept = std::fs::read_to_string(file.with_file_name("SKILL.md.before-elenchus"));
    assert_eq!(kept.expect("it was kept"), "mine\n");
    assert_eq!(std::fs::read_to_string(&file).expect("it was written"), text);
    install(&["--name", "Not_one"]).fails(2, "no name of a skill", "small letters");
    // A folder that is named stands in it, and its commands are ones that there are.
    world.write("docs/a.md", "# A\n");
    let named = install(&["--name", "papers", "--corpus", "docs", "--print"]);
    let docs = world.folder().join("docs").canonicalize().expect("it is there");
    assert!(named.succeeds().out.contains(&format!("`{}`", docs.display())), "{}", named.out);
    assert!(named.out.contains("\nname: papers\n"), "{}", named.out);
    let both = ["mcp", "install", "--skill", "skills", "--client", "cursor"];
    assert_eq!(world.run(&both).code, Some(2));
}

#[test]
fn programs_are_told_of_the_server_and_forget_it() {
    let world = World::new();
    for client in
        ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini-cli", "zed", "goose"]
    {
        let shown = world.run(&["mcp", "install", "--client", client, "--print"]);
        assert!(shown.succeeds().out.contains("elenchus"), "{client}: {shown:#?}");
        assert!(shown.err.contains("names no folder of documents"), "{client}: {shown:#?}");
        // Where no folder says whose memories are used, that is told.
        let placed =
            world.run(&["mcp", "install", "--client", client, "--print", "--project", "p"]);
        assert_eq!(
            (shown.err.contains("--project NAME"), placed.err.contains("--project NAME")),
            (client == "claude-desktop", false),
            "{client}"
        );
        let first = world.run(&["mcp", "install", "--client", client]);
        assert!(first.succeeds().err.contains("written into"), "{client}: {first:#?}");
        let again = world.run(&["mcp", "install", "--client", client]);
        assert!(again.succeeds().err.contains("knows the server already"), "{client}: {again:#?}");
        let gone = world.run(&["mcp", "install", "--client", client, "--uninstall"]);
        assert!(gone.succeeds().err.contains("taken out of"), "{client}: {gone:#?}");
        let next = |said: &str| said.lines().last().expect("it says what is next").to_owned();
        assert_ne!(next(&gone.err), next(&first.err), "{client}");
        let nothing = world.run(&["mcp", "install", "--client", client, "--uninstall"]);
        assert!(nothing.succeeds().err.contains("does not know"), "{client}: {nothing:#?}");
    }
}
