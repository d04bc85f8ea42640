//! The server over a real socket, with a store on disk and a scripted world.

mod dialogue;
mod documented;
mod elsewhere;
mod feedback;
mod limits;
mod long;
mod matrix;
mod memory;
mod pages;
mod poison;
mod runs;
mod streams;

use super::{Api, Opinions, Route, router, table};
use crate::door::{Door, LOOPBACK, Pass};
use crate::listen::{self, Limits, Traffic};
use crate::mcp::McpServer;
use crate::mcp::Parts;
use crate::mcp::ports::{Refusal, Told};
use crate::mcp::testing;
use crate::runs::{Begun, Coming, Grounds, Heard, Runs, Task, Work};
use elenchus_core::bank::Caller;
use elenchus_core::id::{RunId, Timestamp};
use elenchus_core::inquiry::{Control, Options};
use elenchus_core::port::{Clock, Memos, Remark, Store};
use elenchus_core::prompt::{Clarification, ClarifyingQuestion, ModelCall, ModelReply};
use elenchus_core::testkit::{World, judging};
use elenchus_engine::{Engine, Judge, Ports, Settings};
use elenchus_io::bank::SqliteBank;
use elenchus_io::memos::SqliteMemos;
use elenchus_io::store::{SqliteOptions, SqliteStore};
use elsewhere::Workers;
use serde_json::Value;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

pub(super) const TOKEN: &str = "0123456789abcdef";
/// The token of somebody who shares nothing with the other.
pub(super) const STRANGER: &str = "fedcba9876543210";
pub(super) const QUESTION: &str = "How far does the harbour tide rise in spring?";

/// A clock whose every look is a millisecond later.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

/// Runs over a scripted world.
#[derive(Clone)]
struct TestGrounds {
    world: Arc<World>,
    store: Arc<dyn Store>,
    workers: Arc<Workers>,
}

impl TestGrounds {
    async fn begun(&self, work: &Work) -> Result<Begun, Refusal> {
        let ports = Ports {
            memory: None,
            elsewhere: Vec::new(),
            model: self.world.clone(),
            retriever: self.world.clone(),
            embedder: self.world.clone(),
            judge: Some(Judge { verifier: self.world.clone(), judging: judging() }),
            store: Arc::clone(&self.store),
            clock: Arc::new(Ticking(AtomicI64::new(work.at.0))),
        };
        let engine = Engine::new(ports, Settings::default());
        let handle = match &work.task {
            Task::Resume { limits } => {
                let resumed = engine.resume(&work.run).await;
                if let (Ok(handle), Some(limits)) = (&resumed, limits) {
                    handle.control(Control::SetBudget(limits.clone())).await.unwrap();
                }
                resumed
            }
            Task::Challenge { contest, .. } => {
                let contest = (**contest).clone();
                engine.challenge(&work.question, Options::default(), work.seed, contest).await
            }
            Task::Fork { of, at, limits: Some(limits), .. } => {
                let told = vec![Control::SetBudget(limits.clone())];
                engine.fork_told(&of.run_id, *at, told, work.seed).await
            }
            Task::Fork { of, at, focus, .. } => {
                engine.fork(&of.run_id, *at, focus.as_deref(), work.seed).await
            }
            Task::Test { claim, tested, .. } => {
                let options = Options {
                    hypotheses: true,
                    to_test: vec![claim.clone()],
                    tested: Some(tested.clone()),
                    ..Options::default()
                };
                engine.start(&work.question, options, work.seed).await
            }
            Task::Ask(ask) => {
                let options = Options {
                    autonomous: ask.autonomous.unwrap_or(false),
                    effort: ask.effort.unwrap_or_default(),
                    review_plan: ask.review_plan,
                    plan: ask.plan.clone(),
                    to_test: ask.test.clone(),
                    hypotheses: !ask.test.is_empty(),
                    clarify: ask.clarify.unwrap_or_default(),
                    ..Options::default()
                };
                engine.start(&work.question, options, work.seed).await
            }
        };
        let handle =
            handle.map_err(|error| Refusal::new("could not start", error.to_string(), ""))?;
        assert_eq!(*handle.run_id(), work.run, "the id that was told is the id that the run has");
        Ok(Begun { handle, learn: Box::new(|_| Box::pin(std::future::ready(()))) })
    }
}

impl Grounds for TestGrounds {
    fn check(&self, task: &Task) -> Result<(), Refusal> {
        match task {
            Task::Ask(ask) if ask.corpus.is_some() => {
                Err(Refusal::new("could not ask the documents", "not allowed", "leave it out"))
            }
            _ => Ok(()),
        }
    }

