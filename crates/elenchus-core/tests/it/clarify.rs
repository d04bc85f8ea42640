//! A vague question is answered with questions first: asked once, answered or skipped, and journaled.

use crate::worlds::{at_least, documents, question, sound_end, world};
use elenchus_core::answer::to_markdown;
use elenchus_core::inquiry::{Asking, ClarifyingAnswer, Control, Options, Run, Step, StopReason};
use elenchus_core::port::{ModelFailure, Usage};
use elenchus_core::prompt::{
    Clarification, Clarified, ClarifyingQuestion, ModelCall, ModelReply, PlanInput,
};
use elenchus_core::testkit::{Drive, World, drive};
use elenchus_core::trace::TraceEvent;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

pub(crate) const VAGUE: &str = "What do the letters say about the tide?";

pub(crate) fn asking(clarify: Asking) -> Options {
    Options { autonomous: true, clarify, ..Options::default() }
}

pub(crate) fn two_questions() -> Clarification {
    let asked = |text: &str, choices: &[&str]| ClarifyingQuestion {
        text: text.to_owned(),
        why: "it changes what is searched".to_owned(),
        choices: choices.iter().map(|choice| (*choice).to_owned()).collect(),
    };
    Clarification {
        vague: true,
        questions: vec![
            asked("Do you mean the spring tide or the neap tide?", &["spring tide", "neap tide"]),
            asked("Which letters?", &["the keeper's", "the captain's", "all letters"]),
        ],
    }
}

/// Letters about two tides, a model that asks back, and the plans it was asked for.
pub(crate) fn letters(clarification: Clarification) -> (World, Arc<Mutex<Vec<PlanInput>>>) {
    let plans = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&plans);
    let world = World::new("letters")
        .document("keeper.md", "# Keeper\n\nThe letters say that the spring tide took the quay.")
        .document("captain.md", "# Captain\n\nThe neap tide, the letters say, is no trouble.")
        .script(move |call| match call {
            ModelCall::Clarify(_) => Some(Ok(ModelReply::Clarify(clarification.clone()))),
            ModelCall::Plan(input) => {
                seen.lock().unwrap().push(input.clone());
                None
            }
            _ => None,
        });
    (world, plans)
}

fn choice(question: u32, choice: u32) -> ClarifyingAnswer {
    ClarifyingAnswer { question, choice: Some(choice), text: None }
}

/// Drives until the run waits for answers.
fn asked(world: &World) -> Drive<'_> {
    let mut drive = Drive::begin(world, VAGUE, asking(Asking::Auto));
    while drive.advance() {}
    assert!(matches!(drive.run().step(), Step::Clarify(_)), "{:?}", drive.run().step());
    drive
}

#[test]
fn the_run_waits_and_the_answers_reach_the_plan_and_the_report() {
    let (world, plans) = letters(two_questions());
    let mut drive = asked(&world);
    assert_eq!(drive.run().step(), Step::Clarify(two_questions().questions));
    assert!(drive.wanted().is_empty() && plans.lock().unwrap().is_empty());
    drive.control(Control::Clarified {
        answers: vec![
            choice(1, 1),
            ClarifyingAnswer { question: 2, choice: None, text: Some("all  of them".to_owned()) },
        ],
    });
    drive.to_end();
    sound_end(drive.run(), drive.trace());
    let plans = plans.lock().unwrap();
    assert_eq!(plans.len(), 1);
    assert_eq!(plans[0].question, VAGUE, "the question stays as it was asked");
    let said = |question: &str, answer: &str| Clarified {
        question: question.to_owned(),
        answer: answer.to_owned(),
    };
    let expected = [
        said("Do you mean the spring tide or the neap tide?", "spring tide"),
        said("Which letters?", "all of them"),
    ];
    assert_eq!(plans[0].said, expected);
    let answer = drive.run().view().answer().unwrap();
    assert_eq!((answer.question.as_str(), &answer.clarified[..]), (VAGUE, &expected[..]));
    let report = to_markdown(answer);
    assert!(
        report.contains("- You said: spring tide (asked by the model: Do you mean"),
        "{report}"
    );
}

