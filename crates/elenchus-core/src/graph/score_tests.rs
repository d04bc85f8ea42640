//! Scoring and confidence.

use super::testing::{memo, relation};
use super::*;
use crate::port::MemoHit;
use proptest::prelude::*;

fn hit(memo: &Memo, score: f64) -> MemoHit {
    MemoHit { memo: memo.clone(), score }
}

fn scored(
    memos: &[Memo],
    hits: &[MemoHit],
    all: &[Relation],
    settings: &ScoreSettings,
) -> ScoreReport {
    score(&memos[0], memos, hits, all, settings).expect("the settings are good")
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 5e-4
}

#[test]
fn the_printed_example_with_its_arithmetic_corrected() {
    // Seed 002 prints 0.456 for 0.6 x 0.349 + 0.4 x 0.65, and lets the path of the memo 8e134ab5 end at another one.
    let memos = [
        memo("f6e10808", "Inference Dataset Overview"),
        memo("8e134ab5", "User Feedback Summary"),
        memo("65eaa58d", "Risk: Missing Evidence"),
    ];
    let mut feedback = relation("f6e10808", "8e134ab5", "supports", 0.65);
    feedback.reason = Some("What customers say in interviews asks for it.".to_owned());
    let all = [feedback, relation("f6e10808", "65eaa58d", "conflicts", 0.6)];
    let hits = [hit(&memos[0], 1.0), hit(&memos[1], 0.349), hit(&memos[2], 0.25)];
    let settings = ScoreSettings { min_combined: 0.2, ..ScoreSettings::default() };
    let report = scored(&memos, &hits, &all, &settings);
    let json = camel::value(serde_json::to_value(&report.scored).expect("it is JSON"));
    assert!(close(json["prioritizedEvidence"][0]["combined"].as_f64().unwrap(), 0.469), "{json}");
    let mut json = json;
    json["prioritizedEvidence"][0]["combined"] = 0.469.into();
    assert_eq!(
        json,
        serde_json::json!({
            "pivot": "f6e10808",
            "namespace": "n",
            "weights": { "similarity": 0.6, "relation": 0.4 },
            "thresholds": { "minCombined": 0.2 },
            "prioritizedEvidence": [{
                "memoId": "8e134ab5",
                "title": "User Feedback Summary",
                "similarity": 0.349,
                "relationWeight": 0.65,
                "combined": 0.469,
                "bestEdge": {
                    "tag": "supports", "weight": 0.65, "direction": "forward", "depth": 1,
                    "path": ["f6e10808", "8e134ab5"],
                    "pathTitles": "Inference Dataset Overview -> User Feedback Summary",
                    "reason": "What customers say in interviews asks for it.",
                },
            }],
            "conflictingEvidence": [{
                "memoId": "65eaa58d",
                "title": "Risk: Missing Evidence",
                "similarity": 0.25,
                "relationWeight": 0.6,
                "combined": 0.39,
                "bestEdge": {
                    "tag": "conflicts", "weight": 0.6, "direction": "forward", "depth": 1,
                    "path": ["f6e10808", "65eaa58d"],
                    "pathTitles": "Inference Dataset Overview -> Risk: Missing Evidence",
                },
            }],
            "otherRelations": [],
        })
    );
    // What was written in camel case is read back.
    let back: Scored = serde_json::from_value(json).expect("camel case is read");
    assert_eq!(back.conflicting_evidence, report.scored.conflicting_evidence);
}

