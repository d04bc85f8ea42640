//! Owners: who has a row in hand. That somebody is to see to a thing does not say that they did what a question asks.

use super::cells::fields;
use super::columns::field_of;
use super::matching::Matcher;
use super::question::Question;
use super::roles::asks_who;
use super::unit::{EvidenceUnit, Place, Word};
use super::values::{Value, ValueKind};
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// Likeness from which a row says what was done.
const SAID: f64 = 0.6;
/// Stems of names of columns for whoever has a row in hand.
const IN_HAND: [&str; 12] = [
    "owner",
    "respons",
    "assigne",
    "contact",
    "lead",
    "manag",
    "supervis",
    "supervisor",
    "coordin",
    "maintain",
    "backup",
    "deputi",
];
/// Deeds that having it in hand is.
const HAD: [&str; 15] = [
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
    "administered",
    "chaired",
    "tended",
];
/// Past deeds that do not end as most do. "Took", "held", "kept" and "ran" are left out: whoever has it in hand may have done so.
const PASTS: [&str; 38] = [
    "found", "told", "gave", "saw", "rang", "sent", "wrote", "brought", "made", "let", "heard",
    "spoke", "drew", "built", "bought", "sold", "paid", "lost", "won", "met", "began", "broke",
    "caught", "chose", "drove", "left", "said", "shot", "stole", "struck", "taught", "threw",
    "came", "went", "put", "hid", "spent", "forgot",
];
/// Words between "who" and the deed.
const BEFORE: [&str; 13] = [
    "has",
    "have",
    "had",
    "first",
    "originally",
    "actually",
    "really",
    "already",
    "then",
    "also",
    "just",
    "finally",
    "eventually",
];

/// "Who discovered the leak?", over "Action: mend the pipe; Owner: Ann Lee": the value, or all people whom the row names where no
/// person was chosen, stand in columns for whoever has the row in hand, and the deed nowhere in the row.
pub(super) fn only_owns(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: Option<&Value>,
    matcher: &Matcher,
) -> bool {
    let Some(deed) = asked_deed(question) else { return false };
    let all = fields(unit);
    let in_hand = |at: &Range<usize>| {
        field_of(&all, at)
            .is_some_and(|field| field.name.iter().any(|word| IN_HAND.contains(&word.as_str())))
    };
    let mut people = unit.values.iter().filter(|one| one.kind == ValueKind::Person).peekable();
    let owned = match value {
        Some(value) if in_hand(&value.range) => true,
        Some(value) if value.kind == ValueKind::Person => false,
        // Whatever else was chosen, a reader marks the only person of a row.
        _ => people.peek().is_some() && people.all(|one| in_hand(&one.range)),
    };
    let stem = stem(&deed);
    let term = question.terms.iter().find(|term| term.word == deed);
    let says = |word: &Word| match term {
        Some(term) => matcher.likeness(term, word) >= SAID,
        None => word.stem == stem,
    };
    let is_own = |word: &Word| matches!(word.place, Place::Unit | Place::Near);
    owned && !unit.words.iter().any(|word| is_own(word) && says(word))
}

/// The deed that a question asks the doer of: "Who tipped us off?", "Who had first found the leak?".
fn asked_deed(question: &Question) -> Option<String> {
    if !asks_who(question) {
        return None;
    }
    let all = words(&question.text);
    let deed = all.into_iter().skip(1).find(|word| !BEFORE.contains(&word.as_str()))?;
    let is_past = deed.ends_with("ed") || PASTS.contains(&deed.as_str());
    (is_past && !HAD.contains(&deed.as_str())).then_some(deed)
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
        only_owns(&Question::parse(question, &[]), &units[0], Some(&value), &Matcher::new())
    }

    #[test]
    fn whoever_has_a_row_in_hand_did_not_do_another_deed() {
        let row = "No: 4; Action: Mend the pipe in the cellar; Owner: Ann Lee; State: open";
        assert!(owns("Who photographed the pipe in the cellar?", row));
        assert!(!owns("Who mended the pipe in the cellar?", row));
        assert!(!owns("Who is responsible for the pipe?", row));
        assert!(!owns("Who managed the pipe in the cellar?", row));
        assert!(owns("Who drew the pipe in the cellar?", row));
        assert!(owns("Who had first photographed the pipe?", row));
        assert!(!owns("Who took over the pipe?", row));
        assert!(!owns("Who led the walk?", "No: 4; Walk: Mill Hill; Lead: Ann Lee; Miles: 6"));
    }

    #[test]
    fn a_column_of_deeds_and_a_sentence_tell_who_did_it() {
        let row = "No: 4; Action: Mend the pipe; Photographed by: Ann Lee; State: open";
        assert!(!owns("Who photographed the pipe?", row));
        assert!(!owns("Who photographed the pipe?", "Ann Lee saw to the pipe in May."));
    }

    #[test]
    fn a_row_that_names_its_owner_alone_tells_of_no_other_doer() {
        let untold = |row: &str| {
            let passages = [document("actions", "Actions", row)];
            let units = evidence_units(&passages);
            let question = Question::parse("Who photographed the pipe?", &[]);
            only_owns(&question, &units[0], None, &Matcher::new())
        };
        assert!(untold("No: 4; Action: Mend the pipe; Owner: Ann Lee; State: open"));
        assert!(!untold("No: 4; Action: Mend the pipe; Owner: Ann Lee; Seen by: Tom Wren"));
        assert!(!untold("No: 4; Action: Mend the pipe; State: open"));
    }
}
