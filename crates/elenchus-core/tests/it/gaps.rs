//! Gap identity: rewordings keep the count, other names open another gap.

use crate::worlds::{at_least, autonomous, endless_noise, harbour, sound_end};
use elenchus_core::evidence::{DocDate, PartialDate};
use elenchus_core::id::{GapId, RunId};
use elenchus_core::inquiry::gap::{GapLedger, GapPolicy, GapReason, GapStatus, Opening};
use elenchus_core::inquiry::{Control, Derivations, Input, Options, Outcome, Reopened, StopReason};
use elenchus_core::port::Embedder;
use elenchus_core::prompt::{
    FollowUp, ModelCall, ModelReply, ProposedGap, ProposedQuery, QueryStrategy, Reflection,
    Severity,
};
use elenchus_core::testkit::{Drive, World, block_on, drive};
use elenchus_core::trace::TraceEvent;
use proptest::prelude::*;

fn proposed(description: &str, question_ids: &[u32]) -> ProposedGap {
    ProposedGap {
        description: description.to_owned(),
        question_ids: question_ids.to_vec(),
        severity: Severity::Important,
        suggested_action: None,
    }
}

/// An empty ledger of the rules that runs go by now.
fn ledger() -> GapLedger {
    GapLedger::under(GapPolicy::default(), Derivations::LATEST)
}

fn vector(text: &str) -> Vec<f32> {
    block_on(World::new("vectors").embed(&[text.to_owned()])).unwrap().remove(0)
}

/// Rewordings that a model really gives for one missing thing, first the planned question.
const FAMILIES: [[&str; 5]; 6] = [
    [
        "What did Naptha AI's last funding round value the company at?",
        "the valuation of Naptha AI in its last funding round",
        "Naptha AI: value of the company at the last funding round",
        "How much was Naptha AI valued at in its last funding round?",
        "No passage gives the company value of Naptha AI's last funding round",
    ],
    [
        "How many VLX-500 robots were shipped in Q1 2026?",
        "number of VLX-500 robots shipped in Q1 2026",
        "Q1 2026 shipped VLX-500 robots, number of units",
        "VLX-500 robots that were shipped during Q1 2026",
        "the count of shipped VLX-500 robots for Q1 2026",
    ],
    [
        "Which salary does the lighthouse keeper draw?",
        "the salary that the lighthouse keeper draws",
        "lighthouse keeper salary",
        "What is the salary of the keeper of the lighthouse?",
        "salary of the lighthouse's keepers",
    ],
    [
        "When was the Osterby bridge opened to traffic?",
        "date on which the Osterby bridge opened to traffic",
        "opening of the Osterby bridge to traffic",
        "The Osterby bridge: when did it open to traffic?",
        "the day Osterby's bridge was opened for traffic",
    ],
    [
        "Who signed the 1912 ferry contract?",
        "signatories of the 1912 ferry contract",
        "the person who signed the ferry contract of 1912",
        "names that signed the 1912 ferry contract",
        "Who put a signature under the ferry contract (1912)?",
    ],
    [
        "Did Ignatius of Antioch call Jesus God?",
        "whether Ignatius of Antioch called Jesus God",
        "Ignatius of Antioch calling Jesus God",
        "passages in which Ignatius of Antioch calls Jesus God",
        "evidence that Jesus was called God by Ignatius of Antioch",
    ],
];

