//! `cargo xtask exports`: what is exported, read by tools that others wrote.
//!
//! They are packages of PyPI and go into `target/export-tools`, about 120 MB once. Where they are, the step takes less than a
//! minute, so that it is a part of the usual test; where they are not and PyPI cannot be reached, it says that it was skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{self, Outcome, Runner, cargo_command};
use crate::test::ENGINES;

/// Pinned, so that a new release of a tool is not a red test of ours.
const PACKAGES: &[&str] = &[
    "citeproc-py==0.11.0",
    "jsonschema==4.26.0",
    "prov==3.2.3",
    "pybtex==0.26.1",
    "PyLD==3.3.0",
    "rispy==0.10.0",
    "roc-validator==0.13.0",
    "rocrate==0.16.0",
];

pub(crate) fn run(root: &Path) -> bool {
    // As the tests build it, so that after them there is nothing left to build.
    let words = ["build", "--locked", "--workspace", "--features", ENGINES, "--tests"];
    let mut outcomes = vec![step::run("build", Runner::None, cargo_command(root, &words))];
    outcomes.extend(steps(root));
    step::report(&outcomes)
}

/// The installation and the check of the binary that was built last; or one line that says why not.
pub(crate) fn steps(root: &Path) -> Vec<Outcome> {
    let target = step::target(root);
    let tools = target.join("export-tools");
    let mut lacking = None;
    let mut first = step::inside("tools that read exports", || {
        lacking = install(&tools).err();
        true
    });
    if let Some(cause) = lacking {
        println!("skip: exports by other tools: {cause}");
        first.skips.push(format!("exports by other tools: {cause}"));
        return vec![first];
    }
    let mut command = Command::new(python(&tools));
    command
        .current_dir(root)
        .args(["-W", "ignore", "scripts/check_exports.py", "--binary"])
        .arg(target.join("debug/elenchus"))
        .stdin(Stdio::null());
    vec![first, step::run("exports by other tools", Runner::None, command)]
}

fn python(tools: &Path) -> PathBuf {
    tools.join("bin/python")
}

/// The packages; nothing is done where these very ones are. Why not, where that cannot be.
fn install(tools: &Path) -> Result<(), String> {
    let marker = tools.join("installed.txt");
    let wanted = PACKAGES.join("\n");
    if std::fs::read_to_string(&marker).is_ok_and(|there| there == wanted) {
        return Ok(());
    }
    let call = |mut command: Command| match command.stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            let last =
                errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
            Err(last.trim().to_owned())
        }
        Err(error) => Err(error.to_string()),
    };
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(tools);
    call(venv).map_err(|cause| format!("python3 makes no environment: {cause}"))?;
    let mut pip = Command::new(python(tools));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"]);
    pip.args(["--timeout", "20"]).args(PACKAGES);
    call(pip).map_err(|cause| format!("PyPI gives no packages: {cause}"))?;
    std::fs::write(&marker, wanted)
        .map_err(|error| format!("could not write {}: {error}", marker.display()))
}
