//! Changes: "The rent rose by 40 euros in 2023", "Membership doubled", where the sources tell what it was and what it became.

use super::super::change::{self, Change};
use super::super::prepare::Prepared;
use super::super::quantity::Quantity;
use super::super::told::is_unsure;
use super::super::units::Unit;
use super::super::when::{Stand, When, stand};
use super::compare::{differs, order};
use super::facts::{Fact, is_same};
use super::words::{Term, Text, has, has_all, is_plain, same};
use super::{OTHER_RATIO, RATIO, Reckoned, number};
use elenchus_core::port::{EvidenceSpan, MismatchKind};
use std::ops::Range;

/// Verbs by which something becomes more.
const RISES: [&str; 7] = ["rise", "increase", "grow", "climb", "double", "triple", "treble"];

/// Verbs by which something becomes less.
const FALLS: [&str; 8] =
    ["fall", "decrease", "drop", "decline", "shrink", "sink", "halve", "diminish"];

/// Verbs that tell how much or how many there is: who lost 24 singers did not have them.
const STATES: [&str; 12] = [
    "be", "have", "hold", "contain", "cost", "count", "number", "total", "amount", "stand",
    "employ", "weigh",
];

/// A claim that something became more or less.
pub(super) struct Growth {
    /// The token of the verb.
    verb: usize,
    is_more: bool,
    /// What it was multiplied by: "doubled".
    times: Option<f64>,
    /// The token of the figure behind "by".
    by: Option<usize>,
}

/// The change that a claim tells, if it gives neither the figure of before nor that of after.
pub(super) fn growth(text: &Text<'_>) -> Option<Growth> {
    let at = (1..text.end()).find(|at| text.is_verb(*at) && is_change(text, *at))?;
    let verb = text.verb(at)?;
    let is_more = verb.is_one_of(&RISES);
    let times = if verb.is_one_of(&["double"]) {
        Some(2.0)
    } else if verb.is_one_of(&["triple", "treble"]) {
        Some(3.0)
    } else {
        verb.is_one_of(&["halve"]).then_some(0.5)
    };
    let figures = text.figures();
    let by = match figures.as_slice() {
        [] => None,
        [only] => {
            let gap = text.lower(at + 1) == "by" || text.lower(at + 1) == "about";
            let is_behind = only.tokens.start == at + 1 || gap && only.tokens.start == at + 2;
            if !is_behind || times.is_some() {
                return None;
            }
            Some(only.at)
        }
        _ => return None,
    };
    Some(Growth { verb: at, is_more, times, by })
}

fn is_change(text: &Text<'_>, at: usize) -> bool {
    text.verb(at).is_some_and(|verb| verb.is_one_of(&RISES) || verb.is_one_of(&FALLS))
}

/// What was, and what became of it.
struct Two {
    before: f64,
    after: f64,
    unit: Option<Unit>,
    grain: f64,
    sentences: Vec<usize>,
    /// Whether nothing else can be meant.
    is_sure: bool,
}

/// A sentence that tells the change itself: "from 410 to 450 euros".
fn told(
    text: &Text<'_>,
    growth: &Growth,
    subject: &[Term],
    evidence: &[(EvidenceSpan, &Prepared)],
) -> Option<Two> {
    let mut found: Option<Two> = None;
    let comes = |p: &Prepared| {
        p.tokens.iter().any(|token| matches!(token.lower.as_str(), "will" | "shall"))
    };
    for (sentence, (_, p)) in evidence.iter().enumerate() {
        let is_open = p.quantities.is_empty()
            || !p.negators.is_empty()
            || p.hedges
            || is_unsure(p)
            || comes(p) != comes(text.p);
        if is_open {
            continue;
        }
        let changes: Vec<Change> =
            change::changes(p).into_iter().chain(change::earlier_figures(p)).collect();
        let [Change { before, after: Some(after), tokens }] = changes.as_slice() else {
            continue;
        };
        let own = Text::new(p);
        if own.figures().len() > 2 || !is_plain(before) || !is_plain(after) {
            continue;
        }
        let is_timed = text
            .p
            .dates
            .iter()
            .all(|claimed| p.dates.iter().any(|date| stand(claimed, date) == Stand::Within));
        let words = own.terms(0..own.end());
        // "The refund of the fee rose" tells nothing of the fee.
        let noun = (0..tokens.start).find(|at| own.is_noun(*at)).and_then(|at| own.term(at));
        let is_subject = noun.is_some_and(|noun| has(subject, &noun));
        if !is_timed || !is_subject || !has_all(&words, subject) {
            continue;
        }
        let units = match (before.unit, after.unit) {
            (Some(a), Some(b)) => a.same(b),
            // "From 410 to 450 euros".
            _ => true,
        };
        let rest: Range<usize> = growth.verb + 1..text.end();
        let has_rest = has_all(&words, &text.terms(rest));
        if !units || !has_rest || found.is_some() {
            return None;
        }
        let lead = own.terms(0..tokens.start);
        let is_own = |term: &Term| {
            has(subject, term)
                || term
                    .keys
                    .iter()
                    .any(|key| RISES.contains(&key.as_str()) || FALLS.contains(&key.as_str()))
        };
        found = Some(Two {
            before: before.low,
            after: after.low,
            unit: after.unit.or(before.unit),
            grain: before.grain + after.grain,
            sentences: vec![sentence],
            is_sure: lead.iter().all(is_own),
        });
    }
    found
}

