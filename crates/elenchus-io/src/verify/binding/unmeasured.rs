//! A comparison of two by something that the evidence does not measure: "Alm has more boats than Bree" beside "boats from Alm
//! sail to Bree, 19 miles away". Both names and the noun stand there, and nothing says how much either has.

use super::ground::View;
use super::lexicon;
use super::prepare::{Kind, Prepared};
use super::report::Report;
use super::who::{Chunk, subject};
use crate::verify::tokens::{Pos, Token};
use elenchus_core::port::MismatchKind;

/// Tokens between "more" and "than", at most: "more open boats than".
const REACH: usize = 5;

/// "Alm has more boats than Bree".
struct Comparison {
    word: usize,
    than: usize,
    left: Chunk,
    right: Chunk,
}

fn is_named(p: &Prepared, chunk: &Chunk) -> bool {
    chunk.0.clone().any(|at| p.items[at].kind == Kind::Name)
}

/// Whether a token compares by its form: "more", "larger", "fewest".
fn is_degree(token: &Token) -> bool {
    lexicon::is_comparative(&token.lower)
        || token.pos == Pos::Adjective
            && (token.lower.ends_with("er") || token.lower.ends_with("est"))
}

/// A comparison of two names by a noun: which of them has more or larger ones.
fn comparison(claim: &Prepared) -> Option<Comparison> {
    let than = claim.tokens.iter().position(|token| token.lower == "than")?;
    let is_word = |at: &usize| is_degree(&claim.tokens[*at]);
    let word = (than.saturating_sub(REACH)..than).find(is_word)?;
    let is_noun =
        |at: usize| claim.items[at].kind == Kind::Plain && claim.tokens[at].pos == Pos::Noun;
    let left = subject(claim, word).filter(|left| is_named(claim, left))?;
    let right = Chunk::from(claim, than + 1).filter(|right| is_named(claim, right))?;
    let has_noun = (word + 1..than).any(is_noun);
    has_noun.then_some(Comparison { word, than, left, right })
}

/// Words by which a sentence may compare without a comparative.
fn compares(lower: &str) -> bool {
    matches!(
        lower,
        "than"
            | "exceed"
            | "exceeds"
            | "exceeded"
            | "outnumber"
            | "outnumbers"
            | "outnumbered"
            | "surpass"
            | "surpasses"
            | "surpassed"
            | "outweigh"
            | "outweighs"
            | "dwarfs"
            | "dwarfed"
            | "tops"
            | "topped"
            | "beats"
            | "beat"
            | "leads"
            | "led"
            | "ahead"
            | "behind"
            | "lags"
            | "trails"
            | "ranks"
            | "ranked"
            | "rank"
            | "first"
            | "second"
            | "third"
            | "twice"
            | "double"
            | "half"
            | "times"
            | "only"
            | "all"
            | "every"
            | "none"
            | "no"
            | "not"
            | "as"
            | "compared"
            | "unlike"
            | "whereas"
            | "while"
            | "majority"
            | "minority"
            | "few"
            | "many"
            | "several"
            | "share"
    )
}

/// Whether a sentence may say how much or how many there are of something, or which has more.
fn may_measure(view: &View<'_>, own: &Comparison, p: &Prepared) -> bool {
    let sides = view.claim.items[own.word].sides;
    let is_row = p.text.contains(['|', ';']);
    let meets = |at: usize| p.items[at].sides.iter().any(|a| sides.iter().any(|b| a.row == b.row));
    is_row
        || (0..p.tokens.len()).any(|at| {
            let token = &p.tokens[at];
            compares(&token.lower) || is_degree(token) || meets(at)
        })
}

/// A comparison of two whose halves the evidence names and does not measure.
pub(super) fn comparison_of(view: &View<'_>, report: &mut Report<'_>) {
    let claim = view.claim;
    let Some(own) = comparison(claim) else { return };
    let is_met = |chunk: &Chunk| {
        let mut names = chunk.0.clone().filter(|at| claim.items[*at].kind == Kind::Name);
        names.any(|at| view.hits[at].iter().any(|hit| !hit.opposite))
    };
    // One figure measures no two things.
    let figures = view.evidence.iter().map(|p| p.quantities.len()).sum::<usize>();
    let is_open = !claim.negators.is_empty()
        || !is_met(&own.left)
        || !is_met(&own.right)
        || figures > 1
        || view.evidence.iter().any(|p| may_measure(view, &own, p));
    if is_open || report.has(MismatchKind::Comparative) {
        return;
    }
    report.checked(MismatchKind::Comparative);
    let reason = "the evidence measures neither of the two that the claim compares".to_owned();
    report.add(MismatchKind::Comparative, own.word..own.than + 1, None, false, reason);
}

#[cfg(test)]
mod tests {
    use super::super::tests::kinds;
    use elenchus_core::port::MismatchKind;

    #[test]
    fn what_is_not_measured_is_not_compared() {
        let is_told = |claim: &str, evidence: &str| {
            kinds(claim, evidence).contains(&MismatchKind::Comparative)
        };
        let claim = "Port Alm has more boats than Bree Haven.";
        assert!(is_told(claim, "Boats from Port Alm are repaired at Bree Haven, 19 miles away."));
        for evidence in [
            "Port Alm has 40 boats and Bree Haven 18.",
            "Port Alm has the most boats; Bree Haven follows.",
            "Boats at Port Alm outnumber those at Bree Haven.",
            "Only Port Alm has boats, Bree Haven sold them.",
            "| Bree Haven | 18 |\n| Port Alm | 40 |",
        ] {
            assert!(!is_told(claim, evidence), "{evidence}");
        }
        // Of one that the evidence does not even name other checks speak.
        assert!(!is_told(claim, "Boats are repaired at Bree Haven."));
    }
}
