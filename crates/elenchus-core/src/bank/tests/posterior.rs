//! Rules of the confidence.

use super::fixture::{DAY, believed, day, draft, signal, signals};
use crate::bank::{
    BankSettings, Decay, Evidence, Origin, Outcome, Posterior, Prior, ProjectWeights, Signal,
    SignalKind, Weights, counted,
};
use crate::id::{SearchId, Timestamp};
use proptest::prelude::*;

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 5e-4, "{a} is not {b}");
}

#[test]
fn first_confidences_are_the_designs() {
    let settings = BankSettings::default();
    for (origin, outcome, mean) in [
        (Origin::Explicit, Outcome::Success, 0.8),
        (Origin::Explicit, Outcome::Failure, 0.8),
        (Origin::Distilled, Outcome::Success, 0.7),
        (Origin::Distilled, Outcome::Failure, 0.6),
        (Origin::Imported, Outcome::Success, 0.5),
    ] {
        let prior = Prior::of(&draft(origin, outcome), &settings).posterior();
        assert!((prior.mean() - mean).abs() < 1e-12 && (prior.strength() - 4.0).abs() < 1e-12);
    }
}

/// The first design's own example with its arithmetic put right: shown, then a task that succeeded, then a vote. Being shown
/// alone had made it 0.564; it counts as soon as something else speaks for the strategy.
#[test]
fn the_first_designs_example() {
    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").as_first_designed();
    close(weights.explicit, 0.412);
    close(weights.usage, 0.294);
    let prior = Prior { mean: 0.5, strength: 2.0 };
    let all = [
        signal(SignalKind::Usage, true, "ann", "run_1", day(1.0)),
        signal(SignalKind::Outcome, true, "ann", "run_1", day(2.0)),
        signal(SignalKind::Explicit, true, "ann", "run_1", day(5.0)),
    ];
    let unbounded = BankSettings { actor_mass: 0.0, ..settings };
    let mean = |signals: &[Signal]| {
        Evidence::gather(None, signals, Decay::NEVER, day(5.0))
            .posterior(prior, &weights, &unbounded)
            .mean()
    };
    for (seen, wanted) in [(0, 0.5), (1, 0.5), (2, 0.614), (3, 0.667)] {
        close(mean(&all[..seen]), wanted);
    }
}

/// Repairs of the first design, on figures that can be told by hand.
#[test]
fn votes_on_an_informative_prior() {
    let weights = ProjectWeights::new("p").relative();
    let settings = BankSettings::default();
    let prior = Prior::of(&draft(Origin::Explicit, Outcome::Success), &settings);
    let voted = |positive| {
        let vote = signal(SignalKind::Explicit, positive, "ann", "run_1", day(1.0));
        Evidence::gather(None, &[vote], Decay::NEVER, day(1.0))
            .posterior(prior, &weights, &settings)
            .mean()
    };
    close(voted(true), 0.840);
    close(voted(false), 0.640);
    let spec = ProjectWeights::new("p").as_first_designed();
    let vote = signal(SignalKind::Explicit, true, "ann", "run_1", day(1.0));
    let evidence = Evidence::gather(None, &[vote], Decay::NEVER, day(1.0));
    close(evidence.posterior(prior, &spec, &settings).mean(), 0.819);
}

#[test]
fn being_shown_is_bounded() {
    let many: Vec<Signal> = (0..500)
        .map(|n| signal(SignalKind::Usage, true, "ann", &format!("run_{n}"), day(1.0)))
        .collect();
    let weights = ProjectWeights::new("p").as_first_designed();
    let prior = Prior { mean: 0.5, strength: 2.0 };
    let posterior = |signals: &[Signal]| {
        Evidence::gather(None, signals, Decay::NEVER, day(1.0)).posterior(
            prior,
            &weights,
            &BankSettings::default(),
        )
    };
    // By itself it moves nothing, however often.
    let alone = posterior(&many);
    assert!((alone.mean() - 0.5).abs() < 1e-12 && (alone.strength() - 2.0).abs() < 1e-12);
    let blamed = signal(SignalKind::Used, false, "ann", "run_1", day(1.0));
    let unused = |shown: &[Signal]| [shown, std::slice::from_ref(&blamed)].concat();
    assert!((posterior(&unused(&many)).mean() - posterior(&unused(&[])).mean()).abs() < 1e-12);
    // One success is strengthened by it, and at most as much again.
    let praised = signal(SignalKind::Outcome, true, "ann", "run_1", day(1.0));
    let with = |shown: &[Signal]| [shown, std::slice::from_ref(&praised)].concat();
    let (once, often) = (posterior(&with(&[])), posterior(&with(&many)));
    assert!(often.mean() > once.mean());
    let gained = |posterior: &Posterior| posterior.alpha - 1.0;
    assert!(gained(&often) <= 2.0 * gained(&once) + 1e-12);
    // Fifty showings do not drown ten failures and five votes against.
    let mut failing = many[..50].to_vec();
    for n in 0..10 {
        failing.push(signal(SignalKind::Outcome, false, "ann", &format!("run_{n}"), day(1.0)));
    }
    for n in 0..5 {
        let who = format!("user {n}");
        failing.push(signal(SignalKind::Explicit, false, &who, "run_1", day(1.0)));
    }
    let mean = believed(&failing, day(1.0)).mean();
    assert!(mean < 0.35, "{mean}");
}

