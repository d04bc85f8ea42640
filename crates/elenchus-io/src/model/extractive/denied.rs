//! Denied: a question of what is not so, and a unit that says it is.
//!
//! "Which of the firms did not bid?" is bound by every firm that bid, and none of them is the one that is asked for.

use super::matching::Matcher;
use super::question::{Expects, Question, Term};
use super::unit::{EvidenceUnit, Place};
use elenchus_core::prompt::QuestionKind;
use elenchus_core::text::{stem, words};

/// Likeness from which a word of a unit says what the question denies.
const SAYS: f64 = 0.7;
/// Words of a question under which a denial is a condition or a reason, and not what is asked for.
const CONDITIONS: [&str; 9] =
    ["if", "unless", "until", "when", "while", "because", "why", "whether", "happens"];
/// Most words from "who" to the denial in a clause that describes somebody.
const RELATIVE: usize = 3;
/// Words that ask for something by what is said of it.
const ASKING: [&str; 6] = ["who", "whose", "which", "what", "where", "how"];
/// Words with which a denial forbids: a rule says that in many ways, and often without a denial.
const DEONTIC: [&str; 7] = ["must", "may", "should", "shall", "can", "could", "might"];
/// Words between a denial and what it denies.
const BETWEEN: [&str; 12] =
    ["a", "an", "the", "any", "be", "been", "being", "have", "had", "has", "get", "got"];
/// Words behind "not" with which it denies nothing of the kind.
const NO_DENIAL: [&str; 8] = ["only", "yet", "just", "less", "more", "fewer", "later", "to"];
/// Words by which a unit may say that something is not so.
const DENIALS: [&str; 39] = [
    "no",
    "non",
    "not",
    "never",
    "none",
    "nobody",
    "nothing",
    "neither",
    "nor",
    "without",
    "except",
    "excluding",
    "only",
    "cannot",
    "nil",
    "zero",
    "0",
    "against",
    "unless",
    "out",
    "instead",
    "rather",
    "other",
    "others",
    "vacant",
    "empty",
    "free",
    "open",
    "outstanding",
    "pending",
    "overdue",
    "awaiting",
    "still",
    "extra",
    "separately",
    "apart",
    "besides",
    "forbidden",
    "withdrawn",
];
/// Stems of such words.
const DENYING: [&str; 21] = [
    "declin", "refus", "fail", "absent", "apolog", "miss", "lack", "exempt", "exclud", "abstain",
    "reject", "omit", "skip", "forbid", "prohibit", "ban", "withdraw", "avoid", "prevent", "laps",
    "expir",
];

/// Whether a unit says of something, without any denial, what the question denies of what it asks for.
pub(super) fn is_affirmed(question: &Question, unit: &EvidenceUnit<'_>, matcher: &Matcher) -> bool {
    let Some(denied) = denied(question) else { return false };
    let lead = words(&unit.near_text);
    let says = lead.iter().any(|word| stem(word) == denied.stem)
        || unit.words.iter().any(|word| {
            (word.place == Place::Unit || word.column.is_some())
                && matcher.likeness(denied, word) >= SAYS
        });
    says && !holds_denial(unit, denied, &lead)
}

/// The word of a question that it denies: "bid" of "Which firm did not bid?".
fn denied(question: &Question) -> Option<&Term> {
    if question.kind != QuestionKind::Lookup
        || matches!(question.expects, Expects::YesNo | Expects::Reason)
    {
        return None;
    }
    // "I have not flown since May. What must I do?" denies nothing of what it asks for.
    let all = words(question.text.rsplit(". ").next()?);
    if all.iter().any(|word| CONDITIONS.contains(&word.as_str())) {
        return None;
    }
    let at = all.iter().position(|word| is_not(word))?;
    let asked = all.iter().position(|word| ASKING.contains(&word.as_str()))?;
    let forbids = DEONTIC.iter().any(|may| {
        all[at].starts_with(*may) || at.checked_sub(1).is_some_and(|before| all[before] == *may)
    });
    // "The fee for guests who are not members" denies who they are, and nothing of the fee.
    let describes = (at.saturating_sub(RELATIVE)..at).any(|before| {
        before > asked && matches!(all[before].as_str(), "who" | "that" | "which" | "whose")
    });
    if asked > at || forbids || describes {
        return None;
    }
    let behind = all.get(at + 1..)?;
    if behind.first().is_some_and(|word| NO_DENIAL.contains(&word.as_str())) {
        return None;
    }
    let next = behind.iter().find(|word| !BETWEEN.contains(&word.as_str()))?;
    question.terms.iter().find(|term| term.word == *next && !term.hard)
}

