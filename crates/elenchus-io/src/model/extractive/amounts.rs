//! Amounts: "How high is the reserve fund?" asks for no height, and "How strong is the crew?" for no force.
//!
//! What is asked of a thing by such a word depends on the thing: of money, a rate or a number it is the amount. The question is read
//! as "How large is ...", whose figure may be of any kind. Of a tower it stays a height.

use super::expects::AUXILIARIES;
use elenchus_core::text::is_stop_word;

/// Nouns, in the singular, of money, rates and numbers: none of them has a height.
const SUMS: [&str; 85] = [
    "fund",
    "reserve",
    "budget",
    "debt",
    "loan",
    "mortgage",
    "overdraft",
    "deposit",
    "fine",
    "penalty",
    "fee",
    "charge",
    "cost",
    "price",
    "rent",
    "fare",
    "toll",
    "tariff",
    "tax",
    "levy",
    "due",
    "subscription",
    "contribution",
    "donation",
    "grant",
    "subsidy",
    "allowance",
    "salary",
    "wage",
    "pay",
    "pension",
    "bonus",
    "commission",
    "compensation",
    "premium",
    "excess",
    "bill",
    "invoice",
    "balance",
    "saving",
    "asset",
    "capital",
    "endowment",
    "income",
    "revenue",
    "turnover",
    "taking",
    "profit",
    "surplus",
    "deficit",
    "loss",
    "damage",
    "spending",
    "expenditure",
    "expense",
    "sum",
    "amount",
    "total",
    "bid",
    "offer",
    "estimate",
    "reward",
    "prize",
    "interest",
    "rate",
    "share",
    "percentage",
    "proportion",
    "quota",
    "discount",
    "margin",
    "inflation",
    "number",
    "limit",
    "target",
    "threshold",
    "attendance",
    "turnout",
    "membership",
    "population",
    "circulation",
    "backlog",
    "occupancy",
    "admission",
    "fundraising",
];
/// Nouns of people who are many together.
const BODIES: [&str; 15] = [
    "crew",
    "team",
    "staff",
    "workforce",
    "squad",
    "choir",
    "orchestra",
    "garrison",
    "delegation",
    "crowd",
    "audience",
    "congregation",
    "membership",
    "fleet",
    "class",
];
/// Nouns of what covers something, and goes no distance.
const COVERS: [&str; 12] = [
    "warranty",
    "guarantee",
    "cover",
    "coverage",
    "insurance",
    "policy",
    "liability",
    "exemption",
    "protection",
    "mandate",
    "authority",
    "licence",
];
/// What stands behind "how" for a sum.
const HIGH: [&str; 2] = ["high", "steep"];
/// Verbs that may follow the thing: "how high does the debt stand".
const STANDS: [&str; 9] =
    ["stand", "stands", "stood", "run", "runs", "rise", "set", "today", "altogether"];
/// The same for what covers something.
const REACHES: [&str; 6] = ["go", "goes", "reach", "reaches", "extend", "extends"];
/// Words between the auxiliary and the thing.
const LEADS: [&str; 9] = ["the", "a", "an", "our", "your", "their", "its", "this", "that"];
/// Most words of the thing.
const MOST: usize = 6;

