use super::*;

fn reckon(claim: &str, evidence: &[&str]) -> Option<(bool, String)> {
    let evidence: Vec<Prepared> = evidence.iter().map(|text| Prepared::new(text)).collect();
    let place = EvidenceSpan { item: 0, span: Span { start: 0, end: 0 } };
    let placed: Vec<(EvidenceSpan, &Prepared)> = evidence.iter().map(|p| (place, p)).collect();
    reckoned(&Prepared::new(claim), &placed).map(|found| (found.holds, found.sum))
}

#[track_caller]
fn comes_to(claim: &str, evidence: &[&str], holds: bool, sum: &str) {
    let found = reckon(claim, evidence);
    assert_eq!(found, Some((holds, sum.to_owned())), "{claim:?} | {evidence:?}");
}

#[track_caller]
fn silent(claim: &str, evidence: &[&str]) {
    assert_eq!(reckon(claim, evidence), None, "{claim:?} | {evidence:?}");
}

const TANKS: [&str; 2] = ["The upper tank holds 900 litres.", "The lower tank holds 1,400 litres."];

#[test]
fn figures_of_the_things_that_are_named_add_up() {
    comes_to("Together the two tanks hold 2,300 litres.", &TANKS, true, "900 + 1,400 = 2,300");
    comes_to("The two tanks hold 2,300 litres.", &TANKS, true, "900 + 1,400 = 2,300");
    comes_to("In total, both tanks hold 2,500 litres.", &TANKS, false, "900 + 1,400 = 2,300");
    comes_to(
        "The upper tank and the lower tank hold 2,300 litres together.",
        &TANKS,
        true,
        "900 + 1,400 = 2,300",
    );
    comes_to(
        "The tanks together hold more than 2,000 litres.",
        &TANKS,
        true,
        "900 + 1,400 = 2,300",
    );
    comes_to(
        "Huts A and B have 17 beds in all.",
        &["Hut A has 8 beds and hut B 9."],
        true,
        "8 + 9 = 17",
    );
    comes_to(
        "The Osprey and the Heron carry 85 travellers together.",
        &["The Osprey carries 60 travellers; the Heron carries 25."],
        true,
        "60 + 25 = 85",
    );
}

#[test]
fn what_is_not_surely_of_those_things_is_not_added() {
    for (claim, evidence) in [
        // Another number of them, another kind, another unit, another noun.
        ("Together the three tanks hold 2,300 litres.", TANKS.to_vec()),
        ("Together the two barrels hold 2,300 litres.", TANKS.to_vec()),
        ("Together the two tanks hold 2,300 gallons.", TANKS.to_vec()),
        ("Together the two tanks hold 2,300 eels.", TANKS.to_vec()),
        // Another deed, another time, another span of time.
        ("Together the two tanks lost 2,300 litres.", TANKS.to_vec()),
        (
            "Together the two tanks held 2,300 litres.",
            vec![
                "The upper tank held 900 litres in 2019.",
                "The lower tank held 1,400 litres in 2021.",
            ],
        ),
        (
            "Together the two tanks take 2,300 litres.",
            vec!["The upper tank takes 900 litres a day.", "The lower tank takes 1,400 litres."],
        ),
        // What is said otherwise in another sentence, what may be, what is denied, what is of a part.
        (
            "Together the two tanks hold 2,300 litres.",
            vec![TANKS[0], TANKS[1], "The lower tank holds 1,500 litres."],
        ),
        (
            "Together the two tanks hold 2,300 litres.",
            vec![TANKS[0], "The lower tank may hold 1,400 litres."],
        ),
        (
            "Together the two tanks hold 2,300 litres.",
            vec![TANKS[0], "The lower tank holds about 1,400 litres."],
        ),
        (
            "Together the two tanks hold 2,300 litres.",
            vec![TANKS[0], "The lid of the lower tank holds 1,400 litres."],
        ),
        (
            "Together the two tanks hold 2,300 litres.",
            vec![TANKS[0], "The lower tank holds 1,400 litres of brine."],
        ),
        // Each of them is meant, or more than they hold now.
        ("The two tanks hold 2,300 litres each.", TANKS.to_vec()),
        ("Together the two tanks hold another 2,300 litres.", TANKS.to_vec()),
        // Each of them may be meant, or a sum that is told elsewhere.
        ("The two tanks hold 1,400 litres.", TANKS.to_vec()),
        ("The two tanks hold 900 litres.", TANKS.to_vec()),
        (
            "Together the two tanks hold 2,500 litres.",
            vec![TANKS[0], TANKS[1], "With the pipes it is 2,500 litres."],
        ),
    ] {
        silent(claim, &evidence);
    }
}

