//! Fallacies on labelled sets and on prose that commits none; and the fitting of the linear model.
//!
//! The sets state no licence. What is fitted on them is measured and thrown away, or written for a user who has the
//! rights (`--fit-on`); what ships is fitted on our own examples (`--build`).

mod fit;
mod measure;
mod prose;
mod sets;
mod training;

use crate::record::{Gate, Measure, Record, What};
use clap::Args;
use elenchus_core::scrutiny::fallacy::model::{Calibration, Features, Model, NONE, softmax};
use elenchus_core::scrutiny::fallacy::{CATALOG, Options, Pack, Point, Reader, detect, features};
use fit::{Settings, fit};
use measure::{Figure, accuracy, auroc, bootstrap, f1, false_alarms, macro_f1};
use sets::{LOGIC, Row};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use training::Example;

/// What to measure or to fit.
#[derive(Args)]
pub(crate) struct FallaciesArgs {
    /// The folder of labelled sets (`edu_*.csv`, `climate_dev.csv`, `cocolofa_dev.json`).
    #[arg(long)]
    data: Option<PathBuf>,
    /// A file or folder of prose that commits no fallacy; may be given several times.
    #[arg(long)]
    prose: Vec<PathBuf>,
    /// A file or folder of prose that argues, so that a warning may be right: reported apart.
    #[arg(long)]
    arguing: Vec<PathBuf>,
    /// Print the warnings on prose.
    #[arg(long)]
    show: bool,
    /// Fit the shipped model on our own examples and write it here.
    #[arg(long)]
    build: Option<PathBuf>,
    /// Fit a model on a CSV with the columns `source_article` and `updated_label` in LOGIC's classes.
    #[arg(long, requires = "model_out")]
    fit_on: Option<PathBuf>,
    /// Where `--fit-on` writes its model.
    #[arg(long)]
    model_out: Option<PathBuf>,
    /// Measure this model file in the place of the shipped one.
    #[arg(long)]
    model: Option<PathBuf>,
    /// Measure what runs say of their own answers, which warns of less than `elenchus fallacies` does.
    #[arg(long, conflicts_with = "model")]
    of_runs: bool,
    #[command(flatten)]
    gate: Gate,
}

/// The files of the labelled sets.
const FILES: [&str; 4] = ["edu_train.csv", "edu_dev.csv", "climate_dev.csv", "cocolofa_dev.json"];

type Run<T> = Result<T, String>;

/// Runs what was asked for; prints a table.
pub(crate) fn run(args: &FallaciesArgs) -> Run<ExitCode> {
    if let Some(file) = &args.build {
        write(file, &shipped()?)?;
    }
    if let (Some(file), Some(out)) = (&args.fit_on, &args.model_out) {
        write(out, &fitted_on(file)?)?;
    }
    let given = match &args.model {
        Some(file) => {
            let bytes = std::fs::read(file)
                .map_err(|e| format!("could not read {}: {e}", file.display()))?;
            Some(Model::parse(&bytes).map_err(|e| format!("{} is no model: {e}", file.display()))?)
        }
        None => None,
    };
    let shipped = if args.of_runs { Reader::Shipped } else { Reader::Asked };
    let reader = given.as_ref().map_or(shipped, Reader::Given);
    let model = match &args.model {
        Some(file) => file.display().to_string(),
        None if args.of_runs => "shipped, as runs are told".to_owned(),
        None => "shipped, as who asks is told".to_owned(),
    };
    let mut report =
        Report { record: Record::new("fallacies").with("model", model), ..Report::default() };
    if let Some(data) = &args.data {
        for file in FILES {
            report.record.read(&data.join(file))?;
        }
        logic(data, given.as_ref().unwrap_or_else(|| Model::shipped()), reader, &mut report)?;
        cocolofa(data, given.as_ref().unwrap_or_else(|| Model::shipped()), reader, &mut report)?;
        no_row_is_ours(data, &mut report)?;
    }
    for (folders, kind) in [(&args.prose, "neutral prose"), (&args.arguing, "prose that argues")] {
        for folder in folders {
            prose::measure(folder, kind, reader, args.show, &mut report)?;
        }
    }
    report.record.detail = serde_json::json!({ "lines": report.lines });
    args.gate.settle(&report.record)
}

