//! Settings and the doctor.

use crate::world::{CAPACITY, World, harbor, ran};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::Duration;

#[test]
fn settings_come_from_five_places() {
    let world = World::new();
    let user = world.user_config();
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    std::fs::write(&user, "effort = \"deep\"\ncolor = \"never\"\n[budget]\ntokens = 5000\n")
        .unwrap();
    world
        .write("elenchus.toml", "effort = \"quick\"\nexclude = [\"drafts/\"]\ncorpus = \"docs\"\n");
    world.write("below/x", "");
    let mut command = world.command();
    command.current_dir(world.folder().join("below")).env("ELENCHUS_MAX_ROUNDS", "7");
    command.env("ELENCHUS_ENGINE", "restate");
    command.args(["config", "show", "--origin", "--json"]);
    let shown = ran(&mut command).succeeds().json();
    let origin = |key: &str| shown[key]["origin"].as_str().unwrap().to_owned();
    assert_eq!(shown["effort"]["value"], "quick");
    assert!(origin("effort").starts_with("project file"));
    assert!(origin("budget.tokens").starts_with("user file"));
    assert_eq!(origin("max_rounds"), "environment ELENCHUS_MAX_ROUNDS");
    assert_eq!(shown["max_rounds"]["value"], 7);
    assert_eq!(origin("engine"), "environment ELENCHUS_ENGINE");
    assert_eq!(shown["engine"]["value"], "restate");
    assert_eq!(origin("search.limit"), "default");
    assert_eq!(origin("budget.passages"), "effort");
    assert_eq!(shown["budget.passages"]["value"], 20);
    // A path in a file is seen from the file's folder.
    let corpus = shown["corpus"]["value"].as_str().unwrap();
    assert_eq!(corpus, world.folder().join("docs").to_str().unwrap());
    let paths = world.run(&["config", "path"]).out;
    assert!(paths.contains("config.toml") && paths.contains("elenchus.toml"), "{paths}");
}

#[test]
fn the_defaults() {
    let shown = World::new().run(&["config", "show", "--origin"]);
    insta::assert_snapshot!("config_show", shown.succeeds().out);
}

#[test]
fn a_variable_of_another_name_is_shown_where_it_counts() {
    let world = World::new();
    let shown = |variables: &[(&str, &str)]| {
        world.run_with(&["config", "show", "--origin", "--json"], variables).succeeds().json()
    };
    let secret = "http://ann:s3cret@127.0.0.1:6333";
    let with = shown(&[("QDRANT_URL", secret), ("OLLAMA_HOST", "")]);
    let entry = |value: &str, origin: &str| json!({ "value": value, "origin": origin });
    assert_eq!(with["qdrant.url"], entry("http://ann@127.0.0.1:6333", "environment QDRANT_URL"));
    assert_eq!(with["ollama.url"]["origin"], json!(null));
    // A store on a server is one that this build can use; others' variables say nothing of ours.
    let url = "postgres://ann:s3cret@db/runs";
    let stored = shown(&[("DATABASE_URL", url)])["store"].clone();
    let on_server = entry("postgres://ann@db/runs", "environment DATABASE_URL");
    assert_eq!(stored == on_server, cfg!(feature = "postgres"), "{stored}");
    assert_eq!(shown(&[("DATABASE_URL", "mysql://db/runs")])["store"]["value"], json!(null));
    // What is set wins, as where it is used.
    world.write("elenchus.toml", "store = \"own.db\"\n[qdrant]\nurl = \"http://127.0.0.1:1\"\n");
    let set = shown(&[("QDRANT_URL", secret), ("DATABASE_URL", url)]);
    assert_eq!(set["qdrant.url"]["value"], "http://127.0.0.1:1");
    assert!(set["store"]["value"].as_str().unwrap().ends_with("own.db"), "{set}");
}

#[test]
fn a_corpus_that_is_set_need_not_be_named() {
    let world = World::new();
    world.write("elenchus.toml", format!("corpus = {:?}\n", harbor()));
    world.run(&["ask", CAPACITY, "-q"]).succeeds();
    world.run(&["search", "capacity"]).succeeds();
    world.run(&["ingest"]).succeeds();
}

