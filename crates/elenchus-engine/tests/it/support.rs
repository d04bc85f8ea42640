//! A golden run and what it takes to drive it.

use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::{PassageId, RunId, Timestamp, short_hash};
use elenchus_core::inquiry::Options;
use elenchus_core::journal::JournalRecord;
use elenchus_core::port::{
    Answered, Checked, Contradiction, CorpusOverview, EmbedFailure, Embedder, Model, ModelFailure,
    ModelRole, Pair, PortFuture, RetrieveFailure, Retriever, Said, SearchReply, SearchRequest,
    Store, Verifier, VerifyFailure,
};
use elenchus_core::prompt::ModelCall;
use elenchus_core::synthesis::insight::{Meetings, Subject};
use elenchus_core::testkit::{ManualClock, World, block_on, judging};
use elenchus_core::trace::Envelope;
use elenchus_engine::{CrashPlan, Deadlines, Engine, Judge, Ports, Settings};
use elenchus_io::store::MemoryStore;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tokio::sync::watch;

pub(crate) const QUESTION: &str = "How far does the harbour tide rise in spring and which salary does the lighthouse keeper draw?";

/// One part can be answered, the sources disagree about it, and the other part is nowhere.
pub(crate) fn harbour() -> World {
    World::new("harbour")
        .document(
            "tides.md",
            "# Tides\n\nThe harbour tide can rise 4 metres far into spring.\n\nBoats wait outside.",
        )
        .document("gauge.md", "# Gauge\n\nIn spring the harbour tide will rise far, by 5 metres.")
        .document(
            "light.md",
            "# Light\n\nThe lighthouse has a keeper.\n\nA keeper repairs the lamp.",
        )
        .document(
            "town.md",
            "# Town\n\nThe lighthouse announcement was an overview.\n\nThe latest year was dry.",
        )
}

pub(crate) fn options() -> Options {
    Options { autonomous: true, ..Options::default() }
}

pub(crate) fn settings(concurrency: usize) -> Settings {
    Settings {
        concurrency,
        deadlines: Deadlines {
            model: Duration::from_secs(20),
            embed: Duration::from_secs(20),
            search: Duration::from_secs(20),
            read: Duration::from_secs(20),
            verify: Duration::from_secs(20),
        },
        retries: 2,
        backoff: Duration::from_millis(1),
        away: Duration::from_millis(20),
        write: Duration::from_secs(20),
        lease: Duration::from_mins(1),
        holder: Some("test".to_owned()),
        crash: CrashPlan::never(),
    }
}

/// Anything that is model, retriever and embedder at once.
pub(crate) trait Everything: Model + Retriever + Embedder + Verifier + 'static {}
impl<T: Model + Retriever + Embedder + Verifier + 'static> Everything for T {}

pub(crate) fn ports(world: &Arc<impl Everything>, store: &Arc<dyn Store>) -> Ports {
    Ports {
        memory: None,
        elsewhere: Vec::new(),
        model: world.clone(),
        retriever: world.clone(),
        embedder: world.clone(),
        judge: Some(Judge { verifier: world.clone(), judging: judging() }),
        store: Arc::clone(store),
        clock: Arc::new(ManualClock::new(Timestamp(1_700_000_000_000))),
    }
}

pub(crate) fn engine(
    world: &Arc<impl Everything>,
    store: &Arc<dyn Store>,
    settings: Settings,
) -> Engine {
    Engine::new(ports(world, store), settings)
}

pub(crate) fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::new())
}

/// What a run left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Left {
    pub(crate) answer: String,
    pub(crate) events: Vec<Envelope>,
    pub(crate) journal: Vec<JournalRecord>,
}

pub(crate) fn left(
    store: &Arc<dyn Store>,
    run_id: &RunId,
    answer: &elenchus_core::answer::Answer,
) -> Left {
    Left {
        answer: serde_json::to_string(answer).unwrap(),
        events: block_on(store.events(run_id, 0)).unwrap(),
        journal: block_on(store.journal(run_id)).unwrap(),
    }
}

/// The undisturbed run.
pub(crate) struct Golden {
    pub(crate) left: Left,
    pub(crate) performed: BTreeMap<String, u32>,
    pub(crate) run_id: RunId,
}

pub(crate) async fn golden(concurrency: usize) -> Golden {
    let (world, store) = (Arc::new(harbour()), memory());
    let handle =
        engine(&world, &store, settings(concurrency)).start(QUESTION, options(), 7).await.unwrap();
    let run_id = handle.run_id().clone();
    let finished = handle.join().await.unwrap();
    Golden { left: left(&store, &run_id, &finished.answer), performed: world.performed(), run_id }
}

/// A world that hangs at its `at`-th effect (from 1), once.
pub(crate) struct Gate {
    inner: World,
    at: u32,
    forever: bool,
    delay: Duration,
    log: Option<PathBuf>,
    times: Option<PathBuf>,
    count: AtomicU32,
    reached: watch::Sender<bool>,
}

