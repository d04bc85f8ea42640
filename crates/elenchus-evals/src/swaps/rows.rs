//! What is printed and written about a run of attacks.

use super::data::Pair;
use super::make::{Attack, Swap};
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

/// The table by kind, pairs of the sets and generated ones apart.
pub(crate) fn print(table: &BTreeMap<(Swap, bool), Tally>, scored: bool) {
    println!(
        "{:<12} {:<10} {:<34} {:<34} new",
        "swap", "pairs", "fitting mismatch", "any mismatch"
    );
    for ((kind, generated), tally) in table {
        let pairs = if *generated { "generated" } else { "sets" };
        print!(
            "{:<12} {pairs:<10} {:<34} {:<34} {}",
            format!("{kind:?}").to_lowercase(),
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
}

/// An attack and what was found, as a JSON line.
pub(crate) fn line(attack: &Attack, pair: &Pair, found: &[Mismatch]) -> String {
    serde_json::json!({
        "kind": format!("{:?}", attack.kind).to_lowercase(),
        "seed": attack.seed,
        "set": pair.set,
        "generated": pair.generated,
        "original": pair.claim,
        "claim": attack.claim,
        "evidence": pair.evidence,
        "mismatches": found,
    })
    .to_string()
}
