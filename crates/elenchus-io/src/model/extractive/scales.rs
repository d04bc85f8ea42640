//! Scales: a sentence of a document that says in what its tables are, such as "All sums are in thousands of pounds".
//!
//! What stands with a table is told beside its figure by the answer itself (`core/src/answer/scale.rs`). A sentence elsewhere is quoted.

use super::bind::Candidate;
use super::cells::fields;
use super::changes::beside;
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use crate::ingest::UnitKind;
use elenchus_core::text::{scale_of_label, stated_scale};

/// The sentence that says in what the chosen figure is, where that is a cell of a table of its document which says nothing of it.
pub(super) fn note(
    question: &Question,
    chosen: &Candidate,
    all: &[Candidate],
    units: &[EvidenceUnit<'_>],
) -> Option<Candidate> {
    let unit = &units[chosen.unit];
    let value = chosen.value.clone()?;
    let asks = matches!(question.expects, Expects::Money | Expects::Quantity);
    let is_figure = unit.text.get(value.clone())?.chars().all(|c| !c.is_alphabetic() && c != '%');
    let own = fields(unit);
    let is_cell = own.len() >= 2
        && own.iter().any(|field| field.at.start <= value.start && value.end <= field.at.end);
    if !asks || !is_figure || !is_cell || says_itself(unit) {
        return None;
    }
    let found = all.iter().find(|other| {
        let note = &units[other.unit];
        other.unit != chosen.unit
            && note.read.source.id == unit.read.source.id
            && matches!(note.kind, UnitKind::Sentence | UnitKind::Item)
            && stated_scale(note.text).is_some()
    })?;
    Some(beside(chosen, found))
}

/// Whether a scale stands in the row, in a name of a column, or over the table.
fn says_itself(unit: &EvidenceUnit<'_>) -> bool {
    let passage = &unit.read.passage;
    let mut over = passage.heading_path.last().into_iter().chain(&passage.lead_in);
    scale_of_label(unit.text).is_some()
        || passage.table_header.iter().any(|name| scale_of_label(name).is_some())
        || over.any(|text| stated_scale(text).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn told(row: &str, sentence: &str) -> Option<String> {
        let mut note = document("memo", "Aim", sentence);
        note.passage.id.0 = "memo-2".to_owned();
        let passages = [document("memo", "Table", row), note];
        let units = evidence_units(&passages);
        let question = Question::parse("What is the budget for sails?", &[]);
        let common = Commonness::new(&[], 2);
        let (all, _) = by_words(&question, &units, &Matcher::new(), &common);
        let chosen = all.iter().find(|one| one.unit == 0)?;
        let at = row.find("912")?;
        let chosen = Candidate { value: Some(at..at + 3), ..chosen.clone() };
        super::note(&question, &chosen, &all, &units).map(|one| units[one.unit].text.to_owned())
    }

    #[test]
    fn the_sentence_on_all_sums_goes_with_a_figure_of_the_table() {
        let row = "item: sails; year: 2025; budget: 912";
        let all = "All sums are in thousands of pounds unless otherwise shown.";
        assert_eq!(told(row, all).as_deref(), Some(all));
        assert_eq!(told(row, "The sails were bought for thousands of pounds in the spring."), None);
        let stated = "item: sails; year: 2025; budget (EUR thousand): 912";
        assert_eq!(told(stated, all), None);
    }
}
