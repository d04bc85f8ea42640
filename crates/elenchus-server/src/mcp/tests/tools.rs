//! What the tools give and what they refuse.

use super::super::testing::GIVEN_UP;
use super::{Line, modern, server};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

/// Whether a value is what a schema says: types, fields that must be there, items.
fn fits(value: &Value, schema: &Value, at: &str) {
    let kind = schema["type"].as_str().unwrap_or("any");
    let right = match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        _ => true,
    };
    assert!(right, "{at} is no {kind}: {value}");
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(value.get(name.as_str().unwrap()).is_some(), "{at} lacks {name}: {value}");
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(inside) = value.get(name) {
            fits(inside, inner, &format!("{at}.{name}"));
        }
    }
    for item in value.as_array().into_iter().flatten() {
        fits(item, &schema["items"], &format!("{at}[]"));
    }
}

/// Calls that work, in an order in which they do. `$id` stands for the recorded memory, `$run` for the run, `$first` and
/// `$last` for memos.
fn good() -> Vec<(&'static str, Value)> {
    vec![
        (
            "memory_record",
            json!({"title": "Retry", "description": "When a server is slow", "content": "Wait, then retry.",
                "outcome": "success", "tags": ["net"]}),
        ),
        ("memory_search", json!({"query": "retry"})),
        (
            "memory_search",
            json!({"query": "retry", "scope": "project", "outcome": "failure", "limit": 20, "min_confidence": 0}),
        ),
        ("memory_feedback", json!({"memory_id": "$id", "helpful": true, "comment": "yes"})),
        ("memory_feedback", json!({"memory_id": "$id", "helpful": true, "search_id": "sea_1"})),
        ("memory_outcome", json!({"memory_id": "$id", "succeeded": false, "session_id": "s"})),
        (
            "memory_outcome",
            json!({"memory_id": "$id", "succeeded": true, "search_id": "sea_1", "used_together": 3}),
        ),
        (
            "memory_session",
            json!({"session_id": "s", "trace": "I did this.", "outcome": "success", "memories_shown": ["$id"]}),
        ),
        (
            "memory_list",
            json!({"outcome": "all", "tag": "net", "archived": true, "offset": 0, "limit": 50}),
        ),
        ("memory_list", json!({"id": "$id"})),
        (
            "memory_edit",
            json!({"memory_id": "$id", "description": "When a server is slow or gone", "tags": []}),
        ),
        (
            "research_start",
            json!({"question": "How many turbines?", "effort": "quick", "budget_tokens": 1000}),
        ),
        ("research_start", json!({"run_id": "$run"})),
        ("research_status", json!({"run_id": "$run", "wait_seconds": 1})),
        ("research_result", json!({"run_id": "$run"})),
        ("research_cancel", json!({"run_id": "$run"})),
        (
            "verify_claims",
            json!({"text": "The array has 12 turbines.", "sources": [{"text": "It has 12."}], "offset": 0}),
        ),
        (
            "find_fallacies",
            json!({"text": "You are an idiot, so your argument about the tax must be wrong.", "sensitive": true}),
        ),
        (
            "score_evidence",
            json!({"pivot": "memo_1", "k": 6, "depth": 2, "limit": 80, "similarity_weight": 0.6}),
        ),
        ("search", json!({"query": "turbines"})),
        ("fetch", json!({"id": "p1"})),
        ("memo_save", json!({"text": "The pump failed on 3 March."})),
        (
            "memo_save",
            json!({"text": "The log shows no flow.", "title": "Log", "tags": ["pump"], "metadata": {"source": "log.csv"},
                "namespace": "default"}),
        ),
        (
            "memo_relate",
            json!({"from": "$last", "to": "$first", "tag": "supports", "weight": 0.8, "reason": "No flow, no pump.",
                "directed": false, "namespace": "default"}),
        ),
    ]
}

