//! Controls at any point: never a panic, always an answer with a reason.

use crate::worlds::{
    QUESTION, at_least, autonomous, documents, harbour, question, sound_end, world,
};
use elenchus_core::inquiry::gap::GapStatus;
use elenchus_core::inquiry::{
    Control, MAX_QUESTIONS, NewLimits, Options, PlanRefused, Run, Step, StopReason,
};
use elenchus_core::testkit::{Drive, World};
use elenchus_core::text::squeeze;
use elenchus_core::trace::{Projection, TraceEvent};
use proptest::prelude::*;

fn control() -> impl Strategy<Value = Control> {
    let focus = prop::option::of(prop_oneof![
        question(),
        Just(String::new()),
        Just("  ".to_owned()),
        Just("the ferry captain's contract".to_owned()),
    ]);
    let parts = || prop::collection::vec(prop_oneof!["d[0-9]", Just(String::new())], 0..3);
    prop_oneof![
        1 => Just(Control::Interrupt),
        1 => Just(Control::FinishNow),
        3 => Just(Control::Pause),
        3 => Just(Control::Resume),
        4 => (focus, parts(), parts())
            .prop_map(|(focus, exclude, only)| Control::Redirect { focus, exclude, only }),
        4 => prop::collection::vec(question(), 0..3)
            .prop_map(|documents| Control::DocumentsAdded { documents }),
        4 => prop::collection::vec(prop_oneof![question(), Just(" ".to_owned())], 0..4)
            .prop_map(|questions| Control::EditPlan { questions }),
        3 => (prop::option::of(0u64..13), prop::option::of(0u64..60), prop::option::of(0u64..20))
            .prop_map(|(rounds, passages, model_calls)| Control::SetBudget(NewLimits {
                rounds, passages, model_calls, ..NewLimits::default()
            })),
        2 => (0u64..60, question())
            .prop_map(|(event_id, text)| Control::Challenge { event_id, text }),
    ]
}

/// Drives, giving each control before the step of its number.
fn steered(
    world: &World,
    question: &str,
    controls: &[(usize, Control)],
) -> (Run, Vec<elenchus_core::trace::Envelope>) {
    steered_with(world, question, controls, autonomous())
}

fn steered_with(
    world: &World,
    question: &str,
    controls: &[(usize, Control)],
    options: Options,
) -> (Run, Vec<elenchus_core::trace::Envelope>) {
    let mut drive = Drive::begin(world, question, options);
    for step in 0.. {
        for (_, control) in controls.iter().filter(|(at, _)| *at == step) {
            drive.control(control.clone());
        }
        match drive.run().step() {
            Step::Done => break,
            // Outcomes that come in while it is paused are kept.
            Step::Paused if step % 2 == 0 => drive.control(Control::Resume),
            Step::Paused => {}
            Step::Clarify(_) => drive.control(Control::SkipClarification),
            Step::Perform(effects) => {
                assert!(!effects.is_empty(), "the run asks for nothing and is not over");
                drive.advance();
            }
        }
        assert!(step < 3_000, "the run does not end");
    }
    let driven = drive.into_driven();
    let (run, trace) = Run::replay(&driven.journal).unwrap();
    assert_eq!((&run, &trace), (&driven.run, &driven.trace));
    (driven.run, driven.trace)
}

proptest! {
    #![proptest_config(at_least(160))]

    #[test]
    fn controls_anywhere_end_with_an_answer(
        documents in documents(), question in question(), chaos in 0u8..30, seed: u64,
        controls in prop::collection::vec((0usize..25, control()), 0..7),
    ) {
        let (run, trace) = steered(&world(documents, chaos, seed), &question, &controls);
        sound_end(&run, &trace);
        // The question is what was asked, whatever was added.
        prop_assert_eq!(&run.view().answer().unwrap().question, &question);
        // What was added to the plan and left out of it is shown as the run has it.
        let shown = Projection::of(&trace).unwrap();
        if shown.has_plan() {
            let planned: Vec<_> = shown.questions.iter().map(|one| &one.question).collect();
            prop_assert_eq!(planned, run.view().plan().questions.iter().collect::<Vec<_>>());
        }
    }

    /// The same while the answer is criticised and revised; every challenge is answered.
    #[test]
    fn controls_anywhere_in_a_criticised_run(
        documents in documents(), question in question(), chaos in 0u8..30, seed: u64,
        controls in prop::collection::vec((0usize..30, control()), 0..7),
    ) {
        let world = crate::critique::attacked(world(documents, chaos, seed));
        let options = Options { critique: true, ..autonomous() };
        let (run, trace) = steered_with(&world, &question, &controls, options);
        sound_end(&run, &trace);
        let given = trace.iter().filter(|event| {
            matches!(&event.event, TraceEvent::ControlReceived(Control::Challenge { .. }))
        });
        let answered = run.view().answer().unwrap().critique.as_ref().map_or(0, |c| c.challenges.len());
        prop_assert_eq!(answered, given.count());
    }
}

