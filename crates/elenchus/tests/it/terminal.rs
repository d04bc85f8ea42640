//! What somebody at a terminal gets beside the text: a pager for what is long, and links on what is cited.

#[cfg(target_os = "linux")]
use crate::world::ran;
use crate::world::{CAPACITY, World, harbor};
#[cfg(target_os = "linux")]
use std::process::Command;

/// What a command shows in a terminal of ten rows; `None`, with a line, where there is no `script` to make one.
#[cfg(target_os = "linux")]
fn in_terminal(world: &World, words: &str, variables: &[(&str, &str)]) -> Option<String> {
    let template = world.command();
    let mut shell = Command::new("script");
    shell.env_clear().envs(template.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.env_remove("NO_COLOR").env_remove("COLUMNS").env("TERM", "xterm-256color");
    shell.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("SHELL", "/bin/sh");
    shell.envs(variables.iter().copied()).current_dir(world.folder());
    let line = format!("stty rows 10 cols 100; {} {words}", env!("CARGO_BIN_EXE_elenchus"));
    shell.args(["-q", "-e", "-c", &line, "/dev/null"]).stdin(std::process::Stdio::null());
    let Ok(output) = shell.output() else {
        #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
        {
            eprintln!("skip: `script` is not installed, so nothing is shown in a terminal");
        }
        return None;
    };
    assert!(output.status.success(), "{words}: {output:?}");
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

#[cfg(target_os = "linux")]
#[test]
fn long_reports_go_through_a_pager() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let run = world.newest();
    let trace = world.run(&["runs", "trace", &run]).succeeds().out.clone();
    let first = trace.lines().next().expect("it has events");
    assert!(trace.lines().count() > 10, "it is longer than the screen");
    let paged = world.folder().join("paged");
    let pager = [("ELENCHUS_PAGER", "cat > paged"), ("PAGER", "no-such-pager")];
    let words = format!("runs trace {run}");
    let shown = |words: &str, variables: &[(&str, &str)]| {
        let shown = in_terminal(&world, words, variables)?;
        let text = std::fs::read_to_string(&paged).ok();
        let _ = std::fs::remove_file(&paged);
        Some((shown, text))
    };
    let Some((screen, text)) = shown(&words, &pager) else { return };
    assert_eq!(text.as_deref(), Some(trace.as_str()));
    assert!(!screen.contains(first), "{screen}");
    // Whoever wants all of it at once has it, and so do programs and screens that obey nothing.
    let dumb = [pager[0], ("TERM", "dumb")];
    for (words, variables) in [
        (format!("{words} --no-pager"), &pager[..]),
        (words.clone(), &dumb),
        (words.clone(), &[("ELENCHUS_PAGER", "")]),
        (words.clone(), &[("PAGER", "cat")]),
        // One that is not there is no error.
        (words.clone(), &[("ELENCHUS_PAGER", "no-such-pager -x")]),
        (words.clone(), &[("PAGER", "no-such-pager | cat > paged; exit 127")]),
    ] {
        let (screen, _) = shown(&words, variables).expect("the first one was shown");
        assert!(screen.contains(first), "{words} {variables:?}: {screen}");
    }
    let (screen, text) = shown(&format!("{words} --jsonl"), &pager).expect("as before");
    assert!(text.is_none() && screen.contains("{\""), "{screen}");
    // One that is left early is none either.
    let (screen, _) = shown(&words, &[("PAGER", "true")]).expect("as before");
    assert!(!screen.contains("error"), "{screen}");
    // An answer is shown as soon as it is there.
    let asked = format!("ask '{CAPACITY}' --corpus '{}' -q", harbor().display());
    let (screen, text) = shown(&asked, &pager).expect("as before");
    assert!(text.is_none() && screen.contains("5.6 MW"), "{screen}");
    // In a pipe there is nothing to turn pages with.
    let mut piped = world.command();
    piped.args(["runs", "trace", &run]).envs(pager);
    assert_eq!(ran(&mut piped).succeeds().out, trace);
    assert!(!paged.exists());
}

/// A text without its links, and where they lead.
fn unlinked(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut links) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\u{1b}]8;;") {
        plain.push_str(before);
        let (address, behind) = behind.split_once("\u{1b}\\").expect("a link has an end");
        if !address.is_empty() {
            links.push(address.to_owned());
        }
        rest = behind;
    }
    plain.push_str(rest);
    (plain, links)
}