#[tokio::test]
async fn every_tool_gives_what_its_schema_says_as_structure_and_as_text() {
    let mut line = Line::modern(true);
    let tools = line.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let (mut id, mut run) = (String::new(), String::new());
    let mut memos: Vec<String> = Vec::new();
    let mut called = std::collections::BTreeSet::new();
    for (tool, arguments) in good() {
        let memo = |memo: Option<&String>| memo.cloned().unwrap_or_default();
        let filled = arguments
            .to_string()
            .replace("$id", &id)
            .replace("$run", &run)
            .replace("$first", &memo(memos.first()))
            .replace("$last", &memo(memos.last()));
        let result = line.call(tool, serde_json::from_str(&filled).unwrap()).await;
        assert_ne!(result["isError"], true, "{tool}: {result}");
        let structured = &result["structuredContent"];
        let text: Value =
            serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(&text, structured, "{tool}");
        let listed =
            tools.as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
        fits(structured, &listed["outputSchema"], tool);
        match tool {
            "memory_record" => structured["id"].as_str().unwrap().clone_into(&mut id),
            "research_start" => structured["run_id"].as_str().unwrap().clone_into(&mut run),
            "memo_save" => memos.push(structured["memo_id"].as_str().unwrap().to_owned()),
            _ => {}
        }
        called.insert(tool);
    }
    assert_eq!(called.len(), tools.as_array().unwrap().len(), "a tool was never called");
}

#[tokio::test]
async fn what_cannot_be_is_told_with_a_way_out() {
    let mut line = Line::modern(true);
    let long = "x".repeat(10 << 20);
    let record = |field: &str, value: Value| {
        let mut all =
            json!({"title": "t", "description": "d", "content": "c", "outcome": "success"});
        all[field] = value;
        all
    };
    let bad = [
        ("memory_search", json!({})),
        ("memory_search", json!({"query": ""})),
        ("memory_search", json!({"query": " \u{200b}\n"})),
        ("memory_search", json!({"query": 5})),
        ("memory_search", json!({"query": "x", "limit": 500})),
        ("memory_search", json!({"query": "x", "limit": -1})),
        ("memory_search", json!({"query": "x", "limit": 0})),
        ("memory_search", json!({"query": "x", "limit": 2.5})),
        ("memory_search", json!({"query": "x", "limit": "5"})),
        ("memory_search", json!({"query": "x", "min_confidence": 1.5})),
        ("memory_search", json!({"query": "x", "min_confidence": "NaN"})),
        ("memory_search", json!({"query": "x", "scope": "world"})),
        ("memory_search", json!({"query": "x", "scope": "project' OR 1=1"})),
        ("memory_search", json!({"query": "x", "scope": ["org"]})),
        ("memory_search", json!({"query": "x", "project_id": "other"})),
        ("memory_record", json!({"title": "t"})),
        ("memory_record", record("title", json!("x".repeat(51)))),
        ("memory_record", record("content", json!(long))),
        ("memory_record", record("outcome", json!("maybe"))),
        ("memory_record", record("tags", json!(["ok", 7]))),
        ("memory_record", record("tenant", json!("other"))),
        ("memory_feedback", json!({"memory_id": "mem_unknown", "helpful": true})),
        ("memory_feedback", json!({"memory_id": "mem_unknown"})),
        ("memory_feedback", json!({"memory_id": "' OR 1=1 --", "helpful": "yes"})),
        ("memory_outcome", json!({"memory_id": "mem_unknown", "succeeded": true})),
        ("memory_outcome", json!({"memory_id": "mem_1", "succeeded": true, "used_together": 0})),
        ("memory_outcome", json!({"memory_id": "mem_1", "succeeded": true, "search_id": ""})),
        ("memory_session", json!({"session_id": "s"})),
        ("memory_list", json!({"limit": 51})),
        ("memory_list", json!({"id": "mem_unknown", "limit": 5})),
        ("memory_list", json!({"id": "mem_unknown"})),
        ("memory_edit", json!({"memory_id": "mem_unknown"})),
        ("memory_edit", json!({"memory_id": "mem_unknown", "archive": true})),
        ("memory_edit", json!({"memory_id": "mem_unknown", "outcome": "failure"})),
        ("research_start", json!({})),
        ("research_start", json!({"run_id": "run_none"})),
        ("research_start", json!({"run_id": "run_none", "question": "Why?"})),
        ("research_start", json!({"question": "?!"})),
        ("research_start", json!({"question": "Why?", "effort": "endless"})),
        ("research_status", json!({"run_id": "run_none"})),
        ("research_status", json!({"run_id": "run_none", "wait_seconds": 3600})),
        ("research_result", json!({"run_id": "run_none"})),
        ("research_cancel", json!({})),
        ("verify_claims", json!({"text": "A.", "offset": -1})),
        ("verify_claims", json!({"text": "A.", "sources": ["x"]})),
        ("verify_claims", json!({"text": "A.", "sources": [{"title": "no text"}]})),
        ("find_fallacies", json!({"text": []})),
        ("score_evidence", json!({"pivot": "m", "similarity_weight": -0.5})),
        ("score_evidence", json!({"pivot": "m", "depth": 11})),
        ("search", json!({})),
        ("fetch", json!({"id": null})),
        ("memo_save", json!({})),
        ("memo_save", json!({"text": long})),
        ("memo_save", json!({"text": "x", "metadata": "source"})),
        ("memo_save", json!({"text": "x", "metadata": {"long": long}})),
        ("memo_save", json!({"text": "x", "tags": ["t".repeat(65)]})),
        ("memo_save", json!({"text": "x", "namespace": "a//b"})),
        ("memo_save", json!({"text": "x", "tenant": "other"})),
        ("memo_relate", json!({"from": "memo_a", "to": "memo_b"})),
        ("memo_relate", json!({"from": "memo_a", "to": "memo_b", "tag": "supports"})),
        ("memo_relate", json!({"from": "memo_a", "to": "memo_a", "tag": "supports"})),
        (
            "memo_relate",
            json!({"from": "memo_a", "to": "memo_b", "tag": "supports", "weight": 1.5}),
        ),
    ];
    for (tool, arguments) in bad {
        let shown: String = arguments.to_string().chars().take(120).collect();
        let result = line.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{tool} took {shown}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("could not ") && text.contains("Way out: "), "{tool}: {text}");
        assert!(text.len() < 600, "{tool} repeats what it was given: {} bytes", text.len());
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let mut line = Line::modern(false);
    for tool in ["memory_delete_all", "search", "memo_save", "", "test_simple_text"] {
        let reply = line.ask("tools/call", json!({"name": tool, "arguments": {}})).await;
        assert_eq!(reply["error"]["code"], -32602, "{tool}: {reply}");
    }
}

