//! Who is told to have done a deed, and what came through it.
//!
//! "The Weir was painted by Ann Poe" beside a sentence about Bob Roe holds all words of "Bob Roe painted The Weir", and "the
//! storm wrecked the pier, but the mill survived" all those of a mill that was wrecked.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who::{self, Chunk, Deed};
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use elenchus_core::text::stem;
use std::ops::Range;

/// Tokens between a preposition and the name that it leads, at most: "to the painter Bob Roe".
const LED: usize = 5;

/// Tokens between a thing and the word that it came through, at most: "was wholly spared".
const NEAR: usize = 4;

/// Verbs whose subject may be what is acted on: "the firm closed the works", "the works closed".
const LABILE: [&str; 48] = [
    "open",
    "reopen",
    "close",
    "shut",
    "start",
    "begin",
    "end",
    "finish",
    "stop",
    "resume",
    "continue",
    "move",
    "transfer",
    "relocate",
    "change",
    "turn",
    "grow",
    "expand",
    "increase",
    "decrease",
    "improve",
    "develop",
    "spread",
    "break",
    "split",
    "collapse",
    "fail",
    "sink",
    "burn",
    "explode",
    "crash",
    "drown",
    "land",
    "fly",
    "sail",
    "march",
    "run",
    "sell",
    "trade",
    "float",
    "launch",
    "form",
    "dissolve",
    "unite",
    "separate",
    "divorce",
    "surrender",
    "return",
];

/// Who a sentence says did something.
enum Doer {
    Named(Range<usize>),
    /// "he", "she": a token.
    Pronoun(usize),
}

/// Whether a run of nouns ends in a name.
fn is_named(p: &Prepared, chunk: &Chunk) -> bool {
    // The first word has a capital whatever it is.
    let is_capital = |at: usize| at > 0 && p.tokens[at].is_capital();
    let last = chunk.0.end.checked_sub(1);
    last.is_some_and(|last| p.items[last].kind == Kind::Name || is_capital(last))
}

/// Who did what a verb says, where the sentence tells it plainly.
fn doer(p: &Prepared, verb: usize) -> Option<Doer> {
    let by = (verb + 1..p.tokens.len()).take(3).find(|at| p.tokens[*at].lower == "by");
    if let Some(by) = by {
        let who = Chunk::from(p, by + 1).filter(|who| is_named(p, who))?;
        return Some(Doer::Named(who.0));
    }
    if who::is_passive(p, verb) && !p.tokens[verb].lower.ends_with("ing") {
        return None;
    }
    // "Ann Poe says Bob Roe painted it": the subject is another verb's.
    let is_beside = |from: usize| {
        (from..verb).all(|at| matches!(p.tokens[at].pos, Pos::Aux | Pos::Adverb | Pos::Particle))
    };
    if let Some(who) = who::subject(p, verb) {
        return (is_beside(who.0.end) && is_named(p, &who)).then_some(Doer::Named(who.0));
    }
    let at = (0..verb).rev().find(|at| matches!(p.tokens[*at].lower.as_str(), "he" | "she"))?;
    is_beside(at + 1).then_some(Doer::Pronoun(at))
}

/// Whether another name stands between a deed and the thing that the claim says it was done to, so that it may be that one's.
fn is_between(view: &View<'_>, own: &Deed, sentence: usize, verb: usize) -> bool {
    let p = view.evidence[sentence];
    let thing = (0..p.tokens.len())
        .filter(|token| view.meets(&own.patient.0, sentence, &(*token..*token + 1)))
        .min_by_key(|token| token.abs_diff(verb));
    let Some(thing) = thing else { return true };
    let gap = thing.min(verb)..thing.max(verb);
    p.names.iter().any(|name| {
        gap.contains(&name.tokens.start)
            && !view.meets(&own.patient.0, sentence, &name.tokens)
            && !who::attributive(p, &name.tokens)
    })
}