fn questions(trace: &[elenchus_core::trace::Envelope]) -> Vec<Vec<String>> {
    let plans = trace.iter().filter_map(|event| match &event.event {
        TraceEvent::PlanningCompleted { questions, .. } => {
            Some(questions.iter().map(|question| question.text.clone()).collect())
        }
        _ => None,
    });
    plans.collect()
}

fn edited(questions: &[&str]) -> Control {
    Control::EditPlan { questions: questions.iter().map(|&text| text.to_owned()).collect() }
}

#[test]
fn a_plan_is_edited_before_anything_is_searched() {
    let options = Options { review_plan: true, ..autonomous() };
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, options);
    while drive.run().step() != Step::Paused {
        drive.advance();
    }
    let searched = |trace: &[elenchus_core::trace::Envelope]| {
        trace.iter().any(|event| matches!(event.event, TraceEvent::RoundStarted { .. }))
    };
    assert!(!searched(drive.trace()));
    assert!(Projection::of(drive.trace()).unwrap().awaits_review());
    let before = questions(drive.trace()).remove(0);
    drive.control(edited(&[
        &before[0],
        "  How deep is the\tharbour? ",
        "",
        "how deep is the harbour?",
    ]));
    assert!(!Projection::of(drive.trace()).unwrap().awaits_review());
    drive.to_end();
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let after = questions(&driven.trace).pop().unwrap();
    assert_eq!(after, [before[0].as_str(), "How deep is the harbour?"]);
    assert!(searched(&driven.trace));
    let (run, trace) = Run::replay(&driven.journal).unwrap();
    assert_eq!((&run, &trace), (&driven.run, &driven.trace));
}

#[test]
fn a_plan_that_is_let_go_on_or_brought_along_is_not_waited_for() {
    let reviewed = Options { review_plan: true, ..autonomous() };
    let (run, trace) = steered_with(&harbour(), QUESTION, &[], reviewed.clone());
    sound_end(&run, &trace);
    assert_eq!(questions(&trace).len(), 1);
    // Edited while it is being made: it was seen then.
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, reviewed);
    drive.control(edited(&["How deep is the harbour?"]));
    drive.to_end();
    assert_eq!(questions(drive.trace()), [["How deep is the harbour?"]]);
    let brought = Options { plan: vec!["How deep is the harbour?".to_owned()], ..autonomous() };
    let (run, trace) = steered_with(&harbour(), QUESTION, &[], brought);
    sound_end(&run, &trace);
    assert_eq!(questions(&trace), [["How deep is the harbour?"]]);
    assert!(!trace.iter().any(|event| matches!(
        &event.event,
        TraceEvent::ReasoningAction(action) if action.action == "plan the research"
    )));
}

#[test]
fn questions_are_taken_off_the_plan_and_put_back() {
    for at in 1..golden_steps() {
        let world = harbour();
        let mut drive = Drive::begin(&world, QUESTION, autonomous());
        for _ in 0..at {
            drive.advance();
        }
        if drive.run().step() == Step::Done || questions(drive.trace()).is_empty() {
            continue;
        }
        let before = questions(drive.trace()).remove(0);
        drive.control(edited(&["Who keeps the light?"]));
        drive.control(edited(&[&before[0], "Who keeps the light?"]));
        let shown = Projection::of(drive.trace()).unwrap();
        let open = drive.run().view().gaps().active().count();
        assert_eq!(shown.open_gaps(), open, "at {at}");
        drive.control(edited(&[]));
        drive.to_end();
        let driven = drive.into_driven();
        sound_end(&driven.run, &driven.trace);
        assert_eq!(questions(&driven.trace).pop().unwrap(), [&before[0], "Who keeps the light?"]);
    }
}

