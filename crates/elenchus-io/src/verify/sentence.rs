//! A sentence prepared for comparison: tagged tokens with weights, vectors and dictionary entries. Computed once a
//! sentence and used for every claim that it is held against.

use super::binding;
use super::tokens::{Pos, Token, tokens};
use crate::embed::StaticEmbedder;
use crate::wordnet::{Part, Word, WordNet};
use elenchus_core::text::is_stop_word;

/// A prepared sentence.
pub struct Sentence {
    /// As it stands.
    pub text: String,
    /// Its content words.
    pub words: Vec<ContentWord>,
    /// Unit vector, all zeros when no word is known.
    pub vector: Vec<f32>,
    /// Whether a word denies something.
    pub negated: bool,
    /// What the binding checks need.
    pub bound: binding::Prepared,
}

/// A word that carries meaning.
pub struct ContentWord {
    /// The token.
    pub token: Token,
    /// How much a match of it says, above 0 to about 10.
    pub weight: f32,
    /// Its vector.
    pub vector: Option<Vec<f32>>,
    /// Its dictionary entry, in the part of speech that it has here.
    pub entry: Word,
}

const NEGATORS: [&str; 13] = [
    "not",
    "n't",
    "n\u{2019}t",
    "no",
    "never",
    "none",
    "nobody",
    "nothing",
    "without",
    "neither",
    "nor",
    "cannot",
    "nowhere",
];

/// Whether a word denies something.
pub(super) fn denies(token: &Token) -> bool {
    NEGATORS.contains(&token.lower.as_str())
}

impl Sentence {
    /// Prepares a text. Markup and line breaks are as good as spaces.
    pub fn prepare(text: &str) -> Self {
        let table = StaticEmbedder::builtin();
        let wordnet = WordNet::builtin();
        let tokens = tokens(text);
        let negated = tokens.iter().any(denies);
        let words = tokens
            .into_iter()
            .filter(|token| {
                !token.is_mark()
                    && !matches!(
                        token.pos,
                        Pos::Determiner | Pos::Pronoun | Pos::Particle | Pos::Aux
                    )
                    && (token.has_digit() || !is_stop_word(&token.lower))
            })
            .map(|token| {
                let entry = wordnet.lookup(&token.lower);
                let entry = match token.pos {
                    Pos::Noun => entry.only(Part::Noun),
                    Pos::Verb => entry.only(Part::Verb),
                    Pos::Adjective => entry.only(Part::Adjective),
                    Pos::Adverb => entry.only(Part::Adverb),
                    _ => entry,
                };
                let weight = match token.pos {
                    Pos::Numeral => 8.0,
                    Pos::Preposition | Pos::Conjunction | Pos::Other => 1.0,
                    _ => table.rarity(&token.lower).max(2.0),
                };
                let vector =
                    if token.pos == Pos::Numeral { None } else { table.word_vector(&token.lower) };
                ContentWord { token, weight, vector, entry }
            })
            .collect();
        Self {
            words,
            negated,
            vector: table.embed_text(text),
            bound: binding::Prepared::new(text),
            text: text.to_owned(),
        }
    }
}
