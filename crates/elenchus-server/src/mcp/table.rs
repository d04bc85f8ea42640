//! The table of tools: names, descriptions, schemas and hints, in one order that never changes.
//!
//! Clients pay for it in every conversation, so descriptions are short, output schemas name fields and types only, and bounds
//! of texts are told to who breaks them. The four `memory_*` tools that agents know have the schemas and the first sentences
//! that they know; what stands beside them may be left out.

use super::tools::listing::{LONGEST_PAGE, LONGEST_REASON, PAGE};
use super::tools::memory::{
    LONGEST_CONTENT, LONGEST_DESCRIPTION, LONGEST_TAG, LONGEST_TITLE, MOST_TAGS,
};
use super::tools::research::{LEAST_TOKENS, LONGEST_WAIT, MAX_TOKENS, MOST_TOKENS};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a tool does to the world: the four hints of the protocol.
#[derive(Clone, Copy)]
struct Hints {
    read_only: bool,
    destructive: bool,
    idempotent: bool,
    open_world: bool,
}

const READS: Hints =
    Hints { read_only: true, destructive: false, idempotent: true, open_world: false };
/// Notes what it has shown, which the ranking learns from.
const SHOWS: Hints =
    Hints { read_only: false, destructive: false, idempotent: false, open_world: false };
/// Adds to the bank; saying the same again changes nothing.
const ADDS: Hints =
    Hints { read_only: false, destructive: false, idempotent: true, open_world: false };
/// Adds to the evidence graph; a relation that is said again counts as said once more.
const RELATES: Hints =
    Hints { read_only: false, destructive: false, idempotent: false, open_world: false };
const RESEARCHES: Hints =
    Hints { read_only: false, destructive: false, idempotent: false, open_world: true };
const ENDS: Hints =
    Hints { read_only: false, destructive: true, idempotent: true, open_world: false };
/// Puts other words in the place of those there are.
const CHANGES: Hints = ENDS;

/// An object schema of fields with their schemas; those whose name ends in `?` may be missing.
fn object(fields: &[(&str, Value)]) -> Value {
    let mut properties = JsonObject::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        let plain = name.trim_end_matches('?');
        if plain.len() == name.len() {
            required.push(json!(plain));
        }
        properties.insert(plain.to_owned(), schema.clone());
    }
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    Value::Object(schema)
}

fn kind(name: &str) -> Value {
    json!({ "type": name })
}

fn text() -> Value {
    kind("string")
}

fn number() -> Value {
    kind("number")
}

/// What may be null: there where nothing could be assessed.
fn or_null(name: &str) -> Value {
    json!({ "type": [name, "null"] })
}

fn whole() -> Value {
    kind("integer")
}

fn flag() -> Value {
    kind("boolean")
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn objects() -> Value {
    list(&kind("object"))
}

fn said(kind: &str, description: &str) -> Value {
    json!({ "type": kind, "description": description })
}

/// A text of at most so many characters.
fn words(most: usize) -> Value {
    json!({ "type": "string", "maxLength": most })
}

/// A whole number within bounds, with what stands where none is given.
fn within(least: u64, most: u64, default: u64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most, "default": default })
}

fn tags() -> Value {
    json!({ "type": "array", "maxItems": MOST_TAGS, "items": words(LONGEST_TAG) })
}

fn tool(
    name: &'static str,
    description: &'static str,
    input: Value,
    output: Value,
    hints: Hints,
) -> Tool {
    let taken = |schema: Value| match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    };
    let annotations = ToolAnnotations::new()
        .read_only(hints.read_only)
        .destructive(hints.destructive)
        .idempotent(hints.idempotent)
        .open_world(hints.open_world);
    Tool::new(name, description, taken(input))
        .with_raw_output_schema(taken(output))
        .with_annotations(annotations)
}

