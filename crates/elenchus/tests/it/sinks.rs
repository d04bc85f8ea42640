//! What strangers write, on its way to a terminal and into files: nothing obeys it, nothing leaves its place.

#![expect(clippy::print_stdout, reason = "says what was skipped and what was measured")]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![expect(clippy::format_push_string, reason = "clear, and fast enough for a test")]

use crate::world::{CAPACITY, World, ran};
use serde_json::Value;
use std::path::PathBuf;

/// Lines of an attack corpus, or the field of its JSON lines; empty, with a line, when there is no data.
fn texts(name: &str, field: &str) -> Vec<String> {
    let root = std::env::var_os("ELENCHUS_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let Ok(bytes) = std::fs::read(root.join("attacks").join(name)) else {
        println!("skip: no data: attacks/{name}; set ELENCHUS_DATA to the folder that holds it");
        return vec![];
    };
    let text = String::from_utf8_lossy(&bytes);
    if field.is_empty() {
        return text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    }
    text.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|row| row[field].as_str().map(str::to_owned))
        .collect()
}

/// Every control sign, direction mark and tag, and sequences that terminals obey, of our own making.
fn signs() -> String {
    let mut all: String = (1..=0x9F_u32)
        .filter_map(char::from_u32)
        .filter(|c| c.is_control())
        .flat_map(|c| [c, 'x'])
        .collect();
    all.push_str("\u{61c}\u{200b}\u{200e}\u{202a}\u{202e}\u{2066}\u{2069}\u{feff}\u{fdd0}31\u{fdd1}\u{e0041}");
    all.push_str(
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}]8;;http://a.example\u{1b}\\link\u{9b}31m\u{90}q\u{9c}",
    );
    all
}

/// What a terminal would obey in these bytes.
fn obeyed(text: &str) -> Vec<char> {
    let bad = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(bad).collect()
}

#[test]
fn no_sign_that_a_terminal_obeys_is_shown() {
    let mut all = vec![signs()];
    all.extend(texts("terminal/own_escape_sequences.jsonl", "text"));
    // One text a process, so that a few runs see every sequence.
    // One of them is thousands of signs long, and a question has a longest.
    let cut = |text: &String| text.chars().take(500).collect::<String>();
    let hostile = all.iter().map(cut).collect::<Vec<_>>().join(" ").replace('\0', "");
    let line = hostile.replace(['\n', '\r'], " ");
    let world = World::new();
    let page = format!(
        "# Lamp {line}\n\nPrepared by {line}\n\nThe lamp {hostile} was lit in 1931 by {line}.\n"
    );
    world.write("docs/a.md", page);
    world.write(
        "docs/b.html",
        format!("<title>Lamp {line}</title><p>The lamp {line} was lit in 1932."),
    );
    let question = format!("When was the lamp {line} lit?");
    let commands: Vec<Vec<&str>> = vec![
        vec!["ask", &question, "--corpus", "docs"],
        vec!["ask", &question, "--corpus", "docs", "--json"],
        vec!["ask", &question, "--corpus", "docs", "--jsonl"],
        vec!["ask", "When was the lamp lit?", "--corpus", &line],
        vec!["ask", "When was the lamp lit?", "--corpus", "docs", "--out", &line],
        vec!["search", &line, "--corpus", "docs"],
        vec!["search", "lamp", "--corpus", "docs", "--json"],
        vec!["runs", "list"],
        vec!["runs", "list", "--json"],
        vec!["runs", "show", &line],
        vec!["verify", &line, "--corpus", "docs"],
        vec!["memory", "search", &line],
        vec!["passage", &line, "--corpus", "docs"],
        vec![&line],
        vec!["ask", "x", &line],
        vec!["config", "set", &line, &line],
    ];
    let mut wrong = Vec::new();
    let mut check = |what: &[&str], out: &str, err: &str| {
        let found = [obeyed(out), obeyed(err)].concat();
        if !found.is_empty() {
            let name: String = what[0].chars().take(12).collect();
            wrong.push(format!(
                "{name:?} {:?}: {found:?}",
                what.get(1).map(|s| &s[..s.len().min(20)])
            ));
        }
    };
    for words in &commands {
        let ran = world.run(words);
        check(words, &ran.out, &ran.err);
    }
    let id = world.newest();
    for words in [
        &["runs", "show", &id][..],
        &["runs", "show", &id, "--json"],
        &["runs", "trace", &id],
        &["runs", "trace", &id, "--jsonl"],
        &["runs", "replay", &id],
        &["audit", &id],
        &["runs", "resume", &id],
    ] {
        let ran = world.run(words);
        check(words, &ran.out, &ran.err);
    }
    for format in FORMATS {
        let ran = world.run(&["runs", "export", &id, "--format", format]);
        ran.succeeds();
        check(&["export", format], &ran.out, &ran.err);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const FORMATS: &[&str] = &[
    "md",
    "json",
    "jsonl",
    "html",
    "bibtex",
    "ris",
    "csl-json",
    "csv",
    "web-annotation",
    "prov-json",
];

#[test]
fn a_run_is_exported_in_every_format() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let id = world.newest();
    let export = |format: &str| {
        world.run(&["runs", "export", &id, "--format", format]).succeeds().out.clone()
    };
    assert!(export("html").starts_with("<!DOCTYPE html>"));
    assert!(export("bibtex").starts_with("@misc{elenchus_run"));
    assert!(export("ris").starts_with("TY  - GEN\n"));
    assert!(export("csv").starts_with("\"number\",\"title\""));
    let items: Value = serde_json::from_str(&export("csl-json")).unwrap();
    assert_eq!(items[0]["type"], "document");
    for (name, format) in
        [("a.html", "html"), ("a.bib", "bibtex"), ("a.ris", "ris"), ("a.csv", "csv")]
    {
        world.run(&["runs", "export", &id, "--format", format, "--out", name]).succeeds();
        assert_eq!(std::fs::read_to_string(world.folder().join(name)).unwrap(), export(format));
    }
    world.ask(CAPACITY, &["-q", "--out", "b.html"]).succeeds();
    assert!(
        std::fs::read_to_string(world.folder().join("b.html"))
            .unwrap()
            .contains("<h2>Sources</h2>")
    );
}

#[test]
fn a_run_is_exported_as_a_package() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let id = world.newest();
    let export = |words: &[&str]| {
        let all = [&["runs", "export", &id, "--format", "ro-crate"][..], words].concat();
        world.run(&all)
    };
    export(&[]).fails(2, "none was named", "--out");
    export(&["--out", "crate"]).succeeds();
    let folder = world.folder().join("crate");
    let metadata = std::fs::read_to_string(folder.join("ro-crate-metadata.json")).unwrap();
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let root =
        metadata["@graph"].as_array().unwrap().iter().find(|one| one["@id"] == "./").unwrap();
    let parts = root["hasPart"].as_array().unwrap();
    assert_eq!(parts.len() + 1, std::fs::read_dir(&folder).unwrap().count());
    assert!(parts.iter().all(|part| folder.join(part["@id"].as_str().unwrap()).is_file()));
    export(&["--out", "crate"]).fails(2, "has something in it", "--force");
    export(&["--out", "crate", "--force"]).succeeds();
}