#[tokio::test]
async fn failures_stand_in_their_own_lane_unless_they_alone_were_asked_for() {
    let mut line = Line::modern(false);
    for (title, outcome) in [("a", "success"), ("b", "failure")] {
        let draft =
            json!({"title": title, "description": "d", "content": "use locks", "outcome": outcome});
        line.call("memory_record", draft).await;
    }
    let both =
        line.call("memory_search", json!({"query": "locks"})).await["structuredContent"].clone();
    assert_eq!(
        (both["memories"].as_array().unwrap().len(), both["avoid"].as_array().unwrap().len()),
        (1, 1)
    );
    assert_eq!(both["avoid"][0]["outcome"], "failure");
    let failures =
        line.call("memory_search", json!({"query": "locks", "outcome": "failure"})).await;
    assert_eq!(failures["structuredContent"]["memories"][0]["title"], "b");
    assert!(both["tokens_used"].as_u64().unwrap() > 10);
}

#[tokio::test]
async fn long_memories_are_cut_in_a_search_and_given_whole_by_id() {
    let mut line = Line::modern(true);
    let mut record = async |title: &str, content: String| {
        let draft =
            json!({"title": title, "description": "d", "content": content, "outcome": "success"});
        line.call("memory_record", draft).await;
    };
    record("short", "take the valve first".to_owned()).await;
    for at in 0..5 {
        record(&format!("long {at}"), format!("turn the crank {}", "slowly ".repeat(2_000))).await;
    }
    let short = line.call("memory_search", json!({"query": "valve"})).await;
    let short = &short["structuredContent"];
    assert_eq!(short["memories"][0]["content"], "take the valve first");
    assert!(short["memories"][0]["content_chars"].is_null() && short["message"].is_null());
    let found = line.call("memory_search", json!({"query": "crank"})).await;
    let found = found["structuredContent"].clone();
    assert!(found.to_string().chars().count() < 18_000, "{}", found["tokens_used"]);
    assert!(found["message"].as_str().unwrap().contains("memory_list"), "{}", found["message"]);
    let memories = found["memories"].as_array().unwrap();
    assert_eq!(memories.len(), 5);
    for memory in memories {
        let shown = memory["content"].as_str().unwrap();
        assert!(shown.starts_with("turn the crank slowly") && shown.ends_with("[...]"), "{shown}");
        let whole = line.call("memory_list", json!({"id": memory["id"]})).await;
        let whole = whole["structuredContent"]["memories"][0]["content"].clone();
        assert_eq!(whole.as_str().unwrap().chars().count(), memory["content_chars"]);
    }
}

