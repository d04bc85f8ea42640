//! Explanations that compete: named, searched for and against, tested by what was read, and settled by rule.

use crate::worlds::{
    QUESTION, at_least, documents, endless_noise, harbour, question, sound_end, world,
};
use elenchus_core::answer::to_markdown;
use elenchus_core::belief::{Hypothesis, HypothesisStatus};
use elenchus_core::inquiry::{
    Control, Effect, FailureKind, Input, Options, Outcome, Run, StopReason,
};
use elenchus_core::port::{ModelFailure, Usage};
use elenchus_core::prompt::{Hypotheses, ModelCall, ModelReply, Prior, ProposedHypothesis};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;
use proptest::prelude::*;

const WHY: &str = "Why was the Halden crossing lost in 1962?";

pub(crate) fn explaining() -> Options {
    Options { autonomous: true, hypotheses: true, ..Options::default() }
}

fn proposed(claim: &str, for_it: &str, against: &str) -> ProposedHypothesis {
    ProposedHypothesis {
        claim: claim.to_owned(),
        prior: Prior::Possible,
        queries_for: vec![for_it.to_owned()],
        queries_against: vec![against.to_owned()],
    }
}

fn corrosion() -> ProposedHypothesis {
    proposed(
        "Salt corrosion weakened the bridge cables.",
        "salt corrosion bridge cables",
        "cables found sound inspection",
    )
}

fn overload() -> ProposedHypothesis {
    proposed(
        "A convoy of lorries overloaded the bridge.",
        "convoy lorries overloaded bridge",
        "light traffic that night",
    )
}

/// Two independent reports of corrosion, one denial of the overload, and nothing that answers the question itself.
fn bridge() -> World {
    World::new("bridge")
        .judged()
        .document(
            "survey.md",
            "# Survey\n\nSalt corrosion weakened the bridge cables over decades.",
        )
        .document("diver.md", "# Diver\n\nThe bridge cables, weakened by salt, showed corrosion.")
        .document("toll.md", "# Toll\n\nA convoy of lorries has not overloaded the bridge.")
        .document("poem.md", "# Poem\n\nTraffic that night was light and the moon was high.")
}

fn with(world: World, hypotheses: Vec<ProposedHypothesis>) -> World {
    world.script(move |call| {
        matches!(call, ModelCall::Hypothesize(_))
            .then(|| Ok(ModelReply::Hypothesize(Hypotheses { hypotheses: hypotheses.clone() })))
    })
}

fn hypotheses(driven: &Driven) -> Vec<Hypothesis> {
    driven.run.view().answer().unwrap().hypotheses.clone()
}

#[test]
fn evidence_confirms_one_and_speaks_against_the_other() {
    let world = with(bridge(), vec![overload(), corrosion()]);
    let driven = drive(&world, WHY, explaining());
    sound_end(&driven.run, &driven.trace);
    let found = hypotheses(&driven);
    assert_eq!(found.len(), 2);
    let (first, second) = (&found[0], &found[1]);
    assert_eq!((first.id.as_str(), first.status), ("h2", HypothesisStatus::Confirmed));
    assert_eq!((first.independent_supporting, first.independent_contradicting), (2, 0));
    assert!(first.confidence >= 0.85, "{}", first.confidence);
    // One source may be misread: the figure is there, and no verdict.
    assert_eq!((second.id.as_str(), second.status), ("h1", HypothesisStatus::Active));
    assert!(second.confidence <= 0.15, "{}", second.confidence);
    assert_eq!(second.contradicting[0].evidence.source_url, "toll.md");
    let test = &second.tests[0];
    assert_eq!(test.evidence_against, [second.contradicting[0].passage_id.clone()]);
    assert_eq!(test.queries.len(), 2, "searched for and against");
    assert!(test.before > test.after);
    // The question has no answer of its own here, so the leading explanation is what ends the run.
    assert_eq!(driven.run.view().stop_reason(), Some(StopReason::HypothesisConfirmed));
    let report = to_markdown(driven.run.view().answer().unwrap());
    for part in [
        "## Competing explanations",
        "- **h2** Salt corrosion weakened the bridge cables.",
        "confirmed; 2 independent sources for it, 0 against it",
        "“A convoy of lorries has not overloaded the bridge.”",
        "What would change this: 2 independent sources that clearly contradict it would take the confirmation back",
        "one more independent source that clearly contradicts it would refute it",
        "the explanations aside",
    ] {
        assert!(report.contains(part), "{part:?} is missing in:\n{report}");
    }
    let events: Vec<&str> = driven
        .trace
        .iter()
        .filter_map(|envelope| match &envelope.event {
            TraceEvent::HypothesesGenerated { hypotheses } => {
                assert_eq!(hypotheses.len(), 2);
                Some("generated")
            }
            TraceEvent::HypothesisUpdated { .. } => Some("updated"),
            _ => None,
        })
        .collect();
    assert_eq!(events[0], "generated");
    assert!(events.len() >= 3 && events[1..].iter().all(|event| *event == "updated"));
}

