//! Phrases with a preposition: what may be said apart, what belongs to what stands before it.

use super::Piece;
use super::chunk::{Form, Kind};
use super::clause::{Splitter, Verb};
use super::facts::{Later, Slot};
use super::words;
use crate::verify::tokens::{Pos, Token};

impl Splitter<'_> {
    pub(super) fn prepositional(
        &self,
        at: usize,
        hi: usize,
        verb: &Verb,
        slots: &mut Vec<Slot>,
        later: &mut Vec<Later>,
    ) -> usize {
        let mut noun = at + 1;
        while noun < hi && self.kind(noun) == Some(Kind::Preposition) {
            noun += 1;
        }
        let lead = vec![self.span(at, noun)];
        if noun < hi && self.kind(noun) == Some(Kind::Noun) {
            let (mut items, mut next) = self.noun_list(noun, hi);
            // "a degree from A and a diploma from B"
            let object = slots.first().is_some_and(|slot| slot.noun && slot.lead.is_empty());
            let determined = matches!(self.opens(next - 1), "a" | "an" | "the")
                || words::is_possessive(self.opens(next - 1));
            // "4 million in 2024 and 5 million in 2025"
            let year = self.is_year(noun) && !self.is_year(next - 1);
            let other = determined || year;
            if items.len() > 1 && object && other && self.opens(next) == self.opens(at) {
                next = noun + 1;
                items.truncate(1);
            }
            let range = self.opens(at) == "from"
                && matches!(self.opens(next), "to" | "until" | "through")
                && self.kind(next + 1) == Some(Kind::Noun);
            let between = self.opens(at) == "between";
            if range && next + 2 <= hi {
                next += 2;
            }
            let whole = vec![self.span(noun, next)];
            // "for his skill in the field and his wit": the second may stand beside something farther back.
            let back = items.len() > 1
                && (words::is_possessive(self.opens(next - 1))
                    && !words::is_possessive(self.opens(noun))
                    || matches!(self.opens(next - 1), "a" | "an") && self.opens(at) == "of")
                && slots.iter().any(|slot| slot.noun);
            if back {
                items.truncate(1);
            }
            let items =
                if items.len() > 1 && !between && !range { items } else { vec![whole.clone()] };
            let apart = self.may_stand_apart(at, next, verb, slots);
            slots.push(Slot { lead, items, whole, chunks: at..next, apart, noun: true });
            return self.place(noun, next, hi, slots, later);
        }
        if noun < hi && self.kind(noun) == Some(Kind::Verb(Form::Ing)) {
            return self.gerund(at, noun, hi, slots);
        }
        let end = (noun + 1).min(hi);
        let whole = vec![self.span(at, end)];
        slots.push(Slot {
            lead: Vec::new(),
            items: vec![whole.clone()],
            whole,
            chunks: at..end,
            apart: false,
            noun: false,
        });
        end
    }

    /// "for inventing A and promoting B": to the end, in rows if "and" joins another "-ing".
    pub(super) fn gerund(&self, at: usize, noun: usize, hi: usize, slots: &mut Vec<Slot>) -> usize {
        let mut end = noun + 1;
        let mut cuts = vec![noun];
        let mut ends = Vec::new();
        while end < hi {
            if self.kind(end) == Some(Kind::Comma) && !self.row_follows(end, hi) {
                break;
            }
            if self.kind(end) == Some(Kind::Preposition)
                && self.kind(end + 1) == Some(Kind::Noun)
                && self.is_temporal(end, end + 2)
                && end + 2 >= hi
                && !matches!(self.opens(at), "before" | "after" | "while" | "since" | "by")
            {
                break;
            }
            if self.kind(end) == Some(Kind::And)
                && self.kind(end + 1) == Some(Kind::Verb(Form::Ing))
                && end > noun + 1
            {
                ends.push(if self.kind(end - 1) == Some(Kind::Comma) { end - 1 } else { end });
                cuts.push(end + 1);
            }
            end += 1;
        }
        ends.push(end);
        let items = cuts.iter().zip(&ends).map(|(from, to)| vec![self.span(*from, *to)]).collect();
        slots.push(Slot {
            lead: vec![self.span(at, noun)],
            items,
            whole: vec![self.span(noun, end)],
            chunks: at..end,
            apart: false,
            noun: false,
        });
        end
    }

    pub(super) fn row_follows(&self, comma: usize, hi: usize) -> bool {
        matches!(self.kind(comma + 1), Some(Kind::And))
            || (comma + 1..hi.min(comma + 6)).any(|k| self.kind(k) == Some(Kind::And))
                && self.kind(comma + 1) == Some(Kind::Noun)
                && !self.is_described(comma + 1)
    }

    /// "Lima, Peru": the second name belongs to the first, which lies in it.
    pub(super) fn place(
        &self,
        noun: usize,
        next: usize,
        hi: usize,
        slots: &mut [Slot],
        later: &mut Vec<Later>,
    ) -> usize {
        let lead = noun.checked_sub(1).map(|before| self.opens(before)).unwrap_or_default();
        let name = |at: usize| {
            self.kind(at) == Some(Kind::Noun)
                && self.tokens[self.chunks[at].tokens.clone()].iter().all(|t| {
                    t.pos == Pos::ProperNoun
                        || matches!(t.text.as_str(), "." | "of" | "the" | "The")
                })
        };
        if !matches!(lead, "in" | "at" | "near" | "to" | "from" | "of")
            || next != noun + 1
            || !name(noun)
        {
            return next;
        }
        let mut end = next;
        let mut inner = noun;
        while end + 1 < hi
            && self.kind(end) == Some(Kind::Comma)
            && name(end + 1)
            && !matches!(self.kind(end + 2), Some(Kind::And | Kind::Or | Kind::Verb(Form::Finite)))
            && !(self.kind(end + 2) == Some(Kind::Comma)
                && matches!(self.kind(end + 3), Some(Kind::And | Kind::Or))
                && self.kind(end + 4) == Some(Kind::Noun)
                && !self.is_verb(end + 5))
        {
            later.push(Later::Place(
                vec![self.span(inner, inner + 1)],
                vec![self.span(end + 1, end + 2)],
            ));
            inner = end + 1;
            end += 2;
        }
        if end > next
            && let Some(slot) = slots.last_mut()
        {
            slot.whole = vec![self.span(noun, end)];
            slot.items = vec![slot.whole.clone()];
            slot.chunks.end = end;
            // The comma that closes it.
            if end < hi
                && self.kind(end) == Some(Kind::Comma)
                && matches!(self.kind(end + 1), Some(Kind::Preposition))
            {
                return end + 1;
            }
        }
        end
    }

    /// Whether a phrase is about time.
    pub(super) fn is_temporal(&self, lo: usize, hi: usize) -> bool {
        self.tokens[self.chunks[lo].tokens.start..self.chunks[hi - 1].tokens.end].iter().any(|t| {
            words::is_time_word(&t.lower)
                || t.has_digit()
                    && t.text.len() >= 4
                    && t.text.chars().take(4).all(|c| c.is_ascii_digit())
        })
    }

    /// "up from 3 million in 2024", "against 3 million in 2024": another value, with its own time.
    pub(super) fn compares(&self, at: usize) -> bool {
        match self.opens(at) {
            "up" | "down" => true,
            "against" | "from" => {
                self.chunks
                    .get(at + 1)
                    .is_some_and(|c| self.tokens[c.tokens.clone()].iter().any(Token::has_digit))
                    && !self.is_temporal(at, at + 2)
            }
            _ => false,
        }
    }

    fn is_year(&self, at: usize) -> bool {
        let Some(chunk) = self.chunks.get(at) else { return false };
        let year = |t: &Token| t.text.len() == 4 && t.text.bytes().all(|b| b.is_ascii_digit());
        matches!(self.tokens.get(chunk.tokens.clone()), Some([only]) if year(only))
    }

    /// "40 years", "£3 million".
    fn opens_with_figure(&self, slot: &Slot) -> bool {
        let first =
            self.chunks.get(slot.chunks.start).and_then(|c| self.tokens.get(c.tokens.start));
        first.is_some_and(|t| t.has_digit() || matches!(t.text.as_str(), "$" | "€" | "£"))
    }

    /// Whether each time belongs to what stands before it: "from 3 in 2024 to 4 in 2025". None may be said of the rest.
    pub(super) fn times_are_bound(&self, slots: &[Slot]) -> bool {
        let timed =
            |slot: &&Slot| slot.apart && self.is_temporal(slot.chunks.start, slot.chunks.end);
        let dates = slots.iter().filter(timed).filter(|slot| self.dated(slot)).count();
        let led = |slot: &Slot, word: &str| match slot.lead.first() {
            Some(Piece::Tokens(range)) => self.lower(range.start) == word,
            _ => false,
        };
        let from = slots.iter().position(|slot| led(slot, "from"));
        let to = slots.iter().rposition(|slot| led(slot, "to"));
        let inside: &[Slot] = match (from, to) {
            (Some(from), Some(to)) => slots.get(from + 1..to).unwrap_or_default(),
            _ => &[],
        };
        dates > 1 || inside.iter().any(|slot| timed(&slot))
    }

    /// Whether a phrase is a bare word that the verb needs: "open", "home", "(helped) build", not "rapidly".
    fn completes(&self, slot: &Slot) -> bool {
        if slot.noun || !slot.lead.is_empty() {
            return false;
        }
        match self.kind(slot.chunks.start) {
            Some(Kind::Adjective | Kind::Verb(Form::Base)) => true,
            Some(Kind::Adverb) => !self.opens(slot.chunks.start).ends_with("ly"),
            _ => false,
        }
    }

    /// Whether a phrase may hold the next verb of its sentence.
    fn is_open_row(&self, slot: &Slot) -> bool {
        let nouns = slot.chunks.clone().filter(|at| self.kind(*at) == Some(Kind::Noun));
        self.may_go_on(&nouns.collect::<Vec<_>>())
    }

    pub(super) fn may_stand_apart(
        &self,
        at: usize,
        end: usize,
        verb: &Verb,
        slots: &[Slot],
    ) -> bool {
        // "stayed open in 2020", "broke even in May": without its second word the verb says something else.
        if slots.is_empty()
            || slots.iter().any(|slot| self.completes(slot) || self.is_open_row(slot))
        {
            return false;
        }
        let lead = self.opens(at);
        let time = matches!(
            lead,
            "in" | "on"
                | "at"
                | "from"
                | "since"
                | "during"
                | "until"
                | "between"
                | "throughout"
                | "for"
                | "over"
                | "by"
                | "after"
                | "before"
                | "around"
        ) && self.is_temporal(at, end);
        let place = matches!(lead, "in" | "at" | "on");
        if verb.tight {
            return time && verb.stem == "born";
        }
        // "is on duty at night from May", "was 40 years old in 1990": what is said to be is so only with its time and place.
        let is_led = !slots[0].lead.is_empty();
        if verb.copula && (!slots[0].noun || is_led || self.opens_with_figure(&slots[0])) {
            return false;
        }
        // What somebody is known or spent something for cannot be left out.
        let spent = matches!(verb.stem.as_str(), "spent" | "spend");
        let bound = spent
            || words::is_opaque(&verb.stem)
            || matches!(
                verb.stem.as_str(),
                "know"
                    | "known"
                    | "regard"
                    | "consid"
                    | "rememb"
                    | "recogn"
                    | "recognis"
                    | "describ"
                    | "classifi"
                    | "put"
                    | "divid"
                    | "consist"
                    | "compris"
                    | "rang"
                    | "base"
            );
        if time || bound {
            return time && !spent;
        }
        let as_role = |slot: &Slot| matches!(slot.lead.first(), Some(Piece::Tokens(range)) if self.lower(range.start) == "as");
        let object = slots[0].lead.is_empty() && slots[0].noun;
        let last = &slots[slots.len() - 1];
        if object || as_role(&slots[0]) {
            // Behind another phrase it may belong to that one: "books about his years in China".
            let behind = slots.len() > 1 && !last.lead.is_empty() && !last.apart;
            let role =
                matches!(lead, "as" | "with" | "by" | "for" | "from" | "alongside" | "under");
            return !behind && (place || role) || lead == "as";
        }
        let name = self.chunks[at..end].iter().any(|c| {
            c.kind == Kind::Noun
                && self.tokens[c.tokens.clone()].iter().any(|t| t.pos == Pos::ProperNoun)
        });
        place && name || lead == "as"
    }
}
