//! Each rule fires and does not fire; what novelty is for every count.

use super::rules::{Around, Tension, judge, subjects};
use super::*;
use crate::testkit::World;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn supports(documents: &[(&str, &str)]) -> Vec<Support> {
    let world =
        documents.iter().fold(World::new("w"), |world, (path, text)| world.document(path, text));
    world
        .passages()
        .iter()
        .map(|read| {
            let end = read.passage.text.chars().count();
            Support::of(read, Span { start: 0, end }, None).unwrap()
        })
        .collect()
}

fn candidate(kind: InsightKind, supporting: Vec<Support>) -> Candidate {
    Candidate { kind, text: "They meet.".to_owned(), worded_by: WordedBy::Model, supporting }
}

/// The ruling where `together` of `pool` documents bring each two of its sources together.
fn ruled(
    candidate: &Candidate,
    together: u32,
    pool: u32,
    tensions: &[Tension],
) -> Result<f64, String> {
    let subjects = subjects(std::slice::from_ref(candidate), 24);
    let n = subjects.len();
    let pairs = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| Meeting { a, b, together }))
        .filter(|pair| pair.together > 0)
        .collect();
    let corpus = Meetings { pool, single: vec![together; n], pairs };
    let runs = past_meetings(&subjects, &[]);
    let around = Around { subjects: &subjects, corpus: &corpus, runs: &runs, tensions };
    judge(candidate, &around).map(|ruling| ruling.explained.value)
}

#[test]
fn a_cross_reference_needs_sources_that_seldom_meet() {
    let two = supports(&[
        ("a.md", "by: Ada Lind\n\nThe tide turned."),
        ("b.md", "by: Bo Krag\n\nThe tide rose."),
    ]);
    let one = candidate(InsightKind::CrossRef, two);
    assert!(ruled(&one, 0, 100, &[]).unwrap() > 0.6);
    assert!(ruled(&one, 5, 100, &[]).is_ok());
    assert!(ruled(&one, 6, 100, &[]).is_err(), "they meet in more than one of twenty");
    assert!(ruled(&one, 0, 7, &[]).unwrap_err().contains("rare"), "too small a corpus");
    let same = supports(&[
        ("a.md", "by: Ada Lind\n\nThe tide turned."),
        ("c.md", "by: Ada Lind\n\nIt rose."),
    ]);
    assert!(ruled(&candidate(InsightKind::CrossRef, same), 0, 100, &[]).is_err());
}

#[test]
fn distant_records_of_one_text_are_apart_and_near_ones_not() {
    let mut two = supports(&[("bible.tsv", "One line.\n\nAnother line.")]);
    let mut with = |a: &str, b: &str| {
        two[0].record = Some(a.to_owned());
        two[1].record = Some(b.to_owned());
        ruled(&candidate(InsightKind::CrossRef, two.clone()), 0, 100, &[]).is_ok()
    };
    assert!(with("Matt.5.17", "Rom.10.4"));
    assert!(!with("Matt.5.17", "Matt.5.18"));
    assert!(!with("row 5", "row 17"));
}

fn many(n: usize, text: &str) -> Vec<Support> {
    let documents: Vec<(String, String)> =
        (0..n).map(|n| (format!("d{n}.md"), format!("{text} Note {n}."))).collect();
    let borrowed: Vec<(&str, &str)> =
        documents.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    supports(&borrowed)
}

#[test]
fn a_pattern_needs_more_than_five_sources_with_words_in_common() {
    let of = |supporting| ruled(&candidate(InsightKind::Pattern, supporting), 0, 100, &[]);
    assert!(of(many(6, "The harbour freezes in winter.")).is_ok());
    assert!(of(many(5, "The harbour freezes in winter.")).is_err());
    let paragraphs = ["The harbour freezes in winter."; 8].join("\n\n");
    let mut one_source = supports(&[("a.md", &paragraphs), ("b.md", "The harbour freezes.")]);
    assert_eq!(one_source.len(), 9);
    assert!(of(one_source.clone()).is_err(), "nine passages of two sources");
    one_source.truncate(8);
    assert!(of(one_source).is_err());
    let apart = supports(&[
        ("a.md", "Rye grows."),
        ("b.md", "Ships sank."),
        ("c.md", "Kings rule."),
        ("d.md", "Dogs bark."),
        ("e.md", "Stone lasts."),
        ("f.md", "Paper burns."),
    ]);
    assert!(of(apart).is_err(), "nothing in common");
}