#[test]
fn what_is_skipped_is_planned_without() {
    for control in [Control::SkipClarification, Control::Clarified { answers: vec![choice(9, 1)] }]
    {
        let (world, plans) = letters(two_questions());
        let mut drive = asked(&world);
        drive.control(control);
        drive.to_end();
        sound_end(drive.run(), drive.trace());
        assert_eq!(plans.lock().unwrap()[0].said, []);
        assert!(!to_markdown(drive.run().view().answer().unwrap()).contains("You said"));
        assert!(drive.trace().iter().any(|event| matches!(&event.event,
            TraceEvent::ReasoningThought(thought) if thought.content.starts_with("2 of 2 questions skipped"))));
    }
    // One of two.
    let (world, plans) = letters(two_questions());
    let mut drive = asked(&world);
    drive.control(Control::Clarified { answers: vec![choice(2, 3)] });
    assert_eq!(plans.lock().unwrap().len(), 0);
    drive.to_end();
    assert_eq!(plans.lock().unwrap()[0].said[0].answer, "all letters");
}

#[test]
fn a_precise_question_costs_no_call_and_old_options_ask_nothing() {
    let calls = |question: &str, clarify| {
        let (world, _) = letters(two_questions());
        drive(&world, question, asking(clarify));
        world.performed().keys().filter(|key| key.starts_with("model clarify")).count()
    };
    assert_eq!(calls("How far does the spring tide rise?", Asking::Auto), 0);
    assert_eq!(calls("How far does the spring tide rise?", Asking::Always), 1);
    assert_eq!(calls(VAGUE, Asking::Auto), 1);
    assert_eq!(calls(VAGUE, Asking::Never), 0);
    let options = serde_json::to_value(asking(Asking::Never)).unwrap();
    assert!(options.get("clarify").is_none() && options.get("reflection").is_none(), "{options}");
}

