//! The shapes that other programs rely on: every field that the contract names is there, under its name, and traces of
//! earlier versions, which lacked some, open as they are.

use crate::worlds::{QUESTION, autonomous, harbour};
use elenchus_core::answer::to_markdown;
use elenchus_core::id::PassageId;
use elenchus_core::inquiry::{Control, Derivations, Effect, Input, Options, Run};
use elenchus_core::journal::Entry;
use elenchus_core::port::{ModelFailure, Usage};
use elenchus_core::prompt::{ModelCall, Reflection};
use elenchus_core::testkit::{Drive, drive};
use elenchus_core::trace::{Envelope, TraceEvent};
use serde_json::{Value, json};

/// What the contract names, by event.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "planning_completed",
        &["questions", "complexity", "estimated_sources", "phases", "total_steps"],
    ),
    ("reasoning_thought", &["id", "content", "context"]),
    ("reasoning_action", &["id", "action", "tool", "parameters", "reasoning"]),
    ("reasoning_observation", &["action_id", "result", "analysis"]),
    (
        "reasoning_conclusion",
        &["id", "conclusion", "supporting_thoughts", "confidence", "next_steps"],
    ),
    (
        "reflection",
        &[
            "is_sufficient",
            "answered_questions",
            "unanswered_questions",
            "relevant_summary_ids",
            "current_gap_closed",
            "new_gaps_identified",
        ],
    ),
    (
        "knowledge_gap_analysis",
        &["should_continue_research", "next_gap_to_research", "gap_status", "reasoning", "updates"],
    ),
    ("followup_query_generation", &["queries", "rationale", "query_strategy"]),
    ("confidence_scoring_started", &["answer_length"]),
    ("claims_extracted", &["count"]),
    ("entailment_checked", &["checked", "unchecked"]),
    ("suscore_calculated", &["score"]),
    ("confidence_calculated", &["overall", "level"]),
];

fn json_of(trace: &[Envelope]) -> Vec<Value> {
    trace.iter().map(|event| serde_json::to_value(event).unwrap()).collect()
}

#[test]
fn every_field_that_the_contract_names_is_there() {
    let driven = drive(&harbour().judged(), QUESTION, autonomous());
    let events = json_of(&driven.trace);
    for (kind, fields) in FIELDS {
        let of_kind: Vec<&Value> = events.iter().filter(|event| event["type"] == *kind).collect();
        let whole = |event: &&&Value| fields.iter().all(|field| !event["data"][field].is_null());
        assert!(of_kind.iter().any(|event| whole(&event)), "{kind}: {of_kind:?}");
    }
    let of =
        |kind: &str| events.iter().find(|event| event["type"] == *kind).unwrap()["data"].clone();
    let context = &of("reasoning_thought")["context"];
    assert!(context["stage"].is_string() && context["step"].is_u64(), "{context}");
    let plan = of("planning_completed");
    let phases = ["plan", "search", "read", "reflect", "analyze", "follow_up", "draft", "verify"];
    assert_eq!(plan["phases"], json!(phases));
    // Five rounds of four phases, four times new queries, and the three around them.
    assert_eq!(plan["total_steps"], 5 * 4 + 4 + 3);
    let update = &of("knowledge_gap_analysis")["updates"][0];
    for field in ["gap_id", "status", "attempt_count", "dry_rounds"] {
        assert!(!update[field].is_null(), "{update}");
    }
    let answer = &of("answer_completed")["answer"];
    assert_eq!(answer["methodology"], answer["confidence"]["methodology"]);
    assert!(answer["methodology"]["score"].is_f64(), "{}", answer["methodology"]);
}

#[test]
fn gaps_are_given_out_with_the_one_that_is_worked_on() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    while drive.run().view().progress().round < 2 {
        assert!(drive.advance());
    }
    let history = serde_json::to_value(drive.run().view().gap_history()).unwrap();
    assert_eq!(history["gaps"].as_array().unwrap().len(), 2);
    assert_eq!(history["current_gap_index"], 1, "the first is answered: {history}");
    drive.to_end();
    assert_eq!(drive.run().view().gap_history().current_gap_index, None);
}

