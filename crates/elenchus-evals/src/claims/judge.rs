//! Every verifier on every set: fitted without the set, fitted on four fifths of everything, and the floors.

use super::FITTED;
use super::features::{Row, Table};
use super::fit::{Example, fit};
use crate::metrics::{
    self, Bin, Figure, auroc, balanced_accuracy, best_threshold, bins, brier_skill, coverage_at,
    ece, ece_adaptive, figure,
};
use elenchus_core::belief::{fit_platt, log_odds};
use elenchus_core::measure::sigmoid;
use elenchus_io::verify::features::COUNT;
use elenchus_io::verify::{Regressions, bound};
use serde::{Deserialize, Serialize};

/// The L2 penalty: chosen for the mean over sets that were left out.
pub(crate) const PENALTY: f64 = 0.02;

/// How one verifier did on one set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Score {
    pub(crate) set: String,
    pub(crate) n: usize,
    /// Share of supported pairs.
    pub(crate) base: f64,
    pub(crate) verifier: String,
    pub(crate) supported: Figure,
    /// Absent where no pair is refuted.
    pub(crate) refuted: Option<Figure>,
    /// At a threshold chosen on other pairs.
    pub(crate) balanced: Figure,
    pub(crate) ece: f64,
    pub(crate) ece_adaptive: f64,
    pub(crate) skill: f64,
    pub(crate) coverage: f64,
    pub(crate) bins: Vec<Bin>,
}

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) scores: Vec<Score>,
    /// Hashes of the sets' files.
    pub(crate) sets: Vec<(String, String)>,
    /// ECE over all pairs together, every set weighing the same: (verifier, value).
    pub(crate) pooled_ece: Vec<(String, f64)>,
    /// Reliability over all pairs together, left out.
    pub(crate) pooled_bins: Vec<Bin>,
}

/// Which inputs a regression sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inputs {
    Features,
    Cross,
    Both,
}

impl Inputs {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Features => "features",
            Self::Cross => "cross-encoder",
            Self::Both => "features + cross-encoder",
        }
    }

    /// The inputs of a row; `None` where it lacks the cross-encoder.
    pub(crate) fn of(self, row: &Row, shipped: bool) -> Option<Vec<f64>> {
        let cross = || {
            let p = if shipped { row.shipped.or(row.cross) } else { row.cross }?;
            Some(p.map(elenchus_io::verify::log_odds).to_vec())
        };
        match self {
            Self::Features => Some(row.features.clone()),
            Self::Cross => cross(),
            Self::Both => cross().map(|c| [row.features.clone(), c].concat()),
        }
    }
}

/// A regression with its calibration.
pub(crate) struct Fitted {
    pub(crate) inputs: Inputs,
    pub(crate) model: Regressions,
    pub(crate) slope: f64,
    pub(crate) bias: f64,
    pub(crate) threshold: f64,
    /// What slope and bias were fitted on, with weights.
    pub(crate) points: Vec<(f64, bool)>,
    pub(crate) weights: Vec<f64>,
}

impl Fitted {
    /// Calibrated P(supported) and raw P(refuted).
    fn of(&self, row: &Row, shipped: bool) -> Option<(f64, f64)> {
        let (supports, refutes) =
            bound(row.failing, self.model.predict(&self.inputs.of(row, shipped)?));
        Some((sigmoid(self.bias + self.slope * log_odds(supports, refutes)), refutes))
    }
}

/// A row with its inputs and what it weighs.
type Weighed<'a> = (&'a Row, Vec<f64>, f64);

/// At most 2,500 rows of a set, evenly taken, weighing 1 together.
fn weighed<'a>(
    rows: impl Iterator<Item = &'a Row>,
    inputs: Inputs,
    shipped: bool,
) -> Vec<Weighed<'a>> {
    let rows: Vec<(&Row, Vec<f64>)> =
        rows.filter_map(|row| inputs.of(row, shipped).map(|values| (row, values))).collect();
    let step = rows.len().div_ceil(2500).max(1);
    let n = rows.len().div_ceil(step) as f64;
    rows.into_iter().step_by(step).map(|(row, values)| (row, values, 1.0 / n)).collect()
}

/// Inputs that speak of contradiction: the binding checks, negation and opposites, overlap, and the cross-encoder.
fn speaks_against(inputs: Inputs) -> impl Fn(usize) -> bool {
    move |i| inputs == Inputs::Cross || matches!(i, 2 | 3 | 12 | 14 | 22) || i >= COUNT - 13
}

/// Fits on rows of the sets that may be used, each set weighing the same. Test halves are never fitted on.
pub(crate) fn fitted(
    tables: &[Table],
    inputs: Inputs,
    shipped: bool,
    keep: impl Fn(&Table, usize) -> bool,
) -> Option<Fitted> {
    let mut all: Vec<Weighed<'_>> = Vec::new();
    for family in FITTED {
        let rows = tables
            .iter()
            .filter(|table| table.family == family && table.part() != "test")
            .flat_map(|table| {
                let keep = &keep;
                table
                    .rows
                    .iter()
                    .enumerate()
                    .filter(move |(at, _)| keep(table, *at))
                    .map(|(_, row)| row)
            });
        all.extend(weighed(rows, inputs, shipped));
    }
    if all.is_empty() {
        return None;
    }
    let examples = |class: usize| -> Vec<Example> {
        all.iter()
            .map(|(row, features, weight)| Example {
                features: features.clone(),
                label: row.class() == class,
                weight: *weight,
            })
            .collect()
    };
    let model = Regressions {
        supports: fit(&examples(0), PENALTY, |_| true),
        refutes: fit(&examples(1), PENALTY, speaks_against(inputs)),
    };
    let (points, weights) = points(&all, &model);
    let (slope, bias) = fit_platt(&points, Some(&weights))?;
    let rows: Vec<metrics::Row> =
        points.iter().map(|(x, label)| (sigmoid(bias + slope * x), *label)).collect();
    let threshold = best_threshold(&rows);
    Some(Fitted { inputs, model, slope, bias, threshold, points, weights })
}

