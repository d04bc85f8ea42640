//! The server as a user starts it.

use crate::world::{CAPACITY, World, harbor};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A server that ends with the test.
struct Serving {
    child: Child,
    address: String,
    token: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serving {
    fn new(world: &World) -> Self {
        let mut command = world.command();
        command.args(["serve", "--listen", "127.0.0.1:0", "--corpus"]).arg(harbor());
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
    // The same run is there for the command line.
    let shown = world.run(&["runs", "show", &run]);
    assert!(shown.succeeds().out.contains("Skerry"), "{shown:#?}");
    let elsewhere = json!({"question": CAPACITY, "corpus": "/"}).to_string();
    let (status, refused) = serving.send(&serving.token, "POST", "/v1/research", &elsewhere);
    assert!(status == 400 && refused.contains("--allow-corpus"), "{refused}");
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
