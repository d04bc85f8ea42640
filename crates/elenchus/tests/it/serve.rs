//! The server as a user starts it.

use crate::world::{CAPACITY, World, harbor};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serving {
    pub(crate) fn new(world: &World) -> Self {
        Self::with(world, &[])
    }

    /// With variables of its own.
    pub(crate) fn with(world: &World, variables: &[(&str, &str)]) -> Self {
        let corpus = harbor();
        Self::told(world, &["--corpus", corpus.to_str().expect("a plain path")], variables)
    }

    /// With flags of its own, too.
    pub(crate) fn told(world: &World, flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = world.command();
        command.envs(variables.iter().copied());
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(flags);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it has one")).lines();
        let printed = lines.next().expect("it prints its address").expect("in UTF-8");
        let (url, token) = printed.split_once("/?token=").expect("with the token");
        let address = url.trim_start_matches("http://").to_owned();
        Self { child, address, token: token.trim().to_owned() }
    }

    fn send(&self, token: &str, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        let status = reply[9..12].parse().expect("a status");
        (status, reply.split_once("\r\n\r\n").expect("it has a body").1.to_owned())
    }
}

impl Serving {
    /// What stands at an address.
    pub(crate) fn get(&self, path: &str) -> String {
        let (status, body) = self.send(&self.token, "GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Sends a form as a page does; gives the whole reply.
    pub(crate) fn form(&self, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        reply
    }

    /// Stops it as Ctrl-C or a supervisor does, and waits for its end.
    pub(crate) fn stop(mut self) {
        let told = std::process::Command::new("kill").arg(self.child.id().to_string()).status();
        assert!(told.expect("there is `kill`").success());
        self.child.wait().expect("it ends");
    }

    /// Sends JSON; gives the status and what came back.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, String) {
        self.send(&self.token, "POST", path, &body.to_string())
    }

    /// The same as JSON.
    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).expect("it is JSON")
    }
}

#[test]
fn a_run_that_waits_for_a_look_at_its_plan_is_gone_on_with_and_doubted() {
    let world = World::new();
    let serving = Serving::new(&world);
    let ask = json!({"question": CAPACITY, "review_plan": true}).to_string();
    let (status, started) = serving.send(&serving.token, "POST", "/v1/research", &ask);
    assert_eq!(status, 202, "{started}");
    let started: Value = serde_json::from_str(&started).expect("JSON");
    let run = started["run_id"].as_str().expect("an id").to_owned();
    let until = Instant::now() + Duration::from_mins(1);
    while serving.json(&format!("/v1/research/{run}"))["status"] != "paused" {
        assert!(Instant::now() < until, "it does not wait");
        std::thread::sleep(Duration::from_millis(20));
    }
    // It gives the run back.
    serving.stop();
    // On the command line nobody is there to edit a plan: it goes on as it is.
    let ended = world.run(&["runs", "resume", &run, "--json"]).succeeds().json();
    assert!(!ended["claims"].as_array().expect("a list").is_empty(), "{ended}");
    // A run that looks into it does not wait for anybody either.
    let doubted = ended["reasoning_trace"][0].to_string();
    let doubt = "Is the capacity stated anywhere else?";
    let child = world.run(&["challenge", &run, &doubted, doubt, "--json"]).succeeds().json();
    assert_eq!(child["stop_reason"].as_str().map(str::is_empty), Some(false), "{child}");
}

#[test]
fn a_question_is_asked_and_answered_over_http() {
    let world = World::new();
    let serving = Serving::new(&world);
    assert_eq!(serving.send("wrong", "GET", "/v1/research", "").0, 401);
    let ask = json!({"question": CAPACITY}).to_string();
    let (status, started) = serving.send(&serving.token, "POST", "/v1/research", &ask);
    assert_eq!(status, 202, "{started}");
    let started: Value = serde_json::from_str(&started).expect("JSON");
    let run = started["run_id"].as_str().expect("an id").to_owned();
    // The stream ends with the run.
    let (status, events) =
        serving.send(&serving.token, "GET", &format!("/v1/research/{run}/events"), "");
    assert_eq!(status, 200);
    assert!(events.contains("event: session_completed"), "{events}");
    let (status, answer) =
        serving.send(&serving.token, "GET", &format!("/v1/research/{run}/answer"), "");
    assert_eq!(status, 200, "{answer}");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert!(!answer["claims"].as_array().expect("a list").is_empty(), "{answer}");
    let view = serving.json(&format!("/v1/research/{run}"));
    assert_eq!(view["options"]["elsewhere"], json!([]), "{view}");
    // The same run is there for the command line.
    let shown = world.run(&["runs", "show", &run]);
    assert!(shown.succeeds().out.contains("Skerry"), "{shown:#?}");
    let elsewhere = json!({"question": CAPACITY, "corpus": "/"}).to_string();
    let (status, refused) = serving.send(&serving.token, "POST", "/v1/research", &elsewhere);
    assert!(status == 400 && refused.contains("--allow-corpus"), "{refused}");
}

