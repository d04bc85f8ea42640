//! Nearby: names that the sentences before have brought up in the same paragraph. "Circulation pump P3 seized at night. New one fitted by
//! noon. Invoice £1,935." tells what the pump cost, and names it only once.

use super::unit::{EvidenceUnit, Place, Word};
use super::values::ValueKind;
use crate::ingest::UnitKind;
use elenchus_core::evidence::{Span, char_slice};
use elenchus_core::text::{is_stop_word, stem, words};

/// Sentences back, at most, that a name reaches.
const REACH: usize = 4;

/// Adds to every sentence the names of the sentences before it in its paragraph, as said before it.
pub(super) fn name(units: &mut [EvidenceUnit<'_>]) {
    // Names of the sentences of this paragraph, the latest last.
    let mut said: Vec<Vec<String>> = Vec::new();
    let mut last: Option<(String, Span)> = None;
    for unit in units {
        let passage = unit.read.passage.id.0.as_str();
        let goes_on = last
            .as_ref()
            .is_some_and(|(home, before)| home == passage && is_one_paragraph(unit, *before));
        if !goes_on || unit.kind != UnitKind::Sentence {
            said.clear();
        }
        last = (unit.kind == UnitKind::Sentence).then(|| (passage.to_owned(), unit.span));
        let own = names(unit);
        let before: Vec<String> = said.iter().rev().take(REACH).flatten().cloned().collect();
        for word in before {
            if !unit.words.iter().any(|known| known.word == word) {
                unit.words.push(Word {
                    stem: stem(&word),
                    word,
                    place: Place::Before,
                    at: 0..0,
                    column: None,
                });
            }
        }
        said.push(own);
    }
}

/// Whether nothing but the white space of one paragraph lies between a sentence and the one that ends there.
fn is_one_paragraph(unit: &EvidenceUnit<'_>, before: Span) -> bool {
    let between = Span { start: before.end, end: unit.span.start };
    let text = unit.read.passage.text.as_str();
    before.end <= unit.span.start
        && char_slice(text, between)
            .is_some_and(|gap| gap.trim().is_empty() && gap.matches('\n').count() <= 1)
}

/// The words of a sentence's names, and its codes ("P3"), in lower case.
fn names(unit: &EvidenceUnit<'_>) -> Vec<String> {
    let named = unit
        .values
        .iter()
        .filter(|value| matches!(value.kind, ValueKind::Name | ValueKind::Person))
        .filter_map(|value| unit.text.get(value.range.clone()))
        .flat_map(words);
    let is_code = |word: &String| {
        word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic)
    };
    let codes = words(unit.text).into_iter().filter(is_code);
    named.chain(codes).map(|word| word.to_lowercase()).filter(|word| !is_stop_word(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;

    fn before(text: &str, sentence: &str) -> Vec<String> {
        let passages = [document("log", "Log", text)];
        let units = evidence_units(&passages);
        let unit = units.iter().find(|unit| unit.text.starts_with(sentence));
        let unit = unit.expect("the sentence is a unit");
        let named = unit.words.iter().filter(|word| word.place == super::Place::Before);
        named.map(|word| word.word.clone()).collect()
    }

    #[test]
    fn a_name_reaches_the_next_sentences_of_its_paragraph() {
        let log = "Circulation pump P3 seized at night. Ann Lee came at six. New one fitted by noon. \
                   We paid \u{a3}1,935.\n\nThe lift was tested. All went well.";
        let paid = before(log, "We paid");
        assert!(paid.contains(&"p3".to_owned()) && paid.contains(&"lee".to_owned()), "{paid:?}");
        assert!(!paid.contains(&"seized".to_owned()), "only names reach so far");
        let other = before(log, "All went");
        assert!(!other.contains(&"p3".to_owned()), "a blank line ends it: {other:?}");
    }
}
