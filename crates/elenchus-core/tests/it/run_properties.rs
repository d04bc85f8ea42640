//! Same journal, same run: from every prefix, in every order of completion, with every outcome told twice.

use crate::worlds::{
    QUESTION, at_least, autonomous, documents, endless_noise, harbour, question, sound_end, world,
};
use elenchus_core::inquiry::{Input, Outcome, Run};
use elenchus_core::journal::{Entry, GENESIS, Intent, JournalRecord, verify_chain};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::{Envelope, TraceEvent};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn resumes_from_every_prefix(world: &World, question: &str) {
    let whole = drive(world, question, autonomous());
    for length in 1..=whole.journal.len() {
        let mut resumed = Drive::resume(world, whole.journal[..length].to_vec());
        resumed.to_end();
        let resumed = resumed.into_driven();
        assert_eq!(resumed.run, whole.run, "from {length} of {}", whole.journal.len());
        assert_eq!(resumed.trace, whole.trace);
        assert_eq!(resumed.journal, whole.journal);
    }
}

#[test]
fn a_run_resumes_from_every_prefix_of_its_journal() {
    resumes_from_every_prefix(&harbour(), QUESTION);
    resumes_from_every_prefix(&endless_noise(), QUESTION);
    resumes_from_every_prefix(&World::nothing_ever(), QUESTION);
    resumes_from_every_prefix(&World::new("empty"), QUESTION);
}

#[test]
fn the_golden_run_is_not_trivial() {
    let driven = drive(&harbour(), QUESTION, autonomous());
    sound_end(&driven.run, &driven.trace);
    let answer = driven.run.view().answer().unwrap();
    assert!(answer.receipt.rounds >= 2, "{answer:?}");
    assert!(
        !answer.claims.is_empty()
            && answer.could_not_establish.len() == 2
            && !answer.conflicts.is_empty()
    );
}

#[test]
fn a_journal_survives_the_store() {
    let whole = drive(&harbour(), QUESTION, autonomous());
    let mut previous = GENESIS.to_owned();
    let mut rows = Vec::new();
    for record in &whole.journal {
        let sealed = record.seal(&previous);
        previous.clone_from(&sealed.hash);
        rows.push((sealed.seq, sealed.json, sealed.hash));
    }
    let read =
        verify_chain(rows.iter().map(|(seq, json, hash)| (*seq, json.as_str(), hash.as_str())))
            .unwrap();
    assert_eq!(read, whole.journal);
    let (run, trace) = Run::replay(&read).unwrap();
    assert_eq!((&run, &trace), (&whole.run, &whole.trace));
    for envelope in &trace {
        let json = serde_json::to_string(envelope).unwrap();
        let back: Envelope = serde_json::from_str(&json).unwrap();
        assert_eq!(back, *envelope);
    }
    // A run is a value: its snapshot is it.
    let back: Run = serde_json::from_str(&serde_json::to_string(&run).unwrap()).unwrap();
    assert_eq!(back, run);
}

#[test]
fn intents_change_nothing() {
    let whole = drive(&harbour(), QUESTION, autonomous());
    let mut records: Vec<JournalRecord> = Vec::new();
    for record in &whole.journal {
        records.push(record.clone());
        let intents = vec![Intent::new(whole.run.id(), elenchus_core::id::EffectId(1))];
        records.push(JournalRecord { entry: Entry::Intent(intents), ..record.clone() });
    }
    let (run, trace) = Run::replay(&records).unwrap();
    assert_eq!((run, trace), (whole.run, whole.trace));
    assert!(Run::replay(&records[1..]).is_err());
    assert!(Run::replay(&[]).is_err());
}

