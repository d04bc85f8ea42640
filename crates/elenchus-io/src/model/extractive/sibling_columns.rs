//! Sibling columns: columns of a table that are called alike but for one word and the time ("Budget 2026", "Spent 2025"). The year that
//! is asked for is not found in a column that measures something else, no column holds the difference of two, and whoever stands in one
//! of doers did what it is called by.

use super::cells::{Field, fields};
use super::matching::Matcher;
use super::question::{Class, Question, classes};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::Value;
use elenchus_core::text::{stem, words};
use std::collections::BTreeSet;

/// Fewest letters of a verb behind "over" and "under".
const LEAST: usize = 4;

/// Whether a value stands in a column of another thing than the question names, or what is asked for stands in none.
pub(super) fn is_of_sibling(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
    matcher: &Matcher,
) -> bool {
    let all = fields(unit);
    let strays = |value: &Value| {
        stands_in_sibling(question, &all, value)
            || did_otherwise(question, unit, &all, value, matcher)
    };
    all.len() > 2 && (asks_a_difference(question, &all) || value.is_some_and(strays))
}

/// "Who stood in for her?", where the value stands in "Reported by": whoever stands there has reported it, and nothing about the row
/// says what is asked.
fn did_otherwise(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    all: &[Field],
    value: &Value,
    matcher: &Matcher,
) -> bool {
    /// Likeness from which a word may say what was done.
    const MAY_SAY: f64 = 0.3;
    let asked = words(&question.text);
    let deed = asked.iter().position(|word| word == "who").and_then(|at| asked.get(at + 1));
    let deed = deed.and_then(|deed| question.terms.iter().find(|term| term.word == *deed));
    let Some(deed) = deed.filter(|deed| deed.class == Class::Verb && !deed.light && !deed.hard)
    else {
        return false;
    };
    let by_deed = all.iter().any(|field| {
        field.at.start <= value.range.start
            && value.range.end <= field.at.end
            && matches!(field.title.as_slice(), [.., _, by] if by == "by")
    });
    let says = |word: &Word| word.place != Place::Far && matcher.likeness(deed, word) >= MAY_SAY;
    question.doer && by_deed && !unit.words.iter().any(says)
}

/// "How much was spent in 2026?", where the value stands in "Budget 2026" and another column is "Spent 2025".
fn stands_in_sibling(question: &Question, all: &[Field], value: &Value) -> bool {
    let holds =
        |field: &&Field| field.at.start <= value.range.start && value.range.end <= field.at.end;
    let Some(own) = all.iter().find(holds) else { return false };
    let asked: BTreeSet<String> = words(&question.text).iter().map(|word| stem(word)).collect();
    let own_words = called(own);
    all.iter().filter(|other| other.at != own.at).any(|other| {
        let other_words = called(other);
        // "Ward" and "Planned 2026" have nothing in common.
        let alike = own_words.intersection(&other_words).next().is_some()
            || (has_figure(own) && has_figure(other));
        let mut only_own = own_words.difference(&other_words);
        let mut only_other = other_words.difference(&own_words);
        let (Some(mine), None) = (only_own.next(), only_own.next()) else { return false };
        let (Some(wanted), None) = (only_other.next(), only_other.next()) else { return false };
        alike && asked.contains(*wanted) && !asked.contains(*mine)
    })
}

/// The words of a column's name without figures.
fn called(field: &Field) -> BTreeSet<&str> {
    let plain = |word: &&String| !word.contains(|c: char| c.is_ascii_digit());
    field.name.iter().filter(plain).map(String::as_str).collect()
}

fn has_figure(field: &Field) -> bool {
    field.name.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()))
}

/// "Which ward overspent?", over rows that say what was spent and no more: how far it went over is the difference of two columns.
fn asks_a_difference(question: &Question, all: &[Field]) -> bool {
    question.terms.iter().any(|term| {
        let rest = term.word.strip_prefix("over").or_else(|| term.word.strip_prefix("under"));
        let Some(rest) = rest.filter(|rest| rest.len() >= LEAST) else { return false };
        let named = |stem_of: &String| all.iter().any(|field| field.name.contains(stem_of));
        let is_verb = || {
            let tagged = classes(rest);
            term.class == Class::Verb || tagged.iter().any(|(_, class)| *class == Class::Verb)
        };
        !named(&term.stem) && named(&stem(rest)) && is_verb()
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    const ROW: &str = "Ward: North; Planned 2025: 310; Treated 2025: 290; Planned 2026: 330";

    fn other(question: &str, row: &str, figure: &str) -> bool {
        let passages = [document("wards", "Wards", row)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|value| &row[value.range.clone()] == figure);
        let value = value.expect("the figure is a value");
        let question = Question::parse(question, &[]);
        is_of_sibling(&question, &units[0], Some(value), &Matcher::new())
    }

    #[test]
    fn the_year_alone_makes_no_column() {
        assert!(other("How many were treated in the North ward in 2026?", ROW, "330"));
        assert!(!other("How many were treated in the North ward in 2025?", ROW, "290"));
        assert!(!other("How many were planned in the North ward in 2026?", ROW, "330"));
        // Nothing is asked for by the name of a column.
        assert!(!other("How many patients had the North ward in 2026?", ROW, "330"));
    }

    #[test]
    fn who_did_one_thing_did_not_therefore_do_another() {
        let log = "Day: 9 May; What: The pump burst; Reported by: Ann Reed";
        assert!(other("Who swam across the pond?", log, "Ann Reed"));
        assert!(!other("Who reported the pump?", log, "Ann Reed"));
        assert!(!other("Who is Ann Reed?", log, "Ann Reed"));
    }

    #[test]
    fn a_difference_stands_in_no_column() {
        let ward = "Ward: North; Budget: 310; Spent: 290";
        assert!(other("Which ward overspent its budget?", ward, "290"));
        assert!(!other("Which ward spent 290?", ward, "290"));
        let told = "Ward: North; Budget: 310; Spent: 390; Overspent: 80";
        assert!(!other("Which ward overspent?", told, "80"));
    }
}
