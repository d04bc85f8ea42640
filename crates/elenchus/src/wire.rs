//! The composition root: the only place where ports meet what stands behind them.

use crate::config::{Config, Value};
use crate::error::{CliError, Kind, Result};
use crate::feedback::Feedback;
use crate::ground::Ground;
use crate::mind::Mind;
use crate::signals::Interrupts;
use crate::store_place::StorePlace;
use crate::telemetry;
use crate::ui::progress;
use crate::ui::terminal::Terminal;
use elenchus_core::belief::Judging;
use elenchus_core::id::Timestamp;
use elenchus_core::port::{
    Clock, CorpusOverview, Embedder, Memos, Remark, Retriever, Store, Verifier,
};
use elenchus_engine::{Engine, Judge};
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::{BuiltinEmbedder, HttpEmbedder};
use elenchus_io::ingest::Secrets;
use elenchus_io::memos::SqliteMemos;
use elenchus_io::model::language::{ChatClient, ChatError};
use elenchus_io::retrieve::{
    Corpus, CorpusError, IngestReport, RemoteVectors, TextVectors, builtin_vectors,
};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use elenchus_io::verify::{BuiltinVerifier, LlmVerifier, RememberingVerifier};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the documents are and how they are read.
#[derive(Clone, Debug)]
pub(crate) struct CorpusPlace {
    /// The folder, canonical.
    pub(crate) root: PathBuf,
    /// The index file; `None` keeps the index in memory.
    pub(crate) index: Option<PathBuf>,
    /// Whether the user named the index file.
    pub(crate) index_named: bool,
    pub(crate) embedder: String,
    pub(crate) max_file_mb: u64,
    /// What becomes of secrets that stand in them.
    pub(crate) secrets: Secrets,
    /// The settings: where an embedding server is.
    pub(crate) settings: Config,
}

/// A corpus with the embedder that its vectors are made with.
pub(crate) struct OpenCorpus {
    pub(crate) corpus: Corpus,
    embedder: Arc<dyn Embedder>,
}

/// What turns texts into vectors, for the index and for the run.
struct Vectors {
    texts: Arc<dyn TextVectors>,
    embedder: Arc<dyn Embedder>,
}

fn vectors(name: &str, config: &Config) -> Result<Vectors> {
    if name == "builtin" {
        return Ok(Vectors { texts: builtin_vectors(), embedder: Arc::new(BuiltinEmbedder) });
    }
    if is_remote(name) {
        let (model, dimensions) = parted(name);
        return remote(
            model,
            dimensions,
            "use the embedder `builtin`, which needs no server",
            config,
        );
    }
    let Some(folder) = name.strip_prefix("onnx:").filter(|folder| !folder.is_empty()) else {
        return Err(CliError::usage(
            format!("could not use the embedder {name:?}"),
            "there is no such embedder",
            "write `builtin`, `onnx:FOLDER` with a folder that holds model.onnx and tokenizer.json, or `ollama:NAME` or \
             `openai:NAME` for an embedding model behind a server, with `@512` behind the name for vectors of that \
             length",
        ));
    };
    onnx(Path::new(folder))
}

/// Whether an embedder is a model behind a server.
pub(crate) fn is_remote(name: &str) -> bool {
    name.starts_with("ollama:") || name.starts_with("openai:")
}

/// The model, and the length that its vectors are asked to have: `openai:text-embedding-3-small@512`.
pub(crate) fn parted(name: &str) -> (&str, Option<NonZeroUsize>) {
    match name.rsplit_once('@').map(|(model, length)| (model, length.parse())) {
        Some((model, Ok(length))) => (model, Some(length)),
        _ => (name, None),
    }
}

/// What turns texts into vectors behind a server. `hint` says what needs none.
pub(crate) fn remote_vectors(
    name: &str,
    dimensions: Option<NonZeroUsize>,
    hint: &str,
    config: &Config,
) -> Result<Arc<dyn TextVectors>> {
    Ok(remote(name, dimensions, hint, config)?.texts)
}

/// The embedder behind a server by its name, with the length that may stand there. `hint` says what needs none.
pub(crate) fn remote_embedder(
    name: &str,
    hint: &str,
    config: &Config,
) -> Result<Arc<dyn Embedder>> {
    let (model, dimensions) = parted(name);
    Ok(remote(model, dimensions, hint, config)?.embedder)
}

