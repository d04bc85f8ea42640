//! Asking.

use crate::world::{CAPACITY, UNANSWERABLE, World, harbor, ran, redacted, timeless};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_question_is_answered_with_quotes() {
    let ran = World::new().ask(CAPACITY, &[]);
    ran.succeeds();
    insta::assert_snapshot!("ask_report", unfitted(&redacted(&ran.out)));
    insta::assert_snapshot!("ask_progress", redacted(&ran.err));
}

/// The report without the figures of its confidence, which every new fit moves. That the head and the last line give the
/// same ones is looked at here; what they are worth is measured by `elenchus-evals`.
fn unfitted(report: &str) -> String {
    let head = |name: &str| {
        let line = report.lines().find_map(|line| line.strip_prefix(name));
        line.expect("the head of a report has a confidence and its level")
    };
    let (confidence, level) = (head("confidence: "), head("level: "));
    let value: f64 = confidence.parse().expect("a confidence is a number");
    assert!(value > 0.5 && value < 1.0, "{report}");
    let sentence = format!("Confidence {confidence} ({level})");
    assert!(report.contains(&sentence), "no {sentence:?} in {report}");
    let lines: Vec<String> = report.lines().map(unfitted_line).collect();
    format!("{}\n", lines.join("\n"))
        .replace(&sentence, "Confidence N (LEVEL)")
        .replace(&format!("confidence: {confidence}\n"), "confidence: N\n")
        .replace(&format!("level: {level}\n"), "level: LEVEL\n")
}

/// A line about one statement without its figure, and without the reasons that follow from the figure.
fn unfitted_line(line: &str) -> String {
    let said = line.strip_prefix("- ").and_then(|line| line.split_once("]: "));
    let told = said.and_then(|(name, said)| Some((name, said.split_once(": ")?)));
    match told {
        Some((name, (figures, reasons))) if figures.contains('\u{2013}') => {
            let figure: f64 =
                figures.split(' ').next().unwrap_or_default().parse().expect("a figure");
            assert!(figure > 0.5 && figure < 1.0, "{line}");
            let stays = |reason: &&str| {
                !reason.ends_with("match to the question")
                    && !reason.ends_with("in so many words")
                    && !reason.starts_with("read its")
            };
            let reasons: Vec<&str> = reasons.split(", ").filter(stays).collect();
            format!("- {name}]: N (LOW\u{2013}HIGH), LEVEL: {}", reasons.join(", "))
        }
        _ => line.to_owned(),
    }
}

#[test]
fn a_loose_answer_says_what_of_the_question_is_not_said() {
    let question = "Who manages the Skerry project?";
    let told = "a fair match: \u{201C}project\u{201D} is not said in so many words";
    let report = World::new().ask(question, &[]).succeeds().out.clone();
    assert!(report.contains(&format!("*({told})*")), "{report}");
    let behind = told.replace("match:", "match to the question,");
    assert!(report.contains(&behind), "no {behind:?} in {report}");
    let answer = World::new().ask(question, &["--json"]).succeeds().json();
    assert_eq!(answer["claims"][0]["unbound"], serde_json::json!(["project"]), "{answer:#}");
}

#[test]
fn a_yes_that_another_source_denies_is_told_as_disputed() {
    let world = World::new();
    world.write("ferry/handbook.md", "# Harbour handbook\n\nDogs are allowed on the ferry.\n");
    world.write("ferry/rules.md", "# House rules\n\nDogs are not allowed on the ferry.\n");
    world.write("ferry/times.md", "# Timetable\n\nThe ferry leaves at 8 in the morning.\n");
    let ask = |more: &[&str]| {
        let words = ["ask", "Are dogs allowed on the ferry?", "--corpus", "ferry"];
        world.run(&[&words[..], more].concat()).succeeds().out.clone()
    };
    let report = ask(&[]);
    for part in ["The sources disagree", "**Yes** \u{2014} ", "**No** \u{2014} "] {
        assert!(report.contains(part), "no {part:?} in {report}");
    }
    let answer: Value = serde_json::from_str(&ask(&["--json"])).expect("it is JSON");
    assert_eq!(answer["conflicts"][0]["claims"].as_array().map(Vec::len), Some(2), "{answer:#}");
}

