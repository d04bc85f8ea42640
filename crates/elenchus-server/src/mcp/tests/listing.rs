//! What a client is shown.

use super::{Line, server};
use serde_json::{Value, json};

#[tokio::test]
async fn the_default_list_costs_less_than_2500_tokens() {
    let list =
        Line::modern(false).ask("tools/list", json!({})).await["result"]["tools"].to_string();
    let tokens = list.chars().count().div_ceil(4);
    assert!(tokens < 2_500, "{tokens} tokens");
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
            ("tasks/update", json!({"taskId": "x"}), "`inputResponses`"),
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
    let server = server(true);
    let find = |name: &str| server.tools().iter().find(|tool| tool.name == name).unwrap();
    let reads = |name: &str| find(name).annotations.as_ref().unwrap().read_only_hint;
    assert_eq!(reads("memory_search"), Some(false), "it notes what it has shown");
    assert_eq!(reads("memory_list"), Some(true));
    assert_eq!(reads("verify_claims"), Some(true));
    for (tool, argument, limit, value) in [
        ("memory_edit", "title", "maxLength", 50),
        ("memory_edit", "description", "maxLength", 200),
        ("memory_list", "limit", "maximum", 50),
        ("research_result", "max_tokens", "minimum", 200),
        ("research_status", "wait_seconds", "maximum", 50),
    ] {
        let schema = &find(tool).input_schema["properties"][argument][limit];
        assert_eq!(*schema, json!(value), "{tool} {argument}");
    }
}

/// Agents know these four tools: what they know of each argument stands there as they know it, and their descriptions begin
/// as they know them. What stands beside that may be left out.
#[test]
fn the_tools_of_the_bank_are_those_that_agents_know() {
    let said = |kind: &str, what: &str| json!({"type": kind, "description": what});
    let one_of =
        |words: Value, what: &str| json!({"type": "string", "enum": words, "description": what});
    let or = |mut schema: Value, default: Value| {
        schema["default"] = default;
        schema
    };
    let tags =
        json!({"type": "array", "items": {"type": "string"}, "description": "Categorization tags"});
    let known = [
        (
            "memory_search",
            "Search for relevant strategies and patterns",
            json!(["query"]),
            vec![
                ("query", said("string", "Natural language query")),
                (
                    "scope",
                    or(
                        one_of(json!(["project", "team", "org", "all"]), "Scope to search within"),
                        json!("all"),
                    ),
                ),
                (
                    "outcome",
                    or(
                        one_of(json!(["success", "failure", "all"]), "Filter by outcome type"),
                        json!("all"),
                    ),
                ),
                ("limit", or(said("integer", "Maximum results"), json!(5))),
                ("min_confidence", or(said("number", "Minimum confidence threshold"), json!(0.5))),
            ],
            vec![],
        ),
        (
            "memory_record",
            "Explicitly capture a strategy or pattern",
            json!(["title", "description", "content", "outcome"]),
            vec![
                ("title", said("string", "Short, descriptive title")),
                ("description", said("string", "When/why to apply this strategy")),
                ("content", said("string", "Detailed steps or approach")),
                (
                    "outcome",
                    one_of(
                        json!(["success", "failure"]),
                        "Whether this is a pattern to follow or avoid",
                    ),
                ),
                ("tags", tags),
            ],
            vec!["from_web"],
        ),
        (
            "memory_feedback",
            "Provide feedback on a retrieved memory",
            json!(["memory_id", "helpful"]),
            vec![
                ("memory_id", said("string", "ID of the memory")),
                ("helpful", said("boolean", "Whether the memory was helpful")),
                ("comment", said("string", "Optional feedback comment")),
            ],
            vec!["search_id"],
        ),
        (
            "memory_outcome",
            "Report whether a task succeeded after using a memory. Call this after completing a task that used a retrieved \
             memory to help the system learn which memories are actually useful.",
            json!(["memory_id", "succeeded"]),
            vec![
                ("memory_id", said("string", "ID of the memory that was used")),
                (
                    "succeeded",
                    said("boolean", "Whether the task succeeded after using this memory"),
                ),
                ("session_id", said("string", "Optional session ID for correlation")),
            ],
            vec!["search_id", "used_together"],
        ),
    ];
    let server = server(false);
    for (name, begins, required, arguments, beside) in known {
        let tool = server.tools().iter().find(|tool| tool.name == name).unwrap();
        let description = tool.description.as_deref().unwrap();
        assert!(description.starts_with(begins), "{name}: {description}");
        let schema = &tool.input_schema;
        assert_eq!(schema["required"], required, "{name}");
        let found = schema["properties"].as_object().unwrap();
        for (argument, as_known) in &arguments {
            assert_eq!(found[*argument], *as_known, "{name} {argument}");
        }
        let is_known = |argument: &str| arguments.iter().any(|(known, _)| *known == argument);
        let others = found.keys().map(String::as_str).filter(|argument| !is_known(argument));
        assert_eq!(others.collect::<Vec<_>>(), beside, "{name}");
    }
}