/// What earlier versions wrote is read, and written again as it was.
#[test]
fn events_of_earlier_versions_stay_as_they_are() {
    let old = [
        json!({"type": "planning_completed", "data": {
            "questions": [], "complexity": "simple", "estimated_sources": 1, "max_rounds": 5}}),
        json!({"type": "reasoning_thought", "data": {
            "id": "t1", "content": "a thought", "stage": "search", "step": 1, "related_to": ["g1"]}}),
        json!({"type": "reasoning_conclusion", "data": {
            "id": "k1", "conclusion": "an end", "supporting_thoughts": ["t1"], "next_steps": []}}),
        json!({"type": "reflection", "data": {
            "is_sufficient": false, "answered_questions": [], "unanswered_questions": [1],
            "relevant_passage_ids": ["src_1#0"], "current_gap_closed": false,
            "new_gaps_identified": []}}),
        json!({"type": "knowledge_gap_analysis", "data": {
            "should_continue_research": false, "gap_status": "complete", "reasoning": "all is known"}}),
        json!({"type": "followup_query_generation", "data": {
            "gap_id": "g1", "queries": ["a query"], "strategies": ["angle"], "rationale": "",
            "dropped": 1}}),
    ];
    for event in old {
        let read: TraceEvent = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), event);
    }
    let reply = json!({"is_sufficient": true, "answered_questions": [1], "unanswered_questions": [],
        "relevant_summary_ids": ["src_1#0"]});
    let reflection: Reflection = serde_json::from_value(reply).unwrap();
    assert_eq!(reflection.relevant_passage_ids, vec![PassageId::from("src_1#0")]);
}

fn asks_order(effect: &Effect) -> bool {
    matches!(effect, Effect::Model { call, .. } if matches!(**call, ModelCall::Draft(_)))
}

/// A reader sees who put the quotes in order, and in which mode and field the run was.
#[test]
fn a_report_says_whose_order_it_is_and_how_it_was_framed() {
    let mute = harbour().script(|call| {
        matches!(call, ModelCall::Draft(_)).then(|| {
            Err(ModelFailure {
                model: "scripted".to_owned(),
                attempted: "draft".to_owned(),
                cause: "no reply".to_owned(),
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    });
    let framed =
        || Options { mode: "critic".to_owned(), pack: "theology".to_owned(), ..autonomous() };
    let spoken = harbour();
    let report = |options: Options, is_mute: bool| {
        let world = if is_mute { &mute } else { &spoken };
        to_markdown(drive(world, QUESTION, options).run.view().answer().unwrap())
    };
    let by_program = "No model put them in order: the order is the program's.";
    let told = report(framed(), true);
    assert!(told.contains(by_program), "{told}");
    assert!(told.contains("\nmode: \"critic\"\npack: \"theology\"\n"), "{told}");
    let plain = report(autonomous(), false);
    for word in [by_program, "\nmode: ", "\npack: ", "\nlenses: "] {
        assert!(!plain.contains(word), "{plain}");
    }
    // Journals of earlier versions replay without it.
    let mut old = framed();
    old.derivations = Derivations::FIRST;
    let told = report(old, true);
    assert!(!told.contains(by_program) && !told.contains("\nmode: "), "{told}");
    // Nor is a model asked for an order once it is interrupted, and the built-in one has no other.
    let mut cut = Drive::begin(&spoken, QUESTION, autonomous());
    while !cut.wanted().iter().any(|(_, effect)| asks_order(effect)) {
        assert!(cut.advance(), "it asks for an order");
    }
    cut.control(Control::Interrupt);
    let mut cut = cut.into_driven();
    let told = to_markdown(cut.run.view().answer().unwrap());
    assert!(told.contains(by_program), "{told}");
    if let Entry::Input(first) = &mut cut.journal[0].entry
        && let Input::Opened(opened) = &mut **first
    {
        opened.model = "builtin:extractive".to_owned();
    }
    let (built_in, _) = Run::replay(&cut.journal).unwrap();
    let told = to_markdown(built_in.view().answer().unwrap());
    assert!(told.contains("builtin:extractive") && !told.contains(by_program), "{told}");
}
