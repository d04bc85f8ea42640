//! `cargo xtask browser`: the web pages in a real browser, against the built server over the example corpus.
//!
//! The browser is a Chromium (see `chromium`); what drives it and what judges accessibility are packages of npm, which go into
//! `target/browser-tools`. A machine that has neither skips the step and says so.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::chromium::Sought;
use crate::npm;
use crate::step::{self, Outcome, Runner, cargo_command};
use crate::test::ENGINES;

/// Pinned, so that what counts as a violation changes only when we change it.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "@axe-core/playwright@4.13.0"];
/// What the run is asked that the pages are looked at with.
const QUESTION: &str = "Did porpoise sightings in Skerry Sound change between 2021 and 2025, and what will the second phase at Corbie Head cost?";
/// The same of documents that attack, with an attack of its own.
const HOSTILE: &str =
    "Did porpoise sightings in Skerry Sound <b onmouseover=alert(document.domain)>change</b>?";
/// Words of the question of the run of ten thousand events, which a test of the server's crate keeps.
const LONG: &str = "lighthouse keeper";

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent<'a> {
    /// What every change does, or these parts of it.
    Change(&'a [&'a str]),
    /// Every payload, every rule at every width, and a run of ten thousand events.
    Night,
}

pub(crate) fn run(root: &Path, parts: &[&str]) -> bool {
    step::report(&steps(root, Sought::begin(), Extent::Change(parts)))
}

/// The steps, to be reported with those of `cargo xtask test`.
pub(crate) fn outcomes(root: &Path, sought: Sought) -> Vec<Outcome> {
    steps(root, sought, Extent::Change(&[]))
}

/// All that takes too long for every change.
pub(crate) fn night(root: &Path) -> Vec<Outcome> {
    steps(root, Sought::begin(), Extent::Night)
}

fn steps(root: &Path, sought: Sought, extent: Extent<'_>) -> Vec<Outcome> {
    let target = step::target(root);
    let tools = target.join("browser-tools");
    let chromium = match sought.found() {
        Ok(chromium) => chromium,
        Err(why) => return vec![left_out(&why)],
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
    let place = Place { root, home, binary: target.join("debug").join("elenchus") };
    let mut done = vec![build];
    if extent == Extent::Night {
        done.push(kept(&place));
    }
    let site = match Site::open(&place, extent) {
        Ok(site) => site,
        Err(error) => {
            done.push(step::inside("browser", || {
                eprintln!("error: {error}");
                false
            }));
            return done;
        }
    };
    let mut command = Command::new("node");
    command
        .current_dir(root)
        .arg("scripts/browser/run.mjs")
        .env("BROWSER_TOOLS", &tools)
        .env("CHROMIUM", chromium)
        .env("ELENCHUS_URL", &site.usual.url)
        .env("ELENCHUS_TEST_PATIENT", &site.patient.url)
        .env("ELENCHUS_TEST_MODEL", &site.model.url)
        .env("ELENCHUS_RUN", &site.whole)
        .env("ELENCHUS_TEST_HOSTILE", site.hostile.join(","))
        .env("ELENCHUS_XSS", payloads(root).unwrap_or_default())
        .stdin(Stdio::null());
    let name = match extent {
        Extent::Change(parts) => {
            command.args(parts);
            "browser"
        }
        Extent::Night => {
            command.env("ELENCHUS_NIGHTLY", "1").env("ELENCHUS_TEST_LONG", LONG);
            "browser, all of it"
        }
    };
    done.push(step::run(name, Runner::None, command));
    drop(site);
    done
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

/// Payloads of attacks, where the data folder lies beside the workspace.
fn payloads(root: &Path) -> Option<PathBuf> {
    let data = std::env::var_os("ELENCHUS_DATA")
        .map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let folder = data.join("attacks/xss");
    folder.is_dir().then_some(folder)
}

/// Where programs run, and where they keep things.
struct Place<'a> {
    root: &'a Path,
    home: PathBuf,
    binary: PathBuf,
}

impl Place<'_> {
    /// The program in a home of its own; `data` is the folder in it that has the store.
    fn elenchus(&self, data: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .env_clear()
            .env("HOME", &self.home)
            .env("XDG_DATA_HOME", self.home.join(data))
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .current_dir(self.root);
        command
    }

    /// One of our scripts.
    fn node(&self, script: &str) -> Command {
        let mut command = Command::new("node");
        command
            .current_dir(self.root)
            .arg(format!("scripts/browser/{script}"))
            .stdin(Stdio::null());
        command
    }
}

