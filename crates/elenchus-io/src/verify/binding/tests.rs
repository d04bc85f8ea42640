use super::*;
use proptest::prelude::*;

pub(super) fn run(claim: &str, evidence: &[&str]) -> Bindings {
    let evidence: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
    check(&Prepared::new(claim), &evidence)
}

pub(super) fn kinds(claim: &str, evidence: &str) -> Vec<MismatchKind> {
    run(claim, &[evidence]).mismatches.into_iter().map(|m| m.kind).collect()
}

#[track_caller]
pub(super) fn fires(kind: MismatchKind, claim: &str, evidence: &str) {
    let found = run(claim, &[evidence]).mismatches;
    assert!(found.iter().any(|m| m.kind == kind), "{claim:?} | {evidence:?}: {found:?}");
}

#[track_caller]
pub(super) fn silent(claim: &str, evidence: &str) {
    let found = run(claim, &[evidence]).mismatches;
    assert!(found.is_empty(), "{claim:?} | {evidence:?}: {found:?}");
}

#[test]
fn probes_that_fool_other_checkers() {
    let evidence = "Acme revenue rose 12 % to $40 million in 2021 while Beta revenue fell 7 %";
    silent("Acme revenue rose 12 % in 2021", evidence);
    silent("Beta revenue fell 7 %", evidence);
    fires(MismatchKind::Polarity, "Acme revenue fell 12 % in 2021", evidence);
    let found = run("Beta revenue rose 12 % to $40 million", &[evidence]);
    assert!(found.contradicts(), "{found:?}");
    silent(
        "The early church believed Jesus was divine",
        "Ignatius did not doubt for a moment that Jesus was divine; the church affirmed it",
    );
    let water = run("Water freezes at 0 °C", &["Water boils at 100 °C"]);
    assert!(water.contradicts(), "{water:?}");
    assert!(kinds("Water boils at 100 °C", "Water boils at 100 °C").is_empty());
}

#[test]
fn numbers() {
    for (claim, evidence) in [
        ("Veltrix earned $21.4M.", "Veltrix earned 21.4 million dollars in the year."),
        ("Veltrix earned $21.4M.", "The firm Veltrix earned USD 21,400,000."),
        ("Veltrix sold about 50 robots.", "Veltrix sold 49.6 robots."),
        ("Veltrix sold over 100 robots.", "Veltrix sold 120 robots."),
        ("Veltrix sold a dozen robots.", "Veltrix sold twelve robots."),
        ("Half of the robots failed.", "50 % of the robots failed."),
        ("The trial lasted three years.", "It was a 3-year trial, which lasted from May on."),
        ("The road is 5 km long.", "The road is 5,000 metres long."),
        ("Type 1 robots failed.", "Type 1 robots failed in 3 of 4 tests."),
    ] {
        silent(claim, evidence);
    }
    for (claim, evidence) in [
        ("Veltrix sold 40 robots.", "Veltrix sold 45 robots."),
        ("Veltrix earned $21.4 billion.", "Veltrix earned $21.4 million."),
        ("Veltrix sold 12 robots and 40 drones.", "Veltrix sold 40 robots and 12 drones."),
        ("Veltrix sold over 100 robots.", "Veltrix sold 90 robots."),
        ("The share was 12 %.", "The share was 7 %."),
    ] {
        fires(MismatchKind::Number, claim, evidence);
        assert!(run(claim, &[evidence]).contradicts(), "{claim}");
    }
    let unsaid = run("Veltrix sold 40 robots.", &["Veltrix sold robots."]);
    assert_eq!((unsaid.mismatches.len(), unsaid.contradicts()), (1, false), "{unsaid:?}");
}

#[test]
fn units() {
    fires(MismatchKind::Unit, "The road is 5 km long.", "The road is 5 miles long.");
    fires(
        MismatchKind::Unit,
        "The share rose by 5 percentage points.",
        "The share rose by 5 percent.",
    );
    fires(MismatchKind::Unit, "The trial lasted 3 weeks.", "The trial lasted 3 months.");
    fires(MismatchKind::Unit, "It cost €40.", "It cost $40.");
    silent("The trial lasted 2 weeks.", "The trial lasted 14 days.");
}

#[test]
fn dates() {
    for (claim, evidence) in [
        ("Veltrix was founded in 2019.", "Veltrix was founded on 14 May 2019."),
        ("Veltrix was founded in the 1990s.", "Veltrix was founded in 1994."),
        ("The council met in the fourth century.", "The council met in 325 AD."),
    ] {
        silent(claim, evidence);
    }
    fires(MismatchKind::Date, "Veltrix was founded in 2019.", "Veltrix was founded in 2016.");
    let finer = run("Veltrix was founded in May 2019.", &["Veltrix was founded in 2019."]);
    assert_eq!((finer.mismatches.len(), finer.contradicts()), (1, false), "{finer:?}");
    fires(
        MismatchKind::Date,
        "Veltrix opened a plant in Linz in 2010.",
        "Veltrix hired Anna Berg in 2010, and it opened a new plant in Linz in 2015.",
    );
}

