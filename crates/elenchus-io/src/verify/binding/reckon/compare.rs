//! Comparisons: "Shed B holds 100 boxes more than shed A", "twice as many people came in 2024 as in 2023".

use super::super::quantity::Quantity;
use super::super::units::{Dimension, Unit};
use super::super::when::When;
use super::facts::{Fact, is_same};
use super::words::{Term, Text, Verb, has, same};
use super::{Reckoned, agrees, agrees_about, agrees_in_points, number};
use crate::verify::tokens::Token;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// Tokens between "more" and "than", and between the two of "as many as", at most.
const APART: usize = 10;

/// An adjective that compares, with the words by which a figure says the same.
struct Scale {
    is_more: bool,
    /// "30 m tall".
    words: &'static [&'static str],
    /// "Weighs 300 kg".
    verbs: &'static [&'static str],
    dimension: Option<Dimension>,
}

impl Scale {
    fn new(
        is_more: bool,
        words: &'static [&'static str],
        verbs: &'static [&'static str],
        dimension: Option<Dimension>,
    ) -> Self {
        Self { is_more, words, verbs, dimension }
    }
}

/// What a comparative measures; nothing where it is none, or where several things may be meant.
fn scale(lower: &str) -> Option<Scale> {
    let (length, mass) = (Some(Dimension::Length), Some(Dimension::Mass));
    Some(match lower {
        "heavier" | "heavy" => Scale::new(true, &["heavy"], &["weigh"], mass),
        "lighter" => Scale::new(false, &["heavy"], &["weigh"], mass),
        "dearer" | "expensive" => Scale::new(true, &[], &["cost"], None),
        "cheaper" => Scale::new(false, &[], &["cost"], None),
        "taller" | "tall" => Scale::new(true, &["tall", "high"], &[], length),
        "wider" | "wide" => Scale::new(true, &["wide"], &[], length),
        "narrower" => Scale::new(false, &["wide"], &[], length),
        "deeper" | "deep" => Scale::new(true, &["deep"], &[], length),
        "shallower" => Scale::new(false, &["deep"], &[], length),
        "thicker" | "thick" => Scale::new(true, &["thick"], &[], length),
        "thinner" => Scale::new(false, &["thick"], &[], length),
        "longer" | "long" => Scale::new(true, &["long"], &["last", "take"], None),
        "shorter" => Scale::new(false, &["long", "tall"], &["last", "take"], None),
        "older" | "old" => Scale::new(true, &["old"], &[], Some(Dimension::Time)),
        "younger" => Scale::new(false, &["old"], &[], Some(Dimension::Time)),
        _ => return None,
    })
}

/// How the two are said to stand to each other.
enum Says<'a> {
    /// The first one has more, or less.
    Order,
    /// By so much.
    By(&'a Quantity),
    /// So many times.
    Times(&'a Quantity),
    /// Half of it.
    Half,
    /// As much.
    Equal,
}

/// The words of a claim that compare.
pub(super) struct Cue {
    /// "More", "heavier", "twice as many".
    at: Range<usize>,
    /// The "than" or the second "as".
    than: usize,
    is_more: bool,
    is_as: bool,
    scale: Option<Scale>,
}

/// What stands before "than" and compares: whether it is more, and where what is counted begins.
fn comparative(text: &Text<'_>, at: usize) -> Option<(bool, Option<Scale>, usize)> {
    let next = text.lower(at + 1);
    match text.lower(at) {
        "more" if next == "expensive" => Some((true, scale(next), at + 2)),
        "less" if next == "expensive" => Some((false, scale(next), at + 2)),
        "more" => Some((true, None, at + 1)),
        "fewer" | "less" => Some((false, None, at + 1)),
        "higher" | "greater" => Some((true, None, at + 1)),
        "lower" => Some((false, None, at + 1)),
        lower => scale(lower)
            .filter(|_| lower.ends_with("er"))
            .map(|scale| (scale.is_more, Some(scale), at + 1)),
    }
}

/// The comparison of a claim, if it makes one of two things or two times.
pub(super) fn cue(text: &Text<'_>) -> Option<Cue> {
    // "Three times as many boats as": the second "as" is within reach of the first.
    for first in 0..text.end() {
        let lower = text.lower(first + 1);
        let is_measure = matches!(lower, "many" | "much" | "high")
            || scale(lower).is_some_and(|scale| scale.is_more && !lower.ends_with("er"));
        if text.lower(first) != "as" || !is_measure {
            continue;
        }
        let second = (first + 2..text.end()).take(APART).find(|at| text.lower(*at) == "as")?;
        let figures = text.figures();
        let times = figures.iter().find(|q| q.tokens.end == first);
        let is_half = first.checked_sub(1).is_some_and(|at| text.lower(at) == "half");
        let start = times.map_or(first - usize::from(is_half), |q| q.tokens.start);
        return Some(Cue {
            at: start..first + 2,
            than: second,
            is_more: true,
            is_as: true,
            scale: scale(lower),
        });
    }
    let mut all = (0..text.end()).filter(|at| text.lower(*at) == "than");
    let than = all.next().filter(|_| all.next().is_none())?;
    // "More than 300 boxes" is a figure.
    if text.figures().iter().any(|q| q.tokens.contains(&than)) {
        return None;
    }
    let from = than.saturating_sub(APART);
    let (at, (is_more, scale, end)) =
        (from..than).find_map(|at| Some((at, comparative(text, at)?)))?;
    Some(Cue { at: at..end, than, is_more, is_as: false, scale })
}

/// A side of a comparison.
enum Sides {
    /// What stands before the verb, and a thing of its kind.
    Subjects(Vec<Term>, Vec<Term>),
    /// What stands behind one preposition on both sides: "for an adult than for a child".
    Phrases(Vec<Term>, Vec<Term>),
    /// Two times.
    Times(When, When),
}

/// The end of the phrase behind a preposition.
fn phrase(text: &Text<'_>, at: usize, end: usize) -> Range<usize> {
    let stop = (at + 1..end).find(|n| {
        text.is_preposition(*n)
            || text.is_verb(*n)
            || matches!(text.lower(*n), "," | "than" | "as" | "and")
    });
    at + 1..stop.unwrap_or(end)
}

/// A claim that compares, taken apart.
struct Claim<'a> {
    says: Says<'a>,
    sides: Sides,
    verb: Verb,
    head: Option<Term>,
    common: Vec<Term>,
    rate: Option<Term>,
}

