//! What a client is shown.

use super::{Line, server};
use serde_json::{Value, json};

#[tokio::test]
async fn the_default_list_costs_less_than_3000_tokens() {
    let list =
        Line::modern(false).ask("tools/list", json!({})).await["result"]["tools"].to_string();
    let tokens = list.chars().count().div_ceil(4);
    assert!(tokens < 3_000, "{tokens} tokens");
}

#[tokio::test]
async fn the_list_is_the_same_for_everybody_in_both_eras() {
    let modern = Line::modern(false).ask("tools/list", json!({})).await;
    let legacy = Line::legacy(false).await.ask("tools/list", json!({})).await;
    assert_eq!(modern["result"]["tools"], legacy["result"]["tools"]);
    assert_eq!(modern["result"]["resultType"], "complete");
    assert_eq!(modern["result"]["cacheScope"], "public");
    let names: Vec<&str> = modern["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "memory_search",
            "memory_record",
            "memory_feedback",
            "memory_outcome",
            "memory_session",
            "memory_list",
            "memory_edit",
            "research_start",
            "research_status",
            "research_result",
            "research_cancel",
            "verify_claims",
            "find_fallacies",
            "score_evidence",
        ]
    );
}

#[tokio::test]
async fn a_method_that_nobody_knows_is_told_as_such() {
    for mut line in [Line::modern(false), Line::legacy(false).await] {
        let reply = line.ask("nope", json!({})).await;
        assert_eq!(reply["error"]["code"], -32_601, "{reply}");
        let told = reply["error"]["message"].as_str().unwrap();
        assert!(told.contains("no method \"nope\"") && told.contains("tools/list"), "{told}");
    }
}

#[tokio::test]
async fn params_that_cannot_be_read_are_told_as_such() {
    for mut line in [Line::modern(false), Line::legacy(false).await] {
        for (method, params, wanted) in [
            ("tools/call", json!({"name": "memory_search", "arguments": ["locks"]}), "an object"),
            ("tools/call", json!({"arguments": {}}), "`name`"),
            ("resources/read", json!({"uri": 5}), "`uri`"),
            ("prompts/get", json!({}), "`name`"),
            ("completion/complete", json!({}), "`ref`"),
            ("tasks/get", json!({"taskId": 5}), "`taskId`"),
            ("tasks/cancel", json!({}), "`taskId`"),
        ] {
            let reply = line.ask(method, params).await;
            assert_eq!(reply["error"]["code"], -32_602, "{method}: {reply}");
            let told = reply["error"]["message"].as_str().unwrap();
            assert!(told.contains(method) && told.contains(wanted), "{told}");
        }
    }
}

#[test]
fn every_tool_is_fit_to_be_shown() {
    let server = server(true);
    let shown: Vec<Value> =
        server.tools().iter().map(|tool| serde_json::to_value(tool).unwrap()).collect();
    assert_eq!(shown.len(), 18);
    for tool in &shown {
        let name = tool["name"].as_str().unwrap();
        assert!(
            name.len() <= 30 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
            "{name}"
        );
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name} says nothing of {hint}");
        }
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
        assert!(
            tool["description"].as_str().unwrap().contains('.'),
            "{name} has no first sentence"
        );
    }
}

#[test]
fn hints_and_limits_say_what_a_tool_does_and_takes() {
    let server = server(false);
    let find = |name: &str| server.tools().iter().find(|tool| tool.name == name).unwrap();
    let reads = |name: &str| find(name).annotations.as_ref().unwrap().read_only_hint;
    assert_eq!(reads("memory_search"), Some(false), "it notes what it has shown");
    assert_eq!(reads("memory_list"), Some(true));
    assert_eq!(reads("verify_claims"), Some(true));
    for (tool, argument, limit, value) in [
        ("memory_search", "limit", "maximum", 20),
        ("memory_search", "limit", "minimum", 1),
        ("memory_record", "title", "maxLength", 50),
        ("memory_record", "description", "maxLength", 200),
        ("memory_feedback", "comment", "maxLength", 2_000),
        ("research_result", "max_tokens", "minimum", 200),
        ("research_status", "wait_seconds", "maximum", 50),
    ] {
        let schema = &find(tool).input_schema["properties"][argument][limit];
        assert_eq!(*schema, json!(value), "{tool} {argument}");
    }
}

/// Agents know these four tools; an argument that changes its name or its default breaks them. What stands beside the
/// arguments that they know may be left out.
#[test]
fn the_arguments_of_the_bank_are_those_that_agents_know() {
    let server = server(false);
    let schema = |name: &str| {
        let tool = server.tools().iter().find(|tool| tool.name == name).unwrap();
        Value::Object((*tool.input_schema).clone())
    };
    let search = schema("memory_search");
    assert_eq!(search["required"], json!(["query"]));
    assert_eq!(search["properties"]["scope"]["enum"], json!(["project", "team", "org", "all"]));
    assert_eq!(search["properties"]["scope"]["default"], "all");
    assert_eq!(search["properties"]["outcome"]["enum"], json!(["success", "failure", "all"]));
    assert_eq!(search["properties"]["limit"]["default"], 5);
    assert_eq!(search["properties"]["min_confidence"]["default"], 0.5);
    let known = [
        ("memory_search", vec!["query", "scope", "outcome", "limit", "min_confidence"]),
        ("memory_record", vec!["title", "description", "content", "outcome", "tags", "from_web"]),
        ("memory_feedback", vec!["memory_id", "helpful", "comment", "search_id"]),
        (
            "memory_outcome",
            vec!["memory_id", "succeeded", "session_id", "search_id", "used_together"],
        ),
    ];
    for (name, mut arguments) in known {
        let schema = schema(name);
        let mut found: Vec<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        found.sort_unstable();
        arguments.sort_unstable();
        assert_eq!(found, arguments, "{name}");
    }
    assert_eq!(
        schema("memory_record")["required"],
        json!(["title", "description", "content", "outcome"])
    );
    assert_eq!(schema("memory_feedback")["required"], json!(["memory_id", "helpful"]));
    assert_eq!(schema("memory_outcome")["required"], json!(["memory_id", "succeeded"]));
}
