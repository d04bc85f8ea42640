//! Runs whose process was killed, and workers that go on with them, on a real PostgreSQL server.

#![cfg(unix)]

use crate::ollama::{Ollama, Ways};
use crate::serve::Serving;
use crate::world::{Ran, World, harbor, ran, timeless};
use elenchus_io::pg::testkit::{Cut, run as sql, schema, servers, told};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const QUESTION: &str = "Did porpoise sightings change?";

/// A server with a schema of its own, and a model that thinks for a while.
struct Place {
    url: String,
    runtime: tokio::runtime::Runtime,
    ollama: Ollama,
    slow: Arc<AtomicU64>,
}

/// Does `work` at a place on every server.
fn on_servers(test: &str, work: impl Fn(&Place)) {
    on_first(usize::MAX, test, work);
}

/// The same on so many of them: what is not the server's part need not be done on each.
fn on_first(most: usize, test: &str, work: impl Fn(&Place)) {
    for server in servers(test).into_iter().take(most) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let url = runtime.block_on(schema(&server)).unwrap();
        let slow = Arc::new(AtomicU64::new(0));
        let ways =
            Ways { telling: vec!["fell by 38 %"], slow: Arc::clone(&slow), ..Ways::default() };
        work(&Place { url, runtime, ollama: Ollama::start(ways), slow });
    }
}

impl Place {
    /// A command on a machine of its own: another home, the same server and the same documents.
    fn command(&self, world: &World, words: &[&str]) -> Command {
        let mut command = world.command();
        command
            .env("DATABASE_URL", &self.url)
            .env("OLLAMA_HOST", &self.ollama.address)
            .env("ELENCHUS_PROJECT", "harbour")
            // A reply that was kept is no request, and is counted otherwise.
            .env("ELENCHUS_CACHE", "false")
            .args(words);
        command
    }

    fn run(&self, world: &World, words: &[&str]) -> Ran {
        ran(&mut self.command(world, words))
    }

    fn sql(&self, text: &str) {
        self.runtime.block_on(sql(&self.url, text)).unwrap();
    }

    fn runs(&self) -> Vec<Value> {
        let listed = self.run(&World::new(), &["runs", "list", "--json"]).json();
        listed.as_array().unwrap().clone()
    }

    /// The answer of a run that nobody disturbs; it is kept in a file of its own.
    fn golden(&self, folder: &Path) -> Value {
        let world = World::new();
        let mut command = self.command(&world, &asking(folder));
        command.env_remove("DATABASE_URL").arg("--json");
        timeless(ran(&mut command).succeeds().json())
    }

    /// Begins runs and kills each in its middle. As if the time of their leases had gone by.
    fn abandoned(&self, folder: &Path, many: usize) {
        self.slow.store(150, Ordering::SeqCst);
        for at in 0..many {
            let world = World::new();
            let mut child = self
                .command(&world, &asking(folder))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let until = Instant::now() + Duration::from_mins(1);
            loop {
                let runs = self.runs();
                let records = |run: &Value| run["records"].as_u64().unwrap();
                if runs.len() > at && runs.iter().all(|run| records(run) >= 4) {
                    break;
                }
                assert!(Instant::now() < until && child.try_wait().unwrap().is_none(), "{runs:?}");
            }
            // SIGKILL: no handler, no last words.
            child.kill().unwrap();
            child.wait().unwrap();
        }
        self.slow.store(0, Ordering::SeqCst);
        assert!(self.runs().iter().all(|run| run["status"] == "running"), "as a dead one seems to");
        self.sql("UPDATE leases SET expires_at = now() - interval '1 second'");
    }

    fn all_finished(&self, golden: &Value) {
        self.all_end_as(golden, |answer| answer);
    }

    /// The same of runs of which calls were given up and asked again, which is paid for twice and told in an event of its own.
    fn all_finished_at_a_price(&self, golden: &Value) {
        let unpriced = |mut answer: Value| {
            answer["receipt"]["usage"] = Value::Null;
            answer["reasoning_trace"] = Value::Null;
            answer
        };
        self.all_end_as(&unpriced(golden.clone()), unpriced);
    }

