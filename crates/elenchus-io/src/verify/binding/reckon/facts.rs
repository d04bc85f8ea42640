//! The figures that sentences state of one thing each: "Shed A holds 120 boxes and shed B 220".
//!
//! A sentence that can be cut in two ways, that says what may be or that adds up itself states none here.

use super::super::prepare::Prepared;
use super::super::quantity::Quantity;
use super::super::told::is_unsure;
use super::super::units::Unit;
use super::super::when::{Stand, When, stand};
use super::words::{Term, Text, Verb, has, has_all, is_plain, same};
use crate::verify::tokens::Token;
use elenchus_core::port::EvidenceSpan;
use std::ops::Range;

/// A sentence of more tokens is no plain statement.
const LONGEST: usize = 80;

/// Sentences of a passage that are read at most.
const MOST: usize = 400;

/// Words by which a figure is of several things, of the rest of them, or of a time that stands elsewhere.
const NOT_ALONE: [&str; 38] = [
    "each",
    "respectively",
    "apiece",
    "together",
    "altogether",
    "combined",
    "both",
    "total",
    "totals",
    "overall",
    "average",
    "mean",
    "another",
    "more",
    "fewer",
    "less",
    "than",
    "additional",
    "further",
    "extra",
    "remaining",
    "other",
    "others",
    "rest",
    "half",
    "twice",
    "least",
    "most",
    "last",
    "next",
    "ago",
    "previously",
    "formerly",
    "earlier",
    "originally",
    "once",
    "initially",
    "later",
];

/// A figure of one thing.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    /// The sentence, among those given.
    pub(super) sentence: usize,
    /// The token of the figure: no two facts of a sentence have the same.
    pub(super) token: usize,
    pub(super) value: f64,
    /// How far the figure may be rounded.
    pub(super) grain: f64,
    pub(super) unit: Option<Unit>,
    /// What is counted.
    pub(super) head: Option<Term>,
    /// What stands before the verb.
    pub(super) subject: Vec<Term>,
    /// How many of those belong to the first noun phrase.
    pub(super) first: usize,
    pub(super) verb: Option<Verb>,
    /// What stands behind the verb.
    pub(super) rest: Vec<Term>,
    /// The month of "a month".
    pub(super) rate: Option<Term>,
    pub(super) dates: Vec<When>,
}

impl Fact {
    /// Whether all terms stand with the figure, before its verb or behind it.
    pub(super) fn has_all(&self, terms: &[Term]) -> bool {
        terms.iter().all(|term| {
            has(&self.subject, term)
                || has(&self.rest, term)
                || self.head.as_ref().is_some_and(|head| head.is(term))
        })
    }

    /// Whether it is of what these words name: they end its first noun phrase, and nothing is said there that they do not have.
    /// A name may have more before it: "the old shed A".
    pub(super) fn is_about(&self, own: &[Term]) -> bool {
        let (first, tail) = self.subject.split_at(self.first.min(self.subject.len()));
        let is_named = own.iter().any(|term| term.is_name);
        first.last().is_some_and(|head| has(own, head))
            && has_all(&self.subject, own)
            && (is_named || has_all(own, first))
            && has_all(own, tail)
    }

    /// Whether both count or measure the same, in one unit and for one span of time.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let units = match (self.unit, other.unit) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        let heads = match (&self.head, &other.head) {
            (Some(a), Some(b)) => a.is(b),
            (None, None) => true,
            _ => false,
        };
        units && heads && is_same(self.rate.as_ref(), other.rate.as_ref())
    }

    /// Whether both are of the same time.
    pub(super) fn is_of_the_time_of(&self, other: &Self) -> bool {
        let held = |a: &Self, b: &Self| {
            a.dates.iter().all(|own| b.dates.iter().any(|date| is_same_time(own, date)))
        };
        held(self, other) && held(other, self)
    }

    /// Whether it is of all the times that a claim names.
    pub(super) fn is_within(&self, dates: &[When]) -> bool {
        dates.iter().all(|own| self.dates.iter().any(|date| stand(own, date) == Stand::Within))
    }

    /// Whether it is the same figure of the same thing, said once more.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        self.value.total_cmp(&other.value).is_eq()
            && self.is_like(other)
            && self.is_of_the_time_of(other)
            && same(&self.subject, &other.subject)
            && same(&self.rest, &other.rest)
    }
}

/// Whether both are the same term, or there is none on either side.
pub(super) fn is_same(one: Option<&Term>, other: Option<&Term>) -> bool {
    match (one, other) {
        (Some(a), Some(b)) => a.is(b),
        (None, None) => true,
        _ => false,
    }
}

