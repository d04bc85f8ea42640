//! Runs that are kept.

use crate::world::{CAPACITY, UNANSWERABLE, World, timeless};
use serde_json::Value;

#[test]
fn a_replay_gives_the_same_bytes_without_the_documents() {
    let world = World::new();
    world.write("docs/a.md", "# Pump\n\nThe pump costs 300 euros.\n");
    let asked = world.run(&["ask", "What does the pump cost?", "--corpus", "docs"]);
    let id = world.newest();
    std::fs::remove_dir_all(world.folder().join("docs")).unwrap();
    std::fs::remove_dir_all(world.indexes()).unwrap();
    for words in [
        &["runs", "replay", &id][..],
        &["runs", "replay", &id[..9]],
        &["runs", "replay", &id[4..]],
        &["runs", "export", &id],
        &["runs", "resume", &id],
    ] {
        assert_eq!(world.run(words).succeeds().out, asked.succeeds().out, "{words:?}");
    }
}

#[test]
fn an_export_is_what_ask_gave() {
    let world = World::new();
    let json = world.ask(CAPACITY, &["-q", "--json"]);
    let id = world.newest();
    assert_eq!(world.run(&["runs", "export", &id, "--format", "json"]).out, json.out);
    assert_eq!(world.run(&["runs", "replay", &id, "--json"]).out, json.out);

    world.run(&["runs", "export", &id, "--out", "a.json"]).succeeds();
    assert_eq!(std::fs::read_to_string(world.folder().join("a.json")).unwrap(), json.out);
    world.run(&["runs", "export", &id, "--out", "a.docx"]).fails(2, "as .docx", ".html");

    let lines = world.ask(CAPACITY, &["-q", "--jsonl"]);
    let id = world.newest();
    assert_eq!(world.run(&["runs", "trace", &id, "--jsonl"]).out, lines.out);
    world.run(&["runs", "export", &id, "--format", "jsonl", "--out", "t.jsonl"]).succeeds();
    assert_eq!(std::fs::read_to_string(world.folder().join("t.jsonl")).unwrap(), lines.out);
    world.run(&["runs", "export", &id, "--out", "t.jsonl"]).fails(2, "the file exists", "--force");
}

#[test]
fn what_a_run_that_is_over_left_unanswered_is_not_open() {
    let world = World::new();
    world.ask(UNANSWERABLE, &["-q"]).succeeds();
    let shown = world.run(&["runs", "show", &world.newest()]);
    let question = format!("{UNANSWERABLE} (not established)");
    assert!(shown.succeeds().out.contains(&question), "{}", shown.out);
}

#[test]
fn runs_are_listed_newest_first_and_shown() {
    let world = World::new();
    let none = world.run(&["runs", "list"]);
    assert_eq!(none.succeeds().out, "");
    assert!(none.err.contains("there are no runs in "));
    assert_eq!(world.run(&["runs", "list", "--json"]).out, "[]\n");
    assert!(!world.store().exists(), "looking makes no store");

    world.ask("Who is the chair?", &["-q"]);
    world.ask(CAPACITY, &["-q"]);
    let list = world.run(&["runs", "list", "--json"]).json();
    assert_eq!(list[0]["question"], CAPACITY);
    assert_eq!(list[1]["question"], "Who is the chair?");
    let text = world.run(&["runs", "list"]).out;
    assert_eq!(text.lines().count(), 3);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");

    let id = world.newest();
    let shown = world.run(&["runs", "show", &id]).succeeds().out.clone();
    assert!(shown.contains("status:    finished (answered)"), "{shown}");
    let json = world.run(&["runs", "show", &id, "--json"]).json();
    assert_eq!(json["questions"][0]["answered"], true);
    assert_eq!(json["audit"], Value::Array(Vec::new()));
    let gaps = json["gaps"].as_array().unwrap();
    assert!(!gaps.is_empty() && gaps.iter().all(|gap| gap.get("vector").is_none()), "{json:#}");
    let trace = world.run(&["runs", "trace", &id]).succeeds().out.clone();
    assert!(trace.contains("Run: \u{201C}"), "{trace}");
    assert!(trace.contains("Every planned question was answered"), "{trace}");
}

#[test]
fn a_deleted_run_is_gone_with_everything() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]);
    let id = world.newest();
    let notes = world.store().with_extension("runs");
    assert_eq!(std::fs::read_dir(&notes).unwrap().count(), 1);
    // Nobody is there to be asked.
    world.run(&["runs", "delete", &id]).fails(2, "no terminal to answer from", "--yes");
    world.run(&["runs", "show", &id]).succeeds();
    world.run(&["runs", "delete", &id, "--yes"]).succeeds();
    assert_eq!(std::fs::read_dir(&notes).unwrap().count(), 0);
    world.run(&["runs", "show", &id]).fails(2, "no run is called so", "holds no runs");
}