fn write(file: &Path, model: &Model) -> Run<()> {
    let bytes = model.to_bytes();
    std::fs::write(file, &bytes).map_err(|e| format!("could not write {}: {e}", file.display()))?;
    println!("{}: {} bytes, {} classes", file.display(), bytes.len(), model.classes().len());
    Ok(())
}

/// A line of the table.
#[derive(serde::Serialize)]
struct Line {
    what: String,
    figure: Option<Figure>,
    note: String,
}

#[derive(Default)]
struct Report {
    lines: Vec<Line>,
    record: Record,
}

impl Report {
    fn put(
        &mut self,
        what: impl Into<String>,
        figure: Option<(What, Figure)>,
        note: impl Into<String>,
    ) {
        let (what, note) = (what.into(), note.into());
        if let Some((kind, figure)) = figure {
            self.note(&what, kind, figure.value, Some((figure.low, figure.high)));
        }
        let figure = figure.map(|(_, figure)| figure);
        let shown = figure.map_or_else(String::new, |figure| figure.to_string());
        println!("{what:<58} {shown:<24} {note}");
        self.lines.push(Line { what, figure, note });
    }

    /// Notes a figure to be compared: "SET: what of it".
    fn note(&mut self, what: &str, kind: What, value: f64, interval: Option<(f64, f64)>) {
        let (set, who) = what.split_once(": ").unwrap_or(("", what));
        self.record.put(set, who, 0, vec![Measure { what: kind, value, interval }]);
    }
}

/// Most features of the model in the program: it stays below a megabyte.
const SHIPPED_FEATURES: usize = 24_000;
const FOLDS: usize = 5;

fn fold(text: &str) -> usize {
    // FNV-1a: the fold of a text depends on nothing else.
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    (hash >> 7) as usize % FOLDS
}

/// The model of the program, with temperature and thresholds from held-out parts of the written examples.
fn shipped() -> Run<Model> {
    let examples = training::examples();
    let read: Vec<Features> = examples.iter().map(|example| features(&example.text)).collect();
    let settings =
        Settings { trust: 3.0, most: SHIPPED_FEATURES, balance: 0.5, ..Settings::default() };
    let mut held: Vec<(Vec<f64>, usize)> = Vec::new();
    let mut classes = Vec::new();
    for part in 0..FOLDS {
        let inside = |example: &Example| example.made || fold(&example.text) != part;
        let texts: Vec<(&Features, &str)> = examples
            .iter()
            .zip(&read)
            .filter(|(example, _)| inside(example))
            .map(|(example, features)| (features, example.label.as_str()))
            .collect();
        let model = fit(&texts, &settings);
        model.classes().clone_into(&mut classes);
        for (example, features) in
            examples.iter().zip(&read).filter(|(example, _)| !inside(example))
        {
            let label = classes.iter().position(|class| *class == example.label);
            held.extend(label.map(|label| (model.scores(features), label)));
        }
    }
    let temperature = fit::temperature(&held);
    let none = classes
        .iter()
        .position(|class| class == NONE)
        .ok_or("no class of texts without a fallacy")?;
    let shares: Vec<(Vec<f64>, usize)> =
        held.iter().map(|(scores, label)| (softmax(scores, temperature), *label)).collect();
    let right = shares.iter().map(|(p, label)| (best(p), *label)).collect::<Vec<_>>();
    println!("held-out examples: {} ", shares.len());
    println!("  naming, {} classes: {}", classes.len(), bootstrap(&right, accuracy));
    let detection: Vec<(f64, bool)> =
        shares.iter().map(|(p, label)| (1.0 - p[none], *label != none)).collect();
    println!("  detection AUROC {:.3}, temperature {temperature:.2}", auroc(&detection));
    let top = |p: &[f64]| {
        p.iter().enumerate().filter(|(i, _)| *i != none).map(|(_, p)| *p).fold(0.0, f64::max)
    };
    let alarm = shares.iter().filter(|(_, l)| *l == none).map(|(p, _)| top(p)).fold(0.0, f64::max);
    for (low, high) in [(0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)] {
        let bin: Vec<&(Vec<f64>, usize)> =
            shares.iter().filter(|(p, _)| (low..high).contains(&p[best(p)])).collect();
        let mean = bin.iter().map(|(p, _)| p[best(p)]).sum::<f64>() / bin.len().max(1) as f64;
        let right = bin.iter().filter(|(p, label)| best(p) == *label).count() as f64
            / bin.len().max(1) as f64;
        println!("  told {mean:.2}, right {right:.2} ({} texts)", bin.len());
    }
    println!("  highest probability of a fallacy on a held-out text without one: {alarm:.3}");
    let texts: Vec<(&Features, &str)> = examples
        .iter()
        .zip(&read)
        .map(|(example, features)| (features, example.label.as_str()))
        .collect();
    // Strict asks for more than any held-out text without a fallacy got; the rest was read off neutral prose.
    let strict = (alarm as f32 + 0.02).clamp(STRICT_LEAST, 0.995);
    Ok(fit(&texts, &settings).with_calibration(Calibration {
        temperature: temperature as f32,
        strict,
        sensitive: SENSITIVE,
        agreement: AGREEMENT,
        fitted: true,
    }))
}