/// The first date of some tokens.
fn date<'a>(text: &Text<'a>, range: &Range<usize>) -> Option<&'a When> {
    text.p.dates.iter().find(|date| range.contains(&date.tokens.start))
}

fn claim<'a>(text: &Text<'a>, cue: &Cue) -> Option<Claim<'a>> {
    let mut end = text.end();
    let trails = |at: usize| {
        let token = text.p.tokens.get(at);
        token.is_some_and(Token::is_mark)
            || matches!(text.lower(at), "do" | "does" | "did" | "is" | "was" | "has" | "had")
    };
    while end > cue.than + 1 && trails(end - 1) {
        end -= 1;
    }
    let other = cue.than + 1..end;
    let figures = text.figures();
    let mut own = figures.iter().copied();
    let figure = own.next();
    if own.next().is_some() || figure.is_some_and(|q| other.contains(&q.at)) {
        return None;
    }
    let is_half = cue.is_as && text.lower(cue.at.start) == "half";
    let says = match figure {
        None if is_half => Says::Half,
        None if cue.is_as => Says::Equal,
        None => Says::Order,
        Some(q) => {
            let is_fold = q.unit.is_some_and(|unit| unit.dimension == Dimension::Fold);
            let is_beside =
                q.tokens.end == cue.at.start || q.head.is_some_and(|head| head + 1 == cue.at.start);
            match (cue.is_as, is_fold) {
                (true, true) if !is_half => Says::Times(q),
                // "Three times more than" may mean four times as much.
                (false, false) if is_beside => Says::By(q),
                _ => return None,
            }
        }
    };
    let start = figure.map_or(cue.at.start, |q| q.tokens.start.min(cue.at.start));
    // "More boxes stand in shed A than ...": the verb comes behind what is counted.
    let ahead = text.verb_in(0..start);
    let behind = || (cue.at.end..cue.than).find(|at| text.is_verb(*at));
    let verb = ahead.or_else(behind)?;
    let subject = if ahead.is_some() { 0..verb } else { 0..0 };
    let noun_end = (cue.at.end..cue.than)
        .find(|at| text.is_preposition(*at) || text.is_verb(*at))
        .unwrap_or(cue.than);
    let noun = (cue.at.end..noun_end).rev().find(|at| text.is_noun(*at));
    let is_difference = matches!(&says, Says::By(_));
    let counted = figure.filter(|_| is_difference).and_then(|q| q.head);
    let head_at = noun.or(counted);
    let head = head_at.and_then(|at| text.term(at));
    let rate = figure.and_then(|q| text.rate(q));
    let mut aside: Vec<usize> = cue.at.clone().chain([cue.than, verb]).collect();
    aside.extend(head_at.into_iter().chain(rate));
    let words = text.terms(other.clone());
    let led = other.start < other.end && text.is_preposition(other.start);
    let lead = text.lower(other.start);
    let is_leading = |at: &usize| text.lower(*at) == lead && text.is_preposition(*at);
    let sides = if let Some(then) = date(text, &other) {
        let now = date(text, &(0..cue.than))?;
        let is_two = text.p.dates.len() == 2 && words.is_empty();
        Sides::Times(is_two.then(|| now.clone())?, then.clone())
    } else if led {
        let own = (0..cue.than).filter(|at| !cue.at.contains(at)).rfind(is_leading)?;
        let own = phrase(text, own, cue.than);
        aside.extend(own.clone());
        Sides::Phrases(text.terms(own), words)
    } else {
        let own = text.terms(subject.clone());
        let mut words = words;
        let last = text.lower(other.end.saturating_sub(1));
        // "The new lathe weighs more than the old one".
        if matches!(last, "one" | "ones") {
            let end = phrase(text, 0, verb).end;
            let noun = (0..end).rev().find(|at| text.is_noun(*at))?;
            words = text.terms_but(other.clone(), &[other.end - 1]);
            words.push(text.term(noun)?);
        }
        // "The rent of flat 1 is higher than that of flat 2".
        if matches!(lead, "that" | "those") {
            let of = (0..verb).find(|at| text.is_preposition(*at))?;
            let mut whose = text.terms(0..of);
            whose.extend(text.terms(other.start + 1..other.end));
            words = whose;
        }
        aside.extend(subject);
        Sides::Subjects(own, words)
    };
    let common = text.terms_but(0..cue.than, &aside);
    Some(Claim {
        says,
        sides,
        verb: text.verb(verb)?,
        head,
        common,
        rate: rate.and_then(|at| text.term(at)),
    })
}

