//! Language models, from the command line: a server on loopback whose replies are written by hand.

use crate::ollama::{Ollama, Ways};
use crate::world::{World, harbor};
use serde_json::Value;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// The built-in model gives this one up: "change" stands in no document.
const QUESTION: &str = "Did porpoise sightings change?";

fn answer(world: &World, ollama: &Ollama, more: &[&str]) -> Value {
    let folder = harbor();
    let mut words =
        vec!["ask", QUESTION, "--corpus", folder.to_str().expect("its path is UTF-8"), "--json"];
    words.extend(["--model", "ollama:written"]);
    words.extend(more);
    world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]).succeeds().json()
}

#[test]
fn a_model_points_at_sentences_and_the_program_quotes_them() {
    let world = World::new();
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let answer = answer(&world, &ollama, &[]);
    let conclusion = answer["conclusion"].as_str().unwrap();
    assert!(conclusion.contains("fell by 38 %") && conclusion.contains("[1]"), "{answer:#}");
    assert_eq!(answer["model"], "ollama:written");
    assert_eq!(answer["receipt"]["usage"]["output_tokens"].as_u64().unwrap() % 40, 0);
    assert!(answer["confidence"]["overall_confidence"].as_f64().unwrap() > 0.5);
    // The explanations are the model's, the figures the program's.
    let explanations = answer["hypotheses"].as_array().unwrap();
    assert_eq!(explanations.len(), 2, "{answer:#}");
    assert_eq!(explanations[0]["claim"], "Porpoise sightings fell by 38 %", "{answer:#}");
    assert!(explanations[0]["confidence"].as_f64() > explanations[1]["confidence"].as_f64());
    assert!(explanations[0]["supporting"][0]["relevant_text"].as_str().unwrap().contains("38 %"));
    // Whatever the passages say, they are fenced, and the reply's shape is demanded.
    let prompts = ollama.prompts();
    assert!(prompts.len() >= 4, "{}", prompts.len());
    for prompt in &prompts {
        assert!(prompt["format"]["properties"].is_object(), "{prompt:#}");
        assert_eq!(prompt["options"]["temperature"], 0.0);
    }
    let run = answer["run_id"].as_str().unwrap();
    let replayed = world.run(&["runs", "replay", run, "--json"]);
    assert_eq!(replayed.succeeds().json()["text"], answer["text"]);
    assert_eq!(ollama.prompts().len(), prompts.len(), "a replay asks nobody");
    world.run(&["audit", run]).succeeds();
}

