//! What is only expected: "expects it to need replacing", "is to be replaced", "will open in May".
//!
//! Such a sentence holds every word of a claim that the thing was done.

use super::prepare::Prepared;
use crate::verify::tokens::Pos;

/// Helpers between the first word of a verb group and its verb.
const HELPERS: usize = 4;

/// Tokens before "to" in which the expectation stands: "expects it to".
const REACH: usize = 4;

/// Whether a token only helps a verb that follows.
fn helps(p: &Prepared, at: usize) -> bool {
    matches!(p.tokens[at].pos, Pos::Aux | Pos::Adverb | Pos::Particle)
}

/// Whether a verb says that something was done: "was replaced", "has closed", "opened".
pub(super) fn is_done(p: &Prepared, at: usize) -> bool {
    if p.tokens[at].pos != Pos::Verb || p.items[at].negated {
        return false;
    }
    let mut past = p.tokens[at].lower.ends_with("ed");
    for before in (0..at).rev().take(HELPERS).take_while(|before| helps(p, *before)) {
        match p.tokens[before].lower.as_str() {
            "to" | "will" | "shall" | "would" | "should" | "must" | "can" | "could" | "may"
            | "might" | "is" | "are" | "be" | "being" => return false,
            "was" | "were" | "has" | "have" | "had" => past = !p.tokens[at].lower.ends_with("ing"),
            _ => {}
        }
    }
    past
}

/// The word by which a verb is only expected, if it is.
pub(super) fn expected(p: &Prepared, at: usize) -> Option<usize> {
    let stem = |i: usize| p.tokens[i].stem.as_str();
    if p.tokens[at].lower.ends_with("ing") {
        // "The roof needs replacing."
        let before = at.checked_sub(1)?;
        return matches!(stem(before), "need" | "requir").then_some(before);
    }
    for before in (0..at).rev().take(HELPERS) {
        // A name has a capital: "Will painted the hall".
        match p.tokens[before].text.as_str() {
            "will" | "shall" | "must" | "should" => return Some(before),
            "to" => return outlook(p, before),
            _ if !helps(p, before) => return None,
            _ => {}
        }
    }
    None
}

/// What makes "to" lead to something that lies ahead: "is to", "expects it to", "is due to". "He was to become king" tells
/// what came.
fn outlook(p: &Prepared, to: usize) -> Option<usize> {
    let before = to.checked_sub(1)?;
    if matches!(p.tokens[before].lower.as_str(), "is" | "are") {
        return Some(before);
    }
    (to.saturating_sub(REACH)..to)
        .rev()
        .take_while(|i| {
            let token = &p.tokens[*i];
            !token.is_mark() && !matches!(token.lower.as_str(), "and" | "but" | "or")
        })
        .find(|i| {
            matches!(
                p.tokens[*i].stem.as_str(),
                "expect"
                    | "intend"
                    | "plan"
                    | "hope"
                    | "need"
                    | "want"
                    | "aim"
                    | "due"
                    | "schedul"
                    | "promis"
                    | "wait"
            )
        })
}
