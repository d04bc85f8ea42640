//! What the conformance suite asks the fixtures for, as far as it can be asked without it. In builds with the feature alone;
//! `cargo xtask mcp` runs these tests before the suite.

use super::http::{Served, TOKEN};
use super::{Line, modern, server};
use serde_json::{Value, json};
use std::time::Duration;

fn with_tasks() -> Line {
    let client = json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
    Line::to(server(false), Some(modern(&client)))
}

async fn made(line: &mut Line, tool: &str, arguments: Value) -> Value {
    let made = line.call(tool, arguments).await;
    assert_eq!(made["resultType"], "task", "{tool}: {made}");
    for missing in ["result", "error", "inputRequests", "requestState", "task", "ttl"] {
        assert!(made.get(missing).is_none(), "{tool} gives {missing} with a new task: {made}");
    }
    made["taskId"].clone()
}

/// Asks until the task is what it should become.
async fn becomes(line: &mut Line, id: &Value, wanted: &str) -> Value {
    let mut task = Value::Null;
    for _ in 0..500 {
        task = line.ask("tasks/get", json!({"taskId": id})).await["result"].clone();
        assert_eq!(&task["taskId"], id, "{task}");
        if task["status"] == wanted {
            return task;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the task never becomes {wanted}: {task}")
}

#[tokio::test]
async fn jobs_end_as_they_are_meant_to() {
    let mut line = with_tasks();
    let hello = line.call("greet", json!({"name": "World"})).await;
    assert_eq!((&hello["resultType"], &hello["taskId"]), (&json!("complete"), &Value::Null));
    assert_eq!(hello["content"][0]["text"], "Hello, World!");
    let quick = made(&mut line, "slow_compute", json!({"seconds": 0})).await;
    let done = becomes(&mut line, &quick, "completed").await;
    assert!(done["result"]["content"][0]["text"].is_string(), "{done}");
    let failing = made(&mut line, "failing_job", json!({})).await;
    assert_eq!(becomes(&mut line, &failing, "completed").await["result"]["isError"], true);
    let broken = made(&mut line, "protocol_error_job", json!({})).await;
    let broken = becomes(&mut line, &broken, "failed").await;
    assert!(broken["error"]["code"].is_i64() && broken.get("result").is_none(), "{broken}");
    let long = made(&mut line, "slow_compute", json!({"seconds": 60})).await;
    let ended = line.ask("tasks/cancel", json!({"taskId": long})).await;
    assert_eq!(ended["result"], json!({"resultType": "complete"}));
    becomes(&mut line, &long, "cancelled").await;
}

#[tokio::test]
async fn what_a_task_asks_is_answered_one_by_one() {
    let mut line = with_tasks();
    let answer = json!({"action": "accept", "content": {"confirm": true}});
    let both = made(&mut line, "multi_input", json!({})).await;
    for left in [2, 1] {
        let task = becomes(&mut line, &both, "input_required").await;
        let names: Vec<String> =
            task["inputRequests"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(names.len(), left, "{task}");
        let mut answers = serde_json::Map::new();
        answers.insert(names[0].clone(), answer.clone());
        let given = json!({"taskId": both, "inputResponses": answers});
        assert_eq!(line.ask("tasks/update", given).await["result"]["resultType"], "complete");
    }
    becomes(&mut line, &both, "completed").await;
    let one = made(&mut line, "confirm_delete", json!({"filename": "a.txt"})).await;
    let task = becomes(&mut line, &one, "input_required").await;
    assert_eq!(task["inputRequests"]["confirm"]["method"], "elicitation/create");
    let given = json!({"taskId": one, "inputResponses": {"confirm": answer}});
    line.ask("tasks/update", given).await;
    becomes(&mut line, &one, "completed").await;
}

#[tokio::test]
async fn questions_come_before_the_task_and_their_answer_into_it() {
    let mut line = with_tasks();
    let first = line.call("test_tool_with_task", json!({})).await;
    assert_eq!((&first["resultType"], &first["taskId"]), (&json!("input_required"), &Value::Null));
    let params = json!({"name": "test_tool_with_task", "arguments": {},
        "inputResponses": {"user_name": {"action": "accept", "content": {"name": "Alice"}}}});
    let second = line.ask("tools/call", params).await["result"].clone();
    assert_eq!((&second["resultType"], &second["requestState"]), (&json!("task"), &Value::Null));
    let done = becomes(&mut line, &second["taskId"], "completed").await;
    assert!(done["result"]["content"][0]["text"].as_str().unwrap().contains("Alice"), "{done}");
}

#[tokio::test]
async fn without_the_extension_there_is_no_task() {
    let mut line = Line::modern(false);
    let computed = line.call("slow_compute", json!({"seconds": 0})).await;
    assert_eq!((&computed["resultType"], &computed["taskId"]), (&json!("complete"), &Value::Null));
    let refused = line.ask("tools/call", json!({"name": "failing_job", "arguments": {}})).await;
    assert_eq!(refused["error"]["code"], -32_021, "{refused}");
    let wanted = &refused["error"]["data"]["requiredCapabilities"]["extensions"];
    assert!(wanted["io.modelcontextprotocol/tasks"].is_object(), "{refused}");
}

#[tokio::test]
async fn a_schema_comes_as_it_is() {
    for mut line in [Line::modern(false), Line::legacy(false).await] {
        let tools = line.ask("tools/list", json!({})).await["result"]["tools"].clone();
        let find = |tool: &&Value| tool["name"] == "json_schema_2020_12_tool";
        let schema = tools.as_array().unwrap().iter().find(find).unwrap()["inputSchema"].clone();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$defs"]["address"]["$anchor"], "addressDef");
        assert_eq!(schema["additionalProperties"], false);
        assert!(schema["allOf"][0]["anyOf"].is_array(), "{schema}");
        for keyword in ["if", "then", "else"] {
            assert!(schema[keyword].is_object(), "{keyword}: {schema}");
        }
    }
}

#[tokio::test]
async fn a_header_says_what_the_argument_says() {
    let served = Served::new().await;
    for (region, header, status) in [
        ("Hello", Some("=?base64?SGVsbG8=?="), 200),
        ("Hello", Some("Hello"), 200),
        ("SGVsbG8=", Some("SGVsbG8="), 200),
        ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8="), 200),
        ("Hello", Some("=?base64?SGVsbG8?="), 400),
        ("Hello", Some("=?base64?SGVs!!!bG8=?="), 400),
        ("Hello", Some("Goodbye"), 400),
        ("Hello", None, 400),
    ] {
        let more = header.map(|value| format!("Mcp-Param-Region: {value}\r\n"));
        let more = more.unwrap_or_default();
        let arguments = json!({"region": region});
        let (got, reply) = served.calling(TOKEN, "test_custom_header", &arguments, &more).await;
        assert_eq!(got, status, "{region} {header:?}: {reply}");
        assert_eq!(reply.contains("-32020"), status == 400, "{region} {header:?}: {reply}");
    }
}