/// Drives with the outcomes of each batch told in an order drawn from `seed`.
fn drive_shuffled(world: &World, question: &str, mut seed: u64) -> Driven {
    let mut drive = Drive::begin(world, question, autonomous());
    loop {
        let wanted = drive.wanted();
        if wanted.is_empty() {
            return drive.into_driven();
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (id, effect) = &wanted[(seed >> 33) as usize % wanted.len()];
        let result = drive.perform(effect);
        drive.tell(Input::Outcome { id: *id, result });
    }
}

proptest! {
    #![proptest_config(at_least(200))]

    #[test]
    fn the_order_of_completion_does_not_show(
        documents in documents(), question in question(), chaos in 0u8..60, seed: u64,
    ) {
        let world = world(documents, chaos, seed);
        let in_order = drive(&world, &question, autonomous());
        let shuffled = drive_shuffled(&world, &question, seed);
        prop_assert_eq!(&shuffled.trace, &in_order.trace);
        prop_assert_eq!(&shuffled.run, &in_order.run);
        sound_end(&in_order.run, &in_order.trace);
    }

    #[test]
    fn made_up_worlds_resume_from_any_prefix(
        documents in documents(), question in question(), chaos in 0u8..60, seed: u64, cut: prop::sample::Index,
    ) {
        let world = world(documents, chaos, seed);
        let whole = drive(&world, &question, autonomous());
        let length = cut.index(whole.journal.len()) + 1;
        let mut resumed = Drive::resume(&world, whole.journal[..length].to_vec());
        resumed.to_end();
        prop_assert_eq!(resumed.run(), &whole.run);
        prop_assert_eq!(resumed.trace(), &whole.trace[..]);
    }

    #[test]
    fn outcomes_told_twice_or_late_change_nothing(
        documents in documents(), question in question(), chaos in 0u8..40, seed: u64,
    ) {
        let world = world(documents, chaos, seed);
        let whole = drive(&world, &question, autonomous());
        let Entry::Input(first) = &whole.journal[0].entry else { unreachable!() };
        let Input::Opened(opened) = first.as_ref() else { unreachable!() };
        let (mut run, mut trace) = Run::new(opened.clone(), whole.journal[0].at);
        let mut told: Vec<Input> = Vec::new();
        for record in &whole.journal[1..] {
            let Entry::Input(input) = &record.entry else { unreachable!() };
            let strangers = [Input::Opened(opened.clone()), Input::Outcome {
                id: elenchus_core::id::EffectId(4_000_000),
                result: Outcome::Passages { passages: vec![] },
            }];
            for late in told.iter().chain(&strangers) {
                let before = run.step();
                prop_assert_eq!(run.feed(late.clone(), record.at), vec![]);
                prop_assert_eq!(run.step(), before);
            }
            trace.extend(run.feed(input.as_ref().clone(), record.at));
            // The same effect with another outcome is late as well.
            if let Input::Outcome { id, .. } = input.as_ref() {
                told.push(Input::Outcome { id: *id, result: Outcome::Embedded { vectors: vec![vec![1.0]] } });
            }
        }
        prop_assert_eq!(&run, &whole.run);
        prop_assert_eq!(&trace, &whole.trace);
        for late in told {
            prop_assert_eq!(run.feed(late, whole.journal.last().unwrap().at), vec![]);
        }
        prop_assert_eq!(&run, &whole.run);
    }

    /// Outcomes of another kind than the effect, and failures, anywhere.
    #[test]
    fn outcomes_of_any_kind_end_soundly(
        documents in documents(), question in question(), kinds in prop::collection::vec(0u8..12, 1..40),
    ) {
        use elenchus_core::inquiry::FailureKind;
        use elenchus_core::port::{SearchReply, Usage};
        let world = world(documents, 0, 0);
        let mut drive = Drive::begin(&world, &question, autonomous());
        let mut kinds = kinds.into_iter().cycle();
        let mut left = 3_000;
        while let Some((id, effect)) = drive.wanted().into_iter().next() {
            let fail = |kind| Outcome::Failed {
                kind,
                error: "could not: scripted".to_owned(),
                usage: Usage { input_tokens: 9, output_tokens: 1, cost_micro_usd: 2 },
            };
            let result = match kinds.next().unwrap() {
                0 => fail(FailureKind::Exhausted),
                1 => fail(FailureKind::Permanent),
                2 => fail(FailureKind::Deadline),
                3 => Outcome::Embedded { vectors: vec![] },
                4 => Outcome::Found(SearchReply::default()),
                5 => Outcome::Passages { passages: vec![] },
                _ => drive.perform(&effect),
            };
            drive.tell(Input::Outcome { id, result });
            left -= 1;
            prop_assert!(left > 0, "the run does not end");
        }
        sound_end(drive.run(), drive.trace());
    }
}

fn thoughts(world: &World, question: &str) -> BTreeSet<String> {
    drive(world, question, autonomous())
        .trace
        .into_iter()
        .filter_map(|event| match event.event {
            TraceEvent::ReasoningThought(thought) => Some(thought.content),
            _ => None,
        })
        .collect()
}

#[test]
fn no_thought_fits_two_unrelated_runs() {
    let orchard = "Who planted the old orchard and what does the cider press weigh?";
    let press = || {
        World::new("orchard")
            .document(
                "trees.md",
                "# Trees\n\nNobody knows who planted the old orchard.\n\nBees like it.",
            )
            .document("press.md", "# Press\n\nThe cider press does weigh 300 kilos.")
    };
    let overconfident = |world: World| {
        world.script(|call| match call {
            elenchus_core::prompt::ModelCall::ExtractFacts(_) => {
                Some(Ok(elenchus_core::prompt::ModelReply::ExtractFacts(
                    elenchus_core::prompt::Facts::default(),
                )))
            }
            _ => None,
        })
    };
    let silent = |world: World| {
        world.script(|call| {
            Some(Err(elenchus_core::port::ModelFailure {
                model: "mute".to_owned(),
                attempted: call.prompt().to_owned(),
                cause: "no reply".to_owned(),
                permanent: false,
                usage: elenchus_core::port::Usage::default(),
                reply: None,
            }))
        })
    };
    let pairs = [
        (harbour(), press()),
        (World::nothing_ever(), World::nothing_ever()),
        (World::new("empty"), World::new("empty")),
        (overconfident(harbour()), overconfident(press())),
        (silent(harbour()), silent(press())),
        (endless_noise(), press()),
    ];
    for (one, two) in &pairs {
        let (a, b) = (thoughts(one, QUESTION), thoughts(two, orchard));
        assert!(!a.is_empty() && !b.is_empty());
        let shared: Vec<&String> = a.intersection(&b).collect();
        assert!(shared.is_empty(), "thoughts without a datum: {shared:?}");
    }
}
