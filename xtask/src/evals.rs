//! `cargo xtask evals [--write] [NAME...]`: every eval that needs no network, against what was committed.
//!
//! Committed results are `docs/evals/NAME.json` (a few are older and stand elsewhere). A figure that fell, or a row that is gone,
//! fails; where nothing is committed the figures are printed and nothing is compared, which is said. `--write` measures and
//! writes the files anew. What needs data that are not here is left out by name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{self, Outcome, Runner, cargo_command};

/// How an eval's results are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// As a record: `--out FILE --brief` writes it, `--against FILE` compares.
    Record,
    /// Likewise, in a form of its own, at this place.
    Figures(&'static str),
    /// `--out` writes it to this place; targets in the program decide whether it passes.
    Targets(&'static str),
}

struct Eval {
    /// Of the step and of the file.
    name: &'static str,
    /// The subcommand with its arguments. `{data}` is the folder of the shared data.
    words: &'static str,
    kept: Kept,
}

const fn eval(name: &'static str, words: &'static str, kept: Kept) -> Eval {
    Eval { name, words, kept }
}

/// All evals whose data are in the repository or the shared data. Not here: `extraction` (pages of another project),
/// `overview/fresh` of `e2e` (a folder that a script makes), and what only times (`speed`, `memory-speed`, `scale`, the benches).
const EVALS: &[Eval] = &[
    eval("claims", "claims --data {data}/claims --sample 700", Kept::Record),
    eval("analyst", "claims --data crates/elenchus-evals/data/analyst --sample 300", Kept::Record),
    eval(
        "calibration",
        "calibration --data {data}/claims --sample 700 --verifier builtin",
        Kept::Record,
    ),
    eval("swaps", "swaps --data {data}/claims --verifier builtin", Kept::Record),
    eval("spans", "spans --data {data}/claims", Kept::Record),
    eval("decomposition", "decomposition --data {data}/decomposition", Kept::Record),
    eval("fallacies", "fallacies --data {data}/fallacies", Kept::Record),
    eval(
        "retrieval",
        "retrieval --documents {data}/scifact/scifact_corpus.jsonl --queries {data}/scifact/scifact_queries.jsonl",
        Kept::Record,
    ),
    eval("e2e", "e2e --data {data}", Kept::Record),
    eval("reader", "reader --documents crates/elenchus-evals/data/reader", Kept::Record),
    eval("succession", "succession --pairs crates/elenchus-evals/data/succession", Kept::Record),
    eval("golden", "golden --corpora {data}", Kept::Record),
    eval("gaps", "gaps", Kept::Record),
    eval("citations", "citations", Kept::Record),
    eval("locomo", "locomo --data {data}/locomo", Kept::Record),
    eval("secrets", "secrets --data {data}/attacks/secrets", Kept::Record),
    eval("reasoning", "reasoning --worlds-only", Kept::Figures("docs/reasoning.json")),
    eval(
        "reasoning-recorded",
        "reasoning --recorded-only --corpora {data}",
        Kept::Figures("docs/reasoning-recorded.json"),
    ),
    eval("bandit", "bandit --check", Kept::Targets("docs/bandit.json")),
    eval("injection", "injection --data {data}/attacks", Kept::Record),
    eval("poisoning", "poisoning --data {data}/attacks", Kept::Record),
];

/// What to do with the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Compare,
    Write,
}

impl Eval {
    /// Where the results are, below the repository.
    fn place(&self) -> String {
        match self.kept {
            Kept::Record => format!("docs/evals/{}.json", self.name),
            Kept::Figures(place) | Kept::Targets(place) => place.to_owned(),
        }
    }

    /// The subcommand and its arguments. The folder may have blanks in its name.
    fn arguments(&self, data: &Path) -> Vec<OsString> {
        self.words
            .split(' ')
            .map(|word| match word.strip_prefix("{data}") {
                Some("") => data.as_os_str().to_owned(),
                Some(below) => data.join(below.trim_start_matches('/')).into_os_string(),
                None => OsString::from(word),
            })
            .collect()
    }

