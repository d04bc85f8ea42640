//! How many finished runs a minute are distilled: out of the queue, read by rule or by a model that replies at once, compared with
//! what the project holds, and into the bank. Beside it the same sessions as plain rows of SQLite, a transaction each, in the sync
//! mode of the bank.

use elenchus_core::bank::{BankSettings, Caller, Outcome, SessionFacts};
use elenchus_core::id::short_hash;
use elenchus_core::inquiry::Options;
use elenchus_core::port::{
    Answered, Bank, Clock, Model, ModelFailure, ModelRole, PortFuture, Queued, Usage,
};
use elenchus_core::prompt::{Distilled, ModelCall, ModelReply, ProposedStrategy};
use elenchus_engine::{Distiller, Engine, Ports, Settings};
use elenchus_io::bank::SqliteBank;
use elenchus_io::clock::SystemClock;
use elenchus_io::embed::BuiltinEmbedder;
use elenchus_io::model::ExtractiveModel;
use elenchus_io::retrieve::builtin_vectors;
use elenchus_io::store::{MemoryStore, SqliteOptions};
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct DistilSpeedArgs {
    /// Sessions in the queue.
    #[arg(long, default_value_t = 2_000)]
    sessions: usize,
    /// The folder that the run which they are copies of is asked about.
    #[arg(long, default_value = "examples/harbor")]
    corpus: PathBuf,
    /// What it is asked. What is not answered leaves most to learn.
    #[arg(long, default_value = "Who insured the Skerry Tidal Array, and for how much?")]
    question: String,
}

pub(crate) async fn run(args: &DistilSpeedArgs) -> Result<ExitCode, String> {
    let facts = facts(&args.corpus, &args.question).await?;
    let sessions = (0..args.sessions).map(|n| session(&facts, n)).collect::<Result<Vec<_>, _>>()?;
    let bytes: usize = sessions.iter().map(|session| session.trace.len()).sum();
    println!("{} sessions of {} bytes", sessions.len(), bytes / sessions.len().max(1));
    let scratch =
        tempfile::tempdir().map_err(|e| format!("could not make a scratch folder: {e}"))?;
    let baseline = plain(&scratch.path().join("plain.db"), &sessions)?;
    show("plain rows in SQLite, a transaction each", sessions.len(), baseline, "");
    let instant: Arc<dyn Model> = Arc::new(Instantly::default());
    for (name, model) in [("by rule", None), ("by a model that replies at once", Some(instant))] {
        let path = scratch.path().join(format!("{}.db", name.replace(' ', "-")));
        let (took, left) = distilled(&path, &sessions, model).await?;
        let times = took.as_secs_f64() / baseline.as_secs_f64().max(f64::EPSILON);
        let note = format!("; {left} strategies left; {times:.1} times the plain rows");
        show(&format!("distilled {name}"), sessions.len(), took, &note);
    }
    Ok(ExitCode::SUCCESS)
}

fn show(name: &str, sessions: usize, took: Duration, note: &str) {
    println!("{name}: {:.0} a minute{note}", sessions as f64 * 60.0 / took.as_secs_f64());
}

/// What a real run says of itself.
async fn facts(corpus: &Path, question: &str) -> Result<SessionFacts, String> {
    let ports = Ports {
        memory: None,
        elsewhere: Vec::new(),
        model: Arc::new(ExtractiveModel::new()),
        retriever: Arc::new(crate::reasoning::in_memory(corpus)?),
        embedder: Arc::new(BuiltinEmbedder),
        judge: None,
        store: Arc::new(MemoryStore::new()),
        clock: Arc::new(SystemClock),
    };
    let options = Options { autonomous: true, ..Options::default() };
    let handle = Engine::new(ports, Settings::default())
        .start(question, options, 0)
        .await
        .map_err(|error| error.to_string())?;
    let finished = handle.join().await.map_err(|error| error.to_string())?;
    SessionFacts::of(finished.run.view()).ok_or_else(|| {
        format!("could not make a session of {question:?}: the run did not end well")
    })
}