#[test]
fn five_phrasings_of_one_gap_stay_one_gap() {
    for family in FAMILIES {
        for vectors in [false, true] {
            for question_ids in [&[1u32][..], &[]] {
                let mut ledger = ledger();
                let mut attempts = 0;
                for (round, wording) in family.iter().enumerate() {
                    let vector = if vectors { vector(wording) } else { Vec::new() };
                    // The first wording is the planned question; later ones may come without its number.
                    let ids = if round == 0 { &[1u32][..] } else { question_ids };
                    let opening = ledger.propose(&proposed(wording, ids), vector);
                    if round > 0 {
                        assert!(
                            matches!(&opening, Opening::Known(id, _) if id.as_str() == "g1"),
                            "\"{wording}\" was not recognised as \"{}\" (vectors: {vectors}, ids: {question_ids:?})",
                            family[0]
                        );
                    }
                    let gap = &ledger.gaps()[0];
                    assert_eq!(
                        gap.attempt_count, attempts,
                        "the counter was reset by \"{wording}\""
                    );
                    if attempts < 2 {
                        let id = gap.id.clone();
                        ledger.attempt(&id, 1, true, None, GapPolicy::default());
                        attempts += 1;
                    }
                }
                assert_eq!(ledger.gaps().len(), 1);
            }
        }
    }
}

#[test]
fn a_paraphrase_does_not_revive_a_gap_that_was_given_up() {
    let mut ledger = ledger();
    ledger.propose(&proposed(FAMILIES[2][0], &[1]), Vec::new());
    let id = ledger.gaps()[0].id.clone();
    for _ in 0..3 {
        ledger.attempt(&id, 5, true, None, GapPolicy::default());
    }
    assert_eq!(ledger.gaps()[0].status, GapStatus::Abandoned);
    for wording in FAMILIES[2] {
        ledger.propose(&proposed(wording, &[1]), vector(wording));
    }
    assert_eq!(ledger.gaps().len(), 1);
    assert_eq!(ledger.gaps()[0].status, GapStatus::Abandoned);
    assert_eq!(ledger.gaps()[0].attempt_count, 3);
}

#[test]
fn other_names_and_numbers_are_other_gaps() {
    let pairs = [
        ("the amount of the Series B round", "the amount of the Series D round"),
        ("VLX-500 robots shipped in Q1 2026", "VLX-700 robots shipped in Q1 2026"),
        ("VLX-500 robots shipped in Q1 2026", "VLX-500 robots shipped in Q2 2026"),
        ("the valuation of Naptha AI", "the valuation of Corvid AI"),
        ("when the Osterby bridge opened", "when the Halden bridge opened"),
        ("what Ignatius of Antioch said of Jesus", "what Clement of Rome said of Jesus"),
        ("who signed the 1912 ferry contract", "who signed the 1921 ferry contract"),
        ("the salary of the lighthouse keeper", "the age of the harbour crane"),
    ];
    for (one, two) in pairs {
        for vectors in [false, true] {
            let mut ledger = ledger();
            let embed = |text: &str| if vectors { vector(text) } else { Vec::new() };
            ledger.propose(&proposed(one, &[1]), embed(one));
            ledger.propose(&proposed(two, &[2]), embed(two));
            assert_eq!(
                ledger.gaps().len(),
                2,
                "\"{two}\" was taken for \"{one}\" (vectors: {vectors})"
            );
        }
    }
}

/// How many gaps a run that was asked this has, and what its answer says of what is missing.
fn listed(world: &World, asked: &str) -> (usize, String) {
    let driven = drive(world, asked, autonomous());
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    let text = &view.answer().unwrap().text;
    let (_, missing) = text.split_once("## What could not be established").expect(text);
    (view.gaps().gaps().len(), missing.to_owned())
}

#[test]
fn parts_that_share_nothing_but_a_long_name_are_two_gaps() {
    let asked = "Which headcount has Naptha Orbit and when did Naptha Orbit open?";
    let (gaps, missing) = listed(&World::nothing_ever(), asked);
    assert_eq!(gaps, 2, "{missing}");
    assert!(missing.contains("- **Which headcount has Naptha Orbit?**"), "{missing}");
    assert!(missing.contains("- **when did Naptha Orbit open?**"), "{missing}");
}

