//! What stands before the subject.

use super::Piece;
use super::chunk::{Form, Kind};
use super::clause::{Splitter, Subject};
use super::words;
use std::ops::Range;

impl Splitter<'_> {
    /// A phrase of time, place or manner before the subject goes with every statement of its clause.
    pub(super) fn put_front(&mut self, front: &Range<usize>, before: usize) {
        if front.is_empty() {
            return;
        }
        let time = self.is_temporal(front.start, front.end)
            || self.kind(front.start) == Some(Kind::Preposition);
        let count = self.out.len() - before;
        let about = self.out.get(before).and_then(|draft| draft.first().cloned());
        for (nth, draft) in self.out[before..].iter_mut().enumerate() {
            let same = draft.first() == about.as_ref();
            if same && (nth == 0 || (time && nth + 1 < count.min(3))) {
                let lead = Piece::Tokens(
                    self.chunks[front.start].tokens.start..self.chunks[front.end - 1].tokens.end,
                );
                let mut whole = vec![lead, Piece::Word(",".to_owned(), None)];
                whole.append(draft);
                *draft = whole;
            }
        }
    }

    /// The comma that ends what stands before the subject.
    pub(super) fn front_comma(&self, lo: usize, hi: usize) -> Option<usize> {
        let opens = match self.kind(lo)? {
            Kind::Preposition | Kind::Subordinator | Kind::Infinitive => true,
            Kind::Adverb | Kind::Adjective => true,
            Kind::Verb(form) => form != Form::Finite,
            _ => false,
        };
        if !opens {
            return None;
        }
        (lo + 1..hi).find(|at| {
            self.kind(*at) == Some(Kind::Comma)
                && self.kind(at + 1) == Some(Kind::Noun)
                && self.main_verb(at + 1, hi).is_some_and(|verb| {
                    // no further comma before the verb unless a pair
                    let commas =
                        (at + 1..verb).filter(|k| self.kind(*k) == Some(Kind::Comma)).count();
                    commas % 2 == 0
                })
        })
    }

    pub(super) fn fronted(&mut self, lo: usize, comma: usize, hi: usize) {
        self.depth += 1;
        let Some(verb) = self.main_verb(comma + 1, hi) else {
            self.depth -= 1;
            self.out.push(vec![self.span(lo, hi)]);
            return;
        };
        let subject = self.subject_quietly(comma + 1, verb);
        // "Born in Lima, X ..."
        if let Some(Kind::Verb(Form::Past | Form::Participle | Form::Ing)) = self.kind(lo) {
            let past = self.verb(verb, None).past;
            self.participle(lo, comma, &subject, past);
            self.depth -= 1;
            self.clause(comma + 1, hi, Some(comma..comma));
            return;
        }
        if self.opens(lo) == "in"
            && self.kind(lo + 1) == Some(Kind::Noun)
            && self.opens(lo + 1) == "addition"
            && self.opens(lo + 2) == "to"
            || matches!(self.opens(lo), "besides" | "alongside")
        {
            self.besides(lo, comma, &subject);
            self.depth -= 1;
            self.clause(comma + 1, hi, Some(comma..comma));
            return;
        }
        // "After graduating from Y, X ..."
        let word = self.opens(lo).to_owned();
        if matches!(word.as_str(), "after" | "before" | "while" | "since")
            && matches!(self.kind(lo + 1), Some(Kind::Verb(Form::Ing)))
        {
            let main = self.verb(verb, None);
            if main.past && !main.tight {
                self.participle(lo + 1, comma, &subject, true);
            }
        }
        self.depth -= 1;
        self.clause(comma + 1, hi, Some(lo..comma));
    }

    /// "In addition to her acting career, X ...": X has an acting career.
    pub(super) fn besides(&mut self, lo: usize, comma: usize, subject: &Subject) {
        let Some(noun) = (lo + 2..comma).find(|at| self.kind(*at) == Some(Kind::Noun)) else {
            return;
        };
        let tokens = self.chunks[noun].tokens.clone();
        if !words::is_possessive(self.lower(tokens.start))
            || tokens.len() < 2
            || self.kind(noun + 1) == Some(Kind::And)
        {
            return;
        }
        let head = self.lower(self.chunks[noun].head).to_owned();
        let mut draft = subject.whole.clone();
        if matches!(head.as_str(), "work" | "works") {
            draft.push(Piece::Word("has done".to_owned(), None));
        } else {
            draft.push(Piece::Word("has".to_owned(), None));
            if !head.ends_with('s') {
                draft.push(Piece::Word(
                    words::article(&self.tokens[tokens.start + 1].text).to_owned(),
                    None,
                ));
            }
        }
        draft.push(Piece::Tokens(tokens.start + 1..self.chunks[comma - 1].tokens.end));
        self.out.push(draft);
    }

    pub(super) fn subject_quietly(&mut self, lo: usize, verb: usize) -> Subject {
        let kept = self.out.len();
        let subject = self.subject(lo, verb);
        self.out.truncate(kept);
        subject
    }

    /// "Ada Pim (1703-1763) was a painter": says the years, and leaves them out of the rest.
    pub(super) fn lived(&mut self, lo: usize, verb: usize) -> Option<Subject> {
        let range = self.chunks[lo].tokens.clone();
        let open = range.clone().skip(1).find(|at| self.lower(*at) == "(")?;
        let years: Vec<usize> = (open..range.end)
            .filter(|at| {
                self.tokens[*at].text.len() == 4
                    && self.tokens[*at].text.bytes().all(|b| b.is_ascii_digit())
            })
            .collect();
        let digits = (open..range.end).filter(|at| self.tokens[*at].has_digit()).count();
        let all_marks =
            (open..range.end).all(|at| self.tokens[at].is_mark() || self.tokens[at].has_digit());
        if verb != lo + 1 || years.len() != 2 || digits != 2 || !all_marks {
            return None;
        }
        let who = vec![Piece::Tokens(range.start..open)];
        let person = self.chunks.get(verb + 1).is_some_and(|c| {
            c.kind == Kind::Noun && super::super::beings::is_person(self.lower(c.head))
        });
        if person && words::is_be(self.lower(self.chunks[verb].head)) {
            for (word, year) in [("was born in", years[0]), ("died in", years[1])] {
                let mut draft = who.clone();
                draft.push(Piece::Word(word.to_owned(), None));
                draft.push(Piece::Tokens(year..year + 1));
                self.out.push(draft);
            }
            return Some(Subject::one(who));
        }
        None
    }

    /// Past "However," and its like.
    pub(super) fn after_connective(&self, lo: usize, hi: usize) -> usize {
        let mut comma = lo;
        while comma < hi && comma < lo + 4 && self.kind(comma) != Some(Kind::Comma) {
            comma += 1;
        }
        if self.kind(comma) != Some(Kind::Comma) || comma >= hi || comma == lo {
            let skip = matches!(self.kind(lo), Some(Kind::And | Kind::But));
            return if skip { lo + 1 } else { lo };
        }
        let words: Vec<&str> = self.tokens
            [self.chunks[lo].tokens.start..self.chunks[comma].tokens.start]
            .iter()
            .map(|token| token.lower.as_str())
            .collect();
        let known = matches!(
            words.as_slice(),
            ["however"
                | "moreover"
                | "furthermore"
                | "additionally"
                | "also"
                | "overall"
                | "finally"
                | "thus"
                | "therefore"
                | "consequently"
                | "nevertheless"
                | "nonetheless"
                | "meanwhile"
                | "similarly"
                | "likewise"
                | "notably"
                | "importantly"
                | "indeed"
                | "instead"
                | "specifically"
                | "accordingly"
                | "hence"
                | "ultimately"
                | "conversely"
                | "interestingly"
                | "unfortunately"
                | "today"
                | "besides"
                | "again"]
                | [
                    "in",
                    "addition"
                        | "fact"
                        | "particular"
                        | "summary"
                        | "short"
                        | "conclusion"
                        | "turn"
                        | "contrast"
                ]
                | ["for", "example" | "instance"]
                | ["as", "a", "result"]
                | ["on", "the", "other", "hand"]
                | ["as", "such"]
                | ["of", "course"]
        );
        if known { comma + 1 } else { lo }
    }
}