    /// What is said of the results to the program, and a remark where nothing is compared.
    fn results(&self, root: &Path, wish: Wish) -> (Vec<String>, Option<String>) {
        let words = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| (*word).to_owned()).collect()
        };
        let place = self.place();
        match (wish, self.kept) {
            (Wish::Write, Kept::Record) => (words(&["--out", &place, "--brief"]), None),
            (Wish::Write, _) => (words(&["--out", &place]), None),
            (Wish::Compare, Kept::Targets(_)) => (Vec::new(), None),
            (Wish::Compare, _) if root.join(&place).is_file() => {
                (words(&["--against", &place]), None)
            }
            (Wish::Compare, _) => {
                let remark = format!(
                    "{}: measured, compared with nothing: {place} is not there; `cargo xtask evals --write {}` writes it",
                    self.name, self.name
                );
                (Vec::new(), Some(remark))
            }
        }
    }

    /// The command with a remark, or why it has to be left out.
    fn command(
        &self,
        root: &Path,
        data: &Path,
        wish: Wish,
    ) -> Result<(Command, Option<String>), String> {
        let arguments = self.arguments(data);
        let missing =
            arguments.iter().map(Path::new).find(|path| path.starts_with(data) && !path.exists());
        if let Some(missing) = missing {
            return Err(format!("{}: {} is not there", self.name, missing.display()));
        }
        let (results, remark) = self.results(root, wish);
        let words = ["run", "--locked", "--release", "-p", "elenchus-evals", "--"];
        let mut command = cargo_command(root, &words);
        command.args(arguments).args(results);
        Ok((command, remark))
    }
}

/// The folder of the shared data.
pub(crate) fn data(root: &Path) -> PathBuf {
    std::env::var_os("ELENCHUS_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from)
}

/// Runs the evals of these names, all where none is given: what came of each, and what was left out or not compared.
pub(crate) fn steps(root: &Path, names: &[&str], wish: Wish) -> (Vec<Outcome>, Vec<String>) {
    let data = data(root);
    let mut outcomes = Vec::new();
    let mut remarks = Vec::new();
    for eval in EVALS.iter().filter(|eval| names.is_empty() || names.contains(&eval.name)) {
        match eval.command(root, &data, wish) {
            Ok((command, remark)) => {
                outcomes.push(step::run(eval.name, Runner::None, command));
                remarks.extend(remark);
            }
            Err(reason) => remarks.push(reason),
        }
    }
    (outcomes, remarks)
}

/// The whole command. A name that is none is told with those that there are.
pub(crate) fn run(root: &Path, names: &[&str], wish: Wish) -> bool {
    if let Some(unknown) = names.iter().find(|name| !EVALS.iter().any(|eval| eval.name == **name)) {
        let known: Vec<&str> = EVALS.iter().map(|eval| eval.name).collect();
        eprintln!(
            "error: could not run the eval {unknown:?}: there is none of that name; there are {}",
            known.join(", ")
        );
        return false;
    }
    let (outcomes, remarks) = steps(root, names, wish);
    let passed = step::report(&outcomes);
    for line in remarks {
        println!("skip: {line}");
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evals_without_data_are_left_out_by_name() {
        let root = crate::root();
        for eval in EVALS.iter().filter(|eval| eval.words.contains("{data}")) {
            let reason =
                eval.command(&root, Path::new("/nowhere/at/all"), Wish::Compare).unwrap_err();
            assert!(reason.starts_with(eval.name) && reason.ends_with("is not there"));
            // Every place in the words is filled in.
            let arguments = eval.arguments(Path::new("/my data"));
            assert!(arguments.iter().all(|word| !word.to_string_lossy().contains('{')));
            assert!(arguments.iter().any(|word| word.to_string_lossy().starts_with("/my data")));
        }
    }

    #[test]
    fn names_are_told_apart_and_folders_of_the_repository_exist() {
        let root = crate::root();
        for (at, eval) in EVALS.iter().enumerate() {
            assert!(EVALS[..at].iter().all(|other| other.name != eval.name), "{}", eval.name);
            for word in eval.words.split(' ').filter(|word| word.starts_with("crates/")) {
                assert!(root.join(word).exists(), "{word}");
            }
        }
    }

    #[test]
    fn results_are_written_when_asked_and_compared_where_they_are() {
        let find = |name: &str| EVALS.iter().find(|eval| eval.name == name).unwrap();
        let root = crate::root();
        let nowhere = Path::new("/nowhere/at/all");
        let (words, remark) = find("claims").results(&root, Wish::Write);
        assert_eq!(words, ["--out", "docs/evals/claims.json", "--brief"]);
        assert_eq!(remark, None);
        let (words, remark) = find("claims").results(nowhere, Wish::Compare);
        assert!(words.is_empty() && remark.unwrap().contains("--write claims"));
        let (words, _) = find("reasoning").results(&root, Wish::Compare);
        assert_eq!(words, ["--against", "docs/reasoning.json"]);
        let (words, _) = find("reasoning-recorded").results(&root, Wish::Write);
        assert_eq!(words, ["--out", "docs/reasoning-recorded.json"]);
        assert_eq!(find("bandit").results(&root, Wish::Compare), (Vec::new(), None));
    }
}
