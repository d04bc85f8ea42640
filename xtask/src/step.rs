//! One timed step: a command whose output is shown as it comes and read for what it counted.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// The cargo that started this program, so that a pinned toolchain stays pinned.
pub(crate) fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"))
}

/// Where cargo builds, and tools of the tests are put.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Who runs the tests of a step, and so in which words the result is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// Not a test run: only the exit status counts.
    None,
    Nextest,
    Libtest,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
    pub(crate) skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

/// How a step ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
    pub(crate) passed: bool,
    pub(crate) counts: Counts,
    /// What the step itself said it left out.
    pub(crate) skips: Vec<String>,
}

/// A cargo command under the environment in which results are comparable.
pub(crate) fn cargo_command(root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(cargo());
    command
        .args(words)
        .current_dir(root)
        .env("CARGO_INCREMENTAL", "0")
        // Nobody steps through what is built here, and a panic names its line without it.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_TERM_COLOR", "never")
        .env("INSTA_UPDATE", "no")
        .stdin(Stdio::null());
    command
}

/// Runs something that is not a command of its own.
pub(crate) fn inside(name: &'static str, work: impl FnOnce() -> bool) -> Outcome {
    println!("\n== {name}");
    let start = Instant::now();
    let passed = work();
    let seconds = start.elapsed().as_secs_f64();
    Outcome { name, seconds, passed, counts: Counts::default(), skips: Vec::new() }
}

pub(crate) fn run(name: &'static str, runner: Runner, mut command: Command) -> Outcome {
    println!("\n== {name}");
    let start = Instant::now();
    let (succeeded, lines) = match shown(&mut command) {
        Ok(ended) => ended,
        Err(cause) => {
            eprintln!("error: {name} does not start: {cause}");
            (false, Vec::new())
        }
    };
    let (counts, summaries) = count(runner, &lines);
    // A test run that says nothing has perhaps run nothing.
    let silent = runner != Runner::None && summaries == 0;
    if succeeded && silent {
        eprintln!("error: {name} ended well but printed no summary that can be read");
    }
    let skips = lines.iter().filter_map(|line| skip(line)).collect();
    let passed = succeeded && !silent && counts.failed == 0;
    Outcome { name, seconds: start.elapsed().as_secs_f64(), passed, counts, skips }
}

/// Runs a command, repeats its lines on our own streams and keeps them.
fn shown(command: &mut Command) -> Result<(bool, Vec<String>), std::io::Error> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let errors = child.stderr.take();
    let reader = thread::spawn(move || {
        errors.map_or_else(Vec::new, |from| repeat(from, |line| eprintln!("{line}")))
    });
    let mut lines =
        child.stdout.take().map_or_else(Vec::new, |from| repeat(from, |line| println!("{line}")));
    lines.extend(reader.join().unwrap_or_default());
    Ok((child.wait()?.success(), lines))
}

fn repeat(from: impl Read, show: impl Fn(&str)) -> Vec<String> {
    let mut lines = Vec::new();
    for line in BufReader::new(from).split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        show(&line);
        lines.push(line);
    }
    lines
}

/// A test that cannot run here says so on a line that begins with `skip:`. Where tests run one after another and are shown as
/// they run, libtest has written the name of the test before.
pub(crate) fn skip(line: &str) -> Option<String> {
    let line = line.trim_start();
    let after_name = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
    let said = after_name.map_or(line, |(_, said)| said);
    said.strip_prefix("skip:").map(|reason| reason.trim().to_owned())
}

/// Sums the summary lines of one runner and tells how many there were. Only that runner's: nextest repeats what
/// a failing test printed, and that holds a line of libtest.
fn count(runner: Runner, lines: &[String]) -> (Counts, usize) {
    let parse: fn(&str) -> Option<Counts> = match runner {
        Runner::None => return (Counts::default(), 0),
        Runner::Nextest => nextest_summary,
        Runner::Libtest => libtest_summary,
    };
    let mut sum = Counts::default();
    let mut summaries = 0;
    for counts in lines.iter().filter_map(|line| parse(line)) {
        sum += counts;
        summaries += 1;
    }
    (sum, summaries)
}

/// `Summary [ 0.9s] 7/9 tests run: 4 passed (1 slow), 2 failed, 1 timed out, 3 skipped`
fn nextest_summary(line: &str) -> Option<Counts> {
    let rest = line.trim_start().strip_prefix("Summary [")?;
    let (run, results) = rest.split_once(']')?.1.split_once(" run:")?;
    let mut counts = tally(&without_brackets(results), ',');
    // "7/9 tests": two were never started, which is not a pass.
    if let Some((started, all)) = run.split_whitespace().next()?.split_once('/') {
        counts.skipped += all.parse::<u64>().ok()?.saturating_sub(started.parse().ok()?);
    }
    Some(counts)
}

