//! Small pieces under the stopwatch; `elenchus-evals speed` measures whole processes.
//!
//! `ELENCHUS_NIGHTLY=1` adds the corpus of 100,000 passages, `ELENCHUS_DATA` names the folder of data sets (its
//! `veltrix` stands in for the example that ships with the sources).

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::gap::GapPolicy;
use elenchus_core::inquiry::{Budget, Input, Opened, Options, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, Intent, JournalRecord};
use elenchus_core::port::{
    CorpusOverview, Lease, Retriever, SearchFilter, SearchRequest, Store, TermCount,
};
use elenchus_core::prompt::{
    FactsInput, FollowUp, ModelCall, ModelReply, PlanInput, PlannedQuestion, ProposedQuery,
    QueryStrategy, ReflectInput,
};
use elenchus_core::testkit::{ManualClock, World, block_on, drive};
use elenchus_core::trace::{Envelope, SCHEMA, TraceEvent};
use elenchus_engine::{Engine, Ports, Settings};
use elenchus_io::model::{ExtractiveModel, unit_spans};
use elenchus_io::retrieve::{Corpus, builtin_vectors};
use elenchus_io::store::{MemoryStore, SqliteOptions, SqliteStore};
use std::fs::File;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[path = "../src/speed.rs"]
#[expect(dead_code, reason = "only its generator of documents and queries is used here")]
#[expect(clippy::print_stdout, reason = "the subcommand prints its figures")]
#[expect(unused_imports, reason = "the module's tests belong to the program")]
mod speed;

/// Queries that take turns.
const QUERIES: usize = 64;
/// Passages of a standard run.
const READ: u16 = 50;
/// A lease that outlives the bench.
const LEASE_MS: i64 = 1 << 40;

