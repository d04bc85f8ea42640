//! That texts tell what they tell, down to which passages then count for a claim.

use super::*;
use crate::ingest::sentence::placed;
use crate::verify::BuiltinVerifier;
use elenchus_core::belief::{
    Assessed, CheckedClaim, Claim, JudgedPassage, SourceEvidence, Thresholds, Verdict,
};
use elenchus_core::evidence::Span;
use elenchus_core::id::{ClaimId, SourceId};
use elenchus_core::measure::Explained;
use elenchus_core::port::{Checked, Judgement, Pair, Tier};

const THRESHOLDS: Thresholds = Thresholds { supports: 0.55, refutes: 0.55, relevant: 0.0 };

fn read(claim: &str, text: &str, mismatches: &[Mismatch]) -> FiguresTold {
    let sentences: Vec<(EvidenceSpan, Prepared)> = placed(text)
        .into_iter()
        .map(|(span, sentence)| (EvidenceSpan { item: 0, span }, Prepared::new(sentence)))
        .collect();
    let sentences: Vec<(EvidenceSpan, &Prepared)> =
        sentences.iter().map(|(place, p)| (*place, p)).collect();
    told(&Prepared::new(claim), &sentences, &[], mismatches)
}

/// A passage of a document of a year (0 for none). `against` is the figure that it has in place of the claim's.
fn passage(claim: &str, name: &str, year: i32, text: &str, against: Option<&str>) -> JudgedPassage {
    let (supports, refutes) = if against.is_some() { (0.1, 0.8) } else { (0.9, 0.02) };
    let mismatches: Vec<Mismatch> = against
        .map(|figure| Mismatch {
            kind: MismatchKind::Number,
            claim_text: String::new(),
            claim_span: Span { start: 0, end: 0 },
            evidence_text: Some(figure.to_owned()),
            contradicts: true,
            reason: format!("the evidence has {figure}"),
        })
        .into_iter()
        .collect();
    JudgedPassage {
        evidence: SourceEvidence {
            source_id: SourceId::from(name),
            source_url: format!("{name}.md"),
            location: format!("{name}.md"),
            relevant_text: text.to_owned(),
            span: Span { start: 0, end: text.chars().count() },
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
            told: read(claim, text, &mismatches),
            mismatches,
            grounding: vec![],
            explained: Explained::new("P(supports)", supports, "given"),
        },
        date: (year > 0).then(|| PartialDate::year(year)),
        reliability: 1.0,
        replaced_by: None,
        says_otherwise: false,
    }
}

fn assessed(claim: &str, passages: Vec<JudgedPassage>) -> Assessed {
    let claim = Claim::stated(ClaimId::from("c1"), claim);
    Assessed::new(vec![CheckedClaim { claim, passages, unchecked: vec![] }], THRESHOLDS, None)
}

/// Whether the older statement no longer counts against the claim.
#[track_caller]
fn superseded(claim: &str, new: (i32, &str), old: (i32, &str, &str), is_superseded: bool) {
    let passages = vec![
        passage(claim, "new", new.0, new.1, None),
        passage(claim, "old", old.0, old.1, Some(old.2)),
    ];
    let told = format!("{} {:?}", new.1, passages[0].judgement.told.changes);
    let found = assessed(claim, passages);
    let entailment = &found.entailments[0];
    assert_eq!(entailment.verdict, Verdict::Entailed, "{told} {entailment:?}");
    assert_eq!(entailment.contradicting_sources.is_empty(), is_superseded, "{told} {entailment:?}");
    assert_eq!(entailment.reasoning.contains("superseded"), is_superseded, "{entailment:?}");
}

const RENT: &str = "The rent is £1,400 a month.";
const RISE: &str = "The rent rises from £1,250 to £1,400 a month on 1 April 2025.";
const OLD: &str = "The rent is £1,250 a month.";