#[test]
fn a_model_criticises_and_the_program_grades() {
    let world = World::new();
    let ways =
        Ways { telling: vec!["fell by 38 %"], critical: true, suspicious: true, ..Ways::default() };
    let ollama = Ollama::start(ways);
    let criticised = answer(&world, &ollama, &[]);
    // What the model names in a quote is a warning, with the program's grade, and told to the critic.
    let warnings = criticised["fallacy_warnings"].as_array().unwrap();
    let named = warnings.iter().find(|one| one["place"] == "quote");
    assert_eq!(named.map(|one| &one["fallacy"]), Some(&"slippery_slope".into()), "{warnings:#?}");
    let critic_is_told = |prompt: &Value| {
        let said = prompt["messages"].to_string();
        said.contains("a language model warns of slippery slope")
    };
    assert!(ollama.prompts().iter().any(critic_is_told));
    let critique = &criticised["critique"];
    let found = critique["findings"].as_array().unwrap();
    let said =
        found.iter().find(|one| one["by"] == "model").unwrap_or_else(|| panic!("{critique:#}"));
    assert_eq!((&said["kind"], &said["claim_id"]), (&"overstatement".into(), &"c1".into()));
    assert_eq!(said["words"], "fell by 38 %");
    assert!(
        critique["quality"].as_u64().unwrap() < 100 && critique["grade"].is_string(),
        "{critique:#}"
    );
    // It is the only answer, so it cannot be dropped, and that is said.
    let revision = &criticised["revision"];
    assert_eq!(revision["kept"], false, "{revision:#}");
    let why = revision["patches"][0]["dropped"].as_str().unwrap();
    assert!(why.contains("only short answer"), "{why}");
    let run = criticised["run_id"].as_str().unwrap();
    let report = world.run(&["runs", "replay", run]).succeeds().out.clone();
    for part in
        ["## What a critic found", "the critic says: The survey counts", "## What was revised"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    world.run(&["audit", run]).succeeds();

    let asked = ollama.prompts().len();
    let plain = answer(&world, &ollama, &["--no-critique"]);
    assert!(plain.get("critique").is_none() && plain.get("revision").is_none());
    let critics = |prompts: &[Value]| {
        prompts.iter().filter(|p| p["format"]["properties"]["alternatives"].is_object()).count()
    };
    assert_eq!(critics(&ollama.prompts()[asked..]), 0);
    assert_eq!(critics(&ollama.prompts()), 1);
    assert_eq!(plain["conclusion"], criticised["conclusion"]);
}

#[test]
fn a_challenged_step_is_looked_into_by_another_run() {
    let world = World::new();
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let parent = answer(&world, &ollama, &[]);
    let run = parent["run_id"].as_str().unwrap();
    let trace = world.run(&["runs", "trace", run, "--jsonl"]).succeeds().out.clone();
    let step: Value = trace
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .find(|event: &Value| event["type"] == "reasoning_conclusion")
        .expect("a run concludes");
    let seq = step["seq"].to_string();
    let doubt = "Were porpoise sightings counted in one summer only?";
    let host = [("OLLAMA_HOST", ollama.address.as_str())];
    let child = world.run_with(&["challenge", run, &seq, doubt, "--json"], &host).succeeds().json();
    assert_ne!(child["run_id"], parent["run_id"]);
    assert_eq!(child["question"], parent["question"]);
    let one = &child["critique"]["challenges"][0];
    assert_eq!((&one["parent"], &one["event_id"]), (&parent["run_id"], &step["seq"]), "{one:#}");
    assert_eq!((&one["text"], &one["ruling"]), (&doubt.into(), &"upheld".into()), "{one:#}");
    assert!(one["step"].as_str().unwrap().starts_with("conclusion k1"), "{one:#}");
    // Without a model the program tells what the step was based on, and judges nothing.
    let child =
        world.run(&["challenge", run, &seq, doubt, "--model", "extractive"]).succeeds().out.clone();
    for part in [
        "You challenged step",
        doubt,
        "Nobody judged it",
        "Based on: ",
        "computed from what the run measured",
    ] {
        assert!(child.contains(part), "{part}: {child}");
    }
    assert!(!child.contains("\nGrade "), "{child}");
    world.run(&["challenge", run, "1", doubt]).fails(2, "only counts", "runs trace");
    world.run(&["challenge", run, &seq, " ?"]).fails(2, "empty", "in words");
}

#[test]
fn what_a_model_invents_and_misspells_is_caught_and_told() {
    let world = World::new();
    let ways =
        Ways { telling: vec!["fell by 38 %"], chatty: true, inventive: true, ..Ways::default() };
    let ollama = Ollama::start(ways);
    let answer = answer(&world, &ollama, &[]);
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("fell by 38 %") && !text.contains("42 %"), "{text}");
    let run = answer["run_id"].as_str().unwrap();
    let trace = world.run(&["runs", "trace", run, "--jsonl"]);
    let repaired: Vec<&str> =
        trace.succeeds().out.lines().filter(|line| line.contains("reply_repaired")).collect();
    assert!(repaired.iter().any(|line| line.contains("P77")), "{repaired:#?}");
}

