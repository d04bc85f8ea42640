//! A sentence as phrases: noun phrases, verb groups, prepositions, joints.
//!
//! No grammar is parsed beyond this; what stands between marks of quotation or brackets is one piece.

use super::words::{self, can_be_verb};
use crate::verify::tokens::{Pos, Token};
use std::ops::Range;

/// What a phrase is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A noun phrase with its "of" phrases.
    Noun,
    /// A verb with its helpers and the adverbs among them.
    Verb(Form),
    /// "in", "as", "including".
    Preposition,
    /// "to" before a verb, with the verb.
    Infinitive,
    /// ","
    Comma,
    /// ";", a dash, a colon.
    Break,
    /// "and", "as well as".
    And,
    /// "or", "nor".
    Or,
    /// "but", "yet".
    But,
    /// "who", "which", "where".
    Relative,
    /// "because", "while", "that" after a verb.
    Subordinator,
    /// An adverb that stands alone.
    Adverb,
    /// An adjective that is no part of a noun phrase.
    Adjective,
    /// What stands in brackets.
    Bracket,
    /// Anything else.
    Other,
}

/// The form of a verb group, told by its first verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// "wrote", "is writing", "has".
    Finite,
    /// "appeared", "built": past or participle.
    Past,
    /// "born", "written", "known": participle only.
    Participle,
    /// "writing".
    Ing,
    /// "write" where a form of it cannot be told.
    Base,
}

/// A phrase of a sentence. Token indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) kind: Kind,
    pub(super) tokens: Range<usize>,
    /// The main word: last noun before an "of" phrase, or the main verb.
    pub(super) head: usize,
}

/// The phrases of a sentence, in order, every token in exactly one.
pub(super) fn chunks(tokens: &[Token]) -> Vec<Chunk> {
    let closes = enclosures(tokens);
    let mut reader = Reader { tokens, closes: &closes };
    let mut found: Vec<Chunk> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let chunk = reader.chunk(at, found.last());
        at = chunk.tokens.end;
        found.push(chunk);
    }
    found
}

/// For every opening mark of quotation or bracket, the token after its closing one; 0 elsewhere.
fn enclosures(tokens: &[Token]) -> Vec<usize> {
    let mut closes = vec![0; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let wanted = match token.text.as_str() {
            "(" => Some(")"),
            "[" => Some("]"),
            "“" => Some("”"),
            "«" => Some("»"),
            "\"" if !open.iter().any(|(_, close)| *close == "\"") => Some("\""),
            _ => None,
        };
        if let Some(close) = wanted {
            open.push((at, close));
        } else if let Some(found) = open.iter().rposition(|(_, close)| *close == token.text) {
            closes[open[found].0] = at + 1;
            open.truncate(found);
        }
    }
    // Inside an enclosure nothing counts: the outermost wins because the reader jumps over it.
    closes
}

pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) closes: &'a [usize],
}