#[test]
fn two_independent_denials_refute() {
    let denial = "# Ferryman\n\nNo convoy: the bridge was not overloaded by lorries.";
    let world = with(bridge().document("ferryman.md", denial), vec![overload(), corrosion()]);
    let driven = drive(&world, WHY, explaining());
    let found = hypotheses(&driven);
    let refuted = found.iter().find(|one| one.id.as_str() == "h1").unwrap();
    assert_eq!((refuted.status, refuted.independent_contradicting), (HypothesisStatus::Refuted, 2));
    assert!(to_markdown(driven.run.view().answer().unwrap()).contains("would reopen it"));
}

#[test]
fn a_confirmed_explanation_is_first_searched_against_to_the_end() {
    let mut leading = corrosion();
    leading.queries_against.push("replaced stainless cables".to_owned());
    let world = with(bridge(), vec![overload(), leading]);
    let driven = drive(&world, WHY, explaining());
    assert!(world.performed().contains_key("search replaced stainless cables"));
    let answer = driven.run.view().answer().unwrap();
    assert_eq!(answer.receipt.rounds, 2, "the second search against it comes in the second round");
    assert_eq!(answer.stop_reason, StopReason::HypothesisConfirmed);
}

#[test]
fn an_explanation_that_the_user_drops_is_tested_no_more() {
    let world = with(bridge(), vec![overload(), corrosion()]);
    let mut drive = Drive::begin(&world, WHY, explaining());
    while drive.run().view().hypotheses().is_empty() {
        assert!(drive.advance());
    }
    let reason = "No lorry was ever seen.".to_owned();
    drive.control(Control::DropHypothesis { id: "h1".into(), reason: reason.clone() });
    drive.control(Control::DropHypothesis { id: "h9".into(), reason: String::new() });
    drive.to_end();
    sound_end(drive.run(), drive.trace());
    let (_, again) = Run::replay(drive.journal()).unwrap();
    assert_eq!(again, drive.trace());
    let driven = drive.into_driven();
    let found = hypotheses(&driven);
    let (kept, dropped) = (&found[0], &found[1]);
    assert_eq!((kept.id.as_str(), kept.status), ("h2", HypothesisStatus::Confirmed));
    assert_eq!((dropped.id.as_str(), dropped.status), ("h1", HypothesisStatus::Dropped));
    assert_eq!(dropped.dropped, Some(reason));
    assert!(dropped.supporting.is_empty() && dropped.contradicting.is_empty(), "{dropped:?}");
    assert!(dropped.outlook.is_empty() && dropped.tests.is_empty());
    let told: Vec<HypothesisStatus> = driven
        .trace
        .iter()
        .filter_map(|envelope| match &envelope.event {
            TraceEvent::HypothesisUpdated { test, status } => {
                (test.hypothesis_id.as_str() == "h1").then_some(*status)
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [HypothesisStatus::Dropped], "once, and nothing is held against it");
    let report = to_markdown(driven.run.view().answer().unwrap());
    assert!(report.contains("You dropped it, and nothing more was searched for it"), "{report}");
}

#[test]
fn one_source_confirms_nothing_and_copies_are_one() {
    let alone = World::new("alone").judged().document(
        "survey.md",
        "# Survey\n\nSalt corrosion weakened the bridge cables over decades.",
    );
    let driven = drive(&with(alone, vec![overload(), corrosion()]), WHY, explaining());
    let found = hypotheses(&driven);
    assert_eq!((found[0].id.as_str(), found[0].status), ("h2", HypothesisStatus::Active));
    assert_ne!(driven.run.view().stop_reason(), Some(StopReason::HypothesisConfirmed));
    // Nothing speaks of the other.
    assert!((found[1].confidence - 0.35).abs() < 1e-9 && found[1].history.is_empty());
}

#[test]
fn each_side_is_searched_and_no_search_is_made_twice() {
    let world = with(bridge(), vec![overload(), corrosion()]);
    let driven = drive(&world, WHY, explaining());
    let performed = world.performed();
    for query in [
        "salt corrosion bridge cables",
        "cables found sound inspection",
        "convoy lorries overloaded bridge",
        "light traffic that night",
    ] {
        assert_eq!(performed.get(&format!("search {query}")), Some(&1), "{query}");
    }
    assert_eq!(
        driven.run.view().spent().searches as usize,
        performed.keys().filter(|k| k.starts_with("search ")).count()
    );
}

/// Without the option, without a verifier, and without two explanations a run is what it was before.
#[test]
fn a_run_without_explanations_asks_for_nothing_more() {
    let asked = |world: &World, options: Options| -> Vec<String> {
        let driven = drive(world, QUESTION, options);
        assert!(hypotheses(&driven).is_empty());
        let kinds = |event: &TraceEvent| match event {
            TraceEvent::ReasoningAction(action) => {
                Some(format!("{} {} {}", action.tool, action.action, action.parameters))
            }
            _ => None,
        };
        driven.trace.iter().filter_map(|envelope| kinds(&envelope.event)).collect()
    };
    let off = Options { autonomous: true, ..Options::default() };
    let plain = asked(&harbour().judged(), off.clone());
    let named = |hypotheses| with(harbour().judged(), hypotheses);
    assert_eq!(asked(&named(vec![corrosion(), overload()]), off), plain);
    assert!(!plain.iter().any(|action| action.contains("explanations")));
    let lone = asked(&named(vec![corrosion()]), explaining());
    let beyond: Vec<&String> = lone.iter().filter(|action| !plain.contains(action)).collect();
    assert_eq!(beyond.len(), 1, "{beyond:?}");
    assert!(beyond[0].contains("name explanations that compete"));
    // Nobody could test them.
    let unjudged = asked(&harbour(), explaining());
    assert!(!unjudged.iter().any(|action| action.contains("explanations")));
}

#[test]
fn the_options_of_old_journals_are_read() {
    let old = serde_json::to_value(Options::default()).unwrap();
    assert!(old.get("hypotheses").is_none());
    assert!(!serde_json::from_value::<Options>(old).unwrap().hypotheses);
}

/// A failure of the naming, the searching or the testing is told, and the run answers what it can.
#[test]
fn failures_end_no_run() {
    let plain =
        drive(&harbour().judged(), QUESTION, Options { autonomous: true, ..Options::default() });
    let answer = |driven: &Driven| driven.run.view().answer().unwrap().conclusion.clone();
    let mute = harbour().judged().script(|call| {
        matches!(call, ModelCall::Hypothesize(_)).then(|| {
            Err(ModelFailure {
                model: "mute".to_owned(),
                attempted: "explain".to_owned(),
                cause: "no reply".to_owned(),
                permanent: true,
                usage: Usage::default(),
                reply: None,
            })
        })
    });
    let driven = drive(&mute, QUESTION, explaining());
    sound_end(&driven.run, &driven.trace);
    assert_eq!(answer(&driven), answer(&plain));
    // Every test of an explanation fails, and every search for one.
    let tide = proposed("The harbour tide can rise far in spring.", "moon pull", "no tide at all");
    let keeper = proposed("The lighthouse keeper can draw a salary.", "wages paid", "unpaid post");
    let world = with(harbour().judged(), vec![tide, keeper]);
    let mut drive = Drive::begin(&world, QUESTION, explaining());
    let mut failed = 0;
    while let Some((id, effect)) = drive.wanted().into_iter().next() {
        let is_test = match &effect {
            Effect::Verify { pairs } => pairs.iter().all(|pair| {
                pair.claim.starts_with("The harbour tide can rise far in")
                    || pair.claim.starts_with("The lighthouse keeper can draw")
            }),
            Effect::Search(request) => ["moon pull", "no tide at all", "wages paid", "unpaid post"]
                .contains(&request.query.as_str()),
            _ => false,
        };
        failed += usize::from(is_test);
        let result = if is_test {
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
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    assert!(failed >= 5, "{failed}");
    assert_eq!(answer(&driven), answer(&plain));
    assert!(hypotheses(&driven).iter().all(|one| one.history.is_empty() && one.tests.is_empty()));
}

#[test]
fn a_redirect_is_looked_for_before_the_explanation_ends_the_run() {
    let world = with(bridge(), vec![overload(), corrosion()]);
    let mut drive = Drive::begin(&world, WHY, explaining());
    while drive.run().view().hypotheses().iter().all(|h| h.status != HypothesisStatus::Confirmed) {
        assert!(drive.advance());
        if drive.run().view().progress().round == 1
            && drive.run().view().plan().questions.len() == 1
        {
            drive.control(Control::Redirect {
                focus: Some("Who painted the lifeboat house?".to_owned()),
                exclude: vec![],
                only: vec![],
            });
        }
    }
    drive.to_end();
    let driven = drive.into_driven();
    let view = driven.run.view();
    assert_eq!(view.stop_reason(), Some(StopReason::HypothesisConfirmed));
    assert!(
        view.gaps().gaps().iter().all(|gap| !gap.previous_queries.is_empty()),
        "each was searched"
    );
}

/// Two explanations for any question, made of its own words and of others'.
pub(crate) fn explained(world: World) -> World {
    world.judged().script(|call| {
        let ModelCall::Hypothesize(input) = call else { return None };
        let words = input.question.trim_end_matches('?').to_owned();
        let one = proposed(
            &format!("The {words} came about."),
            "storm winter",
            &format!("{words} contract"),
        );
        let other = proposed(
            &format!("The {words} did not come about."),
            "museum copper mill",
            "orchard 1912",
        );
        Some(Ok(ModelReply::Hypothesize(Hypotheses { hypotheses: vec![one, other] })))
    })
}

pub(crate) fn resumes_from_every_prefix(world: &World, question: &str) {
    let whole = drive(world, question, explaining());
    sound_end(&whole.run, &whole.trace);
    assert!(!hypotheses(&whole).is_empty());
    for length in 1..=whole.journal.len() {
        let mut resumed = Drive::resume(world, whole.journal[..length].to_vec());
        resumed.to_end();
        let resumed = resumed.into_driven();
        assert_eq!(resumed.run, whole.run, "from {length} of {}", whole.journal.len());
        assert_eq!(resumed.trace, whole.trace);
    }
    // A run is a value, on its way and at its end.
    let back: Run = serde_json::from_str(&serde_json::to_string(&whole.run).unwrap()).unwrap();
    assert_eq!(back, whole.run);
}

#[test]
fn a_run_with_explanations_resumes_from_every_prefix() {
    resumes_from_every_prefix(&with(bridge(), vec![overload(), corrosion()]), WHY);
    resumes_from_every_prefix(&explained(harbour()), QUESTION);
    resumes_from_every_prefix(&explained(endless_noise()), QUESTION);
}

proptest! {
    #![proptest_config(at_least(100))]

    #[test]
    fn explanations_are_sound_in_any_world(
        documents in documents(), question in question(), chaos in 0u8..40, seed: u64, cut: prop::sample::Index,
    ) {
        let world = explained(world(documents, chaos, seed));
        let whole = drive(&world, &question, explaining());
        sound_end(&whole.run, &whole.trace);
        for hypothesis in hypotheses(&whole) {
            prop_assert!((0.0..=1.0).contains(&hypothesis.confidence));
            prop_assert!((hypothesis.explained.value - hypothesis.confidence).abs() < 1e-12);
            let (supporting, contradicting) =
                (hypothesis.independent_supporting, hypothesis.independent_contradicting);
            let confirmed = hypothesis.confidence >= 0.85 && supporting >= 2 && supporting > contradicting;
            prop_assert_eq!(hypothesis.status == HypothesisStatus::Confirmed, confirmed);
            let last = hypothesis.history.last().map(|moved| moved.after);
            prop_assert!(last.is_none_or(|after| (after - hypothesis.confidence).abs() < 1e-6));
        }
        let length = cut.index(whole.journal.len()) + 1;
        let mut resumed = Drive::resume(&world, whole.journal[..length].to_vec());
        resumed.to_end();
        prop_assert_eq!(resumed.run(), &whole.run);
        prop_assert_eq!(resumed.trace(), &whole.trace[..]);
    }

    /// A further document that denies an explanation never raises it.
    #[test]
    fn a_denial_never_raises(documents in documents(), question in question()) {
        prop_assume!(documents.is_some());
        let credence = |world: World| {
            let driven = drive(&explained(world), &question, Options { autonomous: false, ..explaining() });
            let found = hypotheses(&driven);
            found.iter().find(|one| one.id.as_str() == "h1").map(|one| (one.confidence, one.supporting.len()))
        };
        let plain = credence(world(documents.clone(), 0, 0));
        let words = question.trim_end_matches('?');
        let denial = world(documents, 0, 0).document("denial.md", &format!("The {words} did not come about."));
        let denied = credence(denial);
        if let (Some((before, held)), Some((after, held_after))) = (plain, denied) {
            // The denial may take the room of a passage that was read; what speaks for it must not have grown.
            prop_assert!(after <= before + 1e-12 || held_after > held, "{before} {after}");
        }
    }
}

#[test]
fn a_statement_of_the_users_is_tested_without_a_model_that_names_any() {
    let claim = "The harbour tide can rise 4 metres far into spring.";
    let own = Options {
        autonomous: true,
        to_test: vec![claim.to_owned(), "  ".to_owned(), claim.to_owned()],
        ..Options::default()
    };
    let driven = drive(&harbour().judged(), QUESTION, own.clone());
    sound_end(&driven.run, &driven.trace);
    let found = hypotheses(&driven);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].claim, claim);
    let held = found[0].supporting.len() + found[0].contradicting.len() + found[0].silent;
    assert!(held > 0, "it was held against what was read: {:?}", found[0]);
    // Beside those of a model it comes first.
    let both = Options { hypotheses: true, ..own };
    let world = with(
        harbour().judged(),
        vec![
            proposed("The tide does it.", "moon pull", "no tide"),
            proposed("The wind does it.", "wind", "calm"),
        ],
    );
    let found = drive(&world, QUESTION, both);
    let named: Vec<String> = found
        .trace
        .iter()
        .find_map(|event| match &event.event {
            TraceEvent::HypothesesGenerated { hypotheses } => {
                Some(hypotheses.iter().map(|one| one.claim.clone()).collect())
            }
            _ => None,
        })
        .unwrap();
    assert_eq!(named, [claim, "The tide does it.", "The wind does it."]);
    let whose = hypotheses(&found);
    assert_eq!(whose.len(), 3);
    assert!(whose.iter().all(|one| one.by_user == (one.claim == claim)), "{whose:?}");
    // Where nothing was found, no model is said to have thought anything of it.
    let other = Options {
        to_test: vec!["Zebras prefer marmalade.".to_owned()],
        autonomous: true,
        ..Options::default()
    };
    let driven = drive(&harbour().judged(), QUESTION, other);
    let report = to_markdown(driven.run.view().answer().unwrap());
    assert!(report.contains("(you put it up to be tested, and it was held possible until then)"));
    assert!(!report.contains("the model called it"), "{report}");
}