#[test]
fn what_the_documents_do_not_say_is_given_up_and_that_is_no_failure() {
    let ran = World::new().ask(UNANSWERABLE, &[]);
    ran.succeeds();
    assert!(ran.out.contains("What could not be established"), "{}", ran.out);
    assert!(ran.err.contains("gap given up"), "{}", ran.err);
}

#[test]
fn what_was_measured_against_an_answer_is_told_without_a_model() {
    const SECTION: &str = "## What speaks against this answer";
    let half = "What is the installed capacity of the Skerry Tidal Array, and what will the second phase at Corbie Head cost?";
    let report = World::new().ask(half, &[]).succeeds().out.clone();
    assert!(report.contains(SECTION) && report.contains("(important, open part)"), "{report}");
    let answer = World::new().ask(half, &["--json"]).succeeds().json();
    let critique = &answer["critique"];
    let found = critique["findings"].as_array().expect("a part stays open");
    let open = found.iter().find(|one| one["kind"] == "open_part").expect("it is a finding");
    assert_eq!(open["measured"]["datum"], "parts with a statement that answers: 1 of 2");
    assert!(critique["quality"].as_u64().is_some_and(|score| score < 100), "{critique:#}");
    assert!(critique["grade"].is_null() && critique["critic"].is_null(), "{critique:#}");
    let off = World::new().ask(half, &["--json", "--no-critique"]).succeeds().json();
    assert!(off["critique"].is_null(), "{off:#}");
    for same in ["text", "confidence", "claims"] {
        assert_eq!(off[same], answer[same], "{same}");
    }
    // A plain fact is no place for it.
    assert!(!World::new().ask(CAPACITY, &[]).succeeds().out.contains(SECTION));
}

#[test]
fn quiet_means_the_answer_and_nothing_else() {
    let ran = World::new().ask(CAPACITY, &["--quiet"]);
    ran.succeeds();
    assert_eq!(ran.err, "");
    assert!(ran.out.starts_with("---\n"));
}

#[test]
fn the_heading_is_shown_where_the_answer_stands_in_it() {
    let world = World::new();
    world.write(
        "CHANGELOG.md",
        "# Changes of Quill\n\n## 2.4.0 (3 March 2025)\n\n- Added the watch command, which builds again after every change.\n\
         - Fixed the sorting of footnotes.\n\n## 2.3.0 (9 January 2025)\n\n- Added the export command for spreadsheets.\n\
         - Fixed the width of columns.\n",
    );
    let ran =
        world.run(&["ask", "Which release added the watch command?", "--corpus", ".", "--quiet"]);
    ran.succeeds();
    assert!(ran.out.contains("Added the watch command"), "{}", ran.out);
    assert!(ran.out.contains("under \u{201c}2.4.0 (3 March 2025)\u{201d}"), "{}", ran.out);
    // A heading that says nothing of the question stays where the source is listed.
    let ran = World::new().ask(CAPACITY, &["--quiet"]).out;
    assert!(!ran.contains("under \u{201c}"), "{ran}");
}

