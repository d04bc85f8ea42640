//! Sums of money: what one is, by its clause, and which kind a question asks for.

use super::question::Question;
use super::unit::EvidenceUnit;
use super::values::Value;
use elenchus_core::text::words;

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
