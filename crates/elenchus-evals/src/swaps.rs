//! Swap attacks: one word of a supported claim is exchanged, and the checker has to notice.
//!
//! The attacks are made without the checker's tables: numbers change by digits, names come out of other texts, and
//! the few words that negate, hedge and compare stand here.

pub(crate) mod data;
pub(crate) mod make;
pub(crate) mod rows;
mod templates;
#[cfg(test)]
mod tests;

use crate::anchors;
use crate::record::{Gate, Measure, Record, What};
use crate::stats::share;
use data::Origin;
use elenchus_core::port::MismatchKind;
use elenchus_io::verify::binding::{Prepared, check};
use make::Swap;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Attacks made of each kind, unless the sets hold fewer.
const EACH: usize = 400;

/// The support has to fall at least this much, or below the threshold, for a swap to count as noticed.
const FALL: f64 = 0.1;

/// The row of pairs that were not attacked.
const UNTOUCHED: &str = "untouched pairs";

/// Untouched pairs of a set that a whole verifier judges, evenly taken; the checks alone see all.
const JUDGED: usize = 400;

/// Times that all pairs are checked when the speed is measured.
const ROUNDS: usize = 20;

/// Anything that judges how far evidence bears a claim out.
pub(crate) trait Scorer {
    /// P(supported), 0 to 1.
    fn supports(&self, claim: &str, evidence: &[String]) -> f64;
    /// From here on a claim counts as supported.
    fn threshold(&self) -> f64;
}

/// The kinds of mismatch that fit a kind of swap.
fn fitting(swap: Swap, kind: MismatchKind) -> bool {
    use MismatchKind as M;
    match swap {
        Swap::Number => matches!(kind, M::Number | M::Date),
        Swap::Entity => matches!(kind, M::Entity | M::Role),
        Swap::Negation => matches!(kind, M::Negation | M::Polarity | M::Quantifier),
        Swap::Unit => matches!(kind, M::Unit | M::Number),
        Swap::Year => matches!(kind, M::Date | M::Number),
        Swap::Hedge => matches!(kind, M::Hedge | M::Quantifier),
        Swap::Comparative => matches!(kind, M::Comparative | M::Polarity | M::Role | M::Quantifier),
    }
}

/// What to run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SwapsArgs {
    /// A folder of claim sets, whose supported pairs are swapped; its neighbours hold the other texts.
    #[arg(long)]
    data: PathBuf,
    /// Write every attack with what came of it as JSON lines.
    #[arg(long)]
    attacks: Option<PathBuf>,
    /// Another seed draws other swaps.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print every miss and false alarm.
    #[arg(long)]
    wrong: bool,
    /// Judge by the whole verifier, too, not by the binding checks alone: `builtin` or `quick`.
    #[arg(long)]
    verifier: Option<String>,
    #[command(flatten)]
    gate: Gate,
}

/// Measures the binding checks and, if one is named, a whole verifier.
pub(crate) fn run(args: &SwapsArgs) -> Result<ExitCode, String> {
    let whole = args.verifier.as_deref().map(crate::whole::Whole::named).transpose()?;
    let scorer = whole.as_ref().map(|whole| whole as &dyn Scorer);
    let pairs = data::supported(&args.data)?;
    let mut record = Record::new("swaps")
        .with("seed", args.seed)
        .with("verifier", args.verifier.as_deref().unwrap_or("none"));
    data::read_by(&args.data, &mut record)?;
    anchors::print("swaps", "");
    attacked(args, &pairs, scorer, &mut record)?;
    false_alarms(&pairs, args.wrong, scorer, &mut record);
    paraphrases(args, scorer, &mut record);
    speed(&pairs);
    args.gate.settle(&record)
}

