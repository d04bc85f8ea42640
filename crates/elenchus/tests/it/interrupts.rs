//! Stopping and going on.

#![cfg(unix)]

use crate::ollama::{Ollama, Ways};
use crate::world::{CAPACITY, Ran, World, harbor, ran, timeless};
use rusqlite::Connection;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// A part of a journal that is neither its beginning nor its end.
const MIDDLE: i64 = 4;

/// Waits until the journal of the only run has so many records; `false` when the process ended before.
fn reaches(world: &World, child: &mut Child, records: i64) -> bool {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let count = Connection::open(world.store()).and_then(|store| {
            store.query_row("SELECT max(records) FROM runs", [], |row| row.get::<_, Option<i64>>(0))
        });
        if count.is_ok_and(|count| count.unwrap_or(0) >= records) {
            return true;
        }
        if child.try_wait().expect("a child of ours").is_some() {
            return false;
        }
        assert!(Instant::now() < until, "the run does not get anywhere");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill is there").success());
}

/// Stops a run in its middle with a signal, and gives what it said. The writing end of the store is held
/// meanwhile, so that the run cannot end before it has heard.
fn stopped(world: &World, name: &str, more: &[&str]) -> Ran {
    stopped_as(world, name, &|| world.begin(CAPACITY, more))
}

fn stopped_as(world: &World, name: &str, begin: &dyn Fn() -> Child) -> Ran {
    for _ in 0..20 {
        let mut child = begin();
        let frozen = reaches(world, &mut child, MIDDLE).then(|| {
            let store = Connection::open(world.store()).expect("the store opens");
            store.execute_batch("BEGIN IMMEDIATE").map(|()| store)
        });
        if let Some(Ok(store)) = frozen {
            signal(&child, name);
            std::thread::sleep(Duration::from_millis(200));
            store.execute_batch("ROLLBACK").expect("nothing was changed");
        }
        let ran = Ran::from(child.wait_with_output().expect("a child of ours"));
        if ran.code != Some(0) {
            return ran;
        }
        // The run was quicker than this test: try again with a new store.
        std::fs::remove_dir_all(world.store().parent().expect("a folder")).expect("it is ours");
    }
    Ran { code: None, out: String::new(), err: "it was never slow enough to be stopped".to_owned() }
}

/// A stopped run over documents of the user's own.
fn stopped_over(world: &World, folder: &str) -> String {
    copy(&harbor(), &world.folder().join(folder));
    let begin = || {
        let mut command = world.command();
        command.args(["ask", CAPACITY, "--corpus", folder]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts")
    };
    stopped_as(world, "-INT", &begin).fails(130, "stopped run", "runs resume");
    world.newest()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder in the temporary one");
    for entry in std::fs::read_dir(from).expect("the sample corpus can be read") {
        let from = entry.expect("it is listed").path();
        let to = to.join(from.file_name().expect("it has a name"));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("a copy in the temporary folder");
        }
    }
}

fn uninterrupted() -> serde_json::Value {
    timeless(World::new().ask(CAPACITY, &["-q", "--json"]).json())
}

#[test]
fn a_stopped_run_goes_on_under_other_limits() {
    let world = World::new();
    stopped(&world, "-INT", &[]).fails(130, "stopped run", "runs resume");
    let id = world.newest();
    let page = ["--add-page", "https://a.example/"];
    let resume = ["runs", "resume", &id];
    world.run(&[&resume[..], &page].concat()).fails(2, "documents alone", "the folder");
    let limits = ["--max-rounds", "7", "--budget-passages", "60", "--add-document", "overview.md"];
    let resumed = world.run(&[&resume[..], &limits, &["--json"]].concat());
    assert_eq!(resumed.succeeds().json()["run_id"], id.as_str(), "it is the same run");
    assert!(resumed.err.contains("changed the limits"), "{}", resumed.err);
    world.run(&[&resume[..], &["--add-document", "a.md"]].concat()).fails(2, "it is over", "fork");
    let trace = world.run(&["runs", "trace", &id, "--jsonl"]);
    assert!(trace.out.contains("\"documents\":[\"overview.md\"]"), "{}", trace.out);
    let changed: Vec<serde_json::Value> = trace
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["type"] == "budget_changed")
        .map(|event| event["data"]["changes"].clone())
        .collect();
    let expected = serde_json::json!([[
        {"limit": "rounds", "from": 5, "to": 7},
        {"limit": "passages", "from": 50, "to": 60},
    ]]);
    assert_eq!(serde_json::Value::from(changed), expected);
}

