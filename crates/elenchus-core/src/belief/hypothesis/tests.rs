use super::*;
use crate::belief::CalibrationMap;
use crate::evidence::Span;
use crate::port::{FiguresTold, Judgement, Tier};
use proptest::prelude::*;

const THRESHOLDS: Thresholds = Thresholds { supports: 0.55, refutes: 0.55, relevant: 0.0 };

fn calibration() -> Calibration {
    Calibration {
        version: "t".to_owned(),
        verifier: "t".to_owned(),
        bias: -2.0,
        maps: vec![CalibrationMap {
            tier: Tier::Features,
            slope: 0.8,
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

fn judged(passage: &str, cluster: &str, supports: f64, refutes: f64) -> Judged {
    Judged {
        passage_id: PassageId::from(passage),
        judged: JudgedPassage {
            evidence: SourceEvidence {
                source_id: SourceId::from(passage),
                source_url: format!("{passage}.md"),
                location: format!("{passage}.md"),
                relevant_text: "words".to_owned(),
                span: Span { start: 0, end: 5 },
                similarity: 0.5,
                cluster: SourceId::from(cluster),
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
                explained: Explained::new("P(supports)", supports, "given"),
            },
            date: None,
            reliability: 1.0,
            replaced_by: None,
            says_otherwise: false,
        },
    }
}

const NOW: Derivations = Derivations::LATEST;

fn weighed_by(prior: Prior, judged: &[Judged], rules: Derivations) -> Hypothesis {
    let claim = "Corrosion brought the bridge down.".to_owned();
    let mut hypothesis = Hypothesis::under(HypothesisId::from("h1"), claim, prior, rules);
    hypothesis.weigh(judged, 1, THRESHOLDS, &calibration(), rules);
    hypothesis
}

fn weighed(prior: Prior, judged: &[Judged]) -> Hypothesis {
    weighed_by(prior, judged, NOW)
}

/// What must hold of every hypothesis.
fn sound(hypothesis: &Hypothesis) {
    let share = |p: f64| (0.0..=1.0).contains(&p);
    assert!(share(hypothesis.confidence), "{}", hypothesis.confidence);
    assert!(hypothesis.history.iter().all(|moved| share(moved.before) && share(moved.after)));
    assert!(!hypothesis.outlook.is_empty());
    assert!(hypothesis.outlook.iter().all(|o| o.log_odds >= 0.0 && o.log_odds.is_finite()));
    let tree = &hypothesis.explained;
    assert!((tree.value - hypothesis.confidence).abs() < 1e-12, "the tree is about another figure");
    let parts: f64 = tree.children.iter().map(|child| child.value).sum();
    assert!((sigmoid(parts) - hypothesis.confidence).abs() < 1e-9, "{}", tree.render());
    // The history is a chain from the prior to the figure.
    let mut standing = prior(hypothesis.prior);
    for moved in &hypothesis.history {
        assert!((moved.before - standing).abs() < 1e-6, "{:?}", hypothesis.history);
        assert!((logit(moved.after) - logit(moved.before) - moved.log_odds).abs() < 1e-4);
        standing = moved.after;
    }
    assert!((standing - hypothesis.confidence).abs() < 1e-6);
}

#[test]
fn without_evidence_the_prior_stands() {
    for (word, figure) in [(Prior::Likely, 0.5), (Prior::Possible, 0.35), (Prior::Unlikely, 0.2)] {
        let nothing = weighed(word, &[]);
        assert!((nothing.confidence - figure).abs() < 1e-9);
        assert_eq!(nothing.status, HypothesisStatus::Active);
        let silent = weighed(word, &[judged("a", "a", 0.3, 0.2), judged("b", "b", 0.04, 0.5)]);
        assert!((silent.confidence - figure).abs() < 1e-9, "silence is no evidence");
        assert_eq!((silent.silent, silent.history.len()), (2, 0));
        sound(&silent);
    }
}

#[test]
fn confirmed_needs_two_independent_sources() {
    let one = weighed(Prior::Likely, &[judged("a", "a", 0.98, 0.0)]);
    assert!(one.confidence > CONFIRMED, "{}", one.confidence);
    assert_eq!((one.status, one.independent_supporting), (HypothesisStatus::Active, 1));
    assert_eq!(one.outlook[0].to, HypothesisStatus::Confirmed);
    assert_eq!((one.outlook[0].sources, one.outlook[0].log_odds), (Some(1), 0.0));
    assert!(one.outlook[0].words.starts_with("one more independent source"), "{:?}", one.outlook);
    let copies =
        weighed(Prior::Likely, &[judged("a", "a", 0.98, 0.0), judged("b", "a", 0.98, 0.0)]);
    assert_eq!(copies.status, HypothesisStatus::Active);
    let two = weighed(Prior::Possible, &[judged("a", "a", 0.95, 0.0), judged("b", "b", 0.95, 0.0)]);
    assert_eq!((two.status, two.independent_supporting), (HypothesisStatus::Confirmed, 2));
    assert_eq!(two.outlook.len(), 1);
    assert!(two.outlook[0].words.contains("contradicts"), "{:?}", two.outlook);
    let split = weighed(
        Prior::Possible,
        &[judged("a", "a", 0.95, 0.0), judged("b", "b", 0.95, 0.0), judged("c", "c", 0.01, 0.95)],
    );
    assert!(split.confidence < two.confidence);
    assert_eq!(split.status, HypothesisStatus::Active);
    [one, copies, two, split].iter().for_each(sound);
}

/// One source may be misread, and what the model held of it before any evidence refutes nothing.
#[test]
fn refuted_needs_two_independent_sources_and_their_evidence() {
    let denial = |source: &str, refutes: f64| judged(source, source, 0.01, refutes);
    let status = |prior: Prior, judged: &[Judged], rules: Derivations| {
        let hypothesis = weighed_by(prior, judged, rules);
        sound(&hypothesis);
        hypothesis.status
    };
    let one = [denial("a", 0.95)];
    let alone = weighed(Prior::Possible, &one);
    assert!(alone.confidence <= REFUTED, "{}", alone.confidence);
    assert_eq!((alone.status, alone.independent_contradicting), (HypothesisStatus::Active, 1));
    let fall = alone.outlook.iter().find(|o| o.to == HypothesisStatus::Refuted).unwrap();
    assert_eq!((fall.sources, fall.log_odds), (Some(1), 0.0));
    assert!(fall.words.starts_with("one more independent source"), "{}", fall.words);
    assert_eq!(status(Prior::Possible, &one, Derivations::FOURTH), HypothesisStatus::Refuted);
    let two = [denial("a", 0.95), denial("b", 0.95)];
    let both = weighed(Prior::Possible, &two);
    assert_eq!((both.status, both.contradicting.len()), (HypothesisStatus::Refuted, 2));
    assert_eq!(both.outlook[0].to, HypothesisStatus::Active);
    // A copy is no second source.
    let copies = [denial("a", 0.95), judged("b", "a", 0.01, 0.95)];
    assert_eq!(status(Prior::Possible, &copies, NOW), HypothesisStatus::Active);
    // As many bear it out.
    let disputed = [two.as_slice(), &[judged("c", "c", 0.7, 0.0), judged("d", "d", 0.7, 0.0)]];
    assert_eq!(status(Prior::Unlikely, &disputed.concat(), NOW), HypothesisStatus::Active);
    // Faint denials of what the model held unlikely: the word alone would do the rest.
    let faint = [denial("a", 0.65), denial("b", 0.65)];
    assert!(weighed(Prior::Unlikely, &faint).confidence <= REFUTED);
    assert_eq!(status(Prior::Unlikely, &faint, NOW), HypothesisStatus::Active);
    assert_eq!(status(Prior::Unlikely, &faint, Derivations::FOURTH), HypothesisStatus::Refuted);
}

#[test]
fn what_may_only_name_another_cause_moves_nothing() {
    let rivals = [judged("a", "a", 0.1, 0.6), judged("b", "b", 0.1, 0.55)];
    let now = weighed(Prior::Unlikely, &rivals);
    assert_eq!((now.silent, now.history.len()), (2, 0));
    let before = weighed_by(Prior::Unlikely, &rivals, Derivations::FOURTH);
    assert!(before.confidence < now.confidence && before.silent == 0);
}

#[test]
fn what_says_otherwise_in_some_part_bears_nothing_out() {
    let mut other = judged("a", "a", 0.9, 0.05);
    assert!(weighed(Prior::Possible, std::slice::from_ref(&other)).confidence > 0.35);
    other.judged.says_otherwise = true;
    let nothing = weighed(Prior::Possible, &[other]);
    assert!((nothing.confidence - 0.35).abs() < 1e-9 && nothing.supporting.is_empty());
}

/// What is said to be enough is enough, and one source fewer is not.
#[test]
fn the_outlook_comes_true() {
    let clear = |n: u8| judged(&format!("new{n}"), &format!("new{n}"), 0.0, 0.9241);
    let slope = 0.8;
    let weighs = weight(&clear(0).judged, &calibration(), NOW);
    assert!((weighs + slope * logit(0.9241)).abs() < 1e-9);
    // Weighs -2, as a supposed source does.
    assert!((slope * logit(0.9241) - 2.0).abs() < 1e-3);
    let start = [judged("a", "a", 0.8, 0.0)];
    let hypothesis = weighed(Prior::Likely, &start);
    let fall = hypothesis.outlook.iter().find(|o| o.to == HypothesisStatus::Refuted).unwrap();
    let needed = fall.sources.unwrap();
    let with = |n: u8| {
        let all: Vec<Judged> = start.iter().cloned().chain((0..n).map(clear)).collect();
        weighed(Prior::Likely, &all).status
    };
    assert_eq!(with(needed), HypothesisStatus::Refuted);
    assert_ne!(with(needed - 1), HypothesisStatus::Refuted);
}

#[test]
fn the_history_names_what_moved_it() {
    let mut hypothesis = weighed(Prior::Possible, &[judged("a", "a", 0.9, 0.0)]);
    let first = hypothesis.confidence;
    let both = [judged("a", "a", 0.9, 0.0), judged("b", "b", 0.0, 0.9)];
    hypothesis.weigh(&both, 2, THRESHOLDS, &calibration(), NOW);
    let moves: Vec<(u8, &str)> =
        hypothesis.history.iter().map(|m| (m.round, m.passage_id.as_str())).collect();
    assert_eq!(moves, [(1, "a"), (2, "b")]);
    assert!(hypothesis.confidence < first);
    sound(&hypothesis);
    // An old denial that a newer document of its kind silences.
    let silenced = [judged("a", "a", 0.9, 0.0), judged("b", "b", 0.0, 0.0)];
    hypothesis.weigh(&silenced, 3, THRESHOLDS, &calibration(), NOW);
    assert_eq!(hypothesis.history.len(), 3);
    assert!((hypothesis.confidence - first).abs() < 1e-12);
    sound(&hypothesis);
    // Nothing new moves nothing.
    hypothesis.weigh(&silenced, 4, THRESHOLDS, &calibration(), NOW);
    assert_eq!(hypothesis.history.len(), 3);
}

#[test]
fn one_source_is_bounded() {
    let sure = weighed(Prior::Possible, &[judged("a", "a", 1.0, 0.0)]);
    assert!((logit(sure.confidence) - logit(0.35)) <= BOUND + 1e-9);
    let against = weighed(Prior::Possible, &[judged("a", "a", 0.0, 1.0)]);
    assert!((logit(0.35) - logit(against.confidence)) <= BOUND + 1e-9);
}

fn any_judged() -> impl Strategy<Value = Judged> {
    (0u8..12, 0u8..4, 0.0..1.0f64, 0.0..1.0f64).prop_map(|(passage, cluster, s, r)| {
        judged(&format!("p{passage}"), &format!("c{cluster}"), s, r * (1.0 - s))
    })
}

/// Passages of different ids, as a run has them.
fn evidence() -> impl Strategy<Value = Vec<Judged>> {
    proptest::collection::vec(any_judged(), 0..9).prop_map(|list| {
        let unique: BTreeMap<PassageId, Judged> =
            list.into_iter().map(|one| (one.passage_id.clone(), one)).collect();
        unique.into_values().collect()
    })
}

fn any_prior() -> impl Strategy<Value = Prior> {
    prop::sample::select(&[Prior::Likely, Prior::Possible, Prior::Unlikely][..])
}

proptest! {
    #[test]
    fn the_order_of_passages_changes_nothing(
        prior in any_prior(),
        (list, shuffled) in evidence().prop_flat_map(|v| (Just(v.clone()), Just(v).prop_shuffle())),
    ) {
        prop_assert_eq!(weighed(prior, &list), weighed(prior, &shuffled));
    }

    #[test]
    fn the_order_of_rounds_changes_no_figure(prior in any_prior(), list in evidence(), cut in any::<prop::sample::Index>()) {
        let whole = weighed(prior, &list);
        let mut in_two = weighed(prior, &list[..cut.index(list.len() + 1)]);
        in_two.weigh(&list, 2, THRESHOLDS, &calibration(), NOW);
        prop_assert_eq!(whole.confidence.to_bits(), in_two.confidence.to_bits());
        prop_assert_eq!(whole.status, in_two.status);
        prop_assert_eq!(&whole.explained, &in_two.explained);
        sound(&in_two);
    }

    #[test]
    fn a_copy_of_a_source_changes_nothing(prior in any_prior(), list in evidence(), which in any::<prop::sample::Index>()) {
        prop_assume!(!list.is_empty());
        let mut more = list.clone();
        let mut copy = which.get(&list).clone();
        copy.passage_id = PassageId::from("copy");
        copy.judged.evidence.source_id = SourceId::from("copy");
        more.push(copy);
        let (before, after) = (weighed(prior, &list), weighed(prior, &more));
        prop_assert_eq!(before.confidence.to_bits(), after.confidence.to_bits());
        prop_assert_eq!(before.status, after.status);
        prop_assert_eq!(before.independent_supporting, after.independent_supporting);
        prop_assert_eq!(before.independent_contradicting, after.independent_contradicting);
    }

    #[test]
    fn a_contradiction_never_raises(prior in any_prior(), list in evidence(), cluster in 0u8..6, r in 0.5..1.0f64, s in 0.0..1.0f64) {
        let mut more = list.clone();
        more.push(judged("new", &format!("c{cluster}"), s * (1.0 - r), r));
        let (before, after) = (weighed(prior, &list), weighed(prior, &more));
        prop_assert!(after.confidence <= before.confidence);
        prop_assert!(after.independent_supporting == before.independent_supporting);
    }

    #[test]
    fn support_never_lowers(prior in any_prior(), list in evidence(), cluster in 0u8..6, s in 0.0..1.0f64) {
        let mut more = list.clone();
        more.push(judged("new", &format!("c{cluster}"), s, 0.0));
        prop_assert!(weighed(prior, &more).confidence >= weighed(prior, &list).confidence);
    }

    #[test]
    fn figures_are_shares_and_explained(prior in any_prior(), list in evidence()) {
        let hypothesis = weighed(prior, &list);
        sound(&hypothesis);
        let count = hypothesis.supporting.len() + hypothesis.contradicting.len() + hypothesis.silent;
        prop_assert_eq!(count, list.len());
        let json = serde_json::to_string(&hypothesis).unwrap();
        prop_assert_eq!(serde_json::from_str::<Hypothesis>(&json).unwrap(), hypothesis);
    }

    #[test]
    fn the_rules_of_confirmed_and_refuted(prior in any_prior(), list in evidence()) {
        let hypothesis = weighed(prior, &list);
        let (supporting, contradicting) =
            (hypothesis.independent_supporting, hypothesis.independent_contradicting);
        let confirmed = hypothesis.confidence >= 0.85 && supporting >= 2 && supporting > contradicting;
        prop_assert_eq!(hypothesis.status == HypothesisStatus::Confirmed, confirmed);
        let from_even = sigmoid(logit(hypothesis.confidence) - logit(self::prior(hypothesis.prior)));
        if hypothesis.status == HypothesisStatus::Refuted {
            prop_assert!(hypothesis.confidence <= 0.15 && from_even <= 0.15 + 1e-6);
            prop_assert!(contradicting >= 2 && contradicting > supporting);
        } else if hypothesis.confidence <= 0.15 - 1e-6 && from_even <= 0.15 - 1e-6 {
            prop_assert!(contradicting < 2 || contradicting <= supporting);
        }
    }

    /// Runs of before go by their rule.
    #[test]
    fn the_rules_of_earlier_revisions(prior in any_prior(), list in evidence()) {
        let hypothesis = weighed_by(prior, &list, Derivations::FOURTH);
        let confirmed = hypothesis.confidence >= 0.85 && hypothesis.independent_supporting >= 2;
        prop_assert_eq!(hypothesis.status == HypothesisStatus::Confirmed, confirmed);
        prop_assert_eq!(hypothesis.status == HypothesisStatus::Refuted, hypothesis.confidence <= 0.15);
        sound(&hypothesis);
    }

    #[test]
    fn nothing_breaks_on_odd_figures(s in any::<f64>(), r in any::<f64>()) {
        let hypothesis = weighed(Prior::Possible, &[judged("a", "a", s, r)]);
        prop_assert!((0.0..=1.0).contains(&hypothesis.confidence));
    }
}
