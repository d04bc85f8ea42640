//! Runs on a real Restate server, through the binary: asked, followed, left, attached to, and worked on.

#![cfg(unix)]

use crate::mcp::Client;
use crate::ollama::{Ollama, Ways};
use crate::serve::Serving;
use crate::web::{ASKED, Site, lanterns};
use crate::world::{CAPACITY, Ran, World, harbor, ran, timeless};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A child that does not outlive its test.
struct Living(Child);

impl Drop for Living {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server on loopback, with a folder that goes when it goes.
struct Restate {
    ingress: u16,
    admin: u16,
    _child: Living,
    _folder: tempfile::TempDir,
}

fn free_ports<const N: usize>() -> [u16; N] {
    let held: Vec<TcpListener> =
        (0..N).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    std::array::from_fn(|n| held[n].local_addr().unwrap().port())
}

/// Whether something answers there with 200.
fn is_well(port: u16, path: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let mut reply = String::new();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_string(&mut reply);
    reply.starts_with("HTTP/1.1 200")
}

/// Starts a worker, and waits until it is registered.
fn started(command: &mut Command) -> Living {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line:?}");
    Living(child)
}

impl Restate {
    /// `None`, and a word about it, where no server is named.
    fn start() -> Option<Self> {
        let Some(binary) = std::env::var_os("ELENCHUS_TEST_RESTATE").map(PathBuf::from) else {
            println!("skip: ELENCHUS_TEST_RESTATE does not name a restate-server");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let [node, ingress, admin] = free_ports();
        let config = format!(
            "node-name = \"test\"\nbase-dir = \"{}\"\nlisten-mode = \"tcp\"\nbind-address = \"127.0.0.1:{node}\"\n\
             advertised-address = \"http://127.0.0.1:{node}/\"\ndefault-num-partitions = 2\n\
             rocksdb-total-memory-size = \"256 MiB\"\ndisable-telemetry = true\n\
             [admin]\nbind-address = \"127.0.0.1:{admin}\"\nadvertised-address = \"http://127.0.0.1:{admin}/\"\n\
             [ingress]\nbind-address = \"127.0.0.1:{ingress}\"\nadvertised-address = \"http://127.0.0.1:{ingress}/\"\n",
            folder.path().join("data").display(),
        );
        let file = folder.path().join("restate.toml");
        std::fs::write(&file, config).unwrap();
        let child = Command::new(binary)
            .args(["--no-logo", "-c"])
            .arg(file)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let child = Living(child);
        let begun = Instant::now();
        while !(is_well(admin, "/health") && is_well(ingress, "/restate/health")) {
            assert!(begun.elapsed() < Duration::from_mins(1), "the server does not come up");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(Self { ingress, admin, _child: child, _folder: folder })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.ingress)
    }

    /// A worker of the world's store, registered.
    fn worker(&self, world: &World, port: u16, more: &[&str]) -> Living {
        started(&mut self.working(world, port, more))
    }

    fn working(&self, world: &World, port: u16, more: &[&str]) -> Command {
        let mut command = world.command();
        command.args(["worker", "--listen", &format!("127.0.0.1:{port}")]).args(more);
        command.args(["--register", &format!("http://127.0.0.1:{}", self.admin)]);
        command
    }

    fn command(&self, world: &World, words: &[&str]) -> Command {
        let mut command = world.command();
        command.env("RESTATE_URL", self.url()).args(words);
        command
    }

    fn ask(&self, world: &World, more: &[&str]) -> Command {
        let mut command =
            self.command(world, &["ask", CAPACITY, "--engine", "restate", "--corpus"]);
        command.arg(harbor()).args(more);
        command
    }
}

#[test]
fn a_worker_that_told_no_server_of_itself_says_so() {
    let world = World::new();
    let [port] = free_ports();
    let mut command = world.command();
    command.args(["worker", "--listen", &format!("127.0.0.1:{port}")]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut worker = Living(child);
    let mut said = BufReader::new(worker.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = said.find(|line| line.contains("no Restate server was told")).unwrap();
    assert!(line.contains("--register") && line.contains("`elenchus runs resume`"), "{line}");
}

#[test]
fn a_run_on_workers_answers_like_one_of_this_process() {
    let Some(restate) = Restate::start() else { return };
    let world = World::new();
    let [port] = free_ports();
    let _worker = restate.worker(&world, port, &[]);
    let here = timeless(World::new().ask(CAPACITY, &["-q", "--json"]).succeeds().json());
    let there = ran(&mut restate.ask(&world, &["-q", "--json"]));
    assert_eq!(timeless(there.succeeds().json()), here);
    let id = world.newest();
    // Every surface reads it like any other run.
    world.run(&["audit", &id]).succeeds();
    world.run(&["runs", "show", &id]).succeeds();
    let replayed = world.run(&["runs", "replay", &id, "--json"]);
    assert_eq!(timeless(replayed.succeeds().json()), here);
    let exported = world.run(&["runs", "export", &id, "--format", "md"]);
    assert!(exported.succeeds().out.contains("installed capacity"), "{}", exported.out);
    let attached = restate.command(&world, &["runs", "attach", &id, "-q", "--json"]).output();
    assert_eq!(timeless(Ran::from(attached.unwrap()).succeeds().json()), here);
    // What it taught is distilled by the workers, and waits in no queue.
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let stats = world.run(&["memory", "stats", "--json"]).succeeds().json();
        if stats["queue"][0] == 0 {
            break;
        }
        assert!(Instant::now() < until, "{stats}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_run_that_was_left_waits_for_a_worker_and_is_attached_to() {
    let Some(restate) = Restate::start() else { return };
    let world = World::new();
    let [port] = free_ports();
    drop(restate.worker(&world, port, &[]));
    // Nobody is there to work.
    let mut asking = restate.ask(&world, &[]);
    let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let left = Ran::from(child.wait_with_output().unwrap());
    left.fails(130, "left run", "runs attach");
    let _worker = restate.worker(&world, port, &[]);
    let until = Instant::now() + Duration::from_mins(1);
    while world.run(&["runs", "list", "--json"]).json()[0]["status"] != "finished" {
        assert!(Instant::now() < until, "nobody takes the run up");
        std::thread::sleep(Duration::from_millis(100));
    }
    let id = world.newest();
    assert!(left.err.contains(&id), "{}", left.err);
    let attached = restate.command(&world, &["runs", "attach", &id, "-q", "--json"]).output();
    let here = timeless(World::new().ask(CAPACITY, &["-q", "--json"]).json());
    assert_eq!(timeless(Ran::from(attached.unwrap()).succeeds().json()), here);
}

#[test]
fn a_worker_that_is_killed_is_replaced_while_somebody_looks_on() {
    let Some(restate) = Restate::start() else { return };
    let here = timeless(World::new().ask(CAPACITY, &["-q", "--json"]).json());
    let world = World::new();
    let [port] = free_ports();
    for after in [40, 120, 250] {
        let mut worker = restate.worker(&world, port, &[]);
        // None is told what the ones before it found.
        let mut asking = restate.ask(&world, &["-q", "--json", "--no-memory"]);
        let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(after));
        worker.0.kill().unwrap();
        worker.0.wait().unwrap();
        let _next = restate.worker(&world, port, &[]);
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(timeless(ran.succeeds().json()), here, "killed after {after} ms");
    }
}

#[test]
fn what_a_run_asks_back_is_answered_through_the_server() {
    let Some(restate) = Restate::start() else { return };
    let ways = Ways { telling: vec!["fell by 38 %"], vague: true, ..Ways::default() };
    let (world, ollama) = (World::new(), Ollama::start(ways));
    let [port] = free_ports();
    let mut command = restate.working(&world, port, &[]);
    let _worker = started(command.env("OLLAMA_HOST", &ollama.address));
    let words = ["ask", "What do they say about sightings?", "--engine", "restate", "--corpus"];
    let mut asking = restate.command(&world, &words);
    asking.arg(harbor()).args(["--model", "ollama:written", "--piped-answers", "--json"]);
    asking.env("OLLAMA_HOST", &ollama.address);
    asking.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = asking.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"2\nonly porpoises\n").unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    let answer = ran.succeeds().json();
    assert_eq!(answer["clarified"][0]["answer"], "2021 to 2025", "{answer}");
    assert_eq!(answer["clarified"][1]["answer"], "only porpoises", "{answer}");
    world.run(&["audit", &world.newest()]).succeeds();
}

#[test]
fn a_run_of_the_workers_is_watched_and_steered_over_http() {
    let Some(restate) = Restate::start() else { return };
    let ways = Ways { telling: vec!["fell by 38 %"], vague: true, ..Ways::default() };
    let (world, ollama) = (World::new(), Ollama::start(ways));
    let [port] = free_ports();
    let mut command = restate.working(&world, port, &[]);
    let _worker = started(command.env("OLLAMA_HOST", &ollama.address));
    let words = ["ask", "What do they say about sightings?", "--engine", "restate", "--corpus"];
    let mut asking = restate.command(&world, &words);
    asking.arg(harbor()).args(["--model", "ollama:written", "--piped-answers", "--json"]);
    asking.env("OLLAMA_HOST", &ollama.address);
    asking.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Living(asking.spawn().unwrap());
    // It asks back, and nobody answers at the terminal.
    let serving = Serving::with(&world, &[("RESTATE_URL", &restate.url())]);
    let until = Instant::now() + Duration::from_mins(1);
    let run = loop {
        assert!(Instant::now() < until, "it does not ask back");
        let runs = world.run(&["runs", "list", "--json"]).json();
        let Some(id) = runs[0]["run_id"].as_str().map(str::to_owned) else { continue };
        if world.run(&["runs", "trace", &id]).out.contains("Which years matter?") {
            break id;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    let answers = serde_json::json!({ "answers": [{ "question": 1, "choice": 2 }] });
    let (status, body) = serving.post(&format!("/v1/research/{run}/clarify"), &answers);
    assert_eq!(status, 200, "{body}");
    let events = serving.get(&format!("/v1/research/{run}/events"));
    assert!(events.contains("event: session_completed"), "{events}");
    assert!(child.0.wait().unwrap().success());
    let answer = world.run(&["runs", "replay", &run, "--json"]).succeeds().json();
    assert_eq!(answer["clarified"][0]["answer"], "2021 to 2025", "{answer}");
    let (status, body) = serving.post(
        &format!("/v1/research/{run}/control"),
        &serde_json::json!({ "control": "finish_now" }),
    );
    assert_eq!(status, 409, "{body}");
}

/// The run that a reply names.
fn started_run((status, body): (u16, String)) -> String {
    assert_eq!(status, 202, "{body}");
    let started: Value = serde_json::from_str(&body).unwrap();
    started["run_id"].as_str().unwrap().to_owned()
}

/// Waits until a server shows a run in a status.
fn until(serving: &Serving, run: &str, status: &str) {
    let begun = Instant::now();
    loop {
        // One that no worker has begun is not known to a server that began after it was handed over.
        let listed = serving.json("/v1/research?limit=50");
        let items = listed["items"].as_array().unwrap();
        if items.iter().any(|item| item["run_id"] == run && item["status"] == status) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{run} never is {status}: {listed}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_server_hands_its_runs_to_the_workers() {
    let Some(restate) = Restate::start() else { return };
    let world = World::new();
    let [port] = free_ports();
    let url = restate.url();
    let variables = [("RESTATE_URL", url.as_str()), ("ELENCHUS_ENGINE", "restate")];
    let serving = Serving::with(&world, &variables);
    let ask = json!({ "question": CAPACITY, "review_plan": true });
    let (status, body) = serving.post("/v1/research", &ask);
    assert_eq!(status, 503, "{body}");
    assert!(body.contains("no worker is registered"), "{body}");
    assert_eq!(serving.json("/v1/research")["total"], 0);
    // One is registered, and away.
    drop(restate.worker(&world, port, &[]));
    let run = started_run(serving.post("/v1/research", &ask));
    let waiting = serving.json(&format!("/v1/research/{run}"));
    assert_eq!(waiting["message"], "waiting for a worker", "{waiting}");
    let _worker = restate.worker(&world, port, &[]);
    until(&serving, &run, "paused");
    // A server that begins again leaves it to the workers, and reaches it there.
    drop(serving);
    let serving = Serving::with(&world, &variables);
    let resumed = serving.post(&format!("/v1/research/{run}/resume"), &json!({}));
    assert_eq!(started_run(resumed), run);
    let events = serving.get(&format!("/v1/research/{run}/events"));
    assert!(events.contains("event: session_completed"), "{events}");
    until(&serving, &run, "finished");
    world.run(&["audit", &run]).succeeds();
    // What is doubted afterwards is looked into by the workers, too.
    let answer = world.run(&["runs", "replay", &run, "--json"]).succeeds().json();
    let doubt = json!({
        "event_id": answer["reasoning_trace"][0],
        "text": "Is the capacity stated anywhere else?",
    });
    let child = started_run(serving.post(&format!("/v1/research/{run}/challenge"), &doubt));
    until(&serving, &child, "finished");
}

#[test]
fn a_run_that_a_server_handed_over_is_ended_by_it() {
    let Some(restate) = Restate::start() else { return };
    let world = World::new();
    let [port] = free_ports();
    let _worker = restate.worker(&world, port, &[]);
    let url = restate.url();
    let variables = [("RESTATE_URL", url.as_str()), ("ELENCHUS_ENGINE", "restate")];
    let serving = Serving::with(&world, &variables);
    let ask = json!({ "question": CAPACITY, "review_plan": true });
    let run = started_run(serving.post("/v1/research", &ask));
    until(&serving, &run, "paused");
    let control = format!("/v1/research/{run}/control");
    let (status, body) = serving.post(&control, &json!({ "control": "interrupt" }));
    assert_eq!(status, 200, "{body}");
    until(&serving, &run, "interrupted");
}

#[test]
fn agents_and_terminals_hand_their_runs_to_the_workers() {
    let Some(restate) = Restate::start() else { return };
    let world = World::new();
    let [port] = free_ports();
    let _worker = restate.worker(&world, port, &[]);
    let url = restate.url();
    let variables = [("RESTATE_URL", url.as_str()), ("ELENCHUS_ENGINE", "restate")];
    let mut client = Client::with(&world, &variables);
    let started = client.call("research_start", &json!({ "question": CAPACITY }));
    let run = started["run_id"].clone();
    let mut progress = Value::Null;
    for _ in 0..20 {
        progress = client.call("research_status", &json!({ "run_id": run, "wait_seconds": 10 }));
        if progress["status"] != "running" {
            break;
        }
    }
    assert_eq!(progress["status"], "finished", "{progress}");
    let said = client.leave();
    assert!(said.contains("is with the workers"), "{said}");

    let words = ["tui", CAPACITY, "--plain", "--engine", "restate", "--corpus"];
    let mut command = restate.command(&world, &words);
    let ran = ran(command.arg(harbor()));
    assert!(ran.succeeds().err.contains("is with the workers"), "{}", ran.err);
    assert!(ran.out.contains("installed capacity"), "{}", ran.out);
    assert_ne!(world.newest(), run.as_str().unwrap());
    world.run(&["audit", &world.newest()]).succeeds();
}

#[test]
fn where_no_restate_server_answers_no_run_is_begun() {
    let world = World::new();
    let [nobody] = free_ports();
    let url = format!("http://127.0.0.1:{nobody}");
    let variables = [("RESTATE_URL", url.as_str()), ("ELENCHUS_ENGINE", "restate")];
    let serving = Serving::with(&world, &variables);
    let (status, body) = serving.post("/v1/research", &json!({ "question": CAPACITY }));
    assert_eq!(status, 503, "{body}");
    let problem: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(problem["code"], "engine_away", "{body}");
    assert_eq!(problem["title"], "could not reach the Restate server", "{body}");
    assert!(problem["way_out"].as_str().unwrap().contains("RESTATE_URL"), "{body}");
    assert_eq!(serving.json("/v1/research")["total"], 0);
    let mut client = Client::with(&world, &variables);
    let told = client.refused("research_start", &json!({ "question": CAPACITY }));
    assert!(told.contains("could not reach the Restate server"), "{told}");
    assert!(told.contains("RESTATE_URL"), "{told}");
    client.leave();
    let corpus = harbor().display().to_string();
    let tui = world.run_with(&["tui", CAPACITY, "--plain", "--corpus", &corpus], &variables);
    tui.fails(4, "could not reach the Restate server", "RESTATE_URL");
    // Neither a run nor a note of where its documents are.
    assert_eq!(world.run(&["runs", "list", "--json"]).json().as_array().unwrap().len(), 0);
    let notes =
        std::fs::read_dir(world.store().with_extension("runs")).map(Iterator::count).unwrap_or(0);
    assert_eq!(notes, 0);
    let serve = ["serve", "--engine", "restate"];
    let wrong = world.run_with(&serve, &[("RESTATE_URL", "no address")]);
    wrong.fails(2, "could not use the Restate server", "RESTATE_URL");
}

#[test]
fn pages_that_one_worker_read_are_there_for_the_next() {
    let Some(restate) = Restate::start() else { return };
    let site = Site::new(&[("/wiki/Varn_Tunnel", &lanterns(41))]);
    let provider = site.provider();
    for after in [200, 450] {
        let world = World::new();
        let [port] = free_ports();
        let mut worker = restate.worker(&world, port, &[]);
        let words = ["ask", ASKED, "--web", &provider, "--private-host", &site.address];
        let mut asking = restate.command(&world, &words);
        asking.args(["--engine", "restate", "-q", "--json"]);
        let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(after));
        worker.0.kill().unwrap();
        worker.0.wait().unwrap();
        let _next = restate.worker(&world, port, &[]);
        let ran = Ran::from(child.wait_with_output().unwrap());
        let answer = ran.succeeds().json();
        assert!(answer["text"].as_str().unwrap().contains("41 lanterns"), "{after} ms: {answer}");
        world.run(&["audit", &world.newest()]).succeeds();
    }
}

/// One store on PostgreSQL and one Restate server, and every process on a machine of its own.
#[cfg(feature = "postgres")]
#[test]
fn machines_that_share_their_store_and_restate_share_the_pages_that_they_read() {
    use elenchus_io::pg::testkit::{schema, servers, told};
    const TEST: &str = "machines_that_share_their_store_and_restate_share_the_pages_that_they_read";
    const PAGE: &str = "/wiki/Varn_Tunnel";
    let Some(restate) = Restate::start() else { return };
    let Some(server) = servers(TEST).into_iter().next() else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = runtime.block_on(schema(&server)).unwrap();
    let on_server = |mut command: Command| {
        command.env("DATABASE_URL", &url);
        command
    };
    let site = Site::new(&[(PAGE, &lanterns(41))]);
    let provider = site.provider();
    let [asks, first, second, reads] = [(); 4].map(|()| World::new());
    let [port] = free_ports();
    let mut worker = started(&mut on_server(restate.working(&first, port, &[])));
    let words = ["ask", ASKED, "--web", &provider, "--private-host", &site.address];
    let mut asking = on_server(restate.command(&asks, &words));
    asking.args(["--engine", "restate", "-q", "--json"]);
    let child = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let until = Instant::now() + Duration::from_mins(1);
    let kept = || runtime.block_on(told(&url, "SELECT count(*) FROM snapshots"));
    while !kept().is_ok_and(|count| count != "0") {
        assert!(Instant::now() < until, "no page is read");
        std::thread::sleep(Duration::from_millis(10));
    }
    worker.0.kill().unwrap();
    worker.0.wait().unwrap();
    let _next = started(&mut on_server(restate.working(&second, port, &[])));
    let answer = Ran::from(child.wait_with_output().unwrap()).succeeds().json();
    assert!(answer["text"].as_str().unwrap().contains("41 lanterns"), "{answer}");
    let fetched = site.requests().iter().filter(|path| *path == PAGE).count();
    assert_eq!(fetched, 1, "the second machine reads what the first one fetched");
    // A third one opens what the answer cites.
    let id = answer["run_id"].as_str().unwrap();
    let mut opening = on_server(reads.command());
    let opened = ran(opening.args(["source", id]));
    assert!(opened.succeeds().out.contains("41 lanterns"), "{opened:?}");
}

#[test]
fn what_is_missing_is_told() {
    let world = World::new();
    let [nobody] = free_ports();
    let url = format!("http://127.0.0.1:{nobody}");
    let words = ["ask", CAPACITY, "--engine", "restate", "--corpus"];
    let mut command = world.command();
    command.env("RESTATE_URL", &url).args(words).arg(harbor());
    ran(&mut command).fails(4, "could not reach the Restate server", "RESTATE_URL");
    let refused = world.run(&["worker", "--listen", "127.0.0.1:0", "--register", &url]);
    refused.fails(4, "could not register the worker", "--register");
    let key = world.run(&["worker", "--listen", "127.0.0.1:0", "--identity-key", "nonsense"]);
    key.fails(2, "could not start the worker", "key");

    let Some(restate) = Restate::start() else { return };
    ran(&mut restate.ask(&world, &[])).fails(4, "no worker is registered", "elenchus worker");
    // Of a run that the server does not know.
    world.ask(CAPACITY, &["-q"]).succeeds();
    let other = world.folder();
    let [port] = free_ports();
    let _worker = restate.worker(&world, port, &["--corpus", &other.display().to_string()]);
    ran(&mut restate.ask(&world, &[])).fails(4, "not started with this folder", "--corpus");
}
