//! The domain pack in a run: references are looked up, known tensions are searched for and told.

use elenchus_core::answer::{Answer, to_markdown};
use elenchus_core::belief::{JudgedPassage, Thresholds};
use elenchus_core::evidence::ReadPassage;
use elenchus_core::id::SourceId;
use elenchus_core::inquiry::{Derivations, Effect, Input, Options, Run, Step};
use elenchus_core::journal::{Entry, JournalRecord};
use elenchus_core::measure::Explained;
use elenchus_core::port::{FiguresTold, Judgement, Tier};
use elenchus_core::prompt::{Draft, ModelCall, ModelReply};
use elenchus_core::testkit::{Driven, World, drive};
use elenchus_core::trace::TraceEvent;

/// Rows of our own wording under the names of verses.
pub(crate) fn bible() -> World {
    World::new("bible")
        .records(
            "plain.tsv",
            "Matt.27.4\tJudas said that he had betrayed innocent blood.\n\
             Matt.27.5\tJudas threw the silver down in the temple and went away and hanged himself.\n\
             John.3.16\tGod loved the world and gave the one Son.\n\
             Rom.5.8\tWhile people were still sinners Christ died for them.",
        )
        .records(
            "other.tsv",
            "Acts.1.18\tHe got a field with the pay of his wrong, fell head first, and burst open.\n\
             John.3.16\tSo much was the world loved that the only Son was given.",
        )
        .records("links.tsv", "John.3.16\tJohn.3.16: Rom.5.8 1John.4.9")
}

pub(crate) fn options() -> Options {
    Options { autonomous: true, pack: "theology".to_owned(), ..Options::default() }
}

fn answer(driven: &Driven) -> &Answer {
    driven.run.view().answer().unwrap()
}

fn thoughts(driven: &Driven) -> Vec<String> {
    let content = |event: &TraceEvent| match event {
        TraceEvent::ReasoningThought(thought) => Some(thought.content.clone()),
        _ => None,
    };
    driven.trace.iter().filter_map(|envelope| content(&envelope.event)).collect()
}

pub(crate) fn searches(driven: &Driven) -> Vec<String> {
    let query = |event: &TraceEvent| match event {
        TraceEvent::RoundStarted { queries, .. } => Some(queries.clone()),
        _ => None,
    };
    driven.trace.iter().filter_map(|envelope| query(&envelope.event)).flatten().collect()
}

#[test]
fn what_is_named_is_looked_up_and_read_first() {
    let driven = drive(
        &bible(),
        "Does John 3:16 say that God loved the world and gave the one Son?",
        options(),
    );
    assert!(searches(&driven).contains(&"John.3.16".to_owned()), "{:?}", searches(&driven));
    let places: Vec<&str> =
        answer(&driven).evidence.iter().map(|evidence| evidence.location.as_str()).collect();
    assert!(places.iter().any(|place| place.ends_with(", John.3.16")), "{places:?}");
    let osis = answer(&driven).evidence[0].osis.map(|osis| osis.to_string());
    assert_eq!(osis.as_deref(), Some("John.3.16"));
    // What the cross-references join and was not read is offered.
    let next = answer(&driven).next_steps.join("\n");
    assert!(next.contains("join with John 3:16: 1 John 4:9"), "{next}");
}

/// A passage that is judged beside others.
pub(crate) fn judged(
    read: &ReadPassage,
    (supports, refutes): (f64, f64),
    beside: &[ReadPassage],
    rules: Derivations,
) -> JudgedPassage {
    let judgement = Judgement {
        supports,
        refutes,
        tier: Tier::Features,
        similarity: 0.9,
        sentences: vec![],
        mismatches: vec![],
        grounding: vec![],
        told: FiguresTold::default(),
        explained: Explained::new("P(supports)", supports, "given"),
    };
    let thresholds = Thresholds { supports: 0.5, refutes: 0.5, relevant: 0.1 };
    let judged = JudgedPassage::of(read, judgement, thresholds, beside.iter(), rules);
    judged.expect("it bears on the claim")
}

/// The independent source that a passage counts as.
fn witness(read: &ReadPassage, rules: Derivations) -> SourceId {
    judged(read, (0.9, 0.0), &[], rules).evidence.cluster
}

