//! A worker in a process of its own, over the world that the in-process tests use.

use super::distilling;
use super::server::Restate;
use crate::support::{
    Gate, Left, QUESTION, engine, harbour, left, memory, options, ports, settings,
};
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::port::{Clock, PortFuture, Store};
use elenchus_core::testkit::{Fault, FaultyStore};
use elenchus_engine::restate::{Grounds, Submission, Worker};
use elenchus_engine::{CrashPlan, Distiller, Ports, Settings};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// Says where a child keeps its runs; its presence makes this process a worker.
const STORE: &str = "ELENCHUS_TEST_WORKER_STORE";
const PORT: &str = "ELENCHUS_TEST_WORKER_PORT";
const PACE: &str = "ELENCHUS_TEST_WORKER_PACE";
/// `N:TIMES`: the store fails at so many calls from the N-th on.
const FAULT: &str = "ELENCHUS_TEST_WORKER_FAULT";
const ABREAST: &str = "ELENCHUS_TEST_WORKER_CONCURRENCY";

pub(super) const ASKED_AT: Timestamp = Timestamp(1_700_000_000_000);

pub(super) fn open(path: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(path, &SqliteOptions::default()).unwrap())
}

/// The one world of the tests, with a log of what was performed for each run.
struct Harbour {
    store: Arc<dyn Store>,
    folder: PathBuf,
    pace: Duration,
}

pub(super) fn log_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.log"))
}

/// Whether runs of a ground have a bank, in a file beside them.
fn is_taught(ground: &Value) -> bool {
    ground == "taught"
}

impl Harbour {
    fn ports(&self, ground: &Value) -> Ports {
        let name = ground.as_str().unwrap_or("run");
        let log = log_of(&self.folder, name);
        let world = Gate::logged(harbour(), self.pace, &log);
        let world = Arc::new(world.timed(&self.folder.join(format!("{name}.times"))));
        Ports {
            memory: is_taught(ground).then(|| distilling::remembering(&self.folder)),
            ..ports(&world, &self.store)
        }
    }
}

impl Grounds for Harbour {
    fn store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.store)
    }

    fn clock(&self) -> Arc<dyn Clock> {
        self.ports(&Value::Null).clock
    }

    fn open<'a>(
        &'a self,
        ground: &'a Value,
        begins: bool,
    ) -> PortFuture<'a, Result<Ports, String>> {
        Box::pin(async move {
            if ground == "nowhere" {
                return Err("there is no corpus \"nowhere\" here".to_owned());
            }
            if ground == "slow" && begins {
                // Longer than a workflow may be silent before it is asked to sleep.
                let mut log = std::fs::OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(self.folder.join("slow.opened"))
                    .unwrap();
                std::io::Write::write_all(&mut log, b"opened\n").unwrap();
                tokio::time::sleep(Duration::from_secs(13)).await;
            }
            Ok(self.ports(ground))
        })
    }

    fn distiller<'a>(
        &'a self,
        ground: &'a Value,
    ) -> PortFuture<'a, Result<Option<Distiller>, String>> {
        let made = is_taught(ground).then(|| distilling::distiller(&self.folder, self.clock()));
        Box::pin(std::future::ready(Ok(made)))
    }
}

/// A store that fails where the environment says so.
fn failing(store: Arc<dyn Store>) -> Arc<dyn Store> {
    let Ok(text) = std::env::var(FAULT) else { return store };
    let (from, times) = text.split_once(':').unwrap();
    let (from, times) = (from.parse().unwrap(), times.parse().unwrap());
    let fault = if times % 2 == 0 { Fault::Refuses } else { Fault::Unheard };
    Arc::new(FaultyStore::new(store, fault, from, times))
}

/// Does nothing in an ordinary test run. In a child it serves until it is killed.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let path = PathBuf::from(path);
    let grounds = Harbour {
        store: failing(open(&path)),
        folder: path.parent().unwrap().to_owned(),
        pace: Duration::from_millis(number(PACE).unwrap_or(0)),
    };
    let abreast = usize::try_from(number(ABREAST).unwrap_or(1)).unwrap();
    let settings = Settings { crash: CrashPlan::from_env(), ..settings(abreast) };
    let port = u16::try_from(number(PORT).unwrap()).unwrap();
    // The port of a process that was killed may be free only after a moment.
    let begun = Instant::now();
    let listener = loop {
        match TcpListener::bind(("127.0.0.1", port)).await {
            Ok(listener) => break listener,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(10), "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    Worker::new(Arc::new(grounds), settings, 2)
        .serve(listener, std::future::pending::<()>())
        .await
        .unwrap();
}

/// How a child is started.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) store: PathBuf,
    pub(super) port: u16,
    pub(super) pace: u64,
    pub(super) abreast: u64,
}

impl Plan {
    pub(super) fn spawn(&self, crash: Option<&str>) -> Living {
        self.spawn_with(crash, None)
    }

