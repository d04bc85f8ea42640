//! Limits that a person changes: raised at any step they let a run go on, lowered below what was used they end it, and nothing
//! is spent beyond them.

use crate::worlds::{
    QUESTION, at_least, autonomous, documents, endless_noise, harbour, question, sound_end, world,
};
use elenchus_core::inquiry::{
    Budget, Control, Cut, Effect, Input, Limit, LimitChanged, LimitsRefused, NewLimits, NoMore,
    Options, Run, Spent, Step, StopReason,
};
use elenchus_core::journal::{Entry, JournalRecord};
use elenchus_core::testkit::{Drive, Driven, World};
use elenchus_core::trace::{Projection, TraceEvent, said};
use proptest::prelude::*;

fn limit(limit: Limit, value: u64) -> NewLimits {
    let mut limits = NewLimits { by: "ann".to_owned(), ..NewLimits::default() };
    limits.set(limit, value);
    limits
}

/// A run in which only a limit gives up a gap.
fn patient(rounds: u8) -> Options {
    let mut options = autonomous();
    (options.gaps.max_attempts, options.gaps.dry_rounds) = (9, 9);
    options.budget.rounds = rounds;
    options
}

/// A run after so many steps; `None` where it is over by then.
fn after<'w>(world: &'w World, options: &Options, steps: usize) -> Option<Drive<'w>> {
    let mut drive = Drive::begin(world, QUESTION, options.clone());
    for _ in 0..steps {
        drive.advance();
    }
    (drive.run().step() != Step::Done).then_some(drive)
}

fn changes(driven: &Driven) -> Vec<(String, Vec<LimitChanged>)> {
    let changed = driven.trace.iter().filter_map(|event| match &event.event {
        TraceEvent::BudgetChanged { by, changes, .. } => Some((by.clone(), changes.clone())),
        _ => None,
    });
    changed.collect()
}

/// Wherever a journal is cut, what comes after gives the run and the trace that there were.
pub(crate) fn replays_from_every_prefix(driven: &Driven) {
    for length in 1..=driven.journal.len() {
        let (mut run, mut trace) = Run::replay(&driven.journal[..length]).unwrap();
        for record in &driven.journal[length..] {
            if let Entry::Input(input) = &record.entry {
                trace.extend(run.feed((**input).clone(), record.at));
            }
        }
        assert_eq!(run, driven.run, "from {length} of {}", driven.journal.len());
        assert_eq!(trace, driven.trace, "from {length}");
    }
}

#[test]
fn rounds_raised_at_any_step_are_used() {
    for world in [harbour(), harbour().judged()] {
        let whole = Drive::begin(&world, QUESTION, autonomous());
        let whole = ended(whole);
        let rounds = whole.run.view().spent().rounds;
        assert!(rounds > 1, "the question takes more than one round");
        let mut options = autonomous();
        options.budget.rounds = 1;
        let mut steps = 0;
        while let Some(mut drive) = after(&world, &options, steps) {
            drive.control(Control::SetBudget(limit(Limit::Rounds, 5)));
            let driven = ended(drive);
            sound_end(&driven.run, &driven.trace);
            let view = driven.run.view();
            assert_eq!(view.spent().rounds, rounds, "raised after {steps} steps");
            assert_eq!(view.stop_reason(), whole.run.view().stop_reason(), "after {steps}");
            let (told, expected) =
                (view.answer().unwrap(), whole.run.view().answer().cloned().unwrap());
            assert_eq!(told.could_not_establish.len(), expected.could_not_establish.len());
            let raised = LimitChanged { limit: Limit::Rounds, from: Some(1), to: 5 };
            assert_eq!(changes(&driven), [("ann".to_owned(), vec![raised])]);
            let shown = Projection::of(&driven.trace).unwrap();
            assert_eq!((shown.max_rounds, shown.options.budget.rounds), (5, 5));
            steps += 1;
        }
        assert!(steps > 5, "{steps}");
    }
}

#[test]
fn who_changed_what_is_said() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    drive.control(Control::SetBudget(limit(Limit::Passages, 80)));
    let own = NewLimits { tokens: Some(9_000), ..NewLimits::default() };
    drive.control(Control::SetBudget(own.clone()));
    // What holds already is no change.
    drive.control(Control::SetBudget(own));
    let mut shown = Projection::new(drive.run().id().clone());
    let mut lines = Vec::new();
    for event in drive.trace() {
        shown.apply(event);
        if matches!(event.event, TraceEvent::BudgetChanged { .. }) {
            lines.push(said(&event.event, &shown));
        }
    }
    assert_eq!(
        lines,
        [
            "ann changed the limits: passages from 50 to 80",
            "you changed the limits: tokens from none to 9000",
        ]
    );
    let expected = Budget { passages: 80, tokens: Some(9_000), ..Budget::default() };
    assert_eq!(shown.options.budget, expected);
}

