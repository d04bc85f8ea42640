//! `cargo xtask nightly`: what takes too long for every change.

use std::path::Path;
use std::process::Command;

use crate::browser as pages;
use crate::coverage;
use crate::evals::{self, Wish};
use crate::fuzz;
use crate::restate;
use crate::setup::Machine;
use crate::step::{self, Runner, cargo_command};

/// The long campaigns: tests of the binary's crate whose name begins with `long_`, marked `#[ignore]` or waiting
/// for `ELENCHUS_NIGHTLY`, and a kill after every record. Their output is shown, for the skips that stand in it.
const CAMPAIGNS: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus",
    "--test",
    "it",
    "--",
    "long_",
    "a_killed_run_goes_on",
    "--include-ignored",
    "--nocapture",
];

/// Every payload of the attack corpora through every form of a report; a change takes every twelfth of the scripts.
const PAYLOADS: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus-core",
    "--lib",
    "--",
    "export::corpora",
    "--nocapture",
];

/// Every text of query languages in every field of the memory (a change takes every third), and its longest scenarios of
/// poisoning.
const ATTACKS: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus-io",
    "--test",
    "it",
    "--",
    "bank_attacks::",
    "--nocapture",
];

/// Hostile bodies of the full size of a page, and every text of query languages in the memos (a change takes every eighth).
const BODIES: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus-io",
    "--lib",
    "--",
    "hostile_bodies_are_read",
    "memos::tests",
    "--nocapture",
];

/// Features that no default build compiles would rot unseen.
const FEATURES: &[&str] = &[
    "clippy",
    "--locked",
    "--workspace",
    "--all-targets",
    "--all-features",
    "--",
    "-D",
    "warnings",
];

const BENCHMARKS: &[&str] = &["bench", "--locked", "-p", "elenchus-evals"];

/// What is timed by the evals: each prints its figures beside a baseline of the same run, and fails only where it cannot run.
const SPEEDS: &[(&str, &str)] = &[
    ("searching the memory", "memory-speed --strategies 10000,100000"),
    ("distilling", "distil-speed"),
    ("fetching and reading pages", "pages-speed"),
];

/// Measurements of the server that are tests because only they can start it so: each prints its figure beside its baseline. Those
/// of ten thousand streams and of a run of ten thousand events are held to their limits by this build alone.
const TIMED: &[Timed] = &[Timed {
    name: "streams and pages of the server",
    words: &[
        "test",
        "--locked",
        "--release",
        "-p",
        "elenchus-server",
        "--lib",
        "--",
        "fan_out",
        "pages_a_second",
        "ten_thousand",
        "--include-ignored",
        "--nocapture",
        "--test-threads=1",
    ],
}];

struct Timed {
    name: &'static str,
    words: &'static [&'static str],
}

/// Integration tests that every change runs in small, and the variable that says how much of them runs here.
const REPEATED: &[Repeated] = &[
    Repeated { name: "kills", package: "elenchus-engine", count: ("ELENCHUS_TEST_KILLS", "2000") },
    Repeated {
        name: "tenants apart",
        package: "elenchus-io",
        count: ("ELENCHUS_TEST_SEQUENCES", "10000"),
    },
    Repeated { name: "properties", package: "elenchus-core", count: ("PROPTEST_CASES", "4000") },
];

/// Workers of a real Restate server, aborted at every step and killed at random; and what runs cost there.
const WORKERS: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus-engine",
    "--features",
    "restate",
    "--test",
    "it",
    "--",
    "restate::",
    "--include-ignored",
    "--nocapture",
    "--test-threads=1",
];

/// What is kept on PostgreSQL servers, with the variables that say how much is done there: sequences on store and bank; kills
/// at random and at every step, after which others go on.
const ON_POSTGRES: &[OnServers] = &[
    OnServers {
        name: "sequences on PostgreSQL",
        words: &["-p", "elenchus-io", "--features", "postgres", "--test", "it", "--", "postgres"],
        variables: &[("ELENCHUS_STORE_SEQUENCES", "10000"), ("ELENCHUS_TEST_SEQUENCES", "2000")],
    },
    OnServers {
        name: "a storm over vectors on PostgreSQL",
        words: &["-p", "elenchus-io", "--features", "postgres", "--lib", "--", "a_storm_over"],
        variables: &[("ELENCHUS_NIGHTLY", "1")],
    },
    OnServers {
        name: "kills on PostgreSQL",
        words: &[
            "-p",
            "elenchus",
            "--features",
            "postgres,crash-points",
            "--test",
            "it",
            "--",
            "postgres::",
            "worker::",
            "kill::",
        ],
        variables: &[("ELENCHUS_TEST_KILLS", "500"), ("ELENCHUS_NIGHTLY", "1")],
    },
];

/// Suite and storm on the Qdrant server that the environment names, with 10,000 operations for each of the tenants.
const ON_QDRANT: &[&str] = &[
    "test",
    "--locked",
    "--release",
    "-p",
    "elenchus-io",
    "--features",
    "qdrant",
    "--lib",
    "--",
    "a_real_server",
    "--nocapture",
];

