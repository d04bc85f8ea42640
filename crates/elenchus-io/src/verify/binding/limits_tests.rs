//! Limits, exceptions and orders, and what denies nothing.

use super::tests::{fires, kinds, run, silent};
use elenchus_core::port::MismatchKind;

#[test]
fn an_exception_is_no_part_of_all() {
    let evidence = "Members of the club get 20 % off all courses, but not off diving courses.";
    let found = run("Members of the club get 20 % off all courses.", &[evidence]);
    assert!(found.contradicts(), "{found:?}");
    let claim = "All visitors may enter the tower.";
    let limited = run(claim, &["All visitors may enter the tower except on Mondays."]);
    let said: Vec<_> = limited.mismatches.iter().map(|m| (m.kind, m.contradicts)).collect();
    assert_eq!(said, [(MismatchKind::Hedge, false)], "{limited:?}");
    silent(claim, "All visitors may enter the tower at any hour.");
    silent("Visitors may enter the tower.", "All visitors may enter the tower except on Mondays.");
}

#[test]
fn a_limit_is_set_with_a_negation_or_without() {
    let claim = "The landlord cannot increase the rent by more than 3 % in a year.";
    let has_negation = |evidence: &str| kinds(claim, evidence).contains(&MismatchKind::Negation);
    assert!(!has_negation("The landlord may raise the rent once a year by no more than 3 %."));
    assert!(!has_negation("The landlord may increase the rent by at most 3 % in a year."));
    assert!(has_negation("The landlord can increase the rent by more than 3 % in a year."));
}

#[test]
fn a_comparison_of_two_of_one_kind_has_an_order() {
    let claim = "Lake Ness is larger than Lake Orrin.";
    fires(MismatchKind::Comparative, claim, "Lake Orrin is larger than Lake Ness.");
    let same = "Lake Ness is, as everybody knows, larger than Lake Orrin.";
    assert!(!run(claim, &[same]).contradicts());
}

#[test]
fn what_is_said_of_another_time_thing_or_field_denies_nothing() {
    for (claim, evidence) in [
        (
            "There will be new fares after April 2027.",
            "There will be no new fares before April 2027.",
        ),
        ("The board may close Ness quay.", "Quay: Ness; Owner: the board; Opened: 2014"),
        (
            "The ferries have more stewards than pilots.",
            "Stewards were less satisfied than pilots.",
        ),
    ] {
        let found = run(claim, &[evidence]);
        assert!(!found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
    }
    let evidence = "There will be no new fares before April 2027.";
    assert!(run("There will be new fares before April 2027.", &[evidence]).contradicts());
}

#[test]
fn what_is_denied_above_a_limit_is_denied_of_each_figure_above_it() {
    let evidence = "Nobody may stay in the hut for more than seven nights.";
    assert!(!run("Nobody may stay in the hut for eight nights.", &[evidence]).contradicts());
    assert!(run("Nobody may stay in the hut for six nights.", &[evidence]).contradicts());
}