#[test]
fn parts_that_ask_for_other_things_of_one_hall_are_two_gaps() {
    let asked = "Which gate fee has Zolt Hall and which yearly gate deposit has Zolt Hall?";
    let (gaps, missing) = listed(&World::nothing_ever(), asked);
    assert_eq!(gaps, 2, "{missing}");
    // A run of earlier rules keeps them as one.
    let old = Options { derivations: Derivations::FOURTH, ..autonomous() };
    let driven = drive(&World::nothing_ever(), asked, old);
    assert_eq!(driven.run.view().gaps().gaps().len(), 1);
}

/// A form of a word that ends otherwise is that word all the same.
#[test]
fn a_word_stands_where_another_form_of_it_does() {
    let cause = |text: &str| {
        let world = World::new("ice").document("ice.md", text);
        let driven = drive(&world, "Did Zorb drink at the harbour?", autonomous());
        sound_end(&driven.run, &driven.trace);
        let view = driven.run.view();
        view.answer().unwrap().could_not_establish[0].cause.clone().expect("a cause")
    };
    let said = cause("# Ice\n\nThe harbour is deep.\n\nThe crew drank tea at the harbour.");
    assert!(said.contains("\u{201C}Zorb\u{201D}") && !said.contains("drink"), "{said}");
    let silent = cause("# Ice\n\nThe harbour is deep.\n\nThe crew painted the harbour.");
    assert!(silent.contains("\u{201C}drink\u{201D}"), "{silent}");
}

/// What the searches counted is told in the answer, in its data and as it happens.
#[test]
fn a_word_that_stands_nowhere_is_the_cause_of_a_gap() {
    let world = World::new("tides")
        .document("tides.md", "# Tides\n\nThe harbour tide is strong.\n\nBoats wait outside.");
    let asked = "Which depth has the harbour of Zorb's Ness?";
    let driven = drive(&world, asked, autonomous());
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    let answer = view.answer().unwrap();
    let cause = answer.could_not_establish[0].cause.clone().expect("a cause");
    assert!(cause.contains("\u{201C}Zorb\u{201D}"), "{cause}");
    assert!(!cause.contains("harbour"), "{cause}");
    assert!(cause.ends_with("stand in none of 2 passages"), "{cause}");
    assert!(answer.text.contains(&cause), "{}", answer.text);
    let told = driven.trace.iter().any(|envelope| {
        matches!(&envelope.event, TraceEvent::GapAbandoned { because, .. } if because.contains(&cause))
    });
    assert!(told, "{cause}");
    // Journals of earlier versions replay without it.
    let mut options = autonomous();
    options.derivations = Derivations::FIRST;
    let old = drive(&world, asked, options);
    let missing = &old.run.view().answer().unwrap().could_not_establish;
    assert_eq!(missing[0].cause, None);
}

#[test]
fn that_nothing_could_be_read_is_the_cause_of_a_gap() {
    let driven = drive(&World::new("bare"), "How far does the tide rise?", autonomous());
    let view = driven.run.view();
    let answer = view.answer().unwrap();
    let cause = answer.could_not_establish[0].cause.as_deref();
    assert_eq!(cause, Some("\u{201C}bare\u{201D} holds no document"));
    assert!(answer.text.contains("\u{201C}bare\u{201D} holds no document"), "{}", answer.text);
}

/// In the journals of earlier versions: they replay as they were.
#[test]
fn parts_of_an_old_run_stay_one_gap() {
    let asked = "Which headcount has Naptha Orbit and when did Naptha Orbit open?";
    let mut options = autonomous();
    (options.gaps.apart, options.derivations) = (false, Derivations::FIRST);
    let old = serde_json::to_value(options.gaps).unwrap();
    assert!(old.get("apart").is_none(), "{old}");
    let driven = drive(&World::nothing_ever(), asked, options);
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().gaps().gaps().len(), 1);
}