#[test]
fn a_run_that_goes_on_with_another_model_names_both() {
    let world = World::new();
    let slow = Arc::new(AtomicU64::new(150));
    let ways = Ways { telling: vec!["fell by 38 %"], slow, ..Ways::default() };
    let ollama = Ollama::start(ways);
    let folder = harbor();
    let words =
        ["ask", QUESTION, "--corpus", folder.to_str().unwrap(), "--model", "ollama:written"];
    let mut child = world
        .command()
        .args(words)
        .env("OLLAMA_HOST", &ollama.address)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Two replies are in the journal then, and more are to come.
    let until = Instant::now() + Duration::from_mins(1);
    while ollama.prompts().len() < 3 {
        assert!(Instant::now() < until && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let id =
        world.run(&["runs", "list", "--json"]).json()[0]["run_id"].as_str().unwrap().to_owned();
    let resumed = world.run(&["runs", "resume", &id, "--model", "extractive", "--json"]);
    let answer = resumed.json();
    let model = answer["model"].as_str().unwrap();
    assert!(model.starts_with("ollama:written (builtin:extractive in its place for "), "{model}");
    let calls = answer["receipt"]["model_calls"].as_u64().unwrap();
    assert!(!model.contains(&format!("for {calls} of {calls} replies")), "{model}");
    let replayed = world.run(&["runs", "replay", &id, "--json"]).json();
    assert_eq!(replayed["model"], answer["model"]);
}

#[test]
fn a_model_that_cannot_answer_is_replaced_only_when_that_is_allowed() {
    let world = World::new();
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    let question = "What is the installed capacity?";
    let ollama = Ollama::start(Ways { useless: true, ..Ways::default() });
    let ask = |more: &[&str]| {
        let mut words =
            vec!["ask", question, "--corpus", folder, "--json", "--model", "ollama:written"];
        words.extend(more);
        world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())])
    };
    let ran = ask(&[]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("form that was asked for"), "{}", ran.err);
    // What could not be had is told as it happens, with what is done instead.
    for part in ["failed: could not answer the prompt plan", "the question is searched as it was"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    let ran = ask(&["--fallback", "extractive"]);
    let answer = ran.succeeds().json();
    assert!(answer["conclusion"].as_str().unwrap().contains("5.6 MW"), "{}", ran.out);
    // Nobody is named as the author who said nothing of use.
    let calls = &answer["receipt"]["model_calls"];
    assert_eq!(
        answer["model"],
        format!("ollama:written (builtin:extractive in its place for {calls} of {calls} replies)")
    );
    assert!(answer["critique"].is_object() && answer["critique"]["critic"].is_null(), "{answer:#}");
    assert!(ran.err.contains("another model stood in: "), "{}", ran.err);
}

#[test]
fn a_server_that_is_not_there_is_named_with_the_way_out() {
    let world = World::new();
    let folder = harbor();
    let words = ["ask", QUESTION, "--corpus", folder.to_str().unwrap(), "--model", "ollama:qwen3"];
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let host = format!("127.0.0.1:{port}");
    let ran = world.run_with(&words, &[("OLLAMA_HOST", host.as_str())]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    for part in [host.as_str(), "ollama serve", "--model extractive", "--fallback extractive"] {
        assert_eq!(ran.err.matches(part).count(), 1, "{part}: {}", ran.err);
    }
    let doctor = world.run_with(
        &["doctor"],
        &[("OLLAMA_HOST", host.as_str()), ("ELENCHUS_MODEL", "ollama:qwen3")],
    );
    assert_eq!(doctor.code, Some(1), "{}", doctor.out);
    assert!(doctor.out.contains("ollama serve"), "{}", doctor.out);
    let ollama = Ollama::start(Ways::default());
    let ran = world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]);
    assert!(ran.err.contains("way out: get it with `ollama pull qwen3`"), "{}", ran.err);
    for (name, part) in [("llama3.2", "ollama:"), ("bard:x", "bard"), ("openai:", "openai")] {
        let words = ["ask", QUESTION, "--corpus", folder.to_str().unwrap(), "--model", name];
        world.run(&words).fails(2, part, "extractive");
    }
    let words =
        ["ask", QUESTION, "--corpus", folder.to_str().unwrap(), "--model", "anthropic:claude"];
    world.run(&words).fails(2, "ANTHROPIC_API_KEY", "");
}

#[test]
fn the_doctor_asks_every_server_that_is_named() {
    let world = World::new();
    let ollama = Ollama::start(Ways::default());
    let doctor = |host: &str| {
        let variables = [
            ("OLLAMA_HOST", host),
            ("ELENCHUS_EMBEDDER", "ollama:written"),
            ("ELENCHUS_VERIFIER", "llm:ollama:written"),
        ];
        world.run_with(&["doctor", "--model", "ollama:written"], &variables)
    };
    let well = doctor(&ollama.address);
    for part in ["ok    model ", "ok    verifier ", "ok    embedder ", "vectors of 24 numbers"] {
        assert!(well.succeeds().out.contains(part), "{part}: {}", well.out);
    }
    let gone = doctor("127.0.0.1:9");
    assert_eq!(gone.code, Some(1), "{}", gone.out);
    for (name, way) in [
        ("model", "or use --model extractive"),
        ("verifier", "or use the verifier `builtin`"),
        ("embedder", "or use the embedder `builtin`"),
    ] {
        let mut lines = gone.out.lines();
        let bad = lines.find(|line| line.starts_with(&format!("BAD   {name} ")));
        assert!(bad.is_some_and(|line| line.contains("127.0.0.1:9")), "{name}: {}", gone.out);
        let fix = lines.next().unwrap_or_default();
        assert!(fix.contains("fix: start it with `ollama serve`"), "{name}: {fix}");
        assert!(fix.contains(way), "{name}: {fix}");
    }
    // A model that is not there: the whole way out stands behind "fix".
    let variables = [("OLLAMA_HOST", ollama.address.as_str())];
    let missing = world.run_with(&["doctor", "--model", "ollama:qwen3"], &variables);
    assert_eq!(missing.code, Some(1), "{}", missing.out);
    assert!(missing.out.contains("fix: get it with `ollama pull qwen3`"), "{}", missing.out);
}

