//! Numbers, units and dates of the claim against those of the evidence.

use super::ground::View;
use super::matter;
use super::polarity;
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use super::units::Dimension;
use super::when::{Stand, When, stand};
use super::{GroundedBy, Grounding};
use crate::verify::tokens::Pos;
use elenchus_core::evidence::WEEKDAYS;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// Counts up to this in words are often left to the reader ("a man and a woman" are two people).
const SAID_BY_LISTING: f64 = 3.0;

/// A clause with this many more of the claim's other words than the one with the number has the better claim to it.
const BETTER_CLAUSE: u16 = 2;

/// How a number of the evidence stands to one of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Nothing to do with each other.
    Unrelated,
    /// The same slot, another value.
    OtherValue,
    /// The same figure with another unit.
    OtherUnit,
    /// The same number, of something else or far from the claim's words.
    Loose,
    /// Borne out.
    Holds,
}

struct Seen {
    standing: Standing,
    sentence: usize,
    index: usize,
    near: u16,
}

/// Checks all numbers of the claim.
pub(super) fn numbers(view: &View<'_>, report: &mut Report<'_>) -> Vec<Grounding> {
    let mut grounding = Vec::new();
    for q in &view.claim.quantities {
        // "one" is an article more often than a count.
        let article = !q.figure && q.unit.is_none() && q.low <= 1.0;
        if article {
            continue;
        }
        report.checked(MismatchKind::Number);
        if let Some((sentence, index)) = product(view, q) {
            let token = view.evidence[sentence].quantities[index].at;
            let evidence = Some((view.given[sentence], token));
            let by = GroundedBy::Number;
            grounding.push(Grounding { token: q.at, score: 0.5, by, evidence });
            report.matched(MismatchKind::Number);
            continue;
        }
        // The count that a price is taken so many times for.
        let is_factor = |sum: &Quantity| {
            product(view, sum).is_some() && counts(view, sum).any(|(count, _)| count.at == q.at)
        };
        if view.claim.quantities.iter().any(is_factor) {
            grounding.push(Grounding {
                token: q.at,
                score: 0.5,
                by: GroundedBy::Number,
                evidence: None,
            });
            report.matched(MismatchKind::Number);
            continue;
        }
        let seen = look(view, q);
        let best = seen.iter().max_by(|a, b| {
            (a.standing, a.near)
                .cmp(&(b.standing, b.near))
                .then((b.sentence, b.index).cmp(&(a.sentence, a.index)))
        });
        let place = |s: &Seen| (s.sentence, view.evidence[s.sentence].quantities[s.index].at);
        let (score, by) = match best.map_or(Standing::Unrelated, |s| s.standing) {
            Standing::Holds => (1.0, GroundedBy::Number),
            Standing::Loose => (0.5, GroundedBy::Number),
            Standing::OtherUnit | Standing::OtherValue => (0.0, GroundedBy::Opposite),
            Standing::Unrelated => (0.0, GroundedBy::None),
        };
        let evidence = best.filter(|s| s.standing > Standing::Unrelated).map(|s| {
            let (sentence, token) = place(s);
            (view.given[sentence], token)
        });
        grounding.push(Grounding { token: q.at, score, by, evidence });
        judge(view, q, best, &seen, report);
    }
    grounding
}

