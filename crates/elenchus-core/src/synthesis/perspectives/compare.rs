//! What points of several lenses have in common. A model may say which of them say the same and which pull apart;
//! whether that counts is decided by the facts that they rest on and by what the verifier found.

use super::{Agreement, Consensus, Overlap, Perspectives, Point, Tension, View};
use crate::belief::Verdict;
use crate::id::{ClaimId, FactId, PointId};
use crate::prompt::{PerspectiveSynthesis, PointStance};
use std::collections::{BTreeMap, BTreeSet};

/// Which statements of the answer a fact bears on.
pub(crate) type Subjects = BTreeMap<FactId, BTreeSet<ClaimId>>;

/// A point with what is compared of it. `at` is its place among all points.
struct Seen<'p> {
    at: usize,
    lens: usize,
    point: &'p Point,
    facts: BTreeSet<&'p FactId>,
    claims: BTreeSet<&'p ClaimId>,
}

impl Seen<'_> {
    /// What the sources contradict takes part in no agreement.
    fn may_agree(&self) -> bool {
        self.point.verdict != Verdict::Contradicted
    }
}

/// Fills in consensus, tensions, unique points and overlaps. What of `proposed` does not count is returned in words.
/// Nothing depends on the order in which a point names its facts.
pub(crate) fn compare(
    perspectives: &mut Perspectives,
    proposed: &PerspectiveSynthesis,
    subjects: &Subjects,
) -> Vec<String> {
    let (consensus, tensions, unique, refused) = {
        let seen = seen(&perspectives.views, subjects);
        let mut refused = Vec::new();
        let groups = groups(&seen, proposed, &mut refused);
        let consensus = consensus(&perspectives.views, &seen, &groups);
        let tensions = tensions(&perspectives.views, &seen, proposed, &mut refused);
        let placed: BTreeSet<&PointId> = consensus
            .iter()
            .flat_map(|one| &one.points)
            .chain(tensions.iter().flat_map(|one| &one.points))
            .collect();
        let unique = seen
            .iter()
            .map(|seen| &seen.point.id)
            .filter(|id| !placed.contains(id))
            .cloned()
            .collect();
        (consensus, tensions, unique, refused)
    };
    perspectives.overlap = overlaps(&perspectives.views);
    perspectives.consensus = consensus;
    perspectives.tensions = tensions;
    perspectives.unique = unique;
    refused
}

fn seen<'p>(views: &'p [View], subjects: &'p Subjects) -> Vec<Seen<'p>> {
    views
        .iter()
        .enumerate()
        .flat_map(|(lens, view)| view.points.iter().map(move |point| (lens, point)))
        .enumerate()
        .map(|(at, (lens, point))| Seen {
            at,
            lens,
            point,
            facts: point.facts().collect(),
            claims: point.facts().filter_map(|fact| subjects.get(fact)).flatten().collect(),
        })
        .collect()
}

fn find<'s, 'p>(seen: &'s [Seen<'p>], id: &PointId) -> Option<&'s Seen<'p>> {
    seen.iter().find(|seen| seen.point.id == *id)
}