#[test]
fn a_gap_that_stands_for_two_questions_names_what_is_open() {
    let asked = "Which gate fee has Zolt Hall and which yearly winter gate fee has Zolt Hall?";
    let (gaps, missing) = listed(&World::nothing_ever(), asked);
    assert_eq!(gaps, 1, "{missing}");
    assert!(missing.contains("- **Which gate fee has Zolt Hall?**"), "{missing}");
    let other = "which yearly winter gate fee has Zolt Hall?";
    assert!(
        missing.contains(&format!("Asked with it, and not established either: {other}")),
        "{missing}"
    );
    // Once the first is answered, the second alone is missing.
    let world =
        World::new("hall").document("fees.md", "# Fees\n\nThe gate fee of Zolt Hall is 30 euros.");
    let (gaps, missing) = listed(&world, asked);
    assert_eq!(gaps, 1, "{missing}");
    assert!(missing.contains(&format!("- **{other}**")), "{missing}");
    assert!(!missing.contains("Which gate fee"), "{missing}");
    assert!(!missing.contains("Asked with it"), "{missing}");
}

/// What may be done to a ledger.
#[derive(Clone, Debug)]
enum Move {
    Propose(usize, usize, bool),
    Try(usize, u8),
    Attempt(usize, usize, bool),
    Resolve(usize),
    Document(usize, usize),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        5 => (0..FAMILIES.len(), 0..5usize, any::<bool>()).prop_map(|(f, w, v)| Move::Propose(f, w, v)),
        3 => (0..8usize, 1u8..9).prop_map(|(gap, round)| Move::Try(gap, round)),
        5 => (0..8usize, 0..4usize, any::<bool>()).prop_map(|(gap, new, left)| Move::Attempt(gap, new, left)),
        1 => (0..8usize).prop_map(Move::Resolve),
        1 => (0..FAMILIES.len(), 0..5usize).prop_map(|(f, w)| Move::Document(f, w)),
    ];
    prop::collection::vec(one, 1..60)
}

proptest! {
    #![proptest_config(at_least(500))]

    /// Whatever is proposed, tried and found: one gap a family, counts that only grow, reasons for every end.
    #[test]
    fn the_ledger_never_forgets(moves in moves()) {
        let policy = GapPolicy::default();
        let mut ledger = ledger();
        let mut families: Vec<usize> = Vec::new();
        for step in moves {
            let before = ledger.clone();
            let id_of = |n: usize| before.gaps().get(n).map(|gap| gap.id.clone());
            let mut reopened = Vec::new();
            match step {
                Move::Propose(family, wording, embedded) => {
                    let text = FAMILIES[family][wording];
                    let vector = if embedded { vector(text) } else { Vec::new() };
                    let opening = ledger.propose(&proposed(text, &[family as u32 + 1]), vector);
                    prop_assert_eq!(matches!(opening, Opening::New(_)), !families.contains(&family));
                    if !families.contains(&family) {
                        families.push(family);
                    }
                }
                Move::Try(n, round) => {
                    if let Some(id) = id_of(n) {
                        ledger.tried(&id, &format!("query {round} of {n}"), None, round);
                    }
                }
                Move::Attempt(n, new, left) => {
                    if let Some(id) = id_of(n) {
                        ledger.attempt(&id, new, left, None, policy);
                    }
                }
                Move::Resolve(n) => {
                    if let Some(id) = id_of(n) {
                        ledger.resolve(&id);
                    }
                }
                Move::Document(family, wording) => {
                    let changes = ledger.reopen_matching(FAMILIES[family][wording]);
                    reopened = changes.into_iter().map(|change| change.gap_id).collect();
                }
            }
            prop_assert_eq!(ledger.gaps().len(), families.len());
            for gap in ledger.gaps() {
                prop_assert!(gap.attempt_count <= policy.max_attempts);
                prop_assert_eq!(gap.status == GapStatus::Abandoned, gap.reason.is_some());
                let Some(old) = before.get(&gap.id) else { continue };
                prop_assert_eq!(&gap.description, &old.description);
                prop_assert!(gap.previous_queries.starts_with(&old.previous_queries));
                if reopened.contains(&gap.id) {
                    prop_assert_eq!(old.status, GapStatus::Abandoned);
                } else {
                    prop_assert!(gap.attempt_count >= old.attempt_count, "a counter was reset");
                    prop_assert!(old.status == GapStatus::Active || gap.status == old.status);
                }
            }
        }
    }
}

