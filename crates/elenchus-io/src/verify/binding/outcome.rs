//! What became of a thing: a motion that was lost, an office that was left or that nobody says is held.
//!
//! Such sentences hold every word of a claim that they do not bear out: "the motion to sell was lost" for a sale that was
//! agreed, "minutes taken by N. Hathersage" for a treasurer of that name.

use super::ground::View;
use super::polarity::ABOUT;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who::{Chunk, subject};
use super::{GroundedBy, Grounding};
use crate::verify::tokens::Pos;
use crate::verify::{gives_up, is_removed};
use elenchus_core::port::MismatchKind;

/// Tokens between an office and a name in apposition to it: a comma and an article.
const BESIDE: usize = 2;

/// Tokens between an office and the word that it was given up, at most.
const NEAR: usize = 6;

/// What is put to a vote.
fn is_motion(stem: &str) -> bool {
    matches!(
        stem,
        "motion" | "resolut" | "propos" | "amend" | "bill" | "referendum" | "applic" | "petit"
    )
}

/// Whether a word says that such a thing was agreed to, or that it was not.
pub(super) fn fate(lower: &str) -> Option<bool> {
    match lower {
        "carried" | "passed" | "approved" | "adopted" | "agreed" | "accepted" | "granted" => {
            Some(true)
        }
        "lost" | "defeated" | "rejected" | "fell" | "refused" | "withdrawn" | "dismissed" => {
            Some(false)
        }
        _ => None,
    }
}

/// The first word that says what became of something, and whether that was agreed to, negations counted.
fn decided(p: &Prepared) -> Option<(usize, bool)> {
    p.tokens
        .iter()
        .enumerate()
        .find_map(|(at, token)| Some((at, fate(&token.lower)? ^ p.items[at].negated)))
}

/// A claim that something was agreed to, where the evidence says that the motion was lost, and the other way round.
pub(super) fn votes(view: &View<'_>, report: &mut Report<'_>) {
    let Some((at, agreed)) = decided(view.claim) else { return };
    let mut against = None;
    for home in view.homes.iter().filter(|home| view.overlap[**home] >= ABOUT) {
        let p = view.evidence[*home];
        if !p.tokens.iter().any(|token| is_motion(&token.stem)) {
            continue;
        }
        match decided(p) {
            Some((_, same)) if same == agreed => return,
            Some((word, _)) => against = against.or(Some((*home, word))),
            None => {}
        }
    }
    let Some((home, word)) = against else { return };
    report.checked(MismatchKind::Polarity);
    let other = view.evidence[home].tokens[word].text.clone();
    let reason = format!("the claim says “{}”, the evidence “{other}”", view.claim.tokens[at].text);
    report.add(MismatchKind::Polarity, at..at + 1, Some(other), true, reason);
}

/// "is", "was", "became", "serves as".
fn links(p: &Prepared, at: usize) -> Option<usize> {
    let next = |word: &str| p.tokens.get(at + 1).is_some_and(|t| t.lower == word);
    match p.tokens[at].lower.as_str() {
        "is" | "was" | "are" | "were" | "became" | "becomes" | "remains" => Some(at + 1),
        "serves" | "served" | "acts" | "acted" | "works" | "worked" if next("as") => Some(at + 2),
        _ => None,
    }
}

/// What a claim says that somebody or something is, when the evidence has no word for it: "N. Hathersage is the treasurer".
pub(super) fn unsaid(view: &View<'_>, grounding: &[Grounding], report: &mut Report<'_>) {
    let claim = view.claim;
    let is_known = |at: usize| {
        grounding.iter().find(|g| g.token == at).is_none_or(|g| g.by != GroundedBy::None)
    };
    for verb in 0..claim.tokens.len() {
        let Some(from) = links(claim, verb) else { continue };
        let (Some(who), Some(what)) = (subject(claim, verb), Chunk::from(claim, from)) else {
            continue;
        };
        // "The treasurer is N. Hathersage": the office comes first. There a word that is only near in meaning is none for it.
        let is_name = |chunk: &Chunk| chunk.0.clone().all(|at| claim.items[at].kind == Kind::Name);
        let is_turned = is_name(&what) && !is_name(&who);
        let (who, what) = if is_turned { (what, who) } else { (who, what) };
        let head = what.0.end - 1;
        let is_noun = claim.items[head].kind == Kind::Plain && claim.tokens[head].pos == Pos::Noun;
        let is_near = grounding.iter().any(|g| g.token == head && g.by == GroundedBy::Embedding);
        // Where the evidence does not even name who it is about, other checks speak.
        if !is_noun || !who.0.clone().any(is_known) {
            continue;
        }
        report.checked(MismatchKind::Role);
        if is_known(head) && !(is_turned && is_near) {
            report.matched(MismatchKind::Role);
        } else {
            let word = &claim.tokens[head].text;
            let reason = format!("the evidence says nothing of “{word}”");
            report.add(MismatchKind::Role, head..head + 1, None, false, reason);
        }
    }
}

