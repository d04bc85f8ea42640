//! A short game on fixed seeds: what ships learns, and more than the first design.

use super::*;

#[test]
fn what_ships_beats_the_first_design_and_no_learning() {
    let rows = table(OFTEN, 3, 3000);
    let figure = |policy: Policy| {
        rows.iter().find(|row| row.policy == policy.name()).expect("every policy has a row")
    };
    let (none, first) = (figure(Policy::NoLearning), figure(Policy::FirstDesign));
    let ours = figure(Policy::Shipped);
    assert!(ours.success > first.success + 0.03, "{ours:?} {first:?}");
    assert!(ours.success > none.success + 0.05, "{ours:?} {none:?}");
    assert!(ours.ece < first.ece / 2.0 && ours.ece <= MOST_ECE, "{ours:?} {first:?}");
    assert!(ours.never_shown < none.never_shown, "{ours:?} {none:?}");
    let best = world::best_possible(3, 3000);
    assert!(best > ours.success, "nobody does better than who knows: {best}");
}

#[test]
fn the_same_seed_is_the_same_game() {
    let play = || {
        let run = Policy::Shipped.run(&mut World::new(5, 300), OFTEN, 5);
        (run.used, run.at_end)
    };
    assert_eq!(play(), play());
}

#[test]
fn calibration_error_of_what_is_known() {
    assert!(figures::ece(&[(0.7, true), (0.7, true), (0.7, false)]) < 0.04);
    assert!((figures::ece(&[(0.9, false); 10]) - 0.9).abs() < 1e-12);
    assert!(figures::ece(&[]).abs() < 1e-12);
}