fn is_same_time(one: &When, other: &When) -> bool {
    one.years == other.years && one.days == other.days
}

/// What a sentence is about, for an "it" in the next one.
#[derive(Clone, Default)]
struct Subject {
    terms: Vec<Term>,
    first: usize,
    /// Whether nothing else in the sentence can be meant.
    is_only: bool,
}

/// The facts of the sentences of a passage, in order.
pub(super) fn facts(evidence: &[(EvidenceSpan, &Prepared)]) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut before: Option<(usize, Subject)> = None;
    for (sentence, (place, p)) in evidence.iter().enumerate().take(MOST) {
        let last = before.take().filter(|(item, _)| *item == place.item).map(|(_, last)| last);
        if p.tokens.len() > LONGEST {
            continue;
        }
        let text = Text::new(p);
        let subject = subject(&text, last.as_ref());
        if is_read(&text) {
            found.extend(read(&text, sentence, last.as_ref()).unwrap_or_default());
        }
        before = Some((place.item, subject));
    }
    found
}

/// Whether a sentence states plainly what is.
fn is_read(text: &Text<'_>) -> bool {
    let p = text.p;
    let is_alone = |token: &Token| !NOT_ALONE.contains(&token.lower.as_str());
    !p.quantities.is_empty()
        && p.negators.is_empty()
        && !p.hedges
        && !is_unsure(p)
        && !p.text.contains(['|', '?', '\u{201C}', '"'])
        && p.tokens.iter().all(is_alone)
}

fn points_to_one(lower: &str) -> bool {
    matches!(lower, "it" | "he" | "she")
}

/// Past a date and what leads to it: "In 2023, the ferry".
fn past_date(text: &Text<'_>, range: &Range<usize>) -> usize {
    let mut at = range.start;
    while at < range.end {
        let leads = text.is_date(at + 1) && text.term(at).is_none();
        if !(text.is_date(at) || leads || at > range.start && text.lower(at) == ",") {
            break;
        }
        at += 1;
    }
    at
}

/// The end of the noun phrase that begins at a token.
fn phrase_end(text: &Text<'_>, from: usize, end: usize) -> usize {
    (from..end)
        .find(|at| {
            let token = text.p.tokens.get(*at);
            text.is_preposition(*at)
                || text.is_verb(*at)
                || token.is_some_and(Token::is_mark)
                || matches!(text.lower(*at), "that" | "which" | "who" | "whose" | "where")
        })
        .unwrap_or(end)
}

/// What a whole sentence is about.
fn subject(text: &Text<'_>, last: Option<&Subject>) -> Subject {
    let verb = (0..text.end()).find(|at| text.is_verb(*at));
    let Some(verb) = verb.or_else(|| text.verb_in(0..text.figures().first()?.tokens.start)) else {
        return Subject::default();
    };
    let from = past_date(text, &(0..verb));
    let figures = text.figures();
    let is_of_a_figure =
        |at: usize| figures.iter().any(|q| q.head == Some(at) || text.rate(q) == Some(at));
    let is_only = (verb + 1..text.end())
        .all(|at| !text.is_noun(at) || text.term(at).is_none() || is_of_a_figure(at));
    if points_to_one(text.lower(from)) && verb == from + 1 {
        let mut same = last.cloned().unwrap_or_default();
        same.is_only &= is_only;
        return same;
    }
    let is_row = (from..verb).any(|at| matches!(text.lower(at), "and" | "or" | ","));
    if is_row {
        return Subject::default();
    }
    let end = phrase_end(text, from, verb);
    Subject { terms: text.terms(from..verb), first: text.terms(from..end).len(), is_only }
}

/// Marks and words between which a sentence may be cut.
fn cuts(lower: &str) -> bool {
    matches!(
        lower,
        ";" | "," | ":" | "and" | "but" | "while" | "whereas" | "(" | ")" | "\u{2014}" | "\u{2013}"
    )
}

