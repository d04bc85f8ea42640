//! How passages are ordered and pooled. That a text tells what is put in here by hand is tested where texts are read
//! (`elenchus-io`, `verify/binding/told/tests.rs`).

use super::*;
use crate::belief::{Assessed, CheckedClaim, Claim, SourceEvidence, Verdict};
use crate::evidence::Span;
use crate::id::{ClaimId, SourceId};
use crate::port::{About, Dated, EvidenceSpan, Judgement, Label, Mismatch, MismatchKind, Tier};
use std::collections::BTreeSet;

const THRESHOLDS: Thresholds = Thresholds { supports: 0.55, refutes: 0.55, relevant: 0.0 };

fn pounds(value: f64) -> Figure {
    Figure { value, unit: Some("£".to_owned()) }
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn room(number: &str) -> BTreeSet<Label> {
    [Label { noun: "room".to_owned(), number: number.to_owned() }].into()
}

/// What is told of the rent by a claim that it is so many pounds.
fn rent(own: f64) -> FiguresTold {
    FiguresTold { asked: vec![pounds(own)], of_now: true, ..FiguresTold::default() }
}

fn stated(value: f64) -> Stated {
    Stated {
        figure: pounds(value),
        when: None,
        shared: set(&["rent"]),
        names: BTreeSet::new(),
        about: About { words: set(&["rent"]), ..About::default() },
    }
}

fn change(before: f64, after: Option<f64>) -> ToldChange {
    ToldChange {
        before: pounds(before),
        after: after.map(pounds),
        when: None,
        words: "the words that tell it".to_owned(),
        about: About { words: set(&["rent", "rise"]), ..About::default() },
    }
}

/// A passage of a document of a year (0 for none), which speaks against the claim where it has a figure against it.
fn passage(name: &str, year: i32, told: FiguresTold) -> JudgedPassage {
    let against = told.against.clone();
    let (supports, refutes) = if against.is_empty() { (0.9, 0.02) } else { (0.1, 0.8) };
    let mismatches = against.into_iter().map(|figure| Mismatch {
        kind: MismatchKind::Number,
        claim_text: String::new(),
        claim_span: Span { start: 0, end: 0 },
        evidence_text: Some(figure.value.to_string()),
        contradicts: true,
        reason: format!("the evidence has {}", figure.value),
    });
    JudgedPassage {
        evidence: SourceEvidence {
            source_id: SourceId::from(name),
            source_url: format!("{name}.md"),
            location: format!("{name}.md"),
            relevant_text: "words".to_owned(),
            span: Span { start: 0, end: 5 },
            similarity: 0.9,
            cluster: SourceId::from(name),
            supports,
            refutes,
        },
        judgement: Judgement {
            supports,
            refutes,
            tier: Tier::Features,
            similarity: 0.9,
            sentences: vec![],
            mismatches: mismatches.collect(),
            grounding: vec![],
            told,
            explained: Explained::new("P(supports)", supports, "given"),
        },
        date: (year > 0).then(|| PartialDate::year(year)),
        reliability: 1.0,
        replaced_by: None,
        says_otherwise: false,
    }
}

/// A passage that tells a change.
fn teller(name: &str, year: i32, change: ToldChange) -> JudgedPassage {
    passage(name, year, FiguresTold { changes: vec![change], ..rent(1_400.0) })
}

/// A passage that has an older figure.
fn older(name: &str, year: i32, stated: Stated) -> JudgedPassage {
    let against = vec![stated.figure.clone()];
    passage(name, year, FiguresTold { against, stated: vec![stated], ..rent(1_400.0) })
}

fn assessed(passages: Vec<JudgedPassage>) -> Assessed {
    let claim = Claim::stated(ClaimId::from("c1"), "The rent is £1,400 a month.");
    Assessed::new(vec![CheckedClaim { claim, passages, unchecked: vec![] }], THRESHOLDS, None)
}

/// The claim of £1,400 where an old document has its figure and the one that replaces that has £1,600.
fn replaced(untimed: bool, by: Option<&str>) -> Assessed {
    let asked = FiguresTold { untimed, ..rent(1_400.0) };
    let mut old =
        passage("old", 2023, FiguresTold { stated: vec![stated(1_400.0)], ..asked.clone() });
    old.replaced_by = by.map(SourceId::from);
    let (against, own) = (vec![pounds(1_600.0)], vec![stated(1_600.0)]);
    let new = passage("new", 2025, FiguresTold { against, stated: own, ..asked });
    assessed(vec![old, new])
}

#[test]
fn a_figure_of_a_replaced_document_is_an_older_value() {
    let found = replaced(true, Some("new"));
    assert_eq!(found.entailments[0].verdict, Verdict::Contradicted, "{found:?}");
    let reasoning = &found.entailments[0].reasoning;
    assert!(reasoning.contains("old.md (2023): an older value: new.md (2025)"), "{reasoning}");
    assert!(!reasoning.contains("tells of no change"), "{reasoning}");
    // A claim of another time or version, and a document that nobody replaces, are as they were.
    for (untimed, by) in [(false, Some("new")), (true, None), (true, Some("third"))] {
        let found = replaced(untimed, by);
        assert_eq!(found.entailments[0].verdict, Verdict::Entailed, "{untimed} {by:?}");
        assert!(!found.entailments[0].reasoning.contains("older value"), "{found:?}");
    }
}

/// Whether the older statement no longer counts against the claim.
#[track_caller]
fn superseded(new: JudgedPassage, old: JudgedPassage, is_superseded: bool) {
    let there = assessed(vec![new.clone(), old.clone()]);
    let back = assessed(vec![old, new]);
    let entailment = &there.entailments[0];
    assert_eq!(entailment.verdict, Verdict::Entailed, "{entailment:?}");
    assert_eq!(entailment.contradicting_sources.is_empty(), is_superseded, "{entailment:?}");
    let tree = there.confidence.claim_confidences[0].explained.render();
    assert_eq!(tree.contains("superseded by the change told in new.md"), is_superseded, "{tree}");
    assert_eq!(entailment.reasoning.contains("superseded"), is_superseded, "{entailment:?}");
    assert_eq!(
        there.confidence.claim_confidences[0].confidence,
        back.confidence.claim_confidences[0].confidence,
        "the order of the passages shows"
    );
}

#[test]
fn an_older_figure_does_not_count_where_a_change_is_told() {
    let rise = || change(1_250.0, Some(1_400.0));
    superseded(teller("new", 2025, rise()), older("old", 2023, stated(1_250.0)), true);
    // The change itself orders the two.
    superseded(teller("new", 0, rise()), older("old", 0, stated(1_250.0)), true);
    let gone = change(1_250.0, None);
    superseded(teller("new", 2025, gone), older("old", 2023, stated(1_250.0)), true);
}

#[test]
fn in_doubt_both_count() {
    // Other figures.
    for other in [change(1_200.0, Some(1_400.0)), change(1_250.0, Some(1_500.0))] {
        superseded(teller("new", 2025, other), older("old", 2023, stated(1_250.0)), false);
    }
    // A change that is older than the statement says nothing about it.
    let rise = || change(1_250.0, Some(1_400.0));
    superseded(teller("new", 2019, rise()), older("old", 2024, stated(1_250.0)), false);
    let dated = Stated { when: Some(PartialDate::month(2024, 6)), ..stated(1_250.0) };
    superseded(teller("new", 2019, rise()), older("old", 0, dated), false);
    // Another thing.
    let deposit = About { words: set(&["deposit"]), ..About::default() };
    let deposit = ToldChange { about: deposit, ..rise() };
    superseded(teller("new", 2025, deposit), older("old", 2023, stated(1_250.0)), false);
    let hall = Stated { names: set(&["hall"]), ..stated(1_250.0) };
    superseded(teller("new", 2025, rise()), older("old", 2023, hall), false);
}

#[test]
fn another_room_is_another_thing() {
    let with = |number: &str| {
        let of = |about: About| About { labels: room(number), ..about };
        let (told, old) = (change(1_250.0, Some(1_400.0)), stated(1_250.0));
        (
            ToldChange { about: of(told.about.clone()), ..told },
            Stated { about: of(old.about.clone()), ..old },
        )
    };
    let ((three, of_three), (seven, _)) = (with("3"), with("7"));
    superseded(teller("new", 2025, three), older("old", 2023, of_three.clone()), true);
    superseded(teller("new", 2025, seven), older("old", 2023, of_three), false);
    // A number of the change that happens to be that of the other room makes them no less two rooms.
    let beds = |value: f64| Figure { value, unit: None };
    let of_seven = ToldChange {
        before: beds(3.0),
        after: Some(beds(7.0)),
        about: About { words: set(&["bed"]), labels: room("7"), ..About::default() },
        ..change(0.0, None)
    };
    let of_three = Stated {
        figure: beds(3.0),
        shared: set(&["bed"]),
        about: About { words: set(&["bed"]), labels: room("3"), ..About::default() },
        ..stated(0.0)
    };
    let asked = FiguresTold { asked: vec![beds(7.0)], ..FiguresTold::default() };
    let new = passage("new", 2025, FiguresTold { changes: vec![of_seven], ..asked.clone() });
    let against = vec![beds(3.0)];
    let old = passage("old", 2023, FiguresTold { against, stated: vec![of_three], ..asked });
    superseded(new, old, false);
}

#[test]
fn a_change_back_has_to_be_the_older_one() {
    let passages = |down: i32, up: i32| {
        let dated = |change: ToldChange, year: i32| ToldChange {
            when: (year > 0).then(|| PartialDate::year(year)),
            ..change
        };
        let fall = dated(change(1_600.0, Some(1_400.0)), down);
        let rise = dated(change(1_400.0, Some(1_600.0)), up);
        let old = Stated { when: rise.when, ..stated(1_600.0) };
        let own = Stated { when: fall.when, ..stated(1_400.0) };
        let new = FiguresTold { stated: vec![own], changes: vec![fall], ..rent(1_400.0) };
        let mut old = older("old", 0, old);
        old.judgement.told.changes.push(rise);
        (passage("new", 0, new), old)
    };
    let (new, old) = passages(2022, 2019);
    superseded(new, old, true);
    let (new, old) = passages(2019, 2022);
    let risen = assessed(vec![new, old]);
    assert_eq!(risen.entailments[0].verdict, Verdict::Contradicted, "{:?}", risen.entailments);
    let (new, old) = passages(0, 0);
    superseded(new, old, false);
}

#[test]
fn changes_are_followed_from_one_to_the_next() {
    let mut second = older("second", 2023, stated(1_250.0));
    second.judgement.told.changes.push(change(1_100.0, Some(1_250.0)));
    let passages = vec![
        teller("third", 2025, change(1_250.0, Some(1_400.0))),
        second,
        older("first", 2021, stated(1_100.0)),
    ];
    let found = assessed(passages);
    assert!(found.entailments[0].contradicting_sources.is_empty(), "{:?}", found.entailments);
    let tree = found.confidence.claim_confidences[0].explained.render();
    assert!(tree.contains("first.md (2021) = 0 : superseded by the change told in second.md"));
    assert!(tree.contains("second.md (2023) = 0 : superseded by the change told in third.md"));
}

#[test]
fn what_also_denies_another_word_still_counts() {
    // Whoever judged it names no figure against the claim then.
    let mut old = older("old", 2023, stated(1_250.0));
    old.judgement.told.against.clear();
    let found = assessed(vec![teller("new", 2025, change(1_250.0, Some(1_400.0))), old]);
    assert_eq!(found.entailments[0].contradicting_sources.len(), 1);
}

#[test]
fn an_old_figure_is_not_borne_out_by_old_words() {
    let verdict = |of_now: bool, told: ToldChange, old: Stated| {
        let asked = FiguresTold { of_now, ..rent(1_250.0) };
        let against = told.after.iter().cloned().collect();
        let new = FiguresTold { against, changes: vec![told], ..asked.clone() };
        let mut new = passage("new", 2025, new);
        (new.judgement.supports, new.judgement.refutes) = (0.1, 0.8);
        let old = passage("old", 2023, FiguresTold { stated: vec![old], ..asked });
        let found = assessed(vec![new, old]);
        (found.entailments[0].verdict.clone(), found.entailments[0].reasoning.clone())
    };
    let rise = || change(1_250.0, Some(1_400.0));
    let (now, why) = verdict(true, rise(), stated(1_250.0));
    assert_eq!(now, Verdict::Contradicted);
    assert!(why.contains("old.md (2023): superseded by the change told in new.md (2025)"), "{why}");
    assert_eq!(verdict(true, change(1_250.0, None), stated(1_250.0)).0, Verdict::Contradicted);
    // What was so is still borne out, and so is what was said after the change.
    assert_eq!(verdict(false, rise(), stated(1_250.0)).0, Verdict::Entailed);
    let told = ToldChange { when: Some(PartialDate::year(2019)), ..rise() };
    let later = Stated { when: Some(PartialDate::year(2024)), ..stated(1_250.0) };
    assert_eq!(verdict(true, told, later).0, Verdict::Entailed);
}

#[test]
fn of_two_dates_the_newer_is_named() {
    let of = |new: i32, old: i32| {
        assessed(vec![passage("new", new, rent(1_400.0)), older("old", old, stated(1_250.0))])
    };
    let found = of(2025, 2023);
    let entailment = &found.entailments[0];
    assert_eq!(entailment.contradicting_sources.len(), 1, "both count");
    assert!(entailment.reasoning.contains("new.md (2025) is the newer one"), "{entailment:?}");
    let tree = found.confidence.claim_confidences[0].explained.render();
    assert!(tree.contains("newer than old.md (2023), but tells of no change"), "{tree}");
    // Without dates, or in one year, nobody knows.
    for (new, old) in [(0, 2023), (2025, 0), (2024, 2024)] {
        let found = of(new, old);
        assert!(!found.entailments[0].reasoning.contains("newer"), "{new} {old}");
    }
}

#[test]
fn a_day_that_a_sentence_names_is_not_the_time_of_its_document() {
    let place = |start: usize, end: usize| EvidenceSpan { item: 0, span: Span { start, end } };
    let mut new = passage("new", 2021, rent(1_400.0));
    new.judgement.sentences = vec![place(30, 60)];
    new.judgement.told.times = vec![
        Dated { place: place(0, 29), date: PartialDate::year(2020) },
        Dated { place: place(30, 60), date: PartialDate::year(2026) },
    ];
    let found = assessed(vec![new, older("old", 2023, stated(1_250.0))]);
    let reasoning = &found.entailments[0].reasoning;
    assert!(reasoning.contains("old.md (2023) is the newer one"), "{reasoning}");
    assert!(!reasoning.contains("2026"), "{reasoning}");
    // Nor is it where the document has no time of its own.
    let mut new = passage("new", 0, rent(1_400.0));
    new.judgement.sentences = vec![place(30, 60)];
    new.judgement.told.times = vec![Dated { place: place(30, 60), date: PartialDate::year(2026) }];
    let found = assessed(vec![new, older("old", 2023, stated(1_250.0))]);
    assert!(!found.entailments[0].reasoning.contains("newer"));
    // A document without a date may have one in its headings.
    let mut new = passage("new", 0, rent(1_400.0));
    new.judgement.told.under = Some(PartialDate::year(2024));
    let found = assessed(vec![new, older("old", 2023, stated(1_250.0))]);
    assert!(found.entailments[0].reasoning.contains("new.md (2024) is the newer one"));
}

#[test]
fn judgements_of_before_are_pooled_as_they_were() {
    let mut old = older("old", 2023, stated(1_250.0));
    old.judgement.told = FiguresTold::default();
    let new = passage("new", 2025, FiguresTold::default());
    assert_eq!(assessed(vec![new, old]).entailments[0].contradicting_sources.len(), 1);
}