fn memory() -> Vec<Tool> {
    let strategy = object(&[
        ("id", text()),
        ("title", text()),
        ("description", text()),
        ("content", text()),
        ("outcome", text()),
        ("confidence", number()),
        ("usage_count", whole()),
        ("relevance", number()),
        ("scope", text()),
    ]);
    vec![
        tool(
            "memory_search",
            "Search for relevant strategies and patterns. `avoid` holds what failed.",
            object(&[
                ("query", said("string", "Natural language query")),
                (
                    "scope?",
                    json!({ "type": "string", "enum": ["project", "team", "org", "all"], "default": "all",
                        "description": "Scope to search within" }),
                ),
                (
                    "outcome?",
                    json!({ "type": "string", "enum": ["success", "failure", "all"], "default": "all",
                        "description": "Filter by outcome type" }),
                ),
                (
                    "limit?",
                    json!({ "type": "integer", "default": 5, "description": "Maximum results" }),
                ),
                (
                    "min_confidence?",
                    json!({ "type": "number", "default": 0.5, "description": "Minimum confidence threshold" }),
                ),
            ]),
            object(&[
                ("memories", list(&strategy)),
                ("total_found", whole()),
                ("tokens_used", whole()),
                ("avoid?", objects()),
                ("search_id?", text()),
            ]),
            SHOWS,
        ),
        tool(
            "memory_record",
            "Explicitly capture a strategy or pattern.",
            object(&[
                ("title", said("string", "Short, descriptive title")),
                ("description", said("string", "When/why to apply this strategy")),
                ("content", said("string", "Detailed steps or approach")),
                (
                    "outcome",
                    json!({ "type": "string", "enum": ["success", "failure"],
                        "description": "Whether this is a pattern to follow or avoid" }),
                ),
                (
                    "tags?",
                    json!({ "type": "array", "items": { "type": "string" }, "description": "Categorization tags" }),
                ),
                ("from_web?", said("boolean", "Holds text of a web page")),
            ]),
            object(&[("id", text()), ("message", text()), ("initial_confidence", number())]),
            ADDS,
        ),
        tool(
            "memory_feedback",
            "Provide feedback on a retrieved memory.",
            object(&[
                ("memory_id", said("string", "ID of the memory")),
                ("helpful", said("boolean", "Whether the memory was helpful")),
                ("comment?", said("string", "Optional feedback comment")),
                ("search_id?", text()),
            ]),
            object(&[("success", flag()), ("new_confidence", number()), ("message", text())]),
            ADDS,
        ),
        tool(
            "memory_outcome",
            "Report whether a task succeeded after using a memory. Call this after completing a task that used a retrieved \
             memory to help the system learn which memories are actually useful.",
            object(&[
                ("memory_id", said("string", "ID of the memory that was used")),
                (
                    "succeeded",
                    said("boolean", "Whether the task succeeded after using this memory"),
                ),
                ("session_id?", said("string", "Optional session ID for correlation")),
                ("search_id?", text()),
                ("used_together?", said("integer", "Memories used; they share the credit")),
            ]),
            object(&[("recorded", flag()), ("new_confidence", number()), ("message", text())]),
            ADDS,
        ),
        tool(
            "memory_session",
            "Queue a finished session, from which strategies are distilled later.",
            object(&[
                ("session_id", said("string", "Its ID; queued once")),
                ("trace", said("string", "What was done and what came of it")),
                ("outcome?", json!({ "type": "string", "enum": ["success", "failure"] })),
                (
                    "from_web?",
                    json!({ "type": "boolean", "default": true, "description": "Holds text of strangers" }),
                ),
                ("memories_shown?", json!({ "type": "array", "items": { "type": "string" } })),
            ]),
            object(&[("queued", flag()), ("session_id", text()), ("message", text())]),
            ADDS,
        ),
    ]
}

fn run_id() -> (&'static str, Value) {
    ("run_id", text())
}

fn progress() -> Value {
    object(&[
        run_id(),
        ("status", text()),
        ("phase", text()),
        ("message", text()),
        ("progress", number()),
    ])
}

fn research() -> Vec<Tool> {
    vec![
        tool(
            "research_start",
            "Research a question over the configured documents, with quoted evidence. Poll research_status, then read \
             research_result.",
            object(&[
                ("question?", text()),
                ("run_id?", said("string", "Instead: a run to go on with")),
                ("effort?", json!({ "type": "string", "enum": ["quick", "standard", "deep"] })),
                ("budget_tokens?", whole()),
                ("max_rounds?", whole()),
                ("budget_passages?", whole()),
            ]),
            object(&[
                run_id(),
                ("status", text()),
                ("message", text()),
                ("poll_after_ms?", whole()),
            ]),
            RESEARCHES,
        ),
        tool(
            "research_status",
            "Progress of a research run.",
            object(&[run_id(), ("wait_seconds?", within(0, LONGEST_WAIT, 0))]),
            progress(),
            READS,
        ),
        tool(
            "research_result",
            "Report and answer of a finished run: claims, evidence, conflicts, gaps, confidence.",
            object(&[run_id(), ("max_tokens?", within(LEAST_TOKENS, MOST_TOKENS, MAX_TOKENS))]),
            object(&[
                run_id(),
                ("status", text()),
                ("report", text()),
                ("answer", kind("object")),
                ("truncated", flag()),
            ]),
            READS,
        ),
        tool(
            "research_cancel",
            "Stop a research run; it answers with what it has found.",
            object(&[run_id()]),
            object(&[run_id(), ("status", text()), ("message", text())]),
            ENDS,
        ),
    ]
}