/// "will stay on as", "will remain", "continues on as": an office that is kept, and where it stands.
fn keeps(p: &Prepared, at: usize) -> Option<usize> {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    let verb = lower(at);
    if !matches!(verb, "stay" | "stays" | "remain" | "continue" | "continues" | "carry" | "carries")
        || p.items[at].negated
    {
        return None;
    }
    let is_ahead =
        at.checked_sub(1).is_some_and(|before| matches!(lower(before), "will" | "shall"));
    let goes_on = lower(at + 1) == "on";
    let next = at + 1 + usize::from(goes_on);
    if lower(next) == "as" {
        return (is_ahead || goes_on).then_some(next + 1);
    }
    (is_ahead && verb == "remain").then_some(next)
}

/// Whether an office is going to be given up: "will step down". Until then it is held.
fn will_go(p: &Prepared, at: usize) -> bool {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    let is_ahead =
        at.checked_sub(1).is_some_and(|before| matches!(lower(before), "will" | "shall"));
    is_ahead
        && match lower(at) {
            "step" | "stand" => matches!(lower(at + 1), "down" | "back" | "aside"),
            "resign" | "retire" | "leave" => true,
            _ => false,
        }
}

/// The word that says that an office is held no more: "the former chair", "resigned as treasurer". The office has to belong to
/// it: a former nurse may well be treasurer. `ahead`: or that it will be given up.
fn given_up(p: &Prepared, office: usize, ahead: bool) -> Option<usize> {
    let word = |at: usize| p.tokens[at].lower.as_str();
    let adjective = office
        .checked_sub(1)
        .filter(|at| matches!(word(*at), "former" | "ex" | "ex-" | "outgoing"));
    let verb = || {
        let found = (office.saturating_sub(NEAR)..office).rev().find(|at| {
            let (verb, next) = (word(*at), word(at + 1));
            let is_gone = gives_up(verb, next) || is_removed(verb);
            is_gone || verb == "ceased" && next == "to" || ahead && will_go(p, *at)
        })?;
        let leads = |at: usize| matches!(word(at), "as" | "from" | "be");
        ((found + 1..office).any(leads) && !p.items[found].negated).then_some(found)
    };
    adjective.or_else(verb)
}

/// A claim that somebody holds an office, where the evidence says that it was given up: "resigned as treasurer".
pub(super) fn left(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for verb in 0..claim.tokens.len() {
        let is_now = matches!(
            claim.tokens[verb].lower.as_str(),
            "is" | "are" | "remains" | "serves" | "acts"
        );
        let kept = keeps(claim, verb);
        let Some(from) = links(claim, verb).filter(|_| is_now).or(kept) else { continue };
        let (Some(who), Some(what)) = (subject(claim, verb), Chunk::from(claim, from)) else {
            continue;
        };
        let head = what.0.end - 1;
        let found = view.homes.iter().find_map(|home| {
            let p = view.evidence[*home];
            let (office, gone) = (0..p.tokens.len())
                .filter(|token| view.aligned(head, *home, *token))
                .find_map(|office| Some((office, given_up(p, office, kept.is_some())?)))?;
            // Who left is named nearest before the verb, and beside "the former chair" right behind or right before.
            let named = if gone + 1 == office {
                let beside =
                    |from: usize, to: usize| to.saturating_sub(from) <= BESIDE && to >= from;
                let behind = p.names.iter().find(|name| beside(office + 1, name.tokens.start));
                behind.or_else(|| p.names.iter().find(|name| beside(name.tokens.end, gone)))
            } else {
                p.names.iter().rfind(|name| name.tokens.start < gone)
            }?;
            let is_who = who
                .0
                .clone()
                .any(|at| named.words.iter().any(|token| view.aligned(at, *home, *token)));
            is_who.then(|| p.tokens[gone].text.clone())
        });
        if let Some(word) = found {
            report.checked(MismatchKind::Role);
            let own = &claim.tokens[head].text;
            let how = if kept.is_some() { "is kept" } else { "is so now" };
            let reason = format!("the claim says that it {how} (“{own}”), the evidence “{word}”");
            report.add(MismatchKind::Role, verb..head + 1, Some(word), true, reason);
        }
    }
}
