//! What a critic says that nobody looked for is searched before the answer is revised.

use crate::worlds::sound_end;
use elenchus_core::answer::Answer;
use elenchus_core::inquiry::{
    Budget, Control, Derivations, Effect, FailureKind, Input, Options, Outcome, StopReason,
};
use elenchus_core::port::Usage;
use elenchus_core::prompt::{Criticism, ModelCall, ModelReply, ProposedFinding, Severity};
use elenchus_core::scrutiny::critique::{Critique, FindingKind, FoundBy};
use elenchus_core::testkit::{Drive, Driven, World, drive};
use elenchus_core::trace::TraceEvent;

const FLOWERS: &str = "Which flowers grow at the old station?";
const DENIED: &[&str] = &["who denies red flowers", "flowers who denies red", "", "the of"];

/// Three documents answer. A fourth, which says otherwise of one of them, has fewer words of the question, so that the first search,
/// which may read three passages, leaves it unread.
fn garden(queries: &'static [&'static str]) -> World {
    World::new("garden")
        .judged()
        .document("survey.md", "# Survey\n\nAll flowers that grow at the old station are red.")
        .document("notes.md", "# Notes\n\nYellow flowers grow at the old station in June.")
        .document("diary.md", "# Diary\n\nAt the old station nettles grow among the flowers.")
        .document("ledger.md", "# Ledger\n\nFlowers that grow at the station are not red.")
        .script(move |call| {
            let finding = ProposedFinding {
                kind: FindingKind::MissingCounterEvidence,
                severity: Severity::Important,
                claim_id: None,
                span: None,
                text: "Nobody asked who denies it.".to_owned(),
                queries: queries.iter().map(|query| (*query).to_owned()).collect(),
            };
            let criticism = Criticism { findings: vec![finding], ..Criticism::default() };
            matches!(call, ModelCall::Critique(_)).then(|| Ok(ModelReply::Critique(criticism)))
        })
}

fn options() -> Options {
    let budget = Budget { passages: 5, ..Budget::default() };
    Options { autonomous: true, critique: true, budget, ..Options::default() }
}

fn answer(driven: &Driven) -> &Answer {
    driven.run.view().answer().expect("every run ends with an answer")
}

/// The confidence of the statement that the fourth document denies, and how many sources deny it.
fn of_red(driven: &Driven) -> (f64, usize) {
    let answer = answer(driven);
    let at = answer.claims.iter().position(|claim| claim.text.contains("are red")).unwrap();
    let figures = &answer.confidence.as_ref().unwrap().claim_confidences[at];
    (figures.confidence.unwrap(), figures.contradicting_sources)
}

fn of_the_critic(critique: &Critique) -> Severity {
    critique.findings.iter().find(|one| one.by == FoundBy::Model).unwrap().severity
}

/// The severities that the finding of the critic had, in turn.
fn told(driven: &Driven) -> Vec<Severity> {
    let events = driven.trace.iter().filter_map(|event| match &event.event {
        TraceEvent::CritiqueCompleted { critique } => Some(of_the_critic(critique)),
        _ => None,
    });
    events.collect()
}

/// What was found was read before, so that there is nothing to hold the answer against. Somebody has looked all the same, unless the
/// search failed.
#[test]
fn a_search_that_brings_nothing_unread_was_made() {
    let severities = |fails: bool| {
        let world = garden(&["yellow June"]);
        let mut drive = Drive::begin(&world, FLOWERS, options());
        while let Some((id, effect)) = drive.wanted().into_iter().next() {
            let is_counter =
                matches!(&effect, Effect::Search(request) if request.query == "yellow June");
            let result = if is_counter && fails {
                let error = "could not search: scripted".to_owned();
                Outcome::Failed { kind: FailureKind::Permanent, error, usage: Usage::default() }
            } else {
                drive.perform(&effect)
            };
            drive.tell(Input::Outcome { id, result });
        }
        let driven = drive.into_driven();
        sound_end(&driven.run, &driven.trace);
        assert_eq!(driven.run.view().spent().passages, 3);
        told(&driven)
    };
    assert_eq!(severities(false), [Severity::Important, Severity::Minor]);
    assert_eq!(severities(true), [Severity::Important]);
}

#[test]
fn what_a_critic_misses_is_searched_and_counts_against_the_answer() {
    let silent = drive(&garden(&[]), FLOWERS, options());
    let world = garden(DENIED);
    let driven = drive(&world, FLOWERS, options());
    sound_end(&driven.run, &driven.trace);
    let spent = |driven: &Driven| {
        let spent = driven.run.view().spent();
        (spent.searches, spent.passages)
    };
    assert_eq!((spent(&silent), spent(&driven)), ((1, 3), (2, 4)), "what repeats is not searched");
    let (before, now) = (of_red(&silent), of_red(&driven));
    assert!(before.1 == 0 && now.1 == 1 && now.0 < before.0, "{before:?} {now:?}");
    assert_eq!(answer(&driven).text, answer(&silent).text);
    // It matters that nobody looked, until somebody has.
    assert_eq!(told(&driven), [Severity::Important, Severity::Minor]);
    let of_silent = answer(&silent).critique.as_ref().unwrap();
    assert_eq!(of_the_critic(of_silent), Severity::Important);
    for length in 1..=driven.journal.len() {
        let mut resumed = Drive::resume(&world, driven.journal[..length].to_vec());
        resumed.to_end();
        assert_eq!(resumed.trace(), &driven.trace[..], "from {length}");
    }
}

#[test]
fn a_run_that_is_stopped_meanwhile_gives_the_answer_of_before() {
    let silent = drive(&garden(&[]), FLOWERS, options());
    let world = garden(DENIED);
    let mut drive = Drive::begin(&world, FLOWERS, options());
    while drive.run().view().progress().phase.name() != "revise" {
        assert!(drive.advance());
    }
    // Searched and read; it is being held against the answer.
    assert!(drive.advance() && drive.advance());
    drive.control(Control::Interrupt);
    drive.to_end();
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    assert_eq!(answer(&driven).stop_reason, StopReason::Interrupted);
    assert_eq!(of_red(&driven), of_red(&silent));
}

#[test]
fn a_run_of_earlier_rules_searches_nothing_and_takes_the_critics_word() {
    let old = Options { derivations: Derivations::FOURTH, ..options() };
    let driven = drive(&garden(DENIED), FLOWERS, old);
    sound_end(&driven.run, &driven.trace);
    assert_eq!(driven.run.view().spent().searches, 1);
    let critique = answer(&driven).critique.as_ref().unwrap();
    assert_eq!((of_the_critic(critique), critique.quality), (Severity::Important, Some(95)));
}
