//! Answers as memos.

use super::*;
use crate::answer::Answer;
use crate::id::Timestamp;
use serde_json::{Value, json};

fn claim(id: &str, text: &str, role: &str, evidence: usize) -> Value {
    json!({
        "id": id, "text": text, "source_span": {"start": 0, "end": text.len()}, "question_id": 1,
        "role": role, "verdict": "quoted", "evidence": [evidence], "warrant": "it says so",
    })
}

fn evidence(citation: usize, quote: &str) -> Value {
    json!({
        "fact_id": format!("f{citation}"), "citation": citation, "source_id": format!("src_{citation}"),
        "path": format!("{citation}.md"), "location": format!("{citation}.md"),
        "passage_id": format!("src_{citation}#0"), "quote": quote,
        "span": {"start": 0, "end": quote.len()}, "document_span": {"start": 0, "end": quote.len()},
    })
}

fn cited(number: usize, cluster: &str) -> Value {
    json!({"number": number, "source_id": format!("src_{number}"), "path": "p", "title": "t", "cluster": cluster})
}

fn figure(id: &str, confidence: f64) -> Value {
    json!({
        "claim_id": id, "claim_text": "x", "confidence": confidence, "methodology_score": 0.5,
        "entailment_score": 0.5, "su_score": 0.5, "supporting_sources": 1, "contradicting_sources": 0,
        "explained": {"what": "confidence", "value": confidence, "rule": "given"},
    })
}

/// Two documents bear a claim out (the second is a copy of the first), one says otherwise, one is older.
fn answer() -> Answer {
    serde_json::from_value(json!({
        "run_id": "run_1", "question": "What does the array deliver?", "started_at": 0, "model": "m", "corpus": "c",
        "conclusion": "It delivers 5.6 MW.", "text": "It delivers 5.6 MW.", "sections": [],
        "claims": [
            claim("c1", "It delivers 5.6 MW.", "answer", 0), claim("c2", "It is 5.6 MW.", "answer", 1),
            claim("c3", "It was 4.8 MW.", "answer", 2),
        ],
        "evidence": [evidence(1, "It delivers 5.6 MW."), evidence(2, "It is 5.6 MW."), evidence(3, "It was 4.8 MW.")],
        "conflicts": [],
        "disagreements": [{
            "question_id": 1, "strength": 0.7, "summary": "5.6 MW against 6.1 MW", "why": [],
            "sides": [
                {"source_id": "src_1", "path": "1.md", "location": "1.md", "passage_id": "src_1#0", "quote": "It delivers 5.6 MW.",
                    "span": {"start": 0, "end": 5}, "document_span": {"start": 0, "end": 5}},
                {"source_id": "src_4", "path": "4.md", "location": "4.md", "passage_id": "src_4#0", "quote": "It delivers 6.1 MW.",
                    "span": {"start": 0, "end": 5}, "document_span": {"start": 0, "end": 5}},
            ],
        }],
        "superseded": [{"claim": "c3", "by": "c1"}], "could_not_establish": [],
        "sources": [cited(1, "src_1"), cited(2, "src_1"), cited(3, "src_3")],
        "confidence": {
            "assessment": "assessed", "overall_confidence": 0.75, "level": "medium",
            "claim_confidences": [figure("c1", 0.8), figure("c2", 0.7), figure("c3", 0.75)],
            "methodology": {"entailment_weight": 0.5, "su_score_weight": 0.3, "source_count_weight": 0.2, "score": 0.5},
            "recommendations": [], "coverage": {"claims": 3, "checked": 3, "unchecked": 0, "supported": 3, "contradicted": 0},
            "calibration": "none",
        },
        "reasoning_trace": [], "exploration_steps": 0, "next_steps": ["Measure it."], "stop_reason": "answered",
        "receipt": {"rounds": 1, "searches": 1, "passages": 2, "sources": 2, "model_calls": 1,
            "usage": {"input_tokens": 0, "output_tokens": 0}, "wall_ms": 1},
    }))
    .expect("it is an answer")
}

fn kept() -> Kept {
    keep(&answer(), Some(&"pivot".into()), "n", Timestamp(9))
}

#[test]
fn an_answer_is_saved_with_the_values_of_the_seed() {
    let kept = kept();
    let memo = &kept.memos[0];
    assert!(memo.is_inference());
    assert_eq!(
        (memo.title.as_str(), memo.content.as_str()),
        ("What does the array deliver?", "It delivers 5.6 MW.")
    );
    let json = camel::value(serde_json::to_value(memo).unwrap());
    let fields = &json["metadata"];
    assert_eq!(fields["category"], "inference-output");
    assert_eq!((&fields["phase"], &fields["source"]), (&json!("2"), &json!("phase2-scoring")));
    assert_eq!(fields["pivotMemoId"], "pivot");
    assert_eq!(memo.tags, ["answer", "phase2"]);
    for memo in &kept.memos {
        assert_eq!(memo.check(), Ok(()));
    }
    for relation in &kept.relations {
        assert_eq!(relation.check(), Ok(()));
        let ends = [&relation.source, &relation.target];
        assert!(
            ends.iter().all(|id| id.as_str() == "pivot" || kept.memos.iter().any(|m| m.id == **id))
        );
    }
    assert_eq!(kept, self::kept(), "the same answer gives the same memos");
    assert_eq!(kept.memos.len(), 5);
}

