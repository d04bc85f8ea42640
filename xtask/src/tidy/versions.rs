//! How much foreign code there is: no crate twice unless it cannot be helped, and a cap on the whole.

use std::collections::BTreeMap;

use super::{File, Problem, line_of};
use crate::metadata::Package;

/// Crates that stand in the lock file in several versions, and who holds the second one back.
pub(super) const TOLERATED: &[(&str, &str)] = &[
    ("base64", "tokio-postgres and the engine Restate are on the older one"),
    ("block-buffer", "sha2 in two versions"),
    ("const-oid", "the signatures of the engine Restate are on the older one"),
    ("cpufeatures", "sha2 and the random generators of proptest"),
    ("crypto-common", "sha2 in two versions"),
    ("derive_more", "harper-brill's tagger and dom_query"),
    ("derive_more-impl", "harper-brill's tagger and dom_query"),
    ("digest", "sha2 in two versions"),
    ("fallible-iterator", "tokio-postgres is on the older one"),
    ("foldhash", "hashbrown in two versions"),
    ("getrandom", "ring, and what is newer"),
    ("hashbrown", "harper-brill's tagger and rusqlite"),
    ("hashlink", "saphyr-parser and rusqlite"),
    ("hmac", "the signatures of the engine Restate are on the older one"),
    ("itertools", "criterion is on the older one, ratatui on the newer"),
    ("md-5", "lopdf's is the older, tokio-postgres' the newer"),
    ("phf", "tokio-postgres is on the older one"),
    ("phf_shared", "tokio-postgres is on the older one"),
    ("r-efi", "getrandom in two versions; compiled for firmware only"),
    ("rand", "the engine Restate and OpenTelemetry are on older ones"),
    ("rand_chacha", "the engine Restate and OpenTelemetry are on different ones"),
    ("rand_core", "the engine Restate and OpenTelemetry are on older ones"),
    ("regress", "the engine Restate and what generates its types"),
    ("schemars", "what generates the types of the engine Restate is on the older one"),
    ("schemars_derive", "what generates the types of the engine Restate is on the older one"),
    (
        "serde_derive_internals",
        "what generates the types of the engine Restate is on the older one",
    ),
    ("sha2", "lopdf's is the older, rmcp's the newer"),
    ("strum", "harper-brill's tagger is on the older one, ratatui on the newer"),
    ("strum_macros", "harper-brill's tagger is on the older one, ratatui on the newer"),
    ("syn", "derive crates in the middle of a major version change"),
    ("thiserror", "harper-brill's tagger is on the first major version"),
    ("thiserror-impl", "harper-brill's tagger is on the first major version"),
    ("wasi", "tokio-postgres and what is older; compiled for WebAssembly only"),
    ("windows-sys", "ring, and what is newer; compiled on Windows only"),
    ("winnow", "toml and what it parses with"),
];

/// 273 packages without HTTP; the client for language models brought about a hundred, a third of them for systems other
/// than the one that compiles, and the MCP server thirty-nine, of which ten are for other systems;
/// what the web brought was taken back with two packages that our own reader of pages replaces;
/// drawing in a terminal brought forty, half of them for other systems or for options that are off;
/// the engines for more than one machine (PostgreSQL, Restate) brought ninety, which only their features compile, and the
/// messages of OpenTelemetry nine, of which five are generators of random numbers that nothing here calls; what reads the heads of mails brought
/// two, of which one is a macro. Each one is code that we answer for.
const MOST_PACKAGES: usize = 542;

pub(super) fn duplicates(packages: &[Package], tolerated: &[(&str, &str)]) -> Vec<Problem> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.retain(|_, found| found.len() > 1);
    let mut problems = Vec::new();
    for (name, found) in &versions {
        if !tolerated.iter().any(|(known, _)| known == name) {
            problems.push(Problem::new(
                "Cargo.lock",
                1,
                format!("{name} is compiled in several versions: {}", found.join(", ")),
                format!("`cargo tree -i {name}@VERSION` shows who asks; align them, or tolerate it in xtask/src/tidy/versions.rs"),
            ));
        }
    }
    for (name, _) in tolerated {
        if !versions.contains_key(name) {
            problems.push(Problem::new(
                "xtask/src/tidy/versions.rs",
                line_of(include_str!("versions.rs"), &format!("(\"{name}\"")),
                format!("{name} is tolerated twice but stands only once or not at all"),
                "take it off the list",
            ));
        }
    }
    problems
}

pub(super) fn count(files: &[File]) -> Vec<Problem> {
    let Some(lock) = files.iter().find(|file| file.path == "Cargo.lock") else {
        return vec![Problem::new(
            "Cargo.lock",
            1,
            "is missing",
            "commit it: every build is --locked",
        )];
    };
    let found = lock.text.lines().filter(|line| *line == "[[package]]").count();
    if found <= MOST_PACKAGES {
        return Vec::new();
    }
    let what = format!("{found} packages, and {MOST_PACKAGES} are the limit");
    let way_out = "drop a dependency or its default features; raise MOST_PACKAGES only with a reason in the commit";
    vec![Problem::new("Cargo.lock", 1, what, way_out)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Origin;

    fn package(name: &str, version: &str) -> Package {
        Package {
            name: name.to_owned(),
            version: version.to_owned(),
            licence: None,
            manifest: None,
            origin: Origin::Ours,
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn a_second_version_is_tolerated_only_by_name_and_only_while_it_exists() {
        let packages = [package("a", "1.0.0"), package("a", "2.0.0"), package("b", "1.0.0")];
        assert_eq!(duplicates(&packages, &[("a", "why")]), []);
        let unknown = duplicates(&packages, &[]);
        assert_eq!(unknown[0].what, "a is compiled in several versions: 1.0.0, 2.0.0");
        let stale = duplicates(&packages, &[("a", "why"), ("b", "why")]);
        assert!(stale[0].what.starts_with("b is tolerated"), "{stale:?}");
        assert_eq!(stale[0].path, "xtask/src/tidy/versions.rs");
    }

    #[test]
    fn the_number_of_packages_is_capped() {
        let lock = |packages: usize| [File::new("Cargo.lock", &"[[package]]\n".repeat(packages))];
        assert_eq!(count(&lock(MOST_PACKAGES)), []);
        assert_eq!(count(&lock(MOST_PACKAGES + 1)).len(), 1);
        assert_eq!(count(&[]).len(), 1);
    }
}
