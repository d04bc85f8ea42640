//! Row of: which one of its kind a row is, by a cell that says so.
//!
//! "flat: 12" counts no flats, "bedrooms: 1" is no row of two-bedroom homes, and "block: Tanner House" none of Alder House.

use super::cells::{Field, fields};
use super::clause::is_fields;
use super::numbering::is_numbered_thing;
use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::{Value, ValueKind};
use super::variants::number;
use elenchus_core::text::{is_stop_word, stem, words};

/// Words before a number that belongs to a kind of thing. "More than two bedrooms" leaves open how many, and in "room 4 capacity" it
/// names the room.
const OF_KIND: [&str; 9] = ["a", "an", "the", "with", "for", "of", "has", "have", "having"];
/// Most words of a cell that is a name.
const NAME_WORDS: usize = 4;
/// Forms of address, which stand in the place of a first name.
const ADDRESS: [&str; 9] = ["mr", "mrs", "ms", "miss", "dr", "prof", "sir", "lady", "rev"];

/// Names of columns, as they are written, whose figures only serve to call or to find something.
const CALLS: [&str; 13] = [
    "ext",
    "extension",
    "tel",
    "telephone",
    "phone",
    "mobile",
    "fax",
    "id",
    "ref",
    "reference",
    "code",
    "postcode",
    "zip",
];

/// Whether the row is another one of its kind than the question asks for.
pub(super) fn is_another_row(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let all = fields(unit);
    all.len() >= 3
        && (is_of_another_number(question, unit, &all) || is_of_a_namesake(question, unit, &all))
}

/// Whether a figure is the whole cell of a column that only tells which one something is: "How many flats ...?" over "flat: 12", in
/// the singular and of a thing that is known by a number, or any figure over "ext." that the question does not ask for.
pub(super) fn only_names(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    if value.kind != ValueKind::Count || !question.expects.is_figure() || !is_fields(unit) {
        return false;
    }
    let all = fields(unit);
    let Some(field) = all.iter().find(|field| field.at == value.range) else { return false };
    let [title] = field.title.as_slice() else { return false };
    if !unit.text[field.at.clone()].chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    // "What is the phone number?" asks for any of them.
    let asked = words(&question.text).iter().any(|word| {
        word == title
            || CALLS.contains(&word.as_str())
            || matches!(word.as_str(), "number" | "numbers" | "ring" | "dial" | "call" | "contact")
    });
    let one_of_them = question.counted.as_ref().is_some_and(|counted| stem(title) == *counted);
    !asked && (CALLS.contains(&title.as_str()) || (one_of_them && is_numbered_thing(title)))
}

/// "A two-bedroom flat", "with two bedrooms", over a row whose column of bedrooms has another number.
fn is_of_another_number(question: &Question, unit: &EvidenceUnit<'_>, fields: &[Field]) -> bool {
    let lower = question.text.to_lowercase();
    let all: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    all.windows(2).enumerate().any(|(at, pair)| {
        let Some(wanted) = number(pair[0]) else { return false };
        let noun = stem(pair[1]);
        let before = at.checked_sub(1).map_or("", |at| all[at]);
        // "The 2024 rent" is of a year.
        if is_stop_word(pair[1])
            || !OF_KIND.contains(&before)
            || (1900..2100).contains(&wanted)
            || question.counted.as_ref() == Some(&noun)
        {
            return false;
        }
        let own = fields.iter().find(|field| field.title.len() == 1 && field.name[0] == noun);
        own.and_then(|field| unit.text[field.at.clone()].trim().parse::<usize>().ok())
            .is_some_and(|own| own != wanted)
    })
}

/// A cell that is the name of another one with the same last word, where nothing else of the name that is asked for stands in the row
/// or over it. "A. Lee" and "Mrs Lee" may be Ann Lee.
fn is_of_a_namesake(question: &Question, unit: &EvidenceUnit<'_>, fields: &[Field]) -> bool {
    let most = question.terms.iter().filter_map(|term| term.name).max().unwrap_or(0);
    (1..=most).any(|name| {
        let parts: Vec<&str> = question
            .terms
            .iter()
            .filter(|term| term.hard && term.name == Some(name))
            .map(|term| term.word.as_str())
            .collect();
        let [first @ .., last] = parts.as_slice() else { return false };
        if first.is_empty() {
            return false;
        }
        let stands = unit.words.iter().any(|word| first.contains(&word.word.as_str()));
        let may_be_short = |word: &String| {
            word.chars().count() < 2
                || ADDRESS.contains(&word.as_str())
                || first.iter().any(|part| part.starts_with(word.as_str()))
        };
        let is_namesake = |field: &Field| {
            let text = &unit.text[field.at.clone()];
            let own = words(text);
            (2..=NAME_WORDS).contains(&own.len())
                && own.last().is_some_and(|word| word == last)
                && !own.iter().any(may_be_short)
                && text.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
        };
        !stands && fields.iter().any(is_namesake)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn another(question: &str, row: &str) -> bool {
        let passages = [document("homes", "Homes", row)];
        let units = evidence_units(&passages);
        is_another_row(&Question::parse(question, &[]), &units[0])
    }

    fn names(question: &str, row: &str) -> bool {
        let passages = [document("homes", "Homes", row)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|value| value.kind == ValueKind::Count);
        let value = value.expect("a figure stands there");
        only_names(&Question::parse(question, &[]), &units[0], value)
    }

    #[test]
    fn a_number_that_tells_which_one_it_is_counts_nothing() {
        let call = "flat: 12; block: Heron Court; said: no hot water";
        assert!(names("How many flats had no hot water?", call));
        let block = "flats: 12; block: Heron Court; said: no hot water";
        assert!(!names("How many flats had no hot water?", block));
        assert!(!names("How many tenants came from Heron Court?", call));
        let post = "name: Ann Lee; ext: 215; post: repairs planner";
        assert!(names("How much is spent on repairs?", post));
        assert!(!names("How long is the phone number of Ann Lee?", post));
    }

    #[test]
    fn a_row_of_another_number_is_another_row() {
        let row = "bedrooms: 1; estate: Mill Field; rent: 89.90";
        assert!(another("What is the rent of a two-bedroom flat at Mill Field?", row));
        assert!(another("What is the rent of a flat with 2 bedrooms?", row));
        assert!(!another("What is the rent of a one-bedroom flat at Mill Field?", row));
        assert!(!another("What is the rent of a flat with more than two bedrooms?", row));
        assert!(!another("What is the rent at Mill Field?", row));
        assert!(!another("What was the 2024 rent at Mill Field?", row), "a year");
        let hall = "hall: East; room: 4; capacity: 30";
        assert!(!another("What is the room 4 capacity?", hall), "the number of the room");
    }

    #[test]
    fn a_cell_with_a_name_of_the_same_kind_is_of_another() {
        let row = "block: Tanner House; lifts: 2; year: 1971";
        assert!(another("How many lifts has Alder House?", row));
        assert!(!another("How many lifts has Tanner House?", row));
        assert!(!another("How many lifts has Alder Court?", row));
        let shared = "block: Tanner House; lifts: 2; note: as in Alder House";
        assert!(!another("How many lifts has Alder House?", shared));
        let asked = "What is the extension of Robert Lee?";
        for own in ["R. Lee", "Mr Lee", "Rob Lee", "Robert J. Lee"] {
            let row = format!("name: {own}; post: planner; ext: 215");
            assert!(!another(asked, &row), "{own}");
        }
        let titled = "What is the extension of Head Gardener Robert Lee?";
        assert!(!another(titled, "name: Robert Lee; post: gardener; ext: 215"));
    }
}
