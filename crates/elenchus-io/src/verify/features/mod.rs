//! What a claim and its evidence have in common, as numbers for the built-in verifier.

mod align;

use super::binding::{self, Bindings, GroundedBy};
use super::select::select;
use super::sentence::Sentence;
use align::{Alignment, align};
use elenchus_core::port::{Mismatch, MismatchKind as Kind};

/// How many features there are.
pub const COUNT: usize = NAMES.len();

/// The features' names, in order. Shares are 0 to 1; "best" is the sentence nearest to the claim, "top" the three
/// nearest together.
pub const NAMES: [&str; 44] = [
    "claim words in the best sentence, letter for letter",
    "claim words in the best sentence, by meaning",
    "claim words in the top sentences, letter for letter",
    "claim words in the top sentences, by meaning",
    "claim words anywhere, letter for letter",
    "direction of the best sentence",
    "direction of the top sentences",
    "names missing in the top sentences",
    "numbers missing in the top sentences",
    "a number is missing",
    "worst word in the top sentences",
    "second worst word in the top sentences",
    "one side is negated",
    "both sides are negated",
    "opposite words",
    "neighbouring words kept",
    "order kept",
    "length of the claim",
    "sentences of evidence",
    "verbs by meaning",
    "descriptions missing",
    "best sentence covered by the claim",
    "another word in the same place",
    "all words of the claim found",
    "best against second best sentence",
    "siblings in place of words",
    "words grounded",
    "worst word grounded",
    "second worst word grounded",
    "words with nothing for them",
    "opposites grounded",
    "another number, unit or date",
    "a number, unit or date that is not said",
    "another name",
    "a name that is not said",
    "names in other roles",
    "negated otherwise",
    "opposite direction",
    "another quantity",
    "said more surely than the evidence",
    "compared the other way",
    "numbers, units and dates that fit",
    "names that fit",
    "best sentence by binding",
];

/// The sentences that were looked at and the numbers that came of them.
#[derive(Clone, Debug)]
pub struct Features {
    /// One a name.
    pub values: [f64; COUNT],
    /// How sure it is that the nearest sentence bears on the claim, 0 to 1.
    pub similarity: f64,
    /// What the binding checks found in the nearest sentences, whose positions there are those in `nearest`.
    pub bindings: Option<Bindings>,
    /// Positions of the nearest sentences, nearest first, at most [`TOP`].
    pub nearest: Vec<usize>,
}

/// Sentences that are read together.
pub const TOP: usize = 3;

/// The plain way to order sentences, which [`select`] is measured against: positions of the sentences nearest to the
/// claim, nearest first, with their similarity 0 to 1: the share of the
/// claim's weight that a sentence has letter for letter (rarer words of the evidence weigh more) and the direction
/// of its vector, half and half.
pub fn nearest(claim: &Sentence, evidence: &[&Sentence], limit: usize) -> Vec<(usize, f64)> {
    // How many sentences have each word of the claim: a word that all have tells nothing apart.
    let n = evidence.len() as f64;
    let weights: Vec<f64> = claim
        .words
        .iter()
        .map(|word| {
            let having = evidence
                .iter()
                .filter(|sentence| sentence.words.iter().any(|other| align::same(word, other)))
                .count() as f64;
            f64::from(word.weight) * (1.0 + n / (1.0 + having)).ln()
        })
        .collect();
    let total: f64 = weights.iter().sum::<f64>().max(1e-9);
    let mut scored: Vec<(usize, f64)> = evidence
        .iter()
        .enumerate()
        .map(|(at, sentence)| {
            let exact: f64 = claim
                .words
                .iter()
                .zip(&weights)
                .filter(|(word, _)| sentence.words.iter().any(|other| align::same(word, other)))
                .map(|(_, weight)| weight)
                .sum();
            let direction = f64::from(crate::embed::dot(&claim.vector, &sentence.vector)).max(0.0);
            (at, 0.6 * exact / total + 0.4 * direction)
        })
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scored.truncate(limit);
    scored
}