/// Whether a fact is of what the claim measures, the sides aside.
fn measures(claim: &Claim<'_>, cue: &Cue, fact: &Fact) -> bool {
    let Some(verb) = &fact.verb else { return false };
    let is_verb = match &cue.scale {
        None => verb.says(&claim.verb),
        Some(scale) => {
            let is_be = claim.verb.is_one_of(&["be"]);
            verb.says(&claim.verb) || is_be && verb.is_one_of(scale.verbs)
        }
    };
    // Of two times each is told in its own tense.
    let is_time = matches!(&claim.sides, Sides::Times(..)) || verb.is_past == claim.verb.is_past;
    let is_head = match (&claim.head, &fact.head) {
        (Some(own), Some(head)) => own.is(head),
        (None, None) => fact.unit.is_some(),
        _ => false,
    };
    let is_measured = cue.scale.as_ref().is_none_or(|scale| {
        let words = |term: &Term| scale.words.iter().any(|w| term.keys.iter().any(|key| key == w));
        let is_said = verb.is_one_of(scale.verbs) || fact.rest.iter().any(words);
        let is_dimension = match (scale.dimension, fact.unit) {
            (Some(dimension), Some(unit)) => unit.dimension == dimension,
            (None, Some(unit)) => is_of_a_verb(scale, unit),
            _ => false,
        };
        is_said && is_dimension
    });
    is_verb && is_time && is_head && is_measured
}

/// What costs is counted in money, what lasts in time, what is long in metres or hours.
fn is_of_a_verb(scale: &Scale, unit: Unit) -> bool {
    let is_money = matches!(unit.dimension, Dimension::Money(_));
    if scale.verbs.contains(&"cost") {
        is_money
    } else {
        matches!(unit.dimension, Dimension::Time | Dimension::Length)
    }
}

/// Whether what stands behind the verb of a fact is what the claim has there.
fn rest_is(claim: &Claim<'_>, cue: &Cue, fact: &Fact) -> bool {
    let is_scale = |term: &Term| {
        cue.scale.as_ref().is_some_and(|scale| {
            scale.words.iter().any(|word| term.keys.iter().any(|key| key == word))
        })
    };
    let rest: Vec<Term> = fact.rest.iter().filter(|term| !is_scale(term)).cloned().collect();
    same(&rest, &claim.common)
}

/// The one fact that a side names.
fn only<'f>(facts: &'f [Fact], is_it: &dyn Fn(&Fact) -> bool) -> Option<&'f Fact> {
    let mut found = facts.iter().filter(|fact| is_it(fact));
    let first = found.next()?;
    found.all(|other| other.repeats(first)).then_some(first)
}

