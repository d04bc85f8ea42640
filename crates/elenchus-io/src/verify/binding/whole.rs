//! A deed that a document tells of its subject and of a part of it: "the school was founded in 1803" on the page of a town
//! that was founded in 1267. A claim that names the town speaks of the town.

use super::amounts::slice;
use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::when::{Stand, When, stand};
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;

/// Nouns by which a document calls its own subject again, by what that is.
const WHOLES: [&[&str]; 3] = [
    &[
        "city",
        "town",
        "village",
        "capital",
        "country",
        "state",
        "county",
        "province",
        "region",
        "island",
        "municipality",
        "settlement",
        "district",
        "borough",
        "parish",
        "kingdom",
        "republic",
    ],
    &[
        "company",
        "firm",
        "group",
        "corporation",
        "business",
        "enterprise",
        "charity",
        "club",
        "society",
        "association",
        "union",
        "party",
    ],
    &["film", "book", "novel", "play", "album", "opera", "series"],
];

/// Tokens between "is" and the noun that says what something is, at most.
const REACH: usize = 6;

/// Which kind of subject a noun may stand for.
fn whole(lower: &str) -> Option<usize> {
    WHOLES.iter().position(|nouns| nouns.contains(&lower))
}

/// What the subject of a verb is.
enum Subject {
    /// A definite common noun of which the claim has nothing: its token.
    Noun(usize),
    /// The claim's own subject, by name.
    Own,
    Unknown,
}

/// A verb of the claim with its subject, a name, and the time that it gives.
struct Deed<'a> {
    verb: usize,
    who: who::Chunk,
    date: &'a When,
}

fn deed(claim: &Prepared) -> Option<Deed<'_>> {
    let [date] = claim.dates.as_slice() else { return None };
    let mut verbs = (0..claim.tokens.len())
        .filter(|at| claim.tokens[*at].pos == Pos::Verb && claim.items[*at].kind == Kind::Plain);
    let verb = verbs.next().filter(|_| verbs.next().is_none())?;
    let who = who::subject(claim, verb)?;
    let is_name = who.0.clone().all(|at| claim.items[at].kind == Kind::Name);
    (is_name && who.0.start == 0).then_some(Deed { verb, who, date })
}

fn subject(view: &View<'_>, own: &Deed<'_>, sentence: usize, verb: usize) -> Subject {
    let p = view.evidence[sentence];
    let Some(found) = who::subject(p, verb) else { return Subject::Unknown };
    if found.0.clone().any(|t| own.who.0.clone().any(|at| view.aligned(at, sentence, t))) {
        return Subject::Own;
    }
    let is_the = found.0.start.checked_sub(1).is_some_and(|at| p.tokens[at].lower == "the");
    let is_common = found.0.clone().all(|at| p.items[at].kind == Kind::Plain);
    // "The school of Alm was founded": whose it is is said.
    let is_next = (found.0.end..verb).all(|at| matches!(p.tokens[at].pos, Pos::Aux | Pos::Adverb));
    let is_known = found.0.clone().any(|at| view.is_used(sentence, at));
    match found.0.end.checked_sub(1) {
        Some(head) if is_the && is_common && is_next && !is_known => Subject::Noun(head),
        _ => Subject::Unknown,
    }
}

/// Whether a sentence says that the claim's subject is of a kind: "Alm is the capital".
fn is_called(view: &View<'_>, own: &Deed<'_>, kind: usize) -> bool {
    view.evidence.iter().enumerate().any(|(sentence, p)| {
        let is_it = |at: usize| {
            let is_own =
                |token: usize| own.who.0.clone().any(|own| view.aligned(own, sentence, token));
            matches!(p.tokens[at].lower.as_str(), "is" | "was")
                && at.checked_sub(1).is_some_and(is_own)
                && p.tokens[at + 1..]
                    .iter()
                    .take(REACH)
                    .take_while(|token| !token.is_mark() && token.lower != "of")
                    .any(|token| whole(&token.lower) == Some(kind))
        };
        (0..p.tokens.len()).any(is_it)
    })
}

/// A time that the evidence gives for a part of what the claim names, and another one for that itself.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !claim.negators.is_empty() {
        return;
    }
    let Some(own) = deed(claim) else { return };
    let mut part: Option<String> = None;
    let mut itself: Option<(String, Option<usize>)> = None;
    for (sentence, p) in view.evidence.iter().enumerate() {
        for verb in 0..p.tokens.len() {
            if p.items[verb].key != claim.items[own.verb].key {
                continue;
            }
            let clause = p.items[verb].clause;
            let mut here =
                p.dates.iter().filter(|date| p.items[date.tokens.start].clause == clause);
            let Some(date) = here.next().filter(|_| here.next().is_none()) else { return };
            let is_stated = stand(own.date, date) == Stand::Within;
            let told = slice(p, &date.tokens);
            match subject(view, &own, sentence, verb) {
                Subject::Noun(head) => match (whole(&p.tokens[head].lower), is_stated) {
                    (None, true) => part = part.or_else(|| Some(p.tokens[head].text.clone())),
                    (Some(kind), false) => itself = itself.or(Some((told, Some(kind)))),
                    (Some(_), true) => return,
                    (None, false) => {}
                },
                _ if is_stated => return,
                Subject::Own => itself = itself.or(Some((told, None))),
                Subject::Unknown => {}
            }
        }
    }
    let (Some(part), Some((other, kind))) = (part, itself) else { return };
    report.checked(MismatchKind::Date);
    let when = slice(claim, &own.date.tokens);
    let denies = kind.is_none_or(|kind| is_called(view, &own, kind));
    let reason = format!("the claim says {when}, the evidence {other}; {when} is of the “{part}”");
    report.add(MismatchKind::Date, own.date.tokens.clone(), Some(other), denies, reason);
}

#[cfg(test)]
mod tests {
    use super::super::tests::run;
    use elenchus_core::port::{Mismatch, MismatchKind};

    fn date(claim: &str, evidence: &[&str]) -> Option<bool> {
        let found = run(claim, evidence).mismatches;
        let is_it = |m: &&Mismatch| m.kind == MismatchKind::Date;
        found.iter().find(is_it).map(|m| m.contradicts)
    }

    #[test]
    fn the_time_of_a_part_is_not_that_of_the_whole() {
        let school = "The school was founded in 1803.";
        let town = "The town was founded in 1267 by monks.";
        let claim = "Almstadt was founded in 1803.";
        let is = "Almstadt is a small town on the Ome.";
        assert_eq!(date(claim, &[school, town]), Some(false));
        assert_eq!(date(claim, &[school, town, is]), Some(true));
        assert_eq!(date("Almstadt was founded in 1267.", &[school, town, is]), None);
        // The page may be about the school, or name no rival.
        assert_eq!(date(claim, &[school, is]), None);
        let firm = ["The firm was founded in 1803.", "The school was founded in 1850."];
        assert_eq!(date("Almag was founded in 1803.", &firm), None);
        assert_eq!(date(claim, &["Almstadt was founded in 1803.", town]), None);
    }
}
