//! What a passage tells of the figures of a claim: which it states, what became of them, of what time it speaks.
//!
//! The checks beside this one hold a claim to one passage. What is read here goes along with the judgement, so that it can be
//! ordered beside other passages: "the rent rises from £1,250 to £1,400" does away with a "rent of £1,250" elsewhere.
//! A change is taken for told only where the words leave no doubt: one that is proposed, denied or only possible is none.

use super::amounts;
use super::change::{self, Change};
use super::lexicon;
use super::outcome::fate;
use super::prepare::{Kind, Prepared};
use super::quantity::Quantity;
use super::units::{Dimension, unit};
use super::when::When;
use crate::verify::tokens::Token;
use elenchus_core::evidence::PartialDate;
use elenchus_core::port::{
    About, Dated, EvidenceSpan, Figure, FiguresTold, Label, Mismatch, MismatchKind, Stated,
    ToldChange,
};
use elenchus_core::text::{is_stop_word, squeeze};
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

#[cfg(test)]
mod tests;

/// Stems of words that tell no matter apart: spans of time, and what marks a change.
const EMPTY: [&str; 30] = [
    "month", "year", "week", "day", "hour", "annum", "quarter", "annual", "current", "present",
    "today", "previous", "former", "origin", "earlier", "longer", "ago", "percent", "thousand",
    "million", "billion", "replac", "instead", "against", "compar", "oppos", "place", "last",
    "prior", "effect",
];

/// Years that are times of what is told, and not what it is about.
const YEARS: RangeInclusive<i32> = 1900..=2099;

/// The most years that one time spans: a decade places nothing.
const LONGEST: i32 = 8;

/// What the sentences of a passage tell of the figures of a claim. `context` are the words that they stand under, `mismatches`
/// what the checks found against the claim in them.
pub(crate) fn told(
    claim: &Prepared,
    evidence: &[(EvidenceSpan, &Prepared)],
    context: &[&Prepared],
    mismatches: &[Mismatch],
) -> FiguresTold {
    let dated = |(place, p): &(EvidenceSpan, &Prepared)| {
        Some(Dated { place: *place, date: latest(p, p.tokens.len())? })
    };
    let under = context.iter().filter_map(|p| latest(p, p.tokens.len()));
    let mut found = FiguresTold {
        times: evidence.iter().filter_map(dated).collect(),
        under: under.max_by_key(|date| date.order_key()),
        ..FiguresTold::default()
    };
    let asked = asked(claim);
    if asked.is_empty() {
        return found;
    }
    let mut above = Words::default();
    for p in context {
        above.extend(Words::of_title(p));
    }
    let reader = Reader {
        claim: Words::of(claim, 0..claim.tokens.len()),
        context: above,
        evidence: evidence.iter().map(|(_, p)| *p).collect(),
    };
    found.changes = reader.changes();
    found.against = against(mismatches).iter().map(|own| found.latest(own).clone()).collect();
    let mut wanted = asked.clone();
    for figure in &found.against {
        if !wanted.iter().any(|own| own.is(figure)) {
            wanted.push(figure.clone());
        }
    }
    found.stated = wanted.into_iter().filter_map(|figure| reader.stated(figure)).collect();
    found.of_now = change::is_of_now(claim);
    found.untimed = change::is_untimed(claim);
    found.asked = asked;
    found
}

/// An end of a quantity, in the base unit of what it measures.
fn figure(q: &Quantity, value: f64) -> Figure {
    // "Pounds" may be money or weight: as good as no unit.
    match q.unit.filter(|unit| !unit.is_pounds()) {
        Some(unit) => Figure { value: value * unit.factor, unit: Some(unit.base().to_owned()) },
        None => Figure { value, unit: None },
    }
}

/// The figures of a claim that count or measure.
fn asked(claim: &Prepared) -> Vec<Figure> {
    let named: Vec<usize> = change::labels(claim).map(|(at, ..)| at).collect();
    let is_hour = |q: &Quantity| {
        let after = claim.tokens.get(q.tokens.end).map_or("", |token| token.lower.as_str());
        matches!(after, "am" | "pm" | "a.m" | "p.m" | "o'clock" | "o\u{2019}clock")
    };
    let mut found: Vec<Figure> = Vec::new();
    for q in change::figures(claim).filter(|q| !named.contains(&q.at) && !is_hour(q)) {
        for end in [figure(q, q.low), figure(q, q.high)] {
            if !found.contains(&end) {
                found.push(end);
            }
        }
    }
    found
}

