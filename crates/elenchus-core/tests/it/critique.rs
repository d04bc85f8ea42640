//! Critique, revision and challenge: what is found against an answer, what is done about it, and what it may not do.

use crate::hypotheses::explained;
use crate::worlds::{
    QUESTION, at_least, documents, endless_noise, harbour, question, sound_end, world,
};
use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::belief::Assessment;
use elenchus_core::evidence::Span;
use elenchus_core::id::{ClaimId, FactId, RunId, Timestamp};
use elenchus_core::inquiry::{
    Budget, Control, Effect, FailureKind, Input, Opened, Options, Outcome, Run, StopReason,
};
use elenchus_core::port::{ModelFailure, Retriever, Usage};
use elenchus_core::prompt::{
    Criticism, ModelCall, ModelReply, Patches, ProposedFinding, ProposedRuling, Severity,
};
use elenchus_core::scrutiny::challenge::{Contest, Ruling};
use elenchus_core::scrutiny::critique::{Critique, FindingKind, FoundBy};
use elenchus_core::scrutiny::revision::{Fate, Patch, PatchOp, Place};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;
use proptest::prelude::*;

pub(crate) const FLOWERS: &str = "Which flowers grow at the old station?";

pub(crate) fn reviewed() -> Options {
    Options { autonomous: true, critique: true, ..Options::default() }
}

/// Three quotes that answer: the first in the short answer, the others in a section.
fn garden() -> World {
    World::new("garden")
        .judged()
        .document("survey.md", "# Survey\n\nAll flowers that grow at the old station are red.")
        .document("notes.md", "# Notes\n\nYellow flowers grow at the old station in June.")
        .document("diary.md", "# Diary\n\nAt the old station nettles grow among the flowers.")
}

fn finding(kind: FindingKind, severity: Severity, claim: Option<&str>) -> ProposedFinding {
    ProposedFinding {
        kind,
        severity,
        claim_id: claim.map(ClaimId::from),
        span: claim.map(|_| Span { start: 0, end: 3 }),
        text: "The survey says so of itself.".to_owned(),
        queries: vec![],
    }
}

fn patch(finding: &str, op: PatchOp) -> Patch {
    Patch { finding: finding.to_owned(), op }
}

/// A world whose critic and reviser say this.
fn with(world: World, criticism: Criticism, patches: Vec<Patch>) -> World {
    world.script(move |call| match call {
        ModelCall::Critique(_) => Some(Ok(ModelReply::Critique(criticism.clone()))),
        ModelCall::Revise(_) => Some(Ok(ModelReply::Revise(Patches { patches: patches.clone() }))),
        _ => None,
    })
}

fn overstated(claim: &str) -> Criticism {
    Criticism {
        findings: vec![finding(FindingKind::Overstatement, Severity::Critical, Some(claim))],
        alternatives: vec!["Other flowers may grow there too.".to_owned()],
        leans: Some("It favours red.".to_owned()),
        replies: vec![],
    }
}

fn answer(driven: &Driven) -> &Answer {
    driven.run.view().answer().expect("every run ends with an answer")
}

fn critique(driven: &Driven) -> &Critique {
    answer(driven).critique.as_ref().expect("it was criticised")
}

/// The id of the model's first finding: those of code come before it.
fn models(critique: &Critique) -> String {
    critique
        .findings
        .iter()
        .find(|f| f.by == FoundBy::Model)
        .expect("the model found one")
        .id
        .clone()
}

/// What the critic's finding is called, found by a run without patches.
fn named(criticism: &Criticism) -> String {
    models(critique(&drive(&with(garden(), criticism.clone(), vec![]), FLOWERS, reviewed())))
}

/// A garden whose answer is criticised and put in another order.
pub(crate) fn mended() -> World {
    let criticism = overstated("c1");
    let x = named(&criticism);
    let up = PatchOp::MoveClaim { claim_id: "c2".into(), to: Place::Conclusion };
    let findings = vec![finding(FindingKind::IgnoredAlternative, Severity::Critical, None)];
    with(garden(), Criticism { findings, ..criticism }, vec![patch(&x, up)])
}

