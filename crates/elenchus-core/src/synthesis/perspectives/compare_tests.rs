//! Grouping by code: what the facts, the stances and the verdicts allow.

use super::*;
use crate::evidence::Span;
use crate::id::{PassageId, SourceId};
use crate::prompt::ProposedTension;
use crate::synthesis::perspectives::PointQuote;
use PointStance::{Opposes, Qualifies, Supports};
use proptest::prelude::*;

const STANCES: [PointStance; 3] = [Supports, Opposes, Qualifies];

fn quote(fact: &str) -> PointQuote {
    PointQuote {
        fact_id: FactId::from(fact),
        source_id: SourceId::from("src_1"),
        path: "a.md".to_owned(),
        location: "a.md".to_owned(),
        passage_id: PassageId::from("src_1#0"),
        quote: fact.to_owned(),
        span: Span { start: 0, end: 1 },
        table_header: vec![],
    }
}

/// Lenses `l0`, `l1`, ...; of each the stance and the facts of its points.
fn views(lenses: &[&[(PointStance, &[&str])]]) -> Perspectives {
    let mut next = 0;
    let views = lenses
        .iter()
        .enumerate()
        .map(|(at, points)| View {
            lens: format!("l{at}"),
            name: format!("Lens {at}"),
            stance: String::new(),
            failed: None,
            would_change: None,
            facts: vec![],
            evidence_share: 0.0,
            points: points
                .iter()
                .map(|(stance, facts)| {
                    next += 1;
                    Point {
                        id: PointId(format!("v{next}")),
                        statement: format!("Point {next}."),
                        stance: *stance,
                        quotes: facts.iter().map(|fact| quote(fact)).collect(),
                        verdict: Verdict::Entailed,
                        reasoning: String::new(),
                    }
                })
                .collect(),
        })
        .collect();
    Perspectives { views, ..Perspectives::default() }
}

fn point<'p>(perspectives: &'p mut Perspectives, id: &str) -> &'p mut Point {
    perspectives
        .views
        .iter_mut()
        .flat_map(|view| &mut view.points)
        .find(|point| point.id.as_str() == id)
        .unwrap()
}

fn group(points: &[&str]) -> Vec<PointId> {
    points.iter().map(|id| PointId::from(*id)).collect()
}

fn proposed(groups: &[&[&str]], tensions: &[(&str, &str, &str)]) -> PerspectiveSynthesis {
    PerspectiveSynthesis {
        groups: groups.iter().map(|ids| group(ids)).collect(),
        tensions: tensions
            .iter()
            .map(|(a, b, why)| ProposedTension { points: group(&[a, b]), why: (*why).to_owned() })
            .collect(),
        unique: vec![],
    }
}

fn agreeing(perspectives: &Perspectives) -> Vec<(String, Agreement)> {
    perspectives.consensus.iter().map(|one| (named(&one.points), one.by)).collect()
}

fn apart(perspectives: &Perspectives) -> Vec<String> {
    perspectives.tensions.iter().map(|one| named(&one.points)).collect()
}

#[test]
fn the_same_quote_taken_the_same_way_is_agreement() {
    let mut p = views(&[
        &[(Supports, &["f1", "f2"]), (Opposes, &["f3"])],
        &[(Supports, &["f1"])],
        &[(Qualifies, &["f1"]), (Supports, &["f4"])],
    ]);
    assert_eq!(compare(&mut p, &PerspectiveSynthesis::default(), &Subjects::new()), [""; 0]);
    assert_eq!(agreeing(&p), [("v1, v3".to_owned(), Agreement::SameEvidence)]);
    assert_eq!(p.consensus[0].facts, [FactId::from("f1")]);
    assert_eq!(p.consensus[0].lenses, ["l0", "l1"]);
    assert_eq!(apart(&p), [""; 0]);
    assert_eq!(named(&p.unique), "v2, v4, v5");
    let of = |at: usize| (p.overlap[at].jaccard * 100.0).round() as i32;
    assert_eq!((of(0), of(1), of(2)), (33, 25, 50));
    assert_eq!(p.overlap[1].only_second, [FactId::from("f4")]);
}

