use super::data::Pair;
use super::make::{KINDS, Swap, attacks};
use super::{JUDGED, Scorer, lost};

fn pair(claim: &str, evidence: &str) -> Pair {
    Pair {
        set: "own",
        claim: claim.to_owned(),
        evidence: vec![evidence.to_owned()],
        generated: false,
    }
}

#[test]
fn every_kind_is_made_and_changes_the_claim() {
    let text = "In 2016 the firm Veltrix sold 40 robots, which may be larger than 3 km, to Naptha in Berlin.";
    let pairs = [pair(text, text), pair("A man met Anna in Paris.", "A man met Anna in Paris.")];
    let made = attacks(&pairs, 1, 10);
    for kind in KINDS {
        assert!(made.iter().any(|a| a.kind == kind), "{kind:?}");
    }
    assert!(made.iter().all(|a| a.claim != pairs[a.pair].claim));
    let year =
        made.iter().find(|a| a.kind == Swap::Year).map(|a| a.claim.clone()).unwrap_or_default();
    assert!(!year.contains("2016") && year.contains("40 robots"), "{year}");
}

#[test]
fn the_seed_decides() {
    let text = "In 2016 the firm Veltrix sold 40 robots to Naptha in Berlin.";
    let pairs = [pair(text, text)];
    let claims = |seed| attacks(&pairs, seed, 5).into_iter().map(|a| a.claim).collect::<Vec<_>>();
    assert_eq!(claims(3), claims(3));
    assert!((4..20).any(|seed| claims(seed) != claims(3)));
}

/// Supports what is said in few words.
struct Short;

impl Scorer for Short {
    fn supports(&self, claim: &str, _: &[String]) -> f64 {
        if claim.split(' ').count() < 4 { 0.9 } else { 0.1 }
    }

    fn threshold(&self) -> f64 {
        0.5
    }
}

#[test]
fn right_claims_that_a_verifier_loses_are_counted() {
    let evidence = ["It rained.".to_owned()];
    let pairs = [("It rained.", &evidence[..]), ("Rain fell upon the roofs.", &evidence[..])];
    assert_eq!(lost(&Short, &pairs), (1, 2));
    assert_eq!(lost(&Short, &[]), (0, 0));
    // Of many some are judged, from all over the set.
    let many = pairs.repeat(3 * JUDGED);
    let (gone, judged) = lost(&Short, &many);
    assert!(judged <= JUDGED && judged > JUDGED / 2 && gone <= judged, "{gone} of {judged}");
}
