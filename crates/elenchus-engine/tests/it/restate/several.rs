//! Several workers behind one address, and what a run costs in time.

use super::server::{Restate, binary, free_ports};
use super::worker::{
    Living, Plan, assert_golden, in_process, open, outcome, performed_by, submission, submit,
};
use crate::support::{QUESTION, engine, harbour, options, settings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

/// One address in front of several workers: a connection goes to the next one that answers.
async fn balancer(ports: Vec<u16>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let turn = Arc::new(AtomicUsize::new(0));
    tokio::spawn(async move {
        while let Ok((mut inward, _)) = listener.accept().await {
            let (turn, ports) = (Arc::clone(&turn), ports.clone());
            tokio::spawn(async move {
                for _ in 0..ports.len() {
                    let next = ports[turn.fetch_add(1, Ordering::SeqCst) % ports.len()];
                    if let Ok(mut outward) = TcpStream::connect(("127.0.0.1", next)).await {
                        let _ = copy_bidirectional(&mut inward, &mut outward).await;
                        return;
                    }
                }
            });
        }
    });
    port
}

/// So many workers over one store, registered under one address.
async fn crew(restate: &Restate, plan: &Plan, count: usize) -> Vec<Living> {
    let mut workers = Vec::new();
    let mut ports = Vec::new();
    for _ in 0..count {
        let [port] = free_ports();
        ports.push(port);
        workers.push(Plan { port, ..plan.clone() }.spawn(None));
    }
    for port in &ports {
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", *port)).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "a worker does not listen");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    restate.register(balancer(ports).await).await;
    workers
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_workers_may_go_for_good() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let plan = Plan { store: folder.path().join("runs.db"), port: 0, pace: 40, abreast: 4 };
    let store = open(&plan.store);
    let mut workers = crew(&restate, &plan, 2).await;
    let runs: Vec<_> = (1..=6).map(|seed| submission(seed, &format!("pair-{seed}"))).collect();
    for run in &runs {
        submit(&restate, run).await;
    }
    tokio::time::sleep(Duration::from_millis(400)).await;
    workers.remove(0).kill();
    for (seed, run) in (1..).zip(&runs) {
        let ended = outcome(&restate, &run.run_id, Duration::from_mins(2)).await;
        assert!(matches!(ended, Some((200, _))), "run {seed}: {ended:?} {}", restate.log());
        assert_golden(&store, run, &in_process(seed).await, &format!("run {seed}")).await;
    }
    let who: BTreeSet<String> =
        (1..=6).flat_map(|seed| performed_by(folder.path(), &format!("pair-{seed}"))).collect();
    println!("{} of 2 workers performed effects before one of them was killed", who.len());
    drop(workers);
}

/// `cargo nextest run -p elenchus-engine --features restate --run-ignored only -E 'test(runs_a_minute)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn runs_a_minute() {
    let Some(binary) = binary() else { return };
    const RUNS: u64 = 120;
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("local.db"));
    let begun = Instant::now();
    let world = Arc::new(harbour());
    let mut running = tokio::task::JoinSet::new();
    for seed in 0..RUNS {
        let (world, store) = (Arc::clone(&world), Arc::clone(&store));
        running.spawn(async move {
            let engine = engine(&world, &store, settings(8));
            engine.start(QUESTION, options(), seed).await.unwrap().join().await.unwrap();
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
    let rate = |time: Duration| RUNS as f64 * 60.0 / time.as_secs_f64();
    println!("in-process driver: {:.0} runs a minute", rate(begun.elapsed()));
    for count in [1, 2, 4] {
        let restate = Restate::start(&binary).await;
        let store = folder.path().join(format!("crew-{count}.db"));
        let plan = Plan { store, port: 0, pace: 0, abreast: 8 };
        let _kept = open(&plan.store);
        let _workers = crew(&restate, &plan, count).await;
        let runs: Vec<_> =
            (0..RUNS).map(|seed| submission(seed, &format!("crew-{count}"))).collect();
        let begun = Instant::now();
        for run in &runs {
            submit(&restate, run).await;
        }
        for run in &runs {
            let ended = outcome(&restate, &run.run_id, Duration::from_mins(5)).await;
            assert!(matches!(ended, Some((200, _))), "{ended:?} {}", restate.log());
        }
        let time = begun.elapsed();
        let who = performed_by(folder.path(), &format!("crew-{count}")).len();
        println!("{count} workers ({who} of them busy): {:.0} runs a minute", rate(time));
    }
}
