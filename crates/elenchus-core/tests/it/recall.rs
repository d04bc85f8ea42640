//! What earlier runs learned, in a run: each lesson changes a search, and gets the credit that it earned.

use crate::worlds::{autonomous, sound_end};
use elenchus_core::bank::{Lesson, Outcome};
use elenchus_core::evidence::Span;
use elenchus_core::id::StrategyId;
use elenchus_core::inquiry::{Options, Run};
use elenchus_core::port::Retriever;
use elenchus_core::prompt::{
    Bearing, FactRole, Facts, ModelCall, ModelReply, ProposedFact, Reflection,
};
use elenchus_core::testkit::{Driven, World, drive};
use elenchus_core::trace::TraceEvent;

pub(crate) const WAGE: &str = "What does the lighthouse keeper earn?";

/// The answer stands where no word of the question does, and a model that reads it knows it.
pub(crate) fn coast() -> World {
    (0..6)
        .fold(World::new("coast"), |world, n| {
            world.document(
                &format!("gossip{n}.md"),
                &format!(
                    "# Gossip {n}\n\nThe lighthouse keeper may earn respect, says villager {n}."
                ),
            )
        })
        .document("wages.md", "# Wages\n\nThe lamp attendant draws 900 crowns a year.")
        .script(|call| {
            let knows = |text: &str| text.contains("900 crowns");
            match call {
                ModelCall::Reflect(input) => {
                    let found = input.passages.iter().find(|read| knows(&read.passage.text));
                    Some(Ok(ModelReply::Reflect(Reflection {
                        is_sufficient: found.is_some(),
                        answered_questions: found.map(|_| 1).into_iter().collect(),
                        unanswered_questions: if found.is_some() { vec![] } else { vec![1] },
                        relevant_passage_ids: found
                            .map(|read| read.passage.id.clone())
                            .into_iter()
                            .collect(),
                        notes: vec![],
                        new_gaps_identified: vec![],
                    })))
                }
                ModelCall::ExtractFacts(input) => Some(Ok(ModelReply::ExtractFacts(Facts {
                    facts: input
                        .passages
                        .iter()
                        .filter(|read| knows(&read.passage.text))
                        .map(|read| ProposedFact {
                            question_id: 1,
                            passage_id: read.passage.id.clone(),
                            span: Span { start: 0, end: read.passage.text.chars().count() },
                            value: None,
                            role: FactRole::Answer,
                            polarity: None,
                            bearing: Some(Bearing::Strong),
                            likeness: None,
                            unbound: vec![],
                            warrant: "the attendant is the keeper".to_owned(),
                        })
                        .collect(),
                }))),
                _ => None,
            }
        })
}

fn lesson(id: &str, outcome: Outcome, content: &str) -> Lesson {
    Lesson {
        id: StrategyId::from(id),
        title: "Pay of the lighthouse keeper".to_owned(),
        description: "When a question asks what somebody at the lighthouse earns".to_owned(),
        content: content.to_owned(),
        outcome,
        confidence: 0.7,
    }
}

fn learned() -> Lesson {
    lesson("mem_words", Outcome::Success, "Search words: wages attendant draws")
}

fn credits(driven: &Driven) -> Vec<(String, bool, Option<bool>, String)> {
    driven
        .trace
        .iter()
        .filter_map(|envelope| match &envelope.event {
            TraceEvent::MemoryCredited(credit) => Some((
                credit.memory_id.0.clone(),
                credit.used,
                credit.succeeded,
                credit.because.clone(),
            )),
            _ => None,
        })
        .collect()
}

pub(crate) fn queries(driven: &Driven, round: u8) -> Vec<String> {
    driven
        .trace
        .iter()
        .find_map(|envelope| match &envelope.event {
            TraceEvent::RoundStarted { round: at, queries, .. } if *at == round => {
                Some(queries.clone())
            }
            _ => None,
        })
        .unwrap_or_default()
}

pub(crate) fn ask(world: &World) -> Driven {
    let driven = drive(world, WAGE, Options { ..autonomous() });
    sound_end(&driven.run, &driven.trace);
    // What was learned is in the journal: a replay needs no bank.
    let (replayed, trace) = Run::replay(&driven.journal).unwrap();
    assert_eq!(trace, driven.trace);
    assert_eq!(replayed.view().answer(), driven.run.view().answer());
    driven
}

#[test]
fn words_that_found_it_before_find_it_in_the_first_round() {
    let without = ask(&coast());
    assert_eq!(without.run.view().answer().unwrap().claims.len(), 0, "the world is too easy");
    assert!(credits(&without).is_empty());

    let driven = ask(&coast().taught(learned()));
    let answer = driven.run.view().answer().unwrap();
    assert_eq!(answer.receipt.rounds, 1);
    assert!(answer.claims[0].text.contains("900 crowns"));
    let credits = credits(&driven);
    assert_eq!(credits.len(), 1);
    assert_eq!((credits[0].1, credits[0].2), (true, Some(true)), "{}", credits[0].3);
    assert!(driven.trace.iter().any(|envelope| matches!(
        &envelope.event,
        TraceEvent::MemoryRecalled { memories, .. } if memories[0].id.as_str() == "mem_words"
    )));
}

#[test]
fn words_that_lead_nowhere_are_marked_down_and_an_unused_lesson_is_not_judged() {
    let wrong = lesson("mem_wrong", Outcome::Success, "Search words: oilskin herring");
    let mut elsewhere = lesson("mem_else", Outcome::Success, "Search words: quarry slate");
    elsewhere.title = "Age of the quarry".to_owned();
    elsewhere.description = "When a question asks how old it is".to_owned();
    let driven = ask(&coast().taught(wrong).taught(elsewhere));
    let credits = credits(&driven);
    assert_eq!((credits[0].1, credits[0].2), (true, Some(false)), "{}", credits[0].3);
    assert_eq!((credits[1].1, credits[1].2), (false, None), "{}", credits[1].3);
    assert!(!queries(&driven, 1).iter().any(|query| query.contains("quarry")));
}

#[test]
fn a_warning_holds_on_the_documents_it_was_learned_on_and_only_where_something_is_left() {
    let first = queries(&ask(&coast()), 1);
    let fingerprint = coast().overview().fingerprint;
    let warning = |documents: &str, queries: &[String]| {
        let content = format!("Fruitless queries: {}\nDocuments: {documents}", queries.join(" | "));
        lesson("mem_not", Outcome::Failure, &content)
    };
    // All that would be searched is warned of: it is searched all the same.
    let all = ask(&coast().taught(warning(&fingerprint, &first)));
    assert_eq!(queries(&all, 1), first);
    // Something else is left to search.
    let heeded = ask(&coast().taught(warning(&fingerprint, &first)).taught(learned()));
    assert!(queries(&heeded, 1).iter().all(|query| query.contains("attendant")));
    assert!(credits(&heeded).iter().any(|(id, used, ..)| id == "mem_not" && *used));
    // The documents have changed since.
    let stale = ask(&coast().taught(warning("0123", &first)).taught(learned()));
    assert!(queries(&stale, 1).contains(&first[0]));
}
