//! The words of a text as far as they tell what a figure is of, and which of them are the same.

use super::super::change;
use super::super::prepare::{Kind, Prepared};
use super::super::quantity::{Bound, Quantity};
use crate::verify::tokens::Pos;
use crate::wordnet::{Part, WordNet};
use elenchus_core::text::is_stop_word;
use std::ops::Range;

/// Small words that tell things apart all the same: who voted against did not vote for.
const TELLING: [&str; 14] = [
    "against", "without", "before", "after", "above", "below", "under", "over", "outside",
    "inside", "between", "until", "except", "during",
];

/// Words that change nothing about a figure.
const IDLE: [&str; 10] = [
    "also",
    "currently",
    "now",
    "exactly",
    "just",
    "precisely",
    "today",
    "altogether",
    "together",
    "combined",
];

/// A word that tells what a figure is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Its stem and its lemmas; of a label the letter or the number.
    pub(super) keys: Vec<String>,
    /// The A of "shed A", the 2 of "hall 2", the "second" of "the second boat".
    pub(super) is_label: bool,
    /// A name or a label: it tells one thing from others of its kind.
    pub(super) is_name: bool,
}

impl Term {
    /// Whether both are forms of one word, or one label.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.is_label == other.is_label && self.keys.iter().any(|key| other.keys.contains(key))
    }
}

/// Whether a term is among others.
pub(super) fn has(terms: &[Term], wanted: &Term) -> bool {
    terms.iter().any(|term| term.is(wanted))
}

/// Whether all terms are among others.
pub(super) fn has_all(terms: &[Term], wanted: &[Term]) -> bool {
    wanted.iter().all(|term| has(terms, term))
}

/// Whether each of two lists has what the other has.
pub(super) fn same(one: &[Term], other: &[Term]) -> bool {
    has_all(one, other) && has_all(other, one)
}

/// A verb, as far as two of them say the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Verb {
    lemmas: Vec<String>,
    /// "held", "was", "has carried".
    pub(super) is_past: bool,
    /// "can", "will": what is possible or to come is not what is.
    helper: Option<String>,
}

impl Verb {
    /// Whether both say the same of the same time.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.says(other) && self.is_past == other.is_past
    }

    /// Whether both say the same, each of its time. What a thing has it holds.
    pub(super) fn says(&self, other: &Self) -> bool {
        let holds = |verb: &Self| {
            verb.lemmas.iter().any(|lemma| matches!(lemma.as_str(), "have" | "hold" | "contain"))
        };
        self.helper == other.helper
            && (self.lemmas.iter().any(|lemma| other.lemmas.contains(lemma))
                || holds(self) && holds(other))
    }

    /// Whether it is a form of one of these.
    pub(super) fn is_one_of(&self, lemmas: &[&str]) -> bool {
        self.lemmas.iter().any(|lemma| lemmas.contains(&lemma.as_str()))
    }
}

/// A text that is read for its figures.
pub(super) struct Text<'a> {
    pub(super) p: &'a Prepared,
    /// Tokens of the numbers that name: the 7 of "flat 7".
    labels: Vec<usize>,
    /// Tokens of the figures.
    within: Vec<Range<usize>>,
}

impl<'a> Text<'a> {
    pub(super) fn new(p: &'a Prepared) -> Self {
        let labels = change::labels(p).map(|(at, ..)| at).collect();
        let mut text = Self { p, labels, within: Vec::new() };
        text.within = text.figures().iter().map(|q| q.tokens.clone()).collect();
        text
    }

    pub(super) fn end(&self) -> usize {
        self.p.tokens.len()
    }

