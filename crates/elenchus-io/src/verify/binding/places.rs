//! Which place belongs to which deed, and which is the end of a way: "born in Alm, died in Bree" for somebody who died in Alm.
//!
//! All words and all names of such a claim stand in the evidence. What it has otherwise is only which of them belong together.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who;
use crate::verify::tokens::Pos;
use elenchus_core::port::MismatchKind;
use std::ops::Range;

/// Tokens between a deed and the preposition of its place, at most: "born on 3 May 1889 in".
const REACH: usize = 6;

/// Tokens between a name and one that says where it lies, at most: a mark, a preposition and an article.
const BESIDE: usize = 3;

/// A sentence with less of the claim's words than this, by weight, tells of another way.
const ABOUT: f64 = 0.5;

/// A deed and the name of its place.
struct Place<'a> {
    deed: usize,
    preposition: &'a str,
    name: Range<usize>,
}

/// The name right behind a preposition, or behind the article that follows it.
fn name_behind(p: &Prepared, preposition: usize) -> Option<Range<usize>> {
    let is_article = p.tokens.get(preposition + 1).is_some_and(|token| token.lower == "the");
    let from = preposition + 1 + usize::from(is_article);
    let next = p.names.partition_point(|name| name.tokens.end <= from);
    let name = p.names.get(next).filter(|name| name.tokens.contains(&from))?;
    Some(name.tokens.clone())
}

/// The word that a phrase with a preposition belongs to: the nearest before it, with nothing but a time between them.
fn deed(p: &Prepared, preposition: usize) -> Option<usize> {
    let ends = |at: &usize| {
        matches!(p.items[*at].kind, Kind::Plain | Kind::Name) || p.tokens[*at].is_mark()
    };
    let at = (preposition.saturating_sub(REACH)..preposition).rev().find(ends)?;
    let is_deed = p.items[at].kind == Kind::Plain
        && !p.items[at].negated
        && !matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun);
    is_deed.then_some(at)
}

fn places(p: &Prepared) -> Vec<Place<'_>> {
    (0..p.tokens.len())
        .filter(|at| matches!(p.tokens[*at].lower.as_str(), "in" | "at" | "near"))
        .filter_map(|at| {
            let preposition = p.tokens[at].lower.as_str();
            Some(Place { deed: deed(p, at)?, preposition, name: name_behind(p, at)? })
        })
        .collect()
}

/// Whether somebody or something has only one place of such a deed.
fn is_done_once(lower: &str) -> bool {
    matches!(lower, "born" | "died" | "dies" | "buried" | "founded" | "built")
}

/// A place of the claim that the evidence gives to another deed, while the claim's deed has another place there.
pub(super) fn exchanged(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    if !claim.negators.is_empty() {
        return;
    }
    for own in places(claim) {
        let Some((told, is_of_it)) = another(view, &own) else { continue };
        report.checked(MismatchKind::Entity);
        let is_once = is_done_once(&claim.tokens[own.deed].lower);
        if is_once && is_of_it {
            report.surely();
        }
        let verb = &claim.tokens[own.deed].text;
        let place = who::text(claim, &own.name);
        let how = own.preposition;
        let reason =
            format!("the claim says “{verb} {how} {place}”, the evidence “{verb} {how} {told}”");
        report.add(MismatchKind::Entity, own.name, Some(told), is_once, reason);
    }
}