    /// A worker whose store fails at so many calls from one on: `N:TIMES`. An odd number of times its success is not heard.
    pub(super) fn spawn_with(&self, crash: Option<&str>, fault: Option<&str>) -> Living {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["restate::worker::child", "--exact", "--quiet"])
            .env(STORE, &self.store)
            .env(PORT, self.port.to_string())
            .env(PACE, self.pace.to_string())
            .env(ABREAST, self.abreast.to_string())
            .env_remove("ELENCHUS_CRASH_AT")
            .env_remove(FAULT)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Some(crash) = crash {
            command.env("ELENCHUS_CRASH_AT", crash);
        }
        if let Some(fault) = fault {
            command.env(FAULT, fault);
        }
        Living(command.spawn().unwrap())
    }

    /// Waits until the worker of this plan accepts connections.
    pub(super) async fn listens(&self) {
        let patience = Instant::now() + Duration::from_mins(1);
        while tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_err() {
            assert!(Instant::now() < patience, "no worker listens at {}", self.port);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A child that does not outlive its test.
pub(super) struct Living(pub(super) Child);

impl Living {
    /// SIGKILL: no handler, no last words.
    pub(super) fn kill(mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    pub(super) fn is_dead(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A submission of the run that [`golden`] does; `seed` 7 gives the very same run.
pub(super) fn submission(seed: u64, ground: &str) -> Submission {
    Submission::new(QUESTION, options(), seed, ASKED_AT, Value::from(ground)).unwrap()
}

pub(super) async fn submit(restate: &Restate, submission: &Submission) {
    let path = format!("Research/{}/run/send", submission.run_id);
    let (status, body) = restate.post(&path, &serde_json::to_string(submission).unwrap()).await;
    assert!(matches!(status, 200 | 202), "{status} {body}");
}

/// Waits for the end of a workflow; `None` when it does not come in time.
pub(super) async fn outcome(
    restate: &Restate,
    run_id: &RunId,
    patience: Duration,
) -> Option<(u16, String)> {
    let begun = Instant::now();
    while begun.elapsed() < patience {
        let (status, body) =
            restate.get(&format!("restate/workflow/Research/{run_id}/output")).await;
        // 470 is "not ready"; 0 is a server that is away.
        if !matches!(status, 0 | 404 | 470 | 503) {
            return Some((status, body));
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    None
}

/// How many effects were performed more than once for a run, counted by repetition.
pub(super) fn repetitions(folder: &Path, ground: &str) -> usize {
    let text = std::fs::read_to_string(log_of(folder, ground)).unwrap();
    let distinct: BTreeSet<&str> = text.lines().collect();
    text.lines().count() - distinct.len()
}

/// What the in-process driver leaves of the same run.
pub(super) async fn in_process(seed: u64) -> Left {
    let (world, store) = (Arc::new(harbour()), memory());
    let handle =
        engine(&world, &store, settings(1)).start(QUESTION, options(), seed).await.unwrap();
    let run_id = handle.run_id().clone();
    let finished = handle.join().await.unwrap();
    left(&store, &run_id, &finished.answer)
}

/// The run has left in the store what the in-process driver leaves: the same answer and the same trace, byte for byte, and,
/// where one effect is performed at a time, the same journal.
pub(super) async fn assert_golden(
    store: &Arc<dyn Store>,
    run: &Submission,
    golden: &Left,
    what: &str,
) {
    let found = store.runs().await.unwrap().into_iter().find(|one| one.run_id == run.run_id);
    let found = found.unwrap_or_else(|| panic!("{what}: the run is not in the store"));
    assert_eq!(found.status, "finished", "{what}");
    let answer = elenchus_engine::answer_of(&**store, &found).await.unwrap().unwrap();
    let left = left(store, &run.run_id, &answer);
    assert_eq!(left.answer, golden.answer, "{what}");
    assert_eq!(left.events, golden.events, "{what}");
    assert_eq!(left.journal.len(), golden.journal.len(), "{what}");
}

/// From when to when each effect of a run took, from a log beside that of the effects.
fn spans_of(folder: &Path, ground: &str) -> Vec<(Duration, Duration)> {
    let text = std::fs::read_to_string(folder.join(format!("{ground}.times"))).unwrap_or_default();
    let number = |text: &str| Duration::from_micros(text.parse().unwrap());
    text.lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter_map(|line| Some((number(line.first()?), number(line.get(1)?))))
        .collect()
}

/// How many effects of a run were under way at once, at most.
pub(super) fn most_at_once(folder: &Path, ground: &str) -> usize {
    let spans = spans_of(folder, ground);
    let at = |time: Duration| spans.iter().filter(|(from, to)| *from <= time && time < *to).count();
    spans.iter().map(|(from, _)| at(*from)).max().unwrap_or(0)
}

/// The processes that performed effects of a run.
pub(super) fn performed_by(folder: &Path, ground: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder.join(format!("{ground}.times"))).unwrap_or_default();
    text.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect()
}

/// Waits until so many effects of a run were begun.
pub(super) async fn performed(folder: &Path, ground: &str, n: usize) {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(log_of(folder, ground)).unwrap_or_default();
        if text.lines().count() >= n {
            return;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "only {}", text.lines().count());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
