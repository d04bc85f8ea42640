//! Followed: whoever is followed in an office holds it no more, and whoever holds another office has not this one in hand.
//!
//! "She follows Ray Hall, who led the yard for nine years": of the two it is she.

use super::contrast::OFFICES;
use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::text::{stem, words};
use std::ops::Range;

/// Verbs right before whoever was in an office before.
const FOLLOWS: [&str; 6] =
    ["follows", "followed", "following", "succeeding", "replacing", "relieves"];
/// Verbs behind whoever was in an office before: "who led it for nine years".
const HAD: [&str; 9] =
    ["led", "held", "had", "was", "served", "ran", "retired", "left", "resigned"];
/// What somebody is asked to have in hand, with the office of that, and the words by which a unit speaks of it.
static DUTIES: [Duty; 3] = [
    Duty {
        things: &["money", "finances", "accounts", "books", "funds", "cash", "purse"],
        office: "treasurer",
        said: &[
            "money",
            "finances",
            "finance",
            "financial",
            "accounts",
            "books",
            "funds",
            "cash",
            "treasurer",
            "bursar",
            "bookkeeper",
            "accounting",
            "accountant",
            "bookkeeping",
            "budget",
            "payroll",
            "purse",
        ],
    },
    Duty {
        things: &["minutes", "correspondence", "letters"],
        office: "secretary",
        said: &["minutes", "correspondence", "letters", "secretary", "clerk", "minute"],
    },
    Duty {
        things: &["newsletter", "magazine", "bulletin"],
        office: "editor",
        said: &["newsletter", "magazine", "bulletin", "editor", "edits", "edited", "editing"],
    },
];
/// Words that may stand behind the thing: when it is.
const NOWADAYS: [&str; 9] =
    ["these", "days", "now", "today", "nowadays", "currently", "at", "present", "moment"];

/// Something to be seen to.
struct Duty {
    things: &'static [&'static str],
    office: &'static str,
    said: &'static [&'static str],
}

/// Whether somebody is named as the one before in an office: "follows Ray Hall", "took over from Ray Hall", "in place of Ray Hall".
pub(super) fn is_followed(question: &Question, text: &str, name: &Range<usize>) -> bool {
    let asked = words(&question.text.to_lowercase());
    let who = asked.iter().any(|word| matches!(word.as_str(), "who" | "whom" | "whose"));
    // "Whom does she follow?", "Who was in the office before?".
    let is_asked = asked.iter().any(|word| {
        word.starts_with("follow")
            || word.starts_with("succe")
            || word.starts_with("replac")
            || word.starts_with("predecess")
            || matches!(word.as_str(), "place" | "over" | "before")
    });
    if !who || question.past || is_asked {
        return false;
    }
    let before = words(&text.get(..name.start).unwrap_or_default().to_lowercase());
    let lead: Vec<&str> = before.iter().map(String::as_str).collect();
    match lead.as_slice() {
        // "Has taken over as coordinator from Ray Hall", with the office between.
        [.., "from"] if takes_over(&lead) => true,
        [.., "took" | "taken" | "takes" | "taking", "over", "from"]
        | [.., "in" | "the", "place" | "stead", "of"]
        | [.., "successor", "to" | "of"]
        | [.., "instead", "of"]
        | [.., "predecessor"] => true,
        // "The tour follows Ann Lee": somebody has to be in an office, or to have been.
        [.., verb] if FOLLOWS.contains(verb) => tells_of_an_office(text, name),
        _ => false,
    }
}

/// Whether words that end with "from" tell that somebody took something over: "taken over as treasurer from".
pub(super) fn takes_over(lead: &[&str]) -> bool {
    /// Most words from "over" to "from".
    const OFFICE: usize = 7;
    let near = &lead[lead.len().saturating_sub(OFFICE + 2)..];
    near.windows(2)
        .any(|pair| matches!(pair[0], "took" | "taken" | "takes" | "taking") && pair[1] == "over")
}

/// Whether a text names an office, or says behind a name how long somebody had it: "who led the yard for nine years".
fn tells_of_an_office(text: &str, name: &Range<usize>) -> bool {
    let said = words(&text.to_lowercase());
    let has = |row: &str| row.split(' ').any(|word| said.iter().any(|own| own == word));
    let behind = words(&text.get(name.end..).unwrap_or_default().to_lowercase());
    let behind: Vec<&str> = behind.iter().map(String::as_str).collect();
    match behind.as_slice() {
        // "Who won the sprint" and "who leads it" tell of no office that was left.
        ["who", verb, ..] => HAD.contains(verb),
        ["as", ..] => true,
        _ => OFFICES.iter().any(|row| has(row)),
    }
}