#[test]
fn names() {
    for (claim, evidence) in [
        ("Smith founded Veltrix.", "John Smith founded Veltrix."),
        ("J. Smith founded Veltrix.", "John Smith founded Veltrix."),
        ("The WHO warned of it.", "The World Health Organization warned of it."),
        ("The firm is French.", "The firm is from France."),
        ("Anna Berg founded Veltrix.", "She founded Veltrix in her garage."),
    ] {
        silent(claim, evidence);
    }
    for (claim, evidence) in [
        ("Mary Smith founded Veltrix.", "John Smith founded Veltrix."),
        ("Naptha sold 40 robots to Korvin.", "Veltrix sold 40 robots to Korvin."),
        ("The plant is in Graz.", "The plant is in Linz."),
    ] {
        fires(MismatchKind::Entity, claim, evidence);
    }
}

#[test]
fn roles() {
    let evidence = "Veltrix acquired Naptha last week.";
    fires(MismatchKind::Role, "Naptha acquired Veltrix.", evidence);
    fires(MismatchKind::Role, "Veltrix was acquired by Naptha.", evidence);
    silent("Naptha was acquired by Veltrix.", evidence);
    silent("Naptha met Veltrix.", "Veltrix met Naptha.");
}

#[test]
fn negations() {
    for (claim, evidence) in [
        ("The drug does not reduce pain.", "The drug failed to reduce pain."),
        ("The firm is unhappy.", "The firm is not happy."),
        ("The drug reduces pain.", "The drug did not fail to reduce pain."),
        ("Veltrix not only sold robots.", "Veltrix sold robots and drones."),
        ("A man with no shirt is running.", "A man without a shirt is running."),
        ("A shirtless man is jumping over a log.", "A man with no shirt is jumping over a log."),
    ] {
        silent(claim, evidence);
    }
    for (claim, evidence) in [
        ("The drug does not reduce pain.", "The drug reduces pain."),
        ("The drug reduces pain.", "The drug does not reduce pain."),
        ("The drug reduces pain.", "The drug never reduces pain."),
        ("No robot was sold.", "A robot was sold."),
        ("The robot has arrived.", "The robot hasn't arrived."),
        ("The drug reduces pain.", "The drug failed to reduce pain."),
        ("He is a 2017 British senator.", "He is not a 2017 British senator."),
    ] {
        fires(MismatchKind::Negation, claim, evidence);
        assert!(run(claim, &[evidence]).contradicts(), "{claim}");
    }
}

