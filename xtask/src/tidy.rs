//! Rules that neither the compiler nor clippy checks. Each check is a pure function from files or packages to
//! problems, so that its tests need no workspace.

mod crates;
mod length;
mod licences;
mod packaging;
mod registered;
mod source;
mod supply;
mod versions;

use std::fmt;
use std::path::Path;
use std::process::Command;

use crate::metadata;

/// A broken rule: where, what, and how to get out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    path: String,
    line: usize,
    what: String,
    way_out: String,
    /// Shown, but does not fail.
    warning: bool,
}

impl Problem {
    fn new(path: &str, line: usize, what: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            what: what.into(),
            way_out: way_out.into(),
            warning: false,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = if self.warning { "warning" } else { "error" };
        writeln!(out, "{grade}: {}:{}: {}", self.path, self.line, self.what)?;
        write!(out, "  way out: {}", self.way_out)
    }
}

/// A text file of the repository, its path relative to the root and with forward slashes.
#[derive(Debug, Clone)]
pub(crate) struct File {
    path: String,
    text: String,
}

impl File {
    #[cfg(test)]
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    fn is_rust(&self) -> bool {
        self.ends_in("rs")
    }

    fn ends_in(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// Integration tests and benchmarks, in which nothing is shipped.
    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.contains("/benches/")
    }

    /// The lines from 1, up to the first `#[cfg(test)]` module of a Rust file.
    fn shipped_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let rust = self.is_rust();
        lines.take_while(move |(_, line)| !(rust && line.trim_end() == "#[cfg(test)]"))
    }
}

/// Where `needle` first stands in a text, as a line number from 1; 1 if nowhere.
fn line_of(text: &str, needle: &str) -> usize {
    text.lines().position(|line| line.contains(needle)).map_or(1, |at| at + 1)
}

/// Runs every check, prints what it found and tells whether the tree is tidy.
pub(crate) fn run(root: &Path) -> bool {
    let problems = match check(root) {
        Ok(problems) => problems,
        Err(cause) => {
            eprintln!("error: tidy could not look: {cause}");
            return false;
        }
    };
    for problem in &problems {
        println!("{problem}");
    }
    let warnings = problems.iter().filter(|problem| problem.warning).count();
    let errors = problems.len() - warnings;
    println!("tidy: {errors} errors, {warnings} warnings");
    errors == 0
}

fn check(root: &Path) -> Result<Vec<Problem>, String> {
    let files = files(root)?;
    let packages = metadata::read(root)?;
    let mut problems = crates::arrows(&packages, &files);
    problems.extend(licences::allowed(&packages));
    problems.extend(supply::origins(&packages));
    problems.extend(supply::checksums(&files));
    problems.extend(versions::duplicates(&packages, versions::TOLERATED));
    problems.extend(versions::count(&files));
    problems.extend(length::files(&files, length::LONG_TABLES));
    problems.extend(source::attributes(&files));
    problems.extend(source::machine_paths(&files));
    problems.extend(source::unowned_work(&files));
    problems.extend(source::unheard_skips(&files));
    problems.extend(registered::test_files(&files));
    problems.extend(registered::prompts(&files));
    problems.extend(registered::eval_keys(&files));
    problems.extend(registered::changelog(&files));
    problems.extend(packaging::server(&files));
    problems.extend(packaging::links(&files));
    problems.sort_by(|a, b| (&a.path, a.line, &a.what).cmp(&(&b.path, b.line, &b.what)));
    Ok(problems)
}

/// The text files that git tracks or would track. Binary ones have no lines to check.
fn files(root: &Path) -> Result<Vec<File>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output();
    let paths = match output {
        Ok(output) if output.status.success() => {
            let listed = String::from_utf8_lossy(&output.stdout).into_owned();
            listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
        }
        // An unpacked archive of the sources has no git folder.
        _ => walk(root)?,
    };
    let read =
        |path: String| Some(File { text: std::fs::read_to_string(root.join(&path)).ok()?, path });
    Ok(paths.into_iter().filter_map(read).collect())
}

fn walk(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root.join(&folder)).map_err(|error| error.to_string())?;
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(|error| error.to_string())?;
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            if kind.is_file() {
                found.push(path);
            } else if kind.is_dir() && name != ".git" && !name.starts_with("target") {
                folders.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_place_rule_and_way_out() {
        let problem = Problem::new("a/b.rs", 7, "too long", "split it");
        assert_eq!(problem.to_string(), "error: a/b.rs:7: too long\n  way out: split it");
    }

    #[test]
    fn shipped_lines_end_where_the_tests_begin() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(File::new("src/a.rs", text).shipped_lines().count(), 1);
        assert_eq!(File::new("a.md", text).shipped_lines().count(), 3);
    }

    #[test]
    fn walking_finds_files_and_leaves_out_builds() {
        let found = walk(&crate::root().join("xtask")).unwrap();
        assert!(found.contains(&"src/tidy/length.rs".to_owned()), "{found:?}");
        assert!(found.contains(&"Cargo.toml".to_owned()));
    }
}
