//! Runs that look for what stands out: marks that hold, marks that do not, and what code finds alone.

use crate::worlds::{autonomous, sound_end};
use elenchus_core::answer::to_markdown;
use elenchus_core::id::FactId;
use elenchus_core::inquiry::{Control, Effect, FailureKind, Input, Options, Outcome, Step};
use elenchus_core::port::Usage;
use elenchus_core::prompt::{
    Draft, InsightKind, ModelCall, ModelReply, ProposedInsight, ThoughtStage, ThoughtStep,
};
use elenchus_core::synthesis::insight::WordedBy;
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;

pub(crate) const QUESTION: &str = "How far does the harbour tide rise in spring?";

pub(crate) fn coast() -> World {
    let world = World::new("coast")
        .document("gauge.md", "# Gauge\n\nby: Ada Lind\n\nIn spring the harbour tide will rise far, 5 metres over the granite quay.")
        .document("diary.md", "# Diary\n\nby: Bo Krag\n\nThe harbour tide did rise far in spring and wet the granite quay by 5 metres.");
    (0..8).fold(world, |world, n| {
        world.document(
            &format!("f{n}.md"),
            &format!("# Filler {n}\n\nBread number {n} was baked by Ada Lind."),
        )
    })
}

/// A model that thinks aloud and marks three insights, one of which holds.
pub(crate) fn marking(world: World) -> World {
    world.script(|call| {
        let ModelCall::Draft(input) = call else { return None };
        let insight = |kind, text: &str, facts: &[&str]| ProposedInsight {
            kind,
            text: text.to_owned(),
            facts: facts.iter().map(|id| FactId::from(*id)).collect(),
        };
        Some(Ok(ModelReply::Draft(Draft {
            conclusion: input.facts.first().map(|fact| fact.id.clone()).into_iter().collect(),
            sections: vec![],
            thinking: vec![ThoughtStep {
                step: ThoughtStage::Perspectives,
                text: "A sceptic would ask who read the gauge.".to_owned(),
                facts: vec![FactId::from("f1"), FactId::from("f99")],
            }],
            insights: vec![
                insight(InsightKind::Pattern, "It recurs.", &["f1", "f2"]),
                insight(InsightKind::CrossRef, "A diary and a gauge saw one flood.", &["f1", "f2"]),
                insight(InsightKind::CrossRef, "It was never seen.", &["f1", "f99"]),
            ],
        })))
    })
}

pub(crate) fn asked() -> Options {
    Options { insights: true, ..autonomous() }
}

fn detected(driven: &Driven) -> usize {
    let of = |event: &&elenchus_core::trace::Envelope| {
        matches!(event.event, TraceEvent::InsightDetected { .. })
    };
    driven.trace.iter().filter(of).count()
}

#[test]
fn a_mark_is_an_insight_only_when_its_rule_holds() {
    let driven = drive(&marking(coast()), QUESTION, autonomous());
    sound_end(&driven.run, &driven.trace);
    let answer = driven.run.view().answer().unwrap();
    assert_eq!(answer.insights.len(), 1, "{:?}", answer.insights);
    let one = &answer.insights[0];
    assert_eq!((one.kind, one.worded_by), (InsightKind::CrossRef, WordedBy::Model));
    assert_eq!(one.supporting.len(), 2);
    assert!(one.rule.contains("Ada Lind") && one.rule.contains("Bo Krag"), "{}", one.rule);
    assert!(
        (0.3..0.4).contains(&one.novelty),
        "10 documents can call nothing very new: {}",
        one.novelty
    );
    assert!((one.explained.value - one.novelty).abs() < 1e-12);
    assert_eq!(detected(&driven), 1);
    assert!(driven.run.view().audit().is_empty(), "{:?}", driven.run.view().audit());
    let report = to_markdown(answer);
    assert!(
        report.contains("## What stands out") && report.contains("in the model's words"),
        "{report}"
    );
    // The thought stands in the trace as the model's words, with the fact that exists.
    let thoughts: Vec<_> = driven
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::ReasoningThought(thought) if thought.stage == "draft" => Some(thought),
            _ => None,
        })
        .collect();
    assert_eq!(thoughts.len(), 1);
    assert!(thoughts[0].content.starts_with("the model, perspectives: \u{201C}A sceptic"));
    assert_eq!(thoughts[0].related_to, ["f1"]);
}