#[test]
fn a_run_that_may_look_once_goes_on_by_the_word_of_whoever_names_rounds() {
    let world = endless_noise();
    let options = Options { autonomous: false, ..patient(5) };
    let once = ended(Drive::begin(&world, QUESTION, options.clone()));
    assert_eq!(once.run.view().spent().rounds, 1);
    let mut drive = Drive::begin(&world, QUESTION, options.clone());
    drive.control(Control::SetBudget(limit(Limit::Passages, 40)));
    let driven = ended(drive);
    assert_eq!(driven.run.view().spent().rounds, 1, "more to read is no other round");
    let mut drive = Drive::begin(&world, QUESTION, options);
    drive.control(Control::SetBudget(limit(Limit::Rounds, 2)));
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().spent().rounds, 2);
    let raised = LimitChanged { limit: Limit::Rounds, from: Some(1), to: 2 };
    assert_eq!(changes(&driven), [("ann".to_owned(), vec![raised])]);
}

fn used(spent: Spent, elapsed: u64, limit: Limit) -> u64 {
    match limit {
        Limit::Rounds => spent.rounds.into(),
        Limit::Passages => spent.passages.into(),
        Limit::ModelCalls => spent.model_calls.into(),
        Limit::Tokens => spent.usage.input_tokens + spent.usage.output_tokens,
        Limit::CostMicroUsd => spent.usage.cost_micro_usd,
        Limit::WallMs => elapsed,
    }
}

#[test]
fn a_limit_lowered_below_what_was_used_ends_the_run_as_its_end() {
    let world = endless_noise();
    let reasons = [
        StopReason::BudgetRounds,
        StopReason::BudgetPassages,
        StopReason::BudgetModelCalls,
        StopReason::BudgetTokens,
        StopReason::BudgetCost,
        StopReason::BudgetTime,
    ];
    for (one, reason) in Limit::ALL.into_iter().zip(reasons) {
        let (mut steps, mut ends) = (0, 0);
        while let Some(mut drive) = after(&world, &patient(3), steps) {
            let before = drive.run().view().spent();
            // An input comes a millisecond after the one before.
            let elapsed = drive.journal().len() as u64;
            steps += 1;
            if used(before, elapsed, one) < 2 {
                continue;
            }
            ends += 1;
            drive.control(Control::SetBudget(limit(one, 1)));
            let driven = ended(drive);
            sound_end(&driven.run, &driven.trace);
            let view = driven.run.view();
            assert_eq!(view.stop_reason(), Some(reason), "{one:?} after {steps} steps");
            assert_eq!(view.spent(), before, "{one:?}: nothing more is spent");
        }
        assert!(ends > 2, "{one:?} was lowered below its use {ends} times");
    }
}

#[test]
fn a_limit_that_is_used_up_lets_the_round_come_to_its_end() {
    let world = endless_noise();
    let mut drive = Drive::begin(&world, QUESTION, patient(5));
    let reflects = |drive: &Drive<'_>| matches!(drive.wanted().first(), Some((_, Effect::Model { call, .. })) if call.prompt() == "reflect");
    while !reflects(&drive) {
        assert!(drive.advance());
    }
    let (before, wanted) = (drive.run().view().spent(), drive.wanted());
    drive.control(Control::SetBudget(limit(Limit::Passages, before.passages.into())));
    assert_eq!(drive.wanted(), wanted, "what was read is judged");
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    assert_eq!(view.stop_reason(), Some(StopReason::BudgetPassages));
    assert_eq!((view.spent().rounds, view.spent().passages), (before.rounds, before.passages));
    assert!(view.spent().model_calls > before.model_calls);
}

#[test]
fn a_paused_run_whose_limit_is_lowered_ends_when_it_goes_on() {
    let world = harbour();
    let mut options = autonomous();
    options.budget.rounds = 5;
    let mut drive = Drive::begin(&world, QUESTION, options);
    while drive.run().view().spent().rounds < 2 {
        assert!(drive.advance());
    }
    drive.control(Control::Pause);
    drive.control(Control::SetBudget(limit(Limit::Rounds, 1)));
    assert_eq!(drive.run().step(), Step::Paused);
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().stop_reason(), Some(StopReason::BudgetRounds));
    replays_from_every_prefix(&driven);
}

#[test]
fn changed_limits_replay_from_every_prefix() {
    let world = harbour().judged();
    let mut options = autonomous();
    options.budget.rounds = 1;
    for steps in [0, 3, 6, 9] {
        let Some(mut drive) = after(&world, &options, steps) else { continue };
        drive.control(Control::SetBudget(limit(Limit::Rounds, 4)));
        drive.advance();
        drive.control(Control::SetBudget(limit(Limit::Passages, 7)));
        replays_from_every_prefix(&ended(drive));
    }
}

fn ended(mut drive: Drive<'_>) -> Driven {
    drive.to_end();
    drive.into_driven()
}

