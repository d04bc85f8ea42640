//! What may not stand in a line.

use super::{File, Problem};

/// An exception that nobody has to take back, in code or in cargo's configuration.
pub(super) fn attributes(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        let config = file.path.starts_with(".cargo/");
        if !config && !file.is_rust() {
            continue;
        }
        for (at, line) in file.text.lines().enumerate() {
            let code = line.trim_start();
            let attribute = (code.starts_with("#[") || code.starts_with("#!["))
                && words_before(code, "allow(").next().is_some();
            let flag = config && (code.contains("\"-A") || code.contains(" -A"));
            if attribute || flag {
                problems.push(Problem::new(
                    &file.path,
                    at + 1,
                    "a lint is switched off and nothing says when it can come back",
                    "mend the cause, or #[expect(LINT, reason = \"...\")], which fails once it is not needed",
                ));
            }
        }
    }
    problems
}

/// Folders of one machine. A temporary folder is named only by a test.
pub(super) fn machine_paths(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files {
        let shipped = if file.is_test() { 0 } else { file.shipped_lines().count() };
        for (at, line) in file.text.lines().enumerate() {
            let mut roots = vec![concat!("/", "work/"), concat!("/", "root/")];
            if at < shipped {
                roots.push(concat!("/", "tmp/"));
            }
            for root in roots {
                if names_a_path(line, root) {
                    problems.push(Problem::new(
                        &file.path,
                        at + 1,
                        format!("a path of one machine: {root}"),
                        "make it relative to the repository, an argument, or a temporary folder made by a crate",
                    ));
                }
            }
        }
    }
    problems
}

/// Whether `root` stands at the start of a path and a name follows.
fn names_a_path(line: &str, root: &str) -> bool {
    line.match_indices(root).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let inside = before.is_some_and(|c| c.is_alphanumeric() || "._-~*})".contains(c));
        let after = line[at + root.len()..].chars().next();
        !inside && after.is_some_and(|c| c.is_ascii_alphabetic() || c == '.' || c == '_')
    })
}

/// Work left for later that no issue owns.
pub(super) fn unowned_work(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| holds_code(&file.path)) {
        for (at, line) in file.text.lines().enumerate() {
            for word in [concat!("TO", "DO"), concat!("FIX", "ME")] {
                let in_comment = |start: usize| {
                    let before = &line[..start];
                    ["//", "#", "/*", "<!--", "--"].iter().any(|mark| before.contains(mark))
                };
                if words_before(line, word).any(in_comment) && !names_an_issue(line) {
                    problems.push(Problem::new(
                        &file.path,
                        at + 1,
                        format!("{word} without an issue"),
                        format!("file one and write {word}(#number), or do it now"),
                    ));
                }
            }
        }
    }
    problems
}

/// Words for something left out that the summary of the tests does not hear.
pub(super) fn unheard_skips(files: &[File]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for (at, line) in file.text.lines().enumerate() {
            if [concat!("\"SKIP", "PED"), concat!("\"skip", "ped: ")]
                .iter()
                .any(|words| line.contains(*words))
            {
                problems.push(Problem::new(
                    &file.path,
                    at + 1,
                    "what is left out is told in words that no summary counts",
                    "begin the line with `skip:`, which `cargo xtask test` and `nightly` list",
                ));
            }
        }
    }
    problems
}

fn holds_code(path: &str) -> bool {
    let endings = [".rs", ".toml", ".py", ".sh", ".js", ".css", ".sql", ".yml", ".yaml"];
    endings.iter().any(|ending| path.ends_with(ending)) || path == ".ci/run"
}

/// Where `needle` stands in `line` without a letter, digit or underscore before it.
fn words_before<'a>(line: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bounded = |at: &usize| {
        !line[..*at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_')
    };
    line.match_indices(needle).map(|(at, _)| at).filter(bounded)
}

fn names_an_issue(line: &str) -> bool {
    line.match_indices('#').any(|(at, _)| line[at + 1..].starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(problems: &[Problem]) -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn allow_is_refused_and_expect_is_not() {
        let text = "#[expect(dead_code, reason = \"x\")]\n  #[allow(dead_code)]\n#![cfg_attr(a, allow(b))]\nfn allow(x: u8) {}\n// #[allow(dead_code)] in prose\n#[disallow(x)]\n";
        assert_eq!(lines(&attributes(&[File::new("src/a.rs", text)])), [2, 3]);
        assert_eq!(attributes(&[File::new("a.md", text)]), []);
        let config = File::new(".cargo/config.toml", "[build]\nrustflags = [\"-Aunused\"]\n");
        assert_eq!(lines(&attributes(&[config])), [2]);
    }

    #[test]
    fn paths_of_a_machine_are_refused() {
        let bad = format!("a\nsee /{}/shared\n\"/{}/.cache\"\n/{}/x\n", "work", "root", "tmp");
        assert_eq!(lines(&machine_paths(&[File::new("README.md", &bad)])), [2, 3, 4]);
        // A test may name a temporary folder, and nothing else of a machine.
        assert_eq!(lines(&machine_paths(&[File::new("crates/a/tests/it/a.rs", &bad)])), [2, 3]);
        let unit = format!("#[cfg(test)]\nmod tests {{ const A: &str = \"/{}/x\"; }}\n", "tmp");
        assert_eq!(machine_paths(&[File::new("src/a.rs", &unit)]), []);
        let good = "../work/x\nhome/root/x\nthe net/work/life\n/work/\n/tmp/*\n";
        assert_eq!(machine_paths(&[File::new("README.md", good)]), []);
    }

    #[test]
    fn what_is_left_out_is_said_so_that_it_is_heard() {
        let text = format!(
            "println!(\"skip{0}: no data\");\nprintln!(\"SKIP{1} (no data)\");\nprintln!(\"skip: no data\");\nlet skip{0} = 3;\n",
            "ped", "PED"
        );
        assert_eq!(lines(&unheard_skips(&[File::new("crates/a/tests/it/a.rs", &text)])), [1, 2]);
        assert_eq!(unheard_skips(&[File::new("notes.md", &text)]), []);
    }

    #[test]
    fn work_for_later_names_its_issue() {
        let (later, broken) = (concat!("TO", "DO"), concat!("FIX", "ME"));
        let text = format!(
            "// {later}: x\n// {later}(#12): x\n/* {broken} */\nlet a = \"{later}\";\n// MA{later}\n// {broken}, see #3\n"
        );
        assert_eq!(lines(&unowned_work(&[File::new("src/a.rs", &text)])), [1, 3]);
        assert_eq!(unowned_work(&[File::new("notes.md", &text)]), []);
    }
}