/// Whether the evidence sets who the claim speaks of beside the one whom a pronoun means, and nowhere else: in "she is married
/// to Bob Roe" she is somebody else.
fn is_beside(view: &View<'_>, who: &Chunk, pronoun: &str) -> bool {
    let leads = |lower: &str| {
        matches!(lower, "to" | "with" | "for" | "by" | "from" | "after" | "against" | "of")
    };
    let mut met = false;
    for (sentence, p) in view.evidence.iter().enumerate() {
        for token in 0..p.tokens.len() {
            if !view.meets(&who.0, sentence, &(token..token + 1)) {
                continue;
            }
            let clause = p.items[token].clause;
            let led = (token.saturating_sub(LED)..token).rev().find(|at| {
                p.tokens[*at].is_mark()
                    || matches!(p.tokens[*at].pos, Pos::Verb | Pos::Preposition)
                    || leads(&p.tokens[*at].lower)
            });
            let Some(led) = led.filter(|at| leads(&p.tokens[*at].lower)) else { return false };
            let is_subject =
                |at: usize| p.items[at].clause == clause && p.tokens[at].lower == pronoun;
            if !(0..led).any(is_subject) {
                return false;
            }
            met = true;
        }
    }
    met
}

/// Who the evidence says did what the claim says that another did: the words for it, and whether that denies the claim.
fn rival(view: &View<'_>, own: &Deed) -> Option<(String, bool)> {
    let claim = view.claim;
    let is_labile = LABILE.iter().any(|word| stem(word) == claim.tokens[own.verb].stem);
    let mut found = None;
    for (sentence, p) in view.evidence.iter().enumerate() {
        let all = 0..p.tokens.len();
        let is_it = |at: &usize| p.items[*at].key == claim.items[own.verb].key;
        for verb in all.clone().filter(is_it) {
            // Whoever is named beside the doer may have done it, too; a noun leaves open who did it.
            let is_open = p.tokens[verb].pos != Pos::Verb
                || p.items[verb].negated
                || view.meets(&own.agent.0, sentence, &all);
            if is_open {
                return None;
            }
            let is_of_it = view.meets(&own.patient.0, sentence, &all);
            match doer(p, verb)? {
                Doer::Named(who) if view.meets(&own.patient.0, sentence, &who) => {
                    if is_labile {
                        return None;
                    }
                    found = found.or_else(|| Some((who::text(p, &who), false)));
                }
                Doer::Named(who) if is_of_it => {
                    if is_between(view, own, sentence, verb) {
                        return None;
                    }
                    found = Some((who::text(p, &who), true));
                }
                // What somebody else did to another thing.
                Doer::Named(_) => {}
                Doer::Pronoun(at) => {
                    let pronoun = &p.tokens[at];
                    if !is_of_it || !is_beside(view, &own.agent, &pronoun.lower) {
                        return None;
                    }
                    found = found.or_else(|| Some((pronoun.text.clone(), false)));
                }
            }
        }
    }
    found
}

/// A deed that the evidence tells of somebody else than the claim does.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !claim.negators.is_empty()
        || report.has(MismatchKind::Role)
        || report.has(MismatchKind::Entity)
    {
        return;
    }
    for own in who::deeds(claim) {
        // "J. Poe": which of them it is, an initial does not tell.
        let is_initial = own.agent.0.clone().any(|at| claim.tokens[at].lower.chars().count() == 1);
        let is_plain = !is_initial
            && is_named(claim, &own.agent)
            && is_named(claim, &own.patient)
            && !who::mutual(&claim.tokens[own.verb].stem);
        let Some((other, denies)) = rival(view, &own).filter(|_| is_plain) else { continue };
        report.checked(MismatchKind::Role);
        let name = who::text(claim, &own.agent.0);
        let verb = &claim.tokens[own.verb].text;
        let reason =
            format!("the claim says that {name} {verb}, the evidence tells it of “{other}”");
        report.add(MismatchKind::Role, own.agent.0, Some(other), denies, reason);
    }
}

/// What the claim says that something was done to: the verb and the last noun for the thing.
fn suffered(claim: &Prepared) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = who::deeds(claim)
        .iter()
        .filter_map(|deed| Some((deed.verb, deed.patient.0.end.checked_sub(1)?)))
        .collect();
    for verb in 0..claim.tokens.len() {
        let is_done = claim.tokens[verb].pos == Pos::Verb && who::is_passive(claim, verb);
        if !is_done || found.iter().any(|(known, _)| *known == verb) {
            continue;
        }
        let head = who::subject(claim, verb).and_then(|who| who.0.end.checked_sub(1));
        found.extend(head.map(|head| (verb, head)));
    }
    found
}

/// The word that says that a thing came through: "survived", "was spared", "remained intact".
fn came(p: &Prepared, thing: usize) -> Option<usize> {
    for at in (thing + 1..p.tokens.len()).take(NEAR) {
        match p.tokens[at].lower.as_str() {
            "survived" | "survives" | "escaped" | "escapes" | "withstood" | "spared" | "saved"
            | "unharmed" | "undamaged" | "unscathed" | "untouched" | "intact" => {
                return (!p.items[at].negated).then_some(at);
            }
            "remained" | "stayed" | "left" | "almost" => {}
            _ if matches!(p.tokens[at].pos, Pos::Aux | Pos::Adverb) => {}
            _ => return None,
        }
    }
    None
}

