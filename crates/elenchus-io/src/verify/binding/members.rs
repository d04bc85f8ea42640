//! Figures that are shared out over the members of a list: "a ticket costs £16 for an adult and £9 for a child".
//!
//! Every word of "it costs £16 for a child" stands there, and the figure too; it belongs to the other member.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::quantity::{Fit, Quantity, fits};
use super::report::Report;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;

/// A sentence with less of the claim's words than this, by weight, shares out something else.
const ABOUT: f64 = 0.6;

/// A figure with the words for whom or what it is.
struct Member<'a> {
    quantity: &'a Quantity,
    preposition: &'a str,
    /// Stems of the nouns behind it.
    words: Vec<&'a str>,
}

fn is_comparable(a: &Quantity, b: &Quantity) -> bool {
    let units = match (a.unit, b.unit) {
        (Some(a), Some(b)) => a.comparable(b),
        (None, None) => true,
        _ => false,
    };
    units && a.ordinal == b.ordinal
}

/// The nouns of the phrase behind a preposition, as stems.
fn phrase(p: &Prepared, from: usize, end: usize) -> Vec<&str> {
    let inner = |at: &usize| {
        matches!(
            p.tokens[*at].pos,
            Pos::Determiner | Pos::Adjective | Pos::Noun | Pos::ProperNoun | Pos::Numeral
        )
    };
    (from..end.min(p.tokens.len()))
        .take_while(inner)
        .filter(|at| matches!(p.items[*at].kind, Kind::Plain | Kind::Name))
        .map(|at| p.tokens[at].stem.as_str())
        .collect()
}

fn is_preposition(lower: &str) -> bool {
    matches!(lower, "for" | "in" | "on" | "at" | "to" | "from" | "with" | "by")
}

/// The figure with the first preposition behind it and before the next figure.
fn member<'a>(p: &'a Prepared, quantity: &'a Quantity, end: usize) -> Option<Member<'a>> {
    let at = (quantity.tokens.end..end.min(p.tokens.len()))
        .find(|at| is_preposition(&p.tokens[*at].lower))?;
    let words = phrase(p, at + 1, end);
    let preposition = p.tokens[at].lower.as_str();
    (!words.is_empty()).then_some(Member { quantity, preposition, words })
}

/// The members of the list in a sentence that a figure of the claim may belong to, if all its figures of that kind are in it.
fn members<'a>(p: &'a Prepared, own: &Quantity) -> Vec<Member<'a>> {
    let alike: Vec<&Quantity> = p.quantities.iter().filter(|q| is_comparable(q, own)).collect();
    let is_listed = |q: &Quantity| {
        let before = q.tokens.start.checked_sub(1).and_then(|at| p.tokens.get(at));
        before.is_some_and(|token| matches!(token.lower.as_str(), "and" | "," | ";" | "but"))
    };
    if alike.len() < 2 || !alike.iter().skip(1).all(|q| is_listed(q)) {
        return Vec::new();
    }
    let found: Option<Vec<Member<'_>>> = alike
        .iter()
        .copied()
        .enumerate()
        .map(|(n, q)| {
            let end = alike.get(n + 1).map_or(p.tokens.len(), |next| next.tokens.start);
            member(p, q, end)
        })
        .collect();
    let mut found = found.unwrap_or_default();
    if found.iter().any(|one| one.preposition != found[0].preposition) {
        found.clear();
    }
    found
}

/// The member that a claim names, if it names no other one.
fn named<'m, 'a>(claim: &Prepared, members: &'m [Member<'a>]) -> Option<&'m Member<'a>> {
    let preposition = members.first()?.preposition;
    let phrases: Vec<&str> = (0..claim.tokens.len())
        .filter(|at| claim.tokens[*at].lower == preposition)
        .flat_map(|at| phrase(claim, at + 1, claim.tokens.len()))
        .collect();
    let is_own = |n: usize, word: &str| {
        members.iter().enumerate().all(|(other, one)| other == n || !one.words.contains(&word))
    };
    let has = |n: usize, said: &dyn Fn(&str) -> bool| {
        members[n].words.iter().any(|word| is_own(n, word) && said(word))
    };
    let anywhere = |word: &str| claim.tokens.iter().any(|token| token.stem == word);
    let mut spoken_of = (0..members.len()).filter(|n| has(*n, &anywhere));
    let only = spoken_of.next().filter(|_| spoken_of.next().is_none())?;
    has(only, &|word: &str| phrases.contains(&word)).then(|| &members[only])
}

/// A figure of the claim that the evidence gives to another member than the claim does.
pub(super) fn another(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !claim.negators.is_empty() {
        return;
    }
    for own in claim.quantities.iter().filter(|q| q.figure && !q.ordinal) {
        let is_lone = claim.quantities.iter().filter(|q| is_comparable(q, own)).nth(1).is_none();
        if !is_lone {
            continue;
        }
        let holds = |q: &Quantity| is_comparable(q, own) && fits(own, q) == Fit::Holds;
        for sentence in &view.homes {
            let p = view.evidence[*sentence];
            let found = members(p, own);
            let Some(asked) = named(claim, &found) else { continue };
            // Another sentence may have the figure for the claim's own member.
            let is_elsewhere = view
                .evidence
                .iter()
                .enumerate()
                .any(|(other, p)| other != *sentence && p.quantities.iter().any(holds));
            let is_swapped = !holds(asked.quantity)
                && found.iter().any(|one| holds(one.quantity))
                && view.overlap[*sentence] >= ABOUT;
            if !is_swapped || is_elsewhere {
                continue;
            }
            let figure = super::amounts::slice(claim, &own.tokens);
            let other = super::amounts::slice(p, &asked.quantity.tokens);
            let whom = asked.words.join(" ");
            let how = asked.preposition;
            let reason = format!("the claim says {figure}, the evidence {other} {how} “{whom}”");
            report.surely();
            report.add(MismatchKind::Number, own.tokens.clone(), Some(other), true, reason);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    const TICKETS: &str =
        "A ticket for the ferry costs £16.50 a day for an adult and £9 a day for a child.";

    #[test]
    fn a_figure_belongs_to_its_own_member() {
        let wrong = run("A ticket for the ferry costs £16.50 a day for a child.", &[TICKETS]);
        assert!(wrong.contradicts() && wrong.against == Against::Surely, "{wrong:?}");
        let wrong = run("A ticket for the ferry costs £9 a day for an adult.", &[TICKETS]);
        assert!(wrong.contradicts() && wrong.against == Against::Surely, "{wrong:?}");
        for right in [
            "A ticket for the ferry costs £9 a day for a child.",
            "A ticket for the ferry costs £16.50 a day for an adult.",
        ] {
            let found = run(right, &[TICKETS]);
            assert!(!found.contradicts() && found.against != Against::Surely, "{found:?}");
        }
    }

    #[test]
    fn a_list_that_may_be_read_otherwise_denies_nothing() {
        for (claim, evidence) in [
            // Another sentence has it.
            (
                "A ticket for the ferry costs £16.50 a day for a child.",
                vec![TICKETS, "In August it is £16.50 a day for a child."],
            ),
            // Neither of the members is meant, or both are.
            ("A ticket for the ferry costs £16.50 a day.", vec![TICKETS]),
            ("A ticket for the ferry costs £16.50 a day for an adult with a child.", vec![TICKETS]),
            ("A ticket for the ferry does not cost £16.50 a day for a child.", vec![TICKETS]),
        ] {
            let found = run(claim, &evidence);
            assert_ne!(found.against, Against::Surely, "{claim:?}: {found:?}");
        }
    }
}
