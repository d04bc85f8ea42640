//! Evidence selection: which sentences bear on a claim, which of the claim's words they bear out, beside the floors.

mod cases;
mod fit;
mod words;

use crate::anchors;
use crate::claims::sets;
use crate::metrics::{Figure, figure};
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use cases::{Case, Ranking};
use elenchus_io::verify::select::RELEVANT;
use std::path::Path;
use std::process::ExitCode;

/// Sets with gold sentences whose licences allow fitting.
const GOLD: [&str; 2] = ["wice.dev", "scifact.dev"];

/// Prints the tables; with `refit` also weights fitted anew, checked by cross-validation and on the set left out.
pub(crate) fn run(dir: &Path, refit: bool, gate: &Gate) -> Result<ExitCode, String> {
    let sets = sets::read(dir, &GOLD.map(str::to_owned))?;
    let all: Vec<(String, Vec<Case>)> =
        sets.iter().map(|set| (set.name.clone(), cases::prepare(set))).collect();
    anchors::print("spans", "");
    let mut record = Record::new("spans");
    record.data = sets.iter().map(|set| (set.name.clone(), set.sha256.clone())).collect();
    for (name, cases) in &all {
        println!("{name}: {} claims with gold sentences", cases.len());
        if let Some(each) = cases::time(cases) {
            println!("  select: {:.3} ms a claim", each * 1e3);
        }
        for (label, order) in floors() {
            let figures = table(label, cases, &|case| order(case).to_vec());
            record.put(name, label, cases.len(), figures);
        }
        let figures = table("select", cases, &|case| case.picked_order());
        record.put(name, "select", cases.len(), figures);
        relevance(cases);
        println!("  offsets exact: {}", offsets(cases));
    }
    if refit {
        fit::report(&all);
    }
    words::report(dir, &mut record)?;
    gate.settle(&record)
}

/// A way to order the sentences of a case.
type Order = fn(&Case) -> &[usize];

fn floors() -> [(&'static str, Order); 3] {
    [
        ("idf overlap", |case| &case.overlap),
        ("cosine", |case| &case.cosine),
        ("features::nearest", |case| &case.nearest),
    ]
}

/// A line of figures for one way to order the sentences; what of it is compared.
fn table(label: &str, cases: &[Case], order: &dyn Fn(&Case) -> Vec<usize>) -> Vec<Measure> {
    let rows: Vec<Ranking> = cases.iter().map(|case| case.judge(&order(case))).collect();
    let of = |pick: fn(&Ranking) -> f64| -> Figure {
        figure(&rows, |rows| rows.iter().map(pick).sum::<f64>() / rows.len().max(1) as f64)
    };
    let (first, five) = (of(|row| row.hit[0]), of(|row| row.hit[2]));
    let precision = of(|row| row.precision);
    println!(
        "  {label:18} hit@1 {} hit@3 {} hit@5 {} R-precision {} (over all gold {})",
        first.shown(),
        of(|row| row.hit[1]).shown(),
        five.shown(),
        precision.shown(),
        of(|row| row.union_precision).shown(),
    );
    vec![
        Measure::of(What::FirstHit, first),
        Measure::of(What::FiveHit, five),
        Measure::of(What::RPrecision, precision),
    ]
}

/// What is kept by the threshold, and by the cosine that others use.
fn relevance(cases: &[Case]) {
    let count = |test: &dyn Fn(&Case, usize) -> bool, name: &str| {
        let gold: Vec<(&Case, usize)> =
            cases.iter().flat_map(|case| case.gold.iter().map(move |at| (case, *at))).collect();
        let kept = gold.iter().filter(|(case, at)| test(case, *at)).count();
        let supported: Vec<&Case> = cases.iter().filter(|case| case.supported).collect();
        let whole =
            supported.iter().filter(|case| case.gold.iter().any(|at| test(case, *at))).count();
        println!(
            "  {name}: keeps {} of gold sentences, {} of supported claims",
            share(kept, gold.len()),
            share(whole, supported.len())
        );
    };
    count(
        &|case, at| case.picked.iter().any(|p| p.sentence == at && p.similarity >= RELEVANT),
        "relevant",
    );
    count(&|case, at| case.cosines[at] >= 0.7, "cosine of the built-in table from 0.7 on");
    let strange =
        cases.iter().filter(|case| case.strange.is_some_and(|top| top >= RELEVANT)).count();
    println!("  texts of other claims taken for relevant: {}", share(strange, cases.len()));
}

/// Joins the sentences of every case to one text and cuts the chosen ones out again.
fn offsets(cases: &[Case]) -> String {
    use elenchus_core::evidence::{Span, char_slice};
    let (mut right, mut n) = (0, 0);
    for case in cases {
        let text = case.texts.join("\n");
        let mut start = 0;
        let spans: Vec<Span> = case
            .texts
            .iter()
            .map(|sentence| {
                let span = Span { start, end: start + sentence.chars().count() };
                start = span.end + 1;
                span
            })
            .collect();
        for chosen in case.picked.iter().take(3) {
            let quote = case.texts[chosen.sentence].as_str();
            n += 1;
            right += usize::from(char_slice(&text, spans[chosen.sentence]) == Some(quote));
        }
    }
    share(right, n)
}
