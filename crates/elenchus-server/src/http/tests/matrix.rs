//! Requests with headers as they should and should not be, from a table of attacks that is kept outside the repository.

use super::{QUESTION, STRANGER, Served, TOKEN};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

fn table() -> Option<Vec<Value>> {
    let data = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let file = data.join("attacks/mcp/own_http_header_matrix.jsonl");
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What a row expects: a status, any of several, or a code of the protocol beside it.
fn expected(row: &Value) -> (Vec<u16>, Option<i64>) {
    if let Some(status) = row["expect"].as_u64() {
        return (vec![u16::try_from(status).unwrap()], None);
    }
    let words = row["expect"].as_str().unwrap();
    let mut statuses: Vec<u16> = words
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter(|word| word.len() == 3)
        .filter_map(|word| word.parse().ok())
        .collect();
    if words.contains("legacy") || words == "decoded" {
        statuses.push(200);
    }
    // Without a page's origin there is nothing to answer a preflight for.
    statuses.retain(|status| *status != 204);
    let code = (words.contains("-32020") || words.contains("HeaderMismatch")).then_some(-32020);
    (statuses, code)
}

#[tokio::test]
async fn the_table_of_headers_is_answered_as_it_expects() {
    let Some(rows) = table() else {
        eprintln!(
            "skip: no ../shared/data/attacks/mcp (or $ELENCHUS_DATA): the header matrix was not tried"
        );
        return;
    };
    let served = Served::new().await;
    let mut wrong = Vec::new();
    for row in &rows {
        let id = row["id"].as_str().unwrap();
        let (mut statuses, code) = expected(row);
        let path = ours(row["path"].as_str().unwrap());
        // A run that was begun is told as such.
        if path == "/v1/research" && statuses.contains(&200) {
            statuses.push(202);
        }
        let request = request(row, path, served.port);
        assert!(!request.contains("_token}"), "{id} is not filled in");
        let got = served.raw(&request).await;
        if !statuses.contains(&got.status)
            || code.is_some_and(|code| !got.body.contains(&code.to_string()))
        {
            wrong.push(format!(
                "{id}: expected {}, got {}: {}",
                row["expect"],
                got.status,
                got.body.chars().take(300).collect::<String>()
            ));
        }
        assert!(!got.head.to_lowercase().contains("access-control-allow-origin"), "{id}");
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rows differ:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// What the table calls by names of its own, as the server calls it.
fn ours(path: &str) -> &str {
    match path {
        "/api/v1/runs" => "/v1/research",
        "/api/v1/runs/x/events" => "/v1/research/x/events",
        "/api/v1/memories" => "/v1/memory/record",
        other => other,
    }
}

fn request(row: &Value, path: &str, port: u16) -> String {
    let id = row["id"].as_str().unwrap();
    let mut head =
        format!("{} {path} HTTP/1.1\r\nConnection: close\r\n", row["method"].as_str().unwrap());
    let given = row["headers"].as_object().unwrap();
    let fill = |text: &str| {
        text.replace("{port}", &port.to_string())
            .replace("{token}", TOKEN)
            .replace("{other_tenant_token}", STRANGER)
            .replace("{token_prefix}", &TOKEN[..8])
            // Tokens do not run out; one that was taken back is one that no door knows any more.
            .replace("{expired_token}", "0f1e2d3c4b5a6978")
    };
    for (name, value) in given {
        match value.as_str() {
            Some(_) if name == "X-%d" => {
                for at in 0..1_000 {
                    write!(head, "X-{at}: x\r\n").expect("a String takes it");
                }
            }
            Some(value) => write!(head, "{name}: {}\r\n", fill(value)).expect("a String takes it"),
            None => {}
        }
    }
    // Rows about the headers of 2026-07-28 need a request of that era; the others are valid in the old one.
    let of_new_era = given.contains_key("Mcp-Method")
        || given.contains_key("Mcp-Name")
        || id.contains("mismatch_body");
    let body = if of_new_era {
        let tool = if id.contains("b64") { "memory_search" } else { "find_fallacies" };
        let arguments =
            if id.contains("b64") { json!({"query": "x"}) } else { json!({"text": "x"}) };
        for (name, value) in [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", tool),
        ] {
            if !given.contains_key(name) {
                write!(head, "{name}: {value}\r\n").expect("a String takes it");
            }
        }
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments, "_meta": crate::mcp::meta_of_tests()}})
    } else if path == "/v1/research" {
        json!({"question": QUESTION})
    } else {
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    };
    let body = body.to_string();
    if !given.contains_key("Content-Length") {
        write!(head, "Content-Length: {}\r\n", body.len()).expect("a String takes it");
    }
    format!("{head}\r\n{body}")
}
