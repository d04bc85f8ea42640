//! `cargo xtask coverage`: which share of the lines of core and engine their own tests run.
//!
//! The compiler counts, the tools of its LLVM add up; those of another LLVM cannot read what this compiler writes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::json::{self, Json};
use crate::llvm::{self, Tools};
use crate::step::{self, Runner, cargo_command};

/// What is counted, by the folder under `crates`.
const CRATES: [&str; 2] = ["elenchus-core", "elenchus-engine"];

/// The share in percent that each must reach.
const FLOOR: f64 = 80.0;

/// Files of a crate that are tests or serve them. Tests that stand in a file of the product are counted with it.
const TESTS: [&str; 3] = ["tests", "testkit", "fixture"];

/// Lines of a crate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Lines {
    run: u64,
    all: u64,
}

impl Lines {
    fn share(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.run as f64 * 100.0 / self.all as f64 }
    }
}

pub(crate) fn run(root: &Path) -> bool {
    match llvm::tools(root).and_then(|tools| measured(root, &tools)) {
        Ok(lcov) => report(&lines(&lcov)),
        Err(cause) => {
            eprintln!("error: {cause}");
            false
        }
    }
}

/// Runs the tests, instrumented, in a target folder of their own, and gives the counts in the form of lcov.
fn measured(root: &Path, tools: &Tools) -> Result<String, String> {
    let folder = step::target(root).join("coverage");
    let profiles = folder.join("profiles");
    let failed = |cause: std::io::Error| format!("{}: {cause}", profiles.display());
    if profiles.exists() {
        // Of an earlier measurement, and perhaps of other code.
        std::fs::remove_dir_all(&profiles).map_err(failed)?;
    }
    std::fs::create_dir_all(&profiles).map_err(failed)?;
    let instrumented = |words: &[&str]| {
        let mut command = cargo_command(root, words);
        command
            .env("RUSTFLAGS", "-C instrument-coverage")
            .env("CARGO_TARGET_DIR", &folder)
            // Processes of one binary share a few files.
            .env("LLVM_PROFILE_FILE", profiles.join("%4m.profraw"));
        command
    };
    let mut words = vec!["test", "--locked"];
    for name in CRATES {
        words.extend(["-p", name]);
    }
    words.extend(["--lib", "--test", "it"]);
    let building = [&words[..], &["--no-run", "--message-format=json"]].concat();
    let binaries = executables(&output(&mut instrumented(&building))?);
    let Some((first, more)) = binaries.split_first() else {
        return Err("cargo names no test binary".to_owned());
    };
    if !step::run("tests, counted", Runner::Libtest, instrumented(&words)).passed {
        return Err("the tests did not pass, so their lines say nothing".to_owned());
    }
    let mut counted: Vec<PathBuf> = std::fs::read_dir(&profiles)
        .map_err(failed)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    counted.sort();
    let merged = folder.join("all.profdata");
    let mut merge = Command::new(&tools.profdata);
    output(merge.args(["merge", "-sparse"]).args(&counted).arg("-o").arg(&merged))?;
    let mut export = Command::new(&tools.cov);
    export.args(["export", "--format=lcov", "--instr-profile"]).arg(&merged).arg(first);
    for binary in more {
        export.arg("--object").arg(binary);
    }
    output(&mut export)
}

/// The test binaries that cargo names in its messages.
fn executables(messages: &str) -> Vec<PathBuf> {
    messages
        .lines()
        .filter_map(|line| json::parse(line).ok())
        .filter_map(|message| message.get("executable").and_then(Json::str).map(PathBuf::from))
        .collect()
}

/// What a command says on its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let said = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|cause| format!("{name} does not start: {cause}"))?;
    if said.status.success() {
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    } else {
        Err(format!("{name} failed ({})", said.status))
    }
}

/// The lines of each crate, of a trace in the form of lcov.
fn lines(lcov: &str) -> BTreeMap<&'static str, Lines> {
    let mut sums: BTreeMap<&'static str, Lines> = BTreeMap::new();
    let mut of = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            of = CRATES.into_iter().find(|name| is_code_of(path, name));
            continue;
        }
        let (Some(name), Some((what, count))) = (of, line.split_once(':')) else { continue };
        let Ok(count) = count.parse::<u64>() else { continue };
        let sum = sums.entry(name).or_default();
        match what {
            "LH" => sum.run += count,
            "LF" => sum.all += count,
            _ => {}
        }
    }
    sums
}

fn is_code_of(path: &str, name: &str) -> bool {
    let path = path.replace('\\', "/");
    let Some((_, inside)) = path.rsplit_once(&format!("crates/{name}/src/")) else { return false };
    !inside.split('/').any(|part| {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        TESTS.contains(&stem) || stem.ends_with("_tests")
    })
}

/// Prints the shares, and tells whether each is high enough.
fn report(sums: &BTreeMap<&'static str, Lines>) -> bool {
    println!("\n== lines that the tests of core and engine run");
    let mut passed = true;
    for name in CRATES {
        let sum = sums.get(name).copied().unwrap_or_default();
        println!("{:>5.1} % of {:>6}  {name}", sum.share(), sum.all);
        if sum.share() < FLOOR {
            eprintln!("error: {name} is below {FLOOR} %: test what is not run, or take it out");
            passed = false;
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    const LCOV: &str = "\
SF:/here/crates/elenchus-core/src/measure.rs
FN:10,a
DA:10,3
DA:11,0
LF:10
LH:9
end_of_record
SF:/here/crates/elenchus-core/src/graph/keep_tests.rs
LF:100
LH:100
end_of_record
SF:/here/crates/elenchus-engine/src/driver.rs
LF:4
LH:3
end_of_record
SF:/here/crates/elenchus-engine/src/restate/tests/world.rs
LF:50
LH:50
end_of_record
SF:/registry/serde/src/lib.rs
LF:1000
LH:1
end_of_record
";

    #[test]
    fn code_is_counted_and_tests_are_not() {
        let sums = lines(LCOV);
        assert_eq!(sums["elenchus-core"], Lines { run: 9, all: 10 });
        assert_eq!(sums["elenchus-engine"], Lines { run: 3, all: 4 });
        assert_eq!(sums.len(), 2);
    }

    #[test]
    fn a_crate_below_the_floor_or_without_a_line_does_not_pass() {
        let mut sums = lines(LCOV);
        assert!(!report(&sums), "three of four");
        sums.insert("elenchus-engine", Lines { run: 4, all: 5 });
        assert!(report(&sums));
        sums.remove("elenchus-core");
        assert!(!report(&sums));
    }

    #[test]
    fn test_binaries_are_read_from_the_messages_of_cargo() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":\"/t/it-1\"}\n\
                        warning: no message\n{\"reason\":\"build-finished\",\"success\":true}";
        assert_eq!(executables(messages), [PathBuf::from("/t/it-1")]);
    }
}
