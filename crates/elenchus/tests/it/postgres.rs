//! The store on a real PostgreSQL server, through the binary.

#![cfg(unix)]

use crate::serve::Serving;
use crate::world::{CAPACITY, Ran, World, harbor, ran, timeless};
use elenchus_io::pg::testkit::{run as sql, schema, servers, told};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Does `work` with a schema of its own on every server.
fn on_servers(test: &str, work: impl Fn(&str)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for url in servers(test) {
        work(&runtime.block_on(schema(&url)).unwrap());
    }
}

/// A command that keeps everything on the server, which the environment names as it would for a team.
fn command(world: &World, url: &str, words: &[&str]) -> Command {
    let mut command = world.command();
    command.env("DATABASE_URL", url).env("ELENCHUS_PROJECT", "harbour").args(words);
    command
}

fn run(world: &World, url: &str, words: &[&str]) -> Ran {
    ran(&mut command(world, url, words))
}

const RECORD: [&str; 12] = [
    "memory",
    "record",
    "--title",
    "Look at the log first",
    "--description",
    "When a cause is asked for",
    "--content",
    "The operations log names the cause before any report does.",
    "--outcome",
    "success",
    "--tag",
    "logs",
];
const SEARCH: [&str; 4] = ["memory", "search", "which log names the cause", "--json"];

fn asked<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["ask", CAPACITY, "--corpus", folder, "--json"], more].concat()
}

#[test]
fn a_team_asks_reads_and_learns_on_one_server() {
    on_servers("a_team_asks_reads_and_learns_on_one_server", |url| {
        let (ann, ben) = (World::new(), World::new());
        let folder = harbor();
        let folder = folder.to_str().unwrap();
        let on_server = run(&ann, url, &asked(folder, &[])).json();
        let on_file = ben.run(&asked(folder, &[])).json();
        assert_eq!(
            timeless(on_server.clone()),
            timeless(on_file),
            "the same answer, wherever it is kept"
        );
        assert!(!ann.store().exists(), "no file beside the server");
        let id = on_server["run_id"].as_str().unwrap();
        // Another one sees the run, with all that belongs to it.
        let listed = run(&ben, url, &["runs", "list", "--json"]).json();
        assert_eq!(
            (listed[0]["run_id"].as_str(), listed[0]["status"].as_str()),
            (Some(id), Some("finished"))
        );
        let exported = run(&ben, url, &["runs", "export", id, "--format", "json"]).json();
        assert_eq!(exported["claims"], on_server["claims"]);
        run(&ben, url, &["audit", id]).succeeds();
        let doctor = run(&ben, url, &["doctor"]).out;
        assert!(doctor.contains("every journal's chain holds"), "{doctor}");
        let compares = ["compared by the server: pgvector", "pgvector is not installed"];
        assert!(compares.iter().any(|words| doctor.contains(words)), "{doctor}");
        // What one records, another of the project recalls; a memo that one keeps, another finds.
        run(&ann, url, &RECORD).succeeds();
        let found = run(&ben, url, &SEARCH).json();
        assert_eq!(found["memories"][0]["strategy"]["title"], "Look at the log first");
        // The server's own index follows, is compared with the memory, and is made anew.
        let checked = run(&ben, url, &["index", "check", "--json"]).json();
        assert_eq!(checked["tenants"][0]["missing"], serde_json::json!([]), "{checked}");
        assert!(checked["tenants"][0]["sound"].as_u64() >= Some(1), "{checked}");
        let rebuilt = run(&ben, url, &["index", "rebuild", "--json"]).json();
        assert_eq!(rebuilt["written"], checked["tenants"][0]["sound"]);
        let found = run(&ben, url, &SEARCH).json();
        assert_eq!(found["memories"][0]["strategy"]["title"], "Look at the log first");
        // The password, had it one, is shown nowhere.
        let secret = url.replace("postgres@", "postgres:s3cret@");
        for words in
            [&["runs", "list"][..], &["doctor"], &["config", "show"], &["runs", "show", "nothing"]]
        {
            let said = run(&ben, &secret, words);
            assert!(!format!("{}{}", said.out, said.err).contains("s3cret"), "{words:?}");
        }
        run(&ben, url, &["runs", "delete", id, "--yes"]).succeeds();
        assert_eq!(run(&ann, url, &["runs", "list", "--json"]).json(), serde_json::json!([]));
    });
}

#[test]
fn any_server_shows_the_run_that_another_process_drives() {
    on_servers("any_server_shows_the_run_that_another_process_drives", |url| {
        let (asks, reads) = (World::new(), World::new());
        let serving = Serving::with(&reads, &[("DATABASE_URL", url)]);
        let folder = harbor();
        let answer = run(&asks, url, &asked(folder.to_str().unwrap(), &[])).json();
        let id = answer["run_id"].as_str().unwrap();
        let seen = serving.json(&format!("/v1/research/{id}"));
        assert_eq!(seen["status"], "finished", "{seen}");
        // The stream of a run that is over ends by itself; every event is in it.
        let events = serving.get(&format!("/v1/research/{id}/events"));
        let last = events.lines().filter(|line| line.starts_with("id:")).count();
        let listed = run(&asks, url, &["runs", "list", "--json"]).json();
        assert_eq!(Some(last as u64), listed[0]["events"].as_u64(), "{events}");
    });
}