/// The office that a question asks for by what is to be done in it: "Who looks after the money these days?".
pub(super) fn office_meant(question: &Question) -> Option<&'static str> {
    duty(&question.text).map(|duty| duty.office)
}

/// Whether a unit tells of another office and nothing of what the question asks somebody to have in hand.
pub(super) fn is_of_other_duty(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let Some(duty) = duty(&question.text) else { return false };
    let said = words(&unit.text.to_lowercase());
    let has = |word: &str| said.iter().any(|own| own == word);
    OFFICES.iter().any(|row| row.split(' ').any(has)) && {
        let of_it: Vec<String> = duty.said.iter().map(|word| stem(word)).collect();
        !said.iter().any(|own| of_it.contains(&stem(own)))
    }
}

fn duty(text: &str) -> Option<&'static Duty> {
    let all = words(&text.to_lowercase());
    let mut rest: Vec<&str> = all.iter().map(String::as_str).collect();
    while rest.last().is_some_and(|word| NOWADAYS.contains(word) || *word == "the") {
        rest.pop();
    }
    let (thing, lead) = rest.split_last()?;
    let lead: Vec<&str> = lead
        .iter()
        .copied()
        .filter(|word| !matches!(*word, "the" | "our" | "your" | "all"))
        .collect();
    let is_done = matches!(
        lead.as_slice(),
        ["who", "looks" | "look" | "sees" | "see", "after" | "to"]
            | ["who", "takes" | "take", "care", "of"]
            | ["who", "is", "in", "charge", "of"]
            | ["who", "is", "responsible", "for"]
            | ["who", "keeps" | "handles" | "minds" | "manages" | "takes" | "does" | "deals"]
            | ["who", "deals", "with"]
    );
    if !is_done {
        return None;
    }
    let thing = stem(thing);
    DUTIES.iter().find(|duty| duty.things.iter().any(|one| stem(one) == thing))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn followed(question: &str, text: &str) -> bool {
        let at = text.find("Ray Hall").expect("he is named");
        is_followed(&Question::parse(question, &[]), text, &(at..at + "Ray Hall".len()))
    }

    #[test]
    fn whoever_is_followed_holds_the_office_no_more() {
        let asked = "Who runs the yard these days?";
        for text in [
            "Mia Roe is warden of the yard; she follows Ray Hall, who led it for nine years.",
            "Mia Roe followed Ray Hall as head of the yard.",
            "Mia Roe took over from Ray Hall in May.",
            "Mia Roe was elected in place of Ray Hall.",
            "Mia Roe is the successor of Ray Hall.",
            "Mia Roe runs the yard instead of Ray Hall.",
        ] {
            assert!(followed(asked, text), "{text}");
            assert!(!followed("Whom does Mia Roe follow?", text), "{text}");
        }
    }

    #[test]
    fn whoever_follows_and_who_is_asked_for_as_the_one_before_stay() {
        let asked = "Who runs the yard these days?";
        assert!(!followed(asked, "Ray Hall follows Mia Roe as head of the yard."));
        for text in [
            "The path follows Ray Hall across the field.",
            "Mia Roe followed Ray Hall, who won the sprint.",
            "The tour follows Ray Hall, who leads it.",
        ] {
            assert!(!followed(asked, text), "{text}");
        }
        let text = "Mia Roe took over from Ray Hall in May.";
        assert!(!followed("Who ran the yard before Mia Roe?", text));
        assert!(!followed("Where did Mia Roe come from?", text));
    }

    #[test]
    fn a_duty_is_of_its_office() {
        let office = |text: &str| office_meant(&Question::parse(text, &[]));
        for asked in [
            "Who looks after the money these days?",
            "Who takes care of the finances?",
            "Who keeps the books?",
            "Who is in charge of our accounts?",
            "Who handles the cash?",
            "Who looks after the fund?",
            "Who manages the money now?",
        ] {
            assert_eq!(office(asked), Some("treasurer"), "{asked}");
        }
        assert_eq!(office("Who takes the minutes?"), Some("secretary"));
        for asked in [
            "Who looks after the boats?",
            "Who stole the money?",
            "Who keeps the books of the library?",
        ] {
            assert_eq!(office(asked), None, "{asked}");
        }
        let other = |text: &str| {
            let passages = [document("people", "People", text)];
            let units = evidence_units(&passages);
            is_of_other_duty(&Question::parse("Who looks after the money?", &[]), &units[0])
        };
        assert!(other("Mia Roe has been warden since May."));
        assert!(!other("Mia Roe, the warden, does the accounts."));
        assert!(!other("Mia Roe sees to it."));
        assert!(!other("Mia Roe, the warden, looks after the fund."));
        assert!(!other("Mia Roe, the manager, does the bookkeeping."));
        assert!(!other("Mia Roe, the clerk, sees to the payroll and the budget."));
    }
}