/// In a whole run: the model rewords its one gap each round.
#[test]
fn rewording_in_a_run_resets_nothing() {
    let wordings = FAMILIES[2];
    let world = endless_noise().script(move |call| {
        let ModelCall::Reflect(input) = call else { return None };
        let fresh = input.passages.len() % 5;
        Some(Ok(ModelReply::Reflect(Reflection {
            relevant_passage_ids: vec![],
            new_gaps_identified: vec![
                proposed(wordings[fresh], &[]),
                proposed(wordings[(fresh + 1) % 5], &[1]),
            ],
            ..Reflection::default()
        })))
    });
    let driven = drive(&world, wordings[0], autonomous());
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    assert_eq!(view.gaps().gaps().len(), 1, "{:?}", view.gaps());
    assert_eq!(view.gaps().gaps()[0].attempt_count, 3);
    assert_eq!(view.spent().rounds, 3);
    let opened = driven
        .trace
        .iter()
        .filter(|event| matches!(event.event, TraceEvent::GapOpened { .. }))
        .count();
    assert_eq!(opened, 1);
}

#[test]
fn sources_that_contradict_each_other_are_a_reason_to_give_up() {
    let asked = "How far does the harbour tide rise in spring?";
    let ended = |world: &World, options: Options| {
        let driven = drive(world, asked, options);
        sound_end(&driven.run, &driven.trace);
        driven
    };
    let driven = ended(&harbour(), autonomous());
    let view = driven.run.view();
    let gap = &view.gaps().gaps()[0];
    assert_eq!((gap.reason, gap.attempt_count), (Some(GapReason::Contradictory), 1));
    assert!(gap.reason_passage.is_some());
    assert_eq!(view.stop_reason(), Some(StopReason::GapsAbandoned));
    let text = &view.answer().unwrap().text;
    for part in ["The sources disagree", "4 metres", "5 metres", "nothing breaks the tie"] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    // Another source for one side breaks the tie, and a run of earlier rules took both sides for an answer.
    let log = "# Log\n\nIn spring the harbour tide did rise far, 4 metres.";
    let more = ended(&harbour().document("log.md", log), autonomous());
    let old = Options { derivations: Derivations::FOURTH, ..autonomous() };
    for driven in [more, ended(&harbour(), old)] {
        assert_eq!(driven.run.view().stop_reason(), Some(StopReason::Answered));
        assert_eq!(driven.run.view().gaps().gaps()[0].status, GapStatus::Resolved);
    }
}

/// Two sources say 4 metres and two say 5. The latest word breaks the tie, whatever its date what agrees with it has.
#[test]
fn the_latest_document_breaks_a_tie() {
    let world = harbour()
        .document("log.md", "# Log\n\nIn spring the harbour tide did rise far, 4 metres.")
        .document("mark.md", "# Mark\n\nIn spring the harbour tide may rise far, 5 metres.");
    let reason = |years: &[(&str, i32)]| {
        let asked = "How far does the harbour tide rise in spring?";
        let mut drive = Drive::begin(&world, asked, autonomous());
        while let Some((id, effect)) = drive.wanted().into_iter().next() {
            let mut result = drive.perform(&effect);
            if let Outcome::Passages { passages } = &mut result {
                for read in passages {
                    let known = years.iter().find(|(path, _)| read.source.path == *path);
                    read.source.date = known.map(|(_, year)| DocDate {
                        value: PartialDate::year(*year),
                        stated: year.to_string(),
                    });
                }
            }
            drive.tell(Input::Outcome { id, result });
        }
        drive.run().view().gaps().gaps()[0].reason
    };
    let tie = Some(GapReason::Contradictory);
    let fives = [("gauge.md", 2020), ("mark.md", 2021)];
    let with = |fours: &[(&str, i32)]| reason(&[fives.as_slice(), fours].concat());
    assert_eq!(with(&[("tides.md", 2024), ("log.md", 2018)]), None);
    assert_eq!(with(&[("tides.md", 2024)]), None, "the log has no date");
    assert_eq!(with(&[("tides.md", 2021), ("log.md", 2018)]), tie, "of one year");
    assert_eq!(reason(&[("tides.md", 2024)]), tie, "the others may be later");
}