/// An embedding model behind a server: the length of its vectors is the one asked for, or is learned at once.
fn remote(
    name: &str,
    dimensions: Option<NonZeroUsize>,
    hint: &str,
    config: &Config,
) -> Result<Vectors> {
    let unusable = |cause: String| {
        CliError::new(Kind::Provider, format!("could not use the embedder {name:?}"), cause, hint)
    };
    let (model, endpoint, settings) = crate::mind::endpoint(name, config)
        .map_err(|error| crate::mind::named_elsewhere(error, hint))?;
    let refused = |error: ChatError| crate::mind::named_elsewhere(error.into(), hint);
    let embedder = match dimensions {
        Some(dimensions) => {
            HttpEmbedder::with_dimensions(model, endpoint, dimensions, settings).map_err(refused)?
        }
        None => discovered(HttpEmbedder::discover(model, endpoint, settings), &unusable, hint)?,
    };
    let texts = RemoteVectors::new(embedder.clone()).map_err(unusable)?;
    Ok(Vectors { texts: Arc::new(texts), embedder: Arc::new(embedder) })
}

/// Waits for an embedder. Called from within a runtime as well, where another one must not be waited for.
fn discovered(
    discover: impl Future<Output = std::result::Result<HttpEmbedder, ChatError>> + Send,
    unusable: &(dyn Fn(String) -> CliError + Sync),
    hint: &str,
) -> Result<HttpEmbedder> {
    std::thread::scope(|scope| {
        scope
            .spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .map_err(|error| unusable(error.to_string()))?;
                // What starts the server or gets the model is the first way out, what needs none the second.
                runtime
                    .block_on(discover)
                    .map_err(|error| crate::mind::named_elsewhere(error.into(), hint))
            })
            .join()
            .map_err(|_| unusable("the thread that asks the server has ended".to_owned()))?
    })
}

#[cfg(feature = "onnx")]
fn onnx(folder: &Path) -> Result<Vectors> {
    let encoder = Arc::new(elenchus_io::embed::OnnxEmbedder::load(folder)?);
    let texts: Arc<dyn TextVectors> = Arc::clone(&encoder) as Arc<dyn TextVectors>;
    Ok(Vectors { texts, embedder: Arc::new(crate::onnx::Onnx(encoder)) })
}

#[cfg(not(feature = "onnx"))]
fn onnx(folder: &Path) -> Result<Vectors> {
    Err(CliError::usage(
        format!("could not load the ONNX embedder in {}", folder.display()),
        "this build of elenchus has no ONNX runtime",
        "build it with `cargo build --release -p elenchus --features onnx`, or use the embedder `builtin`",
    ))
}

/// What turns texts into vectors for an index, by the settings.
pub(crate) fn text_vectors(config: &Config) -> Result<Arc<dyn TextVectors>> {
    Ok(vectors(config.text("embedder").unwrap_or("builtin"), config)?.texts)
}

/// What turns texts into vectors for a run, by the settings.
pub(crate) fn embedder(config: &Config) -> Result<Arc<dyn Embedder>> {
    Ok(vectors(config.text("embedder").unwrap_or("builtin"), config)?.embedder)
}

/// What judges claims, and each claim by the same evidence once.
pub(crate) fn verifier(name: &str, config: &Config) -> Result<Box<dyn Verifier>> {
    Ok(Box::new(RememberingVerifier::new(forgetful(name, config)?)))
}

/// The client of a verifier that asks a language model; none for those that do not.
pub(crate) fn judge_client(name: &str, config: &Config) -> Result<Option<ChatClient>> {
    let Some(model) = name.strip_prefix("llm:") else { return Ok(None) };
    crate::mind::client(model, config)
        .map(Some)
        .map_err(|error| crate::mind::named_elsewhere(error, "use the verifier `builtin`"))
}

fn forgetful(name: &str, config: &Config) -> Result<Box<dyn Verifier>> {
    if let Some(client) = judge_client(name, config)? {
        return Ok(Box::new(LlmVerifier::new(client, crate::mind::book(config)?)));
    }
    match name {
        "builtin" => Ok(Box::new(BuiltinVerifier::default())),
        "quick" => Ok(Box::new(BuiltinVerifier::quick())),
        _ => match name.strip_prefix("onnx:").filter(|named| !named.is_empty()) {
            Some(named) => nli(named),
            None => Err(CliError::usage(
                format!("could not use the verifier {name:?}"),
                "there is no such verifier",
                "write `builtin`, `quick` for the one without the cross-encoder, `onnx:DIR` or `onnx:NAME` for an \
                 entailment model in a folder or a pulled one, or `llm:PROVIDER:NAME` for a language model",
            )),
        },
    }
}

