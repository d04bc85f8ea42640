//! Two statements of the same words with the two sides exchanged: "the Ness is longer than the Orrin" and the reverse. Comparisons
//! exclude their reverse; deeds do only for some verbs, or at one time.

use super::period::{apart, periods};
use super::slot::phrase;
use crate::verify::sentence::Sentence;
use crate::verify::tokens::{Pos, Token};
use elenchus_core::evidence::Span;
use elenchus_core::port::{Mismatch, MismatchKind};
use elenchus_core::text::{is_stop_word, stem};
use std::collections::BTreeSet;
use std::ops::Range;

/// What cannot be done back: who succeeded somebody was not succeeded by the same.
const ONE_WAY: [&str; 18] = [
    "succeeded",
    "preceded",
    "precedes",
    "outlived",
    "owns",
    "owned",
    "founded",
    "contains",
    "exceeds",
    "exceeded",
    "outnumbered",
    "surpassed",
    "bought",
    "acquired",
    "murdered",
    "killed",
    "absorbed",
    "inherited",
];

/// What is as a rule not done back at the same time, so that both have to name it.
const AT_ONCE: [&str; 5] = ["attacked", "invaded", "annexed", "occupied", "conquered"];

/// Two sides and what stands between and behind them.
struct Order {
    first: BTreeSet<String>,
    second: BTreeSet<String>,
    between: Vec<String>,
    behind: BTreeSet<String>,
    /// The words from the one side to the other.
    tokens: Range<usize>,
    kind: MismatchKind,
    /// Whether it may be done back another time.
    at_once: bool,
}

