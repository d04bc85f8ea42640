//! The linear model: weights a feature and class, kept as small integers.
//!
//! Form of the file: `ELFM1`, then little-endian numbers: classes (u16) with their names (u8 length, bytes), the
//! calibration (temperature, the two thresholds, agreement; f32; and a byte that says whether it was fitted), rows
//! (u32), row names (u32, rising), inverse document frequencies (u16, in 1/4096), a bias and a scale a class
//! (f32), weights (i8, a row after the other), and the first eight bytes of the SHA-256 of all that.

mod features;
mod file;

pub use features::{Features, features};

use super::Point;
use std::sync::LazyLock;

/// The class of a text that commits no fallacy.
pub const NONE: &str = "none";

/// Why a model file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Not a model file, or one of another version.
    #[error("it does not begin as a fallacy model of this version does")]
    Foreign,
    /// The file ends too early or has bytes left over.
    #[error("it is cut short or has something appended")]
    Length,
    /// The checksum does not fit the content.
    #[error("its checksum does not fit its content")]
    Corrupt,
    /// A class that the catalog does not have, or no class of texts without a fallacy.
    #[error("its classes are not those of the catalog ({0})")]
    Classes(String),
    /// A number that is not finite or out of its range.
    #[error("it holds a number out of range")]
    Range,
}

/// Which features count, and how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// Names of the features (hashes), rising.
    pub ids: Vec<u32>,
    /// Inverse document frequency of each, 0 to 16.
    pub idf: Vec<f32>,
}

impl Vocabulary {
    /// The rows and values of a text: sublinear counts times inverse document frequency, each block of unit length.
    pub fn vector(&self, features: &Features) -> Vec<(u32, f32)> {
        let mut squares = [0.0f32; features::BLOCKS];
        let mut vector = Vec::with_capacity(features.len());
        for (id, block, count) in features.iter() {
            if let Ok(row) = self.ids.binary_search(&id) {
                let value = (1.0 + (count as f32).ln()) * self.idf[row];
                squares[block] += value * value;
                vector.push((row as u32, value, block));
            }
        }
        let scale = squares.map(|square| if square > 0.0 { square.sqrt().recip() } else { 0.0 });
        let weigh = |(row, value, block): (u32, f32, usize)| {
            (row, value * scale[block] * features::BLOCK_WEIGHTS[block])
        };
        vector.into_iter().map(weigh).collect()
    }
}

/// How scores become probabilities, and probabilities warnings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Scores are divided by this, above 0.
    pub temperature: f32,
    /// Least probability of a class at [`Point::Strict`], 0 to 1.
    pub strict: f32,
    /// Least probability that there is any fallacy at [`Point::Sensitive`], 0 to 1.
    pub sensitive: f32,
    /// Least probability of a class that raises a sensitive pattern to a strict one, 0 to 1.
    pub agreement: f32,
    /// Whether these were fitted on held-out texts.
    pub fitted: bool,
}

/// A multinomial logistic regression over [`Features`].
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    classes: Vec<String>,
    vocabulary: Vocabulary,
    calibration: Calibration,
    bias: Vec<f32>,
    scale: Vec<f32>,
    /// A row of the vocabulary after the other, a class after the other.
    weights: Vec<i8>,
}

static SHIPPED: LazyLock<Model> = LazyLock::new(|| {
    Model::parse(include_bytes!("shipped.bin"))
        .expect("the file in the program, parsed by every test")
});

impl Model {
    /// The model in the program.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// Rounds weights (`rows * classes`, row after row) to a model.
    pub fn new(
        classes: Vec<String>,
        vocabulary: Vocabulary,
        calibration: Calibration,
        bias: Vec<f32>,
        weights: &[f32],
    ) -> Self {
        let n = classes.len().max(1);
        let mut scale = vec![0.0f32; classes.len()];
        for (i, weight) in weights.iter().enumerate() {
            scale[i % n] = scale[i % n].max(weight.abs());
        }
        for scale in &mut scale {
            *scale = if *scale > 0.0 { *scale / 127.0 } else { 1.0 };
        }
        let weights =
            weights.iter().enumerate().map(|(i, w)| (w / scale[i % n]).round() as i8).collect();
        Self { classes, vocabulary, calibration, bias, scale, weights }
    }

    /// Names of the classes: ids of the catalog and [`NONE`].
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// How scores become warnings.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// The same model with another calibration.
    #[must_use]
    pub fn with_calibration(mut self, calibration: Calibration) -> Self {
        self.calibration = calibration;
        self
    }

    /// Whether probabilities were fitted on held-out texts.
    pub fn is_calibrated(&self) -> bool {
        self.calibration.fitted
    }

    pub(super) fn agreement(&self) -> f64 {
        f64::from(self.calibration.agreement)
    }

    /// Whether a class of this probability is a warning where "nothing" has probability `none`.
    pub(super) fn fires(&self, point: Point, probability: f64, none: f64) -> bool {
        match point {
            Point::Strict => probability >= f64::from(self.calibration.strict),
            Point::Sensitive => {
                1.0 - none >= f64::from(self.calibration.sensitive) && probability > none
            }
        }
    }

    /// A score a class, before the temperature.
    pub fn scores(&self, features: &Features) -> Vec<f64> {
        let n = self.classes.len();
        let mut sums = vec![0.0f32; n];
        for (row, value) in self.vocabulary.vector(features) {
            let from = row as usize * n;
            for (sum, weight) in sums.iter_mut().zip(&self.weights[from..from + n]) {
                *sum += value * f32::from(*weight);
            }
        }
        let with = |i: usize| f64::from(sums[i] * self.scale[i] + self.bias[i]);
        (0..n).map(with).collect()
    }

    /// A probability a class; they sum to 1.
    pub fn probabilities(&self, features: &Features) -> Vec<f64> {
        softmax(&self.scores(features), f64::from(self.calibration.temperature))
    }
}

/// Shares proportional to `exp(score / temperature)`.
pub fn softmax(scores: &[f64], temperature: f64) -> Vec<f64> {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let raised: Vec<f64> = scores.iter().map(|s| ((s - top) / temperature).exp()).collect();
    let sum: f64 = raised.iter().sum();
    raised.into_iter().map(|r| r / sum).collect()
}
