//! Texts to counted terms, and to the pieces that are embedded.

use elenchus_core::text::{is_stop_word, stem, words};
use std::collections::BTreeMap;

/// Characters of a piece that is embedded: what the encoders read before they cut.
const PIECE_CHARS: usize = 480;
/// Pieces of one text: what lies behind them is found by its words alone.
const MOST_PIECES: usize = 64;
/// Longest word that is indexed, in bytes: what is longer is no word.
const WORD_BYTES: usize = 80;

/// A number for a stem. FNV-1a: stable across versions of the standard library, since it is written to files.
pub(super) fn number(stem: &str) -> u64 {
    stem.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// How often each stem stands in the weighted fields, in order of their numbers.
pub(super) fn counted(fields: &[(&str, f32)]) -> Vec<(u64, f32)> {
    let mut counts: BTreeMap<u64, f32> = BTreeMap::new();
    for (text, weight) in fields {
        for word in words(text).into_iter().filter(|word| word.len() <= WORD_BYTES) {
            if !is_stop_word(&word) {
                *counts.entry(number(&stem(&word))).or_insert(0.0) += weight;
            }
        }
    }
    counts.into_iter().collect()
}

/// The stems that a query asks for, each once, in order; all its words where none carries meaning. No operator of any
/// search language means anything here.
pub(super) fn asked(query: &str) -> Vec<String> {
    let all = words(query);
    let any = all.iter().any(|word| !is_stop_word(word));
    let mut stems: Vec<String> = Vec::new();
    for word in all.into_iter().filter(|word| word.len() <= WORD_BYTES) {
        if !any || !is_stop_word(&word) {
            let stem = stem(&word);
            if !stems.contains(&stem) {
                stems.push(stem);
            }
        }
    }
    stems
}

/// A text in pieces for embedding, cut between words: at most [`MOST_PIECES`], each about [`PIECE_CHARS`] long.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let (mut piece, mut length) = (String::new(), 0);
    for word in text.split_whitespace() {
        let chars = word.chars().count();
        if length > 0 && length + 1 + chars > PIECE_CHARS {
            pieces.push(std::mem::take(&mut piece));
            length = 0;
            if pieces.len() == MOST_PIECES {
                return pieces;
            }
        }
        if length > 0 {
            piece.push(' ');
        }
        piece.extend(word.chars().take(PIECE_CHARS));
        length += 1 + chars.min(PIECE_CHARS);
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_words_or_nothing() {
        assert_eq!(asked("\"a\" NEAR(robots) * robot"), ["near", "robot"]);
        assert_eq!(asked("who are we"), ["who", "are", "we"]);
        assert!(asked("?! -- \"").is_empty());
    }

    #[test]
    fn long_texts_are_cut_between_words_and_end() {
        let text = "harbour ".repeat(200);
        let cut = pieces(&text);
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|piece| piece.chars().count() <= PIECE_CHARS));
        assert_eq!(cut.join(" "), text.trim_end());
        assert!(pieces(&"x".repeat(10_000_000)).len() <= 2);
        assert_eq!(pieces(&"word ".repeat(1_000_000)).len(), MOST_PIECES);
        assert!(pieces(" \n").is_empty());
    }
}
