//! Kinds: what a row is for, where it names another kind than the question: "Clipping, poodle: 30" tells no price for a spaniel,
//! and "Ticket, child: 4" none for an adult.

use super::cells::fields;
use super::question::{Class, Question};
use super::unit::EvidenceUnit;
use elenchus_core::text::{stem, words};

/// Kinds of one sort each, as stems: what holds for one is not said of another.
const KINDS: [&[&str]; 3] = [
    &[
        "dog", "cat", "rabbit", "hors", "poni", "ferret", "hamster", "sheep", "goat", "pig", "cow",
        "bird", "parrot", "donkey", "snake", "tortois",
    ],
    &["adult", "child", "children", "student", "senior", "infant"],
    &["car", "van", "lorri", "bus", "motorcycl", "bicycl", "bike", "caravan", "trailer"],
];
/// Stems of words by which a row is for several kinds.
const FOR_ALL: [&str; 7] = ["all", "ani", "any", "other", "each", "everi", "every"];

/// Whether the first field of a row names a kind, and the question asks for another one that nothing about the row names.
pub(super) fn is_of_another_kind(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let asked = |sort: &[&str]| -> Vec<&str> {
        question
            .terms
            .iter()
            .filter(|term| term.class == Class::Noun && sort.contains(&term.stem.as_str()))
            .map(|term| term.stem.as_str())
            .collect()
    };
    KINDS.into_iter().any(|sort| {
        let asked = asked(sort);
        if asked.is_empty() || unit.words.iter().any(|word| asked.contains(&word.stem.as_str())) {
            return false;
        }
        let all = fields(unit);
        let Some(label) = all.first().filter(|_| all.len() >= 2) else { return false };
        let label = unit.text.get(label.at.clone()).unwrap_or_default();
        let said: Vec<String> = words(label).iter().map(|word| stem(word)).collect();
        said.iter().any(|word| sort.contains(&word.as_str()))
            && !said.iter().any(|word| FOR_ALL.contains(&word.as_str()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn another(question: &str, heading: &str, row: &str) -> bool {
        let passages = [document("prices", heading, row)];
        let units = evidence_units(&passages);
        is_of_another_kind(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn a_row_for_another_kind_is_told_apart() {
        let row = "Service: Grooming, sheep; Price: £30";
        assert!(another("What does grooming cost for a goat?", "Prices", row));
        let ticket = "Ticket: Boat trip, child; Price: £4; Note: dogs are free";
        assert!(another("What is the boat trip for an adult?", "Prices", ticket));
    }

    #[test]
    fn the_same_kind_or_none_stays() {
        let row = "Service: Grooming, sheep; Price: £30";
        assert!(!another("What does grooming cost for sheep?", "Prices", row));
        assert!(!another("What does grooming cost?", "Prices", row));
        assert!(!another("What does grooming cost for a goat?", "Prices for goats", row));
        let any = "Service: Grooming, sheep and other animals; Price: £30";
        assert!(!another("What does grooming cost for a goat?", "Prices", any));
        let none = "Service: Grooming, weekday; Price: £30; Note: not for sheep";
        assert!(!another("What does grooming cost for a goat?", "Prices", none));
        let prose = "Grooming of a sheep costs £30.";
        assert!(!another("What does grooming cost for a goat?", "Prices", prose));
    }
}
