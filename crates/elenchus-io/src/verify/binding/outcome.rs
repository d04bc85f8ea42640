//! What became of a thing: a figure that was changed, a motion that was lost, an office that nobody says is held.
//!
//! Such sentences hold every word of a claim that they do not bear out: "the fee rises from 1,250 to 1,400" for a fee of
//! 1,250, "the motion to sell was lost" for a sale that was agreed, "minutes taken by N. Hathersage" for a treasurer of that name.

use super::amounts;
use super::ground::View;
use super::lexicon;
use super::polarity::ABOUT;
use super::prepare::{Kind, Prepared};
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use super::when::{Stand, stand};
use super::who::{Chunk, subject};
use super::{GroundedBy, Grounding};
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// Tokens between a verb of change and the figure that it changes, at most.
const REACH: usize = 12;

/// Tokens behind an earlier figure in which its time is told: "190 a year before".
const BEHIND: usize = 5;

/// Tokens between an office and a name in apposition to it: a comma and an article.
const BESIDE: usize = 2;

/// Tokens between an office and the word that it was given up, at most.
const NEAR: usize = 6;

/// "from 1,250 to 1,400", said of a rise, a fall or a change: what was, and what is.
struct Change {
    before: Quantity,
    after: Quantity,
    /// Both, with what stands between them.
    tokens: Range<usize>,
}

impl Change {
    fn new(before: &Quantity, after: &Quantity) -> Self {
        Self {
            // What stands as one span, of a smaller and a greater figure, is two of them here.
            before: Quantity { high: before.low, ..before.clone() },
            after: Quantity { low: after.high, ..after.clone() },
            tokens: before.tokens.start.min(after.tokens.start)
                ..before.tokens.end.max(after.tokens.end),
        }
    }
}

fn changes(p: &Prepared) -> Vec<Change> {
    let led = |q: &Quantity, word: &str| {
        let start = q.tokens.start;
        p.tokens[start.saturating_sub(2)..start].iter().any(|t| t.lower == word)
    };
    let is_change = |q: &Quantity| {
        let start = q.tokens.start;
        p.tokens[start.saturating_sub(REACH)..start]
            .iter()
            .any(|t| lexicon::changes(&t.lower, &t.stem))
    };
    let mut found: Vec<Change> = p
        .quantities
        .iter()
        .filter(|q| q.low < q.high && led(q, "from") && is_change(q))
        .map(|q| Change::new(q, q))
        .collect();
    found.extend(p.quantities.windows(2).filter_map(|pair| {
        let [before, after] = pair else { return None };
        let between = before.tokens.end..after.tokens.start;
        let is_pair = led(before, "from")
            && led(after, "to")
            && between.len() <= REACH
            && before.low >= before.high
            && is_change(before);
        is_pair.then(|| Change::new(before, after))
    }));
    found
}

/// Words that set an earlier figure beside a later one: "212 members, against 190 a year before", "up from 190".
fn sets_beside(p: &Prepared, q: &Quantity) -> bool {
    let start = q.tokens.start;
    let before = |back: usize| start.checked_sub(back).map_or("", |at| p.tokens[at].lower.as_str());
    let is_up = matches!(before(2), "up" | "down" | "rising" | "falling") && before(1) == "from";
    let is_against = matches!(before(1), "against" | "to" | "with" | "from")
        && (before(1) == "against" || matches!(before(2), "compared" | "opposed"));
    let behind = p.tokens[q.tokens.end..].iter().take(BEHIND);
    let behind: Vec<&str> = behind.map(|t| t.lower.as_str()).collect();
    let is_earlier = behind.iter().any(|word| {
        matches!(*word, "before" | "earlier" | "previously" | "previous" | "last" | "prior")
    });
    is_up || is_against && is_earlier
}

/// Figures of an earlier time that stand beside the figure of the time that the sentence is about.
fn earlier_figures(p: &Prepared) -> Vec<Change> {
    p.quantities
        .windows(2)
        .filter_map(|pair| {
            let [now, earlier] = pair else { return None };
            (sets_beside(p, earlier) && now.tokens.end <= earlier.tokens.start)
                .then(|| Change::new(earlier, now))
        })
        .collect()
}

/// Whether what a claim says is of the time for which the later figure of a comparison stands: it gives that time, or the
/// present.
fn is_of_the_later(claim: &Prepared, p: &Prepared, change: &Change) -> bool {
    if claim.dates.is_empty() {
        return !looks_back(claim);
    }
    claim.dates.iter().all(|own| {
        p.dates.iter().any(|date| {
            date.tokens.end <= change.before.tokens.start && stand(own, date) == Stand::Within
        })
    })
}