#[test]
fn two_figures_of_one_kind_are_compared() {
    let trees = ["The oak is 18 m tall.", "The lime is 15 m tall."];
    comes_to("The oak is taller than the lime.", &trees, true, "18 is more than 15");
    comes_to("The lime is taller than the oak.", &trees, false, "15 is less than 18");
    comes_to("The oak is 3 m taller than the lime.", &trees, true, "18 \u{2212} 15 = 3");
    comes_to("The oak is 5 m taller than the lime.", &trees, false, "18 \u{2212} 15 = 3");
    let ships = ["The Osprey carries 60 travellers.", "The Heron carries 30 travellers."];
    comes_to(
        "The Osprey carries more travellers than the Heron.",
        &ships,
        true,
        "60 is more than 30",
    );
    comes_to(
        "The Heron carries 30 fewer travellers than the Osprey.",
        &ships,
        true,
        "60 \u{2212} 30 = 30",
    );
    comes_to(
        "The Osprey carries twice as many travellers as the Heron.",
        &ships,
        true,
        "60 / 30 = 2",
    );
    comes_to(
        "The Osprey carries three times as many travellers as the Heron.",
        &ships,
        false,
        "60 / 30 = 2",
    );
    comes_to(
        "The Heron carries as many travellers as the Osprey.",
        &ships,
        false,
        "30 is less than 60",
    );
    let seats = ["A seat costs 12 euros for an adult and 7 euros for a pupil."];
    comes_to(
        "A seat costs 5 euros more for an adult than for a pupil.",
        &seats,
        true,
        "12 \u{2212} 7 = 5",
    );
    let flats = ["The rent of flat 1 is 700 euros.", "The rent of flat 2 is 650 euros."];
    comes_to(
        "The rent of flat 1 is higher than that of flat 2.",
        &flats,
        true,
        "700 is more than 650",
    );
}

#[test]
fn two_times_of_one_thing_are_compared() {
    let pool = ["In 2019 the pool counted 8,000 swimmers; in 2020 it counted 6,000."];
    comes_to(
        "The pool counted 2,000 fewer swimmers in 2020 than in 2019.",
        &pool,
        true,
        "8,000 \u{2212} 6,000 = 2,000",
    );
    comes_to(
        "The pool counted 25 % fewer swimmers in 2020 than in 2019.",
        &pool,
        true,
        "(8,000 \u{2212} 6,000) / 8,000 = 25 %",
    );
    comes_to(
        "The pool counted more swimmers in 2020 than in 2019.",
        &pool,
        false,
        "6,000 is less than 8,000",
    );
    silent("The pool counted more swimmers in 2021 than in 2019.", &pool);
    silent("The baths counted fewer swimmers in 2020 than in 2019.", &pool);
}

