//! The order in which strategies are recalled.
//!
//! Relevance is a weighted sum of normalised lexical and dense scores times the scope's weight; a bounded factor of
//! confidence, `1 + 0.2 (confidence - 0.5)`, tells apart what fits equally well. Strategies to avoid stand in a lane of their own.

mod diverse;
mod explore;
mod fit;
#[cfg(test)]
mod tests;

use super::beta::Posterior;
use super::settings::BankSettings;
use super::strategy::{Outcome, Scope, Standing, Strategy};
use crate::id::SearchId;
use crate::measure::Explained;
use crate::port::{Held, Recall, Recalled};
use diverse::Text;
pub(super) use diverse::words as compared_words;
pub use fit::Fit;
use std::ptr;

/// What a quarantined strategy's relevance is multiplied by where it is shown at all.
const QUARANTINED: f64 = 0.5;
/// How far confidence moves a place: a tenth up or down at most.
const CONFIDENCE_GAIN: f64 = 0.2;
/// Candidates a place that are looked at for differing from one another.
const POOL: usize = 4;

/// A strategy that a search found.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'c> {
    /// The strategy.
    pub strategy: &'c Strategy,
    /// What is believed of it.
    pub posterior: Posterior,
    /// The confidence with its class's prior, where there is one. It is shown and decides no place: the prior of the design hopes
    /// for more than most strategies hold, and in the bandit of the evals that hope is what gets new ones tried.
    pub calibrated: Option<f64>,
    /// Sessions that were shown it.
    pub usage_count: u64,
    /// How well its words fit the query: any score of 0 or more, the more the better (BM25).
    pub lexical: f64,
    /// Cosine of its vector and the query's, in `[-1, 1]`; `None` where there is no vector.
    pub dense: Option<f64>,
    /// Its vector, to tell near-equal ones; its text is compared where there is none.
    pub vector: Option<&'c [f32]>,
    /// What it has in common with the query, to leave out what bears on something else; `None` where that was not looked at.
    pub fit: Option<Fit>,
}

/// How scores are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fusion {
    /// Weight of the lexical score, divided by the best of the search.
    pub lexical: f64,
    /// Weight of the cosine.
    pub dense: f64,
    /// Without a word in common, a strategy matches from this cosine on.
    pub least_cosine: f64,
    /// Weight of the score against the likeness to what stands already, in `[0, 1]`; 1 leaves the order as it is.
    pub diversity: f64,
}

impl Default for Fusion {
    fn default() -> Self {
        Self { lexical: 0.7, dense: 0.3, least_cosine: 0.25, diversity: 0.8 }
    }
}

/// A candidate with its figures.
#[derive(Clone, Debug)]
struct Scored<'c> {
    candidate: Candidate<'c>,
    /// Lexical score divided by the best, in `[0, 1]`.
    lexical: f64,
    /// The cosine, in `[0, 1]`.
    dense: f64,
    /// Both, before the scope's weight.
    fused: f64,
    /// In `[0, 1]`.
    relevance: f64,
    confidence: f64,
    /// What the places are given by.
    score: f64,
}

