//! A run goes by the rules that it began with: one of an earlier version derives what was derived then, and a new one what is
//! derived now.

use crate::field::{bible, judged, searches};
use crate::worlds::{QUESTION, harbour, sound_end};
use elenchus_core::answer::Answer;
use elenchus_core::belief::{EntailmentResult, JudgedPassage, Thresholds, Verdict};
use elenchus_core::evidence::{DocDate, PartialDate, Span};
use elenchus_core::id::ClaimId;
use elenchus_core::inquiry::{Derivations, FailureKind, Input, Options, Outcome, Run};
use elenchus_core::journal::JournalRecord;
use elenchus_core::measure::Explained;
use elenchus_core::port::{FiguresTold, Judgement, Mismatch, MismatchKind, Model, Tier, Usage};
use elenchus_core::prompt::{Criticism, ModelCall, ModelReply};
use elenchus_core::testkit::{Drive, Driven, World};
use elenchus_core::trace::Envelope;
use std::collections::{BTreeMap, BTreeSet};

const FIRST: Derivations = Derivations::FIRST;
const SECOND: Derivations = Derivations::SECOND;

fn options(rules: Derivations) -> Options {
    let mut options = Options { autonomous: true, derivations: rules, ..Options::default() };
    options.gaps.apart = rules > FIRST;
    options
}

fn answer(driven: &Driven) -> &Answer {
    driven.run.view().answer().expect("every run ends with an answer")
}

/// A run that is told every outcome as `change` leaves it. Its journal notes the rules where they are not the first; kept and
/// read again, it gives the same trace.
fn told(world: &World, question: &str, options: Options, change: impl Fn(&mut Outcome)) -> Driven {
    let noted = options.derivations > FIRST;
    let mut drive = Drive::begin(world, question, options);
    while let Some((id, effect)) = drive.wanted().into_iter().next() {
        let mut result = drive.perform(&effect);
        change(&mut result);
        drive.tell(Input::Outcome { id, result });
    }
    let driven = drive.into_driven();
    sound_end(&driven.run, &driven.trace);
    let again = |record: &JournalRecord| -> JournalRecord {
        serde_json::from_value(serde_json::to_value(record).unwrap()).unwrap()
    };
    let kept: Vec<JournalRecord> = driven.journal.iter().map(again).collect();
    let first = serde_json::to_string(&kept[0]).unwrap();
    assert_eq!(first.contains("derivations"), noted, "{first}");
    let (_, trace) = Run::replay(&kept).unwrap();
    assert_eq!(trace, driven.trace);
    driven
}

#[test]
fn the_date_beside_a_quote_that_names_its_own() {
    let world =
        World::new("harbor").document("lamp.md", "# Lamp\n\nAs of 2019 the lamp was lit at dusk.");
    let dated = |outcome: &mut Outcome| {
        if let Outcome::Passages { passages } = outcome {
            for read in passages {
                let value = PartialDate::year(2021);
                read.source.date = Some(DocDate { value, stated: "2021".to_owned() });
            }
        }
    };
    let text = |rules: Derivations| {
        answer(&told(&world, "When was the lamp lit?", options(rules), dated)).text.clone()
    };
    let (old, new) = (text(FIRST), text(SECOND));
    assert!(old.contains("(as of 2021)"), "{old}");
    assert!(new.contains("(in a document of 2021)"), "{new}");
    assert_eq!(old.replace("(as of", "(in a document of"), new);
}

#[test]
fn what_a_document_says_that_another_one_replaces() {
    let world = World::new("rules")
        .judged()
        .document("rules-v1.md", "# Rules\n\nThe gate is open at night.")
        .document("rules-v2.md", "# Rules\n\nThe gate is not open at night.");
    let disagreements = |rules: Derivations| {
        let driven = told(&world, "Is the gate open at night?", options(rules), |_| ());
        answer(&driven).disagreements.len()
    };
    assert_eq!((disagreements(FIRST), disagreements(SECOND)), (1, 0));
    let old = &world.passages()[0];
    let refutes = |rules: Derivations| {
        let one = judged(old, (0.1, 0.8), world.passages(), rules);
        assert_eq!(one.replaced_by.is_some(), rules == SECOND);
        one.evidence.refutes
    };
    assert!(refutes(FIRST) > 0.7 && refutes(SECOND) < 0.1);
}