/// The question as it asks for an amount, or for what is covered; `None` where it asks for neither in such words.
pub(super) fn plainly(text: &str) -> Option<String> {
    let tokens: Vec<&str> = text.split(' ').collect();
    let how = tokens.iter().position(|token| bare(token) == "how")?;
    let called = bare(tokens.get(how + 1)?);
    let from = how + 2;
    let lead = tokens.get(from..)?.iter().take_while(|token| {
        let word = bare(token);
        AUXILIARIES.contains(&word.as_str()) || LEADS.contains(&word.as_str())
    });
    let start = from + lead.count();
    let mut thing: Vec<String> = Vec::new();
    for token in tokens.get(start..)?.iter().take(MOST) {
        let word = bare(token);
        if word.is_empty() || is_stop_word(&word) || AUXILIARIES.contains(&word.as_str()) {
            break;
        }
        thing.push(word);
        // A mark ends the thing.
        if token.ends_with([',', ';', ':', '?']) {
            break;
        }
    }
    let last = |skipped: &[&str]| {
        thing.iter().rposition(|word| !skipped.contains(&word.as_str())).map(|at| &thing[at])
    };
    let is_high = HIGH.contains(&called.as_str()) && is_among(&SUMS, last(&STANDS)?);
    if is_high || called == "strong" && is_among(&BODIES, last(&STANDS)?) {
        let mut said: Vec<&str> = tokens.clone();
        said[how + 1] = "large";
        return Some(said.join(" "));
    }
    let reaches = thing.last().is_some_and(|word| REACHES.contains(&word.as_str()));
    if called == "far" && reaches && is_among(&COVERS, last(&REACHES)?) {
        let verb = start + thing.len() - 1;
        let mark: String = tokens[verb].chars().filter(|c| !c.is_alphanumeric()).collect();
        let what = if how == 0 { "What" } else { "what" };
        let covers = format!("cover{mark}");
        let mut said: Vec<&str> = tokens[..how].to_vec();
        said.push(what);
        said.extend(&tokens[from..verb]);
        said.push(&covers);
        said.extend(&tokens[verb + 1..]);
        return Some(said.join(" "));
    }
    None
}

/// A word in lower case without the marks around it.
fn bare(token: &str) -> String {
    token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Whether a noun, or what it is the plural of, is one of these.
fn is_among(list: &[&str], noun: &str) -> bool {
    let of_many = noun.strip_suffix("ies").map(|stem| format!("{stem}y"));
    list.contains(&noun)
        || noun.strip_suffix('s').is_some_and(|one| list.contains(&one))
        || of_many.is_some_and(|one| list.contains(&one.as_str()))
}

#[cfg(test)]
mod tests {
    use super::super::question::{Expects, Question};
    use super::*;

    #[test]
    fn of_money_and_numbers_the_amount_is_asked_for() {
        for (asked, read) in [
            ("How high is the harbour debt?", "How large is the harbour debt?"),
            (
                "How high was the overdraft at the end of 2021?",
                "How large was the overdraft at the end of 2021?",
            ),
            ("How high are the fines for late books?", "How large are the fines for late books?"),
            ("How high may the deposit be?", "How large may the deposit be?"),
            ("How high does the choir's debt stand?", "How large does the choir's debt stand?"),
            ("How steep is the entrance fee?", "How large is the entrance fee?"),
            ("How high is the number of rowers?", "How large is the number of rowers?"),
            ("How strong is the lifeboat crew?", "How large is the lifeboat crew?"),
            ("How far does the warranty go?", "What does the warranty cover?"),
            (
                "And how far does our insurance reach at sea?",
                "And what does our insurance cover at sea?",
            ),
        ] {
            assert_eq!(plainly(asked).as_deref(), Some(read));
        }
        let question = Question::parse("How high is the harbour debt?", &[]);
        assert_eq!(question.expects, Expects::Quantity);
        assert!(!question.measured && question.terms.iter().all(|term| term.word != "height"));
    }

    #[test]
    fn what_has_a_height_a_force_or_a_way_keeps_it() {
        for asked in [
            "How high is the tower?",
            "How high is the tower of the bank that gave the loan?",
            "How high is the fund's tower?",
            "How high is the water level?",
            "How strong is the magnetic force?",
            "How strong was the wind?",
            "How strong is the rope?",
            "How far does the ferry go?",
            "How far is the insurance office?",
            "How large is the debt?",
            "Why is the debt high?",
        ] {
            assert_eq!(plainly(asked), None, "{asked}");
        }
        assert!(Question::parse("How high is the tower?", &[]).measured);
    }
}
