//! A server that speaks like Ollama. Its replies are written by hand (origin: written): a model that finds the units
//! that hold given words, with a model's usual faults where a test asks for them.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How the model behaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// A unit that holds one of these answers.
    pub(crate) telling: Vec<&'static str>,
    /// Prose and a code fence stand around the JSON, and a comma too many in it.
    pub(crate) chatty: bool,
    /// It names a unit that does not exist, and a value that does not stand there.
    pub(crate) inventive: bool,
    /// It finds every question vague and asks back.
    pub(crate) vague: bool,
    /// As a critic it objects to the first claim, and would have it dropped.
    pub(crate) critical: bool,
    /// The critic's objection argues with a crowd, which is a fallacy of its own.
    pub(crate) popular: bool,
    /// It takes what tells something for a slippery slope, asked for fallacies.
    pub(crate) suspicious: bool,
    /// Every reply is prose.
    pub(crate) useless: bool,
    /// What it says that a session teaches.
    pub(crate) taught: &'static str,
    /// Every request is answered with this status.
    pub(crate) status: Option<u16>,
    /// Milliseconds that a reply takes; may be changed while it serves.
    pub(crate) slow: Arc<AtomicU64>,
}

/// The server; it stops with the test's process.
pub(crate) struct Ollama {
    pub(crate) address: String,
    /// Bodies of what was asked.
    pub(crate) asked: Arc<Mutex<Vec<Value>>>,
}

impl Ollama {
    pub(crate) fn start(ways: Ways) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (ways, log) = (ways.clone(), Arc::clone(&log));
                std::thread::spawn(move || {
                    let _ = serve(&stream, &ways, &log);
                });
            }
        });
        Self { address, asked }
    }

    pub(crate) fn prompts(&self) -> Vec<Value> {
        self.asked.lock().expect("no server thread panics").clone()
    }
}

fn serve(stream: &TcpStream, ways: &Ways, log: &Mutex<Vec<Value>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let (kind, text) = match path.as_str() {
        "/api/version" => ("application/json", json!({ "version": "0.6.2" }).to_string()),
        "/api/tags" => {
            let models = ["written", "llama3.2", "bespoke-minicheck"].map(|name| {
                let name = format!("{name}:latest");
                json!({ "name": name, "model": name })
            });
            let tags = json!({ "models": models });
            ("application/json", tags.to_string())
        }
        "/api/embed" => {
            let body: Value = serde_json::from_slice(&body).unwrap_or_default();
            let vectors: Vec<Vec<f32>> = body["input"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|text| vector(text.as_str().unwrap_or_default()))
                .collect();
            log.lock().expect("no server thread panics").push(body);
            ("application/json", json!({ "model": "written", "embeddings": vectors }).to_string())
        }
        _ => {
            let body: Value = serde_json::from_slice(&body).unwrap_or_default();
            let model = body["model"].clone();
            let text = reply(&body, ways);
            std::thread::sleep(Duration::from_millis(ways.slow.load(Ordering::SeqCst)));
            log.lock().expect("no server thread panics").push(body);
            let piece = |text: &str, done: bool| {
                let mut line = json!({
                    "model": model, "message": { "role": "assistant", "content": text }, "done": done,
                });
                if done {
                    line["done_reason"] = json!("stop");
                    line["prompt_eval_count"] = json!(300);
                    line["eval_count"] = json!(40);
                }
                format!("{line}\n")
            };
            let middle =
                (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let (a, b) = text.split_at(middle);
            ("application/x-ndjson", piece(a, false) + &piece(b, false) + &piece("", true))
        }
    };
    let status = match ways.status {
        Some(status) if path == "/api/chat" => format!("{status} Trouble"),
        _ => "200 OK".to_owned(),
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{text}",
        text.len()
    )
}

/// Words counted into a few places by their letters; what stands for "vessel" stands for "boat".
fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01; 24];
    for word in text.to_lowercase().replace("vessel", "boat").split(|c: char| !c.is_alphanumeric())
    {
        if word.len() > 3 {
            vector[word.bytes().map(usize::from).sum::<usize>() % 24] += 1.0;
        }
    }
    vector
}