/// Ranks what a search found. Everything that is not the caller's to see must have been left out before.
///
/// The result is a function of its arguments: the place for exploration is drawn from the search's id. Archived
/// strategies are left out, and for a prompt quarantined ones, exploration and what is far from the query too; for a person what is
/// far stands and is marked. `total_found` counts what matched and may be shown.
pub fn rank(
    candidates: &[Candidate<'_>],
    recall: &Recall,
    search_id: &SearchId,
    settings: &BankSettings,
    fusion: &Fusion,
) -> Recalled {
    let floor = if recall.for_prompt {
        recall.min_confidence.max(settings.min_for_injection)
    } else {
        recall.min_confidence
    };
    let mut scored = score(candidates, recall, settings, fusion);
    let found = scored.len();
    if recall.for_prompt {
        scored.retain(|scored| !scored.is_far());
    }
    let hidden_as_far = found - scored.len();
    let (shown, hidden): (Vec<&Scored<'_>>, Vec<&Scored<'_>>) =
        scored.iter().partition(|scored| scored.confidence >= floor);
    let limit = recall.limit.clamp(1, settings.max_limit.max(1));
    let places = |outcome: Outcome| match recall.outcome {
        Some(wanted) if wanted == outcome => limit,
        Some(_) => 0,
        // Both lanes: what to avoid is a warning beside the strategies, not half of the list.
        None if outcome == Outcome::Success => limit,
        None => limit.div_ceil(2),
    };
    let lane = |outcome: Outcome| {
        let of = |scored: &&Scored<'_>| scored.candidate.strategy.draft.outcome == outcome;
        let own: Vec<&Scored<'_>> = shown.iter().copied().filter(of).collect();
        let chosen = diverse::choose(&own, places(outcome), fusion.diversity);
        let mut held: Vec<Held> = chosen.iter().map(|scored| scored.held(false)).collect();
        if !recall.for_prompt
            && places(outcome) > 0
            && explore::due(search_id, settings.exploration)
        {
            let below = hidden.iter().copied().filter(of);
            let rest = own.into_iter().filter(|one| !chosen.iter().any(|had| ptr::eq(*had, *one)));
            let rest: Vec<&Scored<'_>> = rest.chain(below).collect();
            explore::try_one(&mut held, &chosen, &rest, search_id, floor, places(outcome));
        }
        held
    };
    Recalled {
        search_id: search_id.clone(),
        memories: lane(Outcome::Success),
        avoid: lane(Outcome::Failure),
        total_found: shown.len() + hidden.len(),
        hidden_below_min_confidence: hidden.len(),
        hidden_as_far,
    }
}

fn score<'c>(
    candidates: &[Candidate<'c>],
    recall: &Recall,
    settings: &BankSettings,
    fusion: &Fusion,
) -> Vec<Scored<'c>> {
    let clean = |x: f64| if x.is_finite() { x.max(0.0) } else { 0.0 };
    let eligible = |candidate: &&Candidate<'_>| {
        let strategy = candidate.strategy;
        let standing = match strategy.standing {
            Standing::Active => true,
            Standing::Quarantined { .. } => !recall.for_prompt,
            Standing::Archived { .. } => false,
        };
        let scope = recall.scope.is_none_or(|scope| scope == strategy.draft.scope);
        let outcome = recall.outcome.is_none_or(|outcome| outcome == strategy.draft.outcome);
        let matches = clean(candidate.lexical) > 0.0
            || candidate.dense.is_some_and(|cosine| cosine >= fusion.least_cosine);
        standing && scope && outcome && matches
    };
    let eligible: Vec<&Candidate<'c>> = candidates.iter().filter(eligible).collect();
    let best = eligible.iter().map(|one| clean(one.lexical)).fold(0.0, f64::max);
    let any_dense = eligible.iter().any(|one| one.dense.is_some());
    let (of_words, of_sense) = if any_dense {
        let (words, sense) = (clean(fusion.lexical), clean(fusion.dense));
        let both = words + sense;
        if both > 0.0 { (words / both, sense / both) } else { (0.5, 0.5) }
    } else {
        (1.0, 0.0)
    };
    let mut scored: Vec<Scored<'c>> = eligible
        .into_iter()
        .map(|candidate| {
            let lexical = if best > 0.0 { clean(candidate.lexical) / best } else { 0.0 };
            let dense = clean(candidate.dense.unwrap_or(0.0)).min(1.0);
            let fused = of_words * lexical + of_sense * dense;
            let scope = settings.scope_weights[match candidate.strategy.draft.scope {
                Scope::Project => 0,
                Scope::Team => 1,
                Scope::Org => 2,
            }];
            let relevance = (fused * clean(scope)).min(1.0);
            let confidence = candidate.posterior.mean();
            let doubt = match candidate.strategy.standing {
                Standing::Quarantined { .. } => QUARANTINED,
                Standing::Active | Standing::Archived { .. } => 1.0,
            };
            let score = relevance * (1.0 + CONFIDENCE_GAIN * (confidence - 0.5)) * doubt;
            Scored { candidate: *candidate, lexical, dense, fused, relevance, confidence, score }
        })
        .collect();
    // Ids differ, so that no two are equal.
    scored.sort_unstable_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| b.confidence.total_cmp(&a.confidence))
            .then_with(|| a.candidate.strategy.id.cmp(&b.candidate.strategy.id))
    });
    scored
}

impl Scored<'_> {
    fn is_far(&self) -> bool {
        self.candidate.fit.is_some_and(Fit::is_far)
    }

    fn text(&self) -> Text<'_> {
        Text::of(self.candidate.strategy, self.candidate.vector)
    }

    fn held(&self, exploration: bool) -> Held {
        Held {
            strategy: self.candidate.strategy.clone(),
            confidence: self.confidence,
            interval: self.candidate.posterior.interval(),
            posterior: Some(self.candidate.posterior),
            calibrated: self.candidate.calibrated,
            usage_count: self.candidate.usage_count,
            relevance: self.relevance,
            exploration,
            far: self.is_far(),
            ranked: Some(self.explained(exploration)),
            lift: None,
        }
    }

    fn explained(&self, exploration: bool) -> Explained {
        let mut rule = "relevance x (1 + 0.2 x (confidence - 0.5))".to_owned();
        if matches!(self.candidate.strategy.standing, Standing::Quarantined { .. }) {
            rule.push_str(", halved because nobody vouches for its text");
        }
        if self.is_far() {
            rule.push_str("; it has little in common with the query and is not told a run");
        }
        if exploration {
            rule.push_str("; it stands here to be tried out, by a draw from the search's id");
        }
        let figure = Explained::new("place in this search", self.score, rule)
            .with("confidence", self.confidence);
        let rule = "weighted sum of the scores of words and of sense, times the scope's weight";
        figure.and(
            Explained::new("relevance", self.relevance, rule)
                .with("words in common, of the best in this search", self.lexical)
                .with("likeness of sense", self.dense)
                .with("both together", self.fused),
        )
    }
}
