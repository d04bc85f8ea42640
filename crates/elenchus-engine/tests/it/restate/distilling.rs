//! Distilling beside runs: how many slots read at once, and what becomes of a session whose worker dies.

use super::server::{Restate, binary, free_ports};
use super::worker::{
    ASKED_AT, Plan, log_of, most_at_once, open, outcome, performed, submission, submit,
};
use elenchus_core::bank::{BankSettings, Caller};
use elenchus_core::id::Timestamp;
use elenchus_core::port::{
    Answered, Bank, Clock, Model, ModelFailure, ModelRole, PortFuture, Usage,
};
use elenchus_core::prompt::{Distilled, ModelCall, ModelReply};
use elenchus_engine::{Distiller, Remembering};
use elenchus_io::bank::SqliteBank;
use elenchus_io::store::SqliteOptions;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Under this name readings are written down, as effects are under that of their ground.
const READINGS: &str = "distil";
/// How long one takes.
const READING: Duration = Duration::from_millis(300);

fn caller() -> Caller {
    Caller::local("here")
}

/// Each call of a slot reads one session at a time.
fn settings() -> BankSettings {
    BankSettings { queue_batch_size: 1, worker_count: 1, ..BankSettings::default() }
}

fn bank(folder: &Path) -> Arc<dyn Bank> {
    let path = folder.join("bank.db");
    Arc::new(SqliteBank::open(&path, &SqliteOptions::default(), settings(), None).unwrap())
}

/// The memory of runs whose sessions are to be distilled.
pub(super) fn remembering(folder: &Path) -> Remembering {
    Remembering { bank: bank(folder), memos: None, caller: caller(), min_confidence: 0.5, limit: 3 }
}

pub(super) fn distiller(folder: &Path, clock: Arc<dyn Clock>) -> Distiller {
    let reader: Arc<dyn Model> = Arc::new(Reader { folder: folder.to_owned() });
    Distiller::new(bank(folder), Some(reader), clock, settings())
}

/// Takes its time and finds nothing to be learned.
struct Reader {
    folder: PathBuf,
}

impl Reader {
    fn note(file: &Path, line: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(file).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}

impl Model for Reader {
    fn name(&self) -> &'static str {
        "reader"
    }

    fn call<'a>(
        &'a self,
        _: ModelRole,
        _: &'a ModelCall,
    ) -> PortFuture<'a, Result<Answered, ModelFailure>> {
        Box::pin(async move {
            let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
            Self::note(&log_of(&self.folder, READINGS), "begun\n");
            let from = now();
            tokio::time::sleep(READING).await;
            let line = format!("{from} {} {}\n", now(), std::process::id());
            Self::note(&self.folder.join(format!("{READINGS}.times")), &line);
            Ok(Answered {
                reply: ModelReply::Distill(Distilled::default()),
                usage: Usage::default(),
                repairs: Vec::new(),
                model: None,
            })
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes its time; the night does it"]
async fn two_slots_read_two_sessions_at_once_and_a_death_loses_none() {
    const RUNS: u64 = 8;
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 0, abreast: 4 };
    let _kept = open(&plan.store);
    let worker = plan.spawn(None);
    restate.register(port).await;
    let runs: Vec<_> = (1..=RUNS).map(|seed| submission(seed, "taught")).collect();
    for run in &runs {
        submit(&restate, run).await;
    }
    // In the middle of a reading.
    performed(folder.path(), READINGS, 3).await;
    worker.kill();
    let _next = plan.spawn(None);
    for run in &runs {
        let ended = outcome(&restate, &run.run_id, Duration::from_mins(2)).await;
        assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
    }
    let bank = bank(folder.path());
    let stats = async || bank.stats(&caller(), ASKED_AT).await.unwrap().queue;
    let until = Instant::now() + Duration::from_mins(1);
    while stats().await[0] > 0 {
        assert!(Instant::now() < until, "nobody reads what waits: {}", restate.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // What is being read now is read soon.
    tokio::time::sleep(3 * READING).await;
    let [waiting, held, given_up] = stats().await;
    assert_eq!((waiting, given_up), (0, 0));
    assert!(held <= 2, "{held} sessions are held by the worker that died");
    let at_once = most_at_once(folder.path(), READINGS);
    assert!((1..=2).contains(&at_once), "{at_once} at once");
    // Those are there for others once the time of the dead one is over.
    let later = Timestamp(ASKED_AT.0 + 3_600_000);
    let left = bank.take(None, 9, "another", 1_000, later).await.unwrap();
    assert_eq!(left.len() as u64, held);
    let times = folder.path().join(format!("{READINGS}.times"));
    let read = std::fs::read_to_string(times).unwrap().lines().count() as u64;
    assert!(read + held >= RUNS, "{read} read, {held} held, of {RUNS}");
}
