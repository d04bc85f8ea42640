//! `cargo xtask http`: the HTTP API against its own description, by schemathesis.
//!
//! The tool is a package of PyPI; it goes with what it needs into `target/http-tools`. Not part of the usual test, since it
//! downloads about 30 MB and asks thousands of requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::step::{self, Runner, cargo_command};

/// Pinned: every release of the tool finds something new.
const PACKAGE: &str = "schemathesis==4.32.5";

/// What must hold: no failure inside, and nothing that the description does not say.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
response_headers_conformance,response_schema_conformance,negative_data_rejection,unsupported_method,\
allow_header_conformance,ignored_auth";

pub(crate) fn run(root: &Path) -> bool {
    let target = step::target(root);
    let tools = target.join("http-tools");
    let mut outcomes = vec![step::inside("schemathesis", || said(install(&tools)))];
    let words = ["build", "--locked", "-p", "elenchus"];
    outcomes.push(step::run("build", Runner::None, cargo_command(root, &words)));
    if outcomes.iter().all(|outcome| outcome.passed) {
        match start(root, &target) {
            Ok(server) => {
                outcomes.push(step::inside("a run to look at", || said(named(&server, &tools))));
                let mut command = Command::new(tools.join("bin").join("schemathesis"));
                command
                    .current_dir(&tools)
                    .args(["--config-file", "named.toml", "run"])
                    .arg(format!("{}/openapi.json", server.url))
                    .args(["--header", &format!("Authorization: Bearer {}", server.token)])
                    .args(["--checks", CHECKS, "--phases", "examples,coverage,fuzzing"])
                    .args(["--max-examples", "30", "--request-timeout", "60"])
                    .args(["--seed", "7", "--continue-on-failure", "--no-color"]);
                outcomes.push(step::run("the API as described", Runner::None, command));
            }
            Err(error) => outcomes.push(step::inside("start of the server", || said(Err(error)))),
        }
    }
    step::report(&outcomes)
}

fn said(result: Result<(), String>) -> bool {
    if let Err(error) = &result {
        eprintln!("error: {error}");
    }
    result.is_ok()
}

/// The package in a folder of its own; nothing is done where it is.
fn install(tools: &Path) -> Result<(), String> {
    if tools.join("bin").join("schemathesis").is_file() {
        return Ok(());
    }
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(tools);
    succeed(&mut venv, "make a folder for Python packages")?;
    let mut pip = Command::new(tools.join("bin").join("python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE]);
    succeed(&mut pip, "install schemathesis")
}

fn succeed(command: &mut Command, attempted: &str) -> Result<(), String> {
    match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("could not {attempted}: {command:?} ended with {status}")),
        Err(cause) => Err(format!("could not {attempted}: {command:?} does not start: {cause}")),
    }
}

/// Asks a question, waits for the end of its run, and names the run to the tool: most of what it makes up is at no address.
fn named(server: &Server, tools: &Path) -> Result<(), String> {
    let question = r#"{"question": "What is the installed capacity of the Skerry Tidal Array?"}"#;
    let started = server.send("POST", "/v1/research", question)?;
    let run = started
        .split("\"run_id\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .ok_or_else(|| format!("no run was started: {started}"))?
        .to_owned();
    // The stream ends with the run.
    server.send("GET", &format!("/v1/research/{run}/events"), "")?;
    let text = format!(
        "[parameters]\n\"path.id\" = \"{run}\"\n\n\
         [[operations]]\ninclude-operation-id = \"deleteResearch\"\nparameters = {{ \"path.id\" = \"run_none\" }}\n"
    );
    std::fs::write(tools.join("named.toml"), text).map_err(|error| error.to_string())
}

/// A server that goes when this goes.
struct Server {
    child: Child,
    url: String,
    token: String,
}

impl Server {
    /// Sends a request; gives all that comes back.
    fn send(&self, method: &str, path: &str, body: &str) -> Result<String, String> {
        let address = self.url.trim_start_matches("http://");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        let sent = TcpStream::connect(address).and_then(|mut stream| {
            stream.write_all(request.as_bytes())?;
            let mut reply = String::new();
            stream.read_to_string(&mut reply)?;
            Ok(reply)
        });
        sent.map_err(|error| format!("could not ask {path}: {error}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `elenchus serve` with a home of its own.
fn start(root: &Path, target: &Path) -> Result<Server, String> {
    let home = target.join("http-home");
    let mut command = Command::new(target.join("debug").join("elenchus"));
    command
        .env_clear()
        .env("HOME", &home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        // The tool asks faster than anybody may.
        .env("ELENCHUS_SERVE_RATE", "100000")
        .env("ELENCHUS_SERVE_BURST", "100000")
        .current_dir(root)
        .args(["serve", "--corpus", "examples/harbor", "--project", "described"])
        .args(["--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child =
        command.spawn().map_err(|error| format!("could not start {command:?}: {error}"))?;
    let output = child.stdout.take().ok_or("the server has no standard output")?;
    let printed = BufReader::new(output).lines().map_while(Result::ok).next();
    match printed.as_deref().and_then(|line| line.trim().split_once("/?token=")) {
        Some((url, token)) => Ok(Server { child, url: url.to_owned(), token: token.to_owned() }),
        None => Err(format!("the server did not say where it listens, but {printed:?}")),
    }
}