/// Kills of the usual test; the nightly campaign sets more.
fn kills() -> u64 {
    std::env::var("ELENCHUS_TEST_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(2)
}

#[test]
fn processes_killed_at_random_leave_runs_that_others_finish() {
    on_servers("processes_killed_at_random_leave_runs_that_others_finish", |url| {
        let folder = harbor();
        let folder = folder.to_str().unwrap();
        let world = World::new();
        let golden = timeless(world.run(&asked(folder, &[])).json());
        let mut at = 0x9E37_79B9_7F4A_7C15_u64;
        let (mut killed, mut unfinished) = (0, 0);
        while killed < kills() {
            at ^= at << 13;
            at ^= at >> 7;
            at ^= at << 17;
            // No run is told what the ones before it found.
            let mut child = command(&world, url, &asked(folder, &["--no-memory"]))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_millis(60 + at % 500));
            // SIGKILL: no handler, no last words.
            child.kill().unwrap();
            child.wait().unwrap();
            killed += 1;
            let runs = run(&world, url, &["runs", "list", "--json"]).json();
            for kept in runs.as_array().unwrap() {
                if kept["status"] == "finished" {
                    continue;
                }
                unfinished += 1;
                let id = kept["run_id"].as_str().unwrap();
                // The dead process's lease is not waited for on its own machine.
                let resumed = run(&world, url, &["runs", "resume", id, "--json"]).json();
                assert_eq!(timeless(resumed), golden, "run {id}");
            }
        }
        let runs = run(&world, url, &["runs", "list", "--json"]).json();
        for kept in runs.as_array().unwrap() {
            assert_eq!(kept["status"], "finished");
            let id = kept["run_id"].as_str().unwrap();
            let exported = run(&world, url, &["runs", "export", id, "--format", "json"]).json();
            assert_eq!(timeless(exported), golden, "run {id}");
        }
        println!(
            "{killed} processes killed, {unfinished} runs gone on with, all with the same answer"
        );
    });
}

#[test]
fn a_store_moves_to_a_server_and_back() {
    on_servers("a_store_moves_to_a_server_and_back", |url| {
        let world = World::new();
        let folder = harbor();
        let answer = world.run(&asked(folder.to_str().unwrap(), &[])).json();
        let own = |words: &[&str]| world.run_with(words, &[("ELENCHUS_PROJECT", "harbour")]);
        own(&RECORD).succeeds();
        let file = world.store();
        let named = format!("sqlite://{}", file.display());
        let there = world.run(&["db", "copy", &named, url, "--json"]).json();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let noted = |of: &str| runtime.block_on(told(url, of)).unwrap();
        assert_eq!(noted("SELECT count(*) FROM run_notes JOIN runs USING (run_id)"), "1");
        let again = world.folder().join("again.db");
        let back = world.run(&["db", "copy", url, again.to_str().unwrap(), "--json"]).json();
        assert_eq!(there["relations"], back["relations"], "rows and hashes of every relation");
        let id = answer["run_id"].as_str().unwrap();
        assert!(world.folder().join(format!("again.runs/{id}.json")).is_file(), "its note too");
        let rows = |name: &str| {
            let all = there["relations"].as_array().unwrap();
            all.iter().find(|one| one["relation"] == name).unwrap()["rows"].as_u64().unwrap()
        };
        assert!(rows("journal") > 3 && rows("strategies") >= 1 && rows("runs") == 1, "{there}");
        for store in [url, again.to_str().unwrap()] {
            let export = ["runs", "export", id, "--format", "json"];
            let exported = world.run(&[&export[..], &["--store", store]].concat()).json();
            assert_eq!(exported, world.run(&export).json());
            let found = own(&[&SEARCH[..], &["--store", store]].concat()).json();
            assert_eq!(found["memories"][0]["strategy"]["title"], "Look at the log first");
            // Numbers that the server counts by itself go on after those that were copied.
            let more = [
                "memory",
                "record",
                "--title",
                "Ask who wrote it",
                "--description",
                "Where sources differ",
                "--content",
                "An author is a witness.",
                "--outcome",
                "success",
                "--store",
                store,
            ];
            own(&more).succeeds();
        }
        // Nothing is written over, and nothing stays of a copy that is refused.
        world.run(&["db", "copy", file.to_str().unwrap(), url]).fails(5, "already", "empty");
    });
}

