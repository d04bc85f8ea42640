//! The claim's words among those of the evidence: which sentence has which, and how nearly.

use crate::embed::dot;
use crate::verify::sentence::{ContentWord, Sentence};
use crate::verify::tokens::Pos;
use crate::wordnet::{Relation, WordNet};
use std::borrow::Cow;
use std::collections::HashMap;

/// What two forms of one word have in common: the stem, or the plain figure of a number.
pub(super) fn key(word: &ContentWord) -> Cow<'_, str> {
    if !word.token.has_digit() {
        return Cow::Borrowed(&word.token.stem);
    }
    let lower = word.token.lower.as_str();
    let plain = if lower.contains(',') {
        Cow::Owned(lower.chars().filter(|c| *c != ',').collect::<String>())
    } else {
        Cow::Borrowed(lower)
    };
    match plain.split_once('.') {
        Some((whole, part)) if part.chars().all(|c| c == '0') => Cow::Owned(whole.to_owned()),
        _ => plain,
    }
}

/// A claim's words laid on every sentence.
pub(super) struct Laid {
    /// How much each word of the claim says, its rarity among the sentences included.
    pub(super) weights: Vec<f64>,
    /// One a sentence.
    pub(super) sentences: Vec<Met>,
}

/// What a sentence has of the claim.
pub(super) struct Met {
    /// For each word of the claim, its first place among the sentence's words, letter for letter.
    pub(super) at: Vec<Option<usize>>,
    /// For each word of the claim how near the nearest word comes, 0 to 1; 1 where it stands letter for letter.
    pub(super) soft: Vec<f64>,
    /// Whether each word of the sentence is one of the claim's.
    pub(super) said: Vec<bool>,
}

/// Lays the claim on the sentences.
pub(super) fn lay(claim: &Sentence, evidence: &[&Sentence]) -> Laid {
    let mut places: HashMap<Cow<'_, str>, Vec<usize>> = HashMap::new();
    for (i, word) in claim.words.iter().enumerate() {
        places.entry(key(word)).or_default().push(i);
    }
    // Every different word of the evidence once: an article repeats itself.
    let mut known: HashMap<Cow<'_, str>, usize> = HashMap::new();
    let mut vocabulary: Vec<&ContentWord> = Vec::new();
    let mut having = vec![0usize; claim.words.len()];
    let mut rows: Vec<Vec<usize>> = Vec::with_capacity(evidence.len());
    let mut sentences: Vec<Met> = Vec::with_capacity(evidence.len());
    for sentence in evidence {
        let mut at = vec![None; claim.words.len()];
        let mut said = vec![false; sentence.words.len()];
        let mut row = Vec::with_capacity(sentence.words.len());
        for (j, word) in sentence.words.iter().enumerate() {
            let key = key(word);
            if let Some(found) = places.get(&key) {
                said[j] = true;
                for i in found {
                    if at[*i].is_none() {
                        at[*i] = Some(j);
                        having[*i] += 1;
                    }
                }
            }
            row.push(*known.entry(key).or_insert_with(|| {
                vocabulary.push(word);
                vocabulary.len() - 1
            }));
        }
        let soft = at.iter().map(|at: &Option<usize>| f64::from(at.is_some())).collect();
        rows.push(row);
        sentences.push(Met { at, soft, said });
    }
    let n = evidence.len() as f64;
    let weights = claim
        .words
        .iter()
        .zip(&having)
        .map(|(word, having)| f64::from(word.weight) * (1.0 + n / (1.0 + *having as f64)).ln())
        .collect();
    for (i, word) in claim.words.iter().enumerate() {
        if having[i] == evidence.len() {
            continue;
        }
        let near: Vec<f64> = vocabulary.iter().map(|other| nearness(word, other)).collect();
        for (row, met) in rows.iter().zip(&mut sentences) {
            if met.at[i].is_none() {
                met.soft[i] = row.iter().map(|v| near[*v]).fold(0.0, f64::max);
            }
        }
    }
    Laid { weights, sentences }
}

/// Below this cosine two words are not looked up in the dictionary: what is kin has some direction in common, and the
/// dictionary costs ten times as much.
const STRANGERS: f64 = 0.1;

/// How nearly a word of the evidence says a word of the claim, 0 to below 1: kin, and words of one direction. An
/// opposite is near, too: what speaks against a claim bears on it.
fn nearness(a: &ContentWord, b: &ContentWord) -> f64 {
    if a.token.pos == Pos::Numeral || b.token.pos == Pos::Numeral {
        return 0.0;
    }
    let direction = match (&a.vector, &b.vector) {
        (Some(a), Some(b)) => {
            let cosine = f64::from(dot(a, b));
            if cosine < STRANGERS {
                return 0.0;
            }
            (cosine - 0.25).max(0.0) / 0.75 * 0.85
        }
        _ => 0.0,
    };
    kin(a, b).unwrap_or(0.7).max(direction).min(0.95)
}

/// How far two words that are not forms of one word are synonyms, derived from each other, a kind of the other or
/// spelt alike, 0 to 0.9; `None` for opposites.
pub(super) fn kin(a: &ContentWord, b: &ContentWord) -> Option<f64> {
    match WordNet::builtin().relate(&a.entry, &b.entry) {
        Relation::Antonym(_) => None,
        relation => {
            let alike = spelling(&a.token.lower, &b.token.lower);
            Some(f64::from(relation.strength()).max(alike).min(0.9))
        }
    }
}

/// 0.85 for words that begin alike for most of their length, 0.8 for a word that is a part of the other ("nominated"
/// and "Grammy-nominated"), else 0.
fn spelling(a: &str, b: &str) -> f64 {
    let joined = |text: &str| text.contains(['-', '\u{2010}', '\u{2011}', '/']);
    let part = |whole: &str, part: &str| {
        part.len() >= 3
            && whole.len() > part.len()
            && joined(whole)
            && whole.split(['-', '\u{2010}', '\u{2011}', '/']).any(|piece| piece == part)
    };
    if part(a, b) || part(b, a) {
        return 0.8;
    }
    if a.len().min(b.len()) < 6 || a.as_bytes()[0] != b.as_bytes()[0] {
        return 0.0;
    }
    let alike = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let longer = a.chars().count().max(b.chars().count());
    if alike >= 6 && alike * 10 >= longer * 7 { 0.85 } else { 0.0 }
}
