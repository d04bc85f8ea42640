//! Whether evidence speaks of what a claim speaks of: without that it opposes nothing.

use super::ground::View;
use super::prepare::Kind;
use crate::verify::tokens::Pos;

/// Hits weaker than this do not even show that a thing is spoken of.
const LOOSE: f32 = 0.35;

/// Whether a token points back to something that was named before.
fn points_back(lower: &str) -> bool {
    matches!(
        lower,
        "he" | "she" | "it" | "they" | "him" | "her" | "them" | "this" | "these" | "those"
    )
}

/// The content words of the claim, figures and dates aside.
fn words(view: &View<'_>) -> impl Iterator<Item = usize> {
    let items = view.claim.items.iter().enumerate();
    items.filter(|(_, item)| matches!(item.kind, Kind::Plain | Kind::Name)).map(|(at, _)| at)
}

fn is_met(view: &View<'_>, at: usize, sentence: usize) -> bool {
    view.hits[at].iter().any(|hit| hit.sentence == sentence && hit.strength >= LOOSE)
}

/// Whether the sentence nearest to the claim, the first one given, has a word of it or points back to what others name. One deed
/// in common is not enough where a claim says more: "dogs are kept on a lead" is nothing to the landlord who keeps cattle.
pub(super) fn is_spoken_of(view: &View<'_>) -> bool {
    let Some(nearest) = view.given.iter().position(|given| *given == 0) else { return true };
    let first = view.evidence[nearest].tokens.iter().find(|token| !token.is_mark());
    let mut met = words(view).filter(|at| is_met(view, *at, nearest));
    let says_more = words(view).nth(2).is_some();
    words(view).next().is_none()
        || first.is_some_and(|token| points_back(&token.lower))
        || met.any(|at| !says_more || view.claim.tokens[at].pos != Pos::Verb)
}

/// Whether the clause of a token speaks of more of the claim than that one word: of two things that both "did not move" the one
/// says nothing of the other. A claim of hardly any other word, and a clause with a pronoun, leave it open.
pub(super) fn is_of_more(view: &View<'_>, word: usize, sentence: usize, token: usize) -> bool {
    let others = || words(view).filter(move |at| *at != word);
    if others().nth(1).is_none() || others().any(|at| is_met(view, at, sentence)) {
        return true;
    }
    let p = view.evidence[sentence];
    let clause = p.items[token].clause;
    let mut here = p.tokens.iter().zip(&p.items).filter(|(_, item)| item.clause == clause);
    here.any(|(token, _)| points_back(&token.lower))
}

#[cfg(test)]
mod tests {
    use super::super::{Against, Bindings, Prepared, check};

    fn run(claim: &str, evidence: &[&str]) -> Bindings {
        let evidence: Vec<Prepared> = evidence.iter().map(|s| Prepared::new(s)).collect();
        check(&Prepared::new(claim), &evidence)
    }

    #[test]
    fn a_deed_alone_is_no_common_matter() {
        let against = |claim: &str, evidence: &str| run(claim, &[evidence]).against;
        let claim = "The instructor was looking at the other boat.";
        assert_eq!(
            against(claim, "The question will be looked at again in November."),
            Against::Not
        );
        assert_ne!(against(claim, "The instructor looked at nothing."), Against::Not);
        assert_ne!(against(claim, "He did not look anywhere."), Against::Not);
    }

    #[test]
    fn what_may_happen_on_one_day_denies_no_other() {
        let evidence = "Either party may end the lease on 25 March 2028 by giving notice.";
        assert!(!run("The lease ends in 2035.", &[evidence]).contradicts());
        let evidence = "The lease ends on 25 March 2028.";
        assert!(run("The lease ends in 2035.", &[evidence]).contradicts());
    }

    #[test]
    fn a_condition_is_no_denial() {
        for (claim, evidence) in [
            (
                "Nobody may begin work on the site without a valid pass.",
                "Anyone working on the site must hold a valid pass before beginning work.",
            ),
            (
                "Visitors enter the vault with a guard.",
                "No visitor enters the vault without a guard.",
            ),
            ("The kiosk takes cards only.", "Payment at the kiosk is by card; no cash is taken."),
        ] {
            let found = run(claim, &[evidence]);
            assert!(!found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
        }
        for (claim, evidence) in [
            (
                "Visitors enter the vault without a guard.",
                "No visitor enters the vault without a guard.",
            ),
            ("The kiosk takes cash.", "Payment at the kiosk is by card; no cash is taken."),
            ("Work on the site begins.", "No work on the site begins."),
        ] {
            let found = run(claim, &[evidence]);
            assert!(found.contradicts(), "{claim:?} | {evidence:?}: {found:?}");
        }
    }
}