#[test]
fn a_plan_keeps_what_is_answered_and_holds_no_more_than_fit() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    let mut shown = Projection::of(drive.trace()).unwrap();
    while shown.answered() == 0 && drive.advance() {
        shown = Projection::of(drive.trace()).unwrap();
    }
    let answered = shown.questions.iter().filter(|one| one.answered);
    let kept: Vec<String> = answered.map(|one| one.question.text.clone()).collect();
    let other = "Who keeps the light?".to_owned();
    assert_eq!(
        shown.refuses_plan(std::slice::from_ref(&other)),
        Some(PlanRefused::Answered(squeeze(&kept[0])))
    );
    // It stands beside others, in another place and in other letters.
    let mut whole = vec![other];
    whole.extend(kept.iter().map(|text| format!("  {}", text.to_uppercase())));
    assert_eq!(shown.refuses_plan(&whole), None);
    assert_eq!(shown.refuses_plan(&[" ".to_owned()]), None, "it changes nothing");
    let most = usize::from(MAX_QUESTIONS);
    let many: Vec<String> = (0..=most).map(|n| format!("What of {n}?")).collect();
    assert_eq!(shown.refuses_plan(&many), Some(PlanRefused::TooMany { asked: most + 1, most }));
}

/// Steps of the golden run.
fn golden_steps() -> usize {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    let mut steps = 0;
    while drive.advance() {
        steps += 1;
    }
    steps
}

#[test]
fn interrupting_at_every_step_gives_what_was_found() {
    for at in 0..golden_steps() {
        let (run, trace) = steered(&harbour(), QUESTION, &[(at, Control::Interrupt)]);
        sound_end(&run, &trace);
        assert_eq!(run.view().stop_reason(), Some(StopReason::Interrupted), "at {at}");
    }
}

#[test]
fn finishing_at_every_step_asks_only_for_the_draft() {
    for at in 0..golden_steps() {
        let world = harbour();
        let mut drive = Drive::begin(&world, QUESTION, autonomous());
        for _ in 0..at {
            drive.advance();
        }
        drive.control(Control::FinishNow);
        assert!(drive.wanted().len() <= 1, "at {at}");
        drive.to_end();
        sound_end(drive.run(), drive.trace());
    }
}

#[test]
fn pausing_at_every_step_changes_nothing_but_the_pause() {
    let text = |run: &Run| run.view().answer().unwrap().text.clone();
    let (plain, _) = steered(&harbour(), QUESTION, &[]);
    for at in 0..golden_steps() {
        let world = harbour();
        let mut drive = Drive::begin(&world, QUESTION, autonomous());
        for _ in 0..at {
            drive.advance();
        }
        let before = drive.wanted();
        drive.control(Control::Pause);
        assert_eq!(drive.run().step(), Step::Paused);
        drive.control(Control::Pause);
        drive.control(Control::Resume);
        assert_eq!(drive.wanted(), before);
        drive.to_end();
        assert_eq!(text(drive.run()), text(&plain));
    }
}

#[test]
fn a_focus_given_at_any_step_is_searched_for() {
    let focus = Control::Redirect {
        focus: Some("Which ferry serves Osterby island".to_owned()),
        exclude: vec![],
        only: vec![],
    };
    for at in 0..golden_steps() {
        let (run, trace) = steered(&harbour(), QUESTION, &[(at, focus.clone())]);
        sound_end(&run, &trace);
        let view = run.view();
        let searched = trace.iter().any(|event| {
            matches!(&event.event, TraceEvent::RoundStarted { queries, .. }
                if queries.iter().any(|query| query.contains("Osterby")))
        });
        let disclosed = view
            .answer()
            .unwrap()
            .could_not_establish
            .iter()
            .any(|gap| gap.description.contains("Osterby"));
        assert!(disclosed, "at {at}: the focus is neither answered nor disclosed");
        assert!(searched, "at {at}: the focus was never searched for");
    }
}

#[test]
fn what_is_excluded_is_not_searched_from_then_on() {
    let control =
        Control::Redirect { focus: None, exclude: vec!["gauge".to_owned()], only: vec![] };
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    drive.control(control);
    drive.to_end();
    let answer = drive.run().view().answer().unwrap();
    assert!(answer.sources.iter().all(|source| source.path != "gauge.md"));
    assert!(answer.conflicts.is_empty());
}

#[test]
fn new_documents_reopen_what_they_match() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    let added = Control::DocumentsAdded {
        documents: vec!["The salary which the lighthouse keeper does draw".to_owned()],
    };
    let mut reopened = false;
    for _ in 0..300 {
        let given_up =
            drive.run().view().gaps().abandoned().any(|gap| gap.description.contains("salary"));
        if given_up && !reopened && drive.run().step() != Step::Done {
            drive.control(added.clone());
            reopened = drive
                .trace()
                .iter()
                .any(|event| matches!(event.event, TraceEvent::GapReopened { .. }));
            assert!(
                drive.run().view().gaps().gaps().iter().any(|gap| gap.status == GapStatus::Active)
                    == reopened
            );
        }
        if !drive.advance() {
            break;
        }
    }
    assert!(reopened);
    sound_end(drive.run(), drive.trace());
}
