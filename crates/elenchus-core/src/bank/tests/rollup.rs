//! A rollup loses nothing.

use super::fixture::{DAY, day, draft, signal, signals};
use crate::bank::{
    Aggregate, BankSettings, Decay, Evidence, Origin, Outcome, Prior, ProjectWeights, RolledUp,
    Signal, SignalKind, roll_up,
};
use crate::id::{StrategyId, Timestamp};
use proptest::prelude::*;

const DECAY: Decay = Decay { half_life_days: 90.0 };

fn empty() -> Aggregate {
    Aggregate::empty(StrategyId::from("mem_000000000001"), "p")
}

fn confidence(aggregate: Option<&Aggregate>, signals: &[Signal], now: Timestamp) -> f64 {
    let settings = BankSettings::default();
    let prior = Prior::of(&draft(Origin::Distilled, Outcome::Success), &settings);
    Evidence::gather(aggregate, signals, DECAY, now)
        .posterior(prior, &ProjectWeights::new("p").relative(), &settings)
        .mean()
}

/// What stays in the log after a rollup.
fn rest(signals: &[Signal], rolled: &RolledUp) -> Vec<Signal> {
    signals.iter().filter(|signal| !rolled.absorbed.contains(&signal.id)).cloned().collect()
}

#[test]
fn what_can_still_be_taken_back_stays_in_the_log() {
    let outcome = signal(SignalKind::Outcome, true, "ann", "run_1", day(0.0));
    let vote = signal(SignalKind::Explicit, true, "ann", "run_1", day(0.0));
    let all = [outcome.clone(), vote.clone()];
    let early = roll_up(&empty(), &all, day(10.0), DECAY);
    assert_eq!(early.absorbed, [vote.id]);
    // The report is taken back within its thirty days, and that counts.
    let mut log = rest(&all, &early);
    log.push(signal(SignalKind::Outcome, false, "ann", "run_1", day(20.0)));
    let later = roll_up(&early.aggregate, &log, day(31.0), DECAY);
    assert_eq!(later.absorbed.len(), 2);
    let counts = later.aggregate.counts(DECAY);
    assert!(counts.outcome_pos == 0.0 && counts.outcome_neg > 0.9, "{counts:?}");
    // After them it is settled.
    let late = signal(SignalKind::Outcome, true, "ann", "run_1", day(40.0));
    let now = day(41.0);
    let before = confidence(Some(&later.aggregate), &[], now);
    assert!((confidence(Some(&later.aggregate), &[late], now) - before).abs() < 1e-12);
}

#[test]
fn a_vote_of_the_log_replaces_one_that_was_rolled_up() {
    let old = signal(SignalKind::Explicit, true, "ann", "run_1", day(0.0));
    let rolled = roll_up(&empty(), std::slice::from_ref(&old), day(60.0), DECAY);
    let new = signal(SignalKind::Explicit, false, "ann", "run_2", day(70.0));
    let both = confidence(None, &[old, new.clone()], day(80.0));
    assert!((confidence(Some(&rolled.aggregate), &[new], day(80.0)) - both).abs() < 1e-12);
    assert!(both < 0.7);
}

#[test]
fn counts_are_those_of_the_relation() {
    let all = [
        signal(SignalKind::Explicit, true, "ann", "run_1", day(0.0)),
        signal(SignalKind::Explicit, false, "bob", "run_1", day(0.0)),
        signal(SignalKind::Usage, true, "ann", "run_1", day(0.0)),
        signal(SignalKind::Used, false, "ann", "run_2", day(0.0)),
        signal(SignalKind::Outcome, true, "ann", "run_1", day(0.0)),
    ];
    let rolled = roll_up(&empty(), &all, day(90.0), DECAY);
    assert_eq!(rolled.absorbed.len(), all.len());
    let counts = rolled.aggregate.counts(DECAY);
    for (count, wanted) in [
        (counts.explicit_pos, 0.5),
        (counts.explicit_neg, 0.5),
        (counts.usage_pos, 0.5),
        (counts.usage_neg, 0.5),
        (counts.outcome_pos, 0.5),
        (counts.outcome_neg, 0.0),
    ] {
        assert!((count - wanted).abs() < 1e-9, "{counts:?}");
    }
    // To an earlier time nothing is rolled up, and to the same time nothing changes.
    for before in [day(90.0), day(10.0)] {
        let again = roll_up(&rolled.aggregate, &all, before, DECAY);
        assert_eq!((again.aggregate, again.absorbed.len()), (rolled.aggregate.clone(), 0));
    }
}

#[test]
fn an_aggregate_is_kept_as_json() {
    let all = [
        signal(SignalKind::Explicit, true, "ann", "run_1", day(0.0)),
        signal(SignalKind::Outcome, true, "ann", "run_1", day(0.0)),
    ];
    let rolled = roll_up(&empty(), &all, day(77.7), DECAY).aggregate;
    let text = serde_json::to_string(&rolled).unwrap();
    assert_eq!(serde_json::from_str::<Aggregate>(&text).unwrap(), rolled);
}

proptest! {
    /// `confidence(events) == confidence(aggregate + recent)` at any rollup points, one after another, whatever comes in
    /// between, at any time after them.
    #[test]
    fn a_rollup_changes_no_confidence(
        all in signals(), points in prop::collection::vec(0..420i64, 1..5), after in 0..500i64,
    ) {
        let mut points = points;
        points.sort_unstable();
        let last = Timestamp(points[points.len() - 1] * DAY);
        let now = Timestamp(last.0.max(400 * DAY) + after * DAY / 7);
        let whole = confidence(None, &all, now);
        let mut aggregate = empty();
        let mut log: Vec<Signal> = Vec::new();
        let mut arrived = 0;
        let mut ordered = all.clone();
        ordered.sort_by_key(|signal| signal.timestamp);
        for point in points {
            let point = Timestamp(point * DAY);
            // Signals arrive as time passes; the log holds what came before the point.
            while arrived < ordered.len() && ordered[arrived].timestamp < point {
                log.push(ordered[arrived].clone());
                arrived += 1;
            }
            let rolled = roll_up(&aggregate, &log, point, DECAY);
            log = rest(&log, &rolled);
            aggregate = rolled.aggregate;
        }
        log.extend_from_slice(&ordered[arrived..]);
        let parts = confidence(Some(&aggregate), &log, now);
        prop_assert!((whole - parts).abs() < 1e-9, "{whole} {parts}");
    }

    /// The same where every signal is there from the beginning and the rollup point lies anywhere.
    #[test]
    fn wherever_the_point_lies(all in signals(), point in 0..420i64) {
        let rolled = roll_up(&empty(), &all, Timestamp(point * DAY), DECAY);
        let now = day(430.0);
        let parts = confidence(Some(&rolled.aggregate), &rest(&all, &rolled), now);
        prop_assert!((confidence(None, &all, now) - parts).abs() < 1e-9);
    }
}