fn points(all: &[Weighed<'_>], model: &Regressions) -> (Vec<(f64, bool)>, Vec<f64>) {
    all.iter()
        .map(|(row, features, weight)| {
            let (s, r) = bound(row.failing, model.predict(features));
            ((log_odds(s, r), row.class() == 0), weight * 1000.0)
        })
        .unzip()
}

/// Probability of support and of refutation, and the class.
type Judged = (f64, f64, usize);

fn score(table: &Table, verifier: &str, judged: &[Judged], threshold: f64) -> Score {
    let rows: Vec<metrics::Row> = judged.iter().map(|(p, _, class)| (*p, *class == 0)).collect();
    let against: Vec<metrics::Row> = judged.iter().map(|(_, r, class)| (*r, *class == 1)).collect();
    Score {
        set: table.name.clone(),
        n: rows.len(),
        base: rows.iter().filter(|row| row.1).count() as f64 / rows.len().max(1) as f64,
        verifier: verifier.to_owned(),
        supported: figure(&rows, auroc),
        refuted: against.iter().any(|row| row.1).then(|| figure(&against, auroc)),
        balanced: figure(&rows, |rows| balanced_accuracy(rows, threshold)),
        ece: ece(&rows),
        ece_adaptive: ece_adaptive(&rows),
        skill: brier_skill(&rows),
        coverage: coverage_at(&rows, 0.95),
        bins: bins(&rows),
    }
}

/// The literal formula of the seed: entailment is the best cosine above 0.7, else 0.3; the word score equals it.
fn seed(row: &Row) -> f64 {
    let cosine = row.features[5];
    let entailment = if cosine > 0.7 { cosine } else { 0.3 };
    0.8 * entailment + 0.2 / 3.0
}

pub(crate) fn judge(tables: &[Table]) -> Results {
    let mut scores = Vec::new();
    let mut pooled: Vec<(String, Vec<(f64, bool)>)> = Vec::new();
    let has_cross = tables.iter().any(|t| t.rows.iter().any(|row| row.cross.is_some()));
    let kinds: &[Inputs] = if has_cross {
        &[Inputs::Features, Inputs::Cross, Inputs::Both]
    } else {
        &[Inputs::Features]
    };
    for table in tables {
        let floor = |name: &str, threshold: f64, p: &dyn Fn(&Row) -> f64| {
            let judged: Vec<Judged> =
                table.rows.iter().map(|row| (p(row), 1.0 - p(row), row.class())).collect();
            score(table, name, &judged, threshold)
        };
        scores.push(floor("always the base rate", 0.5, &|_| {
            table.rows.iter().filter(|row| row.class() == 0).count() as f64
                / table.rows.len().max(1) as f64
        }));
        scores.push(floor("word overlap", 0.5, &|row| row.features[2]));
        scores.push(floor("cosine > 0.7", 0.7, &|row| row.features[5]));
        scores.push(floor("seed formula", 0.5, &seed));
        for inputs in kinds {
            let name = format!("{}, set left out", inputs.name());
            if let Some(fitted) =
                fitted(tables, *inputs, false, |other, _| other.family != table.family)
            {
                let judged: Vec<Judged> = table
                    .rows
                    .iter()
                    .filter_map(|row| fitted.of(row, false).map(|(p, r)| (p, r, row.class())))
                    .collect();
                if !judged.is_empty() {
                    pool(&mut pooled, &name, &judged);
                    scores.push(score(table, &name, &judged, fitted.threshold));
                }
            }
            if !FITTED.contains(&table.family.as_str()) {
                continue;
            }
            let name = format!("{}, five-fold", inputs.name());
            let mut judged: Vec<Judged> = Vec::new();
            let mut threshold = 0.0;
            for fold in 0..5 {
                // The cross-encoder's figure for a row never comes from a model that saw its set.
                let Some(fitted) = fitted(tables, *inputs, false, |_, at| at % 5 != fold) else {
                    continue;
                };
                threshold += fitted.threshold / 5.0;
                judged.extend(
                    table
                        .rows
                        .iter()
                        .skip(fold)
                        .step_by(5)
                        .filter_map(|row| fitted.of(row, false).map(|(p, r)| (p, r, row.class()))),
                );
            }
            if !judged.is_empty() {
                pool(&mut pooled, &name, &judged);
                scores.push(score(table, &name, &judged, threshold));
            }
        }
    }
    let best = kinds.last().copied().unwrap_or(Inputs::Features);
    let left_out = format!("{}, set left out", best.name());
    let pooled_bins = pooled
        .iter()
        .find(|(name, _)| *name == left_out)
        .map(|(_, rows)| bins(rows))
        .unwrap_or_default();
    Results {
        scores,
        sets: tables.iter().map(|t| (t.name.clone(), t.sha256.clone())).collect(),
        pooled_ece: pooled.iter().map(|(name, rows)| (name.clone(), ece(rows))).collect(),
        pooled_bins,
    }
}

/// Every set counts the same: 700 rows of each, evenly taken.
fn pool(pooled: &mut Vec<(String, Vec<(f64, bool)>)>, name: &str, judged: &[Judged]) {
    let step = (judged.len() / 350).max(1);
    let rows = judged.iter().step_by(step).take(350).map(|(p, _, class)| (*p, *class == 0));
    match pooled.iter_mut().find(|(known, _)| known == name) {
        Some((_, all)) => all.extend(rows),
        None => pooled.push((name.to_owned(), rows.collect())),
    }
}