#[test]
fn an_open_question_is_answered_by_what_the_documents_say_of_its_topic() {
    let world = World::new();
    world.write(
        "lock.md",
        "# The old lock\n\nUpdated 3 March 2024\n\n## History\n\nThe old lock at Tarnby was dug in 1843 by forty prisoners. \
         Its gates were last renewed in 1991.\n\n## Traffic\n\nIn 2015 the old lock let 1,200 boats through. \
         In 2023 the old lock let 2,950 boats through.\n",
    );
    world.write(
        "inn.md",
        "# The inn\n\nThe inn serves eel soup on Fridays. Rooms cost £60 a night.\n",
    );
    let ask = |question: &str| {
        let ran = world.run(&["ask", question, "--corpus", ".", "--quiet"]);
        let head = ran.out.split("## Sources").next().unwrap_or_default().to_owned();
        (head, ran.out)
    };
    let (told, _) = ask("Tell me about the old lock");
    for part in ["dug in 1843", "renewed in 1991", "2,950 boats"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("eel soup") && !told.contains("Updated 3 March"), "{told}");
    // Figures over time, the oldest first.
    let (course, _) = ask("How has the traffic of the old lock developed?");
    let (early, late) = (course.find("1,200 boats"), course.find("2,950 boats"));
    assert!(early.is_some() && early < late, "{course}");
    // What no document speaks of stays open, whatever comes near it.
    for question in ["Tell me about the new dock", "Compare the old lock with the canal at Wexholm"]
    {
        let (told, out) = ask(question);
        assert!(told.contains("do not establish this"), "{out}");
    }
}

#[test]
fn he_is_nobody_in_particular_before_somebody_is_found() {
    let world = World::new();
    world.write(
        "valley.md",
        "# The valley\n\nThe mill was built by Jonas Varga. His neighbour, a miller, died of a fever in 1702. \
         The bridge was paid for by the parish.\n",
    );
    world.write("varga.md", "# The Varga family\n\nJonas Varga drowned in the weir in 1688.\n");
    let ran =
        world.run(&["ask", "Who built the mill and how did he die?", "--corpus", ".", "--quiet"]);
    assert!(ran.out.contains("**Jonas Varga**"), "{}", ran.out);
    let head = ran.out.split("## ").next().unwrap_or_default();
    assert!(!head.contains("fever"), "{}", ran.out);
}

/// The characters of a span.
fn slice(text: &str, span: &Value) -> String {
    let at = |name: &str| span[name].as_u64().expect("a span has two numbers") as usize;
    text.chars().skip(at("start")).take(at("end") - at("start")).collect()
}

#[test]
fn the_json_holds_together() {
    let answer = World::new().ask(CAPACITY, &["--json"]).succeeds().json();
    let text = answer["text"].as_str().unwrap();
    let claims = answer["claims"].as_array().unwrap();
    assert!(!claims.is_empty());
    for claim in claims {
        assert_eq!(slice(text, &claim["source_span"]), claim["text"].as_str().unwrap());
        let evidence = claim["evidence"].as_array().unwrap();
        assert!(!evidence.is_empty(), "{claim}");
        for at in evidence {
            let item = &answer["evidence"][at.as_u64().unwrap() as usize];
            assert!(!item["quote"].as_str().unwrap().is_empty());
        }
    }
    let short = &answer["response"];
    assert_eq!(short["conclusion"], answer["conclusion"]);
    let items = short["evidence"].as_array().unwrap();
    assert!(items.iter().any(|item| item["support"] == "supports"));
    assert_eq!(short["confidence"], answer["confidence"]["overall_confidence"]);
    for item in items {
        let figure = item["confidence"].as_f64();
        // An older value is told apart and has none.
        let is_right = figure.is_some_and(|figure| (0.0..=1.0).contains(&figure));
        assert!(is_right != (item["support"] == "superseded"), "{item}");
    }
}