/// Without the flag the order would look into the usual store, where the run is not.
#[test]
fn the_way_on_names_the_store_that_a_flag_named() {
    let world = World::new();
    let store = world.store().display().to_string();
    let ran = stopped(&world, "-INT", &["--store", &store]);
    let id = world.newest();
    ran.fails(130, "stopped run", &format!("`elenchus runs resume {id} --store {store}`"));
    let resumed = world.run(&["runs", "resume", &id, "--store", &store]);
    let again = format!("`elenchus runs show {id} --store {store}`");
    assert!(resumed.succeeds().err.contains(&again), "{}", resumed.err);
    let missing = world.run(&["runs", "show", "run_nope", "--store", &store]);
    missing.fails(2, "no run is called so", &format!("`elenchus runs list --store {store}`"));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_answer() {
    for name in ["-INT", "-TERM", "-HUP"] {
        let world = World::new();
        stopped(&world, name, &[]).fails(130, "stopped run", "runs resume");
        let id = world.newest();
        let shown = world.run(&["runs", "show", &id, "--json"]).json();
        assert_eq!(shown["status"], "stopped");
        // It was interrupted, and is found as that and as what can be gone on with.
        for status in ["interrupted", "stopped"] {
            let found = world.run(&["runs", "list", "--status", status, "--json"]).json();
            assert_eq!(found[0]["run_id"], id.as_str(), "{status}: {found}");
        }
        let found = world.run(&["runs", "list", "--status", "finished", "--json"]).json();
        assert_eq!(found.as_array().map(Vec::len), Some(0), "{found}");
        world.run(&["runs", "replay", &id]).fails(1, "has not ended", "runs resume");
        world.run(&["audit", &id]).fails(1, "has not ended", "runs resume");
        let resumed = world.run(&["runs", "resume", &id, "--json"]);
        assert_eq!(timeless(resumed.succeeds().json()), uninterrupted(), "{name}");
        let found = world.run(&["runs", "list", "--status", "interrupted", "--json"]).json();
        assert_eq!(found.as_array().map(Vec::len), Some(0), "it has its end: {found}");
        assert_eq!(world.run(&["runs", "replay", &id, "--json"]).out, resumed.out);
    }
}

#[test]
fn the_events_of_both_halves_are_the_whole_trace() {
    let world = World::new();
    let first = stopped(&world, "-INT", &["--jsonl"]);
    assert_eq!(first.code, Some(130), "{first:?}");
    let id = world.newest();
    let second = world.run(&["runs", "resume", &id, "--jsonl", "-q"]);
    let whole = world.run(&["runs", "trace", &id, "--jsonl"]);
    assert_eq!(format!("{}{}", first.out, second.succeeds().out), whole.out);
}

#[test]
fn a_killed_run_goes_on_to_the_same_answer() {
    let whole = uninterrupted();
    let mut midway = 0;
    // After every record at night, after every second one for a change.
    let apart = if std::env::var_os("ELENCHUS_NIGHTLY").is_some() { 1 } else { 3 };
    for records in (1..16).step_by(apart) {
        let world = World::new();
        let mut child = world.begin(CAPACITY, &["-q"]);
        reaches(&world, &mut child, records);
        // `kill` here is the signal that cannot be heard.
        child.kill().expect("it is ours");
        child.wait().expect("it is ours");
        let id = world.newest();
        midway += usize::from(world.run(&["runs", "list"]).out.contains("running"));
        let resumed = world.run(&["runs", "resume", &id, "--json"]);
        assert_eq!(timeless(resumed.succeeds().json()), whole, "after {records} records");
        let trace = world.run(&["runs", "trace", &id, "--jsonl"]);
        for (at, line) in trace.out.lines().enumerate() {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(event["seq"].as_u64(), Some(at as u64 + 1), "after {records} records");
        }
        world.run(&["audit", &id]).succeeds();
    }
    assert!(midway >= 5 / apart, "only {midway} runs were killed before their end");
}

#[test]
fn other_documents_are_not_taken_by_accident() {
    for _ in 0..40 {
        let world = World::new();
        world.write("other/a.md", "# A\n\nThe pump is red.\n");
        let mut child = world.begin(CAPACITY, &["-q"]);
        // Something is found, nothing is read.
        reaches(&world, &mut child, 7);
        child.kill().unwrap();
        child.wait().unwrap();
        let id = world.newest();
        let resume = ["runs", "resume", &id, "--corpus", "other", "--json"];
        let refused = world.run(&resume);
        if refused.code == Some(0) {
            // It had ended before.
            continue;
        }
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("are not those it started with"), "{refused:?}");
        assert!(refused.err.contains("--accept-changes"), "{refused:?}");
        let before = world.run(&["runs", "show", &id, "--json"]).json();
        if before["spent"]["searches"] == 0 || before["sources"] != serde_json::json!([]) {
            continue;
        }
        let failed = world.run(&[&resume[..], &["--accept-changes"]].concat());
        // The components are named, and what was found before is still an answer.
        assert_eq!(failed.code, Some(4), "{failed:?}");
        assert!(failed.err.contains("the index does not hold it"), "{failed:?}");
        assert_eq!(failed.json()["stop_reason"], "failed");
        assert!(world.run(&["runs", "list"]).out.contains("failed"));
        return;
    }
    unreachable!("the run was always quicker than this test");
}