#[test]
fn a_finding_moves_a_claim_and_both_answers_are_kept() {
    let criticism = overstated("c1");
    let x = named(&criticism);
    let up = PatchOp::MoveClaim { claim_id: "c2".into(), to: Place::Conclusion };
    let down = PatchOp::DemoteFromConclusion { claim_id: "c1".into() };
    let rename =
        PatchOp::ReplaceHeading { section: Place::Section(1), heading: "What else".to_owned() };
    // The only short answer can go once another has come, in whatever order they are named.
    let about_all = Criticism {
        findings: vec![finding(FindingKind::IgnoredAlternative, Severity::Critical, None)],
        ..criticism
    };
    let patches = vec![patch(&x, down), patch(&x, up), patch(&x, rename)];
    let world = with(garden(), about_all, patches);
    let driven = drive(&world, FLOWERS, reviewed());
    sound_end(&driven.run, &driven.trace);
    let given = answer(&driven);
    let revision = given.revision.as_ref().unwrap();
    assert!(revision.kept, "{}", revision.explanation);
    assert!(revision.patches.iter().all(|tried| tried.dropped.is_none()), "{:?}", revision.patches);
    let before = revision.original.conclusion.clone();
    assert_ne!(given.conclusion, before);
    assert_eq!(revision.revised.text, given.text);
    assert_eq!(given.sections[0].heading, "What else");
    // A finding names a claim of the answer that was criticised, which has another id in the one that is given.
    let mut pointing = given.clone();
    let objection = &mut pointing.critique.as_mut().unwrap().findings[0];
    objection.claim_id = Some("c1".into());
    let objection = objection.clone();
    let now = revision.changes[0].after.clone().unwrap();
    assert_eq!(pointing.pointed_at(&objection), Some(&now));
    assert_ne!(Some(&now), objection.claim_id.as_ref());
    assert!(pointing.findings_about(&now).any(|one| one.id == objection.id));
    assert!(!pointing.findings_about(&"c1".into()).any(|one| one.id == objection.id));
    let fates: Vec<(Fate, Option<&str>, Option<&str>)> = revision
        .changes
        .iter()
        .map(|one| (one.fate, one.from.as_deref(), one.to.as_deref()))
        .collect();
    let heading = revision.original.sections[0].heading.as_str();
    assert_eq!(
        fates,
        [
            (Fate::Moved, Some("short answer"), Some("What else")),
            (Fate::Moved, Some(heading), Some("short answer")),
            (Fate::Kept, Some(heading), Some("What else")),
        ]
    );
    assert!(revision.revised.quality >= revision.original.quality, "{}", revision.explanation);
    let critique = critique(&driven);
    assert_eq!(critique.quality, revision.original.quality);
    assert_eq!(
        critique.critic.as_deref(),
        Some("scripted").filter(|_| given.model == "scripted").or(Some(given.model.as_str()))
    );
    assert_eq!(given.receipt.model_calls, driven.run.view().spent().model_calls);
    let report = to_markdown(given);
    for part in [
        "## What a critic found",
        "Grade ",
        "the critic says: The survey says so of itself.",
        "Left open, says the critic: Other flowers may grow there too.",
        "## What was revised",
        "- moved from short answer to What else: “Yellow flowers",
        "No figure of confidence was raised by it.",
        "the critic's words aside",
    ] {
        assert!(report.contains(part), "{part:?} is missing in:\n{report}");
    }
    // The parts come in order, and the revised answer was verified again.
    let order: Vec<&str> = driven
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::ConfidenceCalculated { .. } => Some("verified"),
            TraceEvent::CritiqueCompleted { .. } => Some("criticised"),
            TraceEvent::RevisionCompleted { kept: true, applied: 3, dropped: 0, .. } => {
                Some("revised")
            }
            _ => None,
        })
        .collect();
    assert_eq!(order, ["verified", "criticised", "verified", "revised"]);
}

