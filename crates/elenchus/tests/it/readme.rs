//! Every command of README.md that it shows as a console session works as it stands there.

use crate::ollama::{Ollama, Ways};
use crate::world::World;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// The commands of the blocks that are marked `console`.
fn commands(readme: &str) -> Vec<String> {
    let mut inside = false;
    let mut found: Vec<String> = Vec::new();
    for line in readme.lines() {
        let mark = line.trim_start();
        if mark.starts_with("```") {
            inside = !inside && mark.trim_end() == "```console";
        } else if inside {
            let goes_on = found.last().is_some_and(|command| command.ends_with('\\'));
            match line.strip_prefix("$ ") {
                Some(command) => found.push(command.trim().to_owned()),
                None if goes_on => {
                    let last = found.last_mut().expect("it goes on");
                    last.pop();
                    last.push_str(line.trim());
                }
                None => {}
            }
        }
    }
    found.retain(|command| {
        command.starts_with("elenchus ") || command.contains("run --release -- ")
    });
    found
}

/// What README.md shows as printed by a command: the lines of the `text` blocks after it.
fn transcript<'a>(readme: &'a str, command: &str) -> Vec<&'a str> {
    let (mut asked, mut inside) = (false, "");
    let mut found = Vec::new();
    for line in readme.lines() {
        if let Some(mark) = line.strip_prefix("```") {
            inside = if inside.is_empty() { mark.trim_end() } else { "" };
        } else if let ("console", Some(other)) = (inside, line.strip_prefix("$ ")) {
            asked = other.trim() == command;
        } else if asked && inside == "text" {
            found.push(line);
        }
    }
    found
}

/// A server is one when it says where it is; it is stopped then.
fn serves(shell: &mut Command) {
    shell.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = shell.spawn().expect("the binary starts");
    let mut said = String::new();
    let output = child.stdout.take().expect("it has an output");
    BufReader::new(output).read_line(&mut said).expect("it speaks UTF-8");
    child.kill().expect("it can be stopped");
    child.wait().expect("it ends");
    assert!(said.contains("http://127.0.0.1:"), "{said:?}");
}

#[test]
fn the_commands_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Ok(readme) = std::fs::read_to_string(root.join("README.md")) else {
        println!("skip: the_commands_of_the_readme: there is no README.md");
        return;
    };
    let world = World::new();
    // What it shows with a model is asked of a server whose replies are written by hand.
    let ollama = Ollama::start(Ways { telling: vec!["fell by 38 %"], ..Ways::default() });
    let bin = world.folder().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::hard_link(env!("CARGO_BIN_EXE_elenchus"), bin.join("elenchus"))
        .or_else(|_| std::fs::copy(env!("CARGO_BIN_EXE_elenchus"), bin.join("elenchus")).map(drop))
        .unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let (mut ran, mut shown) = (0, 0);
    for command in commands(&readme) {
        // A session shows ids of runs that were; the newest one stands for them.
        let mut words = command.replace("cargo run --release -- ", "elenchus ");
        while let Some(at) = words.find("run_").filter(|at| words.len() >= at + 16) {
            let id = world.newest().replace("run_", "RUN-");
            words.replace_range(at..at + 16, &id);
        }
        let words = words.replace("RUN-", "run_");
        let mut shell = Command::new("sh");
        let template = world.command();
        shell.env_clear().envs(template.get_envs().filter_map(|(k, v)| Some((k, v?))));
        shell.env("OLLAMA_HOST", &ollama.address);
        // Files that it writes do not stay in the repository.
        shell.env("PATH", &path).current_dir(&root);
        if words.starts_with("elenchus serve ") {
            serves(shell.args(["-c", &format!("exec {words} --listen 127.0.0.1:0")]));
            ran += 1;
            continue;
        }
        let output = shell.args(["-c", &words]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command}\n{said}");
        let printed = String::from_utf8_lossy(&output.stdout);
        for line in transcript(&readme, &command) {
            assert!(printed.lines().any(|other| other == line), "{command}\n{line}\n{printed}");
            shown += 1;
        }
        ran += 1;
    }
    assert!(ran == 0 || shown > 0, "README.md shows no transcript of what it runs");
    if ran == 0 {
        println!("skip: the_commands_of_the_readme: README.md shows no console session");
    }
}

#[test]
fn commands_are_found_in_console_blocks_only() {
    let readme = "```console\n$ elenchus a \\\n    b\nout\n$ ls\n```\n```sh\n$ elenchus c\n```\n";
    assert_eq!(commands(readme), ["elenchus a b"]);
}