#[cfg(feature = "onnx")]
fn nli(named: &str) -> Result<Box<dyn Verifier>> {
    let folder = crate::commands::models::find(named)?;
    Ok(Box::new(elenchus_io::verify::NliVerifier::load(&folder)?))
}

#[cfg(not(feature = "onnx"))]
fn nli(named: &str) -> Result<Box<dyn Verifier>> {
    Err(CliError::usage(
        format!("could not load the entailment model {named}"),
        "this build of elenchus cannot load models",
        "build it with `cargo build --release -p elenchus --features onnx`, or use the verifier `builtin`",
    ))
}

/// What figures are made with, as the build has it.
pub(crate) fn judging_builtin() -> Judging {
    elenchus_io::verify::judging()
}

/// The same, corrected by what the user said. What of that cannot be read is no reason not to answer.
pub(crate) fn judging(remarks: &[Remark], terminal: &Terminal) -> Judging {
    let mut judging = judging_builtin();
    match Feedback::load(remarks) {
        Ok(feedback) => {
            feedback.correct(&mut judging);
            if feedback.unread > 0 {
                terminal.warn(&format!(
                    "{} of your judgements could not be read and count for nothing",
                    feedback.unread
                ));
            }
        }
        Err(error) => {
            terminal.warn(&format!("figures are given without your judgements: {}", error.cause));
        }
    }
    judging
}

/// What was said of the runs of a store. That it cannot be read is no reason not to answer.
pub(crate) async fn remarks_in(store: &dyn Store, terminal: &Terminal) -> Vec<Remark> {
    store.remarks(None).await.unwrap_or_else(|failure| {
        terminal.warn(&format!("figures are given without what was said of runs: {failure}"));
        Vec::new()
    })
}

/// The same of the store that the settings name; nothing where there is none yet.
pub(crate) async fn remarks(config: &Config, terminal: &Terminal) -> Vec<Remark> {
    let opened = StorePlace::find(None, config)
        .and_then(|place| if place.is_made() { store(&place).map(Some) } else { Ok(None) });
    match opened {
        Ok(Some(store)) => remarks_in(&*store, terminal).await,
        Ok(None) => Vec::new(),
        Err(error) => {
            let cause = &error.cause;
            terminal.warn(&format!("figures are given without what was said of runs: {cause}"));
            Vec::new()
        }
    }
}

/// What judges the statements of runs, with what figures are made of.
pub(crate) fn judge(config: &Config, remarks: &[Remark], terminal: &Terminal) -> Result<Judge> {
    let verifier: Arc<dyn Verifier> =
        Arc::from(verifier(config.text("verifier").unwrap_or("builtin"), config)?);
    let mut judging = judging(remarks, terminal);
    verifier.id().clone_into(&mut judging.verifier);
    judging.asks_model = verifier.asks_model();
    Ok(Judge { verifier, judging })
}

/// What becomes of secrets that stand in documents, by the settings.
pub(crate) fn secrets(config: &Config) -> Secrets {
    match config.get("ingest.keep_secrets") {
        Some((Value::Flag(true), _)) => Secrets::Kept,
        _ => Secrets::LeftOut,
    }
}

/// A folder that a person named, made canonical.
pub(crate) fn folder(named: &Path) -> Result<PathBuf> {
    let attempted = || format!("could not open the corpus {}", named.display());
    let root = named.canonicalize().map_err(|error| {
        CliError::usage(
            attempted(),
            error.to_string(),
            "check the path; it must be a folder of documents",
        )
    })?;
    if !root.is_dir() {
        let parent = named.parent().filter(|parent| !parent.as_os_str().is_empty());
        let shown = parent.map_or_else(|| ".".to_owned(), |parent| parent.display().to_string());
        return Err(CliError::usage(
            attempted(),
            "it is a file and a corpus is a folder",
            format!("name the folder it lies in ({shown}) or put it into one of its own"),
        ));
    }
    std::fs::read_dir(&root).map_err(|error| {
        CliError::usage(attempted(), error.to_string(), "check that the folder may be read")
    })?;
    Ok(root)
}