#[tokio::test]
async fn what_is_recorded_again_is_told_where_it_differs() {
    let mut line = Line::modern(true);
    let draft = |outcome: &str, tags: &[&str]| {
        json!({"title": "Drain the tank", "description": "Before a weld", "content": "Drain it twice.",
            "outcome": outcome, "tags": tags})
    };
    let first = line.call("memory_record", draft("success", &["tank"])).await;
    let id = first["structuredContent"]["id"].clone();
    let same = line.call("memory_record", draft("success", &["tank"])).await;
    let same = same["structuredContent"].clone();
    assert_eq!((&same["already_there"], &same["differs"]), (&json!(true), &json!([])));
    assert!(!same["message"].as_str().unwrap().contains("another"), "{same}");
    let other = line.call("memory_record", draft("failure", &["tank", "weld"])).await;
    let other = other["structuredContent"].clone();
    assert_eq!(other["differs"], json!(["outcome", "tags"]));
    assert_eq!(other["held"]["outcome"], "success");
    assert!(other["message"].as_str().unwrap().contains("memory_edit"), "{other}");
    // What it asks for works.
    let edit = json!({"memory_id": id, "tags": ["tank", "weld"]});
    let edited = line.call("memory_edit", edit).await["structuredContent"].clone();
    assert_eq!(edited["memory"]["tags"], json!(["tank", "weld"]));
    let gone = json!({"memory_id": id, "archive": true, "reason": "the tank is gone"});
    line.call("memory_edit", gone).await;
    let left = line.call("memory_list", json!({})).await["structuredContent"].clone();
    assert_eq!(left, json!({"memories": []}));
    let all = line.call("memory_list", json!({"archived": true})).await;
    assert_eq!(all["structuredContent"]["memories"][0]["archived"], "the tank is gone");
}

/// Text of a page waits for a person: where the agent says so, and where the page was read by a run.
#[tokio::test]
async fn what_goes_back_to_a_page_waits_for_a_person() {
    let mut line = Line::modern(true);
    let draft = |title: &str, content: &str| {
        json!({"title": title, "description": "When a valve is stuck", "content": content,
            "outcome": "success"})
    };
    let mut told = draft("told", "turn it left");
    told["from_web"] = json!(true);
    let mut own = draft("own", "turn it left");
    own["from_web"] = json!(false);
    for (given, waits, word) in [
        (told, true, "goes back to the web"),
        (draft("repeated", "turn it left, said the page"), true, "https://a.example/page"),
        (own.clone(), false, "successfully"),
    ] {
        let recorded = line.call("memory_record", given).await["structuredContent"].clone();
        let message = recorded["message"].as_str().unwrap();
        assert!(message.contains(word) && message.contains("vouches") == waits, "{message}");
        let held = line.call("memory_list", json!({"id": recorded["id"]})).await;
        let standing = held["structuredContent"]["memories"][0]["standing"]["state"].clone();
        assert_eq!(standing == "quarantined", waits, "{held}");
    }
    // Nor does it come in by another way.
    let id = line.call("memory_record", own).await["structuredContent"]["id"].clone();
    let edit = json!({"memory_id": id, "content": "turn it right, said the page"});
    let refused = line.call("memory_edit", edit).await;
    assert_eq!(refused["isError"], true, "{refused}");
}