#[test]
fn a_non_answer_has_no_figures_for_programs_either() {
    let world = World::new();
    let answer = world.ask(UNANSWERABLE, &["--json", "--quiet"]).succeeds().json();
    let result = &answer["confidence"];
    assert_eq!(result["assessment"], "not_assessable", "{result}");
    assert!(result["overall_confidence"].is_null() && result["level"].is_null(), "{result}");
    assert!(answer["response"]["confidence"].is_null(), "{}", answer["response"]);
    let figures = result["claim_confidences"].as_array().unwrap();
    assert!(!figures.is_empty(), "quotes came near: {answer}");
    for one in figures {
        for name in ["confidence", "calibrated", "interval", "level"] {
            assert!(one.get(name).is_none(), "{name}: {one}");
        }
    }
    // What was written can be read again, by us as well.
    world.write("answer.json", answer.to_string());
    let why = world.run(&["why", "c1", "--in", "answer.json"]);
    assert!(why.succeeds().out.contains("does not answer it"), "{why:?}");
}

#[test]
fn the_trace_comes_line_by_line() {
    let ran = World::new().ask(CAPACITY, &["--jsonl", "--quiet"]);
    ran.succeeds();
    let events: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (at, event) in events.iter().enumerate() {
        assert_eq!(event["seq"].as_u64(), Some(at as u64 + 1));
    }
    assert_eq!(events[0]["type"], "session_started");
    assert_eq!(events.last().unwrap()["type"], "session_completed");
}

#[test]
fn two_runs_differ_in_id_and_time_only() {
    let world = World::new();
    // Neither is told of the other.
    let ask = |more: &[&str]| world.ask(CAPACITY, &[&["-q", "--no-memory"], more].concat());
    let (a, b) = (ask(&[]), ask(&[]));
    assert_ne!(a.out, b.out);
    assert_eq!(redacted(&a.out), redacted(&b.out));
    let (a, b) = (ask(&["--json"]), ask(&["--json"]));
    assert_eq!(timeless(a.json()), timeless(b.json()));
}

#[test]
fn the_question_may_come_from_standard_input() {
    let world = World::new();
    let mut command = world.command();
    command.args(["ask", "-", "-q", "--corpus"]).arg(harbor());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{CAPACITY}").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(redacted(&text), redacted(&world.ask(CAPACITY, &["-q"]).out));
}

#[test]
fn an_ephemeral_run_leaves_nothing_behind() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["--ephemeral"]);
    ran.succeeds();
    assert!(ran.err.contains("nothing was kept"), "{}", ran.err);
    assert!(!world.store().exists());
    assert!(!world.indexes().exists());
}

#[test]
fn limits_reach_the_run() {
    let world = World::new();
    let ran = world.ask(
        UNANSWERABLE,
        &["--json", "-q", "--max-rounds", "1", "--budget-passages", "3", "--exclude", "reports/"],
    );
    let answer = ran.succeeds().json();
    assert!(answer["receipt"]["passages"].as_u64().unwrap() <= 3);
    assert!(answer["receipt"]["rounds"].as_u64().unwrap() <= 1);
    let trace = world.run(&["runs", "trace", &world.newest(), "--jsonl"]);
    let start: Value = serde_json::from_str(trace.out.lines().next().unwrap()).unwrap();
    let options = &start["data"]["options"];
    assert_eq!(options["budget"]["rounds"], 1);
    assert_eq!(options["budget"]["passages"], 3);
    assert_eq!(options["exclude"][0], "reports/");
    assert_eq!(options["autonomous"], true);
    assert!(!trace.out.contains("\"path\":\"reports/"), "an excluded document was read");
}

#[test]
fn an_index_can_be_put_elsewhere() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["-q", "--index", "my.db", "--store", "runs.db"]);
    ran.succeeds();
    assert!(world.folder().join("my.db").is_file());
    assert!(world.folder().join("runs.db").is_file());
    assert!(!world.store().exists());
    assert!(!world.indexes().exists());
    let list = world.run(&["runs", "list", "--json", "--store", "runs.db"]);
    assert_eq!(list.json().as_array().unwrap().len(), 1);
}

#[test]
fn a_second_question_reads_no_document_again() {
    let world = World::new();
    assert!(world.ask(CAPACITY, &[]).err.contains("documents: 14 new"));
    assert!(!world.ask(UNANSWERABLE, &[]).err.contains("documents: "));
}