/// Whether a text speaks of what was or of a change itself, so that the older figure is what it may mean.
fn looks_back(p: &Prepared) -> bool {
    p.tokens.iter().any(|t| {
        matches!(
            t.lower.as_str(),
            "was"
                | "were"
                | "had"
                | "from"
                | "until"
                | "before"
                | "previously"
                | "formerly"
                | "used"
        ) || lexicon::changes(&t.lower, &t.stem)
    })
}

/// Figures that the evidence says are no longer so.
pub(super) fn superseded(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let is_present = claim.dates.is_empty() && !looks_back(claim);
    for own in claim.quantities.iter().filter(|q| (q.figure || q.unit.is_some()) && !q.ordinal) {
        let found = view.homes.iter().find_map(|home| {
            let p = view.evidence[*home];
            let is_older = |change: &Change| {
                fits(own, &change.before) == Fit::Holds && fits(own, &change.after) != Fit::Holds
            };
            let changed = changes(p).into_iter().filter(|_| is_present);
            let beside = earlier_figures(p);
            let beside = beside.into_iter().filter(|change| is_of_the_later(claim, p, change));
            let change = changed.chain(beside).find(is_older)?;
            let spans = [&change.before.tokens, &change.after.tokens];
            let stands = p.quantities.iter().any(|other| {
                !spans.iter().any(|span| span.contains(&other.at)) && fits(own, other) == Fit::Holds
            });
            (!stands).then(|| amounts::slice(p, &change.tokens))
        });
        if let Some(told) = found {
            report.checked(MismatchKind::Number);
            let reason = format!("the evidence has it as the earlier figure: “{told}”");
            report.add(MismatchKind::Number, own.tokens.clone(), Some(told), true, reason);
        }
    }
}

/// What is put to a vote.
fn is_motion(stem: &str) -> bool {
    matches!(
        stem,
        "motion" | "resolut" | "propos" | "amend" | "bill" | "referendum" | "applic" | "petit"
    )
}

/// Whether a word says that such a thing was agreed to, or that it was not.
fn fate(lower: &str) -> Option<bool> {
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
        let head = what.0.end - 1;
        let is_noun = claim.items[head].kind == Kind::Plain && claim.tokens[head].pos == Pos::Noun;
        // Where the evidence does not even name who it is about, other checks speak.
        if !is_noun || !who.0.clone().any(is_known) {
            continue;
        }
        report.checked(MismatchKind::Role);
        if is_known(head) {
            report.matched(MismatchKind::Role);
        } else {
            let word = &claim.tokens[head].text;
            let reason = format!("the evidence says nothing of “{word}”");
            report.add(MismatchKind::Role, head..head + 1, None, false, reason);
        }
    }
}

/// The word that says that an office is held no more: "the former chair", "resigned as treasurer". The office has to belong to
/// it: a former nurse may well be treasurer.
fn given_up(p: &Prepared, office: usize) -> Option<usize> {
    let word = |at: usize| p.tokens[at].lower.as_str();
    let adjective = office
        .checked_sub(1)
        .filter(|at| matches!(word(*at), "former" | "ex" | "ex-" | "outgoing"));
    let verb = || {
        let found = (office.saturating_sub(NEAR)..office).rev().find(|at| match word(*at) {
            "resigned" | "resigns" | "retired" | "retires" | "dismissed" | "removed" => true,
            "stood" | "stands" | "stepped" | "steps" => word(at + 1) == "down",
            "ceased" => word(at + 1) == "to",
            _ => false,
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
        let Some(from) = links(claim, verb).filter(|_| is_now) else { continue };
        let (Some(who), Some(what)) = (subject(claim, verb), Chunk::from(claim, from)) else {
            continue;
        };
        let head = what.0.end - 1;
        let found = view.homes.iter().find_map(|home| {
            let p = view.evidence[*home];
            let (office, gone) = (0..p.tokens.len())
                .filter(|token| view.aligned(head, *home, *token))
                .find_map(|office| Some((office, given_up(p, office)?)))?;
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
            let reason =
                format!("the claim says that it is so now (“{own}”), the evidence “{word}”");
            report.add(MismatchKind::Role, verb..head + 1, Some(word), true, reason);
        }
    }
}
