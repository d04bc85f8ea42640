//! Runs that learn: what one leaves, the next is told, and what came of it is in the trace and in the memory.

use crate::ollama::{Ollama, Ways};
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
fn a_model_reads_a_session_that_says_itself_nothing_of_what_was_learned() {
    let world = World::new();
    let notes =
        world.write("notes.txt", "I ran the tests, and then the migration.\nThe build failed.\n");
    let notes = notes.to_str().expect("UTF-8");
    let unread = world.run(&["distill", "--session", notes, "--outcome", "failure"]);
    let said = &unread.succeeds().out;
    assert!(said.contains("nothing else is read without a language model"), "{said}");
    assert!(listed(&world).is_empty());
    let model = ["--outcome", "failure", "--model", "ollama:written", "--json"];
    let distilled = |ways: Ways, file: &str, more: &[&str]| {
        let ollama = Ollama::start(ways);
        let words = [&["distill", "--session", file], &model[..], more].concat();
        world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]).succeeds().json()
    };
    // The same text, now that somebody reads it. What it says beside is no fault.
    let taught = "Here it is.\n\n## Memory 1\n**Title**: Migrate before testing\n\
                  **Description**: When tests share a database\n**Content**: Run the migration first.\n\
                  **Tags**: build\n**Outcome**: failure\n";
    let read = distilled(Ways { taught, ..Ways::default() }, notes, &["--from-web"]);
    let session = &read["sessions"][0];
    assert_eq!(
        (session["memories"].as_array().map(Vec::len), &session["failed"]),
        (Some(1), &Value::Null),
        "{read}"
    );
    let held = listed(&world);
    assert_eq!(held[0]["strategy"]["title"], "Migrate before testing");
    assert_eq!(held[0]["strategy"]["standing"]["state"], "quarantined", "{held:?}");
    // That nothing is to be learned is an answer, in whatever words, and when it was kept of an earlier call.
    world.write("short.txt", "I asked, and was answered.");
    let taught = "It was a short session.\n\n**NO_EXTRACTIONS**\n";
    let ollama = Ollama::start(Ways { taught, ..Ways::default() });
    for project in ["one", "another"] {
        world.write("elenchus.toml", format!("project = \"{project}\"\n"));
        let words = [&["distill", "--session", "short.txt"], &model[..]].concat();
        let told = world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]);
        let told = told.succeeds().json();
        assert_eq!(told["sessions"][0]["failed"], Value::Null, "{project}: {told}");
        assert_eq!(ollama.prompts().len(), 1, "{project}");
    }
    // A reply to something else is none.
    world.write("long.txt", "I asked, and nobody answered.");
    let told = distilled(Ways { useless: true, ..Ways::default() }, "long.txt", &[]);
    let cause = told["sessions"][0]["failed"].as_str().expect("it failed");
    assert!(cause.contains("none of 3 replies"), "{told}");
    assert!(world.run(&["memory", "stats"]).out.contains("1 waiting"));
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
    assert!(world.run(&["distill", "--failed"]).out.contains("No session gave trouble."));
    for (words, cause) in [
        (vec!["distill", "--session", "nowhere.txt"], "nowhere.txt"),
        (vec!["distill", "--outcome", "failure"], "--session"),
    ] {
        let refused = world.run(&words);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(cause), "{refused:?}");
    }
}