fn judge(
    view: &View<'_>,
    q: &Quantity,
    best: Option<&Seen>,
    seen: &[Seen],
    report: &mut Report<'_>,
) {
    let text = |s: &Seen| {
        let p = view.evidence[s.sentence];
        slice(p, &p.quantities[s.index].tokens)
    };
    let own = slice(view.claim, &q.tokens);
    let Some(best) = best.filter(|s| s.standing > Standing::Unrelated) else {
        if spelled_out(view, q) {
            report.matched(MismatchKind::Number);
        } else if !q.ordinal
            && !is_label(view, q)
            && (q.figure || q.low > SAID_BY_LISTING || q.unit.is_some())
        {
            let reason = format!("the claim says {own}, the evidence does not");
            report.add(MismatchKind::Number, q.tokens.clone(), None, false, reason);
        }
        return;
    };
    match best.standing {
        Standing::Holds => {
            // Another clause with more of the claim's words has another number of that kind.
            let rival = seen.iter().find(|s| {
                s.standing == Standing::OtherValue
                    && view.is_home(s.sentence)
                    && s.near + 1 >= best.near + BETTER_CLAUSE
                    && view.is_home(best.sentence)
            });
            let unit =
                seen.iter().find(|s| s.standing == Standing::OtherUnit && s.near > best.near);
            if let Some(unit) = unit {
                let other = text(unit);
                let reason =
                    format!("the claim says {own}, the evidence says {other} there: another unit");
                report.add(MismatchKind::Unit, q.tokens.clone(), Some(other), true, reason);
                return;
            }
            match rival {
                Some(rival) => {
                    let other = text(rival);
                    let reason = format!("the claim says {own}, the evidence says {other} there");
                    report.add(MismatchKind::Number, q.tokens.clone(), Some(other), true, reason);
                }
                None => report.matched(MismatchKind::Number),
            }
        }
        Standing::Loose => {
            let rival = seen
                .iter()
                .filter(|s| s.standing == Standing::OtherValue && view.is_home(s.sentence))
                .max_by_key(|s| s.near);
            if let Some(rival) = rival.filter(|r| r.near > best.near || q.head.is_some()) {
                let other = text(rival);
                let reason = format!("the claim says {own}, the evidence says {other} there");
                report.add(MismatchKind::Number, q.tokens.clone(), Some(other), true, reason);
            } else {
                report.matched(MismatchKind::Number);
            }
        }
        Standing::OtherUnit => {
            let other = text(best);
            let reason = format!("the claim says {own}, the evidence {other}: another unit");
            report.add(MismatchKind::Unit, q.tokens.clone(), Some(other), true, reason);
        }
        _ if polarity::is_denied_too(view, q, (best.sentence, best.index)) => {
            report.matched(MismatchKind::Number);
            report.opposes_nothing();
        }
        _ => {
            let other = text(best);
            let reason = format!("the claim says {own}, the evidence {other}");
            // Another price denies no sum of prices.
            let is_sum = is_sum(view, q, best.sentence);
            report.add(MismatchKind::Number, q.tokens.clone(), Some(other), !is_sum, reason);
        }
    }
}

/// The counts of things in a claim beside a sum of money.
fn counts<'a>(view: &'a View<'_>, q: &Quantity) -> impl Iterator<Item = (&'a Quantity, usize)> {
    let is_money = q.unit.is_some_and(|unit| matches!(unit.dimension, Dimension::Money(_)));
    view.claim.quantities.iter().filter(move |_| is_money).filter_map(|c| {
        let is_count = c.unit.is_none() && !c.ordinal && c.low >= 2.0 && c.high <= c.low;
        c.head.filter(|_| is_count).map(|head| (c, head))
    })
}

/// The price of the evidence for one of what a claim counts, where the claim's sum is that price so many times: "£95 per night"
/// for "three nights come to £285".
pub(super) fn product(view: &View<'_>, q: &Quantity) -> Option<(usize, usize)> {
    let is_each = |sentence: usize, token: usize| {
        let before = token.checked_sub(1).and_then(|at| view.evidence[sentence].tokens.get(at));
        before.is_some_and(|t| matches!(t.lower.as_str(), "per" | "a" | "an" | "each" | "every"))
    };
    counts(view, q).find_map(|(count, head)| {
        let mut hits = view.hits[head].iter().filter(|hit| !hit.opposite);
        hits.find_map(|hit| {
            if !is_each(hit.sentence, hit.token) {
                return None;
            }
            let prices = &view.evidence[hit.sentence].quantities;
            let found = prices.iter().position(|price| {
                let is_alike = q.unit.zip(price.unit).is_some_and(|(a, b)| a.same(b));
                let is_exact = price.low >= price.high && q.low >= q.high;
                is_alike && is_exact && (price.low * count.low - q.low).abs() < 0.005
            });
            found.map(|index| (hit.sentence, index))
        })
    })
}

