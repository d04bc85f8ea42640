//! Every key that comes with the program, each over its own folder, in one table: whole runs from question to answer.

use crate::answers::{self, Ask, Asked, Verdict};
use crate::key::{Item, Kind};
use crate::metrics::{brier, ece, figure};
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where the documents of a key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Folder {
    /// Beside the keys.
    Own(&'static str),
    /// In the repository's examples.
    Example(&'static str),
    /// In the shared data, which are no part of the repository.
    Shared(&'static str),
    /// Made by a script, and named by hand.
    Made(&'static str),
}

/// A key that comes with the program.
struct Key {
    /// Its file below the keys without `.jsonl`, but for the control.
    name: &'static str,
    folder: Folder,
    /// Whether nobody has tuned anything on it.
    test: bool,
    /// Of the control, the key whose names are exchanged first, and the map by which. It is in no sum: its questions are.
    control: Option<(&'static str, &'static str)>,
}

impl Key {
    /// The file of its questions, below the keys and without `.jsonl`.
    fn stem(&self) -> &'static str {
        self.control.map_or(self.name, |(of, _)| of)
    }
}

const fn key(name: &'static str, folder: Folder, test: bool) -> Key {
    Key { name, folder, test, control: None }
}

/// A key and its folder with other names.
const fn renamed(name: &'static str, of: (&'static str, &'static str), folder: Folder) -> Key {
    Key { name, folder, test: false, control: Some(of) }
}

const KEYS: &[Key] = &[
    key("harbor", Folder::Example("harbor"), false),
    key("harbor_test", Folder::Example("harbor"), true),
    key("library", Folder::Own("library"), false),
    key("library_test", Folder::Own("library"), true),
    key("museum", Folder::Own("museum"), false),
    key("veltrix", Folder::Shared("veltrix"), false),
    renamed("veltrix_renamed", ("veltrix", "veltrix_rename.json"), Folder::Shared("veltrix")),
    key("veltrix_dev2", Folder::Shared("veltrix"), false),
    key("veltrix_dev3", Folder::Shared("veltrix"), false),
    key("veltrix_dev4", Folder::Shared("veltrix"), false),
    key("veltrix_holdout", Folder::Shared("veltrix"), true),
    key("veltrix_test", Folder::Shared("veltrix"), true),
    key("coop", Folder::Own("coop"), false),
    key("pharmacy", Folder::Own("pharmacy"), false),
    key("brewery", Folder::Own("brewery"), false),
    key("school_test", Folder::Own("school"), true),
    key("waterworks_test", Folder::Own("waterworks"), true),
    key("club", Folder::Own("club"), false),
    key("railway_test", Folder::Own("railway"), true),
    key("hospice_test", Folder::Own("hospice"), false),
    key("theatre_test", Folder::Own("theatre"), true),
    key("cableway", Folder::Own("cableway"), false),
    key("fishery", Folder::Own("fishery"), false),
    key("rivals", Folder::Own("rivals"), false),
    key("trial", Folder::Own("trial"), false),
    key("council_test", Folder::Own("council"), true),
    key("abbey_test", Folder::Own("abbey"), true),
    key("queue_test", Folder::Own("queue"), true),
    key("tower_test", Folder::Own("tower"), true),
    key("observatory_test", Folder::Own("observatory"), true),
    key("dairy_test", Folder::Own("dairy"), true),
    key("payments_test", Folder::Own("payments"), true),
    key("expedition_test", Folder::Own("expedition"), true),
    key("housing", Folder::Own("housing"), false),
    key("festival", Folder::Own("festival"), false),
    key("ledgerly", Folder::Own("ledgerly"), false),
    key("pumps", Folder::Own("pumps"), false),
    key("vetlab_test", Folder::Own("vetlab"), true),
    key("grants_test", Folder::Own("grants"), true),
    key("overview/harbor", Folder::Example("harbor"), false),
    key("overview/library", Folder::Own("library"), false),
    key("overview/museum", Folder::Own("museum"), false),
    key("overview/veltrix", Folder::Shared("veltrix"), false),
    key(
        "overview/fresh",
        Folder::Made("scripts/reader_folders.py crates/elenchus-evals/data/reader_fresh OUT"),
        true,
    ),
];

/// What to ask.
#[derive(clap::Args)]
pub(crate) struct E2eArgs {
    /// Only this key, as `veltrix` or `overview/harbor`; may be given several times.
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// The repository.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// The shared data; a key whose documents lie there is skipped visibly without them.
    #[arg(long, env = "ELENCHUS_DATA")]
    data: Option<PathBuf>,
    /// The folder that a script made for `overview/fresh`.
    #[arg(long)]
    fresh: Option<PathBuf>,
    /// Only every so-manieth question, the first included.
    #[arg(long, default_value_t = 1)]
    every: usize,
    #[command(flatten)]
    gate: Gate,
}

/// Right answers and questions, by what is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    all: (usize, usize),
    facts: (usize, usize),
    paraphrases: (usize, usize),
    unanswerable: (usize, usize),
    open: (usize, usize),
    /// Questions whose outdated value was given as current, of those for which the key names one.
    stale: (usize, usize),
}

impl Counts {
    fn add(&mut self, item: &Item, verdict: &Verdict) {
        let right = verdict.right;
        let of_kind = match item.kind {
            Kind::Fact => &mut self.facts,
            Kind::Paraphrase => &mut self.paraphrases,
            Kind::Unanswerable => &mut self.unanswerable,
            Kind::Overview => &mut self.open,
        };
        of_kind.0 += usize::from(right);
        of_kind.1 += 1;
        self.all.0 += usize::from(right);
        self.all.1 += 1;
        // Where the key names no outdated value none can be given, which says nothing.
        if item.is_dated() {
            self.stale.0 += usize::from(verdict.stale);
            self.stale.1 += 1;
        }
    }

    fn merge(&mut self, other: &Self) {
        let mine = [
            &mut self.all,
            &mut self.facts,
            &mut self.paraphrases,
            &mut self.unanswerable,
            &mut self.open,
            &mut self.stale,
        ];
        for (sum, (_, one)) in mine.into_iter().zip(other.columns()) {
            sum.0 += one.0;
            sum.1 += one.1;
        }
    }

    /// The columns of the table.
    fn columns(&self) -> [(&'static str, (usize, usize)); 6] {
        [
            ("all", self.all),
            ("facts", self.facts),
            ("paraphrases", self.paraphrases),
            ("unanswerable", self.unanswerable),
            ("open", self.open),
            ("stale", self.stale),
        ]
    }

    fn line(&self, name: &str) -> String {
        let cells: Vec<String> = self
            .columns()
            .iter()
            .map(|(_, (hits, n))| {
                let shown = if *n == 0 { "-".to_owned() } else { share(*hits, *n) };
                format!("{shown:34}")
            })
            .collect();
        format!("{name:18} {}", cells.join(" ")).trim_end().to_owned()
    }

    fn put(&self, record: &mut Record, name: &str) {
        for (who, (hits, n)) in self.columns().into_iter().filter(|(_, (_, n))| *n > 0) {
            let what = if who == "stale" { What::Stale } else { What::Right };
            record.put(name, who, n, vec![Measure::share(what, hits, n)]);
        }
    }
}

fn counts(asked: &Asked) -> Counts {
    let mut counts = Counts::default();
    for (item, verdict) in &asked.verdicts {
        counts.add(item, verdict);
    }
    counts
}

impl E2eArgs {
    /// The keys that are asked for.
    fn keys(&self) -> Result<Vec<&'static Key>, String> {
        let known = |name: &String| KEYS.iter().any(|key| key.name == name);
        if let Some(unknown) = self.only.iter().find(|name| !known(name)) {
            let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
            return Err(format!(
                "could not ask the key {unknown:?}: there is none of that name; the keys are {}",
                names.join(", ")
            ));
        }
        let wanted = |key: &&Key| {
            self.only.is_empty() || self.only.iter().any(|name| name.as_str() == key.name)
        };
        Ok(KEYS.iter().filter(wanted).collect())
    }

    fn keys_at(&self) -> PathBuf {
        self.root.join("crates/elenchus-evals/data")
    }

    /// The documents of a key, or why it has to be skipped.
    fn folder(&self, key: &Key) -> Result<PathBuf, String> {
        let folder = match key.folder {
            Folder::Own(name) => self.keys_at().join(name),
            Folder::Example(name) => self.root.join("examples").join(name),
            Folder::Shared(name) => match &self.data {
                Some(data) => data.join(name),
                None => self.root.join("../shared/data").join(name),
            },
            Folder::Made(how) => self.fresh.clone().ok_or_else(|| {
                format!("its folder is made by `python3 {how}` and named with --fresh")
            })?,
        };
        if folder.is_dir() { Ok(folder) } else { Err(format!("{} is not there", folder.display())) }
    }

    fn ask(&self, key: &Key, file: &Path, corpus: PathBuf) -> Ask {
        let rename = key.control.map(|(_, map)| self.keys_at().join(map));
        Ask { key: file.to_owned(), corpus, rename, every: self.every, ..Ask::default() }
    }
}

pub(crate) async fn run(args: &E2eArgs) -> Result<ExitCode, String> {
    let mut record = Record::new("e2e").with("every", args.every);
    let (mut tuned, mut tests) = (Counts::default(), Counts::default());
    let (mut of_tuned, mut of_tests) = (Vec::new(), Vec::new());
    let heads: Vec<String> =
        Counts::default().columns().iter().map(|(name, _)| format!("{name:34}")).collect();
    println!(
        "share right, 95 % interval (Wilson); stale: old values given as current, where the key names one"
    );
    println!("{:18} {}", "key", heads.join(" ").trim_end());
    for key in args.keys()? {
        let folder = match args.folder(key) {
            Ok(folder) => folder,
            Err(reason) => {
                println!("skip: {}: {reason}", key.name);
                continue;
            }
        };
        let file = args.keys_at().join(format!("{}.jsonl", key.stem()));
        // The whole path below the keys: two of them have the same file name.
        record.read(&file)?;
        if let Some((name, _)) = record.data.last_mut() {
            key.name.clone_into(name);
        }
        let asked = answers::questions(&args.ask(key, &file, folder)).await?;
        let counts = counts(&asked);
        let each = asked.seconds / counts.all.1.max(1) as f64;
        println!("{}  {each:.2} s a question", counts.line(key.name));
        counts.put(&mut record, key.name);
        if key.control.is_none() {
            let (sum, rows) =
                if key.test { (&mut tests, &mut of_tests) } else { (&mut tuned, &mut of_tuned) };
            sum.merge(&counts);
            rows.extend(asked.verdicts);
        }
    }
    let mut whole = tuned;
    whole.merge(&tests);
    println!("{}", tuned.line("tuned on"));
    println!("{}", tests.line("not tuned on"));
    println!("{}", whole.line("all keys"));
    println!("confidence as printed");
    for (name, asked) in [("tuned on", of_tuned), ("not tuned on", of_tests)] {
        let rows = answers::printed(&asked);
        println!("{name:18} {}", answers::held_to_their_word(&rows));
        println!("{:18} {}", "", answers::by_bearing(&asked));
        if !rows.is_empty() {
            let figures = vec![
                Measure::of(What::Ece, figure(&rows, ece)),
                Measure::of(What::Brier, figure(&rows, brier)),
            ];
            record.put(name, "confidence", rows.len(), figures);
        }
    }
    args.gate.settle(&record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn args(only: &[&str]) -> E2eArgs {
        E2eArgs {
            only: only.iter().map(|name| (*name).to_owned()).collect(),
            root: Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
            data: Some(PathBuf::from("/nowhere/at/all")),
            fresh: None,
            every: 1,
            gate: Gate::default(),
        }
    }

    #[test]
    fn every_key_of_the_repository_is_asked() {
        let at = args(&[]).keys_at();
        let mut found = BTreeSet::new();
        for (folder, prefix) in [(at.clone(), ""), (at.join("overview"), "overview/")] {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|end| end == "jsonl") {
                    let stem = path.file_stem().unwrap().to_str().unwrap();
                    found.insert(format!("{prefix}{stem}"));
                }
            }
        }
        let listed: BTreeSet<String> = KEYS.iter().map(|key| key.stem().to_owned()).collect();
        assert_eq!(found, listed);
        for (_, map) in KEYS.iter().filter_map(|key| key.control) {
            assert!(at.join(map).is_file(), "{map}");
        }
    }

    #[test]
    fn a_key_without_its_documents_says_why_it_is_skipped() {
        let args = args(&[]);
        for key in KEYS {
            let folder = args.folder(key);
            match key.folder {
                Folder::Own(_) | Folder::Example(_) => assert!(folder.is_ok(), "{}", key.name),
                Folder::Shared(_) => assert!(folder.unwrap_err().ends_with("is not there")),
                Folder::Made(_) => assert!(folder.unwrap_err().contains("--fresh")),
            }
        }
    }

    #[test]
    fn one_key_is_chosen_by_its_name() {
        let names = |only: &[&str]| {
            args(only).keys().map(|keys| keys.iter().map(|key| key.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["harbor"]).unwrap(), ["harbor"]);
        assert_eq!(names(&[]).unwrap().len(), KEYS.len());
        assert!(names(&["harbour"]).unwrap_err().contains("overview/fresh"));
    }

    #[test]
    fn questions_are_counted_by_what_they_ask() {
        let mut counts = Counts::default();
        let mut add = |kind: &str, dated: &str, right: bool, stale: bool| {
            let line =
                format!(r#"{{"id":"a","kind":"{kind}","question":"Which?","stale":[{dated}]}}"#);
            let item: Item = serde_json::from_str(&line).unwrap();
            let mut verdict = Verdict::default();
            (verdict.right, verdict.stale) = (right, stale);
            counts.add(&item, &verdict);
        };
        add("fact", r#""400""#, true, false);
        add("fact", "", true, false);
        add("paraphrase", r#""400""#, false, true);
        add("unanswerable", "", true, false);
        add("overview", "", false, false);
        // Three questions have no outdated value that could have been given.
        assert_eq!((counts.all, counts.stale), ((3, 5), (1, 2)));
        let mut sum = counts;
        sum.merge(&counts);
        assert_eq!((sum.facts, sum.unanswerable, sum.open), ((4, 4), (2, 2), (0, 2)));
        assert!(counts.line("own").contains("50.0 %"));
        let mut record = Record::new("e2e");
        counts.put(&mut record, "own");
        assert_eq!(record.lines.len(), 6);
    }
}
