//! Disagreements that no two words show: one thing with two causes or two makers, and a change against none.

use crate::verify::sentence::{Sentence, denies};
use crate::verify::tokens::{Pos, Token};
use elenchus_core::evidence::Span;
use elenchus_core::port::{Mismatch, MismatchKind};
use elenchus_core::text::is_stop_word;
use std::collections::BTreeSet;

/// Share of the words of two subjects that have to be the same.
const SAME_SUBJECT: f64 = 0.75;

/// Two causes or makers that share less than this of their words, and have two words of their own, are two: a lever that jammed
/// and a lever that was left open.
const SAME_HAND: f64 = 0.25;

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

pub(super) fn content(tokens: &[Token]) -> BTreeSet<&str> {
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
pub(super) fn phrase(s: &Sentence, from: usize, to: usize) -> Option<(String, Span)> {
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
    // "Caused by a jammed lever, not by anybody": what is denied behind the cause is another one.
    let denied = |tokens: &[Token], end: usize| tokens[..end].iter().any(denies);
    let (subject, other_subject) = (content(&ours[..verb]), content(&theirs[..other_verb]));
    let (by, other_by) = (content(&ours[from..end]), content(&theirs[other_from..other_end]));
    let apart = share(&by, &other_by) < SAME_HAND
        && by.difference(&other_by).nth(1).is_some()
        && other_by.difference(&by).nth(1).is_some();
    if denied(ours, end)
        || denied(theirs, other_end)
        || share(&subject, &other_subject) < SAME_SUBJECT
        || by.is_empty()
        || other_by.is_empty()
        || share(&by, &other_by) > 0.0 && !apart
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

/// Words that say which in a row something is.
pub(super) const ORDINALS: [&str; 12] = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// Tokens between "not" and the values beside it.
const BESIDE: usize = 3;

/// "The sixth and not the fourth", "six, not four", "not the fourth but the sixth": what is right, and what is put right.
fn correction(s: &Sentence) -> Option<(usize, usize)> {
    let tokens = s.bound.tokens();
    let is_value = |at: &usize| {
        tokens.get(*at).is_some_and(|t| {
            ORDINALS.contains(&t.lower.as_str()) || t.has_digit() || t.pos == Pos::Numeral
        })
    };
    let same_kind = |a: usize, b: usize| {
        let is_ordinal = |at: usize| ORDINALS.contains(&tokens[at].lower.as_str());
        is_ordinal(a) == is_ordinal(b) && tokens[a].lower != tokens[b].lower
    };
    (0..tokens.len()).filter(|at| tokens[*at].lower == "not").find_map(|not| {
        let wrong = (not + 1..=not + BESIDE).find(is_value)?;
        let joins = not.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
        let before = matches!(joins, "and" | ",")
            .then(|| (not.saturating_sub(BESIDE)..not).rev().find(is_value))
            .flatten();
        let behind = || {
            let but = (wrong + 1..=wrong + BESIDE)
                .find(|at| tokens.get(*at).is_some_and(|t| t.lower == "but"))?;
            (but + 1..=but + BESIDE).find(is_value)
        };
        let right = before.or_else(behind)?;
        same_kind(right, wrong).then_some((right, wrong))
    })
}

/// A value that the other one puts right in so many words: "the fourth launch of the day" against "it was the sixth and not the
/// fourth".
pub(super) fn corrected(a: &Sentence, b: &Sentence) -> Option<(Mismatch, Mismatch)> {
    let (right, wrong) = correction(b)?;
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    let at = ours.iter().position(|token| token.lower == theirs[wrong].lower)?;
    let noun = |token: &&Token| matches!(token.pos, Pos::Noun | Pos::ProperNoun);
    let counted = ours[at + 1..].iter().take(BESIDE).filter(noun);
    let mut counted = counted.filter(|token| theirs.iter().any(|t| t.stem == token.stem));
    let others = |tokens: &[Token]| -> BTreeSet<String> {
        let is_value = |stem: &str| stem == theirs[right].stem || stem == theirs[wrong].stem;
        let all = content(tokens).into_iter().filter(|&stem| !is_value(stem));
        all.map(str::to_owned).collect()
    };
    let is_same = counted.next().is_some()
        && others(ours).intersection(&others(theirs)).nth(1).is_some()
        && !ours.iter().any(|token| token.lower == theirs[right].lower)
        && !ours[..at].iter().any(denies);
    let (own, span) = phrase(a, at, at + 1)?;
    let (other, other_span) = phrase(b, right, right + 1)?;
    let mismatch = |own: &str, span: Span, other: &str| Mismatch {
        kind: MismatchKind::Number,
        reason: format!("{own} or {other}"),
        claim_text: own.to_owned(),
        claim_span: span,
        evidence_text: Some(other.to_owned()),
        contradicts: true,
    };
    is_same.then(|| (mismatch(&own, span, &other), mismatch(&other, other_span, &own)))
}

/// Words by which a number is a bound, and may be none.
const BOUNDS: [&str; 6] = ["up", "most", "fewer", "less", "under", "below"];

/// Words between a number, or "no", and its noun.
const DESCRIBED: usize = 2;

/// The noun behind a token, past what describes it.
fn counted(tokens: &[Token], at: usize) -> Option<usize> {
    let behind = tokens.iter().enumerate().skip(at + 1).take(DESCRIBED + 1);
    let mut behind = behind.take_while(|(_, t)| matches!(t.pos, Pos::Adjective | Pos::Noun));
    behind.find(|(_, t)| t.pos == Pos::Noun).map(|(noun, _)| noun)
}

/// "1,200 parcels were lost" against "no parcels were lost": some against none, where all other words are the same. The first of
/// the pair is of `a`.
pub(super) fn some_or_none(a: &Sentence, b: &Sentence) -> Option<(Mismatch, Mismatch)> {
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    let mut denied = (0..theirs.len()).filter(|at| denies(&theirs[*at]));
    let no = denied.next().filter(|at| theirs[*at].lower == "no")?;
    let none = counted(theirs, no)?;
    let is_number = |t: &Token| {
        t.pos == Pos::Numeral
            && !matches!(t.lower.as_str(), "0" | "zero")
            && !t.lower.starts_with("0.")
    };
    let (number, some) = (0..ours.len()).filter(|at| is_number(&ours[*at])).find_map(|at| {
        let noun = counted(ours, at)?;
        (ours[noun].stem == theirs[none].stem).then_some((at, noun))
    })?;
    let is_bound = ours[..number].iter().any(|t| BOUNDS.contains(&t.lower.as_str()));
    let others = |tokens: &[Token], from: usize| -> BTreeSet<String> {
        let rest: Vec<Token> = tokens
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != from)
            .map(|(_, t)| t.clone())
            .collect();
        content(&rest).into_iter().map(str::to_owned).collect()
    };
    let (said, other) = (others(ours, number), others(theirs, no));
    // The noun alone says nothing of it.
    let is_same = said == other && said.len() > 1;
    if denied.next().is_some() || ours.iter().any(denies) || is_bound || !is_same {
        return None;
    }
    let (own, span) = phrase(a, number, some + 1)?;
    let (nothing, other_span) = phrase(b, no, none + 1)?;
    let mismatch = |own: &str, span: Span, other: &str| Mismatch {
        kind: MismatchKind::Negation,
        reason: format!("{own} or {other}"),
        claim_text: own.to_owned(),
        claim_span: span,
        evidence_text: Some(other.to_owned()),
        contradicts: true,
    };
    Some((mismatch(&own, span, &nothing), mismatch(&nothing, other_span, &own)))
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
