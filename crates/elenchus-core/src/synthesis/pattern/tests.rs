//! Each pattern shows where it is and nowhere else.

use super::trend::{chance, g2};
use super::*;
use crate::evidence::{DocDate, PartialDate, Span};
use crate::port::{Contradiction, Mismatch, MismatchKind, Spot};
use crate::testkit::World;
use proptest::prelude::*;

fn reads(documents: &[(String, String)]) -> Vec<ReadPassage> {
    let world =
        documents.iter().fold(World::new("w"), |world, (path, text)| world.document(path, text));
    world.passages().to_vec()
}

fn cites(n: usize, what: &str) -> Vec<(String, String)> {
    (0..n)
        .map(|n| (format!("d{n}.md"), format!("Notes of day {n}: we met {what} and left.")))
        .collect()
}

#[test]
fn ten_voices_make_an_anchor_and_nine_do_not() {
    let filler = |mut documents: Vec<(String, String)>| {
        documents.extend((0..800).map(|n| (format!("f{n}.md"), format!("Rain fell on day {n}."))));
        documents
    };
    let found = anchors(&reads(&filler(cites(10, "Osterby Mill"))), 10);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].name.as_str(), found[0].voices), ("Osterby Mill", 10));
    assert_eq!(found[0].places.len(), 10);
    assert!(anchors(&reads(&filler(cites(9, "Osterby Mill"))), 10).is_empty());
    // Ten documents of one author are one voice.
    let by_one: Vec<(String, String)> = cites(12, "Osterby Mill")
        .into_iter()
        .map(|(path, text)| (path, format!("by: Ada Lind\n\n{text}")))
        .collect();
    assert!(anchors(&reads(&filler(by_one)), 10).is_empty());
    // What every voice writes about all the time is the subject, and short forms are no names.
    let mut subject: Vec<(String, String)> = Vec::new();
    for n in 0..12 {
        let lines: Vec<String> = (0..40)
            .map(|line| format!("On day {line} we saw Halden in rain {n}, as Cor. says."))
            .collect();
        subject.push((format!("s{n}.md"), lines.join("\n\n")));
    }
    let found = anchors(&reads(&subject), 10);
    assert!(found.is_empty(), "{found:?}");
    // What also stands in lower case is no name.
    let mut lower = filler(cites(10, "Millers"));
    lower.extend((0..5).map(|n| (format!("l{n}.md"), "He saw some millers there.".to_owned())));
    let found = anchors(&reads(&lower), 10);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn references_and_titles_are_anchors_of_their_own_kind() {
    let mut documents: Vec<(String, String)> = (0..10)
        .map(|n| {
            let text =
                format!("Sermon {n} on Matthew 5:17 after the Harbour Safety Handbook was read.");
            (format!("s{n}.md"), text)
        })
        .collect();
    documents.push(("h.md".to_owned(), "# Harbour Safety Handbook\n\nWear a vest.".to_owned()));
    let found = anchors(&reads(&documents), 10);
    let of = |kind| {
        found.iter().filter(|one| one.kind == kind).map(|one| one.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(AnchorKind::Reference), ["Matthew 5:17"]);
    assert_eq!(of(AnchorKind::Document), ["Harbour Safety Handbook"]);
}

/// A name is one name in every voice: that of a firm is not that of a person who shares a word with it, a title is told once, and
/// what only describes is none.
#[test]
fn anchors_are_names_and_each_stands_once() {
    let of = |text: &dyn Fn(usize) -> String| {
        let documents: Vec<(String, String)> =
            (0..10).map(|n| (format!("d{n}.md"), text(n))).collect();
        let found = anchors(&reads(&documents), 5);
        found.into_iter().map(|one| (one.kind, one.name)).collect::<Vec<_>>()
    };
    // Half of them name the person, where a line begins, and half the firm.
    let half = |n: usize| match n % 2 {
        0 => format!("Harbour master {n}: Ada Tern; she was ill."),
        _ => format!("On day {n} we wrote to Tern & Gull again."),
    };
    let names = of(&half);
    let name = |name: &str| (AnchorKind::Name, name.to_owned());
    assert_eq!(names, [name("Ada Tern"), name("Tern & Gull")]);
    // A sentence that begins with any word before a name adds nothing to it.
    let begun = |n: usize| match n % 2 {
        0 => format!("Yesterday Osterby was wet on day {n}."),
        _ => format!("It rained in Osterby on day {n}."),
    };
    assert_eq!(of(&begun), [name("Osterby")]);
    let described = |n: usize| format!("We paid with a Norlandian coin in Norlandia on day {n}.");
    assert_eq!(of(&described), [name("Norlandia")]);
    let drawn = |n: usize| format!("They drank a Norlandish wine and an AI-driven APIs list, {n}.");
    assert!(of(&drawn).is_empty());
    // So is the address of a page, whatever place in it is meant.
    let linked =
        |n: usize| format!("On day {n} we read https://tides.example.org/halden#d{n}, twice.");
    let page = "https://tides.example.org/halden".to_owned();
    assert_eq!(of(&linked), [(AnchorKind::Link, page)]);
    // The title of a document is no second anchor as a name.
    let titled = |n: usize| match n {
        0 => "# Harbour Safety Handbook\n\nWear a vest.".to_owned(),
        _ => format!("On day {n} we read the Harbour Safety Handbook again."),
    };
    assert_eq!(of(&titled), [(AnchorKind::Document, "Harbour Safety Handbook".to_owned())]);
}

fn clash(reads: &[ReadPassage], a: usize, b: usize, word: &str) -> Contradiction {
    let spot = |item: usize| Spot {
        item,
        span: Span { start: 0, end: reads[item].passage.text.chars().count() },
    };
    Contradiction {
        a: spot(a),
        b: spot(b),
        why: vec![Mismatch {
            kind: MismatchKind::Number,
            claim_text: word.to_owned(),
            claim_span: Span { start: 0, end: 1 },
            evidence_text: None,
            contradicts: true,
            reason: "they differ".to_owned(),
        }],
        strength: 0.9,
        summary: "on the tide: they differ".to_owned(),
    }
}

/// Voice 0 says otherwise than all the others, about `subjects`.
fn against_all(subjects: &[&str], voices: usize) -> (Vec<ReadPassage>, Vec<Contradiction>) {
    let mut documents = Vec::new();
    for subject in subjects {
        for voice in 0..voices {
            let figure = if voice == 0 { 900 } else { 4 };
            let text = format!("by: Voice {voice}\n\nThe {subject} has {figure} metres in spring.");
            documents.push((format!("{}-{voice}.md", subject.replace(' ', "-")), text));
        }
    }
    let reads = reads(&documents);
    let mut found = Vec::new();
    for (n, _) in subjects.iter().enumerate() {
        found.extend((1..voices).map(|voice| clash(&reads, n * voices, n * voices + voice, "900")));
    }
    (reads, found)
}

#[test]
fn a_pair_that_recurs_is_a_debate_and_the_odd_voice_a_contrarian() {
    let (passages, found) = against_all(&["harbour tide height", "mountain snow depth"], 6);
    let all = debates(&passages, &found);
    assert_eq!(all.len(), 2);
    assert!(all.iter().all(|debate| debate.pairs == 5 && debate.voices == 6), "{all:?}");
    assert_eq!(all[0].clashes.len(), 5);
    let alone = contrarians(&all, 2);
    assert_eq!(alone.len(), 1);
    assert_eq!((alone[0].voice.as_str(), alone[0].debates, alone[0].of), ("Voice 0", 2, 2));
    assert_eq!(alone[0].clashes.len(), 2);
    // Once is no habit.
    let (passages, found) = against_all(&["harbour tide height"], 6);
    assert!(contrarians(&debates(&passages, &found), 2).is_empty());
    // Two voices have no majority.
    let (passages, found) = against_all(&["harbour tide height", "mountain snow depth"], 2);
    assert!(contrarians(&debates(&passages, &found), 1).is_empty());
    assert!(debates(&passages[..1], &found).is_empty(), "positions that do not exist are left out");
}

#[test]
fn those_who_contradict_each_other_are_no_majority() {
    let (passages, mut found) = against_all(&["harbour tide height"], 3);
    assert_eq!(contrarians(&debates(&passages, &found), 1).len(), 1);
    found.push(clash(&passages, 1, 2, "4"));
    assert!(contrarians(&debates(&passages, &found), 1).is_empty());
}

fn dated(count: usize, new: usize, with: usize) -> Vec<ReadPassage> {
    let documents: Vec<(String, String)> = (0..count)
        .map(|n| {
            let newest = n >= count - new;
            let word = if newest && n >= count - with { "hydrogen" } else { "turbines" };
            (
                format!("d{n}.md"),
                format!("# Report {n}\n\nThe plant uses {word} for winter number {n}."),
            )
        })
        .collect();
    let mut reads = reads(&documents);
    for (n, read) in reads.iter_mut().enumerate() {
        let earlier = 2000 + i32::try_from(n % 20).unwrap();
        let year = if n >= count - new { 2025 } else { earlier };
        read.source.date =
            Some(DocDate { value: PartialDate::year(year), stated: year.to_string() });
    }
    reads
}

#[test]
fn what_has_risen_significantly_is_a_trend() {
    let found = trends(&dated(40, 10, 10));
    assert_eq!(found.untested, None);
    assert_eq!((found.dated, found.new, found.since.as_deref()), (40, 10, Some("2025")));
    assert_eq!(found.trends.len(), 1, "{found:?}");
    let one = &found.trends[0];
    assert_eq!((one.term.as_str(), one.new_with, one.old_with), ("hydrogen", 10, 0));
    assert!(one.chance < 0.01 && one.g2 > 20.0);
    // A few documents are no trend, however new the word is.
    assert!(trends(&dated(40, 10, 3)).trends.is_empty());
    let small = trends(&dated(19, 6, 6));
    assert!(small.untested.as_deref().is_some_and(|why| why.contains("19")), "{small:?}");
    assert!(trends(&dated(40, 30, 30)).untested.is_some(), "all new leaves nothing to compare");
    assert!(trends(&[]).untested.is_some());
    // One author's word is not a trend.
    let mut own = dated(40, 10, 10);
    for read in &mut own {
        read.source.author = Some("Ada Lind".to_owned());
    }
    assert!(trends(&own).trends.is_empty());
}

#[test]
fn the_ratio_is_dunnings() {
    // By hand: 10 of 10 against 0 of 30, total 40: 2 (10 ln 4 + 30 ln(4/3)).
    let by_hand = 2.0 * (10.0 * 4.0f64.ln() + 30.0 * (4.0f64 / 3.0).ln());
    assert!((g2(10, 10, 0, 30) - by_hand).abs() < 1e-9);
    assert!(g2(5, 10, 15, 30).abs() < 1e-9);
    assert!((0.04..0.06).contains(&chance(3.841)), "{}", chance(3.841));
}

proptest! {
    #[test]
    fn the_ratio_is_never_negative_and_the_chance_a_probability(a in 0usize..50, b in 0usize..50, n in 50usize..99, m in 50usize..99) {
        let ratio = g2(a, n, b, m);
        prop_assert!(ratio >= 0.0 && ratio.is_finite());
        prop_assert!((0.0..=1.0).contains(&chance(ratio)));
    }

    #[test]
    fn no_text_makes_it_panic(texts in prop::collection::vec(".{0,80}", 0..6)) {
        let documents: Vec<(String, String)> =
            texts.into_iter().enumerate().map(|(n, text)| (format!("{n}.md"), text)).collect();
        let reads = reads(&documents);
        let _ = (anchors(&reads, 1), trends(&reads), debates(&reads, &[]));
    }
}
