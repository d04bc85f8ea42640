//! Archive, promotion, quarantine, classes.

use super::fixture::{day, draft, signal, strategy};
use crate::bank::{
    BankSettings, Class, Decay, Draft, Evidence, Lift, Origin, Outcome, Posterior, Prior,
    ProjectWeights, Scope, Signal, SignalKind, Standing, Strategy, Trust, calibrated, labelled,
    learned_prior, lift, lifts_quarantine, promotion, prune, standing_at_first, trust,
};

fn outcomes(n: usize, positive: bool, actors: usize) -> Vec<Signal> {
    (0..n)
        .map(|n| {
            let actor = format!("actor {}", n % actors);
            signal(SignalKind::Outcome, positive, &actor, &format!("run_{n}"), day(0.0))
        })
        .collect()
}

fn pruned(signals: &[Signal]) -> Option<String> {
    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").relative();
    let prior = Prior::of(&draft(Origin::Distilled, Outcome::Success), &settings);
    let evidence = Evidence::gather(None, signals, Decay::NEVER, day(0.0));
    prune(&evidence.posterior(prior, &weights, &settings), &evidence, &weights, &settings)
}

#[test]
fn only_what_surely_fails_is_archived() {
    assert_eq!(pruned(&[]), None);
    assert_eq!(pruned(&outcomes(5, false, 5)), None);
    assert_eq!(pruned(&outcomes(200, true, 50)), None);
    let reason = pruned(&outcomes(60, false, 12)).unwrap();
    assert!(reason.contains("0.30"), "{reason}");
    // One actor alone needs hundreds of sessions for what twelve do with five each.
    assert_eq!(pruned(&outcomes(100, false, 1)), None);
    assert!(pruned(&outcomes(5000, false, 1)).is_some());
}

fn promoted(signals: &[Signal], scope: Scope) -> Option<Scope> {
    let mut strategy = strategy(draft(Origin::Distilled, Outcome::Success));
    strategy.draft.scope = scope;
    promotion(&strategy, signals, &Posterior::new(3.0, 1.0), &BankSettings::default())
}

#[test]
fn a_wider_scope_takes_sessions_and_actors() {
    let good =
        |actor: &str, session: &str| signal(SignalKind::Outcome, true, actor, session, day(0.0));
    assert_eq!(promoted(&[], Scope::Project), None);
    assert_eq!(promoted(&[good("ann", "run_1"), good("ann", "run_2")], Scope::Project), None);
    assert_eq!(promoted(&[good("ann", "run_1"), good("bob", "run_1")], Scope::Project), None);
    let two = [good("ann", "run_1"), good("bob", "run_2")];
    assert_eq!(promoted(&two, Scope::Project), Some(Scope::Team));
    // Its own session does not confirm it, being shown does not, and failures do not.
    assert_eq!(promoted(&[good("ann", "run_own"), good("bob", "run_2")], Scope::Project), None);
    let mut failed = two.clone();
    failed[0].positive = false;
    assert_eq!(promoted(&failed, Scope::Project), None);
    let mut shown = two.clone();
    shown[0].kind = SignalKind::Usage;
    assert_eq!(promoted(&shown, Scope::Project), None);
    // The organisation wants two projects.
    assert_eq!(promoted(&two, Scope::Team), None);
    let mut spread = two.clone();
    spread[1].project_id = "q".to_owned();
    assert_eq!(promoted(&spread, Scope::Team), Some(Scope::Org));
    assert_eq!(promoted(&spread, Scope::Org), None);
    // Nor is anything promoted that is not believed or not active.
    let settings = BankSettings::default();
    let own = strategy(draft(Origin::Distilled, Outcome::Success));
    assert_eq!(promotion(&own, &two, &Posterior::new(1.0, 2.0), &settings), None);
    let held = Strategy { standing: Standing::Quarantined { reason: String::new() }, ..own };
    assert_eq!(promotion(&held, &two, &Posterior::new(3.0, 1.0), &settings), None);
}

