//! How rarely sources meet: the counts, and the figure made of them.

use crate::answer::Citation;
use crate::id::SourceId;
use crate::measure::Explained;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Novelty is 1 where sources meet once in so many documents and runs, or less often.
const ONCE_IN: f64 = 1_000.0;

/// A source (an author, a document, or a record of a canonical text) that others may bring together with another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Subject {
    /// Tells it apart from others; the same for all documents of one author.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// The author whose documents it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Clusters of documents that it is, where no author is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<SourceId>,
    /// Phrases by which a text names it; case and punctuation do not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// Two subjects that were brought together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meeting {
    /// Position of the one among the subjects asked for.
    pub a: usize,
    /// Position of the other, always greater.
    pub b: usize,
    /// Documents (or runs) that touch both.
    pub together: u32,
}

/// How often subjects are touched, alone and together. A document touches a subject when it is one of its documents
/// or names it; copies count once. A run touches it when its answer cites one of its documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Meetings {
    /// Documents (or runs) that were looked at.
    pub pool: u32,
    /// Those that touch each subject, in the order asked for.
    pub single: Vec<u32>,
    /// Pairs that were brought together at least once.
    pub pairs: Vec<Meeting>,
}

impl Meetings {
    /// Counts from what each document (or run) touches.
    pub fn of<'a>(subjects: usize, touched: impl IntoIterator<Item = &'a BTreeSet<usize>>) -> Self {
        let mut meetings = Self { pool: 0, single: vec![0; subjects], pairs: vec![] };
        let mut table = std::collections::BTreeMap::new();
        for set in touched {
            meetings.pool += 1;
            let set: Vec<usize> = set.iter().copied().filter(|at| *at < subjects).collect();
            for (n, a) in set.iter().enumerate() {
                meetings.single[*a] += 1;
                for b in &set[n + 1..] {
                    *table.entry((*a, *b)).or_insert(0) += 1;
                }
            }
        }
        meetings.pairs =
            table.into_iter().map(|((a, b), together)| Meeting { a, b, together }).collect();
        meetings
    }

    /// How many touch both; 0 for a pair that is not listed.
    pub fn together(&self, a: usize, b: usize) -> u32 {
        let (a, b) = (a.min(b), a.max(b));
        let found = self.pairs.iter().find(|pair| (pair.a, pair.b) == (a, b));
        found.map_or(0, |pair| pair.together)
    }
}

/// What past runs brought together: each answer is the documents that it cites.
pub fn past_meetings(subjects: &[Subject], answers: &[Vec<Citation>]) -> Meetings {
    let touches = |subject: &Subject, cited: &Citation| match (&subject.author, &cited.author) {
        (Some(author), Some(by)) => author.to_lowercase() == by.to_lowercase(),
        _ => {
            subject.clusters.contains(&cited.cluster) || subject.clusters.contains(&cited.source_id)
        }
    };
    let touched: Vec<BTreeSet<usize>> = answers
        .iter()
        .map(|sources| {
            let has = |at: &usize| sources.iter().any(|cited| touches(&subjects[*at], cited));
            (0..subjects.len()).filter(has).collect()
        })
        .collect();
    Meetings::of(subjects.len(), &touched)
}

/// How often one pair met among so many documents and runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seen {
    /// Documents and past runs that bring both together.
    pub together: u32,
    /// Documents and past runs that were looked at.
    pub pool: u32,
}

impl Seen {
    /// -ln of the smoothed frequency over ln 1000, cut to 0..1.
    fn rarity(self) -> f64 {
        let pool = self.pool.max(self.together);
        let frequency = (f64::from(self.together) + 1.0) / (f64::from(pool) + 2.0);
        (-frequency.ln() / ONCE_IN.ln()).clamp(0.0, 1.0)
    }
}

/// How new a connection is: the mean over all pairs of its sources of
///
/// `min(1, -ln((together + 1) / (pool + 2)) / ln 1000)`
///
/// where `pool` is the number of independent documents of the corpus plus that of past runs over it, and `together`
/// how many of them bring the pair together. Adding one and two is Laplace's smoothing: what was never seen is not
/// impossible, and a small corpus cannot call anything very new (a pair that never met among 8 documents has 0.33, among
/// 100 has 0.67, among 1000 or more has 1). In 0..1, never NaN; 0 without a pair. It grows when a pair meets less
/// often, and neither the order of pairs nor that of sources matters. It says that a connection is rare, not that it
/// is right.
pub fn novelty(pairs: &[Seen]) -> f64 {
    if pairs.is_empty() {
        return 0.0;
    }
    // Summed in a fixed order, so that no permutation changes the last digit.
    let mut rarities: Vec<f64> = pairs.iter().map(|pair| pair.rarity()).collect();
    rarities.sort_by(f64::total_cmp);
    (rarities.iter().sum::<f64>() / pairs.len() as f64).clamp(0.0, 1.0)
}

/// The figure with the pairs that it came from: the rarest first, ten at most.
pub(crate) fn explained(pairs: &[(String, Seen)], documents: u32, runs: u32) -> Explained {
    let seen: Vec<Seen> = pairs.iter().map(|(_, seen)| *seen).collect();
    let mut tree = Explained::new(
        "novelty",
        novelty(&seen),
        "mean over the pairs of sources of min(1, -ln((together + 1) / (documents + runs + 2)) / ln 1000)",
    )
    .with("documents", f64::from(documents))
    .with("past runs", f64::from(runs));
    let mut ranked: Vec<&(String, Seen)> = pairs.iter().collect();
    ranked.sort_by(|a, b| a.1.together.cmp(&b.1.together).then_with(|| a.0.cmp(&b.0)));
    for (name, seen) in ranked.into_iter().take(10) {
        tree = tree.with(format!("together: {name}"), f64::from(seen.together));
    }
    tree
}
