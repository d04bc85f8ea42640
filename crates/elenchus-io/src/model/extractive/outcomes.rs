//! Outcomes: what was assumed or asked for beforehand is not what came of it.
//!
//! "The plan assumes that fares rise by no more than 4 per cent" tells nothing of the rise that they ended up with.

use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{stem, words};

/// Words that ask what came of something, and pairs of stems.
const IN_THE_END: [&str; 3] = ["finally", "eventually", "ultimately"];
const ENDS: [(&str, &str); 4] = [("end", "up"), ("turn", "out"), ("settl", "on"), ("settl", "for")];
/// Stems of what is said before anything is settled, and pairs of them.
const BEFOREHAND: [&str; 9] =
    ["assum", "suppos", "expect", "forecast", "predict", "propos", "request", "hope", "seek"];
const ASKED_FOR: [(&str, &str); 3] = [("ask", "for"), ("appli", "for"), ("bid", "for")];
/// Stems of words by which something is settled.
const SETTLED: [&str; 33] = [
    "agre", "approv", "accept", "grant", "resolv", "decid", "settl", "confirm", "final", "get",
    "got", "receiv", "give", "award", "adopt", "turn", "end", "pay", "sign", "actual", "came",
    "come", "forc", "effect", "pass", "carri", "meet", "took", "taken", "becam", "vote", "win",
    "won",
];

/// Whether a unit only says, outside of brackets, what was assumed, expected or asked for, where the question asks what came of it.
pub(super) fn is_beforehand(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    if question.kind != QuestionKind::Lookup || !asks_for_outcome(&question.text) {
        return false;
    }
    let own = unit.segments.iter().filter(|segment| !segment.bracketed);
    let own: Vec<String> = own
        .filter_map(|segment| unit.text.get(segment.range.clone()))
        .flat_map(words)
        .map(|word| stem(&word))
        .collect();
    let has = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
    (has(&BEFOREHAND) || has_pair(&own, &ASKED_FOR)) && !has(&SETTLED)
}

fn asks_for_outcome(text: &str) -> bool {
    let all = words(text);
    let in_the_end = all.iter().any(|word| IN_THE_END.contains(&word.as_str()))
        || all.windows(3).any(|three| three[..] == ["in", "the", "end"]);
    // Every unit asks this: most questions hold none of these words.
    let may_end = |word: &String| ENDS.iter().any(|(deed, _)| word.starts_with(*deed));
    if !in_the_end && !all.iter().any(may_end) {
        return false;
    }
    let stems: Vec<String> = all.iter().map(|word| stem(word)).collect();
    // "What was expected to cost most in the end" asks for the expectation.
    let of_before = stems.iter().any(|word| BEFOREHAND.contains(&word.as_str()))
        || has_pair(&stems, &ASKED_FOR);
    !of_before && (in_the_end || has_pair(&stems, &ENDS))
}

fn has_pair(stems: &[String], pairs: &[(&str, &str)]) -> bool {
    stems.windows(2).any(|two| pairs.iter().any(|(a, b)| two[0] == *a && two[1] == *b))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn beforehand(question: &str, text: &str) -> bool {
        let passages = [document("fares", "Fares", text)];
        let units = evidence_units(&passages);
        is_beforehand(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn what_was_assumed_or_asked_for_is_not_what_came_of_it() {
        let asked = "What rise in fares did the ferry end up with?";
        assert!(beforehand(asked, "The plan assumes that fares rise by no more than 4 per cent."));
        assert!(beforehand(asked, "We ask for a rise of 7 per cent in fares."));
        assert!(beforehand("What did fares finally rise by?", "A rise of 7 per cent is proposed."));
    }

    #[test]
    fn what_was_settled_stays_and_so_does_any_other_question() {
        let asked = "What rise in fares did the ferry end up with?";
        let agreed = "Agreed: a rise of 5 per cent (they had asked for 7).";
        assert!(!beforehand(asked, agreed));
        assert!(!beforehand(asked, "A rise of 5 per cent from May (they had asked for 7)."));
        assert!(!beforehand(asked, "The ferry asked for 7 per cent and got 5."));
        assert!(!beforehand(asked, "The proposed rise of 5 per cent came into force in May."));
        assert!(!beforehand(asked, "The request for a rise of 7 per cent was met."));
        let plan = "The plan assumes that fares rise by no more than 4 per cent.";
        assert!(!beforehand("By how much will fares rise?", plan));
        assert!(!beforehand("What does the plan assume of fares in the end?", plan));
    }
}
