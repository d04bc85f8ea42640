//! Where foreign code comes from: one registry, each package under the hash that it had when it was taken.
//!
//! Whether a version was withdrawn, or is known to be weak, stands in lists that change every day; nothing here asks a network for
//! them. `docs/packaging.md` says how to.

use std::collections::BTreeMap;

use super::{File, Problem, line_of};
use crate::metadata::{Origin, Package};

/// Nothing from a repository or a folder, whose content may change under one name, and nothing from a second registry, in which a
/// name may be another's.
pub(super) fn origins(packages: &[Package]) -> Vec<Problem> {
    let mut registries: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages {
        if let Origin::Registry(name) = &package.origin {
            *registries.entry(name).or_default() += 1;
        }
    }
    let usual = registries.iter().max_by_key(|(_, count)| **count).map(|(name, _)| *name);
    let mut problems = Vec::new();
    for package in packages {
        let from = match &package.origin {
            Origin::Ours => continue,
            Origin::Registry(name) if Some(name.as_str()) == usual => continue,
            Origin::Registry(name) => format!("another registry than the rest ({name})"),
            Origin::Folder => "a folder outside the workspace".to_owned(),
            Origin::Other(source) => source.clone(),
        };
        problems.push(Problem::new(
            "Cargo.lock",
            1,
            format!("{} {} comes from {from}", package.name, package.version),
            "take it from the registry, or bring its sources into the workspace with their licence in NOTICE",
        ));
    }
    problems
}

/// Every package that is not ours has its hash in the lock file.
pub(super) fn checksums(files: &[File]) -> Vec<Problem> {
    let Some(lock) = files.iter().find(|file| file.path == "Cargo.lock") else { return Vec::new() };
    let mut problems = Vec::new();
    for block in lock.text.split("[[package]]\n").skip(1) {
        let has = |key: &str| block.lines().any(|line| line.starts_with(key));
        if has("source = ") && !has("checksum = ") {
            let name = block.lines().next().unwrap_or_default();
            problems.push(Problem::new(
                "Cargo.lock",
                line_of(&lock.text, name),
                format!("no checksum behind {name}"),
                "take the package from a registry and let cargo write the lock file",
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, origin: Origin) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: None,
            manifest: None,
            origin,
            dependencies: Vec::new(),
        }
    }

    #[test]
    fn foreign_code_comes_from_one_registry() {
        let registry = |name: &str| Origin::Registry(format!("registry+{name}"));
        let good =
            [package("a", registry("x")), package("b", registry("x")), package("c", Origin::Ours)];
        assert_eq!(origins(&good), []);
        let mut all = good.to_vec();
        all.push(package("d", registry("y")));
        all.push(package("e", Origin::Folder));
        all.push(package("f", Origin::Other("git+z".to_owned())));
        let whats: Vec<String> = origins(&all).into_iter().map(|problem| problem.what).collect();
        assert_eq!(
            whats,
            [
                "d 1.0.0 comes from another registry than the rest (registry+y)",
                "e 1.0.0 comes from a folder outside the workspace",
                "f 1.0.0 comes from git+z",
            ]
        );
    }

    #[test]
    fn what_is_not_ours_has_its_hash() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nsource = \"r\"\nchecksum = \"0\"\n\n\
                    [[package]]\nname = \"b\"\n\n[[package]]\nname = \"c\"\nsource = \"r\"\n";
        let problems = checksums(&[File::new("Cargo.lock", lock)]);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(
            (problems[0].line, problems[0].what.as_str()),
            (12, "no checksum behind name = \"c\"")
        );
        assert_eq!(checksums(&[]), []);
    }
}