fn lower(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

/// Stems of the words with content.
fn stems(tokens: &[Token]) -> BTreeSet<String> {
    let has_content = |t: &&Token| t.has_digit() || !t.is_mark() && !is_stop_word(&t.lower);
    tokens.iter().filter(has_content).map(|t| t.stem.clone()).collect()
}

/// Where a side that begins here ends: a run of nouns with what describes them, and "of" between.
fn side(tokens: &[Token], from: usize) -> Option<Range<usize>> {
    let is_part = |at: usize| {
        matches!(
            tokens[at].pos,
            Pos::Noun | Pos::ProperNoun | Pos::Adjective | Pos::Determiner | Pos::Numeral
        ) && lower(tokens, at) != "than"
            || lower(tokens, at) == "of" && at > from
    };
    let end = (from..tokens.len()).find(|at| !is_part(*at)).unwrap_or(tokens.len());
    let has_noun =
        tokens[from.min(end)..end].iter().any(|t| matches!(t.pos, Pos::Noun | Pos::ProperNoun));
    has_noun.then_some(from..end)
}

/// "A is longer than B", "A has more boats than B".
fn comparison(tokens: &[Token]) -> Option<Order> {
    let first = side(tokens, 0)?;
    let verb = first.end;
    if !matches!(lower(tokens, verb), "is" | "are" | "was" | "were" | "has" | "have" | "had") {
        return None;
    }
    let than = (verb + 1..tokens.len()).take(6).find(|at| lower(tokens, *at) == "than")?;
    let is_more = (verb + 1..than).any(|at| {
        let word = lower(tokens, at);
        matches!(word, "more" | "less" | "fewer" | "better" | "worse")
            || word.ends_with("er") && !matches!(word, "other" | "rather" | "never" | "either")
    });
    let second = side(tokens, than + 1)?;
    is_more.then(|| Order {
        first: stems(&tokens[first]),
        second: stems(&tokens[second.clone()]),
        between: tokens[verb + 1..=than].iter().map(|t| t.stem.clone()).collect(),
        behind: stems(&tokens[second.end..]),
        tokens: 0..second.end,
        kind: MismatchKind::Comparative,
        at_once: false,
    })
}

/// "A attacked B", "B was attacked by A".
fn deed(tokens: &[Token]) -> Option<Order> {
    let first = side(tokens, 0)?;
    let is_passive = matches!(lower(tokens, first.end), "was" | "were" | "is" | "are");
    let verb = first.end + usize::from(is_passive);
    let word = lower(tokens, verb);
    let at_once = AT_ONCE.contains(&word);
    if !at_once && !ONE_WAY.contains(&word) || is_passive && lower(tokens, verb + 1) != "by" {
        return None;
    }
    let second = side(tokens, verb + 1 + usize::from(is_passive))?;
    let (behind, end) = (stems(&tokens[second.end..]), second.end);
    let (first, second) = (stems(&tokens[first]), stems(&tokens[second]));
    let (first, second) = if is_passive { (second, first) } else { (first, second) };
    let between = vec![stem(word)];
    Some(Order {
        first,
        second,
        between,
        behind,
        tokens: 0..end,
        kind: MismatchKind::Role,
        at_once,
    })
}

/// The words of each statement that the other has the other way round.
pub(super) fn exchanged(a: &Sentence, b: &Sentence) -> Option<(Mismatch, Mismatch)> {
    if a.negated || b.negated {
        return None;
    }
    let order = |s: &Sentence| {
        let tokens = s.bound.tokens();
        comparison(tokens).or_else(|| deed(tokens))
    };
    let (ours, theirs) = (order(a)?, order(b)?);
    let is_turned = ours.first == theirs.second
        && ours.second == theirs.first
        && ours.first != ours.second
        && ours.between == theirs.between;
    let (now, then) = (periods(&a.text), periods(&b.text));
    let is_one_time = !apart(&now, &then) && (!ours.at_once || ours.behind == theirs.behind);
    // One war may be answered by the next: what can be done back has to name its time.
    let has_figure = |word: &String| word.chars().any(|c| c.is_ascii_digit());
    let is_timed = !ours.at_once || ours.behind.iter().any(has_figure);
    let is_more = ours.behind.is_subset(&theirs.behind) || theirs.behind.is_subset(&ours.behind);
    if !is_turned || !is_one_time || !is_timed || !is_more {
        return None;
    }
    let (own, span) = phrase(a, ours.tokens.start, ours.tokens.end)?;
    let (other, other_span) = phrase(b, theirs.tokens.start, theirs.tokens.end)?;
    let mismatch = |own: &str, span: Span, other: &str| Mismatch {
        kind: ours.kind,
        reason: "the two stand the other way round".to_owned(),
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

    fn is_exchanged(a: &str, b: &str) -> bool {
        exchanged(&Sentence::prepare(a), &Sentence::prepare(b)).is_some()
    }

    #[test]
    fn sides_are_exchanged() {
        for (a, b) in [
            ("Mount Ness is higher than Mount Orrin.", "Mount Orrin is higher than Mount Ness."),
            ("Oldhaven has more boats than Tarrow.", "Tarrow has more boats than Oldhaven."),
            ("Karsia invaded Naptha in 1931.", "Naptha invaded Karsia in 1931."),
            ("Karsia invaded Naptha in 1931.", "Karsia was invaded by Naptha in 1931."),
            ("The Holt Company bought Berg Lines.", "Berg Lines bought the Holt Company."),
        ] {
            assert!(is_exchanged(a, b), "{a} | {b}");
            assert!(is_exchanged(b, a), "{b} | {a}");
        }
    }

    #[test]
    fn what_may_go_both_ways_is_left_alone() {
        for (a, b) in [
            ("Mount Ness is higher than Mount Orrin.", "Mount Orrin is steeper than Mount Ness."),
            (
                "Mount Ness is higher than Mount Orrin.",
                "Mount Orrin is not higher than Mount Ness.",
            ),
            ("Karsia invaded Naptha in 1931.", "Naptha invaded Karsia in 1938."),
            ("Karsia invaded Naptha in 1931.", "Naptha was invaded by Karsia in 1931."),
            ("Karsia invaded Naptha with tanks.", "Naptha invaded Karsia with tanks."),
            ("Ada met Ben in 1931.", "Ben met Ada in 1931."),
            (
                "In 1931 Oldhaven had more boats than Tarrow.",
                "In 1938 Tarrow had more boats than Oldhaven.",
            ),
        ] {
            assert!(!is_exchanged(a, b), "{a} | {b}");
        }
    }
}
