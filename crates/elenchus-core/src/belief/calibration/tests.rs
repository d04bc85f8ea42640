use super::*;
use proptest::prelude::*;

fn calibration() -> Calibration {
    Calibration {
        version: "test".to_owned(),
        verifier: "test".to_owned(),
        bias: -1.0,
        maps: vec![CalibrationMap {
            tier: Tier::Features,
            slope: 1.2,
            fitted_on: vec![],
            ece: Some(0.0),
            ece_left_out: Some(0.0),
            bins: vec![Bin { confidence: 0.5, accuracy: 0.5, n: 100 }],
            bins_left_out: vec![],
        }],
        feedback: vec![],
        counts_left_out: false,
    }
}

/// With a map for quotes that was set by hand, and errors on sets that were left out.
fn by_left_out() -> Calibration {
    let mut calibration = calibration();
    let features = &mut calibration.maps[0];
    (features.ece, features.ece_left_out) = (Some(0.04), Some(0.1));
    features.fitted_on = vec![FittedOn { set: "wice".to_owned(), n: 349, sha256: String::new() }];
    let by_hand = CalibrationMap {
        tier: Tier::Quote,
        slope: 2.0,
        fitted_on: vec![],
        ece: None,
        ece_left_out: None,
        bins: vec![],
        bins_left_out: vec![],
    };
    calibration.maps.push(by_hand);
    calibration.counts_left_out = true;
    calibration
}

#[test]
fn platt_finds_the_map_that_made_the_labels() {
    // Labels drawn with the very shares of sigmoid(2x - 1), without randomness.
    let mut points = Vec::new();
    for step in -20..=20 {
        let x = f64::from(step) / 5.0;
        let positives = (sigmoid(2.0 * x - 1.0) * 200.0).round() as usize;
        points.extend((0..200).map(|i| (x, i < positives)));
    }
    let (slope, bias) = fit_platt(&points, None).expect("there are labels of both kinds");
    assert!((slope - 2.0).abs() < 0.05, "{slope}");
    assert!((bias + 1.0).abs() < 0.05, "{bias}");
    assert_eq!(fit_platt(&[(0.0, true); 9], None), None);
}

#[test]
fn isotonic_pools_what_falls() {
    let pooled = isotonic(&[(0.1, 1.0), (0.5, 1.0), (0.3, 1.0), (0.9, 1.0)]);
    assert_eq!(pooled, [0.1, 0.4, 0.4, 0.9]);
}

#[test]
fn a_tier_that_nothing_was_fitted_for_has_no_map() {
    let mut calibration = calibration();
    let mut close = calibration.maps[0].clone();
    (close.tier, close.ece) = (Tier::CrossEncoder, Some(0.031));
    calibration.maps.push(close);
    for tier in [Tier::Nli, Tier::Llm] {
        assert_eq!(calibration.map(tier), None);
        assert!((calibration.slope(tier) - 1.2).abs() < 1e-12);
        let said = calibration.said(&[tier, tier]);
        assert!(said.starts_with("no calibration for this verifier"), "{said}");
        assert!(!said.contains("fitted on"), "{said}");
    }
    assert!(calibration.map(Tier::Binding).is_some_and(|map| map.tier == Tier::Features));
    // What decided most is what is told of.
    let own = calibration.said(&[Tier::Quote, Tier::CrossEncoder, Tier::CrossEncoder]);
    assert!(own.contains("its error was 0.031"), "{own}");
    assert!(calibration.said(&[]).contains("its error was 0.000"));
    let mixed = calibration.said(&[Tier::Llm, Tier::Quote, Tier::Llm]);
    assert!(mixed.contains("(2 of 3)") && mixed.contains("its error was 0.000"), "{mixed}");
}