/// Units of the prompt: id and text.
fn units(prompt: &str) -> Vec<(String, String)> {
    prompt
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("[P")?;
            let (id, text) = rest.split_once("] ")?;
            Some((format!("P{id}"), text.to_owned()))
        })
        .collect()
}

/// What a lens sees: the skeptical one opposes, and each says a thing that the quote says.
fn lens(user: &str) -> Value {
    let skeptical = user.contains("The lens: Skeptical.");
    let (stance, statement) = if skeptical {
        ("opposes", "Porpoise sightings fell.")
    } else if user.contains("The lens: Charitable.") {
        ("supports", "Porpoise sightings fell by 38 %.")
    } else {
        ("qualifies", "Porpoise sightings rose by 38 %.")
    };
    json!({
        "points": [
            { "statement": statement, "stance": stance, "facts": ["f1"] },
            { "statement": "It cost 4,000,000 euros.", "stance": "opposes", "facts": ["f1"] },
            { "statement": "Everybody knows it.", "stance": "opposes", "facts": ["f91"] },
        ],
        "would_change": "A second count by other people.",
    })
}

fn reply(body: &Value, ways: &Ways) -> String {
    if ways.useless {
        return "I would rather talk about the weather.".to_owned();
    }
    let user = body["messages"]
        .as_array()
        .and_then(|all| all.last())
        .and_then(|last| last["content"].as_str())
        .unwrap_or_default();
    if user.starts_with("Document:") {
        return if ways.telling.iter().any(|words| user.contains(words)) { "Yes" } else { "No" }
            .to_owned();
    }
    if user.contains("<session>") {
        return ways.taught.to_owned();
    }
    let keys = &body["format"]["properties"];
    let telling: Vec<(String, String)> = units(user)
        .into_iter()
        .filter(|(_, text)| ways.telling.iter().any(|words| text.contains(words)))
        .collect();
    let answer = if keys.get("estimated_sources").is_some() {
        let question = user
            .lines()
            .skip_while(|line| *line != "The user's question:")
            .nth(1)
            .unwrap_or_default();
        json!({
            "complexity": "simple", "estimated_sources": 1,
            "questions": [{
                "id": 1, "text": question, "kind": "lookup", "expects": null, "severity": "critical",
                "depends_on": [], "rationale": "It is what was asked.", "queries": [question],
            }],
        })
    } else if keys.get("vague").is_some() {
        let questions = json!([
            { "text": "Which years matter?", "why": "The surveys differ.", "choices": ["2021", "2021 to 2025"] },
            { "text": "Which animals do you mean?", "why": "", "choices": ["porpoises", "seals"] },
        ]);
        json!({ "vague": ways.vague, "questions": if ways.vague { questions } else { json!([]) } })
    } else if keys.get("is_sufficient").is_some() {
        let passages: Vec<&str> =
            telling.iter().filter_map(|(id, _)| id.split('.').next()).collect();
        let found = !passages.is_empty();
        json!({
            "is_sufficient": found,
            "answered_questions": if found { vec![1] } else { vec![] },
            "unanswered_questions": if found { vec![] } else { vec![1] },
            "relevant_passage_ids": passages, "notes": [], "new_gaps_identified": [],
        })
    } else if keys.get("facts").is_some() {
        let mut facts: Vec<Value> = telling
            .iter()
            .map(|(id, text)| {
                let value = ways.telling.iter().find(|words| text.contains(**words));
                json!({
                    "question_id": 1, "unit": id, "value": value, "role": "answer", "polarity": null,
                    "bearing": "strong", "warrant": "It says what was asked.",
                })
            })
            .collect();
        if ways.inventive {
            facts.insert(0, json!({
                "question_id": 1, "unit": "P77.1", "value": "42 %", "role": "answer", "polarity": null,
                "bearing": "strong", "warrant": "I remember it.",
            }));
        }
        json!({ "facts": facts })
    } else if keys.get("conclusion").is_some() {
        json!({ "conclusion": ["f1"], "sections": [] })
    } else if user.contains("<sentence number=") {
        let named: Vec<Value> = user
            .lines()
            .filter(|_| ways.suspicious)
            .filter_map(|line| line.strip_prefix("<sentence number=\"")?.split_once("\">"))
            .filter_map(|(number, text)| {
                let words = ways.telling.iter().find(|words| text.contains(**words))?;
                Some(json!({ "number": number, "fallacy": "slippery_slope", "words": words }))
            })
            .collect();
        json!({ "findings": named })
    } else if keys.get("would_change").is_some() {
        lens(user)
    } else if keys.get("groups").is_some() {
        json!({ "groups": [{ "points": ["v1", "v3"] }], "tensions": [{ "points": ["v2", "v1"], "why": "It is about who counted." }], "unique": [] })
    } else if keys.get("sentences").is_some() {
        json!({ "sentences": [{ "text": "Who counted is what divides the lenses.", "points": ["v1", "v2"] }, { "text": "It is 97 % certain.", "points": ["v1"] }] })
    } else if keys.get("hypotheses").is_some() {
        let explanation = |claim: &str| json!({ "claim": claim, "prior": "possible", "queries_for": [claim], "queries_against": [] });
        json!({ "hypotheses": [
            explanation("Porpoise sightings fell by 38 %"),
            explanation("Porpoise sightings doubled"),
        ] })
    } else if keys.get("alternatives").is_some() {
        let challenged: Vec<Value> = user
            .lines()
            .filter_map(|line| line.split_once(". <challenge>"))
            .map(|(number, _)| json!({ "number": number, "verdict": "upheld", "text": "Only one survey was read." }))
            .collect();
        let text = if ways.popular {
            "Ten million customers can't be wrong."
        } else {
            "The survey counts one summer only."
        };
        let objection = json!({
            "kind": "overstatement", "severity": "important", "claim_id": "c1", "words": ways.telling.first(),
            "text": text, "queries": [],
        });
        let findings = if ways.critical { vec![objection] } else { vec![] };
        json!({ "findings": findings, "alternatives": [], "leans": null, "replies": challenged })
    } else if keys.get("patches").is_some() {
        let finding =
            user.lines().filter_map(|line| line.strip_prefix("- x")?.split_once(':')).next_back();
        let finding = finding.map(|(number, _)| format!("x{number}"));
        json!({ "patches": [{
            "finding": finding, "op": "drop_claim", "claim_id": "c1", "fact_id": null, "to": null, "heading": null,
        }] })
    } else if keys.get("findings").is_some() {
        json!({ "findings": [] })
    } else if keys.get("verdicts").is_some() {
        let claims: Vec<Value> = user
            .lines()
            .filter_map(|line| line.strip_prefix("Claim ")?.split_once(": "))
            .map(|(number, _)| {
                let own = format!("P{number}.");
                let unit = telling.iter().find(|(id, _)| id.starts_with(&own)).map(|(id, _)| id);
                let verdict = if unit.is_some() { "supported" } else { "not_enough" };
                json!({ "number": number, "units": unit.into_iter().collect::<Vec<_>>(), "verdict": verdict })
            })
            .collect();
        json!({ "verdicts": claims })
    } else {
        json!({ "queries": [], "rationale": "There is nothing else to try." })
    };
    let text = answer.to_string();
    if ways.chatty {
        let spoilt = text.replacen(']', ",]", 1);
        return format!(
            "Sure! Here is the JSON:\n```json\n{spoilt}\n```\nLet me know if it helps."
        );
    }
    text
}