/// A document that says two things is no two sources.
#[test]
fn one_document_is_no_tie() {
    let tides = "# Tides\n\nThe harbour tide can rise 4 metres far into spring. In spring the harbour tide will rise far, by 5 metres.";
    let world = World::new("harbour").document("tides.md", tides);
    let driven = drive(&world, "How far does the harbour tide rise in spring?", autonomous());
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    assert_eq!(view.stop_reason(), Some(StopReason::Answered));
    assert!(view.answer().unwrap().text.contains("The sources disagree"));
}

/// A document that comes later may break the tie: then the question is asked again.
#[test]
fn a_contradiction_is_open_again_when_documents_come() {
    let world = harbour();
    let asked = "How far does the harbour tide rise in spring?";
    let mut drive = Drive::begin(&world, asked, autonomous());
    while drive.run().view().gaps().abandoned().next().is_none() {
        assert!(drive.advance(), "the tie is seen");
    }
    assert_eq!(drive.run().view().progress().answered, 1);
    let documents = vec!["How far the harbour tide did rise in spring".to_owned()];
    drive.control(Control::DocumentsAdded { documents });
    let progress = drive.run().view().progress();
    assert_eq!((progress.open_gaps, progress.answered), (1, 0));
    drive.to_end();
    sound_end(drive.run(), drive.trace());
}

/// What another run gave up is open again in the run that looks for it, and that is told.
#[test]
fn a_run_that_looks_again_tells_what_is_open_again() {
    let parent = RunId::from("run_parent");
    let reopened = Some(Reopened { parent: parent.clone(), gaps: vec![GapId::from("g1")] });
    let options = Options { reopened, ..autonomous() };
    let driven = drive(&harbour(), "Which salary does the lighthouse keeper draw?", options);
    sound_end(&driven.run, &driven.trace);
    let told: Vec<&String> = driven
        .trace
        .iter()
        .filter_map(|event| match &event.event {
            TraceEvent::GapReopened { because, .. } => Some(because),
            _ => None,
        })
        .collect();
    assert!(told.len() == 1 && told[0].contains(parent.as_str()), "{told:?}");
}

/// A model that names questions that do not exist cannot keep a gap from being closed.
#[test]
fn unknown_question_numbers_do_not_keep_a_gap_open() {
    let tides = "# Tides\n\nThe harbour tide can rise 4 metres far into spring.";
    let world = World::new("harbour").document("tides.md", tides).script(|call| {
        let ModelCall::Reflect(input) = call else { return None };
        Some(Ok(ModelReply::Reflect(Reflection {
            answered_questions: vec![1],
            relevant_passage_ids: input
                .passages
                .iter()
                .map(|read| read.passage.id.clone())
                .collect(),
            new_gaps_identified: vec![proposed(
                "how far the harbour tide rises in spring",
                &[1, 77],
            )],
            ..Reflection::default()
        })))
    });
    let driven = drive(&world, "How far does the harbour tide rise in spring?", autonomous());
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().gaps().gaps()[0].status, GapStatus::Resolved);
}

/// The rules by which journals of earlier versions were written.
fn of_old() -> Options {
    let mut options = autonomous();
    options.gaps.thorough = false;
    options
}