/// Whether the claim adds prices up ("three nights come to £285") and a sentence does not speak of that count.
fn is_sum(view: &View<'_>, q: &Quantity, sentence: usize) -> bool {
    let tokens = &view.claim.tokens;
    let adds_up = tokens.iter().enumerate().any(|(at, token)| {
        let next = tokens.get(at + 1).map_or("", |next| next.lower.as_str());
        match token.lower.as_str() {
            "total" | "totals" | "totalled" | "totaled" | "altogether" => true,
            "come" | "comes" | "came" | "add" | "adds" | "amount" | "amounts" | "amounted" => {
                matches!(next, "to" | "up")
            }
            _ => false,
        }
    });
    let is_counted = |count: &Quantity| {
        view.evidence[sentence]
            .quantities
            .iter()
            .any(|other| other.unit.is_none() && (other.low - count.low).abs() < 1e-9)
    };
    adds_up && counts(view, q).any(|(count, _)| !is_counted(count))
}

/// "Type 1", "reference 16": a number that names rather than counts.
fn is_label(view: &View<'_>, q: &Quantity) -> bool {
    let before = q.at.checked_sub(1).and_then(|i| view.claim.tokens.get(i));
    let named = before.is_some_and(|t| {
        t.is_capital() && matches!(t.pos, Pos::Noun | Pos::ProperNoun)
            || matches!(t.text.as_str(), "/" | "+" | "#")
    });
    named && q.unit.is_none() && q.head.is_none() && q.low < 100.0
}

fn look(view: &View<'_>, q: &Quantity) -> Vec<Seen> {
    let mut out = Vec::new();
    for (sentence, p) in view.evidence.iter().enumerate() {
        for (index, e) in p.quantities.iter().enumerate() {
            let standing = standing(view, q, sentence, e);
            if standing > Standing::Unrelated {
                out.push(Seen { standing, sentence, index, near: view.near(sentence, e.at) });
            }
        }
        if out.len() > 256 {
            break;
        }
    }
    out
}

fn standing(view: &View<'_>, q: &Quantity, sentence: usize, e: &Quantity) -> Standing {
    if q.ordinal != e.ordinal {
        return Standing::Unrelated;
    }
    let home = view.is_home(sentence) && view.overlap[sentence] > 0.0;
    let raw_same = (raw(q) - raw(e)).abs() < 1e-9 * raw(q).abs().max(1e-9);
    match (q.unit, e.unit) {
        (Some(a), Some(b)) if a.comparable(b) => {
            if fits(q, e) == Fit::Holds {
                Standing::Holds
            } else if raw_same && !a.same(b) {
                Standing::OtherUnit
            } else if home {
                Standing::OtherValue
            } else {
                Standing::Unrelated
            }
        }
        (Some(a), Some(b)) => {
            let fold =
                matches!(a.dimension, Dimension::Fold) || matches!(b.dimension, Dimension::Fold);
            if raw_same && home && !fold { Standing::OtherUnit } else { Standing::Unrelated }
        }
        // A unit on one side only: tables and ellipses leave it out; another noun in its place is another unit.
        (Some(_), None) => match (raw_same, e.head) {
            (true, Some(head)) if home && !names_unit(view, q, sentence, head) => {
                Standing::OtherUnit
            }
            (true, _) => Standing::Loose,
            (false, _) => Standing::Unrelated,
        },
        (None, Some(_)) => match (raw_same, q.head) {
            (true, Some(_)) if home && view.hits_of_head(q).is_empty() => Standing::OtherUnit,
            (true, _) => Standing::Loose,
            (false, _) => Standing::Unrelated,
        },
        (None, None) => {
            let heads = match (q.head, e.head) {
                (Some(a), Some(b)) => Some(view.aligned(a, sentence, b)),
                _ => None,
            };
            let fit = fits(q, e) == Fit::Holds;
            match (fit, heads) {
                (true, Some(true)) => Standing::Holds,
                (true, None) if home || q.figure => Standing::Holds,
                (true, Some(false)) if q.figure && home && q.low > 12.0 => Standing::Holds,
                (true, _) => Standing::Loose,
                (false, Some(true)) if home => Standing::OtherValue,
                _ => Standing::Unrelated,
            }
        }
    }
}

