//! Lenders: who lends or gives money does not for that keep the accounts.

use super::question::Question;
use super::unit::EvidenceUnit;
use elenchus_core::text::{stem, words};

/// Who keeps accounts.
const BANKS: [&str; 5] = ["bank", "banks", "banker", "bankers", "institution"];
/// What is kept there, as it is asked for.
const KEPT: [&str; 9] =
    ["money", "account", "accounts", "cash", "savings", "funds", "deposits", "balance", "balances"];
/// Verbs of keeping.
const KEEPS: [&str; 9] =
    ["hold", "holds", "held", "keep", "keeps", "kept", "has", "have", "manages"];
/// Stems of lending and giving.
const LENDS: [&str; 13] = [
    "loan",
    "lend",
    "lent",
    "lender",
    "borrow",
    "mortgag",
    "overdraft",
    "debt",
    "grant",
    "donat",
    "sponsor",
    "financ",
    "repay",
];
/// Words of a unit by which it tells of accounts all the same.
const ACCOUNTS: [&str; 14] = [
    "account",
    "accounts",
    "banks",
    "banking",
    "deposit",
    "deposits",
    "deposited",
    "keeps",
    "kept",
    "holds",
    "held",
    "savings",
    "cash",
    "union",
];

/// Whether a unit tells only who lends or gives, where the question asks which bank keeps the money.
pub(super) fn is_of_a_lender(question: &Question, unit: &EvidenceUnit<'_>) -> bool {
    let asked = words(&question.text.to_lowercase());
    let has = |list: &[&str]| asked.iter().any(|word| list.contains(&word.as_str()));
    let lends = |all: &[String]| all.iter().any(|word| LENDS.contains(&stem(word).as_str()));
    // "Which bank does the club bank with?" asks for it by the verb.
    let by_verb = asked
        .windows(2)
        .any(|pair| matches!(pair[0].as_str(), "bank" | "banks" | "banked") && pair[1] == "with");
    let asks = by_verb || has(&BANKS) && has(&KEPT) && has(&KEEPS);
    if !asks || lends(&asked) {
        return false;
    }
    let said = words(&unit.text.to_lowercase());
    lends(&said) && !said.iter().any(|word| ACCOUNTS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    fn lender(question: &str, text: &str) -> bool {
        let passages = [document("books", "Money", text)];
        let units = evidence_units(&passages);
        is_of_a_lender(&Question::parse(question, &[]), &units[0])
    }

    const LOAN: &str = "The loan of 9,000 pounds from the Wick Bank runs until 2030.";

    #[test]
    fn whoever_lends_does_not_keep_the_accounts() {
        for asked in [
            "Which bank holds the choir's money?",
            "Which bank keeps our accounts?",
            "Which bank does the choir have its account with?",
            "What bank has our savings?",
            "Which bank does the choir bank with?",
            "At which bank are the funds kept?",
        ] {
            assert!(lender(asked, LOAN), "{asked}");
        }
        let asked = "Which bank holds the choir's money?";
        assert!(lender(asked, "The Wick Bank donated 200 pounds."));
        assert!(lender(asked, "The mortgage with the Wick Bank is repaid."));
    }

    #[test]
    fn a_question_for_the_lender_and_a_unit_on_accounts_are_let_be() {
        assert!(!lender("Which bank gave us the loan?", LOAN));
        assert!(!lender("Which bank holds the mortgage on our savings?", LOAN));
        assert!(!lender("Which bank is next to the hall?", LOAN));
        let asked = "Which bank holds the choir's money?";
        assert!(!lender(asked, "The choir banks with the Wick Bank, which gave it a loan too."));
        assert!(!lender(asked, "Our account is with the Wick Bank."));
        assert!(!lender(asked, "The Wick Credit Union has it."));
        assert!(!lender(asked, "The cash from the grant is at the Wick Bank."));
    }
}
