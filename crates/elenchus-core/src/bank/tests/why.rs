//! The tree under a confidence adds up.

use super::fixture::{DAY, day, draft, signal, signals};
use crate::bank::{
    Aggregate, BankSettings, Decay, Evidence, Grounds, Origin, Outcome, Prior, ProjectWeights,
    Signal, SignalKind, roll_up, why,
};
use crate::id::{StrategyId, Timestamp};
use crate::measure::Explained;
use proptest::prelude::*;

const DECAY: Decay = Decay { half_life_days: 90.0 };

fn tree(aggregate: Option<&Aggregate>, signals: &[Signal], now: Timestamp) -> (Explained, f64) {
    let settings = BankSettings::default();
    let prior = Prior::of(&draft(Origin::Distilled, Outcome::Success), &settings);
    let weights = ProjectWeights::new("p").relative();
    let posterior =
        Evidence::gather(aggregate, signals, DECAY, now).posterior(prior, &weights, &settings);
    let grounds = Grounds { prior, elsewhere: None };
    (why(grounds, aggregate, signals, DECAY, now, &weights, &settings), posterior.mean())
}

/// Every sum equals its children.
fn adds_up(root: &Explained) {
    for part in &root.children {
        if part.what == "votes" || part.what.starts_with("reports of") {
            let sum: f64 = part.children.iter().map(|child| child.value).sum();
            assert!((sum - part.value).abs() < 1e-9, "{}: {sum} {}", part.what, part.value);
        }
        if part.what == "exposure" {
            let sessions: f64 = part.children.iter().map(|child| child.value).sum();
            assert!((sessions - part.inputs[1].value).abs() < 1e-9, "{part:?}");
        }
    }
}

/// The root's value from its parts alone: what a reader with a pencil would do.
fn recomputed(root: &Explained) -> f64 {
    let [mut up, mut down] = [0.0, 0.0];
    for part in &root.children {
        match part.what.as_str() {
            "prior" => {
                up += part.value * part.inputs[0].value;
                down += (1.0 - part.value) * part.inputs[0].value;
            }
            "exposure" => up += part.value,
            _ => {
                let heard = part.inputs.first().map_or(1.0, |input| input.value);
                for leaf in &part.children {
                    if leaf.what == "rolled up" {
                        let [pos, neg, used, unused] = [0, 1, 2, 3].map(|at| leaf.inputs[at].value);
                        let w = ProjectWeights::new("p").relative();
                        up += heard * (w.outcome * pos + w.used * used);
                        down += heard * (w.outcome * neg + w.used * unused);
                    } else if leaf.value > 0.0 {
                        up += leaf.value;
                    } else {
                        down -= leaf.value;
                    }
                }
            }
        }
    }
    up / (up + down)
}

#[test]
fn a_tree_names_the_votes() {
    let mut vote = signal(SignalKind::Explicit, true, "ann", "run_1", day(1.0));
    vote.comment = Some("worked at once".to_owned());
    let all = [
        vote.clone(),
        signal(SignalKind::Usage, true, "ann", "run_1", day(1.0)),
        signal(SignalKind::Outcome, false, "bob", "run_2", day(2.0)),
    ];
    let (root, mean) = tree(None, &all, day(2.0));
    assert!((root.value - mean).abs() < 1e-12);
    let text = root.render();
    for part in
        ["prior = 0.700", &vote.id, "worked at once", "the task failed", "by bob", "exposure"]
    {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let (bare, _) = tree(None, &[], day(2.0));
    assert_eq!(bare.children.len(), 1, "{}", bare.render());
}

#[test]
fn what_other_projects_believe_is_told_in_sums() {
    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").relative();
    let first = Prior::of(&draft(Origin::Distilled, Outcome::Success), &settings);
    let theirs = [
        signal(SignalKind::Explicit, false, "eve", "run_9", day(1.0)),
        signal(SignalKind::Outcome, true, "eve", "run_9", day(1.0)),
    ];
    let elsewhere = Evidence::gather(None, &theirs, DECAY, day(2.0));
    let prior = Prior::pooled(&elsewhere.posterior(first, &weights, &settings));
    let grounds = Grounds { prior, elsewhere: Some((first, &elsewhere)) };
    let root = why(grounds, None, &[], DECAY, day(2.0), &weights, &settings);
    let part = &root.children[0].children[0];
    assert_eq!(part.what, "belief of the other projects");
    assert!((part.value - prior.mean).abs() < 1e-12 && part.value < 0.7, "{part:?}");
    let text = root.render();
    assert!(text.contains("votes against it") && !text.contains("eve"), "{text}");
}

#[test]
fn a_long_log_of_showings_ends_in_a_sum() {
    let shown: Vec<Signal> = (0..130)
        .map(|n| signal(SignalKind::Usage, true, "ann", &format!("run_{n}"), day(f64::from(n))))
        .chain([signal(SignalKind::Explicit, true, "ann", "run_1", day(1.0))])
        .collect();
    let (root, mean) = tree(None, &shown, day(140.0));
    let exposure = root.children.iter().find(|part| part.what == "exposure").unwrap();
    assert_eq!(exposure.children.len(), 101);
    assert!(exposure.children[0].what.contains("30 earlier"), "{exposure:?}");
    adds_up(&root);
    assert!((recomputed(&root) - mean).abs() < 1e-9);
}

proptest! {
    /// A log that was rolled up and kept tells every signal, and comes to the same.
    #[test]
    fn the_whole_log_comes_to_what_was_rolled_up(all in signals(), point in 0..500i64) {
        let empty = Aggregate::empty(StrategyId::from("mem_000000000001"), "p");
        let rolled = roll_up(&empty, &all, Timestamp(point * DAY), DECAY);
        let log: Vec<Signal> =
            all.iter().filter(|signal| !rolled.absorbed.contains(&signal.id)).cloned().collect();
        let (_, in_sums) = tree(Some(&rolled.aggregate), &log, day(520.0));
        let (root, mean) = tree(None, &all, day(520.0));
        prop_assert!((mean - in_sums).abs() < 1e-9, "{mean} {in_sums}");
        prop_assert!(!root.render().contains("rolled up"));
    }

    #[test]
    fn the_root_is_the_confidence_and_the_parts_make_it(all in signals(), point in 0..500i64) {
        let empty = Aggregate::empty(StrategyId::from("mem_000000000001"), "p");
        let rolled = roll_up(&empty, &all, Timestamp(point * DAY), DECAY);
        let log: Vec<Signal> =
            all.iter().filter(|signal| !rolled.absorbed.contains(&signal.id)).cloned().collect();
        let (root, mean) = tree(Some(&rolled.aggregate), &log, day(520.0));
        prop_assert!((root.value - mean).abs() < 1e-12);
        adds_up(&root);
        prop_assert!((recomputed(&root) - mean).abs() < 1e-9, "{} {}", recomputed(&root), mean);
    }
}
