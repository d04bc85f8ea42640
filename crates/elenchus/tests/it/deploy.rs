//! The examples of a deployment: their commands are ones that the binary knows, and nothing of theirs runs unconfined.

use crate::world::{CAPACITY, World, harbor, ran};
use std::collections::BTreeSet;
use std::path::Path;

/// An example without its comments.
fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/deploy");
    let text = std::fs::read_to_string(folder.join(name)).expect("it ships with the repository");
    let said = |line: &str| {
        let line = if line.starts_with('#') { "" } else { line };
        line.split(" #").next().unwrap_or_default().to_owned()
    };
    text.lines().map(said).collect::<Vec<_>>().join("\n")
}

/// The commands of a text that begin something of ours, each with its flags, which have one value each.
fn commands(text: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "\",[]".contains(c))
        .filter(|word| !word.is_empty() && *word != "args:")
        .collect();
    let mut found = Vec::new();
    for (at, pair) in words.windows(2).enumerate() {
        let [program, command] = [pair[0], pair[1]];
        if !(program == "elenchus" || program.ends_with("/bin/elenchus"))
            || !["serve", "worker"].contains(&command)
        {
            continue;
        }
        let mut line = vec![command.to_owned()];
        for flag in words[at + 2..].chunks(2).take_while(|flag| flag[0].starts_with("--")) {
            line.extend(flag.iter().map(|&word| word.to_owned()));
        }
        found.push(line);
    }
    found
}

const UNITS: [&str; 3] =
    ["elenchus-serve.service", "elenchus-worker.service", "elenchus-postgres-worker.service"];
const CLUSTER: [&str; 3] = ["kubernetes.yaml", "kubernetes-qdrant.yaml", "kubernetes-restate.yaml"];

#[test]
fn the_binary_knows_the_commands_of_the_examples() {
    let world = World::new();
    for (name, begun) in [
        ("compose.yaml", &["serve", "worker", "worker"][..]),
        ("elenchus-serve.service", &["serve"]),
        ("elenchus-worker.service", &["worker"]),
        ("elenchus-postgres-worker.service", &["worker"]),
        ("kubernetes.yaml", &["serve", "worker"]),
        ("kubernetes-qdrant.yaml", &[]),
        ("kubernetes-restate.yaml", &["worker"]),
    ] {
        let found = commands(&example(name));
        let names: Vec<&str> = found.iter().map(|line| line[0].as_str()).collect();
        assert_eq!(names, begun, "{name}");
        for line in &found {
            assert!(line.iter().any(|word| word == "--corpus"), "{name}: {line:?}");
            // What is not known is refused before the help is given.
            let words: Vec<&str> = line.iter().map(String::as_str).chain(["--help"]).collect();
            assert_eq!(world.run(&words).code, Some(0), "{name}: {line:?}");
        }
    }
}

/// The words of all examples, comments included, that are names of variables of a kind.
fn variables(kind: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/deploy");
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("they ship with the repository").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("it is text");
        found.extend(
            text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
                .filter(|word| word.starts_with(kind))
                .map(str::to_owned),
        );
    }
    found
}

#[test]
fn the_binary_reads_the_variables_of_the_examples() {
    let world = World::new();
    assert_eq!(variables("ELENCHUS_"), BTreeSet::from(["ELENCHUS_ENGINE".to_owned()]));
    let shown = world.run_with(&["config", "show", "--origin"], &[("ELENCHUS_ENGINE", "restate")]);
    let engine = |line: &&str| line.starts_with("engine ") && line.contains("ELENCHUS_ENGINE");
    let line = shown.out.lines().find(engine).expect("the setting is there");
    assert!(line.contains("restate"), "{line}");
    // Empty is what compose gives for what is not set: nothing is refused, and nobody is asked.
    let empty = ["ELENCHUS_ENGINE", "QDRANT_URL", "QDRANT_API_KEY", "RESTATE_URL", "DATABASE_URL"];
    world.run_with(&["memory", "search", "nothing"], &empty.map(|name| (name, ""))).succeeds();
    // Where files lie: an index and a store in folders that only these name.
    let world = World::new();
    let [data, cache] = ["state", "state/cache"].map(|name| world.folder().join(name));
    let folders = [("XDG_DATA_HOME", data.as_path()), ("XDG_CACHE_HOME", cache.as_path())];
    let mut asking = world.command();
    asking.args(["ask", CAPACITY, "-q", "--corpus"]).arg(harbor()).envs(folders);
    ran(&mut asking).succeeds();
    assert!(data.join("elenchus/elenchus.db").exists() && cache.join("elenchus").exists());
    assert!(!world.store().exists());
}

