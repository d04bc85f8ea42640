//! Owners: who has a row in hand. That somebody is to see to a thing does not say that they did what a question asks.

use super::cells::fields;
use super::columns::field_of;
use super::matching::Matcher;
use super::question::Question;
use super::roles::asks_who;
use super::unit::{EvidenceUnit, Place};
use super::values::Value;
use elenchus_core::text::words;

/// Likeness from which a row says what was done.
const SAID: f64 = 0.6;
/// Stems of names of columns for whoever has a row in hand.
const IN_HAND: [&str; 5] = ["owner", "respons", "assigne", "contact", "lead"];
/// Deeds that having it in hand is.
const HAD: [&str; 14] = [
    "owned",
    "managed",
    "handled",
    "maintained",
    "headed",
    "followed",
    "looked",
    "led",
    "organised",
    "organized",
    "coordinated",
    "supervised",
    "chaired",
    "tended",
];

/// "Who discovered the leak?", over "Action: mend the pipe; Owner: Ann Lee": the value stands in a column for whoever has the row in
/// hand, and the deed nowhere in the row.
pub(super) fn only_owns(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    matcher: &Matcher,
) -> bool {
    let all = words(&question.text);
    let deed = all.get(1).filter(|word| word.ends_with("ed") && !HAD.contains(&word.as_str()));
    let Some(deed) = deed.filter(|_| asks_who(question)) else { return false };
    let in_hand = field_of(&fields(unit), &value.range)
        .is_some_and(|field| field.name.iter().any(|word| IN_HAND.contains(&word.as_str())));
    let Some(term) = question.terms.iter().find(|term| term.word == *deed) else { return false };
    let is_said = |place: Place| matches!(place, Place::Unit | Place::Near);
    in_hand
        && !unit
            .words
            .iter()
            .any(|word| is_said(word.place) && matcher.likeness(term, word) >= SAID)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn owns(question: &str, row: &str) -> bool {
        let passages = [document("actions", "Actions", row)];
        let units = evidence_units(&passages);
        let at = row.find("Ann Lee").expect("she stands there");
        let value = units[0].value_at(&(at..at + "Ann Lee".len()));
        only_owns(&Question::parse(question, &[]), &units[0], &value, &Matcher::new())
    }

    #[test]
    fn whoever_has_a_row_in_hand_did_not_do_another_deed() {
        let row = "No: 4; Action: Mend the pipe in the cellar; Owner: Ann Lee; State: open";
        assert!(owns("Who photographed the pipe in the cellar?", row));
        assert!(!owns("Who mended the pipe in the cellar?", row));
        assert!(!owns("Who is responsible for the pipe?", row));
        assert!(!owns("Who managed the pipe in the cellar?", row));
        assert!(!owns("Who led the walk?", "No: 4; Walk: Mill Hill; Lead: Ann Lee; Miles: 6"));
    }

    #[test]
    fn a_column_of_deeds_and_a_sentence_tell_who_did_it() {
        let row = "No: 4; Action: Mend the pipe; Photographed by: Ann Lee; State: open";
        assert!(!owns("Who photographed the pipe?", row));
        assert!(!owns("Who photographed the pipe?", "Ann Lee saw to the pipe in May."));
    }
}
