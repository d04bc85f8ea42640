//! Disagreements that no two words show: one thing with two causes or two makers, and a change against none.

use crate::verify::sentence::Sentence;
use crate::verify::tokens::{Pos, Token};
use elenchus_core::evidence::Span;
use elenchus_core::port::{Mismatch, MismatchKind};
use elenchus_core::text::is_stop_word;
use std::collections::BTreeSet;

/// Share of the words of two subjects that have to be the same.
const SAME_SUBJECT: f64 = 0.75;

/// Tokens that a complement may have.
const COMPLEMENT: usize = 12;

/// What happens once, by one hand or for one reason: participles before "by".
const ONE_HAND: [&str; 14] = [
    "caused",
    "triggered",
    "built",
    "written",
    "founded",
    "invented",
    "discovered",
    "owned",
    "designed",
    "directed",
    "composed",
    "painted",
    "killed",
    "signed",
];

/// Words for a change, up or down.
const CHANGES: [&str; 30] = [
    "rose",
    "risen",
    "rise",
    "rises",
    "increased",
    "increase",
    "increases",
    "grew",
    "grown",
    "grows",
    "climbed",
    "doubled",
    "tripled",
    "fell",
    "fallen",
    "falls",
    "declined",
    "declines",
    "decreased",
    "decreases",
    "decrease",
    "dropped",
    "drops",
    "shrank",
    "shrunk",
    "shrinks",
    "halved",
    "collapsed",
    "plummeted",
    "soared",
];

/// What is denied where nothing changed.
const CHANGE: [&str; 8] =
    ["change", "changed", "changes", "alter", "altered", "vary", "varied", "shift"];

/// Words for no change.
const STEADY: [&str; 6] = ["unchanged", "stable", "constant", "steady", "unaltered", "static"];

fn content(tokens: &[Token]) -> BTreeSet<&str> {
    tokens
        .iter()
        .filter(|t| {
            t.has_digit()
                || !t.is_mark()
                    && !is_stop_word(&t.lower)
                    && matches!(
                        t.pos,
                        Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Numeral | Pos::Verb
                    )
        })
        .map(|t| t.stem.as_str())
        .collect()
}

fn share<'t>(a: &BTreeSet<&'t str>, b: &BTreeSet<&'t str>) -> f64 {
    let both = a.intersection(b).count();
    let all = a.union(b).count();
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

/// The words between two tokens as they stand, and where.
fn phrase(s: &Sentence, from: usize, to: usize) -> Option<(String, Span)> {
    let tokens = s.bound.tokens();
    let (first, last) = (tokens.get(from)?, tokens.get(to.checked_sub(1)?)?);
    let words = s.text.get(first.bytes.start..last.bytes.end)?.to_owned();
    Some((words, Span { start: first.chars.start, end: last.chars.end }))
}

/// "X was caused by Y": where the verb stands, and the tokens of Y.
fn slot(s: &Sentence) -> Option<(usize, usize, usize)> {
    let tokens = s.bound.tokens();
    let lower = |at: usize| tokens.get(at).map_or("", |t| t.lower.as_str());
    let verb = (1..tokens.len()).find(|at| {
        ONE_HAND.contains(&lower(*at))
            && lower(at + 1) == "by"
            && matches!(lower(at - 1), "was" | "were" | "is" | "are" | "been")
    })?;
    let from = verb + 2;
    let end = (from..tokens.len())
        .take(COMPLEMENT)
        .find(|at| {
            tokens[*at].is_mark() && !matches!(lower(*at), "-" | "'")
                || matches!(lower(*at), "and" | "but" | "which" | "who" | "that" | "in" | "at")
        })
        .unwrap_or_else(|| tokens.len().min(from + COMPLEMENT));
    (from < end).then_some((verb, from, end))
}

/// The same thing by two hands, or for two reasons.
pub(super) fn other_hand(a: &Sentence, b: &Sentence) -> Option<Mismatch> {
    let (verb, from, end) = slot(a)?;
    let (other_verb, other_from, other_end) = slot(b)?;
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    if ours[verb].lower != theirs[other_verb].lower {
        return None;
    }
    let denied = |s: &Sentence| s.negated;
    let (subject, other_subject) = (content(&ours[..verb]), content(&theirs[..other_verb]));
    let (by, other_by) = (content(&ours[from..end]), content(&theirs[other_from..other_end]));
    if denied(a)
        || denied(b)
        || share(&subject, &other_subject) < SAME_SUBJECT
        || by.is_empty()
        || other_by.is_empty()
        || share(&by, &other_by) > 0.0
    {
        return None;
    }
    let (own, span) = phrase(a, from, end)?;
    let (other, _) = phrase(b, other_from, other_end)?;
    Some(Mismatch {
        kind: MismatchKind::Entity,
        reason: format!("{} by {own} or by {other}", ours[verb].lower),
        claim_text: own,
        claim_span: span,
        evidence_text: Some(other),
        contradicts: true,
    })
}

/// Tokens that say that something changed (`true`) or did not (`false`).
fn change(s: &Sentence) -> Option<(bool, usize, usize)> {
    let tokens = s.bound.tokens();
    let lower = |at: usize| tokens.get(at).map_or("", |t| t.lower.as_str());
    let none = (0..tokens.len()).find_map(|at| match lower(at) {
        "not" | "n't" | "n’t" | "no" | "never" => (at + 1..tokens.len().min(at + 4))
            .find(|i| CHANGE.contains(&lower(*i)))
            .map(|i| (at, i)),
        word if STEADY.contains(&word) => {
            let from = at.saturating_sub(3);
            (from..at)
                .find(|i| {
                    matches!(
                        lower(*i),
                        "remained" | "remains" | "stayed" | "stays" | "was" | "were"
                    )
                })
                .map(|i| (i, at))
        }
        _ => None,
    });
    if let Some((from, to)) = none {
        return Some((false, from, to + 1));
    }
    let at = (1..tokens.len()).find(|at| CHANGES.contains(&lower(*at)))?;
    (!s.negated && tokens[at].pos == Pos::Verb).then_some((true, at, at + 1))
}

/// A change against none, of the same thing.
pub(super) fn change_or_none(a: &Sentence, b: &Sentence) -> Option<Mismatch> {
    let (changed, from, end) = change(a)?;
    let (other_changed, other_from, other_end) = change(b)?;
    if changed == other_changed {
        return None;
    }
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    let (subject, other_subject) = (content(&ours[..from]), content(&theirs[..other_from]));
    // The first word is the last to be left out: "porpoise sightings", "porpoise activity".
    let met = subject.intersection(&other_subject).count();
    if met < 2 || share(&subject, &other_subject) < 0.5 {
        return None;
    }
    let (own, span) = phrase(a, from, end)?;
    let (other, _) = phrase(b, other_from, other_end)?;
    Some(Mismatch {
        kind: MismatchKind::Polarity,
        reason: format!("“{own}” or “{other}”"),
        claim_text: own,
        claim_span: span,
        evidence_text: Some(other),
        contradicts: true,
    })
}
