//! Ceilings: a budget says how much a thing may cost.

use super::bind::Bound;
use super::question::Question;
use super::unit::{EvidenceUnit, Place};
use elenchus_core::text::words;

/// Words that may stand before "to cost" or "cost".
const ALLOWS: [&str; 5] = ["allowed", "permitted", "supposed", "may", "budgeted"];
/// Stem of what says the ceiling of a cost.
const CEILING: &str = "budget";
/// How firmly the question's words are said by it.
const SAID: f64 = 0.9;

/// "How much is the new roof allowed to cost?", over "Budget: £40,000": what may be spent is said by its name.
pub(super) fn bind(question: &Question, unit: &EvidenceUnit<'_>, bounds: &mut [Bound]) {
    if !asks(&question.text) {
        return;
    }
    let ceiling = unit.words.iter().find(|word| word.place == Place::Unit && word.stem == CEILING);
    let Some(ceiling) = ceiling else { return };
    for (term, bound) in question.terms.iter().zip(bounds) {
        let asked = term.stem == "cost" || ALLOWS.contains(&term.word.as_str());
        if asked && bound.strength < SAID {
            *bound = Bound { strength: SAID, at: ceiling.at.clone(), column: ceiling.column };
        }
    }
}

/// Whether a question asks how much something may cost.
fn asks(question: &str) -> bool {
    let all = words(question);
    let allowed = |word: &String| ALLOWS.contains(&word.as_str());
    // "How much did the fair in May cost?" asks for what was spent.
    let is_told = all
        .iter()
        .any(|word| matches!(word.as_str(), "do" | "does" | "did" | "has" | "have" | "had"));
    all.windows(3).any(|three| allowed(&three[0]) && three[1] == "to" && three[2] == "cost")
        || (!is_told
            && all.iter().any(|word| word == "may")
            && all.last().is_some_and(|last| last == "cost"))
        || (!is_told && all.windows(2).any(|pair| pair[0] == "may" && pair[1] == "cost"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn bound(question: &str, text: &str) -> usize {
        let passages = [document("minutes", "May", text)];
        let units = evidence_units(&passages);
        let question = Question::parse(question, &[]);
        let none = Bound { strength: 0.0, at: 0..0, column: None };
        let mut bounds = vec![none; question.terms.len()];
        bind(&question, &units[0], &mut bounds);
        bounds.iter().filter(|bound| bound.strength > 0.0).count()
    }

    #[test]
    fn a_budget_says_what_may_be_spent() {
        let text = "The budget is \u{a3}40,000.";
        assert!(bound("How much is the new roof allowed to cost?", text) > 0);
        assert!(bound("How much may the new roof cost?", text) > 0);
        assert_eq!(bound("How much did the new roof cost?", text), 0, "it was not spent yet");
        assert_eq!(bound("How much did the fair in May cost?", text), 0, "a month allows nothing");
        assert_eq!(bound("How much is the new roof allowed to cost?", "It cost \u{a3}40,000."), 0);
    }
}
