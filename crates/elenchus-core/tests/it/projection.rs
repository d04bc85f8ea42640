//! What surfaces show is what the run holds: the projection of the events against the run's own view.

use crate::worlds::{QUESTION, at_least, autonomous, documents, harbour, question, world};
use elenchus_core::belief::Level;
use elenchus_core::inquiry::gap::GapStatus;
use elenchus_core::inquiry::{Control, Run, Step, StopReason};
use elenchus_core::prompt::FactRole;
use elenchus_core::testkit::{Drive, drive};
use elenchus_core::trace::{Envelope, GapStanding, Projection, RunStatus, StepKind, TraceEvent};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Everything that run and projection both know.
fn agrees(run: &Run, trace: &[Envelope]) {
    let shown = Projection::of(trace).expect("a run has a first event");
    let view = run.view();
    let progress = view.progress();
    assert_eq!(&shown.run_id, view.run_id());
    assert_eq!(shown.question, view.question());
    assert_eq!(shown.seq, trace.len() as u64);
    assert_eq!(shown.steps.len(), trace.len());
    // A run that is stopped before its plan stands answers the question as it was put, without one.
    let has_plan =
        trace.iter().any(|one| matches!(one.event, TraceEvent::PlanningCompleted { .. }));
    let planned: Vec<_> = shown.questions.iter().map(|one| &one.question).collect();
    if has_plan {
        assert_eq!(planned, view.plan().questions.iter().collect::<Vec<_>>());
    }
    // A reflection may hold for answered what no quote then bears out; what is answered stays so in later rounds.
    assert!(!has_plan || shown.answered() >= progress.answered, "answered");
    assert_eq!(shown.open_gaps(), progress.open_gaps, "open gaps");
    assert_eq!(shown.sources.len(), progress.sources, "sources");
    assert_eq!(shown.is_over(), run.step() == Step::Done);
    assert_eq!(shown.spent.model_calls, view.spent().model_calls, "model calls");
    assert_eq!(shown.spent.searches, view.spent().searches, "searches");
    for gap in view.gaps().gaps() {
        let seen = shown.gap(gap.id.as_str()).expect("every gap is opened by an event");
        assert_eq!(seen.description, gap.description);
        let standing = match gap.status {
            GapStatus::Active => GapStanding::Open,
            GapStatus::Resolved => GapStanding::Resolved,
            GapStatus::Abandoned => GapStanding::Abandoned,
        };
        assert_eq!(seen.standing, standing, "{gap:?}");
        if standing == GapStanding::Abandoned {
            assert_eq!(seen.reason, gap.reason);
            assert!(!seen.because.is_empty());
        }
    }
    let ranked = view.hypotheses();
    for one in &ranked {
        let seen = shown.hypotheses.iter().find(|seen| seen.id == one.id).expect("it was named");
        assert!((seen.confidence - one.confidence).abs() < 1e-12, "{seen:?} {one:?}");
        assert_eq!(seen.status, one.status.name());
    }
    if shown.is_over() {
        assert_eq!(shown.answer.as_deref(), view.answer());
        assert_eq!(shown.stop_reason, view.stop_reason());
        assert_eq!(shown.audit, view.audit());
        assert_eq!(shown.open_gaps(), 0, "at the end every gap is settled");
        assert_eq!(shown.stage, "done");
    }
}

/// Folding again, in pieces, or from any event before the last that was seen, gives the same.
fn folds(trace: &[Envelope]) {
    let whole = Projection::of(trace).unwrap();
    let mut again = whole.clone();
    for event in trace {
        again.apply(event);
    }
    assert_eq!(again, whole, "events that were seen change nothing");
    let middle = trace.len() / 2;
    let mut pieces = Projection::of(&trace[..=middle]).unwrap();
    for event in &trace[middle.saturating_sub(3)..] {
        pieces.apply(event);
    }
    assert_eq!(pieces, whole);
}