/// A world whose critic objects to nothing.
fn reviewed() -> World {
    World::new("garden")
        .judged()
        .document("survey.md", "# Survey\n\nAll flowers that grow at the old station are red.")
        .script(|call| match call {
            ModelCall::Critique(_) => Some(Ok(ModelReply::Critique(Criticism::default()))),
            _ => None,
        })
}

#[test]
fn who_replied_and_who_grades() {
    let world = reviewed();
    let ask = |rules: Derivations, change: &dyn Fn(&mut Outcome)| {
        let options = Options { critique: true, ..options(rules) };
        let driven = told(&world, "Which flowers grow at the old station?", options, change);
        let critique = answer(&driven).critique.clone().expect("it was criticised");
        (answer(&driven).model.clone(), critique.critic, critique.grade.is_some())
    };
    let name = Model::name(&world).to_owned();
    let as_asked = (name.clone(), Some(name.clone()), true);
    let stood_in = |outcome: &mut Outcome| {
        if let Outcome::Replied { model, .. } = outcome {
            *model = Some("builtin:other".to_owned());
        }
    };
    assert_eq!(ask(FIRST, &stood_in), as_asked, "nobody was asked who replied");
    let (model, critic, graded) = ask(SECOND, &stood_in);
    assert!(model.starts_with(&name) && model.contains("builtin:other in its place"), "{model}");
    assert_eq!((critic, graded), (None, false));
    // No critic replies at all.
    let mute = |outcome: &mut Outcome| {
        let of_critic = matches!(
            outcome,
            Outcome::Replied { reply, .. } if matches!(**reply, ModelReply::Critique(_))
        );
        if of_critic {
            let error = "could not criticise: no reply".to_owned();
            let usage = Usage::default();
            *outcome = Outcome::Failed { kind: FailureKind::Exhausted, error, usage };
        }
    };
    assert_eq!(ask(FIRST, &mute), (name.clone(), None, true));
    assert_eq!(ask(SECOND, &mute), (name, None, false));
    for rules in [FIRST, SECOND] {
        assert_eq!(ask(rules, &|_| ()), as_asked);
    }
}

#[test]
fn whose_explanation_it_is() {
    let claim = "The harbour tide can rise 4 metres far into spring.";
    for rules in [FIRST, SECOND] {
        let options = Options { to_test: vec![claim.to_owned()], ..options(rules) };
        let driven = told(&harbour().judged(), QUESTION, options, |_| ());
        let of: Vec<bool> = answer(&driven).hypotheses.iter().map(|one| one.by_user).collect();
        assert_eq!(of, [rules == SECOND]);
    }
}

#[test]
fn what_a_reference_names() {
    let looked_up = |rules: Derivations| {
        let options = Options { pack: "theology".to_owned(), ..options(rules) };
        let asked = "Does Rom 5:8ff say that Christ died for sinners?";
        searches(&told(&bible(), asked, options, |_| ()))
    };
    let (old, new) = (looked_up(FIRST), looked_up(SECOND));
    assert!(old.contains(&"Rom.5.8".to_owned()), "{old:?}");
    assert!(new.contains(&"Rom.5.8-Rom.5.10".to_owned()), "{new:?}");
}

