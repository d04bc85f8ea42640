//! Kills: at every step by an abort, at any moment by SIGKILL, of workers and of the server.

use super::server::{Restate, binary, free_ports};
use super::worker::{
    Plan, assert_golden, in_process, open, outcome, repetitions, submission, submit,
};
use elenchus_engine::FailPoint;
use std::path::Path;
use std::time::Duration;

/// How often a worker is killed at random; the nightly campaign sets more.
const KILLS: &str = "ELENCHUS_TEST_KILLS";
const PATIENCE: Duration = Duration::from_secs(90);

/// Runs with a worker that is aborted at one place each, and a second one that goes on. Gives how many were aborted.
async fn aborted(
    restate: &Restate,
    folder: &Path,
    abreast: u64,
    places: &[(FailPoint, u32)],
) -> u32 {
    let [port] = free_ports();
    let plan = Plan { store: folder.join("runs.db"), port, pace: 0, abreast };
    let store = open(&plan.store);
    let mut aborts = 0;
    // The server has to find somebody there.
    let worker = plan.spawn(None);
    restate.register(port).await;
    worker.kill();
    for (site, n) in places {
        let at = format!("{}:{n}", site.name());
        let name = format!("{}-{n}-{abreast}", site.name());
        let run = submission(1_000 * abreast + u64::from(*n) * 10 + *site as u64, &name);
        let golden = in_process(1_000 * abreast + u64::from(*n) * 10 + *site as u64).await;
        let mut doomed = plan.spawn(Some(&at));
        submit(restate, &run).await;
        let mut ended = None;
        while !doomed.is_dead() && ended.is_none() {
            ended = outcome(restate, &run.run_id, Duration::from_millis(50)).await;
        }
        let died = doomed.is_dead();
        doomed.kill();
        let next = plan.spawn(None);
        let ended = outcome(restate, &run.run_id, PATIENCE).await;
        assert!(matches!(ended, Some((200, _))), "{at}: {ended:?} {}", restate.log());
        next.kill();
        assert_golden(&store, &run, &golden, &at).await;
        if died {
            aborts += 1;
            // What was recorded is not performed again; what was in flight may be, once each.
            let again = repetitions(folder, &name);
            if abreast == 1 {
                assert_eq!(again, usize::from(*site == FailPoint::AfterEffect), "{at}");
            } else {
                let most = usize::try_from(abreast).unwrap();
                assert!(again <= most, "{at}: {again}");
            }
        }
    }
    aborts
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_aborted_at_a_step_are_replaced_and_the_bytes_stay() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let places: Vec<(FailPoint, u32)> = FailPoint::ALL
        .into_iter()
        .flat_map(|site| [(site, 1), (site, 3), (site, 6)])
        .filter(|(site, n)| *site != FailPoint::BeforeRelease || *n == 1)
        .collect();
    let aborts = aborted(&restate, folder.path(), 1, &places).await;
    println!("{aborts} workers aborted, each run ended with the same bytes");
    assert!(aborts >= 12, "{aborts}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the nightly campaign: minutes"]
async fn workers_aborted_at_every_step() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let folder = tempfile::tempdir().unwrap();
    let mut aborts = 0;
    for abreast in [1, 2, 8, 3, 4] {
        for site in FailPoint::ALL {
            for n in 1.. {
                if aborted(&restate, folder.path(), abreast, &[(site, n)]).await == 0 {
                    break;
                }
                aborts += 1;
            }
        }
        println!("{aborts} workers aborted up to {abreast} effects at once");
    }
    assert!(aborts >= 200, "{aborts}");
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_killed_at_random_lose_nothing() {
    let Some(binary) = binary() else { return };
    let restate = Restate::start(&binary).await;
    let kills: u64 = std::env::var(KILLS).ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let folder = tempfile::tempdir().unwrap();
    let [port] = free_ports();
    let plan = Plan { store: folder.path().join("runs.db"), port, pace: 25, abreast: 4 };
    let store = open(&plan.store);
    let worker = plan.spawn(None);
    restate.register(port).await;
    worker.kill();
    let (mut done, mut at, mut seed, mut again) = (0, 0x9E37_79B9_7F4A_7C15u64, 0, 0);
    while done < kills {
        seed += 1;
        let name = format!("random-{seed}");
        let run = submission(seed, &name);
        submit(&restate, &run).await;
        let before = done;
        loop {
            at ^= at << 13;
            at ^= at >> 7;
            at ^= at << 17;
            let worker = plan.spawn(None);
            // A life begins where the server can reach the worker, and every further one of a run is longer: on a
            // loaded machine a run would else go on for ever, since what is in flight is performed again.
            plan.listens().await;
            let life = Duration::from_millis(60 + at % 240 + 15 * (done - before));
            let ended = outcome(&restate, &run.run_id, life).await;
            worker.kill();
            if let Some((status, body)) = ended {
                assert_eq!(status, 200, "{body}");
                break;
            }
            done += 1;
            assert!(done - before < 400, "run {seed} does not end: {}", restate.log());
        }
        assert_golden(&store, &run, &in_process(seed).await, &name).await;
        // As many effects as are performed at once may be in flight when a worker is killed.
        assert!(repetitions(folder.path(), &name) as u64 <= 4 * (done - before), "run {seed}");
        again += repetitions(folder.path(), &name);
    }
    println!(
        "{done} workers killed over {seed} runs, each ending with the same bytes; {again} effects in flight were performed again"
    );
}