#[test]
fn counter_evidence_becomes_conflicts_and_copies_count_once() {
    let kept = kept();
    let of = |tag: &str| kept.relations.iter().filter(|r| r.tag == tag).collect::<Vec<_>>();
    assert_eq!(of("supports").len(), 2, "what is superseded supports nothing");
    assert_eq!((of("supersedes").len(), of("answers").len()), (1, 1));
    let [conflict] = of("conflicts")[..] else { unreachable!("one disagreement is one conflict") };
    assert_eq!(conflict.source, memo_of_quote("n", &"src_4".into(), "It delivers 6.1 MW."));
    assert_eq!(conflict.target, memo_of_quote("n", &"src_1".into(), "It delivers 5.6 MW."));
    assert!((conflict.weight - 0.7).abs() < 1e-12);
    let found = confidence(&kept.memos[0], &kept.memos, &kept.relations, 2, 1.0);
    assert_eq!((found.origins_for, found.origins_against), (1, 1), "{}", found.explained.render());
    // Without what says otherwise it is surer.
    let alone: Vec<Relation> =
        kept.relations.iter().filter(|r| r.tag != "conflicts").cloned().collect();
    assert!(confidence(&kept.memos[0], &kept.memos, &alone, 2, 1.0).confidence > found.confidence);
    // The answer is no evidence for what it answers.
    let mut memos = kept.memos.clone();
    let mut pivot = memos[0].clone();
    pivot.id = "pivot".into();
    pivot.metadata.clear();
    memos.push(pivot.clone());
    let mut relations = kept.relations.clone();
    relations.push(Relation { tag: "supports".to_owned(), ..of("answers")[0].clone() });
    let figure = confidence(&pivot, &memos, &relations, 3, 1.0).confidence;
    assert!((figure - 0.5).abs() < 1e-12);
}

#[test]
fn the_short_form_has_the_fields_of_the_seed() {
    let response = respond(&answer(), Some("n"));
    let json = camel::value(serde_json::to_value(&response).unwrap());
    assert_eq!(json["conclusion"], "It delivers 5.6 MW.");
    assert_eq!(json["confidence"], 0.75);
    assert_eq!(json["nextSteps"], json!(["Measure it."]));
    let kept = kept();
    for item in json["evidence"].as_array().unwrap() {
        assert!((0.0..=1.0).contains(&item["confidence"].as_f64().unwrap()));
        assert!(
            kept.memos
                .iter()
                .any(|memo| item["memoId"] == memo.id.as_str() && item["quote"] == memo.content)
        );
    }
    assert_eq!(json["evidence"][2]["support"], "superseded");
    assert_eq!(json["conflicts"][0]["risk"], "5.6 MW against 6.1 MW");
    assert_eq!(
        json["conflicts"][0]["memoId"],
        kept.relations.iter().find(|r| r.tag == "conflicts").unwrap().source.as_str()
    );
    assert!(json["conflicts"][0]["mitigation"].as_str().unwrap().contains("1.md and 4.md"));
    assert!(respond(&answer(), None).evidence.iter().all(|item| item.memo_id.is_none()));
}

#[test]
fn what_the_check_contradicts_supports_nothing() {
    let judged = |word: &str| {
        let mut answer = answer();
        let one = json!({
            "claim_id": "c1", "verdict": word, "supports": 0.1, "refutes": 0.8, "score": 0.1,
            "supporting_sources": [], "contradicting_sources": [], "reasoning": "another figure",
        });
        answer.entailments = vec![serde_json::from_value(one).expect("it is a verdict")];
        let response = respond(&answer, None);
        let kept = keep(&answer, None, "n", Timestamp(9));
        let supports = kept.relations.iter().filter(|relation| relation.tag == "supports").count();
        (response.evidence[0].support, response.evidence[1].support, supports)
    };
    assert_eq!(judged("contradicted"), ("contradicted", "supports", 1));
    assert_eq!(judged("entailed"), ("supports", "supports", 2));
    // What is not borne out is not said otherwise.
    assert_eq!(judged("neutral"), ("supports", "supports", 2));
}

#[test]
fn odd_answers_are_kept_within_bounds() {
    let mut odd = answer();
    odd.question = "\u{0}\n".repeat(9_000);
    odd.conclusion = String::new();
    odd.text = "ä".repeat(1 << 20);
    odd.disagreements[0].strength = f64::NAN;
    odd.disagreements[0].summary = "x".repeat(99_999);
    odd.claims[0].evidence = vec![0, 99];
    odd.confidence = None;
    let kept = keep(&odd, None, "n", Timestamp(9));
    assert!(kept.memos.iter().all(|memo| memo.check().is_ok()));
    assert!(kept.relations.iter().all(|relation| relation.check().is_ok()));
}
