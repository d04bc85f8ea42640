//! Words of a statement that the tagger took for another part of speech, where the sentence itself tells: a sentence that is
//! cut at such a word says something else, and one whose only verb is taken for a noun says nothing.

use super::split::{can_be_noun, has_verb, is_modal, is_possessive, is_verb_form};
use crate::verify::tokens::{Pos, Token};

/// Longer rows of tokens are no single sentence.
const LONG_SENTENCE: usize = 80;

/// Tags again what the sentence itself tells. `is_alone` is false for an item that goes on from the words above it: it needs no
/// verb of its own.
pub(super) fn reread(tokens: &mut [Token], is_alone: bool) {
    if tokens.len() > LONG_SENTENCE {
        return;
    }
    verbs_behind_modals(tokens);
    name_that_opens(tokens);
    if is_alone
        && tokens.last().is_some_and(|last| matches!(last.text.as_str(), "." | "!"))
        && !has_verb(tokens)
        && let Some(verb) = only_verb(tokens)
    {
        tokens[verb].pos = Pos::Verb;
    }
}

/// "up" and its like are verbs to the dictionary; behind a verb they are none.
fn is_particle(lower: &str) -> bool {
    matches!(lower, "up" | "down" | "out" | "off" | "in" | "on" | "over" | "through" | "away")
}

/// Whether a word that is tagged otherwise may be a verb in its plain form.
fn can_be(token: &Token) -> bool {
    matches!(token.pos, Pos::Noun | Pos::Adjective | Pos::Adverb)
        && !is_particle(&token.lower)
        && is_verb_form(&token.lower, false)
}

/// "will close", "may open": what stands behind a modal is its verb, if it can be one.
fn verbs_behind_modals(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        if tokens[at].pos != Pos::Aux || !is_modal(&tokens[at].lower) {
            continue;
        }
        // "will not close", "may well open"
        let passes = |token: &Token, behind: &Token| {
            let leads = matches!(behind.pos, Pos::Verb | Pos::Aux) || can_be(behind);
            matches!(token.lower.as_str(), "not" | "n't" | "n’t")
                || token.pos == Pos::Adverb
                    && (leads || behind.pos == Pos::Adverb && !can_be(token))
        };
        let mut next = at + 1;
        while let (Some(token), Some(behind)) = (tokens.get(next), tokens.get(next + 1))
            && passes(token, behind)
        {
            next += 1;
        }
        // "Only then will work begin": the verb stands behind its subject.
        let is_subject = tokens.get(next).is_some_and(|token| token.pos == Pos::Noun)
            && tokens.get(next + 1).is_some_and(|behind| {
                behind.pos == Pos::Verb
                    && !behind.lower.ends_with("ing")
                    && !behind.lower.ends_with("ed")
            });
        if !is_subject
            && let Some(token) = tokens.get_mut(next)
            && can_be(token)
        {
            token.pos = Pos::Verb;
        }
    }
}

/// "Ward Cedar at the quay is closed": a first word that is a noun as well, before a name, is part of the name where a verb
/// follows that has no other subject. "Visit Lund" has none.
fn name_that_opens(tokens: &mut [Token]) {
    let [first, second, rest @ ..] = &*tokens else { return };
    if first.pos != Pos::Verb
        || !first.is_capital()
        || second.pos != Pos::ProperNoun
        || !can_be_noun(&first.lower)
    {
        return;
    }
    let verb = rest.iter().find(|token| {
        let is_named = matches!(
            token.pos,
            Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Numeral | Pos::Determiner
        );
        let leads = token.pos == Pos::Preposition && token.lower != "to";
        !(is_named || leads || matches!(token.lower.as_str(), "'s" | "’s"))
    });
    let is_finite = verb.is_some_and(|token| {
        token.pos == Pos::Aux && !matches!(token.lower.as_str(), "be" | "been" | "being")
            || token.pos == Pos::Verb
                && token.lower.ends_with('s')
                && is_verb_form(&token.lower, true)
    });
    if is_finite && let Some(first) = tokens.first_mut() {
        first.pos = Pos::ProperNoun;
    }
}

/// The word that has to be the verb of a sentence that has no other: "The mill stores grain", "Nurses care for them".
fn only_verb(tokens: &[Token]) -> Option<usize> {
    (1..tokens.len().saturating_sub(2)).find(|at| {
        let token = &tokens[*at];
        let is_lower = !token.is_capital() && matches!(token.pos, Pos::Noun | Pos::Adjective);
        let before = tokens[..*at].iter().rev().find(|t| t.pos != Pos::Adverb);
        let Some(subject) = before.filter(|_| is_lower) else { return false };
        // The first word has a capital whatever it is.
        let is_first = subject.bytes.start == tokens[0].bytes.start;
        let is_name = subject.pos == Pos::ProperNoun && !(is_first && can_be_noun(&subject.lower));
        if !matches!(subject.pos, Pos::Noun | Pos::ProperNoun) {
            return false;
        }
        let is_many = subject.lower.ends_with('s')
            && !["ss", "us", "is"].iter().any(|tail| subject.lower.ends_with(tail));
        let next = &tokens[at + 1];
        let is_object = matches!(next.pos, Pos::Determiner | Pos::Numeral | Pos::ProperNoun)
            || is_possessive(&next.lower);
        let is_linked = matches!(next.pos, Pos::Preposition | Pos::Conjunction)
            && !matches!(next.lower.as_str(), "of" | "and" | "or" | "nor" | "but");
        let is_set_off =
            is_linked || matches!(next.pos, Pos::Adverb | Pos::Pronoun | Pos::Particle);
        let is_bare = matches!(next.pos, Pos::Noun | Pos::Adjective);
        if token.lower.ends_with("ed") {
            // "The bridge destroyed in the war" describes a bridge.
            is_object && is_verb_form(&token.lower, true)
        } else if token.lower.ends_with('s') {
            (is_name || !is_many)
                && (is_object || is_set_off || is_bare)
                && is_verb_form(&token.lower, true)
        } else {
            !is_name
                && is_many
                && token.pos == Pos::Noun
                && (is_object || is_set_off)
                && is_verb_form(&token.lower, false)
        }
    })
}