fn raw(q: &Quantity) -> f64 {
    q.low
}

/// Whether the noun counted in the evidence is the claim's unit in other words ("years" for "-year").
fn names_unit(view: &View<'_>, q: &Quantity, sentence: usize, head: usize) -> bool {
    let p = view.evidence[sentence];
    super::units::unit(&p.tokens[head].lower, true)
        .zip(q.unit)
        .is_some_and(|(a, b)| a.comparable(b))
}

/// Whether the claim's number stands in the evidence as a word that the grammar of numbers did not read.
fn spelled_out(view: &View<'_>, q: &Quantity) -> bool {
    let form = view.claim.items[q.at].form;
    view.evidence.iter().any(|p| p.items.iter().any(|item| item.form == form))
        || (q.unit.is_none()
            && view.evidence.iter().any(|p| {
                p.dates
                    .iter()
                    .any(|d| d.years.is_some_and(|(a, _)| (f64::from(a) - q.low).abs() < 0.5))
            }))
}

pub(super) fn slice(p: &super::Prepared, tokens: &Range<usize>) -> String {
    let (Some(first), Some(last)) =
        (p.tokens.get(tokens.start), tokens.end.checked_sub(1).and_then(|i| p.tokens.get(i)))
    else {
        return String::new();
    };
    p.text.get(first.bytes.start..last.bytes.end).unwrap_or_default().to_owned()
}