#[test]
fn translations_are_one_source_and_nothing_else_is() {
    let world = bible().document("notes.md", "A note on the love of God for the world.");
    let by = |path: &str, text: &str, rules: Derivations| {
        let mut read = world.passages().iter();
        let read = read.find(|one| one.source.path == path && one.passage.text.contains(text));
        witness(read.expect("the world holds it"), rules)
    };
    let of = |path: &str, text: &str| by(path, text, Derivations::LATEST);
    // One verse in two translations.
    let plain = of("plain.tsv", "God loved the world");
    assert_eq!(plain, of("other.tsv", "the only Son was given"));
    // The files themselves are no copies of each other, and what cites verses is none.
    let own = |path: &str| SourceId::from_path(path);
    assert_ne!(plain, own("plain.tsv"));
    assert_eq!(of("links.tsv", "Rom.5.8"), own("links.tsv"));
    assert_eq!(of("notes.md", "the love of God"), own("notes.md"));
    // In runs that began before that, each was one.
    for (path, text) in [("plain.tsv", "God loved"), ("other.tsv", "the only Son was given")] {
        assert_eq!(by(path, text, Derivations::FIRST), own(path));
    }
}

#[test]
fn both_sides_of_a_tension_are_searched_for_and_told() {
    let driven = drive(&bible(), "How did Judas die, who hanged himself in the temple?", options());
    assert!(
        searches(&driven).contains(&"Matt.27.5 Acts.1.18".to_owned()),
        "{:?}",
        searches(&driven)
    );
    let told = thoughts(&driven);
    assert!(told.iter().any(|thought| thought.contains("Matt.27.5 and Acts.1.18")), "{told:?}");
    let note = answer(&driven).tensions.iter().find(|note| note.id == "judas-death").unwrap();
    assert!(
        note.sides[0].quote.contains("hanged himself")
            && note.sides[1].quote.contains("burst open")
    );
    let report = to_markdown(answer(&driven));
    assert!(report.contains("## A known tension bears on this"), "{report}");
    assert!(report.contains("in the words of the theology pack"));
    assert!(driven.run.view().audit().is_empty());
}

#[test]
fn what_is_quoted_has_its_other_side_looked_up_before_the_end() {
    // Nothing in the words of the question tells of the tension.
    let question = "Who threw the silver down in the temple?";
    let driven = drive(&bible(), question, options());
    let report = to_markdown(answer(&driven));
    assert!(report.contains("## A known tension bears on this"), "{report}");
    assert!(report.contains("other.tsv, Acts.1.18"), "{report}");
    assert!(driven.run.view().audit().is_empty());
    assert_eq!(answer(&driven).receipt.passages, driven.run.view().spent().passages);
    // Not where the budget forbids it: then it is a next step.
    let mut small = options();
    small.budget.passages = 1;
    let driven = drive(&bible(), question, small);
    assert!(driven.run.view().spent().passages <= 1);
    assert!(answer(&driven).tensions.is_empty());
}

#[test]
fn a_tension_that_the_question_is_about_is_told_without_an_answer() {
    let driven = drive(
        &bible(),
        "At what age and by which illness did Judas come to die far from home?",
        options(),
    );
    assert!(answer(&driven).tensions.iter().any(|note| note.id == "judas-death"));
}

#[test]
fn a_side_that_is_not_there_is_named_as_a_next_step() {
    let world = World::new("half").records(
        "plain.tsv",
        "Matt.27.5\tJudas threw the silver down in the temple and went away and hanged himself.",
    );
    let driven = drive(&world, "Did Judas hang himself in the temple?", options());
    assert!(answer(&driven).tensions.is_empty());
    let next = answer(&driven).next_steps.join("\n");
    assert!(next.contains("Look at Acts 1:18 as well"), "{next}");
}

#[test]
fn prompts_are_told_of_mode_and_tensions() {
    let world = bible().script(|call| {
        let framing = call.framing()?;
        assert_eq!(framing.mode, "critic");
        assert!(framing.tensions.iter().any(|one| one.id == "judas-death"));
        matches!(call, ModelCall::Draft(_)).then(|| Ok(ModelReply::Draft(Draft::default())))
    });
    let options = Options { mode: "critic".to_owned(), ..options() };
    drive(&world, "What of Matt 27:5 and Judas, who hanged himself?", options);
}

#[test]
fn the_general_pack_knows_nothing_of_it() {
    let question = "How did Judas die, who hanged himself in the temple?";
    let plain = Options { autonomous: true, ..Options::default() };
    let driven = drive(&bible(), question, plain.clone());
    assert!(answer(&driven).tensions.is_empty());
    assert!(searches(&driven).iter().all(|query| query != "Matt.27.5 Acts.1.18"));
    // And options without a pack are written as they always were.
    let json = serde_json::to_string(&plain).unwrap();
    assert!(!json.contains("pack") && !json.contains("mode"), "{json}");
    let said = Options { pack: "general".to_owned(), mode: "detective".to_owned(), ..plain };
    assert_eq!(serde_json::to_string(&said).unwrap(), json);
}

