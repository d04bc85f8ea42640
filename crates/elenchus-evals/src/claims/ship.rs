//! Fitting what ships: weights and calibration, written as the assets that the binary holds.

use super::FITTED;
use super::features::{Row, Table};
use super::fit::slope;
use super::judge::{Fitted, Inputs, Results, fitted, judge};
use crate::metrics;
use elenchus_core::belief::{Bin, Calibration, CalibrationMap, FittedOn, Thresholds, log_odds};
use elenchus_core::id::short_hash;
use elenchus_core::measure::{logit, sigmoid};
use elenchus_core::port::Tier;
use elenchus_io::verify::Weights;
use elenchus_io::verify::features::NAMES;
use elenchus_io::verify::select::RELEVANT;
use std::path::Path;
use std::process::ExitCode;

/// Fits on everything that may be used and writes `verifier.json` and `calibration.json` into a folder.
pub(crate) fn ship(tables: &[Table], dir: &Path) -> Result<ExitCode, String> {
    let features = fitted(tables, Inputs::Features, true, |_, _| true)
        .ok_or("could not fit: none of the sets that may be used is there")?;
    let cross = fitted(tables, Inputs::Both, true, |_, _| true);
    let best = cross.as_ref().unwrap_or(&features);
    let results = judge(tables, &[]);
    let mut weights = Weights {
        version: String::new(),
        features: NAMES.iter().map(|name| (*name).to_owned()).collect(),
        features_tier: features.model.clone(),
        cross_encoder_tier: cross.as_ref().map(|cross| cross.model.clone()),
        thresholds: Thresholds {
            supports: threshold(tables, best, 0),
            refutes: threshold(tables, best, 1).max(0.5),
            relevant: RELEVANT,
        },
    };
    let body = serde_json::to_string(&weights).map_err(|error| error.to_string())?;
    weights.version = short_hash(body.as_bytes(), 8);
    let fitted_on: Vec<FittedOn> = tables
        .iter()
        .filter(usable)
        .map(|table| FittedOn {
            set: table.name.clone(),
            n: table.rows.len(),
            sha256: table.sha256.clone(),
        })
        .collect();
    let map = |tier: Tier, inputs: &Fitted, slope: f64| -> Result<CalibrationMap, String> {
        let name = inputs.inputs.name();
        let five_fold = format!("{name}, five-fold");
        let pooled = results.pooled_ece.iter().find(|(name, _)| *name == five_fold);
        // A map without an error would be told as set by hand.
        let (_, ece) =
            pooled.ok_or_else(|| format!("could not ship {name}: it was not judged five-fold"))?;
        Ok(CalibrationMap {
            tier,
            slope,
            fitted_on: fitted_on.clone(),
            ece: Some(*ece),
            ece_left_out: mean_ece(&results, &format!("{name}, set left out")),
            bins: core(&metrics::bins(&calibrated(tables, inputs))),
            // They are those of what decides most.
            bins_left_out: if inputs.inputs == best.inputs {
                core(&results.pooled_bins)
            } else {
                vec![]
            },
        })
    };
    // One bias for all tiers, so that adding a passage never turns an order around.
    let bias = best.bias;
    let features_slope = slope(&features.points, &features.weights, bias);
    let mut maps = vec![map(Tier::Features, &features, features_slope)?];
    if let Some(cross) = &cross {
        maps.push(map(Tier::CrossEncoder, cross, cross.slope)?);
    }
    maps.push(quotes(bias));
    let calibration = Calibration {
        version: weights.version.clone(),
        verifier: format!("builtin-{}", weights.version),
        bias,
        maps,
        feedback: vec![],
        counts_left_out: true,
    };
    let write = |name: &str, text: Result<String, serde_json::Error>| {
        let file = dir.join(name);
        let text = text.map_err(|error| error.to_string())?;
        std::fs::write(&file, text + "\n")
            .map_err(|error| format!("could not write {}: {error}", file.display()))
    };
    write("verifier.json", serde_json::to_string_pretty(&weights))?;
    write("calibration.json", serde_json::to_string_pretty(&calibration))?;
    println!(
        "weights {}: thresholds {:.3} and {:.3}, bias {bias:.3}",
        weights.version, weights.thresholds.supports, weights.thresholds.refutes
    );
    let shown = |error: Option<f64>| error.map_or("-".to_owned(), |error| format!("{error:.3}"));
    for map in &calibration.maps {
        println!(
            "  {:14} slope {:.3}, ECE five-fold {}, left out {}",
            map.tier.name(),
            map.slope,
            shown(map.ece),
            shown(map.ece_left_out)
        );
    }
    Ok(ExitCode::SUCCESS)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that filter asks for")]
fn usable(table: &&Table) -> bool {
    FITTED.contains(&table.family.as_str()) && table.part() != "test"
}

/// The mean over sets; `None` where no set was left out.
fn mean_ece(results: &Results, verifier: &str) -> Option<f64> {
    let of: Vec<f64> =
        results.scores.iter().filter(|s| s.verifier == verifier).map(|s| s.ece.value).collect();
    (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
}

/// The map of claims in the evidence's own words. No labelled set has enough of them to fit one: the slope is set by hand, to
/// take one such source to [`QUOTED`], and no error is known.
fn quotes(bias: f64) -> CalibrationMap {
    CalibrationMap {
        tier: Tier::Quote,
        slope: (logit(QUOTED) - bias) / log_odds(0.98, 0.0),
        fitted_on: vec![],
        ece: None,
        ece_left_out: None,
        bins: vec![],
        bins_left_out: vec![],
    }
}

/// Where a claim in the own words of one source comes to.
const QUOTED: f64 = 0.97;

/// A bin with fewer pairs than this says nothing of its share of right ones.
const FEW: usize = 30;

/// The bins as the product keeps them. Thin ones are put to their neighbours below: an interval is taken from the number of pairs.
fn core(bins: &[metrics::Bin]) -> Vec<Bin> {
    let mut out: Vec<Bin> = Vec::new();
    for bin in bins {
        let own = Bin { confidence: bin.confidence, accuracy: bin.accuracy, n: bin.n };
        match out.last_mut() {
            Some(last) if own.n < FEW || last.n < FEW => {
                let n = (last.n + own.n).max(1) as f64;
                let mean = |a: f64, b: f64| (a * last.n as f64 + b * own.n as f64) / n;
                *last = Bin {
                    confidence: mean(last.confidence, own.confidence),
                    accuracy: mean(last.accuracy, own.accuracy),
                    n: last.n + own.n,
                };
            }
            _ => out.push(own),
        }
    }
    out
}

/// At most some 350 rows of a set with their inputs.
fn sample<'a>(
    tables: &'a [Table],
    fitted: &'a Fitted,
) -> impl Iterator<Item = (&'a Row, Vec<f64>)> {
    tables.iter().filter(usable).flat_map(|table| {
        let step = (table.rows.len() / 350).max(1);
        table
            .rows
            .iter()
            .step_by(step)
            .filter_map(|row| fitted.inputs.of(row, true).map(|inputs| (row, inputs)))
    })
}

fn calibrated(tables: &[Table], fitted: &Fitted) -> Vec<metrics::Row> {
    sample(tables, fitted)
        .map(|(row, inputs)| {
            let (s, r) = fitted.raw(row, &inputs, true);
            (sigmoid(fitted.bias + fitted.slope * log_odds(s, r)), row.class() == 0)
        })
        .collect()
}

/// The least raw probability from which on four of five pairs are of the class, every set weighing about the same: a
/// verdict is a strong word.
fn threshold(tables: &[Table], fitted: &Fitted, class: usize) -> f64 {
    let mut rows: Vec<metrics::Row> = sample(tables, fitted)
        .map(|(row, inputs)| {
            let (s, r) = fitted.raw(row, &inputs, true);
            (if class == 0 { s } else { r }, row.class() == class)
        })
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut found) = (0.0, 1.0);
    for (n, row) in rows.iter().enumerate() {
        right += f64::from(row.1);
        if right >= 0.8 * (n as f64 + 1.0) {
            found = row.0;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_of_quotes_is_set_by_hand_and_claims_no_measure() {
        let map = quotes(-1.9);
        assert!((sigmoid(map.slope * log_odds(0.98, 0.0) - 1.9) - 0.97).abs() < 1e-9);
        assert!(map.is_by_hand() && map.fitted_on.is_empty() && map.bins.is_empty());
    }

    #[test]
    fn thin_bins_are_put_together() {
        let bin =
            |confidence: f64, accuracy: f64, n: usize| metrics::Bin { confidence, accuracy, n };
        let bins = [bin(0.1, 0.0, 10), bin(0.2, 0.1, 90), bin(0.5, 0.5, 40), bin(0.9, 0.0, 2)];
        let kept = core(&bins);
        assert_eq!(kept.iter().map(|bin| bin.n).collect::<Vec<_>>(), [100, 42]);
        assert!(
            (kept[0].accuracy - 0.09).abs() < 1e-9 && (kept[1].confidence - 0.519).abs() < 1e-3
        );
    }
}
