//! Learning which signals to believe.

use super::fixture::{day, signal};
use crate::bank::{Predictions, ProjectWeights, Signal, SignalKind};

fn vote(positive: bool, session: &str, at: f64) -> Signal {
    signal(SignalKind::Explicit, positive, "ann", session, day(at))
}

#[test]
fn a_new_project_believes_as_designed() {
    let weights = ProjectWeights::new("p");
    let [explicit, usage, outcome] = weights.normalised();
    assert!((explicit - 0.7 / 1.7).abs() < 1e-12 && (usage - 0.5 / 1.7).abs() < 1e-12);
    assert!((outcome - usage).abs() < 1e-12 && (explicit + usage + outcome - 1.0).abs() < 1e-12);
    let relative = weights.relative();
    assert!((relative.explicit - 1.0).abs() < 1e-12);
    assert!((relative.outcome - 0.5 / 0.7).abs() < 1e-12);
}

#[test]
fn what_said_nothing_abstains() {
    let mut weights = ProjectWeights::new("p");
    for n in 0..50 {
        weights.learn_from_vote(&vote(n % 5 != 0, &format!("run_{n}"), f64::from(n)), &[]);
    }
    assert_eq!(weights, ProjectWeights::new("p"));
    // As much for as against is nothing said.
    let tie = [
        signal(SignalKind::Outcome, true, "ann", "run_1", day(0.1)),
        signal(SignalKind::Outcome, false, "bob", "run_1", day(0.2)),
    ];
    weights.learn_from_vote(&vote(true, "run_1", 0.5), &tie);
    assert_eq!(weights, ProjectWeights::new("p"));
}

#[test]
fn a_negative_outcome_is_a_prediction_too() {
    let mut weights = ProjectWeights::new("p");
    let failed = [signal(SignalKind::Outcome, false, "ann", "run_1", day(0.1))];
    weights.learn_from_vote(&vote(false, "run_1", 0.5), &failed);
    assert!((weights.outcome_alpha - 6.0).abs() < 1e-12);
    assert!((weights.outcome_beta - 5.0).abs() < 1e-12);
    weights.learn_from_vote(&vote(true, "run_1", 0.6), &failed);
    assert!((weights.outcome_beta - 6.0).abs() < 1e-12 && weights.version == 2);
}

#[test]
fn its_own_session_speaks_before_the_week() {
    let mut weights = ProjectWeights::new("p");
    let signals = [
        signal(SignalKind::Outcome, true, "ann", "run_1", day(1.0)),
        signal(SignalKind::Outcome, false, "ann", "run_2", day(1.1)),
        signal(SignalKind::Outcome, false, "ann", "run_3", day(1.2)),
    ];
    weights.learn_from_vote(&vote(true, "run_1", 2.0), &signals);
    assert!((weights.outcome_alpha - 6.0).abs() < 1e-12, "{weights:?}");
    // From another session: the majority of the week says no.
    weights.learn_from_vote(&vote(true, "run_9", 2.0), &signals);
    assert!((weights.outcome_beta - 6.0).abs() < 1e-12, "{weights:?}");
    // Later than a week they say nothing, and what comes after the vote never does.
    let before = weights.clone();
    weights.learn_from_vote(&vote(true, "run_9", 9.0), &signals);
    weights.learn_from_vote(&vote(true, "run_9", 0.5), &signals);
    assert_eq!(weights, before);
}

/// A signal that always says yes predicts praise as often as praise is given, and knows nothing.
#[test]
fn what_always_says_the_same_loses_its_weight() {
    let mut weights = ProjectWeights::new("p");
    for n in 0..100 {
        let session = format!("run_{n}");
        let at = f64::from(n) * 10.0;
        let shown = [
            signal(SignalKind::Usage, true, "ann", &session, day(at)),
            signal(SignalKind::Outcome, n % 5 != 0, "ann", &session, day(at)),
        ];
        weights.learn_from_vote(&vote(n % 5 != 0, &session, at + 0.1), &shown);
    }
    // Its plain share of right predictions rose to three quarters all the same.
    assert!(weights.usage_alpha / (weights.usage_alpha + weights.usage_beta) > 0.7);
    let [_, usage, outcome] = weights.raw();
    assert!(usage < 0.15, "{usage}");
    assert!(outcome > 0.85, "{outcome}");
    assert_eq!(Predictions { true_pos: 9, ..Predictions::default() }.skill(), None);
    // Whatever is learned, a vote stays one observation.
    assert!((weights.relative().explicit - 1.0).abs() < 1e-12);
}