/// `test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 5 filtered out; finished in 0.00s`
fn libtest_summary(line: &str) -> Option<Counts> {
    let rest = line.trim_start().strip_prefix("test result: ")?;
    Some(tally(rest.split_once(". ")?.1, ';'))
}

fn tally(results: &str, separator: char) -> Counts {
    let mut counts = Counts::default();
    for part in results.split(separator) {
        let Some((number, what)) = part.trim().split_once(' ') else { continue };
        let Ok(number) = number.parse::<u64>() else { continue };
        match what.trim() {
            "passed" => counts.passed += number,
            "failed" | "timed out" | "exec failed" => counts.failed += number,
            "skipped" | "ignored" => counts.skipped += number,
            _ => {}
        }
    }
    counts
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Prints the table of steps and what was left out, and tells whether all passed.
pub(crate) fn report(outcomes: &[Outcome]) -> bool {
    println!("\n== steps");
    for outcome in outcomes {
        let word = if outcome.passed { "ok" } else { "FAILED" };
        println!("{:>8.1} s  {:<6}  {}", outcome.seconds, word, outcome.name);
        for reason in &outcome.skips {
            println!("            skip    {reason}");
        }
    }
    let failed: Vec<&str> =
        outcomes.iter().filter(|outcome| !outcome.passed).map(|outcome| outcome.name).collect();
    if !failed.is_empty() {
        println!("failed steps: {}", failed.join(", "));
    }
    failed.is_empty()
}

/// The last line of a test run, for people and for whoever reads the log.
pub(crate) fn total(outcomes: &[Outcome]) -> String {
    let mut sum = Counts::default();
    for outcome in outcomes {
        sum += outcome.counts;
    }
    format!("{} passed, {} failed, {} skipped", sum.passed, sum.failed, sum.skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts { passed, failed, skipped }
    }

    #[test]
    fn reads_the_summaries_of_nextest() {
        let read = |line| nextest_summary(line).unwrap();
        assert_eq!(
            read("     Summary [   0.009s] 3 tests run: 3 passed, 0 skipped"),
            counts(3, 0, 0)
        );
        assert_eq!(
            read("Summary [ 1.2s] 1 test run: 1 passed (1 slow, 1 flaky), 4 skipped"),
            counts(1, 0, 4)
        );
        let all = "Summary [ 9.0s] 7/9 tests run: 3 passed, 1 failed, 2 timed out, 1 exec failed, 3 skipped";
        assert_eq!(read(all), counts(3, 4, 5));
        assert_eq!(nextest_summary("test result: ok. 3 passed; 0 failed; 0 ignored"), None);
        assert_eq!(nextest_summary("Summary of nothing"), None);
    }

    #[test]
    fn reads_the_summaries_of_libtest() {
        let line = "test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 5 filtered out; finished in 0.00s";
        assert_eq!(libtest_summary(line), Some(counts(3, 1, 2)));
        assert_eq!(libtest_summary("test a::b ... ok"), None);
    }

    #[test]
    fn counts_only_the_lines_of_the_runner_that_ran() {
        let lines = [
            "test result: FAILED. 0 passed; 1 failed; 0 ignored".to_owned(),
            "Summary [ 0.1s] 2 tests run: 1 passed, 1 failed, 0 skipped".to_owned(),
        ];
        assert_eq!(count(Runner::Nextest, &lines), (counts(1, 1, 0), 1));
        assert_eq!(count(Runner::Libtest, &lines), (counts(0, 1, 0), 1));
        assert_eq!(count(Runner::None, &lines), (counts(0, 0, 0), 0));
    }

    #[test]
    fn a_test_run_without_a_summary_is_no_pass() {
        let quiet = || {
            let mut command = Command::new(cargo());
            command.arg("--version");
            command
        };
        assert!(!run("quiet", Runner::Libtest, quiet()).passed);
        assert!(run("quiet", Runner::None, quiet()).passed);
        assert!(!run("missing", Runner::None, Command::new("a-program-that-is-nowhere")).passed);
    }

    #[test]
    fn the_total_sums_every_step() {
        let outcome =
            |counts| Outcome { name: "x", seconds: 0.0, passed: true, counts, skips: Vec::new() };
        let outcomes = [outcome(counts(3, 0, 1)), outcome(counts(2, 1, 0))];
        assert_eq!(total(&outcomes), "5 passed, 1 failed, 1 skipped");
    }

    #[test]
    fn a_skip_is_heard() {
        assert_eq!(skip("  skip: no Postgres here"), Some("no Postgres here".to_owned()));
        assert_eq!(skip("test a::b ... skip: no Qdrant"), Some("no Qdrant".to_owned()));
        assert_eq!(skip("skipped"), None);
        assert_eq!(skip("test a::b ... ok"), None);
    }
}