/// The parts of a sentence with one figure each; nothing where it can be cut in two ways.
fn parts(text: &Text<'_>, figures: &[&Quantity]) -> Option<Vec<Range<usize>>> {
    let mut out = Vec::new();
    let mut start = 0;
    for pair in figures.windows(2) {
        let [one, other] = pair else { continue };
        let mut joints: Vec<Range<usize>> = Vec::new();
        for at in one.tokens.end..other.tokens.start {
            if !cuts(text.lower(at)) {
                continue;
            }
            match joints.last_mut() {
                Some(joint) if joint.end == at => joint.end = at + 1,
                _ => joints.push(at..at + 1),
            }
        }
        let is_clear =
            |joint: &&Range<usize>| (joint.start..joint.end).any(|at| text.lower(at) == ";");
        let joint = match joints.as_slice() {
            [only] => only,
            several => {
                let mut clear = several.iter().filter(is_clear);
                clear.next().filter(|_| clear.next().is_none())?
            }
        };
        out.push(start..joint.start);
        start = joint.end;
    }
    out.push(start..text.end());
    Some(out)
}

/// The facts of one sentence.
fn read(text: &Text<'_>, sentence: usize, last: Option<&Subject>) -> Option<Vec<Fact>> {
    let figures = text.figures();
    let mut out: Vec<Fact> = Vec::new();
    let mut before: Option<Fact> = None;
    for (nth, (range, q)) in parts(text, &figures)?.into_iter().zip(&figures).enumerate() {
        let fact = part(text, sentence, range, q, before.as_ref(), last.filter(|_| nth == 0))?;
        if is_plain(q) {
            out.push(fact.clone());
        }
        before = Some(fact);
    }
    // "In 2023, shed A held 120 boxes and shed B 220": the time that leads is that of all.
    let led = past_date(text, &(0..text.end()));
    let time: Vec<When> =
        text.p.dates.iter().filter(|date| date.tokens.end <= led).cloned().collect();
    if !time.is_empty() {
        for fact in out.iter_mut().filter(|fact| fact.dates.is_empty()) {
            fact.dates.clone_from(&time);
        }
    }
    Some(out)
}

/// The fact of a part of a sentence; nothing where its words cannot be told apart.
fn part(
    text: &Text<'_>,
    sentence: usize,
    range: Range<usize>,
    q: &Quantity,
    before: Option<&Fact>,
    last: Option<&Subject>,
) -> Option<Fact> {
    let p = text.p;
    let ahead = text.verb_in(range.start..q.tokens.start);
    let behind = || (q.tokens.end..range.end).find(|at| text.is_verb(*at));
    let own = ahead.or_else(behind);
    // Without a verb of its own a part has that of the part before: "and shed B 220".
    let verb = match own {
        Some(at) => Some(text.verb(at)?),
        None => Some(before?.verb.clone()?),
    };
    let is_short = own.is_none() || before.is_some_and(|before| before.verb == verb);
    let lead = ahead.unwrap_or(q.tokens.start);
    // What an earlier clause says is not said of this figure.
    let clause = (range.start..lead)
        .rev()
        .find(|at| cuts(text.lower(*at)) && (range.start..*at).any(|at| text.is_verb(at)));
    let from = past_date(text, &(clause.map_or(range.start, |at| at + 1)..lead));
    if (from..lead).any(|at| matches!(text.lower(at), "and" | "or" | ",")) {
        return None;
    }
    let points = points_to_one(text.lower(from)) && lead <= from + 1;
    let (subject, first) = if points || text.terms(from..lead).is_empty() {
        if let Some(before) = before {
            (before.subject.clone(), before.first)
        } else if points {
            let last = last.filter(|last| last.is_only && !last.terms.is_empty())?;
            (last.terms.clone(), last.first)
        } else {
            (Vec::new(), 0)
        }
    } else {
        let end = phrase_end(text, from, lead);
        (text.terms(from..lead), text.terms(from..end).len())
    };
    let rate = text.rate(q);
    let aside: Vec<usize> = q.head.into_iter().chain(rate).chain(own).collect();
    let mut rest = text.terms_but(ahead.map_or(q.tokens.end, |at| at + 1)..range.end, &aside);
    let mut head = q.head.and_then(|at| text.term(at));
    let mut rate = rate.and_then(|at| text.term(at));
    let mut unit = q.unit;
    if is_short
        && head.is_none()
        && unit.is_none()
        && let Some(before) = before
    {
        head.clone_from(&before.head);
        unit = before.unit;
        if rest.is_empty() {
            rest.clone_from(&before.rest);
        }
        if rate.is_none() {
            rate.clone_from(&before.rate);
        }
    }
    let within = |date: &&When| range.contains(&date.tokens.start);
    Some(Fact {
        sentence,
        token: q.at,
        value: q.low,
        grain: q.grain,
        unit,
        head,
        subject,
        first,
        verb,
        rest,
        rate,
        dates: p.dates.iter().filter(within).cloned().collect(),
    })
}