#[test]
fn what_a_patch_may_not_do_is_said() {
    let criticism = overstated("c1");
    let x = named(&criticism);
    let cases: Vec<(Patch, &str)> = vec![
        (patch("x99", PatchOp::DropClaim { claim_id: "c2".into() }), "is no finding"),
        (patch(&x, PatchOp::DropClaim { claim_id: "c2".into() }), "is about c1"),
        (patch(&x, PatchOp::DropClaim { claim_id: "c1".into() }), "only short answer"),
        (patch(&x, PatchOp::DemoteFromConclusion { claim_id: "c1".into() }), "only short answer"),
        (
            patch(&x, PatchOp::MoveClaim { claim_id: "c1".into(), to: Place::Section(7) }),
            "no section",
        ),
        (patch(&x, PatchOp::MoveClaim { claim_id: "c1".into(), to: Place::Conclusion }), "already"),
        (
            patch(&x, PatchOp::AddFact { fact_id: FactId::from("f99"), to: Place::Conclusion }),
            "no fact",
        ),
        (
            patch(&x, PatchOp::AddFact { fact_id: FactId::from("f1"), to: Place::Conclusion }),
            "already",
        ),
        (
            patch(&x, PatchOp::ReplaceHeading { section: Place::Conclusion, heading: "A".into() }),
            "no heading",
        ),
        (
            patch(&x, PatchOp::ReplaceHeading { section: Place::Section(1), heading: " ".into() }),
            "1 to 80",
        ),
    ];
    let plain = drive(&garden(), FLOWERS, Options { autonomous: true, ..Options::default() });
    let patches = cases.iter().map(|(patch, _)| patch.clone()).collect();
    let driven = drive(&with(garden(), criticism, patches), FLOWERS, reviewed());
    sound_end(&driven.run, &driven.trace);
    let revision = answer(&driven).revision.as_ref().unwrap();
    assert!(!revision.kept);
    for (tried, (_, why)) in revision.patches.iter().zip(&cases) {
        let said = tried.dropped.as_deref().unwrap_or("applied");
        assert!(said.contains(why), "{tried:?}");
    }
    assert_eq!(answer(&driven).text, answer(&plain).text);
}

/// Both sides of a disagreement stay, whatever a critic thinks of one.
#[test]
fn a_disagreement_is_never_hidden() {
    let world = harbour().judged().script(|call| match call {
        ModelCall::Critique(input) => Some(Ok(ModelReply::Critique(Criticism {
            findings: input
                .claims
                .iter()
                .map(|claim| {
                    finding(FindingKind::WeakCitation, Severity::Critical, Some(claim.id.as_str()))
                })
                .collect(),
            ..Criticism::default()
        }))),
        ModelCall::Revise(input) => Some(Ok(ModelReply::Revise(Patches {
            patches: input
                .findings
                .iter()
                .filter_map(|f| {
                    Some(patch(&f.id, PatchOp::DropClaim { claim_id: f.claim_id.clone()? }))
                })
                .collect(),
        }))),
        _ => None,
    });
    let driven = drive(&world, QUESTION, reviewed());
    sound_end(&driven.run, &driven.trace);
    let given = answer(&driven);
    assert!(!given.conflicts.is_empty());
    let revision = given.revision.as_ref().unwrap();
    assert!(
        revision.patches.iter().any(|tried| {
            tried.dropped.as_deref().is_some_and(|why| why.contains("disagreement"))
        })
    );
    assert_eq!(given.text, revision.original.text);
}

