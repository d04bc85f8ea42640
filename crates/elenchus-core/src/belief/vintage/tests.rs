use super::*;
use crate::belief::{Assessed, CheckedClaim, Claim, SourceEvidence, Verdict};
use crate::evidence::Span;
use crate::id::{ClaimId, SourceId};
use crate::port::{Judgement, Mismatch, Tier};

const THRESHOLDS: Thresholds = Thresholds { supports: 0.55, refutes: 0.55, relevant: 0.0 };

/// A passage of a document of a year (0 for none). `against` is the figure that it has in place of the claim's.
fn passage(name: &str, year: i32, text: &str, against: Option<&str>) -> JudgedPassage {
    let (supports, refutes) = if against.is_some() { (0.1, 0.8) } else { (0.9, 0.02) };
    let mismatches = against.map(|figure| Mismatch {
        kind: MismatchKind::Number,
        claim_text: String::new(),
        claim_span: Span { start: 0, end: 0 },
        evidence_text: Some(figure.to_owned()),
        contradicts: true,
        reason: format!("the evidence has {figure}"),
    });
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
            mismatches: mismatches.into_iter().collect(),
            grounding: vec![],
            explained: Explained::new("P(supports)", supports, "given"),
        },
        setting: Setting {
            text: text.to_owned(),
            context: String::new(),
            date: (year > 0).then(|| PartialDate::year(year)),
        },
    }
}

fn assessed(claim: &str, passages: Vec<JudgedPassage>) -> Assessed {
    let claim = Claim::stated(ClaimId::from("c1"), claim);
    Assessed::new(vec![CheckedClaim { claim, passages, unchecked: vec![] }], THRESHOLDS, None)
}