#[test]
fn combined_is_guarded() {
    let weights = |similarity, relation| Weights { similarity, relation };
    assert!(close(Weights::default().combined(0.349, 0.65), 0.4694));
    assert!(weights(0.0, 0.0).combined(1.0, 1.0).abs() < f64::EPSILON);
    assert!(close(weights(f64::MAX, f64::MAX).combined(1.0, 0.0), 0.5));
    assert!(close(weights(1e-300, 0.0).combined(0.7, 0.1), 0.7));
    assert!(close(weights(1.0, 1.0).combined(f64::NAN, 7.0), 0.5));
    for bad in [f64::NAN, -0.1, f64::INFINITY] {
        for weights in [weights(bad, 0.4), weights(0.6, bad)] {
            let refused = ScoreSettings { weights, ..ScoreSettings::default() }.check();
            assert!(refused.unwrap_err().to_string().contains("weight"));
        }
    }
    for delta in [0.0, -1.0, 1.1, f64::NAN] {
        assert!(ScoreSettings { delta, ..ScoreSettings::default() }.check().is_err());
    }
    for min_combined in [-0.1, 1.1, f64::NAN] {
        assert!(ScoreSettings { min_combined, ..ScoreSettings::default() }.check().is_err());
    }
}

#[test]
fn a_contested_memo_is_in_both_lists() {
    let memos = [memo("p", "P"), memo("m", "M"), memo("s", "S")];
    let all = [
        relation("p", "m", "supports", 0.65),
        relation("m", "p", "conflicts", 0.6),
        relation("s", "p", "supports", 0.9),
    ];
    let report = scored(&memos, &[], &all, &ScoreSettings::default());
    let ids = |list: &[ScoredMemo]| -> Vec<(String, bool)> {
        list.iter().map(|one| (one.memo_id.to_string(), one.contested)).collect()
    };
    let found = &report.scored;
    assert_eq!(ids(&found.prioritized_evidence), [("s".into(), false), ("m".into(), true)]);
    assert_eq!(ids(&found.conflicting_evidence), [("m".into(), true)]);
    let back = found.prioritized_evidence[0].best_edge.as_ref().unwrap();
    assert_eq!(back.direction, Direction::Backward);
    assert_eq!(report.chains[&("s".into(), Polarity::Supports)][0].reads, "supported by");
}

#[test]
fn only_similar_memos_are_other_relations_and_k_bounds_them() {
    let memos = [memo("p", "P")];
    let near: Vec<Memo> = (0..5).map(|n| memo(&format!("x{n}"), "X")).collect();
    let mut elsewhere = memo("p2", "elsewhere");
    elsewhere.namespace = "n/below".to_owned();
    let mut hits = vec![hit(&memos[0], 1.0), hit(&elsewhere, 0.9)];
    hits.extend(near.iter().map(|one| hit(one, 0.5)));
    let settings = ScoreSettings { k: 3, ..ScoreSettings::default() };
    let report = scored(&memos, &hits, &[], &settings);
    let ids: Vec<&str> = report.scored.other_relations.iter().map(|o| o.memo_id.as_str()).collect();
    assert_eq!(ids, ["x0", "x1", "x2"]);
    assert!(report.scored.other_relations.iter().all(|one| one.best_edge.is_none()));
    let settings = ScoreSettings { k: 3, min_combined: 0.5, ..ScoreSettings::default() };
    assert_eq!(scored(&memos, &hits, &[], &settings).notes.left_out, [0, 0, 3]);
}

fn sure(memos: &[Memo], all: &[Relation]) -> f64 {
    confidence(&memos[0], memos, all, 3, 1.0).confidence
}

#[test]
fn evidence_has_a_direction() {
    let memos = [memo("p", "P"), memo("a", "A"), memo("b", "B")];
    assert!(close(sure(&memos, &[]), 0.5));
    let from = [relation("a", "p", "supports", 0.8)];
    assert!(close(sure(&memos, &from), 0.9));
    // What the pivot supports says nothing about the pivot.
    assert!(close(sure(&memos, &[relation("p", "a", "supports", 0.8)]), 0.5));
    assert!(close(sure(&memos, &[relation("p", "a", "supported_by", 0.8)]), 0.9));
    // Conflicts hold both ways.
    assert!(close(sure(&memos, &[relation("p", "a", "conflicts", 0.8)]), 0.1));
    assert!(close(sure(&memos, &[relation("a", "p", "conflicts", 0.8)]), 0.1));
    // Support of what conflicts speaks against; a conflict with what conflicts counts neither way.
    let chain = [relation("a", "p", "conflicts", 0.8), relation("b", "a", "supports", 0.5)];
    assert!(sure(&memos, &chain) < 0.1);
    let attack = [relation("a", "p", "conflicts", 0.8), relation("b", "a", "conflicts", 0.5)];
    assert!(close(sure(&memos, &attack), 0.1));
    // A weight of 1 is no proof.
    assert!(sure(&memos, &[relation("a", "p", "supports", 1.0)]) < 0.985);
}

