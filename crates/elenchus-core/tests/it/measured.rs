//! What a run measures against its own answer where no language model is asked.

use crate::worlds::sound_end;
use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::inquiry::{Control, Input, Options, Run};
use elenchus_core::journal::Entry;
use elenchus_core::prompt::Severity;
use elenchus_core::scrutiny::critique::{Critique, FindingKind, FoundBy};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::{Envelope, TraceEvent};

/// A question of two parts, of which one stands nowhere.
const HALF: &str = "When was the pier built and what does the lamp cost?";
const SECTION: &str = "## What speaks against this answer";

fn pier() -> World {
    World::new("pier").judged().document("pier.md", "# Pier\n\nThe pier was built in 1912.")
}

fn measuring(measured_critique: Option<bool>) -> Options {
    Options { autonomous: true, measured_critique, ..Options::default() }
}

fn answer(driven: &Driven) -> &Answer {
    driven.run.view().answer().expect("every run ends with an answer")
}

fn told(trace: &[Envelope]) -> Vec<&Critique> {
    let critiques = trace.iter().filter_map(|one| match &one.event {
        TraceEvent::CritiqueCompleted { critique } => Some(&**critique),
        _ => None,
    });
    critiques.collect()
}

#[test]
fn what_was_measured_is_told_everywhere_and_changes_nothing() {
    let plain = drive(&pier(), HALF, measuring(None));
    let driven = drive(&pier(), HALF, measuring(Some(true)));
    sound_end(&driven.run, &driven.trace);
    let (before, after) = (answer(&plain), answer(&driven));
    let critique = after.critique.as_ref().expect("a part stays open");
    let found: Vec<(FindingKind, Severity)> =
        critique.findings.iter().map(|one| (one.kind, one.severity)).collect();
    assert_eq!(found, [(FindingKind::OpenPart, Severity::Important)], "{critique:#?}");
    assert!(critique.is_measured() && !critique.is_only_of_challenges());
    // The figure follows from the findings alone, and there is no grade without a critic.
    assert_eq!((critique.quality, critique.grade, &critique.critic), (Some(85), None, &None));
    let one = &critique.findings[0];
    let measured = one.measured.as_ref().expect("each has its datum");
    assert_eq!(measured.datum, "parts with a statement that answers: 1 of 2");
    assert_eq!((one.id.as_str(), one.by), ("x1", FoundBy::Code));
    assert!(one.text.contains("lamp") && !measured.next_step.is_empty(), "{one:?}");
    assert_eq!(told(&driven.trace), [critique]);
    // Nothing else is another.
    assert!(before.critique.is_none() && told(&plain.trace).is_empty());
    assert_eq!(after.revision, None);
    assert_eq!((&after.text, &after.claims), (&before.text, &before.claims));
    assert_eq!((&after.confidence, &after.entailments), (&before.confidence, &before.entailments));
    assert_eq!(after.receipt.model_calls, before.receipt.model_calls);
    assert_eq!(driven.trace.len(), plain.trace.len() + 1);

    let report = to_markdown(after);
    for part in [SECTION, "Score 85 of 100", "- x1 (important, open part)", &measured.datum] {
        assert!(report.contains(part), "no {part:?} in {report}");
    }
    assert!(report.contains("what speaks against it aside,"), "{report}");
    assert!(!to_markdown(before).contains(SECTION));
    let json = serde_json::to_value(after).expect("it is JSON");
    assert_eq!(json["critique"]["findings"][0]["kind"], "open_part");
}

#[test]
fn a_plain_fact_has_no_critique() {
    let driven = drive(&pier(), "When was the pier built?", measuring(Some(true)));
    sound_end(&driven.run, &driven.trace);
    assert!(!answer(&driven).claims.is_empty(), "it is answered");
    assert_eq!((&answer(&driven).critique, told(&driven.trace).len()), (&None, 0));
    assert!(!to_markdown(answer(&driven)).contains(SECTION));
    // Nor has an answer that states nothing.
    let driven = drive(&pier(), "What does the lamp cost?", measuring(Some(true)));
    assert_eq!(answer(&driven).critique, None);
}

#[test]
fn it_can_be_turned_off() {
    let driven = drive(&pier(), HALF, measuring(Some(false)));
    assert_eq!((&answer(&driven).critique, told(&driven.trace).len()), (&None, 0));
}

