//! The examples of a deployment: their commands are ones that the binary knows, and nothing of theirs runs unconfined.

use crate::world::World;
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