#[test]
fn citations_lead_to_their_files() {
    let world = World::new();
    let plain = world.ask(CAPACITY, &["-q"]).succeeds().out.clone();
    assert!(!plain.contains('\u{1b}'), "a pipe gets no links");
    let run = world.newest();
    let report = world.run(&["runs", "replay", &run, "--hyperlinks", "always"]);
    let (text, links) = unlinked(&report.succeeds().out);
    assert_eq!(text, plain);
    assert_eq!(links.len(), 2, "{links:?}");
    let file = "/examples/harbor/reports/quarterly-report-q1-2026.md";
    assert!(links[0].starts_with("file://") && links[0].ends_with(file), "{links:?}");
    let asked = world.ask(CAPACITY, &["-q", "--no-memory", "--hyperlinks", "always"]);
    assert_eq!(unlinked(&asked.succeeds().out).1, links);
    // The same everywhere that places are shown.
    let folder = harbor();
    let folder = folder.to_str().expect("a plain path");
    for words in [
        &["runs", "show", &run][..],
        &["source", &run, "1"],
        &["search", "installed capacity", "--corpus", folder],
        &["verify", "claims.md", "--sources", folder],
    ] {
        world.write("claims.md", "The installed capacity is 5.6 MW.\n");
        let shown = world.run_with(words, &[("ELENCHUS_HYPERLINKS", "always")]);
        let (text, links) = unlinked(&shown.succeeds().out);
        let lead_there = |link: &String| link.contains("/examples/harbor/");
        assert!(!links.is_empty() && links.iter().all(lead_there), "{words:?}: {links:?}");
        assert_eq!(text, world.run(words).succeeds().out, "{words:?}");
    }
    // Programs and files get none, whatever is said.
    let json = world.run(&["runs", "replay", &run, "--json", "--hyperlinks", "always"]);
    assert!(!json.succeeds().out.contains("\\u001b"), "{}", json.out);
    world.ask(CAPACITY, &["-q", "--hyperlinks", "always", "--out", "a.md"]).succeeds();
    let written = std::fs::read_to_string(world.folder().join("a.md")).expect("it was written");
    assert!(!written.contains('\u{1b}'), "{written}");
    assert_eq!(world.run(&["runs", "list", "--hyperlinks", "some"]).code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn links_are_for_terminals_that_show_them() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let words = format!("runs replay {} --no-pager", world.newest());
    for (variables, are_shown) in [
        (&[("NO_COLOR", "1")][..], false),
        (&[("TERM", "dumb")], false),
        (&[("TERM", "linux")], false),
        (&[("VTE_VERSION", "4200")], false),
        (&[("ELENCHUS_HYPERLINKS", "never")], false),
        (&[], true),
    ] {
        let Some(screen) = in_terminal(&world, &words, variables) else { return };
        assert!(screen.contains("5.6 MW"), "{screen}");
        let links = screen.contains("\u{1b}]8;;file://");
        assert_eq!(links, are_shown, "{variables:?}: {screen:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_document_makes_a_link_of_its_own() {
    let world = World::new();
    let evil = "\u{1b}]8;;https://evil.example\u{1b}\\x\u{1b}]8;;\u{7} \u{fdd2}https://evil.example\u{fdd3}y\u{fdd2}\u{fdd3}";
    let page = format!("# Lamp {evil}\n\nThe lamp {evil} was lit in 1931.\n");
    world.write(&format!("docs/lamp {}.md", evil.replace('/', "_")), &page);
    world.write(
        "docs/sources.md",
        "# Lit\n\n## Sources\n\n[1] x: docs/lamp.md\n\nThe lamp was lit in 1931.\n",
    );
    let always = ["--hyperlinks", "always"];
    for words in [
        &["ask", "When was the lamp lit?", "--corpus", "docs", "-q"][..],
        &["search", "lamp lit 1931", "--corpus", "docs"],
    ] {
        let shown = world.run(&[words, &always[..]].concat());
        let (text, links) = unlinked(&shown.succeeds().out);
        let obeyed = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!text.contains(obeyed), "{text:?}");
        for link in &links {
            assert!(
                link.starts_with("file://") && link.bytes().all(|b| b.is_ascii_graphic()),
                "{link}"
            );
        }
    }
}
