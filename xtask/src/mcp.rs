//! `cargo xtask mcp`: the protocol's own conformance suite and inspector against our server.
//!
//! Both are packages of npm and need a newer Node than most machines have, which is a package of npm as well: all of it
//! goes into `target/mcp-tools`. Not part of the usual test, since it downloads about 150 MB.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::npm;
use crate::step::{self, Runner, cargo_command};

/// Pinned: the suite of a revision changes with every release of the tool.
const PACKAGES: [&str; 3] = [
    "node@22",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
];

/// Revisions, with the file that names what fails and why.
const REVISIONS: [(&str, &str, &str); 2] = [
    ("conformance 2026-07-28", "2026-07-28", "xtask/mcp-expected-2026-07-28.yml"),
    ("conformance 2025-11-25", "2025-11-25", "xtask/mcp-expected-2025-11-25.yml"),
];

/// Scenarios that the suite runs with a revision and does not score: the tasks extension, and what came after the release or its
/// reference server fails. Ours is to pass them all the same.
const UNSCORED: [(&str, &str); 14] = [
    ("2026-07-28", "tasks-lifecycle"),
    ("2026-07-28", "tasks-capability-negotiation"),
    ("2026-07-28", "tasks-wire-fields"),
    ("2026-07-28", "tasks-request-state-removal"),
    ("2026-07-28", "tasks-mrtr-input"),
    ("2026-07-28", "tasks-request-headers"),
    ("2026-07-28", "tasks-dispatch-and-envelope"),
    ("2026-07-28", "tasks-status-notifications"),
    ("2026-07-28", "tasks-required-task-error"),
    ("2026-07-28", "tasks-mrtr-composition"),
    ("2026-07-28", "http-header-validation"),
    ("2026-07-28", "http-custom-header-server-validation"),
    ("2026-07-28", "json-schema-2020-12"),
    ("2025-11-25", "json-schema-2020-12"),
];

/// What the fixtures do, by tests that no other build runs.
const FIXTURES: &[&str] = &[
    "test",
    "--locked",
    "-p",
    "elenchus-server",
    "--lib",
    "--features",
    "conformance-fixtures",
    "mcp::tests::fixtures",
];

const SUITE: &str = "@modelcontextprotocol/conformance/dist/index.js";

pub(crate) fn run(root: &Path) -> bool {
    let target = step::target(root);
    let tools = target.join("mcp-tools");
    let mut outcomes =
        vec![step::inside("node, conformance suite and inspector", || said(install(&tools)))];
    let words = ["build", "--locked", "-p", "elenchus", "--features", "conformance-fixtures"];
    outcomes.push(step::run("build with fixtures", Runner::None, cargo_command(root, &words)));
    outcomes.push(step::run("tests of fixtures", Runner::Libtest, cargo_command(root, FIXTURES)));
    let binary = target.join("debug").join("elenchus");
    if outcomes.iter().all(|outcome| outcome.passed) {
        match start(root, &target, &binary) {
            Ok(server) => {
                for (name, revision, expected) in REVISIONS {
                    let mut command = node(&tools, SUITE);
                    command
                        .current_dir(root)
                        .args(["server", "--url", &server.url, "--requirements", revision])
                        .args(["--expected-failures", expected]);
                    outcomes.push(step::run(name, Runner::None, command));
                }
                outcomes.push(step::inside("scenarios that are not scored", || {
                    said(unscored(root, &tools, &server.url))
                }));
            }
            Err(error) => outcomes.push(step::inside("start of the server", || said(Err(error)))),
        }
        outcomes.push(step::inside("inspector over stdio", || {
            said(inspect(root, &target, &tools, &binary))
        }));
    }
    step::report(&outcomes)
}

fn said(result: Result<(), String>) -> bool {
    if let Err(error) = &result {
        eprintln!("error: {error}");
    }
    result.is_ok()
}