    fn all_end_as(&self, golden: &Value, compared: impl Fn(Value) -> Value) {
        for run in self.runs() {
            assert_eq!(run["status"], "finished", "{run}");
            assert!(run.get("put_back").is_none(), "{run}");
            let id = run["run_id"].as_str().unwrap();
            let world = World::new();
            let exported = self.run(&world, &["runs", "export", id, "--format", "json"]).json();
            assert_eq!(&compared(timeless(exported)), golden, "run {id}");
            self.run(&world, &["audit", id]).succeeds();
        }
    }
}

fn asking(folder: &Path) -> [&str; 6] {
    ["ask", QUESTION, "--model", "ollama:written", "--corpus", folder.to_str().unwrap()]
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_worker_finishes_what_a_killed_process_began() {
    on_servers("a_worker_finishes_what_a_killed_process_began", |place| {
        let golden = place.golden(&harbor());
        place.abandoned(&harbor(), 1);
        let begun = place.runs()[0]["records"].as_u64();
        let worker = World::new();
        let said = place.run(&worker, &["worker", "--once"]);
        said.succeeds();
        assert!(said.err.contains("going on with run") && said.err.contains("is over"), "{said:?}");
        assert!(place.runs()[0]["records"].as_u64() > begun);
        place.all_finished(&golden);
        // It learned on behalf of whoever asked.
        let queue = place.run(&worker, &["memory", "stats", "--json"]);
        assert_eq!(queue.code, Some(0), "{queue:?}");
        let again = place.run(&worker, &["worker", "--once"]);
        assert!(!again.succeeds().err.contains("going on with run"), "{again:?}");
    });
}

#[test]
fn a_run_waits_for_a_server_that_is_away_and_goes_on_by_itself() {
    on_servers("a_run_waits_for_a_server_that_is_away_and_goes_on_by_itself", |place| {
        let golden = place.golden(&harbor());
        place.slow.store(150, Ordering::SeqCst);
        let way = Cut::before(&place.url).unwrap();
        let world = World::new();
        let mut command = place.command(&world, &asking(&harbor()));
        command.env("DATABASE_URL", &way.url).arg("--json");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_mins(1);
        while !place.runs().iter().any(|run| run["records"].as_u64() >= Some(4)) {
            assert!(Instant::now() < until && child.try_wait().unwrap().is_none());
        }
        way.cut();
        let cut_at = place.runs()[0]["records"].as_u64();
        // Longer than a call is tried, and than the three tries of an effect take.
        std::thread::sleep(Duration::from_secs(4));
        assert!(child.try_wait().unwrap().is_none(), "it waits");
        assert!(place.runs()[0]["records"].as_u64() <= cut_at.map(|records| records + 1));
        way.mend();
        let said = Ran::from(child.wait_with_output().unwrap());
        let told = &said.succeeds().err;
        assert!(told.contains("the store is away since"), "{said:?}");
        assert!(told.contains("the store is back"), "{said:?}");
        assert_eq!(timeless(said.json()), golden);
        place.all_finished(&golden);
    });
}

#[test]
fn somebody_who_waits_for_a_server_that_is_away_may_leave() {
    on_servers("somebody_who_waits_for_a_server_that_is_away_may_leave", |place| {
        let golden = place.golden(&harbor());
        place.slow.store(150, Ordering::SeqCst);
        let way = Cut::before(&place.url).unwrap();
        let world = World::new();
        let mut command = place.command(&world, &asking(&harbor()));
        command.env("DATABASE_URL", &way.url);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let until = Instant::now() + Duration::from_mins(1);
        while !place.runs().iter().any(|run| run["records"].as_u64() >= Some(4)) {
            assert!(Instant::now() < until && child.try_wait().unwrap().is_none());
        }
        way.cut();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap().contains("the store is away since")));
        let asked = Instant::now();
        signal(&child, "-INT");
        let rest: Vec<String> = said.map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:?}");
        assert!(asked.elapsed() < Duration::from_secs(10), "{rest:?}");
        assert!(rest.iter().any(|line| line.contains("runs resume")), "{rest:?}");
        place.slow.store(0, Ordering::SeqCst);
        let id = place.runs()[0]["run_id"].as_str().unwrap().to_owned();
        place.run(&world, &["runs", "resume", &id]).succeeds();
        place.all_finished_at_a_price(&golden);
    });
}

