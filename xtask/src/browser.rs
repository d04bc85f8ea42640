//! `cargo xtask browser`: the web pages in a real browser, against the built server over the example corpus.
//!
//! The browser is the system's Chromium; what drives it and what judges accessibility are packages of npm, which go into
//! `target/browser-tools`. A machine that has neither skips the step and says so.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::npm;
use crate::step::{self, Outcome, Runner, cargo_command};
use crate::test::ENGINES;

/// Pinned, so that what counts as a violation changes only when we change it.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "@axe-core/playwright@4.13.0"];
/// Names under which the browser goes.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub(crate) fn run(root: &Path) -> bool {
    step::report(&outcomes(root))
}

/// The steps, to be reported with those of `cargo xtask test`.
pub(crate) fn outcomes(root: &Path) -> Vec<Outcome> {
    steps(root, false)
}

/// Every page of payloads, of which each change meets a few: for the night.
pub(crate) fn all_payloads(root: &Path) -> Vec<Outcome> {
    steps(root, true)
}

fn steps(root: &Path, all_payloads: bool) -> Vec<Outcome> {
    let target = step::target(root);
    let tools = target.join("browser-tools");
    let Some(browser) = browser() else {
        return vec![left_out("there is no Chromium: install the package `chromium`")];
    };
    let files = ["playwright-core/package.json", "@axe-core/playwright/package.json"];
    if let Err(why) = npm::install(&tools, &PACKAGES, &files) {
        return vec![left_out(&why)];
    }
    // As the tests build it, so that after them there is nothing left to build.
    let words = ["build", "--locked", "--workspace", "--features", ENGINES, "--tests"];
    let build = step::run("build for the browser", Runner::None, cargo_command(root, &words));
    if !build.passed {
        return vec![build];
    }
    let home = target.join("browser-home");
    // Runs of an earlier day would only be in the way.
    let _ = std::fs::remove_dir_all(&home);
    let binary = target.join("debug").join("elenchus");
    let made = whole_run(root, &home, &binary)
        .and_then(|run| start(root, &home, &binary).map(|server| (run, server)));
    let (whole, server) = match made {
        Ok(made) => made,
        Err(error) => {
            return vec![
                build,
                step::inside("browser", || {
                    eprintln!("error: {error}");
                    false
                }),
            ];
        }
    };
    let mut command = Command::new("node");
    command
        .current_dir(root)
        .arg("scripts/browser/run.mjs")
        .env("BROWSER_TOOLS", &tools)
        .env("CHROMIUM", browser)
        .env("ELENCHUS_URL", &server.url)
        .env("ELENCHUS_RUN", &whole)
        .env("ELENCHUS_XSS", payloads(root).unwrap_or_default())
        .stdin(Stdio::null());
    let name = if all_payloads {
        command.arg("payloads").env("PAYLOAD_PAGES", "all");
        "every payload in a browser"
    } else {
        "browser"
    };
    let ran = step::run(name, Runner::None, command);
    drop(server);
    vec![build, ran]
}

/// A step that cannot run on this machine, which is no fault of the change.
fn left_out(why: &str) -> Outcome {
    let mut outcome = step::inside("browser", || {
        println!("skip: browser: {why}");
        true
    });
    outcome.skips.push(format!("browser: {why}"));
    outcome
}

/// Where the browser is.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ELENCHUS_CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// Payloads of attacks, where the data folder lies beside the workspace.
fn payloads(root: &Path) -> Option<PathBuf> {
    let data = std::env::var_os("ELENCHUS_DATA")
        .map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("attacks/xss");
    folder.is_dir().then_some(folder)
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

/// The program in a home of its own.
fn elenchus(root: &Path, home: &Path, binary: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .env_clear()
        .env("HOME", home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .current_dir(root);
    command
}

/// Leaves a run in the home that has something in every view: explanations, lenses, a critique, warnings, gaps that were given up.
/// The built-in model names no explanations and looks through no lenses, so one whose replies are written by hand thinks for it.
fn whole_run(root: &Path, home: &Path, binary: &Path) -> Result<String, String> {
    const QUESTION: &str = "Did porpoise sightings in Skerry Sound change between 2021 and 2025, and what will the second phase at Corbie Head cost?";
    let mut model = Command::new("node");
    model
        .current_dir(root)
        .arg("scripts/browser/model.mjs")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = model.spawn().map_err(|error| format!("could not start {model:?}: {error}"))?;
    let mut address = String::new();
    let read = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut address));
    let mut command = elenchus(root, home, binary);
    command
        .env("OLLAMA_HOST", address.trim())
        .args(["ask", QUESTION, "--corpus", "examples/harbor", "--model", "ollama:written"])
        .args(["--lenses", "skeptical,charitable,neutral", "--insights", "--no-input", "--json"])
        .stdin(Stdio::null());
    let ran = match read {
        Some(Ok(1..)) => command.output().map_err(|error| error.to_string()),
        _ => Err("the written model did not say where it listens".to_owned()),
    };
    let _ = child.kill();
    let _ = child.wait();
    let ran = ran.map_err(|error| format!("could not run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    let after = said.split_once("\"run_id\"").map(|(_, rest)| rest);
    let id = after.and_then(|rest| rest.split('"').nth(1)).filter(|id| id.starts_with("run_"));
    match id {
        Some(id) if ran.status.success() => Ok(id.to_owned()),
        _ => Err(format!(
            "the run for the pages ended with {}: {}",
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        )),
    }
}

/// Starts the server with a home of its own; the address that it prints signs a browser in.
fn start(root: &Path, home: &Path, binary: &Path) -> Result<Server, String> {
    let mut command = elenchus(root, home, binary);
    command
        .args(["serve", "--corpus", "examples/harbor", "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child =
        command.spawn().map_err(|error| format!("could not start {command:?}: {error}"))?;
    let (told, heard) = std::sync::mpsc::channel();
    // Only standard output holds the address that signs a browser in; what is told beside it holds one without the token.
    // Both are read to the end, so that the server is never kept waiting.
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if line.contains("?token=") {
                    let _ = told.send(line.trim().to_owned());
                }
            }
        });
    }
    if let Some(errors) = child.stderr.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                eprintln!("server: {line}");
            }
        });
    }
    match heard.recv_timeout(std::time::Duration::from_mins(1)) {
        Ok(url) => Ok(Server { child, url }),
        Err(_) => {
            let _ = child.kill();
            let _ = child.wait();
            Err("the server did not say where it listens".to_owned())
        }
    }
}