#[test]
fn an_older_figure_does_not_count_where_a_change_is_told() {
    superseded(RENT, (2025, RISE), (2023, OLD, "£1,250"), true);
    superseded(RENT, (0, RISE), (0, OLD, "£1,250"), true);
    for told in [
        "The rent was raised to £1,400 a month from £1,250.",
        "The rent is £1,400 a month, up from £1,250.",
        "The rent of £1,400 a month replaces the £1,250 of the lease.",
        "A rent of £1,250 a month was replaced by £1,400.",
        "The rent is no longer £1,250 but £1,400 a month.",
        "The rent was £1,250 a month and is now £1,400.",
        "The rent is now £1,400 a month (previously £1,250).",
        "The proposal to raise the rent from £1,250 to £1,400 was carried.",
        "The rent is due monthly. It goes up from £1,250\nto £1,400.",
    ] {
        superseded(RENT, (2025, told), (2023, OLD, "£1,250"), true);
    }
    for told in [
        "The club has 212 members, against 190 a year before.",
        "The club used to have 190 members and now has 212.",
    ] {
        let claim = "The club has 212 members.";
        superseded(claim, (0, told), (0, "The club has 190 members.", "190"), true);
    }
}

#[test]
fn in_doubt_both_count() {
    for told in [
        // Nothing changed.
        RENT,
        "The office is open from 9 to 5; the rent is £1,400 a month.",
        "The rents lie between £1,250 and £1,400 a month.",
        // Nothing is settled.
        "It was proposed to raise the rent from £1,250 to £1,400 a month.",
        "The rent may rise from £1,250 to £1,400 a month.",
        "The rent did not rise from £1,250 to £1,400 a month.",
        "The motion to raise the rent from £1,250 to £1,400 was lost.",
        "If the rent rises from £1,250 to £1,400 a month, he leaves.",
        // Another thing.
        "The deposit rises from £1,250 to £1,400.",
        "The rent is £1,400 a month; the deposit was £1,250 and is now £1,500.",
        "The rent of the garage rises from 1,250 metres to 1,400 steps.",
        // Other figures.
        "The rent rises from £1,200 to £1,400 a month.",
        "The rent rises from €1,250 to €1,400 a month.",
    ] {
        superseded(RENT, (2025, told), (2023, OLD, "£1,250"), false);
    }
    // A change that is older than the statement says nothing about it.
    superseded(
        "The centre has 7 rooms.",
        (0, "The centre grew from 5 rooms to 7 in 2019."),
        (2024, "The centre has 5 rooms.", "5"),
        false,
    );
    superseded(
        "The centre has 7 rooms.",
        (2019, "The centre grew from 5 rooms to 7."),
        (0, "In June 2024 the centre has 5 rooms.", "5"),
        false,
    );
    for told in [
        "The rent of flat 3 rises from £1,250 to £1,400.",
        "The rent of the top-floor flat rises from £1,250 to £1,400.",
    ] {
        superseded(
            "The rent of flat 7 is £1,400.",
            (2025, told),
            (2023, "The rent of flat 7, on the ground floor, is £1,250.", "£1,250"),
            false,
        );
    }
}

#[test]
fn another_room_is_another_thing() {
    for (own, other) in [("room 3", "room 7"), ("ward 3", "ward 12"), ("pump 2", "pump 1")] {
        for of in [true, false] {
            // "The rent of room 3", "room 3 rent".
            let rent = |thing: &str| {
                if of { format!("The rent of {thing}") } else { format!("The {thing} rent") }
            };
            let claim = format!("{} is £1,400.", rent(own));
            let old = format!("{} is £1,250.", rent(own));
            let told = |thing: &str| format!("{} rises from £1,250 to £1,400.", rent(thing));
            superseded(&claim, (2025, &told(own)), (2023, &old, "£1,250"), true);
            superseded(&claim, (2025, &told(other)), (2023, &old, "£1,250"), false);
        }
    }
    // The number of the one is a figure of the other.
    superseded(
        "Room 3 has 7 chairs.",
        (2025, "The number of chairs in room 7 rises from 3 to 7."),
        (2023, "Room 3 has 3 chairs.", "3"),
        false,
    );
}

#[test]
fn a_change_back_has_to_be_the_older_one() {
    let claim = "The club has 5 trustees.";
    let up = "The number of trustees of the club rose from 5 to 7";
    let down = "The number of trustees of the club fell from 7 to 5";
    let dated = |text: &str, year: i32| format!("{text} in {year}.");
    superseded(claim, (0, &dated(down, 2022)), (0, &dated(up, 2019), "5 to 7"), true);
    let risen = assessed(
        claim,
        vec![
            passage(claim, "new", 0, &dated(down, 2019), None),
            passage(claim, "old", 0, &dated(up, 2022), Some("5 to 7")),
        ],
    );
    assert_eq!(risen.entailments[0].verdict, Verdict::Contradicted, "{:?}", risen.entailments);
    superseded(claim, (0, &format!("{down}.")), (0, &format!("{up}."), "5 to 7"), false);
}