#[test]
fn several_workers_share_what_is_abandoned_and_drive_nothing_twice() {
    on_servers("several_workers_share_what_is_abandoned_and_drive_nothing_twice", |place| {
        let golden = place.golden(&harbor());
        place.abandoned(&harbor(), 5);
        place.slow.store(40, Ordering::SeqCst);
        let workers: Vec<(World, Child)> = (0..3)
            .map(|_| {
                let world = World::new();
                let mut command = place.command(&world, &["worker", "--once", "--runs", "2"]);
                let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
                (world, child)
            })
            .collect();
        let mut taken: BTreeMap<String, usize> = BTreeMap::new();
        for (_world, child) in workers {
            let said = Ran::from(child.wait_with_output().unwrap());
            said.succeeds();
            for line in said.err.lines().filter(|line| line.contains("going on with run")) {
                *taken.entry(line.to_owned()).or_default() += 1;
            }
        }
        assert_eq!(taken.len(), 5, "{taken:?}");
        assert!(taken.values().all(|times| *times == 1), "{taken:?}");
        place.all_finished(&golden);
    });
}

#[test]
fn a_run_whose_documents_are_not_there_is_put_back_with_the_reason() {
    on_servers("a_run_whose_documents_are_not_there_is_put_back_with_the_reason", |place| {
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("docs");
        fs::create_dir(&folder).unwrap();
        for entry in fs::read_dir(harbor()).unwrap().flatten() {
            if entry.path().is_file() {
                fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
            }
        }
        let golden = place.golden(&folder);
        place.abandoned(&folder, 1);
        let away = here.path().join("away");
        fs::rename(&folder, &away).unwrap();
        let worker = World::new();
        let said = place.run(&worker, &["worker", "--once"]);
        assert!(said.succeeds().err.contains("is put back: could not open the corpus"), "{said:?}");
        let run = &place.runs()[0];
        assert_eq!(run["status"], "stopped", "{run}");
        assert!(run["put_back"].as_str().unwrap().contains("could not open the corpus"), "{run}");
        let id = run["run_id"].as_str().unwrap();
        let listed = place.run(&worker, &["runs", "list"]).out;
        assert!(listed.contains("put back: could not open the corpus"), "{listed}");
        let shown = place.run(&worker, &["runs", "show", id]).out;
        assert!(shown.contains("put back:  could not open the corpus"), "{shown}");
        // Not again at once; a worker with other folders looks for itself, and refuses what is not among them.
        let again = place.run(&worker, &["worker", "--once"]);
        assert!(!again.succeeds().err.contains("put back"), "{again:?}");
        let other = here.path().to_str().unwrap();
        let narrow = place.run(&worker, &["worker", "--once", "--corpus", other]);
        assert!(narrow.succeeds().err.contains("was not started with this folder"), "{narrow:?}");
        // The documents are back, and the time has gone by.
        fs::rename(&away, &folder).unwrap();
        place.sql("UPDATE put_back SET until = now()");
        place.run(&worker, &["worker", "--once"]).succeeds();
        place.all_finished(&golden);
    });
}

