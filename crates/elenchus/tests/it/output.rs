//! Files, pipes and colours.

use crate::world::{CAPACITY, World, harbor, ran};
use std::process::Stdio;

#[test]
fn an_answer_goes_into_a_file_by_its_ending() {
    let world = World::new();
    let report = world.ask(CAPACITY, &["--out", "a.md"]);
    assert_eq!(report.succeeds().out, "");
    assert!(report.err.contains("wrote a.md"), "{}", report.err);
    let id = world.newest();
    let written = std::fs::read_to_string(world.folder().join("a.md")).unwrap();
    assert_eq!(written, world.run(&["runs", "replay", &id]).out);

    world.ask(CAPACITY, &["-q", "--out", "a.json"]).succeeds();
    let json = std::fs::read_to_string(world.folder().join("a.json")).unwrap();
    assert_eq!(json, world.run(&["runs", "replay", &world.newest(), "--json"]).out);
    let left: Vec<_> = std::fs::read_dir(world.folder()).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing is left beside them");
}

#[test]
fn what_a_file_is_written_as_is_told_where_its_name_does_not_tell() {
    let world = World::new();
    let report = world.ask(CAPACITY, &["--out", "a"]);
    assert!(report.succeeds().err.contains("wrote a as md"), "{}", report.err);
    let id = world.newest();
    let export = |out: &str, format: &str| {
        let ran = world.run(&["runs", "export", &id, "--format", format, "--out", out]);
        ran.succeeds().err.clone()
    };
    let odd = export("r.md", "html");
    assert!(odd.contains("warning: r.md ends in .md and is written as html"), "{odd}");
    for (out, format) in [("r.html", "html"), ("c.json", "csl-json"), ("t.jsonl", "jsonl")] {
        let said = export(out, format);
        assert!(!said.contains("warning"), "{said}");
    }
    // The last line leads to the store that was named.
    let store = world.store();
    let shown = world.run(&["runs", "show", &id, "--store", store.to_str().unwrap()]);
    let order = format!("`elenchus runs replay {id} --store ");
    assert!(shown.succeeds().out.contains(&order), "{}", shown.out);
}

#[test]
fn a_file_is_not_lost_by_accident() {
    let world = World::new();
    let file = world.write("a.md", "mine");
    world.ask(CAPACITY, &["--out", "a.md"]).fails(2, "the file exists", "--force");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert!(!world.store().exists(), "it was refused before anything was asked");
    world.ask(CAPACITY, &["-q", "--out", "a.md", "--force"]).succeeds();
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("---"));
    world.ask(CAPACITY, &["--out", "a.pdf"]).fails(2, ".pdf", ".md, .html");
    world.ask(CAPACITY, &["--out", "."]).fails(2, "it is a folder", "name a file in it");
    world.ask(CAPACITY, &["--out", "no/a.md"]).fails(2, "there is no folder no", "make the folder");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["-q", "--out", "/dev/full"]);
    ran.fails(5, "No space left", "runs export");
    // What was found is kept.
    world.run(&["runs", "export", &world.newest(), "--out", "again.md"]).succeeds();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let world = World::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = world.command();
    command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor()).stdout(full);
    ran(&mut command).fails(5, "standard output", "runs replay");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = World::new();
    for more in [&["--jsonl"][..], &[], &["--json"]] {
        let mut child = {
            let mut command = world.command();
            command.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor()).args(more);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{more:?}");
        assert_eq!(output.status.code(), Some(0), "{more:?}");
    }
}

#[test]
fn colours_follow_the_environment() {
    let world = World::new();
    let colored = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = world.command();
        command.env_remove("NO_COLOR").args(["runs", "show", "nothing"]).args(more);
        command.envs(variables.iter().copied());
        ran(&mut command).err.contains('\u{1b}')
    };
    assert!(!colored(&[], &[]), "not a terminal");
    assert!(colored(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!colored(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(colored(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(colored(&[("ELENCHUS_COLOR", "always")], &[]));
}

#[test]
fn a_program_gets_errors_as_json() {
    let ran = World::new().run(&["runs", "show", "run_1", "--json"]);
    assert_eq!(ran.code, Some(2));
    let error: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(error["error"]["kind"], "usage");
    assert_eq!(error["error"]["exit_code"], 2);
    assert!(error["error"]["hint"].as_str().unwrap().contains("elenchus ask"));
}
