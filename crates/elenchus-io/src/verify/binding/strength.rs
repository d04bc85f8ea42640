//! Whether the claim says it as strongly as the evidence: quantifiers, hedges, causes.

use super::ground::View;
use super::lexicon;
use super::prepare::{Kind, Prepared};
use super::prospect;
use super::report::Report;
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;

/// A quantifier stands at most this many tokens before its noun.
const BEFORE_NOUN: usize = 4;

/// A modal verb stands at most this many tokens before its verb.
const BEFORE_VERB: usize = 4;

/// A sentence with less of the claim's words than this, by weight, is about something else.
const ABOUT: f64 = 0.4;

/// Hits weaker than this do not show how strongly a thing is said.
const FIRM: f32 = 0.95;

/// "All robots" where the evidence has "some robots"; "only" where it has nothing like it.
pub(super) fn quantifiers(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for at in 0..claim.tokens.len() {
        if lexicon::quantifier(&claim.tokens[at].lower).is_some_and(|level| level > 0) {
            quantifier(view, at, report);
        }
        let lower = claim.tokens[at].lower.as_str();
        let exclusive = matches!(lower, "only" | "solely" | "exclusively" | "sole");
        let before_number =
            claim.items.get(at + 1).is_some_and(|i| matches!(i.kind, Kind::Number | Kind::Date));
        let not_only = at > 0 && claim.tokens[at - 1].lower == "not";
        if exclusive && !before_number && !not_only {
            report.checked(MismatchKind::Quantifier);
            if view.homes.is_empty() || view.homes.iter().any(|s| view.evidence[*s].exclusive) {
                report.matched(MismatchKind::Quantifier);
            } else if view.homes.iter().take(2).any(|s| names_others(view.evidence[*s])) {
                let reason =
                    format!("the claim says “{lower}”, the evidence does not rule others out");
                report.add(MismatchKind::Quantifier, at..at + 1, None, false, reason);
            }
        }
    }
}

/// Words for all of a kind without an exception.
fn is_of_all(lower: &str) -> bool {
    matches!(lower, "all" | "every" | "each" | "any")
}

/// Where an exception begins in a sentence, at or after a token: "but not", "except", "apart from".
fn exception(p: &Prepared, from: usize) -> Option<usize> {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    let begins = |at: usize| match lower(at) {
        "except" | "excepting" | "excluding" => true,
        "but" => lower(at + 1) == "not",
        "apart" => lower(at + 1) == "from",
        "other" => lower(at + 1) == "than",
        "exception" => lower(at + 1) == "of",
        _ => false,
    };
    let end = (from..p.tokens.len()).find(|at| matches!(lower(*at), ";" | "."));
    (from..end.unwrap_or(p.tokens.len())).find(|at| begins(*at))
}

/// "All visitors" where the evidence goes on "but not those with dogs". A claim with an exception of its own is left alone.
pub(super) fn exceptions(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if exception(claim, 0).is_some() || !claim.negators.is_empty() {
        return;
    }
    for at in (0..claim.tokens.len()).filter(|at| is_of_all(&claim.tokens[*at].lower)) {
        let noun = (at + 1..claim.tokens.len())
            .take(BEFORE_NOUN)
            .find(|i| claim.items[*i].kind == Kind::Plain && claim.tokens[*i].pos == Pos::Noun);
        let Some(noun) = noun else { continue };
        let mut limited = None;
        for hit in view.hits[noun].iter().filter(|hit| {
            !hit.opposite && hit.strength >= FIRM && view.overlap[hit.sentence] >= ABOUT
        }) {
            let p = view.evidence[hit.sentence];
            let before = quantifier_of(p, hit.token);
            let is_of_whole = before.is_some_and(|(_, word)| is_of_all(&word.to_lowercase()));
            if !is_of_whole {
                continue;
            }
            match exception(p, hit.token + 1) {
                Some(from) => limited = limited.or(Some((p, from))),
                // Said of all, without an exception.
                None => return,
            }
        }
        if let Some((p, from)) = limited {
            let end =
                (from..p.tokens.len()).find(|at| p.tokens[*at].is_mark()).unwrap_or(p.tokens.len());
            let own = who::text(claim, &(at..noun + 1));
            let other = who::text(p, &(from..end));
            let reason = format!("the claim says “{own}”, the evidence goes on “{other}”");
            // What is taken out of the very things is denied of them; "except on Mondays" only limits what is said.
            let key = claim.items[noun].key;
            let is_denied = (from..end).any(|at| p.items[at].key == key);
            let kind = if is_denied { MismatchKind::Quantifier } else { MismatchKind::Hedge };
            report.checked(kind);
            report.add(kind, at..noun + 1, Some(other), is_denied, reason);
            return;
        }
    }
}