/// A run of ten thousand events in the store, kept by a test that makes it of a scripted one.
fn kept(place: &Place<'_>) -> Outcome {
    // With the features of the build, so that nothing is built anew.
    let words = [
        "test",
        "--locked",
        "--workspace",
        "--features",
        ENGINES,
        "--lib",
        "--",
        "a_long_run_is_kept",
        "--ignored",
    ];
    let mut command = cargo_command(place.root, &words);
    command.env("ELENCHUS_TEST_LONG_RUN", place.home.join("data/elenchus/elenchus.db"));
    step::run("a run of ten thousand events", Runner::Libtest, command)
}

/// What the browser finds: runs that were made before, and servers. All of it goes when this goes.
struct Site {
    /// A run with something in every view: explanations, lenses, a critique, warnings, gaps that were given up.
    whole: String,
    /// Runs over documents that attack; none without the corpus of payloads.
    hostile: Vec<String>,
    /// The server with the model that is built in.
    usual: Server,
    /// The server whose model answers when it is told to.
    patient: Server,
    /// That model, whose replies are written by hand.
    model: Server,
}

impl Site {
    fn open(place: &Place<'_>, extent: Extent<'_>) -> Result<Self, String> {
        let model = Server::start(place.node("model.mjs"), |line| line.starts_with("http://"))?;
        // The built-in model names no explanations and looks through no lenses.
        let whole = asked(place, &model, "ollama:written", QUESTION, "examples/harbor")?;
        let mut hostile = Vec::new();
        for folder in attacking(place, extent)? {
            hostile.push(asked(place, &model, "ollama:hostile", HOSTILE, &folder)?);
        }
        let usual = serving(place.elenchus("data"), &[])?;
        let mut command = place.elenchus("patient");
        // What was answered once is asked again, so that it can be waited for.
        command.env("OLLAMA_HOST", &model.url).env("ELENCHUS_CACHE", "false");
        let patient = serving(command, &["--model", "ollama:patient"])?;
        Ok(Self { whole, hostile, usual, patient, model })
    }
}

/// Folders of documents that are made of payloads.
fn attacking(place: &Place<'_>, extent: Extent<'_>) -> Result<Vec<String>, String> {
    let Some(corpus) = payloads(place.root) else { return Ok(Vec::new()) };
    let count = if extent == Extent::Night { "12" } else { "1" };
    let mut command = place.node("payloads.mjs");
    command.arg(place.home.join("hostile")).arg(corpus).arg(count);
    let written = command.output().map_err(|error| format!("could not start node: {error}"))?;
    if !written.status.success() {
        let errors = String::from_utf8_lossy(&written.stderr);
        return Err(format!("could not write documents of payloads: {}", errors.trim()));
    }
    Ok(String::from_utf8_lossy(&written.stdout).lines().map(str::to_owned).collect())
}

/// Asks a question on the command line; gives the id of its run.
fn asked(
    place: &Place<'_>,
    model: &Server,
    name: &str,
    question: &str,
    corpus: &str,
) -> Result<String, String> {
    let mut command = place.elenchus("data");
    command
        .env("OLLAMA_HOST", &model.url)
        .args(["ask", question, "--corpus", corpus, "--model", name])
        .args(["--lenses", "skeptical,charitable,neutral", "--insights", "--no-input", "--json"])
        .stdin(Stdio::null());
    let ran = command.output().map_err(|error| format!("could not run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    let after = said.split_once("\"run_id\"").map(|(_, rest)| rest);
    let id = after.and_then(|rest| rest.split('"').nth(1)).filter(|id| id.starts_with("run_"));
    match id {
        Some(id) if ran.status.success() => Ok(id.to_owned()),
        _ => Err(format!(
            "the run over {corpus} for the pages ended with {}: {}",
            ran.status,
            String::from_utf8_lossy(&ran.stderr).trim()
        )),
    }
}

/// A server over the example corpus; the address that it prints signs a browser in.
fn serving(mut command: Command, more: &[&str]) -> Result<Server, String> {
    command
        .args(["serve", "--corpus", "examples/harbor", "--listen", "127.0.0.1:0"])
        .args(more)
        .stdin(Stdio::null());
    Server::start(command, |line| line.contains("?token="))
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

impl Server {
    /// Starts one, and waits for the line of standard output that holds its address.
    fn start(mut command: Command, holds: fn(&str) -> bool) -> Result<Self, String> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| format!("could not start {command:?}: {error}"))?;
        let (told, heard) = std::sync::mpsc::channel();
        // Only standard output holds the address that signs a browser in; what is told beside it holds one without the token.
        // Both are read to the end, so that the server is never kept waiting.
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if holds(line.trim()) {
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
        let mut server = Self { child, url: String::new() };
        server.url = heard
            .recv_timeout(std::time::Duration::from_mins(1))
            .map_err(|_| format!("{command:?} did not say where it listens"))?;
        Ok(server)
    }
}