const STRICT_LEAST: f32 = 0.9;
const SENSITIVE: f32 = 0.85;
const AGREEMENT: f32 = 0.9;

fn best(p: &[f64]) -> usize {
    (0..p.len()).max_by(|a, b| p[*a].total_cmp(&p[*b])).unwrap_or(0)
}

/// A model of the same making on somebody's own data, with our texts without a fallacy as its negatives.
fn fitted_on(file: &Path) -> Run<Model> {
    let rows = sets::csv(file, "source_article", "updated_label")?;
    let read: Vec<Features> = rows.iter().map(|row| features(&row.text)).collect();
    let ours: Vec<Features> = training::examples()
        .iter()
        .filter(|example| example.label == NONE)
        .map(|example| features(&example.text))
        .collect();
    let mut texts: Vec<(&Features, &str)> = rows
        .iter()
        .zip(&read)
        .filter_map(|(row, features)| Some((features, sets::logic_id(&row.label)?)))
        .collect();
    if texts.is_empty() {
        return Err(format!("no row of {} has a class of LOGIC", file.display()));
    }
    texts.extend(ours.iter().map(|features| (features, NONE)));
    let calibration = Calibration {
        temperature: 1.0,
        strict: 0.95,
        sensitive: 0.5,
        agreement: 0.6,
        fitted: false,
    };
    Ok(fit(&texts, &Settings::default()).with_calibration(calibration))
}

fn logic_index(label: &str) -> Option<usize> {
    LOGIC.iter().position(|(name, _)| *name == label)
}

/// The class of LOGIC with the most probability, whatever the probability of "nothing" is.
fn named(model: &Model, text: &Features) -> usize {
    let p = model.probabilities(text);
    let of = |ids: &[&str]| -> f64 {
        model
            .classes()
            .iter()
            .zip(&p)
            .filter(|(class, _)| ids.contains(&class.as_str()))
            .map(|(_, p)| p)
            .sum()
    };
    best(&LOGIC.iter().map(|(_, ids)| of(ids)).collect::<Vec<_>>())
}

