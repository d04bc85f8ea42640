//! "including A and B", "such as A and B".

use super::chunk::{Form, Kind};
use super::clause::{Splitter, Subject, Verb};
use super::facts::{Slot, is_quantity};
use super::words;
use super::{Draft, Piece};
use crate::verify::tokens::{Pos, Token};

/// Tokens between the first "as" of a comparison and the second at most.
const LIKENED: usize = 8;

/// Whether a word ends a phrase like "weather permitting".
fn ends_absolute(token: &Token) -> bool {
    let is_participle =
        matches!(words::form(&token.lower), Form::Ing | Form::Past | Form::Participle);
    let is_known = matches!(
        token.lower.as_str(),
        "included" | "excluded" | "excepted" | "permitting" | "allowing" | "notwithstanding"
    );
    is_known || is_participle && matches!(token.pos, Pos::Verb | Pos::Adjective)
}

impl Splitter<'_> {
    /// "works of other writers such as A": A may be one or the other.
    pub(super) fn unclear_kind(&self, slots: &[Slot]) -> bool {
        let Some(slot) = slots.iter().rev().find(|slot| slot.noun) else { return true };
        if !self.holds_of(&slot.whole) {
            return false;
        }
        let last = slot.whole.iter().rev().find_map(|piece| match piece {
            Piece::Tokens(range) => Some(range.end - 1),
            Piece::Word(..) => None,
        });
        last.is_some_and(|last| self.lower(last).ends_with('s'))
    }

    /// Whether what a comma sets off belongs to what stands before it.
    pub(super) fn stays(&self, at: usize, hi: usize, slots: &[Slot]) -> bool {
        self.compares(at) || self.sets_bounds(at, hi) || self.widens(at, slots)
    }

    /// "every ward, the isolation ward included": how far it reaches, and no other name of it.
    fn sets_bounds(&self, at: usize, hi: usize) -> bool {
        let bounds = |k: usize| {
            self.chunks.get(k).is_some_and(|chunk| {
                matches!(self.lower(chunk.head), "included" | "excluded" | "excepted")
            })
        };
        // The word itself may be taken for a part of the noun phrase.
        self.kind(at) == Some(Kind::Noun)
            && (bounds(at)
                || (at + 1..hi)
                    .find(|k| {
                        bounds(*k)
                            || !matches!(self.kind(*k), Some(Kind::Noun | Kind::And | Kind::Adverb))
                    })
                    .is_some_and(bounds))
    }

    /// "..., weather permitting", "..., the piano being out of tune": behind a comma a noun with a participle and no verb of its
    /// own. It belongs to the whole clause, and is no other name of what stands before it.
    pub(super) fn has_absolute(&self, lo: usize, hi: usize) -> bool {
        self.kind(lo) != Some(Kind::Subordinator)
            && (lo + 1..hi).any(|comma| {
                self.kind(comma) == Some(Kind::Comma)
                    && self.is_absolute(comma + 1, hi)
                    && self.main_verb(lo, comma).is_some()
            })
    }

    fn is_absolute(&self, at: usize, hi: usize) -> bool {
        if at >= hi || self.kind(at) != Some(Kind::Noun) {
            return false;
        }
        let closes = |next: usize| next >= hi || self.kind(next) == Some(Kind::Comma);
        // The participle may have been taken for a part of the noun phrase.
        let is_inside = self.chunks.get(at).is_some_and(|chunk| {
            let mut words = self.tokens[chunk.tokens.clone()].iter().rev();
            let (last, before) = (words.next(), words.next());
            let is_noun = |t: &Token| matches!(t.pos, Pos::Noun | Pos::ProperNoun);
            before.is_some_and(is_noun) && last.is_some_and(ends_absolute)
        });
        if is_inside && closes(at + 1) {
            return true;
        }
        let Some(end) = (at + 1..hi).find(|next| {
            !matches!(self.kind(*next), Some(Kind::Noun | Kind::And | Kind::Preposition))
        }) else {
            return false;
        };
        match self.kind(end) {
            Some(Kind::Verb(Form::Ing)) if matches!(self.opens(end), "being" | "having") => true,
            Some(Kind::Verb(Form::Ing | Form::Past | Form::Participle)) => closes(end + 1),
            Some(Kind::Adverb) => matches!(self.opens(end), "aside" | "apart") && closes(end + 1),
            _ => false,
        }
    }

    /// "twice as much as the cart", "as many as in May": neither half says anything alone.
    pub(super) fn likens(&self, lo: usize, hi: usize) -> bool {
        let (Some(first), Some(last)) = (self.chunks.get(lo), self.chunks.get(hi - 1)) else {
            return false;
        };
        let end = last.tokens.end;
        let pos = |at: usize| self.tokens.get(at).map(|token| token.pos);
        // "As early as 1990" and "as many as 40" compare nothing.
        let is_measure = |at: usize| match self.lower(at) {
            "many" | "much" | "few" | "little" => true,
            "well" | "early" | "late" | "soon" | "far" => false,
            _ => matches!(pos(at), Some(Pos::Adjective | Pos::Adverb)),
        };
        let is_second = |first: usize, at: usize| {
            self.lower(at) == "as"
                && pos(at + 1) != Some(Pos::Numeral)
                && (first..at).all(|n| !matches!(self.lower(n), "and" | "or" | "," | "such"))
        };
        (first.tokens.start..end).filter(|at| self.lower(*at) == "as").any(|at| {
            is_measure(at + 1) && (at + 2..end).take(LIKENED).any(|next| is_second(at, next))
        })
    }

    /// "all consultations, including those by night": what "all" is meant to hold stays with it.
    pub(super) fn widens(&self, at: usize, slots: &[Slot]) -> bool {
        let all = |t: &Token| {
            matches!(t.lower.as_str(), "all" | "every" | "each" | "any" | "whole" | "entire")
        };
        self.opens(at) == "including"
            && slots.iter().rev().find(|slot| slot.noun).is_some_and(|slot| {
                self.chunks[slot.chunks.clone()]
                    .iter()
                    .any(|chunk| self.tokens[chunk.tokens.clone()].iter().any(all))
            })
    }

    /// "films such as A and B": says it of A and of B, and that they are films.
    pub(super) fn examples(
        &mut self,
        verb: &Verb,
        lo: usize,
        hi: usize,
        slots: &[Slot],
        _slot: Option<usize>,
        subject: &Subject,
    ) {
        let plural = |slot: &Slot| {
            slot.noun && {
                let at = slot.chunks.start + usize::from(!slot.lead.is_empty());
                self.chunks
                    .get(at)
                    .is_some_and(|chunk| self.tokens[chunk.head].lower.ends_with('s'))
            }
        };
        let counted = slots.first().is_some_and(|slot| {
            slot.lead.is_empty()
                && plural(slot)
                && is_quantity(self.opens(slot.chunks.start))
                && lo >= 2
                && self.kind(lo - 2) == Some(Kind::Comma)
        });
        let Some(target) = counted
            .then_some(0)
            .or_else(|| slots.iter().rposition(plural))
            .or_else(|| slots.iter().rposition(|slot| slot.noun))
        else {
            return;
        };
        let mut items = self.rich_list(lo, hi);
        // "X, a biography of Y, and Z": the second is what the first is.
        let aside =
            |item: &std::ops::Range<usize>| matches!(self.opens(item.start), "a" | "an" | "one");
        if items.first().is_some_and(|first| !aside(first)) {
            items.retain(|item| !aside(item));
        }
        let object = slots.first().filter(|slot| target > 0 && slot.lead.is_empty() && slot.noun);
        let kind = self.kind_of(&slots[target]);
        for item in items {
            let mut rest: Vec<Piece> = Vec::new();
            if let Some(object) = object {
                rest.extend(object.whole.iter().cloned());
            }
            rest.extend(slots[target].lead.iter().cloned());
            let (name, year) = self.dated_name(item.start);
            rest.push(Piece::Tokens(name.clone()));
            if item.end > item.start + 1 {
                rest.push(self.span(item.start + 1, item.end));
            }
            if let Some(year) = year {
                self.out.push(vec![
                    Piece::Tokens(name.clone()),
                    Piece::Word("is from".to_owned(), None),
                    Piece::Tokens(year..year + 1),
                ]);
            }
            if !(verb.copula && slots[target].lead.is_empty()) {
                self.state(verb, subject, vec![rest], false);
            }
            let named = matches!(self.tokens[name.start].pos, Pos::ProperNoun | Pos::Punctuation);
            if named && let Some(kind) = &kind {
                let mut draft: Draft = vec![Piece::Tokens(name)];
                draft.push(Piece::Word("is".to_owned(), None));
                draft.extend(kind.iter().cloned());
                self.out.push(draft);
            }
        }
    }

    /// `"Belly" (1998)`: the name and the year.
    pub(super) fn dated_name(&self, at: usize) -> (std::ops::Range<usize>, Option<usize>) {
        let range = self.chunks[at].tokens.clone();
        let end = range.end;
        let year = end.checked_sub(2).filter(|year| {
            range.len() > 3
                && self.lower(end - 1) == ")"
                && self.lower(*year - 1) == "("
                && self.tokens[*year].text.len() == 4
                && self.tokens[*year].text.bytes().all(|b| b.is_ascii_digit())
        });
        match year {
            Some(year) => (range.start..year - 1, Some(year)),
            None => (range, None),
        }
    }

    /// "in 2017 and 2019": no member of the row of names.
    fn is_number(&self, at: usize) -> bool {
        self.tokens[self.chunks[at].tokens.clone()].iter().all(|t| t.pos == Pos::Numeral)
    }

    /// Members of a row that may carry phrases of their own.
    pub(super) fn rich_list(&self, lo: usize, hi: usize) -> Vec<std::ops::Range<usize>> {
        let mut found = Vec::new();
        let mut start = lo;
        let mut at = lo;
        while at < hi {
            let joint = match self.kind(at) {
                Some(Kind::Comma) => {
                    let next = if self.kind(at + 1) == Some(Kind::And) { at + 2 } else { at + 1 };
                    (self.kind(next) == Some(Kind::Noun) && next < hi).then_some(next)
                }
                Some(Kind::And) => (self.kind(at + 1) == Some(Kind::Noun)
                    && at + 1 < hi
                    && !self.is_number(at + 1))
                .then_some(at + 1),
                _ => None,
            };
            let stop = matches!(
                self.kind(at),
                Some(Kind::Relative | Kind::Break | Kind::Verb(_) | Kind::Subordinator)
            ) || self.kind(at) == Some(Kind::Comma) && joint.is_none();
            if stop {
                break;
            }
            if let Some(next) = joint {
                found.push(start..at);
                start = next;
                at = next;
                continue;
            }
            at += 1;
        }
        if start < at {
            found.push(start..at);
        }
        found.retain(|item| item.start < item.end);
        found
    }

    /// "several popular television shows" as "a popular television show".
    pub(super) fn kind_of(&self, slot: &Slot) -> Option<Vec<Piece>> {
        let at = slot.chunks.start + usize::from(!slot.lead.is_empty());
        let chunk = self.chunks.get(at)?;
        let singular = words::singular(self.lower(chunk.head))?;
        let mut start = chunk.tokens.start;
        while start < chunk.head {
            let token = &self.tokens[start];
            let skip = matches!(
                token.pos,
                Pos::Determiner | Pos::Numeral | Pos::Pronoun | Pos::Particle | Pos::Adverb
            ) || is_quantity(&token.lower)
                || matches!(token.lower.as_str(), "other" | "notable" | "such" | "various");
            if !skip {
                break;
            }
            start += 1;
        }
        if self.tokens[start..chunk.head]
            .iter()
            .any(|t| t.is_mark() || matches!(t.pos, Pos::Particle | Pos::Conjunction))
        {
            return None;
        }
        let first =
            if start == chunk.head { singular.clone() } else { self.tokens[start].text.clone() };
        let mut pieces = vec![Piece::Word(words::article(&first).to_owned(), None)];
        if start < chunk.head {
            pieces.push(Piece::Tokens(start..chunk.head));
        }
        pieces.push(Piece::Word(singular, Some(chunk.head)));
        Some(pieces)
    }
}
