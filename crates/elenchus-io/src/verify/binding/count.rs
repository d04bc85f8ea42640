//! A count that a document reports of its own subject: "Ann Lee reported 151 members" in the minutes of a club, for "The club
//! has 151 members".
//!
//! The sentence does not name whose members they are, as everybody who reads the minutes knows. It is one of the two rules here
//! that raise support (the other is of what is computed), and it asks for every word of the claim.

use super::prepare::{Kind, Prepared};
use super::quantity::{Bound, Quantity};
use crate::verify::tokens::{Pos, Token};

/// A claim that something has so many of something.
struct Count<'a> {
    /// The words for who has them, without the article.
    subject: &'a [Token],
    quantity: &'a Quantity,
    noun: &'a Token,
}

/// "The club has 151 members", and nothing more.
fn count(claim: &Prepared) -> Option<Count<'_>> {
    let [first, ..] = claim.tokens.as_slice() else { return None };
    let verb = claim.tokens.iter().position(|t| matches!(t.lower.as_str(), "has" | "have"))?;
    let subject = claim.tokens.get(1..verb).filter(|words| !words.is_empty())?;
    let [quantity] = claim.quantities.as_slice() else { return None };
    let noun = claim.tokens.get(quantity.tokens.end)?;
    let is_whole = first.lower == "the"
        && subject.iter().all(|word| matches!(word.pos, Pos::Noun | Pos::ProperNoun))
        && quantity.tokens.start == verb + 1
        && is_plain(quantity)
        && noun.pos == Pos::Noun
        && claim.tokens[quantity.tokens.end + 1..].iter().all(Token::is_mark)
        && claim.negators.is_empty();
    is_whole.then_some(Count { subject, quantity, noun })
}

/// Whether it is a count as it stands.
fn is_plain(q: &Quantity) -> bool {
    q.unit.is_none() && !q.ordinal && q.bound == Bound::Exact && q.low.total_cmp(&q.high).is_eq()
}

/// Whether a sentence reports the same count, of nobody else.
fn reports(p: &Prepared, count: &Count<'_>) -> bool {
    p.quantities.iter().filter(|q| is_plain(q)).any(|q| {
        let Some(verb) = q.tokens.start.checked_sub(1) else { return false };
        let (said, item) = (&p.tokens[verb], &p.items[verb]);
        let after = p.tokens.get(q.tokens.end + 1);
        // "151 members of the rowing club": somebody else's.
        let is_bound = after.is_some_and(|token| {
            matches!(token.lower.as_str(), "of" | "from" | "in" | "at" | "for" | "who" | "that")
        });
        q.low.total_cmp(&count.quantity.low).is_eq()
            && matches!(said.lower.as_str(), "reported" | "counted" | "recorded" | "registered")
            && !item.negated
            && !item.hedged
            && p.tokens.get(q.tokens.end).is_some_and(|noun| noun.stem == count.noun.stem)
            && !is_bound
    })
}

/// The sentence that reports the count of a claim, in a document whose title or headings name the claim's subject.
pub(crate) fn reported(
    claim: &Prepared,
    evidence: &[&Prepared],
    above: &[&Prepared],
) -> Option<usize> {
    let count = count(claim)?;
    let is_named = count.subject.iter().all(|word| {
        above.iter().any(|p| {
            let mut words = p.tokens.iter().zip(&p.items);
            words.any(|(token, item)| item.kind != Kind::Empty && token.stem == word.stem)
        })
    });
    let found = evidence.iter().position(|p| reports(p, &count));
    found.filter(|_| is_named)
}