/// Whether the older statement no longer counts against the claim.
#[track_caller]
fn superseded(claim: &str, new: (i32, &str), old: (i32, &str, &str), is_superseded: bool) {
    let passages =
        || vec![passage("new", new.0, new.1, None), passage("old", old.0, old.1, Some(old.2))];
    let there = assessed(claim, passages());
    let mut turned = passages();
    turned.reverse();
    let back = assessed(claim, turned);
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

const RENT: &str = "The rent is £1,400 a month.";
const RISE: &str = "The rent rises from £1,250 to £1,400 a month on 1 April 2025.";
const OLD: &str = "The rent is £1,250 a month.";

#[test]
fn an_older_figure_does_not_count_where_a_change_is_told() {
    superseded(RENT, (2025, RISE), (2023, OLD, "£1,250"), true);
    // The change itself orders the two.
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
    superseded(
        "The club has 212 members.",
        (0, "The club has 212 members, against 190 a year before."),
        (0, "The club has 190 members.", "190"),
        true,
    );
    superseded(
        "The club has 212 members.",
        (0, "The club used to have 190 members and now has 212."),
        (0, "The club has 190 members.", "190"),
        true,
    );
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
    // Another flat.
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
fn a_change_back_has_to_be_the_older_one() {
    let claim = "The club has 5 trustees.";
    let up = "The number of trustees of the club rose from 5 to 7";
    let down = "The number of trustees of the club fell from 7 to 5";
    let dated = |text: &str, year: i32| format!("{text} in {year}.");
    superseded(claim, (0, &dated(down, 2022)), (0, &dated(up, 2019), "5 to 7"), true);
    let passages = |down: &str, up: &str| {
        vec![passage("new", 0, down, None), passage("old", 0, up, Some("5 to 7"))]
    };
    let risen = assessed(claim, passages(&dated(down, 2019), &dated(up, 2022)));
    assert_eq!(risen.entailments[0].verdict, Verdict::Contradicted, "{:?}", risen.entailments);
    superseded(claim, (0, &format!("{down}.")), (0, &format!("{up}."), "5 to 7"), false);
}

#[test]
fn changes_are_followed_from_one_to_the_next() {
    let passages = vec![
        passage("third", 2025, RISE, None),
        passage(
            "second",
            2023,
            "The rent rises from £1,100 to £1,250 a month on 1 April 2023.",
            Some("£1,100 to £1,250"),
        ),
        passage("first", 2021, "The rent is £1,100 a month.", Some("£1,100")),
    ];
    let found = assessed(RENT, passages);
    assert!(found.entailments[0].contradicting_sources.is_empty(), "{:?}", found.entailments);
    let tree = found.confidence.claim_confidences[0].explained.render();
    assert!(tree.contains("first.md (2021) = 0 : superseded by the change told in second.md"));
    assert!(tree.contains("second.md (2023) = 0 : superseded by the change told in third.md"));
}

#[test]
fn what_also_denies_another_word_still_counts() {
    let mut old = passage("old", 2023, OLD, Some("£1,250"));
    old.judgement.mismatches.push(Mismatch {
        kind: MismatchKind::Entity,
        claim_text: String::new(),
        claim_span: Span { start: 0, end: 0 },
        evidence_text: Some("Oak House".to_owned()),
        contradicts: true,
        reason: "another house".to_owned(),
    });
    let found = assessed(RENT, vec![passage("new", 2025, RISE, None), old]);
    assert_eq!(found.entailments[0].contradicting_sources.len(), 1);
}

#[test]
fn an_old_figure_is_not_borne_out_by_old_words() {
    let verdict = |claim: &str, told: &str, old: &str| {
        let passages = vec![
            passage("new", 2025, told, Some("£1,250 to £1,400")),
            passage("old", 2023, old, None),
        ];
        let found = assessed(claim, passages);
        (found.entailments[0].verdict.clone(), found.entailments[0].reasoning.clone())
    };
    let (now, why) = verdict(OLD, RISE, OLD);
    assert_eq!(now, Verdict::Contradicted);
    assert!(why.contains("old.md (2023): superseded by the change told in new.md (2025)"), "{why}");
    let gone = "The rent is no longer £1,250 a month.";
    assert_eq!(verdict(OLD, gone, OLD).0, Verdict::Contradicted);
    // What was so is still borne out, and so is what changed in something else.
    for (claim, told, old) in [
        ("In 2023 the rent was £1,250 a month.", RISE, "In 2023 the rent was £1,250 a month."),
        ("The rent was £1,250 a month.", RISE, "The rent was £1,250 a month."),
        (OLD, "The deposit rises from £1,250 to £1,400.", OLD),
        (OLD, "The rent may rise from £1,250 to £1,400.", OLD),
        (OLD, "The rent rose from £1,250 to £1,400 in 2019.", "In 2024 the rent is £1,250."),
    ] {
        assert_eq!(verdict(claim, told, old).0, Verdict::Entailed, "{claim} {told}");
    }
}

#[test]
fn of_two_dates_the_newer_is_named() {
    let passages =
        vec![passage("new", 2025, RENT, None), passage("old", 2023, OLD, Some("£1,250"))];
    let found = assessed(RENT, passages);
    let entailment = &found.entailments[0];
    assert_eq!(entailment.contradicting_sources.len(), 1, "both count");
    assert!(entailment.reasoning.contains("new.md (2025) is the newer one"), "{entailment:?}");
    let tree = found.confidence.claim_confidences[0].explained.render();
    assert!(tree.contains("newer than old.md (2023), but tells of no change"), "{tree}");
    // Without dates, or in one year, nobody knows.
    for years in [(0, 2023), (2025, 0), (2024, 2024)] {
        let passages =
            vec![passage("new", years.0, RENT, None), passage("old", years.1, OLD, Some("£1,250"))];
        let found = assessed(RENT, passages);
        assert!(!found.entailments[0].reasoning.contains("newer"), "{years:?}");
    }
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
        let passages = vec![passage("a", 0, text, None), passage("b", 0, text, Some(text))];
        assert_eq!(assessed(text, passages).entailments.len(), 1);
    }
}