/// A thing that a claim says a deed was done to, where the evidence says that it came through while another did not.
pub(super) fn came_through(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !claim.negators.is_empty() {
        return;
    }
    for (verb, thing) in suffered(claim) {
        for home in &view.homes {
            let p = view.evidence[*home];
            let is_it = |at: &usize| p.items[*at].key == claim.items[verb].key;
            let mut told = (0..p.tokens.len()).filter(is_it);
            let Some(only) = told.next().filter(|_| told.next().is_none()) else { continue };
            // "The mill, which survived the war, was wrecked": that verb has its subject elsewhere.
            if who::subject(p, only).is_none() {
                continue;
            }
            let clause = p.items[only].clause;
            let spots: Vec<usize> =
                (0..p.tokens.len()).filter(|token| view.aligned(thing, *home, *token)).collect();
            if spots.iter().any(|at| p.items[*at].clause == clause) {
                continue;
            }
            let Some((spot, word)) = spots.iter().find_map(|at| Some((*at, came(p, *at)?))) else {
                continue;
            };
            report.checked(MismatchKind::Role);
            let other = who::text(p, &(spot..word + 1));
            let own = &claim.tokens[verb].text;
            let reason = format!("the claim says “{own}”, the evidence “{other}”");
            report.add(MismatchKind::Role, verb..verb + 1, Some(other), true, reason);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use elenchus_core::port::MismatchKind;

    fn role(claim: &str, evidence: &[&str]) -> Option<bool> {
        let found = run(claim, evidence).mismatches;
        found.iter().find(|m| m.kind == MismatchKind::Role).map(|m| m.contradicts)
    }

    #[test]
    fn a_deed_is_done_by_whom_it_is_told_of() {
        let film = [
            "Olaf Grimm plays the miller.",
            "The Miller is a Norvian film of 1972, directed by Sunniva Dahl.",
        ];
        assert_eq!(role("Olaf Grimm directed The Miller.", &film), Some(true));
        assert_eq!(role("Sunniva Dahl directed The Miller.", &film), None);
        // He may be one of several, or mean another film.
        let two = ["The Miller was directed by Sunniva Dahl and Olaf Grimm."];
        assert_eq!(role("Olaf Grimm directed The Miller.", &two), None);
        let other = ["Olaf Grimm plays the miller.", "Sunniva Dahl directed The Weir."];
        assert_eq!(role("Olaf Grimm directed The Miller.", &other), None);
    }

    #[test]
    fn who_stands_beside_her_is_not_she() {
        let life = [
            "She has directed six films, of which The Miller is the oldest.",
            "She is married to the singer Olaf Grimm.",
        ];
        assert_eq!(role("Olaf Grimm directed The Miller.", &life), Some(false));
        let open =
            ["He has directed six films, of which The Miller is the oldest.", "Olaf Grimm sang."];
        assert_eq!(role("Olaf Grimm directed The Miller.", &open), None);
    }

    #[test]
    fn who_acted_is_not_who_was_acted_on() {
        let told = [
            "Norvia invaded without a warning on 3 May 1911.",
            "The Long War was fought between Tessal and Norvia.",
        ];
        assert_eq!(role("Tessal invaded Norvia.", &told), Some(false));
        assert_eq!(role("Norvia invaded Tessal.", &told), None);
        // The works are what was closed.
        let works = ["Tessal Works closed in May.", "Norvia is the owner of Tessal Works."];
        assert_eq!(role("Norvia closed Tessal Works.", &works), None);
    }

    #[test]
    fn what_came_through_was_not_destroyed() {
        let storm = ["The storm of 1911 destroyed half of the harbour, but the mill survived."];
        assert_eq!(role("The mill was destroyed by the storm.", &storm), Some(true));
        assert_ne!(role("The harbour was destroyed by the storm.", &storm), Some(true));
        let later = ["The mill, which survived the flood, was destroyed by the storm."];
        assert_ne!(role("The mill was destroyed by the storm.", &later), Some(true));
        let both = ["The storm destroyed the harbour, and it destroyed the mill as well."];
        assert_ne!(role("The storm destroyed the mill.", &both), Some(true));
    }
}