#[test]
fn a_run_of_the_command_line_is_forked_over_http() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let run = world.newest();
    let serving = Serving::new(&world);
    let focus = "Who is the chair?";
    let (address, body) = (format!("/v1/research/{run}/fork"), json!({"at": 12, "focus": focus}));
    let (status, made) = serving.send(&serving.token, "POST", &address, &body.to_string());
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).expect("JSON");
    assert_eq!(made["of"], run.as_str());
    let child = made["run_id"].as_str().expect("an id").to_owned();
    // The stream ends with the run.
    let (status, events) =
        serving.send(&serving.token, "GET", &format!("/v1/research/{child}/events"), "");
    assert!(status == 200 && events.contains("event: session_completed"), "{events}");
    let view = serving.json(&format!("/v1/research/{child}"));
    assert_eq!(view["forked"]["parent"], run.as_str(), "{view}");
    // It is a run like any other, with a note of where its documents are.
    let shown = world.run(&["runs", "show", &child, "--json"]).succeeds().json();
    assert!(shown["questions"].to_string().contains(focus), "{shown:#}");
    assert!(shown["corpus"].is_string(), "{shown:#}");
    let body = json!({"at": 9_999}).to_string();
    let (status, refused) = serving.send(&serving.token, "POST", &address, &body);
    assert!(status == 404 && refused.contains("unknown_event"), "{refused}");
}

#[test]
fn a_test_of_ones_own_explanation_asks_the_documents_that_the_run_had_asked() {
    let world = World::new();
    let note = "# Pier\n\nThe pier is closed because its piles are rotten.\n";
    let file = world.write("other/pier.md", note);
    let other = file.parent().and_then(std::path::Path::to_str).expect("a plain path");
    world.run(&["ask", "Why is the pier closed?", "--corpus", other, "-q"]).succeeds();
    let run = world.newest();
    // The server's own folder is another one.
    let serving = Serving::new(&world);
    let ended = serving.form(&format!("/research/{run}/hypotheses"), "claim=Its+piles+are+rotten.");
    let child = ended.split("location: /research/").nth(1).and_then(|rest| rest.split('?').next());
    let child = child.unwrap_or_else(|| panic!("{ended}")).to_owned();
    let (status, events) =
        serving.send(&serving.token, "GET", &format!("/v1/research/{child}/events"), "");
    assert!(status == 200 && events.contains("event: session_completed"), "{events}");
    let view = serving.json(&format!("/v1/research/{child}"));
    assert_eq!(view["corpus"]["name"], "other", "{view}");
    assert_eq!(view["options"]["tested"]["parent"], run.as_str(), "{view}");
    assert_eq!(view["options"]["to_test"], json!(["Its piles are rotten."]), "{view}");
}

/// What a server that listens there says before it serves: its standard error, and the line that is data.
fn said_at(world: &World, listen: &str) -> (String, String) {
    let mut command = world.command();
    command.args(["serve", "--listen", listen, "--corpus"]).arg(harbor());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut printed = String::new();
    let read = BufReader::new(child.stdout.take().expect("it has one")).read_line(&mut printed);
    let (killed, ended) = (child.kill(), child.wait());
    assert!(read.is_ok() && killed.is_ok() && ended.is_ok());
    let mut told = String::new();
    child.stderr.take().expect("it has one").read_to_string(&mut told).expect("in UTF-8");
    (told, printed)
}

#[test]
fn where_it_really_listens_and_who_else_hears_it_is_said() {
    let world = World::new();
    let (told, printed) = said_at(&world, "0.0.0.0:0");
    assert!(told.contains("serving at http://0.0.0.0:"), "{told}");
    assert!(told.contains("from here it is http://127.0.0.1:"), "{told}");
    assert!(told.contains("other machines can reach this server"), "{told}");
    assert!(told.contains("nothing on the way is encrypted") && told.contains("TLS"), "{told}");
    // What a program or a browser of this machine opens is the same as ever.
    assert!(printed.starts_with("http://127.0.0.1:"), "{printed}");
    let (told, _) = said_at(&world, "127.0.0.1:0");
    assert!(told.contains("serving at http://127.0.0.1:"), "{told}");
    assert!(!told.contains("other machines"), "{told}");
}

#[test]
fn where_it_cannot_serve_it_says_so() {
    let world = World::new();
    let corpus = harbor();
    let corpus = corpus.to_str().expect("a plain path");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("it has one").to_string();
    world.run(&["serve", "--corpus", corpus, "--listen", &address]).fails(
        1,
        "another program listens there",
        "127.0.0.1:0",
    );
    world.run(&["serve", "--corpus", corpus, "--listen", "nowhere"]).fails(
        2,
        "no address",
        "127.0.0.1",
    );
    world.run(&["serve", "--corpus", corpus, "--listen", "0.0.0.0:0", "--no-token"]).fails(
        2,
        "other machines",
        "--no-token",
    );
    world.run(&["serve", "--allow-corpus", "/nowhere/at/all"]).fails(2, "could not open", "path");
}