#[test]
fn a_synthesis_needs_three_perspectives() {
    let of = |supporting| ruled(&candidate(InsightKind::Synthesis, supporting), 3, 100, &[]);
    assert!(of(many(3, "The harbour freezes.")).is_ok());
    assert!(of(many(2, "The harbour freezes.")).is_err());
    let one_author = supports(&[
        ("a.md", "by: Ada Lind\n\nOne."),
        ("b.md", "by: Ada Lind\n\nTwo."),
        ("c.md", "by: Bo Krag\n\nThree."),
    ]);
    assert!(of(one_author).is_err(), "three documents of two authors");
}

#[test]
fn a_resolution_needs_both_sides_and_something_besides() {
    let three = many(3, "The harbour freezes.");
    let side = |at: usize| BTreeSet::from([three[at].passage_id.clone()]);
    let tension = |sides: Vec<BTreeSet<PassageId>>| [Tension { about: "ice".to_owned(), sides }];
    let of = |supporting: &[Support], tensions: &[Tension]| {
        ruled(&candidate(InsightKind::TensionResolution, supporting.to_vec()), 0, 100, tensions)
            .is_ok()
    };
    let known = tension(vec![side(0), side(1)]);
    assert!(of(&three, &known));
    assert!(!of(&three[..2], &known), "nothing besides");
    assert!(!of(&three[1..], &known), "one side");
    assert!(!of(&three, &[]), "no known contradiction");
    assert!(!of(&three, &tension(vec![side(0)])));
}

#[test]
fn past_runs_bring_together_what_their_answers_cite() {
    let two = supports(&[("a.md", "by: Ada Lind\n\nOne."), ("b.md", "Two.")]);
    let subjects = subjects(&[candidate(InsightKind::CrossRef, two.clone())], 24);
    let cited = |support: &Support| crate::answer::Citation {
        number: 1,
        source_id: support.source_id.clone(),
        path: support.path.clone(),
        title: support.title.clone(),
        author: support.author.clone(),
        date: None,
        cluster: support.cluster.clone(),
        content_hash: String::new(),
        web: None,
    };
    let (a, b) = (cited(&two[0]), cited(&two[1]));
    let runs = past_meetings(&subjects, &[vec![a.clone(), b], vec![a], vec![]]);
    assert_eq!((runs.pool, runs.single.clone(), runs.together(1, 0)), (3, vec![2, 1], 1));
    // They make what meets there less new.
    let around = |runs: &Meetings| {
        let corpus = Meetings { pool: 100, single: vec![1, 1], pairs: vec![] };
        let one = candidate(InsightKind::CrossRef, two.clone());
        let around = Around { subjects: &subjects, corpus: &corpus, runs, tensions: &[] };
        judge(&one, &around).map(|ruling| ruling.explained.value).unwrap()
    };
    assert!(around(&runs) < around(&Meetings { pool: 3, ..Meetings::default() }));
}

#[test]
fn an_insight_keeps_its_names_in_json() {
    assert_eq!(serde_json::to_value(InsightFeedback::NotUseful).unwrap(), "not-useful");
    assert_eq!(InsightFeedback::of("saved"), Some(InsightFeedback::Saved));
    assert_eq!(InsightFeedback::of("great"), None);
}

proptest! {
    #[test]
    fn novelty_is_a_share_grows_with_rarity_and_knows_no_order(
        mut pairs in prop::collection::vec((0u32..5_000, 0u32..5_000), 0..12),
        at in any::<prop::sample::Index>(),
        turn in 0usize..12,
    ) {
        let seen = |pairs: &[(u32, u32)]| -> Vec<Seen> {
            pairs.iter().map(|(together, pool)| Seen { together: *together, pool: *pool }).collect()
        };
        for (together, pool) in &mut pairs {
            *together = (*together).min(*pool);
        }
        let before = novelty(&seen(&pairs));
        prop_assert!((0.0..=1.0).contains(&before));
        if pairs.is_empty() {
            prop_assert!(before.abs() < f64::EPSILON);
            return Ok(());
        }
        let mut turned = pairs.clone();
        turned.rotate_left(turn % pairs.len());
        prop_assert_eq!(novelty(&seen(&turned)).to_bits(), before.to_bits());
        let chosen = at.index(pairs.len());
        if pairs[chosen].0 > 0 {
            pairs[chosen].0 -= 1;
            prop_assert!(novelty(&seen(&pairs)) >= before, "rarer is at least as new");
        }
        pairs[chosen].1 += 1;
        prop_assert!(novelty(&seen(&pairs)) >= before, "rarer among more is at least as new");
    }

    #[test]
    fn absurd_counts_give_a_share(together in any::<u32>(), pool in any::<u32>()) {
        let seen = Seen { together, pool };
        prop_assert!((0.0..=1.0).contains(&novelty(&[seen])));
    }
}
