//! Columns: of which time a value of a row is, by the name of its column. "Budget 2026" in a table of 2025 is of 2026.

use super::cells::{Field, fields};
use super::clause::is_fields;
use super::periods::periods;
use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::evidence::{PartialDate, month_number};
use std::ops::Range;

/// The fields of a row, if a question of a period is asked and a unit is one; else none, since nothing has to be told apart.
pub(super) fn timed_fields(question: &Question, unit: &EvidenceUnit<'_>) -> Vec<Field> {
    if question.period.is_none() || !is_fields(unit) {
        return Vec::new();
    }
    fields(unit)
}

/// The time of the column that a value stands in, where its name gives one. A month without its year ("November") is the last one
/// that the document can tell of.
pub(super) fn column_time(
    unit: &EvidenceUnit<'_>,
    fields: &[Field],
    value: &Range<usize>,
) -> Option<PartialDate> {
    let field = field_of(fields, value)?;
    match periods(&field.title.join(" ")).as_slice() {
        [only] => return Some(only.value),
        [] => {}
        _ => return None,
    }
    let [name] = field.title.as_slice() else { return None };
    let month = month_number(name)?;
    let own = unit.read.source.date.as_ref().map(|date| date.value)?;
    // What is dated by its year tells of that year.
    Some(PartialDate::month(own.year - i32::from(month > own.last_month()), month))
}

/// The cell that a value stands in.
pub(super) fn field_of<'f>(fields: &'f [Field], value: &Range<usize>) -> Option<&'f Field> {
    fields.iter().find(|field| field.at.start <= value.start && value.end <= field.at.end)
}

/// Whether what is marked as the answer is no cell of the time that is asked about, where the chosen value is.
pub(super) fn is_of_other_time(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    chosen: &Range<usize>,
    marked: &Range<usize>,
) -> bool {
    let fields = timed_fields(question, unit);
    let own = column_time(unit, &fields, chosen);
    own.is_some() && own == question.period && column_time(unit, &fields, marked) != own
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;
    use elenchus_core::evidence::{DocDate, ReadPassage};

    fn row(text: &str, header: &[&str]) -> ReadPassage {
        let mut read = document("yards", "Yards", text);
        read.passage.table_header = header.iter().map(|name| (*name).to_owned()).collect();
        let value = PartialDate::year(2025);
        read.source.date = Some(DocDate { value, stated: "2025".to_owned() });
        read
    }

    #[test]
    fn the_column_of_the_period_is_the_one_that_is_asked_for() {
        let written =
            "Yard: Leith; Berths 2025 (all): 41; Used 2025 (all): 38; Berths 2026 (all): 57";
        let piped = row("| Leith | 41 | 57 |", &["Yard", "Berths 2025", "Berths 2026"]);
        for passage in [row(written, &[]), piped] {
            let passages = [passage];
            let units = evidence_units(&passages);
            let given = |question: &str| {
                let question = Question::parse(question, &[]);
                let common = Commonness::new(&[], 2);
                let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
                all.first().and_then(|one| one.number).map(|number| number.to_string())
            };
            assert_eq!(
                given("How many berths does the Leith yard have in 2026?").as_deref(),
                Some("57")
            );
            assert_eq!(
                given("How many berths does the Leith yard have in 2025?").as_deref(),
                Some("41")
            );
        }
    }

    #[test]
    fn only_a_cell_of_the_period_takes_the_place_of_another() {
        let text = "Yard: Leith; Berths 2025: 41; Used 2025: 38; Berths 2026: 57; Warden: Ben Poe";
        let passages = [row(text, &[])];
        let units = evidence_units(&passages);
        let place = |part: &str| text.find(part).map_or(0..0, |at| at..at + part.len());
        let other = |question: &str, chosen: &str, marked: &str| {
            let question = Question::parse(question, &[]);
            is_of_other_time(&question, &units[0], &place(chosen), &place(marked))
        };
        let asked = "How many berths were there in 2025?";
        assert!(other(asked, "41", "57"));
        assert!(other(asked, "41", "38; Berths 2026: 57"), "it runs over two cells");
        assert!(!other(asked, "41", "38"), "both are of the year");
        assert!(!other(asked, "57", "41"));
        assert!(!other("How many berths are there?", "41", "57"));
        assert!(
            !other("Who was the warden in 2025?", "Ben Poe", "Leith"),
            "a column without a time"
        );
    }
}