/// The place that the evidence gives to a deed in the stead of the claim's, and whether the sentence names who the claim is
/// about.
fn another(view: &View<'_>, own: &Place<'_>) -> Option<(String, bool)> {
    let claim = view.claim;
    let mut found = None;
    for (sentence, p) in view.evidence.iter().enumerate() {
        let there = places(p);
        let is_own = |place: &&Place<'_>| p.items[place.deed].key == claim.items[own.deed].key;
        // One sentence that has it so is enough.
        if there.iter().filter(is_own).any(|place| view.meets(&own.name, sentence, &place.name)) {
            return None;
        }
        let Some(told) = there.iter().filter(is_own).find(|p| p.preposition == own.preposition)
        else {
            continue;
        };
        // "Her aunt died in Alm": that is another's place.
        let is_used = |at: usize| view.is_used(sentence, at);
        if who::subject(p, told.deed).is_some_and(|who| !who.0.clone().any(is_used)) {
            continue;
        }
        // "Lived in Alm and Bree and worked in Bree": the name may belong to either.
        let is_of_other = |token: usize| {
            there
                .iter()
                .filter(|place| !is_own(place) && place.preposition == own.preposition)
                .any(|place| place.name.contains(&token))
        };
        let mut met = (0..p.tokens.len())
            .filter(|token| view.meets(&own.name, sentence, &(*token..*token + 1)))
            .peekable();
        if met.peek().is_some() && met.all(is_of_other) {
            let is_who = |at: usize| {
                claim.items[at].kind == Kind::Name
                    && !own.name.contains(&at)
                    && view.hits[at].iter().any(|hit| hit.sentence == sentence && !hit.opposite)
            };
            let is_of_it = (0..claim.tokens.len()).any(is_who);
            found = found.or_else(|| Some((who::text(p, &told.name), is_of_it)));
        }
    }
    found
}

/// The ends of the ways in a sentence: names behind "from", and names behind a word that says where to.
fn ends(p: &Prepared) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let behind = |is_it: fn(&str) -> bool| -> Vec<Range<usize>> {
        (0..p.tokens.len())
            .filter(|at| is_it(&p.tokens[*at].lower))
            .filter_map(|at| name_behind(p, at))
            .collect()
    };
    let goal = |lower: &str| matches!(lower, "to" | "into" | "at" | "in" | "towards" | "toward");
    (behind(|lower| lower == "from"), behind(goal))
}

/// Whether a text speaks of what has two ends and no direction: a road from Alm to Bree is one from Bree to Alm.
fn leads_both_ways(p: &Prepared) -> bool {
    p.tokens.iter().any(|token| {
        matches!(
            token.lower.as_str(),
            "between"
                | "distance"
                | "far"
                | "away"
                | "road"
                | "way"
                | "route"
                | "line"
                | "railway"
                | "border"
                | "path"
                | "bridge"
                | "canal"
                | "pipeline"
                | "cable"
                | "track"
                | "motorway"
                | "highway"
                | "tunnel"
                | "link"
                | "connection"
                | "stretch"
                | "differs"
                | "differ"
                | "different"
                | "return"
                | "returned"
                | "back"
        )
    })
}