    fn begin<'a>(&'a self, work: &'a Work) -> Told<'a, Begun> {
        self.workers.begun_here.fetch_add(1, Ordering::SeqCst);
        Box::pin(self.begun(work))
    }

    fn hand_over<'a>(&'a self, work: &'a Work) -> Heard<'a, Option<Coming>> {
        Workers::hand_over(self, work)
    }

    fn is_elsewhere<'a>(&'a self, run: &'a RunId) -> Heard<'a, bool> {
        self.workers.is_elsewhere(run)
    }

    fn steer<'a>(&'a self, run: &'a RunId, control: &'a Control) -> Heard<'a, bool> {
        self.workers.steer(run, control)
    }

    fn forget(&self, _: &RunId) {}

    fn corpora(&self) -> Vec<String> {
        vec!["harbour".to_owned()]
    }

    fn model(&self) -> String {
        "scripted:world".to_owned()
    }
}

/// What was said of an insight of a run before the store kept such words.
#[derive(Default)]
pub(super) struct Said(Mutex<Vec<Remark>>);

impl Opinions for Said {
    fn before(&self) -> Result<Vec<Remark>, Refusal> {
        Ok(self.0.lock().unwrap().clone())
    }
}

fn harbour() -> World {
    World::new("harbour")
        .document(
            "tides.md",
            "# Tides\n\nThe harbour tide can rise 4 metres far into spring.\n\nBoats wait outside.",
        )
        .document("gauge.md", "# Gauge\n\nIn spring the harbour tide will rise far, by 5 metres.")
        .script(|call| {
            matches!(call, ModelCall::Clarify(_)).then(|| Ok(ModelReply::Clarify(asked_back())))
        })
}

/// What the model asks back of a vague question, where it is asked whether to.
pub(super) fn asked_back() -> Clarification {
    let asked = |text: &str, choices: &[&str]| ClarifyingQuestion {
        text: text.to_owned(),
        why: "it changes what is searched".to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
    };
    let questions = vec![
        asked("Which tide?", &["spring tide", "neap tide"]),
        asked("Whose notes?", &["the keeper's", "all notes"]),
    ];
    Clarification { vague: true, questions }
}

/// A server on loopback.
pub(super) struct Served {
    pub(super) port: u16,
    pub(super) api: Arc<Api>,
    pub(super) stop: CancellationToken,
    pub(super) ended: tokio::task::JoinHandle<()>,
    workers: Arc<Workers>,
    folder: Arc<tempfile::TempDir>,
}

/// A response.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Got {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

impl Served {
    pub(super) async fn new() -> Self {
        Self::with(Limits { per_second: 10_000, burst: 100_000, ..Limits::default() }).await
    }

    pub(super) async fn with(limits: Limits) -> Self {
        Self::within(Arc::new(tempfile::tempdir().unwrap()), limits, Arc::default(), None).await
    }

    /// Ends, and begins again over what was kept.
    pub(super) async fn again(self) -> Self {
        self.stop.cancel();
        self.ended.await.unwrap();
        let limits = Limits { per_second: 10_000, burst: 100_000, ..Limits::default() };
        Self::within(self.folder, limits, self.workers, None).await
    }

    /// Ends, and begins again over what was kept; what is said leaves its leads among these memos.
    pub(super) async fn leading(self, notes: Arc<dyn Memos>) -> Self {
        self.stop.cancel();
        self.ended.await.unwrap();
        let limits = Limits { per_second: 10_000, burst: 100_000, ..Limits::default() };
        Self::within(self.folder, limits, self.workers, Some(notes)).await
    }

    /// Another server over the same files, as another process would be.
    pub(super) async fn beside(&self) -> Self {
        let limits = Limits { per_second: 10_000, burst: 100_000, ..Limits::default() };
        Self::within(Arc::clone(&self.folder), limits, Arc::default(), None).await
    }