#[test]
fn what_may_be_of_other_things_is_not_compared() {
    for (claim, evidence) in [
        // Of two kinds, of two times, of other things than those named, and one figure alone.
        (
            "The Osprey carries more travellers than the Heron.",
            vec!["The Osprey carries 60 travellers.", "The Heron carries 30 mail bags."],
        ),
        (
            "The Osprey carried more travellers than the Heron.",
            vec![
                "The Osprey carried 60 travellers in 1998.",
                "The Heron carried 30 travellers in 2004.",
            ],
        ),
        (
            "The Osprey carries more travellers than the Heron.",
            vec!["The Osprey carries 60 travellers.", "The Heron carried 30 travellers."],
        ),
        (
            "The Osprey carries more travellers than the Heron.",
            vec![
                "The Osprey carries 60 travellers.",
                "The boat of the Heron carries 30 travellers.",
            ],
        ),
        (
            "The Osprey carries more travellers than the Heron.",
            vec!["The Osprey carries 60 travellers.", "The Heron carries 30 travellers in winter."],
        ),
        (
            "The Osprey carries more travellers than the Heron.",
            vec!["The Osprey carries 60 travellers."],
        ),
        (
            "The Osprey carries more travellers than expected.",
            vec!["The Osprey carries 60 travellers.", "The Heron carries 30 travellers."],
        ),
        // A part of what is compared.
        (
            "The Osprey carries more travellers than the Heron.",
            vec!["The Osprey carries 60 old travellers.", "The Heron carries 30 travellers."],
        ),
        // Another way to measure.
        (
            "The oak is older than the lime.",
            vec!["The oak is 18 m tall.", "The lime is 15 m tall."],
        ),
    ] {
        silent(claim, &evidence);
    }
}

#[test]
fn what_was_and_what_is_make_a_change() {
    let fee =
        ["The fee of the school was 30 euros a term in 2021.", "It is 36 euros a term since 2022."];
    comes_to("The fee rose by 6 euros in 2022.", &fee, true, "36 \u{2212} 30 = 6");
    comes_to("The fee rose by 6 euros.", &fee, true, "36 \u{2212} 30 = 6");
    comes_to("The fee rose by 20 %.", &fee, true, "(36 \u{2212} 30) / 30 = 20 %");
    comes_to("The fee rose by 9 euros.", &fee, false, "36 \u{2212} 30 = 6");
    comes_to("The fee fell in 2022.", &fee, false, "36 is more than 30");
    silent("The fee rose by 6 euros in 2020.", &fee);
    silent("The fine rose by 6 euros.", &fee);
    let choir = ["The choir had 24 singers in 2019.", "The choir had 48 singers in 2023."];
    comes_to("The number of singers doubled.", &choir, true, "48 / 24 = 2");
    comes_to("The number of singers tripled.", &choir, false, "48 / 24 = 2");
    silent("The number of players doubled.", &choir);
    silent(
        "The number of singers doubled.",
        &["The choir lost 24 singers in 2019.", "The choir lost 48 singers in 2023."],
    );
    silent("The toll rose by 1 euro.", &["The refund of the toll rose from 4 to 5 euros."]);
    silent("The fee rose by 6 kg.", &fee);
    let told = ["The toll rose from 4 to 5 euros in 2018."];
    comes_to("The toll rose by 1 euro in 2018.", &told, true, "5 \u{2212} 4 = 1");
    comes_to("The toll rose by 25 %.", &told, true, "(5 \u{2212} 4) / 4 = 25 %");
    comes_to("The toll rose by 2 euros.", &told, false, "5 \u{2212} 4 = 1");
    silent("The toll rose by 1 euro in 2019.", &told);
    silent(
        "The toll rose by 1 euro.",
        &["The council will consider a rise of the toll from 4 to 5 euros."],
    );
}

#[test]
fn what_is_listed_is_counted() {
    let letter = ["Vera Lind, Omar Haas and Kit Moe signed the letter."];
    comes_to(
        "Three teachers signed the letter.",
        &letter,
        true,
        "3 (Vera Lind, Omar Haas and Kit Moe)",
    );
    // Not all of them need be teachers, and others may have signed.
    silent("Two teachers signed the letter.", &letter);
    silent("Four teachers signed the letter.", &letter);
    silent("Three teachers signed the lease.", &letter);
    silent("Three windows signed the letter.", &letter);
    let mill = ["The mill has branches in Lund, Bergen and Oslo."];
    comes_to("The mill has three branches.", &mill, true, "3 (Lund, Bergen and Oslo)");
    comes_to("The mill has two branches.", &mill, false, "3 (Lund, Bergen and Oslo)");
    silent("The mill has four branches.", &mill);
    silent(
        "The mill has three branches.",
        &["The mill has branches in towns such as Lund, Bergen and Oslo."],
    );
}