#[test]
fn without_marks_and_without_being_asked_nothing_is_looked_for() {
    let driven = drive(&coast(), QUESTION, autonomous());
    assert!(driven.run.view().answer().unwrap().insights.is_empty());
    assert!(!serde_json::to_string(&driven.trace).unwrap().contains("insight"));
    assert!(!to_markdown(driven.run.view().answer().unwrap()).contains("stands out"));
}

#[test]
fn code_finds_sources_that_seldom_meet_without_a_model() {
    let driven = drive(&coast(), QUESTION, asked());
    sound_end(&driven.run, &driven.trace);
    let answer = driven.run.view().answer().unwrap();
    assert_eq!(answer.insights.len(), 1, "{:?}", answer.claims);
    assert_eq!(answer.insights[0].worded_by, WordedBy::Program);
    // Where others bring them together, it is no news.
    let together = coast().document("paper.md", "# Paper\n\nAda Lind met Bo Krag for tea.");
    let driven = drive(&together, QUESTION, asked());
    assert!(driven.run.view().answer().unwrap().insights.is_empty());
}

#[test]
fn code_finds_a_pattern_in_more_than_five_sources() {
    let world = |n: usize| {
        (0..n).fold(World::new("pattern"), |world, n| {
            world.document(&format!("d{n}.md"), &format!("The harbour tide can rise {n} metres far into spring, so the copper bell warns sailors."))
        })
    };
    let patterns = |n: usize| {
        let driven = drive(&world(n), QUESTION, asked());
        let answer = driven.run.view().answer().unwrap().clone();
        answer.insights.into_iter().filter(|one| one.kind == InsightKind::Pattern).count()
    };
    assert!(patterns(8) >= 1);
    assert_eq!(patterns(5), 0);
}

#[test]
fn a_run_with_insights_resumes_from_every_prefix_of_its_journal() {
    for (world, options) in [(marking(coast()), asked()), (marking(coast()).judged(), autonomous())]
    {
        let whole = drive(&world, QUESTION, options);
        assert!(detected(&whole) >= 1);
        for length in 1..=whole.journal.len() {
            let mut resumed = Drive::resume(&world, whole.journal[..length].to_vec());
            resumed.to_end();
            let resumed = resumed.into_driven();
            assert_eq!(resumed.run, whole.run, "from {length} of {}", whole.journal.len());
            assert_eq!(resumed.trace, whole.trace);
        }
    }
}

/// Drives until the meetings are asked for.
fn until_counted(world: &World) -> Drive<'_> {
    let mut run = Drive::begin(world, QUESTION, asked());
    while !run.wanted().iter().any(|(_, effect)| matches!(effect, Effect::Meetings { .. })) {
        assert!(run.advance(), "no meetings are asked for");
    }
    run
}

#[test]
fn a_count_that_fails_costs_the_insights_and_nothing_else() {
    let world = marking(coast());
    let mut run = until_counted(&world);
    let (id, _) = run.wanted().remove(0);
    let failed = Outcome::Failed {
        kind: FailureKind::Permanent,
        error: "no index".to_owned(),
        usage: Usage::default(),
    };
    run.tell(Input::Outcome { id, result: failed });
    assert_eq!(run.run().step(), Step::Done);
    let driven = run.into_driven();
    sound_end(&driven.run, &driven.trace);
    let answer = driven.run.view().answer().unwrap();
    assert!(answer.insights.is_empty() && !answer.claims.is_empty());
    assert!(serde_json::to_string(&driven.trace).unwrap().contains("failed: no index"));
}

#[test]
fn controls_act_while_sources_are_counted() {
    let world = marking(coast());
    for control in [Control::Interrupt, Control::FinishNow] {
        let mut run = until_counted(&world);
        run.control(control);
        assert_eq!(run.run().step(), Step::Done);
        assert!(run.run().view().answer().is_some());
    }
    let mut run = until_counted(&world);
    run.control(Control::Pause);
    assert_eq!(run.run().step(), Step::Paused);
    run.to_end();
    assert!(!run.run().view().answer().unwrap().insights.is_empty());
}

#[test]
fn a_journal_from_before_insights_gives_the_same_bytes() {
    let old = r#"{"conclusion":["f1"],"sections":[]}"#;
    let draft: Draft = serde_json::from_str(old).unwrap();
    assert_eq!(serde_json::to_string(&draft).unwrap(), old);
    let options = serde_json::to_string(&autonomous()).unwrap();
    assert!(!options.contains("insights"));
    assert_eq!(serde_json::from_str::<Options>(&options).unwrap(), autonomous());
}
