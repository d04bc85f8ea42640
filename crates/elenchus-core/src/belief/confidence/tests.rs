use super::*;
use crate::belief::{
    Assessed, CheckedClaim, SourceEvidence, SubstantiveWord, Thresholds, WordType,
};
use crate::evidence::Span;
use crate::port::{FiguresTold, Judgement, WordGrounding};
use proptest::prelude::*;

fn passage(source: u8, cluster: u8, supports: f64, refutes: f64) -> JudgedPassage {
    JudgedPassage {
        evidence: SourceEvidence {
            source_id: SourceId(format!("s{source}")),
            source_url: format!("{source}.md"),
            location: format!("{source}.md"),
            relevant_text: "words".to_owned(),
            span: Span { start: usize::from(source), end: usize::from(source) + 5 },
            similarity: 0.5,
            cluster: SourceId(format!("s{cluster}")),
            supports,
            refutes,
        },
        judgement: Judgement {
            supports,
            refutes,
            tier: Tier::Features,
            similarity: 0.5,
            sentences: vec![],
            mismatches: vec![],
            grounding: vec![],
            told: FiguresTold::default(),
            explained: Explained::new("P(supported)", supports, "given"),
        },
        date: None,
        reliability: 1.0,
        replaced_by: None,
        says_otherwise: false,
    }
}

fn claim() -> Claim {
    Claim::stated(ClaimId("c1".to_owned()), "The pump holds 40 litres.")
}

fn calibration() -> Calibration {
    Calibration {
        version: "t".to_owned(),
        verifier: "t".to_owned(),
        bias: -1.2,
        maps: vec![CalibrationMap {
            tier: Tier::Features,
            slope: 1.3,
            fitted_on: vec![],
            ece: Some(0.02),
            ece_left_out: Some(0.08),
            bins: vec![],
            bins_left_out: vec![],
        }],
        feedback: vec![],
        counts_left_out: false,
    }
}

const THRESHOLDS: Thresholds = Thresholds { supports: 0.5, refutes: 0.5, relevant: 0.0 };

fn confidence(passages: &[JudgedPassage]) -> ClaimConfidence {
    let claim = claim();
    let entailment = EntailmentResult::of(claim.id.clone(), passages.to_vec(), &[], THRESHOLDS);
    let su_score = ClaimSuScore::of(&claim, |_| 0.5);
    ClaimConfidence::of(
        &Weighed { claim: &claim, passages, entailment: &entailment, su_score: &su_score },
        Some(&calibration()),
    )
}

fn shown(passages: &[JudgedPassage]) -> f64 {
    confidence(passages).confidence.expect("it was checked")
}

fn judged() -> impl Strategy<Value = JudgedPassage> {
    (0u8..9, 0u8..4, 0.0..1.0f64, 0.0..1.0f64)
        .prop_map(|(source, cluster, s, r)| passage(source, cluster, s, r * (1.0 - s)))
}

/// The claim with one word that counts.
fn worded() -> Claim {
    let word = SubstantiveWord {
        word: "pump".to_owned(),
        kind: WordType::Noun,
        position: Span { start: 4, end: 8 },
        importance: 0.8,
    };
    Claim { substantive_words: vec![word], ..claim() }
}

/// A passage that has the word so far, and may say otherwise in some part.
fn noted() -> impl Strategy<Value = JudgedPassage> {
    (judged(), 0.0..1.0f64, any::<bool>()).prop_map(|(mut passage, score, says_otherwise)| {
        let span = Span { start: 4, end: 8 };
        passage.judgement.grounding = vec![WordGrounding { span, score, kind: None }];
        JudgedPassage { says_otherwise, ..passage }
    })
}

/// The figures of two claims of one text, each with its own evidence.
fn of_two(first: &[JudgedPassage], second: &[JudgedPassage]) -> [f64; 2] {
    let checked = [("c1", first), ("c2", second)].map(|(id, passages)| CheckedClaim {
        claim: Claim::stated(ClaimId(id.to_owned()), "The pump holds 40 litres."),
        passages: passages.to_vec(),
        unchecked: vec![],
    });
    let assessed = Assessed::new(checked.into(), THRESHOLDS, Some(&calibration()));
    let figure =
        |at: usize| assessed.confidence.claim_confidences[at].confidence.expect("it was checked");
    [figure(0), figure(1)]
}

