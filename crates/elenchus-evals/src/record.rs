//! What an eval measured, as JSON that can be committed, and whether anything fell behind what was.
//!
//! The figures are the same every time on the same data; the tolerances leave room for what another machine rounds
//! otherwise and for changes that a reader would not notice.

use crate::metrics::Figure;
use elenchus_core::id::short_hash;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

// Where the figures go and what they are held against. (No doc comment: clap would take it for the about of the commands
// that this is flattened into.)
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Gate {
    /// Write the figures as JSON.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,
    /// Fail when a figure fell behind those in this file, or a row of it is gone.
    #[arg(long)]
    pub(crate) against: Option<PathBuf>,
    /// Write nothing that is not compared: a file that is small enough to be committed, and no diagram beside it.
    #[arg(long, requires = "out")]
    pub(crate) brief: bool,
}

/// A kind of figure: which way is better, and how far it may fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    AurocSupported,
    AurocRefuted,
    BalancedAccuracy,
    Ece,
    Brier,
    BrierSkill,
    /// The share of pairs that can be called supported with 95 of 100 right.
    Coverage,
    /// The nearest sentence is gold.
    FirstHit,
    /// One of the five nearest sentences is gold.
    FiveHit,
    RPrecision,
    /// F1 of the words that are not borne out.
    UnsupportedWords,
    MatchedF1,
    /// Swaps that the binding checks speak of.
    Mismatch,
    /// Swaps after which the verifier is less sure.
    Noticed,
    /// Swaps of claims called supported that are called so still.
    Passed,
    FalseAlarms,
    /// Right claims in other words that the verifier does not call supported.
    Lost,
    Accuracy,
    F1,
    MacroF1,
    Auroc,
    /// Warnings in a thousand sentences.
    Warnings,
    Ndcg,
    Recall,
    /// Sessions of the evidence among the first five.
    SessionRecall,
    /// Questions with a right end.
    Right,
    /// Questions for which an old value is given as the current one.
    Stale,
    /// Wordings of one thing that are taken for it.
    Recognised,
    /// Other things that are taken for it.
    Confused,
    /// Citations that bear out what they stand behind.
    Precision,
    /// Runs in which something happened that nobody asked for.
    Effects,
    /// Questions whose two sides are told to disagree, of those that have two.
    Told,
}

impl What {
    /// The name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AurocSupported => "AUROC supported",
            Self::AurocRefuted => "AUROC refuted",
            Self::BalancedAccuracy => "balanced accuracy",
            Self::Ece => "ECE",
            Self::Brier => "Brier",
            Self::BrierSkill => "Brier skill",
            Self::Coverage => "coverage at 95 % precision",
            Self::FirstHit => "hit@1",
            Self::FiveHit => "hit@5",
            Self::RPrecision => "R-precision",
            Self::UnsupportedWords => "F1 of unsupported words",
            Self::MatchedF1 => "matched F1",
            Self::Mismatch => "swaps with a mismatch",
            Self::Noticed => "swaps noticed",
            Self::Passed => "swaps passed",
            Self::FalseAlarms => "false alarms",
            Self::Lost => "right claims lost",
            Self::Accuracy => "accuracy",
            Self::F1 => "F1",
            Self::MacroF1 => "macro-F1",
            Self::Auroc => "AUROC",
            Self::Warnings => "warnings in 1,000 sentences",
            Self::Ndcg => "nDCG@10",
            Self::Recall => "recall",
            Self::SessionRecall => "recall of sessions",
            Self::Right => "right",
            Self::Stale => "stale as current",
            Self::Recognised => "recognised",
            Self::Confused => "taken for another",
            Self::Precision => "precision",
            Self::Effects => "effects nobody asked for",
            Self::Told => "disagreements told",
        }
    }

    /// Whether less is better.
    fn less_is_better(self) -> bool {
        matches!(
            self,
            Self::Ece
                | Self::Brier
                | Self::Passed
                | Self::FalseAlarms
                | Self::Lost
                | Self::Warnings
                | Self::Stale
                | Self::Confused
                | Self::Effects
        )
    }

    /// How far a figure may fall before that is a regression; `None` where it is written and not compared. Coverage
    /// jumps with a single pair at the top.
    pub(crate) fn tolerance(self) -> Option<f64> {
        match self {
            Self::Coverage => None,
            Self::AurocSupported | Self::Ece | Self::Brier | Self::FalseAlarms => Some(0.015),
            Self::Ndcg | Self::Recall | Self::SessionRecall | Self::MatchedF1 => Some(0.005),
            Self::FirstHit
            | Self::FiveHit
            | Self::RPrecision
            | Self::UnsupportedWords
            | Self::Stale
            | Self::Precision => Some(0.01),
            Self::AurocRefuted
            | Self::BalancedAccuracy
            | Self::BrierSkill
            | Self::Mismatch
            | Self::Noticed
            | Self::Accuracy
            | Self::F1
            | Self::MacroF1
            | Self::Auroc => Some(0.02),
            // A key has some fifty questions, and one of them is allowed to turn.
            Self::Passed | Self::Lost | Self::Right | Self::Recognised | Self::Confused => {
                Some(0.03)
            }
            Self::Warnings => Some(0.2),
            // One run in three thousand is one too many.
            Self::Effects => Some(0.0003),
            Self::Told => Some(0.03),
        }
    }
}