#[test]
fn a_models_group_counts_unless_stances_or_sources_speak_against_it() {
    let mut p = views(&[
        &[(Supports, &["f1"]), (Opposes, &["f2"])],
        &[(Supports, &["f3"]), (Supports, &["f5"])],
        &[(Qualifies, &["f4"])],
    ]);
    let said = proposed(&[&["v1", "v3", "v5"], &["v2", "v4"], &["v1", "v2"], &["v9", "v1"]], &[]);
    let refused = compare(&mut p, &said, &Subjects::new());
    assert_eq!(agreeing(&p), [("v1, v3, v5".to_owned(), Agreement::SameStatement)]);
    assert!(p.consensus[0].facts.is_empty());
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert!(refused[0].contains("opposed stances"));
    // What the sources contradict takes part in nothing.
    point(&mut p, "v3").verdict = Verdict::Contradicted;
    compare(&mut p, &said, &Subjects::new());
    assert_eq!(agreeing(&p), [("v1, v5".to_owned(), Agreement::SameStatement)]);
    point(&mut p, "v5").verdict = Verdict::Contradicted;
    let refused = compare(&mut p, &said, &Subjects::new());
    assert_eq!(agreeing(&p), []);
    assert!(refused[0].contains("the sources contradict"), "{refused:?}");
    // What is merely not borne out, or was not checked, is no contradiction.
    point(&mut p, "v3").verdict = Verdict::Neutral { reason: None };
    point(&mut p, "v5").verdict = Verdict::Unchecked { reason: "no verifier".to_owned() };
    compare(&mut p, &said, &Subjects::new());
    assert_eq!(p.consensus.len(), 1);
}

#[test]
fn of_groups_within_each_other_the_widest_stands() {
    let mut p = views(&[&[(Supports, &["f1"])], &[(Supports, &["f1"])], &[(Supports, &["f2"])]]);
    compare(&mut p, &proposed(&[&["v3", "v1", "v2"]], &[]), &Subjects::new());
    assert_eq!(agreeing(&p), [("v1, v2, v3".to_owned(), Agreement::Both)]);
    compare(&mut p, &proposed(&[&["v1", "v2"]], &[]), &Subjects::new());
    assert_eq!(agreeing(&p), [("v1, v2".to_owned(), Agreement::Both)]);
}

#[test]
fn tensions_need_one_matter_and_two_lenses() {
    let mut p = views(&[
        &[(Opposes, &["f1"]), (Supports, &["f2"])],
        &[(Supports, &["f1"]), (Qualifies, &["f2"])],
        &[(Opposes, &["f3"])],
    ]);
    // Opposed stances on one fact need no model.
    compare(&mut p, &PerspectiveSynthesis::default(), &Subjects::new());
    assert_eq!(apart(&p), ["v1, v3"]);
    assert_eq!(p.tensions[0].why, None);
    // A model may name a pair of different stances on one fact, and give words.
    let said = proposed(
        &[],
        &[
            ("v3", "v1", "Whether the log can be trusted."),
            ("v2", "v4", ""),
            ("v1", "v2", "One lens against itself."),
            ("v1", "v5", "Both oppose."),
            ("v3", "v5", "They never met."),
            ("v7", "v8", "Nobody."),
        ],
    );
    let refused = compare(&mut p, &said, &Subjects::new());
    assert_eq!(apart(&p), ["v1, v3", "v2, v4"]);
    assert_eq!(p.tensions[0].why.as_deref(), Some("Whether the log can be trusted."));
    assert_eq!(p.tensions[1].why, None);
    assert_eq!(refused.len(), 4, "{refused:?}");
    // Different facts behind one statement of the answer, or behind two that conflict, are one matter.
    let claim = |id: &str| BTreeSet::from([ClaimId::from(id)]);
    let subjects =
        Subjects::from([(FactId::from("f1"), claim("c1")), (FactId::from("f3"), claim("c1"))]);
    compare(&mut p, &said, &subjects);
    assert_eq!(apart(&p), ["v1, v3", "v2, v4", "v3, v5"]);
    assert_eq!(p.tensions[2].claims, [ClaimId::from("c1")]);
    assert!(p.tensions[2].facts.is_empty() && p.unique.is_empty());
}

/// Points of up to three lenses on facts `f0` to `f5`.
fn any_views() -> impl Strategy<Value = Vec<Vec<(usize, Vec<usize>)>>> {
    let point = (0usize..3, prop::collection::vec(0usize..6, 1..4));
    prop::collection::vec(prop::collection::vec(point, 0..4), 1..4)
}

