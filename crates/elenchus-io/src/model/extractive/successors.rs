//! Successors: who is next in an office is not who holds it, and least of all who leaves it.

use super::lexicon::is_role;
use super::question::{Expects, Question};
use super::unit::EvidenceUnit;
use super::values::ValueKind;
use elenchus_core::text::{stem, words};

/// Words before an office that ask for whoever comes into it.
const TO_COME: [&str; 3] = ["next", "incoming", "future"];
/// Most words between those and the office.
const REACH: usize = 6;
/// Words, as stems, of who comes into an office.
const COMES: [&str; 26] = [
    "next",
    "new",
    "incom",
    "futur",
    "successor",
    "succeed",
    "success",
    "replac",
    "start",
    "join",
    "appoint",
    "becom",
    "elect",
    "design",
    "nomin",
    "choos",
    "select",
    "follow",
    "begin",
    "take",
    "heir",
    "vote",
    "promot",
    "pick",
    "hire",
    "hand",
];
/// Words, as stems, of who goes out of it.
const GOES: [&str; 5] = ["leav", "left", "retir", "resign", "depart"];

/// Whether a unit tells of somebody in an office, or on the way out of it, where the question asks who comes next. A unit that says
/// when it is may be a rota, and is let stand.
pub(super) fn is_holder_of_now(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    if !asks_for_next(question) {
        return false;
    }
    let stems: Vec<String> = words(unit.text).iter().map(|word| stem(word)).collect();
    let has = |list: &[&str]| stems.iter().any(|own| list.contains(&own.as_str()));
    // "Next meeting" may stand over "Speaker: Mei Lind".
    let over = unit.words.iter().any(|word| COMES.contains(&word.stem.as_str()));
    if over || has(&COMES) {
        return false;
    }
    let will =
        words(unit.text).iter().any(|word| matches!(word.as_str(), "will" | "shall" | "named"));
    let dated = unit.values.iter().any(|value| value.kind == ValueKind::Date);
    has(&GOES) || !(will || dated)
}

/// "Who will be the next harbour master?".
fn asks_for_next(question: &Question) -> bool {
    if !matches!(question.expects, Expects::Person | Expects::Agent) {
        return false;
    }
    let all = words(&question.text);
    let Some(at) = all.iter().position(|word| TO_COME.contains(&word.as_str())) else {
        return false;
    };
    let determined =
        at > 0 && matches!(all[at - 1].as_str(), "the" | "our" | "your" | "their" | "its");
    determined && all.iter().skip(at + 1).take(REACH).any(|word| is_role(word))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn is_now(question: &str, text: &str) -> bool {
        let passages = [document("people", "People", text)];
        let units = evidence_units(&passages);
        is_holder_of_now(&Question::parse(question, &[]), &units[0])
    }

    #[test]
    fn whoever_leaves_or_holds_an_office_is_not_the_next() {
        let asked = "Who will be the next head gardener?";
        assert!(is_now(asked, "Olive Drury, head gardener, leaves on 4 October."));
        assert!(is_now(asked, "Contact: Olive Drury, head gardener"));
        assert!(is_now("Who is our incoming treasurer?", "The treasurer is Tom Vance."));
    }

    #[test]
    fn whoever_comes_stays_and_so_does_a_rota() {
        let asked = "Who will be the next head gardener?";
        assert!(!is_now(asked, "Mei Lind starts as head gardener on 6 January."));
        assert!(!is_now(
            asked,
            "When Olive Drury leaves, Mei Lind will take over as head gardener."
        ));
        assert!(!is_now(asked, "4 May: Mei Lind, head gardener"));
        assert!(!is_now(asked, "Olive Drury retires and hands the beds to Mei Lind."));
        assert!(!is_now("Who is the next chair?", "Mei Lind is chair-elect."));
        let passages = [document("programme", "Next season", "Head gardener: Mei Lind")];
        let units = evidence_units(&passages);
        assert!(!is_holder_of_now(&Question::parse(asked, &[]), &units[0]));
        let held = "The head gardener is Olive Drury.";
        assert!(!is_now("Who is the head gardener?", held));
        assert!(!is_now("Who lives next to the head gardener?", held));
    }
}
