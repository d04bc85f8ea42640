//! One sentence into statements that each say one thing.
//!
//! Works on phrases (see [`chunk`]), not on a full parse. The first rule is that a statement must follow from its
//! sentence: what a rule does not understand stays where it is, and a sentence with a condition, a comparison, a
//! negation or somebody else's words is not taken apart further than its coordinated verbs.

mod chunk;
mod clause;
mod examples;
mod facts;
mod front;
mod inflect;
mod nouns;
mod prepositions;
mod rows;
mod say;
mod verbs;
mod words;

use crate::verify::tokens::Token;
use std::ops::Range;

pub(super) use words::{can_be_noun, can_be_verb, is_modal, is_month, is_possessive, is_verb_form};

/// A piece of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Tokens of the sentence.
    Tokens(Range<usize>),
    /// A word put in ("is", "a"), or one of the text's in another form ("appeared" for the token "appearing").
    Word(String, Option<usize>),
}

/// A statement as pieces, in reading order.
pub(super) type Draft = Vec<Piece>;

/// Whether a verb with a subject's form was found anywhere.
pub(super) fn has_verb(tokens: &[Token]) -> bool {
    chunk::chunks(tokens).iter().any(|c| {
        matches!(
            c.kind,
            chunk::Kind::Verb(chunk::Form::Finite | chunk::Form::Past | chunk::Form::Base)
        )
    })
}

/// What a sentence is about, for the resolution of pronouns.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Tokens of the subject of the first clause.
    pub(super) subject: Option<Range<usize>>,
    /// Whether the subject is one phrase.
    pub(super) plain_subject: bool,
    /// Noun phrases, in order.
    pub(super) nouns: Vec<Range<usize>>,
    /// "X is an American actor": "actor".
    pub(super) is_a: Option<String>,
}

/// The statements of a sentence (none if it has no verb) and what it is about.
pub(super) fn read(tokens: &[Token]) -> (Vec<Draft>, Outline) {
    let chunks = chunk::chunks(tokens);
    let outline = clause::outline(tokens, &chunks);
    (clause::statements(tokens, &chunks), outline)
}