/// Of two gaps one finds news in every round, and the other only what has nothing to do with it.
#[test]
fn what_a_neighbour_finds_is_no_news_of_a_gap() {
    let world = || {
        let world = World::new("bridge").document("plan.md", "The Osterby bridge is to open.");
        (1..9)
            .fold(world, |world, n| {
                world.document(&format!("s{n}.md"), &format!("Section{n} got its span."))
            })
            .script(|call| match call {
                ModelCall::Reflect(input) => Some(Ok(ModelReply::Reflect(Reflection {
                    relevant_passage_ids: input
                        .passages
                        .iter()
                        .map(|read| read.passage.id.clone())
                        .collect(),
                    ..Reflection::default()
                }))),
                ModelCall::FollowUp(input) if input.gap.question_ids == [2] => {
                    let first = usize::from(input.gap.attempts) * 2;
                    let query = |n: usize| ProposedQuery {
                        query: format!("section{n}"),
                        strategy: QueryStrategy::Narrower,
                    };
                    Some(Ok(ModelReply::FollowUp(FollowUp {
                        queries: vec![query(first), query(first + 1)],
                        rationale: "each section has a report".to_owned(),
                    })))
                }
                _ => None,
            })
    };
    let asked =
        "Which salary does the lighthouse keeper draw and when did the Osterby bridge open?";
    let driven = drive(&world(), asked, autonomous());
    sound_end(&driven.run, &driven.trace);
    let view = driven.run.view();
    let (salary, bridge) =
        (view.gaps().for_question(1).unwrap(), view.gaps().for_question(2).unwrap());
    assert!(salary.attempt_count > 1, "{salary:?}");
    assert_eq!(salary.dry_rounds, salary.attempt_count, "{salary:?}");
    assert_eq!(bridge.dry_rounds, 0, "{bridge:?}");
    let driven = drive(&world(), asked, of_old());
    assert_eq!(driven.run.view().gaps().for_question(1).unwrap().dry_rounds, 0);
}

#[test]
fn noise_is_no_news() {
    let world = || {
        endless_noise().script(|call| {
            let ModelCall::Reflect(_) = call else { return None };
            Some(Ok(ModelReply::Reflect(Reflection::default())))
        })
    };
    let dry = |options: Options| {
        let driven = drive(&world(), FAMILIES[2][0], options);
        let gap = driven.run.view().gaps().gaps()[0].clone();
        (gap.attempt_count, gap.dry_rounds)
    };
    assert_eq!(dry(autonomous()), (3, 3));
    // By the old rule noise was news in all rounds but the first.
    assert_eq!(dry(of_old()), (3, 1));
}

/// A model whose every proposal was searched before: other searches are made of the gap's words, and it is told.
#[test]
fn a_model_that_repeats_itself_ends_no_gap() {
    let world = || {
        endless_noise().script(|call| {
            let ModelCall::FollowUp(input) = call else { return None };
            Some(Ok(ModelReply::FollowUp(FollowUp {
                queries: vec![ProposedQuery {
                    query: input.gap.previous_queries[0].clone(),
                    strategy: QueryStrategy::Keywords,
                }],
                rationale: "once more".to_owned(),
            })))
        })
    };
    let driven = drive(&world(), FAMILIES[2][0], autonomous());
    sound_end(&driven.run, &driven.trace);
    let gap = &driven.run.view().gaps().gaps()[0];
    assert_eq!((gap.attempt_count, gap.reason), (3, Some(GapReason::Attempts)));
    let mut told = 0;
    for event in &driven.trace {
        let TraceEvent::FollowupQueryGeneration { queries, replaced, dropped, .. } = &event.event
        else {
            continue;
        };
        told += 1;
        assert_eq!((queries.len(), *dropped), (2, 1), "{queries:?}");
        assert!(replaced[0].because.contains("says the same as"), "{replaced:?}");
        assert_eq!(replaced[0].by.as_ref(), queries.first());
        assert_eq!(replaced[1].by.as_ref(), queries.get(1));
    }
    assert_eq!(told, 2);
    let driven = drive(&world(), FAMILIES[2][0], of_old());
    let gap = &driven.run.view().gaps().gaps()[0];
    assert_eq!((gap.attempt_count, gap.reason), (1, Some(GapReason::NoNewEvidence)));
}
