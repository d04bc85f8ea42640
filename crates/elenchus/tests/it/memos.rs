//! The evidence graph on the command line.

use crate::world::{CAPACITY, Ran, World, harbor, ran};
use elenchus_core::bank::Caller;
use elenchus_io::clock::SystemClock;
use elenchus_io::memos::SqliteMemos;
use elenchus_io::store::SqliteOptions;
use serde_json::{Value, json};
use std::sync::Arc;

/// Four notes about a pump: one is supported, contested and explained by the others.
fn pump(world: &World) {
    let save = |id: &str, title: &str, text: &str, source: &str| {
        let source = format!("source={source}");
        let ran = world.run(&[
            "memo", "save", text, "--id", id, "--title", title, "--meta", &source, "--tag", "pump",
            "-n", "plant",
        ]);
        assert_eq!(ran.succeeds().out, format!("{id}\n"));
    };
    save("m_pump", "The pump failed", "The cooling pump of hall two failed on 3 March.", "diary");
    save("m_log", "Log", "The log shows no flow in hall two after 3 March.", "log.csv");
    save(
        "m_copy",
        "Copy of the log",
        "No flow in hall two after 3 March, says the log.",
        "log.csv",
    );
    save(
        "m_visit",
        "Visit",
        "On 5 March a visitor saw the cooling pump of hall two running.",
        "letter",
    );
    save("m_storm", "Storm", "A storm cut the power on 3 March.", "weather");
    let relate = |words: &[&str]| {
        world.run(&[&["memo", "relate"], words, &["-n", "plant"]].concat()).succeeds();
    };
    relate(&[
        "m_log",
        "supports",
        "m_pump",
        "--weight",
        "0.8",
        "--reason",
        "No flow means no pump.",
    ]);
    relate(&["m_copy", "supports", "m_pump", "--weight", "0.8"]);
    relate(&["m_visit", "conflicts", "m_pump", "--weight", "0.6"]);
    relate(&["m_storm", "explains", "m_pump", "--weight", "0.5"]);
}

fn memos(world: &World) -> Value {
    world.run(&["memo", "list", "--limit", "0", "--json"]).succeeds().json()
}

