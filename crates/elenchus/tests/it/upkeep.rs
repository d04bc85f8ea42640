//! What those who install, run and clean up ask of the program.

use crate::world::{CAPACITY, UNANSWERABLE, World};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[test]
fn the_build_tells_what_it_is() {
    let world = World::new();
    let told = world.run(&["version"]).succeeds().out.clone();
    assert!(told.starts_with(&format!("elenchus {}", env!("CARGO_PKG_VERSION"))), "{told}");
    let build = world.run(&["version", "--json"]).succeeds().json();
    assert_eq!(build["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(build["target"]["os"], std::env::consts::OS);
    let schema = elenchus_io::store::SCHEMA_VERSION;
    assert_eq!(build["store_schema"], schema);
    assert!(told.contains(&format!("schema {schema},")), "{told}");
    let features = build["features"].as_array().expect("a list");
    let has = |name: &str| features.iter().any(|feature| feature == name);
    assert_eq!(has("postgres"), cfg!(feature = "postgres"));
    assert_eq!(has("otel"), cfg!(feature = "otel"));
    assert!(!has("default"), "{features:?}");
    // It asks nothing of the settings.
    world.write("elenchus.toml", "nonsense =");
    world.run(&["version"]).succeeds();
}

#[test]
fn every_command_has_a_manual_page() {
    let world = World::new();
    let page = world.run(&["man"]).succeeds().out.clone();
    assert!(page.starts_with(".TH \"ELENCHUS\" 1 "), "{page}");
    for part in [".SH NAME", ".SH COMMANDS", ".SH \"EXIT CODES\"", ".SH \"SEE ALSO\""] {
        assert!(page.contains(&format!("\n{part}\n")), "no {part} in {page}");
    }
    world.run(&["man", "--out", "pages"]).succeeds();
    let help = world.run(&["-h"]).out;
    let (_, rest) = help.split_once("\nCommands:\n").expect("it lists the commands");
    let (list, _) = rest.split_once("\n\n").expect("the list ends");
    // A line that is set in further goes on with the one above.
    let names = list.lines().filter(|line| !line.starts_with("   "));
    let mut seen = 0;
    for name in names.filter_map(|line| line.split_whitespace().next()) {
        if name != "help" {
            let file = world.folder().join(format!("pages/elenchus-{name}.1"));
            let text = std::fs::read_to_string(&file).expect("it has a page");
            assert!(text.contains("\n.SH SYNOPSIS\n"), "{text}");
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
    let nested = std::fs::read_to_string(world.folder().join("pages/elenchus-runs-fork.1"));
    assert_eq!(nested.expect("it has a page"), world.run(&["man", "runs", "fork"]).out);
    world.run(&["man", "rusn"]).fails(2, "has no command \"rusn\"", "did you mean `runs`?");
    assert_eq!(world.run(&["man", "runs", "--out", "pages"]).code, Some(2));
}

#[test]
fn a_bundle_has_no_word_of_a_run_and_no_secret() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    world.write("elenchus.toml", "[qdrant]\nurl = \"http://q:s3cret@127.0.0.1:1\"\n");
    // Made up, in pieces.
    let key = ["sk-proj", "9f8e7d6c5b4a39281706f5e4", "d3c2b1a09f8e7d6c5b4a3928"].join("-");
    let ran = world.run_with(&["support-bundle"], &[("OPENAI_API_KEY", key.as_str())]);
    ran.succeeds();
    let said = &ran.err;
    let listed = said.find("no question, no document, no answer").expect("it says so");
    assert!(listed < said.find("wrote elenchus-support.json").expect("it says so"), "{said}");
    let file = world.folder().join("elenchus-support.json");
    let text = std::fs::read_to_string(&file).expect("it was written");
    let home = world.folder();
    let home = home.parent().and_then(Path::to_str).expect("it lies in the home");
    for word in ["Skerry", "5.6 MW", "s3cret", key.as_str(), home] {
        assert!(!text.contains(word), "{word:?} is in {text}");
    }
    let bundle: Value = serde_json::from_str(&text).expect("it is JSON");
    let runs = bundle["runs"].as_array().expect("a list");
    assert_eq!((runs.len(), &runs[0]["status"]), (1, &Value::from("finished")));
    assert_eq!(runs[0]["question_characters"], CAPACITY.chars().count());
    assert_eq!(bundle["settings"]["qdrant.url"]["value"], "http://q@127.0.0.1:1");
    let origin = bundle["settings"]["qdrant.url"]["origin"].as_str().expect("a text");
    assert!(origin.starts_with("project file"), "{origin}");
    let variables = bundle["variables_set"].as_array().expect("a list");
    assert!(variables.iter().any(|name| name == "OPENAI_API_KEY"), "{variables:?}");
    let checks = bundle["doctor"].as_array().expect("a list");
    assert!(checks.iter().any(|check| check["name"] == "store"), "{checks:?}");

    world.run(&["support-bundle"]).fails(2, "the file exists", "--force");
    let id = world.newest();
    let whole = world.run(&["support-bundle", "--with-run", &id, "--out", "-", "-q"]);
    assert!(whole.succeeds().err.contains(&format!("run {id} is in it whole")), "{}", whole.err);
    let whole = whole.json();
    assert!(whole["run"]["journal"].to_string().contains(CAPACITY));
    assert!(whole["run"]["events"].as_array().is_some_and(|events| !events.is_empty()));
    world.run(&["support-bundle", "--with-run", "run_none", "--out", "x.json"]).fails(
        2,
        "no run is called so",
        "runs list",
    );
    assert!(!world.folder().join("x.json").exists());
}

/// The files of a folder and of those in it that hold a word.
fn holding(folder: &Path, word: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, word));
        } else {
            let bytes = std::fs::read(&path).unwrap_or_default();
            if bytes.windows(word.len()).any(|window| window == word.as_bytes()) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_purge_leaves_no_word_of_what_was_kept() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    world.ask(UNANSWERABLE, &["-q"]).succeeds();
    let words = ["memo", "save", "The Skerry array was seen.", "--id", "m_1", "--title", "Seen"];
    world.run(&words).succeeds();
    let home = world.folder().parent().expect("it lies in the home").to_owned();
    assert!(!holding(&home, "Skerry").is_empty());

    let refused = world.run(&["purge", "--all"]);
    refused.fails(2, "no terminal to answer from", "--yes");
    assert!(refused.out.contains("2 runs, with journals"), "{}", refused.out);
    assert!(refused.out.contains("1 index of folders"), "{}", refused.out);
    let dry = world.run(&["purge", "--all", "--dry-run", "--json"]).succeeds().json();
    assert_eq!((&dry["runs"], &dry["removed"]), (&Value::from(2), &Value::from(false)));
    // The one that was saved, and what the runs left.
    assert!(dry["memos"].as_u64().is_some_and(|count| count > 1), "{dry}");
    assert_eq!(dry["indexes"], Value::from(1));
    assert!(dry["memories"].as_u64().is_some_and(|count| count > 0), "{dry}");
    assert_eq!(world.run(&["runs", "list", "--json"]).json().as_array().map(Vec::len), Some(2));

    let gone = world.run(&["purge", "--all", "--yes"]);
    assert!(gone.succeeds().err.contains("removed"), "{}", gone.err);
    assert_eq!(holding(&home, "Skerry"), Vec::<PathBuf>::new());
    assert_eq!(world.run(&["runs", "list", "--json"]).out, "[]\n");
    assert_eq!(world.run(&["memory", "list", "--json"]).out, "[]\n");
    let again = world.run(&["purge", "--all", "--yes"]);
    assert!(again.succeeds().out.starts_with("there is nothing of that kind"), "{}", again.out);
    // What was purged can be asked again.
    world.ask(CAPACITY, &["-q"]).succeeds();
}

#[test]
fn a_purge_takes_out_what_it_was_asked_for() {
    let world = World::new();
    assert_eq!(world.run(&["purge", "--yes"]).code, Some(2), "nothing was named");
    let none = world.run(&["purge", "--all", "--yes"]);
    assert!(none.succeeds().out.starts_with("there is nothing of that kind"), "{}", none.out);
    assert!(!world.store().exists(), "looking makes no store");

    world.ask(CAPACITY, &["-q"]).succeeds();
    world.ask(UNANSWERABLE, &["-q"]).succeeds();
    let runs = || world.run(&["runs", "list", "--json"]).json().as_array().map(Vec::len);
    world.run(&["purge", "--runs", "--older-than", "1d", "--yes"]).succeeds();
    assert_eq!(runs(), Some(2), "they are younger");
    world.run(&["purge", "--runs", "--older-than", "soon"]).fails(2, "neither a date", "`2d`");
    // Somebody drives one of them.
    let held = world.newest();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    let taken = "UPDATE leases SET holder = 'elsewhere/42/7/x', expires_at = ?1 WHERE run_id = ?2";
    store.execute(taken, (i64::MAX / 4, &held)).unwrap();
    drop(store);
    let ran = world.run(&["purge", "--runs", "--older-than", "0d", "--yes"]);
    assert!(ran.succeeds().err.contains("1 run is under way and stays"), "{}", ran.err);
    assert_eq!(runs(), Some(1));
    assert_eq!(world.newest(), held);
    // Nothing else was asked for.
    assert_ne!(world.run(&["memory", "list", "--json"]).out, "[]\n");
    assert!(std::fs::read_dir(world.indexes()).unwrap().count() > 0);
    world.run(&["purge", "--index", "--yes"]).succeeds();
    assert_eq!(std::fs::read_dir(world.indexes()).unwrap().count(), 0);
    world.run(&["purge", "--memory", "--yes"]).succeeds();
    assert_eq!(world.run(&["memory", "list", "--json"]).out, "[]\n");
    assert_eq!(runs(), Some(1));
}

#[test]
fn a_copy_of_the_store_is_a_backup_that_is_put_back() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["--json"]);
    let id = ran.succeeds().json()["run_id"].as_str().expect("it has an id").to_owned();
    let id = id.as_str();
    let record = ["memory", "record", "--title", "Look at the log", "--description", "A cause"];
    let rest = ["--content", "The log names the cause.", "--outcome", "success"];
    world.run(&[&record[..], &rest].concat()).succeeds();
    let looks = [
        &["runs", "replay", id, "--json"][..],
        &["runs", "trace", id, "--jsonl"],
        &["runs", "export", id, "--format", "json"],
        &["runs", "list", "--json"],
    ];
    let before: Vec<String> =
        looks.iter().map(|words| world.run(words).succeeds().out.clone()).collect();
    let store = world.store();
    let usual = store.to_str().expect("UTF-8");
    let made = world.run(&["db", "copy", usual, "backup.db", "--json"]).succeeds().json();
    assert_eq!(made["stays"], serde_json::json!([]), "where its documents are went along");
    assert!(world.folder().join(format!("backup.runs/{id}.json")).is_file());
    // Of a run without a note that is said.
    std::fs::remove_file(store.with_extension("runs").join(format!("{id}.json"))).expect("a note");
    let told = world.run(&["db", "copy", usual, "second.db"]);
    assert!(told.succeeds().err.contains("not copied: where the documents of 1 run"), "{told:?}");
    // The disk is lost, and the copy serves as it is.
    for tail in ["", "-wal", "-shm"] {
        let gone = std::fs::remove_file(format!("{usual}{tail}"));
        assert!(gone.is_ok() || !tail.is_empty(), "{gone:?}");
    }
    for (words, before) in looks.iter().zip(&before) {
        let seen = world.run(&[*words, &["--store", "backup.db"]].concat());
        assert_eq!(&seen.succeeds().out, before, "{words:?}");
    }
    // Or it is put back.
    let back = world.run(&["db", "copy", "backup.db", usual, "--json"]).succeeds().json();
    // That a run was exported out of the copy is noted there.
    let but_notes = |report: &Value| {
        let mut relations = report["relations"].as_array().expect("a list").clone();
        relations.retain(|relation| relation["relation"] != "feedback");
        relations
    };
    assert!(but_notes(&made).len() > 5, "{made}");
    assert_eq!(but_notes(&back), but_notes(&made));
    for (words, before) in looks.iter().zip(&before) {
        assert_eq!(&world.run(words).succeeds().out, before, "{words:?}");
    }
    let recalled = world.run(&["memory", "list", "--json"]).succeeds().json();
    assert_eq!(recalled[0]["strategy"]["title"], "Look at the log", "{recalled}");
    let doctor = world.run(&["doctor"]).succeeds().out.clone();
    assert!(doctor.contains("every journal's chain holds"), "{doctor}");
    // Nothing is written over, by whatever way the file is named.
    world.run(&["db", "copy", "backup.db", usual]).fails(5, "already", "empty");
    let url = format!("sqlite://{usual}");
    world.run(&["db", "copy", usual, &url]).fails(2, "the same store", "empty");
}