#[test]
fn pages_of_the_web_move_with_the_runs_that_cite_them() {
    use crate::web::{ASKED, Site, lanterns};
    on_servers("pages_of_the_web_move_with_the_runs_that_cite_them", |url| {
        let site = Site::new(&[("/wiki/Varn_Tunnel", &lanterns(412))]);
        let world = World::new();
        let (provider, host) = (site.provider(), site.address.as_str());
        world.run(&["ask", ASKED, "--web", &provider, "--private-host", host]).succeeds();
        let run = world.newest();
        let file = world.store();
        let there =
            world.run(&["db", "copy", file.to_str().unwrap(), url, "--json"]).succeeds().json();
        assert_eq!(there["stays"], serde_json::json!([]), "{there}");
        // On a machine that has read nothing itself.
        let other = World::new();
        let cited = |store: &str| {
            let opened = other.run(&["source", &run, "1", "--store", store]);
            assert!(opened.succeeds().out.contains("stands where the run saw it"), "{opened:?}");
        };
        cited(url);
        let back = other.run(&["db", "copy", url, "again.db", "--json"]).succeeds().json();
        assert_eq!(back["relations"], there["relations"], "rows and hashes of every relation");
        cited("again.db");
    });
}

/// The URL of another database of a server.
fn database(server: &str, name: &str) -> String {
    let (place, settings) = server.split_once('?').unwrap_or((server, ""));
    let (host, _) = place.rsplit_once('/').unwrap();
    format!("{host}/{name}?{settings}")
}

/// A program that came with a server, if it can be run here; otherwise why not.
fn program(folder: &str, name: &str) -> Result<PathBuf, String> {
    let program = Path::new(folder).join(name);
    match Command::new(&program).arg("--version").output() {
        Ok(said) if said.status.success() => Ok(program),
        Ok(said) => Err(format!("{} ended with {}", program.display(), said.status)),
        Err(error) => Err(format!("{}: {error}", program.display())),
    }
}

#[test]
fn a_dump_is_a_backup_that_is_restored_into_a_new_database() {
    const TEST: &str = "a_dump_is_a_backup_that_is_restored_into_a_new_database";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (at, server) in servers(TEST).into_iter().enumerate() {
        // Of the server's own version: an older one refuses to dump a newer server.
        let beside = "SELECT setting FROM pg_config WHERE name = 'BINDIR'";
        let folder = runtime.block_on(told(&server, beside)).unwrap_or_default();
        let (dumps, restores) = match (program(&folder, "pg_dump"), program(&folder, "psql")) {
            (Ok(dumps), Ok(restores)) => (dumps, restores),
            (Err(why), _) | (_, Err(why)) => {
                println!("skip: {TEST}: {why}");
                continue;
            }
        };
        let names = ["kept", "restored"].map(|name| format!("{name}_{}_{at}", std::process::id()));
        for name in &names {
            runtime.block_on(sql(&server, &format!("CREATE DATABASE {name}"))).unwrap();
        }
        let [kept, restored] = names.each_ref().map(|name| database(&server, name));
        let world = World::new();
        let folder = harbor();
        let answer = run(&world, &kept, &asked(folder.to_str().unwrap(), &[])).json();
        run(&world, &kept, &RECORD).succeeds();
        let id = answer["run_id"].as_str().unwrap();
        let dump = world.folder().join("backup.sql");
        let dumped = ran(Command::new(dumps).arg("--dbname").arg(&kept).arg("--file").arg(&dump));
        dumped.succeeds();
        let restore =
            ["--quiet", "--no-psqlrc", "--set", "ON_ERROR_STOP=1", "--single-transaction"];
        let done = ran(Command::new(restores)
            .args(restore)
            .arg("--dbname")
            .arg(&restored)
            .arg("--file")
            .arg(&dump));
        done.succeeds();
        // On a machine that knows nothing of the first one.
        let other = World::new();
        for words in [
            &["runs", "replay", id, "--json"][..],
            &["runs", "trace", id, "--jsonl"],
            &["runs", "export", id, "--format", "json"],
            &["runs", "list", "--json"],
        ] {
            let before = run(&world, &kept, words);
            assert_eq!(run(&other, &restored, words).succeeds().out, before.out, "{words:?}");
        }
        run(&other, &restored, &["audit", id]).succeeds();
        let doctor = run(&other, &restored, &["doctor"]).out;
        assert!(doctor.contains("every journal's chain holds"), "{doctor}");
        let found = run(&other, &restored, &SEARCH).json();
        assert_eq!(found["memories"][0]["strategy"]["title"], "Look at the log first");
        // What the server counts by itself goes on behind what was restored.
        run(&other, &restored, &asked(folder.to_str().unwrap(), &[])).succeeds();
        run(&other, &restored, &["runs", "delete", id, "--yes"]).succeeds();
        for name in &names {
            runtime.block_on(sql(&server, &format!("DROP DATABASE {name} WITH (FORCE)"))).unwrap();
        }
    }
}