#[test]
fn a_graph_is_made_searched_scored_and_parted() {
    let world = World::new();
    pump(&world);
    let found =
        world.run(&["memo", "search", "who saw the pump running?", "--json"]).succeeds().json();
    assert_eq!(found[0]["memo"]["id"], "m_visit", "{found:#}");
    let graph = world.run(&["memo", "graph", "m_pump", "-n", "plant"]);
    assert!(
        graph.succeeds().out.contains("supported by Log (m_log, weight 0.80): No flow"),
        "{}",
        graph.out
    );
    let shown = world.run(&["memo", "show", "m_log", "-n", "plant"]);
    assert!(
        shown.succeeds().out.contains("supports The pump failed (m_pump, weight 0.80)"),
        "{}",
        shown.out
    );

    let words = [
        "score",
        "--pivot",
        "m_pump",
        "--namespace",
        "plant",
        "--k",
        "6",
        "--depth",
        "2",
        "--limit",
        "80",
        "--similarity-weight",
        "0.6",
        "--relation-weight",
        "0.4",
        "--min-combined",
        "0.2",
    ];
    let json = world.run(&[&words[..], &["--json"]].concat()).succeeds().json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    let mut wanted = [
        "pivot",
        "namespace",
        "weights",
        "thresholds",
        "prioritized_evidence",
        "conflicting_evidence",
        "other_relations",
    ];
    wanted.sort_unstable();
    let mut keys: Vec<&str> = keys.into_iter().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!(json["weights"], json!({"similarity": 0.6, "relation": 0.4}));
    assert_eq!(json["thresholds"], json!({"min_combined": 0.2}));
    let first = &json["prioritized_evidence"][0];
    let expected = 0.6 * first["similarity"].as_f64().unwrap()
        + 0.4 * first["relation_weight"].as_f64().unwrap();
    assert!((first["combined"].as_f64().unwrap() - expected).abs() < 1e-9);
    assert_eq!(
        json["conflicting_evidence"][0]["best_edge"]["path"],
        json!(["m_visit", "m_pump"].iter().rev().collect::<Vec<_>>())
    );
    assert_eq!(json["conflicting_evidence"][0]["best_edge"]["direction"], "backward");
    assert_eq!(json["other_relations"][0]["memo_id"], "m_storm");
    let camel = world
        .run(&[&words[..], &["--json", "--camel-case", "--explain"]].concat())
        .succeeds()
        .json();
    assert_eq!(camel["prioritizedEvidence"][0]["bestEdge"]["pathTitles"], "The pump failed -> Log");
    assert_eq!(
        (&camel["confidence"]["originsFor"], &camel["confidence"]["originsAgainst"]),
        (&json!(1), &json!(1))
    );

    let text = world.run(&words).succeeds().out.clone();
    for part in [
        "confidence 0.69: 1 independent origin for it, 1 against",
        "of the same origin and adding nothing: ",
        "it would be 0.20 if the strongest of those for it is wrong, 0.90 if",
        "conflicts with it (0.60)",
        "explained by it (0.50)",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    let sure = |world: &World| {
        let json = world
            .run(&["score", "--pivot", "m_pump", "-n", "plant", "--json", "--explain"])
            .succeeds()
            .json();
        json["confidence"]["confidence"].as_f64().unwrap()
    };
    let before = sure(&world);
    world
        .run(&[
            "memo",
            "relate",
            "m_storm",
            "conflicts",
            "m_pump",
            "--weight",
            "0.3",
            "-n",
            "plant",
        ])
        .succeeds();
    assert!(sure(&world) < before);
    world
        .run(&[
            "memo",
            "relate",
            "m_storm",
            "conflicts",
            "m_pump",
            "--weight",
            "0.3",
            "-n",
            "plant",
        ])
        .succeeds();
    let conflicts = world.run(&["memo", "conflicts", "-n", "plant"]);
    assert!(conflicts.succeeds().out.contains("said 2 times: "), "{}", conflicts.out);
    world.run(&["memo", "unrelate", "m_storm", "conflicts", "m_pump", "-n", "plant"]).succeeds();
    assert!((sure(&world) - before).abs() < 1e-12);
    world.run(&["memo", "delete", "m_visit", "-n", "plant", "--yes"]).succeeds();
    assert!(sure(&world) > before);
    // A beginning of an id is enough; another namespace is told.
    world.run(&["memo", "show", "m_pu", "-n", "plant"]).succeeds();
    world.run(&["memo", "show", "m_pump"]).fails(
        2,
        "none in the namespace default",
        "--namespace plant",
    );
    world.run(&["memo", "show", "m_", "-n", "plant"]).fails(2, "memos begin so", "more of the id");
}

#[test]
fn weights_are_learnt_from_what_was_useful() {
    let world = World::new();
    pump(&world);
    let score =
        |more: &[&str]| world.run(&[&["score", "--pivot", "m_pump", "-n", "plant"], more].concat());
    let few = score(&["--learned", "--json"]);
    assert_eq!(few.succeeds().json()["weights"], json!({"similarity": 0.6, "relation": 0.4}));
    assert!(few.err.contains("too few to learn from"), "{}", few.err);
    score(&["--useful", "m_nobody"]).fails(2, "not among the memos", "whole id");
    score(&[
        "--useful",
        "m_log",
        "--useful",
        "m_copy",
        "--useless",
        "m_visit",
        "--useless",
        "m_storm",
    ])
    .succeeds();
    let ran = score(&["--learned", "--json"]);
    let weights = &ran.succeeds().json()["weights"];
    assert!(
        (weights["similarity"].as_f64().unwrap() + weights["relation"].as_f64().unwrap() - 1.0)
            .abs()
            < 1e-9
    );
    assert!(ran.err.contains("learnt from 4 judgements"), "{}", ran.err);
    world.run(&["feedback", "--forget", "--yes"]).succeeds();
    assert!(score(&["--learned"]).err.contains("0 judgements"));
}

#[test]
fn bad_input_is_told_and_leaves_no_row() {
    let world = World::new();
    world.run(&["score", "--pivot", "m_x"]).fails(2, "no memos yet", "memo save");
    assert_eq!(memos(&world), json!([]));
    assert!(!world.store().exists(), "looking makes no file");
    pump(&world);
    let before = memos(&world);
    let score = |more: &[&str]| -> Ran {
        world.run(&[&["score", "--pivot", "m_pump", "-n", "plant"], more].concat())
    };
    world.run(&["score", "--pivot", "m_pmup", "-n", "plant"]).fails(
        2,
        "m_pmup",
        "did you mean m_pump?",
    );
    for (flag, value) in [
        ("--similarity-weight", "NaN"),
        ("--similarity-weight", "-0.1"),
        ("--relation-weight", "inf"),
        ("--relation-weight", "-1"),
        ("--min-combined", "NaN"),
        ("--min-combined", "1.5"),
        ("--delta", "0"),
        ("--delta", "-1"),
        ("--depth", "0"),
        ("--depth", "11"),
        ("--limit", "0"),
        ("--limit", "1001"),
        ("--k", "5000"),
    ] {
        let ran = score(&[flag, value]);
        ran.fails(2, "could not", "");
        let json = score(&[flag, value, "--json"]);
        assert_eq!(json.code, Some(2), "{json:?}");
        let error: Value = serde_json::from_str(&json.err).expect("an error in JSON is JSON");
        assert!(!error.to_string().is_empty());
    }
    let zero =
        score(&["--similarity-weight", "0", "--relation-weight", "0", "--json"]).succeeds().json();
    assert!(
        zero["prioritized_evidence"].as_array().unwrap().iter().all(|one| one["combined"] == 0.0)
    );
    for weight in ["NaN", "-0.1", "1.1"] {
        world
            .run(&[
                "memo", "relate", "m_log", "supports", "m_visit", "--weight", weight, "-n", "plant",
            ])
            .fails(2, "weight", "from 0");
    }
    let long = "t".repeat(65);
    world.run(&["memo", "relate", "m_log", &long, "m_visit", "-n", "plant"]).fails(
        2,
        "longer than 64",
        "1 to 64",
    );
    world.run(&["memo", "relate", "m_log", "supports", "m_gone", "-n", "plant"]).fails(
        2,
        "m_gone",
        "memo list",
    );
    world.run(&["memo", "relate", "m_log", "supports", "m_log", "-n", "plant"]).fails(
        2,
        "the same memo",
        "two memos",
    );
    world.write("big.txt", "x".repeat(10 << 20));
    world.run(&["memo", "save", "--file", "big.txt"]).fails(2, "10485760 bytes", "ingest");
    world.write("binary", [0xff, 0xfe, 0x00]);
    world.run(&["memo", "save", "--file", "binary"]).fails(2, "UTF-8", "text file");
    world.run(&["memo", "save", "--file", "gone"]).fails(2, "gone", "text file");
    world.run(&["memo", "save", " "]).fails(2, "text is empty", "write what");
    world.run(&["memo", "save", "x", "--meta", "noequals"]).fails(2, "noequals", "source=");
    world.run(&["memo", "save", "x", "-n", "a//b"]).fails(2, "empty name", "slashes");
    world.run(&["memo", "save", "x", "--id", ""]).fails(2, "id of the memo is empty", "");
    world.run(&["memo", "search", " "]).fails(2, "nothing was searched for", "a word");
    world.run(&["memo", "search", "\"; DROP TABLE memos; --"]).succeeds();
    world.run(&["memo", "keep", "run_gone"]).fails(2, "run_gone", "ask");
    assert_eq!(memos(&world), before);
    let settings = [("MEMORY_HTTP_URL", "nonsense")];
    world.run_with(&["memo", "list"], &settings).fails(2, "MEMORY_HTTP_URL", "unset");
    // A file that is named wins over the environment.
    let store = world.store();
    world.run_with(&["memo", "list", "--store", store.to_str().unwrap()], &settings).succeeds();
}

#[test]
fn what_a_run_left_by_itself_is_told_when_it_is_kept_again() {
    for (more, left) in [(&["-q"][..], true), (&["-q", "--no-memory"], false)] {
        let world = World::new();
        world.ask(CAPACITY, more).succeeds();
        let kept = world.run(&["memo", "keep", &world.newest()]);
        let told = kept.succeeds().err.contains("had left the same in the namespace project/");
        assert_eq!(told, left, "{kept:?}");
    }
}

#[test]
fn an_answer_is_kept_once_and_counts_as_no_evidence() {
    let world = World::new();
    // By itself it leaves nothing, so that what is counted is what the command keeps.
    world.ask(CAPACITY, &["-q", "--no-memory"]).succeeds();
    assert_eq!(memos(&world), json!([]));
    let run = world.newest();
    let kept = world.run(&["memo", "keep", &run, "--json"]).succeeds().json();
    let id = kept["memo_id"].as_str().unwrap();
    let all = memos(&world);
    assert_eq!(all.as_array().unwrap().len(), kept["new_memos"].as_u64().unwrap() as usize);
    assert!(kept["new_relations"].as_u64().unwrap() > 0);
    for item in kept["answer"]["evidence"].as_array().unwrap() {
        let held = all.as_array().unwrap().iter().find(|memo| memo["id"] == item["memo_id"]);
        assert_eq!(held.unwrap()["content"], item["quote"]);
    }
    let again = world.run(&["memo", "keep", &run, "--json"]).succeeds().json();
    assert_eq!((&again["new_memos"], &again["new_relations"]), (&json!(0), &json!(0)));
    assert_eq!(memos(&world).as_array().unwrap().len(), all.as_array().unwrap().len());
    let score = world.run(&["score", "--pivot", id, "--json", "--explain"]).succeeds().json();
    let confidence = score["confidence"]["confidence"].as_f64().unwrap();
    assert!(confidence > 0.5, "{score:#}");
    // Said to support its own evidence, it adds nothing.
    let quote = score["prioritized_evidence"][0]["memo_id"].as_str().unwrap();
    world.run(&["memo", "relate", id, "supports", quote, "--weight", "1"]).succeeds();
    let circle = world.run(&["score", "--pivot", quote, "--json", "--explain"]).succeeds().json();
    assert_eq!(circle["confidence"]["origins_for"], 0, "{circle:#}");
    assert_eq!(circle["confidence"]["set_aside"][0]["memo_id"], id);
}

#[test]
fn a_finished_run_is_kept_by_itself_and_the_next_one_is_told() {
    let world = World::new();
    for off in ["--ephemeral", "--no-memory"] {
        world.ask(CAPACITY, &["-q", off]).succeeds();
    }
    let mut command = world.command();
    let off = [("ELENCHUS_PROJECT", "isle"), ("ELENCHUS_MEMORY", "false")];
    command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor()).envs(off);
    ran(&mut command).succeeds();
    assert_eq!(memos(&world), json!([]));

    world.ask(CAPACITY, &["-q"]).succeeds();
    let first = world.newest();
    let kept = memos(&world);
    let answer = kept.as_array().unwrap().iter().find(|memo| memo["tags"][0] == "answer").unwrap();
    assert_eq!(answer["title"], CAPACITY);
    assert_eq!(answer["metadata"]["run_id"], first.as_str());
    assert!(answer["namespace"].as_str().unwrap().starts_with("project/"), "{answer}");
    let told = |run: &str| -> Option<Value> {
        let trace = world.run(&["runs", "trace", run, "--jsonl"]).succeeds().out.clone();
        let mut events = trace.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.find(|event| event["type"] == "memos_recalled")
    };
    assert!(told(&first).is_none());

    world.ask(CAPACITY, &["-q"]).succeeds();
    let second = world.newest();
    let event = told(&second).expect("it is told of the first");
    assert_eq!(event["data"]["memos"][0]["run_id"], first.as_str());
    assert_eq!(event["data"]["memos"][0]["sources"][0]["freshness"], "unchanged");
    let shown = world.run(&["runs", "show", &second, "--memory"]);
    assert!(shown.succeeds().out.contains("told of earlier runs:"), "{}", shown.out);
    assert!(shown.out.contains("(as it was)"), "{}", shown.out);

    // Another project is told nothing.
    let mut command = world.command();
    command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor());
    ran(command.env("ELENCHUS_PROJECT", "isle")).succeeds();
    assert!(told(&world.newest()).is_none());
}

