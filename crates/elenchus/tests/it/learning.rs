//! Runs that learn: what one leaves, the next is told, and what came of it is in the trace and in the memory.

use crate::world::{CAPACITY, UNANSWERABLE, World};
use serde_json::Value;

fn events(world: &World, run: &str) -> Vec<Value> {
    let traced = world.run(&["runs", "trace", run, "--jsonl"]);
    assert_eq!(traced.code, Some(0), "{traced:?}");
    traced.out.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn asked(world: &World, question: &str, more: &[&str]) -> Value {
    let mut words = vec!["--json"];
    words.extend(more);
    let ran = world.ask(question, &words);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.out).expect("the answer as JSON")
}

fn listed(world: &World) -> Vec<Value> {
    let ran = world.run(&["memory", "list", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    match serde_json::from_str(&ran.out).expect("JSON") {
        Value::Array(all) => all,
        other => other["memories"].as_array().cloned().unwrap_or_default(),
    }
}

#[test]
fn what_was_given_up_is_learned_once_and_told_the_next_run() {
    let world = World::new();
    let first = world.ask(UNANSWERABLE, &[]);
    assert!(first.err.contains("learned mem_"), "{first:?}");
    let held = listed(&world);
    assert!(!held.is_empty());
    let again = asked(&world, UNANSWERABLE, &[]);
    assert_eq!(listed(&world).len(), held.len(), "the same is not learned twice");
    let run = again["run_id"].as_str().expect("an id").to_owned();
    let trace = events(&world, &run);
    let of = |kind: &str| trace.iter().filter(|event| event["type"] == kind).count();
    assert_eq!((of("memory_recalled"), of("memory_credited")), (1, held.len()));
    // A replay needs no memory.
    let replayed = world.run(&["runs", "replay", &run]);
    assert!(replayed.out.contains(UNANSWERABLE), "{replayed:?}");
}

#[test]
fn a_strategy_that_was_recorded_goes_into_a_search_and_is_credited() {
    let world = World::new();
    let recorded = world.run(&[
        "memory",
        "record",
        "--title",
        "Where capacities stand",
        "--description",
        "When a question asks for the installed capacity of an array",
        "--content",
        "The quarterly tables have it.\nSearch words: indicator value quarter",
        "--outcome",
        "success",
    ]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    let answer = asked(&world, CAPACITY, &[]);
    assert!(answer["conclusion"].as_str().is_some_and(|text| text.contains("5.6 MW")), "{answer}");
    let trace = events(&world, answer["run_id"].as_str().expect("an id"));
    let credit = trace.iter().find(|event| event["type"] == "memory_credited").expect("it is told");
    assert_eq!(credit["data"]["used"], true, "{credit}");
    let id = credit["data"]["memory_id"].as_str().expect("an id");
    let why = world.run(&["memory", "why", id]);
    assert!(why.out.contains("put to use"), "{why:?}");
    // Without it, the run is told nothing and leaves nothing.
    let held = listed(&world).len();
    let without = asked(&world, UNANSWERABLE, &["--no-memory"]);
    let trace = events(&world, without["run_id"].as_str().expect("an id"));
    assert!(!trace.iter().any(|event| event["type"] == "memory_recalled"));
    assert_eq!(listed(&world).len(), held);
}

#[test]
fn a_foreign_session_is_distilled_by_what_it_says() {
    let world = World::new();
    let secret = format!("ghp_{}", "Zq8vN4tYw2Rk7Lm1Xc5Bd9Fh3Gj6Ps0TaUeV");
    let notes = world.write(
        "notes.txt",
        format!(
            "pushed with the token {secret}\nthe build failed twice\nLesson: run the migration before the \
             tests, they share one database\nPitfall: the cache keeps the old schema for an hour\n"
        ),
    );
    let notes = notes.to_str().expect("UTF-8");
    let ran = world.run(&["distill", "--session", notes, "--outcome", "failure"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("taken out of the session"), "{ran:?}");
    assert!(ran.out.contains("run the migration before the tests"), "{ran:?}");
    assert_eq!(listed(&world).len(), 2);
    let exported = world.run(&["memory", "export"]);
    assert!(!exported.out.contains(&secret), "{exported:?}");
    let again = world.run(&["distill", "--session", notes, "--outcome", "failure"]);
    assert!(again.err.contains("queued before"), "{again:?}");
    assert!(world.run(&["distill", "--failed"]).out.contains("No session was given up."));
    for (words, cause) in [
        (vec!["distill", "--session", "nowhere.txt"], "nowhere.txt"),
        (vec!["distill", "--outcome", "failure"], "--session"),
    ] {
        let refused = world.run(&words);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(cause), "{refused:?}");
    }
}
