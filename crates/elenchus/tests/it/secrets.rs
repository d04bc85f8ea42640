//! Secrets in documents, in questions and in what else a person types: nothing that a run keeps, shows or writes has one.

#![expect(clippy::print_stdout, reason = "says what was skipped")]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use crate::world::World;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The planted secrets, each put together of its pieces; none, with a line, when there is no data.
fn planted() -> Vec<String> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let name = "attacks/secrets/own_secrets_positive_split.jsonl";
    let Ok(text) = fs::read_to_string(root.join(name)) else {
        println!("skip: no data: {name}; set ELENCHUS_DATA to the folder that holds it");
        return vec![];
    };
    let of = |line: &str| -> String {
        let row: Value = serde_json::from_str(line).unwrap();
        row["parts"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    };
    text.lines().map(of).collect()
}

/// The longest piece of a secret without white space or quotation marks: what must not be left.
fn core_of(secret: &str) -> &str {
    let parts = secret.split(|c: char| c.is_whitespace() || "\"'=;&:".contains(c));
    parts.max_by_key(|part| part.len()).unwrap()
}

/// The secrets of which something is in these bytes.
fn left<'s>(raw: &str, secrets: &'s [String]) -> Vec<&'s str> {
    secrets.iter().map(|secret| core_of(secret)).filter(|core| raw.contains(core)).collect()
}

/// All files below a folder, but for the documents themselves.
fn files(folder: &Path, without: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path == without {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, without));
        } else {
            found.push(path);
        }
    }
    found
}

/// Writes a folder in which each secret stands in the sentence that answers a question, and in a record.
fn documents(world: &World, secrets: &[String]) {
    let mut records = String::new();
    for (n, secret) in secrets.iter().enumerate() {
        let text = format!(
            "# Pump {n}\n\nUpdated: 4 May 2026\n\nThe valve of pump {n} is opened with {secret} by the night shift.\n"
        );
        world.write(&format!("docs/pump{n:02}.md"), text);
        let record =
            serde_json::json!({ "id": n, "note": format!("the night shift sent {secret}") });
        records.push_str(&record.to_string());
        records.push('\n');
    }
    world.write("docs/sent.jsonl", records);
}

/// What is kept in the world beside its documents, and says what of which file.
fn kept(world: &World, secrets: &[String]) -> Vec<String> {
    let home = world.folder().parent().unwrap().to_owned();
    let all = files(&home, &world.folder().join("docs"));
    assert!(all.contains(&world.store()), "{all:?}");
    let told = |file: &PathBuf| {
        let raw = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let found = left(&raw, secrets);
        (!found.is_empty()).then(|| format!("{}: {found:?}", file.display()))
    };
    all.iter().filter_map(told).collect()
}