proptest! {
    #[test]
    fn evidence_that_claims_exchange_moves_both_figures(mine in proptest::collection::vec(judged(), 1..6), other in proptest::collection::vec(judged(), 1..6)) {
        prop_assume!((shown(&mine) - shown(&other)).abs() > 1e-6);
        let (before, after) = (of_two(&mine, &other), of_two(&other, &mine));
        for (own, anothers) in before.iter().zip(after) {
            prop_assert!((own - anothers).abs() > 1e-7);
        }
        // What the evidence comes to goes along with it, and nothing of it stays.
        prop_assert!((before[0] - after[1]).abs() < 1e-12 && (before[1] - after[0]).abs() < 1e-12);
    }

    #[test]
    fn the_order_of_the_evidence_does_not_matter(
        (passages, shuffled) in proptest::collection::vec(judged(), 0..8)
            .prop_flat_map(|v| (Just(v.clone()), Just(v).prop_shuffle())))
    {
        let (a, b) = (confidence(&passages), confidence(&shuffled));
        prop_assert_eq!(a.confidence, b.confidence);
        prop_assert!((a.methodology_score - b.methodology_score).abs() < 1e-12);
        prop_assert_eq!(a.supporting_sources, b.supporting_sources);
    }

    #[test]
    fn without_evidence_the_prior_is_left(passages in proptest::collection::vec(judged(), 1..8)) {
        let prior = shown(&[]);
        prop_assert!((prior - calibration().prior()).abs() < 1e-9);
        // Evidence that only supports stands above it.
        let only_for: Vec<_> = passages.into_iter().filter(|p| p.judgement.supports > 0.06 && p.judgement.refutes < 0.5).collect();
        prop_assume!(!only_for.is_empty());
        prop_assert!(shown(&only_for) > prior);
    }

    #[test]
    fn a_contradiction_never_raises(passages in proptest::collection::vec(judged(), 0..8), source in 0u8..9, cluster in 0u8..6, r in 0.5..1.0f64) {
        let mut more = passages.clone();
        more.push(passage(source, cluster, (1.0 - r) / 2.0, r));
        prop_assert!(shown(&more) <= shown(&passages) + 1e-12);
    }

    /// A document that conflicts raises nothing whatever the verifier makes of it, with a calibration and without one.
    #[test]
    fn a_document_that_conflicts_never_raises(
        passages in proptest::collection::vec(noted(), 0..6), new in noted(),
    ) {
        let mut more = passages.clone();
        more.push(JudgedPassage { says_otherwise: true, ..new });
        for calibration in [Some(&calibration()), None] {
            let figure = |passages: &[JudgedPassage]| {
                let checked = CheckedClaim { claim: worded(), passages: passages.to_vec(), unchecked: vec![] };
                let assessed = Assessed::new(vec![checked], THRESHOLDS, calibration);
                assessed.confidence.claim_confidences[0].confidence.expect("it was checked")
            };
            let (before, after) = (figure(&passages), figure(&more));
            prop_assert!(after <= before + 1e-12, "{before} to {after}");
        }
    }

    #[test]
    fn a_copy_of_a_source_never_raises(passages in proptest::collection::vec(judged(), 1..8), which in any::<prop::sample::Index>(), source in 0u8..9) {
        let mut more = passages.clone();
        let mut copy = which.get(&passages).clone();
        copy.evidence.source_id = SourceId(format!("copy{source}"));
        more.push(copy);
        let (before, after) = (confidence(&passages), confidence(&more));
        prop_assert!((after.confidence.expect("checked") - before.confidence.expect("checked")).abs() < 1e-12);
        prop_assert_eq!(after.supporting_sources, before.supporting_sources);
        prop_assert!((after.methodology_score - before.methodology_score).abs() < 1e-12);
    }

    #[test]
    fn a_source_that_weighs_less_moves_less(passages in proptest::collection::vec(judged(), 1..8), which in any::<prop::sample::Index>(), weight in 0.0..1.0f64) {
        let at = which.index(passages.len());
        let with = |reliability: f64| {
            let mut some = passages.clone();
            some[at].reliability = reliability;
            shown(&some)
        };
        let (whole, less) = (with(1.0), with(weight));
        let without: Vec<_> =
            passages.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, p)| p.clone()).collect();
        let none = shown(&without);
        // Between what the others make of the claim and what it makes of it in full.
        prop_assert!(less <= whole.max(none) + 1e-12 && less >= whole.min(none) - 1e-12);
        prop_assert!((with(0.0) - none).abs() < 1e-12);
    }

    #[test]
    fn independent_support_raises(passages in proptest::collection::vec(judged(), 0..6), s in 0.6..1.0f64) {
        let mut more = passages.clone();
        more.push(passage(99, 99, s, 0.0));
        prop_assert!(shown(&more) > shown(&passages));
    }
}

#[test]
fn figures_have_an_explanation_down_to_the_passage() {
    let figure = confidence(&[passage(1, 1, 0.9, 0.02), passage(2, 2, 0.1, 0.8)]);
    let tree = figure.explained.render();
    assert!(tree.contains("1.md") && tree.contains("2.md") && tree.contains("SUScore"), "{tree}");
    assert_eq!((figure.supporting_sources, figure.contradicting_sources), (1, 1));
}

