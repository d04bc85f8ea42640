//! Another cause of the same thing: "the fridge failed because of the thermostat" against "the fridge failed because a fuse
//! blew".
//!
//! Two causes may both hold, so this speaks against a claim only as far as a sentence goes that gives the reason and leaves the
//! claim's out. Where the evidence has a word of the claim's cause anywhere, or leaves room for more than one, nothing is said.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// Words of what happened that both have to have, where that is a clause; "the fire was caused by" needs no other.
const SHARED: usize = 2;

/// Stems of words that say that there was a cause, and not which: a blown fuse is a fault as well.
const VAGUE: [&str; 22] = [
    "fault", "problem", "failur", "fail", "defect", "error", "issu", "troubl", "malfunct", "damag",
    "reason", "caus", "accid", "incid", "event", "thing", "circumst", "condit", "factor", "matter",
    "lack", "way",
];

/// Words that leave room for another cause beside the one that is named.
const ROOM: [&str; 19] = [
    "partly",
    "mainly",
    "mostly",
    "chiefly",
    "largely",
    "primarily",
    "also",
    "among",
    "other",
    "another",
    "others",
    "contributed",
    "additional",
    "additionally",
    "either",
    "or",
    "perhaps",
    "possibly",
    "probably",
];

/// Words that tell one of several such things.
const WHICH: [&str; 9] =
    ["first", "second", "third", "fourth", "fifth", "last", "next", "previous", "earlier"];

/// What happened, and why.
struct Told {
    effect: Range<usize>,
    cause: Range<usize>,
    /// Words that what happened is told in, at least.
    shared: usize,
}

/// Where a part ends that begins at a token: before a mark or a word that begins something else.
fn end_of(p: &Prepared, from: usize) -> usize {
    let ends = |at: &usize| {
        let token = &p.tokens[*at];
        token.is_mark() && !matches!(token.lower.as_str(), "-" | "'")
            || matches!(token.lower.as_str(), "but" | "which" | "who" | "so" | "although")
    };
    (from..p.tokens.len()).find(ends).unwrap_or(p.tokens.len())
}

/// Where the part begins that ends before a token.
fn start_of(p: &Prepared, end: usize) -> usize {
    let begins = |at: &usize| {
        matches!(p.tokens[*at].lower.as_str(), ";" | ":" | "," | "but" | "that" | "and")
    };
    (0..end).rev().find(begins).map_or(0, |at| at + 1)
}

/// The reason that a sentence gives in one of these forms: "X because (of) Y", "X due to Y", "X owing to Y", "X on account of Y",
/// "X was caused by Y". One that is denied or only possible is none.
fn told(p: &Prepared) -> Option<Told> {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    let (joint, from, shared) =
        (1..p.tokens.len()).find_map(|at| match (lower(at), lower(at + 1)) {
            ("because", "of") | ("due" | "owing", "to") => Some((at, at + 2, SHARED)),
            ("because", _) => Some((at, at + 1, SHARED)),
            ("account", "of") if lower(at - 1) == "on" => Some((at - 1, at + 2, SHARED)),
            ("caused" | "triggered", "by")
                if matches!(lower(at - 1), "was" | "were" | "is" | "are" | "been") =>
            {
                Some((at - 1, at + 2, 1))
            }
            _ => None,
        })?;
    let told = Told { effect: start_of(p, joint)..joint, cause: from..end_of(p, from), shared };
    let is_sure = joint
        .checked_sub(1)
        .is_none_or(|at| !matches!(lower(at), "not" | "n't" | "only"))
        && lower(joint + 1) != "not"
        && !told.cause.clone().any(|at| matches!(lower(at), "not" | "never") || p.items[at].hedged)
        && !p.tokens.iter().any(|token| ROOM.contains(&token.lower.as_str()));
    (is_sure && !told.cause.is_empty()).then_some(told)
}

/// Words with content, figures and dates aside.
fn words(p: &Prepared, part: &Range<usize>) -> impl Iterator<Item = usize> {
    part.clone().filter(move |at| matches!(p.items[*at].kind, Kind::Plain | Kind::Name))
}

/// The nouns of a cause that say which it is.
fn nouns(p: &Prepared, cause: &Range<usize>) -> Vec<usize> {
    let is_telling = |at: &usize| {
        let token = &p.tokens[*at];
        matches!(token.pos, Pos::Noun | Pos::ProperNoun) && !VAGUE.contains(&token.stem.as_str())
    };
    words(p, cause).filter(is_telling).collect()
}

/// Whether a sentence denies what happened.
fn is_denied(p: &Prepared, effect: &Range<usize>) -> bool {
    effect.clone().any(|at| p.items[at].negated)
}

/// A claim that something happened for one reason, where the evidence gives another for the same.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let Some(own) = told(claim) else { return };
    let (effect, causes): (Vec<usize>, Vec<usize>) =
        (words(claim, &own.effect).collect(), nouns(claim, &own.cause));
    // A word of the cause anywhere: then the sentences leave it open, or bear it out.
    let is_named = causes.iter().any(|at| view.hits[*at].iter().any(|hit| !hit.opposite));
    if effect.len() < own.shared || causes.is_empty() || is_named {
        return;
    }
    let found = (0..view.evidence.len()).find_map(|sentence| {
        let p = view.evidence[sentence];
        let other = told(p).filter(|other| !nouns(p, &other.cause).is_empty())?;
        let has = |at: usize| other.effect.clone().any(|token| view.aligned(at, sentence, token));
        // What happened has to be the same, with nothing that makes it another one: "the second fridge".
        let more = words(p, &other.effect)
            .filter(|token| !effect.iter().any(|at| view.aligned(*at, sentence, *token)))
            .count();
        let which = |part: &Range<usize>, p: &Prepared| -> Vec<String> {
            let lower = p.tokens[part.clone()].iter().map(|token| token.lower.clone());
            lower.filter(|word| WHICH.contains(&word.as_str())).collect()
        };
        let is_same = effect.iter().all(|at| has(*at))
            && more <= effect.len()
            && which(&own.effect, claim) == which(&other.effect, p)
            && is_denied(claim, &own.effect) == is_denied(p, &other.effect);
        is_same.then(|| who::text(p, &other.cause))
    });
    let Some(other) = found else { return };
    report.checked(MismatchKind::Role);
    report.otherwise();
    let named = who::text(claim, &own.cause);
    let reason = format!(
        "the claim names “{named}” as the cause, the evidence “{other}”; both may hold, so it weighs little"
    );
    report.add(MismatchKind::Role, own.cause, Some(other), false, reason);
}
