//! Checking texts: verify, why, fallacies.

use crate::world::{World, harbor};
use serde_json::Value;
use std::path::Path;

const TEXT: &str = "# Notes\n\nThe installed capacity is 96 MW. The outage of 11 February 2026 was caused by sea water in \
                    the cable joint at the landfall [1].\n\n## Sources\n\n1. Grid company note\n";

/// Holds every quote from a plain text against the characters that it is said to stand at; tells how many there are.
fn quoted_in_place(report: &Value, folder: &Path) -> usize {
    let mut quotes = 0;
    let sides = ["supporting_sources", "contradicting_sources"];
    let all = report["entailments"].as_array().expect("the report has it").iter();
    for source in all
        .flat_map(|one| sides.map(|side| &one[side]))
        .flat_map(|s| s.as_array().expect("the report has it"))
    {
        let file = folder.join(source["source_url"].as_str().expect("the report has it"));
        let is_plain = file.extension().is_some_and(|kind| kind == "md" || kind == "txt");
        if !is_plain {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the report has it");
        let at = |end: &str| {
            usize::try_from(source["span"][end].as_u64().expect("the report has it"))
                .expect("the report has it")
        };
        let cut: String = text.chars().skip(at("start")).take(at("end") - at("start")).collect();
        assert_eq!(cut, source["relevant_text"].as_str().expect("the report has it"), "{source:#}");
        quotes += 1;
    }
    quotes
}

#[test]
fn a_wrong_number_is_contradicted_and_a_quote_is_supported() {
    let world = World::new();
    world.write("notes.md", TEXT);
    let folder = harbor();
    let ran = world.run(&["verify", "notes.md", "--sources", folder.to_str().unwrap(), "--json"]);
    let report = ran.succeeds().json();
    let verdicts: Vec<&str> = report["entailments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entailment| entailment["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["contradicted", "entailed"], "{report:#}");
    let mismatch = &report["entailments"][0]["mismatches"][0]["reason"];
    assert!(mismatch.as_str().unwrap().contains("96 MW"), "{mismatch}");
    // It cites the document that says otherwise.
    assert_ne!(report["citations"][0]["standing"], "supported", "{report:#}");
    assert!(quoted_in_place(&report, &folder) > 1, "{report:#}");
    world.write("checked.json", &ran.out);
    let why = world.run(&["why", "c2", "--in", "checked.json"]);
    assert!(why.succeeds().out.contains("the evidence has the claim's own words"), "{}", why.out);
    world.run(&["why", "c9", "--in", "checked.json"]).fails(2, "no claim \"c9\"", "c1, c2");
}

#[test]
fn an_older_figure_that_has_changed_counts_neither_for_nor_against() {
    let world = World::new();
    world.write(
        "sources/letter.md",
        "# Letter to the tenant\n\nDate: 10 February 2025\n\nThe rent rises from £1,250 to £1,400 a month on 1 April 2025.\n",
    );
    world.write("sources/lease.md", "# Lease\n\nDate: 3 May 2023\n\nThe rent is £1,250 a month.\n");
    let report = |text: &str| {
        world.write("notes.md", text);
        let ran = world.run(&["verify", "notes.md", "--sources", "sources", "--json"]);
        let report = ran.succeeds().json();
        world.write("checked.json", &ran.out);
        report["entailments"][0].clone()
    };
    let now = report("The rent is £1,400 a month.\n");
    assert_eq!(now["verdict"], "entailed", "{now:#}");
    assert_eq!(now["contradicting_sources"].as_array().unwrap().len(), 0, "{now:#}");
    let reasoning = now["reasoning"].as_str().unwrap();
    assert!(reasoning.contains("superseded by the change told in letter.md"), "{reasoning}");
    let why = world.run(&["why", "c1", "--in", "checked.json"]);
    assert!(why.succeeds().out.contains("from £1,250 to £1,400"), "{}", why.out);
    let old = report("The rent is £1,250 a month.\n");
    assert_ne!(old["verdict"], "entailed", "{old:#}");
    assert!(old["reasoning"].as_str().unwrap().contains("lease.md"), "{old:#}");
}

#[test]
fn what_follows_from_the_figures_of_a_source_is_computed() {
    let world = World::new();
    world.write(
        "sources/camp.md",
        "# The camp\n\n## Hut A\n\nHut A has 8 beds.\n\n## Hut B\n\nHut B has 9 beds.\n",
    );
    world.write(
        "notes.md",
        "Huts A and B have 17 beds together.\n\nHut B has more beds than hut A.\n\n\
         Huts A and B have 21 beds together.\n",
    );
    let ran = world.run(&["verify", "notes.md", "--sources", "sources", "--json"]);
    let report = ran.succeeds().json();
    let said = |at: usize| {
        let entailment = &report["entailments"][at];
        let word = |field: &str| entailment[field].as_str().unwrap_or_default().to_owned();
        (word("verdict"), word("reasoning"))
    };
    for (at, verdict, sum) in [
        (0, "entailed", "8 + 9 = 17"),
        (1, "entailed", "9 is more than 8"),
        (2, "contradicted", "8 + 9 = 17"),
    ] {
        let (found, reasoning) = said(at);
        assert!(found == verdict && reasoning.contains(sum), "{at}: {found}, {reasoning}");
    }
}

#[test]
fn two_clauses_of_a_sentence_do_not_contradict_each_other() {
    let world = World::new();
    world.write("sources/halls.md", "# Halls\n\nThe halls are red.\n");
    world.write(
        "notes.md",
        "The firm opened a mill in Lund and it closed the mill in 1999.\n\n\
         The quay is 340 metres long.\n\nThe quay is 290 metres long.\n",
    );
    let ran = world.run(&["verify", "notes.md", "--sources", "sources", "--json"]);
    let report = ran.succeeds().json();
    let told = report["contradictions"].as_array().unwrap();
    assert_eq!(told.len(), 1, "{report:#}");
    assert!(told[0]["summary"].as_str().unwrap().contains("340"), "{report:#}");
}

#[test]
fn a_text_below_the_asked_confidence_has_its_own_exit_code() {
    let world = World::new();
    world.write("notes.md", TEXT);
    world.write("empty.md", "  \n");
    world.write("binary.md", [0u8, 159, 146, 150]);
    world.write("question.md", "Who knows?\n");
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    let verify = |file: &str, least: &str| {
        world.run(&[
            "verify",
            file,
            "--sources",
            folder,
            "--verifier",
            "quick",
            "--min-confidence",
            least,
        ])
    };
    verify("notes.md", "0.99").fails(3, "does not reach the asked confidence", "not borne out");
    verify("notes.md", "0").succeeds();
    verify("question.md", "0").fails(3, "nothing in it could be assessed", "");
    verify("empty.md", "0").fails(2, "it is empty", "name a text");
    verify("binary.md", "0").fails(2, "binary file", "name a text");
    verify("missing.md", "0").fails(2, "missing.md", "name a text");
}

#[test]
fn why_explains_a_claim_of_a_run() {
    let world = World::new();
    let folder = harbor();
    let question = "What caused the outage of 11 February 2026?";
    let answer = world.run(&["ask", question, "--corpus", folder.to_str().unwrap(), "--json"]);
    let answer = answer.succeeds().json();
    let run = answer["run_id"].as_str().unwrap();
    assert!(answer["confidence"]["overall_confidence"].as_f64().unwrap() > 0.5, "{answer:#}");
    let why = world.run(&["why", "c1", "--run", run]);
    assert!(why.succeeds().out.contains("bearing that were right"), "{}", why.out);
}

#[test]
fn a_fallacy_is_named_with_a_question() {
    let world = World::new();
    world.write(
        "argument.txt",
        "If it rains, the street gets wet. The street is wet. Therefore it has rained.\n",
    );
    let ran = world.run(&["fallacies", "argument.txt", "--json"]);
    let found = ran.succeeds().json();
    assert_eq!(found["findings"][0]["fallacy"], "affirming_consequent", "{found:#}");
    assert!(found["findings"][0]["question"].as_str().unwrap().ends_with('?'));
    world.write(
        "plain.txt",
        "The pump holds 40 litres. It was replaced in May because it leaked.\n",
    );
    let none = world.run(&["fallacies", "plain.txt", "--json"]);
    assert_eq!(none.succeeds().json()["findings"].as_array().unwrap().len(), 0);
    assert!(!none.out.contains("--sensitive"), "{}", none.out);
    let told = world.run(&["fallacies", "plain.txt"]);
    assert!(told.succeeds().out.contains("--sensitive warns of more"), "{}", told.out);
    let asked = world.run(&["fallacies", "plain.txt", "--sensitive"]);
    assert!(!asked.succeeds().out.contains("--sensitive warns of more"), "{}", asked.out);
    world.run(&["fallacies", "nowhere.txt"]).fails(2, "nowhere.txt", "");
}

#[test]
fn claims_in_other_languages_are_not_judged() {
    let world = World::new();
    world.write("sources/jahr.md", "# Jahresbericht\n\nDer Verein hat 212 Mitglieder.\n");
    let german = "# Bericht\n\nDer Verein hat 190 Mitglieder. Die Miete ist seit dem Mai nicht gestiegen und wird auch im Herbst \
                  nicht erhöht. Ann Lee ist Kassenwartin.\n";
    let verdicts = |text: &str| -> Vec<(String, String)> {
        world.write("notes.md", text);
        let ran = world.run(&["verify", "notes.md", "--sources", "sources", "--json"]);
        let report = ran.succeeds().json();
        let found = report["entailments"].as_array().unwrap();
        let word = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
        found.iter().map(|one| (word(one, "verdict"), word(one, "reasoning"))).collect()
    };
    let found = verdicts(german);
    assert!(!found.is_empty());
    for (verdict, reasoning) in &found {
        assert_eq!(verdict, "unchecked", "{reasoning}");
        assert!(reasoning.contains("does not look like English"), "{reasoning}");
        assert!(reasoning.contains("llm:PROVIDER:NAME"), "{reasoning}");
    }
    // A sentence alone, in which a reader of English finds no verb, is a claim all the same.
    for text in
        ["Der Vorstand tagt im Januar.\n", "Le conseil siège en janvier avec les membres.\n"]
    {
        let found = verdicts(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].1.contains("does not look like English"), "{found:?}");
    }
    // A phrase of English stays a phrase, and is no claim.
    assert!(verdicts("The opening hours of the old mill.\n").is_empty());
    // Short, and full of names, and English.
    for text in ["Ursula von der Leyen visited Kyiv.\n", "Los Angeles gained 4 percent.\n"] {
        let found = verdicts(text);
        assert!(found.iter().all(|(verdict, _)| verdict != "unchecked"), "{found:?}");
    }
}

