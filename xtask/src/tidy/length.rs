//! A file that a reader can hold in the head.

use super::{File, Problem};

const LONG: usize = 500;
const TOO_LONG: usize = 800;

/// Tables that are long because the world is: one entry each with its path.
pub(super) const LONG_TABLES: &[&str] = &["crates/elenchus-io/src/model/extractive/lexicon.rs"];

pub(super) fn files(files: &[File], tables: &[&str]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.is_test()) {
        let lines = file.text.lines().count();
        if lines <= LONG || tables.contains(&file.path.as_str()) {
            continue;
        }
        let what = format!("{lines} lines; {LONG} is long and {TOO_LONG} the limit");
        let way_out = "split it along a noun of the domain; a table goes on the list in xtask/src/tidy/length.rs";
        let warning = lines <= TOO_LONG;
        problems.push(Problem { warning, ..Problem::new(&file.path, lines, what, way_out) });
    }
    for table in tables {
        let earns_it =
            files.iter().any(|file| file.path == *table && file.text.lines().count() > LONG);
        if !earns_it {
            problems.push(Problem::new(
                "xtask/src/tidy/length.rs",
                1,
                format!("{table} is on the list of long tables but is short or gone"),
                "take it off the list",
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: usize) -> File {
        File::new(path, &"x\n".repeat(lines))
    }

    #[test]
    fn warns_past_the_first_limit_and_fails_past_the_second() {
        let found = files(&[file("a.rs", 500), file("b.rs", 501), file("c.rs", 801)], &[]);
        let grades: Vec<(&str, bool)> =
            found.iter().map(|problem| (problem.path.as_str(), problem.warning)).collect();
        assert_eq!(grades, [("b.rs", true), ("c.rs", false)]);
    }

    #[test]
    fn tests_listed_tables_and_other_files_are_exempt() {
        let tree =
            [file("crates/a/tests/it/b.rs", 2000), file("src/table.rs", 2000), file("a.md", 2000)];
        assert_eq!(files(&tree, &["src/table.rs"]), []);
        assert_eq!(files(&tree, &["src/table.rs", "src/gone.rs"]).len(), 1);
    }
}