    async fn within(
        folder: Arc<tempfile::TempDir>,
        limits: Limits,
        workers: Arc<Workers>,
        notes: Option<Arc<dyn Memos>>,
    ) -> Self {
        let path = folder.path().join("elenchus.db");
        let store: Arc<dyn Store> =
            Arc::new(SqliteStore::open(&path, &SqliteOptions::default()).unwrap());
        let clock = Arc::new(Ticking(AtomicI64::new(1_700_000_000_000)));
        let grounds = TestGrounds {
            world: Arc::new(harbour()),
            store: Arc::clone(&store),
            workers: Arc::clone(&workers),
        };
        let runs = Arc::new(Runs::new(Arc::new(grounds), store, clock).at_most(64));
        let known = testing::parts(true);
        let parts = Arc::new(Parts {
            bank: Arc::new(
                SqliteBank::open(
                    &folder.path().join("bank.db"),
                    &SqliteOptions::default(),
                    known.bank_settings.clone(),
                    None,
                )
                .unwrap(),
            ),
            bank_settings: known.bank_settings.clone(),
            researcher: Arc::clone(&runs) as _,
            checker: Arc::clone(&known.checker),
            scorer: Arc::clone(&known.scorer),
            pages: known.pages.clone(),
            namespace: known.namespace.clone(),
            finder: known.finder.clone(),
            memos: known.memos.clone(),
            home: None,
            clock: Arc::clone(&known.clock),
        });
        let caller = Caller::local("here");
        let stop = CancellationToken::new();
        let traffic = Arc::new(Traffic::default());
        let memos =
            SqliteMemos::open(&folder.path().join("memos.db"), &SqliteOptions::default()).unwrap();
        let memos: Arc<dyn Memos> = Arc::new(memos);
        let api = Arc::new(Api {
            runs,
            parts: Arc::clone(&parts),
            notes: Some(notes.unwrap_or_else(|| Arc::clone(&memos))),
            memos,
            opinions: Arc::new(Said::default()),
            caller: caller.clone(),
            traffic: Arc::clone(&traffic),
            streams: Arc::new(Semaphore::new(limits.streams)),
            stop: stop.clone(),
            tools: McpServer::new(parts, caller.clone(), ""),
            since: Instant::now(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let other = Caller { tenant: "other".to_owned(), ..Caller::local("here") };
        let passes = vec![
            Pass { token: TOKEN.to_owned(), caller },
            Pass { token: STRANGER.to_owned(), caller: other },
        ];
        let door = Door { hosts: LOOPBACK.map(str::to_owned).to_vec(), port, passes };
        let serving = listen::serve(listener, router(&api), door, limits, traffic, stop.clone());
        Self { port, api, stop, ended: tokio::spawn(serving), workers, folder }
    }

    pub(super) async fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).await.unwrap()
    }

    /// Sends a request as it is; gives what comes back until the server closes.
    pub(super) async fn raw(&self, request: &str) -> Got {
        let mut stream = self.connect().await;
        // A server that refuses early may close before it has read all.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut reply = Vec::new();
        let read = tokio::time::timeout(Duration::from_mins(1), stream.read_to_end(&mut reply));
        let _ = read.await.expect("the server answers and closes");
        got(&reply)
    }

    pub(super) async fn send(&self, method: &str, path: &str, more: &str, body: &str) -> Got {
        self.sent_by(TOKEN, method, path, more, body).await
    }

    /// Sends a request with a token.
    pub(super) async fn sent_by(
        &self,
        token: &str,
        method: &str,
        path: &str,
        more: &str,
        body: &str,
    ) -> Got {
        let length = if body.is_empty() && method != "POST" {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\n{length}{kind}{more}\r\n{body}",
            self.port
        ))
        .await
    }

    pub(super) async fn get(&self, path: &str) -> Got {
        self.send("GET", path, "", "").await
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Got {
        self.send("POST", path, "", &body.to_string()).await
    }

    /// Starts a run; gives its id.
    pub(super) async fn start(&self, ask: &Value) -> String {
        let got = self.post("/v1/research", ask).await;
        assert_eq!(got.status, 202, "{got:?}");
        got.json()["run_id"].as_str().unwrap().to_owned()
    }

    /// Waits until a run stands in one of some ways; gives the way.
    pub(super) async fn until(&self, run: &str, statuses: &[&str]) -> String {
        for _ in 0..1_000 {
            let got = self.get(&format!("/v1/research/{run}")).await;
            let status = got.json()["status"].as_str().unwrap_or_default().to_owned();
            if statuses.contains(&status.as_str()) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("run {run} never came to {statuses:?}")
    }
}

/// A response in its parts.
fn got(reply: &[u8]) -> Got {
    let end = reply.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(reply.len());
    let head = String::from_utf8_lossy(&reply[..end]).into_owned();
    let rest = reply.get(end + 4..).unwrap_or_default();
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(rest) } else { rest.to_vec() };
    let status = head.get(9..12).and_then(|code| code.parse().ok()).unwrap_or(0);
    Got { status, head, body: String::from_utf8_lossy(&body).into_owned() }
}

/// What chunks hold, as far as they are whole.
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..end]).ok();
        let Some(size) = size.and_then(|size| usize::from_str_radix(size.trim(), 16).ok()) else {
            break;
        };
        let Some(chunk) = rest.get(end + 2..end + 2 + size) else { break };
        if size == 0 {
            break;
        }
        body.extend_from_slice(chunk);
        rest = rest.get(end + 2 + size + 2..).unwrap_or_default();
    }
    body
}
