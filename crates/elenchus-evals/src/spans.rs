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
use elenchus_core::evidence::char_slice;
use elenchus_core::port::{Checked, Pair};
use elenchus_io::ingest::sentence::sentences;
use elenchus_io::verify::BuiltinVerifier;
use elenchus_io::verify::select::RELEVANT;
use std::collections::BTreeSet;
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
        let (right, named) = offsets(cases);
        println!("  offsets exact: {}", share(right, named));
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

/// Has the verifier judge every claim by one text of all its sentences, and cuts out what it names as having decided: a place is
/// exact where a sentence or a line of the text stands there, letter for letter. Gives how many are, and of how many.
fn offsets(cases: &[Case]) -> (usize, usize) {
    let verifier = BuiltinVerifier::quick();
    let (mut right, mut n) = (0, 0);
    for case in cases {
        let text = case.texts.join("\n");
        let pair = Pair { claim: case.claim.clone(), evidence: vec![text], above: vec![] };
        let judged = verifier.judge(std::slice::from_ref(&pair)).pop();
        let Some(Checked::Judged(judgement)) = judged else { continue };
        let text = pair.evidence[0].as_str();
        let mut whole: BTreeSet<&str> = text.lines().map(str::trim).collect();
        whole.extend(sentences(text).into_iter().map(|range| &text[range]));
        for place in &judgement.sentences {
            let cut = char_slice(text, place.span).filter(|_| place.item == 0);
            n += 1;
            right += usize::from(cut.is_some_and(|cut| whole.contains(cut)));
        }
    }
    (right, n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::sets::{Label, Set};

    #[test]
    fn what_decided_is_cut_out_letter_for_letter() {
        let texts = [
            "  Es regnete \u{2014} \u{fc}berall.",
            "The mill at Au\u{df}en burnt in May.",
            "Nobody came.",
        ];
        let pair = |claim: &str| sets::Pair {
            id: String::new(),
            claim: claim.to_owned(),
            evidence: texts.map(str::to_owned).into(),
            label: Label::Supported,
            above: Vec::new(),
            document: None,
            gold_sentences: Some(vec![vec![1]]),
        };
        let set = Set {
            name: "own.dev".to_owned(),
            family: "own".to_owned(),
            sha256: String::new(),
            pairs: vec![
                pair("The mill burnt in May."),
                pair("The mill at Au\u{df}en burnt in May."),
            ],
        };
        let (right, n) = offsets(&cases::prepare(&set));
        assert!(n > 1 && right == n, "{right} of {n}");
    }
}
