//! What the program says about itself.

use crate::world::World;

#[test]
fn help_texts() {
    let world = World::new();
    for (name, words) in [
        ("help", &["--help"][..]),
        ("help_short", &["-h"]),
        ("help_ask", &["ask", "--help"]),
        ("help_runs", &["runs", "--help"]),
        ("help_runs_resume", &["runs", "resume", "-h"]),
        ("help_ingest", &["ingest", "-h"]),
        ("help_search", &["search", "-h"]),
        ("help_audit", &["audit", "-h"]),
        ("help_doctor", &["doctor", "-h"]),
        ("help_config", &["config", "--help"]),
    ] {
        let ran = world.run(words);
        assert_eq!(ran.code, Some(0), "{words:?}");
        insta::assert_snapshot!(name, ran.out);
    }
}

#[test]
fn nothing_asked_shows_the_help_and_is_a_usage_error() {
    let ran = World::new().run(&[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("Usage: elenchus"), "{}", ran.err);
}

#[test]
fn typos_are_answered_with_what_was_meant() {
    let world = World::new();
    let ran = world.run(&["rusn", "list"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("'runs'"), "{}", ran.err);
    let ran = world.ask("Who?", &["--efort", "deep"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("'--effort'"), "{}", ran.err);
    // Words too short for the parser to see a likeness.
    let tip = |words: &[&str], meant: &str| {
        let ran = world.run(words);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(meant), "{words:?}: {}", ran.err);
    };
    tip(&["aks", "Who?"], "'ask'");
    tip(&["mpc"], "'mcp'");
    tip(&["memory", "eidt", "mem_1"], "'edit'");
    tip(&["Who is the chair?"], "`elenchus ask \"Who is the chair?\" --corpus DIR`");
    let far = world.run(&["zzzz"]);
    assert!(far.err.contains("'zzzz'") && !far.err.contains("tip:"), "{}", far.err);
}

#[test]
fn every_exit_code_is_documented() {
    let help = World::new().run(&["--help"]).out;
    for code in ["0 ", "1 ", "2 ", "4 ", "5 ", "130 "] {
        assert!(help.contains(&format!("\n  {code}")), "{code}");
    }
}

#[test]
fn completions_for_every_shell() {
    let world = World::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = world.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0), "{shell}");
        assert!(ran.out.contains("resume"), "{shell}");
    }
    assert_eq!(world.run(&["completions", "dos"]).code, Some(2));
}

#[test]
fn the_version() {
    let ran = World::new().run(&["--version"]);
    assert_eq!(ran.out, format!("elenchus {}\n", env!("CARGO_PKG_VERSION")));
}