impl CorpusPlace {
    /// Opens the index. One of our own that is damaged is derived data and is begun anew; a file that the user
    /// named is never removed.
    pub(crate) fn open(&self, terminal: &Terminal) -> Result<OpenCorpus> {
        let made = vectors(&self.embedder, &self.settings)?;
        let open = || {
            let texts = Some(Arc::clone(&made.texts));
            Corpus::with_secrets(self.index.as_deref(), &self.root, texts, self.secrets)
        };
        let corpus = match (open(), &self.index) {
            // What SQLite takes for sound may still hold rows that cannot be.
            (
                Err(CorpusError::Damaged { cause, .. } | CorpusError::Index { cause, .. }),
                Some(index),
            ) if !self.index_named => {
                terminal.warn(&format!(
                    "the index {} was damaged ({cause}); it is built again from the documents",
                    index.display()
                ));
                Corpus::discard(index)?;
                open().map_err(CliError::from)
            }
            (Err(error @ CorpusError::Damaged { .. }), Some(index)) => {
                Err(CliError::from(error).with_hint(format!(
                    "if {} is an index, remove it and ask again: it is built anew from the documents; if it is \
                     something else, name another file with --index",
                    index.display()
                )))
            }
            (Err(error @ CorpusError::Open { .. }), _) => Err(CliError::from(error)
                .or_hint(
                    "name another place with --index; `elenchus ask` and `elenchus search` keep no index with \
                     --ephemeral",
                )),
            (opened, _) => opened.map_err(CliError::from),
        }?;
        let corpus = corpus.with_file_limit(self.max_file_mb << 20);
        Ok(OpenCorpus { corpus, embedder: made.embedder })
    }

    /// Removes the index, so that it is built anew.
    pub(crate) fn discard(&self) -> Result<()> {
        let Some(index) = &self.index else { return Ok(()) };
        if self.index_named && index.exists() && !is_database(index) {
            return Err(CliError::usage(
                format!("could not build the index {} again", index.display()),
                "the file is no database, so it is probably not an index, and it is not removed",
                "remove it yourself if it may go, or name another file with --index",
            ));
        }
        Ok(Corpus::discard(index)?)
    }
}

/// Whether a file begins as SQLite files do, or is empty.
fn is_database(file: &Path) -> bool {
    use std::io::Read;
    let mut head = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(16).read_to_end(&mut head));
    read.is_ok() && (head.is_empty() || head == b"SQLite format 3\0")
}

impl OpenCorpus {
    /// Lets all passages be embedded again where the vectors of the index are another embedder's.
    pub(crate) fn re_embedding(self) -> Self {
        Self { corpus: self.corpus.re_embedding(), embedder: self.embedder }
    }

    /// Brings the index up to the folder, showing how far it is. May be interrupted.
    pub(crate) async fn sync(
        self,
        terminal: &Terminal,
        interrupts: &mut Interrupts,
    ) -> Result<(Self, IngestReport)> {
        let shown = terminal.clone();
        let Self { mut corpus, embedder } = self;
        let work = tokio::task::spawn_blocking(move || {
            let mut reading = progress::Reading::new(shown);
            let report = corpus.sync(&mut |step| reading.step(step));
            (corpus, report)
        });
        let (corpus, report) = tokio::select! {
            done = work => done.map_err(|error| CliError::new(
                Kind::Failure,
                "could not read the documents",
                error.to_string(),
                "this is a defect of elenchus, report it with the file it was reading",
            ))?,
            // What is under way is dropped with the process; whole documents are kept.
            () = interrupts.wait() => return Err(CliError::new(
                Kind::Interrupted,
                "stopped reading the documents",
                "you asked for it; the run had not started",
                "give the same command again: what was written to the index is kept",
            )),
        };
        terminal.clear();
        Ok((Self { corpus, embedder }, report?))
    }

    /// How many files of the folder are not as the index has them. The index stays as it is.
    pub(crate) async fn behind(self) -> Result<(Self, usize)> {
        let Self { corpus, embedder } = self;
        let work = tokio::task::spawn_blocking(move || {
            let behind = corpus.behind();
            (corpus, behind)
        });
        let (corpus, behind) = work.await.map_err(|error| {
            CliError::new(
                Kind::Failure,
                "could not look whether documents have changed",
                error.to_string(),
                "this is a defect of elenchus, report it",
            )
        })?;
        Ok((Self { corpus, embedder }, behind?))
    }