fn from_web() -> Draft {
    Draft { from_web: true, ..draft(Origin::Distilled, Outcome::Success) }
}

#[test]
fn text_of_the_web_waits_for_a_person_or_an_outcome() {
    let plain = draft(Origin::Distilled, Outcome::Success);
    assert_eq!(standing_at_first(&plain, &[], 0), Standing::Active);
    let held = standing_at_first(&from_web(), &[], 0);
    assert!(matches!(held, Standing::Quarantined { .. }));
    let poisoned = Strategy { standing: held, ..strategy(from_web()) };
    // What is made of it is held as well, and so is what is made of something unknown.
    assert!(matches!(standing_at_first(&plain, &[&poisoned], 0), Standing::Quarantined { .. }));
    assert!(matches!(standing_at_first(&plain, &[], 1), Standing::Quarantined { .. }));
    let good = strategy(plain.clone());
    assert_eq!(standing_at_first(&plain, &[&good], 0), Standing::Active);

    let lifts = |kind, positive, session: &str, by_person| {
        let told = signal(kind, positive, "mcp:ann", session, day(0.0));
        lifts_quarantine(&poisoned, &told, by_person, std::slice::from_ref(&told))
    };
    assert!(lifts(SignalKind::Explicit, true, "run_1", true));
    assert!(!lifts(SignalKind::Explicit, true, "run_1", false), "an agent's praise is no vouching");
    assert!(!lifts(SignalKind::Explicit, false, "run_1", true));
    assert!(lifts(SignalKind::Outcome, true, "run_1", true));
    assert!(
        !lifts(SignalKind::Outcome, true, "run_own", true),
        "its own session vouches for nothing"
    );
    assert!(!lifts(SignalKind::Outcome, true, "", true), "nor does one that has no name");
    assert!(!lifts(SignalKind::Outcome, false, "run_1", true));
    assert!(!lifts(SignalKind::Usage, true, "run_1", true));
    assert!(!lifts(SignalKind::Used, true, "run_1", true));
    let vote = signal(SignalKind::Explicit, true, "ann", "run_1", day(0.0));
    assert!(!lifts_quarantine(&good, &vote, true, &[]), "there is nothing to lift");
}

/// What agents report: those of who brought the text, and others.
#[test]
fn agents_lift_a_quarantine_by_two_sessions_or_for_another() {
    let held = Standing::Quarantined { reason: String::new() };
    let poisoned = Strategy { standing: held, ..strategy(from_web()) };
    let told = |actor: &str, session: &str, positive| {
        signal(SignalKind::Outcome, positive, actor, session, day(0.0))
    };
    let lifts = |reports: &[Signal]| {
        let last = reports.last().unwrap();
        lifts_quarantine(&poisoned, last, false, reports)
    };
    // Ann brought it, and agents of hers are no others.
    for agent in ["mcp:ann", "agent:ann", "http:ann"] {
        assert!(!lifts(&[told(agent, "run_1", true)]), "{agent}");
    }
    let two = [told("mcp:ann", "run_1", true), told("mcp:ann", "run_2", true)];
    assert!(lifts(&two));
    assert!(
        !lifts_quarantine(&poisoned, &two[1], false, &two[..1]),
        "of one the bank knows nothing"
    );
    assert!(!lifts(&[told("mcp:ann", "run_own", true), told("mcp:ann", "run_2", true)]));
    assert!(!lifts(&[told("mcp:ann", "run_1", false), told("mcp:ann", "run_2", true)]));
    assert!(!lifts(&[told("mcp:ann", "run_1", true), told("mcp:ann", "run_1", true)]));
    assert!(lifts(&[told("mcp:bob", "run_1", true)]), "somebody else's agent is a second voice");
    assert!(!lifts(&[told("mcp:bob", "run_own", true)]));
}