#[test]
fn documents_that_contradict_each_other_are_shown() {
    let world = World::new();
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    let ran = world.run(&["contradictions", "--corpus", folder]);
    let out = &ran.succeeds().out;
    for words in ["grid-company-note.txt", "protection relay", "outage-2026-02-11-report.html"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let about =
        world.run(&["contradictions", "porpoises", "--corpus", folder, "-n", "1", "--json"]);
    let found = about.succeeds().json();
    let sides = found["contradictions"][0]["sides"].as_array().unwrap();
    let paths: Vec<&str> = sides.iter().map(|side| side["path"].as_str().unwrap()).collect();
    assert!(paths.iter().all(|path| path.contains("porpoise")), "{found:#}");
    world.run(&["contradictions", " ", "--corpus", folder]).fails(2, "is empty", "leave it out");
    // Something is always nearest; that does not make it the matter.
    let words = ["contradictions", "zeppelin chess champions", "--corpus", folder];
    let nothing = world.run(&words);
    assert_eq!(nothing.succeeds().out, "");
    assert!(nothing.err.contains("no passage speaks of"), "{}", nothing.err);
    let json = world.run(&[&words[..], &["--json"]].concat()).succeeds().json();
    assert_eq!((&json["passages"], &json["contradictions"]), (&0.into(), &serde_json::json!([])));
}

#[test]
fn copies_that_differ_in_a_figure_contradict_each_other() {
    let world = World::new();
    let sheet = |berths: u32| {
        format!(
            "# The basin\n\nThe old basin at Farley was dredged by the county in two summers, and since then the boats of the \
             club have lain in it from spring to autumn. The keeper lives beside the upper gate and opens it at eight. Boats \
             wait at the lower pontoon until the lamp is green, and nobody may moor there overnight. The county pays for the \
             gates and the club for the pontoon. The basin of Farley has {berths} berths for visitors.\n"
        )
    };
    world.write("sheets/a.md", sheet(24));
    world.write("sheets/b.md", sheet(31));
    let told = |folder: &str| {
        let ran = world.run(&["contradictions", "--corpus", folder, "--json"]);
        let found = ran.succeeds().json();
        found["contradictions"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(told("sheets"), 1);
    world.write("copies/a.md", sheet(24));
    world.write("copies/b.md", sheet(24).replace("in two summers", "in two long summers"));
    assert_eq!(told("copies"), 0, "they say the same");
}

#[test]
fn a_text_that_contradicts_itself_is_told_so() {
    let world = World::new();
    world.write(
        "report.md",
        "The survey boat of Gannet Point is 14 metres long. Nobody was hurt.\n\nThe survey boat of Gannet Point is 19 \
         metres long.\n",
    );
    let folder = harbor();
    let ran = world.run(&["verify", "report.md", "--sources", folder.to_str().unwrap()]);
    let out = &ran.succeeds().out;
    assert!(out.contains("the text contradicts itself"), "{out}");
}

#[test]
fn the_figure_of_a_replaced_document_is_an_older_value() {
    let world = World::new();
    world.write(
        "rules/ferry-v1-2023.md",
        "# Ferry rules\n\nVersion 1, in force from 1 May 2023.\n\nThe ferry stops at a wind of 30 knots. Dogs travel on the \
         lower deck.\n",
    );
    world.write(
        "rules/ferry-v2-2025.md",
        "# Ferry rules\n\nVersion 2, in force from 1 June 2025. It replaces version 1 of 2023.\n\nThe ferry stops at a wind of \
         35 knots. Bicycles stand at the stern.\n",
    );
    world.write("new.md", "The ferry stops at a wind of 35 knots.\n");
    world.write("old.md", "The ferry stops at a wind of 30 knots.\n");
    let check = |file: &str| {
        let report = world.run(&["verify", file, "--sources", "rules", "--json"]).succeeds().json();
        let reasoning = report["entailments"][0]["reasoning"].as_str().unwrap().to_owned();
        (report["entailments"][0]["verdict"].clone(), reasoning)
    };
    let (verdict, reasoning) = check("old.md");
    assert_eq!(verdict, "contradicted", "{reasoning}");
    assert!(reasoning.contains("an older value: ferry-v2-2025.md"), "{reasoning}");
    let (verdict, reasoning) = check("new.md");
    assert_eq!(verdict, "entailed", "{reasoning}");
    assert!(!reasoning.contains("says otherwise"), "{reasoning}");
}

/// Two sources that say otherwise of each other are told as such, and each verdict stands beside what it is decided on.
#[test]
fn what_one_source_bears_out_and_another_denies_is_told_and_counted_as_disputed() {
    let world = World::new();
    world.write("docs/a.md", "The ferry stops at a wind of 35 knots. It carries 40 cars.\n");
    world.write("docs/b.md", "The ferry stops at a wind of 30 knots. The crew is six.\n");
    let text = "The ferry stops at a wind of 35 knots.\n\nThe ferry carries 40 cars.\n\nThe ferry carries 90 cars.\n";
    world.write("text.md", text);
    let ran = world.run(&["verify", "text.md", "--sources", "docs"]);
    let told = &ran.succeeds().out;
    let counts = "1 of 3 claims supported, 1 disputed, 1 contradicted, 0 not supported";
    assert!(told.contains(counts), "{told}");
    assert!(told.contains("c1   disputed  for 0.") && told.contains("another says otherwise"));
    let ran = world.run(&["verify", "text.md", "--sources", "docs", "--json"]);
    let report = ran.succeeds().json();
    let standings = report["standings"].as_array().unwrap();
    let words: Vec<&str> = standings.iter().map(|one| one["standing"].as_str().unwrap()).collect();
    assert_eq!(words, ["disputed", "supported", "contradicted"], "{report:#}");
    let figure = |at: usize, name: &str| standings[at][name].as_f64().unwrap();
    assert!(figure(1, "supports") > figure(1, "refutes"), "{report:#}");
    assert!(figure(2, "refutes") > figure(2, "supports"), "{report:#}");
    for name in ["supports", "refutes", "confidence"] {
        assert!(report["figures"][name].is_string(), "{report:#}");
    }
    world.write("checked.json", &ran.out);
    let why = world.run(&["why", "c1", "--in", "checked.json"]);
    assert!(why.succeeds().out.contains("disputed: "), "{}", why.out);
}

#[test]
fn later_figures_learn_from_what_was_said() {
    let world = World::new();
    world.write("notes.md", TEXT);
    let folder = harbor();
    let folder = folder.to_str().unwrap();
    let verify = || {
        let ran = world.run(&["verify", "notes.md", "--sources", folder, "--json"]);
        let report = ran.succeeds().json();
        world.write("checked.json", &ran.out);
        let figures = &report["confidence"]["claim_confidences"][1];
        (figures["confidence"].as_f64().unwrap(), figures["fitted"].as_f64().unwrap())
    };
    let (before, fitted) = verify();
    assert!((before - fitted).abs() < 1e-9, "nothing was said yet");
    world.run(&["feedback", "c2", "wrong", "--in", "checked.json"]).succeeds();
    // The same word again is the same judgement, and the last one counts.
    world.run(&["feedback", "c2", "right", "--in", "checked.json"]).succeeds();
    world.run(&["feedback", "c2", "wrong", "--in", "checked.json"]).succeeds();
    let shown = world.run(&["feedback", "--json"]);
    assert_eq!(shown.succeeds().json()["used"], 1);
    let (after, still) = verify();
    assert!(after < before - 0.01, "{after} {before}");
    assert!((still - fitted).abs() < 1e-9, "what was fitted stays");
    // One word can be taken back alone.
    world.run(&["feedback", "c2", "forget", "--in", "checked.json"]).succeeds();
    assert!((verify().0 - before).abs() < 1e-9);
    let words = ["feedback", "c2", "forget", "--in", "checked.json"];
    world.run(&words).fails(2, "nothing was said", "feedback");
    let noted = ["feedback", "c2", "wrong", "--in", "checked.json", "--note", " read\n it "];
    world.run(&noted).succeeds();
    let shown = world.run(&["feedback", "--json"]).succeeds().json();
    assert_eq!(shown["judgements"][0]["note"], "read it", "{shown:#}");
    // Nobody is there to be asked.
    world.run(&["feedback", "--forget"]).fails(2, "no terminal to answer from", "--yes");
    assert_eq!(world.run(&["feedback", "--json"]).succeeds().json()["used"], 1);
    world.run(&["feedback", "--forget", "--yes"]).succeeds();
    assert!((verify().0 - before).abs() < 1e-9);

    let question = "What caused the outage of 11 February 2026?";
    let ask = || {
        let ran = world.run(&["ask", question, "--corpus", folder, "--json"]);
        ran.succeeds().json()
    };
    let first = ask();
    let run = first["run_id"].as_str().unwrap().to_owned();
    world.run(&["feedback", "c1", "wrong", "--run", &run]).succeeds();
    let second = ask();
    let figure = |answer: &Value| answer["confidence"]["overall_confidence"].as_f64();
    assert!(figure(&second) < figure(&first));
    // What was answered before is replayed as it was.
    let replayed = world.run(&["runs", "replay", &run, "--json"]);
    assert_eq!(figure(&replayed.succeeds().json()), figure(&first));

    world.run(&["feedback", "c1", "wrong"]).fails(2, "neither a file nor a run", "--run");
    // What was said of the run is taken back, and later figures are as before.
    let back = world.run(&["feedback", "c1", "forget", "--run", &run]);
    assert!(back.succeeds().out.contains("is taken back"), "{back:?}");
    assert!(figure(&ask()) > figure(&second));
    let again = world.run(&["feedback", "c1", "forget", "--run", &run]);
    again.fails(2, "nothing was said", "feedback");
    world.run(&["feedback", "c7", "wrong", "--in", "checked.json"]).fails(2, "no claim", "c1, c2");
}