/// Attacks the pairs and prints what came of it.
fn attacked(
    args: &SwapsArgs,
    pairs: &[data::Pair],
    scorer: Option<&dyn Scorer>,
    record: &mut Record,
) -> Result<(), String> {
    let attacks = make::attacks(pairs, args.seed, EACH);
    println!("seed {}; {} supported pairs, {} attacks", args.seed, pairs.len(), attacks.len());
    let mut table = rows::Table::new();
    let mut lines = Vec::new();
    let mut originals: BTreeMap<usize, Original> = BTreeMap::new();
    for attack in &attacks {
        let pair = &pairs[attack.pair];
        let original = originals
            .entry(attack.pair)
            .or_insert_with(|| Original::new(&pair.claim, &pair.evidence, scorer));
        let found = check(&Prepared::new(&attack.claim), &original.evidence).mismatches;
        let fits = found.iter().any(|m| fitting(attack.kind, m.kind));
        let tally = table.entry((attack.kind, pair.origin())).or_default();
        tally.n += 1;
        tally.fitting += usize::from(fits);
        tally.any += usize::from(!found.is_empty());
        tally.new += usize::from(found.len() > original.alarms);
        if let Some(scorer) = scorer {
            let after = scorer.supports(&attack.claim, &pair.evidence);
            let before = original.supports;
            let fell = before - after >= FALL
                || before >= scorer.threshold() && after < scorer.threshold();
            tally.noticed += usize::from(fell);
            if before >= scorer.threshold() {
                tally.called += 1;
                tally.passed += usize::from(after >= scorer.threshold());
            }
        }
        if args.wrong && found.is_empty() {
            println!(
                "missed {:?} [{}]\n  claim: {}\n  was:   {}",
                attack.kind, pair.set, attack.claim, pair.claim
            );
            for sentence in pair.evidence.iter().take(4) {
                println!("  evidence: {sentence}");
            }
        }
        lines.push(rows::line(attack, pair, &found));
    }
    rows::print(&table, scorer.is_some());
    rows::put(record, &table, scorer.is_some());
    if let Some(path) = &args.attacks {
        std::fs::write(path, lines.join("\n") + "\n")
            .map_err(|e| format!("could not write {}: {e}", path.display()))?;
    }
    Ok(())
}

/// What is known of a pair before it is attacked.
struct Original {
    evidence: Vec<Prepared>,
    alarms: usize,
    supports: f64,
}

impl Original {
    fn new(claim: &str, evidence: &[String], scorer: Option<&dyn Scorer>) -> Self {
        let prepared: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
        let alarms = check(&Prepared::new(claim), &prepared).mismatches.len();
        Self {
            evidence: prepared,
            alarms,
            supports: scorer.map_or(0.0, |s| s.supports(claim, evidence)),
        }
    }
}

/// Mismatches on pairs that nobody touched, a set and a kind. Edited sentences are no paraphrases of other people and
/// are left out; templates stand below the sum, which they would flatter.
fn false_alarms(
    pairs: &[data::Pair],
    wrong: bool,
    scorer: Option<&dyn Scorer>,
    record: &mut Record,
) {
    let mut sets: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut kinds: BTreeMap<(&str, &'static str), usize> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.origin() != Origin::Generated) {
        let found = alarm(&pair.claim, &pair.evidence);
        let entry = sets.entry(pair.set).or_default();
        entry.1 += 1;
        entry.0 += usize::from(!found.is_empty());
        for kind in &found {
            *kinds.entry((pair.set, kind.0)).or_default() += 1;
        }
        if wrong && !found.is_empty() {
            println!("false alarm [{}] {}\n  {:?}", pair.set, pair.claim, found);
            for sentence in pair.evidence.iter().take(5) {
                println!("  evidence: {sentence}");
            }
        }
    }
    println!("\nfalse alarms on untouched supported pairs");
    let (mut hits, mut n) = (0, 0);
    let (mut lost_of_all, mut judged_of_all) = (0, 0);
    for (set, (h, all)) in &sets {
        let of: Vec<String> = kinds
            .iter()
            .filter(|((s, _), _)| s == set)
            .map(|((_, k), c)| format!("{k} {c}"))
            .collect();
        println!("  {set:<16} {}  {}", share(*h, *all), of.join(", "));
        let mut figures = vec![Measure::share(What::FalseAlarms, *h, *all)];
        let is_own = |pair: &&data::Pair| pair.set == *set && pair.origin() != Origin::Generated;
        let own = pairs.iter().filter(is_own);
        let own: Vec<Untouched<'_>> =
            own.map(|pair| (pair.claim.as_str(), pair.evidence.as_slice())).collect();
        if let Some((lost, judged)) = scorer.map(|scorer| lost(scorer, &own)) {
            println!("  {:<16} {} lost by the verifier", "", share(lost, judged));
            figures.push(Measure::share(What::Lost, lost, judged));
            if *set != templates::SET {
                lost_of_all += lost;
                judged_of_all += judged;
            }
        }
        record.put(set, UNTOUCHED, *all, figures);
        if *set != templates::SET {
            hits += h;
            n += all;
        }
    }
    println!("  {:<16} {}", "all of the sets", share(hits, n));
    if scorer.is_some() {
        println!("  {:<16} {} lost by the verifier", "", share(lost_of_all, judged_of_all));
    }
}

