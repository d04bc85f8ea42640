//! What a verb says: objects, phrases of time and place, examples, appositions, each as a statement.

use super::Piece;
use super::chunk::{Form, Kind};
use super::clause::{Splitter, Subject, Verb};
use super::words;
use crate::verify::tokens::Pos;

/// A phrase behind the verb.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// "in", "as"; nothing for objects.
    pub(super) lead: Vec<Piece>,
    /// Each of a row, or just one.
    pub(super) items: Vec<Vec<Piece>>,
    /// All as they stand, without the lead.
    pub(super) whole: Vec<Piece>,
    /// Phrases that it was read from.
    pub(super) chunks: std::ops::Range<usize>,
    /// Whether it may be said apart from what stands before it.
    pub(super) apart: bool,
    /// Whether it is a noun phrase (object, complement or behind a preposition).
    pub(super) noun: bool,
}

impl Splitter<'_> {
    /// Says what `verb` with the phrases `lo..hi` behind it says of `subject`.
    pub(super) fn facts(&mut self, verb: &Verb, lo: usize, hi: usize, subject: &Subject) {
        let mut slots: Vec<Slot> = Vec::new();
        let mut later: Vec<Later> = Vec::new();
        let mut at = lo;
        while at < hi {
            if let Some(kept) = self.branch(at, &slots) {
                self.say(verb, &slots, subject);
                slots.truncate(kept);
                at += 1;
            }
            at = self.slot(at, hi, verb, &mut slots, &mut later);
        }
        self.say(verb, &slots, subject);
        for later in later {
            match later {
                Later::Participle(lo, hi) => self.participle(lo, hi, subject, verb.past),
                Later::Relative(lo, hi, None) => self.relative(lo, hi, subject),
                Later::Relative(lo, hi, Some(of)) => {
                    let of = Subject::one(self.definite(of));
                    self.relative(lo, hi, &of);
                }
                Later::Apposition(lo, hi, of) => {
                    let of = Subject::one(self.definite(of));
                    self.apposition(lo, hi, &of, false);
                }
                Later::Examples(lo, hi, slot) => self.examples(verb, lo, hi, &slots, slot, subject),
                Later::Place(inner, outer) => {
                    let mut draft = inner;
                    draft.push(Piece::Word("is in".to_owned(), None));
                    draft.extend(outer);
                    self.out.push(draft);
                }
            }
        }
    }

    /// "as A of B and as C", "a degree from A and one from B": where "and" leads back to, as the number of phrases
    /// that both ways share.
    pub(super) fn branch(&self, at: usize, slots: &[Slot]) -> Option<usize> {
        if self.kind(at) != Some(Kind::And) || slots.is_empty() {
            return None;
        }
        let lead = |slot: &Slot| match slot.lead.first() {
            Some(Piece::Tokens(range)) => self.lower(range.start).to_owned(),
            _ => String::new(),
        };
        match self.kind(at + 1) {
            Some(Kind::Preposition) => {
                let word = self.opens(at + 1);
                let same = slots.iter().rposition(|slot| lead(slot) == word);
                let last = slots.len() - 1;
                same.or_else(|| (!lead(&slots[last]).is_empty()).then_some(last))
            }
            Some(Kind::Noun) => {
                let object = slots[0].noun && slots[0].lead.is_empty();
                let behind = slots.last().is_some_and(|slot| !lead(slot).is_empty());
                (object && behind).then_some(0)
            }
            _ => None,
        }
    }

    /// Reads the phrase at `at`; returns where the next one begins.
    pub(super) fn slot(
        &self,
        at: usize,
        hi: usize,
        verb: &Verb,
        slots: &mut Vec<Slot>,
        later: &mut Vec<Later>,
    ) -> usize {
        let glue = |to: usize, slots: &mut Vec<Slot>| {
            let whole = vec![self.span(at, to)];
            slots.push(Slot {
                lead: Vec::new(),
                items: vec![whole.clone()],
                whole,
                chunks: at..to,
                apart: false,
                noun: false,
            });
            to
        };
        let complement =
            verb.copula && slots.len() == 1 && slots[0].noun && slots[0].lead.is_empty();
        match self.kind(at) {
            Some(Kind::Noun) => {
                let (items, next) = self.noun_list(at, hi);
                let whole = vec![self.span(at, next)];
                let items = if items.len() > 1 { items } else { vec![whole.clone()] };
                slots.push(Slot {
                    lead: Vec::new(),
                    items,
                    whole,
                    chunks: at..next,
                    apart: false,
                    noun: true,
                });
                self.place(at, next, hi, slots, later)
            }
            Some(Kind::Adjective) => {
                let mut next = at + 1;
                let mut items = vec![vec![self.span(at, next)]];
                while matches!(self.kind(next), Some(Kind::And))
                    && next + 1 < hi
                    && self.kind(next + 1) == Some(Kind::Adjective)
                {
                    items.push(vec![self.span(next + 1, next + 2)]);
                    next += 2;
                }
                slots.push(Slot {
                    lead: Vec::new(),
                    items,
                    whole: vec![self.span(at, next)],
                    chunks: at..next,
                    apart: false,
                    noun: false,
                });
                next
            }
            // "for which he won a prize"
            Some(Kind::Preposition) if self.kind(at + 1) == Some(Kind::Relative) => glue(hi, slots),
            Some(Kind::Preposition) => {
                if matches!(self.opens(at), "including" | "such") {
                    if self.kind(at + 1) == Some(Kind::Noun) && slots.iter().any(|slot| slot.noun) {
                        if self.unclear_kind(slots) || self.widens(at, slots) {
                            return glue(hi, slots);
                        }
                        later.push(Later::Examples(at + 1, hi, None));
                        return hi;
                    }
                    if self.kind(at + 1) == Some(Kind::Verb(Form::Ing)) {
                        later.push(Later::Participle(at + 1, hi));
                        return hi;
                    }
                    if self.kind(at + 1) != Some(Kind::Preposition) {
                        return glue(hi, slots);
                    }
                    return at + 1;
                }
                self.prepositional(at, hi, verb, slots, later)
            }
            Some(Kind::And)
                if self.kind(at + 1) == Some(Kind::Preposition) && !slots.is_empty() =>
            {
                self.prepositional(at + 1, hi, verb, slots, later)
            }
            Some(Kind::Comma) if at + 1 < hi && self.stays(at + 1, hi, slots) => glue(hi, slots),
            Some(Kind::Comma) if at + 1 < hi => match self.kind(at + 1) {
                Some(Kind::Preposition | Kind::Comma) => at + 1,
                Some(Kind::And) if self.kind(at + 2) == Some(Kind::Preposition) => at + 1,
                Some(Kind::Relative) => {
                    let end = self.aside_end(at + 1, hi);
                    if complement {
                        later.push(Later::Relative(at + 1, end, None));
                        return end;
                    }
                    match self.antecedent(at + 1, slots) {
                        Antecedent::Is(of) => later.push(Later::Relative(at + 1, end, Some(of))),
                        Antecedent::Unclear => {}
                        Antecedent::None => return glue(end, slots),
                    }
                    end
                }
                Some(Kind::Verb(Form::Ing | Form::Past | Form::Participle)) => {
                    let end = self.aside_end(at + 1, hi);
                    // "a regime, known as the Estado": of the object, not of the subject.
                    let other = !verb.copula
                        && self.kind(at + 1) != Some(Kind::Verb(Form::Ing))
                        && !matches!(
                            self.opens(at + 1),
                            "born" | "accompanied" | "followed" | "aged"
                        )
                        && slots.last().is_some_and(|slot| slot.noun && slot.lead.is_empty());
                    // "in passes, receiving yards, and runs": a row of nouns.
                    let row = self.kind(at + 2) == Some(Kind::Noun)
                        && self.kind(at + 3) == Some(Kind::Comma)
                        && matches!(self.kind(at + 4), Some(Kind::And | Kind::Noun))
                        && self.kind(at + 5) == Some(Kind::Noun)
                        && self.chunks[at + 2].tokens.len() == 1;
                    if other || row || verb.tight && self.tight_verb(verb) {
                        return glue(if row { hi } else { end }, slots);
                    }
                    later.push(Later::Participle(at + 1, end));
                    end
                }
                Some(Kind::Noun)
                    if self.is_described(at + 1) && slots.last().is_some_and(|slot| slot.noun) =>
                {
                    let end = self.aside_end(at + 1, hi);
                    // "won the Gull Prize in 2007, the highest honour": not the year.
                    let of = slots
                        .iter()
                        .rev()
                        .find(|slot| slot.noun && !self.dated(slot))
                        .map(|slot| slot.items[slot.items.len() - 1].clone())
                        .unwrap_or_default();
                    let thing =
                        !super::super::beings::is_person(self.lower(self.chunks[at + 1].head));
                    if let Some(held) = self.held_by_office(&of) {
                        if !thing {
                            return glue(end, slots);
                        }
                        later.push(Later::Apposition(at + 1, end, vec![held]));
                        return end;
                    }
                    // "founder of People for Gulls, a charity": the name may be longer than its last phrase.
                    let named = slots.len() > 1
                        && slots.last().is_some_and(|slot| {
                            slot.lead.first().is_some_and(|lead| matches!(lead, Piece::Tokens(range) if self.lower(range.start) == "for"))
                        });
                    if of.is_empty() || named || self.holds_of(&of) {
                        return glue(end, slots);
                    }
                    later.push(Later::Apposition(at + 1, end, of));
                    end
                }
                Some(Kind::Adverb)
                    if matches!(
                        self.opens(at + 1),
                        "particularly" | "especially" | "notably" | "primarily" | "mainly"
                    ) && self.kind(at + 2) == Some(Kind::Noun)
                        && slots.iter().any(|slot| slot.noun) =>
                {
                    later.push(Later::Examples(at + 2, hi, None));
                    hi
                }
                Some(Kind::Adverb) => at + 1,
                _ => glue(self.aside_end(at + 1, hi), slots),
            },
            Some(Kind::Relative) => {
                let end = self.aside_end(at, hi);
                let other = complement
                    && (self.opens(at) != "who" && self.holds_of(&slots[0].whole)
                        || self.opens(slots[0].chunks.start) == "one");
                if complement && !other && self.opens(at) != "where" {
                    later.push(Later::Relative(at, end, None));
                    return end;
                }
                glue(end, slots)
            }
            // "began writing and publishing"
            Some(Kind::Verb(Form::Ing)) if slots.is_empty() => {
                let end = self.aside_end(at, hi);
                let items = self.infinitives(at, end);
                let whole = vec![self.span(at, end)];
                slots.push(Slot {
                    lead: Vec::new(),
                    items,
                    whole,
                    chunks: at..end,
                    apart: false,
                    noun: false,
                });
                end
            }
            Some(Kind::Verb(Form::Past | Form::Participle | Form::Ing)) => {
                let end = self.aside_end(at, hi);
                if complement && !self.holds_of(&slots[0].whole) {
                    later.push(Later::Participle(at, end));
                    return end;
                }
                glue(end, slots)
            }
            Some(Kind::Subordinator) => {
                if matches!(self.opens(at), "before" | "after")
                    && self.kind(at + 1) == Some(Kind::Verb(Form::Ing))
                    && verb.past
                    && !verb.tight
                {
                    later.push(Later::Participle(at + 1, hi));
                }
                glue(hi, slots)
            }
            Some(Kind::Infinitive) => {
                let end = self.aside_end(at, hi);
                let items = self.infinitives(at, end);
                let whole = vec![self.span(at, end)];
                slots.push(Slot {
                    lead: Vec::new(),
                    items,
                    whole,
                    chunks: at..end,
                    apart: false,
                    noun: false,
                });
                end
            }
            // A row of rows ("A on bass; B on drums") is not taken apart.
            Some(Kind::Break) => glue(hi, slots),
            _ => glue((at + 1).min(hi), slots),
        }
    }

    /// "to perform and record": each.
    pub(super) fn infinitives(&self, at: usize, end: usize) -> Vec<Vec<Piece>> {
        let mut starts = vec![(at, at)];
        for joint in at + 1..end {
            if self.kind(joint) != Some(Kind::And) || joint == at + 1 {
                continue;
            }
            match self.kind(joint + 1) {
                Some(Kind::Verb(Form::Base) | Kind::Infinitive)
                    if joint + 1 < end && self.kind(at) == Some(Kind::Infinitive) =>
                {
                    starts.push((joint + 1, joint));
                }
                Some(Kind::Verb(Form::Ing))
                    if joint + 1 < end && self.kind(at) == Some(Kind::Verb(Form::Ing)) =>
                {
                    starts.push((joint + 1, joint));
                }
                _ => {}
            }
        }
        let clear = (at + 1..end)
            .all(|k| !matches!(self.kind(k), Some(Kind::Relative | Kind::Subordinator)));
        if !clear {
            return vec![vec![self.span(at, end)]];
        }
        let mut items = Vec::new();
        for (nth, (start, _)) in starts.iter().enumerate() {
            let mut stop = starts.get(nth + 1).map_or(end, |(_, joint)| *joint);
            if stop > *start + 1 && self.kind(stop - 1) == Some(Kind::Comma) {
                stop -= 1;
            }
            let mut pieces = Vec::new();
            if matches!(self.kind(*start), Some(Kind::Verb(Form::Base))) {
                pieces.push(Piece::Word("to".to_owned(), None));
            }
            pieces.push(self.span(*start, stop));
            items.push(pieces);
        }
        items
    }

    /// What a relative clause behind a comma is about.
    pub(super) fn antecedent(&self, relative: usize, slots: &[Slot]) -> Antecedent {
        let Some(slot) = slots.iter().rev().find(|slot| {
            slot.noun
                && !(self.is_temporal(slot.chunks.start, slot.chunks.end)
                    && self.opens(relative) != "when"
                    && self.dated(slot))
        }) else {
            return Antecedent::None;
        };
        if slot.items.len() > 1 {
            // "looks and voice, which have ...": the verb tells.
            let verb = self
                .chunks
                .get(relative + 1)
                .map(|c| self.lower(c.tokens.start))
                .unwrap_or_default();
            return match verb {
                "have" | "are" | "were" => Antecedent::Is(slot.whole.clone()),
                "has" | "is" | "was" => Antecedent::Is(slot.items[slot.items.len() - 1].clone()),
                _ => Antecedent::Unclear,
            };
        }
        let of = slot.items[0].clone();
        if let Some(held) = self.held_by_office(&of) {
            return if matches!(self.opens(relative), "which" | "where") {
                Antecedent::Is(vec![held])
            } else {
                Antecedent::None
            };
        }
        if self.holds_of(&of) && self.opens(relative) != "where" {
            Antecedent::None
        } else {
            Antecedent::Is(of)
        }
    }

    /// "Chairman of the Green Bank": the bank.
    pub(super) fn held_by_office(&self, pieces: &[Piece]) -> Option<Piece> {
        let Some(Piece::Tokens(range)) = pieces.last() else { return None };
        let of = range.clone().find(|at| self.lower(*at) == "of")?;
        let office =
            range.clone().take_while(|at| *at < of).any(|at| words::is_office(self.lower(at)));
        (office && of + 1 < range.end).then(|| Piece::Tokens(of + 1..range.end))
    }

    /// "in 1936", "on May 3": nothing that a relative clause is about.
    pub(super) fn dated(&self, slot: &Slot) -> bool {
        self.tokens[self.chunks[slot.chunks.end - 1].head].has_digit()
    }

    /// "a history of Rome": what follows may be about the one or the other.
    pub(super) fn holds_of(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Tokens(range) => range
                .clone()
                .skip(1)
                .any(|at| self.lower(at) == "of" && self.tokens[at - 1].pos != Pos::ProperNoun),
            Piece::Word(..) => false,
        })
    }

    /// Where a relative clause or participle ends: before a comma that leads back to the clause around it.
    pub(super) fn aside_end(&self, lo: usize, hi: usize) -> usize {
        for at in lo + 1..hi {
            if self.kind(at) == Some(Kind::Comma)
                && matches!(self.kind(at + 1), Some(Kind::Verb(Form::Ing)))
                && self.kind(lo) != Some(Kind::Verb(Form::Ing))
            {
                return at;
            }
        }
        hi
    }

    /// "a film" spoken of again is "the film".
    pub(super) fn definite(&self, mut pieces: Vec<Piece>) -> Vec<Piece> {
        match pieces.first_mut() {
            Some(Piece::Tokens(range))
                if matches!(self.lower(range.start), "a" | "an") && range.len() > 1 =>
            {
                range.start += 1;
                pieces.insert(0, Piece::Word("the".to_owned(), None));
            }
            Some(Piece::Word(word, _)) if word == "a" || word == "an" => "the".clone_into(word),
            _ => {}
        }
        pieces
    }
}

/// What a relative clause is about.
pub(super) enum Antecedent {
    Is(Vec<Piece>),
    /// One of several: the clause is left out.
    Unclear,
    /// Not found: the clause stays where it is.
    None,
}

pub(super) enum Prefix {
    Carry(std::ops::Range<usize>),
    None,
    Unclear,
}

pub(super) enum Carried {
    Article,
    Words(std::ops::Range<usize>),
}

/// What is said after the verb's own statements.
pub(super) enum Later {
    Participle(usize, usize),
    Relative(usize, usize, Option<Vec<Piece>>),
    Apposition(usize, usize, Vec<Piece>),
    Examples(usize, usize, Option<usize>),
    Place(Vec<Piece>, Vec<Piece>),
}

pub(super) fn is_quantity(lower: &str) -> bool {
    matches!(
        lower,
        "several"
            | "numerous"
            | "many"
            | "various"
            | "multiple"
            | "some"
            | "countless"
            | "two"
            | "three"
            | "four"
            | "five"
    )
}
