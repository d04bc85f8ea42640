//! Never the same twice: what was recalled is not learned again, and what the bank holds already is not added.

use crate::bank::ranking::compared_words;
use crate::bank::{FRUITLESS, Strategy};
use crate::prompt::ProposedStrategy;
use crate::text::{jaccard, overlap, squeeze};

/// From this share of common words on, two strategies say the same.
const SAME: f64 = 0.6;
/// From this share of the shorter one's words on, one is the other cut short.
const WITHIN: f64 = 0.8;
/// Words from which the shorter one says enough to be compared like that.
const ENOUGH: usize = 6;

/// A proposal that was dropped, and the strategy that says it already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The title of what was proposed.
    pub title: String,
    /// The title of what says it already.
    pub of: String,
}

/// Whether two strategies say the same: equal titles, or nearly the same words. Order, inflection, case and words like
/// "the" do not matter.
pub fn near_equal(a: (&str, &str, &str), b: (&str, &str, &str)) -> bool {
    let name = |title: &str| squeeze(title).to_lowercase();
    // What lists fruitless queries says something of one set of documents, and no more than that.
    if a.2.contains(FRUITLESS) != b.2.contains(FRUITLESS) {
        return false;
    }
    if !a.0.is_empty() && name(a.0) == name(b.0) {
        return true;
    }
    let (a, b) = (compared_words(a.0, a.1, a.2), compared_words(b.0, b.1, b.2));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    jaccard(&a, &b) >= SAME || (a.len().min(b.len()) >= ENOUGH && overlap(&a, &b) >= WITHIN)
}

/// Proposals that say something that none of `known` says, and that no earlier proposal says: those, and what was dropped.
/// `known` are the strategies that the session was shown, and any others that are close.
pub fn without_recalled(
    proposed: Vec<ProposedStrategy>,
    known: &[&Strategy],
) -> (Vec<ProposedStrategy>, Vec<Repeated>) {
    let mut kept: Vec<ProposedStrategy> = Vec::new();
    let mut dropped = Vec::new();
    for one in proposed {
        let own = (one.title.as_str(), one.description.as_str(), one.content.as_str());
        let of_known = known.iter().find(|strategy| {
            let draft = &strategy.draft;
            near_equal(own, (&draft.title, &draft.description, &draft.content))
        });
        let of_kept = kept
            .iter()
            .find(|other| near_equal(own, (&other.title, &other.description, &other.content)));
        let of = of_known
            .map(|strategy| strategy.draft.title.clone())
            .or_else(|| of_kept.map(|other| other.title.clone()));
        match of {
            Some(of) => dropped.push(Repeated { title: one.title, of }),
            None => kept.push(one),
        }
    }
    (kept, dropped)
}