#[test]
fn a_bad_setting_is_told_with_its_place() {
    let world = World::new();
    let file = world.write("elenchus.toml", "[budget]\npasages = 3\n");
    world.ask(CAPACITY, &[]).fails(2, "`budget.pasages`", "did you mean `budget.passages`?");
    std::fs::write(&file, "max_rounds = 11\n").unwrap();
    world.ask(CAPACITY, &[]).fails(2, "`max_rounds` cannot be 11", "1 to 10");
    std::fs::write(&file, "effort = \"deep\"\nmax_rounds =\n").unwrap();
    world.ask(CAPACITY, &[]).fails(2, "line 2", "mend that line");
    // The way out is none that fails in the same way.
    world.run(&["config", "show"]).fails(2, "line 2", "elenchus config path");
    // What needs no settings works on.
    assert_eq!(world.run(&["config", "path"]).code, Some(0));
    let doctor = world.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1));
    assert!(doctor.out.contains("BAD   settings"), "{}", doctor.out);
    std::fs::remove_file(&file).unwrap();

    let mut command = world.command();
    command.env("ELENCHUS_EFFORT", "huge").args(["config", "show"]);
    ran(&mut command).fails(2, "ELENCHUS_EFFORT", "quick, standard, deep");
    let mut command = world.command();
    command.env("ELENCHUS_EFORT", "quick").args(["runs", "list"]);
    let warned = ran(&mut command);
    assert!(
        warned.succeeds().err.contains("warning: the variable ELENCHUS_EFORT")
            && warned.err.contains("did you mean ELENCHUS_EFFORT?"),
        "{}",
        warned.err
    );
    let mut command = world.command();
    command.env("ELENCHUS_EFFORT", "").args(["config", "show"]);
    ran(&mut command).succeeds();
}

#[test]
fn bad_flag_values_are_usage_errors() {
    let world = World::new();
    for more in [
        &["--max-rounds", "11"][..],
        &["--max-rounds", "0"],
        &["--effort", "huge"],
        &["--budget-usd", "0"],
        &["--budget-seconds", "-1"],
        &["--budget-passages", "many"],
        &["--json", "--jsonl"],
        &["--force"],
        &["--ephemeral", "--store", "x.db"],
        &["--index", ""],
        &["--since", "2026-13-45"],
        &["--since", "2026-02-30"],
    ] {
        let ran = world.ask(CAPACITY, more);
        assert_eq!(ran.code, Some(2), "{more:?} {ran:?}");
        assert!(!world.store().exists());
    }
}

#[test]
fn what_is_about_pages_is_told_to_do_nothing_for_documents() {
    let world = World::new();
    let ran = world.ask(CAPACITY, &["-q", "--since", "2026-02-28"]);
    assert!(ran.succeeds().err.contains("--since is about pages of the web"), "{}", ran.err);
    let ran = world.ask(CAPACITY, &["-q"]);
    assert!(!ran.succeeds().err.contains("pages of the web"), "{}", ran.err);
}

#[test]
fn the_doctor_finds_everything_in_order() {
    let world = World::new();
    world.run(&["doctor"]).succeeds();
    world.ask(CAPACITY, &["-q"]);
    let folder = harbor();
    let ran = world.run(&["doctor", "--json", "--corpus", folder.to_str().unwrap()]);
    let checks = ran.succeeds().json();
    let check = |name: &str| {
        checks.as_array().unwrap().iter().find(|check| check["name"] == name).unwrap().clone()
    };
    assert!(check("store")["found"].as_str().unwrap().contains("is sound"));
    assert!(check("index")["found"].as_str().unwrap().contains("14 documents"));
}

/// A server that refuses whoever asks, and what it was asked.
fn refusing() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let base = format!("http://{address}/v1");
    let (told, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                head.extend(byte);
            }
            let refusal =
                "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
            let _ = stream.write_all(refusal.as_bytes());
            if told.send(String::from_utf8_lossy(&head).into_owned()).is_err() {
                return;
            }
        }
    });
    (base, heard)
}

