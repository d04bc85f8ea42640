//! Choosing strategies that differ: the same advice nine times over teaches a reader to skip it.

use super::{POOL, Scored};
use crate::bank::strategy::Strategy;
use crate::text::{content_set, cosine, jaccard};
use std::collections::BTreeSet;

/// From this cosine on, two strategies are one.
const SAME_SENSE: f64 = 0.97;
/// From this share of common words on, two strategies are one.
const SAME_WORDS: f64 = 0.85;
/// Characters of the content that are compared.
const COMPARED: usize = 600;

/// What two strategies are compared by.
pub(crate) struct Text<'v> {
    words: BTreeSet<String>,
    vector: Option<&'v [f32]>,
}

impl<'v> Text<'v> {
    pub(crate) fn of(strategy: &Strategy, vector: Option<&'v [f32]>) -> Self {
        let draft = &strategy.draft;
        Self { words: words(&draft.title, &draft.description, &draft.content), vector }
    }

    /// How alike two are, in `[0, 1]`, and whether they are one.
    fn likeness(&self, other: &Self) -> (f64, bool) {
        let of_words = jaccard(&self.words, &other.words);
        match (self.vector, other.vector) {
            (Some(a), Some(b)) if !a.is_empty() => {
                let of_sense = cosine(a, b).clamp(0.0, 1.0);
                (of_sense, of_sense >= SAME_SENSE || of_words >= SAME_WORDS)
            }
            _ => (of_words, of_words >= SAME_WORDS),
        }
    }
}

/// Stems of the words that two strategies are compared by.
pub(crate) fn words(title: &str, description: &str, content: &str) -> BTreeSet<String> {
    let start: String = content.chars().take(COMPARED).collect();
    content_set(&format!("{title} {description} {start}"))
}

/// Takes up to `places` of `scored`, which are in order: the first, then always the one with the most of
/// `weight x score - (1 - weight) x likeness to those taken` (maximal marginal relevance). One that says the same as one taken is left out.
pub(super) fn choose<'s, 'c>(
    scored: &[&'s Scored<'c>],
    places: usize,
    weight: f64,
) -> Vec<&'s Scored<'c>> {
    let weight = if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 1.0 };
    let pool = &scored[..scored.len().min(places.saturating_mul(POOL))];
    let texts: Vec<Text<'_>> = pool.iter().map(|one| one.text()).collect();
    // Likeness to the nearest of those taken; `None` once taken or left out.
    let mut nearest: Vec<Option<f64>> = vec![Some(0.0); pool.len()];
    let mut taken: Vec<&Scored<'c>> = Vec::new();
    while taken.len() < places {
        let open = nearest.iter().enumerate().filter_map(|(at, near)| near.map(|near| (at, near)));
        let worth = |at: usize, near: f64| weight * pool[at].score - (1.0 - weight) * near;
        // The first of equals, so that the order given decides.
        let best = open.fold(None, |best: Option<(usize, f64)>, (at, near)| {
            let this = worth(at, near);
            if best.is_none_or(|(_, most)| this > most) { Some((at, this)) } else { best }
        });
        let Some((chosen, _)) = best else { break };
        nearest[chosen] = None;
        taken.push(pool[chosen]);
        for at in 0..pool.len() {
            let Some(near) = nearest[at] else { continue };
            let (likeness, same) = texts[chosen].likeness(&texts[at]);
            nearest[at] = if same { None } else { Some(near.max(likeness)) };
        }
    }
    taken
}