#[test]
fn a_revision_that_cannot_be_verified_is_refused() {
    let criticism = Criticism {
        findings: vec![finding(FindingKind::IgnoredAlternative, Severity::Important, None)],
        ..Criticism::default()
    };
    let x = named(&criticism);
    let up = PatchOp::MoveClaim { claim_id: "c2".into(), to: Place::Conclusion };
    let world = with(garden(), criticism, vec![patch(&x, up)]);
    let fails = |nth: usize| {
        let mut drive = Drive::begin(&world, FLOWERS, reviewed());
        let mut checks = 0;
        while let Some((id, effect)) = drive.wanted().into_iter().next() {
            checks += usize::from(matches!(effect, Effect::Verify { .. }));
            let result = if matches!(effect, Effect::Verify { .. }) && checks == nth {
                Outcome::Failed {
                    kind: FailureKind::Permanent,
                    error: "scripted".to_owned(),
                    usage: Usage::default(),
                }
            } else {
                drive.perform(&effect)
            };
            drive.tell(Input::Outcome { id, result });
        }
        drive.into_driven()
    };
    let (sound, failed) = (fails(0), fails(2));
    assert!(answer(&sound).revision.as_ref().unwrap().kept);
    sound_end(&failed.run, &failed.trace);
    let revision = answer(&failed).revision.as_ref().unwrap();
    assert!(
        !revision.kept && revision.explanation.contains("is refused, because"),
        "{}",
        revision.explanation
    );
    assert_eq!(answer(&failed).text, revision.original.text);
    assert!(answer(&failed).confidence.as_ref().unwrap().coverage.unchecked == 0);
    assert!(to_markdown(answer(&failed)).contains("would have been moved"));
}

/// Where the model gave no order and then moved something, it is no longer the program's.
#[test]
fn a_revision_takes_the_order_over() {
    let criticism = Criticism {
        findings: vec![finding(FindingKind::IgnoredAlternative, Severity::Important, None)],
        ..Criticism::default()
    };
    let without_order = |patches: Vec<Patch>| {
        let mute = garden().script(|call| {
            matches!(call, ModelCall::Draft(_)).then(|| {
                Err(ModelFailure {
                    model: "mute".to_owned(),
                    attempted: "order".to_owned(),
                    cause: "no reply".to_owned(),
                    permanent: true,
                    usage: Usage::default(),
                    reply: None,
                })
            })
        });
        drive(&with(mute, criticism.clone(), patches), FLOWERS, reviewed())
    };
    let plain = without_order(vec![]);
    assert!(answer(&plain).own_order);
    let x = models(critique(&plain));
    let heading = "What else".to_owned();
    let rename = PatchOp::ReplaceHeading { section: Place::Section(1), heading };
    assert!(answer(&without_order(vec![patch(&x, rename)])).own_order, "a name is no order");
    let up = PatchOp::MoveClaim { claim_id: "c2".into(), to: Place::Conclusion };
    let moved = without_order(vec![patch(&x, up)]);
    assert!(answer(&moved).revision.as_ref().is_some_and(|revision| revision.kept));
    assert!(!answer(&moved).own_order);
    assert!(!to_markdown(answer(&moved)).contains("No model put them in order"));
}