/// A figure of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measure {
    pub(crate) what: What,
    pub(crate) value: f64,
    /// The 95 % interval, where one was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<(f64, f64)>,
}

impl Measure {
    /// A figure with the interval that it has.
    pub(crate) fn of(what: What, figure: Figure) -> Self {
        Self { what, value: figure.value, interval: Some((figure.low, figure.high)) }
    }

    /// A figure without an interval.
    pub(crate) fn plain(what: What, value: f64) -> Self {
        Self { what, value, interval: None }
    }

    /// A share with its Wilson interval.
    pub(crate) fn share(what: What, hits: usize, n: usize) -> Self {
        let value = hits as f64 / n.max(1) as f64;
        Self { what, value, interval: Some(crate::stats::wilson(hits, n)) }
    }
}

/// How one way to do something did on one set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) set: String,
    /// The verifier, the kind of swap, the way to order.
    pub(crate) who: String,
    pub(crate) n: usize,
    pub(crate) figures: Vec<Measure>,
}

/// Everything that an eval measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The subcommand.
    pub(crate) eval: String,
    /// What decides the figures beside the data: a seed, a sample.
    pub(crate) made_with: Vec<(String, String)>,
    /// Files with their SHA-256.
    pub(crate) data: Vec<(String, String)>,
    /// The weights in the binary with the beginnings of their SHA-256. They are what is judged, so other ones are said and are
    /// no complaint.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) weights: Vec<(String, String)>,
    pub(crate) lines: Vec<Line>,
    /// What is written beside the figures and not compared.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub(crate) detail: serde_json::Value,
}

impl Record {
    /// Nothing yet.
    pub(crate) fn new(eval: &str) -> Self {
        Self { eval: eval.to_owned(), ..Self::default() }
    }

    /// Notes what decides the figures.
    pub(crate) fn with(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.made_with.push((name.to_owned(), value.to_string()));
        self
    }

    /// Adds a row.
    pub(crate) fn put(&mut self, set: &str, who: &str, n: usize, figures: Vec<Measure>) {
        self.lines.push(Line { set: set.to_owned(), who: who.to_owned(), n, figures });
    }