#[tokio::test]
async fn the_bank_is_looked_through_page_by_page() {
    let mut line = Line::modern(true);
    for at in 0..5 {
        let draft = json!({"title": format!("n{at}"), "description": "d", "content": format!("c{at}"),
            "outcome": "success"});
        line.call("memory_record", draft).await;
    }
    let (mut offset, mut seen) = (json!(0), Vec::new());
    while offset.is_u64() {
        let page = line.call("memory_list", json!({"limit": 2, "offset": offset})).await;
        let page = page["structuredContent"].clone();
        for memory in page["memories"].as_array().unwrap() {
            seen.push(memory["title"].as_str().unwrap().to_owned());
        }
        offset = page["next_offset"].clone();
    }
    assert_eq!(seen, ["n0", "n1", "n2", "n3", "n4"]);
}

#[tokio::test]
async fn a_check_tells_how_far_it_is_and_ends_with_its_caller() {
    let mut line = Line::legacy(false).await;
    let params = json!({"name": "verify_claims", "arguments": {"text": "slow"},
        "_meta": {"progressToken": "p"}});
    let reply = line.ask("tools/call", params).await;
    assert_eq!(reply["result"]["isError"], false, "{reply}");
    let notes = line.notes.iter().filter(|note| note["method"] == "notifications/progress");
    let told: Vec<f64> = notes.map(|note| note["params"]["progress"].as_f64().unwrap()).collect();
    assert!(told.len() > 1 && told.is_sorted(), "{told:?}");
    let call = json!({"jsonrpc": "2.0", "id": "gone", "method": "tools/call",
        "params": {"name": "verify_claims", "arguments": {"text": "slow for ever"}}});
    line.send(&call).await;
    assert_eq!(line.call("memory_search", json!({"query": "x"})).await["isError"], false);
    assert!(!GIVEN_UP.load(Ordering::SeqCst), "it goes on beside other calls");
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": "gone", "reason": "enough"}});
    line.send(&cancelled).await;
    for _ in 0..300 {
        if GIVEN_UP.load(Ordering::SeqCst) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    unreachable!("the check goes on although nobody waits for it");
}

#[tokio::test]
async fn a_result_is_cut_to_fit_and_says_so() {
    let mut line = Line::modern(false);
    let run = line.call("research_start", json!({"question": "How many?"})).await["structuredContent"]["run_id"].clone();
    let whole =
        line.call("research_result", json!({"run_id": run})).await["structuredContent"].clone();
    assert_eq!(whole["truncated"], false);
    assert_eq!(whole["answer"]["claims"][0]["id"], "c1");
    let cut = line.call("research_result", json!({"run_id": run, "max_tokens": 200})).await;
    let cut = &cut["structuredContent"];
    assert_eq!(cut["truncated"], true);
    assert!(cut["message"].as_str().unwrap().contains("run://"), "{cut}");
    assert_eq!(cut["answer"]["conclusion"], "The array has 12 turbines.");
    assert!(cut.to_string().chars().count() <= 4 * 200, "{cut}");
    assert!(cut["answer"].get("reasoning_trace").is_none(), "{cut}");
}

#[tokio::test]
async fn a_run_that_is_not_over_has_no_result_and_can_be_ended() {
    let mut line = Line::modern(false);
    let run = line.call("research_start", json!({"question": "slow"})).await["structuredContent"]["run_id"].clone();
    let early = line.call("research_result", json!({"run_id": run})).await;
    assert_eq!(early["isError"], true);
    assert!(early["content"][0]["text"].as_str().unwrap().contains("research_status"));
    let cancelled = line.call("research_cancel", json!({"run_id": run})).await;
    assert_eq!(cancelled["structuredContent"]["status"], "interrupted");
}

#[tokio::test]
async fn waiting_tells_progress_where_it_was_asked_for() {
    let mut line = Line::modern(false);
    let run = line.call("research_start", json!({"question": "slow"})).await["structuredContent"]["run_id"].clone();
    let params = json!({"name": "research_status", "arguments": {"run_id": run, "wait_seconds": 1},
        "_meta": {"progressToken": "p"}});
    let reply = line.ask("tools/call", params).await;
    assert_eq!(reply["result"]["structuredContent"]["status"], "running");
    let note = line.notes.iter().find(|note| note["method"] == "notifications/progress").unwrap();
    assert_eq!(note["params"]["progressToken"], "p");
    assert_eq!(note["params"]["total"], 1.0);
}

#[tokio::test]
async fn a_client_that_knows_tasks_gets_one() {
    let tasks = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    let mut line = Line::to(server(false), Some(modern(&tasks)));
    let made = line.call("research_start", json!({"question": "How many?"})).await;
    assert_eq!(made["resultType"], "task");
    let id = made["taskId"].as_str().unwrap();
    let got = line.ask("tasks/get", json!({"taskId": id})).await["result"].clone();
    assert_eq!(got["status"], "completed", "{got}");
    let told = &got["result"]["structuredContent"];
    assert_eq!(told["run_id"], id);
    assert!(told["report"].as_str().unwrap().contains("12 turbines"));
    let slow = line.call("research_start", json!({"question": "slow"})).await;
    let slow = slow["taskId"].clone();
    assert_eq!(line.ask("tasks/get", json!({"taskId": slow})).await["result"]["status"], "working");
    line.ask("tasks/cancel", json!({"taskId": slow})).await;
    let ended = line.ask("tasks/get", json!({"taskId": slow})).await["result"].clone();
    assert_eq!(ended["status"], "cancelled");
    let message = ended["statusMessage"].as_str().unwrap();
    assert!(message.contains("research_result") && message.contains(slow.as_str().unwrap()));
    // Both are acknowledged with nothing in it; what is over stays over, and answers to nothing are passed over.
    let nothing = json!({"resultType": "complete"});
    for (method, params) in [
        ("tasks/cancel", json!({"taskId": slow})),
        ("tasks/cancel", json!({"taskId": id})),
        (
            "tasks/update",
            json!({"taskId": slow, "inputResponses": {"go_on": {"action": "accept"}}}),
        ),
        ("tasks/update", json!({"taskId": id, "inputResponses": {}})),
    ] {
        assert_eq!(line.ask(method, params.clone()).await["result"], nothing, "{method} {params}");
    }
    assert_eq!(standing(&mut line, &slow).await["status"], "cancelled");
    assert_eq!(standing(&mut line, &json!(id)).await["status"], "completed");
    for (method, params) in [
        ("tasks/get", json!({"taskId": "none"})),
        ("tasks/update", json!({"taskId": "none", "inputResponses": {}})),
        ("tasks/cancel", json!({"taskId": "none"})),
    ] {
        assert_eq!(line.ask(method, params).await["error"]["code"], -32602, "{method}");
    }
}

/// How a task stands.
async fn standing(line: &mut Line, id: &Value) -> Value {
    line.ask("tasks/get", json!({"taskId": id})).await["result"].clone()
}

/// A client that knows tasks, and can put questions to its user in this way.
fn with_tasks(elicitation: &Value) -> Line {
    let mut client = json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    if !elicitation.is_null() {
        client["elicitation"] = elicitation.clone();
    }
    Line::to(server(false), Some(modern(&client)))
}

#[tokio::test]
async fn a_task_whose_run_stopped_asks_whether_it_goes_on() {
    let accepts = |go_on: bool| json!({"action": "accept", "content": {"go_on": go_on}});
    for (question, answer, then) in [
        ("stopped", accepts(true), "completed"),
        ("slow and stopped", accepts(true), "working"),
        ("slow and stopped", accepts(false), "cancelled"),
        ("slow and stopped", json!({"action": "decline"}), "cancelled"),
        ("slow and stopped", json!({"action": "cancel"}), "input_required"),
    ] {
        let mut line = with_tasks(&json!({}));
        let made = line.call("research_start", json!({"question": question})).await;
        let id = made["taskId"].clone();
        let task = standing(&mut line, &id).await;
        assert_eq!(task["status"], "input_required", "{task}");
        let asked = task["inputRequests"].as_object().unwrap();
        assert_eq!(asked.len(), 1);
        let (name, request) = asked.iter().next().unwrap();
        assert_eq!(request["method"], "elicitation/create");
        let params = &request["params"];
        assert!(params["message"].as_str().unwrap().contains(question), "{params}");
        assert_eq!(params["requestedSchema"]["properties"]["go_on"]["type"], "boolean");
        // What answers another question changes nothing.
        let other = json!({"taskId": id, "inputResponses": {"go_on_1": answer}});
        assert_eq!(line.ask("tasks/update", other).await["result"]["resultType"], "complete");
        assert_eq!(standing(&mut line, &id).await["status"], "input_required");
        let mut answers = serde_json::Map::new();
        answers.insert(name.clone(), answer.clone());
        let given = json!({"taskId": id, "inputResponses": answers});
        let taken = line.ask("tasks/update", given).await;
        assert_eq!(taken["result"], json!({"resultType": "complete"}), "{taken}");
        assert_eq!(standing(&mut line, &id).await["status"], then, "{question}: {answer}");
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_told_as_such() {
    let mut line = with_tasks(&json!({"form": {}}));
    let id = line.call("research_start", json!({"question": "stopped"})).await["taskId"].clone();
    for answer in [
        json!(true),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"go_on": "yes"}}),
        json!({"action": "perhaps"}),
    ] {
        let given = json!({"taskId": id, "inputResponses": {"go_on_0_0": answer}});
        let told = line.ask("tasks/update", given).await["error"].clone();
        assert_eq!(told["code"], -32602, "{answer}: {told}");
        assert!(told["message"].as_str().unwrap().contains("go_on"), "{told}");
        assert_eq!(standing(&mut line, &id).await["status"], "input_required");
    }
    assert_eq!(line.ask("tasks/cancel", json!({"taskId": id})).await["error"], Value::Null);
    assert_eq!(
        standing(&mut line, &id).await["status"],
        "completed",
        "it was taken up for its end"
    );
}

