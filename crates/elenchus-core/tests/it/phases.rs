//! No phase is idle: where everything that one asks for fails, queries or answer are others. What the effects of a phase are good for
//! in particular is tested beside them (`ablation.rs`).

use crate::worlds::{QUESTION, autonomous, harbour, sound_end};
use crate::{clarify, critique, field, hypotheses, insights, lenses};
use elenchus_core::inquiry::{
    Asking, ClarifyingAnswer, Control, FailureKind, Input, Options, Outcome, Phase, Step,
};
use elenchus_core::port::Usage;
use elenchus_core::testkit::{Drive, World};
use elenchus_core::trace::TraceEvent;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A world, a question and options by which a run comes through a phase; `None` for the end, which asks for nothing.
fn scene(phase: Phase) -> Option<(World, &'static str, Options)> {
    Some(match phase {
        Phase::Clarify => {
            let (world, _) = clarify::letters(clarify::two_questions());
            (world, clarify::VAGUE, clarify::asking(Asking::Auto))
        }
        Phase::Plan
        | Phase::Search
        | Phase::Read
        | Phase::Reflect
        | Phase::Analyze
        | Phase::FollowUp
        | Phase::Draft => (harbour(), QUESTION, autonomous()),
        Phase::Hypothesize => {
            (hypotheses::explained(harbour()), QUESTION, hypotheses::explaining())
        }
        Phase::Verify => (harbour().judged(), QUESTION, autonomous()),
        Phase::Critique | Phase::Revise => {
            (critique::mended(), critique::FLOWERS, critique::reviewed())
        }
        Phase::Lenses => (lenses::lit(), QUESTION, lenses::seeing()),
        Phase::Contrast => {
            (field::bible(), "Who threw the silver down in the temple?", field::options())
        }
        Phase::Insights => {
            (insights::marking(insights::coast()), insights::QUESTION, insights::asked())
        }
        Phase::Done => return None,
    })
}

/// What somebody sees of a run in which all that this phase asks for fails, and the names of the phases that asked for something.
/// Whoever is asked back takes the first choice.
fn told(
    (world, question, options): (World, &str, Options),
    idle: Option<Phase>,
) -> (Value, BTreeSet<&'static str>) {
    let mut drive = Drive::begin(&world, question, options);
    let mut asked = BTreeSet::new();
    loop {
        if let Step::Clarify(_) = drive.run().step() {
            let first = ClarifyingAnswer { question: 1, choice: Some(1), text: None };
            drive.control(Control::Clarified { answers: vec![first] });
        }
        let Some((id, effect)) = drive.wanted().into_iter().next() else { break };
        let phase = drive.run().view().progress().phase;
        asked.insert(phase.name());
        let result = if idle == Some(phase) {
            let error = "could not: scripted".to_owned();
            Outcome::Failed { kind: FailureKind::Permanent, error, usage: Usage::default() }
        } else {
            drive.perform(&effect)
        };
        drive.tell(Input::Outcome { id, result });
    }
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let queries: Vec<&Vec<String>> = driven
        .trace
        .iter()
        .filter_map(|one| match &one.event {
            TraceEvent::RoundStarted { queries, .. } => Some(queries),
            _ => None,
        })
        .collect();
    let mut answer = serde_json::to_value(driven.run.view().answer().unwrap()).unwrap();
    // What it cost and how many steps it took says nothing of what it is.
    for field in ["receipt", "reasoning_trace", "exploration_steps"] {
        answer.as_object_mut().unwrap().remove(field);
    }
    (json!([queries, answer]), asked)
}

#[test]
fn every_phase_does_something() {
    for phase in Phase::ALL {
        let (Some(whole), Some(without)) = (scene(phase), scene(phase)) else { continue };
        let (whole, asked) = told(whole, None);
        assert!(asked.contains(phase.name()), "the run does not come through {}", phase.name());
        let (without, _) = told(without, Some(phase));
        assert_ne!(whole, without, "nothing is lost without {}", phase.name());
    }
}

/// Without the first check of an answer no figure stands in it, and it says that it was not checked.
#[test]
fn without_a_check_nothing_is_borne_out() {
    let judged = |idle: Option<Phase>| {
        let (told, _) = told((harbour().judged(), QUESTION, autonomous()), idle);
        let coverage = told[1]["confidence"]["coverage"].clone();
        (coverage["checked"].as_u64(), told[1]["confidence"]["claim_confidences"][0].clone())
    };
    let ((checked, figures), (unchecked, none)) = (judged(None), judged(Some(Phase::Verify)));
    assert!(checked > Some(0) && figures["confidence"].is_f64(), "{figures}");
    assert_eq!(unchecked, Some(0));
    assert!(none["confidence"].is_null(), "{none}");
}
