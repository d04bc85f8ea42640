//! A claim all of whose words one sentence has, in their order: it says less than the sentence, and not otherwise.

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use crate::verify::tokens::Pos;

/// Fewer words than this are too few to be more than a coincidence.
const FEWEST: usize = 3;

/// Words that both must have: without them one speaks of all and the other of some.
const SCOPE: [&str; 14] = [
    "all", "every", "each", "both", "any", "no", "none", "only", "always", "never", "most", "some",
    "few", "than",
];

/// Words under which nothing is said to have been done.
const UNDONE: [&str; 13] = [
    "almost", "nearly", "if", "unless", "hoped", "hopes", "planned", "plans", "wanted", "tried",
    "promised", "supposed", "instead",
];

fn has(p: &Prepared, words: &[&str]) -> bool {
    p.tokens.iter().any(|token| words.contains(&token.lower.as_str()))
}

/// Content words with their places; a noun that "of the" ties to another one only says again whose it is.
fn content(p: &Prepared) -> Vec<usize> {
    let lower = |at: usize| p.tokens.get(at).map_or("", |token| token.lower.as_str());
    (0..p.tokens.len())
        .filter(|at| p.items[*at].kind != Kind::Empty)
        .filter(|at| {
            let is_tied = *at > 1 && lower(at - 1) == "the" && lower(at - 2) == "of";
            !(is_tied && p.tokens[*at].pos == Pos::Noun)
        })
        .collect()
}

/// Whether one sentence has all of the claim's words in their order, and nothing that undoes them.
fn is_whole(claim: &Prepared, words: &[usize], p: &Prepared) -> bool {
    let mut from = 0;
    let in_order = words.iter().all(|at| {
        let key = claim.items[*at].key;
        let found = (from..p.tokens.len()).find(|i| p.items[*i].key == key);
        from = found.map_or(p.tokens.len(), |i| i + 1);
        found.is_some()
    });
    let scope = |p: &Prepared| -> Vec<bool> { SCOPE.iter().map(|word| has(p, &[*word])).collect() };
    in_order
        && p.negators.is_empty()
        && !p.hedges
        && !p.exclusive
        && !has(p, &UNDONE)
        && scope(claim) == scope(p)
}

/// A claim that leaves out of a sentence what that says besides is not denied by it.
pub(super) fn whole(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let words = content(claim);
    if words.len() < FEWEST || !claim.negators.is_empty() || !claim.dates.is_empty() {
        return;
    }
    if view.evidence.iter().any(|p| is_whole(claim, &words, p)) {
        report.opposes_nothing();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    #[test]
    fn what_says_less_is_not_denied() {
        let against = |claim: &str, evidence: &str| run(claim, &[evidence]).against;
        let claim = "All ferries of the line passed the safety test.";
        assert_eq!(
            against(claim, "All five ferries passed the safety test of 2024."),
            Against::Not
        );
        for evidence in [
            "Some ferries passed the safety test of 2024.",
            "All five ferries nearly passed the safety test of 2024.",
            "The safety test was not passed by all ferries.",
            "All ferries failed the safety test.",
        ] {
            assert_ne!(against(claim, evidence), Against::Not, "{evidence}");
        }
    }
}