#[test]
fn one_session_is_one_exposure_and_one_outcome() {
    let shown = signal(SignalKind::Usage, true, "ann", "run_1", day(1.0));
    let again = signal(SignalKind::Usage, true, "bob", "run_1", day(1.5));
    assert_eq!(counted(None, &[shown.clone(), again.clone()]), [&again]);
    // A thousand reports of one session weigh what one weighs.
    let thousand: Vec<Signal> = (0..1000)
        .map(|n| signal(SignalKind::Outcome, true, "ann", "run_1", Timestamp(DAY + n)))
        .collect();
    let at = day(2.0);
    let once = believed(&thousand[999..], at).mean();
    assert!((believed(&thousand, at).mean() - once).abs() < 1e-12);
    // The last of them holds.
    let mut turned = thousand.clone();
    turned.push(signal(SignalKind::Outcome, false, "ann", "run_1", day(1.5)));
    assert!(believed(&turned, at).mean() < believed(&[], at).mean());
}

#[test]
fn without_a_session_the_search_or_the_day_is_the_occasion() {
    let unnamed = |at: f64| signal(SignalKind::Outcome, true, "ann", "", day(at));
    assert_eq!(counted(None, &[unnamed(1.1), unnamed(1.2)]).len(), 1);
    assert_eq!(counted(None, &[unnamed(1.1), unnamed(2.2)]).len(), 2);
    let searched = |name: &str| Signal { search_id: Some(SearchId::from(name)), ..unnamed(1.1) };
    assert_eq!(counted(None, &[searched("sea_1"), searched("sea_2")]).len(), 2);
}

#[test]
fn one_actor_has_one_vote_the_last() {
    let fifty: Vec<Signal> = (0..50)
        .map(|n| {
            signal(SignalKind::Explicit, false, "eve", &format!("run_{n}"), Timestamp(DAY + n))
        })
        .collect();
    let at = Timestamp(DAY + 49);
    let one = believed(&fifty[49..], at).mean();
    assert!((believed(&fifty, at).mean() - one).abs() < 1e-12);
    let mut turned = fifty;
    turned.push(signal(SignalKind::Explicit, true, "eve", "run_1", day(2.0)));
    assert!(believed(&turned, day(2.0)).mean() > believed(&[], day(2.0)).mean());
}

#[test]
fn one_actors_reports_are_bounded_and_still_teach() {
    let reports = |n: usize, positive: bool| -> Vec<Signal> {
        (0..n)
            .map(|n| signal(SignalKind::Outcome, positive, "ann", &format!("run_{n}"), day(1.0)))
            .collect()
    };
    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").relative();
    let mass = |n: usize| {
        Evidence::gather(None, &reports(n, false), Decay::NEVER, day(1.0))
            .observations(&weights, &settings)
    };
    assert!(mass(100_000) < settings.actor_mass && mass(10) < mass(20));
    // Ten sessions of one person teach: from 0.7 to well above, or below what is put into a prompt.
    assert!(believed(&reports(10, true), day(1.0)).mean() > 0.85);
    assert!(believed(&reports(5, false), day(1.0)).mean() < 0.5);
    // Two say more than one that says the same twice as often.
    let mut two = reports(30, false);
    for (n, one) in two.iter_mut().enumerate() {
        one.actor = format!("actor {}", n % 2);
    }
    assert!(believed(&two, day(1.0)).mean() < believed(&reports(30, false), day(1.0)).mean());
}

#[test]
fn credit_is_shared() {
    let whole = signal(SignalKind::Outcome, true, "ann", "run_1", day(1.0));
    let half = Signal { share: 0.5, ..whole.clone() };
    let before = believed(&[], day(1.0)).mean();
    let (with_half, with_whole) = (
        believed(&[half], day(1.0)).mean(),
        believed(std::slice::from_ref(&whole), day(1.0)).mean(),
    );
    assert!(before < with_half && with_half < with_whole);
    for odd in [f64::NAN, -3.0, 0.0] {
        let nothing = Signal { share: odd, ..whole.clone() };
        assert!((believed(&[nothing], day(1.0)).mean() - before).abs() < 1e-12);
    }
    let too_much = Signal { share: 1e9, ..whole };
    assert!((believed(&[too_much], day(1.0)).mean() - with_whole).abs() < 1e-12);
}

#[test]
fn belief_goes_back_to_the_prior_and_widens() {
    let all: Vec<Signal> = (0..8)
        .map(|n| signal(SignalKind::Outcome, false, "ann", &format!("run_{n}"), day(0.0)))
        .collect();
    let (now, later, late) =
        (believed(&all, day(0.0)), believed(&all, day(90.0)), believed(&all, day(9000.0)));
    assert!(now.mean() < later.mean() && later.mean() < late.mean());
    close(late.mean(), 0.7);
    let width = |posterior: &Posterior| posterior.interval().1 - posterior.interval().0;
    assert!(width(&now) < width(&late));
    let decay = Decay { half_life_days: 90.0 };
    close(decay.factor(day(0.0), day(90.0)), 0.5);
    close(decay.factor(day(1.0), day(0.0)), 1.0);
    close(Decay::NEVER.factor(day(0.0), day(1e5)), 1.0);
}

