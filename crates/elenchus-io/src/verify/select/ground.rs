//! How far each word of a claim is borne out.

use super::select;
use super::words::{key, kin};
use crate::verify::sentence::Sentence;
use crate::verify::tokens::Pos;
use std::collections::HashSet;

/// Sentences in which other words for the claim's are looked for: in a long text some word is always near.
const READ: usize = 5;

/// What a word is worth that stands in the text, but in no sentence that bears on the claim.
const ELSEWHERE: f64 = 0.85;

/// How much a word's own standing counts; the rest is its neighbours', for what is made up comes in runs.
const OWN: f64 = 0.7;

/// For every content word of the claim (in the order of `claim.words`) how far the evidence bears it out, 0 to 1.
///
/// A word that stands letter for letter in a sentence that bears on the claim has 1, elsewhere 0.85; kin of it
/// (synonyms, derived words) up to 0.9, an opposite 0. Each is then mixed with its neighbours.
pub fn ground(claim: &Sentence, evidence: &[&Sentence]) -> Vec<f64> {
    let near: Vec<&Sentence> =
        select(claim, evidence, READ).into_iter().map(|found| evidence[found.sentence]).collect();
    let keys = |sentences: &[&Sentence]| -> HashSet<String> {
        sentences.iter().flat_map(|s| &s.words).map(|word| key(word).into_owned()).collect()
    };
    let (close, all) = (keys(&near), keys(evidence));
    let own: Vec<f64> = claim
        .words
        .iter()
        .map(|word| {
            let key = key(word);
            if close.contains(key.as_ref()) {
                return 1.0;
            }
            if all.contains(key.as_ref()) {
                return ELSEWHERE;
            }
            if word.token.pos == Pos::Numeral {
                return 0.0;
            }
            near.iter()
                .flat_map(|sentence| &sentence.words)
                .filter_map(|other| kin(word, other))
                .fold(0.0, f64::max)
        })
        .collect();
    (0..own.len())
        .map(|i| {
            let before = i.checked_sub(1).map_or(own[i], |before| own[before]);
            let after = own.get(i + 1).copied().unwrap_or(own[i]);
            OWN * own[i] + (1.0 - OWN) * f64::midpoint(before, after)
        })
        .collect()
}
