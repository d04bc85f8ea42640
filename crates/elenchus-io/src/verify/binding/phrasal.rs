//! A verb of two words and the one that says the same: "turned the offer down" and "declined the offer".

use super::ground::View;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use crate::verify::tokens::{Pos, Token};

/// A hit weaker than this does not show that a thing is spoken of.
const LOOSE: f32 = 0.35;

/// Tokens between the two words, at most.
const GAP: usize = 5;

/// The stems of a verb, its second word, and the stems of verbs that say the same.
static PAIRS: [(&[&str], &str, &[&str]); 12] = [
    (&["turn"], "down", &["declin", "refus", "reject"]),
    (&["call"], "off", &["cancel", "abandon"]),
    (&["put"], "off", &["postpon", "delay", "defer"]),
    (&["set"], "up", &["establish", "found", "creat"]),
    (&["give", "gave", "given"], "up", &["abandon", "relinquish", "surrend"]),
    (&["carri", "carry"], "out", &["perform", "conduct", "execut"]),
    (&["break", "broke", "broken"], "out", &["begin", "began", "start", "erupt"]),
    (&["step"], "down", &["resign"]),
    (&["hand"], "in", &["submit"]),
    (&["point"], "out", &["mention", "remark"]),
    (&["pull"], "down", &["demolish", "raze"]),
    (&["burn"], "down", &["destroy"]),
];

/// Where the verb of a pair stands, and which pair.
fn phrasal(p: &Prepared) -> impl Iterator<Item = (usize, usize, &'static [&'static str])> {
    (0..p.tokens.len()).filter_map(move |at| {
        let stem = p.tokens[at].stem.as_str();
        let (_, second, same) = PAIRS.iter().find(|(verbs, second, _)| {
            verbs.contains(&stem)
                && p.tokens.iter().skip(at + 1).take(GAP).any(|t| t.lower == *second)
        })?;
        let behind = p.tokens.iter().skip(at + 1).take(GAP);
        let gap = behind.take_while(|t| t.lower != *second).count();
        Some((at, at + 1 + gap, *same))
    })
}

fn is_noun(p: &Prepared, at: usize) -> bool {
    matches!(p.tokens[at].pos, Pos::Noun | Pos::ProperNoun)
        && matches!(p.items[at].kind, Kind::Plain | Kind::Name)
}

/// A claim whose verb of two words the evidence has as one word, of the same thing and just as much denied: what says the same
/// opposes nothing.
pub(super) fn said(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    for (verb, second, same) in phrasal(claim) {
        // The thing to which it is done stands between the two words or behind them.
        let Some(thing) = (verb + 1..claim.tokens.len())
            .filter(|at| *at != second && is_noun(claim, *at))
            .take(4)
            .find(|at| !is_next(claim, *at))
        else {
            continue;
        };
        let is_said = view.hits[thing].iter().any(|hit| {
            let p = view.evidence[hit.sentence];
            let is_one = |at: usize| {
                same.contains(&p.tokens[at].stem.as_str())
                    && p.items[at].negated == claim.items[verb].negated
            };
            hit.strength >= LOOSE && !hit.opposite && (0..p.tokens.len()).any(is_one)
        });
        if is_said {
            report.opposes_nothing();
        }
    }
}

/// Whether a text says in two words what a word of denial says in one: who turned a thing down refused it.
pub(super) fn says(p: &Prepared, denial: &Token) -> bool {
    phrasal(p).any(|(_, _, same)| same.contains(&denial.stem.as_str()))
}

/// Whether the phrase of a noun goes on with another one.
fn is_next(p: &Prepared, at: usize) -> bool {
    at + 1 < p.tokens.len() && is_noun(p, at + 1)
}

#[cfg(test)]
mod tests {
    use super::super::Against;
    use super::super::tests::run;

    #[test]
    fn a_verb_of_two_words_is_said_in_one() {
        let against = |claim: &str, evidence: &str| run(claim, &[evidence]).against;
        let claim = "The captain turned down the medal.";
        assert_eq!(against(claim, "He got the medal in 1931 but declined it."), Against::Not);
        assert_eq!(against(claim, "The captain refused the medal."), Against::Not);
        assert_ne!(against(claim, "The captain accepted the medal."), Against::Not);
        assert_ne!(against(claim, "The captain did not decline the medal."), Against::Not);
        assert!(!run(claim, &["The captain declined the medal."]).contradicts());
        let refused = "The captain refused the medal.";
        assert!(!run(refused, &["The captain turned the medal down."]).contradicts());
        assert!(run(refused, &["The captain got the medal."]).contradicts());
    }
}
