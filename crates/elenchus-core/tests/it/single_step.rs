//! The older loop: it ends where the newer one gives up, and it repeats itself until its rounds are spent.

use crate::worlds::{QUESTION, harbour, sound_end};
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::inquiry::query::is_repeat;
use elenchus_core::inquiry::{Control, Options, Reflecting, StopReason};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;

fn single() -> Options {
    Options { autonomous: true, reflection: Reflecting::SingleStep, ..Options::default() }
}

fn queries(driven: &Driven) -> Vec<String> {
    let rounds = driven.trace.iter().filter_map(|event| match &event.event {
        TraceEvent::RoundStarted { queries, .. } => Some(queries.clone()),
        _ => None,
    });
    rounds.flatten().collect()
}

fn repeats(queries: &[String]) -> usize {
    let repeat =
        |at: &usize| queries[..*at].iter().any(|earlier| is_repeat(earlier, &queries[*at]));
    (0..queries.len()).filter(repeat).count()
}

#[test]
fn it_repeats_itself_until_the_rounds_are_spent() {
    let (old, new) = (
        drive(&harbour(), QUESTION, single()),
        drive(&harbour(), QUESTION, Options { autonomous: true, ..Options::default() }),
    );
    sound_end(&old.run, &old.trace);
    assert_eq!(old.run.view().stop_reason(), Some(StopReason::BudgetRounds));
    assert_eq!(new.run.view().stop_reason(), Some(StopReason::NoNewPassages));
    let (old_spent, new_spent) = (old.run.view().spent(), new.run.view().spent());
    assert_eq!((old_spent.rounds, new_spent.rounds), (5, 2));
    assert!(repeats(&queries(&old)) >= 3, "{:?}", queries(&old));
    assert_eq!(repeats(&queries(&new)), 0);
    // What it never found is told all the same, and its answers are composed and checked alike.
    let missing = &old.run.view().answer().unwrap().could_not_establish;
    assert_eq!(missing.iter().map(|gap| gap.reason).collect::<Vec<_>>(), [GapReason::Budget]);
    let of = |driven: &Driven| driven.run.view().answer().unwrap().conclusion.clone();
    assert_eq!(of(&old), of(&new));
    for event in &old.trace {
        let name = serde_json::to_value(&event.event).unwrap()["type"].clone();
        assert!(name != "knowledge_gap_analysis" && name != "followup_query_generation", "{name}");
    }
    // A gap of each round is another one.
    let opened: Vec<String> = old
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::GapOpened { gap_id, .. } => Some(gap_id.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(opened.len(), 6, "{opened:?}");
}

#[test]
fn what_can_be_answered_ends_it_at_once() {
    let driven = drive(&harbour(), "How far does the harbour tide rise in spring?", single());
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().stop_reason(), Some(StopReason::Answered));
    assert_eq!(driven.run.view().spent().rounds, 1);
}

#[test]
fn where_nothing_is_found_it_ends_too() {
    let driven = drive(&World::nothing_ever(), QUESTION, single());
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().stop_reason(), Some(StopReason::BudgetRounds));
}

#[test]
fn it_resumes_and_takes_a_focus_at_every_step() {
    let whole = drive(&harbour(), QUESTION, single());
    let focus = Control::Redirect {
        focus: Some("Which ferry serves Osterby island".to_owned()),
        exclude: vec![],
        only: vec![],
    };
    for length in 1..=whole.journal.len() {
        let world = harbour();
        let mut resumed = Drive::resume(&world, whole.journal[..length].to_vec());
        resumed.to_end();
        assert_eq!(resumed.trace(), whole.trace, "at {length}");
        let mut steered = Drive::resume(&world, whole.journal[..length].to_vec());
        if length < whole.journal.len() {
            steered.control(focus.clone());
            steered.to_end();
            sound_end(steered.run(), steered.trace());
            let missing = &steered.run().view().answer().unwrap().could_not_establish;
            assert!(missing.iter().any(|gap| gap.description.contains("Osterby")), "at {length}");
        }
    }
}