/// The figures by which a passage speaks against a claim; none when it does so by anything else as well.
fn against(mismatches: &[Mismatch]) -> Vec<Figure> {
    let mut found = Vec::new();
    for mismatch in mismatches.iter().filter(|mismatch| mismatch.contradicts) {
        let words = mismatch.evidence_text.as_deref().unwrap_or_default();
        let read = (mismatch.kind == MismatchKind::Number).then(|| Prepared::new(words));
        // Of "5 to 7" it is the later one.
        let Some(last) = read.as_ref().and_then(|p| p.quantities.last()) else {
            return Vec::new();
        };
        found.push(figure(last, last.high));
    }
    found
}

fn has(p: &Prepared, wanted: &Figure) -> bool {
    p.quantities.iter().any(|q| figure(q, q.low).is(wanted) || figure(q, q.high).is(wanted))
}

/// The time of a date, as far as it orders what is told: with a year of our days.
fn time(when: &When) -> Option<PartialDate> {
    let (first, year) = when.years?;
    if !YEARS.contains(&year) || year - first > LONGEST {
        return None;
    }
    let Some((from, to)) = when.days else { return Some(PartialDate::year(year)) };
    let (month, last) = ((from / 32) as u8, (to / 32) as u8);
    Some(if from == to {
        PartialDate::day(year, month, (from % 32) as u8)
    } else if last == month + 2 {
        PartialDate::quarter(year, month.div_ceil(3))
    } else {
        PartialDate::month(year, last)
    })
}

/// The latest time that a sentence names before a token.
fn latest(p: &Prepared, end: usize) -> Option<PartialDate> {
    let named = p.dates.iter().filter(|date| date.tokens.start < end);
    named.filter_map(time).max_by_key(|date| date.order_key())
}

/// The words of a text that tell what it speaks of, as stems.
#[derive(Clone, Default)]
struct Words {
    all: BTreeSet<String>,
    /// Those of them that are names by their capital.
    names: BTreeSet<String>,
    /// Numbers that name.
    labels: BTreeSet<Label>,
}

impl Words {
    /// The words of some tokens of a sentence.
    fn of(p: &Prepared, range: Range<usize>) -> Self {
        let mut found = Self::default();
        for at in range.clone() {
            let token = &p.tokens[at];
            if matches!(p.items[at].kind, Kind::Date | Kind::Number) || says_nothing(token) {
                continue;
            }
            if at > 0 && token.is_capital() {
                found.names.insert(token.stem.clone());
            }
            found.all.insert(token.stem.clone());
        }
        let labels = change::labels(p).filter(|(at, ..)| range.contains(at));
        found.labels = labels
            .map(|(_, noun, number)| Label { noun: noun.to_owned(), number: number.to_string() })
            .collect();
        found
    }

    /// The words of a title or heading, in which every number may be a label.
    fn of_title(p: &Prepared) -> Self {
        let mut found = Self::of(p, 0..p.tokens.len());
        let numbers =
            p.quantities.iter().map(|q| Label { noun: String::new(), number: q.low.to_string() });
        found.labels.extend(numbers);
        found
    }

    fn extend(&mut self, other: Self) {
        self.all.extend(other.all);
        self.names.extend(other.names);
        self.labels.extend(other.labels);
    }
}

/// Whether a token tells nothing of what its sentence is about.
fn says_nothing(token: &Token) -> bool {
    let is_word = token.lower.starts_with(char::is_alphabetic) && token.lower.chars().count() > 1;
    let is_money = unit(&token.lower, false)
        .is_some_and(|unit| matches!(unit.dimension, Dimension::Money(_)) || unit.is_pounds());
    !is_word
        || is_money
        || is_stop_word(&token.lower)
        || EMPTY.contains(&token.stem.as_str())
        || lexicon::changes(&token.lower, &token.stem)
}

/// What stands before a token and after the last "that": the subject, and not who says it.
fn subject(p: &Prepared, end: usize) -> BTreeSet<String> {
    let that = (0..end).rev().find(|at| p.tokens[*at].lower == "that");
    Words::of(p, that.map_or(0, |at| at + 1)..end).all
}

/// Whether what a sentence speaks of is named in the one before it.
fn points_back(p: &Prepared) -> bool {
    let first = p.tokens.first().map_or("", |token| token.lower.as_str());
    matches!(first, "it" | "this" | "that" | "they" | "these" | "those" | "both")
}