#[test]
fn the_corpus_may_decide_and_says_so() {
    let rows: Vec<String> =
        (1..=24).map(|verse| format!("Ps.119.{verse}\tRow number {verse} of praise.")).collect();
    let world = World::new("psalter").records("psalter.tsv", &rows.join("\n"));
    let auto = Options { pack: "auto".to_owned(), ..options() };
    let driven = drive(&world, "What does Ps 119:3 say of praise?", auto.clone());
    let told = thoughts(&driven);
    assert!(
        told.iter().any(|t| t.contains("theology pack: 24 of its 24 passages are verses")),
        "{told:?}"
    );
    let ordinary = World::new("harbour").document("a.md", "# A\n\nThe harbour has four cranes.");
    let driven = drive(&ordinary, "How many cranes has the harbour?", auto);
    assert!(thoughts(&driven).iter().all(|thought| !thought.contains("pack")));
}

#[test]
fn a_run_with_a_pack_resumes_from_every_prefix() {
    let driven = drive(&bible(), "What do Matt 27:5 and Judas say of the silver?", options());
    let inputs: Vec<&JournalRecord> = driven.journal.iter().collect();
    assert!(inputs.iter().any(|record| matches!(
        &record.entry,
        Entry::Input(input) if matches!(input.as_ref(), Input::Opened(_))
    )));
    for end in 1..=inputs.len() {
        let (run, _) = Run::replay(inputs[..end].iter().copied()).unwrap();
        if let Step::Perform(effects) = run.step() {
            for (_, effect) in effects {
                let text = serde_json::to_string(&effect).unwrap();
                assert_eq!(serde_json::from_str::<Effect>(&text).unwrap(), effect);
            }
        }
    }
}

#[test]
fn no_budget_is_overshot_by_look_ups() {
    let question =
        "Who threw the silver down, as Matt 27:1-10 and Acts 1 tell, and how did Judas die?";
    for passages in 1..9 {
        for model_calls in [None, Some(1), Some(3), Some(6)] {
            let mut options = options();
            options.budget.passages = passages;
            options.budget.model_calls = model_calls;
            let driven = drive(&bible(), question, options);
            let spent = driven.run.view().spent();
            assert!(spent.passages <= passages, "{spent:?}");
            assert!(model_calls.is_none_or(|most| spent.model_calls <= most), "{spent:?}");
            assert!(driven.run.view().audit().is_empty());
        }
    }
}

#[test]
fn both_sides_answer_a_question_that_is_about_a_tension_and_nothing_else() {
    let options = || Options { both_sides: true, ..options() };
    let driven = drive(&bible(), "How did Judas die?", options());
    let answer = answer(&driven);
    assert_eq!(answer.stop_reason, elenchus_core::inquiry::StopReason::Answered);
    let quoted = |part: &str| answer.claims.iter().any(|claim| claim.text.contains(part));
    assert!(quoted("hanged himself") && quoted("burst open"), "{}", to_markdown(answer));
    assert!(!quoted("Christ died"), "{}", to_markdown(answer));
    // Neither verse says when.
    let by_rule = |driven: &Driven| {
        self::answer(driven).claims.iter().any(|claim| claim.warrant.contains("known tension"))
    };
    assert!(by_rule(&driven));
    assert!(!by_rule(&drive(&bible(), "When did Judas die?", options())));
}

#[test]
fn fallacies_of_the_pack_are_found_by_the_critique_and_told_by_the_answer() {
    let ask = |pack: &str| {
        let world = World::new("letters").judged().document(
            "letters.md",
            "# Letters\n\nThat doctrine is medieval, so we can safely ignore it.",
        );
        let options = Options { critique: true, pack: pack.to_owned(), ..options() };
        drive(&world, "Which doctrine is medieval?", options)
    };
    let noticed = |driven: &Driven| {
        let answer = answer(driven);
        let of_answer = answer.fallacy_warnings.iter();
        let warned = of_answer.filter(|one| one.fallacy == "chronological_snobbery").count();
        let found = answer.critique.iter().flat_map(|critique| &critique.findings);
        (warned, found.filter(|one| one.text.starts_with("chronological snobbery")).count())
    };
    let theology = ask("theology");
    assert_eq!(noticed(&theology), (1, 1), "{:?}", answer(&theology).claims);
    let report = to_markdown(answer(&theology));
    assert!(
        report.contains("A warning about the reasoning of source [1]: chronological snobbery"),
        "{report}"
    );
    assert_eq!(noticed(&ask("general")), (0, 0));
}
