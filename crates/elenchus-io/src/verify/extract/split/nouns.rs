//! Noun phrases: where they end, and which of their words is the main one.

use super::chunk::{Chunk, Form, Kind, Reader};
use super::words::{self, can_be_noun};
use crate::verify::tokens::{Pos, Token};

impl Reader<'_> {
    /// The end of the noun phrase at `at` and its main noun.
    pub(super) fn noun_phrase(&self, at: usize, before: Option<&Chunk>) -> Option<(usize, usize)> {
        let (mut end, head) = self.simple_noun(at, before)?;
        // "of" phrases belong to their noun.
        for _ in 0..6 {
            if self.lower(end) == "of" {
                let Some((next, _)) = self.simple_noun(end + 1, None) else { break };
                end = next;
            } else if self.lower(end) == "("
                && self.closes[end] > end
                && self.closes[end] - end <= 6
            {
                end = self.closes[end];
            } else {
                break;
            }
        }
        Some((end, head))
    }

    pub(super) fn simple_noun(&self, at: usize, before: Option<&Chunk>) -> Option<(usize, usize)> {
        let mut next = at;
        let mut head: Option<usize> = None;
        let after_preposition = before.is_some_and(|chunk| chunk.kind == Kind::Preposition);
        loop {
            if self.is_quote(next) {
                let close = self.closes[next];
                // "The Abyss," has a comma of the sentence around it before its closing mark.
                let stray = close >= next + 3
                    && (self.lower(close - 2) == ","
                        || self.lower(close - 2) == "." && close + 1 >= self.tokens.len());
                if stray {
                    return Some((close - 2, close - 3));
                }
                head = Some(close - 1);
                next = close;
                if self.lower(next).starts_with(['\'', '’']) && self.lower(next).ends_with('s') {
                    next += 1;
                    continue;
                }
                if self.pos(next) == Some(Pos::Noun) {
                    continue;
                }
                break;
            }
            if let Some(end) = self.mixed_number(next) {
                head = Some(end - 1);
                next = end;
                continue;
            }
            let Some(token) = self.tokens.get(next) else { break };
            let determined = next > at;
            let lower = token.lower.as_str();
            match token.pos {
                // "This led to ...": it stands alone.
                Pos::Determiner
                    if !determined
                        && matches!(lower, "this" | "that" | "these" | "those")
                        && self.tokens.get(next + 1).is_some_and(|t| {
                            t.pos == Pos::Aux
                                || t.pos == Pos::Verb
                                    && matches!(words::form(&t.lower), Form::Past | Form::Finite)
                                    && !self.noun_starts(next + 2)
                                || t.pos == Pos::Verb && words::form(&t.lower) == Form::Finite
                        }) =>
                {
                    return Some((next + 1, next));
                }
                Pos::Determiner => {
                    let quantified = determined
                        && matches!(
                            self.lower(next - 1),
                            "all" | "both" | "half" | "such" | "only"
                        );
                    if determined && !quantified {
                        break;
                    }
                }
                Pos::Pronoun if words::is_possessive(lower) => {
                    if determined && head.is_some() {
                        break;
                    }
                    if !self.modifies(next + 1) {
                        head = Some(next);
                        next += 1;
                        break;
                    }
                }
                Pos::Pronoun => {
                    if !determined && !words::is_relative(lower) {
                        return Some((next + 1, next));
                    }
                    break;
                }
                Pos::Numeral => {
                    head = Some(next);
                    // "In 2000 Salazar joined": the year is a phrase of its own.
                    let year = token.text.len() == 4 && next == at && after_preposition;
                    if year && self.pos(next + 1) == Some(Pos::ProperNoun) {
                        return Some((next + 1, next));
                    }
                }
                Pos::Noun | Pos::ProperNoun => head = Some(next),
                Pos::Adjective if next == at && self.lower(next + 1) == "of" => {}
                Pos::Adjective => {
                    if head.is_some() && !self.noun_starts(next + 1) {
                        break;
                    }
                    let row = self.lower(next + 1) == "and"
                        && self.pos(next + 2) == Some(Pos::Adjective)
                        && self.modifies(next + 3);
                    if head.is_none() && !determined && !row && !self.modifies(next + 1) {
                        break;
                    }
                }
                Pos::Adverb => {
                    let inside = determined || after_preposition;
                    if head.is_some()
                        || !inside
                            && !matches!(
                                lower,
                                "nearly" | "approximately" | "about" | "over" | "almost"
                            )
                        || !self.modifies(next + 1)
                    {
                        break;
                    }
                }
                Pos::Verb => {
                    if head.is_some() {
                        // "television shows": a second verb right behind a noun is a plural more often than not.
                        let plural = lower.ends_with('s')
                            && can_be_noun(lower)
                            && self.tokens[..at]
                                .iter()
                                .any(|t| matches!(t.pos, Pos::Verb | Pos::Aux))
                            && !self.noun_starts(next + 1)
                            && !matches!(
                                self.lower(next + 1),
                                "that" | "to" | "not" | "up" | "out"
                            )
                            || lower.ends_with('s')
                                && matches!(self.lower(next + 1), "such" | "including");
                        if !plural {
                            break;
                        }
                        head = Some(next);
                        next += 1;
                        continue;
                    }
                    let form = words::form(lower);
                    let joined = before.is_some_and(|chunk| chunk.kind == Kind::And);
                    let modifier = (determined || joined || after_preposition && form != Form::Ing)
                        && matches!(form, Form::Ing | Form::Past | Form::Participle)
                        && self.modifies(next + 1);
                    let governed = after_preposition && form != Form::Ing
                        || before.is_some_and(|chunk| matches!(chunk.kind, Kind::Verb(_)))
                            && lower.ends_with('s');
                    let noun = (determined || governed) && !modifier;
                    if noun {
                        head = Some(next);
                    } else if !modifier {
                        break;
                    }
                }
                Pos::Particle if lower.ends_with('s') && lower.len() <= 4 => {
                    if head.is_none() || !self.modifies(next + 1) {
                        break;
                    }
                }
                Pos::Particle
                | Pos::Conjunction
                | Pos::Preposition
                | Pos::Punctuation
                | Pos::Other
                | Pos::Aux => {
                    if !self.joins(next, at, head) {
                        break;
                    }
                }
            }
            next += 1;
        }
        // "the retired", "the former": an adjective may stand for the noun after a determiner.
        let determined = next > at + 1;
        // "some of his works", "much of the year"
        let portion = next == at + 1 && self.lower(next) == "of";
        let head = head.or_else(|| (determined || portion).then(|| next - 1))?;
        (next > at).then_some((next, head.max(at)))
    }

    /// "three and a half", "two and three quarter", "an hour and a half": one quantity. The token behind it.
    fn mixed_number(&self, at: usize) -> Option<usize> {
        if self.lower(at + 1) != "and" {
            return None;
        }
        let part = matches!(
            self.lower(at + 3),
            "half" | "third" | "thirds" | "quarter" | "quarters" | "fifth" | "fifths"
        );
        let number = self.pos(at) == Some(Pos::Numeral)
            || matches!(self.lower(at), "one" | "two" | "three" | "four" | "five" | "six");
        let counted = matches!(self.lower(at + 2), "a" | "one" | "two" | "three");
        // "the board and a half brother": two.
        let measured = self.pos(at) == Some(Pos::Noun)
            && self.lower(at + 2) == "a"
            && matches!(self.lower(at + 3), "half" | "quarter")
            && !self.modifies(at + 4);
        (part && (number && counted || measured)).then_some(at + 4)
    }

    /// Whether a token may stand between the beginning of a noun phrase and its noun.
    pub(super) fn modifies(&self, at: usize) -> bool {
        self.is_quote(at)
            || self.tokens.get(at).is_some_and(|token| match token.pos {
                Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Numeral => true,
                Pos::Verb => words::form(&token.lower) != Form::Finite || can_be_noun(&token.lower),
                Pos::Adverb => self
                    .pos(at + 1)
                    .is_some_and(|pos| matches!(pos, Pos::Adjective | Pos::Verb | Pos::Numeral)),
                _ => token.text == "$" || token.text == "€" || token.text == "£",
            })
    }

    /// Whether a mark or small word belongs to a name, number or row of adjectives.
    pub(super) fn joins(&self, at: usize, start: usize, head: Option<usize>) -> bool {
        let lower = self.lower(at);
        let before = at.checked_sub(1).filter(|b| *b >= start).and_then(|b| self.tokens.get(b));
        let after = self.tokens.get(at + 1);
        let capital = |token: Option<&Token>| {
            token.is_some_and(|t| t.pos == Pos::ProperNoun || t.is_capital())
        };
        let digit = |token: Option<&Token>| token.is_some_and(Token::has_digit);
        match lower {
            "$" | "€" | "£" | "#" => digit(after),
            "%" => digit(before),
            "-" | "–" | "‑" | "/" | "×" => {
                digit(before) && digit(after) || capital(before) && capital(after)
            }
            "&" => capital(before) && capital(after),
            "'" | "’" => before.is_some_and(|t| t.lower.ends_with('s')) && self.modifies(at + 1),
            "." => {
                // "J. Smith", "Jr. of", "Inc. in"
                let short = before.is_some_and(|t| t.is_capital() && t.text.chars().count() <= 4);
                short && after.is_some() && (capital(before))
            }
            "*" => before.is_some_and(|b| b.bytes.end == self.tokens[at].bytes.start),
            "," => {
                // "December 18, 1949" or "complex, fast-paced games"
                let date = before.is_some_and(|t| t.has_digit() && t.text.len() <= 2)
                    && after.is_some_and(|t| t.text.len() == 4 && t.has_digit())
                    && at >= start + 2
                    && words::is_month(&self.tokens[at - 2].lower);
                let month = before.is_some_and(|t| words::is_month(&t.lower))
                    && after.is_some_and(|t| t.text.len() == 4 && t.has_digit());
                let adjectives = head.is_none()
                    && before.is_some_and(|t| t.pos == Pos::Adjective)
                    && after.is_some_and(|t| t.pos == Pos::Adjective)
                    && self.pos(at + 2).is_some_and(|p| matches!(p, Pos::Noun | Pos::Adjective));
                date || month || adjectives
            }
            "and" | "or" => {
                if head.is_none() {
                    // "talented and influential comedians"
                    return before.is_some_and(|t| t.pos == Pos::Adjective)
                        && after.is_some_and(|t| matches!(t.pos, Pos::Adjective | Pos::Adverb))
                        && self.modifies(at + 2);
                }
                // "Ministry of Health and Welfare", "Education and Science Board"
                capital(before)
                    && capital(after)
                    && (start..at).any(|n| words::names_an_office(self.lower(n)))
                    && (start..at).any(|n| matches!(self.lower(n), "of" | "for"))
            }
            "of" | "for" | "de" | "del" | "da" | "di" | "du" | "la" | "le" | "van" | "von"
            | "der" | "den" | "dos" | "y" | "al" => {
                let office =
                    lower != "for" || (start..at).any(|n| words::names_an_office(self.lower(n)));
                let follows = capital(after);
                office && capital(before) && follows && lower != "of"
                    || lower == "of"
                        && capital(before)
                        && capital(after)
                        && before.is_some_and(|t| t.pos == Pos::ProperNoun)
            }
            _ => false,
        }
    }
}
