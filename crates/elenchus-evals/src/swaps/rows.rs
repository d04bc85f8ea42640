//! What is printed and written about a run of attacks.

use super::data::{Origin, Pair};
use super::make::{Attack, KINDS, Swap};
use crate::record::{Measure, Record, What};
use crate::stats::share;
use elenchus_core::port::{Mismatch, MismatchKind};
use std::collections::BTreeMap;

/// Counts of one row of the table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) n: usize,
    pub(crate) fitting: usize,
    pub(crate) any: usize,
    /// More mismatches than before the swap.
    pub(crate) new: usize,
    pub(crate) noticed: usize,
    /// Pairs that the verifier called supported before the swap.
    pub(crate) called: usize,
    /// Of those, swaps that it calls supported still: what a reader would be misled by.
    pub(crate) passed: usize,
}

/// The kind's name.
pub(crate) fn name(kind: MismatchKind) -> &'static str {
    match kind {
        MismatchKind::Number => "number",
        MismatchKind::Unit => "unit",
        MismatchKind::Date => "date",
        MismatchKind::Entity => "entity",
        MismatchKind::Role => "role",
        MismatchKind::Negation => "negation",
        MismatchKind::Polarity => "polarity",
        MismatchKind::Quantifier => "quantifier",
        MismatchKind::Hedge => "hedge",
        MismatchKind::Comparative => "comparative",
    }
}

/// A kind of swap in a word.
pub(crate) fn kind_name(kind: Swap) -> String {
    format!("{kind:?}").to_lowercase()
}

/// The counts by kind and by where the pairs are from.
pub(crate) type Table = BTreeMap<(Swap, Origin), Tally>;

/// Fewer attacks of a kind than this say too little.
const LEAST: usize = 200;

/// The table by kind, pairs of the sets, edited sentences and templates apart.
pub(crate) fn print(table: &Table, scored: bool) {
    println!(
        "{:<12} {:<10} {:<34} {:<34} new",
        "swap", "pairs", "fitting mismatch", "any mismatch"
    );
    for ((kind, origin), tally) in table {
        print!(
            "{:<12} {:<10} {:<34} {:<34} {}",
            kind_name(*kind),
            origin.name(),
            share(tally.fitting, tally.n),
            share(tally.any, tally.n),
            share(tally.new, tally.n)
        );
        if scored {
            print!(
                "  noticed {}  passed {}",
                share(tally.noticed, tally.n),
                share(tally.passed, tally.called)
            );
        }
        println!();
    }
    for kind in KINDS {
        let n: usize = table.iter().filter(|((k, _), _)| *k == kind).map(|(_, t)| t.n).sum();
        if n < LEAST {
            println!("only {n} attacks of the kind {}, fewer than {LEAST}", kind_name(kind));
        }
    }
}

/// The rows of the record.
pub(crate) fn put(record: &mut Record, table: &Table, scored: bool) {
    for ((kind, origin), tally) in table {
        let mut figures = vec![Measure::share(What::Mismatch, tally.any, tally.n)];
        if scored {
            figures.push(Measure::share(What::Noticed, tally.noticed, tally.n));
        }
        // Without a claim that was called supported nothing can pass.
        if scored && tally.called > 0 {
            figures.push(Measure::share(What::Passed, tally.passed, tally.called));
        }
        record.put(origin.name(), &kind_name(*kind), tally.n, figures);
    }
}

/// An attack and what was found, as a JSON line.
pub(crate) fn line(attack: &Attack, pair: &Pair, found: &[Mismatch]) -> String {
    serde_json::json!({
        "kind": kind_name(attack.kind),
        "seed": attack.seed,
        "set": pair.set,
        "from": pair.origin().name(),
        "original": pair.claim,
        "claim": attack.claim,
        "evidence": pair.evidence,
        "mismatches": found,
    })
    .to_string()
}