/// What was gathered once can be kept and read later.
#[test]
fn evidence_fades_as_a_whole() {
    let all = [
        signal(SignalKind::Explicit, false, "ann", "run_1", day(0.0)),
        signal(SignalKind::Usage, true, "ann", "run_1", day(3.0)),
        signal(SignalKind::Outcome, true, "bob", "run_2", day(7.0)),
    ];
    let decay = Decay { half_life_days: 30.0 };
    let kept = Evidence::gather(None, &all, decay, day(8.0)).faded(decay, day(8.0), day(99.0));
    let anew = Evidence::gather(None, &all, decay, day(99.0));
    assert!((kept.exposures - anew.exposures).abs() < 1e-12);
    assert!((kept.explicit_neg - anew.explicit_neg).abs() < 1e-12);
    let bobs = |evidence: &Evidence| evidence.reported["bob"].outcome_pos;
    assert!((bobs(&kept) - bobs(&anew)).abs() < 1e-12 && bobs(&kept) < 0.2);
}

#[test]
fn a_project_leans_on_the_others_until_it_knows_itself() {
    let settings = BankSettings::default();
    let weights = ProjectWeights::new("p").relative();
    let elsewhere = Posterior::new(90.0, 10.0);
    let prior = Prior::pooled(&elsewhere);
    close(Evidence::default().posterior(prior, &weights, &settings).mean(), 0.9);
    let own: Vec<Signal> = (0..12)
        .map(|n| signal(SignalKind::Outcome, false, "ann", &format!("run_{n}"), day(0.0)))
        .collect();
    let evidence = Evidence::gather(None, &own, Decay::NEVER, day(0.0));
    assert!(evidence.posterior(prior, &weights, &settings).mean() < 0.5);
}

fn weights() -> impl Strategy<Value = Weights> {
    (0.05f64..2.0, 0.05f64..2.0, 0.05f64..2.0, 0.05f64..2.0)
        .prop_map(|(explicit, usage, used, outcome)| Weights { explicit, usage, used, outcome })
}

proptest! {
    /// A vote that is new moves the confidence its way, whatever was said before, whatever the weights.
    #[test]
    fn helpful_always_raises_and_unhelpful_always_lowers(
        before in signals(), weights in weights(), mean in 0.05f64..0.95, newcomer: bool, bound in 0.0f64..40.0,
    ) {
        let settings = BankSettings { actor_mass: bound, ..BankSettings::default() };
        let prior = Prior { mean, strength: 4.0 };
        let now = day(401.0);
        let decay = Decay { half_life_days: 90.0 };
        let confidence = |signals: &[Signal]| {
            Evidence::gather(None, signals, decay, now).posterior(prior, &weights, &settings).mean()
        };
        let held = confidence(&before);
        let actor = if newcomer { "somebody new" } else { "actor 1" };
        let with = |positive: bool| {
            let mut all = before.clone();
            all.push(signal(SignalKind::Explicit, positive, actor, "run_new", now));
            confidence(&all)
        };
        prop_assert!(with(true) > held, "{} {}", with(true), held);
        prop_assert!(with(false) < held, "{} {}", with(false), held);
    }

    /// The same of a task's outcome in a session of its own, up to the bound on what one actor says.
    #[test]
    fn outcomes_never_move_it_the_wrong_way(before in signals(), weights in weights(), mean in 0.05f64..0.95) {
        let settings = BankSettings::default();
        let prior = Prior { mean, strength: 4.0 };
        let now = day(401.0);
        let decay = Decay { half_life_days: 90.0 };
        let confidence = |signals: &[Signal]| {
            Evidence::gather(None, signals, decay, now).posterior(prior, &weights, &settings).mean()
        };
        let held = confidence(&before);
        for (positive, kind) in [
            (true, SignalKind::Outcome), (false, SignalKind::Outcome), (true, SignalKind::Used), (false, SignalKind::Used),
        ] {
            let mut all = before.clone();
            all.push(signal(kind, positive, "actor 1", "run_new", now));
            let moved = confidence(&all) - held;
            prop_assert!(if positive { moved >= -1e-12 } else { moved <= 1e-12 }, "{moved}");
        }
    }

    /// In whatever order signals are given, the confidence is one, and a number between 0 and 1.
    #[test]
    fn order_of_telling_does_not_matter(all in signals(), at in 0.0f64..500.0) {
        let mut turned = all.clone();
        turned.reverse();
        let (a, b) = (believed(&all, day(at)), believed(&turned, day(at)));
        prop_assert!((a.mean() - b.mean()).abs() < 1e-12);
        prop_assert!(a.mean() > 0.0 && a.mean() < 1.0);
        let (low, high) = a.interval();
        prop_assert!(0.0 <= low && low <= high && high <= 1.0);
    }
}