#[test]
fn an_interval_takes_in_the_error_on_sets_that_were_left_out() {
    let wide = by_left_out();
    let narrow = Calibration { counts_left_out: false, ..wide.clone() };
    let (of_pairs, whole) = (narrow.apply(Tier::Features, 1.0), wide.apply(Tier::Features, 1.0));
    assert!((of_pairs.p - 0.5).abs() < 1e-12 && of_pairs.p.to_bits() == whole.p.to_bits());
    assert_eq!((of_pairs.low, of_pairs.high), wilson(of_pairs.p, 100.0), "to the last bit");
    assert!((whole.low - of_pairs.low + 0.1).abs() < 1e-12, "{whole:?}");
    assert!((whole.high - of_pairs.high - 0.1).abs() < 1e-12, "{whole:?}");
    // A map that was set by hand has no error of its own: its interval is that of the features.
    let quote = wide.apply(Tier::Quote, 1.0);
    assert_eq!(
        (quote.low.to_bits(), quote.high.to_bits()),
        (whole.low.to_bits(), whole.high.to_bits())
    );
    // What a user says of such figures halves what their documents may differ by.
    let mut told = wide.clone();
    for right in [true, false].repeat(10) {
        told.learn(whole.fitted, right);
    }
    let known = told.apply(Tier::Features, 1.0);
    assert!((known.low - wilson(known.p, 120.0).0 + 0.05).abs() < 1e-12, "{known:?}");
    // Near the end of the scale it stays on it.
    let sure = wide.apply(Tier::Features, 6.0);
    assert!(sure.low < sure.p && sure.high <= 1.0, "{sure:?}");
}

#[test]
fn how_an_error_was_measured_is_told_and_a_hand_that_set_a_map() {
    let calibration = by_left_out();
    let fitted = calibration.said(&[Tier::Features]);
    assert_eq!(
        fitted,
        "calibration test: fitted on wice (349 labelled pairs), where its error was 0.040 (five-fold, all sets pooled); on \
         sets that were left out it was 0.100 (mean over the sets), which is what to expect on documents of other kinds \
         than theirs"
    );
    let by_hand = calibration.said(&[Tier::Quote, Tier::Quote, Tier::Features]);
    let told = "nothing is fitted for what the comparison of words decides, whose slope was set by hand; intervals are \
                those of the regression over features, fitted on wice";
    assert!(by_hand.contains(told), "{by_hand}");
    // What earlier versions journaled is told as they told it.
    let old = Calibration { counts_left_out: false, ..calibration };
    let said = old.said(&[Tier::Features]);
    assert!(said.ends_with("as there is no calibration for documents of this kind"), "{said}");
    let written = serde_json::to_value(&old).expect("it is JSON");
    assert!(written.get("counts_left_out").is_none(), "{written}");
    assert!(written["maps"][1].get("ece").is_none() && written["maps"][0]["ece"] == 0.04);
}

#[test]
fn feedback_moves_its_own_tenth_most_and_the_map_stays_monotone() {
    let mut calibration = calibration();
    let before = |c: &Calibration, x: f64| c.apply(Tier::Features, x).p;
    let plain = calibration.clone();
    for _ in 0..40 {
        calibration.learn(0.85, false);
    }
    let x = |p: f64| logit(p) + 1.0;
    assert!(before(&calibration, x(0.85)) < before(&plain, x(0.85)) - 0.2);
    assert!((before(&calibration, x(0.05)) - before(&plain, x(0.05))).abs() < 0.01);
    let curve: Vec<f64> =
        (0..100).map(|i| before(&calibration, x((f64::from(i) + 0.5) / 100.0))).collect();
    assert!(curve.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12));
}

proptest! {
    #[test]
    fn more_evidence_never_lowers_the_figure(a in -8.0..8.0f64, b in -8.0..8.0f64, said_left_out in any::<bool>(),
        said in proptest::collection::vec((0.0..1.0f64, any::<bool>()), 0..60)) {
        let mut calibration = calibration();
        for (p, right) in said {
            calibration.learn(p, right);
        }
        calibration.maps[0].ece_left_out = Some(0.1);
        calibration.counts_left_out = said_left_out;
        let at = |x| calibration.apply(Tier::Quote, x);
        let (less, more) = (a.min(b), a.max(b));
        prop_assert!(at(less).p <= at(more).p + 1e-12);
        let figure = at(a);
        prop_assert!(0.0 <= figure.low && figure.low <= figure.p && figure.p <= figure.high && figure.high <= 1.0);
    }
}