    /// Notes a file that figures are of.
    pub(crate) fn read(&mut self, file: &Path) -> Result<(), String> {
        let bytes = std::fs::read(file)
            .map_err(|error| format!("could not read {}: {error}", file.display()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.data.push((name, short_hash(&bytes, 64)));
        Ok(())
    }

    /// As JSON with a row a line, so that a change of a figure is a change of a line, and with six digits behind the point,
    /// so that the last bits of another machine are none.
    fn text(&self) -> serde_json::Result<String> {
        let mut rounded = self.clone();
        for figure in rounded.lines.iter_mut().flat_map(|line| &mut line.figures) {
            figure.value = round(figure.value);
            figure.interval = figure.interval.map(|(low, high)| (round(low), round(high)));
        }
        let rows: Vec<String> =
            rounded.lines.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
        let mut parts = vec![
            format!("\"eval\": {}", serde_json::to_string(&self.eval)?),
            format!("\"made_with\": {}", serde_json::to_string(&self.made_with)?),
            format!("\"data\": {}", listed(&self.data)?),
        ];
        if !self.weights.is_empty() {
            parts.push(format!("\"weights\": {}", listed(&self.weights)?));
        }
        parts.push(format!("\"lines\": [\n  {}\n ]", rows.join(",\n  ")));
        if !self.detail.is_null() {
            parts.push(format!("\"detail\": {}", serde_json::to_string(&self.detail)?));
        }
        Ok(format!("{{\n {}\n}}\n", parts.join(",\n ")))
    }

    /// What is worse than before, gone, or not to be compared at all.
    pub(crate) fn regressions(&self, before: &Self) -> Vec<String> {
        let mut out = Vec::new();
        if self.eval != before.eval {
            out.push(format!("these are figures of `{}`, those of `{}`", self.eval, before.eval));
            return out;
        }
        if self.made_with != before.made_with {
            out.push(format!(
                "other settings: {}, and {} when it was written",
                said(&self.made_with),
                said(&before.made_with)
            ));
        }
        for (name, hash) in &before.data {
            let known = self.data.iter().find(|(other, _)| other == name);
            if known.is_some_and(|(_, other)| other != hash) {
                out.push(format!("other data: {name} is another file than the one measured then"));
            }
        }
        for old in &before.lines {
            let same = |new: &&Line| new.set == old.set && new.who == old.who;
            match self.lines.iter().find(same) {
                Some(new) => fallen(new, old, &mut out),
                None => out.push(format!("missing row: {}, {}", old.set, old.who)),
            }
        }
        out
    }
}

/// Pairs of a list, one a line.
fn listed(pairs: &[(String, String)]) -> serde_json::Result<String> {
    let lines: Vec<String> = pairs.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n  {}\n ]", lines.join(",\n  ")))
}

fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// What was fitted or trained and lies in the binary, in the order of names. Read beside the sources: the evals are run where
/// they are built.
fn weights() -> Result<Vec<(String, String)>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../elenchus-io/assets");
    let failed = |cause: std::io::Error| {
        format!(
            "could not read the weights in {}: {cause}; run the evals where they were built",
            folder.display()
        )
    };
    let mut out = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        // Model cards are prose.
        if path.is_file() && path.extension().is_none_or(|ending| ending != "md") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            out.push((name, short_hash(&std::fs::read(&path).map_err(failed)?, 16)));
        }
    }
    out.sort();
    Ok(out)
}