#[tokio::test]
async fn a_client_that_cannot_ask_its_user_reads_that_a_run_stopped() {
    for asks in [Value::Null, json!({"url": {}})] {
        let mut line = with_tasks(&asks);
        let made = line.call("research_start", json!({"question": "stopped"})).await;
        let task = standing(&mut line, &made["taskId"]).await;
        assert_eq!((&task["status"], &task["inputRequests"]), (&json!("working"), &Value::Null));
    }
}

#[tokio::test]
async fn a_client_that_knows_no_tasks_is_told_so() {
    for (method, params) in [
        ("tasks/get", json!({"taskId": "x"})),
        ("tasks/update", json!({"taskId": "x", "inputResponses": {}})),
        ("tasks/cancel", json!({"taskId": "x"})),
    ] {
        let reply = Line::modern(false).ask(method, params).await;
        assert_eq!(reply["error"]["code"], -32021, "{method}");
    }
    // Methods of an older draft are none.
    for method in ["tasks/result", "tasks/list"] {
        let reply = Line::modern(false).ask(method, json!({"taskId": "x"})).await;
        assert_eq!(reply["error"]["code"], -32601, "{method}");
    }
}

#[tokio::test]
async fn a_defect_behind_a_tool_is_answered_and_the_next_call_works() {
    let mut line = Line::modern(false);
    let result = line.call("memory_search", json!({"query": "panic"})).await;
    assert_eq!(result["isError"], true);
    assert!(result["content"][0]["text"].as_str().unwrap().contains("defect"), "{result}");
    assert_eq!(line.call("memory_search", json!({"query": "x"})).await["isError"], false);
}