impl Gate {
    pub(crate) fn new(inner: World, at: u32, forever: bool) -> Self {
        Self {
            inner,
            at,
            forever,
            delay: Duration::ZERO,
            log: None,
            times: None,
            count: AtomicU32::new(0),
            reached: watch::channel(false).0,
        }
    }

    /// A world that never hangs, takes its time, and writes down what it is asked for, one line an effect.
    pub(crate) fn logged(inner: World, delay: Duration, log: &Path) -> Self {
        Self { delay, log: Some(log.to_owned()), ..Self::new(inner, u32::MAX, false) }
    }

    /// The same, and it writes down from when to when each effect took, in microseconds of the system's clock, and in which
    /// process.
    #[cfg(feature = "restate")]
    pub(crate) fn timed(mut self, times: &Path) -> Self {
        self.times = Some(times.to_owned());
        self
    }

    pub(crate) fn world(&self) -> &World {
        &self.inner
    }

    /// Waits until the effect hangs; `false` when that does not happen soon.
    pub(crate) async fn reached(&self) -> bool {
        let mut reached = self.reached.subscribe();
        let waiting = reached.wait_for(|reached| *reached);
        tokio::time::timeout(Duration::from_millis(700), waiting)
            .await
            .is_ok_and(|ended| ended.is_ok())
    }

    async fn pass(&self, key: String) {
        if let Some(log) = &self.log {
            let mut file = OpenOptions::new().create(true).append(true).open(log).unwrap();
            file.write_all(format!("{}\n", key.replace('\n', " ")).as_bytes()).unwrap();
        }
        let n = self.count.fetch_add(1, Ordering::SeqCst) + 1;
        if n == self.at || (self.forever && n > self.at) {
            self.reached.send_replace(true);
            std::future::pending::<()>().await;
        }
        let from = std::time::SystemTime::now();
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        if let Some(times) = &self.times {
            let micros = |time: std::time::SystemTime| {
                time.duration_since(std::time::UNIX_EPOCH).unwrap().as_micros()
            };
            let mut file = OpenOptions::new().create(true).append(true).open(times).unwrap();
            let line = format!(
                "{} {} {}\n",
                micros(from),
                micros(std::time::SystemTime::now()),
                std::process::id()
            );
            file.write_all(line.as_bytes()).unwrap();
        }
    }
}

impl Model for Gate {
    fn name(&self) -> &str {
        Model::name(&self.inner)
    }

    fn call<'a>(
        &'a self,
        role: ModelRole,
        call: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let json = serde_json::to_string(call).unwrap();
            self.pass(format!("model {} {}", call.prompt(), short_hash(json.as_bytes(), 12))).await;
            self.inner.call(role, call).await
        })
    }
}

impl Retriever for Gate {
    fn search<'a>(
        &'a self,
        request: &'a SearchRequest,
    ) -> PortFuture<'a, Result<SearchReply, RetrieveFailure>> {
        Box::pin(async move {
            self.pass(format!("search {}", request.query)).await;
            self.inner.search(request).await
        })
    }

    fn read<'a>(
        &'a self,
        ids: &'a [PassageId],
    ) -> PortFuture<'a, Result<Vec<ReadPassage>, RetrieveFailure>> {
        Box::pin(async move {
            self.pass(format!("read {ids:?}")).await;
            self.inner.read(ids).await
        })
    }

    fn meetings<'a>(
        &'a self,
        subjects: &'a [Subject],
    ) -> PortFuture<'a, Result<Meetings, RetrieveFailure>> {
        Box::pin(async move {
            self.pass(format!("meetings {}", subjects.len())).await;
            self.inner.meetings(subjects).await
        })
    }

    fn overview(&self) -> CorpusOverview {
        self.inner.overview()
    }
}

impl Verifier for Gate {
    fn id(&self) -> &str {
        Verifier::id(&self.inner)
    }

    fn verify<'a>(
        &'a self,
        pairs: &'a [Pair],
    ) -> PortFuture<'a, Result<Vec<Checked>, VerifyFailure>> {
        Box::pin(async move {
            self.pass(format!("verify {pairs:?}")).await;
            self.inner.verify(pairs).await
        })
    }

    fn contradictions<'a>(
        &'a self,
        texts: &'a [Said],
    ) -> PortFuture<'a, Result<Vec<Contradiction>, VerifyFailure>> {
        Box::pin(async move {
            self.pass(format!("contradict {texts:?}")).await;
            self.inner.contradictions(texts).await
        })
    }
}

impl Embedder for Gate {
    fn id(&self) -> &str {
        Embedder::id(&self.inner)
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> PortFuture<'a, Result<Vec<Vec<f32>>, EmbedFailure>> {
        Box::pin(async move {
            self.pass(format!("embed {texts:?}")).await;
            self.inner.embed(texts).await
        })
    }
}
