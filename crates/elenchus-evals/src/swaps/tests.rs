use super::data::Pair;
use super::make::{KINDS, Swap, attacks};

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