/// Whether a sentence says that there is more than one thing.
fn names_others(p: &Prepared) -> bool {
    p.tokens.iter().any(|t| {
        matches!(
            t.lower.as_str(),
            "also" | "other" | "others" | "another" | "including" | "both" | "several" | "and"
        )
    })
}

fn quantifier(view: &View<'_>, at: usize, report: &mut Report<'_>) {
    let claim = view.claim;
    let Some(level) = lexicon::quantifier(&claim.tokens[at].lower) else { return };
    let noun = (at + 1..claim.tokens.len())
        .take(BEFORE_NOUN)
        .find(|i| claim.items[*i].kind == Kind::Plain && claim.tokens[*i].pos == Pos::Noun);
    let Some(noun) = noun else { return };
    let mut other: Option<(u8, String)> = None;
    for hit in view.hits[noun].iter().filter(|hit| !hit.opposite && view.is_home(hit.sentence)) {
        let p = view.evidence[hit.sentence];
        let Some((found, word)) = quantifier_of(p, hit.token) else { continue };
        if found == level || level == 2 && found > 2 || level == 3 && found == 4 {
            report.checked(MismatchKind::Quantifier);
            report.matched(MismatchKind::Quantifier);
            return;
        }
        if other.as_ref().is_none_or(|(known, _)| *known < found) {
            other = Some((found, word));
        }
    }
    if let Some((found, word)) = other {
        report.checked(MismatchKind::Quantifier);
        // "Few" is no part of "all" but stands against "many".
        let contradicts = level.abs_diff(found) >= 2 || found == 0;
        let own = claim.tokens[at].text.clone();
        let reason = format!("the claim says “{own}”, the evidence “{word}”");
        report.add(MismatchKind::Quantifier, at..at + 1, Some(word), contradicts, reason);
    }
}

/// The quantifier that stands before a noun, with no other noun or verb between them.
fn quantifier_of(p: &Prepared, noun: usize) -> Option<(u8, String)> {
    for i in (0..noun).rev().take(BEFORE_NOUN) {
        let token = &p.tokens[i];
        if let Some(level) = lexicon::quantifier(&token.lower) {
            return Some((level, token.text.clone()));
        }
        if matches!(token.pos, Pos::Verb | Pos::Aux | Pos::Punctuation)
            || token.pos == Pos::Preposition && token.lower != "of"
        {
            return None;
        }
    }
    None
}

/// Boosters that the evidence lacks, hedges that the claim drops, causes made of associations.
pub(super) fn hedges(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for at in &claim.boosters {
        report.checked(MismatchKind::Hedge);
        let is_duty = claim.tokens[*at].lower == "must";
        let is_met = |s: &usize| {
            let p = view.evidence[*s];
            is_sure(p, view.overlap[*s] >= ABOUT) || is_duty && obliges(p)
        };
        if view.homes.iter().any(is_met) {
            report.matched(MismatchKind::Hedge);
        } else if !view.homes.is_empty() {
            let own = &claim.tokens[*at].text;
            let reason = format!("the claim says “{own}”, the evidence is not as sure");
            report.add(MismatchKind::Hedge, *at..*at + 1, None, false, reason);
        }
    }
    if claim.hedges {
        return;
    }
    dropped(view, report);
    causes(view, report);
}

/// Whether a sentence says what has to be without "must": "accepted at the front entrance only", "a badge is required".
fn obliges(p: &Prepared) -> bool {
    p.exclusive
        || p.tokens.iter().any(|t| {
            matches!(
                t.lower.as_str(),
                "required"
                    | "requires"
                    | "require"
                    | "obliged"
                    | "obligatory"
                    | "mandatory"
                    | "compulsory"
            )
        })
}

fn is_sure(p: &Prepared, about: bool) -> bool {
    !p.boosters.is_empty()
        || p.tokens.iter().any(|t| {
            matches!(
                t.lower.as_str(),
                "all"
                    | "every"
                    | "indeed"
                    | "never"
                    | "shall"
                    | "truly"
                    | "verily"
                    | "constantly"
                    | "forever"
                    | "continually"
                    | "evermore"
                    | "invariable"
            ) || about && matches!(t.stem.as_str(), "confirm" | "demonstr" | "establish" | "evid")
        })
}