    pub(crate) fn overview(&self) -> CorpusOverview {
        self.corpus.overview()
    }

    /// What searches it, and what its vectors are made with.
    pub(crate) fn parts(self) -> (Arc<dyn Retriever>, Arc<dyn Embedder>) {
        (Arc::new(self.corpus), self.embedder)
    }
}

/// An engine that can replay and nothing else: it has no documents.
pub(crate) fn replaying(store: Arc<dyn Store>) -> Result<Engine> {
    // An index in memory that is never filled: what the journal holds is all that a replay reads.
    let corpus = Corpus::in_memory(Path::new("."), None)?;
    let embedder = Arc::new(BuiltinEmbedder);
    let mind = Mind::new(&Config::default())?;
    let open = OpenCorpus { corpus, embedder };
    let judge =
        Judge { verifier: Arc::new(BuiltinVerifier::default()), judging: judging_builtin() };
    Ok(Ground::documents(open, None).engine(store, Arc::new(SystemClock), judge, &mind))
}

/// Opens the store that keeps runs.
pub(crate) fn store(place: &StorePlace) -> Result<Arc<dyn Store>> {
    let hint = "--store names another file; `elenchus ask` keeps nothing with --ephemeral";
    #[cfg(feature = "postgres")]
    if let Some(url) = place.database() {
        let opened = waited(elenchus_io::store::PgStore::open(url));
        let store = opened.map_err(|failure| CliError::from(failure).or_hint(hint))?;
        return Ok(telemetry::watched(Arc::new(store)));
    }
    let store = store_file(place).map_err(|error| error.or_hint(hint))?;
    Ok(telemetry::watched(Arc::new(store)))
}

/// Opens a store that is a file.
pub(crate) fn store_file(path: &Path) -> Result<SqliteStore> {
    SqliteStore::open(path, &SqliteOptions::default()).map_err(CliError::from)
}

/// Waits where something has to be there before anything else goes on, such as a server that is connected to.
#[cfg(feature = "postgres")]
pub(crate) fn waited<T>(work: impl Future<Output = T>) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work))
}

/// Opens the memos of a store.
pub(crate) fn memos(place: &StorePlace, config: &Config) -> Result<Arc<dyn Memos>> {
    memos_by(config.text("embedder").unwrap_or("builtin"), place, config)
}

/// The same beside a run. What earlier runs found may come from other documents than those of this run: no embedder
/// elsewhere gets it.
pub(crate) fn memos_of_runs(place: &StorePlace, config: &Config) -> Result<Arc<dyn Memos>> {
    let named = config.text("embedder").unwrap_or("builtin");
    memos_by(if is_remote(named) { "builtin" } else { named }, place, config)
}

fn memos_by(embedder: &str, place: &StorePlace, config: &Config) -> Result<Arc<dyn Memos>> {
    let made = vectors(embedder, config)?;
    let failed = |failure| CliError::from(failure).or_hint("--store names another file");
    #[cfg(feature = "postgres")]
    if let Some(url) = place.database() {
        let opening = elenchus_io::memos::PgMemos::open_with(url, made.texts);
        return Ok(Arc::new(waited(opening).map_err(failed)?));
    }
    let opened = SqliteMemos::open_with(place, &SqliteOptions::default(), made.texts);
    Ok(Arc::new(opened.map_err(failed)?))
}

/// The system's clock, with the first reading told beforehand: a run's id derives from it, and what belongs to
/// the run is noted before the run starts.
pub(crate) struct StartClock {
    start: Timestamp,
    told: AtomicBool,
}

impl StartClock {
    pub(crate) fn new() -> Self {
        Self { start: SystemClock.now(), told: AtomicBool::new(false) }
    }

    /// One that begins at a time that somebody looked at before.
    pub(crate) fn at(start: Timestamp) -> Self {
        Self { start, told: AtomicBool::new(false) }
    }

    pub(crate) fn start(&self) -> Timestamp {
        self.start
    }
}

impl Clock for StartClock {
    fn now(&self) -> Timestamp {
        if self.told.swap(true, Ordering::SeqCst) { SystemClock.now() } else { self.start }
    }
}
