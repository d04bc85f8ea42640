//! Who vouches for a statement that stands on a page of the web, and who says otherwise.
//!
//! A verifier says whether a page bears a statement out; a page that says so itself always does. Whether the page can be
//! believed shows only in what independent publishers say. With `f` of them for a statement and `a` against it, its figure
//! is multiplied by `(f + 1) / (f + a + 2)`: Laplace's rule of succession, the mean of a Beta(1, 1) prior after `f` and `a`
//! trials. One page alone counts 2/3, one against another 1/2, four that agree 5/6. Documents of the user's own are not
//! measured against the web.

use crate::answer::Answer;
use crate::belief::{CheckedClaim, ClaimConfidence, Thresholds};
use crate::id::SourceId;
use crate::inquiry::State;
use crate::measure::Explained;
use crate::prompt::FactRole;
use crate::text::words;
use std::collections::BTreeSet;

/// Independent publishers for and against one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Witnesses {
    /// Clusters that bear it out, its own among them.
    agree: BTreeSet<SourceId>,
    /// Clusters that give another value or contradict it, and do not also bear it out.
    against: BTreeSet<SourceId>,
}

impl Witnesses {
    fn share(&self) -> f64 {
        let (agree, against) = (self.agree.len() as f64, self.against.len() as f64);
        (agree + 1.0) / (agree + against + 2.0)
    }

    /// Multiplies the figure of a statement.
    pub(super) fn weigh(&self, figures: &mut ClaimConfidence) {
        let before = figures.explained.clone();
        let share = self.share();
        figures.scale(share, |p| {
            Explained::new(
                "confidence",
                p,
                "what a page says x how far publishers can be believed who agree so",
            )
            .and(before)
            .and(
                Explained::new(
                    "independent publishers",
                    share,
                    "(for + 1) / (for + against + 2), Laplace's rule of succession",
                )
                .with("for", self.agree.len() as f64)
                .with("against", self.against.len() as f64),
            )
        });
    }
}

/// The witnesses of every claim, in the order of the answer; `None` for what rests on no page of the web.
pub(super) fn of(
    state: &State,
    answer: &Answer,
    checked: &[CheckedClaim],
    thresholds: Thresholds,
) -> Vec<Option<Witnesses>> {
    let agree: Vec<BTreeSet<SourceId>> = (0..answer.claims.len())
        .map(|at| {
            let own = answer.claims[at].evidence.iter().filter_map(|n| {
                let passage = &answer.evidence.get(*n)?.passage_id;
                Some(state.passages.get(passage)?.source.cluster.clone())
            });
            let others =
                checked.get(at).into_iter().flat_map(|one| &one.passages).filter_map(|one| {
                    let says_so = one.judgement.supports >= thresholds.supports
                        && one.judgement.supports > one.judgement.refutes
                        && names(&one.evidence.relevant_text, answer.claims[at].value.as_deref());
                    says_so.then(|| one.evidence.cluster.clone())
                });
            own.chain(others).collect()
        })
        .collect();
    answer
        .claims
        .iter()
        .enumerate()
        .map(|(at, claim)| {
            let asserts = matches!(claim.role, FactRole::Answer | FactRole::Conflict);
            if !asserts || !stands_on_the_web(state, answer, at) {
                return None;
            }
            // What answers beside it may be another item of a list; what conflicts is at odds with everything.
            let at_odds = |other: &FactRole| match claim.role {
                FactRole::Answer => *other == FactRole::Conflict,
                _ => matches!(other, FactRole::Answer | FactRole::Conflict),
            };
            let opposed = answer.claims.iter().enumerate().filter(|(there, other)| {
                *there != at && other.question_id == claim.question_id && at_odds(&other.role)
            });
            let mut against: BTreeSet<SourceId> =
                opposed.flat_map(|(there, _)| agree[there].iter().cloned()).collect();
            against.extend(checked.get(at).into_iter().flat_map(|one| &one.passages).filter_map(
                |one| {
                    let denies = one.judgement.refutes >= thresholds.refutes
                        && one.judgement.refutes > one.judgement.supports;
                    denies.then(|| one.evidence.cluster.clone())
                },
            ));
            against.retain(|cluster| !agree[at].contains(cluster));
            Some(Witnesses { agree: agree[at].clone(), against })
        })
        .collect()
}

/// Whether a text holds the words of a value, in their order. A verifier may take a page for support that speaks of the same
/// and gives another value; who does not name the value is no witness of it.
fn names(text: &str, value: Option<&str>) -> bool {
    let Some(value) = value.map(words).filter(|value| !value.is_empty()) else { return true };
    words(text).windows(value.len()).any(|some| some == value.as_slice())
}

fn stands_on_the_web(state: &State, answer: &Answer, claim: usize) -> bool {
    answer.claims[claim].evidence.iter().all(|n| {
        answer
            .evidence
            .get(*n)
            .and_then(|evidence| state.passages.get(&evidence.passage_id))
            .is_some_and(|read| read.source.web.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_names_the_value() {
        assert!(names("It opened on 14 May 1931.", Some("14 May 1931")));
        assert!(!names("It opened on 14 May 1954.", Some("14 May 1931")));
        assert!(names("It opened.", None));
    }

    #[test]
    fn agreement_raises_and_contradiction_lowers() {
        let of = |agree: usize, against: usize| {
            let set = |n: usize, mark: &str| {
                (0..n).map(|i| SourceId::from_path(&format!("{mark}{i}"))).collect()
            };
            Witnesses { agree: set(agree, "a"), against: set(against, "b") }.share()
        };
        assert!((of(1, 0) - 2.0 / 3.0).abs() < 1e-12 && (of(1, 1) - 0.5).abs() < 1e-12);
        assert!(of(4, 0) > of(3, 0) && of(3, 1) < of(3, 0) && of(1, 3) < of(1, 1));
        // One true page against five liars who are independent: whoever is believed, it is not far.
        assert!(of(1, 5) < 0.5 && of(5, 1) < 0.8);
        // Whoever stands alone can never be sure.
        assert!(of(1, 0) < 0.7);
    }
}
