//! The coverage-guided fuzz targets of `fuzz/`, for a minute each.

use std::path::Path;
use std::process::Command;

use crate::setup::answers;
use crate::step::{self, Outcome, Runner, cargo_command};

/// One binary each, in `fuzz/fuzz_targets`.
const TARGETS: &[&str] = &[
    "blocks_units",
    "claims",
    "dates",
    "display_quote",
    "embed_text",
    "extractive",
    "journal_chain",
    "mcp_line",
    "memory_import",
    "model_reply",
    "model_stream",
    "passages",
    "prompt_file",
    "provider_reply",
    "quote_slice",
    "robots",
    "scripture",
    "search_query",
    "sentences",
    "text_words",
];

const SECONDS: u32 = 60;

/// Read as they stand, beside what earlier nights found.
const SEEDS: &str = "examples";

/// A folder of seeds of its own for each target that has any.
const OWN_SEEDS: &str = "fuzz/examples";

/// Runs every target; the reason when none can run here.
pub(crate) fn run(root: &Path) -> Result<Vec<Outcome>, &'static str> {
    if !answers(Command::new(step::cargo()).args(["fuzz", "--version"])) {
        return Err("fuzz targets: no cargo-fuzz. cargo install --locked cargo-fuzz \
                    (the targets also need a C++ compiler)");
    }
    Ok(TARGETS.iter().map(|target| one(root, target)).collect())
}

fn one(root: &Path, target: &'static str) -> Outcome {
    let corpus = format!("fuzz/corpus/{target}");
    // The fuzzer does not make the folder in which it keeps what it found.
    if let Err(cause) = std::fs::create_dir_all(root.join(&corpus)) {
        return step::inside(target, || {
            println!("error: {corpus} cannot be made: {cause}");
            false
        });
    }
    let own = format!("{OWN_SEEDS}/{target}");
    let own = Some(own.as_str()).filter(|own| root.join(own).is_dir());
    let command = cargo_command(root, &words(target, &corpus, own, &limit()));
    step::run(target, Runner::None, command)
}

fn limit() -> String {
    format!("-max_total_time={SECONDS}")
}

/// No sanitizer: our code has no `unsafe`, and sanitizers want a nightly compiler.
fn words<'a>(
    target: &'a str,
    corpus: &'a str,
    own: Option<&'a str>,
    limit: &'a str,
) -> Vec<&'a str> {
    let mut words = vec!["fuzz", "run", "--sanitizer", "none", target, corpus, SEEDS];
    words.extend(own);
    words.extend(["--", limit]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_run() {
        let folder = crate::root().join("fuzz/fuzz_targets");
        let mut found: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        found.sort();
        assert_eq!(found, TARGETS);
        let manifest = std::fs::read_to_string(crate::root().join("fuzz/Cargo.toml")).unwrap();
        for target in TARGETS {
            assert!(manifest.contains(&format!("name = \"{target}\"")), "{target}");
        }
    }

    #[test]
    fn a_target_ends_by_itself() {
        assert_eq!(limit(), "-max_total_time=60");
        for own in [None, Some("fuzz/examples/dates")] {
            let words = words("dates", "fuzz/corpus/dates", own, "-max_total_time=60");
            assert!(words.ends_with(&["--", "-max_total_time=60"]), "{words:?}");
            assert_eq!(words.contains(&"fuzz/examples/dates"), own.is_some());
        }
    }

    #[test]
    fn every_folder_of_seeds_is_that_of_a_target() {
        let folder = crate::root().join(OWN_SEEDS);
        let mut seeded = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            assert!(TARGETS.contains(&name.as_str()), "{name} is no target");
            assert!(std::fs::read_dir(entry.path()).unwrap().next().is_some(), "{name} is empty");
            seeded += 1;
        }
        assert!(seeded > 0);
    }
}
