//! None: a sentence that says that of what is counted there is none. "No claims were lost" counts them as plainly as a figure does.

use super::choice::matches_noun;
use super::clause::is_prose;
use super::expects::AUXILIARIES;
use super::matching::Matcher;
use super::question::{Class, Expects, Question};
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use elenchus_core::prompt::QuestionKind;

/// From this likeness on a word of the sentence is the verb that is asked about.
const SAME_VERB: f64 = 0.6;

/// "No claims", where it is asked how many of them something was done to or is so, and the sentence says that of none. "No more than
/// 40 claims" and "no late claims" say nothing of all of them.
pub(super) fn none_at_all(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    matcher: &Matcher,
) -> Option<Value> {
    let noun = question.counted.as_ref()?;
    let asked = question.expects == Expects::Count && question.kind == QuestionKind::Lookup;
    if !asked || !is_prose(unit) {
        return None;
    }
    let own: Vec<&Word> =
        unit.words.iter().filter(|w| w.place == Place::Unit && !w.at.is_empty()).collect();
    let word = |at: usize| own.get(at).map_or("", |word| word.word.as_str());
    // "No claims", "none of the claims", at the head of the sentence.
    let first = match (word(0), word(1), word(2)) {
        ("no", _, _) => 1,
        ("none", "of", "the" | "our" | "its" | "their") => 3,
        _ => return None,
    };
    let named = (first..own.len()).find(|at| matches_noun(noun, word(*at), matcher))?;
    let narrowed = (first..named)
        .any(|at| question.terms.iter().all(|term| matcher.likeness(term, own[at]) < SAME_VERB));
    let said = AUXILIARIES.contains(&word(named + 1));
    let mut verbs =
        question.terms.iter().filter(|term| term.class == Class::Verb && !term.hard && !term.light);
    let done = verbs
        .all(|verb| own.iter().skip(named).any(|word| matcher.likeness(verb, word) >= SAME_VERB));
    (said && done && !narrowed).then(|| Value {
        range: own[0].at.start..own[named].at.end,
        kind: ValueKind::Count,
        number: Some(0.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn none(question: &str, text: &str) -> Option<String> {
        let passages = [document("a", "Yard", text)];
        let units = evidence_units(&passages);
        let unit = units.first()?;
        let found = none_at_all(&Question::parse(question, &[]), unit, &Matcher::new())?;
        Some(unit.text[found.range].to_owned())
    }

    #[test]
    fn none_is_a_count() {
        let ask = "How many boats were damaged?";
        assert_eq!(none(ask, "No boats were damaged.").as_deref(), Some("No boats"));
        assert_eq!(
            none(ask, "None of the boats were damaged in May.").as_deref(),
            Some("None of the boats")
        );
        assert_eq!(
            none("How many wooden boats were damaged?", "No wooden boats were damaged.").as_deref(),
            Some("No wooden boats")
        );
    }

    #[test]
    fn what_is_denied_of_less_or_of_something_else_is_none() {
        let ask = "How many boats were damaged?";
        for text in [
            "No more than 40 boats were damaged.",
            "No new boats were damaged.",
            "No boats were sold.",
            "No boats on the slip were damaged.",
            "No people were damaged by boats.",
            "Forty boats were damaged and no oars were lost.",
        ] {
            assert_eq!(none(ask, text), None, "{text}");
        }
        assert_eq!(none("When were the boats damaged?", "No boats were damaged."), None);
    }
}