#[test]
fn asking_twice_ends_at_once() {
    for _ in 0..20 {
        let world = World::new();
        let mut child = world.begin(CAPACITY, &[]);
        let frozen = reaches(&world, &mut child, MIDDLE).then(|| {
            let store = Connection::open(world.store()).unwrap();
            store.execute_batch("BEGIN IMMEDIATE").map(|()| store)
        });
        if let Some(Ok(store)) = frozen
            && child.try_wait().unwrap().is_none()
        {
            let start = Instant::now();
            signal(&child, "-INT");
            std::thread::sleep(Duration::from_millis(100));
            signal(&child, "-INT");
            let ran = Ran::from(child.wait_with_output().unwrap());
            assert_eq!(ran.code, Some(130), "{ran:?}");
            assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
            store.execute_batch("ROLLBACK").unwrap();
            drop(store);
            let resumed = world.run(&["runs", "resume", &world.newest(), "--json", "-q"]);
            assert_eq!(timeless(resumed.succeeds().json()), uninterrupted());
            return;
        }
        child.wait().unwrap();
    }
    unreachable!("the run was always quicker than this test");
}

#[test]
fn reading_documents_can_be_stopped() {
    let world = World::new();
    world.write("docs/a.md", "# A\n\nThe pump is red.\n");
    world.run(&["ingest", "docs"]).succeeds();
    world.write("docs/b.md", "# B\n\nThe valve is blue.\n");
    let index = std::fs::read_dir(world.indexes()).unwrap().next().unwrap().unwrap().path();
    let index =
        index.to_str().unwrap().trim_end_matches("-wal").trim_end_matches("-shm").to_owned();
    let lock = Connection::open(&index).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut command = world.command();
    command.args(["ask", "What is red?", "--corpus", "docs"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    signal(&child, "-INT");
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.fails(130, "stopped reading the documents", "same command again");
    lock.execute_batch("ROLLBACK").unwrap();
    drop(lock);
    world.run(&["ask", "What is red?", "--corpus", "docs", "-q"]).succeeds();
}

#[test]
fn an_interrupted_run_that_is_not_kept_answers_with_what_it_has() {
    use std::io::{BufRead, BufReader, Read};
    let world = World::new();
    for _ in 0..20 {
        let mut child = world.begin(CAPACITY, &["--ephemeral", "--jsonl"]);
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut trace = String::new();
        lines.read_line(&mut trace).unwrap();
        signal(&child, "-INT");
        lines.read_to_string(&mut trace).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        if ran.code == Some(0) {
            continue;
        }
        assert_eq!(ran.code, Some(130), "{ran:?}");
        assert!(ran.err.contains("stopping: the answer is made of what was found"), "{ran:?}");
        let last: serde_json::Value = serde_json::from_str(trace.lines().last().unwrap()).unwrap();
        assert_eq!(last["type"], "session_completed");
        assert_eq!(last["data"]["stop_reason"], "interrupted");
        return;
    }
    unreachable!("the run was always quicker than this test");
}

#[test]
fn a_run_is_driven_by_one_process() {
    let world = World::new();
    let stopped = stopped(&world, "-INT", &[]);
    stopped.fails(130, "stopped run", "runs resume");
    assert!(stopped.err.contains("Ctrl-C once more ends this at once"), "{stopped:?}");
    let id = world.newest();
    // Somebody on another machine, of whom nothing is known.
    let store = Connection::open(world.store()).unwrap();
    let far = i64::MAX / 4;
    let change = "UPDATE leases SET holder = 'elsewhere/42/7/x', expires_at = ?1";
    store.execute(change, [far]).unwrap();
    world.run(&["runs", "resume", &id]).fails(5, "process 42 is driving it", "runs trace");
    world.run(&["runs", "delete", &id, "--yes"]).fails(5, "process 42", "wait for it");
    // Looking is always allowed.
    world.run(&["runs", "show", &id]).succeeds();
    store.execute(change, [0]).unwrap();
    world.run(&["runs", "resume", &id, "-q"]).succeeds();
}

#[test]
fn a_resumed_run_finds_its_documents_or_says_so() {
    let world = World::new();
    stopped(&world, "-INT", &[]).fails(130, "stopped run", "runs resume");
    let id = world.newest();
    // The index is gone: it is built again from the documents.
    std::fs::remove_dir_all(world.indexes()).unwrap();
    // What was noted is gone: the documents have to be named.
    let notes = world.store().with_extension("runs");
    std::fs::remove_dir_all(&notes).unwrap();
    world.run(&["runs", "resume", &id]).fails(2, "not noted", "--corpus DIR");
    world.run(&["runs", "resume", &id, "--corpus", "nowhere"]).fails(2, "nowhere", "--corpus DIR");
    let folder = harbor();
    let resumed =
        world.run(&["runs", "resume", &id, "--json", "--corpus", folder.to_str().unwrap()]);
    assert_eq!(timeless(resumed.succeeds().json()), uninterrupted());
}

#[test]
fn a_resumed_run_keeps_to_what_was_read_and_says_what_has_changed_since() {
    let world = World::new();
    let id = stopped_over(&world, "docs");
    world.write("docs/people.md", "# People\n\nNobody is left.\n");
    world.write("docs/new.md", "# New\n\nThe boat is red.\n");
    let resumed = world.run(&["runs", "resume", &id, "--json"]);
    resumed.succeeds();
    assert!(resumed.err.contains("warning: 2 files have changed"), "{}", resumed.err);
    assert!(resumed.err.contains(&format!("{id} --accept-changes")), "{}", resumed.err);
    world.run(&["audit", &id]).succeeds();
    assert_eq!(world.run(&["runs", "replay", &id, "--json"]).out, resumed.out);
    // They are still to be read.
    let read = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    assert_eq!((&read["added"], &read["changed"]), (&1.into(), &1.into()));
}

#[test]
fn accepted_changes_are_read() {
    let world = World::new();
    let id = stopped_over(&world, "docs");
    world.write("docs/new.md", "# New\n\nThe boat is red.\n");
    let resumed = world.run(&["runs", "resume", &id, "--json", "--accept-changes"]);
    resumed.succeeds();
    assert!(resumed.err.contains("have changed since this run started"), "{}", resumed.err);
    assert!(!resumed.err.contains("1 file has changed"), "{}", resumed.err);
    let read = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    assert_eq!((&read["added"], &read["changed"]), (&0.into(), &0.into()));
    world.run(&["audit", &id]).succeeds();
    // The run was told what came, so that what it had given up for want of it can be opened again.
    let trace = world.run(&["runs", "trace", &id, "--jsonl"]).succeeds().out.clone();
    let told = trace.lines().find(|line| line.contains("documents_added")).expect("it is told");
    assert!(told.contains("The boat is red."), "{told}");
}

/// A run that is over gave up what a document says that came later: another run looks for it, and says where it comes from.
#[test]
fn what_was_given_up_is_looked_for_again_once_documents_come() {
    let world = World::new();
    world.write("docs/mill.md", "# Mill\n\nThe mill is red.\n");
    let question = "What does the pump cost?";
    let first = world.run(&["ask", question, "--corpus", "docs", "-q"]);
    assert!(first.succeeds().out.contains("Given up because"), "{}", first.out);
    world.write("docs/pump.md", "# Pump\n\nThe pump costs 300 euros.\n");
    // There is one run, so that the beginning of any id names it.
    let again = world.run(&["runs", "resume", "run_", "--accept-changes", "--jsonl"]);
    let trace = &again.succeeds().out;
    let line = |words: &str| trace.lines().find(|line| line.contains(words)).expect(trace);
    assert!(line("\"session_started\"").contains("\"reopened\":{\"parent\":\"run_"), "{trace}");
    assert!(line("\"gap_reopened\"").contains("gave it up"), "{trace}");
    assert!(line("\"answer_completed\"").contains("300 euros"), "{trace}");
    // Over the same documents no other run is begun.
    let begun = line("\"session_started\"").split("\"parent\":\"").nth(1).expect(trace);
    let parent = begun.split('"').next().expect(trace);
    let once_more = world.run(&["runs", "resume", parent, "--accept-changes"]);
    assert!(once_more.succeeds().out.contains("300 euros"), "{}", once_more.out);
    assert!(once_more.err.contains("has looked for it"), "{}", once_more.err);
}

#[test]
fn a_run_of_another_process_is_told_what_to_do_over_the_same_file() {
    let slow = Arc::new(AtomicU64::new(1_000));
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], slow, ..Ways::default() });
    let world = World::new();
    let with = |words: &[&str]| {
        let mut command = world.command();
        command.env("OLLAMA_HOST", &ollama.address).env("ELENCHUS_CACHE", "false").args(words);
        command
    };
    let folder = harbor();
    let asking = ["ask", "Did porpoise sightings change?", "--model", "ollama:written", "--json"];
    let mut child = with(&[&asking[..], &["--corpus", folder.to_str().unwrap()]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(reaches(&world, &mut child, MIDDLE), "a second a reply is slow enough");
    let id = world.newest();
    let words = ["--max-rounds", "6", "--redirect", "where they were seen", "--exclude", "drafts/"];
    let more = ["--drop-hypothesis", "h9", "--tell", "interrupt", "--json", "-q"];
    let told = ran(&mut with(&[&["runs", "attach", &id][..], &words, &more].concat()));
    assert_eq!(told.code, Some(130), "{told:?}");
    assert_eq!(told.json()["stop_reason"], "interrupted");
    let asked = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(asked.code, Some(130), "{asked:?}");
    assert_eq!(asked.json(), told.json(), "both have the one answer");
    let trace = world.run(&["runs", "trace", &id, "--jsonl"]);
    let heard: Vec<serde_json::Value> = trace
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["type"] == "control_received")
        .map(|event| event["data"].clone())
        .collect();
    let expected = serde_json::json!([
        {"control": "set_budget", "rounds": 6},
        {"control": "redirect", "focus": "where they were seen", "exclude": ["drafts/"]},
        {"control": "drop_hypothesis", "id": "h9"},
        {"control": "interrupt"},
    ]);
    assert_eq!(serde_json::Value::from(heard), expected, "in their order, each once");
}

#[test]
fn a_run_that_nobody_drives_is_not_attached_to() {
    let world = World::new();
    stopped(&world, "-INT", &[]).fails(130, "stopped run", "runs resume");
    let id = world.newest();
    for words in [&["runs", "attach", &id][..], &["runs", "attach", &id, "--tell", "interrupt"]] {
        world.run(words).fails(2, "nobody drives it", "runs resume");
    }
    let empty = world.run(&["runs", "attach", &id, "--redirect", ""]);
    assert_eq!(empty.code, Some(2), "{empty:?}");
}