fn is_not(word: &str) -> bool {
    matches!(word, "not" | "never") || word.ends_with("n't") || word.ends_with("n\u{2019}t")
}

/// Whether anything in a unit, or in what introduces it, may deny the word: a "no", an empty cell, "unpaid" of what was paid.
fn holds_denial(unit: &EvidenceUnit<'_>, denied: &Term, lead: &[String]) -> bool {
    let undone = |word: &str| {
        ["un", "non", "in", "dis"].iter().any(|prefix| {
            word.strip_prefix(*prefix)
                .is_some_and(|rest| !rest.is_empty() && stem(rest) == denied.stem)
        })
    };
    let denies = |word: &String| {
        is_not(word)
            // "Open" may say that something is not paid, but not that it does not open.
            || (DENIALS.contains(&word.as_str()) && stem(word) != denied.stem)
            || DENYING.contains(&stem(word).as_str())
            || word.parse::<f64>().is_ok_and(|number| number.abs() < f64::EPSILON)
            || undone(word)
    };
    let is_blank = |cell: &str| !cell.contains(char::is_alphanumeric);
    words(unit.text).iter().chain(lead).any(denies)
        || unit.text.to_lowercase().contains("n/a")
        || unit.cells.iter().any(|cell| unit.text.get(cell.clone()).is_some_and(is_blank))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn affirmed(question: &str, text: &str) -> bool {
        let passages = [document("tenders", "Tenders", text)];
        let units = evidence_units(&passages);
        is_affirmed(&Question::parse(question, &[]), &units[0], &Matcher::new())
    }

    #[test]
    fn who_did_it_is_not_who_did_not() {
        let bid = "Harrow Plant bid 41,000 pounds.";
        assert!(affirmed("Which firm did not bid?", bid));
        assert!(affirmed("Which firm was asked and didn't bid?", bid));
        assert!(affirmed("How many firms have not bid?", "Three firms bid."));
    }

    #[test]
    fn a_denial_or_another_word_stays() {
        let asked = "Which firm did not bid?";
        assert!(!affirmed(asked, "Dale Pumps did not bid."));
        assert!(!affirmed(asked, "All bid except Dale Pumps."));
        assert!(!affirmed(asked, "Dale Pumps declined to bid."));
        assert!(!affirmed(asked, "Dale Pumps has moved to Leith."));
        assert!(!affirmed("Which bills were not paid?", "Bills 4 and 9 are unpaid."));
        assert!(!affirmed("Which bills were not paid?", "bill: 4; sum: 40.00; paid: 0.00"));
    }

    #[test]
    fn a_condition_or_a_reason_is_no_denial() {
        let bid = "Harrow Plant bid 41,000 pounds.";
        assert!(!affirmed("Which firm bid?", bid));
        assert!(!affirmed("Why did Harrow Plant not bid?", bid));
        assert!(!affirmed("What follows if a firm does not bid?", bid));
        assert!(!affirmed("Which firm bid not only once?", bid));
        assert!(!affirmed("Which firms may not bid?", bid));
        assert!(!affirmed("We did not bid. Who got the work?", bid));
        let fee = "Visitors pay 40 pounds, members 20.";
        assert!(!affirmed("What is the fee for visitors who are not members?", fee));
        let rule = "It is prohibited to leave bicycles in the hall.";
        assert!(!affirmed("Where should bicycles not be left?", rule));
    }
}
