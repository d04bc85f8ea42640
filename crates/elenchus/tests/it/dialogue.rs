//! The dialogue before a vague question, and the replies that are kept. The model is a server on loopback (origin:
//! written); no pseudo-terminal is at hand in these tests, so answers come through a pipe, which a hidden flag allows.

use crate::ollama::{Ollama, Ways};
use crate::world::{Ran, World, harbor};
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Vague enough for code to ask the model.
const VAGUE: &str = "What do they say about sightings?";

fn vague() -> Ollama {
    Ollama::start(Ways { telling: vec!["fell by 38 %"], vague: true, ..Ways::default() })
}

/// Begins to ask; standard input stays open.
fn begin(world: &World, ollama: &Ollama, words: &[&str]) -> Child {
    let mut command = world.command();
    command.args(words).env("OLLAMA_HOST", &ollama.address);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

fn asking<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["ask", VAGUE, "--corpus", folder, "--model", "ollama:written"], more].concat()
}

/// Runs with these lines on standard input.
fn told(world: &World, ollama: &Ollama, words: &[&str], lines: &str) -> Ran {
    let mut child = begin(world, ollama, words);
    // Whoever does not read has ended, which the test sees.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    Ran::from(child.wait_with_output().expect("a child of ours"))
}

/// Prompts that ask whether a question is vague.
fn looked(ollama: &Ollama) -> usize {
    let is = |prompt: &&Value| !prompt["format"]["properties"]["vague"].is_null();
    ollama.prompts().iter().filter(is).count()
}

fn plan(ollama: &Ollama) -> String {
    let prompts = ollama.prompts();
    let plan = prompts
        .iter()
        .find(|prompt| !prompt["format"]["properties"]["estimated_sources"].is_null())
        .expect("a plan was asked for");
    plan["messages"][1]["content"].as_str().expect("a text").to_owned()
}

