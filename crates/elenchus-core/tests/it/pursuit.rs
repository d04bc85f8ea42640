//! Explanations drive the loop: where nothing is left to answer a run goes on for them, until they converge.

use crate::hypotheses::resumes_from_every_prefix;
use crate::worlds::sound_end;
use elenchus_core::inquiry::{Budget, Derivations, Options, StopReason};
use elenchus_core::prompt::{
    Hypotheses, ModelCall, ModelReply, Prior, ProposedHypothesis, Reflection,
};
use elenchus_core::testkit::{World, drive};
use elenchus_core::trace::TraceEvent;

const WHY: &str = "Why was the Osterby lamp dark?";

/// The first document answers the question in the first round. Each of the others is found by words of its own alone.
fn lamp(for_it: &[&str], against: &[&str]) -> World {
    let owned = |queries: &[&str]| -> Vec<String> {
        queries.iter().map(|query| (*query).to_owned()).collect()
    };
    let wick = ProposedHypothesis {
        claim: "The wick burned down.".to_owned(),
        prior: Prior::Possible,
        queries_for: owned(for_it),
        queries_against: owned(against),
    };
    let oil = ProposedHypothesis {
        claim: "The oil froze over night.".to_owned(),
        prior: Prior::Possible,
        queries_for: owned(&["oil frost"]),
        queries_against: vec![],
    };
    let hypotheses = vec![wick, oil];
    World::new("lamp")
        .judged()
        .document("log.md", "# Log\n\nThe Osterby lamp was dark because the wick burned down.")
        .document("chandler.md", "# Chandler\n\nThe chandler gave a receipt for rope.")
        .document("inspector.md", "# Inspector\n\nThe keeper passed an inspection in May.")
        .document("audit.md", "# Audit\n\nThe harbour audit praised the books.")
        .document("diary.md", "# Diary\n\nThe cook wrote that a wick burned to nothing.")
        .script(move |call| {
            matches!(call, ModelCall::Hypothesize(_))
                .then(|| Ok(ModelReply::Hypothesize(Hypotheses { hypotheses: hypotheses.clone() })))
        })
}

fn explaining() -> Options {
    Options { autonomous: true, hypotheses: true, ..Options::default() }
}

/// Rounds, why the run ended, and how many model calls it made.
fn ended(world: &World, options: Options) -> (u8, StopReason, u32) {
    let driven = drive(world, WHY, options);
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    let answer = view.answer().unwrap();
    assert!(answer.text.contains("the wick burned down"), "{}", answer.text);
    (answer.receipt.rounds, answer.stop_reason, view.spent().model_calls)
}

fn was_searched(world: &World, query: &str) -> bool {
    world.performed().contains_key(&format!("search {query}"))
}

#[test]
fn what_is_to_be_searched_for_explanations_is_searched() {
    let world = || lamp(&["chandler receipt"], &["rope", "keeper inspection", "harbour audit"]);
    let pursued = world();
    let (rounds, reason, calls) = ended(&pursued, explaining());
    assert_eq!((rounds, reason), (3, StopReason::Answered));
    assert!(was_searched(&pursued, "keeper inspection") && was_searched(&pursued, "harbour audit"));
    // Runs that began earlier ended with their gaps. No model is asked anything in the further rounds.
    let earlier = Options { derivations: Derivations::FOURTH, ..explaining() };
    assert_eq!(ended(&world(), earlier), (1, StopReason::Answered, calls));
    // Nothing is slower where nothing is to be explained.
    let plain = Options { hypotheses: false, ..explaining() };
    assert_eq!(ended(&world(), plain), (1, StopReason::Answered, calls - 1));
    // A budget ends it, and the question is answered all the same.
    let budget = Budget { rounds: 2, ..Budget::default() };
    assert_eq!(ended(&world(), Options { budget, ..explaining() }).0, 2);
    assert_eq!(ended(&world(), Options { autonomous: false, ..explaining() }).0, 1);
}

#[test]
fn two_rounds_that_change_no_contradiction_are_the_last() {
    let against = ["rope", "keeper inspection", "harbour audit", "insurance letter"];
    let world = lamp(&["chandler receipt"], &against);
    let (rounds, reason, _) = ended(&world, explaining());
    assert_eq!((rounds, reason), (3, StopReason::ContradictionsStable));
    assert!(!was_searched(&world, "insurance letter"));
}

/// Rounds in which the question was open tell nothing of whether explanations converge.
#[test]
fn a_round_for_a_gap_is_none_of_the_two() {
    let against = ["rope", "keeper inspection", "harbour audit", "insurance letter"];
    let world = lamp(&["chandler receipt"], &against).script(|call| {
        let ModelCall::Reflect(input) = call else { return None };
        // The second round reads of the inspection.
        let is_second = input.passages.iter().any(|read| read.passage.text.contains("inspection"));
        (!is_second).then(|| Ok(ModelReply::Reflect(Reflection::default())))
    });
    let (rounds, reason, _) = ended(&world, explaining());
    assert_eq!((rounds, reason), (4, StopReason::Answered));
    assert!(was_searched(&world, "insurance letter"));
}

#[test]
fn a_confirmed_leader_is_the_end() {
    let for_it = ["chandler receipt", "keeper inspection", "harbour audit"];
    let world = lamp(&for_it, &["rope", "cook"]);
    let (rounds, reason, _) = ended(&world, explaining());
    assert_eq!((rounds, reason), (2, StopReason::HypothesisConfirmed));
    assert!(!was_searched(&world, "harbour audit"));
}

#[test]
fn a_round_that_finds_nothing_unread_is_the_last() {
    let world = lamp(&["chandler receipt"], &["keeper inspection", "rope", "harbour audit"]);
    let driven = drive(&world, WHY, explaining());
    let answer = driven.run.view().answer().unwrap();
    assert_eq!((answer.receipt.rounds, answer.stop_reason), (2, StopReason::Answered));
    let told = driven.trace.iter().any(|envelope| match &envelope.event {
        TraceEvent::ReasoningThought(thought) => {
            thought.content.starts_with("round 2 found no passage for the explanations")
        }
        _ => false,
    });
    assert!(told);
}

#[test]
fn a_run_that_pursues_explanations_resumes_from_every_prefix() {
    let world = lamp(&["chandler receipt"], &["rope", "keeper inspection", "harbour audit"]);
    resumes_from_every_prefix(&world, WHY);
}