#[test]
fn the_onnx_embedder_needs_a_build_that_has_it() {
    let missing = World::new().ask(CAPACITY, &["--embedder", "onnx:nowhere"]);
    if cfg!(feature = "onnx") {
        missing.fails(4, "nowhere", "model.onnx");
    } else {
        missing.fails(2, "no ONNX runtime", "--features onnx");
    }
    World::new().ask(CAPACITY, &["--embedder", "bert"]).fails(2, "no such embedder", "`builtin`");
}

#[test]
fn a_document_cannot_write_to_the_terminal() {
    let world = World::new();
    world.write(
        "docs/evil\u{1b}[31m.md",
        "# The \u{1b}[2J\u{1b}]0;owned\u{7}boat\n\nThe boat costs 300 euros \u{1b}[31mtoday\u{202E}.\n",
    );
    world.write("docs/\u{1b}[5m.pdf", "no pdf");
    for words in [
        &["ask", "What does the boat cost?", "--corpus", "docs"][..],
        &["search", "boat", "--corpus", "docs"],
        &["ingest", "docs"],
        &["runs", "list"],
    ] {
        let ran = ran(world.command().args(words));
        assert_eq!(ran.code, Some(0), "{words:?} {}", ran.err);
        for text in [&ran.out, &ran.err] {
            let hidden = |c: char| c == '\u{1b}' || c == '\u{7}' || c == '\u{202E}';
            assert!(!text.contains(hidden), "{words:?}: {text:?}");
        }
    }
}

#[test]
fn a_question_in_another_language_is_not_answered_by_chance() {
    let world = World::new();
    let asked = world.ask("Wie viele Mitarbeiter hat die Genossenschaft?", &[]);
    assert!(asked.succeeds().err.contains("reads questions in English only"), "{}", asked.err);
    assert!(!asked.out.contains(" [1]"), "{}", asked.out);
    let kept = world.run(&["memory", "list"]).succeeds().out.clone();
    assert!(!kept.contains("Mitarbeiter"), "{kept}");
}

#[test]
fn what_is_below_the_asked_confidence_is_not_the_answer() {
    let world = World::new();
    let low = world.ask(CAPACITY, &["-q", "--min-confidence", "0"]);
    let whole = world.run(&["runs", "replay", &world.newest()]).succeeds().out.clone();
    assert_eq!(low.succeeds().out, whole, "everything reaches 0");
    let high = world.ask(CAPACITY, &["-q", "--min-confidence", "1"]);
    high.fails(3, "below it", "ask for less");
    let (above, below) = high.out.split_once("\n## Below your bar\n").expect("it has the part");
    assert!(above.contains("Nothing that was found reaches the confidence of 1.00"), "{above}");
    assert!(!above.contains("**5.6 MW**") && below.contains("**5.6 MW**"), "{}", high.out);
    // What is kept is the whole run.
    let kept = world.run(&["runs", "replay", &world.newest()]).succeeds().out.clone();
    assert!(!kept.contains("Below your bar") && kept.contains("**5.6 MW**"), "{kept}");
    let json = world.ask(CAPACITY, &["-q", "--json", "--min-confidence", "1"]);
    assert_eq!(json.code, Some(3));
    let answer = json.json();
    assert_eq!(
        answer["sections"].as_array().and_then(|all| all.last()).map(|one| &one["heading"]),
        Some(&Value::from("Below your bar"))
    );
    let error: Value = serde_json::from_str(&json.err).expect("an error as JSON");
    assert_eq!(error["error"]["kind"], "below_confidence");
    // Nothing that answers reaches any.
    world.ask(UNANSWERABLE, &["-q", "--min-confidence", "0.5"]).fails(
        3,
        "nothing was found",
        "add documents",
    );
    assert_eq!(world.ask(CAPACITY, &["--min-confidence", "1.5"]).code, Some(2));
}
