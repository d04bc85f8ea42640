//! Short forms that a text explains: "randomised controlled trial (RCT)".

use super::words::Laid;
use crate::verify::sentence::{ContentWord, Sentence};

/// Letters of the longest short form.
const LONGEST: usize = 8;

/// A short form and the words that it stands for, as stems.
struct ShortForm<'a> {
    short: &'a str,
    long: Vec<&'a str>,
}

/// For every sentence the share of the claim's weight that it has only by a short form for the claim's words, or by
/// the words for the claim's short form.
pub(super) fn short_forms(claim: &Sentence, evidence: &[&Sentence], laid: &Laid) -> Vec<f64> {
    let claims = |stem: &str| claim.words.iter().any(|word| word.token.stem == stem);
    let known: Vec<ShortForm<'_>> = evidence
        .iter()
        .flat_map(|sentence| explained(sentence))
        .filter(|form| claims(form.short) || form.long.iter().all(|stem| claims(stem)))
        .collect();
    if known.is_empty() {
        return vec![0.0; evidence.len()];
    }
    laid.sentences
        .iter()
        .zip(evidence)
        .map(|(met, sentence)| {
            let has = |stem: &str| sentence.words.iter().any(|word| word.token.stem == stem);
            let stands = |stem: &str| {
                known.iter().any(|form| {
                    (form.long.contains(&stem) && has(form.short))
                        || (form.short == stem && form.long.iter().all(|part| has(part)))
                })
            };
            laid.share(
                |i| f64::from(met.at[i].is_none() && stands(&claim.words[i].token.stem)),
                |_| true,
            )
        })
        .collect()
}

/// The short forms in brackets that begin with the letter of a word shortly before.
fn explained(sentence: &Sentence) -> impl Iterator<Item = ShortForm<'_>> {
    sentence.words.iter().enumerate().filter_map(|(at, word)| {
        let before = word.token.bytes.start.checked_sub(1)?;
        if sentence.text.as_bytes().get(before) != Some(&b'(') {
            return None;
        }
        let letters = letters(word)?;
        let first = word.token.lower.chars().find(|c| c.is_alphabetic())?;
        let from = (at.saturating_sub(letters)..at)
            .find(|k| sentence.words[*k].token.lower.starts_with(first))?;
        let long = sentence.words[from..at].iter().map(|word| word.token.stem.as_str()).collect();
        Some(ShortForm { short: &word.token.stem, long })
    })
}

/// How many letters a word has that looks like a short form.
fn letters(word: &ContentWord) -> Option<usize> {
    let text = || word.token.text.chars().filter(|c| c.is_alphabetic());
    let letters = text().take(LONGEST + 1).count();
    let capitals = text().take(LONGEST).filter(|c| c.is_uppercase()).count();
    (capitals >= 2 && letters <= LONGEST).then_some(letters)
}
