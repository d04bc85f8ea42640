//! Multinomial logistic regression: small, deterministic, with every set counting the same.

/// Classes in the order of the outputs: supports, refutes, not enough.
pub(crate) const CLASSES: usize = 3;

/// A row to learn from.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) features: Vec<f64>,
    /// 0 supports, 1 refutes, 2 not enough.
    pub(crate) class: usize,
    pub(crate) weight: f64,
}

/// Weights over raw features: `softmax(bias + weights . features)`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Model {
    pub(crate) bias: [f64; CLASSES],
    pub(crate) weights: [Vec<f64>; CLASSES],
}

impl Model {
    /// Probabilities of the classes.
    pub(crate) fn predict(&self, features: &[f64]) -> [f64; CLASSES] {
        let mut scores = self.bias;
        for (score, weights) in scores.iter_mut().zip(&self.weights) {
            *score += weights.iter().zip(features).map(|(w, f)| w * f).sum::<f64>();
        }
        softmax(scores)
    }
}

fn softmax(scores: [f64; CLASSES]) -> [f64; CLASSES] {
    let top = scores.iter().copied().fold(f64::MIN, f64::max);
    let powers = scores.map(|score| (score - top).exp());
    let sum: f64 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Fits by accelerated gradient descent on standardised features with an L2 penalty on the weights.
pub(crate) fn fit(examples: &[Example], penalty: f64) -> Model {
    let width = examples.first().map_or(0, |example| example.features.len());
    let total: f64 = examples.iter().map(|example| example.weight).sum::<f64>().max(1e-9);
    let mut mean = vec![0.0; width];
    for example in examples {
        for (sum, value) in mean.iter_mut().zip(&example.features) {
            *sum += example.weight * value / total;
        }
    }
    let mut deviation = vec![0.0; width];
    for example in examples {
        for ((sum, value), mean) in deviation.iter_mut().zip(&example.features).zip(&mean) {
            *sum += example.weight * (value - mean).powi(2) / total;
        }
    }
    for value in &mut deviation {
        *value = value.sqrt().max(1e-6);
    }
    let rows: Vec<Vec<f64>> = examples
        .iter()
        .map(|e| {
            e.features.iter().zip(&mean).zip(&deviation).map(|((f, m), d)| (f - m) / d).collect()
        })
        .collect();
    let size = CLASSES * (width + 1);
    let mut at = vec![0.0; size];
    let mut ahead = at.clone();
    let mut momentum = 1.0f64;
    // 1 / Lipschitz constant of the loss: half the mean square norm of a row bounds the curvature.
    let rate = 2.0 / (width as f64 + 1.0).max(1.0);
    for _ in 0..400 {
        let mut gradient = vec![0.0; size];
        for (row, example) in rows.iter().zip(examples) {
            let mut scores = [0.0; CLASSES];
            for (class, score) in scores.iter_mut().enumerate() {
                let w = &ahead[class * (width + 1)..(class + 1) * (width + 1)];
                *score = w[width] + w[..width].iter().zip(row).map(|(w, x)| w * x).sum::<f64>();
            }
            let p = softmax(scores);
            for (class, probability) in p.iter().enumerate() {
                let error =
                    (probability - f64::from(class == example.class)) * example.weight / total;
                let g = &mut gradient[class * (width + 1)..(class + 1) * (width + 1)];
                for (g, x) in g.iter_mut().zip(row) {
                    *g += error * x;
                }
                g[width] += error;
            }
        }
        for class in 0..CLASSES {
            for i in 0..width {
                let place = class * (width + 1) + i;
                gradient[place] += penalty * ahead[place];
            }
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
    let mut model = Model { bias: [0.0; CLASSES], weights: [vec![], vec![], vec![]] };
    for class in 0..CLASSES {
        let w = &at[class * (width + 1)..(class + 1) * (width + 1)];
        model.bias[class] =
            w[width] - (0..width).map(|i| w[i] * mean[i] / deviation[i]).sum::<f64>();
        model.weights[class] = (0..width).map(|i| w[i] / deviation[i]).collect();
    }
    model
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learns_what_can_be_learnt() {
        let examples: Vec<Example> = (0..300)
            .map(|i| {
                let x = f64::from(i % 100) / 100.0;
                Example {
                    features: vec![x, 0.3],
                    class: if x < 0.3 {
                        1
                    } else if x < 0.6 {
                        2
                    } else {
                        0
                    },
                    weight: 1.0,
                }
            })
            .collect();
        let model = fit(&examples, 1e-4);
        let best = |x: f64| {
            let p = model.predict(&[x, 0.3]);
            (0..3).max_by(|a, b| p[*a].total_cmp(&p[*b]))
        };
        assert_eq!((best(0.05), best(0.95)), (Some(1), Some(0)));
    }
}
