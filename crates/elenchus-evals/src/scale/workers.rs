//! Runs that were left in their middles, taken up and finished by workers with a model that answers at once.

use super::Server;
use elenchus_core::id::Timestamp;
use elenchus_core::inquiry::Options;
use elenchus_core::port::{Clock, Lease};
use elenchus_core::testkit::World;
use elenchus_engine::{Engine, Ports, Settings};
use elenchus_io::clock::SystemClock;
use elenchus_io::store::PgStore;
use std::sync::Arc;
use std::time::Instant;

const QUESTION: &str = "Who keeps the harbour light?";
/// Runs that a worker drives at once.
const AT_ONCE: usize = 4;

pub(super) async fn measure(runs: usize, servers: &[Server]) -> Result<(), String> {
    println!(
        "\n{runs} abandoned runs with an instant model, taken up {AT_ONCE} at once by each worker"
    );
    for server in servers {
        for workers in [1, 2, 4] {
            let url = server.empty().await?;
            let store = PgStore::open(&url).await.map_err(said)?;
            for seed in 0..runs {
                left(&store, seed as u64).await?;
            }
            let begun = Instant::now();
            let mut crew = tokio::task::JoinSet::new();
            for n in 0..workers {
                // Each with connections of its own, as a process has.
                let store = PgStore::open(&url).await.map_err(said)?;
                crew.spawn(work(store, format!("worker {n}")));
            }
            let mut done = 0;
            while let Some(finished) = crew.join_next().await {
                done += finished.map_err(said)??;
            }
            let rate = done as f64 * 60.0 / begun.elapsed().as_secs_f64();
            if done != runs {
                return Err(format!("{done} of {runs} runs were finished"));
            }
            println!("{:<58} {workers} workers: {rate:>7.0} runs a minute", server.name);
        }
    }
    Ok(())
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn world() -> Arc<World> {
    Arc::new(World::new("harbour").document(
        "light.md",
        "# The light\n\nThe harbour light is kept by Maren Holt. It was lit in 1884.",
    ))
}

fn engine(store: &PgStore, holder: &str) -> Engine {
    let world = world();
    let ports = Ports {
        memory: None,
        elsewhere: Vec::new(),
        model: Arc::clone(&world) as _,
        retriever: Arc::clone(&world) as _,
        embedder: world as _,
        judge: None,
        store: Arc::new(store.clone()),
        clock: Arc::new(SystemClock),
    };
    Engine::new(ports, Settings::default()).holding_as(holder)
}

/// Begins a run and leaves it to whoever comes.
async fn left(store: &PgStore, seed: u64) -> Result<(), String> {
    let options = Options { autonomous: true, ..Options::default() };
    let handle = engine(store, "asks").start(QUESTION, options, seed).await.map_err(said)?;
    let run_id = handle.run_id().clone();
    handle.controller().suspend();
    // Told to stop, or over already.
    let _ = handle.join().await;
    let lease = Lease { run_id, holder: "asks".to_owned(), token: 1, expires_at: Timestamp(0) };
    store.leave(&lease).await.map_err(said)
}

/// Goes on with runs until there are none; gives how many.
async fn work(store: PgStore, name: String) -> Result<usize, String> {
    let (mut done, mut under_way) = (0, tokio::task::JoinSet::new());
    loop {
        let free = AT_ONCE - under_way.len();
        let lease_ms = Settings::default().lease_ms();
        let leases = match free {
            0 => Vec::new(),
            free => {
                store.claim(&name, &name, SystemClock.now(), lease_ms, free).await.map_err(said)?
            }
        };
        for lease in leases {
            let engine = engine(&store, &name);
            under_way.spawn(async move { engine.resume(&lease.run_id).await?.join().await });
        }
        match under_way.join_next().await {
            Some(finished) => {
                finished.map_err(said)?.map_err(said)?;
                done += 1;
            }
            None => return Ok(done),
        }
    }
}