#[test]
fn no_secret_of_a_document_is_kept_shown_or_written() {
    let secrets = planted();
    if secrets.is_empty() {
        return;
    }
    let world = World::new();
    documents(&world, &secrets);
    let ingested = world.run(&["ingest", "docs"]);
    let count = format!("left out: {} secrets in {} files", secrets.len() * 2, secrets.len() + 1);
    assert!(ingested.succeeds().out.contains(&count), "{}", ingested.out);
    let of_log = format!("left out: sent.jsonl: {} secrets (", secrets.len());
    assert!(ingested.out.contains(&of_log), "{}", ingested.out);
    let report = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    assert_eq!(report["secrets"].as_array().unwrap().len(), secrets.len() + 1);
    assert_eq!(report["secrets"][0]["path"], "pump00.md");

    // Whatever is asked, of one pump and of all.
    let mut said = vec![ingested.out.clone(), ingested.err.clone(), report.to_string()];
    for n in [0, 3, 40, 70] {
        let question = format!("What is the valve of pump {n} opened with?");
        let asked = world.run(&["ask", &question, "--corpus", "docs", "--jsonl"]);
        asked.succeeds();
        assert!(asked.err.contains("left out: "), "{}", asked.err);
        said.extend([asked.out, asked.err]);
    }
    let question = "What is the valve of pump 3 opened with?";
    let answered = world.run(&["ask", question, "--corpus", "docs", "--json"]);
    assert!(answered.succeeds().out.contains("removed]"), "{}", answered.out);
    said.push(answered.out);
    let id = world.newest();
    for words in [
        &["search", "valve opened night shift", "--corpus", "docs", "-n", "200", "--json"][..],
        &["runs", "show", &id],
        &["runs", "trace", &id, "--jsonl"],
        &["runs", "replay", &id],
        &["source", &id],
        &["source", &id, "--html", "sources.html"],
        &["audit", &id],
        &["support-bundle", "--with-run", &id, "--out", "bundle.json"],
        &["runs", "export", &id, "--format", "html", "--out", "run.html"],
        &["runs", "export", &id, "--format", "json", "--out", "run.json"],
        &["runs", "export", &id, "--format", "csv", "--out", "run.csv"],
        &["runs", "export", &id, "--format", "web-annotation", "--out", "run.jsonld"],
    ] {
        let ran = world.run(words);
        ran.succeeds();
        said.extend([ran.out, ran.err]);
    }
    let opened = world.run(&["source", &id, "--json"]).succeeds().json();
    let quotes = opened["citations"][0]["quotes"].as_array().unwrap();
    assert!(quotes.iter().all(|quote| quote["state"] == "in_place"), "{opened:#}");
    assert_eq!(left(&said.concat(), &secrets), [""; 0]);
    assert_eq!(kept(&world, &secrets), [""; 0]);
}

#[test]
fn who_wants_them_kept_has_them_until_it_is_taken_back() {
    // In pieces, so that no scanner takes it for one.
    let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let world = World::new();
    world.write("docs/a.md", format!("# Pump\n\nThe valve of the pump is opened with {token}.\n"));
    let search = |more: &[&str]| {
        let words = ["search", "valve of the pump", "--corpus", "docs", "--json"];
        let ran = world.run(&[&words[..], more].concat());
        ran.succeeds();
        (ran.out.contains(&token), ran.err)
    };
    let (found, said) = search(&[]);
    assert!(!found && said.contains("left out: 1 secret in 1 file"), "{said}");
    assert!(said.contains("left out: a.md: 1 secret (GitHub token)"), "{said}");
    let (found, said) = search(&["--keep-secrets"]);
    assert!(found && said.contains("1 new") && !said.contains("left out: "), "{said}");
    // Looking changes nothing.
    world.run(&["doctor", "--corpus", "docs"]);
    let (found, said) = search(&["--keep-secrets"]);
    assert!(found && !said.contains("1 new"), "{said}");
    // A run is gone on with, and its citations are opened, as it has read.
    let question = "What is the valve of the pump opened with?";
    world.run(&["ask", question, "--corpus", "docs", "--keep-secrets"]).succeeds();
    let opened = world.run(&["source", &world.newest(), "--json"]).succeeds().json();
    assert_eq!(opened["citations"][0]["quotes"][0]["state"], "in_place", "{opened:#}");
    let (found, said) = search(&[]);
    assert!(!found && said.contains("1 new"), "{said}");
    let by_setting = world.run_with(
        &["search", "valve of the pump", "--corpus", "docs", "--json"],
        &[("ELENCHUS_INGEST_KEEP_SECRETS", "true")],
    );
    assert!(by_setting.succeeds().out.contains(&token), "{}", by_setting.out);
}

#[test]
fn no_secret_that_a_person_types_is_kept() {
    let token = ["ghp_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let world = World::new();
    world.write("docs/a.md", "# Pump\n\nThe valve of the pump is opened by the night shift.\n");
    let said = |what: &str| format!("{what} with {token}?");
    let ran = world.run(&[
        "ask",
        &said("Who opens the valve of the pump"),
        "--corpus",
        "docs",
        "--plan",
        &said("Who opens the valve"),
        "--jsonl",
    ]);
    ran.succeeds();
    assert!(!ran.out.contains(&token) && !ran.err.contains(&token), "{ran:#?}");
    assert_eq!(kept(&world, &[token]), [""; 0]);
}