#[test]
fn one_origin_counts_once_and_the_tree_adds_up() {
    let mut memos = vec![memo("p", "P")];
    for (id, origin) in [("a", "report"), ("b", "Report "), ("c", "diary")] {
        let mut one = memo(id, id);
        one.metadata.insert("source".to_owned(), origin.into());
        memos.push(one);
    }
    let all: Vec<Relation> =
        ["a", "b", "c"].iter().map(|id| relation(id, "p", "supports", 0.6)).collect();
    let found = confidence(&memos[0], &memos, &all, 2, 1.0);
    assert_eq!((found.origins_for, found.origins_against), (2, 0));
    let one = moved_by(0.6);
    assert!(close(found.log_odds, one * (1.0 + FURTHER)));
    let sum: f64 = found.explained.children[0].children.iter().map(|part| part.value).sum();
    assert!(close(sum, found.log_odds));
    let text = found.explained.render();
    assert!(text.contains("of the same origin and adding nothing: b (b)"), "{text}");
    assert!(
        close(found.range.0, crate::measure::sigmoid(one))
            && close(found.range.1, found.confidence)
    );
}

#[test]
fn answers_that_were_saved_back_never_count() {
    let mut memos = vec![memo("p", "P"), memo("answer", "A"), memo("e", "E"), memo("copy", "C")];
    memos[1].metadata.insert("category".to_owned(), "inference-output".into());
    memos[3].metadata.insert("derivedFrom".to_owned(), serde_json::json!(["answer"]));
    let all = [
        relation("answer", "p", "supports", 1.0),
        relation("e", "answer", "supports", 1.0),
        relation("copy", "p", "supports", 1.0),
    ];
    let found = confidence(&memos[0], &memos, &all, 3, 1.0);
    assert!(close(found.confidence, 0.5), "{}", found.explained.render());
    let aside: Vec<&str> = found.set_aside.iter().map(|one| one.memo_id.as_str()).collect();
    assert_eq!(aside, ["answer", "copy"]);
    // What the answer itself stands on counts for the answer.
    assert!(confidence(&memos[1], &memos, &all, 3, 1.0).confidence > 0.9);
    // And it is shown in the ranking, marked.
    let report = scored(&memos, &[], &all, &ScoreSettings::default());
    assert_eq!(report.notes.inference_outputs, ["answer".into()]);
}

/// Graphs of up to six memos with origins, some of them saved answers; the pivot is the first.
fn graphs() -> impl Strategy<Value = (Vec<Memo>, Vec<Relation>)> {
    let edges = proptest::collection::vec((0..6u8, 0..6u8, 0..4usize, 0.0..=1.0f64), 0..9);
    let kinds = proptest::collection::vec((0..4u8, 0..8u8, 0..4u8), 6);
    (edges, kinds).prop_map(|(edges, kinds)| {
        let memos = kinds
            .iter()
            .enumerate()
            .map(|(n, (origin, kind, words))| {
                let mut one = memo(&format!("n{n}"), "T");
                one.content = format!("words {words}");
                if *origin > 0 {
                    one.metadata.insert("origin".to_owned(), format!("o{origin}").into());
                }
                if *kind == 0 {
                    one.metadata.insert("category".to_owned(), "inference-output".into());
                }
                one
            })
            .collect();
        let tags = ["supports", "conflicts", "explains", "supported_by"];
        let relations = edges
            .iter()
            .filter(|(a, b, ..)| a != b)
            .map(|(a, b, tag, w)| relation(&format!("n{a}"), &format!("n{b}"), tags[*tag], *w))
            .collect();
        (memos, relations)
    })
}

