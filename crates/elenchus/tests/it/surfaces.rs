//! Every surface shows one view: a run that was kept is shown by the page of the server, its HTTP API, the terminal and the
//! exports, and the facts are the same everywhere.

use crate::world::{World, harbor};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// Answered in part: the documents do not hold the second.
const QUESTION: &str = "What is the installed capacity of the Skerry Tidal Array, and what will the second phase at Corbie Head cost?";

/// The server over the world's store, on a free port.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn new(world: &World) -> Self {
        let mut command = world.command();
        command.args(["serve", "--listen", "127.0.0.1:0", "--no-token", "--corpus"]).arg(harbor());
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut said = BufReader::new(child.stderr.take().expect("it speaks"));
        let mut port = None;
        let mut line = String::new();
        while port.is_none() && said.read_line(&mut line).expect("it speaks UTF-8") > 0 {
            port = line.split_once("127.0.0.1:").and_then(|(_, rest)| {
                let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
                digits.parse().ok()
            });
            line.clear();
        }
        // What else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || {
            let mut rest = String::new();
            let _ = said.read_to_string(&mut rest);
        });
        Self { port: port.expect("it says where it listens"), child }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let host = format!("127.0.0.1:{}", self.port);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("it reads");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("it answers");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        if head.to_lowercase().contains("transfer-encoding: chunked") {
            return unchunked(body);
        }
        body.to_owned()
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).expect("it is JSON")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        if size == 0 {
            break;
        }
        whole.push_str(&rest[..size]);
        body = &rest[size + 2..];
    }
    whole
}

/// The words of a page without its tags, one blank between any two.
fn words(page: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for char in page.chars() {
        match char {
            '<' => {
                in_tag = true;
                text.push(' ');
            }
            '>' if in_tag => in_tag = false,
            _ if !in_tag => text.push(char),
            _ => {}
        }
    }
    let text = text
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&#x27;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    squeezed(&text)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What must be found, each with the name of the fact.
fn facts(answer: &Value) -> Vec<(&'static str, String)> {
    let text = |value: &Value| squeezed(value.as_str().expect("a text"));
    let mut facts = vec![("question", text(&answer["question"]))];
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    for evidence in list("evidence") {
        // A row of a table is shown cell by cell.
        let quote = text(&evidence["quote"]);
        let cells = quote.strip_prefix('|').map_or(vec![quote.as_str()], |row| {
            row.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
        });
        facts.extend(cells.iter().map(|cell| ("quote", (*cell).to_owned())));
    }
    for source in list("sources") {
        facts.push(("source", text(&source["path"])));
    }
    for missing in list("could_not_establish") {
        facts.push(("gap", text(&missing["description"])));
        for query in missing["queries"].as_array().expect("queries") {
            facts.push(("query", text(query)));
        }
    }
    let overall = answer["confidence"]["overall_confidence"].as_f64().expect("it was checked");
    facts.push(("confidence", format!("{overall:.2}")));
    assert!(facts.iter().filter(|(name, _)| *name == "quote").count() >= 1, "{answer}");
    assert!(facts.iter().filter(|(name, _)| *name == "gap").count() >= 1, "{answer}");
    facts
}

fn holds(surface: &str, shown: &str, facts: &[(&'static str, String)]) {
    let shown = squeezed(shown);
    for (name, fact) in facts {
        assert!(shown.contains(fact), "{surface} does not show the {name} {fact:?}:\n{shown}");
    }
}

#[test]
fn every_surface_shows_the_same_facts() {
    let world = World::new();
    world.ask(QUESTION, &[]).succeeds();
    let run = world.newest();
    let export = |format: &str| {
        world.run(&["runs", "export", &run, "--format", format]).succeeds().out.clone()
    };
    let answer: Value = serde_json::from_str(&export("json")).expect("it is JSON");
    let facts = facts(&answer);

    let served = Served::new(&world);
    assert_eq!(
        served.json(&format!("/v1/research/{run}/answer")),
        answer,
        "the API gives the answer itself"
    );
    let shown = served.json(&format!("/v1/research/{run}"));
    assert_eq!(shown["question"], answer["question"]);
    assert_eq!(shown["stop_reason"], answer["stop_reason"]);
    holds("the page", &words(&served.get(&format!("/research/{run}"))), &facts);
    holds("the terminal", &world.run(&["tui", "--run", &run, "--plain"]).succeeds().out, &facts);
    // A report is for reading: its searches, quotes, sources and figures are those of the run.
    holds("the Markdown", &export("md").replace("**", ""), &facts);
    holds("the HTML", &words(&export("html")), &facts);
}
