//! What speaks for a sentence bearing on a claim, as numbers.

use super::cues::{OPEN, OUTCOME, PURPOSE, ends, has};
use super::short_forms::short_forms;
use super::words::{Laid, Met, lay};
use crate::embed::dot;
use crate::verify::sentence::Sentence;
use crate::verify::tokens::Pos;

/// How many signals there are.
pub const COUNT: usize = NAMES.len();

/// The signals' names, in order. Shares are of weight and 0 to 1; "against the best" is relative to the sentence of
/// the text that has most.
pub const NAMES: [&str; 20] = [
    "claim words, by meaning",
    "claim words by meaning, against the best",
    "claim words letter for letter, against the best",
    "direction, against the best",
    "names",
    "numbers",
    "sentence said by the claim",
    "length",
    "very short",
    "added by the sentence before",
    "short forms",
    "first",
    "how far down a short text",
    "how far down a long text",
    "no end mark",
    "near the middle of the text",
    "purpose",
    "outcome",
    "open matter",
    "figures",
];

/// Sentences up to which a text counts as short: an abstract, which ends with what it found.
const SHORT: usize = 25;

/// Signals of the sentences of one text.
pub struct Signals {
    /// One a sentence, in order.
    pub sentences: Vec<[f64; COUNT]>,
    /// The greatest share of the claim that a sentence has by meaning, and the greatest cosine: how much the text as
    /// a whole has to do with the claim, 0 to 1 each.
    pub best: [f64; 2],
}

/// The signals of every sentence. Without a word in the claim all shares are 0.
pub fn signals(claim: &Sentence, evidence: &[&Sentence]) -> Signals {
    let laid = lay(claim, evidence);
    let middle = middle(evidence);
    let every = |_: usize| true;
    let soft: Vec<f64> =
        laid.sentences.iter().map(|met| laid.share(|i| met.soft[i], every)).collect();
    let exact: Vec<f64> = laid
        .sentences
        .iter()
        .map(|met| laid.share(|i| f64::from(met.at[i].is_some()), every))
        .collect();
    let directions: Vec<f64> =
        evidence.iter().map(|s| f64::from(dot(&claim.vector, &s.vector)).max(0.0)).collect();
    let shorts = short_forms(claim, evidence, &laid);
    let best = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let (best_soft, best_exact, best_direction) = (best(&soft), best(&exact), best(&directions));
    let n = evidence.len();
    let sentences = (0..n)
        .map(|at| {
            let (sentence, met) = (evidence[at], &laid.sentences[at]);
            let of_kind = |kind: Pos| {
                laid.share(|i| f64::from(met.at[i].is_some()), |i| claim.words[i].token.pos == kind)
            };
            // What the sentence before has of the claim beyond this one: the subject behind a pronoun, a date.
            let added = at.checked_sub(1).map_or(0.0, |before| {
                let other = &laid.sentences[before];
                laid.share(|i| f64::from(met.soft[i] < 0.7 && other.at[i].is_some()), every)
            });
            let down = at as f64 / (n.max(2) - 1) as f64;
            let figures = sentence.words.iter().filter(|word| word.token.has_digit()).count();
            [
                soft[at],
                ratio(soft[at], best_soft),
                ratio(exact[at], best_exact),
                ratio(directions[at], best_direction),
                of_kind(Pos::ProperNoun),
                of_kind(Pos::Numeral),
                said(sentence, met),
                ((sentence.words.len() as f64).ln_1p() / 4.0).min(1.0),
                f64::from(sentence.words.len() < 4),
                added,
                shorts[at],
                f64::from(at == 0),
                if n > SHORT { 0.0 } else { down * (8.0 / n as f64).min(1.0) },
                if n > SHORT { down } else { 0.0 },
                f64::from(!ends(&sentence.text)),
                f64::from(dot(&middle, &sentence.vector)).max(0.0),
                f64::from(has(sentence, &PURPOSE)),
                f64::from(has(sentence, &OUTCOME)),
                f64::from(has(sentence, &OPEN)),
                (figures as f64 / 6.0).min(1.0),
            ]
        })
        .collect();
    Signals { sentences, best: [best_soft, best_direction] }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl Laid {
    /// The weighted mean of `score` over the claim's words that pass; 0 when none does.
    pub(super) fn share(&self, score: impl Fn(usize) -> f64, pass: impl Fn(usize) -> bool) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (i, weight) in self.weights.iter().enumerate().filter(|(i, _)| pass(*i)) {
            sum += weight * score(i);
            total += weight;
        }
        ratio(sum, total)
    }
}

/// The share of the sentence's weight that the claim has.
fn said(sentence: &Sentence, met: &Met) -> f64 {
    let total: f64 = sentence.words.iter().map(|word| f64::from(word.weight)).sum();
    let said: f64 = sentence
        .words
        .iter()
        .zip(&met.said)
        .filter(|(_, said)| **said)
        .map(|(word, _)| f64::from(word.weight))
        .sum();
    ratio(said, total)
}

/// Direction of the whole text.
fn middle(evidence: &[&Sentence]) -> Vec<f32> {
    let width = evidence.first().map_or(0, |sentence| sentence.vector.len());
    let mut sum = vec![0.0f32; width];
    for sentence in evidence {
        for (sum, value) in sum.iter_mut().zip(&sentence.vector) {
            *sum += value;
        }
    }
    let length = dot(&sum, &sum).sqrt().max(1e-9);
    for value in &mut sum {
        *value /= length;
    }
    sum
}
