//! `cargo xtask test`: what a change must pass. The cheap steps come first, and all of them run, so that one
//! red step does not hide what the others would have said.

use std::path::Path;
use std::time::Instant;

use crate::browser;
use crate::budget;
use crate::chromium::Sought;
use crate::exports;
use crate::junit;
use crate::postgres;
use crate::restate;
use crate::setup::Machine;
use crate::step::{self, Outcome, Runner, cargo_command};
use crate::tidy;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// Between two edits: formatting, tidy and the tests.
    Fast,
}

/// A step that is a cargo command.
struct Step {
    name: &'static str,
    words: &'static [&'static str],
    runner: Runner,
    fast: bool,
    /// Compiles dependencies, and so cannot even begin without a C compiler.
    builds: bool,
}

const FORMAT: Step = Step {
    name: "fmt",
    words: &["fmt", "--all", "--check"],
    runner: Runner::None,
    fast: true,
    builds: false,
};

/// The engines beside the ordinary ones are compiled in everywhere, so that everything is built once; that the ordinary build
/// stands without them is a step of its own. Models from folders bring no dependency along. The fail points, which no build that is
/// shipped has, the engine's own tests bring into this build in any case.
pub(crate) const ENGINES: &str = "elenchus/onnx,elenchus/postgres,elenchus/qdrant,elenchus/restate,\
     elenchus/crash-points,\
     elenchus/otel,elenchus-evals/onnx,elenchus-evals/servers";

const ORDINARY: Step = Step {
    name: "without the engines",
    words: &["clippy", "--locked", "-p", "elenchus", "--", "-D", "warnings"],
    runner: Runner::None,
    fast: false,
    builds: true,
};

const LINTS: Step = Step {
    name: "clippy",
    words: &[
        "clippy",
        "--locked",
        "--workspace",
        "--features",
        ENGINES,
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ],
    runner: Runner::None,
    fast: false,
    builds: true,
};

const DOCS: Step = Step {
    name: "doc",
    words: &["doc", "--locked", "--workspace", "--features", ENGINES, "--no-deps"],
    runner: Runner::None,
    fast: false,
    builds: true,
};

const NEXTEST: Step = Step {
    name: "tests",
    words: &["nextest", "run", "--locked", "--workspace", "--features", ENGINES],
    runner: Runner::Nextest,
    fast: true,
    builds: true,
};

const LIBTEST: Step = Step {
    name: "tests",
    words: &[
        "test",
        "--locked",
        "--workspace",
        "--features",
        ENGINES,
        "--lib",
        "--bins",
        "--tests",
        "--no-fail-fast",
        "--",
        // Passing tests as well: what they leave out stands there.
        "--show-output",
    ],
    runner: Runner::Libtest,
    fast: true,
    builds: true,
};

const DOC_TESTS: Step = Step {
    name: "doctests",
    // Of all crates, so that what the tests were built of serves them too.
    words: &["test", "--locked", "--doc", "--workspace", "--features", ENGINES],
    runner: Runner::Libtest,
    fast: false,
    builds: true,
};

/// The steps that follow `fmt` and `tidy`.
fn steps(nextest: bool) -> [Step; 5] {
    [ORDINARY, LINTS, DOCS, if nextest { NEXTEST } else { LIBTEST }, DOC_TESTS]
}

pub(crate) fn run(root: &Path, extent: Extent) -> bool {
    let start = Instant::now();
    let machine = Machine::look();
    for line in machine.lacks() {
        println!("missing: {line}");
    }
    // Where it has to be installed, that goes on beside the builds.
    let chromium = (extent == Extent::Whole && machine.c_compiler).then(Sought::begin);
    let mut outcomes = vec![perform(root, &FORMAT), step::inside("tidy", || tidy::run(root))];
    for next in steps(machine.nextest) {
        if extent == Extent::Fast && !next.fast {
            println!("\n== {}: left out by --fast", next.name);
        } else if next.builds && !machine.c_compiler {
            outcomes.push(step::inside(next.name, || {
                println!("error: not started, there is no C compiler");
                false
            }));
        } else if next.name == NEXTEST.name {
            outcomes.extend(under_servers(root, &next));
        } else {
            outcomes.push(perform(root, &next));
        }
    }
    if extent == Extent::Fast {
        println!("\n== browser: left out by --fast");
    }
    if let Some(sought) = chromium {
        outcomes.extend(browser::outcomes(root, sought));
    }
    // The binary is there once the tests are: they start it.
    if extent == Extent::Whole {
        outcomes.extend(exports::steps(root));
    }
    let passed = step::report(&outcomes);
    // A slow machine is no fault of a change, so it is no failure.
    println!("{}", budget::told(&outcomes, start.elapsed().as_secs_f64()));
    println!("{}", step::total(&outcomes));
    passed
}

/// The tests, while servers run that some of them ask.
fn under_servers(root: &Path, next: &Step) -> [Outcome; 2] {
    let mut servers = None;
    let mut starting = step::inside("servers", || {
        servers = Some(postgres::start(&step::target(root)));
        true
    });
    let mut urls = String::new();
    if let Some(servers) = &servers {
        starting.skips.clone_from(&servers.skips);
        urls = servers.urls();
    }
    let mut command = cargo_command(root, next.words);
    command.env(postgres::VARIABLE, urls);
    starting.skips.extend(restate::provide(root, &mut command));
    junit::forget(root);
    let mut tests = step::run(next.name, next.runner, command);
    if next.runner == Runner::Nextest {
        match junit::skips(root) {
            Some(told) => {
                let new: Vec<String> =
                    told.into_iter().filter(|reason| !tests.skips.contains(reason)).collect();
                tests.skips.extend(new);
            }
            None => tests
                .skips
                .push("what passing tests leave out: nextest wrote no junit.xml".to_owned()),
        }
    }
    [starting, tests]
}

fn perform(root: &Path, step: &Step) -> Outcome {
    let mut command = cargo_command(root, step.words);
    command.env("RUSTDOCFLAGS", "-D warnings");
    step::run(step.name, step.runner, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_build_is_locked() {
        for step in steps(true).iter().chain(&steps(false)) {
            assert!(step.words.contains(&"--locked"), "{}", step.name);
            assert!(step.builds, "{}", step.name);
        }
    }

    #[test]
    fn the_models_from_folders_are_built_and_tested() {
        let features = ["elenchus/onnx", "elenchus-evals/onnx"];
        for step in [LINTS, NEXTEST, LIBTEST] {
            assert!(step.words.contains(&ENGINES), "{}", step.name);
        }
        assert!(features.iter().all(|wanted| ENGINES.split(',').any(|one| one == *wanted)));
    }

    #[test]
    fn the_fast_round_keeps_the_tests() {
        for nextest in [true, false] {
            let kept: Vec<&str> =
                steps(nextest).iter().filter(|step| step.fast).map(|step| step.name).collect();
            assert_eq!(kept, ["tests"]);
        }
    }
}
