//! Compared: a figure that belongs to whoever is set against the one that is asked about. "Heron takes 22 euros, more than Tern takes"
//! tells nothing of what Tern takes.

use super::question::Question;
use super::unit::{EvidenceUnit, Place, Word};
use super::values::Value;
use elenchus_core::text::words;

/// Most words from "than" to the name of what is compared with.
const REACH: usize = 3;

/// Whether a unit names whom the question asks about only behind "than", and the figure stands before it.
pub(super) fn is_of_the_other(question: &Question, unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    if question.subject.is_empty()
        || !question.expects.is_figure()
        || words(&question.text).iter().any(|word| word == "than")
    {
        return false;
    }
    let own: Vec<&Word> =
        unit.words.iter().filter(|word| word.place == Place::Unit && !word.at.is_empty()).collect();
    let named: Vec<usize> =
        (0..own.len()).filter(|at| question.subject.contains(&own[*at].word)).collect();
    let is_compared =
        |at: &usize| own[at.saturating_sub(REACH)..*at].iter().any(|word| word.word == "than");
    named.first().is_some_and(|first| value.range.end <= own[*first].at.start)
        && named.iter().all(is_compared)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::super::values::ValueKind;
    use super::*;

    fn other(question: &str, text: &str) -> bool {
        let passages = [document("fares", "Fares", text)];
        let units = evidence_units(&passages);
        let value = units[0].values.iter().find(|value| value.kind == ValueKind::Money);
        let value = value.expect("a sum stands there");
        is_of_the_other(&Question::parse(question, &[]), &units[0], value)
    }

    #[test]
    fn a_figure_before_than_is_not_of_whom_it_is_compared_with() {
        let asked = "How much does Tern take for a car?";
        assert!(other(asked, "Heron takes \u{20ac}22 for a car, which is more than Tern takes."));
        assert!(!other(asked, "Tern takes \u{20ac}22 for a car, which is more than Heron takes."));
        assert!(!other(asked, "Heron takes more than Tern, which takes \u{20ac}22 for a car."));
        let heron = "How much does Heron take for a car?";
        assert!(!other(heron, "Heron takes \u{20ac}22 for a car, which is more than Tern takes."));
    }
}
