//! Logistic regression: small, deterministic, with every set counting the same.

use elenchus_core::measure::sigmoid;
use elenchus_io::verify::Regression;

/// A row to learn from.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) features: Vec<f64>,
    pub(crate) label: bool,
    pub(crate) weight: f64,
}

/// Fits by accelerated gradient descent on standardised features with an L2 penalty on the weights. Features for
/// which `used` says no get the weight 0.
pub(crate) fn fit(examples: &[Example], penalty: f64, used: impl Fn(usize) -> bool) -> Regression {
    let width = examples.first().map_or(0, |example| example.features.len());
    let total: f64 = examples.iter().map(|example| example.weight).sum::<f64>().max(1e-9);
    let columns: Vec<usize> = (0..width).filter(|i| used(*i)).collect();
    let mean: Vec<f64> = columns
        .iter()
        .map(|i| examples.iter().map(|e| e.weight * e.features[*i]).sum::<f64>() / total)
        .collect();
    let deviation: Vec<f64> = columns
        .iter()
        .zip(&mean)
        .map(|(i, mean)| {
            let variance: f64 =
                examples.iter().map(|e| e.weight * (e.features[*i] - mean).powi(2)).sum::<f64>()
                    / total;
            variance.sqrt().max(1e-6)
        })
        .collect();
    let rows: Vec<Vec<f64>> = examples
        .iter()
        .map(|e| {
            columns
                .iter()
                .enumerate()
                .map(|(k, i)| (e.features[*i] - mean[k]) / deviation[k])
                .collect()
        })
        .collect();
    let n = columns.len();
    let mut at = vec![0.0; n + 1];
    let mut ahead = at.clone();
    let mut momentum = 1.0f64;
    // The curvature of the loss is at most a quarter of the mean square norm of a row.
    let rate = 4.0 / (n as f64 + 1.0 + 4.0 * penalty);
    for _ in 0..300 {
        let mut gradient = vec![0.0; n + 1];
        for (row, example) in rows.iter().zip(examples) {
            let score = ahead[n] + ahead[..n].iter().zip(row).map(|(w, x)| w * x).sum::<f64>();
            let error = (sigmoid(score) - f64::from(example.label)) * example.weight / total;
            for (g, x) in gradient.iter_mut().zip(row) {
                *g += error * x;
            }
            gradient[n] += error;
        }
        for (g, w) in gradient[..n].iter_mut().zip(&ahead) {
            *g += penalty * w;
        }
        let before = at.clone();
        for ((at, ahead), g) in at.iter_mut().zip(&ahead).zip(&gradient) {
            *at = ahead - rate * g;
        }
        let next = f64::midpoint(1.0, (1.0 + 4.0 * momentum * momentum).sqrt());
        let push = (momentum - 1.0) / next;
        for ((ahead, at), before) in ahead.iter_mut().zip(&at).zip(&before) {
            *ahead = at + push * (at - before);
        }
        momentum = next;
    }
    let mut model = Regression { bias: at[n], weights: vec![0.0; width] };
    for (k, i) in columns.iter().enumerate() {
        model.weights[*i] = at[k] / deviation[k];
        model.bias -= at[k] * mean[k] / deviation[k];
    }
    model
}

/// The slope that suits labelled log-odds when the bias is given, by Newton's method.
pub(crate) fn slope(points: &[(f64, bool)], weights: &[f64], bias: f64) -> f64 {
    let mut slope = 1.0;
    for _ in 0..50 {
        let (mut gradient, mut curve) = (0.0, 1e-9);
        for ((x, label), weight) in points.iter().zip(weights) {
            let p = sigmoid(bias + slope * x);
            gradient += weight * (p - f64::from(*label)) * x;
            curve += weight * p * (1.0 - p) * x * x;
        }
        slope = (slope - (gradient / curve).clamp(-0.5, 0.5)).max(1e-3);
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_what_can_be_learnt() {
        let examples: Vec<Example> = (0..300)
            .map(|i| {
                let x = f64::from(i % 100) / 100.0;
                Example { features: vec![x, 0.3, x], label: x > 0.4, weight: 1.0 }
            })
            .collect();
        let model = fit(&examples, 1e-4, |i| i != 2);
        assert!(model.predict(&[0.1, 0.3, 0.9]) < 0.3 && model.predict(&[0.9, 0.3, 0.1]) > 0.7);
        assert!(model.weights[2].abs() < 1e-12);
    }

    #[test]
    fn a_slope_is_found_for_a_given_bias() {
        let mut points = Vec::new();
        for step in -10..=10 {
            let x = f64::from(step) / 4.0;
            let positives = (sigmoid(1.7 * x - 0.5) * 400.0).round() as usize;
            points.extend((0..400).map(|i| (x, i < positives)));
        }
        let found = slope(&points, &vec![1.0; points.len()], -0.5);
        assert!((found - 1.7).abs() < 0.02, "{found}");
    }
}