fn judging() -> Vec<Tool> {
    vec![
        tool(
            "verify_claims",
            "Fact-check a text claim by claim against sources, with quotes. `confidence`: the calibrated probability that \
             sources bear a claim out.",
            object(&[
                ("text", text()),
                ("offset?", said("integer", "next_offset of the call before")),
                (
                    "sources?",
                    json!({ "type": "array", "items": object(&[("text", text()), ("title?", text())]),
                        "description": "Default: the configured documents" }),
                ),
            ]),
            object(&[
                ("overall_confidence", or_null("number")),
                ("level", or_null("string")),
                ("claims", objects()),
                ("contradictions", objects()),
                ("coverage", kind("object")),
                ("next_offset?", whole()),
            ]),
            READS,
        ),
        tool(
            "find_fallacies",
            "Find possible fallacies in an English text, each with a probability and a question.",
            object(&[
                ("text", text()),
                (
                    "sensitive?",
                    json!({ "type": "boolean", "default": false, "description": "More warnings, more false alarms" }),
                ),
            ]),
            object(&[("findings", objects()), ("note", text())]),
            READS,
        ),
        tool(
            "score_evidence",
            "Score the memos around a pivot memo as supporting or conflicting evidence.",
            object(&[
                ("pivot", said("string", "Memo ID")),
                ("namespace?", text()),
                ("k?", json!({ "type": "integer", "default": 6 })),
                ("depth?", json!({ "type": "integer", "default": 2 })),
                ("limit?", json!({ "type": "integer", "default": 80 })),
                ("similarity_weight?", json!({ "type": "number", "default": 0.6 })),
                ("relation_weight?", json!({ "type": "number", "default": 0.4 })),
                ("min_combined?", json!({ "type": "number", "default": 0 })),
            ]),
            object(&[
                ("pivot", json!({})),
                ("prioritized_evidence", objects()),
                ("conflicting_evidence", objects()),
                ("other_relations", objects()),
            ]),
            READS,
        ),
    ]
}

/// In the shape that ChatGPT's connectors and deep research ask for.
fn finding() -> Vec<Tool> {
    vec![
        tool(
            "search",
            "Search the configured documents.",
            object(&[("query", text())]),
            object(&[(
                "results",
                list(&object(&[("id", text()), ("title", text()), ("url", text())])),
            )]),
            READS,
        ),
        tool(
            "fetch",
            "Fetch a document that search found.",
            object(&[("id", text())]),
            object(&[
                ("id", text()),
                ("title", text()),
                ("text", text()),
                ("url", text()),
                ("metadata?", kind("object")),
            ]),
            READS,
        ),
    ]
}

/// Looking after what is kept: the bank, and the memos that `score_evidence` weighs.
fn keeping() -> Vec<Tool> {
    let text_as = |what: &str| said("string", what);
    vec![
        tool(
            "memory_list",
            "Look through the bank, the newest first, with the beginnings of contents; or one memory whole, by its id.",
            object(&[
                ("id?", text()),
                ("outcome?", json!({ "type": "string", "enum": ["success", "failure", "all"] })),
                ("tag?", text()),
                ("archived?", said("boolean", "Also those out of use")),
                ("offset?", said("integer", "next_offset of the page before")),
                ("limit?", within(1, LONGEST_PAGE, PAGE)),
            ]),
            object(&[("memories", objects()), ("next_offset?", whole())]),
            READS,
        ),
        tool(
            "memory_edit",
            "Correct what a memory says, or take it out of use. Ask the user first.",
            object(&[
                ("memory_id", text()),
                ("title?", words(LONGEST_TITLE)),
                ("description?", words(LONGEST_DESCRIPTION)),
                ("content?", words(LONGEST_CONTENT)),
                ("tags?", tags()),
                ("archive?", said("boolean", "true: searches no longer give it")),
                ("reason?", words(LONGEST_REASON)),
            ]),
            object(&[("id", text()), ("message", text()), ("memory", kind("object"))]),
            CHANGES,
        ),
        tool(
            "memo_save",
            "Keep a memo: one statement, quote or observation, which score_evidence can weigh later. The same text is kept once.",
            object(&[
                ("text", text()),
                ("title?", text()),
                ("tags?", list(&text())),
                ("metadata?", said("object", "Such as `source`: memos of one source count once")),
                ("namespace?", text()),
            ]),
            object(&[("memo_id", text()), ("namespace", text()), ("message", text())]),
            ADDS,
        ),
        tool(
            "memo_relate",
            "Say that a memo bears on another, and why.",
            object(&[
                ("from", text_as("ID of the memo that bears")),
                ("to", text_as("ID of the memo that it bears on")),
                ("tag", text_as("supports, conflicts, explains, or another word")),
                (
                    "weight?",
                    json!({ "type": "number", "default": 1, "description": "How much, 0 to 1" }),
                ),
                ("reason?", text()),
                (
                    "directed?",
                    json!({ "type": "boolean", "default": true, "description": "false: either bears on the other" }),
                ),
                ("namespace?", text()),
            ]),
            object(&[
                ("from", text()),
                ("to", text()),
                ("tag", text()),
                ("weight", number()),
                ("directed", flag()),
                ("namespace", text()),
                ("message", text()),
            ]),
            RELATES,
        ),
    ]
}

/// The tools of a server, with `search` and `fetch` where there is something to find in, and those that look after what is
/// kept where they are asked for.
pub(crate) fn tools(finds: bool, keeps: bool) -> Vec<Tool> {
    let mut tools = memory();
    tools.extend(research());
    tools.extend(judging());
    if finds {
        tools.extend(finding());
    }
    if keeps {
        tools.extend(keeping());
    }
    tools
}