/// The addresses of servers, which the binary asks where they name one.
#[cfg(all(feature = "qdrant", feature = "restate", feature = "postgres"))]
#[test]
fn the_binary_asks_the_servers_that_the_variables_of_the_examples_name() {
    let world = World::new();
    // Nobody listens there.
    let place = "127.0.0.1:9".to_owned();
    let http = format!("http://{place}");
    let known: BTreeSet<String> =
        ["QDRANT_URL", "QDRANT_API_KEY"].into_iter().map(str::to_owned).collect();
    let own = |name: &String| !name.starts_with("QDRANT__");
    assert_eq!(variables("QDRANT_").into_iter().filter(own).collect::<BTreeSet<_>>(), known);
    let record = ["memory", "record", "--title", "T", "--description", "D", "--content", "C"];
    world.run(&[&record[..], &["--outcome", "success"]].concat()).succeeds();
    let checked = world.run_with(&["index", "check"], &[("QDRANT_URL", http.as_str())]);
    checked.fails(5, &http, "QDRANT_URL");
    let folder = harbor();
    let asking =
        ["ask", CAPACITY, "--engine", "restate", "--corpus", folder.to_str().expect("UTF-8")];
    world.run_with(&asking, &[("RESTATE_URL", http.as_str())]).fails(4, &http, "RESTATE_URL");
    let url = format!("postgres://elenchus@{place}/elenchus");
    let listed = world.run_with(&["runs", "list"], &[("DATABASE_URL", url.as_str())]);
    listed.fails(5, &place, "DATABASE_URL");
}

#[test]
fn nothing_of_the_examples_runs_unconfined() {
    let compose = example("compose.yaml");
    let services =
        compose.matches("    image: ").count() + compose.matches("<<: *elenchus").count();
    assert_eq!(services, 6);
    // The one of ours stands for three, and the database is not made to give up what it needs to begin.
    assert_eq!(compose.matches("no-new-privileges:true").count(), services - 2);
    assert_eq!(compose.matches("cap_drop: [ALL]").count(), services - 3);
    assert_eq!(compose.matches("ports: [").count(), 1, "one door");
    for name in CLUSTER {
        let text = example(name);
        let pods =
            text.matches("kind: Deployment").count() + text.matches("kind: StatefulSet").count();
        assert!(pods > 0, "{name}");
        for setting in [
            "automountServiceAccountToken: false",
            "runAsNonRoot: true",
            "seccompProfile: {type: RuntimeDefault}",
            "allowPrivilegeEscalation: false",
            "capabilities: {drop: [ALL]}",
            "limits: {memory: ",
        ] {
            assert_eq!(text.matches(setting).count(), pods, "{name}: {setting}");
        }
        assert!(text.matches("policyTypes: [Ingress, Egress]").count() >= pods, "{name}");
    }
    for name in UNITS {
        let text = example(name);
        for setting in [
            "DynamicUser=yes",
            "ProtectSystem=strict",
            "ProtectHome=yes",
            "PrivateTmp=yes",
            "PrivateDevices=yes",
            "NoNewPrivileges=yes",
            "CapabilityBoundingSet=",
            "RestrictNamespaces=yes",
            "MemoryDenyWriteExecute=yes",
            "SystemCallFilter=@system-service",
            "MemoryMax=",
        ] {
            assert!(text.lines().any(|line| line.starts_with(setting)), "{name}: {setting}");
        }
    }
}
