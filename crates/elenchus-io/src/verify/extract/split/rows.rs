//! Noun phrases in a row.

use super::Piece;
use super::chunk::Kind;
use super::clause::Splitter;
use super::facts::{Carried, Prefix, is_quantity};
use super::words;
use crate::verify::tokens::Pos;

impl Splitter<'_> {
    /// Noun phrases in a row: each as pieces (the shared determiner put back), and where the row ends.
    pub(super) fn noun_list(&self, at: usize, hi: usize) -> (Vec<Vec<Piece>>, usize) {
        let mut members = vec![at];
        let mut next = at + 1;
        let mut closed = false;
        let mut either = false;
        while next < hi {
            match self.kind(next) {
                Some(Kind::Comma) if self.kind(next + 1) == Some(Kind::Noun) && next + 1 < hi => {
                    members.push(next + 1);
                    next += 2;
                }
                Some(Kind::Comma)
                    if matches!(self.kind(next + 1), Some(Kind::And | Kind::Or))
                        && self.kind(next + 2) == Some(Kind::Noun)
                        && next + 2 < hi =>
                {
                    either |= self.kind(next + 1) == Some(Kind::Or);
                    members.push(next + 2);
                    next += 3;
                    closed = true;
                    break;
                }
                Some(Kind::And | Kind::Or)
                    if self.kind(next + 1) == Some(Kind::Noun) && next + 1 < hi =>
                {
                    either |= self.kind(next) == Some(Kind::Or);
                    members.push(next + 1);
                    next += 2;
                    closed = true;
                    break;
                }
                _ => break,
            }
        }
        if !closed {
            return (self.adjectives(at), at + 1);
        }
        // "A and B and C", "A as well as B": go on while it lasts.
        while next + 1 < hi
            && self.kind(next) == Some(Kind::And)
            && self.kind(next + 1) == Some(Kind::Noun)
        {
            members.push(next + 1);
            next += 2;
        }
        let whole = vec![vec![self.span(at, next)]];
        // "A or B" is one thing, but "did not sell A or B" denies both.
        let denied = either
            && at > 0
            && self.is_verb(at - 1)
            && self.tokens[self.chunks[at - 1].tokens.clone()]
                .iter()
                .any(|t| words::is_negation(&t.lower));
        // "the daughter of A, the last king, and his wife": not what the subject is.
        let wide = self.chunks[members[0]].tokens.clone().any(|t| self.lower(t) == "of")
            && !words::is_possessive(self.opens(members[0]))
            && members[1..].iter().any(|m| words::is_possessive(self.opens(*m)));
        if either && !denied
            || wide
            || self.may_go_on(&members)
            || self.shares_head(&members)
            || members.iter().any(|m| self.is_pair_word(*m))
        {
            return (whole, next);
        }
        let prefix = match self.of_prefix(&members) {
            Prefix::Carry(range) => Some(range),
            Prefix::None => None,
            Prefix::Unclear => return (whole, next),
        };
        let carried = prefix.map(Carried::Words).or_else(|| self.carried(members[0]));
        let last = self.chunks[members[members.len() - 1]].tokens.clone();
        let tail = last
            .clone()
            .find(|at| self.lower(*at) == "of")
            .filter(|of| self.opens(members[0]) == "the" && words::is_office(self.lower(of - 1)))
            .filter(|_| {
                members[..members.len() - 1]
                    .iter()
                    .all(|m| self.chunks[*m].tokens.clone().all(|t| self.lower(t) != "of"))
            })
            .map(|of| of..last.end);
        let all = matches!(&carried, Some(Carried::Words(range)) if range.len() > 1);
        let items = members
            .iter()
            .enumerate()
            .map(|(nth, member)| {
                let mut pieces = Vec::new();
                let titles = nth == 0 && matches!(self.opens(members[1]), "\"" | "“");
                let own = match self.title(*member).filter(|_| titles) {
                    Some(title) => Piece::Tokens(title),
                    None => self.span(*member, member + 1),
                };
                if nth > 0
                    && let Some(carried) = &carried
                    && (all || self.is_bare(*member))
                {
                    pieces.push(match carried {
                        Carried::Article => Piece::Word(
                            words::article(&self.tokens[self.chunks[*member].tokens.start].text)
                                .to_owned(),
                            None,
                        ),
                        Carried::Words(range) => Piece::Tokens(range.clone()),
                    });
                }
                pieces.push(own);
                // "the founder and director of Veltrix"
                if let Some(tail) = tail.as_ref().filter(|_| nth + 1 < members.len()) {
                    pieces.push(Piece::Tokens(tail.clone()));
                }
                pieces
            })
            .collect();
        (items, next)
    }

    /// "is on leave and lives in Lund", "grinds wheat and stores flour": what looks like the next of a row may be the next verb.
    /// Behind one thing, and a verb of the same form.
    pub(super) fn may_go_on(&self, members: &[usize]) -> bool {
        let start = members.first().copied().unwrap_or(0);
        let Some(verb) = (0..start).rev().find(|at| self.is_verb(*at)) else { return false };
        let opener = self.opens(verb);
        if !opener.ends_with('s') || opener == "was" {
            return false;
        }
        members.windows(2).any(|two| {
            let tokens = self.chunks[two[1]].tokens.clone();
            let first = &self.tokens[tokens.start];
            let is_one = self.chunks[two[0]].tokens.clone().next_back().is_some_and(|last| {
                matches!(self.tokens[last].pos, Pos::Noun | Pos::ProperNoun | Pos::Verb)
                    && !self.lower(last).ends_with('s')
            });
            is_one
                && first.pos == Pos::Noun
                && first.lower.ends_with('s')
                && words::is_verb_form(&first.lower, true)
                && (tokens.len() > 1
                    || matches!(self.kind(two[1] + 1), Some(Kind::Preposition | Kind::Adverb)))
        })
    }

    /// "talented and influential poets": once with each adjective. Others as they stand.
    pub(super) fn adjectives(&self, at: usize) -> Vec<Vec<Piece>> {
        let range = self.chunks[at].tokens.clone();
        let whole = vec![vec![Piece::Tokens(range.clone())]];
        let before_of = range.clone().skip(1).take_while(|t| self.lower(*t) != "of");
        let Some(and) = before_of.into_iter().find(|t| self.lower(*t) == "and") else {
            return whole;
        };
        let adjective = |t: usize| {
            range.contains(&t)
                && self.tokens[t].pos == Pos::Adjective
                && !self.lower(t).ends_with("th")
                && !matches!(self.lower(t), "black" | "white" | "first" | "second" | "third")
        };
        let follows = range.contains(&(and + 2))
            && matches!(self.tokens[and + 2].pos, Pos::Noun | Pos::Adjective);
        let before = and == range.start + 1
            || matches!(self.tokens[and - 2].pos, Pos::Determiner | Pos::Pronoun | Pos::Particle)
            || is_quantity(self.lower(and - 2));
        if !(adjective(and - 1) && adjective(and + 1) && follows && before) || self.is_pair_word(at)
        {
            return whole;
        }
        let mut second = Vec::new();
        if and - 1 > range.start {
            match self.lower(and - 2) {
                "a" | "an" => {
                    if and - 2 > range.start {
                        second.push(Piece::Tokens(range.start..and - 2));
                    }
                    second.push(Piece::Word(
                        words::article(&self.tokens[and + 1].text).to_owned(),
                        None,
                    ));
                }
                _ => second.push(Piece::Tokens(range.start..and - 1)),
            }
        }
        second.push(Piece::Tokens(and + 1..range.end));
        vec![vec![Piece::Tokens(range.start..and), Piece::Tokens(and + 2..range.end)], second]
    }

    /// "relationship", "combination": their "of A and B" is one thing.
    pub(super) fn is_pair_word(&self, at: usize) -> bool {
        self.tokens[self.chunks[at].tokens.clone()].iter().any(|t| {
            matches!(
                t.lower.as_str(),
                "combination"
                    | "mix"
                    | "mixture"
                    | "fusion"
                    | "blend"
                    | "relationship"
                    | "between"
                    | "balance"
                    | "merger"
            )
        })
    }

    /// "the film and television industry": the last noun belongs to both.
    pub(super) fn shares_head(&self, members: &[usize]) -> bool {
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return false };
        let words = |at: usize| &self.tokens[self.chunks[at].tokens.clone()];
        let opener = words(*first);
        let determined = matches!(opener[0].pos, Pos::Determiner | Pos::Pronoun | Pos::Adjective)
            && !matches!(opener[0].lower.as_str(), "a" | "an");
        let short = opener.len() <= 2
            && opener.last().is_some_and(|t| t.pos == Pos::Noun && !t.lower.ends_with('s'));
        let long = words(*last).len() >= 2
            && words(*last).iter().all(|t| matches!(t.pos, Pos::Noun | Pos::Adjective));
        // "a Soviet and Russian poet"
        let origins = opener.len() == 2
            && opener[1].pos == Pos::ProperNoun
            && matches!(opener[0].lower.as_str(), "a" | "an")
            && words(*last)[0].pos == Pos::ProperNoun;
        // "the causal and quasi-experimental evidence"
        let open = members[..members.len() - 1].iter().any(|m| {
            words(*m).len() > 1 && words(*m).last().is_some_and(|t| t.pos == Pos::Adjective)
        });
        determined && short && long || origins || open
    }

    /// "a legacy of innovation and wit": "a legacy of" is said of both. "a member of the board and treasurer" is not clear.
    pub(super) fn of_prefix(&self, members: &[usize]) -> Prefix {
        let range = self.chunks[members[0]].tokens.clone();
        let of = range.clone().skip(1).rfind(|at| self.lower(*at) == "of");
        let Some(of) =
            of.filter(|of| of + 1 < range.end && self.tokens[of - 1].pos != Pos::ProperNoun)
        else {
            return Prefix::None;
        };
        let rest = &members[1..];
        let own = |member: &usize| {
            let tokens = self.chunks[*member].tokens.clone();
            let first = &self.tokens[tokens.start];
            tokens.clone().any(|at| self.lower(at) == "of")
                || matches!(first.pos, Pos::Determiner | Pos::Pronoun)
                    && !matches!(self.tokens[of + 1].pos, Pos::Determiner | Pos::Pronoun)
        };
        if rest.iter().any(own) {
            return Prefix::None;
        }
        let kind = |at: usize| match self.tokens[at].pos {
            Pos::ProperNoun | Pos::Punctuation => 0,
            Pos::Determiner | Pos::Pronoun => 1,
            _ => 2,
        };
        let inner = kind(of + 1);
        if rest.iter().all(|member| kind(self.chunks[*member].tokens.start) == inner) {
            Prefix::Carry(range.start..of + 1)
        } else {
            Prefix::Unclear
        }
    }

    pub(super) fn is_bare(&self, at: usize) -> bool {
        let first = &self.tokens[self.chunks[at].tokens.start];
        !matches!(
            first.pos,
            Pos::Determiner | Pos::Pronoun | Pos::Numeral | Pos::Punctuation | Pos::ProperNoun
        ) && !is_quantity(&first.lower)
    }

    /// `his novels "A"`: the title alone, if it stands in a row of titles.
    pub(super) fn title(&self, member: usize) -> Option<std::ops::Range<usize>> {
        let range = self.chunks[member].tokens.clone();
        let open = range.clone().skip(1).find(|at| matches!(self.lower(*at), "\"" | "“"))?;
        let plural = self.tokens[open - 1].pos == Pos::Noun && self.lower(open - 1).ends_with('s');
        plural.then_some(open..range.end)
    }

    /// The determiner that the first of a row lends to the rest.
    pub(super) fn carried(&self, first: usize) -> Option<Carried> {
        let start = self.chunks[first].tokens.start;
        let token = &self.tokens[start];
        if matches!(token.lower.as_str(), "a" | "an") {
            return Some(Carried::Article);
        }
        (token.pos == Pos::Determiner
            || words::is_possessive(&token.lower)
            || is_quantity(&token.lower))
        .then(|| Carried::Words(start..start + 1))
    }
}
