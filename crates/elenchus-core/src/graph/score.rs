//! Which memos to look at first: similarity and relation in one figure. It ranks; how sure the pivot is, is said by
//! `confidence`.

use super::confidence::{PivotConfidence, confidence};
use super::paths::{Path, Paths, Search};
use super::polarity::reading;
use super::recurring::{Recurring, recurring};
use super::{Direction, Memo, Polarity, Relation};
use crate::id::MemoId;
use crate::port::{MemoFailure, MemoHit, Reach};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What similarity and relation count in `combined`. Any two numbers from 0; their ratio is what matters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Weights {
    /// Of the similarity to the pivot.
    pub similarity: f64,
    /// Of the strength of the best path to it.
    pub relation: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { similarity: 0.6, relation: 0.4 }
    }
}

impl Weights {
    /// `(a * similarity + b * relation) / (a + b)`, in `[0, 1]`; 0 when both weights are 0. Both figures are held to
    /// `[0, 1]`; what is no number counts as 0. (Seed 002, "Combined Score Formula".)
    pub fn combined(&self, similarity: f64, relation: f64) -> f64 {
        // Divided before it is added, so that great weights do not overflow.
        let most = self.similarity.max(self.relation);
        if most.is_nan() || most <= 0.0 {
            return 0.0;
        }
        let (a, b) = (self.similarity.max(0.0) / most, self.relation.max(0.0) / most);
        ((a * clamp_01(similarity) + b * clamp_01(relation)) / (a + b)).clamp(0.0, 1.0)
    }
}

/// Held to `[0, 1]`; 0 for what is no number.
pub fn clamp_01(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) }
}

/// How memos are scored. The defaults are those of seed 002, but for `min_combined`, which hides nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ScoreSettings {
    /// Memos taken from the search for what the pivot says.
    pub k: usize,
    /// Steps, 1 to 10.
    pub depth: u32,
    /// The most relations, 1 to 1,000.
    pub limit: usize,
    /// Which way relations are followed.
    pub direction: Direction,
    /// Only relations with this tag.
    pub tag: Option<String>,
    /// See [`Weights`].
    pub weights: Weights,
    /// What every step after the first multiplies a path with, in `(0, 1]`.
    pub delta: f64,
    /// Memos below are left out, `[0, 1]`.
    #[serde(alias = "minCombined")]
    pub min_combined: f64,
}

impl Default for ScoreSettings {
    fn default() -> Self {
        Self {
            k: 6,
            depth: 2,
            limit: 80,
            direction: Direction::Both,
            tag: None,
            weights: Weights::default(),
            delta: 1.0,
            min_combined: 0.0,
        }
    }
}

impl ScoreSettings {
    /// How far the graph is walked for a pivot.
    pub fn reach(&self, namespace: &str, pivot: &MemoId) -> Reach {
        Reach {
            namespace: namespace.to_owned(),
            start: pivot.clone(),
            depth: self.depth,
            direction: self.direction,
            tag: self.tag.clone(),
            limit: self.limit,
        }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// [`MemoFailure::Refused`] with the first fault.
    pub fn check(&self) -> Result<(), MemoFailure> {
        let refused = |cause: String, way_out: &str| {
            Err(MemoFailure::Refused {
                attempted: "score the evidence".to_owned(),
                cause,
                way_out: way_out.to_owned(),
            })
        };
        for (name, weight) in
            [("similarity", self.weights.similarity), ("relation", self.weights.relation)]
        {
            if !weight.is_finite() || weight < 0.0 {
                return refused(
                    format!("the {name} weight {weight} is not a number from 0"),
                    "write weights such as 0.6 and 0.4",
                );
            }
        }
        if !(self.delta > 0.0 && self.delta <= 1.0) {
            return refused(
                format!("the delta {} is not a number above 0 and up to 1", self.delta),
                "write 1 to count a chain like a direct relation, 0.5 to halve it at every step",
            );
        }
        if !(0.0..=1.0).contains(&self.min_combined) {
            return refused(
                format!(
                    "the least combined score {} is not a number from 0 to 1",
                    self.min_combined
                ),
                "write 0.2 to leave out what bears little",
            );
        }
        if self.k > super::check::LIMIT {
            return refused(
                format!("{} similar memos are more than {}", self.k, super::check::LIMIT),
                "6 are usual",
            );
        }
        Ok(())
    }
}

/// The relation that decides what a path means, with the path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BestEdge {
    /// Its tag.
    pub tag: String,
    /// Its own weight, in `[0, 1]`.
    pub weight: f64,
    /// Which way it was followed, seen from the pivot.
    pub direction: Direction,
    /// Steps of the path.
    pub depth: u32,
    /// The memos of the path: the pivot first, the memo last.
    pub path: Vec<MemoId>,
    /// Their titles, "A -> B -> C".
    #[serde(alias = "pathTitles")]
    pub path_titles: String,
    /// Why, in the words of who related them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A memo of the neighbourhood.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoredMemo {
    /// The memo.
    #[serde(alias = "memoId")]
    pub memo_id: MemoId,
    /// Its title, or the beginning of its text.
    pub title: String,
    /// How near it is to what the pivot says, in `[0, 1]`; 0 when the search did not find it.
    pub similarity: f64,
    /// Strength of the best path, in `[0, 1]`; 0 without one.
    #[serde(alias = "relationWeight")]
    pub relation_weight: f64,
    /// See [`Weights::combined`].
    pub combined: f64,
    /// Whether it is both among what supports and among what conflicts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contested: bool,
    /// The best path; absent when only its words bear on the pivot.
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "bestEdge")]
    pub best_edge: Option<BestEdge>,
}