/// A claim that its evidence bears out, and the evidence.
type Untouched<'a> = (&'a str, &'a [String]);

/// How many of untouched pairs a verifier does not call supported, and how many it judged: what is right and stands in other
/// words is to be called so.
fn lost(scorer: &dyn Scorer, pairs: &[Untouched<'_>]) -> (usize, usize) {
    let judged = pairs.iter().step_by(pairs.len().div_ceil(JUDGED).max(1));
    let is_lost = judged.map(|(claim, evidence)| {
        usize::from(scorer.supports(claim, evidence) < scorer.threshold())
    });
    is_lost.fold((0, 0), |(lost, judged), one| (lost + one, judged + 1))
}

fn alarm(claim: &str, evidence: &[String]) -> Vec<(&'static str, String)> {
    let prepared: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
    check(&Prepared::new(claim), &prepared)
        .mismatches
        .into_iter()
        .map(|m| (rows::name(m.kind), m.reason))
        .collect()
}

/// Checks of prepared pairs with one sentence of evidence each, on one core.
fn speed(pairs: &[data::Pair]) {
    let ready: Vec<(Prepared, [Prepared; 1])> = pairs
        .iter()
        .filter(|pair| pair.evidence.len() == 1)
        .take(1_000)
        .map(|pair| (Prepared::new(&pair.claim), [Prepared::new(&pair.evidence[0])]))
        .collect();
    let started = std::time::Instant::now();
    let mut mismatches = 0;
    for _ in 0..ROUNDS {
        for (claim, evidence) in &ready {
            mismatches += check(claim, evidence).mismatches.len();
        }
    }
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    let n = ROUNDS * ready.len();
    println!(
        "\n{:.0} prepared pairs a second ({n} checks, {mismatches} mismatches)",
        n as f64 / seconds
    );
    let started = std::time::Instant::now();
    let texts: usize =
        pairs.iter().take(2_000).map(|pair| Prepared::new(&pair.claim).tokens().len()).sum();
    let each = started.elapsed().as_secs_f64() * 1e6 / pairs.len().clamp(1, 2_000) as f64;
    println!("{each:.1} microseconds to prepare a claim ({texts} tokens in all)");
}

/// The same verse in two translations.
fn paraphrases(args: &SwapsArgs, scorer: Option<&dyn Scorer>, record: &mut Record) {
    let verses = data::verses(&args.data);
    if verses.is_empty() {
        println!("skip: no verses beside {}", args.data.display());
        return;
    }
    let mut hits = 0;
    let mut kinds: BTreeMap<&'static str, usize> = BTreeMap::new();
    for (claim, evidence) in &verses {
        let found = alarm(claim, std::slice::from_ref(evidence));
        hits += usize::from(!found.is_empty());
        for kind in &found {
            *kinds.entry(kind.0).or_default() += 1;
        }
        if args.wrong && !found.is_empty() {
            println!("false alarm [verses] {claim}\n  {found:?}\n  evidence: {evidence}");
        }
    }
    println!("  {:<16} {}  {kinds:?}", "verses", share(hits, verses.len()));
    let mut figures = vec![Measure::share(What::FalseAlarms, hits, verses.len())];
    let own: Vec<Untouched<'_>> = verses
        .iter()
        .map(|(claim, evidence)| (claim.as_str(), std::slice::from_ref(evidence)))
        .collect();
    if let Some((lost, judged)) = scorer.map(|scorer| lost(scorer, &own)) {
        println!("  {:<16} {} lost by the verifier", "", share(lost, judged));
        figures.push(Measure::share(What::Lost, lost, judged));
    }
    record.put("verses", UNTOUCHED, verses.len(), figures);
}