fn sides<'f>(claim: &Claim<'_>, cue: &Cue, facts: &'f [Fact]) -> Option<(&'f Fact, &'f Fact)> {
    let fits = |fact: &Fact| measures(claim, cue, fact);
    match &claim.sides {
        Sides::Subjects(own, other) => {
            let of = |side: &[Term]| {
                only(facts, &|fact: &Fact| {
                    fits(fact) && fact.is_about(side) && rest_is(claim, cue, fact)
                })
            };
            Some((of(own)?, of(other)?))
        }
        Sides::Phrases(own, other) => {
            // What stands before the verb may be what is common, and what is behind it the side.
            let of = |side: &[Term]| {
                let mut wanted = claim.common.clone();
                wanted.extend(side.iter().cloned());
                only(facts, &|fact: &Fact| {
                    let is_known = |term: &Term| has(&wanted, term);
                    fits(fact)
                        && fact.has_all(&wanted)
                        && fact.subject.iter().chain(&fact.rest).all(is_known)
                })
            };
            Some((of(own)?, of(other)?))
        }
        Sides::Times(own, other) => {
            let of = |time: &When| {
                only(facts, &|fact: &Fact| {
                    let is_known = |term: &Term| has(&claim.common, term);
                    fits(fact)
                        && fact.is_within(std::slice::from_ref(time))
                        && fact.dates.len() == 1
                        && fact.has_all(&claim.common)
                        && fact.subject.iter().chain(&fact.rest).all(is_known)
                })
            };
            Some((of(own)?, of(other)?))
        }
    }
}

/// How two values stand to each other, in words.
pub(super) fn order(one: f64, other: f64) -> String {
    let (a, b) = (number(one), number(other));
    match one.total_cmp(&other) {
        std::cmp::Ordering::Greater => format!("{a} is more than {b}"),
        std::cmp::Ordering::Less => format!("{a} is less than {b}"),
        std::cmp::Ordering::Equal => format!("{a} on both sides"),
    }
}

/// Whether one value differs from another as a claim says, and the computation.
pub(super) fn differs(
    q: &Quantity,
    is_more: bool,
    (one, other): (f64, f64),
    (unit, grain): (Option<Unit>, f64),
) -> Option<(bool, String)> {
    let is_share = q.unit.is_some_and(|own| own.dimension == Dimension::Share);
    let of_shares = unit.is_some_and(|unit| unit.dimension == Dimension::Share);
    let is_alike = match (q.unit, unit) {
        (None, None) => true,
        (Some(a), Some(b)) => a.same(b) && !of_shares,
        _ => false,
    };
    let is_part = is_share && !of_shares;
    let (large, small) = if is_more { (one, other) } else { (other, one) };
    if !is_alike && !is_part {
        return None;
    }
    if large <= small {
        return Some((false, order(one, other)));
    }
    let rest = large - small;
    let (large, small) = (number(large), number(small));
    if is_part {
        if other <= 0.0 {
            return None;
        }
        let points = 100.0 * rest / other;
        let sum = format!(
            "({large} \u{2212} {small}) / {} = {} %",
            number(other),
            number((10.0 * points).round() / 10.0)
        );
        return Some((agrees_in_points(q, points)?, sum));
    }
    let sum = format!("{large} \u{2212} {small} = {}", number(rest));
    Some((agrees(q, rest, grain)?, sum))
}

/// A claim that compares two figures of the evidence, rightly or wrongly.
pub(super) fn compared(text: &Text<'_>, cue: &Cue, facts: &[Fact]) -> Option<Reckoned> {
    let claim = claim(text, cue)?;
    let (one, other) = sides(&claim, cue, facts)?;
    let is_one_figure = one.sentence == other.sentence && one.token == other.token;
    let is_rate = claim.rate.is_none() || is_same(claim.rate.as_ref(), one.rate.as_ref());
    let is_timed = matches!(&claim.sides, Sides::Times(..));
    let is_one_time = is_timed || one.is_of_the_time_of(other) && one.is_within(&text.p.dates);
    if is_one_figure || !is_rate || !is_one_time || !one.is_like(other) {
        return None;
    }
    let (a, b) = (one.value, other.value);
    let (holds, sum, tokens) = match &claim.says {
        Says::Order => {
            (if cue.is_more { a > b } else { a < b }, order(a, b), cue.at.start..cue.than + 1)
        }
        Says::Equal => (a.total_cmp(&b).is_eq(), order(a, b), cue.at.start..cue.than + 1),
        Says::By(q) => {
            let grain = one.grain + other.grain;
            let (holds, sum) = differs(q, cue.is_more, (a, b), (one.unit, grain))?;
            (holds, sum, q.tokens.clone())
        }
        Says::Times(_) | Says::Half if b <= 0.0 => return None,
        Says::Times(q) => {
            let sum = format!("{} / {} = {}", number(a), number(b), number(a / b));
            (agrees_about(q, a / b)?, sum, q.tokens.clone())
        }
        Says::Half => {
            let sum = format!("{} / {} = {}", number(a), number(b), number(a / b));
            let off = (a / b - 0.5).abs();
            // Between the two it is a matter of rounding.
            if off > 0.005 && off < 0.05 {
                return None;
            }
            (off <= 0.005, sum, cue.at.clone())
        }
    };
    Some(Reckoned {
        holds,
        sum,
        sentences: vec![one.sentence, other.sentence],
        tokens,
        kind: MismatchKind::Comparative,
    })
}