/// Checks all dates of the claim.
pub(super) fn dates(view: &View<'_>, report: &mut Report<'_>) -> Vec<Grounding> {
    let mut grounding = Vec::new();
    for date in &view.claim.dates {
        report.checked(MismatchKind::Date);
        let mut best: Option<(Stand, u16, usize, usize)> = None;
        let mut rival: Option<(u16, usize, usize)> = None;
        for (sentence, p) in view.evidence.iter().enumerate() {
            for (index, other) in p.dates.iter().enumerate() {
                let near = view.near(sentence, other.tokens.start);
                let stand = stand(date, other);
                if best.is_none_or(|(s, n, _, _)| (s, n) < (stand, near)) {
                    best = Some((stand, near, sentence, index));
                }
                if stand == Stand::Apart
                    && view.is_home(sentence)
                    && rival.is_none_or(|(n, _, _)| n < near)
                {
                    rival = Some((near, sentence, index));
                }
            }
        }
        let own = slice(view.claim, &date.tokens);
        let text = |sentence: usize, index: usize| {
            let p = view.evidence[sentence];
            slice(p, &p.dates[index].tokens)
        };
        let token = date.tokens.end.saturating_sub(1).max(date.tokens.start);
        let at = |sentence: usize, index: usize| {
            Some((view.given[sentence], view.evidence[sentence].dates[index].tokens.start))
        };
        let mut put = |score: f64, by: GroundedBy, evidence: Option<(usize, usize)>| {
            grounding.push(Grounding { token, score, by, evidence });
        };
        match best {
            Some((Stand::Within, near, sentence, index)) => {
                let beaten =
                    rival.filter(|(n, s, _)| *n + 1 >= near + BETTER_CLAUSE && *s == sentence);
                if let Some((_, s, i)) = beaten {
                    put(0.3, GroundedBy::Opposite, at(s, i));
                    let reason =
                        format!("the claim says {own}, the evidence says {} there", text(s, i));
                    report.add(
                        MismatchKind::Date,
                        date.tokens.clone(),
                        Some(text(s, i)),
                        true,
                        reason,
                    );
                } else {
                    put(1.0, GroundedBy::Date, at(sentence, index));
                    report.matched(MismatchKind::Date);
                }
            }
            _ if plain_number(view, date) || pieces(view, date) => {
                put(0.9, GroundedBy::Date, None);
                report.matched(MismatchKind::Date);
            }
            Some((Stand::Finer, _, sentence, index)) => {
                put(0.5, GroundedBy::Date, at(sentence, index));
                let other = text(sentence, index);
                let reason = format!("the claim says {own}, the evidence only {other}");
                report.add(MismatchKind::Date, date.tokens.clone(), Some(other), false, reason);
            }
            Some((Stand::Apart, _, sentence, index)) if view.is_home(sentence) => {
                put(0.0, GroundedBy::Opposite, at(sentence, index));
                let other = text(sentence, index);
                let reason = format!("the claim says {own}, the evidence {other}");
                // What may happen on one day denies nothing of another: "either party may end it in 2028".
                let hedged = |p: &super::Prepared, at: usize| p.items[at].hedged;
                let told = view.evidence[sentence];
                let is_open = hedged(told, told.dates[index].tokens.start)
                    && !hedged(view.claim, date.tokens.start)
                    || matter::is_of_another(view, sentence, told.dates[index].tokens.start)
                    || matter::is_of_another_deed(
                        view,
                        date.tokens.start,
                        sentence,
                        told.dates[index].tokens.start,
                    );
                report.add(MismatchKind::Date, date.tokens.clone(), Some(other), !is_open, reason);
            }
            // "Last month": which that was stands elsewhere.
            _ if view
                .homes
                .iter()
                .any(|s| view.evidence[*s].tokens.iter().any(|t| is_relative(&t.lower))) =>
            {
                put(0.2, GroundedBy::None, None);
            }
            _ => {
                put(0.0, GroundedBy::None, None);
                let reason = format!("the claim says {own}, the evidence gives no such date");
                report.add(MismatchKind::Date, date.tokens.clone(), None, false, reason);
            }
        }
    }
    grounding
}

/// Whether the claim's only year stands in the evidence as a plain number.
fn plain_number(view: &View<'_>, date: &When) -> bool {
    let Some((from, to)) = date.years.filter(|_| date.days.is_none()) else { return false };
    view.evidence.iter().any(|p| {
        p.quantities
            .iter()
            .any(|q| q.unit.is_none() && f64::from(from) <= q.low && q.high <= f64::from(to))
    })
}

/// Whether the year and the day of a date stand apart from each other in one sentence.
fn pieces(view: &View<'_>, date: &When) -> bool {
    let (Some(_), Some(_)) = (date.years, date.days) else { return false };
    let year = When { days: None, ..date.clone() };
    let day = When { years: None, ..date.clone() };
    let holds = |part: &When| {
        view.evidence.iter().any(|p| p.dates.iter().any(|d| stand(part, d) == Stand::Within))
    };
    let no_other_year = view.homes.iter().all(|s| {
        view.evidence[*s]
            .dates
            .iter()
            .all(|d| d.days.is_none() || d.years.is_none() || stand(date, d) == Stand::Within)
    });
    holds(&year) && holds(&day) && no_other_year
}

/// Words for a time that depends on when they are said.
fn is_relative(lower: &str) -> bool {
    WEEKDAYS.contains(&lower)
        || matches!(
            lower,
            "today"
                | "yesterday"
                | "tomorrow"
                | "ago"
                | "last"
                | "next"
                | "now"
                | "recently"
                | "upcoming"
                | "tonight"
        )
}