#[test]
fn trust_is_that_of_the_weakest_ancestor() {
    let recorded = strategy(draft(Origin::Explicit, Outcome::Success));
    let learned = strategy(draft(Origin::Distilled, Outcome::Success));
    let vouched = strategy(from_web());
    let held = Strategy {
        standing: Standing::Quarantined { reason: String::new() },
        ..strategy(draft(Origin::Explicit, Outcome::Success))
    };
    let own = draft(Origin::Explicit, Outcome::Success);
    assert_eq!(trust(&own, &[]), Trust::Recorded);
    assert_eq!(trust(&own, &[&recorded]), Trust::Recorded);
    assert_eq!(trust(&own, &[&recorded, &learned]), Trust::Learned);
    assert_eq!(trust(&own, &[&vouched]), Trust::Learned);
    assert_eq!(trust(&own, &[&recorded, &held]), Trust::Foreign);
    assert_eq!(trust(&from_web(), &[&recorded]), Trust::Foreign);
}

#[test]
fn a_class_learns_what_its_strategies_are_worth() {
    let first = Prior { mean: 0.7, strength: 4.0 };
    assert_eq!(learned_prior(&[(3.0, 1.0); 4], first), None, "too few strategies");
    assert_eq!(learned_prior(&[(0.5, 0.5); 10], first), None, "too few outcomes");
    assert_eq!(learned_prior(&[(0.0, 0.0); 100], first), None);
    assert_eq!(learned_prior(&[(f64::NAN, 1.0); 100], first), None);
    // Half of the strategies always help and half never do: the mean is a half and the prior is weak.
    let mut mixed = vec![(10.0, 0.0); 20];
    mixed.extend([(0.0, 10.0); 20]);
    let spread = learned_prior(&mixed, first).unwrap();
    assert!((spread.mean - 0.5).abs() < 0.05 && spread.strength <= 1.0, "{spread:?}");
    // All of them help as often: the prior is strong.
    let alike = learned_prior(&[(3.0, 7.0); 40], first).unwrap();
    assert!((alike.mean - 0.3).abs() < 0.05 && alike.strength >= 16.0, "{alike:?}");

    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").relative();
    let evidence = Evidence::gather(None, &outcomes(3, true, 1), Decay::NEVER, day(0.0));
    assert_eq!(labelled(&evidence), (3.0, 0.0));
    let own = calibrated(&evidence, alike, &weights, &settings).mean();
    assert!(own > 0.3 && own < 0.5, "{own}");
    assert_eq!(Class::of(&from_web()).origin, Origin::Distilled);
}

#[test]
fn lift_is_against_the_projects_own_rate() {
    // Tasks succeed in four of five cases anyway: a strategy with which they succeed as often lifts nothing.
    let (mean, (low, high)) = lift(&Posterior::new(80.0, 20.0), 0.8);
    assert!(mean.abs() < 1e-9 && low < 0.0 && high > 0.0);
    assert!(lift(&Posterior::new(99.0, 1.0), 0.8).1.0 > 0.0);
    assert!(lift(&Posterior::new(50.0, 50.0), f64::NAN).0.abs() < 1e-9);
    assert_eq!(Lift::of(0.0, 0.0, [8, 2]), None, "nobody reported of it");
    assert_eq!(Lift::of(3.0, 0.0, [0, 0]), None);
    let as_often = Lift::of(8.0, 2.0, [80, 20]).unwrap();
    assert!(as_often.lift.abs() < 1e-9 && as_often.interval.0 < 0.0, "{as_often:?}");
    let more = Lift::of(40.0, 0.0, [50, 50]).unwrap();
    assert!(more.lift > 0.4 && more.interval.0 > 0.0 && more.interval.1 <= 0.5, "{more:?}");
    let few = Lift::of(1.0, 0.0, [50, 50]).unwrap();
    assert!(few.lift < 0.15 && few.interval.0 < 0.0, "one task proves little: {few:?}");
    // Where every task succeeds anyway nothing can be lifted.
    assert!(Lift::of(5.0, 0.0, [9, 0]).unwrap().lift.abs() < 1e-3);
}