#[test]
fn the_memos_of_another_elenchus_are_reached_with_the_variables_of_the_seed() {
    let world = World::new();
    let memos =
        SqliteMemos::open(&world.folder().join("theirs.db"), &SqliteOptions::default()).unwrap();
    let router = elenchus_server::memory::memory_router(
        Arc::new(memos),
        Arc::new(SystemClock),
        Some(Caller::local("p")),
        None,
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    // Host and port are enough.
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let there = [
        ("MEMORY_HTTP_URL", url.as_str()),
        ("MEMORY_NAMESPACE_DEFAULT", "team/far"),
        ("MEMORY_HTTP_TIMEOUT_MS", "20000"),
    ];
    world
        .run_with(&["memo", "save", "The valve leaks.", "--id", "v", "--title", "Valve"], &there)
        .succeeds();
    world
        .run_with(
            &["memo", "save", "The valve was seen dry.", "--id", "d", "--title", "Dry"],
            &there,
        )
        .succeeds();
    world.run_with(&["memo", "relate", "d", "conflicts", "v"], &there).succeeds();
    let score = world.run_with(&["score", "--pivot", "v", "--json"], &there).succeeds().json();
    assert_eq!(score["namespace"], "team/far");
    assert_eq!(score["conflicting_evidence"][0]["memo_id"], "d");
    world.run_with(&["score", "--pivot", "x"], &there).fails(
        2,
        "none in the namespace team/far",
        "memo list",
    );
    assert!(!world.store().exists(), "nothing is kept here");
    assert_eq!(self::memos(&world), json!([]));
    let nobody = [("MEMORY_HTTP_URL", "http://127.0.0.1:1/memory")];
    world.run_with(&["memo", "list"], &nobody).fails(5, "nobody answers there", "MEMORY_HTTP_URL");
}