fn logic(data: &Path, model: &Model, reader: Reader<'_>, report: &mut Report) -> Run<()> {
    let train = sets::csv(&data.join("edu_train.csv"), "source_article", "updated_label")?;
    let dev = sets::csv(&data.join("edu_dev.csv"), "source_article", "updated_label")?;
    let climate = sets::csv(&data.join("climate_dev.csv"), "source_article", "logical_fallacies")?;
    let read =
        |rows: &[Row]| -> Vec<Features> { rows.iter().map(|row| features(&row.text)).collect() };
    let train_read = read(&train);
    let texts: Vec<(&Features, &str)> = train_read
        .iter()
        .zip(&train)
        .map(|(features, row)| (features, row.label.as_str()))
        .collect();
    let fitted = fit(&texts, &Settings::default());
    report.put("LOGIC test, published and measured elsewhere", None, "majority .203, original 10 patterns 1/300, TF-IDF regression .567, Electra .643 (F1 .533-.588)");
    for (name, rows) in [("LOGIC dev", &dev), ("LogicClimate dev", &climate)] {
        let known: Vec<(&Row, usize)> =
            rows.iter().filter_map(|row| Some((row, logic_index(&row.label)?))).collect();
        let read: Vec<Features> = known.iter().map(|(row, _)| features(&row.text)).collect();
        let tell = |name: &dyn Fn(&Features) -> usize| -> Vec<(usize, usize)> {
            read.iter().zip(&known).map(|(features, (_, truth))| (name(features), *truth)).collect()
        };
        let by_fit = tell(&|features| {
            logic_index(&fitted.classes()[best(&fitted.scores(features))]).unwrap_or(usize::MAX)
        });
        let by_shipped = tell(&|features| named(model, features));
        let most = (0..LOGIC.len())
            .max_by_key(|c| known.iter().filter(|(_, t)| t == c).count())
            .unwrap_or(0);
        let floor = tell(&|_| most);
        let n = known.len();
        report.put(
            format!("{name}: majority, accuracy"),
            Some((What::Accuracy, bootstrap(&floor, accuracy))),
            format!("{n} texts"),
        );
        report.put(
            format!("{name}: fitted on LOGIC train, accuracy"),
            Some((What::Accuracy, bootstrap(&by_fit, accuracy))),
            "never shipped",
        );
        report.put(
            format!("{name}: fitted on LOGIC train, macro-F1"),
            Some((What::MacroF1, bootstrap(&by_fit, macro_f1))),
            "",
        );
        report.put(
            format!("{name}: this model, accuracy"),
            Some((What::Accuracy, bootstrap(&by_shipped, accuracy))),
            "saw no row of it",
        );
        report.put(
            format!("{name}: this model, macro-F1"),
            Some((What::MacroF1, bootstrap(&by_shipped, macro_f1))),
            "",
        );
        for point in [Point::Strict, Point::Sensitive] {
            let options = Options { point, theology: false, reader };
            let found: Vec<(bool, bool)> = known
                .iter()
                .filter_map(|(row, truth)| {
                    let first = detect(&row.text, &options)
                        .into_iter()
                        .max_by(|a, b| a.probability.total_cmp(&b.probability));
                    first.map(|f| (LOGIC[*truth].1.contains(&f.fallacy), true))
                })
                .collect();
            let right = found.iter().filter(|(right, _)| *right).count();
            report.put(
                format!("{name}: warnings at {point:?}"),
                None,
                format!("{} of {n} texts warned of, {right} with the right name", found.len()),
            );
        }
    }
    Ok(())
}

/// F1 at the best threshold that keeps false alarms at or below `most`.
fn at_most(pairs: &[(f64, bool)], most: f64) -> Vec<(bool, bool)> {
    let cut = |t: f64| pairs.iter().map(|(score, truth)| (*score >= t, *truth)).collect::<Vec<_>>();
    let mut thresholds: Vec<f64> = pairs.iter().map(|(score, _)| *score).collect();
    thresholds.sort_by(f64::total_cmp);
    let allowed = thresholds.into_iter().map(cut).filter(|pairs| false_alarms(pairs) <= most);
    allowed.max_by(|a, b| f1(a).total_cmp(&f1(b))).unwrap_or_default()
}

