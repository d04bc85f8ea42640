//! What the cascade as a whole makes of pairs.

use super::*;

/// The probes that the binding checks are tested with.
#[test]
fn the_probes_that_fool_other_checkers_get_their_verdicts() {
    let figures = "Acme revenue rose 12 % to $40 million in 2021 while Beta revenue fell 7 %.";
    let fathers =
        "Ignatius did not doubt for a moment that Jesus was divine; the church affirmed it.";
    let water = "Water boils at 100 °C.";
    let probes = [
        ("Acme revenue rose 12 % in 2021.", figures, "supported"),
        ("Beta revenue fell 7 %.", figures, "supported"),
        ("Acme revenue fell 12 % in 2021.", figures, "contradicted"),
        ("Beta revenue rose 12 % to $40 million.", figures, "contradicted"),
        // Denied doubt is no denial. That it bears the claim out is more than the words that are compared show.
        ("The early church believed Jesus was divine.", fathers, "neither"),
        ("Water freezes at 0 °C.", water, "contradicted"),
        (water, water, "supported"),
    ];
    let pairs = probes.map(|(claim, evidence, _)| Pair {
        claim: claim.to_owned(),
        evidence: vec![evidence.to_owned()],
        above: vec![],
    });
    let thresholds = Weights::builtin().thresholds;
    let checked = BuiltinVerifier::default().judge(&pairs);
    for ((claim, _, verdict), checked) in probes.into_iter().zip(checked) {
        let Checked::Judged(found) = &checked else { panic!("{claim}: {checked:?}") };
        let is_supported = found.supports >= thresholds.supports;
        let is_contradicted = found.refutes >= thresholds.refutes;
        let expected = (verdict == "supported", verdict == "contradicted");
        assert_eq!((is_supported, is_contradicted), expected, "{claim}: {found:?}");
    }
}

#[test]
fn a_cross_encoder_that_fails_is_told_and_the_features_decide() {
    let evidence = "The company sold 40 robots to the harbour in May.";
    let pairs =
        ["The company sold robots in May.", "The harbour bought robots in May."].map(|claim| {
            Pair { claim: claim.to_owned(), evidence: vec![evidence.to_owned()], above: vec![] }
        });
    let read = |claim: &str, nearest: Vec<(usize, &str)>| {
        assert_eq!(nearest, [(1, evidence)]);
        if claim.contains("bought") {
            Err("its file is damaged".to_owned())
        } else {
            Ok([0.7, 0.2, 0.1])
        }
    };
    let told = |checked: &[Checked]| -> Vec<(f64, String)> {
        let judged = checked.iter().filter_map(|one| match one {
            Checked::Judged(judged) => Some((judged.supports, judged.explained.render())),
            Checked::Unchecked { .. } => None,
        });
        judged.collect()
    };
    let closely = told(&BuiltinVerifier::default().judge_by(&pairs, &read));
    let quickly = told(&BuiltinVerifier::quick().judge(&pairs));
    let failure = "the cross-encoder could not read the pair (its file is damaged)";
    assert!(closely[0].1.contains("cross-encoder: supports 0.7"), "{}", closely[0].1);
    assert!(!closely[0].1.contains(failure), "{}", closely[0].1);
    assert!(closely[1].1.contains(failure), "{}", closely[1].1);
    assert!(closely[1].1.contains("the regression over features decides alone"));
    assert!((closely[1].0 - quickly[1].0).abs() < 1e-12);
    assert!(!quickly[1].1.contains("cross-encoder"), "{}", quickly[1].1);
}

/// Evidence is evidence of something: that of another claim bears nothing out.
#[test]
fn claims_that_exchange_their_evidence_lose_their_support() {
    let said = [
        ("The company sold robots in May.", "The company sold 40 robots to the harbour in May."),
        ("A choir sang about rivers.", "The choir sang an old song about rivers in the church."),
    ];
    let [(first, its), (second, others)] = said;
    let pairs = [(first, its), (second, others), (first, others), (second, its)].map(
        |(claim, evidence)| Pair {
            claim: claim.to_owned(),
            evidence: vec![evidence.to_owned()],
            above: vec![],
        },
    );
    let supports: Vec<f64> = BuiltinVerifier::quick()
        .judge(&pairs)
        .iter()
        .map(|checked| match checked {
            Checked::Judged(judged) => judged.supports,
            Checked::Unchecked { reason } => panic!("it was not judged: {reason}"),
        })
        .collect();
    for (own, anothers) in supports.iter().zip(&supports[2..]) {
        assert!(*own > anothers + 0.2, "{supports:?}");
    }
}