/// The same run under another number, with another question.
fn session(facts: &SessionFacts, n: usize) -> Result<Queued, String> {
    let mut facts = facts.clone();
    facts.session_id = format!("run_{n}");
    facts.question = format!("{} (case {n})", facts.question);
    for gap in &mut facts.gaps {
        gap.description = format!("{} (case {n})", gap.description);
    }
    let trace = serde_json::to_string(&facts).map_err(|error| error.to_string())?;
    Ok(Queued {
        id: 0,
        caller: Caller::local("bench"),
        session_id: facts.session_id,
        outcome: facts.outcome,
        trace,
        from_web: facts.from_web,
        shown: Vec::new(),
        attempts: 0,
    })
}

/// The sessions into a table of their own.
fn plain(path: &Path, sessions: &[Queued]) -> Result<Duration, String> {
    let failed = |error: rusqlite::Error| format!("could not write the plain rows: {error}");
    let db = Connection::open(path).map_err(failed)?;
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE t (id TEXT PRIMARY KEY, trace TEXT);",
    )
    .map_err(failed)?;
    let began = Instant::now();
    for session in sessions {
        db.prepare_cached("INSERT INTO t (id, trace) VALUES (?1, ?2)")
            .and_then(|mut insert| insert.execute((&session.session_id, &session.trace)))
            .map_err(failed)?;
    }
    Ok(began.elapsed())
}

/// Queues the sessions, which is not counted, and works the queue until it is empty; gives the strategies that are left.
async fn distilled(
    path: &Path,
    sessions: &[Queued],
    model: Option<Arc<dyn Model>>,
) -> Result<(Duration, usize), String> {
    let settings = BankSettings::default();
    let vectors = Some(builtin_vectors());
    let bank: Arc<dyn Bank> = Arc::new(
        SqliteBank::open(path, &SqliteOptions::default(), settings.clone(), vectors)
            .map_err(|error| error.to_string())?,
    );
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    for session in sessions {
        bank.queue(&session.caller, session, clock.now())
            .await
            .map_err(|error| error.to_string())?;
    }
    let distiller = Distiller::new(bank, model, clock, settings);
    let began = Instant::now();
    let done = distiller.work().await.map_err(|error| error.to_string())?;
    let took = began.elapsed();
    let failed = done.iter().find_map(|one| one.failed.as_ref());
    if let Some(cause) = failed {
        return Err(format!("could not distil a session: {cause}"));
    }
    if done.len() != sessions.len() {
        return Err(format!(
            "could not distil all sessions: {} of {} came out of the queue",
            done.len(),
            sessions.len()
        ));
    }
    Ok((took, done.iter().map(|one| one.strategies.len()).sum()))
}

/// A model that replies with one strategy, another one each time, as soon as it is asked.
#[derive(Default)]
struct Instantly {
    asked: AtomicUsize,
}

impl Model for Instantly {
    fn name(&self) -> &'static str {
        "instant"
    }

    fn call<'a>(
        &'a self,
        _: ModelRole,
        _: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        let n = self.asked.fetch_add(1, Ordering::Relaxed);
        let strategy = ProposedStrategy {
            title: format!("Case {n}: {}", words(n, 0, 3)),
            description: words(n, 3, 12),
            content: words(n, 15, 70),
            tags: vec!["register".to_owned()],
            outcome: Outcome::Success,
        };
        let reply = ModelReply::Distill(Distilled { strategies: vec![strategy] });
        Box::pin(async move { Ok(Answered::plainly(reply, Usage::default())) })
    }
}

/// Words that no other number has: what is nearly the same as a strategy of the project would not be kept.
fn words(n: usize, from: usize, count: usize) -> String {
    let word = |at: usize| format!("w{}", short_hash(format!("{n}.{at}").as_bytes(), 6));
    (from..from + count).map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn every_session_of_a_small_queue_is_distilled() {
        let args = DistilSpeedArgs {
            sessions: 12,
            corpus: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/harbor"),
            question: "Who insured the Skerry Tidal Array?".to_owned(),
        };
        assert!(run(&args).await.is_ok());
    }
}
