//! Which crate may know which. `ARCHITECTURE.md` draws the same arrows.

use super::{File, Problem, line_of};
use crate::metadata::Package;

const CORE: &str = "elenchus-core";
const IO: &str = "elenchus-io";
const ENGINE: &str = "elenchus-engine";
const SERVER: &str = "elenchus-server";

/// Our crates, and those of ours that each may depend on, tests included.
const ARROWS: &[(&str, &[&str])] = &[
    (CORE, &[]),
    (IO, &[CORE]),
    (ENGINE, &[CORE]),
    (SERVER, &[CORE, ENGINE]),
    ("elenchus", &[CORE, IO, ENGINE, SERVER]),
    ("elenchus-evals", &[CORE, IO, ENGINE]),
    ("xtask", &[]),
];

/// Arrows that only tests may use: the crash tests of the engine need the real SQLite store, and so does the memory behind the
/// server.
const TESTS_MAY_USE: &[(&str, &str)] = &[(ENGINE, IO), (SERVER, IO)];

/// What core may use of the outside: pure computation, no runtime, no clock, no sockets.
const CORE_MAY_USE: &[&str] =
    // The first three write formats of a report (its policy's hash, tables, links): text in, text out.
    &[
        "base64",
        "csv",
        "percent-encoding",
        "regex",
        "rust-stemmers",
        // Schemas of types, behind a feature.
        "schemars",
        "serde",
        "serde_json",
        "sha2",
        "thiserror",
        "unicode-segmentation",
    ];

pub(super) fn arrows(packages: &[Package], files: &[File]) -> Vec<Problem> {
    let ours: Vec<&Package> =
        packages.iter().filter(|package| package.manifest.is_some()).collect();
    let is_ours = |name: &str| ours.iter().any(|package| package.name == name);
    let mut problems = Vec::new();
    for package in &ours {
        let manifest = package.manifest.as_deref().unwrap_or_default();
        let text =
            files.iter().find(|file| file.path == manifest).map_or("", |file| file.text.as_str());
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
            problems.push(Problem::new(
                manifest,
                line_of(text, "name ="),
                format!("the crate {} stands in no dependency rule", package.name),
                "say in ARROWS of xtask/src/tidy/crates.rs which of our crates it may use, and why in ARCHITECTURE.md",
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            // A crate may name itself to switch on a feature for its own tests.
            if name == package.name {
                continue;
            }
            let way_out = if package.name == "xtask" {
                "xtask has no dependencies: use std"
            } else if is_ours(name)
                && !allowed.contains(&name)
                && !(dependency.dev && TESTS_MAY_USE.contains(&(package.name.as_str(), name)))
            {
                "put what is needed into elenchus-core (a type or a port), or move the caller"
            } else if package.name == CORE
                && !is_ours(name)
                && !dependency.dev
                && !CORE_MAY_USE.contains(&name)
            {
                "put it behind a port in elenchus-io; if it is pure computation, add it to CORE_MAY_USE with a reason"
            } else {
                continue;
            };
            let what = format!("{} must not depend on {name}", package.name);
            problems.push(Problem::new(manifest, line_of_dependency(text, name), what, way_out));
        }
    }
    problems
}

fn line_of_dependency(text: &str, name: &str) -> usize {
    let names_it =
        |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    text.lines().position(names_it).map_or(1, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::{Dependency, Origin};

    fn package(name: &str, manifest: Option<&str>, dependencies: &[(&str, bool)]) -> Package {
        let dependency =
            |(name, dev): &(&str, bool)| Dependency { name: (*name).to_owned(), dev: *dev };
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: Some("MIT".to_owned()),
            manifest: manifest.map(str::to_owned),
            origin: Origin::Ours,
            dependencies: dependencies.iter().map(dependency).collect(),
        }
    }

    #[test]
    fn accepts_the_arrows_of_the_house() {
        let packages = [
            package(CORE, Some("core.toml"), &[("serde", false), (CORE, true), ("insta", true)]),
            package(ENGINE, Some("engine.toml"), &[(CORE, false), ("tokio", false), (IO, true)]),
            package("xtask", Some("xtask.toml"), &[]),
            package("serde", None, &[("anything", false)]),
        ];
        assert_eq!(arrows(&packages, &[]), []);
    }

    #[test]
    fn refuses_each_wrong_arrow_with_its_line() {
        let packages = [
            package(CORE, Some("core.toml"), &[("tokio", false), (IO, true)]),
            package(ENGINE, Some("engine.toml"), &[(IO, false)]),
            package(IO, Some("io.toml"), &[(ENGINE, false)]),
            package("xtask", Some("xtask.toml"), &[("serde", true)]),
            package("elenchus-new", Some("new.toml"), &[]),
        ];
        let files = [File::new(
            "core.toml",
            "[dependencies]\ntokio-util = \"1\"\ntokio.workspace = true\n",
        )];
        let problems = arrows(&packages, &files);
        let whats: Vec<&str> = problems.iter().map(|problem| problem.what.as_str()).collect();
        assert_eq!(
            whats,
            [
                "elenchus-core must not depend on tokio",
                "elenchus-core must not depend on elenchus-io",
                "elenchus-engine must not depend on elenchus-io",
                "elenchus-io must not depend on elenchus-engine",
                "xtask must not depend on serde",
                "the crate elenchus-new stands in no dependency rule",
            ]
        );
        assert_eq!(problems[0].line, 3);
    }
}