/// Every action of a run that is over has ended, and no two share a lane at a time.
fn lanes(shown: &Projection) {
    let mut taken: BTreeSet<u16> = BTreeSet::new();
    let mut open: Vec<(u64, u16)> = vec![];
    for step in &shown.steps {
        match step.kind {
            StepKind::Action => {
                assert!(taken.insert(step.lane), "{step:?} stands where another is under way");
                open.push((step.seq, step.lane));
            }
            StepKind::Observation => {
                let of = step.action.expect("an observation belongs to an action");
                let at = open.iter().position(|(seq, _)| *seq == of).expect("it was open");
                assert!(taken.remove(&open.remove(at).1));
                assert_eq!(shown.step(of).unwrap().ended.map(|end| end.seq), Some(step.seq));
            }
            _ => {}
        }
        assert!(!step.text.is_empty() && !step.text.contains('\n'), "{step:?}");
    }
}

#[test]
fn the_golden_run_is_shown_as_it_is() {
    let driven = drive(&harbour(), QUESTION, autonomous());
    agrees(&driven.run, &driven.trace);
    folds(&driven.trace);
    let shown = Projection::of(&driven.trace).unwrap();
    lanes(&shown);
    assert_eq!(shown.status, RunStatus::Finished);
    assert!(shown.steps.iter().any(|step| step.kind == StepKind::Action && step.lane > 0));
    let lost = shown.gaps.iter().find(|gap| gap.description.contains("salary")).unwrap();
    assert_eq!(lost.standing, GapStanding::Abandoned);
    assert!(lost.rounds.len() >= 2 && lost.queries.len() >= 2, "{lost:?}");
    assert!(lost.rounds.iter().skip(1).any(|round| !round.strategies.is_empty()), "{lost:?}");
    assert_eq!(lost.rounds.last().unwrap().after, GapStanding::Abandoned);
    assert_eq!(shown.answered(), driven.run.view().progress().answered);
    let cited = shown.sources.iter().filter(|source| source.citation.is_some()).count();
    assert_eq!(cited, shown.answer.as_ref().unwrap().sources.len());
    let found = shown.steps.iter().filter(|step| step.says(&["gap".to_owned()])).count();
    assert!(found > 0 && found < shown.steps.len());
    let json = serde_json::to_value(&shown).unwrap();
    assert_eq!(json["status"], "finished");
    assert!(json.get("steps").is_none() && json.get("open").is_none());
}

#[test]
fn gaps_that_a_reflection_notices_are_shown_with_its_round() {
    let mut trace = drive(&harbour(), QUESTION, autonomous()).trace;
    let reflected = trace.iter_mut().find_map(|one| match &mut one.event {
        TraceEvent::Reflection { new_gaps_identified, .. } => Some(new_gaps_identified),
        _ => None,
    });
    reflected.unwrap().push("who pays".to_owned());
    let shown = Projection::of(&trace).unwrap();
    assert_eq!(shown.rounds[0].new_gaps, ["who pays"]);
    assert!(shown.rounds[1..].iter().all(|round| round.new_gaps.is_empty()));
}

#[test]
fn what_people_say_is_shown() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    drive.control(Control::Pause);
    let paused = Projection::of(drive.trace()).unwrap();
    assert_eq!(paused.status, RunStatus::Paused);
    drive.control(Control::Resume);
    assert_eq!(Projection::of(drive.trace()).unwrap().status, RunStatus::Running);
    drive.advance();
    drive.control(Control::Interrupt);
    drive.to_end();
    let driven = drive.into_driven();
    let shown = Projection::of(&driven.trace).unwrap();
    assert_eq!(shown.status, RunStatus::Interrupted);
    assert_eq!(shown.stop_reason, Some(StopReason::Interrupted));
    assert_eq!(shown.controls.len(), 3);
    agrees(&driven.run, &driven.trace);
}

/// No event announces it; see `look_for_too`.
#[test]
fn what_a_redirect_asks_for_is_planned_at_once() {
    for at in 0.. {
        let world = harbour();
        let mut drive = Drive::begin(&world, QUESTION, autonomous());
        for _ in 0..at {
            drive.advance();
        }
        if drive.run().step() == Step::Done {
            break;
        }
        let before = Projection::of(drive.trace()).unwrap().questions.len();
        let focus = Some("  Which ferry serves\tOsterby island\n".to_owned());
        drive.control(Control::Redirect { focus, exclude: vec![], only: vec![] });
        let focus = Some(" ".to_owned());
        drive.control(Control::Redirect { focus, exclude: vec![], only: vec![] });
        let shown = Projection::of(drive.trace()).unwrap();
        let added = &shown.questions[before..];
        assert!(added.len() == 1 && !added[0].answered, "at {at}: {added:?}");
        assert_eq!(added[0].question.text, "Which ferry serves Osterby island");
        agrees(drive.run(), drive.trace());
        drive.to_end();
        agrees(drive.run(), drive.trace());
        folds(drive.trace());
    }
}

