//! Nobody was hurt, or somebody was: one statement denies of everybody what the other tells of some.

use super::slot::{content, phrase};
use crate::verify::extract::is_person;
use crate::verify::sentence::{Sentence, denies};
use crate::verify::tokens::{Pos, Token};
use elenchus_core::evidence::Span;
use elenchus_core::port::{Mismatch, MismatchKind};
use elenchus_core::text::is_stop_word;
use std::collections::BTreeSet;

/// What leaves somebody hurt.
const HURT: [&str; 5] = ["hurt", "injured", "harmed", "wounded", "maimed"];

/// What leaves somebody dead, and so hurt as well.
const DEAD: [&str; 4] = ["killed", "died", "perished", "drowned"];

/// Words under which nothing is said to have happened.
const UNSURE: [&str; 14] = [
    "may", "might", "could", "would", "if", "nearly", "almost", "feared", "reported", "later",
    "alleged", "before", "since", "after",
];

/// Tokens between "nobody" and what did not happen, at most.
const REACH: usize = 5;

/// Other words that both must have: the event that they speak of.
const EVENT: usize = 2;

fn lower(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

fn is_harm(word: &str) -> bool {
    HURT.contains(&word) || DEAD.contains(&word)
}

fn is_year(token: &Token) -> bool {
    token.text.len() == 4 && token.text.chars().all(|c| c.is_ascii_digit())
}

fn is_people(word: &str) -> bool {
    let one = word.strip_suffix('s').unwrap_or(word);
    is_person(word)
        || is_person(one)
        || matches!(word, "people" | "persons" | "men" | "women" | "children" | "passengers")
}

/// "Nobody was hurt": where the words for it end, if a statement begins so.
fn nobody(tokens: &[Token]) -> Option<usize> {
    let from = match (lower(tokens, 0), lower(tokens, 1)) {
        ("nobody" | "none", _) => 1,
        ("no", second) if second == "one" || is_people(second) => 2,
        _ => return None,
    };
    (from..tokens.len()).take(REACH).find(|at| is_harm(lower(tokens, *at)))
}

/// "Two sailors were hurt": where its subject begins, and where the verb stands.
fn somebody(tokens: &[Token]) -> Option<(usize, usize)> {
    let verb = (1..tokens.len()).find(|at| is_harm(lower(tokens, *at)))?;
    let is_link = |at: &usize| matches!(tokens[*at].pos, Pos::Aux | Pos::Adverb);
    let is_be = |at: &usize| matches!(lower(tokens, *at), "was" | "were" | "been" | "have" | "had");
    let head = (0..verb).rev().find(|at| !is_link(at) && !is_be(at))?;
    let token = &tokens[head];
    let is_count = |token: &Token| token.pos == Pos::Numeral && !is_year(token);
    let who = is_people(&token.lower) || is_count(token);
    let is_part = |at: &usize| {
        matches!(tokens[*at].pos, Pos::Noun | Pos::ProperNoun | Pos::Adjective)
            || is_count(&tokens[*at])
    };
    let from = (0..head).rev().take_while(is_part).last().unwrap_or(head);
    who.then_some((from, verb))
}

/// What the one denies and the other tells, of one event that both name.
pub(super) fn denied(a: &Sentence, b: &Sentence) -> Option<(Mismatch, Mismatch)> {
    let (ours, theirs) = (a.bound.tokens(), b.bound.tokens());
    let harm = nobody(ours)?;
    let (from, verb) = somebody(theirs)?;
    let is_deadly = |tokens: &[Token], at: usize| DEAD.contains(&lower(tokens, at));
    let is_unsure = |tokens: &[Token]| {
        tokens.iter().any(|token| UNSURE.contains(&token.lower.as_str()) || token.lower == "?")
    };
    if theirs.iter().any(denies)
        || ours.iter().skip(2).any(denies)
        || is_deadly(ours, harm) && !is_deadly(theirs, verb)
        || is_unsure(ours)
        || is_unsure(theirs)
    {
        return None;
    }
    let known: BTreeSet<&str> = content(theirs);
    // "Killed or injured": what is denied besides says nothing of the event.
    let event: Vec<&str> = ours[harm + 1..]
        .iter()
        .filter(|t| t.has_digit() || !t.is_mark() && !is_stop_word(&t.lower))
        .filter(|t| !is_harm(&t.lower))
        .map(|t| t.stem.as_str())
        .collect();
    if event.len() < EVENT || !event.iter().all(|stem| known.contains(stem)) {
        return None;
    }
    let (own, span) = phrase(a, 0, harm + 1)?;
    let (other, other_span) = phrase(b, from, verb + 1)?;
    let mismatch = |own: &str, span: Span, other: &str| Mismatch {
        kind: MismatchKind::Negation,
        reason: format!("“{own}” or “{other}”"),
        claim_text: own.to_owned(),
        claim_span: span,
        evidence_text: Some(other.to_owned()),
        contradicts: true,
    };
    Some((mismatch(&own, span, &other), mismatch(&other, other_span, &own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_denied(a: &str, b: &str) -> bool {
        denied(&Sentence::prepare(a), &Sentence::prepare(b)).is_some()
    }

    #[test]
    fn nobody_and_somebody_in_one_event() {
        let none = "Nobody was injured in the ferry collision of 1931.";
        assert!(is_denied(none, "Two sailors were injured in the ferry collision of 1931."));
        assert!(is_denied(none, "In the ferry collision of 1931 four people died."));
        let event = "No one was killed in the ferry collision of 1931.";
        assert!(is_denied(event, "Two soldiers were killed in the ferry collision of 1931."));
    }

    #[test]
    fn other_events_lesser_harm_and_beasts_deny_nothing() {
        let none = "Nobody was injured in the ferry collision of 1931.";
        for other in [
            "Two sailors were injured in the ferry collision of 1938.",
            "Two sheep were killed in the ferry collision of 1931.",
            "Two people were nearly killed in the ferry collision of 1931.",
            "No passengers were injured in the ferry collision of 1931.",
            "The ferry collision of 1931 was noticed by two soldiers.",
        ] {
            assert!(!is_denied(none, other), "{other}");
        }
        let event = "Nobody was killed in the ferry collision of 1931.";
        assert!(!is_denied(event, "Two soldiers were injured in the ferry collision of 1931."));
    }
}