/// Below what is left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreThresholds {
    /// The least combined score.
    #[serde(alias = "minCombined")]
    pub min_combined: f64,
}

/// The neighbourhood of a pivot, each list with the highest combined score first, ties by id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scored {
    /// The pivot.
    pub pivot: MemoId,
    /// Where it belongs.
    pub namespace: String,
    /// What was counted how.
    pub weights: Weights,
    /// What was left out.
    pub thresholds: ScoreThresholds,
    /// Memos that a path of support connects with the pivot.
    #[serde(alias = "prioritizedEvidence")]
    pub prioritized_evidence: Vec<ScoredMemo>,
    /// Memos that a path with a conflict connects with it.
    #[serde(alias = "conflictingEvidence")]
    pub conflicting_evidence: Vec<ScoredMemo>,
    /// Memos that are connected otherwise, or only similar.
    #[serde(alias = "otherRelations")]
    pub other_relations: Vec<ScoredMemo>,
}

/// A step of a path in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// The relation's tag.
    pub tag: String,
    /// How the relation reads on the way from the pivot: "supported by".
    pub reads: String,
    /// Its weight.
    pub weight: f64,
    /// The memo that it leads to.
    #[serde(alias = "memoId")]
    pub memo_id: MemoId,
    /// That memo's title.
    pub title: String,
}

/// What else a reader should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreNotes {
    /// How sure the pivot is. `combined` does not say so.
    pub confidence: PivotConfidence,
    /// Memos that were left out for their combined score: for, against, otherwise connected.
    #[serde(alias = "leftOut")]
    pub left_out: [usize; 3],
    /// Whether there are more relations than were followed, so that all figures are provisional.
    pub cut: bool,
    /// Relations that lead to a memo that is not there any more.
    pub dangling: usize,
    /// Answers that were saved back among the memos shown: no evidence of their own.
    #[serde(alias = "inferenceOutputs")]
    pub inference_outputs: Vec<MemoId>,
    /// Conflicts of the neighbourhood that come again and again.
    #[serde(alias = "recurringConflicts")]
    pub recurring_conflicts: Vec<Recurring>,
}

/// What came of scoring: the figures as the specification has them, and what a reader should know beside them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreReport {
    /// The figures.
    #[serde(flatten)]
    pub scored: Scored,
    /// What else there is to know.
    #[serde(flatten)]
    pub notes: ScoreNotes,
    /// The steps of each shown path, by memo and polarity, for people.
    #[serde(skip)]
    pub chains: BTreeMap<(MemoId, Polarity), Vec<Link>>,
}

