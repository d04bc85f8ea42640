//! Every verifier on every set: fitted without the set, fitted on four fifths of everything, and the floors.

use super::FITTED;
use super::features::{Row, Table};
use super::fit::{Example, fit};
use super::score::{Judged, Score, score};
use super::sets::Label;
use crate::metrics::{self, Bin, best_threshold, bins, ece};
use elenchus_core::belief::{fit_platt, log_odds};
use elenchus_core::measure::sigmoid;
use elenchus_io::verify::features::COUNT;
use elenchus_io::verify::{Classes, Regressions, bound};

/// The L2 penalty: chosen for the mean over sets that were left out.
pub(crate) const PENALTY: f64 = 0.02;

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Results {
    pub(crate) scores: Vec<Score>,
    /// Hashes of the sets' files.
    pub(crate) sets: Vec<(String, String)>,
    /// ECE over all pairs together, every set weighing the same: (verifier, value).
    pub(crate) pooled_ece: Vec<(String, f64)>,
    /// Reliability over all pairs together, left out.
    pub(crate) pooled_bins: Vec<Bin>,
    /// Why rows are not there that a reader may look for.
    pub(crate) notes: Vec<String>,
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

    /// What the cross-encoder said of a row, where these inputs hold it.
    pub(crate) fn read(self, row: &Row, shipped: bool) -> Option<Classes> {
        match self {
            Self::Features => None,
            Self::Cross | Self::Both if shipped => row.shipped.or(row.cross),
            Self::Cross | Self::Both => row.cross,
        }
    }

    /// The inputs of a row; `None` where it lacks the cross-encoder.
    pub(crate) fn of(self, row: &Row, shipped: bool) -> Option<Vec<f64>> {
        let cross = || Some(self.read(row, shipped)?.map(elenchus_io::verify::log_odds).to_vec());
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
    /// P(supports) and P(refutes) as the product has them before they are calibrated.
    pub(crate) fn raw(&self, row: &Row, inputs: &[f64], shipped: bool) -> (f64, f64) {
        bound(row.failing, self.inputs.read(row, shipped).as_ref(), self.model.predict(inputs))
    }

    /// Calibrated P(supported) and raw P(refuted).
    fn of(&self, row: &Row, shipped: bool) -> Option<(f64, f64)> {
        let (supports, refutes) = self.raw(row, &self.inputs.of(row, shipped)?, shipped);
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
    let (points, weights) = points(&all, &model, |row| inputs.read(row, shipped));
    let (slope, bias) = fit_platt(&points, Some(&weights))?;
    let rows: Vec<metrics::Row> =
        points.iter().map(|(x, label)| (sigmoid(bias + slope * x), *label)).collect();
    let threshold = best_threshold(&rows);
    Some(Fitted { inputs, model, slope, bias, threshold, points, weights })
}

fn points(
    all: &[Weighed<'_>],
    model: &Regressions,
    read: impl Fn(&Row) -> Option<Classes>,
) -> (Vec<(f64, bool)>, Vec<f64>) {
    all.iter()
        .map(|(row, features, weight)| {
            let (s, r) = bound(row.failing, read(row).as_ref(), model.predict(features));
            ((log_odds(s, r), row.class() == 0), weight * 1000.0)
        })
        .unzip()
}

/// The literal formula of the seed: entailment is the best cosine above 0.7, else 0.3; the word score equals it.
fn seed(row: &Row) -> f64 {
    let cosine = row.features[5];
    let entailment = if cosine > 0.7 { cosine } else { 0.3 };
    0.8 * entailment + 0.2 / 3.0
}

/// What needs no fitting and no verifier: always the base rate, words in common, the cosine that others cut at, and the
/// seed's formula.
pub(crate) fn floors(table: &Table) -> Vec<Score> {
    let floor = |name: &str, threshold: f64, p: &dyn Fn(&Row) -> f64| {
        let judged: Vec<Judged> = table
            .rows
            .iter()
            .map(|row| {
                let supports = p(row);
                Judged::at(threshold, supports, 1.0 - supports, row.label)
            })
            .collect();
        score(&table.name, name, &judged)
    };
    let base = table.rows.iter().filter(|row| row.class() == 0).count() as f64
        / table.rows.len().max(1) as f64;
    vec![
        floor("always the base rate", 0.5, &|_| base),
        floor("word overlap", 0.5, &|row| row.features[2]),
        floor("cosine > 0.7", 0.7, &|row| row.features[5]),
        floor("seed formula", 0.5, &seed),
    ]
}

/// A row with what a fitted regression says of it.
type Said = (f64, f64, Label);

fn said(fitted: &Fitted, row: &Row) -> Option<Said> {
    fitted.of(row, false).map(|(supports, refutes)| (supports, refutes, row.label))
}

fn called(said: &[Said], threshold: f64) -> Vec<Judged> {
    said.iter()
        .map(|(supports, refutes, label)| Judged::at(threshold, *supports, *refutes, *label))
        .collect()
}

/// Scores every way to judge on every table; `shipped` are the rows of what ships, a table each.
pub(crate) fn judge(tables: &[Table], shipped: &[Vec<Score>]) -> Results {
    let mut scores = Vec::new();
    let mut pooled: Vec<(String, Vec<(f64, bool)>)> = Vec::new();
    let has_cross = tables.iter().any(|t| t.rows.iter().any(|row| row.cross.is_some()));
    let kinds: &[Inputs] = if has_cross {
        &[Inputs::Features, Inputs::Cross, Inputs::Both]
    } else {
        &[Inputs::Features]
    };
    for (nth, table) in tables.iter().enumerate() {
        scores.extend(floors(table));
        scores.extend(shipped.get(nth).into_iter().flatten().cloned());
        for inputs in kinds {
            let name = format!("{}, set left out", inputs.name());
            if let Some(fitted) =
                fitted(tables, *inputs, false, |other, _| other.family != table.family)
            {
                let of_rows: Vec<Said> =
                    table.rows.iter().filter_map(|row| said(&fitted, row)).collect();
                if !of_rows.is_empty() {
                    let judged = called(&of_rows, fitted.threshold);
                    pool(&mut pooled, &name, &judged);
                    scores.push(score(&table.name, &name, &judged));
                }
            }
            if !FITTED.contains(&table.family.as_str()) {
                continue;
            }
            let name = format!("{}, five-fold", inputs.name());
            let mut of_rows: Vec<Said> = Vec::new();
            let mut threshold = 0.0;
            for fold in 0..5 {
                // The cross-encoder's figure for a row never comes from a model that saw its set.
                let Some(fitted) = fitted(tables, *inputs, false, |_, at| at % 5 != fold) else {
                    continue;
                };
                threshold += fitted.threshold / 5.0;
                of_rows.extend(
                    table.rows.iter().skip(fold).step_by(5).filter_map(|row| said(&fitted, row)),
                );
            }
            if !of_rows.is_empty() {
                let judged = called(&of_rows, threshold);
                pool(&mut pooled, &name, &judged);
                scores.push(score(&table.name, &name, &judged));
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
        notes: notes(tables, has_cross),
    }
}

/// Why rows of fitted models are not there.
fn notes(tables: &[Table], has_cross: bool) -> Vec<String> {
    let mut families: Vec<&str> = tables
        .iter()
        .filter(|table| table.part() != "test")
        .map(|table| table.family.as_str())
        .filter(|family| FITTED.contains(family))
        .collect();
    families.sort_unstable();
    families.dedup();
    let mut out = Vec::new();
    match families.as_slice() {
        [] => out.push(format!(
            "no rows \"set left out\" and \"five-fold\": the folder holds no dev or train file of a set that weights \
             are fitted on ({})",
            FITTED.join(", ")
        )),
        [only] => out.push(format!(
            "no row \"set left out\" for {only}: it is the only set here that weights are fitted on"
        )),
        _ => {}
    }
    if !has_cross {
        out.push(
            "no fitted row with a cross-encoder: those need --predictions; the one that ships is in \"shipped, builtin\""
                .to_owned(),
        );
    }
    out
}

/// Every set counts the same: 700 rows of each, evenly taken.
fn pool(pooled: &mut Vec<(String, Vec<(f64, bool)>)>, name: &str, judged: &[Judged]) {
    let step = (judged.len() / 350).max(1);
    let rows = judged.iter().step_by(step).take(350).map(Judged::row);
    match pooled.iter_mut().find(|(known, _)| known == name) {
        Some((_, all)) => all.extend(rows),
        None => pooled.push((name.to_owned(), rows.collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, n: usize) -> Table {
        let row = |at: usize| {
            let label = [Label::Supported, Label::Refuted, Label::Nei, Label::Partial][at % 4];
            let mut features = vec![0.0; COUNT];
            // Words in common tell supported pairs apart, more or less.
            let common = if at.is_multiple_of(4) { 0.8 } else { 0.3 };
            features[2] = common + (at % 7) as f64 / 100.0;
            features[5] = features[2];
            Row { features, cross: None, shipped: None, label, failing: None }
        };
        Table {
            name: name.to_owned(),
            family: name.split('.').next().unwrap_or_default().to_owned(),
            sha256: "aa".to_owned(),
            rows: (0..n).map(row).collect(),
        }
    }

    fn verifiers(results: &Results, set: &str) -> Vec<String> {
        let of = results.scores.iter().filter(|score| score.set == set);
        of.map(|score| score.verifier.clone()).collect()
    }

    #[test]
    fn a_folder_of_other_sets_has_floors_and_what_ships_and_says_what_is_missing() {
        let tables = [table("stranger.test", 80)];
        let shipped = [vec![score("stranger.test", "shipped, quick", &[])]];
        let results = judge(&tables, &shipped);
        let names = verifiers(&results, "stranger.test");
        assert_eq!(names.len(), 5, "{names:?}");
        assert!(names.contains(&"shipped, quick".to_owned()), "{names:?}");
        assert!(results.notes[0].starts_with("no rows \"set left out\""), "{:?}", results.notes);
    }

    #[test]
    fn a_set_that_is_fitted_on_is_left_out_where_another_one_is_there() {
        let tables = [table("wice.dev", 80), table("scifact.dev", 80), table("stranger.dev", 40)];
        let results = judge(&tables, &[]);
        assert!(verifiers(&results, "wice.dev").contains(&"features, five-fold".to_owned()));
        let left_out = "features, set left out".to_owned();
        assert!(verifiers(&results, "stranger.dev").contains(&left_out));
        let found = results.scores.iter().find(|s| s.verifier == left_out);
        assert!(found.is_some_and(|score| score.supported.value > 0.9));
        let alone = judge(&tables[..1], &[]);
        assert!(!verifiers(&alone, "wice.dev").contains(&left_out));
        assert!(alone.notes[0].contains("for wice"), "{:?}", alone.notes);
    }
}