/// The claim's verb stands under a "may" wherever the evidence has it.
fn dropped(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for at in 0..claim.tokens.len() {
        if claim.items[at].kind != Kind::Plain
            || !matches!(claim.tokens[at].pos, Pos::Verb | Pos::Adjective | Pos::Noun)
        {
            continue;
        }
        let done = prospect::is_done(claim, at);
        let mut modal = None;
        let mut plain = false;
        for hit in view.hits[at]
            .iter()
            .filter(|h| h.strength >= FIRM && !h.opposite && view.is_home(h.sentence))
        {
            let p = view.evidence[hit.sentence];
            if view.overlap[hit.sentence] < ABOUT {
                continue;
            }
            match modal_of(p, hit.token).or_else(|| proposal_of(p, hit.token)) {
                Some(word) => modal = Some((hit, word, false)),
                None => match prospect::expected(p, hit.token).filter(|_| done) {
                    Some(word) => modal = Some((hit, word, true)),
                    None => plain = true,
                },
            }
        }
        if let Some((hit, word, is_ahead)) = modal.filter(|_| !plain) {
            report.checked(MismatchKind::Hedge);
            let p = view.evidence[hit.sentence];
            let own = &claim.tokens[at].text;
            let (other, reason) = if is_ahead {
                let other = who::text(p, &(word..hit.token + 1));
                let reason = format!("the claim says “{own}”, the evidence only “{other}”");
                (other, reason)
            } else {
                let other = p.tokens[word].text.clone();
                let reason = format!("the claim says “{own}”, the evidence only “{other} {own}”");
                (other, reason)
            };
            report.add(MismatchKind::Hedge, at..at + 1, Some(other), false, reason);
            return;
        }
    }
}

/// The hedge right before a verb or what it says of its subject: "may cause", "is likely to be fatal".
fn modal_of(p: &Prepared, at: usize) -> Option<usize> {
    for i in (0..at).rev().take(BEFORE_VERB) {
        let token = &p.tokens[i];
        if lexicon::is_modal(&token.lower, &token.stem) && p.items[i].kind != Kind::Date {
            return Some(i);
        }
        if matches!(
            token.pos,
            Pos::Noun | Pos::ProperNoun | Pos::Verb | Pos::Punctuation | Pos::Conjunction
        ) {
            return None;
        }
    }
    None
}

/// Who only proposes that something be done: "proposed that the roof be replaced", "recommended to replace it".
fn proposal_of(p: &Prepared, at: usize) -> Option<usize> {
    let found = (0..at).rev().find(|i| {
        let to_what = p.tokens[i + 1..at]
            .iter()
            .take(2)
            .any(|t| matches!(t.lower.as_str(), "that" | "to" | "whether"));
        to_what && lexicon::proposes(&p.tokens[*i].lower)
    })?;
    // What follows a full sentence or a contrast is no longer what was proposed.
    let ends = |word: &str| matches!(word, ";" | "." | "but" | "and");
    p.tokens[found..at].iter().all(|t| !ends(&t.lower)).then_some(found)
}

/// "Causes" where the evidence has "is associated with".
fn causes(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let causal = |p: &Prepared| {
        (0..p.tokens.len()).find(|i| lexicon::is_causal(&p.tokens[*i].lower, &p.tokens[*i].stem))
    };
    let Some(at) = causal(claim) else { return };
    if view.homes.iter().any(|s| causal(view.evidence[*s]).is_some()) {
        return;
    }
    let link = view.homes.iter().take(2).find_map(|s| {
        let p = view.evidence[*s];
        let token = p.tokens.iter().position(|t| lexicon::is_association(&t.stem))?;
        Some(p.tokens[token].text.clone())
    });
    if let Some(other) = link {
        report.checked(MismatchKind::Hedge);
        let own = &claim.tokens[at].text;
        let reason = format!("the claim says “{own}”, the evidence only “{other}”");
        report.add(MismatchKind::Hedge, at..at + 1, Some(other), false, reason);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::kinds;
    use elenchus_core::port::MismatchKind;

    #[test]
    fn what_is_allowed_nowhere_else_is_a_duty() {
        let has_hedge = |evidence: &str| {
            kinds("Lorries must use the north gate.", evidence).contains(&MismatchKind::Hedge)
        };
        assert!(!has_hedge("Lorries are admitted at the north gate only."));
        assert!(!has_hedge("Lorries are required to use the north gate."));
        assert!(has_hedge("Lorries are admitted at the north gate."));
    }
}
