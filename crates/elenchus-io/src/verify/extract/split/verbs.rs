//! Verbs, alone and in a row.

use super::Piece;
use super::chunk::{Form, Kind};
use super::clause::{Splitter, Subject, Verb};
use super::words;
use crate::verify::tokens::{Pos, Token};

impl Splitter<'_> {
    /// Verbs in a row with one subject: "founded X in 1998 and sold it in 2004".
    pub(super) fn rows(
        &mut self,
        verb: usize,
        hi: usize,
        subject: &Subject,
        participle: Option<bool>,
    ) {
        let Some(Kind::Verb(form)) = self.kind(verb) else { return };
        let mut starts = vec![(verb, verb)];
        let mut inner: Option<Form> = None;
        let mut at = verb + 1;
        let mut quoted = false;
        while at < hi {
            match self.kind(at) {
                Some(Kind::Relative) => inner = Some(Form::Finite),
                Some(Kind::Infinitive) => inner = Some(Form::Base),
                Some(Kind::Subordinator) => {
                    quoted |= self.opens(at) == "that";
                    inner = Some(Form::Finite);
                }
                Some(Kind::Verb(f)) if matches!(f, Form::Ing | Form::Past | Form::Participle) => {
                    inner = Some(f);
                }
                Some(Kind::And | Kind::But) if at > verb + 1 && !quoted => {
                    let comma = self.kind(at - 1) == Some(Kind::Comma);
                    let mut next = at + 1;
                    while next < hi && matches!(self.kind(next), Some(Kind::Adverb | Kind::Comma)) {
                        next += 1;
                    }
                    if next < hi
                        && let Some(Kind::Verb(f)) = self.kind(next)
                    {
                        let same_level = inner
                            .is_none_or(|inner| !alike(inner, f) || comma && f == Form::Finite);
                        // "helped build and improve": the second belongs to the first infinitive.
                        let inner_base = f == Form::Base
                            && !words::keeps_its_form(self.opens(next))
                            && (form == Form::Past || self.verb(verb, None).past);
                        let fits = !inner_base && alike(form, f)
                            || f == Form::Participle && self.has_helper(verb)
                            || form == Form::Finite && f == Form::Base && !self.has_helper(verb);
                        if same_level && fits {
                            starts.push((next, if comma { at - 1 } else { at }));
                            inner = None;
                            at = next + 1;
                            continue;
                        }
                    }
                }
                Some(Kind::Comma) => {
                    // "wrote X, produced Y, and directed Z"
                    if let Some(Kind::Verb(f)) = self.kind(at + 1)
                        && participle.is_none()
                        && f == form
                        && f == Form::Past
                        && inner.is_none()
                        && self.row_goes_on(at + 2, hi, f)
                    {
                        starts.push((at + 1, at));
                        at += 2;
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        // "Nobody came and paid": two statements would each deny more.
        let denies = self.denies(subject);
        if denies {
            starts.truncate(1);
        }
        let mut first: Option<Verb> = None;
        for (nth, (start, _)) in starts.iter().enumerate() {
            let end = starts.get(nth + 1).map_or(hi, |(_, end)| *end);
            let said = match participle {
                Some(past) => self.participle_verb(*start, past, subject),
                None => Some(self.verb(*start, first.as_ref())),
            };
            let Some(said) = said else { continue };
            let mut said = said;
            let mut args = start + 1;
            if self.kind(args) == Some(Kind::Infinitive)
                && args < end
                && carries_infinitive(&said.stem)
            {
                args = self.with_infinitive(args, end, &mut said);
            }
            // "has written and directed several plays"
            while !denies
                && self.kind(args) == Some(Kind::And)
                && args + 1 < end
                && let Some(Kind::Verb(f)) = self.kind(args + 1)
                && alike(form, f)
                && (f != Form::Finite || !words::is_auxiliary(self.opens(args + 1)))
            {
                let more = match participle {
                    Some(past) => self.participle_verb(args + 1, past, subject),
                    None => Some(self.verb(args + 1, Some(&said))),
                };
                said.each.extend(more.map(|more| more.each).unwrap_or_default());
                args += 2;
            }
            said.tight |= denies || self.tight(*start, end);
            self.facts(&said, args, end, subject);
            first.get_or_insert(said);
        }
    }

    /// "went on to write and direct plays": the infinitives are the verbs. Where what they say begins.
    pub(super) fn with_infinitive(&self, at: usize, end: usize, said: &mut Verb) -> usize {
        let mut ways = vec![self.span(at, at + 1)];
        let mut next = at + 1;
        while self.kind(next) == Some(Kind::And)
            && next + 1 < end
            && matches!(self.kind(next + 1), Some(Kind::Verb(Form::Base)))
        {
            ways.push(self.span(next + 1, next + 2));
            next += 2;
        }
        let mut each = Vec::new();
        for group in &said.each {
            for (nth, way) in ways.iter().enumerate() {
                let mut pieces = group.clone();
                if nth > 0 {
                    pieces.push(Piece::Word("to".to_owned(), None));
                }
                pieces.push(way.clone());
                each.push(pieces);
            }
        }
        said.each = each;
        said.copula = false;
        next
    }

    pub(super) fn row_goes_on(&self, from: usize, hi: usize, form: Form) -> bool {
        (from..hi).any(|at| {
            self.kind(at) == Some(Kind::And)
                && matches!(self.kind(at + 1), Some(Kind::Verb(f)) if f == form)
        })
    }

    pub(super) fn has_helper(&self, verb: usize) -> bool {
        let chunk = &self.chunks[verb];
        self.tokens[chunk.tokens.clone()].iter().any(|t| words::is_auxiliary(&t.lower))
    }

    /// The verb group of a phrase as it stands, with the helpers of the verb before it if it has none and needs one.
    pub(super) fn verb(&self, at: usize, before: Option<&Verb>) -> Verb {
        let chunk = &self.chunks[at];
        let group = &self.tokens[chunk.tokens.clone()];
        let main =
            group.iter().rev().find(|t| matches!(t.pos, Pos::Verb | Pos::Aux)).unwrap_or(&group[0]);
        let helper = group.iter().any(|t| words::is_auxiliary(&t.lower));
        let past = group
            .iter()
            .any(|t| matches!(t.lower.as_str(), "was" | "were" | "had" | "did" | "been"))
            || !group.iter().any(|t| words::is_auxiliary(&t.lower))
                && (matches!(words::form(&main.lower), Form::Past)
                    || words::form(&main.lower) == Form::Finite && !main.lower.ends_with('s'))
            || group.iter().any(|t| matches!(t.lower.as_str(), "has" | "have")) && group.len() > 1;
        let modal = group.iter().any(|t| words::is_modal(&t.lower));
        let mut helpers = Vec::new();
        if helper && words::is_be(&main.lower) && group.len() == 1 {
            helpers.push(Piece::Tokens(chunk.tokens.clone()));
        }
        if helper && !words::is_be(&main.lower) {
            let last =
                group.iter().rposition(|t| words::is_auxiliary(&t.lower) && t.bytes != main.bytes);
            let first = group.iter().position(|t| words::is_auxiliary(&t.lower));
            if let (Some(first), Some(last)) = (first, last)
                && first <= last
            {
                helpers
                    .push(Piece::Tokens(chunk.tokens.start + first..chunk.tokens.start + last + 1));
            }
        }
        let mut pieces = Vec::new();
        let needs = matches!(
            words::form(&main.lower),
            Form::Participle | Form::Past | Form::Ing | Form::Base
        ) && !helper;
        if needs
            && let Some(before) = before
            && self.inherits(at, main, before)
        {
            pieces.extend(before.helpers.iter().cloned());
        }
        let inherited = !pieces.is_empty();
        pieces.push(Piece::Tokens(chunk.tokens.clone()));
        let plain_form = !inherited
            && !modal
            && (matches!(group[0].lower.as_str(), "are" | "were" | "have")
                || group.len() == 1 && words::form(&main.lower) == Form::Base);
        Verb {
            each: vec![pieces],
            copula: words::is_be(&main.lower),
            past: past && !modal,
            tight: group.iter().any(|t| words::is_negation(&t.lower))
                || modal && self.tight(at, at + 1),
            stem: main.stem.clone(),
            helpers: if inherited {
                before.map(|b| b.helpers.clone()).unwrap_or_default()
            } else {
                helpers
            },
            plain: plain_form.then_some(chunk.tokens.start),
        }
    }

    /// Whether a year stands close behind.
    fn years_follow(&self, at: usize) -> bool {
        let Some(last) = self.chunks.get((at + 2).min(self.chunks.len() - 1)) else { return false };
        self.tokens[self.chunks[at].tokens.end..last.tokens.end.max(self.chunks[at].tokens.end)]
            .iter()
            .any(|t| t.text.len() == 4 && t.text.bytes().all(|b| b.is_ascii_digit()))
    }

    /// "was born in A and raised in B" shares "was"; "was born in A and moved to B" does not.
    pub(super) fn inherits(&self, at: usize, main: &Token, before: &Verb) -> bool {
        let passive = before.helpers.iter().any(|piece| match piece {
            Piece::Tokens(range) => words::is_be(self.lower(range.end - 1)),
            Piece::Word(..) => false,
        });
        if !passive || words::form(&main.lower) != Form::Past {
            return true;
        }
        if before.stem == "born" {
            return matches!(
                main.lower.as_str(),
                "raised" | "educated" | "brought" | "baptized" | "baptised" | "buried"
            );
        }
        if self.kind(at + 1) == Some(Kind::Noun) {
            return matches!(
                main.lower.as_str(),
                "made"
                    | "named"
                    | "awarded"
                    | "elected"
                    | "appointed"
                    | "called"
                    | "declared"
                    | "granted"
                    | "offered"
                    | "voted"
                    | "crowned"
            );
        }
        !matches!(
            main.lower.as_str(),
            "moved"
                | "worked"
                | "lived"
                | "died"
                | "served"
                | "studied"
                | "appeared"
                | "played"
                | "returned"
                | "graduated"
                | "retired"
                | "attended"
                | "continued"
                | "competed"
                | "remained"
                | "travelled"
                | "traveled"
                | "resigned"
                | "emerged"
                | "participated"
                | "settled"
                | "emigrated"
        )
    }

    /// A participle as the verb of a statement: "born" gives "was born", "appearing" "appeared".
    pub(super) fn participle_verb(
        &self,
        at: usize,
        past: bool,
        _subject: &Subject,
    ) -> Option<Verb> {
        let chunk = &self.chunks[at];
        let Some(Kind::Verb(form)) = self.kind(at) else { return None };
        let main = self.tokens[chunk.tokens.clone()]
            .iter()
            .position(|t| matches!(t.pos, Pos::Verb | Pos::Aux))?
            + chunk.tokens.start;
        let word = self.lower(main);
        if matches!(
            word,
            "including"
                | "according"
                | "following"
                | "compared"
                | "given"
                | "depending"
                | "regarding"
                | "concerning"
                | "ranging"
                | "resulting"
                | "making"
                | "causing"
                | "meaning"
                | "combined"
                | "relative"
                | "starting"
                | "beginning"
                | "allowing"
                | "excluding"
                | "considering"
                | "bringing"
                | "owing"
                | "assuming"
                | "provided"
        ) {
            return None;
        }
        let mut pieces = Vec::new();
        if main > chunk.tokens.start {
            pieces.push(Piece::Tokens(chunk.tokens.start..main));
        }
        let mut copula = false;
        match form {
            Form::Ing => {
                let changed = match word {
                    "being" => {
                        copula = chunk.tokens.end == main + 1;
                        Some(if past { "was" } else { "is" }.to_owned())
                    }
                    "having" => Some(if past { "had" } else { "has" }.to_owned()),
                    _ => words::plain_of_ing(word).map(|plain| {
                        if past || self.years_follow(at) {
                            words::past(&plain)
                        } else {
                            words::third_person(&plain)
                        }
                    }),
                };
                pieces.push(Piece::Word(changed?, Some(main)));
                if main + 1 < chunk.tokens.end {
                    pieces.push(Piece::Tokens(main + 1..chunk.tokens.end));
                }
            }
            Form::Past | Form::Participle => {
                let dated = (at + 1..self.chunks.len().min(at + 3))
                    .any(|next| self.is_temporal(next, next + 1));
                let be = if past || word == "born" || dated { "was" } else { "is" };
                pieces.insert(0, Piece::Word(be.to_owned(), None));
                pieces.push(Piece::Tokens(main..chunk.tokens.end));
            }
            Form::Finite | Form::Base => return None,
        }
        Some(Verb {
            each: vec![pieces],
            copula,
            past,
            tight: false,
            stem: self.tokens[main].stem.clone(),
            helpers: Vec::new(),
            plain: None,
        })
    }
}

/// Verbs whose infinitive says what happened: "went on to write". "Tried to write" does not.
fn carries_infinitive(stem: &str) -> bool {
    matches!(
        stem,
        "go" | "went"
            | "gone"
            | "continu"
            | "begin"
            | "began"
            | "start"
            | "come"
            | "came"
            | "proceed"
            | "manag"
            | "get"
            | "got"
            | "use"
    )
}

/// Whether two verb forms may stand in one row.
fn alike(a: Form, b: Form) -> bool {
    let group = |form| match form {
        Form::Finite => 0,
        Form::Past => 1,
        Form::Participle => 2,
        Form::Ing => 3,
        Form::Base => 4,
    };
    group(a) == group(b)
        || matches!(
            (a, b),
            (Form::Finite, Form::Past | Form::Base)
                | (Form::Past, Form::Finite | Form::Participle | Form::Base)
                | (Form::Participle, Form::Past)
                | (Form::Base, Form::Finite | Form::Past)
        )
}
