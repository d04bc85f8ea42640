//! Real processes over a real SQLite file: aborted at every step, killed at random, resumed by another.

use crate::support::{Gate, QUESTION, engine, golden, harbour, left, options, settings};
use elenchus_core::id::RunId;
use elenchus_core::port::Store;
use elenchus_core::testkit::block_on;
use elenchus_engine::{CrashPlan, FailPoint, Finished, Settings};
use elenchus_io::store::{SqliteOptions, SqliteStore};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// Says where a child keeps its run; its presence makes this process a child.
const STORE: &str = "ELENCHUS_TEST_STORE";
/// Milliseconds that each effect of a child takes.
const PACE: &str = "ELENCHUS_TEST_PACE";
/// How often a child is killed at random; the nightly campaign sets more.
const KILLS: &str = "ELENCHUS_TEST_KILLS";

fn open(path: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(path, &SqliteOptions::default()).unwrap())
}

/// Where what is performed for a run is written down, by whichever process performs it.
fn log_of(store: &Path) -> PathBuf {
    store.with_extension("log")
}

/// How many effects were performed more than once, counted by repetition.
fn repetitions(store: &Path) -> usize {
    let text = std::fs::read_to_string(log_of(store)).unwrap();
    let distinct: BTreeSet<&str> = text.lines().collect();
    text.lines().count() - distinct.len()
}

/// Goes on in this process, with the same log.
async fn resumed(store: &Arc<dyn Store>, path: &Path, run_id: &RunId) -> Finished {
    let world = Arc::new(Gate::logged(harbour(), Duration::ZERO, &log_of(path)));
    let resumed = engine(&world, store, own(CrashPlan::never())).resume(run_id).await;
    resumed.unwrap_or_else(|error| panic!("{}: {error}", path.display())).join().await.unwrap()
}

/// A process's own settings: its lease says who it is.
fn own(crash: CrashPlan) -> Settings {
    let mut settings = settings(1);
    settings.holder = None;
    settings.crash = crash;
    settings
}

/// Does nothing in an ordinary test run. In a child it starts or resumes the run, and is shot at.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    let Ok(path) = std::env::var(STORE) else { return };
    let pace = std::env::var(PACE).ok().and_then(|pace| pace.parse().ok()).unwrap_or(0);
    let store = open(Path::new(&path));
    let world =
        Arc::new(Gate::logged(harbour(), Duration::from_millis(pace), &log_of(Path::new(&path))));
    let engine = engine(&world, &store, own(CrashPlan::from_env()));
    let begun = store.runs().await.unwrap();
    let handle = match begun.first() {
        Some(run) => engine.resume(&run.run_id).await.unwrap(),
        None => engine.start(QUESTION, options(), 7).await.unwrap(),
    };
    handle.join().await.unwrap();
}

fn spawn(path: &Path, crash: Option<String>, pace: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["process::child", "--exact", "--quiet"])
        .env(STORE, path)
        .env(PACE, pace.to_string())
        .env_remove("ELENCHUS_CRASH_AT")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(crash) = crash {
        command.env("ELENCHUS_CRASH_AT", crash);
    }
    command.spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_aborted_at_every_step_is_resumed_to_the_same_bytes() {
    let golden = golden(1).await;
    let folder = tempfile::tempdir().unwrap();
    let mut aborts = 0;
    for site in FailPoint::ALL {
        for n in 1.. {
            let at = format!("{}:{n}", site.name());
            let path = folder.path().join(format!("{}-{n}.db", site.name()));
            if spawn(&path, Some(at.clone()), 0).wait().unwrap().success() {
                break;
            }
            aborts += 1;
            let store = open(&path);
            // The dead process's lease is not waited for.
            let finished = resumed(&store, &path, &golden.run_id).await;
            assert_eq!(left(&store, &golden.run_id, &finished.answer), golden.left, "{at}");
            assert!(block_on(store.runs()).unwrap()[0].status == "finished");
            // What was journaled is not performed again; what was not, may be, once.
            assert_eq!(repetitions(&path), usize::from(site == FailPoint::AfterEffect), "{at}");
        }
    }
    println!("{aborts} processes aborted, each run resumed to the same bytes");
    assert!(aborts > 40, "{aborts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_killed_at_random_lose_and_double_nothing() {
    let golden = golden(1).await;
    let kills: u64 = std::env::var(KILLS).ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let folder = tempfile::tempdir().unwrap();
    let (mut done, mut at, mut run, mut again) = (0, 0x9E37_79B9_7F4A_7C15u64, 0, 0);
    while done < kills {
        run += 1;
        let path = folder.path().join(format!("{run}.db"));
        // Killed again and again on one run, until a child reaches the end.
        let before = done;
        loop {
            at ^= at << 13;
            at ^= at >> 7;
            at ^= at << 17;
            let mut child = spawn(&path, None, 3);
            // Where a process takes longer to start than it is left, none would ever get further.
            let left = 90 + 15 * (done - before);
            std::thread::sleep(Duration::from_millis(5 + at % left));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            // SIGKILL on Unix: no handler, no last words.
            child.kill().unwrap();
            child.wait().unwrap();
            done += 1;
        }
        let store = open(&path);
        let finished = resumed(&store, &path, &golden.run_id).await;
        assert_eq!(left(&store, &golden.run_id, &finished.answer), golden.left, "run {run}");
        // One effect at a time is in flight: a kill costs one at most.
        assert!(repetitions(&path) as u64 <= done - before, "run {run}");
        again += repetitions(&path);
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }
    println!(
        "{done} processes killed over {run} runs, each ending with the same bytes; {again} effects in flight were performed again"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_is_told_who_drives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let mut child = spawn(&path, None, 400);
    let store = open(&path);
    let mut run = None;
    for _ in 0..200 {
        std::thread::sleep(Duration::from_millis(10));
        run = store.runs().await.unwrap().pop();
        if run.is_some() {
            break;
        }
    }
    let run_id = run.expect("the child starts a run").run_id;
    let error = engine(&Arc::new(harbour()), &store, own(CrashPlan::never()))
        .resume(&run_id)
        .await
        .err()
        .unwrap();
    let text = error.to_string();
    assert!(
        text.contains("is driving it until") && text.contains(&format!("/{}/", child.id())),
        "{text}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    // Dead and buried: now it can be had at once.
    let handle = engine(&Arc::new(harbour()), &store, own(CrashPlan::never()))
        .resume(&run_id)
        .await
        .unwrap();
    handle.join().await.unwrap();
}
