//! Statements whose figure is computed from figures of the evidence: sums, comparisons, changes, and counts of what is listed.
//!
//! "Together the two sheds hold 340 boxes" stands in no sentence of a source that tells what each of them holds, and follows
//! from it. What is computed has to be certain: figures of the very things that the claim names, all of one kind, of one time,
//! each stated once and plainly. Where anything is open nothing is said.

mod compare;
mod facts;
mod growth;
mod listed;
mod sum;
#[cfg(test)]
mod tests;
mod words;

use super::amounts::slice;
use super::prepare::Prepared;
use super::quantity::{Bound, Fit, Quantity, fits};
use super::told::is_unsure;
use elenchus_core::evidence::Span;
use elenchus_core::port::{EvidenceSpan, Mismatch, MismatchKind};
use std::ops::Range;
use words::Text;

/// A claim of more tokens is no plain statement.
const LONGEST: usize = 40;

/// Words by which a claim's figure is of each, of the rest, or of something that is not named.
const OF_OTHERS: [&str; 16] = [
    "each",
    "every",
    "apiece",
    "respectively",
    "average",
    "mean",
    "another",
    "additional",
    "further",
    "extra",
    "other",
    "others",
    "remaining",
    "rest",
    "most",
    "usual",
];

/// How far a computed ratio may lie from the one that a claim gives.
const RATIO: f64 = 0.01;

/// From here on a ratio is another one; between the two it is a matter of rounding.
const OTHER_RATIO: f64 = 0.1;

/// Points by which a computed percentage differs where it is another one.
const OTHER_POINTS: f64 = 1.0;

/// What the figures of the evidence come to beside a claim.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reckoned {
    /// Whether the claim is borne out; else the figures say otherwise.
    pub(crate) holds: bool,
    /// The computation: "120 + 220 = 340".
    pub(crate) sum: String,
    /// The sentences that state the figures, as given.
    pub(crate) sentences: Vec<usize>,
    /// Tokens of the claim that say what comes of it.
    tokens: Range<usize>,
    kind: MismatchKind,
}

impl Reckoned {
    /// What does not fit, where the figures say otherwise.
    pub(crate) fn mismatch(&self, claim: &Prepared) -> Option<Mismatch> {
        let first = claim.tokens.get(self.tokens.start).filter(|_| !self.holds)?;
        let last = claim.tokens.get(self.tokens.end.checked_sub(1)?)?;
        let claim_text = slice(claim, &self.tokens);
        Some(Mismatch {
            kind: self.kind,
            reason: format!("the claim says {claim_text}; from the evidence: {}", self.sum),
            claim_text,
            claim_span: Span { start: first.chars.start, end: last.chars.end },
            evidence_text: Some(self.sum.clone()),
            contradicts: true,
        })
    }
}

/// What the figures of some sentences come to beside a claim that adds them up, compares or counts them; nothing where it does
/// not, or where that is not certain.
pub(crate) fn reckoned(
    claim: &Prepared,
    evidence: &[(EvidenceSpan, &Prepared)],
) -> Option<Reckoned> {
    let is_plain = claim.tokens.len() <= LONGEST
        && claim.negators.is_empty()
        && !claim.hedges
        && !claim.exclusive
        && !is_unsure(claim)
        && !claim.tokens.iter().any(|token| OF_OTHERS.contains(&token.lower.as_str()))
        && !claim.text.contains(['|', '?']);
    let text = Text::new(claim);
    let asked = asked(&text).filter(|_| is_plain)?;
    let facts = facts::facts(evidence);
    let found = match asked {
        Asked::Comparison(cue) => compare::compared(&text, &cue, &facts),
        Asked::Growth(growth) => growth::grown(&text, &growth, &facts, evidence),
        Asked::Figure => sum::summed(&text, &facts).or_else(|| listed::counted(&text, evidence)),
    }?;
    // Somebody may have added up what we did not see: where the claim's figure stands in the evidence nothing is denied.
    let is_stated = |q: &Quantity| {
        evidence.iter().any(|(_, p)| p.quantities.iter().any(|other| is_one_figure(q, other)))
    };
    let own = text.figures();
    let figure = own.iter().find(|q| q.tokens == found.tokens);
    (found.holds || !figure.is_some_and(|q| is_stated(q))).then_some(found)
}

/// What a claim has to be computed for.
enum Asked {
    Comparison(compare::Cue),
    Growth(growth::Growth),
    Figure,
}

fn asked(text: &Text<'_>) -> Option<Asked> {
    if let Some(cue) = compare::cue(text) {
        return Some(Asked::Comparison(cue));
    }
    if let Some(growth) = growth::growth(text) {
        return Some(Asked::Growth(growth));
    }
    let figures = text.figures();
    let compares = (0..text.end())
        .any(|at| text.lower(at) == "than" && !figures.iter().any(|q| q.tokens.contains(&at)));
    (!compares && !figures.is_empty()).then_some(Asked::Figure)
}

fn is_one_figure(one: &Quantity, other: &Quantity) -> bool {
    let units = match (one.unit, other.unit) {
        (Some(a), Some(b)) => a.comparable(b),
        (None, None) => true,
        _ => false,
    };
    units && one.ordinal == other.ordinal && fits(one, other) == Fit::Holds
}

/// Whether a figure of a claim is the computed one; nothing where that is a matter of rounding.
fn agrees(q: &Quantity, value: f64, grain: f64) -> Option<bool> {
    let slack = q.grain + grain + 1e-9 * value.abs().max(1.0);
    let (low, high) = (value - q.low, value - q.high);
    let share = low.abs() / q.low.abs().max(1e-9);
    match q.bound {
        Bound::Exact => Some(low >= -slack && high <= slack),
        Bound::About if share <= 0.05 => Some(true),
        Bound::About if share >= 0.2 => Some(false),
        Bound::AtLeast if low.abs() > slack => Some(low > 0.0),
        Bound::AtMost if high.abs() > slack => Some(high < 0.0),
        _ => None,
    }
}

/// Whether a ratio is the one that a claim gives.
fn agrees_about(q: &Quantity, ratio: f64) -> Option<bool> {
    let off = (ratio - q.low).abs() / q.low.abs().max(1e-9);
    match q.bound {
        Bound::Exact if off <= RATIO => Some(true),
        Bound::Exact if off >= OTHER_RATIO => Some(false),
        Bound::Exact => None,
        _ => agrees(q, ratio, 0.0),
    }
}

/// Whether a percentage is the one that a claim gives, as far as that is written out.
fn agrees_in_points(q: &Quantity, points: f64) -> Option<bool> {
    let half = if q.grain > 0.0 { q.grain } else { 0.5 };
    let off = (points - q.low).abs();
    match q.bound {
        Bound::Exact if off <= half + 1e-9 => Some(true),
        Bound::Exact if off >= OTHER_POINTS.max(2.0 * half) => Some(false),
        Bound::Exact => None,
        _ => agrees(q, points, 0.0),
    }
}

/// A number as people write it: "15,500", "2.5".
fn number(value: f64) -> String {
    let plain = format!("{:.2}", value.abs());
    let (whole, part) = plain.split_once('.').unwrap_or((plain.as_str(), ""));
    let part = part.trim_end_matches('0');
    let mut out = String::new();
    if value < 0.0 {
        out.push('\u{2212}');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !part.is_empty() {
        out.push('.');
        out.push_str(part);
    }
    out
}