impl Reader<'_> {
    pub(super) fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    pub(super) fn pos(&self, at: usize) -> Option<Pos> {
        self.tokens.get(at).map(|token| token.pos)
    }

    pub(super) fn is_quote(&self, at: usize) -> bool {
        self.closes.get(at).is_some_and(|close| *close > 0)
            && matches!(self.lower(at), "\"" | "“" | "«")
    }

    pub(super) fn chunk(&mut self, at: usize, before: Option<&Chunk>) -> Chunk {
        let one = |kind| Chunk { kind, tokens: at..at + 1, head: at };
        let lower = self.lower(at);
        let after_verb =
            before.is_some_and(|chunk| matches!(chunk.kind, Kind::Verb(_) | Kind::Infinitive));
        match lower {
            "," => {
                let closing = matches!(self.lower(at + 1), "\"" | "”") && self.closes[at + 1] == 0;
                return Chunk {
                    kind: Kind::Comma,
                    tokens: at..at + 1 + usize::from(closing),
                    head: at,
                };
            }
            ";" | ":" | "—" | "–" | "--" => return one(Kind::Break),
            "-" => return one(Kind::Break),
            "and" | "&" | "plus" => {
                return one(Kind::And);
            }
            "or" | "nor" => return one(Kind::Or),
            "but" | "yet" if self.pos(at) != Some(Pos::Adverb) => return one(Kind::But),
            "as" if self.lower(at + 1) == "well" && self.lower(at + 2) == "as" => {
                return Chunk { kind: Kind::And, tokens: at..at + 3, head: at };
            }
            "such" if self.lower(at + 1) == "as" => {
                return Chunk { kind: Kind::Preposition, tokens: at..at + 2, head: at };
            }
            "including" => return one(Kind::Preposition),
            "who" | "whom" | "which" | "whose" | "where" => return one(Kind::Relative),
            "that" if after_verb => return one(Kind::Subordinator),
            "that" if before.is_some_and(|chunk| chunk.kind == Kind::Noun) => {
                return one(Kind::Relative);
            }
            _ => {}
        }
        let clause = words::is_subordinator(lower) && self.clause_follows(at + 1);
        if words::is_subordinator(lower) && (lower != "as" || clause) {
            let temporal = matches!(lower, "before" | "after" | "until" | "since" | "till");
            if !temporal || clause {
                return one(Kind::Subordinator);
            }
            return one(Kind::Preposition);
        }
        if matches!(lower, "(" | "[") && self.closes[at] > 0 {
            return Chunk { kind: Kind::Bracket, tokens: at..self.closes[at], head: at };
        }
        if lower == "to" {
            let mut next = at + 1;
            while self.pos(next) == Some(Pos::Adverb) {
                next += 1;
            }
            let base = self.tokens.get(next).is_some_and(|token| {
                matches!(token.pos, Pos::Verb | Pos::Aux) && !token.lower.ends_with("ing")
                    || token.pos == Pos::Noun
                        && self.lower(next + 1) != "of"
                        && can_be_verb(&token.lower)
                        && self.noun_starts(next + 1)
            });
            if base {
                return Chunk { kind: Kind::Infinitive, tokens: at..next + 1, head: next };
            }
            return one(Kind::Preposition);
        }
        let leading = matches!(
            lower,
            "across"
                | "along"
                | "around"
                | "throughout"
                | "within"
                | "over"
                | "under"
                | "inside"
                | "outside"
                | "near"
                | "beyond"
                | "among"
                | "amid"
        );
        if leading && self.noun_starts(at + 1) && self.pos(at + 1) != Some(Pos::Numeral) {
            return one(Kind::Preposition);
        }
        if let Some(chunk) = self.verb_group(at, before) {
            return chunk;
        }
        if let Some((end, head)) = self.noun_phrase(at, before) {
            return Chunk { kind: Kind::Noun, tokens: at..end, head };
        }
        match self.pos(at) {
            Some(Pos::Preposition) => one(Kind::Preposition),
            Some(Pos::Adverb) => one(Kind::Adverb),
            Some(Pos::Adjective) => one(Kind::Adjective),
            // "for" and "in" are conjunctions to the tagger now and then.
            Some(Pos::Conjunction)
                if matches!(
                    lower,
                    "for"
                        | "in"
                        | "of"
                        | "with"
                        | "on"
                        | "by"
                        | "at"
                        | "from"
                        | "than"
                        | "like"
                        | "except"
                ) =>
            {
                one(Kind::Preposition)
            }
            Some(Pos::Conjunction) => one(Kind::Subordinator),
            Some(Pos::Pronoun) => Chunk { kind: Kind::Noun, tokens: at..at + 1, head: at },
            _ => one(Kind::Other),
        }
    }

    /// Whether a subject and a finite verb stand close behind.
    pub(super) fn clause_follows(&self, at: usize) -> bool {
        let mut next = at;
        while next < self.tokens.len() && next < at + 12 {
            if self.closes[next] > next {
                next = self.closes[next];
                continue;
            }
            let token = &self.tokens[next];
            if matches!(token.lower.as_str(), "," | ";" | "who" | "which" | "that" | "and") {
                return false;
            }
            if token.pos == Pos::Aux {
                return next > at;
            }
            if token.pos == Pos::Verb {
                let nounish = next > at
                    && matches!(
                        self.tokens[next - 1].pos,
                        Pos::Noun | Pos::ProperNoun | Pos::Pronoun | Pos::Adverb
                    )
                    && !words::is_possessive(&self.tokens[next - 1].lower);
                return nounish
                    && words::form(&token.lower) != Form::Ing
                    && words::form(&token.lower) != Form::Participle;
            }
            next += 1;
        }
        false
    }

    pub(super) fn noun_starts(&self, at: usize) -> bool {
        self.is_quote(at)
            || matches!(
                self.pos(at),
                Some(
                    Pos::Noun
                        | Pos::ProperNoun
                        | Pos::Determiner
                        | Pos::Numeral
                        | Pos::Adjective
                        | Pos::Pronoun
                )
            )
    }

    pub(super) fn verb_group(&self, at: usize, before: Option<&Chunk>) -> Option<Chunk> {
        let mut next = at;
        let adverb = |n: usize| {
            self.pos(n) == Some(Pos::Adverb)
                && !matches!(self.lower(n), "where" | "when" | "why" | "how")
                || matches!(self.lower(n), "not" | "n't" | "n’t")
                || matches!(self.lower(n), "since" | "both" | "first" | "long")
                    && n > at
                    && self.pos(n - 1) == Some(Pos::Aux)
                    && self.pos(n + 1) == Some(Pos::Verb)
                // "best known"
                || matches!(self.lower(n), "best" | "better" | "well" | "most" | "widely")
                    && self.tokens.get(n + 1).is_some_and(|t| {
                        t.pos == Pos::Verb && matches!(words::form(&t.lower), Form::Past | Form::Participle)
                    })
        };
        while adverb(next) {
            next += 1;
        }
        let first = next;
        if !matches!(self.pos(first), Some(Pos::Verb | Pos::Aux)) {
            return None;
        }
        // "the leading experts": a noun phrase takes it.
        let after_preposition =
            before.is_some_and(|chunk| chunk.kind == Kind::Preposition) && at == first;
        let word = self.lower(first);
        if self.pos(first) == Some(Pos::Verb)
            && words::form(word) == Form::Past
            && after_preposition
            && self.noun_starts(first + 1)
        {
            return None;
        }
        // "in shows such as", "wrote plays"
        let governed = at == first
            && before.is_some_and(|chunk| {
                chunk.kind == Kind::Preposition
                    || matches!(chunk.kind, Kind::Verb(_))
                        && !words::is_auxiliary(self.lower(chunk.head))
                        && word.ends_with('s')
            });
        if governed
            && self.pos(first) == Some(Pos::Verb)
            && matches!(words::form(word), Form::Finite | Form::Base)
            && words::can_be_noun(word)
        {
            return None;
        }
        // "including politics and organized crime"
        if words::form(word) == Form::Past
            && at == first
            && before.is_some_and(|chunk| chunk.kind == Kind::And)
            && self.pos(first + 1) == Some(Pos::Noun)
            && self.tokens[..at]
                .iter()
                .rev()
                .take_while(|t| {
                    !matches!(t.pos, Pos::Aux) && (t.pos != Pos::Verb || t.lower == "including")
                })
                .any(|t| matches!(t.lower.as_str(), "including" | "such"))
        {
            return None;
        }
        let form = if self.pos(first) == Some(Pos::Aux) {
            match word {
                "being" | "having" => Form::Ing,
                "been" => Form::Participle,
                "be" => Form::Base,
                _ => Form::Finite,
            }
        } else {
            words::form(word)
        };
        let mut head = first;
        next = first + 1;
        let mut auxiliary = self.pos(first) == Some(Pos::Aux) || words::is_auxiliary(word);
        loop {
            let start = next;
            while adverb(next) {
                next += 1;
            }
            if !auxiliary || !matches!(self.pos(next), Some(Pos::Verb | Pos::Aux)) {
                // An adverb behind stays with the verb only if a helper was waiting for its verb.
                next = start;
                while auxiliary
                    && head + 1 == next
                    && matches!(
                        self.lower(next),
                        "not"
                            | "n't"
                            | "n’t"
                            | "also"
                            | "never"
                            | "still"
                            | "now"
                            | "currently"
                            | "widely"
                            | "best"
                    )
                {
                    next += 1;
                    head = next - 1;
                }
                break;
            }
            head = next;
            auxiliary = self.pos(next) == Some(Pos::Aux);
            next += 1;
        }
        // Particles of the verb: "grew up", "passed away".
        if self
            .pos(next)
            .is_some_and(|pos| matches!(pos, Pos::Adverb | Pos::Preposition | Pos::Particle))
            && (matches!(self.lower(next), "up" | "away" | "down" | "out" | "off" | "back")
                || self.lower(next) == "behind"
                    && matches!(self.lower(head), "left" | "leaving" | "leave" | "leaves"))
            && !(self.lower(next) == "out" && self.lower(next + 1) == "of")
        {
            next += 1;
        }
        Some(Chunk { kind: Kind::Verb(form), tokens: at..next, head })
    }
}