#[test]
fn a_model_that_finds_it_clear_or_says_nothing_stops_nobody() {
    let (clear, plans) = letters(Clarification::default());
    sound_end(
        &drive(&clear, VAGUE, asking(Asking::Auto)).run,
        &drive(&clear, VAGUE, asking(Asking::Auto)).trace,
    );
    assert_eq!(plans.lock().unwrap().len(), 2);
    let (world, plans) = letters(two_questions());
    let mute = world.script(|call| {
        matches!(call, ModelCall::Clarify(_)).then(|| {
            Err(ModelFailure {
                model: "scripted".to_owned(),
                attempted: "ask back".to_owned(),
                cause: "it would not".to_owned(),
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    });
    let driven = drive(&mute, VAGUE, asking(Asking::Auto));
    sound_end(&driven.run, &driven.trace);
    assert_eq!(plans.lock().unwrap().len(), 1);
    assert_eq!(driven.run.view().answer().unwrap().stop_reason, StopReason::Answered);
}

#[test]
fn answers_count_only_while_they_are_waited_for() {
    let (world, plans) = letters(two_questions());
    let mut drive = Drive::begin(&world, VAGUE, asking(Asking::Auto));
    // Before anything was asked.
    drive.control(Control::Clarified { answers: vec![choice(1, 2)] });
    while drive.advance() {}
    // A pause and what it brings does not answer for the user.
    drive.control(Control::Pause);
    assert_eq!(drive.run().step(), Step::Paused);
    drive.control(Control::Resume);
    assert!(matches!(drive.run().step(), Step::Clarify(_)));
    drive.control(Control::Clarified { answers: vec![choice(1, 1)] });
    // And after.
    drive.control(Control::Clarified { answers: vec![choice(1, 2)] });
    drive.control(Control::SkipClarification);
    drive.to_end();
    sound_end(drive.run(), drive.trace());
    assert_eq!(plans.lock().unwrap()[0].said[0].answer, "spring tide");
    // Skipping before the model has found anything spares the call's outcome.
    let (world, plans) = letters(two_questions());
    let mut drive = Drive::begin(&world, VAGUE, asking(Asking::Auto));
    drive.control(Control::SkipClarification);
    drive.to_end();
    sound_end(drive.run(), drive.trace());
    assert_eq!(plans.lock().unwrap()[0].said, []);
}

#[test]
fn other_controls_work_while_it_waits() {
    for (control, reason) in
        [(Control::Interrupt, StopReason::Interrupted), (Control::FinishNow, StopReason::FinishNow)]
    {
        let (world, _) = letters(two_questions());
        let mut drive = asked(&world);
        drive.control(control);
        drive.to_end();
        sound_end(drive.run(), drive.trace());
        assert_eq!(drive.run().view().stop_reason(), Some(reason));
    }
    let (world, _) = letters(two_questions());
    let mut drive = asked(&world);
    let focus = Some("Which quay was taken".to_owned());
    drive.control(Control::Redirect { focus, exclude: vec![], only: vec![] });
    assert!(matches!(drive.run().step(), Step::Clarify(_)), "it still waits");
    drive.control(Control::Clarified { answers: vec![choice(1, 1)] });
    drive.to_end();
    sound_end(drive.run(), drive.trace());
    assert!(drive.run().view().plan().questions.iter().any(|q| q.text == "Which quay was taken"));
}

#[test]
fn it_resumes_from_every_prefix_of_its_journal() {
    let (world, _) = letters(two_questions());
    let mut whole = asked(&world);
    let waits_at = whole.journal().len();
    whole.control(Control::Clarified { answers: vec![choice(1, 1)] });
    whole.to_end();
    let whole = whole.into_driven();
    for length in 1..=whole.journal.len() {
        let mut resumed = Drive::resume(&world, whole.journal[..length].to_vec());
        while resumed.advance() {}
        if length <= waits_at {
            // The answer was not given yet: it is waited for again.
            assert!(matches!(resumed.run().step(), Step::Clarify(_)), "at {length}");
            resumed.control(Control::Clarified { answers: vec![choice(1, 1)] });
        }
        resumed.to_end();
        let resumed = resumed.into_driven();
        assert_eq!(resumed.trace, whole.trace, "at {length}");
        assert_eq!(resumed.run, whole.run, "at {length}");
    }
    let (run, trace) = Run::replay(&whole.journal).unwrap();
    assert_eq!((run, trace), (whole.run, whole.trace));
}

proptest! {
    #![proptest_config(at_least(300))]

    #[test]
    fn a_question_is_looked_at_once_at_most_and_not_when_it_names_a_figure(question in "[ A-Za-zäß?,.'\"0-9]{1,40}") {
        let (world, _) = letters(Clarification::default());
        let driven = drive(&world, &question, asking(Asking::Auto));
        sound_end(&driven.run, &driven.trace);
        let looked: u32 = world
            .performed()
            .iter()
            .filter(|(key, _)| key.starts_with("model clarify"))
            .map(|(_, times)| times)
            .sum();
        prop_assert!(looked <= 1);
        prop_assert!(looked == 0 || !question.chars().any(|c| c.is_ascii_digit()), "{question}");
    }

    #[test]
    fn whatever_is_answered_the_run_ends(
        documents in documents(), question in question(), chaos in 0u8..30, seed: u64,
        answers in prop::collection::vec((0u32..6, prop::option::of(0u32..6), prop::option::of(".{0,12}")), 0..6),
    ) {
        let world = world(documents, chaos, seed);
        let mut drive = Drive::begin(&world, &question, asking(Asking::Always));
        while drive.advance() {}
        if matches!(drive.run().step(), Step::Clarify(_)) {
            let answers = answers
                .into_iter()
                .map(|(question, choice, text)| ClarifyingAnswer { question, choice, text })
                .collect();
            drive.control(Control::Clarified { answers });
        }
        drive.to_end();
        sound_end(drive.run(), drive.trace());
        prop_assert_eq!(&drive.run().view().answer().unwrap().question, &question);
    }
}
