//! `--lenses`, from the command line: a server on loopback whose replies are written by hand.

use crate::ollama::{Ollama, Ways};
use crate::world::{World, harbor};

const QUESTION: &str = "Did porpoise sightings change?";

#[test]
fn three_lenses_are_compared_by_what_they_rest_on() {
    let world = World::new();
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let folder = harbor();
    let words = [
        "ask",
        QUESTION,
        "--corpus",
        folder.to_str().expect("its path is UTF-8"),
        "--model",
        "ollama:written",
        "--json",
        "--lenses",
    ];
    let variables = [("OLLAMA_HOST", ollama.address.as_str())];
    let ran = world.run_with(&words, &variables);
    let answer = ran.succeeds().json();
    let seen = &answer["perspectives"];
    let ids: Vec<&str> =
        seen["views"].as_array().unwrap().iter().map(|v| v["lens"].as_str().unwrap()).collect();
    assert_eq!(ids, ["skeptical", "charitable", "neutral"], "{seen:#}");
    // What names a figure or a fact of its own is gone: one point a lens is left.
    for view in seen["views"].as_array().unwrap() {
        assert_eq!(view["points"].as_array().unwrap().len(), 1, "{view:#}");
        assert_eq!(view["facts"][0], "f1");
        let quote = view["points"][0]["quotes"][0]["quote"].as_str().unwrap();
        assert!(quote.contains("fell by 38 %"), "{quote}");
    }
    let verdict = |at: usize| seen["views"][at]["points"][0]["verdict"].as_str().unwrap();
    assert_eq!((verdict(1), verdict(2)), ("entailed", "contradicted"), "{seen:#}");
    assert_eq!(seen["tensions"][0]["points"], serde_json::json!(["v1", "v2"]), "{seen:#}");
    assert_eq!(seen["tensions"][0]["why"], "It is about who counted.");
    // The model's group holds a point that the sources contradict.
    assert_eq!(seen["consensus"], serde_json::json!([]), "{seen:#}");
    assert_eq!(seen["unique"], serde_json::json!(["v3"]));
    let jaccard: Vec<f64> = seen["overlap"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["jaccard"].as_f64().unwrap())
        .collect();
    assert_eq!(jaccard, [1.0, 1.0, 1.0]);
    let meta = seen["meta_analysis"].as_array().unwrap();
    assert_eq!(meta.len(), 1, "{meta:#?}");
    assert!(!seen.to_string().contains("97"), "no figure of the model's");
    let run = answer["run_id"].as_str().unwrap();
    let shown = world.run(&["runs", "export", run]);
    let report = &shown.succeeds().out;
    assert!(report.contains("## Seen through different lenses"), "{report}");
    assert!(report.contains("*(contradicted by what it cites)*"), "{report}");
    let trace = world.run(&["runs", "trace", run]);
    assert!(trace.succeeds().out.contains("3 lenses compared: 0 agreements, 1 tension"));
    assert!(!ran.err.contains("lens failed"), "{}", ran.err);
    let asked = ollama.prompts().len();
    let replayed = world.run(&["runs", "replay", run, "--json"]);
    assert_eq!(replayed.succeeds().json()["perspectives"], *seen);
    assert_eq!(ollama.prompts().len(), asked, "a replay asks nobody");
    world.run(&["audit", run]).succeeds();

    let mut two = words.to_vec();
    two.push("neutral,Skeptical");
    let answer = world.run_with(&two, &variables).succeeds().json();
    let ids: Vec<&str> = answer["perspectives"]["views"]
        .as_array()
        .unwrap()
        .iter()
        .map(|view| view["lens"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["neutral", "skeptical"]);
    // Without the flag nothing of it is asked or shown.
    let plain = world.run_with(&words[..words.len() - 1], &variables).succeeds().json();
    assert!(plain.get("perspectives").is_none());
}

#[test]
fn lenses_that_cannot_be_are_refused_before_anything_is_asked() {
    let world = World::new();
    let folder = harbor();
    let words = ["ask", QUESTION, "--corpus", folder.to_str().unwrap(), "--lenses"];
    world.run(&words).fails(2, "lenses need a language model", "--model ollama");
    let mut misspelt = words.to_vec();
    misspelt.push("skeptical,rosy");
    world.run(&misspelt).fails(2, "\"rosy\"", "skeptical, charitable, apologetic, neutral");
}