struct OnServers {
    name: &'static str,
    words: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

struct Repeated {
    name: &'static str,
    package: &'static str,
    count: (&'static str, &'static str),
}

impl Repeated {
    fn command(&self, root: &Path) -> Command {
        let words = ["test", "--locked", "--release", "-p", self.package, "--test", "it"];
        let mut command = cargo_command(root, &words);
        command.args(["--", "--show-output"]);
        command.env(self.count.0, self.count.1);
        command
    }
}

pub(crate) fn run(root: &Path) -> bool {
    for line in Machine::look().lacks() {
        println!("missing: {line}");
    }
    let mut outcomes = Vec::new();
    let mut skipped = Vec::new();
    outcomes.push(step::run("all features", Runner::None, cargo_command(root, FEATURES)));
    outcomes.push(step::inside("conformance of the MCP server", || crate::mcp::run(root)));
    outcomes.push(step::inside("the HTTP API as described", || crate::http::run(root)));
    if root.join("crates/elenchus/tests/it/main.rs").is_file() {
        let mut command = cargo_command(root, CAMPAIGNS);
        command.env("ELENCHUS_NIGHTLY", "1");
        outcomes.push(step::run("long campaigns", Runner::Libtest, command));
    } else {
        skipped.push("long campaigns: crates/elenchus/tests/it does not exist".to_owned());
    }
    let mut payloads = cargo_command(root, PAYLOADS);
    payloads.env("ELENCHUS_NIGHTLY", "1");
    outcomes.push(step::run("payloads through reports", Runner::Libtest, payloads));
    let mut attacks = cargo_command(root, ATTACKS);
    attacks.env("ELENCHUS_NIGHTLY", "1");
    outcomes.push(step::run("attacks on the memory", Runner::Libtest, attacks));
    let mut bodies = cargo_command(root, BODIES);
    bodies.env("ELENCHUS_NIGHTLY", "1");
    outcomes.push(step::run("hostile pages and memos", Runner::Libtest, bodies));
    for repeated in REPEATED {
        outcomes.push(step::run(repeated.name, Runner::Libtest, repeated.command(root)));
    }
    match crate::llvm::tools(root) {
        Ok(_) => outcomes.push(step::inside("line coverage", || coverage::run(root))),
        Err(reason) => skipped.push(format!("line coverage: {reason}")),
    }
    let servers = crate::postgres::start(&step::target(root));
    for long in ON_POSTGRES {
        let words = [&["test", "--locked", "--release"], long.words, &["--nocapture"]].concat();
        let mut command = cargo_command(root, &words);
        command.envs(long.variables.iter().copied()).env(crate::postgres::VARIABLE, servers.urls());
        outcomes.push(step::run(long.name, Runner::Libtest, command));
    }
    skipped.extend(servers.skips.iter().cloned());
    drop(servers);
    if std::env::var_os("QDRANT_URL").is_some() {
        let mut storm = cargo_command(root, ON_QDRANT);
        storm.env("ELENCHUS_TEST_QDRANT_OPERATIONS", "30000");
        outcomes.push(step::run("vectors on Qdrant", Runner::Libtest, storm));
    } else {
        skipped.push("vectors on Qdrant: QDRANT_URL is not set".to_owned());
    }
    let mut workers = cargo_command(root, WORKERS);
    workers.env("ELENCHUS_TEST_KILLS", "500");
    match restate::provide(root, &mut workers) {
        None => outcomes.push(step::run("workers of Restate", Runner::Libtest, workers)),
        Some(why) => skipped.push(why),
    }
    // Every eval without a network: a figure that fell fails the night.
    let (measured, left_out) = evals::steps(root, &[], Wish::Compare);
    outcomes.extend(measured);
    skipped.extend(left_out);
    for (name, words) in SPEEDS {
        let mut command =
            cargo_command(root, &["run", "--locked", "--release", "-p", "elenchus-evals", "--"]);
        command.args(words.split(' '));
        outcomes.push(step::run(name, Runner::None, command));
    }
    for timed in TIMED {
        outcomes.push(step::run(timed.name, Runner::Libtest, cargo_command(root, timed.words)));
    }
    outcomes.extend(pages::night(root));
    match browser(root) {
        Ok(command) => outcomes.push(step::run("reports in a browser", Runner::None, command)),
        Err(reason) => skipped.push(reason.to_owned()),
    }
    match fuzz::run(root) {
        Ok(ended) => outcomes.extend(ended),
        Err(reason) => skipped.push(reason.to_owned()),
    }
    if root.join("crates/elenchus-evals/benches").is_dir() {
        outcomes.push(step::run("benchmarks", Runner::None, cargo_command(root, BENCHMARKS)));
    } else {
        skipped.push("benchmarks: crates/elenchus-evals/benches does not exist".to_owned());
    }
    let passed = step::report(&outcomes);
    for line in skipped {
        println!("skip: {line}");
    }
    println!("{}", step::total(&outcomes));
    passed
}

/// Reports of hostile answers in a real browser: what it runs, asks for or complains of.
fn browser(root: &Path) -> Result<Command, &'static str> {
    let has = |program: &str, words: &[&str]| {
        Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
    };
    if !has("chromium", &["--version"]) || !has("python3", &["-c", "import playwright"]) {
        return Err("reports in a browser: it needs chromium and Python's playwright");
    }
    let mut command = Command::new("python3");
    command.arg("scripts/browse_reports.py").current_dir(root);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_exists() {
        for repeated in REPEATED {
            let tests =
                crate::root().join("crates").join(repeated.package).join("tests/it/main.rs");
            assert!(tests.is_file(), "{}", tests.display());
        }
    }
}