fn request(query: String, limit: u16, expand: bool) -> SearchRequest {
    let filter = SearchFilter::default();
    SearchRequest {
        query,
        limit,
        per_source: 0,
        per_author: 0,
        expand,
        filter,
        outward: false,
        named: vec![],
    }
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    let mut sizes = vec![10_000];
    if std::env::var_os("ELENCHUS_NIGHTLY").is_some() {
        sizes.push(100_000);
    }
    for size in sizes {
        let scratch = tempfile::tempdir().expect("a scratch folder can be made");
        let folder = scratch.path().join("corpus");
        speed::write_documents(&folder, size).expect("documents can be written");
        let corpus = opened(&scratch.path().join("index.db"), &folder);
        let mut words = speed::Words::new(1);
        let queries: Vec<String> = (0..QUERIES).map(|_| words.query(4)).collect();
        for (name, expand) in [("plain", false), ("neighbours", true)] {
            let mut turn = queries.iter().cycle();
            group.bench_function(format!("{name}/{size}"), |b| {
                b.iter_batched(
                    || request(turn.next().cloned().unwrap_or_default(), 10, expand),
                    |request| block_on(corpus.search(&request)),
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

fn opened(index: &Path, folder: &Path) -> Corpus {
    let mut corpus = Corpus::open(index, folder, Some(builtin_vectors())).expect("an index opens");
    corpus.sync(&mut |_| {}).expect("the folder can be read");
    corpus
}

/// A real folder, what a question finds in it, and the plan for the question.
struct Case {
    passages: Vec<ReadPassage>,
    questions: Vec<PlannedQuestion>,
    terms: Vec<TermCount>,
    overview: CorpusOverview,
}

fn case() -> Case {
    let (folder, question) = match std::env::var_os("ELENCHUS_DATA") {
        Some(data) => {
            (PathBuf::from(data).join("veltrix"), "How many employees does Veltrix have?")
        }
        None => (
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/harbor"),
            "What is the installed capacity of the Skerry Tidal Array?",
        ),
    };
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    let corpus = opened(&scratch.path().join("index.db"), &folder);
    let overview = corpus.overview();
    let reply = block_on(corpus.search(&request(question.to_owned(), READ, true)))
        .expect("the folder can be searched");
    let ids: Vec<_> = reply.hits.iter().map(|hit| hit.passage_id.clone()).collect();
    let passages = block_on(corpus.read(&ids)).expect("what was found can be read");
    let plan = ModelCall::Plan(PlanInput {
        said: vec![],
        question: question.to_owned(),
        corpus: overview.clone(),
        guarded: false,
        max_questions: 5,
        framing: elenchus_core::prompt::Framing::default(),
    });
    let questions = match ExtractiveModel::new().answer(&plan) {
        ModelReply::Plan(plan) => plan.questions,
        _ => Vec::new(),
    };
    Case { passages, questions, terms: reply.terms, overview }
}

fn extraction(c: &mut Criterion) {
    let case = case();
    let model = ExtractiveModel::new();
    let name = format!("{} passages", case.passages.len());
    let mut group = c.benchmark_group("extractive");
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.bench_function(format!("units of {name}"), |b| {
        b.iter(|| {
            case.passages.iter().map(|read| unit_spans(black_box(read)).len()).sum::<usize>()
        });
    });
    let reflect = ModelCall::Reflect(ReflectInput {
        memory: String::new(),
        question: case.questions.first().map(|q| q.text.clone()).unwrap_or_default(),
        open: case.questions.clone(),
        passages: case.passages.clone(),
        new_passages: case.passages.len(),
        terms: case.terms.clone(),
        corpus_passages: case.overview.passages,
        subjects: case.overview.subjects.clone(),
    });
    let facts = ModelCall::ExtractFacts(FactsInput {
        questions: case.questions,
        passages: case.passages,
        terms: case.terms,
        corpus_passages: case.overview.passages,
        subjects: case.overview.subjects,
    });
    for call in [reflect, facts] {
        group.bench_function(format!("{}, {name}", call.prompt()), |b| {
            b.iter(|| model.answer(black_box(&call)));
        });
    }
    group.finish();
}

const QUESTION: &str = "How far does the harbour tide rise in spring and which salary does the lighthouse keeper draw?";

/// Half of the question is answered, by sources that disagree; the other half is nowhere, so that rounds are spent.
fn world() -> World {
    World::new("harbour")
        .document("tides.md", "# Tides\n\nThe harbour tide can rise 4 metres far into spring.")
        .document("gauge.md", "# Gauge\n\nIn spring the harbour tide will rise far, by 5 metres.")
        .document(
            "light.md",
            "# Light\n\nThe lighthouse has a keeper.\n\nA keeper repairs the lamp.",
        )
        .document("town.md", "# Town\n\nThe lighthouse announcement was an overview.")
}

/// The same store on a disk in memory: what a synced one takes beyond it is the time of the syncs.
const UNSYNCED: &str = "sqlite, where a sync costs nothing";

/// A folder on a disk in memory, where the machine has one.
fn memory_disk() -> Option<tempfile::TempDir> {
    tempfile::tempdir_in("/dev/shm").ok()
}

/// The machine by itself, and under the engine on each store.
fn measure_runs(
    c: &mut Criterion,
    group: &str,
    question: &str,
    world: &Arc<World>,
    options: &dyn Fn() -> Options,
) {
    let driven = drive(world, question, options());
    let name =
        format!("{} rounds, {} inputs", driven.run.view().progress().round, driven.journal.len());
    let mut group = c.benchmark_group(group);
    group.sample_size(20).measurement_time(Duration::from_secs(4));
    group.bench_function(format!("machine alone, {name}"), |b| {
        b.iter(|| drive(world, question, options()));
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime can be made");
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    let sqlite = SqliteStore::open(&scratch.path().join("runs.db"), &SqliteOptions::default())
        .expect("a store can be made");
    let mut stores: Vec<(&str, Arc<dyn Store>)> =
        vec![("memory", Arc::new(MemoryStore::new())), ("sqlite, synced", Arc::new(sqlite))];
    let unsynced = memory_disk();
    if let Some(disk) = &unsynced {
        let store = SqliteStore::open(&disk.path().join("runs.db"), &SqliteOptions::default())
            .expect("a store can be made");
        stores.push((UNSYNCED, Arc::new(store)));
    }
    for (kind, store) in stores {
        let ports = Ports {
            memory: None,
            elsewhere: Vec::new(),
            model: Arc::clone(world) as _,
            retriever: Arc::clone(world) as _,
            embedder: Arc::clone(world) as _,
            judge: None,
            store,
            clock: Arc::new(ManualClock::new(Timestamp(1_700_000_000_000))),
        };
        let engine = Engine::new(ports, Settings::default());
        let mut seed = 0;
        group.bench_function(format!("engine on {kind}, {name}"), |b| {
            b.iter(|| {
                seed += 1;
                runtime.block_on(async {
                    let handle = engine.start(question, options(), seed).await.expect("it starts");
                    handle.join().await.expect("it ends").answer
                })
            });
        });
    }
    group.finish();
}

/// Words of ten follow-up searches, each of which finds one document more that does not answer.
const ASIDES: [&str; 10] = [
    "breakwater",
    "ferry",
    "dredger",
    "foghorn",
    "customs",
    "slipway",
    "mooring",
    "warehouse",
    "pilotage",
    "fishery",
];

/// A model that is never satisfied: ten rounds, whatever is read. `scripts/bench_langgraph.py` runs the like.
fn unsatisfied() -> World {
    let world = World::new("never");
    let world = ASIDES.iter().fold(world, |world, aside| {
        let text = format!("# {aside}\n\nThe {aside} of the harbour was painted and repaired.");
        world.document(&format!("{aside}.md"), &text)
    });
    world.script(|call| match call {
        ModelCall::FollowUp(input) => {
            let tried = input.gap.previous_queries.join(" ");
            let query = |aside: &&str| ProposedQuery {
                query: format!("{aside} {aside}s inventory"),
                strategy: QueryStrategy::Angle,
            };
            let fresh = ASIDES.iter().filter(|aside| !tried.contains(**aside));
            let queries = fresh.take(1).map(query).collect();
            Some(Ok(ModelReply::FollowUp(FollowUp { queries, rationale: "the next".to_owned() })))
        }
        _ => None,
    })
}

/// The engine's cost over ten rounds against an instant model.
fn ten_rounds(c: &mut Criterion) {
    let budget = Budget { rounds: 10, ..Budget::default() };
    let gaps = GapPolicy { max_attempts: 10, dry_rounds: 10, ..GapPolicy::default() };
    let options = || Options { autonomous: true, budget, gaps, ..Options::default() };
    measure_runs(
        c,
        "ten rounds",
        "What does the harbour tide cost?",
        &Arc::new(unsatisfied()),
        &options,
    );
}

fn machine(c: &mut Criterion) {
    let options = || Options { autonomous: true, ..Options::default() };
    measure_runs(c, "run", QUESTION, &Arc::new(world()), &options);
}
/// A journal that grows by an intent and an event at a time.
struct Journal<'a> {
    store: &'a dyn Store,
    lease: Lease,
    seq: u64,
    hash: String,
}

impl<'a> Journal<'a> {
    fn begin(store: &'a dyn Store) -> Self {
        let run_id = RunId::from("run_bench");
        let opened = Opened {
            run_id: run_id.clone(),
            question: QUESTION.to_owned(),
            options: Options::default(),
            corpus: CorpusOverview::default(),
            model: "bench".to_owned(),
            judging: None,
            contest: None,
            forked: None,
            recalled: Recollection::default(),
        };
        let entry = Entry::Input(Box::new(Input::Opened(opened)));
        let first = JournalRecord { v: FORMAT, seq: 1, at: Timestamp(1), entry }.seal(GENESIS);
        let lease = block_on(store.create(&run_id, QUESTION, &first, &[], "bench", LEASE_MS))
            .expect("a run can be created");
        Self { store, lease, seq: 1, hash: first.hash }
    }

    fn append(&mut self) {
        self.seq += 1;
        let run_id = &self.lease.run_id;
        let at = Timestamp(1);
        let entry = Entry::Intent(vec![Intent::new(run_id, EffectId(self.seq as u32))]);
        let record = JournalRecord { v: FORMAT, seq: self.seq, at, entry }.seal(&self.hash);
        let event = Envelope {
            schema: SCHEMA,
            run_id: run_id.clone(),
            seq: self.seq - 1,
            at,
            event: TraceEvent::PlanningStarted { question: QUESTION.to_owned() },
        };
        block_on(self.store.append(&self.lease, &record, &[event])).expect("a record is appended");
        self.hash = record.hash;
    }
}

fn journal(c: &mut Criterion) {
    let scratch = tempfile::tempdir().expect("a scratch folder can be made");
    let mut group = c.benchmark_group("journal append");
    group.sample_size(20).measurement_time(Duration::from_secs(3));
    let memory = MemoryStore::new();
    let mut in_memory = Journal::begin(&memory);
    group.bench_function("memory", |b| b.iter(|| in_memory.append()));
    let sqlite = SqliteStore::open(&scratch.path().join("runs.db"), &SqliteOptions::default())
        .expect("a store can be made");
    let mut on_disk = Journal::begin(&sqlite);
    group.bench_function("sqlite, synced", |b| b.iter(|| on_disk.append()));
    let disk = memory_disk();
    let store = disk.as_ref().map(|disk| {
        SqliteStore::open(&disk.path().join("runs.db"), &SqliteOptions::default())
            .expect("a store can be made")
    });
    if let Some(store) = &store {
        let mut in_memory = Journal::begin(store);
        group.bench_function(UNSYNCED, |b| b.iter(|| in_memory.append()));
    }
    // The least that durability costs here: two pages at the end of a file, synced.
    let mut file = File::create(scratch.path().join("plain")).expect("a file can be made");
    let pages = [7_u8; 8192];
    group.bench_function("plain file of 8 kB, synced", |b| {
        b.iter(|| {
            file.write_all(&pages).expect("a file can be written");
            file.sync_data().expect("a file can be synced");
        });
    });
    group.finish();
}

criterion_group!(benches, search, extraction, machine, ten_rounds, journal);
criterion_main!(benches);
