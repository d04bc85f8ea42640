//! Bad input: a clear error with its cause and a way out, and nothing lost.

use crate::world::{CAPACITY, World, harbor, ran};
use std::fs::{self, File};

/// Opens with a password only.
const ENCRYPTED_PDF: &str = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
    2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n\
    3 0 obj\n<</Filter/Standard/V 1/R 2/P -4/O(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)/U(bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)>>\nendobj\n\
    xref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000054 00000 n \n0000000103 00000 n \n\
    trailer\n<</Size 4/Root 1 0 R/Encrypt 3 0 R/ID[(aaaaaaaaaaaaaaaa)(aaaaaaaaaaaaaaaa)]>>\nstartxref\n232\n%%EOF\n";

#[test]
fn an_empty_question() {
    let world = World::new();
    for question in ["", "   ", "???", "\u{200B}"] {
        world.ask(question, &[]).fails(2, "the question is empty", "ask something in words");
    }
    let long = "why ".repeat(4000);
    world.ask(&long, &["-q"]).fails(2, "characters", "put background into a document");
    assert_eq!(world.run(&["runs", "list", "--json"]).out, "[]\n");
}

#[test]
fn arguments_that_cannot_be_read_are_told_to_programs_as_json() {
    let world = World::new();
    let ran = world.run(&["runs", "list", "--json", "--bogus"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let told: serde_json::Value = serde_json::from_str(&ran.err).expect(&ran.err);
    assert_eq!(told["error"]["kind"], "usage");
    assert_eq!(told["error"]["exit_code"], 2);
    assert!(told["error"]["cause"].as_str().unwrap().contains("--bogus"), "{told}");
    // People are told as before, and help is no error.
    let plain = world.run(&["runs", "list", "--bogus"]);
    assert!(plain.err.contains("Usage: "), "{plain:?}");
    assert!(world.run(&["runs", "list", "--json", "--help"]).succeeds().out.contains("Usage: "));
}

#[test]
fn a_corpus_that_is_none() {
    let world = World::new();
    let file = world.write("a.md", "# A");
    world.run(&["ask", "Who?"]).fails(2, "no corpus was named", "--corpus");
    let ingest = world.run(&["ingest"]);
    ingest.fails(2, "no folder was named", "`elenchus ingest DIR`");
    assert!(!ingest.err.contains("--corpus"), "{}", ingest.err);
    for command in [&["ask", "Who?", "--corpus"][..], &["search", "who", "--corpus"], &["ingest"]] {
        let with = |path: &str| world.run(&[command, &[path]].concat());
        with("nowhere").fails(2, "could not open the corpus nowhere", "must be a folder");
        with(file.to_str().unwrap()).fails(2, "it is a file", "name the folder it lies in");
    }
}

#[test]
fn an_empty_folder_establishes_nothing_and_that_is_an_answer() {
    let world = World::new();
    fs::create_dir(world.folder().join("empty")).unwrap();
    let ran = world.run(&["ask", "Who is the chair?", "--corpus", "empty"]);
    assert!(ran.succeeds().out.contains("The documents do not establish this"), "{}", ran.out);
    assert!(ran.out.contains("\u{201C}empty\u{201D} holds no document"), "{}", ran.out);
    assert!(ran.err.contains("warning: ") && ran.err.contains("no document"), "{}", ran.err);
    for words in [&["ingest", "empty"][..], &["search", "chair", "--corpus", "empty"]] {
        let ran = world.run(words);
        assert!(ran.succeeds().err.contains("empty holds no document"), "{words:?}: {}", ran.err);
        assert!(!ran.err.contains("try other words"), "{}", ran.err);
    }
}

#[test]
fn an_exclusion_that_leaves_nothing_out_is_told() {
    let world = World::new();
    let told = |part: &str| world.ask(CAPACITY, &["--exclude", part]).succeeds().err.clone();
    let warning = "has \"reprots/\" in its path";
    assert!(told("reprots/").contains(warning), "{}", told("reprots/"));
    assert!(!told("Reports/").contains("in its path"), "{}", told("Reports/"));
}

#[test]
fn each_loss_of_a_file_has_a_line_of_its_own() {
    let world = World::new();
    world.write("docs/odd.csv", "a,b\n1,2,3\n\"never closed\n");
    let ran = world.run(&["ingest", "docs"]);
    let lines: Vec<&str> =
        ran.succeeds().out.lines().filter(|line| line.starts_with("read with losses: ")).collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    assert!(lines.iter().all(|line| line.contains("odd.csv: ")), "{lines:?}");
    assert!(lines[0].ends_with("close it"), "{lines:?}");
}

/// What the limit keeps out is read where somebody raises it; what that holds in memory is printed.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "minutes: part of cargo xtask nightly"]
fn long_a_file_of_200_megabytes_is_read_where_the_limit_allows_it() {
    use std::io::{BufWriter, Write};
    const BYTES: usize = 200 << 20;
    let world = World::new();
    world.write("docs/small.md", "# Pump\n\nThe pump costs 300 euros.\n");
    let big = File::create(world.folder().join("docs/big.txt")).unwrap();
    let mut big = BufWriter::new(big);
    let (mut written, mut line) = (0, 0);
    while written < BYTES {
        let text = format!("Crate {line} of the northern shed weighs {} kilos.\n\n", line % 977);
        big.write_all(text.as_bytes()).unwrap();
        (written, line) = (written + text.len(), line + 1);
    }
    big.write_all(b"The last crate holds a zither.\n").unwrap();
    big.flush().unwrap();
    let mut command = world.command();
    command.args(["ingest", "docs", "--max-file-mb", "256", "--json"]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = String::new();
    while child.try_wait().unwrap().is_none() {
        let now = fs::read_to_string(&status).unwrap_or_default();
        if let Some(held) = now.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
            held.trim().clone_into(&mut most);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    println!("{} MB read, {most} held at most: {report}", BYTES >> 20);
    assert!(output.status.success());
    assert_eq!((&report["added"], report["skipped"].as_array().unwrap().len()), (&2.into(), 0));
    let found = world.run(&["search", "zither", "--corpus", "docs", "--max-file-mb", "256"]);
    assert!(found.succeeds().out.contains("The last crate holds a zither."), "{}", found.out);
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_rest_is_asked() {
    let world = World::new();
    world.write("docs/good.md", "# Pump\n\nThe pump costs 300 euros.\n");
    world.write("docs/broken.pdf", "%PDF-1.4\nnothing of a PDF follows");
    world.write("docs/encrypted.pdf", ENCRYPTED_PDF);
    world.write("docs/latin.txt", b"The caf\xe9 by the pump is closed.\n");
    world.write("docs/noise.txt", [0xff, 0xfe, 0x00, 0xd8, 0x00, 0x01, 0x02, 0x80]);
    world.write("docs/picture.png", [0x89, b'P', b'N', b'G']);
    // Sparse: it takes no room.
    File::create(world.folder().join("docs/big.txt")).unwrap().set_len(65 << 20).unwrap();

    let ran = world.run(&["ask", "What does the pump cost?", "--corpus", "docs"]);
    assert!(ran.succeeds().out.contains("300 euros"), "{}", ran.out);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    let report = world.run(&["ingest", "docs", "--json"]).succeeds().json();
    let reason = |path: &str| {
        let skipped = report["skipped"].as_array().unwrap();
        let found = skipped.iter().find(|file| file["path"] == path);
        found.map(|file| file["reason"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    assert!(reason("big.txt").contains("65.0 MB is above the limit of 64 MB"), "{report:#}");
    assert!(reason("big.txt").contains("--max-file-mb"), "{report:#}");
    assert!(reason("picture.png").contains("unknown format"), "{report:#}");
    for path in ["broken.pdf", "encrypted.pdf"] {
        assert!(reason(path).contains("could not"), "{path}: {report:#}");
    }
    assert!(reason("encrypted.pdf").contains("password"), "{report:#}");
    assert_eq!(reason("latin.txt"), "", "other encodings are read");
    // Each is named while asking too, or counted.
    assert!(ran.err.contains("big.txt: could not take it in"), "{}", ran.err);
    let smaller = world.run(&["ingest", "docs", "--max-file-mb", "1", "--json"]).succeeds().json();
    assert!(smaller["skipped"].to_string().contains("limit of 1 MB"), "{smaller:#}");
}

#[test]
fn a_damaged_store_is_told_and_left_alone() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    fs::write(world.store(), "this is no database, however long it is written on").unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", world.store().display()));
    }
    let before = fs::read(world.store()).unwrap();
    world.ask(CAPACITY, &[]).fails(5, "not a database", "--ephemeral");
    world.run(&["runs", "list"]).fails(5, "not a database", "move it away");
    let doctor = world.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.contains("BAD   store"), "{}", doctor.out);
    assert_eq!(fs::read(world.store()).unwrap(), before);
    // The way out that is named works.
    world.ask(CAPACITY, &["-q", "--ephemeral"]).succeeds();
}

#[test]
fn a_store_that_is_named_by_a_url_of_something_else() {
    let world = World::new();
    for url in ["mysql://ann:s3cret@db/runs", "http://db/runs", "sqlite://"] {
        let refused = world.run(&["runs", "list", "--store", url]);
        refused.fails(2, "not like one of a store", "sqlite://PATH");
        assert!(!refused.err.contains("s3cret"), "{}", refused.err);
        let refused = world.run(&["db", "migrate", "--store", url]);
        refused.fails(2, "not like one of a store", "postgres://user@host/database");
    }
    assert_eq!(fs::read_dir(world.folder()).unwrap().count(), 0, "nothing was made of it");
    // What names a file does so wherever a store is named; in a settings file it lies beside that.
    let own = world.folder().join("own.db");
    let named = format!("sqlite://{}", own.display());
    world.run(&["db", "migrate", "--store", &named]).succeeds();
    assert!(own.exists());
    world.write("elenchus.toml", "store = \"sqlite://beside.db\"\n");
    world.run(&["db", "migrate"]).succeeds();
    assert!(world.folder().join("beside.db").exists() && !world.store().exists());
}

/// Otherwise the runs of a team would lie in a file on each machine.
#[cfg(feature = "postgres")]
#[test]
fn a_database_url_with_a_slip_is_told_and_that_of_another_program_left_alone() {
    let world = World::new();
    for url in ["postgress://ann:s3cret@db/runs", "\"postgres://ann:s3cret@db/runs\""] {
        let refused = world.run_with(&["runs", "list"], &[("DATABASE_URL", url)]);
        refused.fails(2, "could not use DATABASE_URL", "without quotes");
        assert!(!refused.err.contains("s3cret"), "{}", refused.err);
    }
    for url in ["mysql://db/runs", "postgresql+asyncpg://db/runs", ""] {
        let listed = world.run_with(&["runs", "list", "--json"], &[("DATABASE_URL", url)]);
        assert_eq!(listed.succeeds().out, "[]\n");
    }
}

#[test]
fn a_journal_that_was_changed_is_found_out() {
    let world = World::new();
    world.ask(CAPACITY, &["-q"]).succeeds();
    let id = world.newest();
    let store = rusqlite::Connection::open(world.store()).unwrap();
    store.execute("UPDATE journal SET json = replace(json, '5.6', '9.9')", []).unwrap();
    drop(store);
    for command in ["show", "replay", "resume"] {
        world.run(&["runs", command, &id]).fails(5, "does not continue the chain", "backup");
    }
    let doctor = world.run(&["doctor"]);
    assert!(doctor.out.contains("does not continue the chain"), "{}", doctor.out);
    assert_eq!(doctor.code, Some(1));
}

#[test]
fn a_damaged_index_is_built_again() {
    let world = World::new();
    let whole = world.ask(CAPACITY, &["-q"]);
    let index = fs::read_dir(world.indexes()).unwrap().next().unwrap().unwrap().path();
    fs::write(&index, "this is no database, however long it is written on").unwrap();
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", index.display()));
    }
    let doctor = world.run(&["doctor", "--corpus", harbor().to_str().unwrap()]);
    assert!(doctor.out.contains("BAD   index"), "{}", doctor.out);
    let again = world.ask(CAPACITY, &[]);
    assert!(again.succeeds().err.contains("warning: the index"), "{}", again.err);
    assert_eq!(crate::world::redacted(&again.out), crate::world::redacted(&whole.out));
}

#[cfg(target_os = "linux")]
#[test]
fn a_home_that_cannot_be_written() {
    // Not even the superuser makes a folder there.
    let world = World::new();
    let home = |words: &[&str]| {
        let mut command = world.command();
        for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env_remove(variable);
        }
        command.env("HOME", "/proc/1").args(words);
        ran(&mut command)
    };
    let folder = harbor();
    let ask = ["ask", CAPACITY, "--corpus", folder.to_str().unwrap()];
    home(&ask).fails(5, "could not open the store", "--ephemeral");
    home(&[&ask[..], &["--store", "x.db"]].concat()).fails(
        5,
        "could not open the index",
        "--ephemeral",
    );
    home(&[&ask[..], &["--ephemeral", "-q"]].concat()).succeeds();
    // A flag that this command does not have is named with one that has it.
    let ingest = home(&["ingest", folder.to_str().unwrap()]);
    ingest.fails(
        5,
        "could not open the index",
        "`elenchus ask` and `elenchus search` keep no index",
    );
    home(&["runs", "list"]).succeeds();
    let doctor = home(&["doctor"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.contains("BAD   data folder"), "{}", doctor.out);
}

#[test]
fn no_home_at_all() {
    let world = World::new();
    let mut command = world.command();
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(variable);
    }
    command.args(["ask", CAPACITY, "--corpus"]).arg(harbor());
    ran(&mut command).fails(2, "nor HOME is set", "--ephemeral");
    command.args(["--ephemeral", "-q"]);
    ran(&mut command).succeeds();
}