#[test]
fn a_worker_that_is_told_to_stop_leaves_its_runs_to_others() {
    on_servers("a_worker_that_is_told_to_stop_leaves_its_runs_to_others", |place| {
        let golden = place.golden(&harbor());
        place.abandoned(&harbor(), 1);
        place.slow.store(5_000, Ordering::SeqCst);
        let (first, second) = (World::new(), World::new());
        let mut child = place
            .command(&first, &["worker"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        assert!(said.any(|line| line.unwrap().contains("going on with run")));
        let asked = Instant::now();
        signal(&child, "-TERM");
        let rest: Vec<String> = said.map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{rest:?}");
        assert!(asked.elapsed() < Duration::from_secs(4), "no reply of the model is waited for");
        assert!(rest.iter().any(|line| line.contains("is left to others")), "{rest:?}");
        assert_eq!(place.runs()[0]["status"], "stopped");
        place.slow.store(0, Ordering::SeqCst);
        let taken = place.run(&second, &["worker", "--once"]);
        assert!(taken.succeeds().err.contains("going on with run"), "at once: {taken:?}");
        place.all_finished_at_a_price(&golden);
    });
}

#[test]
fn a_server_that_is_told_to_stop_leaves_its_runs_to_workers() {
    on_first(1, "a_server_that_is_told_to_stop_leaves_its_runs_to_workers", |place| {
        place.slow.store(5_000, Ordering::SeqCst);
        let home = World::new();
        let serving = Serving::with(
            &home,
            &[
                ("DATABASE_URL", &place.url),
                ("OLLAMA_HOST", &place.ollama.address),
                ("ELENCHUS_MODEL", "ollama:written"),
                ("ELENCHUS_CACHE", "false"),
            ],
        );
        let (status, begun) = serving.post("/v1/research", &json!({ "question": QUESTION }));
        assert_eq!(status, 202, "{begun}");
        let until = Instant::now() + Duration::from_mins(1);
        let told = |sql: &str| place.runtime.block_on(told(&place.url, sql)).unwrap();
        // The model is asked from the second record on.
        while told("SELECT count(*) FROM journal WHERE seq = 2") == "0" {
            assert!(Instant::now() < until, "it does not begin");
            std::thread::sleep(Duration::from_millis(20));
        }
        serving.stop();
        place.slow.store(0, Ordering::SeqCst);
        // At once: no lease has to run out, and nobody has to resume it.
        let taken = place.run(&World::new(), &["worker", "--once"]);
        assert!(taken.succeeds().err.contains("going on with run"), "{taken:?}");
        assert_eq!(told("SELECT count(*) FROM runs WHERE stop_reason IS NOT NULL"), "1");
    });
}

#[test]
fn a_worker_without_work_ends_and_a_file_has_none() {
    on_servers("a_worker_without_work_ends_and_a_file_has_none", |place| {
        let world = World::new();
        let refused = ran(world.command().args(["worker", "--once"]));
        refused.fails(2, "is a file", "PostgreSQL");
        let idle = place.run(&world, &["worker", "--once"]);
        assert!(idle.succeeds().err.contains("no run is left"), "{idle:?}");
    });
}

/// Death at fail points, of the process that asked and then of the first worker; the second one finishes the run. At every passage
/// of each, and in the middle of a longer run too, with `ELENCHUS_NIGHTLY=1`; at one otherwise.
#[cfg(feature = "crash-points")]
#[test]
fn a_run_that_dies_anywhere_is_finished_by_a_worker() {
    use crate::world::{CAPACITY, UNANSWERABLE};
    const TEST: &str = "a_run_that_dies_anywhere_is_finished_by_a_worker";
    if std::env::var_os("ELENCHUS_NIGHTLY").is_none() {
        on_first(1, TEST, |place| {
            let campaign = dying::Campaign::over(place, QUESTION);
            assert_eq!(campaign.died_at("after_effect", 3).map(|died| died.deaths), Some(2));
            place.all_finished(&campaign.golden);
        });
        return;
    }
    for question in [QUESTION, CAPACITY, UNANSWERABLE] {
        on_servers(TEST, |place| {
            let campaign = dying::Campaign::over(place, question);
            let (mut deaths, mut again) = (0, 0);
            for site in dying::SITES {
                for died in (1..).map_while(|n| campaign.died_at(site, n)) {
                    deaths += died.deaths;
                    again += died.again;
                }
            }
            place.all_finished(&campaign.golden);
            println!(
                "{deaths} deaths of {question:?}; every run has the same answer, {again} requests were made again"
            );
            assert!(deaths > 40, "only {deaths} deaths");
        });
    }
}

/// Processes that die where they are told to.
#[cfg(feature = "crash-points")]
mod dying {
    use super::{Place, World};
    use crate::world::{harbor, ran, timeless};
    use elenchus_io::pg::testkit::told;
    use serde_json::Value;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    pub(super) const SITES: [&str; 5] =
        ["before_intent", "after_intent", "after_effect", "after_append", "before_release"];
    /// Sites at which effects of a batch may have been begun that are not in the journal.
    const IN_FLIGHT: [&str; 2] = ["after_effect", "after_append"];
    /// Requests that a call of a model makes at most.
    const REQUESTS: usize = 2;
    /// How a process ends that aborts.
    const ABORTED: Option<i32> = Some(6);

    /// Effects whose intent is in the journal of the run that is not over and whose outcome is not.
    const UNSETTLED: &str = "
        SELECT coalesce(sum(CASE
            WHEN json::json #>> '{entry,kind}' = 'intent' THEN json_array_length(json::json #> '{entry,body}')
            WHEN json::json #>> '{entry,body,input}' = 'outcome' THEN -1
            ELSE 0 END), 0)
        FROM journal JOIN runs USING (run_id) WHERE stop_reason IS NULL";

    /// What became of one run.
    pub(super) struct Died {
        /// Processes that died of it.
        pub(super) deaths: usize,
        /// Requests beyond those of a run that nobody disturbs.
        pub(super) again: usize,
    }

    pub(super) struct Campaign<'a> {
        place: &'a Place,
        question: &'a str,
        asks: World,
        works: World,
        /// The answer of a run that nobody disturbs.
        pub(super) golden: Value,
        /// What it asked of the model.
        requests: usize,
    }

    /// Whether a process that was told where to die did so. One that did not come there has ended well.
    fn dies(command: &mut Command, at: &str) -> bool {
        let output = command.env("ELENCHUS_CRASH_AT", at).output().unwrap();
        match (output.status.code(), output.status.signal()) {
            (None, ABORTED) => true,
            (Some(0), None) => false,
            _ => panic!("{at}: {output:?}"),
        }
    }

    impl<'a> Campaign<'a> {
        pub(super) fn over(place: &'a Place, question: &'a str) -> Self {
            let (asks, works) = (World::new(), World::new());
            let golden = Value::Null;
            let mut campaign = Self { place, question, asks, works, golden, requests: 0 };
            let home = World::new();
            let mut undisturbed = campaign.asking(&home);
            undisturbed.env_remove("DATABASE_URL").arg("--json");
            let before = campaign.asked();
            campaign.golden = timeless(ran(&mut undisturbed).succeeds().json());
            campaign.requests = campaign.asked() - before;
            assert!(campaign.requests > 2, "it asks a model");
            campaign
        }

        /// No run is told what the ones before it found.
        fn asking(&self, world: &World) -> Command {
            let folder = harbor();
            let words = ["ask", self.question, "-q", "--no-memory", "--model", "ollama:written"];
            let mut command = self.place.command(world, &words);
            command.arg("--corpus").arg(folder);
            command
        }

        fn asked(&self) -> usize {
            self.place.ollama.prompts().len()
        }

        fn told(&self, sql: &str) -> usize {
            let told = self.place.runtime.block_on(told(&self.place.url, sql)).unwrap();
            told.parse().unwrap()
        }

        /// Lets the process that asks die at the `n`-th passage of a site, and the worker after it at the first; a second worker
        /// finishes the run. Nothing when there is no such passage.
        pub(super) fn died_at(&self, site: &str, n: usize) -> Option<Died> {
            let worker = || self.place.command(&self.works, &["worker", "--once"]);
            let (before, mut unsettled) = (self.asked(), 0);
            if !dies(&mut self.asking(&self.asks), &format!("{site}:{n}")) {
                return None;
            }
            let mut deaths = 1;
            unsettled += self.told(UNSETTLED);
            let expired = || {
                self.place.sql("UPDATE leases SET expires_at = now() - interval '1 second'");
            };
            expired();
            // One whose run is over already has nothing to die of.
            if dies(&mut worker(), &format!("{site}:1")) {
                deaths += 1;
                unsettled += self.told(UNSETTLED);
            }
            expired();
            ran(&mut worker()).succeeds();
            assert_eq!(self.told("SELECT count(*) FROM runs WHERE stop_reason IS NULL"), 0);
            let again = (self.asked() - before).checked_sub(self.requests);
            let again =
                again.unwrap_or_else(|| panic!("{site}:{n}: less was asked than is needed"));
            // What stands in the journal is not asked for again.
            let may = if IN_FLIGHT.contains(&site) { REQUESTS * unsettled } else { 0 };
            assert!(
                again <= may,
                "{site}:{n}: {again} requests again, {unsettled} effects unsettled"
            );
            Some(Died { deaths, again })
        }
    }
}
