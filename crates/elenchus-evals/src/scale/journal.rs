//! Appends to journals: one after the other, and of several runs at once.

use super::{Server, quantile};
use elenchus_core::id::{EffectId, RunId, Timestamp};
use elenchus_core::inquiry::{Input, Opened, Options, Recollection};
use elenchus_core::journal::{Entry, FORMAT, GENESIS, Intent, JournalRecord};
use elenchus_core::port::{CorpusOverview, Lease, Store};
use elenchus_core::trace::{Envelope, SCHEMA, TraceEvent};
use elenchus_io::store::{PgStore, SqliteOptions, SqliteStore};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs that are written at once.
const ABREAST: usize = 8;
/// Longer than any measurement.
const LEASE_MS: i64 = 86_400_000;
/// Syncs of a plain file.
const SYNCS: usize = 300;

pub(super) async fn measure(appends: usize, servers: &[Server]) -> Result<(), String> {
    println!("\nappends to journals, an intent and an event each, {appends} of them");
    println!("{:<58} {:>9} {:>9} {:>9} {:>14}", "", "a second", "p50 ms", "p99 ms", "8 runs, /s");
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut syncs = Vec::new();
    let mut file = std::fs::File::create(folder.path().join("plain")).map_err(|e| e.to_string())?;
    for _ in 0..SYNCS {
        let begun = Instant::now();
        file.write_all(&[7; 8192]).and_then(|()| file.sync_data()).map_err(|e| e.to_string())?;
        syncs.push(begun.elapsed());
    }
    let whole: Duration = syncs.iter().sum();
    row("a plain file of 8 kB, synced", SYNCS, whole, &mut syncs, None);
    let sqlite = SqliteStore::open(&folder.path().join("runs.db"), &SqliteOptions::default())
        .map_err(|error| error.to_string())?;
    of("SQLite file, every commit synced", Arc::new(sqlite), appends).await?;
    for server in servers {
        let store = PgStore::open(&server.empty().await?).await.map_err(|e| e.to_string())?;
        of(&server.name, Arc::new(store), appends).await?;
    }
    Ok(())
}

async fn of(name: &str, store: Arc<dyn Store>, appends: usize) -> Result<(), String> {
    let mut journal = Journal::begin(Arc::clone(&store), "run_alone").await?;
    let mut times = Vec::with_capacity(appends);
    let begun = Instant::now();
    for _ in 0..appends {
        let one = Instant::now();
        journal.append().await?;
        times.push(one.elapsed());
    }
    let whole = begun.elapsed();
    let mut crew = tokio::task::JoinSet::new();
    let begun = Instant::now();
    for n in 0..ABREAST {
        let store = Arc::clone(&store);
        crew.spawn(async move {
            let mut journal = Journal::begin(store, &format!("run_{n}")).await?;
            for _ in 0..appends / ABREAST {
                journal.append().await?;
            }
            Ok::<(), String>(())
        });
    }
    while let Some(done) = crew.join_next().await {
        done.map_err(|error| error.to_string())??;
    }
    let abreast = (appends / ABREAST * ABREAST) as f64 / begun.elapsed().as_secs_f64();
    row(name, appends, whole, &mut times, Some(abreast));
    Ok(())
}

fn row(name: &str, n: usize, whole: Duration, times: &mut [Duration], abreast: Option<f64>) {
    let abreast = abreast.map_or_else(|| "-".to_owned(), |rate| format!("{rate:.0}"));
    println!(
        "{name:<58} {:>9.0} {:>9.3} {:>9.3} {abreast:>14}",
        n as f64 / whole.as_secs_f64(),
        quantile(times, 0.5),
        quantile(times, 0.99),
    );
}

/// A journal that grows by an intent and an event at a time.
struct Journal {
    store: Arc<dyn Store>,
    lease: Lease,
    seq: u64,
    hash: String,
}

impl Journal {
    async fn begin(store: Arc<dyn Store>, run: &str) -> Result<Self, String> {
        let run_id = RunId::from(run);
        let question = "How long does an append take?";
        let opened = Opened {
            run_id: run_id.clone(),
            question: question.to_owned(),
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
        let lease = store
            .create(&run_id, question, &first, &[], "bench", LEASE_MS)
            .await
            .map_err(|error| error.to_string())?;
        Ok(Self { store, lease, seq: 1, hash: first.hash })
    }

    async fn append(&mut self) -> Result<(), String> {
        self.seq += 1;
        let (run_id, at) = (&self.lease.run_id, Timestamp(1));
        let effect = EffectId(u32::try_from(self.seq).unwrap_or(u32::MAX));
        let entry = Entry::Intent(vec![Intent::new(run_id, effect)]);
        let record = JournalRecord { v: FORMAT, seq: self.seq, at, entry }.seal(&self.hash);
        let event = TraceEvent::PlanningStarted { question: "How long?".to_owned() };
        let told =
            Envelope { schema: SCHEMA, run_id: run_id.clone(), seq: self.seq - 1, at, event };
        let done = self.store.append(&self.lease, &record, &[told]).await;
        done.map_err(|error| error.to_string())?;
        self.hash = record.hash;
        Ok(())
    }
}