#[test]
fn an_old_figure_is_not_borne_out_by_old_words() {
    let verdict = |claim: &str, told: &str, old: &str| {
        let passages = vec![
            passage(claim, "new", 2025, told, Some("£1,250 to £1,400")),
            passage(claim, "old", 2023, old, None),
        ];
        assessed(claim, passages).entailments[0].verdict.clone()
    };
    assert_eq!(verdict(OLD, RISE, OLD), Verdict::Contradicted);
    let gone = "The rent is no longer £1,250 a month.";
    assert_eq!(verdict(OLD, gone, OLD), Verdict::Contradicted);
    // What was so is still borne out, and so is what changed in something else.
    for (claim, told, old) in [
        ("In 2023 the rent was £1,250 a month.", RISE, "In 2023 the rent was £1,250 a month."),
        ("The rent was £1,250 a month.", RISE, "The rent was £1,250 a month."),
        (OLD, "The deposit rises from £1,250 to £1,400.", OLD),
        (OLD, "The rent may rise from £1,250 to £1,400.", OLD),
        (OLD, "The rent rose from £1,250 to £1,400 in 2019.", "In 2024 the rent is £1,250."),
    ] {
        assert_eq!(verdict(claim, told, old), Verdict::Entailed, "{claim} {told}");
    }
}

#[test]
fn what_also_denies_another_word_names_no_figure() {
    let number = |text: Option<&str>, kind: MismatchKind| Mismatch {
        kind,
        claim_text: String::new(),
        claim_span: Span { start: 0, end: 0 },
        evidence_text: text.map(str::to_owned),
        contradicts: true,
        reason: String::new(),
    };
    let figure = number(Some("£1,250"), MismatchKind::Number);
    assert_eq!(read(RENT, OLD, std::slice::from_ref(&figure)).against.len(), 1);
    let house = number(Some("Oak House"), MismatchKind::Entity);
    assert!(read(RENT, OLD, &[figure, house]).against.is_empty());
}

#[test]
fn times_are_told_with_their_sentences() {
    let text = "The rent is £1,250. On 1 April 2025 it rises. In the 1990s it was low.";
    let found = read("The rent is low.", text, &[]);
    let dates: Vec<PartialDate> = found.times.iter().map(|time| time.date).collect();
    assert_eq!(dates, [PartialDate::day(2025, 4, 1)]);
    assert_eq!(found.times[0].place.span.start, 20);
    for (text, date) in [
        ("It was told in May 2024.", PartialDate::month(2024, 5)),
        ("It was told in Q3 2024.", PartialDate::quarter(2024, 3)),
        ("It was told in 2024.", PartialDate::year(2024)),
    ] {
        assert_eq!(latest(&Prepared::new(text), usize::MAX), Some(date), "{text}");
    }
}

#[test]
fn the_verifier_tells_it_and_a_journal_keeps_it() {
    let pair = Pair {
        claim: RENT.to_owned(),
        evidence: vec![RISE.to_owned()],
        above: vec!["Letter of March 2025".to_owned(), "Rent".to_owned()],
    };
    let checked = BuiltinVerifier::quick().judge(&[pair]);
    let Checked::Judged(judged) = &checked[0] else { panic!("{checked:?}") };
    let [change] = judged.told.changes.as_slice() else { panic!("{:?}", judged.told) };
    assert_eq!(change.words, "from £1,250 to £1,400");
    assert_eq!(change.when, Some(PartialDate::day(2025, 4, 1)));
    assert_eq!(judged.told.under, Some(PartialDate::month(2025, 3)));
    let json = serde_json::to_string(&checked).expect("it is plain data");
    assert_eq!(serde_json::from_str::<Vec<Checked>>(&json).expect("it reads back"), checked);
}

#[test]
fn any_text_is_only_text() {
    for text in [
        "",
        "no longer",
        "from 5 to",
        "£",
        "1.2.3 to 4,,5",
        "May 5 %",
        "- 2024 -",
        "от 5 до 7",
        "é5 to 6",
    ] {
        let passages =
            vec![passage(text, "a", 0, text, None), passage(text, "b", 0, text, Some(text))];
        assert_eq!(assessed(text, passages).entailments.len(), 1);
    }
}
