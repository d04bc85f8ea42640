//! Every phase does something: without its contribution the queries, the evidence or the answer differ.

use crate::worlds::{QUESTION, autonomous, harbour, sound_end};
use elenchus_core::inquiry::gap::GapReason;
use elenchus_core::inquiry::{Effect, FailureKind, Input, Outcome, WorkingMemory};
use elenchus_core::port::Usage;
use elenchus_core::prompt::{
    Draft, Facts, FollowUp, GapFindings, ModelCall, ModelReply, Plan, ProposedGap, Reflection,
    Severity,
};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;
use std::sync::{Arc, Mutex};

/// What a reader could tell two runs apart by.
#[derive(Debug, PartialEq)]
struct Shown {
    queries: Vec<String>,
    evidence: Vec<String>,
    text: String,
}

fn shown(driven: &Driven) -> Shown {
    sound_end(&driven.run, &driven.trace);
    let answer = driven.run.view().answer().unwrap().clone();
    let queries = driven
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::RoundStarted { queries, .. } => Some(queries.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    Shown {
        queries,
        evidence: answer.evidence.iter().map(|item| item.quote.clone()).collect(),
        text: answer.text,
    }
}

fn with(reply: impl Fn(&ModelCall) -> Option<ModelReply> + Send + Sync + 'static) -> World {
    harbour().script(move |call| reply(call).map(Ok))
}

fn baseline() -> Shown {
    shown(&drive(&harbour(), QUESTION, autonomous()))
}

#[test]
fn without_a_plan_other_things_are_searched() {
    let world =
        with(|call| matches!(call, ModelCall::Plan(_)).then(|| ModelReply::Plan(Plan::default())));
    let without = shown(&drive(&world, QUESTION, autonomous()));
    assert_ne!(without.queries, baseline().queries);
}

#[test]
fn without_reflection_nothing_is_quoted() {
    let world = with(|call| {
        matches!(call, ModelCall::Reflect(_)).then(|| ModelReply::Reflect(Reflection::default()))
    });
    let without = shown(&drive(&world, QUESTION, autonomous()));
    assert!(without.evidence.is_empty());
    assert_ne!(without.evidence, baseline().evidence);
}

#[test]
fn without_follow_up_queries_less_is_searched() {
    let world = with(|call| {
        matches!(call, ModelCall::FollowUp(_)).then(|| ModelReply::FollowUp(FollowUp::default()))
    });
    let without = shown(&drive(&world, QUESTION, autonomous()));
    assert!(without.queries.len() < baseline().queries.len());
}

/// What the run has in mind reaches the prompts that go on with it: goal, plan, what is missing, what was found.
#[test]
fn prompts_are_told_where_the_run_stands() {
    let heard: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
    let ear = Arc::clone(&heard);
    let world = with(move |call| {
        let memory = call.memory()?;
        ear.lock().unwrap().push((call.prompt().to_owned(), memory.to_owned()));
        None
    });
    shown(&drive(&world, QUESTION, autonomous()));
    let heard = heard.lock().unwrap();
    let of = |prompt: &'static str| heard.iter().filter(move |(named, _)| named == prompt);
    for (prompt, memory) in heard.iter() {
        assert!(memory.starts_with(&format!("phase: {prompt}")), "{memory}");
        assert!(memory.contains("goal: How far does the harbour tide"), "{memory}");
        assert!(memory.chars().count() <= 1_600, "{memory}");
    }
    let first = of("follow_up").next();
    assert!(first.is_some_and(|(_, memory)| memory.contains("missing (1 attempts)")), "{first:?}");
    assert!(of("reflect").next().is_some());
    assert!(of("draft").all(|(_, memory)| memory.contains("found: The harbour tide can rise 4")));
    let driven = drive(&harbour(), QUESTION, autonomous());
    assert_eq!(*driven.run.view().memory(), WorkingMemory::default(), "dropped at the end");
}

#[test]
fn without_gap_findings_the_stated_reason_is_lost() {
    let secret = || {
        harbour().document(
            "secret.md",
            "# Secret\n\nThe salary that a lighthouse keeper may draw is not public.",
        )
    };
    let reason = |world: &World| {
        let driven =
            drive(world, "Which salary does Halden's lighthouse keeper draw?", autonomous());
        let answer = driven.run.view().answer().unwrap().clone();
        sound_end(&driven.run, &driven.trace);
        (answer.could_not_establish[0].reason, answer.receipt.rounds, answer.text)
    };
    // The world's own reflection would take the refusal for an answer.
    let open = |world: World| {
        world.script(|call| match call {
            ModelCall::Reflect(input) => Some(Ok(ModelReply::Reflect(Reflection {
                relevant_passage_ids: input
                    .passages
                    .iter()
                    .map(|read| read.passage.id.clone())
                    .collect(),
                ..Reflection::default()
            }))),
            _ => None,
        })
    };
    let with_findings = reason(&open(secret()));
    let silent = open(secret()).script(|call| {
        matches!(call, ModelCall::AnalyzeGaps(_))
            .then(|| Ok(ModelReply::AnalyzeGaps(GapFindings::default())))
    });
    let without = reason(&silent);
    assert_eq!(with_findings.0, GapReason::Unavailable);
    assert_eq!(with_findings.1, 1);
    assert_ne!(without.0, GapReason::Unavailable);
    assert!(without.1 > with_findings.1);
    assert!(
        with_findings.2.contains("secret.md") && !without.2.contains("The document: secret.md")
    );
}

#[test]
fn without_facts_nothing_is_claimed() {
    let world = with(|call| {
        matches!(call, ModelCall::ExtractFacts(_))
            .then(|| ModelReply::ExtractFacts(Facts::default()))
    });
    let without = shown(&drive(&world, QUESTION, autonomous()));
    assert!(without.evidence.is_empty());
    assert_ne!(without.text, baseline().text);
}

#[test]
fn without_a_draft_the_short_answer_is_another() {
    let world = with(|call| {
        matches!(call, ModelCall::Draft(_)).then(|| ModelReply::Draft(Draft::default()))
    });
    let without = shown(&drive(&world, QUESTION, autonomous()));
    assert_ne!(without.text, baseline().text);
}

#[test]
fn without_reading_nothing_is_quoted() {
    let without =
        shown(&failing(&harbour(), QUESTION, |effect| matches!(effect, Effect::Read { .. })));
    assert!(without.evidence.is_empty());
}

#[test]
fn without_searching_nothing_is_read() {
    let without =
        shown(&failing(&harbour(), QUESTION, |effect| matches!(effect, Effect::Search(_))));
    assert!(without.evidence.is_empty());
}

/// Drives with some effects failing.
fn failing(world: &World, question: &str, fails: impl Fn(&Effect) -> bool) -> Driven {
    let mut drive = Drive::begin(world, question, autonomous());
    while let Some((id, effect)) = drive.wanted().into_iter().next() {
        let result = if fails(&effect) {
            Outcome::Failed {
                kind: FailureKind::Permanent,
                error: "could not: scripted".to_owned(),
                usage: Usage::default(),
            }
        } else {
            drive.perform(&effect)
        };
        drive.tell(Input::Outcome { id, result });
    }
    drive.into_driven()
}

/// Vectors recognise a rewording that shares few words.
#[test]
fn without_embedding_a_distant_rewording_is_another_gap() {
    let world = || {
        crate::worlds::endless_noise().script(|call| match call {
            ModelCall::Reflect(_) => Some(Ok(ModelReply::Reflect(Reflection {
                new_gaps_identified: vec![ProposedGap {
                    description: "salary grade of the lighthouse keeper deputy: pension bonus rank"
                        .to_owned(),
                    question_ids: vec![],
                    severity: Severity::Minor,
                    suggested_action: None,
                }],
                ..Reflection::default()
            }))),
            _ => None,
        })
    };
    let question = "which salary grade does a lighthouse keeper deputy draw nowadays abroad?";
    let with = drive(&world(), question, autonomous());
    let without = failing(&world(), question, |effect| matches!(effect, Effect::Embed { .. }));
    sound_end(&with.run, &with.trace);
    sound_end(&without.run, &without.trace);
    assert_eq!(with.run.view().gaps().gaps().len(), 1);
    assert_eq!(without.run.view().gaps().gaps().len(), 2);
}
