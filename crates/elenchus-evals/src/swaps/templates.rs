//! Supported pairs of our own, filled in by a seeded die: for kinds of swap that the labelled sets hardly have, and for
//! folders that have no supported pairs at all. The claims say the evidence in other words.

use super::data::Pair;
use super::make::Dice;

/// The set's name.
pub(crate) const SET: &str = "templates";

/// Pairs that are made.
const MADE: usize = 840;

/// Evidence and claim. `{Y}` is a year, `{N}` a number, `{A}` and `{B}` people, `{P}` and `{Q}` places, `{O}` a house.
const TEMPLATES: [(&str, &str); 14] = [
    (
        "In {Y} the {O} works at {P} took on {N} people, which was more than the year before.",
        "The {O} works at {P} took on {N} people in {Y}, more than the year before.",
    ),
    (
        "{A} led the {O} trust from {Y} on and may have lived in {P} before that.",
        "From {Y} on the {O} trust was led by {A}, who may have lived in {P} before that.",
    ),
    (
        "The bridge at {P} is {N} metres long and was opened in {Y}, later than the one at {Q}.",
        "The bridge at {P} was opened in {Y}, later than the one at {Q}, and is {N} metres long.",
    ),
    (
        "{A} wrote to the council of {P} in {Y} that the well could be {N} feet deep.",
        "In {Y} the council of {P} was told by {A} that the well could be {N} feet deep.",
    ),
    (
        "A survey of {Y} found that the tower of {P} is {N} meters high, higher than any other in the district.",
        "The tower of {P} is {N} meters high and higher than any other in the district, as a survey found in {Y}.",
    ),
    (
        "The {O} society was founded in {Y} by {A}, who gave it {N} pounds.",
        "{A} founded the {O} society in {Y} and gave it {N} pounds.",
    ),
    (
        "The flood of {Y} lasted {N} days and was probably the largest that {P} had seen.",
        "In {Y} a flood of {N} days came over {P}, probably the largest that it had seen.",
    ),
    (
        "The road from {P} to {Q} is {N} km long; it was finished in {Y}, earlier than planned.",
        "The road from {P} to {Q} was finished in {Y}, earlier than planned, and is {N} km long.",
    ),
    (
        "Harvests at {P} fell after {Y}, and the {O} farm kept fewer than {N} cows.",
        "The {O} farm kept fewer than {N} cows when harvests at {P} fell after {Y}.",
    ),
    (
        "{A} was born at {P} in {Y} and might have studied with {B}.",
        "Born at {P} in {Y}, {A} might have studied with {B}.",
    ),
    (
        "Since {Y} the library of {P} has been open for {N} hours a week, longer than the one of {Q}.",
        "The library of {P} has been open for {N} hours a week since {Y}, longer than the one of {Q}.",
    ),
    (
        "The {O} company sold its mill at {P} to {A} in {Y} for {N} thousand pounds.",
        "In {Y} {A} bought the mill at {P} from the {O} company for {N} thousand pounds.",
    ),
    (
        "The election of {Y} was won by {A} with {N} votes more than {B}.",
        "{A} won the election of {Y} with {N} votes more than {B}.",
    ),
    (
        "The chapel at {P}, begun in {Y}, is older than the one at {Q} and has {N} seats.",
        "The chapel at {P} was begun in {Y}; it has {N} seats and is older than the one at {Q}.",
    ),
];

/// Sentences that may stand around the one that says it.
const AROUND: [&str; 6] = [
    "The parish books tell little of that time.",
    "Much of what is known comes from letters.",
    "The papers were kept in a chest until somebody asked for them.",
    "What was written about it later is not of one mind.",
    "The weather had been bad and the roads were poor.",
    "Nobody has gone through the accounts since.",
];

const PEOPLE: [&str; 14] = [
    "Ada Brenkel",
    "Tomas Verrin",
    "Ilse Quorn",
    "Peter Halvik",
    "Nora Stamwell",
    "Jonas Ketteridge",
    "Ruth Ombley",
    "Samuel Drayhurst",
    "Clara Finsbeck",
    "Edwin Marlock",
    "Helga Tarnow",
    "Victor Pellam",
    "Agnes Rowntree",
    "Oskar Lindqvist",
];

const PLACES: [&str; 14] = [
    "Ostwick",
    "Pennmoor",
    "Harlow Dene",
    "Kettleby",
    "Saltmarsh",
    "Durnford",
    "Elmswell",
    "Graythorpe",
    "Westerholt",
    "Ravensford",
    "Thornaby Cross",
    "Muckleton",
    "Averley",
    "Stonegate",
];

const HOUSES: [&str; 10] = [
    "Brackwater",
    "Corvane",
    "Dellmont",
    "Fennimore",
    "Hexworth",
    "Larkspur",
    "Merribank",
    "Northgate",
    "Pemberline",
    "Tolliver",
];

/// The pairs, the same ones every time.
pub(crate) fn pairs() -> Vec<Pair> {
    let mut dice = Dice::new(11);
    (0..MADE).map(|n| pair(TEMPLATES[n % TEMPLATES.len()], &mut dice)).collect()
}

fn pair((evidence, claim): (&str, &str), dice: &mut Dice) -> Pair {
    let (people, places) = (two(&PEOPLE, dice), two(&PLACES, dice));
    let house = HOUSES[dice.below(HOUSES.len())];
    // No number of them can be taken for a year.
    let (year, number) = ((1700 + dice.below(320)).to_string(), (12 + dice.below(480)).to_string());
    let filled = |text: &str| {
        text.replace("{Y}", &year)
            .replace("{N}", &number)
            .replace("{A}", people[0])
            .replace("{B}", people[1])
            .replace("{P}", places[0])
            .replace("{Q}", places[1])
            .replace("{O}", house)
    };
    let around = two(&AROUND, dice);
    Pair {
        set: SET,
        claim: filled(claim),
        evidence: vec![around[0].to_owned(), filled(evidence), around[1].to_owned()],
        generated: true,
    }
}

/// Two different ones.
fn two(all: &[&'static str], dice: &mut Dice) -> [&'static str; 2] {
    let first = dice.below(all.len());
    let second = (first + 1 + dice.below(all.len() - 1)) % all.len();
    [all[first], all[second]]
}

#[cfg(test)]
mod tests {
    use super::super::make::{KINDS, Swap, attacks};
    use super::*;

    #[test]
    fn every_slot_is_filled_and_claim_and_evidence_share_what_can_be_swapped() {
        let pairs = pairs();
        assert_eq!(pairs.len(), MADE);
        for pair in &pairs {
            let evidence = pair.evidence.join(" ");
            assert!(!pair.claim.contains('{') && !evidence.contains('{'), "{}", pair.claim);
            let named =
                |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() > 1;
            for word in pair.claim.split(|c: char| !c.is_alphanumeric()).filter(named) {
                assert!(evidence.contains(word), "{word} of {}", pair.claim);
            }
        }
        let claims: std::collections::BTreeSet<&str> =
            pairs.iter().map(|pair| pair.claim.as_str()).collect();
        assert!(claims.len() > MADE * 9 / 10);
    }

    #[test]
    fn the_templates_alone_give_two_hundred_years_and_some_of_every_kind() {
        let made = attacks(&pairs(), 1, 200);
        for kind in KINDS {
            let n = made.iter().filter(|attack| attack.kind == kind).count();
            assert!(n >= 100, "{kind:?} {n}");
        }
        let years = made.iter().filter(|attack| attack.kind == Swap::Year);
        assert_eq!(years.count(), 200);
    }
}