#[cfg(unix)]
#[test]
fn a_key_in_a_file_is_sent_and_told_of_and_never_shown() {
    use std::os::unix::fs::PermissionsExt;
    const KEY: &str = "k-made-up-and-secret";
    let world = World::new();
    let file = world.write("key", format!("{KEY}\n"));
    let mode = |mode: u32| {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let (base, heard) = refusing();
    let variables = [("OPENAI_BASE_URL", base.as_str()), ("OPENAI_API_KEY", "k-of-the-variable")];
    let doctor = ["doctor", "--model", "openai:written", "--key-file", "key"];

    mode(0o600);
    let ran = world.run_with(&doctor, &variables);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let asked = heard.recv_timeout(Duration::from_secs(30)).expect("it was asked");
    assert!(asked.contains(&format!("Bearer {KEY}")), "{asked}");
    assert!(ran.out.contains("openai from the file key (flag --key-file)"), "{}", ran.out);
    // The way out leads to where the key came from.
    assert!(ran.out.contains("check the key in the file key"), "{}", ran.out);
    assert!(!ran.out.contains("OPENAI_API_KEY"), "{}", ran.out);
    // Without a file it is that of the variable.
    let plain = world.run_with(&doctor[..3], &variables);
    assert!(plain.out.contains("openai from OPENAI_API_KEY"), "{}", plain.out);
    // A setting of the user names one too; one of a project does not.
    let user = world.user_config();
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    std::fs::write(&user, format!("[brave]\nkey_file = {:?}\n", file.display().to_string()))
        .unwrap();
    let told = world.run_with(&doctor[..3], &variables);
    assert!(told.out.contains("brave from the file "), "{}", told.out);
    world.write("elenchus.toml", "[openai]\nkey_file = \"key\"\n");
    let refused = world.run_with(&doctor[..3], &variables);
    assert!(refused.out.contains("a project has no say over keys"), "{}", refused.out);
    std::fs::remove_file(world.folder().join("elenchus.toml")).unwrap();

    // What others can read is used by nothing.
    mode(0o640);
    let open = world.run_with(&doctor, &variables);
    assert!(open.out.contains("BAD   keys") && open.out.contains("mode 640"), "{}", open.out);
    let model = ["--model", "openai:written", "--key-file", "openai=key"];
    let ask = world.ask(CAPACITY, &model);
    ask.fails(5, "other users may read it", "chmod 600");
    let web = world.ask(CAPACITY, &["--web", "brave"]);
    web.fails(5, "other users may read it", "chmod 600");
    world.ask(CAPACITY, &["--key-file", "key"]).fails(2, "does not say whose key", "PROVIDER=FILE");
    for said in [&ran, &plain, &told, &refused, &open, &ask, &web] {
        let said = format!("{}{}", said.out, said.err);
        assert!(!said.contains(KEY) && !said.contains("k-of-the-variable"), "{said}");
    }
}

#[test]
fn no_password_of_a_store_is_shown() {
    let world = World::new();
    let url = "postgres://ann:s3cret@127.0.0.1:1/runs?sslmode=disable&password=s3cret";
    world.write(
        "elenchus.toml",
        format!("store = {url:?}\n[qdrant]\nurl = \"http://q:s3cret@127.0.0.1:1\"\n"),
    );
    for words in [&["config", "show"][..], &["config", "show", "--json", "--origin"], &["doctor"]] {
        let said = world.run(words);
        assert!(!format!("{}{}", said.out, said.err).contains("s3cret"), "{words:?}: {said:?}");
    }
    // It is a server, not a path beside the file.
    let shown = world.run(&["config", "show", "--json"]).json();
    assert_eq!(shown["store"], "postgres://ann@127.0.0.1:1/runs");
    assert_eq!(shown["qdrant.url"], "http://q@127.0.0.1:1");
}
