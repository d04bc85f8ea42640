//! The attack corpora, which lie outside the repository. Without them each test says that it was skipped.

use super::fixture::{REPLIES, calls, facts_call_over, passage};
use super::properties::nothing_breaks_out;
use crate::prompt::fragment::PassageFragment;
use crate::prompt::json::read;
use crate::prompt::shape::{Field, Shape};
use crate::prompt::{ModelReply, PromptBook, parse};
use serde_json::Value;
use std::path::PathBuf;

/// A folder of the data beside the repository or in `ELENCHUS_DATA`; `None`, with a line, when there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "these tests read hostile samples that must not lie in the repository"
)]
fn folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = root.join("attacks").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skip: no data: attacks/{name}; set ELENCHUS_DATA to the folder that holds it");
    None
}

#[expect(clippy::disallowed_methods, reason = "as above: samples outside the repository")]
fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn lines(folder: &std::path::Path, name: &str) -> Vec<Value> {
    let all = files(folder);
    let (_, bytes) = all.iter().find(|(path, _)| path.ends_with(name)).unwrap();
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn text(most: usize) -> Shape {
    Shape::Text(most)
}

/// The reply schemas of the corpus, in our shapes. Numbers that a model may not give are not asked for.
fn corpus_shape(name: &str) -> Shape {
    let whole = || Shape::Integer(0, 1_000_000);
    let all = |fields: Vec<(&'static str, Shape)>| {
        Shape::Object(
            fields.into_iter().map(|(name, shape)| Field::essential(name, shape, "")).collect(),
        )
    };
    let texts = || Shape::list(text(500), 50);
    match name {
        "claims" => all(vec![(
            "claims",
            Shape::list(
                all(vec![
                    ("text", text(500)),
                    (
                        "type",
                        Shape::Word(&["factual", "comparative", "temporal", "causal", "opinion"]),
                    ),
                    ("sourceSpan", all(vec![("start", whole()), ("end", whole())])),
                ]),
                50,
            ),
        )]),
        "entailment" => all(vec![
            ("verdict", Shape::Word(&["entailed", "neutral", "contradicted"])),
            ("supportingPassages", Shape::list(whole(), 20)),
            ("contradictingPassages", Shape::list(whole(), 20)),
            ("reasoning", text(500)),
        ]),
        "reflection" => all(vec![
            ("isSufficient", Shape::Flag),
            ("answeredQuestions", Shape::list(whole(), 20)),
            ("unansweredQuestions", Shape::list(whole(), 20)),
            ("relevantSummaryIds", texts()),
            ("currentGapClosed", Shape::Flag),
            ("newGapsIdentified", texts()),
        ]),
        "gap_analysis" => all(vec![
            ("shouldContinueResearch", Shape::Flag),
            ("nextGapToResearch", text(500)),
            ("gapStatus", Shape::Word(&["new", "continuing", "switching", "complete"])),
            ("reasoning", text(500)),
            (
                "updatedGapHistory",
                Shape::list(
                    all(vec![
                        ("description", text(500)),
                        ("attemptCount", whole()),
                        ("status", Shape::Word(&["active", "abandoned", "resolved"])),
                        ("previousQueries", texts()),
                    ]),
                    50,
                ),
            ),
        ]),
        "followup" => {
            all(vec![("queries", texts()), ("rationale", text(500)), ("queryStrategy", text(100))])
        }
        "answer" => all(vec![
            ("conclusion", text(500)),
            (
                "evidence",
                Shape::list(
                    all(vec![
                        ("memoId", text(40)),
                        ("statement", text(500)),
                        ("support", Shape::Word(&["supports", "refutes", "neutral"])),
                        ("quote", text(500)),
                    ]),
                    50,
                ),
            ),
            ("nextSteps", texts()),
        ]),
        "hypotheses" => all(vec![(
            "hypotheses",
            Shape::list(all(vec![("id", text(20)), ("claim", text(500))]), 4),
        )]),
        _ => all(vec![(
            "memories",
            Shape::list(
                all(vec![
                    ("title", text(500)),
                    ("description", text(500)),
                    ("content", text(500)),
                    ("tags", texts()),
                    ("outcome", Shape::Word(&["success", "failure"])),
                ]),
                50,
            ),
        )]),
    }
}

#[test]
fn faulty_replies_are_read_as_expected() {
    let Some(folder) = folder("json_malformed") else { return };
    let (mut cases, mut wrong) = (0, Vec::new());
    for case in lines(&folder, "own_llm_reply_faults.jsonl") {
        let of = |key: &str| case[key].as_str().unwrap();
        let (schema, mutation, expect) = (of("schema"), of("mutation"), of("expect"));
        let reading = read(of("reply"), &corpus_shape(schema));
        let accepted = reading.value.is_some();
        let strict = serde_json::from_str::<Value>(of("reply")).is_ok();
        let right = match expect {
            "reject" => !accepted,
            expect if expect.starts_with("ok") && !expect.contains("or") => accepted,
            expect if expect.starts_with("repair") => {
                accepted && (strict || reading.defects.len() > 0)
            }
            _ => true,
        };
        // Whatever is mended is told.
        let told = strict || reading.defects.len() > 0;
        cases += 1;
        if !(right && told) {
            wrong.push(format!("{schema}/{mutation}: expected {expect}, accepted {accepted}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "of {cases}");
    println!("{cases} faulty replies read as expected");
    assert!(cases > 400);
}

/// Every sample as the reply to every call: no panic, no end, nothing accepted without its essentials.
fn through_every_call(text: &str) -> usize {
    calls()
        .iter()
        .filter(|call| {
            let parsed = parse(call, text);
            assert!(
                parsed.reply.is_some() || !parsed.defects.is_empty(),
                "nothing, and no word why"
            );
            if parsed.reply.is_some() {
                println!("taken for a reply to {}: {text}", call.prompt());
            }
            parsed.reply.is_some()
        })
        .count()
}

#[test]
fn malformed_json_is_no_reply() {
    let Some(folder) = folder("json_malformed") else { return };
    let (mut samples, mut accepted) = (0, 0);
    for (_, bytes) in files(&folder.join("JSONTestSuite")) {
        samples += 1;
        accepted += through_every_call(&String::from_utf8_lossy(&bytes));
    }
    for name in ["json_repair_inputs.jsonl", "jsonrepair_inputs.jsonl"] {
        for case in lines(&folder, name) {
            samples += 1;
            accepted += through_every_call(case["input"].as_str().unwrap_or_default());
        }
    }
    println!("{samples} samples through every call, {accepted} taken for a reply");
    assert!(samples > 800);
    // None of them has a key that a call asks for.
    assert_eq!(accepted, 0);
}

#[test]
fn streams_cut_anywhere_are_no_reply() {
    let Some(folder) = folder("streams") else { return };
    let mut cuts = 0;
    for (_, bytes) in files(&folder) {
        for end in (0..bytes.len()).step_by(if bytes.len() > 2_000 { 61 } else { 3 }) {
            let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
            assert_eq!(through_every_call(&text), 0, "{text}");
            cuts += 1;
        }
    }
    println!("{cuts} cut streams");
    assert!(cuts > 500);
}

/// Texts of a JSON file, however it is built.
fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(map) => map.values().for_each(|item| strings(item, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn injections_stay_inside_their_passage() {
    let Some(folder) = folder("prompt_injection") else { return };
    let mut texts: Vec<String> = Vec::new();
    for (path, bytes) in files(&folder) {
        let whole = String::from_utf8_lossy(&bytes).into_owned();
        if std::path::Path::new(&path).extension().is_some_and(|end| end == "jsonl") {
            whole
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .for_each(|v| strings(&v, &mut texts));
        } else if let Ok(value) = serde_json::from_str(&whole) {
            strings(&value, &mut texts);
        } else {
            texts.extend(whole.split("\n\n").map(str::to_owned));
        }
    }
    texts.retain(|text| text.len() > 12);
    texts.sort();
    texts.dedup();
    for text in &texts {
        let mut read = passage("web/page.html", text, 2024, text);
        read.passage.heading_path = vec![text.clone()];
        read.source.author = Some(text.clone());
        let fragment = PassageFragment::new(3, &read, 2_000);
        nothing_breaks_out(fragment.as_str(), 3, 2_000);
    }
    println!("{} injected texts stayed in their passage", texts.len());
    assert!(texts.len() > 2_000);
    // A model that is led astray can still point at nothing but units.
    let book = PromptBook::builtin();
    for text in texts.iter().step_by(37) {
        let read = passage("web/page.html", "A page", 2024, text);
        let call = facts_call_over(vec![read]);
        assert!(book.render(&call).user.chars().count() <= 32_000);
        let reply = REPLIES[2].replace("P2.2", "P1.1").replace("62 kroner", "canary");
        if let Some(ModelReply::ExtractFacts(facts)) = book.parse(&call, &reply).reply {
            assert!(facts.facts.iter().all(|fact| fact.value.is_none()
                || text.to_lowercase().contains("canary")
                || text.contains("45 kroner")));
        }
    }
}
