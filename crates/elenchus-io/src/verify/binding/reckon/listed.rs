//! Counts of what is listed: "Three members voted against the roof", where the minutes name them.

use super::super::amounts::slice;
use super::super::prepare::Prepared;
use super::super::told::is_unsure;
use super::Reckoned;
use super::words::{Term, Text, has, is_plain, same};
use crate::verify::extract::is_person;
use elenchus_core::port::{EvidenceSpan, MismatchKind};
use std::ops::{Range, RangeInclusive};

/// Counts beyond these are seldom left to a list.
const COUNTS: RangeInclusive<usize> = 2..=20;

/// Words before a list, or behind it, by which it is not whole.
const OPEN: [&str; 16] = [
    "including",
    "includes",
    "include",
    "included",
    "such",
    "like",
    "among",
    "especially",
    "particularly",
    "notably",
    "others",
    "other",
    "etc",
    "e.g",
    "mostly",
    "example",
];

/// The only row of names in a sentence: what stands between its first and last, and how many they are.
fn list(text: &Text<'_>) -> Option<(Range<usize>, usize)> {
    let names = &text.p.names;
    let joins = |range: Range<usize>| {
        let mut words = range.map(|at| text.lower(at)).filter(|word| *word != "the");
        let (first, second, third) = (words.next(), words.next(), words.next());
        match (first, second, third) {
            (Some(","), None, None) => Some(false),
            (Some("and"), None, None) | (Some(","), Some("and"), None) => Some(true),
            _ => None,
        }
    };
    let mut found: Option<(Range<usize>, usize)> = None;
    let mut from = 0;
    while from < names.len() {
        let mut to = from;
        let mut is_closed = false;
        while !is_closed
            && let (Some(one), Some(next)) = (names.get(to), names.get(to + 1))
            && one.tokens.end <= next.tokens.start
            && let Some(closes) = joins(one.tokens.end..next.tokens.start)
        {
            is_closed = closes;
            to += 1;
        }
        if to > from {
            if !is_closed || found.is_some() {
                return None;
            }
            found = Some((names[from].tokens.start..names[to].tokens.end, to + 1 - from));
        }
        from = to + 1;
    }
    found
}

/// The first verb of a text.
fn verb(text: &Text<'_>) -> Option<usize> {
    (0..text.end()).find(|at| text.is_verb(*at))
}

/// Whether what a claim counts can be persons.
fn counts_people(head: &Term) -> bool {
    head.keys.iter().any(|key| is_person(key))
}

/// A claim that counts what a sentence of the evidence lists.
pub(super) fn counted(text: &Text<'_>, evidence: &[(EvidenceSpan, &Prepared)]) -> Option<Reckoned> {
    let figures = text.figures();
    let [q] = figures.as_slice() else { return None };
    let head_at = q.head.filter(|_| q.unit.is_none() && is_plain(q) && q.low.fract() == 0.0)?;
    let head = text.term(head_at)?;
    let own_verb = verb(text)?;
    let own = text.terms_but(0..text.end(), &[head_at, own_verb]);
    let own_verb = text.verb(own_verb)?;
    let claimed = q.low as usize;
    if !COUNTS.contains(&claimed) || !text.p.dates.is_empty() {
        return None;
    }
    let mut found: Option<Reckoned> = None;
    for (sentence, (_, p)) in evidence.iter().enumerate() {
        let other = Text::new(p);
        let Some((row, count)) = list(&other) else { continue };
        let is_open = !p.negators.is_empty()
            || p.hedges
            || is_unsure(p)
            || !p.dates.is_empty()
            || !other.figures().is_empty()
            || p.tokens.iter().any(|token| OPEN.contains(&token.lower.as_str()));
        let Some(at) = verb(&other).filter(|_| !is_open) else { continue };
        let is_verb = other.verb(at).is_some_and(|verb| verb.is(&own_verb));
        let mut aside: Vec<usize> = row.clone().collect();
        aside.push(at);
        let words = other.terms_but(0..other.end(), &aside);
        // "The firm has offices in Lund, Bergen and Oslo": what is counted stands right before the row.
        let before = (0..row.start).rev().find(|at| !other.is_preposition(*at));
        let is_named = before.and_then(|at| other.term(at)).is_some_and(|term| term.is(&head));
        let rest: Vec<Term> = words.into_iter().filter(|term| !term.is(&head)).collect();
        let is_who = row.start == 0 && at > row.start && counts_people(&head);
        let is_it = is_verb && same(&rest, &own) && !has(&own, &head) && (is_named || is_who);
        if !is_it {
            continue;
        }
        // Of more there may be some whom the row does not name; there are no fewer.
        let is_open = claimed > count || claimed < count && !is_named;
        if found.is_some() || is_open {
            return None;
        }
        found = Some(Reckoned {
            holds: claimed == count,
            sum: format!("{count} ({})", slice(p, &row)),
            sentences: vec![sentence],
            tokens: q.tokens.clone(),
            kind: MismatchKind::Number,
        });
    }
    found
}