proptest! {
    #[test]
    fn a_further_conflict_never_raises_confidence((memos, all) in graphs(), a in 0..6u8, further in 1..6u8,
        weight in 0.0..=1.0f64, depth in 1..5u32, delta in 0.1..=1.0f64) {
        let b = (a + further) % 6;
        let before = confidence(&memos[0], &memos, &all, depth, delta);
        prop_assert!((0.0..=1.0).contains(&before.confidence));
        prop_assert!(before.range.0 <= before.confidence && before.confidence <= before.range.1);
        let mut more = all.clone();
        more.push(relation(&format!("n{a}"), &format!("n{b}"), "conflicts", weight));
        let after = confidence(&memos[0], &memos, &more, depth, delta);
        prop_assert!(after.confidence <= before.confidence + 1e-12, "{}\n{}", before.explained.render(), after.explained.render());
    }

    #[test]
    fn a_copy_of_a_memo_never_raises_confidence((memos, all) in graphs(), which in 1..6usize, depth in 1..5u32) {
        let before = confidence(&memos[0], &memos, &all, depth, 1.0).confidence;
        let mut copy = memos[which].clone();
        let original = copy.id.clone();
        copy.id = "copy".into();
        let mut more = all.clone();
        for relation in &all {
            let mut same = relation.clone();
            for end in [&mut same.source, &mut same.target] {
                if *end == original {
                    *end = copy.id.clone();
                }
            }
            if same != *relation {
                more.push(same);
            }
        }
        let mut everybody = memos.clone();
        everybody.push(copy);
        let after = confidence(&everybody[0], &everybody, &more, depth, 1.0).confidence;
        prop_assert!(after <= before + 1e-12);
    }

    #[test]
    fn the_order_of_memos_and_relations_does_not_matter((memos, all) in graphs(), turn in 0..9usize) {
        let hits: Vec<MemoHit> = memos.iter().map(|one| hit(one, 0.3)).collect();
        let settings = ScoreSettings { depth: 3, ..ScoreSettings::default() };
        let pivot = &memos[0];
        let one = score(pivot, &memos, &hits, &all, &settings).unwrap();
        let mut turned = all.clone();
        turned.rotate_left(turn.min(all.len()));
        turned.reverse();
        let mut others = memos.clone();
        others.reverse();
        let two = score(pivot, &others, &hits, &turned, &settings).unwrap();
        prop_assert_eq!(&one.scored, &two.scored);
        prop_assert!((one.notes.confidence.confidence - two.notes.confidence.confidence).abs() < 1e-12);
        for scored in one.scored.prioritized_evidence.iter().chain(&one.scored.conflicting_evidence) {
            let edge = scored.best_edge.as_ref().unwrap();
            prop_assert_eq!(edge.path.first(), Some(&pivot.id));
            prop_assert_eq!(edge.path.last(), Some(&scored.memo_id));
            prop_assert!((0.0..=1.0).contains(&scored.combined) && scored.relation_weight <= edge.weight + 1e-12);
        }
    }

    #[test]
    fn a_conflict_path_is_never_among_what_supports((memos, all) in graphs()) {
        let report = score(&memos[0], &memos, &[], &all, &ScoreSettings { depth: 4, ..ScoreSettings::default() }).unwrap();
        for ((_, polarity), chain) in &report.chains {
            let conflict = chain.iter().any(|link| link.reads == "conflicts with");
            prop_assert_eq!(*polarity == Polarity::Conflicts, conflict);
        }
    }
}
