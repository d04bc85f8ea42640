//! Citation precision as readers judged it: of the statements that answers gave, how many their citation bears out.
//!
//! The judging is people's work (`data/citations/RUBRIC.md`); this adds it up, so that the figures of `docs/quality.md` have a
//! command. Lines of the role `context` claim only to be near and are no part of the precision.

use crate::key;
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct CitationsArgs {
    /// The folder of judged statements (JSON lines), a file a reading.
    #[arg(long, default_value = "crates/elenchus-evals/data/citations")]
    data: PathBuf,
    #[command(flatten)]
    gate: Gate,
}

/// How far the cited document makes a careful reader accept the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Borne {
    Supported,
    Partial,
    Unsupported,
}

/// One statement with one citation.
#[derive(Debug, Deserialize)]
struct Pair {
    /// The folder that was asked.
    set: String,
    role: String,
    #[serde(default)]
    bearing: Option<String>,
    quote_in_document: bool,
    supports_statement: Borne,
}

/// Pairs of one kind: all, borne out, borne out in part, and those whose quote stands in its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    all: usize,
    whole: usize,
    part: usize,
    quoted: usize,
}

impl Counts {
    fn add(&mut self, pair: &Pair) {
        self.all += 1;
        self.whole += usize::from(pair.supports_statement == Borne::Supported);
        self.part += usize::from(pair.supports_statement == Borne::Partial);
        self.quoted += usize::from(pair.quote_in_document);
    }
}

pub(crate) fn run(args: &CitationsArgs) -> Result<ExitCode, String> {
    let mut record = Record::new("citations");
    for file in files(&args.data)? {
        record.read(&file)?;
        let reading = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        println!("{reading}");
        for (kind, counts) in table(&key::lines(&file)?) {
            println!(
                "  {kind:22} borne out {}; at least in part {}; the quote stands there {}",
                share(counts.whole, counts.all),
                share(counts.whole + counts.part, counts.all),
                share(counts.quoted, counts.all),
            );
            let whole = Measure::share(What::Precision, counts.whole, counts.all);
            record.put(&reading, &kind, counts.all, vec![whole]);
        }
    }
    args.gate.settle(&record)
}

/// The counts of all that asserts something, by folder, by bearing and by role.
fn table(pairs: &[Pair]) -> BTreeMap<String, Counts> {
    let mut out: BTreeMap<String, Counts> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.role != "context") {
        let bearing = pair.bearing.as_ref().map(|bearing| format!("bearing: {bearing}"));
        let kinds = [
            Some("all".to_owned()),
            Some(format!("folder: {}", pair.set)),
            Some(format!("role: {}", pair.role)),
            bearing,
        ];
        for kind in kinds.into_iter().flatten() {
            out.entry(kind).or_default().add(pair);
        }
    }
    out
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |cause: String| format!("could not list {}: {cause}", folder.display());
    let listing = std::fs::read_dir(folder).map_err(|error| failed(error.to_string()))?;
    let mut files: Vec<PathBuf> = listing
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            path.extension().is_some_and(|end| end == "jsonl") && stem.starts_with("judged")
        })
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(failed("it holds no judged*.jsonl".to_owned()));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readings_of_the_repository_add_up_as_the_documentation_says() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/citations");
        let files = files(&folder).unwrap();
        assert_eq!(files.len(), 2);
        let first = table(&key::lines(&files[0]).unwrap());
        let second = table(&key::lines(&files[1]).unwrap());
        let figures = |table: &BTreeMap<String, Counts>, kind: &str| {
            let counts = table[kind];
            assert_eq!(counts.quoted, counts.all, "{kind}");
            (counts.whole, counts.all)
        };
        assert_eq!(figures(&first, "folder: veltrix"), (41, 54));
        assert_eq!(figures(&first, "folder: theology"), (7, 40));
        assert_eq!(figures(&second, "folder: veltrix"), (25, 37));
        assert_eq!(figures(&second, "folder: theology"), (17, 29));
        assert_eq!(figures(&second, "bearing: strong"), (17, 23));
        assert_eq!(figures(&second, "role: superseded"), (4, 4));
    }

    #[test]
    fn what_only_came_near_is_no_citation() {
        let pair = |role: &str, supports_statement| Pair {
            set: "own".to_owned(),
            role: role.to_owned(),
            bearing: None,
            quote_in_document: true,
            supports_statement,
        };
        let pairs = [
            pair("answer", Borne::Supported),
            pair("answer", Borne::Partial),
            pair("context", Borne::Unsupported),
        ];
        let all = table(&pairs)["all"];
        assert_eq!(all, Counts { all: 2, whole: 1, part: 1, quoted: 2 });
    }
}
