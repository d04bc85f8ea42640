//! `elenchus memory`: what a person does with it, and six processes at once.

use crate::world::{World, ran};
use serde_json::Value;
use std::time::{Duration, Instant};

fn recorded(world: &World, title: &str, content: &str) -> String {
    let ran = world.run(&[
        "memory",
        "record",
        "--title",
        title,
        "--description",
        "When a ferry is late",
        "--content",
        content,
        "--outcome",
        "success",
        "--json",
    ]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    value["held"]["strategy"]["id"].as_str().expect("an id").to_owned()
}

#[test]
fn a_memory_is_recorded_found_judged_and_put_back() {
    let world = World::new();
    let id = recorded(&world, "Read the winter table", "Ferries leave later from October on.");
    let found = world.run(&["memory", "search", "winter ferries", "--json"]);
    let value: Value = serde_json::from_str(&found.out).expect("JSON");
    assert_eq!(value["memories"][0]["strategy"]["id"], id.as_str(), "{found:?}");
    let shown = world.run(&["memory", "search", "winter ferries"]);
    assert!(shown.out.contains("Read the winter table"), "{shown:?}");
    let up = world.run(&["memory", "feedback", &id, "helpful", "--comment", "it saved an hour"]);
    assert!(up.out.starts_with("noted; the confidence"), "{up:?}");
    let again = world.run(&["memory", "feedback", &id, "helpful"]);
    assert!(again.out.starts_with("that was known"), "{again:?}");
    let outcome =
        world.run(&["memory", "outcome", &id, "succeeded", "--session", "run_1", "--json"]);
    assert!(outcome.out.contains("\"recorded\": true"), "{outcome:?}");
    let why = world.run(&["memory", "why", &id]);
    assert!(why.out.contains("it saved an hour"), "{why:?}");
    assert!(why.out.contains("tasks succeed more often with it"), "{why:?}");
    let shown = world.run(&["memory", "show", &id]);
    assert!(shown.out.contains("as often as the project's 100 %"), "{shown:?}");
    let edited =
        world.run(&["memory", "edit", &id, "--title", "Read both tables", "--tag", "table"]);
    assert!(edited.out.contains("Read both tables"), "{edited:?}");
    let listed = world.run(&["memory", "list", "--tag", "table"]);
    assert!(listed.out.contains(&id), "{listed:?}");
    assert_eq!(world.run(&["memory", "archive", &id]).code, Some(0));
    let none = world.run(&["memory", "search", "ferries", "--json"]);
    assert!(none.out.contains("\"total_found\": 0"), "{none:?}");
    assert!(world.run(&["memory", "restore", &id]).out.contains("to follow"));
    let stats = world.run(&["memory", "stats"]);
    assert!(stats.out.contains("1 in use") && stats.out.contains("1 votes"), "{stats:?}");
    assert!(stats.out.contains("tasks: 1 succeeded, 0 failed"), "{stats:?}");
    // For programs each figure has its name; the rows stay for those that count places.
    let named = world.run(&["memory", "stats", "--json"]).succeeds().json();
    assert_eq!(named["tasks_by_outcome"], serde_json::json!({"succeeded": 1, "failed": 0}));
    assert_eq!(named["signals_by_kind"]["explicit"], 1, "{named}");
    assert_eq!(named["signals"][0], 1, "{named}");
    assert_eq!(named["sessions"]["waiting"], named["queue"][0], "{named}");
    let weights = &named["weights_by_kind"];
    for (at, kind) in ["explicit", "usage", "outcome"].into_iter().enumerate() {
        assert_eq!(weights[kind], named["weights"][at], "{named}");
    }
    assert_eq!(world.run(&["memory", "tend"]).code, Some(0));
    let back = world.run(&["memory", "rollback", "--to", "1d", "--yes", "--json"]);
    assert!(back.out.contains("\"memories\": 1"), "{back:?}");
    assert_eq!(world.run(&["memory", "delete", &id, "--yes"]).code, Some(0));
    let gone = world.run(&["memory", "show", &id]);
    assert_eq!(gone.code, Some(2), "{gone:?}");
    assert!(gone.err.contains("could not find memory"), "{gone:?}");
}

#[test]
fn what_goes_out_comes_in_again() {
    let world = World::new();
    recorded(&world, "Read the winter table", "Ferries leave later.\n\n```\n## not a title\n```");
    let id = recorded(&world, "Ask the master", "He knows of cancelled trips.");
    world.run(&["memory", "feedback", &id, "unhelpful"]);
    for format in ["jsonl", "md"] {
        let file = format!("memory.{format}");
        let out = world.run(&["memory", "export", "--out", &file]);
        assert_eq!(out.code, Some(0), "{out:?}");
        let refused = world.run(&["memory", "export", "--out", &file]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let other = ["--store", "other.db"];
        let import = world.run(&[&["memory", "import", &file, "--json"], &other[..]].concat());
        assert!(import.out.contains("\"read\": 2"), "{import:?}");
        let again = world.run(&[&["memory", "export"], &other[..]].concat());
        let here = world.run(&["memory", "export"]);
        assert_eq!(again.out, here.out);
        std::fs::remove_file(world.folder().join("other.db")).expect("the other store");
    }
    world.write("odd.jsonl", "{\"strategy\": 1}\n");
    let odd = world.run(&["memory", "import", "odd.jsonl"]);
    assert_eq!(odd.code, Some(2), "{odd:?}");
    assert!(odd.err.contains("line 1"), "{odd:?}");
    // One bad line among good ones is named, and nothing is imported half.
    let good = world.run(&["memory", "export"]).out;
    world.write("mixed.jsonl", format!("{good}{{\"strategy\": 1}}\n"));
    let mixed = world.run(&["memory", "import", "mixed.jsonl", "--store", "other.db"]);
    mixed.fails(2, "line 3 is no memory", "nothing was imported");
}

#[test]
fn what_a_stranger_wrote_waits_for_somebody_to_vouch_for_it() {
    let world = World::new();
    let id = recorded(&world, "Read the winter table", "Ferries leave later.");
    world.run(&["memory", "feedback", &id, "helpful"]).succeeds();
    for format in ["jsonl", "md"] {
        let (file, store) = (format!("memory.{format}"), format!("{format}.db"));
        world.run(&["memory", "export", "--out", &file]).succeeds();
        let there = ["--store", store.as_str()];
        let import = [&["memory", "import", &file, "--from-web"], &there[..]].concat();
        assert!(!world.run(&import).succeeds().out.contains("there already"));
        assert!(
            world.run(&import).succeeds().out.contains("0 of them new; what was there already")
        );
        let listed = world.run(&[&["memory", "list", "--json"], &there[..]].concat()).json();
        let held = &listed[0];
        assert_eq!(held["strategy"]["standing"]["state"], "quarantined", "{listed}");
        assert_eq!(held["confidence"], 0.8, "the vote of the file does not count: {listed}");
        let prompt = ["memory", "search", "ferries", "--for-prompt", "--json"];
        let found = || world.run(&[&prompt[..], &there[..]].concat()).json();
        assert_eq!(found()["total_found"], 0);
        world.run(&[&["memory", "feedback", &id, "helpful"], &there[..]].concat()).succeeds();
        assert_eq!(found()["total_found"], 1, "a person vouched for it");
    }
}

#[test]
fn what_is_no_export_is_refused() {
    let world = World::new();
    world.write("empty.jsonl", " \n");
    world.write("notes.md", "# Notes\n\nThe ferry was late.\n\n## Why\n\n```\nwind\n```\n");
    world.write("plain.md", "The ferry was late.\n");
    world.write("notes.txt", "The ferry was late.\n");
    world.write("other.json", "{\n  \"title\": \"The ferry\"\n}\n");
    for (file, cause) in [
        ("empty.jsonl", "it is empty"),
        ("notes.md", "no line of it begins a memory"),
        ("plain.md", "no line of it begins a memory"),
        ("notes.txt", "no line of it is a memory"),
        ("other.json", "no line of it is a memory"),
    ] {
        let ran = world.run(&["memory", "import", file]);
        ran.fails(2, cause, "elenchus memory export");
        assert!(ran.err.contains(&format!("could not import {file}")), "{ran:?}");
    }
    assert!(world.run(&["memory", "list"]).out.is_empty());
}

#[test]
fn whose_memory_it_is_comes_from_the_settings() {
    let world = World::new();
    world.write("elenchus.toml", "project = \"ferry\"\nteam = \"builders\"\n");
    recorded(&world, "Keep to yourself", "Ferries leave later.");
    let shared = world.run(&[
        "memory",
        "record",
        "--title",
        "Share this",
        "--description",
        "d",
        "--content",
        "Ferries are late.",
        "--outcome",
        "failure",
        "--scope",
        "team",
    ]);
    assert_eq!(shared.code, Some(0), "{shared:?}");
    world.write("elenchus.toml", "project = \"crane\"\nteam = \"builders\"\n");
    let listed = world.run(&["memory", "list"]);
    assert!(listed.out.contains("Share this") && !listed.out.contains("Keep"), "{listed:?}");
    world.write("elenchus.toml", "project = \"crane\"\n");
    let listed = world.run(&["memory", "list"]);
    assert!(listed.out.is_empty(), "{listed:?}");
    let wide = world.run(&[
        "memory",
        "record",
        "--title",
        "Wide",
        "--description",
        "d",
        "--content",
        "Text.",
        "--outcome",
        "success",
        "--scope",
        "org",
    ]);
    assert_eq!(wide.code, Some(2), "{wide:?}");
    assert!(wide.err.contains("belongs to no org"), "{wide:?}");
    world.write("elenchus.toml", "[reasoning_bank.search]\ndefault_limit = 0\n");
    let bad = world.run(&["memory", "list"]);
    assert!(bad.err.contains("reasoning_bank.search.default_limit"), "{bad:?}");
    world.write("elenchus.toml", "[reasoning_bank.confidence]\ninitial_explicit = 0.6\n");
    recorded(&world, "Less sure", "Ferries may leave later.");
    let listed = world.run(&["memory", "list"]);
    assert!(listed.out.contains("0.60"), "{listed:?}");
}

#[test]
fn what_cannot_be_meant_is_told() {
    let world = World::new();
    for (args, told) in [
        (vec!["memory", "search", ""], "holds no word"),
        (vec!["memory", "search", "ferry", "--limit", "0"], "the limit is 0"),
        (vec!["memory", "search", "ferry", "--limit", "21"], "the limit is 21"),
        (vec!["memory", "search", "ferry", "--min-confidence", "NaN"], "cannot be NaN"),
        (vec!["memory", "show", "mem_none"], "could not find memory"),
        (vec!["memory", "why", "' OR 1=1 --"], "could not find memory"),
        (vec!["memory", "edit", "mem_none"], "nothing was said"),
        (vec!["memory", "rollback", "--to", "soon", "--yes"], "neither a date"),
        (vec!["memory", "import", "nowhere.jsonl"], "could not import"),
    ] {
        let ran = world.run(&args);
        assert_eq!(ran.code, Some(2), "{args:?} {ran:?}");
        assert!(ran.err.contains(told), "{args:?} {ran:?}");
    }
    // The settings raise the limit.
    world.write("elenchus.toml", "[reasoning_bank.search]\nmax_limit = 30\n");
    world.run(&["memory", "search", "ferry", "--limit", "30"]).succeeds();
    world.run(&["memory", "search", "ferry", "--limit", "31"]).fails(2, "the limit is 31", "30");
}

#[test]
fn a_text_that_is_too_long_is_told_by_what_may_be_kept() {
    let world = World::new();
    let piped = |text: String| {
        let file = world.write("piped.txt", text);
        let mut command = world.command();
        command.args(["memory", "record", "--title", "Ferries", "--description", "d"]);
        command.args(["--outcome", "success", "--content", "-"]);
        command.stdin(std::fs::File::open(file).expect("it was written"));
        ran(&mut command)
    };
    // Two bytes a letter, so that the most bytes end within one.
    piped("ä".repeat(600_000)).fails(2, "more than 1000000 bytes", "20,000 characters");
    piped("ä".repeat(50_000)).fails(2, "50000 characters and may have 20000", "shorten");
    piped("ä".repeat(20_001)).fails(2, "20001 characters and may have 20000", "shorten");
    piped("Later in winter.".to_owned()).succeeds();
    let long = "Ferries ".repeat(300);
    let title = ["memory", "record", "--title", &long, "--description", "d"];
    let rest = ["--content", "c", "--outcome", "success"];
    world.run(&[&title[..], &rest[..]].concat()).fails(2, "and may have 50 characters", "title");
}

#[test]
fn all_is_offered_only_where_several_can_be_meant() {
    let world = World::new();
    for (words, offered) in [
        (&["memory", "record", "--help"][..], false),
        (&["memory", "edit", "--help"], false),
        (&["memory", "search", "--help"], true),
        (&["memory", "list", "--help"], true),
    ] {
        let help = world.run(words).out;
        assert_eq!(help.contains("- all:"), offered, "{words:?} {help}");
    }
    let words = ["memory", "record", "--title", "T", "--description", "d", "--content", "c"];
    let all = world.run(&[&words[..], &["--outcome", "all"]].concat());
    assert_eq!(all.code, Some(2), "{all:?}");
    assert!(all.err.contains("[possible values: success, failure]"), "{all:?}");
}

/// Six processes at a time record and search in one file. What each was told that it wrote is there, once, and nothing else.
fn six_at_once(world: &World, until: Instant, least: usize) {
    let works = |process: usize| {
        let mut written = Vec::new();
        while written.len() < least || Instant::now() < until {
            let title = format!("Lesson {process} {}", written.len());
            let id = recorded(world, &title, &format!("It is {title} of the ferry."));
            written.push((id, title));
            let found = world.run(&["memory", "search", "ferry lesson", "--json"]);
            assert_eq!(found.code, Some(0), "{found:?}");
            assert!(!found.err.contains("locked"), "{found:?}");
        }
        written
    };
    let mut written: Vec<(String, String)> = std::thread::scope(|scope| {
        let processes: Vec<_> = (0..6).map(|process| scope.spawn(move || works(process))).collect();
        processes.into_iter().flat_map(|one| one.join().expect("its writes succeed")).collect()
    });
    let listed = world.run(&["memory", "list", "--limit", "0", "--json"]);
    let all: Vec<Value> = serde_json::from_str(&listed.out).expect("JSON");
    let part = |held: &Value, name: &str| held["strategy"][name].as_str().map(str::to_owned);
    let mut kept: Vec<(String, String)> =
        all.iter().filter_map(|held| Some((part(held, "id")?, part(held, "title")?))).collect();
    written.sort_unstable();
    kept.sort_unstable();
    assert!(written.len() >= 6 * least);
    assert_eq!(kept, written);
}

#[test]
fn six_processes_share_a_memory() {
    six_at_once(&World::new(), Instant::now(), 4);
}

#[test]
#[ignore = "takes a minute: cargo xtask nightly"]
fn long_six_processes_share_a_memory() {
    six_at_once(&World::new(), Instant::now() + Duration::from_mins(1), 4);
}
