//! `cargo xtask nightly`: what takes too long for every change.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser as pages;
use crate::fuzz;
use crate::restate;
use crate::setup::Machine;
use crate::step::{self, Runner, cargo_command};

/// The long campaigns: tests of the binary's crate whose name begins with `long_`, marked `#[ignore]` or waiting
/// for `ELENCHUS_NIGHTLY`. Their output is shown, for the skips that stand in it.
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
    "--include-ignored",
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

/// All of the attack corpora that every change meets a share of. Without the data beside the repository each says that it was
/// skipped.
const ATTACKS: &[(&str, &str)] =
    &[("injected instructions", "injection"), ("a liar among sources", "poisoning")];

/// Evals with committed results (`docs/evals/NAME.json`, written by the same words with `--out`): a figure that fell, or a row
/// that is gone, fails the night. `{data}` is the folder of the shared data.
const COMPARED: &[Compared] = &[
    Compared { name: "claims", words: "--data {data}/claims --sample 700" },
    Compared { name: "calibration", words: "--data {data}/claims --sample 700 --verifier builtin" },
    Compared { name: "swaps", words: "--data {data}/claims --verifier quick" },
    Compared { name: "spans", words: "--data {data}/claims" },
    Compared { name: "decomposition", words: "--data {data}/decomposition" },
    Compared { name: "fallacies", words: "--data {data}/fallacies" },
    Compared {
        name: "retrieval",
        words: "--documents {data}/scifact/scifact_corpus.jsonl --queries {data}/scifact/scifact_queries.jsonl",
    },
];

struct Compared {
    /// The subcommand, the name of the step and that of the file.
    name: &'static str,
    words: &'static str,
}

impl Compared {
    /// Where the committed results are, below the repository.
    fn committed(&self) -> String {
        format!("docs/evals/{}.json", self.name)
    }

    /// The words of the command. The folder may have blanks in its name.
    fn arguments(&self, data: &Path) -> Vec<OsString> {
        self.words
            .split(' ')
            .map(|word| match word.strip_prefix("{data}/") {
                Some(below) => data.join(below).into_os_string(),
                None => OsString::from(word),
            })
            .collect()
    }

    /// The command, or why it has to be left out.
    fn command(&self, root: &Path, data: &Path) -> Result<Command, String> {
        let arguments = self.arguments(data);
        let missing =
            arguments.iter().map(Path::new).find(|path| path.starts_with(data) && !path.exists());
        if let Some(missing) = missing {
            return Err(format!("{}: {} is not there", self.name, missing.display()));
        }
        let committed = self.committed();
        if !root.join(&committed).is_file() {
            return Err(format!(
                "{}: nothing is committed to compare with; `elenchus-evals {} {} --out {committed}` writes it",
                self.name, self.name, self.words
            ));
        }
        let words = ["run", "--locked", "--release", "-p", "elenchus-evals", "--", self.name];
        let mut command = cargo_command(root, &words);
        command.args(arguments).args(["--against", &committed]);
        Ok(command)
    }
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
        ],
        variables: &[("ELENCHUS_TEST_KILLS", "500"), ("ELENCHUS_NIGHTLY", "1")],
    },
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
    for repeated in REPEATED {
        outcomes.push(step::run(repeated.name, Runner::Libtest, repeated.command(root)));
    }
    let servers = crate::postgres::start(&step::target(root));
    for long in ON_POSTGRES {
        let words = [&["test", "--locked", "--release"], long.words, &["--nocapture"]].concat();
        let mut command = cargo_command(root, &words);
        command.envs(long.variables.iter().copied()).env(crate::postgres::VARIABLE, servers.urls());
        outcomes.push(step::run(long.name, Runner::Libtest, command));
    }
    drop(servers);
    let mut workers = cargo_command(root, WORKERS);
    workers.env("ELENCHUS_TEST_KILLS", "500");
    if restate::provide(root, &mut workers).is_none() {
        outcomes.push(step::run("workers of Restate", Runner::Libtest, workers));
    }
    let data = std::env::var_os("ELENCHUS_DATA")
        .map_or_else(|| root.join("../shared/data"), PathBuf::from);
    for (name, command) in ATTACKS {
        let words =
            ["run", "--locked", "--release", "-p", "elenchus-evals", "--", command, "--data"];
        let mut command = cargo_command(root, &words);
        command.arg(data.join("attacks"));
        outcomes.push(step::run(name, Runner::None, command));
    }
    for compared in COMPARED {
        match compared.command(root, &data) {
            Ok(command) => outcomes.push(step::run(compared.name, Runner::None, command)),
            Err(reason) => skipped.push(reason),
        }
    }
    match browser(root) {
        Ok(command) => outcomes.push(step::run("reports in a browser", Runner::None, command)),
        Err(reason) => skipped.push(reason.to_owned()),
    }
    outcomes.extend(pages::all_payloads(root));
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

    #[test]
    fn evals_without_data_or_committed_results_are_left_out_by_name() {
        let root = crate::root();
        for compared in COMPARED {
            let reason = compared.command(&root, Path::new("/nowhere/at/all")).unwrap_err();
            assert!(reason.starts_with(compared.name) && reason.ends_with("is not there"));
            // Every place in the words is filled in.
            let arguments = compared.arguments(Path::new("/my data"));
            assert!(arguments.iter().all(|word| !word.to_string_lossy().contains('{')));
            assert!(arguments.iter().any(|word| word.to_string_lossy().starts_with("/my data/")));
        }
    }
}