/// Use tells more than showing: where it is reported, it is what usage said.
#[test]
fn use_speaks_for_usage() {
    let mut weights = ProjectWeights::new("p");
    let signals = [
        signal(SignalKind::Usage, true, "ann", "run_1", day(0.1)),
        signal(SignalKind::Used, false, "ann", "run_1", day(0.2)),
    ];
    weights.learn_from_vote(&vote(false, "run_1", 0.5), &signals);
    assert!((weights.usage_alpha - 6.0).abs() < 1e-12);
}

#[test]
fn votes_are_believed_by_how_tasks_end_and_within_bounds() {
    let agreeing = |right: bool, times: u32| {
        let mut weights = ProjectWeights::new("p");
        for n in 0..times {
            let at = f64::from(n);
            let outcome =
                signal(SignalKind::Outcome, right, "bob", &format!("o{n}"), day(at + 0.5));
            weights.learn_from_outcome(&outcome, &[vote(true, "run_1", at)]);
        }
        weights
    };
    let (right, wrong) = (agreeing(true, 1000).raw()[0], agreeing(false, 1000).raw()[0]);
    assert!((right - 27.0 / 30.0).abs() < 1e-9 && (wrong - 7.0 / 30.0).abs() < 1e-9);
    // The last twenty decide: a project can change its mind.
    let mut turned = agreeing(false, 1000);
    for n in 0..200 {
        let at = 2000.0 + f64::from(n);
        let outcome = signal(SignalKind::Outcome, true, "bob", &format!("t{n}"), day(at + 0.5));
        turned.learn_from_outcome(&outcome, &[vote(true, "run_1", at)]);
    }
    assert!((turned.raw()[0] - 0.9).abs() < 0.01, "{turned:?}");
    // An outcome before the vote says nothing of it.
    let early = signal(SignalKind::Outcome, true, "bob", "o", day(0.5));
    let mut weights = ProjectWeights::new("p");
    weights.learn_from_outcome(&early, &[vote(true, "run_1", 1.0)]);
    assert_eq!(weights, ProjectWeights::new("p"));
}

#[test]
fn weights_are_kept_under_their_names() {
    let json = serde_json::json!({
        "project_id": "p", "explicit_alpha": 7.0, "explicit_beta": 3.0, "usage_alpha": 5.0, "usage_beta": 5.0,
        "outcome_alpha": 5.0, "outcome_beta": 5.0,
    });
    assert_eq!(serde_json::from_value::<ProjectWeights>(json).unwrap(), ProjectWeights::new("p"));
}

/// What is learned counts as far as it may, and the rest later.
#[test]
fn weights_come_into_force_as_far_as_they_may() {
    let before = ProjectWeights::new("p");
    let mut learned = before.clone();
    let failed = [signal(SignalKind::Outcome, false, "ann", "run_1", day(0.1))];
    learned.learn_from_vote(&vote(false, "run_1", 0.5), &failed);
    let (from, to) = (before.relative().outcome, learned.relative().outcome);
    assert!(to > from);
    let bounded = |most: f64| {
        let mut held = learned.clone();
        held.come_into_force(&before, |weights| weights.relative().outcome <= most + 1e-12);
        held
    };
    assert_eq!(bounded(2.0), learned, "all of it where nothing is against it");
    let quarter = bounded(from + 0.3 * (to - from));
    assert!((quarter.relative().outcome - (from + 0.25 * (to - from))).abs() < 1e-12);
    let none = bounded(0.0);
    assert!((none.relative().outcome - from).abs() < 1e-12, "at the least nothing");
    assert!((none.raw()[2] - learned.raw()[2]).abs() < 1e-12, "and what was learned is kept");
    // The next signal lets the rest count, and a view learns of it.
    let mut rest = none.clone();
    rest.come_into_force(&none, |_| true);
    assert!((rest.relative().outcome - to).abs() < 1e-12 && rest.version > none.version);
}
