//! Other words for what is asked.

use super::query::Term;
use super::resident::{Resident, Vocabulary};
use super::vectors::{TextVectors, dot, quantise};
use rayon::prelude::*;
use rusqlite::Connection;

/// Most neighbours of one word.
const MOST: usize = 3;
/// Cosine from which a word is a neighbour. With the built-in table synonyms lie around 0.57, and so do
/// opposites and siblings ("buy" and "sell"): that is why neighbours weigh less than the words asked for.
const NEAR: f32 = 0.5;
/// Letters of the shortest word that has neighbours or is one.
pub(super) const LETTERS: usize = 3;
/// Words of the corpus that may be neighbours, the most frequent first.
const VOCABULARY: u32 = 30_000;

/// Words of the corpus that mean nearly the same as the terms, the nearest of each first.
pub(super) fn neighbours(
    vectors: &dyn TextVectors,
    db: &Connection,
    resident: &Resident,
    terms: &[Term],
) -> rusqlite::Result<Vec<Term>> {
    let vocabulary = match resident.vocabulary.get() {
        Some(vocabulary) => vocabulary,
        None => {
            let fresh = vocabulary(vectors, db)?;
            resident.vocabulary.get_or_init(|| fresh)
        }
    };
    let near: Vec<Vec<&str>> =
        terms.par_iter().map(|term| near(vectors, vocabulary, term, terms)).collect();
    let mut found: Vec<Term> = Vec::new();
    for word in near.into_iter().flatten() {
        if !found.iter().any(|known| known.text == word) {
            found.push(Term { text: word.to_owned() });
        }
    }
    Ok(found)
}

/// Neighbours of one term that are no inflections of any, the nearest first.
fn near<'v>(
    vectors: &dyn TextVectors,
    vocabulary: &'v Vocabulary,
    term: &Term,
    terms: &[Term],
) -> Vec<&'v str> {
    if term.text.chars().count() < LETTERS || !term.text.chars().all(char::is_alphabetic) {
        return Vec::new();
    }
    let Some(vector) = vectors.word_vector(&term.text) else { return Vec::new() };
    let (bytes, step) = quantise(&vector);
    let mut near: Vec<(f32, usize)> = vocabulary
        .matrix
        .chunks_exact(bytes.len().max(1))
        .zip(&vocabulary.steps)
        .map(|(row, own)| dot(row, &bytes) as f32 * step * own)
        .enumerate()
        .filter(|(_, cosine)| *cosine >= NEAR)
        .map(|(word, cosine)| (cosine, word))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    near.into_iter()
        .map(|(_, word)| vocabulary.words[word].as_str())
        .filter(|word| !terms.iter().any(|asked| same_stem(&asked.text, word)))
        .take(MOST)
        .collect()
}

fn vocabulary(vectors: &dyn TextVectors, db: &Connection) -> rusqlite::Result<Vocabulary> {
    let mut statement =
        db.prepare("SELECT word FROM words ORDER BY passages DESC, word LIMIT ?1")?;
    let mut rows = statement.query([VOCABULARY])?;
    let mut vocabulary = Vocabulary::default();
    while let Some(row) = rows.next()? {
        let word: String = row.get(0)?;
        if let Some(vector) = vectors.word_vector(&word) {
            let (bytes, step) = quantise(&vector);
            vocabulary.words.push(word);
            vocabulary.matrix.extend(bytes);
            vocabulary.steps.push(step);
        }
    }
    Ok(vocabulary)
}

/// Whether the index takes two words for inflections of one, roughly: then the second adds nothing.
fn same_stem(a: &str, b: &str) -> bool {
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let longest = a.len().max(b.len());
    shared == longest || shared > LETTERS && longest - shared <= 3 && a.len().abs_diff(b.len()) <= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_share_a_stem() {
        assert!(same_stem("robot", "robots") && same_stem("charge", "charging"));
        assert!(!same_stem("price", "cost") && !same_stem("late", "later on"));
    }
}
