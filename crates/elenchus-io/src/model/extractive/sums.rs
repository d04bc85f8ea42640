//! Sums of money: what one is, by its clause, and which kind a question asks for.

use super::bind::{BOUND, Bound};
use super::question::Question;
use super::unit::{EvidenceUnit, Place};
use super::values::{Value, ValueKind};
use elenchus_core::text::{is_stop_word, words};

/// Words right before a sum behind which it says what something is or comes to, and not what was done with it.
const LINKS: [&str; 19] = [
    "is", "are", "was", "were", "be", "been", "being", "to", "at", "of", "from", "by", "for",
    "with", "as", "than", "between", "per", "and",
];

/// Deeds by which a sum comes in, by their stems.
const INCOME: [&str; 7] = ["bring", "brought", "donat", "earn", "generat", "rais", "receiv"];

/// Whether the question is about what something costs or is allowed to cost.
pub(super) fn asks_a_price(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        matches!(
            term.stem.as_str(),
            "price"
                | "cost"
                | "charg"
                | "fee"
                | "pay"
                | "rate"
                | "cap"
                | "budget"
                | "limit"
                | "allow"
                | "buy"
                | "sell"
                | "expens"
                | "list"
                | "unit"
                | "subscript"
                | "rent"
                | "worth"
                | "valu"
        )
    })
}

/// Whether the question is about what something is worth.
pub(super) fn asks_for_worth(question: &Question) -> bool {
    question.terms.iter().any(|term| {
        matches!(
            term.stem.as_str(),
            "valu" | "valuat" | "worth" | "post-money" | "pre-money" | "apprais"
        )
    })
}

/// Whether a sum is what something is worth, and not what was paid, raised or earned.
pub(super) fn is_worth(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let range = &unit.segments[unit.segment_of(value.range.start)].range;
    let clause = unit.text[range.clone()].to_lowercase();
    clause.contains("post-money")
        || clause.contains("pre-money")
        || words(&clause)
            .iter()
            .any(|w| matches!(w.as_str(), "values" | "valued" | "valuation" | "worth"))
}

/// What was given or lent, by the stems of its names.
fn is_gift_stem(stem: &str) -> bool {
    matches!(
        stem,
        "grant" | "gift" | "donat" | "loan" | "bequest" | "legaci" | "subsidi" | "sponsorship"
    )
}

pub(super) fn asks_for_gift(question: &Question) -> bool {
    question.terms.iter().any(|term| is_gift_stem(&term.stem))
}

pub(super) fn asks_cost(question: &Question) -> bool {
    question.terms.iter().any(|term| matches!(term.stem.as_str(), "cost" | "price" | "expens"))
}

/// "The largest grant, £95,000": a sum right behind a gift or "a gift of £95,000" is what was given, not what it cost.
pub(super) fn is_gift(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let range = &unit.segments[unit.segment_of(value.range.start)].range;
    let before = words(&unit.text[..value.range.start]);
    let in_clause = words(&unit.text[range.start.min(value.range.start)..value.range.start]);
    let named = |list: &[String]| {
        list.iter().rev().take(3).any(|word| is_gift_stem(&elenchus_core::text::stem(word)))
    };
    named(&in_clause) || named(&before)
}

/// Whether a sum is the price of one thing and not a total.
pub(super) fn is_price(unit: &EvidenceUnit<'_>, value: &Value) -> bool {
    let range = &unit.segments[unit.segment_of(value.range.start)].range;
    let clause = unit.text[range.clone()].to_lowercase();
    let after: String = unit.text[value.range.end..].chars().take(12).collect();
    clause.contains("price") || after.trim_start_matches('*').trim_start().starts_with("per ")
}

/// The deed that a sum is the object of, where a price is asked for in other words: "launch fees brought in £48,310" tells what
/// came of them, and not what one costs. A price stands behind its name, a colon, a form of "be" or a preposition.
pub(super) fn other_deed(
    question: &Question,
    unit: &EvidenceUnit<'_>,
    value: &Value,
    bounds: &[Bound],
) -> Option<String> {
    if !asks_cost(question) || value.kind != ValueKind::Money || !unit.cells.is_empty() {
        return None;
    }
    let clause = unit.segments.get(unit.segment_of(value.range.start))?.range.start;
    let mut next = value.range.start;
    let before = unit.words.iter().rev().filter(|word| {
        word.place == Place::Unit
            && !word.at.is_empty()
            && word.at.start >= clause
            && word.at.end <= value.range.start
    });
    for word in before {
        let between = unit.text.get(word.at.end..next)?;
        if between.contains([':', ';', '|', '=', '(', '\u{2013}', '\u{2014}'])
            || LINKS.contains(&word.word.as_str())
        {
            return None;
        }
        next = word.at.start;
        // "In" of "brought in", and "roughly".
        let is_beside = is_stop_word(&word.word)
            || word.word.ends_with("ly")
            || matches!(word.word.as_str(), "around" | "almost" | "circa");
        if is_beside {
            continue;
        }
        let is_asked = bounds.iter().any(|bound| bound.strength >= BOUND && bound.at == word.at);
        // Only what is surely an income: "cost taxpayers £12 million" and "an estimated £12 million" tell a price.
        return (!is_asked && INCOME.contains(&word.stem.as_str())).then(|| word.stem.clone());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::matching::{Commonness, Matcher};
    use super::super::select::by_words;
    use super::super::testing::document;
    use super::super::unit::evidence_units;
    use super::*;

    #[test]
    fn what_fees_brought_in_is_no_other_price() {
        let disagree = |own: &str, other: &str| {
            let passages =
                [document("prices", "Prices", own), document("minutes", "Minutes", other)];
            let units = evidence_units(&passages);
            let question = Question::parse("What does a winch launch cost?", &[]);
            let common = Commonness::new(&[], 2);
            let (all, selection) = by_words(&question, &units, &Matcher::new(), &common);
            let deeds: Vec<Option<String>> = (0..units.len())
                .map(|at| all.iter().find(|one| one.unit == at).and_then(|one| one.deed.clone()))
                .collect();
            (deeds, selection.conflicts.len())
        };
        let price = "A winch launch costs £10.50.";
        let (deeds, conflicts) = disagree(price, "The cost of winch launches brought in £48,310.");
        assert_eq!(deeds, [None, Some("bring".to_owned())]);
        assert_eq!(conflicts, 0);
        for other in ["A winch launch costs roughly £12.", "A winch launch costs members £12."] {
            let (deeds, conflicts) = disagree(price, other);
            assert_eq!((deeds, conflicts), (vec![None, None], 1), "{other}");
        }
    }
}