/// The packages; nothing is done where they are.
fn install(tools: &Path) -> Result<(), String> {
    let files = [
        "node/bin/node",
        "@modelcontextprotocol/conformance/dist/index.js",
        "@modelcontextprotocol/inspector/package.json",
    ];
    if npm::install(tools, &PACKAGES, &files)? {
        // The one package that has to run something at its installation: it fetches Node itself.
        npm::run(tools, &["rebuild", "node", "--loglevel=error"])?;
    }
    Ok(())
}

/// A script of a package under the Node of `tools`.
fn node(tools: &Path, script: &str) -> Command {
    let modules = tools.join("node_modules");
    let mut path = modules.join(".bin").into_os_string();
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(":");
        path.push(rest);
    }
    let mut command = Command::new(modules.join("node/bin/node"));
    command.arg(modules.join(script)).env("PATH", path).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

/// A server that goes when this goes.
struct Server {
    child: Child,
    url: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The server's command with a home of its own.
fn elenchus(root: &Path, target: &Path, binary: &Path) -> Command {
    let home = target.join("mcp-home");
    let mut command = Command::new(binary);
    command
        .env_clear()
        .env("HOME", &home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .current_dir(root)
        .args(["mcp", "--corpus", "examples/harbor", "--project", "conformance"]);
    command
}

fn start(root: &Path, target: &Path, binary: &Path) -> Result<Server, String> {
    let mut command = elenchus(root, target, binary);
    command
        .args(["--http", "127.0.0.1:0", "--no-token"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    let mut child =
        command.spawn().map_err(|error| format!("could not start {command:?}: {error}"))?;
    let errors = child.stderr.take().ok_or("the server has no standard error")?;
    let mut lines = BufReader::new(errors).lines();
    let url = lines.by_ref().map_while(Result::ok).find_map(|line| {
        line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
    });
    // What it says later is read, so that it is never kept waiting.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    match url {
        Some(url) => Ok(Server { child, url }),
        None => Err("the server ended before it said where it listens".to_owned()),
    }
}

/// Each by itself, as the suite counts none of them.
fn unscored(root: &Path, tools: &Path, url: &str) -> Result<(), String> {
    let mut failed = Vec::new();
    for (revision, scenario) in UNSCORED {
        let mut command = node(tools, SUITE);
        // Forced: one that the suite holds not to belong to a revision is left out without a word.
        command.current_dir(root).args(["server", "--url", url, "--scenario", scenario]).args([
            "--spec-version",
            revision,
            "--force",
        ]);
        let status =
            command.status().map_err(|error| format!("could not start {command:?}: {error}"))?;
        if !status.success() {
            failed.push(format!("{scenario} of {revision}"));
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("{} of {} failed: {}", failed.len(), UNSCORED.len(), failed.join(", ")))
}

/// Lists the tools and calls one, as an editor would.
fn inspect(root: &Path, target: &Path, tools: &Path, binary: &Path) -> Result<(), String> {
    let calls: [(&[&str], &str); 3] = [
        (&["--method", "tools/list"], "\"memory_search\""),
        (
            &[
                "--method",
                "tools/call",
                "--tool-name",
                "memory_search",
                "--tool-arg",
                "query=locks",
            ],
            "\"total_found\"",
        ),
        (&["--method", "resources/templates/list"], "run://{id}/report"),
    ];
    for (words, expected) in calls {
        let served = elenchus(root, target, binary);
        let mut command = node(tools, ".bin/mcp-inspector");
        command.current_dir(root).arg("--cli");
        for (name, value) in served.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command.arg(served.get_program()).args(served.get_args()).args(words);
        let output =
            command.output().map_err(|error| format!("could not start {command:?}: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !text.contains(expected) {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "the inspector did not show {expected} for {words:?}: {text}{errors}"
            ));
        }
        println!("{}: {} bytes, with {expected}", words.join(" "), text.len());
    }
    Ok(())
}