/// Whether a sentence leaves open, or denies, what it speaks of.
pub(super) fn is_unsure(p: &Prepared) -> bool {
    let opens = |token: &Token| match token.lower.as_str() {
        "not" | "n't" | "n\u{2019}t" | "never" | "cannot" | "if" | "unless" | "whether"
        | "would" | "could" | "might" | "should" => true,
        // The month has a capital.
        "may" => token.text == "may",
        _ => matches!(
            token.stem.as_str(),
            "reject" | "refus" | "defeat" | "withdraw" | "withdrawn" | "deni" | "fals" | "rumour"
        ),
    };
    let proposes = |token: &Token| {
        matches!(
            token.stem.as_str(),
            "propos"
                | "motion"
                | "consid"
                | "suggest"
                | "recommend"
                | "request"
                | "plan"
                | "expect"
                | "intend"
                | "forecast"
                | "hope"
        )
    };
    let agrees = |token: &Token| token.lower == "resolved" || fate(&token.lower) == Some(true);
    p.tokens.iter().any(opens) || p.tokens.iter().any(proposes) && !p.tokens.iter().any(agrees)
}

/// A passage beside a claim.
struct Reader<'a> {
    claim: Words,
    /// What the passage stands under.
    context: Words,
    /// Its sentences, in order.
    evidence: Vec<&'a Prepared>,
}

impl Reader<'_> {
    /// The changes that the passage tells.
    fn changes(&self) -> Vec<ToldChange> {
        let mut found: Vec<ToldChange> = Vec::new();
        for (at, p) in self.evidence.iter().enumerate() {
            if p.quantities.is_empty() || is_unsure(p) {
                continue;
            }
            let changes = change::changes(p).into_iter().chain(change::earlier_figures(p));
            for told in changes.map(|change| self.change(at, &change)) {
                let stays = told.after.as_ref().is_some_and(|after| after.is(&told.before));
                let is_known =
                    |known: &ToldChange| known.before.is(&told.before) && known.after == told.after;
                if !stays && !found.iter().any(is_known) {
                    found.push(told);
                }
            }
        }
        found
    }

    /// A change that one of its sentences tells.
    fn change(&self, at: usize, change: &Change) -> ToldChange {
        let p = self.evidence[at];
        let Change { before, after, tokens } = change;
        let is_forward =
            after.as_ref().is_none_or(|after| before.tokens.start <= after.tokens.start);
        let lead = tokens.start.checked_sub(1);
        let lead = lead.filter(|at| matches!(p.tokens[*at].lower.as_str(), "from" | "to" | "of"));
        let words = Words::of(p, 0..p.tokens.len());
        let mut context = self.context.clone();
        // "It rises to £1,400": what rises stands in the sentence before.
        if let Some(last) = at.checked_sub(1).filter(|_| points_back(p)) {
            let last = self.evidence[last];
            context.extend(Words::of(last, 0..last.tokens.len()));
        }
        ToldChange {
            before: figure(before, before.low),
            after: after.as_ref().map(|after| figure(after, after.low)),
            // A date behind the earlier figure is the time of that one: "up from 190 in 2023".
            when: latest(p, if is_forward { p.tokens.len() } else { before.tokens.start }),
            words: squeeze(&amounts::slice(p, &(lead.unwrap_or(tokens.start)..tokens.end))),
            about: About {
                subject: &subject(p, tokens.start) - &self.claim.all,
                words: &words.all | &context.all,
                labels: words.labels,
                under: context.labels,
            },
        }
    }

    /// The sentence that states a figure: of several the one that has most in common with the claim.
    fn stated(&self, figure: Figure) -> Option<Stated> {
        let having = self.evidence.iter().filter(|p| has(p, &figure));
        let read = having.map(|p| (*p, Words::of(p, 0..p.tokens.len())));
        let (p, words) =
            read.max_by_key(|(_, words)| words.all.intersection(&self.claim.all).count())?;
        let first = p.quantities.first().map_or(p.tokens.len(), |q| q.tokens.start);
        Some(Stated {
            figure,
            when: latest(p, p.tokens.len()),
            shared: &words.all & &self.claim.all,
            names: &words.names - &self.claim.all,
            about: About {
                subject: &subject(p, first) - &self.claim.all,
                words: &words.all | &self.context.all,
                labels: &words.labels | &self.claim.labels,
                under: self.context.labels.clone(),
            },
        })
    }
}