fn built(drawn: &[Vec<(usize, Vec<usize>)>], name: &dyn Fn(usize) -> String) -> Perspectives {
    let names: Vec<Vec<(PointStance, Vec<String>)>> = drawn
        .iter()
        .map(|points| {
            points
                .iter()
                .map(|(stance, facts)| {
                    let facts = facts.iter().map(|fact| name(*fact)).collect();
                    (STANCES[*stance], facts)
                })
                .collect()
        })
        .collect();
    let borrowed: Vec<Vec<(PointStance, Vec<&str>)>> = names
        .iter()
        .map(|points| {
            points.iter().map(|(s, f)| (*s, f.iter().map(String::as_str).collect())).collect()
        })
        .collect();
    let slices: Vec<Vec<(PointStance, &[&str])>> = borrowed
        .iter()
        .map(|points| points.iter().map(|(s, f)| (*s, f.as_slice())).collect())
        .collect();
    let lenses: Vec<&[(PointStance, &[&str])]> = slices.iter().map(Vec::as_slice).collect();
    views(&lenses)
}

fn any_proposal() -> impl Strategy<Value = PerspectiveSynthesis> {
    let id = || (0u32..14).prop_map(|n| PointId(format!("v{n}")));
    let groups = prop::collection::vec(prop::collection::vec(id(), 0..5), 0..4);
    let tensions = prop::collection::vec((prop::collection::vec(id(), 0..4), ".{0,8}"), 0..4);
    (groups, tensions).prop_map(|(groups, tensions)| PerspectiveSynthesis {
        groups,
        tensions: tensions
            .into_iter()
            .map(|(points, why)| ProposedTension { points, why })
            .collect(),
        unique: vec![],
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Each point has a place; agreements are of two lenses at least and opposed in nothing; tensions are of two
    /// lenses about one matter; shares lie between 0 and 1.
    #[test]
    fn what_stands_is_sound(drawn in any_views(), said in any_proposal()) {
        let mut p = built(&drawn, &|fact| format!("f{fact}"));
        compare(&mut p, &said, &Subjects::new());
        let lens = |id: &PointId| p.point(id).map(|(view, _)| view.lens.clone());
        for one in &p.consensus {
            let lenses: BTreeSet<_> = one.points.iter().filter_map(lens).collect();
            prop_assert!(lenses.len() >= 2 && lenses.len() == one.lenses.len());
            let stances: BTreeSet<_> =
                one.points.iter().filter_map(|id| p.point(id)).map(|(_, point)| point.stance).collect();
            prop_assert!(!(stances.contains(&Supports) && stances.contains(&Opposes)));
            prop_assert!(one.by == Agreement::SameStatement || !one.facts.is_empty());
        }
        for one in &p.tensions {
            prop_assert!(lens(&one.points[0]) != lens(&one.points[1]) && !one.facts.is_empty());
        }
        for (_, point) in p.points() {
            let placed = p.consensus.iter().any(|one| one.points.contains(&point.id))
                || p.tensions.iter().any(|one| one.points.contains(&point.id));
            prop_assert!(placed != p.unique.contains(&point.id));
        }
        prop_assert!(p.overlap.iter().all(|one| (0.0..=1.0).contains(&one.jaccard)));
    }

    /// The order in which a point names its facts, and the numbers that facts have, change no group.
    #[test]
    fn permuting_facts_changes_no_group(
        drawn in any_views(), said in any_proposal(), order in Just((0usize..6).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let mut plain = built(&drawn, &|fact| format!("f{fact}"));
        let turned: Vec<Vec<(usize, Vec<usize>)>> = drawn
            .iter()
            .map(|points| points.iter().map(|(s, f)| (*s, f.iter().rev().copied().collect())).collect())
            .collect();
        let mut other = built(&turned, &|fact| format!("f{}", order[fact] + 7));
        compare(&mut plain, &said, &Subjects::new());
        compare(&mut other, &said, &Subjects::new());
        prop_assert_eq!(agreeing(&plain), agreeing(&other));
        prop_assert_eq!(apart(&plain), apart(&other));
        prop_assert_eq!(&plain.unique, &other.unique);
        let shares = |p: &Perspectives| p.overlap.iter().map(|one| one.jaccard).collect::<Vec<_>>();
        prop_assert_eq!(shares(&plain), shares(&other));
    }

    /// Ids that do not exist change nothing.
    #[test]
    fn invented_ids_change_nothing(drawn in any_views(), said in any_proposal(), at: prop::sample::Index) {
        let mut plain = built(&drawn, &|fact| format!("f{fact}"));
        let mut other = plain.clone();
        compare(&mut plain, &said, &Subjects::new());
        let mut more = said;
        more.groups.push(group(&["v98", "v99"]));
        for points in &mut more.groups {
            points.insert(at.index(points.len() + 1), PointId::from("v77"));
        }
        more.tensions.push(ProposedTension { points: group(&["v77", "v1"]), why: "x".to_owned() });
        compare(&mut other, &more, &Subjects::new());
        prop_assert_eq!(plain, other);
    }
}