fn said(settings: &[(String, String)]) -> String {
    if settings.is_empty() {
        return "none".to_owned();
    }
    settings.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

/// Figures of a row that are worse than they were, or gone.
fn fallen(new: &Line, old: &Line, out: &mut Vec<String>) {
    for was in &old.figures {
        let Some(tolerance) = was.what.tolerance() else { continue };
        let place = format!("{}, {}: {}", old.set, old.who, was.what.name());
        let Some(is) = new.figures.iter().find(|figure| figure.what == was.what) else {
            out.push(format!("missing figure: {place}, was {:.3}", was.value));
            continue;
        };
        let lost =
            if was.what.less_is_better() { is.value - was.value } else { was.value - is.value };
        // What is no number is a loss as well.
        if !lost.is_finite() || lost > tolerance {
            out.push(format!(
                "regression: {place} {:.3}, was {:.3} (tolerance {tolerance})",
                is.value, was.value
            ));
        }
    }
}

impl Gate {
    /// Writes the figures and holds them against the committed ones, as asked.
    pub(crate) fn settle(&self, record: &Record) -> Result<ExitCode, String> {
        self.write(record)?;
        let lost = self.complaints(record)?;
        Ok(if lost.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn write(&self, record: &Record) -> Result<(), String> {
        let Some(out) = &self.out else { return Ok(()) };
        let failed = |cause: String| format!("could not write {}: {cause}", out.display());
        let mut record = record.clone();
        record.weights = weights()?;
        if self.brief {
            record.detail = serde_json::Value::Null;
        }
        let text = record.text().map_err(|error| failed(error.to_string()))?;
        if let Some(folder) = out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        std::fs::write(out, text).map_err(|error| failed(error.to_string()))
    }

    /// Everything that fell behind the committed figures; it is printed as well.
    fn complaints(&self, record: &Record) -> Result<Vec<String>, String> {
        let Some(file) = &self.against else { return Ok(Vec::new()) };
        let failed = |cause: String| format!("could not read {}: {cause}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        let before: Record =
            serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
        let lost = record.regressions(&before);
        println!();
        if !before.weights.is_empty() {
            let now = weights()?;
            for (name, _) in before.weights.iter().filter(|known| !now.contains(known)) {
                println!("other weights: {name} is another file than the one measured then");
            }
        }
        for line in &lost {
            println!("{line}");
        }
        println!(
            "against {}: {} rows, {} complaints",
            file.display(),
            before.lines.len(),
            lost.len()
        );
        Ok(lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(figures: &[(What, f64)]) -> Record {
        let mut record = Record::new("claims").with("sample", 10);
        record.data.push(("own.dev".to_owned(), "aa".to_owned()));
        let figures = figures.iter().map(|(what, value)| Measure::plain(*what, *value)).collect();
        record.put("own.dev", "shipped, quick", 10, figures);
        record
    }

    #[test]
    fn what_is_worse_is_a_regression_in_each_figure() {
        let compared = [
            (What::AurocSupported, 0.8, 0.7, 0.9),
            (What::AurocRefuted, 0.8, 0.7, 0.9),
            (What::BalancedAccuracy, 0.8, 0.7, 0.9),
            (What::Ece, 0.1, 0.2, 0.0),
            (What::BrierSkill, 0.1, 0.0, 0.2),
        ];
        for (what, was, worse, better) in compared {
            let before = record(&[(what, was)]);
            let lost = |value| record(&[(what, value)]).regressions(&before);
            assert!(lost(was).is_empty() && lost(better).is_empty(), "{what:?}");
            assert!(lost(worse).iter().any(|line| line.starts_with("regression:")), "{what:?}");
            assert!(!lost(f64::NAN).is_empty(), "{what:?}");
        }
        // Within the tolerance nothing is said, and coverage is never compared.
        let before = record(&[(What::Ece, 0.1), (What::Coverage, 0.5)]);
        let now = record(&[(What::Ece, 0.11), (What::Coverage, 0.0)]);
        assert!(now.regressions(&before).is_empty());
    }

    #[test]
    fn what_is_gone_is_named() {
        let before = record(&[(What::Ece, 0.1)]);
        let mut now = before.clone();
        now.lines[0].figures.clear();
        assert_eq!(
            now.regressions(&before),
            ["missing figure: own.dev, shipped, quick: ECE, was 0.100"]
        );
        now.lines.clear();
        assert_eq!(now.regressions(&before), ["missing row: own.dev, shipped, quick"]);
        // A row that is new is no complaint.
        assert!(before.regressions(&now).is_empty());
    }

    #[test]
    fn other_data_and_other_settings_are_not_compared_in_silence() {
        let before = record(&[(What::Ece, 0.1)]);
        let mut now = before.clone();
        now.data[0].1 = "bb".to_owned();
        now.made_with[0].1 = "20".to_owned();
        let said = now.regressions(&before);
        assert!(said[0].starts_with("other settings: sample 20"), "{said:?}");
        assert!(said[1].starts_with("other data: own.dev"), "{said:?}");
        now.eval = "swaps".to_owned();
        assert_eq!(now.regressions(&before).len(), 1);
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("claims.json");
        let mut record = record(&[(What::AurocSupported, 0.75)]);
        record.lines[0].figures.push(Measure::share(What::FalseAlarms, 1, 4));
        record.detail = serde_json::json!({"bins": [1, 2]});
        let gate = Gate { out: Some(file.clone()), against: Some(file.clone()), brief: false };
        gate.write(&record).unwrap();
        let read = |file: &Path| -> Record {
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
        };
        let kept = read(&file);
        assert!(kept.weights.iter().any(|(name, _)| name == "verifier.json"));
        assert_eq!((&kept.detail, &kept.data), (&record.detail, &record.data));
        assert_eq!(kept.lines[0].figures[1].interval, Some((0.045_587, 0.699_358)));
        assert!(gate.complaints(&record).unwrap().is_empty());
        record.lines[0].figures[0].value = 0.5;
        assert_eq!(gate.complaints(&record).unwrap().len(), 1);
        // What is committed has no more than what is compared, a row a line, and the same bytes every time.
        record.lines[0].figures[0].value = 1.0 / 3.0;
        record.put("other.dev", "shipped, quick", 2, Vec::new());
        let brief = Gate { brief: true, ..gate };
        brief.write(&record).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            read(&file).detail.is_null() && text.contains("0.333333}") && text.ends_with("}\n")
        );
        assert_eq!(text.lines().filter(|line| line.contains("\"set\"")).count(), 2);
        brief.write(&read(&file)).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}
