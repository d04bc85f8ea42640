//! The board: explanations under test, what was searched for each, and how each passage was judged.

use super::query::is_repeat;
use crate::belief::hypothesis::ranked;
use crate::belief::{Hypothesis, HypothesisStatus};
use crate::id::{EffectId, PassageId};
use crate::port::Judgement;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A search made for an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Searched {
    pub(crate) query: String,
    pub(crate) round: u8,
}

/// An explanation with the state of its tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct UnderTest {
    pub(crate) hypothesis: Hypothesis,
    /// Searches not made yet for what would bear it out, and for what would deny it.
    pub(crate) open_for: Vec<String>,
    pub(crate) open_against: Vec<String>,
    pub(crate) searched: Vec<Searched>,
    /// Passages held against it. The judgements are kept, because a passage read later may say that one of them is
    /// of an old vintage.
    pub(crate) judgements: BTreeMap<PassageId, Judgement>,
    /// Passages that could not be judged.
    pub(crate) unchecked: BTreeSet<PassageId>,
}

impl UnderTest {
    pub(crate) fn was_held_against(&self, id: &PassageId) -> bool {
        self.judgements.contains_key(id) || self.unchecked.contains(id)
    }
}

/// A check under way: which explanation is held against which passage, in the order in which the verifier is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trial {
    pub(crate) effect: EffectId,
    pub(crate) pairs: Vec<(usize, PassageId)>,
}

/// Every explanation of a run. Empty in a run that has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Board {
    pub(crate) under_test: Vec<UnderTest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trial: Option<Trial>,
    /// How many contradictions there were at the end of each round that left no gap open, since the last one that did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) contradictions: Vec<usize>,
}

impl Board {
    /// The highest credence first.
    pub(crate) fn ranked(&self) -> Vec<Hypothesis> {
        ranked(self.under_test.iter().map(|one| one.hypothesis.clone()).collect())
    }

    /// Whether the leading explanation is confirmed: sure enough, by independent sources, and after everything that
    /// was to be searched against it has been.
    pub(crate) fn is_settled(&self) -> bool {
        let under_test = self.under_test.iter().filter(|one| one.hypothesis.dropped.is_none());
        let leading = under_test.reduce(|best, other| {
            if other.hypothesis.confidence > best.hypothesis.confidence { other } else { best }
        });
        leading.is_some_and(|leading| {
            leading.hypothesis.status == HypothesisStatus::Confirmed
                && leading.open_against.is_empty()
        })
    }

    /// Searches made for explanations.
    pub(crate) fn searched(&self) -> impl Iterator<Item = &str> {
        self.under_test
            .iter()
            .flat_map(|one| one.searched.iter().map(|searched| searched.query.as_str()))
    }

    pub(crate) fn was_searched(&self, query: &str) -> bool {
        self.searched().any(|earlier| is_repeat(earlier, query))
    }

    /// Whether this very search was made for an explanation. No search of a run is made twice, so its words tell.
    pub(crate) fn owns(&self, query: &str) -> bool {
        self.searched().any(|earlier| earlier == query)
    }
}