#[test]
fn a_model_judges_claims_and_the_checks_have_the_last_word() {
    let world = World::new();
    world.write(
        "notes.md",
        "Fewer porpoises were counted in Skerry Sound in 2025 than in 2021.\n\nPorpoise sightings in Skerry \
         Sound fell by 83 % between the summers of 2021 and 2025.\n",
    );
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let folder = harbor();
    let words = [
        "verify",
        "notes.md",
        "--sources",
        folder.to_str().unwrap(),
        "--verifier",
        "llm:ollama:written",
        "--json",
    ];
    let ran = world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]);
    let report = ran.succeeds().json();
    let entailments = report["entailments"].as_array().unwrap();
    assert_eq!(entailments[0]["verdict"], "entailed", "{report:#}");
    assert_eq!(entailments[0]["tier"], "llm", "{report:#}");
    // The model calls the swapped figure supported as well.
    assert_ne!(entailments[1]["verdict"], "entailed", "{report:#}");
    assert_eq!(entailments[1]["tier"], "binding", "{report:#}");
    // Nobody has measured what this model's word is worth, and what it took is told.
    let figures = &report["confidence"]["claim_confidences"];
    assert!(figures[0]["calibrated"].is_null() && figures[0]["interval"].is_null(), "{report:#}");
    let said = report["confidence"]["calibration"].as_str().unwrap();
    assert!(said.contains("no calibration for this verifier"), "{said}");
    assert!(ran.err.contains("the verifier used"), "{}", ran.err);

    let broken = Ollama::start(Ways { status: Some(500), ..Ways::default() });
    let ran = world.run_with(&words, &[("OLLAMA_HOST", broken.address.as_str())]);
    let report = ran.succeeds().json();
    assert_eq!(report["entailments"][0]["verdict"], "unchecked", "{report:#}");
}

#[test]
fn an_embedding_server_serves_the_index() {
    let world = World::new();
    let ollama = Ollama::start(Ways::default());
    let folder = harbor();
    let words = [
        "search",
        "survey vessel",
        "--corpus",
        folder.to_str().unwrap(),
        "--embedder",
        "ollama:written",
        "--json",
    ];
    let variables = [("OLLAMA_HOST", ollama.address.as_str())];
    let ran = world.run_with(&words, &variables);
    let hits = ran.succeeds().json();
    assert!(hits["hits"][0]["dense"].as_f64().unwrap() > 0.0, "{hits:#}");
    let asked = ollama.prompts().len();
    assert!(asked > 1);
    // The passages are kept: only the query and the length of the vectors are asked for again.
    world.run_with(&words, &variables).succeeds();
    assert_eq!(ollama.prompts().len(), asked + 2);
    let gone = [("OLLAMA_HOST", "127.0.0.1:9")];
    let ran = world.run_with(&words, &gone);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    for part in ["start it with `ollama serve`", "or use the embedder `builtin`"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn a_model_reads_a_text_for_fallacies_too() {
    let world = World::new();
    world.write(
        "argument.txt",
        "The council met on Monday. The park will be all concrete within a year of the first bench.\n",
    );
    let words = ["fallacies", "argument.txt", "--json", "--llm", "ollama:written"];
    let telling = vec!["all concrete within a year of the first bench"];
    let ollama = Ollama::start(Ways { telling, suspicious: true, ..Ways::default() });
    let ran = world.run_with(&words, &[("OLLAMA_HOST", ollama.address.as_str())]);
    let report = ran.succeeds().json();
    let found = &report["findings"][0];
    assert_eq!(found["fallacy"], "slippery_slope", "{report:#}");
    assert_eq!(found["text"], "all concrete within a year of the first bench", "{report:#}");
    let useless = Ollama::start(Ways { useless: true, ..Ways::default() });
    let ran = world.run_with(&words, &[("OLLAMA_HOST", useless.address.as_str())]);
    ran.succeeds();
    assert!(ran.err.contains("not read by the model"), "{}", ran.err);
}