#[test]
fn the_answers_reach_the_plan_and_the_report() {
    let (world, ollama) = (World::new(), vague());
    let folder = harbor();
    let words = asking(folder.to_str().unwrap(), &["--piped-answers"]);
    let ran = told(&world, &ollama, &words, "7\n2\nonly porpoises\n");
    ran.succeeds();
    for part in [
        "1/2 Which years matter? (The surveys differ.)",
        "    2  2021 to 2025",
        "there is no choice 7",
        "2/2 Which animals do you mean?",
    ] {
        assert!(ran.err.contains(part), "{part:?}: {}", ran.err);
    }
    assert!(
        ran.out.contains("- You said: 2021 to 2025 (asked by the model: Which years matter?)"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("- You said: only porpoises"), "{}", ran.out);
    let plan = plan(&ollama);
    assert!(plan.contains("What the user said") && plan.contains("only porpoises"), "{plan}");
    assert!(plan.contains(VAGUE), "the question stays: {plan}");
    let id = world.newest();
    let replayed = world.run(&["runs", "replay", &id, "--json"]).succeeds().json();
    assert_eq!(replayed["clarified"][1]["answer"], "only porpoises");
    world.run(&["audit", &id]).succeeds();
}

#[test]
fn questions_can_be_skipped_one_or_all() {
    for (lines, said) in
        [("\n1\n", vec!["porpoises"]), ("s\n", vec![]), ("", vec![]), ("1\ns\n", vec!["2021"])]
    {
        let (world, ollama) = (World::new(), vague());
        let folder = harbor();
        let words = asking(folder.to_str().unwrap(), &["--piped-answers", "--json"]);
        let answer = told(&world, &ollama, &words, lines).succeeds().json();
        let answers: Vec<&str> = answer["clarified"]
            .as_array()
            .map(|all| all.iter().filter_map(|said| said["answer"].as_str()).collect())
            .unwrap_or_default();
        assert_eq!(answers, said, "{lines:?}");
        assert_eq!(plan(&ollama).contains("What the user said"), !said.is_empty());
    }
}

#[test]
fn nobody_is_asked_where_nobody_can_answer() {
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    for more in [
        &[][..],
        &["--clarify", "always"],
        &["--no-input"],
        &["--clarify", "never", "--piped-answers"],
        &["--jsonl", "--piped-answers"],
    ] {
        let (world, ollama) = (World::new(), vague());
        told(&world, &ollama, &asking(folder, more), "1\n1\n").succeeds();
        assert_eq!(looked(&ollama), 0, "{more:?}");
    }
    // A precise question costs no call, unless that is asked for.
    for (more, calls) in
        [(&["--piped-answers"][..], 0), (&["--piped-answers", "--clarify", "always"], 1)]
    {
        let (world, ollama) = (World::new(), vague());
        let precise = "Which share of porpoise sightings was lost between 2021 and 2025?";
        let mut words = asking(folder, more);
        words[1] = precise;
        told(&world, &ollama, &words, "s\n").succeeds();
        assert_eq!(looked(&ollama), calls, "{more:?}");
    }
    let world = World::new();
    let ran = world.run(&["ask", VAGUE, "--corpus", folder, "--no-input", "--clarify", "always"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    // The built-in model asks nothing back.
    let ran =
        world.run(&["ask", VAGUE, "--corpus", folder, "--clarify", "always", "--piped-answers"]);
    assert!(!ran.err.contains("1/"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_run_that_was_stopped_while_it_waits_asks_again() {
    let (world, ollama) = (World::new(), vague());
    let folder = harbor();
    let words = asking(folder.to_str().unwrap(), &["--piped-answers"]);
    let stopped = |words: &[&str]| {
        let before = looked(&ollama);
        let mut child = begin(&world, &ollama, words);
        // Held open to the end, as a terminal is: its end would count as an answer.
        let typing = child.stdin.take();
        let until = Instant::now() + Duration::from_mins(1);
        while looked(&ollama) == before && before == 0 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        std::thread::sleep(Duration::from_millis(1_500));
        let sent =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success());
        let ran = Ran::from(child.wait_with_output().expect("a child of ours"));
        drop(typing);
        ran
    };
    let ran = stopped(&words);
    ran.fails(130, "stopped run", "runs resume");
    let id = world.newest();
    let resume = ["runs", "resume", id.as_str(), "--json"];
    // It asks again, and may be stopped again.
    let ran = stopped(&[&resume[..], &["--piped-answers"]].concat());
    assert!(ran.code == Some(130) && ran.err.contains("1/2 Which years matter?"), "{ran:#?}");
    let ran = told(&world, &ollama, &[&resume[..], &["--piped-answers"]].concat(), "1\n\n");
    assert_eq!(ran.succeeds().json()["clarified"][0]["answer"], "2021");
    assert_eq!(looked(&ollama), 1, "what was asked once is not asked of the model again");

    // And where nobody can answer it goes on without.
    let (world, ollama) = (World::new(), vague());
    let mut child = begin(&world, &ollama, &words);
    let until = Instant::now() + Duration::from_mins(1);
    while looked(&ollama) == 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(1_500));
    child.kill().expect("a child of ours");
    child.wait().expect("a child of ours");
    let id = world.newest();
    let ran = world.run_with(
        &["runs", "resume", &id, "--json", "--no-input"],
        &[("OLLAMA_HOST", ollama.address.as_str())],
    );
    assert!(ran.succeeds().json()["clarified"].is_null(), "{}", ran.out);
    assert!(ran.err.contains("nobody can answer"), "{}", ran.err);
}

#[test]
fn a_reply_is_paid_for_once() {
    let world = World::new();
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let folder = harbor();
    let question = "Did porpoise sightings change?";
    let ask = |more: &[&str]| {
        let mut words = vec![
            "ask",
            question,
            "--corpus",
            folder.to_str().unwrap(),
            "--model",
            "ollama:written",
            "--json",
            // What the first run left would have the second one search with more words.
            "--no-memory",
        ];
        words.extend(more);
        world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())])
    };
    let first = ask(&[]).succeeds().json();
    let asked = ollama.prompts().len();
    assert!(asked >= 4);
    let again = ask(&[]).succeeds().json();
    assert_eq!(ollama.prompts().len(), asked, "nothing is asked again");
    assert_eq!(again["text"], first["text"]);
    assert_eq!(again["receipt"]["usage"]["output_tokens"], 0);
    let trace = world.run(&["runs", "trace", &world.newest(), "--jsonl"]);
    assert!(trace.succeeds().out.contains("kept from an earlier run"), "{}", trace.out);
    for (more, calls) in [(&["--no-cache"][..], asked), (&["--ephemeral"], asked), (&[], 0)] {
        let before = ollama.prompts().len();
        ask(more).succeeds();
        assert_eq!(ollama.prompts().len() - before, calls, "{more:?}");
    }
    let before = ollama.prompts().len();
    let words = [
        "ask",
        question,
        "--corpus",
        folder.to_str().unwrap(),
        "--model",
        "ollama:written",
        "--no-memory",
    ];
    let variables = [("OLLAMA_HOST", ollama.address.as_str()), ("ELENCHUS_CACHE", "false")];
    world.run_with(&words, &variables).succeeds();
    assert_eq!(ollama.prompts().len(), before + asked);
    // A damaged file is told, thrown away, and begun anew.
    let file = world.store().with_file_name("replies.db");
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(world.store().with_file_name(format!("replies.db{suffix}")));
    }
    std::fs::write(&file, "not a database, but some text ".repeat(200)).unwrap();
    let ran = ask(&[]);
    assert_eq!(ran.succeeds().json()["text"], first["text"]);
    assert!(ran.err.contains("begun anew"), "{}", ran.err);
    let before = ollama.prompts().len();
    ask(&[]).succeeds();
    assert_eq!(ollama.prompts().len(), before);
}

#[test]
fn the_older_loop_is_had_under_both_names() {
    let world = World::new();
    let question = "What will the second phase at Corbie Head cost?";
    for flag in ["--reflection", "--strategy"] {
        let answer = world.ask(question, &[flag, "single-step", "--json"]).succeeds().json();
        assert_eq!(answer["stop_reason"], "budget_rounds", "{flag}");
        assert_eq!(answer["receipt"]["rounds"], 5);
    }
    let answer = world.ask(question, &["--json"]).succeeds().json();
    assert_ne!(answer["stop_reason"], "budget_rounds");
}