/// That a thing is used up is said with a negation and without one.
#[test]
fn what_is_used_up_is_none() {
    let left = "No flour is left at the mill since the flood.";
    let used = "The flour of the mill ran out after the flood.";
    for (claim, evidence) in [(used, left), (left, used)] {
        let found = run(claim, &[evidence]);
        assert!(!found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
    }
    assert!(run("The flour of the mill never ran out.", &[left]).contradicts());
}

#[test]
fn opposites() {
    fires(MismatchKind::Polarity, "Sales fell in May.", "Sales rose in May.");
    fires(MismatchKind::Polarity, "The board rejected the offer.", "The board accepted the offer.");
    fires(MismatchKind::Polarity, "He left before the war.", "He left after the war.");
    silent("Sales rose in May.", "Sales increased in May.");
    silent("The board rejected the offer.", "The board did not accept the offer.");
}

#[test]
fn comparisons() {
    let evidence = "The sun is larger than the moon.";
    fires(MismatchKind::Comparative, "The moon is larger than the sun.", evidence);
    fires(MismatchKind::Comparative, "The sun is smaller than the moon.", evidence);
    silent("The moon is smaller than the sun.", evidence);
    fires(
        MismatchKind::Comparative,
        "Robots are less common here.",
        "Robots are more common here.",
    );
}

#[test]
fn quantifiers_and_hedges() {
    fires(MismatchKind::Quantifier, "All robots failed.", "Some robots failed.");
    fires(MismatchKind::Quantifier, "Most robots failed.", "Few robots failed.");
    silent("Some robots failed.", "All robots failed.");
    for (claim, evidence) in [
        ("The drug causes pain.", "The drug may cause pain."),
        ("The study proves that the drug works.", "The study suggests that the drug works."),
        ("Coffee causes cancer.", "Coffee is associated with cancer."),
        ("The drug definitely works.", "The drug works."),
    ] {
        fires(MismatchKind::Hedge, claim, evidence);
        assert!(!run(claim, &[evidence]).contradicts(), "{claim}");
    }
    silent("The drug may cause pain.", "The drug causes pain.");
}

#[test]
fn every_content_word_has_its_ground() {
    let claim = Prepared::new("A physician sold 12 dogs in 2019.");
    let found = check(&claim, &[Prepared::new("The doctor sold a dozen dogs on 3 May 2019.")]);
    let by = |word: &str| {
        let token = claim.tokens().iter().position(|t| t.text == word);
        found.grounding.iter().find(|g| Some(g.token) == token).map(|g| g.by)
    };
    assert_eq!(by("physician"), Some(GroundedBy::Synonym));
    assert_eq!(by("sold"), Some(GroundedBy::Exact));
    assert_eq!(by("12"), Some(GroundedBy::Number));
    assert_eq!(by("2019"), Some(GroundedBy::Date));
    assert!(found.mismatches.is_empty(), "{found:?}");
    let content = (0..claim.tokens().len()).filter(|at| claim.is_content(*at)).count();
    assert_eq!(found.grounding.len(), content);
}

#[test]
fn bad_input_is_only_input() {
    let line = "no not 5 % may Veltrix than ".repeat(2_000);
    let huge = "x".repeat(1_000_000);
    let texts = [
        "",
        " ",
        "\u{0}\u{1}",
        &huge,
        &line,
        "𝟙𝟚 🤖🤖",
        "هذا نص من اليمين 12",
        "9999999999999999999999e999",
        "- - -",
    ];
    let prepared: Vec<Prepared> = texts.iter().map(|t| Prepared::new(t)).collect();
    for claim in &prepared {
        let found = check(claim, &prepared);
        assert!(found.mismatches.is_empty(), "a text bears itself out");
        check(claim, &[] as &[Prepared]);
    }
}

#[test]
fn long_texts_take_linear_time() {
    let text = "Veltrix sold 5 robots, not Naptha, in May 2019, and John Smith may be larger. "
        .repeat(4_000);
    let text = Prepared::new(&text);
    let other = Prepared::new(
        &"Naptha did not sell 6 robots of Anna Berg, who rose in 2011. ".repeat(4_000),
    );
    let claim =
        Prepared::new("Veltrix sold 6 robots to Anna Berg, but not to John Smith, in May 2018.");
    let started = std::time::Instant::now();
    check(&text, &[&other, &claim]);
    check(&claim, &[&other, &text]);
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}

/// Sentences of words that the checks look at.
fn sentence() -> impl Strategy<Value = String> {
    let words = [
        "Veltrix", "Naptha", "robots", "sold", "not", "no", "may", "rose", "fell", "5", "40", "%",
        "km", "in", "2019", "May", "more", "less", "than", "all", "some", "only", ",", ".", "and",
        "acquired", "was", "by", "without", "proves", "the", "$", "million", "to", "larger",
        "never", "without", "doubt",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..14).prop_map(|w| w.join(" "))
}

proptest! {
    #[test]
    fn nothing_panics(claim in any::<String>(), evidence in prop::collection::vec(any::<String>(), 0..4)) {
        let evidence: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
        let found = check(&Prepared::new(&claim), &evidence);
        prop_assert!(found.grounding.iter().all(|g| (0.0..=1.0).contains(&g.score)));
    }

    #[test]
    fn spans_give_the_claims_words(claim in sentence(), evidence in prop::collection::vec(sentence(), 0..4)) {
        let evidence: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
        for m in check(&Prepared::new(&claim), &evidence).mismatches {
            prop_assert_eq!(
                elenchus_core::evidence::char_slice(&claim, m.claim_span),
                Some(m.claim_text.as_str())
            );
        }
    }

    #[test]
    fn a_text_bears_itself_out(claim in sentence(), other in sentence()) {
        let claim = Prepared::new(&claim);
        for evidence in [vec![claim.clone()], vec![Prepared::new(&other), claim.clone()]] {
            let found = check(&claim, &evidence);
            prop_assert!(found.mismatches.is_empty(), "{:?}", found.mismatches);
        }
    }

    #[test]
    fn order_changes_only_sentence_numbers(claim in sentence(), evidence in prop::collection::vec(sentence(), 1..5)) {
        let claim = Prepared::new(&claim);
        let there: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
        let back: Vec<Prepared> = there.iter().rev().cloned().collect();
        let (one, two) = (check(&claim, &there), check(&claim, &back));
        prop_assert_eq!(&one.mismatches, &two.mismatches);
        for (a, b) in one.grounding.iter().zip(&two.grounding) {
            prop_assert_eq!((a.token, a.by), (b.token, b.by));
            prop_assert!((a.score - b.score).abs() < 1e-12);
            let text = |g: &Grounding, all: &[Prepared]| {
                g.evidence.map(|(s, t)| (all[s].text().to_owned(), t))
            };
            prop_assert_eq!(text(a, &there), text(b, &back));
        }
    }
}

#[test]
fn a_figure_belongs_to_its_row() {
    let table = [
        "| Lifeboat station | radio | \u{a3}9,600 |",
        "| Seamen's Hall | heat pump | \u{a3}22,500 |",
        "| Little Skerry bird wardens | solar panels | \u{a3}4,200 |",
    ];
    let told = |claim: &str| run(claim, &table).contradicts();
    assert!(told("The Seamen's Hall received \u{a3}9,600."));
    assert!(told("The Lifeboat station received \u{a3}22,500."));
    assert!(told("The bird wardens received \u{a3}18,000."));
    assert!(!told("The Seamen's Hall received \u{a3}22,500."));
    assert!(!told("The bird wardens received \u{a3}4,200."));
}

#[test]
fn a_figure_belongs_to_its_column() {
    let header = "| Grade | Permanent | Temporary |";
    let forms: [&[&str]; 5] = [
        &["Grade: Total; Permanent: 23; Temporary: 5"],
        &["Total; Permanent: 23; Temporary: 5"],
        &[
            "Grade: Officer; Permanent: 18; Temporary: 2",
            "Grade: Total; Permanent: 23; Temporary: 5",
        ],
        &[header, "| Officer | 18 | 2 |", "| Total | 23 | 5 |"],
        &[
            "| Grade | Permanent | Temporary |\n|---|---|---|\n| Officer | 18 | 2 |\n| Total | 23 | 5 |",
        ],
    ];
    for table in forms {
        let told = |claim: &str| run(claim, table).contradicts();
        for right in [
            "There are 23 permanent staff.",
            "There are 5 temporary staff.",
            "In total there are 23 permanent and 5 temporary staff.",
        ] {
            assert!(!told(right), "{right} {table:?}: {:?}", run(right, table));
        }
        for wrong in [
            "There are 23 temporary staff.",
            "There are 5 permanent staff.",
            "There are 23 temporary and 5 permanent staff.",
        ] {
            assert!(told(wrong), "{wrong} {table:?}: {:?}", run(wrong, table));
        }
    }
    let rows = [
        "Grade: Officer; Permanent: 18; Temporary: 2",
        "Grade: Total; Permanent: 23; Temporary: 5",
    ];
    let told = |claim: &str| run(claim, &rows).contradicts();
    assert!(told("There are 18 temporary officers."));
    assert!(!told("There are 18 permanent officers."));
    // A part of the staff is not their sum, and nobody says of which column 28 is.
    assert!(!told("One grade has 18 permanent staff."));
    assert!(!told("There are 28 staff."));
    assert!(!told("There are 23 staff."));
    // Prose says it, whatever the table has.
    assert!(
        !run("There are 23 temporary staff.", &[rows[1], "There are 23 temporary staff now."])
            .contradicts()
    );
}

#[test]
fn rows_with_named_columns_are_rows() {
    let rows = [
        "Name: Seamen's Hall; Grant: £22,500; Paid: £9,600",
        "Name: Lifeboat station; Grant: £9,600; Paid: £4,200",
    ];
    let told = |claim: &str| run(claim, &rows).contradicts();
    assert!(told("The grant of the Seamen's Hall was £9,600."));
    assert!(told("The grant of the Lifeboat station was £22,500."));
    assert!(!told("The grant of the Seamen's Hall was £22,500."));
    // A share in a column of its own, and a figure that is not the table's.
    let years = [
        "Year: 2022; Members: 178; Share of women: 55 %",
        "Year: 2023; Members: 190; Share of women: 60 %",
    ];
    let told = |claim: &str| run(claim, &years).contradicts();
    assert!(!told("In 2023 the club had 190 members."));
    assert!(!told("In 2023 60 % of the members were women."));
    assert!(!told("In 2023 the club had 190 members, 12 more than before."));
    assert!(told("In 2023 the club had 178 members."));
}

#[test]
fn what_was_before_a_change_is_no_longer_so() {
    let rise = "The hire fee for the hall rises from £1,250 to £1,400 a week from April.";
    fires(MismatchKind::Number, "The hire fee for the hall is £1,250 a week.", rise);
    silent("The hire fee for the hall is £1,400 a week.", rise);
    silent("The hire fee for the hall was £1,250 a week.", rise);
    silent("The hire fee for the hall rises from £1,250 a week.", rise);
    let fall = "Membership fell from 212 to 190 during the year.";
    fires(MismatchKind::Number, "The membership is 212.", fall);
    silent("The membership is 190.", fall);
    let beside = "The society had 212 members at the end of 2024, against 190 a year before.";
    fires(MismatchKind::Number, "The society had 190 members at the end of 2024.", beside);
    fires(MismatchKind::Number, "The society has 190 members.", beside);
    silent("The society had 212 members at the end of 2024.", beside);
    silent("The society had 190 members.", beside);
    let up = "Sales came to 5,400 units in 2025, up from 4,900.";
    fires(MismatchKind::Number, "Sales came to 4,900 units in 2025.", up);
    silent("Sales came to 5,400 units in 2025.", up);
    // A span is no change.
    silent("The hall holds 40 people.", "The hall holds from 40 to 60 people.");
}

#[test]
fn a_change_is_told_in_many_words() {
    let was = "The rent is £1,250 a month.";
    for told in [
        "The rent was raised to £1,400 a month from £1,250.",
        "The rent is no longer £1,250 but £1,400 a month.",
        "A rent of £1,250 a month was replaced by £1,400.",
        "A rent of £1,400 replaces the £1,250 of the old lease.",
        "The rent was £1,250 a month and is now £1,400.",
        "The rent is now £1,400 a month (previously £1,250).",
    ] {
        fires(MismatchKind::Number, was, told);
        assert!(run(was, &[told]).contradicts(), "{told}");
        let now = run("The rent is £1,400 a month.", &[told]);
        assert!(!now.contradicts(), "{told}: {now:?}");
        let then = run("The rent was £1,250 a month.", &[told]);
        assert!(!then.contradicts(), "{told}: {then:?}");
    }
}

#[test]
fn what_is_no_change_of_the_thing_takes_nothing_back() {
    let earlier = |claim: &str, evidence: &str| {
        run(claim, &[evidence]).mismatches.iter().any(|m| m.reason.contains("the earlier figure"))
    };
    for (claim, evidence) in [
        // Nothing changed.
        ("The office opens at 9.", "The office is open from 9 to 5."),
        ("The hall is 40 metres long.", "The hall is no longer than 40 metres."),
        ("The club has 12 volunteers.", "The club's 12 volunteers replaced 5 windows."),
        ("The crew has 5 windows.", "The crew of 12 sailors replaced 5 windows."),
        // Another thing changed.
        ("The club has 5 boats.", "Attendance rose from 5 to 7 in 2019."),
        (
            "The club has 190 members.",
            "The club has 190 members, and its boats rose from 190 to 212.",
        ),
        ("The rent of room 7 is £1,250.", "The rent of room 3 was raised from £1,250 to £1,400."),
        ("The rent is £1,250.", "The rent is £1,250, and the deposit was £900 and is now £1,250."),
        // What was is asked for.
        ("The rent was £1,250.", "The rent is no longer £1,250."),
        ("The rent is no longer £1,250.", "The rent is no longer £1,250 a month."),
    ] {
        assert!(!earlier(claim, evidence), "{claim} | {evidence}");
    }
}

#[test]
fn a_figure_of_the_past_does_not_tell_what_is_so_now() {
    let now = "The club has 190 members.";
    for told in [
        "The club had 190 members in 2023.",
        "A year before, the club had 190 members.",
        "The club used to have 190 members.",
        "There were 190 members in the club last year.",
        "The club had been 190 members strong three years ago.",
    ] {
        let found = run(now, &[told]);
        assert!(
            found.mismatches.iter().any(|m| m.kind == MismatchKind::Hedge),
            "{told}: {found:?}"
        );
        assert!(!found.contradicts(), "{told}: {found:?}");
    }
    let beside = "The club has 212 members, against 190 a year before.";
    assert!(run(now, &["The club had 190 members in 2023.", beside]).contradicts());
    let hedged = |claim: &str, evidence: &[&str]| {
        run(claim, evidence).mismatches.iter().any(|m| m.kind == MismatchKind::Hedge)
    };
    let past = "The club had 190 members in 2023.";
    let cases: [(&str, &[&str]); 11] = [
        // The claim is of that time.
        ("The club had 190 members.", &[past]),
        ("In 2023 the club had 190 members.", &[past]),
        ("The club has 190 members in 2023.", &[past]),
        // It is still so, or may be.
        (now, &["The club has had 190 members since 2019."]),
        (now, &["The club has 190 members, and in 2019 it had a fire."]),
        (now, &["The club had 190 members."]),
        (now, &[past, "The club has 190 members today."]),
        ("The club has 5 trustees.", &["The club elected 5 trustees in 2023."]),
        ("The club has 5 boats.", &["In 2023 the club had to sell 5 boats."]),
        // The figure that a comparison is about.
        (
            "The club has 212 members.",
            &["The club had 212 members at the end of 2024, against 190 a year before."],
        ),
        // Another thing.
        ("The club has 5 boats.", &["The club had 5 trustees in 2023."]),
    ];
    for (claim, evidence) in cases {
        assert!(!hedged(claim, evidence), "{claim} | {evidence:?}");
    }
}

#[test]
fn a_motion_that_was_lost_was_not_carried() {
    let lost = "The motion to sell the north field was put and was lost by four votes to seven.";
    fires(MismatchKind::Polarity, "The motion to sell the north field was carried.", lost);
    fires(MismatchKind::Polarity, "The sale of the north field was approved.", lost);
    silent("The motion to sell the north field was lost.", lost);
    silent("The motion to sell the north field was not carried.", lost);
    let carried = "The motion to raise the mooring fee was carried unanimously.";
    fires(MismatchKind::Polarity, "The motion to raise the mooring fee was rejected.", carried);
    silent("The motion to raise the mooring fee was approved.", carried);
    // Nothing was put to a vote.
    silent(
        "The club agreed on a date for the regatta.",
        "The club lost a mast, and then a date for the regatta was found.",
    );
}

#[test]
fn an_office_that_nobody_mentions_is_not_said_to_be_held() {
    let minutes = "Minutes taken by Nell Hathersage.";
    fires(MismatchKind::Role, "Nell Hathersage is the treasurer.", minutes);
    fires(MismatchKind::Role, "Nell Hathersage serves as the treasurer of the society.", minutes);
    silent("Nell Hathersage is the treasurer.", "The treasurer, Nell Hathersage, took them.");
    silent("Nell Hathersage is a person.", "Nell Hathersage, a woman of forty, took the minutes.");
}

#[test]
fn who_left_an_office_does_not_hold_it() {
    let gone = "Piet Marlowe resigned as treasurer with effect from 31 March 2025.";
    fires(MismatchKind::Role, "Piet Marlowe is the treasurer.", gone);
    silent("Piet Marlowe was the treasurer.", gone);
    fires(MismatchKind::Role, "Ann Lee is the chair.", "Ann Lee, the former chair, spoke first.");
    for other in [
        "Ann Lee, a retired nurse, is the treasurer.",
        "Ann Lee, a former nurse, became treasurer in late 2019.",
        "Ann Lee, the treasurer, resigned from the parish council.",
    ] {
        silent("Ann Lee is the treasurer.", other);
    }
    silent("Bob Roe is the chair.", "Bob Roe thanked the former chair, Ann Lee.");
    fires(
        MismatchKind::Role,
        "Ann Lee is the chair.",
        "Bob Roe thanked the former chair, Ann Lee.",
    );
    let next = "Ann Lee stood down and Bob Roe was elected chair.";
    silent("Bob Roe is the chair.", next);
    silent("Ann Lee is the chair.", "Ann Lee, the chair, had not resigned.");
}

#[test]
fn what_was_proposed_is_not_what_will_be() {
    let proposed = "Tamsin Oakes proposed that the boathouse roof be replaced before winter.";
    fires(MismatchKind::Hedge, "The boathouse roof will be replaced before winter.", proposed);
    silent("Tamsin Oakes proposed that the boathouse roof be replaced before winter.", proposed);
    silent("The boathouse roof was replaced.", "As proposed, the boathouse roof was replaced.");
}

#[test]
fn a_change_of_another_room_makes_no_figure_old() {
    let is_old = |claim: &str, evidence: &str| {
        let found = run(claim, &[evidence]).mismatches;
        found.iter().any(|m| m.reason.contains("the earlier figure"))
    };
    for (claim, of) in [
        ("The rent of room 3 is £1,250.", "The rent of room "),
        ("The ward 3 rent is £1,250.", "The ward "),
    ] {
        let told = |number: &str| {
            let rent = if of.ends_with("ward ") { " rent" } else { "" };
            format!("{of}{number}{rent} rises from £1,250 to £1,400.")
        };
        assert!(is_old(claim, &told("3")), "{claim}");
        assert!(!is_old(claim, &told("7")), "{claim}");
    }
}

#[test]
fn another_row_says_nothing_of_this_one() {
    let against = |claim: &str, evidence: &[&str]| run(claim, evidence).against;
    let rope = "item: rope; length: 30 m; price: 7";
    let found = run("item: anvil; length: 1 m; price: 12", &[rope]);
    assert_eq!(found.against, Against::Not, "{found:?}");
    assert!(!found.contradicts(), "{found:?}");
    assert_eq!(against("The price of the anvil is 12.", &[rope]), Against::Not);
    // The same thing in another edition of the table, and its own row beside the others.
    let older = "item: anvil; length: 1 m; price: 11";
    assert_eq!(against("item: anvil; length: 1 m; price: 12", &[older]), Against::Open);
    let lent = "item: small tent, hire; price: 7; note: with pegs";
    assert_eq!(against("item: large tent, hire; price: 12", &[lent]), Against::Not);
    assert_ne!(against("item: small tent, hire; price: 12", &[lent]), Against::Not);
    assert_eq!(against("The price of the anvil is 12.", &[older, rope]), Against::Open);
    // A year and a sum are no other things.
    assert_eq!(against("The guild has 40 smiths.", &["Year: 2021; Smiths: 38"]), Against::Open);
    assert_eq!(against("The guild has 40 smiths.", &["Town: Total; Smiths: 38"]), Against::Open);
    // Prose before a row: the nearest stands first.
    assert_eq!(against("The anvil costs 12.", &["The anvil costs 11.", rope]), Against::Open);
}

#[test]
fn what_is_only_expected_is_not_done() {
    for (claim, evidence) in [
        (
            "The ferry's engine was replaced in May.",
            "The surveyor expects the ferry's engine to need replacing within two years.",
        ),
        ("The quay was repaired.", "The quay is to be repaired before the autumn."),
        ("The baker has moved to Elm Street.", "The baker will move to Elm Street in June."),
        ("The school closed in July.", "The council plans to close the school in July."),
    ] {
        fires(MismatchKind::Hedge, claim, evidence);
        assert!(!run(claim, &[evidence]).contradicts(), "{claim}");
    }
    for (claim, evidence) in [
        ("The quay was repaired.", "The quay needed repairing and was repaired in May."),
        ("The quay will be repaired.", "The quay is to be repaired before the autumn."),
        ("The school closes in July.", "The school will close in July."),
        ("The hall was painted.", "Will painted the hall."),
        ("Edda Lund moved to Oslo.", "Edda Lund had to move, and she moved to Oslo."),
    ] {
        assert!(!kinds(claim, evidence).contains(&MismatchKind::Hedge), "{claim} | {evidence}");
    }
}

#[test]
fn an_office_is_not_borne_out_by_a_name_alone() {
    fires(
        MismatchKind::Role,
        "The treasurer is Nell Hathersage.",
        "Nell Hathersage reported on the flood in the cellar.",
    );
    silent("The treasurer is Nell Hathersage.", "The treasurer, Nell Hathersage, took them.");
    silent("The treasurer is Nell Hathersage.", "Nell Hathersage is the treasurer.");
}

#[test]
fn another_holder_of_the_very_office_says_otherwise() {
    let held = "4.2 The fire warden is Olaf Brandt; his number hangs beside the kitchen door.";
    let found = run("The fire warden is Nell Hathersage.", &[held]);
    assert!(found.contradicts() && found.against == Against::Surely, "{found:?}");
    let found = run("Nell Hathersage is the fire warden.", &[held]);
    assert!(found.contradicts() && found.against == Against::Surely, "{found:?}");
    for (claim, evidence) in [
        ("The fire warden is Olaf Brandt.", held),
        ("The fire warden is Brandt.", held),
        ("The harbour warden is Nell Hathersage.", held),
        ("The fire warden was Nell Hathersage.", held),
        ("Nell Hathersage is a fire warden.", held),
        ("The fire warden is Nell Hathersage.", "The fire warden is away in May."),
    ] {
        assert_ne!(run(claim, &[evidence]).against, Against::Surely, "{claim} | {evidence}");
    }
}

#[test]
fn another_cause_of_the_same_weighs_a_little() {
    let blew = "The fridge failed because a fuse blew on 3 May.";
    for (claim, evidence) in [
        ("The fridge failed because of the thermostat.", blew),
        ("The fridge failed due to the thermostat.", blew),
        ("The fire was caused by a faulty heater.", "The fire was caused by a dropped cigarette."),
    ] {
        let found = run(claim, &[evidence]);
        assert_eq!(found.against, Against::Otherwise, "{claim} | {evidence}: {found:?}");
        let named = |m: &Mismatch| m.reason.contains("as the cause");
        assert!(found.mismatches.iter().any(named), "{found:?}");
    }
    let claim = "The fridge failed because of the thermostat.";
    for (claim, evidence) in [
        (claim, "The fridge failed because of a blown fuse and the thermostat."),
        (claim, "The fridge failed because a fuse blew, and the thermostat was worn."),
        (claim, "The fridge failed partly because a fuse blew."),
        (claim, "The fridge failed, perhaps because a fuse blew."),
        (claim, "The fridge failed not because a fuse blew."),
        (claim, "The second fridge failed because a fuse blew."),
        (claim, "The heating failed because a fuse blew."),
        (claim, "The fridge failed because of a fault."),
        (claim, "The fridge failed on 3 May."),
        ("The fridge failed because of a fault.", blew),
        ("The fridge did not fail because of the thermostat.", blew),
        ("The fridge failed.", blew),
    ] {
        let found = run(claim, &[evidence]);
        assert_ne!(found.against, Against::Otherwise, "{claim} | {evidence}: {found:?}");
    }
    // Another sentence that names it leaves it open as well.
    let found = run(claim, &[blew, "The thermostat had been replaced in March."]);
    assert_ne!(found.against, Against::Otherwise, "{found:?}");
}

#[test]
fn who_will_step_down_does_not_stay_on() {
    let leaving = "Ann Lee will step down as secretary at the annual meeting.";
    fires(MismatchKind::Role, "Ann Lee will stay on as secretary.", leaving);
    assert!(run("Ann Lee will stay on as secretary.", &[leaving]).contradicts());
    // Until then she holds it, and others may stay.
    let is_left = |claim: &str, evidence: &str| {
        run(claim, &[evidence]).mismatches.iter().any(|m| m.reason.contains("the claim says that"))
    };
    assert!(!is_left("Ann Lee is the secretary.", leaving));
    assert!(!is_left("Bob Roe will stay on as secretary.", leaving));
    assert!(!is_left("Ann Lee will not stay on as secretary.", leaving));
    assert!(!is_left("Ann Lee will stay on as secretary.", "Ann Lee will stay on as secretary."));
}

#[test]
fn what_happened_to_nobody_happened_to_no_two_people() {
    let of = "The ferry struck the pier on Sunday.";
    let struck = "Two people were injured when the ferry struck the pier.";
    let against = |claim: &str, evidence: &[&str]| {
        let found = run(claim, evidence);
        found.mismatches.iter().any(|m| m.kind == MismatchKind::Negation && m.contradicts)
    };
    assert!(against(struck, &[of, "Nobody was injured."]));
    assert!(against(struck, &["No one was injured.", of]));
    // Of another matter, of a thing, and where somebody was as well.
    assert!(!against(struck, &["The choir sang on Sunday.", "Nobody was injured."]));
    assert!(!against(
        "The key was found on the pier.",
        &["The key lay on the pier.", "Nobody was found."]
    ));
    assert!(!against(struck, &[of, "Two people were injured.", "Nobody was injured on Monday."]));
}

#[test]
fn one_word_in_common_denies_nothing() {
    let against = |claim: &str, evidence: &[&str]| run(claim, evidence).contradicts();
    let stuck = "I pulled the handle and the drawer would not move.";
    assert!(!against("The autumn fair was moved to 3 October 2024.", &[stuck]));
    assert!(against("The drawer was moved.", &["The drawer was not moved."]));
    assert!(against(
        "The autumn fair was moved.",
        &["They had a fair in autumn, but it was not moved."]
    ));
    let speaks = |claim: &str, evidence: &[&str]| run(claim, evidence).against;
    let letter = "Dear Edda, I have read the report and cannot agree with it.";
    assert_eq!(speaks("The autumn fair was moved to 3 October 2024.", &[letter]), Against::Not);
    assert_eq!(speaks("The report was read.", &[letter]), Against::Open);
    assert_eq!(speaks("The drawer was locked.", &["It stood open all night."]), Against::Open);
}

#[test]
fn a_count_that_the_document_of_its_subject_reports() {
    let found = |claim: &str, told: &str, title: &str| {
        let (told, title) = (Prepared::new(told), Prepared::new(title));
        reported(&Prepared::new(claim), &[&told], &[&title]).is_some()
    };
    let told = "Edda Lund reported 48 looms on 1 March: 30 old and 18 new.";
    assert!(found("The guild has 48 looms.", told, "Weavers' guild: annual meeting"));
    for (claim, told, title) in [
        ("The guild has 48 looms.", told, "Harbour office: annual meeting"),
        ("The guild has 30 looms.", told, "Weavers' guild"),
        ("The guild has 48 wheels.", told, "Weavers' guild"),
        ("The guild has 48 looms in Oslo.", told, "Weavers' guild"),
        ("The guild has 48 looms.", "Edda Lund reported 48 looms of the mill.", "Weavers' guild"),
        ("The guild has 48 looms.", "Edda Lund sold 48 looms.", "Weavers' guild"),
        ("The guild has more than 48 looms.", told, "Weavers' guild"),
    ] {
        assert!(!found(claim, told, title), "{claim} | {told} | {title}");
    }
}
