//! Everything that is linked in comes under a licence that Apache-2.0 can ship with.

use super::Problem;
use crate::metadata::Package;

const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // Data (a list of root certificates): asks for nothing but its text beside a copy.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

pub(super) fn allowed(packages: &[Package]) -> Vec<Problem> {
    let judged = packages.iter().filter_map(|package| {
        let cause = match package.licence.as_deref() {
            None => "states no licence".to_owned(),
            Some(expression) => match permits(expression) {
                Ok(true) => return None,
                Ok(false) => format!("is licensed as {expression:?}, which is not on the list"),
                Err(error) => format!("is licensed as {expression:?}, which cannot be read: {error}"),
            },
        };
        let what = format!("{} {} {cause}", package.name, package.version);
        let way_out = "choose another crate; if the terms fit Apache-2.0, add them to xtask/src/tidy/licences.rs";
        Some(Problem::new(package.manifest.as_deref().unwrap_or("Cargo.lock"), 1, what, way_out))
    });
    judged.collect()
}

/// Whether an SPDX expression leaves at least one way to comply. The old "MIT/Apache-2.0" reads as OR.
fn permits(expression: &str) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (verdict, rest) = any_of(&words)?;
    if rest.is_empty() { Ok(verdict) } else { Err(format!("{:?} is left over", rest.join(" "))) }
}

fn any_of<'a>(words: &'a [&'a str]) -> Result<(bool, &'a [&'a str]), String> {
    let (mut verdict, mut rest) = all_of(words)?;
    while let ["OR", tail @ ..] = rest {
        let (next, tail) = all_of(tail)?;
        (verdict, rest) = (verdict || next, tail);
    }
    Ok((verdict, rest))
}

fn all_of<'a>(words: &'a [&'a str]) -> Result<(bool, &'a [&'a str]), String> {
    let (mut verdict, mut rest) = term(words)?;
    while let ["AND", tail @ ..] = rest {
        let (next, tail) = term(tail)?;
        (verdict, rest) = (verdict && next, tail);
    }
    Ok((verdict, rest))
}

fn term<'a>(words: &'a [&'a str]) -> Result<(bool, &'a [&'a str]), String> {
    match words {
        ["(", tail @ ..] => match any_of(tail)? {
            (verdict, [")", tail @ ..]) => Ok((verdict, tail)),
            _ => Err("a bracket is not closed".to_owned()),
        },
        [] | ["OR" | "AND" | "WITH" | ")", ..] => Err("a licence is missing".to_owned()),
        [name, "WITH", exception, tail @ ..] => {
            Ok((ALLOWED.contains(&format!("{name} WITH {exception}").as_str()), tail))
        }
        [name, tail @ ..] => Ok((ALLOWED.contains(name), tail)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Origin;

    #[test]
    fn evaluates_or_and_with_and_brackets() {
        let good = [
            "MIT",
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only OR MIT",
            "MIT/Apache-2.0",
            "MIT / Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-2.0-only AND MIT OR Zlib",
            "MIT OR (GPL-2.0-only AND (MPL-2.0 OR ISC))",
        ];
        for expression in good {
            assert_eq!(permits(expression), Ok(true), "{expression}");
        }
        let bad = [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR ISC) AND AGPL-3.0-only",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "MIT WITH LLVM-exception",
        ];
        for expression in bad {
            assert_eq!(permits(expression), Ok(false), "{expression}");
        }
        for expression in ["", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "AND MIT"] {
            assert!(permits(expression).is_err(), "{expression}");
        }
    }

    #[test]
    fn names_the_package_that_breaks_the_rule() {
        let package = |licence: Option<&str>| Package {
            name: "thing".to_owned(),
            version: "1.2.3".to_owned(),
            licence: licence.map(str::to_owned),
            manifest: None,
            origin: Origin::Ours,
            dependencies: Vec::new(),
        };
        let problems = allowed(&[package(Some("MIT")), package(None), package(Some("SSPL-1.0"))]);
        assert_eq!(problems.len(), 2);
        assert_eq!(problems[0].what, "thing 1.2.3 states no licence");
        assert!(problems[1].what.contains("SSPL-1.0"));
    }
}