#[test]
fn an_unknown_run_is_told_with_the_nearest() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]);
    let id = world.newest();
    let other = if id.ends_with('0') { '1' } else { '0' };
    let typo = format!("{}{other}", &id[..15]);
    for command in ["show", "trace", "replay", "resume", "export", "delete"] {
        world.run(&["runs", command, &typo]).fails(2, "no run is called so", &id);
    }
    world.run(&["audit", &typo]).fails(2, "no run is called so", &id);
}

/// The events of a run.
fn events(world: &World, run: &str) -> Vec<Value> {
    let lines = world.run(&["runs", "trace", run, "--jsonl"]).succeeds().out.clone();
    lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn a_run_is_forked_from_a_step_and_stays_as_it_is() {
    let world = World::new();
    let asked = world.ask(CAPACITY, &["-q", "--json"]);
    let parent = world.newest();
    let before = events(&world, &parent);
    let at = before.iter().find(|event| event["type"] == "reasoning_observation").unwrap();
    let at = at["seq"].to_string();
    // Somebody holds it: it is only read.
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let held = "UPDATE leases SET holder = 'elsewhere/42/7/x', expires_at = ?1";
    store.execute(held, [i64::MAX / 4]).unwrap();
    drop(store);

    let fork = ["runs", "fork", &parent, "--at", &at, "--json"];
    let alike = world.run(&fork).succeeds().json();
    assert_eq!(timeless(alike), timeless(asked.json()), "nothing was told otherwise");
    let focus = "Who is the chair?";
    let forked = world.run(&[&fork[..], &["--focus", focus]].concat());
    let child = forked.succeeds().json()["run_id"].as_str().unwrap().to_owned();
    assert!(forked.err.contains(&format!("it is run {child}")), "{}", forked.err);
    assert_eq!(world.newest(), child);
    let shown = world.run(&["runs", "show", &child, "--json"]).json();
    assert!(shown["questions"].to_string().contains(focus), "{shown:#}");
    let after = events(&world, &child);
    let origin = &after[0]["data"]["forked"];
    assert_eq!(origin["parent"], parent.as_str());
    let shared = usize::try_from(origin["event_id"].as_u64().unwrap()).unwrap();
    for (old, new) in before.iter().zip(&after).take(shared).skip(1) {
        assert_eq!((&old["type"], &old["data"]), (&new["type"], &new["data"]));
    }
    assert_eq!(after[shared]["type"], "control_received");
    let trace = world.run(&["runs", "trace", &child]).succeeds().out.clone();
    assert!(trace.contains(&format!("from step {shared} of run {parent} on")), "{trace}");
    // Both chains hold, and each is what it was.
    for (run, told) in [(&parent, &before), (&child, &after)] {
        world.run(&["audit", run]).succeeds();
        assert_eq!(&events(&world, run), told);
    }
}

#[test]
fn a_run_that_a_limit_ended_goes_on_in_another_one() {
    let world = World::new();
    let question = "What is the installed capacity of the Skerry Tidal Array and who is the chair of the harbour board?";
    let asked = world.ask(question, &["-q", "--json", "--budget-passages", "1"]).succeeds().json();
    assert_eq!(asked["stop_reason"], "budget_passages", "{asked:#}");
    let parent = world.newest();
    let before = events(&world, &parent);
    let resume = |more: &[&str]| world.run(&[&["runs", "resume", &parent][..], more].concat());
    // What was reached has to be raised.
    for short in [&["--budget-passages", "1"][..], &["--max-rounds", "8"]] {
        resume(short).fails(2, "leave room for nothing more", "raise the limit");
    }
    resume(&["--budget-usd", "100001"]).fails(2, "may be set", "at most 100000");
    world.run(&["runs", "attach", &parent, "--max-rounds", "8"]).fails(2, "it is over", "resume");
    assert_eq!(world.newest(), parent, "nothing of that began a run");

    let more = resume(&["--budget-passages", "40", "--json"]);
    let answer = more.succeeds().json();
    let child = answer["run_id"].as_str().unwrap().to_owned();
    assert_ne!(child, parent);
    assert!(more.err.contains("another one goes on from there with 40 passages"), "{}", more.err);
    assert_eq!(answer["stop_reason"], "answered", "{answer:#}");
    assert_eq!(answer["could_not_establish"], serde_json::json!([]));
    let after = events(&world, &child);
    let shared = after[0]["data"]["forked"]["event_id"].as_u64().unwrap();
    let shared = usize::try_from(shared).unwrap();
    for (old, new) in before.iter().zip(&after).take(shared).skip(1) {
        assert_eq!((&old["type"], &old["data"]), (&new["type"], &new["data"]));
    }
    let told = serde_json::json!({"control": "set_budget", "passages": 40});
    assert_eq!(after[shared]["data"], told);
    let changed = serde_json::json!([{"limit": "passages", "from": 1, "to": 40}]);
    assert_eq!(after[shared + 1]["data"]["changes"], changed);
    let trace = world.run(&["runs", "trace", &child]).succeeds().out.clone();
    assert!(trace.contains("you changed the limits: passages from 1 to 40"), "{trace}");
    // Both chains hold, and the run itself is what it was, with its own answer.
    for (run, told) in [(&parent, &before), (&child, &after)] {
        world.run(&["audit", run]).succeeds();
        assert_eq!(&events(&world, run), told);
    }
    assert_eq!(resume(&["--json", "-q"]).succeeds().json(), asked);
}

#[test]
fn a_run_that_no_limit_ended_has_no_use_for_other_limits() {
    let world = World::new();
    world.ask(UNANSWERABLE, &["-q"]).succeeds();
    let id = world.newest();
    world.run(&["runs", "resume", &id, "--max-rounds", "9"]).fails(2, "no limit ended it", "fork");
}

#[test]
fn what_cannot_be_forked_is_told_with_a_way_out() {
    let world = World::new();
    world.write("docs/a.md", "# Pump\n\nThe pump costs 300 euros.\n");
    world.write("other/a.md", "# Pump\n\nThe pump is red.\n");
    world.run(&["ask", "What does the pump cost?", "--corpus", "docs", "-q"]).succeeds();
    let id = world.newest();
    let fork = ["runs", "fork", &id, "--at"];
    let with = |more: &[&str]| world.run(&[&fork[..], more].concat());
    with(&["9999"]).fails(2, "its trace has the events 1 to ", "name one of them");
    with(&["4", "--focus", "?!"]).fails(2, "the focus is empty", "--focus");
    with(&["4", "--corpus", "other"]).fails(2, "not those it started with", "--accept-changes");
    with(&["4", "--corpus", "nowhere"]).fails(2, "nowhere", "--corpus DIR");
    world.run(&["runs", "fork", "run_none", "--at", "4"]).fails(2, "no run is called so", "list");
    assert_eq!(with(&["0"]).code, Some(2));
    // Nothing of that left a run behind.
    let runs = || world.run(&["runs", "list", "--json"]).json().as_array().unwrap().len();
    assert_eq!(runs(), 1);
    with(&["4", "--corpus", "other", "--accept-changes", "-q"]);
    assert_eq!(runs(), 2);
}

#[test]
fn a_citation_that_is_none_is_told_with_those_there_are() {
    let world = World::new();
    world.write("docs/a.md", "# Pump\n\nThe pump costs 300 euros.\n");
    world.run(&["ask", "What does the pump cost?", "--corpus", "docs", "-q"]).succeeds();
    let id = world.newest();
    let all = format!("elenchus source {id}");
    world.run(&["source", &id, "9"]).fails(2, "its answer cites only [1]", &all);
    world.run(&["source", &id, "1"]).succeeds();
    // The way out that is named works.
    assert!(world.run(&["source", &id]).succeeds().out.contains("[1] Pump"));
    std::fs::create_dir(world.folder().join("empty")).unwrap();
    world.run(&["ask", "Who owns the mill?", "--corpus", "empty", "-q"]).succeeds();
    let id = world.newest();
    world.run(&["source", &id, "1"]).fails(2, "its answer cites nothing", "runs replay");
}

#[test]
fn an_audit_tells_a_changed_answer() {
    let world = World::new();
    world.ask(CAPACITY, &["-q", "--out", "a.json"]).succeeds();
    let id = world.newest();
    world.run(&["audit", &id]).succeeds();
    let fine = world.run(&["audit", "a.json"]);
    assert!(fine.succeeds().out.contains("nothing is wrong"), "{}", fine.out);

    let text = std::fs::read_to_string(world.folder().join("a.json")).unwrap();
    world.write("b.json", text.replace("5.6 MW", "9.9 MW"));
    let ran = world.run(&["audit", "b.json"]);
    ran.fails(1, "does not hold", "runs replay");
    assert!(ran.out.contains("does not say"), "{}", ran.out);
    let json = world.run(&["audit", "b.json", "--json"]);
    assert_eq!(json.code, Some(1));
    let notes = json.json();
    assert!(
        notes["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note["kind"] == "quote_not_in_passage")
    );

    world.write("c.json", "{}");
    world.run(&["audit", "c.json"]).fails(2, "it is no answer", "--json");
    world.run(&["audit", "d.json"]).fails(2, "could not read the answer", "--json");
}