#[test]
fn a_self_published_page_counts_half_and_the_tree_says_so() {
    let whole = confidence(&[passage(1, 1, 0.9, 0.02)]);
    let mut page = passage(1, 1, 0.9, 0.02);
    page.reliability = 0.5;
    let half = confidence(std::slice::from_ref(&page));
    let (one, other) = (whole.confidence.expect("checked"), half.confidence.expect("checked"));
    let moved = |p: f64| logit(p) - logit(calibration().prior());
    assert!((moved(other) - moved(one) / 2.0).abs() < 1e-9, "{one} {other}");
    assert!(half.explained.render().contains("self-published"));
    assert!(!whole.explained.render().contains("self-published"));
    // What it says is what it says: only its weight is another.
    assert_eq!(half.supporting_sources, 1);
    assert!((half.methodology_score - whole.methodology_score).abs() < 1e-12);
    page.reliability = f64::NAN;
    let nothing = confidence(&[page]).confidence.expect("checked");
    assert!((nothing - calibration().prior()).abs() < 1e-9);
}

#[test]
fn the_methodology_score_is_the_weighted_sum() {
    let figure = confidence(&[passage(1, 1, 0.9, 0.0), passage(2, 2, 0.8, 0.0)]);
    // No substantive word: SUScore 0.5.
    assert!((figure.methodology_score - (0.5 * 0.9 + 0.3 * 0.5 + 0.2 * 2.0 / 3.0)).abs() < 1e-12);
    let none = confidence(&[]);
    assert!((none.methodology_score - (0.5 * 0.3 + 0.3 * 0.5)).abs() < 1e-12);
}

#[test]
fn unchecked_claims_are_left_out_and_cap_the_level() {
    let claim = claim();
    let sure =
        confidence(&[passage(1, 1, 0.99, 0.0), passage(2, 2, 0.99, 0.0), passage(3, 3, 0.99, 0.0)]);
    let checked =
        EntailmentResult::of(claim.id.clone(), vec![passage(1, 1, 0.99, 0.0)], &[], THRESHOLDS);
    let unchecked = EntailmentResult::of(
        claim.id.clone(),
        vec![],
        &["the model is gone".to_owned()],
        THRESHOLDS,
    );
    let su_score = ClaimSuScore::of(&claim, |_| 0.0);
    let unknown = ClaimConfidence::of(
        &Weighed { claim: &claim, passages: &[], entailment: &unchecked, su_score: &su_score },
        Some(&calibration()),
    );
    assert_eq!(unknown.confidence, None);
    let whole =
        ConfidenceResult::new(vec![sure.clone()], std::slice::from_ref(&checked), String::new());
    assert_eq!((whole.level, whole.assessment), (Level::High, Assessment::Assessed));
    let part = ConfidenceResult::new(
        vec![sure, unknown.clone()],
        &[checked, unchecked.clone()],
        String::new(),
    );
    assert_eq!((part.level, part.assessment), (Level::Medium, Assessment::Partial));
    assert!((part.overall_confidence - whole.overall_confidence).abs() < 1e-12);
    // What is asked of the whole text is not reached by the half that was looked at.
    let reached = |of: &ConfidenceResult| of.reached().expect("it was assessed");
    assert!((reached(&whole) - whole.overall_confidence).abs() < 1e-12);
    assert!((reached(&part) - whole.overall_confidence / 2.0).abs() < 1e-12);
    for nothing in [
        ConfidenceResult::new(vec![], &[], String::new()),
        ConfidenceResult::new(vec![unknown], &[unchecked], String::new()),
    ] {
        assert_eq!(nothing.assessment, Assessment::NotAssessable);
        assert_eq!((nothing.level, nothing.overall_confidence), (Level::VeryLow, 0.5));
        assert_eq!(nothing.reached(), None);
        // Written out it is no figure, and read again, as earlier versions wrote it too, it is the same.
        let mut written = serde_json::to_value(&nothing).expect("it is JSON");
        assert!(written["overall_confidence"].is_null() && written["level"].is_null(), "{written}");
        let read = |value: &serde_json::Value| -> ConfidenceResult {
            serde_json::from_value(value.clone()).expect("it is read")
        };
        assert_eq!(read(&written), nothing);
        written["overall_confidence"] = serde_json::json!(0.5);
        written["level"] = serde_json::json!("very_low");
        assert_eq!(read(&written), nothing);
    }
}

#[test]
fn what_nothing_was_fitted_for_has_no_calibrated_figure() {
    let by = |tier| {
        let mut one = passage(1, 1, 0.9, 0.0);
        one.judgement.tier = tier;
        confidence(&[one])
    };
    for tier in [Tier::Nli, Tier::Llm] {
        let figures = by(tier);
        assert_eq!((figures.calibrated, figures.fitted, figures.interval), (None, None, None));
        assert_eq!(figures.confidence, Some(figures.methodology_score));
        assert!(!figures.explained.rule.contains("fitted"), "{}", figures.explained.rule);
    }
    assert!(by(Tier::Binding).interval.is_some());
}