fn lenses(seen: &[Seen<'_>], group: &BTreeSet<usize>) -> BTreeSet<usize> {
    group.iter().filter_map(|at| seen.get(*at)).map(|seen| seen.lens).collect()
}

fn named(points: &[PointId]) -> String {
    points.iter().map(PointId::as_str).collect::<Vec<_>>().join(", ")
}

/// The model's groups that may count: points of two lenses that the sources do not contradict and that do not take
/// opposed stances.
fn groups(
    seen: &[Seen<'_>],
    proposed: &PerspectiveSynthesis,
    refused: &mut Vec<String>,
) -> Vec<BTreeSet<usize>> {
    let mut kept: Vec<BTreeSet<usize>> = Vec::new();
    for points in &proposed.groups {
        let known: Vec<&Seen<'_>> = points.iter().filter_map(|id| find(seen, id)).collect();
        let group: BTreeSet<usize> =
            known.iter().filter(|seen| seen.may_agree()).map(|seen| seen.at).collect();
        let stances = |stance: PointStance| group.iter().any(|at| seen[*at].point.stance == stance);
        let names = named(points);
        if lenses(seen, &group).len() < 2 {
            let contradicted = known.iter().any(|seen| !seen.may_agree());
            refused.push(if contradicted {
                format!("{names}: what the sources contradict is no agreement")
            } else {
                format!("{names}: not points of two lenses")
            });
        } else if stances(PointStance::Supports) && stances(PointStance::Opposes) {
            refused.push(format!("{names}: they are said to agree and take opposed stances"));
        } else {
            kept.push(group);
        }
    }
    kept
}

/// Points of two lenses that take the same fact the same way, and the model's groups; of sets that lie in each other
/// the widest.
fn consensus(views: &[View], seen: &[Seen<'_>], groups: &[BTreeSet<usize>]) -> Vec<Consensus> {
    let mut by_fact: BTreeMap<(&FactId, PointStance), BTreeSet<usize>> = BTreeMap::new();
    for one in seen.iter().filter(|seen| seen.may_agree()) {
        for fact in &one.facts {
            by_fact.entry((fact, one.point.stance)).or_default().insert(one.at);
        }
    }
    let mut all: BTreeSet<BTreeSet<usize>> =
        by_fact.into_values().filter(|group| lenses(seen, group).len() > 1).collect();
    all.extend(groups.iter().cloned());
    let widest: Vec<&BTreeSet<usize>> = all
        .iter()
        .filter(|group| !all.iter().any(|other| other != *group && group.is_subset(other)))
        .collect();
    let mut found: Vec<(usize, &BTreeSet<usize>)> =
        widest.into_iter().map(|group| (lenses(seen, group).len(), group)).collect();
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    found
        .into_iter()
        .map(|(_, group)| {
            let facts = shared_facts(seen, group);
            let same_statement = groups.iter().any(|other| group.is_subset(other));
            Consensus {
                points: group.iter().map(|at| seen[*at].point.id.clone()).collect(),
                lenses: ids(views, lenses(seen, group)),
                by: match (same_statement, facts.is_empty()) {
                    (true, true) => Agreement::SameStatement,
                    (true, false) => Agreement::Both,
                    (false, _) => Agreement::SameEvidence,
                },
                facts,
            }
        })
        .collect()
}

/// Facts that points of at least two lenses of a group rest on, in the order of their numbers.
fn shared_facts(seen: &[Seen<'_>], group: &BTreeSet<usize>) -> Vec<FactId> {
    let mut by: BTreeMap<&FactId, BTreeSet<usize>> = BTreeMap::new();
    for one in group.iter().filter_map(|at| seen.get(*at)) {
        for fact in &one.facts {
            by.entry(fact).or_default().insert(one.lens);
        }
    }
    in_order(by.into_iter().filter(|(_, lenses)| lenses.len() > 1).map(|(fact, _)| fact))
}

/// `f2` before `f10`.
pub(super) fn in_order<'f>(facts: impl Iterator<Item = &'f FactId>) -> Vec<FactId> {
    let mut facts: Vec<FactId> = facts.cloned().collect();
    facts.sort_by(|a, b| a.0.len().cmp(&b.0.len()).then_with(|| a.cmp(b)));
    facts.dedup();
    facts
}

fn ids(views: &[View], lenses: BTreeSet<usize>) -> Vec<String> {
    lenses.into_iter().filter_map(|at| views.get(at)).map(|view| view.lens.clone()).collect()
}

/// Pairs of points of two lenses about the same facts or statements: those with opposed stances, and of those with
/// different ones the pairs that the model names. In the order of the points.
fn tensions(
    views: &[View],
    seen: &[Seen<'_>],
    proposed: &PerspectiveSynthesis,
    refused: &mut Vec<String>,
) -> Vec<Tension> {
    let mut why: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for tension in &proposed.tensions {
        let mut places: Vec<usize> =
            tension.points.iter().filter_map(|id| find(seen, id)).map(|seen| seen.at).collect();
        places.sort_unstable();
        if let [a, b] = places[..]
            && a != b
        {
            let words = why.entry((a, b)).or_default();
            if words.is_empty() {
                *words = &tension.why;
            }
        } else {
            refused.push(format!("{}: not two points", named(&tension.points)));
        }
    }
    let mut found = Vec::new();
    for (at, a) in seen.iter().enumerate() {
        for b in &seen[at + 1..] {
            let words = why.remove(&(a.at, b.at));
            let (one, other) = (a.point.stance, b.point.stance);
            let facts = in_order(a.facts.intersection(&b.facts).copied());
            let claims: Vec<ClaimId> =
                a.claims.intersection(&b.claims).map(|claim| (*claim).clone()).collect();
            let apart = one.opposes(other) || (words.is_some() && one != other);
            if a.lens != b.lens && apart && !(facts.is_empty() && claims.is_empty()) {
                found.push(Tension {
                    points: vec![a.point.id.clone(), b.point.id.clone()],
                    lenses: ids(views, BTreeSet::from([a.lens, b.lens])),
                    facts,
                    claims,
                    why: words.filter(|why| !why.is_empty()).map(str::to_owned),
                });
            } else if words.is_some() {
                let what = if a.lens == b.lens {
                    "points of one lens are no tension between two"
                } else if one == other {
                    "both stand to the answer in the same way"
                } else {
                    "they rest on different evidence about different statements"
                };
                refused.push(format!("{}, {}: {what}", a.point.id, b.point.id));
            }
        }
    }
    found
}

/// Each pair of lenses that has points.
fn overlaps(views: &[View]) -> Vec<Overlap> {
    let sets: Vec<(&View, BTreeSet<&FactId>)> = views
        .iter()
        .filter(|view| !view.points.is_empty())
        .map(|view| (view, view.points.iter().flat_map(Point::facts).collect()))
        .collect();
    let mut overlaps = Vec::new();
    for (at, (first, a)) in sets.iter().enumerate() {
        for (second, b) in &sets[at + 1..] {
            let shared = in_order(a.intersection(b).copied());
            let all = a.union(b).count();
            overlaps.push(Overlap {
                lenses: vec![first.lens.clone(), second.lens.clone()],
                only_first: in_order(a.difference(b).copied()),
                only_second: in_order(b.difference(a).copied()),
                jaccard: if all == 0 { 0.0 } else { shared.len() as f64 / all as f64 },
                shared,
            });
        }
    }
    overlaps
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