fn cocolofa(data: &Path, model: &Model, reader: Reader<'_>, report: &mut Report) -> Run<()> {
    let rows = sets::cocolofa(&data.join("cocolofa_dev.json"))?;
    let truth: Vec<bool> = rows.iter().map(|row| row.label != "none").collect();
    let read: Vec<Features> = rows.iter().map(|row| features(&row.text)).collect();
    report.put("CoCoLoFa test, published and measured elsewhere", None, "always yes F1 .752, original 0/317 false alarms at 3/481, TF-IDF regression .771, BERT .86");
    let always: Vec<(bool, bool)> = truth.iter().map(|t| (true, *t)).collect();
    report.put(
        "CoCoLoFa dev: always yes, detection F1",
        Some((What::F1, bootstrap(&always, f1))),
        format!("{} comments", rows.len()),
    );
    let mut held = vec![0.0; rows.len()];
    let mut named = vec![(0, 0); rows.len()];
    let names: Vec<&str> = rows.iter().map(|row| sets::cocolofa_id(&row.label)).collect();
    for part in 0..FOLDS {
        let out = |i: &usize| fold(&rows[*i].text) == part;
        let inside: Vec<usize> = (0..rows.len()).filter(|i| !out(i)).collect();
        let nine: Vec<(&Features, &str)> = inside.iter().map(|i| (&read[*i], names[*i])).collect();
        let nine = fit(&nine, &Settings { balance: 0.5, ..Settings::default() });
        let none = nine.classes().iter().position(|class| class == NONE).unwrap_or(0);
        for i in (0..rows.len()).filter(out) {
            let p = nine.probabilities(&read[i]);
            held[i] = 1.0 - p[none];
            let truth =
                nine.classes().iter().position(|class| class == names[i]).unwrap_or(usize::MAX);
            named[i] = (best(&p), truth);
        }
    }
    let scores: Vec<(f64, bool)> = held.iter().copied().zip(truth.iter().copied()).collect();
    report.put(
        "CoCoLoFa dev: fitted by 5 folds, AUROC",
        Some((What::Auroc, bootstrap(&scores, auroc))),
        "never shipped",
    );
    for (name, pairs) in [
        ("at probability 0.5", scores.iter().map(|(s, t)| (*s >= 0.5, *t)).collect::<Vec<_>>()),
        ("at false alarms <= 0.25", at_most(&scores, 0.25)),
    ] {
        report.put(
            format!("CoCoLoFa dev: fitted by 5 folds, F1 {name}"),
            Some((What::F1, bootstrap(&pairs, f1))),
            format!("false alarms on `none` {}", bootstrap(&pairs, false_alarms)),
        );
    }
    report.put(
        "CoCoLoFa dev: fitted by 5 folds, 9-way macro-F1",
        Some((What::MacroF1, bootstrap(&named, macro_f1))),
        "",
    );
    let none = model.classes().iter().position(|class| class == NONE);
    let zero: Vec<(f64, bool)> = read
        .iter()
        .zip(&truth)
        .map(|(features, t)| {
            (1.0 - none.map_or(0.0, |none| model.probabilities(features)[none]), *t)
        })
        .collect();
    report.put(
        "CoCoLoFa dev: this model's probability, AUROC",
        Some((What::Auroc, bootstrap(&zero, auroc))),
        "saw no row of it",
    );
    for point in [Point::Strict, Point::Sensitive] {
        for (who, reader) in [("patterns alone", Reader::Off), ("patterns and this model", reader)]
        {
            let options = Options { point, theology: false, reader };
            let told: Vec<(bool, bool)> = rows
                .iter()
                .zip(&truth)
                .map(|(row, t)| (!detect(&row.text, &options).is_empty(), *t))
                .collect();
            let alarms = bootstrap(&told, false_alarms);
            let name = format!("CoCoLoFa dev: {who} at {point:?}, false alarms");
            let interval = Some((alarms.low, alarms.high));
            report.note(&name, What::FalseAlarms, alarms.value, interval);
            report.put(
                format!("CoCoLoFa dev: {who} at {point:?}, F1"),
                Some((What::F1, bootstrap(&told, f1))),
                format!("false alarms on `none` {alarms}"),
            );
        }
    }
    Ok(())
}

/// Our examples are our own: none of them is a row of a set.
fn no_row_is_ours(data: &Path, report: &mut Report) -> Run<()> {
    let plain = |text: &str| -> String {
        text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
    };
    let mut theirs = std::collections::BTreeSet::new();
    for file in ["edu_train.csv", "edu_dev.csv"] {
        let rows = sets::csv(&data.join(file), "source_article", "updated_label")?;
        theirs.extend(rows.iter().map(|row| plain(&row.text)));
    }
    for file in ["climate_train.csv", "climate_dev.csv"] {
        let rows = sets::csv(&data.join(file), "source_article", "logical_fallacies")?;
        theirs.extend(rows.iter().map(|row| plain(&row.text)));
    }
    let comments = sets::cocolofa(&data.join("cocolofa_dev.json"))?;
    theirs.extend(comments.iter().map(|row| plain(&row.text)));
    let examples = training::examples();
    let same: Vec<&Example> =
        examples.iter().filter(|example| theirs.contains(&plain(&example.text))).collect();
    report.put(
        "our examples that are a row of a set",
        None,
        format!("{} of {}", same.len(), examples.len()),
    );
    if let Some(example) = same.first() {
        return Err(format!("an example is a row of a set: {}", example.text));
    }
    let general = CATALOG.iter().filter(|fallacy| fallacy.pack == Pack::General).count();
    report.put("catalog", None, format!("{general} general, {} of packs", CATALOG.len() - general));
    Ok(())
}
