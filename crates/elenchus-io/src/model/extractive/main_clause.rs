//! The main clause: of "When a robot stands still, who is called?" it is "who is called", and of "The shed is locked. Where is the key?"
//! the last sentence. What kind of value is asked for is told there alone; the rest says of what.

use super::expects::{AUXILIARIES, WH};
use elenchus_core::text::words;

/// What begins a clause that only says when or under which condition something is asked.
const LEADS: [&str; 16] = [
    "if", "before", "after", "once", "while", "since", "as", "although", "though", "suppose",
    "assuming", "given", "unless", "until", "because", "whenever",
];
/// What may stand before a question word.
const PREPOSITIONS: [&str; 13] =
    ["in", "by", "at", "for", "on", "with", "from", "to", "until", "since", "under", "and", "then"];

/// The clause of a question that asks, in the words of the question.
pub(super) fn main_clause(question: &str) -> &str {
    let text = question.trim_end();
    // A sentence before the last one that does not ask itself leads to it.
    let start = text
        .trim_end_matches(['?', '.', '!', ' '])
        .rfind(". ")
        .map(|at| at + 2)
        .filter(|at| asks(&text[*at..]) && words(&text[..*at]).len() >= 3);
    let last = &text[start.unwrap_or(0)..];
    let Some(comma) = last.rfind(", ") else { return last };
    let clause = &last[comma + 2..];
    let before = words(&last[..comma].to_lowercase());
    let leads = match before.as_slice() {
        [first, second, ..] => {
            LEADS.contains(&first.as_str())
                // "When was it built, and why": two questions.
                || (WH.contains(&first.as_str()) && !AUXILIARIES.contains(&second.as_str())
                    && matches!(first.as_str(), "when" | "where"))
        }
        _ => false,
    };
    if leads && asks(clause) { clause } else { last }
}

/// Whether a clause begins with a question word, or an auxiliary, maybe behind a preposition.
fn asks(clause: &str) -> bool {
    let all = words(&clause.to_lowercase());
    let is_asked = |word: Option<&String>| word.is_some_and(|word| WH.contains(&word.as_str()));
    let auxiliary = all.first().is_some_and(|word| AUXILIARIES.contains(&word.as_str()));
    let behind = all.first().is_some_and(|word| PREPOSITIONS.contains(&word.as_str()));
    is_asked(all.first()) || auxiliary || (behind && is_asked(all.get(1)))
}

#[cfg(test)]
mod tests {
    use super::super::question::{Expects, Question};
    use super::*;

    #[test]
    fn what_leads_to_a_question_asks_nothing() {
        for (text, clause) in [
            ("When a robot stands still, who is called?", "who is called?"),
            ("Before I put prices on the page, whom must I ask?", "whom must I ask?"),
            ("If the rent is late, what happens?", "what happens?"),
            ("The shed is locked. Where is the key?", "Where is the key?"),
            ("When was it built, and why?", "When was it built, and why?"),
            ("What is the price, in euros?", "What is the price, in euros?"),
            ("How long is it at St. Ives?", "How long is it at St. Ives?"),
        ] {
            assert_eq!(main_clause(text), clause);
        }
    }

    #[test]
    fn the_kind_of_value_is_told_in_the_main_clause() {
        let expects = |text: &str| Question::parse(text, &[]).expects;
        assert_eq!(expects("When a robot stands still, who is called?"), Expects::Person);
        assert_eq!(expects("Before I say what it costs, whom must I ask?"), Expects::Agent);
        assert_eq!(expects("A tool which we use is slow. When is it mended?"), Expects::Date);
    }
}