/// The last year that a date may lie in.
fn year(fact: &Fact) -> Option<i32> {
    let [When { years: Some((from, to)), .. }] = fact.dates.as_slice() else { return None };
    (from == to).then_some(*to)
}

/// The one of two facts of a time.
fn of_time<'f>(found: &[&'f Fact], time: &When) -> Option<&'f Fact> {
    let mut of_it = found.iter().filter(|fact| fact.is_within(std::slice::from_ref(time))).copied();
    of_it.next().filter(|_| of_it.next().is_none())
}

/// Two figures of one thing, each with its year.
fn dated(text: &Text<'_>, growth: &Growth, subject: &[Term], facts: &[Fact]) -> Option<Two> {
    let common = text.terms(growth.verb + 1..text.end());
    let mut wanted = subject.to_vec();
    wanted.extend(common);
    let is_counted = |fact: &Fact| {
        let led = fact.first.checked_sub(1).and_then(|at| fact.subject.get(at));
        let is_state = fact.verb.as_ref().is_some_and(|verb| verb.is_one_of(&STATES));
        is_state
            && match &fact.head {
                Some(head) => has(subject, head),
                None => fact.unit.is_some() && led.is_some_and(|term| has(subject, term)),
            }
    };
    let is_behind = |fact: &Fact| fact.rest.iter().all(|term| has(&wanted, term));
    let mut found: Vec<&Fact> = Vec::new();
    for fact in facts {
        let is_it =
            year(fact).is_some() && is_counted(fact) && fact.has_all(&wanted) && is_behind(fact);
        if is_it && !found.iter().any(|known| known.repeats(fact)) {
            found.push(fact);
        }
    }
    let (first, others) = found.split_first()?;
    let is_alike = |other: &&Fact| {
        let verbs = first.verb.as_ref().zip(other.verb.as_ref());
        first.is_like(other)
            && is_same(first.rate.as_ref(), other.rate.as_ref())
            && same(&first.subject, &other.subject)
            && same(&first.rest, &other.rest)
            && verbs.is_some_and(|(a, b)| a.says(b))
    };
    if !others.iter().all(is_alike) {
        return None;
    }
    let pair = |a: &'_ Fact, b: &'_ Fact| {
        let (before, after) = if year(a)? < year(b)? { (a, b) } else { (b, a) };
        Some(Two {
            before: before.value,
            after: after.value,
            unit: before.unit,
            grain: before.grain + after.grain,
            sentences: vec![before.sentence, after.sentence],
            is_sure: true,
        })
    };
    let apart = |a: &Fact, b: &Fact| year(a) != year(b);
    match text.p.dates.as_slice() {
        [one, other] => {
            let (a, b) = (of_time(&found, one)?, of_time(&found, other)?);
            if apart(a, b) { pair(a, b) } else { None }
        }
        [one] => {
            // "In 2023": from the year before.
            let last = of_time(&found, one)?;
            let mut before =
                found.iter().filter(|fact| year(fact).map(|y| y + 1) == year(last)).copied();
            let before_it = before.next().filter(|_| before.next().is_none())?;
            pair(before_it, last)
        }
        [] => match found.as_slice() {
            [a, b] if apart(a, b) => pair(a, b),
            _ => None,
        },
        _ => None,
    }
}

/// A claim that something became more or less, rightly or wrongly.
pub(super) fn grown(
    text: &Text<'_>,
    growth: &Growth,
    facts: &[Fact],
    evidence: &[(EvidenceSpan, &Prepared)],
) -> Option<Reckoned> {
    // "The number of members rose": the members are what is counted.
    let number_of = |at: &usize| text.lower(*at) == "number" && text.lower(at + 1) == "of";
    let aside: Vec<usize> = (0..growth.verb).filter(number_of).collect();
    let subject = text.terms_but(0..growth.verb, &aside);
    if subject.is_empty() {
        return None;
    }
    let two =
        told(text, growth, &subject, evidence).or_else(|| dated(text, growth, &subject, facts))?;
    let (before, after) = (two.before, two.after);
    let figures = text.figures();
    let figure: Option<&Quantity> =
        growth.by.and_then(|by| figures.iter().copied().find(|q| q.at == by));
    let (holds, sum, tokens) = if let Some(q) = figure {
        let (holds, sum) = differs(q, growth.is_more, (after, before), (two.unit, two.grain))?;
        (holds, sum, q.tokens.clone())
    } else if let Some(times) = growth.times {
        if before <= 0.0 {
            return None;
        }
        let ratio = after / before;
        let off = (ratio - times).abs() / times;
        // Between the two it is a matter of rounding.
        if off > RATIO && off < OTHER_RATIO {
            return None;
        }
        let sum = format!("{} / {} = {}", number(after), number(before), number(ratio));
        (off <= RATIO, sum, growth.verb..growth.verb + 1)
    } else {
        let holds = if growth.is_more { after > before } else { after < before };
        (holds, order(after, before), growth.verb..growth.verb + 1)
    };
    (holds || two.is_sure).then_some(Reckoned {
        holds,
        sum,
        sentences: two.sentences,
        tokens,
        kind: if figure.is_some() { MismatchKind::Number } else { MismatchKind::Polarity },
    })
}