/// The same journal, as a version wrote it that measured nothing.
#[test]
fn a_journal_of_an_earlier_version_derives_what_it_did() {
    let driven = drive(&pier(), HALF, measuring(Some(true)));
    let (run, trace) = Run::replay(&driven.journal).expect("it opens a run");
    assert_eq!((&run, &trace), (&driven.run, &driven.trace));
    let mut old = driven.journal.clone();
    let Entry::Input(first) = &mut old[0].entry else {
        unreachable!("a journal begins with an input")
    };
    let Input::Opened(opened) = &mut **first else { unreachable!("the first input opens the run") };
    opened.options.measured_critique = None;
    let json = serde_json::to_string(&opened.options).expect("it is JSON");
    assert!(!json.contains("measured"), "an old journal keeps its bytes: {json}");
    let (run, trace) = Run::replay(&old).expect("it opens a run");
    let plain = drive(&pier(), HALF, measuring(None));
    assert_eq!((&run, &trace), (&plain.run, &plain.trace));
    assert_eq!(told(&trace).len(), 0);
}

#[test]
fn a_warning_about_a_quote_is_a_finding() {
    let text = "# Leaflet\n\nThe pier is old. Ten million customers can't be wrong.";
    let world = World::new("ferry").judged().document("leaflet.md", text);
    let driven = drive(&world, "How many customers can't be wrong?", measuring(Some(true)));
    sound_end(&driven.run, &driven.trace);
    let answer = answer(&driven);
    let [warning] = answer.fallacy_warnings.as_slice() else {
        unreachable!("one quote is warned of: {:?}", answer.fallacy_warnings)
    };
    let critique = answer.critique.as_ref().expect("a quote is warned of");
    let one = critique.findings.iter().find(|one| one.kind == FindingKind::Fallacy);
    let one = one.expect("the warning is a finding");
    assert_eq!(
        (one.claim_id.as_ref(), one.words.as_ref()),
        (warning.claim(), Some(&warning.words))
    );
    assert!(one.text.contains(&warning.id), "{one:?}");
    // What it says of itself is no reasoning that could be warned of.
    assert_eq!(answer.fallacy_warnings.len(), 1);
}

#[test]
fn challenges_stand_in_the_same_critique() {
    let world = pier();
    let mut drive = Drive::begin(&world, HALF, measuring(Some(true)));
    drive.advance();
    let conclusion = drive
        .trace()
        .iter()
        .find(|event| matches!(event.event, TraceEvent::ReasoningConclusion(_)))
        .expect("the plan is concluded")
        .seq;
    let text = "Is that one question?".to_owned();
    drive.control(Control::Challenge { event_id: conclusion, text });
    drive.to_end();
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let critiques = told(&driven.trace);
    assert_eq!(critiques.len(), 1, "{critiques:#?}");
    assert_eq!((critiques[0].findings.len(), critiques[0].challenges.len()), (1, 1));
    let report = to_markdown(answer(&driven));
    assert!(report.contains(SECTION) && report.contains("Is that one question?"), "{report}");
}

#[test]
fn one_side_of_what_the_sources_contradict_each_other_about_is_told_as_that() {
    let world = World::new("gate")
        .judged()
        .document("north.md", "# North\n\nThe gate is open at night.")
        .document("south.md", "# South\n\nThe gate is not open at night.");
    let driven = drive(&world, "Is the gate open at night?", measuring(Some(true)));
    sound_end(&driven.run, &driven.trace);
    let answer = answer(&driven);
    let critique = answer.critique.as_ref().expect("the other side stands elsewhere");
    let one = critique.findings.iter().find(|one| one.kind == FindingKind::ConfirmationBias);
    let one = one.unwrap_or_else(|| unreachable!("one side is told: {critique:#?}"));
    assert!(one.matters(), "{one:?}");
    assert_eq!(one.claim_id.as_ref(), Some(&answer.claims[0].id));
    let (told, next) = (&answer.evidence[0].path, &one.measured.as_ref().unwrap().next_step);
    let other = if told == "north.md" { "south.md" } else { "north.md" };
    assert!(next.contains(other) && !next.contains(told.as_str()), "{next}");
}