#[test]
fn a_mute_critic_leaves_the_findings_of_code() {
    let mute = garden().script(|call| {
        matches!(call, ModelCall::Critique(_)).then(|| {
            Err(ModelFailure {
                model: "mute".to_owned(),
                attempted: "criticise".to_owned(),
                cause: "no reply".to_owned(),
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    });
    let plain = drive(&garden(), FLOWERS, Options { autonomous: true, ..Options::default() });
    let driven = drive(&mute, FLOWERS, reviewed());
    sound_end(&driven.run, &driven.trace);
    assert_eq!(answer(&driven).text, answer(&plain).text);
    let critique = critique(&driven);
    // A critic who says nothing is no praise.
    assert_eq!((critique.critic.as_deref(), critique.grade), (None, None));
    assert!(critique.quality.is_some(), "what is left of a revision is counted by it");
    assert!(critique.findings.iter().all(|finding| finding.by == FoundBy::Code));
    assert_eq!(answer(&driven).revision, None, "minor findings of code alone ask for no revision");
    let report = to_markdown(answer(&driven));
    assert!(
        report.contains("No grade: that nobody objected is no merit. Looked at by the program")
    );
    assert!(!report.contains("Grade A"), "{report}");
}

#[test]
fn code_finds_what_rests_on_one_source_and_what_was_passed_over() {
    let alone = World::new("alone")
        .judged()
        .document("survey.md", "# Survey\n\nAll flowers that grow at the old station are red.");
    let driven = drive(&alone, FLOWERS, reviewed());
    let critique = critique(&driven);
    assert_eq!((critique.findings.len(), critique.quality), (1, Some(95)), "{critique:#?}");
    let one = &critique.findings[0];
    assert_eq!(
        (one.id.as_str(), one.kind, one.severity),
        ("x1", FindingKind::WeakCitation, Severity::Minor)
    );
    assert!(one.text.contains("rests on one independent source, survey.md"));
    assert_eq!(one.claim_id, Some(ClaimId::from("c1")));
}

#[test]
fn a_run_that_wants_no_critic_asks_for_none() {
    let plain = drive(&garden(), FLOWERS, Options { autonomous: true, ..Options::default() });
    assert_eq!((&answer(&plain).critique, &answer(&plain).revision), (&None, &None));
    let old = serde_json::to_value(Options::default()).unwrap();
    assert!(old.get("critique").is_none());
    assert!(!serde_json::from_value::<Options>(old).unwrap().critique);
    // Nor does one whose budget has no call left for it; the findings of code are there all the same.
    let calls = plain.run.view().spent().model_calls;
    let tight = Budget { model_calls: Some(calls), ..Budget::default() };
    let driven = drive(
        &with(garden(), overstated("c1"), vec![]),
        FLOWERS,
        Options { budget: tight, ..reviewed() },
    );
    sound_end(&driven.run, &driven.trace);
    assert!(driven.run.view().spent().model_calls <= calls);
    assert!(critique(&driven).findings.iter().all(|finding| finding.by == FoundBy::Code));
}

#[test]
fn what_is_known_of_sides_is_counted() {
    let world = explained(harbour());
    let options = Options { hypotheses: true, ..reviewed() };
    let driven = drive(&world, QUESTION, options);
    let shares: f64 = critique(&driven).bias.values().sum();
    assert!(critique(&driven).bias.is_empty() || (shares - 1.0).abs() < 1e-9);
    // Nothing known of sides, nothing said.
    assert!(critique(&drive(&garden(), FLOWERS, reviewed())).bias.is_empty());
}

fn challenge(event_id: u64, text: &str) -> Control {
    Control::Challenge { event_id, text: text.to_owned() }
}

#[test]
fn a_challenge_is_put_to_the_critic() {
    let world = garden().script(|call| {
        let ModelCall::Critique(input) = call else { return None };
        let replies = input
            .challenges
            .iter()
            .map(|one| ProposedRuling {
                number: one.number,
                ruling: Ruling::Upheld,
                text: "It is one survey.".to_owned(),
            })
            .collect();
        Some(Ok(ModelReply::Critique(Criticism { replies, ..Criticism::default() })))
    });
    let mut drive = Drive::begin(&world, FLOWERS, reviewed());
    while !drive.trace().iter().any(|e| matches!(e.event, TraceEvent::Reflection { .. })) {
        assert!(drive.advance());
    }
    let thought = drive
        .trace()
        .iter()
        .rev()
        .find(|event| matches!(event.event, TraceEvent::ReasoningThought(_)))
        .unwrap()
        .seq;
    drive.control(challenge(thought, "Is one survey enough?"));
    drive.control(challenge(1, "Nobody can doubt the beginning."));
    drive.control(challenge(thought, " ?! "));
    drive.to_end();
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let answered = &critique(&driven).challenges;
    assert_eq!(answered.len(), 2, "{answered:#?}");
    let first = &answered[0];
    assert!(first.challenge.step.as_deref().unwrap().starts_with("thought t"), "{first:?}");
    assert!(!first.challenge.basis.is_empty());
    assert_eq!((first.ruling, first.reply.as_deref()), (Ruling::Upheld, Some("It is one survey.")));
    assert_eq!(answered[1].challenge.step, None);
    let report = to_markdown(answer(&driven));
    assert!(report.contains("“Is one survey enough?”"), "{report}");
    assert!(report.contains("The challenge is upheld; the critic says: It is one survey."));
}

#[test]
fn without_a_critic_code_tells_what_a_step_was_based_on() {
    let world = garden();
    let options = Options { autonomous: true, ..Options::default() };
    let mut drive = Drive::begin(&world, FLOWERS, options);
    drive.advance();
    let conclusion = drive
        .trace()
        .iter()
        .find(|event| matches!(event.event, TraceEvent::ReasoningConclusion(_)))
        .unwrap()
        .seq;
    drive.control(challenge(conclusion, "Is that one question?"));
    drive.to_end();
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let one = &critique(&driven).challenges[0];
    assert_eq!((one.ruling, &one.reply), (Ruling::Open, &None));
    assert!(one.challenge.basis.iter().any(|basis| basis.starts_with("thought t1")), "{one:#?}");
    let report = to_markdown(answer(&driven));
    assert!(report.contains("## What you challenged") && report.contains("Nobody judged it"));
    // Nobody was asked for a critique, so there is none that could have a grade.
    assert_eq!((critique(&driven).quality, critique(&driven).grade), (None, None));
    assert!(report.contains("No grade: nobody was asked"), "{report}");
    assert!(!report.contains("Grade A"), "{report}");
    assert!(driven.trace.iter().any(|e| matches!(e.event, TraceEvent::CritiqueCompleted { .. })));
}

#[test]
fn a_challenge_after_the_end_opens_another_run() {
    let world = garden();
    let parent = drive(&world, FLOWERS, Options { autonomous: true, ..Options::default() });
    let seq = parent
        .trace
        .iter()
        .find(|event| matches!(event.event, TraceEvent::ReasoningConclusion(_)))
        .unwrap()
        .seq;
    let text = "Which nettles grow at the old station?";
    let contest = Contest::new(parent.run.id().clone(), &parent.trace, seq, text).unwrap();
    assert_eq!(Contest::new(parent.run.id().clone(), &parent.trace, 9_999, text), None);
    let at = Timestamp(5_000_000);
    let opened = Opened {
        run_id: RunId::derive(FLOWERS, at, 2),
        question: FLOWERS.to_owned(),
        options: reviewed(),
        corpus: world.overview(),
        model: "scripted".to_owned(),
        judging: world.judging(),
        contest: Some(contest.clone()),
        forked: None,
        recalled: elenchus_core::inquiry::Recollection::default(),
    };
    let (mut run, mut trace) = Run::new(opened, at);
    let mut drive = Drive::begin(&world, FLOWERS, reviewed());
    // The drive performs, the child is fed.
    while let elenchus_core::inquiry::Step::Perform(effects) = run.step() {
        let (id, effect) = effects.into_iter().next().unwrap();
        let result = drive.perform(&effect);
        trace.extend(run.feed(Input::Outcome { id, result }, at));
    }
    drive.to_end();
    sound_end(&run, &trace);
    let view = run.view();
    let questions: Vec<&str> = view.plan().questions.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(questions, [FLOWERS, text]);
    let answer = view.answer().unwrap();
    let one = &answer.critique.as_ref().unwrap().challenges[0];
    assert_eq!(one.challenge.parent.as_ref(), Some(parent.run.id()));
    assert_eq!(
        (one.challenge.text.as_str(), one.challenge.step.as_ref()),
        (text, Some(&contest.step))
    );
    assert!(
        matches!(&trace[0].event, TraceEvent::SessionStarted { contest: Some(told), .. } if **told == contest)
    );
    assert!(answer.text.contains("nettles"));
    assert!(to_markdown(answer).contains(&format!("of run {}", parent.run.id())));
}

/// A revision that is not verified yet is not what an interrupted run answers.
#[test]
fn controls_while_it_is_criticised() {
    let criticism = Criticism {
        findings: vec![finding(FindingKind::IgnoredAlternative, Severity::Critical, None)],
        ..Criticism::default()
    };
    let x = named(&criticism);
    let up = PatchOp::MoveClaim { claim_id: "c2".into(), to: Place::Conclusion };
    let world = with(garden(), criticism, vec![patch(&x, up)]);
    let plain = drive(&garden(), FLOWERS, Options { autonomous: true, ..Options::default() });
    let whole = drive(&world, FLOWERS, reviewed());
    assert_ne!(answer(&whole).text, answer(&plain).text);
    for control in [
        Control::Interrupt,
        Control::FinishNow,
        challenge(6, "Is that so?"),
        Control::Redirect {
            focus: Some("Who painted the lifeboat house?".to_owned()),
            exclude: vec![],
            only: vec![],
        },
    ] {
        for at in 0..whole.journal.len() {
            let mut drive = Drive::begin(&world, FLOWERS, reviewed());
            for _ in 0..at {
                drive.advance();
            }
            let phase = drive.run().view().progress().phase.name();
            drive.control(control.clone());
            drive.to_end();
            let driven = drive.into_driven();
            sound_end(&driven.run, &driven.trace);
            let given = answer(&driven);
            match control {
                _ if phase == "done" => {}
                Control::Interrupt => {
                    assert_ne!(given.text, answer(&whole).text, "{at} {phase}");
                    assert_eq!(given.stop_reason, StopReason::Interrupted);
                }
                Control::FinishNow if matches!(phase, "critique" | "revise" | "verify") => {
                    assert_eq!(given.text, answer(&plain).text, "{at} {phase}");
                }
                Control::Challenge { .. } => {
                    let answered = given.critique.as_ref().map_or(0, |c| c.challenges.len());
                    assert_eq!(answered, 1, "{at} {phase}");
                }
                _ => {}
            }
        }
    }
}

/// A critic and a reviser who try everything: each claim is attacked, and each patch proposed.
pub(crate) fn attacked(world: World) -> World {
    world.judged().script(|call| match call {
        ModelCall::Critique(input) => {
            let mut criticism = wild_criticism();
            for claim in &input.claims {
                let id = Some(claim.id.as_str());
                criticism.findings.push(finding(FindingKind::WeakCitation, Severity::Critical, id));
            }
            for one in &input.challenges {
                let text = "So it is.".to_owned();
                criticism.replies.push(ProposedRuling {
                    number: one.number,
                    ruling: Ruling::Upheld,
                    text,
                });
            }
            Some(Ok(ModelReply::Critique(criticism)))
        }
        ModelCall::Revise(input) => {
            let mut patches = wild_patches().patches;
            for f in &input.findings {
                for fact in &input.facts {
                    let (fact_id, to) = (fact.id.clone(), Place::Conclusion);
                    patches.push(patch(&f.id, PatchOp::AddFact { fact_id, to }));
                }
                if let Some(claim_id) = f.claim_id.clone() {
                    let to =
                        if f.id.ends_with('2') { Place::Conclusion } else { Place::Section(1) };
                    patches
                        .push(patch(&f.id, PatchOp::MoveClaim { claim_id: claim_id.clone(), to }));
                    patches.push(patch(&f.id, PatchOp::DropClaim { claim_id: claim_id.clone() }));
                    patches.push(patch(&f.id, PatchOp::DemoteFromConclusion { claim_id }));
                }
            }
            Some(Ok(ModelReply::Revise(Patches { patches })))
        }
        _ => None,
    })
}

/// Findings about what does not exist, as only a journal of another make could hold them.
pub(crate) fn wild_criticism() -> Criticism {
    let mut findings = vec![
        finding(FindingKind::Overstatement, Severity::Critical, Some("c99")),
        finding(FindingKind::ConfirmationBias, Severity::Important, None),
    ];
    let mut odd = finding(FindingKind::Fallacy, Severity::Minor, Some("c1"));
    odd.span = Some(Span { start: 9, end: 100_000 });
    odd.queries = vec![String::new(), "\u{0}".to_owned(), "storm winter".to_owned()];
    findings.push(odd);
    Criticism { findings, alternatives: vec![String::new()], ..Criticism::default() }
}

pub(crate) fn wild_patches() -> Patches {
    let to = Place::Section(9_000);
    let heading = "Of storms".to_owned();
    Patches {
        patches: vec![
            patch("x1", PatchOp::DropClaim { claim_id: "c99".into() }),
            patch("x1", PatchOp::MoveClaim { claim_id: "c1".into(), to }),
            patch("x9", PatchOp::DropClaim { claim_id: "c1".into() }),
            patch("x1", PatchOp::AddFact { fact_id: FactId::from("f1"), to: Place::Section(2) }),
            patch("x1", PatchOp::ReplaceHeading { section: Place::Section(1), heading }),
            patch("x1", PatchOp::ReplaceHeading { section: to, heading: String::new() }),
        ],
    }
}

fn resumes_from_every_prefix(world: &World, question: &str, options: &Options) {
    let whole = drive(world, question, options.clone());
    sound_end(&whole.run, &whole.trace);
    for length in 1..=whole.journal.len() {
        let mut resumed = Drive::resume(world, whole.journal[..length].to_vec());
        resumed.to_end();
        let resumed = resumed.into_driven();
        assert_eq!(resumed.run, whole.run, "from {length} of {}", whole.journal.len());
        assert_eq!(resumed.trace, whole.trace);
    }
    let back: Run = serde_json::from_str(&serde_json::to_string(&whole.run).unwrap()).unwrap();
    assert_eq!(back, whole.run);
}

#[test]
fn a_criticised_run_resumes_from_every_prefix() {
    resumes_from_every_prefix(&attacked(garden()), FLOWERS, &reviewed());
    let options = Options { hypotheses: true, ..reviewed() };
    resumes_from_every_prefix(&attacked(explained(harbour())), QUESTION, &options);
    resumes_from_every_prefix(&attacked(endless_noise()), QUESTION, &reviewed());
}

/// Confidence of each quote, and overall.
fn figures(answer: &Answer) -> (Vec<(FactId, f64)>, Option<f64>) {
    let Some(confidence) =
        answer.confidence.as_ref().filter(|c| c.assessment != Assessment::NotAssessable)
    else {
        return (vec![], None);
    };
    let each = answer
        .claims
        .iter()
        .zip(&confidence.claim_confidences)
        .filter_map(|(claim, figures)| {
            Some((answer.evidence[claim.evidence[0]].fact_id.clone(), figures.confidence?))
        })
        .collect();
    (each, Some(confidence.overall_confidence))
}

proptest! {
    #![proptest_config(at_least(100))]

    /// Whatever a critic says and a reviser does: no figure rises, no planned question loses its answer, nothing breaks.
    #[test]
    fn a_critic_never_makes_anything_surer(
        documents in documents(), question in question(), chaos in 0u8..30, seed: u64, hypotheses: bool,
        cut in any::<prop::sample::Index>(),
    ) {
        let made = || {
            let world = world(documents.clone(), chaos, seed);
            if hypotheses { explained(world) } else { world.judged() }
        };
        let off = Options { autonomous: true, hypotheses, ..Options::default() };
        let plain = drive(&made(), &question, off.clone());
        let attacked = attacked(made());
        let driven = drive(&attacked, &question, Options { critique: true, ..off });
        sound_end(&driven.run, &driven.trace);
        let (before, after) = (answer(&plain), answer(&driven));
        let ((known, overall), (now, overall_now)) = (figures(before), figures(after));
        for (fact, p) in &now {
            for (_, most) in known.iter().filter(|(other, _)| other == fact) {
                prop_assert!(*p <= most + 1e-9, "{fact}: {p} {most}");
            }
        }
        if let (Some(most), Some(p)) = (overall, overall_now) {
            prop_assert!(p <= most + 1e-9, "{p} {most}");
        }
        let short = |answer: &Answer| -> std::collections::BTreeSet<u32> {
            answer.claims.iter().filter(|c| answer.is_in_short_answer(c)).map(|c| c.question_id).collect()
        };
        prop_assert!(short(before).is_subset(&short(after)));
        if let Some(revision) = &after.revision {
            // Composing the order of an answer again gives the answer.
            prop_assert_eq!(&revision.original.text, &before.text);
        }
        if let Some(critique) = &after.critique {
            prop_assert!(critique.quality.is_none_or(|quality| quality <= 100));
            prop_assert!(critique.findings.iter().all(|finding| finding.claim_id.as_ref().is_none_or(
                |id| before.claims.iter().any(|claim| claim.id == *id)
            )));
        }
        let length = cut.index(driven.journal.len()) + 1;
        let mut resumed = Drive::resume(&attacked, driven.journal[..length].to_vec());
        resumed.to_end();
        prop_assert_eq!(resumed.run(), &driven.run);
        prop_assert_eq!(resumed.trace(), &driven.trace[..]);
    }
}