#[test]
fn a_run_that_ends_before_its_plan_shows_none() {
    let world = harbour();
    let mut drive = Drive::begin(&world, QUESTION, autonomous());
    let focus = Some("Which ferry serves Osterby island".to_owned());
    drive.control(Control::Redirect { focus, exclude: vec![], only: vec![] });
    assert_eq!(Projection::of(drive.trace()).unwrap().questions.len(), 1);
    drive.control(Control::Interrupt);
    drive.to_end();
    let shown = Projection::of(drive.trace()).unwrap();
    assert!(!shown.has_plan() && shown.questions.is_empty(), "{:?}", shown.questions);
    assert!(shown.gaps.iter().any(|gap| gap.description.contains("Osterby")));
    agrees(drive.run(), drive.trace());
}

#[test]
fn the_overall_figure_is_one_of_what_answers() {
    let driven = drive(&harbour().judged(), QUESTION, autonomous());
    let shown = Projection::of(&driven.trace).unwrap();
    let mut answer = driven.run.view().answer().unwrap().clone();
    let result = answer.confidence.clone().unwrap();
    let counted = answer.counted_claims();
    let figures: Vec<f64> =
        counted.iter().filter_map(|at| result.claim_confidences[*at].confidence).collect();
    let mean = figures.iter().sum::<f64>() / figures.len() as f64;
    assert!(!figures.is_empty() && (mean - result.overall_confidence).abs() < 1e-12, "{result:?}");
    assert_eq!(answer.overall(), Some((result.overall_confidence, result.level)));
    assert_eq!((shown.scoring.overall, shown.scoring.level), answer.overall().unzip());
    let coverage = answer.coverage();
    assert_eq!((coverage.claims, coverage.checked), (counted.len(), figures.len()));
    // A quote that only came nearest is checked as well and counts for nothing.
    answer.claims[counted[0]].role = FactRole::Context;
    assert_eq!(answer.coverage().claims, counted.len() - 1);
    for claim in &mut answer.claims {
        claim.role = FactRole::Context;
    }
    assert!(answer.counted_claims().is_empty() && answer.advice().is_empty());
    // Where nothing that answers could be assessed, 0.5 stands for no figure.
    let mut trace = driven.trace;
    let is_figure = |one: &Envelope| matches!(one.event, TraceEvent::ConfidenceCalculated { .. });
    let at = trace.iter().position(is_figure).unwrap();
    for (overall, level, figure) in [
        (0.5, Level::VeryLow, None),
        (0.5, Level::Low, Some(0.5)),
        (0.2, Level::VeryLow, Some(0.2)),
    ] {
        trace[at].event = TraceEvent::ConfidenceCalculated { overall, level };
        let shown = Projection::of(&trace[..=at]).unwrap();
        assert_eq!(
            (shown.scoring.overall, shown.scoring.level.is_some()),
            (figure, figure.is_some())
        );
        assert_eq!(shown.steps.last().unwrap().confidence, figure);
    }
}

#[test]
fn nothing_is_shown_of_nothing() {
    assert_eq!(Projection::of(&[]), None);
}

proptest! {
    #![proptest_config(at_least(48))]

    #[test]
    fn every_run_is_shown_as_it_is_at_every_step(
        documents in documents(),
        question in question(),
        chaos in 0u8..60,
        seed in 0u64..1_000,
        stop in 0usize..40,
    ) {
        let world = world(documents, chaos, seed);
        let mut drive = Drive::begin(&world, &question, autonomous());
        for step in 0.. {
            agrees(drive.run(), drive.trace());
            if step == stop {
                drive.control(Control::FinishNow);
            }
            match drive.run().step() {
                Step::Done => break,
                Step::Clarify(_) => drive.control(Control::SkipClarification),
                Step::Paused => drive.control(Control::Resume),
                Step::Perform(_) => drop(drive.advance()),
            }
        }
        let driven = drive.into_driven();
        agrees(&driven.run, &driven.trace);
        folds(&driven.trace);
        let answered =
            driven.trace.iter().any(|one| matches!(one.event, TraceEvent::AnswerCompleted { .. }));
        prop_assert!(answered);
    }
}