/// Scores the memos around `pivot`. `hits` are what a search for the pivot's words found, of which the first
/// `settings.k` (without the pivot) stand for themselves; `relations` are those within reach; `memos` are those that
/// the relations lead to. Nothing depends on the order of relations and memos.
///
/// # Errors
/// [`MemoFailure::Refused`] when the settings are no good.
pub fn score(
    pivot: &Memo,
    memos: &[Memo],
    hits: &[MemoHit],
    relations: &[Relation],
    settings: &ScoreSettings,
) -> Result<ScoreReport, MemoFailure> {
    settings.check()?;
    settings.reach(&pivot.namespace, &pivot.id).check()?;
    let followed = settings.direction;
    let search = Search {
        depth: settings.depth,
        delta: settings.delta,
        step: &|relation, direction| {
            let goes = followed == Direction::Both || followed == direction;
            goes.then(|| Polarity::of(&relation.tag))
        },
        join: &|path, next| Some(path.and(next)),
        through: &|_| true,
    };
    let paths = search.run(&pivot.id, relations);
    let similar: Vec<&MemoHit> = hits
        .iter()
        .filter(|hit| hit.memo.id != pivot.id && hit.memo.namespace == pivot.namespace)
        .collect();
    let mut known: BTreeMap<&MemoId, &Memo> =
        similar.iter().take(settings.k).map(|hit| (&hit.memo.id, &hit.memo)).collect();
    known.extend(memos.iter().map(|memo| (&memo.id, memo)));
    known.insert(&pivot.id, pivot);
    let similarity = |id: &MemoId| {
        similar.iter().find(|hit| hit.memo.id == *id).map_or(0.0, |hit| clamp_01(hit.score))
    };
    let view = View { known: &known, paths: &paths, settings };
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let mut left_out = [0, 0, 0];
    let mut chains = BTreeMap::new();
    let mut put = |polarity: Polarity, scored: ScoredMemo| {
        let place = match polarity {
            Polarity::Supports => 0,
            Polarity::Conflicts => 1,
            Polarity::Other => 2,
        };
        if scored.combined < settings.min_combined {
            left_out[place] += 1;
        } else {
            lists[place].push(scored);
        }
    };
    for (place @ (id, polarity), path) in &paths.best {
        if !known.contains_key(id) {
            continue;
        }
        chains.insert(((*id).clone(), *polarity), view.chain(path));
        put(*polarity, view.scored(id, similarity(id), Some(path), *place));
    }
    for hit in similar.iter().take(settings.k) {
        let id = &hit.memo.id;
        if !paths.best.keys().any(|(other, _)| *other == id) {
            put(Polarity::Other, view.scored(id, similarity(id), None, (id, Polarity::Other)));
        }
    }
    for list in &mut lists {
        list.sort_by(|a, b| {
            b.combined.total_cmp(&a.combined).then_with(|| a.memo_id.cmp(&b.memo_id))
        });
    }
    let shown: BTreeSet<&MemoId> = lists.iter().flatten().map(|one| &one.memo_id).collect();
    let inference_outputs =
        shown.iter().filter(|id| known[**id].is_inference()).map(|id| (*id).clone()).collect();
    let missing: BTreeSet<&MemoId> = relations
        .iter()
        .flat_map(|relation| [&relation.source, &relation.target])
        .filter(|id| !known.contains_key(id))
        .collect();
    let everybody: Vec<Memo> = known.values().map(|memo| (*memo).clone()).collect();
    let notes = ScoreNotes {
        confidence: confidence(pivot, memos, relations, settings.depth, settings.delta),
        left_out,
        cut: paths.cut || relations.len() >= settings.limit,
        dangling: missing.len(),
        inference_outputs,
        recurring_conflicts: recurring(relations, &everybody),
    };
    let [prioritized_evidence, conflicting_evidence, other_relations] = lists;
    let scored = Scored {
        pivot: pivot.id.clone(),
        namespace: pivot.namespace.clone(),
        weights: settings.weights,
        thresholds: ScoreThresholds { min_combined: settings.min_combined },
        prioritized_evidence,
        conflicting_evidence,
        other_relations,
    };
    Ok(ScoreReport { scored, notes, chains })
}

/// What is known while memos are put into lists.
struct View<'v, 'a> {
    known: &'v BTreeMap<&'v MemoId, &'v Memo>,
    paths: &'v Paths<'a>,
    settings: &'v ScoreSettings,
}

impl View<'_, '_> {
    fn title(&self, id: &MemoId) -> String {
        self.known.get(id).map_or_else(|| id.to_string(), |memo| memo.heading())
    }

    fn scored(
        &self,
        id: &MemoId,
        similarity: f64,
        path: Option<&Path<'_>>,
        (_, polarity): (&MemoId, Polarity),
    ) -> ScoredMemo {
        let relation_weight = path.map_or(0.0, |path| clamp_01(path.strength));
        let other_side = match polarity {
            Polarity::Supports => Some(Polarity::Conflicts),
            Polarity::Conflicts => Some(Polarity::Supports),
            Polarity::Other => None,
        };
        ScoredMemo {
            memo_id: id.clone(),
            title: self.title(id),
            similarity,
            relation_weight,
            combined: self.settings.weights.combined(similarity, relation_weight),
            contested: other_side.is_some_and(|other| self.paths.best.contains_key(&(id, other))),
            best_edge: path.and_then(|path| self.edge(path)),
        }
    }

    fn edge(&self, path: &Path<'_>) -> Option<BestEdge> {
        let decisive = path.decisive()?;
        let memos = path.memos();
        let titles: Vec<String> = memos.iter().map(|id| self.title(id)).collect();
        Some(BestEdge {
            tag: decisive.relation.tag.clone(),
            weight: decisive.relation.weight,
            direction: decisive.direction,
            depth: path.steps.len() as u32,
            path: memos.into_iter().cloned().collect(),
            path_titles: titles.join(" -> "),
            reason: decisive.relation.reason.clone(),
        })
    }

    fn chain(&self, path: &Path<'_>) -> Vec<Link> {
        path.steps
            .iter()
            .map(|step| Link {
                tag: step.relation.tag.clone(),
                reads: reading(&step.relation.tag, step.direction),
                weight: step.relation.weight,
                memo_id: step.to().clone(),
                title: self.title(step.to()),
            })
            .collect()
    }
}