#[test]
fn what_says_otherwise_in_some_part() {
    let world = World::new("quay").document("log.md", "# Log\n\nThe crane lifts nine tonnes.");
    let thresholds = Thresholds { supports: 0.5, refutes: 0.5, relevant: 0.1 };
    let of = |rules: Derivations| {
        let mismatch = Mismatch {
            kind: MismatchKind::Number,
            claim_text: "seven".to_owned(),
            claim_span: Span { start: 16, end: 21 },
            evidence_text: Some("nine".to_owned()),
            contradicts: true,
            reason: "the claim says seven, the evidence nine".to_owned(),
        };
        let judgement = Judgement {
            supports: 0.9,
            refutes: 0.05,
            tier: Tier::Features,
            similarity: 0.9,
            sentences: vec![],
            mismatches: vec![mismatch],
            grounding: vec![],
            told: FiguresTold::default(),
            explained: Explained::new("P(supports)", 0.9, "given"),
        };
        let read = &world.passages()[0];
        JudgedPassage::of(read, judgement, thresholds, std::iter::empty(), rules).unwrap()
    };
    let (before, now) = (of(Derivations::FOURTH), of(Derivations::FIFTH));
    assert!(!before.says_otherwise && now.says_otherwise);
    let verdict = |judged: JudgedPassage| {
        EntailmentResult::of(ClaimId::from("c1"), vec![judged], &[], thresholds).verdict
    };
    assert_eq!(verdict(before), Verdict::Entailed);
    assert_eq!(verdict(now), Verdict::Neutral { reason: None });
}

#[test]
fn in_what_a_figure_of_a_table_is() {
    let world =
        World::new("budget").document("budget.md", "# Budget\n\nitem: Sails; EUR thousand: 912");
    let valued = |outcome: &mut Outcome| {
        if let Outcome::Replied { reply, .. } = outcome
            && let ModelReply::ExtractFacts(facts) = &mut **reply
        {
            for fact in &mut facts.facts {
                fact.value = Some(Span { start: fact.span.end - 3, end: fact.span.end });
            }
        }
    };
    let text = |rules: Derivations| {
        let asked = "How many EUR thousand is the item sails?";
        answer(&told(&world, asked, options(rules), valued)).text.clone()
    };
    let (old, new) = (text(Derivations::FIFTH), text(Derivations::SIXTH));
    let scale = " (in thousands by \u{201C}EUR thousand\u{201D})";
    assert!(old.contains("**912**") && new.contains(scale), "{old} {new}");
    assert_eq!(new.replace(scale, ""), old);
}

/// The trace of a run of 22 November 2026, as it was kept.
const KEPT: &str = include_str!("../../../elenchus/src/tui/tests/sample.jsonl");

/// The names of the fields that events have, by kind.
fn fields<'a>(events: impl Iterator<Item = &'a Envelope>) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for event in events {
        let json = serde_json::to_value(event).unwrap();
        let kind = json["type"].as_str().unwrap().to_owned();
        let names = json["data"].as_object().unwrap().keys().cloned();
        found.entry(kind).or_default().extend(names);
    }
    found
}

#[test]
fn events_of_the_oldest_runs_have_the_fields_that_were_kept() {
    let kept: Vec<Envelope> =
        KEPT.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kept = fields(kept.iter());
    let more = |thorough: bool, rules: Derivations| -> BTreeSet<String> {
        let mut options = options(rules);
        (options.gaps.thorough, options.gaps.apart) = (thorough, false);
        let driven = told(&harbour().judged(), QUESTION, options, |_| ());
        let derived = fields(driven.trace.iter());
        let common = derived.iter().filter_map(|(kind, names)| Some((kept.get(kind)?, names)));
        common.flat_map(|(old, names)| names.difference(old).cloned()).collect()
    };
    assert_eq!(more(false, FIRST), BTreeSet::new());
    for (thorough, rules) in [(true, FIRST), (false, SECOND), (true, SECOND)] {
        let more = more(thorough, rules);
        for name in ["phases", "context", "confidence", "updates", "relevant_summary_ids"] {
            assert!(more.contains(name), "{name} is not in {more:?}");
        }
    }
}