/// A way that the evidence tells in the other direction: "from Bree to Alm", or a place that it comes from and that it goes to in
/// the evidence.
pub(super) fn turned(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let (from, to) = ends(claim);
    let [from] = from.as_slice() else { return };
    if !claim.negators.is_empty() || leads_both_ways(claim) {
        return;
    }
    let mut found = None;
    for (sentence, p) in view.evidence.iter().enumerate() {
        let (starts, goals) = ends(p);
        let has = |own: &Range<usize>, others: &[Range<usize>]| {
            others.iter().any(|other| view.meets(own, sentence, other))
        };
        let is_straight = has(from, &starts) || to.iter().any(|to| has(to, &goals));
        if is_straight {
            return;
        }
        // "From Alm in Bree" is from Bree as well.
        let is_apart = |goal: &Range<usize>| {
            let gap = |start: &Range<usize>| goal.start.checked_sub(start.end);
            starts.iter().all(|start| gap(start).is_none_or(|gap| gap > BESIDE))
        };
        let is_goal = |goal: &Range<usize>| is_apart(goal) && view.meets(from, sentence, goal);
        let is_turned = if to.is_empty() {
            !starts.is_empty() && goals.iter().any(is_goal)
        } else {
            has(from, &goals) && to.iter().any(|to| has(to, &starts))
        };
        if is_turned && view.overlap[sentence] >= ABOUT {
            found = found.or_else(|| starts.first().map(|start| who::text(p, start)));
        }
    }
    let Some(start) = found else { return };
    report.checked(MismatchKind::Role);
    // Women from Alm may go to Bree, and those from Bree to Alm; what went from Alm to Bree did not go from Bree to Alm.
    let is_led = |to: &Range<usize>| {
        let before = to.start.checked_sub(1).and_then(|at| claim.tokens.get(at));
        before.is_some_and(|token| matches!(token.lower.as_str(), "to" | "into"))
    };
    let denies = to.iter().any(is_led);
    let own = who::text(claim, from);
    let reason = format!("the claim says “from {own}”, the evidence “from {start}”");
    report.add(MismatchKind::Role, from.clone(), Some(start), denies, reason);
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::{kinds, run};
    use elenchus_core::port::MismatchKind;

    const LIFE: &str = "Runa Feld (born 4 June 1901 in Alm, died 2 May 1970 in Bree) was a weaver.";

    #[test]
    fn a_place_belongs_to_its_own_deed() {
        for claim in ["Runa Feld died in Alm.", "Runa Feld was born in Bree."] {
            let found = run(claim, &[LIFE]);
            assert!(found.contradicts() && found.against == Against::Surely, "{claim}: {found:?}");
        }
        for claim in ["Runa Feld died in Bree.", "Runa Feld was born in Alm."] {
            let found = run(claim, &[LIFE]);
            assert!(!found.contradicts() && found.against != Against::Surely, "{claim}: {found:?}");
        }
        let lived = "Runa Feld lived in Alm and worked in Bree.";
        let found = run("Runa Feld worked in Alm.", &[lived]).mismatches;
        assert!(found.iter().any(|m| !m.contradicts && m.reason.contains("Bree")), "{found:?}");
    }

    #[test]
    fn a_place_that_may_belong_to_either_is_left_open() {
        let said = |claim: &str, evidence: &[&str]| {
            let found = run(claim, evidence).mismatches;
            found.iter().any(|m| m.reason.contains("the evidence “"))
        };
        for (claim, evidence) in [
            ("Runa Feld lived in Bree.", "Runa Feld lived in Alm and Bree and worked in Bree."),
            ("Runa Feld was born in Bree.", "Runa Feld was born and raised in Bree."),
            ("Runa Feld died in Bree.", "Her aunt died in Alm, and Runa Feld died in Bree."),
            ("Runa Feld died in Bree.", "Her aunt died in Alm, and Runa Feld lived in Bree."),
        ] {
            assert!(!said(claim, &[evidence]), "{claim} | {evidence}");
        }
        let two = ["Runa Feld worked in Alm and lived in Bree.", "Later she also lived in Alm."];
        assert!(!said("Runa Feld lived in Alm.", &two));
    }

    #[test]
    fn a_way_has_a_direction() {
        let parcels = "Parcels from Alm Cross are sorted at Bree Wharf.";
        let claim = "Parcels from Bree Wharf are sorted at Alm Cross.";
        assert!(kinds(claim, parcels).contains(&MismatchKind::Role));
        assert!(!run(claim, &[parcels]).contradicts());
        let barge = "The barge carried peat from Alm Cross to Bree Wharf.";
        let found = run("The barge carried peat from Bree Wharf to Alm Cross.", &[barge]);
        assert!(found.contradicts(), "{found:?}");
        assert!(kinds("Parcels from Alm Cross are sorted at Bree Wharf.", parcels).is_empty());
        let start = "Parcels from Bree Wharf are sorted by hand.";
        let by_hand = "Parcels from Alm Cross are sorted by hand at Bree Wharf.";
        assert!(kinds(start, by_hand).contains(&MismatchKind::Role));
        for (claim, evidence) in [
            (start, "Parcels from Alm Cross in Bree Wharf are sorted."),
            ("The road from Alm to Bree is steep.", "The road from Bree to Alm is steep."),
            (
                "The ferry sails from Alm to Bree.",
                "The ferry sails from Bree to Alm and from Alm to Bree.",
            ),
        ] {
            assert!(!kinds(claim, evidence).contains(&MismatchKind::Role), "{claim} | {evidence}");
        }
    }
}