/// The features of a claim and its evidence. Without a word on either side all are 0.
pub fn features(claim: &Sentence, evidence: &[&Sentence]) -> Features {
    let ranked: Vec<(usize, f64)> = select(claim, evidence, TOP.max(2))
        .into_iter()
        .map(|chosen| (chosen.sentence, chosen.similarity))
        .collect();
    let mut values = [0.0; COUNT];
    let Some((best_at, best_score)) = ranked.first().copied() else {
        return Features { values, similarity: 0.0, bindings: None, nearest: Vec::new() };
    };
    let top: Vec<&Sentence> = ranked.iter().take(TOP).map(|(at, _)| evidence[*at]).collect();
    let best = align(claim, &[evidence[best_at]]);
    let union = align(claim, &top);
    let anywhere = align::exact_share(claim, evidence);
    let share = |a: &Alignment, test: &dyn Fn(usize) -> bool, score: &dyn Fn(usize) -> f64| {
        let total: f64 = (0..claim.words.len()).filter(|i| test(*i)).map(|i| a.weight(i)).sum();
        if total == 0.0 {
            return None;
        }
        let sum: f64 =
            (0..claim.words.len()).filter(|i| test(*i)).map(|i| a.weight(i) * score(i)).sum();
        Some(sum / total)
    };
    let every = |_: usize| true;
    let pos = |i: usize| claim.words[i].token.pos;
    let missing = |i: usize| 1.0 - union.soft[i];
    use super::tokens::Pos;
    let name = |i: usize| pos(i) == Pos::ProperNoun;
    let number = |i: usize| pos(i) == Pos::Numeral;
    let verb = |i: usize| pos(i) == Pos::Verb;
    let description = |i: usize| matches!(pos(i), Pos::Adjective | Pos::Adverb);
    values[0] = share(&best, &every, &|i| best.exact[i]).unwrap_or(0.0);
    values[1] = share(&best, &every, &|i| best.soft[i]).unwrap_or(0.0);
    values[2] = share(&union, &every, &|i| union.exact[i]).unwrap_or(0.0);
    values[3] = share(&union, &every, &|i| union.soft[i]).unwrap_or(0.0);
    values[4] = anywhere;
    values[5] = f64::from(crate::embed::dot(&claim.vector, &evidence[best_at].vector)).max(0.0);
    values[6] = top_direction(claim, &top);
    values[7] = share(&union, &name, &missing).unwrap_or(0.0);
    values[8] = share(&union, &number, &missing).unwrap_or(0.0);
    values[9] = f64::from((0..claim.words.len()).any(|i| number(i) && union.soft[i] < 0.5));
    let mut worst: Vec<f64> = (0..claim.words.len())
        .filter(|i| claim.words[*i].weight > 1.5)
        .map(|i| union.soft[i])
        .collect();
    worst.sort_by(f64::total_cmp);
    values[10] = worst.first().copied().unwrap_or(1.0);
    values[11] = worst.get(1).copied().unwrap_or(1.0);
    let negated = claim.negated;
    let best_negated = evidence[best_at].negated;
    values[12] = f64::from(negated != best_negated);
    values[13] = f64::from(negated && best_negated);
    values[14] = (best.opposites as f64 / 2.0).min(1.0);
    values[15] = best.neighbours_kept(claim);
    values[16] = best.order_kept();
    values[17] = ((claim.words.len() as f64 + 1.0).ln() / 4.0).min(1.0);
    values[18] = ((evidence.len() as f64).ln_1p() / 5.0).min(1.0);
    values[19] = share(&best, &verb, &|i| best.soft[i]).unwrap_or(1.0);
    values[20] = share(&union, &description, &missing).unwrap_or(0.0);
    values[21] = best.covered(evidence[best_at]);
    values[22] = best.replaced(claim, evidence[best_at]);
    values[23] = f64::from(union.soft.iter().all(|score| *score > 0.6));
    values[24] = best_score - ranked.get(1).map_or(0.0, |(_, score)| *score);
    values[25] = (best.siblings as f64 / 2.0).min(1.0);
    let mut bindings =
        binding::check(&claim.bound, &top.iter().map(|s| &s.bound).collect::<Vec<_>>());
    bound(&bindings, &mut values);
    if evidence.len() > TOP && bindings.mismatches.iter().any(|mismatch| !mismatch.contradicts) {
        // What three sentences do not say, or say with less certainty, another one may.
        let all: Vec<&binding::Prepared> = evidence.iter().map(|s| &s.bound).collect();
        let whole = binding::check(&claim.bound, &all).mismatches;
        bindings.mismatches.retain(|mismatch| {
            let same = |other: &Mismatch| {
                other.kind == mismatch.kind && other.claim_span == mismatch.claim_span
            };
            mismatch.contradicts || whole.iter().any(same)
        });
    }
    Features {
        values,
        similarity: best_score,
        bindings: Some(bindings),
        nearest: ranked.into_iter().take(TOP).map(|(at, _)| at).collect(),
    }
}

fn top_direction(claim: &Sentence, top: &[&Sentence]) -> f64 {
    let mut sum = vec![0.0f32; claim.vector.len()];
    for sentence in top {
        for (a, b) in sum.iter_mut().zip(&sentence.vector) {
            *a += b;
        }
    }
    f64::from(crate::embed::cosine(&claim.vector, &sum)).max(0.0)
}

/// The figures that the binding checks give.
fn bound(bindings: &Bindings, values: &mut [f64; COUNT]) {
    let grounding = &bindings.grounding;
    let n = grounding.len().max(1) as f64;
    let mut scores: Vec<f64> = grounding.iter().map(|g| g.score).collect();
    scores.sort_by(f64::total_cmp);
    let by = |kind: GroundedBy| grounding.iter().filter(|g| g.by == kind).count() as f64;
    let said = |kinds: &[Kind], contradicts: bool| {
        let found = bindings
            .mismatches
            .iter()
            .filter(|m| kinds.contains(&m.kind) && m.contradicts == contradicts)
            .count();
        (found as f64 / 2.0).min(1.0)
    };
    let either = |kind: Kind| said(&[kind], true).max(said(&[kind], false));
    let fits = |kinds: &[Kind]| {
        let sum = |count: &dyn Fn(Kind) -> usize| kinds.iter().map(|k| count(*k)).sum::<usize>();
        let checked = sum(&|kind| bindings.checked.get(kind));
        let matched = sum(&|kind| bindings.matched.get(kind));
        if checked == 0 { 0.5 } else { matched as f64 / checked as f64 }
    };
    let amounts = [Kind::Number, Kind::Unit, Kind::Date];
    let start = COUNT - 18;
    let found = [
        if grounding.is_empty() { 0.0 } else { scores.iter().sum::<f64>() / n },
        scores.first().copied().unwrap_or(1.0),
        scores.get(1).copied().unwrap_or(1.0),
        by(GroundedBy::None) / n,
        (by(GroundedBy::Opposite) / 2.0).min(1.0),
        said(&amounts, true),
        said(&amounts, false),
        said(&[Kind::Entity], true),
        said(&[Kind::Entity], false),
        either(Kind::Role),
        either(Kind::Negation),
        either(Kind::Polarity),
        either(Kind::Quantifier),
        either(Kind::Hedge),
        either(Kind::Comparative),
        fits(&amounts),
        fits(&[Kind::Entity]),
        bindings.overlap.iter().copied().fold(0.0, f64::max),
    ];
    values[start..].copy_from_slice(&found);
}