/// Names that lead elsewhere, as ids of runs, memories and memos, as titles and as what is imported.
#[test]
fn no_name_leads_out_of_its_folder() {
    let mut all = texts("traversal/patt_directory_traversal.txt", "");
    all.extend(texts("traversal/patt_deep_exotic.txt", ""));
    all.extend(texts("crlf/patt_crlf.txt", ""));
    all.extend(
        ["../x", "..\\x", "/etc/passwd", "%2e%2e%2fx", "a\0b", "....//x"].map(str::to_owned),
    );
    let world = World::new();
    let mut page = String::from("# ../../title\n\n");
    let mut memories = String::new();
    for name in &all {
        page.push_str(&format!(
            "The lamp {} was lit in 1931.\n\n",
            name.replace(['\n', '\r'], " ")
        ));
        let text = serde_json::to_string(name).unwrap();
        memories.push_str(&format!(
            "{{\"id\": {text}, \"title\": {text}, \"content\": {text}, \"scope\": {text}}}\n"
        ));
    }
    world.write("docs/a.md", page);
    world.write("memories.jsonl", memories);
    let before = tree(world.folder().parent().unwrap());
    world.run(&["memory", "import", "memories.jsonl"]);
    world.run(&["ask", "When was the lamp lit?", "--corpus", "docs", "-q"]).succeeds();
    for name in all.iter().step_by(40) {
        let name = name.replace('\0', "");
        let ran = world.run(&["runs", "export", &name, "--format", "html"]);
        assert_ne!(ran.code, Some(0), "{name:?}");
        world.run(&["runs", "delete", &name, "--yes"]);
        world.run(&["memory", "show", &name]);
    }
    let after = tree(world.folder().parent().unwrap());
    let new: Vec<&String> = after.iter().filter(|file| !before.contains(file)).collect();
    let expected = |file: &str| {
        ["data/elenchus/", "cache/elenchus/", "config/elenchus/"]
            .iter()
            .any(|ours| file.starts_with(ours))
    };
    assert!(new.iter().all(|file| expected(file)), "{new:#?}");
    assert!(before.iter().all(|file| after.contains(file)), "nothing is gone");
    println!("{} names that lead elsewhere", all.len());
}

/// Files below a folder, relative to it.
fn tree(folder: &std::path::Path) -> Vec<String> {
    let mut open = vec![folder.to_path_buf()];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.push(path.strip_prefix(folder).unwrap().display().to_string());
        }
    }
    found.sort();
    found
}

/// Secrets of the machine and of the user reach neither disk nor output. They are made up here, in pieces.
#[test]
fn no_secret_is_kept_or_shown() {
    let key = ["sk-ant-api03", "QmFzaWNhbGx5Tm90aGluZ1RvU2VlSGVyZQ", "AAAAtest0000"].join("-");
    let token = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    let canary = "canary-7f3a9c51".to_owned();
    let world = World::new();
    world.write("docs/a.md", "# Lamp\n\nThe lamp was lit in 1931.\n");
    let question = format!("When was the lamp lit, given my token {token}?");
    let mut shown = String::new();
    for words in [
        &["ask", &question, "--corpus", "docs"][..],
        &["ask", &question, "--corpus", "docs", "--json"],
        &["ask", &question, "--corpus", "docs", "--jsonl"],
        &["config", "show"],
        &["doctor"],
        &["support-bundle", "--out", "-"],
        &["ask", "When?", "--corpus", &format!("missing-{token}")],
    ] {
        let mut command = world.command();
        command.env("ANTHROPIC_API_KEY", &key).env("TAVILY_API_KEY", &canary).args(words);
        let ran = ran(&mut command);
        shown.push_str(&ran.out);
        shown.push_str(&ran.err);
    }
    let home = world.folder().parent().unwrap().to_path_buf();
    let mut found = Vec::new();
    for (name, secret) in [("key", &key), ("token", &token), ("canary", &canary)] {
        if shown.contains(secret.as_str()) {
            found.push(format!("{name} in what is shown"));
        }
        for file in tree(&home).iter().filter(|file| !file.starts_with("here/")) {
            let bytes = std::fs::read(home.join(file)).unwrap();
            if bytes.windows(secret.len()).any(|window| window == secret.as_bytes()) {
                found.push(format!("{name} in {file}"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
