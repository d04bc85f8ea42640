//! Statements out of a subject, a verb and what stands behind it.

use super::chunk::{Form, Kind};
use super::clause::{Splitter, Subject, Verb};
use super::facts::Slot;
use super::words;
use super::{Draft, Piece};
use crate::verify::tokens::Pos;

/// Rows are multiplied out up to this many statements.
const PRODUCT: usize = 12;

impl Splitter<'_> {
    /// Whether the statement holds without a glued phrase: "began a career (while she studied)", "known for his
    /// efforts (to save it)".
    pub(super) fn may_be_dropped(&self, slot: &Slot, slots: &[Slot], verb: &Verb) -> bool {
        if slot.noun || !slot.lead.is_empty() || verb.tight {
            return false;
        }
        let first = self.chunks[slot.chunks.start].tokens.start;
        match self.kind(slot.chunks.start) {
            Some(Kind::Subordinator) => matches!(
                self.lower(first),
                "when" | "while" | "because" | "after" | "before" | "since" | "although" | "though"
            ),
            Some(
                Kind::Infinitive
                | Kind::Relative
                | Kind::Verb(Form::Ing | Form::Past | Form::Participle)
                | Kind::Comma,
            ) => {
                let Some(at) = slots.iter().position(|known| known.chunks == slot.chunks) else {
                    return false;
                };
                at > 0 && slots[at - 1].noun && {
                    let noun =
                        slots[at - 1].chunks.start + usize::from(!slots[at - 1].lead.is_empty());
                    let opener = self.opens(noun);
                    matches!(opener, "a" | "an" | "several" | "numerous" | "various" | "many")
                        || words::is_possessive(opener)
                }
            }
            _ => false,
        }
    }

    pub(super) fn say(&mut self, verb: &Verb, slots: &[Slot], subject: &Subject) {
        let mut groups: Vec<Vec<&Slot>> = vec![Vec::new()];
        let bound = self.times_are_bound(slots);
        for slot in slots {
            if slot.apart && !bound && !groups[0].is_empty() {
                groups.push(vec![slot]);
            } else if let Some(last) = groups.last_mut() {
                last.push(slot);
            }
        }
        let role = |slot: &Slot| matches!(slot.lead.first(), Some(Piece::Tokens(range)) if self.lower(range.start) == "as");
        let object = slots
            .first()
            .filter(|slot| slot.lead.is_empty() && (slot.noun || verb.copula) || role(slot));
        let lead = object.map(|object| object.lead.clone()).unwrap_or_default();
        let negated = verb.tight && (self.tight_verb(verb) || self.denies(subject));
        for (nth, group) in groups.iter().enumerate() {
            let mut base: Vec<Vec<Piece>> = vec![Vec::new()];
            if nth > 0
                && let Some(object) = object
            {
                let held = if object.items.len() == 1 { &object.items[0] } else { &object.whole };
                base = vec![lead.iter().chain(held).cloned().collect()];
            }
            let rows: usize = group.iter().map(|slot| slot.items.len()).product();
            let mut listed = false;
            for slot in group {
                if self.may_be_dropped(slot, slots, verb) && !base[0].is_empty() && !listed {
                    self.state(verb, subject, base.clone(), nth == 0);
                }
                // What is glued behind a row belongs to its last member, or to all: only the last is certain.
                if listed && !slot.noun && slot.lead.is_empty() {
                    if let Some(last) = base.last_mut() {
                        last.extend(slot.whole.iter().cloned());
                    }
                    continue;
                }
                listed |= slot.items.len() > 1;
                let either =
                    (slot.chunks.start..slot.chunks.end).any(|at| self.kind(at) == Some(Kind::Or));
                let spread = rows <= PRODUCT && (!negated || either);
                let choices: Vec<&Vec<Piece>> =
                    if spread { slot.items.iter().collect() } else { vec![&slot.whole] };
                let mut longer = Vec::new();
                for start in &base {
                    for choice in &choices {
                        let mut draft = start.clone();
                        draft.extend(slot.lead.iter().cloned());
                        draft.extend((*choice).iter().cloned());
                        longer.push(draft);
                    }
                }
                base = longer;
            }
            self.state(verb, subject, base, nth == 0);
        }
    }

    /// One statement for every subject, verb and rest.
    pub(super) fn state(
        &mut self,
        verb: &Verb,
        subject: &Subject,
        rests: Vec<Vec<Piece>>,
        first: bool,
    ) {
        let together =
            verb.copula || self.tight_verb(verb) || subject.each.len() > 4 || self.gathers();
        let subjects: Vec<(Vec<Piece>, bool)> = if subject.each.len() > 1 && !together {
            subject.each.iter().map(|one| (one.clone(), true)).collect()
        } else {
            vec![(subject.whole.clone(), false)]
        };
        for (who, split) in subjects {
            for group in &verb.each {
                for rest in &rests {
                    let mut draft: Draft = who.clone();
                    draft.extend(self.agreeing(group, verb, split, &who));
                    if verb.copula && first && self.origin(&who, group, rest) {
                        continue;
                    }
                    draft.extend(rest.iter().cloned());
                    self.out.push(draft);
                }
            }
        }
    }

    /// The verb in the form that one of a row needs.
    pub(super) fn agreeing(
        &self,
        group: &[Piece],
        verb: &Verb,
        split: bool,
        who: &[Piece],
    ) -> Vec<Piece> {
        let mut group = group.to_vec();
        let plural = who.iter().rev().find_map(|piece| match piece {
            Piece::Tokens(range) => Some(
                self.tokens[range.end - 1].lower.ends_with('s')
                    && self.tokens[range.end - 1].pos == Pos::Noun,
            ),
            Piece::Word(..) => None,
        });
        if split
            && plural == Some(false)
            && let Some(token) = verb.plain
            && let Some(at) =
                group.iter().position(|p| matches!(p, Piece::Tokens(r) if r.start == token))
        {
            let Piece::Tokens(range) = group[at].clone() else { return group };
            let changed = words::third_person(self.lower(token));
            let mut new = vec![Piece::Word(changed, Some(token))];
            if range.len() > 1 {
                new.push(Piece::Tokens(token + 1..range.end));
            }
            group.splice(at..=at, new);
        }
        group
    }

    /// "X is an American actor": says "X is American" and "X is an actor". False if there is nothing to part.
    pub(super) fn origin(&mut self, who: &[Piece], group: &[Piece], rest: &[Piece]) -> bool {
        let Some(Piece::Tokens(first)) = rest.first() else { return false };
        let (article, word) = (self.lower(first.start).to_owned(), first.start + 1);
        if !matches!(article.as_str(), "a" | "an") || first.len() < 3 {
            return false;
        }
        // "a retired Peruvian footballer"
        let at = (word..first.end.min(word + 3)).find(|n| {
            let token = &self.tokens[*n];
            token.pos == Pos::ProperNoun && words::is_origin(&token.text)
        });
        let Some(at) = at else { return false };
        // "South African", "Puerto Rican"
        let mut from = at;
        while from > word && self.tokens[from - 1].pos == Pos::ProperNoun {
            from -= 1;
        }
        let Some(next) = self.tokens.get(at + 1).filter(|_| at + 1 < first.end) else {
            return false;
        };
        let subject_matter = matches!(
            next.lower.as_str(),
            "football"
                | "history"
                | "literature"
                | "law"
                | "studies"
                | "language"
                | "cuisine"
                | "art"
                | "politics"
                | "war"
                | "horn"
                | "opera"
                | "championship"
                | "cup"
                | "league"
                | "record"
                | "mythology"
                | "church"
                | "empire"
        );
        if next.pos == Pos::ProperNoun
            || next.is_mark()
            || subject_matter
            || next.pos == Pos::Conjunction
        {
            return false;
        }
        let mut one: Draft = who.to_vec();
        one.extend(group.iter().cloned());
        one.push(Piece::Tokens(from..at + 1));
        let mut other: Draft = who.to_vec();
        other.extend(group.iter().cloned());
        if from == word {
            other.push(Piece::Word(words::article(&next.text).to_owned(), None));
        } else {
            other.push(Piece::Tokens(first.start..from));
        }
        other.push(Piece::Tokens(at + 1..first.end));
        other.extend(rest[1..].iter().cloned());
        self.out.push(one);
        self.out.push(other);
        true
    }

    /// Whether a subject denies: "No boats", "Nobody". Such a sentence says more without one of its phrases.
    pub(super) fn denies(&self, subject: &Subject) -> bool {
        matches!(
            subject.whole.first(),
            Some(Piece::Tokens(range)) if words::is_negation(self.lower(range.start))
        )
    }

    /// "A and B hold 340 boxes together": neither holds them.
    fn gathers(&self) -> bool {
        let follows = |first: &str, second: &[&str]| {
            self.tokens
                .windows(2)
                .any(|pair| pair[0].lower == first && second.contains(&pair[1].lower.as_str()))
        };
        self.tokens.iter().any(|token| words::gathers(&token.lower))
            || follows("in", &["all", "total"])
            || follows("between", &["them"])
            || follows("total", &["of"])
    }

    pub(super) fn tight_verb(&self, verb: &Verb) -> bool {
        verb.each.iter().flatten().any(|piece| match piece {
            Piece::Tokens(range) => self.tokens[range.clone()]
                .iter()
                .any(|t| words::is_negation(&t.lower) || words::is_modal(&t.lower)),
            Piece::Word(..) => false,
        })
    }
}