    pub(super) fn lower(&self, at: usize) -> &'a str {
        self.p.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    /// The figures that count or measure.
    pub(super) fn figures(&self) -> Vec<&'a Quantity> {
        let counts = |q: &&Quantity| {
            // "One" is an article more often than a count.
            let is_article = !q.figure && q.unit.is_none() && q.low <= 1.0;
            !q.ordinal && !is_article && !self.labels.contains(&q.at)
        };
        self.p.quantities.iter().filter(counts).collect()
    }

    fn is_in_figure(&self, at: usize) -> bool {
        self.within.iter().any(|tokens| tokens.contains(&at))
    }

    /// Whether a token is part of a date.
    pub(super) fn is_date(&self, at: usize) -> bool {
        self.p.dates.iter().any(|date| date.tokens.contains(&at))
    }

    pub(super) fn is_verb(&self, at: usize) -> bool {
        let token = self.p.tokens.get(at);
        token.is_some_and(|t| matches!(t.pos, Pos::Verb | Pos::Aux)) && !self.is_idle(at)
    }

    pub(super) fn is_noun(&self, at: usize) -> bool {
        let token = self.p.tokens.get(at);
        token.is_some_and(|t| matches!(t.pos, Pos::Noun | Pos::ProperNoun))
    }

    fn is_idle(&self, at: usize) -> bool {
        IDLE.contains(&self.lower(at))
    }

    /// Whether a token is a letter that names; the first word of a sentence may be an article.
    fn is_letter(&self, at: usize) -> bool {
        let text = self.p.tokens.get(at).map_or("", |token| token.text.as_str());
        let mut chars = text.chars();
        let only = chars.next().filter(|_| chars.next().is_none());
        at > 0 && text != "I" && only.is_some_and(|c| c.is_ascii_uppercase())
    }

    /// What a token tells of what a figure is of; nothing where it is a figure, a date, a mark or a word without weight.
    pub(super) fn term(&self, at: usize) -> Option<Term> {
        let token = self.p.tokens.get(at)?;
        if token.is_mark() || self.is_date(at) || self.is_in_figure(at) {
            return None;
        }
        let is_ordinal = self.p.quantities.iter().any(|q| q.ordinal && q.at == at);
        if self.labels.contains(&at) || self.is_letter(at) || is_ordinal {
            let key = if is_ordinal { token.lower.clone() } else { token.text.clone() };
            return Some(Term { keys: vec![key], is_label: true, is_name: true });
        }
        let is_small = matches!(
            token.pos,
            Pos::Determiner | Pos::Pronoun | Pos::Particle | Pos::Preposition | Pos::Conjunction
        ) || is_stop_word(&token.lower)
            || token.lower.starts_with(['\'', '\u{2019}']);
        let is_telling = TELLING.contains(&token.lower.as_str());
        if is_small && !is_telling || self.is_idle(at) || token.pos == Pos::Aux {
            return None;
        }
        let wordnet = WordNet::builtin();
        let word = wordnet.lookup(&token.lower);
        let mut keys = vec![token.stem.clone()];
        for (lemma, _) in wordnet.lemmas(&word) {
            if !keys.iter().any(|key| key == lemma) {
                keys.push(lemma.to_owned());
            }
        }
        let kind = self.p.items.get(at).map(|item| item.kind);
        let is_name = kind == Some(Kind::Name) || token.pos == Pos::ProperNoun;
        Some(Term { keys, is_label: false, is_name })
    }

    /// The terms of some tokens, one each.
    pub(super) fn terms(&self, range: Range<usize>) -> Vec<Term> {
        self.terms_but(range, &[])
    }

    /// The terms of some tokens without those at these places.
    pub(super) fn terms_but(&self, range: Range<usize>, but: &[usize]) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        for at in range.filter(|at| !but.contains(at)) {
            if let Some(term) = self.term(at)
                && !has(&found, &term)
            {
                found.push(term);
            }
        }
        found
    }

    /// The last verb among some tokens. Where the tagger found none, the last one may be it.
    pub(super) fn verb_in(&self, range: Range<usize>) -> Option<usize> {
        let tagged = range.clone().rev().find(|at| self.is_verb(*at));
        let untagged = || {
            let last = range.clone().next_back().filter(|at| *at > range.start)?;
            let lower = self.lower(last);
            let wordnet = WordNet::builtin();
            let word = wordnet.lookup(lower);
            let can_be = wordnet.lemmas(&word).any(|(_, part)| part == Part::Verb);
            (can_be && lower.len() > 2 && lower.ends_with(['s', 'd'])).then_some(last)
        };
        tagged.or_else(untagged)
    }

    /// What the verb at a token says, with the helpers before it. Nothing where it only may be so.
    pub(super) fn verb(&self, at: usize) -> Option<Verb> {
        let mut from = at;
        while let Some(before) = from.checked_sub(1)
            && self.p.tokens.get(before).is_some_and(|t| t.pos == Pos::Aux)
        {
            from = before;
        }
        let helpers: Vec<&str> = (from..at).map(|at| self.lower(at)).collect();
        let is_open = |lower: &str| {
            matches!(lower, "may" | "might" | "could" | "would" | "should" | "must" | "ought")
        };
        let lower = self.lower(at);
        if helpers.iter().any(|helper| is_open(helper)) || is_open(lower) {
            return None;
        }
        let helper = helpers.iter().find(|helper| matches!(**helper, "can" | "will" | "shall"));
        let (lemmas, mut is_past) = match lower {
            "is" | "are" | "be" | "been" | "being" => (vec!["be".to_owned()], false),
            "was" | "were" => (vec!["be".to_owned()], true),
            "has" | "have" | "having" => (vec!["have".to_owned()], false),
            "had" => (vec!["have".to_owned()], true),
            _ => {
                let wordnet = WordNet::builtin();
                let word = wordnet.lookup(lower);
                let verbs = wordnet.lemmas(&word).filter(|(_, part)| *part == Part::Verb);
                let mut lemmas: Vec<String> = verbs.map(|(lemma, _)| lemma.to_owned()).collect();
                if lemmas.is_empty() {
                    let stem = self.p.tokens.get(at).map(|token| token.stem.clone());
                    lemmas.extend(stem);
                }
                let is_plain = lemmas.iter().any(|lemma| lemma == lower)
                    || lower.ends_with('s')
                    || lower.ends_with("ing");
                (lemmas, !is_plain)
            }
        };
        if let Some(first) = helpers.first() {
            is_past = matches!(*first, "was" | "were" | "had" | "did" | "has" | "have");
        }
        let helper = helper.map(|helper| (*helper).to_owned());
        Some(Verb { lemmas, is_past, helper })
    }

    /// Where a preposition stands at a token.
    pub(super) fn is_preposition(&self, at: usize) -> bool {
        let token = self.p.tokens.get(at);
        token.is_some_and(|t| t.pos == Pos::Preposition)
            || matches!(
                self.lower(at),
                "of" | "in" | "on" | "at" | "by" | "from" | "with" | "near" | "to" | "for"
            )
    }

    /// "A month", "per night" behind a figure and what it counts: the token of the noun.
    pub(super) fn rate(&self, q: &Quantity) -> Option<usize> {
        let at = q.head.map_or(q.tokens.end, |head| head + 1);
        let leads = matches!(self.lower(at), "a" | "an" | "per" | "each" | "every");
        (leads && self.is_noun(at + 1)).then_some(at + 1)
    }
}

/// Whether a figure is meant as it stands.
pub(super) fn is_plain(q: &Quantity) -> bool {
    !q.ordinal && q.bound == Bound::Exact && q.low.total_cmp(&q.high).is_eq()
}