#[test]
fn past_the_end_that_a_limit_made_another_run_goes_on() {
    let world = endless_noise();
    let over = ended(Drive::begin(&world, QUESTION, patient(1)));
    assert_eq!(over.run.view().stop_reason(), Some(StopReason::BudgetRounds));
    let more = |limits: &NewLimits| Cut::for_more(&over.journal, limits);
    let cut = more(&limit(Limit::Rounds, 3)).unwrap();
    // Nothing of the answer is in it, and what it stands on is that run.
    assert!(cut.trace().iter().all(|event| {
        !matches!(
            event.event,
            TraceEvent::AnswerCompleted { .. } | TraceEvent::SessionCompleted { .. }
        )
    }));
    assert_eq!(cut.trace(), &over.trace[..cut.trace().len()]);
    let (read, rounds) = (cut.run().view().spent().passages, cut.run().view().spent().rounds);
    assert_eq!((read, rounds), (over.run.view().spent().passages, 1));
    // It goes on to its end, as its fork does.
    let journal: Vec<JournalRecord> = over.journal[..=cut.rest().len()].to_vec();
    let mut drive = Drive::resume(&world, journal);
    drive.control(Control::SetBudget(limit(Limit::Rounds, 3)));
    let driven = ended(drive);
    sound_end(&driven.run, &driven.trace);
    assert!(driven.run.view().spent().rounds > 1);

    assert_eq!(
        more(&limit(Limit::Passages, 80)),
        Err(NoMore::NoRoom(StopReason::BudgetRounds)),
        "the rounds are used up still"
    );
    assert_eq!(more(&NewLimits::default()), Err(NoMore::Refused(LimitsRefused::Nothing)));
    let half = &over.journal[..over.journal.len() / 2];
    assert_eq!(Cut::for_more(half, &limit(Limit::Rounds, 3)), Err(NoMore::UnderWay));
    let mut drive = Drive::begin(&world, QUESTION, patient(1));
    drive.control(Control::Interrupt);
    let stopped = drive.into_driven();
    let why = Cut::for_more(&stopped.journal, &limit(Limit::Rounds, 3)).unwrap_err();
    assert_eq!(why, NoMore::Ended(StopReason::Interrupted));
    assert!(why.way_out().contains("fork"), "{}", why.way_out());
}

fn new_limits() -> impl Strategy<Value = NewLimits> {
    (
        prop::option::of(0u64..13),
        prop::option::of(0u64..60),
        prop::option::of(0u64..20),
        prop::option::weighted(0.3, 0u64..1_500),
    )
        .prop_map(|(rounds, passages, model_calls, tokens)| NewLimits {
            rounds,
            passages,
            model_calls,
            tokens,
            ..NewLimits::default()
        })
}

proptest! {
    #![proptest_config(at_least(200))]

    /// Of what is counted no more is spent than is allowed, or than was spent when that was lowered.
    #[test]
    fn changed_limits_are_never_passed(
        documents in documents(), question in question(), chaos in 0u8..30, seed: u64,
        changes in prop::collection::vec((0usize..30, new_limits()), 1..5),
    ) {
        let world = world(documents, chaos, seed);
        let mut drive = Drive::begin(&world, &question, autonomous());
        let budget = autonomous().budget;
        let mut most = (u32::from(budget.rounds), budget.passages, None::<u32>);
        for step in 0..3_000 {
            for (_, limits) in changes.iter().filter(|(at, _)| *at == step) {
                let over = drive.run().step() == Step::Done;
                drive.control(Control::SetBudget(limits.clone()));
                if over {
                    continue;
                }
                let before = drive.run().view().spent();
                let bounded = |limit: Limit, value: Option<u64>| {
                    value.map(|value| value.clamp(1, limit.most()) as u32)
                };
                if let Some(rounds) = bounded(Limit::Rounds, limits.rounds) {
                    most.0 = rounds.max(before.rounds.into());
                }
                if let Some(passages) = bounded(Limit::Passages, limits.passages) {
                    most.1 = passages.max(before.passages);
                }
                if let Some(calls) = bounded(Limit::ModelCalls, limits.model_calls) {
                    most.2 = Some(calls.max(before.model_calls));
                }
            }
            let spent = drive.run().view().spent();
            prop_assert!(u32::from(spent.rounds) <= most.0, "{spent:?} {most:?}");
            prop_assert!(spent.passages <= most.1, "{spent:?} {most:?}");
            prop_assert!(most.2.is_none_or(|most| spent.model_calls <= most), "{spent:?} {most:?}");
            if matches!(drive.run().step(), Step::Clarify(_)) {
                drive.control(Control::SkipClarification);
            }
            let wanted = drive.wanted();
            let Some((id, effect)) = wanted.first() else { break };
            let result = drive.perform(effect);
            drive.tell(Input::Outcome { id: *id, result });
        }
        sound_end(drive.run(), drive.trace());
        let driven = drive.into_driven();
        let (run, trace) = Run::replay(&driven.journal).unwrap();
        prop_assert_eq!((&run, &trace), (&driven.run, &driven.trace));
    }
}
